//! The members of the portfolio: what one of them tries, and who confirms what it found.

use super::beside::{Told, What};
use super::race::race;
use super::tactic::{SLICES, Tactic};
use crate::concrete::{self, Difference};
use crate::contract::SpecContract;
use crate::differ::Differ;
use crate::product::Product;
use crate::prove::{self, Attempt, Links, Pairing};
use crate::shape::Shape;
use crate::template::Effort;
use crate::verdict::{Confirm, Coupling, Integers, Member, Proof, ProofKind, Request, Verdict};
use base::Budget;
use encode::IntMode;
use encode::start::Unlike;
use engine::{Undecided, UnknownReason};
use horn::{Answer, Solution, Unknown};
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// For confirming a proof, at the least.
const CONFIRMING: Duration = Duration::from_secs(2);

/// One comparison on its way.
pub struct Run<'a> {
    pub request: &'a Request<'a>,
    pub log: Vec<String>,
    pub member: Option<Member>,
    /// Why the last attempt failed.
    pub last: Option<UnknownReason>,
    /// Some attempt ended before it was done.
    pub hurried: bool,
    pub proofs: Vec<Proof>,
    pub differ: Differ<'a>,
    confirm: Confirm<'a>,
    /// What the search side by side tells, while it runs.
    pub told: Option<Receiver<Told>>,
    /// Why proofs would be about something else; only differences count then.
    pub unlike: Option<Unlike>,
}

impl<'a> Run<'a> {
    pub fn new(request: &'a Request<'a>, confirm: Confirm<'a>) -> Run<'a> {
        Run {
            request,
            log: Vec::new(),
            member: None,
            last: None,
            hurried: false,
            proofs: Vec::new(),
            differ: Differ::new(request),
            confirm,
            told: None,
            unlike: None,
        }
    }
}

impl Run<'_> {
    pub fn allows(&self, member: Member) -> bool {
        let finds_differences = matches!(member, Member::Concrete | Member::Bounded);
        self.request.members.contains(&member) && (finds_differences || self.unlike.is_none())
    }

    pub fn reason(&self) -> UnknownReason {
        match (self.request.budget.check(0), &self.unlike, &self.last) {
            (Err(stopped), ..) => UnknownReason::Stopped(stopped),
            (Ok(()), Some(unlike), _) => UnknownReason::Undecided(Undecided::Unlike(unlike.clone())),
            (Ok(()), None, Some(last)) => last.clone(),
            (Ok(()), None, None) => UnknownReason::Undecided(Undecided::NothingFound),
        }
    }

    pub fn out_of_time(&self) -> bool {
        self.request.budget.check(0).is_err()
    }

    pub fn proved(&mut self, member: Member, kind: ProofKind) -> Verdict {
        self.member = Some(member);
        Verdict::Equivalent(Box::new(self.proof(kind)))
    }

    fn proof(&mut self, kind: ProofKind) -> Proof {
        let request = self.request;
        let names = [
            request.pair.old.function(request.functions[0]).name.to_string(),
            request.pair.new.function(request.functions[1]).name.to_string(),
        ];
        Proof { names, kind, callees: std::mem::take(&mut self.proofs) }
    }

    pub fn differs(&mut self, member: Member, difference: Box<Difference>) -> Verdict {
        self.member = Some(member);
        Verdict::NotEquivalent(difference)
    }

    pub fn concrete(&mut self, effort: concrete::Effort) -> Option<Verdict> {
        if !self.allows(Member::Concrete) || self.out_of_time() {
            return None;
        }
        let found = self.differ.search(&effort);
        self.log.push(format!("concrete runs: {}", self.differ.summary()));
        found.map(|difference| self.differs(Member::Concrete, difference))
    }

    /// All inputs, if they are few.
    pub fn exhaust(&mut self) -> Option<Verdict> {
        if !self.allows(Member::Concrete) || self.unlike.is_some() {
            return None;
        }
        Some(match self.differ.exhaust()? {
            Ok(inputs) => self.proved(Member::Concrete, ProofKind::Exhausted { inputs }),
            Err(difference) => self.differs(Member::Concrete, difference),
        })
    }

    /// One shape, in all encodings at once; the first proof wins.
    pub fn candidates(
        &mut self,
        shape: &Shape,
        links: &Links,
        tactic: Tactic,
        slice: Duration,
    ) -> Option<Verdict> {
        let loops = (0..2).all(|i| !shape.heads(i).is_empty());
        if !self.allows(Member::Candidates) || self.out_of_time() || tactic.eager && !loops {
            return None;
        }
        let request = self.request;
        // Large products take longer, however easy they are.
        let size: usize = (0..2).map(|i| shape.heads(i).len()).sum();
        let Effort { partitions, products, .. } = tactic.effort;
        let larger = 1 + partitions.min(1) as u32 * 2 + u32::from(products);
        let slice = slice * larger + Duration::from_millis(60) * size as u32;
        let tried = race(request.budget, slice, modes(request.integers), &|mode, budget| {
            let contract = contract(request, shape, mode);
            let couplings = prove::all_couplings(shape, links, tactic.pairing);
            let product = prove::product(shape, links, &couplings, tactic.eager, &contract, mode)?;
            Ok(prove::candidates(product, mode, tactic.effort, budget))
        });
        let mut proof = None;
        for (mode, result, time) in tried {
            let what = match result {
                Ok(Attempt::Proved { product, solution }) => {
                    proof = Some((mode, product, solution, time));
                    "proved".to_owned()
                }
                Ok(Attempt::Failed { .. }) => "no invariant in this space".to_owned(),
                Ok(Attempt::Unknown(why)) => {
                    self.hurried = true;
                    match why {
                        Unknown::Timeout => "time limit".to_owned(),
                        Unknown::GaveUp(why) => why,
                    }
                }
                Err(unsupported) => {
                    self.last = Some(UnknownReason::unsupported(&unsupported));
                    unsupported.to_string()
                }
            };
            let note = if shape.note.is_empty() { "as they are" } else { &shape.note };
            let time = time.as_secs_f64();
            self.log.push(format!("candidates, {mode}, {note}, {tactic}: {what} ({time:.2} s)"));
        }
        let (mode, product, solution, time) = proof?;
        if let Some(difference) = self.differ.look_for_endless(shape) {
            self.log.push("proved for runs that end, but one version does not end".to_owned());
            return Some(self.differs(Member::Concrete, difference));
        }
        if let Some(doubt) = self.differ.doubt() {
            self.log.push(format!("proved for runs that end, but {doubt}"));
            return Some(Verdict::Unknown(UnknownReason::Undecided(doubt)));
        }
        self.coupled(Member::Candidates, shape, mode, product, solution, time)
    }

    /// The verdict of a proof, if it is confirmed.
    pub fn coupled(
        &mut self,
        member: Member,
        shape: &Shape,
        mode: IntMode,
        product: Product,
        solution: Solution,
        found_in: Duration,
    ) -> Option<Verdict> {
        let plan = match shape.note.as_str() {
            "" => mode.to_string(),
            note => format!("{mode}, {note}"),
        };
        let coupling = Coupling {
            product,
            solution,
            programs: shape.programs.clone(),
            steps: shape.steps.clone(),
            mode,
            plan,
        };
        let proof = self.proof(ProofKind::Coupled(Box::new(coupling)));
        // Confirming should not take longer than finding; another proof may be easier to check.
        let budget = self.request.budget.within(CONFIRMING.max(4 * found_in));
        if let Err(doubt) = (self.confirm)(self.request, &proof, &budget) {
            self.log.push(doubt.to_string());
            self.last = Some(UnknownReason::Undecided(doubt));
            self.proofs = proof.callees;
            return None;
        }
        self.member = Some(member);
        Some(Verdict::Equivalent(Box::new(proof)))
    }

    /// What the search side by side has come to: a difference, if the interpreter confirms one.
    pub fn hear(&mut self, told: Told) -> Option<Verdict> {
        let Told { bound, what, time } = told;
        let (text, difference) = match what {
            What::Guess(product, guess) => {
                // It has interrupted what was being tried.
                self.request.budget.cancelled.store(false, Ordering::Relaxed);
                match self.differ.confirm(&product, &guess) {
                    Some(difference) => ("a difference".to_owned(), Some(difference)),
                    None => ("a difference that is not confirmed".to_owned(), None),
                }
            }
            What::Nothing => ("no difference".to_owned(), None),
            What::Unknown(why) => (why.map_or_else(|| "no answer".to_owned(), |why| why.to_string()), None),
        };
        let time = time.as_secs_f64();
        self.log.push(format!("side by side, {bound} rounds: {text} ({time:.2} s)"));
        difference.map(|difference| self.differs(Member::Bounded, difference))
    }

    /// A difference that a solver finds on short paths.
    pub fn bounded(&mut self, shape: &Shape, links: &Links) -> Option<Verdict> {
        if !self.allows(Member::Bounded) || self.out_of_time() {
            return None;
        }
        let mode = *modes(self.request.integers).first()?;
        let contract = contract(self.request, shape, mode);
        let couplings = prove::all_couplings(shape, links, Pairing::All);
        let product = prove::product(shape, links, &couplings, false, &contract, mode).ok()?;
        let budget = self.request.budget.within(SLICES[0]);
        match horn::bounded(&product.system, 5, &budget) {
            Answer::Refuted(derivation) => {
                let difference = self.differ.replay(&product, &derivation);
                self.log.push(format!(
                    "bounded, {mode}: a derivation of a difference, {}",
                    if difference.is_some() { "confirmed" } else { "not confirmed" }
                ));
                difference.map(|d| self.differs(Member::Bounded, d))
            }
            _ => None,
        }
    }

    /// Members that search among all formulas, or among all derivations.
    pub fn searchers(&mut self, shape: &Shape, links: &Links, slice: Duration) -> Option<Verdict> {
        let request = self.request;
        let mode = *modes(self.request.integers).first()?;
        let contract = contract(request, shape, mode);
        let couplings = prove::all_couplings(shape, links, Pairing::All);
        let product = match prove::product(shape, links, &couplings, false, &contract, mode) {
            Ok(product) => product,
            Err(e) => {
                self.last = Some(UnknownReason::unsupported(e));
                return None;
            }
        };
        for member in [Member::Bounded, Member::Abstraction, Member::Spacer] {
            if !self.allows(member) || self.out_of_time() {
                continue;
            }
            let start = Instant::now();
            let budget = request.budget.within(slice);
            let answer = match member {
                Member::Bounded => horn::bounded(&product.system, 12, &budget),
                Member::Abstraction => {
                    let seeds = crate::template::seeds(&product, mode);
                    horn::abstraction::abstraction(&product.system, &seeds, &budget)
                }
                _ => spacer(&product, &budget),
            };
            let time = start.elapsed().as_secs_f64();
            let what = match &answer {
                Answer::Solved(_) => "proved".to_owned(),
                Answer::Refuted(_) => "a derivation of a difference".to_owned(),
                Answer::Unknown(why) => format!("{why:?}"),
            };
            self.log.push(format!("{member}, {mode}: {what} ({time:.2} s)"));
            match answer {
                Answer::Solved(solution) => {
                    if self.differ.doubt().is_none() {
                        return self.coupled(member, shape, mode, product, solution, start.elapsed());
                    }
                }
                Answer::Refuted(derivation) => {
                    if let Some(difference) = self.differ.replay(&product, &derivation) {
                        return Some(self.differs(member, difference));
                    }
                    self.last = Some(UnknownReason::Undecided(Undecided::NotConfirmed));
                }
                Answer::Unknown(_) => {}
            }
        }
        None
    }
}

fn spacer(product: &Product, budget: &Budget) -> Answer {
    let system = match horn::functions::has_functions(&product.system) {
        true => match horn::functions::without_functions(&product.system) {
            Some(system) => system,
            None => return Answer::Unknown(horn::Unknown::GaveUp("uninterpreted functions".to_owned())),
        },
        false => product.system.clone(),
    };
    horn::spacer::spacer(&system, budget)
}

pub fn modes(integers: Integers) -> &'static [IntMode] {
    match integers {
        Integers::Machine => &[IntMode::Bv, IntMode::Wrap],
        Integers::Unbounded => &[IntMode::Unbounded],
    }
}

/// What is asked, in the terms of one encoding.
pub fn contract<'a>(request: &'a Request, shape: &'a Shape, mode: IntMode) -> SpecContract<'a> {
    let programs = [&shape.programs[0], &shape.programs[1]];
    SpecContract { spec: request.spec, mode, programs, functions: shape.functions }
}
