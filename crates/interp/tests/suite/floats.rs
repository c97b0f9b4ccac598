//! Floats: the two native formats against the host, the two software ones against what the host can check.

use crate::build::{branching, call, constant, param, returning};
use interp::{Outcome, eval, float};
use ir::{BinOp, Expr, FloatType, IntType, Target, Type, UnOp};
use proptest::prelude::*;

const F64_VALUES: [f64; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1.5,
    2.5,
    -2.5,
    3.0,
    0.1,
    1e10,
    -1e10,
    1e300,
    1e-300,
    5e-324,
    f64::MIN_POSITIVE,
    f64::MAX,
    f64::MIN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    4503599627370497.5,
    9223372036854775808.0,
    -9223372036854775808.0,
    18446744073709551616.0,
];

const OPS: [BinOp; 5] = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div, BinOp::Rem];
const COMPARISONS: [BinOp; 4] = [BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Le];

fn result(outcome: &Outcome) -> u128 {
    match outcome {
        Outcome::Returned(Some(bits)) => *bits,
        other => panic!("{other:?}"),
    }
}

fn host(op: BinOp, a: f64, b: f64) -> f64 {
    match op {
        BinOp::Add => a + b,
        BinOp::Sub => a - b,
        BinOp::Mul => a * b,
        BinOp::Div => a / b,
        _ => a % b,
    }
}

fn host32(op: BinOp, a: f32, b: f32) -> f32 {
    match op {
        BinOp::Add => a + b,
        BinOp::Sub => a - b,
        BinOp::Mul => a * b,
        BinOp::Div => a / b,
        _ => a % b,
    }
}

fn compare(op: BinOp, a: f64, b: f64) -> bool {
    match op {
        BinOp::Eq => a == b,
        BinOp::Ne => a != b,
        BinOp::Lt => a < b,
        _ => a <= b,
    }
}

fn check_pair(a: f64, b: f64) {
    let (x, y) = (u128::from(a.to_bits()), u128::from(b.to_bits()));
    let ty = Type::F64;
    for op in OPS {
        let program = returning(Target::LP64, &[ty, ty], Expr::binary(op, param(0, ty), param(1, ty)));
        let found = f64::from_bits(result(&call(&program, &[x, y]).outcome) as u64);
        let expected = host(op, a, b);
        assert!(
            found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan(),
            "{op:?} {a} {b}"
        );
        let folded = Expr::binary(op, constant(ty, x), constant(ty, y));
        let folded = result(&call(&returning(Target::LP64, &[], folded), &[]).outcome) as u64;
        assert_eq!(folded, found.to_bits(), "{op:?} {a} {b}");
        // The wider formats hold every double, and sums, products and quotients round to the double's
        // precision twice only where the first rounding is not to a tie: the quad has enough digits for that.
        if op != BinOp::Rem {
            let wide = |v| float::convert(FloatType::F64, FloatType::F128, v);
            let quad = float::binary(op, FloatType::F128, wide(x), wide(y));
            let back = f64::from_bits(float::convert(FloatType::F128, FloatType::F64, quad) as u64);
            assert!(
                back.to_bits() == found.to_bits() || back.is_nan() && found.is_nan(),
                "quad {op:?} {a} {b}"
            );
        }
    }
    for op in COMPARISONS {
        let e = Expr::binary(op, param(0, ty), param(1, ty));
        let expected = u128::from(compare(op, a, b));
        assert_eq!(result(&call(&returning(Target::LP64, &[ty, ty], e.clone()), &[x, y]).outcome), expected);
        assert_eq!(result(&call(&branching(Target::LP64, &[ty, ty], e.clone()), &[x, y]).outcome), expected);
        let negated = branching(Target::LP64, &[ty, ty], e.not());
        assert_eq!(result(&call(&negated, &[x, y]).outcome), 1 - expected, "{op:?} {a} {b}");
        for f in [FloatType::F80, FloatType::F128] {
            let wide = |v| float::convert(FloatType::F64, f, v);
            assert_eq!(float::binary(op, f, wide(x), wide(y)), expected, "{f:?} {op:?} {a} {b}");
        }
    }
}

#[test]
fn doubles_at_the_borders() {
    for a in F64_VALUES.into_iter().chain([f64::NAN]) {
        for b in F64_VALUES.into_iter().chain([f64::NAN]) {
            check_pair(a, b);
        }
    }
}

#[test]
fn rounding_and_roots() {
    for a in F64_VALUES.into_iter().chain([0.49999999999999994, -0.5, 2.0, 1e15 + 0.5, -1.5, 1.0 / 3.0]) {
        let bits = u128::from(a.to_bits());
        let cases: [(UnOp, f64); 8] = [
            (UnOp::Neg, -a),
            (UnOp::Abs, a.abs()),
            (UnOp::Sqrt, a.sqrt()),
            (UnOp::Floor, a.floor()),
            (UnOp::Ceil, a.ceil()),
            (UnOp::Trunc, a.trunc()),
            (UnOp::RoundEven, a.round_ties_even()),
            (UnOp::RoundAway, a.round()),
        ];
        for (op, expected) in cases {
            let program = returning(Target::LP64, &[Type::F64], Expr::unary(op, param(0, Type::F64)));
            let found = result(&call(&program, &[bits]).outcome) as u64;
            let same = found == expected.to_bits() || f64::from_bits(found).is_nan() && expected.is_nan();
            assert!(same, "{op:?} {a}");
            // The software formats: exact on integers, and a root rounds the same way through a quad.
            for f in [FloatType::F80, FloatType::F128] {
                if op == UnOp::Sqrt && f == FloatType::F80 {
                    continue;
                }
                let wide = float::unary(op, f, float::convert(FloatType::F64, f, bits));
                let back = f64::from_bits(float::convert(f, FloatType::F64, wide) as u64);
                assert!(
                    back.to_bits() == expected.to_bits() || back.is_nan() && expected.is_nan(),
                    "{f:?} {op:?} {a}"
                );
            }
        }
    }
}

#[test]
fn extended_roots_are_the_nearest() {
    // As the x87 computes them.
    for (value, root) in [
        (0x3fff_8000000000000000, 0x3fff_8000000000000000),
        (0x4000_8000000000000000, 0x3fff_b504f333f9de6484),
        (0x4001_9000000000000000, 0x4000_87c3b666fb66cb63),
        (0x0000_0000000000000001, 0x1fe0_b504f333f9de6484),
        (0x7ffe_ffffffffffffffff, 0x5ffe_ffffffffffffffff),
        (0x3ffe_fedcba9876543211, 0x3ffe_ff6e33c7bdd7c559),
        (0x3fff_ffffffffffffffff, 0x3fff_b504f333f9de6484),
        (0x1234_c90fdaa22168c235, 0x2919_e2dfc48da77b553d),
        (0x7fff_8000000000000000, 0x7fff_8000000000000000),
        (0x8000_0000000000000000, 0x8000_0000000000000000u128),
    ] {
        assert_eq!(float::unary(UnOp::Sqrt, FloatType::F80, value), root, "{value:#x}");
    }
}

/// C's conversions out of range, as gcc compiles them for x86.
#[test]
fn floats_to_integers() {
    let check = |value: f64, ty: Type, expected: i128| {
        let program = returning(Target::LP64, &[Type::F64], Expr::cast(ty, param(0, Type::F64)));
        let found = result(&call(&program, &[value.to_bits().into()]).outcome);
        assert_eq!(found, ty.as_int().unwrap().wrap(expected), "{value} to {ty}");
        for f in [FloatType::F80, FloatType::F128] {
            let wide = float::convert(FloatType::F64, f, value.to_bits().into());
            assert_eq!(float::to_int(f, ty.as_int().unwrap(), wide), found, "{f:?} {value} to {ty}");
        }
    };
    for ty in crate::bits::INTS {
        for value in [0.0, -0.0, 1.9, 100.5] {
            check(value, ty, value as i128);
        }
    }
    check(-1.9, Type::I32, -1);
    check(300.0, Type::U8, 44);
    check(-1.0, Type::U8, 255);
    check(2147483647.5, Type::I32, 2147483647);
    check(2147483648.0, Type::I32, -2147483648);
    check(1e10, Type::I16, 0);
    check(f64::NAN, Type::I32, -2147483648);
    check(-1.0, Type::U32, 0xffff_ffff);
    check(4294967296.0, Type::U32, 0);
    check(1e19, Type::I64, i64::MIN.into());
    check(1e19, Type::U64, 10_000_000_000_000_000_000);
    check(1e20, Type::U64, 0);
    check(-5.0, Type::U64, -5);
    check(f64::NAN, Type::U64, i64::MIN.into());
    check(f64::INFINITY, Type::U64, 0);
    check(1e30, Type::I128, 1_000_000_000_000_000_019_884_624_838_656);
    check(f64::NEG_INFINITY, Type::I128, i128::MIN);
}

#[test]
fn nans_are_the_target_s() {
    let check = |op: BinOp, a: u64, b: u64, expected: u64| {
        let program = returning(
            Target::LP64,
            &[Type::F64, Type::F64],
            Expr::binary(op, param(0, Type::F64), param(1, Type::F64)),
        );
        assert_eq!(result(&call(&program, &[a.into(), b.into()]).outcome) as u64, expected);
    };
    let infinity = f64::INFINITY.to_bits();
    check(BinOp::Sub, infinity, infinity, 0xfff8 << 48);
    check(BinOp::Div, 0, 0, 0xfff8 << 48);
    check(BinOp::Add, 0x7ff0_0000_0000_0001, 0, 0x7ff8_0000_0000_0001);
    check(BinOp::Add, 0, 0x7ff8_0000_0000_0005, 0x7ff8_0000_0000_0005);
    assert_eq!(float::convert(FloatType::F64, FloatType::F32, 0xfff8_0000_2000_0000), 0xffc0_0001);
    assert_eq!(float::convert(FloatType::F32, FloatType::F64, 0x7f80_0001), 0x7ff8_0000_2000_0000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn doubles(a in any::<u64>(), b in any::<u64>()) {
        check_pair(f64::from_bits(a), f64::from_bits(b));
    }

    #[test]
    fn singles(a in any::<u32>(), b in any::<u32>()) {
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        for op in OPS {
            let found = eval::binary(&Target::LP64, op, Type::F32, a.into(), b.into()).unwrap() as u32;
            let expected = host32(op, x, y);
            prop_assert!(found == expected.to_bits() || f32::from_bits(found).is_nan() && expected.is_nan());
        }
        let wide = eval::cast(&Target::LP64, Type::F32, Type::F64, a.into()) as u64;
        prop_assert!(wide == f64::from(x).to_bits() || x.is_nan());
    }

    #[test]
    fn integers_to_floats(value in any::<u128>(), shift in 0u32..128) {
        let value = value >> shift;
        for ty in crate::bits::INTS {
            let int: IntType = ty.as_int().unwrap();
            let bits = value & int.mask();
            let (double, single) =
                if int.signed { (int.value(bits) as f64, int.value(bits) as f32) } else { (bits as f64, bits as f32) };
            let to = |to| {
                let program = returning(Target::LP64, &[ty], Expr::cast(to, param(0, ty)));
                result(&call(&program, &[bits]).outcome)
            };
            prop_assert_eq!(to(Type::F64) as u64, double.to_bits());
            prop_assert_eq!(to(Type::F32) as u32, single.to_bits());
            // 64 bits fit an F80, 113 an F128: there and back is exact.
            if int.bits <= 64 {
                prop_assert_eq!(float::to_int(FloatType::F80, int, to(Type::F80)), bits);
                prop_assert_eq!(float::to_int(FloatType::F128, int, to(Type::F128)), bits);
            }
        }
    }

    /// Any bits, also those that encode no number, go through every operator.
    #[test]
    fn software_formats_take_any_bits(a in any::<u128>(), b in any::<u128>()) {
        for ty in [Type::F80, Type::F128] {
            let mask = eval::type_mask(&Target::LP64, ty);
            let (x, y) = (a & mask, b & mask);
            for op in OPS.into_iter().chain(COMPARISONS) {
                let found = eval::binary(&Target::LP64, op, ty, x, y).unwrap();
                prop_assert_eq!(found & !mask, 0);
            }
            for op in [UnOp::Neg, UnOp::Sqrt, UnOp::Floor, UnOp::RoundAway] {
                prop_assert_eq!(eval::unary(op, ty, x) & !mask, 0);
            }
            for to in crate::bits::INTS.into_iter().chain([Type::F32, Type::F64, Type::F80, Type::F128]) {
                let found = eval::cast(&Target::LP64, ty, to, x);
                prop_assert_eq!(found & !eval::type_mask(&Target::LP64, to), 0);
            }
        }
    }
}
