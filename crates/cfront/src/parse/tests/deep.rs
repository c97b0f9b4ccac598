//! Nesting that no stack could take ends in one located error, quickly.

use super::{run, with_stack};
use std::time::{Duration, Instant};

const MANY: usize = 100_000;

/// `head`, then `open` many times, `middle`, `close` as often, `tail`.
fn check(name: &'static str, head: &str, open: &str, middle: &str, close: &str, tail: &str) {
    let text = format!("{head}{}{middle}{}{tail}", open.repeat(MANY), close.repeat(MANY));
    let (messages, time) = with_stack(move || {
        let begin = Instant::now();
        (run(&text).messages, begin.elapsed())
    });
    assert_eq!(messages.len(), 1, "{name}: {:?}", &messages[..messages.len().min(3)]);
    assert!(messages[0].contains("nesting too deep"), "{name}: {}", messages[0]);
    assert!(messages[0].starts_with(|c: char| c.is_ascii_digit()), "{name}: {}", messages[0]);
    assert!(time < Duration::from_secs(5), "{name} took {time:?}");
}

#[test]
fn expressions() {
    let (head, tail) = ("void f(void) { x = ", "; }");
    check("parentheses", head, "(", "1", ")", tail);
    check("minus", head, "- ", "1", "", tail);
    check("deref", head, "*", "p", "", tail);
    check("cast", head, "(int)", "1", "", tail);
    check("sizeof", head, "sizeof ", "1", "", tail);
    check("sizeof array type", head, "sizeof(int[", "1", "])", tail);
    check("typeof", head, "(typeof(", "1", "))1", tail);
    check("calls", head, "f(", "1", ")", tail);
    check("call results", head, "", "g", "()", tail);
    check("indices", head, "", "a", "[0]", tail);
    check("members", head, "", "a", ".b", tail);
    check("nested indices", head, "a[", "1", "]", tail);
    check("postfix", head, "", "a", "++", tail);
    check("sums", head, "1+", "1", "", tail);
    check("commas", head, "1,", "1", "", tail);
    check("else branches", head, "1?1:", "1", "", tail);
    check("then branches", head, "1?", "1", ":1", tail);
    check("assignments", head, "a=", "1", "", tail);
    check("extension", head, "__extension__ ", "1", "", tail);
    check("statement expressions", head, "({", "1;", "})", tail);
    check("compound literals", head, "(int){", "1", "}", tail);
    check("generic", head, "_Generic(1,int:", "1", ")", tail);
    check("choose", head, "__builtin_choose_expr(1,2,", "1", ")", tail);
    check("sums in parentheses", head, "(1+1+", "1", ")", tail);
}

#[test]
fn statements() {
    let (head, tail) = ("void f(void) { ", " }");
    check("blocks", head, "{", "", "}", tail);
    check("ifs", head, "if (1) ", ";", "", tail);
    check("else ifs", head, "if (1) ; else ", ";", "", tail);
    check("whiles", head, "while (1) ", ";", "", tail);
    check("dos", head, "do ", ";", " while (1);", tail);
    check("fors", head, "for (;;) ", ";", "", tail);
    check("switches", head, "switch (1) ", ";", "", tail);
    check("cases", head, "case 1: ", ";", "", tail);
    check("labels", head, "a: ", ";", "", tail);
    check("stray elses", head, "{ if (1) { } else { ", ";", "}}", tail);
    check("nested functions", head, "void f(void) {", "", "}", tail);
}

#[test]
fn declarations() {
    check("stars", "int ", "*", "p", "", ";");
    check("declarator parentheses", "int ", "(", "p", ")", ";");
    check("dimensions", "int a", "[1]", "", "", ";");
    check("functions", "int f", "()", "", "", ";");
    check("abstract declarators", "int f(int ", "(*", "", ")", ");");
    check("parameters", "", "int f(", "int", ")", ";");
    check("initializers", "int a = ", "{", "1", "}", ";");
    check("structs", "", "struct {", "int x;", "} x;", "");
    check("enums", "", "enum { A = sizeof(", "int", ") };", "");
    check("atomics", "", "_Atomic(", "int", ")", " x;");
    check("attributes", "int x ", "__attribute__((a(({ int x ", "", ";}))))", ";");
    check("typeofs", "", "typeof(", "int", ")", " x;");
}

#[test]
fn long_but_flat() {
    for (text, what) in [
        (format!("int a[] = {{ {} }};", "1, ".repeat(MANY)), "initializer"),
        (format!("void f(void) {{ {} }}", "a; ".repeat(MANY)), "block"),
        (format!("void f({} int);", "int, ".repeat(MANY)), "parameters"),
        (format!("void f(void) {{ g({} 1); }}", "1, ".repeat(MANY)), "arguments"),
        (format!("{} int x;", "__extension__ ".repeat(MANY)), "extension"),
        (format!("{} int x;", "__attribute__((unused)) ".repeat(MANY)), "attributes"),
        (format!("char *s = {};", "\"x\" ".repeat(MANY)), "strings"),
        (format!("{} int x;", "const ".repeat(MANY)), "qualifiers"),
        (format!("void f(void) {{ x = {} 1; }}", "1 + ".repeat(19_000)), "sum"),
        (format!("void f(void) {{ {} ; }}", "if (x) ; else ".repeat(19_000)), "else if"),
        (format!("void f(void) {{ switch (x) {{ {} ; }} }}", "case 1: ".repeat(19_000)), "cases"),
        (format!("void f(void) {{ x = {} 1 {}; }}", "(".repeat(3900), ")".repeat(3900)), "parentheses"),
    ] {
        let messages = with_stack(move || run(&text).messages);
        assert!(messages.is_empty(), "{what}: {:?}", messages[0]);
    }
}

/// Chains inside chains: the height counts, not the length of each.
#[test]
fn chains_add_up() {
    let text = format!(
        "void f(void) {{ x = {}1{}; }}",
        "(".repeat(100),
        format!("{})", "+1".repeat(300)).repeat(100)
    );
    let messages = with_stack(move || run(&text).messages);
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains("nesting too deep"), "{messages:?}");
}
