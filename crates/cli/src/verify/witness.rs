//! `--witness`: the verdict for other tools, in the exchange format of SV-COMP.

use super::Answer;
use crate::load::Loaded;
use driver::path::Path;
use driver::{Request, Verdict, confirm};
use ir::{CheckKind, Program, Target};
use report::witness::places::{Given, Places};
use report::witness::{Content, InputFile, Task, Witness, invariants, violation};
use std::time::{Duration, SystemTime};

/// The text of the witness, or why there is none.
pub fn text(
    answer: &Answer,
    request: &Request,
    loaded: &Loaded,
    error_functions: &[String],
) -> Result<String, String> {
    let program = answer.program;
    if let Verdict::Unknown(_) = answer.outcome.verdict {
        return Err(format!("there is nothing to bear witness to ({})", answer.last_line()));
    }
    let (mut files, mut given) = (Vec::new(), Vec::new());
    for path in loaded.files.iter().map(|input| &input.path) {
        let content = std::fs::read(path).map_err(|_| format!("{} cannot be read again", path.display()))?;
        let name = path.display().to_string();
        files.push(InputFile::new(name.clone(), &content));
        let text = loaded.texts.iter().find(|(of, _)| *of == name).map(|(_, text)| text.clone());
        let text = text.ok_or_else(|| format!("{name} is not a C file"))?;
        let preprocessed = path.extension().is_none_or(|e| e != "i");
        given.push(Given { name, content, text, preprocessed });
    }
    let places = Places::new(given).ok_or("the source cannot be read again")?;
    let content = match &answer.outcome.verdict {
        Verdict::Unsafe(found) => {
            let path = Path::of(program, answer.entry, found, &confirm::Limits::of(request));
            let is_library = |function| answer.sources.is_library(function);
            let points = violation::waypoints(program, found, path.as_ref(), &places, &is_library);
            Content::Violation(points.ok_or("the place of the failure is not known")?)
        }
        _ => {
            let proof = answer.outcome.proof.as_ref();
            let list = proof.map(|proof| invariants::invariants(request.subject, proof, &places));
            Content::Invariants(list.unwrap_or_default())
        }
    };
    let specification = specification(answer, error_functions, loaded);
    let data_model = if program.target == Target::ILP32 { "ILP32" } else { "LP64" };
    let task = Task { files, specification, data_model };
    Ok(Witness { task, content, created: now() }.to_yaml())
}

/// What was verified, as far as the competition has words for it.
fn specification(answer: &Answer, error_functions: &[String], loaded: &Loaded) -> String {
    let entry = &answer.program.function(answer.entry).name;
    let mut formulas = Vec::new();
    let call = |name: &str| format!("G ! call({name}())");
    for check in answer.checks {
        match check {
            CheckKind::ErrorCall => {
                let mentioned = |name: &&String| mentions(answer.program, loaded, name);
                let mut named: Vec<String> =
                    error_functions.iter().filter(mentioned).map(|name| call(name)).collect();
                if named.is_empty() && !answer.checks.contains(&CheckKind::Overflow) {
                    named.extend(error_functions.first().map(|name| call(name)));
                }
                formulas.extend(named);
            }
            CheckKind::Assertion if mentions(answer.program, loaded, "__assert_fail") => {
                formulas.push(call("__assert_fail"));
            }
            CheckKind::Overflow => formulas.push("G ! overflow".to_owned()),
            CheckKind::Memory => {
                formulas.extend(["G valid-free", "G valid-deref"].map(str::to_owned));
            }
            CheckKind::Leak => formulas.push("G valid-memtrack".to_owned()),
            CheckKind::Cleanup => formulas.push("G valid-memcleanup".to_owned()),
            CheckKind::Assertion | CheckKind::Div | CheckKind::Shift | CheckKind::Unreachable => {}
        }
    }
    let checks = formulas.iter().map(|formula| format!("CHECK( init({entry}()), LTL({formula}) )"));
    checks.collect::<Vec<_>>().join("\n")
}

fn mentions(program: &Program, loaded: &Loaded, name: &str) -> bool {
    program.find_function(name).is_some() || loaded.texts.iter().any(|(_, text)| text.contains(name))
}

/// The time, or the one that builds which must be the same every time agree on.
fn now() -> Duration {
    let agreed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let clock = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    agreed.map(Duration::from_secs).unwrap_or_else(clock)
}
