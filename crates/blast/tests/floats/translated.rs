//! From the operators of the IR, through their translation to logic, to circuits: they compute what the
//! interpreter does.

use super::usual::Random;
use super::{Circuit, variables};
use blast::Blaster;
use encode::{Encoder, IntMode, Regions};
use interp::float;
use ir::{BinOp, FloatType, FuncId, IntType, Program, Type, UnOp};
use logic::{Sort, Term};
use sat::Aig;

const TYPES: [FloatType; 3] = [FloatType::F32, FloatType::F64, FloatType::F128];

fn sort_of(f: FloatType) -> Sort {
    match f {
        FloatType::F32 => Sort::F32,
        FloatType::F64 => Sort::F64,
        _ => Sort::F128,
    }
}

fn format_of(f: FloatType) -> (u32, u32) {
    match f {
        FloatType::F32 => (8, 24),
        FloatType::F64 => (11, 53),
        _ => (15, 113),
    }
}

fn inputs(random: &mut Random, f: FloatType, count: usize) -> Vec<(u128, u128)> {
    let (e, s) = format_of(f);
    (0..count).map(|_| random.floats(e, s)).collect()
}

fn integers() -> Vec<IntType> {
    [8, 16, 32, 64, 128].into_iter().flat_map(|bits| [true, false].map(|s| IntType::new(bits, s))).collect()
}

/// With an encoder that knows no program: operators need none.
fn with_encoder<T>(f: impl FnOnce(&mut Encoder) -> T) -> T {
    let program: Program = ir::testing::empty_program();
    let regions = Regions::analyse(&[&program], &[Vec::new()]);
    f(&mut Encoder::new(&program, 0, FuncId(0), IntMode::Bv, &regions, ""))
}

/// The results are the same; the interpreter's NaNs have payloads, which terms have not.
fn check(
    what: &str,
    result: Type,
    term: Term,
    (a, b): (Term, Term),
    inputs: &[(u128, u128)],
    expected: impl Fn(u128, u128) -> u128,
) {
    let is_nan = |bits| matches!(result, Type::Float(f) if float::is_nan(f, bits));
    for (&(x, y), got) in inputs.iter().zip(Circuit::new(term, a, b).run(inputs)) {
        let expected = expected(x, y);
        let same = got == expected || is_nan(got) && is_nan(expected);
        assert!(same, "{what} of {x:#x} and {y:#x} is {got:#x}, not {expected:#x}");
    }
}

#[test]
fn operators_as_interpreted() {
    let mut random = Random(17);
    let unary =
        [UnOp::Neg, UnOp::Abs, UnOp::Floor, UnOp::Ceil, UnOp::Trunc, UnOp::RoundEven, UnOp::RoundAway];
    let binary = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div, BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Le];
    for f in TYPES {
        let ty = Type::Float(f);
        let (a, b) = variables(sort_of(f));
        for op in unary.into_iter().chain([UnOp::Sqrt]) {
            let term = with_encoder(|encoder| encoder.unary(op, ty, a)).expect("an operator of floats");
            let inputs = inputs(&mut random, f, 512);
            check(&format!("{op:?}"), ty, term, (a, b), &inputs, |x, _| float::unary(op, f, x));
        }
        let remainder = (f == FloatType::F32).then_some(BinOp::Rem);
        for op in binary.into_iter().chain(remainder) {
            let term = with_encoder(|encoder| encoder.binary(op, ty, a, b)).expect("an operator of floats");
            let inputs = inputs(&mut random, f, 512);
            let ty = if op.is_comparison() { Type::Bool } else { ty };
            check(&format!("{op:?}"), ty, term, (a, b), &inputs, |x, y| float::binary(op, f, x, y));
        }
        // C's remainder by a power of two, which has a circuit for all formats.
        for size in [0.25, -2.0, 1024.0f64] {
            let divisor = float::convert(FloatType::F64, f, size.to_bits().into());
            let constant = Term::float(divisor, sort_of(f));
            let term =
                with_encoder(|encoder| encoder.binary(BinOp::Rem, ty, a, constant)).expect("a remainder");
            let inputs = inputs(&mut random, f, 512);
            check("fmod", ty, term, (a, b), &inputs, |x, _| float::binary(BinOp::Rem, f, x, divisor));
        }
    }
}

#[test]
fn conversions_as_interpreted() {
    let mut random = Random(18);
    for f in TYPES {
        let from = Type::Float(f);
        let (a, b) = variables(sort_of(f));
        for to in TYPES {
            let term = with_encoder(|encoder| encoder.cast(from, Type::Float(to), a)).expect("a conversion");
            let inputs = inputs(&mut random, f, 512);
            check("conversion", Type::Float(to), term, (a, b), &inputs, |x, _| float::convert(f, to, x));
        }
        for int in integers() {
            let to = Type::Int(int);
            let term = with_encoder(|encoder| encoder.cast(from, to, a)).expect("a conversion");
            let inputs = inputs(&mut random, f, 1024);
            check(&format!("{f:?} to {int:?}"), to, term, (a, b), &inputs, |x, _| float::to_int(f, int, x));

            // The result is specified everywhere, and the circuit has nothing to leave open.
            let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
            blaster.word(&mut aig, term).expect("a circuit");
            let (e, s) = format_of(f);
            assert_eq!(blaster.next_label(), e + s, "{f:?} to {int:?}");

            let width = u32::from(int.bits);
            let (a, b) = variables(Sort::Bv(width));
            let term = with_encoder(|encoder| encoder.cast(to, from, a)).expect("a conversion");
            let inputs: Vec<(u128, u128)> = (0..256).map(|_| (random.integer(width), 0)).collect();
            check(&format!("{int:?} to {f:?}"), from, term, (a, b), &inputs, |x, _| {
                float::from_int(int, f, x)
            });
        }
    }
}
