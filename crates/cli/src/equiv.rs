//! `reprove equiv`: do two versions do the same?
//!
//! Here is the way from the command line to the engine and back: both programs, the conditions, the pairs of
//! functions, one comparison for each, and the verdict of all of them. What people read is made in `text`,
//! what programs read in `document`.

mod conditions;
mod difference;
mod document;
mod files;
mod memory;
mod proof;
mod story;
mod text;
pub mod values;

use crate::args::{EquivArgs, FrontArgs, IntArg};
use crate::console::Console;
use crate::exit::Exit;
use crate::json;
use crate::load::{self, Failed, Loaded};
use ::engine::UnknownReason;
use ::equiv::functions::choose;
use ::equiv::scope::{Scope, scope};
use ::equiv::spec::{InputEquality, Spec, Version, Versions};
use ::equiv::{Integers, Member, Report, Request, Verdict, engine};
use change::Pair;
use driver::compare::{Around, Comparer};
use ir::FuncId;
use report::DiagnosticJson;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One comparison that was made.
struct Done {
    functions: [FuncId; 2],
    report: Report,
    /// If the versions differ: the input and the runs, ready to be shown.
    difference: Option<difference::Shown>,
}

/// So many events of each run are looked at for the first difference.
const MOST_EVENTS: usize = 20_000;

/// All comparisons, and what follows from them.
struct Answer<'a> {
    programs: [&'a ir::Program; 2],
    pairs: Vec<Done>,
    /// The pair that decides: the first that differs, else the first without an answer.
    decisive: Option<usize>,
    scope: Scope,
    time: Duration,
}

/// The front end's options of a comparison: what comes from outside is the same function of the same
/// arguments in both versions.
pub fn front(given: &FrontArgs) -> FrontArgs {
    FrontArgs { environment: Some(cfront::Environment::Extern), ..given.clone() }
}

pub fn equiv(args: &EquivArgs, console: &Console) -> Result<Exit, Exit> {
    let start = console.limits.start;
    let failed = |failed: Failed| json::failed(console, args.json, "equiv", failed);
    let paths = [list(&args.old), list(&args.new)];
    let front = front(&args.front);
    let (old, new) = load::load_both([&paths[0], &paths[1]], &front, console).map_err(failed)?;
    let options = load::options(&front);
    let question = Question {
        function: args.function.as_deref().or(args.front.entry.as_deref()),
        pre: &args.pre,
        post: &args.post,
    };
    let pair = Pair::new(&old.program, &new.program);
    let prepared = prepare(&question, console, &pair, [&old, &new], &options).map_err(failed)?;
    let budget = &console.limits.budget;
    let members = if args.members.is_empty() { &Member::ALL[..] } else { &args.members };
    let integers = integers(args.int);
    let requests: Vec<Request> = prepared
        .pairs
        .iter()
        .map(|(functions, spec)| Request {
            pair: &pair,
            functions: *functions,
            spec,
            integers,
            budget,
            members,
        })
        .collect();
    let mut diagnostics = [old.diagnostics.clone(), new.diagnostics.clone()].concat();
    if let Some(file) = &args.emit_horn {
        files::emit_horn(file, &requests, console, &mut diagnostics).map_err(failed)?;
    }
    // A preprocessed text names files that may have changed since, or belong to another machine.
    let quote =
        [&old, &new].map(|loaded| loaded.files.iter().all(|f| f.path.extension().is_some_and(|e| e == "c")));
    let programs = [&old.program, &new.program];
    let wait = console.limits.patience();
    let mut opened = driver::open_store(args.store.clone(), std::env::var_os(store::VARIABLE), wait);
    for warning in std::mem::take(&mut opened.warnings) {
        warn(console, &mut diagnostics, warning);
    }
    let around = Around {
        store: opened.store.as_ref(),
        label: &args.new.display().to_string(),
        allowed: console.limits.allowed(),
        limits: Some(&console.limits.watch),
        proof: args.explain || args.certificate.is_some(),
    };
    let pairs = compared(&requests, quote, &Comparer::new(&pair, around));
    if let Some(trouble) = opened.trouble() {
        warn(console, &mut diagnostics, trouble);
    }
    let answer = Answer::new(programs, pairs, prepared.scope, start.elapsed());
    if let Some(file) = &args.certificate {
        let written = match file.extension().is_some_and(|e| e == "smt2") {
            true => files::write_script(file, &answer, console),
            false => {
                let versions = [&old, &new];
                files::write_certificate(file, args, &answer, &requests, versions, console, &mut diagnostics)
            }
        };
        written.map_err(failed)?;
    }
    show(args, console, &answer, &prepared.notes, &diagnostics)
}

fn show(
    args: &EquivArgs,
    console: &Console,
    answer: &Answer,
    notes: &[String],
    diagnostics: &[DiagnosticJson],
) -> Result<Exit, Exit> {
    let exit = answer.exit();
    if args.json {
        let body = document::document(args, answer, notes);
        return json::print(console, "equiv", diagnostics, body, exit);
    }
    for note in notes {
        console.eprint(&format!("note: {note}\n"));
    }
    console.print(text::text(args, answer, console.width).as_bytes(), exit)
}

/// All pairs, up to the first that differs.
fn compared(requests: &[Request], quote: [bool; 2], comparer: &Comparer) -> Vec<Done> {
    let mut pairs = Vec::new();
    let settled = comparer.pair();
    for request in requests {
        let report = comparer.compare(request, &settled);
        let difference = match &report.verdict {
            Verdict::NotEquivalent(found) => {
                let story = engine::story(request, &found.input, MOST_EVENTS);
                Some(difference::shown(
                    request.pair.programs(),
                    request.functions,
                    found,
                    story.as_ref(),
                    quote,
                ))
            }
            _ => None,
        };
        let differs = difference.is_some();
        pairs.push(Done { functions: request.functions, report, difference });
        if differs {
            break;
        }
    }
    pairs
}

impl<'a> Answer<'a> {
    fn new(programs: [&'a ir::Program; 2], pairs: Vec<Done>, scope: Scope, time: Duration) -> Answer<'a> {
        let first = |wanted: fn(&Verdict) -> bool| pairs.iter().position(|done| wanted(&done.report.verdict));
        let decisive = first(|v| matches!(v, Verdict::NotEquivalent(_)))
            .or_else(|| first(|v| matches!(v, Verdict::Unknown(_))));
        Answer { programs, pairs, decisive, scope, time }
    }

    fn deciding(&self) -> Option<&Done> {
        self.decisive.and_then(|i| self.pairs.get(i))
    }

    fn exit(&self) -> Exit {
        match self.deciding().map(|done| &done.report.verdict) {
            None if self.scope.open.is_some() => Exit::Unknown,
            None | Some(Verdict::Equivalent(_)) => Exit::Fine,
            Some(Verdict::NotEquivalent(_)) => Exit::Disproved,
            Some(Verdict::Unknown(_)) => Exit::Unknown,
        }
    }

    fn verdict(&self) -> &'static str {
        match self.exit() {
            Exit::Fine => "EQUIVALENT",
            Exit::Disproved => "NOT EQUIVALENT",
            _ => "UNKNOWN",
        }
    }

    fn unknown(&self) -> Option<&UnknownReason> {
        match self.deciding().map(|done| &done.report.verdict) {
            None => self.scope.open.as_ref(),
            Some(Verdict::Unknown(reason)) => Some(reason),
            Some(_) => None,
        }
    }

    fn reason(&self) -> Option<String> {
        self.unknown().map(|reason| reason.text(self.programs[1]))
    }

    /// Who decided; of several proofs the most expensive member.
    fn member(&self) -> Option<Member> {
        match self.deciding() {
            Some(done) => done.report.member,
            None => self.pairs.iter().filter_map(|done| done.report.member).max(),
        }
    }
}

/// Both are read before anything is said about either, so that all errors come at once.
/// Several files are separated by commas, unless there is a file with a comma in its name.
pub fn list(path: &Path) -> Vec<PathBuf> {
    match path.to_str() {
        Some(text) if text.contains(',') && !path.exists() => {
            text.split(',').filter(|part| !part.is_empty()).map(PathBuf::from).collect()
        }
        _ => vec![path.to_path_buf()],
    }
}

pub fn integers(given: IntArg) -> Integers {
    match given {
        IntArg::Machine => Integers::Machine,
        IntArg::Unbounded => Integers::Unbounded,
    }
}

/// What the command line says about the comparison, besides the programs.
pub struct Question<'a> {
    pub function: Option<&'a str>,
    pub pre: &'a [String],
    pub post: &'a [String],
}

/// What is asked about each pair of functions.
pub struct Prepared {
    pub pairs: Vec<([FuncId; 2], Spec)>,
    /// What the answers about them say about the versions.
    pub scope: Scope,
    /// What the user should know about the conditions.
    pub notes: Vec<String>,
}

pub fn prepare(
    question: &Question,
    console: &Console,
    pair: &Pair,
    [old, new]: [&Loaded; 2],
    options: &cfront::Options,
) -> Result<Prepared, Failed> {
    let refuse = |message: String| load::refuse(console, message, Exit::BadInput);
    let sources: Vec<(String, String)> = [old, new].into_iter().flat_map(conditions::sources).collect();
    let spec = Spec::from_sources(sources.iter().map(|(name, text)| (name.as_str(), text.as_str())))
        .map_err(|error| conditions::refuse(console, error))?;
    let given = question.function.map(|text| text.split_once('=').unwrap_or((text, text)));
    let annotated = spec.function.as_ref().map(|(f, g)| (f.as_str(), g.as_str()));
    let equal_inputs = spec.input_equality == InputEquality::Assumed;
    let wanted = given.or(annotated);
    let (programs, interfaces) = ([&old.program, &new.program], [&old.interface, &new.interface]);
    let chosen =
        choose(programs, interfaces, wanted, equal_inputs).map_err(|error| refuse(error.to_string()))?;
    let scope = scope(pair, interfaces, &chosen, wanted.is_some());
    let several = chosen.len() > 1;
    let mut pairs = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    for functions in chosen {
        let versions = Versions { old: version(old, functions[0]), new: version(new, functions[1]), options };
        let mut spec = spec.clone();
        spec.add_options(question.pre, question.post, &versions)
            .and_then(|()| spec.check(&versions))
            .map_err(|error| {
                let name = &old.program.function(functions[0]).name;
                let hint = || format!("while comparing '{name}'; --function chooses one pair of functions");
                conditions::refuse(console, if several { error.note(hint()) } else { error })
            })?;
        for note in &spec.notes {
            if !notes.contains(note) {
                notes.push(note.clone());
            }
        }
        pairs.push((functions, spec));
    }
    Ok(Prepared { pairs, scope, notes })
}

fn version(loaded: &Loaded, function: FuncId) -> Version<'_> {
    Version { program: &loaded.program, function, texts: &loaded.texts }
}

/// Something that went wrong without being anybody's fault; the comparison goes on.
fn warn(console: &Console, diagnostics: &mut Vec<DiagnosticJson>, message: String) {
    console.eprint(&format!("warning: {message}\n"));
    diagnostics.push(DiagnosticJson { severity: "warning", message, place: None, notes: vec![] });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_files() {
        let check = |text: &str, expected: &[&str]| {
            let expected: Vec<PathBuf> = expected.iter().map(PathBuf::from).collect();
            assert_eq!(list(Path::new(text)), expected, "{text}");
        };
        check("a.c", &["a.c"]);
        check("a.c,lib/b.c", &["a.c", "lib/b.c"]);
        check("a.c,", &["a.c"]);
    }
}
