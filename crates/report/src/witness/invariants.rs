//! The invariants of a proof, as a correctness witness says them: at the loops of the source, over its
//! variables.

use super::expression::condition;
use super::kept::Kept;
use super::places::{LoopPlace, Places};
use super::scope::visible;
use super::{Invariant, InvariantKind};
use base::Span;
use engine::{Argument, Contract, Proof, Subject};
use ir::{Cfa, FuncId, LoopForest, NodeId, Program};
use logic::Term;

/// More would be read by nobody.
const MOST: usize = 10_000;

/// What a proof says about the loops of a program; nothing, if it says how deep executions go.
pub fn invariants(subject: &Subject, proof: &Proof, places: &Places) -> Vec<Invariant> {
    let mut list = Vec::new();
    match &proof.argument {
        Argument::Parts(parts) => parts.iter().for_each(|part| of_proof(subject, part, places, &mut list)),
        _ => of_proof(subject, proof, places, &mut list),
    }
    list.sort_by(|a, b| (&a.location, &a.value).cmp(&(&b.location, &b.value)));
    list.dedup();
    list.truncate(MOST);
    list
}

fn of_proof(subject: &Subject, proof: &Proof, places: &Places, list: &mut Vec<Invariant>) {
    let Argument::Contracts { contracts, .. } = &proof.argument else { return };
    let kept = proof.slice.as_ref().map(|checks| Kept::of(subject, checks));
    for contract in contracts {
        of_function(subject.program, contract, kept.as_ref(), places, list);
    }
}

fn of_function(
    program: &Program,
    contract: &Contract,
    kept: Option<&Kept>,
    places: &Places,
    list: &mut Vec<Invariant>,
) {
    let function = contract.function;
    let Some(f) = program.functions.get(function.0 as usize) else { return };
    let Some(cfa) = f.cfa() else { return };
    let forest = LoopForest::of(cfa);
    for (node, term) in &contract.invariants {
        let Some(id) = forest.headed_by(*node) else { continue };
        let looped = forest.get(id);
        // A loop with two entries has no one place where its rounds begin.
        if looped.irreducible || looped.entries.iter().any(|entry| entry != node) || term.is_false() {
            continue;
        }
        if kept.is_some_and(|kept| !kept.loop_is_kept(program, function, &forest, id)) {
            continue;
        }
        for place in at_head(program, cfa, *node, places) {
            list.extend(at_place(program, function, *term, kept, places, place));
        }
    }
}

/// The loops of the source whose rounds begin at a node.
fn at_head<'p>(program: &Program, cfa: &Cfa, node: NodeId, places: &'p Places) -> Vec<&'p LoopPlace> {
    let starts: Option<Vec<u32>> =
        cfa.out(node).iter().map(|edge| places.offset(program, edge.pos)).collect();
    let Some(starts) = starts.filter(|starts| !starts.is_empty()) else { return Vec::new() };
    let all: Vec<u32> = cfa.edges().iter().filter_map(|edge| places.offset(program, edge.pos)).collect();
    let has = |span: &Span, start: &u32| (span.lo..span.hi).contains(start);
    let within = |span: &Span| starts.iter().all(|start| has(span, start));
    let begins = |place: &&LoopPlace| match &place.condition {
        // A constant condition leaves no trace; the round then begins with the body.
        Some(condition) if all.iter().any(|start| has(condition, start)) => within(condition),
        _ => place.first.iter().any(within),
    };
    places.found.loops.iter().filter(begins).collect()
}

fn at_place(
    program: &Program,
    function: FuncId,
    term: Term,
    kept: Option<&Kept>,
    places: &Places,
    place: &LoopPlace,
) -> Option<Invariant> {
    let (kind, offset) = match place.is_do {
        // Its condition is evaluated elsewhere; the invariant is one of the beginning of its body.
        true => (InvariantKind::Location, place.first_item?),
        false => (InvariantKind::Loop, place.keyword),
    };
    let location = places.location(offset, Some(place.function))?;
    let variables = visible(program, function, places, place);
    let lookup = |name: &str| {
        let (text, ty, variable) = variables.get(name)?;
        let usable = kept.is_none_or(|kept| kept.variable_is_kept(function, *variable));
        usable.then(|| (text.clone(), *ty))
    };
    let value = condition(term, &lookup)?;
    Some(Invariant { kind, location, value })
}
