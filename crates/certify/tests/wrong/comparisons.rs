//! Of two versions that differ, which a run has shown, no proof of equivalence is accepted: not the one of
//! versions that are nearly the same, and not that one changed in any way.

use crate::edit::coupled::edit;
use crate::judge::TIME;
use crate::judge::{Figures, Judged, in_time, needed};
use crate::made::seconds;
use crate::versions::{PAIRS, Versions};
use certify::format::{Answer, Proof, Verdict};
use certify::{Checked, Demand, Equality, check_pair};
use change::Pair;
use driver::certificate;
use equiv::spec::Spec;
use equiv::{Integers, Member, Request, engine};
use std::time::Duration;
use testing::Random;

struct Effort {
    answers: u64,
    changes: usize,
    /// Of random versions.
    seeds: u64,
}

/// The engine's answer about two versions, and the contract that is asked about.
pub fn answer(versions: &Versions, members: &[Member], time: Duration) -> Option<Answer> {
    let (spec, budget) = (Spec::default(), seconds(time));
    let [old, new] = versions.both();
    let pair = Pair::new(old, new);
    let request = request(versions, &pair, &spec, &budget, members);
    certificate::answer(&request, &engine::compare(&request, &certificate::confirm).verdict)
}

fn request<'a>(
    versions: &'a Versions,
    pair: &'a Pair<'a>,
    spec: &'a Spec,
    budget: &'a base::Budget,
    members: &'a [Member],
) -> Request<'a> {
    Request { pair, functions: versions.functions, spec, integers: Integers::Machine, budget, members }
}

/// What the checker says, and whether it says that they differ.
pub fn judge(versions: &Versions, answer: &Answer) -> Result<(Judged, bool), String> {
    let (spec, budget) = (Spec::default(), seconds(TIME));
    let [old, new] = versions.both();
    let contract = certificate::asked(&request(versions, &Pair::new(old, new), &spec, &budget, &[])).contract;
    let demand =
        Demand { contract: &contract, integers: certify::claim::Integers::Machine, conditions: &Equality };
    let mut checked = Checked::default();
    let found =
        in_time(|| check_pair(versions.both(), versions.functions, &demand, answer, &budget, &mut checked))?;
    Ok((found.map_or_else(|flaw| Judged::of(&flaw), |()| Judged::Accepted), checked.differs))
}

pub fn edited(answer: &Answer, changes: &[u64], versions: &Versions) -> (Answer, Vec<String>) {
    let mut answer = answer.clone();
    let what = changes.iter().map(|change| edit(&mut answer, versions, &mut Random::new(*change))).collect();
    (answer, what)
}

/// Shows a changed proof for versions that differ.
fn attempt(bad: &Versions, start: &Answer, changes: &[u64], of: &str, figures: &mut Figures) {
    let shown = |changes: &[u64]| judge(bad, &edited(start, changes, bad).0);
    // That they differ may be said.
    let wrong = |changes: &[u64]| matches!(shown(changes), Err(_) | Ok((Judged::Accepted, false)));
    match shown(changes) {
        Ok((Judged::Accepted, false)) | Err(_) => {
            let found = shown(changes);
            let changes = needed(changes, &wrong);
            let (answer, what) = edited(start, &changes, bad);
            panic!("{found:?}: changes {changes:?}: {what:#?}\n{answer:#?}\n{:?}", bad.texts)
        }
        Ok((judged, _)) => figures.count(of, judged),
    }
}

fn all(effort: &Effort) {
    const PROOFS: &[Member] = &[Member::Identical, Member::Candidates];
    let mut figures = Figures::default();
    for (number, pair) in (0u64..).zip(PAIRS) {
        let same = pair.versions();
        let good = answer(&same, PROOFS, Duration::from_secs(10));
        let Some(good) = good.filter(|a| matches!(a.verdict, Verdict::Equivalent(_))) else {
            panic!("{}: no proof", pair.name)
        };
        let judged = judge(&same, &good);
        assert_eq!(judged, Ok((Judged::Accepted, false)), "{}", pair.name);
        for change in 0..effort.answers {
            let changes = changes(number << 32 | change, effort);
            let (changed, what) = edited(&good, &changes, &same);
            match judge(&same, &changed) {
                Ok((judged, false)) => figures.count("changed, versions same", judged),
                found => panic!("{}: {found:?}: changes {changes:?}: {what:?}", pair.name),
            }
        }
        for (nth, edit) in (1u64..).zip(pair.edits) {
            let bad = pair.edited(*edit);
            attempt(&bad, &good, &[], "unchanged, they differ", &mut figures);
            for change in 0..effort.answers {
                let changes = changes(number << 32 | nth << 24 | change, effort);
                attempt(&bad, &good, &changes, "changed, they differ", &mut figures);
            }
        }
    }
    for seed in 0..effort.seeds {
        let case = equiv::testing::case(seed);
        let Some(known) = equiv::testing::known(&case) else { continue };
        let bad =
            Versions { texts: case.texts.clone(), programs: known.programs, functions: known.functions };
        for side in 0..2 {
            let text = &case.texts[side];
            let name = &*bad.programs[0].function(bad.functions[0]).name;
            let same = Versions::new([text.clone(), text.clone()], name);
            let Some(good) = answer(&same, &[Member::Candidates], Duration::from_secs(2)) else { continue };
            for change in 0..4 + effort.answers / 10 {
                let changes = match change {
                    0 => Vec::new(),
                    _ => changes(seed << 40 | change, effort),
                };
                attempt(&bad, &good, &changes, &format!("random, {}", kind(&good)), &mut figures);
            }
        }
    }
    println!("{figures}");
}

fn kind(answer: &Answer) -> &'static str {
    match &answer.verdict {
        Verdict::Equivalent(Proof::Coupled(_)) => "coupled",
        Verdict::Equivalent(_) => "identical",
        Verdict::Different(_) => "different",
    }
}

fn changes(seed: u64, effort: &Effort) -> Vec<u64> {
    let mut random = Random::new(seed);
    (0..1 + random.below(effort.changes)).map(|_| random.number()).collect()
}

fn on_large_stack(effort: &Effort) {
    cfront::with_stack(|| all(effort)).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

#[test]
fn no_proof_of_what_differs() {
    on_large_stack(&Effort { answers: 12, changes: 3, seeds: 0 });
}

#[test]
#[ignore = "long"]
fn no_proof_of_what_differs_long() {
    on_large_stack(&Effort { answers: 200, changes: 6, seeds: 100 });
}
