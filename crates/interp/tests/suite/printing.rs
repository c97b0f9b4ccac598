//! Output functions. What the conversions should print was taken from glibc.

use crate::common::{describe, program, program_for};
use base::Budget;
use interp::{Interp, Options, Run, ZeroInputs};
use ir::Program;

fn run(program: &Program) -> Run {
    let mut interp = Interp::new(program, Options::main(program).unwrap()).unwrap();
    interp.run(&mut ZeroInputs, &Budget::unlimited())
}

/// `printf(format, argument)`, directly and through a function with a `va_list`.
fn check_format(format: &str, argument: &str, expected: &str) {
    for (target, list) in [("lp64", "&ap"), ("ilp32", "ptr[&ap]")] {
        let text = format!(
            r#"const fmt: memory {} align 1 = {{0: b"{format}\x00"}}
func printf(f: ptr, ...) -> i32 extern
func vprintf(f: ptr, list: ptr) -> i32 extern
func direct() -> i32 {{
  local r: i32
  nodes 3 entry 0 exit 2
  0 -> 1: r = call printf(&@fmt, {argument})
  1 -> 2: return r
}}
func passed_on(f: ptr, ...) -> i32 {{
  local r: i32
  local ap: memory 24 align 8
  nodes 4 entry 0 exit 3
  0 -> 1: ptr[&ap] = varargs
  1 -> 2: r = call vprintf(f, {list})
  2 -> 3: return r
}}
func main() -> i32 {{
  local r: i32
  local s: i32
  nodes 4 entry 0 exit 3
  0 -> 1: r = call direct()
  1 -> 2: s = call passed_on(&@fmt, {argument})
  2 -> 3: return r + s
}}
"#,
            format.len() + 1
        );
        let result = run(&program_for(target, &text));
        let found = String::from_utf8_lossy(&result.stdout).into_owned();
        assert_eq!(found, expected.repeat(2), "{format} {argument}");
        assert_eq!(
            describe(&result.outcome),
            format!("returned {}", 2 * expected.len()),
            "{format} {argument}"
        );
        assert_eq!((result.inputs.len(), result.assumed.len()), (0, 0));
    }
}

#[test]
fn conversions() {
    let cases: &[(&str, &str, &str)] = &[
        ("%d", "-42i32", "-42"),
        ("%5d|", "42i32", "   42|"),
        ("%-5d|", "42i32", "42   |"),
        ("%05d", "-42i32", "-0042"),
        ("%+d", "42i32", "+42"),
        ("% d", "42i32", " 42"),
        ("%.5d", "-42i32", "-00042"),
        ("%8.3d|", "7i32", "     007|"),
        ("%.0d|", "0i32", "|"),
        ("%08.3d|", "7i32", "     007|"),
        ("%u", "-1i32", "4294967295"),
        ("%hhd", "300i32", "44"),
        ("%hd", "70000i32", "4464"),
        ("%hhu", "-1i32", "255"),
        ("%x", "255i32", "ff"),
        ("%#X", "255i32", "0XFF"),
        ("%#x", "0i32", "0"),
        ("%o", "8i32", "10"),
        ("%#o", "8i32", "010"),
        ("%#.3o", "8i32", "010"),
        ("%c%%", "65i32", "A%"),
        ("%f", "f64#400921fb53c8d4f1", "3.141593"),
        ("%.0f", "f64#3fe0000000000000", "0"),
        ("%.0f", "f64#3ff8000000000000", "2"),
        ("%.0f", "f64#4004000000000000", "2"),
        ("%#.0f", "f64#4000000000000000", "2."),
        ("%.2f", "f64#4005666666666666", "2.67"),
        ("%e", "f64#40c81cd6c8b43958", "1.234568e+04"),
        ("%.0e", "f64#402e000000000000", "2e+01"),
        ("%E", "f64#0000000000000000", "0.000000E+00"),
        ("%g", "f64#40f86a0000000000", "100000"),
        ("%g", "f64#412e848000000000", "1e+06"),
        ("%g", "f64#3f1a36e2eb1c432d", "0.0001"),
        ("%g", "f64#3ee4f8b588e368f1", "1e-05"),
        ("%#g", "f64#3ff0000000000000", "1.00000"),
        ("%G", "f64#3ddb7cdfd9d7bdbb", "1E-10"),
        ("%.3g", "f64#40934a0000000000", "1.23e+03"),
        ("%a", "f64#3ff0000000000000", "0x1p+0"),
        ("%a", "f64#3fb999999999999a", "0x1.999999999999ap-4"),
        ("%.2a", "f64#3fb999999999999a", "0x1.9ap-4"),
        ("%A", "f64#c06ff00000000000", "-0X1.FFP+7"),
        ("%10.3f|", "f64#c004000000000000", "    -2.500|"),
        ("%-10.3f|", "f64#c004000000000000", "-2.500    |"),
        ("%010.3f|", "f64#c004000000000000", "-00002.500|"),
        ("%+.1f", "f64#3fa999999999999a", "+0.1"),
        ("%.20f", "f64#3fb999999999999a", "0.10000000000000000555"),
        ("%f", "f64#4480f0cf064dd592", "10000000000000000000000.000000"),
        ("%F", "f64#7ff0000000000000", "INF"),
        ("%08f|", "f64#fff0000000000000", "    -inf|"),
        ("%g", "f64#0000000000000001", "4.94066e-324"),
        ("%.3e", "f64#7fefffffffffffff", "1.798e+308"),
        ("%Lf", "f80#3ffdaaaaaaaaaaaaaaab", "0.333333"),
        ("%.25Lf", "f80#3ffbcccccccccccccccd", "0.1000000000000000000013553"),
        ("%Lg", "f80#73e6d1ba8323fe558c61", "1e+4000"),
        ("%La", "f80#3fff8000000000000000", "0x8p-3"),
        ("%.1La", "f80#4002ffd70a3d70a3d70a", "0x1.0p+4"),
        ("%Le", "f80#0000000000132976ab26", "3.000000e-4940"),
        // The standard's answer; glibc prints 1.e+06.
        ("%#g", "f64#412e847f00000000", "1.00000e+06"),
        ("%*", "5i32", ""),
        ("%y", "5i32", "%y"),
    ];
    for (format, argument, expected) in cases {
        check_format(format, argument, expected);
    }
}

const DECLARATIONS: &str = r#"const hello: memory 6 align 1 = {0: b"hello\x00"}
const fmt: memory 11 align 1 = {0: b"%s-%*d-%ld\x00"}
const count: memory 10 align 1 = {0: b"abc%n%hhn\x00"}
const huge: memory 16 align 1 = {0: b"%2000000000d%5d\x00"}
global stdout: ptr
global stderr: ptr
global buf: memory 8 align 1 = {}
global n: memory 4 align 4 = {}
func printf(f: ptr, ...) -> i32 extern
func fprintf(s: ptr, f: ptr, ...) -> i32 extern
func sprintf(b: ptr, f: ptr, ...) -> i32 extern
func snprintf(b: ptr, n: u64, f: ptr, ...) -> i32 extern
func puts(s: ptr) -> i32 extern
func putchar(c: i32) -> i32 extern
func fputs(s: ptr, f: ptr) -> i32 extern
func fwrite(p: ptr, s: u64, n: u64, f: ptr) -> u64 extern
"#;

fn check_calls(edges: &str, expected: &str, stdout: &str, stderr: &str) {
    let count = edges.trim().lines().count();
    let mut text = format!(
        "{DECLARATIONS}func main() -> i32 {{\n  local r: i32\n  local u: u64\n  nodes {} entry 0 exit {count}\n",
        count + 1
    );
    for (i, line) in edges.trim().lines().enumerate() {
        text += &format!("  {i} -> {}: {}\n", i + 1, line.trim());
    }
    let result = run(&program(&(text + "}\n")));
    assert_eq!(describe(&result.outcome), expected, "{edges} {:?}", result.outcome);
    assert_eq!(String::from_utf8_lossy(&result.stdout), stdout, "{edges}");
    assert_eq!(String::from_utf8_lossy(&result.stderr), stderr, "{edges}");
}

#[test]
fn functions() {
    check_calls(
        "r = call printf(&@fmt, &@hello, 4i32, 7i32, -1i64)\nreturn r",
        "returned 13",
        "hello-   7--1",
        "",
    );
    check_calls("r = call fprintf(@stderr, &@hello)\nreturn r", "returned 5", "", "hello");
    check_calls("r = call fprintf(@stdout, &@hello)\nreturn r", "returned 5", "hello", "");
    check_calls("r = call fprintf(null, &@hello)\nreturn r", "returned 5", "", "");
    check_calls("r = call puts(&@hello + 3i64)\nreturn r", "returned 3", "lo\n", "");
    check_calls("r = call putchar(321i32)\nreturn r", "returned 65", "A", "");
    check_calls("r = call fputs(&@hello, @stderr)\nreturn 0i32", "returned 0", "", "hello");
    check_calls("u = call fwrite(&@hello, 2u64, 3u64, @stdout)\nreturn i32(u)", "returned 3", "hello\0", "");
    check_calls(
        "r = call sprintf(&@buf, &@hello)\nr = call puts(&@buf)\nreturn r",
        "returned 6",
        "hello\n",
        "",
    );
    check_calls(
        "r = call snprintf(&@buf, 4u64, &@hello)\ncall puts(&@buf)\nreturn r",
        "returned 5",
        "hel\n",
        "",
    );
    check_calls("r = call snprintf(null, 0u64, &@hello)\nreturn r", "returned 5", "", "");
    check_calls(
        "call printf(&@count, &@n, &@buf)\nreturn i32[&@n] + i32(u8[&@buf])",
        "returned 6",
        "abc",
        "",
    );
}

#[test]
fn mistakes() {
    check_calls(
        "call printf(&@fmt, &@hello, 4i32)\nreturn 0i32",
        "call through a bad function pointer",
        "",
        "",
    );
    check_calls(
        "call printf(&@fmt, null, 4i32, 7i32, -1i64)\nreturn 0i32",
        "null pointer dereference",
        "",
        "",
    );
    check_calls("call puts(&@hello + 6i64)\nreturn 0i32", "access out of bounds", "", "");
    check_calls("call sprintf(&@buf + 4i64, &@hello)\nreturn 0i32", "access out of bounds", "", "");
    check_calls("call sprintf(&@hello, &@hello)\nreturn 0i32", "write to constant memory", "", "");
    check_calls("call fwrite(&@hello, 4u64, 2u64, @stdout)\nreturn 0i32", "access out of bounds", "", "");
}

#[test]
fn huge_widths_cost_nothing() {
    let text = format!(
        "{DECLARATIONS}func main() -> i32 {{\n  local r: i32\n  nodes 3 entry 0 exit 2\n  \
         0 -> 1: r = call printf(&@huge, 1i32, 2i32)\n  1 -> 2: return r\n}}\n"
    );
    let result = run(&program(&text));
    assert_eq!(describe(&result.outcome), "returned 2000000005");
    assert_eq!(result.stdout.len(), 1 << 20);
}
