//! Files for other tools: the Horn clauses of a comparison, the certificate of the answer, and the proof as a
//! script that any solver can check.

use super::Answer;
use crate::args::{EquivArgs, IntArg};
use crate::claim::Words;
use crate::console::Console;
use crate::exit::Exit;
use crate::load::{self, Failed, Loaded};
use ::equiv::verdict::{Proof, ProofKind};
use ::equiv::{Request, Verdict, engine};
use certify::format::Certificate;
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
            let reason = reason.text(request.pair.new);
            let message = format!("{} is not written, there are no Horn clauses: {reason}", file.display());
            super::warn(console, diagnostics, message);
            Ok(())
        }
    }
}

/// Writes what `certify` needs to come to the same answer; for an unknown verdict there is nothing to write.
pub fn write_certificate(
    file: &Path,
    args: &EquivArgs,
    answer: &Answer,
    requests: &[Request],
    versions: [&Loaded; 2],
    console: &Console,
    diagnostics: &mut Vec<DiagnosticJson>,
) -> Result<(), Failed> {
    let mut warn = |why: String| {
        super::warn(console, diagnostics, format!("{} is not written: {why}", file.display()));
        Ok(())
    };
    if let Some(reason) = answer.reason() {
        return warn(format!("there is no answer ({reason})"));
    }
    let claim = match crate::claim::comparison(versions, &args.front, requests) {
        Ok(claim) => claim,
        Err(why) => return warn(why),
    };
    // What differs decides alone.
    let decisive = answer.pairs.iter().zip(requests).enumerate();
    let decisive = decisive.filter(|(i, _)| answer.decisive.is_none_or(|only| only == *i));
    let mut answers = Vec::new();
    for (_, (done, request)) in decisive {
        match driver::certificate::answer(request, &done.report.verdict) {
            Some(answer) => answers.push(answer),
            None => {
                let name = &request.pair.old.function(request.functions[0]).name;
                return warn(format!("the answer about '{name}' is of a kind that certificates do not hold"));
            }
        }
    }
    let Some(text) = Certificate::new(claim, answers).text() else {
        return warn("it is too long".to_owned());
    };
    write(file, &text, console)?;
    if !args.json {
        console.eprint(&format!("note: to check it again: {}\n", command(args, file)));
    }
    Ok(())
}

/// How to check the certificate.
fn command(args: &EquivArgs, file: &Path) -> String {
    let mut words = Words::new("certify").path(file).path(&args.old).path(&args.new);
    if let Some(function) = &args.function {
        words = words.option("--function", function);
    }
    for (name, list) in [("--pre", &args.pre), ("--post", &args.post)] {
        words = list.iter().fold(words, |words, text| words.option(name, text));
    }
    if args.int == IntArg::Unbounded {
        words = words.option("--int", "unbounded");
    }
    words.front(&args.front).text()
}

/// Writes the proofs of all pairs as a script; for any other verdict there is nothing to write.
pub fn write_script(file: &Path, answer: &Answer, console: &Console) -> Result<(), Failed> {
    if answer.decisive.is_some() {
        return Ok(());
    }
    let mut out = String::from("; A proof of equivalence: every answer to (check-sat) must be unsat.\n");
    for done in &answer.pairs {
        if let Verdict::Equivalent(proof) = &done.report.verdict {
            script(&mut out, proof);
        }
    }
    write(file, &out, console)
}

fn script(out: &mut String, proof: &Proof) {
    for callee in &proof.callees {
        script(out, callee);
    }
    let [old, new] = &proof.names;
    let _ = match &proof.kind {
        ProofKind::Identical => writeln!(out, "; {old} = {new}: nothing that they can run into has changed"),
        ProofKind::Known => writeln!(out, "; {old} = {new}: proved in an earlier run"),
        ProofKind::Assumed => writeln!(out, "; {old} = {new}: assumed by the user"),
        ProofKind::Exhausted { inputs } => writeln!(out, "; {old} = {new}: both ran on all {inputs} inputs"),
        ProofKind::Coupled(coupling) => {
            let script = horn::text::to_certificate(&coupling.product.system, &coupling.solution);
            writeln!(out, "; {old} = {new}: coupled ({})\n(reset)\n{}", coupling.plan, script.trim_end())
        }
    };
}

fn write(file: &Path, text: &str, console: &Console) -> Result<(), Failed> {
    crate::written::write(file, text).map_err(|why| load::refuse(console, why, Exit::BadInput))
}
