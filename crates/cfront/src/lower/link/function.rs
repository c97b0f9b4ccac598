//! The functions of the program: declared when something refers to them, lowered once all names are known.

use super::{FuncKey, Linked};
use crate::hir::*;
use crate::lower::{function, library, outside};
use crate::type_name::type_to_string;
use crate::types::{FunctionType, TypeId, TypeKind, TypeTable};
use ir::{Body, Storage};

/// How a C function looks in the IR.
pub(crate) struct Signature {
    pub ret: Option<ir::Type>,
    pub params: Vec<ir::Type>,
    pub variadic: bool,
}

/// Records travel through memory: a hidden result pointer in front, a pointer for each record parameter.
pub(crate) fn signature(types: &TypeTable, ty: TypeId) -> Option<Signature> {
    let TypeKind::Function(f) = types.kind(ty) else { return None };
    let mut params = Vec::with_capacity(f.params.len() + 1);
    let ret = match types.kind(f.ret) {
        TypeKind::Void => None,
        TypeKind::Record(_) => {
            params.push(ir::Type::Ptr);
            None
        }
        _ => Some(types.ir_type(f.ret)?),
    };
    for &param in &f.params {
        params.push(parameter_type(types, f, param)?);
    }
    Some(Signature { ret, params, variadic: f.variadic || !f.prototype })
}

/// How an argument arrives: a record by its address; in an old-style definition, whose callers know nothing
/// of its parameters, promoted.
pub(crate) fn parameter_type(types: &TypeTable, f: &FunctionType, param: TypeId) -> Option<ir::Type> {
    Some(match types.kind(param) {
        TypeKind::Record(_) => ir::Type::Ptr,
        _ => match types.ir_type(param)? {
            ir::Type::Int(int) if !f.prototype && int.bits < 32 => ir::Type::I32,
            ir::Type::F32 if !f.prototype => ir::Type::F64,
            ty => ty,
        },
    })
}

impl Linked<'_> {
    /// The program's function for a unit's function.
    pub fn function(&mut self, unit: usize, id: FuncId) -> ir::FuncId {
        let key = self.function_key(unit, id);
        if let Some(id) = self.functions[key].ir {
            return id;
        }
        let (u, f) = self.functions[key].site;
        let hir = &self.units[u].unit.functions[f.0 as usize];
        let types = &self.units[u].unit.types;
        let pos = self.pos(hir.span);
        let name = self.unique_name(self.functions[key].name.clone(), hir.linkage, hir.span);
        let (signature, poison) = match signature(types, hir.ty) {
            Some(signature) => (signature, None),
            None => (
                Signature { ret: None, params: vec![], variadic: true },
                Some((
                    "a parameter or the result has a type that is not supported (complex or vector)",
                    hir.span,
                )),
            ),
        };
        let locals = signature.params.iter().enumerate().map(|(i, &ty)| ir::Local {
            name: format!("arg{i}").into(),
            storage: Storage::Register(ty),
            origin: ir::LocalOrigin::Param,
            c_type: "".into(),
            pos,
        });
        let locals: Vec<ir::Local> = locals.collect();
        let defined = self.functions[key].defined;
        let variadic = match types.kind(hir.ty) {
            // A definition says what it takes, prototype or not.
            TypeKind::Function(f) if defined => f.variadic,
            _ => signature.variadic,
        };
        let body = match (poison, &hir.poison, library::refused(&hir.name)) {
            (Some((reason, span)), ..) => Body::Poisoned { reason: reason.into(), pos: self.pos(span) },
            (None, Some((reason, span)), _) => {
                Body::Poisoned { reason: reason.as_str().into(), pos: self.pos(*span) }
            }
            (None, None, Some(reason)) if !defined && hir.linkage == Linkage::External => {
                Body::Poisoned { reason: reason.into(), pos }
            }
            (None, None, _) => Body::Extern,
        };
        let lower = defined && body == Body::Extern;
        let (body, havocs) = match body {
            Body::Extern if !defined => {
                outside::unknown(&name, self.functions[key].foreign, self.options.unknown_functions, pos)
            }
            body => (body, false),
        };
        let ir_id = self.program.add_function(ir::Function {
            name,
            ret: signature.ret,
            params: locals.len() as u32,
            variadic,
            locals,
            body,
            havocs,
            c_type: type_to_string(types, crate::types::QualType::plain(hir.ty)).into(),
            pos,
        });
        self.functions[key].ir = Some(ir_id);
        if defined && matches!(types.kind(hir.ty), TypeKind::Function(f) if !f.prototype) {
            self.unprototyped.insert(ir_id);
        }
        if lower {
            self.pending.push_back(key);
        }
        ir_id
    }

    pub(super) fn lower_function(&mut self, key: FuncKey) {
        let entity = &self.functions[key];
        let (Some(id), (u, f)) = (entity.ir, entity.site) else { return };
        let units = self.units;
        let result = function::lower_body(self, u, f, &units[u].usage.bodies[f.0 as usize]);
        match result {
            Ok((locals, cfa)) => {
                let function = self.program.function_mut(id);
                function.locals = locals;
                function.body = Body::Defined(cfa);
            }
            Err(e) => {
                let pos = self.pos(e.span);
                self.program.function_mut(id).body = Body::Poisoned { reason: e.reason.into(), pos };
            }
        }
    }

    /// Functions that run before `main`, in their order.
    pub fn constructors(&mut self) -> Vec<ir::FuncId> {
        self.by_priority(|f| f.constructor)
    }

    /// Functions that run after all else, in their order: the opposite of that of constructors.
    pub fn destructors(&mut self) -> Vec<ir::FuncId> {
        let mut list = self.by_priority(|f| f.destructor);
        list.reverse();
        list
    }

    fn by_priority(&mut self, priority: impl Fn(&Function) -> Option<u32>) -> Vec<ir::FuncId> {
        let units = self.units;
        let mut found = Vec::new();
        for (u, unit) in units.iter().enumerate() {
            for (i, f) in unit.unit.functions.iter().enumerate() {
                if let (Some(priority), Some(_)) = (priority(f), &f.body) {
                    found.push((priority, self.function(u, FuncId(i as u32))));
                }
            }
        }
        found.sort_by_key(|(priority, _)| *priority);
        found.into_iter().map(|(_, id)| id).collect()
    }
}
