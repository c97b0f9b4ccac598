//! Which branches decide whether a node is reached.
//!
//! Only the part of a function from which a check can still be reached is looked at; all ways out of it (a
//! return, a step to where no check is ahead, a check that always fails) lead to one place, the end. A node
//! depends on a branch if one side of it always leads to the node and the other need not: the postdominance
//! frontier. If nothing between a branch and its closest postdominator matters, the branch does not, and
//! stepping closer to the end at each such branch leads to the postdominator without going in circles.
//!
//! That takes for granted that loops end, which is right for loops that are there to end. It is wrong for a
//! loop that only a failing check leaves (`for (;;) if (x == 4) error();`): there the question is just
//! whether it ever does. Such loops, like those that nothing leaves, get a way out that does not exist: a
//! node in front of their head that leads on to the head or to the end. A way out more only adds dependences.

use crate::ahead::Ahead;
use crate::reach::{Reach, is_branch};
use ir::{Cfa, Dominators, Edge, EdgeId, FuncId, NodeId, Op, Pos};
use std::collections::VecDeque;

/// The part of a function from which a check can still be reached, as a graph.
pub struct Part<'a> {
    cfa: &'a Cfa,
    ahead: &'a Ahead,
    f: FuncId,
    /// By edge: where it leads; none if it does not start here, or if it does not count.
    targets: Vec<Option<NodeId>>,
    /// The heads of loops without an end; the node in front of the i-th is the i-th after those of the
    /// function.
    heads: Vec<NodeId>,
}

impl<'a> Part<'a> {
    pub fn of(cfa: &'a Cfa, reach: &Reach, ahead: &'a Ahead, f: FuncId) -> Part<'a> {
        let live = |node: NodeId| ahead.of_node(f, node);
        let targets = (0..).map(EdgeId).zip(cfa.edges()).map(|(id, edge)| {
            let stays = live(edge.to) && reach.passes(f, id);
            let taken = live(edge.from) && !ahead.is_avoided(f, id);
            taken.then_some(if stays { edge.to } else { cfa.exit })
        });
        let mut part = Part { cfa, ahead, f, targets: targets.collect(), heads: Vec::new() };
        let ends = |id: EdgeId| reach.passes(f, id);
        part.heads = part.endless(ends);
        for (i, head) in part.heads.iter().enumerate() {
            for target in part.targets.iter_mut().filter(|target| **target == Some(*head)) {
                *target = Some(NodeId(cfa.node_count() + i as u32));
            }
        }
        part
    }

    pub fn live(&self, node: NodeId) -> bool {
        self.ahead.of_node(self.f, node)
    }

    /// By node: the branches that it depends on.
    pub fn branches(&self) -> Vec<Vec<NodeId>> {
        let (cfa, count) = (self.cfa, self.node_count());
        let edge =
            |(from, to): (NodeId, NodeId)| Edge { from: to, to: from, op: Op::Skip, pos: Pos::default() };
        let reversed = Cfa::new(count, cfa.exit, cfa.entry, self.steps().map(edge).collect());
        let dominators = Dominators::of(&reversed);
        let mut branches: Vec<Vec<NodeId>> = vec![Vec::new(); count as usize];
        for branch in cfa.nodes().filter(|&n| self.live(n) && is_branch(cfa, n)) {
            let end = dominators.immediate(branch);
            for id in cfa.out_ids(branch) {
                let mut node = self.target(id);
                while let Some(n) = node.filter(|_| node != end) {
                    if branches[n.0 as usize].last() != Some(&branch) {
                        branches[n.0 as usize].push(branch);
                    }
                    node = dominators.immediate(n);
                }
            }
        }
        branches
    }

    /// By edge: how many steps it is to the end behind it.
    pub fn distances(&self) -> Vec<u32> {
        let mut entering = vec![Vec::new(); self.node_count() as usize];
        for (from, to) in self.steps() {
            entering[to.0 as usize].push(from);
        }
        let distance = distances(&entering, vec![self.cfa.exit]);
        self.targets.iter().map(|target| target.map_or(FAR, |node| distance[node.0 as usize])).collect()
    }

    fn node_count(&self) -> u32 {
        self.cfa.node_count() + self.heads.len() as u32
    }

    fn target(&self, edge: EdgeId) -> Option<NodeId> {
        self.targets[edge.0 as usize]
    }

    /// All edges, with those of the nodes in front of heads.
    fn steps(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        let own = self.cfa.edges().iter().zip(&self.targets).filter_map(|(e, to)| Some((e.from, (*to)?)));
        let front = (self.cfa.node_count()..).map(NodeId).zip(&self.heads);
        own.chain(front.flat_map(|(node, head)| [(node, *head), (node, self.cfa.exit)]))
    }

    /// The heads of loops that no edge leaves but those that executions do not get past.
    fn endless(&self, passes: impl Fn(EdgeId) -> bool) -> Vec<NodeId> {
        let count = self.cfa.node_count() as usize;
        let mut entering = vec![Vec::new(); count];
        for (i, edge) in self.cfa.edges().iter().enumerate() {
            if let (Some(to), true) = (self.targets[i], passes(EdgeId(i as u32))) {
                entering[to.0 as usize].push(edge.from);
            }
        }
        let mut ends = vec![false; count];
        let mark = |start: NodeId, ends: &mut Vec<bool>| {
            let mut work = vec![start];
            while let Some(node) = work.pop() {
                if !std::mem::replace(&mut ends[node.0 as usize], true) {
                    work.extend(&entering[node.0 as usize]);
                }
            }
        };
        mark(self.cfa.exit, &mut ends);
        if self.cfa.nodes().all(|n| ends[n.0 as usize] || !self.live(n)) {
            return Vec::new();
        }
        // Strongly connected components after Kosaraju, those that lead to others first; a component's first
        // node is its head.
        let mut components = Vec::new();
        let mut seen = ends.clone();
        for head in self.postorder().into_iter().rev() {
            let mut size = 0;
            let mut work = vec![head];
            while let Some(node) = work.pop() {
                if !std::mem::replace(&mut seen[node.0 as usize], true) {
                    size += 1;
                    work.extend(&entering[node.0 as usize]);
                }
            }
            if size > 1 || size == 1 && entering[head.0 as usize].contains(&head) {
                components.push(head);
            }
        }
        let mut heads = Vec::new();
        for head in components.into_iter().rev() {
            if !ends[head.0 as usize] {
                heads.push(head);
                mark(head, &mut ends);
            }
        }
        heads
    }

    fn postorder(&self) -> Vec<NodeId> {
        let mut seen = vec![false; self.cfa.node_count() as usize];
        let mut order = Vec::new();
        let mut stack = Vec::new();
        for root in self.cfa.nodes() {
            if self.live(root) && !std::mem::replace(&mut seen[root.0 as usize], true) {
                stack.push((root, self.cfa.out_ids(root)));
            }
            while let Some((node, edges)) = stack.last_mut() {
                let Some(id) = edges.next() else {
                    order.push(*node);
                    stack.pop();
                    continue;
                };
                let next = self.target(id).filter(|to| self.live(*to));
                if let Some(next) = next.filter(|to| !std::mem::replace(&mut seen[to.0 as usize], true)) {
                    stack.push((next, self.cfa.out_ids(next)));
                }
            }
        }
        order
    }
}

const FAR: u32 = u32::MAX;

/// By node: how many steps it is from one of `ends`.
pub fn distances(entering: &[Vec<NodeId>], ends: Vec<NodeId>) -> Vec<u32> {
    let mut distance = vec![FAR; entering.len()];
    for node in &ends {
        distance[node.0 as usize] = 0;
    }
    let mut queue: VecDeque<NodeId> = ends.into();
    while let Some(node) = queue.pop_front() {
        for &from in &entering[node.0 as usize] {
            if distance[from.0 as usize] == FAR {
                distance[from.0 as usize] = distance[node.0 as usize] + 1;
                queue.push_back(from);
            }
        }
    }
    distance
}
