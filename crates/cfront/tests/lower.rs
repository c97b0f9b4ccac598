//! What C becomes: each case is a piece of C and the text of the last function it lowers to, positions left
//! out.

use cfront::{Options, compile_text, with_stack};
use ir::CheckKind;

/// Compiles, verifies, and prints the last function without positions and types of the source.
fn lowered(source: &str, checks: &[CheckKind]) -> String {
    let options = Options { checks: checks.iter().copied().collect(), ..Options::default() };
    let output = with_stack(|| compile_text("t.c", source, &options)).expect("no panic");
    let errors: Vec<_> = output.diagnostics.iter().map(|d| d.message.clone()).collect();
    let program = output.program.unwrap_or_else(|| panic!("{errors:?}"));
    ir::verify(&program).expect("verifies");
    let reread = ir::parse(&ir::print(&program)).expect("parses back");
    assert!(reread == program, "the text form gives another program");
    let function = program.functions.iter().rposition(|f| f.body != ir::Body::Extern);
    let text = ir::print_function(&program, ir::FuncId(function.expect("a function") as u32));
    let lines = text
        .lines()
        .filter(|line| line.contains("->") && !line.starts_with("func") || line.contains("poisoned"));
    lines.map(|line| format!("{}\n", strip_position(line.trim()))).collect()
}

fn strip_position(line: &str) -> &str {
    match line.rfind(" @") {
        Some(at) if line[at + 2..].bytes().all(|b| b.is_ascii_digit() || b == b':') => &line[..at],
        _ => line,
    }
}

fn check_with(source: &str, checks: &[CheckKind], expected: &str) {
    let found = lowered(source, checks);
    let expected: String =
        expected.lines().map(str::trim).filter(|l| !l.is_empty()).map(|l| format!("{l}\n")).collect();
    assert_eq!(found, expected, "{source}");
}

fn check(source: &str, expected: &str) {
    check_with(source, &[], expected);
}

#[test]
fn short_circuits_are_control_flow_unless_nothing_can_happen() {
    check(
        "int f(int *p, int n) { if (p && *p > n) return 1; return n > 0 && n < 9; }",
        "0 -> 1: assume p != null
         0 -> 4: assume not p != null
         1 -> 2: assume n < i32[p]
         1 -> 4: assume not n < i32[p]
         2 -> 3: return 1i32
         4 -> 3: return i32((0i32 < n) & (n < 9i32))",
    );
    check(
        "int f(int a, int b, int *p) { int m = a < b ? a : b; return m ? m : *p; }",
        "0 -> 1: m = ite(a < b, a, b)
         1 -> 2: assume m != 0i32
         1 -> 5: assume not m != 0i32
         2 -> 3: .t1 = m
         3 -> 4: return .t1
         5 -> 3: .t1 = i32[p]",
    );
}

#[test]
fn switches_test_in_order_and_fall_through() {
    check(
        "int f(int n) { switch (n) { int late; case 1: late = 2; return late; case 3 ... 5: n++; default: n--; } return n; }",
        "0 -> 1: assume n == 1i32
         0 -> 4: assume not n == 1i32
         1 -> 2: late = 2i32
         2 -> 3: return late
         4 -> 5: assume (3i32 <= n) & (n <= 5i32)
         4 -> 6: assume not (3i32 <= n) & (n <= 5i32)
         5 -> 6: n = n + 1i32
         6 -> 7: n = n - 1i32
         7 -> 3: return n",
    );
}

#[test]
fn a_declaration_that_is_jumped_over_gives_any_value() {
    check(
        "int f(int n) { if (n) goto in; { int x; x = 1; in: return x; } }",
        "0 -> 1: x = uninit
         1 -> 2: assume n != 0i32
         1 -> 4: assume not n != 0i32
         2 -> 3: return x
         4 -> 2: x = 1i32",
    );
    check("int f(void) { int x; x = 1; return x; }", "0 -> 1: x = 1i32\n 1 -> 2: return x");
}

#[test]
fn bit_fields_touch_the_smallest_unit() {
    check(
        "struct s { int a : 5; unsigned b : 7; _Bool c : 1; }; int f(struct s *p, int v) { p->a = v; p->b++; return p->c; }",
        "0 -> 1: u8[p] = (u8[p] & 224u8) | (u8(v) & 31u8)
         1 -> 2: u16[p] = (u16[p] & 61471u16) | ((u16(i32(u32(u16[p] >> 5u16) & 127u32) + 1i32) & 127u16) << 5u16)
         2 -> 3: return i32((u8[p + 1i64] >> 4u8) & 1u8)",
    );
}

#[test]
fn structs_are_split_copied_and_passed_by_address() {
    check(
        "struct p { int x, y; }; int g(struct p); struct p h(int); int f(void) { struct p q = h(1); q.x++; return g(q); }",
        "0 -> 1: call h(&.t1, 1i32)
         1 -> 2: q.x = i32[&.t1]
         2 -> 3: q.y = i32[&.t1 + 4i64]
         3 -> 4: q.x = q.x + 1i32
         4 -> 5: i32[&.t3] = q.x
         5 -> 6: i32[&.t3 + 4i64] = q.y
         6 -> 7: .t2 = call g(&.t3)
         7 -> 8: return .t2",
    );
}

#[test]
fn dialects_of_verification() {
    check(
        "int __VERIFIER_nondet_int(void); _Bool __VERIFIER_nondet_bool(void); void __VERIFIER_assume(int);
         void __VERIFIER_error(void);
         int main(void) { int x = __VERIFIER_nondet_int(); _Bool b = __VERIFIER_nondet_bool();
           __VERIFIER_assume(x > 0 || b); if (x == 7) __VERIFIER_error(); return x; }",
        "0 -> 1: x = input \"__VERIFIER_nondet_int\"
         1 -> 2: .t1 = input \"__VERIFIER_nondet_bool\"
         2 -> 3: b = u8(.t1 != 0u8)
         3 -> 4: assume (0i32 < x) | (b != 0u8)
         4 -> 5: assume x == 7i32
         4 -> 8: assume not x == 7i32
         5 -> 6: check error_call false
         6 -> 7: halt
         8 -> 7: return x",
    );
    // An error function is one whatever its body says; other functions mean what they say.
    check(
        "void reach_error(void) {} void __CPROVER_assert(int, const char *); void f(int x) { __CPROVER_assert(x > 1, \"big\"); reach_error(); }",
        "0 -> 1: check assertion 1i32 < x \"big\"
         1 -> 2: check error_call false
         2 -> 3: halt",
    );
    // Declared with another type than it has, and with an empty message.
    check(
        "int malloc(); void __CPROVER_assert(int, const char *);
         int f(void) { int x = malloc(4); __CPROVER_assert(x, \"\"); return x; }",
        "0 -> 1: .t1 = alloc heap 4u64
         1 -> 2: x = i32(.t1)
         2 -> 3: check assertion x != 0i32
         3 -> 4: return x",
    );
    check(
        "int nondet_int(void) { return 4; } int f(void) { return nondet_int(); }",
        "0 -> 1: .t1 = call nondet_int()\n1 -> 2: return .t1",
    );
}

#[test]
fn checks_come_before_what_they_guard() {
    use CheckKind::*;
    check_with(
        "int f(int *p, int a, int b) { return p[a] / b + (a << b); }",
        &[Overflow, Memory, Div, Shift],
        "0 -> 1: check memory valid_read(p + (i64(a) * 4i64), 4u64)
         1 -> 2: check div b != 0i32
         2 -> 3: check overflow (i32[p + (i64(a) * 4i64)] != -2147483648i32) | (b != -1i32)
         3 -> 4: check shift u32(b) < 32u32
         4 -> 5: check shift u32(a) <= (2147483647u32 >> u32(b)) \"a negative value is shifted left, or the result does not fit\"
         5 -> 6: check overflow !add_overflows(i32[p + (i64(a) * 4i64)] / b, a << b)
         6 -> 7: return (i32[p + (i64(a) * 4i64)] / b) + (a << b)",
    );
}

#[test]
fn the_heap_is_looked_at_where_the_program_ends() {
    use CheckKind::*;
    let declared = "void exit(int); void abort(void); void *malloc(unsigned long);";
    check_with(
        &format!("{declared} int main(void) {{ if (!malloc(4)) exit(1); return 0; }}"),
        &[Cleanup],
        "0 -> 1: .t1 = alloc heap 4u64
         1 -> 2: assume .t1 != null
         1 -> 5: assume not .t1 != null
         2 -> 3: check cleanup heap_freed_at_return()
         3 -> 4: return 0i32
         5 -> 6: check cleanup heap_freed_at_exit()
         6 -> 4: halt 1i32",
    );
    // Variables that lead to memory are in memory.
    check_with(
        &format!("{declared} char *main(void) {{ char *p = malloc(4); if (*p) abort(); return p; }}"),
        &[Leak],
        "0 -> 1: .t1 = alloc heap 4u64
         1 -> 2: ptr[&p] = .t1
         2 -> 3: assume i8[ptr[&p]] != 0i8
         2 -> 6: assume not i8[ptr[&p]] != 0i8
         3 -> 4: check leak heap_kept_at_exit()
         4 -> 5: halt
         6 -> 7: check leak heap_kept_at_return(ptr[&p])
         7 -> 5: return ptr[&p]",
    );
}

#[test]
fn what_cannot_be_lowered_poisons_its_function_only() {
    check(
        "int f(int x) { return x; } void *g(void) { here: return &&here; }",
        "func g() -> ptr \"void *(void)\" @1:34 poisoned \"the address of a label\"",
    );
}

#[test]
fn assembly_writes_its_outputs() {
    check(
        "int f(int a) { int r; asm volatile (\"foo %0, %1\" : \"=r\"(r) : \"r\"(a)); return r; }",
        "0 -> 1: .t1 = asm\n1 -> 2: r = .t1\n2 -> 3: return r",
    );
}

#[test]
fn long_chains_are_cut() {
    let terms = vec!["x"; 5000].join(" + ");
    assert!(lowered(&format!("int f(int x) {{ return {terms}; }}"), &[]).lines().count() > 20);
    let nested = format!("{}x{}", "(x - ".repeat(900), ")".repeat(900));
    assert!(lowered(&format!("int f(int x) {{ return {nested}; }}"), &[]).lines().count() > 3);
}

#[test]
fn the_order_of_declarations_does_not_matter() {
    let same = |a: &str, b: &str| assert_eq!(lowered(a, &[]), lowered(b, &[]));
    same(
        "int g(int, int); int f(int n) { int a; int b; if (n) a = 1; if (n > 1) b = 2; return g(a, b); }",
        "int g(int, int); int f(int n) { int b; int a; if (n) a = 1; if (n > 1) b = 2; return g(a, b); }",
    );
    same(
        "int g(int, int); int f(int n) { int a; int s = 0; int b; while (n--) { int c; int d; if (n) c = d; s = g(c, d); } return g(a, b) + s; }",
        "int g(int, int); int f(int n) { int b; int s = 0; int a; while (n--) { int d; int c; if (n) c = d; s = g(c, d); } return g(a, b) + s; }",
    );
}
