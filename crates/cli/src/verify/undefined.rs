//! Undefined behaviour that no check asks about.
//!
//! A verdict says nothing of what a program does after it. Where it is known to happen, that is a warning;
//! with `--undefined strict` a program is called safe only if it was shown not to happen: all checks are
//! asked for, besides those that the user asked for.

use super::document::exact;
use crate::args::{CheckArg, FrontArgs};
use crate::load;
use clap::ValueEnum;
use driver::{Outcome, Request, Strategy, Undefined, Verdict};
use engine::{Assumption, Subject, UnknownReason};
use interp::{ConsumedInput, InputKind, UndefinedKind};
use ir::Program;
use std::path::PathBuf;

/// More inputs than this are not listed.
const MOST_INPUTS: usize = 6;

/// Where, with which input, and what to do about it.
pub fn warning(program: &Program, found: &Undefined) -> String {
    let inputs: Vec<String> =
        found.run.inputs.iter().map(|input| told(program, input)).take(MOST_INPUTS + 1).collect();
    let with = match inputs.len() {
        0 => String::new(),
        n if n > MOST_INPUTS => format!(" (with {}, ...)", inputs[..MOST_INPUTS].join(", ")),
        _ => format!(" (with {})", inputs.join(", ")),
    };
    let advice =
        check(found.what).map(|check| format!("; --check {check} makes it a check")).unwrap_or_default();
    let at = crate::place::at(program, found.pos);
    format!("undefined behaviour can happen: {}{at}{with}{advice}", found.what)
}

fn told(program: &Program, input: &ConsumedInput) -> String {
    let value = exact(input.request.ty, input.value);
    match &input.request.kind {
        InputKind::Input(name) => format!("{name}() = {value}"),
        InputKind::ExternReturn(id) => format!("{}() = {value}", program.function(*id).name),
        InputKind::ExternGlobal { global, .. } | InputKind::Changed { global, .. } => {
            format!("{} = {value}", program.global(*global).name)
        }
        InputKind::Param(i) => format!("parameter {} = {value}", i + 1),
        InputKind::Uninit(Some(local)) => {
            let function = input.request.function.map(|f| program.function(f));
            let name =
                function.and_then(|f| f.locals.get(local.0 as usize)).map_or("a variable", |l| &l.name);
            format!("{name} = {value}")
        }
        InputKind::Uninit(None) | InputKind::Asm | InputKind::Memory { .. } => format!("memory = {value}"),
    }
}

fn check(what: UndefinedKind) -> Option<&'static str> {
    match what {
        UndefinedKind::DivisionByZero | UndefinedKind::DivisionOverflow => Some("div"),
        UndefinedKind::SignedOverflow => Some("overflow"),
        UndefinedKind::ShiftRange => Some("shift"),
        UndefinedKind::BadCall | UndefinedKind::UninitialisedLoad | UndefinedKind::MisalignedAccess => None,
        _ => Some("memory"),
    }
}

/// Leaves the verdict safe only if nothing undefined happens, either.
pub fn exclude(
    outcome: &mut Outcome,
    request: &Request,
    how: &Strategy,
    files: &[PathBuf],
    front: &FrontArgs,
) {
    outcome.verdict = match open(outcome, request, how, files, front) {
        Some(reason) => Verdict::Unknown(reason),
        None => {
            outcome.assumptions.retain(|a| !matches!(a, Assumption::Undefined(u) if u.check().is_some()));
            Verdict::Safe
        }
    };
}

/// Why something undefined is not excluded.
fn open(
    outcome: &Outcome,
    request: &Request,
    how: &Strategy,
    files: &[PathBuf],
    front: &FrontArgs,
) -> Option<UnknownReason> {
    if let Some(found) = &outcome.undefined {
        return Some(UnknownReason::Undefined { what: found.what.to_string(), pos: Some(found.pos) });
    }
    // Memory that is not freed has a meaning.
    let leak = |check: &CheckArg| matches!(check, CheckArg::Leak | CheckArg::Cleanup);
    let undefined = CheckArg::value_variants().iter().filter(|check| !leak(check));
    let all = FrontArgs { check: undefined.copied().collect(), ..front.clone() };
    let program = match load::again(files, &all) {
        Ok(program) => program,
        Err(what) => return Some(UnknownReason::Unsupported { what, pos: None }),
    };
    let name = request.subject.name();
    let Some(entry) = program.find_function(name) else {
        let what = format!("'{name}' is not found again");
        return Some(UnknownReason::Unsupported { what, pos: None });
    };
    let all =
        driver::verify_as(&Request { subject: &Subject::new(&program, entry), base: None, ..*request }, how);
    match all.verdict {
        Verdict::Safe => None,
        Verdict::Unsafe(found) => Some(UnknownReason::Undefined {
            what: format!("the check '{}' fails", found.kind.name()),
            pos: Some(found.pos),
        }),
        Verdict::Unknown(reason) => {
            let what = format!("undefined behaviour is not excluded: {reason}");
            Some(UnknownReason::Unsupported { what, pos: None })
        }
    }
}
