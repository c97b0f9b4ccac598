//! Which instruction does an operator of a type take? Tables without state.

use crate::code::{Inst, type_code};
use crate::lower::Value;
use ir::{BinOp, IntType, Target, Type};

/// Is this slot the sign extension of a 32-bit immediate?
pub fn fits(value: u64) -> bool {
    value as i64 == i64::from(value as i32)
}

/// Moves the constant operand of a commutative operator to the right.
pub fn arrange(op: BinOp, x: Value, y: Value) -> (Value, Value) {
    match (op, x, y) {
        (
            BinOp::Add | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Eq | BinOp::Ne,
            Value::Constant(_),
            Value::Slot(_),
        ) => (y, x),
        _ => (x, y),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    I32,
    U32,
    Full,
}

fn width(int: IntType) -> Width {
    match (int.bits, int.signed) {
        (32, true) => Width::I32,
        (32, false) => Width::U32,
        _ => Width::Full,
    }
}

/// Do the instructions of [`binary`] and [`immediate`] need an extension afterwards?
pub fn leaves_range(op: BinOp, int: IntType) -> bool {
    int.bits < 32 && matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl)
}

pub fn binary(op: BinOp, int: IntType, dst: u32, a: u32, b: u32) -> Option<Inst> {
    use Width::{Full, I32, U32};
    Some(match (op, width(int), int.signed) {
        (BinOp::Add, Full, _) => Inst::Add64 { dst, a, b },
        (BinOp::Add, I32, _) => Inst::AddI32 { dst, a, b },
        (BinOp::Add, U32, _) => Inst::AddU32 { dst, a, b },
        (BinOp::Sub, Full, _) => Inst::Sub64 { dst, a, b },
        (BinOp::Sub, I32, _) => Inst::SubI32 { dst, a, b },
        (BinOp::Sub, U32, _) => Inst::SubU32 { dst, a, b },
        (BinOp::Mul, Full, _) => Inst::Mul64 { dst, a, b },
        (BinOp::Mul, I32, _) => Inst::MulI32 { dst, a, b },
        (BinOp::Mul, U32, _) => Inst::MulU32 { dst, a, b },
        (BinOp::Div, _, true) => Inst::DivS { bits: int.bits, dst, a, b },
        (BinOp::Div, _, false) => Inst::DivU { dst, a, b },
        (BinOp::Rem, _, true) => Inst::RemS { bits: int.bits, dst, a, b },
        (BinOp::Rem, _, false) => Inst::RemU { dst, a, b },
        (BinOp::And, ..) => Inst::And { dst, a, b },
        (BinOp::Or, ..) => Inst::Or { dst, a, b },
        (BinOp::Xor, ..) => Inst::Xor { dst, a, b },
        (BinOp::Shl, Full, _) => Inst::Shl64 { dst, a, b },
        (BinOp::Shl, I32, _) => Inst::ShlI32 { dst, a, b },
        (BinOp::Shl, U32, _) => Inst::ShlU32 { dst, a, b },
        (BinOp::Shr, Full, true) => Inst::ShrS64 { dst, a, b },
        (BinOp::Shr, Full, false) => Inst::ShrU64 { dst, a, b },
        (BinOp::Shr, _, true) => Inst::ShrS32 { dst, a, b },
        (BinOp::Shr, _, false) => Inst::ShrU32 { dst, a, b },
        (BinOp::Eq, ..) => Inst::Eq { dst, a, b },
        (BinOp::Ne, ..) => Inst::Ne { dst, a, b },
        (BinOp::Lt, _, true) => Inst::LtS { dst, a, b },
        (BinOp::Lt, _, false) => Inst::LtU { dst, a, b },
        (BinOp::Le, _, true) => Inst::LeS { dst, a, b },
        (BinOp::Le, _, false) => Inst::LeU { dst, a, b },
        _ => return None,
    })
}

/// With a constant on the right.
pub fn immediate(op: BinOp, int: IntType, dst: u32, a: u32, imm: i32) -> Option<Inst> {
    use Width::{Full, I32, U32};
    Some(match (op, width(int), int.signed) {
        (BinOp::Add, Full, _) => Inst::Add64Imm { dst, a, imm },
        (BinOp::Add, I32, _) => Inst::AddI32Imm { dst, a, imm },
        (BinOp::Add, U32, _) => Inst::AddU32Imm { dst, a, imm },
        (BinOp::Mul, Full, _) => Inst::Mul64Imm { dst, a, imm },
        (BinOp::Mul, I32, _) => Inst::MulI32Imm { dst, a, imm },
        (BinOp::Mul, U32, _) => Inst::MulU32Imm { dst, a, imm },
        (BinOp::And, ..) => Inst::AndImm { dst, a, imm },
        (BinOp::Or, ..) => Inst::OrImm { dst, a, imm },
        (BinOp::Xor, ..) => Inst::XorImm { dst, a, imm },
        (BinOp::Shl, Full, _) => Inst::Shl64Imm { dst, a, imm },
        (BinOp::Shl, I32, _) => Inst::ShlI32Imm { dst, a, imm },
        (BinOp::Shl, U32, _) => Inst::ShlU32Imm { dst, a, imm },
        (BinOp::Shr, _, true) => Inst::ShrSImm { dst, a, imm },
        (BinOp::Shr, _, false) => Inst::ShrUImm { dst, a, imm },
        (BinOp::Eq, ..) => Inst::EqImm { dst, a, imm },
        (BinOp::Ne, ..) => Inst::NeImm { dst, a, imm },
        (BinOp::Lt, _, true) => Inst::LtSImm { dst, a, imm },
        (BinOp::Lt, _, false) => Inst::LtUImm { dst, a, imm },
        (BinOp::Le, _, true) => Inst::LeSImm { dst, a, imm },
        (BinOp::Le, _, false) => Inst::LeUImm { dst, a, imm },
        _ => return None,
    })
}

/// A jump taken where the comparison is `sense`.
pub fn jump(op: BinOp, signed: bool, sense: bool, cost: u16, a: u32, b: u32) -> Inst {
    let to = 0;
    // `!(a < b)` is `b <= a`.
    match (op, sense, signed) {
        (BinOp::Eq, true, _) | (BinOp::Ne, false, _) => Inst::JumpEq { cost, a, b, to },
        (BinOp::Ne, ..) | (BinOp::Eq, ..) => Inst::JumpNe { cost, a, b, to },
        (BinOp::Lt, true, true) => Inst::JumpLtS { cost, a, b, to },
        (BinOp::Lt, true, false) => Inst::JumpLtU { cost, a, b, to },
        (BinOp::Lt, false, true) => Inst::JumpLeS { cost, a: b, b: a, to },
        (BinOp::Lt, false, false) => Inst::JumpLeU { cost, a: b, b: a, to },
        (_, true, true) => Inst::JumpLeS { cost, a, b, to },
        (_, true, false) => Inst::JumpLeU { cost, a, b, to },
        (_, false, true) => Inst::JumpLtS { cost, a: b, b: a, to },
        (_, false, false) => Inst::JumpLtU { cost, a: b, b: a, to },
    }
}

pub fn jump_immediate(op: BinOp, signed: bool, sense: bool, cost: u16, a: u32, imm: i32) -> Inst {
    let to = 0;
    match (op, sense, signed) {
        (BinOp::Eq, true, _) | (BinOp::Ne, false, _) => Inst::JumpEqImm { cost, a, imm, to },
        (BinOp::Ne, ..) | (BinOp::Eq, ..) => Inst::JumpNeImm { cost, a, imm, to },
        (BinOp::Lt, true, true) => Inst::JumpLtSImm { cost, a, imm, to },
        (BinOp::Lt, true, false) => Inst::JumpLtUImm { cost, a, imm, to },
        (BinOp::Lt, false, true) => Inst::JumpGeSImm { cost, a, imm, to },
        (BinOp::Lt, false, false) => Inst::JumpGeUImm { cost, a, imm, to },
        (_, true, true) => Inst::JumpLeSImm { cost, a, imm, to },
        (_, true, false) => Inst::JumpLeUImm { cost, a, imm, to },
        (_, false, true) => Inst::JumpGtSImm { cost, a, imm, to },
        (_, false, false) => Inst::JumpGtUImm { cost, a, imm, to },
    }
}

/// With a constant on the left: `imm < a`, `imm <= a`.
pub fn jump_reversed(op: BinOp, signed: bool, sense: bool, cost: u16, a: u32, imm: i32) -> Inst {
    // `imm < a` is `!(a <= imm)`, `imm <= a` is `!(a < imm)`.
    let other = if op == BinOp::Lt { BinOp::Le } else { BinOp::Lt };
    jump_immediate(other, signed, !sense, cost, a, imm)
}

/// The comparison with a constant on the left as a value.
pub fn reversed(op: BinOp, signed: bool, dst: u32, a: u32, imm: i32) -> Option<Inst> {
    Some(match (op, signed) {
        (BinOp::Lt, true) => Inst::GtSImm { dst, a, imm },
        (BinOp::Lt, false) => Inst::GtUImm { dst, a, imm },
        (BinOp::Le, true) => Inst::GeSImm { dst, a, imm },
        (BinOp::Le, false) => Inst::GeUImm { dst, a, imm },
        _ => return None,
    })
}

pub fn float(op: BinOp, double: bool, dst: u32, a: u32, b: u32) -> Option<Inst> {
    if !double {
        return None;
    }
    Some(match op {
        BinOp::Add => Inst::FloatAdd { dst, a, b },
        BinOp::Sub => Inst::FloatSub { dst, a, b },
        BinOp::Mul => Inst::FloatMul { dst, a, b },
        BinOp::Div => Inst::FloatDiv { dst, a, b },
        BinOp::Eq => Inst::FloatEq { dst, a, b },
        BinOp::Ne => Inst::FloatNe { dst, a, b },
        BinOp::Lt => Inst::FloatLt { dst, a, b },
        BinOp::Le => Inst::FloatLe { dst, a, b },
        _ => return None,
    })
}

/// The extension that gives a slot the form of `int`; None if every slot has it.
pub fn extend(int: IntType, dst: u32, src: u32) -> Option<Inst> {
    Some(match (int.bits, int.signed) {
        (8, true) => Inst::SignExtend8 { dst, src },
        (16, true) => Inst::SignExtend16 { dst, src },
        (32, true) => Inst::SignExtend32 { dst, src },
        (8, false) => Inst::ZeroExtend8 { dst, src },
        (16, false) => Inst::ZeroExtend16 { dst, src },
        (32, false) => Inst::ZeroExtend32 { dst, src },
        _ => return None,
    })
}

/// The form to bring a slot of type `from` into, so that it is one of type `to`; None if it already is. Both
/// are integers, pointers or Bool of at most 64 bits.
pub fn conversion(target: &Target, from: Type, to: Type) -> Option<IntType> {
    let pointer = IntType::new(target.pointer_bits, false);
    let int = |ty| match ty {
        Type::Int(int) => int,
        Type::Ptr => pointer,
        _ => IntType::new(8, false),
    };
    let (a, b) = (int(from), int(to));
    if to == Type::Ptr && from.is_int() && a.bits < b.bits {
        // Zero extension, whatever the sign.
        return a.signed.then_some(IntType::new(a.bits, false));
    }
    let same = b.bits == 64
        || b.bits > a.bits && (!a.signed || b.signed)
        || b.bits == a.bits && a.signed == b.signed;
    (!same).then_some(b)
}

pub fn load(ty: Type, size: u64, dst: u32, addr: u32, offset: i32) -> Inst {
    let signed = matches!(ty, Type::Int(int) if int.signed);
    let ty = type_code(ty);
    match (size, signed) {
        (1, true) => Inst::LoadI8 { ty, dst, addr, offset },
        (1, false) => Inst::LoadU8 { ty, dst, addr, offset },
        (2, true) => Inst::LoadI16 { ty, dst, addr, offset },
        (2, false) => Inst::LoadU16 { ty, dst, addr, offset },
        (4, true) => Inst::LoadI32 { ty, dst, addr, offset },
        (4, false) => Inst::LoadU32 { ty, dst, addr, offset },
        (8, _) => Inst::Load64 { ty, dst, addr, offset },
        _ => Inst::LoadWide { ty, dst, addr, offset },
    }
}

pub fn load_at(ty: Type, size: u64, dst: u32, addr: u32, index: u32, scale: u16) -> Inst {
    let signed = matches!(ty, Type::Int(int) if int.signed);
    let ty = type_code(ty);
    match (size, signed) {
        (1, true) => Inst::LoadI8At { ty, scale, dst, addr, index },
        (1, false) => Inst::LoadU8At { ty, scale, dst, addr, index },
        (2, true) => Inst::LoadI16At { ty, scale, dst, addr, index },
        (2, false) => Inst::LoadU16At { ty, scale, dst, addr, index },
        (4, true) => Inst::LoadI32At { ty, scale, dst, addr, index },
        (4, false) => Inst::LoadU32At { ty, scale, dst, addr, index },
        _ => Inst::Load64At { ty, scale, dst, addr, index },
    }
}

pub fn store(size: u64, addr: u32, src: u32, offset: i32) -> Inst {
    match size {
        1 => Inst::Store8 { addr, src, offset },
        2 => Inst::Store16 { addr, src, offset },
        4 => Inst::Store32 { addr, src, offset },
        8 => Inst::Store64 { addr, src, offset },
        10 => Inst::Store80 { addr, src, offset },
        _ => Inst::Store128 { addr, src, offset },
    }
}

pub fn store_at(size: u64, addr: u32, src: u32, index: u32, scale: u16) -> Inst {
    match size {
        1 => Inst::Store8At { scale, addr, src, index },
        2 => Inst::Store16At { scale, addr, src, index },
        4 => Inst::Store32At { scale, addr, src, index },
        _ => Inst::Store64At { scale, addr, src, index },
    }
}
