//! Proofs of some of the checks each.
//!
//! Why they are enough. Take an execution that fails a check: it is the first that it fails, since executions
//! end there. The check is in the text of a function, and some part is about the checks of that function. In
//! the slice for these the others pass or are absent, as they did in the execution up to there; so it has a
//! counterpart in the slice that fails the same check (the contract of `slice`), which the part's proof
//! excludes. What is left to see is that no function with a check was left out, for which nobody's word is
//! taken.

use super::obligation::Prover;
use super::{Checker, Refused};
use crate::Flaw;
use engine::Proof;
use slice::Checks;

impl Checker<'_> {
    pub(super) fn parts(
        &self,
        checks: &Checks,
        parts: &[Proof],
        prover: &mut Prover,
    ) -> Result<String, Refused> {
        self.covers(checks, parts)?;
        for part in parts {
            self.part(part, prover)?;
        }
        Ok(format!("{} parts, each about the checks of some functions", parts.len()))
    }

    /// Are all of these checks among those that some part is about?
    pub(super) fn covers(&self, checks: &Checks, parts: &[Proof]) -> Result<(), Refused> {
        let about: Vec<&Checks> = parts.iter().filter_map(|part| part.slice.as_ref()).collect();
        // A proof about the program itself is about all of its checks.
        if about.len() < parts.len() || about.contains(&&Checks::All) {
            return Ok(());
        }
        let malformed = |what: String| Err(Flaw::Malformed(what).into());
        let count = self.program.functions.len();
        let is_known = |checks: &&Checks| match checks {
            Checks::All => true,
            Checks::In(list) => list.is_sorted() && list.iter().all(|f| (f.0 as usize) < count),
        };
        if !about.iter().all(is_known) {
            return malformed("a part of it is about functions that do not exist".to_owned());
        }
        match self.slicer().uncovered(checks, &about) {
            Some(f) => {
                malformed(format!("it says nothing about the checks of {}", self.program.function(f).name))
            }
            None => Ok(()),
        }
    }
}
