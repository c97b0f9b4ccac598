//! A function's automaton while it is being rebuilt: nodes in any order, each with its origin, and the step
//! that makes a proper automaton of it.

use super::{Origin, Transformed};
use crate::cfa::{Cfa, Edge, EdgeId, NodeId};
use crate::graph::post_order;
use crate::program::{Body, Function, LocalId};

/// The nodes that the entry reaches, each before its successors except along edges that close a loop; of a
/// branch, the side where the condition holds comes first. The exit is the last, reached or not.
pub fn reverse_post_order(cfa: &Cfa) -> Vec<NodeId> {
    order(cfa.node_count(), cfa.entry, cfa.exit, |node| cfa.out(node).iter().rev().map(|edge| edge.to))
}

fn order<I: IntoIterator<Item = NodeId>>(
    count: u32,
    entry: NodeId,
    exit: NodeId,
    successors: impl FnMut(NodeId) -> I,
) -> Vec<NodeId> {
    let mut order = post_order(count as usize, [exit, entry], successors);
    order.reverse();
    order
}

pub(super) struct Graph {
    pub entry: NodeId,
    pub exit: NodeId,
    nodes: Vec<Origin<NodeId>>,
    edges: Vec<(Edge, Origin<EdgeId>)>,
}

impl Graph {
    /// All nodes of `cfa`, and none of its edges.
    pub fn with_nodes_of(cfa: &Cfa) -> Graph {
        Graph {
            entry: cfa.entry,
            exit: cfa.exit,
            nodes: cfa.nodes().map(Origin::Own).collect(),
            edges: Vec::with_capacity(cfa.edges().len()),
        }
    }

    pub fn node(&mut self, origin: Origin<NodeId>) -> NodeId {
        self.nodes.push(origin);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Edges of one node keep the order in which they come.
    pub fn edge(&mut self, edge: Edge, origin: Origin<EdgeId>) {
        self.edges.push((edge, origin));
    }

    /// `function` with this body. `heads` are nodes of the graph.
    pub fn finish(
        mut self,
        mut function: Function,
        locals: Vec<Origin<LocalId>>,
        heads: &[NodeId],
    ) -> Transformed {
        self.edges.sort_by_key(|(edge, _)| edge.from);
        let mut first = vec![0; self.nodes.len() + 1];
        for (edge, _) in &self.edges {
            first[edge.from.0 as usize + 1] += 1;
        }
        for n in 0..self.nodes.len() {
            first[n + 1] += first[n];
        }
        let order = order(self.nodes.len() as u32, self.entry, self.exit, |node| {
            let out = &self.edges[first[node.0 as usize]..first[node.0 as usize + 1]];
            out.iter().rev().map(|(edge, _)| edge.to)
        });
        let mut number = vec![None; self.nodes.len()];
        for (new, old) in (0..).map(NodeId).zip(&order) {
            number[old.0 as usize] = Some(new);
        }
        let mut kept: Vec<(Edge, Origin<EdgeId>)> = self
            .edges
            .into_iter()
            .filter_map(|(edge, origin)| {
                let (from, to) = (number[edge.from.0 as usize]?, number[edge.to.0 as usize]?);
                Some((Edge { from, to, ..edge }, origin))
            })
            .collect();
        kept.sort_by_key(|(edge, _)| edge.from);
        let (edges, edge_origins): (Vec<Edge>, Vec<Origin<EdgeId>>) = kept.into_iter().unzip();
        let exit = NodeId(order.len() as u32 - 1);
        function.body = Body::Defined(Cfa::new(order.len() as u32, NodeId(0), exit, edges));
        Transformed {
            function,
            nodes: order.iter().map(|node| self.nodes[node.0 as usize]).collect(),
            edges: edge_origins,
            locals,
            heads: heads.iter().filter_map(|head| number[head.0 as usize]).collect(),
        }
    }
}
