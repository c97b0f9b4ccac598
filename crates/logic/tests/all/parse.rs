//! The parser reads what the printer writes, explains what it cannot read, and never panics.

use crate::support::{Choices, sorts, var_name};
use logic::parse::{ParseError, Scope, parse_sexprs, parse_term};
use logic::{Op, Rounding, Sort, Term, Value, eval, free_vars, print};
use proptest::prelude::*;

fn scope() -> Scope {
    let mut scope = Scope::new();
    let script = "
        (declare-const x Int) (declare-const y Int) (declare-const |a b| Int)
        (declare-const p Bool) (declare-const q Bool)
        (declare-const u (_ BitVec 8)) (declare-const v (_ BitVec 8)) (declare-const w (_ BitVec 32))
        (declare-const f (_ FloatingPoint 8 24)) (declare-const g Float32)
        (declare-const a (Array Int Int))
        (declare-fun h (Int Bool) Int)
        (define-fun twice ((n Int)) Int (* 2 n))
        (define-fun above ((n Int)) Bool (< x n))
        (define-const seven Int 7)
        (define-sort Byte () (_ BitVec 8))
        (declare-const b Byte)";
    for command in parse_sexprs(script).unwrap().iter() {
        assert_eq!(scope.command(command), Ok(true));
    }
    scope
}

/// Checks what a text is read as, by its own text.
fn check(text: &str, printed: &str) {
    assert_eq!(parse_term(text, &scope()).map(|t| t.to_string()), Ok(printed.to_owned()), "{text}");
}

/// Checks that a text is refused, where, and why.
fn refused(text: &str, position: &str, reason: &str) {
    let error: ParseError = parse_term(text, &scope()).expect_err(text);
    let text = error.to_string();
    assert!(text.starts_with(&format!("{position}: ")) && text.contains(reason), "{text}");
}

/// Checks the value of a text without variables.
fn is(text: &str, value: &str) {
    let term = parse_term(text, &scope()).expect(text);
    assert_eq!(eval(term, &|_| None).map(|v| v.to_string()), Some(value.to_owned()), "{text}");
}

#[test]
fn terms() {
    check("(- x)", "(* (- 1) x)");
    check("(- x y 3)", "(+ (- 3) x (* (- 1) y))");
    check("(>= x 3)", "(<= 3 x)");
    check("(< x y 5)", "(and (<= (+ 1 x) y) (<= y 4))");
    check("(=> p q false)", "(or (not q) (not p))");
    check("(let ((z x) (x y)) (+ z x))", "(+ x y)");
    check("(let ((z (! x :named foo))) (let ((z (+ z z))) z))", "(* 2 x)");
    check("((as const (Array Int Bool)) true)", "((as const (Array Int Bool)) true)");
    check("(select (store a x 1) x)", "1");
    check("(h (twice seven) (above y))", "(h 14 (<= (+ 1 x) y))");
    check("|a b|", "|a b|");
    check("(forall ((n Int)) (above n))", "(forall ((n Int)) (<= (+ 1 x) n))");
    check("(as x Int)", "x");
    check("; a comment\n x ; another", "x");
    check("(bvadd u b #x01)", "(bvadd #x01 b u)");
    check("(fp #b0 #b01111111 #b10000000000000000000000)", "(fp #b0 #x7f #b10000000000000000000000)");
    check("(fp.add roundTowardZero f g)", "(fp.add RTZ f g)");
    check("((_ to_fp 11 53) RNE f)", "((_ to_fp 11 53) RNE f)");
}

#[test]
fn operators() {
    is("(bvsub #x01 #x02)", "#xff");
    is("(bvneg #x01)", "#xff");
    is("(_ bv300 8)", "#x2c");
    is("(bvcomp #b1 #b1)", "#b1");
    is("((_ rotate_left 3) #b10010)", "#b10100");
    is("((_ rotate_right 13) #b10010)", "#b01010");
    is("((_ repeat 3) #b10)", "#b101010");
    is("(bvsmod #xfb #x03)", "#x01");
    is("(bvsmod #x05 #xfd)", "#xff");
    is("(bvsmod #xfb #xfd)", "#xfe");
    is("(bvsmod #x05 #x00)", "#x05");
    is("(bvsdiv #x80 #xff)", "#x80");
    is("(bvudiv #x80 #x00)", "#xff");
    is("(bvnand #x0f #x3c)", "#xf3");
    is("(bvsmulo #x10 #x08)", "true");
    is("(bvsmul_noovfl #x10 #xf0)", "true");
    is("(bvsmul_noudfl #x10 #xf0)", "false");
    is("(bvsmulo #x10 #xf8)", "false");
    is("(bvumulo #x10 #x10)", "true");
    is("(bvsaddo #x7f #x01)", "true");
    is("(bvsaddo #xff #x01)", "false");
    is("(bvuaddo #xff #x01)", "true");
    is("(bvssubo #x80 #x01)", "true");
    is("(bvssubo #x80 #xff)", "false");
    is("(bvusubo #x00 #x01)", "true");
    is("(bvnego #x80)", "true");
    is("(bvsdivo #x80 #xff)", "true");
    is("(abs (- 3))", "3");
    is("(div (- 7) 2)", "(- 4)");
    is("(div (- 7) (- 2))", "4");
    is("(mod (- 7) (- 2))", "1");
    is("((_ divisible 3) 9)", "true");
    is("(distinct 1 2 1)", "false");
    is("(xor true true true)", "true");
    is("(bv2nat #xff)", "255");
    is("(sbv_to_int #xff)", "(- 1)");
    is("((_ int2bv 8) (- 2))", "#xfe");
    is("(concat #x0 #b1 #b11)", "#b0000111");
    is("(fp.to_ieee_bv (fp.add RNE (fp #b0 #x7f #b00000000000000000000000) (_ +zero 8 24)))", "#x3f800000");
    is("(fp.isPositive (_ NaN 8 24))", "false");
    is("(fp.isSubnormal ((_ to_fp 8 24) #x00000001))", "true");
    is("(fp.isNormal ((_ to_fp 8 24) #x00800000))", "true");
    is("(fp.isZero (_ -zero 8 24))", "true");
    is("((_ fp.to_sbv 8) RTZ ((_ to_fp 8 24) #xbfc00000))", "#xff");
    is("(fp.sqrt RNE ((_ to_fp 8 24) RNE #x09))", "(fp #b0 #x80 #b10000000000000000000000)");
}

#[test]
fn errors() {
    refused("", "1:1", "nothing");
    refused("(+ x\n  z)", "2:3", "unknown symbol 'z'");
    refused("(+ x p)", "1:1", "Bool");
    refused("(+ x 1.5)", "1:6", "real");
    refused("(and x)", "1:1", "sort Bool");
    refused("(bvadd u w)", "1:1", "(_ BitVec 8)");
    refused("((_ extract 8 0) u)", "1:1", "8 bits");
    refused("((_ extract 2 3) u)", "1:1", "8 bits");
    refused("((_ zero_extend 200) u)", "1:1", "128");
    refused("((_ zero_extend 4294967295) u)", "1:1", "128");
    refused("(concat w w w w w)", "1:1", "128");
    refused("((_ repeat 0) u)", "1:1", "128");
    refused("(_ bv1 0)", "1:8", "128");
    refused("(h x)", "1:1", "2 arguments");
    refused("(twice p)", "1:1", "argument 1");
    refused("(select a p)", "1:1", "sort Int");
    refused("(store x x x)", "1:1", "array");
    refused("(ite p x q)", "1:1", "sort Int");
    refused("(ite x x x)", "1:1", "sort Bool");
    refused("(forall ((x Int)) x)", "1:19", "Bool");
    refused("(forall ((x Int) (x Bool)) p)", "1:18", "twice");
    refused("(fp.add f g)", "1:1", "rounding");
    refused("(fp.add RNE f u)", "1:1", "sort");
    refused("(+ x RNE)", "1:1", "rounding");
    refused("(foo x)", "1:1", "unknown operator 'foo'");
    refused("(x)", "1:1", "arguments");
    refused("x y", "1:3", "end");
    refused("(+ x", "1:1", "never closed");
    refused("x)", "1:2", "without");
    refused("|x", "1:1", "never closed");
    refused("\"x", "1:1", "never closed");
    refused("()", "1:1", "()");
    refused("(match x)", "1:2", "not supported");
    refused("(as x Bool)", "1:1", "sort Bool");
    refused("#xg", "1:1", "bit-vector");
    refused("((as const Int) 1)", "1:12", "array");
    refused("(-)", "1:1", "arguments");
    refused("(= x)", "1:1", "at least 2");
    refused("((_ divisible 0) x)", "1:1", "unknown");
    refused("(fp #b0 #b1 #b1)", "1:1", "exponent");
}

/// A let or a definition that mentions x keeps meaning that x under a quantifier that binds another.
#[test]
fn nothing_is_captured() {
    check("(let ((z x)) (forall ((x Int)) (<= x z)))", "(forall ((|x'| Int)) (<= |x'| x))");
    check("(forall ((x Int)) (above x))", "(forall ((|x'| Int)) (<= (+ 1 x) |x'|))");
    check(
        "(forall ((y Int)) (let ((z y)) (exists ((y Int)) (< y z))))",
        "(forall ((y Int)) (exists ((|y'| Int)) (<= (+ 1 |y'|) y)))",
    );
    // A parameter of a definition is not the constant of its name.
    let mut scope = scope();
    for command in parse_sexprs("(define-fun g2 ((x Int)) Bool (above x))").unwrap().iter() {
        assert_eq!(scope.command(command), Ok(true));
    }
    assert_eq!(parse_term("(g2 y)", &scope).unwrap().to_string(), "(<= (+ 1 x) y)");
}

/// Nesting is limited by memory only.
#[test]
fn deep_terms() {
    let depth = 50_000;
    let text = format!("{}p{}", "(not (xor q ".repeat(depth), "))".repeat(depth));
    assert!(parse_term(&text, &scope()).is_ok());
    let lists = format!("{}{}", "(".repeat(depth), ")".repeat(depth));
    assert!(parse_term(&lists, &scope()).is_err());
    let sorts = format!("(forall ((i {}Int{})) p)", "(Array Int ".repeat(depth), ")".repeat(depth));
    refused(&sorts, "1:724", "nested too deep");
    let quantifiers = format!("{}p{}", "(exists ((i Int)) (and (< i x) ".repeat(1000), "))".repeat(1000));
    assert!(parse_term(&quantifiers, &scope()).unwrap_err().message.contains("nested too deep"));
    // A chain of lets as long as a large formula has.
    let mut t = Term::var("u", Sort::Bv(8));
    for _ in 0..10_000 {
        t = t.udiv(t.bvnot());
    }
    assert_eq!(parse_term(&print::with_lets(t), &scope()), Ok(t));
}

fn choices(length: usize) -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..length)
}

/// All variables of random expressions, and some floats.
fn all_vars() -> Scope {
    let mut scope = Scope::new();
    for sort in sorts() {
        for i in 0..3 {
            scope.declare(&var_name(sort, i), &[], sort);
        }
    }
    scope.declare("f", &[], Sort::F32);
    scope.declare("g", &[], Sort::F64);
    scope.declare("fun", &[Sort::Int, Sort::F32], Sort::Bool);
    scope
}

/// Floats are not in the random expressions: a random term of them around such an expression.
fn float_term(choices: &mut Choices, depth: u32, sort: Sort) -> Term {
    let rounding =
        [Rounding::NearestEven, Rounding::NearestAway, Rounding::ToZero, Rounding::Up, Rounding::Down]
            [choices.pick(5) as usize];
    if depth == 0 {
        return match choices.pick(2) {
            0 => Term::var(if sort == Sort::F32 { "f" } else { "g" }, sort),
            _ => choices.value(sort).to_term(),
        };
    }
    let other = if sort == Sort::F32 { Sort::F64 } else { Sort::F32 };
    let sub = |choices: &mut Choices| float_term(choices, depth - 1, sort);
    match choices.pick(13) {
        0 => Term::fp(Op::FpAdd(rounding), [sub(choices), sub(choices)]),
        1 => Term::fp(Op::FpSub(rounding), [sub(choices), sub(choices)]),
        2 => Term::fp(Op::FpMul(rounding), [sub(choices), sub(choices)]),
        3 => Term::fp(Op::FpDiv(rounding), [sub(choices), sub(choices)]),
        4 => Term::fp(Op::FpSqrt(rounding), [sub(choices)]),
        5 => Term::fp(Op::FpRem, [sub(choices), sub(choices)]),
        6 => Term::fp(Op::FpRoundToIntegral(rounding), [sub(choices)]),
        7 => Term::fp(Op::FpNeg, [sub(choices)]),
        8 => Term::fp(Op::FpAbs, [sub(choices)]),
        9 => Term::fp_from(Op::FpFromFp(rounding), float_term(choices, depth - 1, other), sort),
        10 => Term::fp_from(Op::FpFromSigned(rounding), choices.expr(Sort::Bv(8), 1).term(), sort),
        11 => Term::fp_from(Op::FpFromUnsigned(rounding), choices.expr(Sort::Bv(8), 1).term(), sort),
        _ => {
            let width = sort.width().unwrap();
            Term::fp_from(Op::FpFromBits, choices.expr(Sort::Bv(width), 2).term(), sort)
        }
    }
}

fn with_floats(choices: &mut Choices) -> Term {
    let sort = if choices.pick(2) == 0 { Sort::F32 } else { Sort::F64 };
    let (x, y) = (float_term(choices, 3, sort), float_term(choices, 2, sort));
    let n = choices.expr(Sort::Int, 2).term();
    let wide = sort == Sort::F64;
    Term::all([
        Term::fp_test(Op::FpEq, [x, y]),
        Term::fp_test(Op::FpLe, [x, y]).not(),
        Term::fp_test(Op::FpLt, [x, y]),
        x.equals(y),
        Term::fp_test(Op::FpIsNan, [x]).or(Term::fp_test(Op::FpIsInfinite, [y])),
        Term::fp_test(Op::FpIsNegative, [x]),
        x.fp_to_int(Rounding::ToZero, 8, wide).equals(y.fp_to_int(Rounding::Up, 8, !wide)),
        x.fp_to_bits().ule(y.fp_to_bits()),
        Term::apply("fun", [n, Term::var("f", Sort::F32)], Sort::Bool),
    ])
}

/// The term again, from both of its texts.
fn round_trip(term: Term, scope: &Scope) -> Result<(), TestCaseError> {
    for text in [term.to_string(), print::with_lets(term)] {
        let read = parse_term(&text, scope);
        prop_assert!(read == Ok(term), "{text}\nwas read as {read:?}");
    }
    Ok(())
}

/// Sums that are too large to be multiplied out stay factors, also beside a constant.
#[test]
fn products_of_sums() {
    let vars: Vec<Term> = (0..12).map(|i| Term::var(&format!("x{i}"), Sort::Int)).collect();
    let sum = |vars: &[Term]| vars.iter().fold(Term::int(7), |all, x| all.add(*x));
    let (a, b) = (sum(&vars[..6]), sum(&vars[6..]));
    let mut scope = Scope::new();
    for (i, x) in vars.iter().enumerate() {
        scope.define(&format!("x{i}"), &[], *x);
    }
    for term in [a.mul(b), a.mul(b).neg(), a.mul(b).mul(Term::int(3)), a.mul(b).neg().add(vars[0])] {
        round_trip(term, &scope).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn round_trips(list in choices(80), sort in 0usize..10) {
        round_trip(Choices::new(&list).expr(sorts()[sort], 4).term(), &all_vars())?;
    }

    #[test]
    fn round_trips_of_floats(list in choices(80)) {
        round_trip(with_floats(&mut Choices::new(&list)), &all_vars())?;
    }

    #[test]
    fn round_trips_of_quantifiers(list in choices(80), count in 1usize..4) {
        let body = Choices::new(&list).expr(Sort::Bool, 4).term();
        let vars: Vec<Term> = free_vars(body).into_iter().take(count).collect();
        let inner = Term::exists(&vars[..vars.len() / 2], body);
        round_trip(Term::forall(&vars, inner).or(body), &all_vars())?;
    }

    #[test]
    fn round_trips_of_values(list in choices(40), sort in 0usize..10) {
        let value = Choices::new(&list).value(sorts()[sort]);
        let term = parse_term(&value.to_string(), &Scope::new()).unwrap();
        prop_assert_eq!(Value::of(term), Some(value));
    }

    #[test]
    fn round_trips_of_names(name in ".{0,8}") {
        let term = Term::var(&name, Sort::Int);
        let mut scope = Scope::new();
        scope.declare_vars(term);
        round_trip(term, &scope)?;
    }

    /// Text with parts taken out, doubled and changed gives a term or an error, and nothing else.
    #[test]
    fn broken_text(list in choices(60), edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..12, 0usize..40), 1..6)) {
        let mut choices = Choices::new(&list);
        let term = if choices.pick(2) == 0 { with_floats(&mut choices) } else { choices.expr(Sort::Bool, 4).term() };
        let text = print::with_lets(term);
        let mut pieces: Vec<&str> = text.split_inclusive([' ', '(', ')']).collect();
        for (at, length, what) in edits {
            let at = at.index(pieces.len());
            let end = (at + length).min(pieces.len());
            match what {
                0..10 => { pieces.drain(at..end); }
                10..15 => { let copy = pieces[at..end].to_vec(); pieces.splice(at..at, copy); }
                _ => pieces[at] = FRAGMENTS[what % FRAGMENTS.len()],
            }
            if pieces.is_empty() {
                pieces.push("(");
            }
        }
        let text = pieces.concat();
        if let Ok(term) = parse_term(&text, &all_vars()) {
            // What was read is sound enough to be written and read again.
            prop_assert!(parse_term(&term.to_string(), &all_vars()).is_ok(), "{text}\n{term}");
        }
    }

    #[test]
    fn random_text(text in "[()_ \n|\"#;:a-z0-9.!-]{0,40}") {
        let _ = parse_term(&text, &all_vars());
        let mut scope = all_vars();
        if let Ok(all) = parse_sexprs(&text) {
            for command in all.iter() {
                let _ = scope.command(command);
            }
        }
    }
}

const FRAGMENTS: [&str; 20] = [
    "(",
    ")",
    " x0 ",
    " p0 ",
    " (_ bv3 8) ",
    " #b1 ",
    " -1 ",
    " 99999999999999999999999999 ",
    " (- 1) ",
    " (_ extract 0 0) ",
    " ((_ repeat 128) #b1) ",
    " RNE ",
    " (let ((x0 p0)) x0) ",
    " (forall ((x0 Int)) (= x0 x1)) ",
    " v8_0 ",
    " (_ BitVec 129) ",
    " ((_ zero_extend 120) v8_0) ",
    " (bvmul v8_1 v8_1) ",
    " || ",
    " (_ NaN 2 2) ",
];
