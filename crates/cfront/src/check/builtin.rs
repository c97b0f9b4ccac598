//! `__builtin_*`: folded, rewritten, or turned into calls of library functions and models.

use super::Checker;
use super::float;
use crate::ast;
use crate::hir::{BinaryOp, Builtin, Expr, ExprKind};
use crate::types::{FloatKind, QualType, TypeKind, TypeTable};
use base::{Span, Symbol};

impl Checker<'_> {
    pub(super) fn builtin(&mut self, name: Symbol, text: &str, args: &[ast::Expr], span: Span) -> Expr {
        let Some(base) = text.strip_prefix("__builtin_") else {
            let mut values = self.values(args);
            if values.iter().any(|e| e.ty.ty == TypeTable::ERROR) {
                return self.error_expr(span);
            }
            return match self.atomic(text, &mut values, span) {
                Some(e) => e,
                None => self.unknown_builtin(text, span),
            };
        };
        // Those that do not evaluate their operands, or want places.
        match base {
            "constant_p" => return self.constant_p(args, span),
            "classify_type" => return self.classify_type(args, span),
            "va_start" | "va_end" | "va_copy" | "c23_va_start" | "stdarg_start" => {
                return self.variadic_builtin(base, args, span);
            }
            "FUNCTION" => {
                let name = self.names.intern("__func__");
                let e = ast::Expr { kind: ast::ExprKind::Ident(name), span };
                return self.expr_value(&e);
            }
            _ => {}
        }
        let mut values = self.values(args);
        if values.iter().any(|e| e.ty.ty == TypeTable::ERROR) {
            return self.error_expr(span);
        }
        if let Some(e) = self.simple_builtin(base, &mut values, span) {
            return e;
        }
        if let Some(e) = self.float_builtin(base, &mut values, span) {
            return e;
        }
        if let Some(e) = self.overflow_builtin(base, &mut values, span) {
            return e;
        }
        if let Some(e) = self.checked_builtin(base, &mut values, span) {
            return e;
        }
        match self.library_function(name, span) {
            Some(id) => {
                let callee = self.designator(id, span);
                let call = self.call_values(callee, values, span);
                self.fold_bits(base, call)
            }
            None => self.unknown_builtin(text, span),
        }
    }

    fn values(&mut self, args: &[ast::Expr]) -> Vec<Expr> {
        args.iter().map(|a| self.expr_value(a)).collect()
    }

    fn unknown_builtin(&mut self, text: &str, span: Span) -> Expr {
        self.poison(&format!("the builtin {text}"), span);
        // Of no type that could be wrong.
        self.error_expr(span)
    }

    fn too_few(&mut self, base: &str, span: Span) -> Expr {
        self.error(span, format!("too few arguments to function '__builtin_{base}'"));
        self.error_expr(span)
    }

    fn constant_p(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let [arg] = args else { return self.too_few("constant_p", span) };
        self.unevaluated += 1;
        let arg = self.expr_value(arg);
        self.unevaluated -= 1;
        let known = match &arg.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => arg.ty.ty != TypeTable::ERROR,
            ExprKind::Decay(inner) => matches!(inner.kind, ExprKind::String(_)),
            _ => self.eval_int(&arg).is_some(),
        };
        self.int_expr(TypeTable::INT, known as i128, span)
    }

    fn classify_type(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let [arg] = args else { return self.too_few("classify_type", span) };
        self.unevaluated += 1;
        let arg = self.expr_value(arg);
        self.unevaluated -= 1;
        let class = match self.types.kind(arg.ty.ty) {
            TypeKind::Void => 0,
            TypeKind::Pointer(_) => 5,
            TypeKind::Float(_) => 8,
            TypeKind::Complex(_) => 9,
            TypeKind::Record(id) if self.types.record(*id).is_union => 13,
            TypeKind::Record(_) => 12,
            _ => 1,
        };
        self.int_expr(TypeTable::INT, class, span)
    }

    fn variadic_builtin(&mut self, base: &str, args: &[ast::Expr], span: Span) -> Expr {
        let Some((list, rest)) = args.split_first() else { return self.too_few(base, span) };
        let list = self.expr(list);
        let Some(list) = self.va_list_operand(list) else { return self.error_expr(span) };
        let kind = match base {
            "va_end" => ExprKind::VaEnd(Box::new(list)),
            "va_copy" => {
                let Some(source) = rest.first() else { return self.too_few(base, span) };
                let source = self.expr(source);
                let Some(source) = self.va_list_operand(source) else { return self.error_expr(span) };
                ExprKind::VaCopy(Box::new(list), Box::new(source))
            }
            _ => {
                if self.function.as_ref().is_some_and(|f| !f.variadic) {
                    self.error(span, "'va_start' used in function with fixed arguments");
                    return self.error_expr(span);
                }
                ExprKind::VaStart(Box::new(list))
            }
        };
        self.value(kind, TypeTable::VOID, span)
    }

    /// `first` for its effects, then `value`.
    fn then(&mut self, first: Expr, value: Expr) -> Expr {
        if matches!(first.kind, ExprKind::Int(_) | ExprKind::Float(_)) {
            return value;
        }
        self.after(vec![first], value)
    }

    fn simple_builtin(&mut self, base: &str, args: &mut Vec<Expr>, span: Span) -> Option<Expr> {
        let pointer = |this: &mut Self| this.types.pointer_to(QualType::plain(TypeTable::VOID));
        let needs = match base {
            "expect" | "expect_with_probability" | "object_size" | "dynamic_object_size" => 2,
            "prefetch"
            | "assume_aligned"
            | "speculation_safe_value"
            | "alloca"
            | "alloca_with_align"
            | "alloca_with_align_and_max"
            | "strlen"
            | "extract_return_addr"
            | "frob_return_addr"
            | "__clear_cache" => 1,
            _ => 0,
        };
        if args.len() < needs {
            return Some(self.too_few(base, span));
        }
        Some(match base {
            "expect" | "expect_with_probability" => {
                let expected = args.swap_remove(1);
                let value = args.swap_remove(0);
                let value = self.convert(value, TypeTable::LONG);
                self.then(expected, value)
            }
            "object_size" | "dynamic_object_size" => {
                let mode = self.eval_int(&args[1]).unwrap_or(0);
                let size_t = self.types.size_t();
                self.int_expr(size_t, if mode & 2 != 0 { 0 } else { -1 }, span)
            }
            "prefetch" | "__clear_cache" => {
                let arg = args.swap_remove(0);
                let nothing = self.void_expr(span);
                self.then(arg, nothing)
            }
            "assume_aligned" => {
                let ty = pointer(self);
                let arg = args.swap_remove(0);
                self.convert(arg, ty)
            }
            "speculation_safe_value" => args.swap_remove(0),
            "alloca" | "alloca_with_align" | "alloca_with_align_and_max" => {
                let size = args.swap_remove(0);
                self.alloca(size, span)
            }
            "unreachable" => {
                self.value(ExprKind::Builtin(Builtin::Unreachable, Vec::new()), TypeTable::VOID, span)
            }
            "trap" => self.value(ExprKind::Builtin(Builtin::Trap, Vec::new()), TypeTable::VOID, span),
            "return_address"
            | "frame_address"
            | "extract_return_addr"
            | "frob_return_addr"
            | "stack_save"
            | "thread_pointer"
            | "dwarf_cfa" => {
                let ty = pointer(self);
                self.unknown(ty, span)
            }
            "stack_restore" | "cpu_init" => self.void_expr(span),
            "cpu_supports" | "cpu_is" | "LINE" => self.unknown(TypeTable::INT, span),
            "strlen" => {
                let ExprKind::Decay(inner) = &args[0].kind else { return None };
                let ExprKind::String(id) = inner.kind else { return None };
                let bytes = &self.strings[id.0 as usize].bytes;
                let len = bytes.iter().position(|&b| b == 0)?;
                let size_t = self.types.size_t();
                self.int_expr(size_t, len as i128, span)
            }
            "apply" | "apply_args" | "return" | "va_arg_pack" | "va_arg_pack_len" | "setjmp" | "longjmp"
            | "eh_return" | "nonlocal_goto" | "complex" | "shuffle" | "shufflevector" | "convertvector"
            | "clear_padding" => {
                let text = format!("__builtin_{base}");
                self.unknown_builtin(&text, span)
            }
            _ => return None,
        })
    }

    fn float_builtin(&mut self, base: &str, args: &mut Vec<Expr>, span: Span) -> Option<Expr> {
        let constant = |this: &Self, kind: FloatKind, bits: u128| {
            let ty = this.float_zero(kind, span).ty.ty;
            Some(this.value(ExprKind::Float(bits), ty, span))
        };
        match base {
            "huge_val" | "inf" => {
                return constant(self, FloatKind::Double, float::infinity(FloatKind::Double));
            }
            "huge_valf" | "inff" => {
                return constant(self, FloatKind::Float, float::infinity(FloatKind::Float));
            }
            "huge_vall" | "infl" => {
                return constant(self, FloatKind::LongDouble, float::infinity(FloatKind::LongDouble));
            }
            "huge_valq" | "infq" | "huge_valf128" | "inff128" => {
                return constant(self, FloatKind::Float128, float::infinity(FloatKind::Float128));
            }
            "nan" | "nans" => return constant(self, FloatKind::Double, float::quiet_nan(FloatKind::Double)),
            "nanf" | "nansf" => return constant(self, FloatKind::Float, float::quiet_nan(FloatKind::Float)),
            "nanl" | "nansl" => {
                return constant(self, FloatKind::LongDouble, float::quiet_nan(FloatKind::LongDouble));
            }
            _ => {}
        }
        let comparison = match base {
            "isgreater" => Some(BinaryOp::Gt),
            "isgreaterequal" => Some(BinaryOp::Ge),
            "isless" => Some(BinaryOp::Lt),
            "islessequal" => Some(BinaryOp::Le),
            "islessgreater" | "isunordered" => Some(BinaryOp::Ne),
            _ => None,
        };
        if let Some(op) = comparison {
            if args.len() != 2 {
                return Some(self.too_few(base, span));
            }
            let b = args.swap_remove(1);
            let a = args.swap_remove(0);
            return Some(self.float_comparison(base, op, a, b, span));
        }
        let generic = match base {
            "isnanf" | "isnanl" => "isnan",
            "isinff" | "isinfl" => "isinf",
            "finite" | "finitef" | "finitel" => "isfinite",
            other => other,
        };
        if !matches!(
            generic,
            "isnan" | "isinf" | "isinf_sign" | "isfinite" | "isnormal" | "signbit" | "fpclassify"
        ) {
            return None;
        }
        let Some(arg) = args.pop() else { return Some(self.too_few(base, span)) };
        let Some(kind) = self.types.float_kind(arg.ty.ty) else {
            self.error(span, format!("non-floating-point argument in call to function '__builtin_{base}'"));
            return Some(self.error_expr(span));
        };
        if generic == "signbit" {
            return Some(self.sign_bit(kind, arg, span));
        }
        Some(self.classify_float(generic, kind, arg, args, span))
    }

    fn sign_bit(&mut self, kind: FloatKind, arg: Expr, span: Span) -> Expr {
        let name = match kind {
            FloatKind::Float => "__builtin_signbitf",
            FloatKind::Double => "__builtin_signbit",
            FloatKind::LongDouble | FloatKind::Float128 => "__builtin_signbitl",
        };
        let name = self.names.intern(name);
        match self.known_function(name, span) {
            Some(id) => {
                let callee = self.designator(id, span);
                self.call_values(callee, vec![arg], span)
            }
            None => self.error_expr(span),
        }
    }

    fn float_comparison(&mut self, base: &str, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        if !self.types.is_real(a.ty.ty) || !self.types.is_real(b.ty.ty) {
            self.error(span, format!("non-floating-point arguments in call to function '__builtin_{base}'"));
            return self.error_expr(span);
        }
        let (a, b, ty) = self.usual(a, b);
        if op != BinaryOp::Ne {
            return self.comparison(op, a, b, span);
        }
        let (set_a, x) = self.keep(a, ty);
        let (set_b, y) = self.keep(b, ty);
        let pair = if base == "isunordered" { [(x, x), (y, y)] } else { [(x, y), (y, x)] };
        let op = if base == "isunordered" { BinaryOp::Ne } else { BinaryOp::Lt };
        let mut sides = pair.into_iter().map(|(l, r)| {
            let (l, r) = (self.kept(l, ty, span), self.kept(r, ty, span));
            Box::new(self.comparison(op, l, r, span))
        });
        let (Some(left), Some(right)) = (sides.next(), sides.next()) else { return self.error_expr(span) };
        drop(sides);
        let result = self.value(ExprKind::Or(left, right), TypeTable::INT, span);
        self.after(vec![set_a, set_b], result)
    }

    /// Everything that looks at the magnitude of one value.
    fn classify_float(
        &mut self,
        what: &str,
        kind: FloatKind,
        arg: Expr,
        classes: &mut Vec<Expr>,
        span: Span,
    ) -> Expr {
        let ty = arg.ty.ty;
        let arg = if what == "isnan" || what == "isinf_sign" {
            arg
        } else {
            self.value(ExprKind::Builtin(Builtin::Abs, vec![arg]), ty, span)
        };
        let (set, x) = self.keep(arg, ty);
        let test = |this: &mut Self, op: BinaryOp, bits: Option<u128>| {
            let left = this.kept(x, ty, span);
            let right = match bits {
                Some(bits) => this.value(ExprKind::Float(bits), ty, span),
                None => this.kept(x, ty, span),
            };
            this.comparison(op, left, right, span)
        };
        let infinity = float::infinity(kind);
        let choose = |this: &Self, cond: Expr, a: Expr, b: Expr| {
            let ty = a.ty.ty;
            this.value(ExprKind::Cond(Box::new(cond), Box::new(a), Box::new(b)), ty, span)
        };
        let result = match what {
            "isnan" => test(self, BinaryOp::Ne, None),
            "isinf" => test(self, BinaryOp::Eq, Some(infinity)),
            "isfinite" => test(self, BinaryOp::Lt, Some(infinity)),
            "isnormal" => {
                let a = test(self, BinaryOp::Ge, Some(float::smallest_normal(kind)));
                let b = test(self, BinaryOp::Lt, Some(infinity));
                self.value(ExprKind::And(Box::new(a), Box::new(b)), TypeTable::INT, span)
            }
            "isinf_sign" => {
                let plus = test(self, BinaryOp::Eq, Some(infinity));
                let minus = test(self, BinaryOp::Eq, Some(float::negate(kind, infinity)));
                let [one, less, zero] = [1, -1, 0].map(|v| self.int_expr(TypeTable::INT, v, span));
                let inner = choose(self, minus, less, zero);
                choose(self, plus, one, inner)
            }
            _ => {
                if classes.len() != 5 {
                    return self.too_few("fpclassify", span);
                }
                let mut next = classes
                    .drain(..)
                    .map(|e| self.convert(e, TypeTable::INT))
                    .collect::<Vec<_>>()
                    .into_iter();
                let (Some(nan), Some(inf), Some(normal), Some(subnormal), Some(zero)) =
                    (next.next(), next.next(), next.next(), next.next(), next.next())
                else {
                    return self.error_expr(span);
                };
                let is_zero = test(self, BinaryOp::Eq, Some(0));
                let is_normal = test(self, BinaryOp::Ge, Some(float::smallest_normal(kind)));
                let is_inf = test(self, BinaryOp::Eq, Some(infinity));
                let is_nan = test(self, BinaryOp::Ne, None);
                let small = choose(self, is_zero, zero, subnormal);
                let finite = choose(self, is_normal, normal, small);
                let number = choose(self, is_inf, inf, finite);
                choose(self, is_nan, nan, number)
            }
        };
        self.after(vec![set], result)
    }

    pub(super) fn overflow_builtin(&mut self, base: &str, args: &mut Vec<Expr>, span: Span) -> Option<Expr> {
        let (op, rest) = base.rsplit_once("_overflow")?;
        let predicate = match rest {
            "" => false,
            "_p" => true,
            _ => return None,
        };
        use TypeTable as T;
        let (builtin, ty) = match op {
            "add" => (Builtin::AddOverflow, None),
            "sub" => (Builtin::SubOverflow, None),
            "mul" => (Builtin::MulOverflow, None),
            _ => {
                let (sign, rest) = op.split_at_checked(1)?;
                let (builtin, width) = [
                    ("add", Builtin::AddOverflow),
                    ("sub", Builtin::SubOverflow),
                    ("mul", Builtin::MulOverflow),
                ]
                .into_iter()
                .find_map(|(name, b)| rest.strip_prefix(name).map(|w| (b, w)))?;
                let ty = match (sign, width) {
                    ("s", "") => T::INT,
                    ("s", "l") => T::LONG,
                    ("s", "ll") => T::LONGLONG,
                    ("u", "") => T::UINT,
                    ("u", "l") => T::ULONG,
                    ("u", "ll") => T::ULONGLONG,
                    _ => return None,
                };
                (builtin, Some(ty))
            }
        };
        if args.len() != 3 {
            return Some(self.too_few(base, span));
        }
        let mut third = args.swap_remove(2);
        let mut b = args.swap_remove(1);
        let mut a = args.swap_remove(0);
        if predicate {
            let local = self.hidden_local(QualType::plain(third.ty.ty), span);
            let place = Expr { kind: ExprKind::Local(local), ty: third.ty, span };
            third = self.address_of(place, span);
        }
        if let Some(ty) = ty {
            a = self.convert(a, ty);
            b = self.convert(b, ty);
        }
        let result = self.types.pointee(third.ty.ty).map(|p| p.ty);
        let fits = self.types.is_integer(a.ty.ty)
            && self.types.is_integer(b.ty.ty)
            && result.is_some_and(|r| self.types.is_integer(r) && r != T::BOOL);
        if !fits {
            self.error(span, format!("argument to function '__builtin_{base}' does not have integer type"));
            return Some(self.error_expr(span));
        }
        Some(self.value(ExprKind::Builtin(builtin, vec![a, b, third]), TypeTable::BOOL, span))
    }

    /// `__builtin___memcpy_chk` and its kind: the plain function, without the extra arguments.
    fn checked_builtin(&mut self, base: &str, args: &mut Vec<Expr>, span: Span) -> Option<Expr> {
        let plain = base.strip_prefix("__")?.strip_suffix("_chk")?;
        let drop: &[usize] = match plain {
            "memcpy" | "memmove" | "memset" | "mempcpy" | "strncpy" | "strncat" | "stpncpy" => &[3],
            "strcpy" | "strcat" | "stpcpy" => &[2],
            "sprintf" | "vsprintf" => &[2, 1],
            "snprintf" | "vsnprintf" => &[3, 2],
            "printf" | "vprintf" => &[0],
            "fprintf" | "vfprintf" => &[1],
            _ => return None,
        };
        if drop.iter().any(|&i| i >= args.len()) {
            return Some(self.too_few(base, span));
        }
        for &index in drop {
            args.remove(index);
        }
        let name = self.names.intern(plain);
        let id = self.known_function(name, span)?;
        let callee = self.designator(id, span);
        Some(self.call_values(callee, std::mem::take(args), span))
    }

    /// Bit counting of a known value.
    fn fold_bits(&mut self, base: &str, call: Expr) -> Expr {
        let ExprKind::Call { args, .. } = &call.kind else { return call };
        let [arg] = &args[..] else { return call };
        let (ExprKind::Int(bits), Some(layout)) = (&arg.kind, self.types.int_layout(arg.ty.ty)) else {
            return call;
        };
        let (bits, width) = (*bits, u32::from(layout.bits));
        let (leading, trailing) = (bits.leading_zeros().wrapping_sub(128 - width), bits.trailing_zeros());
        let value = match base.trim_end_matches('l') {
            "popcount" => bits.count_ones().into(),
            "parity" => (bits.count_ones() & 1).into(),
            "clz" if bits != 0 => leading.into(),
            "ctz" if bits != 0 => trailing.into(),
            "ffs" => {
                if bits == 0 {
                    0
                } else {
                    u128::from(trailing) + 1
                }
            }
            "clrsb" => {
                let value = layout.value(bits);
                let magnitude = if value < 0 { !value } else { value } as u128;
                u128::from(magnitude.leading_zeros() - (128 - width)) - 1
            }
            "bswap16" | "bswap32" | "bswap64" | "bswap128" => bits.swap_bytes() >> (128 - width),
            _ => return call,
        };
        let (ty, span) = (call.ty.ty, call.span);
        self.value(ExprKind::Int(value), ty, span)
    }
}
