//! One line that says what is being done, for a person at a terminal; and what the verdict is if a limit ends
//! the process now.

use crate::args::VerifyArgs;
use crate::exit::Exit;
use crate::json;
use crate::limits::{Kept, Last};
use engine::{ReasonData, UnknownReason};
use ir::Program;
use serde::Serialize;
use std::cell::Cell;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

pub struct Line<'a> {
    shown: bool,
    last: Cell<Option<Instant>>,
    json: bool,
    program: &'a Program,
    limits: &'a Kept,
}

/// More often nobody could read it.
const INTERVAL: Duration = Duration::from_millis(100);

impl<'a> Line<'a> {
    pub fn new(args: &VerifyArgs, program: &'a Program, limits: &'a Kept) -> Line<'a> {
        let shown = !args.quiet && std::io::stderr().is_terminal();
        Line { shown, last: Cell::new(None), json: args.json, program, limits }
    }

    pub fn clear(&self) {
        if self.last.take().is_some() {
            self.write("");
        }
    }

    fn write(&self, text: &str) {
        let width = terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(w, _)| usize::from(w.0));
        let text: String = text.chars().filter(|c| !c.is_control()).take(width.saturating_sub(1)).collect();
        let _ = write!(std::io::stderr().lock(), "\r\x1b[K{text}");
    }
}

impl engine::Progress for Line<'_> {
    fn note(&self, what: &str) {
        let now = Instant::now();
        let due = self.last.get().is_none_or(|last| now.duration_since(last) >= INTERVAL);
        if self.shown && due {
            self.write(what);
            self.last.set(Some(now));
        }
    }

    fn reached(&self, reason: &UnknownReason) {
        let said = |limit: UnknownReason| {
            let helps = if limit.weight() > reason.weight() { &limit } else { reason };
            said(helps, self.program, self.json)
        };
        let (time, memory) = (said(UnknownReason::Stopped(base::Stopped::Time)), said(UnknownReason::Memory));
        let err = if self.shown { "\r\x1b[K" } else { "" };
        self.limits.at_the_end(move |limit| {
            let out = if limit == UnknownReason::Memory { memory } else { time };
            Last { out: out.into_bytes(), err: err.to_owned(), exit: Exit::Unknown }
        });
    }
}

/// The answer of somebody who has no time for more.
fn said(reason: &UnknownReason, program: &Program, json: bool) -> String {
    #[derive(Serialize)]
    struct Ended<'a> {
        verdict: &'static str,
        reason: &'a str,
        why: ReasonData<'a>,
        exit_code: u8,
    }
    let (text, verdict) = (reason.text(program), "UNKNOWN");
    if !json {
        return format!("{verdict} ({text})\n");
    }
    let (why, exit_code) = (reason.data(program), Exit::Unknown as u8);
    json::text("verify", &[], Ended { verdict, reason: &text, why, exit_code }).unwrap_or_default()
}

impl Drop for Line<'_> {
    fn drop(&mut self) {
        self.clear();
    }
}
