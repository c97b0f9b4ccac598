//! Laws that a solver confirms, results that are unspecified, and sizes.

use super::usual::{Random, evaluated};
use super::{check, variables};
use base::Budget;
use blast::Blaster;
use logic::{Op, Rounding, Sort, Term, Value};
use sat::{Aig, Answer, Encoder, Lit, Literal, Solver};

/// C's conversion of a float to an integer of 64 bits, as translations write it.
fn guarded(x: Term, unsigned: bool) -> Term {
    let power = |exponent: u128| Term::float((1023 + exponent) << 52, Sort::F64);
    let whole = Term::fp(Op::FpRoundToIntegral(Rounding::ToZero), [x]);
    let least = if unsigned { Term::float(0, Sort::F64) } else { Term::fp(Op::FpNeg, [power(63)]) };
    let limit = power(if unsigned { 64 } else { 63 });
    let fits = Term::fp_test(Op::FpLe, [least, whole]).and(Term::fp_test(Op::FpLt, [whole, limit]));
    fits.ite(x.fp_to_int(Rounding::ToZero, 64, !unsigned), Term::bv(1 << 63, 64))
}

#[test]
fn guarded_conversions_need_no_constraints() {
    let mut random = Random(15);
    let (a, b) = variables(Sort::F64);
    let inputs: Vec<(u128, u128)> = (0..2_000).map(|_| (random.float(11, 53), 0)).collect();
    for unsigned in [false, true] {
        let term = guarded(a, unsigned);
        let part = term.extract(40, 8);
        check(part, (a, b), &inputs, |x, y| evaluated(part, (a, b), x, y));
        check(term, (a, b), &inputs, |x, y| Some(evaluated(term, (a, b), x, y).expect("it is specified")));
        let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
        blaster.word(&mut aig, term).expect("a circuit");
        blaster.word(&mut aig, guarded(b, unsigned)).expect("a circuit");
        blaster.word(&mut aig, part).expect("a circuit");
        assert_eq!(blaster.constraints(), []);
        assert_eq!(blaster.next_label(), 128, "no inputs but the two floats");
    }
}

/// Whether the formulas can hold together. If so, the model says so as well, unless they depend on what is
/// unspecified.
fn satisfiable(formulas: &[Term]) -> bool {
    let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
    let (mut encoder, mut solver) = (Encoder::new(), Solver::for_easy_queries());
    let lits: Vec<Lit> = formulas.iter().map(|f| blaster.bool(&mut aig, *f).expect("a circuit")).collect();
    for lit in lits.iter().chain(blaster.constraints()) {
        encoder.assert(&aig, *lit, &mut solver);
    }
    if solver.solve(&[], &Budget::unlimited()).expect("no budget") == Answer::Unsat {
        return false;
    }
    let mut value = |label| encoder.input(label).is_some_and(|l: Literal| solver.value(l) == Some(true));
    let model = blaster.model(&aig, &mut value);
    for &formula in formulas {
        assert_ne!(model.eval(formula), Some(Value::Bool(false)), "{formula} under {model:?}");
    }
    true
}

#[test]
fn laws_of_conversions() {
    let (x, y) = variables(Sort::F32);
    let to_int = |x: Term| x.fp_to_int(Rounding::ToZero, 8, true);
    let is_nan = |x| Term::fp_test(Op::FpIsNan, [x]);
    let below = |x, bits| Term::fp_test(Op::FpLt, [x, Term::float(bits, Sort::F32)]);
    let infinite = Term::fp_test(Op::FpIsInfinite, [y]);
    let number = |n| Term::bv(n, 8);
    // Without moving the equality into the choice.
    let is = |a: Term, b: Term| Term::make(Op::Eq, [a, b], Sort::Bool);
    let (five, million) = (0x40a0_0000, 0x4974_2400);
    let cases = [
        // Out of range it is any number, but always the same one.
        (vec![is_nan(x), to_int(x).equals(number(3))], true),
        (vec![is_nan(x), to_int(x).equals(number(4))], true),
        (vec![is_nan(x), is_nan(y), to_int(x).differs(to_int(y))], false),
        (vec![is_nan(x), infinite, to_int(x).differs(to_int(y))], true),
        (vec![x.equals(y), to_int(x).differs(to_int(y))], false),
        (vec![is_nan(x), to_int(x).differs(x.fp_to_int(Rounding::Up, 8, true))], true),
        (vec![is_nan(x), to_int(x).differs(x.fp_to_int(Rounding::ToZero, 8, false))], true),
        // A condition that does not say that it fits.
        (vec![is(is_nan(x).ite(to_int(x), number(0)), number(3))], true),
        (vec![is(is_nan(x).ite(to_int(x), number(0)), number(4))], true),
        (vec![is(below(y, five).ite(is_nan(x).ite(to_int(x), number(1)), number(2)), number(3))], true),
        (vec![is(below(y, five).ite(is_nan(x).ite(to_int(x), number(1)), number(2)), number(4))], true),
        (vec![is(is_nan(x).ite(to_int(x).extract(3, 0), Term::bv(0, 4)), Term::bv(3, 4))], true),
        (vec![is(is_nan(x).ite(to_int(x).extract(3, 0), Term::bv(0, 4)), Term::bv(4, 4))], true),
        (vec![below(x, million).ite(to_int(x), number(0)).equals(number(100)), below(x, five)], true),
        (vec![below(x, five).not().ite(to_int(x), number(0)).equals(number(4))], true),
        (vec![below(x, five).not(), below(x, 0x42c8_0000), to_int(x).equals(number(4))], false),
        (
            vec![
                below(x, five),
                Term::fp_test(Op::FpLt, [Term::float(0, Sort::F32), x]),
                to_int(x).equals(number(5)),
            ],
            false,
        ),
    ];
    for (formulas, expected) in cases {
        assert_eq!(satisfiable(&formulas), expected, "{formulas:?}");
    }
}

#[test]
fn laws_of_arithmetic() {
    let (x, y) = variables(Sort::F32);
    let mode = Rounding::NearestEven;
    let add = |x, y| Term::fp(Op::FpAdd(mode), [x, y]);
    let mul = |x, y| Term::fp(Op::FpMul(mode), [x, y]);
    let constant = |value: f32| Term::float(value.to_bits().into(), Sort::F32);
    let less = |x, y| Term::fp_test(Op::FpLt, [x, y]);
    let normal = less(constant(1e-30), x).and(less(x, constant(1e30)));
    let cases = [
        (vec![add(x, y).differs(add(y, x))], false),
        (vec![mul(x, y).differs(mul(y, x))], false),
        (vec![add(x, x).differs(mul(x, constant(2.0)))], false),
        (vec![normal, mul(mul(x, constant(0.5)), constant(2.0)).differs(x)], false),
        (vec![mul(mul(x, constant(0.5)), constant(2.0)).differs(x)], true),
        (vec![normal, Term::fp(Op::FpDiv(mode), [x, constant(4.0)]).differs(mul(x, constant(0.25)))], false),
        (vec![less(constant(0.0), x), less(add(constant(1.0), x), constant(1.0))], false),
        (vec![less(constant(0.0), x), add(constant(1.0), x).equals(constant(1.0))], true),
    ];
    for (formulas, expected) in cases {
        assert_eq!(satisfiable(&formulas), expected, "{formulas:?}");
    }
}

/// How large circuits are: not to grow unnoticed, and constants fold.
#[test]
fn sizes() {
    let mode = Rounding::NearestEven;
    let (single, double) = (variables(Sort::F32).0, variables(Sort::F64).0);
    let (i, j) = (Term::var("i", Sort::Bv(32)), Term::var("j", Sort::Bv(64)));
    let two = |op: fn(Rounding) -> Op| {
        [Sort::F32, Sort::F64].map(|sort| Term::fp(op(mode), [variables(sort).0, variables(sort).1]))
    };
    let constant = |op: fn(Rounding) -> Op, value: f32| {
        let right = Term::float(value.to_bits().into(), Sort::F32);
        let wide = Term::float(f64::from(value).to_bits().into(), Sort::F64);
        [Term::fp(op(mode), [single, right]), Term::fp(op(mode), [double, wide])]
    };
    let one = |op: Op| [single, double].map(|x| Term::fp(op.clone(), [x]));
    let less = [Sort::F32, Sort::F64].map(|sort| Term::fp_test(Op::FpLt, <[Term; 2]>::from(variables(sort))));
    let to_int = |width| [single, double].map(|x| x.fp_to_int(Rounding::ToZero, width, true));
    let cases = [
        ("comparison", less, [400, 790]),
        ("sum", two(Op::FpAdd), [2030, 4430]),
        ("sum with 1", constant(Op::FpAdd, 1.0), [1620, 3620]),
        ("product", two(Op::FpMul), [6650, 28200]),
        ("product with 2", constant(Op::FpMul, 2.0), [260, 500]),
        ("product with 0.1", constant(Op::FpMul, 0.1), [2870, 6080]),
        ("quotient", two(Op::FpDiv), [8600, 36100]),
        ("quotient by 2", constant(Op::FpDiv, 2.0), [340, 670]),
        ("quotient by 3", constant(Op::FpDiv, 3.0), [1550, 3550]),
        ("remainder by 2", constant(|_| Op::FpRem, 2.0), [3100, 6600]),
        ("root", one(Op::FpSqrt(mode)), [3900, 16600]),
        ("nearest integer", one(Op::FpRoundToIntegral(mode)), [640, 1330]),
        ("truncation", one(Op::FpRoundToIntegral(Rounding::ToZero)), [290, 580]),
        ("to 32 bits", to_int(32), [1050, 1480]),
        ("to 64 bits", to_int(64), [1510, 2310]),
        (
            "from 32 bits",
            [Sort::F32, Sort::F64].map(|to| Term::fp_from(Op::FpFromSigned(mode), i, to)),
            [770, 670],
        ),
        (
            "from 64 bits",
            [Sort::F32, Sort::F64].map(|to| Term::fp_from(Op::FpFromSigned(mode), j, to)),
            [1640, 1730],
        ),
        (
            "to the other",
            [
                Term::fp_from(Op::FpFromFp(mode), single, Sort::F64),
                Term::fp_from(Op::FpFromFp(mode), double, Sort::F32),
            ],
            [550, 870],
        ),
        ("to quad", [single, double].map(|x| Term::fp_from(Op::FpFromFp(mode), x, Sort::F128)), [550, 1250]),
    ];
    for (name, terms, most) in cases {
        let gates = terms.map(|term| {
            let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
            let word = blaster.word(&mut aig, term).expect("a circuit");
            aig.size(&word)
        });
        assert!(gates[0] <= most[0] && gates[1] <= most[1], "{name}: {gates:?} gates");
    }
}

/// Formats that nobody uses have no reference, but these hold in all of them.
#[test]
fn laws_in_strange_formats() {
    let mut random = Random(16);
    for (e, s) in [(2, 126), (3, 100), (8, 50), (20, 4), (30, 98), (62, 66), (64, 2), (64, 64)] {
        let sort = Sort::Float(e, s);
        let (a, b) = variables(sort);
        let one = Term::float(((1 << (e - 1)) - 1) << (s - 1), sort);
        let wide = Sort::Float(e + 1, s.min(127 - e));
        let inputs: Vec<(u128, u128)> = (0..192).map(|_| (random.float(e, s), 0)).collect();
        for mode in super::MODES {
            // Subtracting zero changes nothing, except that rounding down makes a zero negative.
            let neutral = if mode == Rounding::Down { Op::FpAdd(mode) } else { Op::FpSub(mode) };
            let mut same = vec![
                Term::fp(Op::FpMul(mode), [a, one]),
                Term::fp(Op::FpDiv(mode), [a, one]),
                Term::fp(neutral, [a, Term::float(0, sort)]),
            ];
            if e < 64 && e + s < 128 {
                let there = Term::make(Op::FpFromFp(mode), [a], wide);
                same.push(Term::make(Op::FpFromFp(mode), [there], sort));
            }
            let word = |term| Blaster::new().word(&mut Aig::new(), term);
            for term in same {
                check(term, (a, b), &inputs, |x, y| evaluated(a, (a, b), x, y));
            }
            for op in [Op::FpAdd(mode), Op::FpMul(mode), Op::FpDiv(mode)] {
                assert_eq!(word(Term::fp(op, [a, b])).map(|w| w.len() as u32), Ok(e + s));
            }
            assert_eq!(word(Term::fp(Op::FpSqrt(mode), [a])).map(|w| w.len() as u32), Ok(e + s));
        }
    }
}
