//! The invariants of the IR, one named rule each.
//!
//! Everything above the IR may rely on them for a verified program: ids are in range, types agree, and
//! expressions nest at most [`MAX_DEPTH`] deep, so recursion over them is safe. [`RULES`] lists the rules.

mod expr;

use crate::cfa::{Callee, Cfa, EdgeId, HavocKind, NodeId, Op};
use crate::expr::Expr;
use crate::graph;
use crate::program::{
    Body, FuncId, Function, Global, Init, InitValue, LocalOrigin, Pos, Program, Storage, Var,
};
use crate::types::Type;
use rustc_hash::FxHashSet;
use std::fmt;
use std::sync::Arc;

/// How deep an expression may nest; a leaf is 1 deep.
pub const MAX_DEPTH: usize = 2000;

/// What each rule demands.
pub const RULES: &[(&str, &str)] = &[
    ("unique-name", "globals and functions have names of their own in the program, locals in their function"),
    ("position", "a position is in a file of the program, line and column from 1, or all 0"),
    ("int-width", "integers have 8, 16, 32, 64 or 128 bits"),
    ("bool-value", "bool is for conditions: never stored, assigned, loaded, passed or returned"),
    ("alignment", "a memory object's alignment is a power of two"),
    ("init-order", "an initialiser's items ascend and do not overlap"),
    ("init-range", "an initialiser's items lie within the object"),
    ("init-register", "a register's initialiser is at most one constant of its type at offset 0"),
    ("init-constant", "initial values are constants or addresses plus constants, possibly cast"),
    ("params", "parameters are registers and are the first locals, and only they have that origin"),
    ("entry", "node 0 is the entry, and the exit is another node of the function"),
    ("node-range", "edges join nodes of the function"),
    ("branching", "a node has one out edge, or two assumes of one condition, true first"),
    ("exit-edge", "returns and halts, and only they, lead to the exit"),
    ("exit-out", "nothing leaves the exit"),
    ("dead-end", "every reachable node but the exit has an out edge"),
    ("id-range", "variables and functions are those of the program"),
    ("register-use", "only registers are read and written directly"),
    ("memory-use", "only memory variables have an address"),
    ("constant-global", "constant globals are not assigned"),
    ("variable-type", "a variable has the type of its declaration"),
    ("constant-range", "a constant fits its type"),
    ("operator-type", "operators have operands and results of their types"),
    ("cast-type", "casts are between scalar types that convert, never to bool"),
    ("varargs", "extra arguments exist only in variadic functions"),
    ("havocs", "only functions without a body may change what they can reach"),
    ("depth", "expressions nest at most 2000 deep"),
    ("op-type", "an operation's operands have the types it works on"),
    ("call-args", "a direct call passes the callee's parameters, more only if it is variadic"),
    ("call-result", "a direct call's result is kept in a register of its type, and only if there is one"),
    ("return-type", "a function returns a value of its type, or none if it has none"),
    ("message", "messages, reasons and names of inputs are not empty"),
];

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    pub function: Option<Arc<str>>,
    pub edge: Option<EdgeId>,
    pub pos: Pos,
    /// One of [`RULES`].
    pub rule: &'static str,
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "[{}] ", self.rule)?;
        if let Some(function) = &self.function {
            write!(f, "function {function}")?;
            if let Some(EdgeId(edge)) = self.edge {
                write!(f, ", edge {edge}")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.message)
    }
}

pub fn verify(program: &Program) -> Result<(), Vec<Violation>> {
    let mut verifier =
        Verifier { program, function: None, edge: None, pos: Pos::default(), violations: Vec::new() };
    verifier.program();
    if verifier.violations.is_empty() { Ok(()) } else { Err(verifier.violations) }
}

struct Verifier<'a> {
    program: &'a Program,
    function: Option<&'a Function>,
    edge: Option<EdgeId>,
    pos: Pos,
    violations: Vec<Violation>,
}

impl<'a> Verifier<'a> {
    fn report(&mut self, rule: &'static str, message: impl Into<String>) {
        self.violations.push(Violation {
            function: self.function.map(|f| f.name.clone()),
            edge: self.edge,
            pos: self.pos,
            rule,
            message: message.into(),
        });
    }

    fn require(&mut self, holds: bool, rule: &'static str, message: impl FnOnce() -> String) {
        if !holds {
            self.report(rule, message());
        }
    }

    fn program(&mut self) {
        let mut names = FxHashSet::default();
        for global in self.program.globals.iter() {
            self.pos = global.pos;
            self.require(names.insert(&*global.name), "unique-name", || {
                format!("a second {:?}", global.name)
            });
            self.global(global);
        }
        for function in &self.program.functions {
            self.pos = function.pos;
            self.require(names.insert(&*function.name), "unique-name", || {
                format!("a second {:?}", function.name)
            });
            self.function = Some(function);
            self.check_function(function);
            self.function = None;
        }
    }

    fn position(&mut self, pos: Pos) {
        let known = (pos.file as usize) < self.program.files.len() && pos.line > 0 && pos.column > 0;
        self.require(known || pos == Pos::default(), "position", || format!("{pos:?}"));
    }

    fn storage(&mut self, name: &str, storage: Storage) {
        match storage {
            Storage::Register(ty) => self.value_type(ty, || format!("register {name:?}")),
            Storage::Memory { align, .. } => {
                self.require(align.is_power_of_two(), "alignment", || {
                    format!("{name:?} is aligned to {align}")
                });
            }
        }
    }

    /// Values of this type may be kept and passed on.
    fn value_type(&mut self, ty: Type, what: impl FnOnce() -> String) {
        match ty {
            Type::Bool => self.report("bool-value", what()),
            Type::Int(int) => self.require(int_width(int.bits), "int-width", || format!("{}: {int}", what())),
            Type::Float(_) | Type::Ptr => {}
        }
    }

    fn global(&mut self, global: &'a Global) {
        self.position(global.pos);
        self.storage(&global.name, global.storage);
        let Some(init) = &global.init else { return };
        match global.storage {
            Storage::Register(ty) => self.register_init(&global.name, ty, init),
            Storage::Memory { size, .. } => self.memory_init(&global.name, size, init),
        }
        for item in &init.items {
            if let InitValue::Scalar(e) = &item.value {
                self.expr(e);
                self.require(expr::is_initial_value(e), "init-constant", || {
                    format!("{:?} at offset {}", global.name, item.offset)
                });
            }
        }
    }

    fn register_init(&mut self, name: &str, ty: Type, init: &Init) {
        let fits = match init.items.as_slice() {
            [] => true,
            [item] => item.offset == 0 && matches!(&item.value, InitValue::Scalar(e) if e.ty == ty),
            _ => false,
        };
        self.require(fits, "init-register", || format!("{name:?} of type {ty}"));
    }

    fn memory_init(&mut self, name: &str, size: u64, init: &Init) {
        let mut end = 0;
        for item in &init.items {
            let length = match &item.value {
                InitValue::Bytes(bytes) => bytes.len() as u64,
                InitValue::Scalar(e) => {
                    self.value_type(e.ty, || format!("initial value of {name:?}"));
                    e.ty.access_size(&self.program.target)
                }
            };
            self.require(item.offset >= end, "init-order", || format!("{name:?} at offset {}", item.offset));
            end = item.offset.saturating_add(length);
            self.require(end <= size, "init-range", || {
                format!("{name:?} has {size} bytes, an item ends at {end}")
            });
        }
    }

    fn check_function(&mut self, function: &'a Function) {
        self.position(function.pos);
        if let Some(ret) = function.ret {
            self.value_type(ret, || "the result".to_string());
        }
        let params = function.params as usize;
        self.require(params <= function.locals.len(), "params", || {
            format!("{params} parameters among {} locals", function.locals.len())
        });
        let mut names = FxHashSet::default();
        for (i, local) in function.locals.iter().enumerate() {
            self.pos = local.pos;
            self.position(local.pos);
            self.require(names.insert(&*local.name), "unique-name", || format!("a second {:?}", local.name));
            self.storage(&local.name, local.storage);
            let register = matches!(local.storage, Storage::Register(_));
            self.require(
                (i < params) == (local.origin == LocalOrigin::Param) && (register || i >= params),
                "params",
                || format!("{:?} is {:?}, {:?}", local.name, local.origin, local.storage),
            );
        }
        self.pos = function.pos;
        self.require(!function.havocs || matches!(function.body, Body::Extern), "havocs", || {
            "a function with a body says what it changes".to_string()
        });
        match &function.body {
            Body::Defined(cfa) => self.cfa(function, cfa),
            Body::Extern => {}
            Body::Poisoned { reason, pos } => {
                self.position(*pos);
                self.require(!reason.is_empty(), "message", || "poisoned without a reason".to_string());
            }
        }
    }

    fn cfa(&mut self, function: &'a Function, cfa: &'a Cfa) {
        let count = cfa.node_count();
        let (NodeId(entry), NodeId(exit)) = (cfa.entry, cfa.exit);
        self.require(entry == 0 && exit < count && exit != 0, "entry", || {
            format!("entry {entry} and exit {exit} of {count} nodes")
        });
        let mut in_range = exit < count && entry < count;
        for (i, edge) in cfa.edges().iter().enumerate() {
            self.edge = Some(EdgeId(i as u32));
            self.pos = edge.pos;
            self.position(edge.pos);
            let ends = edge.from.0 < count && edge.to.0 < count;
            in_range &= ends;
            self.require(ends, "node-range", || format!("{} -> {} of {count} nodes", edge.from.0, edge.to.0));
            let leaves = matches!(edge.op, Op::Return(_) | Op::Halt(_));
            self.require(leaves == (edge.to == cfa.exit), "exit-edge", || {
                format!("{} -> {}", edge.from.0, edge.to.0)
            });
            self.require(edge.from != cfa.exit, "exit-out", || format!("an edge to {}", edge.to.0));
            self.op(function, &edge.op);
        }
        self.edge = None;
        self.pos = function.pos;
        // Conditions are compared below, which recurses.
        let shallow = !self.violations.iter().any(|v| v.rule == "depth");
        if in_range && shallow {
            self.shape(cfa);
        }
    }

    fn shape(&mut self, cfa: &Cfa) {
        let successors = |node| cfa.out(node).iter().map(|edge| edge.to);
        let reached = graph::reachable(cfa.node_count() as usize, [cfa.entry], successors);
        for node in cfa.nodes() {
            let branching = match cfa.out(node) {
                [] => {
                    self.require(!reached[node.0 as usize] || node == cfa.exit, "dead-end", || {
                        format!("node {} has no out edge", node.0)
                    });
                    continue;
                }
                [_] => true,
                [a, b] => match (&a.op, &b.op) {
                    (Op::Assume { cond: a, holds: true }, Op::Assume { cond: b, holds: false }) => a == b,
                    _ => false,
                },
                _ => false,
            };
            self.require(branching || node == cfa.exit, "branching", || format!("node {}", node.0));
        }
    }

    fn op(&mut self, function: &Function, op: &'a Op) {
        let size_type = self.program.target.intptr(false);
        for e in op.exprs() {
            self.expr(e);
        }
        let written = op.written().and_then(|var| self.written(var));
        match op {
            Op::Skip => {}
            Op::Assume { cond, .. } => self.operand("condition", cond, Type::Bool),
            Op::Check { cond, message, .. } => {
                self.operand("condition", cond, Type::Bool);
                self.require(message.as_deref() != Some(""), "message", || "a check's message".to_string());
            }
            Op::Assign { value, .. } => {
                self.value_type(value.ty, || "assigned value".to_string());
                if let Some(ty) = written {
                    self.operand("assigned value", value, ty);
                }
            }
            Op::Store { addr, value } => {
                self.operand("address", addr, Type::Ptr);
                self.value_type(value.ty, || "stored value".to_string());
            }
            Op::Havoc { kind, .. } => {
                let named = !matches!(kind, HavocKind::Input(name) if name.is_empty());
                self.require(named, "message", || "an input's name".to_string());
            }
            Op::Copy { dst, src, len } => {
                self.operand("destination", dst, Type::Ptr);
                self.operand("source", src, Type::Ptr);
                self.operand("length", len, size_type);
            }
            Op::Fill { dst, byte, len } => {
                self.operand("destination", dst, Type::Ptr);
                self.operand("byte", byte, Type::U8);
                self.operand("length", len, size_type);
            }
            Op::Alloc { size, .. } => {
                self.operand("size", size, size_type);
                let pointer = written.is_none_or(|ty| ty == Type::Ptr);
                self.require(pointer, "op-type", || "an allocation gives a pointer".to_string());
            }
            Op::Free { ptr } | Op::Lifetime { ptr, .. } => self.operand("pointer", ptr, Type::Ptr),
            Op::Call { dst, callee, args } => {
                for arg in args {
                    self.value_type(arg.ty, || "argument".to_string());
                }
                match callee {
                    Callee::Direct(id) => self.direct_call(*id, args, dst.and(written)),
                    Callee::Indirect(target) => self.operand("callee", target, Type::Ptr),
                }
            }
            Op::Return(value) => {
                let found = value.as_ref().map(|e| e.ty);
                let name = |ty: Option<Type>| ty.map_or("nothing".to_string(), |ty| ty.to_string());
                self.require(found == function.ret, "return-type", || {
                    format!("{} where the function returns {}", name(found), name(function.ret))
                });
            }
            Op::Halt(Some(code)) => self.operand("exit code", code, Type::I32),
            Op::Halt(None) => {}
        }
    }

    fn operand(&mut self, what: &str, e: &Expr, ty: Type) {
        self.require(e.ty == ty, "op-type", || format!("the {what} is {}, not {ty}", e.ty));
    }

    /// The type of a variable that is written, if it may be.
    fn written(&mut self, var: Var) -> Option<Type> {
        let storage = match var {
            Var::Local(id) => {
                self.function.and_then(|f| f.locals.get(id.0 as usize)).map(|local| local.storage)
            }
            Var::Global(id) => self.program.globals.get(id.0 as usize).map(|global| {
                self.require(!global.constant, "constant-global", || format!("{:?}", global.name));
                global.storage
            }),
        };
        match storage {
            Some(Storage::Register(ty)) => Some(ty),
            Some(Storage::Memory { .. }) => {
                self.report("register-use", format!("{var:?} is in memory"));
                None
            }
            None => {
                self.report("id-range", format!("{var:?}"));
                None
            }
        }
    }

    fn direct_call(&mut self, id: FuncId, args: &[Expr], dst: Option<Type>) {
        let Some(callee) = self.program.functions.get(id.0 as usize) else {
            return self.report("id-range", format!("{id:?}"));
        };
        // The signature may be what the front end could not handle, and the call decides nothing anyway.
        if matches!(callee.body, Body::Poisoned { .. }) {
            return;
        }
        let Some(params) = callee.locals.get(..callee.params as usize) else { return };
        let count = args.len() == params.len() || (callee.variadic && args.len() > params.len());
        self.require(count, "call-args", || {
            format!("{} arguments for the {} parameters of {:?}", args.len(), params.len(), callee.name)
        });
        for (arg, param) in args.iter().zip(params) {
            if let Storage::Register(ty) = param.storage {
                self.require(arg.ty == ty, "call-args", || {
                    format!("{} for parameter {:?} of type {ty} of {:?}", arg.ty, param.name, callee.name)
                });
            }
        }
        self.require(dst.is_none() || dst == callee.ret, "call-result", || {
            format!("{:?} returns {:?}, kept as {dst:?}", callee.name, callee.ret)
        });
    }
}

fn int_width(bits: u8) -> bool {
    matches!(bits, 8 | 16 | 32 | 64 | 128)
}
