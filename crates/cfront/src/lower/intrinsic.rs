//! Functions with a meaning of their own: inputs, assumptions, errors, memory, the end of the program.
//!
//! A name is intrinsic only if no unit defines it, except the error functions: calling one is the error, whatever its
//! body does.

use super::call::callee_function;
use super::function::Lower;
use super::{Lowered, fold, unsupported};
use crate::hir::*;
use crate::types::TypeKind;
use ir::{AllocKind, BinOp, CheckKind, HavocKind, Op, Type, UnOp, Var};
use std::sync::Arc;

/// What calls of a function without a definition mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Intrinsic {
    Input,
    Assume,
    Assert,
    AssertFail,
    Error,
    Malloc,
    Free,
    Realloc,
    Memcpy,
    Memset,
    Exit,
    Abort,
    Nothing,
}

fn intrinsic_named(name: &str) -> Option<Intrinsic> {
    Some(match name {
        "__VERIFIER_assume" | "__CPROVER_assume" => Intrinsic::Assume,
        "__VERIFIER_assert" | "__CPROVER_assert" | "assert" => Intrinsic::Assert,
        "__assert_fail"
        | "__assert_rtn"
        | "__assert"
        | "__assert_perror_fail"
        | "__assert2"
        | "__assert_func" => Intrinsic::AssertFail,
        "malloc" => Intrinsic::Malloc,
        "free" | "cfree" => Intrinsic::Free,
        "realloc" => Intrinsic::Realloc,
        "memcpy" | "memmove" => Intrinsic::Memcpy,
        "memset" => Intrinsic::Memset,
        "exit" | "_exit" | "_Exit" => Intrinsic::Exit,
        "abort" => Intrinsic::Abort,
        "__VERIFIER_atomic_begin"
        | "__VERIFIER_atomic_end"
        | "__CPROVER_atomic_begin"
        | "__CPROVER_atomic_end" => Intrinsic::Nothing,
        _ if name.starts_with("__VERIFIER_nondet_") || name.starts_with("nondet_") => Intrinsic::Input,
        _ => return None,
    })
}

impl<'a> Lower<'_, 'a> {
    /// Lowers a call if it is intrinsic; gives its value (a dummy for void). An input goes straight into `dst`.
    pub fn intrinsic(
        &mut self,
        e: &'a Expr,
        callee: &'a Expr,
        args: &'a [Expr],
        dst: Option<Var>,
    ) -> Lowered<Option<ir::Expr>> {
        let Some(id) = callee_function(callee) else { return Ok(None) };
        let function = self.hir_function(id);
        let name = function.name.clone();
        let intrinsic = if self.cx.options.error_functions.iter().any(|f| **f == *name) {
            Intrinsic::Error
        } else if self.cx.is_defined(self.unit, id) || function.linkage != Linkage::External {
            return Ok(None);
        } else {
            match intrinsic_named(&name) {
                Some(intrinsic) => intrinsic,
                None => return Ok(None),
            }
        };
        if args.len() < required_args(intrinsic) {
            return unsupported(e.span, format!("'{name}' is called with too few arguments"));
        }
        let value = self.run_intrinsic(intrinsic, name, e, args, dst)?;
        // The program may have declared it with another type: `int malloc()`.
        Ok(Some(match self.types.ir_type(e.ty.ty) {
            Some(ty) if ty.is_float() != value.ty.is_float() => ir::Expr { ty, kind: ir::ExprKind::Const(0) },
            Some(ty) => fold::cast(&self.target(), ty, value),
            None => value,
        }))
    }

    fn run_intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        name: Arc<str>,
        e: &'a Expr,
        args: &'a [Expr],
        dst: Option<Var>,
    ) -> Lowered<ir::Expr> {
        let done = ir::Expr::int(Type::I32, 0);
        match intrinsic {
            Intrinsic::Input => {
                for arg in args {
                    self.effect(arg)?;
                }
                self.at(e.span);
                let kind = HavocKind::Input(name);
                match (dst, self.types.ir_type(e.ty.ty)) {
                    (Some(var), Some(ty)) if !matches!(self.types.kind(e.ty.ty), TypeKind::Bool) => {
                        self.b.emit(Op::Havoc { var, kind });
                        Ok(ir::Expr::var(var, ty))
                    }
                    (_, Some(_)) => self.havoc_c(e.ty.ty, kind, e.span),
                    (_, None) if matches!(self.types.kind(e.ty.ty), TypeKind::Void) => Ok(done),
                    (_, None) => unsupported(
                        e.span,
                        format!("'{name}' does not return a scalar", name = kind_name(&kind)),
                    ),
                }
            }
            Intrinsic::Assume => {
                let cond = self.truth_value(&args[0])?;
                self.at(e.span);
                self.b.emit(Op::Assume { cond, holds: true });
                Ok(done)
            }
            Intrinsic::Assert => {
                let message = self.string_argument(args.get(1));
                let cond = self.truth_value(&args[0])?;
                self.at(e.span);
                self.b.emit(Op::Check { kind: CheckKind::Assertion, cond, message });
                Ok(done)
            }
            Intrinsic::AssertFail | Intrinsic::Error => {
                let kind =
                    if intrinsic == Intrinsic::Error { CheckKind::ErrorCall } else { CheckKind::Assertion };
                let message = match kind {
                    CheckKind::Assertion => self.string_argument(args.first()),
                    _ => None,
                };
                for arg in args {
                    self.effect(arg)?;
                }
                self.at(e.span);
                self.b.emit(Op::Check { kind, cond: ir::Expr::bool(false), message });
                self.b.leave(Op::Halt(None));
                self.dummy(e)
            }
            Intrinsic::Malloc => {
                let size = self.size_argument(&args[0])?;
                Ok(self.alloc(size, AllocKind::Heap))
            }
            Intrinsic::Free => {
                let ptr = self.value(&args[0])?;
                self.at(e.span);
                self.free(ptr);
                Ok(done)
            }
            Intrinsic::Realloc => self.realloc(e, args),
            Intrinsic::Memcpy => {
                let (dst, src) = (self.value(&args[0])?, self.value(&args[1])?);
                let len = self.size_argument(&args[2])?;
                let dst = self.freeze(dst);
                self.at(e.span);
                self.check_range(&src, len.clone(), false);
                self.check_range(&dst, len.clone(), true);
                self.b.emit(Op::Copy { dst: dst.clone(), src, len });
                Ok(dst)
            }
            Intrinsic::Memset => {
                let (dst, byte) = (self.value(&args[0])?, self.value(&args[1])?);
                let len = self.size_argument(&args[2])?;
                let dst = self.freeze(dst);
                let byte = fold::cast(&self.target(), Type::U8, byte);
                self.at(e.span);
                self.check_range(&dst, len.clone(), true);
                self.b.emit(Op::Fill { dst: dst.clone(), byte, len });
                Ok(dst)
            }
            Intrinsic::Exit => {
                let code = self.value(&args[0])?;
                let code = fold::cast(&self.target(), Type::I32, code);
                self.at(e.span);
                self.b.leave(Op::Halt(Some(code)));
                Ok(done)
            }
            Intrinsic::Abort => {
                self.at(e.span);
                self.b.leave(Op::Halt(None));
                Ok(done)
            }
            Intrinsic::Nothing => {
                for arg in args {
                    self.effect(arg)?;
                }
                Ok(done)
            }
        }
    }

    /// A value for code that is never reached.
    fn dummy(&mut self, e: &Expr) -> Lowered<ir::Expr> {
        let ty = self.types.ir_type(e.ty.ty).unwrap_or(Type::I32);
        Ok(ir::Expr { ty, kind: ir::ExprKind::Const(0) })
    }

    fn size_argument(&mut self, arg: &'a Expr) -> Lowered<ir::Expr> {
        let size = self.value(arg)?;
        Ok(fold::cast(&self.target(), self.target().intptr(false), size))
    }

    pub fn alloc(&mut self, size: ir::Expr, kind: AllocKind) -> ir::Expr {
        let temp = self.temp(Type::Ptr);
        self.b.emit(Op::Alloc { var: Var::Local(temp), size, kind });
        self.local_expr(temp, Type::Ptr)
    }

    fn free(&mut self, ptr: ir::Expr) {
        if self.checks(CheckKind::Memory) {
            let kind = ir::ExprKind::Freeable(Box::new(ptr.clone()));
            self.check(CheckKind::Memory, ir::Expr { ty: Type::Bool, kind }, None);
        }
        self.b.emit(Op::Free { ptr });
    }

    /// A new object with the old content up to the smaller size; the old one ends.
    fn realloc(&mut self, e: &'a Expr, args: &'a [Expr]) -> Lowered<ir::Expr> {
        let old = self.value(&args[0])?;
        let old = self.freeze(old);
        let size = self.size_argument(&args[1])?;
        let size = self.freeze(size);
        self.at(e.span);
        let new = self.alloc(size.clone(), AllocKind::Heap);
        let (copy, done) = (self.b.node(), self.b.node());
        self.b.branch(fold::truth(old.clone()), copy, done);
        self.b.start(copy);
        let kind = ir::ExprKind::ObjectSize(Box::new(old.clone()));
        let old_size = self.freeze(ir::Expr { ty: size.ty, kind });
        let smaller = fold::binary(BinOp::Lt, old_size.clone(), size.clone());
        let len = ir::Expr::ite(smaller, old_size, size);
        self.b.emit(Op::Copy { dst: new.clone(), src: old.clone(), len });
        self.free(old);
        self.b.jump(done);
        self.b.start(done);
        Ok(new)
    }

    /// The text of a string literal argument.
    fn string_argument(&self, arg: Option<&'a Expr>) -> Option<Arc<str>> {
        let mut e = arg?;
        loop {
            match &e.kind {
                ExprKind::Decay(inner) | ExprKind::AddrOf(inner) | ExprKind::Convert(inner) => e = inner,
                ExprKind::String(id) => {
                    let bytes = &self.cx.units[self.unit].unit.strings[id.0 as usize].bytes;
                    let text = bytes.strip_suffix(b"\0").unwrap_or(bytes);
                    return (!text.is_empty()).then(|| String::from_utf8_lossy(text).into());
                }
                _ => return None,
            }
        }
    }

    pub fn builtin(&mut self, e: &'a Expr, builtin: Builtin, args: &'a [Expr]) -> Lowered<ir::Expr> {
        let op = match builtin {
            Builtin::Alloca => {
                let size = self.size_argument(&args[0])?;
                return Ok(self.alloc(size, AllocKind::Stack));
            }
            Builtin::Unreachable => {
                if self.checks(CheckKind::Unreachable) {
                    self.check(CheckKind::Unreachable, ir::Expr::bool(false), None);
                } else {
                    self.b.emit(Op::Assume { cond: ir::Expr::bool(false), holds: true });
                }
                self.b.leave(Op::Halt(None));
                return Ok(ir::Expr::int(Type::I32, 0));
            }
            Builtin::Trap => {
                self.b.leave(Op::Halt(None));
                return Ok(ir::Expr::int(Type::I32, 0));
            }
            Builtin::AddOverflow | Builtin::SubOverflow | Builtin::MulOverflow => {
                return self.overflow_builtin(e, builtin, args);
            }
            Builtin::Unknown => {
                for arg in args {
                    self.effect(arg)?;
                }
                return self.havoc_c(e.ty.ty, HavocKind::Input("builtin".into()), e.span);
            }
            Builtin::Sqrt => UnOp::Sqrt,
            Builtin::Abs => UnOp::Abs,
            Builtin::Floor => UnOp::Floor,
            Builtin::Ceil => UnOp::Ceil,
            Builtin::TruncFloat => UnOp::Trunc,
            Builtin::RoundEven => UnOp::RoundEven,
            Builtin::RoundAway => UnOp::RoundAway,
        };
        let value = self.value(&args[0])?;
        Ok(ir::Expr::unary(op, value))
    }

    /// Computes in a type that holds every result, then asks if the result's own type does.
    fn overflow_builtin(&mut self, e: &'a Expr, builtin: Builtin, args: &'a [Expr]) -> Lowered<ir::Expr> {
        let target = self.target();
        let (a, b, ptr) = (self.value(&args[0])?, self.value(&args[1])?, self.value(&args[2])?);
        let TypeKind::Pointer(to) = self.types.kind(args[2].ty.ty) else {
            return unsupported(e.span, "the result of an overflow builtin must be a pointer");
        };
        let result = self.ir_type(to.ty, e.span)?;
        let (Type::Int(ia), Type::Int(ib), Type::Int(ir_int)) = (a.ty, b.ty, result) else {
            return unsupported(e.span, "an overflow builtin needs integers");
        };
        let (op, overflows) = match builtin {
            Builtin::AddOverflow => (BinOp::Add, BinOp::AddOverflows),
            Builtin::SubOverflow => (BinOp::Sub, BinOp::SubOverflows),
            _ => (BinOp::Mul, BinOp::MulOverflows),
        };
        if ia.bits == 128 || ib.bits == 128 || ir_int.bits == 128 {
            if !(a.ty == b.ty && a.ty == result) {
                return unsupported(e.span, "an overflow builtin mixes 128-bit and other integers");
            }
            let (a, b) = (self.freeze(a), self.freeze(b));
            let flag =
                self.freeze(fold::cast(&target, Type::U8, ir::Expr::binary(overflows, a.clone(), b.clone())));
            self.store_result(ptr, fold::binary(op, a, b));
            return Ok(flag);
        }
        // 64-bit unsigned products need all of 128 unsigned bits; everything else fits 128 signed ones.
        let wide = if op == BinOp::Mul && !ia.signed && !ib.signed { Type::U128 } else { Type::I128 };
        let sum = fold::binary(op, fold::cast(&target, wide, a), fold::cast(&target, wide, b));
        let sum = self.freeze(sum);
        let cut = fold::cast(&target, result, sum.clone());
        let fits = fold::binary(BinOp::Ne, fold::cast(&target, wide, cut.clone()), sum.clone());
        let fits = match (wide, ir_int.signed) {
            // A negative cut value, seen as 128 unsigned bits, is not the sum.
            (Type::U128, true) => {
                let max = ir::Expr { ty: wide, kind: ir::ExprKind::Const(ir_int.max_bits()) };
                fold::binary(BinOp::Lt, max, sum)
            }
            _ => fits,
        };
        let flag = self.freeze(fold::cast(&target, Type::U8, fits));
        self.store_result(ptr, cut);
        Ok(flag)
    }

    fn store_result(&mut self, addr: ir::Expr, value: ir::Expr) {
        self.check_access(&addr, value.ty.access_size(&self.target()), true);
        self.b.emit(Op::Store { addr, value });
    }
}

fn kind_name(kind: &HavocKind) -> &str {
    match kind {
        HavocKind::Input(name) => name,
        _ => "input",
    }
}

fn required_args(intrinsic: Intrinsic) -> usize {
    match intrinsic {
        Intrinsic::Memcpy | Intrinsic::Memset => 3,
        Intrinsic::Realloc => 2,
        Intrinsic::Assume | Intrinsic::Assert | Intrinsic::Malloc | Intrinsic::Free | Intrinsic::Exit => 1,
        _ => 0,
    }
}
