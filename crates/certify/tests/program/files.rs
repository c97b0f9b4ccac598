//! Certificates as files: what is written is read, what was edited is refused with the clause that fails.

use crate::support::{At, PRELUDE, budget, compile, proof, text};
use certify::format::Source;
use certify::program::{Nothing, Refused, Subject, check_text, is_program, to_text};
use certify::{Flaw, Given};
use encode::IntMode;
use engine::{Argument, Proof};
use ir::CheckKind;
use std::collections::{BTreeMap, BTreeSet};

const PROGRAM: &str = "int a[3];
int get(int *p) { return *p; }
int main(void) {
    int i = 0;
    while (i < 3) i++;
    int r = get(&a[i - 1]);
    if (r != 0) reach_error();
    return 0;
}";

fn subject(checks: Option<BTreeSet<CheckKind>>) -> Subject {
    let source = Source { file: "test.c".to_owned(), blake3: certify::hash(source().as_bytes()) };
    Subject {
        sources: vec![source],
        front: certify::front(&cfront::Options::default()),
        checks,
        entry: "main".to_owned(),
    }
}

fn source() -> String {
    PRELUDE.to_owned() + PROGRAM
}

fn read(text: &str, source: &str) -> Result<certify::program::Checked, Refused> {
    let given = Given(BTreeMap::from([("test.c".to_owned(), source.to_owned())]));
    check_text(text, &given, &budget(), &mut Nothing)
}

fn contracts() -> String {
    let program = compile(PROGRAM);
    let zero = "(= (select memory.a (+ &a 8)) 0)";
    let head = "(and (= (select memory.a (+ &a 8)) 0) (<= |main::i| 3))";
    let before = "(and (= (select memory.a (+ &a 8)) 0) (= |main::i| 3))";
    let entry = "(and (= memory.a old.memory.a) (= |get::p| |old.get::p|))";
    let list = [
        text("get", "true", "(= .result (select old.memory.a |old.get::p|))", &[(At::Entry, entry)]),
        text(
            "main",
            zero,
            "true",
            &[
                (At::Entry, zero),
                (At::Loop(0), head),
                (At::Before(0), before),
                (At::Behind(0), "(= |main::r| 0)"),
            ],
        ),
    ];
    to_text(&subject(None), &program, &proof(&program, IntMode::Wrap, true, &list))
}

#[test]
fn written_and_read() {
    let text = contracts();
    assert!(is_program(&text), "{text}");
    let checked = read(&text, &source()).unwrap_or_else(|refused| panic!("{refused}\n{text}"));
    assert!(checked.claims[0].contains("no check fails in any execution from main"), "{checked:?}");
    assert!(checked.assumptions.iter().any(|a| a.contains("memory is accessed only where it is valid")));
    let unwinding = Proof { slice: None, argument: Argument::Unwinding { bound: 3 } };
    // Somebody who asks for less gets less, and sees it.
    let kinds = BTreeSet::from([CheckKind::Overflow, CheckKind::Div]);
    let checked = read(&to_text(&subject(Some(kinds)), &compile(PROGRAM), &unwinding), &source()).unwrap();
    assert!(checked.claims[1].ends_with("of these kinds: overflow, div"), "{checked:?}");
}

#[test]
fn edited() {
    let whole = contracts();
    let check = |from: &str, to: &str, source: &str, expected: &str| {
        assert!(whole.contains(from), "{from} is not in\n{whole}");
        let refused = read(&whole.replacen(from, to, 1), source).unwrap_err();
        assert!(refused.to_string().contains(expected), "{from} -> {to}: {refused}");
    };
    let same = source();
    // The proof.
    check("(<= |main::i| 3)", "(<= |main::i| 4)", &same, "need not hold on the way there: main::i == 3");
    check("(<= |main::i| 3)", "(<= 1 |main::i|)", &same, "line 9: the invariant of line 10 need not hold");
    check(
        "(= .result (select old.memory.a |old.get::p|))",
        "true",
        &same,
        "the invariant of line 12 does not follow from what get ensures: main::r == 0",
    );
    check("\"name\": \"get\"", "\"name\": \"put\"", &same, "there is no function put");
    check("(<= |main::i| 3)", "(<= |main::j| 3)", &same, "unknown symbol 'main::j'");
    check("(<= |main::i| 3)", "(<= |main::i| 3", &same, "not a certificate that can be checked");
    check("\"endings\": true", "\"endings\": maybe", &same, "not a certificate that can be checked");
    check("\"wrapping\"", "\"unbounded\"", &same, "its integers are not those of C");
    check("\"wrapping\"", "\"roman\"", &same, "unknown variant");
    check("\"version\": 1", "\"version\": 2", &same, "it has format 2");
    check("\"semantics\": ", "\"semantics\": 9", &same, "it is for semantics");
    check("\"kind\": \"program\"", "\"kind\": \"cake\"", &same, "it is of kind \"cake\"");
    // From there, memory is divided otherwise.
    check("\"entry\": \"main\"", "\"entry\": \"get\"", &same, "unknown symbol 'memory.a'");
    check("\"entry\": \"main\"", "\"entry\": \"other\"", &same, "there is no function other");
    // The sources.
    let other = same.replace("i < 3", "i < 2");
    check("main", "main", &other, "test.c has changed since the certificate was made");
    let (was, is) = (certify::hash(same.as_bytes()), certify::hash(other.as_bytes()));
    check(&was, &is, &other, "the invariant of line 11 need not hold on the way there");
}

#[test]
fn garbage() {
    for text in ["", "{", "[]", "null", "{\"kind\": \"program\"}", "{\"kind\": 5}", "\u{0}", "certificate"] {
        let refused = read(text, &source()).unwrap_err();
        assert!(matches!(refused.flaw, Flaw::Malformed(_)), "{text}: {refused}");
    }
    for text in ["", "{", "[]", "{\"kind\": 5}", "{\"version\": 1}"] {
        assert!(!is_program(text), "{text}");
    }
}
