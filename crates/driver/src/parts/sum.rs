//! What was tried for all parts, as the answer tells it: one attempt an engine, one proof.

use crate::attempt::{Attempt, AttemptResult, Claim};
use crate::certified::{self, Certified};
use crate::confirm::Undefined;
use crate::plan::{Session, Tried};
use crate::{Verdict, plan::Proved};
use engine::{Argument, Decision, Figure, Outcome, Proof, UnknownReason};
use std::collections::BTreeSet;
use std::time::Duration;

#[derive(Default)]
pub(super) struct Sum {
    parts: usize,
    engines: Vec<Engine>,
    decisions: Vec<Decision>,
    undefined: Option<Undefined>,
    /// Of the parts that are safe.
    proved: Vec<Proved>,
    stopped: bool,
}

struct Engine {
    attempt: Attempt,
    /// How many parts it decided, and was asked about.
    decided: u32,
    asked: usize,
}

impl Sum {
    /// Adds what was tried for a part; `decided`: the last attempt decided it.
    pub fn add(&mut self, tried: Tried, decided: bool) {
        self.parts += 1;
        self.stopped |= !decided && tried.could_go_on();
        self.decisions.extend(tried.decisions);
        let count = tried.attempts.len();
        // By engine: one may have been asked more than once.
        let mut engines: Vec<(Attempt, bool)> = Vec::new();
        for (i, result) in tried.attempts.into_iter().enumerate() {
            let AttemptResult { attempt, undefined, decisions, calls: _, certified } = result;
            let decides = decided && i + 1 == count;
            match engines.iter_mut().find(|(known, _)| known.engine == attempt.engine) {
                Some((known, decided)) => {
                    *decided |= decides;
                    known.claim = later(known.claim.clone(), attempt.claim.clone());
                    add(known, attempt);
                }
                None => engines.push((attempt, decides)),
            }
            // That it was proved anew is said once.
            self.decisions.extend(decisions.into_iter().filter(|d| d.outcome != Outcome::New));
            self.undefined = self.undefined.take().or(undefined);
            self.proved.extend(certified);
        }
        for (attempt, decides) in engines {
            self.engine(attempt, decides);
        }
    }

    /// What an engine came to for one more part.
    fn engine(&mut self, attempt: Attempt, decides: bool) {
        let decided = u32::from(decides);
        match self.engines.iter_mut().find(|engine| engine.attempt.engine == attempt.engine) {
            Some(sum) => {
                sum.decided += decided;
                sum.asked += 1;
                sum.attempt.claim = stronger(sum.attempt.claim.clone(), attempt.claim.clone());
                add(&mut sum.attempt, attempt);
            }
            None => {
                self.engines.push(Engine { attempt: Attempt { bound: None, ..attempt }, decided, asked: 1 })
            }
        }
    }

    /// Hands all of it to the session of the whole. Who decided most parts has the verdict.
    pub fn finish(mut self, whole: &mut Session, verdict: &Verdict) {
        self.engines.sort_by_key(|engine| engine.decided);
        if let Verdict::Unsafe(_) = verdict {
            self.engines.sort_by_key(|engine| engine.attempt.claim == Claim::Unsafe);
        }
        let certified = match verdict {
            Verdict::Safe => Some(self.certified(whole)),
            _ => None,
        };
        let last = self.engines.len().saturating_sub(1);
        let (mut certified, mut undefined) = (certified, self.undefined);
        for (i, Engine { mut attempt, decided, asked }) in self.engines.into_iter().enumerate() {
            // A bound is none of the parts that the engine was not asked about.
            if let (Claim::Unknown(reason), Verdict::Unknown(why)) = (&mut attempt.claim, verdict)
                && reason.bound().is_some()
                && asked < self.parts
            {
                reason.clone_from(why);
            }
            attempt.figures.insert(0, Figure { name: "parts", value: decided.into() });
            let decisions = if i == last { std::mem::take(&mut self.decisions) } else { Vec::new() };
            let certified = certified.take_if(|_| i == last);
            let undefined = undefined.take();
            let result = AttemptResult { attempt, undefined, decisions, calls: Vec::new(), certified };
            whole.tried.add(result, self.stopped);
        }
    }

    fn certified(&mut self, whole: &Session) -> Proved {
        let before = self.proved.iter().filter(|(certified, _)| certified.before).count();
        let mut assumptions = BTreeSet::new();
        let (mut queries, mut known, mut time) = (0, 0, Duration::ZERO);
        let mut proofs = Vec::new();
        for (certified, proof) in std::mem::take(&mut self.proved) {
            queries += certified.queries;
            known += certified.known;
            time += certified.time;
            assumptions.extend(certified.assumptions);
            proofs.extend(proof);
        }
        let what = match before {
            0 => format!("{} parts", self.parts),
            before => format!("{} parts, {before} of them in earlier runs", self.parts),
        };
        if let Some(engine) = self.engines.last() {
            let engine = engine.attempt.engine;
            certified::keep(whole.request, engine, true, &format!("{} parts", self.parts), &assumptions);
        }
        let all = before == self.parts;
        let proof = (proofs.len() == self.parts)
            .then(|| Proof { slice: None, argument: Argument::Parts(std::mem::take(&mut proofs)) });
        (Certified { what, assumptions, queries, known, before: all, time }, proof)
    }
}

/// Adds what another attempt of the same engine took.
fn add(sum: &mut Attempt, attempt: Attempt) {
    sum.time += attempt.time;
    sum.refuted += attempt.refuted;
    for figure in attempt.figures {
        match sum.figures.iter_mut().find(|known| known.name == figure.name) {
            Some(known) if figure.name == "bound" => known.value = known.value.max(figure.value),
            Some(known) => known.value += figure.value,
            None => sum.figures.push(figure),
        }
    }
}

/// Of two claims about the same part, the second of which was made later.
fn later(a: Claim, b: Claim) -> Claim {
    match (a, b) {
        (Claim::Unknown(a), Claim::Unknown(b)) if a.weight() > b.weight() => Claim::Unknown(a),
        (_, b) => b,
    }
}

/// Of two claims about different parts, what is to be said of both.
fn stronger(a: Claim, b: Claim) -> Claim {
    match (a, b) {
        (Claim::Unsafe, _) | (_, Claim::Unsafe) => Claim::Unsafe,
        (Claim::Unknown(a), Claim::Unknown(b)) => {
            let both = UnknownReason::of_parts(vec![Some(a), Some(b.clone())]);
            Claim::Unknown(both.unwrap_or(b))
        }
        (Claim::Unknown(reason), Claim::Safe) | (Claim::Safe, Claim::Unknown(reason)) => {
            Claim::Unknown(reason)
        }
        (Claim::Safe, Claim::Safe) => Claim::Safe,
    }
}
