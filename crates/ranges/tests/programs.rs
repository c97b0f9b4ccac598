//! Small programs in C: what is known at places that `here(variable)` marks.

use ir::{BinOp, Body, Callee, EdgeId, Expr, ExprKind, FuncId, NodeId, Op, Program, Type, UnOp, Var};
use ranges::{Ranges, analyse};

const HEADER: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
    extern void __VERIFIER_assume(int); extern void __VERIFIER_error(void); extern void exit(int);
    extern void *malloc(unsigned long); void here(long long); int unknown(void);";

fn compiled(source: &str) -> Program {
    let source = format!("{HEADER} {source}");
    let mut program = testing::program(&source);
    if let Some(id) = program.find_function("untranslated") {
        let function = program.function_mut(id);
        function.body = ir::Body::Poisoned { reason: "a test".into(), pos: function.pos };
    }
    program
}

fn inner_variable(e: &ir::Expr) -> Option<Var> {
    match &e.kind {
        ExprKind::Local(id) => Some(Var::Local(*id)),
        ExprKind::Global(id) => Some(Var::Global(*id)),
        ExprKind::Cast(inner) => inner_variable(inner),
        _ => None,
    }
}

fn text(program: &Program, ranges: &Ranges, f: FuncId, node: NodeId, var: Var) -> String {
    let Some(state) = ranges.at(f, node) else { return "never".to_owned() };
    match state.get(var) {
        Some(values) => match (values.members(), values.single()) {
            (Some(list), _) => format!("{list:?}"),
            (None, Some(v)) => v.to_string(),
            (None, None) => format!("{}..{}", values.low(), values.high()),
        },
        None if ranges.bounds(program, f, node, var).is_some() => "any".to_owned(),
        None => "untracked".to_owned(),
    }
}

/// What is known at the marks, in the order of functions and edges, separated by blanks after commas.
fn check(source: &str, expected: &str) {
    let program = compiled(source);
    let main = program.find_function("main").expect("main");
    let ranges = analyse(&program, main);
    assert_eq!(ranges.check(&program), Ok(()), "{source}");
    let mut marks = Vec::new();
    for f in program.function_ids() {
        for edge in program.function(f).cfa().map_or(&[][..], |cfa| cfa.edges()) {
            let Op::Call { callee: Callee::Direct(callee), args, .. } = &edge.op else { continue };
            if &*program.function(*callee).name == "here" {
                let mark = match inner_variable(&args[0]) {
                    Some(var) => text(&program, &ranges, f, edge.from, var),
                    None => panic!("not a variable: {source}"),
                };
                marks.push((edge.pos.line, edge.pos.column, mark));
            }
        }
    }
    marks.sort();
    let found: Vec<String> = marks.into_iter().map(|(_, _, mark)| mark).collect();
    assert_eq!(found.join("; "), expected, "{source}\n{}", ir::print(&program));
}

#[test]
fn straight_code() {
    check("int main(void) { int x = 5; x = x * 3 - 1; here(x); return x; }", "14");
    check(
        "int main(void) { unsigned char c = __VERIFIER_nondet_int(); int x = c; here(x); return x; }",
        "0..255",
    );
    check(
        "int main(void) { int x = __VERIFIER_nondet_int(); here(x); x = x % 10; here(x); return x; }",
        "any; -9..9",
    );
    check("int main(void) { int x = __VERIFIER_nondet_int() & 12; here(x); return x; }", "0..12");
    check("int main(void) { unsigned x = 0; x = x - 1; here(x); return x; }", "4294967295");
    check("int main(void) { double d = 1; here(d); return 0; }", "untracked");
}

#[test]
fn conditions() {
    let with = |body: &str, expected: &str| {
        let source = format!(
            "int main(void) {{ int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); {body} return x + y; }}"
        );
        check(&source, expected);
    };
    with("if (x > 3) here(x); else here(x);", "4..2147483647; -2147483648..3");
    with("if (x == 3) here(x);", "3");
    with("if (x >= 0 && x < 10) here(x);", "0..9");
    with("if (!(x < 0 || x >= 10)) here(x);", "0..9");
    with("if (x >= 0 && x < 10 && x != 0 && x != 9) { here(x); }", "1..8");
    with("if (x >= 0 && x < 5 && x != 2) { here(x); }", "[0, 1, 3, 4]");
    with("if (y > 0 && y < 100 && x > y) { here(x); }", "2..2147483647");
    with("if ((unsigned)x < 10u) here(x);", "0..9");
    with("if (x > 0 && x < 99 && x + 5 < 10) here(x);", "1..4");
    // Integers wrap.
    with("if (x > 0 && x + 5 < 10) here(x);", "1..2147483647");
    with("if (2 * x == 8 && x >= 0 && x < 100) { here(x); }", "0..99");
    with("if (x >= 0 && x < 100) { if (2 * x == 8) here(x); }", "4");
    with(
        "if (x == 1 || x == 2 || x == 4 || x == 6) { if (x & 2) here(x); if (x % 3 == 1) here(x); }",
        "[2, 6]; [1, 4]",
    );
    with("x = x > 0 ? 1 : -1; here(x); if (x > 0) here(x);", "[-1, 1]; 1");
    with("x = x < 0 ? (x < -100 ? 100 : -x) : x > 50 ? 50 : x; here(x);", "0..100");
    with("int b = x > 7; if (b != 0) { here(b); }", "1");
    with("__VERIFIER_assume(x > 1 && x < 4); here(x); if (x == 1) here(y);", "2..3; never");
    with("if (x == 0) { y = 10 / (x + 1); here(y); }", "10");
}

#[test]
fn loops() {
    check("int main(void) { int i; for (i = 0; i < 100; i++) here(i); here(i); return i; }", "0..99; 100");
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 50) return 0;
         int i; for (i = 0; i < n; i++) here(i); here(i); return i; }",
        "0..49; 0..50",
    );
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(); int i; for (i = 0; i < n; i++) here(i); here(i); return i; }",
        "0..2147483646; 0..2147483647",
    );
    check(
        "int main(void) { int i, j, s = 0; for (i = 0; i < 10; i++) for (j = i; j < 20; j++) { here(i); here(j); s++; } return s; }",
        "0..9; 0..19",
    );
    check(
        "int main(void) { unsigned i = 10; while (i > 0) { i--; here(i); } here(i); return 0; }",
        "0..9; 0",
    );
    check(
        "int main(void) { int s = 8466; while (1) {
           switch (s) { case 8466: s = 8480; break; case 8480: s = 8496; break; case 8496: s = unknown() ? 8466 : 8512; break;
                        case 8512: here(s); return 0; default: here(s); __VERIFIER_error(); } here(s); } }",
        "8512; never; [8466, 8480, 8496, 8512]",
    );
    check("int main(void) { int i = 0; while (unknown()) i++; here(i); return i; }", "any");
    check("int main(void) { int i = 0; while (unknown()) if (i < 7) i++; here(i); return i; }", "0..7");
    check(
        "int main(void) { int i = 5; again: here(i); i = 11 - i; if (unknown()) goto again; return i; }",
        "5..6",
    );
}

#[test]
fn calls() {
    check(
        "int f(int x) { here(x); return x + 1; } int main(void) { int a = f(3), b = f(30); here(a); return a + b; }",
        "[3, 30]; [4, 31]",
    );
    check("int g = 1; void f(void) { g = 2; } int main(void) { here(g); f(); here(g); return g; }", "1; 2");
    check(
        "int g = 1, h; void f(void) { g = 2; } int main(void) { h = 5; f(); here(h); h = 6; f(); here(h); return g + h; }",
        "5; 6",
    );
    check("int g; int main(void) { g = 7; unknown(); here(g); return g; }", "7");
    check(
        "int g; void untranslated(void) { g = 1; } int main(void) { int x = 1; g = 7; untranslated(); here(g); here(x); return g + x; }",
        "any; 1",
    );
    check(
        "int g; void f(void) { if (g < 10) g++; } int main(void) { f(); f(); f(); here(g); return g; }",
        "1..10",
    );
    check(
        "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; } int main(void) { int x = f(10); here(x); return x; }",
        "any",
    );
    check(
        "int f(int n) { here(n); if (n <= 0) return 3; return f(n - 1); } int main(void) { int x = f(10); here(x); return x; }",
        "0..10; 3",
    );
    check(
        "void stop(void) { exit(1); } int main(void) { int x = 1; if (unknown()) { x = 2; stop(); } here(x); return x; }",
        "1",
    );
    check(
        "int one(int x) { return 1; } int two(int x) { here(x); return 2; } int (*p)(int);
         int main(void) { p = unknown() ? one : two; int x = p(9); here(x); return x; }",
        "9; 1..2",
    );
    check("int odd(int n); int even(int n) { if (n == 0) return 1; return odd(n - 1); } int odd(int n) { if (n == 0) return 0; return even(n - 1); }
           int main(void) { int x = even(unknown()); here(x); return x; }", "0..1");
}

#[test]
fn globals_start_with_their_values() {
    check(
        "int a = 3, b; extern int c; int main(void) { here(a); here(b); here(c); return a + b + c; }",
        "3; 0; any",
    );
}

#[test]
fn pointers_are_null_or_not() {
    let with = |body: &str, expected: &str| {
        let source = format!(
            "int x; int main(void) {{ int r = unknown(); int *p = 0; {body} return r + (p != 0) + *&x; }}"
        );
        check(&source, expected);
    };
    with("if (p) here(r);", "never");
    with("p = &x; if (!p) here(r);", "never");
    with("p = malloc(4); if (!p) r = 1; else r = 2; here(r);", "2");
    with("if (unknown()) { p = &x; } if (p) { r = 1; if (!p) here(r); }", "never");
}

/// Expressions as deep as the IR allows do not overflow the stack, and take no long time.
#[test]
fn deep_expressions() {
    let source = "int main(void) { unsigned x = __VERIFIER_nondet_uint(); if (x) x = 1; return x; }";
    let x = || Expr::var(Var::Local(ir::LocalId(0)), Type::U32);
    let is = |op: BinOp, e: Expr| Expr::binary(op, e, Expr::int(Type::U32, 7));
    let wraps: [&dyn Fn(Expr) -> Expr; 5] = [
        &|e| Expr::binary(BinOp::Add, x(), e),
        &|e| Expr::binary(BinOp::Xor, e, x()),
        &|e| Expr::ite(is(BinOp::Lt, e), x(), Expr::int(Type::U32, 3)),
        &|e| Expr::cast(Type::U32, is(BinOp::Eq, e)),
        &|e| Expr::ite(is(BinOp::Lt, x()), e, x()),
    ];
    for wrap in wraps {
        let mut program = compiled(source);
        let main = program.find_function("main").expect("main");
        let mut deep = x();
        let mut depth = 0;
        while depth < 1900 {
            deep = wrap(deep);
            depth += 2;
        }
        let Body::Defined(cfa) = &mut program.function_mut(main).body else { panic!("no body") };
        for i in 0..cfa.edges().len() as u32 {
            if let Op::Assume { cond, .. } = cfa.edge_mut(EdgeId(i)) {
                *cond = Expr::unary(UnOp::Not, is(BinOp::Eq, deep.clone()));
            }
        }
        ir::verify(&program).expect("verifies");
        assert_eq!(analyse(&program, main).check(&program), Ok(()));
    }
}
