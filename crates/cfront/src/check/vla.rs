//! Variable-length arrays: their sizes at run time.

use super::Checker;
use crate::hir::{BinaryOp, Expr, ExprKind};
use crate::types::{ArrayLen, TypeId, TypeKind};
use base::Span;

impl Checker<'_> {
    /// The size in bytes, of type size_t, from the hidden length variables that the type names.
    pub(super) fn variable_size(&mut self, ty: TypeId, span: Span) -> Expr {
        let size_t = self.types.size_t();
        let TypeKind::Array(elem, len) = *self.types.kind(ty) else {
            let size = self.types.size_of(ty).unwrap_or(1);
            return self.int_expr(size_t, i128::from(size), span);
        };
        let count = match len {
            ArrayLen::Fixed(n) => self.int_expr(size_t, i128::from(n), span),
            ArrayLen::Unknown => self.int_expr(size_t, 0, span),
            ArrayLen::Variable(local) => {
                let place = self.local_place(local, span);
                self.value(ExprKind::Load(Box::new(place)), size_t, span)
            }
        };
        let size = self.variable_size(elem.ty, span);
        self.fold_binary(BinaryOp::Mul, count, size, size_t, span)
    }
}
