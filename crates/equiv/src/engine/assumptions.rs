//! What a proof of equivalence takes for granted, where it matters.

use crate::verdict::Request;
use engine::Assumption;
use ir::{AllocKind, Body, CallGraph, ExprKind, FuncId, LoopForest, Mark, Op, Program, Storage, Var};
use std::collections::BTreeSet;
use std::sync::Arc;

/// More globals than this are counted, not named.
const NAMED: usize = 4;

pub fn assumptions(request: &Request) -> Vec<String> {
    let mut found = Found::default();
    for (program, function) in
        [(request.pair.old, request.functions[0]), (request.pair.new, request.functions[1])]
    {
        found.look_at(program, function);
    }
    let mut list: Vec<String> = Vec::new();
    for name in &found.externs {
        list.push(format!(
            "{name} has no body: with the same arguments in the same state it does the same in both versions"
        ));
    }
    // A whole program is all there is.
    let part = &*request.pair.old.function(request.functions[0]).name != "main";
    let may_meet = found.stores && !found.globals.is_empty() || found.loads && found.writes_globals;
    if part && may_meet {
        let mut names: Vec<&str> = found.globals.iter().map(|n| &**n).collect();
        let more = names.len().saturating_sub(NAMED);
        names.truncate(NAMED);
        let more = if more > 0 { format!(" and {more} others") } else { String::new() };
        list.push(format!(
            "no pointer from outside points to {}{more}: the program does not take such an address",
            names.join(", ")
        ));
    }
    if found.repeats {
        list.push("both versions end: whether they do is not compared".to_owned());
    }
    if found.frees {
        list.push("what is freed is not compared".to_owned());
    }
    if found.allocates {
        list.push(Assumption::Allocation.text(true));
    }
    if found.ends_at_once {
        list.push(
            "what is in the library's buffers at _exit is written, and a trap ends like abort".to_owned(),
        );
    }
    for (names, kind) in
        [(found.weak, Assumption::Weak as fn(_) -> _), (found.one_answer, Assumption::OneAnswer)]
    {
        if !names.is_empty() {
            list.push(kind(names.into_iter().collect()).text(true));
        }
    }
    if found.volatile {
        list.push("accesses to volatile objects are not compared".to_owned());
    }
    list
}

/// What the code that can run does.
#[derive(Default)]
struct Found {
    /// Functions without a body that are called.
    externs: BTreeSet<String>,
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
    globals: BTreeSet<String>,
    writes_globals: bool,
}

impl Found {
    fn look_at(&mut self, program: &Program, function: FuncId) {
        let graph = CallGraph::of(program);
        for f in graph.reachable(&[function]) {
            let called = program.function(f);
            if matches!(called.body, Body::Extern) && !crate::side::MARKS.contains(&&*called.name) {
                self.externs.insert(called.name.to_string());
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
                    self.globals.insert(program.global(id).name.to_string());
                }
                edge.op.exprs().into_iter().for_each(|e| {
                    e.walk(&mut |part| match part.kind {
                        ExprKind::Load(_) => self.loads = true,
                        ExprKind::Global(id)
                            if matches!(program.global(id).storage, Storage::Register(_)) =>
                        {
                            self.globals.insert(program.global(id).name.to_string());
                        }
                        _ => {}
                    });
                });
            }
        }
    }
}
