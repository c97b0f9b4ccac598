//! From programs to the points-to graph: nodes for variables and objects, flows for operations, accesses.
//!
//! Only functions that the roots reach are looked at. What has the same name in both programs (functions, globals, locals
//! that users declared; allocation sites by their order) has the same node, so that both programs are divided alike.

use super::eval::{self, Domain};
use super::points_to::{Graph, Node, Value};
use super::residue::Residue;
use super::{ObjectKind, Options};
use ir::{
    CallGraph, Callee, Cfa, EdgeId, Expr, ExprKind, FuncId, Global, GlobalId, HavocKind, InitValue, LocalId,
    LocalOrigin, Op, Program, Storage, Target, Type, Var,
};
use rustc_hash::FxHashMap;

/// An access by an operation of a program.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub program: usize,
    pub function: FuncId,
    pub at: Value,
    pub extent: Extent,
    pub write: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    Scalar(Type),
    /// `Copy` and `Fill`: a number of bytes, if it is constant.
    Block(Option<u64>),
}

#[derive(Clone, Debug)]
pub struct Object {
    pub node: Node,
    pub program: usize,
    pub kind: ObjectKind,
}

/// The nodes of a function's variables: places for registers, classes for objects.
#[derive(Clone, Debug)]
pub struct Slots {
    pub locals: Vec<Node>,
    pub result: Node,
    pub var_args: Node,
}

pub struct Collected {
    pub graph: Graph,
    pub accesses: Vec<Access>,
    pub objects: Vec<Object>,
    /// By program.
    pub globals: Vec<Vec<Node>>,
    pub functions: Vec<Vec<Node>>,
    pub absolute: Node,
    /// By program and function; none if no root reaches it.
    pub slots: Vec<Vec<Option<Slots>>>,
    /// Indirect calls that may run unknown code.
    pub unknown_calls: Vec<(usize, FuncId)>,
    pub call_graphs: Vec<CallGraph>,
}

pub fn collect(programs: &[&Program], roots: &[Vec<FuncId>], options: &Options) -> Collected {
    let mut graph = Graph::default();
    let absolute = graph.fresh();
    graph.open(absolute, true);
    let all = Collected {
        graph,
        accesses: Vec::new(),
        objects: Vec::new(),
        globals: Vec::new(),
        functions: Vec::new(),
        absolute,
        slots: Vec::new(),
        unknown_calls: Vec::new(),
        call_graphs: programs.iter().map(|p| CallGraph::of(p)).collect(),
    };
    let mut collector = Collector { all, named: FxHashMap::default(), indirect: Vec::new() };
    for (index, program) in programs.iter().enumerate() {
        let all: Vec<FuncId> = program.function_ids().collect();
        let roots = roots.get(index).filter(|list| !list.is_empty()).unwrap_or(&all);
        collector.program(index, program, roots, options);
    }
    collector.close(programs);
    collector.all
}

/// What shares a node under one name.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Name<'p> {
    Global(&'p str, Option<Type>),
    Constant(u64, Vec<(u64, &'p [u8])>),
    Function(&'p str),
    Param(&'p str, u32, Type),
    Result(&'p str, Type),
    Register(&'p str, &'p str, Type, &'p str),
    Memory(&'p str, &'p str),
    Site(&'p str, u32),
    VarArgs(&'p str),
    Arguments,
    ArgumentStrings,
}

struct Indirect {
    program: usize,
    function: FuncId,
    callee: Option<Value>,
    args: Vec<Option<Value>>,
    dst: Option<(Node, Type)>,
    unknown: bool,
}

struct Collector<'p> {
    all: Collected,
    named: FxHashMap<Name<'p>, Node>,
    indirect: Vec<Indirect>,
}

impl<'p> Collector<'p> {
    fn program(&mut self, index: usize, program: &'p Program, roots: &[FuncId], options: &Options) {
        let reached = reached(program, roots);
        let entry_only = roots.iter().all(|f| name(program, *f) == "main");
        let calls_out = reached.iter().enumerate().any(|(i, reached)| {
            *reached && program.functions[i].cfa().is_none() && !options.harmless(&program.functions[i].name)
        });
        let known_outside = !entry_only || calls_out;
        let globals = program.globals.iter().map(|global| self.shared(global_name(global))).collect();
        self.all.globals.push(globals);
        let functions = program.functions.iter().map(|f| self.shared(Name::Function(&f.name))).collect();
        self.all.functions.push(functions);
        let slots = program.functions.iter().zip(&reached).map(|(f, reached)| reached.then(|| self.slots(f)));
        let slots = slots.collect();
        self.all.slots.push(slots);
        self.globals(index, program, known_outside);
        for (i, function) in program.functions.iter().enumerate() {
            let id = FuncId(i as u32);
            self.object(self.all.functions[index][i], index, ObjectKind::Function(id));
            if let (true, Some(cfa)) = (reached[i], function.cfa()) {
                self.function(index, program, id, cfa);
            }
        }
        for root in roots {
            let Some(Some(slots)) = self.all.slots[index].get(root.0 as usize).cloned() else { continue };
            if name(program, *root) == "main" {
                self.main_parameters(index, program.function(*root), &slots);
            } else {
                self.called_from_outside(program, *root, &slots);
            }
        }
    }

    fn shared(&mut self, name: Name<'p>) -> Node {
        let graph = &mut self.all.graph;
        *self.named.entry(name).or_insert_with(|| graph.fresh())
    }

    fn object(&mut self, node: Node, program: usize, kind: ObjectKind) {
        self.all.objects.push(Object { node, program, kind });
    }

    fn slots(&mut self, function: &'p ir::Function) -> Slots {
        let mut locals = Vec::with_capacity(function.locals.len());
        for (i, local) in function.locals.iter().enumerate() {
            let node = match local.storage {
                Storage::Memory { .. } => self.shared(Name::Memory(&function.name, &local.name)),
                Storage::Register(ty) => {
                    let node = if i < function.params as usize {
                        self.shared(Name::Param(&function.name, i as u32, ty))
                    } else if local.origin == LocalOrigin::Temp {
                        self.all.graph.fresh()
                    } else {
                        self.shared(Name::Register(&function.name, &local.name, ty, &local.c_type))
                    };
                    self.typed(node, ty);
                    node
                }
            };
            locals.push(node);
        }
        let result = match function.ret {
            Some(ty) => {
                let node = self.shared(Name::Result(&function.name, ty));
                self.typed(node, ty);
                node
            }
            None => self.all.graph.fresh(),
        };
        Slots { locals, result, var_args: self.shared(Name::VarArgs(&function.name)) }
    }

    fn typed(&mut self, node: Node, ty: Type) {
        if ty == Type::Ptr {
            self.all.graph.set_pointer(node);
        }
    }

    fn globals(&mut self, index: usize, program: &'p Program, known_outside: bool) {
        for (i, global) in program.globals.iter().enumerate() {
            let id = GlobalId(i as u32);
            let node = self.all.globals[index][i];
            let visible = !global.constant && known_outside && !is_static_local(program, global);
            match global.storage {
                Storage::Memory { .. } => {
                    self.object(node, index, ObjectKind::Global(id));
                    if visible || global.init.is_none() {
                        self.all.graph.open(node, false);
                    }
                }
                Storage::Register(ty) => {
                    self.typed(node, ty);
                    if visible || global.init.is_none() {
                        self.unknown_value(node, ty, &program.target);
                        self.all.graph.leak(Value::place(node));
                    }
                }
            }
            for item in global.init.iter().flat_map(|init| &init.items) {
                let InitValue::Scalar(e) = &item.value else { continue };
                let Some(value) = self.eval(index, program, None, e) else { continue };
                match global.storage {
                    Storage::Register(_) => self.all.graph.flow(value, node),
                    Storage::Memory { .. } => {
                        let offset = Residue::new(item.offset.into(), 0);
                        let size = e.ty.access_size(&program.target);
                        let cell = self.all.graph.deref(Value::object(node).moved(offset), Some(size));
                        self.typed(cell, e.ty);
                        self.all.graph.flow(value, cell);
                    }
                }
            }
        }
    }

    /// Unknown code may have put anything it knows here.
    fn unknown_value(&mut self, node: Node, ty: Type, target: &Target) {
        // Narrow numbers hold no addresses.
        if ty == Type::Ptr || ty.as_int().is_some_and(|int| int.bits >= target.pointer_bits) {
            self.all.graph.set_outside(node);
        }
    }

    fn called_from_outside(&mut self, program: &Program, id: FuncId, slots: &Slots) {
        let function = program.function(id);
        for (node, ty) in slots.locals.iter().zip(function.param_types()) {
            self.unknown_value(*node, ty, &program.target);
        }
        if function.variadic {
            self.all.graph.open(slots.var_args, false);
        }
        self.all.graph.leak(Value::place(slots.result));
    }

    /// The arguments of a program are objects of its own: no global, and nobody else knows them.
    fn main_parameters(&mut self, index: usize, function: &'p ir::Function, slots: &Slots) {
        for (node, ty) in slots.locals.iter().zip(function.param_types()) {
            if ty == Type::Ptr {
                let list = self.shared(Name::Arguments);
                self.object(list, index, ObjectKind::Arguments);
                self.all.graph.flow(Value::object(list), *node);
                let strings = self.shared(Name::ArgumentStrings);
                self.object(strings, index, ObjectKind::Arguments);
                let cell = self.all.graph.deref(Value::object(list), None);
                self.all.graph.flow(Value::object(strings).moved(Residue::ANY), cell);
            }
        }
    }

    fn function(&mut self, index: usize, program: &'p Program, id: FuncId, cfa: &'p Cfa) {
        let Some(slots) = self.all.slots[index][id.0 as usize].clone() else { return };
        let function = program.function(id);
        for (i, (local, node)) in function.locals.iter().zip(&slots.locals).enumerate() {
            if let Storage::Memory { .. } = local.storage {
                self.object(*node, index, ObjectKind::Local(id, LocalId(i as u32)));
            }
        }
        if function.variadic {
            self.object(slots.var_args, index, ObjectKind::VarArgs(id));
        }
        let mut sites = 0;
        for (i, edge) in cfa.edges().iter().enumerate() {
            let edge_id = EdgeId(i as u32);
            let place = |collector: &Self, var: Var| match var {
                Var::Local(LocalId(i)) => slots.locals.get(i as usize).copied(),
                Var::Global(GlobalId(i)) => collector.all.globals[index].get(i as usize).copied(),
            };
            let eval = |collector: &mut Self, e: &Expr| collector.eval(index, program, Some(id), e);
            match &edge.op {
                Op::Assign { var, value } => {
                    let value = eval(self, value);
                    if let (Some(value), Some(to)) = (value, place(self, *var)) {
                        self.all.graph.flow(value, to);
                    }
                }
                Op::Store { addr, value } => {
                    let (at, stored) = (eval(self, addr), eval(self, value));
                    let Some(at) = at else { continue };
                    let view = self.access((index, id), at, Extent::Scalar(value.ty), true, program);
                    if let Some(stored) = stored {
                        self.all.graph.flow(stored, view);
                    }
                }
                Op::Copy { dst, src, len } => {
                    let (dst, src) = (eval(self, dst), eval(self, src));
                    eval(self, len);
                    let extent = block(len);
                    let from = src.map(|at| self.access((index, id), at, extent, false, program));
                    let to = dst.map(|at| self.access((index, id), at, extent, true, program));
                    if let (Some(from), Some(to)) = (from, to) {
                        self.all.graph.flow(Value::place(from), to);
                    }
                }
                Op::Fill { dst, byte, len } => {
                    let dst = eval(self, dst);
                    eval(self, byte);
                    eval(self, len);
                    if let Some(at) = dst {
                        self.access((index, id), at, block(len), true, program);
                    }
                }
                Op::Alloc { var, size, .. } => {
                    eval(self, size);
                    let node = self.shared(Name::Site(&function.name, sites));
                    sites += 1;
                    self.object(node, index, ObjectKind::Site(id, edge_id));
                    if let Some(to) = place(self, *var) {
                        self.all.graph.flow(Value::object(node), to);
                    }
                }
                Op::Havoc { var, kind: HavocKind::Input(_) | HavocKind::Asm } => {
                    if let (Some(to), Some(ty)) = (place(self, *var), register(program, id, *var)) {
                        self.unknown_value(to, ty, &program.target);
                    }
                }
                Op::Call { dst, callee, args } => {
                    let values: Vec<Option<Value>> = args.iter().map(|arg| eval(self, arg)).collect();
                    let target = match callee {
                        Callee::Direct(_) => None,
                        Callee::Indirect(e) => eval(self, e),
                    };
                    let to = dst.and_then(|var| place(self, var));
                    let site = self.all.call_graphs[index].site(id, edge_id);
                    for callee in site.map(|site| site.targets.clone()).unwrap_or_default() {
                        self.call((index, id), program, callee, args, &values, to);
                    }
                    if let Callee::Indirect(_) = callee {
                        let (function, args) = (id, values);
                        let dst = to.zip(dst.and_then(|var| register(program, id, var)));
                        let call =
                            Indirect { program: index, function, callee: target, args, dst, unknown: false };
                        self.indirect.push(call);
                    }
                }
                Op::Return(Some(e)) => {
                    if let Some(value) = eval(self, e) {
                        self.all.graph.flow(value, slots.result);
                    }
                }
                op => {
                    for e in op.exprs() {
                        eval(self, e);
                    }
                }
            }
        }
    }

    fn call(
        &mut self,
        (index, caller): (usize, FuncId),
        program: &Program,
        callee: FuncId,
        args: &[Expr],
        values: &[Option<Value>],
        dst: Option<Node>,
    ) {
        let Some(function) = program.functions.get(callee.0 as usize) else { return };
        let slots = self.all.slots[index].get(callee.0 as usize).cloned().flatten();
        if function.cfa().is_none() {
            self.unknown_call(values, dst.zip(function.ret), &program.target);
            return;
        }
        // Only taken as an address in code that never runs.
        let Some(slots) = slots else { return };
        let params = function.params as usize;
        for (i, value) in values.iter().enumerate() {
            let Some(to) = slots.locals.get(i).filter(|_| i < params) else { break };
            if let Some(value) = value {
                self.all.graph.flow(*value, *to);
            }
        }
        if function.variadic {
            for (i, (arg, value)) in args.iter().zip(values).skip(params).enumerate() {
                let at = Value::object(slots.var_args).moved(Residue::exact(16 * i as i64));
                let view = self.access((index, caller), at, Extent::Scalar(arg.ty), true, program);
                if let Some(value) = value {
                    self.all.graph.flow(*value, view);
                }
            }
        }
        if let Some(dst) = dst {
            self.all.graph.flow(Value::place(slots.result), dst);
        }
    }

    fn unknown_call(&mut self, args: &[Option<Value>], dst: Option<(Node, Type)>, target: &Target) {
        for value in args.iter().flatten() {
            self.all.graph.leak(*value);
        }
        if let Some((dst, ty)) = dst {
            self.unknown_value(dst, ty, target);
        }
    }

    fn access(
        &mut self,
        (program, function): (usize, FuncId),
        at: Value,
        extent: Extent,
        write: bool,
        text: &Program,
    ) -> Node {
        let size = match extent {
            Extent::Scalar(ty) => Some(ty.access_size(&text.target)),
            Extent::Block(len) => len,
        };
        // Blocks of no bytes touch nothing.
        if size != Some(0) {
            self.all.accesses.push(Access { program, function, at, extent, write });
        }
        let view = self.all.graph.deref(at, size);
        if extent == Extent::Scalar(Type::Ptr) {
            self.all.graph.set_pointer(view);
        }
        view
    }

    fn eval(
        &mut self,
        index: usize,
        program: &'p Program,
        function: Option<FuncId>,
        e: &Expr,
    ) -> Option<Value> {
        eval::eval(&mut Walk { collector: self, index, program, function }, e, true)
    }

    /// Solves the graph, and adds what depends on the answer, until nothing does: calls of and by unknown code, and
    /// accesses through pointers that nobody made.
    fn close(&mut self, programs: &[&'p Program]) {
        let mut called: Vec<Vec<bool>> =
            self.all.functions.iter().map(|list| vec![false; list.len()]).collect();
        loop {
            self.all.graph.solve();
            let mut changed = false;
            for i in 0..self.indirect.len() {
                let call = &self.indirect[i];
                if call.unknown {
                    continue;
                }
                let class = call.callee.and_then(|callee| self.all.graph.resolve(callee));
                if class.is_none_or(|(class, _)| self.all.graph.class(class).foreign) {
                    self.indirect[i].unknown = true;
                    let (args, dst) = (self.indirect[i].args.clone(), self.indirect[i].dst);
                    let target = programs[self.indirect[i].program].target;
                    self.unknown_call(&args, dst, &target);
                    let place = (self.indirect[i].program, self.indirect[i].function);
                    self.all.unknown_calls.push(place);
                    changed = true;
                }
            }
            for (index, program) in programs.iter().enumerate() {
                for f in 0..called[index].len() {
                    let node = self.all.functions[index][f];
                    let slots = self.all.slots[index][f].clone();
                    if let (false, Some(slots)) = (called[index][f], slots)
                        && self.all.graph.class(node).open
                    {
                        called[index][f] = true;
                        self.called_from_outside(program, FuncId(f as u32), &slots);
                        changed = true;
                    }
                }
            }
            for i in 0..self.all.accesses.len() {
                let at = self.all.accesses[i].at;
                if let (None, super::points_to::Base::Place(place)) = (self.all.graph.resolve(at), at.base) {
                    self.all.graph.set_pointer(place);
                    self.all.graph.set_outside(place);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }
}

struct Walk<'c, 'p> {
    collector: &'c mut Collector<'p>,
    index: usize,
    program: &'p Program,
    function: Option<FuncId>,
}

impl Walk<'_, '_> {
    fn slots(&self) -> Option<&Slots> {
        self.collector.all.slots[self.index].get(self.function?.0 as usize)?.as_ref()
    }

    fn global_node(&self, id: GlobalId) -> Option<Node> {
        self.collector.all.globals[self.index].get(id.0 as usize).copied()
    }
}

impl Domain for Walk<'_, '_> {
    type Value = Value;

    fn target(&self) -> Target {
        self.program.target
    }

    fn local(&mut self, id: LocalId) -> Option<Value> {
        self.slots()?.locals.get(id.0 as usize).map(|node| Value::place(*node))
    }

    fn global(&mut self, id: GlobalId) -> Option<Value> {
        self.global_node(id).map(Value::place)
    }

    fn addr_local(&mut self, id: LocalId) -> Option<Value> {
        self.slots()?.locals.get(id.0 as usize).map(|node| Value::object(*node))
    }

    fn addr_global(&mut self, id: GlobalId) -> Option<Value> {
        self.global_node(id).map(Value::object)
    }

    fn addr_func(&mut self, id: FuncId) -> Option<Value> {
        self.collector.all.functions[self.index].get(id.0 as usize).map(|node| Value::object(*node))
    }

    fn var_args(&mut self) -> Option<Value> {
        self.slots().map(|slots| Value::object(slots.var_args))
    }

    fn absolute(&mut self, at: Residue) -> Value {
        Value::object(self.collector.all.absolute).moved(at)
    }

    fn load(&mut self, at: Value, ty: Type) -> Option<Value> {
        let function = self.function?;
        let place = (self.index, function);
        let view = self.collector.access(place, at, Extent::Scalar(ty), false, self.program);
        Some(Value::place(view))
    }

    fn shift(&mut self, value: Value, by: Residue) -> Value {
        value.moved(by)
    }

    fn join(&mut self, a: Value, b: Value, ty: Type) -> Value {
        let node = self.collector.all.graph.fresh();
        self.collector.typed(node, ty);
        self.collector.all.graph.flow(a, node);
        self.collector.all.graph.flow(b, node);
        Value::place(node)
    }

    fn to_pointer(&mut self, value: Value) -> Value {
        let node = self.collector.all.graph.fresh();
        self.collector.all.graph.set_pointer(node);
        self.collector.all.graph.flow(value, node);
        Value::place(node)
    }
}

fn block(len: &Expr) -> Extent {
    Extent::Block(len.as_const().and_then(|bits| u64::try_from(bits).ok()))
}

fn name(program: &Program, id: FuncId) -> &str {
    program.functions.get(id.0 as usize).map_or("", |f| &f.name)
}

fn register(program: &Program, function: FuncId, var: Var) -> Option<Type> {
    let storage = match var {
        Var::Local(id) => program.function(function).locals.get(id.0 as usize)?.storage,
        Var::Global(id) => program.globals.get(id.0 as usize)?.storage,
    };
    match storage {
        Storage::Register(ty) => Some(ty),
        Storage::Memory { .. } => None,
    }
}

/// Static locals have no name outside of their function.
fn is_static_local(program: &Program, global: &Global) -> bool {
    global.name.rsplit_once("::").is_some_and(|(function, _)| program.find_function(function).is_some())
}

/// Constants are the same if they hold the same: string literals have no names of their own.
fn global_name(global: &Global) -> Name<'_> {
    let items = global.init.iter().flat_map(|init| &init.items);
    let bytes = items.map(|item| match &item.value {
        InitValue::Bytes(bytes) => Some((item.offset, &bytes[..])),
        InitValue::Scalar(_) => None,
    });
    match (global.storage, bytes.collect::<Option<Vec<_>>>()) {
        (Storage::Memory { size, .. }, Some(bytes)) if global.constant => Name::Constant(size, bytes),
        (Storage::Memory { .. }, _) => Name::Global(&global.name, None),
        (Storage::Register(ty), _) => Name::Global(&global.name, Some(ty)),
    }
}

/// What the roots reach: by calls, or by taking an address.
fn reached(program: &Program, roots: &[FuncId]) -> Vec<bool> {
    let mut reached = vec![false; program.functions.len()];
    let mut work: Vec<FuncId> = roots.to_vec();
    let taken = |e: &Expr, work: &mut Vec<FuncId>| {
        e.walk(&mut |e| {
            if let ExprKind::AddrFunc(id) = e.kind {
                work.push(id);
            }
        });
    };
    for item in program.globals.iter().flat_map(|g| &g.init).flat_map(|init| &init.items) {
        if let InitValue::Scalar(e) = &item.value {
            taken(e, &mut work);
        }
    }
    while let Some(id) = work.pop() {
        let Some(slot) = reached.get_mut(id.0 as usize) else { continue };
        if std::mem::replace(slot, true) {
            continue;
        }
        for edge in program.function(id).cfa().map(|cfa| cfa.edges()).unwrap_or_default() {
            if let Op::Call { callee: Callee::Direct(callee), .. } = &edge.op {
                work.push(*callee);
            }
            for e in edge.op.exprs() {
                taken(e, &mut work);
            }
        }
    }
    reached
}
