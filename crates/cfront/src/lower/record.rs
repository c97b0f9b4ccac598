//! Struct and union values: they are always somewhere, so a value is a place to copy from.

use super::fold;
use super::function::Lower;
use super::place::Place;
use super::{Lowered, unsupported};
use crate::hir::*;
use crate::types::{TypeId, TypeKind};
use base::Span;
use ir::{BinOp, Op, Type, Var};

impl<'a> Lower<'_, 'a> {
    /// The place that holds a record value.
    pub fn record_value(&mut self, e: &'a Expr) -> Lowered<Place> {
        match &e.kind {
            ExprKind::Load(place) => self.place(place),
            ExprKind::Call { callee, args } => self.call_record(e, callee, args),
            ExprKind::Assign(place, value) => self.assign_record(place, value),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.record_value(b)
            }
            ExprKind::StmtExpr(stmts, Some(value)) => {
                self.stmts(stmts)?;
                self.record_value(value)
            }
            ExprKind::Cond(c, a, b) => {
                let object = Place::memory(self.temp_object(e.ty.ty, e.span)?);
                let (then, otherwise, join) = (self.b.node(), self.b.node(), self.b.node());
                self.condition(c, then, otherwise)?;
                for (node, arm) in [(then, a), (otherwise, b)] {
                    self.b.start(node);
                    let source = self.record_value(arm)?;
                    self.copy_record(&object, &source, e.ty.ty, e.span)?;
                    self.b.jump(join);
                }
                self.b.start(join);
                Ok(object)
            }
            ExprKind::VaArg(_) => Ok(Place::memory(self.va_slot(e)?)),
            ExprKind::Convert(inner) => self.record_value(inner),
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::Member(..)
            | ExprKind::CompoundLiteral(..) => self.place(e),
            _ => unsupported(e.span, "this struct value is not supported"),
        }
    }

    pub fn assign_record(&mut self, place: &'a Expr, value: &'a Expr) -> Lowered<Place> {
        let to = self.place_before(place, value)?;
        let from = self.record_value(value)?;
        self.at(place.span);
        self.copy_record(&to, &from, place.ty.ty, place.span)?;
        Ok(to)
    }

    /// Copies a record. Source and destination are the same object or disjoint, or the source is a temporary.
    pub fn copy_record(&mut self, to: &Place, from: &Place, ty: TypeId, span: Span) -> Lowered<()> {
        let size = self.size_of(ty, span)?;
        match (to, from) {
            (Place::Memory { addr: to, .. }, Place::Memory { addr: from, .. }) => {
                if size > 0 && to != from {
                    let len = ir::Expr::int(self.target().intptr(false), i128::from(size));
                    self.check_range(from, len.clone(), false);
                    self.check_range(to, len.clone(), true);
                    let variable = |addr: &ir::Expr| {
                        matches!(addr.kind, ir::ExprKind::AddrLocal(_) | ir::ExprKind::AddrGlobal(_))
                    };
                    if !(variable(to) && variable(from)) {
                        let same = fold::binary(BinOp::Eq, to.clone(), from.clone());
                        let message = "what is assigned overlaps the place where it goes";
                        self.check_apart((to, &len), (from, &len), same, message);
                    }
                    self.b.emit(Op::Copy { dst: to.clone(), src: from.clone(), len });
                }
                Ok(())
            }
            (Place::Split { .. }, _) | (_, Place::Split { .. }) => {
                let to = self.stable(to);
                let from = self.stable(from);
                for leaf in self.leaves_of(ty, span)? {
                    let source = self.leaf_place(&from, ty, &leaf, span)?;
                    let value = self.read_as(&source, leaf.ty, span)?;
                    let target = self.leaf_place(&to, ty, &leaf, span)?;
                    self.write(&target, value, span)?;
                }
                Ok(())
            }
            _ => unsupported(span, "a scalar was copied as a struct"),
        }
    }

    /// A place whose address does not change while it is written piece by piece.
    fn stable(&mut self, place: &Place) -> Place {
        match place {
            Place::Memory { addr, .. } if addr.may_fault() => Place::memory(self.freeze(addr.clone())),
            _ => place.clone(),
        }
    }

    fn leaves_of(&self, ty: TypeId, span: Span) -> Lowered<Vec<super::function::Leaf>> {
        match super::function::record_leaves(self.types, ty) {
            Some(leaves) => Ok(leaves),
            None => unsupported(span, "a struct that cannot be split was split"),
        }
    }

    /// The scalar `leaf` (relative to the record of type `record`) inside a place that holds the record.
    pub fn leaf_place(
        &mut self,
        place: &Place,
        record: TypeId,
        leaf: &super::function::Leaf,
        span: Span,
    ) -> Lowered<Place> {
        let ty = self.ir_type(leaf.ty, span)?;
        match place {
            Place::Split { leaves, offset } => {
                let at = offset + leaf.offset;
                match leaves.iter().find(|(l, _)| l.offset == at && l.bits == leaf.bits) {
                    Some((_, local)) => Ok(Place::Register { var: Var::Local(*local), ty, bits: leaf.bits }),
                    None => unsupported(span, "a part of a split struct was not found"),
                }
            }
            Place::Memory { addr, .. } => {
                let offset = ir::Expr::int(self.target().intptr(true), i128::from(leaf.offset));
                let size = self.size_of(record, span)?;
                let bits = leaf.bits.map(|field| super::place::MemoryBits {
                    field,
                    before: leaf.offset,
                    after: size.saturating_sub(leaf.offset + 1),
                });
                Ok(Place::Memory { addr: super::fold::ptr_add(addr.clone(), offset), ty: Some(ty), bits })
            }
            Place::Register { .. } => unsupported(span, "a part of a scalar was taken"),
        }
    }

    /// The address of a record value, for passing it to a function.
    pub fn record_address(&mut self, e: &'a Expr) -> Lowered<ir::Expr> {
        let place = self.record_value(e)?;
        match place {
            Place::Memory { addr, .. } => Ok(addr),
            place => {
                let object = self.temp_object(e.ty.ty, e.span)?;
                self.copy_record(&Place::memory(object.clone()), &place, e.ty.ty, e.span)?;
                Ok(object)
            }
        }
    }

    pub fn is_record(&self, ty: TypeId) -> bool {
        matches!(self.types.kind(ty), TypeKind::Record(_))
    }

    /// `va_start`, `va_arg` of a scalar, `va_copy`, `va_end`: see the IR's convention of 16-byte slots.
    pub fn va(&mut self, e: &'a Expr) -> Lowered<ir::Expr> {
        let none = ir::Expr::int(Type::I32, 0);
        match &e.kind {
            ExprKind::VaStart(ap) => {
                let addr = self.value(ap)?;
                self.b
                    .emit(Op::Store { addr, value: ir::Expr { ty: Type::Ptr, kind: ir::ExprKind::VarArgs } });
                Ok(none)
            }
            ExprKind::VaCopy(to, from) => {
                let (addr, from) = (self.value(to)?, self.value(from)?);
                self.b.emit(Op::Store { addr, value: ir::Expr::load(Type::Ptr, from) });
                Ok(none)
            }
            ExprKind::VaEnd(ap) => {
                self.value(ap)?;
                Ok(none)
            }
            _ => {
                let slot = self.va_slot(e)?;
                Ok(ir::Expr::load(self.ir_type(e.ty.ty, e.span)?, slot))
            }
        }
    }

    /// Steps to the next argument; gives the address of its value (for a record, what the slot points to).
    fn va_slot(&mut self, e: &'a Expr) -> Lowered<ir::Expr> {
        let ExprKind::VaArg(ap) = &e.kind else { return unsupported(e.span, "not a va_arg") };
        let addr = self.value(ap)?;
        let addr = self.freeze(addr);
        let slot = self.freeze(ir::Expr::load(Type::Ptr, addr.clone()));
        // Behind the last argument there is no slot.
        self.at(e.span);
        let size = self.types.size_of(e.ty.ty).filter(|_| !self.is_record(e.ty.ty));
        self.check_access(&slot, size.unwrap_or(u64::from(self.target().pointer_bits / 8)), false);
        let next = super::fold::ptr_add(slot.clone(), ir::Expr::int(self.target().intptr(true), 16));
        self.b.emit(Op::Store { addr, value: next });
        Ok(if self.is_record(e.ty.ty) { self.freeze(ir::Expr::load(Type::Ptr, slot)) } else { slot })
    }
}
