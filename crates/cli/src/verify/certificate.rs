//! The certificate of a safe program: what was verified and why it is safe, for `reprove certify`.

use super::Answer;
use crate::args::FrontArgs;
use crate::load::{self, Loaded};
use certify::format::Source;
use certify::program::{Subject, to_text};
use driver::Verdict;
use ir::CheckKind;
use std::collections::BTreeSet;

/// The text of the certificate, or why there is none.
pub fn text(
    answer: &Answer,
    loaded: &Loaded,
    front: &FrontArgs,
    checks: Option<&BTreeSet<CheckKind>>,
) -> Result<String, String> {
    if !matches!(answer.outcome.verdict, Verdict::Safe) {
        return Err(format!("there is no proof ({})", answer.last_line()));
    }
    let Some(proof) = &answer.outcome.proof else { return Err("there is no proof".to_owned()) };
    let mut sources = Vec::new();
    for path in &loaded.files {
        let bytes = std::fs::read(path).map_err(|_| format!("{} cannot be read again", path.display()))?;
        sources.push(Source { file: path.display().to_string(), blake3: certify::hash(&bytes) });
    }
    let subject = Subject {
        sources,
        front: certify::front(&load::options(front)),
        checks: checks.cloned(),
        entry: answer.program.function(answer.entry).name.to_string(),
    };
    Ok(to_text(&subject, answer.program, proof))
}
