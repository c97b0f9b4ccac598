//! From a question about two versions to an answer that can be believed, and that is kept.
//!
//! The same as for a program that is verified ([`crate::verify`]): an engine only claims, one that panics gives
//! no answer, limits are watched from outside, and what was found out is kept in the store. The portfolio of
//! `equiv` asks for each proof whether it is confirmed ([`certificate::confirm`]), since it goes on where one is
//! not; a difference it has seen when both versions were run.
//!
//! A difference is kept as the input that shows it, which is run again before it counts. That versions are
//! equivalent is kept under all that the proof depends on: what both functions can reach, how everything is
//! declared, what globals hold at first, the options, and this very build of the tool. Questions with
//! conditions are not kept: what C expressions mean depends on declarations that programs do not have.

use crate::certificate;
use crate::limits::Watch;
use crate::unanswered::{Allowed, Reason, comes_out_again};
use change::Pair;
use engine::UnknownReason;
use equiv::concrete::Input;
use equiv::spec::InputEquality;
use equiv::verdict::ProofKind;
use equiv::{Member, Proof, Report, Request, Verdict, engine as portfolio};
use ir::fingerprint::run_print;
use ir::{FuncId, Program};
use serde::{Deserialize, Serialize};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use store::{Artefact, Key, Store};

const KIND: &str = "comparison";

/// What surrounds the comparisons of one run.
pub struct Around<'a> {
    pub store: Option<&'a Store>,
    /// What the user calls the new version.
    pub label: &'a str,
    pub allowed: Allowed,
    pub limits: Option<&'a Watch>,
    /// The proof itself is wanted, so that one has to be found.
    pub proof: bool,
}

/// Answers questions about the same two versions, one after the other.
pub struct Comparer<'a> {
    settled: [Program; 2],
    around: Around<'a>,
}

#[derive(Serialize, Deserialize)]
enum Record {
    Equivalent { member: Option<Member> },
    Different { member: Option<Member>, input: Input, equivalent_when: Option<String> },
    Unknown { reason: Reason, allowed: Allowed },
}

impl<'a> Comparer<'a> {
    pub fn new(pair: &Pair, around: Around<'a>) -> Comparer<'a> {
        Comparer { settled: portfolio::settled(pair), around }
    }

    /// The versions as they are compared.
    pub fn pair(&self) -> Pair<'_> {
        Pair::new(&self.settled[0], &self.settled[1])
    }

    /// `pair` is [`Comparer::pair`]; the pair of the request is that of the programs as they were read.
    pub fn compare(&self, request: &Request, pair: &Pair) -> Report {
        let start = Instant::now();
        let request = &Request { pair, ..*request };
        let key = self.key(request);
        if let Some(report) = key.and_then(|key| self.known(request, &key, start)) {
            return report;
        }
        let compared =
            catch_unwind(AssertUnwindSafe(|| portfolio::compare_settled(request, &certificate::confirm)));
        let mut report = compared.unwrap_or_else(|_| {
            let reason = UnknownReason::Internal("the comparison".to_owned());
            report(Verdict::Unknown(reason), None, start)
        });
        // The engine only knows that somebody told it to stop.
        if let Verdict::Unknown(reason) = &mut report.verdict
            && let Err(stopped) = request.budget.check(0)
        {
            let memory = self.around.limits.is_some_and(Watch::memory_reached);
            *reason = if memory { UnknownReason::Memory } else { UnknownReason::Stopped(stopped) };
        }
        if let Some(key) = key {
            self.keep(request, key, &report, start);
        }
        report
    }

    /// None for what is not kept.
    fn key(&self, request: &Request) -> Option<Key> {
        self.around.store?;
        let spec = request.spec;
        let plain = spec.pre.is_empty()
            && spec.post.is_none()
            && spec.functions.is_empty()
            && spec.input_equality == InputEquality::Assumed;
        if !plain {
            return None;
        }
        let side = |program: &Program, f: FuncId| [&run_print(program, f).0[..], &declared(program)].concat();
        let [f, g] = request.functions;
        let names = [&request.pair.old.function(f).name, &request.pair.new.function(g).name];
        let options = format!(
            "{names:?} {:?} {:?} {:?} {:?}",
            request.integers, request.members, spec.couple, spec.assume_equivalent
        );
        Some(Key::of(&[options.as_bytes(), &side(request.pair.old, f), &side(request.pair.new, g)]))
    }

    /// The answer of an earlier run, if it still is one.
    fn known(&self, request: &Request, key: &Key, start: Instant) -> Option<Report> {
        let record = postcard::from_bytes(&self.around.store?.get(KIND, key)?.payload).ok()?;
        let mut found = match record {
            Record::Equivalent { .. } if self.around.proof => return None,
            Record::Equivalent { member } => {
                let names = [0, 1].map(|i: usize| {
                    request.pair.programs()[i].function(request.functions[i]).name.to_string()
                });
                let proof = Proof { names, kind: ProofKind::Known, callees: Vec::new() };
                let assumptions = portfolio::assumptions(request);
                Report { assumptions, ..report(Verdict::Equivalent(Box::new(proof)), member, start) }
            }
            Record::Different { member, input, equivalent_when } => {
                let difference = portfolio::replay(request, &input)?;
                let verdict = Verdict::NotEquivalent(difference);
                Report { equivalent_when, ..report(verdict, member, start) }
            }
            Record::Unknown { reason, allowed } => {
                if !self.around.allowed.is_within(&allowed) {
                    return None;
                }
                report(Verdict::Unknown(reason.read(request.pair.new, false)?), None, start)
            }
        };
        found.before = true;
        found.time = start.elapsed();
        Some(found)
    }

    fn keep(&self, request: &Request, key: Key, report: &Report, start: Instant) {
        let record = match &report.verdict {
            Verdict::Equivalent(_) => Record::Equivalent { member: report.member },
            Verdict::NotEquivalent(difference) => {
                let input = difference.input.clone();
                let equivalent_when = report.equivalent_when.clone();
                Record::Different { member: report.member, input, equivalent_when }
            }
            Verdict::Unknown(reason) => {
                let stopped = request.budget.check(0).is_err();
                if !comes_out_again(request.budget, self.around.limits, stopped, start) {
                    return;
                }
                let Some(reason) = Reason::of(reason, request.pair.new) else { return };
                Record::Unknown { reason, allowed: self.around.allowed }
            }
        };
        if let (Some(store), Ok(bytes)) = (self.around.store, postcard::to_stdvec(&record)) {
            // Without it, the question is asked again.
            let _ = store.put(&Artefact::new(KIND, key, bytes).label(self.around.label));
        }
    }
}

fn report(verdict: Verdict, member: Option<Member>, start: Instant) -> Report {
    Report {
        verdict,
        member,
        time: start.elapsed(),
        log: Vec::new(),
        assumptions: Vec::new(),
        equivalent_when: None,
        before: false,
    }
}

/// How everything is declared, and what all globals hold: two versions share globals and functions by their names,
/// and what only one of them has matters, too.
fn declared(program: &Program) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    let mut add = |text: String| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    for global in program.globals.iter() {
        let ir::Global { name, storage, constant, external, init, .. } = global;
        add(format!("{name} {storage:?} {constant} {external} {init:?}"));
    }
    for function in &program.functions {
        let ir::Function { name, ret, variadic, havocs, .. } = &**function;
        let params: Vec<_> = function.param_types().collect();
        let body = std::mem::discriminant(&function.body);
        add(format!("{name} {ret:?} {params:?} {variadic} {havocs} {body:?}"));
    }
    *hasher.finalize().as_bytes()
}
