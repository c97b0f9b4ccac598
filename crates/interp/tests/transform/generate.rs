//! Random programs that run: structured code over integers and memory in which most executions get somewhere.
//!
//! (Those of `ir::testing` use every form of the IR, and mostly fault after a few steps.) Each function
//! counts its first parameter down along calls, each loop has a counter, so nearly all executions end by
//! themselves.

use ir::{
    AllocKind, BinOp, Body, Callee, Cfa, CheckKind, Edge, Expr, ExprKind, FuncId, Function, Global, GlobalId,
    HavocKind, Init, Local, LocalId, LocalOrigin, NodeId, Op, Pos, Program, Storage, Target, Type, Var,
};

const FUNCTIONS: u32 = 3;
const INT: Type = Type::I32;

/// The program that these choices stand for. `main` is the first function; all have the type
/// `int (int, int, int *)`.
pub fn program_from(choices: &[u32]) -> Program {
    let mut choices = Choices { list: choices, next: 0 };
    let register = |i: usize| global(&format!("g{i}"), Storage::Register(INT));
    let mut globals: Vec<Global> = (0..2).map(register).collect();
    globals.push(global("table", Storage::Memory { size: 16, align: 4 }));
    globals.push(global("shared", Storage::Register(Type::Ptr)));
    let mut program = Program {
        target: Target::LP64,
        files: vec!["a.c".into()],
        globals: globals.into(),
        functions: vec![],
    };
    for i in 0..FUNCTIONS {
        let name = if i == 0 { "main".to_string() } else { format!("f{i}") };
        program.add_function(Coder::new(&mut choices, name).function());
    }
    program
}

fn global(name: &str, storage: Storage) -> Global {
    let (init, c_type) = (Some(Init::default()), "".into());
    Global { name: name.into(), storage, init, constant: false, external: true, c_type, pos: Pos::default() }
}

struct Choices<'a> {
    list: &'a [u32],
    next: usize,
}

impl Choices<'_> {
    fn below(&mut self, limit: u32) -> u32 {
        let found = self.list.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        found % limit
    }
}

struct Coder<'a, 'c> {
    choices: &'a mut Choices<'c>,
    name: String,
    locals: Vec<Local>,
    edges: Vec<Edge>,
    nodes: u32,
    /// Where the next step begins; none after a jump.
    at: Option<NodeId>,
    /// Heads and ends of the loops around.
    loops: Vec<(NodeId, NodeId)>,
    /// Registers that have a value by now.
    set: Vec<LocalId>,
    line: u32,
}

const EXIT: NodeId = NodeId(1);
const FUEL: LocalId = LocalId(0);
const POINTER: LocalId = LocalId(2);
const BUFFER: LocalId = LocalId(3);
const SHARED: GlobalId = GlobalId(3);

impl<'a, 'c> Coder<'a, 'c> {
    fn new(choices: &'a mut Choices<'c>, name: String) -> Self {
        let mut coder = Coder {
            choices,
            name,
            locals: Vec::new(),
            edges: Vec::new(),
            nodes: 2,
            at: Some(NodeId(0)),
            loops: Vec::new(),
            set: vec![FUEL, LocalId(1)],
            line: 1,
        };
        coder.local(Storage::Register(INT), LocalOrigin::Param);
        coder.local(Storage::Register(INT), LocalOrigin::Param);
        coder.local(Storage::Register(Type::Ptr), LocalOrigin::Param);
        if coder.choices.below(2) == 1 {
            coder.local(Storage::Memory { size: 8, align: 4 }, LocalOrigin::User);
        }
        coder
    }

    fn local(&mut self, storage: Storage, origin: LocalOrigin) -> LocalId {
        let name = format!("x{}", self.locals.len()).into();
        self.locals.push(Local { name, storage, origin, c_type: "int".into(), pos: Pos::default() });
        LocalId(self.locals.len() as u32 - 1)
    }

    fn function(mut self) -> Function {
        // Out of fuel, or more than calls would pass on: the end.
        let (stop, go) = (self.node(), self.node());
        let none = Expr::binary(BinOp::Le, self.read(FUEL), int(0));
        let much = Expr::binary(BinOp::Lt, int(8), self.read(FUEL));
        self.branch(Expr::binary(BinOp::Or, none, much), stop, go);
        self.at = Some(stop);
        self.step_to(EXIT, Op::Return(Some(int(7))));
        self.at = Some(go);
        // No pointer comes from outside.
        let (null, point, start) = (Expr::null(), self.node(), self.node());
        self.branch(Expr::binary(BinOp::Eq, pointer(POINTER), null), point, start);
        self.at = Some(point);
        self.step_to(start, Op::Assign { var: Var::Local(POINTER), value: table() });
        self.at = Some(start);
        for _ in 0..2 {
            let id = self.local(Storage::Register(INT), LocalOrigin::User);
            let value = self.expr(1);
            self.step(Op::Assign { var: Var::Local(id), value });
            self.set.push(id);
        }
        self.block(3);
        if self.at.is_some() {
            let value = self.expr(2);
            self.step_to(EXIT, Op::Return(Some(value)));
        }
        Function {
            name: self.name.into(),
            ret: Some(INT),
            params: 3,
            variadic: false,
            locals: self.locals,
            body: Body::Defined(Cfa::new(self.nodes, NodeId(0), EXIT, self.edges)),
            havocs: false,
            c_type: "int (int, int, int *)".into(),
            pos: Pos::default(),
        }
    }

    fn node(&mut self) -> NodeId {
        self.nodes += 1;
        NodeId(self.nodes - 1)
    }

    fn step_to(&mut self, to: NodeId, op: Op) {
        if let Some(from) = self.at.take() {
            self.line += 1;
            self.edges.push(Edge { from, to, op, pos: Pos { file: 0, line: self.line, column: 1 } });
        }
    }

    fn step(&mut self, op: Op) {
        if self.at.is_some() {
            let to = self.node();
            self.step_to(to, op);
            self.at = Some(to);
        }
    }

    fn branch(&mut self, cond: Expr, yes: NodeId, no: NodeId) {
        if let Some(from) = self.at.take() {
            self.line += 1;
            let pos = Pos { file: 0, line: self.line, column: 1 };
            for (holds, to) in [(true, yes), (false, no)] {
                self.edges.push(Edge { from, to, op: Op::Assume { cond: cond.clone(), holds }, pos });
            }
        }
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..1 + self.choices.below(4) {
            if self.at.is_some() {
                self.statement(depth);
            }
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.choices.below(18) {
            0..=2 => {
                let (var, value) = (self.writable(), self.expr(2));
                self.step(Op::Assign { var, value });
            }
            3 => {
                let var = self.writable();
                let kinds = [HavocKind::Uninit, HavocKind::Input("nondet".into())];
                let kind = kinds[self.choices.below(2) as usize].clone();
                self.step(Op::Havoc { var, kind });
            }
            4 | 5 => {
                let (addr, value) = (self.address(), self.expr(2));
                self.step(Op::Store { addr, value });
            }
            6 | 7 if depth > 0 => {
                let (yes, no, end) = (self.node(), self.node(), self.node());
                let cond = self.cond();
                self.branch(cond, yes, no);
                for side in [yes, no] {
                    self.at = Some(side);
                    self.block(depth - 1);
                    self.step_to(end, Op::Skip);
                }
                self.at = Some(end);
            }
            8..=10 if depth > 0 => self.repeat(depth - 1),
            11 | 12 => {
                let callee = FuncId(self.choices.below(FUNCTIONS));
                let dst = if self.choices.below(3) > 0 { Some(self.writable()) } else { None };
                let less = Expr::binary(BinOp::Sub, self.read(FUEL), int(1 + self.choices.below(2) as i128));
                let args = vec![less, self.expr(2), self.base()];
                self.step(Op::Call { dst, callee: Callee::Direct(callee), args });
            }
            13 | 16 | 17 => self.rare(),
            14 => {
                let cond = self.cond();
                self.step(Op::Check { kind: CheckKind::Assertion, cond, message: None });
            }
            _ => {
                if let Some(&(head, end)) = self.loops.last() {
                    let to = if self.choices.below(2) == 0 { head } else { end };
                    self.step_to(to, Op::Skip);
                }
            }
        }
    }

    /// A loop of at most a few rounds.
    fn repeat(&mut self, depth: u32) {
        let counter = self.local(Storage::Register(INT), LocalOrigin::Temp);
        self.step(Op::Assign { var: Var::Local(counter), value: int(0) });
        let (head, body, end) = (self.node(), self.node(), self.node());
        self.step_to(head, Op::Skip);
        self.at = Some(head);
        let rounds = int(self.choices.below(6).into());
        self.branch(Expr::binary(BinOp::Lt, self.read(counter), rounds), body, end);
        self.at = Some(body);
        let next = Expr::binary(BinOp::Add, self.read(counter), int(1));
        self.step(Op::Assign { var: Var::Local(counter), value: next });
        self.loops.push((head, end));
        self.block(depth);
        self.loops.pop();
        self.step_to(head, Op::Skip);
        self.at = Some(end);
    }

    fn rare(&mut self) {
        match self.choices.below(10) {
            0 => {
                let value = self.expr(2);
                self.step_to(EXIT, Op::Return(Some(value)));
            }
            1 => {
                let code = self.expr(1);
                self.step_to(EXIT, Op::Halt(Some(code)));
            }
            2 | 3 => {
                let kind = if self.choices.below(2) == 0 { AllocKind::Heap } else { AllocKind::Stack };
                let size = Expr::int(Type::U64, 8);
                self.step(Op::Alloc { var: Var::Local(POINTER), size, kind });
            }
            4 => {
                let len = Expr::int(Type::U64, 8);
                let (dst, src) = (self.base(), self.base());
                self.step(Op::Copy { dst, src, len });
            }
            5 => {
                let (dst, byte) = (self.base(), Expr::int(Type::U8, self.choices.below(256).into()));
                self.step(Op::Fill { dst, byte, len: Expr::int(Type::U64, 8) });
            }
            6 | 7 => {
                let value = self.base();
                self.step(Op::Assign { var: Var::Global(SHARED), value });
            }
            8 => {
                let (ptr, size) = (Box::new(shared()), Box::new(Expr::int(Type::U64, 4)));
                let valid = Expr { ty: Type::Bool, kind: ExprKind::Valid { ptr, size, write: true } };
                let var = self.writable();
                self.step(Op::Assign { var, value: Expr::cast(INT, valid) });
            }
            _ => {
                let cond = self.cond();
                self.step(Op::Assume { cond, holds: true });
            }
        }
    }

    fn read(&self, id: LocalId) -> Expr {
        Expr::var(Var::Local(id), INT)
    }

    fn writable(&mut self) -> Var {
        let count = self.set.len() as u32 - 1;
        match self.choices.below(count + 2) {
            i if i < count => Var::Local(self.set[i as usize + 1]),
            i => Var::Global(GlobalId(i - count)),
        }
    }

    fn base(&mut self) -> Expr {
        let buffer = matches!(self.locals[BUFFER.0 as usize].storage, Storage::Memory { .. });
        match self.choices.below(4) {
            0 | 1 if buffer => Expr { ty: Type::Ptr, kind: ExprKind::AddrLocal(BUFFER) },
            0 | 1 => table(),
            2 => pointer(POINTER),
            _ if self.choices.below(3) == 0 => shared(),
            _ => table(),
        }
    }

    fn address(&mut self) -> Expr {
        let offset = Expr::int(Type::I64, (self.choices.below(2) * 4).into());
        Expr::binary(BinOp::PtrAdd, self.base(), offset)
    }

    fn cond(&mut self) -> Expr {
        let op = [BinOp::Lt, BinOp::Eq, BinOp::Ne, BinOp::Le][self.choices.below(4) as usize];
        Expr::binary(op, self.expr(1), self.expr(1))
    }

    fn expr(&mut self, depth: u32) -> Expr {
        match self.choices.below(if depth == 0 { 4 } else { 8 }) {
            0 => int(self.choices.below(5).into()),
            1 | 2 => {
                let i = self.choices.below(self.set.len() as u32);
                self.read(self.set[i as usize])
            }
            3 => Expr::var(Var::Global(GlobalId(self.choices.below(2))), INT),
            4 => Expr::load(INT, self.address()),
            5 if self.choices.below(4) == 0 => {
                Expr::binary(BinOp::Div, self.expr(depth - 1), self.expr(depth - 1))
            }
            _ => {
                let op = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Xor][self.choices.below(4) as usize];
                Expr::binary(op, self.expr(depth - 1), self.expr(depth - 1))
            }
        }
    }
}

fn int(value: i128) -> Expr {
    Expr::int(INT, value)
}

fn pointer(id: LocalId) -> Expr {
    Expr::var(Var::Local(id), Type::Ptr)
}

fn shared() -> Expr {
    Expr::var(Var::Global(SHARED), Type::Ptr)
}

fn table() -> Expr {
    Expr { ty: Type::Ptr, kind: ExprKind::AddrGlobal(GlobalId(2)) }
}
