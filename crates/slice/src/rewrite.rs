//! The program without what is irrelevant.

use crate::Slicer;
use crate::ahead::Ahead;
use crate::control::Part;
use crate::depend::Relevance;
use crate::reach::{Reach, is_branch};
use ir::graph::{self, Predecessors, distances};
use ir::{Body, Callee, Cfa, Edge, EdgeId, Expr, FuncId, Function, LoopForest, NodeId, Op, Program, Type};
use std::cell::OnceCell;
use std::sync::Arc;

pub fn rewrite(slicer: &Slicer, ahead: &Ahead, relevance: &Relevance) -> Program {
    let Slicer { program, reach, .. } = slicer;
    let called = called(program.functions.len(), reach, relevance);
    let mut sliced = slicer.with_bodies(|f| called[f.0 as usize]);
    for f in program.function_ids().filter(|f| called[f.0 as usize] && reach.runs(*f)) {
        let Some(cfa) = program.function(f).cfa() else { continue };
        let rewriter = Rewriter { program, cfa, f, reach, ahead, relevance };
        let edits = rewriter.edits();
        if !edits.is_empty() {
            let end = rewriter.end();
            let mut cfa = cfa.with_ops(edits);
            if let Some((end, dead)) = end {
                dead.into_iter().for_each(|id| cfa.redirect(id, end));
            }
            cfa.bypass_skips();
            let bare = ir::Function::clone(slicer.bare(f));
            sliced.functions[f.0 as usize] = Arc::new(Function { body: Body::Defined(cfa), ..bare });
        }
    }
    sliced
}

/// By function: can calls that were kept run it?
pub fn called(count: usize, reach: &Reach, relevance: &Relevance) -> Vec<bool> {
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
    ahead: &'a Ahead<'a>,
    relevance: &'a Relevance,
}

impl Rewriter<'_> {
    /// The operations that change, by edge.
    fn edits(&self) -> Vec<(EdgeId, Op)> {
        let cfa = self.cfa;
        let live = |node: NodeId| self.ahead.of_node(self.f, node);
        let to_end = OnceCell::new();
        let to_end = || to_end.get_or_init(|| Part::of(cfa, self.reach, self.ahead, self.f).distances());
        let to_block = OnceCell::new();
        let to_block = || to_block.get_or_init(|| self.to_block(live));
        let mut edits = Vec::new();
        for node in cfa.nodes() {
            if let [_, _] = cfa.out(node) {
                let ids: Vec<EdgeId> = cfa.out_ids(node).collect();
                if is_branch(cfa, node) && !ids.iter().any(|id| self.relevance.edge(self.f, *id)) {
                    let distance: &[u32] = if live(node) { to_end() } else { to_block() };
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

    /// Where executions end because no check is ahead, what would come is nothing to the slice: those edges can
    /// lead to a return. None where that would make loops disappear, which are known by their numbers.
    fn end(&self) -> Option<(NodeId, Vec<EdgeId>)> {
        let live = |node: NodeId| self.ahead.of_node(self.f, node);
        let returns = |node: &NodeId| matches!(self.cfa.out(*node), [Edge { op: Op::Return(_), .. }]);
        let end = self.cfa.nodes().find(|node| !live(*node) && returns(node))?;
        if LoopForest::of(self.cfa).loops().iter().any(|l| !live(l.header)) {
            return None;
        }
        let ends =
            |edge: &Edge| !live(edge.from) && !is_branch(self.cfa, edge.from) && dead(&edge.op).is_some();
        let ends = |edge: &Edge| ends(edge) && edge.to != self.cfa.exit && self.cfa.out(edge.from).len() == 1;
        let edges = (0..).map(EdgeId).zip(self.cfa.edges()).filter(|(_, edge)| ends(edge));
        Some((end, edges.map(|(id, _)| id).collect()))
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
