//! Standard output and standard error: colours, width, and writing to a reader that may have gone away.

use crate::args::Color;
use crate::exit::Exit;
use crate::limits::Kept;
use std::io::{self, IsTerminal, Write};

pub struct Console {
    pub color_err: bool,
    /// Of standard output.
    pub paint: Paint,
    /// Of the terminal on standard output; None for files and pipes.
    pub width: Option<usize>,
    pub limits: Kept,
}

impl Console {
    pub fn new(color: Color, limits: Kept) -> Self {
        let wanted = |terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
                terminal && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
            }
        };
        let width = terminal_size::terminal_size_of(io::stdout()).map(|(w, _)| usize::from(w.0));
        let paint = Paint { on: wanted(io::stdout().is_terminal()) };
        Console { color_err: wanted(io::stderr().is_terminal()), paint, width, limits }
    }

    /// Writes the answer to standard output, all of it at once and only once, and gives the exit code that
    /// goes with it. A reader that has seen enough (`reprove ... | head`) is not an error.
    pub fn print(&self, text: &[u8], exit: Exit) -> Result<Exit, Exit> {
        let write = || {
            let mut out = io::stdout().lock();
            out.write_all(text).and_then(|()| out.flush())
        };
        match self.limits.answer(write, exit) {
            Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
                self.error(&format!("cannot write to standard output: {e}"));
                Err(Exit::BadInput)
            }
            _ => Ok(exit),
        }
    }

    /// Writes to standard error; there is nobody to tell if that fails.
    pub fn eprint(&self, text: &str) {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// An error without a place in the source.
    pub fn error(&self, message: &str) {
        match self.color_err {
            true => self.eprint(&format!("\x1b[1;31merror\x1b[0m: {message}\n")),
            false => self.eprint(&format!("error: {message}\n")),
        }
    }
}

/// Colours, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paint {
    pub on: bool,
}

/// What is said by a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    Good,
    Bad,
    Open,
    /// Less important than the rest: places.
    Faint,
    Heading,
}

impl Paint {
    pub fn paint(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Good => "1;32",
            Tone::Bad => "1;31",
            Tone::Open => "1;33",
            Tone::Faint => "2",
            Tone::Heading => "1",
        };
        match self.on && !text.is_empty() {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }
}
