//! `__sync_*` and `__atomic_*` as one thread sees them: plain reads and writes.

use super::Checker;
use super::convert::Purpose;
use crate::ast;
use crate::hir::{BinaryOp, Expr, ExprKind, LocalId};
use crate::types::{QualType, TypeId, TypeTable};
use base::Span;

/// What a read-modify-write computes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Modify {
    Op(ast::BinaryOp),
    Nand,
    Exchange,
}

impl Checker<'_> {
    /// None if there is no such builtin.
    pub(super) fn atomic(&mut self, name: &str, args: &mut Vec<Expr>, span: Span) -> Option<Expr> {
        if let Some(rest) = name.strip_prefix("__sync_") {
            // `__sync_fetch_and_add_4` names the width that the pointer has anyway.
            let rest = match rest.rsplit_once('_') {
                Some((base, "1" | "2" | "4" | "8" | "16")) => base,
                _ => rest,
            };
            self.sync(rest, args, span)
        } else {
            let rest = name.strip_prefix("__atomic_")?;
            self.atomic_memory_order(rest, args, span)
        }
    }

    fn sync(&mut self, name: &str, args: &mut Vec<Expr>, span: Span) -> Option<Expr> {
        if name == "synchronize" {
            return Some(self.void_expr(span));
        }
        if let Some(op) = name.strip_prefix("fetch_and_") {
            return self.modify(modify(op)?, true, args, span);
        }
        if let Some(op) = name.strip_suffix("_and_fetch") {
            return self.modify(modify(op)?, false, args, span);
        }
        match name {
            "lock_test_and_set" => self.modify(Modify::Exchange, true, args, span),
            "lock_release" => {
                let place = self.target(args, 1, span)?;
                let zero = self.int_expr(TypeTable::INT, 0, span);
                let store = self.store(place, zero, span);
                Some(self.voided(store))
            }
            "bool_compare_and_swap" | "val_compare_and_swap" => {
                let bool_result = name.starts_with("bool");
                if args.len() < 3 {
                    return Some(self.wrong_count(span));
                }
                let new = args.swap_remove(2);
                let old = args.swap_remove(1);
                let pointer = args.swap_remove(0);
                Some(self.compare_and_swap(pointer, old, new, bool_result, span))
            }
            _ => None,
        }
    }

    fn atomic_memory_order(&mut self, name: &str, args: &mut Vec<Expr>, span: Span) -> Option<Expr> {
        let name = match name.rsplit_once('_') {
            Some((base, "1" | "2" | "4" | "8" | "16")) => base,
            _ => name,
        };
        if let Some(op) = name.strip_prefix("fetch_") {
            return self.modify(modify(op)?, true, args, span);
        }
        if let Some(op) = name.strip_suffix("_fetch") {
            return self.modify(modify(op)?, false, args, span);
        }
        match name {
            "thread_fence" | "signal_fence" => Some(self.void_expr(span)),
            "always_lock_free" | "is_lock_free" => Some(self.int_expr(TypeTable::BOOL, 1, span)),
            "load_n" => {
                let place = self.target(args, 1, span)?;
                Some(self.rvalue(place))
            }
            "load" => {
                let place = self.target(args, 2, span)?;
                let value = self.rvalue(place);
                let out = args.swap_remove(1);
                let out = self.deref(out, span);
                let store = self.store(out, value, span);
                Some(self.voided(store))
            }
            "store_n" => {
                let place = self.target(args, 2, span)?;
                let value = args.swap_remove(1);
                let store = self.store(place, value, span);
                Some(self.voided(store))
            }
            "store" => {
                let place = self.target(args, 2, span)?;
                let value = args.swap_remove(1);
                let value = self.deref(value, span);
                let value = self.rvalue(value);
                let store = self.store(place, value, span);
                Some(self.voided(store))
            }
            "exchange_n" => self.modify(Modify::Exchange, true, args, span),
            "exchange" => {
                if args.len() < 3 {
                    return Some(self.wrong_count(span));
                }
                let out = args.swap_remove(2);
                let value = args.swap_remove(1);
                let value = self.deref(value, span);
                let value = self.rvalue(value);
                args.push(value);
                let old = self.modify(Modify::Exchange, true, args, span)?;
                let out = self.deref(out, span);
                let store = self.store(out, old, span);
                Some(self.voided(store))
            }
            "compare_exchange_n" | "compare_exchange" => {
                if args.len() < 3 {
                    return Some(self.wrong_count(span));
                }
                let mut desired = args.swap_remove(2);
                if name == "compare_exchange" {
                    desired = self.deref(desired, span);
                    desired = self.rvalue(desired);
                }
                let expected = args.swap_remove(1);
                let pointer = args.swap_remove(0);
                Some(self.compare_exchange(pointer, expected, desired, span))
            }
            "test_and_set" => {
                let mut pointer = self.first(args, span)?;
                let byte = self.types.pointer_to(QualType::plain(TypeTable::UCHAR));
                pointer = self.convert(pointer, byte);
                let one = self.int_expr(TypeTable::INT, 1, span);
                let mut args = vec![pointer, one];
                let old = self.modify(Modify::Exchange, true, &mut args, span)?;
                Some(self.convert(old, TypeTable::BOOL))
            }
            "clear" => {
                let mut pointer = self.first(args, span)?;
                let byte = self.types.pointer_to(QualType::plain(TypeTable::UCHAR));
                pointer = self.convert(pointer, byte);
                let place = self.deref(pointer, span);
                let zero = self.int_expr(TypeTable::INT, 0, span);
                let store = self.store(place, zero, span);
                Some(self.voided(store))
            }
            _ => None,
        }
    }

    fn wrong_count(&mut self, span: Span) -> Expr {
        self.error(span, "too few arguments to atomic builtin");
        self.error_expr(span)
    }

    fn first(&mut self, args: &mut Vec<Expr>, span: Span) -> Option<Expr> {
        if args.is_empty() {
            return Some(self.wrong_count(span));
        }
        Some(args.swap_remove(0))
    }

    /// The place that the first argument points to. Leaves the other arguments where they are.
    fn target(&mut self, args: &mut [Expr], count: usize, span: Span) -> Option<Expr> {
        if args.len() < count {
            return Some(self.wrong_count(span));
        }
        let hole = self.error_expr(span);
        let pointer = std::mem::replace(&mut args[0], hole);
        Some(self.atomic_place(pointer, span))
    }

    fn atomic_place(&mut self, pointer: Expr, span: Span) -> Expr {
        let place = self.deref(pointer, span);
        // Qualifiers of the object do not matter here.
        Expr { ty: QualType::plain(place.ty.ty), ..place }
    }

    fn store(&mut self, place: Expr, value: Expr, span: Span) -> Expr {
        if place.ty.ty == TypeTable::ERROR {
            return place;
        }
        let value = self.assign_convert(value, place.ty, Purpose::Assign);
        if value.ty.ty == TypeTable::ERROR {
            return value;
        }
        self.assign_node(place, value, span)
    }

    fn voided(&mut self, e: Expr) -> Expr {
        let span = e.span;
        self.cast(e, QualType::plain(TypeTable::VOID), span)
    }

    fn modify(&mut self, what: Modify, post: bool, args: &mut Vec<Expr>, span: Span) -> Option<Expr> {
        if args.len() < 2 {
            return Some(self.wrong_count(span));
        }
        let place = self.target(args, 2, span)?;
        let operand = args.swap_remove(1);
        if place.ty.ty == TypeTable::ERROR || operand.ty.ty == TypeTable::ERROR {
            return Some(self.error_expr(span));
        }
        let ty = place.ty.ty;
        let scalar = self.types.is_integer(ty) || self.types.is_pointer(ty);
        if !scalar && what != Modify::Exchange || !self.types.is_complete(ty) {
            self.error(span, "operand type is incompatible with the atomic builtin");
            return Some(self.error_expr(span));
        }
        // Pointers move by bytes.
        let wide = if self.types.is_pointer(ty) { self.types.size_t() } else { ty };
        let value = match what {
            Modify::Exchange => self.assign_convert(operand, place.ty, Purpose::Assign),
            Modify::Op(op) => {
                let current = self.value(ExprKind::Current, ty, span);
                let (current, operand) = (self.convert(current, wide), self.convert(operand, wide));
                let value = self.binary(op, current, operand, span);
                self.convert(value, ty)
            }
            Modify::Nand => {
                let current = self.value(ExprKind::Current, ty, span);
                let (current, operand) = (self.convert(current, wide), self.convert(operand, wide));
                let both = self.binary(ast::BinaryOp::BitAnd, current, operand, span);
                let value = self.fold_bit_not(both, span);
                self.convert(value, ty)
            }
        };
        Some(self.update_node(place, value, post, span))
    }

    /// Keeps a value in a hidden local: the assignment, and the local.
    pub(super) fn keep(&mut self, value: Expr, ty: TypeId) -> (Expr, LocalId) {
        let span = value.span;
        let local = self.hidden_local(QualType::plain(ty), span);
        let place = Expr { kind: ExprKind::Local(local), ty: QualType::plain(ty), span };
        (self.assign_node(place, value, span), local)
    }

    pub(super) fn kept(&mut self, local: LocalId, ty: TypeId, span: Span) -> Expr {
        let place = Expr { kind: ExprKind::Local(local), ty: QualType::plain(ty), span };
        self.value(ExprKind::Load(Box::new(place)), ty, span)
    }

    /// (seen = *p, seen == old ? (*p = new) : ..., result)
    fn compare_and_swap(&mut self, pointer: Expr, old: Expr, new: Expr, truth: bool, span: Span) -> Expr {
        let Some(to) = self.types.pointee(pointer.ty.ty) else {
            return self.deref(pointer, span);
        };
        let (ty, pointer_ty) = (to.ty, pointer.ty.ty);
        let old = self.assign_convert(old, QualType::plain(ty), Purpose::Argument(2, ""));
        let new = self.assign_convert(new, QualType::plain(ty), Purpose::Argument(3, ""));
        if [&old, &new].iter().any(|e| e.ty.ty == TypeTable::ERROR) {
            return self.error_expr(span);
        }
        let (set_pointer, p) = self.keep(pointer, pointer_ty);
        let (set_old, o) = self.keep(old, ty);
        let (set_new, n) = self.keep(new, ty);
        let (set_seen, seen) = self.read_into(p, pointer_ty, ty, span);
        let equal = self.seen_equals(seen, o, ty, span);
        let store = self.store_kept(p, pointer_ty, n, ty, span);
        let store = self.voided(store);
        let nothing = self.void_expr(span);
        let result = if truth {
            let store = self.comma(store, TypeTable::BOOL, true, span);
            let nothing = self.comma(nothing, TypeTable::BOOL, false, span);
            let parts = (Box::new(equal), Box::new(store), Box::new(nothing));
            self.value(ExprKind::Cond(parts.0, parts.1, parts.2), TypeTable::BOOL, span)
        } else {
            let parts = (Box::new(equal), Box::new(store), Box::new(nothing));
            let choice = self.value(ExprKind::Cond(parts.0, parts.1, parts.2), TypeTable::VOID, span);
            let value = self.kept(seen, ty, span);
            self.value(ExprKind::Comma(Box::new(choice), Box::new(value)), ty, span)
        };
        self.after(vec![set_pointer, set_old, set_new, set_seen], result)
    }

    /// seen = *p, seen == *e ? (*p = desired, 1) : (*e = seen, 0)
    fn compare_exchange(&mut self, pointer: Expr, expected: Expr, desired: Expr, span: Span) -> Expr {
        let (Some(to), Some(_)) = (self.types.pointee(pointer.ty.ty), self.types.pointee(expected.ty.ty))
        else {
            self.error(span, "argument of atomic builtin must be a pointer");
            return self.error_expr(span);
        };
        let (ty, pointer_ty) = (to.ty, pointer.ty.ty);
        let expected_ty = self.types.pointer_to(QualType::plain(ty));
        let expected = self.convert(expected, expected_ty);
        let desired = self.assign_convert(desired, QualType::plain(ty), Purpose::Argument(3, ""));
        if desired.ty.ty == TypeTable::ERROR {
            return desired;
        }
        let (set_pointer, p) = self.keep(pointer, pointer_ty);
        let (set_expected, e) = self.keep(expected, expected_ty);
        let (set_desired, d) = self.keep(desired, ty);
        let (set_seen, seen) = self.read_into(p, pointer_ty, ty, span);
        let (set_old, old) = self.read_into(e, expected_ty, ty, span);
        let equal = self.seen_equals(seen, old, ty, span);
        let store = self.store_kept(p, pointer_ty, d, ty, span);
        let report = self.store_kept(e, expected_ty, seen, ty, span);
        let (store, report) = (self.voided(store), self.voided(report));
        let yes = self.comma(store, TypeTable::BOOL, true, span);
        let no = self.comma(report, TypeTable::BOOL, false, span);
        let parts = (Box::new(equal), Box::new(yes), Box::new(no));
        let result = self.value(ExprKind::Cond(parts.0, parts.1, parts.2), TypeTable::BOOL, span);
        self.after(vec![set_pointer, set_expected, set_desired, set_seen, set_old], result)
    }

    fn comma(&mut self, first: Expr, ty: TypeId, truth: bool, span: Span) -> Expr {
        let value = self.int_expr(ty, truth as i128, span);
        self.value(ExprKind::Comma(Box::new(first), Box::new(value)), ty, span)
    }

    fn read_into(&mut self, pointer: LocalId, pointer_ty: TypeId, ty: TypeId, span: Span) -> (Expr, LocalId) {
        let pointer = self.kept(pointer, pointer_ty, span);
        let place = self.atomic_place(pointer, span);
        let value = self.rvalue(place);
        self.keep(value, ty)
    }

    fn store_kept(
        &mut self,
        pointer: LocalId,
        pointer_ty: TypeId,
        value: LocalId,
        ty: TypeId,
        span: Span,
    ) -> Expr {
        let pointer = self.kept(pointer, pointer_ty, span);
        let place = self.atomic_place(pointer, span);
        let value = self.kept(value, ty, span);
        self.assign_node(place, value, span)
    }

    fn seen_equals(&mut self, a: LocalId, b: LocalId, ty: TypeId, span: Span) -> Expr {
        let (a, b) = (self.kept(a, ty, span), self.kept(b, ty, span));
        if self.types.is_integer(ty) {
            let (a, b, _) = self.usual(a, b);
            return self.comparison(BinaryOp::Eq, a, b, span);
        }
        if !self.types.is_scalar(ty) {
            self.poison("an atomic comparison of records", span);
            return self.unknown(TypeTable::INT, span);
        }
        self.comparison(BinaryOp::Eq, a, b, span)
    }
}

fn modify(op: &str) -> Option<Modify> {
    Some(match op {
        "add" => Modify::Op(ast::BinaryOp::Add),
        "sub" => Modify::Op(ast::BinaryOp::Sub),
        "and" => Modify::Op(ast::BinaryOp::BitAnd),
        "or" => Modify::Op(ast::BinaryOp::BitOr),
        "xor" => Modify::Op(ast::BinaryOp::BitXor),
        "nand" => Modify::Nand,
        _ => return None,
    })
}
