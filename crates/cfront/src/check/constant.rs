//! Constant expressions: integers where C demands them, and numbers or addresses for static initialisers.
//! Evaluates as the target would: overflow wraps.

use super::Checker;
use super::float;
use super::fold::{float_binary, int_binary};
use crate::ast;
use crate::hir::{AddressBase, BinaryOp, ConstValue, Definition, Expr, ExprKind, GlobalId};
use crate::types::{TypeId, TypeTable};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Const {
    /// Integers and absolute addresses.
    Int(u128),
    Float(u128),
    Address(AddressBase, i64),
}

/// What may be read while evaluating.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    Nothing,
    /// Constant variables with known values, as gcc allows in static initialisers.
    Constants,
}

impl Checker<'_> {
    /// An integer constant expression; reports `message` if it is none.
    pub(super) fn constant_int(&mut self, e: &ast::Expr, message: &str) -> Option<i128> {
        self.typed_constant(e, message).map(|(value, _)| value)
    }

    /// The same, with its type.
    pub(super) fn typed_constant(&mut self, e: &ast::Expr, message: &str) -> Option<(i128, TypeId)> {
        let value = self.expr_value(e);
        if value.ty.ty == TypeTable::ERROR {
            return None;
        }
        let found = if self.types.is_integer(value.ty.ty) { self.eval_int(&value) } else { None };
        if found.is_none() {
            self.error(e.span, message);
        }
        found.map(|found| (found, value.ty.ty))
    }

    /// The number an integer expression always has.
    pub(super) fn eval_int(&self, e: &Expr) -> Option<i128> {
        let layout = self.types.int_layout(e.ty.ty)?;
        match self.eval(e, Reads::Nothing)? {
            Const::Int(bits) => Some(layout.value(bits)),
            _ => None,
        }
    }

    /// The value of an element of a static initialiser.
    pub(super) fn eval_static(&self, e: &Expr) -> Option<Const> {
        self.eval(e, Reads::Constants)
    }

    fn eval(&self, e: &Expr, reads: Reads) -> Option<Const> {
        match &e.kind {
            ExprKind::Int(bits) => Some(Const::Int(*bits)),
            ExprKind::Float(bits) => Some(Const::Float(*bits)),
            ExprKind::Convert(inner) => {
                let value = self.eval(inner, reads)?;
                self.eval_convert(value, inner.ty.ty, e.ty.ty)
            }
            ExprKind::Neg(a) => match self.eval(a, reads)? {
                Const::Int(bits) => {
                    let layout = self.types.int_layout(e.ty.ty)?;
                    Some(Const::Int(layout.wrap((bits as i128).wrapping_neg())))
                }
                Const::Float(bits) => {
                    Some(Const::Float(float::negate(self.types.float_kind(e.ty.ty)?, bits)))
                }
                Const::Address(..) => None,
            },
            ExprKind::BitNot(a) => match self.eval(a, reads)? {
                Const::Int(bits) => Some(Const::Int(!bits & self.types.int_layout(e.ty.ty)?.mask())),
                _ => None,
            },
            ExprKind::Not(a) => Some(Const::Int(!self.truth(a, reads)? as u128)),
            ExprKind::And(a, b) => Some(Const::Int((self.truth(a, reads)? && self.truth(b, reads)?) as u128)),
            ExprKind::Or(a, b) => Some(Const::Int((self.truth(a, reads)? || self.truth(b, reads)?) as u128)),
            ExprKind::Cond(cond, a, b) => {
                let chosen = if self.truth(cond, reads)? { a } else { b };
                self.eval(chosen, reads)
            }
            ExprKind::CondElvis(a, value, b) => {
                if !self.truth(a, reads)? {
                    return self.eval(b, reads);
                }
                match value.kind {
                    ExprKind::Current => self.eval(a, reads),
                    _ => None,
                }
            }
            ExprKind::Comma(a, b) => {
                self.eval(a, reads)?;
                self.eval(b, reads)
            }
            ExprKind::Binary(op, a, b) => self.eval_binary(*op, a, b, reads),
            ExprKind::PtrOffset { ptr, index, scale, subtract } => {
                let base = self.eval(ptr, reads)?;
                let (Const::Int(_), Const::Int(_)) = (self.eval(index, reads)?, self.eval(scale, reads)?)
                else {
                    return None;
                };
                let by = self.eval_word(index, reads)?.wrapping_mul(self.eval_word(scale, reads)?);
                self.moved(base, if *subtract { by.wrapping_neg() } else { by })
            }
            ExprKind::PtrDiff { a, b, scale } => {
                let (x, y) = (self.eval(a, reads)?, self.eval(b, reads)?);
                let scale = self.eval_word(scale, reads)?;
                let distance = match (x, y) {
                    (Const::Address(p, m), Const::Address(q, n)) if p == q => m.wrapping_sub(n),
                    (Const::Int(m), Const::Int(n)) => {
                        let layout = self.types.int_layout(self.types.ptrdiff_t())?;
                        layout.value(layout.wrap((m as i128).wrapping_sub(n as i128))) as i64
                    }
                    _ => return None,
                };
                let layout = self.types.int_layout(e.ty.ty)?;
                Some(Const::Int(layout.wrap(distance.checked_div(scale)?.into())))
            }
            ExprKind::Decay(place) | ExprKind::AddrOf(place) => self.eval_place(place, reads),
            ExprKind::Load(place) => self.eval_load(place, e.ty.ty, reads),
            ExprKind::Call { callee, args } => self.eval_call(callee, args, e.ty.ty),
            _ => None,
        }
    }

    fn eval_word(&self, e: &Expr, reads: Reads) -> Option<i64> {
        match self.eval(e, reads)? {
            Const::Int(bits) => Some(self.types.int_layout(e.ty.ty)?.value(bits) as i64),
            _ => None,
        }
    }

    fn truth(&self, e: &Expr, reads: Reads) -> Option<bool> {
        Some(match self.eval(e, reads)? {
            Const::Int(bits) => bits != 0,
            Const::Float(bits) => !float::is_zero(self.types.float_kind(e.ty.ty)?, bits),
            Const::Address(..) => true,
        })
    }

    fn moved(&self, base: Const, by: i64) -> Option<Const> {
        match base {
            Const::Address(base, offset) => Some(Const::Address(base, offset.wrapping_add(by))),
            Const::Int(bits) => {
                let mask = ir::IntType::new(self.types.target.pointer_bits, false).mask();
                Some(Const::Int((bits as i128).wrapping_add(by.into()) as u128 & mask))
            }
            Const::Float(_) => None,
        }
    }

    fn eval_convert(&self, value: Const, from: TypeId, to: TypeId) -> Option<Const> {
        let literal = |kind| Expr { kind, ty: crate::types::QualType::plain(from), span: base::Span::NONE };
        let converted = match value {
            Const::Int(bits) => self.convert_constant(&literal(ExprKind::Int(bits)), to)?,
            Const::Float(bits) => match self.convert_constant(&literal(ExprKind::Float(bits)), to) {
                Some(kind) => kind,
                None => ExprKind::Int(self.saturated(bits, from, to)?),
            },
            Const::Address(..) if to == TypeTable::BOOL => return Some(Const::Int(1)),
            Const::Address(..) if self.types.is_pointer(to) || self.types.is_integer(to) => {
                return Some(value);
            }
            Const::Address(..) => return None,
        };
        match converted {
            ExprKind::Int(bits) => Some(Const::Int(bits)),
            ExprKind::Float(bits) => Some(Const::Float(bits)),
            _ => None,
        }
    }

    /// A float that does not fit into the integer type: gcc folds it to the nearest value that does, NaN
    /// to 0.
    fn saturated(&self, bits: u128, from: TypeId, to: TypeId) -> Option<u128> {
        let kind = self.types.float_kind(from)?;
        let layout = self.types.int_layout(to)?;
        Some(match float::compare(kind, bits, 0) {
            Some(std::cmp::Ordering::Less) => layout.min_bits(),
            Some(_) => layout.max_bits(),
            None => 0,
        })
    }

    fn eval_binary(&self, op: BinaryOp, a: &Expr, b: &Expr, reads: Reads) -> Option<Const> {
        let (x, y) = (self.eval(a, reads)?, self.eval(b, reads)?);
        match (x, y) {
            (Const::Int(x), Const::Int(y)) => {
                let layout = self.const_layout(a.ty.ty)?;
                int_binary(op, layout, x, y, self.shift_count(b.ty.ty, y), true).map(Const::Int)
            }
            (Const::Float(x), Const::Float(y)) => {
                match float_binary(op, self.types.float_kind(a.ty.ty)?, x, y)? {
                    ExprKind::Float(bits) => Some(Const::Float(bits)),
                    ExprKind::Int(bits) => Some(Const::Int(bits)),
                    _ => None,
                }
            }
            (Const::Address(base, offset), Const::Int(y)) => {
                let by = self.const_layout(b.ty.ty)?.value(y) as i64;
                match op {
                    BinaryOp::Add => Some(Const::Address(base, offset.wrapping_add(by))),
                    BinaryOp::Sub => Some(Const::Address(base, offset.wrapping_sub(by))),
                    // An object is never at address 0.
                    BinaryOp::Eq if y == 0 => Some(Const::Int(0)),
                    BinaryOp::Ne | BinaryOp::Gt if y == 0 => Some(Const::Int(1)),
                    _ => None,
                }
            }
            (Const::Int(x), Const::Address(base, offset)) => match op {
                BinaryOp::Add => {
                    let by = self.const_layout(a.ty.ty)?.value(x) as i64;
                    Some(Const::Address(base, offset.wrapping_add(by)))
                }
                BinaryOp::Eq if x == 0 => Some(Const::Int(0)),
                BinaryOp::Ne | BinaryOp::Lt if x == 0 => Some(Const::Int(1)),
                _ => None,
            },
            (Const::Address(p, m), Const::Address(q, n)) if p == q => match op {
                BinaryOp::Sub => {
                    let layout = self.types.int_layout(a.ty.ty)?;
                    Some(Const::Int(layout.wrap((i128::from(m)).wrapping_sub(n.into()))))
                }
                BinaryOp::Eq => Some(Const::Int((m == n) as u128)),
                BinaryOp::Ne => Some(Const::Int((m != n) as u128)),
                BinaryOp::Lt => Some(Const::Int((m < n) as u128)),
                BinaryOp::Le => Some(Const::Int((m <= n) as u128)),
                BinaryOp::Gt => Some(Const::Int((m > n) as u128)),
                BinaryOp::Ge => Some(Const::Int((m >= n) as u128)),
                _ => None,
            },
            // Two objects; strings may share their bytes.
            (Const::Address(p, 0), Const::Address(q, 0))
                if !matches!(p, AddressBase::String(_)) && !matches!(q, AddressBase::String(_)) =>
            {
                match op {
                    BinaryOp::Eq => Some(Const::Int(0)),
                    BinaryOp::Ne => Some(Const::Int(1)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The address of a place.
    fn eval_place(&self, place: &Expr, reads: Reads) -> Option<Const> {
        match &place.kind {
            ExprKind::Global(id) => Some(Const::Address(AddressBase::Global(*id), 0)),
            ExprKind::Function(id) => Some(Const::Address(AddressBase::Function(*id), 0)),
            ExprKind::String(id) => Some(Const::Address(AddressBase::String(*id), 0)),
            ExprKind::Deref(pointer) => self.eval(pointer, reads),
            ExprKind::Member(base, index) => {
                let id = self.types.record_of(base.ty.ty)?;
                let offset = self.types.record(id).layout.as_ref()?.fields.get(*index as usize)?.offset;
                let base = self.eval_place(base, reads)?;
                self.moved(base, offset as i64)
            }
            _ => None,
        }
    }

    fn eval_load(&self, place: &Expr, ty: TypeId, reads: Reads) -> Option<Const> {
        if reads == Reads::Nothing || self.bit_field_of(place).is_some() {
            return None;
        }
        let Const::Address(base, offset) = self.eval_place(place, reads)? else { return None };
        let offset = u64::try_from(offset).ok()?;
        let size = self.types.size_of(ty)?;
        match base {
            AddressBase::String(id) => {
                let bytes = &self.strings[id.0 as usize].bytes;
                let end = usize::try_from(offset.checked_add(size)?).ok()?;
                self.read_bytes(bytes.get(offset as usize..end)?, ty)
            }
            AddressBase::Global(id) if place.ty.quals.is_const && !place.ty.quals.is_volatile => {
                self.read_global(id, offset, size, ty)
            }
            _ => None,
        }
    }

    fn read_global(&self, id: GlobalId, offset: u64, size: u64, ty: TypeId) -> Option<Const> {
        let Definition::Defined(init) = &self.globals[id.0 as usize].definition else { return None };
        if offset.checked_add(size)? > init.size {
            return None;
        }
        let after = init.items.partition_point(|item| item.offset <= offset);
        let Some(item) = after.checked_sub(1).map(|i| &init.items[i]) else {
            return self.read_bytes(&vec![0; usize::try_from(size).ok()?], ty);
        };
        match &item.value {
            ConstValue::Address { base, offset: inner, size: width } => {
                (item.offset == offset && u64::from(*width) == size).then_some(Const::Address(*base, *inner))
            }
            ConstValue::Bytes(bytes) => {
                let mut out = vec![0; usize::try_from(size).ok()?];
                let start = usize::try_from(offset - item.offset).ok()?;
                for (index, byte) in out.iter_mut().enumerate() {
                    *byte = bytes.get(start + index).copied().unwrap_or(0);
                }
                // Another item inside would be an address or bytes further on: then this is no plain scalar.
                let next = init.items.get(after).is_none_or(|n| n.offset >= offset + size);
                if next { self.read_bytes(&out, ty) } else { None }
            }
        }
    }

    fn read_bytes(&self, bytes: &[u8], ty: TypeId) -> Option<Const> {
        let mut bits = 0u128;
        for (index, byte) in bytes.iter().enumerate().take(16) {
            bits |= u128::from(*byte) << (8 * index);
        }
        if let Some(kind) = self.types.float_kind(ty) {
            if kind == crate::types::FloatKind::LongDouble {
                bits &= (1 << 80) - 1;
            }
            return Some(Const::Float(bits));
        }
        self.const_layout(ty).map(|layout| Const::Int(bits & layout.mask()))
    }

    /// `strlen("literal")`, which gcc folds.
    fn eval_call(&self, callee: &Expr, args: &[Expr], ty: TypeId) -> Option<Const> {
        let ExprKind::Function(id) = callee.kind else { return None };
        let [arg] = args else { return None };
        if &*self.functions[id.0 as usize].name != "strlen" {
            return None;
        }
        let mut arg = arg;
        while let ExprKind::Convert(inner) = &arg.kind {
            arg = inner;
        }
        let ExprKind::Decay(place) = &arg.kind else { return None };
        let ExprKind::String(id) = place.kind else { return None };
        let len = self.strings[id.0 as usize].bytes.iter().position(|&b| b == 0)?;
        Some(Const::Int(self.types.int_layout(ty)?.wrap(len as i128)))
    }
}
