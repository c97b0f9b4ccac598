//! `reprove certify`: does a certificate show what the user asks about the sources that the user gives?
//!
//! The certificate may come from anybody. It is read as data, up to a length; the programs and the claim are
//! made of the command line alone, as `verify` and `equiv` make them, and `certify` checks that claim. What a
//! certificate says for people is not printed, but for quoting it where it is refused.

use crate::args::{CertifyArgs, FrontArgs, IntArg};
use crate::console::Console;
use crate::exit::Exit;
use crate::inputs::Folders;
use crate::load::{self, Failed};
use crate::{claim, equiv, flags, json, verify};
use ::certify::claim::Claim;
use ::certify::file::{self, Kind};
use ::certify::{Checked, Conditions, Flaw, program};
use ::equiv::{Member, Request, engine};
use base::Budget;
use driver::certificate;
use ir::Body;
use report::DiagnosticJson;
use serde::Serialize;
use std::fmt::Write;
use std::io::Read;

#[derive(Serialize)]
struct Document {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    exit_code: u8,
    /// What was asked, whole.
    claim: serde_json::Value,
    /// How the sources were read.
    read_with: Vec<String>,
    /// What was shown, pair by pair.
    shown: Vec<String>,
    assumptions: Vec<String>,
    /// How many the solver answered.
    queries: usize,
}

/// What is asked, and what the checker has to say about it.
struct Answer {
    lines: Vec<String>,
    claim: serde_json::Value,
    diagnostics: Vec<DiagnosticJson>,
    result: Result<Checked, Flaw>,
}

pub fn certify(args: &CertifyArgs, console: &Console) -> Result<Exit, Exit> {
    let failed = |failed: Failed| json::failed(console, args.json, "certify", failed);
    let bad = |message: String| {
        let message = format!("{}: {}", args.certificate.display(), one_line(&message));
        failed(load::refuse(console, message, Exit::BadInput))
    };
    let text = read(args).map_err(bad)?;
    let kind = file::kind(&text).map_err(|flaw| bad(flaw.to_string()))?;
    fits(args, kind).map_err(bad)?;
    let budget = &console.limits.budget;
    let answer = match kind {
        Kind::Program => safe(args, &text, budget, console).map_err(failed)?,
        Kind::Comparison => compared(args, &text, budget, console).map_err(failed)?,
    };
    let (exit, checked, reason) = match answer.result {
        Ok(checked) if checked.differs => (Exit::Disproved, checked, None),
        Ok(checked) => (Exit::Fine, checked, None),
        Err(flaw @ (Flaw::Malformed(_) | Flaw::Changed(_))) => return Err(bad(flaw.to_string())),
        Err(flaw) => {
            let limit = console.limits.stopped().filter(|_| matches!(flaw, Flaw::Open(_)));
            let reason = limit.map_or_else(|| one_line(&flaw.to_string()), |limit| limit.to_string());
            (Exit::Unknown, Checked::default(), Some(reason))
        }
    };
    let verdict = match (exit, kind) {
        (Exit::Fine, Kind::Program) => "SAFE",
        (Exit::Fine, Kind::Comparison) => "EQUIVALENT",
        (Exit::Disproved, _) => "NOT EQUIVALENT",
        _ => "UNKNOWN",
    };
    let Checked { claims: shown, assumptions, queries, .. } = checked;
    let assumptions: Vec<String> = assumptions.iter().map(|assumption| assumption.text(true)).collect();
    let read_with = read_with(args);
    if args.json {
        let (exit_code, claim) = (exit as u8, answer.claim);
        let body = Document { verdict, reason, exit_code, claim, read_with, shown, assumptions, queries };
        return json::print(console, "certify", &answer.diagnostics, body, exit);
    }
    let mut out = String::new();
    for line in answer.lines {
        let _ = writeln!(out, "{}", one_line(&line));
    }
    let _ = writeln!(out, "read with: {}", one_line(&read_with.join(" ")));
    for assumption in assumptions {
        let _ = writeln!(out, "assuming that {assumption}");
    }
    for line in shown {
        let _ = writeln!(out, "checked: {line}");
    }
    let _ = match reason {
        Some(reason) => writeln!(out, "{verdict} ({reason})"),
        None => writeln!(out, "{verdict}"),
    };
    console.print(out.as_bytes(), exit)
}

/// The text of the certificate, if it can be one.
fn read(args: &CertifyArgs) -> Result<String, String> {
    let cannot = |e: std::io::Error| format!("cannot read: {e}");
    let too_long = || format!("not a certificate: longer than {} MiB", file::LONGEST >> 20);
    let mut open = std::fs::File::open(&args.certificate).map_err(cannot)?;
    if open.metadata().map_err(cannot)?.len() > file::LONGEST {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    // Pipes and growing files do not say how long they are.
    open.by_ref().take(file::LONGEST + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > file::LONGEST {
        return Err(too_long());
    }
    String::from_utf8(bytes).map_err(|_| "not a certificate: it is no text".to_owned())
}

/// Does the command line have what this kind of certificate needs, and nothing else?
fn fits(args: &CertifyArgs, kind: Kind) -> Result<(), String> {
    let name = claim::Words::new("certify").path(&args.certificate).text();
    match kind {
        Kind::Program => {
            let compares = args.function.is_some()
                || !args.pre.is_empty()
                || !args.post.is_empty()
                || args.int != IntArg::Machine;
            if compares {
                return Err("it is about one program: --function, --pre, --post and --int are for \
                            comparisons"
                    .to_owned());
            }
            match args.files.is_empty() {
                true => Err(format!(
                    "which sources? A certificate does not decide what is read: {name} FILE..., with all \
                     options that were given to verify and say what is asked (-D, --check, --entry, \
                     --target, --property)"
                )),
                false => Ok(()),
            }
        }
        Kind::Comparison if args.unknown_functions.is_some() => {
            Err("it is about a comparison: --unknown-functions is for programs".to_owned())
        }
        Kind::Comparison => match (args.property.is_some(), args.files.len()) {
            (true, _) => Err("it is about a comparison: there is no --property".to_owned()),
            (false, 2) => Ok(()),
            (false, _) => Err(format!(
                "which versions? A certificate does not decide what is read: {name} OLD NEW, with all \
                 options that were given to equiv and say what is asked (-D, --function, --pre, --post, \
                 --int, --target)"
            )),
        },
    }
}

/// A certificate that `verify` wrote.
fn safe(args: &CertifyArgs, text: &str, budget: &Budget, console: &Console) -> Result<Answer, Failed> {
    let bad = |message: String| load::refuse(console, message, Exit::BadInput);
    let job = verify::task::job(&args.files, args.property.as_ref()).map_err(bad)?;
    let (front, checks) = verify::front(&args.front, args.unknown_functions, &job).map_err(bad)?;
    let mut loaded = load::load(&job.files, Folders::Accept, &front, console)?;
    if job.property.checks.is_some() {
        driver::property::restrict(&mut loaded.program, &checks);
    }
    let name = front.entry.as_deref().unwrap_or("main");
    let entry = load::find_function(&loaded.program, name, console)
        .map_err(|exit| Failed { diagnostics: loaded.diagnostics.clone(), exit })?;
    if let Body::Extern = loaded.program.function(entry).body {
        return Err(bad(format!("function '{name}' has no body")));
    }
    let asked = claim::safety(&loaded, &front, &checks, name).map_err(bad)?;
    let checked = program::check_text(text, &asked, &loaded.program, budget, &mut program::Nothing);
    let result = match checked {
        Ok(program::Checked { claims, assumptions, queries, .. }) => {
            Ok(Checked { differs: false, claims, assumptions, queries })
        }
        Err(refused) => Err(refused.flaw),
    };
    Ok(answer(&asked, loaded.diagnostics, result))
}

/// A certificate that `equiv` wrote.
fn compared(args: &CertifyArgs, text: &str, budget: &Budget, console: &Console) -> Result<Answer, Failed> {
    let bad = |message: String| load::refuse(console, message, Exit::BadInput);
    let paths = [0, 1].map(|i: usize| args.files.get(i).map(|file| equiv::list(file)).unwrap_or_default());
    let front = equiv::front(&args.front);
    let (old, new) = load::load_both([&paths[0], &paths[1]], &front, console)?;
    let function = args.function.as_deref().or(args.front.entry.as_deref());
    let pair = change::Pair::new(&old.program, &new.program);
    let question = equiv::Question { function, pre: &args.pre, post: &args.post };
    let prepared = equiv::prepare(&question, console, &pair, [&old, &new], &load::options(&front))?;
    let integers = equiv::integers(args.int);
    let request =
        |(functions, spec)| Request { pair: &pair, functions, spec, integers, budget, members: &Member::ALL };
    let requests: Vec<Request> = prepared.pairs.iter().map(|(f, spec)| request((*f, spec))).collect();
    let asked = claim::comparison([&old, &new], &front, &requests).map_err(bad)?;
    let conditions: Vec<certificate::Asked> = requests.iter().map(certificate::Asked).collect();
    let conditions: Vec<&dyn Conditions> = conditions.iter().map(|c| c as &dyn Conditions).collect();
    let mut result = ::certify::check(text, &asked, [&old.program, &new.program], &conditions, budget);
    if let Ok(checked) = &mut result
        && !checked.differs
    {
        checked.assumptions.extend(requests.iter().flat_map(engine::assumptions));
        checked.assumptions.extend(prepared.scope.assumptions);
        if let Some(reason) = prepared.scope.open {
            result = Err(Flaw::Open(reason.text(&new.program)));
        }
    }
    let diagnostics = [old.diagnostics.clone(), new.diagnostics.clone()].concat();
    Ok(answer(&asked, diagnostics, result))
}

fn answer<C: Claim>(asked: &C, diagnostics: Vec<DiagnosticJson>, result: Result<Checked, Flaw>) -> Answer {
    let claim = serde_json::to_value(asked).unwrap_or_default();
    Answer { lines: asked.lines(), claim, diagnostics, result }
}

/// The part of the front end's options that is no part of the claim: what finds headers.
fn read_with(args: &CertifyArgs) -> Vec<String> {
    let FrontArgs { cc, include, flags, builds, .. } = &args.front;
    let include = include.iter().map(|dir| format!("-I{}", dir.display()));
    let builds = builds.iter().flat_map(|build| ["-p".to_owned(), build.display().to_string()]);
    std::iter::once(cc.clone()).chain(include).chain(flags::by_use(flags).0).chain(builds).collect()
}

/// What others wrote does not make lines of its own, nor anything else on a terminal.
fn one_line(text: &str) -> String {
    const MOST: usize = 2000;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut line: String = words.chars().take(MOST).collect::<String>().replace(char::is_control, "\u{fffd}");
    if words.chars().nth(MOST).is_some() {
        line += "...";
    }
    line
}
