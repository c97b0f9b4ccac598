//! Proofs that were damaged, and limits (what becomes of whole machines is in `tests/verify/explicit`).

use base::Budget;
use certify::program::{Nothing, check_proof};
use engine::{Argument, Engine, Partition, Proof, Quiet, Settings, Subject, Task, UnknownReason, Verdict};
use explicit::Explicit;
use ir::{FuncId, Program};
use testing::compile;

const INPUT: &str = "int __VERIFIER_nondet_int(void); void __VERIFIER_error(void);";

fn compiled(source: &str) -> (Program, FuncId) {
    let program = compile(source, &[]).unwrap_or_else(|what| panic!("{what}"));
    let main = program.find_function("main").expect("main");
    (program, main)
}

fn ask(program: &Program, entry: FuncId) -> Verdict {
    let (settings, budget) = (Settings::default(), Budget::unlimited());
    let task = Task {
        subject: &Subject::new(program, entry),
        base: None,
        equivalent: &[],
        label: "t.c",
        settings: &settings,
        store: None,
        budget: &budget,
        progress: &Quiet,
    };
    Explicit.verify(&task).verdict
}

fn is_proof(program: &Program, entry: FuncId, proof: &Proof) -> Result<(), String> {
    let checked = check_proof(program, entry, proof, &Budget::unlimited(), &mut Nothing);
    checked.map(|_| ()).map_err(|refused| refused.to_string())
}

/// What the partition leaves out is a hole in the proof.
#[test]
fn wrong_partitions() {
    let source = "int level = 5; int main(void) { while (1) {
        if (__VERIFIER_nondet_int()) level = level % 1000 + 7; if (level < 0) __VERIFIER_error(); } }";
    let (program, main) = compiled(&format!("{INPUT}{source}"));
    let Verdict::Safe(proof) = ask(&program, main) else { panic!("no proof") };
    let Proof { slice, argument: Argument::Explored(partition) } = *proof else { panic!("no partition") };
    let Some((slot, intervals)) = partition.intervals.first().cloned() else { panic!("nothing is divided") };
    let damaged = |intervals: Vec<(i128, i128)>| {
        let argument = Argument::Explored(Partition { intervals: vec![(slot, intervals)] });
        is_proof(&program, main, &Proof { slice: slice.clone(), argument })
    };
    assert_eq!(damaged(intervals.clone()), Ok(()));
    let (low, _) = *intervals.last().expect("an interval");
    let last = intervals.len() - 1;
    for wrong in
        [Vec::new(), vec![(0, 1)], [&intervals[..last], &[(low, low + 10)]].concat(), intervals[1..].to_vec()]
    {
        let refused = damaged(wrong.clone()).expect_err("a proof with a hole");
        assert!(refused.contains("does not prove its claim"), "{wrong:?}: {refused}");
    }
    // More values than there are: a check may fail in them.
    assert!(damaged(vec![(i128::from(i32::MIN), i128::from(i32::MAX))]).is_err());
}

#[test]
fn limits_are_kept() {
    let source = "int state = 1; int main(void) { while (1) { int in = __VERIFIER_nondet_int();
        if (state == 1 && in == 4) state = 2; else if (state == 2 && (in == 5 || in == 6)) state = 3;
        else if (in != 9) state = 1; if (state == 7) __VERIFIER_error(); } }";
    let (program, main) = compiled(&format!("{INPUT}{source}"));
    let (settings, budget) = (Settings::default(), Budget::steps(1));
    let budget = Budget { deadline: Some(std::time::Instant::now()), ..budget };
    let task = Task {
        subject: &Subject::new(&program, main),
        base: None,
        equivalent: &[],
        label: "t.c",
        settings: &settings,
        store: None,
        budget: &budget,
        progress: &Quiet,
    };
    // So few steps may be over before anybody looks at the clock.
    match Explicit.verify(&task).verdict {
        Verdict::Safe(_) | Verdict::Unknown(UnknownReason::Stopped(_)) => {}
        other => panic!("{other:?}"),
    }
}
