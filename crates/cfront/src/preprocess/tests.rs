//! What `load` makes of good and bad files. These tests run the system's C compiler.

use super::*;
use base::Diagnostics;

fn options() -> PreprocessOptions {
    PreprocessOptions::default()
}

/// Writes `content` as `name` into a fresh directory and loads it.
fn load_text(
    name: &str,
    content: &[u8],
    options: &PreprocessOptions,
) -> (tempfile::TempDir, SourceMap, Result<SourceId, Vec<Diagnostic>>) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, content).unwrap();
    let mut sources = SourceMap::new();
    let result = load(&path, options, &mut sources);
    (dir, sources, result)
}

/// The first message, with its place, the directory left out.
fn message(name: &str, content: &[u8], options: &PreprocessOptions) -> String {
    let (dir, sources, result) = load_text(name, content, options);
    let first = result.expect_err("must fail").remove(0);
    let place = sources.locate(first.span.lo).map(|at| format!("{at}: ")).unwrap_or_default();
    let prefix = format!("{}/", dir.path().display());
    format!("{place}{}", first.message).replace(&prefix, "")
}

/// The tokens of the loaded text, joined by spaces.
fn tokens(name: &str, content: &[u8], options: &PreprocessOptions) -> String {
    let (_dir, mut sources, result) = load_text(name, content, options);
    let id = result.unwrap();
    let mut diagnostics = Diagnostics::new();
    let list = crate::lex::lex(id, &mut sources, &mut base::Interner::new(), &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    let texts: Vec<&str> =
        list.iter().filter_map(|t| sources.snippet(t.span())).filter(|t| !t.is_empty()).collect();
    texts.join(" ")
}

#[test]
fn preprocesses_c_but_not_i() {
    let text = b"#define N 3\nint a[N];\n";
    assert_eq!(tokens("a.c", text, &options()), "int a [ 3 ] ;");
    assert_eq!(tokens("a.h", text, &options()), "int a [ 3 ] ;");
    assert_eq!(tokens("-a.c", text, &options()), "int a [ 3 ] ;");
    assert_eq!(tokens("a.i", b"int a[N];", &options()), "int a [ N ] ;");
    assert_eq!(tokens("empty.i", b"", &options()), "");
}

#[test]
fn options_reach_the_preprocessor() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("own.h"), "int from_header;").unwrap();
    let mut options = options();
    options.include_dirs.push(dir.path().to_path_buf());
    options.macros =
        vec![Macro::Define("A=1".into()), Macro::Define("B".into()), Macro::Undefine("A".into())];
    assert_eq!(tokens("a.c", b"#include <own.h>\nA B", &options), "int from_header ; A 1");
    options.cc = "cc -DC=5".into();
    assert_eq!(tokens("a.c", b"C", &options), "5");
    // Macros of the options have the last word.
    options.flags = ["-std=c99", "-DB=2", "-DE=3"].map(String::from).to_vec();
    assert_eq!(tokens("a.c", b"B E __STDC_VERSION__", &options), "1 3 199901L");
}

#[test]
fn positions_are_those_of_the_file() {
    let (dir, mut sources, result) = load_text("a.c", b"#include <limits.h>\n\n  int here;\n", &options());
    let id = result.unwrap();
    let mut names = base::Interner::new();
    let list = crate::lex::lex(id, &mut sources, &mut names, &mut Diagnostics::new());
    let here = list.iter().find(|t| names.name(t.symbol) == "here").unwrap();
    let at = sources.locate(here.lo).unwrap();
    assert_eq!((&*at.file, at.line, at.column), (dir.path().join("a.c").to_str().unwrap(), 3, 7));
}

#[test]
fn bad_files() {
    assert_eq!(message("a.i", b"int\0x;", &options()), "a.i: not a text file (zero byte at offset 3)");
    assert_eq!(message("a.c", b"int\0x;", &options()), "a.c: not a text file (zero byte at offset 3)");
    let mut sources = SourceMap::new();
    let dir = tempfile::tempdir().unwrap();
    let missing = load(&dir.path().join("none.c"), &options(), &mut sources).unwrap_err();
    assert!(missing[0].message.ends_with("none.c: no such file"), "{missing:?}");
    let folder = load(dir.path(), &options(), &mut sources).unwrap_err();
    assert!(folder[0].message.ends_with("is a directory, not a C source file"), "{folder:?}");
}

#[test]
fn complaints_of_the_compiler() {
    assert_eq!(
        message("a.c", b"int x;\n  #include <no/such.h>\n", &options()),
        "a.c:2:12: no/such.h: No such file or directory"
    );
    assert_eq!(message("a.c", b"#error bad luck\n", &options()), "a.c:1:2: #error bad luck");
    assert_eq!(
        message("a.c", b"#if 1\nint x;\n", &options()),
        "a.c:1: unterminated #if".replace("1:", "1:1:")
    );
    let (_dir, _, result) = load_text("a.c", b"#error one\n#error two\n", &options());
    assert_eq!(result.unwrap_err().len(), 2);
    let none = PreprocessOptions { cc: "no-such-compiler".into(), ..options() };
    assert!(message("a.c", b"", &none).contains("C compiler 'no-such-compiler' not found"));
    let empty = PreprocessOptions { cc: " ".into(), ..options() };
    assert_eq!(message("a.c", b"", &empty), "the name of the C compiler is empty");
}

#[test]
fn parses_complaints() {
    let check = |line: &str, expected: Option<(&str, u32, u32, &str)>| {
        let found = parse_complaint(line).map(|c| (c.file, c.line, c.column, c.message));
        assert_eq!(found, expected, "{line}");
    };
    check("a.c:1:10: fatal error: x.h: No such file", Some(("a.c", 1, 10, "x.h: No such file")));
    check("a.c:3: error: unterminated", Some(("a.c", 3, 1, "unterminated")));
    check("C:\\a.c:3:4: error: x: y", Some(("C:\\a.c", 3, 4, "x: y")));
    check("a.c:1:2: warning: something", None);
    check("compilation terminated.", None);
    check("cc: error: no input", None);
}

#[test]
fn thirty_two_bits() {
    let text =
        b"#include <stdint.h>\n#include <stdio.h>\nlong size = __SIZEOF_POINTER__ + __SIZEOF_LONG__;\n\
        __SIZE_TYPE__ here; uintptr_t p;\n#ifdef __x86_64__\n#error not 32 bits\n#endif\n";
    let options = PreprocessOptions { ilp32: true, ..options() };
    let joined = tokens("a.c", text, &options);
    assert!(joined.contains("long size = 4 + 4 ; unsigned int here ;"), "{joined}");
    assert!(joined.contains("typedef unsigned int uintptr_t ;"), "{joined}");
    for view in [View::Macros, View::find("cc").unwrap()] {
        let mut command = compiler("cc").unwrap();
        let _stubs = view.apply(&mut command).unwrap();
        let probe = b"#include <stddef.h>\n#include <stdlib.h>\n#include <stdint.h>\n__INT64_C(1) INT64_MAX SIZE_MAX\n";
        let output = run(command.args(["-E", "-P", "-x", "c", "-"]), probe, "cc").unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{view:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("typedef unsigned int size_t"), "{view:?}");
        assert!(text.trim_end().contains("1LL"), "{view:?}: {text}");
    }
}

/// Bytes that are not UTF-8: fine in comments and literals, an error elsewhere.
#[test]
fn other_encodings() {
    let check = |content: &[u8]| {
        let (_dir, mut sources, result) = load_text("a.i", content, &options());
        let id = result.unwrap();
        let mut diagnostics = Diagnostics::new();
        let unit = crate::parse::parse(id, &mut sources, &mut base::Interner::new(), &mut diagnostics);
        let messages: Vec<String> = diagnostics
            .iter()
            .map(|d| format!("{}: {}", sources.locate(d.span.lo).unwrap().column, d.message))
            .collect();
        (unit, messages)
    };
    let (unit, messages) = check(b"/* \xe4 */ char *s = \"\xe4\xff\"; // \xfc");
    assert!(messages.is_empty(), "{messages:?}");
    let crate::ast::Item::Declaration(declaration) = &unit.items[0] else { panic!("{unit:?}") };
    let Some(crate::ast::Initializer::Expr(expr)) = &declaration.declarators[0].init else {
        panic!("{unit:?}")
    };
    let crate::ast::ExprKind::String { units, .. } = &expr.kind else { panic!("{unit:?}") };
    assert_eq!(units, &[0xe4, 0xff]);
    let (_, messages) = check(b"int \xe4\xf6x;");
    assert_eq!(messages, ["5: invalid UTF-8: stray byte 0xe4"]);
    let (_, messages) = check("int änderung; char c = 'ä';".as_bytes());
    assert!(messages.is_empty(), "{messages:?}");
}
