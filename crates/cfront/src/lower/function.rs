//! One function: its variables, its entry, its exits.

use super::builder::CfaBuilder;
use super::link::{Linked, parameter_type};
use super::usage::BodyUsage;
use super::{Lowered, unsupported};
use crate::hir::*;
use crate::type_name::type_to_string;
use crate::types::{ArrayLen, BitField, FunctionType, QualType, TypeId, TypeKind, TypeTable};
use base::Span;
use ir::{Cfa, HavocKind, LocalOrigin, Mark, NodeId, Op, Storage, Type, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Records with at most this many scalars are split into registers when nobody takes their address.
const MAX_LEAVES: usize = 64;

/// A scalar inside a record.
#[derive(Clone)]
pub(crate) struct Leaf {
    pub offset: u64,
    pub bits: Option<BitField>,
    pub ty: TypeId,
    /// Member names from the record, for the user: `.a.b`.
    pub path: String,
}

/// Where a C local lives.
#[derive(Clone)]
pub(crate) enum Slot {
    Register(ir::LocalId, Type),
    /// A record, one register for each scalar in it.
    Split(Arc<[(Leaf, ir::LocalId)]>),
    Memory(ir::LocalId),
    /// A variable-length array: the register that points to it.
    Variable(ir::LocalId),
}

pub(crate) struct Lower<'l, 'a> {
    pub cx: &'l mut Linked<'a>,
    pub unit: usize,
    pub types: &'a TypeTable,
    pub b: CfaBuilder,
    pub locals: Vec<ir::Local>,
    hir_locals: &'a [Local],
    usage: &'l BodyUsage,
    slots: Vec<Option<Slot>>,
    used_names: FxHashMap<Arc<str>, u32>,
    temps: u32,
    pub ret: TypeId,
    pub function: &'a Function,
    pub labels: Vec<Option<NodeId>>,
    /// Where `break` leads, and how many scopes are around that place.
    pub breaks: Vec<(NodeId, usize)>,
    pub continues: Vec<(NodeId, usize)>,
    pub scopes: super::scope::Scopes,
    pub switches: Vec<super::stmt::SwitchFrame>,
    /// The values that `Current` stands for, innermost last.
    pub current: Vec<ir::Expr>,
    /// How deep `value` is in itself.
    pub depth: u32,
    /// Variables that have any value from the start of the function.
    pub hoisted: Vec<ir::LocalId>,
    pub has_switch: bool,
    /// Registers that may hold what the program did not write.
    pub loose: FxHashSet<ir::LocalId>,
    /// What is done is not the function's own doing, and not checked.
    pub entering: bool,
    pub marks: BTreeSet<Mark>,
}

pub(crate) fn lower_body(
    cx: &mut Linked,
    unit: usize,
    id: FuncId,
    usage: &BodyUsage,
) -> Lowered<(Vec<ir::Local>, Cfa)> {
    let units = cx.units;
    let types = &units[unit].unit.types;
    let function = &units[unit].unit.functions[id.0 as usize];
    let Some(body) = &function.body else {
        return unsupported(function.span, "the function has no body");
    };
    let TypeKind::Function(fty) = types.kind(function.ty) else {
        return unsupported(function.span, "the function has no function type");
    };
    let mut lower = Lower {
        cx,
        unit,
        types,
        b: CfaBuilder::new(),
        locals: Vec::new(),
        hir_locals: &body.locals,
        usage,
        slots: vec![None; body.locals.len()],
        used_names: FxHashMap::default(),
        temps: 0,
        ret: fty.ret,
        function,
        labels: vec![None; body.labels.len()],
        breaks: Vec::new(),
        continues: Vec::new(),
        scopes: Default::default(),
        switches: Vec::new(),
        current: Vec::new(),
        depth: 0,
        hoisted: Vec::new(),
        has_switch: false,
        loose: FxHashSet::default(),
        entering: false,
        marks: BTreeSet::new(),
    };
    lower.at(function.span);
    lower.params(body, fty)?;
    lower.stmts(&body.stmts)?;
    lower.at(body.end);
    lower.fall_off_the_end()?;
    lower.take_arguments(body);
    lower.run_constructors();
    lower.start_with_any_values();
    if lower.cx.unordered.contains(&(unit, id)) {
        lower.marks.insert(Mark::Unordered);
    }
    if lower.in_model() && crate::models::gives_one_answer(&function.name) {
        lower.marks.insert(Mark::OneAnswer);
    }
    for mark in std::mem::take(&mut lower.marks) {
        lower.temp_storage(Storage::Register(Type::I32), mark.c_type().into());
    }
    let cfa = lower.b.finish(&lower.locals);
    Ok((lower.locals, cfa))
}

impl<'a> Lower<'_, 'a> {
    /// Operations from here on belong to this place in the source.
    pub fn at(&mut self, span: Span) {
        if self.b.reachable() && !span.is_none() {
            self.b.pos = self.cx.pos(span);
        }
    }

    pub fn target(&self) -> ir::Target {
        self.cx.options.target
    }

    pub fn ir_type(&self, ty: TypeId, span: Span) -> Lowered<Type> {
        match self.types.ir_type(ty) {
            Some(ty) => Ok(ty),
            None => {
                let name = type_to_string(self.types, QualType::plain(ty));
                unsupported(span, format!("values of type '{name}' are not supported"))
            }
        }
    }

    pub fn size_of(&self, ty: TypeId, span: Span) -> Lowered<u64> {
        match self.types.size_of(ty) {
            Some(size) => Ok(size),
            None => {
                let name = type_to_string(self.types, QualType::plain(ty));
                unsupported(span, format!("the size of type '{name}' is not known"))
            }
        }
    }

    pub fn new_local(
        &mut self,
        name: &str,
        storage: Storage,
        origin: LocalOrigin,
        c_type: Arc<str>,
        span: Span,
    ) -> ir::LocalId {
        let count = self.used_names.entry(name.into()).or_insert(0);
        *count += 1;
        let unique = ir::names::numbered(name, *count).into();
        let pos = self.cx.pos(span);
        self.locals.push(ir::Local { name: unique, storage, origin, c_type, pos });
        ir::LocalId(self.locals.len() as u32 - 1)
    }

    pub fn temp(&mut self, ty: Type) -> ir::LocalId {
        self.temp_storage(Storage::Register(ty), "".into())
    }

    pub fn temp_storage(&mut self, storage: Storage, c_type: Arc<str>) -> ir::LocalId {
        self.temps += 1;
        let name = format!(".t{}", self.temps);
        let pos = self.b.pos;
        self.locals.push(ir::Local { name: name.into(), storage, origin: LocalOrigin::Temp, c_type, pos });
        ir::LocalId(self.locals.len() as u32 - 1)
    }

    /// A memory object for a value of type `ty`; gives its address.
    pub fn temp_object(&mut self, ty: TypeId, span: Span) -> Lowered<ir::Expr> {
        let size = self.size_of(ty, span)?;
        let align = self.types.align_of(ty).unwrap_or(1);
        let c_type = type_to_string(self.types, QualType::plain(ty)).into();
        let id = self.temp_storage(Storage::Memory { size, align }, c_type);
        Ok(ir::Expr { ty: Type::Ptr, kind: ir::ExprKind::AddrLocal(id) })
    }

    pub fn local_expr(&self, id: ir::LocalId, ty: Type) -> ir::Expr {
        ir::Expr { ty, kind: ir::ExprKind::Local(id) }
    }

    fn is_in_memory(&self, id: LocalId) -> bool {
        let named = !self.hir_locals[id.0 as usize].name.is_empty();
        self.usage.address_taken.contains(&id) || named && self.keeps_memory(self.local_type(id))
    }

    /// Is a pointer to it made that may be kept?
    pub fn is_pointed(&self, id: LocalId) -> bool {
        self.usage.pointed.contains(&id)
    }

    /// Where a C local lives; decided at its first use.
    pub fn slot(&mut self, id: LocalId) -> Lowered<Slot> {
        if let Some(slot) = &self.slots[id.0 as usize] {
            return Ok(slot.clone());
        }
        let local = &self.hir_locals[id.0 as usize];
        let name: &str = if local.name.is_empty() { ".h" } else { &local.name };
        let origin = if local.name.is_empty() { LocalOrigin::Temp } else { LocalOrigin::User };
        let c_type: Arc<str> = type_to_string(self.types, local.ty).into();
        let taken = self.is_in_memory(id);
        let slot = if let (Some(ty), false) = (self.types.ir_type(local.ty.ty), taken) {
            Slot::Register(self.new_local(name, Storage::Register(ty), origin, c_type, local.span), ty)
        } else if let (false, Some(leaves)) = (taken, record_leaves(self.types, local.ty.ty)) {
            let split = leaves.into_iter().map(|leaf| {
                let ty = self.ir_type(leaf.ty, local.span)?;
                let c_type = type_to_string(self.types, QualType::plain(leaf.ty)).into();
                let name = format!("{name}{}", leaf.path);
                Ok((leaf, self.new_local(&name, Storage::Register(ty), origin, c_type, local.span)))
            });
            Slot::Split(split.collect::<Lowered<Vec<_>>>()?.into())
        } else if is_variable(self.types, local.ty.ty) {
            Slot::Variable(self.new_local(name, Storage::Register(Type::Ptr), origin, c_type, local.span))
        } else {
            let size = self.size_of(local.ty.ty, local.span)?;
            let align = self.types.align_of(local.ty.ty).unwrap_or(1).max(local.align.unwrap_or(1));
            Slot::Memory(self.new_local(name, Storage::Memory { size, align }, origin, c_type, local.span))
        };
        self.slots[id.0 as usize] = Some(slot.clone());
        Ok(slot)
    }

    pub fn local_name(&self, id: LocalId) -> &'a str {
        &self.hir_locals[id.0 as usize].name
    }

    pub fn local_type(&self, id: LocalId) -> TypeId {
        self.hir_locals[id.0 as usize].ty.ty
    }

    /// Parameters arrive in registers; those that live in memory, and records, are copied at the entry.
    fn params(&mut self, body: &'a FunctionBody, fty: &FunctionType) -> Lowered<()> {
        if matches!(self.types.kind(self.ret), TypeKind::Record(_)) {
            self.new_local(
                ".ret",
                Storage::Register(Type::Ptr),
                LocalOrigin::Param,
                "".into(),
                self.function.span,
            );
        }
        let mut copies = Vec::new();
        for (i, local) in body.locals[..body.params as usize].iter().enumerate() {
            let id = LocalId(i as u32);
            let c_type: Arc<str> = type_to_string(self.types, local.ty).into();
            let ty = self.types.ir_type(local.ty.ty);
            let Some(arrives) = parameter_type(self.types, fty, local.ty.ty) else {
                return unsupported(local.span, format!("parameters of type '{c_type}' are not supported"));
            };
            let in_register = ty == Some(arrives) && !self.is_in_memory(id);
            let name = match (local.name.is_empty(), in_register) {
                (true, _) => format!(".p{i}"),
                (false, true) => local.name.to_string(),
                (false, false) => format!("{}.arg", local.name),
            };
            let param =
                self.new_local(&name, Storage::Register(arrives), LocalOrigin::Param, c_type, local.span);
            if in_register {
                self.loose.insert(param);
                self.slots[i] = Some(Slot::Register(param, arrives));
            } else {
                copies.push((id, param, arrives, local.span));
            }
        }
        // That there is something to copy is the caller's affair, and nobody's where executions start here.
        self.entering = true;
        let copied = self.copy_params(copies);
        self.entering = false;
        copied
    }

    fn copy_params(&mut self, copies: Vec<(LocalId, ir::LocalId, Type, Span)>) -> Lowered<()> {
        for (id, param, ty, span) in copies {
            let value = self.local_expr(param, ty);
            let place = self.local_place(id)?;
            if let Some(ty) = self.types.ir_type(self.local_type(id)) {
                self.write(&place, super::fold::cast(&self.target(), ty, value), span)?;
            } else {
                let source = super::place::Place::memory(value);
                self.copy_record(&place, &source, self.local_type(id), span)?;
            }
        }
        Ok(())
    }

    fn fall_off_the_end(&mut self) -> Lowered<()> {
        if !self.b.reachable() {
            return Ok(());
        }
        match self.types.ir_type(self.ret) {
            None => {
                self.end_void_main(true);
                self.leave_function(None)
            }
            Some(ty) if &*self.function.name == "main" => {
                let code = self.end_main(ir::Expr::int(ty, 0));
                self.leave_function(Some(code))
            }
            Some(ty) => {
                let value = self.havoc(ty, HavocKind::Uninit);
                let value = if self.is_bool(self.ret) { self.zero_or_one(value) } else { value };
                self.leave_function(Some(value));
            }
        }
        Ok(())
    }

    /// What `__attribute__((constructor))` asks for happens at the start of `main`.
    fn run_constructors(&mut self) {
        if self.is_main() {
            let constructors = self.cx.constructors();
            let calls = self.calls_without_arguments(constructors);
            self.b.prepend(calls);
        }
    }

    pub fn is_main(&self) -> bool {
        &*self.function.name == "main" && self.function.linkage == Linkage::External
    }

    /// Are these the tool's own functions?
    pub fn in_model(&self) -> bool {
        self.cx.is_model_unit(self.unit)
    }

    /// A symbol is used, which may be weak.
    pub fn note_weak(&mut self, weak: bool) {
        if weak {
            self.marks.insert(Mark::Weak);
        }
    }

    /// What runs when `main` returns `code`: the same as when it calls `exit`.
    pub fn end_main(&mut self, code: ir::Expr) -> ir::Expr {
        if self.is_main() { self.run_exit_handlers(code) } else { code }
    }

    /// `void main` ends with any code.
    pub fn end_void_main(&mut self, is_void: bool) {
        if is_void && self.is_main() {
            self.run_exit_handlers(ir::Expr::int(Type::I32, 0));
        }
    }

    /// Functions that `atexit` and `__attribute__((destructor))` ask for, in programs that have any; gives
    /// the exit code back.
    pub fn run_exit_handlers(&mut self, code: ir::Expr) -> ir::Expr {
        let handlers = self.cx.model_function("__reprove_at_exit");
        let destructors = self.cx.destructors();
        if handlers.is_none() && destructors.is_empty() {
            return code;
        }
        let code = self.freeze(code);
        if let Some(handlers) = handlers {
            let args = vec![super::fold::cast(&self.target(), Type::I32, code.clone())];
            self.b.emit(Op::Call { dst: None, callee: ir::Callee::Direct(handlers), args });
        }
        let calls = self.calls_without_arguments(destructors);
        calls.into_iter().for_each(|call| self.b.emit(call));
        code
    }

    fn calls_without_arguments(&self, functions: Vec<ir::FuncId>) -> Vec<Op> {
        let call = |id: ir::FuncId| {
            let callee = match self.cx.program.function(id).params {
                0 => ir::Callee::Direct(id),
                _ => ir::Callee::Indirect(ir::Expr { ty: Type::Ptr, kind: ir::ExprKind::AddrFunc(id) }),
            };
            Op::Call { dst: None, callee, args: Vec::new() }
        };
        functions.into_iter().map(call).collect()
    }

    pub fn no_labels(&self) -> bool {
        self.labels.is_empty()
    }

    /// Where a jump can pass the declaration of a variable, the variable has any value from the start too.
    fn start_with_any_values(&mut self) {
        let mut vars = std::mem::take(&mut self.hoisted);
        if self.has_switch || !self.no_labels() {
            let declared = self.locals.iter().enumerate().filter(|(_, local)| {
                local.origin == LocalOrigin::User && matches!(local.storage, Storage::Register(_))
            });
            vars.extend(declared.map(|(i, _)| ir::LocalId(i as u32)));
            vars.sort();
            vars.dedup();
        }
        let havoc = |local| Op::Havoc { var: Var::Local(local), kind: HavocKind::Uninit };
        self.b.prepend(vars.into_iter().map(havoc).chain(self.scopes.at_start()).collect());
    }

    /// Any value of `ty`, in a fresh temporary.
    pub fn havoc(&mut self, ty: Type, kind: HavocKind) -> ir::Expr {
        let temp = self.temp(ty);
        self.b.emit(Op::Havoc { var: Var::Local(temp), kind });
        self.local_expr(temp, ty)
    }

    /// Fixes a value now: later writes do not change it.
    pub fn freeze(&mut self, value: ir::Expr) -> ir::Expr {
        if self.is_fixed(&value) {
            return value;
        }
        let ty = value.ty;
        let temp = self.temp(ty);
        self.b.emit(Op::Assign { var: Var::Local(temp), value });
        self.local_expr(temp, ty)
    }

    /// Constants, addresses of variables, and temporaries.
    fn is_fixed(&self, value: &ir::Expr) -> bool {
        match &value.kind {
            ir::ExprKind::Const(_)
            | ir::ExprKind::AddrLocal(_)
            | ir::ExprKind::AddrGlobal(_)
            | ir::ExprKind::AddrFunc(_) => true,
            ir::ExprKind::Local(id) => self.locals[id.0 as usize].origin == LocalOrigin::Temp,
            ir::ExprKind::Binary(ir::BinOp::PtrAdd, base, offset) => {
                self.is_fixed(base) && self.is_fixed(offset)
            }
            _ => false,
        }
    }
}

fn is_variable(types: &TypeTable, ty: TypeId) -> bool {
    match types.kind(ty) {
        TypeKind::Array(_, ArrayLen::Variable(_)) => true,
        TypeKind::Array(elem, _) => is_variable(types, elem.ty),
        _ => false,
    }
}

/// The scalars of a record that can be split: no unions, no arrays, not too many.
pub(crate) fn record_leaves(types: &TypeTable, ty: TypeId) -> Option<Vec<Leaf>> {
    let mut leaves = Vec::new();
    collect_leaves(types, ty, 0, "", &mut leaves).then_some(leaves)
}

fn collect_leaves(types: &TypeTable, ty: TypeId, base: u64, path: &str, leaves: &mut Vec<Leaf>) -> bool {
    let TypeKind::Record(id) = types.kind(ty) else { return false };
    let record = types.record(*id);
    let Some(layout) = &record.layout else { return false };
    if record.is_union || layout.flexible {
        return false;
    }
    for field in &layout.fields {
        let path = if field.name.is_empty() { path.to_string() } else { format!("{path}.{}", field.name) };
        let offset = base + field.offset;
        if types.ir_type(field.ty.ty).is_some() {
            leaves.push(Leaf { offset, bits: field.bits, ty: field.ty.ty, path });
        } else if !collect_leaves(types, field.ty.ty, offset, &path, leaves) {
            return false;
        }
        if leaves.len() > MAX_LEAVES {
            return false;
        }
    }
    true
}
