//! Contracts and invariants from a finished exploration.
//!
//! A function's activations i have entries E_i, and at each cut point states S_i. The contract requires that some E_i holds, and at every
//! point the invariant says of each i: if E_i held at the entry, some state of S_i holds now. That is inductive because each activation
//! is closed, and a call uses an activation of its callee whose entry covers it. The states of a loop's activation hold together with what
//! the loop cannot change of the state it was entered in.

use crate::model::Fragment;
use crate::reach::{ActivationId, Halt, How, Reach};
use ::engine::{Argument, Contract, Proof};
use biodivine_lib_bdd::Bdd;
use ir::{FuncId, NodeId};
use logic::Term;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

pub fn proof(reach: &mut Reach, sliced: bool) -> Result<Proof, Halt> {
    let mut by_function: BTreeMap<FuncId, Vec<ActivationId>> = BTreeMap::new();
    for (i, activation) in reach.activations.iter().enumerate() {
        if let Fragment::Function(f) = activation.fragment {
            by_function.entry(f).or_default().push(ActivationId(i as u32));
        }
    }
    let entered = entered_loops(reach);
    let mut contracts = Vec::new();
    for (function, list) in by_function {
        let mut requires = Vec::new();
        let mut ensures = Vec::new();
        let mut invariants: BTreeMap<NodeId, Vec<(Term, Term)>> = BTreeMap::new();
        for id in list {
            let entry = reach.activation(id).entry.clone();
            let entry = reach.predicates.formula(&entry);
            requires.push(entry);
            let held = reach.model.view(function)?.as_old().apply(entry);
            let exits: Vec<Bdd> = reach.activation(id).exits.iter().map(|e| e.state.clone()).collect();
            let exits = exits.iter().map(|e| reach.predicates.formula(e)).collect::<Vec<_>>();
            ensures.push(held.implies(Term::any(exits)));
            let mut states: BTreeMap<NodeId, Vec<Term>> = BTreeMap::new();
            let top = reach.predicates.top();
            collect(reach, id, &top, &entered, &mut states)?;
            for (cut, list) in states {
                invariants.entry(cut).or_default().push((held, Term::any(list)));
            }
        }
        let invariants = invariants
            .into_iter()
            .map(|(cut, list)| {
                // One of those that come here was entered.
                let entered = Term::any(list.iter().map(|(held, _)| *held));
                let states = list.iter().map(|(held, any)| held.implies(*any));
                (cut, Term::all(states.chain([entered])))
            })
            .collect();
        contracts.push(Contract {
            function,
            requires: Term::any(requires),
            ensures: Term::all(ensures),
            invariants,
        });
    }
    let slice = sliced.then(slice::Options::default);
    let argument = Argument::Contracts { mode: reach.model.whole.mode, contracts };
    Ok(Proof { slice, argument })
}

/// By activation: the loops entered from it, each with the node where that was.
type Entered = FxHashMap<ActivationId, Vec<(usize, ActivationId)>>;

fn entered_loops(reach: &Reach) -> Entered {
    let mut entered: Entered = FxHashMap::default();
    for (id, node, inner) in reach.loop_uses() {
        entered.entry(id).or_default().push((node, inner));
    }
    entered
}

fn collect(
    reach: &mut Reach,
    id: ActivationId,
    kept: &Bdd,
    entered: &Entered,
    states: &mut BTreeMap<NodeId, Vec<Term>>,
) -> Result<(), Halt> {
    let nodes: Vec<(NodeId, Bdd)> = reach
        .activation(id)
        .nodes
        .iter()
        // What is known where a loop is left was said inside of it.
        .filter(|n| !matches!(n.how, How::Left { .. }))
        .map(|n| (n.cut, n.state.and(kept)))
        .collect();
    for (cut, state) in nodes {
        let formula = reach.predicates.formula(&state);
        let list = states.entry(cut).or_default();
        if !list.contains(&formula) {
            list.push(formula);
        }
    }
    for &(node, inner) in entered.get(&id).map_or(&[][..], |list| list) {
        let fragment = reach.activation(inner).fragment;
        let at = &reach.activation(id).nodes[node].state;
        let within = reach.keep(fragment, at)?.and(kept);
        collect(reach, inner, &within, entered, states)?;
    }
    Ok(())
}
