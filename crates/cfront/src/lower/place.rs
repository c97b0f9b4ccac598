//! Places: what an lvalue denotes, and how it is read and written.

use super::bitfield;
use super::function::{Leaf, Lower, Slot};
use super::{Lowered, fold, unsupported};
use crate::hir::*;
use crate::types::{ArrayLen, BitField, TypeKind};
use base::Span;
use ir::{BinOp, CheckKind, Op, Storage, Type, Var};
use std::sync::Arc;

#[derive(Clone)]
pub(crate) enum Place {
    /// A register; `bits` if it holds a bit-field of a split record.
    Register {
        var: Var,
        ty: Type,
        bits: Option<BitField>,
    },
    Memory {
        addr: ir::Expr,
        ty: Option<Type>,
        bits: Option<MemoryBits>,
    },
    /// A (part of a) split record: the leaves from `offset` on.
    Split {
        leaves: Arc<[(Leaf, ir::LocalId)]>,
        offset: u64,
    },
}

/// A bit-field in memory: relative to the record, so that accesses can stay inside it.
#[derive(Clone, Copy)]
pub(crate) struct MemoryBits {
    pub field: BitField,
    /// Bytes of the record before and after the byte at the place's address.
    pub before: u64,
    pub after: u64,
}

impl Place {
    /// A record, or anything else without a scalar type, at an address.
    pub fn memory(addr: ir::Expr) -> Place {
        Place::Memory { addr, ty: None, bits: None }
    }
}

impl<'a> Lower<'_, 'a> {
    pub fn local_place(&mut self, id: LocalId) -> Lowered<Place> {
        let c_type = self.local_type(id);
        Ok(match self.slot(id)? {
            Slot::Register(local, ty) => Place::Register { var: Var::Local(local), ty, bits: None },
            Slot::Split(leaves) => Place::Split { leaves, offset: 0 },
            Slot::Memory(local) => {
                let addr = ir::Expr { ty: Type::Ptr, kind: ir::ExprKind::AddrLocal(local) };
                Place::Memory { addr, ty: self.types.ir_type(c_type), bits: None }
            }
            Slot::Variable(local) => Place::memory(self.local_expr(local, Type::Ptr)),
        })
    }

    /// Evaluates an lvalue (or a record value) to a place.
    pub fn place(&mut self, e: &'a Expr) -> Lowered<Place> {
        let ty = self.types.ir_type(e.ty.ty);
        match &e.kind {
            ExprKind::Local(id) => self.local_place(*id),
            ExprKind::Global(id) => {
                self.note_weak(self.cx.units[self.unit].unit.globals[id.0 as usize].weak_symbol);
                let id = self.cx.global(self.unit, *id);
                Ok(match self.cx.program.global(id).storage {
                    Storage::Register(ty) => Place::Register { var: Var::Global(id), ty, bits: None },
                    Storage::Memory { .. } => {
                        let addr = ir::Expr { ty: Type::Ptr, kind: ir::ExprKind::AddrGlobal(id) };
                        Place::Memory { addr, ty, bits: None }
                    }
                })
            }
            ExprKind::String(id) => {
                let id = self.cx.string(self.unit, *id);
                Ok(Place::memory(ir::Expr { ty: Type::Ptr, kind: ir::ExprKind::AddrGlobal(id) }))
            }
            ExprKind::Deref(ptr) => {
                let addr = self.element(ptr, false)?;
                Ok(Place::Memory { addr, ty, bits: None })
            }
            ExprKind::Member(base, index) => self.member(base, *index, e.span),
            ExprKind::CompoundLiteral(id, init) => {
                self.declare(*id, Some(init), e.span)?;
                self.local_place(*id)
            }
            ExprKind::Function(id) => {
                self.note_weak(self.cx.units[self.unit].unit.functions[id.0 as usize].weak_symbol);
                let id = self.cx.pointed_function(self.unit, *id);
                Ok(Place::memory(ir::Expr { ty: Type::Ptr, kind: ir::ExprKind::AddrFunc(id) }))
            }
            _ if matches!(self.types.kind(e.ty.ty), TypeKind::Record(_)) => self.record_value(e),
            // An array inside a record value: `f().a[0]`.
            ExprKind::Load(inner) => self.place(inner),
            _ => unsupported(e.span, "this expression does not denote a place"),
        }
    }

    fn member(&mut self, base: &'a Expr, index: u32, span: Span) -> Lowered<Place> {
        let types = self.types;
        let TypeKind::Record(record) = types.kind(base.ty.ty) else {
            return unsupported(span, "member of something that is not a struct or union");
        };
        let Some(layout) = &types.record(*record).layout else {
            return unsupported(span, "member of an incomplete struct or union");
        };
        let Some(field) = layout.fields.get(index as usize) else {
            return unsupported(span, "member of something that does not have it");
        };
        let ty = types.ir_type(field.ty.ty);
        Ok(match self.place(base)? {
            Place::Split { leaves, offset } => {
                let offset = offset + field.offset;
                if ty.is_none() {
                    return Ok(Place::Split { leaves, offset });
                }
                let found = leaves.iter().find(|(leaf, _)| leaf.offset == offset && leaf.bits == field.bits);
                let (Some((_, local)), Some(ty)) = (found, ty) else {
                    return unsupported(span, "member of a split struct was not found");
                };
                Place::Register { var: Var::Local(*local), ty, bits: field.bits }
            }
            Place::Memory { addr, .. } => {
                let offset = ir::Expr::int(self.target().intptr(true), i128::from(field.offset));
                let bits = field.bits.map(|bits| MemoryBits {
                    field: bits,
                    before: field.offset,
                    after: layout.size.saturating_sub(field.offset + 1),
                });
                Place::Memory { addr: fold::ptr_add(addr, offset), ty, bits }
            }
            Place::Register { .. } => return unsupported(span, "member of a scalar"),
        })
    }

    /// The address of a place in memory.
    pub fn address(&mut self, e: &'a Expr) -> Lowered<ir::Expr> {
        // One past the end may be pointed to.
        if let ExprKind::Deref(ptr) = &e.kind
            && !self.types.is_array(e.ty.ty)
        {
            self.note_moved(ptr);
            return self.element(ptr, true);
        }
        match self.place(e)? {
            Place::Memory { addr, bits: None, .. } => Ok(addr),
            // A record value (the result of a call, say) that was split: give it an address.
            place @ Place::Split { .. } => {
                let object = self.temp_object(e.ty.ty, e.span)?;
                self.copy_record(&Place::memory(object.clone()), &place, e.ty.ty, e.span)?;
                Ok(object)
            }
            _ => unsupported(e.span, "the address of a register or bit-field was taken"),
        }
    }

    /// The value of a scalar place.
    pub fn read(&mut self, place: &Place, span: Span) -> Lowered<ir::Expr> {
        match place {
            Place::Register { var, ty, .. } => Ok(ir::Expr::var(*var, *ty)),
            Place::Memory { addr, ty: Some(ty), bits: None } => {
                self.check_access(addr, ty.access_size(&self.target()), false);
                Ok(ir::Expr::load(*ty, addr.clone()))
            }
            Place::Memory { addr, ty: Some(ty), bits: Some(bits) } => {
                let access = bitfield::access(&self.target(), addr, *bits);
                for (part, _, _) in &access.parts {
                    self.check_access(part, 1, false);
                }
                Ok(access.read(&self.target(), *ty))
            }
            _ => unsupported(span, "a struct was used as a scalar"),
        }
    }

    /// Writes a scalar.
    pub fn write(&mut self, place: &Place, value: ir::Expr, span: Span) -> Lowered<()> {
        match place {
            Place::Register { var, ty, bits } => {
                let value = match bits {
                    Some(bits) => bitfield::cut(value, *ty, bits.width),
                    None => value,
                };
                self.b.emit(Op::Assign { var: *var, value });
                Ok(())
            }
            Place::Memory { addr, ty: Some(ty), bits: None } => {
                self.check_access(addr, ty.access_size(&self.target()), true);
                self.b.emit(Op::Store { addr: addr.clone(), value });
                Ok(())
            }
            Place::Memory { addr, ty: Some(_), bits: Some(bits) } => {
                let addr = if addr.may_fault() { self.freeze(addr.clone()) } else { addr.clone() };
                let access = bitfield::access(&self.target(), &addr, *bits);
                // With several stores, the value must not change in between.
                let value = if access.parts.len() > 1 { self.freeze(value) } else { value };
                for (addr, value) in access.write(&self.target(), &value) {
                    self.check_access(&addr, value.ty.access_size(&self.target()), true);
                    self.b.emit(Op::Store { addr, value });
                }
                Ok(())
            }
            _ => unsupported(span, "a struct was assigned as a scalar"),
        }
    }

    /// The value that reading `place` gives after `value` was written to it.
    pub fn value_after_write(&self, place: &Place, value: ir::Expr) -> ir::Expr {
        match place {
            Place::Register { bits: Some(bits), ty, .. } => bitfield::cut(value, *ty, bits.width),
            Place::Memory { bits: Some(bits), ty: Some(ty), .. } => {
                bitfield::cut(value, *ty, bits.field.width)
            }
            _ => value,
        }
    }

    pub fn checks(&self, kind: CheckKind) -> bool {
        !self.entering && self.cx.options.checks.contains(&kind)
    }

    pub fn check(&mut self, kind: CheckKind, cond: ir::Expr, message: Option<Arc<str>>) {
        if !cond.is_true() {
            self.b.emit(Op::Check { kind, cond, message });
        }
    }

    /// The pointer of a place. `--check memory`: elements of an array inside of an object are elements of
    /// that array, not of what lies behind it. (That the access is inside of the whole object is another
    /// check.)
    fn element(&mut self, ptr: &'a Expr, past_the_end: bool) -> Lowered<ir::Expr> {
        let ExprKind::PtrOffset { ptr: base, index, scale, subtract: false } = &ptr.kind else {
            return self.value(ptr);
        };
        if !self.checks(CheckKind::Memory) {
            return self.offset(ptr);
        }
        let length = self.inner_array(base);
        let (base, index, scale) = (self.value_before(base, index)?, self.value(index)?, self.value(scale)?);
        let Some(length) = length else {
            let index = self.check_product(ptr.span, index, &scale);
            return Ok(fold::ptr_add(base, fold::binary(BinOp::Mul, index, scale)));
        };
        let index = self.freeze(index);
        self.at(ptr.span);
        let unsigned = self.target().intptr(false);
        let number = fold::cast(&self.target(), unsigned, index.clone());
        let limit = ir::Expr::int(unsigned, i128::from(length));
        let inside = fold::binary(if past_the_end { BinOp::Le } else { BinOp::Lt }, number, limit);
        self.check(CheckKind::Memory, inside, Some("the index is outside of the array".into()));
        Ok(fold::ptr_add(base, fold::binary(BinOp::Mul, index, scale)))
    }

    /// `--check memory`: an index so large that its distance in bytes wraps does not lead back into the
    /// object.
    fn check_product(&mut self, span: Span, index: ir::Expr, scale: &ir::Expr) -> ir::Expr {
        let signed = self.target().intptr(true);
        let Some(scale) = scale.as_const().filter(|scale| *scale > 1) else { return index };
        let Type::Int(int) = signed else { return index };
        // What was extended from fewer bits is small enough, whatever the scale.
        let width = u32::from(int.bits);
        let bits = |ty: Type| ty.as_int().map_or(width, |int| u32::from(int.bits));
        if let ir::ExprKind::Cast(inner) = &index.kind
            && bits(inner.ty) + scale.ilog2() + 1 < width
        {
            return index;
        }
        let index = self.freeze(index);
        self.at(span);
        let end = |bits: u128| ir::Expr::int(signed, int.value(bits) / scale as i128);
        let above = fold::binary(BinOp::Le, end(int.min_bits()), index.clone());
        let below = fold::binary(BinOp::Le, index.clone(), end(int.max_bits()));
        let message = "the index leads around the address space";
        self.check(CheckKind::Memory, fold::binary(BinOp::And, above, below), Some(message.into()));
        index
    }

    /// How many elements an array has that is part of something larger. The last member of a struct with one
    /// element may stand for more.
    fn inner_array(&self, decayed: &Expr) -> Option<u64> {
        let ExprKind::Decay(array) = &decayed.kind else { return None };
        let TypeKind::Array(_, ArrayLen::Fixed(length)) = self.types.kind(array.ty.ty) else { return None };
        match &array.kind {
            ExprKind::Deref(_) => Some(*length),
            ExprKind::Member(record, field) => {
                let record = self.types.record_of(record.ty.ty)?;
                let fields = &self.types.record(record).layout.as_ref()?.fields;
                let last = *field as usize + 1 == fields.len();
                (!last || *length > 1).then_some(*length)
            }
            _ => None,
        }
    }

    /// `--check memory`: the access must be inside a live object.
    pub fn check_access(&mut self, addr: &ir::Expr, size: u64, write: bool) {
        let size = ir::Expr::int(self.target().intptr(false), i128::from(size));
        self.check_range(addr, size, write);
    }

    pub fn check_range(&mut self, addr: &ir::Expr, size: ir::Expr, write: bool) {
        if self.checks(CheckKind::Memory) {
            let kind = ir::ExprKind::Valid { ptr: Box::new(addr.clone()), size: Box::new(size), write };
            self.check(CheckKind::Memory, ir::Expr { ty: Type::Bool, kind }, None);
        }
    }

    /// `--check memory`: two ranges, addresses with lengths, do not overlap.
    pub fn check_apart(
        &mut self,
        a: (&ir::Expr, &ir::Expr),
        b: (&ir::Expr, &ir::Expr),
        unless: ir::Expr,
        message: &str,
    ) {
        if !self.checks(CheckKind::Memory) {
            return;
        }
        let target = self.target();
        let or = |x, y| fold::binary(BinOp::Or, x, y);
        let before = |(a, len): (&ir::Expr, &ir::Expr), b: &ir::Expr| {
            let offset = fold::cast(&target, target.intptr(true), len.clone());
            fold::binary(BinOp::Le, fold::binary(BinOp::PtrAdd, a.clone(), offset), b.clone())
        };
        let apart = or(unless, or(before(a, b.0), before(b, a.0)));
        self.check(CheckKind::Memory, apart, Some(message.into()));
    }

    /// `--check memory`: there is a function to call.
    pub fn check_callee(&mut self, target: &ir::Expr) {
        if self.checks(CheckKind::Memory) {
            let some = fold::binary(BinOp::Ne, target.clone(), ir::Expr::null());
            self.check(CheckKind::Memory, some, Some("a call through a null pointer".into()));
        }
    }
}
