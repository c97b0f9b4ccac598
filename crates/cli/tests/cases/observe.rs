//! Expectations are checked, too: a program that is expected to be safe must not fail in random runs.

use cfront::{Environment, Options, UnknownFunctions};
use ir::{CheckKind, Target};
use testing::case::Case;
use testing::observe::{Seen, observe};

const RUNS: u64 = 60;

/// Nothing is seen of programs with arguments that change what they mean.
pub fn runs(case: &Case) -> Result<Seen, String> {
    let arguments = case.get("args")?.unwrap_or_default();
    let (unknown_functions, environment) = match arguments {
        "" => (UnknownFunctions::Havoc, Environment::All),
        "--unknown-functions pure" => (UnknownFunctions::Pure, Environment::Inputs),
        _ => return Ok(Seen::default()),
    };
    let target = if case.get("target")? == Some("ilp32") { Target::ILP32 } else { Target::LP64 };
    let named = case.get("check")?.unwrap_or_default();
    let checks = CheckKind::ALL.into_iter().filter(|kind| named.split(',').any(|name| name == kind.name()));
    let options = Options {
        target,
        checks: checks.collect(),
        unknown_functions,
        environment,
        arguments: true,
        ..Options::default()
    };
    let files = [case.path.clone()];
    let output =
        cfront::with_stack(|| cfront::compile(&files, &options)).map_err(|_| "a panic".to_owned())?;
    let program = output.program.ok_or("it does not compile")?;
    Ok(observe(&program, RUNS))
}
