//! From which nodes a check can still be reached.
//!
//! An execution gets to a check from a call if there is one in what the call runs, or if that may return and
//! one lies behind the call. A function's return has a check ahead if any of its calls has one behind it.
//! Where no check is ahead, nothing matters: whoever comes there will not fail a check any more, be it
//! because the program is over (`exit` is such a place), because it runs in circles, or because all checks
//! are behind.
//!
//! Some of these places are worth less than others: the program stops there before its time, by `exit` or by
//! running in circles, and does not get to its regular end either. A branch to such a place can be taken to
//! go the other way at the cost of some precision ([`Options::endings`]), unless the other way only leads
//! into a failing check: then the branch is the check's condition.

use crate::reach::{Reach, is_branch};
use crate::{Options, is_poisoned};
use ir::{Cfa, EdgeId, FuncId, NodeId, Op, Program};

pub struct Ahead {
    /// By function and node; empty for functions that do not run.
    nodes: Vec<Vec<bool>>,
    /// By function and edge: is this the side of a branch that is not taken? Empty if there are none.
    avoided: Vec<Vec<bool>>,
}

impl Ahead {
    pub fn of(program: &Program, reach: &Reach, options: Options) -> Ahead {
        let nodes = search(program, reach, false);
        let mut ahead = Ahead { nodes, avoided: vec![Vec::new(); program.functions.len()] };
        if options.endings {
            return ahead;
        }
        let regular = search(program, reach, true);
        for f in reach.functions() {
            let Some(cfa) = program.function(f).cfa() else { continue };
            let doomed = doomed(cfa, reach, f);
            let avoid = |id: EdgeId| {
                let edge = cfa.edge(id);
                is_branch(cfa, edge.from)
                    && ahead.of_node(f, edge.from)
                    && !regular[f.0 as usize][edge.to.0 as usize]
                    && cfa.out(edge.from).iter().all(|e| e.to == edge.to || !doomed[e.to.0 as usize])
            };
            ahead.avoided[f.0 as usize] = (0..cfa.edges().len() as u32).map(|i| avoid(EdgeId(i))).collect();
        }
        ahead
    }

    /// Is this the side of a branch that counts as impossible?
    pub fn is_avoided(&self, f: FuncId, edge: EdgeId) -> bool {
        self.avoided[f.0 as usize].get(edge.0 as usize).copied().unwrap_or(false)
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

/// By function and node: does a check lie ahead, or, if `regular`, a return of the entry?
fn search(program: &Program, reach: &Reach, regular: bool) -> Vec<Vec<bool>> {
    let nodes = program.function_ids().map(|f| match program.function(f).cfa() {
        Some(cfa) if reach.runs(f) => vec![false; cfa.node_count() as usize],
        _ => Vec::new(),
    });
    let after = vec![false; program.functions.len()];
    let mut search = Search { program, reach, nodes: nodes.collect(), after, work: Vec::new() };
    search.inside();
    search.outside(regular);
    search.nodes
}

/// By node: does every way lead into a check that fails?
fn doomed(cfa: &Cfa, reach: &Reach, f: FuncId) -> Vec<bool> {
    let mut doomed = vec![false; cfa.node_count() as usize];
    let mut left: Vec<usize> =
        cfa.nodes().map(|n| cfa.out_ids(n).filter(|id| reach.passes(f, *id)).count()).collect();
    let mut work: Vec<NodeId> =
        cfa.nodes().filter(|&n| n != cfa.exit && reach.node(f, n) && left[n.0 as usize] == 0).collect();
    while let Some(node) = work.pop() {
        doomed[node.0 as usize] = true;
        for &id in reach.entering(f, node) {
            let from = cfa.edge(id).from;
            left[from.0 as usize] -= 1;
            if left[from.0 as usize] == 0 {
                work.push(from);
            }
        }
    }
    doomed
}

struct Search<'a> {
    program: &'a Program,
    reach: &'a Reach,
    nodes: Vec<Vec<bool>>,
    /// By function: does a check lie ahead of its return?
    after: Vec<bool>,
    work: Vec<(FuncId, NodeId)>,
}

impl Search<'_> {
    /// Checks that are reached without returning.
    fn inside(&mut self) {
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
                self.mark(f, cfa.edge(id).from);
            }
        }
    }

    /// Checks that are reached after returning, too.
    fn outside(&mut self, regular: bool) {
        let (program, reach) = (self.program, self.reach);
        for f in reach.functions() {
            let marked = (0..).map(NodeId).zip(&self.nodes[f.0 as usize]).filter(|(_, marked)| **marked);
            self.work.extend(marked.map(|(node, _)| (f, node)));
        }
        if regular {
            self.returns(reach.entry);
        }
        while let Some((f, node)) = self.work.pop() {
            let Some(cfa) = program.function(f).cfa() else { continue };
            for &id in reach.entering(f, node) {
                self.mark(f, cfa.edge(id).from);
                reach.targets(f, id).iter().for_each(|&g| self.returns(g));
            }
        }
    }

    fn mark(&mut self, f: FuncId, node: NodeId) {
        if self.reach.node(f, node)
            && !std::mem::replace(&mut self.nodes[f.0 as usize][node.0 as usize], true)
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
