//! Expressions. Values become side-effect-free IR expressions; effects become operations, in order.
//!
//! A value may be an expression over variables that is evaluated only where it is used. That is right as long
//! as no sequenced write comes between: a value that must survive a write is frozen in a temporary first.

use super::function::Lower;
use super::place::Place;
use super::{Lowered, fold, unsupported};
use crate::hir::*;
use crate::types::{TypeId, TypeKind};
use base::Span;
use ir::{BinOp, CheckKind, HavocKind, NodeId, Op, Type, Var};

/// Operands of `&&`, `||` and `?:` up to this size become one expression instead of control flow.
const SIMPLE_SIZE: u32 = 24;

/// The IR limits the depth of expressions; deeper ones are cut by a temporary every so many levels.
const SPLIT_DEPTH: u32 = 200;

impl<'a> Lower<'_, 'a> {
    /// The value of a scalar expression. Void expressions give a dummy.
    pub fn value(&mut self, e: &'a Expr) -> Lowered<ir::Expr> {
        self.depth += 1;
        let value = self.shallow_value(e);
        self.depth -= 1;
        let value = value?;
        Ok(if self.depth % SPLIT_DEPTH == SPLIT_DEPTH - 1 { self.freeze(value) } else { value })
    }

    fn shallow_value(&mut self, e: &'a Expr) -> Lowered<ir::Expr> {
        match &e.kind {
            ExprKind::Int(bits) | ExprKind::Float(bits) => {
                Ok(ir::Expr { ty: self.ir_type(e.ty.ty, e.span)?, kind: ir::ExprKind::Const(*bits) })
            }
            ExprKind::Load(lvalue) => {
                let place = self.place(lvalue)?;
                let value = self.read_as(&place, e.ty.ty, e.span)?;
                Ok(self.observed(lvalue, value))
            }
            ExprKind::Decay(place) | ExprKind::AddrOf(place) => {
                self.note_packed(place);
                self.address(place)
            }
            ExprKind::Convert(inner) => self.convert(inner, e.ty.ty, e.span),
            ExprKind::Neg(inner) => {
                let value = self.value(inner)?;
                if value.ty.as_int().is_some_and(|int| int.signed) && self.checks(CheckKind::Overflow) {
                    let zero = ir::Expr::int(value.ty, 0);
                    let overflows = ir::Expr::binary(BinOp::SubOverflows, zero, value.clone());
                    self.check(CheckKind::Overflow, overflows.not(), None);
                }
                Ok(fold::neg(value))
            }
            ExprKind::BitNot(inner) => Ok(fold::bit_not(self.value(inner)?)),
            ExprKind::Binary(..) => self.binary_chain(e),
            ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => {
                let truth = self.truth_value(e)?;
                Ok(fold::cast(&self.target(), Type::I32, truth))
            }
            ExprKind::PtrOffset { .. } => {
                self.note_moved(e);
                self.offset(e)
            }
            ExprKind::PtrDiff { a, b, scale } => {
                self.note_pointers();
                let (a, b, scale) = (self.value_before(a, b)?, self.value(b)?, self.value(scale)?);
                let bytes = ir::Expr::ptr_sub(self.target().intptr(true), a, b);
                Ok(if scale.as_const() == Some(1) { bytes } else { fold::binary(BinOp::Div, bytes, scale) })
            }
            ExprKind::Cond(c, a, b) => self.conditional(e, c, a, b),
            ExprKind::CondElvis(a, value, b) => self.elvis(e, a, value, b),
            ExprKind::Assign(place, value) => self.assign(place, value, true),
            ExprKind::Update { place, value, post } => self.update(place, value, *post, true),
            ExprKind::Current => match self.current.last() {
                Some(value) => Ok(value.clone()),
                None => unsupported(e.span, "no current value here"),
            },
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.value(b)
            }
            ExprKind::Call { callee, args } => self.call_value(e, callee, args),
            ExprKind::StmtExpr(stmts, value) => {
                let mut result = ir::Expr::int(Type::I32, 0);
                self.in_scope(|lower| {
                    lower.stmts(stmts)?;
                    if let Some(value) = value {
                        result = lower.value(value)?;
                        // It may be read from what ends here.
                        if lower.ends_something() {
                            result = lower.freeze(result.clone());
                        }
                    }
                    Ok(())
                })?;
                Ok(result)
            }
            ExprKind::VaStart(_) | ExprKind::VaArg(_) | ExprKind::VaCopy(..) | ExprKind::VaEnd(_) => {
                self.va(e)
            }
            ExprKind::Builtin(builtin, args) => self.builtin(e, *builtin, args),
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::Member(..)
            | ExprKind::CompoundLiteral(..)
                if self.types.is_scalar(e.ty.ty) =>
            {
                let place = self.place(e)?;
                self.read_as(&place, e.ty.ty, e.span)
            }
            _ => unsupported(e.span, "this expression has no scalar value"),
        }
    }

    /// Evaluates for effects only.
    pub fn effect(&mut self, e: &'a Expr) -> Lowered<()> {
        match &e.kind {
            ExprKind::Convert(inner) if matches!(self.types.kind(e.ty.ty), TypeKind::Void) => {
                self.effect(inner)
            }
            ExprKind::Assign(place, value) => self.assign(place, value, false).map(drop),
            ExprKind::Update { place, value, .. } => self.update(place, value, false, false).map(drop),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.effect(b)
            }
            ExprKind::Call { callee, args } => self.call_effect(e, callee, args),
            ExprKind::StmtExpr(stmts, value) => self.in_scope(|lower| {
                lower.stmts(stmts)?;
                value.as_ref().map_or(Ok(()), |value| lower.effect(value))
            }),
            ExprKind::Cond(c, a, b) => {
                let (then, otherwise, join) = (self.b.node(), self.b.node(), self.b.node());
                self.condition(c, then, otherwise)?;
                for (node, arm) in [(then, a), (otherwise, b)] {
                    self.b.start(node);
                    self.effect(arm)?;
                    self.b.jump(join);
                }
                self.b.start(join);
                Ok(())
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let (more, join) = (self.b.node(), self.b.node());
                match &e.kind {
                    ExprKind::And(..) => self.condition(a, more, join)?,
                    _ => self.condition(a, join, more)?,
                }
                self.b.start(more);
                self.effect(b)?;
                self.b.jump(join);
                self.b.start(join);
                Ok(())
            }
            // An address that nobody wants: only what computes it may have effects.
            ExprKind::Decay(place) | ExprKind::AddrOf(place) => self.effect(place),
            _ if self.types.is_scalar(e.ty.ty) => self.value(e).map(drop),
            _ if matches!(self.types.kind(e.ty.ty), TypeKind::Record(_)) => self.place(e).map(drop),
            // Mentioning an array or a function does nothing.
            ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::String(_) | ExprKind::Function(_) => Ok(()),
            ExprKind::Deref(inner) | ExprKind::Load(inner) => self.effect(inner),
            ExprKind::Member(..) | ExprKind::CompoundLiteral(..) => self.place(e).map(drop),
            _ => self.value(e).map(drop),
        }
    }

    /// Branches on a scalar expression; `&&`, `||` and `!` become control flow.
    pub fn condition(&mut self, e: &'a Expr, then: NodeId, otherwise: NodeId) -> Lowered<()> {
        match &e.kind {
            ExprKind::Not(inner) => self.condition(inner, otherwise, then),
            ExprKind::And(a, b) => {
                let more = self.b.node();
                self.condition(a, more, otherwise)?;
                self.b.start(more);
                self.condition(b, then, otherwise)
            }
            ExprKind::Or(a, b) => {
                let more = self.b.node();
                self.condition(a, then, more)?;
                self.b.start(more);
                self.condition(b, then, otherwise)
            }
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.condition(b, then, otherwise)
            }
            // The truth of an int or long that was made from a truth value is that value's.
            ExprKind::Convert(inner) if self.keeps_truth(inner.ty.ty, e.ty.ty) => {
                self.condition(inner, then, otherwise)
            }
            _ => {
                if !e.span.is_none() {
                    self.at(e.span);
                }
                let cond = fold::truth(self.value(e)?);
                self.b.branch(cond, then, otherwise);
                Ok(())
            }
        }
    }

    /// Does converting keep zero zero and nonzero nonzero?
    fn keeps_truth(&self, from: TypeId, to: TypeId) -> bool {
        if matches!(self.types.kind(to), TypeKind::Bool) && self.types.is_scalar(from) {
            return true;
        }
        match (self.types.ir_type(from), self.types.ir_type(to)) {
            (Some(Type::Int(from)), Some(Type::Int(to))) => from.bits <= to.bits,
            (Some(Type::Ptr), Some(Type::Ptr)) => true,
            _ => false,
        }
    }

    /// The truth of a logical expression as a Bool value.
    pub fn truth_value(&mut self, e: &'a Expr) -> Lowered<ir::Expr> {
        match &e.kind {
            ExprKind::Not(inner) => Ok(self.truth_value(inner)?.not()),
            ExprKind::And(a, b) | ExprKind::Or(a, b) if self.is_simple(b) => {
                let op = if matches!(e.kind, ExprKind::And(..)) { BinOp::And } else { BinOp::Or };
                let a = self.truth_value(a)?;
                // A constant left side decides; the right side has no effects.
                if a.is_true() && op == BinOp::Or || a.is_false() && op == BinOp::And {
                    return Ok(a);
                }
                Ok(fold::binary(op, a, self.truth_value(b)?))
            }
            ExprKind::And(..) | ExprKind::Or(..) => {
                let temp = self.temp(Type::I32);
                let (then, otherwise, join) = (self.b.node(), self.b.node(), self.b.node());
                self.condition(e, then, otherwise)?;
                for (node, value) in [(then, 1), (otherwise, 0)] {
                    self.b.start(node);
                    self.b.emit(Op::Assign { var: Var::Local(temp), value: ir::Expr::int(Type::I32, value) });
                    self.b.jump(join);
                }
                self.b.start(join);
                Ok(fold::truth(self.local_expr(temp, Type::I32)))
            }
            _ => Ok(fold::truth(self.value(e)?)),
        }
    }

    pub fn convert(&mut self, inner: &'a Expr, to: TypeId, span: Span) -> Lowered<ir::Expr> {
        match self.types.kind(to) {
            TypeKind::Void => {
                self.effect(inner)?;
                Ok(ir::Expr::int(Type::I32, 0))
            }
            TypeKind::Bool => {
                let truth = self.truth_value(inner)?;
                Ok(fold::cast(&self.target(), Type::U8, truth))
            }
            _ => {
                self.note_alignment(inner, to);
                let value = self.value(inner)?;
                let ty = self.ir_type(to, span)?;
                Ok(fold::cast(&self.target(), ty, value))
            }
        }
    }

    /// A pointer, moved by an offset.
    pub fn offset(&mut self, e: &'a Expr) -> Lowered<ir::Expr> {
        let ExprKind::PtrOffset { ptr, index, scale, subtract } = &e.kind else { return self.value(e) };
        let (ptr, index, scale) = (self.value_before(ptr, index)?, self.value(index)?, self.value(scale)?);
        let mut offset = fold::binary(BinOp::Mul, index, scale);
        if *subtract {
            offset = fold::neg(offset);
        }
        Ok(fold::ptr_add(ptr, offset))
    }

    /// A chain `a + b + c` is evaluated in a loop down its left side.
    fn binary_chain(&mut self, e: &'a Expr) -> Lowered<ir::Expr> {
        let mut chain = Vec::new();
        let mut left = e;
        while let ExprKind::Binary(op, a, b) = &left.kind {
            chain.push((*op, &**a, &**b, left));
            left = a;
        }
        let mut value = self.value(left)?;
        for (i, (op, left, right, whole)) in (1u32..).zip(chain.into_iter().rev()) {
            if !self.reads_late(op, left, right) {
                value = self.fixed_before(value, right);
            }
            let right = self.value(right)?;
            value = self.binary(op, value, right, whole)?;
            if i % SPLIT_DEPTH == 0 {
                value = self.freeze(value);
            }
        }
        Ok(value)
    }

    fn binary(&mut self, op: BinaryOp, a: ir::Expr, b: ir::Expr, e: &Expr) -> Lowered<ir::Expr> {
        if a.ty == Type::Ptr && !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            self.note_pointers();
        }
        let comparison = |op, a, b| fold::cast(&ir::Target::LP64, Type::I32, fold::binary(op, a, b));
        let op = match op {
            BinaryOp::Eq => return Ok(comparison(BinOp::Eq, a, b)),
            BinaryOp::Ne => return Ok(comparison(BinOp::Ne, a, b)),
            BinaryOp::Lt => return Ok(comparison(BinOp::Lt, a, b)),
            BinaryOp::Le => return Ok(comparison(BinOp::Le, a, b)),
            BinaryOp::Gt => return Ok(comparison(BinOp::Lt, b, a)),
            BinaryOp::Ge => return Ok(comparison(BinOp::Le, b, a)),
            BinaryOp::Add => BinOp::Add,
            BinaryOp::Sub => BinOp::Sub,
            BinaryOp::Mul => BinOp::Mul,
            BinaryOp::Div => BinOp::Div,
            BinaryOp::Rem => BinOp::Rem,
            BinaryOp::And => BinOp::And,
            BinaryOp::Or => BinOp::Or,
            BinaryOp::Xor => BinOp::Xor,
            BinaryOp::Shl => BinOp::Shl,
            BinaryOp::Shr => BinOp::Shr,
        };
        let b = if matches!(op, BinOp::Shl | BinOp::Shr) {
            self.check_shift(op, &a, &b);
            fold::cast(&self.target(), a.ty, b)
        } else {
            b
        };
        if a.ty != b.ty {
            return unsupported(e.span, format!("operands of types {} and {} were combined", a.ty, b.ty));
        }
        self.check_arithmetic(op, &a, &b);
        Ok(fold::binary(op, a, b))
    }

    fn check_shift(&mut self, op: BinOp, a: &ir::Expr, count: &ir::Expr) {
        let (Type::Int(int), Type::Int(by)) = (a.ty, count.ty) else { return };
        if !self.checks(CheckKind::Shift) {
            return;
        }
        let target = self.target();
        // As unsigned, a negative count is too large as well.
        let count = fold::cast(&target, Type::int(by.bits, false), count.clone());
        let width = ir::Expr::int(count.ty, i128::from(int.bits));
        self.check(CheckKind::Shift, fold::binary(BinOp::Lt, count.clone(), width), None);
        if op == BinOp::Shl && int.signed {
            // As unsigned, a negative value is too large as well.
            let unsigned = Type::int(int.bits, false);
            let value = fold::cast(&target, unsigned, a.clone());
            let most = ir::Expr { ty: unsigned, kind: ir::ExprKind::Const(int.max_bits()) };
            let most = fold::binary(BinOp::Shr, most, fold::cast(&target, unsigned, count));
            let message = "a negative value is shifted left, or the result does not fit";
            self.check(CheckKind::Shift, fold::binary(BinOp::Le, value, most), Some(message.into()));
        }
    }

    fn check_arithmetic(&mut self, op: BinOp, a: &ir::Expr, b: &ir::Expr) {
        let Type::Int(int) = a.ty else { return };
        if matches!(op, BinOp::Div | BinOp::Rem) {
            if self.checks(CheckKind::Div) {
                let nonzero = fold::binary(BinOp::Ne, b.clone(), ir::Expr::int(b.ty, 0));
                self.check(CheckKind::Div, nonzero, None);
            }
            // A quotient that does not fit is an overflow and a bad division: whoever asks for either wants
            // to know.
            let kind = [CheckKind::Overflow, CheckKind::Div].into_iter().find(|kind| self.checks(*kind));
            if let Some(kind) = kind.filter(|_| int.signed) {
                let least = ir::Expr { ty: a.ty, kind: ir::ExprKind::Const(int.min_bits()) };
                let a_ok = fold::binary(BinOp::Ne, a.clone(), least);
                let b_ok = fold::binary(BinOp::Ne, b.clone(), ir::Expr::int(b.ty, -1));
                if !a_ok.is_true() && !b_ok.is_true() {
                    self.check(kind, fold::binary(BinOp::Or, a_ok, b_ok), None);
                }
            }
        }
        let overflows = match op {
            BinOp::Add => BinOp::AddOverflows,
            BinOp::Sub => BinOp::SubOverflows,
            BinOp::Mul => BinOp::MulOverflows,
            _ => return,
        };
        if int.signed && self.checks(CheckKind::Overflow) {
            self.check(CheckKind::Overflow, ir::Expr::binary(overflows, a.clone(), b.clone()).not(), None);
        }
    }

    fn conditional(&mut self, e: &'a Expr, c: &'a Expr, a: &'a Expr, b: &'a Expr) -> Lowered<ir::Expr> {
        if matches!(self.types.kind(e.ty.ty), TypeKind::Void) {
            self.effect(e)?;
            return Ok(ir::Expr::int(Type::I32, 0));
        }
        let ty = self.ir_type(e.ty.ty, e.span)?;
        if self.is_simple(a) && self.is_simple(b) && self.is_simple(c) {
            let cond = self.truth_value(c)?;
            let (a, b) = (self.value(a)?, self.value(b)?);
            return Ok(if cond.is_true() {
                a
            } else if cond.is_false() {
                b
            } else {
                ir::Expr::ite(cond, a, b)
            });
        }
        let temp = self.temp(ty);
        let (then, otherwise, join) = (self.b.node(), self.b.node(), self.b.node());
        self.condition(c, then, otherwise)?;
        for (node, arm) in [(then, a), (otherwise, b)] {
            self.b.start(node);
            let value = self.value(arm)?;
            self.b.emit(Op::Assign { var: Var::Local(temp), value });
            self.b.jump(join);
        }
        self.b.start(join);
        Ok(self.local_expr(temp, ty))
    }

    fn elvis(&mut self, e: &'a Expr, a: &'a Expr, value: &'a Expr, b: &'a Expr) -> Lowered<ir::Expr> {
        let first = self.value(a)?;
        let first = self.freeze(first);
        let ty = self.types.ir_type(e.ty.ty);
        let temp = ty.map(|ty| self.temp(ty));
        let (then, otherwise, join) = (self.b.node(), self.b.node(), self.b.node());
        self.b.branch(fold::truth(first.clone()), then, otherwise);
        for (node, arm) in [(then, value), (otherwise, b)] {
            self.b.start(node);
            self.current.push(first.clone());
            let value = self.value(arm);
            self.current.pop();
            let value = value?;
            if let Some(temp) = temp {
                self.b.emit(Op::Assign { var: Var::Local(temp), value });
            }
            self.b.jump(join);
        }
        self.b.start(join);
        Ok(match (temp, ty) {
            (Some(temp), Some(ty)) => self.local_expr(temp, ty),
            _ => ir::Expr::int(Type::I32, 0),
        })
    }

    fn assign(&mut self, place: &'a Expr, value: &'a Expr, wanted: bool) -> Lowered<ir::Expr> {
        self.note_write(place);
        if !self.types.is_scalar(place.ty.ty) {
            self.assign_record(place, value)?;
            return Ok(ir::Expr::int(Type::I32, 0));
        }
        let to = self.place_before(place, value)?;
        // `x = f()` needs no temporary.
        if let Place::Register { var, ty, bits: None } = to
            && self.call_into(value, var, ty)?
        {
            return Ok(ir::Expr::var(var, ty));
        }
        let mut value = self.value(value)?;
        self.at(place.span);
        if !wanted {
            self.write(&to, value, place.span)?;
            return Ok(ir::Expr::int(Type::I32, 0));
        }
        if let Place::Register { var, ty, .. } = to {
            self.write(&to, value, place.span)?;
            return Ok(ir::Expr::var(var, ty));
        }
        value = self.freeze(value);
        self.write(&to, value.clone(), place.span)?;
        Ok(self.value_after_write(&to, value))
    }

    fn update(&mut self, place: &'a Expr, value: &'a Expr, post: bool, wanted: bool) -> Lowered<ir::Expr> {
        self.note_write(place);
        let mut to = self.place(place)?;
        if let Place::Memory { addr, .. } = &mut to
            && addr.may_fault()
        {
            // The address is used twice, for the read and the write.
            *addr = self.freeze(addr.clone());
        }
        let old = self.read_as(&to, place.ty.ty, place.span)?;
        let mut old = self.observed(place, old);
        if post && wanted {
            old = self.freeze_always(old);
        }
        self.current.push(old.clone());
        let new = self.value(value);
        self.current.pop();
        let mut new = new?;
        self.at(place.span);
        if let Place::Register { var, ty, .. } = to {
            self.write(&to, new, place.span)?;
            return Ok(if post { old } else { ir::Expr::var(var, ty) });
        }
        if wanted && !post {
            new = self.freeze(new);
        }
        self.write(&to, new.clone(), place.span)?;
        Ok(if post { old } else { self.value_after_write(&to, new) })
    }

    /// A copy even of a temporary: the temporary itself is about to change.
    fn freeze_always(&mut self, value: ir::Expr) -> ir::Expr {
        let ty = value.ty;
        let temp = self.temp(ty);
        self.b.emit(Op::Assign { var: Var::Local(temp), value });
        self.local_expr(temp, ty)
    }

    /// Any value of a C type: a `_Bool` is 0 or 1.
    pub fn havoc_c(&mut self, ty: TypeId, kind: HavocKind, span: Span) -> Lowered<ir::Expr> {
        let ir_ty = self.ir_type(ty, span)?;
        let value = self.havoc(ir_ty, kind);
        Ok(if self.is_bool(ty) { self.zero_or_one(value) } else { value })
    }

    /// Can the expression be evaluated without effects, faults or checks, and is it small?
    fn is_simple(&mut self, e: &'a Expr) -> bool {
        let mut budget = SIMPLE_SIZE;
        self.simple(e, &mut budget)
    }

    fn simple(&mut self, e: &'a Expr, budget: &mut u32) -> bool {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        let overflow = self.checks(CheckKind::Overflow);
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Current => true,
            ExprKind::Load(place) => {
                matches!(place.kind, ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::Member(..))
                    && self.types.is_scalar(e.ty.ty)
                    && self.register_place(place)
            }
            ExprKind::Decay(p) | ExprKind::AddrOf(p) => {
                matches!(
                    p.kind,
                    ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::String(_) | ExprKind::Function(_)
                )
            }
            ExprKind::Convert(inner) => self.types.is_scalar(e.ty.ty) && self.simple(inner, budget),
            ExprKind::BitNot(inner) | ExprKind::Not(inner) => self.simple(inner, budget),
            ExprKind::Neg(inner) => !overflow && self.simple(inner, budget),
            ExprKind::Binary(op, a, b) => {
                let safe = match op {
                    BinaryOp::Div | BinaryOp::Rem => self.types.ir_type(e.ty.ty).is_some_and(Type::is_float),
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => !overflow,
                    BinaryOp::Shl | BinaryOp::Shr => !self.checks(CheckKind::Shift),
                    _ => true,
                };
                safe && self.simple(a, budget) && self.simple(b, budget)
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => self.simple(a, budget) && self.simple(b, budget),
            ExprKind::Cond(a, b, c) => {
                self.types.is_scalar(e.ty.ty)
                    && self.simple(a, budget)
                    && self.simple(b, budget)
                    && self.simple(c, budget)
            }
            ExprKind::PtrOffset { ptr, index, scale, .. } => {
                self.simple(ptr, budget) && self.simple(index, budget) && self.simple(scale, budget)
            }
            _ => false,
        }
    }

    /// Is this a variable, or a member of one, that lives in registers?
    fn register_place(&mut self, e: &'a Expr) -> bool {
        let mut root = e;
        while let ExprKind::Member(base, _) = &root.kind {
            root = base;
        }
        matches!(root.kind, ExprKind::Local(_) | ExprKind::Global(_))
            && matches!(self.place(e), Ok(Place::Register { .. }))
    }
}
