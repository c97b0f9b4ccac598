//! Fingerprints see what a program does and nothing else.

mod rewrite;

use ir::calls::CallGraph;
use ir::fingerprint::{Fingerprint, Fingerprints, Forms, run_print};
use ir::{FuncId, Program};
use proptest::prelude::*;
use rewrite::{Random, change_constant, reword};
use std::collections::BTreeSet;

fn parse(text: &str) -> Program {
    let program = ir::parse::parse(text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    ir::verify::verify(&program).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    program
}

/// Names of the functions whose local, and whose global fingerprints differ.
fn differences(old: &Program, new: &Program) -> [BTreeSet<String>; 2] {
    let (a, b) = (Fingerprints::compute(old), Fingerprints::compute(new));
    for (program, prints) in [(old, &a), (new, &b)] {
        for id in program.function_ids() {
            let name = &program.function(id).name;
            assert_eq!(prints.entry(program, id), run_print(program, id), "{name} alone");
        }
    }
    let mut found = [BTreeSet::new(), BTreeSet::new()];
    for (i, function) in old.functions.iter().enumerate() {
        let Some(new_id) = new.find_function(&function.name) else { continue };
        let (x, y) = (a.function(FuncId(i as u32)), b.function(new_id));
        if x.local != y.local {
            found[0].insert(function.name.to_string());
        }
        if x.global != y.global {
            found[1].insert(function.name.to_string());
        }
    }
    assert!(found[0].is_subset(&found[1]), "a local difference is a global one: {found:?}");
    if found[1].is_empty() && old.globals == new.globals && old.functions.len() == new.functions.len() {
        assert_eq!(a.program(), b.program());
    }
    found
}

/// `locals` and `globals` name the functions whose fingerprints must differ.
fn check(old: &str, new: &str, locals: &[&str], globals: &[&str]) {
    let [a, b] = differences(&parse(old), &parse(new));
    let expected = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<BTreeSet<_>>();
    assert_eq!(a, expected(locals), "local fingerprints\n{old}\n{new}");
    assert_eq!(b, expected(globals), "global fingerprints\n{old}\n{new}");
}

/// A function `f` around these edges, and a caller `main`.
fn body(locals: &str, nodes: u32, edges: &str) -> String {
    let exit = nodes - 1;
    format!(
        "target lp64
file \"a.c\"
global g: i32 = {{}}
global h: i32 = {{}}
const k: i32 = {{0: 1i32}}
func f(p: i32, q: i32) -> i32 {{
{locals}
  nodes {nodes} entry 0 exit {exit}
{edges}
}}
func main() -> i32 {{
  local r: i32
  nodes 3 entry 0 exit 2
  0 -> 1: r = call f(1i32, 2i32)
  1 -> 2: return r
}}
"
    )
}

const X: &str = "local x: i32";
const XY: &str = "local x: i32\n local y: i32";

#[test]
fn what_counts() {
    let old = body(X, 3, "0 -> 1: x = p + 1i32\n 1 -> 2: return x");
    let change = |new: &str| check(&old, new, &["f"], &["f", "main"]);
    change(&body(X, 3, "0 -> 1: x = p + 2i32\n 1 -> 2: return x"));
    change(&body(X, 3, "0 -> 1: x = p - 1i32\n 1 -> 2: return x"));
    change(&body(X, 3, "0 -> 1: x = q + 1i32\n 1 -> 2: return x"));
    change(&body(X, 3, "0 -> 1: x = @g + 1i32\n 1 -> 2: return x"));
    change(&body(X, 3, "0 -> 1: @g = p + 1i32\n 1 -> 2: return x"));
    change(&body(X, 3, "0 -> 1: x = p + 1i32\n 1 -> 2: return p"));
    change(&body(X, 3, "0 -> 1: x = p + 1i32\n 1 -> 2: halt x"));
    change(&body(X, 4, "0 -> 1: x = p + 1i32\n 1 -> 2: check assertion x < 3i32\n 2 -> 3: return x"));
    change(&body(XY, 4, "0 -> 1: x = p + 1i32\n 1 -> 2: y = uninit\n 2 -> 3: return x"));

    let old = body(X, 3, "0 -> 1: x = @g\n 1 -> 2: return x");
    check(&old, &body(X, 3, "0 -> 1: x = @h\n 1 -> 2: return x"), &["f"], &["f", "main"]);
    let old = body(X, 3, "0 -> 1: x = input \"a\"\n 1 -> 2: return x");
    check(&old, &body(X, 3, "0 -> 1: x = input \"b\"\n 1 -> 2: return x"), &["f"], &["f", "main"]);
    check(&old, &body(X, 3, "0 -> 1: x = uninit\n 1 -> 2: return x"), &["f"], &["f", "main"]);
    let memory =
        |s: &str| body(&format!("local m: memory {s}"), 3, "0 -> 1: i32[&m] = 1i32\n 1 -> 2: return p");
    check(&memory("8 align 4"), &memory("12 align 4"), &["f"], &["f", "main"]);
    check(&memory("8 align 4"), &memory("8 align 8"), &["f"], &["f", "main"]);
    let swap = |a: &str, b: &str| {
        body(
            "",
            4,
            &format!(
                "0 -> 1: assume p < q\n 0 -> 2: assume not p < q\n 1 -> 3: return {a}\n 2 -> 3: return {b}"
            ),
        )
    };
    check(&swap("p", "q"), &swap("q", "p"), &["f"], &["f", "main"]);
}

#[test]
fn what_does_not_count() {
    let old = body(XY, 4, "0 -> 1: x = p + 1i32\n 1 -> 2: y = x\n 2 -> 3: return y");
    let keep = |new: &str| check(&old, new, &[], &[]);
    keep(&body("local y: i32\n local x: i32", 4, "0 -> 1: x = p + 1i32\n 1 -> 2: y = x\n 2 -> 3: return y"));
    keep(&body(XY, 4, "0 -> 1: y = p + 1i32\n 1 -> 2: x = y\n 2 -> 3: return x"));
    keep(&body(XY, 6, "0 -> 4: skip\n 4 -> 2: x = p + 1i32\n 2 -> 1: y = x @7:7\n 1 -> 5: return y"));
    keep(&body(XY, 5, "0 -> 1: x = p + 1i32\n 1 -> 2: y = x\n 2 -> 4: return y\n 3 -> 4: return x"));
    let say = |text: &str| body("", 3, &format!("0 -> 1: check assertion p < q {text}\n 1 -> 2: return p"));
    check(&say(""), &say("\"p is small\""), &[], &[]);
    let hang = |edges: &str| {
        body("", 5, &format!("0 -> 1: assume p < q\n 0 -> 2: assume not p < q\n 2 -> 4: return p\n{edges}"))
    };
    check(&hang("1 -> 1: skip"), &hang("1 -> 3: skip\n 3 -> 1: skip"), &[], &[]);
    check(&hang("1 -> 1: skip"), &hang("1 -> 2: skip"), &["f"], &["f", "main"]);
}

/// `main` calls `a`, `a` calls `b`, `b` and `c` call each other, `d` is alone.
fn calls(b: &str, c: &str, globals: &str) -> String {
    let f = |name: &str, call: &str, value: &str| {
        format!(
            "func {name}() -> i32 {{\n local r: i32\n nodes 4 entry 0 exit 3\n 0 -> 1: r = {call}\n \
             1 -> 2: r = r + {value}\n 2 -> 3: return r\n}}\n"
        )
    };
    format!(
        "target lp64\n{globals}\n{}{}{}{}{}",
        f("main", "call a()", "0i32"),
        f("a", "call b()", "1i32"),
        f("b", "call c()", b),
        f("c", "call b()", c),
        f("d", "5i32", "1i32"),
    )
}

const GLOBALS: &str = "global g: i32 = {0: 1i32}\nconst k: i32 = {0: 1i32}\n\
    const t: memory 8 align 8 = {0: &@u}\nconst u: memory 4 align 4 = {0: 7i32}\nglobal v: memory 8 align 8 = {0: &@u}";

#[test]
fn what_fragments_run_into() {
    let old = calls("1i32", "2i32", GLOBALS);
    check(&old, &calls("2i32", "1i32", GLOBALS), &["b", "c"], &["a", "b", "c", "main"]);
    check(&old, &calls("1i32", "3i32", GLOBALS), &["c"], &["a", "b", "c", "main"]);

    let check = |b: &str, from: &str, to: &str, expected: &[&str]| {
        let old = calls(b, "2i32", GLOBALS);
        assert!(old.contains(from), "{from}");
        check(&old, &old.replace(from, to), &[], expected);
    };
    let reached = &["a", "b", "c", "main"];
    check("@g", "g: i32 = {0: 1i32}", "g: i32 = {0: 2i32}", &[]);
    check("@g", "g: i32 = {0: 1i32}", "g: i32", &[]);
    check("@g", "global g", "const g", reached);
    check("@k", "k: i32 = {0: 1i32}", "k: i32 = {0: 2i32}", reached);
    check("@k", "k: i32 = {0: 1i32}", "k: i32", reached);
    check("@g", "k: i32 = {0: 1i32}", "k: i32 = {0: 2i32}", &[]);
    // A constant pointer leads to what it points to; a variable one does not.
    check("i32[ptr[&@t]]", "0: 7i32", "0: 8i32", reached);
    check("i32[ptr[&@v]]", "0: 7i32", "0: 8i32", &[]);
    check("i32[ptr[&@v]]", "v: memory 8 align 8", "v: memory 16 align 8", reached);
}

#[test]
fn initial_values_belong_to_the_program() {
    let entry = |text: &str| {
        let program = parse(text);
        let prints = Fingerprints::compute(&program);
        let main = program.find_function("main").unwrap();
        assert_eq!(prints.entry(&program, main), run_print(&program, main), "{text}");
        (prints.program(), prints.entry(&program, main))
    };
    let check = |b: &str, from: &str, to: &str, same_entry: bool| {
        let old = calls(b, "2i32", GLOBALS);
        let (a, b) = (entry(&old), entry(&old.replace(from, to)));
        assert_ne!(a.0, b.0, "{from} {to}");
        assert_eq!(a.1 == b.1, same_entry, "{from} {to}");
    };
    check("@g", "g: i32 = {0: 1i32}", "g: i32 = {0: 2i32}", false);
    check("@g", "v: memory 8 align 8 = {0: &@u}", "v: memory 8 align 8 = {}", true);
    check("i32[ptr[&@v]]", "0: 7i32", "0: 8i32", false);
    check("@g", "r + 1i32\n 2 -> 3: return r\n}\nfunc b", "r + 9i32\n 2 -> 3: return r\n}\nfunc b", false);
    check("@g", "r = 5i32", "r = 6i32", true);
}

#[test]
fn the_target_counts() {
    let program = parse(&calls("1i32", "2i32", ""));
    let main = program.find_function("main").unwrap();
    let a = Fingerprints::compute(&program);
    let other = Fingerprints::compute(&Program { target: ir::Target::ILP32, ..program });
    assert_eq!(a.function(main).local, other.function(main).local);
    assert_ne!(a.function(main).global, other.function(main).global);
    assert_ne!(a.program(), other.program());
}

fn pointers(edit: impl Fn(String) -> String) -> String {
    edit(
        "target lp64
global p: ptr = {0: func one}
const .str.0: memory 3 align 1 = {0: b\"hi\\x00\"}
const .str.1: memory 3 align 1 = {0: b\"yo\\x00\"}
func one() -> i32 {
  nodes 2 entry 0 exit 1
  0 -> 1: return 1i32
}
func two() -> i32 {
  nodes 2 entry 0 exit 1
  0 -> 1: return 2i32
}
func other(x: i32) -> i32 {
  nodes 2 entry 0 exit 1
  0 -> 1: return x
}
func caller() -> i32 {
  local r: i32
  nodes 3 entry 0 exit 2
  0 -> 1: r = call *(@p)()
  1 -> 2: return r
}
func taker() -> ptr {
  nodes 2 entry 0 exit 1
  0 -> 1: return func other
}
func talker() -> ptr {
  nodes 2 entry 0 exit 1
  0 -> 1: return &@.str.0
}
"
        .to_string(),
    )
}

#[test]
fn pointers_and_literals() {
    let old = pointers(|t| t);
    let replaced = |from: &str, to: &str| {
        assert!(old.contains(from), "{from}");
        pointers(|t| t.replacen(from, to, 1))
    };
    check(&old, &replaced("return 1i32", "return 3i32"), &["one"], &["caller", "one"]);
    // Nobody takes the address of `two`, and `other` does not fit the call.
    check(&old, &replaced("return 2i32", "return 3i32"), &["two"], &["two"]);
    check(&old, &replaced("return x", "return x + 1i32"), &["other"], &["other"]);
    check(&old, &replaced("return func other", "return func two"), &["taker"], &["caller", "taker"]);
    check(&old, &replaced("b\"hi", "b\"ha"), &["talker"], &["talker"]);
    check(&old, &replaced("b\"yo", "b\"ya"), &[], &[]);
    check(&old, &pointers(|t| t.replace(".str.0", ".str.9")), &[], &[]);
    check(
        &old,
        &replaced("func two() -> i32", "func two() -> i32 extern\nfunc second() -> i32"),
        &["two"],
        &["two"],
    );
}

/// A function `f` with these edges; the fingerprints of its loops, outermost first.
fn loops(name: &str, locals: &str, nodes: u32, edges: &str) -> Vec<[Fingerprint; 2]> {
    let program = parse(
        &body(locals, nodes, edges)
            .replace("func f(", &format!("func {name}("))
            .replace("call f", &format!("call {name}")),
    );
    let prints = Fingerprints::compute(&program);
    let id = program.find_function(name).unwrap();
    prints.loops(id).iter().map(|p| [p.local, p.global]).collect()
}

#[test]
fn loops_stand_alone() {
    let simple = "0 -> 1: x = p\n 1 -> 2: assume x < q\n 1 -> 3: assume not x < q\n 2 -> 1: x = x + 1i32\n 3 -> 4: return x";
    let old = loops("f", X, 5, simple);
    assert_eq!(old.len(), 1);
    let check = |name: &str, locals: &str, nodes: u32, edges: &str, same: bool| {
        let new = loops(name, locals, nodes, edges);
        assert_eq!(new.len(), 1);
        assert_eq!(old == new, same, "{edges}");
    };
    // Other code around it, another function, other variables (a parameter among them), a skip.
    check("f", X, 5, &simple.replace("x = p", "x = p - 7i32").replace("return x", "return p"), true);
    check("other", X, 5, simple, true);
    check(
        "f",
        XY,
        5,
        &simple.replace("x = p", "y = p").replace("x < q", "y < x").replace("x = x", "y = y"),
        true,
    );
    check(
        "f",
        "",
        5,
        "0 -> 1: skip\n 1 -> 2: assume p < q\n 1 -> 3: assume not p < q\n 2 -> 1: p = p + 1i32\n 3 -> 4: return p",
        true,
    );
    check(
        "f",
        X,
        7,
        &simple
            .replace("0 -> 1: x = p", "0 -> 5: x = p\n 5 -> 1: skip")
            .replace("3 -> 4", "3 -> 6")
            .replace("2 -> 1: x = x + 1i32", "2 -> 4: x = x + 1i32\n 4 -> 1: skip"),
        true,
    );
    // Not the same roles, not the same operation, another way out.
    check("f", X, 5, &simple.replace("x < q", "q < x"), false);
    check("f", X, 5, &simple.replace("x = x + 1i32", "x = x + 2i32"), false);
    check("f", X, 5, &simple.replace("x = x + 1i32", "q = q + 1i32"), false);
    check(
        "f",
        X,
        6,
        &simple.replace("3 -> 4: return x", "3 -> 5: return x").replace(
            "2 -> 1: x = x + 1i32",
            "2 -> 4: x = x + 1i32\n 4 -> 1: assume x < p\n 4 -> 3: assume not x < p",
        ),
        false,
    );
}

/// Through a head that only skips, an inner loop's exit leads back to its own head: leaving it is not the
/// same as going round in it.
#[test]
fn an_inner_loop_is_not_the_one_around_it() {
    let rest = "2 -> 3: assume p < q\n 2 -> 1: assume not p < q\n 3 -> 1: p = p + 1i32";
    let nested = loops(
        "f",
        "",
        6,
        "0 -> 4: skip\n 4 -> 1: skip\n 1 -> 2: q = q + 1i32\n 2 -> 3: assume p < q\n 2 -> 4: assume not p < q\n 3 -> 1: p = p + 1i32",
    );
    let flat = loops("f", "", 6, &format!("0 -> 1: skip\n 1 -> 2: q = q + 1i32\n {rest}"));
    assert_eq!((nested.len(), flat.len()), (2, 1));
    assert_eq!(nested[0], flat[0]);
    assert_ne!(nested[1], flat[0]);
}

/// An order of locals and nodes by which facts can be carried over.
#[test]
fn canonical_forms_translate() {
    let a = parse(&body(XY, 4, "0 -> 1: x = p + 1i32\n 1 -> 2: y = x\n 2 -> 3: return y"));
    let b = parse(&body(
        "local s: i32\n local t: i32",
        6,
        "0 -> 4: skip\n 4 -> 2: t = p + 1i32\n 2 -> 1: s = t\n 1 -> 5: return s",
    ));
    let f = a.find_function("f").unwrap();
    let (x, y) = (Forms::new(&a), Forms::new(&b));
    let (x, y) = (&x.function(f).whole.canonical, &y.function(f).whole.canonical);
    assert_eq!(x.shape, y.shape);
    let names = |p: &Program, locals: &[ir::LocalId]| -> Vec<String> {
        locals.iter().map(|l| p.function(f).local(*l).name.to_string()).collect()
    };
    assert_eq!(names(&a, &x.locals), ["p", "q", "x", "y"]);
    assert_eq!(names(&b, &y.locals), ["p", "q", "t", "s"]);
    assert_eq!(y.nodes, [4, 2, 1, 5].map(ir::NodeId));
    assert_eq!(y.node_index(ir::NodeId(0)), Some(0));
    assert_eq!(x.edges.len(), y.edges.len());
}

/// Functions that can come to run `target`: by reachable calls.
fn transitive_callers(program: &Program, target: FuncId) -> BTreeSet<FuncId> {
    let calls = CallGraph::of(program);
    let forms = Forms::new(program);
    let runs = |f: FuncId, found: &BTreeSet<FuncId>| {
        let edges = &forms.function(f).whole.canonical.edges;
        let targets = edges.iter().filter_map(|e| calls.site(f, *e)).flat_map(|site| &site.targets);
        targets.into_iter().any(|g| found.contains(g))
    };
    let mut found = BTreeSet::from([target]);
    loop {
        let before = found.len();
        found.extend(program.function_ids().filter(|f| runs(*f, &found)).collect::<Vec<_>>());
        if found.len() == before {
            return found;
        }
    }
}

proptest! {
    #[test]
    fn rewording_changes_nothing(program in ir::testing::program(), seed: u64) {
        let other = reword(&program, &mut Random(seed));
        prop_assert_eq!(ir::verify::verify(&other), Ok(()));
        let [locals, globals] = differences(&program, &other);
        prop_assert!(locals.is_empty() && globals.is_empty(), "{locals:?} {globals:?}");
        let (a, b) = (Fingerprints::compute(&program), Fingerprints::compute(&other));
        prop_assert_eq!(a.program(), b.program());
        for (id, function) in program.function_ids().zip(&program.functions) {
            let other_id = other.find_function(&function.name).unwrap();
            prop_assert_eq!(a.entry(&program, id), b.entry(&other, other_id));
            prop_assert_eq!(a.loops(id), b.loops(other_id));
        }
    }

    #[test]
    fn a_changed_constant_reaches_exactly_the_callers(program in ir::testing::program(), seed: u64) {
        let mut other = program.clone();
        let Some((changed, reached)) = change_constant(&mut other, &mut Random(seed)) else { return Ok(()) };
        let name = |f: FuncId| program.function(f).name.to_string();
        let [locals, globals] = differences(&program, &other);
        if reached {
            prop_assert_eq!(locals, BTreeSet::from([name(changed)]));
            let callers: BTreeSet<_> = transitive_callers(&program, changed).into_iter().map(name).collect();
            prop_assert_eq!(globals, callers);
        } else {
            prop_assert!(locals.is_empty() && globals.is_empty(), "{:?} {:?}", locals, globals);
        }
    }
}
