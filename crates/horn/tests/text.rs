//! Systems as text: what is written is read back, and no text makes the reader panic.

mod common;

use common::{all, normal};
use horn::{from_smtlib, to_smtlib};
use proptest::prelude::*;

#[test]
fn text_is_read_back() {
    for (name, text) in all() {
        let system = from_smtlib(&text).unwrap_or_else(|e| panic!("{name}:{e}"));
        assert_eq!(system.check_form(), Ok(()), "{name}");
        let written = to_smtlib(&system);
        let again = from_smtlib(&written).unwrap_or_else(|e| panic!("{name}:{e}\n{written}"));
        assert_eq!(normal(&system), normal(&again), "{name}\n{written}");
        assert_eq!(to_smtlib(&again), to_smtlib(&from_smtlib(&to_smtlib(&again)).unwrap()), "{name}");
    }
}

/// The clauses of a text, each as it is printed.
fn check(text: &str, expected: &[&str]) {
    let text = format!("(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(declare-fun r () Bool){text}");
    let found = match from_smtlib(&text) {
        Ok(system) => to_smtlib(&system)
            .lines()
            .filter_map(|l| Some(l.strip_prefix("(assert ")?.strip_suffix(')')?.to_owned()))
            .collect(),
        Err(error) => vec![format!("error: {}", error.message)],
    };
    assert_eq!(found, expected, "{text}");
}

#[test]
fn formulas_are_taken_apart() {
    check(
        "(assert (forall ((x Int)) (=> (p x) (=> (q x) (p (+ x 1))))))",
        &["(forall ((x Int)) (=> (and (p x) (q x)) (p (+ 1 x))))"],
    );
    check("(assert (forall ((x Int)) (p x)))", &["(forall ((x Int)) (=> true (p x)))"]);
    check(
        "(assert (not (exists ((x Int)) (and (p x) (> x 0)))))",
        &["(forall ((x Int)) (=> (and (p x) (<= 1 x)) false))"],
    );
    check(
        "(assert (forall ((x Int)) (and (p x) (=> (p x) (q x)))))",
        &["(forall ((x Int)) (=> true (p x)))", "(forall ((x Int)) (=> (p x) (q x)))"],
    );
    check(
        "(assert (forall ((x Int)) (=> (or (p x) (and (q x) r)) false)))",
        &["(forall ((x Int)) (=> (p x) false))", "(forall ((x Int)) (=> (and (q x) r) false))"],
    );
    check(
        "(assert (forall ((x Int)) (=> (p x) (ite (= x 0) (q 1) (q 2)))))",
        &[
            "(forall ((x Int)) (=> (and (p x) (= x 0)) (q 1)))",
            "(forall ((x Int)) (=> (and (p x) (not (= x 0))) (q 2)))",
        ],
    );
    check(
        "(assert (forall ((x Int)) (= (p x) (q x))))",
        &["(forall ((x Int)) (=> (p x) (q x)))", "(forall ((x Int)) (=> (q x) (p x)))"],
    );
    check("(assert r) (assert (=> r false))", &["(=> true r)", "(=> r false)"]);
    // A bound variable hides the predicate r, and an inner variable an outer one.
    check(
        "(assert (forall ((r Bool)) (=> r (q 1))))",
        &["(forall ((r! Bool)) (=> r! (q 1)))".replace("r!", "|r'|").as_str()],
    );
    check(
        "(assert (forall ((x Int)) (=> (p x) (forall ((x Int)) (q x)))))",
        &["(forall ((x Int) (x! Int)) (=> (p x) (q x!)))".replace("x!", "|x'|").as_str()],
    );
    check(
        "(declare-var x Int)(rule (=> (p x) (forall ((x Int)) (q x))))",
        &["(forall ((x Int) (x! Int)) (=> (p x) (q x!)))".replace("x!", "|x'|").as_str()],
    );
    check("(query p)", &["(forall ((p.0 Int)) (=> (p p.0) false))"]);
    check("(assert false)", &["(=> true false)"]);
    check("(assert true)", &[]);
}

#[test]
fn what_is_not_horn_is_an_error() {
    check("(assert (forall ((x Int)) (or (p x) (q x))))", &["error: not a Horn clause: two heads"]);
    check(
        "(assert (forall ((x Int)) (=> (forall ((y Int)) (p y)) (q x))))",
        &["error: not a Horn clause: a quantifier over a predicate"],
    );
    check("(assert (forall ((x Int)) (q (ite (p x) 1 2))))", &["error: a predicate occurs inside a term"]);
    check(
        "(assert (forall ((x Int)) (=> (= x (ite (p x) 1 2)) (q 1))))",
        &["error: a predicate occurs inside a term"],
    );
    check("(declare-fun p (Int) Bool)", &["error: 'p' is declared twice"]);
    check("(declare-const c Int)", &["error: constants are not supported: bind the variable"]);
    check("(assert 1)", &["error: expected a formula"]);
    check("(push 1)", &["error: 'push' is not supported here"]);
}

/// Names that mean something else in SMT-LIB, and variables that differ in their sorts only.
#[test]
fn names_are_kept_apart() {
    use horn::{Atom, Clause, System};
    use logic::{Sort, Term};
    let mut system = System::default();
    let int = |name: &str| Term::var(name, Sort::Int);
    let p = system.add_pred("select", vec![int("a"), Term::var("a", Sort::Bv(8))]);
    let q = system.add_pred("x", vec![int("a")]);
    let flag = Term::apply("f", [int("x")], Sort::Bool);
    let other = Term::apply("f", [int("x")], Sort::Int);
    let clause = Clause {
        body: vec![Atom { pred: p, args: vec![int("x"), Term::var("x", Sort::Bv(8))] }],
        constraint: Term::all([flag, int("let").equals(int("a|b")), other.int_le(int("and"))]),
        head: Some(Atom { pred: q, args: vec![int("x")] }),
        label: "two\nlines".into(),
    };
    system.clauses.push(clause);
    let text = to_smtlib(&system);
    let again = from_smtlib(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(again.clauses[0].vars().len(), system.clauses[0].vars().len(), "{text}");
    assert_eq!(again.preds.len(), 2, "{text}");
    assert_eq!(to_smtlib(&again), text.replace("; two\n; lines\n", "; line 8\n"), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 400 } else { 4000 }))]

    /// Pieces of texts, cut and put together anywhere.
    #[test]
    fn mutated_text_is_no_panic(
        pick in 0usize..1000, cuts in proptest::collection::vec((0usize..4000, 0usize..4000, 0usize..4000), 1..6)
    ) {
        let texts = all();
        let mut text: Vec<char> = texts[pick % texts.len()].1.chars().collect();
        for (from, length, to) in cuts {
            let from = from % text.len().max(1);
            let piece: Vec<char> = text.iter().skip(from).take(length % 40 + 1).copied().collect();
            let to = to % text.len().max(1);
            match length % 3 {
                0 => drop(text.splice(to..to, piece)),
                1 => drop(text.splice(to..(to + piece.len()).min(text.len()), piece)),
                _ => drop(text.drain(from..(from + length % 40).min(text.len()))),
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(system) = from_smtlib(&text) {
            prop_assert_eq!(system.check_form(), Ok(()));
            let written = to_smtlib(&system);
            let again = from_smtlib(&written);
            prop_assert!(again.is_ok(), "{:?}\n{}", again, written);
            prop_assert_eq!(normal(&system), normal(&again.unwrap()), "{}", written);
        }
    }
}
