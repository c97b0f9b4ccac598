//! Which engine is asked when, for how long, and what of several answers is the answer.
//!
//! The one idea: engines are good at different things, and none is believed, so they are asked one after the
//! other until an answer stands. Bounded model checking comes first, for a short time: it finds shallow
//! violations at once, decides programs without long loops, and notices undefined behaviour that no check
//! asks about, which is a warning. Then come explicit states, for programs that have few of them, and
//! predicate abstraction, for proofs about loops. What time is left goes to deeper bounds.
//!
//! Where an earlier version was decided by another engine than the first one, that one is asked first, for
//! about as long as it took then: it has the most to reuse. And where an earlier version failed, its run is
//! tried before anybody is asked ([`runs`]).
//!
//! An answer stands when somebody else agreed: a violation was run, a proof was checked. A claim of safety
//! that cannot be checked is handed on, for the next engine to prove in a way that can.

use crate::attempt::{self, Attempt, AttemptOptions, AttemptResult, Claim};
use crate::certified::{self, Certified};
use crate::doubt::is_expressed;
use crate::history::History;
use crate::unanswered::{Allowed, Question};
use crate::{Outcome, Request, Verdict, equivalent, limits, runs};
use base::{Budget, Stopped, Work};
use engine::{CallNode, Decision, Engine, Proof, Reuse, Scenario, Settings, UnknownReason, Unwind};
use ir::{FuncId, LoopForest};
use std::time::{Duration, Instant};

/// How a question is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Strategy {
    pub engines: Engines,
    /// A proof is wanted, not only the knowledge that there was one.
    pub certificate: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engines {
    /// All of them, as long as it takes.
    #[default]
    Auto,
    /// This one, by its name. Another one may still be asked to prove what it claims.
    Only(&'static str),
}

/// What part of the time an attempt gets.
#[derive(Clone, Copy, PartialEq)]
enum Share {
    /// What it took before.
    Known(Duration),
    Little,
    Most,
    Nearly,
    Rest,
}

const BOUNDED: &str = "bmc";
const EXPLORER: &str = "explicit";
const PROVER: &str = "predicate";
/// The order of attempts.
const PLAN: [(&str, Share); 4] =
    [(BOUNDED, Share::Little), (EXPLORER, Share::Little), (PROVER, Share::Most), (BOUNDED, Share::Rest)];

/// The same for programs without loops and recursion, which are unwound at once: what is hard about them is
/// arithmetic.
const STRAIGHT_PLAN: [(&str, Share); 2] = [(BOUNDED, Share::Nearly), (PROVER, Share::Rest)];

/// How deep is shallow? As far as this, the first attempt unwinds loops.
pub(crate) const SHALLOW: u32 = 35;
/// What shallow violations take at most, usually.
const LITTLE: Duration = Duration::from_secs(4);
/// Percent of the time that is left.
const LITTLE_PERCENT: u32 = 15;
const MOST_PERCENT: u32 = 45;
const NEARLY_PERCENT: u32 = 85;
/// For the replay or the check of what is found in the end: a part of what is left, but no more than this.
const RESERVED_PART: u32 = 10;
const RESERVED: Duration = Duration::from_secs(2);
/// Whoever decided the last version: so many times what it took, and somewhat more.
const TIMES: u32 = 2;
const AT_LEAST: Duration = Duration::from_millis(100);
/// Where there is no limit, nobody is waited for longer than this as long as others have not been asked.
const PATIENCE: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(600)];

/// Asks these engines, as [`Strategy`] and the settings say.
pub fn verify_among(engines: &[&dyn Engine], request: &Request, strategy: &Strategy) -> Outcome {
    let (start, since, allowed) = (Instant::now(), Work::now(), request.budget.left());
    let slices = slice::made();
    let (tried, stopped, took) = (Vec::new(), Vec::new(), None);
    let (equivalent, question, known) = (None, None, None);
    let mut session = Session {
        engines,
        request,
        strategy,
        start,
        allowed,
        since,
        tried,
        stopped,
        took,
        equivalent,
        question,
        known,
    };
    let verdict = match attempt::entry_problem(request) {
        Some(reason) => Verdict::Unknown(reason),
        None => session.verdict(),
    };
    let mut outcome = session.outcome(verdict);
    outcome.slices = slice::made() - slices;
    outcome.time = start.elapsed();
    outcome
}

struct Session<'a> {
    engines: &'a [&'a dyn Engine],
    request: &'a Request<'a>,
    strategy: &'a Strategy,
    start: Instant,
    /// What may be done from `since` on: parts of it are the same on a busy machine.
    allowed: Option<Duration>,
    since: Work,
    tried: Vec<AttemptResult>,
    /// By attempt: could it have gone on?
    stopped: Vec<bool>,
    /// What the prover took for the last version, if it decided that.
    took: Option<Duration>,
    /// Functions that changed, but do what they did; none before somebody needs to know.
    equivalent: Option<Vec<FuncId>>,
    question: Option<Question<'a>>,
    /// If an earlier run has the answer that nobody knows: what that was allowed.
    known: Option<Allowed>,
}

impl Session<'_> {
    fn verdict(&mut self) -> Verdict {
        let alone = match self.strategy.engines {
            Engines::Only(name) => Some(name),
            Engines::Auto if about_bounds(self.request.settings) => Some(BOUNDED),
            Engines::Auto => None,
        };
        let history = History::of(self.request);
        self.took = history.last().filter(|(decider, _)| *decider == PROVER).map(|(_, time)| time);
        let mut plan = match alone {
            Some(name) => vec![(name, Share::Rest)],
            None if !is_expressed(self.request.subject.program) => vec![(BOUNDED, Share::Rest)],
            None if is_straight(self.request) => STRAIGHT_PLAN.to_vec(),
            None => PLAN.to_vec(),
        };
        // Whoever decided the last version has the most to reuse.
        if alone.is_none()
            && let Some((decider, time)) = history.last()
            && let Some((name, _)) = PLAN.iter().find(|(name, _)| *name == decider && *name != PLAN[0].0)
        {
            plan.insert(0, (name, Share::Known(time)));
        }
        let verdict = match self.reused(alone) {
            Some(verdict) => verdict,
            None => self.unless_known(&plan),
        };
        if let (Verdict::Unsafe(violation), Some(tried)) = (&verdict, self.tried.last()) {
            runs::remember(self.request, violation, tried);
        }
        if alone.is_none()
            && !matches!(verdict, Verdict::Unknown(_))
            && let Some(tried) = self.tried.last()
        {
            let usual = tried.attempt.engine == PLAN[0].0;
            history.remember(self.request, tried.attempt.engine, tried.attempt.time, usual);
        }
        verdict
    }

    /// What an earlier run came to, if it holds for this version: nothing changed that a check depends on, or
    /// the run that failed fails again.
    fn reused(&mut self, alone: Option<&str>) -> Option<Verdict> {
        if !self.strategy.certificate
            && let Some(tried) = certified::before(self.request, self.engines, alone)
        {
            self.tried.push(tried);
            return Some(Verdict::Safe);
        }
        // A violation beyond the bounds that are asked about is none of theirs.
        if about_bounds(self.request.settings) {
            return None;
        }
        let (violation, tried) = runs::again(self.engines, self.request)?;
        self.tried.push(tried);
        Some(Verdict::Unsafe(Box::new(violation)))
    }

    /// What nobody could answer before with as much time is not asked again.
    fn unless_known(&mut self, plan: &[(&'static str, Share)]) -> Verdict {
        self.question = Question::of(self.request, self.strategy.engines);
        if let Some((reason, allowed)) = self.question.as_ref().and_then(Question::known) {
            self.known = Some(allowed);
            return Verdict::Unknown(reason);
        }
        let verdict = self.follow(plan);
        if let (Verdict::Unknown(reason), Some(question)) = (&verdict, &self.question) {
            question.keep(reason, self.stopped.contains(&true), self.start);
        }
        verdict
    }

    fn follow(&mut self, plan: &[(&'static str, Share)]) -> Verdict {
        for &(name, share) in plan {
            if !self.tried.is_empty() && (self.is_over() || !self.is_worth_asking(name)) {
                continue;
            }
            if let Some(verdict) = self.ask(name, share) {
                return verdict;
            }
        }
        // Whoever was to answer alone may have found a proof that is none for the checker.
        if self.claimed_safe().is_some()
            && !self.asked(PROVER)
            && !self.is_over()
            && let Some(verdict) = self.ask(PROVER, Share::Rest)
        {
            return verdict;
        }
        let best = self.best_reason();
        let unknown = UnknownReason::Unsupported { what: "there is no such engine".to_owned(), pos: None };
        Verdict::Unknown(best.map_or(unknown, |i| self.reason(i).cloned().unwrap_or(UnknownReason::Memory)))
    }

    /// Asks one engine. Its answer, if it stands.
    fn ask(&mut self, name: &str, share: Share) -> Option<Verdict> {
        let engine = *self.engines.iter().find(|engine| engine.name() == name)?;
        let budget = self.budget(share);
        let settings = self.settings(name, share);
        if name == PROVER && self.equivalent.is_none() {
            self.equivalent = Some(equivalent::find(self.request, self.took, &budget));
        }
        let equivalent = self.equivalent.as_deref().filter(|_| name == PROVER).unwrap_or_default();
        let (settings, budget) = (&settings, &budget);
        let options = AttemptOptions { settings, budget, equivalent };
        let (verdict, mut tried) = attempt::attempt(engine, self.request, &options);
        if let Claim::Unknown(reason) = &mut tried.attempt.claim {
            *reason = self.in_words(reason.clone());
        }
        let shallow = settings.shallow.zip(tried.attempt.bound).is_some_and(|(most, bound)| bound >= most);
        self.stopped.push(shallow || matches!(budget.check(0), Err(Stopped::Time)));
        self.tried.push(tried);
        if let Some(best) = self.best_reason().and_then(|i| self.reason(i)) {
            self.request.progress.reached(best);
        }
        match verdict {
            Verdict::Unknown(_) => None,
            decided => Some(decided),
        }
    }

    /// The engine only knows that somebody told it to stop.
    fn in_words(&self, reason: UnknownReason) -> UnknownReason {
        let memory = self.request.limits.is_some_and(limits::Watch::memory_reached);
        match (reason, &self.question) {
            (UnknownReason::Stopped(Stopped::Cancelled), _) if memory => UnknownReason::Memory,
            (other, Some(question)) => question.detailed(other),
            (other, None) => other,
        }
    }

    fn asked(&self, name: &str) -> bool {
        self.tried.iter().any(|tried| tried.attempt.engine == name)
    }

    fn is_over(&self) -> bool {
        self.request.budget.check(0).is_err()
    }

    fn is_worth_asking(&self, name: &str) -> bool {
        let of_it = |i: &usize| self.tried[*i].attempt.engine == name;
        let before = (0..self.tried.len()).rev().find(of_it);
        // What was not cut short would come to the same answer.
        let proved = |i: usize| matches!(self.reason(i), Some(UnknownReason::NotCertified(_)));
        before.is_none_or(|i| self.stopped[i] && !proved(i))
    }

    /// The attempt that claims safety, with a proof that the checker did not accept.
    fn claimed_safe(&self) -> Option<usize> {
        let claims = |i: &usize| matches!(self.reason(*i), Some(UnknownReason::NotCertified(_)));
        (0..self.tried.len()).find(claims)
    }

    fn reason(&self, attempt: usize) -> Option<&UnknownReason> {
        match &self.tried.get(attempt)?.attempt.claim {
            Claim::Unknown(reason) => Some(reason),
            Claim::Safe | Claim::Unsafe => None,
        }
    }

    /// Of several reasons the one that says most; of two alike the later one.
    fn best_reason(&self) -> Option<usize> {
        let known = (0..self.tried.len()).filter(|i| self.reason(*i).is_some());
        known.max_by_key(|i| (self.reason(*i).map(UnknownReason::weight), *i))
    }

    fn budget(&self, share: Share) -> Budget {
        let budget = self.request.budget;
        let left = self.allowed.map(|allowed| allowed.saturating_sub(self.since.elapsed()));
        // What is found just in time is still to be run or checked.
        let left = left.map(|left| left - (left / RESERVED_PART).min(RESERVED));
        // Somebody has to prove what was claimed, and nobody else is needed; or nobody else has anything left
        // to say.
        let alone = share == Share::Most && self.asked(BOUNDED) && !self.is_worth_asking(BOUNDED);
        let share = if self.claimed_safe().is_some() || alone { Share::Rest } else { share };
        let time = match (share, left) {
            (Share::Rest, left) => left,
            (Share::Known(time), left) => {
                let time = time * TIMES + AT_LEAST;
                Some(left.map_or(time, |left| time.min(left * MOST_PERCENT / 100)))
            }
            (Share::Little, Some(left)) => Some((left * LITTLE_PERCENT / 100).max(LITTLE).min(left / 2)),
            (Share::Most, Some(left)) => Some(left * MOST_PERCENT / 100),
            (Share::Nearly, Some(left)) => Some(left * NEARLY_PERCENT / 100),
            (Share::Little, None) => Some(PATIENCE[0]),
            (Share::Most | Share::Nearly, None) => Some(PATIENCE[1]),
        };
        time.map_or_else(|| budget.clone(), |time| budget.within(time))
    }

    /// Whoever unwinds again starts where it ended, and has looked into the store already.
    fn settings(&self, name: &str, share: Share) -> Settings {
        let mut settings = self.request.settings.clone();
        settings.shallow = (share == Share::Little).then_some(SHALLOW);
        let before = self.tried.iter().rev().find(|tried| tried.attempt.engine == name);
        if let Some(before) = before.filter(|_| name == BOUNDED) {
            settings.known_bound = before.attempt.bound.unwrap_or(0);
            settings.reuse = Reuse::NONE;
        }
        settings
    }

    fn outcome(self, verdict: Verdict) -> Outcome {
        let decides = match &verdict {
            Verdict::Unknown(_) => self.best_reason(),
            _ => self.tried.len().checked_sub(1),
        };
        // A claim that somebody else proved is still the claim of who made it, on its assumptions.
        let claims = match &verdict {
            Verdict::Safe => self.claimed_safe().or(decides),
            _ => decides,
        };
        let mut outcome = Outcome {
            verdict,
            engine: "",
            assumptions: engine::assumptions(self.request.subject.program, self.request.subject.entry),
            undefined: None,
            decisions: Vec::new(),
            figures: Vec::new(),
            calls: Vec::new(),
            attempts: Vec::new(),
            certified: None,
            proof: None,
            known: self.known,
            slices: 0,
            time: Duration::ZERO,
        };
        for (i, tried) in self.tried.into_iter().enumerate() {
            let AttemptResult { attempt, undefined, decisions, calls, certified } = tried;
            if Some(i) == claims {
                outcome.engine = attempt.engine;
                outcome.figures = attempt.figures.clone();
            }
            outcome.undefined = outcome.undefined.or(undefined);
            if Some(i) == decides
                && let Some((certified, proof)) = certified
            {
                (outcome.certified, outcome.proof) = (Some(certified), proof);
            }
            add(&mut outcome, attempt, decisions, calls);
        }
        if outcome.engine.is_empty() {
            outcome.engine = self.engines.first().map_or("", |engine| engine.name());
        }
        outcome
    }
}

fn add(outcome: &mut Outcome, attempt: Attempt, decisions: Vec<Decision>, calls: Vec<CallNode>) {
    for decision in decisions {
        if !outcome.decisions.contains(&decision) {
            outcome.decisions.push(decision);
        }
    }
    if !calls.is_empty() {
        outcome.calls = calls;
    }
    outcome.attempts.push(attempt);
}

/// What an attempt leaves besides its verdict.
pub(crate) type Proved = (Certified, Option<Proof>);

/// Is there nothing that could be repeated?
fn is_straight(request: &Request) -> bool {
    let calls = request.subject.graph();
    let repeats = |f: &FuncId| {
        let loops = request
            .subject
            .program
            .function(*f)
            .cfa()
            .is_some_and(|cfa| !LoopForest::of(cfa).loops().is_empty());
        loops || calls.is_recursive(*f)
    };
    !calls.reachable(&[request.subject.entry]).iter().any(repeats)
}

/// Is the question about bounds, which only one engine has?
fn about_bounds(settings: &Settings) -> bool {
    settings.unwind != Unwind::Auto { most: None } || settings.scenario != Scenario::Eager
}
