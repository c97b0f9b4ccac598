//! Random programs: whenever the original fails a check, the slice fails the same one, and so does the slice for
//! the checks of some functions, if it is one of these.

mod support;

use interp::Outcome;
use ir::fingerprint::{Fingerprint, run_print};
use ir::{CheckKind, FuncId, Program};
use proptest::prelude::*;
use slice::{Checks, Slicer};
use support::{Compared, compare};
use testing::choices;

/// The checks that a program may have besides its own.
const CHECKS: [CheckKind; 3] = [CheckKind::Overflow, CheckKind::Memory, CheckKind::Div];

fn compile(text: &str, checks: bool) -> Result<Program, String> {
    testing::compile(text, if checks { &CHECKS } else { &[] })
}

/// How many runs failed a check, or what went wrong.
fn check(program: &Program, entry: FuncId, seeds: std::ops::Range<u64>) -> Result<u32, String> {
    let slicer = Slicer::new(program, entry);
    let alone = |f| Checks::In([f].into());
    let divisions = [
        vec![Checks::All],
        program.function_ids().map(alone).collect(),
        slicer.parts().into_iter().map(|part| part.checks).collect(),
    ];
    let mut failed = [0; 3];
    for (checks, failed) in divisions.iter().zip(&mut failed) {
        for checks in checks {
            let sliced = slicer.slice(checks);
            ir::verify(&sliced).map_err(|violations| violations[0].to_string())?;
            for seed in seeds.clone() {
                let compared = compare(program, &sliced, entry, checks, seed);
                let compared =
                    compared.map_err(|e| format!("seed {seed}, {checks:?}: {e}\n{}", ir::print(&sliced)))?;
                *failed += u32::from(compared == Compared::Failed);
            }
        }
    }
    // What fails is in one part, whatever the division is.
    match failed {
        [all, alone, parts] if all == alone && all == parts => Ok(all),
        other => Err(format!("failing runs by division: {other:?}, {:?}", divisions[2])),
    }
}

fn check_c(choices: &[u32], checks: bool) -> Result<u32, String> {
    let text = choices::program(choices);
    let program = compile(&text, checks)?;
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

fn fixed_choices(start: u32) -> Vec<u32> {
    let mut state = start;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 8
    };
    (0..200).map(|_| next()).collect()
}

/// Runs that fail no check say nothing, so enough of them must.
#[test]
fn runs_do_fail_checks() {
    let failed: u32 = (0..40).map(|start| check_c(&fixed_choices(start), false).unwrap()).sum();
    assert!(failed * 4 > 160, "{failed} of 160 runs fail a check");
}

/// What fails in the slice fails in the original, which otherwise traps or runs on; nothing else comes
/// between.
#[test]
fn failures_of_slices_are_there() {
    let (mut same, mut other) = (0, 0);
    for start in 0..150 {
        let text = choices::program(&fixed_choices(start));
        let program = compile(&text, false).expect("compiles");
        let main = program.find_function("main").expect("main");
        let sliced = slice::slice(&program, main);
        for (compared, outcome) in (0..3).filter_map(|seed| support::converse(&program, &sliced, main, seed))
        {
            same += u32::from(compared == Compared::Failed);
            other += u32::from(compared != Compared::Failed);
            let expected = compared == Compared::Failed
                || matches!(outcome, Outcome::Undefined(_) | Outcome::Stopped(_) | Outcome::StackOverflow);
            assert!(expected, "{outcome:?}\n{text}\n{}", ir::print(&sliced));
        }
    }
    assert!(same > 9 * other && same > 100, "{same} and {other}");
}

/// Slices that are told to be the same without making them are the same.
#[test]
fn prints_of_parts() {
    let (mut same, mut other) = (0, 0);
    for start in 0..120 {
        let choices = fixed_choices(start);
        let program = compile(&choices::program(&choices), false).expect("compiles");
        for change in 0..4 {
            // Nothing, or one of the choices.
            let mut changed = choices.clone();
            let at = (start as usize * 7 + change * 31) % changed.len();
            changed[at] += u32::from(change > 0);
            let edited = compile(&choices::program(&changed), false).expect("compiles");
            for name in program.functions.iter().map(|f| &*f.name) {
                let slices = [&program, &edited].map(|version| slice_of(version, name));
                let [Some((before, old)), Some((after, new))] = slices else { continue };
                match before.zip(after).is_some_and(|(before, after)| before == after) {
                    true => {
                        same += 1;
                        assert_eq!(old, new, "{name}, choice {at} of {start}");
                    }
                    false => other += 1,
                }
            }
        }
    }
    assert!(same > 200 && other > 200, "{same} and {other}");
}

/// Of the slice for the checks of a function: what it is told to be, and what it is.
fn slice_of(program: &Program, name: &str) -> Option<(Option<Fingerprint>, Fingerprint)> {
    let (main, f) = (program.find_function("main")?, program.find_function(name)?);
    let slicer = Slicer::new(program, main);
    let checks = Checks::In([f].into());
    Some((slicer.print_of(&checks), run_print(&slicer.slice(&checks), main)))
}
