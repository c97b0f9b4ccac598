//! Violations of earlier versions: they are run again before anybody is asked, and count only if they happen
//! again.

use base::Budget;
use driver::{Outcome, Request, Strategy, Verdict, verify_among};
use engine::{
    Answer, Bounds, Counterexample, Engine, InputVector, Quiet, Reuse, Settings, Site, Subject, Task, Unwind,
};
use engine::{UnknownReason, Verdict as Claim};
use ir::{EdgeId, GlobalId, Op, Program};
use std::cell::Cell;
use store::{Options, Store};

/// Claims that the first version fails with these inputs and these bytes in its first global, and knows
/// nothing of others.
struct Once {
    inputs: Vec<u128>,
    bytes: Vec<(u64, u8)>,
    asked: Cell<u32>,
}

impl Engine for Once {
    fn name(&self) -> &'static str {
        "once"
    }

    fn verify(&self, task: &Task) -> Answer {
        self.asked.set(self.asked.get() + 1);
        let verdict = match self.asked.get() {
            1 => Claim::Unsafe(Box::new(claim(task.subject.program, &self.inputs, &self.bytes))),
            _ => Claim::Unknown(UnknownReason::Memory),
        };
        verdict.into()
    }
}

fn claim(program: &Program, inputs: &[u128], bytes: &[(u64, u8)]) -> Counterexample {
    let mut vector = InputVector::default();
    vector.globals.extend(bytes.iter().map(|(offset, byte)| ((GlobalId(0), *offset), *byte)));
    for id in program.function_ids() {
        let edges = program.function(id).cfa().map(|cfa| cfa.edges()).unwrap_or_default();
        for (edge, i) in edges.iter().zip(0..) {
            if matches!(edge.op, Op::Havoc { .. }) {
                inputs.iter().for_each(|v| vector.answer(Site::Edge(id, EdgeId(i)), *v));
            }
        }
    }
    Counterexample { heap: Vec::new(), inputs: vector }
}

fn compile(text: &str) -> Program {
    let text = format!("extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void);\n{text}");
    testing::program(&text)
}

fn ask(
    engine: &Once,
    program: &Program,
    base: Option<&Program>,
    settings: &Settings,
    store: &Store,
) -> Outcome {
    let base = base.and_then(|base| Subject::named(base, "main"));
    let request = Request {
        subject: &Subject::new(program, program.find_function("main").unwrap()),
        base: base.as_ref(),
        label: "t",
        settings,
        store: Some(store),
        budget: &Budget::unlimited(),
        limits: None,
        progress: &Quiet,
    };
    verify_among(
        &[engine],
        &request,
        &Strategy { engines: driver::Engines::Only("once"), certificate: false },
    )
}

const FIRST: &str = "int f(int x) { return x + 1; }\n\
    int main(void) { int x = __VERIFIER_nondet_int(); if (f(x) == 8) __VERIFIER_error(); return 0; }";

#[test]
fn of_earlier_versions() {
    let check = |second: &str, settings: &Settings, with_base: bool, fails: bool| {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Options::default()).unwrap();
        let engine = Once { inputs: vec![7], bytes: Vec::new(), asked: Cell::new(0) };
        let (old, new) = (compile(FIRST), compile(second));
        let first = ask(&engine, &old, None, &Settings::default(), &store);
        assert!(matches!(first.verdict, Verdict::Unsafe(_)));
        let found = ask(&engine, &new, with_base.then_some(&old), settings, &store);
        match &found.verdict {
            Verdict::Unsafe(violation) => {
                assert!(fails, "{second}");
                assert!(violation.run.steps > 0);
                assert_eq!(found.engine, "once");
                assert_eq!(found.decisions.len(), 1, "{:?}", found.decisions);
                assert_eq!(engine.asked.get(), 1, "nobody else is asked");
                // It is there for the one after it, too.
                let third = ask(&engine, &new, Some(&new), settings, &store);
                assert!(matches!(third.verdict, Verdict::Unsafe(_)));
            }
            _ => assert!(!fails && engine.asked.get() == 2, "{second}"),
        }
    };
    let all = Settings::default();
    let main =
        "int main(void) { int x = __VERIFIER_nondet_int(); if (f(x) == 8) __VERIFIER_error(); return 0; }";
    for with_base in [false, true] {
        check(FIRST, &all, with_base, true);
        // Something else changed, before the place that asks and after it.
        check(&format!("int g; int f(int x) {{ g = x; return g + 1; }} {main}"), &all, with_base, true);
        check(
            "int f(int x) { return x + 1; } int main(void) { int y = 3, x = __VERIFIER_nondet_int(); \
             while (y) y--; if (f(x) == 8 && y == 0) __VERIFIER_error(); return y; }",
            &all,
            with_base,
            true,
        );
        // It asks once more before; the bug is gone; it never ends.
        check(
            "int f(int x) { return x + 1; } int main(void) { int y = __VERIFIER_nondet_int(), \
             x = __VERIFIER_nondet_int(); if (f(x) == 8) __VERIFIER_error(); return y; }",
            &all,
            with_base,
            false,
        );
        check(&format!("int f(int x) {{ return x | 16; }} {main}"), &all, with_base, false);
        check(&format!("int f(int x) {{ while (1) x++; return x; }} {main}"), &all, with_base, false);
    }
    let runs = Reuse { runs: true, ..Reuse::NONE };
    check(FIRST, &Settings { reuse: runs, ..Settings::default() }, false, true);
    check(
        FIRST,
        &Settings { reuse: Reuse { runs: false, ..Reuse::ALL }, ..Settings::default() },
        false,
        false,
    );
    check(FIRST, &Settings { audit: true, ..Settings::default() }, false, false);
    // What is asked about bounds is answered about bounds.
    let bounded = Settings::unwinding(Unwind::Fixed(Bounds::new(3)));
    check(FIRST, &bounded, false, false);
}

#[test]
fn that_have_to_be_adapted() {
    let check = |first: &str, second: &str, inputs: &[u128], bytes: &[(u64, u8)], fails: bool| {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), Options::default()).unwrap();
        let engine = Once { inputs: inputs.to_vec(), bytes: bytes.to_vec(), asked: Cell::new(0) };
        let (old, new) = (compile(first), compile(second));
        let settings = Settings::default();
        let found = ask(&engine, &old, None, &settings, &store);
        assert!(matches!(found.verdict, Verdict::Unsafe(_)), "{first}");
        let found = ask(&engine, &new, None, &settings, &store);
        assert_eq!(matches!(found.verdict, Verdict::Unsafe(_)), fails, "{second}");
        // As it is kept, it fails by itself.
        if fails {
            let found = ask(&engine, &new, None, &settings, &store);
            assert!(matches!(found.verdict, Verdict::Unsafe(_)), "{second}");
            assert_eq!(engine.asked.get(), 1, "{second}");
        }
    };
    let fields = |fields: &str, wanted: u32| {
        format!(
            "struct s {{ {fields} }}; extern struct s g;\n\
             int main(void) {{ if (g.a == 5 && g.b == {wanted}) __VERIFIER_error(); return 0; }}"
        )
    };
    let old = fields("int a; int b;", 7);
    let bytes = [(0, 5), (4, 7)];
    check(&old, &fields("int b; int a;", 7), &[], &bytes, true);
    check(&old, &fields("int b; long c; struct { char d[3]; int a; };", 7), &[], &bytes, true);
    check(&old, &fields("int b; int a;", 8), &[], &bytes, false);

    let harness = |cases: &str| {
        format!(
            "int bad(void) {{ __VERIFIER_error(); return 0; }} int good(void) {{ return 1; }}\n\
             int main(void) {{ switch (__VERIFIER_nondet_int()) {{ {cases} default: return 0; }} }}"
        )
    };
    let old = harness("case 0: return good(); case 3: return bad();");
    let new = harness("case 0: return good(); case 1: case 3: return good(); case -4: return bad();");
    check(&old, &new, &[3], &[], true);
    check(&old, &harness("case 0: return good(); case 3: return good();"), &[3], &[], false);
}
