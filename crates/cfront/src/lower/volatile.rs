//! `volatile`: reads are ordinary ones, and the program says which they are.
//!
//! The value that was read is kept in a temporary whose type is `volatile NAME`. That is all that is left of
//! the word in the program, and enough to list what is assumed of such objects
//! (`ir::Function::volatile_reads`). Functions that write to some are marked.

use super::function::Lower;
use crate::hir::*;
use crate::types::TypeKind;
use ir::{Mark, Op, Storage, Var};

impl<'a> Lower<'_, 'a> {
    /// What was read from `place`.
    pub fn observed(&mut self, place: &'a Expr, value: ir::Expr) -> ir::Expr {
        if !place.ty.quals.is_volatile || self.in_model() {
            return value;
        }
        let ty = value.ty;
        let name = format!("{}{}", ir::VOLATILE_TYPE, self.place_name(place));
        let temp = self.temp_storage(Storage::Register(ty), name.into());
        self.b.emit(Op::Assign { var: Var::Local(temp), value });
        self.local_expr(temp, ty)
    }

    /// `place` is about to be written.
    pub fn note_write(&mut self, place: &Expr) {
        if place.ty.quals.is_volatile && !self.in_model() {
            self.marks.insert(Mark::WritesVolatile);
        }
    }

    /// What people call a place: the variable, the member, or the pointer that leads there.
    fn place_name(&self, mut e: &'a Expr) -> String {
        let mut before = "";
        loop {
            e = match &e.kind {
                ExprKind::Local(id) => return format!("{before}{}", self.local_name(*id)),
                ExprKind::Global(id) => {
                    let global = &self.cx.units[self.unit].unit.globals[id.0 as usize];
                    return format!("{before}{}", global.name);
                }
                ExprKind::Member(base, index) => {
                    let TypeKind::Record(record) = self.types.kind(base.ty.ty) else { break };
                    let fields = self.types.record(*record).layout.as_ref().map(|layout| &layout.fields);
                    let field = fields.and_then(|fields| fields.get(*index as usize));
                    match field.filter(|field| !field.name.is_empty()) {
                        Some(field) => return format!("{before}.{}", field.name),
                        None => base,
                    }
                }
                ExprKind::Deref(inner) => {
                    before = if matches!(inner.kind, ExprKind::PtrOffset { .. }) { before } else { "*" };
                    inner
                }
                ExprKind::PtrOffset { ptr, .. } => ptr,
                ExprKind::Load(inner)
                | ExprKind::Decay(inner)
                | ExprKind::AddrOf(inner)
                | ExprKind::Convert(inner) => inner,
                _ => break,
            };
        }
        "memory at an address".to_owned()
    }
}
