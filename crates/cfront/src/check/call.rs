//! Calls: what is called, how arguments are converted, implicit declarations.

use super::convert::Purpose;
use super::library::Special;
use super::scope::Binding;
use super::{Checker, FunctionInfo};
use crate::ast;
use crate::hir::{Builtin, Expr, ExprKind, FuncId, Linkage};
use crate::types::{FunctionType, QualType, TypeKind, TypeTable};
use base::{Diagnostic, Span, Symbol};

impl Checker<'_> {
    pub(super) fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> Expr {
        if let ast::ExprKind::Ident(name) = callee.kind
            && let Some(e) = self.primitive(name, args, span)
        {
            return e;
        }
        if let ast::ExprKind::Ident(name) = callee.kind
            && self.scopes.name(name).is_none()
        {
            let text = self.names.name(name);
            if text.starts_with("__builtin_") || text.starts_with("__sync_") || text.starts_with("__atomic_")
            {
                let text = text.to_string();
                return self.builtin(name, &text, args, span);
            }
            let id = self.implicit_function(name, callee.span);
            let callee = self.designator(id, callee.span);
            return self.call_of(callee, args, span);
        }
        let callee = self.expr(callee);
        self.call_of(callee, args, span)
    }

    fn implicit_function(&mut self, name: Symbol, span: Span) -> FuncId {
        let id = match self.known_function(name, span) {
            Some(id) => id,
            None => {
                let ty = self.types.intern(TypeKind::Function(FunctionType {
                    ret: TypeTable::INT,
                    params: Vec::new(),
                    variadic: false,
                    prototype: false,
                }));
                let message = format!("implicit declaration of function '{}'", self.text(name));
                self.warning(span, message);
                let info = FunctionInfo { implicit: true, ..FunctionInfo::default() };
                self.new_function(name, (ty, Linkage::External), span, info)
            }
        };
        self.scopes.bind(name, Binding::Function(id), span);
        id
    }

    pub(super) fn call_of(&mut self, callee: Expr, args: &[ast::Expr], span: Span) -> Expr {
        let args: Vec<Expr> = args.iter().map(|a| self.expr_value(a)).collect();
        self.call_values(callee, args, span)
    }

    /// A call with arguments that are values already.
    pub(super) fn call_values(&mut self, callee: Expr, args: Vec<Expr>, span: Span) -> Expr {
        if callee.ty.ty == TypeTable::ERROR {
            return self.error_expr(span);
        }
        let callee = match callee.kind {
            ExprKind::Function(_) => callee,
            _ => {
                let pointer = self.rvalue(callee);
                match pointer.kind {
                    ExprKind::Decay(inner) if matches!(inner.kind, ExprKind::Function(_)) => *inner,
                    kind => Expr { kind, ..pointer },
                }
            }
        };
        let function = match callee.kind {
            ExprKind::Function(_) => Some(callee.ty.ty),
            _ => self.types.pointee(callee.ty.ty).map(|p| p.ty),
        };
        let Some(ty) = function.filter(|&t| self.types.is_function(t)) else {
            if callee.ty.ty != TypeTable::ERROR {
                self.error(callee.span, "called object is not a function or function pointer");
            }
            return self.error_expr(span);
        };
        let id = match callee.kind {
            ExprKind::Function(id) => Some(id),
            _ => None,
        };
        if args.iter().any(|a| a.ty.ty == TypeTable::ERROR) {
            return match self.types.function_of(ty) {
                // The type of the call is known all the same; the function has errors anyway.
                Some(f) if f.ret != TypeTable::ERROR => self.unknown(f.ret, span),
                _ => self.error_expr(span),
            };
        }
        let Some(args) = self.arguments(ty, id, args, span) else { return self.error_expr(span) };
        let ret = self.types.function_of(ty).map_or(TypeTable::ERROR, |f| f.ret);
        if ret == TypeTable::ERROR {
            return self.error_expr(span);
        }
        if ret != TypeTable::VOID && !self.types.is_complete(ret) {
            let message = format!("invalid use of undefined type '{}'", self.show_type(ret));
            self.error(span, message);
            return self.error_expr(span);
        }
        if let Some(id) = id
            && let Some(special) = self.function_info[id.0 as usize].special
        {
            match self.special_call(id, special, args, span) {
                Ok(e) => return e,
                Err(args) => return self.value(ExprKind::Call { callee: Box::new(callee), args }, ret, span),
            }
        }
        self.value(ExprKind::Call { callee: Box::new(callee), args }, ret, span)
    }

    /// Converts arguments; None if reported.
    fn arguments(
        &mut self,
        ty: crate::types::TypeId,
        id: Option<FuncId>,
        args: Vec<Expr>,
        span: Span,
    ) -> Option<Vec<Expr>> {
        let function = self.types.function_of(ty)?;
        let (count, prototype, variadic) = (function.params.len(), function.prototype, function.variadic);
        if prototype && (args.len() < count || (args.len() > count && !variadic)) {
            let few = if args.len() < count { "few" } else { "many" };
            let name = id.map_or(String::new(), |id| format!(" '{}'", self.functions[id.0 as usize].name));
            let mut diagnostic = Diagnostic::error(span, format!("too {few} arguments to function{name}"));
            if let Some(id) = id {
                diagnostic = diagnostic.note(self.functions[id.0 as usize].span, "declared here");
            }
            self.diagnostics.push(diagnostic);
            return None;
        }
        let mut converted = Vec::with_capacity(args.len());
        let mut failed = false;
        for (index, arg) in args.into_iter().enumerate() {
            let param = self.types.function_of(ty).and_then(|f| f.params.get(index).copied());
            let arg = match param {
                Some(param) if param == arg.ty.ty => arg,
                // Old-style definitions take what promotion and narrowing again would give.
                Some(param)
                    if prototype || self.types.is_scalar(arg.ty.ty) && self.types.is_scalar(param) =>
                {
                    if !prototype && self.types.is_pointer(param) != self.types.is_pointer(arg.ty.ty) {
                        self.default_argument(arg)
                    } else {
                        let name = id.map(|id| self.functions[id.0 as usize].name.clone());
                        let purpose = Purpose::Argument(index + 1, name.as_deref().unwrap_or(""));
                        self.assign_convert(arg, QualType::plain(param), purpose)
                    }
                }
                _ => self.default_argument(arg),
            };
            failed |= arg.ty.ty == TypeTable::ERROR;
            converted.push(arg);
        }
        (!failed).then_some(converted)
    }

    fn default_argument(&mut self, arg: Expr) -> Expr {
        let ty = arg.ty.ty;
        if ty == TypeTable::VOID {
            self.error(arg.span, "invalid use of void expression");
            return self.error_expr(arg.span);
        }
        if ty == TypeTable::FLOAT {
            return self.convert(arg, TypeTable::DOUBLE);
        }
        if self.types.is_integer(ty) { self.promote(arg) } else { arg }
    }

    /// The arguments come back if this is an ordinary call after all.
    fn special_call(
        &mut self,
        id: FuncId,
        special: Special,
        mut args: Vec<Expr>,
        span: Span,
    ) -> Result<Expr, Vec<Expr>> {
        let function = &self.functions[id.0 as usize];
        let own = function.linkage == Linkage::Internal
            || function.body.is_some()
            || self.names.get(&function.name).is_some_and(|name| self.defined.contains(&name));
        if own {
            return Err(args);
        }
        let ret = self.types.function_of(function.ty).map_or(TypeTable::ERROR, |f| f.ret);
        match special {
            Special::Math(builtin, kind) => {
                let ty = self.float_zero(kind, span).ty.ty;
                if args.len() != 1 || ret != ty || args[0].ty.ty != ty {
                    return Err(args);
                }
                Ok(self.value(ExprKind::Builtin(builtin, args), ty, span))
            }
            Special::Alloca => {
                if args.len() != 1 || !self.types.is_pointer(ret) || !self.types.is_integer(args[0].ty.ty) {
                    return Err(args);
                }
                let size = args.remove(0);
                Ok(self.alloca(size, span))
            }
            Special::Jump => {
                self.poison("setjmp, longjmp or the like", span);
                Err(args)
            }
            Special::Rounding => {
                self.poison("a change of the rounding mode", span);
                Err(args)
            }
        }
    }

    pub(super) fn alloca(&mut self, size: Expr, span: Span) -> Expr {
        let (size_t, pointer) =
            (self.types.size_t(), self.types.pointer_to(QualType::plain(TypeTable::VOID)));
        let size = self.convert(size, size_t);
        self.value(ExprKind::Builtin(Builtin::Alloca, vec![size]), pointer, span)
    }
}
