//! From facts to a derivation: given ground facts that are said to be derivable, finds out how.
//!
//! A solver that refutes a system often tells which facts it used, but not by which clauses. Each fact is
//! derived by itself: some clause has an instance whose head is the fact and whose body is among the facts
//! derived before. No query is deeper than one clause, however deep the derivation is.

use crate::check::check_derivation;
use crate::instance::Instance;
use crate::system::{Atom, Derivation, System};
use base::Budget;
use logic::{Term, Value};
use smt::{SatResult, Settings, Solver, Z3Solver};

/// A derivation that uses these facts (atoms with constant arguments) only; None if there is none, or it is
/// not found.
pub fn derive_from(system: &System, facts: &[Atom], budget: &Budget) -> Option<Derivation> {
    system.check_form().ok()?;
    let mut solver = Z3Solver::new(Settings::default().budget(budget)).ok()?;
    let mut derived: Vec<Step> = Vec::new();
    let ground = |f: &&Atom| f.args.iter().all(|&a| Value::of(a).is_some());
    let mut open: Vec<&Atom> = facts.iter().filter(ground).collect();
    let mut steps = 0;
    loop {
        steps += 1;
        budget.check(steps).ok()?;
        // Is a query in reach?
        if let Some(root) = step(system, &mut solver, None, &derived) {
            let mut room = LARGEST;
            let derivation = tree(&root, &derived, &mut room)?;
            return check_derivation(system, &derivation).is_ok().then_some(derivation);
        }
        let before = derived.len();
        open.retain(|fact| match step(system, &mut solver, Some(fact), &derived) {
            Some(found) => {
                derived.push(found);
                false
            }
            None => true,
        });
        if derived.len() == before {
            return None;
        }
    }
}

/// A derivation repeats what it uses more than once; beyond this it is not written out.
const LARGEST: usize = 10_000;

/// A clause instance over facts derived before.
struct Step {
    fact: Option<Atom>,
    clause: usize,
    values: Vec<(Term, Term)>,
    body: Vec<usize>,
}

fn step(system: &System, solver: &mut Z3Solver, fact: Option<&Atom>, derived: &[Step]) -> Option<Step> {
    for (c, clause) in system.clauses.iter().enumerate() {
        if clause.head.as_ref().map(|h| h.pred) != fact.map(|f| f.pred) {
            continue;
        }
        let instance = Instance::new(system, c, fact, "!");
        let same = |atom: &Atom, step: &Step| match &step.fact {
            Some(fact) if fact.pred == atom.pred => {
                Term::all(atom.args.iter().zip(&fact.args).map(|(a, b)| a.equals(*b)))
            }
            _ => Term::bool(false),
        };
        let known = instance.body.iter().map(|atom| Term::any(derived.iter().map(|s| same(atom, s))));
        let formula = Term::all(known.chain([instance.constraint]));
        if formula.is_false() {
            continue;
        }
        solver.push();
        solver.assert(formula);
        let model = (solver.check(&[]) == SatResult::Sat).then(|| solver.model()).flatten();
        solver.pop();
        let Some(model) = model else { continue };
        let used = |atom: &Atom| derived.iter().position(|s| model.eval_bool(same(atom, s)) == Some(true));
        let body: Option<Vec<usize>> = instance.body.iter().map(used).collect();
        if let (Some(body), Some(values)) = (body, instance.values(&model)) {
            return Some(Step { fact: fact.cloned(), clause: c, values, body });
        }
    }
    None
}

fn tree(step: &Step, derived: &[Step], room: &mut usize) -> Option<Derivation> {
    *room = room.checked_sub(1)?;
    let children = step.body.iter().map(|&s| tree(&derived[s], derived, room)).collect::<Option<_>>()?;
    Some(Derivation { clause: step.clause, values: step.values.clone(), children })
}
