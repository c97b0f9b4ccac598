//! Two versions, and what the comparison says of each fragment.

use change::{Comparison, Options, compare};
use ir::Program;

fn parse(text: &str) -> Program {
    let program = ir::parse::parse(text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    ir::verify::verify(&program).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    program
}

/// One line for each fragment that is not unchanged: `name: state: reasons`.
fn table(comparison: &Comparison) -> String {
    let rows = comparison.rows().into_iter().filter(|row| row.state != "unchanged");
    rows.map(|row| format!("{} {}: {}: {}\n", row.kind, row.fragment, row.state, row.why)).collect()
}

/// `edits` are replacements in the old text, each of which must apply exactly once.
#[track_caller]
fn check(old: &str, edits: &[(&str, &str)], expected: &str) {
    let mut new = old.to_string();
    for (from, to) in edits {
        assert_eq!(new.matches(from).count(), 1, "{from} in\n{new}");
        new = new.replace(from, to);
    }
    let comparison = compare(&parse(old), &parse(&new), &Options::default());
    let lines =
        |text: &str| text.lines().map(|l| l.trim().to_string()).filter(|l| !l.is_empty()).collect::<Vec<_>>();
    assert_eq!(lines(&table(&comparison)), lines(expected));
    assert!(serde_json::to_string(&comparison).is_ok());
}

const CALLS: &str = r#"target lp64
file "old.c"
global limit: i32 "int" @1:5 = {0: 10i32}
global other: i32 = {0: 10i32}
const table: memory 8 align 4 "int [2]" = {0: 1i32, 4: 2i32}
func main() -> i32 @30:1 {
  local r: i32
  nodes 3 entry 0 exit 2
  0 -> 1: r = call top(1i32) @31:3
  1 -> 2: return r @32:3
}
func top(x: i32) -> i32 @20:1 {
  local r: i32
  nodes 4 entry 0 exit 3
  0 -> 1: r = call leaf(x) @21:3
  1 -> 2: check assertion r < @limit @22:3
  2 -> 3: return r + x @23:3
}
func leaf(x: i32) -> i32 @10:1 {
  local y: i32 "int"
  nodes 4 entry 0 exit 3
  0 -> 1: y = x + 1i32 @12:3
  1 -> 2: y = y * i32[&@table] @13:3
  2 -> 3: return y @14:3
}
func alone() @5:1 {
  nodes 2 entry 0 exit 1
  0 -> 1: return @6:3
}
"#;

#[test]
fn operations() {
    let affected = "function main: affected: calls `top`, which is affected
                    function top: affected: calls `leaf`, which changed";
    let leaf = |edits: &[(&str, &str)], why: &str| {
        check(CALLS, edits, &format!("function leaf: changed: {why}\n{affected}"));
    };
    leaf(&[("x + 1i32 @12:3", "x + 2i32 @12:3")], "differs at old.c:12: `x + 1` became `x + 2`");
    leaf(
        &[("x + 1i32 @12:3", "x - 1i32 @13:3")],
        "differs at old.c:13: `x + 1` became `x - 1` (was at old.c:12)",
    );
    leaf(&[("return y @14:3", "return x @14:3")], "differs at old.c:14: `return y` became `return x`");
    leaf(
        &[
            ("nodes 4 entry 0 exit 3\n  0 -> 1: y", "nodes 5 entry 0 exit 4\n  0 -> 1: y"),
            ("2 -> 3: return y", "2 -> 3: y = y | 1i32 @14:1\n  3 -> 4: return y"),
        ],
        "`y = y | 1` was added at old.c:14",
    );
    leaf(
        &[("  1 -> 2: y = y * i32[&@table] @13:3\n", "  1 -> 2: skip\n")],
        "`y = y * table` at old.c:13 was removed",
    );
    leaf(
        &[
            ("local y: i32 \"int\"", "local y: i64 \"long\""),
            ("y = x + 1i32", "y = i64(x + 1i32)"),
            ("y = y * i32[&@table]", "y = y * i64(i32[&@table])"),
            ("return y @14", "return i32(y) @14"),
        ],
        "variable `y` was `int` and is `long`",
    );
    leaf(&[("2 -> 3: return y", "2 -> 3: halt y")], "differs at old.c:14: `return y` became `exit(y)`");
    check(
        CALLS,
        &[("r + x @23:3", "r - x @23:3")],
        "
        function main: affected: calls `top`, which changed
        function top: changed: differs at old.c:23: `r + x` became `r - x`",
    );
    check(
        CALLS,
        &[("return r @32:3", "return r @35:3"), ("local y: i32 \"int\"", "local y: i32 \"signed\"")],
        "",
    );
}

#[test]
fn signatures_and_bodies() {
    check(
        CALLS,
        &[("func alone() @5:1", "func alone(x: i32) \"void (int)\" @5:1")],
        "
        function alone: changed: its type was `` and is `void (int)`",
    );
    let body = "func alone() @5:1 {\n  nodes 2 entry 0 exit 1\n  0 -> 1: return @6:3\n}\n";
    check(
        CALLS,
        &[(body, "func alone() @5:1 extern\n")],
        "
        function alone: changed: it was defined and is only declared",
    );
    check(CALLS, &[(body, "")], "function alone: removed: is gone");
    check(CALLS, &[(body, &format!("{body}func beyond() extern\n"))], "function beyond: added: is new");
    let poisoned = CALLS.replace(body, "func alone() poisoned \"inline assembly\"\n");
    check(
        &poisoned,
        &[],
        "
        function alone: changed: it could not be translated (inline assembly), so it may have changed",
    );
    check(
        CALLS,
        &[("target lp64", "target ilp32"), ("i32[&@table] @13", "i32[&@table] @13")],
        "
        function alone: changed: the target was lp64 and is ilp32
        function leaf: changed: the target was lp64 and is ilp32
        function main: changed: the target was lp64 and is ilp32
        function top: changed: the target was lp64 and is ilp32",
    );
}

#[test]
fn globals() {
    check(
        CALLS,
        &[("= {0: 10i32}\nglobal other", "= {0: 11i32}\nglobal other")],
        "
        function main: affected: starts with another initial value of global `limit`
        global limit: changed: global `limit` changed its initial value",
    );
    check(
        CALLS,
        &[("other: i32 = {0: 10i32}", "other: i32 = {0: 11i32}")],
        "
        global other: changed: global `other` changed its initial value",
    );
    check(
        CALLS,
        &[("4: 2i32", "4: 3i32")],
        "
        function leaf: affected: global `table` changed its initial value
        function main: affected: calls `top`, which is affected (and 1 more)
        function top: affected: calls `leaf`, which is affected
        global table: changed: global `table` changed its initial value",
    );
    check(
        CALLS,
        &[("table: memory 8 align 4 \"int [2]\"", "table: memory 12 align 4 \"int [3]\"")],
        "
        function leaf: affected: global `table` changed its type from `int [2]` to `int [3]`
        function main: affected: calls `top`, which is affected
        function top: affected: calls `leaf`, which is affected
        global table: changed: global `table` changed its type from `int [2]` to `int [3]`",
    );
    check(
        CALLS,
        &[("const table", "global table")],
        "
        function leaf: affected: global `table` is no longer constant
        function main: affected: calls `top`, which is affected
        function top: affected: calls `leaf`, which is affected
        global table: changed: global `table` is no longer constant",
    );
    check(CALLS, &[("global other: i32 = {0: 10i32}\n", "")], "global other: removed: is gone");
    check(
        CALLS,
        &[("global other", "global one_more: i32 = {}\nglobal other")],
        "global one_more: added: is new",
    );
    // Equal initial values, written in another way.
    check(CALLS, &[("0: 1i32, 4: 2i32", "0: b\"\\x01\\x00\\x00\", 4: b\"\\x02\"")], "");
}

#[test]
fn renaming() {
    check(
        CALLS,
        &[("func leaf", "func sheet"), ("call leaf", "call sheet")],
        "
        function sheet: renamed: was `leaf`",
    );
    check(
        CALLS,
        &[("global limit", "global bound"), ("r < @limit", "r < @bound")],
        "
        global bound: renamed: was `limit`",
    );
    check(
        CALLS,
        &[
            ("func leaf", "func sheet"),
            ("call leaf", "call sheet"),
            ("func top", "func up"),
            ("call top", "call up"),
            ("global limit", "global bound"),
            ("r < @limit", "r < @bound"),
        ],
        "
        function sheet: renamed: was `leaf`
        function up: renamed: was `top`
        global bound: renamed: was `limit`",
    );
    check(
        CALLS,
        &[("func leaf", "func \"a.c::leaf\""), ("call leaf", "call \"a.c::leaf\""), ("x + 1i32", "x + 2i32")],
        "
        function a.c::leaf: changed: differs at old.c:12: `x + 1` became `x + 2` (and 1 more)
        function main: affected: calls `top`, which is affected
        function top: affected: calls `a.c::leaf`, which changed",
    );
    check(
        CALLS,
        &[("func leaf", "func sheet"), ("call leaf", "call sheet"), ("x + 1i32", "x + 2i32")],
        "
        function main: affected: calls `top`, which is affected
        function sheet: changed: differs at old.c:12: `x + 1` became `x + 2` (and 1 more)
        function top: affected: calls `sheet`, which changed",
    );
    // The caller now calls something else, which happens to be new.
    check(
        CALLS,
        &[
            ("call leaf(x)", "call stub(x)"),
            (
                "func alone",
                "func stub(x: i32) -> i32 {\n nodes 2 entry 0 exit 1\n 0 -> 1: return x\n}\nfunc alone",
            ),
        ],
        "
        function main: affected: calls `top`, which changed
        function stub: added: is new
        function top: changed: differs at old.c:21: `r = leaf(x)` became `r = stub(x)`",
    );
}

const POINTERS: &str = r#"target lp64
global hook: ptr = {0: func one}
const .str.0: memory 3 align 1 = {0: b"hi\x00"}
const .str.1: memory 3 align 1 = {0: b"hi\x00"}
const names: memory 8 align 8 = {0: &@letters}
const letters: memory 2 align 1 = {0: b"ab"}
func one() -> i32 {
  nodes 2 entry 0 exit 1
  0 -> 1: return 1i32
}
func two() -> i32 {
  nodes 2 entry 0 exit 1
  0 -> 1: return 2i32
}
func caller() -> i32 {
  local r: i32
  nodes 3 entry 0 exit 2
  0 -> 1: r = call *(@hook)()
  1 -> 2: return r
}
func reader() -> u8 {
  nodes 2 entry 0 exit 1
  0 -> 1: return u8[ptr[&@names]]
}
func left() -> ptr {
  nodes 2 entry 0 exit 1
  0 -> 1: return &@.str.0
}
func right() -> ptr {
  nodes 2 entry 0 exit 1
  0 -> 1: return &@.str.1
}
"#;

#[test]
fn pointers() {
    check(
        POINTERS,
        &[("return 1i32", "return 3i32")],
        "
        function caller: affected: may call through a pointer `one`, which changed
        function one: changed: differs: `return 1` became `return 3`",
    );
    check(
        POINTERS,
        &[("return 2i32", "return 3i32")],
        "
        function two: changed: differs: `return 2` became `return 3`",
    );
    check(
        POINTERS,
        &[("hook: ptr = {0: func one}", "hook: ptr = {0: func two}")],
        "
        function caller: affected: may now call `two` through a pointer (and 1 more)
        global hook: changed: global `hook` changed its initial value",
    );
    check(
        POINTERS,
        &[("func one()", "func uno()"), ("{0: func one}", "{0: func uno}")],
        "
        function uno: renamed: was `one`",
    );
    check(
        POINTERS,
        &[("b\"ab\"", "b\"ac\"")],
        "
        function reader: affected: global `names` points to `letters`, which changed
        global letters: changed: global `letters` changed its initial value
        global names: affected: global `names` points to `letters`, which changed",
    );
}

#[test]
fn literals() {
    check(POINTERS, &[("const .str.0", "const .str.7"), ("return &@.str.0", "return &@.str.7")], "");
    check(
        POINTERS,
        &[(".str.0: memory 3 align 1 = {0: b\"hi", ".str.0: memory 3 align 1 = {0: b\"ho")],
        "
        function left: changed: differs: `return \"hi\"` became `return \"ho\"`",
    );
    check(
        POINTERS,
        &[("return &@.str.1", "return &@.str.0")],
        "
        function right: affected: equal string literals are shared in a different way",
    );
}

/// Two loops in a row, the second with one inside; `step` is called in the inner one.
const LOOPS: &str = r#"target lp64
file "l.c"
func step(x: i32) -> i32 {
  nodes 2 entry 0 exit 1
  0 -> 1: return x + 1i32
}
func f(n: i32) -> i32 @1:1 {
  local i: i32
  local j: i32
  nodes 10 entry 0 exit 9
  0 -> 1: i = 0i32 @2:3
  1 -> 2: assume i < n @3:3
  1 -> 3: assume not i < n @3:3
  2 -> 1: i = i + 1i32 @4:3
  3 -> 4: j = 0i32 @5:3
  4 -> 5: assume j < n @6:3
  4 -> 8: assume not j < n @6:3
  5 -> 6: assume 0i32 < i @7:3
  5 -> 7: assume not 0i32 < i @7:3
  6 -> 5: i = call step(i) @8:3
  7 -> 4: j = j + 2i32 @9:3
  8 -> 9: return i + j @10:3
}
"#;

#[test]
fn loops() {
    check(
        LOOPS,
        &[("i = i + 1i32", "i = i + 3i32")],
        "
        function f: changed: differs at l.c:4: `i + 1` became `i + 3`
        loop f loop 1: changed: differs at l.c:4: `i + 1` became `i + 3`",
    );
    check(
        LOOPS,
        &[("j = j + 2i32", "j = j + 3i32")],
        "
        function f: changed: differs at l.c:9: `j + 2` became `j + 3`
        loop f loop 2: changed: differs at l.c:9: `j + 2` became `j + 3`",
    );
    check(
        LOOPS,
        &[("i = call step(i)", "i = call step(j)")],
        "
        function f: changed: differs at l.c:8: `i = step(i)` became `i = step(j)`
        loop f loop 2: changed: differs at l.c:8: `i = step(i)` became `i = step(j)`
        loop f loop 2.1: changed: differs at l.c:8: `i = step(i)` became `i = step(j)`",
    );
    check(
        LOOPS,
        &[("return x + 1i32", "return x + 2i32")],
        "
        function f: affected: calls `step`, which changed
        loop f loop 2: affected: calls `step`, which changed
        loop f loop 2.1: affected: calls `step`, which changed
        function step: changed: differs: `x + 1` became `x + 2`",
    );
    check(
        LOOPS,
        &[("i = 0i32", "i = 7i32"), ("return i + j", "return i - j")],
        "
        function f: changed: differs at l.c:2: `i = 0` became `i = 7`",
    );
    // The first loop goes away; the others keep what is known of them.
    check(
        LOOPS,
        &[("2 -> 1: i = i + 1i32", "2 -> 3: i = i + 1i32")],
        "
        function f: changed: the control flow differs at l.c:4 (was at l.c:4)
        loop f loop 1: renamed: was `f loop 2`
        loop f loop 1.1: renamed: was `f loop 2.1`
        loop f loop 1: removed: is gone",
    );
    check(
        LOOPS,
        &[("func f", "func g")],
        "
        function g: renamed: was `f`
        loop g loop 1: renamed: was `f loop 1`
        loop g loop 2: renamed: was `f loop 2`
        loop g loop 2.1: renamed: was `f loop 2.1`",
    );
}

#[test]
fn who_can_be_affected() {
    let program = parse(CALLS);
    let comparison = compare(&program, &program, &Options::default());
    assert!(comparison.is_identical());
    let names = |name: &str| -> Vec<String> {
        let callers = comparison.can_affect(program.find_function(name).unwrap());
        callers.into_iter().map(|f| program.function(f).name.to_string()).collect()
    };
    assert_eq!(names("leaf"), ["main", "top"]);
    assert_eq!(names("main"), [""; 0]);
}
