//! Bounds of integer terms, from the bottom up.
//!
//! Bounds come from constants, from operations that bound their result, and from what was learned about a
//! term because it is a value of some type. They are not facts for a solver: they hold in every execution
//! that did not trap, and serve to leave out wrapping that could not happen. Some hold only where the path at
//! hand goes: after `i < n`, the value `i + 1` of a variable is in range, while the same sum may leave it on
//! another path.

use ir::IntType;
use logic::{IBig, Op, Sort, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interval {
    pub low: IBig,
    pub high: IBig,
}

#[derive(Clone, Default, Debug)]
pub struct Intervals {
    /// On all paths. None: computed, and nothing is known.
    table: FxHashMap<Term, Option<Interval>>,
    /// On paths that assume all of `assumed`; comes before the other table.
    local: FxHashMap<Term, Option<Interval>>,
    assumed: BTreeSet<Term>,
}

impl Interval {
    pub fn new(low: impl Into<IBig>, high: impl Into<IBig>) -> Interval {
        Interval { low: low.into(), high: high.into() }
    }

    pub fn of_type(int: IntType) -> Interval {
        let size = IBig::ONE << usize::from(int.bits);
        if int.signed {
            let half = size >> 1;
            Interval { low: -half.clone(), high: half - IBig::ONE }
        } else {
            Interval { low: IBig::ZERO, high: size - IBig::ONE }
        }
    }

    pub fn contains(&self, other: &Interval) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// `by` more on both sides.
    pub fn widened(&self, by: &IBig) -> Interval {
        Interval { low: &self.low - by, high: &self.high + by }
    }

    fn of_corners(corners: impl IntoIterator<Item = IBig>) -> Option<Interval> {
        corners.into_iter().fold(None, |found: Option<Interval>, c| {
            Some(match found {
                None => Interval { low: c.clone(), high: c },
                Some(i) => Interval { low: i.low.min(c.clone()), high: i.high.max(c) },
            })
        })
    }

    fn hull(&self, other: &Interval) -> Interval {
        Interval {
            low: self.low.clone().min(other.low.clone()),
            high: self.high.clone().max(other.high.clone()),
        }
    }

    fn times(&self, other: &Interval) -> Option<Interval> {
        Interval::of_corners([
            &self.low * &other.low,
            &self.low * &other.high,
            &self.high * &other.low,
            &self.high * &other.high,
        ])
    }
}

impl Intervals {
    /// The next terms belong to a path that assumes this.
    pub fn enter(&mut self, assumed: &BTreeSet<Term>) {
        if !self.assumed.is_subset(assumed) {
            self.local.clear();
            self.assumed.clear();
        }
    }

    /// Bounds of a variable or of what is bounded by its own form, on all paths.
    pub fn learn(&mut self, term: Term, bounds: &Interval) {
        if let Some(new) = self.narrowed(term, bounds) {
            self.table.insert(term, Some(new));
        }
    }

    /// Bounds on paths that assume this.
    pub fn learn_here(&mut self, term: Term, bounds: &Interval, assumed: &BTreeSet<Term>) {
        if let Some(new) = self.narrowed(term, bounds) {
            self.assumed.clone_from(assumed);
            self.local.insert(term, Some(new));
        }
    }

    fn narrowed(&mut self, term: Term, bounds: &Interval) -> Option<Interval> {
        if term.is_const() {
            return None;
        }
        match self.of(term) {
            Some(old) => {
                let both = Interval {
                    low: old.low.clone().max(bounds.low.clone()),
                    high: old.high.clone().min(bounds.high.clone()),
                };
                // Contradictory bounds: code that is never reached.
                (both.low <= both.high && both != old).then_some(both)
            }
            None => Some(bounds.clone()),
        }
    }

    pub fn of(&mut self, term: Term) -> Option<Interval> {
        if term.sort() != Sort::Int {
            return None;
        }
        // Iterative, since terms can be deeper than any stack.
        let mut stack = vec![(term, false)];
        while let Some((t, ready)) = stack.pop() {
            if self.local.contains_key(&t) || self.table.contains_key(&t) {
                continue;
            }
            if ready || operands(t).is_empty() {
                let found = self.compute(t);
                let table = if self.local.is_empty() { &mut self.table } else { &mut self.local };
                table.insert(t, found);
            } else {
                stack.push((t, true));
                stack.extend(operands(t).iter().map(|a| (*a, false)));
            }
        }
        self.known(term).cloned()
    }

    fn known(&self, term: Term) -> Option<&Interval> {
        self.local.get(&term).or_else(|| self.table.get(&term))?.as_ref()
    }

    fn compute(&self, t: Term) -> Option<Interval> {
        let arg = |i: usize| self.known(t.args()[i]);
        let args = || t.args().iter().map(|a| self.known(*a));
        match t.op() {
            Op::Int(value) => Some(Interval::new(value.clone(), value.clone())),
            Op::Add => args().try_fold(Interval::new(0, 0), |sum, i| {
                let i = i?;
                Some(Interval { low: sum.low + &i.low, high: sum.high + &i.high })
            }),
            Op::Mul => args().try_fold(Interval::new(1, 1), |product, i| product.times(i?)),
            Op::Ite => Some(arg(1)?.hull(arg(2)?)),
            Op::Div => self.quotient(arg(0)?, t.args()[1]),
            Op::Mod => {
                let d = t.args()[1].as_int().filter(|d| **d > IBig::ZERO)?;
                let whole = Interval { low: IBig::ZERO, high: d - IBig::ONE };
                match arg(0) {
                    Some(i) if whole.contains(i) => Some(i.clone()),
                    _ => Some(whole),
                }
            }
            Op::BvToInt { signed } => {
                let width = t.args()[0].width();
                (width <= 128).then(|| Interval::of_type(IntType::new(width as u8, *signed)))
            }
            _ => None,
        }
    }

    /// Of the Euclidean quotient, where the divisor is not zero.
    fn quotient(&self, a: &Interval, divisor: Term) -> Option<Interval> {
        if let Some(d) = divisor.as_int().filter(|d| **d != IBig::ZERO) {
            let divided = |x: &IBig| Term::int(x.clone()).div(Term::int(d.clone())).as_int().cloned();
            return Interval::of_corners([divided(&a.low)?, divided(&a.high)?]);
        }
        // At least no larger than the dividend; rounding away from zero can add one.
        let size = a.low.clone().max(-&a.low).max(a.high.clone().max(-&a.high));
        Some(if a.low >= IBig::ZERO {
            let positive = self.known(divisor).is_some_and(|d| d.low >= IBig::ZERO);
            Interval { low: if positive { IBig::ZERO } else { -size.clone() }, high: size }
        } else {
            Interval { low: -size.clone() - IBig::ONE, high: size + IBig::ONE }
        })
    }
}

/// The arguments whose bounds matter.
fn operands(t: Term) -> &'static [Term] {
    match t.op() {
        Op::Add | Op::Mul | Op::Div | Op::Mod => t.args(),
        Op::Ite => &t.args()[1..],
        _ => &[],
    }
}
