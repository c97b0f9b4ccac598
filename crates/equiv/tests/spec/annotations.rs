//! Annotations in sources. The samples are our own; each has a form that programs in the wild have.

use equiv::spec::{Condition, ConditionKind, InputEquality, Spec, SpecError};

fn read(texts: &[&str]) -> Result<Spec, SpecError> {
    let names = ["old.c", "new.c", "more.c"];
    Spec::from_sources(names.into_iter().zip(texts.iter().copied()))
}

fn shown(list: &[Condition]) -> Vec<String> {
    let show = |c: &Condition| match &c.kind {
        ConditionKind::Smt(smt) => smt.term.to_string(),
        ConditionKind::C(_) => panic!("not from a source"),
    };
    list.iter().map(show).collect()
}

/// The preconditions of a source, after a colon whether the equality of the inputs stays; then the
/// postconditions.
fn check(text: &str, pre: &[&str], equality: InputEquality, post: Option<&[&str]>) {
    let spec = read(&[text]).unwrap_or_else(|e| panic!("{text}\n{e}"));
    assert_eq!(shown(&spec.pre), pre, "{text}");
    assert_eq!(spec.input_equality, equality, "{text}");
    assert_eq!(
        spec.post.as_deref().map(shown),
        post.map(|p| p.iter().map(|s| s.to_string()).collect()),
        "{text}"
    );
}

fn check_pre(text: &str, expected: &str) {
    check(
        &format!("/*@ pre {text} @*/ int f(int x) {{ return x; }}"),
        &[expected],
        InputEquality::Assumed,
        None,
    );
}

#[test]
fn forms() {
    use InputEquality::{Assumed, Replaced};
    check("int f;", &[], Assumed, None);
    check("/*@ pre (>= x$1 0) @*/", &["(>= x$1 0)"], Assumed, None);
    check("/*@ pre (> a$1 0) (< a$1 10) @*/", &["(> a$1 0)", "(< a$1 10)"], Assumed, None);
    check("/*@ pre (> a$1 0) @*/ /*@ pre (< b$1 0) @*/", &["(> a$1 0)", "(< b$1 0)"], Assumed, None);
    check("/*@ rel_in (= k$1 (+ k$2 1)) @*/", &["(= k$1 (+ k$2 1))"], Replaced, None);
    check(
        "/*@ rel_out (=> (= result$1 1) (= result$2 1)) @*/",
        &[],
        Assumed,
        Some(&["(=> (= result$1 1) (= result$2 1))"]),
    );
    // Both kinds together: what replaces the equality comes first.
    check("/*@ pre (> q$1 0) @*/ /*@ rel_in (= p$1 q$2) @*/", &["(= p$1 q$2)", "(> q$1 0)"], Replaced, None);
    // Over several lines, with comments, without the last @, and close to its keyword.
    check(
        "/*@ rel_in\n  (and ; both\n     (= x$1 x$2)\n; no more\n (> x$1 0))\n*/",
        &["(and (= x$1 x$2) (> x$1 0))"],
        Replaced,
        None,
    );
    check("/*@pre(> x$1 0)@*/", &["(> x$1 0)"], Assumed, None);
    // Not annotations: inside strings and other comments.
    check(
        "char *s = \"/*@ pre (\"; // /*@ pre ( @*/\n/* /*@ pre ( @*/ char c = '\"'; /*@ pre true @*/",
        &["true"],
        Assumed,
        None,
    );
}

#[test]
fn names() {
    check_pre("(bvsge n$1_0__1 (_ bv0 32))", "(bvsge n$1 (_ bv0 32))");
    check_pre("(= result_of$1 HEAPS$2)", "(= result_of$1 HEAPS$2)");
    check_pre("(= |x$1| 1)", "(= x$1 1)");
}

#[test]
fn terms() {
    check_pre("(distinct len$1 (- 1))", "(distinct len$1 (- 1))");
    check_pre("(- n$1)", "(- n$1)");
    check_pre("(bvule n$1 #x0000ffff)", "(bvule n$1 (_ bv65535 32))");
    check_pre("(= ((_ extract 7 0) n$1) #b00000001)", "(= ((_ extract 7 0) n$1) (_ bv1 8))");
    check_pre("(> (select HEAP$1 (+ p$1 12)) 2)", "(> (select HEAP$1 (+ p$1 12)) 2)");
    check_pre(
        "(let ((state (select HEAP$2 (+ p$2 (* 8 2)))) (x 3)) (or (= 2 state) (< state x)))",
        "(let ((state (select HEAP$2 (+ p$2 (* 8 2)))) (x 3)) (or (= 2 state) (< state x)))",
    );
    check_pre("(! (> x$1 0) :named positive)", "(> x$1 0)");
}

#[test]
fn equal_heaps_are_one_fact() {
    let equal = "(= HEAP$1 HEAP$2)";
    check_pre("(= HEAP$1 HEAP$2)", equal);
    check_pre("(= HEAP$2 HEAP$1)", equal);
    check_pre("(distinct HEAP$1 HEAP$2)", "(not (= HEAP$1 HEAP$2))");
    check_pre("(forall ((i Int)) (= (select HEAP$1 i) (select HEAP$2 i)))", equal);
    check_pre("(forall ((j (_ BitVec 32))) (= (select HEAP$2 j) (select HEAP$1 j)))", equal);
    check_pre(
        "(forall ((i Int)) (and (= (select HEAP$1 i) (select HEAP$2 i)) (>= (select HEAP$1 i) 0)))",
        "(and (= HEAP$1 HEAP$2) (forall ((i Int)) (>= (select HEAP$1 i) 0)))",
    );
    check_pre(
        "(and (= a$1 a$2) (forall ((i Int)) (= (select HEAP$1 i) (select HEAP$2 i))))",
        "(and (= a$1 a$2) (= HEAP$1 HEAP$2))",
    );
    // These say something else.
    for other in [
        "(forall ((i Int)) (= (select HEAP$1 i) (select HEAP$1 i)))",
        "(forall ((i Int)) (= (select HEAP$1 i) (select HEAP$2 (+ i 1))))",
        "(forall ((i Int)) (or (= (select HEAP$1 i) (select HEAP$2 i)) (< i 0)))",
        "(exists ((i Int)) (= (select HEAP$1 i) (select HEAP$2 i)))",
        "(forall ((i Int) (j Int)) (= (select HEAP$1 i) (select HEAP$2 j)))",
        "(forall ((i Int)) (=> (< i 9) (= (select HEAP$1 (+ p$1 i)) (select HEAP$2 (+ p$2 i)))))",
    ] {
        check_pre(other, other);
    }
}

#[test]
fn options() {
    let spec = read(&[
        "/*@ opt -fun f @*/ /*@ opt -couple-functions=g,h @*/ /*@ opt -heap @*/ /*@ addfuncond find (distinct res1 0) @*/",
        "/*@ opt -only-rec -fun f @*/ /*@ opt -assume-equivalent=a,b -heap @*/ /*@ opt -couple-functions=g,h @*/",
    ])
    .unwrap();
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(spec.function, Some(pair("f", "f")));
    assert_eq!(spec.couple, [pair("g", "h")]);
    assert_eq!(spec.assume_equivalent, [pair("a", "b")]);
    assert_eq!(spec.ignored_options, ["-heap", "-only-rec"]);
    assert_eq!(spec.functions.len(), 1);
    assert_eq!(spec.functions[0].function, "find");
    assert_eq!(shown(&[spec.functions[0].condition.clone()]), ["(distinct res1 0)"]);
    let different = read(&["/*@ opt -fun=f,g @*/"]).unwrap();
    assert_eq!(different.function, Some(pair("f", "g")));
}

#[test]
fn both_files_count() {
    let same =
        read(&["/*@ rel_in (= a$1 a$2) @*/", "/*@ rel_in (= a$1  a$2) @*/ /*@ rel_out true @*/"]).unwrap();
    assert_eq!(shown(&same.pre), ["(= a$1 a$2)"]);
    assert!(same.post.is_some());
    let foreign = read(&["/*@ requires x > 0; @*/ int x;"]).unwrap();
    assert_eq!(foreign.notes, ["old.c:1:4: the annotation 'requires' is not understood and ignored"]);
}

/// The whole message.
fn check_error(texts: &[&str], expected: &str) {
    let error = read(texts).map(|s| format!("{s:?}")).unwrap_err().to_string();
    assert_eq!(error, expected, "{texts:?}");
}

#[test]
fn errors() {
    check_error(
        &["\n  /*@ pre (> x 0) @*/"],
        "old.c:2:14: unknown name 'x'\n    /*@ pre (> x 0) @*/\n               ^\n  write x$1 for the old version's, x$2 for the new one's",
    );
    check_error(
        &["/*@ pre (> x$1 0 @*/"],
        "old.c:1:18: expected ')', not the end of the annotation\n  /*@ pre (> x$1 0 @*/\n                   ^\n  '(' was opened at old.c:1:9",
    );
    check_error(
        &["/*@ pre (bigger x$1 0) @*/"],
        "old.c:1:10: unknown operator 'bigger'\n  /*@ pre (bigger x$1 0) @*/\n           ^^^^^^",
    );
    check_error(
        &["/*@ pre (select HEAP$1) @*/"],
        "old.c:1:9: 'select' takes 2 arguments, not 1\n  /*@ pre (select HEAP$1) @*/\n          ^^^^^^^^^^^^^^^",
    );
    check_error(
        &["/*@ pre @*/"],
        "old.c:1:8: expected a condition\n  /*@ pre @*/\n         ^\n  write a term such as (= x$1 x$2)",
    );
    check_error(
        &["/*@ pre (= x$1 (_ bv16 4)) @*/"],
        "old.c:1:17: 16 is not a number of 4 bits (1 to 128 bits are supported)\n  /*@ pre (= x$1 (_ bv16 4)) @*/\n                  ^^^^^^^^^",
    );
    check_error(
        &["/*@ rel_in (= a$1 a$2) @*/", "int x;\n/*@ rel_in (= a$1 b$2) @*/"],
        "new.c:2:12: a second, different 'rel_in'\n  /*@ rel_in (= a$1 b$2) @*/\n             ^^^^^^^^^^^\n  the first one is at old.c:1:12",
    );
    check_error(
        &["/*@ opt -fun f @*/ /*@ opt -fun g @*/"],
        "old.c:1:23: the functions to compare are g and g here, f and f elsewhere\n  /*@ opt -fun f @*/ /*@ opt -fun g @*/\n                        ^^^^^^^^^^^^",
    );
    check_error(
        &["/*@ opt -fun @*/"],
        "old.c:1:9: the option '-fun' needs the name of a function\n  /*@ opt -fun @*/\n          ^^^^",
    );
    let deep = format!("/*@ pre {}true{} @*/", "(not ".repeat(100_000), ")".repeat(100_000));
    assert!(read(&[&deep]).unwrap_err().message.contains("nests more than"));
}
