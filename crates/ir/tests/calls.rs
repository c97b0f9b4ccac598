//! Call graphs of programs with a known answer, and of random programs against the definition.

use ir::{CallGraph, Callee, FuncId, Op, Program, parse, verify};
use proptest::prelude::*;
use std::fmt::Write;

const PROGRAM: &str = r#"target lp64
const one: ptr = {0: func a}
global changing: ptr = {0: func a}
const table: memory 40 align 8 = {0: func a, 8: b"bytes", 16: func b, 24: func v, 32: &@later + 4i64}
global later: memory 8 align 8 = {0: func b}

func a(x: i32) -> i32 extern
func b(x: i32) -> i32 extern
func c(x: u32) -> i32 {
  nodes 3 entry 0 exit 2
  0 -> 1: call c(x)
  1 -> 2: return 0i32
}
func v(x: ptr, ...) extern
func never(x: i32) -> i32 extern

func even(x: i32) {
  nodes 3 entry 0 exit 2
  0 -> 1: call odd(x)
  1 -> 2: return
}
func odd(x: i32) {
  nodes 3 entry 0 exit 2
  0 -> 1: call even(x)
  1 -> 2: return
}
func main(arg: ptr, i: i64) -> i32 {
  local p: ptr
  local q: u64
  local r: i32
  local s: ptr
  nodes 16 entry 0 exit 15
  0 -> 1: call even(1i32)
  1 -> 2: p = func a
  2 -> 3: p = ptr(q)
  3 -> 4: q = u64(func c)
  4 -> 5: r = call *(p)(1i32)
  5 -> 6: r = call *(arg)(1i32)
  6 -> 7: r = call *(@one)(1i32)
  7 -> 8: r = call *(@changing)(1i32)
  8 -> 9: r = call *(ptr[&@table + 16i64])(1i32)
  9 -> 10: r = call *(ptr[&@table + i])(1i32)
  10 -> 11: call *(ptr[&@table + i])(p, 1i32)
  11 -> 12: call *(func never)(1i32)
  12 -> 13: call *(null)()
  13 -> 14: s = uninit
  14 -> 15: return r
}
"#;

fn names(program: &Program, list: &[FuncId]) -> String {
    list.iter().map(|&f| &*program.function(f).name).collect::<Vec<_>>().join(" ")
}

#[test]
fn known_program() {
    let program = parse(PROGRAM).unwrap_or_else(|e| panic!("{e}"));
    verify(&program).unwrap_or_else(|list| panic!("{list:#?}"));
    let graph = CallGraph::of(&program);
    let find = |name: &str| program.find_function(name).unwrap();
    let mut sites = String::new();
    for site in graph.sites(find("main")) {
        let kind = if site.indirect { "*" } else { "" };
        let _ = writeln!(sites, "{}: {kind}{}", site.edge.0, names(&program, &site.targets));
    }
    // `never` is called where its address is taken, so nobody else can have it.
    assert_eq!(
        sites,
        "0: even\n4: *a c\n5: *a b c\n6: *a\n7: *a b c\n8: *b\n9: *a b\n10: *v\n11: *never\n12: *\n"
    );
    assert_eq!(names(&program, graph.address_taken()), "a b c v");
    assert_eq!(names(&program, graph.callees(find("main"))), "a b c v never even");
    assert_eq!(names(&program, graph.callers(find("c"))), "c main");
    assert_eq!(names(&program, &graph.reachable(&[find("odd")])), "even odd");
    let recursive: Vec<FuncId> = program.function_ids().filter(|&f| graph.is_recursive(f)).collect();
    assert_eq!(names(&program, &recursive), "c even odd");
    let components: Vec<String> = graph.components().iter().map(|c| names(&program, c)).collect();
    assert_eq!(components, ["a", "b", "c", "v", "never", "even odd", "main"]);
    assert_eq!(graph.component_of(find("even")), 5);
    assert_eq!(graph.site(find("main"), ir::EdgeId(8)).unwrap().targets, [find("b")]);
    assert_eq!(graph.site(find("main"), ir::EdgeId(1)), None);
}

/// Does a chain of calls of at least one lead from each function to each?
fn closure(program: &Program, graph: &CallGraph) -> Vec<Vec<bool>> {
    let count = program.functions.len();
    let mut reach = vec![vec![false; count]; count];
    for f in program.function_ids() {
        graph.callees(f).iter().for_each(|g| reach[f.0 as usize][g.0 as usize] = true);
    }
    for k in 0..count {
        for i in 0..count {
            for j in 0..count {
                reach[i][j] |= reach[i][k] && reach[k][j];
            }
        }
    }
    reach
}

proptest! {
    #[test]
    fn random_programs(program in ir::testing::program()) {
        let graph = CallGraph::of(&program);
        let reach = closure(&program, &graph);
        for f in program.function_ids() {
            prop_assert_eq!(graph.is_recursive(f), reach[f.0 as usize][f.0 as usize]);
            for g in program.function_ids() {
                let together = f == g
                    || (reach[f.0 as usize][g.0 as usize] && reach[g.0 as usize][f.0 as usize]);
                prop_assert_eq!(graph.component_of(f) == graph.component_of(g), together);
                if reach[f.0 as usize][g.0 as usize] {
                    prop_assert!(graph.component_of(g) <= graph.component_of(f), "callees come first");
                }
                prop_assert_eq!(graph.callees(f).contains(&g), graph.callers(g).contains(&f));
                prop_assert_eq!(
                    graph.reachable(&[f]).contains(&g),
                    f == g || reach[f.0 as usize][g.0 as usize]
                );
            }
            for (i, edge) in program.function(f).cfa().into_iter().flat_map(|cfa| cfa.edges()).enumerate() {
                let site = graph.site(f, ir::EdgeId(i as u32));
                match &edge.op {
                    Op::Call { callee: Callee::Direct(id), .. } => {
                        prop_assert_eq!(&site.unwrap().targets, &vec![*id]);
                    }
                    Op::Call { .. } => prop_assert!(site.unwrap().indirect),
                    _ => prop_assert_eq!(site, None),
                }
            }
        }
    }
}

#[test]
fn long_chains_need_no_stack() {
    let mut text = String::from("target lp64\n");
    const N: usize = 30_000;
    for i in 0..N {
        let _ = writeln!(
            text,
            "func f{i}() {{ nodes 3 entry 0 exit 2 0 -> 1: call f{}() 1 -> 2: return }}",
            (i + 1).min(N - 1)
        );
    }
    let graph = CallGraph::of(&parse(&text).unwrap());
    assert_eq!(graph.components().len(), N);
    assert_eq!(graph.components()[0], [FuncId(N as u32 - 1)]);
    assert!(graph.is_recursive(FuncId(N as u32 - 1)) && !graph.is_recursive(FuncId(0)));
}
