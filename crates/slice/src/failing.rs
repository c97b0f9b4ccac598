//! Where every way leads into a check that always fails: calls of an error function, and what comes before
//! them.

use crate::reach::Reach;
use ir::{Cfa, FuncId, NodeId, Op, Program};

/// Where every way leads into a check that always fails.
pub struct Failing {
    /// By function and node; empty for functions without such nodes.
    nodes: Vec<Vec<bool>>,
    /// By function: does every call of it fail?
    always: Vec<bool>,
}

impl Failing {
    pub fn of(program: &Program, reach: &Reach) -> Failing {
        let count = program.functions.len();
        let mut failing = Failing { nodes: vec![Vec::new(); count], always: vec![false; count] };
        let mut work: Vec<FuncId> = reach.functions().collect();
        while let Some(f) = work.pop() {
            let Some(cfa) = program.function(f).cfa() else { continue };
            failing.nodes[f.0 as usize] = failing.search(cfa, reach, f);
            // A caller of what always fails may always fail, too.
            if failing.node(f, cfa.entry) && !std::mem::replace(&mut failing.always[f.0 as usize], true) {
                work.extend(reach.callers(f).iter().map(|(caller, _)| *caller));
            }
        }
        failing
    }

    pub fn node(&self, f: FuncId, node: NodeId) -> bool {
        self.nodes[f.0 as usize].get(node.0 as usize).copied().unwrap_or(false)
    }

    /// By node; empty if there are none.
    fn search(&self, cfa: &Cfa, reach: &Reach, f: FuncId) -> Vec<bool> {
        let always = |g: &FuncId| self.always[g.0 as usize];
        let checks =
            cfa.edges().iter().filter(|e| matches!(&e.op, Op::Check { cond, .. } if cond.is_false()));
        let calls = reach.calls(f).iter().filter(|(_, to)| !to.is_empty() && to.iter().all(always));
        let calls = calls.map(|(id, _)| cfa.edge(*id));
        let mut work: Vec<NodeId> =
            checks.chain(calls).map(|edge| edge.from).filter(|&node| reach.node(f, node)).collect();
        if work.is_empty() {
            return Vec::new();
        }
        let mut failing = vec![false; cfa.node_count() as usize];
        let mut left: Vec<usize> =
            cfa.nodes().map(|n| cfa.out_ids(n).filter(|id| reach.passes(f, *id)).count()).collect();
        while let Some(node) = work.pop() {
            if std::mem::replace(&mut failing[node.0 as usize], true) {
                continue;
            }
            for &id in reach.entering(f, node) {
                let from = cfa.edge(id).from;
                left[from.0 as usize] -= 1;
                if left[from.0 as usize] == 0 {
                    work.push(from);
                }
            }
        }
        failing
    }
}
