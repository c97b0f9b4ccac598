//! From files to a program, with everything that is wrong with them said on standard error.

use crate::args::{CheckArg, FrontArgs, TargetArg};
use crate::console::Console;
use crate::exit::Exit;
use crate::flags;
use crate::inputs::{self, Folders};
use base::{Diagnostics, SourceMap, Span};
use cfront::{Input, Interface};
use ir::{CheckKind, FuncId, Program, Target};
use report::{DiagnosticJson, Renderer};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub struct Loaded {
    pub program: Program,
    /// Warnings; there are no errors in a program that was loaded.
    pub diagnostics: Vec<DiagnosticJson>,
    /// The files it was made from, with flags of their own if there is a compilation database.
    pub files: Vec<Input>,
    /// The preprocessed texts of C files; none for a program in IR.
    pub texts: Vec<(String, Arc<str>)>,
    /// What other files can see of it; a program in IR does not say.
    pub interface: Interface,
}

/// Why there is no program; the person has been told already.
pub struct Failed {
    pub diagnostics: Vec<DiagnosticJson>,
    pub exit: Exit,
}

pub fn load(
    paths: &[PathBuf],
    folders: Folders,
    front: &FrontArgs,
    console: &Console,
) -> Result<Loaded, Failed> {
    match ir_file(paths) {
        Some(path) => load_ir(path, front, console),
        None => {
            let compiled = match front.builds.as_slice() {
                [_, _, ..] => Err("there is one program, which has one compilation database (-p)".to_owned()),
                _ => compile(paths, folders, front, 0),
            };
            finish(compiled, front, console)
        }
    }
}

/// The program that files are with other options, if they were loaded before: nothing is said of them again.
pub fn again(paths: &[PathBuf], front: &FrontArgs) -> Result<Program, String> {
    let failed = || "the program cannot be read again".to_owned();
    if ir_file(paths).is_some() {
        return Err("a program in IR has the checks that it has".to_owned());
    }
    let (_, output) = compile(paths, Folders::Accept, front, 1)?;
    let mut program = output.program.ok_or_else(failed)?;
    separate_calls(&mut program, front);
    ir::verify(&program).map(|()| program).map_err(|_| failed())
}

/// Both versions, compiled at the same time; what is wrong with them is said in their order.
pub fn load_both(
    paths: [&[PathBuf]; 2],
    front: &FrontArgs,
    console: &Console,
) -> Result<(Loaded, Loaded), Failed> {
    let [old, new] = std::thread::scope(|scope| {
        let started = [0, 1].map(|version| match ir_file(paths[version]) {
            Some(_) => None,
            None => Some(scope.spawn(move || compile(paths[version], Folders::Accept, front, version))),
        });
        started.map(|thread| thread.and_then(|thread| thread.join().ok()))
    });
    let one = |paths: &[PathBuf], compiled| match compiled {
        Some(compiled) => finish(compiled, front, console),
        None => load(paths, Folders::Accept, front, console),
    };
    match (one(paths[0], old), one(paths[1], new)) {
        (Ok(old), Ok(new)) => match [&old, &new].map(|version| version.program.target.name) {
            [a, b] if a != b && !old.texts.is_empty() && !new.texts.is_empty() => {
                let why = format!("the versions are for different machines ({a} and {b}); --target chooses");
                Err(refuse(console, why, Exit::BadInput))
            }
            _ => Ok((old, new)),
        },
        (Err(failed), Ok(_)) | (Ok(_), Err(failed)) => Err(failed),
        (Err(mut old), Err(new)) => {
            old.diagnostics.extend(new.diagnostics);
            Err(old)
        }
    }
}

fn ir_file(paths: &[PathBuf]) -> Option<&Path> {
    match paths {
        [path] if path.extension().is_some_and(|e| e == "ir") => Some(path),
        _ => None,
    }
}

type Compiled = Result<(inputs::Inputs, cfront::Output), String>;

/// `version` is 0 for the old one and 1 for the new one, if there are two databases.
fn compile(paths: &[PathBuf], folders: Folders, front: &FrontArgs, version: usize) -> Compiled {
    let build = match front.builds.as_slice() {
        [] => None,
        [build] => Some(build),
        [old, new] => Some([old, new][version]),
        _ => return Err("there are two versions, and so at most two compilation databases (-p)".to_owned()),
    };
    let inputs = inputs::expand(paths, folders, front, build.map(PathBuf::as_path))?;
    let front = FrontArgs { target: inputs.target, ..front.clone() };
    let output = cfront::compile_inputs(&inputs.files, &options(&front));
    Ok((inputs, output))
}

fn finish(compiled: Compiled, front: &FrontArgs, console: &Console) -> Result<Loaded, Failed> {
    let (inputs, output) = compiled.map_err(|m| refuse(console, m, Exit::BadInput))?;
    let mut diagnostics = tell(&output.sources, &output.diagnostics, console);
    let mut say = |severity, message: &String| {
        console.eprint(&format!("{severity}: {message}\n"));
        let message = message.clone();
        diagnostics.push(DiagnosticJson { severity, message, place: None, notes: vec![] });
    };
    inputs.warnings.iter().for_each(|text| say("warning", text));
    inputs.notes.iter().for_each(|text| say("note", text));
    if let Some(database) = inputs.whole.filter(|_| output.mains.len() > 1) {
        say("note", &several(&database, &output.mains));
    }
    let Some(mut program) = output.program else {
        return Err(Failed { diagnostics, exit: Exit::BadInput });
    };
    separate_calls(&mut program, front);
    if let Err(problems) = ir::verify(&program) {
        // A bug of ours, not of the input; nothing that follows could be trusted.
        let message = format!("internal error: the front end made an invalid program:{}", list(&problems));
        return Err(refuse(console, message, Exit::Unknown));
    }
    // Models of library functions come after the files.
    let sources = output.sources.ids().take(inputs.files.len()).map(|id| output.sources.file(id));
    let texts = sources.map(|file| (file.path.display().to_string(), file.text.clone())).collect();
    let loaded = Loaded { program, diagnostics, files: inputs.files, texts, interface: output.interface };
    match &front.entry {
        Some(name) => match find_function(&loaded.program, name, console) {
            Ok(_) => Ok(loaded),
            Err(exit) => Err(Failed { diagnostics: loaded.diagnostics, exit }),
        },
        None => Ok(loaded),
    }
}

/// What pointers from outside lead to is a function without a body, if the command says so.
fn separate_calls(program: &mut Program, front: &FrontArgs) {
    let entry = program.find_function(front.entry.as_deref().unwrap_or("main"));
    if let Some(entry) = entry.filter(|_| front.calls_outside) {
        let (body, havocs) = cfront::unknown_body("code from outside", front.unknown_functions);
        encode::outside::separate_calls(program, entry, &body, havocs);
    }
}

/// A database of several programs cannot be linked; who sees it should not have to guess what to do.
fn several(database: &Path, mains: &[PathBuf]) -> String {
    let files: Vec<String> = mains.iter().map(|file| file.display().to_string()).collect();
    let (name, count, files) = (database.display(), files.len(), files.join(", "));
    format!(
        "{name} has {count} programs, with 'main' in {files}: name the files of one of them, as in -p {name} {}",
        mains[0].display()
    )
}

/// A program in the text form that `show ir` prints. It has the checks that it has: what else is asked for
/// would never be found.
fn load_ir(path: &Path, front: &FrontArgs, console: &Console) -> Result<Loaded, Failed> {
    let bad = |message: String| refuse(console, format!("{}: {message}", path.display()), Exit::BadInput);
    if !front.check.is_empty() || front.error_functions.is_some() {
        let message = "checks are written in a program in IR: --check and properties are for C sources";
        return Err(bad(message.to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(|e| bad(format!("cannot read: {e}")))?;
    let mut program = ir::parse(&text).map_err(|error| {
        let mut sources = SourceMap::new();
        let start = text.lines().take(error.line.saturating_sub(1)).map(|line| line.len() + 1).sum::<usize>();
        let line = text.lines().nth(error.line.saturating_sub(1)).unwrap_or_default();
        let column = line.char_indices().nth(error.column.saturating_sub(1)).map_or(line.len(), |(i, _)| i);
        let at = Span::new((start + column) as u32, (start + column) as u32);
        if sources.add(path, text.as_str()).is_err() {
            return bad("the file is too large".to_string());
        }
        let mut diagnostics = Diagnostics::new();
        diagnostics.error(at, error.message);
        Failed { diagnostics: tell(&sources, &diagnostics, console), exit: Exit::BadInput }
    })?;
    ir::verify(&program).map_err(|problems| bad(format!("not a valid program:{}", list(&problems))))?;
    separate_calls(&mut program, front);
    Ok(Loaded {
        program,
        diagnostics: Vec::new(),
        files: vec![path.to_path_buf().into()],
        texts: Vec::new(),
        interface: Interface::default(),
    })
}

pub fn tell(sources: &SourceMap, diagnostics: &Diagnostics, console: &Console) -> Vec<DiagnosticJson> {
    let mut renderer = Renderer::new(sources, console.color_err);
    console.eprint(&renderer.all(diagnostics));
    renderer.json(diagnostics)
}

pub fn refuse(console: &Console, message: String, exit: Exit) -> Failed {
    console.error(&message);
    let diagnostic = DiagnosticJson { severity: "error", message, place: None, notes: vec![] };
    Failed { diagnostics: vec![diagnostic], exit }
}

fn list(problems: &[ir::Violation]) -> String {
    problems.iter().take(20).map(|p| format!("\n  {p}")).collect()
}

/// The function called `name`, or a message that helps to find the right one.
pub fn find_function(program: &Program, name: &str, console: &Console) -> Result<FuncId, Exit> {
    program.find_function(name).ok_or_else(|| {
        let known = program.functions.iter().map(|f| &*f.name);
        let hint = known.filter_map(|k| Some((distance(k, name)?, k))).min();
        let hint = hint.map(|(_, k)| format!("; did you mean '{k}'?")).unwrap_or_default();
        console.error(&format!("the program has no function '{name}'{hint}"));
        Exit::BadInput
    })
}

pub fn options(front: &FrontArgs) -> cfront::Options {
    let checks = front.check.iter().map(|check| match check {
        CheckArg::Overflow => CheckKind::Overflow,
        CheckArg::Memory => CheckKind::Memory,
        CheckArg::Div => CheckKind::Div,
        CheckArg::Shift => CheckKind::Shift,
        CheckArg::Unreachable => CheckKind::Unreachable,
        CheckArg::Leak => CheckKind::Leak,
        CheckArg::Cleanup => CheckKind::Cleanup,
    });
    let usual = cfront::Options::default();
    cfront::Options {
        target: match front.target {
            Some(TargetArg::Lp64) | None => Target::LP64,
            Some(TargetArg::Ilp32) => Target::ILP32,
        },
        include_dirs: front.include.clone(),
        macros: front.macros.clone(),
        flags: flags::of_user(&front.flags).words,
        cc: front.cc.clone(),
        checks: checks.collect(),
        error_functions: front.error_functions.clone().unwrap_or_else(|| usual.error_functions.clone()),
        unknown_functions: front.unknown_functions,
        malloc_may_fail: front.malloc_may_fail,
        entry: front.entry.clone(),
        environment: front.environment.unwrap_or(usual.environment),
        arguments: front.arguments,
        ..usual
    }
}

/// Number of single-letter edits between two names, if it is small against their length.
fn distance(a: &str, b: &str) -> Option<usize> {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let limit = 1 + a.len().min(b.len()) / 4;
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row.last().copied().filter(|&d| d <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names() {
        let check = |a: &str, b: &str, expected| assert_eq!(distance(a, b), expected, "{a} {b}");
        check("main", "mian", Some(2));
        check("main", "mani", Some(2));
        check("put", "puts", Some(1));
        check("push_back", "push_bakc", Some(2));
        check("push", "pop", None);
        check("f", "checksum", None);
    }
}
