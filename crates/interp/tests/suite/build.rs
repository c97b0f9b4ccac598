//! Small programs built by hand, where the text form would be in the way.

use base::Budget;
use interp::{Interp, Options, Run, ZeroInputs};
use ir::{
    Body, Cfa, Edge, Expr, ExprKind, FuncId, Function, Local, LocalId, LocalOrigin, NodeId, Op, Pos, Program,
    Storage, Target, Type, Var,
};

pub fn param(i: u32, ty: Type) -> Expr {
    Expr::var(Var::Local(LocalId(i)), ty)
}

pub fn constant(ty: Type, bits: u128) -> Expr {
    Expr { ty, kind: ExprKind::Const(bits) }
}

/// An edge from each node to the next.
pub fn straight(ops: Vec<Op>) -> Cfa {
    let count = ops.len() as u32;
    let edge = |(i, op)| Edge { from: NodeId(i as u32), to: NodeId(i as u32 + 1), op, pos: Pos::default() };
    Cfa::new(count + 1, NodeId(0), NodeId(count), ops.into_iter().enumerate().map(edge).collect())
}

/// One function `main` with these parameters.
pub fn function(target: Target, params: &[Type], ret: Option<Type>, cfa: Cfa) -> Program {
    let local = |(i, &ty): (usize, &Type)| Local {
        name: format!("p{i}").into(),
        storage: Storage::Register(ty),
        origin: LocalOrigin::Param,
        c_type: "".into(),
        pos: Pos::default(),
    };
    let main = Function {
        name: "main".into(),
        ret,
        params: params.len() as u32,
        variadic: false,
        locals: params.iter().enumerate().map(local).collect(),
        body: Body::Defined(cfa),
        havocs: false,
        c_type: "".into(),
        pos: Pos::default(),
    };
    let program =
        Program { target, files: Vec::new(), globals: Default::default(), functions: vec![main.into()] };
    ir::verify(&program).unwrap_or_else(|list| panic!("{list:#?}"));
    program
}

/// A function that returns `e`; a Bool as 0 or 1.
pub fn returning(target: Target, params: &[Type], e: Expr) -> Program {
    let e = if e.ty == Type::Bool { Expr::cast(Type::U8, e) } else { e };
    function(target, params, Some(e.ty), straight(vec![Op::Return(Some(e))]))
}

/// A function that branches on `e`, and returns 1 or 0.
pub fn branching(target: Target, params: &[Type], e: Expr) -> Program {
    let edge = |from, to, op| Edge { from: NodeId(from), to: NodeId(to), op, pos: Pos::default() };
    let assume = |holds| Op::Assume { cond: e.clone(), holds };
    let give = |n| Op::Return(Some(Expr::int(Type::U8, n)));
    let edges =
        vec![edge(0, 1, assume(true)), edge(0, 2, assume(false)), edge(1, 3, give(1)), edge(2, 3, give(0))];
    function(target, params, Some(Type::U8), Cfa::new(4, NodeId(0), NodeId(3), edges))
}

pub fn call(program: &Program, args: &[u128]) -> Run {
    let mut interp = Interp::new(program, Options::new(FuncId(0))).unwrap();
    interp.call(FuncId(0), args, &mut ZeroInputs, &Budget::unlimited())
}
