//! Which engine is asked when, for how long, and what of several answers is the answer.
//!
//! The one idea: engines are good at different things, and none is believed, so they are asked one after the
//! other until an answer stands. Bounded model checking comes first, for a short time: it finds shallow
//! violations at once, decides programs without long loops, and notices undefined behaviour that no check
//! asks about, which is a warning. Then come explicit states, for programs that have few of them, and
//! predicate abstraction, for proofs about loops. What time is left goes to deeper bounds.
//!
//! What unwinding takes grows with the calls that can happen, so a program with many functions is only glanced at that
//! way, and contracts of its functions are looked for. They are looked for once, for all checks: what one
//! function asks is what another one relies on.
//!
//! Where an earlier version was decided by another engine than the first one, that one is asked first, for
//! about as long as it took then: it has the most to reuse. And where an earlier version failed, its run is
//! tried before anybody is asked ([`runs`]).
//!
//! An answer stands when somebody else agreed: a violation was run, a proof was checked. A claim of safety
//! that cannot be checked is handed on, for the next engine to prove in a way that can.
//!
//! Where the checks of a program have little to do with each other, all this is done for each part of them by
//! itself ([`parts`]).

use crate::attempt::{self, Attempt, AttemptOptions, AttemptResult, Claim};
use crate::certified::{self, Certified};
use crate::doubt::is_expressed;
use crate::history::History;
use crate::unanswered::{Allowed, Question};
use crate::{Outcome, Request, Verdict, equivalent, limits, parts, runs};
use base::{Budget, Stopped, Work};
use certify::program::Checker;
use engine::{CallNode, Decision, Engine, Proof, Reuse, Scenario, Settings, UnknownReason, Unwind};
use ir::{FuncId, LoopForest};
use slice::Checks;
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
pub(crate) enum Share {
    /// What it took before.
    Known(Duration),
    Glance,
    Little,
    Most,
    Nearly,
    Rest,
}

const BOUNDED: &str = "bmc";
const MODULAR: &str = "contracts";
const EXPLORER: &str = "explicit";
const PROVER: &str = "predicate";
/// The order of attempts.
const PLAN: [(&str, Share); 5] = [
    (BOUNDED, Share::Little),
    (MODULAR, Share::Little),
    (EXPLORER, Share::Little),
    (PROVER, Share::Most),
    (BOUNDED, Share::Rest),
];

/// The same for programs without loops and recursion, which are unwound at once: what is hard about them is
/// arithmetic.
const STRAIGHT_PLAN: [(&str, Share); 2] = [(BOUNDED, Share::Nearly), (PROVER, Share::Rest)];

/// Before all that, for programs with this many functions.
const LARGE_PLAN: [(&str, Share); 2] = [(BOUNDED, Share::Glance), (MODULAR, Share::Most)];
const LARGE: usize = 16;

/// How deep is shallow? As far as this, the first attempt unwinds loops.
pub(crate) const SHALLOW: u32 = 35;
/// What programs take that are quick to unwind.
const GLANCE: Duration = Duration::from_millis(300);
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
    let (tried, question, known) = (Tried::default(), None, None);
    let (turns, checker) = (1, &Checker::new(request.subject.program, request.subject.entry));
    let mut session =
        Session { engines, request, strategy, start, allowed, since, checker, turns, tried, question, known };
    let verdict = match attempt::entry_problem(request) {
        Some(reason) => Verdict::Unknown(reason),
        None => session.verdict(),
    };
    let mut outcome = session.outcome(verdict);
    outcome.slices = slice::made() - slices;
    outcome.time = start.elapsed();
    outcome
}

/// Asks engines about one subject: a program, or a part of its checks.
pub(crate) struct Session<'a> {
    pub engines: &'a [&'a dyn Engine],
    pub request: &'a Request<'a>,
    pub strategy: &'a Strategy,
    pub start: Instant,
    /// What may be done from `since` on: parts of it are the same on a busy machine.
    pub allowed: Option<Duration>,
    pub since: Work,
    pub checker: &'a Checker<'a>,
    /// How many parts are still to be asked about, this one included, before the next step of the plan: they
    /// share the time.
    pub turns: u32,
    pub tried: Tried,
    question: Option<Question<'a>>,
    /// If an earlier run has the answer that nobody knows: what that was allowed.
    known: Option<Allowed>,
}

/// Who was asked so far, and came to what.
#[derive(Default)]
pub(crate) struct Tried {
    pub attempts: Vec<AttemptResult>,
    /// By attempt: could it have gone on?
    stopped: Vec<bool>,
    /// What the prover took for the last version, if it decided that.
    took: Option<Duration>,
    /// Functions that changed, but do what they did; none before somebody needs to know.
    equivalent: Option<Vec<FuncId>>,
    /// About reuse, besides those of the attempts.
    pub decisions: Vec<Decision>,
}

impl Tried {
    pub fn add(&mut self, result: AttemptResult, stopped: bool) {
        self.attempts.push(result);
        self.stopped.push(stopped);
    }

    /// Was somebody stopped who might have found out more?
    pub fn could_go_on(&self) -> bool {
        self.stopped.contains(&true)
    }
}

pub(crate) type Plan = Vec<(&'static str, Share)>;

impl Session<'_> {
    fn verdict(&mut self) -> Verdict {
        let history = History::of(self.request);
        let plan = self.plan(&history);
        let verdict = match self.reused() {
            Some(verdict) => verdict,
            None => self.unless_known(&plan),
        };
        if let (Verdict::Unsafe(violation), Some(tried)) = (&verdict, self.tried.attempts.last()) {
            runs::remember(self.request, violation, tried);
        }
        self.remember(&history, &verdict);
        verdict
    }

    /// The same about a part of the checks, which was asked about before.
    pub fn of_part<'b>(&'b self, request: &'b Request, turns: u32, tried: Tried) -> Session<'b> {
        let Session { engines, strategy, start, allowed, since, checker, .. } = *self;
        let (question, known) = (None, None);
        Session { engines, request, strategy, start, allowed, since, checker, turns, tried, question, known }
    }

    /// The engine that is to answer alone, if it is one.
    fn alone(&self) -> Option<&'static str> {
        match self.strategy.engines {
            Engines::Only(name) => Some(name),
            Engines::Auto if about_bounds(self.request.settings) => Some(BOUNDED),
            Engines::Auto => None,
        }
    }

    /// Who is to be asked.
    pub fn plan(&mut self, history: &History) -> Plan {
        let alone = self.alone();
        self.tried.took = history.last().filter(|(decider, _)| *decider == PROVER).map(|(_, time)| time);
        let mut plan = match alone {
            Some(name) => vec![(name, Share::Rest)],
            None if !is_expressed(self.request.subject.program) => vec![(BOUNDED, Share::Rest)],
            None => {
                let large = is_large(self.request) && history.last().is_none();
                let large = if large { &LARGE_PLAN[..] } else { &[] };
                let straight = is_straight(self.request);
                let others = if straight { &STRAIGHT_PLAN[..] } else { &PLAN[..] };
                large.iter().chain(others).copied().collect()
            }
        };
        // Whoever decided the last version has the most to reuse.
        if alone.is_none()
            && let Some((decider, time)) = history.last()
            && let Some((name, _)) = PLAN.iter().find(|(name, _)| *name == decider && *name != PLAN[0].0)
        {
            plan.insert(0, (name, Share::Known(time)));
        }
        plan
    }

    /// Keeps who decided, for the next version.
    pub fn remember(&self, history: &History, verdict: &Verdict) {
        if self.alone().is_none()
            && !matches!(verdict, Verdict::Unknown(_))
            && let Some(tried) = self.tried.attempts.last()
        {
            let usual = tried.attempt.engine == PLAN[0].0 && !self.asked(MODULAR);
            history.remember(self.request, tried.attempt.engine, tried.attempt.time, usual);
        }
    }

    /// What an earlier run proved, if nothing changed that a check depends on.
    pub fn certified_before(&mut self) -> bool {
        let known = match self.strategy.certificate {
            true => None,
            false => certified::before(self.request, self.engines, self.alone()),
        };
        let found = known.is_some();
        self.tried.attempts.extend(known);
        found
    }

    /// What an earlier run came to, if it holds for this version: nothing changed that a check depends on, or
    /// the run that failed fails again.
    fn reused(&mut self) -> Option<Verdict> {
        if self.certified_before() {
            return Some(Verdict::Safe);
        }
        // A violation beyond the bounds that are asked about is none of theirs.
        if about_bounds(self.request.settings) {
            return None;
        }
        let (violation, tried) = runs::again(self.engines, self.request)?;
        self.tried.attempts.push(tried);
        Some(Verdict::Unsafe(Box::new(violation)))
    }

    /// What nobody could answer before with as much time is not asked again.
    fn unless_known(&mut self, plan: &Plan) -> Verdict {
        self.question = Question::of(self.request, self.strategy.engines);
        if let Some((reason, allowed)) = self.question.as_ref().and_then(Question::known) {
            self.known = Some(allowed);
            return Verdict::Unknown(reason);
        }
        let parts = match self.request.settings.slice && !about_bounds(self.request.settings) {
            true => self.request.subject.parts(),
            false => Vec::new(),
        };
        // Once for all checks, if the plan begins with it; otherwise each part has its turn.
        let together = plan.iter().find(|(name, share)| *name == MODULAR && *share != Share::Little);
        let verdict = match (parts.len(), together) {
            (0 | 1, _) => self.follow(plan),
            (_, None) => parts::follow(self, parts),
            (_, Some(modular)) => self.step(*modular).unwrap_or_else(|| parts::follow(self, parts)),
        };
        if let (Verdict::Unknown(reason), Some(question)) = (&verdict, &self.question) {
            question.keep(reason, self.tried.could_go_on(), self.start);
        }
        verdict
    }

    fn follow(&mut self, plan: &Plan) -> Verdict {
        let step = |step: &(&'static str, Share)| self.step(*step);
        match plan.iter().find_map(step).or_else(|| self.last_resort()) {
            Some(verdict) => verdict,
            None => Verdict::Unknown(self.unknown()),
        }
    }

    /// One step of the plan, if there is time for it and it may come to something.
    pub fn step(&mut self, (name, share): (&'static str, Share)) -> Option<Verdict> {
        if !self.tried.attempts.is_empty() && (self.is_over() || !self.is_worth_asking(name)) {
            return None;
        }
        self.ask(name, share)
    }

    /// Whoever was to answer alone may have found a proof that is none for the checker.
    pub fn last_resort(&mut self) -> Option<Verdict> {
        let open = self.claimed_safe().is_some() && !self.asked(PROVER) && !self.is_over();
        open.then(|| self.ask(PROVER, Share::Rest)).flatten()
    }

    /// Why nobody knows.
    pub fn unknown(&self) -> UnknownReason {
        let best = self.best_reason();
        let unknown = UnknownReason::Unsupported { what: "there is no such engine".to_owned(), pos: None };
        best.map_or(unknown, |i| self.reason(i).cloned().unwrap_or(UnknownReason::Memory))
    }

    /// Asks one engine. Its answer, if it stands.
    fn ask(&mut self, name: &str, share: Share) -> Option<Verdict> {
        let engine = *self.engines.iter().find(|engine| engine.name() == name)?;
        let budget = self.budget(share);
        let settings = self.settings(name, share);
        if name == PROVER && self.tried.equivalent.is_none() {
            self.tried.equivalent = Some(equivalent::find(self.request, self.tried.took, &budget));
        }
        let equivalent = self.tried.equivalent.as_deref().filter(|_| name == PROVER).unwrap_or_default();
        let (settings, budget) = (&settings, &budget);
        let options = AttemptOptions { settings, budget, equivalent, checker: self.checker };
        let (verdict, mut tried) = attempt::attempt(engine, self.request, &options);
        if let Claim::Unknown(reason) = &mut tried.attempt.claim {
            *reason = self.in_words(reason.clone());
        }
        let shallow =
            settings.bmc.shallow.zip(tried.attempt.bound).is_some_and(|(most, bound)| bound >= most);
        let stopped = shallow || matches!(budget.check(0), Err(Stopped::Time));
        self.tried.add(tried, stopped);
        // What a bound says of a part it does not say of the program.
        let is_part = self.request.subject.checks != Checks::All;
        let best = self.best_reason().and_then(|i| self.reason(i));
        if let Some(best) = best.filter(|reason| !is_part || reason.bound().is_none()) {
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
        self.tried.attempts.iter().any(|tried| tried.attempt.engine == name)
    }

    pub fn is_over(&self) -> bool {
        self.request.budget.check(0).is_err()
    }

    fn is_worth_asking(&self, name: &str) -> bool {
        let of_it = |i: &usize| self.tried.attempts[*i].attempt.engine == name;
        let before = (0..self.tried.attempts.len()).rev().find(of_it);
        // What was not cut short would come to the same answer.
        let proved = |i: usize| matches!(self.reason(i), Some(UnknownReason::NotCertified(_)));
        before.is_none_or(|i| self.tried.stopped[i] && !proved(i))
    }

    /// The attempt that claims safety, with a proof that the checker did not accept.
    fn claimed_safe(&self) -> Option<usize> {
        let claims = |i: &usize| matches!(self.reason(*i), Some(UnknownReason::NotCertified(_)));
        (0..self.tried.attempts.len()).find(claims)
    }

    fn reason(&self, attempt: usize) -> Option<&UnknownReason> {
        match &self.tried.attempts.get(attempt)?.attempt.claim {
            Claim::Unknown(reason) => Some(reason),
            Claim::Safe | Claim::Unsafe => None,
        }
    }

    /// Of several reasons the one that says most; of two alike the later one.
    fn best_reason(&self) -> Option<usize> {
        let known = (0..self.tried.attempts.len()).filter(|i| self.reason(*i).is_some());
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
            (Share::Glance, left) => Some(left.map_or(GLANCE, |left| GLANCE.min(left / 2))),
            (Share::Little, Some(left)) => Some((left * LITTLE_PERCENT / 100).max(LITTLE).min(left / 2)),
            (Share::Most, Some(left)) => Some(left * MOST_PERCENT / 100),
            (Share::Nearly, Some(left)) => Some(left * NEARLY_PERCENT / 100),
            (Share::Little, None) => Some(PATIENCE[0]),
            (Share::Most | Share::Nearly, None) => Some(PATIENCE[1]),
        };
        // Most parts take little; what they leave is for those after them.
        let part = |time: Duration| (time * TIMES / self.turns).max(AT_LEAST).min(time);
        time.map_or_else(|| budget.clone(), |time| budget.within(part(time)))
    }

    /// Whoever unwinds again starts where it ended, and has looked into the store already.
    fn settings(&self, name: &str, share: Share) -> Settings {
        let mut settings = self.request.settings.clone();
        settings.contracts.persistent = share == Share::Rest;
        settings.bmc.shallow = matches!(share, Share::Glance | Share::Little).then_some(SHALLOW);
        let before = self.tried.attempts.iter().rev().find(|tried| tried.attempt.engine == name);
        if let Some(before) = before.filter(|_| name == BOUNDED) {
            settings.bmc.known_bound = before.attempt.bound.unwrap_or(0);
            settings.reuse = Reuse::NONE;
        }
        settings
    }

    fn outcome(self, verdict: Verdict) -> Outcome {
        let decides = match &verdict {
            Verdict::Unknown(_) => self.best_reason(),
            _ => self.tried.attempts.len().checked_sub(1),
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
        for (i, tried) in self.tried.attempts.into_iter().enumerate() {
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

/// Are there many functions, and is it about all of them?
fn is_large(request: &Request) -> bool {
    if request.subject.checks != Checks::All {
        return false;
    }
    let functions = request.subject.graph().reachable(&[request.subject.entry]);
    let program = request.subject.program;
    functions.into_iter().filter(|f| program.function(*f).cfa().is_some()).count() >= LARGE
}

/// Is the question about bounds, which only one engine has?
fn about_bounds(settings: &Settings) -> bool {
    settings.bmc.unwind != Unwind::Auto { most: None } || settings.bmc.scenario != Scenario::Eager
}
