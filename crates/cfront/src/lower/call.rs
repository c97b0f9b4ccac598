//! Calls: arguments by the IR's convention, results into temporaries or straight into a variable.

use super::function::Lower;
use super::place::Place;
use super::{Lowered, UnknownFunctions, fold};
use crate::hir::*;
use crate::types::TypeKind;
use ir::{Callee, Op, Type, Var};

impl<'a> Lower<'_, 'a> {
    pub fn call_value(&mut self, e: &'a Expr, callee: &'a Expr, args: &'a [Expr]) -> Lowered<ir::Expr> {
        if let Some(value) = self.intrinsic(e, callee, args, None)? {
            return Ok(value);
        }
        let Some(ty) = self.types.ir_type(e.ty.ty) else {
            self.call(e, callee, args, None, None)?;
            return Ok(ir::Expr::int(Type::I32, 0));
        };
        let temp = self.temp(ty);
        self.call(e, callee, args, None, Some((Var::Local(temp), ty)))?;
        let value = self.local_expr(temp, ty);
        Ok(if self.gives_any_bool(callee, e.ty.ty) { self.zero_or_one(value) } else { value })
    }

    pub fn call_effect(&mut self, e: &'a Expr, callee: &'a Expr, args: &'a [Expr]) -> Lowered<()> {
        if self.is_record(e.ty.ty) {
            return self.call_record(e, callee, args).map(drop);
        }
        if self.intrinsic(e, callee, args, None)?.is_some() {
            return Ok(());
        }
        self.call(e, callee, args, None, None)
    }

    pub fn call_record(&mut self, e: &'a Expr, callee: &'a Expr, args: &'a [Expr]) -> Lowered<Place> {
        let result = self.temp_object(e.ty.ty, e.span)?;
        self.call(e, callee, args, Some(result.clone()), None)?;
        Ok(Place::memory(result))
    }

    /// If `value` is a call whose result has exactly this type, lets it write the variable directly.
    pub fn call_into(&mut self, value: &'a Expr, var: Var, ty: Type) -> Lowered<bool> {
        let ExprKind::Call { callee, args } = &value.kind else { return Ok(false) };
        if self.types.ir_type(value.ty.ty) != Some(ty) {
            return Ok(false);
        }
        if let Some(result) = self.intrinsic(value, callee, args, Some(var))? {
            if result != ir::Expr::var(var, ty) {
                self.b.emit(Op::Assign { var, value: result });
            }
            return Ok(true);
        }
        self.call(value, callee, args, None, Some((var, ty)))?;
        if self.gives_any_bool(callee, value.ty.ty) {
            let value = self.zero_or_one(ir::Expr::var(var, ty));
            self.b.emit(Op::Assign { var, value });
        }
        Ok(true)
    }

    /// `result` is where a record result goes, `dst` where a scalar one does.
    fn call(
        &mut self,
        e: &'a Expr,
        callee: &'a Expr,
        args: &'a [Expr],
        result: Option<ir::Expr>,
        dst: Option<(Var, Type)>,
    ) -> Lowered<()> {
        let direct = callee_function(callee);
        if let Some(id) = direct {
            self.note_weak(self.cx.units[self.unit].unit.functions[id.0 as usize].weak_symbol);
        }
        let target = match direct {
            Some(_) => None,
            None => Some(self.value(callee)?),
        };
        let named = if self.writes_arguments(direct) { 0 } else { self.parameter_count(callee) };
        let mut values: Vec<ir::Expr> = result.into_iter().collect();
        for (i, arg) in args.iter().enumerate() {
            values.push(if !self.is_record(arg.ty.ty) {
                self.value(arg)?
            } else if i < named {
                let address = self.record_address(arg)?;
                // The callee copies it.
                if !matches!(address.kind, ir::ExprKind::AddrLocal(_) | ir::ExprKind::AddrGlobal(_)) {
                    self.check_access(&address, self.size_of(arg.ty.ty, arg.span)?, false);
                }
                address
            } else {
                // Nobody copies an extra argument at the entry of the callee, nor is there an entry in a
                // callee without a body, so it gets an object of its own.
                let source = self.record_value(arg)?;
                let object = self.temp_object(arg.ty.ty, arg.span)?;
                self.copy_record(&Place::memory(object.clone()), &source, arg.ty.ty, arg.span)?;
                object
            });
        }
        self.at(e.span);
        if let Some(id) = direct {
            self.check_reads(id, args, &mut values);
        }
        let counted = self.counted_arguments(direct, args, &mut values);
        let callee = match (direct, target) {
            (Some(id), _) => {
                let f = self.cx.function(self.unit, id);
                if values.len() > self.cx.program.function(f).params as usize {
                    self.cx.accept_more(f);
                }
                if self.fit_arguments(id, f, &mut values, dst.map(|(_, ty)| ty)) {
                    Callee::Direct(f)
                } else {
                    // Called as something that it is not: whether that works is decided when it happens.
                    Callee::Indirect(ir::Expr { ty: Type::Ptr, kind: ir::ExprKind::AddrFunc(f) })
                }
            }
            (None, Some(target)) => {
                self.check_callee(&target);
                Callee::Indirect(target)
            }
            (None, None) => Callee::Indirect(ir::Expr::null()),
        };
        self.b.emit(Op::Call { dst: dst.map(|(var, _)| var), callee, args: values });
        if let (Some(id), false) = (direct, counted.is_empty()) {
            self.store_counts(&self.hir_function(id).name, counted);
        }
        if let Some(id) = direct {
            self.errno_after(id);
        }
        if direct.is_some_and(|id| self.hir_function(id).noreturn) {
            self.b.leave(Op::Halt(None));
        }
        Ok(())
    }

    /// May the callee write what it is given the address of, since it has no body that copies it?
    fn writes_arguments(&self, direct: Option<FuncId>) -> bool {
        self.cx.options.unknown_functions == UnknownFunctions::Havoc
            && direct.is_none_or(|id| !self.cx.is_defined(self.unit, id))
    }

    /// Of a call that prints by a format that is not known: what it may write by `%n`.
    fn counted_arguments(
        &mut self,
        direct: Option<FuncId>,
        args: &'a [Expr],
        values: &mut [ir::Expr],
    ) -> Vec<(ir::Expr, Type)> {
        let Some(id) = direct else { return Vec::new() };
        let function = self.hir_function(id);
        let own = self.is_own(id);
        if own || function.linkage != Linkage::External || args.iter().any(|arg| self.literal(arg).is_some())
        {
            return Vec::new();
        }
        let mut places = Vec::new();
        for (i, ty) in self.counted(&function.name, args) {
            if let Some(value) = values.get_mut(i) {
                *value = self.freeze(std::mem::replace(value, ir::Expr::null()));
                places.push((value.clone(), ty));
            }
        }
        places
    }

    /// Is this function not the library's, whatever its name?
    pub fn is_own(&self, id: FuncId) -> bool {
        let (cx, unit) = (&self.cx, self.unit);
        cx.is_foreign(unit, id) || (cx.is_defined(unit, id) && !cx.is_modelled(unit, id))
    }

    pub fn hir_function(&self, id: FuncId) -> &'a Function {
        &self.cx.units[self.unit].unit.functions[id.0 as usize]
    }

    fn parameter_count(&self, callee: &Expr) -> usize {
        let mut ty = callee.ty.ty;
        if let TypeKind::Pointer(to) = self.types.kind(ty) {
            ty = to.ty;
        }
        match self.types.kind(ty) {
            TypeKind::Function(f) if f.prototype => f.params.len(),
            TypeKind::Function(f) if !f.variadic => usize::MAX,
            _ => 0,
        }
    }

    /// Makes the arguments agree with the function as the program knows it, which may be from another unit.
    fn fit_arguments(&mut self, id: FuncId, f: ir::FuncId, args: &mut [ir::Expr], dst: Option<Type>) -> bool {
        let function = self.cx.program.function(f);
        let params: Vec<Type> = function.param_types().collect();
        let count_fits = args.len() == params.len() || (function.variadic && args.len() >= params.len());
        if !count_fits || (dst.is_some() && dst != function.ret) {
            return false;
        }
        let target = self.target();
        let promoted = !self.cx.has_prototype(self.unit, id);
        let fits = |p: Type, a: Type| same_bits(&target, p, a) || (promoted && promotes(a, p));
        if !params.iter().zip(args.iter()).all(|(p, a)| fits(*p, a.ty)) {
            return false;
        }
        for (param, arg) in params.into_iter().zip(args.iter_mut()) {
            if arg.ty != param {
                let value = std::mem::replace(arg, ir::Expr::null());
                *arg = fold::cast(&target, param, value);
            }
        }
        true
    }
}

/// The function that is called by name.
pub(crate) fn callee_function(mut callee: &Expr) -> Option<FuncId> {
    loop {
        match &callee.kind {
            ExprKind::Function(id) => return Some(*id),
            ExprKind::Decay(inner) | ExprKind::AddrOf(inner) => callee = inner,
            ExprKind::Deref(inner) => callee = inner,
            _ => return None,
        }
    }
}

/// Do both types pass the same bits?
pub(super) fn same_bits(target: &ir::Target, a: Type, b: Type) -> bool {
    let bits = |ty| match ty {
        Type::Int(int) => Some(int.bits),
        Type::Ptr => Some(target.pointer_bits),
        _ => None,
    };
    a == b || (bits(a).is_some() && bits(a) == bits(b))
}

/// Does the default promotion turn the first type into the second?
fn promotes(from: Type, to: Type) -> bool {
    match (from, to) {
        (Type::Int(from), Type::I32) => from.bits < 32,
        (Type::F32, Type::F64) => true,
        _ => false,
    }
}
