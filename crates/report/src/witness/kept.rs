//! What a proof about a slice says about the program itself.
//!
//! A slice has the failures of the program, not all of its states: what no check depends on has other values
//! there, loops without consequences are left at once, functions whose results nobody needs are called less
//! often. An invariant of the slice holds in the program if the place is reached in both in the same way (the
//! function is called as often, something in the loop was kept, and so was everything that decides whether
//! that happens), and if it speaks of variables only whose every assignment was kept. Where no check lies
//! ahead the slice ends; nothing that happens there comes back to a place from which one does.

use super::scope::Named;
use engine::Subject;
use ir::{CallGraph, Cfa, EdgeId, ExprKind, FuncId, LoopForest, LoopId, NodeId, Op, Program, Var};
use slice::Checks;
use std::borrow::Cow;
use std::collections::HashSet;

pub struct Kept<'s> {
    sliced: Cow<'s, Program>,
    /// Functions that the slice calls less often.
    missed: HashSet<FuncId>,
    /// Variables that may have other values in the slice.
    locals: HashSet<(FuncId, u32)>,
    globals: HashSet<u32>,
}

impl<'s> Kept<'s> {
    pub fn of(subject: &'s Subject, checks: &Checks) -> Kept<'s> {
        let (program, entry) = (subject.program, subject.entry);
        let sliced = match *checks == subject.checks {
            true => Cow::Borrowed(subject.sliced()),
            false => Cow::Owned(subject.slice_for(checks)),
        };
        let mut kept =
            Kept { sliced, missed: HashSet::new(), locals: HashSet::new(), globals: HashSet::new() };
        let graph = subject.graph();
        let mut removed = Vec::new();
        for f in graph.reachable(&[entry]) {
            kept.function(program, f, graph, &mut removed);
        }
        // What is called by what is missed is missed, too.
        let missed: Vec<FuncId> = kept.missed.iter().copied().collect();
        kept.missed.extend(graph.reachable(&missed));
        for f in graph.reachable(&removed) {
            let Some(cfa) = program.function(f).cfa() else { continue };
            let written = cfa.edges().iter().filter_map(|edge| edge.op.written());
            kept.globals.extend(written.filter_map(|var| match var {
                Var::Global(id) => Some(id.0),
                Var::Local(_) => None,
            }));
        }
        kept
    }

    fn function(&mut self, program: &Program, f: FuncId, graph: &CallGraph, removed: &mut Vec<FuncId>) {
        let Some(cfa) = program.function(f).cfa() else { return };
        let reached = self.sliced.function(f).cfa().map(reached);
        if reached.is_none() {
            self.missed.insert(f);
        }
        for (i, edge) in cfa.edges().iter().enumerate() {
            let id = EdgeId(i as u32);
            let new = match (&reached, self.sliced.function(f).cfa()) {
                (Some(reached), Some(sliced)) if reached[edge.from.0 as usize] => {
                    sliced.edges().get(i).map(|edge| edge.op.clone())
                }
                _ => None,
            };
            let ends = new.as_ref().is_some_and(|op| is_end(op) && *op != edge.op);
            let same = match (&edge.op, &new) {
                (Op::Call { dst, .. }, Some(Op::Call { dst: new, .. })) => {
                    dst == new && self.returns_the_same(program, graph, f, id)
                }
                (op, Some(new)) => op == new,
                (_, None) => false,
            };
            match edge.op.written() {
                Some(Var::Local(local)) if !same && !ends => {
                    self.locals.insert((f, local.0));
                }
                Some(Var::Global(global)) if !same && !ends => {
                    self.globals.insert(global.0);
                }
                _ => {}
            }
            let Op::Call { args, .. } = &edge.op else { continue };
            let targets = graph.site(f, id).map(|site| site.targets.clone()).unwrap_or_default();
            match &new {
                Some(Op::Call { args: new, .. }) => {
                    let changed = args.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new);
                    for (i, _) in changed {
                        self.locals.extend(targets.iter().map(|t| (*t, i as u32)));
                    }
                }
                _ => {
                    self.missed.extend(&targets);
                    if !ends {
                        removed.extend(&targets);
                    }
                }
            }
        }
    }

    fn returns_the_same(&self, program: &Program, graph: &CallGraph, f: FuncId, call: EdgeId) -> bool {
        let targets = graph.site(f, call).map(|site| site.targets.as_slice()).unwrap_or_default();
        targets.iter().all(|t| match (program.function(*t).cfa(), self.sliced.function(*t).cfa()) {
            (Some(old), Some(new)) => {
                let returns = |op: &Op| matches!(op, Op::Return(_));
                old.edges().iter().zip(new.edges()).all(|(old, new)| !returns(&old.op) || old.op == new.op)
            }
            (None, _) => true,
            (Some(_), None) => false,
        })
    }

    /// Does what holds of a loop of the slice whenever it begins a round hold in the program, too?
    pub fn loop_is_kept(&self, program: &Program, f: FuncId, forest: &LoopForest, id: LoopId) -> bool {
        if self.missed.contains(&f) {
            return false;
        }
        let (Some(old), Some(new)) = (program.function(f).cfa(), self.sliced.function(f).cfa()) else {
            return false;
        };
        let reached = reached(new);
        let inside = |node: NodeId| forest.contains(id, node);
        old.edges().iter().zip(new.edges()).any(|(old, new)| {
            let nothing = matches!(new.op, Op::Skip | Op::Return(_) | Op::Halt(_)) || is_end(&new.op);
            !nothing && old.op == new.op && reached[old.from.0 as usize] && inside(old.from) && inside(old.to)
        })
    }

    pub fn variable_is_kept(&self, f: FuncId, variable: Named) -> bool {
        match variable {
            Named::Local(local) => !self.locals.contains(&(f, local)),
            Named::Global(global) => !self.globals.contains(&global),
        }
    }
}

/// Where a slice stops.
fn is_end(op: &Op) -> bool {
    matches!(op, Op::Assume { cond, holds } if matches!(cond.kind, ExprKind::Const(value) if (value != 0) != *holds))
}

/// The nodes that can be reached without going where a constant forbids it.
fn reached(cfa: &Cfa) -> Vec<bool> {
    ir::graph::reachable(cfa.node_count() as usize, [cfa.entry], |node| {
        cfa.out(node).iter().filter(|edge| !is_end(&edge.op)).map(|edge| edge.to)
    })
}
