//! Callees: which functions are the same in both versions.
//!
//! Along the call graph, bottom-up: functions whose fingerprints agree are the same; of the changed ones,
//! those that can be proved equivalent are the same too. Above them they are one uninterpreted function, so a
//! caller pays for its own change only.

use crate::prove::Links;
use crate::verdict::{Proof, ProofKind, Request};
use ir::{Body, CallGraph, FuncId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Are the compared functions the same program?
pub fn identical(request: &Request) -> bool {
    let plain =
        request.spec.post.is_none() && request.spec.input_equality == crate::spec::InputEquality::Assumed;
    let pair = request.pair;
    let [f, g] = request.functions;
    let main = &*pair.old.function(f).name == "main";
    let defined = pair.old.function(f).cfa().is_some() && pair.new.function(g).cfa().is_some();
    plain && defined && pair.same(f, g) && (!main || pair.same_from_start(f, g))
}

/// Decides for all common callees whether they are the same; `prove` is asked about changed ones.
pub fn links(request: &Request, prove: &mut dyn FnMut([FuncId; 2]) -> Option<Proof>) -> (Links, Vec<Proof>) {
    let pair = request.pair;
    let (old, new) = (pair.old, pair.new);
    let mut links = Links::default();
    let mut proofs = Vec::new();
    let pairs = pairs(request);
    let [graph, new_graph] = pair.graphs();
    let reachable: BTreeSet<FuncId> = graph.reachable(&[request.functions[0]]).into_iter().collect();
    let new_reachable: BTreeSet<FuncId> = new_graph.reachable(&[request.functions[1]]).into_iter().collect();
    let assumed: BTreeSet<(&str, &str)> =
        request.spec.assume_equivalent.iter().map(|(f, g)| (&**f, &**g)).collect();
    links.matched = pairs.iter().map(|(f, g)| (*f, *g)).collect();
    links.matched.insert((request.functions[0], request.functions[1]));
    // Recursion may have moved into a function of another name.
    let recursive = |program: &Program, graph: &CallGraph, reachable: &BTreeSet<FuncId>| -> Vec<FuncId> {
        reachable.iter().copied().filter(|f| graph.is_recursive(*f) && is_defined(program, *f)).collect()
    };
    let recursive = [recursive(old, graph, &reachable), recursive(new, new_graph, &new_reachable)];
    let alone = |f: &FuncId| pairs.get(f).is_none_or(|g| !recursive[1].contains(g));
    let left = |g: &FuncId| !recursive[0].iter().any(|f| pairs.get(f) == Some(g));
    for f in recursive[0].iter().filter(|f| alone(f)) {
        let fitting =
            recursive[1].iter().filter(|g| left(g) && old.function(*f).ret == new.function(**g).ret);
        links.matched.extend(fitting.map(|g| (*f, *g)));
    }
    for component in graph.components() {
        for &f in component {
            let Some(&g) = pairs.get(&f) else { continue };
            if f == request.functions[0] || !reachable.contains(&f) || !new_reachable.contains(&g) {
                continue;
            }
            let names = [old.function(f).name.to_string(), new.function(g).name.to_string()];
            let kind = if assumed.contains(&(&*names[0], &*names[1])) {
                Some(Proof { names: names.clone(), kind: ProofKind::Assumed, callees: Vec::new() })
            } else if !is_defined(old, f) || !is_defined(new, g) {
                None
            } else if pair.same(f, g) {
                Some(Proof { names: names.clone(), kind: ProofKind::Identical, callees: Vec::new() })
            } else if pair.same_signature(f, g) && !recursive_with(graph, f, request.functions[0]) {
                prove([f, g])
            } else {
                None
            };
            if let Some(proof) = kind {
                proofs.push(proof);
                links.same[0].insert(f, names[0].clone());
                links.same[1].insert(g, names[0].clone());
            }
        }
    }
    (links, proofs)
}

/// The functions that are not looked into.
pub fn kept(links: &Links) -> [BTreeSet<FuncId>; 2] {
    [0, 1].map(|i| links.same[i].keys().copied().collect())
}

/// Functions of the old version and their counterparts: by name, unless the user says otherwise.
fn pairs(request: &Request) -> BTreeMap<FuncId, FuncId> {
    let mut pairs = BTreeMap::new();
    let (old, new) = (request.pair.old, request.pair.new);
    for f in old.function_ids() {
        if let Some(g) = request.pair.successor(f) {
            pairs.insert(f, g);
        }
    }
    for (f, g) in request.spec.couple.iter().chain(&request.spec.assume_equivalent) {
        if let (Some(f), Some(g)) = (old.find_function(f), new.find_function(g)) {
            pairs.insert(f, g);
        }
    }
    pairs
}

fn is_defined(program: &Program, f: FuncId) -> bool {
    matches!(program.function(f).body, Body::Defined(_))
}

/// A function in a cycle with the compared one is part of the same proof.
fn recursive_with(graph: &CallGraph, f: FuncId, top: FuncId) -> bool {
    graph.component_of(f) == graph.component_of(top)
}
