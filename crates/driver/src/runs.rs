//! Violations of earlier versions, run again.
//!
//! A bug stays until somebody finds its cause, and most revisions until then are about something else. So the
//! answers that made one version fail are kept, and the next one is run with them before any engine is asked:
//! it fails again, or nothing is known. What is asked is known by names ([`names`]), so the answers fit many
//! programs that changed; where they do not, the run ends in another way, and that is all.
//!
//! Memory is first taken to hold the same bytes. If the run then ends in another way, runs like it are tried
//! ([`told`]).

mod names;
mod told;

use crate::attempt::{Attempt, AttemptResult, Claim};
use crate::confirm::{self, Limits, Violation};
use crate::{Request, history};
use engine::{Counterexample, Decision, Engine, InputVector, Outcome, Site};
use interp::{ByteId, ConsumedInput};
use ir::Program;
use names::{By, Finder, Namer, Object, Place};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Instant;
use store::{Artefact, Key};

const KIND: &str = "violation";
/// A run that fails again takes about as many steps as before; so many more are worth it.
const MORE_STEPS: u64 = 100_000;
/// Larger ones are found again.
const MOST_BYTES: usize = 64 << 10;

#[derive(Serialize, Deserialize)]
struct Record {
    engine: String,
    steps: u64,
    heap: Vec<u64>,
    answers: Vec<(Place, Vec<u128>)>,
    /// Object, number, changes, offset, byte.
    memory: Vec<(Object, u32, u32, u64, u8)>,
    globals: Vec<(String, u64, u8)>,
    /// What was never written, by where it is read.
    reads: Vec<(Place, Vec<u128>)>,
    spare: Option<u64>,
}

/// The violation of the last version, if it is one of this version, too; whoever found it then is taken to
/// have said so.
pub(crate) fn again(engines: &[&dyn Engine], request: &Request) -> Option<(Violation, AttemptResult)> {
    let store = request.store.filter(|_| request.settings.reuse.runs && !request.settings.audit)?;
    let start = Instant::now();
    let key = history::last_key(request);
    let record: Record = postcard::from_bytes(&store.get(KIND, &key)?.payload).ok()?;
    let engine = engines.iter().find(|engine| engine.name() == record.engine)?.name();
    request.progress.note("running the last version's violation");
    let limits = Limits { steps: record.steps.saturating_mul(2) + MORE_STEPS, ..Limits::of(request) };
    let mut finder = Finder::new(request.subject.program);
    let claim = counterexample(&mut finder, &record);
    let violation = match confirm::confirm(request.subject.program, request.subject.entry, &claim, &limits) {
        Ok(violation) => violation,
        Err(_) => {
            let claim = told::told(request, &mut finder, &record, claim, &limits)?;
            confirm::confirm(request.subject.program, request.subject.entry, &claim, &limits).ok()?
        }
    };
    let decision = Decision {
        about: request.subject.program.function(violation.function).name.to_string(),
        outcome: Outcome::Reused,
        reason: "the run that failed in an earlier version fails here, too".to_owned(),
    };
    let attempt = Attempt::new(engine, Claim::Unsafe, start.elapsed());
    let (decisions, calls) = (vec![decision], Vec::new());
    Some((violation, AttemptResult { attempt, undefined: None, decisions, calls, certified: None }))
}

/// Keeps a violation for the next version. It is a hint: what cannot be kept is found again.
pub(crate) fn remember(request: &Request, violation: &Violation, tried: &AttemptResult) {
    let Some(store) = request.store else { return };
    let record = write(request.subject.program, violation, tried);
    let Ok(bytes) = postcard::to_stdvec(&record) else { return };
    if bytes.len() > MOST_BYTES {
        return;
    }
    let is_known = |key: &Key| store.get(KIND, key).is_some_and(|artefact| artefact.payload == bytes);
    let new = history::keys(request).into_iter().filter(|key| !is_known(key));
    let records: Vec<Artefact> =
        new.map(|key| Artefact::new(KIND, key, bytes.clone()).label(request.label)).collect();
    let _ = store.put_all(&records);
}

fn write(program: &Program, violation: &Violation, tried: &AttemptResult) -> Record {
    let Counterexample { heap, inputs: vector } = &violation.counterexample;
    let mut namer = Namer::new(program);
    let mut answers: Vec<(Place, Vec<u128>)> = Vec::new();
    for (site, list) in &vector.answers {
        let place = match site {
            Site::Edge(f, edge) => namer.edge(By::Question, *f, *edge),
            Site::Entry(f, l) => Some(Place::Entry(namer.function(*f), namer.local(*f, *l))),
            Site::Param(i) => Some(Place::Param(*i)),
            Site::ExternGlobal(g) => Some(Place::ExternGlobal(namer.global(*g))),
            Site::Changed(f, edge, g) => {
                let at = namer.edge(By::Question, *f, *edge);
                at.and_then(|at| at.of(namer.global(*g)))
            }
        };
        answers.extend(place.map(|place| (place, list.iter().copied().collect())));
    }
    answers.sort();
    let memory = vector.memory.iter();
    let mut memory: Vec<_> =
        memory.map(|(id, byte)| (namer.object(id.kind), id.nth, id.changes, id.offset, *byte)).collect();
    memory.sort();
    let globals = vector.globals.iter();
    let mut globals: Vec<_> = globals.map(|((g, offset), byte)| (namer.global(*g), *offset, *byte)).collect();
    globals.sort();
    Record {
        engine: tried.attempt.engine.to_owned(),
        steps: violation.run.steps,
        heap: heap.clone(),
        answers,
        memory,
        globals,
        reads: reads(&mut namer, violation),
        spare: vector.spare,
    }
}

/// What each place read, in order; not where all of it is what is read if nobody says anything.
fn reads(namer: &mut Namer, violation: &Violation) -> Vec<(Place, Vec<u128>)> {
    let vector = &violation.counterexample.inputs;
    let mut all: BTreeMap<Place, (Vec<u128>, bool)> = BTreeMap::new();
    for ConsumedInput { request, value } in &violation.run.inputs {
        let Some((f, edge)) = told::reader(request) else { continue };
        let Some(place) = namer.edge(By::Shape, f, edge) else { continue };
        let (values, matters) = all.entry(place).or_default();
        values.push(*value);
        *matters |= *value != vector.undetermined(request.ty);
    }
    all.into_iter().filter(|(_, (_, matters))| *matters).map(|(place, (values, _))| (place, values)).collect()
}

/// The answers of a record, as far as this program asks for them.
fn counterexample(finder: &mut Finder, record: &Record) -> Counterexample {
    let mut vector = InputVector { spare: record.spare, ..InputVector::default() };
    for (place, values) in &record.answers {
        let site = match place {
            Place::Edge(function, what, nth) => {
                finder.edge(By::Question, function, what, *nth).map(|(f, edge)| Site::Edge(f, edge))
            }
            Place::Entry(function, name) => finder.local(function, name).map(|(f, l)| Site::Entry(f, l)),
            Place::Param(i) => Some(Site::Param(*i)),
            Place::ExternGlobal(name) => finder.global(name).map(Site::ExternGlobal),
            Place::Changed(function, what, nth, name) => finder
                .edge(By::Question, function, what, *nth)
                .zip(finder.global(name))
                .map(|((f, edge), global)| Site::Changed(f, edge, global)),
        };
        if let Some(site) = site {
            vector.answers.insert(site, values.iter().copied().collect());
        }
    }
    for &(ref object, nth, changes, offset, byte) in &record.memory {
        if let Some(kind) = finder.object(object) {
            vector.memory.insert(ByteId { kind, nth, changes, offset }, byte);
        }
    }
    for (name, offset, byte) in &record.globals {
        if let Some(global) = finder.global(name) {
            vector.globals.insert((global, *offset), *byte);
        }
    }
    Counterexample { heap: record.heap.clone(), inputs: vector }
}
