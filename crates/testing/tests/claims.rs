//! No engine claims a program safe, or safe up to a bound, of which a failing run within that bound is known.

use base::Budget;
use engine::{Engine, Quiet, Settings, Subject, Task, Verdict};
use ir::{CheckKind, Program};
use std::time::{Duration, Instant};
use testing::known::claims::{Claimed, deepening, fixed};
use testing::known::runs::{Failing, failing};

const SEEDS: u64 = 150;

fn ask(engine: &dyn Engine, program: &Program, settings: &Settings, time: Duration) -> Option<Verdict> {
    let budget = Budget { deadline: Instant::now().checked_add(time), ..Budget::unlimited() };
    let task = Task {
        subject: &Subject::new(program, program.find_function("main")?),
        base: None,
        equivalent: &[],
        label: "known.c",
        settings,
        store: None,
        budget: &budget,
        progress: &Quiet,
    };
    Some(engine.verify(&task).verdict)
}

/// The program of a seed, and what is checked besides assertions.
type Make = fn(u64) -> (String, &'static [CheckKind]);

fn flow(seed: u64) -> (String, &'static [CheckKind]) {
    (testing::known::flow::program(seed), &[])
}

fn leak(seed: u64) -> (String, &'static [CheckKind]) {
    let checks: &[CheckKind] =
        if seed.is_multiple_of(4) { &[CheckKind::Cleanup] } else { &[CheckKind::Leak] };
    (testing::known::leak::program(seed), checks)
}

/// Programs that fail, with the run.
fn programs(make: Make, seeds: u64) -> Vec<(u64, Program, Failing)> {
    let one = |seed: u64| {
        let (text, checks) = make(seed);
        let program = testing::compile(&text, checks).unwrap_or_else(|e| panic!("{seed}: {e}"));
        failing(&program).map(|failing| (seed, program, failing))
    };
    (0..seeds).filter_map(one).collect()
}

fn check(make: Make, engine: &dyn Engine, seeds: u64, time: Duration, settings: &[Settings]) {
    let known = programs(make, seeds);
    assert!(known.len() as u64 * 10 >= seeds, "too few programs fail: {} of {seeds}", known.len());
    for (seed, program, failing) in known {
        for settings in settings {
            let Some(verdict) = ask(engine, &program, settings, time) else { continue };
            if let Some(what) = Claimed::by(&verdict).wrong(&failing) {
                let (text, _) = make(seed);
                panic!("seed {seed}, {:?}: {what}, with {:?}\n{text}", settings.bmc.unwind, failing.inputs);
            }
        }
    }
}

fn on_large_stack(work: impl FnOnce() + Send) {
    cfront::with_stack(work).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

#[test]
fn bounded_claims() {
    let settings = [fixed(1), fixed(2), fixed(4), deepening(5)];
    on_large_stack(|| check(flow, &bmc::Bmc, SEEDS, Duration::from_secs(2), &settings));
}

/// What is lost on the heap is found, with slices and without, up to bounds and beyond.
#[test]
fn leaks() {
    let whole = Settings { slice: false, ..deepening(5) };
    let settings = [fixed(2), deepening(5), whole];
    on_large_stack(|| check(leak, &bmc::Bmc, SEEDS, Duration::from_secs(2), &settings));
}

#[test]
fn unbounded_claims() {
    let time = Duration::from_millis(500);
    on_large_stack(|| check(flow, &predicate::Predicate, SEEDS / 3, time, &[Settings::default()]));
}

#[test]
fn explicit_claims() {
    let time = Duration::from_millis(500);
    on_large_stack(|| check(flow, &explicit::Explicit, SEEDS, time, &[Settings::default()]));
}

/// A bound counts rounds, as the interpreter goes through them.
#[test]
fn bounds_of_runs() {
    let check = |text: &str, needs: u32| {
        let program = testing::compile(&format!("{}{text}", testing::known::PRELUDE), &[]).unwrap();
        let failing = failing(&program).unwrap_or_else(|| panic!("it does not fail: {text}"));
        assert_eq!(failing.needs, needs, "{text}");
    };
    check("int main(void) { __VERIFIER_error(); }", 0);
    check("int main(void) { for (int i = 0; i < 3; i++) ; __VERIFIER_error(); }", 3);
    check(
        "int main(void) { for (int i = 0; i < 3; i++) for (int j = 0; j < 2; j++) ; __VERIFIER_error(); }",
        3,
    );
    check("int f(int n) { return n ? f(n - 1) : 0; } int main(void) { f(4); __VERIFIER_error(); }", 4);
    check("int main(void) { while (1) if (__VERIFIER_nondet_int() == 2) __VERIFIER_error(); }", 0);
    check("int g; int main(void) { while (1) { if (g == 2) __VERIFIER_error(); g++; } }", 2);
}
