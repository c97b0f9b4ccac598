//! Float operations on values, where the format is one of the usual ones; other formats give None.

use crate::bits::{mask, to_signed};
use crate::sort::Sort;
use crate::term::{Op, Rounding};
use crate::value::{Value, is_nan};
use dashu_int::IBig;
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;

/// An operation whose first argument is a float.
pub(crate) fn operate(op: &Op, sort: Sort, args: &[&Value]) -> Option<Value> {
    let Value::Float { bits: a, sort: from } = args.first()? else { return None };
    let (a, from) = (*a, *from);
    let sign = 1u128 << (from.width()? - 1);
    // These need the encoding only.
    match op {
        Op::FpNeg => return Some(Value::float(a ^ sign, from)),
        Op::FpAbs => return Some(Value::float(a & !sign, from)),
        Op::FpIsNan => return Some(Value::Bool(is_nan(a, from))),
        Op::FpIsInfinite => return Some(Value::Bool(a & !sign == infinity(from)?)),
        Op::FpIsNegative => return Some(Value::Bool(a & sign != 0 && !is_nan(a, from))),
        _ => {}
    }
    let b = match args.get(1) {
        Some(Value::Float { bits, .. }) => *bits,
        _ => 0,
    };
    match from {
        Sort::Float(5, 11) => typed::<Half>(op, sort, from, a, b),
        Sort::Float(8, 8) => typed::<BFloat>(op, sort, from, a, b),
        Sort::F32 => typed::<Single>(op, sort, from, a, b),
        Sort::F64 => typed::<Double>(op, sort, from, a, b),
        X87 => typed::<X87DoubleExtended>(op, sort, from, a, b),
        Sort::F128 => typed::<Quad>(op, sort, from, a, b),
        _ => None,
    }
}

/// Rounds an integer to a float.
pub(crate) fn from_integer(op: &Op, sort: Sort, bits: u128, width: u32) -> Option<Value> {
    fn convert<F: Float>(op: &Op, bits: u128, width: u32) -> Option<u128> {
        Some(match op {
            Op::FpFromSigned(r) => F::from_i128_r(to_signed(bits, width), round(*r)).value.to_bits(),
            Op::FpFromUnsigned(r) => F::from_u128_r(bits, round(*r)).value.to_bits(),
            _ => return None,
        })
    }
    let result = match sort {
        Sort::Float(5, 11) => convert::<Half>(op, bits, width),
        Sort::Float(8, 8) => convert::<BFloat>(op, bits, width),
        Sort::F32 => convert::<Single>(op, bits, width),
        Sort::F64 => convert::<Double>(op, bits, width),
        X87 => convert::<X87DoubleExtended>(op, bits, width),
        Sort::F128 => convert::<Quad>(op, bits, width),
        _ => None,
    }?;
    Some(Value::float(from_memory(result, sort), sort))
}

/// The x87 format: in memory it has its leading bit written out, in SMT-LIB it has not.
const X87: Sort = Sort::Float(15, 64);

fn to_memory(bits: u128, sort: Sort) -> u128 {
    if sort != X87 {
        return bits;
    }
    let (exponent, fraction) = (bits >> 63, bits & ((1 << 63) - 1));
    exponent << 64 | u128::from(exponent & 0x7fff != 0) << 63 | fraction
}

fn from_memory(bits: u128, sort: Sort) -> u128 {
    if sort != X87 { bits } else { bits >> 64 << 63 | bits & ((1 << 63) - 1) }
}

fn typed<F>(op: &Op, sort: Sort, from: Sort, a: u128, b: u128) -> Option<Value>
where
    F: Float
        + FloatConvert<Half>
        + FloatConvert<BFloat>
        + FloatConvert<Single>
        + FloatConvert<Double>
        + FloatConvert<X87DoubleExtended>
        + FloatConvert<Quad>,
{
    let (x, y) = (F::from_bits(to_memory(a, from)), F::from_bits(to_memory(b, from)));
    let float = |value: F| Some(Value::float(from_memory(value.to_bits(), from), from));
    let order = x.partial_cmp(&y);
    match op {
        Op::FpAdd(r) => float(x.add_r(y, round(*r)).value),
        Op::FpSub(r) => float(x.sub_r(y, round(*r)).value),
        Op::FpMul(r) => float(x.mul_r(y, round(*r)).value),
        Op::FpDiv(r) => float(x.div_r(y, round(*r)).value),
        Op::FpRoundToIntegral(r) => float(x.round_to_integral(round(*r)).value),
        Op::FpSqrt(Rounding::NearestEven) => square_root(a, from),
        Op::FpEq => Some(Value::Bool(order == Some(Ordering::Equal))),
        Op::FpLt => Some(Value::Bool(order == Some(Ordering::Less))),
        Op::FpLe => Some(Value::Bool(matches!(order, Some(Ordering::Less | Ordering::Equal)))),
        Op::FpToSigned(r, width) | Op::FpToUnsigned(r, width) => {
            let whole = integer(from_memory(x.round_to_integral(round(*r)).value.to_bits(), from), from)?;
            let size = IBig::ONE << *width as usize;
            let (low, high) =
                if let Op::FpToSigned(..) = op { (-(&size >> 1), size >> 1) } else { (IBig::ZERO, size) };
            // Out of range it is unspecified.
            (low <= whole && whole < high).then(|| Value::number(Sort::Bv(*width), &whole))
        }
        Op::FpFromFp(r) => {
            let r = round(*r);
            let bits = match sort {
                Sort::Float(5, 11) => FloatConvert::<Half>::convert_r(x, r, &mut false).value.to_bits(),
                Sort::Float(8, 8) => FloatConvert::<BFloat>::convert_r(x, r, &mut false).value.to_bits(),
                Sort::F32 => FloatConvert::<Single>::convert_r(x, r, &mut false).value.to_bits(),
                Sort::F64 => FloatConvert::<Double>::convert_r(x, r, &mut false).value.to_bits(),
                X87 => FloatConvert::<X87DoubleExtended>::convert_r(x, r, &mut false).value.to_bits(),
                Sort::F128 => FloatConvert::<Quad>::convert_r(x, r, &mut false).value.to_bits(),
                _ => return None,
            };
            Some(Value::float(from_memory(bits, sort), sort))
        }
        _ => None,
    }
}

/// The number that a float without fraction is; None if it is none, or far too large for any vector.
fn integer(bits: u128, sort: Sort) -> Option<IBig> {
    let Sort::Float(exponent_bits, significand) = sort else { return None };
    let fraction_bits = significand - 1;
    let (exponent, fraction) = (bits >> fraction_bits & mask(exponent_bits), bits & mask(fraction_bits));
    if exponent == mask(exponent_bits) {
        return None;
    }
    let hidden = u128::from(exponent != 0) << fraction_bits;
    let magnitude = IBig::from(fraction | hidden);
    let bias = (mask(exponent_bits) >> 1) as i64 + i64::from(fraction_bits);
    let shift = exponent.max(1) as i64 - bias;
    let magnitude = match usize::try_from(shift) {
        Ok(left @ 0..=256) => magnitude << left,
        Ok(_) => return None,
        Err(_) => magnitude >> shift.unsigned_abs() as usize,
    };
    Some(if bits >> (exponent_bits + fraction_bits) & 1 == 1 { -magnitude } else { magnitude })
}

/// The machine's square root is correctly rounded.
fn square_root(bits: u128, sort: Sort) -> Option<Value> {
    match sort {
        Sort::F32 => Some(Value::float(f32::from_bits(bits as u32).sqrt().to_bits().into(), sort)),
        Sort::F64 => Some(Value::float(f64::from_bits(bits as u64).sqrt().to_bits().into(), sort)),
        _ => None,
    }
}

fn infinity(sort: Sort) -> Option<u128> {
    let Sort::Float(exponent, significand) = sort else { return None };
    Some(mask(exponent) << (significand - 1))
}

fn round(rounding: Rounding) -> Round {
    match rounding {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::NearestAway => Round::NearestTiesToAway,
        Rounding::ToZero => Round::TowardZero,
        Rounding::Up => Round::TowardPositive,
        Rounding::Down => Round::TowardNegative,
    }
}
