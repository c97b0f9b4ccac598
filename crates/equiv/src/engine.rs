//! The portfolio: from the cheapest way to an answer to the most expensive one.
//!
//! 1. Equal fingerprints: nothing changed that the function can run into.
//! 2. A few concrete runs; a difference is the answer.
//! 3. Callees, bottom-up: those that are proved equivalent are one function from then on.
//! 4. The product of both versions, and the least coupling predicates among equations and candidates
//!    (`horn::symbolic_abstraction`), in growing spaces and in more and more shapes: as they are, with loops
//!    unrolled and peeled, recursion unfolded.
//! 5. More concrete runs in between; in the end predicate abstraction with what was found as seeds, Spacer,
//!    and a bounded search for a derivation.
//!
//! Whatever answers, the answer is confirmed by somebody else: differences by the interpreter, proofs by who
//! asks ([`Confirm`]). Where a proof is refused, the portfolio goes on.

mod assumptions;
mod beside;
mod members;
mod race;
mod tactic;

use crate::callees;
use crate::concrete;
use crate::differ::Differ;
use crate::prove::{self, Links, Pairing};
use crate::shape::Shape;
use crate::verdict::{Confirm, Integers, Member, Proof, ProofKind, Report, Request, Verdict};
pub use assumptions::assumptions;
use change::Pair;
use encode::IntMode;
use encode::start::Unlike;
use engine::{Undecided, UnknownReason};
use ir::{FuncId, Program};
use members::{Run, contract};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};
use tactic::{FIRST, LAST, OPEN, QUICK, SECOND, SLICES, SPLIT, THIRD, Tactic, differ_effort, tactic};

/// Compares two functions. A verdict other than unknown has been confirmed: a difference by replay, a proof
/// by `confirm`.
pub fn compare(request: &Request, confirm: Confirm) -> Report {
    let settled = settled(request.pair);
    compare_settled(&Request { pair: &Pair::new(&settled[0], &settled[1]), ..*request }, confirm)
}

/// The same, of versions that are settled already.
pub fn compare_settled(request: &Request, confirm: Confirm) -> Report {
    let start = Instant::now();
    // Of its own: a difference that is found on the side interrupts what is being tried.
    let budget = request.budget.with_flag(&Arc::default());
    let request = &Request { budget: &budget, ..*request };
    let mut run = Run::new(request, confirm);
    run.unlike = unlike(request);
    let verdict = run.answer().unwrap_or_else(|| Verdict::Unknown(run.reason()));
    let equivalent_when = match &verdict {
        Verdict::NotEquivalent(difference) => crate::condition::find(request, difference, confirm),
        _ => None,
    };
    let assumptions = match &verdict {
        Verdict::Equivalent(_) => assumptions(request),
        _ => Vec::new(),
    };
    Report {
        verdict,
        member: run.member,
        time: start.elapsed(),
        log: run.log,
        assumptions,
        equivalent_when,
        before: false,
    }
}

/// The versions as they are compared: what never changes is constant.
pub fn settled(pair: &Pair) -> [Program; 2] {
    encode::start::settle(pair.programs())
}

/// The clauses of the versions as they are, for other solvers.
pub fn horn_clauses(request: &Request) -> Result<horn::System, UnknownReason> {
    let settled = settled(request.pair);
    let pair = Pair::new(&settled[0], &settled[1]);
    let request = &Request { pair: &pair, ..*request };
    if let Some(unlike) = unlike(request) {
        return Err(UnknownReason::Undecided(Undecided::Unlike(unlike)));
    }
    let links = callees::links(request, &mut |_| None).0;
    let keep = callees::kept(&links);
    let shape = Shape::new(request.pair.programs(), request.functions)
        .renamed(&links.same)
        .inlined([&keep[0], &keep[1]]);
    let mode = match request.integers {
        Integers::Machine => IntMode::Bv,
        Integers::Unbounded => IntMode::Unbounded,
    };
    let contract = contract(request, &shape, mode);
    let couplings = prove::all_couplings(&shape, &links, Pairing::All);
    let product = prove::product(&shape, &links, &couplings, false, &contract, mode)
        .map_err(UnknownReason::unsupported)?;
    match horn::functions::has_functions(&product.system) {
        true => horn::functions::without_functions(&product.system).ok_or_else(|| {
            UnknownReason::unsupported("functions without a body that do not fit Horn clauses")
        }),
        false => Ok(product.system),
    }
}

/// Both versions once more on an input, for people to read: at most `limit` events of each.
pub fn story(request: &Request, input: &concrete::Input, limit: usize) -> Option<concrete::SideBySide> {
    let settled = settled(request.pair);
    let pair = Pair::new(&settled[0], &settled[1]);
    Differ::new(&Request { pair: &pair, ..*request }).story(input, limit)
}

/// Runs settled versions on an input on which they differed before, or others like them did.
pub fn replay(request: &Request, input: &concrete::Input) -> Option<Box<concrete::Difference>> {
    Differ::new(request).again(input)
}

/// Why no proof about a common state is one about these versions.
fn unlike(request: &Request) -> Option<Unlike> {
    let programs = request.pair.programs();
    let whole = encode::version::is_whole_program(programs, request.functions);
    encode::start::unlike(programs, request.functions, whole)
}

/// One thing to try.
#[derive(Clone, Copy)]
enum Step<'s> {
    /// Concrete runs, so many times more than the first ones.
    Runs(u32),
    Candidates(&'s Shape, &'s Links, Tactic, Duration),
    /// The same if some attempt ended before it was done: nothing was ruled out if time was all that was
    /// missing.
    Again(&'s Shape, &'s Links, Tactic, Duration),
    Bounded(&'s Shape, &'s Links),
    Search(&'s Shape, &'s Links, Duration),
}

impl Run<'_> {
    fn answer(&mut self) -> Option<Verdict> {
        let request = self.request;
        if self.allows(Member::Identical) && callees::identical(request) {
            return Some(self.proved(Member::Identical, ProofKind::Identical));
        }
        if let Some(difference) = self.concrete(differ_effort(0)) {
            return Some(difference);
        }
        if let Some(verdict) = self.exhaust() {
            return Some(verdict);
        }
        let (links, proofs) = callees::links(request, &mut |inner| callee_proof(request, inner));
        self.proofs = proofs;
        let keep = callees::kept(&links);
        let base = Shape::new(request.pair.programs(), request.functions)
            .renamed(&links.same)
            .inlined([&keep[0], &keep[1]]);
        // What is the same in both versions may still have to be looked into.
        let empty = BTreeSet::new();
        let open = Shape::new(request.pair.programs(), request.functions)
            .renamed(&links.same)
            .inlined([&empty, &empty]);
        self.beside(&open, &mut |run| run.proofs(&links, &keep, &base, &open))
    }

    /// Tries proofs while the versions are searched for a difference side by side.
    fn beside(
        &mut self,
        open: &Shape,
        proofs: &mut dyn FnMut(&mut Self) -> Option<Verdict>,
    ) -> Option<Verdict> {
        if !self.allows(Member::Bounded) || !self.differ.runs_count() || self.out_of_time() {
            return proofs(self);
        }
        let request = self.request;
        let stop = Arc::new(AtomicBool::new(false));
        let budget = request.budget.with_flag(&stop);
        let (tell, told) = mpsc::channel();
        std::thread::scope(|scope| {
            let search = move || beside::search(request, open, &budget, &tell);
            let started = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, search);
            self.told = started.is_ok().then_some(told);
            let mut verdict = proofs(self);
            // Whatever is left to try has been tried: some more time for the search.
            let rest = request.budget.within(SLICES[2]);
            while verdict.is_none() && rest.left().is_none_or(|left| !left.is_zero()) {
                let next = self.told.as_ref().map(|told| told.recv_timeout(Duration::from_millis(50)));
                match next {
                    Some(Ok(told)) => verdict = self.hear(told),
                    Some(Err(mpsc::RecvTimeoutError::Timeout)) => {}
                    _ => break,
                }
            }
            stop.store(true, Ordering::Relaxed);
            self.told = None;
            request.budget.cancelled.store(false, Ordering::Relaxed);
            verdict
        })
    }

    /// All that may prove something, from the cheap to the expensive, and more runs in between.
    fn proofs(
        &mut self,
        links: &Links,
        keep: &[BTreeSet<FuncId>; 2],
        base: &Shape,
        open: &Shape,
    ) -> Option<Verdict> {
        let [quick, longer, ..] = SLICES;
        let on_base = |tactic: &Tactic| Step::Candidates(base, links, *tactic, quick);
        let mut plan: Vec<Step> = FIRST.iter().map(on_base).collect();
        plan.extend([Step::Runs(1), Step::Bounded(base, links)]);
        if let Some(verdict) = self.follow(plan) {
            return Some(verdict);
        }
        let [promising, shapes] = crate::align::shapes(base, links, &mut self.differ);
        let on_shapes = |list: &'_ [Shape], tactics: &[Tactic]| -> Vec<(usize, Tactic)> {
            (0..list.len()).flat_map(|i| tactics.iter().map(move |t| (i, *t))).collect()
        };
        let mut plan = Vec::new();
        for (i, tactic) in on_shapes(&promising, &FIRST) {
            plan.push(Step::Candidates(&promising[i], links, tactic, quick));
        }
        plan.extend(FIRST.iter().map(|tactic| Step::Again(base, links, *tactic, longer)));
        let uneven = base.heads(0).len() != base.heads(1).len();
        plan.extend(SECOND.iter().filter(|t| t.pairing == Pairing::All || uneven).map(on_base));
        let none = Links { matched: links.matched.clone(), ..Links::default() };
        if !keep.iter().all(BTreeSet::is_empty) {
            plan.extend(OPEN.iter().map(|tactic| Step::Candidates(open, &none, *tactic, quick)));
        }
        for (i, tactic) in on_shapes(&shapes, &FIRST) {
            plan.push(Step::Candidates(&shapes[i], links, tactic, quick));
        }
        plan.extend(THIRD.iter().map(on_base));
        for (i, tactic) in on_shapes(&shapes, &[tactic(SPLIT)]) {
            plan.push(Step::Candidates(&shapes[i], links, tactic, quick));
        }
        plan.push(Step::Runs(2));
        plan.extend(LAST.iter().map(|tactic| Step::Candidates(base, links, *tactic, longer)));
        // Alone, a searcher has all the time at once.
        let alone = !self.allows(Member::Candidates);
        let slices = if alone { &[Duration::from_secs(3600)][..] } else { &SLICES[..] };
        plan.extend(slices.iter().map(|slice| Step::Search(base, links, *slice)));
        plan.push(Step::Runs(3));
        self.follow(plan)
    }

    /// Step by step until there is an answer, or no time.
    fn follow(&mut self, plan: Vec<Step>) -> Option<Verdict> {
        for step in plan {
            loop {
                if let Some(verdict) = self.heard() {
                    return Some(verdict);
                }
                if let Some(verdict) = self.take(step) {
                    return Some(verdict);
                }
                // What was interrupted for nothing is tried again.
                if !self.interrupted() {
                    break;
                }
            }
        }
        None
    }

    fn interrupted(&self) -> bool {
        self.told.is_some() && self.request.budget.cancelled.load(Ordering::Relaxed)
    }

    /// What the search side by side has found so far.
    fn heard(&mut self) -> Option<Verdict> {
        loop {
            let channel = self.told.as_ref()?;
            // Whoever interrupts tells at once why.
            let next = match self.interrupted() {
                true => channel.recv().ok(),
                false => channel.try_recv().ok(),
            };
            if let Some(verdict) = self.hear(next?) {
                return Some(verdict);
            }
        }
    }

    fn take(&mut self, step: Step) -> Option<Verdict> {
        match step {
            _ if self.out_of_time() => None,
            Step::Runs(pass) => self.concrete(differ_effort(pass)),
            Step::Candidates(shape, links, tactic, slice) => self.candidates(shape, links, tactic, slice),
            Step::Again(shape, links, tactic, slice) => {
                if self.hurried {
                    self.candidates(shape, links, tactic, slice)
                } else {
                    None
                }
            }
            Step::Bounded(shape, links) => self.bounded(shape, links),
            Step::Search(shape, links, slice) => self.searchers(shape, links, slice),
        }
    }
}

/// The cheap part of the portfolio.
pub fn quick(request: &Request, confirm: Confirm) -> Option<Verdict> {
    Run::new(request, confirm).quick()
}

/// A callee pair, compared by itself: equal inputs, equal outputs, and little time.
fn callee_proof(request: &Request, functions: [FuncId; 2]) -> Option<Proof> {
    let spec = crate::spec::Spec {
        couple: request.spec.couple.clone(),
        assume_equivalent: request.spec.assume_equivalent.clone(),
        functions: request.spec.functions.clone(),
        ..Default::default()
    };
    let budget = request.budget.within(Duration::from_secs(3));
    let members = [Member::Identical, Member::Concrete, Member::Candidates];
    let members: Vec<Member> = members.into_iter().filter(|m| request.members.contains(m)).collect();
    let inner = Request { functions, spec: &spec, budget: &budget, members: &members, ..*request };
    // It is confirmed with the proofs that use it.
    match quick(&inner, &|_, _, _| Ok(()))? {
        Verdict::Equivalent(proof) => Some(*proof),
        _ => None,
    }
}

impl Run<'_> {
    /// The cheap part of the portfolio, for callees (whose own callees were handled before).
    fn quick(&mut self) -> Option<Verdict> {
        let request = self.request;
        if let Some(difference) = self.concrete(differ_effort(0)) {
            return Some(difference);
        }
        let (links, _) = callees::links(request, &mut |_| None);
        let keep = callees::kept(&links);
        let base = Shape::new(request.pair.programs(), request.functions)
            .renamed(&links.same)
            .inlined([&keep[0], &keep[1]]);
        self.follow(QUICK.iter().map(|tactic| Step::Candidates(&base, &links, *tactic, SLICES[0])).collect())
    }
}
