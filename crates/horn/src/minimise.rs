//! The part of a solution that a proof needs, for people to read.
//!
//! A solution from a space of candidates says all that is true there. From the clauses without a head
//! backwards: what a proof of the clause uses of its body is needed, and what is needed of a predicate must
//! be proved for each clause that has it as its head, again with as little as possible. Unsatisfiable cores,
//! made smaller one by one, tell what is used.

use crate::system::{Atom, Solution, System};
use base::Budget;
use logic::{Op, Substitution, Term};
use smt::{SatResult, Settings, Solver, Strategy, Z3Solver};
use std::collections::BTreeSet;

/// A solution of the same system whose formulas are parts of the given ones. None if the solver did not get
/// there.
pub fn minimise(system: &System, solution: &Solution, budget: &Budget) -> Option<Solution> {
    let parts: Vec<Vec<Part>> = solution.formulas.iter().map(|&f| parts_of(f)).collect();
    let mut search = Search { system, parts, needed: vec![BTreeSet::new(); system.preds.len()], budget };
    // Clauses with what is to be shown of their head, as the number of a part.
    let queries = system.clauses.iter().enumerate().filter(|(_, c)| c.head.is_none());
    let mut goals: Vec<(usize, Option<usize>)> = queries.map(|(k, _)| (k, None)).collect();
    while let Some((k, part)) = goals.pop() {
        for (pred, new) in search.prove(k, part)? {
            if search.needed[pred].insert(new) {
                let heads = system.clauses.iter().enumerate();
                let heads = heads.filter(|(_, c)| c.head.as_ref().is_some_and(|h| h.pred.0 as usize == pred));
                goals.extend(heads.map(|(j, _)| (j, Some(new))));
            }
        }
    }
    let formula = |(parts, needed): (&Vec<Part>, &BTreeSet<usize>)| gathered(parts, needed);
    Some(Solution { formulas: search.parts.iter().zip(&search.needed).map(formula).collect() })
}

/// A conjunct, and the condition under which it is said to hold.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Part {
    condition: Term,
    conclusion: Term,
}

impl Part {
    fn term(self) -> Term {
        self.condition.implies(self.conclusion)
    }
}

struct Search<'s> {
    system: &'s System,
    parts: Vec<Vec<Part>>,
    needed: Vec<BTreeSet<usize>>,
    budget: &'s Budget,
}

impl Search<'_> {
    /// What a proof of one clause uses of its body, beyond what is needed already.
    fn prove(&mut self, k: usize, part: Option<usize>) -> Option<Vec<(usize, usize)>> {
        let clause = &self.system.clauses[k];
        let goal = match (part, &clause.head) {
            (Some(i), Some(head)) => self.instance(head, &[self.parts[head.pred.0 as usize][i]])[0],
            _ => Term::bool(false),
        };
        let settings = Settings::default().strategy(Strategy::Core).budget(self.budget);
        let mut solver = Z3Solver::new(settings).ok()?;
        solver.assert(clause.constraint);
        solver.assert(goal.not());
        let mut known = Vec::new();
        let mut open: Vec<((usize, usize), Term)> = Vec::new();
        for atom in &clause.body {
            let pred = atom.pred.0 as usize;
            for (i, term) in self.instance(atom, &self.parts[pred]).into_iter().enumerate() {
                match self.needed[pred].contains(&i) {
                    true => known.push(term),
                    false => open.push(((pred, i), term)),
                }
            }
        }
        known.into_iter().for_each(|t| solver.assert(t));
        if solver.check(&[]) == SatResult::Unsat {
            return Some(Vec::new());
        }
        // Short parts read better: the long ones only if nothing else will do.
        open.sort_by_key(|(_, t)| logic::size(*t));
        let all: Vec<Term> = open.iter().map(|(_, t)| *t).collect();
        let mut enough = 4;
        while solver.check(&all[..enough.min(all.len())]) != SatResult::Unsat {
            if enough >= all.len() {
                return None;
            }
            enough *= 2;
        }
        let mut core: Vec<Term> = solver.unsat_core();
        core.sort_by_key(|t| std::cmp::Reverse(logic::size(*t)));
        // One by one: what can be left out?
        let mut i = 0;
        while i < core.len() {
            self.budget.check(0).ok()?;
            let mut fewer = core.clone();
            fewer.remove(i);
            match solver.check(&fewer) {
                SatResult::Unsat => core = fewer,
                _ => i += 1,
            }
        }
        let of = |t: &Term| open.iter().find(|(_, term)| term == t).map(|(place, _)| *place);
        core.iter().map(of).collect()
    }

    fn instance(&self, atom: &Atom, parts: &[Part]) -> Vec<Term> {
        let params = self.system.pred(atom.pred).params.iter().copied();
        let mut by = Substitution::new(params.zip(atom.args.iter().copied()));
        parts.iter().map(|p| by.apply(p.term())).collect()
    }
}

/// The conjuncts of a formula; those behind a condition one by one.
fn parts_of(formula: Term) -> Vec<Part> {
    let mut parts = Vec::new();
    for conclusion in formula.conjuncts() {
        let plain = || (Term::bool(true), vec![conclusion]);
        let (condition, conclusions) = split(conclusion).unwrap_or_else(plain);
        parts.extend(conclusions.into_iter().map(|conclusion| Part { condition, conclusion }));
    }
    parts
}

/// A disjunction with one conjunction in it: the condition under which the conjuncts hold, and these.
fn split(part: Term) -> Option<(Term, Vec<Term>)> {
    if *part.op() != Op::Or {
        return None;
    }
    let (several, others): (Vec<Term>, Vec<Term>) =
        part.args().iter().copied().partition(|t| *t.op() == Op::And);
    let [conclusions] = several[..] else { return None };
    Some((Term::any(others).not(), conclusions.conjuncts()))
}

/// The conjunction of some parts; those behind the same condition together.
fn gathered(parts: &[Part], needed: &BTreeSet<usize>) -> Term {
    let mut conditions: Vec<(Term, Vec<Term>)> = Vec::new();
    for Part { condition, conclusion } in needed.iter().map(|&i| parts[i]) {
        match conditions.iter_mut().find(|(c, _)| *c == condition) {
            Some((_, conclusions)) => conclusions.push(conclusion),
            None => conditions.push((condition, vec![conclusion])),
        }
    }
    Term::all(conditions.into_iter().map(|(condition, list)| condition.implies(Term::all(list))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{check_solution, from_smtlib};
    use logic::Sort;

    #[test]
    fn only_what_is_needed_stays() {
        let text = "(set-logic HORN)(declare-fun p (Int Int Int) Bool)
            (assert (p 0 0 7))
            (assert (forall ((i Int) (j Int) (k Int)) (=> (and (p i j k) (< i 10)) (p (+ i 1) (+ j 1) k))))
            (assert (forall ((i Int) (j Int) (k Int)) (=> (and (p i j k) (> i j)) false)))";
        let system = from_smtlib(text).unwrap();
        let [i, j, k] = system.preds[0].params[..] else { panic!() };
        let (zero, seven) = (Term::int(0), Term::int(7));
        let all = [zero.int_le(i), zero.int_le(j), i.equals(j), k.equals(seven), i.int_le(Term::int(10))];
        let solution = Solution { formulas: vec![Term::all(all)] };
        let budget = Budget::unlimited();
        assert_eq!(check_solution(&system, &solution, &budget), Ok(()));
        let small = minimise(&system, &solution, &budget).unwrap();
        assert_eq!(small.formulas, [i.equals(j)]);
        assert_eq!(check_solution(&system, &small, &budget), Ok(()));
    }

    #[test]
    fn parts_behind_conditions_are_parts() {
        let [c, d] = ["c", "d"].map(|n| Term::var(n, Sort::Bool));
        let [x, y] = ["x", "y"].map(|n| Term::var(n, Sort::Int).equals(Term::int(1)));
        let formula = c.and(d).implies(x.and(y)).and(c);
        let parts = parts_of(formula);
        assert_eq!(parts.len(), 3);
        let together = gathered(&parts, &(0..parts.len()).collect());
        let differ = together.differs(formula);
        assert_eq!(smt::one_shot(&[differ], &Settings::default()).0, SatResult::Unsat);
    }
}
