//! The answer for programs.

use super::access::{self, AccessJson};
use super::error_trace::call_of_library;
use super::events::{Event, Kind};
use super::{Answer, Failure};
use crate::place::{PlaceJson, place_json};
use driver::{Attempt, Certified, Claim};
use engine::{CallState, Decision, Figure, ReasonData};
use interp::{ConsumedInput, InputKind};
use ir::{CheckKind, Program, Type};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
pub struct Document<'a> {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The reason of an unknown verdict, in parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<ReasonData<'a>>,
    /// Nobody knows, as an earlier run with these limits found out.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<KnownJson>,
    exit_code: u8,
    property: Vec<&'static str>,
    entry: &'a str,
    /// Whose verdict it is; `statistics` are its figures.
    engine: &'a str,
    seconds: f64,
    statistics: BTreeMap<&'a str, f64>,
    /// How many slices of programs were made.
    slices: u64,
    /// Who was asked, in this order.
    attempts: Vec<AttemptJson<'a>>,
    /// Was the proof checked by somebody who did not make it? Only of what is safe.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    certified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<CertificateJson<'a>>,
    decisions: &'a [Decision],
    assumptions: Vec<String>,
    calls: Vec<CallJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<CounterexampleJson<'a>>,
    /// Of other checks that fail.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_counterexamples: Vec<CounterexampleJson<'a>>,
    /// What a task definition says.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<bool>,
}

#[derive(Serialize)]
struct KnownJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<u64>,
}

#[derive(Serialize)]
struct AttemptJson<'a> {
    engine: &'a str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    seconds: f64,
    statistics: BTreeMap<&'a str, f64>,
    /// Claims of the engine that were seen to be wrong.
    #[serde(skip_serializing_if = "is_zero")]
    claims_refuted: u32,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[derive(Serialize)]
struct CertificateJson<'a> {
    what: &'a str,
    queries: usize,
    /// Obligations that were shown in an earlier run.
    known: usize,
    seconds: f64,
    /// It was checked in an earlier run, and the program is the same where it matters.
    before: bool,
    assumptions: Vec<String>,
}

#[derive(Serialize)]
struct CallJson<'a> {
    parent: Option<u32>,
    function: &'a str,
    state: CallState,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceJson<'a>>,
}

#[derive(Serialize)]
struct CounterexampleJson<'a> {
    check: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceJson<'a>>,
    /// If the check is in a function of the library: the call that the program makes.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<LibraryCallJson<'a>>,
    /// What was done to memory, if the check is about that.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<AccessJson<'a>>,
    steps: u64,
    inputs: Vec<InputJson<'a>>,
    /// Sizes of objects that exist from the start, outside of the program.
    #[serde(skip_serializing_if = "<[u64]>::is_empty")]
    outside: &'a [u64],
    path: Vec<EventJson<'a>>,
    /// The path has more events than these.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
}

#[derive(Serialize)]
struct LibraryCallJson<'a> {
    function: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceJson<'a>>,
}

#[derive(Serialize)]
struct InputJson<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(rename = "type")]
    ty: String,
    value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceJson<'a>>,
}

#[derive(Serialize)]
struct EventJson<'a> {
    kind: Kind,
    function: &'a str,
    depth: u32,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    remark: &'a str,
    matters: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceJson<'a>>,
}

/// Longer lists help nobody and fill disks.
const MOST_EVENTS: usize = 20_000;

pub fn document<'a>(answer: &'a Answer) -> Document<'a> {
    let outcome = &answer.outcome;
    let program = answer.program;
    let calls = outcome.calls.iter().map(|call| CallJson {
        parent: call.parent,
        function: &call.name,
        state: call.state,
        place: place_json(program, call.pos),
    });
    let mut failures = answer.failures.iter().map(|failure| counterexample(answer, failure));
    Document {
        verdict: answer.verdict(),
        reason: answer.reason(),
        why: answer.unknown().map(|reason| reason.data(program)),
        known: outcome.known.map(|allowed| KnownJson {
            timeout: allowed.time.map(|time| time.as_secs_f64()),
            memory: allowed.memory,
        }),
        exit_code: answer.exit() as u8,
        property: answer.checks.iter().map(|kind: &CheckKind| kind.name()).collect(),
        entry: &program.function(answer.entry).name,
        engine: outcome.engine,
        seconds: answer.time.as_secs_f64(),
        statistics: statistics(&outcome.figures),
        slices: outcome.slices,
        attempts: outcome.attempts.iter().map(|attempt| attempted(answer, attempt)).collect(),
        certified: outcome.certified.is_some(),
        certificate: outcome.certified.as_ref().map(|certified| certificate(answer, certified)),
        decisions: &outcome.decisions,
        assumptions: answer.assumptions(true),
        calls: calls.collect(),
        counterexample: failures.next(),
        other_counterexamples: failures.collect(),
        expected: answer.expected,
    }
}

fn statistics(figures: &[Figure]) -> BTreeMap<&str, f64> {
    figures.iter().map(|figure| (figure.name, figure.value)).collect()
}

fn attempted<'a>(answer: &Answer, attempt: &'a Attempt) -> AttemptJson<'a> {
    let (verdict, reason) = match &attempt.claim {
        Claim::Safe => ("SAFE", None),
        Claim::Unsafe => ("UNSAFE", None),
        Claim::Unknown(reason) => ("UNKNOWN", Some(answer.brief(reason))),
    };
    AttemptJson {
        engine: attempt.engine,
        verdict,
        reason,
        seconds: attempt.time.as_secs_f64(),
        statistics: statistics(&attempt.figures),
        claims_refuted: attempt.refuted,
    }
}

fn certificate<'a>(answer: &Answer, certified: &'a Certified) -> CertificateJson<'a> {
    CertificateJson {
        what: &certified.what,
        queries: certified.queries,
        known: certified.known,
        seconds: certified.time.as_secs_f64(),
        before: certified.before,
        assumptions: answer.checker_assumes(certified),
    }
}

fn counterexample<'a>(answer: &'a Answer, failure: &'a Failure) -> CounterexampleJson<'a> {
    let (program, violation) = (answer.program, failure.violation);
    let call = call_of_library(answer, failure)
        .map(|(pos, function)| LibraryCallJson { function, place: place_json(program, pos) });
    let event = |event: &'a Event| EventJson {
        kind: event.kind,
        function: &program.function(event.function).name,
        depth: event.depth,
        text: &event.text,
        remark: &event.remark,
        matters: event.matters,
        place: place_json(program, event.pos),
    };
    CounterexampleJson {
        check: violation.kind.name(),
        message: violation.message.as_deref(),
        place: place_json(program, violation.pos),
        call,
        memory: violation.access.as_ref().map(|access| access::json(program, access, &failure.life)),
        steps: violation.run.steps,
        inputs: violation.run.inputs.iter().map(|i| input(program, i)).collect(),
        outside: &violation.counterexample.heap,
        path: failure.events.iter().take(MOST_EVENTS).map(event).collect(),
        cut: failure.events.len() > MOST_EVENTS || failure.events.is_empty(),
    }
}

fn input<'a>(program: &'a Program, input: &'a ConsumedInput) -> InputJson<'a> {
    let request = &input.request;
    let local = |id: ir::LocalId| {
        let function = program.function(request.function?);
        function.locals.get(id.0 as usize).map(|local| &*local.name)
    };
    let (kind, name) = match &request.kind {
        InputKind::Input(name) => ("input", Some(&**name)),
        InputKind::Uninit(id) => ("uninitialised", id.and_then(local)),
        InputKind::Asm => ("assembly", None),
        InputKind::ExternReturn(id) => ("result", Some(&*program.function(*id).name)),
        InputKind::ExternGlobal { global, .. } => ("global", Some(&*program.global(*global).name)),
        InputKind::Memory { object: Some(byte), .. } if byte.changes > 0 => ("changed", None),
        InputKind::Memory { .. } => ("memory", None),
        InputKind::Changed { global, .. } => ("changed", Some(&*program.global(*global).name)),
        InputKind::Param(_) => ("parameter", None),
    };
    InputJson {
        kind,
        name,
        ty: request.ty.to_string(),
        value: exact(request.ty, input.value),
        place: place_json(program, request.pos),
    }
}

/// Integers as numbers; floats and pointers as their bits, which lose nothing.
pub fn exact(ty: Type, bits: u128) -> String {
    match ty {
        Type::Int(int) if int.signed => int.value(bits).to_string(),
        Type::Int(_) | Type::Bool => bits.to_string(),
        Type::Float(_) | Type::Ptr => format!("{bits:#x}"),
    }
}
