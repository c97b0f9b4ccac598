//! The text form: what is printed reads back, and what cannot be read is refused where it is wrong.

use ir::{Program, parse, print, verify};
use proptest::prelude::*;

/// Every form once, in the spelling of the printer.
const EVERYTHING: &str = r#"target lp64
file "a.c"
file "dir \"x\"/b.h"
global n: i32 "int" @1:5 = {0: 7i32}
global e: f80
static const .str.0: memory 3 align 1 "char [3]" @1:2:3 = {0: b"h\x00\xff"}
global table: memory 32 align 8 = {0: func f, 8: &@table + -8i64, 16: u32(&@.str.0), 24: null}
global "odd name": u128 = {}

func f(p: ptr "int *" @3:12, "return": f64, ...) -> i32 "int (int *, ...)" @3:5 {
  local x: i32 "int" @4:7
  temp "i32": u64
  local buf: memory 16 align 4
  local q: ptr
  nodes 20 entry 0 exit 19
  0 -> 1: skip
  1 -> 2: x = i32[p + 4i64] @4:11
  2 -> 3: assume (x < @n) & (x != -1i32) @5:3
  2 -> 9: assume not (x < @n) & (x != -1i32)
  3 -> 4: @n = input "nondet_int"
  4 -> 5: x = uninit
  5 -> 6: x = asm
  6 -> 7: copy &buf, &@.str.0, 3u64
  7 -> 8: fill q, 0u8, object_size(q)
  8 -> 9: u16[varargs] = u16(-(5i32))
  9 -> 10: q = alloc heap "i32" * 2u64
  10 -> 11: q = alloc stack 128u64
  11 -> 12: free q
  12 -> 13: x = call f(q, 1.5f64, x, 1e300f64)
  13 -> 14: call *(ptr[&@table])(-x, ~x, q - p)
  14 -> 15: check overflow !add_overflows(x, 1i32) "a \"b\"" @7:8
  15 -> 16: check memory valid_write(q, 4u64) & (valid_read(q, 1u64) ^ freeable(16ptr))
  16 -> 17: "return" = ite(true, sqrt("return"), -round_away(-0.0f64)) * f64#7ff0000000000000
  17 -> 18: assume false
  18 -> 19: return @n >> (x % 3i32) @1:2:3
}

func g(a: f80, b: i128) extern

func h() -> f128 poisoned "uses setjmp" @4:4 {
  local x: u8
}

func k() "void (void)" @1:1 {
  nodes 3 entry 0 exit 2
  0 -> 1: call g(f80#3fff8000000000000000, -170141183460469231731687303715884105728i128)
  1 -> 2: halt -1i32
}
"#;

#[test]
fn every_form_reads_back() {
    let program = parse(EVERYTHING).unwrap_or_else(|e| panic!("{e}"));
    verify(&program).unwrap_or_else(|list| panic!("{list:#?}"));
    assert_eq!(print(&program), EVERYTHING);
}

proptest! {
    #[test]
    fn random_programs_read_back(program in ir::testing::program()) {
        if let Err(list) = verify(&program) {
            panic!("{list:#?}\n{}", print(&program));
        }
        let text = print(&program);
        match parse(&text) {
            Ok(again) => prop_assert_eq!(&program, &again, "{}", text),
            Err(e) => panic!("{e}\n{text}"),
        }
    }

    /// Whatever happens to a text, it is read or refused, and what is read can be printed and verified.
    #[test]
    fn damaged_texts_never_panic(at in 0usize..EVERYTHING.len(), cut in 0usize..40, with in "[ -~\n]{0,3}") {
        let from = at.min(EVERYTHING.len());
        let to = (at + cut).min(EVERYTHING.len());
        if EVERYTHING.is_char_boundary(from) && EVERYTHING.is_char_boundary(to) {
            survive(&format!("{}{with}{}", &EVERYTHING[..from], &EVERYTHING[to..]));
        }
    }

    #[test]
    fn garbage_never_panics(text in "\\PC*") {
        survive(&text);
        survive(&format!("target lp64 func f() {{ nodes 2 entry 0 exit 1 0 -> 1: return {text} }}"));
    }
}

fn survive(text: &str) {
    if let Ok(program) = parse(text) {
        let _ = verify(&program);
        let _ = print(&program);
    }
}

fn check_error(text: &str, expected: &str) {
    match parse(text) {
        Ok(_) => panic!("{text:?} was read"),
        Err(e) => assert_eq!(e.to_string(), expected, "{text}"),
    }
}

#[test]
fn errors_say_where() {
    check_error("", r#"1:1: expected "target""#);
    check_error("target z80", r#"1:8: unknown target "z80""#);
    check_error("target lp64\nfunk", "2:1: expected global, const or func");
    check_error("target lp64\nglobal é: i32", "2:8: unexpected character 'é'");
    check_error("target lp64\nglobal \"é\" i32", r#"2:12: expected ":""#);
    check_error("target lp64 global x: i33", "1:23: expected a type");
    check_error("target lp64 global x: i8 global x: i8", r#"1:33: there is already a global "x""#);
    check_error("target lp64 func x() extern func x() extern", r#"1:34: there is already a function "x""#);
    check_error("target lp64 global x: i8 = {0: 128i8}", "1:32: 128 is no constant of type i8");
    check_error("target lp64 global x: i8 = {0: -1u8}", "1:32: -1 is no constant of type u8");
    check_error("target lp64 global x: i8 = {0: 1}", "1:32: a constant needs a type, as in 7i32");
    check_error("target lp64 global x: i8 = {0: 1i8", "1:28: this brace is never closed");
    check_error("target lp64 global x: i8 \"int", "1:26: this string does not end on its line");
    check_error("target lp64 global \"\\q\": i8", "1:21: unknown escape");
    check_error("target lp64 global \"\\xg\": i8", "1:21: \\x needs two hexadecimal digits");
    check_error("target lp64 global \"\\xff\": i8", "1:20: the global's name is not UTF-8");
    check_error("target lp64 global x: i8 @1", "1:26: a position is @line:column or @file:line:column");
    let body = |op: &str, expected: &str| {
        check_error(
            &format!(
                "target lp64 global m: memory 4 align 4\nfunc f(x: i32, b: u8) {{ nodes 2 entry 0 exit 1\n\
                 0 -> 1: {op} }}"
            ),
            expected,
        );
    };
    body("y = 1i32", r#"3:9: there is no variable "y" in this function"#);
    body("x = @y", r#"3:14: there is no global "y""#);
    body("x = @m", r#"3:14: "m" is in memory, not a register"#);
    body("call y()", r#"3:14: there is no function "y""#);
    body("x = x + x + x", "3:19: operators do not chain; use parentheses");
    body("x + x = x", r#"3:11: expected "=""#);
    body("3i32 = x", "3:9: only variables and memory can be assigned");
    body("i32[null] = b", "3:9: this stores a u8, not a i32");
    body("x = ite(true, x)", "3:13: wrong number of operands");
    body("check nothing true", r#"3:15: no kind of check is called "nothing""#);
    body("skip 2 -> 1: skip", "3:14: nodes here are below 2");
    body("x = ", "3:14: expected an expression");
    check_error(
        "target lp64 func f() { nodes 4000000000 entry 0 exit 1 }",
        "1:30: too many nodes for a text of this length",
    );
}

#[test]
fn deep_nesting_is_an_error_or_works() {
    let text = |open: &str, inner: &str, close: &str, depth: usize| {
        format!(
            "target lp64 func f(x: i32) -> i32 {{ nodes 2 entry 0 exit 1 0 -> 1: return {}{inner}{} }}",
            open.repeat(depth),
            close.repeat(depth)
        )
    };
    let shapes = [
        ("-", "x", ""),
        ("(x + ", "x", ")"),
        ("(", "x", " + x)"),
        ("i32(", "x", ")"),
        ("i32[ptr(", "x", ")]"),
    ];
    for (open, inner, close) in shapes {
        let error = parse(&text(open, inner, close, 200_000)).unwrap_err();
        assert_eq!(error.message, "expressions nest at most 2000 deep", "{open}");
        let program = parse(&text(open, inner, close, 900)).unwrap();
        verify(&program).unwrap();
        assert_eq!(parse(&print(&program)).as_ref(), Ok(&program));
    }
    // Parentheses alone nest nothing.
    assert!(parse(&text("(", "x", ")", 200_000)).is_ok());
}

#[test]
fn display_of_one_operation() {
    let program: Program = parse(EVERYTHING).unwrap();
    let function = &program.functions[0];
    let op = &function.cfa().unwrap().edges()[1].op;
    assert_eq!(ir::OpDisplay { program: &program, function, op }.to_string(), "x = i32[p + 4i64]");
    let expr = op.exprs()[0];
    let shown = ir::ExprDisplay { program: &program, function: Some(function), expr }.to_string();
    assert_eq!(shown, "i32[p + 4i64]");
    assert!(ir::print_function(&program, ir::FuncId(1)).starts_with("func g(a: f80, b: i128) extern"));
}
