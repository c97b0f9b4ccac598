//! Which changed functions are said to do what they did.

use driver::{Engines, Request, Strategy, verify_among};
use engine::{Answer, Engine, Quiet, Reuse, Settings, Subject, Task, UnknownReason, Verdict};
use ir::FuncId;
use std::sync::Mutex;
use store::{Options, Store};
use testing::program;

/// Keeps what it is told.
#[derive(Default)]
struct Listener {
    told: Mutex<Vec<FuncId>>,
}

impl Engine for Listener {
    fn name(&self) -> &'static str {
        "predicate"
    }

    fn verify(&self, task: &Task) -> Answer {
        *self.told.lock().unwrap() = task.equivalent.to_vec();
        Verdict::Unknown(UnknownReason::Memory).into()
    }
}

const CHOSEN: Reuse = Reuse { procedures: true, equivalent: true, ..Reuse::NONE };

fn told(old: &str, new: &str, reuse: Reuse) -> Vec<String> {
    cfront::with_stack(|| told_here(old, new, reuse)).unwrap()
}

fn told_here(old: &str, new: &str, reuse: Reuse) -> Vec<String> {
    let [old, new] = [old, new].map(|f| {
        let text = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);
            extern void __VERIFIER_assert(int);";
        let main = "int g(int x) { return f(x) + 1; }
            int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assert(g(n) > n); return 0; }";
        program(&format!("{text}\n{f}\n{main}"))
    });
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), Options::default()).unwrap();
    let engine = Listener::default();
    let settings = Settings { reuse, ..Settings::default() };
    let base = Subject::named(&old, "main");
    let request = Request {
        subject: &Subject::new(&new, new.find_function("main").unwrap()),
        base: base.as_ref(),
        label: "test",
        settings: &settings,
        store: Some(&store),
        budget: &base::Budget::unlimited(),
        limits: None,
        progress: &Quiet,
    };
    let how = Strategy { engines: Engines::Only("predicate"), ..Strategy::default() };
    verify_among(&[&engine], &request, &how);
    let told = engine.told.lock().unwrap();
    let mut names: Vec<String> = told.iter().map(|f| new.function(*f).name.to_string()).collect();
    names.sort();
    names
}

const LOOP: &str = "int f(int n) { int s = 0; int i = 0; while (i < n) { s = s + 1; i = i + 1; } return s; }";

#[test]
fn functions_that_do_what_they_did() {
    let check = |old: &str, new: &str, expected: &[&str]| {
        assert_eq!(told(old, new, CHOSEN), expected, "{old}\n{new}");
    };
    let all = ["f", "g", "main"];
    let counted =
        "int f(int m) { int total = 0; for (int k = 0; k < m; k++) { total = 1 + total; } return total; }";
    check(LOOP, counted, &all);
    check("int f(int x) { return x * 2; }", "int f(int y) { return y + y; }", &all);
    check("int f(int x) { if (x < 0) return 0; return x; }", "int f(int x) { return x >= 0 ? x : 0; }", &all);
    let below = |h: &str, f: &str| format!("int h(int x) {{ return {h}; }} int f(int x) {{ return {f}; }}");
    check(&below("x * 2", "h(x) - x"), &below("x + x", "h(x) - x"), &["f", "g", "h", "main"]);
    check(&below("x * 2", "h(x) - x"), &below("x + x", "- x + h(x)"), &["f", "g", "h", "main"]);
    // Loops that may go on forever, but only together.
    let odd = "int f(int n) { int s = 0; int i = 0; while (i < n) { s = s + 2; i = i + 2; } return s; }";
    check(odd, "int f(int m) { int t = 0; for (int k = 0; k < m; k += 2) { t = 2 + t; } return t; }", &all);
    // Nothing changed.
    check(LOOP, LOOP, &[]);
}

#[test]
fn others() {
    let check = |old: &str, new: &str| assert_eq!(told(old, new, CHOSEN), [""; 0], "{old}\n{new}");
    let plain = "int f(int x) { return x; }";
    check(plain, "int f(int x) { return x == 77777 ? 0 : x; }");
    check(LOOP, "int f(int n) { int s = 0; for (int i = 0; i <= n; i++) s = s + 1; return s; }");
    // Where one fails and the other does not.
    let fails = "int f(int x) { __VERIFIER_assert(x != 12345); return x; }";
    check(plain, fails);
    check(fails, plain);
    // Where the old one did not come to an end.
    check("int f(int x) { __VERIFIER_assume(x != 5); return x; }", plain);
    check("int f(int x) { while (x == 5) { } return x; }", plain);
    check("int f(int x) { for (int i = 0; i <= x; i++) { } return x; }", plain);
    check("int f(int x) { if (x == 5) return f(x); return x; }", plain);
    // What is called, or named, does something else.
    let below = |h: &str, f: &str| format!("int h(int x) {{ return {h}; }} int f(int x) {{ return {f}; }}");
    check(&below("x * 2", "h(x) - x"), &below("x * 3", "- x + h(x)"));
    let constant = |c: i32| format!("const int c = {c}; int f(int x) {{ return x + c; }}");
    check(&constant(1), &constant(2));
    check("int f(int x) { return x; }", "int f(long x) { return (int) x; }");
}

/// Where nobody knows that it pays, nobody is asked.
#[test]
fn only_where_it_pays() {
    assert!(told("int f(int x) { return x * 2; }", "int f(int y) { return y + y; }", Reuse::ALL).is_empty());
    let without = Reuse { equivalent: false, ..Reuse::ALL };
    assert!(told("int f(int x) { return x * 2; }", "int f(int y) { return y + y; }", without).is_empty());
}
