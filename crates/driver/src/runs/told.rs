//! Runs like one that failed in an earlier version.
//!
//! Each place that reads memory is told what it was told before, wherever that memory lies now: structs may
//! have got other fields. And where a run still does not fail, one of the numbers that it asked for may have
//! another meaning: what a harness calls is often chosen by a number, and a new function in between shifts
//! those behind it. So for each number, the constants are tried that its function compares with.

use super::Record;
use super::names::{By, Finder, Place};
use crate::Request;
use crate::confirm::{self, Limits};
use engine::{Counterexample, InputVector};
use interp::{ConsumedInput, InputKind, InputRequest, Inputs, Interp, Outcome, Run};
use ir::{BinOp, EdgeId, ExprKind, FuncId, Program, Type};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};

/// What is tried if a run does not fail: so many others, with so many steps altogether.
const MOST_RUNS: usize = 200;
const MOST_STEPS: u64 = 500_000;

/// A run that fails, if one is found.
pub(super) fn told(
    request: &Request,
    finder: &mut Finder,
    record: &Record,
    mut claim: Counterexample,
    limits: &Limits,
) -> Option<Counterexample> {
    claim.inputs.memory.clear();
    claim.inputs.globals.clear();
    let mut reads: Reads = FxHashMap::default();
    for (place, values) in &record.reads {
        let Place::Edge(function, what, nth) = place else { continue };
        if let Some(at) = finder.edge(By::Shape, function, what, *nth) {
            reads.insert(at, values.iter().copied().collect());
        }
    }
    let options =
        interp::Options { record_inputs: true, ..confirm::options(request.subject.entry, &claim, limits) };
    let mut interp = Interp::new(request.subject.program, options).ok()?;
    let mut steps = 0;
    let mut run = |instead: Option<(u64, u128)>| {
        let mut told = Told { reads: reads.clone(), inputs: claim.inputs.clone(), instead };
        let run = (steps < MOST_STEPS).then(|| interp.run(&mut told, &limits.budget))?;
        steps += run.steps;
        Some(run)
    };
    let fails = |run: &Run| matches!(run.outcome, Outcome::CheckFailed { .. });
    let first = run(None)?;
    let others = others(request.subject.program, &first);
    let failed = match fails(&first) {
        true => first,
        false => others.into_iter().take(MOST_RUNS).map_while(|other| run(Some(other))).find(fails)?,
    };
    let vector = InputVector::of(&failed.inputs, &request.subject.program.target, record.spare);
    Some(Counterexample { inputs: vector, ..claim })
}

/// The edge that asks for the content of memory.
pub(super) fn reader(request: &InputRequest) -> Option<(FuncId, EdgeId)> {
    match request.kind {
        InputKind::Memory { .. } | InputKind::ExternGlobal { .. } => Some((request.function?, request.edge?)),
        _ => None,
    }
}

type Reads = FxHashMap<(FuncId, EdgeId), VecDeque<u128>>;

/// Answers to what memory holds, by who reads it first; to one question something else; to all others what
/// the input vector says.
struct Told {
    reads: Reads,
    inputs: InputVector,
    instead: Option<(u64, u128)>,
}

impl Inputs for Told {
    fn next(&mut self, request: &InputRequest) -> Option<u128> {
        let told = reader(request).and_then(|at| self.reads.get_mut(&at)?.pop_front());
        let answer = told.or_else(|| self.inputs.next(request));
        self.instead.filter(|(index, _)| *index == request.index).map(|(_, value)| value).or(answer)
    }
}

/// Questions for numbers, the last ones first, and other answers to them.
fn others(program: &Program, run: &Run) -> Vec<(u64, u128)> {
    let mut constants: FxHashMap<FuncId, BTreeSet<u128>> = FxHashMap::default();
    let mut list = Vec::new();
    for ConsumedInput { request, value } in run.inputs.iter().rev() {
        let (Type::Int(_), Some(f), None) = (request.ty, request.function, reader(request)) else { continue };
        let known = constants.entry(f).or_insert_with(|| compared(program, f));
        list.extend(known.iter().filter(|other| *other != value).map(|other| (request.index, *other)));
    }
    list
}

/// The constants that a function compares with.
fn compared(program: &Program, f: FuncId) -> BTreeSet<u128> {
    let edges = program.function(f).cfa().map(|cfa| cfa.edges()).unwrap_or_default();
    let mut constants = BTreeSet::new();
    for e in edges.iter().flat_map(|edge| edge.op.exprs()) {
        e.walk(&mut |part| {
            if let ExprKind::Binary(BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le, a, b) = &part.kind {
                constants.extend([a, b].into_iter().filter_map(|side| side.as_const()));
            }
        });
    }
    constants
}
