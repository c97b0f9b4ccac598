//! Bounds of integer terms, from the bottom up.
//!
//! Bounds come from constants, from operations that bound their result, and from what was learned about a
//! term because it is a value of some type. They are not facts for a solver: they hold in every execution
//! that did not trap, and serve to leave out wrapping that could not happen. Some hold only where the path at
//! hand goes: after `i < n`, the value `i + 1` of a variable is in range, while the same sum may leave it on
//! another path.

use logic::{IBig, Interval, Op, Sort, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

#[derive(Clone, Default, Debug)]
pub struct Intervals {
    /// On all paths. None: computed, and nothing is known.
    table: FxHashMap<Term, Option<Interval>>,
    /// On paths that assume all of `assumed`; comes before the other table.
    local: FxHashMap<Term, Option<Interval>>,
    assumed: BTreeSet<Term>,
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
                // Contradictory bounds: code that is never reached.
                old.meet(bounds).filter(|both| *both != old)
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
            Op::Int(value) => Some(Interval::point(value.clone())),
            Op::Add => args().try_fold(Interval::new(0, 0), |sum, i| Some(sum.plus(i?))),
            Op::Mul => args().try_fold(Interval::new(1, 1), |product, i| Some(product.times(i?))),
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
                (width <= 128).then(|| Interval::of_bits(width, *signed))
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
