//! Conversions: places to values, promotions, the usual arithmetic conversions, assignment, casts.

use super::Checker;
use crate::ast::Quals;
use crate::hir::{BinaryOp, Expr, ExprKind, InitValue, LocalInit, LocalInitItem};
use crate::types::{BitField, FloatKind, IntKind, QualType, TypeId, TypeKind, TypeTable};
use base::Span;

/// For which purpose a value is converted as if by assignment.
#[derive(Clone, Copy)]
pub(super) enum Purpose<'n> {
    Assign,
    Initialize,
    Return,
    /// Position from 1, and the function's name if it has one.
    Argument(usize, &'n str),
}

pub(super) fn is_place(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_)
        | ExprKind::Global(_)
        | ExprKind::Deref(_)
        | ExprKind::String(_)
        | ExprKind::CompoundLiteral(..) => true,
        ExprKind::Member(base, _) => is_place(base),
        _ => false,
    }
}

impl Checker<'_> {
    /// Lvalue conversion and decay: the value of any expression.
    pub(super) fn rvalue(&mut self, e: Expr) -> Expr {
        let span = e.span;
        match self.types.kind(e.ty.ty) {
            TypeKind::Array(elem, _) => {
                let elem = *elem;
                let pointer = self.types.pointer_to(elem);
                let place = if is_place(&e) { e } else { self.materialized(e) };
                self.value(ExprKind::Decay(Box::new(place)), pointer, span)
            }
            TypeKind::Function(_) => {
                let pointer = self.types.pointer_to(QualType::plain(e.ty.ty));
                match e.kind {
                    ExprKind::Deref(pointer) => *pointer,
                    kind => {
                        let designator = Expr { kind, ty: e.ty, span };
                        self.value(ExprKind::Decay(Box::new(designator)), pointer, span)
                    }
                }
            }
            TypeKind::Void => match e.kind {
                ExprKind::Deref(pointer) => self.value(ExprKind::Convert(pointer), TypeTable::VOID, span),
                kind => Expr { kind, ty: QualType::plain(e.ty.ty), span },
            },
            TypeKind::Error => e,
            kind => {
                if let TypeKind::Record(id) = kind
                    && self.types.record(*id).layout.is_none()
                {
                    let message = format!("invalid use of undefined type '{}'", self.show_type(e.ty.ty));
                    self.error(span, message);
                    return self.error_expr(span);
                }
                let ty = e.ty.ty;
                if is_place(&e) {
                    self.value(ExprKind::Load(Box::new(e)), ty, span)
                } else if e.ty.quals != Quals::default() {
                    Expr { ty: QualType::plain(ty), ..e }
                } else {
                    e
                }
            }
        }
    }

    /// A place for an array inside a record value (`f().a[0]`): a hidden copy of the record.
    fn materialized(&mut self, e: Expr) -> Expr {
        match e.kind {
            ExprKind::Member(base, index) => {
                let base = if is_place(&base) { *base } else { self.materialized(*base) };
                Expr { kind: ExprKind::Member(Box::new(base), index), ..e }
            }
            _ => {
                let (span, ty) = (e.span, QualType::plain(e.ty.ty));
                let local = self.hidden_local(ty, span);
                let item = LocalInitItem { offset: 0, bits: None, ty: ty.ty, value: InitValue::Expr(e) };
                let init = Box::new(LocalInit { zero: false, items: vec![item] });
                Expr { kind: ExprKind::CompoundLiteral(local, init), ty, span }
            }
        }
    }

    pub(super) fn promoted_type(&self, ty: TypeId) -> TypeId {
        match self.types.kind(ty) {
            TypeKind::Bool => TypeTable::INT,
            TypeKind::Int(_) | TypeKind::Enum(_) => match self.types.int_kind(ty) {
                Some(kind) if kind.rank() < IntKind::Int.rank() => TypeTable::INT,
                Some(kind) => TypeTable::int(kind),
                None => ty,
            },
            _ => ty,
        }
    }

    pub(super) fn bit_field_of(&self, e: &Expr) -> Option<BitField> {
        match &e.kind {
            ExprKind::Member(base, index) => {
                let id = self.types.record_of(base.ty.ty)?;
                self.types.record(id).layout.as_ref()?.fields.get(*index as usize)?.bits
            }
            _ => None,
        }
    }

    /// The bit-field whose value this is; only a cast makes it forget that it is one.
    fn bit_field_value(&self, e: &Expr) -> Option<BitField> {
        match &e.kind {
            ExprKind::Member(..) => self.bit_field_of(e),
            ExprKind::Load(place) | ExprKind::Assign(place, _) | ExprKind::Update { place, .. } => {
                self.bit_field_of(place)
            }
            ExprKind::Comma(_, value) | ExprKind::StmtExpr(_, Some(value)) => self.bit_field_value(value),
            _ => None,
        }
    }

    pub(super) fn promote(&mut self, e: Expr) -> Expr {
        let mut to = self.promoted_type(e.ty.ty);
        // A bit-field that int can hold becomes int, whatever its declared type.
        if let Some(bits) = self.bit_field_value(&e) {
            let signed = self.types.int_layout(e.ty.ty).is_some_and(|l| l.signed);
            if bits.width < 32 || (bits.width == 32 && signed) {
                to = TypeTable::INT;
            } else if bits.width == 32 {
                to = TypeTable::UINT;
            }
        }
        self.convert(e, to)
    }

    /// The common type of two promoted real types.
    pub(super) fn common_type(&self, a: TypeId, b: TypeId) -> TypeId {
        if a == b {
            return a;
        }
        let (fa, fb) = (self.types.float_kind(a), self.types.float_kind(b));
        match (fa, fb) {
            (Some(x), Some(y)) => return if x >= y { a } else { b },
            (Some(_), None) => return a,
            (None, Some(_)) => return b,
            (None, None) => {}
        }
        let (Some(x), Some(y)) = (self.types.int_kind(a), self.types.int_kind(b)) else { return a };
        if x.signed() == y.signed() {
            return TypeTable::int(if x.rank() >= y.rank() { x } else { y });
        }
        let (signed, unsigned) = if x.signed() { (x, y) } else { (y, x) };
        let target = &self.types.target;
        TypeTable::int(if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.bits(target) > unsigned.bits(target) {
            signed
        } else {
            signed.to_unsigned()
        })
    }

    /// The usual arithmetic conversions of two real values.
    pub(super) fn usual(&mut self, a: Expr, b: Expr) -> (Expr, Expr, TypeId) {
        let (a, b) = (self.promote(a), self.promote(b));
        let ty = self.common_type(a.ty.ty, b.ty.ty);
        (self.convert(a, ty), self.convert(b, ty), ty)
    }

    /// Converts a scalar value; the caller has made sure that C allows it.
    pub(super) fn convert(&mut self, e: Expr, to: TypeId) -> Expr {
        let from = e.ty.ty;
        if from == to || from == TypeTable::ERROR {
            return e;
        }
        if to == TypeTable::ERROR {
            return self.error_expr(e.span);
        }
        // Between pointers and integers of another width: through the signed integer as wide as a pointer.
        let bridge = self.types.ptrdiff_t();
        let (from_pointer, to_pointer) = (self.types.is_pointer(from), self.types.is_pointer(to));
        if from_pointer != to_pointer && to != TypeTable::VOID && to != TypeTable::BOOL {
            let other = if from_pointer { to } else { from };
            let width = self.types.size_of(other);
            if width != self.types.size_of(bridge) && from != bridge && to != bridge {
                let middle = self.convert(e, bridge);
                return self.convert(middle, to);
            }
        }
        self.fold_convert(e, to)
    }

    fn incompatible(&mut self, from: TypeId, to: QualType, purpose: Purpose, span: Span) -> Expr {
        let (from, to) = (self.show_type(from), self.show_type(to.ty));
        let message = match purpose {
            Purpose::Assign => format!("incompatible types when assigning to type '{to}' from type '{from}'"),
            Purpose::Initialize => {
                format!("incompatible types when initializing type '{to}' using type '{from}'")
            }
            Purpose::Return => {
                format!("incompatible types when returning type '{from}' but '{to}' was expected")
            }
            Purpose::Argument(index, name) => {
                let of = if name.is_empty() { String::new() } else { format!(" of '{name}'") };
                format!(
                    "incompatible type for argument {index}{of}: expected '{to}' but argument is of type '{from}'"
                )
            }
        };
        self.error(span, message);
        self.error_expr(span)
    }

    /// Converts a value as if by assignment to an object of type `to`.
    pub(super) fn assign_convert(&mut self, e: Expr, to: QualType, purpose: Purpose) -> Expr {
        let (from, span) = (e.ty.ty, e.span);
        if from == to.ty {
            return e;
        }
        if from == TypeTable::ERROR || to.ty == TypeTable::ERROR {
            return self.error_expr(span);
        }
        if from == TypeTable::VOID {
            self.error(span, "void value not ignored as it ought to be");
            return self.error_expr(span);
        }
        let types = &self.types;
        match (types.kind(to.ty), types.kind(from)) {
            (TypeKind::Pointer(_), TypeKind::Float(_)) | (TypeKind::Float(_), TypeKind::Pointer(_)) => {
                self.incompatible(from, to, purpose, span)
            }
            _ if types.is_scalar(to.ty) && types.is_scalar(from) => self.convert(e, to.ty),
            (TypeKind::Complex(_), _) if types.is_real(from) || types.is_exotic(from) => {
                self.poison("complex arithmetic", span);
                self.unknown(to.ty, span)
            }
            (_, TypeKind::Complex(_)) if types.is_real(to.ty) => {
                self.poison("complex arithmetic", span);
                self.unknown(to.ty, span)
            }
            (TypeKind::Vector(..), TypeKind::Vector(..)) if types.size_of(to.ty) == types.size_of(from) => {
                self.poison("vector arithmetic", span);
                self.unknown(to.ty, span)
            }
            (TypeKind::Record(id), _) => {
                let union = types.record(*id);
                let transparent = union.layout.as_ref().is_some_and(|l| l.transparent_union);
                if transparent && let Purpose::Argument(..) = purpose {
                    return self.transparent_argument(e, to, purpose);
                }
                self.incompatible(from, to, purpose, span)
            }
            _ => self.incompatible(from, to, purpose, span),
        }
    }

    /// An argument for a transparent union: wrapped into the first member that takes it.
    fn transparent_argument(&mut self, e: Expr, to: QualType, purpose: Purpose) -> Expr {
        let (from, span) = (e.ty.ty, e.span);
        let Some(id) = self.types.record_of(to.ty) else { return self.error_expr(span) };
        let fields = self.types.record(id).layout.as_ref().map_or(&[][..], |l| &l.fields);
        let pointer = self.types.is_pointer(from);
        let null = self.is_null_constant(&e);
        let to_void = self.types.pointee(from).is_some_and(|p| p.ty == TypeTable::VOID);
        let unqualified = |ty: TypeId| self.types.pointee(ty).map(|p| p.ty);
        let member = fields
            .iter()
            .map(|f| f.ty.ty)
            .find(|&m| {
                self.compatible(m, from)
                    || (pointer
                        && unqualified(m)
                            .zip(unqualified(from))
                            .is_some_and(|(a, b)| a == TypeTable::VOID || self.compatible(a, b)))
            })
            .or_else(|| {
                fields.iter().map(|f| f.ty.ty).find(|&m| (null || to_void) && self.types.is_pointer(m))
            });
        match member {
            Some(member) => {
                let value = self.convert(e, member);
                self.wrapped_in_record(value, member, to.ty)
            }
            None => self.incompatible(from, to, purpose, span),
        }
    }

    /// A record value whose first bytes are `value`: a transparent union or a GNU cast to a union.
    fn wrapped_in_record(&mut self, value: Expr, member: TypeId, record: TypeId) -> Expr {
        let span = value.span;
        let local = self.hidden_local(QualType::plain(record), span);
        let item = LocalInitItem { offset: 0, bits: None, ty: member, value: InitValue::Expr(value) };
        let init = Box::new(LocalInit { zero: true, items: vec![item] });
        let place = Expr { kind: ExprKind::CompoundLiteral(local, init), ty: QualType::plain(record), span };
        self.value(ExprKind::Load(Box::new(place)), record, span)
    }

    /// An explicit cast of a value.
    pub(super) fn cast(&mut self, e: Expr, to: QualType, span: Span) -> Expr {
        let from = e.ty.ty;
        let to = to.ty;
        if from == TypeTable::ERROR || to == TypeTable::ERROR {
            return self.error_expr(span);
        }
        if to == TypeTable::VOID {
            if from == TypeTable::VOID {
                return e;
            }
            return self.value(ExprKind::Convert(Box::new(e)), TypeTable::VOID, span);
        }
        if from == TypeTable::VOID {
            self.error(span, "void value not ignored as it ought to be");
            return self.error_expr(span);
        }
        let types = &self.types;
        let problem = match (types.kind(to), types.kind(from)) {
            (TypeKind::Array(..), _) => "cast specifies array type",
            (TypeKind::Function(_), _) => "cast specifies function type",
            (TypeKind::Record(a), TypeKind::Record(b)) if a == b => return e,
            (TypeKind::Record(id), _) if types.record(*id).is_union => {
                let fields = types.record(*id).layout.as_ref().map_or(&[][..], |l| &l.fields);
                match fields.iter().map(|f| f.ty.ty).find(|&m| self.compatible(m, from)) {
                    Some(member) => return self.wrapped_in_record(e, member, to),
                    None => "cast to union type from type not present in union",
                }
            }
            (TypeKind::Record(_), _) => "conversion to non-scalar type requested",
            (TypeKind::Pointer(_), TypeKind::Float(_)) => "cannot convert to a pointer type",
            (TypeKind::Float(_), TypeKind::Pointer(_)) => {
                "pointer value used where a floating-point was expected"
            }
            (_, TypeKind::Record(_)) => "aggregate value used where a scalar was expected",
            _ if types.is_exotic(to) || types.is_exotic(from) => {
                if from == to {
                    return e;
                }
                self.poison("complex or vector arithmetic", span);
                return self.unknown(to, span);
            }
            (TypeKind::Enum(_), _) if !types.is_complete(to) => "cast to incomplete type",
            _ => {
                if from == to && self.bit_field_value(&e).is_some() {
                    return self.value(ExprKind::Convert(Box::new(e)), to, span);
                }
                let converted = self.convert(e, to);
                return Expr { span, ..converted };
            }
        };
        self.error(span, problem);
        self.error_expr(span)
    }

    /// An integer constant expression with value 0, or such cast to `void *`.
    pub(super) fn is_null_constant(&self, e: &Expr) -> bool {
        match e.kind {
            ExprKind::Int(0) => {
                self.types.is_integer(e.ty.ty)
                    || self
                        .types
                        .pointee(e.ty.ty)
                        .is_some_and(|p| p.ty == TypeTable::VOID && p.quals == Quals::default())
            }
            _ => false,
        }
    }

    /// A value that decides a branch: any scalar.
    pub(super) fn condition(&mut self, e: Expr) -> Expr {
        let (ty, span) = (e.ty.ty, e.span);
        if ty == TypeTable::ERROR || self.types.is_scalar(ty) {
            return e;
        }
        if let TypeKind::Complex(_) = self.types.kind(ty) {
            self.poison("complex arithmetic", span);
            return self.unknown(TypeTable::INT, span);
        }
        if ty == TypeTable::VOID {
            self.error(span, "void value not ignored as it ought to be");
        } else {
            let message = format!("used '{}' type value where scalar is required", self.show_type(ty));
            self.error(span, message);
        }
        self.error_expr(span)
    }

    pub(super) fn comparison(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        self.fold_binary(op, a, b, TypeTable::INT, span)
    }

    pub(super) fn float_zero(&self, kind: FloatKind, span: Span) -> Expr {
        let ty = match kind {
            FloatKind::Float => TypeTable::FLOAT,
            FloatKind::Double => TypeTable::DOUBLE,
            FloatKind::LongDouble => TypeTable::LONGDOUBLE,
            FloatKind::Float128 => TypeTable::FLOAT128,
        };
        self.value(ExprKind::Float(0), ty, span)
    }
}
