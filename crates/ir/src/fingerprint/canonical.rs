//! The canonical form of one fragment: an order of its nodes, edges, locals and symbols that depends only on
//! what the fragment does.
//!
//! - **Skips vanish.** A node whose only edge is a skip is the node that the skip leads to. A cycle of skips
//!   is one node that never leaves: the execution hangs there, whatever the length of the cycle.
//! - **Nodes** are numbered depth first from the entry (a function's entry, a loop's header), a branch's true
//!   edge before its false edge. What is not reachable has no number.
//! - **Edges** are listed node by node, in that order.
//! - **Locals** are numbered by first use along the edges. In a function the parameters come first, in their
//!   order, used or not. In a loop all locals, parameters included, are numbered by first use in the loop and
//!   by nothing else: a loop that is cut out of one function and pasted into another keeps its canonical
//!   form.
//! - **Symbols**, the functions and globals that are named, are listed by first use.
//! - A loop's **exits** are the nodes that its edges lead to when they leave its body, by first use. An inner
//!   loop's exit can be its own header, when the loop around it has nothing but skips in between.
//!
//! To carry a fact over from an old fragment to a new one with the same [`Canonical::shape`], translate its
//! variables, nodes and edges by their positions: the old local `old.locals[i]` is the new local
//! `new.locals[i]`, and so for `nodes`, `edges`, `exits` and `symbols`.

use super::encode::Encoder;
use super::{Fingerprint, Symbol};
use crate::cfa::{Cfa, Edge, EdgeId, NodeId, Op};
use crate::loops::{LoopForest, LoopId};
use crate::program::{Body, FuncId, Function, LocalId};
use rustc_hash::FxHashMap;

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
    /// Ascending by node.
    node_index: Vec<(NodeId, u32)>,
    /// Ascending by local.
    local_index: Vec<(LocalId, u32)>,
}

impl Canonical {
    /// The canonical form of a function with a body; others have no nodes, and their shape is their
    /// signature.
    pub fn function(function: &Function) -> Canonical {
        let mut out = Encoder::new(&function.locals);
        match function.cfa() {
            Some(cfa) => Writer::new(cfa, out).function(function),
            None => {
                header(&mut out, function);
                if let Body::Poisoned { reason, .. } = &function.body {
                    out.bytes.extend_from_slice(reason.as_bytes());
                }
                finish(&mut out, Parts::default())
            }
        }
    }

    /// The canonical forms of a function and of all its loops, by [`LoopId`].
    pub fn function_and_loops(function: &Function) -> (Canonical, Option<LoopForest>, Vec<Canonical>) {
        let Some(cfa) = function.cfa() else { return (Canonical::function(function), None, Vec::new()) };
        let forest = LoopForest::of(cfa);
        let mut writer = Writer::new(cfa, Encoder::new(&function.locals));
        let whole = writer.function(function);
        let loops = forest.ids().map(|id| writer.loop_(&forest, id)).collect();
        (whole, Some(forest), loops)
    }

    /// The canonical number of a node; nodes that only skip have the number of the node they lead to.
    pub fn node_index(&self, node: NodeId) -> Option<u32> {
        let found = self.node_index.binary_search_by_key(&node, |(n, _)| *n).ok()?;
        Some(self.node_index[found].1)
    }

    pub fn local_index(&self, local: LocalId) -> Option<u32> {
        let found = self.local_index.binary_search_by_key(&local, |(l, _)| *l).ok()?;
        Some(self.local_index[found].1)
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

/// What is known of a fragment besides what the encoder found.
#[derive(Default)]
struct Parts {
    nodes: Vec<NodeId>,
    node_index: Vec<(NodeId, u32)>,
    edges: Vec<EdgeId>,
    exits: Vec<NodeId>,
}

/// Writes the fragments of one automaton.
struct Writer<'a> {
    cfa: &'a Cfa,
    skips: Skips,
    out: Encoder<'a>,
    /// By node: its number in the fragment being written, or [`NONE`].
    index: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl<'a> Writer<'a> {
    fn new(cfa: &'a Cfa, out: Encoder<'a>) -> Self {
        Writer { cfa, skips: Skips::new(cfa), out, index: vec![NONE; cfa.node_count() as usize] }
    }

    fn function(&mut self, function: &Function) -> Canonical {
        header(&mut self.out, function);
        let nodes = self.order(self.cfa.entry, |_| true);
        self.write(nodes, |_| true, self.cfa.nodes())
    }

    fn loop_(&mut self, forest: &LoopForest, id: LoopId) -> Canonical {
        let loop_ = forest.get(id);
        let inside = |node| forest.contains(id, node);
        let nodes = self.order(loop_.header, inside);
        self.out.byte(3);
        // Where else executions come in.
        let others = loop_.entries.iter().filter(|entry| **entry != loop_.header);
        let mut others: Vec<u32> = others.map(|n| self.index[self.skips.end(*n).0 as usize]).collect();
        others.sort();
        self.out.number(others.len() as u32);
        others.into_iter().for_each(|n| self.out.number(n));
        self.write(nodes, inside, forest.body(id).iter().copied())
    }

    /// Numbers the nodes depth first.
    fn order(&mut self, entry: NodeId, inside: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
        let mut nodes = Vec::new();
        let mut stack = vec![self.skips.end(entry)];
        while let Some(node) = stack.pop() {
            let slot = &mut self.index[node.0 as usize];
            if *slot != NONE {
                continue;
            }
            *slot = nodes.len() as u32;
            nodes.push(node);
            if self.skips.hangs(node) {
                continue;
            }
            let below = stack.len();
            for edge in out_in_order(self.cfa, node) {
                let to = self.cfa.edge(edge).to;
                if inside(to) {
                    stack.push(self.skips.end(to));
                }
            }
            stack[below..].reverse();
        }
        nodes
    }

    /// Writes the automaton in this order: for each node what it is, then its edges with their targets. `all`
    /// are the fragment's nodes, with those that only skip.
    fn write(
        &mut self,
        nodes: Vec<NodeId>,
        inside: impl Fn(NodeId) -> bool,
        all: impl Iterator<Item = NodeId>,
    ) -> Canonical {
        const EXIT: u8 = 0;
        const HANG: u8 = 1;
        const INNER: u8 = 2;
        const INSIDE: u8 = 0;
        const OUTSIDE: u8 = 1;
        let mut edges = Vec::with_capacity(nodes.len());
        let mut exits: Vec<NodeId> = Vec::new();
        let mut exit_index = FxHashMap::default();
        self.out.number(nodes.len() as u32);
        for &node in &nodes {
            if self.skips.hangs(node) {
                self.out.byte(HANG);
                continue;
            }
            self.out.byte(if node == self.cfa.exit { EXIT } else { INNER });
            self.out.number(self.cfa.out(node).len() as u32);
            for id in out_in_order(self.cfa, node) {
                let edge = self.cfa.edge(id);
                edges.push(id);
                self.out.op(edge);
                let to = self.skips.end(edge.to);
                // Before skips are followed: they may lead out of an inner loop and, through the head of the
                // loop around it, right back in.
                if inside(edge.to) {
                    self.out.byte(INSIDE);
                    self.out.number(self.index[to.0 as usize]);
                } else {
                    let next = exits.len() as u32;
                    let index = *exit_index.entry(to).or_insert(next);
                    if index == next {
                        exits.push(to);
                    }
                    self.out.byte(OUTSIDE);
                    self.out.number(index);
                }
            }
        }
        let number = |n: NodeId| (n, self.index[self.skips.end(n).0 as usize]);
        let mut node_index: Vec<_> = all.map(number).filter(|(_, i)| *i != NONE).collect();
        node_index.sort();
        for node in &nodes {
            self.index[node.0 as usize] = NONE;
        }
        finish(&mut self.out, Parts { nodes, node_index, edges, exits })
    }
}

/// What can be known of a function without its body.
fn header<'a>(out: &mut Encoder<'a>, function: &Function) {
    out.byte(match &function.body {
        Body::Defined(_) => 0,
        Body::Extern if function.havocs => 3,
        Body::Extern => 1,
        Body::Poisoned { .. } => 2,
    });
    out.optional_ty(function.ret);
    out.byte(function.variadic as u8);
    out.number(function.params);
    for param in 0..function.params.min(function.locals.len() as u32) {
        out.local(LocalId(param));
    }
}

fn finish(out: &mut Encoder, parts: Parts) -> Canonical {
    let (shape, found) = out.finish();
    let mut local_index: Vec<_> = found.locals.iter().copied().zip(0..).collect();
    local_index.sort();
    Canonical {
        shape,
        nodes: parts.nodes,
        edges: parts.edges,
        locals: found.locals,
        symbols: found.symbols,
        callees: found.callees,
        exits: parts.exits,
        node_index: parts.node_index,
        local_index,
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
