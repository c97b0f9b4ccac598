//! Equivalence under conditions: on the command line, and in comments of the sources.

use crate::Expected::{Different, Equivalent};
use crate::{MACHINE, Question, UNBOUNDED, check_question};
use equiv::Integers;

const HALF: &str = "int f(int x) { return x / 2; }";
const SHIFT: &str = "int f(int x) { return x >> 1; }";

#[test]
fn preconditions() {
    let q = |pre| Question { pre, ..MACHINE };
    check_question(Equivalent, q(&["x >= 0"]), &[("", HALF, SHIFT)]);
    check_question(Equivalent, q(&["x % 2 == 0"]), &[("", HALF, SHIFT)]);
    check_question(Different, q(&["x >= -1"]), &[("", HALF, SHIFT)]);
    check_question(Different, q(&["x < 100"]), &[("", HALF, SHIFT)]);
    let (count, same) =
        ("int f(int n) { int i = 0; while (i < n) i++; return i; }", "int f(int n) { return n; }");
    check_question(Equivalent, q(&["n >= 0"]), &[("", count, same)]);
    check_question(Different, q(&["n >= -3"]), &[("", count, same)]);
}

#[test]
fn postconditions() {
    let (plain, more) = ("int f(int x) { return x; }", "int f(int x) { return x + 1; }");
    let q = |post, integers| Question { post, integers, pre: &[] };
    check_question(Equivalent, q(&["result$1 + 1 == result$2"], Integers::Machine), &[("", plain, more)]);
    check_question(Different, q(&["result$1 < result$2"], Integers::Machine), &[("", plain, more)]);
    check_question(Equivalent, q(&["result$1 < result$2"], Integers::Unbounded), &[("", plain, more)]);
    check_question(Different, q(&["result$1 == result$2"], Integers::Unbounded), &[("", plain, more)]);
    let sum = |from: u32| {
        format!("int f(int n) {{ int s = {from}; for (int i = 0; i < n; i++) s += 2; return s; }}")
    };
    check_question(
        Equivalent,
        q(&["result$1 + 5 == result$2"], Integers::Unbounded),
        &[("", &sum(0), &sum(5))],
    );
    check_question(
        Different,
        q(&["result$1 + 4 == result$2"], Integers::Unbounded),
        &[("", &sum(0), &sum(5))],
    );
}

#[test]
fn annotations() {
    let note = |text: &str, body: &str| format!("/*@ {text} @*/\n{body}");
    let body = ["int f(int x, int y) { return x - y; }", "int f(int y, int x) { return x - y; }"];
    let swapped = note("rel_in (and (= x$1 x$2) (= y$1 y$2))", body[0]);
    check_question(Equivalent, UNBOUNDED, &[("", &swapped, body[1])]);
    check_question(Different, UNBOUNDED, &[("", body[0], body[1])]);
    let negated = note("rel_out (= result$1 (- result$2))", body[0]);
    check_question(Equivalent, UNBOUNDED, &[("", &negated, body[1])]);
    let wrong = note("rel_out (= result$1 (+ result$2 1))", body[0]);
    check_question(Different, UNBOUNDED, &[("", &wrong, body[1])]);
}
