//! Random programs: what the interpreter has seen go wrong is never accepted, however far it is unwound.

use crate::support::{PRELUDE, budget_of, compile};
use certify::Flaw;
use certify::program::{Nothing, check_proof};
use engine::{Argument, Proof};
use std::time::Duration;
use testing::Random;
use testing::observe::observe;
use testing::rich::Source;
use testing::source::{self, Source as _};

/// No loop of these programs runs more often, and no function calls itself more often.
const ENOUGH: u32 = 6;
const RUNS: u64 = 100;

pub fn tame(source: Source, times: usize) -> Source {
    let header = PRELUDE.lines().count() + prelude().lines().count();
    source::tame(source, times, &|source| (compile(&(prelude() + &source.print())), header))
}

pub fn prelude() -> String {
    "extern void __VERIFIER_assert(int);\n".to_owned()
}

/// More than the default run has time for, if asked.
fn cases() -> u64 {
    std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(12)
}

#[test]
fn what_fails_is_not_accepted() {
    let (mut accepted, mut refused, mut open) = (0, 0, Vec::new());
    for seed in 0..cases() {
        let source = tame(Source::random(&mut Random(seed)), (seed % 6) as usize);
        let text = prelude() + &source.print();
        let program = compile(&text);
        let main = program.find_function("main").unwrap();
        let slice = seed.is_multiple_of(2).then_some(slice::Checks::All);
        let proof = Proof { slice, argument: Argument::Unwinding { bound: ENOUGH } };
        let budget = budget_of(Duration::from_secs(2));
        match (check_proof(&program, main, &proof, &budget, &mut Nothing), observe(&program, RUNS).fails) {
            (Ok(_), true) => panic!("seed {seed} fails\n{text}"),
            (Ok(_), false) => accepted += 1,
            (Err(why), false) if matches!(why.flaw, Flaw::Wrong(_)) => refused += 1,
            (Err(why), false) => open.push(format!("{seed}: {why}")),
            (Err(_), true) => refused += 1,
        }
    }
    println!("accepted {accepted}, refused {refused}, open {open:#?}");
    assert!(
        accepted * 5 > cases() && refused > 0 && open.len() as u64 * 4 < cases(),
        "{accepted} {refused} {open:#?}"
    );
}

/// Programs that use more of C: allocation, functions in tables, output, variable arguments.
#[test]
fn nor_what_fails_in_richer_programs() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..2 * cases() {
        let mut random = Random(seed);
        let choices: Vec<u32> = (0..random.below(120)).map(|_| random.number() as u32).collect();
        let text = testing::choices::program(&choices);
        let output = cfront::compile_text("test.c", &text, &cfront::Options::default());
        let program = output.program.unwrap_or_else(|| panic!("{text}"));
        let main = program.find_function("main").unwrap();
        let slice = seed.is_multiple_of(2).then_some(slice::Checks::All);
        let proof = Proof { slice, argument: Argument::Unwinding { bound: ENOUGH } };
        let budget = budget_of(Duration::from_secs(4));
        let checked = check_proof(&program, main, &proof, &budget, &mut Nothing);
        match (&checked, observe(&program, RUNS).fails) {
            (Ok(_), true) => panic!("seed {seed} fails\n{text}"),
            (Ok(_), false) => accepted += 1,
            (Err(_), _) => refused += 1,
        }
    }
    println!("accepted {accepted}, refused {refused}");
    assert!(accepted > 0 && refused > 0, "{accepted} {refused}");
}
