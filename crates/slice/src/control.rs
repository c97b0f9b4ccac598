//! Which branches decide whether a node is reached.
//!
//! Only the part of a function from which a check can still be reached is looked at; all ways out of it (a return, or a step
//! to where no check is ahead) lead to one place. A node depends on a branch if one side of it always leads to the node and the other
//! need not: the postdominance frontier. If nothing between a branch and its closest postdominator matters, the branch does not, and
//! stepping closer to the end at each such branch leads to the postdominator without going in circles.
//!
//! A part that never ends (a loop around a check) gets one artificial way out, at the node where the search of the
//! loop turns back. Any choice is right: a way out more only adds dependences.

use crate::ahead::Ahead;
use crate::reach::{Reach, is_branch, passable};
use ir::{Cfa, Dominators, Edge, FuncId, NodeId, Op, Pos};
use std::collections::VecDeque;

pub struct Control {
    /// By node: the branches it depends on.
    pub branches: Vec<Vec<NodeId>>,
}

impl Control {
    pub fn of(cfa: &Cfa, ahead: &Ahead, f: FuncId) -> Control {
        let part = Part { cfa, ahead, f };
        let mut back = part.back();
        back.extend(part.endless(&back).into_iter().map(|node| (cfa.exit, node)));
        let edge = |(from, to)| Edge { from, to, op: Op::Skip, pos: Pos::default() };
        let edges = back.into_iter().map(edge).collect();
        let dominators = Dominators::of(&Cfa::new(cfa.node_count(), cfa.exit, cfa.entry, edges));
        let mut branches: Vec<Vec<NodeId>> = vec![Vec::new(); cfa.node_count() as usize];
        for branch in cfa.nodes().filter(|&n| part.live(n) && is_branch(cfa, n)) {
            let end = dominators.immediate(branch);
            for edge in cfa.out(branch) {
                let mut node = Some(part.target(edge));
                while let Some(n) = node.filter(|_| node != end) {
                    if branches[n.0 as usize].last() != Some(&branch) {
                        branches[n.0 as usize].push(branch);
                    }
                    node = dominators.immediate(n);
                }
            }
        }
        Control { branches }
    }
}

/// The part of a function from which a check can still be reached.
pub struct Part<'a> {
    pub cfa: &'a Cfa,
    pub ahead: &'a Ahead,
    pub f: FuncId,
}

impl Part<'_> {
    pub fn live(&self, node: NodeId) -> bool {
        self.ahead.of_node(self.f, node)
    }

    /// By node: how many steps it is from the end of this part, artificial ways out included.
    pub fn distances(&self, reach: &Reach) -> Vec<u32> {
        let mut ends: Vec<NodeId> = self.cfa.nodes().filter(|&n| !self.live(n)).collect();
        // Nothing gets past a check of `false`: it is an end, too.
        ends.extend(
            self.cfa.edges().iter().filter(|e| self.live(e.from) && !passable(&e.op)).map(|e| e.from),
        );
        ends.extend(self.endless(&self.back()));
        distances(self.cfa, reach, self.f, ends, |n| self.live(n))
    }

    fn target(&self, edge: &Edge) -> NodeId {
        if self.live(edge.to) && passable(&edge.op) { edge.to } else { self.cfa.exit }
    }

    /// All edges, reversed.
    fn back(&self) -> Vec<(NodeId, NodeId)> {
        let edges = self.cfa.edges().iter().filter(|e| self.live(e.from));
        edges.map(|e| (self.target(e), e.from)).collect()
    }

    /// Nodes such that every live node reaches the exit or one of them.
    fn endless(&self, back: &[(NodeId, NodeId)]) -> Vec<NodeId> {
        let count = self.cfa.node_count() as usize;
        let mut entering = vec![Vec::new(); count];
        for &(to, from) in back {
            entering[to.0 as usize].push(from);
        }
        let mut reaches = vec![false; count];
        let mut mark = |start: NodeId| {
            let mut work = vec![start];
            let fresh = !reaches[start.0 as usize];
            while let Some(node) = work.pop() {
                if !std::mem::replace(&mut reaches[node.0 as usize], true) {
                    work.extend(&entering[node.0 as usize]);
                }
            }
            fresh
        };
        mark(self.cfa.exit);
        // The first node of a loop without an end that a search leaves has only ways back into the loop.
        postorder(self.cfa, |n| self.live(n)).into_iter().filter(|&node| mark(node)).collect()
    }
}

fn postorder(cfa: &Cfa, live: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
    let mut seen = vec![false; cfa.node_count() as usize];
    let mut order = Vec::new();
    let mut stack = Vec::new();
    // Behind a call that never returns, nodes may be live that the entry does not reach through live ones.
    for root in cfa.nodes() {
        if live(root) && !std::mem::replace(&mut seen[root.0 as usize], true) {
            stack.push((root, 0));
        }
        while let Some((node, next)) = stack.last_mut() {
            match cfa.out(*node).get(*next) {
                Some(edge) => {
                    *next += 1;
                    if live(edge.to) && !std::mem::replace(&mut seen[edge.to.0 as usize], true) {
                        stack.push((edge.to, 0));
                    }
                }
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
    }
    order
}

const FAR: u32 = u32::MAX;

/// By node: how many steps it is from one of `ends`, where all steps but the last are between nodes `within`.
pub fn distances(
    cfa: &Cfa,
    reach: &Reach,
    f: FuncId,
    ends: Vec<NodeId>,
    within: impl Fn(NodeId) -> bool,
) -> Vec<u32> {
    let mut distance = vec![FAR; cfa.node_count() as usize];
    let mut queue: VecDeque<NodeId> = ends.into();
    for node in &queue {
        distance[node.0 as usize] = 0;
    }
    while let Some(node) = queue.pop_front() {
        for &id in reach.entering(f, node) {
            let from = cfa.edge(id).from;
            if within(from) && distance[from.0 as usize] == FAR {
                distance[from.0 as usize] = distance[node.0 as usize] + 1;
                queue.push_back(from);
            }
        }
    }
    distance
}
