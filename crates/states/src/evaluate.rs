//! What expressions and conditions are in a state: values where they are known, bounds where they are not.

use crate::cell::Cell;
use crate::exec::{Executor, State};
use interp::eval;
use ir::{BinOp, Expr, ExprKind, Type, UnOp, Var};
use ranges::{Values, counted_as};

impl Executor<'_> {
    pub(crate) fn set(&self, state: &mut State, var: Var, cell: Cell) {
        let place = match var {
            Var::Local(id) => state.frames.last_mut().and_then(|f| f.locals.get_mut(id.0 as usize)),
            Var::Global(id) => self.position(id).and_then(|p| state.globals.get_mut(p)),
        };
        if let Some(place) = place {
            *place = cell;
        }
    }

    fn get<'s>(&self, state: &'s State, var: Var) -> &'s Cell {
        let place = match var {
            Var::Local(id) => state.frames.last().and_then(|f| f.locals.get(id.0 as usize)),
            Var::Global(id) => self.position(id).and_then(|p| state.globals.get(p)),
        };
        place.unwrap_or(&Cell::Any)
    }

    pub(crate) fn value(&self, e: &Expr, state: &State) -> Cell {
        match self.constant(e, state) {
            Some(bits) => Cell::Known(bits),
            None => Cell::of(self.evaluator.eval(e, &self.bounds(e, state))),
        }
    }

    /// What is known of the variables in an expression.
    fn bounds(&self, e: &Expr, state: &State) -> ranges::State {
        let mut bounds = ranges::State::default();
        e.walk(&mut |part| {
            let Some(var) = variable(part) else { return };
            let cell = self.get(state, var);
            if *cell != Cell::Any
                && let Some(values) = cell.values(part.ty, &self.program.target)
            {
                bounds.set(var, values);
            }
        });
        bounds
    }

    /// The bits of an expression that has one value, however the rest is.
    fn constant(&self, e: &Expr, state: &State) -> Option<u64> {
        let target = &self.program.target;
        let shape = counted_as(e.ty, target)?;
        match &e.kind {
            ExprKind::Const(bits) => {
                (e.ty != Type::Ptr || *bits == 0).then_some((*bits & shape.mask()) as u64)
            }
            ExprKind::Local(id) => self.get(state, Var::Local(*id)).known(),
            ExprKind::Global(id) => self.get(state, Var::Global(*id)).known(),
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) if e.ty == Type::Bool => {
                let stops = u64::from(*op == BinOp::Or);
                match self.constant(a, state) {
                    Some(value) if value == stops => Some(stops),
                    Some(_) => self.constant(b, state),
                    None => self.constant(b, state).filter(|value| *value == stops),
                }
            }
            ExprKind::Binary(op, a, b) => {
                counted_as(a.ty, target)?;
                if a.ty == Type::Ptr && !matches!(op, BinOp::Eq | BinOp::Ne) {
                    return None;
                }
                let (a_bits, b_bits) = (self.constant(a, state)?, self.constant(b, state)?);
                let bits = eval::binary(target, *op, a.ty, a_bits.into(), b_bits.into()).ok()?;
                Some(bits as u64)
            }
            ExprKind::Unary(op @ (UnOp::Neg | UnOp::Not), a) => {
                let bits = self.constant(a, state)?;
                Some((eval::unary(*op, a.ty, bits.into()) & shape.mask()) as u64)
            }
            ExprKind::Cast(a) => {
                counted_as(a.ty, target)?;
                let bits = self.constant(a, state)?;
                let bits = eval::cast(target, a.ty, e.ty, bits.into());
                (e.ty != Type::Ptr || bits == 0).then_some(bits as u64)
            }
            ExprKind::Ite(parts) => match self.constant(&parts[0], state)? {
                0 => self.constant(&parts[2], state),
                _ => self.constant(&parts[1], state),
            },
            _ => None,
        }
    }

    /// What is left of a condition where its parts that are known are put in.
    pub(crate) fn residual(&self, e: &Expr, state: &State) -> Residual {
        match &e.kind {
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) if e.ty == Type::Bool => {
                let stops = *op == BinOp::Or;
                match self.residual(a, state) {
                    Residual::Decided(value) if value == stops => Residual::Decided(stops),
                    Residual::Decided(_) => self.residual(b, state),
                    Residual::Open(a) => match self.residual(b, state) {
                        Residual::Decided(value) if value == stops => Residual::Decided(stops),
                        Residual::Decided(_) => Residual::Open(a),
                        Residual::Open(b) => Residual::Open(Expr::binary(*op, a, b)),
                    },
                }
            }
            ExprKind::Unary(UnOp::Not, a) if e.ty == Type::Bool => match self.residual(a, state) {
                Residual::Decided(value) => Residual::Decided(!value),
                Residual::Open(a) => Residual::Open(a.not()),
            },
            _ => match self.constant(e, state) {
                Some(bits) => Residual::Decided(bits == 1),
                None => {
                    let values = self.evaluator.eval(e, &self.bounds(e, state));
                    match values.and_then(|v| v.single()) {
                        Some(value) => Residual::Decided(value == 1),
                        None => Residual::Open(e.clone()),
                    }
                }
            },
        }
    }

    /// The parts of a state in which a condition that is not decided has this outcome.
    pub(crate) fn assumed(&self, cond: &Expr, holds: bool, state: &State) -> Vec<State> {
        let bounds = self.bounds(cond, state);
        if let Some((var, values, excluded)) = self.excluded(cond, holds, state) {
            let sides = [values.clip(i128::MIN, excluded - 1), values.clip(excluded + 1, i128::MAX)];
            let part = |values: Values| {
                let mut part = state.clone();
                self.set(&mut part, var, Cell::of(Some(values)));
                part
            };
            return sides.into_iter().flatten().map(part).collect();
        }
        let Some(after) = self.evaluator.assume(cond, holds, &bounds) else { return Vec::new() };
        let mut part = state.clone();
        cond.walk(&mut |e| {
            if let Some(var) = variable(e)
                && let Some(values) = after.get(var)
            {
                self.set(&mut part, var, Cell::of(Some(values.clone())));
            }
        });
        vec![part]
    }

    /// If the condition says that a variable is not some value in the middle of those that it can have.
    fn excluded(&self, cond: &Expr, holds: bool, state: &State) -> Option<(Var, Values, i128)> {
        let (cond, holds) = match &cond.kind {
            ExprKind::Unary(UnOp::Not, inner) => (&**inner, !holds),
            _ => (cond, holds),
        };
        let ExprKind::Binary(op @ (BinOp::Eq | BinOp::Ne), a, b) = &cond.kind else { return None };
        if (*op == BinOp::Ne) != holds || !a.ty.is_int() {
            return None;
        }
        let (var, value) = match (variable(a), variable(b)) {
            (Some(var), None) => (var, self.constant(b, state)?),
            (None, Some(var)) => (var, self.constant(a, state)?),
            _ => return None,
        };
        let target = &self.program.target;
        let values = self.get(state, var).values(a.ty, target)?;
        let value = values.ty().value(u128::from(value));
        (values.members().is_none() && values.low() < value && value < values.high())
            .then_some((var, values, value))
    }
}

/// What is left of a condition in a state.
pub(crate) enum Residual {
    Decided(bool),
    Open(Expr),
}

fn variable(e: &Expr) -> Option<Var> {
    match e.kind {
        ExprKind::Local(id) => Some(Var::Local(id)),
        ExprKind::Global(id) => Some(Var::Global(id)),
        _ => None,
    }
}
