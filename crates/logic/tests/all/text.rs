//! Terms as text: SMT-LIB and for people.

use logic::{Op, Rounding, Sort, Term, Value, print};

const W: Sort = Sort::Bv(8);

fn x() -> Term {
    Term::var("x", Sort::Int)
}

fn y() -> Term {
    Term::var("y", Sort::Int)
}

fn b(name: &str) -> Term {
    Term::var(name, W)
}

fn p(name: &str) -> Term {
    Term::var(name, Sort::Bool)
}

fn ints() -> Term {
    Term::var("a", Sort::array(Sort::Int, Sort::Int))
}

/// Checks the SMT-LIB text and the text for people.
fn check(term: Term, smt: &str, people: &str) {
    assert_eq!(term.to_string(), smt);
    assert_eq!(print::pretty(term, &|n| n.to_owned()), people);
}

#[test]
fn numbers() {
    check(Term::int(-1), "(- 1)", "-1");
    check(x().add(y().scale(&2.into())).int_le(p_n()), "(<= (+ x (* 2 y)) n)", "x + 2*y <= n");
    check(x().int_lt(y()), "(<= (+ 1 x) y)", "x < y");
    check(Term::int(3).int_le(x()), "(<= 3 x)", "x >= 3");
    check(x().sub(y()).add(Term::int(-3)), "(+ (- 3) x (* (- 1) y))", "x - y - 3");
    check(x().neg(), "(* (- 1) x)", "-x");
    check(Term::int(5).sub(x()), "(+ 5 (* (- 1) x))", "5 - x");
    check(x().mul(y().add(Term::int(1))).div(Term::int(7)), "(div (+ x (* x y)) 7)", "(x + x*y) div 7");
    check(x().differs(y()), "(not (= x y))", "x != y");
    check(ints().select(x()), "(select a x)", "a[x]");
    check(ints().store(x(), y()), "(store a x y)", "a[x := y]");
    check(Term::const_array(Sort::Int, Term::int(-2)), "((as const (Array Int Int)) (- 2))", "[_ := -2]");
}

fn p_n() -> Term {
    Term::var("n", Sort::Int)
}

#[test]
fn bit_vectors() {
    check(Term::bv(255, 8), "#xff", "-1");
    check(Term::bv(5, 3), "#b101", "-3");
    check(b("u").sub(b("v")), "(bvadd u (bvmul #xff v))", "u - v");
    check(b("u").ult(b("v")), "(bvult u v)", "u <u v");
    check(b("u").mul_fits(b("v"), true), "(not (bvsmulo u v))", "mul_fits(u, v)");
    check(b("u").extract(6, 2), "((_ extract 6 2) u)", "u[6:2]");
    check(b("u").extract(3, 0), "((_ extract 3 0) u)", "(u4)u");
    check(b("u").sign_extend(8), "((_ sign_extend 8) u)", "(i16)u");
    check(b("u").bv_to_int(true).add(x()), "(+ x (sbv_to_int u))", "x + signed(u)");
    check(x().int_to_bv(8), "((_ int_to_bv 8) x)", "bits8(x)");
    check(Term::bv(0xdead_beef, 32), "#xdeadbeef", "0xdeadbeef");
    check(b("u").bvand(b("v")).equals(Term::bv(0, 8)), "(= (bvand u v) #x00)", "(u & v) == 0");
}

#[test]
fn truth() {
    check(p("p").and(p("q")).implies(p("r")), "(or r (not (and p q)))", "p && q => r");
    check(p("p").equals(p("q")), "(= p q)", "p <=> q");
    check(p("p").or(p("q")).not(), "(not (or p q))", "!(p || q)");
    check(p("p").ite(x(), y()).equals(p_n()), "(= n (ite p x y))", "n == (p ? x : y)");
    // Where they are the same, either will do.
    check(x().equals(y()).ite(x(), y()), "y", "y");
    check(x().equals(y()).ite(y(), x()), "x", "x");
    check(x().differs(y()).ite(x(), y()), "x", "x");
    check(Term::forall(&[x()], x().int_le(y())), "(forall ((x Int)) (<= x y))", "forall x. x <= y");
    check(Term::apply("f", [x(), y()], Sort::Int), "(f x y)", "f(x, y)");
    check(Term::var("a b", Sort::Int), "|a b|", "a b");
    check(Term::var("let", Sort::Int), "|let|", "let");
    check(Term::var("1|2", Sort::Int), "|1%7c2|", "1|2");
}

#[test]
fn floats() {
    let (f, g) = (Term::var("f", Sort::F32), Term::var("g", Sort::F32));
    let rne = Rounding::NearestEven;
    check(Term::fp(Op::FpAdd(rne), [f, g]), "(fp.add RNE f g)", "f + g");
    check(Term::fp_test(Op::FpLt, [f, g]), "(fp.lt f g)", "f < g");
    check(Term::float(0x3fc0_0000, Sort::F32), "(fp #b0 #x7f #b10000000000000000000000)", "1.5");
    check(Term::float(0xffff_ffff, Sort::F32), "(_ NaN 8 24)", "NaN");
    check(Term::float(1 << 63, Sort::F64), "(_ -zero 11 53)", "-0");
    check(Term::float(0x7f80_0000, Sort::F32), "(_ +oo 8 24)", "inf");
    check(f.fp_to_int(Rounding::ToZero, 32, true), "((_ fp.to_sbv 32) RTZ f)", "(i32)f");
    check(f.fp_to_bits(), "(fp.to_ieee_bv f)", "bits_of(f)");
    check(Term::fp_from(Op::FpFromFp(rne), f, Sort::F64), "((_ to_fp 11 53) RNE f)", "(double)f");
    check(
        Term::fp_from(Op::FpFromUnsigned(rne), b("u"), Sort::F32),
        "((_ to_fp_unsigned 8 24) RNE u)",
        "float_from_unsigned(u)",
    );
}

#[test]
fn lets() {
    let s = x().mul(y()).modulo(Term::int(7));
    let t = s.mul(s);
    assert_eq!(print::with_lets(t), "(let ((?1 (mod (* x y) 7))) (* ?1 ?1))");
    assert_eq!(print::with_lets(x()), "x");
    let clash = Term::var("?1", Sort::Int);
    assert_eq!(print::with_lets(t.add(clash)), "(let ((??1 (mod (* x y) 7))) (+ ?1 (* ??1 ??1)))");
    // The body of a quantifier shares with itself only.
    let inner = Term::forall(&[x()], t.int_le(s));
    assert_eq!(
        print::with_lets(inner.and(s.int_le(y()))),
        "(and (<= (mod (* x y) 7) y) (forall ((x Int)) (let ((?1 (mod (* x y) 7))) (<= (* ?1 ?1) ?1))))"
    );
}

#[test]
fn lets_keep_a_graph_linear() {
    let mut t = b("u");
    for _ in 0..20_000 {
        t = t.udiv(t.bvnot());
    }
    let text = print::with_lets(t);
    assert!(text.len() < 2_000_000, "{}", text.len());
    // And people get something of bearable size.
    assert!(print::pretty(t, &|n| n.to_owned()).len() < 1_000_000);
}

#[test]
fn values() {
    let array = Value::array(
        Sort::Int,
        Value::int(0),
        [(Value::int(-2), Value::int(5)), (Value::int(1), Value::int(0))],
    );
    assert_eq!(array.to_string(), "(store ((as const (Array Int Int)) 0) (- 2) 5)");
    assert_eq!(Value::of(array.to_term()), Some(array.clone()));
    assert_eq!(array.to_term().to_string(), array.to_string());
    // One map, however it is written.
    let one = Value::array(Sort::Bv(1), Value::int(7), [(Value::bv(0, 1), Value::int(3))]);
    let two = Value::array(Sort::Bv(1), Value::int(3), [(Value::bv(1, 1), Value::int(7))]);
    assert_eq!(one, two);
    assert_eq!(Value::float(0x7fc0_0001, Sort::F32), Value::float(0xff80_0001, Sort::F32));
    assert_eq!(Value::float(0x3f80_0000, Sort::F32).to_string(), "(fp #b0 #x7f #b00000000000000000000000)");
}
