//! Random programs: what the interpreter has seen go wrong is never accepted, however far it is unwound.

use crate::make::{Random, Source};
use crate::support::{budget_of, compile};
use certify::Flaw;
use certify::program::{Nothing, check_proof};
use engine::{Argument, Proof};
use interp::{Interp, Options, Outcome, RandomInputs};
use ir::{Pos, Program};
use std::time::Duration;

/// No loop of these programs runs more often, and no function calls itself more often.
const ENOUGH: u32 = 6;
const RUNS: u64 = 100;

/// Where a check fails in some run.
fn fails(program: &Program) -> Option<Pos> {
    let options = Options { max_steps: 20_000, ..Options::main(program)? };
    let mut interp = Interp::new(program, options).ok()?;
    (0..RUNS).find_map(|run| {
        match interp.run(&mut RandomInputs::new(run), &base::Budget::unlimited()).outcome {
            Outcome::CheckFailed { pos, .. } => Some(pos),
            _ => None,
        }
    })
}

/// Assertions that random runs violate are weakened a few times, so that what remains is often safe, and not
/// obviously.
pub fn tame(mut source: Source, times: usize) -> Source {
    for _ in 0..times {
        let text = prelude() + &source.print();
        let Some(pos) = fails(&compile(&text)) else { break };
        let header = crate::support::PRELUDE.lines().count();
        let before = text.lines().take(pos.line as usize - header);
        let nth = before.filter(|l| l.contains("__VERIFIER_assert(")).count() - prelude().lines().count();
        let Some(id) = nth.checked_sub(1).and_then(|i| source.asserts().get(i).copied()) else { break };
        source = source.weaker(id);
    }
    source
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
        let slice = seed.is_multiple_of(2).then(slice::Options::default);
        let proof = Proof { slice, argument: Argument::Unwinding { bound: ENOUGH } };
        let budget = budget_of(Duration::from_secs(2));
        match (check_proof(&program, main, &proof, &budget, &mut Nothing), fails(&program)) {
            (Ok(_), Some(pos)) => panic!("seed {seed} fails in line {}\n{text}", pos.line),
            (Ok(_), None) => accepted += 1,
            (Err(why), None) if matches!(why.flaw, Flaw::Wrong(_)) => refused += 1,
            (Err(why), None) => open.push(format!("{seed}: {why}")),
            (Err(_), Some(_)) => refused += 1,
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
        let choices: Vec<u32> = (0..random.below(120)).map(|_| random.next() as u32).collect();
        let text = crate::c::program(&choices);
        let output = cfront::compile_text("test.c", &text, &cfront::Options::default());
        let program = output.program.unwrap_or_else(|| panic!("{text}"));
        let main = program.find_function("main").unwrap();
        let slice = seed.is_multiple_of(2).then(slice::Options::default);
        let proof = Proof { slice, argument: Argument::Unwinding { bound: ENOUGH } };
        let budget = budget_of(Duration::from_secs(4));
        let checked = check_proof(&program, main, &proof, &budget, &mut Nothing);
        match (&checked, fails(&program)) {
            (Ok(_), Some(pos)) => panic!("seed {seed} fails in line {}\n{text}", pos.line),
            (Ok(_), None) => accepted += 1,
            (Err(_), _) => refused += 1,
        }
    }
    println!("accepted {accepted}, refused {refused}");
    assert!(accepted > 0 && refused > 0, "{accepted} {refused}");
}
