//! The tool under test: every call of the front end, the interpreter and the comparison is here.

use crate::job::{Compared, End, Lowered, Ran, Reply, Row, Source};
use base::{Budget, SourceMap, Span};
use cfront::preprocess::Macro;
use interp::{Interp, Outcome, ZeroInputs};
use ir::{Body, Program, Target};
use std::path::PathBuf;
use std::time::Instant;

pub fn lower(source: &Source, round_trip: bool) -> Reply {
    on_large_stack(|| {
        let start = Instant::now();
        let program = match compile(source) {
            Ok(program) => program,
            Err(message) => return Reply::Refused(message),
        };
        let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
        let mut poisoned = Vec::new();
        for function in &program.functions {
            if let Body::Poisoned { reason, .. } = &function.body {
                poisoned.push(reason.to_string());
            }
        }
        let problem = problem(&program, round_trip);
        Reply::Lowered(Lowered { functions: program.functions.len(), poisoned, problem, milliseconds })
    })
}

/// What the verifier or the round trip through the text form has against the program.
fn problem(program: &Program, round_trip: bool) -> Option<String> {
    if let Err(violations) = ir::verify(program) {
        return violations.first().map(|v| format!("verifier: {v}"));
    }
    if round_trip {
        match ir::parse(&ir::print(program)) {
            Ok(again) if again == *program => {}
            Ok(_) => return Some("round trip: the parsed program differs from the printed one".into()),
            Err(e) => return Some(format!("round trip: {}:{}: {}", e.line, e.column, e.message)),
        }
    }
    None
}

pub fn interpret(source: &Source, max_steps: u64) -> Reply {
    on_large_stack(|| match compile(source) {
        Ok(program) => Reply::Ran(run(&program, max_steps)),
        Err(message) => Reply::Refused(message),
    })
}

pub fn compare(old: &Source, new: &Source, max_steps: Option<u64>) -> Reply {
    on_large_stack(|| {
        let (old, new) = match (compile(old), compile(new)) {
            (Ok(old), Ok(new)) => (old, new),
            (Err(message), _) => return Reply::Refused(format!("old: {message}")),
            (_, Err(message)) => return Reply::Refused(format!("new: {message}")),
        };
        let runs = max_steps.map(|max| (run(&old, max), run(&new, max)));
        let rows = change::compare(&old, &new, &change::Options::default()).rows();
        let rows = rows
            .into_iter()
            .map(|row| Row { kind: row.kind.to_string(), name: row.fragment, state: row.state, why: row.why })
            .collect();
        let poisoned = old.functions.iter().any(|f| matches!(f.body, Body::Poisoned { .. }));
        Reply::Compared(Compared { poisoned, rows, runs })
    })
}

/// The whole front end on preprocessed text; only a failure of ours is of interest, and that is a panic.
pub fn digest(text: &str) {
    on_large_stack(|| {
        let output = cfront::compile_text("input.i", text, &cfront::Options::default());
        let Some(program) = output.program else {
            assert!(output.diagnostics.has_errors(), "no program and no error");
            return;
        };
        if let Some(problem) = problem(&program, true) {
            panic!("{problem}");
        }
    });
}

/// Panics go on to the caller.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    cfront::with_stack(work).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

pub fn compile(source: &Source) -> Result<Program, String> {
    let options = cfront::Options {
        target: if source.ilp32 { Target::ILP32 } else { Target::LP64 },
        include_dirs: source.includes.clone(),
        macros: source.defines.iter().map(|d| Macro::Define(d.clone())).collect(),
        ..Default::default()
    };
    let files: [PathBuf; 1] = [source.path.clone()];
    let output = cfront::compile(&files, &options);
    match output.program {
        Some(program) if !output.diagnostics.has_errors() => Ok(program),
        _ => {
            let errors = output.diagnostics.iter().filter(|d| d.severity == base::Severity::Error);
            let first = errors.map(|d| located(&output.sources, d.span, &d.message)).next();
            Err(first.unwrap_or_else(|| "no program and no error".into()))
        }
    }
}

fn located(sources: &SourceMap, span: Span, message: &str) -> String {
    match sources.locate(span.lo) {
        Some(location) => format!("{location}: {message}"),
        None => format!("nowhere: {message}"),
    }
}

fn run(program: &Program, max_steps: u64) -> Ran {
    let start = Instant::now();
    let unknown =
        |reason: String| Ran { end: End::Unknown(reason), stdout: String::new(), steps: 0, seconds: 0.0 };
    let Some(mut options) = interp::Options::main(program) else { return unknown("no main".into()) };
    options.max_steps = max_steps;
    let mut interp = match Interp::new(program, options) {
        Ok(interp) => interp,
        Err(e) => return unknown(e.to_string()),
    };
    let run = interp.run(&mut ZeroInputs, &Budget::unlimited());
    let end = match run.outcome {
        Outcome::Returned(value) => End::Code((value.unwrap_or(0) & 0xff) as i32),
        Outcome::Exited(code) => End::Code(code & 0xff),
        Outcome::Aborted => End::Fault("aborted".into()),
        Outcome::CheckFailed { kind, .. } => End::Fault(format!("check failed: {}", kind.name())),
        Outcome::Undefined(ub) => End::Fault(format!("{} {}", ub.kind, ub.detail)),
        Outcome::StackOverflow => End::Fault("stack overflow".into()),
        Outcome::AssumeViolated { .. } => End::Unknown("assumption violated".into()),
        Outcome::Unsupported { reason, .. } => End::Unknown(reason.to_string()),
        Outcome::InputsExhausted => End::Unknown("inputs exhausted".into()),
        Outcome::Stopped(stopped) => End::Unknown(stopped.to_string()),
        Outcome::OutOfMemory => End::Unknown("out of memory".into()),
    };
    let stdout = String::from_utf8_lossy(&run.stdout).into_owned();
    Ran { end, stdout, steps: run.steps, seconds: start.elapsed().as_secs_f64() }
}

/// Parse, check and lower, nothing else.
pub fn lower_only(source: &Source) -> Result<(), String> {
    on_large_stack(|| {
        let program = compile(source)?;
        // Freeing is not part of the work, and the process ends here.
        std::mem::forget(program);
        Ok(())
    })
}
