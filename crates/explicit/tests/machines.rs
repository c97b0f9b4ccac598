//! State machines in C, and what becomes of them: a run that fails, a proof that the checker accepts, or
//! nothing.

use base::Budget;
use certify::program::{Nothing, check_proof};
use cfront::{Options, compile_text, with_stack};
use engine::{Argument, Engine, Partition, Proof, Quiet, Settings, Subject, Task, UnknownReason, Verdict};
use explicit::Explicit;
use interp::{Interp, Outcome};
use ir::{FuncId, Program};

const HEADER: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
    extern void __VERIFIER_assume(int); extern void __VERIFIER_error(void); extern void exit(int);
    #define IN __VERIFIER_nondet_int()
    ";

fn compiled(source: &str) -> (Program, FuncId) {
    let source = format!("{}{source}", HEADER.replace("#define IN __VERIFIER_nondet_int()", ""));
    let source = source.replace("IN", "__VERIFIER_nondet_int()");
    let output = with_stack(|| compile_text("t.c", &source, &Options::default())).expect("no panic");
    let errors: Vec<_> = output.diagnostics.iter().map(|d| d.message.clone()).collect();
    let program = output.program.unwrap_or_else(|| panic!("{errors:?}"));
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

/// `expected` is `safe`, `unsafe`, or a part of the reason why nobody knows.
fn check(source: &str, expected: &str) {
    let (program, main) = compiled(source);
    let found = match ask(&program, main) {
        Verdict::Safe(proof) => {
            assert_eq!(is_proof(&program, main, &proof), Ok(()), "{source}");
            "safe".to_owned()
        }
        Verdict::Unsafe(claim) => {
            let mut interp = Interp::new(&program, interp::Options::new(main)).expect("a program");
            let run = interp.run(&mut claim.inputs.clone(), &Budget::unlimited());
            assert!(matches!(run.outcome, Outcome::CheckFailed { .. }), "{:?}: {source}", run.outcome);
            "unsafe".to_owned()
        }
        Verdict::Unknown(reason) => reason.to_string(),
    };
    assert!(found.contains(expected), "{found} instead of {expected}: {source}");
}

/// Goes round in three states; an input in the last one leads to a fourth.
fn machine(fourth: &str) -> String {
    format!(
        "int state = 1;
        void step(int in) {{
            if (state == 1 && in == 4) state = 2;
            else if (state == 2 && (in == 5 || in == 6)) state = 3;
            else if (state == 3 && in == 1) state = {fourth};
            else if (in != 9) state = 1;
        }}
        int main(void) {{
            while (1) {{
                int in = IN;
                if (in < 1 || in > 9) return 0;
                step(in);
                if (state == 7) __VERIFIER_error();
            }}
        }}"
    )
}

#[test]
fn machines_with_few_states() {
    check(&machine("1"), "safe");
    check(&machine("7"), "unsafe");
    check(&machine("4 + 3"), "unsafe");
    check(&machine("in + 5"), "safe");
}

/// A variable with many values is divided where the program compares it.
#[test]
fn variables_with_many_values() {
    let range = |step: &str, error: &str| {
        format!(
            "int level = 50, mode = 0;
            int main(void) {{
                while (1) {{
                    int in = IN;
                    if (in == 1 && level <= 100) {{ level = {step}; mode = 1; }}
                    else if (in == 2 && level > 100) {{ level = level - 500; mode = 2; }}
                    else if (in == 3) mode = 0;
                    if ({error}) __VERIFIER_error();
                }}
            }}"
        )
    };
    check(&range("level % 70 + 200", "mode == 1 && level <= 100"), "safe");
    check(&range("level % 70 + 200", "level > 300"), "safe");
    check(&range("level % 70 + 200", "mode == 1 && level > 100 && level == 250"), "unsafe");
    check(&range("level + 3", "mode == 2 && level > 100"), "safe");
    check(&range("level + 3", "mode == 2 && level < -500"), "safe");
    check(&range("level + 3", "mode == 2 && level < -398"), "unsafe");
    // Relations of variables are not known.
    let pair = "int a, b; int main(void) { while (1) { if (IN == 1) { a++; b++; } if (a != b) __VERIFIER_error(); } }";
    check(pair, "may fail");
}

#[test]
fn calls_loops_and_ends() {
    check("int main(void) { for (int i = 0; i < 10; i++) if (i == 10) __VERIFIER_error(); }", "safe");
    check("int main(void) { int i = 0; while (IN) i++; if (i == 20) __VERIFIER_error(); }", "unsafe");
    check("int main(void) { if (IN == 41) exit(0); int x = IN; if (x != x) __VERIFIER_error(); }", "");
    check(
        "int f(int x) { while (x > 3) x -= 2; return x; }
        int main(void) { int x = IN; __VERIFIER_assume(0 <= x && x < 50); if (f(x) > 3) __VERIFIER_error(); }",
        "safe",
    );
    check("int f(int n) { return f(n + 1); } int main(void) { f(0); }", "");
    check(
        "int a[4]; int main(void) { int i = 0; while (i < 4) { a[i] = 1; i++; } if (a[2] == 1) __VERIFIER_error(); }",
        "may fail",
    );
    // A jump into a loop.
    check(
        "int main(void) { int x = 0; goto in; while (x < 5) { x += 2; in: x++; } if (x == 7) __VERIFIER_error(); }",
        "unsafe",
    );
    check(
        "int g(void); int main(void) { while (g()) ; int (*p)(void) = g; if (p() == 3) __VERIFIER_error(); }",
        "",
    );
}

/// What the partition leaves out is a hole in the proof.
#[test]
fn wrong_partitions() {
    let source = "int level = 5;
        int main(void) { while (1) { if (IN) level = level % 1000 + 7; if (level < 0) __VERIFIER_error(); } }";
    let (program, main) = compiled(source);
    let Verdict::Safe(proof) = ask(&program, main) else { panic!("no proof") };
    let Proof { slice, argument: Argument::Explored(partition) } = *proof else { panic!("no partition") };
    let Some((slot, intervals)) = partition.intervals.first().cloned() else { panic!("nothing is divided") };
    let damaged = |intervals: Vec<(i128, i128)>| {
        let argument = Argument::Explored(Partition { intervals: vec![(slot, intervals)] });
        is_proof(&program, main, &Proof { slice, argument })
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
    let (program, main) = compiled(&machine("1"));
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
