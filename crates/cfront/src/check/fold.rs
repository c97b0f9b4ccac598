//! Folding while building: operations on constants become constants at once, so a constant expression is
//! usually just an `Int`. What C leaves undefined (signed overflow, division by zero, wide shifts) stays as
//! it is written, for the checks that look for it; the evaluator in `constant` decides it where a constant is
//! required.

use super::Checker;
use super::float::{self, FloatOp};
use crate::hir::{BinaryOp, Expr, ExprKind};
use crate::types::{TypeId, TypeKind, TypeTable};
use base::Span;
use ir::IntType;
use std::cmp::Ordering;

impl Checker<'_> {
    /// The layout in which an `Int` of this type is kept: integers and pointers.
    pub(super) fn const_layout(&self, ty: TypeId) -> Option<IntType> {
        match self.types.kind(ty) {
            TypeKind::Pointer(_) => Some(IntType::new(self.types.target.pointer_bits, false)),
            _ => self.types.int_layout(ty),
        }
    }

    /// The constant that `e` (a literal) becomes in type `to`; None if it is no literal or the conversion is
    /// undefined.
    pub(super) fn convert_constant(&self, e: &Expr, to: TypeId) -> Option<ExprKind> {
        let from = e.ty.ty;
        match e.kind {
            ExprKind::Int(bits) => {
                let layout = self.const_layout(from)?;
                if to == TypeTable::BOOL {
                    return Some(ExprKind::Int((bits != 0) as u128));
                }
                if let Some(kind) = self.types.float_kind(to) {
                    return Some(ExprKind::Float(float::from_int(kind, layout.value(bits), layout.signed)));
                }
                let target = self.const_layout(to)?;
                Some(ExprKind::Int(target.wrap(layout.value(bits))))
            }
            ExprKind::Float(bits) => {
                let kind = self.types.float_kind(from)?;
                if to == TypeTable::BOOL {
                    return Some(ExprKind::Int(!float::is_zero(kind, bits) as u128));
                }
                if let Some(target) = self.types.float_kind(to) {
                    return Some(ExprKind::Float(float::convert(kind, target, bits)));
                }
                let target = self.types.int_layout(to)?;
                let value = float::to_int(kind, bits, target.bits.into(), target.signed)?;
                Some(ExprKind::Int(target.wrap(value)))
            }
            _ => None,
        }
    }

    pub(super) fn fold_convert(&mut self, e: Expr, to: TypeId) -> Expr {
        let span = e.span;
        match self.convert_constant(&e, to) {
            Some(kind) => self.value(kind, to, span),
            None => self.value(ExprKind::Convert(Box::new(e)), to, span),
        }
    }

    /// `a op b` of type `ty`; both are of one type (shifts: promoted).
    pub(super) fn fold_binary(&mut self, op: BinaryOp, a: Expr, b: Expr, ty: TypeId, span: Span) -> Expr {
        let folded = match (&a.kind, &b.kind) {
            (ExprKind::Int(x), ExprKind::Int(y)) => self
                .const_layout(a.ty.ty)
                .and_then(|layout| int_binary(op, layout, *x, *y, self.shift_count(b.ty.ty, *y), false))
                .map(ExprKind::Int),
            (ExprKind::Float(x), ExprKind::Float(y)) => {
                self.types.float_kind(a.ty.ty).and_then(|kind| float_binary(op, kind, *x, *y))
            }
            _ => None,
        };
        match folded {
            Some(kind) => self.value(kind, ty, span),
            None => self.value(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span),
        }
    }

    /// A shift count by its own type; None if negative.
    pub(super) fn shift_count(&self, ty: TypeId, bits: u128) -> Option<u128> {
        let layout = self.const_layout(ty)?;
        let value = layout.value(bits);
        (value >= 0 || !layout.signed).then_some(value as u128)
    }

    pub(super) fn fold_not(&mut self, e: Expr, span: Span) -> Expr {
        match self.literal_truth(&e) {
            Some(truth) => self.int_expr(TypeTable::INT, !truth as i128, span),
            None => self.value(ExprKind::Not(Box::new(e)), TypeTable::INT, span),
        }
    }

    /// Is this literal different from zero?
    pub(super) fn literal_truth(&self, e: &Expr) -> Option<bool> {
        match e.kind {
            ExprKind::Int(bits) if e.ty.ty != TypeTable::ERROR => Some(bits != 0),
            ExprKind::Float(bits) => Some(!float::is_zero(self.types.float_kind(e.ty.ty)?, bits)),
            _ => None,
        }
    }

    pub(super) fn fold_neg(&mut self, e: Expr, span: Span) -> Expr {
        let ty = e.ty.ty;
        let folded = match e.kind {
            ExprKind::Int(bits) => self.types.int_layout(ty).and_then(|layout| {
                let overflow = layout.signed && bits == layout.min_bits();
                (!overflow).then(|| ExprKind::Int(layout.wrap((bits as i128).wrapping_neg())))
            }),
            ExprKind::Float(bits) => {
                self.types.float_kind(ty).map(|kind| ExprKind::Float(float::negate(kind, bits)))
            }
            _ => None,
        };
        match folded {
            Some(kind) => self.value(kind, ty, span),
            None => self.value(ExprKind::Neg(Box::new(e)), ty, span),
        }
    }

    pub(super) fn fold_bit_not(&mut self, e: Expr, span: Span) -> Expr {
        let ty = e.ty.ty;
        match (&e.kind, self.types.int_layout(ty)) {
            (ExprKind::Int(bits), Some(layout)) => {
                let kind = ExprKind::Int(!bits & layout.mask());
                self.value(kind, ty, span)
            }
            _ => self.value(ExprKind::BitNot(Box::new(e)), ty, span),
        }
    }
}

/// On bits of one layout; the right side of a shift comes as `count`. With `wrap`, overflow wraps and wide
/// shifts give what they give on the target; without, such operations have no value here. Comparisons give 0
/// or 1.
pub(super) fn int_binary(
    op: BinaryOp,
    layout: IntType,
    x: u128,
    y: u128,
    count: Option<u128>,
    wrap: bool,
) -> Option<u128> {
    let (a, b) = (layout.value(x), layout.value(y));
    let order = if layout.signed { a.cmp(&b) } else { x.cmp(&y) };
    let truth = |t: bool| Some(t as u128);
    let exact = |value: Option<i128>, wrapped: i128| {
        let bits = layout.wrap(wrapped);
        let fits = !layout.signed || value.is_some_and(|v| layout.value(bits) == v);
        (fits || wrap).then_some(bits)
    };
    match op {
        BinaryOp::Add => exact(a.checked_add(b), a.wrapping_add(b)),
        BinaryOp::Sub => exact(a.checked_sub(b), a.wrapping_sub(b)),
        BinaryOp::Mul => exact(a.checked_mul(b), a.wrapping_mul(b)),
        BinaryOp::Div | BinaryOp::Rem if y == 0 => None,
        BinaryOp::Div if layout.signed => exact(a.checked_div(b), a.wrapping_div(b)),
        BinaryOp::Div => Some(x / y),
        BinaryOp::Rem if layout.signed => {
            // INT_MIN % -1 is as undefined as the division.
            let overflow = x == layout.min_bits() && b == -1;
            if overflow && !wrap { None } else { Some(layout.wrap(a.wrapping_rem(b))) }
        }
        BinaryOp::Rem => Some(x % y),
        BinaryOp::And => Some(x & y),
        BinaryOp::Or => Some(x | y),
        BinaryOp::Xor => Some(x ^ y),
        BinaryOp::Shl | BinaryOp::Shr => {
            let count = count.filter(|&c| c < u128::from(layout.bits))? as u32;
            if op == BinaryOp::Shl {
                // Left for lowering to check; negative values have their highest bit set, and are too large.
                let fits = !layout.signed || x <= layout.max_bits() >> count;
                (fits || wrap).then_some((x << count) & layout.mask())
            } else if layout.signed {
                Some(layout.wrap(a >> count))
            } else {
                Some(x >> count)
            }
        }
        BinaryOp::Eq => truth(order == Ordering::Equal),
        BinaryOp::Ne => truth(order != Ordering::Equal),
        BinaryOp::Lt => truth(order == Ordering::Less),
        BinaryOp::Le => truth(order != Ordering::Greater),
        BinaryOp::Gt => truth(order == Ordering::Greater),
        BinaryOp::Ge => truth(order != Ordering::Less),
    }
}

pub(super) fn float_binary(
    op: BinaryOp,
    kind: crate::types::FloatKind,
    x: u128,
    y: u128,
) -> Option<ExprKind> {
    let arith = |op| Some(ExprKind::Float(float::binary(kind, op, x, y)));
    let order = float::compare(kind, x, y);
    let truth = |t: bool| Some(ExprKind::Int(t as u128));
    match op {
        BinaryOp::Add => arith(FloatOp::Add),
        BinaryOp::Sub => arith(FloatOp::Sub),
        BinaryOp::Mul => arith(FloatOp::Mul),
        BinaryOp::Div => arith(FloatOp::Div),
        BinaryOp::Eq => truth(order == Some(Ordering::Equal)),
        BinaryOp::Ne => truth(order != Some(Ordering::Equal)),
        BinaryOp::Lt => truth(order == Some(Ordering::Less)),
        BinaryOp::Le => truth(matches!(order, Some(Ordering::Less | Ordering::Equal))),
        BinaryOp::Gt => truth(order == Some(Ordering::Greater)),
        BinaryOp::Ge => truth(matches!(order, Some(Ordering::Greater | Ordering::Equal))),
        _ => None,
    }
}
