//! Path conditions.
//!
//! A guard is a list of conditions that shares its beginning with those of the paths it was split from. Where
//! two paths meet again, what they share stays as it is and only their ends are joined, so that the guard
//! after an `if` is the one before it, and no condition is ever written out again from the start.

use crate::facts::Facts;
use logic::{Op, Sort, Term};
use std::rc::Rc;

#[derive(Clone, Default)]
pub struct Guard(Option<Rc<Node>>);

struct Node {
    before: Guard,
    condition: Term,
    /// The conjunction of all conditions up to here.
    all: Term,
    depth: u32,
    facts: Facts,
}

/// How far back a condition is looked for before it is added once more.
const LOOK_BACK: usize = 24;

impl Guard {
    /// All of it.
    pub fn term(&self) -> Term {
        self.0.as_ref().map_or(Term::bool(true), |node| node.all)
    }

    fn depth(&self) -> u32 {
        self.0.as_ref().map_or(0, |node| node.depth)
    }

    pub fn same(&self, other: &Guard) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// With one more condition; None where that cannot be.
    pub fn and(&self, condition: Term) -> Option<Guard> {
        if condition.is_false() {
            return None;
        }
        if condition.is_true() {
            return Some(self.clone());
        }
        if *condition.op() == Op::And {
            return condition.args().iter().try_fold(self.clone(), |guard, part| guard.and(*part));
        }
        let negated = condition.not();
        let mut at = self.0.as_ref();
        for _ in 0..LOOK_BACK {
            let Some(node) = at else { break };
            if node.condition == condition {
                return Some(self.clone());
            }
            if node.condition == negated {
                return None;
            }
            at = node.before.0.as_ref();
        }
        let all = and(self.term(), condition);
        let depth = self.depth() + 1;
        let facts = self.facts().and(condition);
        Some(Guard(Some(Rc::new(Node { before: self.clone(), condition, all, depth, facts }))))
    }

    /// What it says of single terms.
    pub fn facts(&self) -> Facts {
        self.0.as_ref().map_or(Facts::default(), |node| node.facts.clone())
    }

    /// The same number where this holds, in few bits.
    pub fn narrowed(&self, term: Term) -> Term {
        self.0.as_ref().map_or(term, |node| node.facts.narrowed(term))
    }

    /// The guard of two paths that meet, and a condition that tells, among executions on either, who is on
    /// the first; None where nobody is on either. (Such paths must end: with a guard that says less, whoever
    /// meets them later would be taken for one of theirs.)
    pub fn join(&self, other: &Guard) -> Option<(Guard, Term)> {
        let (mut a, mut b) = (self.clone(), other.clone());
        let (mut ends_a, mut ends_b) = (Vec::new(), Vec::new());
        while !a.same(&b) {
            // Both are not empty where the depths differ or are positive.
            let (back_a, back_b) = (a.depth() >= b.depth(), b.depth() >= a.depth());
            if back_a {
                a = a.step_back(&mut ends_a);
            }
            if back_b {
                b = b.step_back(&mut ends_b);
            }
        }
        let (end_a, end_b) = (conjunction(&ends_a), conjunction(&ends_b));
        let either = end_a.or(end_b);
        let mut guard = a.and(either)?;
        // Only a guard that is new says more than what was before.
        if let Some(node) = guard.0.as_mut().and_then(Rc::get_mut) {
            node.facts = self.facts().either(&other.facts());
        }
        let first = if ends_b.len() < ends_a.len() { end_b.not() } else { end_a };
        Some((guard, first))
    }

    fn step_back(self, ends: &mut Vec<Term>) -> Guard {
        match self.0 {
            Some(node) => {
                ends.push(node.condition);
                node.before.clone()
            }
            None => self,
        }
    }
}

/// The same for disjunctions.
pub fn or(a: Term, b: Term) -> Term {
    let small = |t: Term| *t.op() != Op::Or || t.args().len() <= FLAT;
    if a.is_const() || b.is_const() || a == b || a == b.not() || (small(a) && small(b)) {
        return a.or(b);
    }
    Term::make(Op::Or, [a, b], Sort::Bool)
}

/// What is flattened all the same, since it may simplify.
const FLAT: usize = 6;

/// Long conjunctions are not flattened: each would be a copy of the one before it.
pub fn and(a: Term, b: Term) -> Term {
    let small = |t: Term| *t.op() != Op::And || t.args().len() <= 2;
    if a.is_const() || b.is_const() || a == b || a == b.not() || (small(a) && small(b)) {
        return a.and(b);
    }
    Term::make(Op::And, [a, b], Sort::Bool)
}

fn conjunction(ends: &[Term]) -> Term {
    ends.iter().rev().fold(Term::bool(true), |all, end| and(all, *end))
}

impl Drop for Node {
    /// Long lists are freed in a loop, not by recursion.
    fn drop(&mut self) {
        let mut next = self.before.0.take();
        while let Some(node) = next {
            match Rc::try_unwrap(node) {
                Ok(mut node) => next = node.before.0.take(),
                Err(_) => break,
            }
        }
    }
}
