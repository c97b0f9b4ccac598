//! No program is called safe before its proof was checked by somebody who did not make it.
//!
//! An engine's claim of safety comes with a proof (`engine::Proof`), and `certify` checks it with a solver of
//! its own. That a program was certified is kept in the store, under the fingerprint of what its proof was
//! about: as long as that stays the same, no engine is asked and nothing is checked again, unless the proof
//! itself is wanted or everything is to be audited.

use crate::attempt::{Attempt, AttemptResult, Claim};
use crate::doubt::is_expressed;
use crate::obligations::Shown;
use crate::plan::Proved;
use crate::{Doubt, Request};
use base::Budget;
use certify::Flaw;
use certify::program::{Checker, Nothing};
use engine::{Argument, Assumption, Decision, Engine, Outcome, Proof, Widened};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use store::{Artefact, Key, Store};

/// What was checked of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certified {
    /// In words: the kind of proof.
    pub what: String,
    /// What the checker takes for granted.
    pub assumptions: BTreeSet<Assumption>,
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

#[derive(Serialize, Deserialize)]
struct Record {
    /// Whose proof it was.
    engine: String,
    what: String,
    assumptions: BTreeSet<Assumption>,
}

/// If a program was certified that is the same in all that its checks depend on: as if it was proved again.
/// `alone`: only what this engine proved counts.
pub(crate) fn before(
    request: &Request,
    engines: &[&dyn Engine],
    alone: Option<&str>,
) -> Option<AttemptResult> {
    let settings = request.settings;
    let start = Instant::now();
    let store = request.store.filter(|_| settings.reuse.verdicts && !settings.audit)?;
    let quick = quick_key(request).filter(|_| settings.slice);
    let known = quick.and_then(|key| load(store, &key));
    let Record { engine, what, assumptions } = match known {
        Some(known) => known,
        None => {
            let known = load(store, &key(request, settings.slice))?;
            if let Some(key) = quick {
                save(store, key, request.label, &known);
            }
            known
        }
    };
    let engine = engines.iter().find(|known| known.name() == engine)?.name();
    if alone.is_some_and(|alone| alone != engine) {
        return None;
    }
    let time = start.elapsed();
    let certified = Certified { what, assumptions, queries: 0, known: 0, before: true, time };
    let decision = Decision {
        about: request.label.to_owned(),
        outcome: Outcome::Reused,
        reason: "nothing changed that a check depends on".to_owned(),
    };
    let attempt = Attempt::new(engine, Claim::Safe, time);
    let (decisions, calls) = (vec![decision], Vec::new());
    Some(AttemptResult { attempt, undefined: None, decisions, calls, certified: Some((certified, None)) })
}

/// Checks a claim of safety, or says why it cannot be believed.
pub(crate) fn certify(
    request: &Request,
    checker: &Checker,
    engine: &str,
    proof: Proof,
) -> Result<Proved, Doubt> {
    let start = Instant::now();
    request.progress.note("checking the proof");
    // All the time that is left.
    let budget = request.budget;
    let mut shown = Shown::of(request);
    let check = || checker.check(&request.subject.checks, &proof, budget, &mut shown);
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
    if request.settings.audit {
        second_opinion(request, checker, &proof, budget)?;
    }
    let (what, assumptions) = (what(&proof), checked.assumptions);
    keep(request, engine, proof.slice.is_some(), &what, &assumptions);
    let time = start.elapsed();
    let (queries, known) = (checked.queries, checked.known);
    Ok((Certified { what, assumptions, queries, known, before: false, time }, Some(proof)))
}

/// So that the same program need not be proved again.
pub(crate) fn keep(
    request: &Request,
    engine: &str,
    sliced: bool,
    what: &str,
    assumptions: &BTreeSet<Assumption>,
) {
    let Some(store) = request.store else { return };
    let (engine, what, assumptions) = (engine.to_owned(), what.to_owned(), assumptions.clone());
    let record = Record { engine, what, assumptions };
    save(store, key(request, sliced), request.label, &record);
    if let (true, Some(key)) = (sliced, quick_key(request)) {
        save(store, key, request.label, &record);
    }
}

fn what(proof: &Proof) -> String {
    match &proof.argument {
        Argument::Contracts { contracts, .. } => {
            let invariants: usize = contracts.iter().map(|c| c.invariants.len()).sum();
            format!("contracts of {} functions, {invariants} invariants", contracts.len())
        }
        Argument::Unwinding { bound } => format!("unwinding up to {bound}"),
        Argument::Unwound(unwound) if unwound.widened != Widened::Nothing => {
            format!("loops widened, {} invariants, a refutation", unwound.invariants.len())
        }
        Argument::Explored(partition) => {
            format!("all states enumerated, {} variables divided", partition.intervals.len())
        }
        Argument::Unwound(unwound) => format!("unwinding up to {}, a refutation", unwound.bounds.every),
        Argument::Parts(parts) => format!("{} parts", parts.len()),
    }
}

/// Asks the other encoding and the other solver whether they agree; what they cannot say or decide is no
/// objection.
fn second_opinion(request: &Request, checker: &Checker, proof: &Proof, budget: &Budget) -> Result<(), Doubt> {
    if !matches!(proof.argument, Argument::Unwound(_)) || !is_expressed(request.subject.program) {
        return Ok(());
    }
    let other = Proof { argument: Argument::Unwinding { bound: ANY_ROUND }, ..proof.clone() };
    match checker.check(&request.subject.checks, &other, budget, &mut Nothing) {
        Err(refused) if matches!(refused.flaw, Flaw::Wrong(_)) => Err(Doubt::refuted(refused.to_string())),
        _ => Ok(()),
    }
}

/// What a proof is about. Nothing else has an influence on whether it is one.
fn key(request: &Request, sliced: bool) -> Key {
    let print = request.subject.print(sliced);
    let options = format!("{sliced} {}", request.subject.program.target.name);
    Key::of(&[options.as_bytes(), &print.0])
}

/// The same where it can be told without making the slice.
fn quick_key(request: &Request) -> Option<Key> {
    let print = request.subject.slice_print()?;
    Some(Key::of(&[b"slice", &print.0]))
}

fn load(store: &Store, key: &Key) -> Option<Record> {
    postcard::from_bytes(&store.get(KIND, key)?.payload).ok()
}

/// What cannot be stored is checked again next time.
fn save(store: &Store, key: Key, label: &str, record: &Record) {
    if let Ok(bytes) = postcard::to_stdvec(record) {
        let _ = store.put(&Artefact::new(KIND, key, bytes).label(label));
    }
}
