//! Constants of floats fold as the machine computes.

use logic::{Op, Rounding, Sort, Term, Value};
use proptest::prelude::*;

const RNE: Rounding = Rounding::NearestEven;

fn double(x: f64) -> Term {
    Term::float(x.to_bits().into(), Sort::F64)
}

fn single(x: f32) -> Term {
    Term::float(x.to_bits().into(), Sort::F32)
}

/// All kinds of numbers: any bits, small integers, zeros and infinities.
fn doubles() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits),
        (-20i32..20).prop_map(|n| f64::from(n) / 4.0),
        prop::sample::select(vec![
            0.0,
            -0.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            f64::MIN_POSITIVE,
            f64::MAX
        ]),
        any::<i64>().prop_map(|n| n as f64),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn doubles_fold(a in doubles(), b in doubles()) {
        let (x, y) = (double(a), double(b));
        prop_assert_eq!(Term::fp(Op::FpAdd(RNE), [x, y]), double(a + b));
        prop_assert_eq!(Term::fp(Op::FpSub(RNE), [x, y]), double(a - b));
        prop_assert_eq!(Term::fp(Op::FpMul(RNE), [x, y]), double(a * b));
        prop_assert_eq!(Term::fp(Op::FpDiv(RNE), [x, y]), double(a / b));
        prop_assert_eq!(Term::fp(Op::FpSqrt(RNE), [x]), double(a.sqrt()));
        prop_assert_eq!(Term::fp(Op::FpNeg, [x]), double(-a));
        prop_assert_eq!(Term::fp(Op::FpAbs, [x]), double(a.abs()));
        prop_assert_eq!(Term::fp(Op::FpRoundToIntegral(RNE), [x]), double(a.round_ties_even()));
        prop_assert_eq!(Term::fp(Op::FpRoundToIntegral(Rounding::ToZero), [x]), double(a.trunc()));
        prop_assert_eq!(Term::fp(Op::FpRoundToIntegral(Rounding::Up), [x]), double(a.ceil()));
        prop_assert_eq!(Term::fp(Op::FpRoundToIntegral(Rounding::Down), [x]), double(a.floor()));
        prop_assert_eq!(Term::fp(Op::FpRoundToIntegral(Rounding::NearestAway), [x]), double(a.round()));
        prop_assert_eq!(Term::fp_test(Op::FpEq, [x, y]), Term::bool(a == b));
        prop_assert_eq!(Term::fp_test(Op::FpLt, [x, y]), Term::bool(a < b));
        prop_assert_eq!(Term::fp_test(Op::FpLe, [x, y]), Term::bool(a <= b));
        prop_assert_eq!(Term::fp_test(Op::FpIsNan, [x]), Term::bool(a.is_nan()));
        prop_assert_eq!(Term::fp_test(Op::FpIsInfinite, [x]), Term::bool(a.is_infinite()));
        prop_assert_eq!(Term::fp_test(Op::FpIsNegative, [x]), Term::bool(a.is_sign_negative() && !a.is_nan()));
        prop_assert_eq!(Term::fp_from(Op::FpFromFp(RNE), x, Sort::F32), single(a as f32));
        // Identity is not equality: the zeros differ, NaN is itself.
        let same = a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
        prop_assert_eq!(x.equals(y), Term::bool(same));
    }

    #[test]
    fn conversions_fold(bits in any::<u64>(), a in doubles()) {
        let n = Term::bv(bits.into(), 64);
        prop_assert_eq!(Term::fp_from(Op::FpFromUnsigned(RNE), n, Sort::F64), double(bits as f64));
        prop_assert_eq!(Term::fp_from(Op::FpFromSigned(RNE), n, Sort::F64), double(bits as i64 as f64));
        prop_assert_eq!(Term::fp_from(Op::FpFromSigned(RNE), n, Sort::F32), single(bits as i64 as f32));
        prop_assert_eq!(Term::fp_from(Op::FpFromFp(RNE), single(a as f32), Sort::F64), double(f64::from(a as f32)));
        let to_i32 = double(a).fp_to_int(Rounding::ToZero, 32, true);
        if a.trunc() >= f64::from(i32::MIN) && a.trunc() <= f64::from(i32::MAX) {
            prop_assert_eq!(to_i32, Term::bv(u128::from(a as i32 as u32), 32));
        } else {
            // Out of range it is unspecified, and no value is invented.
            prop_assert!(!to_i32.is_const());
            prop_assert_eq!(Value::of(to_i32), None);
        }
        for width in [1u32, 8, 100, 128] {
            let whole = a.trunc();
            let fits = whole >= 0.0 && whole < 2f64.powi(width as i32);
            let to_unsigned = double(a).fp_to_int(Rounding::ToZero, width, false);
            prop_assert_eq!(to_unsigned.as_bv(), fits.then_some(whole as u128));
        }
        // Through the formats that the machine has no instructions for, and back.
        for wide in [Sort::F128, Sort::Float(15, 64)] {
            let through = Term::fp_from(Op::FpFromFp(RNE), double(a), wide);
            prop_assert!(through.is_const());
            prop_assert_eq!(Term::fp_from(Op::FpFromFp(RNE), through, Sort::F64), double(a));
        }
    }

    #[test]
    fn bits_go_through_floats(bits in any::<u32>()) {
        let constant = Term::bv(bits.into(), 32);
        prop_assert_eq!(Term::fp_from(Op::FpFromBits, constant, Sort::F32).fp_to_bits(), constant);
        let var = Term::var("w", Sort::Bv(32));
        prop_assert_eq!(Term::fp_from(Op::FpFromBits, var, Sort::F32).fp_to_bits(), var);
        let float = Term::var("f", Sort::F32);
        prop_assert_eq!(Term::fp_from(Op::FpFromBits, float.fp_to_bits(), Sort::F32), float);
    }
}
