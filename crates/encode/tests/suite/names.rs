//! Objects of two versions: which of them have the same address, and which calls of unknown functions are the
//! same.

use encode::expr::MARKERS;
use encode::memory::memory_sort;
use encode::op::Step;
use encode::{IntMode, Regions, State};
use ir::Storage;
use logic::{Sort, Term};
use testing::program as compile;

/// The straight-line function `f` up to its end: the world after it, and what it returns.
fn outcome(source: &str) -> (Term, Option<Term>) {
    let program = compile(source);
    let f = program.find_function("f").unwrap();
    let regions = Regions::analyse(&[&program], &[vec![f]]);
    let mode = IntMode::Bv;
    let variable = |name: &str, storage: Storage| match storage {
        Storage::Register(ty) => Some(Term::var(name, mode.sort(ty, &program.target).unwrap())),
        Storage::Memory { .. } => None,
    };
    let memory = regions
        .list
        .iter()
        .map(|r| Term::var(&format!("m.{}", r.name), memory_sort(mode, &program.target, r.layout).unwrap()));
    let mut state = State {
        locals: program.function(f).locals.iter().map(|l| variable(&l.name, l.storage)).collect(),
        globals: program.globals.iter().map(|g| variable(&g.name, g.storage)).collect(),
        memory: memory.collect(),
        world: Term::var("world", Sort::Int),
        allocations: Term::int(0),
        inputs: Term::int(0),
    };
    let mut encoder = encode::Encoder::new(&program, 0, f, mode, &regions, "");
    encoder.ignored = MARKERS;
    let cfa = program.function(f).cfa().unwrap();
    let mut node = cfa.entry;
    loop {
        let [edge] = cfa.out(node) else { panic!("a branch") };
        match encoder.op(&edge.op, &mut state).unwrap() {
            Step::On(_) => node = edge.to,
            Step::Return(value) => return (state.world, value),
            other => panic!("{other:?} of {:?}", edge.op),
        }
    }
}

/// Do the two versions do the same, as far as terms show it?
fn check(old: &str, new: &str, same: bool) {
    let (a, b) = (outcome(old), outcome(new));
    assert_eq!(a == b, same, "{old}\n{new}\n{a:?}\n{b:?}");
}

#[test]
fn literals_are_known_by_their_content() {
    check(
        "int p(char *); int f(void) { return p(\"a\"); }",
        "int p(char *); int f(void) { return p(\"a\"); }",
        true,
    );
    check(
        "int p(char *); int f(void) { return p(\"a\"); }",
        "int p(char *); int f(void) { return p(\"b\"); }",
        false,
    );
    // Their numbers say nothing.
    check(
        "int p(char *); int f(void) { p(\"x\"); return p(\"a\"); }",
        "int p(char *); char *q = \"y\"; int f(void) { p(\"x\"); return p(\"a\"); }",
        false,
    );
    let long = |c: char| format!("int p(char *); int f(void) {{ return p(\"{}{c}\"); }}", "long ".repeat(30));
    check(&long('a'), &long('a'), true);
    check(&long('a'), &long('b'), false);
}

#[test]
fn constants_are_known_by_their_content() {
    let table = |last: &str| {
        format!(
            "int p(const char *const *); static const char *const t[] = {{\"one\", \"{last}\"}};
             int f(void) {{ return p(t); }}"
        )
    };
    check(&table("two"), &table("two"), true);
    // The table itself holds only addresses.
    check(&table("two"), &table("zwei"), false);
}

#[test]
fn variables_are_known_by_their_names() {
    let p = "int p(int *); int x, y;";
    check(
        &format!("{p} int f(void) {{ return p(&x); }}"),
        &format!("{p} int f(void) {{ return p(&x); }}"),
        true,
    );
    check(
        &format!("{p} int f(void) {{ return p(&x); }}"),
        &format!("{p} int f(void) {{ return p(&y); }}"),
        false,
    );
    check(
        &format!("{p} int f(void) {{ int l; return p(&l); }}"),
        &format!("{p} int f(void) {{ int l; return p(&l); }}"),
        true,
    );
}

#[test]
fn unknown_functions_see_their_arguments() {
    let p = "int p(int, ...); int q(int);";
    let call = |body: &str| format!("{p} int f(int a, double d) {{ {body} }}");
    check(&call("return q(a + a);"), &call("return q(2 * a);"), true);
    check(&call("return q(a);"), &call("return q(a + 1);"), false);
    check(&call("return p(a, 1);"), &call("return p(a, 1L);"), false);
    check(&call("return p(a, d);"), &call("return p(a, d);"), true);
    // The order of calls, and calls whose result nobody wants.
    check(&call("q(1); return q(2);"), &call("q(2); return q(1);"), false);
    check(&call("q(1); return q(1);"), &call("return q(1);"), false);
}

#[test]
fn markers_do_nothing() {
    let marks = "int __mark(int); int __inlineCall(int); int g(int);";
    check(
        &format!("{marks} int f(int a) {{ __mark(3); return __inlineCall(a + 1) & __mark(4); }}"),
        "int f(int a) { return a + 1; }",
        true,
    );
    check(&format!("{marks} int f(int a) {{ g(3); return a; }}"), "int f(int a) { return a; }", false);
}

#[test]
fn objects_of_one_program_differ() {
    let program = compile(
        "char *a = \"s\"; const char b[] = \"s\"; int x; int f(void) { return x; } int g(void) { return 0; }",
    );
    let f = program.find_function("f").unwrap();
    let regions = Regions::analyse(&[&program], &[program.function_ids().collect()]);
    for mode in [IntMode::Bv, IntMode::Wrap, IntMode::Unbounded] {
        let mut encoder = encode::Encoder::new(&program, 0, f, mode, &regions, "");
        let state = State {
            locals: Vec::new(),
            globals: Vec::new(),
            memory: Vec::new(),
            world: Term::int(0),
            allocations: Term::int(0),
            inputs: Term::int(0),
        };
        let pointer = |kind| ir::Expr { ty: ir::Type::Ptr, kind };
        let memory = |g: &ir::Global| matches!(g.storage, Storage::Memory { .. });
        let globals = (0..program.globals.len()).filter(|i| memory(&program.globals[*i]));
        let globals = globals.map(|i| pointer(ir::ExprKind::AddrGlobal(ir::GlobalId(i as u32))));
        let functions = program.function_ids().map(|id| pointer(ir::ExprKind::AddrFunc(id)));
        let all: Vec<ir::Expr> = globals.chain(functions).collect();
        let addresses: std::collections::BTreeSet<Term> =
            all.iter().map(|e| encoder.expr(e, &state).unwrap()).collect();
        assert_eq!(addresses.len(), all.len());
        // Functions are told apart by facts.
        let name = |n: &str| Term::var(&format!("&{n}()"), mode.pointer(&program.target));
        assert!(encoder.facts.contains(&name("f").differs(name("g"))), "{:?}", encoder.facts);
    }
}
