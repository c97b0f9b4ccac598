//! Pointers that C may give no meaning: those that are not aligned as their type demands, those that leave
//! their object, and those of different objects that are compared. Here they are plain addresses, as on most
//! machines; functions that make such pointers, as far as the text tells, are marked, so that it can be
//! listed (`ir::Mark`).

use super::function::Lower;
use crate::hir::*;
use crate::types::{ArrayLen, TypeId, TypeKind};
use ir::Mark;

impl Lower<'_, '_> {
    /// A pointer becomes one to something that needs a stricter alignment. What a call returns is aligned for
    /// everything, as allocated memory is.
    pub fn note_alignment(&mut self, mut from: &Expr, to: TypeId) {
        let align = |ty| self.types.pointee(ty).and_then(|pointee| self.types.align_of(pointee.ty));
        let Some(wanted) = align(to).filter(|wanted| *wanted > 1) else { return };
        if align(from.ty.ty).is_none_or(|given| given >= wanted) || self.in_model() {
            return;
        }
        while let ExprKind::Convert(inner) = &from.kind {
            from = inner;
        }
        let aligned = matches!(from.kind, ExprKind::Call { .. } | ExprKind::Int(_))
            || align(from.ty.ty).is_some_and(|given| given >= wanted);
        if !aligned {
            self.marks.insert(Mark::Realigns);
        }
    }

    /// The address of a member that lies less aligned than its type wants to.
    pub fn note_packed(&mut self, place: &Expr) {
        let ExprKind::Member(base, _) = &place.kind else { return };
        let TypeKind::Record(_) = self.types.kind(base.ty.ty) else { return };
        let [whole, part] = [base.ty.ty, place.ty.ty].map(|ty| self.types.align_of(ty));
        if whole < part && !self.in_model() {
            self.marks.insert(Mark::Realigns);
        }
    }

    /// A pointer that is moved, and not only accessed. At a constant place inside of a variable it is where
    /// it should be.
    pub fn note_moved(&mut self, e: &Expr) {
        let ExprKind::PtrOffset { ptr, index, subtract, .. } = &e.kind else { return };
        let length = match &ptr.kind {
            ExprKind::Decay(array) => match self.types.kind(array.ty.ty) {
                TypeKind::Array(_, ArrayLen::Fixed(length)) => u128::from(*length),
                _ => 0,
            },
            _ => 0,
        };
        let mut at = &**index;
        while let ExprKind::Convert(inner) = &at.kind {
            at = inner;
        }
        let inside = matches!(at.kind, ExprKind::Int(at) if !subtract && at <= length);
        if !inside {
            self.note_pointers();
        }
    }

    pub fn note_pointers(&mut self) {
        if !self.in_model() {
            self.marks.insert(Mark::MovesPointers);
        }
    }
}
