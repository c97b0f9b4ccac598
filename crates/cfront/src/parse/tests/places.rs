//! Spans: every node covers exactly its text, and positions follow line markers.

use crate::ast::{BlockItem, Expr, ExprKind, Item, StmtKind};
use base::{Diagnostics, Interner, SourceMap};
use std::path::Path;

fn collect<'a>(expr: &'a Expr, into: &mut Vec<&'a Expr>) {
    into.push(expr);
    match &expr.kind {
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) | ExprKind::SizeofExpr(a) => collect(a, into),
        ExprKind::Member { base, .. } => collect(base, into),
        ExprKind::Binary(_, a, b)
        | ExprKind::Assign(_, a, b)
        | ExprKind::Index(a, b)
        | ExprKind::Comma(a, b) => {
            collect(a, into);
            collect(b, into);
        }
        ExprKind::Call { callee, args } => {
            collect(callee, into);
            args.iter().for_each(|a| collect(a, into));
        }
        ExprKind::Cond { cond, then, otherwise } => {
            collect(cond, into);
            then.iter().for_each(|t| collect(t, into));
            collect(otherwise, into);
        }
        _ => {}
    }
}

/// The texts of all expressions in the statements of one function, outermost first.
fn check(body: &str, expected: &[&str]) {
    let mut sources = SourceMap::new();
    sources.add(Path::new("before.c"), "int before;\n").unwrap();
    let source = sources.add(Path::new("t.i"), format!("void f(void) {{ {body} }}")).unwrap();
    let mut diagnostics = Diagnostics::new();
    let unit = super::parse(source, &mut sources, &mut Interner::new(), &mut diagnostics);
    let [Item::Function(function)] = &unit.items[..] else { panic!("one function expected") };
    let mut found = Vec::new();
    for item in &function.body.items {
        if let BlockItem::Statement(stmt) = item
            && let StmtKind::Expr(expr) = &stmt.kind
        {
            collect(expr, &mut found);
        }
    }
    let texts: Vec<&str> = found.iter().map(|e| sources.snippet(e.span).unwrap()).collect();
    assert_eq!(texts, expected);
}

#[test]
fn expressions_span_their_text() {
    check("a = (b + c) * d;", &["a = (b + c) * d", "a", "(b + c) * d", "(b + c)", "b", "c", "d"]);
    check(
        "f(x, - y)[1].z++;",
        &["f(x, - y)[1].z++", "f(x, - y)[1].z", "f(x, - y)[1]", "f(x, - y)", "f", "x", "- y", "y", "1"],
    );
    check("(int) x ? y : sizeof z;", &["(int) x ? y : sizeof z", "(int) x", "x", "y", "sizeof z", "z"]);
    check("\"a\"  \"b\", 'c';", &["\"a\"  \"b\", 'c'", "\"a\"  \"b\"", "'c'"]);
}

/// Where the identifier `here` is, according to the line markers around it.
fn check_place(text: &str, expected: &str) {
    let mut sources = SourceMap::new();
    let source = sources.add(Path::new("t.i"), text).unwrap();
    let mut diagnostics = Diagnostics::new();
    let mut names = Interner::new();
    let tokens = crate::lex::lex(source, &mut sources, &mut names, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    let here = names.get("here").unwrap();
    let token = tokens.iter().find(|t| t.symbol == here).unwrap();
    assert_eq!(sources.locate(token.lo).unwrap().to_string(), expected, "{text}");
}

#[test]
fn positions_follow_markers() {
    check_place("int here;", "t.i:1:5");
    check_place("\n\n  here", "t.i:3:3");
    check_place("# 12 \"a.c\"\nhere", "a.c:12:1");
    check_place("# 12 \"a.c\" 1 3 4\n\n here", "a.c:13:2");
    check_place("# 0 \"<built-in>\"\n# 1 \"a.c\"\nhere", "a.c:1:1");
    check_place("#line 7 \"b.c\"\nhere", "b.c:7:1");
    check_place("# 3 \"a.c\"\n#line 9\nhere", "a.c:9:1");
    check_place("#line 9\nhere", "t.i:9:1");
    check_place("x = f(1,\n# 40 \"d\\\\e\\\".c\"\n here", "d\\e\".c:40:2");
    check_place("# 5 \"a.c\"\n#pragma x\n#ident \"y\"\n#\nhere", "a.c:8:1");
    check_place("# 5 \"a.c\"\r\nhere", "a.c:5:1");
    check_place("%: 5 \"a.c\"\nhere", "a.c:5:1");
    check_place("# 99999999999 \"a.c\"\nhere", "a.c:4294967295:1");
    check_place("\u{feff}here", "t.i:1:4");
}
