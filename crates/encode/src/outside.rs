//! Calls through pointers that may come from outside: such a pointer is a function without a body.
//!
//! Whether a pointer may come from outside is what the division of memory knows. A call through one that may
//! is taken apart: it is a call of one of the program's functions that fit, if the pointer is the address of
//! one; a call through null; or else a call of unknown code, which gets a name and is treated like every
//! other function without a body. Whoever executes, slices or encodes the program then needs to know nothing
//! of this.

use crate::regions::Regions;
use ir::{
    BinOp, Body, CallGraph, Callee, Cfa, Edge, EdgeId, Expr, ExprKind, FuncId, Function, Local, LocalOrigin,
    NodeId, Op, Pos, Program, Storage, Type,
};

/// The name of code from outside, with a number for each kind of call: no name of C.
pub const OUTSIDE: &str = ".outside";

/// Takes the calls apart in all functions that `entry` may lead to. `body` is what unknown code is, and
/// whether it havocs.
pub fn separate_calls(program: &mut Program, entry: FuncId, body: &Body, havocs: bool) {
    let indirect = |edge: &Edge| matches!(edge.op, Op::Call { callee: Callee::Indirect(_), .. });
    if !program.functions.iter().filter_map(|f| f.cfa()).any(|cfa| cfa.edges().iter().any(indirect)) {
        return;
    }
    let mut functions = Regions::analyse(&[program], &[vec![entry]]).calls_outside(0);
    functions.sort();
    functions.dedup();
    if functions.is_empty() {
        return;
    }
    let graph = CallGraph::of(program);
    for id in functions {
        if let Some(cfa) = separated(program, &graph, id, body, havocs) {
            program.function_mut(id).body = Body::Defined(cfa);
        }
    }
}

fn separated(program: &mut Program, graph: &CallGraph, id: FuncId, body: &Body, havocs: bool) -> Option<Cfa> {
    let cfa = program.function(id).cfa()?.clone();
    let mut nodes = cfa.node_count();
    let mut edges = Vec::new();
    for (i, edge) in cfa.edges().iter().enumerate() {
        let Op::Call { dst, callee: Callee::Indirect(pointer), args } = &edge.op else {
            edges.push(edge.clone());
            continue;
        };
        // An address that is written down is no pointer from outside.
        if matches!(pointer.kind, ExprKind::AddrFunc(_) | ExprKind::Const(_)) {
            edges.push(edge.clone());
            continue;
        }
        let targets = graph.site(id, EdgeId(i as u32)).map_or(&[][..], |site| &site.targets);
        let known = targets.iter().map(|f| Expr { ty: Type::Ptr, kind: ExprKind::AddrFunc(*f) });
        let mut at = edge.from;
        for address in known.chain([Expr::null()]) {
            let cond = Expr::binary(BinOp::Eq, pointer.clone(), address.clone());
            let (call, next) = (NodeId(nodes), NodeId(nodes + 1));
            nodes += 2;
            let mut push = |from: NodeId, to: NodeId, op: Op| {
                edges.push(Edge { from, to, op, pos: edge.pos });
            };
            push(at, call, Op::Assume { cond: cond.clone(), holds: true });
            push(at, next, Op::Assume { cond, holds: false });
            let callee = Callee::Indirect(address);
            push(call, edge.to, Op::Call { dst: *dst, callee, args: args.clone() });
            at = next;
        }
        let ret = dst.and_then(|var| program.register(program.function(id), var));
        let callee = Callee::Direct(unknown_code(program, args, ret, body, havocs));
        let op = Op::Call { dst: *dst, callee, args: args.clone() };
        edges.push(Edge { from: at, to: edge.to, op, pos: edge.pos });
    }
    Some(Cfa::new(nodes, cfa.entry, cfa.exit, edges))
}

/// The function without a body that takes such arguments.
fn unknown_code(
    program: &mut Program,
    args: &[Expr],
    ret: Option<Type>,
    body: &Body,
    havocs: bool,
) -> FuncId {
    let types: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
    let mut count = 0;
    for id in program.function_ids() {
        let function = program.function(id);
        if function.name.starts_with(OUTSIDE) {
            if function.ret == ret && function.param_types().eq(types.iter().copied()) {
                return id;
            }
            count += 1;
        }
    }
    let local = |(i, ty): (usize, &Type)| Local {
        name: format!("arg{i}").into(),
        storage: Storage::Register(*ty),
        origin: LocalOrigin::Param,
        c_type: ty.to_string().into(),
        pos: Pos::default(),
    };
    program.add_function(Function {
        name: format!("{OUTSIDE}{count}").into(),
        ret,
        params: types.len() as u32,
        variadic: false,
        locals: types.iter().enumerate().map(local).collect(),
        body: body.clone(),
        havocs,
        c_type: "code from outside".into(),
        pos: Pos::default(),
    })
}
