//! Functions with a meaning of their own: inputs, assumptions, errors, memory, the end of the program.
//!
//! A name is intrinsic only if no unit defines it, except the error functions: calling one is the error,
//! whatever its body does.

use super::call::callee_function;
use super::function::Lower;
use super::{Lowered, fold, unsupported};
use crate::hir::*;
use crate::types::{TypeId, TypeKind, TypeTable};
use ir::{AllocKind, BinOp, CheckKind, HavocKind, Mark, Op, Type, UnOp, Var};
use std::sync::Arc;

/// Stretches of unknown length up to this many bytes get any content byte by byte.
const MOST_BYTES: i128 = 32;

/// What a stretch of memory is written with.
enum Source {
    Any,
    Memory(ir::Expr),
    Byte(ir::Expr),
}

/// What calls of a function without a definition mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Intrinsic {
    Input,
    Assume,
    Assert,
    AssertFail,
    Error,
    Malloc,
    Free,
    Realloc,
    Memcpy,
    Memmove,
    Memset,
    Exit,
    /// Without handlers and destructors.
    QuickExit,
    Abort,
    Nothing,
    /// CBMC's: all elements of an array get one value.
    ArraySet,
    /// Questions and operations of models.
    Internal(Internal),
}

/// What only models may ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Internal {
    /// A stretch of memory gets any content.
    Havoc,
    /// How many bytes there are from a pointer to the end of its object.
    Room,
    Valid {
        write: bool,
    },
    Freeable,
    /// Opens a file, which may fail.
    Stream,
    Close,
    /// `memcpy` and `memset`, byte by byte where that is short.
    Copy,
    Fill,
    /// Two stretches of memory must not overlap.
    Apart,
}

/// Of functions in models.
fn internal_named(name: &str) -> Option<Intrinsic> {
    let internal = match name.strip_prefix("__reprove_")? {
        "assume" => return Some(Intrinsic::Assume),
        "havoc" => Internal::Havoc,
        "room" => Internal::Room,
        "readable" => Internal::Valid { write: false },
        "writable" => Internal::Valid { write: true },
        "freeable" => Internal::Freeable,
        "stream" => Internal::Stream,
        "close" => Internal::Close,
        "copy" => Internal::Copy,
        "fill" => Internal::Fill,
        "apart" => Internal::Apart,
        rest if rest.starts_with("any_") => return Some(Intrinsic::Input),
        _ => return None,
    };
    Some(Intrinsic::Internal(internal))
}

pub(super) fn intrinsic_named(name: &str) -> Option<Intrinsic> {
    Some(match name {
        "__VERIFIER_assume" | "__CPROVER_assume" => Intrinsic::Assume,
        "__VERIFIER_assert"
        | "__CPROVER_assert"
        | "__CPROVER_precondition"
        | "__CPROVER_postcondition"
        | "assert" => Intrinsic::Assert,
        "__CPROVER_array_set" => Intrinsic::ArraySet,
        "__assert_fail"
        | "__assert_rtn"
        | "__assert"
        | "__assert_perror_fail"
        | "__assert2"
        | "__assert_func" => Intrinsic::AssertFail,
        "malloc" => Intrinsic::Malloc,
        "free" | "cfree" => Intrinsic::Free,
        "realloc" => Intrinsic::Realloc,
        "memcpy" => Intrinsic::Memcpy,
        "memmove" => Intrinsic::Memmove,
        "memset" => Intrinsic::Memset,
        "exit" => Intrinsic::Exit,
        "_exit" | "_Exit" => Intrinsic::QuickExit,
        "abort" => Intrinsic::Abort,
        "__VERIFIER_atomic_begin"
        | "__VERIFIER_atomic_end"
        | "__CPROVER_atomic_begin"
        | "__CPROVER_atomic_end"
        | "__CPROVER_cover"
        | "__CPROVER_input"
        | "__CPROVER_output" => Intrinsic::Nothing,
        _ if name.starts_with("__VERIFIER_nondet_") || name.starts_with("nondet_") => Intrinsic::Input,
        _ => return None,
    })
}

/// Is this the type of a function that can be an input? One that is given pointers may write there, whatever
/// its name.
pub(super) fn only_gives_a_value(types: &TypeTable, ty: TypeId) -> bool {
    let TypeKind::Function(f) = types.kind(ty) else { return false };
    let is_plain = |ty: &TypeId| types.ir_type(*ty).is_some_and(|ty| ty != Type::Ptr);
    types.ir_type(f.ret).is_some() && f.params.iter().all(is_plain)
}

impl<'a> Lower<'_, 'a> {
    /// Lowers a call if it is intrinsic; gives its value (a dummy for void). An input goes straight into
    /// `dst`.
    pub fn intrinsic(
        &mut self,
        e: &'a Expr,
        callee: &'a Expr,
        args: &'a [Expr],
        dst: Option<Var>,
    ) -> Lowered<Option<ir::Expr>> {
        let Some(id) = callee_function(callee) else { return Ok(None) };
        let function = self.hir_function(id);
        let mut name = function.name.clone();
        let internal = if self.in_model() { internal_named(&name) } else { None };
        let intrinsic = if let Some(internal) = internal {
            if internal == Intrinsic::Input {
                name = self.input_name();
            }
            internal
        } else if self.cx.options.error_functions.iter().any(|f| **f == *name) {
            Intrinsic::Error
        } else if function.linkage != Linkage::External || self.cx.is_foreign(self.unit, id) {
            return Ok(None);
        } else if self.cx.is_defined(self.unit, id) {
            return if self.cx.is_modelled(self.unit, id) {
                self.modelled(&name, id, e, args)
            } else {
                Ok(None)
            };
        } else {
            let gives = only_gives_a_value(self.types, function.ty)
                && !args.iter().any(|arg| self.types.ir_type(arg.ty.ty).is_none_or(|ty| ty == Type::Ptr));
            match intrinsic_named(&name).filter(|intrinsic| *intrinsic != Intrinsic::Input || gives) {
                Some(intrinsic) => intrinsic,
                None => return self.modelled(&name, id, e, args),
            }
        };
        if args.len() < required_args(intrinsic) {
            return unsupported(e.span, format!("'{name}' is called with too few arguments"));
        }
        let value = self.run_intrinsic(intrinsic, name, e, args, dst)?;
        Ok(Some(self.as_declared(e, value)))
    }

    /// The program may have declared it with a type that differs a little: `char *malloc(int)`.
    fn as_declared(&self, e: &Expr, value: ir::Expr) -> ir::Expr {
        match self.types.ir_type(e.ty.ty) {
            Some(ty) if ty.is_float() != value.ty.is_float() => ir::Expr { ty, kind: ir::ExprKind::Const(0) },
            Some(ty) => fold::cast(&self.target(), ty, value),
            None => value,
        }
    }

    /// Calls of functions with models of which more is known by their arguments.
    fn modelled(
        &mut self,
        name: &Arc<str>,
        id: FuncId,
        e: &'a Expr,
        args: &'a [Expr],
    ) -> Lowered<Option<ir::Expr>> {
        let value = match &**name {
            _ if !self.cx.is_modelled(self.unit, id) => None,
            "__CPROVER_havoc_object" => self.havoc_variable(e, args)?,
            "signal" | "bsd_signal" | "sysv_signal" | "__sysv_signal" => self.constant_signal(args)?,
            _ => self.scan_call(name, e, args)?,
        };
        let value = match value {
            None => self.print_call(name, id, e, args)?,
            value => value,
        };
        Ok(value.map(|value| self.as_declared(e, value)))
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
                Ok(self.alloc_heap(size, name))
            }
            Intrinsic::Free => {
                let ptr = self.value(&args[0])?;
                self.at(e.span);
                self.free(ptr);
                Ok(done)
            }
            Intrinsic::Realloc => self.realloc(e, args, name),
            Intrinsic::Memcpy | Intrinsic::Memmove => {
                let (dst, src) = (self.value(&args[0])?, self.value(&args[1])?);
                let len = self.size_argument(&args[2])?;
                let dst = self.freeze(dst);
                self.at(e.span);
                self.check_range(&src, len.clone(), false);
                self.check_range(&dst, len.clone(), true);
                if intrinsic == Intrinsic::Memcpy {
                    // What is copied to where it is stays as it is.
                    let same = fold::binary(BinOp::Eq, dst.clone(), src.clone());
                    let unless = fold::binary(BinOp::Or, is_zero(&len), same);
                    self.check_apart((&dst, &len), (&src, &len), unless, "the ranges of 'memcpy' overlap");
                }
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
            Intrinsic::Exit | Intrinsic::QuickExit => {
                let code = self.value(&args[0])?;
                let mut code = fold::cast(&self.target(), Type::I32, code);
                self.at(e.span);
                if intrinsic == Intrinsic::Exit {
                    code = self.run_exit_handlers(code);
                } else if !self.in_model() {
                    self.marks.insert(Mark::EndsAtOnce);
                }
                self.check_heap_at_exit();
                self.b.leave(Op::Halt(Some(code)));
                Ok(done)
            }
            Intrinsic::Abort => {
                self.at(e.span);
                self.check_heap_at_abort();
                self.b.leave(Op::Halt(None));
                Ok(done)
            }
            Intrinsic::Nothing => {
                for arg in args {
                    self.effect(arg)?;
                }
                Ok(done)
            }
            Intrinsic::ArraySet => self.array_set(e, args),
            Intrinsic::Internal(internal) => self.internal(internal, e, args),
        }
    }

    /// `signal(n, SIG_IGN)`: no handler is set, which is to be seen without executing anything.
    fn constant_signal(&mut self, args: &'a [Expr]) -> Lowered<Option<ir::Expr>> {
        let [number, action] = args else { return Ok(None) };
        let mut constant = action;
        while let ExprKind::Convert(inner) = &constant.kind {
            constant = inner;
        }
        if !matches!(constant.kind, ExprKind::Int(0 | 1)) {
            return Ok(None);
        }
        self.effect(number)?;
        let old = self.temp(Type::Ptr);
        self.helper("__reprove_old_signal", vec![], Some(Var::Local(old)));
        Ok(Some(self.local_expr(old, Type::Ptr)))
    }

    fn internal(&mut self, internal: Internal, e: &'a Expr, args: &'a [Expr]) -> Lowered<ir::Expr> {
        let target = self.target();
        if internal == Internal::Stream {
            let size = ir::Expr::int(target.intptr(false), 1);
            return Ok(self.block_or_null(size, "fopen".into()));
        }
        if internal == Internal::Apart {
            if self.checks(CheckKind::Memory) {
                let (a, m) = (self.value(&args[0])?, self.size_argument(&args[1])?);
                let (b, n) = (self.value(&args[2])?, self.size_argument(&args[3])?);
                self.at(e.span);
                let unless = fold::binary(BinOp::Or, is_zero(&m), is_zero(&n));
                let message = "what is copied overlaps the place where it goes";
                self.check_apart((&a, &m), (&b, &n), unless, message);
            }
            return Ok(ir::Expr::int(Type::I32, 0));
        }
        let ptr = self.value(&args[0])?;
        let kind = match internal {
            Internal::Stream | Internal::Apart | Internal::Close => {
                self.close(ptr);
                return Ok(ir::Expr::int(Type::I32, 0));
            }
            Internal::Havoc => {
                let len = self.size_argument(&args[1])?;
                self.at(e.span);
                self.havoc_range(ptr, len);
                return Ok(ir::Expr::int(Type::I32, 0));
            }
            Internal::Copy | Internal::Fill => {
                let second = self.value(&args[1])?;
                let len = self.size_argument(&args[2])?;
                self.at(e.span);
                let source = match internal {
                    Internal::Copy => {
                        self.check_range(&second, len.clone(), false);
                        Source::Memory(second)
                    }
                    _ => Source::Byte(fold::cast(&target, Type::U8, second)),
                };
                self.write_range(ptr, source, len);
                return Ok(ir::Expr::int(Type::I32, 0));
            }
            Internal::Room => {
                let kind = ir::ExprKind::ObjectSize(Box::new(ptr));
                return Ok(ir::Expr { ty: target.intptr(false), kind });
            }
            Internal::Valid { write } => {
                let size = self.size_argument(&args[1])?;
                ir::ExprKind::Valid { ptr: Box::new(ptr), size: Box::new(size), write }
            }
            Internal::Freeable => ir::ExprKind::Freeable(Box::new(ptr)),
        };
        Ok(fold::cast(&target, Type::I32, ir::Expr { ty: Type::Bool, kind }))
    }

    /// Gives memory any content.
    pub fn havoc_range(&mut self, dst: ir::Expr, len: ir::Expr) {
        self.write_range(dst, Source::Any, len);
    }

    /// Writes a stretch of memory. A short one of unknown length is written byte by byte, since engines know
    /// more about that.
    fn write_range(&mut self, dst: ir::Expr, source: Source, len: ir::Expr) {
        let (dst, len) = (self.freeze(dst), self.freeze(len));
        self.check_range(&dst, len.clone(), true);
        let after = self.b.node();
        if len.as_const().is_none() {
            let (short, long) = (self.b.node(), self.b.node());
            let most = ir::Expr::int(len.ty, MOST_BYTES);
            self.b.branch(fold::binary(BinOp::Le, len.clone(), most), short, long);
            self.b.start(short);
            self.write_bytes(dst.clone(), &source, len.clone());
            self.b.jump(after);
            self.b.start(long);
        }
        let op = match source {
            // A new object has any content.
            Source::Any => Op::Copy { dst, src: self.alloc(len.clone(), AllocKind::Stack), len },
            Source::Memory(src) => Op::Copy { dst, src, len },
            Source::Byte(byte) => Op::Fill { dst, byte, len },
        };
        self.b.emit(op);
        self.b.jump(after);
        self.b.start(after);
    }

    fn write_bytes(&mut self, dst: ir::Expr, source: &Source, len: ir::Expr) {
        let (word, offset) = (len.ty, self.target().intptr(true));
        let index = self.temp(word);
        self.b.emit(Op::Assign { var: Var::Local(index), value: ir::Expr::int(word, 0) });
        let (head, inside, after) = (self.b.node(), self.b.node(), self.b.node());
        self.b.jump(head);
        self.b.start(head);
        let at = self.local_expr(index, word);
        self.b.branch(fold::binary(BinOp::Lt, at.clone(), len), inside, after);
        self.b.start(inside);
        let by = fold::cast(&self.target(), offset, at.clone());
        let value = match source {
            Source::Any => self.havoc(Type::U8, HavocKind::Input(self.input_name())),
            Source::Memory(src) => ir::Expr::load(Type::U8, fold::ptr_add(src.clone(), by.clone())),
            Source::Byte(byte) => byte.clone(),
        };
        self.b.emit(Op::Store { addr: fold::ptr_add(dst, by), value });
        let next = fold::binary(BinOp::Add, at, ir::Expr::int(word, 1));
        self.b.emit(Op::Assign { var: Var::Local(index), value: next });
        self.b.jump(head);
        self.b.start(after);
    }

    /// What inputs of a model are called: people know the function of the library, not how it asks.
    fn input_name(&self) -> Arc<str> {
        match self.function.linkage {
            Linkage::External => self.function.name.clone(),
            _ => crate::models::SHARED_INPUT.into(),
        }
    }

    /// The variable that a pointer leads into, if that can be seen, and its size.
    fn whole_object(&self, mut e: &'a Expr) -> Option<(&'a Expr, u64)> {
        loop {
            match &e.kind {
                ExprKind::Convert(inner)
                | ExprKind::AddrOf(inner)
                | ExprKind::Decay(inner)
                | ExprKind::Member(inner, _) => e = inner,
                ExprKind::PtrOffset { ptr, .. } => e = ptr,
                // What a pointer leads to is another object, unless the pointer was just taken.
                ExprKind::Deref(inner) if !matches!(inner.kind, ExprKind::Load(_)) => e = inner,
                ExprKind::Local(_) | ExprKind::Global(_) => return Some((e, self.types.size_of(e.ty.ty)?)),
                _ => return None,
            }
        }
    }

    /// A variable gets any content; none if it is not known which one.
    fn havoc_variable(&mut self, e: &'a Expr, args: &'a [Expr]) -> Lowered<Option<ir::Expr>> {
        let Some((variable, size)) = args.first().and_then(|arg| self.whole_object(arg)) else {
            return Ok(None);
        };
        self.effect(&args[0])?;
        let base = self.address(variable)?;
        self.at(e.span);
        self.havoc_range(base, ir::Expr::int(self.target().intptr(false), i128::from(size)));
        Ok(Some(ir::Expr::int(Type::I32, 0)))
    }

    /// The whole object gets one value, element by element.
    fn array_set(&mut self, e: &'a Expr, args: &'a [Expr]) -> Lowered<ir::Expr> {
        let mut array = &args[0];
        while let ExprKind::Convert(inner) = &array.kind {
            array = inner;
        }
        let TypeKind::Pointer(to) = self.types.kind(array.ty.ty) else {
            return unsupported(e.span, "'__CPROVER_array_set' needs an array");
        };
        let (ty, size) = (self.ir_type(to.ty, e.span)?, self.size_of(to.ty, e.span)?);
        let base = self.value(array)?;
        let base = self.freeze(base);
        let value = self.value(&args[1])?;
        let value = self.freeze(fold::cast(&self.target(), ty, value));
        self.at(e.span);
        let (word, offset) = (self.target().intptr(false), self.target().intptr(true));
        let room = match self.whole_object(array) {
            Some((_, size)) => ir::Expr::int(word, i128::from(size)),
            None => {
                self.freeze(ir::Expr { ty: word, kind: ir::ExprKind::ObjectSize(Box::new(base.clone())) })
            }
        };
        let at = self.temp(word);
        self.b.emit(Op::Assign { var: Var::Local(at), value: ir::Expr::int(word, 0) });
        let (head, inside, after) = (self.b.node(), self.b.node(), self.b.node());
        self.b.jump(head);
        self.b.start(head);
        let size = ir::Expr::int(word, i128::from(size));
        let next = fold::binary(BinOp::Add, self.local_expr(at, word), size);
        self.b.branch(fold::binary(BinOp::Le, next.clone(), room), inside, after);
        self.b.start(inside);
        let index = fold::cast(&self.target(), offset, self.local_expr(at, word));
        self.b.emit(Op::Store { addr: fold::ptr_add(base, index), value });
        self.b.emit(Op::Assign { var: Var::Local(at), value: next });
        self.b.jump(head);
        self.b.start(after);
        Ok(ir::Expr::int(Type::I32, 0))
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

    /// A block, or null if `malloc` may fail.
    fn alloc_heap(&mut self, size: ir::Expr, name: Arc<str>) -> ir::Expr {
        if !self.cx.options.malloc_may_fail {
            return self.alloc(size, AllocKind::Heap);
        }
        self.block_or_null(size, name)
    }

    fn block_or_null(&mut self, size: ir::Expr, name: Arc<str>) -> ir::Expr {
        let size = self.freeze(size);
        let (made, none, done) = (self.b.node(), self.b.node(), self.b.node());
        let result = self.temp(Type::Ptr);
        let fails = self.havoc(Type::U8, HavocKind::Input(name));
        self.b.branch(fold::truth(fails), none, made);
        self.b.start(none);
        self.b.emit(Op::Assign { var: Var::Local(result), value: ir::Expr::null() });
        self.may_set_errno();
        self.b.jump(done);
        self.b.start(made);
        self.b.emit(Op::Alloc { var: Var::Local(result), size, kind: AllocKind::Heap });
        self.b.jump(done);
        self.b.start(done);
        self.local_expr(result, Type::Ptr)
    }

    /// A stream ends, unless it is one that the program was given. Only checks of memory notice.
    fn close(&mut self, stream: ir::Expr) {
        if !self.checks(CheckKind::Memory) {
            return;
        }
        let stream = self.freeze(stream);
        let (ours, after) = (self.b.node(), self.b.node());
        let kind = ir::ExprKind::Freeable(Box::new(stream.clone()));
        self.b.branch(ir::Expr { ty: Type::Bool, kind }, ours, after);
        self.b.start(ours);
        self.b.emit(Op::Free { ptr: stream });
        self.b.jump(after);
        self.b.start(after);
    }

    fn free(&mut self, ptr: ir::Expr) {
        if self.checks(CheckKind::Memory) {
            let kind = ir::ExprKind::Freeable(Box::new(ptr.clone()));
            self.check(CheckKind::Memory, ir::Expr { ty: Type::Bool, kind }, None);
        }
        self.b.emit(Op::Free { ptr });
    }

    /// A new object with the old content up to the smaller size; the old one ends, unless there is no new
    /// one.
    fn realloc(&mut self, e: &'a Expr, args: &'a [Expr], name: Arc<str>) -> Lowered<ir::Expr> {
        let old = self.value(&args[0])?;
        let old = self.freeze(old);
        let size = self.size_argument(&args[1])?;
        let size = self.freeze(size);
        self.at(e.span);
        // As glibc has it: of no bytes, the object is freed, and there is no new one.
        if size.as_const().is_none_or(|size| size == 0) {
            let (freed, usual, end) = (self.b.node(), self.b.node(), self.b.node());
            let gives_up = fold::binary(BinOp::And, fold::truth(old.clone()), is_zero(&size));
            let result = self.temp(Type::Ptr);
            self.b.branch(gives_up, freed, usual);
            self.b.start(freed);
            self.free(old.clone());
            self.b.emit(Op::Assign { var: Var::Local(result), value: ir::Expr::null() });
            self.b.jump(end);
            self.b.start(usual);
            let new = self.move_to_new(old, size, name);
            self.b.emit(Op::Assign { var: Var::Local(result), value: new });
            self.b.jump(end);
            self.b.start(end);
            return Ok(self.local_expr(result, Type::Ptr));
        }
        Ok(self.move_to_new(old, size, name))
    }

    /// A new heap object, with what the old one held, which is freed.
    fn move_to_new(&mut self, old: ir::Expr, size: ir::Expr, name: Arc<str>) -> ir::Expr {
        let new = self.alloc_heap(size.clone(), name);
        let (copy, done) = (self.b.node(), self.b.node());
        if self.cx.options.malloc_may_fail {
            let made = self.b.node();
            self.b.branch(fold::truth(new.clone()), made, done);
            self.b.start(made);
        }
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
        new
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
                self.marks.insert(Mark::EndsAtOnce);
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
        let mut value = self.value(&args[0])?;
        if op == UnOp::Sqrt {
            value = self.freeze(value);
            self.may_set_errno();
        }
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

    pub fn store_result(&mut self, addr: ir::Expr, value: ir::Expr) {
        self.check_access(&addr, value.ty.access_size(&self.target()), true);
        self.b.emit(Op::Store { addr, value });
    }
}

fn is_zero(len: &ir::Expr) -> ir::Expr {
    fold::binary(BinOp::Eq, len.clone(), ir::Expr::int(len.ty, 0))
}

fn kind_name(kind: &HavocKind) -> &str {
    match kind {
        HavocKind::Input(name) => name,
        _ => "input",
    }
}

fn required_args(intrinsic: Intrinsic) -> usize {
    match intrinsic {
        Intrinsic::Memcpy
        | Intrinsic::Memmove
        | Intrinsic::Memset
        | Intrinsic::Internal(Internal::Copy | Internal::Fill) => 3,
        Intrinsic::Realloc
        | Intrinsic::ArraySet
        | Intrinsic::Internal(Internal::Havoc | Internal::Valid { .. }) => 2,
        Intrinsic::Assume
        | Intrinsic::Assert
        | Intrinsic::Malloc
        | Intrinsic::Free
        | Intrinsic::Exit
        | Intrinsic::QuickExit
        | Intrinsic::Internal(Internal::Room | Internal::Freeable | Internal::Close) => 1,
        Intrinsic::Internal(Internal::Apart) => 4,
        _ => 0,
    }
}
