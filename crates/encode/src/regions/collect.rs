//! From programs to the points-to graph: nodes for variables and objects, flows for operations, accesses.
//!
//! Only functions that the roots reach are looked at. What has the same name in both programs (functions,
//! globals, locals that users declared; allocation sites by their order) has the same node, so that both
//! programs are divided alike.

use super::ObjectKind;
use super::points_to::{Graph, Node, Value};
use super::residue::Residue;
use ir::names::split_qualified;
use ir::pointees::named;
use ir::{CallGraph, FuncId, Global, GlobalId, InitValue, LocalOrigin, Program, Storage, Target, Type};
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

pub fn collect(programs: &[&Program], roots: &[Vec<FuncId>]) -> Collected {
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
    let renamed = renamed_roots(programs, roots);
    let mut collector = Collector { all, named: FxHashMap::default(), renamed, indirect: Vec::new() };
    for (index, program) in programs.iter().enumerate() {
        let all: Vec<FuncId> = program.function_ids().collect();
        let roots = roots.get(index).filter(|list| !list.is_empty()).unwrap_or(&all);
        collector.program(index, program, roots);
    }
    collector.close(programs);
    collector.all
}

/// What shares a node under one name.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Name<'p> {
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

pub struct Indirect {
    pub program: usize,
    pub function: FuncId,
    pub callee: Option<Value>,
    pub args: Vec<Option<Value>>,
    pub dst: Option<(Node, Type)>,
    pub unknown: bool,
}

pub struct Collector<'p> {
    pub all: Collected,
    named: FxHashMap<Name<'p>, Node>,
    /// By program and function: the name that it goes by.
    renamed: Vec<FxHashMap<FuncId, &'p str>>,
    pub indirect: Vec<Indirect>,
}

impl<'p> Collector<'p> {
    fn program(&mut self, index: usize, program: &'p Program, roots: &[FuncId]) {
        let reached = named(program, roots, |f| {
            program.function(f).cfa().into_iter().flat_map(|cfa| cfa.edges()).collect()
        });
        let entry_only = roots.iter().all(|f| function_name(program, *f) == "main");
        let calls_out =
            reached.iter().zip(&program.functions).any(|(reached, f)| *reached && f.cfa().is_none());
        let visible = |global: &Global| {
            // What a root leaves in a static local, the next call finds there.
            !global.constant && (!entry_only || calls_out && !is_static_local(program, global))
        };
        let globals = program.globals.iter().map(|global| self.shared(global_name(global))).collect();
        self.all.globals.push(globals);
        let names: Vec<&'p str> = program.function_ids().map(|id| self.name(index, program, id)).collect();
        let functions = names.iter().map(|name| self.shared(Name::Function(name))).collect();
        self.all.functions.push(functions);
        let slots = program.functions.iter().zip(&names).zip(&reached);
        let slots = slots.map(|((f, name), reached)| reached.then(|| self.slots(f, name)));
        let slots = slots.collect();
        self.all.slots.push(slots);
        // What a constant leads to need not be constant.
        let read = |global: &Global| global.constant && global.is_visible() && (!entry_only || calls_out);
        self.globals(index, program, visible, read);
        for (i, function) in program.functions.iter().enumerate() {
            let id = FuncId(i as u32);
            self.object(self.all.functions[index][i], index, ObjectKind::Function(id));
            if let (true, Some(cfa)) = (reached[i], function.cfa()) {
                self.function(index, program, id, cfa);
            }
        }
        for root in roots {
            let Some(Some(slots)) = self.all.slots[index].get(root.0 as usize).cloned() else { continue };
            if function_name(program, *root) == "main" {
                self.main_parameters(index, program.function(*root), &slots);
            } else {
                self.called_from_outside(program, *root, &slots);
            }
        }
    }

    /// Versions of a function go by one name.
    pub fn name(&self, index: usize, program: &'p Program, id: FuncId) -> &'p str {
        let renamed = self.renamed.get(index).and_then(|renamed| renamed.get(&id));
        renamed.copied().unwrap_or_else(|| function_name(program, id))
    }

    pub fn shared(&mut self, name: Name<'p>) -> Node {
        let graph = &mut self.all.graph;
        *self.named.entry(name).or_insert_with(|| graph.fresh())
    }

    pub fn object(&mut self, node: Node, program: usize, kind: ObjectKind) {
        self.all.objects.push(Object { node, program, kind });
    }

    fn slots(&mut self, function: &'p ir::Function, name: &'p str) -> Slots {
        let mut locals = Vec::with_capacity(function.locals.len());
        for (i, local) in function.locals.iter().enumerate() {
            let node = match local.storage {
                Storage::Memory { .. } => self.shared(Name::Memory(name, &local.name)),
                Storage::Register(ty) => {
                    let node = if i < function.params as usize {
                        self.shared(Name::Param(name, i as u32, ty))
                    } else if local.origin == LocalOrigin::Temp {
                        self.all.graph.fresh()
                    } else {
                        self.shared(Name::Register(name, &local.name, ty, &local.c_type))
                    };
                    self.typed(node, ty);
                    node
                }
            };
            locals.push(node);
        }
        let result = match function.ret {
            Some(ty) => {
                let node = self.shared(Name::Result(name, ty));
                self.typed(node, ty);
                node
            }
            None => self.all.graph.fresh(),
        };
        Slots { locals, result, var_args: self.shared(Name::VarArgs(name)) }
    }

    pub fn typed(&mut self, node: Node, ty: Type) {
        if ty == Type::Ptr {
            self.all.graph.set_pointer(node);
        }
    }

    /// `visible` globals may be changed by unknown code, `read` ones are only known to it.
    fn globals(
        &mut self,
        index: usize,
        program: &'p Program,
        visible: impl Fn(&Global) -> bool,
        read: impl Fn(&Global) -> bool,
    ) {
        for (i, global) in program.globals.iter().enumerate() {
            let id = GlobalId(i as u32);
            let node = self.all.globals[index][i];
            let visible = visible(global) || global.init.is_none();
            match global.storage {
                Storage::Memory { .. } => {
                    self.object(node, index, ObjectKind::Global(id));
                    if visible {
                        self.all.graph.open(node, false);
                    }
                }
                Storage::Register(ty) => {
                    self.typed(node, ty);
                    if visible {
                        self.unknown_value(node, ty, &program.target);
                        self.all.graph.leak(Value::place(node));
                    }
                }
            }
            for item in global.init.iter().flat_map(|init| &init.items) {
                let InitValue::Scalar(e) = &item.value else { continue };
                let Some(value) = self.eval(index, program, None, e) else { continue };
                if read(global) {
                    self.all.graph.leak(value);
                }
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
    pub fn unknown_value(&mut self, node: Node, ty: Type, target: &Target) {
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

    pub fn unknown_call(&mut self, args: &[Option<Value>], dst: Option<(Node, Type)>, target: &Target) {
        for value in args.iter().flatten() {
            self.all.graph.leak(*value);
        }
        if let Some((dst, ty)) = dst {
            self.unknown_value(dst, ty, target);
        }
    }

    /// Solves the graph, and adds what depends on the answer, until nothing does: calls of and by unknown
    /// code, and accesses through pointers that nobody made.
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

/// Roots of the later programs under the names they have in the first.
fn renamed_roots<'p>(programs: &[&'p Program], roots: &[Vec<FuncId>]) -> Vec<FxHashMap<FuncId, &'p str>> {
    let mut list = Vec::new();
    for (index, program) in programs.iter().enumerate() {
        let mut renamed = FxHashMap::default();
        if let (Some(first), Some(own)) = (roots.first(), roots.get(index))
            && first.len() == own.len()
        {
            for (id, old) in own.iter().zip(first) {
                let name = function_name(programs[0], *old);
                // Another function of that name keeps it for itself.
                if program.find_function(name).is_none() {
                    renamed.insert(*id, name);
                }
            }
        }
        list.push(renamed);
    }
    list
}

fn function_name(program: &Program, id: FuncId) -> &str {
    program.functions.get(id.0 as usize).map_or("", |f| &f.name)
}

/// Static locals have no name outside of their function.
fn is_static_local(program: &Program, global: &Global) -> bool {
    split_qualified(&global.name).is_some_and(|(function, _)| program.find_function(function).is_some())
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
