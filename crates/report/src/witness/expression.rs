//! Formulas of the logic as C conditions.
//!
//! An invariant may say less than the formula it comes from, never more: a part that has no exact C
//! expression (values at the entry of the function, memory, variables that the source does not have there,
//! numbers that fit no type) becomes whatever makes the whole weaker, `true` under an even number of
//! negations and `false` under an odd one. Comparisons are exact or are not there.

use super::number::{Number, Rank};
use ir::IntType;
use logic::{Op, Sort, Term};
use std::collections::BTreeSet;

/// The C expression of a variable of the logic, and its type; none if it has none.
pub type Lookup<'a> = dyn Fn(&str) -> Option<(String, IntType)> + 'a;

/// So much is looked at of one conjunct: formulas share parts, their text does not.
const MOST_NODES: usize = 2000;
/// Longer conjuncts help nobody.
const LONGEST: usize = 8000;

/// The weakest of what a formula says that has no more than this to say in C; None: nothing.
pub fn condition(formula: Term, lookup: &Lookup) -> Option<String> {
    let mut parts = Vec::new();
    let mut seen = BTreeSet::new();
    for conjunct in formula.conjuncts() {
        let mut writer = Writer { lookup, left: MOST_NODES, lost: false };
        match writer.formula(conjunct, true, true) {
            Formula::Text(text) if text.len() <= LONGEST && seen.insert(text.clone()) => parts.push(text),
            // What is false here is never reached; whoever asks does not want to hear so.
            Formula::False => return None,
            _ => {}
        }
    }
    (!parts.is_empty()).then(|| parts.join(" && "))
}

struct Writer<'a> {
    lookup: &'a Lookup<'a>,
    left: usize,
    /// Something was weakened.
    lost: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Formula {
    True,
    False,
    /// An expression that can stand between any operators.
    Text(String),
}

/// How two numbers compare.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Eq,
    Ne,
    Le,
    Lt,
}

impl Writer<'_> {
    /// What is implied by the term if `weaker`, else what implies it; of its negation if not `holds`.
    fn formula(&mut self, term: Term, holds: bool, weaker: bool) -> Formula {
        if self.left == 0 {
            return self.lose(weaker);
        }
        self.left -= 1;
        let args = term.args();
        match (term.op(), args) {
            (Op::True, _) => constant(holds),
            (Op::False, _) => constant(!holds),
            (Op::Not, [a]) => self.formula(*a, !holds, weaker),
            (Op::And | Op::Or, _) => {
                let all = (*term.op() == Op::And) == holds;
                let parts = args.iter().map(|a| self.formula(*a, holds, weaker)).collect();
                join(all, parts)
            }
            (Op::Ite, [c, a, b]) => {
                let mut either = |holds_c: bool, x: Term| {
                    let unless = self.formula(*c, holds_c, weaker);
                    let then = self.formula(x, holds, weaker);
                    join(false, vec![unless, then])
                };
                let parts = vec![either(false, *a), either(true, *b)];
                join(true, parts)
            }
            (Op::Eq, [a, b]) if a.sort() == Sort::Bool => {
                // Both or none; for the negation, one and not the other.
                let mut either = |x: bool, y: bool| {
                    let parts = vec![self.formula(*a, x, weaker), self.formula(*b, y, weaker)];
                    join(false, parts)
                };
                let parts = vec![either(true, !holds), either(false, holds)];
                join(true, parts)
            }
            _ => self.comparison(term, holds).unwrap_or_else(|| self.lose(weaker)),
        }
    }

    fn lose(&mut self, weaker: bool) -> Formula {
        self.lost = true;
        constant(weaker)
    }

    /// Exactly the term, or its negation.
    fn comparison(&mut self, term: Term, holds: bool) -> Option<Formula> {
        let [a, b] = term.args() else { return None };
        let (a, b) = (*a, *b);
        let (relation, signed) = match term.op() {
            Op::Eq => (Relation::Eq, false),
            Op::Le => (Relation::Le, false),
            Op::Lt => (Relation::Lt, false),
            Op::BvUle => (Relation::Le, false),
            Op::BvUlt => (Relation::Lt, false),
            Op::BvSle => (Relation::Le, true),
            Op::BvSlt => (Relation::Lt, true),
            _ => return None,
        };
        if relation == Relation::Eq && matches!(a.sort(), Sort::Bv(_)) {
            // Equal bits are equal numbers, however they are read: as their types have it, if possible.
            let signed = [a, b].iter().any(|t| self.is_signed(*t));
            return compare(Relation::Eq, holds, self.bits(a, signed)?, self.bits(b, signed)?);
        }
        let (a, b) = match a.sort() {
            Sort::Int => (self.integer(a)?, self.integer(b)?),
            Sort::Bv(_) => (self.bits(a, signed)?, self.bits(b, signed)?),
            _ => return None,
        };
        compare(relation, holds, a, b)
    }

    fn is_signed(&self, term: Term) -> bool {
        term.var_name().and_then(|name| (self.lookup)(name)).is_some_and(|(_, ty)| ty.signed)
    }

    fn spend(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    fn integer(&mut self, term: Term) -> Option<Number> {
        self.spend()?;
        let args = term.args();
        Some(match (term.op(), args) {
            (Op::Int(value), _) => Number::Const(i128::try_from(value).ok()?),
            (Op::Var(name), _) => {
                let (text, ty) = (self.lookup)(name)?;
                Number::Variable { text, ty }
            }
            (Op::Add, _) => Number::Sum(self.integers(args)?),
            (Op::Mul, _) => product(self.integers(args)?)?,
            (Op::Div, [a, b]) => quotient(self.integer(*a)?, i128::try_from(b.as_int()?).ok()?)?,
            (Op::Mod, [a, b]) => {
                let by = i128::try_from(b.as_int()?).ok().filter(|by| *by > 0)?;
                let inner = self.integer(*a)?;
                match by.trailing_zeros() {
                    bits if by == 1 << bits && (1..=64).contains(&bits) => {
                        Number::wrapped(IntType::new(bits as u8, false), inner)
                    }
                    _ => remainder(inner, by)?,
                }
            }
            (Op::Ite, [c, a, b]) => self.choice(*c, |w| w.integer(*a), |w| w.integer(*b))?,
            (Op::BvToInt { signed }, [a]) => self.bits(*a, *signed)?,
            _ => return None,
        })
    }

    fn integers(&mut self, terms: &[Term]) -> Option<Vec<Number>> {
        terms.iter().map(|t| self.integer(*t)).collect()
    }

    /// The number that a bit-vector is, read in this way.
    fn bits(&mut self, term: Term, signed: bool) -> Option<Number> {
        self.spend()?;
        let Sort::Bv(width) = term.sort() else { return None };
        let ty = IntType::new(u8::try_from(width).ok().filter(|w| (1..=64).contains(w))?, signed);
        let args = term.args();
        let constant = |t: &Term| t.as_bv().and_then(|bits| i128::try_from(bits).ok());
        Some(match (term.op(), args) {
            (Op::Bv(bits), _) if signed => Number::Const(ty.value(*bits)),
            (Op::Bv(bits), _) => Number::Const(i128::try_from(*bits).ok()?),
            (Op::Var(name), _) => {
                let (text, own) = (self.lookup)(name).filter(|(_, own)| own.bits == ty.bits)?;
                Number::wrapped(ty, Number::Variable { text, ty: own })
            }
            (Op::BvAdd, _) => Number::wrapped(ty, Number::Sum(self.all_bits(args, signed)?)),
            (Op::BvMul, _) => Number::wrapped(ty, product(self.all_bits(args, signed)?)?),
            (Op::BvNot, [a]) => {
                let inner = Number::Scaled(-1, Box::new(self.bits(*a, true)?));
                Number::wrapped(ty, Number::Sum(vec![inner, Number::Const(-1)]))
            }
            (Op::BvAnd | Op::BvOr | Op::BvXor, [first, rest @ ..]) => {
                let operator = match term.op() {
                    Op::BvAnd => '&',
                    Op::BvOr => '|',
                    _ => '^',
                };
                let mut number = self.bits(*first, false)?;
                for t in rest {
                    number = Number::Bits(operator, Box::new(number), Box::new(self.bits(*t, false)?));
                }
                Number::wrapped(ty, number)
            }
            (Op::BvShl, [a, by]) => match constant(by)? {
                by if by < i128::from(width) => {
                    Number::wrapped(ty, Number::Scaled(1 << by, Box::new(self.bits(*a, signed)?)))
                }
                _ => Number::Const(0),
            },
            (Op::BvLshr, [a, by]) => match constant(by)? {
                by if by < i128::from(width) => {
                    Number::wrapped(ty, quotient(self.bits(*a, false)?, 1 << by)?)
                }
                _ => Number::Const(0),
            },
            (Op::BvUdiv, [a, by]) => Number::wrapped(ty, quotient(self.bits(*a, false)?, constant(by)?)?),
            (Op::BvUrem, [a, by]) => Number::wrapped(ty, remainder(self.bits(*a, false)?, constant(by)?)?),
            (Op::ZeroExtend(_), [a]) => Number::wrapped(ty, self.bits(*a, false)?),
            (Op::SignExtend(_), [a]) => Number::wrapped(ty, self.bits(*a, true)?),
            (Op::Extract { low: 0, .. }, [a]) => Number::wrapped(ty, self.bits(*a, signed)?),
            (Op::Extract { low, .. }, [a]) if *low < 64 => {
                Number::wrapped(ty, quotient(self.bits(*a, false)?, 1 << low)?)
            }
            (Op::Ite, [c, a, b]) => self.choice(*c, |w| w.bits(*a, signed), |w| w.bits(*b, signed))?,
            (Op::IntToBv(_), [a]) => Number::wrapped(ty, self.integer(*a)?),
            _ => return None,
        })
    }

    fn all_bits(&mut self, terms: &[Term], signed: bool) -> Option<Vec<Number>> {
        terms.iter().map(|t| self.bits(*t, signed)).collect()
    }

    fn choice(
        &mut self,
        condition: Term,
        then: impl FnOnce(&mut Self) -> Option<Number>,
        otherwise: impl FnOnce(&mut Self) -> Option<Number>,
    ) -> Option<Number> {
        let before = std::mem::replace(&mut self.lost, false);
        let condition = self.formula(condition, true, true);
        // A condition that was weakened would choose the wrong one.
        if std::mem::replace(&mut self.lost, before) {
            return None;
        }
        match condition {
            Formula::True => then(self),
            Formula::False => otherwise(self),
            Formula::Text(text) => {
                Some(Number::Choice(text, Box::new(then(self)?), Box::new(otherwise(self)?)))
            }
        }
    }
}

fn constant(holds: bool) -> Formula {
    if holds { Formula::True } else { Formula::False }
}

/// All of the parts, or one of them.
fn join(all: bool, parts: Vec<Formula>) -> Formula {
    let (neutral, decisive) = (constant(all), constant(!all));
    let mut texts: Vec<String> = Vec::new();
    for part in parts {
        match part {
            part if part == neutral => {}
            part if part == decisive => return decisive,
            Formula::Text(text) if !texts.contains(&text) => texts.push(text),
            _ => {}
        }
    }
    match texts.len() {
        0 => neutral,
        1 => Formula::Text(texts.swap_remove(0)),
        _ => Formula::Text(format!("({})", texts.join(if all { " && " } else { " || " }))),
    }
}

fn product(parts: Vec<Number>) -> Option<Number> {
    let mut factor = 1i128;
    let mut rest: Option<Number> = None;
    for part in parts {
        rest = match (part, rest) {
            (Number::Const(c), rest) => {
                factor = factor.checked_mul(c)?;
                rest
            }
            (part, None) => Some(part),
            (part, Some(rest)) => Some(Number::Product(Box::new(rest), Box::new(part))),
        };
    }
    Some(match (factor, rest) {
        (factor, None) => Number::Const(factor),
        (1, Some(rest)) => rest,
        (factor, Some(rest)) => Number::Scaled(factor, Box::new(rest)),
    })
}

/// Where C and the logic agree: nothing is negative.
fn quotient(inner: Number, by: i128) -> Option<Number> {
    inner.range().filter(|(low, _)| *low >= 0 && by > 0)?;
    Some(Number::Quotient(Box::new(inner), by))
}

fn remainder(inner: Number, by: i128) -> Option<Number> {
    inner.range().filter(|(low, _)| *low >= 0 && by > 0)?;
    Some(Number::Remainder(Box::new(inner), by))
}

/// A comparison, computed in the smallest type that has both sides; none if no type has.
fn compare(relation: Relation, holds: bool, a: Number, b: Number) -> Option<Formula> {
    let (relation, a, b) = match (relation, holds) {
        (_, true) => (relation, a, b),
        (Relation::Eq, false) => (Relation::Ne, a, b),
        (Relation::Ne, false) => (Relation::Eq, a, b),
        (Relation::Le, false) => (Relation::Lt, b, a),
        (Relation::Lt, false) => (Relation::Le, b, a),
    };
    let mut linear = Linear::default();
    linear.add(1, a)?;
    linear.add(-1, b)?;
    let sides = linear.sides()?;
    let (left, right) = sides.first()?;
    if let (Some(left), Some(right)) = (left.range(), right.range())
        && let Some(known) = decided(relation, left, right)
    {
        return Some(constant(known));
    }
    for rank in Rank::ALL {
        for (left, right) in &sides {
            if let (Some(a), Some(b)) = (left.text(rank), right.text(rank)) {
                let (a, b, sign) = match (relation, left) {
                    (Relation::Eq, Number::Const(_)) => (b, a, "=="),
                    (Relation::Ne, Number::Const(_)) => (b, a, "!="),
                    (Relation::Le, Number::Const(_)) => (b, a, ">="),
                    (Relation::Lt, Number::Const(_)) => (b, a, ">"),
                    (Relation::Eq, _) => (a, b, "=="),
                    (Relation::Ne, _) => (a, b, "!="),
                    (Relation::Le, _) => (a, b, "<="),
                    (Relation::Lt, _) => (a, b, "<"),
                };
                return Some(Formula::Text(format!("({a} {sign} {b})")));
            }
        }
    }
    None
}

/// Is it the same for all numbers in these ranges?
fn decided(relation: Relation, a: (i128, i128), b: (i128, i128)) -> Option<bool> {
    let apart = a.1 < b.0 || b.1 < a.0;
    let one = a == b && a.0 == a.1;
    match relation {
        Relation::Eq if apart || one => Some(one),
        Relation::Ne if apart || one => Some(apart),
        Relation::Le if a.1 <= b.0 => Some(true),
        Relation::Le if b.1 < a.0 => Some(false),
        Relation::Lt if a.1 < b.0 => Some(true),
        Relation::Lt if b.1 <= a.0 => Some(false),
        _ => None,
    }
}

/// A sum of multiples. What is subtracted goes to the other side of a comparison: there it cannot underflow.
#[derive(Default)]
struct Linear {
    parts: Vec<(i128, Number)>,
    constant: i128,
}

impl Linear {
    fn add(&mut self, factor: i128, number: Number) -> Option<()> {
        match number {
            Number::Const(value) => {
                self.constant = self.constant.checked_add(factor.checked_mul(value)?)?;
            }
            Number::Sum(parts) => parts.into_iter().try_for_each(|part| self.add(factor, part))?,
            Number::Scaled(by, inner) => self.add(factor.checked_mul(by)?, *inner)?,
            number => match self.parts.iter_mut().find(|(_, other)| *other == number) {
                Some((sum, _)) => *sum = sum.checked_add(factor)?,
                None => self.parts.push((factor, number)),
            },
        }
        Some(())
    }

    /// Ways to say what is compared with what, the nicest first.
    fn sides(self) -> Option<Vec<(Number, Number)>> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (factor, number) in self.parts {
            let side = if factor > 0 { &mut left } else { &mut right };
            match factor.checked_abs()? {
                0 => {}
                1 => side.push(number),
                by => side.push(Number::Scaled(by, Box::new(number))),
            }
        }
        let with = |side: &[Number], constant: i128| {
            let mut side = side.to_vec();
            if constant != 0 || side.is_empty() {
                side.push(Number::Const(constant));
            }
            Number::sum(side)
        };
        let c = self.constant;
        let opposite = c.checked_neg()?;
        let on_left = (with(&left, c), with(&right, 0));
        let on_right = (with(&left, 0), with(&right, opposite));
        let (nicest, other) = if left.is_empty() { (on_left, on_right) } else { (on_right, on_left) };
        Some(vec![nicest, other])
    }
}

#[cfg(test)]
mod tests;
