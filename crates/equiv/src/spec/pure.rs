//! A condition in C changes nothing, and every read of it belongs to one version.
//!
//! The function of a condition has one memory, but there are two: what is read through a pointer of the old
//! version is in the old version's memory. Which one follows from where the address comes from. Edges that
//! read both are cut into several with one read each, so that every edge belongs to one version, and an
//! engine can take it in that version's state.
//!
//! A condition may call functions that compute their result from their arguments and memory and do nothing
//! else.

use super::Side;
use super::c::CBinding;
use ir::{
    BinOp, Callee, Cfa, Edge, Expr, ExprKind, FuncId, HavocKind, Local, LocalId, LocalOrigin, NodeId, Op,
};
use ir::{Body, Program, Storage, Type, Var};
use std::collections::BTreeMap;

/// Why something is no condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Impure {
    pub message: String,
    /// The function that the condition calls, if that is the reason.
    pub callee: Option<String>,
}

/// Checks a condition's function, cuts its edges by version, and says for each edge whose memory it reads.
pub fn check(
    program: &mut Program,
    function: FuncId,
    bindings: &[CBinding],
) -> Result<Vec<Option<Side>>, Impure> {
    let mut calls = Calls::default();
    let edges = match &program.function(function).body {
        Body::Defined(cfa) => cfa.edges().to_vec(),
        Body::Poisoned { reason, .. } => return Err(own(format!("not supported in a condition: {reason}"))),
        Body::Extern => return Err(own("the condition has no body".to_owned())),
    };
    let in_memory = |l: &&Local| matches!(l.storage, Storage::Memory { .. });
    if let Some(local) = program.function(function).locals.iter().find(in_memory) {
        let name = &local.name;
        return Err(own(format!("a condition cannot use the address of '{name}', which is not in memory")));
    }
    for edge in &edges {
        own_edge(program, edge)?;
        if let Op::Call { callee: Callee::Direct(callee), .. } = &edge.op {
            let name = &program.function(*callee).name;
            calls.visit(program, *callee).map_err(|why| Impure {
                message: format!("a condition can only call functions without effects, but '{name}' {why}"),
                callee: Some(name.to_string()),
            })?;
        }
    }
    let mut origins = Origins::of(program, function, bindings, &calls)?;
    cut(program, function, &mut origins, &calls)?;
    let cfa = program.function(function).cfa();
    let edges = cfa.map_or(&[][..], Cfa::edges);
    edges.iter().map(|edge| origins.edge(edge, &calls).map(single)).collect()
}

fn own(message: String) -> Impure {
    Impure { message, callee: None }
}

/// What the expression itself may become.
fn own_edge(program: &Program, edge: &Edge) -> Result<(), Impure> {
    match &edge.op {
        Op::Skip | Op::Assume { .. } | Op::Return(_) => {}
        Op::Assign { var: Var::Local(_), .. } => {}
        Op::Call { callee: Callee::Direct(_), .. } => {}
        Op::Call { .. } => return Err(own("a condition cannot call through a pointer".to_owned())),
        op => return Err(own(format!("a condition must not change anything, but this {}", effect(op)))),
    }
    let mut found = None;
    for e in edge.op.exprs() {
        e.walk(&mut |e| {
            let problem = match &e.kind {
                ExprKind::Global(id) | ExprKind::AddrGlobal(id) => {
                    let name = &program.global(*id).name;
                    Some(format!("'{name}' has no value here: neither version uses it"))
                }
                ExprKind::AddrFunc(id) => {
                    let name = &program.function(*id).name;
                    Some(format!("a condition cannot use the address of the function '{name}'"))
                }
                ExprKind::AddrLocal(_)
                | ExprKind::VarArgs
                | ExprKind::Valid { .. }
                | ExprKind::Freeable(_)
                | ExprKind::ObjectSize(_)
                | ExprKind::HeapKept { .. } => {
                    Some("a condition cannot ask for the places and sizes of memory objects".to_owned())
                }
                _ => None,
            };
            found = found.take().or(problem);
        });
    }
    found.map_or(Ok(()), |message| Err(own(message)))
}

/// What an operation does to the rest of the world.
fn effect(op: &Op) -> &'static str {
    match op {
        Op::Assign { .. } => "assigns a global",
        Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. } => "writes memory",
        Op::Alloc { .. } => "allocates memory",
        Op::Free { .. } | Op::Lifetime { .. } => "frees memory",
        Op::Havoc { .. } => "asks for an input",
        Op::Check { .. } => "can fail",
        Op::Halt(_) => "can end the program",
        _ => "has effects",
    }
}

/// What called functions read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Reads {
    memory: bool,
    globals: bool,
}

#[derive(Default)]
struct Calls {
    known: BTreeMap<FuncId, Reads>,
}

impl Calls {
    /// Looks at a function and everything it calls; says why it has effects if it does.
    fn visit(&mut self, program: &Program, root: FuncId) -> Result<(), String> {
        let mut seen = vec![root];
        let (mut at, mut reads) = (0, Reads::default());
        while at < seen.len() {
            let function = program.function(seen[at]);
            let through = if at == 0 { String::new() } else { format!("calls '{}', which ", function.name) };
            at += 1;
            let cfa = match &function.body {
                Body::Defined(cfa) => cfa,
                Body::Extern => return Err(format!("{through}has no body")),
                Body::Poisoned { reason, .. } => return Err(format!("{through}is not supported: {reason}")),
            };
            for edge in cfa.edges() {
                let fine = match &edge.op {
                    Op::Skip | Op::Return(_) | Op::Assign { var: Var::Local(_), .. } => true,
                    Op::Assume { .. } => cfa.out(edge.from).len() == 2,
                    Op::Havoc { var: Var::Local(_), kind } => *kind == HavocKind::Uninit,
                    Op::Call { callee: Callee::Direct(callee), dst: None | Some(Var::Local(_)), .. } => {
                        if !seen.contains(callee) {
                            seen.push(*callee);
                        }
                        true
                    }
                    _ => false,
                };
                if !fine {
                    return Err(format!("{through}{}", effect(&edge.op)));
                }
                let mut own_memory = false;
                for e in edge.op.exprs() {
                    e.walk(&mut |e| match &e.kind {
                        ExprKind::Load(_) => reads.memory = true,
                        ExprKind::Global(_) | ExprKind::AddrGlobal(_) | ExprKind::AddrFunc(_) => {
                            reads.globals = true
                        }
                        ExprKind::AddrLocal(_)
                        | ExprKind::VarArgs
                        | ExprKind::Valid { .. }
                        | ExprKind::Freeable(_)
                        | ExprKind::ObjectSize(_)
                        | ExprKind::HeapKept { .. } => own_memory = true,
                        _ => {}
                    });
                }
                if own_memory {
                    return Err(format!("{through}has variables in memory"));
                }
            }
        }
        self.known.insert(root, reads);
        Ok(())
    }
}

/// A set of versions: 1 for the old one, 2 for the new one.
type Sides = u8;

fn set(side: Side) -> Sides {
    match side {
        Side::Old => 1,
        Side::New => 2,
    }
}

fn single(sides: Sides) -> Option<Side> {
    match sides {
        1 => Some(Side::Old),
        2 => Some(Side::New),
        _ => None,
    }
}

/// For every local, the versions that its value can come from.
struct Origins {
    locals: Vec<Sides>,
}

impl Origins {
    fn of(
        program: &Program,
        function: FuncId,
        bindings: &[CBinding],
        calls: &Calls,
    ) -> Result<Origins, Impure> {
        let function = program.function(function);
        let mut locals = vec![0; function.locals.len()];
        for (slot, binding) in locals.iter_mut().zip(bindings) {
            *slot = set(binding.side());
        }
        let mut origins = Origins { locals };
        let edges = function.cfa().map_or(&[][..], Cfa::edges);
        loop {
            let mut changed = false;
            for edge in edges {
                let (var, sides) = match &edge.op {
                    Op::Assign { var: Var::Local(var), value } => (*var, origins.value(value)?),
                    Op::Call { dst: Some(Var::Local(var)), callee: Callee::Direct(f), args } => {
                        let from =
                            args.iter().try_fold(0, |all, a| Ok::<Sides, Impure>(all | origins.value(a)?))?;
                        let read = origins.call(*f, args, calls)?;
                        (*var, if read == 0 { from } else { read })
                    }
                    _ => continue,
                };
                let slot = &mut origins.locals[var.0 as usize];
                changed |= *slot | sides != *slot;
                *slot |= sides;
            }
            if !changed {
                return Ok(origins);
            }
        }
    }

    /// The versions that a value can come from. Adding a number to a pointer leaves it in its memory.
    fn value(&self, e: &Expr) -> Result<Sides, Impure> {
        Ok(match &e.kind {
            ExprKind::Local(id) => self.locals[id.0 as usize],
            ExprKind::Load(address) => self.load(address)?,
            ExprKind::Binary(BinOp::PtrAdd, base, by) => match self.value(base)? {
                0 => self.value(by)?,
                sides => sides,
            },
            ExprKind::Ite(parts) => self.value(&parts[1])? | self.value(&parts[2])?,
            _ => {
                let mut all = 0;
                for child in e.children() {
                    all |= self.value(child)?;
                }
                all
            }
        })
    }

    fn load(&self, address: &Expr) -> Result<Sides, Impure> {
        match self.value(address)? {
            0 => Err(own("a condition cannot read memory at a fixed address".to_owned())),
            3 => Err(own("an address mixes the old and the new version's values".to_owned())),
            sides => Ok(sides),
        }
    }

    /// Whose state a call is evaluated in, if it reads any.
    fn call(&self, callee: FuncId, args: &[Expr], calls: &Calls) -> Result<Sides, Impure> {
        let reads = calls.known.get(&callee).copied().unwrap_or_default();
        if !reads.memory && !reads.globals {
            return Ok(0);
        }
        let mut sides = 0;
        for arg in args.iter().filter(|a| a.ty == Type::Ptr) {
            sides |= self.value(arg)?;
        }
        match sides {
            3 => Err(own("a call mixes the old and the new version's pointers".to_owned())),
            2 if reads.globals => {
                Err(own("a function that reads globals can be called for the old version only".to_owned()))
            }
            0 => Ok(set(Side::Old)),
            sides => Ok(sides),
        }
    }

    /// The memories that an edge reads.
    fn edge(&self, edge: &Edge, calls: &Calls) -> Result<Sides, Impure> {
        let mut sides = 0;
        for e in edge.op.exprs() {
            let mut loads = Vec::new();
            e.walk(&mut |e| {
                if let ExprKind::Load(address) = &e.kind {
                    loads.push(&**address);
                }
            });
            for address in loads {
                sides |= self.load(address)?;
            }
        }
        if let Op::Call { callee: Callee::Direct(callee), args, .. } = &edge.op {
            sides |= self.call(*callee, args, calls)?;
        }
        Ok(sides)
    }
}

/// Puts the reads of edges that read both memories on edges of their own. Expressions are strict, so it does
/// not matter when they are read.
fn cut(program: &mut Program, function: FuncId, origins: &mut Origins, calls: &Calls) -> Result<(), Impure> {
    let body = program.function_mut(function);
    let Body::Defined(cfa) = &body.body else { return Ok(()) };
    let mut nodes = cfa.node_count();
    let mut edges = Vec::new();
    for node in cfa.nodes() {
        let out = cfa.out(node);
        let mut sides = 0;
        for edge in out {
            sides |= origins.edge(edge, calls)?;
        }
        if sides != 3 {
            edges.extend_from_slice(out);
            continue;
        }
        let mut hoisted = Hoisted { first: body.locals.len() as u32, reads: Vec::new() };
        let rewritten: Vec<Op> = out.iter().map(|edge| hoisted.op(&edge.op)).collect();
        let mut at = node;
        for (i, read) in hoisted.reads.into_iter().enumerate() {
            let id = LocalId(hoisted.first + i as u32);
            let next = NodeId(nodes);
            nodes += 1;
            let pos = out[0].pos;
            origins.locals.push(origins.value(&read)?);
            body.locals.push(Local {
                name: format!(".r{}", id.0).into(),
                storage: Storage::Register(read.ty),
                origin: LocalOrigin::Temp,
                c_type: "".into(),
                pos,
            });
            edges.push(Edge { from: at, to: next, op: Op::Assign { var: Var::Local(id), value: read }, pos });
            at = next;
        }
        for (edge, op) in out.iter().zip(rewritten) {
            edges.push(Edge { from: at, to: edge.to, op, pos: edge.pos });
        }
    }
    body.body = Body::Defined(Cfa::new(nodes, cfa.entry, cfa.exit, edges));
    Ok(())
}

/// The reads of a node's edges, inner ones first; they become the locals from `first` on.
struct Hoisted {
    first: u32,
    reads: Vec<Expr>,
}

impl Hoisted {
    fn op(&mut self, op: &Op) -> Op {
        match op {
            Op::Assume { cond, holds } => Op::Assume { cond: self.expr(cond), holds: *holds },
            Op::Assign { var, value } => Op::Assign { var: *var, value: self.expr(value) },
            Op::Return(value) => Op::Return(value.as_ref().map(|e| self.expr(e))),
            Op::Call { dst, callee, args } => Op::Call {
                dst: *dst,
                callee: callee.clone(),
                args: args.iter().map(|a| self.expr(a)).collect(),
            },
            op => op.clone(),
        }
    }

    fn expr(&mut self, e: &Expr) -> Expr {
        let kind = match &e.kind {
            ExprKind::Load(address) => {
                let read = Expr::load(e.ty, self.expr(address));
                let index = self.reads.iter().position(|r| *r == read).unwrap_or_else(|| {
                    self.reads.push(read);
                    self.reads.len() - 1
                });
                ExprKind::Local(LocalId(self.first + index as u32))
            }
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, Box::new(self.expr(a))),
            ExprKind::Binary(op, a, b) => {
                ExprKind::Binary(*op, Box::new(self.expr(a)), Box::new(self.expr(b)))
            }
            ExprKind::Cast(a) => ExprKind::Cast(Box::new(self.expr(a))),
            ExprKind::Ite(parts) => {
                ExprKind::Ite(Box::new([self.expr(&parts[0]), self.expr(&parts[1]), self.expr(&parts[2])]))
            }
            kind => kind.clone(),
        };
        Expr { ty: e.ty, kind }
    }
}
