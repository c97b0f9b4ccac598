//! Exact arithmetic of the target's floating-point types on their bit patterns, rounding to nearest even.

use crate::types::FloatKind;
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use std::cmp::Ordering;

#[derive(Clone, Copy)]
pub(super) enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
}

/// Runs `$body` with `$F` standing for the arithmetic of `$kind`.
macro_rules! with {
    ($kind:expr, $F:ident => $body:expr) => {
        match $kind {
            FloatKind::Float => {
                type $F = Single;
                $body
            }
            FloatKind::Double => {
                type $F = Double;
                $body
            }
            FloatKind::LongDouble => {
                type $F = X87DoubleExtended;
                $body
            }
            FloatKind::Float128 => {
                type $F = Quad;
                $body
            }
        }
    };
}

/// The bits of a decimal or hexadecimal literal (no suffix); too large ones are infinite, as in gcc.
pub(super) fn parse(kind: FloatKind, text: &str) -> Option<u128> {
    with!(kind, F => F::from_str_r(text, Round::NearestTiesToEven).ok().map(|v| v.value.to_bits()))
}

pub(super) fn binary(kind: FloatKind, op: FloatOp, a: u128, b: u128) -> u128 {
    with!(kind, F => {
        let (a, b) = (F::from_bits(a), F::from_bits(b));
        match op {
            FloatOp::Add => a + b,
            FloatOp::Sub => a - b,
            FloatOp::Mul => a * b,
            FloatOp::Div => a / b,
        }.value.to_bits()
    })
}

pub(super) fn negate(kind: FloatKind, a: u128) -> u128 {
    with!(kind, F => (-F::from_bits(a)).to_bits())
}

/// None if one of them is a NaN.
pub(super) fn compare(kind: FloatKind, a: u128, b: u128) -> Option<Ordering> {
    with!(kind, F => F::from_bits(a).partial_cmp(&F::from_bits(b)))
}

pub(super) fn is_zero(kind: FloatKind, a: u128) -> bool {
    with!(kind, F => F::from_bits(a).is_zero())
}

pub(super) fn infinity(kind: FloatKind) -> u128 {
    with!(kind, F => F::INFINITY.to_bits())
}

pub(super) fn quiet_nan(kind: FloatKind) -> u128 {
    with!(kind, F => F::qnan(None).to_bits())
}

pub(super) fn smallest_normal(kind: FloatKind) -> u128 {
    with!(kind, F => F::smallest_normalized().to_bits())
}

/// Of a number given as `IntType::value` gives it (unsigned 128-bit values wrapped into i128).
pub(super) fn from_int(kind: FloatKind, value: i128, signed: bool) -> u128 {
    with!(kind, F => {
        if signed { F::from_i128(value).value.to_bits() } else { F::from_u128(value as u128).value.to_bits() }
    })
}

/// Truncates toward zero; None if the result does not fit, which C leaves undefined.
pub(super) fn to_int(kind: FloatKind, bits: u128, width: usize, signed: bool) -> Option<i128> {
    with!(kind, F => {
        let value = F::from_bits(bits);
        let mut exact = false;
        if signed {
            let r = value.to_i128_r(width, Round::TowardZero, &mut exact);
            (!r.status.contains(Status::INVALID_OP)).then_some(r.value)
        } else {
            let r = value.to_u128_r(width, Round::TowardZero, &mut exact);
            (!r.status.contains(Status::INVALID_OP)).then_some(r.value as i128)
        }
    })
}

pub(super) fn convert(from: FloatKind, to: FloatKind, bits: u128) -> u128 {
    if from == to {
        return bits;
    }
    let mut loses = false;
    with!(from, F => {
        let value = F::from_bits(bits);
        with!(to, T => {
            let result: T = <F as FloatConvert<T>>::convert(value, &mut loses).value;
            result.to_bits()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_round_as_the_host_does() {
        for text in
            ["0.1", "1e5", "1.", ".5", "1.e-3", "3.4028235e38", "1e-45", "123456789.987654321", "2.5e-324"]
        {
            let rust_text = text.trim_end_matches('.');
            let double: f64 = rust_text.replace(".e", ".0e").parse().unwrap();
            let single: f32 = rust_text.replace(".e", ".0e").parse().unwrap();
            assert_eq!(parse(FloatKind::Double, text), Some(double.to_bits().into()), "{text}");
            assert_eq!(parse(FloatKind::Float, text), Some(single.to_bits().into()), "{text}");
        }
        assert_eq!(parse(FloatKind::Double, "0x1.8p3"), Some(12.0f64.to_bits().into()));
        assert_eq!(parse(FloatKind::Double, "1e999"), Some(f64::INFINITY.to_bits().into()));
        assert_eq!(parse(FloatKind::LongDouble, "1.0"), Some(0x3fff_8000_0000_0000_0000));
    }

    #[test]
    fn integers_in_and_out() {
        let minus = from_int(FloatKind::Double, -7, true);
        assert_eq!(to_int(FloatKind::Double, minus, 32, true), Some(-7));
        assert_eq!(to_int(FloatKind::Double, minus, 32, false), None);
        let big = from_int(FloatKind::Double, u64::MAX as i128, false);
        assert_eq!(to_int(FloatKind::Double, big, 64, false), None);
        assert_eq!(
            convert(FloatKind::Double, FloatKind::Float, 0.1f64.to_bits().into()),
            0.1f32.to_bits().into()
        );
    }
}
