//! The certificate of a safe program: what was verified and why it is safe, for `reprove certify`.

use super::Answer;
use crate::args::{FrontArgs, VerifyArgs};
use crate::claim::{self, Words};
use crate::load::Loaded;
use certify::program::to_text;
use driver::Verdict;
use ir::CheckKind;
use std::collections::BTreeSet;
use std::path::Path;

/// The text of the certificate, or why there is none.
pub fn text(
    answer: &Answer,
    loaded: &Loaded,
    front: &FrontArgs,
    checks: &BTreeSet<CheckKind>,
) -> Result<String, String> {
    if !matches!(answer.outcome.verdict, Verdict::Safe) {
        return Err(format!("there is no proof ({})", answer.last_line()));
    }
    let Some(proof) = &answer.outcome.proof else { return Err("there is no proof".to_owned()) };
    let entry = &answer.program.function(answer.entry).name;
    let claim = claim::safety(loaded, front, checks, entry)?;
    to_text(&claim, answer.program, proof).ok_or_else(|| "the proof is too long".to_owned())
}

/// How to check the certificate.
pub fn command(args: &VerifyArgs, file: &Path) -> String {
    let mut words = args.files.iter().fold(Words::new("certify").path(file), |words, file| words.path(file));
    if let Some(property) = &args.property {
        words = words.option("--property", &property.display().to_string());
    }
    if let Some(unknown) = &args.unknown_functions {
        words = words.option("--unknown-functions", &claim::name(unknown));
    }
    words.front(&args.front).text()
}
