//! A call replaced by the body of the callee.
//!
//! The callee's locals become locals of the caller under new names, so arguments can be assigned one after the other:
//! none of them mentions a variable that is assigned before. What distinguishes an activation is refused or made up
//! for:
//! - registers that may be read unset get `uninit` where the body begins, as at the entry of a function;
//! - memory objects of the callee would live on after its return: nobody may have a pointer to them by then (see
//!   `escape`), and the call may run only once in an activation of the caller, because a new call has a new object;
//! - extra arguments belong to an activation: refused.

use super::graph::Graph;
use super::loops::{body, own_locals};
use super::unset::unset_locals;
use super::{MAX_NODES, Origin, TransformError, Transformed};
use crate::cfa::{AllocKind, Callee, Cfa, Edge, EdgeId, HavocKind, NodeId, Op};
use crate::expr::{Expr, ExprKind};
use crate::loops::LoopForest;
use crate::program::{FuncId, Function, Local, LocalId, LocalOrigin, Pos, Program, Storage, Var};
use crate::types::Type;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The function `caller` with the direct call on `edge` replaced by the body of the function it calls (as it is in the
/// program; calls in that body stay, so a recursive call is unfolded once).
///
/// `caller` need not be a function of the program, but its ids are those of the program. In the result, the edges that
/// pass arguments have the call as their origin; edges of the body, also those that return, come from the callee.
pub fn inline(program: &Program, caller: &Function, edge: EdgeId) -> Result<Transformed, TransformError> {
    let cfa = body(caller)?;
    let call = cfa.edges().get(edge.0 as usize).ok_or(TransformError::NotACall(edge))?;
    let Op::Call { dst, callee: Callee::Direct(id), args } = &call.op else {
        return Err(TransformError::NotACall(edge));
    };
    let callee = program.functions.get(id.0 as usize).ok_or(TransformError::NotACall(edge))?;
    let callee_cfa = body(callee)?;
    if u64::from(cfa.node_count()) + u64::from(callee_cfa.node_count()) + args.len() as u64
        > u64::from(MAX_NODES)
    {
        return Err(TransformError::TooLarge);
    }
    check_signature(program, caller, callee, *dst, args)?;
    check_objects(program, cfa, call, callee, callee_cfa)?;

    let mut inliner = Inliner {
        id: *id,
        base: caller.locals.len() as u32,
        graph: Graph::with_nodes_of(cfa),
        function: caller.clone(),
        locals: own_locals(caller),
    };
    inliner.add_locals(callee);
    for (i, e) in (0..).map(EdgeId).zip(cfa.edges()) {
        if i == edge {
            inliner.replace(edge, call, *dst, args, callee, callee_cfa);
        } else {
            inliner.graph.edge(e.clone(), Origin::Own(i));
        }
    }
    Ok(inliner.graph.finish(inliner.function, inliner.locals, &[]))
}

fn check_signature(
    program: &Program,
    caller: &Function,
    callee: &Function,
    dst: Option<Var>,
    args: &[Expr],
) -> Result<(), TransformError> {
    let params: Vec<Type> = callee.param_types().collect();
    if callee.variadic && (args.len() > params.len() || uses_extra_arguments(callee)) {
        return Err(TransformError::Variadic(callee.name.clone()));
    }
    let kept = dst.map(|var| match var {
        Var::Local(id) => caller.locals.get(id.0 as usize).map(|l| l.storage),
        Var::Global(id) => program.globals.get(id.0 as usize).map(|g| g.storage),
    });
    let result = kept.is_none_or(|storage| storage == callee.ret.map(Storage::Register));
    if !result || !args.iter().map(|arg| arg.ty).eq(params) {
        return Err(TransformError::Signature(callee.name.clone()));
    }
    Ok(())
}

fn uses_extra_arguments(function: &Function) -> bool {
    let mut found = false;
    for e in function.cfa().into_iter().flat_map(|cfa| cfa.edges()).flat_map(|edge| edge.op.exprs()) {
        e.walk(&mut |e| found |= e.kind == ExprKind::VarArgs);
    }
    found
}

fn check_objects(
    program: &Program,
    cfa: &Cfa,
    call: &Edge,
    callee: &Function,
    callee_cfa: &Cfa,
) -> Result<(), TransformError> {
    let memory = callee.locals.iter().any(|l| matches!(l.storage, Storage::Memory { .. }));
    let allocates =
        callee_cfa.edges().iter().any(|e| matches!(e.op, Op::Alloc { kind: AllocKind::Stack, .. }));
    if (memory || allocates) && super::escape::own_objects_escape(program, callee) {
        return Err(TransformError::Escapes(callee.name.clone()));
    }
    if memory && is_on_a_cycle(cfa, call) {
        return Err(TransformError::Repeated(callee.name.clone()));
    }
    Ok(())
}

fn is_on_a_cycle(cfa: &Cfa, edge: &Edge) -> bool {
    let forest = LoopForest::of(cfa);
    let mut around = forest.innermost(edge.from);
    while let Some(id) = around.filter(|id| !forest.contains(*id, edge.to)) {
        around = forest.get(id).parent;
    }
    around.is_some()
}

struct Inliner {
    id: FuncId,
    /// What to add to a local of the callee.
    base: u32,
    graph: Graph,
    function: Function,
    locals: Vec<Origin<LocalId>>,
}

impl Inliner {
    fn add_locals(&mut self, callee: &Function) {
        let mut names: FxHashSet<Arc<str>> = self.function.locals.iter().map(|l| l.name.clone()).collect();
        for (i, local) in (0..).map(LocalId).zip(&callee.locals) {
            let origin = match local.origin {
                LocalOrigin::Param | LocalOrigin::User => LocalOrigin::User,
                LocalOrigin::Temp => LocalOrigin::Temp,
            };
            let name = fresh_name(&mut names, &format!("{}::{}", callee.name, local.name));
            self.function.locals.push(Local { name, origin, ..local.clone() });
            self.locals.push(Origin::Callee(self.id, i));
        }
    }

    /// A register for a result that nobody keeps.
    fn add_result(&mut self, callee: &Function, ty: Type) -> LocalId {
        let mut names: FxHashSet<Arc<str>> = self.function.locals.iter().map(|l| l.name.clone()).collect();
        self.function.locals.push(Local {
            name: fresh_name(&mut names, &format!("{}::return", callee.name)),
            storage: Storage::Register(ty),
            origin: LocalOrigin::Temp,
            c_type: "".into(),
            pos: Pos::default(),
        });
        self.locals.push(Origin::Made);
        LocalId(self.function.locals.len() as u32 - 1)
    }

    fn replace(
        &mut self,
        edge: EdgeId,
        call: &Edge,
        dst: Option<Var>,
        args: &[Expr],
        callee: &Function,
        callee_cfa: &Cfa,
    ) {
        let first = self.graph.node(Origin::Callee(self.id, NodeId(0)));
        for node in callee_cfa.nodes().skip(1) {
            self.graph.node(Origin::Callee(self.id, node));
        }
        let local = |i: u32| Var::Local(LocalId(self.base + i));
        let mut enter: Vec<Op> =
            (0..).zip(args).map(|(i, arg)| Op::Assign { var: local(i), value: arg.clone() }).collect();
        let unset = unset_locals(callee).into_iter();
        enter.extend(unset.map(|id| Op::Havoc { var: local(id.0), kind: HavocKind::Uninit }));
        if enter.is_empty() {
            enter.push(Op::Skip);
        }
        let mut from = call.from;
        let last = enter.len() - 1;
        for (i, op) in enter.into_iter().enumerate() {
            let to = if i == last { first } else { self.graph.node(Origin::Made) };
            self.graph.edge(Edge { from, to, op, pos: call.pos }, Origin::Own(edge));
            from = to;
        }
        let mut unkept = None;
        for (i, e) in (0..).map(EdgeId).zip(callee_cfa.edges()) {
            let mut op = renamed(&e.op, self.base);
            let to = match op {
                Op::Return(value) => {
                    op = match (value, dst) {
                        (Some(value), Some(var)) => Op::Assign { var, value },
                        // Evaluation may end the execution.
                        (Some(value), None) if value.children().next().is_some() => {
                            let ty = value.ty;
                            let id = *unkept.get_or_insert_with(|| self.add_result(callee, ty));
                            Op::Assign { var: Var::Local(id), value }
                        }
                        _ => Op::Skip,
                    };
                    call.to
                }
                Op::Halt(_) => self.graph.exit,
                _ => NodeId(first.0 + e.to.0),
            };
            self.graph.edge(
                Edge { from: NodeId(first.0 + e.from.0), to, op, pos: e.pos },
                Origin::Callee(self.id, i),
            );
        }
    }
}

fn fresh_name(used: &mut FxHashSet<Arc<str>>, wanted: &str) -> Arc<str> {
    let mut name: Arc<str> = wanted.into();
    for i in 2u64.. {
        if used.insert(name.clone()) {
            break;
        }
        name = format!("{wanted}#{i}").into();
    }
    name
}

/// The operation with every local moved up by `base`.
fn renamed(op: &Op, base: u32) -> Op {
    let e = |e: &Expr| renamed_expr(e, base);
    let v = |var: &Var| match var {
        Var::Local(id) => Var::Local(LocalId(id.0 + base)),
        Var::Global(_) => *var,
    };
    match op {
        Op::Skip => Op::Skip,
        Op::Assume { cond, holds } => Op::Assume { cond: e(cond), holds: *holds },
        Op::Assign { var, value } => Op::Assign { var: v(var), value: e(value) },
        Op::Store { addr, value } => Op::Store { addr: e(addr), value: e(value) },
        Op::Havoc { var, kind } => Op::Havoc { var: v(var), kind: kind.clone() },
        Op::Copy { dst, src, len } => Op::Copy { dst: e(dst), src: e(src), len: e(len) },
        Op::Fill { dst, byte, len } => Op::Fill { dst: e(dst), byte: e(byte), len: e(len) },
        Op::Alloc { var, size, kind } => Op::Alloc { var: v(var), size: e(size), kind: *kind },
        Op::Free { ptr } => Op::Free { ptr: e(ptr) },
        Op::Call { dst, callee, args } => Op::Call {
            dst: dst.as_ref().map(v),
            callee: match callee {
                Callee::Direct(id) => Callee::Direct(*id),
                Callee::Indirect(target) => Callee::Indirect(e(target)),
            },
            args: args.iter().map(e).collect(),
        },
        Op::Return(value) => Op::Return(value.as_ref().map(e)),
        Op::Check { kind, cond, message } => {
            Op::Check { kind: *kind, cond: e(cond), message: message.clone() }
        }
        Op::Halt(code) => Op::Halt(code.as_ref().map(e)),
    }
}

fn renamed_expr(e: &Expr, base: u32) -> Expr {
    let boxed = |e: &Expr| Box::new(renamed_expr(e, base));
    let kind = match &e.kind {
        ExprKind::Local(id) => ExprKind::Local(LocalId(id.0 + base)),
        ExprKind::AddrLocal(id) => ExprKind::AddrLocal(LocalId(id.0 + base)),
        ExprKind::Const(_)
        | ExprKind::Global(_)
        | ExprKind::AddrGlobal(_)
        | ExprKind::AddrFunc(_)
        | ExprKind::VarArgs => e.kind.clone(),
        ExprKind::Load(a) => ExprKind::Load(boxed(a)),
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, boxed(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, boxed(a), boxed(b)),
        ExprKind::Cast(a) => ExprKind::Cast(boxed(a)),
        ExprKind::Ite(list) => ExprKind::Ite(Box::new(list.each_ref().map(|e| renamed_expr(e, base)))),
        ExprKind::Valid { ptr, size, write } => {
            ExprKind::Valid { ptr: boxed(ptr), size: boxed(size), write: *write }
        }
        ExprKind::Freeable(a) => ExprKind::Freeable(boxed(a)),
        ExprKind::ObjectSize(a) => ExprKind::ObjectSize(boxed(a)),
    };
    Expr { ty: e.ty, kind }
}
