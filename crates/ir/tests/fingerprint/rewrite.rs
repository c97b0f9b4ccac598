//! Changes to a program that no fingerprint may notice, and one that the right ones must.

use ir::{
    Body, Callee, Cfa, Edge, Expr, ExprKind, FuncId, Function, Global, GlobalId, Init, InitItem, InitValue,
    Local, LocalOrigin, NodeId, Op, Pos, Program, Storage, Type, Var,
};

/// A small generator of pseudo-random numbers: tests need variety, not quality.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    /// Where each of `count` things goes; the first `fixed` stay.
    fn permutation(&mut self, fixed: usize, count: usize) -> Vec<u32> {
        let mut to: Vec<u32> = (0..count as u32).collect();
        for i in (fixed + 1..count).rev() {
            to.swap(i, fixed + self.below(i + 1 - fixed));
        }
        to
    }
}

/// The same program in other words: functions, globals, locals and nodes in another order, other names of
/// locals, unused locals, dead code, skips, other positions and messages, initial values cut into other
/// pieces.
pub fn reword(program: &Program, random: &mut Random) -> Program {
    let functions = random.permutation(0, program.functions.len());
    let globals = random.permutation(0, program.globals.len());
    let mut out = program.clone();
    for (i, global) in program.globals.iter().enumerate() {
        let mut global = global.clone();
        global.pos = Pos { file: 0, line: 77, column: 1 + random.below(9) as u32 };
        if let Some(init) = &mut global.init {
            cut(init, random);
            let mut map = Map { functions: &functions, globals: &globals, locals: &[] };
            for item in &mut init.items {
                if let InitValue::Scalar(e) = &mut item.value {
                    map.expr(e);
                }
            }
        }
        out.globals_mut()[globals[i] as usize] = global;
    }
    renumber_literals(out.globals_mut(), random);
    for (i, function) in program.functions.iter().enumerate() {
        out.functions[functions[i] as usize] = reword_function(function, &functions, &globals, random).into();
    }
    out
}

fn cut(init: &mut Init, random: &mut Random) {
    let mut items = Vec::new();
    for item in init.items.drain(..) {
        match item.value {
            InitValue::Bytes(bytes) => {
                let (left, right) = bytes.split_at(random.below(bytes.len() + 1));
                let middle = item.offset + left.len() as u64;
                items.push(InitItem { offset: item.offset, value: InitValue::Bytes(left.to_vec()) });
                items.push(InitItem { offset: middle, value: InitValue::Bytes(right.to_vec()) });
            }
            value => items.push(InitItem { offset: item.offset, value }),
        }
    }
    init.items = items;
}

fn renumber_literals(globals: &mut [Global], random: &mut Random) {
    let first = 1000 + random.below(1000);
    for (i, global) in globals.iter_mut().enumerate() {
        if ir::fingerprint::is_literal(global) {
            global.name = format!(".str.{}", first + i).into();
        }
    }
}

fn reword_function(function: &Function, functions: &[u32], globals: &[u32], random: &mut Random) -> Function {
    let mut out = function.clone();
    out.pos = Pos { file: 0, line: 5, column: 5 };
    // The new locals go to the end, then everything but the parameters is mixed.
    for i in 0..random.below(3) {
        let storage = Storage::Register([Type::I32, Type::Ptr][random.below(2)]);
        let (c_type, pos) = ("unused".into(), Pos::default());
        out.locals.push(Local {
            name: format!("unused{i}").into(),
            storage,
            origin: LocalOrigin::Temp,
            c_type,
            pos,
        });
    }
    let locals = random.permutation(function.params as usize, out.locals.len());
    let mut list = out.locals.clone();
    for (i, local) in out.locals.iter().enumerate() {
        let name = format!("v{}", locals[i]).into();
        let origin = if i < function.params as usize { LocalOrigin::Param } else { LocalOrigin::User };
        list[locals[i] as usize] = Local { name, origin, ..local.clone() };
    }
    out.locals = list;
    if let Body::Defined(cfa) = &function.body {
        let mut map = Map { functions, globals, locals: &locals };
        out.body = Body::Defined(reword_cfa(cfa, &mut map, random));
    }
    out
}

fn reword_cfa(cfa: &Cfa, map: &mut Map, random: &mut Random) -> Cfa {
    let mut count = cfa.node_count();
    let mut edges: Vec<Edge> = cfa.edges().to_vec();
    for i in 0..edges.len() {
        // An edge into the exit must stay a return or halt.
        if edges[i].to != cfa.exit && random.below(3) == 0 {
            let middle = NodeId(count);
            count += 1;
            let to = std::mem::replace(&mut edges[i].to, middle);
            edges.push(Edge { from: middle, to, op: Op::Skip, pos: Pos::default() });
        }
    }
    for _ in 0..random.below(3) {
        let to = NodeId(random.below(cfa.node_count() as usize - 1) as u32);
        edges.push(Edge { from: NodeId(count), to, op: Op::Skip, pos: Pos::default() });
        count += 1;
    }
    let nodes = random.permutation(1, count as usize);
    for edge in &mut edges {
        edge.from = NodeId(nodes[edge.from.0 as usize]);
        edge.to = NodeId(nodes[edge.to.0 as usize]);
        edge.pos = Pos { file: 0, line: 1 + random.below(100) as u32, column: 1 };
        map.op(&mut edge.op);
        if let Op::Check { message, .. } = &mut edge.op {
            *message = Some("another message".into());
        }
    }
    Cfa::new(count, NodeId(nodes[cfa.entry.0 as usize]), NodeId(nodes[cfa.exit.0 as usize]), edges)
}

struct Map<'a> {
    functions: &'a [u32],
    globals: &'a [u32],
    locals: &'a [u32],
}

impl Map<'_> {
    fn global(&self, id: &mut GlobalId) {
        id.0 = self.globals[id.0 as usize];
    }

    fn function(&self, id: &mut FuncId) {
        id.0 = self.functions[id.0 as usize];
    }

    fn var(&self, var: &mut Var) {
        match var {
            Var::Local(id) => id.0 = self.locals[id.0 as usize],
            Var::Global(id) => self.global(id),
        }
    }

    fn op(&mut self, op: &mut Op) {
        match op {
            Op::Assign { var, .. } | Op::Havoc { var, .. } | Op::Alloc { var, .. } => self.var(var),
            Op::Call { dst, callee, .. } => {
                dst.iter_mut().for_each(|dst| self.var(dst));
                if let Callee::Direct(id) = callee {
                    self.function(id);
                }
            }
            _ => {}
        }
        exprs(op, &mut |e| self.expr(e));
    }

    fn expr(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Local(id) | ExprKind::AddrLocal(id) => id.0 = self.locals[id.0 as usize],
            ExprKind::Global(id) | ExprKind::AddrGlobal(id) => self.global(id),
            ExprKind::AddrFunc(id) => self.function(id),
            _ => {}
        }
        children(e, &mut |e| self.expr(e));
    }
}

fn exprs(op: &mut Op, visit: &mut impl FnMut(&mut Expr)) {
    match op {
        Op::Skip | Op::Havoc { .. } | Op::Return(None) | Op::Halt(None) => {}
        Op::Assume { cond: e, .. }
        | Op::Check { cond: e, .. }
        | Op::Assign { value: e, .. }
        | Op::Alloc { size: e, .. }
        | Op::Free { ptr: e }
        | Op::Lifetime { ptr: e, .. }
        | Op::Return(Some(e))
        | Op::Halt(Some(e)) => visit(e),
        Op::Store { addr: a, value: b } => [a, b].into_iter().for_each(visit),
        Op::Copy { dst: a, src: b, len: c } | Op::Fill { dst: a, byte: b, len: c } => {
            [a, b, c].into_iter().for_each(visit);
        }
        Op::Call { callee, args, .. } => {
            if let Callee::Indirect(e) = callee {
                visit(e);
            }
            args.iter_mut().for_each(visit);
        }
    }
}

fn children(e: &mut Expr, visit: &mut impl FnMut(&mut Expr)) {
    match &mut e.kind {
        ExprKind::Load(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Cast(a)
        | ExprKind::Freeable(a)
        | ExprKind::ObjectSize(a) => visit(a),
        ExprKind::Binary(_, a, b) | ExprKind::Valid { ptr: a, size: b, .. } => {
            visit(a);
            visit(b);
        }
        ExprKind::Ite(list) => list.iter_mut().for_each(visit),
        ExprKind::HeapKept { also, .. } => also.iter_mut().for_each(|ptr| visit(ptr)),
        _ => {}
    }
}

/// Changes one constant somewhere in a body; says in which function, and whether the edge is reachable.
pub fn change_constant(program: &mut Program, random: &mut Random) -> Option<(FuncId, bool)> {
    let mut places = Vec::new();
    for (f, function) in program.functions.iter().enumerate() {
        let edges = function.cfa().map_or(&[][..], |cfa| cfa.edges());
        for (e, edge) in edges.iter().enumerate() {
            let mut count = 0;
            edge.op.exprs().iter().for_each(|x| x.walk(&mut |x| count += x.as_const().is_some() as usize));
            places.extend((0..count).map(|c| (f, e, c)));
        }
    }
    let &(f, e, c) = places.get(random.below(places.len()))?;
    let Body::Defined(cfa) = &mut program.function_mut(FuncId(f as u32)).body else { return None };
    let reached = reached(cfa);
    let from = cfa.edges()[e].from;
    // Both edges of a branch have the same condition, and it changes in both.
    let twins: Vec<ir::EdgeId> =
        cfa.out_ids(from).filter(|id| matches!(cfa.edge(*id).op, Op::Assume { .. })).collect();
    let edges = if twins.is_empty() { vec![ir::EdgeId(e as u32)] } else { twins };
    for id in edges {
        let mut left = c;
        exprs(cfa.edge_mut(id), &mut |x| bump(x, &mut left));
    }
    Some((FuncId(f as u32), reached[from.0 as usize]))
}

/// Flips the lowest bit of the constant number `left`, counted in the order of [`Expr::walk`].
fn bump(e: &mut Expr, left: &mut usize) {
    if let ExprKind::Const(bits) = &mut e.kind {
        if *left == 0 {
            *bits ^= 1;
        }
        *left = left.wrapping_sub(1);
    }
    children(e, &mut |e| bump(e, left));
}

fn reached(cfa: &Cfa) -> Vec<bool> {
    let mut seen = vec![false; cfa.node_count() as usize];
    let mut stack = vec![cfa.entry];
    while let Some(node) = stack.pop() {
        if !std::mem::replace(&mut seen[node.0 as usize], true) {
            stack.extend(cfa.out(node).iter().map(|e| e.to));
        }
    }
    seen
}
