//! Floats: the solver's IEEE arithmetic, with the two things that the interpreter fixes beyond it.
//!
//! - The solver has one NaN; the interpreter tracks sign and payload. Where the bits of a NaN that was
//!   computed are looked at, they are those of the target's default NaN. Bits that were only loaded and
//!   stored stay as they are.
//! - A float outside the range of an integer type gives what the target's instructions give
//!   (`interp::float`).

use crate::mode::Unsupported;
use ir::{BinOp, FloatType, IntType, UnOp};
use logic::{Op, Rounding, Sort, Term};

pub(super) fn unary(op: UnOp, a: Term) -> Result<Term, Unsupported> {
    Ok(Term::fp(
        match op {
            UnOp::Neg => Op::FpNeg,
            UnOp::Abs => Op::FpAbs,
            UnOp::Sqrt => Op::FpSqrt(Rounding::NearestEven),
            UnOp::Floor => Op::FpRoundToIntegral(Rounding::Down),
            UnOp::Ceil => Op::FpRoundToIntegral(Rounding::Up),
            UnOp::Trunc => Op::FpRoundToIntegral(Rounding::ToZero),
            UnOp::RoundEven => Op::FpRoundToIntegral(Rounding::NearestEven),
            UnOp::RoundAway => Op::FpRoundToIntegral(Rounding::NearestAway),
            UnOp::Not => return Err(Unsupported("complement of a float".to_owned())),
        },
        [a],
    ))
}

pub(super) fn binary(op: BinOp, a: Term, b: Term) -> Result<Term, Unsupported> {
    let round = Rounding::NearestEven;
    Ok(match op {
        BinOp::Add => Term::fp(Op::FpAdd(round), [a, b]),
        BinOp::Sub => Term::fp(Op::FpSub(round), [a, b]),
        BinOp::Mul => Term::fp(Op::FpMul(round), [a, b]),
        BinOp::Div => Term::fp(Op::FpDiv(round), [a, b]),
        BinOp::Rem => remainder(a, b),
        BinOp::Eq => Term::fp_test(Op::FpEq, [a, b]),
        BinOp::Ne => Term::fp_test(Op::FpEq, [a, b]).not(),
        BinOp::Lt => Term::fp_test(Op::FpLt, [a, b]),
        BinOp::Le => Term::fp_test(Op::FpLe, [a, b]),
        _ => return Err(Unsupported(format!("{op:?} of floats"))),
    })
}

/// C's `fmod`, which truncates, from IEEE's remainder, which rounds to the nearest multiple: of the
/// magnitudes, the latter is less than the former by one divisor if it is negative. The sum is exact, since
/// `fmod` always is.
fn remainder(a: Term, b: Term) -> Term {
    let (x, y) = (Term::fp(Op::FpAbs, [a]), Term::fp(Op::FpAbs, [b]));
    let nearest = Term::fp(Op::FpRem, [x, y]);
    let zero = Term::float(0, a.sort());
    let up = Term::fp(Op::FpAdd(Rounding::NearestEven), [nearest, y]);
    let magnitude = Term::fp_test(Op::FpLt, [nearest, zero]).ite(up, nearest);
    Term::fp_test(Op::FpIsNegative, [a]).ite(Term::fp(Op::FpNeg, [magnitude]), magnitude)
}

pub(super) fn convert(a: Term, to: Sort) -> Term {
    Term::fp_from(Op::FpFromFp(Rounding::NearestEven), a, to)
}

/// A number given by its bits.
pub(super) fn from_bits_of_int(int: IntType, bits: Term, to: Sort) -> Term {
    let round = Rounding::NearestEven;
    let op = if int.signed { Op::FpFromSigned(round) } else { Op::FpFromUnsigned(round) };
    Term::fp_from(op, bits, to)
}

/// The bits of the truncated number.
pub(super) fn to_bits_of_int(int: IntType, a: Term) -> Term {
    let whole = Term::fp(Op::FpRoundToIntegral(Rounding::ToZero), [a]);
    let through_signed = |width: u32| {
        let half = power_of_two(a.sort(), width - 1);
        let least = Term::fp(Op::FpNeg, [half]);
        let fits = Term::fp_test(Op::FpLe, [least, whole]).and(Term::fp_test(Op::FpLt, [whole, half]));
        fits.ite(a.fp_to_int(Rounding::ToZero, width, true), Term::bv(1 << (width - 1), width))
    };
    let through_unsigned = |width: u32| {
        let large = Term::fp_test(Op::FpLe, [power_of_two(a.sort(), width - 1), whole]);
        let fits = Term::fp_test(Op::FpLt, [whole, power_of_two(a.sort(), width)]);
        let value = fits.ite(a.fp_to_int(Rounding::ToZero, width, false), Term::bv(0, width));
        large.ite(value, through_signed(width))
    };
    let bits = match (int.bits, int.signed) {
        (8 | 16, _) | (32, true) => through_signed(32),
        (32, false) | (64, true) => through_signed(64),
        (64, false) => through_unsigned(64),
        (_, true) => through_signed(128),
        (_, false) => through_unsigned(128),
    };
    bits.extract(u32::from(int.bits) - 1, 0)
}

/// 2^exponent, or infinity where the format ends before.
fn power_of_two(sort: Sort, exponent: u32) -> Term {
    let Sort::Float(bits, significand) = sort else { return Term::float(0, sort) };
    let greatest = (1u128 << bits) - 1;
    let biased = (greatest / 2 + u128::from(exponent)).min(greatest);
    Term::float(biased << (significand - 1), sort)
}

/// The IEEE encoding.
pub(crate) fn float_bits(a: Term) -> Term {
    if *a.op() == Op::FpFromBits {
        return a.args()[0];
    }
    let bits = a.fp_to_bits();
    let Sort::Float(exponent, significand) = a.sort() else { return bits };
    // Sign, exponent and the quiet bit are ones.
    let default = ((1u128 << (exponent + 2)) - 1) << (significand - 2);
    Term::fp_test(Op::FpIsNan, [a]).ite(Term::bv(default, bits.width()), bits)
}

pub(super) fn of_bits(f: FloatType, bits: Term) -> Term {
    let sort = match f {
        FloatType::F32 => Sort::F32,
        FloatType::F64 => Sort::F64,
        FloatType::F80 | FloatType::F128 => Sort::F128,
    };
    Term::fp_from(Op::FpFromBits, bits, sort)
}
