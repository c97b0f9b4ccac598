//! `reprove run`: execute a program in the reference interpreter.

use crate::args::RunArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::inputs::Folders;
use crate::place::{at, place};
use crate::verify::access;
use crate::{json, load};
use interp::{InputKind, InputRequest, Inputs, Interp, Options, Outcome, Run};
use ir::{Body, FuncId, Program, Type};
use serde::Serialize;
use std::collections::VecDeque;

/// A program that prints more than this is not waited for by a person; what comes after it is dropped.
const OUTPUT_LIMIT: usize = 64 << 20;

pub fn run(args: &RunArgs, console: &Console) -> Result<Exit, Exit> {
    let loaded = load::load(&args.files, Folders::AsFiles, &args.front, console)
        .map_err(|failed| json::failed(console, args.json, "run", failed))?;
    let program = &loaded.program;
    let name = args.front.entry.as_deref().unwrap_or("main");
    let entry = load::find_function(program, name, console)?;
    if let Body::Extern = program.function(entry).body {
        console.error(&format!("function '{name}' has no body"));
        return Err(Exit::BadInput);
    }
    let mut options = Options::new(entry);
    options.max_steps = args.steps;
    options.output_limit = OUTPUT_LIMIT;
    let mut inputs = Given { values: args.input.iter().copied().collect() };
    let mut interp = Interp::new(program, options).map_err(|e| {
        console.error(&e.to_string());
        Exit::Unknown
    })?;
    let budget = &console.limits.budget;
    let run = match main_arguments(&mut interp, entry, args) {
        Some(values) => interp.call(entry, &values, &mut inputs, budget),
        None => interp.run(&mut inputs, budget),
    };
    let (exit, text) = match (&run.outcome, console.limits.stopped()) {
        (Outcome::Stopped(_), Some(limit)) => (Exit::Unknown, format!("stopped: {limit}")),
        (outcome, _) => describe(program, entry, outcome),
    };
    if args.json {
        let document = document(program, &run, &text, exit);
        return json::print(console, "run", &loaded.diagnostics, document, exit);
    }
    console.eprint(&String::from_utf8_lossy(&run.stderr));
    for name in assumed(program, &run) {
        console.eprint(&format!("note: '{name}' has no body: it returned a value from outside\n"));
    }
    if exit == Exit::Disproved {
        for step in run.backtrace.iter().take(20) {
            let function = program.function(step.function);
            let pos = function.cfa().map(|cfa| cfa.edge(step.edge).pos).unwrap_or_default();
            console.eprint(&format!("  in {}{}\n", function.name, at(program, pos)));
            let file = program.files.get(pos.file as usize);
            if let Some(text) = file.and_then(|file| report::source_line(file, pos.line)) {
                console.eprint(&format!("    {} | {}\n", pos.line, text.trim_start()));
            }
        }
    }
    let mut out = run.stdout;
    if !out.is_empty() && !out.ends_with(b"\n") {
        out.push(b'\n');
    }
    out.extend_from_slice(text.as_bytes());
    out.push(b'\n');
    console.print(&out, exit)
}

/// `argc`, `argv` and an empty `envp`, for a `main` that takes them. None: there is nothing to pass, or no
/// memory for it.
fn main_arguments(interp: &mut Interp, entry: FuncId, args: &RunArgs) -> Option<Vec<u128>> {
    let program = interp.program();
    let function = program.function(entry);
    let params: Vec<Type> = function.param_types().collect();
    let takes_arguments =
        matches!(params[..], [Type::Int(_), Type::Ptr] | [Type::Int(_), Type::Ptr, Type::Ptr]);
    if &*function.name != "main" || !takes_arguments {
        return None;
    }
    let pointer_bytes = usize::from(program.target.pointer_bits / 8);
    let name = args.files[0].file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut argv = Vec::new();
    for argument in std::iter::once(&name).chain(&args.arguments) {
        let address = interp.allocate(&[argument.as_bytes(), b"\0"].concat()).ok()?;
        argv.extend_from_slice(&address.to_le_bytes()[..pointer_bytes]);
    }
    argv.resize(argv.len() + pointer_bytes, 0);
    let argc = args.arguments.len() as u128 + 1;
    let argv = interp.allocate(&argv).ok()?;
    let envp = interp.allocate(&vec![0; pointer_bytes]).ok()?;
    Some(vec![argc, argv.into(), envp.into()][..params.len()].to_vec())
}

/// The values of the command line go where the program asks for something; what it merely failed to set is
/// zero.
struct Given {
    values: VecDeque<i128>,
}

impl Inputs for Given {
    fn next(&mut self, request: &InputRequest) -> Option<u128> {
        match request.kind {
            InputKind::Input(_) | InputKind::ExternReturn(_) | InputKind::Param(_) => {
                self.values.pop_front().map(|v| v as u128)
            }
            _ => Some(0),
        }
    }
}

/// The exit code and the last line of the output.
fn describe(program: &Program, entry: FuncId, outcome: &Outcome) -> (Exit, String) {
    match outcome {
        Outcome::Returned(value) if &*program.function(entry).name == "main" => {
            (Exit::Fine, format!("exited with {}", value.unwrap_or(0) as i32))
        }
        Outcome::Returned(None) => (Exit::Fine, "returned".to_string()),
        Outcome::Returned(Some(bits)) => {
            let value = program.function(entry).ret.map_or(bits.to_string(), |ty| show_bits(ty, *bits));
            (Exit::Fine, format!("returned {value}"))
        }
        Outcome::Exited(code) => (Exit::Fine, format!("exited with {code}")),
        Outcome::Aborted => (Exit::Fine, "aborted".to_string()),
        Outcome::CheckFailed { kind, pos, message, access, .. } => {
            let what = access.as_ref().map(|access| access::what(program, access));
            let what = what.or_else(|| message.as_ref().map(|m| m.to_string()));
            let message = what.map(|what| format!(": {what}")).unwrap_or_default();
            (Exit::Disproved, format!("check failed: {}{}{message}", kind.name(), at(program, *pos)))
        }
        Outcome::Undefined(undefined) => {
            let detail = match undefined.detail.as_str() {
                "" => String::new(),
                text => format!(": {text}"),
            };
            let place = at(program, undefined.pos);
            (Exit::Disproved, format!("undefined behaviour: {}{place}{detail}", undefined.kind))
        }
        Outcome::AssumeViolated { pos, .. } => {
            (Exit::Unknown, format!("stopped: an assumption is violated{}", at(program, *pos)))
        }
        Outcome::Unsupported { reason, pos } => {
            (Exit::Unknown, format!("stopped: unsupported{}: {reason}", at(program, *pos)))
        }
        Outcome::InputsExhausted => {
            (Exit::Unknown, "stopped: the program wants more values from outside (--input)".to_string())
        }
        Outcome::Stopped(why) => (Exit::Unknown, format!("stopped: {why}")),
        Outcome::StackOverflow => (Exit::Unknown, "stopped: the calls are nested too deeply".to_string()),
        Outcome::OutOfMemory => (Exit::Unknown, "stopped: out of memory".to_string()),
    }
}

/// Integers as numbers; floats and pointers as their bits.
fn show_bits(ty: Type, bits: u128) -> String {
    match ty {
        Type::Int(int) if int.signed => int.value(bits).to_string(),
        Type::Int(_) | Type::Bool => bits.to_string(),
        Type::Float(_) | Type::Ptr => format!("{bits:#x}"),
    }
}

fn assumed<'a>(program: &'a Program, run: &'a Run) -> impl Iterator<Item = &'a str> {
    run.assumed.iter().map(|&id| &*program.function(id).name)
}

#[derive(Serialize)]
struct Document<'a> {
    outcome: &'a str,
    exit_code: u8,
    steps: u64,
    stdout: String,
    stderr: String,
    inputs: Vec<Input>,
    /// Functions without a body that were called.
    assumed: Vec<&'a str>,
}

#[derive(Serialize)]
struct Input {
    ty: String,
    value: String,
    place: Option<String>,
}

fn document<'a>(program: &'a Program, run: &'a Run, outcome: &'a str, exit: Exit) -> Document<'a> {
    let input = |consumed: &interp::ConsumedInput| Input {
        ty: consumed.request.ty.to_string(),
        value: show_bits(consumed.request.ty, consumed.value),
        place: place(program, consumed.request.pos),
    };
    Document {
        outcome,
        exit_code: exit as u8,
        steps: run.steps,
        stdout: String::from_utf8_lossy(&run.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&run.stderr).into_owned(),
        inputs: run.inputs.iter().map(input).collect(),
        assumed: assumed(program, run).collect(),
    }
}
