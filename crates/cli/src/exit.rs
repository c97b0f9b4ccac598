//! How the tool ends. These four codes are all there are, under every flag.

use std::process::ExitCode;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The command did what was asked; what it checked, if anything, holds.
    Fine = 0,
    /// A check fails, and there is a run that shows it.
    Disproved = 1,
    /// Files or arguments that cannot be used.
    BadInput = 2,
    /// No answer: a limit was reached, something is not supported, or this tool has a bug.
    Unknown = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
