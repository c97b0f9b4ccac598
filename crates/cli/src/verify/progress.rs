//! One line that says what is being done, for a person at a terminal.

use std::cell::Cell;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

pub struct Line {
    shown: bool,
    last: Cell<Option<Instant>>,
}

/// More often nobody could read it.
const INTERVAL: Duration = Duration::from_millis(100);

impl Line {
    pub fn new(quiet: bool) -> Line {
        Line { shown: !quiet && std::io::stderr().is_terminal(), last: Cell::new(None) }
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

impl engine::Progress for Line {
    fn note(&self, what: &str) {
        let now = Instant::now();
        let due = self.last.get().is_none_or(|last| now.duration_since(last) >= INTERVAL);
        if self.shown && due {
            self.write(what);
            self.last.set(Some(now));
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.clear();
    }
}
