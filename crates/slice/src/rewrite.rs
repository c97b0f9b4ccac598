//! The program without what is irrelevant.

use crate::ahead::Ahead;
use crate::control::Part;
use crate::depend::Relevance;
use crate::reach::{Reach, is_branch};
use crate::{Figures, Share, Sliced, with_bodies};
use ir::graph::{self, Predecessors, distances};
use ir::{Body, Callee, Cfa, Edge, EdgeId, Expr, FuncId, NodeId, Op, Program, Type};

/// `copy` is one without what never runs, if there is one.
pub fn rewrite(
    program: &Program,
    copy: Option<Program>,
    reach: &Reach,
    ahead: &Ahead,
    relevance: &Relevance,
) -> Sliced {
    let mut removed = Figures::default();
    let called = called(program.functions.len(), reach, relevance);
    let mut sliced = copy.unwrap_or_else(|| with_bodies(program, |f| called[f.0 as usize]));
    for f in program.function_ids() {
        let Some(cfa) = program.function(f).cfa() else { continue };
        if !reach.runs(f) {
            removed.unreachable += 1;
            continue;
        }
        let rewriter = Rewriter { program, cfa, f, reach, ahead, relevance };
        removed.functions.count(!called[f.0 as usize]);
        rewriter.count(&mut removed);
        match &mut sliced.functions[f.0 as usize].body {
            body if !called[f.0 as usize] => *body = Body::Extern,
            Body::Defined(cfa) => rewriter.edits().into_iter().for_each(|(id, op)| *cfa.edge_mut(id) = op),
            _ => {}
        }
    }
    Sliced { program: sliced, removed }
}

impl Share {
    fn count(&mut self, removed: bool) {
        self.of += 1;
        self.removed += u32::from(removed);
    }
}

/// By function: can calls that were kept run it?
fn called(count: usize, reach: &Reach, relevance: &Relevance) -> Vec<bool> {
    graph::reachable(count, [reach.entry], |f| {
        let kept = reach.calls(f).iter().filter(move |(id, _)| relevance.edge(f, *id));
        kept.flat_map(|(_, targets)| targets.iter().copied())
    })
}

struct Rewriter<'a> {
    program: &'a Program,
    cfa: &'a Cfa,
    f: FuncId,
    reach: &'a Reach,
    ahead: &'a Ahead,
    relevance: &'a Relevance,
}

impl Rewriter<'_> {
    /// The operations that change.
    fn edits(&self) -> Vec<(EdgeId, Op)> {
        let cfa = self.cfa;
        let part = Part::of(cfa, self.reach, self.ahead, self.f);
        let live = |node: NodeId| part.live(node);
        let to_end = part.distances();
        let to_block = self.to_block(live);
        let mut edits = Vec::new();
        for node in cfa.nodes() {
            if let [_, _] = cfa.out(node) {
                let ids: Vec<EdgeId> = cfa.out_ids(node).collect();
                if is_branch(cfa, node) && !ids.iter().any(|id| self.relevance.edge(self.f, *id)) {
                    let distance = if live(node) { &to_end } else { &to_block };
                    let holds = distance[ids[0].0 as usize] <= distance[ids[1].0 as usize];
                    let cond = Expr::bool(holds);
                    edits.push((ids[0], Op::Assume { cond: cond.clone(), holds: true }));
                    edits.push((ids[1], Op::Assume { cond, holds: false }));
                }
                continue;
            }
            for (id, edge) in cfa.out_ids(node).zip(cfa.out(node)) {
                let op = if live(node) { self.live(id, &edge.op) } else { dead(&edge.op) };
                edits.extend(op.filter(|op| *op != edge.op).map(|op| (id, op)));
            }
        }
        edits
    }

    /// By edge, where no check is ahead: how many branches there are before an operation, at which the
    /// execution may end.
    fn to_block(&self, live: impl Fn(NodeId) -> bool) -> Vec<u32> {
        let count = self.cfa.node_count() as usize;
        let dead = self.cfa.edges().iter().filter(|e| !live(e.from));
        let entering = Predecessors::of(count, dead.map(|edge| (edge.from, edge.to)));
        let blocks = self.cfa.nodes().filter(|&n| !live(n) && self.cfa.out(n).len() <= 1);
        let distance = distances(count, blocks, |node| entering.of_vertex(node));
        self.cfa.edges().iter().map(|edge| distance[edge.to.0 as usize]).collect()
    }

    /// What becomes of an operation from which a check is ahead; none if nothing does.
    fn live(&self, id: EdgeId, op: &Op) -> Option<Op> {
        let relevant = self.relevance.edge(self.f, id);
        match op {
            Op::Return(Some(e)) if !relevant => Some(Op::Return(Some(anything(e.ty)))),
            Op::Return(_) => None,
            Op::Halt(_) => dead(op),
            Op::Call { dst, callee, args } if relevant => {
                let targets = self.reach.targets(self.f, id);
                let needed = |i: usize| {
                    targets.iter().any(|&g| match self.program.function(g).cfa() {
                        Some(_) => self.relevance.argument(self.program, g, i),
                        // An output function may look at all of them, and so may one that can change what
                        // they lead to.
                        None => self.program.function(g).havocs || interp::is_modelled(self.program, g),
                    })
                };
                let args = args.iter().enumerate();
                let args =
                    args.map(|(i, arg)| if needed(i) { arg.clone() } else { anything(arg.ty) }).collect();
                // Which functions a pointer may call depends on whether there is a result.
                let keeps = matches!(callee, Callee::Indirect(_)) || self.relevance.result_of(self.f, id);
                Some(Op::Call { dst: dst.filter(|_| keeps), callee: callee.clone(), args })
            }
            _ if relevant => None,
            _ => Some(Op::Skip),
        }
    }

    fn count(&self, figures: &mut Figures) {
        for (i, edge) in self.cfa.edges().iter().enumerate() {
            if !self.reach.node(self.f, edge.from) {
                continue;
            }
            let gone = self.is_gone(EdgeId(i as u32), edge);
            match edge.op {
                Op::Skip | Op::Return(_) | Op::Halt(_) => {}
                Op::Assume { holds, .. } if is_branch(self.cfa, edge.from) => {
                    if holds {
                        figures.branches.count(gone);
                    }
                }
                Op::Call { .. } => figures.calls.count(gone),
                _ => figures.operations.count(gone),
            }
        }
    }

    /// Does [`Rewriter::edits`] put something else in the place of this operation?
    fn is_gone(&self, id: EdgeId, edge: &Edge) -> bool {
        let node = edge.from;
        if let [_, _] = self.cfa.out(node) {
            let relevant = |id| self.relevance.edge(self.f, id);
            return is_branch(self.cfa, node) && !self.cfa.out_ids(node).any(relevant);
        }
        match self.ahead.of_node(self.f, node) {
            true => !self.relevance.edge(self.f, id),
            false => dead(&edge.op).is_some_and(|op| op != edge.op),
        }
    }
}

/// Nothing that happens here matters to a check any more, so the execution may end.
fn dead(op: &Op) -> Option<Op> {
    Some(match op {
        Op::Return(value) => Op::Return(value.as_ref().map(|e| anything(e.ty))),
        Op::Halt(code) => Op::Halt(code.as_ref().map(|e| anything(e.ty))),
        _ => Op::Assume { cond: Expr::bool(false), holds: true },
    })
}

fn anything(ty: Type) -> Expr {
    Expr::int(ty, 0)
}
