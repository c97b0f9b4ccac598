//! What a condition that holds says about the variables in it.
//!
//! A comparison bounds its operands, and a bound on an expression bounds what it is made of, backwards
//! through operators that can be undone. Where a variable has few values, each is tried. Everything here only
//! ever leaves out values for which the condition fails, so whatever is skipped (`fuel` bounds the effort)
//! costs precision and nothing else.

use crate::arith;
use crate::eval::{Evaluator, negated};
use crate::state::State;
use crate::values::{MOST, Values, shape};
use ir::{BinOp, Expr, ExprKind, Type, UnOp, Var};

/// Steps for one condition.
const FUEL: u32 = 400;
/// Variables of one condition whose values are tried, and the size of conditions for which that is done.
const MOST_TRIED: usize = 3;
const MOST_PARTS: usize = 60;

impl Evaluator<'_> {
    /// The part of a state in which `cond` evaluates to `holds`; None if there is none.
    pub fn assume(&self, cond: &Expr, holds: bool, state: &State) -> Option<State> {
        let outside = self.inside.replace(true);
        self.fuel.set(FUEL);
        let state = self.learn(cond, holds, state.clone());
        let state = state.filter(|state| self.possible(cond, holds, state));
        let state = state.and_then(|state| self.try_values(cond, holds, state));
        self.inside.set(outside);
        state
    }

    fn possible(&self, cond: &Expr, holds: bool, state: &State) -> bool {
        self.eval(cond, state).is_none_or(|v| v.contains(i128::from(holds)))
    }

    fn spend(&self) -> bool {
        let left = self.fuel.get();
        self.fuel.set(left.saturating_sub(1));
        left > 0
    }

    fn learn(&self, cond: &Expr, holds: bool, state: State) -> Option<State> {
        if let Some(inner) = negated(cond) {
            return self.learn(inner, !holds, state);
        }
        if !self.spend() {
            return Some(state);
        }
        match &cond.kind {
            ExprKind::Const(bits) => ((*bits & 1 == 1) == holds).then_some(state),
            ExprKind::Binary(op, a, b) if a.ty == Type::Bool => self.connective(*op, a, b, holds, state),
            ExprKind::Binary(op, a, b) => self.comparison(*op, a, b, holds, state),
            ExprKind::Ite(parts) => {
                let yes = self.learn(&parts[0], true, state.clone());
                let yes = yes.and_then(|s| self.learn(&parts[1], holds, s));
                let no = self.learn(&parts[0], false, state);
                let no = no.and_then(|s| self.learn(&parts[2], holds, s));
                either(yes, no)
            }
            _ => Some(state),
        }
    }

    fn connective(&self, op: BinOp, a: &Expr, b: &Expr, holds: bool, state: State) -> Option<State> {
        match (op, holds) {
            (BinOp::And, true) | (BinOp::Or, false) => {
                let state = self.learn(a, holds, state)?;
                self.learn(b, holds, state)
            }
            (BinOp::And, false) | (BinOp::Or, true) => {
                either(self.learn(a, holds, state.clone()), self.learn(b, holds, state))
            }
            (BinOp::Eq | BinOp::Ne | BinOp::Xor, _) => {
                // Where one side is known, so is the other.
                let same = (op == BinOp::Eq) == holds;
                let side = |e: &Expr| self.eval(e, &state).and_then(|v| v.single());
                match (side(a), side(b)) {
                    (Some(v), _) => self.learn(b, (v == 1) == same, state),
                    (None, Some(v)) => self.learn(a, (v == 1) == same, state),
                    (None, None) => Some(state),
                }
            }
            _ => Some(state),
        }
    }

    fn comparison(&self, op: BinOp, a: &Expr, b: &Expr, holds: bool, state: State) -> Option<State> {
        let (Some(va), Some(vb)) = (self.eval(a, &state), self.eval(b, &state)) else { return Some(state) };
        let pointers = a.ty == Type::Ptr;
        let (na, nb) = match (op, holds) {
            (BinOp::Eq, true) | (BinOp::Ne, false) => {
                let both = va.meet(&vb)?;
                (both.clone(), both)
            }
            (BinOp::Eq, false) | (BinOp::Ne, true) => {
                let na = vb.single().map_or(Some(va.clone()), |v| va.without(v))?;
                let nb = va.single().map_or(Some(vb.clone()), |v| vb.without(v))?;
                (na, nb)
            }
            (BinOp::Lt | BinOp::Le, _) if pointers => return Some(state),
            // a < b, and b <= a where it fails.
            (BinOp::Lt, true) => (va.clip(i128::MIN, vb.high() - 1)?, vb.clip(va.low() + 1, i128::MAX)?),
            (BinOp::Lt, false) => (va.clip(vb.low(), i128::MAX)?, vb.clip(i128::MIN, va.high())?),
            (BinOp::Le, true) => (va.clip(i128::MIN, vb.high())?, vb.clip(va.low(), i128::MAX)?),
            (BinOp::Le, false) => (va.clip(vb.low() + 1, i128::MAX)?, vb.clip(i128::MIN, va.high() - 1)?),
            _ => return Some(state),
        };
        let state = self.narrow(a, &na, state)?;
        self.narrow(b, &nb, state)
    }

    /// The part of a state in which `e` has one of these values.
    fn narrow(&self, e: &Expr, wanted: &Values, mut state: State) -> Option<State> {
        if !self.spend() {
            return Some(state);
        }
        let Some(now) = self.eval(e, &state) else { return Some(state) };
        if now.ty() != wanted.ty() {
            return Some(state);
        }
        let new = now.meet(wanted)?;
        if new == now {
            return Some(state);
        }
        if e.ty == Type::Bool {
            return match new.single() {
                Some(v) => self.learn(e, v == 1, state),
                None => Some(state),
            };
        }
        let var = match &e.kind {
            ExprKind::Local(id) => Var::Local(*id),
            ExprKind::Global(id) => Var::Global(*id),
            _ => return self.narrow_parts(e, &new, state),
        };
        state.set(var, if e.ty == Type::Ptr { new.coarse() } else { new });
        Some(state)
    }

    fn narrow_parts(&self, e: &Expr, new: &Values, state: State) -> Option<State> {
        match &e.kind {
            ExprKind::Cast(inner) => self.narrow_cast(e, inner, new, state),
            ExprKind::Unary(op @ (UnOp::Neg | UnOp::Not), inner) => {
                self.narrow(inner, &arith::unary(*op, new), state)
            }
            ExprKind::Ite(parts) => {
                let reaches = |e: &Expr| self.eval(e, &state).is_none_or(|v| v.meet(new).is_some());
                let (holds, part) = match (reaches(&parts[1]), reaches(&parts[2])) {
                    (true, true) => return Some(state),
                    (true, false) => (true, &parts[1]),
                    (false, true) => (false, &parts[2]),
                    (false, false) => return None,
                };
                let state = self.learn(&parts[0], holds, state)?;
                self.narrow(part, new, state)
            }
            ExprKind::Binary(op, a, b) if e.ty.is_int() && a.ty == e.ty => {
                let (Some(va), Some(vb)) = (self.eval(a, &state), self.eval(b, &state)) else {
                    return Some(state);
                };
                let (na, nb) = self.undone(*op, &va, &vb, new)?;
                let state = self.narrow(a, &na, state)?;
                self.narrow(b, &nb, state)
            }
            _ => Some(state),
        }
    }

    /// Where the operands of an integer operation can lie, given its result.
    fn undone(&self, op: BinOp, a: &Values, b: &Values, new: &Values) -> Option<(Values, Values)> {
        let undo = |op: BinOp, x: &Values, y: &Values| arith::binary(self.target, op, x, y);
        let unchanged = Some((a.clone(), b.clone()));
        match op {
            // Wrapping addition can be undone whatever wraps.
            BinOp::Add => Some((undo(BinOp::Sub, new, b), undo(BinOp::Sub, new, a))),
            BinOp::Sub => Some((undo(BinOp::Add, new, b), undo(BinOp::Sub, a, new))),
            BinOp::Xor => Some((undo(BinOp::Xor, new, b), undo(BinOp::Xor, new, a))),
            BinOp::Mul => match (a.single(), b.single()) {
                (_, Some(factor)) => Some((factors(a, factor, new)?, b.clone())),
                (Some(factor), None) => Some((a.clone(), factors(b, factor, new)?)),
                (None, None) => unchanged,
            },
            BinOp::And => {
                // A bit of the result is a bit of both, so each is at least the result if it is not negative.
                let part = |v: &Values| {
                    let v = if new.contains(0) { v.clone() } else { v.without(0)? };
                    if v.low() >= 0 { v.clip(new.low(), i128::MAX) } else { Some(v) }
                };
                Some((part(a)?, part(b)?))
            }
            BinOp::Or if a.low() >= 0 && b.low() >= 0 => {
                Some((a.clip(0, new.high())?, b.clip(0, new.high())?))
            }
            BinOp::Shr => match b.single() {
                Some(count) if (0..i128::from(a.ty().bits)).contains(&count) => {
                    let low = new.low() << count;
                    let high = (new.high() << count) + (1i128 << count) - 1;
                    Some((a.clip(low, high)?, b.clone()))
                }
                _ => unchanged,
            },
            _ => unchanged,
        }
    }

    fn narrow_cast(&self, e: &Expr, inner: &Expr, new: &Values, state: State) -> Option<State> {
        let (Some(from), Some(to)) = (shape(inner.ty, self.target), shape(e.ty, self.target)) else {
            return Some(state);
        };
        let Some(now) = self.eval(inner, &state) else { return Some(state) };
        let all = Values::all(to);
        let zero_extends = e.ty == Type::Ptr && now.low() < 0;
        if now.low() >= all.low() && now.high() <= all.high() && !zero_extends {
            // No value changes.
            let kept = match new.members() {
                Some(list) => Values::of(from, list.iter().copied().filter(|v| now.contains(*v)).collect())?,
                None => now.clip(new.low(), new.high())?,
            };
            return self.narrow(inner, &kept, state);
        }
        if from.bits == to.bits {
            return self.narrow(inner, &arith::cast(from, new), state);
        }
        Some(state)
    }

    /// Leaves out values of variables, one by one, for which the condition cannot have this outcome.
    fn try_values(&self, cond: &Expr, holds: bool, mut state: State) -> Option<State> {
        let (mut vars, mut parts) = (Vec::new(), 0);
        cond.walk(&mut |e| {
            parts += 1;
            let var = match &e.kind {
                ExprKind::Local(id) => Var::Local(*id),
                ExprKind::Global(id) => Var::Global(*id),
                _ => return,
            };
            if !vars.contains(&var) && vars.len() <= MOST_TRIED {
                vars.push(var);
            }
        });
        if parts > MOST_PARTS || vars.len() > MOST_TRIED {
            return Some(state);
        }
        for var in vars {
            let Some(values) = state.get(var) else { continue };
            if values.count() > MOST as i128 || values.count() < 2 {
                continue;
            }
            let ty = values.ty();
            let kept = values.each().filter(|v| {
                let mut one = state.clone();
                one.set(var, Values::constant(ty, *v));
                self.possible(cond, holds, &one)
            });
            let kept = Values::of(ty, kept.collect())?;
            state.set(var, kept);
        }
        Some(state)
    }
}

fn either(a: Option<State>, b: Option<State>) -> Option<State> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.join(&b)),
        (a, b) => a.or(b),
    }
}

/// What of `values` times a constant can be in `new`, if nothing wraps.
fn factors(values: &Values, factor: i128, new: &Values) -> Option<Values> {
    let all = Values::all(values.ty());
    let exact = [values.low(), values.high()].map(|v| v.checked_mul(factor));
    let stays = exact.iter().all(|v| v.is_some_and(|v| all.low() <= v && v <= all.high()));
    if factor <= 0 || !stays {
        return Some(values.clone());
    }
    values.clip(-(-new.low()).div_euclid(factor), new.high().div_euclid(factor))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::{LocalId, Target};
    use proptest::prelude::*;

    /// Any list of choices is an expression; where it ends, every choice is 0.
    struct Choices<'c>(&'c [u32]);

    impl Choices<'_> {
        fn below(&mut self, limit: usize) -> usize {
            let Some((first, rest)) = self.0.split_first() else { return 0 };
            self.0 = rest;
            *first as usize % limit
        }

        fn pick<T: Copy>(&mut self, list: &[T]) -> T {
            list[self.below(list.len())]
        }

        fn condition(&mut self, depth: usize) -> Expr {
            let next = depth.saturating_sub(1);
            match if depth == 0 { 0 } else { self.below(8) } {
                4 => self.condition(next).not(),
                5 => {
                    let op = self.pick(&[BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Eq, BinOp::Ne]);
                    Expr::binary(op, self.condition(next), self.condition(next))
                }
                6 => Expr::ite(self.condition(next), self.condition(next), self.condition(next)),
                7 => {
                    let op = self.pick(&[BinOp::AddOverflows, BinOp::SubOverflows, BinOp::MulOverflows]);
                    Expr::binary(op, self.integer(Type::I32, next), self.integer(Type::I32, next))
                }
                _ => {
                    let op = self.pick(&[BinOp::Lt, BinOp::Le, BinOp::Eq, BinOp::Ne]);
                    let ty = self.pick(&TYPES);
                    Expr::binary(op, self.integer(ty, next), self.integer(ty, next))
                }
            }
        }

        fn integer(&mut self, ty: Type, depth: usize) -> Expr {
            const OPS: [BinOp; 10] = [
                BinOp::Add,
                BinOp::Sub,
                BinOp::Mul,
                BinOp::And,
                BinOp::Or,
                BinOp::Xor,
                BinOp::Shl,
                BinOp::Shr,
                BinOp::Div,
                BinOp::Rem,
            ];
            let next = depth.saturating_sub(1);
            match if depth == 0 { self.below(2) } else { self.below(8) } {
                0 => Expr::int(ty, self.below(40) as i128 - 20),
                1 | 2 => {
                    let var = self.below(TYPES.len());
                    let e = Expr::var(Var::Local(LocalId(var as u32)), TYPES[var]);
                    if TYPES[var] == ty { e } else { Expr::cast(ty, e) }
                }
                3 => Expr::unary(self.pick(&[UnOp::Neg, UnOp::Not]), self.integer(ty, next)),
                4 => {
                    let from = self.pick(&TYPES);
                    Expr::cast(ty, self.integer(from, next))
                }
                5 => Expr::cast(ty, self.condition(next)),
                6 => Expr::ite(self.condition(next), self.integer(ty, next), self.integer(ty, next)),
                _ => {
                    let op = self.pick(&OPS);
                    Expr::binary(op, self.integer(ty, next), self.integer(ty, next))
                }
            }
        }
    }

    const TYPES: [Type; 4] = [Type::I32, Type::U8, Type::U32, Type::I64];

    fn evaluator() -> Evaluator<'static> {
        Evaluator { target: &Target::LP64, fuel: Default::default(), inside: Default::default() }
    }

    /// A state of one variable a type, and some points in it.
    fn state(picks: &[(i128, i128, Vec<i128>)]) -> (State, Vec<State>) {
        let mut state = State::default();
        let mut points = vec![State::default(); 12];
        for (i, ((low, length, list), ty)) in picks.iter().zip(TYPES).enumerate() {
            let ty = shape(ty, &Target::LP64).expect("an integer");
            let low = ty.value(ty.wrap(*low));
            let values = if list.is_empty() {
                Values::between(ty, low, low + length).expect("an interval")
            } else {
                Values::of(ty, list.iter().map(|v| ty.value(ty.wrap(*v))).collect()).expect("members")
            };
            for (k, point) in points.iter_mut().enumerate() {
                let member = match values.members() {
                    Some(list) => list[(k * 7 + i) % list.len()],
                    None if k < 2 => [values.low(), values.high()][k],
                    None => values.low() + (k as i128 * 31 + i as i128 * 13) % values.count(),
                };
                point.set(Var::Local(LocalId(i as u32)), Values::constant(ty, member));
            }
            state.set(Var::Local(LocalId(i as u32)), values);
        }
        (state, points)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

        /// On single values evaluation is that of the interpreter, so it is the judge.
        #[test]
        fn no_point_that_satisfies_is_lost(
            choices in prop::collection::vec(any::<u32>(), 0..40),
            picks in prop::collection::vec(
                (-40i128..40, 0i128..60, prop::collection::vec(-40i128..40, 0..4)), 4..=4),
        ) {
            let cond = Choices(&choices).condition(4);
            let (state, points) = state(&picks);
            let evaluator = evaluator();
            let known = evaluator.eval(&cond, &state).expect("a condition");
            let after = [false, true].map(|holds| evaluator.assume(&cond, holds, &state));
            for point in points {
                prop_assert!(point.within(&state));
                // Not single where the evaluation ends the execution.
                let Some(value) = evaluator.eval(&cond, &point).and_then(|v| v.single()) else { continue };
                prop_assert!(known.contains(value), "{cond:?} in {state:?}");
                let kept = after[value as usize].as_ref().is_some_and(|after| point.within(after));
                prop_assert!(kept, "{cond:?} is {value} at {point:?} in {state:?}");
            }
        }
    }
}
