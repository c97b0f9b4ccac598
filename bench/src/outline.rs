//! The outline of a C file: its top-level items, found by brackets alone.
//!
//! Good enough to move, rename and mutate; where it cannot be sure (old-style parameter declarations,
//! conditional compilation inside an item, unbalanced brackets) there is no outline, and the file is not
//! edited that way.

use crate::ctoken::{Kind, Token};
use std::ops::Range;

pub struct Item {
    /// Token indices, from the first to the last token that is code.
    pub range: Range<usize>,
    pub function: Option<Function>,
}

pub struct Function {
    pub name: String,
    /// From the name to the body: name, parameters.
    pub head: Range<usize>,
    /// Between the outer braces.
    pub body: Range<usize>,
}

pub fn outline(tokens: &[Token]) -> Option<Vec<Item>> {
    let code: Vec<usize> = (0..tokens.len()).filter(|&i| tokens[i].is_code()).collect();
    let mut items = Vec::new();
    let mut at = 0;
    while at < code.len() {
        if tokens[code[at]].kind == Kind::Directive {
            at += 1;
            continue;
        }
        let (item, next) = item(tokens, &code, at)?;
        items.push(item);
        at = next;
    }
    Some(items)
}

/// The item that starts at `code[start]`, and where the next one starts.
fn item(tokens: &[Token], code: &[usize], start: usize) -> Option<(Item, usize)> {
    let text = |c: usize| code.get(c).map_or("", |&i| tokens[i].text.as_str());
    if text(start) == "{" {
        return None;
    }
    let mut open: Vec<usize> = Vec::new();
    let mut initialiser = false;
    let mut params: Option<usize> = None;
    let mut last_group = None;
    let mut c = start;
    loop {
        let token = &tokens[*code.get(c)?];
        match token.kind {
            Kind::Directive => return None,
            Kind::Punct => {}
            _ => {
                c += 1;
                continue;
            }
        }
        match token.text.as_str() {
            "{" if open.is_empty() && !initialiser && c > start && text(c - 1) == ")" => {
                let group: usize = last_group?;
                let before = group.checked_sub(1).filter(|&b| b >= start).map(text).unwrap_or("");
                if !is_attribute(before) {
                    let name_at = (start..params?).rev().find(|&n| tokens[code[n]].kind == Kind::Ident)?;
                    let close = matching(tokens, code, c)?;
                    let function = Function {
                        name: text(name_at).to_string(),
                        head: code[name_at]..code[c],
                        body: code[c] + 1..code[close],
                    };
                    let range = code[start]..code[close] + 1;
                    return Some((Item { range, function: Some(function) }, close + 1));
                }
                open.push(c);
            }
            "(" | "[" | "{" => {
                if token.text == "(" && open.is_empty() {
                    let before = if c > start { text(c - 1) } else { "" };
                    if params.is_none() && !is_attribute(before) {
                        params = Some(declarator_params(tokens, code, c));
                    }
                    last_group = Some(c);
                }
                open.push(c);
            }
            ")" | "]" | "}" => {
                open.pop()?;
            }
            "=" if open.is_empty() => initialiser = true,
            ";" if open.is_empty() => {
                return Some((Item { range: code[start]..code[c] + 1, function: None }, c + 1));
            }
            _ => {}
        }
        c += 1;
    }
}

/// In `int (*f(int a))(void)` the parameters of `f` are inside the first parentheses: goes in while they
/// start with `*` or another parenthesis.
fn declarator_params(tokens: &[Token], code: &[usize], open: usize) -> usize {
    let text = |c: usize| code.get(c).map_or("", |&i| tokens[i].text.as_str());
    let mut c = open;
    if text(c + 1) == "*" || text(c + 1) == "(" {
        c += 1;
        while c < code.len() && text(c) != ")" {
            if text(c) == "(" && code.get(c - 1).is_some_and(|&i| tokens[i].kind == Kind::Ident) {
                return c;
            }
            c += 1;
        }
    }
    open
}

fn is_attribute(word: &str) -> bool {
    matches!(
        word,
        "__attribute__" | "__attribute" | "__declspec" | "__asm__" | "asm" | "typeof" | "__typeof__"
    )
}

/// The position in `code` of the bracket that closes the one at `open`.
pub fn matching(tokens: &[Token], code: &[usize], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (c, &i) in code.iter().enumerate().skip(open) {
        let token = &tokens[i];
        if token.kind == Kind::Directive {
            return None;
        }
        if token.kind != Kind::Punct {
            continue;
        }
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(c);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctoken::{text, tokenize};

    fn check(source: &str, expected: Option<&[&str]>) {
        let tokens = tokenize(source);
        let found = outline(&tokens).map(|items| {
            let show = |item: &Item| match &item.function {
                Some(f) => format!("fn {} {}", f.name, text(&tokens[f.body.clone()]).trim()),
                None => text(&tokens[item.range.clone()]),
            };
            items.iter().map(show).collect::<Vec<_>>()
        });
        let expected: Option<Vec<String>> = expected.map(|e| e.iter().map(|s| s.to_string()).collect());
        assert_eq!(found, expected);
    }

    #[test]
    fn items() {
        check(
            "#include <a.h>\nint x; /* c */ struct s { int a; } y = { 1 };\nint f(int a) { return a; }\nint z;",
            Some(&["int x;", "struct s { int a; } y = { 1 };", "fn f return a;", "int z;"]),
        );
        check("int (*pick(int n))(void) { return 0; }", Some(&["fn pick return 0;"]));
        check(
            "struct __attribute__((packed)) { int a; } p;",
            Some(&["struct __attribute__((packed)) { int a; } p;"]),
        );
        check("__attribute__((noinline)) int f(void) { g(); }", Some(&["fn f g();"]));
        check("static int f(void)\n# 3 \"x.c\"\n{ a; }", Some(&["fn f a;"]));
        check("int a[] = { (1) }, f(void);", Some(&["int a[] = { (1) }, f(void);"]));
    }

    #[test]
    fn no_outline_where_unsure() {
        check("int f(a) int a; { return a; }", None);
        check("int f(void) {\n#ifdef A\n}\n#endif\n", None);
        check("int f(void) { (", None);
    }
}
