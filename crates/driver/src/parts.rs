//! Parts of a program's checks, each answered by itself.
//!
//! The one idea: checks that depend on different things are different problems (`slice::Slicer::parts`). Each
//! part has a slice of its own, which the engines see instead of the program; what was proved of it is kept
//! under what that slice does. So the cost from scratch is that of the parts, and after a change that of the
//! parts whose slices it reached.
//!
//! All parts take a step of the plan before one takes the next: what is easy is done first, and a violation in
//! any of them is the answer. An execution that fails a check has passed those before it, so it is enough that
//! each part is safe where the others' checks do not fail (`certify::program::parts`).

mod sum;

use crate::history::History;
use crate::plan::{Plan, Session, Tried};
use crate::{Request, Verdict};
use engine::{Decision, Outcome, Subject, UnknownReason};
use slice::Checks;
use sum::Sum;

/// The verdict about all parts of the session's subject. What was tried becomes one attempt an engine.
pub(crate) fn follow(whole: &mut Session, parts: Vec<slice::Part>) -> Verdict {
    let mut sum = Sum::default();
    let _batch = whole.request.store.map(|store| store.batch());
    let mut open: Vec<Part> = parts.into_iter().map(|part| Part::new(whole, part)).collect();
    // Where a check seems to fail, the others need not share the time with it.
    let suspect = whole.tried.attempts.last().and_then(|tried| tried.attempt.suspect);
    let is_suspect = |part: &Part| suspect.is_some_and(|f| part.part.checks.contains(f));
    open.sort_by_key(|part| !is_suspect(part));
    let mut failed = None;
    while !open.is_empty() && failed.is_none() {
        let (mut turns, mut left) = (open.len() as u32, Vec::new());
        for mut part in open {
            let share = if is_suspect(&part) { 1 } else { turns };
            let verdict = if failed.is_none() && !whole.is_over() { part.turn(whole, share) } else { None };
            turns -= 1;
            match verdict {
                Some(verdict) => {
                    sum.add(part.tried, true);
                    failed = Some(verdict).filter(|verdict| !matches!(verdict, Verdict::Safe));
                }
                None => left.push(part),
            }
        }
        open = left;
        if open.iter().all(|part| part.is_done(whole)) {
            break;
        }
    }
    let reason = UnknownReason::of_parts(open.iter().map(|part| part.reason.clone()).collect());
    let verdict = match (failed, open.is_empty()) {
        (Some(failed), _) => failed,
        (None, true) => Verdict::Safe,
        (None, false) => {
            // Nobody was asked about some of them.
            let stopped = whole.request.budget.check(0).err().map(UnknownReason::Stopped);
            Verdict::Unknown(reason.or(stopped).unwrap_or(UnknownReason::Memory))
        }
    };
    open.into_iter().for_each(|part| sum.add(part.tried, false));
    sum.finish(whole, &verdict);
    verdict
}

struct Part {
    part: slice::Part,
    /// The functions whose checks they are.
    names: Vec<String>,
    /// None before the first turn.
    plan: Option<Plan>,
    /// How many steps of it were made.
    steps: usize,
    tried: Tried,
    reason: Option<UnknownReason>,
}

impl Part {
    fn new(whole: &Session, part: slice::Part) -> Part {
        let program = whole.request.subject.program;
        let names = match &part.checks {
            Checks::All => Vec::new(),
            Checks::In(list) => list.iter().map(|f| program.function(*f).name.to_string()).collect(),
        };
        Part { part, names, plan: None, steps: 0, tried: Tried::default(), reason: None }
    }

    /// Is there nothing left to be tried?
    fn is_done(&self, whole: &Session) -> bool {
        whole.is_over() || self.plan.as_ref().is_some_and(|plan| self.steps > plan.len())
    }

    /// The next step of its plan; a last one after all of them. Slices are made when they are needed, and not
    /// kept: there may be a thousand of them.
    fn turn(&mut self, whole: &Session, turns: u32) -> Option<Verdict> {
        let request = whole.request;
        let subject = request.subject.part(&self.part);
        let base = request.base.map(|base| self.before(base));
        let label = format!("{} {}", request.label, self.names.first().map_or("", String::as_str));
        let request = Request { subject: &subject, base: base.as_ref(), label: &label, ..*request };
        let mut session = whole.of_part(&request, turns, std::mem::take(&mut self.tried));
        if self.plan.is_none() && session.certified_before() {
            // The label of a part is nothing that people know.
            let about = self.names.join(", ");
            let attempts = session.tried.attempts.last_mut();
            attempts.into_iter().flat_map(|a| &mut a.decisions).for_each(|d| d.about.clone_from(&about));
            self.tried = session.tried;
            return Some(Verdict::Safe);
        }
        let history = History::of(&request);
        let verdict = match &self.plan {
            None => {
                let plan = session.plan(&history);
                let first = plan.first().copied();
                self.plan = Some(plan);
                self.announce(&mut session);
                first.and_then(|step| session.step(step))
            }
            Some(plan) => match plan.get(self.steps) {
                Some(step) => session.step(*step),
                None => session.last_resort(),
            },
        };
        self.steps += 1;
        match &verdict {
            Some(verdict) => session.remember(&history, verdict),
            None => self.reason = Some(session.unknown()),
        }
        self.tried = session.tried;
        verdict
    }

    /// The same part of an earlier version: the checks of the functions of these names.
    fn before<'p>(&self, base: &Subject<'p>) -> Subject<'p> {
        let functions = self.names.iter().filter_map(|name| base.program.find_function(name));
        base.part(&slice::Part { checks: Checks::of(functions.collect()), print: None })
    }

    /// With a store, people want to know what had to be done.
    fn announce(&self, session: &mut Session) {
        if session.request.store.is_some() {
            let reason = "what their checks depend on changed, or was never proved".to_owned();
            session.tried.decisions.push(Decision {
                about: self.names.join(", "),
                outcome: Outcome::New,
                reason,
            });
        }
    }
}
