//! The JSON document.

use super::{Answer, Done, difference, proof, text};
use crate::args::{EquivArgs, IntArg};
use ::equiv::Verdict;
use engine::ReasonData;
use serde::Serialize;

#[derive(Serialize)]
pub struct Document<'a> {
    verdict: &'static str,
    /// Why the verdict is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<ReasonData<'a>>,
    exit_code: u8,
    /// The way to the answer.
    member: Option<String>,
    /// Of the whole command.
    seconds: f64,
    integers: &'static str,
    assumptions: Vec<String>,
    /// Of the conditions.
    notes: Vec<String>,
    /// The comparisons that were made; the first one that differs is the last.
    pairs: Vec<Pair<'a>>,
}

#[derive(Serialize)]
struct Pair<'a> {
    old: String,
    new: String,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<ReasonData<'a>>,
    member: Option<String>,
    seconds: f64,
    /// It was found in an earlier run, and nothing changed that it depends on.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    before: bool,
    log: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<&'a difference::Shown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    equivalent_when: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<proof::Shown>,
}

pub fn document<'a>(args: &EquivArgs, answer: &'a Answer, notes: &[String]) -> Document<'a> {
    Document {
        verdict: answer.verdict(),
        reason: answer.reason(),
        why: answer.unknown().map(|reason| reason.data(answer.programs[1])),
        exit_code: answer.exit() as u8,
        member: answer.member().map(|m| m.to_string()),
        seconds: answer.time.as_secs_f64(),
        integers: match args.int {
            IntArg::Machine => "machine",
            IntArg::Unbounded => "unbounded",
        },
        assumptions: text::assumptions(answer, true),
        notes: notes.to_vec(),
        pairs: answer.pairs.iter().map(|done| pair(answer, done, args.explain)).collect(),
    }
}

fn pair<'a>(answer: &Answer<'a>, done: &'a Done, explain: bool) -> Pair<'a> {
    let name = |side: usize| answer.programs[side].function(done.functions[side]).name.to_string();
    let report = &done.report;
    let mut pair = Pair {
        old: name(0),
        new: name(1),
        verdict: "UNKNOWN",
        reason: None,
        why: None,
        member: report.member.map(|m| m.to_string()),
        seconds: report.time.as_secs_f64(),
        before: report.before,
        log: report.log.clone(),
        difference: done.difference.as_ref(),
        equivalent_when: report.equivalent_when.clone(),
        proof: None,
    };
    match &report.verdict {
        Verdict::Equivalent(found) => {
            pair.verdict = "EQUIVALENT";
            pair.proof = Some(proof::shown(found, explain));
        }
        Verdict::NotEquivalent(_) => pair.verdict = "NOT EQUIVALENT",
        Verdict::Unknown(reason) => {
            pair.reason = Some(reason.text(answer.programs[1]));
            pair.why = Some(reason.data(answer.programs[1]));
        }
    }
    pair
}
