//! Loops of random graphs against their definition, and of graphs with a known answer.

use ir::dominators::Dominators;
use ir::loops::{LoopForest, LoopId};
use ir::testing::{graph, graph_of};
use ir::{Cfa, NodeId};
use proptest::prelude::*;
use std::collections::BTreeSet;

type Nodes = BTreeSet<NodeId>;

/// What `from` reaches inside `within`, by at least one edge.
fn reach(cfa: &Cfa, from: NodeId, within: &Nodes) -> Nodes {
    let mut found = Nodes::new();
    let mut work = vec![from];
    while let Some(node) = work.pop() {
        for edge in cfa.out(node) {
            if within.contains(&edge.to) && found.insert(edge.to) {
                work.push(edge.to);
            }
        }
    }
    found
}

/// The strongly connected sets that contain a cycle.
fn cyclic_components(cfa: &Cfa, within: &Nodes) -> BTreeSet<Nodes> {
    let mut components = BTreeSet::new();
    for &node in within {
        let forward = reach(cfa, node, within);
        if forward.contains(&node) {
            components
                .insert(forward.into_iter().filter(|&n| reach(cfa, n, within).contains(&node)).collect());
        }
    }
    components
}

fn check(cfa: &Cfa) {
    let forest = LoopForest::of(cfa);
    let mut reached = reach(cfa, cfa.entry, &cfa.nodes().collect());
    reached.insert(cfa.entry);
    let body = |id: LoopId| -> Nodes { forest.body(id).iter().copied().collect() };

    let headers: Nodes = forest.loops().iter().map(|l| l.header).collect();
    assert_eq!(headers.len(), forest.loops().len(), "one loop a header");
    let rest: Nodes = reached.difference(&headers).copied().collect();
    assert_eq!(cyclic_components(cfa, &rest), BTreeSet::new(), "without headers there are no cycles");

    // The definition: outermost loops are the cyclic components, inner loops those of the body without its
    // header.
    let bodies = |ids: &[LoopId]| -> BTreeSet<Nodes> { ids.iter().map(|&id| body(id)).collect() };
    let outermost: Vec<LoopId> = forest.ids().filter(|&id| forest.get(id).parent.is_none()).collect();
    assert_eq!(bodies(&outermost), cyclic_components(cfa, &reached));
    let dominators = Dominators::of(cfa);
    for id in forest.ids() {
        let l = forest.get(id);
        let nodes = body(id);
        assert_eq!(nodes.len(), forest.body(id).len(), "no node twice");
        assert_eq!(forest.body(id)[0], l.header);
        let mut inside = nodes.clone();
        inside.remove(&l.header);
        assert_eq!(bodies(&l.children), cyclic_components(cfa, &inside));
        assert!(l.children.iter().all(|&child| child > id && forest.get(child).parent == Some(id)));
        assert_eq!(l.depth, l.parent.map_or(0, |parent| forest.get(parent).depth) + 1);
        for node in cfa.nodes() {
            assert_eq!(forest.contains(id, node), nodes.contains(&node));
        }
        let edges = |keep: &dyn Fn(NodeId, NodeId) -> bool| -> Vec<u32> {
            let all = cfa.edges().iter().enumerate().filter(|(_, e)| reached.contains(&e.from));
            all.filter(|(_, e)| keep(e.from, e.to)).map(|(i, _)| i as u32).collect()
        };
        let ids = |list: &[ir::EdgeId]| -> Vec<u32> { list.iter().map(|e| e.0).collect() };
        assert_eq!(ids(&l.exits), edges(&|a, b| nodes.contains(&a) && !nodes.contains(&b)));
        assert_eq!(ids(&l.back_edges), edges(&|a, b| nodes.contains(&a) && b == l.header));
        let mut entries: Nodes = edges(&|a, b| !nodes.contains(&a) && nodes.contains(&b))
            .into_iter()
            .map(|i| cfa.edges()[i as usize].to)
            .collect();
        entries.extend(nodes.contains(&cfa.entry).then_some(cfa.entry));
        assert_eq!(l.entries, entries.iter().copied().collect::<Vec<_>>());
        assert!(entries.contains(&l.header), "the header is met first");
        assert_eq!(l.irreducible, entries.len() > 1);
        assert_eq!(!l.irreducible, nodes.iter().all(|&n| dominators.dominates(l.header, n)));
    }
    for node in cfa.nodes() {
        let around: Vec<LoopId> = forest.ids().filter(|&id| forest.contains(id, node)).collect();
        assert_eq!(forest.innermost(node), around.last().copied());
        assert_eq!(forest.depth(node), around.len() as u32);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn loops_of_random_graphs(cfa in graph(10, 24)) {
        check(&cfa);
    }
}

#[test]
fn loops_of_random_programs() {
    proptest!(ProptestConfig::with_cases(50), |(program in ir::testing::program())| {
        program.functions.iter().filter_map(|f| f.cfa()).for_each(check);
    });
}

/// Header, depth and irreducibility of each loop.
fn shape(count: u32, edges: &[(u32, u32)]) -> Vec<(u32, u32, bool)> {
    let cfa = graph_of(count, edges);
    check(&cfa);
    LoopForest::of(&cfa).loops().iter().map(|l| (l.header.0, l.depth, l.irreducible)).collect()
}

#[test]
fn known_graphs() {
    assert_eq!(shape(1, &[]), []);
    assert_eq!(shape(3, &[(0, 1), (1, 2)]), []);
    assert_eq!(shape(2, &[(0, 0), (0, 1)]), [(0, 1, false)]);
    // Two loops in a row, one inside another, one that nobody reaches.
    let edges = [(0, 1), (1, 2), (2, 2), (2, 1), (1, 3), (3, 4), (4, 3), (4, 5), (6, 6)];
    assert_eq!(shape(7, &edges), [(1, 1, false), (2, 2, false), (3, 1, false)]);
    // The smallest irreducible graph, and one with an irreducible loop inside a natural one.
    assert_eq!(shape(3, &[(0, 1), (0, 2), (1, 2), (2, 1)]), [(1, 1, true)]);
    let edges = [(0, 1), (1, 2), (1, 3), (2, 3), (3, 2), (3, 1), (1, 4)];
    assert_eq!(shape(5, &edges), [(1, 1, false), (2, 2, true)]);
}

#[test]
fn large_graphs_are_fast_and_need_no_stack() {
    const N: u32 = 100_000;
    // A chain, one huge loop, and loops nested as deep as there are nodes.
    let chain: Vec<(u32, u32)> = (0..N - 1).map(|i| (i, i + 1)).collect();
    assert_eq!(LoopForest::of(&graph_of(N, &chain)).loops().len(), 0);
    let mut ring = chain.clone();
    ring.push((N - 1, 0));
    assert_eq!(LoopForest::of(&graph_of(N, &ring)).body(LoopId(0)).len(), N as usize);
    let mut nested = chain.clone();
    nested.extend((0..N / 2).map(|i| (N - 1 - i, i)));
    let forest = LoopForest::of(&graph_of(N, &nested));
    assert_eq!(forest.depth(NodeId(N / 2)), N / 2);
    // Jumps into the middle of every nest, which made Havlak's own algorithm quadratic.
    let mut jumps = vec![(0, 1), (0, N / 2)];
    jumps.extend((1..N - 1).map(|i| (i, i + 1)));
    jumps.extend((1..N / 2).map(|i| (N - 1 - i, i)));
    let forest = LoopForest::of(&graph_of(N, &jumps));
    assert!(forest.loops().iter().all(|l| l.irreducible));
}
