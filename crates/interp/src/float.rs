//! Floating-point operators, bit for bit as the x86 target computes them.
//!
//! `f32` and `f64` are computed natively, `F80` and `F128` through `rustc_apfloat`; always round to nearest,
//! ties to even. Two things IEEE leaves open are fixed so that runs are deterministic:
//! - a NaN operand gives that NaN made quiet (the first one, if both are), an invalid operation gives the
//!   target's default NaN, which is negative;
//! - a float outside the range of the integer type it is converted to gives x86's "integer indefinite", as
//!   the instruction sequences of gcc do: types up to `i32` convert through `i32`, `u32` through `i64`; the
//!   unsigned types of 64 and 128 bits convert the value itself if it is below half of the range, else the
//!   value less half of the range, which is then added back.

use ir::{BinOp, FloatType, IntType, UnOp};
use rustc_apfloat::ieee::{Quad, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;

/// The result's bits, or 0 and 1 for comparisons.
pub fn binary(op: BinOp, f: FloatType, a: u128, b: u128) -> u128 {
    if op.is_comparison() {
        let order = compare(f, a, b);
        return u128::from(match op {
            BinOp::Eq => order == Some(Ordering::Equal),
            BinOp::Ne => order != Some(Ordering::Equal),
            BinOp::Lt => order == Some(Ordering::Less),
            _ => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        });
    }
    if let Some(nan) = propagated_nan(f, a, b) {
        return nan;
    }
    let result = match f {
        FloatType::F32 => binary32(op, a, b),
        FloatType::F64 => binary64(op, a, b),
        FloatType::F80 => soft::<X87DoubleExtended>(op, a, b),
        FloatType::F128 => soft::<Quad>(op, a, b),
    };
    if is_nan(f, result) { default_nan(f) } else { result }
}

pub fn unary(op: UnOp, f: FloatType, a: u128) -> u128 {
    let sign = sign_bit(f);
    match op {
        UnOp::Neg => return a ^ sign,
        UnOp::Abs => return a & !sign,
        UnOp::Not => return a,
        _ => {}
    }
    if is_nan(f, a) {
        return quiet(f, a);
    }
    if op == UnOp::Sqrt && a & sign != 0 && a != sign {
        return default_nan(f);
    }
    match f {
        FloatType::F32 => unary32(op, a),
        FloatType::F64 => unary64(op, a),
        FloatType::F80 => soft_unary::<X87DoubleExtended>(op, a),
        FloatType::F128 => soft_unary::<Quad>(op, a),
    }
}

/// None if one of them is not a number.
pub fn compare(f: FloatType, a: u128, b: u128) -> Option<Ordering> {
    match f {
        FloatType::F32 => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        FloatType::F64 => f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64)),
        FloatType::F80 => X87DoubleExtended::from_bits(a).partial_cmp(&X87DoubleExtended::from_bits(b)),
        FloatType::F128 => Quad::from_bits(a).partial_cmp(&Quad::from_bits(b)),
    }
}

/// Rounds an integer to the nearest float.
pub fn from_int(int: IntType, f: FloatType, bits: u128) -> u128 {
    let signed = int.value(bits);
    match (f, int.signed) {
        (FloatType::F32, true) => u128::from((signed as f32).to_bits()),
        (FloatType::F32, false) => u128::from((bits as f32).to_bits()),
        (FloatType::F64, true) => u128::from((signed as f64).to_bits()),
        (FloatType::F64, false) => u128::from((bits as f64).to_bits()),
        (FloatType::F80, true) => X87DoubleExtended::from_i128(signed).value.to_bits(),
        (FloatType::F80, false) => X87DoubleExtended::from_u128(bits).value.to_bits(),
        (FloatType::F128, true) => Quad::from_i128(signed).value.to_bits(),
        (FloatType::F128, false) => Quad::from_u128(bits).value.to_bits(),
    }
}

/// Truncates to an integer; the head of this file says what happens out of range.
pub fn to_int(f: FloatType, int: IntType, bits: u128) -> u128 {
    let value = truncate(f, bits);
    let through_signed = |width: u32| -> u128 {
        let half = 1u128 << (width - 1);
        match value {
            Truncated::Value { negative: true, magnitude } if magnitude <= half => magnitude.wrapping_neg(),
            Truncated::Value { negative: false, magnitude } if magnitude < half => magnitude,
            _ => half,
        }
    };
    let through_unsigned = |width: u32| -> u128 {
        let half = 1u128 << (width - 1);
        match value {
            Truncated::Value { negative: false, magnitude } if magnitude >= half => {
                if width < 128 && magnitude >> width != 0 { 0 } else { magnitude }
            }
            Truncated::TooLarge { negative: false } => 0,
            _ => through_signed(width),
        }
    };
    let result = match (int.bits, int.signed) {
        (8 | 16, _) | (32, true) => through_signed(32),
        (32, false) | (64, true) => through_signed(64),
        (64, false) => through_unsigned(64),
        (_, true) => through_signed(128),
        (_, false) => through_unsigned(128),
    };
    result & int.mask()
}

pub fn convert(from: FloatType, to: FloatType, bits: u128) -> u128 {
    if from == to {
        return bits;
    }
    let result = match (from, to) {
        (FloatType::F32, FloatType::F64) => u128::from(f64::from(f32::from_bits(bits as u32)).to_bits()),
        (FloatType::F64, FloatType::F32) => u128::from((f64::from_bits(bits as u64) as f32).to_bits()),
        (_, FloatType::F80) => widen(from, bits).to_x87(),
        (_, FloatType::F128) => widen(from, bits).to_quad(),
        (FloatType::F80, _) => narrow(X87DoubleExtended::from_bits(bits), to),
        (_, _) => narrow(Quad::from_bits(bits), to),
    };
    if is_nan(to, result) { converted_nan(from, to, bits) } else { result }
}

pub fn is_nan(f: FloatType, bits: u128) -> bool {
    match f {
        FloatType::F32 => f32::from_bits(bits as u32).is_nan(),
        FloatType::F64 => f64::from_bits(bits as u64).is_nan(),
        FloatType::F80 => X87DoubleExtended::from_bits(bits).is_nan(),
        FloatType::F128 => Quad::from_bits(bits).is_nan(),
    }
}

pub fn sign_bit(f: FloatType) -> u128 {
    1 << (f.value_bytes() * 8 - 1)
}

/// Sign, significand and binary exponent of a finite value: `magnitude = significand * 2^exponent`.
pub struct Parts {
    pub negative: bool,
    pub class: Class,
    pub significand: u128,
    pub exponent: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Finite,
    Infinite,
    Nan,
}

/// (bits of the stored fraction, bits of the exponent); the x87 format stores its leading bit as well.
fn layout(f: FloatType) -> (u32, u32) {
    match f {
        FloatType::F32 => (23, 8),
        FloatType::F64 => (52, 11),
        FloatType::F80 => (64, 15),
        FloatType::F128 => (112, 15),
    }
}

pub fn parts(f: FloatType, bits: u128) -> Parts {
    let (fraction_bits, exponent_bits) = layout(f);
    let negative = bits & sign_bit(f) != 0;
    let exponent_mask = (1u32 << exponent_bits) - 1;
    let biased = (bits >> fraction_bits) as u32 & exponent_mask;
    let fraction = bits & ((1 << fraction_bits) - 1);
    if is_nan(f, bits) {
        return Parts { negative, class: Class::Nan, significand: fraction, exponent: 0 };
    }
    if biased == exponent_mask {
        return Parts { negative, class: Class::Infinite, significand: 0, exponent: 0 };
    }
    let explicit = f == FloatType::F80;
    let significand = if biased == 0 || explicit { fraction } else { fraction | 1 << fraction_bits };
    let bias = (exponent_mask >> 1) as i32;
    let scale = if explicit { fraction_bits as i32 - 1 } else { fraction_bits as i32 };
    Parts { negative, class: Class::Finite, significand, exponent: biased.max(1) as i32 - bias - scale }
}

/// The quiet bit, and the bits that every NaN of the format has.
fn nan_pattern(f: FloatType) -> u128 {
    match f {
        FloatType::F32 => 0x7fc0_0000,
        FloatType::F64 => 0x7ff8 << 48,
        FloatType::F80 => 0x7fff_c000 << 48,
        FloatType::F128 => 0x7fff_8000 << 96,
    }
}

fn default_nan(f: FloatType) -> u128 {
    nan_pattern(f) | sign_bit(f)
}

fn quiet(f: FloatType, nan: u128) -> u128 {
    nan | nan_pattern(f)
}

fn propagated_nan(f: FloatType, a: u128, b: u128) -> Option<u128> {
    if is_nan(f, a) {
        Some(quiet(f, a))
    } else if is_nan(f, b) {
        Some(quiet(f, b))
    } else {
        None
    }
}

/// Keeps the sign and the leading payload bits, as the conversion instructions do.
fn converted_nan(from: FloatType, to: FloatType, bits: u128) -> u128 {
    let payload_bits = |f| if f == FloatType::F80 { 63 } else { layout(f).0 };
    let (a, b) = (payload_bits(from), payload_bits(to));
    let payload = bits & ((1 << a) - 1);
    let moved = if b >= a { payload << (b - a) } else { payload >> (a - b) };
    let sign = if bits & sign_bit(from) != 0 { sign_bit(to) } else { 0 };
    nan_pattern(to) | moved | sign
}

/// What the machine computes by itself, for both of its types.
macro_rules! native {
    ($binary:ident, $unary:ident, $F:ty, $Bits:ty) => {
        fn $binary(op: BinOp, a: u128, b: u128) -> u128 {
            let (a, b) = (<$F>::from_bits(a as $Bits), <$F>::from_bits(b as $Bits));
            let result = match op {
                BinOp::Add => a + b,
                BinOp::Sub => a - b,
                BinOp::Mul => a * b,
                BinOp::Div => a / b,
                _ => a % b,
            };
            u128::from(result.to_bits())
        }

        fn $unary(op: UnOp, a: u128) -> u128 {
            let a = <$F>::from_bits(a as $Bits);
            let result = match op {
                UnOp::Sqrt => a.sqrt(),
                UnOp::Floor => a.floor(),
                UnOp::Ceil => a.ceil(),
                UnOp::Trunc => a.trunc(),
                UnOp::RoundEven => a.round_ties_even(),
                _ => a.round(),
            };
            u128::from(result.to_bits())
        }
    };
}

native!(binary32, unary32, f32, u32);
native!(binary64, unary64, f64, u64);

fn soft<F: Float>(op: BinOp, a: u128, b: u128) -> u128 {
    let (a, b) = (F::from_bits(a), F::from_bits(b));
    let result = match op {
        BinOp::Add => a + b,
        BinOp::Sub => a - b,
        BinOp::Mul => a * b,
        BinOp::Div => a / b,
        _ => a.c_fmod(b),
    };
    result.value.to_bits()
}

fn soft_unary<F: Float>(op: UnOp, bits: u128) -> u128 {
    let value = F::from_bits(bits);
    let round = match op {
        UnOp::Sqrt => return soft_sqrt(value).to_bits(),
        UnOp::Floor => Round::TowardNegative,
        UnOp::Ceil => Round::TowardPositive,
        UnOp::Trunc => Round::TowardZero,
        UnOp::RoundEven => Round::NearestTiesToEven,
        _ => Round::NearestTiesToAway,
    };
    value.round_to_integral(round).value.to_bits()
}

/// The root's digits one by one, two more than the format holds, then one rounding: the last digit stands for
/// everything below, so the rounding is exact.
fn soft_sqrt<F: Float>(value: F) -> F {
    if !value.is_finite_non_zero() || value.is_negative() {
        return value;
    }
    let precision = F::PRECISION as i32;
    let exponent = value.ilogb();
    // value = m * 2^e with an integer m of exactly `precision` bits and e even after the next step.
    let mut m = value.scalbn(precision - 1 - exponent).to_u128(128).value;
    let mut e = exponent - (precision - 1);
    let mut m_bits = precision;
    if e & 1 != 0 {
        m <<= 1;
        m_bits += 1;
        e -= 1;
    }
    let pairs = (m_bits + 1) / 2;
    let wanted = precision + 2;
    let (mut root, mut rest) = (0u128, 0u128);
    for i in 0..wanted {
        let pair = if i < pairs { m >> (2 * (pairs - 1 - i)) & 3 } else { 0 };
        rest = rest << 2 | pair;
        let trial = root << 2 | 1;
        root <<= 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
    }
    let sticky = u128::from(rest != 0);
    let scale = e / 2 - (wanted - pairs) - 1;
    F::from_u128(root << 1 | sticky).value.scalbn(scale)
}

/// A value of a narrower format, on its way to one of the software formats.
enum Wide {
    Single(rustc_apfloat::ieee::Single),
    Double(rustc_apfloat::ieee::Double),
    Extended(X87DoubleExtended),
    Quad(Quad),
}

fn widen(from: FloatType, bits: u128) -> Wide {
    match from {
        FloatType::F32 => Wide::Single(Float::from_bits(bits)),
        FloatType::F64 => Wide::Double(Float::from_bits(bits)),
        FloatType::F80 => Wide::Extended(Float::from_bits(bits)),
        FloatType::F128 => Wide::Quad(Float::from_bits(bits)),
    }
}

impl Wide {
    fn to_x87(&self) -> u128 {
        let mut lost = false;
        let result: X87DoubleExtended = match self {
            Wide::Single(v) => v.convert(&mut lost).value,
            Wide::Double(v) => v.convert(&mut lost).value,
            Wide::Extended(v) => *v,
            Wide::Quad(v) => v.convert(&mut lost).value,
        };
        result.to_bits()
    }

    fn to_quad(&self) -> u128 {
        let mut lost = false;
        let result: Quad = match self {
            Wide::Single(v) => v.convert(&mut lost).value,
            Wide::Double(v) => v.convert(&mut lost).value,
            Wide::Extended(v) => v.convert(&mut lost).value,
            Wide::Quad(v) => *v,
        };
        result.to_bits()
    }
}

fn narrow<F>(value: F, to: FloatType) -> u128
where
    F: FloatConvert<rustc_apfloat::ieee::Single> + FloatConvert<rustc_apfloat::ieee::Double>,
{
    let mut lost = false;
    if to == FloatType::F32 {
        let result: rustc_apfloat::ieee::Single = value.convert(&mut lost).value;
        result.to_bits()
    } else {
        let result: rustc_apfloat::ieee::Double = value.convert(&mut lost).value;
        result.to_bits()
    }
}

enum Truncated {
    Value { negative: bool, magnitude: u128 },
    TooLarge { negative: bool },
    Nan,
}

fn truncate(f: FloatType, bits: u128) -> Truncated {
    let Parts { negative, class, significand, exponent } = parts(f, bits);
    match class {
        Class::Nan => Truncated::Nan,
        Class::Infinite => Truncated::TooLarge { negative },
        Class::Finite if exponent <= -128 => Truncated::Value { negative, magnitude: 0 },
        Class::Finite if exponent < 0 => {
            Truncated::Value { negative, magnitude: significand >> exponent.unsigned_abs() }
        }
        Class::Finite if significand == 0 => Truncated::Value { negative, magnitude: 0 },
        Class::Finite if exponent as u32 > significand.leading_zeros() => Truncated::TooLarge { negative },
        Class::Finite => Truncated::Value { negative, magnitude: significand << exponent },
    }
}
