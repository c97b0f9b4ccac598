//! What a demand says about the variables that can be spoken of, case by case.
//!
//! A demand that depends on values from outside, or that is a large formula with many choices in it, is not a
//! good thing to say at an earlier point. A model of it is one of its cases: the literals that make it true
//! there. Of these, those that contradict the path up to the point are kept, as few as there need to be; then
//! the next model is asked for that is none of the cases so far. When there are no more, the cases together
//! are the demand, without what cannot be spoken of.

use super::shrink::{shrink, soon};
use crate::literals::literals;
use logic::{Op, Substitution, Term, Value, free_vars_of};
use rustc_hash::FxHashMap;
use smt::{Model, SatResult, Solver, Z3Solver};

/// With more cases than this they are made more general, by what is known of the path.
const FEW_CASES: usize = 5;
/// With more cases the demand is not one that a few predicates can say. What was found is then still worth
/// knowing.
const MOST_CASES: usize = 24;
/// Making a case smaller is worth this many checks.
const TRIES: usize = 12;
/// A variable has few values on a path if it has no more than this.
const FEW_VALUES: usize = 3;

/// The cases, each as a list. `path` contradicts the demand; None if the solver does not see that case by
/// case.
pub fn cover(path: &mut Z3Solver, demand: &[Term], known: &dyn Fn(Term) -> bool) -> Option<Vec<Vec<Term>>> {
    let mut search = Search { path, known, values: None };
    let (cases, all) = search.cases(demand, FEW_CASES)?;
    if all {
        return Some(cases);
    }
    search.values = Some(FxHashMap::default());
    search.cases(demand, MOST_CASES).map(|(cases, _)| cases)
}

struct Search<'s> {
    path: &'s mut Z3Solver,
    known: &'s dyn Fn(Term) -> bool,
    /// If cases are made more general: the values that variables have on the path, where these are few.
    values: Option<FxHashMap<Term, Option<Vec<Term>>>>,
}

impl Search<'_> {
    /// And whether these are all.
    fn cases(&mut self, demand: &[Term], most: usize) -> Option<(Vec<Vec<Term>>, bool)> {
        let mut alone = Z3Solver::beside(self.path, self.path.settings().clone()).ok()?;
        demand.iter().for_each(|t| alone.assert(*t));
        let mut cases: Vec<Vec<Term>> = Vec::new();
        while cases.len() < most {
            match alone.check(&[]) {
                SatResult::Unsat => return Some((cases, true)),
                SatResult::Sat => {}
                SatResult::Unknown(_) => return None,
            }
            let model = alone.model()?;
            let literals = literals(demand, &model)?;
            let mut case = self.said(&literals, &model)?;
            if let Some(general) = case.iter().find_map(|t| self.general(*t)) {
                case = general;
            }
            alone.assert(Term::all(case.iter().copied()).not());
            cases.push(case);
        }
        Some((cases, false))
    }

    /// What some of these literals say about known variables, and the path contradicts.
    fn said(&mut self, literals: &[Term], model: &Model) -> Option<Vec<Term>> {
        let (keep, hidden): (Vec<Term>, Vec<Term>) =
            free_vars_of(literals.iter().copied()).into_iter().partition(|v| (self.known)(*v));
        if hidden.is_empty() {
            return self.core(literals);
        }
        let projected = horn::abstraction::project(literals, &keep.into_iter().collect());
        if let Some(core) = self.core(&projected) {
            return Some(core);
        }
        // Not what they say for any value of the others then, but for those of the model.
        let values: Option<Vec<(Term, Term)>> =
            hidden.iter().map(|v| Some((*v, model.eval(*v).as_ref().map(Value::to_term)?))).collect();
        let mut by = Substitution::new(values?);
        let list: Vec<Term> = literals.iter().flat_map(|t| by.apply(*t).conjuncts()).collect();
        self.core(&list)
    }

    /// Few of them that the path contradicts.
    fn core(&mut self, list: &[Term]) -> Option<Vec<Term>> {
        let mut list: Vec<Term> = list.iter().copied().filter(|t| !t.is_true()).collect();
        list.sort();
        list.dedup();
        if self.path.check(&list) != SatResult::Unsat {
            return None;
        }
        let core = self.path.unsat_core();
        let tries = if core.len() > 1 { TRIES } else { 0 };
        Some(shrink(self.path, core, tries))
    }

    /// Of a variable that is some constant: that it is none of the few that it is on the path.
    fn general(&mut self, literal: Term) -> Option<Vec<Term>> {
        let (Op::Eq, &[a, b]) = (literal.op(), literal.args()) else { return None };
        let (variable, constant) = if a.is_var() { (a, b) } else { (b, a) };
        if !variable.is_var() || !constant.is_const() {
            return None;
        }
        let values = match self.values.as_ref()?.get(&variable) {
            Some(values) => values.clone(),
            None => {
                let values = self.on_path(variable);
                self.values.as_mut()?.insert(variable, values.clone());
                values
            }
        };
        Some(values?.into_iter().map(|value| variable.differs(value)).collect())
    }

    fn on_path(&mut self, variable: Term) -> Option<Vec<Term>> {
        let mut values: Vec<Term> = Vec::new();
        loop {
            let others: Vec<Term> = values.iter().map(|value| variable.differs(*value)).collect();
            match soon(self.path, &others) {
                SatResult::Unsat => return Some(values),
                SatResult::Sat if values.len() < FEW_VALUES => {
                    values.push(self.path.model()?.eval(variable)?.to_term());
                }
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::Sort;
    use logic::parse::{Scope, parse_term};

    /// The hidden variable is `h`; the cases, in any order.
    fn check(path: &str, demand: &str, expected: &[&[&str]]) {
        let mut scope = Scope::new();
        for name in ["x", "y", "h"] {
            scope.declare(name, &[], Sort::Int);
        }
        let read = |text: &str| parse_term(text, &scope).unwrap_or_else(|e| panic!("{text}: {e}"));
        let mut solver = Z3Solver::new(smt::Settings::default()).unwrap_or_else(|e| panic!("{e}"));
        solver.assert(read(path));
        let h = read("h");
        let mut found = cover(&mut solver, &[read(demand)], &|v| v != h).unwrap_or_default();
        let mut expected: Vec<Vec<Term>> =
            expected.iter().map(|case| case.iter().map(|t| read(t)).collect()).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{demand}");
    }

    #[test]
    fn cases_of_a_choice() {
        let state = "(ite (<= 1 h) (ite (= x 3) 4 (ite (= x 5) 6 7)) (ite (= x 8) 6 7))";
        check("(= x 3)", &format!("(= {state} 6)"), &[&["(= x 5)"], &["(= x 8)"]]);
        check("(= x 3)", "(and (<= h x) (<= 7 h))", &[&["(<= 7 x)"]]);
        // The demand cannot hold, whatever the path.
        check("(= x 3)", "(and (<= h 6) (<= 7 h))", &[]);
    }
}
