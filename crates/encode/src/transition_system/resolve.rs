//! Calls through pointers become choices.
//!
//! A call through a pointer has one branch for each function that the pointer may hold and that fits the call
//! (as the call graph says); where it holds none of them the execution has no meaning, and ends. New nodes
//! come after all others.

use ir::{BinOp, Body, CallGraph, Callee, Cfa, Edge, EdgeId, Expr, ExprKind, FuncId, Function, NodeId, Op};
use ir::{Program, Storage, Type};

/// The program without calls through pointers, and for each function that had some the original edge of each
/// edge.
pub(super) fn resolve(program: &Program) -> (Program, Vec<Option<Vec<EdgeId>>>) {
    let graph = CallGraph::of(program);
    let mut origins = Vec::with_capacity(program.functions.len());
    let mut result = program.clone();
    for id in program.function_ids() {
        origins.push(resolved(program, &graph, id).map(|(cfa, origin)| {
            result.function_mut(id).body = Body::Defined(cfa);
            origin
        }));
    }
    (result, origins)
}

fn resolved(program: &Program, graph: &CallGraph, id: FuncId) -> Option<(Cfa, Vec<EdgeId>)> {
    let cfa = program.function(id).cfa()?;
    graph.sites(id).iter().find(|site| site.indirect)?;
    let mut nodes = cfa.node_count();
    let mut edges: Vec<(Edge, EdgeId)> = Vec::new();
    for (i, edge) in cfa.edges().iter().enumerate() {
        let origin = EdgeId(i as u32);
        let Op::Call { dst, callee: Callee::Indirect(pointer), args } = &edge.op else {
            edges.push((edge.clone(), origin));
            continue;
        };
        let targets = graph.site(id, origin).map_or(&[][..], |site| &site.targets);
        let mut fresh = || {
            nodes += 1;
            NodeId(nodes - 1)
        };
        let mut at = edge.from;
        for target in targets {
            let holds = Expr::binary(
                BinOp::Eq,
                pointer.clone(),
                Expr { ty: Type::Ptr, kind: ExprKind::AddrFunc(*target) },
            );
            let (call, next) = (fresh(), fresh());
            let mut push = |from: NodeId, to: NodeId, op: Op| {
                edges.push((Edge { from, to, op, pos: edge.pos }, origin));
            };
            push(at, call, Op::Assume { cond: holds.clone(), holds: true });
            push(at, next, Op::Assume { cond: holds, holds: false });
            let callee = Callee::Direct(*target);
            let args = passed(program.function(*target), args);
            push(call, edge.to, Op::Call { dst: *dst, callee, args });
            at = next;
        }
        let stop = Op::Assume { cond: Expr::bool(false), holds: true };
        edges.push((Edge { from: at, to: edge.to, op: stop, pos: edge.pos }, origin));
    }
    // As [`Cfa::new`] orders them.
    edges.sort_by_key(|(edge, _)| edge.from);
    let (edges, origins): (Vec<Edge>, Vec<EdgeId>) = edges.into_iter().unzip();
    Some((Cfa::new(nodes, cfa.entry, cfa.exit, edges), origins))
}

/// The arguments as the parameters read them: the bits stay, whatever the caller took them for.
fn passed(callee: &Function, args: &[Expr]) -> Vec<Expr> {
    let fit = |(i, arg): (usize, &Expr)| match callee.locals.get(i).map(|l| l.storage) {
        Some(Storage::Register(ty)) if i < callee.params as usize && ty != arg.ty => {
            Expr::cast(ty, arg.clone())
        }
        _ => arg.clone(),
    };
    args.iter().enumerate().map(fit).collect()
}
