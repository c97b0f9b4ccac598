//! Control-flow automata: locations, and edges that carry one operation each.

use crate::expr::Expr;
use crate::program::{FuncId, Pos, Var};
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// An index into [`Cfa::edges`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EdgeId(pub u32);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edge {
    pub from: NodeId,
    pub to: NodeId,
    pub op: Op,
    pub pos: Pos,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    Skip,
    /// Continues only where `cond` evaluates to `holds`. A branching node has exactly two edges, both assumes
    /// with the same `cond`, first `holds: true`, then `holds: false`. A lone assume restricts executions
    /// (`assume(e)`).
    Assume {
        cond: Expr,
        holds: bool,
    },
    /// Assigns a register variable.
    Assign {
        var: Var,
        value: Expr,
    },
    /// Writes `value` (its type says how many bytes) to memory.
    Store {
        addr: Expr,
        value: Expr,
    },
    /// Gives a register variable any value of its type.
    Havoc {
        var: Var,
        kind: HavocKind,
    },
    /// Moves `len` bytes (of the target's unsigned intptr type), as `memmove`.
    Copy {
        dst: Expr,
        src: Expr,
        len: Expr,
    },
    /// Sets `len` bytes to `byte` (u8).
    Fill {
        dst: Expr,
        byte: Expr,
        len: Expr,
    },
    /// A new memory object of `size` bytes with arbitrary content; never null. Stack objects end with the
    /// activation.
    Alloc {
        var: Var,
        size: Expr,
        kind: AllocKind,
    },
    /// Ends a heap object; null is allowed.
    Free {
        ptr: Expr,
    },
    /// The block of a variable in memory is entered or left: the object at `ptr` lives from here on, or has
    /// ended. An object that lives again has arbitrary content.
    Lifetime {
        ptr: Expr,
        begins: bool,
    },
    Call {
        dst: Option<Var>,
        callee: Callee,
        args: Vec<Expr>,
    },
    /// The only operation of edges into the exit node, besides `Halt`.
    Return(Option<Expr>),
    /// The property: it is an error to come here with `cond` false; otherwise the execution goes on.
    Check {
        kind: CheckKind,
        cond: Expr,
        message: Option<Arc<str>>,
    },
    /// The program ends with this exit code (i32), as by `exit` or, without a code, `abort`. Leads to the
    /// exit node.
    Halt(Option<Expr>),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    Direct(FuncId),
    Indirect(Expr),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum HavocKind {
    /// A value from outside, as `__VERIFIER_nondet_int()`; the name of the function that gave it.
    Input(Arc<str>),
    /// A variable declared without a value.
    Uninit,
    /// An output of inline assembly.
    Asm,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum AllocKind {
    Heap,
    Stack,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum CheckKind {
    /// `assert` and its relatives.
    Assertion,
    /// A call of an error function (`__VERIFIER_error`, `reach_error`, `ldv_error`).
    ErrorCall,
    Overflow,
    Memory,
    Div,
    Shift,
    /// `__builtin_unreachable`.
    Unreachable,
    /// Where the program ends, something leads to every heap object that was not freed.
    Leak,
    /// Where the program ends, every heap object was freed.
    Cleanup,
}

impl CheckKind {
    pub const ALL: [CheckKind; 9] = [
        CheckKind::Assertion,
        CheckKind::ErrorCall,
        CheckKind::Overflow,
        CheckKind::Memory,
        CheckKind::Div,
        CheckKind::Shift,
        CheckKind::Unreachable,
        CheckKind::Leak,
        CheckKind::Cleanup,
    ];

    pub fn name(self) -> &'static str {
        match self {
            CheckKind::Assertion => "assertion",
            CheckKind::ErrorCall => "error_call",
            CheckKind::Overflow => "overflow",
            CheckKind::Memory => "memory",
            CheckKind::Div => "div",
            CheckKind::Shift => "shift",
            CheckKind::Unreachable => "unreachable",
            CheckKind::Leak => "leak",
            CheckKind::Cleanup => "cleanup",
        }
    }
}

/// A function's body. Edges are sorted by `from`; node 0 is the entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cfa {
    edges: Vec<Edge>,
    /// `edges[first[n]..first[n + 1]]` leave node `n`.
    first: Vec<u32>,
    pub entry: NodeId,
    pub exit: NodeId,
}

impl Cfa {
    /// Builds the automaton; edges of one node keep their order.
    pub fn new(node_count: u32, entry: NodeId, exit: NodeId, mut edges: Vec<Edge>) -> Cfa {
        edges.sort_by_key(|e| e.from);
        let mut first = vec![0u32; node_count as usize + 1];
        for e in &edges {
            if let Some(slot) = first.get_mut(e.from.0 as usize + 1) {
                *slot += 1;
            }
        }
        for n in 0..node_count as usize {
            first[n + 1] += first[n];
        }
        Cfa { edges, first, entry, exit }
    }

    pub fn node_count(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.node_count()).map(NodeId)
    }

    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0 as usize]
    }

    pub fn edge_mut(&mut self, id: EdgeId) -> &mut Op {
        &mut self.edges[id.0 as usize].op
    }

    /// The same with other operations on some edges, which ascend.
    pub fn with_ops(&self, changed: Vec<(EdgeId, Op)>) -> Cfa {
        let mut changed = changed.into_iter().peekable();
        let edges =
            (0..).map(EdgeId).zip(&self.edges).map(|(id, edge)| match changed.next_if(|c| c.0 == id) {
                Some((_, op)) => Edge { op, ..*edge },
                None => edge.clone(),
            });
        Cfa { edges: edges.collect(), first: self.first.clone(), entry: self.entry, exit: self.exit }
    }

    /// Leads an edge to another node.
    pub fn redirect(&mut self, id: EdgeId, to: NodeId) {
        self.edges[id.0 as usize].to = to;
    }

    /// Leads edges past what does nothing: nodes that one edge enters, and one leaves that is `skip`. Nothing
    /// else gets to them any more, and loops stay what they are.
    pub fn bypass_skips(&mut self) {
        let mut entering = vec![0u32; self.node_count() as usize];
        self.edges.iter().for_each(|edge| entering[edge.to.0 as usize] += 1);
        let beyond: Vec<Option<NodeId>> = self
            .nodes()
            .map(|node| match self.out(node) {
                [Edge { op: Op::Skip, to, .. }] if entering[node.0 as usize] == 1 && node != self.entry => {
                    Some(*to)
                }
                _ => None,
            })
            .collect();
        // From the last edge of a chain to its first, so that each node is looked at once.
        let mut ends: Vec<Option<NodeId>> = vec![None; beyond.len()];
        for start in self.nodes() {
            let (mut node, mut chain) = (start, Vec::new());
            while let (Some(next), None) = (beyond[node.0 as usize], ends[node.0 as usize]) {
                chain.push(node);
                // What goes in circles without doing anything is not entered.
                if next == start {
                    break;
                }
                node = next;
            }
            let end = ends[node.0 as usize].unwrap_or(node);
            chain.into_iter().for_each(|node| ends[node.0 as usize] = Some(end));
        }
        for edge in &mut self.edges {
            edge.to = ends[edge.to.0 as usize].unwrap_or(edge.to);
        }
    }

    /// The edges that leave `node`.
    pub fn out(&self, node: NodeId) -> &[Edge] {
        &self.edges[self.first[node.0 as usize] as usize..self.first[node.0 as usize + 1] as usize]
    }

    pub fn out_ids(&self, node: NodeId) -> impl Iterator<Item = EdgeId> + use<> {
        (self.first[node.0 as usize]..self.first[node.0 as usize + 1]).map(EdgeId)
    }

    /// For every node, the edges that enter it.
    pub fn predecessors(&self) -> Vec<Vec<EdgeId>> {
        let mut preds = vec![Vec::new(); self.node_count() as usize];
        for (i, e) in self.edges.iter().enumerate() {
            preds[e.to.0 as usize].push(EdgeId(i as u32));
        }
        preds
    }
}

impl Op {
    /// The expressions in this operation, in order.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Op::Skip | Op::Havoc { .. } | Op::Return(None) | Op::Halt(None) => vec![],
            Op::Assume { cond, .. } | Op::Check { cond, .. } => vec![cond],
            Op::Assign { value, .. } => vec![value],
            Op::Store { addr, value } => vec![addr, value],
            Op::Copy { dst, src, len } => vec![dst, src, len],
            Op::Fill { dst, byte, len } => vec![dst, byte, len],
            Op::Alloc { size, .. } => vec![size],
            Op::Free { ptr } | Op::Lifetime { ptr, .. } => vec![ptr],
            Op::Call { callee, args, .. } => {
                let target = match callee {
                    Callee::Direct(_) => None,
                    Callee::Indirect(e) => Some(e),
                };
                target.into_iter().chain(args).collect()
            }
            Op::Return(Some(e)) | Op::Halt(Some(e)) => vec![e],
        }
    }

    /// The register variable that this operation writes.
    pub fn written(&self) -> Option<Var> {
        match self {
            Op::Assign { var, .. } | Op::Havoc { var, .. } | Op::Alloc { var, .. } => Some(*var),
            Op::Call { dst, .. } => *dst,
            _ => None,
        }
    }
}
