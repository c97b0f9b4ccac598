//! The canonical form of one fragment: an order of its nodes, edges, locals and symbols that depends only on what
//! the fragment does.
//!
//! - **Skips vanish.** A node whose only edge is a skip is the node that the skip leads to. A cycle of skips is one
//!   node that never leaves: the execution hangs there, whatever the length of the cycle.
//! - **Nodes** are numbered depth first from the entry (a function's entry, a loop's header), a branch's true edge
//!   before its false edge. What is not reachable has no number.
//! - **Edges** are listed node by node, in that order.
//! - **Locals** are numbered by first use along the edges. In a function the parameters come first, in their order,
//!   used or not. In a loop all locals, parameters included, are numbered by first use in the loop and by nothing
//!   else: a loop that is cut out of one function and pasted into another keeps its canonical form.
//! - **Symbols**, the functions and globals that are named, are listed by first use.
//! - A loop's **exits** are the nodes that its edges lead to when they leave its body, by first use. An inner loop's
//!   exit can be its own header, when the loop around it has nothing but skips in between.
//!
//! To carry a fact over from an old fragment to a new one with the same [`Canonical::shape`], translate its
//! variables, nodes and edges by their positions: the old local `old.locals[i]` is the new local `new.locals[i]`,
//! and so for `nodes`, `edges`, `exits` and `symbols`.

use super::encode::Encoder;
use super::{Fingerprint, Symbol};
use crate::cfa::{Cfa, Edge, EdgeId, NodeId, Op};
use crate::loops::{LoopForest, LoopId};
use crate::program::{Body, FuncId, Function, LocalId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A fragment in canonical form. `shape` covers all of it but the identity of the symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Canonical {
    pub shape: Fingerprint,
    /// One node of the automaton for each canonical node.
    pub nodes: Vec<NodeId>,
    /// All edges of these nodes; none is a lone skip.
    pub edges: Vec<EdgeId>,
    pub locals: Vec<LocalId>,
    pub symbols: Vec<Symbol>,
    /// The functions among the symbols that are called by name, by first call.
    pub callees: Vec<FuncId>,
    /// Where a loop's edges lead when they leave it; empty for functions.
    pub exits: Vec<NodeId>,
    node_index: FxHashMap<NodeId, u32>,
    local_index: FxHashMap<LocalId, u32>,
}

impl Canonical {
    /// The canonical form of a function with a body; others have no nodes, and their shape is their signature.
    pub fn function(function: &Function) -> Canonical {
        let mut out = Encoder::new(&function.locals);
        out.byte(match &function.body {
            Body::Defined(_) => 0,
            Body::Extern => 1,
            Body::Poisoned { .. } => 2,
        });
        out.optional_ty(function.ret);
        out.byte(function.variadic as u8);
        out.number(function.params);
        for param in 0..function.params.min(function.locals.len() as u32) {
            out.local(LocalId(param));
        }
        match &function.body {
            Body::Defined(cfa) => {
                let skips = Skips::new(cfa);
                Order::new(cfa, &skips, cfa.entry, None).write(out, cfa, &skips, None, cfa.nodes())
            }
            Body::Extern => finish(out, Order::default(), Vec::new(), Vec::new()),
            Body::Poisoned { reason, .. } => {
                out.bytes.extend_from_slice(reason.as_bytes());
                finish(out, Order::default(), Vec::new(), Vec::new())
            }
        }
    }

    /// The canonical form of a loop of a function with this body.
    pub fn loop_(
        function: &Function,
        cfa: &Cfa,
        skips: &Skips,
        forest: &LoopForest,
        id: LoopId,
    ) -> Canonical {
        let (loop_, body) = (forest.get(id), forest.body(id));
        let inside: FxHashSet<NodeId> = body.iter().copied().collect();
        let order = Order::new(cfa, skips, loop_.header, Some(&inside));
        let mut out = Encoder::new(&function.locals);
        out.byte(3);
        // Where else executions come in.
        let others = loop_.entries.iter().filter(|entry| **entry != loop_.header);
        let mut others: Vec<u32> = others.filter_map(|n| order.index.get(&skips.end(*n)).copied()).collect();
        others.sort();
        out.number(others.len() as u32);
        others.into_iter().for_each(|n| out.number(n));
        order.write(out, cfa, skips, Some(&inside), body.iter().copied())
    }

    /// The canonical number of a node; nodes that only skip have the number of the node they lead to.
    pub fn node_index(&self, node: NodeId) -> Option<u32> {
        self.node_index.get(&node).copied()
    }

    pub fn local_index(&self, local: LocalId) -> Option<u32> {
        self.local_index.get(&local).copied()
    }
}

/// Where each node leads by skips alone.
pub struct Skips {
    leads_to: Vec<NodeId>,
    hangs: Vec<bool>,
}

impl Skips {
    pub fn new(cfa: &Cfa) -> Skips {
        let count = cfa.node_count() as usize;
        let unset = NodeId(u32::MAX);
        let mut skips = Skips { leads_to: vec![unset; count], hangs: vec![false; count] };
        // The walk that last came by, to notice that a walk meets itself.
        let mut walked_by = vec![u32::MAX; count];
        let mut path = Vec::new();
        for start in cfa.nodes() {
            let mut at = start;
            let end = loop {
                if skips.leads_to[at.0 as usize] != unset {
                    break skips.leads_to[at.0 as usize];
                }
                if walked_by[at.0 as usize] == start.0 {
                    skips.hangs[at.0 as usize] = true;
                    break at;
                }
                walked_by[at.0 as usize] = start.0;
                path.push(at);
                match cfa.out(at) {
                    [Edge { op: Op::Skip, to, .. }] if at != cfa.exit => at = *to,
                    _ => break at,
                }
            };
            for node in path.drain(..) {
                skips.leads_to[node.0 as usize] = end;
            }
        }
        skips
    }

    pub fn end(&self, node: NodeId) -> NodeId {
        self.leads_to[node.0 as usize]
    }

    /// Is this node (an [`Skips::end`]) a cycle of skips?
    pub fn hangs(&self, node: NodeId) -> bool {
        self.hangs[node.0 as usize]
    }
}

#[derive(Default)]
struct Order {
    nodes: Vec<NodeId>,
    index: FxHashMap<NodeId, u32>,
}

impl Order {
    fn new(cfa: &Cfa, skips: &Skips, entry: NodeId, inside: Option<&FxHashSet<NodeId>>) -> Order {
        let mut order = Order::default();
        let mut stack = vec![skips.end(entry)];
        while let Some(node) = stack.pop() {
            if order.index.contains_key(&node) {
                continue;
            }
            order.index.insert(node, order.nodes.len() as u32);
            order.nodes.push(node);
            if skips.hangs(node) {
                continue;
            }
            let below = stack.len();
            for edge in out_in_order(cfa, node) {
                let to = cfa.edge(edge).to;
                if inside.is_none_or(|inside| inside.contains(&to)) {
                    stack.push(skips.end(to));
                }
            }
            stack[below..].reverse();
        }
        order
    }

    /// Writes the automaton in this order: for each node what it is, then its edges with their targets. `all` are
    /// the fragment's nodes, with those that only skip.
    fn write(
        self,
        mut out: Encoder,
        cfa: &Cfa,
        skips: &Skips,
        inside: Option<&FxHashSet<NodeId>>,
        all: impl Iterator<Item = NodeId>,
    ) -> Canonical {
        const EXIT: u8 = 0;
        const HANG: u8 = 1;
        const INNER: u8 = 2;
        const INSIDE: u8 = 0;
        const OUTSIDE: u8 = 1;
        let mut edges = Vec::new();
        let mut exits = Vec::new();
        let mut exit_index = FxHashMap::default();
        out.number(self.nodes.len() as u32);
        for &node in &self.nodes {
            if skips.hangs(node) {
                out.byte(HANG);
                continue;
            }
            out.byte(if node == cfa.exit { EXIT } else { INNER });
            out.number(cfa.out(node).len() as u32);
            for id in out_in_order(cfa, node) {
                let edge = cfa.edge(id);
                edges.push(id);
                out.op(edge);
                let to = skips.end(edge.to);
                // Before skips are followed: they may lead out of an inner loop and, through the head of the loop
                // around it, right back in.
                let stays = inside.is_none_or(|inside| inside.contains(&edge.to));
                if let Some(&index) = self.index.get(&to).filter(|_| stays) {
                    out.byte(INSIDE);
                    out.number(index);
                } else {
                    let next = exits.len() as u32;
                    let index = *exit_index.entry(to).or_insert(next);
                    if index == next {
                        exits.push(to);
                    }
                    out.byte(OUTSIDE);
                    out.number(index);
                }
            }
        }
        let skipping: Vec<_> =
            all.filter_map(|node| Some((node, *self.index.get(&skips.end(node))?))).collect();
        let mut canonical = finish(out, self, edges, exits);
        canonical.node_index.extend(skipping);
        canonical
    }
}

fn finish(out: Encoder, order: Order, edges: Vec<EdgeId>, exits: Vec<NodeId>) -> Canonical {
    Canonical {
        shape: Fingerprint::of(&out.bytes),
        nodes: order.nodes,
        edges,
        locals: out.locals,
        symbols: out.symbols,
        callees: out.callees,
        exits,
        node_index: order.index,
        local_index: out.local_index,
    }
}

/// The edges of a node in canonical order: of a branch, the true edge first.
pub fn out_in_order(cfa: &Cfa, node: NodeId) -> impl Iterator<Item = EdgeId> + use<> {
    let swapped = matches!(
        cfa.out(node),
        [Edge { op: Op::Assume { holds: false, .. }, .. }, Edge { op: Op::Assume { holds: true, .. }, .. }]
    );
    let mut ids = cfa.out_ids(node);
    let first = if swapped { ids.next() } else { None };
    ids.chain(first)
}
