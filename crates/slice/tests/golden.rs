//! What is left: each case is a piece of C and the text of the functions that keep a body, positions left
//! out.

use cfront::{Options, compile_text, with_stack};
use ir::CheckKind;

fn sliced(source: &str, checks: &[CheckKind], endings: bool) -> String {
    let options = Options { checks: checks.iter().copied().collect(), ..Options::default() };
    let source = format!(
        "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void); extern void __VERIFIER_assume(int);
         extern void exit(int); extern void *malloc(unsigned long); extern void free(void *); {source}"
    );
    let output = with_stack(|| compile_text("t.c", &source, &options)).expect("no panic");
    let errors: Vec<_> = output.diagnostics.iter().map(|d| d.message.clone()).collect();
    let mut program = output.program.unwrap_or_else(|| panic!("{errors:?}"));
    for function in program.functions.iter_mut().filter(|f| &*f.name == "untranslated") {
        function.body = ir::Body::Poisoned { reason: "a test".into(), pos: function.pos };
    }
    let main = program.find_function("main").expect("main");
    let sliced = slice::slice_with(&program, main, slice::Options { endings }).program;
    ir::verify(&sliced).expect("verifies");
    assert_eq!(
        slice::slice_with(&program, main, slice::Options { endings }).program,
        sliced,
        "deterministic"
    );
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

fn check_with(source: &str, checks: &[CheckKind], endings: bool, expected: &str) {
    let found = sliced(source, checks, endings);
    let expected: String =
        expected.lines().map(str::trim).filter(|l| !l.is_empty()).map(|l| format!("{l}\n")).collect();
    assert_eq!(found, expected, "{source}");
}

fn check(source: &str, expected: &str) {
    check_with(source, &[], true, expected);
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
fn calls_that_may_end_the_program() {
    check(
        "int n; void limit(int x, int y) { n = y; if (x > 9) exit(1); }
         int main(void) { int x = __VERIFIER_nondet_int(); limit(x, x + 1); if (x > 20) __VERIFIER_error(); limit(x, 2); return 0; }",
        "limit:
         0 -> 1: skip
         1 -> 2: assume 9i32 < x
         1 -> 4: assume not 9i32 < x
         2 -> 3: halt 0i32
         4 -> 3: return
         main:
         0 -> 1: x = input \"__VERIFIER_nondet_int\"
         1 -> 2: call limit(x, 0i32)
         2 -> 3: assume 20i32 < x
         2 -> 6: assume not 20i32 < x
         3 -> 4: check error_call false
         4 -> 5: halt
         6 -> 7: assume false
         7 -> 5: return 0i32",
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
        true,
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
    // Objects that no access goes to have lives, too.
    check_with(
        "int main(void) { void *p = malloc(4), *q = p; free(p); free(q); return 0; }",
        &[CheckKind::Memory],
        true,
        "main:
         0 -> 1: .t1 = alloc heap 4u64
         1 -> 2: p = .t1
         2 -> 3: q = p
         3 -> 4: check memory freeable(p)
         4 -> 5: free p
         5 -> 6: check memory freeable(q)
         6 -> 7: assume false
         7 -> 8: return 0i32",
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
    // Who may be called depends on there being a result.
    check(
        "int a; int f(void) { a = 1; return 2; } void g(void) { a = 0; } void *table[2] = {f, g};
         int main(void) { int r = ((int (*)(void)) table[__VERIFIER_nondet_int() & 1])(); if (a) __VERIFIER_error(); return r; }",
        "f:
         0 -> 1: @a = 1i32
         1 -> 2: return 0i32
         main:
         0 -> 1: .t1 = input \"__VERIFIER_nondet_int\"
         1 -> 2: r = call *(ptr[&@table + (i64(.t1 & 1i32) * 8i64)])()
         2 -> 3: assume @a != 0i32
         2 -> 6: assume not @a != 0i32
         3 -> 4: check error_call false
         4 -> 5: halt
         6 -> 5: return 0i32",
    );
}

#[test]
fn output_functions_read_and_write() {
    check(
        "extern int sprintf(char *, const char *, ...); extern int printf(const char *, ...); int g = 4;
         int main(void) { char b[20]; int x = __VERIFIER_nondet_int(); g = 5; printf(\"%d\", x); sprintf(b, \"%d\", x + 1);
           if (b[0] == '7') __VERIFIER_error(); return 0; }",
        "main:
         0 -> 1: x = input \"__VERIFIER_nondet_int\"
         1 -> 2: skip
         2 -> 3: skip
         3 -> 4: call sprintf(&b, &@.str.0, x + 1i32)
         4 -> 5: assume i32(i8[&b]) == 55i32
         4 -> 8: assume not i32(i8[&b]) == 55i32
         5 -> 6: check error_call false
         6 -> 7: halt
         8 -> 7: return 0i32",
    );
}

#[test]
fn extra_arguments() {
    check(
        "int second(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); __builtin_va_arg(ap, int);
           n = __builtin_va_arg(ap, int); __builtin_va_end(ap); return n; }
         int count(int n, ...) { return n; }
         int main(void) { int x = __VERIFIER_nondet_int();
           if (second(2, 7, x) + count(1, x) == 3) __VERIFIER_error(); return 0; }",
        "second:
         0 -> 1: ptr[&ap] = varargs
         1 -> 2: .t1 = ptr[&ap]
         2 -> 3: ptr[&ap] = .t1 + 16i64
         3 -> 4: .t2 = ptr[&ap]
         4 -> 5: ptr[&ap] = .t2 + 16i64
         5 -> 6: n = i32[.t2]
         6 -> 7: return n
         count:
         0 -> 1: return n
         main:
         0 -> 1: x = input \"__VERIFIER_nondet_int\"
         1 -> 2: .t1 = call second(0i32, 7i32, x)
         2 -> 3: .t2 = call count(1i32, 0i32)
         3 -> 4: assume (.t1 + .t2) == 3i32
         3 -> 7: assume not (.t1 + .t2) == 3i32
         4 -> 5: check error_call false
         5 -> 6: halt
         7 -> 6: return 0i32",
    );
}

#[test]
fn recursion_and_goto() {
    check(
        "int depth, calls; int down(int n, int m) { calls++; if (n <= 0) return 0; depth++; return down(n - 1, m + 1) + 1; }
         int main(void) { int i = 0, k = 0;
         again: k += 2; i++; if (k < 9) goto again;
           down(3, k); if (depth == i) __VERIFIER_error(); return k; }",
        "down:
         0 -> 1: skip
         1 -> 2: assume n <= 0i32
         1 -> 4: assume not n <= 0i32
         2 -> 3: return 0i32
         4 -> 5: @depth = @depth + 1i32
         5 -> 6: call down(n - 1i32, 0i32)
         6 -> 3: return 0i32
         main:
         0 -> 1: i = 0i32
         1 -> 2: k = 0i32
         2 -> 3: k = k + 2i32
         3 -> 4: i = i + 1i32
         4 -> 2: assume k < 9i32
         4 -> 5: assume not k < 9i32
         5 -> 6: call down(3i32, 0i32)
         6 -> 7: assume @depth == i
         6 -> 10: assume not @depth == i
         7 -> 8: check error_call false
         8 -> 9: halt
         10 -> 9: return 0i32",
    );
}

#[test]
fn what_could_not_be_translated_stays() {
    check(
        "int g; int untranslated(int x) { return x; }
         int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if (x) g = untranslated(y); return 0; }",
        "main:
         0 -> 1: x = input \"__VERIFIER_nondet_int\"
         1 -> 2: skip
         2 -> 3: assume x != 0i32
         2 -> 4: assume not x != 0i32
         3 -> 4: call untranslated(0i32)
         4 -> 5: return 0i32",
    );
}

#[test]
fn without_endings() {
    check_with(
        "int g; void bug(void) { for (;;) ; }
         int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
           if (x < 0) bug(); if (y < 0) exit(1); while (x) { x--; if (y == 5) return 0; } g++; if (g == 1) __VERIFIER_error(); return x; }",
        &[],
        false,
        "main:
         0 -> 1: x = input \"__VERIFIER_nondet_int\"
         1 -> 2: y = input \"__VERIFIER_nondet_int\"
         2 -> 3: assume false
         2 -> 4: assume not false
         3 -> 4: assume false
         4 -> 5: assume false
         4 -> 7: assume not false
         5 -> 6: halt 0i32
         7 -> 8: assume x != 0i32
         7 -> 11: assume not x != 0i32
         8 -> 9: x = x - 1i32
         9 -> 10: assume y == 5i32
         9 -> 7: assume not y == 5i32
         10 -> 6: return 0i32
         11 -> 12: @g = @g + 1i32
         12 -> 13: assume @g == 1i32
         12 -> 15: assume not @g == 1i32
         13 -> 14: check error_call false
         14 -> 6: halt
         15 -> 6: return 0i32",
    );
    // The condition of a check is not an ending, however the program goes on.
    check_with(
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3) __VERIFIER_error(); exit(0); }",
        &[],
        false,
        "main:
         0 -> 1: x = input \"__VERIFIER_nondet_int\"
         1 -> 2: assume 3i32 < x
         1 -> 5: assume not 3i32 < x
         2 -> 3: check error_call false
         3 -> 4: halt
         5 -> 4: halt 0i32",
    );
}
