//! Circuits compute what `logic::eval` says: every operation exhaustively on small widths, whole random terms
//! on random values, and the models of a solver make formulas true.

use base::Budget;
use blast::{Blaster, Refused};
use logic::{Op, Sort, Term, Value, eval};
use sat::{Aig, Answer, Encoder, Lit, Literal, Solver};

/// A repeatable stream of numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn pick(&mut self, n: u64) -> u64 {
        (self.next() >> 33) % n
    }

    fn bits(&mut self, width: u32) -> u128 {
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        // Limits and small numbers matter more than others.
        match self.pick(4) {
            0 => any % 4,
            1 => (any % 4).wrapping_neg(),
            2 => 1 << (width - 1),
            _ => any,
        }
    }
}

const OPERATIONS: &[fn(Term, Term) -> Term] = &[
    |a, b| raw(Op::BvAdd, a, b),
    |a, b| a.sub(b),
    |a, _| a.neg(),
    |a, b| raw(Op::BvMul, a, b),
    |a, b| raw(Op::BvUdiv, a, b),
    |a, b| raw(Op::BvUrem, a, b),
    |a, b| raw(Op::BvSdiv, a, b),
    |a, b| raw(Op::BvSrem, a, b),
    |a, b| raw(Op::BvAnd, a, b),
    |a, b| raw(Op::BvOr, a, b),
    |a, b| raw(Op::BvXor, a, b),
    |a, b| raw(Op::BvShl, a, b),
    |a, b| raw(Op::BvLshr, a, b),
    |a, b| raw(Op::BvAshr, a, b),
    |a, _| a.bvnot(),
    |a, b| bit(raw_bool(Op::BvUle, a, b), a),
    |a, b| bit(raw_bool(Op::BvUlt, a, b), a),
    |a, b| bit(raw_bool(Op::BvSle, a, b), a),
    |a, b| bit(raw_bool(Op::BvSlt, a, b), a),
    |a, b| bit(raw_bool(Op::Eq, a, b), a),
    |a, b| bit(raw_bool(Op::BvMulFits { signed: true }, a, b), a),
    |a, b| bit(raw_bool(Op::BvMulFits { signed: false }, a, b), a),
    |a, b| a.concat(b).extract(a.width() + b.width() / 2, b.width() / 2).extract(a.width() - 1, 0),
    |a, b| a.sign_extend(a.width()).mul(b.zero_extend(b.width())).extract(2 * a.width() - 1, a.width()),
    |a, b| a.sign_extend(a.width()).mul(b.sign_extend(b.width())).extract(2 * a.width() - 1, a.width()),
    |a, b| a.sub(b).sub(Term::bv(3, a.width())).sub(b.mul(a)),
];

fn raw(op: Op, a: Term, b: Term) -> Term {
    Term::make(op, [a, b], a.sort())
}

fn raw_bool(op: Op, a: Term, b: Term) -> Term {
    Term::make(op, [a, b], Sort::Bool)
}

fn bit(condition: Term, like: Term) -> Term {
    condition.ite(Term::bv(1, like.width()), Term::bv(0, like.width()))
}

fn number(aig: &Aig, word: &[Lit], mut value: impl FnMut(u32) -> bool) -> u128 {
    let bits = aig.evaluate(word, |label| if value(label) { u64::MAX } else { 0 });
    bits.iter().rev().fold(0, |n, bit| n << 1 | u128::from(bit & 1))
}

/// `term` over the variables `a` and `b`, which are the first two inputs.
fn check(term: Term, width: u32, values: impl Iterator<Item = (u128, u128)>) {
    let (a, b) = (Term::var("a", Sort::Bv(width)), Term::var("b", Sort::Bv(width)));
    let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
    blaster.word(&mut aig, a).expect("a variable");
    blaster.word(&mut aig, b).expect("a variable");
    let word = blaster.word(&mut aig, term).unwrap_or_else(|e| panic!("{term}: {e}"));
    for (x, y) in values {
        let expected = eval(term, &|t| Some(Value::bv(if t == a { x } else { y }, width)));
        let label = |l: u32| if l < width { x >> l & 1 == 1 } else { y >> (l - width) & 1 == 1 };
        let got = Value::bv(number(&aig, &word, label), term.width());
        assert_eq!(Some(got), expected, "{term} with a = {x}, b = {y}");
    }
}

fn variables(width: u32) -> (Term, Term) {
    (Term::var("a", Sort::Bv(width)), Term::var("b", Sort::Bv(width)))
}

#[test]
fn operations_on_all_small_values() {
    for width in 1..=4 {
        let (a, b) = variables(width);
        let all = || (0..1u128 << width).flat_map(|x| (0..1u128 << width).map(move |y| (x, y)));
        for operation in OPERATIONS {
            check(operation(a, b), width, all());
            check(operation(a, a), width, all());
            for constant in 0..1u128 << width {
                let constant = Term::bv(constant, width);
                check(operation(a, constant), width, (0..1u128 << width).map(|x| (x, 0)));
                check(operation(constant, b), width, (0..1u128 << width).map(|y| (0, y)));
            }
        }
    }
}

#[test]
fn operations_on_wide_values() {
    let mut random = Random(7);
    for width in [5, 7, 9, 32, 64] {
        let (a, b) = variables(width);
        for operation in OPERATIONS {
            let mut values = |n| -> Vec<(u128, u128)> {
                let cut = u128::MAX >> (128 - width);
                (0..n).map(|_| (random.bits(width) & cut, random.bits(width) & cut)).collect()
            };
            let some = values(if width > 9 { 6 } else { 40 });
            check(operation(a, b), width, some.into_iter());
            let factor = Term::bv(random.bits(width), width);
            check(operation(a, factor), width, [(random.bits(width) & 31, 0), (1, 0)].into_iter());
        }
    }
}

/// A random formula over bit-vectors of 3 bits, arrays of them, Bools, and a function.
fn formula(random: &mut Random, depth: u32) -> Term {
    if depth == 0 {
        return Term::var(["p", "q"][random.pick(2) as usize], Sort::Bool);
    }
    let d = depth - 1;
    match random.pick(8) {
        0 => formula(random, d).not(),
        1 => formula(random, d).and(formula(random, d)),
        2 => formula(random, d).or(formula(random, d)),
        3 => formula(random, d).ite(formula(random, d), formula(random, d)),
        4 => vector(random, d).ult(vector(random, d)),
        5 => vector(random, d).slt(vector(random, d)),
        _ => vector(random, d).equals(vector(random, d)),
    }
}

const WIDTH: u32 = 3;

fn vector(random: &mut Random, depth: u32) -> Term {
    let sort = Sort::Bv(WIDTH);
    if depth == 0 {
        return match random.pick(3) {
            0 => Term::bv(random.bits(WIDTH), WIDTH),
            n => Term::var(["a", "b"][n as usize - 1], sort),
        };
    }
    let d = depth - 1;
    match random.pick(6) {
        0 => array(random, d).select(vector(random, d)),
        1 => array(random, d).select(vector(random, d)),
        2 => Term::apply("f", [vector(random, d)], sort),
        3 => formula(random, d).ite(vector(random, d), vector(random, d)),
        _ => {
            let operation = OPERATIONS[random.pick(OPERATIONS.len() as u64) as usize];
            operation(vector(random, d), vector(random, d))
        }
    }
}

fn array(random: &mut Random, depth: u32) -> Term {
    let sort = Sort::array(Sort::Bv(WIDTH), Sort::Bv(WIDTH));
    if depth == 0 {
        return Term::var(["m", "n"][random.pick(2) as usize], sort);
    }
    let d = depth - 1;
    match random.pick(5) {
        0 => Term::const_array(Sort::Bv(WIDTH), vector(random, d)),
        1 => formula(random, d).ite(array(random, d), array(random, d)),
        2 => array(random, 0),
        _ => array(random, d).store(vector(random, d), vector(random, d)),
    }
}

/// A model, or none: of the formulas, by CaDiCaL; every model is checked. Quotients are computed, then
/// guessed.
fn solve(formulas: &[Term]) -> bool {
    let computed = solve_with(formulas, Blaster::new());
    assert_eq!(solve_with(formulas, Blaster::new().guess_quotients()), computed, "{formulas:?}");
    computed
}

fn solve_with(formulas: &[Term], mut blaster: Blaster) -> bool {
    let mut aig = Aig::new();
    let (mut encoder, mut solver) = (Encoder::new(), Solver::for_easy_queries());
    for &formula in formulas {
        let lit = blaster.bool(&mut aig, formula).unwrap_or_else(|e| panic!("{formula}: {e}"));
        encoder.assert(&aig, lit, &mut solver);
    }
    for &constraint in blaster.constraints() {
        encoder.assert(&aig, constraint, &mut solver);
    }
    if solver.solve(&[], &Budget::unlimited()).expect("no budget") == Answer::Unsat {
        return false;
    }
    let mut value = |label| encoder.input(label).is_some_and(|l: Literal| solver.value(l) == Some(true));
    let model = blaster.model(&aig, &mut value);
    for &formula in formulas {
        assert_eq!(model.eval(formula), Some(Value::Bool(true)), "{formula} under {model:?}");
    }
    true
}

#[test]
fn models_make_formulas_true() {
    let mut random = Random(42);
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..300 {
        let formulas: Vec<Term> = (0..1 + random.pick(5)).map(|_| formula(&mut random, 5)).collect();
        if solve(&formulas) { sat += 1 } else { unsat += 1 }
    }
    assert!(sat > 20 && unsat > 5, "{sat} satisfiable, {unsat} not");
}

#[test]
fn laws_of_arrays_and_functions() {
    let sort = Sort::Bv(8);
    let [i, j, x] = ["i", "j", "x"].map(|n| Term::var(n, sort));
    let m = Term::var("m", Sort::array(sort, sort));
    let f = |t| Term::apply("f", [t], sort);
    let cases = [
        (vec![i.equals(j), m.select(i).differs(m.select(j))], false),
        (vec![i.differs(j), m.select(i).differs(m.select(j))], true),
        (vec![m.store(i, x).select(j).differs(m.select(j)), i.differs(j)], false),
        (vec![m.store(i, x).select(j).differs(m.select(j)), m.select(i).differs(x)], true),
        (vec![f(i).differs(f(j)), i.bvxor(j).equals(Term::bv(0, 8))], false),
        (vec![f(f(i)).differs(i), f(i).equals(i)], false),
        (vec![f(i).differs(f(j))], true),
    ];
    for (formulas, expected) in cases {
        assert_eq!(solve(&formulas), expected, "{formulas:?}");
    }
}

#[test]
fn what_has_no_circuit_is_refused() {
    let sort = Sort::array(Sort::Bv(8), Sort::Bv(8));
    let (m, n) = (Term::var("m", sort), Term::var("n", sort));
    let double = Term::var("x", Sort::F64);
    let remainder = Term::make(Op::FpRem, [double, double], Sort::F64);
    let (a, b) = variables(64);
    let cases = [
        (m.equals(n), Refused::ArrayEquality),
        (Term::var("i", Sort::Int).int_lt(Term::int(3)), Refused::Integer),
        (Term::make(Op::FpIsNan, [remainder], Sort::Bool), Refused::Float(Op::FpRem)),
        (raw_bool(Op::Eq, a.udiv(b).mul(a).udiv(b), b), Refused::TooLarge(1000)),
        (Term::make(Op::BvUlt, [a], Sort::Bool), Refused::Malformed),
    ];
    for (term, reason) in cases {
        let answer = Blaster::new().limit(1000).bool(&mut Aig::new(), term);
        assert_eq!(answer, Err(reason), "{term:?}");
    }
}

#[test]
fn floats_are_compared_as_evaluated() {
    // Zeros, the least and the largest numbers of either sign, infinities, NaNs, and neighbours.
    let sort = Sort::Float(8, 24);
    let (a, b) = variables(32);
    let sizes = [
        0,
        1,
        2,
        0x7f_ffff,
        0x80_0000,
        0x3f80_0000,
        0x3f80_0001,
        0x7f7f_ffff,
        0x7f80_0000,
        0x7f80_0001,
        0x7fc0_0000,
    ];
    let values: Vec<u128> = sizes.iter().flat_map(|s| [*s, *s | 0x8000_0000]).collect();
    let (x, y) = (Term::make(Op::FpFromBits, [a], sort), Term::make(Op::FpFromBits, [b], sort));
    let (minus, size) = (Term::make(Op::FpNeg, [x], sort), Term::make(Op::FpAbs, [x], sort));
    let conditions = [
        raw_bool(Op::FpEq, x, y),
        raw_bool(Op::FpLe, x, y),
        raw_bool(Op::FpLt, x, y),
        raw_bool(Op::Eq, x, y),
        raw_bool(Op::Eq, minus, y),
        raw_bool(Op::Eq, size, y),
        Term::make(Op::FpIsNan, [x], Sort::Bool),
        Term::make(Op::FpIsInfinite, [x], Sort::Bool),
        Term::make(Op::FpIsNegative, [x], Sort::Bool),
    ];
    for condition in conditions {
        check(bit(condition, a), 32, values.iter().flat_map(|x| values.iter().map(move |y| (*x, *y))));
    }
}
