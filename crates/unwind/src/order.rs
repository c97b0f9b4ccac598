//! The order in which the nodes of a function are executed.
//!
//! A loop's nodes stand together, and everything behind a loop comes after all of it: so all ways out of a
//! loop, from all of its iterations, have arrived before what follows is executed, once.

use ir::graph::post_order_of;
use ir::{Cfa, Function, Liveness, LocalId, LoopForest, LoopId, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

pub struct Order {
    /// By node; nodes that the entry does not reach have the greatest number.
    pub position: Vec<u32>,
    pub node: Vec<NodeId>,
    pub loops: LoopForest,
    pub live: Liveness,
    /// Locals that may be read before they are set.
    pub unset: Vec<LocalId>,
    /// The loop that a node heads.
    pub heads: FxHashMap<NodeId, LoopId>,
}

impl Order {
    pub fn of(function: &Function, cfa: &Cfa) -> Order {
        let loops = LoopForest::of(cfa);
        let mut order = Order {
            position: vec![u32::MAX; cfa.node_count() as usize],
            node: Vec::new(),
            live: Liveness::of(cfa),
            unset: ir::transform::unset_locals(function),
            heads: loops.ids().map(|id| (loops.get(id).header, id)).collect(),
            loops,
        };
        order.arrange(cfa, None, cfa.entry);
        order
    }

    /// An edge back to the head of a loop around its source.
    pub fn is_back_edge(&self, from: NodeId, to: NodeId) -> Option<LoopId> {
        let id = *self.heads.get(&to)?;
        self.loops.contains(id, from).then_some(id)
    }

    /// The position behind a loop.
    pub fn end(&self, id: LoopId) -> u32 {
        let head = self.loops.get(id).header;
        self.position[head.0 as usize].saturating_add(self.loops.body(id).len() as u32)
    }

    /// Places the nodes of one loop (or of the function), inner loops as one piece each. Loops nest as deep
    /// as the source does.
    fn arrange(&mut self, cfa: &Cfa, around: Option<LoopId>, first: NodeId) {
        // A node stands for the outermost inner loop it is in, by its head.
        let piece = |order: &Order, node: NodeId| -> Option<NodeId> {
            let mut inner = order.loops.innermost(node);
            let mut last = None;
            while inner != around {
                let id = inner?;
                last = Some(id);
                inner = order.loops.get(id).parent;
            }
            Some(last.map_or(node, |id| order.loops.get(id).header))
        };
        let mut successors: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        let nodes: Vec<NodeId> = match around {
            Some(id) => self.loops.body(id).to_vec(),
            None => cfa.nodes().collect(),
        };
        for node in nodes {
            let Some(from) = piece(self, node) else { continue };
            for edge in cfa.out(node) {
                let Some(to) = piece(self, edge.to) else { continue };
                let leaves = around.is_some_and(|id| !self.loops.contains(id, edge.to));
                if to != from && to != first && !leaves {
                    successors.entry(from).or_default().push(to);
                }
            }
        }
        // Depth first; finished pieces, last first, are in order.
        let mut seen = FxHashSet::default();
        let successors = |node| successors.get(&node).into_iter().flatten().copied();
        let done = post_order_of([first], successors, |node| seen.insert(node));
        for node in done.into_iter().rev() {
            match self.heads.get(&node) {
                Some(&id) if Some(id) != around => {
                    self.arrange(cfa, Some(id), node);
                }
                _ => {
                    self.position[node.0 as usize] = self.node.len() as u32;
                    self.node.push(node);
                }
            }
        }
    }
}
