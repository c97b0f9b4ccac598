//! Which functions are the C library's, and what that means for linking: functions that cannot be verified,
//! declarations that disagree with the library's, and addresses of functions that are operations.

use super::builder::CfaBuilder;
use super::call::same_bits;
use super::intrinsic::{Intrinsic, intrinsic_named, only_gives_a_value};
use super::link::{Linked, Signature, signature};
use super::{LinkUnit, fold};
use crate::check::{library::known_prototype, primitives};
use crate::hir::*;
use crate::type_name::type_to_string;
use crate::types::{QualType, TypeId, TypeKind, TypeTable};
use base::{Diagnostic, Diagnostics};
use ir::{Body, CheckKind, HavocKind, Op, Storage, Target, Type, Var};
use std::sync::Arc;

/// What the model is called that stands for the address of a function.
pub(super) fn pointer_model(name: &str) -> String {
    format!("__reprove_pointer_{name}")
}

/// Why a call of this function, which nobody defines, leaves what can be verified.
pub(super) fn refused(name: &str) -> Option<&'static str> {
    Some(match name {
        "pthread_create" | "thrd_create" | "clone" | "__clone" | "clone3" => "threads are not supported",
        "pthread_exit" | "thrd_exit" => "the end of one thread is not supported",
        "timer_create" | "mq_notify" | "sigwait" | "sigwaitinfo" | "sigtimedwait" | "sigqueue" => {
            "signals are not supported"
        }
        "__reprove_refuse_signals" => "signal handlers are not supported",
        _ => return None,
    })
}

/// Do two function types, of different units, agree in what is passed and returned? One without a prototype
/// says nothing about what is passed.
pub(super) fn same_type(target: &Target, a: (&TypeTable, TypeId), b: (&TypeTable, TypeId)) -> bool {
    let (Some(x), Some(y)) = (signature(a.0, a.1), signature(b.0, b.1)) else { return false };
    let prototype = |(types, ty): (&TypeTable, TypeId)| match types.kind(ty) {
        TypeKind::Function(f) => f.prototype,
        _ => false,
    };
    let same = |a: &Type, b: &Type| same_bits(target, *a, *b);
    let results = match (&x.ret, &y.ret) {
        (Some(a), Some(b)) => same(a, b),
        // A result that the program does not know of.
        (None, _) => true,
        (Some(_), None) => false,
    };
    let list = |s: &Signature| s.params.clone();
    let params = list(&x).len() == list(&y).len() && list(&x).iter().zip(&list(&y)).all(|(a, b)| same(a, b));
    results && (!prototype(a) || (params && x.variadic == y.variadic))
}

/// Is a function that is declared of another type than the library's of its name? Integers of other widths
/// are converted, as they are where a call means an operation, and of declarations without a prototype only
/// the result is looked at.
pub(super) fn is_other_type(target: &Target, types: &TypeTable, f: &Function) -> bool {
    let Some((text, real)) = prototype(f.name.strip_suffix("_unlocked").unwrap_or(&f.name)) else {
        return false;
    };
    let (TypeKind::Function(ty), Some(found)) = (types.kind(f.ty), signature(types, f.ty)) else {
        return false;
    };
    let wanted = |letter: u8| match letter {
        b'v' => None,
        b'd' => types.ir_type(real),
        b'f' => Some(Type::F32),
        b'D' => types.ir_type(TypeTable::LONGDOUBLE),
        b'B' | b'i' | b'u' | b'b' | b'h' => Some(Type::I32),
        b'l' | b'm' | b'z' => Some(target.intptr(false)),
        b'x' | b'y' | b'Y' => Some(Type::I64),
        b'T' => Some(Type::U128),
        _ => Some(Type::Ptr),
    };
    let (result, params) = text.as_bytes().split_at(1);
    let variadic = params.last() == Some(&b'.');
    let params: Vec<Type> = params.iter().filter(|l| **l != b'.').filter_map(|l| wanted(*l)).collect();
    let fits = |a: Type, b: Type| a == b || (a.is_int() && b.is_int());
    let result = match (found.ret, wanted(result[0])) {
        (Some(a), Some(b)) => {
            // `int malloc();`: what C had before prototypes.
            let implicit = !ty.prototype && a == Type::I32 && b == Type::Ptr;
            same_bits(target, a, b) || fits(a, b) || implicit
        }
        (a, _) => a.is_none(),
    };
    let same =
        found.params.len() == params.len() && found.params.iter().zip(&params).all(|(a, b)| fits(*a, *b));
    let says = ty.prototype && !text.ends_with('?');
    !result || (says && !(same && variadic == ty.variadic))
}

/// As `known_prototype`, with functions that gcc does not know and no model defines.
fn prototype(name: &str) -> Option<(&'static str, TypeId)> {
    let text = match name {
        "dprintf" => "iiC.",
        "vdprintf" => "iiCa",
        "syslog" => "viC.",
        "drand48" => "d",
        "openat" => "iiCi.",
        "pwrite" => "liqzl",
        "sendto" => "liqzipu",
        "cfree" => "vp",
        _ => return known_prototype(name),
    };
    Some((text, TypeTable::DOUBLE))
}

/// CBMC's primitives that are used, not defined, and not known: they would mean nothing.
pub(super) fn unknown_primitives(units: &[LinkUnit], diagnostics: &mut Diagnostics) {
    for unit in units {
        for id in &unit.usage.functions {
            let f = &unit.unit.functions[id.0 as usize];
            let defined =
                || units.iter().flat_map(|u| &u.unit.functions).any(|g| g.name == f.name && g.body.is_some());
            if f.name.starts_with("__CPROVER_") && !primitives::is_known(&f.name) && !defined() {
                diagnostics.push(Diagnostic::error(f.span, primitives::unknown(&f.name)));
            }
        }
    }
}

impl Linked<'_> {
    /// A function that was defined as `f() {}` may get more arguments than it takes where it is not called by
    /// its name: no caller can know better, and everywhere the rest is ignored.
    pub fn accept_more(&mut self, id: ir::FuncId) {
        if self.unprototyped.contains(&id) {
            self.program.function_mut(id).variadic = true;
        }
    }

    /// The function that an address leads to: for an operation, one that does it.
    pub fn pointed_function(&mut self, unit: usize, id: FuncId) -> ir::FuncId {
        let units = self.units;
        let f = &units[unit].unit.functions[id.0 as usize];
        let is_error = self.options.error_functions.iter().any(|name| **name == *f.name);
        let own = f.linkage != Linkage::External || self.is_defined(unit, id) || self.is_foreign(unit, id);
        if !is_error && own {
            let function = self.function(unit, id);
            self.accept_more(function);
            return function;
        }
        if let Some(&wrapper) = self.wrappers.get(&f.name) {
            return wrapper;
        }
        let gives = only_gives_a_value(&units[unit].unit.types, f.ty);
        let intrinsic = match intrinsic_named(&f.name) {
            _ if is_error => Some(Intrinsic::Error),
            Some(Intrinsic::Input) if !gives => None,
            intrinsic => intrinsic,
        };
        let wrapper = if let Some(model) = self.model_function(&pointer_model(&f.name)).filter(|_| !is_error)
        {
            self.program.function_mut(model).name = f.name.clone();
            model
        } else if let Some(intrinsic) = intrinsic {
            match self.operation(unit, f, intrinsic) {
                Some(function) => self.program.add_function(function),
                None => self.function(unit, id),
            }
        } else {
            self.function(unit, id)
        };
        self.wrappers.insert(f.name.clone(), wrapper);
        wrapper
    }

    /// A function that does what calls of `f` mean; none for operations that C models.
    fn operation(&mut self, unit: usize, f: &Function, intrinsic: Intrinsic) -> Option<ir::Function> {
        let types = &self.units[unit].unit.types;
        let Signature { ret, params, .. } = signature(types, f.ty)?;
        let pos = self.pos(f.span);
        let local = |name: String, ty: Type, origin| ir::Local {
            name: name.into(),
            storage: Storage::Register(ty),
            origin,
            c_type: "".into(),
            pos,
        };
        let mut locals: Vec<ir::Local> = params
            .iter()
            .enumerate()
            .map(|(i, ty)| local(format!("arg{i}"), *ty, ir::LocalOrigin::Param))
            .collect();
        let condition = |params: &[Type]| {
            let first = *params.first()?;
            Some(fold::truth(ir::Expr { ty: first, kind: ir::ExprKind::Local(ir::LocalId(0)) }))
        };
        let count = locals.len() as u32;
        let mut b = CfaBuilder::new();
        b.pos = pos;
        match intrinsic {
            Intrinsic::Input | Intrinsic::Nothing => {}
            Intrinsic::Assume => b.emit(Op::Assume { cond: condition(&params)?, holds: true }),
            Intrinsic::Assert => {
                b.emit(Op::Check { kind: CheckKind::Assertion, cond: condition(&params)?, message: None });
            }
            Intrinsic::Error | Intrinsic::AssertFail => {
                let kind =
                    if intrinsic == Intrinsic::Error { CheckKind::ErrorCall } else { CheckKind::Assertion };
                b.emit(Op::Check { kind, cond: ir::Expr::bool(false), message: None });
                b.leave(Op::Halt(None));
            }
            _ => return None,
        }
        let result = ret.map(|ty| {
            let id = ir::LocalId(locals.len() as u32);
            locals.push(local(".t1".into(), ty, ir::LocalOrigin::Temp));
            b.emit(Op::Havoc { var: Var::Local(id), kind: HavocKind::Input(f.name.clone()) });
            ir::Expr { ty, kind: ir::ExprKind::Local(id) }
        });
        b.leave(Op::Return(result));
        let cfa = b.finish(&locals);
        let name: Arc<str> = match self.program.find_function(&f.name) {
            None => f.name.clone(),
            Some(_) => format!("{}.called", f.name).into(),
        };
        let c_type = type_to_string(types, QualType::plain(f.ty)).into();
        Some(ir::Function {
            name,
            ret,
            params: count,
            variadic: false,
            locals,
            body: Body::Defined(cfa),
            havocs: false,
            c_type,
            pos,
        })
    }
}
