//! What operations do to the points-to graph.

use super::ObjectKind;
use super::collect::{Access, Collector, Extent, Indirect, Name, Slots};
use super::eval::{self, Domain};
use super::points_to::{Node, Value};
use super::residue::Residue;
use ir::{
    Callee, Cfa, EdgeId, Expr, FuncId, GlobalId, HavocKind, LocalId, Op, Program, Storage, Target, Type, Var,
};

impl<'p> Collector<'p> {
    pub fn function(&mut self, index: usize, program: &'p Program, id: FuncId, cfa: &'p Cfa) {
        let Some(slots) = self.all.slots[index][id.0 as usize].clone() else { return };
        let (function, name) = (program.function(id), self.name(index, program, id));
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
            let address = |collector: &mut Self, e: &Expr| {
                let function = Some(id);
                eval::address(&mut Walk { collector, index, program, function }, e)
            };
            match &edge.op {
                Op::Assign { var, value } => {
                    let value = eval(self, value);
                    if let (Some(value), Some(to)) = (value, place(self, *var)) {
                        self.all.graph.flow(value, to);
                    }
                }
                Op::Store { addr, value } => {
                    let (at, stored) = (address(self, addr), eval(self, value));
                    let view = self.access((index, id), at, Extent::Scalar(value.ty), true, program);
                    if let Some(stored) = stored {
                        self.all.graph.flow(stored, view);
                    }
                }
                Op::Copy { dst, src, len } => {
                    let (dst, src) = (address(self, dst), address(self, src));
                    eval(self, len);
                    let extent = block(len);
                    let from = self.access((index, id), src, extent, false, program);
                    let to = self.access((index, id), dst, extent, true, program);
                    self.all.graph.flow(Value::place(from), to);
                }
                Op::Fill { dst, byte, len } => {
                    let dst = address(self, dst);
                    eval(self, byte);
                    eval(self, len);
                    self.access((index, id), dst, block(len), true, program);
                }
                Op::Alloc { var, size, .. } => {
                    eval(self, size);
                    let node = self.shared(Name::Site(name, sites));
                    sites += 1;
                    self.object(node, index, ObjectKind::Site(id, edge_id));
                    if let Some(to) = place(self, *var) {
                        self.all.graph.flow(Value::object(node), to);
                    }
                }
                Op::Havoc { var, kind: HavocKind::Input(_) | HavocKind::Asm } => {
                    if let (Some(to), Some(ty)) =
                        (place(self, *var), program.register(program.function(id), *var))
                    {
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
                        let dst = to.zip(dst.and_then(|var| program.register(program.function(id), var)));
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

    pub fn access(
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

    pub fn eval(
        &mut self,
        index: usize,
        program: &'p Program,
        function: Option<FuncId>,
        e: &Expr,
    ) -> Option<Value> {
        eval::eval(&mut Walk { collector: self, index, program, function }, e, true)
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
