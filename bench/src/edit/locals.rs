//! Locals and parameters renamed.
//!
//! A name is renamed in a function when its first occurrence there declares it, it never follows `.`, `->`,
//! `goto` or a tag keyword and never precedes `:` there, and it occurs nowhere outside of functions (so it is
//! no global, type, field or macro of this file).

use super::order::{is_keyword, is_type_word};
use crate::ctoken::{Kind, Token};
use crate::outline::{Function, outline};
use crate::rng::Rng;
use std::collections::HashSet;

pub fn rename(tokens: &[Token], rng: &mut Rng) -> Option<Vec<Token>> {
    let items = outline(tokens)?;
    let mut outside: HashSet<&str> = HashSet::new();
    let mut covered = 0;
    let mut add = |range: std::ops::Range<usize>| {
        for token in &tokens[range] {
            match token.kind {
                Kind::Ident => {
                    outside.insert(&token.text);
                }
                Kind::Directive => outside.extend(
                    token
                        .text
                        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                        .filter(|w| !w.is_empty()),
                ),
                _ => {}
            }
        }
    };
    let functions: Vec<Function> = items.into_iter().filter_map(|item| item.function).collect();
    for function in &functions {
        add(covered..function.head.start + 1);
        covered = function.body.end;
    }
    add(covered..tokens.len());
    let mut out = tokens.to_vec();
    let mut renamed = 0;
    for function in &functions {
        let code: Vec<usize> =
            (function.head.start + 1..function.body.end).filter(|&i| tokens[i].is_code()).collect();
        for name in declared(tokens, &code) {
            if outside.contains(name) || !rng.chance(60) {
                continue;
            }
            let uses: Vec<usize> = (0..code.len()).filter(|&c| tokens[code[c]].is(name)).collect();
            if uses.iter().all(|&c| plain_use(tokens, &code, c)) {
                let fresh = format!("renamed_{renamed}_{}", rng.below(1000));
                uses.iter().for_each(|&c| out[code[c]].text.clone_from(&fresh));
                renamed += 1;
            }
        }
    }
    (renamed > 0).then_some(out)
}

/// The names whose first occurrence is a declaration with automatic storage, in order.
fn declared<'a>(tokens: &'a [Token], code: &[usize]) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    let mut names = Vec::new();
    for (c, &i) in code.iter().enumerate() {
        let name = tokens[i].text.as_str();
        if tokens[i].kind == Kind::Ident
            && !is_keyword(name)
            && !name.starts_with("__")
            && seen.insert(name)
            && is_declaration(tokens, code, c)
        {
            names.push(name);
        }
    }
    names
}

/// Is the name at `code[c]` the one that `type words, stars, name` declares, at the start of a statement or
/// in a parameter list?
fn is_declaration(tokens: &[Token], code: &[usize], c: usize) -> bool {
    let token = |c: usize| code.get(c).map(|&i| &tokens[i]);
    if !token(c + 1).is_some_and(|t| ["=", ";", ",", "[", ")"].iter().any(|p| t.is(p))) {
        return false;
    }
    let mut words = 0;
    let mut at = c;
    while at > 0 {
        let Some(t) = token(at - 1) else { return false };
        match t.kind {
            Kind::Ident => {
                if is_keyword(&t.text) && !is_type_word(&t.text) {
                    return false;
                }
                words += 1;
            }
            _ if t.is("*") => {}
            _ => {
                return words > 0
                    && ["{", "}", ";", "(", ","].iter().any(|p| t.is(p))
                    && token(at).is_some_and(|t| t.kind == Kind::Ident);
            }
        }
        at -= 1;
    }
    false
}

fn plain_use(tokens: &[Token], code: &[usize], c: usize) -> bool {
    let before = c.checked_sub(1).map_or("", |p| tokens[code[p]].text.as_str());
    let after = code.get(c + 1).map_or("", |&i| tokens[i].text.as_str());
    !matches!(before, "." | "->" | "goto" | "struct" | "union" | "enum") && after != ":"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctoken::{text, tokenize};

    /// `$` stands for a renamed name in `expected`.
    fn check(source: &str, expected: &str) {
        let tokens = tokenize(source);
        let mut best = source.to_string();
        for seed in 0..60 {
            if let Some(out) = rename(&tokens, &mut Rng::new(seed)) {
                let out: Vec<Token> = out
                    .into_iter()
                    .map(|t| if t.text.starts_with("renamed_") { Token::new(Kind::Ident, "$") } else { t })
                    .collect();
                let out = text(&out);
                if out.matches('$').count() > best.matches('$').count() {
                    best = out;
                }
            }
        }
        assert_eq!(best, expected);
    }

    #[test]
    fn only_locals_are_renamed() {
        check(
            "int f(int a, char *s) { long b = a; return b + *s; }",
            "int f(int $, char *$) { long $ = $; return $ + *$; }",
        );
        check("int a; int f(void) { int a = 1; return a; }", "int a; int f(void) { int a = 1; return a; }");
        check(
            "struct s { int x; }; int f(struct s *p) { return p->x; }",
            "struct s { int x; }; int f(struct s *$) { return $->x; }",
        );
        check(
            "int f(void) { static int n; return n * LIMIT; }",
            "int f(void) { static int n; return n * LIMIT; }",
        );
        check("#define g(x) y\nint f(int y) { return y; }", "#define g(x) y\nint f(int y) { return y; }");
        check("void f(int n) { n: goto n; }", "void f(int n) { n: goto n; }");
        check("int f(void) { enum { A, B }; return 3 * A; }", "int f(void) { enum { A, B }; return 3 * A; }");
    }
}
