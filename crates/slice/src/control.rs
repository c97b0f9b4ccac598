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
use ir::graph::{FAR, Predecessors, components, distances, reachable};
use ir::{Cfa, Dominators, EdgeId, FuncId, NodeId};

/// The part of a function from which a check can still be reached, as a graph.
pub struct Part<'a> {
    cfa: &'a Cfa,
    ahead: &'a Ahead<'a>,
    f: FuncId,
    /// By edge: where it leads; none if it does not start here, or if it does not count.
    targets: Vec<Option<NodeId>>,
    /// The heads of loops without an end; the node in front of the i-th is the i-th after those of the
    /// function.
    heads: Vec<NodeId>,
}

impl<'a> Part<'a> {
    pub fn of(cfa: &'a Cfa, reach: &Reach, ahead: &'a Ahead<'a>, f: FuncId) -> Part<'a> {
        let live = |node: NodeId| ahead.of_node(f, node);
        let targets = (0..).map(EdgeId).zip(cfa.edges()).map(|(id, edge)| {
            let stays = live(edge.to) && reach.passes(f, id);
            let taken = live(edge.from) && !ahead.is_avoided(cfa, f, id);
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
        if !cfa.nodes().any(|n| is_branch(cfa, n)) {
            return vec![Vec::new(); count as usize];
        }
        let dominators = Dominators::post(count, cfa.exit, self.steps());
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
        let count = self.node_count() as usize;
        let entering = Predecessors::of(count, self.steps());
        let distance = distances(count, [self.cfa.exit], |node| entering.of_vertex(node));
        self.targets.iter().map(|target| target.map_or(FAR, |node| distance[node.0 as usize])).collect()
    }

    fn node_count(&self) -> u32 {
        self.cfa.node_count() + self.heads.len() as u32
    }

    fn target(&self, edge: EdgeId) -> Option<NodeId> {
        self.targets[edge.0 as usize]
    }

    /// All edges, with those of the nodes in front of heads.
    fn steps(&self) -> impl Iterator<Item = (NodeId, NodeId)> + Clone {
        let own = self.cfa.edges().iter().zip(&self.targets).filter_map(|(e, to)| Some((e.from, (*to)?)));
        let front = (self.cfa.node_count()..).map(NodeId).zip(&self.heads);
        own.chain(front.flat_map(|(node, head)| [(node, *head), (node, self.cfa.exit)]))
    }

    /// The heads of loops that no edge leaves but those that executions do not get past.
    fn endless(&self, passes: impl Fn(EdgeId) -> bool) -> Vec<NodeId> {
        let count = self.cfa.node_count() as usize;
        let passing = (0..).map(EdgeId).zip(self.cfa.edges()).filter(|(id, _)| passes(*id));
        let entering = passing.filter_map(|(id, edge)| Some((edge.from, self.target(id)?)));
        let entering = Predecessors::of(count, entering);
        let before = |node: NodeId| entering.of_vertex(node);
        let mut ends = reachable(count, [self.cfa.exit], before);
        if self.cfa.nodes().all(|n| ends[n.0 as usize] || !self.live(n)) {
            return Vec::new();
        }
        // Those that others lead to come first; a component's first node is its head.
        let roots = self.cfa.nodes().filter(|n| self.live(*n));
        let next = |node| self.cfa.out_ids(node).filter_map(|id| self.target(id)).filter(|to| self.live(*to));
        let mut heads = Vec::new();
        for component in components(count, roots, next) {
            let head = component[0];
            let cyclic = component.len() > 1 || before(head).any(|from| from == head);
            if cyclic && !ends[head.0 as usize] {
                heads.push(head);
                let leading = reachable(count, [head], before);
                ends.iter_mut().zip(leading).for_each(|(end, leads)| *end |= leads);
            }
        }
        heads
    }
}
