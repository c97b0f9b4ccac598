//! `reprove verify`: can a check fail?
//!
//! Here is the way from the command line to the driver and back: what is to be verified (`task`), the
//! program, limits, the store, the answer. What people read is made in `text`, what programs read in
//! `document`; `events` tells a run in the words of the source.

pub mod access;
pub mod bounds;
mod certificate;
mod choice;
mod definition;
mod document;
mod dot;
mod error_trace;
mod events;
mod expression;
mod given;
mod progress;
mod property;
mod sources;
pub mod task;
mod test_file;
mod text;
mod undefined;
mod witness;

use crate::args::{CheckArg, FrontArgs, UndefinedArg, UnknownArg, VerifyArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::inputs::Folders;
use crate::json;
use crate::limits::Last;
use crate::load::{self, Failed, Loaded};
use crate::written::write;
use base::Budget;
use cfront::UnknownFunctions;
use driver::path::Path;
use driver::{Certified, Life, Outcome, Request, Verdict, Violation, confirm};
use engine::{Assumption, Subject, UnknownReason};
use ir::{Body, CheckKind, FuncId, Program};
use report::DiagnosticJson;
use sources::Sources;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// An answer with everything that is shown of it.
struct Answer<'a> {
    program: &'a Program,
    entry: FuncId,
    checks: &'a BTreeSet<CheckKind>,
    /// It was compiled with these checks; IR has the ones that are written in it.
    compiled: bool,
    outcome: &'a Outcome,
    /// The first one makes the verdict.
    failures: Vec<Failure<'a>>,
    sources: &'a Sources,
    expected: Option<bool>,
    time: Duration,
}

/// A violation, told.
struct Failure<'a> {
    violation: &'a Violation,
    /// Empty if there are too many.
    events: Vec<events::Event>,
    /// Of the object of a bad access.
    life: Life,
}

pub fn verify(args: &VerifyArgs, console: &Console) -> Result<Exit, Exit> {
    let limits = &console.limits;
    let failed = |failed: Failed| json::failed(console, args.json, "verify", failed);
    let bad = |message: String| failed(load::refuse(console, message, Exit::BadInput));
    let how = choice::how(args).map_err(bad)?;
    let mut settings = choice::settings(args).map_err(bad)?;
    let job = task::job(&args.files, args.property.as_ref()).map_err(bad)?;
    let (front, checks) = front(&args.front, args.unknown_functions, &job).map_err(bad)?;
    settings.vacuous = front.unknown_functions != UnknownFunctions::Pure;
    settings.memory = limits.memory;
    settings.time = limits.timeout.map(Duration::from_secs_f64);
    interruptible(&limits.budget);
    let (mut loaded, mut base) = load_all(args, &job.files, &front, console).map_err(failed)?;
    if job.property.checks.is_some() {
        driver::property::restrict(&mut loaded.program, &checks);
        if let Some(base) = &mut base {
            driver::property::restrict(&mut base.program, &checks);
        }
    }
    let program = &loaded.program;
    let name = front.entry.as_deref().unwrap_or("main");
    let entry = load::find_function(program, name, console).map_err(|exit| {
        let diagnostics = loaded.diagnostics.clone();
        failed(Failed { diagnostics, exit })
    })?;
    if let Body::Extern = program.function(entry).body {
        return Err(bad(format!("function '{name}' has no body")));
    }
    settings.bmc.unwind = bounds::unwind(&args.unwind, args.unwind_recursion, program).map_err(bad)?;
    let mut warnings = Warnings { console, list: loaded.diagnostics.clone() };
    if limits.memory.is_some() && driver::limits::resident().is_none() {
        warnings.warn("this system does not say how much memory is used; --memory has no effect".to_owned());
    }
    let wait = limits.patience();
    let mut opened = driver::open_store(args.store.clone(), std::env::var_os(store::VARIABLE), wait);
    std::mem::take(&mut opened.warnings).into_iter().for_each(|warning| warnings.warn(warning));
    let label = job.files.iter().map(|f| f.display().to_string()).collect::<Vec<_>>().join(",");
    let progress = progress::Line::new(args, program, limits);
    let subject = Subject::new(program, entry);
    let base = base.as_ref().and_then(|loaded| Subject::named(&loaded.program, name));
    let request = Request {
        subject: &subject,
        base: base.as_ref(),
        label: &label,
        settings: &settings,
        store: opened.store.as_ref(),
        budget: &limits.budget,
        limits: Some(&limits.watch),
        progress: &progress,
    };
    let mut outcome = driver::verify_as(&request, &how);
    if args.undefined == UndefinedArg::Strict && matches!(outcome.verdict, Verdict::Safe) {
        undefined::exclude(&mut outcome, &request, &how, &job.files, &front);
    }
    let sources = Sources::of(&loaded);
    let first = match &outcome.verdict {
        Verdict::Unsafe(violation) => Some(&**violation),
        _ => None,
    };
    let answer = |failures, time| Answer {
        program,
        entry,
        checks: &checks,
        compiled: !loaded.texts.is_empty(),
        outcome: &outcome,
        failures,
        sources: &sources,
        expected: job.expected,
        time,
    };
    // There is an answer; what remains to be done must not cost it.
    let untold = |violation| Failure { violation, events: Vec::new(), life: Life::default() };
    let short = answer(first.into_iter().map(untold).collect(), limits.start.elapsed());
    let last = short.last_words(args, console, &warnings.list);
    limits.at_the_end(move |limit| last.because(&limit));
    // Who only wants a verdict should not wait for more.
    let others = match args.first || args.quiet || job.is_competition() {
        true => Vec::new(),
        false => driver::others(&request, &outcome),
    };
    progress.clear();
    let told = |violation| told(&request, violation, &sources, args.explain || args.json);
    let failures: Vec<Failure> = first.into_iter().chain(&others).map(told).collect();
    if let Some(found) = &outcome.undefined {
        warnings.warn(undefined::warning(program, found));
    }
    opened.trouble().into_iter().for_each(|trouble| warnings.warn(trouble));
    if let Some(file) = &args.dot {
        write(file, &dot::dot(&outcome.calls)).map_err(bad)?;
    }
    let answer = answer(failures, limits.start.elapsed());
    if let (Some(file), Some(failure)) = (&args.write_test, answer.failures.first()) {
        let test = test_file::test_file(
            program,
            entry,
            failure.violation,
            &loaded.texts,
            &load::options(&front).error_functions,
        );
        write(file, &test.text).map_err(bad)?;
        for doubt in test.doubts {
            warnings.warn(format!("{}: {doubt}", file.display()));
        }
    }
    if let Some(file) = &args.certificate {
        match certificate::text(&answer, &loaded, &front, &checks) {
            Ok(text) => {
                write(file, &text).map_err(bad)?;
                if !args.quiet && !args.json {
                    console
                        .eprint(&format!("note: to check it again: {}\n", certificate::command(args, file)));
                }
            }
            Err(why) => warnings.warn(format!("{} is not written: {why}", file.display())),
        }
    }
    if let Some(file) = &args.witness {
        match witness::text(&answer, &request, &loaded, &load::options(&front).error_functions) {
            Ok(text) => write(file, &text).map_err(bad)?,
            Err(why) => warnings.warn(format!("{} is not written: {why}", file.display())),
        }
    }
    if !args.json && !args.quiet {
        for note in &job.notes {
            console.eprint(&format!("note: {note}\n"));
        }
    }
    console.print(answer.shown(args, console, &warnings.list).as_bytes(), answer.exit())
}

impl Answer<'_> {
    /// All that is printed.
    fn shown(&self, args: &VerifyArgs, console: &Console, diagnostics: &[DiagnosticJson]) -> String {
        if args.json {
            return json::text("verify", diagnostics, document::document(self)).unwrap_or_default();
        }
        if args.quiet {
            return text::last_line(self, console.paint);
        }
        let style = error_trace::Style { explain: args.explain, width: console.width, paint: console.paint };
        text::text(self, &style)
    }

    /// What is printed if there is no time for more. Files that are still to be written then are missing,
    /// which is said.
    fn last_words(&self, args: &VerifyArgs, console: &Console, diagnostics: &[DiagnosticJson]) -> LastWords {
        let files = [&args.certificate, &args.witness, &args.dot, &args.write_test];
        let out = self.shown(args, console, diagnostics);
        LastWords { out, files: files.into_iter().flatten().cloned().collect(), exit: self.exit() }
    }

    fn exit(&self) -> Exit {
        match self.outcome.verdict {
            Verdict::Safe => Exit::Fine,
            Verdict::Unsafe(_) => Exit::Disproved,
            Verdict::Unknown(_) => Exit::Unknown,
        }
    }

    /// What the verdict rests on. A violation was executed: nothing undefined happened on the way, or is left
    /// to assume.
    fn assumptions(&self, all: bool) -> Vec<String> {
        let executed = matches!(self.outcome.verdict, Verdict::Unsafe(_));
        let list = self.outcome.assumptions.iter();
        list.filter(|a| !(executed && matches!(a, Assumption::Undefined(_)) || self.looks_for(a)))
            .map(|a| a.text(all))
            .collect()
    }

    /// What the checker assumed.
    fn checker_assumes(&self, certified: &Certified) -> Vec<String> {
        certified.assumptions.iter().filter(|a| !self.looks_for(a)).map(|a| a.text(true)).collect()
    }

    /// Is there a check for this?
    fn looks_for(&self, assumption: &Assumption) -> bool {
        self.compiled && assumption.is_checked(|kind| self.checks.contains(&kind))
    }

    fn verdict(&self) -> &'static str {
        match self.outcome.verdict {
            Verdict::Safe => "SAFE",
            Verdict::Unsafe(_) => "UNSAFE",
            Verdict::Unknown(_) => "UNKNOWN",
        }
    }

    fn reason(&self) -> Option<String> {
        if matches!(self.outcome.verdict, Verdict::Safe) && self.outcome.certified.is_none() {
            return Some("not certified".to_owned());
        }
        self.unknown().map(|reason| reason.text(self.program))
    }

    /// Why one of several engines does not know: what to do about it is said once, by the verdict.
    fn brief(&self, reason: &UnknownReason) -> String {
        match reason {
            UnknownReason::Beyond(_) => reason.to_string(),
            _ => reason.text(self.program),
        }
    }

    fn unknown(&self) -> Option<&UnknownReason> {
        match &self.outcome.verdict {
            Verdict::Unknown(reason) => Some(reason),
            Verdict::Safe | Verdict::Unsafe(_) => None,
        }
    }

    /// Where the answer that nobody knows comes from, if not from this run.
    fn known(&self) -> Option<String> {
        let allowed = self.outcome.known?;
        let time = allowed.time.map(|time| time.as_secs_f64());
        let limits =
            [time.map(|time| format!("{time} s")), allowed.memory.map(|bytes| format!("{bytes} bytes"))];
        let limits = limits.into_iter().flatten().collect::<Vec<_>>().join(" and ");
        let with = if limits.is_empty() { limits } else { format!(" with a limit of {limits}") };
        let more = match (self.unknown(), time, allowed.memory) {
            (Some(UnknownReason::Memory), _, Some(bytes)) => {
                format!("--memory {} or ", bytes.saturating_mul(3))
            }
            (_, Some(time), _) => format!("--timeout {} or ", time * 3.0),
            _ => String::new(),
        };
        Some(format!("known from an earlier run{with}; {more}--no-reuse tries again"))
    }

    fn last_line(&self) -> String {
        match self.reason() {
            Some(reason) => format!("{} ({reason})", self.verdict()),
            None => self.verdict().to_owned(),
        }
    }
}

struct LastWords {
    out: String,
    files: Vec<PathBuf>,
    exit: Exit,
}

impl LastWords {
    fn because(self, limit: &UnknownReason) -> Last {
        let warning = |file: &PathBuf| match file.exists() {
            true => String::new(),
            false => format!("warning: {} is not written: {limit}\n", file.display()),
        };
        let err = self.files.iter().map(warning).collect();
        Last { out: self.out.into_bytes(), err, exit: self.exit }
    }
}

impl Failure<'_> {
    /// The failed check in words.
    fn what(&self, program: &Program) -> String {
        if let Some(access) = &self.violation.access {
            return access::what(program, access);
        }
        let message = self.violation.message.as_ref().map(|m| format!(": {m}")).unwrap_or_default();
        let what = match self.violation.kind {
            CheckKind::Assertion => "an assertion fails",
            CheckKind::ErrorCall => "an error function is called",
            CheckKind::Overflow => "a signed operation overflows",
            CheckKind::Memory => "memory is accessed or freed that must not be",
            CheckKind::Div => "a division by zero, or one that overflows",
            CheckKind::Shift if message.is_empty() => "a shift by a negative or too large count",
            CheckKind::Shift => "a shift that is undefined",
            CheckKind::Unreachable => "__builtin_unreachable is reached",
            CheckKind::Leak => "memory is leaked: nothing leads to it where the program ends",
            CheckKind::Cleanup => "memory is not freed where the program ends",
        };
        format!("{what}{message}")
    }

    /// What helps to understand it, one line each.
    fn notes(&self, program: &Program) -> Vec<String> {
        let object = self.violation.access.and_then(|access| access.object);
        object.map(|object| access::notes(program, &object, &self.life)).unwrap_or_default()
    }
}

/// The front end's options and the checks that count, as the command line and the property have them.
pub fn front(
    given: &FrontArgs,
    unknown: Option<UnknownArg>,
    job: &task::Job,
) -> Result<(FrontArgs, BTreeSet<CheckKind>), String> {
    let mut front = given.clone();
    let property = &job.property;
    front.target = job.target.or(front.target);
    front.entry = front.entry.or_else(|| property.entry.clone());
    front.error_functions = property.error_functions.clone();
    front.unknown_functions = match unknown {
        Some(UnknownArg::Havoc) => UnknownFunctions::Havoc,
        Some(UnknownArg::Pure) => UnknownFunctions::Pure,
        Some(UnknownArg::Refuse) => UnknownFunctions::Refuse,
        // As SV-COMP's rules say.
        None if job.is_competition() => UnknownFunctions::Pure,
        None => UnknownFunctions::Havoc,
    };
    front.arguments = true;
    front.calls_outside = true;
    // By the rules of SV-COMP, formatted text is as a function without a body.
    front.environment = Some(match front.unknown_functions {
        UnknownFunctions::Pure => cfront::Environment::Inputs,
        UnknownFunctions::Havoc | UnknownFunctions::Refuse => cfront::Environment::All,
    });
    let Some(checks) = &property.checks else {
        let mut checks = BTreeSet::from([CheckKind::Assertion, CheckKind::ErrorCall]);
        checks.extend(load::options(&front).checks);
        return Ok((front, checks));
    };
    if !front.check.is_empty() {
        return Err("--check cannot be used together with a property, which says what to check".to_owned());
    }
    front.check = checks
        .iter()
        .filter_map(|kind| match kind {
            CheckKind::Overflow => Some(CheckArg::Overflow),
            CheckKind::Memory => Some(CheckArg::Memory),
            CheckKind::Div => Some(CheckArg::Div),
            CheckKind::Shift => Some(CheckArg::Shift),
            CheckKind::Unreachable => Some(CheckArg::Unreachable),
            CheckKind::Leak => Some(CheckArg::Leak),
            CheckKind::Cleanup => Some(CheckArg::Cleanup),
            CheckKind::Assertion | CheckKind::ErrorCall => None,
        })
        .collect();
    Ok((front, checks.clone()))
}

fn load_all(
    args: &VerifyArgs,
    files: &[PathBuf],
    front: &FrontArgs,
    console: &Console,
) -> Result<(Loaded, Option<Loaded>), Failed> {
    match &args.base {
        Some(base) => {
            let base = crate::equiv::list(base);
            let (base, new) = load::load_both([&base, files], front, console)?;
            Ok((new, Some(base)))
        }
        None => Ok((load::load(files, Folders::Accept, front, console)?, None)),
    }
}

/// Ctrl-C ends the work, with what was found so far; the second time, the process. If the system refuses, it
/// ends the process at once.
fn interruptible(budget: &Budget) {
    let flag = || budget.cancelled.clone();
    let interrupt = signal_hook::consts::SIGINT;
    let second = signal_hook::flag::register_conditional_shutdown(interrupt, Exit::Unknown as i32, flag());
    if second.is_ok() {
        let _ = signal_hook::flag::register(interrupt, flag());
    }
}

fn told<'a>(request: &Request, violation: &'a Violation, sources: &Sources, everything: bool) -> Failure<'a> {
    let limits = confirm::Limits::of(request);
    let path = Path::of(request.subject.program, request.subject.entry, violation, &limits);
    let Some(path) = path else { return Failure { violation, events: Vec::new(), life: Life::default() } };
    let events = events::events(&path, &driver::slice::slice(&path), sources, everything);
    let object = violation.access.and_then(|access| access.object);
    let life = object.map(|object| path.life(&object, &|function| sources.is_library(function)));
    Failure { violation, events, life: life.unwrap_or_default() }
}

/// What went wrong without being anybody's fault; verification goes on.
struct Warnings<'a> {
    console: &'a Console,
    list: Vec<DiagnosticJson>,
}

impl Warnings<'_> {
    fn warn(&mut self, message: String) {
        self.console.eprint(&format!("warning: {message}\n"));
        self.list.push(DiagnosticJson { severity: "warning", message, place: None, notes: vec![] });
    }
}
