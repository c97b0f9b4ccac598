//! Dominators and post-dominators of a control-flow automaton, by Lengauer and Tarjan with path compression:
//! O(m log n), no recursion.

use crate::cfa::{Cfa, NodeId};
use crate::graph::Predecessors;

const NONE: u32 = u32::MAX;

/// The dominator tree of the nodes that the entry reaches (of post-dominators: that reach the exit).
pub struct Dominators {
    idom: Vec<u32>,
    /// When a walk of the tree enters and leaves a node; 0 if unreachable.
    enters: Vec<u32>,
    leaves: Vec<u32>,
}

impl Dominators {
    pub fn of(cfa: &Cfa) -> Dominators {
        Dominators::from(cfa.node_count(), cfa.entry, |node| cfa.out(node).iter().map(|edge| edge.to))
    }

    /// The post-dominators of a graph with these steps: the dominators on all ways back from its exit. Steps
    /// are given one by one, so that an analysis can have others than its automaton has, and nodes of its own.
    pub fn post(
        node_count: u32,
        exit: NodeId,
        steps: impl Iterator<Item = (NodeId, NodeId)> + Clone,
    ) -> Dominators {
        let entering = Predecessors::of(node_count as usize, steps);
        Dominators::from(node_count, exit, |node| entering.of_vertex(node))
    }

    fn from<I: Iterator<Item = NodeId>>(
        node_count: u32,
        root: NodeId,
        successors: impl Fn(NodeId) -> I,
    ) -> Dominators {
        let search = Search::of(node_count, root, &successors);
        let by_number = immediate(&search, &successors);
        let mut idom = vec![NONE; node_count as usize];
        for (w, &dominator) in by_number.iter().enumerate().skip(1) {
            idom[search.order[w] as usize] = search.order[dominator as usize];
        }
        let (enters, leaves) = tree_walk(&search, &idom);
        Dominators { idom, enters, leaves }
    }

    /// The closest dominator besides the node itself; none for the entry and for unreachable nodes.
    pub fn immediate(&self, node: NodeId) -> Option<NodeId> {
        self.idom.get(node.0 as usize).filter(|&&d| d != NONE).map(|&d| NodeId(d))
    }

    /// Does every path from the entry to `b` (of post-dominators: from `b` to the exit) pass `a`? A node dominates itself; unreachable nodes have no
    /// part in it.
    pub fn dominates(&self, a: NodeId, b: NodeId) -> bool {
        let (a, b) = (a.0 as usize, b.0 as usize);
        self.is_reachable(NodeId(a as u32))
            && self.is_reachable(NodeId(b as u32))
            && self.enters[a] <= self.enters[b]
            && self.leaves[b] <= self.leaves[a]
    }

    pub fn is_reachable(&self, node: NodeId) -> bool {
        self.enters.get(node.0 as usize).is_some_and(|&time| time != 0)
    }
}

/// A depth-first search: nodes are numbered in the order of their discovery.
struct Search {
    number: Vec<u32>,
    order: Vec<u32>,
    /// By number, as a number.
    parent: Vec<u32>,
}

impl Search {
    fn of<I: Iterator<Item = NodeId>>(
        node_count: u32,
        root: NodeId,
        successors: &impl Fn(NodeId) -> I,
    ) -> Search {
        let mut search =
            Search { number: vec![NONE; node_count as usize], order: Vec::new(), parent: Vec::new() };
        let mut stack = Vec::new();
        search.discover(root, 0);
        stack.push((root, successors(root)));
        while let Some((node, rest)) = stack.last_mut() {
            let Some(to) = rest.next() else {
                stack.pop();
                continue;
            };
            if search.number[to.0 as usize] == NONE {
                let parent = search.number[node.0 as usize];
                search.discover(to, parent);
                stack.push((to, successors(to)));
            }
        }
        search
    }

    fn discover(&mut self, node: NodeId, parent: u32) {
        self.number[node.0 as usize] = self.order.len() as u32;
        self.order.push(node.0);
        self.parent.push(parent);
    }
}

/// The immediate dominator of each node, all by number.
fn immediate<I: Iterator<Item = NodeId>>(search: &Search, successors: &impl Fn(NodeId) -> I) -> Vec<u32> {
    let count = search.order.len();
    let mut preds = vec![Vec::new(); count];
    for (from, node) in (0..).zip(&search.order) {
        for to in successors(NodeId(*node)) {
            preds[search.number[to.0 as usize] as usize].push(from);
        }
    }
    let mut forest = Forest {
        ancestor: vec![NONE; count],
        label: (0..count as u32).collect(),
        semi: (0..count as u32).collect(),
        path: Vec::new(),
    };
    let mut bucket = vec![Vec::new(); count];
    let mut idom = vec![0; count];
    for w in (1..count).rev() {
        for &v in &preds[w] {
            let u = forest.eval(v);
            forest.semi[w] = forest.semi[w].min(forest.semi[u as usize]);
        }
        bucket[forest.semi[w] as usize].push(w);
        let parent = search.parent[w];
        forest.ancestor[w] = parent;
        for v in std::mem::take(&mut bucket[parent as usize]) {
            let u = forest.eval(v as u32);
            idom[v] = if forest.semi[u as usize] < forest.semi[v] { u } else { parent };
        }
    }
    for w in 1..count {
        if idom[w] != forest.semi[w] {
            idom[w] = idom[idom[w] as usize];
        }
    }
    idom
}

struct Forest {
    ancestor: Vec<u32>,
    /// The node of least `semi` between here and the ancestor.
    label: Vec<u32>,
    semi: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    fn eval(&mut self, v: u32) -> u32 {
        if self.ancestor[v as usize] == NONE {
            return v;
        }
        let mut x = v;
        while self.ancestor[self.ancestor[x as usize] as usize] != NONE {
            self.path.push(x);
            x = self.ancestor[x as usize];
        }
        while let Some(x) = self.path.pop() {
            let above = self.ancestor[x as usize] as usize;
            let (best, own) = (self.label[above], self.label[x as usize]);
            if self.semi[best as usize] < self.semi[own as usize] {
                self.label[x as usize] = best;
            }
            self.ancestor[x as usize] = self.ancestor[above];
        }
        self.label[v as usize]
    }
}

fn tree_walk(search: &Search, idom: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let (count, root) = (idom.len(), search.order[0]);
    let mut children = vec![Vec::new(); count];
    for &node in &search.order {
        if idom[node as usize] != NONE {
            children[idom[node as usize] as usize].push(node);
        }
    }
    let (mut enters, mut leaves) = (vec![0; count], vec![0; count]);
    let mut time = 1;
    let mut stack = vec![(root, 0)];
    enters[root as usize] = time;
    while let Some((node, next)) = stack.last_mut() {
        time += 1;
        if let Some(&child) = children[*node as usize].get(*next) {
            *next += 1;
            enters[child as usize] = time;
            stack.push((child, 0));
        } else {
            leaves[*node as usize] = time;
            stack.pop();
        }
    }
    (enters, leaves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::reachable;
    use crate::testing::{graph, graph_of};
    use proptest::prelude::*;

    /// The nodes that `root` reaches without `removed`.
    fn reached_without(cfa: &Cfa, root: NodeId, removed: Option<NodeId>) -> Vec<bool> {
        let successors = |node: NodeId| cfa.out(node).iter().map(|e| e.to).filter(|to| Some(*to) != removed);
        reachable(cfa.node_count() as usize, [root].into_iter().filter(|r| Some(*r) != removed), successors)
    }

    proptest! {
        #[test]
        fn dominators_are_what_paths_need(cfa in graph(12, 30)) {
            let dominators = Dominators::of(&cfa);
            let reached = reached_without(&cfa, cfa.entry, None);
            for a in cfa.nodes() {
                let without = reached_without(&cfa, cfa.entry, Some(a));
                for b in cfa.nodes() {
                    let expected = reached[a.0 as usize] && reached[b.0 as usize] && !without[b.0 as usize];
                    prop_assert_eq!(dominators.dominates(a, b), expected, "{} {}", a.0, b.0);
                }
                let strict: Vec<NodeId> =
                    cfa.nodes().filter(|&d| d != a && dominators.dominates(d, a)).collect();
                let closest = strict.iter().copied().find(|&d| strict.iter().all(|&c| dominators.dominates(c, d)));
                prop_assert_eq!(dominators.immediate(a), closest);
            }
        }
    }

    proptest! {
        #[test]
        fn post_dominators_are_what_ways_out_need(cfa in graph(12, 30)) {
            let steps = cfa.edges().iter().map(|e| (e.from, e.to));
            let post = Dominators::post(cfa.node_count(), cfa.exit, steps);
            for a in cfa.nodes() {
                for b in cfa.nodes() {
                    let leaves = |removed| reached_without(&cfa, b, removed)[cfa.exit.0 as usize];
                    prop_assert_eq!(post.dominates(a, b), leaves(None) && !leaves(Some(a)));
                }
            }
        }
    }

    #[test]
    fn long_chains_are_fast() {
        let edges: Vec<(u32, u32)> = (0..100_000).flat_map(|i| [(i, i + 1), (i + 1, i / 2)]).collect();
        let dominators = Dominators::of(&graph_of(100_001, &edges));
        assert!(dominators.dominates(NodeId(5), NodeId(100_000)));
        assert_eq!(dominators.immediate(NodeId(100_000)), Some(NodeId(99_999)));
    }
}
