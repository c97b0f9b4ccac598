//! Which checks are proved together.

use slice::{Checks, Slicer};
use std::fmt::Write;

/// The names of the functions of each part.
fn parts(text: &str) -> Vec<Vec<String>> {
    let program = testing::compile(text, &[]).expect("compiles");
    let slicer = Slicer::new(&program, program.find_function("main").expect("main"));
    let name = |f: &ir::FuncId| program.function(*f).name.to_string();
    let names = |checks: &Checks| match checks {
        Checks::All => vec!["all".to_owned()],
        Checks::In(list) => list.iter().map(name).collect(),
    };
    slicer.parts().iter().map(|part| names(&part.checks)).collect()
}

fn check(text: &str, expected: &[&[&str]]) {
    assert_eq!(parts(text), expected, "{text}");
}

/// So many functions with a loop and a check each, and what else is in the program.
fn wide(count: usize, function: impl Fn(usize) -> String, rest: &str, end: &str) -> String {
    let mut text = rest.to_owned();
    (0..count).for_each(|i| text += &function(i));
    text += "int main(void) { unsigned t = 0;\n";
    (0..count).for_each(|i| writeln!(text, "t += f{i}(__VERIFIER_nondet_uint() % 9);").expect("a string"));
    text + end + "return (int)t; }"
}

fn own(i: usize) -> String {
    format!(
        "static unsigned f{i}(unsigned x) {{
            unsigned k = 0, s = 0;
            while (k < x) {{ s += 2; k++; }}
            if (s != 2 * x) __VERIFIER_error();
            return s + {i}; }}\n"
    )
}

#[test]
fn what_shares_nothing_is_apart() {
    check(&wide(3, own, "", ""), &[&["f0"], &["f1"], &["f2"]]);
    // A check that depends on all of them is a part of its own.
    let end = "if (t == 77777) __VERIFIER_error();\n";
    check(&wide(3, own, "", end), &[&["f0"], &["f1"], &["f2"], &["main"]]);
    check(&wide(1, own, "", ""), &[&["all"]]);
}

#[test]
fn what_shares_nearly_all_is_together() {
    let global = |i: usize| {
        format!(
            "static unsigned f{i}(unsigned x) {{
                for (unsigned k = 0; k < x; k++) g = g < 100 ? g + {i} : 0;
                if (g > 100) __VERIFIER_error();
                return g; }}\n"
        )
    };
    // The first ones depend on little; the rest on all before them.
    let found = parts(&wide(20, global, "unsigned g;\n", ""));
    assert!(found.len() <= 4 && found[found.len() - 1].len() >= 17, "{found:?}");
    let mut chain =
        "static unsigned f0(unsigned x) { if (x > 9) __VERIFIER_error(); return x; }\n".to_owned();
    for i in 1..40 {
        let below = i - 1;
        writeln!(
            chain,
            "static unsigned f{i}(unsigned x) {{ if (x > 9) x = 9; unsigned r = f{below}(x);
             if (r > 9) __VERIFIER_error(); return r; }}"
        )
        .expect("a string");
    }
    check(&(chain + "int main(void) { return (int)f39(__VERIFIER_nondet_uint()); }"), &[&["all"]]);
}

#[test]
fn what_is_needed_again_and_again_is_together() {
    let mut tree = String::new();
    for i in (0..63).rev() {
        let child = |k: usize| match 2 * i + k {
            child if child < 63 => format!("f{child}(x + {k})"),
            _ => "x % 100".to_owned(),
        };
        writeln!(
            tree,
            "static unsigned f{i}(unsigned x) {{ unsigned l = {}, r = {};
             if (l >= 100 || r >= 100) __VERIFIER_error(); return l > r ? l : r; }}",
            child(1),
            child(2)
        )
        .expect("a string");
    }
    check(&(tree + "int main(void) { return (int)f0(__VERIFIER_nondet_uint()); }"), &[&["all"]]);
    // A function that all of them call is needed in each part.
    let caller = |i: usize| {
        format!(
            "static unsigned f{i}(unsigned x) {{ unsigned r = g(x + {i});
                 if (r > 20) __VERIFIER_error(); return r / 2 + {i}; }}\n"
        )
    };
    let shared = "static unsigned g(unsigned x) { unsigned s = 0; while (x % 9) { x--; s++; } return s; }\n";
    assert_eq!(parts(&wide(9, caller, shared, "")).len(), 9);
}

#[test]
fn small_programs_are_whole() {
    let text = "int f(int x) { if (x == 3) __VERIFIER_error(); return x; }
                int g(int x) { if (x == 4) __VERIFIER_error(); return x; }
                int main(void) { f(__VERIFIER_nondet_int()); g(__VERIFIER_nondet_int()); }";
    check(text, &[&["all"]]);
    check("int main(void) { return 0; }", &[&["all"]]);
}
