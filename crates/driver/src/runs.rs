//! Violations of earlier versions, run again.
//!
//! A bug stays until somebody finds its cause, and most revisions until then are about something else. So the answers that made one version fail
//! are kept, and the next one is run with them before any engine is asked: it fails again, or nothing is known. Places are known by names
//! (the function, what is asked there, and for the how many-th time in its text), so the answers fit many programs that changed; where they do not, the
//! run ends in another way, and that is all.

use crate::attempt::{Attempt, Claim, Tried};
use crate::confirm::{self, Limits, Violation};
use crate::{Request, history};
use engine::{Counterexample, Decision, Engine, Outcome, Script, Site};
use interp::ObjectKind;
use ir::{Callee, EdgeId, FuncId, GlobalId, HavocKind, LocalId, Op, Program, Var};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
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
    assumptions: Vec<String>,
    steps: u64,
    heap: Vec<u64>,
    answers: Vec<(Place, Vec<u128>)>,
    memory: Vec<(Object, u32, u64, u8)>,
    globals: Vec<(String, u64, u8)>,
    spare: Option<u64>,
}

/// Where something is asked, by names.
#[derive(Serialize, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord, Clone, Debug)]
enum Place {
    /// The function, what is asked, and how many edges before it ask the same.
    Edge(String, String, u32),
    Entry(String, String),
    Param(u32),
    ExternGlobal(String),
}

#[derive(Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
enum Object {
    Global(String),
    Local(String, String),
    VarArgs,
    Heap,
    Stack,
    Outside,
}

/// The violation of the last version, if it is one of this version, too; whoever found it then is taken to have said so.
pub(crate) fn again(engines: &[&dyn Engine], request: &Request) -> Option<(Violation, Tried)> {
    let store = request.store.filter(|_| request.settings.reuse.runs && !request.settings.audit)?;
    let start = Instant::now();
    let key = history::last_key(request)?;
    let record: Record = postcard::from_bytes(&store.get(KIND, &key)?.payload).ok()?;
    let engine = engines.iter().find(|engine| engine.name() == record.engine)?.name();
    request.progress.note("running the last version's violation");
    let limits = Limits { steps: record.steps.saturating_mul(2) + MORE_STEPS, ..Limits::of(request) };
    let claim = Reader::new(request.program).counterexample(&record);
    let violation = confirm::confirm(request.program, request.entry, &claim, &limits).ok()?;
    let decision = Decision {
        about: request.program.function(violation.function).name.to_string(),
        outcome: Outcome::Reused,
        reason: "the run that failed in an earlier version fails here, too".to_owned(),
    };
    let attempt = Attempt { engine, claim: Claim::Unsafe, time: start.elapsed(), figures: Vec::new() };
    let (assumptions, decisions, calls) = (record.assumptions, vec![decision], Vec::new());
    Some((violation, Tried { attempt, assumptions, decisions, calls, certified: None }))
}

/// Keeps a violation for the next version. It is a hint: what cannot be kept is found again.
pub(crate) fn remember(request: &Request, violation: &Violation, tried: &Tried) {
    let Some(store) = request.store else { return };
    let record = write(request.program, violation, tried);
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

fn write(program: &Program, violation: &Violation, tried: &Tried) -> Record {
    let Counterexample { heap, script } = &violation.counterexample;
    let name = |f: FuncId| program.function(f).name.to_string();
    let local = |f: FuncId, l: LocalId| program.function(f).local(l).name.to_string();
    let global = |g: GlobalId| program.global(g).name.to_string();
    let place = |site: &Site| match site {
        Site::Edge(f, edge) => {
            let (what, nth) = asked(program, *f).into_iter().find(|(_, at)| at == edge)?.0;
            Some(Place::Edge(name(*f), what, nth))
        }
        Site::Entry(f, l) => Some(Place::Entry(name(*f), local(*f, *l))),
        Site::Param(i) => Some(Place::Param(*i)),
        Site::ExternGlobal(g) => Some(Place::ExternGlobal(global(*g))),
    };
    let object = |kind: ObjectKind| match kind {
        ObjectKind::Global(g) => Object::Global(global(g)),
        ObjectKind::Local(f, l) => Object::Local(name(f), local(f, l)),
        ObjectKind::VarArgs => Object::VarArgs,
        ObjectKind::Heap => Object::Heap,
        ObjectKind::Stack => Object::Stack,
        ObjectKind::Outside => Object::Outside,
    };
    let answers = script.answers.iter();
    let mut answers: Vec<(Place, Vec<u128>)> =
        answers.filter_map(|(site, list)| Some((place(site)?, list.iter().copied().collect()))).collect();
    answers.sort();
    let memory = script.memory.iter();
    let mut memory: Vec<_> =
        memory.map(|((kind, nth, offset), byte)| (object(*kind), *nth, *offset, *byte)).collect();
    memory.sort();
    let globals = script.globals.iter();
    let mut globals: Vec<_> = globals.map(|((g, offset), byte)| (global(*g), *offset, *byte)).collect();
    globals.sort();
    Record {
        engine: tried.attempt.engine.to_owned(),
        assumptions: tried.assumptions.clone(),
        steps: violation.run.steps,
        heap: heap.clone(),
        answers,
        memory,
        globals,
        spare: script.spare,
    }
}

/// From names to what has them now.
struct Reader<'p> {
    program: &'p Program,
    functions: FxHashMap<&'p str, FuncId>,
    globals: FxHashMap<&'p str, GlobalId>,
    edges: FxHashMap<FuncId, FxHashMap<(String, u32), EdgeId>>,
}

impl<'p> Reader<'p> {
    fn new(program: &'p Program) -> Reader<'p> {
        let functions = program.function_ids().map(|f| (&*program.function(f).name, f)).collect();
        let globals = program.globals.iter().zip(0..).map(|(g, i)| (&*g.name, GlobalId(i))).collect();
        Reader { program, functions, globals, edges: FxHashMap::default() }
    }

    fn counterexample(&mut self, record: &Record) -> Counterexample {
        let mut script = Script { spare: record.spare, ..Script::default() };
        for (place, values) in &record.answers {
            if let Some(site) = self.site(place) {
                script.answers.insert(site, values.iter().copied().collect());
            }
        }
        for (object, nth, offset, byte) in &record.memory {
            if let Some(kind) = self.object(object) {
                script.memory.insert((kind, *nth, *offset), *byte);
            }
        }
        for (name, offset, byte) in &record.globals {
            if let Some(global) = self.globals.get(name.as_str()) {
                script.globals.insert((*global, *offset), *byte);
            }
        }
        Counterexample { heap: record.heap.clone(), script }
    }

    fn site(&mut self, place: &Place) -> Option<Site> {
        Some(match place {
            Place::Edge(function, what, nth) => {
                let f = *self.functions.get(function.as_str())?;
                let program = self.program;
                let edges = self.edges.entry(f).or_insert_with(|| asked(program, f).into_iter().collect());
                Site::Edge(f, *edges.get(&(what.clone(), *nth))?)
            }
            Place::Entry(function, name) => {
                let (f, l) = self.local(function, name)?;
                Site::Entry(f, l)
            }
            Place::Param(i) => Site::Param(*i),
            Place::ExternGlobal(name) => Site::ExternGlobal(*self.globals.get(name.as_str())?),
        })
    }

    fn object(&self, object: &Object) -> Option<ObjectKind> {
        Some(match object {
            Object::Global(name) => ObjectKind::Global(*self.globals.get(name.as_str())?),
            Object::Local(function, name) => {
                let (f, l) = self.local(function, name)?;
                ObjectKind::Local(f, l)
            }
            Object::VarArgs => ObjectKind::VarArgs,
            Object::Heap => ObjectKind::Heap,
            Object::Stack => ObjectKind::Stack,
            Object::Outside => ObjectKind::Outside,
        })
    }

    fn local(&self, function: &str, name: &str) -> Option<(FuncId, LocalId)> {
        let f = *self.functions.get(function)?;
        let l = self.program.function(f).locals.iter().position(|l| &*l.name == name)?;
        Some((f, LocalId(l as u32)))
    }
}

/// The edges of a function that may ask: what, and how many before it ask the same.
fn asked(program: &Program, f: FuncId) -> Vec<((String, u32), EdgeId)> {
    let function = program.function(f);
    let Some(cfa) = function.cfa() else { return Vec::new() };
    let variable = |var: &Var| match var {
        Var::Local(l) => &function.local(*l).name,
        Var::Global(g) => &program.global(*g).name,
    };
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    let mut list = Vec::new();
    for (edge, i) in cfa.edges().iter().zip(0..) {
        let what = match &edge.op {
            Op::Havoc { kind: HavocKind::Input(name), .. } => format!("input {name}"),
            Op::Havoc { var, .. } => format!("value of {}", variable(var)),
            Op::Call { callee: Callee::Direct(g), .. } => format!("call of {}", program.function(*g).name),
            Op::Call { .. } => "call".to_owned(),
            _ => continue,
        };
        let nth = seen.entry(what.clone()).or_default();
        list.push(((what, *nth), EdgeId(i)));
        *nth += 1;
    }
    list
}
