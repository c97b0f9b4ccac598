//! Terms that have few values: which these are, and what follows from it.
//!
//! State machines keep where they are in a variable that is one of some constants, by choices that go back
//! round after round. What such a variable can be, and what is computed from it, is a set of constants; a
//! condition that comes out the same for all of them is no condition. So branches fall away that only a
//! solver would see to be impossible, and the formulas of later rounds do not grow.
//!
//! A set holds all values that a term can have, whatever else holds. Variables have one if they are defined
//! by a term that has one.

use logic::{Op, Sort, Term, rebuild};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Sets with more values are not kept, and operations on more combinations of values are not tried.
const MOST: usize = 48;

/// Sorted, without repetitions.
type Values = Rc<[Term]>;

#[derive(Default)]
pub struct ConstantSet {
    /// Of terms that are no constants, as far as they were seen.
    values: FxHashMap<Term, Values>,
    done: FxHashMap<Term, Term>,
}

impl ConstantSet {
    /// From now on, the variable is this term, wherever it occurs.
    pub fn define(&mut self, variable: Term, term: Term) {
        let term = self.simplified(term);
        if let Some(values) = self.of(term) {
            self.values.insert(variable, values);
        }
    }

    /// The same value in every execution.
    pub fn simplified(&mut self, term: Term) -> Term {
        let mut stack = vec![(term, false)];
        while let Some((t, ready)) = stack.pop() {
            if t.args().is_empty() || self.done.contains_key(&t) {
                continue;
            }
            if matches!(t.op(), Op::Forall | Op::Exists) {
                self.done.insert(t, t);
            } else if ready {
                let args: Vec<Term> = t.args().iter().map(|a| self.known(*a)).collect();
                let new = if args[..] == *t.args() { t } else { rebuild(t, &args) };
                let new = joined(new).map_or(new, |joined| self.simplified_top(joined));
                let new = self.valued(t, &args, new);
                self.done.insert(t, new);
            } else {
                stack.push((t, true));
                stack.extend(t.args().iter().map(|a| (*a, false)));
            }
        }
        self.known(term)
    }

    /// The choices in a memory that was put together: between terms that are simplified.
    fn simplified_top(&mut self, memory: Term) -> Term {
        let (base, writes) = written(memory);
        writes.into_iter().rev().fold(base, |memory, (at, value)| {
            let value = match (value.op(), value.args()) {
                (Op::Ite, args) => self.valued(value, args, value),
                _ => value,
            };
            memory.store(at, value)
        })
    }

    fn known(&self, term: Term) -> Term {
        self.done.get(&term).copied().unwrap_or(term)
    }

    fn of(&self, term: Term) -> Option<Values> {
        if term.is_const() { Some(Rc::new([term])) } else { self.values.get(&term).cloned() }
    }

    /// Notes the values of `new`, which is the operation of `t` on these arguments. The one that it has, if
    /// there is only one.
    fn valued(&mut self, t: Term, args: &[Term], new: Term) -> Term {
        if new.is_const() || self.values.contains_key(&new) {
            return new;
        }
        let Some(values) = self.results(t, args) else { return new };
        match *values {
            [] => new,
            [value] => value,
            // Nothing new.
            _ if new.sort() == Sort::Bool => new,
            _ => {
                self.values.insert(new, values.into());
                new
            }
        }
    }

    fn results(&self, t: Term, args: &[Term]) -> Option<Vec<Term>> {
        let mut results: Vec<Term> = Vec::new();
        if let (Op::Ite, [_, then, otherwise]) = (t.op(), args) {
            results.extend(self.of(*then)?.iter().chain(self.of(*otherwise)?.iter()));
        } else {
            let sets: Vec<Values> = args.iter().map(|a| self.of(*a)).collect::<Option<_>>()?;
            let count = sets.iter().try_fold(1usize, |n, set| n.checked_mul(set.len()));
            if count.is_none_or(|n| n > MOST) {
                return None;
            }
            let mut choice = vec![0usize; sets.len()];
            loop {
                let chosen: Vec<Term> = sets.iter().zip(&choice).map(|(set, i)| set[*i]).collect();
                results.push(Some(rebuild(t, &chosen)).filter(|value| value.is_const())?);
                let Some(next) = (0..sets.len()).find(|i| choice[*i] + 1 < sets[*i].len()) else { break };
                choice[next] += 1;
                choice[..next].fill(0);
            }
        }
        results.sort();
        results.dedup();
        (results.len() <= MOST).then_some(results)
    }
}

/// What a memory was before it was written to, and the writes, the last one first.
pub fn written(memory: Term) -> (Term, Vec<(Term, Term)>) {
    let (mut base, mut writes) = (memory, Vec::new());
    while let (Op::Store, &[before, at, value]) = (base.op(), base.args()) {
        writes.push((at, value));
        base = before;
    }
    (base, writes)
}

/// A choice between two memories that differ in some cells, as one memory with choices in these cells. None
/// if it is not clear which addresses are the same.
fn joined(choice: Term) -> Option<Term> {
    let (Op::Ite, &[condition, then, otherwise]) = (choice.op(), choice.args()) else { return None };
    if !matches!(choice.sort(), Sort::Array(_)) {
        return None;
    }
    let ((base, first), (other, second)) = (written(then), written(otherwise));
    if base != other || first.len() + second.len() > MOST_CELLS {
        return None;
    }
    let mut cells: Vec<Term> = Vec::new();
    for (at, _) in first.iter().chain(&second) {
        if !cells.contains(at) {
            if cells.iter().any(|cell| !cell.equals(*at).is_false()) {
                return None;
            }
            cells.push(*at);
        }
    }
    let value = |writes: &[(Term, Term)], at: Term| {
        writes.iter().find(|(cell, _)| *cell == at).map_or_else(|| base.select(at), |(_, value)| *value)
    };
    Some(cells.iter().fold(base, |memory, at| {
        let (a, b) = (value(&first, *at), value(&second, *at));
        memory.store(*at, condition.ite(a, b))
    }))
}

const MOST_CELLS: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;
    use logic::parse::{Scope, parse_term};

    /// `s` is 3, 5 or 8; `w` is #x01 or #x04; `r` is `s` in another guise.
    fn check(term: &str, expected: &str) {
        let mut scope = Scope::new();
        for name in ["s", "r", "x"] {
            scope.declare(name, &[], Sort::Int);
        }
        scope.declare("w", &[], Sort::Bv(8));
        scope.declare("m", &[], Sort::array(Sort::Int, Sort::Int));
        for name in ["p", "q"] {
            scope.declare(name, &[], Sort::Bool);
        }
        let read = |text: &str| parse_term(text, &scope).unwrap_or_else(|e| panic!("{text}: {e}"));
        let mut few = ConstantSet::default();
        few.define(read("s"), read("(ite p 3 (ite q 5 8))"));
        few.define(read("w"), read("(ite q #x01 #x04)"));
        few.define(read("r"), read("(ite p (+ s 1) 7)"));
        assert_eq!(few.simplified(read(term)), read(expected), "{term}");
    }

    #[test]
    fn conditions_that_come_out_the_same() {
        check("(= s 4)", "false");
        check("(= s 5)", "(= s 5)");
        check("(<= s 8)", "true");
        check("(<= s 7)", "(<= s 7)");
        check("(= r 5)", "false");
        check("(= r 9)", "(= r 9)");
        check("(= (* s s) 25)", "(= (* s s) 25)");
        check("(= (* s s) 26)", "false");
        check("(bvult w #x05)", "true");
        check("(and p (= s 4))", "false");
        check("(ite (= s 4) x (+ x 1))", "(+ x 1)");
        check("(= (ite q s 6) 7)", "false");
        check("(= x 4)", "(= x 4)");
        check("(<= x s)", "(<= x s)");
    }

    #[test]
    fn memories_with_choices_in_their_cells() {
        check("(select (ite p (store m x 3) (store m x 4)) x)", "(ite p 3 4)");
        check("(= (select (ite p (store m x 3) (ite q (store m x 5) (store m x 4))) x) 6)", "false");
        check("(select (ite p (store m x 3) (store m (+ x 1) 4)) x)", "(ite p 3 (select m x))");
        // Perhaps the same cell.
        check("(ite p (store m x 3) (store m s 4))", "(ite p (store m x 3) (store m s 4))");
    }
}
