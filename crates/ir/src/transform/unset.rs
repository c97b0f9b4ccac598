//! Registers without a value: which locals may be read before anything was assigned to them.
//!
//! Lowering leaves none, but the IR allows them (such a local has any value, chosen when the function is
//! entered), and a body that runs more than once in one activation has to choose anew.

use crate::cfa::{Cfa, EdgeId, NodeId};
use crate::expr::ExprKind;
use crate::program::{Function, LocalId, Storage, Var};

/// The register locals, ascending, that some path from the entry reads before it sets them.
pub fn unset_locals(function: &Function) -> Vec<LocalId> {
    let Some(cfa) = function.cfa() else { return Vec::new() };
    let mut readers: Vec<Vec<NodeId>> = vec![Vec::new(); function.locals.len()];
    for edge in cfa.edges() {
        for expr in edge.op.exprs() {
            expr.walk(&mut |e| {
                if let ExprKind::Local(id) = e.kind
                    && let Some(list) = readers.get_mut(id.0 as usize)
                    && list.last() != Some(&edge.from)
                {
                    list.push(edge.from);
                }
            });
        }
    }
    let mut paths = Paths::of(function, cfa);
    let ids = (0..).map(LocalId).zip(readers);
    ids.filter_map(|(id, nodes)| paths.may_be_unset(id, nodes).then_some(id)).collect()
}

/// The paths into the nodes of a function.
pub(super) struct Paths<'a> {
    function: &'a Function,
    cfa: &'a Cfa,
    preds: Vec<Vec<EdgeId>>,
    /// By node: the last search that saw it.
    seen: Vec<u32>,
    search: u32,
}

impl<'a> Paths<'a> {
    pub fn of(function: &'a Function, cfa: &'a Cfa) -> Paths<'a> {
        let seen = vec![0; cfa.node_count() as usize];
        Paths { function, cfa, preds: cfa.predecessors(), seen, search: 0 }
    }

    /// May an execution come to one of `nodes` without having set the register on the way?
    pub fn may_be_unset(&mut self, local: LocalId, nodes: Vec<NodeId>) -> bool {
        let storage = self.function.locals.get(local.0 as usize).map(|l| l.storage);
        if !matches!(storage, Some(Storage::Register(_))) || local.0 < self.function.params {
            return false;
        }
        self.search += 1;
        let mut work = nodes;
        while let Some(node) = work.pop() {
            if std::mem::replace(&mut self.seen[node.0 as usize], self.search) == self.search {
                continue;
            }
            if node == self.cfa.entry {
                return true;
            }
            let edges = self.preds[node.0 as usize].iter().map(|id| self.cfa.edge(*id));
            work.extend(edges.filter(|e| e.op.written() != Some(Var::Local(local))).map(|e| e.from));
        }
        false
    }
}
