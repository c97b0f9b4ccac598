//! No program is called safe before its proof was checked by somebody who did not make it.
//!
//! An engine's claim of safety comes with a proof (`engine::Proof`), and `certify` checks it with a solver of its own. That a
//! program was certified is remembered in the store, under the fingerprint of what its proof was about: as long as that stays the same, the
//! check has nothing new to find, and is left out unless the proof itself is asked for or everything is to be audited.

use crate::doubt::is_expressed;
use crate::obligations::Shown;
use crate::plan::Proved;
use crate::{Doubt, Request};
use base::Budget;
use certify::Flaw;
use certify::program::{Nothing, check_proof};
use engine::{Argument, Proof};
use ir::Program;
use ir::fingerprint::{SEMANTICS_VERSION, run_print};
use serde::{Deserialize, Serialize};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use store::{Artefact, Key, Store};

/// What was checked of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certified {
    /// In words: the kind of proof.
    pub what: String,
    /// What the checker takes for granted, one sentence each.
    pub assumptions: Vec<String>,
    /// How many the solver answered.
    pub queries: usize,
    /// How many need not be asked, because they were the same in an earlier run.
    pub known: usize,
    /// In an earlier run, of the same program.
    pub before: bool,
    pub time: Duration,
}

/// More rounds of a loop than any program that was unwound has.
const ANY_ROUND: u32 = 1 << 20;

const KIND: &str = "certified";
const VERSION: u32 = 4;

#[derive(Serialize, Deserialize)]
struct Record {
    what: String,
    assumptions: Vec<String>,
}

/// Checks a claim of safety, or says why it cannot be believed. `wanted`: the proof is needed, not only the knowledge that there was one.
pub(crate) fn certify(request: &Request, proof: Option<Proof>, wanted: bool) -> Result<Proved, Doubt> {
    let start = Instant::now();
    request.progress.note("checking the proof");
    let settings = request.settings;
    let slice = match &proof {
        Some(proof) => proof.slice,
        None => settings.slice.then(slice::Options::default),
    };
    let key = request.store.map(|_| key(request, slice));
    let remembered = settings.reuse.verdicts && !settings.audit && !wanted;
    if remembered
        && let (Some(store), Some(key)) = (request.store, &key)
        && let Some(record) = load(store, key)
    {
        let Record { what, assumptions } = record;
        let time = start.elapsed();
        return Ok((Certified { what, assumptions, queries: 0, known: 0, before: true, time }, proof));
    }
    let Some(proof) = proof else { return Err(Doubt::open("there is no proof that could be checked")) };
    // All the time that is left.
    let budget = request.budget;
    let mut shown = Shown::of(request);
    let check = || check_proof(request.program, request.entry, &proof, budget, &mut shown);
    // What the checker has shown by then is still so after a panic; nothing else is used again.
    let checked = catch_unwind(AssertUnwindSafe(check));
    shown.save();
    let checked = match checked {
        Ok(Ok(checked)) => checked,
        Ok(Err(refused)) => {
            let refuted = matches!(refused.flaw, Flaw::Wrong(_));
            return Err(Doubt { why: refused.to_string(), refuted });
        }
        Err(_) => return Err(Doubt::open("internal error in the checker")),
    };
    if settings.audit {
        second_opinion(request, &proof, budget)?;
    }
    let (what, assumptions) = (what(&proof), checked.assumptions.into_iter().collect::<Vec<_>>());
    if let (Some(store), Some(key)) = (request.store, key) {
        save(store, key, request.label, Record { what: what.clone(), assumptions: assumptions.clone() });
    }
    let time = start.elapsed();
    let (queries, known) = (checked.queries, checked.known);
    Ok((Certified { what, assumptions, queries, known, before: false, time }, Some(proof)))
}

fn what(proof: &Proof) -> String {
    match &proof.argument {
        Argument::Contracts { contracts, .. } => {
            let invariants: usize = contracts.iter().map(|c| c.invariants.len()).sum();
            format!("contracts of {} functions, {invariants} invariants", contracts.len())
        }
        Argument::Unwinding { bound } => format!("unwinding up to {bound}"),
        Argument::Unwound(unwound) if unwound.widened => {
            format!("loops widened, {} invariants, a refutation", unwound.invariants.len())
        }
        Argument::Explored(partition) => {
            format!("all states enumerated, {} variables divided", partition.intervals.len())
        }
        Argument::Unwound(unwound) => format!("unwinding up to {}, a refutation", unwound.bounds.every),
    }
}

/// Asks the other encoding and the other solver whether they agree; what they cannot say or decide is no objection.
fn second_opinion(request: &Request, proof: &Proof, budget: &Budget) -> Result<(), Doubt> {
    if !matches!(proof.argument, Argument::Unwound(_)) || !is_expressed(request.program) {
        return Ok(());
    }
    let other = Proof { argument: Argument::Unwinding { bound: ANY_ROUND }, ..proof.clone() };
    match check_proof(request.program, request.entry, &other, budget, &mut Nothing) {
        Err(refused) if matches!(refused.flaw, Flaw::Wrong(_)) => Err(Doubt::refuted(refused.to_string())),
        _ => Ok(()),
    }
}

/// What the proof is about. Nothing else has an influence on whether it is one.
fn key(request: &Request, slice: Option<slice::Options>) -> Key {
    let sliced = slice.map(|options| slice::slice_with(request.program, request.entry, options).program);
    let program: &Program = sliced.as_ref().unwrap_or(request.program);
    let print = run_print(program, b"certified", request.entry);
    let options = format!("{VERSION} {SEMANTICS_VERSION} {slice:?} {}", program.target.name);
    Key::of(&[options.as_bytes(), &print.0])
}

fn load(store: &Store, key: &Key) -> Option<Record> {
    postcard::from_bytes(&store.get(KIND, key)?.payload).ok()
}

/// What cannot be stored is checked again next time.
fn save(store: &Store, key: Key, label: &str, record: Record) {
    if let Ok(bytes) = postcard::to_stdvec(&record) {
        let _ = store.put(&Artefact::new(KIND, key, bytes).label(label));
    }
}
