//! Whole programs: control flow, calls, inputs, limits.

use crate::common::{describe, program, run};
use base::Budget;
use interp::{Interp, Options, VecInputs};

fn check(text: &str, inputs: &[u128], expected: &str) {
    let program = program(text);
    for trace in [false, true] {
        let result = run(&program, inputs, |o| o.record_trace = trace);
        assert_eq!(describe(&result.outcome), expected, "{:?}\n{text}", result.outcome);
    }
}

const SUM: &str = r#"
func main() -> i32 {
  local i: i32
  local n: i32
  local s: i32
  nodes 7 entry 0 exit 6
  0 -> 1: n = input "nondet_int"
  1 -> 2: i = 0i32
  2 -> 3: s = 0i32
  3 -> 4: assume i < n
  3 -> 5: assume not i < n
  4 -> 3: skip
  5 -> 6: return s
}
"#;

#[test]
fn loops_and_inputs() {
    let text = SUM
        .replace("nodes 7", "nodes 8")
        .replace("4 -> 3: skip", "4 -> 7: s = s + i\n  7 -> 3: i = i + 1i32");
    check(&text, &[10], "returned 45");
    check(&text, &[0], "returned 0");
    check(&text, &[0xffff_ffff], "returned 0");
    check(SUM, &[1], "step limit reached");
}

const FACT: &str = r#"
func fact(n: u64) -> u64 {
  temp r: u64
  nodes 5 entry 0 exit 4
  0 -> 1: assume n <= 1u64
  0 -> 2: assume not n <= 1u64
  1 -> 4: return 1u64
  2 -> 3: r = call fact(n - 1u64)
  3 -> 4: return n * r
}
func main() -> u64 {
  local r: u64
  local n: u64
  nodes 4 entry 0 exit 3
  0 -> 1: n = input "n"
  1 -> 2: r = call fact(n)
  2 -> 3: return r
}
"#;

#[test]
fn recursion() {
    check(FACT, &[20], "returned 2432902008176640000");
    check(FACT, &[100_000], "returned 0");
    check(FACT, &[300_000], "stack overflow");
}

fn body(edges: &str) -> String {
    let count = edges.trim().lines().count();
    let mut text = format!(
        "global g: i32 = {{0: 5i32}}\nglobal ext: i32\nfunc poisoned() poisoned \"setjmp\"\n\
         func get() -> i32 extern\nfunc main() -> i32 {{\n  local x: i32\n  local y: i32\n  local p: ptr\n  \
         nodes {} entry 0 exit {}\n",
        count + 1,
        count
    );
    for (i, line) in edges.trim().lines().enumerate() {
        text += &format!("  {i} -> {}: {}\n", i + 1, line.trim());
    }
    text + "}\n"
}

#[test]
fn endings() {
    let cases: &[(&str, &[u128], &str)] = &[
        ("halt 3i32", &[], "exited 3"),
        ("halt -1i32", &[], "exited -1"),
        ("halt", &[], "aborted"),
        ("x = input \"a\"\ncheck assertion x < 5i32 \"x < 5\" @1:2\nreturn x", &[0, 4], "returned 4"),
        (
            "x = input \"a\"\ncheck assertion x < 5i32 \"x < 5\" @1:2\nreturn x",
            &[0, 5],
            "assertion failed at 1:2 x < 5",
        ),
        ("x = input \"a\"\nassume x < 5i32\nreturn x", &[0, 5], "assume violated"),
        ("x = input \"a\"\nassume not x < 5i32\nreturn x", &[0, 5], "returned 5"),
        ("assume false\nreturn 1i32", &[], "assume violated"),
        ("call poisoned()\nreturn 1i32", &[], "unsupported: setjmp"),
        ("x = input \"a\"\nreturn 1i32 / x", &[0, 0], "division by zero"),
        ("x = input \"a\"\nreturn -2147483648i32 / x", &[0, 0xffff_ffff], "division overflow"),
        ("x = input \"a\"\nreturn -2147483648i32 % x", &[0, 0xffff_ffff], "division overflow"),
        ("x = call get()\nreturn x + @ext", &[30, 12], "returned 42"),
        ("@g = @g + @ext\nreturn @g", &[30], "returned 35"),
        // Read before it is set: an input, at the entry.
        ("return y", &[0, 77], "returned 77"),
        ("y = 1i32\nreturn y", &[0, 77], "returned 1"),
        ("x = uninit\nreturn x", &[0, 78], "returned 78"),
    ];
    for (edges, inputs, expected) in cases {
        check(&body(edges), inputs, expected);
    }
}

#[test]
fn inputs_are_recorded_and_run_out() {
    let p = program(&body("x = input \"a\"\ny = call get()\nreturn x + y"));
    let result = run(&p, &[1, 2, 3], |o| o.record_calls = true);
    assert_eq!(describe(&result.outcome), "returned 5");
    let asked: Vec<String> =
        result.inputs.iter().map(|i| format!("{:?} {} {}", i.request.kind, i.request.ty, i.value)).collect();
    assert_eq!(
        asked,
        [
            "ExternGlobal { global: GlobalId(1), offset: 0 } i32 1",
            "Input(\"a\") i32 2",
            "ExternReturn(FuncId(1)) i32 3"
        ]
    );
    assert_eq!(result.assumed, [ir::FuncId(1)]);
    assert_eq!(result.calls.len(), 1);
    assert_eq!(result.calls[0].result, Some(3));
    let mut interp = Interp::new(&p, Options::main(&p).unwrap()).unwrap();
    let result = interp.run(&mut VecInputs::then_stop([1, 2]), &Budget::unlimited());
    assert_eq!(describe(&result.outcome), "inputs exhausted");
    assert_eq!(result.inputs.len(), 2);
}

/// The deepest expressions that verification lets through, on a thread with a small stack.
#[test]
fn deep_expressions() {
    let depth = ir::verify::MAX_DEPTH;
    let ty = ir::Type::I32;
    let mut sum = crate::build::param(0, ty);
    let mut conversions = crate::build::param(0, ty);
    let mut condition = ir::Expr::binary(ir::BinOp::Lt, crate::build::param(0, ty), ir::Expr::int(ty, 3));
    for i in 0..depth - 2 {
        sum = ir::Expr::binary(ir::BinOp::Add, sum, crate::build::param(0, ty));
        conversions = ir::Expr::cast([ir::Type::F32, ir::Type::I64, ir::Type::U16, ty][i % 4], conversions);
        condition =
            ir::Expr { ty: ir::Type::Bool, kind: ir::ExprKind::Unary(ir::UnOp::Not, Box::new(condition)) };
    }
    let thread = std::thread::Builder::new().stack_size(1 << 21);
    let run = move || {
        let target = ir::Target::LP64;
        let programs = [
            crate::build::returning(target, &[ty], sum),
            crate::build::returning(target, &[ty], ir::Expr::cast(ty, conversions)),
            crate::build::branching(target, &[ty], condition),
        ];
        let found = programs.map(|p| describe(&crate::build::call(&p, &[2]).outcome));
        assert_eq!(
            found,
            [format!("returned {}", 2 * (depth - 1)), "returned 2".into(), "returned 1".into()]
        );
    };
    thread.spawn(run).expect("a thread").join().expect("no overflow");
}

#[test]
fn what_a_run_leaves_can_be_read() {
    let text = r#"global n: i32 = {0: 5i32}
global big: u128 = {0: 18446744073709551616u128}
global cell: memory 12 align 4 = {4: &@n2}
global n2: memory 4 align 4
const fixed: i32 = {0: 1i32}
func bump(p: ptr, by: i32) -> i32 {
  nodes 4 entry 0 exit 3
  0 -> 1: i32[p] = i32[p] + by
  1 -> 2: @n = @n + by
  2 -> 3: return i32[p]
}
"#
    .replace("memory 12 align 4 = {4: &@n2}", "memory 16 align 8 = {8: &@n2}");
    let p = program(&text);
    let mut interp = Interp::new(&p, Options::new(ir::FuncId(0))).unwrap();
    let address = interp.allocate(&7i32.to_le_bytes()).unwrap();
    let mut inputs = VecInputs::then_zero([]);
    let bump = ir::FuncId(0);
    for expected in ["returned 10", "returned 13"] {
        let result = interp.call(bump, &[address.into(), 3], &mut inputs, &Budget::unlimited());
        assert_eq!(describe(&result.outcome), expected);
    }
    assert_eq!(interp.read(address, 4).unwrap(), [Some(13), Some(0), Some(0), Some(0)]);
    let globals = interp.final_globals();
    let names: Vec<&str> = globals.iter().map(|g| &*g.name).collect();
    assert_eq!(names, ["n", "big", "cell", "n2"]);
    assert_eq!(globals[0].bytes, [Some(11), Some(0), Some(0), Some(0)]);
    assert_eq!(globals[1].bytes[8], Some(1));
    assert_eq!(globals[3].bytes, [None; 4]);
    assert_eq!(interp.global_bits(ir::GlobalId(0)), Some(11));
    let pointer = globals[2].bytes[8..].iter().rev().fold(0u64, |v, b| v << 8 | u64::from(b.unwrap()));
    assert_eq!(
        interp.pointee(pointer),
        interp::Pointee::Object {
            kind: interp::ObjectKind::Global(ir::GlobalId(3)),
            offset: 0,
            size: 4,
            live: true
        }
    );
    assert_eq!(interp.pointee(interp.function_address(bump)), interp::Pointee::Function(bump));
    interp.reset();
    assert_eq!(interp.global_by_name("n").unwrap()[0], Some(5));
    assert!(interp.read(address + 100, 1).is_err());
}

#[test]
fn limits_hold() {
    let p = program(FACT);
    let result = run(&p, &[1000], |o| o.max_depth = 100);
    assert_eq!(describe(&result.outcome), "stack overflow");
    assert_eq!(result.backtrace.len(), 100);
    let result = run(&p, &[1000], |o| o.max_memory = 10_000);
    assert_eq!(describe(&result.outcome), "stack overflow");
    let result = run(&p, &[1000], |o| o.max_steps = 50);
    assert_eq!(describe(&result.outcome), "step limit reached");
    assert!(result.steps <= 60, "{}", result.steps);
    let budget = Budget::unlimited();
    budget.cancelled.store(true, std::sync::atomic::Ordering::Relaxed);
    let mut interp = Interp::new(&p, Options::main(&p).unwrap()).unwrap();
    let result = interp.run(&mut VecInputs::then_zero([5]), &budget);
    assert_eq!(describe(&result.outcome), "interrupted");
    // Inputs without end, allocations without end.
    for op in ["x = input \"n\"", "p = alloc heap 16u64", "p = alloc stack 16u64"] {
        let text = format!(
            "func main() -> i32 {{\n  local x: i32\n  local p: ptr\n  nodes 3 entry 0 exit 2\n  0 -> 0: {op}\n}}\n"
        );
        let p = ir::parse(&format!("target lp64\n{text}")).unwrap();
        let result = run(&p, &[], |o| {
            o.max_memory = 1 << 20;
            o.max_steps = u64::MAX;
        });
        assert_eq!(describe(&result.outcome), "out of memory", "{op}");
    }
}

#[test]
fn watched_locations() {
    let p = program(FACT);
    let result =
        run(&p, &[3], |o| o.watch = vec![(ir::FuncId(0), ir::NodeId(3)), (ir::FuncId(1), ir::NodeId(2))]);
    let seen: Vec<String> = result
        .snapshots
        .iter()
        .map(|s| format!("{} {} {} {:?}", s.function.0, s.node.0, s.depth, s.locals))
        .collect();
    // n and r after the inner calls, then main's r and n.
    let expected = ["0 3 2 [Some(2), Some(1)]", "0 3 1 [Some(3), Some(2)]", "1 2 0 [Some(6), Some(3)]"]
        .map(String::from);
    assert_eq!(seen, expected);
}

/// The edge of an execution that ends at a function's entry exists.
#[test]
fn backtraces_have_edges() {
    let text = "func f() -> i32 {\n  local x: i32\n  nodes 2 entry 0 exit 1\n  0 -> 1: return x\n}\n\
                func main() -> i32 {\n  local r: i32\n  nodes 3 entry 0 exit 2\n  0 -> 1: r = call f()\n  \
                1 -> 2: return r\n}\n";
    let p = program(text);
    let mut interp = Interp::new(&p, Options::main(&p).unwrap()).unwrap();
    let result = interp.run(&mut VecInputs::then_stop([]), &Budget::unlimited());
    assert_eq!(describe(&result.outcome), "inputs exhausted");
    let found: Vec<(u32, u32)> = result.backtrace.iter().map(|s| (s.function.0, s.edge.0)).collect();
    assert_eq!(found, [(0, 0), (1, 0)]);
}
