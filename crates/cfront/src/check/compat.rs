//! Compatible types (C11 6.2.7) and the composite of two declarations.

use super::Checker;
use super::specs::merge;
use crate::ast::Quals;
use crate::types::{ArrayLen, FunctionType, QualType, TypeId, TypeKind, TypeTable};

impl Checker<'_> {
    pub(super) fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        if a == b || a == TypeTable::ERROR || b == TypeTable::ERROR {
            return true;
        }
        let types = &self.types;
        match (types.kind(a), types.kind(b)) {
            (TypeKind::Pointer(x), TypeKind::Pointer(y)) => {
                same_quals(x.quals, y.quals) && self.compatible(x.ty, y.ty)
            }
            (TypeKind::Array(x, n), TypeKind::Array(y, m)) => {
                let lengths = match (n, m) {
                    (ArrayLen::Fixed(n), ArrayLen::Fixed(m)) => n == m,
                    _ => true,
                };
                lengths && same_quals(x.quals, y.quals) && self.compatible(x.ty, y.ty)
            }
            (TypeKind::Function(f), TypeKind::Function(g)) => self.compatible_functions(f, g),
            (TypeKind::Enum(_), TypeKind::Int(_)) | (TypeKind::Int(_), TypeKind::Enum(_)) => {
                types.int_kind(a) == types.int_kind(b)
            }
            _ => false,
        }
    }

    fn compatible_functions(&self, f: &FunctionType, g: &FunctionType) -> bool {
        if !self.compatible(f.ret, g.ret) {
            return false;
        }
        match (f.prototype, g.prototype) {
            (true, true) => {
                f.variadic == g.variadic
                    && f.params.len() == g.params.len()
                    && f.params.iter().zip(&g.params).all(|(&a, &b)| self.compatible_params(a, b))
            }
            (false, false) => true,
            (true, false) => self.fits_unprototyped(f, g),
            (false, true) => self.fits_unprototyped(g, f),
        }
    }

    /// A parameter may be a transparent union in one declaration and one of its members in the other.
    fn compatible_params(&self, a: TypeId, b: TypeId) -> bool {
        let member = |union: TypeId, other: TypeId| {
            self.types.record_of(union).and_then(|id| self.types.record(id).layout.as_ref()).is_some_and(
                |layout| {
                    layout.transparent_union && layout.fields.iter().any(|f| self.compatible(f.ty.ty, other))
                },
            )
        };
        self.compatible(a, b) || member(a, b) || member(b, a)
    }

    /// A prototype next to `f()`: its parameters must be what default promotions give; next to an old-style
    /// definition: what its parameters promote to.
    fn fits_unprototyped(&self, with: &FunctionType, without: &FunctionType) -> bool {
        if !without.params.is_empty() {
            return with.params.len() == without.params.len()
                && with
                    .params
                    .iter()
                    .zip(&without.params)
                    .all(|(&a, &b)| self.compatible(a, b) || self.compatible(a, self.default_promoted(b)));
        }
        !with.variadic && with.params.iter().all(|&p| self.compatible(p, self.default_promoted(p)))
    }

    /// The type that default argument promotions give.
    pub(super) fn default_promoted(&self, ty: TypeId) -> TypeId {
        if ty == TypeTable::FLOAT { TypeTable::DOUBLE } else { self.promoted_type(ty) }
    }

    pub(super) fn composite(&mut self, a: TypeId, b: TypeId) -> TypeId {
        if a == b || b == TypeTable::ERROR {
            return a;
        }
        match (self.types.kind(a).clone(), self.types.kind(b).clone()) {
            (TypeKind::Pointer(x), TypeKind::Pointer(y)) => {
                let to = QualType { ty: self.composite(x.ty, y.ty), quals: merge(x.quals, y.quals) };
                self.types.pointer_to(to)
            }
            (TypeKind::Array(x, n), TypeKind::Array(y, m)) => {
                let elem = QualType { ty: self.composite(x.ty, y.ty), quals: merge(x.quals, y.quals) };
                let len = match (n, m) {
                    (ArrayLen::Fixed(_), _) => n,
                    (_, ArrayLen::Fixed(_)) => m,
                    (ArrayLen::Variable(_), _) => n,
                    _ => m,
                };
                self.types.intern(TypeKind::Array(elem, len))
            }
            (TypeKind::Function(f), TypeKind::Function(g)) => {
                let ret = self.composite(f.ret, g.ret);
                let params = match (f.prototype, g.prototype) {
                    (true, true) => {
                        f.params.iter().zip(&g.params).map(|(&a, &b)| self.composite(a, b)).collect()
                    }
                    (true, false) => f.params,
                    (false, true) => g.params,
                    (false, false) if f.params.is_empty() => g.params,
                    (false, false) => f.params,
                };
                self.types.intern(TypeKind::Function(FunctionType {
                    ret,
                    params,
                    variadic: f.variadic || g.variadic,
                    prototype: f.prototype || g.prototype,
                }))
            }
            _ => a,
        }
    }
}

pub(super) fn same_quals(a: Quals, b: Quals) -> bool {
    a.is_const == b.is_const && a.is_volatile == b.is_volatile && a.is_atomic == b.is_atomic
}
