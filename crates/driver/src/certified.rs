//! No program is called safe before its proof was checked by somebody who did not make it.
//!
//! An engine's claim of safety comes with a proof (`engine::Proof`), and `certify` checks it with a solver of its own. That a
//! program was certified is remembered in the store, under the fingerprint of what its proof was about: as long as that stays the same, the
//! check has nothing new to find, and is left out unless the proof itself is asked for or everything is to be audited.

use crate::obligations::Shown;
use crate::plan::Proved;
use crate::{Doubt, Request};
use base::Budget;
use certify::Flaw;
use certify::program::check_proof;
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

/// What the checker may do without.
pub(crate) struct Wish {
    /// The proof is needed, not only the knowledge that there was one.
    pub proof: bool,
    /// Nobody else will find a proof: the checker may take all the time that is left.
    pub last: bool,
    /// What the engine took.
    pub claimed_after: Duration,
}

/// As for replays: a proof that was found just in time should not be lost.
const GRACE: Duration = Duration::from_secs(3);
/// Where others can still find a proof that is easier to check: so many times what the engine took, and a part of what is left.
const TIMES: u32 = 5;
const PARTS: u32 = 3;

const KIND: &str = "certified";
const VERSION: u32 = 2;

#[derive(Serialize, Deserialize)]
struct Record {
    what: String,
    assumptions: Vec<String>,
}

/// Checks a claim of safety, or says why it cannot be believed.
pub(crate) fn certify(request: &Request, proof: Option<Proof>, wish: &Wish) -> Result<Proved, Doubt> {
    let start = Instant::now();
    request.progress.note("checking the proof");
    let settings = request.settings;
    let slice = match &proof {
        Some(proof) => proof.slice,
        None => settings.slice.then(slice::Options::default),
    };
    let key = request.store.map(|_| key(request, slice));
    let remembered = settings.reuse.verdicts && !settings.audit && !wish.proof;
    if remembered
        && let (Some(store), Some(key)) = (request.store, &key)
        && let Some(record) = load(store, key)
    {
        let Record { what, assumptions } = record;
        let time = start.elapsed();
        return Ok((Certified { what, assumptions, queries: 0, known: 0, before: true, time }, proof));
    }
    let Some(proof) = proof else { return Err(Doubt::open("there is no proof that could be checked")) };
    let budget = budget(request.budget, wish);
    let mut shown = Shown::of(request);
    let check = || check_proof(request.program, request.entry, &proof, &budget, &mut shown);
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
    }
}

fn budget(budget: &Budget, wish: &Wish) -> Budget {
    let now = Instant::now();
    let left = budget.deadline.map(|at| at.saturating_duration_since(now));
    let time = match (wish.last, left) {
        (true, left) => left,
        (false, Some(left)) => Some((left / PARTS).min(wish.claimed_after * TIMES + GRACE)),
        (false, None) => Some(wish.claimed_after * TIMES + GRACE),
    };
    let deadline = time.and_then(|time| now.checked_add(time.max(GRACE)));
    Budget { deadline, ..budget.clone() }
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
