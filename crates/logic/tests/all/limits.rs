//! Terms are graphs: nothing may walk them as trees, and no normal form may grow out of hand.

use logic::{Op, Sort, Substitution, Term, Value, eval, free_vars, print, size};

const STEPS: usize = 600;

/// Takes a step from a term many times, and checks that the graph stays in proportion.
fn check(start: Term, step: impl Fn(Term) -> Term) {
    let mut t = start;
    for _ in 0..STEPS {
        t = step(t);
    }
    let nodes = size(t);
    assert!(nodes < 80 * STEPS, "{nodes} nodes");
    // All walks end.
    let x = free_vars(t).into_iter().next().expect("a variable");
    let y = Term::var("y", x.sort());
    let replaced = Substitution::new([(x, y)]).apply(t);
    assert!(!free_vars(replaced).contains(&x));
    assert!(eval(replaced, &|v| Some(Value::zero(v.sort()))).is_some());
    assert!(print::with_lets(t).len() < 1500 * STEPS);
}

fn bv(name: &str) -> Term {
    Term::var(name, Sort::Bv(32))
}

fn int(name: &str) -> Term {
    Term::var(name, Sort::Int)
}

#[test]
fn squares() {
    check(bv("x"), |t| t.mul(t));
    check(int("x"), |t| t.mul(t).modulo(Term::int(97)));
}

#[test]
fn sums() {
    check(bv("x"), |t| t.add(t.bvnot()).add(t));
    check(bv("x"), |t| t.mul(t.add(bv("y"))).add(t.mul(bv("z"))));
    check(int("x"), |t| t.mul(t.add(int("y"))).modulo(Term::int(1000)));
}

#[test]
fn parts() {
    // The low bits of everything, again and again.
    let low = |t: Term| t.extract(15, 0).zero_extend(16);
    check(bv("x"), |t| low(t.bvand(t.bvnot().bvor(bv("z")))).bvxor(t));
    check(bv("x"), |t| t.add(low(t)).bvxor(low(t.mul(t))));
    check(bv("x"), |t| t.extract(23, 8).concat(t.extract(15, 0)).bvor(t));
}

/// Integers that wrap around, seen as bits and back.
#[test]
fn wrapping() {
    let wrap = |t: Term| t.modulo(Term::int(1u64 << 32));
    check(int("x"), |t| wrap(t.add(t).add(wrap(t.add(int("z"))))));
    check(int("x"), |t| wrap(t.add(wrap(t.add(int("z"))))).int_to_bv(32).bvnot().bv_to_int(false));
    check(bv("x"), |t| {
        let n = t.bv_to_int(true);
        let sum = wrap(n.add(n.mul(n))).add(wrap(n.sub(int("z"))));
        sum.int_to_bv(32).bvxor(t)
    });
    let mut t = int("x");
    for _ in 0..100 {
        t = wrap(t.scale(&3.into()).add(wrap(t.add(int("z")))));
    }
    assert!(size(t.int_to_bv(32)) < 1000);
    let mut t = int("x");
    for i in 0..20_000 {
        t = t.modulo(Term::int(256 << (i % 2)));
    }
    assert!(size(t.int_to_bv(8)) > 10);
}

#[test]
fn choices() {
    check(int("x"), |t| t.int_le(int("z")).ite(t.add(Term::int(1)), t.modulo(Term::int(7))));
    check(bv("x"), |t| t.ult(bv("z")).ite(Term::bv(1, 32), t.bvnot()));
    check(bv("x"), |t| t.equals(Term::bv(7, 32)).ite(Term::bv(1, 32), t.bvnot()));
    check(int("x"), |t| t.equals(Term::int(3)).ite(Term::int(4), t.equals(int("z")).ite(Term::int(5), t)));
}

#[test]
fn arrays() {
    let sort = Sort::array(Sort::Bv(32), Sort::Bv(32));
    let start = Term::var("a", sort);
    check(start, |a| {
        let read = a.select(bv("x"));
        read.ult(bv("z")).ite(a.store(read, bv("z")), a)
    });
    check(start, |a| {
        bv("x")
            .ult(a.select(bv("z")))
            .ite(a.store(bv("x"), Term::bv(1, 32)), a.store(bv("z"), Term::bv(2, 32)))
    });
}

#[test]
fn truth() {
    let p = |i: usize| Term::var(&format!("p{}", i % 7), Sort::Bool);
    let mut t = p(0);
    for i in 0..STEPS {
        t = t.equals(p(i)).ite(t.and(p(i + 1)), t.not().or(p(i + 3)));
    }
    assert!(size(t) < 12 * STEPS, "{}", size(t));
    assert!(eval(t, &|_| Some(Value::Bool(true))).is_some());
    let mut t = p(0);
    for i in 0..STEPS {
        t = Term::make(Op::Not, [t.equals(p(i)).and(p(i + 1))], Sort::Bool);
    }
    assert!(size(t) < 12 * STEPS, "{}", size(t));
}
