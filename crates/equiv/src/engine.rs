//! The portfolio: from the cheapest way to an answer to the most expensive one.
//!
//! 1. Equal fingerprints: nothing changed that the function can run into.
//! 2. A few concrete runs; a difference is the answer.
//! 3. Callees, bottom-up: those that are proved equivalent are one function from then on.
//! 4. The product of both versions, and the least coupling predicates among equations and candidates (`horn::candidates`), in
//!    growing spaces and in more and more shapes: as they are, with loops unrolled and peeled, recursion unfolded.
//! 5. More concrete runs in between; in the end predicate abstraction with what was found as seeds, Spacer, and a bounded
//!    search for a derivation.
//!
//! Whatever answers, the answer is confirmed by somebody else: differences by the interpreter, proofs by `certify`, which makes
//! the obligations anew from both programs.

use crate::callees;
use crate::concrete::{self, Difference};
use crate::contract::SpecContract;
use crate::differ::Differ;
use crate::product::Product;
use crate::prove::{self, Attempt, Links, Pairing};
use crate::shape::Shape;
use crate::space::Effort;
use crate::verdict::{Coupling, Integers, Member, Proof, ProofKind, Report, Request, Verdict};
use base::Budget;
use encode::IntMode;
use horn::{Answer, Solution};
use ir::{CallGraph, FuncId};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Compares two functions. A verdict other than unknown has been confirmed: a difference by replay, a proof by `certify`.
pub fn compare(request: &Request) -> Report {
    let start = Instant::now();
    let mut run = Run::new(request);
    let verdict = run.answer().unwrap_or_else(|| Verdict::Unknown(run.reason()));
    let equivalent_when = match &verdict {
        Verdict::NotEquivalent(difference) => crate::condition::find(request, difference),
        _ => None,
    };
    let assumptions = match &verdict {
        Verdict::Equivalent(_) => assumptions(request),
        _ => Vec::new(),
    };
    Report { verdict, member: run.member, time: start.elapsed(), log: run.log, assumptions, equivalent_when }
}

/// The clauses of the versions as they are, for other solvers.
pub fn horn_clauses(request: &Request) -> Result<horn::System, String> {
    let links = callees::links(request, &mut |_| None).0;
    let keep = callees::kept(&links);
    let shape = Shape::new([request.old, request.new], request.functions)
        .renamed(&links.same)
        .inlined([&keep[0], &keep[1]]);
    let mode = match request.integers {
        Integers::Machine => IntMode::Bv,
        Integers::Unbounded => IntMode::Unbounded,
    };
    let contract = contract(request, &shape, mode);
    let couplings = prove::all_couplings(&shape, &links, Pairing::All);
    let product =
        prove::product(&shape, &links, &couplings, false, &contract, mode).map_err(|e| e.to_string())?;
    match horn::functions::has_functions(&product.system) {
        true => horn::functions::without_functions(&product.system)
            .ok_or_else(|| "functions without a body that do not fit Horn clauses".to_owned()),
        false => Ok(product.system),
    }
}

/// Both versions once more on an input, for people to read: at most `limit` events of each.
pub fn story(request: &Request, input: &concrete::Input, limit: usize) -> Option<concrete::SideBySide> {
    Differ::new(request).story(input, limit)
}

struct Run<'a> {
    request: &'a Request<'a>,
    log: Vec<String>,
    member: Option<Member>,
    /// Why the last attempt failed.
    last: String,
    /// Some attempt ended before it was done.
    hurried: bool,
    proofs: Vec<Proof>,
    /// Are proofs to be certified?
    certify: bool,
}

/// How much time one attempt may take, growing from pass to pass.
const SLICES: [Duration; 3] = [Duration::from_millis(1500), Duration::from_secs(5), Duration::from_secs(20)];

impl<'a> Run<'a> {
    fn new(request: &'a Request<'a>) -> Run<'a> {
        Run {
            request,
            log: Vec::new(),
            member: None,
            last: String::new(),
            hurried: false,
            proofs: Vec::new(),
            certify: true,
        }
    }
}

impl Run<'_> {
    fn allows(&self, member: Member) -> bool {
        self.request.members.contains(&member)
    }

    fn reason(&self) -> String {
        match self.request.budget.check(0) {
            Err(stop) => stop.to_string(),
            Ok(()) if self.last.is_empty() => "no member of the portfolio found an answer".to_owned(),
            Ok(()) => self.last.clone(),
        }
    }

    fn out_of_time(&self) -> bool {
        self.request.budget.check(0).is_err()
    }

    fn answer(&mut self) -> Option<Verdict> {
        let request = self.request;
        if self.allows(Member::Identical) && callees::identical(request) {
            return Some(self.proved(Member::Identical, ProofKind::Identical));
        }
        let mut differ = Differ::new(request);
        if let Some(difference) = self.concrete(&mut differ, differ_effort(0)) {
            return Some(difference);
        }
        if self.allows(Member::Concrete)
            && let Some(result) = differ.exhaust()
        {
            return Some(match result {
                Ok(inputs) => self.proved(Member::Concrete, ProofKind::Exhausted { inputs }),
                Err(difference) => self.differs(Member::Concrete, difference),
            });
        }
        let (links, proofs) = callees::links(request, &mut |inner| callee_proof(request, inner));
        self.proofs = proofs;
        let keep = callees::kept(&links);
        let base = Shape::new([request.old, request.new], request.functions)
            .renamed(&links.same)
            .inlined([&keep[0], &keep[1]]);
        let modes = modes(request.integers);
        for tactic in FIRST {
            if let Some(verdict) = self.candidates(&base, &links, modes, tactic, SLICES[0], &mut differ) {
                return Some(verdict);
            }
        }
        if let Some(difference) = self.concrete(&mut differ, differ_effort(1)) {
            return Some(difference);
        }
        if let Some(verdict) = self.bounded(&base, &links, modes, &mut differ) {
            return Some(verdict);
        }
        let [promising, shapes] = crate::align::shapes(&base, &links, &mut differ);
        for shape in &promising {
            for tactic in FIRST {
                if let Some(verdict) = self.candidates(shape, &links, modes, tactic, SLICES[0], &mut differ) {
                    return Some(verdict);
                }
            }
        }
        // Nothing was ruled out if time was all that was missing.
        if std::mem::take(&mut self.hurried) {
            for tactic in FIRST {
                if let Some(verdict) = self.candidates(&base, &links, modes, tactic, SLICES[1], &mut differ) {
                    return Some(verdict);
                }
            }
        }
        let uneven = base.heads(0).len() != base.heads(1).len();
        for tactic in SECOND {
            if tactic.pairing != Pairing::All && !uneven {
                continue;
            }
            if let Some(verdict) = self.candidates(&base, &links, modes, tactic, SLICES[0], &mut differ) {
                return Some(verdict);
            }
        }
        if !keep.iter().all(BTreeSet::is_empty) {
            // What is the same in both versions may still have to be looked into.
            let none = Links { matched: links.matched.clone(), ..Links::default() };
            let empty = BTreeSet::new();
            let open = Shape::new([request.old, request.new], request.functions)
                .renamed(&links.same)
                .inlined([&empty, &empty]);
            for tactic in [tactic(PLAIN), eager(PLAIN), tactic(MODULAR), tactic(SPLIT), eager(SPLIT)] {
                if let Some(verdict) = self.candidates(&open, &none, modes, tactic, SLICES[0], &mut differ) {
                    return Some(verdict);
                }
            }
        }
        for shape in &shapes {
            for tactic in FIRST {
                if let Some(verdict) = self.candidates(shape, &links, modes, tactic, SLICES[0], &mut differ) {
                    return Some(verdict);
                }
            }
        }
        for tactic in THIRD {
            if let Some(verdict) = self.candidates(&base, &links, modes, tactic, SLICES[0], &mut differ) {
                return Some(verdict);
            }
        }
        for shape in &shapes {
            if let Some(verdict) =
                self.candidates(shape, &links, modes, tactic(SPLIT), SLICES[0], &mut differ)
            {
                return Some(verdict);
            }
        }
        if let Some(difference) = self.concrete(&mut differ, differ_effort(2)) {
            return Some(difference);
        }
        for tactic in [tactic(PLAIN), tactic(SPLIT), tactic(PRODUCTS), tactic(DEEPER)] {
            if let Some(verdict) = self.candidates(&base, &links, modes, tactic, SLICES[1], &mut differ) {
                return Some(verdict);
            }
        }
        // Alone, a searcher has all the time at once.
        let alone = !self.allows(Member::Candidates);
        let slices = if alone { &[Duration::from_secs(3600)][..] } else { &SLICES[..] };
        for &slice in slices {
            if let Some(verdict) = self.searchers(&base, &links, modes, slice, &mut differ) {
                return Some(verdict);
            }
            if self.out_of_time() {
                return None;
            }
        }
        self.concrete(&mut differ, differ_effort(3))
    }

    fn proved(&mut self, member: Member, kind: ProofKind) -> Verdict {
        self.member = Some(member);
        let request = self.request;
        let names = [
            request.old.function(request.functions[0]).name.to_string(),
            request.new.function(request.functions[1]).name.to_string(),
        ];
        Verdict::Equivalent(Box::new(Proof { names, kind, callees: std::mem::take(&mut self.proofs) }))
    }

    fn differs(&mut self, member: Member, difference: Box<Difference>) -> Verdict {
        self.member = Some(member);
        Verdict::NotEquivalent(difference)
    }

    fn concrete(&mut self, differ: &mut Differ, effort: concrete::Effort) -> Option<Verdict> {
        if !self.allows(Member::Concrete) || self.out_of_time() {
            return None;
        }
        let found = differ.search(&effort);
        self.log.push(format!("concrete runs: {}", differ.summary()));
        found.map(|difference| self.differs(Member::Concrete, difference))
    }

    /// One shape, in all encodings at once; the first proof wins.
    fn candidates(
        &mut self,
        shape: &Shape,
        links: &Links,
        modes: &[IntMode],
        tactic: Tactic,
        slice: Duration,
        differ: &mut Differ,
    ) -> Option<Verdict> {
        let loops = (0..2).all(|i| !shape.heads(i).is_empty());
        if !self.allows(Member::Candidates) || self.out_of_time() || tactic.eager && !loops {
            return None;
        }
        let request = self.request;
        // Large products take longer, however easy they are.
        let size: usize = (0..2).map(|i| shape.heads(i).len()).sum();
        let Effort { splits, products, .. } = tactic.effort;
        let larger = 1 + splits.min(1) as u32 * 2 + u32::from(products);
        let slice = slice * larger + Duration::from_millis(60) * size as u32;
        let tried = race(request.budget, slice, modes, &|mode, budget| {
            let contract = contract(request, shape, mode);
            let couplings = prove::all_couplings(shape, links, tactic.pairing);
            let product = prove::product(shape, links, &couplings, tactic.eager, &contract, mode)?;
            Ok(prove::candidates(product, mode, tactic.effort, budget))
        });
        let mut proof = None;
        for (mode, result, time) in tried {
            let what = match result {
                Ok(Attempt::Proved { product, solution }) => {
                    proof = Some((mode, product, solution));
                    "proved".to_owned()
                }
                Ok(Attempt::Failed { .. }) => "no invariant in this space".to_owned(),
                Ok(Attempt::Unknown(why)) => {
                    self.hurried = true;
                    why
                }
                Err(unsupported) => {
                    self.last = unsupported.to_string();
                    unsupported.to_string()
                }
            };
            let note = if shape.note.is_empty() { "as they are" } else { &shape.note };
            let time = time.as_secs_f64();
            self.log.push(format!("candidates, {mode}, {note}, {tactic}: {what} ({time:.2} s)"));
        }
        let (mode, product, solution) = proof?;
        if let Some(difference) = differ.look_for_endless(shape) {
            self.log.push("proved for runs that end, but one version does not end".to_owned());
            return Some(self.differs(Member::Concrete, difference));
        }
        if let Some(reason) = differ.doubt() {
            self.last = reason;
            self.log.push(format!("proved for runs that end, but {}", self.last));
            return Some(Verdict::Unknown(self.last.clone()));
        }
        self.coupled(Member::Candidates, shape, mode, product, solution)
    }

    /// The verdict of a proof, if `certify` agrees.
    fn coupled(
        &mut self,
        member: Member,
        shape: &Shape,
        mode: IntMode,
        product: Product,
        solution: Solution,
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
        let verdict = self.proved(member, ProofKind::Coupled(Box::new(coupling)));
        // Proofs of callees are certified with the proofs that use them.
        if !self.certify {
            return Some(verdict);
        }
        let Some(flaw) = self.flaw(&verdict) else { return Some(verdict) };
        self.last = format!("a proof was found but not certified: {flaw}");
        self.log.push(self.last.clone());
        self.member = None;
        if let Verdict::Equivalent(proof) = verdict {
            self.proofs = proof.callees;
        }
        None
    }

    /// What `certify` has against a proof; what certificates do not hold is checked clause by clause.
    fn flaw(&self, verdict: &Verdict) -> Option<String> {
        let Request { old, new, budget, .. } = *self.request;
        match (crate::certificate::pair(self.request, verdict, &[]), verdict) {
            (Some(pair), _) => {
                let mut checked = certify::Checked::default();
                certify::check_pair([old, new], &pair, budget, &mut checked)
                    .err()
                    .map(|flaw| flaw.to_string())
            }
            (None, Verdict::Equivalent(proof)) => match &proof.kind {
                ProofKind::Coupled(c) => {
                    let failure = horn::check_solution(&c.product.system, &c.solution, budget).err()?;
                    Some(format!("{:?}", failure.why))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// A difference that a solver finds on short paths.
    fn bounded(
        &mut self,
        shape: &Shape,
        links: &Links,
        modes: &[IntMode],
        differ: &mut Differ,
    ) -> Option<Verdict> {
        if !self.allows(Member::Bounded) || self.out_of_time() {
            return None;
        }
        let mode = *modes.first()?;
        let contract = contract(self.request, shape, mode);
        let couplings = prove::all_couplings(shape, links, Pairing::All);
        let product = prove::product(shape, links, &couplings, false, &contract, mode).ok()?;
        let budget = child(self.request.budget, SLICES[0]);
        match horn::bounded(&product.system, 5, &budget) {
            Answer::Refuted(derivation) => {
                let difference = differ.replay(&product, &derivation);
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
    fn searchers(
        &mut self,
        shape: &Shape,
        links: &Links,
        modes: &[IntMode],
        slice: Duration,
        differ: &mut Differ,
    ) -> Option<Verdict> {
        let request = self.request;
        let mode = *modes.first()?;
        let contract = contract(request, shape, mode);
        let couplings = prove::all_couplings(shape, links, Pairing::All);
        let product = match prove::product(shape, links, &couplings, false, &contract, mode) {
            Ok(product) => product,
            Err(e) => {
                self.last = e.to_string();
                return None;
            }
        };
        for member in [Member::Bounded, Member::Abstraction, Member::Spacer] {
            if !self.allows(member) || self.out_of_time() {
                continue;
            }
            let start = Instant::now();
            let budget = child(request.budget, slice);
            let answer = match member {
                Member::Bounded => horn::bounded(&product.system, 12, &budget),
                Member::Abstraction => {
                    let seeds = crate::space::seeds(&product, mode);
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
                    if differ.doubt().is_none() {
                        return self.coupled(member, shape, mode, product, solution);
                    }
                }
                Answer::Refuted(derivation) => {
                    if let Some(difference) = differ.replay(&product, &derivation) {
                        return Some(self.differs(member, difference));
                    }
                    self.last = "a difference was derived but not confirmed by replay".to_owned();
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

const PLAIN: Effort = Effort { products: false, splits: 0, parities: false };
const SPLIT: Effort = Effort { products: false, splits: 4, parities: false };
const MODULAR: Effort = Effort { products: false, splits: 0, parities: true };
const PARITY: Effort = Effort { products: false, splits: 2, parities: true };
const PRODUCTS: Effort = Effort { products: true, splits: 0, parities: false };
const DEEPER: Effort = Effort { products: true, splits: 5, parities: false };

/// How loops are coupled, whatever the shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Tactic {
    effort: Effort,
    eager: bool,
    pairing: Pairing,
}

const fn tactic(effort: Effort) -> Tactic {
    Tactic { effort, eager: false, pairing: Pairing::All }
}

const fn eager(effort: Effort) -> Tactic {
    Tactic { effort, eager: true, pairing: Pairing::All }
}

impl std::fmt::Display for Tactic {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Effort { products, splits, parities } = self.effort;
        write!(f, "{splits} splits")?;
        for (on, what) in [
            (products, "products"),
            (parities, "parities"),
            (self.eager, "loops left at once"),
            (self.pairing == Pairing::First, "first loops"),
            (self.pairing == Pairing::Last, "last loops"),
        ] {
            if on {
                write!(f, ", {what}")?;
            }
        }
        Ok(())
    }
}

/// Tried on the versions as they are, in this order; what costs more comes after other shapes were tried.
const FIRST: [Tactic; 2] = [tactic(PLAIN), eager(PLAIN)];
const SECOND: [Tactic; 7] = [
    tactic(SPLIT),
    eager(SPLIT),
    tactic(MODULAR),
    tactic(PARITY),
    Tactic { effort: PLAIN, eager: false, pairing: Pairing::Last },
    Tactic { effort: PLAIN, eager: false, pairing: Pairing::First },
    tactic(PRODUCTS),
];
const THIRD: [Tactic; 1] = [eager(PARITY)];

fn modes(integers: Integers) -> &'static [IntMode] {
    match integers {
        Integers::Machine => &[IntMode::Bv, IntMode::Wrap],
        Integers::Unbounded => &[IntMode::Unbounded],
    }
}

fn contract<'a>(request: &'a Request, shape: &'a Shape, mode: IntMode) -> SpecContract<'a> {
    let programs = [&shape.programs[0], &shape.programs[1]];
    SpecContract { spec: request.spec, mode, programs, functions: shape.functions }
}

/// How many runs, from pass to pass.
fn differ_effort(pass: u32) -> concrete::Effort {
    let default = concrete::Effort::default();
    match pass {
        0 => concrete::Effort { inputs: 100, steps: 2_000, deep_total: 0, watched_runs: 0, ..default },
        1 => concrete::Effort { inputs: 600, steps: 20_000, deep_total: 6_000_000, ..default },
        2 => concrete::Effort { inputs: 3_000, deep_total: 100_000_000, deep_steps: 20_000_000, ..default },
        _ => concrete::Effort { inputs: 20_000, deep_total: u64::MAX, deep_steps: u64::MAX, ..default },
    }
}

/// The cheap part of the portfolio.
pub fn quick(request: &Request) -> Option<Verdict> {
    Run::new(request).quick()
}

/// A budget that ends earlier.
pub fn child(budget: &Budget, slice: Duration) -> Budget {
    let end = Instant::now() + slice;
    let deadline = Some(budget.deadline.map_or(end, |d| d.min(end)));
    Budget { deadline, ..budget.clone() }
}

type Tried<T> = Vec<(IntMode, Result<T, encode::Unsupported>, Duration)>;

/// What an encoding gets when the other one was searched in vain.
const GRACE: Duration = Duration::from_millis(300);

/// Tries all encodings at once and stops the others when one has a proof.
fn race(
    budget: &Budget,
    slice: Duration,
    modes: &[IntMode],
    attempt: &(dyn Fn(IntMode, &Budget) -> Result<Attempt, encode::Unsupported> + Sync),
) -> Tried<Attempt> {
    let start = Instant::now();
    let child = child(budget, slice);
    if let [only] = modes {
        let result = attempt(*only, &child);
        return vec![(*only, result, start.elapsed())];
    }
    let stop = Arc::new(AtomicBool::new(false));
    let child = Budget { cancelled: stop.clone(), ..child };
    let (sender, receiver) = mpsc::channel();
    let mut tried = Vec::new();
    std::thread::scope(|scope| {
        for &mode in modes {
            let (sender, child) = (sender.clone(), child.clone());
            let work = move || {
                // Nobody listens any more only if the scope is gone.
                let _ = sender.send((mode, attempt(mode, &child)));
            };
            let started = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work);
            if started.is_err() {
                let reason = encode::Unsupported("no thread could be started".to_owned());
                tried.push((mode, Err(reason), start.elapsed()));
            }
        }
        drop(sender);
        let mut patience: Option<Instant> = None;
        loop {
            match receiver.recv_timeout(Duration::from_millis(20)) {
                Ok((mode, result)) => {
                    match result {
                        Ok(Attempt::Proved { .. }) => stop.store(true, Ordering::Relaxed),
                        // Where one encoding has no invariant, the other hardly has one.
                        Ok(Attempt::Failed { .. }) => {
                            patience = Some(Instant::now() + GRACE.max(2 * start.elapsed()));
                        }
                        _ => {}
                    }
                    tried.push((mode, result, start.elapsed()));
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    if budget.cancelled.load(Ordering::Relaxed)
                        || patience.is_some_and(|p| Instant::now() > p)
                    {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    tried
}

/// A callee pair, compared by itself: equal inputs, equal outputs, and little time.
fn callee_proof(request: &Request, functions: [FuncId; 2]) -> Option<Proof> {
    let spec = crate::spec::Spec {
        couple: request.spec.couple.clone(),
        assume_equivalent: request.spec.assume_equivalent.clone(),
        functions: request.spec.functions.clone(),
        ..Default::default()
    };
    let budget = child(request.budget, Duration::from_secs(3));
    let members = [Member::Identical, Member::Concrete, Member::Candidates];
    let members: Vec<Member> = members.into_iter().filter(|m| request.members.contains(m)).collect();
    let inner = Request { functions, spec: &spec, budget: &budget, members: &members, ..*request };
    match (Run { certify: false, ..Run::new(&inner) }).quick()? {
        Verdict::Equivalent(proof) => Some(*proof),
        _ => None,
    }
}

impl Run<'_> {
    /// The cheap part of the portfolio, for callees (whose own callees were handled before).
    fn quick(&mut self) -> Option<Verdict> {
        let request = self.request;
        let mut differ = Differ::new(request);
        if let Some(difference) = self.concrete(&mut differ, differ_effort(0)) {
            return Some(difference);
        }
        let (links, _) = callees::links(request, &mut |_| None);
        let keep = callees::kept(&links);
        let base = Shape::new([request.old, request.new], request.functions)
            .renamed(&links.same)
            .inlined([&keep[0], &keep[1]]);
        for tactic in [tactic(PLAIN), eager(PLAIN), tactic(SPLIT)] {
            if let Some(verdict) =
                self.candidates(&base, &links, modes(request.integers), tactic, SLICES[0], &mut differ)
            {
                return Some(verdict);
            }
        }
        None
    }
}

/// What a proof of equivalence takes for granted.
fn assumptions(request: &Request) -> Vec<String> {
    let mut list = Vec::new();
    let mut externs = BTreeSet::new();
    let mut repeats = false;
    for (program, function) in [(request.old, request.functions[0]), (request.new, request.functions[1])] {
        let graph = CallGraph::of(program);
        for f in graph.reachable(&[function]) {
            let called = program.function(f);
            if matches!(called.body, ir::Body::Extern) && !crate::side::MARKS.contains(&&*called.name) {
                externs.insert(called.name.to_string());
            }
            repeats |= graph.is_recursive(f);
            repeats |= called.cfa().is_some_and(|c| !ir::LoopForest::of(c).loops().is_empty());
        }
    }
    for name in externs {
        list.push(format!(
            "{name} has no body: with the same arguments in the same state it does the same in both versions"
        ));
    }
    if repeats {
        list.push("both versions end: whether they do is not compared".to_owned());
    }
    list
}
