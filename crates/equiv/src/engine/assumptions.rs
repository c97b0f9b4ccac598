//! What a proof of equivalence takes for granted, where it matters.

use crate::verdict::Request;
use engine::Assumption;
use ir::{AllocKind, Body, CallGraph, ExprKind, FuncId, LoopForest, Mark, Op, Program, Storage, Var};
use std::collections::BTreeSet;
use std::sync::Arc;

pub fn assumptions(request: &Request) -> Vec<Assumption> {
    let mut found = Found::default();
    for (program, function) in request.pair.programs().into_iter().zip(request.functions) {
        found.look_at(program, function);
    }
    let names = |set: BTreeSet<Arc<str>>| set.into_iter().collect::<Vec<_>>();
    let mut list: Vec<Assumption> = found.externs.into_iter().map(Assumption::SameOutside).collect();
    // A whole program is all there is.
    let part = &*request.pair.old.function(request.functions[0]).name != "main";
    let may_meet = found.stores && !found.globals.is_empty() || found.loads && found.writes_globals;
    let (weak, one_answer) = (!found.weak.is_empty(), !found.one_answer.is_empty());
    let others = [
        (part && may_meet, Assumption::NotPointedTo(names(found.globals))),
        (found.repeats, Assumption::BothEnd),
        (found.frees, Assumption::Frees),
        (found.allocates, Assumption::Allocation),
        (found.ends_at_once, Assumption::EndsAtOnce),
        (weak, Assumption::Weak(names(found.weak))),
        (one_answer, Assumption::OneAnswer(names(found.one_answer))),
        (found.volatile, Assumption::VolatileAccesses),
    ];
    list.extend(others.into_iter().filter(|(holds, _)| *holds).map(|(_, assumption)| assumption));
    list
}

/// What the code that can run does.
#[derive(Default)]
struct Found {
    /// Functions without a body that are called.
    externs: BTreeSet<Arc<str>>,
    repeats: bool,
    frees: bool,
    /// Asks for memory, and is always given some.
    allocates: bool,
    ends_at_once: bool,
    /// Functions that use weak symbols.
    weak: BTreeSet<Arc<str>>,
    /// Functions of the library that could answer otherwise.
    one_answer: BTreeSet<Arc<str>>,
    volatile: bool,
    loads: bool,
    stores: bool,
    /// Globals whose address is not taken.
    globals: BTreeSet<Arc<str>>,
    writes_globals: bool,
}

impl Found {
    fn look_at(&mut self, program: &Program, function: FuncId) {
        let graph = CallGraph::of(program);
        for f in graph.reachable(&[function]) {
            let called = program.function(f);
            if matches!(called.body, Body::Extern) && !crate::side::MARKS.contains(&&*called.name) {
                self.externs.insert(called.name.clone());
            }
            let Some(cfa) = called.cfa() else { continue };
            self.repeats |= graph.is_recursive(f) || !LoopForest::of(cfa).loops().is_empty();
            self.volatile |=
                called.volatile_reads().next().is_some() || called.is_marked(Mark::WritesVolatile);
            self.ends_at_once |= called.is_marked(Mark::EndsAtOnce);
            for (mark, names) in [(Mark::Weak, &mut self.weak), (Mark::OneAnswer, &mut self.one_answer)] {
                if called.is_marked(mark) {
                    names.insert(called.name.clone());
                }
            }
            let may_fail = cfa.edges().iter().any(|edge| engine::asks_for_memory(&edge.op));
            for edge in cfa.edges() {
                self.allocates |= matches!(edge.op, Op::Alloc { kind: AllocKind::Heap, .. }) && !may_fail;
                self.frees |= matches!(edge.op, Op::Free { .. });
                self.stores |= matches!(edge.op, Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. });
                self.loads |= matches!(edge.op, Op::Copy { .. });
                if let Some(Var::Global(id)) = edge.op.written() {
                    self.writes_globals = true;
                    self.globals.insert(program.global(id).name.clone());
                }
                edge.op.exprs().into_iter().for_each(|e| {
                    e.walk(&mut |part| match part.kind {
                        ExprKind::Load(_) => self.loads = true,
                        ExprKind::Global(id)
                            if matches!(program.global(id).storage, Storage::Register(_)) =>
                        {
                            self.globals.insert(program.global(id).name.clone());
                        }
                        _ => {}
                    });
                });
            }
        }
    }
}
