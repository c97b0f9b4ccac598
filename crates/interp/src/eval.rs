//! The meaning of every operator and conversion on single values.
//!
//! A value is its bits, zero-extended to 128. The interpreter's fast instructions are shortcuts for these
//! functions, and whatever has no shortcut (128-bit integers, `long double`, rare operators) goes through
//! them.

use crate::float;
use ir::{BinOp, IntType, Target, Type, UnOp};

/// What ends an execution inside an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArithFault {
    DivisionByZero,
    /// The least value of a signed type divided by -1, also for the remainder: the target traps on both.
    DivisionOverflow,
}

/// The mask of the bits that a value of this type can have.
pub fn type_mask(target: &Target, ty: Type) -> u128 {
    match ty {
        Type::Bool => 1,
        Type::Int(int) => int.mask(),
        Type::Ptr => low_bits(u32::from(target.pointer_bits)),
        Type::Float(f) => low_bits(f.value_bytes() as u32 * 8),
    }
}

/// `op` on two operands of type `ty` (for `PtrAdd`, the type of the pointer).
pub fn binary(target: &Target, op: BinOp, ty: Type, a: u128, b: u128) -> Result<u128, ArithFault> {
    match ty {
        Type::Int(int) => int_binary(op, int, a & int.mask(), b & int.mask()),
        Type::Float(f) => Ok(float::binary(op, f, a, b)),
        Type::Bool => Ok(bool_binary(op, a & 1, b & 1)),
        Type::Ptr => {
            let int = IntType::new(target.pointer_bits, op == BinOp::PtrSub);
            let int_op = match op {
                BinOp::PtrAdd => BinOp::Add,
                BinOp::PtrSub => BinOp::Sub,
                other => other,
            };
            int_binary(int_op, int, a & int.mask(), b & int.mask())
        }
    }
}

pub fn unary(op: UnOp, ty: Type, a: u128) -> u128 {
    match (ty, op) {
        (Type::Float(f), _) => float::unary(op, f, a),
        (Type::Int(int), UnOp::Neg) => int.wrap((a as i128).wrapping_neg()),
        (Type::Int(int), UnOp::Not) => !a & int.mask(),
        (Type::Bool, UnOp::Not) => (a & 1) ^ 1,
        _ => a,
    }
}

pub fn cast(target: &Target, from: Type, to: Type, bits: u128) -> u128 {
    let unsigned_pointer = IntType::new(target.pointer_bits, false);
    let as_int = |ty| match ty {
        Type::Int(int) => Some(int),
        Type::Ptr => Some(unsigned_pointer),
        Type::Bool => Some(IntType::new(8, false)),
        Type::Float(_) => None,
    };
    match (from, to) {
        (Type::Float(f), Type::Float(g)) => float::convert(f, g, bits),
        (Type::Float(f), _) => as_int(to).map_or(0, |int| float::to_int(f, int, bits)),
        (_, Type::Float(g)) => as_int(from).map_or(0, |int| float::from_int(int, g, bits & int.mask())),
        // Integers become pointers by zero extension, whatever their sign.
        (Type::Int(int), Type::Ptr) => bits & int.mask() & unsigned_pointer.mask(),
        _ => match (as_int(from), as_int(to)) {
            (Some(a), Some(b)) => b.wrap(a.value(bits)),
            _ => bits,
        },
    }
}

/// Is the mathematical result outside the type's range? For `Shl`, whether the shift is undefined in C.
pub fn overflows(op: BinOp, int: IntType, a: u128, b: u128) -> bool {
    let (a, b) = (a & int.mask(), b & int.mask());
    if int.bits == 128 {
        return match (op, int.signed) {
            (BinOp::Add, true) => (a as i128).checked_add(b as i128).is_none(),
            (BinOp::Sub, true) => (a as i128).checked_sub(b as i128).is_none(),
            (BinOp::Mul, true) => (a as i128).checked_mul(b as i128).is_none(),
            (BinOp::Add, false) => a.checked_add(b).is_none(),
            (BinOp::Sub, false) => a.checked_sub(b).is_none(),
            (BinOp::Mul, false) => a.checked_mul(b).is_none(),
            (BinOp::Shl, true) => shl_overflows(int, a as i128, b as i128),
            _ => false,
        };
    }
    let (x, y) = (int.value(a), int.value(b));
    // Products of two 64-bit values fit 128 bits, except that of two large unsigned ones.
    let exact = match op {
        BinOp::Add => Some(x + y),
        BinOp::Sub => Some(x - y),
        BinOp::Mul => x.checked_mul(y),
        BinOp::Shl => return int.signed && shl_overflows(int, x, y),
        _ => return false,
    };
    let low = if int.signed { int.value(int.min_bits()) } else { 0 };
    exact.is_none_or(|v| v < low || v > int.max_bits() as i128)
}

/// C11 6.5.7: the value must not be negative and must fit after the shift.
fn shl_overflows(int: IntType, x: i128, count: i128) -> bool {
    if x < 0 || count < 0 || count >= i128::from(int.bits) {
        return true;
    }
    x > (int.max_bits() as i128) >> count
}

fn int_binary(op: BinOp, int: IntType, a: u128, b: u128) -> Result<u128, ArithFault> {
    let (x, y) = (int.value(a), int.value(b));
    let less = if int.signed { x < y } else { a < b };
    let count = (b & u128::from(int.bits - 1)) as u32;
    Ok(match op {
        BinOp::Add => a.wrapping_add(b) & int.mask(),
        BinOp::Sub => a.wrapping_sub(b) & int.mask(),
        BinOp::Mul => a.wrapping_mul(b) & int.mask(),
        BinOp::Div | BinOp::Rem => {
            if b == 0 {
                return Err(ArithFault::DivisionByZero);
            }
            if int.signed && a == int.min_bits() && b == int.mask() {
                return Err(ArithFault::DivisionOverflow);
            }
            match (op, int.signed) {
                (BinOp::Div, true) => int.wrap(x / y),
                (BinOp::Div, false) => a / b,
                (_, true) => int.wrap(x % y),
                (_, false) => a % b,
            }
        }
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => (a << count) & int.mask(),
        BinOp::Shr if int.signed => int.wrap(x >> count),
        BinOp::Shr => a >> count,
        BinOp::Eq => u128::from(a == b),
        BinOp::Ne => u128::from(a != b),
        BinOp::Lt => u128::from(less),
        BinOp::Le => u128::from(less || a == b),
        BinOp::AddOverflows => u128::from(overflows(BinOp::Add, int, a, b)),
        BinOp::SubOverflows => u128::from(overflows(BinOp::Sub, int, a, b)),
        BinOp::MulOverflows => u128::from(overflows(BinOp::Mul, int, a, b)),
        // Operators on pointers only; a verified program has none on integers.
        BinOp::PtrAdd | BinOp::PtrSub => 0,
    })
}

fn bool_binary(op: BinOp, a: u128, b: u128) -> u128 {
    match op {
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor | BinOp::Ne => a ^ b,
        BinOp::Eq => a ^ b ^ 1,
        BinOp::Lt => u128::from(a < b),
        BinOp::Le => u128::from(a <= b),
        _ => 0,
    }
}

fn low_bits(n: u32) -> u128 {
    if n >= 128 { u128::MAX } else { (1 << n) - 1 }
}
