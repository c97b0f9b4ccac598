//! Ways: states with the conditions under which executions are in them, and what carries them on.

use super::super::Refused;
use super::super::variables::shared;
use crate::Flaw;
use encode::State;
use encode::block::Call;
use encode::names::is_auxiliary;
use encode::transition_system::Transition;
use logic::{Op, Substitution, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A state, and when an execution is in it.
#[derive(Clone)]
pub struct PathState {
    pub conditions: BTreeSet<Term>,
    pub state: State,
    /// What is returned.
    pub value: Option<Term>,
}

/// The caller's state behind a call: what the callee can change is what it left.
pub fn behind(
    pairs: &[(Term, Term)],
    transition: &Transition,
    call: &Call,
    left: PathState,
) -> Result<PathState, Refused> {
    let mut pairs: FxHashMap<Term, Term> = pairs.iter().copied().collect();
    for ((before, after), value) in shared(&call.before).zip(shared(&call.after)).zip(shared(&left.state)) {
        let (Some(after), Some(value)) = (after, value) else { continue };
        // The result may have been put there; it comes below.
        if before != Some(after) && is_auxiliary(after) && call.result != Some(after) {
            pairs.insert(after, value);
        }
    }
    if let (Some(result), Some(value)) = (call.result, left.value) {
        pairs.insert(result, value);
    }
    if pairs.iter().any(|(a, b)| a.sort() != b.sort()) {
        return Err(Flaw::Open("a call gives another sort than expected".to_owned()).into());
    }
    let state = applied(&mut Substitution::new(pairs), &transition.state);
    Ok(PathState { conditions: left.conditions, state, value: None })
}

pub fn applied(substitution: &mut Substitution, state: &State) -> State {
    State {
        locals: state.locals.iter().map(|t| t.map(|t| substitution.apply(t))).collect(),
        globals: state.globals.iter().map(|t| t.map(|t| substitution.apply(t))).collect(),
        memory: state.memory.iter().map(|t| substitution.apply(*t)).collect(),
        world: substitution.apply(state.world),
        allocations: substitution.apply(state.allocations),
        inputs: substitution.apply(state.inputs),
    }
}

/// A fact that says which constant a variable is.
pub fn defined(fact: Term) -> Option<(Term, Term)> {
    match (fact.op(), fact.args()) {
        (Op::Var(_), _) => Some((fact, Term::bool(true))),
        (Op::Not, [v]) if v.is_var() => Some((*v, Term::bool(false))),
        (Op::Eq, [a, b]) if a.is_var() && b.is_const() => Some((*a, *b)),
        (Op::Eq, [a, b]) if b.is_var() && a.is_const() => Some((*b, *a)),
        _ => None,
    }
}
