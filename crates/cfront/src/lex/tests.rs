//! Kinds and extents of tokens.

use super::*;
use std::path::Path;

/// Tokens joined by spaces, as they stand in the text, and the messages.
fn run(text: &str) -> (String, Vec<Tok>, Vec<String>) {
    let mut sources = SourceMap::new();
    let source = sources.add(Path::new("t.i"), text).unwrap();
    let mut diagnostics = Diagnostics::new();
    let tokens = lex(source, &mut sources, &mut Interner::new(), &mut diagnostics);
    assert_eq!(tokens.last().map(|t| t.kind), Some(Tok::Eof));
    let tokens = &tokens[..tokens.len() - 1];
    let texts: Vec<&str> = tokens.iter().map(|t| sources.snippet(t.span()).unwrap()).collect();
    let messages = diagnostics.iter().map(|d| d.message.clone()).collect();
    (texts.join(" "), tokens.iter().map(|t| t.kind).collect(), messages)
}

fn check(text: &str, expected: &str) {
    let (tokens, _, messages) = run(text);
    assert_eq!(tokens, expected, "{text}");
    assert!(messages.is_empty(), "{text}: {messages:?}");
}

#[test]
fn longest_match() {
    check("a+++b---c", "a ++ + b -- - c");
    check("a<<=b>>=c<<d>>e", "a <<= b >>= c << d >> e");
    check("x...y..z", "x ... y . . z");
    check("a->b.c-=>d", "a -> b . c -= > d");
    check("a&&&b|||c^^=!==~", "a && & b || | c ^ ^= != = ~");
    check("1.5.x .5 5. ...5", "1.5.x .5 5. ... 5");
    check("0x1e+1 1e+1 1e +1 0x1p-3", "0x1e+1 1e+1 1e + 1 0x1p-3");
    check("a?b:c::d", "a ? b : c : : d");
}

#[test]
fn digraphs() {
    let (_, kinds, _) = run("<: :> <% %>");
    assert_eq!(kinds, [Tok::LBracket, Tok::RBracket, Tok::LBrace, Tok::RBrace]);
}

#[test]
fn literals() {
    check(r#"L"a" u8"b" u'c' U"d" "e\"f" '\'' "\\" x"y""#, r#"L"a" u8"b" u'c' U"d" "e\"f" '\'' "\\" x "y""#);
    check("R\"(a\"\\b)\" LR\"--(x)-)--\"", "R\"(a\"\\b)\" LR\"--(x)-)--\"");
    check("\"a\\\nb\" 'c\\\r\nd'", "\"a\\\nb\" 'c\\\r\nd'");
    check("\"/* no comment */\" '//'", "\"/* no comment */\" '//'");
}

#[test]
fn comments_and_continuations() {
    check("a/**/b//c\nd/*/e*/f", "a b d f");
    check("a // b \\\n c\nd", "a d");
    check("a \\\n b +\\\n+ c", "a b +\\\n+ c");
    let (_, kinds, _) = run("+\\\r\n= in\\\nt");
    assert_eq!(kinds, [Tok::PlusAssign, Tok::Int]);
    check("a/\\\n/b\nc", "a c");
}

#[test]
fn keywords_have_aliases() {
    let (_, kinds, _) = run("__const __inline__ __volatile __typeof __asm__ __alignof__ $x int_");
    use Tok::*;
    assert_eq!(kinds, [Const, Inline, Volatile, Typeof, Asm, Alignof, Ident, Ident]);
}

/// A second file of the same run: keywords are no longer the first symbols.
#[test]
fn shared_interner() {
    let mut names = Interner::new();
    names.intern("x");
    let mut sources = SourceMap::new();
    for text in ["int x;", "y while int"] {
        let source = sources.add(Path::new("t.i"), text).unwrap();
        let tokens = lex(source, &mut sources, &mut names, &mut Diagnostics::new());
        let kinds: Vec<Tok> = tokens.iter().map(|t| t.kind).collect();
        match text {
            "int x;" => assert_eq!(kinds, [Tok::Int, Tok::Ident, Tok::Semi, Tok::Eof]),
            _ => assert_eq!(kinds, [Tok::Ident, Tok::While, Tok::Int, Tok::Eof]),
        }
    }
}

#[test]
fn errors() {
    for (text, expected) in [
        ("@@@ @", vec!["stray '@' in program", "stray '@' in program"]),
        ("a \u{1} b", vec!["stray character U+0001"]),
        ("\\ x", vec!["stray '\\' in program"]),
        ("x → y", vec!["stray '→' in program"]),
        ("\"abc", vec!["missing terminating \" character"]),
        ("'a\nb'", vec!["missing terminating ' character", "missing terminating ' character"]),
        ("\"abc\\", vec!["missing terminating \" character"]),
        ("/* x", vec!["unterminated comment"]),
        ("R\"x(abc)y\"", vec!["unterminated raw string"]),
        ("a # b", vec!["stray '#' in program"]),
        ("#else", vec!["unexpected preprocessing directive '#else' in preprocessed text"]),
        ("# x", vec!["unexpected preprocessing directive '#x' in preprocessed text"]),
        ("#!", vec!["unexpected preprocessing directive '#' in preprocessed text"]),
    ] {
        assert_eq!(run(text).2, expected, "{text}");
    }
}
