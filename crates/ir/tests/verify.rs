//! For every rule of the verifier, programs that break just that rule.

use ir::verify::{MAX_DEPTH, RULES};
use ir::*;
use std::collections::BTreeSet;

/// A valid program; the cases below change it.
const BASE: &str = r#"target lp64
file "a.c"
global n: i32 = {0: 7i32}
const k: i32
global m: memory 16 align 8 = {0: b"ab", 8: &@m + 4i64}
func f(x: i32, p: ptr, ...) -> i32 {
  local y: i32
  local buf: memory 8 align 4
  local q: ptr
  nodes 5 entry 0 exit 4
  0 -> 1: assume x < y @1:1
  0 -> 2: assume not x < y @1:1
  1 -> 2: y = x @2:2
  2 -> 3: skip
  3 -> 4: return y
}
func g(a: i32) extern
func v() {
  nodes 2 entry 0 exit 1
  0 -> 1: return
}
func z() poisoned "asm"
"#;

fn base() -> Program {
    parse(BASE).unwrap()
}

fn check(rule: &str, program: &Program) {
    let found: BTreeSet<&str> = match verify(program) {
        Ok(()) => BTreeSet::new(),
        Err(list) => list.iter().map(|v| v.rule).collect(),
    };
    assert_eq!(found, BTreeSet::from([rule]), "\n{}", print(program));
}

/// The base program with another operation on edge 2 -> 3.
fn with_op(op: Op) -> Program {
    let mut program = base();
    *function(&mut program, |cfa| cfa.edge_mut(EdgeId(3))) = op;
    program
}

fn function<'a, T>(program: &'a mut Program, get: impl FnOnce(&'a mut Cfa) -> T) -> T {
    match &mut program.function_mut(FuncId(0)).body {
        Body::Defined(cfa) => get(cfa),
        _ => unreachable!("f is defined"),
    }
}

/// The base program with an operation that reads `e` and allows any type that can be stored.
fn with_expr(e: Expr) -> Program {
    if e.ty == Type::Bool {
        with_op(Op::Assume { cond: e, holds: true })
    } else {
        with_op(Op::Store { addr: Expr::null(), value: e })
    }
}

/// The base program with other edges in `f`.
fn with_edges(nodes: u32, exit: u32, edges: &[(u32, u32, Op)]) -> Program {
    let mut program = base();
    let edge = |(from, to, op): &(u32, u32, Op)| Edge {
        from: NodeId(*from),
        to: NodeId(*to),
        op: op.clone(),
        pos: Pos::default(),
    };
    let edges = edges.iter().map(edge).collect();
    program.function_mut(FuncId(0)).body = Body::Defined(Cfa::new(nodes, NodeId(0), NodeId(exit), edges));
    program
}

fn with(change: impl FnOnce(&mut Program)) -> Program {
    let mut program = base();
    change(&mut program);
    program
}

fn op(text: &str) -> Program {
    let text = BASE.replace("2 -> 3: skip", &format!("2 -> 3: {text}"));
    parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn text(from: &str, to: &str) -> Program {
    assert!(BASE.contains(from), "{from}");
    parse(&BASE.replace(from, to)).unwrap_or_else(|e| panic!("{from} -> {to}: {e}"))
}

fn node(ty: Type, kind: ExprKind) -> Expr {
    Expr { ty, kind }
}

fn boxed(e: Expr) -> Box<Expr> {
    Box::new(e)
}

fn one(ty: Type) -> Expr {
    Expr::int(ty, 1)
}

fn ret() -> Op {
    Op::Return(Some(one(Type::I32)))
}

fn assume(value: i128, holds: bool) -> Op {
    let cond = Expr::binary(BinOp::Eq, Expr::int(Type::I32, value), one(Type::I32));
    Op::Assume { cond, holds }
}

fn i7() -> Type {
    Type::int(7, true)
}

fn binary(ty: Type, op: BinOp, a: Type, b: Type) -> Program {
    with_expr(node(ty, ExprKind::Binary(op, boxed(one(a)), boxed(one(b)))))
}

fn unary(op: UnOp, a: Type) -> Program {
    with_expr(Expr::unary(op, one(a)))
}

fn call(callee: u32, args: Vec<Expr>, dst: Option<Var>) -> Program {
    with_op(Op::Call { dst, callee: Callee::Direct(FuncId(callee)), args })
}

fn var(id: u32) -> Var {
    Var::Local(LocalId(id))
}

fn programs() -> Vec<(&'static str, Program)> {
    let mut deep = one(Type::I32);
    for _ in 0..MAX_DEPTH {
        deep = Expr::unary(UnOp::Neg, deep);
    }
    vec![
        ("unique-name", with(|p| p.globals_mut()[1].name = "n".into())),
        ("unique-name", with(|p| p.function_mut(FuncId(1)).name = "f".into())),
        ("unique-name", with(|p| p.function_mut(FuncId(1)).name = "n".into())),
        ("unique-name", with(|p| p.function_mut(FuncId(0)).locals[2].name = "x".into())),
        ("position", text("skip", "skip @1:1:1")),
        ("position", text("skip", "skip @0:5")),
        ("position", text("local y: i32", "local y: i32 @3:0")),
        ("position", text("poisoned \"asm\"", "poisoned \"asm\" @9:1:1")),
        ("position", text("const k: i32", "const k: i32 @9:1:1")),
        ("position", text("-> i32 {", "-> i32 @9:1:1 {")),
        ("int-width", with(|p| p.globals_mut()[1].storage = Storage::Register(i7()))),
        ("int-width", with(|p| p.function_mut(FuncId(1)).ret = Some(i7()))),
        ("int-width", with_expr(Expr::cast(Type::I32, one(i7())))),
        ("bool-value", with(|p| p.globals_mut()[1].storage = Storage::Register(Type::Bool))),
        ("bool-value", with_op(Op::Store { addr: Expr::null(), value: Expr::bool(true) })),
        ("bool-value", with_expr(Expr::cast(Type::I32, Expr::load(Type::Bool, Expr::null())))),
        ("bool-value", call(0, vec![one(Type::I32), Expr::null(), Expr::bool(true)], None)),
        (
            "bool-value",
            with(|p| {
                *p = with_op(Op::Assign { var: var(4), value: Expr::bool(true) });
                p.function_mut(FuncId(0)).locals[4].storage = Storage::Register(Type::Bool);
            }),
        ),
        ("bool-value", with(|p| p.function_mut(FuncId(1)).ret = Some(Type::Bool))),
        (
            "bool-value",
            with(|p| {
                let item = InitItem { offset: 0, value: InitValue::Scalar(Expr::bool(true)) };
                p.globals_mut()[2].init = Some(Init { items: vec![item] });
            }),
        ),
        ("alignment", text("memory 8 align 4", "memory 8 align 3")),
        ("alignment", text("memory 16 align 8", "memory 16 align 0")),
        ("init-order", text("8: &@m + 4i64", "1: b\"c\"")),
        ("init-order", text("0: b\"ab\", 8: &@m + 4i64", "8: &@m, 0: b\"ab\"")),
        ("init-range", text("8: &@m + 4i64", "9: &@m")),
        ("init-range", text("8: &@m + 4i64", "18446744073709551615: b\"abc\"")),
        ("init-register", text("{0: 7i32}", "{1: 7i32}")),
        ("init-register", text("{0: 7i32}", "{0: 7i64}")),
        ("init-register", text("{0: 7i32}", "{0: 7i32, 4: 7i32}")),
        ("init-register", text("{0: 7i32}", "{0: b\"abcd\"}")),
        ("init-constant", text("{0: 7i32}", "{0: @k}")),
        ("init-constant", text("{0: 7i32}", "{0: 7i32 + 1i32}")),
        ("init-constant", text("&@m + 4i64", "ptr[&@m]")),
        ("init-constant", text("&@m + 4i64", "(&@m + 4i64) + 4i64")),
        ("havocs", with(|p| p.function_mut(FuncId(0)).havocs = true)),
        ("params", with(|p| p.function_mut(FuncId(1)).params = 2)),
        ("params", with(|p| p.function_mut(FuncId(1)).params = 0)),
        (
            "params",
            with(|p| p.function_mut(FuncId(1)).locals[0].storage = Storage::Memory { size: 4, align: 4 }),
        ),
        ("params", with(|p| p.function_mut(FuncId(1)).locals[0].origin = LocalOrigin::User)),
        ("entry", with_edges(3, 7, &[(0, 1, Op::Skip), (1, 0, Op::Skip)])),
        ("entry", with(|p| function(p, |cfa| cfa.entry = NodeId(1)))),
        ("node-range", with_edges(3, 2, &[(0, 2, ret()), (7, 1, Op::Skip)])),
        ("node-range", with_edges(3, 2, &[(0, 2, ret()), (1, 7, Op::Skip)])),
        ("branching", with_edges(3, 2, &[(0, 1, Op::Skip), (0, 1, Op::Skip), (1, 2, ret())])),
        ("branching", with_edges(3, 2, &[(0, 1, assume(1, false)), (0, 1, assume(1, true)), (1, 2, ret())])),
        ("branching", with_edges(3, 2, &[(0, 1, assume(1, true)), (0, 1, assume(2, false)), (1, 2, ret())])),
        (
            "branching",
            with_edges(
                3,
                2,
                &[(0, 1, assume(1, true)), (0, 1, assume(1, false)), (0, 1, Op::Skip), (1, 2, ret())],
            ),
        ),
        ("exit-edge", with_edges(3, 2, &[(0, 1, ret()), (1, 2, ret())])),
        ("exit-edge", with_edges(3, 2, &[(0, 1, Op::Halt(None)), (1, 2, ret())])),
        ("exit-edge", with_edges(3, 2, &[(0, 1, Op::Skip), (1, 2, Op::Skip)])),
        ("exit-out", with_edges(2, 1, &[(0, 1, ret()), (1, 0, Op::Skip)])),
        ("dead-end", with_edges(3, 2, &[(0, 1, Op::Skip)])),
        ("id-range", with_expr(node(Type::I32, ExprKind::Local(LocalId(9))))),
        ("id-range", with_expr(node(Type::I32, ExprKind::Global(GlobalId(9))))),
        ("id-range", with_expr(node(Type::Ptr, ExprKind::AddrLocal(LocalId(9))))),
        ("id-range", with_expr(node(Type::Ptr, ExprKind::AddrGlobal(GlobalId(9))))),
        ("id-range", with_expr(node(Type::Ptr, ExprKind::AddrFunc(FuncId(9))))),
        ("id-range", with_op(Op::Havoc { var: var(9), kind: HavocKind::Uninit })),
        ("id-range", with_op(Op::Havoc { var: Var::Global(GlobalId(9)), kind: HavocKind::Uninit })),
        ("id-range", call(9, vec![], None)),
        ("register-use", with_expr(node(Type::I32, ExprKind::Local(LocalId(3))))),
        ("register-use", with_expr(node(Type::I32, ExprKind::Global(GlobalId(2))))),
        ("register-use", with_op(Op::Assign { var: var(3), value: one(Type::I32) })),
        ("register-use", with_op(Op::Havoc { var: Var::Global(GlobalId(2)), kind: HavocKind::Asm })),
        ("memory-use", op("q = &y")),
        ("memory-use", op("q = &@n")),
        ("constant-global", op("@k = 1i32")),
        ("constant-global", op("@k = uninit")),
        ("variable-type", with_expr(node(Type::I64, ExprKind::Local(LocalId(2))))),
        ("variable-type", with_expr(node(Type::U32, ExprKind::Global(GlobalId(0))))),
        ("constant-range", op("y = i32#100000000")),
        ("constant-range", op("assume bool#2")),
        ("constant-range", op("u8[q] = u8#100")),
        ("constant-range", op("f32[q] = f32#100000000")),
        ("constant-range", op("f80[q] = f80#100000000000000000000")),
        ("constant-range", op("q = ptr#10000000000000000")),
        ("operator-type", binary(Type::I32, BinOp::Add, Type::I32, Type::U32)),
        ("operator-type", binary(Type::U32, BinOp::Add, Type::I32, Type::I32)),
        ("operator-type", binary(Type::Ptr, BinOp::Add, Type::Ptr, Type::Ptr)),
        ("operator-type", binary(Type::Ptr, BinOp::Sub, Type::Ptr, Type::Ptr)),
        ("operator-type", binary(Type::F64, BinOp::And, Type::F64, Type::F64)),
        ("operator-type", binary(Type::F64, BinOp::Shl, Type::F64, Type::F64)),
        ("operator-type", binary(Type::I32, BinOp::Shr, Type::I32, Type::U8)),
        ("operator-type", binary(Type::Bool, BinOp::Eq, Type::I32, Type::I64)),
        ("operator-type", binary(Type::I32, BinOp::Eq, Type::I32, Type::I32)),
        ("operator-type", binary(Type::Bool, BinOp::Lt, Type::Bool, Type::Bool)),
        ("operator-type", binary(Type::Ptr, BinOp::PtrAdd, Type::Ptr, Type::U64)),
        ("operator-type", binary(Type::Ptr, BinOp::PtrAdd, Type::Ptr, Type::I32)),
        ("operator-type", binary(Type::U64, BinOp::PtrSub, Type::Ptr, Type::Ptr)),
        ("operator-type", binary(Type::I64, BinOp::PtrSub, Type::Ptr, Type::I64)),
        ("operator-type", binary(Type::Bool, BinOp::AddOverflows, Type::F64, Type::F64)),
        ("operator-type", binary(Type::I32, BinOp::MulOverflows, Type::I32, Type::I32)),
        ("operator-type", unary(UnOp::Neg, Type::Ptr)),
        ("operator-type", unary(UnOp::Neg, Type::Bool)),
        ("operator-type", unary(UnOp::Not, Type::F32)),
        ("operator-type", unary(UnOp::Sqrt, Type::I32)),
        ("operator-type", with_expr(node(Type::I64, ExprKind::Unary(UnOp::Neg, boxed(one(Type::I32)))))),
        ("operator-type", with_expr(Expr::load(Type::I32, one(Type::U64)))),
        ("operator-type", with_expr(Expr::ite(one(Type::I32), one(Type::I32), one(Type::I32)))),
        ("operator-type", with_expr(Expr::ite(Expr::bool(true), one(Type::I32), one(Type::U32)))),
        ("operator-type", op("assume valid_read(1u64, 1u64)")),
        ("operator-type", op("assume valid_read(q, 1i64)")),
        ("operator-type", op("assume freeable(1u64)")),
        ("operator-type", op("u64[q] = object_size(1u64)")),
        ("operator-type", with_expr(node(Type::I64, ExprKind::AddrFunc(FuncId(0))))),
        ("operator-type", with_expr(node(Type::I64, ExprKind::AddrGlobal(GlobalId(2))))),
        ("operator-type", with_expr(node(Type::I64, ExprKind::VarArgs))),
        ("cast-type", op("assume bool(y)")),
        ("cast-type", op("f64[q] = f64(true)")),
        ("cast-type", op("f64[q] = f64(q)")),
        ("cast-type", op("q = ptr(1.5f64)")),
        ("cast-type", op("q = ptr(q)")),
        (
            "varargs",
            with(|p| {
                *p = op("q = varargs");
                p.function_mut(FuncId(0)).variadic = false;
            }),
        ),
        ("depth", with_expr(deep)),
        ("op-type", op("assume y")),
        ("op-type", op("check assertion y")),
        ("op-type", op("y = 1i64")),
        ("op-type", with_op(Op::Store { addr: one(Type::U64), value: one(Type::I32) })),
        ("op-type", op("copy 1u64, q, 1u64")),
        ("op-type", op("copy q, 1u64, 1u64")),
        ("op-type", op("copy q, q, 1i64")),
        ("op-type", op("fill 1u64, 1u8, 1u64")),
        ("op-type", op("fill q, 1i8, 1u64")),
        ("op-type", op("fill q, 1u8, 1u32")),
        ("op-type", op("q = alloc heap 1i32")),
        ("op-type", op("y = alloc heap 1u64")),
        ("op-type", op("free 1u64")),
        ("op-type", op("call *(y)()")),
        ("op-type", text("return y", "halt 1i64")),
        ("call-args", op("call g()")),
        ("call-args", op("call g(1i32, 2i32)")),
        ("call-args", op("call g(1u32)")),
        ("call-args", op("call f(1i32)")),
        ("call-result", op("y = call v()")),
        ("call-result", op("q = call f(1i32, q)")),
        ("return-type", text("return y", "return")),
        ("return-type", text("return y", "return q")),
        ("return-type", text("0 -> 1: return\n", "0 -> 1: return 1i32\n")),
        ("message", op("check assertion true \"\"")),
        ("message", op("y = input \"\"")),
        ("message", text("poisoned \"asm\"", "poisoned \"\"")),
    ]
}

#[test]
fn the_base_is_valid() {
    assert_eq!(verify(&base()), Ok(()));
    // Allowed on purpose.
    for text in [
        "call f(1i32, q, 1.5f64, 2u8)",
        "call f(1i32, q)",
        "call z(1i32, 2i32)",
        "call *(q)(1i32)",
        "y = call *(func g)(1u32, 2u32)",
        "assume y == y",
        "assume not y == y",
        "f64[q] = 1.5f64 % 2.5f64",
        "y = i32(true)",
        "assume ite(true, false, true == false)",
    ] {
        assert_eq!(verify(&op(text)), Ok(()), "{text}");
    }
}

#[test]
fn each_rule_is_broken_alone() {
    let mut covered = BTreeSet::new();
    for (rule, program) in programs() {
        check(rule, &program);
        covered.insert(rule);
    }
    let all: BTreeSet<&str> = RULES.iter().map(|(rule, _)| *rule).collect();
    assert_eq!(covered, all);
}

#[test]
fn violations_say_where() {
    let list = verify(&text("y = x", "y = 1i64")).unwrap_err();
    assert_eq!(list.len(), 1);
    let found = &list[0];
    assert_eq!(found.function.as_deref(), Some("f"));
    assert_eq!((found.edge, found.pos), (Some(EdgeId(2)), Pos { file: 0, line: 2, column: 2 }));
    assert_eq!(found.to_string(), "[op-type] function f, edge 2: the assigned value is i64, not i32");
}

#[test]
fn very_deep_expressions_do_not_overflow_the_stack() {
    let mut deep = Expr::bool(true);
    for _ in 0..300_000 {
        deep = Expr::unary(UnOp::Not, deep);
    }
    let program = with_op(Op::Assume { cond: deep, holds: true });
    let list = verify(&program).unwrap_err();
    assert_eq!(list.iter().map(|v| v.rule).collect::<Vec<_>>(), ["depth"]);
    // Dropping it would recurse, which is nobody's business here.
    std::mem::forget(program);
}
