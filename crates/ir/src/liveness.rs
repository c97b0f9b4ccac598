//! Which register locals may still be read, at each node.

use crate::cfa::{Cfa, NodeId};
use crate::expr::ExprKind;
use crate::program::{LocalId, Var};
use std::collections::BTreeSet;

/// The live register locals of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Liveness {
    live: Vec<BTreeSet<LocalId>>,
}

impl Liveness {
    pub fn of(cfa: &Cfa) -> Liveness {
        let mut live = vec![BTreeSet::new(); cfa.node_count() as usize];
        let preds = cfa.predecessors();
        let mut queue: Vec<NodeId> = cfa.nodes().collect();
        while let Some(node) = queue.pop() {
            let mut now = BTreeSet::new();
            for edge in cfa.out(node) {
                let mut after: BTreeSet<LocalId> = BTreeSet::clone(&live[edge.to.0 as usize]);
                if let Some(Var::Local(written)) = edge.op.written() {
                    after.remove(&written);
                }
                for e in edge.op.exprs() {
                    e.walk(&mut |part| {
                        if let ExprKind::Local(id) = part.kind {
                            after.insert(id);
                        }
                    });
                }
                now.extend(after);
            }
            if now != live[node.0 as usize] {
                live[node.0 as usize] = now;
                queue.extend(preds[node.0 as usize].iter().map(|&e| cfa.edge(e).from));
            }
        }
        Liveness { live }
    }

    pub fn at(&self, node: NodeId) -> &BTreeSet<LocalId> {
        &self.live[node.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_live_until_their_last_use() {
        let program = crate::testing::program_from(&[7, 1, 4, 2, 9, 3]);
        for function in &program.functions {
            let Some(cfa) = function.cfa() else { continue };
            let live = Liveness::of(cfa);
            // Nothing but parameters can be live at the entry: registers are written before they are read.
            assert!(live.at(cfa.entry).iter().all(|l| l.0 < function.params), "{}", function.name);
            assert!(live.at(cfa.exit).is_empty());
        }
    }
}
