//! `_Bool`: what C reads is 0 or 1, whatever the byte holds.
//!
//! What the program itself writes is 0 or 1 already. What comes from outside is any byte: memory that others
//! write, globals that they see, parameters of whatever function executions start in, results of functions
//! without a body, variables without a value.

use super::call::callee_function;
use super::function::Lower;
use super::place::Place;
use super::{Lowered, fold};
use crate::hir::Expr;
use crate::types::{TypeId, TypeKind};
use base::Span;
use ir::Var;

impl Lower<'_, '_> {
    /// The value of a scalar place whose C type is `ty`.
    pub fn read_as(&mut self, place: &Place, ty: TypeId, span: Span) -> Lowered<ir::Expr> {
        let value = self.read(place, span)?;
        Ok(if self.is_bool(ty) && self.may_hold_any(place) { self.zero_or_one(value) } else { value })
    }

    pub fn is_bool(&self, ty: TypeId) -> bool {
        matches!(self.types.kind(ty), TypeKind::Bool)
    }

    pub fn zero_or_one(&self, value: ir::Expr) -> ir::Expr {
        fold::cast(&self.target(), value.ty, fold::truth(value))
    }

    fn may_hold_any(&self, place: &Place) -> bool {
        match place {
            // One bit is 0 or 1.
            Place::Register { bits: Some(_), .. } | Place::Memory { bits: Some(_), .. } => false,
            Place::Register { var: Var::Local(id), .. } => self.loose.contains(id),
            Place::Register { var: Var::Global(id), .. } => self.cx.program.global(*id).external,
            Place::Memory { .. } | Place::Split { .. } => true,
        }
    }

    /// Does a call give a `_Bool` that nobody made one? Functions with a body return 0 or 1.
    pub fn gives_any_bool(&self, callee: &Expr, ty: TypeId) -> bool {
        self.is_bool(ty) && callee_function(callee).is_none_or(|id| !self.cx.is_defined(self.unit, id))
    }
}
