//! Any verified program runs to some end within its limits, and always to the same one.

use base::Budget;
use interp::{Detect, Interp, Options, Outcome, RandomInputs, Run};
use ir::{FuncId, Program, Target};
use proptest::prelude::*;

fn run(program: &Program, entry: FuncId, seed: u64, set: impl FnOnce(&mut Options)) -> (Run, Vec<u8>) {
    let mut options = Options::new(entry);
    options.max_steps = 20_000;
    options.max_memory = 1 << 22;
    options.max_depth = 500;
    set(&mut options);
    let mut interp = Interp::new(program, options).expect("small programs");
    let first = interp.run(&mut RandomInputs::new(seed), &Budget::unlimited());
    let globals = format!("{:?}", interp.final_globals()).into_bytes();
    let again = interp.run(&mut RandomInputs::new(seed), &Budget::unlimited());
    assert_eq!(first, again, "a second run differs");
    (first, globals)
}

/// A trace is a path: calls and returns aside, every edge begins where the last one of its function ended.
fn check_trace(program: &Program, run: &Run) {
    let mut stack: Vec<(FuncId, u32)> = Vec::new();
    for step in &run.trace {
        let Some(cfa) = program.function(step.function).cfa() else { panic!("a function without a body") };
        let edge = cfa.edge(step.edge);
        if edge.from == cfa.entry
            && stack.last().is_none_or(|(f, n)| (*f, *n) != (step.function, cfa.entry.0))
        {
            stack.push((step.function, edge.to.0));
            continue;
        }
        // Returned: the callers' frames are below.
        while stack.last().is_some_and(|(f, n)| program.function(*f).cfa().is_some_and(|c| c.exit.0 == *n)) {
            stack.pop();
        }
        let top = stack.last_mut().expect("an active function");
        assert_eq!(*top, (step.function, edge.from.0));
        top.1 = edge.to.0;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_programs(choices in prop::collection::vec(any::<u32>(), 0..400), seed in any::<u64>()) {
        let mut program = ir::testing::program_from(&choices);
        for target in [Target::LP64, Target::ILP32] {
            // The generator builds for LP64; what does not verify on the other target is skipped.
            program.target = target;
            if ir::verify(&program).is_err() {
                continue;
            }
            for id in program.function_ids() {
                let (plain, globals) = run(&program, id, seed, |_| {});
                let (traced, traced_globals) = run(&program, id, seed, |o| o.record_trace = true);
                check_trace(&program, &traced);
                // Records count as memory, and steps are counted by straight pieces of code, so at a limit
                // the two may differ.
                let limit = |o: &Outcome| {
                    matches!(o, Outcome::OutOfMemory | Outcome::StackOverflow | Outcome::Stopped(_))
                };
                if !limit(&traced.outcome) && !limit(&plain.outcome) {
                    prop_assert_eq!(&plain.outcome, &traced.outcome);
                    prop_assert_eq!(&plain.inputs, &traced.inputs);
                    prop_assert_eq!(plain.steps, traced.steps);
                    prop_assert_eq!(globals, traced_globals);
                }
                let all = Detect {
                    signed_overflow: true,
                    shift: true,
                    uninitialised_load: true,
                    misaligned_access: true,
                };
                run(&program, id, seed, |o| o.detect = all);
            }
        }
    }
}
