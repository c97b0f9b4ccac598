//! Questions that nobody could answer.
//!
//! Whoever asks the same question again, with limits that are no larger, would wait as long for the same
//! answer. So an `UNKNOWN` is kept under all that it depends on: the program where it matters, the options,
//! this very build of the tool. Kept is only what would come out again: not what somebody interrupted, and
//! not what ran out of time while the machine was busy with other things.

use crate::Request;
use crate::limits::Watch;
use crate::plan::Engines;
use base::{Budget, Stopped, Work};
use engine::{Beyond, Repeated, Settings, Undecided, UnknownReason, Unwind};
use ir::{Pos, Program};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use store::{Artefact, Key};

const KIND: &str = "unknown";
/// Percent of the time that the process must have had a processor for: with less, it might do better another
/// day.
const BUSY: u32 = 60;

/// What an earlier run was allowed, and did not suffice.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Allowed {
    /// None: as long as it takes.
    pub time: Option<Duration>,
    pub memory: Option<u64>,
}

impl Allowed {
    fn of(settings: &Settings) -> Allowed {
        Allowed { time: settings.time, memory: settings.memory }
    }

    /// Does `self` suffice for nothing that `other` did not suffice for?
    pub(crate) fn is_within(&self, other: &Allowed) -> bool {
        fn within<T: PartialOrd>(a: Option<T>, b: Option<T>) -> bool {
            match (a, b) {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(a), Some(b)) => a <= b,
            }
        }
        within(self.time, other.time) && within(self.memory, other.memory)
    }
}

#[derive(Serialize, Deserialize)]
struct Record {
    allowed: Allowed,
    reason: Reason,
    /// Of everything in the program that is about places: if that changed, stored places mean nothing.
    places: [u8; 32],
}

/// A reason in names that the next version understands.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub(crate) enum Reason {
    SafeUpTo(u32),
    Beyond {
        bound: u32,
        next: u32,
        function: String,
        number: Option<u32>,
        endless: Option<Vec<(String, String)>>,
    },
    Time,
    Memory,
    Unsupported(String, Option<[u32; 3]>),
    Undefined(String, Option<[u32; 3]>),
    NotConfirmed(String),
    NotCertified(String),
    Internal(String),
    Undecided(Undecided),
}

/// Where the answer to this question is kept.
pub(crate) struct Question<'a> {
    request: &'a Request<'a>,
    key: Key,
}

impl<'a> Question<'a> {
    /// None where nothing is kept: without a store, or where it is not known how long this may take.
    pub fn of(request: &'a Request, engines: Engines) -> Option<Question<'a>> {
        let settings = request.settings;
        let timed = settings.time.is_some() || request.budget.deadline.is_none();
        request.store.filter(|_| timed)?;
        let print = request.subject.print(settings.slice);
        let base = request.base.map(|base| base.print(false).0);
        // What is reused and what may be used up is no part of the question.
        let reuse = engine::Reuse::ALL;
        let options = Settings { time: None, memory: None, audit: false, reuse, ..settings.clone() };
        let options = format!("{engines:?} {options:?}");
        let key = Key::of(&[options.as_bytes(), &print.0, base.as_ref().map_or(&[], |print| &print[..])]);
        Some(Question { request, key })
    }

    /// Why an earlier run did not answer it, if this one has no more to offer.
    pub fn known(&self) -> Option<(UnknownReason, Allowed)> {
        let settings = self.request.settings;
        if !settings.reuse.verdicts || settings.audit || matches!(settings.bmc.unwind, Unwind::Fixed(_)) {
            return None;
        }
        let record = self.load()?;
        if !Allowed::of(settings).is_within(&record.allowed) {
            return None;
        }
        Some((self.read(&record)?, record.allowed))
    }

    /// What `bmc` keeps for fixed bounds is only that they hold; which loop goes further is kept here.
    pub fn detailed(&self, reason: UnknownReason) -> UnknownReason {
        let kept = match (&reason, &self.request.settings.bmc.unwind) {
            (UnknownReason::SafeUpTo(_), Unwind::Fixed(_)) => {
                self.load().and_then(|record| self.read(&record))
            }
            _ => None,
        };
        kept.filter(|kept| kept.safe_up_to() == reason.safe_up_to()).unwrap_or(reason)
    }

    /// `stopped`: somebody could have gone on. `start`: of the work.
    pub fn keep(&self, reason: &UnknownReason, stopped: bool, start: Instant) {
        let request = self.request;
        if !comes_out_again(request.budget, request.limits, stopped, start) {
            return;
        }
        let Some(reason) = Reason::of(reason, request.subject.program) else { return };
        let allowed = Allowed::of(request.settings);
        // A question that was asked again with less says nothing new.
        if self.load().is_some_and(|known| allowed != known.allowed && allowed.is_within(&known.allowed)) {
            return;
        }
        let record = Record { allowed, reason, places: places(request.subject.program) };
        if let (Some(store), Ok(bytes)) = (request.store, postcard::to_stdvec(&record)) {
            // Without it, the question is asked again.
            let _ = store.put(&Artefact::new(KIND, self.key, bytes).label(request.label));
        }
    }

    fn load(&self) -> Option<Record> {
        postcard::from_bytes(&self.request.store?.get(KIND, &self.key)?.payload).ok()
    }

    fn read(&self, record: &Record) -> Option<UnknownReason> {
        let program = self.request.subject.program;
        record.reason.read(program, places(program) != record.places)
    }
}

impl Reason {
    /// None for what would not come out again.
    pub(crate) fn of(reason: &UnknownReason, program: &Program) -> Option<Reason> {
        let place = |pos: &Option<Pos>| pos.map(|pos| [pos.file, pos.line, pos.column]);
        Some(match reason {
            UnknownReason::SafeUpTo(bound) => Reason::SafeUpTo(*bound),
            UnknownReason::Beyond(Beyond { bound, next, repeated, endless }) => Reason::Beyond {
                bound: *bound,
                next: *next,
                function: program.function(repeated.function).name.to_string(),
                number: repeated.number,
                endless: endless.clone(),
            },
            UnknownReason::Stopped(Stopped::Time) => Reason::Time,
            UnknownReason::Stopped(_) => return None,
            UnknownReason::Memory => Reason::Memory,
            UnknownReason::Unsupported { what, pos } => Reason::Unsupported(what.clone(), place(pos)),
            UnknownReason::Undefined { what, pos } => Reason::Undefined(what.clone(), place(pos)),
            UnknownReason::NotConfirmed(why) => Reason::NotConfirmed(why.clone()),
            UnknownReason::NotCertified(why) => Reason::NotCertified(why.clone()),
            UnknownReason::Internal(part) => Reason::Internal(part.clone()),
            UnknownReason::Undecided(why) => Reason::Undecided(why.clone()),
        })
    }

    /// `moved`: stored places mean nothing.
    pub(crate) fn read(&self, program: &Program, moved: bool) -> Option<UnknownReason> {
        let place = |kept: &Option<[u32; 3]>| {
            let [file, line, column] = kept.filter(|_| !moved)?;
            Some(Pos { file, line, column })
        };
        Some(match self {
            Reason::SafeUpTo(bound) => UnknownReason::SafeUpTo(*bound),
            Reason::Beyond { bound, next, function, number, endless } => {
                let repeated = Repeated::new(program, program.find_function(function)?, *number);
                UnknownReason::Beyond(Beyond {
                    bound: *bound,
                    next: *next,
                    repeated,
                    endless: endless.clone(),
                })
            }
            Reason::Time => UnknownReason::Stopped(Stopped::Time),
            Reason::Memory => UnknownReason::Memory,
            Reason::Unsupported(what, pos) => {
                UnknownReason::Unsupported { what: what.clone(), pos: place(pos) }
            }
            Reason::Undefined(what, pos) => UnknownReason::Undefined { what: what.clone(), pos: place(pos) },
            Reason::NotConfirmed(why) => UnknownReason::NotConfirmed(why.clone()),
            Reason::NotCertified(why) => UnknownReason::NotCertified(why.clone()),
            Reason::Internal(part) => UnknownReason::Internal(part.clone()),
            Reason::Undecided(why) => UnknownReason::Undecided(why.clone()),
        })
    }
}

/// All places of a program.
fn places(program: &Program) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    program.files.iter().for_each(|file| {
        hasher.update(file.as_bytes());
    });
    for edge in program.functions.iter().filter_map(|f| f.cfa()).flat_map(|cfa| cfa.edges()) {
        let Pos { file, line, column } = edge.pos;
        [file, line, column].iter().for_each(|part| {
            hasher.update(&part.to_le_bytes());
        });
    }
    *hasher.finalize().as_bytes()
}

/// Would whoever asks again get no further with the same limits? `stopped`: somebody could have gone on.
/// `start`: of the work.
pub(crate) fn comes_out_again(
    budget: &Budget,
    limits: Option<&Watch>,
    stopped: bool,
    start: Instant,
) -> bool {
    let memory = limits.is_some_and(Watch::memory_reached);
    let interrupted = matches!(budget.check(0), Err(Stopped::Cancelled)) && !memory;
    !interrupted && (!stopped || memory || was_busy(start.elapsed()))
}

/// Did the process have a processor for most of this time?
fn was_busy(time: Duration) -> bool {
    Work::total() * 100 >= time * BUSY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_that_grew() {
        let allowed = |time: Option<u64>, memory| Allowed { time: time.map(Duration::from_secs), memory };
        let check = |now, before, expected| {
            let (now, before): (Allowed, Allowed) = (now, before);
            assert_eq!(now.is_within(&before), expected, "{now:?} {before:?}");
        };
        check(allowed(Some(20), None), allowed(Some(20), None), true);
        check(allowed(Some(10), None), allowed(Some(20), None), true);
        check(allowed(Some(60), None), allowed(Some(20), None), false);
        check(allowed(None, None), allowed(Some(20), None), false);
        check(allowed(Some(20), None), allowed(None, None), true);
        check(allowed(Some(20), Some(100)), allowed(Some(20), None), true);
        check(allowed(Some(20), None), allowed(Some(20), Some(100)), false);
        check(allowed(Some(20), Some(200)), allowed(Some(20), Some(100)), false);
    }
}
