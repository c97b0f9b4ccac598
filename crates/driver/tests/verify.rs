//! The driver around engines that claim right and wrong things.

use base::{Budget, Stopped};
use driver::limits::{Limits, Watch};
use driver::path::Path;
use driver::{Engines, Outcome, Request, Strategy, Verdict, confirm, slice, verify_among};
use engine::{
    Answer, Argument, Counterexample, Engine, InputVector, Proof, Quiet, Settings, Site, Subject, Task,
    UnknownReason,
};
use interp::{Interp, Options, TraceStep, ZeroInputs};
use ir::{CheckKind, EdgeId, FuncId, HavocKind, Op, Program};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Says what it was told to say.
struct Fake<F>(F);

impl<F: Fn(&Task) -> engine::Verdict> Engine for Fake<F> {
    fn name(&self) -> &'static str {
        "fake"
    }

    fn verify(&self, task: &Task) -> Answer {
        self.0(task).into()
    }
}

fn proof() -> Proof {
    Proof { slice: None, argument: Argument::Unwinding { bound: 3 } }
}

fn compile(text: &str, checks: &[CheckKind]) -> Program {
    testing::compile(text, checks).unwrap_or_else(|what| panic!("{what}"))
}

/// Every place that calls an input function gets these values.
fn claim(program: &Program, values: &[u128]) -> engine::Verdict {
    let mut vector = InputVector::default();
    for id in program.function_ids() {
        let edges = program.function(id).cfa().map(|cfa| cfa.edges()).unwrap_or_default();
        for (i, edge) in edges.iter().enumerate() {
            let input = matches!(&edge.op, Op::Havoc { kind: HavocKind::Input(_), .. });
            let unknown = matches!(&edge.op, Op::Call { callee: ir::Callee::Direct(f), .. }
                if program.function(*f).cfa().is_none());
            if input || unknown {
                values.iter().for_each(|v| vector.answer(Site::Edge(id, EdgeId(i as u32)), *v));
            }
        }
    }
    engine::Verdict::Unsafe(Box::new(Counterexample { heap: Vec::new(), inputs: vector }))
}

fn ask(program: &Program, engine: &dyn Engine, budget: &Budget, limits: Option<&Watch>) -> Outcome {
    let request = Request {
        subject: &Subject::new(program, program.find_function("main").unwrap()),
        base: None,
        label: "t.c",
        settings: &Settings::default(),
        store: None,
        budget,
        limits,
        progress: &Quiet,
    };
    verify_among(&[engine], &request, &Strategy { engines: Engines::Only("fake"), certificate: false })
}

fn shown(outcome: &Outcome) -> String {
    match &outcome.verdict {
        Verdict::Safe => "safe".to_owned(),
        Verdict::Unsafe(violation) => format!("unsafe {} line {}", violation.kind.name(), violation.pos.line),
        Verdict::Unknown(reason) => reason.to_string(),
    }
}

const INPUT: &str = "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);\n";

#[test]
fn claims_are_run() {
    let check = |body: &str, values: &[u128], expected: &str| {
        let program =
            compile(&format!("{INPUT}int main(void) {{ int x = __VERIFIER_nondet_int();\n{body} }}"), &[]);
        let outcome = ask(
            &program,
            &Fake(|task: &Task| claim(task.subject.program, values)),
            &Budget::unlimited(),
            None,
        );
        assert_eq!(shown(&outcome), expected, "{body}");
    };
    let asserts = "__VERIFIER_assume(x > 1); __VERIFIER_assert(x != 7); return 10 / x;";
    check(asserts, &[7], "unsafe assertion line 3");
    check(asserts, &[8], "not confirmed: the run returned without a failed check");
    check(asserts, &[0], "not confirmed: the run violated an assumption at test.c:3:1");
    check(
        "if (x != 7) return 1 / (x - 7);\n return *(int *)0;",
        &[7],
        "not confirmed: the run ended with undefined behaviour: null pointer dereference at test.c:4:2",
    );
    check("reach_error();", &[7], "unsafe error_call line 3");
    check("exit(x);", &[7], "not confirmed: the run exited with 7");
}

#[test]
fn other_answers() {
    let program = compile("int main(void) { return 0; }\nint unknown(int);", &[]);
    let check = |engine: &dyn Engine, expected: &str| {
        assert_eq!(shown(&ask(&program, engine, &Budget::unlimited(), None)), expected);
    };
    check(&Fake(|_: &Task| engine::Verdict::Safe(Box::new(proof()))), "safe");
    check(&Fake(|_: &Task| engine::Verdict::Unknown(UnknownReason::SafeUpTo(3))), "safe up to 3");
    std::panic::set_hook(Box::new(|_| {}));
    check(&Fake(|_: &Task| panic!("no")), "internal error in the engine 'fake'");
    let _ = std::panic::take_hook();
}

/// A run that does not end is no violation, whatever it would do later.
#[test]
fn endless_claims() {
    let program = compile(
        &format!("{INPUT}int main(void) {{ while (__VERIFIER_nondet_int() == 0) {{ }} return 0; }}"),
        &[],
    );
    let budget = Budget { deadline: Some(Instant::now()), ..Budget::unlimited() };
    let limits = confirm::Limits { steps: 10_000, memory: 1 << 20, budget };
    let engine::Verdict::Unsafe(claim) = claim(&program, &[]) else { unreachable!() };
    let entry = program.find_function("main").unwrap();
    let why = confirm::confirm(&program, entry, &claim, &limits).err();
    let expected = ["time limit reached", "step limit reached"];
    assert!(
        why.as_ref().is_some_and(|why| !why.refuted && expected.iter().any(|e| why.why.contains(e))),
        "{why:?}"
    );
}

#[test]
fn memory_is_the_reason() {
    let program = compile("int main(void) { return 0; }", &[]);
    let wait = Fake(|task: &Task| {
        while task.budget.check(0).is_ok() {
            std::thread::sleep(Duration::from_millis(1));
        }
        engine::Verdict::Unknown(UnknownReason::Stopped(Stopped::Cancelled))
    });
    let budget = Budget::unlimited();
    let watch = Watch::start(
        Limits { memory: Some(1), ..Limits::default() },
        budget.cancelled.clone(),
        Box::new(|_| {}),
    );
    assert_eq!(shown(&ask(&program, &wait, &budget, Some(&watch))), "memory limit reached");
    drop(watch);
    let budget = Budget::unlimited();
    budget.cancelled.store(true, Ordering::Relaxed);
    assert_eq!(shown(&ask(&program, &wait, &budget, None)), "interrupted");
}

#[test]
fn properties() {
    let text = format!(
        "{INPUT}int main(void) {{ int x = __VERIFIER_nondet_int();\n__VERIFIER_assert(x != 7);\nreturn x + 2147483640; }}"
    );
    let check = |wanted: &[CheckKind], values: &[u128], expected: &str| {
        let mut program = compile(&text, &[CheckKind::Overflow]);
        driver::property::restrict(&mut program, &BTreeSet::from_iter(wanted.iter().copied()));
        assert_eq!(ir::verify(&program), Ok(()));
        let outcome = ask(
            &program,
            &Fake(|task: &Task| claim(task.subject.program, values)),
            &Budget::unlimited(),
            None,
        );
        assert_eq!(shown(&outcome), expected, "{wanted:?}");
    };
    check(&[CheckKind::Assertion, CheckKind::Overflow], &[7], "unsafe assertion line 3");
    check(&[CheckKind::Overflow], &[7], "not confirmed: the run violated an assumption at test.c:3:1");
    check(&[CheckKind::Overflow], &[8], "unsafe overflow line 4");
    check(&[CheckKind::Assertion], &[8], "not confirmed: the run returned without a failed check");
}

/// The lines of the steps that matter.
fn check_slice(text: &str, values: &[u128], expected: &[u32]) {
    let program = compile(&format!("{INPUT}{text}"), &[]);
    let outcome =
        ask(&program, &Fake(|task: &Task| claim(task.subject.program, values)), &Budget::unlimited(), None);
    let Verdict::Unsafe(violation) = &outcome.verdict else { panic!("{}: {text}", shown(&outcome)) };
    let limits = confirm::Limits { steps: 1 << 20, memory: 1 << 24, budget: Budget::unlimited() };
    let path = Path::of(&program, program.find_function("main").unwrap(), violation, &limits).unwrap();
    assert_eq!(path.steps.len() as u64, violation.run.steps, "{text}");
    let slice = slice::slice(&path);
    let steps = path.steps.iter().enumerate().filter(|(i, _)| slice.has_step(*i));
    let lines: BTreeSet<u32> = steps.map(|(_, step)| path.pos(step).line).filter(|line| *line > 0).collect();
    assert_eq!(lines.into_iter().collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn slices() {
    // What nobody uses, and the branches around it, do not matter.
    check_slice(
        "int main(void) {\nint x = __VERIFIER_nondet_int();\nint y = 0;\nif (x > 2)\ny = 1;\n__VERIFIER_assert(x != 7);\nreturn y; }",
        &[7],
        &[3, 7],
    );
    // A branch that lets the failure happen does.
    check_slice(
        "int main(void) {\nint x = __VERIFIER_nondet_int();\nif (x > 2)\n__VERIFIER_assert(x != 7);\nreturn 0; }",
        &[7],
        &[3, 4, 5],
    );
    // Loops that only take time do not; those that count do.
    check_slice(
        "int main(void) {\nint s = 0, t = 0;\nfor (int i = 0; i < 3; i++)\nt += i;\nfor (int j = 0; j < 3; j++)\ns += 2;\n\
         __VERIFIER_assert(s != 6);\nreturn t; }",
        &[],
        &[3, 6, 7, 8],
    );
    // Through calls, results, parameters and globals; the parameter that is not used has no reason.
    check_slice(
        "int g;\nstatic int id(int a, int b) {\nreturn a; }\nstatic void set(int v) {\ng = v; }\nint main(void) {\n\
         int k = 5;\nint x = 7;\nint y = id(x, k);\nset(y);\n__VERIFIER_assert(g != 7);\nreturn 0; }",
        &[],
        &[4, 6, 9, 10, 11, 12],
    );
    // Through memory: the element that is read, not the others.
    check_slice(
        "int a[4], b[4];\nint main(void) {\nint i = __VERIFIER_nondet_int();\na[1] = 3;\na[i] = 9;\n\
         __builtin_memcpy(b, a, sizeof a);\n__VERIFIER_assert(b[2] != 9);\nreturn 0; }",
        &[2],
        &[4, 6, 7, 8],
    );
    // Recursion has variables of its own each time.
    check_slice(
        "static int sum(int n) {\nif (n == 0)\nreturn 0;\nint rest = sum(n - 1);\nreturn rest + n; }\nint main(void) {\n\
         int z = sum(9);\nint s = sum(3);\n__VERIFIER_assert(s != 6);\nreturn z; }",
        &[],
        &[3, 4, 5, 6, 9, 10],
    );
}

/// A run of the program on zeros, and what of it could be a check: operations that set no variable.
fn replaceable(program: &Program, entry: FuncId) -> Vec<TraceStep> {
    let options =
        Options { max_steps: 5_000, max_memory: 1 << 22, record_trace: true, ..Options::new(entry) };
    let Ok(mut interp) = Interp::new(program, options) else { return Vec::new() };
    let trace = interp.run(&mut ZeroInputs, &Budget::unlimited()).trace;
    let plain = |step: &TraceStep| {
        let op = program.function(step.function).cfa().map(|cfa| &cfa.edge(step.edge).op);
        matches!(op, Some(Op::Skip | Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. } | Op::Check { .. }))
    };
    trace.into_iter().filter(plain).collect()
}

/// The program with a check that fails at this step.
fn failing_at(program: &Program, step: TraceStep) -> Program {
    let mut program = program.clone();
    if let ir::Body::Defined(cfa) = &mut program.function_mut(step.function).body {
        let (kind, cond) = (CheckKind::Assertion, ir::Expr::bool(false));
        *cfa.edge_mut(step.edge) = Op::Check { kind, cond, message: None };
    }
    program
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Whatever a program does on the way to a failed check, its records are understood to the last value.
    #[test]
    fn paths_of_random_programs(choices in prop::collection::vec(any::<u32>(), 0..400)) {
        let program = ir::testing::program_from(&choices);
        let limits = confirm::Limits { steps: 20_000, memory: 1 << 24, budget: Budget::unlimited() };
        let claim = Counterexample { heap: Vec::new(), inputs: InputVector::default() };
        for entry in program.function_ids() {
            let steps = replaceable(&program, entry);
            for step in [steps.last(), steps.get(steps.len() / 2)].into_iter().flatten() {
                let program = failing_at(&program, *step);
                let Ok(violation) = confirm::confirm(&program, entry, &claim, &limits) else { continue };
                let limits = confirm::Limits { memory: 1 << 28, ..limits.clone() };
                let path = Path::of(&program, entry, &violation, &limits);
                let path = path.ok_or_else(|| TestCaseError::fail("no path"))?;
                prop_assert_eq!(path.steps.len() as u64, violation.run.steps);
                let slice = slice::slice(&path);
                prop_assert!(slice.has_step(path.steps.len() - 1), "the check itself matters");
            }
        }
    }
}
