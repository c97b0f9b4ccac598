//! What is left: each case is a piece of C and the text of the functions that keep a body, positions left out.

use cfront::{Options, compile_text, with_stack};
use ir::CheckKind;

fn sliced(source: &str, checks: &[CheckKind]) -> String {
    let options = Options { checks: checks.iter().copied().collect(), ..Options::default() };
    let source = format!(
        "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void); extern void __VERIFIER_assume(int);
         extern void exit(int); extern void *malloc(unsigned long); extern void free(void *); {source}"
    );
    let output = with_stack(|| compile_text("t.c", &source, &options)).expect("no panic");
    let errors: Vec<_> = output.diagnostics.iter().map(|d| d.message.clone()).collect();
    let program = output.program.unwrap_or_else(|| panic!("{errors:?}"));
    let sliced = slice::slice(&program, program.find_function("main").expect("main")).program;
    ir::verify(&sliced).expect("verifies");
    assert_eq!(slice::slice(&program, program.find_function("main").expect("main")).program, sliced);
    let mut text = String::new();
    for (function, id) in sliced.functions.iter().zip(sliced.function_ids()) {
        if function.cfa().is_none() {
            continue;
        }
        text += &format!("{}:\n", function.name);
        for line in ir::print_function(&sliced, id).lines() {
            if line.contains("->") && !line.starts_with("func") {
                text += &format!("{}\n", strip_position(line.trim()));
            }
        }
    }
    text
}

fn strip_position(line: &str) -> &str {
    match line.rfind(" @") {
        Some(at) if line[at + 2..].bytes().all(|b| b.is_ascii_digit() || b == b':') => &line[..at],
        _ => line,
    }
}

fn check_with(source: &str, checks: &[CheckKind], expected: &str) {
    let found = sliced(source, checks);
    let expected: String =
        expected.lines().map(str::trim).filter(|l| !l.is_empty()).map(|l| format!("{l}\n")).collect();
    assert_eq!(found, expected, "{source}");
}

fn check(source: &str, expected: &str) {
    check_with(source, &[], expected);
}

#[test]
fn registers() {
    // Overwritten values, values nobody needs.
    check(
        "int main(void) { int x = __VERIFIER_nondet_int(), y = 7; int z = y; x = y + 1; y = __VERIFIER_nondet_int();
           if (x > y) __VERIFIER_error(); x = y; return z; }",
        "main:
         0 -> 1: skip
         1 -> 2: y = 7i32
         2 -> 3: skip
         3 -> 4: x = y + 1i32
         4 -> 5: y = input \"__VERIFIER_nondet_int\"
         5 -> 6: assume y < x
         5 -> 9: assume not y < x
         6 -> 7: check error_call false
         7 -> 8: halt
         9 -> 10: assume false
         10 -> 8: return 0i32",
    );
}

#[test]
fn loops_and_branches() {
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(), s = 0, i;
           for (i = 0; i < n; i++) { if (i & 1) s += i; else s -= i; }
           if (n < 0) __VERIFIER_error(); return s; }",
        "main:
         0 -> 1: n = input \"__VERIFIER_nondet_int\"
         1 -> 2: skip
         2 -> 3: skip
         3 -> 4: assume false
         3 -> 8: assume not false
         4 -> 5: assume true
         4 -> 7: assume not true
         5 -> 6: skip
         6 -> 3: skip
         7 -> 6: skip
         8 -> 9: assume n < 0i32
         8 -> 12: assume not n < 0i32
         9 -> 10: check error_call false
         10 -> 11: halt
         12 -> 11: return 0i32",
    );
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(), s = 0, t = 0;
           while (n-- > 0) { if (n == 3) s = 1; if (n == 5) t = 1; }
           if (s) __VERIFIER_error(); return t; }",
        "main:
         0 -> 1: n = input \"__VERIFIER_nondet_int\"
         1 -> 2: s = 0i32
         2 -> 3: skip
         3 -> 4: .t1 = n
         4 -> 5: n = .t1 - 1i32
         5 -> 6: assume 0i32 < .t1
         5 -> 10: assume not 0i32 < .t1
         6 -> 7: assume n == 3i32
         6 -> 8: assume not n == 3i32
         7 -> 8: s = 1i32
         8 -> 9: assume false
         8 -> 3: assume not false
         9 -> 3: skip
         10 -> 11: assume s != 0i32
         10 -> 14: assume not s != 0i32
         11 -> 12: check error_call false
         12 -> 13: halt
         14 -> 13: return 0i32",
    );
}

#[test]
fn endings() {
    check(
        "void die(int c) { exit(c); } int log;
         int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
           if (x < 0) die(x); if (y < 0) log = 1; if (x < -5) __VERIFIER_error(); while (y) y--; return 0; }",
        "main:
         0 -> 1: x = input \"__VERIFIER_nondet_int\"
         1 -> 2: skip
         2 -> 3: assume x < 0i32
         2 -> 4: assume not x < 0i32
         3 -> 4: assume false
         4 -> 5: assume false
         4 -> 6: assume not false
         5 -> 6: skip
         6 -> 7: assume x < -5i32
         6 -> 10: assume not x < -5i32
         7 -> 8: check error_call false
         8 -> 9: halt
         10 -> 11: assume true
         10 -> 12: assume not true
         11 -> 10: assume false
         12 -> 9: return 0i32",
    );
    check(
        "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
           __VERIFIER_assume(x > 0); if (x == 0) __VERIFIER_error(); __VERIFIER_assume(y > 0); return y; }",
        "main:
         0 -> 1: x = input \"__VERIFIER_nondet_int\"
         1 -> 2: skip
         2 -> 3: assume 0i32 < x
         3 -> 4: assume x == 0i32
         3 -> 7: assume not x == 0i32
         4 -> 5: check error_call false
         5 -> 6: halt
         7 -> 8: assume false
         8 -> 6: return 0i32",
    );
    check(
        "int main(void) { int s = 0; for (;;) { s++; if (s & 1) s += 2; } }",
        "main:
         0 -> 1: assume false
         1 -> 2: assume false
         2 -> 3: assume true
         2 -> 1: assume not true
         3 -> 1: assume false",
    );
    check(
        "int main(void) { int a = 0, b = 0; for (;;) { a = __VERIFIER_nondet_int(); if (b & 1) b += 2; if (a == 4) __VERIFIER_error(); } }",
        "main:
         0 -> 1: skip
         1 -> 2: skip
         2 -> 3: a = input \"__VERIFIER_nondet_int\"
         3 -> 4: assume false
         3 -> 5: assume not false
         4 -> 5: skip
         5 -> 6: assume a == 4i32
         5 -> 2: assume not a == 4i32
         6 -> 7: check error_call false
         7 -> 8: halt",
    );
}

#[test]
fn calls() {
    check(
        "int state, count; int unused(void) { return 1; }
         void lock(int *p) { count++; if (state) __VERIFIER_error(); state = 1; *p = 4; }
         int pure(int x) { count += x; return x * 2; }
         int mixed(int a, int b, int c) { count = c; return a - b; }
         int main(void) { int l = 0, k = pure(3), m = mixed(1, k, pure(k)); pure(m); lock(&l); if (m) lock(&l); return k; }",
        "lock:
         0 -> 1: skip
         1 -> 2: assume @state != 0i32
         1 -> 5: assume not @state != 0i32
         2 -> 3: check error_call false
         3 -> 4: halt
         5 -> 6: @state = 1i32
         6 -> 7: skip
         7 -> 4: return
         pure:
         0 -> 1: skip
         1 -> 2: return x * 2i32
         mixed:
         0 -> 1: skip
         1 -> 2: return a - b
         main:
         0 -> 1: skip
         1 -> 2: k = call pure(3i32)
         2 -> 3: skip
         3 -> 4: m = call mixed(1i32, k, 0i32)
         4 -> 5: skip
         5 -> 6: call lock(null)
         6 -> 7: assume m != 0i32
         6 -> 8: assume not m != 0i32
         7 -> 8: call lock(null)
         8 -> 9: return 0i32",
    );
}

#[test]
fn memory() {
    check(
        "struct S { int a; int b; struct S *n; } s, t;
         int main(void) { struct S *p = __VERIFIER_nondet_int() ? &s : &t; p->a = 1; p->b = 2; p->n = &t;
           struct S *h = malloc(sizeof *h); h->a = 3; free(h);
           if (s.b) __VERIFIER_error(); return s.a; }",
        "main:
         0 -> 1: .t2 = input \"__VERIFIER_nondet_int\"
         1 -> 2: assume .t2 != 0i32
         1 -> 16: assume not .t2 != 0i32
         2 -> 3: .t1 = &@s
         3 -> 4: p = .t1
         4 -> 5: skip
         5 -> 6: i32[p + 4i64] = 2i32
         6 -> 7: skip
         7 -> 8: skip
         8 -> 9: skip
         9 -> 10: skip
         10 -> 11: skip
         11 -> 12: assume i32[&@s + 4i64] != 0i32
         11 -> 15: assume not i32[&@s + 4i64] != 0i32
         12 -> 13: check error_call false
         13 -> 14: halt
         15 -> 14: return 0i32
         16 -> 3: .t1 = &@t",
    );
    check_with(
        "int main(void) { int *p = malloc(4), *q = malloc(4); *q = 1; free(q); *p = 0; free(p); *p = 1; return 0; }",
        &[CheckKind::Memory],
        "main:
         0 -> 1: .t1 = alloc heap 4u64
         1 -> 2: p = .t1
         2 -> 3: .t2 = alloc heap 4u64
         3 -> 4: q = .t2
         4 -> 5: check memory valid_write(q, 4u64)
         5 -> 6: skip
         6 -> 7: check memory freeable(q)
         7 -> 8: free q
         8 -> 9: check memory valid_write(p, 4u64)
         9 -> 10: skip
         10 -> 11: check memory freeable(p)
         11 -> 12: free p
         12 -> 13: check memory valid_write(p, 4u64)
         13 -> 14: assume false
         14 -> 15: return 0i32",
    );
}

#[test]
fn pointers_to_functions() {
    check(
        "int a, b; void f(void) { a = 1; } void g(void) { b = 1; } void h(int x) { b = x; }
         void (*table[2])(void) = {f, g}; void (*other)(int) = h;
         int main(void) { other(3); table[__VERIFIER_nondet_int() & 1](); if (a) __VERIFIER_error(); return b; }",
        "f:
         0 -> 1: @a = 1i32
         1 -> 2: return
         g:
         0 -> 1: skip
         1 -> 2: return
         main:
         0 -> 1: skip
         1 -> 2: .t1 = input \"__VERIFIER_nondet_int\"
         2 -> 3: call *(ptr[&@table + (i64(.t1 & 1i32) * 8i64)])()
         3 -> 4: assume @a != 0i32
         3 -> 7: assume not @a != 0i32
         4 -> 5: check error_call false
         5 -> 6: halt
         7 -> 6: return 0i32",
    );
}
