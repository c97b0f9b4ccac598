//! Every operator and conversion, on the values where they go wrong.

use crate::support::{Depth, MODES, check};
use encode::IntMode;
use ir::{BinOp, Expr, FloatType, LocalId, Target, Type, UnOp, Var};

fn local(i: u32, ty: Type) -> Expr {
    Expr::var(Var::Local(LocalId(i)), ty)
}

fn constant(ty: Type, bits: u128) -> Expr {
    Expr { ty, kind: ir::ExprKind::Const(bits) }
}

const INTS: [Type; 10] = [
    Type::I8,
    Type::U8,
    Type::I16,
    Type::U16,
    Type::I32,
    Type::U32,
    Type::I64,
    Type::U64,
    Type::I128,
    Type::U128,
];
const FLOATS: [Type; 3] = [Type::F32, Type::F64, Type::F128];

/// Numbers at the borders, powers of two and their neighbours.
fn samples(ty: Type, target: &Target) -> Vec<u128> {
    let (bits, mask) = match ty {
        Type::Int(int) => (int.bits, int.mask()),
        Type::Ptr => (target.pointer_bits, u128::MAX >> (128 - target.pointer_bits)),
        Type::Float(f) => return float_samples(f),
        Type::Bool => return vec![0, 1],
    };
    let mut list = vec![0, 1, 2, 3, 5, 7, 8, 10, 0x55, 0x78, 31, 33];
    list.extend([mask, mask - 1, mask - 6, mask >> 1, (mask >> 1) + 1, (mask >> 1) - 1, (mask >> 1) + 2]);
    list.extend([
        1 << (bits / 2),
        (1 << (bits / 2)) - 1,
        u128::MAX - (1 << (bits / 2)) + 1,
        mask / 3,
        mask / 7,
    ]);
    list.iter().map(|v| v & mask).collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

fn float_samples(f: FloatType) -> Vec<u128> {
    let list = [
        0.0,
        1.0,
        0.5,
        1.5,
        2.5,
        0.1,
        3.0,
        7.25,
        127.0,
        128.0,
        255.5,
        256.0,
        32767.9,
        65536.0,
        2147483647.0,
        2147483648.0,
        2147483648.5,
        4294967295.0,
        4294967296.0,
        9.2e18,
        9223372036854775808.0,
        18446744073709549568.0,
        18446744073709551616.0,
        1.7e38,
        1.7014118346046923e38,
        3.4028234663852886e38,
        1e300,
        1e-310,
        1.4e-45,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
    ];
    list.iter()
        .flat_map(|v| [*v, -*v])
        .map(|v| interp::float::convert(FloatType::F64, f, u128::from(v.to_bits())))
        .collect()
}

/// Applies `make` to every sample.
fn check_unary(mode: IntMode, target: Target, ty: Type, make: impl Fn(Expr) -> Expr) {
    let cases: Vec<Vec<u128>> = samples(ty, &target).into_iter().map(|a| vec![a]).collect();
    check(mode, target, &[ty], &make(local(0, ty)), &cases, Depth::Evaluate);
}

/// To every pair of samples; constant operands take other ways, so one of them is a constant as well.
fn check_binary(mode: IntMode, target: Target, tys: [Type; 2], make: impl Fn(Expr, Expr) -> Expr) {
    let [x, y] = tys;
    let (first, second) = (samples(x, &target), samples(y, &target));
    let all: Vec<Vec<u128>> = first.iter().flat_map(|a| second.iter().map(|b| vec![*a, *b])).collect();
    // Coprime to the number of samples, so that all of them occur.
    let some: Vec<Vec<u128>> = all.iter().step_by(7).cloned().collect();
    let general = make(local(0, x), local(1, y));
    let whole = mode == IntMode::Wrap && x == Type::I8;
    check(mode, target, &tys, &general, if whole { &all } else { &some }, Depth::Evaluate);
    for (i, b) in second.iter().enumerate() {
        let cases: Vec<Vec<u128>> = first.iter().skip(i % 3).step_by(3).map(|a| vec![*a]).collect();
        check(mode, target, &[x], &make(local(0, x), constant(y, *b)), &cases, Depth::Evaluate);
    }
    for (i, a) in first.iter().enumerate() {
        let cases: Vec<Vec<u128>> = second.iter().skip(i % 5).step_by(5).map(|b| vec![*b]).collect();
        check(mode, target, &[y], &make(constant(x, *a), local(0, y)), &cases, Depth::Evaluate);
    }
}

#[test]
fn integer_operators() {
    use BinOp::*;
    let list = [
        Add,
        Sub,
        Mul,
        Div,
        Rem,
        And,
        Or,
        Xor,
        Shl,
        Shr,
        Eq,
        Ne,
        Lt,
        Le,
        AddOverflows,
        SubOverflows,
        MulOverflows,
    ];
    for mode in MODES {
        for ty in INTS {
            // Sixteen bits are like eight, and bit-vectors are alike in all widths.
            if ty == Type::I16
                || ty == Type::U16
                || mode == IntMode::Bv && [Type::U8, Type::I64].contains(&ty)
            {
                continue;
            }
            for op in list {
                check_binary(mode, Target::LP64, [ty, ty], |a, b| Expr::binary(op, a, b));
            }
            for op in [UnOp::Neg, UnOp::Not] {
                check_unary(mode, Target::LP64, ty, |a| Expr::unary(op, a));
            }
        }
    }
}

#[test]
fn pointer_operators() {
    for mode in MODES {
        for target in [Target::LP64, Target::ILP32] {
            let (signed, unsigned) = (target.intptr(true), target.intptr(false));
            check_binary(mode, target, [Type::Ptr, signed], |a, b| Expr::binary(BinOp::PtrAdd, a, b));
            check_binary(mode, target, [Type::Ptr, Type::Ptr], |a, b| Expr::ptr_sub(signed, a, b));
            for op in [BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Le] {
                check_binary(mode, target, [Type::Ptr, Type::Ptr], |a, b| Expr::binary(op, a, b));
            }
            check_unary(mode, target, Type::Ptr, |a| Expr::cast(unsigned, a));
        }
    }
}

#[test]
fn truth_values() {
    use BinOp::*;
    let truth = |e: Expr| Expr::binary(Ne, e, constant(Type::U8, 0));
    for mode in MODES {
        for op in [And, Or, Xor, Eq, Ne] {
            let cases = [vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]];
            let e = Expr::binary(op, truth(local(0, Type::U8)), truth(local(1, Type::U8)));
            check(mode, Target::LP64, &[Type::U8, Type::U8], &e.clone().not(), &cases, Depth::Evaluate);
            for ty in [Type::I32, Type::U64] {
                let e = Expr::cast(ty, e.clone());
                check(mode, Target::LP64, &[Type::U8, Type::U8], &e, &cases, Depth::Evaluate);
            }
        }
    }
}

#[test]
fn conversions() {
    for mode in MODES {
        for target in [Target::LP64, Target::ILP32] {
            let all = || INTS.into_iter().chain([Type::Ptr]).chain(FLOATS);
            for (from, to) in all().flat_map(|from| all().map(move |to| (from, to))) {
                if from != to && !(from == Type::Ptr && to.is_float() || from.is_float() && to == Type::Ptr) {
                    check_unary(mode, target, from, |a| Expr::cast(to, a));
                }
            }
        }
    }
}

#[test]
fn float_operators() {
    use BinOp::*;
    use UnOp::*;
    for ty in FLOATS {
        for op in [Add, Sub, Mul, Div, BinOp::Eq, Ne, Lt, Le] {
            check_binary(IntMode::Bv, Target::LP64, [ty, ty], |a, b| Expr::binary(op, a, b));
        }
        for op in [Neg, Sqrt, Abs, Floor, Ceil, Trunc, RoundEven, RoundAway] {
            if op == Sqrt && ty == Type::F128 {
                continue;
            }
            check_unary(IntMode::Wrap, Target::LP64, ty, |a| Expr::unary(op, a));
        }
    }
}

/// The solver's arithmetic is the interpreter's too.
#[test]
fn the_solver_agrees_on_floats() {
    use BinOp::*;
    let list = [1.5, -7.25, 1e30, -0.0, 0.1, 1e-40, f64::NAN, f64::INFINITY, -3.0];
    for (ty, f) in [(Type::F32, FloatType::F32), (Type::F64, FloatType::F64)] {
        let bits = |v: &f64| interp::float::convert(FloatType::F64, f, u128::from(v.to_bits()));
        let single: Vec<Vec<u128>> = list.iter().map(|a| vec![bits(a)]).collect();
        let pairs: Vec<Vec<u128>> =
            list.iter().flat_map(|a| list.iter().map(|b| vec![bits(a), bits(b)])).collect();
        for op in [Add, Mul, Div, Rem, Lt] {
            let e = Expr::binary(op, local(0, ty), local(1, ty));
            check(IntMode::Bv, Target::LP64, &[ty, ty], &e, &pairs, Depth::SolveConstants);
        }
        for to in [Type::I32, Type::U64, Type::U8] {
            let e = Expr::cast(to, local(0, ty));
            check(IntMode::Wrap, Target::LP64, &[ty], &e, &single, Depth::SolveConstants);
        }
    }
    let two = vec![1.5f32.to_bits().into(), 0.1f32.to_bits().into()];
    for op in [Add, Mul, Lt] {
        let e = Expr::binary(op, local(0, Type::F32), local(1, Type::F32));
        check(
            IntMode::Bv,
            Target::LP64,
            &[Type::F32, Type::F32],
            &e,
            std::slice::from_ref(&two),
            Depth::Solve,
        );
    }
}
