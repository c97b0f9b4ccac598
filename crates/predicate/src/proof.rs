//! Contracts and invariants from a finished exploration.
//!
//! A function's instances i have entries E_i, and at each cut point states S_i. The contract requires that
//! some E_i holds, and at every point the invariant says of each i: if E_i held at the entry, some state of
//! S_i holds now. That is inductive because each instance is closed, and a call uses an instance of its
//! callee whose entry covers it. The states of a loop's instance hold together with what the loop cannot
//! change of the state it was entered in.

use crate::model::Fragment;
use crate::reachability::{Halt, How, InstanceId, ReachabilityGraph};
use ::engine::{Argument, Contract, Proof, Task};
use biodivine_lib_bdd::Bdd;
use ir::{FuncId, NodeId};
use logic::Term;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// One instance of a function, for its contract.
struct Piece {
    entry: Bdd,
    exits: Vec<Bdd>,
    states: Vec<(NodeId, Bdd)>,
}

pub fn proof(reach: &mut ReachabilityGraph, task: &Task) -> Result<Proof, Halt> {
    let mut pieces: BTreeMap<FuncId, Vec<Piece>> = BTreeMap::new();
    let mut below: FxHashSet<FuncId> = FxHashSet::default();
    for i in 0..reach.instances.len() as u32 {
        let id = InstanceId(i);
        let instance = reach.instance(id);
        // What a summary from an earlier run rests on: all summaries of what it calls. If that is not the
        // same any more, it has been asked for.
        if instance.hole.is_some_and(|hole| reach.inherited[hole].assumed.is_empty()) {
            let callees = match instance.fragment {
                Fragment::Function(f) => reach.model.system.graph.callees(f).to_vec(),
                Fragment::Loop(f, _) => reach.model.system.graph.callees(f).to_vec(),
            };
            below.extend(reach.model.system.graph.reachable(&callees));
        }
        if let Fragment::Function(f) = instance.fragment {
            let (entry, exits) = (instance.entry.clone(), instance.exits.iter().map(|e| e.state.clone()));
            let exits = exits.collect();
            let states = states(reach, id)?;
            pieces.entry(f).or_default().push(Piece { entry, exits, states });
        }
    }
    for summary in &reach.inherited {
        if let Fragment::Function(f) = summary.fragment
            && below.contains(&f)
            && summary.assumed.is_empty()
        {
            let exits = summary.exits.iter().map(|(_, state)| state.clone()).collect();
            let (entry, states) = (summary.entry.clone(), summary.states.clone());
            pieces.entry(f).or_default().push(Piece { entry, exits, states });
        }
    }
    let mut contracts = Vec::new();
    for (function, list) in pieces {
        contracts.push(contract(reach, function, &list)?);
    }
    let slice = task.subject.viewed(task.settings.slice);
    let argument = Argument::Contracts { mode: reach.model.system.mode, contracts };
    Ok(Proof { slice, argument })
}

fn contract(reach: &mut ReachabilityGraph, function: FuncId, list: &[Piece]) -> Result<Contract, Halt> {
    let model = reach.model;
    let mut as_old = model.view(function)?.as_old();
    let mut requires = Vec::new();
    let mut ensures = Vec::new();
    let mut entries = Vec::new();
    let mut invariants: BTreeMap<NodeId, Vec<(Term, Term)>> = BTreeMap::new();
    for piece in list {
        let entry = reach.predicates.formula(&piece.entry);
        requires.push(entry);
        let held = as_old.apply(entry);
        entries.push(held);
        let exits: Vec<Term> = piece.exits.iter().map(|e| reach.predicates.formula(e)).collect();
        ensures.push(held.implies(Term::any(exits)));
        let mut states: BTreeMap<NodeId, Vec<Term>> = BTreeMap::new();
        for (cut, state) in &piece.states {
            states.entry(*cut).or_default().push(reach.predicates.formula(state));
        }
        for (cut, list) in states {
            invariants.entry(cut).or_default().push((held, Term::any(list)));
        }
    }
    let mentioned: Vec<Term> = reach.old_variables(function)?.into_iter().map(|(_, old)| old).collect();
    let mut all = Vec::new();
    for (cut, list) in invariants {
        // One of those that come here was entered.
        let entered = Term::any(list.iter().map(|(held, _)| *held));
        // Where an instance never comes, its entry cannot have held.
        let never = entries.iter().filter(|held| !list.iter().any(|(other, _)| other == *held));
        let states = list.iter().map(|(held, any)| held.implies(*any)).chain(never.map(|held| held.not()));
        let same = model.identities(function, cut, &mentioned)?;
        let facts = [entered, model.ranges_at(function, cut)?].into_iter().chain(same);
        all.push((cut, Term::all(states.chain(facts))));
    }
    let entry = model.ranges_at(function, model.entry_node(function))?;
    Ok(Contract {
        function,
        requires: Term::any(requires).and(entry),
        ensures: Term::all(ensures).and(model.ranges_at_exit(function)?),
        invariants: all,
    })
}

/// What is known at the cut points of an instance, in its loops, too.
pub fn states(reach: &ReachabilityGraph, id: InstanceId) -> Result<Vec<(NodeId, Bdd)>, Halt> {
    let mut found = Vec::new();
    let entered = reach.loop_uses();
    collect(reach, id, &reach.predicates.top(), &entered, &mut found)?;
    Ok(found)
}

fn collect(
    reach: &ReachabilityGraph,
    id: InstanceId,
    kept: &Bdd,
    entered: &[(InstanceId, usize, InstanceId)],
    found: &mut Vec<(NodeId, Bdd)>,
) -> Result<(), Halt> {
    let instance = reach.instance(id);
    let mut add = |cut: NodeId, state: Bdd| {
        if !found.iter().any(|(other, s)| *other == cut && *s == state) {
            found.push((cut, state));
        }
    };
    if let Some(hole) = instance.hole {
        for (cut, state) in &reach.inherited[hole].states {
            add(*cut, state.and(kept));
        }
        return Ok(());
    }
    // What is known where a loop is left was said inside of it.
    for node in instance.nodes.iter().filter(|n| !matches!(n.how, How::Left { .. })) {
        add(node.cut, node.state.and(kept));
    }
    for &(_, node, inner) in entered.iter().filter(|(outer, ..)| *outer == id) {
        let fragment = reach.instance(inner).fragment;
        let within = reach.keep(fragment, &instance.nodes[node].state)?.and(kept);
        collect(reach, inner, &within, entered, found)?;
    }
    Ok(())
}
