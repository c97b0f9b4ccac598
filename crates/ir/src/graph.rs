//! Orders of directed graphs: what is reachable and how far away it is, post-orders, strongly connected
//! components. Graphs are given by their successors, so that automata, call graphs and parts of them need no
//! common representation. Nothing recurses, and every order follows that of roots and successors.

use crate::cfa::{Cfa, NodeId};
use crate::program::FuncId;
use std::collections::VecDeque;

/// What graphs are made of: numbered from 0.
pub trait Vertex: Copy {
    fn index(self) -> usize;
}

impl Vertex for NodeId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl Vertex for FuncId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl Vertex for usize {
    fn index(self) -> usize {
        self
    }
}

/// The distance of what cannot be reached.
pub const FAR: u32 = u32::MAX;

/// Marks a vertex; was it unmarked?
fn mark<V: Vertex>(seen: &mut [bool], v: V) -> bool {
    !std::mem::replace(&mut seen[v.index()], true)
}

/// The steps of a graph, by where they lead.
pub struct Predecessors<V> {
    /// `sources[first[v]..first[v + 1]]` lead to `v`.
    first: Vec<u32>,
    sources: Vec<V>,
}

impl<V: Vertex> Predecessors<V> {
    pub fn of(count: usize, steps: impl Iterator<Item = (V, V)> + Clone) -> Predecessors<V> {
        let mut first = vec![0u32; count + 1];
        steps.clone().for_each(|(_, to)| first[to.index() + 1] += 1);
        for v in 0..count {
            first[v + 1] += first[v];
        }
        let mut next = first.clone();
        let mut sources: Vec<V> = steps.clone().map(|(from, _)| from).collect();
        for (from, to) in steps {
            sources[next[to.index()] as usize] = from;
            next[to.index()] += 1;
        }
        Predecessors { first, sources }
    }

    /// In the order of the steps.
    pub fn of_vertex(&self, v: V) -> impl Iterator<Item = V> + '_ {
        let (start, end) = (self.first[v.index()], self.first[v.index() + 1]);
        self.sources[start as usize..end as usize].iter().copied()
    }
}

/// By vertex: can it be reached from a root? Roots can.
pub fn reachable<V: Vertex, I: IntoIterator<Item = V>>(
    count: usize,
    roots: impl IntoIterator<Item = V>,
    mut successors: impl FnMut(V) -> I,
) -> Vec<bool> {
    let mut seen = vec![false; count];
    let mut work: Vec<V> = roots.into_iter().collect();
    while let Some(v) = work.pop() {
        if mark(&mut seen, v) {
            work.extend(successors(v));
        }
    }
    seen
}

/// By vertex: the least number of steps from a root.
pub fn distances<V: Vertex, I: IntoIterator<Item = V>>(
    count: usize,
    roots: impl IntoIterator<Item = V>,
    mut successors: impl FnMut(V) -> I,
) -> Vec<u32> {
    let mut distance = vec![FAR; count];
    let mut queue: VecDeque<V> = roots.into_iter().collect();
    queue.iter().for_each(|v| distance[v.index()] = 0);
    while let Some(v) = queue.pop_front() {
        for to in successors(v) {
            if distance[to.index()] == FAR {
                distance[to.index()] = distance[v.index()] + 1;
                queue.push_back(to);
            }
        }
    }
    distance
}

/// What the roots reach, each vertex after its successors except along edges that close a cycle.
pub fn post_order<V: Vertex, I: IntoIterator<Item = V>>(
    count: usize,
    roots: impl IntoIterator<Item = V>,
    successors: impl FnMut(V) -> I,
) -> Vec<V> {
    let mut seen = vec![false; count];
    post_order_of(roots, successors, |v| mark(&mut seen, v))
}

/// A post-order of a small part of a graph: `discover` says whether it is asked for a vertex for the first
/// time.
pub fn post_order_of<V: Copy, I: IntoIterator<Item = V>>(
    roots: impl IntoIterator<Item = V>,
    mut successors: impl FnMut(V) -> I,
    mut discover: impl FnMut(V) -> bool,
) -> Vec<V> {
    let mut finished = Vec::new();
    let mut stack = Vec::new();
    for root in roots {
        if discover(root) {
            stack.push((root, successors(root).into_iter()));
        }
        while let Some((v, rest)) = stack.last_mut() {
            match rest.next() {
                Some(to) if discover(to) => stack.push((to, successors(to).into_iter())),
                Some(_) => {}
                None => {
                    finished.push(*v);
                    stack.pop();
                }
            }
        }
    }
    finished
}

/// By node: its position in a reverse post-order of what the entry reaches; [`FAR`] for all others.
pub fn reverse_post_order_positions(cfa: &Cfa) -> Vec<u32> {
    let order = post_order(cfa.node_count() as usize, [cfa.entry], |node| cfa.out(node).iter().map(|e| e.to));
    let mut position = vec![FAR; cfa.node_count() as usize];
    for (i, node) in (0..).zip(order.iter().rev()) {
        position[node.index()] = i;
    }
    position
}

/// Strongly connected components, each after all that it leads to: Tarjan's algorithm. The first of a
/// component is the one that was discovered first.
pub fn components<V: Vertex, I: IntoIterator<Item = V>>(
    count: usize,
    vertices: impl IntoIterator<Item = V>,
    mut successors: impl FnMut(V) -> I,
) -> Vec<Vec<V>> {
    const UNSEEN: u32 = u32::MAX;
    let mut components = Vec::new();
    let mut number = vec![UNSEEN; count];
    let mut low = vec![0; count];
    // On the path: discovered, and not in a component yet.
    let mut open = vec![false; count];
    let mut path: Vec<V> = Vec::new();
    let mut stack = Vec::new();
    let mut found = 0;
    for root in vertices {
        let mut discovered = (number[root.index()] == UNSEEN).then_some(root);
        loop {
            if let Some(v) = discovered.take() {
                (number[v.index()], low[v.index()]) = (found, found);
                found += 1;
                open[v.index()] = true;
                path.push(v);
                stack.push((v, successors(v).into_iter()));
            }
            let Some((v, rest)) = stack.last_mut() else { break };
            let v = *v;
            if let Some(to) = rest.next() {
                if number[to.index()] == UNSEEN {
                    discovered = Some(to);
                } else if open[to.index()] {
                    low[v.index()] = low[v.index()].min(number[to.index()]);
                }
                continue;
            }
            stack.pop();
            if let Some((before, _)) = stack.last() {
                low[before.index()] = low[before.index()].min(low[v.index()]);
            }
            if low[v.index()] == number[v.index()] {
                let start = path.iter().rposition(|w| w.index() == v.index()).unwrap_or(0);
                let component: Vec<V> = path.drain(start..).collect();
                component.iter().for_each(|w| open[w.index()] = false);
                components.push(component);
            }
        }
    }
    components
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::graph;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn orders_agree_with_reachability(cfa in graph(10, 20)) {
            let count = cfa.node_count() as usize;
            let next = |v: NodeId| cfa.out(v).iter().map(|e| e.to);
            let reach: Vec<Vec<bool>> = cfa.nodes().map(|v| reachable(count, [v], next)).collect();
            let mutual = |a: NodeId, b: NodeId| reach[a.index()][b.index()] && reach[b.index()][a.index()];
            let components = components(count, cfa.nodes(), next);
            prop_assert_eq!(components.iter().map(Vec::len).sum::<usize>(), count);
            for (i, component) in components.iter().enumerate() {
                for &v in component {
                    prop_assert!(mutual(v, component[0]));
                    // Nothing that comes later is below.
                    let later = components[i + 1..].iter().flatten();
                    prop_assert!(later.clone().all(|&w| !reach[v.index()][w.index()]));
                }
            }
            let order = post_order(count, [cfa.entry], next);
            let place = |v: NodeId| order.iter().position(|w| *w == v);
            for v in cfa.nodes() {
                prop_assert_eq!(place(v).is_some(), reach[cfa.entry.index()][v.index()]);
                for to in next(v).filter(|to| place(v).is_some() && !mutual(v, *to)) {
                    prop_assert!(place(to) < place(v));
                }
            }
            let distance = distances(count, [cfa.entry], next);
            for v in cfa.nodes() {
                prop_assert_eq!(distance[v.index()] != FAR, reach[cfa.entry.index()][v.index()]);
                for to in next(v).filter(|_| distance[v.index()] != FAR) {
                    prop_assert!(distance[to.index()] <= distance[v.index()] + 1);
                }
            }
        }
    }
}
