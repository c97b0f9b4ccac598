//! Files for other tools: the Horn clauses of a comparison, and the proof as a script that a solver can check.

use super::Answer;
use crate::console::Console;
use crate::exit::Exit;
use crate::load::{self, Failed};
use ::equiv::verdict::{Proof, ProofKind};
use ::equiv::{Request, Verdict, engine};
use report::DiagnosticJson;
use std::fmt::Write;
use std::path::Path;

/// Writes the clauses of the only comparison there is.
pub fn emit_horn(
    file: &Path,
    requests: &[Request],
    console: &Console,
    diagnostics: &mut Vec<DiagnosticJson>,
) -> Result<(), Failed> {
    let [request] = requests else {
        let message = "--emit-horn is for one pair of functions: choose it with --function";
        return Err(load::refuse(console, message.to_owned(), Exit::BadInput));
    };
    match engine::horn_clauses(request) {
        Ok(system) => write(file, &horn::to_smtlib(&system), console),
        Err(reason) => {
            let message = format!("{} is not written, there are no Horn clauses: {reason}", file.display());
            super::warn(console, diagnostics, message);
            Ok(())
        }
    }
}

/// Writes the proofs of all pairs; for any other verdict there is nothing to write.
pub fn write_certificate(file: &Path, answer: &Answer, console: &Console) -> Result<(), Failed> {
    if answer.decisive.is_some() {
        return Ok(());
    }
    let mut out = String::from("; A proof of equivalence: every answer to (check-sat) must be unsat.\n");
    for done in &answer.pairs {
        if let Verdict::Equivalent(proof) = &done.report.verdict {
            certificate(&mut out, proof);
        }
    }
    write(file, &out, console)
}

fn certificate(out: &mut String, proof: &Proof) {
    for callee in &proof.callees {
        certificate(out, callee);
    }
    let [old, new] = &proof.names;
    let _ = match &proof.kind {
        ProofKind::Identical => writeln!(out, "; {old} = {new}: nothing that they can run into has changed"),
        ProofKind::Assumed => writeln!(out, "; {old} = {new}: assumed by the user"),
        ProofKind::Exhausted { inputs } => writeln!(out, "; {old} = {new}: both ran on all {inputs} inputs"),
        ProofKind::Coupled(coupling) => {
            let script = horn::text::to_certificate(&coupling.product.system, &coupling.solution);
            writeln!(out, "; {old} = {new}: coupled ({})\n(reset)\n{}", coupling.plan, script.trim_end())
        }
    };
}

fn write(file: &Path, text: &str, console: &Console) -> Result<(), Failed> {
    std::fs::write(file, text)
        .map_err(|e| load::refuse(console, format!("cannot write {}: {e}", file.display()), Exit::BadInput))
}
