//! From which nodes a check can still be reached.
//!
//! An execution may pass a call if it may return from what the call runs, and a function's return has a check ahead if any of its
//! calls has one behind it. Where no check is ahead, nothing matters: whoever comes there will not fail a check any more, be it because
//! the program is over (`exit` is such a place), because it runs in circles, or because all checks are behind.

use crate::is_poisoned;
use crate::reach::Reach;
use ir::{FuncId, NodeId, Op, Program};

pub struct Ahead {
    /// By function and node; empty for functions that do not run.
    nodes: Vec<Vec<bool>>,
}

impl Ahead {
    pub fn of(program: &Program, reach: &Reach) -> Ahead {
        let nodes = program.function_ids().map(|f| match program.function(f).cfa() {
            Some(cfa) if reach.runs(f) => vec![false; cfa.node_count() as usize],
            _ => Vec::new(),
        });
        let after = vec![false; program.functions.len()];
        let mut search =
            Search { program, reach, ahead: Ahead { nodes: nodes.collect() }, after, work: Vec::new() };
        search.run();
        search.ahead
    }

    /// Does a check lie ahead of this node?
    pub fn of_node(&self, f: FuncId, node: NodeId) -> bool {
        self.nodes[f.0 as usize].get(node.0 as usize).copied().unwrap_or(false)
    }

    /// Does a check lie ahead of the function's entry?
    pub fn of_function(&self, program: &Program, f: FuncId) -> bool {
        program.function(f).cfa().is_some_and(|cfa| self.of_node(f, cfa.entry))
    }
}

struct Search<'a> {
    program: &'a Program,
    reach: &'a Reach,
    ahead: Ahead,
    /// By function: does a check lie ahead of its return?
    after: Vec<bool>,
    work: Vec<(FuncId, NodeId)>,
}

impl Search<'_> {
    fn run(&mut self) {
        let (program, reach) = (self.program, self.reach);
        for f in reach.functions() {
            let Some(cfa) = program.function(f).cfa() else { continue };
            for edge in cfa.edges().iter().filter(|e| matches!(e.op, Op::Check { .. })) {
                self.mark(f, edge.from);
            }
            for (edge, targets) in reach.calls(f) {
                if targets.iter().any(|&g| is_poisoned(program, g)) {
                    self.mark(f, cfa.edge(*edge).from);
                }
            }
        }
        while let Some((f, node)) = self.work.pop() {
            let Some(cfa) = program.function(f).cfa() else { continue };
            if node == cfa.entry {
                for &(caller, edge) in reach.callers(f) {
                    let from = program.function(caller).cfa().map(|cfa| cfa.edge(edge).from);
                    from.into_iter().for_each(|from| self.mark(caller, from));
                }
            }
            for &id in reach.entering(f, node) {
                let edge = cfa.edge(id);
                let targets = reach.targets(f, id);
                // A call through a pointer that nothing is known of counts as one that may return.
                let passes = targets.is_empty()
                    || targets
                        .iter()
                        .any(|&g| program.function(g).cfa().is_none() && !is_poisoned(program, g));
                if passes {
                    self.mark(f, edge.from);
                }
                targets.iter().for_each(|&g| self.returns(g));
            }
        }
    }

    fn mark(&mut self, f: FuncId, node: NodeId) {
        if self.reach.node(f, node)
            && !std::mem::replace(&mut self.ahead.nodes[f.0 as usize][node.0 as usize], true)
        {
            self.work.push((f, node));
        }
    }

    fn returns(&mut self, f: FuncId) {
        if std::mem::replace(&mut self.after[f.0 as usize], true) {
            return;
        }
        let Some(cfa) = self.program.function(f).cfa() else { return };
        for &id in self.reach.entering(f, cfa.exit) {
            if let Op::Return(_) = cfa.edge(id).op {
                self.mark(f, cfa.edge(id).from);
            }
        }
    }
}
