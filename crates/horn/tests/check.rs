//! What is wrong is not believed.

mod common;

use common::{seconds, system};
use horn::{Answer, Derivation, Flaw, Solution, bounded, check_derivation, check_solution};
use logic::parse::{Scope, parse_term};
use logic::{Sort, Term};

/// The verdict on formulas for the predicates of a system, over parameters `a`, `b`, ...
fn check(name: &str, formulas: &[&str], expected: &str) {
    let mut system = system(name);
    let mut parsed = Vec::new();
    for (pred, text) in system.preds.iter_mut().zip(formulas) {
        let mut scope = Scope::new();
        // One name too many: a formula must not speak about it.
        scope.declare("z", &[], Sort::Int);
        for (param, letter) in pred.params.iter_mut().zip("abcdefgh".chars()) {
            *param = Term::var(&letter.to_string(), param.sort());
            scope.declare(&letter.to_string(), &[], param.sort());
        }
        parsed.push(parse_term(text, &scope).unwrap_or_else(|e| panic!("{text}: {e}")));
    }
    let verdict = match check_solution(&system, &Solution { formulas: parsed }, &seconds(20)) {
        Ok(()) => "believed".to_owned(),
        Err(failure) => match failure.why {
            Flaw::Wrong(values) => {
                assert!(!values.is_empty());
                format!("clause {}", failure.clause.unwrap())
            }
            Flaw::Unknown(reason) => reason,
            Flaw::Malformed(reason) => reason,
        },
    };
    assert_eq!(verdict, expected, "{name}: {formulas:?}");
}

#[test]
fn solutions() {
    check("counting", &["(<= a b)"], "believed");
    check("counting", &["(and (<= a b) (>= a 0))"], "believed");
    check("counting", &["true"], "clause 2");
    check("counting", &["(= a b)"], "clause 0");
    check("counting", &["(and (<= a b) (< a 7))"], "clause 1");
    check("counting", &["false"], "clause 0");
    check("counting", &["(<= a z)"], "z in the formula of inv is no parameter");
    check("counting", &[], "0 formulas for 1 predicates");
    check("mccarthy", &["(and (=> (<= a 101) (= b 91)) (=> (> a 100) (= b (- a 10))))"], "believed");
    check("mccarthy", &["(=> (<= a 101) (= b 91))"], "clause 1");
    check("bits", &["(= a b)"], "believed");
    check("bits", &["(bvule b a)"], "clause 1");
    check("array-copy", &["(and (= a c) (= b d))"], "believed");
    check("array-copy", &["(= a c)"], "clause 1");
    check("triangular", &["(=> (= a c) (= (+ b d) e))", "true", "true"], "believed");
    check("functions", &["(= a b)"], "believed");
}

fn derivation(name: &str) -> (horn::System, Derivation) {
    let system = system(name);
    match bounded(&system, 30, &seconds(20)) {
        Answer::Refuted(derivation) => (system, derivation),
        answer => panic!("{name}: {answer:?}"),
    }
}

/// Every change of a derivation is noticed: of a value that matters, of a clause, of the shape.
#[test]
fn derivations() {
    for name in ["counting-wrong", "mccarthy-wrong", "bits-wrong", "triangular-wrong", "functions-wrong"] {
        let (system, derivation) = derivation(name);
        assert_eq!(check_derivation(&system, &derivation), Ok(()), "{name}");
        let check = |change: &dyn Fn(&mut Derivation)| {
            let mut changed = derivation.clone();
            change(&mut changed);
            assert!(check_derivation(&system, &changed).is_err(), "{name}: {changed:?}");
        };
        check(&|d| d.clause = 0);
        check(&|d| d.clause = 99);
        check(&|d| d.children.clear());
        check(&|d| d.children.push(derivation.children[0].clone()));
        check(&|d| d.children[0] = derivation.clone());
        check(&|d| *d = derivation.children[0].clone());
        check(&|d| d.children[0].values.clear());
        check(&|d| d.values[0].1 = Term::var("x", d.values[0].0.sort()));
        check(&|d| {
            let (var, value) = d.children[0].values[0];
            d.children[0].values.push((var, value.add(Term::number(value.sort(), 1))));
        });
        check(&|d| d.values[0].1 = Term::bool(true));
    }
}

/// A function has one meaning in the whole tree.
#[test]
fn functions_agree() {
    let (system, mut derivation) = derivation("functions-wrong");
    let function = |d: &Derivation| d.values.iter().position(|(t, _)| !t.is_var());
    let mut node = &mut derivation;
    while function(node).is_none() {
        node = &mut node.children[0];
    }
    let place = function(node).unwrap();
    let (term, value) = node.values[place];
    node.values.push((term, value.add(Term::int(1))));
    let error = check_derivation(&system, &derivation).unwrap_err();
    assert!(error.contains("is both"), "{error}");
}
