//! From which nodes a check can still be reached.
//!
//! An execution gets to a check from a call if there is one in what the call runs, or if that may return and
//! one lies behind the call. A function's return has a check ahead if any of its calls has one behind it.
//! Where no check is ahead, nothing matters: whoever comes there will not fail a check any more, be it
//! because the program is over (`exit` is such a place), because it runs in circles, or because all checks
//! are behind.
//!
//! Where only some checks count ([`Checks`]), those of other functions do not fail: a side of a branch that
//! leads into nothing but one that always does (`if (!ok) abort_with_error();`) is not taken, so that what
//! such a check depends on is not needed. Executions that fail it are the business of the part it belongs to.

use crate::failing::Failing;
use crate::reach::{Reach, is_branch};
use crate::{Checks, is_poisoned};
use ir::{Cfa, EdgeId, FuncId, NodeId, Op, Program};

pub struct Ahead<'a> {
    reach: &'a Reach,
    /// By function and node: is a check reached before the function returns? Empty for functions without such
    /// nodes.
    inside: Vec<Vec<bool>>,
    /// By function: does a check lie ahead of its return?
    after: Vec<bool>,
    failing: &'a Failing,
}

impl<'a> Ahead<'a> {
    pub fn of(program: &Program, reach: &'a Reach, failing: &'a Failing, checks: &Checks) -> Ahead<'a> {
        let after = vec![false; program.functions.len()];
        let mut ahead = Ahead { reach, inside: vec![Vec::new(); after.len()], after, failing };
        ahead.before_returns(program, checks);
        ahead.behind_calls(program);
        ahead
    }

    /// Is this the side of a branch that counts as impossible?
    pub fn is_avoided(&self, cfa: &Cfa, f: FuncId, edge: EdgeId) -> bool {
        let ir::Edge { from, to, .. } = *cfa.edge(edge);
        self.failing.node(f, to)
            && is_branch(cfa, from)
            && self.of_node(f, from)
            && !self.of_node(f, to)
            && cfa.out(from).iter().all(|e| e.to == to || !self.failing.node(f, e.to))
    }

    /// Does a check lie ahead of this node?
    pub fn of_node(&self, f: FuncId, node: NodeId) -> bool {
        let inside = self.inside[f.0 as usize].get(node.0 as usize) == Some(&true);
        inside || self.after[f.0 as usize] && self.reach.returns(f, node)
    }

    /// Does a check lie ahead of the function's entry?
    pub fn of_function(&self, program: &Program, f: FuncId) -> bool {
        program.function(f).cfa().is_some_and(|cfa| self.of_node(f, cfa.entry))
    }

    /// Is a check reached from somewhere in this function before it returns?
    pub fn is_inside(&self, f: FuncId) -> bool {
        !self.inside[f.0 as usize].is_empty()
    }

    fn before_returns(&mut self, program: &Program, checks: &Checks) {
        let reach = self.reach;
        let mut work = Vec::new();
        for f in reach.functions().filter(|f| checks.contains(*f)) {
            let Some(cfa) = program.function(f).cfa() else { continue };
            goals(program, reach, f).for_each(|id| self.mark(cfa, f, cfa.edge(id).from, &mut work));
        }
        while let Some((f, node)) = work.pop() {
            let Some(cfa) = program.function(f).cfa() else { continue };
            if node == cfa.entry {
                for &(caller, edge) in reach.callers(f) {
                    let Some(cfa) = program.function(caller).cfa() else { continue };
                    self.mark(cfa, caller, cfa.edge(edge).from, &mut work);
                }
            }
            for &id in reach.entering(f, node) {
                self.mark(cfa, f, cfa.edge(id).from, &mut work);
            }
        }
    }

    fn mark(&mut self, cfa: &Cfa, f: FuncId, node: NodeId, work: &mut Vec<(FuncId, NodeId)>) {
        if !self.reach.node(f, node) {
            return;
        }
        let nodes = &mut self.inside[f.0 as usize];
        if nodes.is_empty() {
            nodes.resize(cfa.node_count() as usize, false);
        }
        if !std::mem::replace(&mut nodes[node.0 as usize], true) {
            work.push((f, node));
        }
    }

    fn behind_calls(&mut self, program: &Program) {
        let reach = self.reach;
        let mut work: Vec<FuncId> = reach.functions().filter(|f| self.is_inside(*f)).collect();
        while let Some(f) = work.pop() {
            let Some(cfa) = program.function(f).cfa() else { continue };
            for (id, targets) in reach.calls(f) {
                if !reach.passes(f, *id) || !self.of_node(f, cfa.edge(*id).to) {
                    continue;
                }
                for &g in targets {
                    if !std::mem::replace(&mut self.after[g.0 as usize], true) {
                        work.push(g);
                    }
                }
            }
        }
    }
}

/// What fails here if anything does: checks, and calls of what could not be translated.
pub fn goals<'a>(program: &'a Program, reach: &'a Reach, f: FuncId) -> impl Iterator<Item = EdgeId> + 'a {
    let edges = program.function(f).cfa().map_or(&[][..], |cfa| cfa.edges());
    let checks = (0..)
        .map(EdgeId)
        .zip(edges)
        .filter(move |(_, edge)| matches!(edge.op, Op::Check { .. }) && reach.node(f, edge.from));
    let unknown =
        reach.calls(f).iter().filter(|(_, targets)| targets.iter().any(|&g| is_poisoned(program, g)));
    checks.map(|(id, _)| id).chain(unknown.map(|(id, _)| *id))
}
