//! Random valid programs, for property tests here and in other crates (feature `testing`).
//!
//! A program is built from a list of choices; where the list ends, every choice is 0 and picks the simplest
//! form. So shortening the list and lowering its numbers, which proptest does by itself, shrinks the program,
//! and any list gives a program that [`crate::verify`] accepts.

use crate::cfa::{AllocKind, Callee, Cfa, CheckKind, Edge, HavocKind, NodeId, Op};
use crate::expr::{BinOp, Expr, ExprKind, HeapRule, UnOp};
use crate::program::{
    Body, FuncId, Function, Global, GlobalId, Init, InitItem, InitValue, Local, LocalId, LocalOrigin, Pos,
    Program, Storage, Var,
};
use crate::types::{Target, Type};
use proptest::prelude::*;
use std::sync::Arc;

/// Valid programs that use every form of the IR.
pub fn program() -> impl Strategy<Value = Program> {
    prop::collection::vec(any::<u32>(), 0..400).prop_map(|choices| program_from(&choices))
}

/// The program that these choices stand for.
pub fn program_from(choices: &[u32]) -> Program {
    Builder { choices, next: 0, program: empty_program() }.build()
}

pub fn empty_program() -> Program {
    Program { target: Target::LP64, files: Vec::new(), globals: Arc::default(), functions: Vec::new() }
}

/// Bool, which is never stored, is not among them.
const TYPES: [Type; 15] = [
    Type::I32,
    Type::Ptr,
    Type::U8,
    Type::U32,
    Type::I64,
    Type::U64,
    Type::F64,
    Type::I8,
    Type::I16,
    Type::U16,
    Type::I128,
    Type::U128,
    Type::F32,
    Type::F80,
    Type::F128,
];

const NAMES: [&str; 16] = [
    "x",
    "s.f",
    "x#2",
    "main::n",
    ".str.0",
    "i32",
    "f80#0",
    "null",
    "return",
    "free",
    "a b",
    "\"",
    "é\u{202e}\\",
    "",
    "::",
    "local",
];

struct Builder<'a> {
    choices: &'a [u32],
    next: usize,
    program: Program,
}

impl Builder<'_> {
    fn choice(&mut self) -> u32 {
        let found = self.choices.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        found
    }

    fn below(&mut self, limit: usize) -> usize {
        self.choice() as usize % limit
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 1
    }

    fn ty(&mut self) -> Type {
        TYPES[self.below(TYPES.len())]
    }

    /// A name that is not among those `used`.
    fn name(&mut self, used: &mut Vec<Arc<str>>) -> Arc<str> {
        let mut name: Arc<str> = NAMES[self.below(NAMES.len())].into();
        if used.contains(&name) {
            name = format!("{name}{}", used.len()).into();
        }
        used.push(name.clone());
        name
    }

    fn text(&mut self) -> Arc<str> {
        ["int", "", "char *[3]", "a\n\t\"\\\0é", "\u{7f}\u{85}\u{2028}"][self.below(5)].into()
    }

    fn message(&mut self) -> Arc<str> {
        ["x > 0", "\"quoted\"", "\\"][self.below(3)].into()
    }

    fn pos(&mut self) -> Pos {
        if self.coin() {
            let file = self.below(self.program.files.len()) as u32;
            Pos { file, line: self.choice().max(1), column: self.choice().max(1) }
        } else {
            Pos::default()
        }
    }

    fn storage(&mut self) -> Storage {
        match self.below(3) {
            0 | 1 => Storage::Register(self.ty()),
            _ => Storage::Memory { size: self.below(64) as u64, align: 1 << self.below(5) },
        }
    }

    fn build(mut self) -> Program {
        self.program.target = if self.coin() { Target::ILP32 } else { Target::LP64 };
        for i in 0..1 + self.below(3) {
            self.program.files.push(if i == 0 { "a.c".into() } else { format!("dir \"{i}\"/b.h").into() });
        }
        let mut used = Vec::new();
        for _ in 0..self.below(5) {
            let (name, storage) = (self.name(&mut used), self.storage());
            let (constant, c_type, pos) = (self.below(4) == 3, self.text(), self.pos());
            let external = self.coin();
            self.program.globals_mut().push(Global {
                name,
                storage,
                init: None,
                constant,
                external,
                c_type,
                pos,
            });
        }
        for i in 0..1 + self.below(4) {
            let name = if i == 0 { "main".into() } else { self.name(&mut used) };
            let function = self.header(name);
            self.program.add_function(function);
        }
        for i in 0..self.program.globals.len() {
            let init = self.init(self.program.globals[i].storage);
            self.program.globals_mut()[i].init = init;
        }
        for i in 0..self.program.functions.len() {
            let body = match self.below(6) {
                4 => Body::Extern,
                5 => Body::Poisoned { reason: self.message(), pos: self.pos() },
                _ => Body::Defined(self.cfa(i)),
            };
            let havocs = body == Body::Extern && self.coin();
            let function = self.program.function_mut(FuncId(i as u32));
            (function.havocs, function.body) = (havocs, body);
        }
        self.program
    }

    fn header(&mut self, name: Arc<str>) -> Function {
        let params = self.below(4);
        let count = params + self.below(6);
        let mut locals = Vec::new();
        let mut used = Vec::new();
        for i in 0..count {
            let storage = if i < params { Storage::Register(self.ty()) } else { self.storage() };
            let origin = match (i < params, self.coin()) {
                (true, _) => LocalOrigin::Param,
                (false, true) => LocalOrigin::Temp,
                (false, false) => LocalOrigin::User,
            };
            let (name, c_type, pos) = (self.name(&mut used), self.text(), self.pos());
            locals.push(Local { name, storage, origin, c_type, pos });
        }
        Function {
            name,
            ret: if self.coin() { Some(self.ty()) } else { None },
            params: params as u32,
            variadic: self.below(4) == 3,
            locals,
            body: Body::Extern,
            havocs: false,
            c_type: self.text(),
            pos: self.pos(),
        }
    }

    fn init(&mut self, storage: Storage) -> Option<Init> {
        let mut items = Vec::new();
        match (self.below(4), storage) {
            (0, _) => return None,
            (1, _) => {}
            (_, Storage::Register(ty)) => {
                items.push(InitItem { offset: 0, value: InitValue::Scalar(self.initial_value(ty)) });
            }
            (_, Storage::Memory { size, .. }) => {
                let mut offset = self.below(8) as u64;
                loop {
                    let value = if self.coin() {
                        InitValue::Bytes((0..self.below(6)).map(|_| self.choice() as u8).collect())
                    } else {
                        let ty = self.ty();
                        InitValue::Scalar(self.initial_value(ty))
                    };
                    let length = match &value {
                        InitValue::Bytes(bytes) => bytes.len() as u64,
                        InitValue::Scalar(e) => e.ty.access_size(&self.program.target),
                    };
                    if length == 0 || offset + length > size {
                        break;
                    }
                    items.push(InitItem { offset, value });
                    offset += length + self.below(4) as u64;
                }
            }
        }
        Some(Init { items })
    }

    fn initial_value(&mut self, ty: Type) -> Expr {
        if ty != Type::Ptr {
            if self.below(4) == 3 && ty.is_int() {
                let pointer = self.initial_value(Type::Ptr);
                return Expr::cast(ty, pointer);
            }
            return self.constant(ty);
        }
        let base = match self.below(3) {
            0 => self.constant(Type::Ptr),
            1 => Expr { ty, kind: ExprKind::AddrFunc(self.any_function()) },
            _ => match self.memory_global() {
                Some(id) => Expr { ty, kind: ExprKind::AddrGlobal(id) },
                None => Expr::null(),
            },
        };
        if self.coin() {
            let offset = self.constant(self.program.target.intptr(true));
            return Expr::binary(BinOp::PtrAdd, base, offset);
        }
        base
    }

    fn any_function(&mut self) -> FuncId {
        FuncId(self.below(self.program.functions.len()) as u32)
    }

    fn memory_global(&mut self) -> Option<GlobalId> {
        let memory = |g: &Global| matches!(g.storage, Storage::Memory { .. });
        let ids: Vec<usize> =
            (0..self.program.globals.len()).filter(|&i| memory(&self.program.globals[i])).collect();
        if ids.is_empty() { None } else { Some(GlobalId(ids[self.below(ids.len())] as u32)) }
    }

    fn constant(&mut self, ty: Type) -> Expr {
        let small = self.below(4) < 3;
        let low = self.choice();
        let bits = if small {
            u128::from(low % 4)
        } else {
            [self.choice(), self.choice(), self.choice()]
                .iter()
                .fold(u128::from(low), |n, &c| n << 32 | u128::from(c))
        };
        let width = match ty {
            Type::Bool => 1,
            Type::Int(int) => u32::from(int.bits),
            Type::Float(float) => float.value_bytes() as u32 * 8,
            Type::Ptr => u32::from(self.program.target.pointer_bits),
        };
        Expr { ty, kind: ExprKind::Const(bits & (u128::MAX >> (128 - width))) }
    }

    /// The nodes 1 to n - 2 come in a row; the last is the exit. Edges mostly lead on, sometimes anywhere.
    fn cfa(&mut self, function: usize) -> Cfa {
        let count = 2 + self.below(12) as u32;
        let exit = NodeId(count - 1);
        let mut edges = Vec::new();
        for from in (0..count - 1).map(NodeId) {
            let pos = self.pos();
            let anywhere = |b: &mut Self| NodeId(b.below(count as usize - 1) as u32);
            let next = NodeId(from.0 + 1);
            if next == exit || self.below(10) == 9 {
                let op = self.leaving(function);
                edges.push(Edge { from, to: exit, op, pos });
            } else if self.below(4) == 3 {
                let cond = self.expr(function, Type::Bool, 3);
                let other = anywhere(self);
                let (yes, no) = if self.coin() { (next, other) } else { (other, next) };
                edges.push(Edge { from, to: yes, op: Op::Assume { cond: cond.clone(), holds: true }, pos });
                edges.push(Edge { from, to: no, op: Op::Assume { cond, holds: false }, pos });
            } else {
                let to = if self.below(8) == 7 { anywhere(self) } else { next };
                let op = self.op(function);
                edges.push(Edge { from, to, op, pos });
            }
        }
        Cfa::new(count, NodeId(0), exit, edges)
    }

    fn leaving(&mut self, function: usize) -> Op {
        match self.below(6) {
            4 => Op::Halt(None),
            5 => Op::Halt(Some(self.expr(function, Type::I32, 2))),
            _ => Op::Return(self.program.functions[function].ret.map(|ty| self.expr(function, ty, 3))),
        }
    }

    /// A register that may be written, of a type that `fits`.
    fn register(&mut self, function: usize, fits: impl Fn(Type) -> bool) -> Option<(Var, Type)> {
        let register = |storage: Storage| match storage {
            Storage::Register(ty) if fits(ty) => Some(ty),
            _ => None,
        };
        let locals = self.program.functions[function].locals.iter().enumerate();
        let globals = self.program.globals.iter().enumerate().filter(|(_, g)| !g.constant);
        let mut list: Vec<(Var, Type)> = Vec::new();
        list.extend(locals.filter_map(|(i, l)| Some((Var::Local(LocalId(i as u32)), register(l.storage)?))));
        list.extend(
            globals.filter_map(|(i, g)| Some((Var::Global(GlobalId(i as u32)), register(g.storage)?))),
        );
        if list.is_empty() { None } else { Some(list[self.below(list.len())]) }
    }

    fn op(&mut self, function: usize) -> Op {
        let size = self.program.target.intptr(false);
        match self.below(11) {
            1 => match self.register(function, |_| true) {
                Some((var, ty)) => Op::Assign { var, value: self.expr(function, ty, 4) },
                None => Op::Skip,
            },
            2 => {
                let ty = self.ty();
                Op::Store { addr: self.expr(function, Type::Ptr, 3), value: self.expr(function, ty, 3) }
            }
            3 => match self.register(function, |_| true) {
                Some((var, _)) => {
                    let input = HavocKind::Input("__VERIFIER_nondet_int".into());
                    let kinds = [HavocKind::Uninit, HavocKind::Asm, input];
                    Op::Havoc { var, kind: kinds[self.below(3)].clone() }
                }
                None => Op::Skip,
            },
            4 => Op::Copy {
                dst: self.expr(function, Type::Ptr, 2),
                src: self.expr(function, Type::Ptr, 2),
                len: self.expr(function, size, 2),
            },
            5 => Op::Fill {
                dst: self.expr(function, Type::Ptr, 2),
                byte: self.expr(function, Type::U8, 2),
                len: self.expr(function, size, 2),
            },
            6 => match self.register(function, |ty| ty == Type::Ptr) {
                Some((var, _)) => {
                    let kind = if self.coin() { AllocKind::Stack } else { AllocKind::Heap };
                    Op::Alloc { var, size: self.expr(function, size, 2), kind }
                }
                None => Op::Skip,
            },
            7 => Op::Free { ptr: self.expr(function, Type::Ptr, 2) },
            8 => self.call(function),
            9 => Op::Check {
                kind: CheckKind::ALL[self.below(CheckKind::ALL.len())],
                cond: self.expr(function, Type::Bool, 4),
                message: if self.coin() { Some(self.message()) } else { None },
            },
            10 => Op::Assume { cond: self.expr(function, Type::Bool, 3), holds: self.coin() },
            _ => Op::Skip,
        }
    }

    fn call(&mut self, function: usize) -> Op {
        if self.coin() {
            let target = self.expr(function, Type::Ptr, 2);
            let types: Vec<Type> = (0..self.below(4)).map(|_| self.ty()).collect();
            let dst = if self.coin() { self.register(function, |_| true).map(|(var, _)| var) } else { None };
            let args = types.into_iter().map(|ty| self.expr(function, ty, 2)).collect();
            return Op::Call { dst, callee: Callee::Indirect(target), args };
        }
        let id = self.any_function();
        let callee = &self.program.functions[id.0 as usize];
        let (ret, variadic) = (callee.ret, callee.variadic);
        let mut types: Vec<Type> = callee.param_types().collect();
        if variadic {
            types.extend((0..self.below(3)).map(|_| self.ty()));
        }
        let dst = match ret {
            Some(ret) if self.coin() => self.register(function, |ty| ty == ret).map(|(var, _)| var),
            _ => None,
        };
        let args = types.into_iter().map(|ty| self.expr(function, ty, 3)).collect();
        Op::Call { dst, callee: Callee::Direct(id), args }
    }

    fn expr(&mut self, function: usize, ty: Type, depth: usize) -> Expr {
        if depth == 0 || self.below(4) == 0 {
            return self.leaf(function, ty);
        }
        if self.below(8) == 7 {
            let c = self.expr(function, Type::Bool, depth - 1);
            let a = self.expr(function, ty, depth - 1);
            return Expr::ite(c, a, self.expr(function, ty, depth - 1));
        }
        if ty != Type::Bool && self.below(5) == 4 {
            return Expr::load(ty, self.expr(function, Type::Ptr, depth - 1));
        }
        match ty {
            Type::Bool => self.condition(function, depth - 1),
            Type::Int(_) => self.integer(function, ty, depth - 1),
            Type::Float(_) => self.float(function, ty, depth - 1),
            Type::Ptr if self.coin() => {
                let offset = self.expr(function, self.program.target.intptr(true), depth - 1);
                Expr::binary(BinOp::PtrAdd, self.expr(function, Type::Ptr, depth - 1), offset)
            }
            Type::Ptr => Expr::cast(ty, self.expr(function, Type::U64, depth - 1)),
        }
    }

    fn leaf(&mut self, function: usize, ty: Type) -> Expr {
        if ty == Type::Ptr {
            let memory: Vec<usize> = (0..self.program.functions[function].locals.len())
                .filter(|&i| {
                    matches!(self.program.functions[function].locals[i].storage, Storage::Memory { .. })
                })
                .collect();
            let kind = match self.below(6) {
                1 if !memory.is_empty() => {
                    Some(ExprKind::AddrLocal(LocalId(memory[self.below(memory.len())] as u32)))
                }
                2 => self.memory_global().map(ExprKind::AddrGlobal),
                3 => Some(ExprKind::AddrFunc(self.any_function())),
                4 if self.program.functions[function].variadic => Some(ExprKind::VarArgs),
                _ => None,
            };
            if let Some(kind) = kind {
                return Expr { ty, kind };
            }
        }
        if self.coin()
            && let Some((var, ty)) = self.register(function, |t| t == ty)
        {
            return Expr::var(var, ty);
        }
        self.constant(ty)
    }

    fn pair(&mut self, function: usize, op: BinOp, ty: Type, depth: usize) -> Expr {
        let a = self.expr(function, ty, depth);
        let b = self.expr(function, ty, depth);
        match op {
            BinOp::PtrSub => Expr::ptr_sub(self.program.target.intptr(true), a, b),
            _ => Expr::binary(op, a, b),
        }
    }

    fn condition(&mut self, function: usize, depth: usize) -> Expr {
        let size = self.program.target.intptr(false);
        match self.below(8) {
            0 | 1 => {
                let op = [BinOp::Lt, BinOp::Eq, BinOp::Ne, BinOp::Le][self.below(4)];
                let ty = self.ty();
                self.pair(function, op, ty, depth)
            }
            2 => {
                let op = [BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Eq, BinOp::Ne][self.below(5)];
                self.pair(function, op, Type::Bool, depth)
            }
            3 => Expr::unary(UnOp::Not, self.expr(function, Type::Bool, depth)),
            4 => {
                let op = [BinOp::AddOverflows, BinOp::SubOverflows, BinOp::MulOverflows][self.below(3)];
                let ty = [Type::I32, Type::U64, Type::I128][self.below(3)];
                self.pair(function, op, ty, depth)
            }
            5 => Expr {
                ty: Type::Bool,
                kind: ExprKind::Valid {
                    ptr: Box::new(self.expr(function, Type::Ptr, depth)),
                    size: Box::new(self.expr(function, size, depth)),
                    write: self.coin(),
                },
            },
            6 => {
                let rule = HeapRule::ALL[self.below(4)];
                let also = self.coin().then(|| Box::new(self.expr(function, Type::Ptr, depth)));
                Expr { ty: Type::Bool, kind: ExprKind::HeapKept { rule, also } }
            }
            _ => Expr {
                ty: Type::Bool,
                kind: ExprKind::Freeable(Box::new(self.expr(function, Type::Ptr, depth))),
            },
        }
    }

    fn integer(&mut self, function: usize, ty: Type, depth: usize) -> Expr {
        match self.below(5) {
            0 | 1 => {
                // From `Add` to `Shr`.
                let op = BinOp::ALL[self.below(10)];
                self.pair(function, op, ty, depth)
            }
            2 => {
                let op = if self.coin() { UnOp::Neg } else { UnOp::Not };
                Expr::unary(op, self.expr(function, ty, depth))
            }
            3 if ty == self.program.target.intptr(false) => {
                Expr { ty, kind: ExprKind::ObjectSize(Box::new(self.expr(function, Type::Ptr, depth))) }
            }
            3 if ty == self.program.target.intptr(true) => {
                self.pair(function, BinOp::PtrSub, Type::Ptr, depth)
            }
            _ => {
                let from = if self.below(4) == 3 { Type::Bool } else { self.ty() };
                Expr::cast(ty, self.expr(function, from, depth))
            }
        }
    }

    fn float(&mut self, function: usize, ty: Type, depth: usize) -> Expr {
        const BINARY: [BinOp; 5] = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div, BinOp::Rem];
        match self.below(3) {
            0 => {
                let op = BINARY[self.below(BINARY.len())];
                self.pair(function, op, ty, depth)
            }
            1 => {
                let unary: Vec<UnOp> = UnOp::ALL.into_iter().filter(|op| *op != UnOp::Not).collect();
                Expr::unary(unary[self.below(unary.len())], self.expr(function, ty, depth))
            }
            _ => {
                let from = [Type::I32, Type::U64, Type::F32, Type::F80][self.below(4)];
                Expr::cast(ty, self.expr(function, from, depth))
            }
        }
    }
}

/// Control-flow automata of any shape, for algorithms on graphs; not part of a valid program.
pub fn graph(max_nodes: u32, max_edges: usize) -> impl Strategy<Value = Cfa> {
    (1..=max_nodes)
        .prop_flat_map(move |count| (Just(count), prop::collection::vec((0..count, 0..count), 0..=max_edges)))
        .prop_map(|(count, edges)| graph_of(count, &edges))
}

/// The automaton with these edges; node 0 is the entry, the last node the exit.
pub fn graph_of(count: u32, edges: &[(u32, u32)]) -> Cfa {
    let edge = |&(from, to): &(u32, u32)| Edge {
        from: NodeId(from),
        to: NodeId(to),
        op: Op::Skip,
        pos: Pos::default(),
    };
    Cfa::new(count, NodeId(0), NodeId(count - 1), edges.iter().map(edge).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The name of a variant, as `Debug` prints it first.
    fn variant(value: &impl std::fmt::Debug) -> String {
        format!("{value:?}").chars().take_while(|c| c.is_alphanumeric()).collect()
    }

    #[test]
    fn every_form_occurs() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 32) as u32
        };
        let (mut ops, mut kinds, mut operators) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for _ in 0..500 {
            let choices: Vec<u32> = (0..300).map(|_| random()).collect();
            let program = program_from(&choices);
            for edge in program.functions.iter().filter_map(|f| f.cfa()).flat_map(|cfa| cfa.edges()) {
                ops.insert(variant(&edge.op));
                for e in edge.op.exprs() {
                    e.walk(&mut |e| {
                        kinds.insert(variant(&e.kind));
                        match &e.kind {
                            ExprKind::Unary(op, _) => operators.insert(variant(op)),
                            ExprKind::Binary(op, ..) => operators.insert(variant(op)),
                            _ => false,
                        };
                    });
                }
            }
        }
        assert_eq!(
            (ops.len(), kinds.len(), operators.len()),
            (13, 16, 28),
            "{ops:?} {kinds:?} {operators:?}"
        );
    }
}
