//! Random programs: whenever the original fails a check, the slice fails the same one.

mod support;

#[path = "support/c.rs"]
mod c;

use cfront::Options;
use ir::{CheckKind, FuncId, Program};
use proptest::prelude::*;
use support::{Compared, compare};

fn compile(text: &str, checks: bool) -> Option<Program> {
    let mut options = Options::default();
    if checks {
        options.checks.extend([CheckKind::Overflow, CheckKind::Memory, CheckKind::Div]);
    }
    let output = cfront::with_stack(|| cfront::compile_text("test.c", text, &options)).ok()?;
    assert!(output.program.is_some(), "{:?}\n{text}", output.diagnostics);
    output.program
}

/// How many runs failed a check, or what went wrong.
fn check(program: &Program, entry: FuncId, seeds: std::ops::Range<u64>) -> Result<u32, String> {
    let mut failed = 0;
    for endings in [true, false] {
        let sliced = slice::slice_with(program, entry, slice::Options { endings }).program;
        ir::verify(&sliced).map_err(|violations| violations[0].to_string())?;
        failed = 0;
        for seed in seeds.clone() {
            let compared = compare(program, &sliced, entry, seed);
            let compared = compared
                .map_err(|e| format!("seed {seed}, endings {endings}: {e}\n{}", ir::print(&sliced)))?;
            failed += u32::from(compared == Compared::Failed);
        }
    }
    Ok(failed)
}

fn check_c(choices: &[u32], checks: bool) -> Result<u32, String> {
    let text = c::program(choices);
    let Some(program) = compile(&text, checks) else { return Err("does not compile".into()) };
    let Some(main) = program.find_function("main") else { return Err("no main".into()) };
    check(&program, main, 0..4).map_err(|e| format!("{text}\n{e}"))
}

/// More than the default run has time for, if asked.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(100)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn c_programs(choices in prop::collection::vec(any::<u32>(), 0..300), checks in any::<bool>()) {
        let result = check_c(&choices, checks);
        prop_assert!(result.is_ok(), "{}", result.unwrap_err());
    }

    #[test]
    fn any_program(program in ir::testing::program()) {
        let result = check(&program, FuncId(0), 0..2);
        prop_assert!(result.is_ok(), "{}", result.unwrap_err());
    }
}

/// Runs that fail no check say nothing, so enough of them must.
#[test]
fn runs_do_fail_checks() {
    let (mut failed, mut total) = (0, 0);
    for start in 0..40u32 {
        let mut state = start;
        let choices: Vec<u32> = (0..250)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state >> 8
            })
            .collect();
        failed += check_c(&choices, false).unwrap();
        total += 4;
    }
    assert!(failed * 5 > total, "{failed} of {total} runs fail a check");
}
