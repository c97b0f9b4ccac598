//! What makes an answer believed: a solution is checked clause by clause with a solver, a derivation by
//! evaluation alone.

use crate::system::{Clause, Derivation, Solution, System};
use crate::values::{Functions, Values};
use base::Budget;
use logic::{Term, Value, free_vars};
use smt::{SatResult, Settings, Solver, Strategy, Why, Z3Solver, one_shot};

/// Why a solution is not believed.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// The clause that it failed on; none if the solution is not even one in form.
    pub clause: Option<usize>,
    pub why: Flaw,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Flaw {
    /// The clause is wrong for these values of its variables.
    Wrong(Vec<(Term, Term)>),
    /// The solver could not tell.
    Unknown(String),
    Malformed(String),
}

/// Is every clause valid under the solution? Each is asked by itself; this is the only way a solution is
/// believed.
pub fn check_solution(system: &System, solution: &Solution, budget: &Budget) -> Result<(), Failure> {
    if let Err(reason) = system.check_form().and_then(|()| check_form(system, solution)) {
        return Err(Failure { clause: None, why: Flaw::Malformed(reason) });
    }
    let unknown =
        |clause: usize, reason: String| Failure { clause: Some(clause), why: Flaw::Unknown(reason) };
    for (number, clause) in system.clauses.iter().enumerate() {
        budget.check(number as u64).map_err(|stop| unknown(number, stop.to_string()))?;
        let mut violation: Vec<Term> = clause.body.iter().map(|a| solution.of(system, a)).collect();
        let conclusion = clause.head.as_ref().map_or(Term::bool(false), |a| solution.of(system, a));
        violation.extend([clause.constraint, conclusion.not()]);
        let settings = Settings::default().budget(budget);
        let (result, model) = match one_shot(&violation, &settings) {
            // What preprocessing made worse, the core may know.
            (SatResult::Unknown(Why::Incomplete(_)), _) => {
                let core = Z3Solver::new(settings.strategy(Strategy::Core));
                let mut core = core.map_err(|e| unknown(number, e.to_string()))?;
                violation.iter().for_each(|&t| core.assert(t));
                (core.check(&[]), core.model())
            }
            answer => answer,
        };
        match result {
            SatResult::Unsat => {}
            SatResult::Unknown(why) => return Err(unknown(number, why.to_string())),
            SatResult::Sat => {
                let value = |v: Term| Some((v, model.as_ref()?.eval(v)?.to_term()));
                let values = clause.vars().into_iter().filter_map(value).collect();
                return Err(Failure { clause: Some(number), why: Flaw::Wrong(values) });
            }
        }
    }
    Ok(())
}

/// A formula that mentions more than the parameters would mean something else in every clause.
fn check_form(system: &System, solution: &Solution) -> Result<(), String> {
    if solution.formulas.len() != system.preds.len() {
        return Err(format!("{} formulas for {} predicates", solution.formulas.len(), system.preds.len()));
    }
    for (pred, &formula) in system.preds.iter().zip(&solution.formulas) {
        if formula.sort() != logic::Sort::Bool {
            return Err(format!("the formula of {} is no formula", pred.name));
        }
        if let Some(v) = free_vars(formula).iter().find(|v| !pred.params.contains(v)) {
            return Err(format!("{v} in the formula of {} is no parameter", pred.name));
        }
    }
    Ok(())
}

/// Is this tree of clause instances a derivation of a contradiction? No solver is asked. The error says what
/// is wrong.
pub fn check_derivation(system: &System, derivation: &Derivation) -> Result<(), String> {
    system.check_form()?;
    let functions = Functions::of(derivation)?;
    let root = clause_of(system, derivation)?;
    if root.head.is_some() {
        return Err(format!("clause {} is no query", derivation.clause));
    }
    let mut stack = vec![derivation];
    while let Some(node) = stack.pop() {
        let (number, clause) = (node.clause, clause_of(system, node)?);
        check_values(node)?;
        let values = Values::new(&node.values, &functions);
        if values.eval(clause.constraint) != Some(Value::Bool(true)) {
            return Err(format!("the constraint of clause {number} does not hold"));
        }
        if node.children.len() != clause.body.len() {
            return Err(format!(
                "clause {number} has {} body atoms, not {}",
                clause.body.len(),
                node.children.len()
            ));
        }
        for (atom, child) in clause.body.iter().zip(&node.children) {
            let head = clause_of(system, child)?.head.as_ref();
            let Some(head) = head.filter(|h| h.pred == atom.pred && h.args.len() == atom.args.len()) else {
                return Err(format!("clause {} does not derive what clause {number} needs", child.clause));
            };
            check_values(child)?;
            let below = Values::new(&child.values, &functions);
            for (&needed, &derived) in atom.args.iter().zip(&head.args) {
                let (a, b) = (values.eval(needed), below.eval(derived));
                if a.is_none() || a != b {
                    let name = &system.pred(atom.pred).name;
                    return Err(format!(
                        "clause {number} needs another {name} than clause {} derives",
                        child.clause
                    ));
                }
            }
        }
        stack.extend(&node.children);
    }
    Ok(())
}

fn clause_of<'a>(system: &'a System, node: &Derivation) -> Result<&'a Clause, String> {
    system.clauses.get(node.clause).ok_or_else(|| format!("there is no clause {}", node.clause))
}

/// Every variable has one value, a constant of its sort.
fn check_values(node: &Derivation) -> Result<(), String> {
    let mut seen: rustc_hash::FxHashMap<Term, Term> = Default::default();
    for &(var, value) in &node.values {
        if Value::of(value).is_none() || value.sort() != var.sort() {
            return Err(format!("{value} is no value of {var}"));
        }
        if seen.insert(var, value).is_some_and(|old| old != value) {
            return Err(format!("{var} has two values"));
        }
    }
    Ok(())
}
