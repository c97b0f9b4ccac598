//! Certificates as files: what is written is read, what was edited is refused with the clause that fails.

use crate::support::{At, PRELUDE, budget, compile, proof, text};
use certify::Flaw;
use certify::claim::{Front, Safety, Source};
use certify::file::{Kind, kind};
use certify::program::{Nothing, Refused, check_text, to_text};
use encode::IntMode;
use engine::{Argument, Assumption, Proof, Undefined};

const PROGRAM: &str = "int a[3];
int get(int *p) { return *p; }
int main(void) {
    int i = 0;
    while (i < 3) i++;
    int r = get(&a[i - 1]);
    if (r != 0) reach_error();
    return 0;
}";

fn asked(source: &str) -> Safety {
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
    Safety {
        sources: vec![Source { file: "test.c".to_owned(), blake3: certify::hash(source.as_bytes()) }],
        front: Front {
            target: "lp64".to_owned(),
            macros: Vec::new(),
            flags: Vec::new(),
            checks: names(&["assertion", "error_call"]),
            error_functions: names(&["reach_error"]),
            unknown_functions: "pure".to_owned(),
            malloc_may_fail: false,
        },
        entry: "main".to_owned(),
    }
}

fn source() -> String {
    PRELUDE.to_owned() + PROGRAM
}

fn read(text: &str, source: &str) -> Result<certify::program::Checked, Refused> {
    let program = compile(source.strip_prefix(PRELUDE).unwrap());
    check_text(text, &asked(source), &program, &budget(), &mut Nothing)
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
    to_text(&asked(&source()), &program, &proof(&program, IntMode::Wrap, true, &list)).unwrap()
}

#[test]
fn written_and_read() {
    let text = contracts();
    assert_eq!(kind(&text), Ok(Kind::Program), "{text}");
    let checked = read(&text, &source()).unwrap_or_else(|refused| panic!("{refused}\n{text}"));
    assert!(checked.claims[0].contains("no check fails in any execution from main"), "{checked:?}");
    assert!(checked.assumptions.contains(&Assumption::Undefined(Undefined::Memory)));
    let unwinding = Proof { slice: None, argument: Argument::Unwinding { bound: 3 } };
    let text = to_text(&asked(&source()), &compile(PROGRAM), &unwinding).unwrap();
    read(&text, &source()).unwrap_or_else(|refused| panic!("{refused}\n{text}"));
}

#[test]
fn edited() {
    let system = contracts();
    let check = |from: &str, to: &str, source: &str, expected: &str| {
        assert!(system.contains(from), "{from} is not in\n{system}");
        let refused = read(&system.replacen(from, to, 1), source).unwrap_err();
        assert!(refused.to_string().contains(expected), "{from} -> {to}: {refused}");
    };
    let same = source();
    // The proof.
    check("(<= |main::i| 3)", "(<= |main::i| 4)", &same, "need not hold on the path there: main::i == 3");
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
    check("\"functions\": null", "\"functions\": maybe", &same, "not a certificate that can be checked");
    check("\"functions\": null", "\"functions\": [\"get\"]", &same, "unknown symbol");
    check("\"functions\": null", "\"functions\": [\"nobody\"]", &same, "there is no function nobody");
    check("\"wrapping\"", "\"unbounded\"", &same, "its integers are not those of C");
    check("\"wrapping\"", "\"roman\"", &same, "unknown variant");
    check("\"version\": 7", "\"version\": 1", &same, "it has format 1, of an older version");
    check("\"version\": 7", "\"version\": 8", &same, "it has format 8, of a newer version");
    check("\"kind\": \"program\"", "\"kind\": \"cake\"", &same, "it is of kind \"cake\"");
    check(
        "\"kind\": \"program\"",
        "\"kind\": \"comparison\"",
        &same,
        "not a certificate that can be checked",
    );
    // The claim: whatever it says, it is not what is checked.
    let entry = "its entry is \"get\", asked is \"main\"";
    check("\"entry\": \"main\"", "\"entry\": \"get\"", &same, entry);
    check("\"target\": \"lp64\"", "\"target\": \"ilp32\"", &same, "its front.target is \"ilp32\"");
    check("\"macros\": []", "\"macros\": [\"-DX\"]", &same, "its front.macros is [\"-DX\"], asked is []");
    check(
        "\"flags\": []",
        "\"flags\": [\"-std=c99\"]",
        &same,
        "its front.flags is [\"-std=c99\"], asked is []",
    );
    check("\"assertion\",", "\"overflow\",", &same, "its front.checks is [\"overflow\",\"error_call\"]");
    check("\"reach_error\"", "\"reach_\\u001b[0m\"", &same, "[\"reach_\\u001b[0m\"]");
    check("\"macros\": []", "\"macros\": [], \"cc\": \"touch x\"", &same, "unknown field `cc`");
    check("\"macros\": []", "\"macros\": [], \"macros\": []", &same, "duplicate field `macros`");
    // The sources.
    let other = same.replace("i < 3", "i < 2");
    check("main", "main", &other, "test.c is not the file that it was made for");
    let (was, is) = (certify::hash(same.as_bytes()), certify::hash(other.as_bytes()));
    check(&was, &is, &other, "the invariant of line 11 need not hold on the path there");
}

#[test]
fn garbage() {
    for text in ["", "{", "[]", "null", "{\"kind\": \"program\"}", "{\"kind\": 5}", "\u{0}", "certificate"] {
        let refused = read(text, &source()).unwrap_err();
        assert!(matches!(refused.flaw, Flaw::Malformed(_)), "{text}: {refused}");
    }
    let deep = "[".repeat(100_000);
    let deep = [deep.clone(), format!("{{\"kind\": {deep}"), format!("{{\"version\": 2, \"claim\": {deep}")];
    for text in deep {
        assert!(matches!(kind(&text), Err(Flaw::Malformed(_))));
    }
}
