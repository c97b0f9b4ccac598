//! The order of evaluation where C leaves it open, as gcc has it: the left operand of an operator first, and
//! the place of an assignment before its value. What is read from memory or a global is read then, and not
//! where it is used, if a call comes in between that could change it. (Local registers change only by
//! assignments, which C does not allow there.) The exception is gcc's too: a plain variable on the left of an
//! operator that can be turned round (`g + f()`, `g < f()`) is read last.

use super::Lowered;
use super::function::Lower;
use super::place::Place;
use crate::hir::{BinaryOp, Expr, ExprKind};
use ir::ExprKind as Ir;

/// Operands larger than this are taken to hold a call.
const LOOKED_AT: u32 = 64;

impl<'a> Lower<'_, 'a> {
    /// The value of `e`, fixed if evaluating `next` could change it.
    pub fn value_before(&mut self, e: &'a Expr, next: &'a Expr) -> Lowered<ir::Expr> {
        let value = self.value(e)?;
        Ok(self.fixed_before(value, next))
    }

    pub fn fixed_before(&mut self, value: ir::Expr, next: &Expr) -> ir::Expr {
        if reads_shared(&value) && may_call(next) { self.freeze(value) } else { value }
    }

    /// Is the left operand a plain variable that is read after the right one?
    pub fn reads_late(&self, op: BinaryOp, left: &Expr, right: &Expr) -> bool {
        let turns =
            !matches!(op, BinaryOp::Sub | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr);
        turns && self.is_variable(left) && !self.is_variable(right)
    }

    /// A variable as it is: conversions that change the width read it at once.
    fn is_variable(&self, mut e: &Expr) -> bool {
        while let ExprKind::Convert(inner) = &e.kind {
            if self.types.size_of(inner.ty.ty) != self.types.size_of(e.ty.ty) {
                return false;
            }
            e = inner;
        }
        match &e.kind {
            ExprKind::Load(place) => matches!(place.kind, ExprKind::Local(_) | ExprKind::Global(_)),
            ExprKind::Current => self.current.last().is_some_and(|old| matches!(old.kind, Ir::Global(_))),
            _ => false,
        }
    }

    /// A place that stays the same while `next` is evaluated.
    pub fn place_before(&mut self, e: &'a Expr, next: &Expr) -> Lowered<Place> {
        let mut place = self.place(e)?;
        if let Place::Memory { addr, .. } = &mut place {
            *addr = self.fixed_before(addr.clone(), next);
        }
        Ok(place)
    }
}

/// Does the value depend on memory or a global?
fn reads_shared(value: &ir::Expr) -> bool {
    let mut found = false;
    value.walk(&mut |e| found |= matches!(e.kind, Ir::Load(_) | Ir::Global(_)));
    found
}

fn may_call(e: &Expr) -> bool {
    let mut budget = LOOKED_AT;
    search(e, &mut budget)
}

fn search(e: &Expr, budget: &mut u32) -> bool {
    let Some(rest) = budget.checked_sub(1) else { return true };
    *budget = rest;
    let mut any = |list: &[&Expr]| list.iter().any(|e| search(e, budget));
    match &e.kind {
        ExprKind::Local(_)
        | ExprKind::Global(_)
        | ExprKind::Function(_)
        | ExprKind::String(_)
        | ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Current => false,
        ExprKind::Deref(a)
        | ExprKind::Member(a, _)
        | ExprKind::Load(a)
        | ExprKind::Decay(a)
        | ExprKind::AddrOf(a)
        | ExprKind::Convert(a)
        | ExprKind::Neg(a)
        | ExprKind::BitNot(a)
        | ExprKind::Not(a) => any(&[a]),
        ExprKind::Binary(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Assign(a, b)
        | ExprKind::Comma(a, b) => any(&[a, b]),
        ExprKind::Update { place, value, .. } => any(&[place, value]),
        ExprKind::PtrOffset { ptr, index, scale, .. } => any(&[ptr, index, scale]),
        ExprKind::PtrDiff { a, b, scale } => any(&[a, b, scale]),
        ExprKind::Cond(a, b, c) | ExprKind::CondElvis(a, b, c) => any(&[a, b, c]),
        // Calls, and what may hold any statement.
        ExprKind::Call { .. }
        | ExprKind::StmtExpr(..)
        | ExprKind::CompoundLiteral(..)
        | ExprKind::VaStart(_)
        | ExprKind::VaArg(_)
        | ExprKind::VaCopy(..)
        | ExprKind::VaEnd(_)
        | ExprKind::Builtin(..) => true,
    }
}
