//! Bit-fields: reading and writing some bits of a few bytes.
//!
//! The access is the smallest aligned power-of-two number of bytes that holds the field and stays inside the
//! record; a packed field that no such unit holds is put together from single bytes.

use super::fold;
use super::place::MemoryBits;
use ir::{BinOp, Expr, Target, Type};

pub(crate) struct BitAccess {
    /// Address, type, and the number of the lowest field bit held there, for each part in ascending order.
    pub parts: Vec<(Expr, Type, u32)>,
    /// Position of the field's lowest bit in the first part.
    shift: u32,
    width: u32,
}

pub(crate) fn access(target: &Target, addr: &Expr, bits: MemoryBits) -> BitAccess {
    let (shift, width) = (u32::from(bits.field.shift), u32::from(bits.field.width));
    let at = |delta: i128| fold::ptr_add(addr.clone(), Expr::int(target.intptr(true), delta));
    for bytes in [1u64, 2, 4, 8] {
        // The unit starts at a multiple of its size, counted from the start of the record.
        let back = bits.before % bytes;
        let in_unit = shift + 8 * back as u32;
        if in_unit + width <= 8 * bytes as u32 && bytes - 1 - back <= bits.after {
            let ty = Type::int(8 * bytes as u8, false);
            return BitAccess { parts: vec![(at(-i128::from(back)), ty, 0)], shift: in_unit, width };
        }
    }
    let count = (shift + width).div_ceil(8);
    let parts = (0..count).map(|i| (at(i128::from(i)), Type::U8, 8 * i)).collect();
    BitAccess { parts, shift, width }
}

impl BitAccess {
    fn wide(&self) -> Type {
        match &self.parts[..] {
            [(_, ty, _)] => *ty,
            _ => Type::U128,
        }
    }

    /// The unit's bits, put together.
    fn unit(&self, target: &Target) -> Expr {
        let wide = self.wide();
        let mut sum: Option<Expr> = None;
        for (addr, ty, low) in &self.parts {
            let part = fold::cast(target, wide, Expr::load(*ty, addr.clone()));
            let part = fold::binary(BinOp::Shl, part, Expr::int(wide, i128::from(*low)));
            sum = Some(match sum {
                None => part,
                Some(sum) => fold::binary(BinOp::Or, sum, part),
            });
        }
        sum.unwrap_or_else(|| Expr::int(wide, 0))
    }

    pub fn read(&self, target: &Target, ty: Type) -> Expr {
        let wide = self.wide();
        let unit = self.unit(target);
        let low = fold::binary(BinOp::Shr, unit, Expr::int(wide, i128::from(self.shift)));
        cut(fold::cast(target, ty, low), ty, self.width as u8)
    }

    /// The stores that put `value` into the field.
    pub fn write(&self, target: &Target, value: &Expr) -> Vec<(Expr, Expr)> {
        let wide = self.wide();
        let field = mask(self.width);
        let value = fold::cast(target, wide, unsigned(target, value.clone()));
        let value = fold::binary(BinOp::And, value, Expr::int(wide, field as i128));
        let shift = Expr::int(wide, i128::from(self.shift));
        let value = fold::binary(BinOp::Shl, value, shift);
        let places = field << self.shift;
        let mut stores = Vec::with_capacity(self.parts.len());
        for (addr, ty, low) in &self.parts {
            let Type::Int(int) = *ty else { continue };
            let mine = (places >> low) & int.mask();
            let new = fold::binary(BinOp::Shr, value.clone(), Expr::int(wide, i128::from(*low)));
            let new = fold::cast(target, *ty, new);
            let new = if mine == int.mask() {
                new
            } else {
                let old = Expr::load(*ty, addr.clone());
                let kept = fold::binary(BinOp::And, old, Expr::int(*ty, (!mine & int.mask()) as i128));
                // Bits of the value that belong to other parts were cut by the conversion.
                fold::binary(BinOp::Or, kept, new)
            };
            stores.push((addr.clone(), new));
        }
        stores
    }
}

fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The value's bits as an unsigned integer, so that widening does not smear the sign.
fn unsigned(target: &Target, value: Expr) -> Expr {
    match value.ty {
        Type::Int(int) => fold::cast(target, Type::int(int.bits, false), value),
        _ => value,
    }
}

/// What a field of `width` bits and type `ty` holds after `value` was stored.
pub(crate) fn cut(value: Expr, ty: Type, width: u8) -> Expr {
    let Type::Int(int) = ty else { return value };
    if width >= int.bits {
        return value;
    }
    if !int.signed {
        return fold::binary(BinOp::And, value, Expr::int(ty, mask(u32::from(width)) as i128));
    }
    // Up without a sign, where nothing is undefined, and down with it. Both have the same width on all
    // targets.
    let target = &Target::LP64;
    let by = i128::from(int.bits - width);
    let bits = unsigned(target, value);
    let wide = bits.ty;
    let up = fold::cast(target, ty, fold::binary(BinOp::Shl, bits, Expr::int(wide, by)));
    fold::binary(BinOp::Shr, up, Expr::int(ty, by))
}
