//! A call replaced by the body of the callee.
//!
//! The callee's locals become locals of the caller under new names, so arguments can be assigned one after
//! the other: none of them mentions a variable that is assigned before. What distinguishes an activation is
//! refused or made up for:
//! - registers that may be read unset get `uninit` where the body begins, as at the entry of a function;
//! - memory objects of the callee would live on after its return: nobody may have a pointer to them by then
//!   (see `escape`);
//! - each call has new memory objects: where a call may be made more than once in an activation of the
//!   caller, either nobody can tell new objects from old ones (see `written`), or they are allocated anew;
//! - extra arguments belong to an activation: refused.

use super::escape::own_objects_escape;
use super::graph::Graph;
use super::loops::{body, own_locals};
use super::rename::Rename;
use super::unset::unset_locals;
use super::written::written_before_read;
use super::{MAX_NODES, Origin, TransformError, Transformed};
use crate::cfa::{AllocKind, Callee, Cfa, Edge, EdgeId, HavocKind, NodeId, Op};
use crate::expr::{Expr, ExprKind};
use crate::loops::LoopForest;
use crate::names::{numbered, qualified};
use crate::program::{FuncId, Function, Local, LocalId, LocalOrigin, Pos, Program, Storage, Var};
use crate::types::Type;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The function `caller` with the direct call on `edge` replaced by the body of the function it calls (as it
/// is in the program; calls in that body stay, so a recursive call is unfolded once).
///
/// `caller` need not be a function of the program, but its ids are those of the program. In the result, the
/// edges that pass arguments have the call as their origin; edges of the body, also those that return, come
/// from the callee.
///
/// Where the call may be made more than once in an activation of the caller, memory locals of the callee are
/// refused unless the callee always writes them before it reads them. [`inline_with`] can allocate them
/// instead.
pub fn inline(program: &Program, caller: &Function, edge: EdgeId) -> Result<Transformed, TransformError> {
    inline_with(program, caller, edge, Again::Refuse)
}

/// What to do about a memory local of the callee that has to be a new object in each of several calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Again {
    Refuse,
    /// Each call gets it by `alloc stack`; a register of its name holds the address.
    Allocate,
}

/// As [`inline`], with a choice.
pub fn inline_with(
    program: &Program,
    caller: &Function,
    edge: EdgeId,
    again: Again,
) -> Result<Transformed, TransformError> {
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
    check_escape(program, callee, callee_cfa)?;
    let allocated =
        if is_on_a_cycle(cfa, call) { read_too_early(program, callee, callee_cfa) } else { Vec::new() };
    if !allocated.is_empty() && (again == Again::Refuse || !allocated.iter().all(|id| fits(callee, *id))) {
        return Err(TransformError::Repeated(callee.name.clone()));
    }

    let mut inliner = Inliner {
        program,
        id: *id,
        callee,
        base: caller.locals.len() as u32,
        graph: Graph::with_nodes_of(cfa),
        function: caller.clone(),
        locals: own_locals(caller),
        allocated,
    };
    inliner.add_locals();
    for (i, e) in (0..).map(EdgeId).zip(cfa.edges()) {
        if i == edge {
            let first = inliner.add_nodes(callee_cfa);
            inliner.enter(edge, call, args, first);
            inliner.add_body(callee_cfa, first, *dst, call.to);
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

fn is_memory(local: &Local) -> bool {
    matches!(local.storage, Storage::Memory { .. })
}

fn check_escape(program: &Program, callee: &Function, callee_cfa: &Cfa) -> Result<(), TransformError> {
    let allocates =
        callee_cfa.edges().iter().any(|e| matches!(e.op, Op::Alloc { kind: AllocKind::Stack, .. }));
    if (allocates || callee.locals.iter().any(is_memory)) && own_objects_escape(program, callee) {
        return Err(TransformError::Escapes(callee.name.clone()));
    }
    Ok(())
}

/// The memory locals whose content at the callee's entry may matter.
fn read_too_early(program: &Program, callee: &Function, callee_cfa: &Cfa) -> Vec<LocalId> {
    let memory = (0..).map(LocalId).zip(&callee.locals).filter(|(_, local)| is_memory(local));
    let early = memory.filter(|(id, _)| !written_before_read(callee, callee_cfa, *id, &program.target));
    early.map(|(id, _)| id).collect()
}

/// Can an allocation take the place of this object? It has no better alignment than that of any scalar.
fn fits(callee: &Function, id: LocalId) -> bool {
    matches!(callee.local(id).storage, Storage::Memory { align, .. } if align <= 16)
}

fn is_on_a_cycle(cfa: &Cfa, edge: &Edge) -> bool {
    let forest = LoopForest::of(cfa);
    let mut around = forest.innermost(edge.from);
    while let Some(id) = around.filter(|id| !forest.contains(*id, edge.to)) {
        around = forest.get(id).parent;
    }
    around.is_some()
}

struct Inliner<'a> {
    program: &'a Program,
    id: FuncId,
    callee: &'a Function,
    /// What to add to a local of the callee.
    base: u32,
    graph: Graph,
    function: Function,
    locals: Vec<Origin<LocalId>>,
    /// Memory locals of the callee that are allocated; their local in the caller holds the address.
    allocated: Vec<LocalId>,
}

impl Inliner<'_> {
    fn add_locals(&mut self) {
        let mut names: FxHashSet<Arc<str>> = self.function.locals.iter().map(|l| l.name.clone()).collect();
        for (i, local) in (0..).map(LocalId).zip(&self.callee.locals) {
            let name = fresh_name(&mut names, &qualified(&self.callee.name, &local.name));
            let mut local = Local { name, ..local.clone() };
            let mut from = Origin::Callee(self.id, i);
            if local.origin == LocalOrigin::Param {
                local.origin = LocalOrigin::User;
            }
            if self.allocated.contains(&i) {
                (local.storage, local.origin) = (Storage::Register(Type::Ptr), LocalOrigin::Temp);
                from = Origin::Made;
            }
            self.function.locals.push(local);
            self.locals.push(from);
        }
    }

    /// A register for a result that nobody keeps.
    fn add_result(&mut self, ty: Type) -> LocalId {
        let mut names: FxHashSet<Arc<str>> = self.function.locals.iter().map(|l| l.name.clone()).collect();
        self.function.locals.push(Local {
            name: fresh_name(&mut names, &qualified(&self.callee.name, "return")),
            storage: Storage::Register(ty),
            origin: LocalOrigin::Temp,
            c_type: "".into(),
            pos: Pos::default(),
        });
        self.locals.push(Origin::Made);
        LocalId(self.function.locals.len() as u32 - 1)
    }

    /// All nodes of the callee, in a row; the first of them.
    fn add_nodes(&mut self, callee_cfa: &Cfa) -> NodeId {
        let first = self.graph.node(Origin::Callee(self.id, callee_cfa.entry));
        for node in callee_cfa.nodes().skip(1) {
            self.graph.node(Origin::Callee(self.id, node));
        }
        first
    }

    /// What happens when a function is entered: arguments, then objects, then registers without a value.
    fn enter(&mut self, edge: EdgeId, call: &Edge, args: &[Expr], first: NodeId) {
        let local = |LocalId(i)| Var::Local(LocalId(self.base + i));
        let mut ops: Vec<Op> = (0..)
            .map(LocalId)
            .zip(args)
            .map(|(i, arg)| Op::Assign { var: local(i), value: arg.clone() })
            .collect();
        for &id in &self.allocated {
            if let Storage::Memory { size, .. } = self.callee.local(id).storage {
                let size = Expr::int(self.program.target.intptr(false), size.into());
                ops.push(Op::Alloc { var: local(id), size, kind: AllocKind::Stack });
            }
        }
        for id in unset_locals(self.callee) {
            ops.push(Op::Havoc { var: local(id), kind: HavocKind::Uninit });
        }
        if ops.is_empty() {
            ops.push(Op::Skip);
        }
        let mut from = call.from;
        let last = ops.len() - 1;
        for (i, op) in ops.into_iter().enumerate() {
            let to = if i == last { first } else { self.graph.node(Origin::Made) };
            self.graph.edge(Edge { from, to, op, pos: call.pos }, Origin::Own(edge));
            from = to;
        }
    }

    fn add_body(&mut self, callee_cfa: &Cfa, first: NodeId, dst: Option<Var>, after: NodeId) {
        let mut unkept = None;
        for (i, edge) in (0..).map(EdgeId).zip(callee_cfa.edges()) {
            let op = Rename { base: self.base, allocated: &self.allocated }.op(&edge.op);
            let (op, to) = match op {
                Op::Return(Some(value)) => match dst {
                    Some(var) => (Op::Assign { var, value }, after),
                    // Evaluation may end the execution.
                    None if value.children().next().is_some() => {
                        let id = *unkept.get_or_insert_with(|| self.add_result(value.ty));
                        (Op::Assign { var: Var::Local(id), value }, after)
                    }
                    None => (Op::Skip, after),
                },
                Op::Return(None) => (Op::Skip, after),
                Op::Halt(code) => (Op::Halt(code), self.graph.exit),
                op => (op, NodeId(first.0 + edge.to.0)),
            };
            let from = NodeId(first.0 + edge.from.0);
            self.graph.edge(Edge { from, to, op, pos: edge.pos }, Origin::Callee(self.id, i));
        }
    }
}

fn fresh_name(used: &mut FxHashSet<Arc<str>>, wanted: &str) -> Arc<str> {
    let mut names = (1u64..).map(|n| Arc::<str>::from(numbered(wanted, n)));
    names.find(|name| used.insert(name.clone())).unwrap_or_else(|| wanted.into())
}
