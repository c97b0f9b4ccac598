//! What the process may take, and what is said when it has taken it.
//!
//! Time counts from the start of the process; the budget that all work looks at, and the watch over it, are
//! made once for every command. Where the work does not notice in time, the watch ends the process in the way
//! that the command would: with the verdict that holds then, as text or as a document, or with a message for
//! commands that have none. As a command learns more it says what that is ([`Kept::at_the_end`]).

use crate::args::{Command, LimitArgs, StoreAction, What};
use crate::exit::Exit;
use crate::json;
use base::{Budget, Stopped};
use driver::Allowed;
use driver::limits::{Ending, GRACE, Limits, Watch};
use engine::UnknownReason;
use serde::Serialize;
use std::io::Write;
use std::time::{Duration, Instant};

/// The limits of this process, kept.
pub struct Kept {
    pub start: Instant,
    pub timeout: Option<f64>,
    pub memory: Option<u64>,
    pub budget: Budget,
    pub watch: Watch,
}

/// What a process says last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Last {
    pub out: Vec<u8>,
    pub err: String,
    pub exit: Exit,
}

/// Commands that answer a question give up after so many seconds unless they are told otherwise.
const USUAL: f64 = 60.0;

impl Kept {
    pub fn start(given: &LimitArgs, command: &Command, start: Instant) -> Kept {
        let who = Who::of(command);
        let timeout = given.timeout.or((who.says == Says::Verdict).then_some(USUAL));
        let deadline = timeout.and_then(|seconds| start.checked_add(Duration::from_secs_f64(seconds)));
        let budget = Budget { deadline, ..Budget::unlimited() };
        let grace = match command {
            // They do not look at the budget.
            _ if who.says == Says::Nothing => Duration::ZERO,
            Command::Verify(_) => GRACE,
            // What they still find out is worth no waiting.
            _ => GRACE / 4,
        };
        let limits = Limits { memory: given.memory, deadline, grace };
        let watch = Watch::start(limits, budget.cancelled.clone(), ending(move |reason| who.last(&reason)));
        Kept { start, timeout, memory: given.memory, budget, watch }
    }

    /// From now on, this is what is said when a limit ends the process.
    pub fn at_the_end(&self, say: impl FnOnce(UnknownReason) -> Last + Send + 'static) {
        self.watch.set_ending(ending(say));
    }

    /// How long to wait for other processes that write to the store.
    pub fn patience(&self) -> Duration {
        Duration::from_secs_f64(self.timeout.map_or(10.0, |seconds| (seconds / 4.0).min(10.0)))
    }

    /// What may be used up before nobody knows.
    pub fn allowed(&self) -> Allowed {
        Allowed { time: self.timeout.map(Duration::from_secs_f64), memory: self.memory }
    }

    /// Prints the answer, whole. A limit that is reached while the command tidies up changes nothing about
    /// it.
    pub fn answer<T>(&self, print: impl FnOnce() -> T, exit: Exit) -> T {
        self.watch.undisturbed(print, ending(move |_| Last { out: Vec::new(), err: String::new(), exit }))
    }

    /// Why the budget was cancelled, if it was.
    pub fn stopped(&self) -> Option<UnknownReason> {
        match self.budget.check(0).err()? {
            Stopped::Cancelled if self.watch.memory_reached() => Some(UnknownReason::Memory),
            stopped => Some(UnknownReason::Stopped(stopped)),
        }
    }
}

/// The process ends at once, without the destructors of libraries that are still at work. The store is whole
/// at any moment, and files are written whole or not at all.
fn ending(say: impl FnOnce(UnknownReason) -> Last + Send + 'static) -> Ending {
    Box::new(|reason| {
        let Last { out, err, exit } = say(reason);
        let _ = std::io::stderr().write_all(err.as_bytes());
        let mut stdout = std::io::stdout();
        let _ = stdout.write_all(&out).and_then(|()| stdout.flush());
        cfront::stop_preprocessing();
        signal_hook::low_level::exit(exit as i32);
    })
}

/// How a command ends that has nothing better to say.
#[derive(Clone, Copy)]
struct Who {
    name: &'static str,
    says: Says,
    json: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Says {
    Verdict,
    /// How an execution ended.
    Outcome,
    /// What it was asked to show, or an error.
    Nothing,
}

impl Who {
    fn of(command: &Command) -> Who {
        let (name, says, json) = match command {
            Command::Verify(args) => ("verify", Says::Verdict, args.json),
            Command::Equiv(args) => ("equiv", Says::Verdict, args.json),
            Command::Certify(args) => ("certify", Says::Verdict, args.json),
            Command::Run(args) => ("run", Says::Outcome, args.json),
            Command::Diff(args) => ("diff", Says::Nothing, args.json),
            Command::Show(args) => {
                let name = match args.what {
                    What::Ir => "show ir",
                    What::Cfa => "show cfa",
                    What::Calls => "show calls",
                    What::Fragments => "show fragments",
                };
                (name, Says::Nothing, args.json)
            }
            Command::Store(args) => {
                let json = args.json && !matches!(args.action, StoreAction::Show { payload: true, .. });
                ("store", Says::Nothing, json)
            }
        };
        Who { name, says, json }
    }

    fn last(self, why: &UnknownReason) -> Last {
        #[derive(Serialize)]
        struct Why {
            kind: &'static str,
        }
        #[derive(Serialize)]
        struct Ended {
            #[serde(skip_serializing_if = "Option::is_none")]
            verdict: Option<&'static str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            outcome: Option<String>,
            reason: String,
            why: Why,
            exit_code: u8,
        }
        let (reason, why) = (why.to_string(), Why { kind: why.kind() });
        let exit = Exit::Unknown;
        let verdict = (self.says == Says::Verdict).then_some("UNKNOWN");
        let outcome = (self.says == Says::Outcome).then(|| format!("stopped: {reason}"));
        let out = match (self.json, verdict, &outcome) {
            (true, ..) => {
                let body = Ended { verdict, outcome, reason: reason.clone(), why, exit_code: exit as u8 };
                json::text(self.name, &[], body).unwrap_or_default()
            }
            (false, Some(verdict), _) => format!("{verdict} ({reason})\n"),
            (false, None, Some(outcome)) => format!("{outcome}\n"),
            (false, None, None) => String::new(),
        };
        let err = match self.says {
            Says::Nothing => format!("error: {reason}\n"),
            Says::Verdict | Says::Outcome => String::new(),
        };
        Last { out: out.into_bytes(), err, exit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_words() {
        let check = |says, json, out: &str, err: &str| {
            let last = Who { name: "x", says, json }.last(&UnknownReason::Stopped(Stopped::Time));
            assert_eq!((String::from_utf8(last.out).unwrap().as_str(), last.err.as_str()), (out, err));
            assert_eq!(last.exit, Exit::Unknown);
        };
        check(Says::Verdict, false, "UNKNOWN (time limit reached)\n", "");
        check(Says::Outcome, false, "stopped: time limit reached\n", "");
        check(Says::Nothing, false, "", "error: time limit reached\n");
        let last = Who { name: "store", says: Says::Nothing, json: true }.last(&UnknownReason::Memory);
        let document: serde_json::Value = serde_json::from_slice(&last.out).unwrap();
        assert_eq!(document["reason"], "memory limit reached");
        assert_eq!(document["exit_code"], 3);
    }
}
