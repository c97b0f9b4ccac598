//! Shapes: what small functions look like after a transformation, and what is refused. (That they do the same
//! as before is tested with the interpreter.)

use ir::transform::{
    Again, MAX_NODES, Origin, TransformError, Transformed, inline, inline_with, normalize, peel,
    reverse_post_order, split, unroll, unset_locals,
};
use ir::{BinOp, EdgeId, Expr, FuncId, Function, LocalId, NodeId, Program, Type, Var, parse, verify};

const GLOBALS: &str = "target lp64\nglobal v: i32\nglobal p: ptr\nglobal cell: memory 8 align 8\n";

fn program(functions: &str) -> Program {
    let program = parse(&format!("{GLOBALS}{functions}")).unwrap_or_else(|e| panic!("{e}\n{functions}"));
    verify(&program).unwrap_or_else(|list| panic!("{list:#?}\n{functions}"));
    program
}

/// The result verifies in place of `f`, the first function, and its body reads as `expected`: locals that
/// were added, then edges.
fn check(program: &Program, result: Result<Transformed, TransformError>, expected: &str) -> Transformed {
    let t = result.unwrap_or_else(|e| panic!("{e}"));
    let before = program.functions[0].locals.len();
    let mut after = program.clone();
    after.functions[0] = t.function.clone().into();
    verify(&after).unwrap_or_else(|list| panic!("{list:#?}"));
    let text = ir::print_function(&after, FuncId(0));
    let lines = text.lines().map(str::trim);
    let locals = lines.clone().filter(|l| l.starts_with("local ") || l.starts_with("temp "));
    let own = before - program.functions[0].params as usize;
    let edges = lines.filter(|l| l.contains(" -> ") && l.contains(": ") && !l.starts_with("func"));
    let found: Vec<&str> = locals.skip(own).chain(edges).collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(found, expected, "{text}");
    t
}

fn own<Id: Copy>(origins: &[Origin<Id>]) -> Vec<Option<Id>> {
    origins.iter().map(|o| o.own()).collect()
}

fn nodes(list: &[u32]) -> Vec<Option<NodeId>> {
    list.iter().map(|&n| Some(NodeId(n))).collect()
}

fn edges(list: &[u32]) -> Vec<Option<EdgeId>> {
    list.iter().map(|&n| Some(EdgeId(n))).collect()
}

/// `for (i = 0; i < n; i++) s += i;` with node 5 the exit.
const LOOP: &str = "func f(n: i32) -> i32 {
  local i: i32
  local s: i32
  nodes 7 entry 0 exit 5
  0 -> 1: i = 0i32
  1 -> 2: s = 0i32
  2 -> 3: assume i < n
  2 -> 4: assume not i < n
  3 -> 6: s = s + i
  6 -> 2: i = i + 1i32
  4 -> 5: return s
}
";

fn var(id: u32) -> Expr {
    Expr::var(Var::Local(LocalId(id)), Type::I32)
}

#[test]
fn in_order() {
    let program = program(LOOP);
    let f = &program.functions[0];
    let t = check(
        &program,
        normalize(f),
        "0 -> 1: i = 0i32
        1 -> 2: s = 0i32
        2 -> 3: assume i < n
        2 -> 5: assume not i < n
        3 -> 4: s = s + i
        4 -> 2: i = i + 1i32
        5 -> 6: return s",
    );
    assert_eq!(own(&t.nodes), nodes(&[0, 1, 2, 3, 6, 4, 5]));
    // The input's edges are numbered by the nodes they leave.
    assert_eq!(own(&t.edges), edges(&[0, 1, 2, 3, 4, 6, 5]));
    assert_eq!(normalize(&t.function).map(|again| again.function), Ok(t.function.clone()));
    let order: Vec<u32> = reverse_post_order(f.cfa().unwrap()).iter().map(|n| n.0).collect();
    assert_eq!(order, [0, 1, 2, 3, 6, 4, 5]);
}

#[test]
fn unrolled() {
    let program = program(LOOP);
    let f = &program.functions[0];
    let t = check(
        &program,
        unroll(f, NodeId(2), 2),
        "0 -> 1: i = 0i32
        1 -> 2: s = 0i32
        2 -> 3: assume i < n
        2 -> 8: assume not i < n
        3 -> 4: s = s + i
        4 -> 5: i = i + 1i32
        5 -> 6: assume i < n
        5 -> 8: assume not i < n
        6 -> 7: s = s + i
        7 -> 2: i = i + 1i32
        8 -> 9: return s",
    );
    assert_eq!(own(&t.nodes), nodes(&[0, 1, 2, 3, 6, 2, 3, 6, 4, 5]));
    assert_eq!(own(&t.edges), edges(&[0, 1, 2, 3, 4, 6, 2, 3, 4, 6, 5]));
    assert_eq!(t.heads, [NodeId(2)]);
    assert_eq!(t.copies_of(NodeId(2)).collect::<Vec<_>>(), [NodeId(2), NodeId(5)]);
    assert_eq!(t.edges_of(EdgeId(6)).collect::<Vec<_>>(), [EdgeId(5), EdgeId(9)]);
    assert_eq!(unroll(f, NodeId(2), 1).unwrap().function, normalize(f).unwrap().function);
    assert_eq!(Transformed::unchanged(f).map(|same| same.then(t.clone())), Some(t));
}

#[test]
fn peeled() {
    let program = program(LOOP);
    let f = &program.functions[0];
    let t = check(
        &program,
        peel(f, NodeId(2), 1),
        "0 -> 1: i = 0i32
        1 -> 2: s = 0i32
        2 -> 3: assume i < n
        2 -> 8: assume not i < n
        3 -> 4: s = s + i
        4 -> 5: i = i + 1i32
        5 -> 6: assume i < n
        5 -> 8: assume not i < n
        6 -> 7: s = s + i
        7 -> 5: i = i + 1i32
        8 -> 9: return s",
    );
    assert_eq!(t.heads, [NodeId(5)]);
    assert_eq!(peel(f, NodeId(2), 0).unwrap().function, normalize(f).unwrap().function);
}

#[test]
fn split_in_two() {
    let program = program(LOOP);
    let f = &program.functions[0];
    let cond = Expr::binary(BinOp::Lt, var(1), Expr::int(Type::I32, 5));
    let t = check(
        &program,
        split(f, NodeId(2), cond),
        "0 -> 1: i = 0i32
        1 -> 2: s = 0i32
        2 -> 3: assume i < 5i32
        2 -> 6: assume not i < 5i32
        3 -> 4: assume i < n
        3 -> 9: assume not i < n
        4 -> 5: s = s + i
        5 -> 2: i = i + 1i32
        6 -> 7: assume i < n
        6 -> 9: assume not i < n
        7 -> 8: s = s + i
        8 -> 6: i = i + 1i32
        9 -> 10: return s",
    );
    assert_eq!(own(&t.nodes), nodes(&[0, 1, 2, 2, 3, 6, 2, 3, 6, 4, 5]));
    assert_eq!(t.edges[2..4], [Origin::Made, Origin::Made]);
    assert_eq!(t.heads, [NodeId(2), NodeId(6)]);
}

/// The loop begins where the function does, has two ways round, and one inside that nobody leaves but by a
/// return.
#[test]
fn odd_loops() {
    let program = program(
        "func f(n: i32) -> i32 {
          nodes 5 entry 0 exit 4
          0 -> 1: assume n < @v
          0 -> 2: assume not n < @v
          1 -> 0: n = n + 1i32
          2 -> 2: assume n == 7i32
          2 -> 3: assume not n == 7i32
          3 -> 0: assume n == 9i32
          3 -> 3: assume not n == 9i32
        }",
    );
    let f = &program.functions[0];
    let t = check(
        &program,
        peel(f, NodeId(0), 1),
        "0 -> 1: assume n < @v
        0 -> 2: assume not n < @v
        1 -> 4: n = n + 1i32
        2 -> 2: assume n == 7i32
        2 -> 3: assume not n == 7i32
        3 -> 4: assume n == 9i32
        3 -> 3: assume not n == 9i32
        4 -> 5: assume n < @v
        4 -> 6: assume not n < @v
        5 -> 4: n = n + 1i32
        6 -> 6: assume n == 7i32
        6 -> 7: assume not n == 7i32
        7 -> 4: assume n == 9i32
        7 -> 7: assume not n == 9i32",
    );
    assert_eq!(t.heads, [NodeId(4)]);
    assert_eq!(unroll(f, NodeId(2), 3).unwrap().copies_of(NodeId(2)).count(), 3);
    let cond = Expr::binary(BinOp::Ne, var(0), Expr::int(Type::I32, 0));
    let t = split(f, NodeId(0), cond).unwrap();
    assert_eq!(t.heads[0], NodeId(0));
    assert_eq!(t.nodes[..2], [Origin::Own(NodeId(0)), Origin::Own(NodeId(0))]);
}

#[test]
fn loops_that_are_refused() {
    let text = format!(
        "{LOOP}func irreducible() {{
          nodes 4 entry 0 exit 3
          0 -> 1: assume @v == 0i32
          0 -> 2: assume not @v == 0i32
          1 -> 2: skip
          2 -> 1: @v = 1i32
        }}
        func e() extern"
    );
    let program = program(&text);
    let [f, irreducible, e] = &program.functions[..] else { panic!() };
    let head = NodeId(2);
    let check = |found: Result<Transformed, TransformError>, expected: TransformError, message: &str| {
        assert_eq!(found, Err(expected.clone()));
        assert_eq!(expected.to_string(), message);
    };
    check(unroll(f, head, 0), TransformError::NoCopies, "a loop cannot be unrolled zero times");
    check(unroll(f, NodeId(3), 2), TransformError::NoLoop(NodeId(3)), "node 3 is not the head of a loop");
    check(peel(f, NodeId(99), 2), TransformError::NoLoop(NodeId(99)), "node 99 is not the head of a loop");
    for times in [MAX_NODES / 3, u32::MAX - 1, u32::MAX] {
        assert_eq!(peel(f, head, times), Err(TransformError::TooLarge), "{times}");
        assert_eq!(unroll(f, head, times), Err(TransformError::TooLarge), "{times}");
    }
    let irreducible_error = TransformError::Irreducible(NodeId(1));
    let message = "the loop at node 1 can be entered past its head";
    check(normalize(irreducible), irreducible_error.clone(), message);
    check(unroll(irreducible, NodeId(1), 2), irreducible_error.clone(), message);
    check(peel(irreducible, NodeId(1), 2), irreducible_error.clone(), message);
    check(split(irreducible, NodeId(1), Expr::bool(true)), irreducible_error, message);
    check(normalize(e), TransformError::Undefined("e".into()), "e has no definition");

    check(
        split(f, head, var(1)),
        TransformError::NotACondition,
        "the value to split a loop by is not a condition",
    );
    let is_zero = |e: Expr| {
        let zero = Expr::int(e.ty, 0);
        Expr::binary(BinOp::Eq, e, zero)
    };
    let impure = "the condition to split a loop by looks at more than registers";
    for e in [Expr::load(Type::I32, Expr::null()), Expr::binary(BinOp::Div, var(1), var(0))] {
        check(split(f, head, is_zero(e)), TransformError::NotPure, impure);
    }
    for (id, ty) in [(3, Type::I32), (1, Type::I64)] {
        let e = Expr::var(Var::Local(LocalId(id)), ty);
        let message = format!("local {id} does not exist or is something else");
        check(split(f, head, is_zero(e)), TransformError::NotHere(LocalId(id)), &message);
    }
    let here = |id: u32| Expr { ty: Type::Ptr, kind: ir::ExprKind::AddrLocal(LocalId(id)) };
    for id in [1, 3] {
        let found = split(f, head, Expr::binary(BinOp::Eq, here(id), Expr::null()));
        assert_eq!(found, Err(TransformError::NotHere(LocalId(id))));
    }
    let mut late = ir::Function::clone(f);
    late.locals.push(ir::Local { name: "late".into(), ..late.locals[1].clone() });
    check(
        split(&late, head, is_zero(var(3))),
        TransformError::Unset("late".into()),
        "late may have no value at the loop's head",
    );
}

#[test]
fn inlined() {
    let program = program(
        "func f(x: i32) -> i32 {
          local twice::a: i32
          nodes 4 entry 0 exit 3
          0 -> 1: x = call twice(i32[@p], x)
          1 -> 2: call twice(x, 1i32)
          2 -> 3: return x
        }
        func twice(a: i32, b: i32) -> i32 {
          temp t: i32
          nodes 4 entry 0 exit 3
          0 -> 1: assume a < b
          0 -> 2: assume not a < b
          1 -> 3: halt a
          2 -> 3: return a * 2i32
        }",
    );
    let f = &program.functions[0];
    let t = check(
        &program,
        inline(&program, f, EdgeId(0)),
        "local twice::a#2: i32
        local twice::b: i32
        temp twice::t: i32
        0 -> 1: twice::a#2 = i32[@p]
        1 -> 2: twice::b = x
        2 -> 3: assume twice::a#2 < twice::b
        2 -> 4: assume not twice::a#2 < twice::b
        3 -> 7: halt twice::a#2
        4 -> 5: x = twice::a#2 * 2i32
        5 -> 6: call twice(x, 1i32)
        6 -> 7: return x",
    );
    let callee = |n: u32| Origin::Callee(FuncId(1), NodeId(n));
    let own = |n: u32| Origin::Own(NodeId(n));
    assert_eq!(t.nodes, [own(0), Origin::Made, callee(0), callee(1), callee(2), own(1), own(2), own(3)]);
    let callee = |n: u32| Origin::Callee(FuncId(1), EdgeId(n));
    let own = |n: u32| Origin::Own(EdgeId(n));
    assert_eq!(t.edges, [own(0), own(0), callee(0), callee(1), callee(2), callee(3), own(1), own(2)]);
    assert_eq!(t.locals[1..3], [Origin::Own(LocalId(1)), Origin::Callee(FuncId(1), LocalId(0))]);
    // The second call does not keep the result, but computes it.
    let t = t.then(inline(&program, &t.function, EdgeId(6)).unwrap());
    let last = t.function.cfa().unwrap().edges().iter().rev().nth(1).unwrap();
    let text = ir::OpDisplay { program: &program, function: &t.function, op: &last.op }.to_string();
    assert_eq!(text, "twice::return = twice::a#3 * 2i32");
    assert_eq!(t.edges[t.edges.len() - 2], callee(3));
    assert_eq!(t.locals.last(), Some(&Origin::Made));
}

#[test]
fn inlined_recursion() {
    let program = program(
        "func f(n: i32) -> i32 {
          temp t: i32
          nodes 5 entry 0 exit 4
          0 -> 1: assume n <= 0i32
          0 -> 2: assume not n <= 0i32
          1 -> 4: return 0i32
          2 -> 3: t = call f(n - 1i32)
          3 -> 4: return t + n
        }",
    );
    check(
        &program,
        inline(&program, &program.functions[0], EdgeId(3)),
        "local f::n: i32
        temp f::t: i32
        0 -> 1: assume n <= 0i32
        0 -> 2: assume not n <= 0i32
        1 -> 8: return 0i32
        2 -> 3: f::n = n - 1i32
        3 -> 4: assume f::n <= 0i32
        3 -> 5: assume not f::n <= 0i32
        4 -> 7: t = 0i32
        5 -> 6: f::t = call f(f::n - 1i32)
        6 -> 7: t = f::t + f::n
        7 -> 8: return t + n",
    );
}

#[test]
fn registers_without_a_value_get_one_at_each_call() {
    let program = program(
        "func f() {
          nodes 3 entry 0 exit 2
          0 -> 1: call g()
          1 -> 2: return
        }
        func g() {
          local x: i32
          local y: i32
          local z: i32
          nodes 4 entry 0 exit 3
          0 -> 1: z = y
          1 -> 2: x = z
          2 -> 3: return
        }",
    );
    assert_eq!(unset_locals(&program.functions[1]), [LocalId(1)]);
    check(
        &program,
        inline(&program, &program.functions[0], EdgeId(0)),
        "local g::x: i32
        local g::y: i32
        local g::z: i32
        0 -> 1: g::y = uninit
        1 -> 2: g::z = g::y
        2 -> 3: g::x = g::z
        3 -> 4: skip
        4 -> 5: return",
    );
}

/// Inlines the first call of `function`, which is the program's first.
fn inline_call(function: &Function, program: &Program) -> Result<(), TransformError> {
    let edges = function.cfa().unwrap().edges();
    let call = edges.iter().position(|e| matches!(e.op, ir::Op::Call { .. })).unwrap();
    inline(program, function, EdgeId(call as u32)).map(|t| {
        let mut after = program.clone();
        after.functions[0] = t.function.into();
        verify(&after).unwrap_or_else(|list| panic!("{list:#?}"));
    })
}

#[test]
fn calls_that_are_refused() {
    let once = "func f(x: i32) { nodes 3 entry 0 exit 2 0 -> 1: call g(x) 1 -> 2: return }";
    let repeated = "func f(x: i32) { nodes 4 entry 0 exit 3 0 -> 1: skip 1 -> 2: call g(x)
                    2 -> 1: assume x == 0i32 2 -> 3: return }";
    let repeated = &repeated.replace("2 -> 3: return", "2 -> 4: assume not x == 0i32 4 -> 3: return");
    let repeated = &repeated.replace("nodes 4", "nodes 5");
    // The call leaves the loop.
    let last = "func f(x: i32) { nodes 5 entry 0 exit 3 0 -> 0: assume x == 0i32 0 -> 1: assume not x == 0i32
                1 -> 2: call g(x) 2 -> 3: return }";
    let ok = Ok(());
    let escapes = || Err(TransformError::Escapes("g".into()));
    let variadic = || Err(TransformError::Variadic("g".into()));
    let check = |f: &str, g: &str, expected: Result<(), TransformError>| {
        let program = program(&format!("{f}\n{g}"));
        assert_eq!(inline_call(&program.functions[0], &program), expected, "{f}\n{g}");
    };
    let g = |locals: &str, op: &str| {
        format!("func g(a: i32) {{ {locals} nodes 3 entry 0 exit 2 0 -> 1: {op} 1 -> 2: return }}")
    };
    check(once, "func g(a: i32) extern", Err(TransformError::Undefined("g".into())));
    check(once, "func g(a: i32) poisoned \"asm\" {}", Err(TransformError::Undefined("g".into())));
    check(once, &g("", "skip").replace("(a: i32)", "(a: i32, ...)"), ok.clone());
    check(once, &g("", "i32[varargs] = a").replace("(a: i32)", "(a: i32, ...)"), variadic());
    check(&once.replace("g(x)", "g(x, x)"), &g("", "skip").replace("(a: i32)", "(a: i32, ...)"), variadic());

    let (m, q) = ("local m: memory 8 align 4", "local m: memory 8 align 4 local q: ptr");
    check(once, &g(m, "i32[&m] = a"), ok.clone());
    check(last, &g(m, "i32[&m] = a"), ok.clone());
    check(repeated, &g(m, "i32[&m] = a"), ok.clone());
    check(repeated, &g(m, "a = i32[&m]"), Err(TransformError::Repeated("g".into())));
    check(last, &g(m, "a = i32[&m]"), ok.clone());
    check(once, &g(q, "q = &m + 4i64"), ok.clone());
    check(once, &g(m, "@p = &m"), escapes());
    check(once, &g(m, "ptr[&@cell] = &m + 4i64"), escapes());
    check(once, &g(m, "u64[&@cell] = u64(&m)"), escapes());
    check(once, &g(m, "@v = i32(&m < null)"), ok.clone());
    check(once, &g("local q: ptr", "q = alloc stack 8u64"), ok.clone());
    check(repeated, &g("local q: ptr", "q = alloc stack 8u64"), ok.clone());
    check(once, &g("", "@p = alloc stack 8u64"), escapes());
    check(once, &g("", "@p = alloc heap 8u64"), ok.clone());
    check(once, &g(m, "call *(null)(&m)"), escapes());

    // What callees do with a pointer.
    let h = |body: &str| {
        let call = g(q, "q = call h(&m)");
        format!("{call}\nfunc h(b: ptr) -> ptr {{ local r: ptr {body} }}")
    };
    let two = |op: &str| format!("nodes 3 entry 0 exit 2 0 -> 1: {op} 1 -> 2: return r");
    check(once, &h(&two("r = null")), ok.clone());
    check(once, &h(&two("r = b")), ok.clone());
    check(once, &h(&two("@p = b")).replace("return r", "return b"), escapes());
    check(once, &h(&two("r = ptr[b]")), ok.clone());
    check(once, &h(&two("r = call h(b)")), ok.clone());
    check(once, &format!("{}\nfunc h(b: ptr) -> ptr extern", g(q, "q = call h(&m)")), ok.clone());
    // By way of a result that is kept.
    let kept = h(&two("r = b")).replace("q = call h", "@p = call h");
    check(once, &kept, escapes());
    check(once, &kept.replace("r = b", "r = null"), ok);

    let program = program(&format!("{once}\n{}", g("", "skip")));
    for edge in [1, 2, u32::MAX] {
        let found = inline(&program, &program.functions[0], EdgeId(edge));
        assert_eq!(found, Err(TransformError::NotACall(EdgeId(edge))));
    }
    // A caller that is not of this program.
    let mut other = ir::Function::clone(&program.functions[0]);
    other.locals[0].storage = ir::Storage::Register(Type::I64);
    let cfa = match &mut other.body {
        ir::Body::Defined(cfa) => cfa,
        _ => panic!(),
    };
    if let ir::Op::Call { args, .. } = cfa.edge_mut(EdgeId(0)) {
        args[0].ty = Type::I64;
    }
    assert_eq!(inline(&program, &other, EdgeId(0)), Err(TransformError::Signature("g".into())));
}

/// Does a call in a loop need a new object `m` (8 bytes) for each round, if the callee takes these steps?
#[test]
fn objects_that_are_written_before_they_are_read() {
    let check = |steps: &[&str], expected: bool| {
        let edges: Vec<String> =
            steps.iter().enumerate().map(|(i, op)| format!("{i} -> {}: {op}", i + 1)).collect();
        let n = steps.len();
        check_edges(n + 2, &format!("{} {n} -> {}: return", edges.join(" "), n + 1), expected);
    };
    let all = "u64[&m] = 0u64";
    check(&[], true);
    check(&["a = i32[&m]"], false);
    check(&[all, "a = i32[&m]"], true);
    check(&["i32[&m] = a", "a = i32[&m]"], true);
    check(&["i32[&m] = a", "a = i32[&m + 1i64]"], false);
    check(&["i32[&m + 4i64] = a", "a = i32[&m]"], false);
    check(&["i32[(&m + 8i64) + -4i64] = a", "a = i32[&m + 4i64]"], true);
    check(&["i32[&m] = a", "i32[&m + 4i64] = a", "a = i32[&m + i64(a)]"], true);
    check(&["i32[&m] = a", "a = i32[&m + i64(a)]"], false);
    // Writes somewhere count for nothing, and do no harm.
    check(&["i32[&m + i64(a)] = a"], true);
    check(&["i32[&m + i64(a)] = a", "a = i32[&m]"], false);
    check(&["i32[&m + i64(i32[&m])] = a"], false);
    check(&["fill &m, 0u8, 8u64", "a = i32[&m + 4i64]"], true);
    check(&["fill &m, 0u8, 7u64", "a = i32[&m + 4i64]"], false);
    check(&["fill &m, 0u8, u64(a)", "a = i32[&m]"], false);
    check(&["copy &m, &@cell, 8u64", "copy &@cell, &m, 8u64"], true);
    check(&["copy &m, &@cell, 4u64", "copy &@cell, &m, 5u64"], false);
    check(&["copy &@cell, &m, u64(a)"], false);
    check(&["copy &m, &m + 4i64, 4u64"], false);
    // Who has the address can read everything.
    check(&["q = &m"], false);
    check(&["q = &m + 4i64", all], false);
    check(&[all, "q = &m", "a = i32[q]"], true);
    check(&["call h(&m)"], false);
    check(&[all, "call h(&m)"], true);
    check(&["check memory valid_read(&m, 8u64)"], true);
    check(&["assume &m == q"], false);
    check(&["a = i32[ite(a == 0i32, &m, &@cell)]"], false);
    // Both sides, one side; round a loop.
    let branch = "0 -> 1: assume a == 0i32 0 -> 2: assume not a == 0i32 3 -> 4: a = i32[&m] 4 -> 5: return";
    check_edges(6, &format!("{branch} 1 -> 3: i32[&m] = 1i32 2 -> 3: i32[&m] = 2i32"), true);
    check_edges(6, &format!("{branch} 1 -> 3: i32[&m] = 1i32 2 -> 3: i32[&m + 4i64] = 2i32"), false);
    let round = "1 -> 2: assume a == 0i32 1 -> 4: assume not a == 0i32 4 -> 5: return";
    check_edges(6, &format!("0 -> 1: {all} {round} 2 -> 3: a = i32[&m] 3 -> 1: skip"), true);
    check_edges(6, &format!("0 -> 1: skip {round} 2 -> 3: a = i32[&m] 3 -> 1: {all}"), false);
}

fn check_edges(nodes: usize, edges: &str, expected: bool) {
    let program = program(&format!(
        "func f(x: i32) {{ nodes 2 entry 0 exit 1 0 -> 0: call g(x) }}
        func g(a: i32) {{
          local m: memory 8 align 8
          local q: ptr
          nodes {nodes} entry 0 exit {} {edges}
        }}
        func h(p: ptr) extern",
        nodes - 1
    ));
    let found = inline_call(&program.functions[0], &program);
    let refused = Err(TransformError::Repeated("g".into()));
    assert_eq!(found, if expected { Ok(()) } else { refused }, "{edges}");
    let f = &program.functions[0];
    let allocated = inline_with(&program, f, EdgeId(0), Again::Allocate).unwrap();
    let mut after = program.clone();
    after.functions[0] = allocated.function.into();
    verify(&after).unwrap_or_else(|list| panic!("{list:#?}"));
    let text = ir::print_function(&after, FuncId(0));
    assert_eq!(text.contains("g::m = alloc stack 8u64"), !expected, "{text}");
}

#[test]
fn new_objects_for_each_call() {
    let program = program(
        "func f(x: i32) {
          nodes 2 entry 0 exit 1
          0 -> 0: call g(x)
        }
        func g(a: i32) -> i32 {
          local m: memory 8 align 8
          local n: memory 4 align 4
          nodes 3 entry 0 exit 2
          0 -> 1: i32[&n] = a
          1 -> 2: return i32[&m + 4i64] + i32[&n]
        }",
    );
    let f = &program.functions[0];
    let t = check(
        &program,
        inline_with(&program, f, EdgeId(0), Again::Allocate),
        "local g::a: i32
        temp g::m: ptr
        local g::n: memory 4 align 4
        temp g::return: i32
        0 -> 1: g::a = x
        1 -> 2: g::m = alloc stack 8u64
        2 -> 3: i32[&g::n] = g::a
        3 -> 0: g::return = i32[g::m + 4i64] + i32[&g::n]",
    );
    assert_eq!(t.locals[2..4], [Origin::Made, Origin::Callee(FuncId(1), LocalId(2))]);
    // An allocation has no alignment beyond that of scalars.
    let mut aligned = program.clone();
    aligned.function_mut(ir::FuncId(1)).locals[1].storage = ir::Storage::Memory { size: 8, align: 32 };
    let found = inline_with(&aligned, f, EdgeId(0), Again::Allocate);
    assert_eq!(found, Err(TransformError::Repeated("g".into())));
}
