//! Declarations and functions in another order.
//!
//! Two neighbours may change places if neither introduces a name that the other uses. A name counts as
//! introduced by the item where it first occurs, and by the first one where it occurs outside of brackets (as
//! what a declaration declares does), which errs on the safe side; the definition of a tag counts even after
//! a forward declaration, because the other item may need the complete type.

use crate::ctoken::{Kind, Token};
use crate::outline::outline;
use crate::rng::Rng;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Moves file-level items. Items stay between the same (real) preprocessor lines.
pub fn items(tokens: &[Token], rng: &mut Rng) -> Option<Vec<Token>> {
    let items = outline(tokens)?;
    if items.len() < 2 {
        return None;
    }
    // Each item takes the comments and markers before it along.
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let mut barrier = Vec::new();
    let mut end = 0;
    for item in &items {
        let from = (end..item.range.start).rev().find(|&i| tokens[i].is_code()).map_or(end, |i| i + 1);
        barrier.push(from != end || end == 0);
        pieces.push(from..item.range.end);
        end = item.range.end;
    }
    let names: Vec<HashSet<&str>> = pieces.iter().map(|p| identifiers(&tokens[p.clone()])).collect();
    let tags: Vec<HashSet<&str>> = pieces.iter().map(|p| defined_tags(&tokens[p.clone()])).collect();
    let declared: Vec<HashSet<&str>> = pieces.iter().map(|p| outer_names(&tokens[p.clone()])).collect();
    let (holders, declarers) = (by_name(&names), by_name(&declared));
    // order[p] is the item at place p; place is its inverse. Barriers stay at their places.
    let mut order: Vec<usize> = (0..items.len()).collect();
    let mut place = order.clone();
    let mut moved = false;
    for _ in 0..60 {
        let first = rng.below(items.len());
        for p in first..=first + rng.below(12) {
            if p + 1 >= order.len() || barrier[p + 1] {
                break;
            }
            let (a, b) = (order[p], order[p + 1]);
            let earlier = |list: Option<&Vec<usize>>| list.is_some_and(|l| l.iter().any(|&i| place[i] < p));
            let either =
                |sets: &[HashSet<&str>], name: &str| sets[a].contains(name) || sets[b].contains(name);
            let introduced = |name: &&str| {
                either(&tags, name)
                    || !earlier(holders.get(*name))
                    || either(&declared, name) && !earlier(declarers.get(*name))
            };
            if names[a].intersection(&names[b]).any(introduced) {
                break;
            }
            order.swap(p, p + 1);
            (place[a], place[b]) = (p + 1, p);
            moved = true;
        }
    }
    if !moved {
        return None;
    }
    let mut out = Vec::new();
    let mut end = 0;
    for (p, &item) in order.iter().enumerate() {
        out.extend_from_slice(&tokens[end..pieces[p].start]);
        out.extend_from_slice(&tokens[pieces[item].clone()]);
        // A line comment or a directive before the next item must not swallow it.
        out.push(Token::new(Kind::Space, "\n"));
        end = pieces[p].end;
    }
    out.extend_from_slice(&tokens[end..]);
    Some(out)
}

fn identifiers(tokens: &[Token]) -> HashSet<&str> {
    let words = tokens.iter().filter(|t| t.kind == Kind::Ident).map(|t| t.text.as_str());
    words.filter(|w| !is_keyword(w)).collect()
}

/// Which items hold each name.
fn by_name<'a>(sets: &[HashSet<&'a str>]) -> HashMap<&'a str, Vec<usize>> {
    let mut map: HashMap<&str, Vec<usize>> = HashMap::new();
    for (i, set) in sets.iter().enumerate() {
        for name in set {
            map.entry(name).or_default().push(i);
        }
    }
    map
}

/// The identifiers outside of all brackets.
fn outer_names(tokens: &[Token]) -> HashSet<&str> {
    let mut depth = 0i32;
    let mut names = HashSet::new();
    for token in tokens {
        match token.text.as_str() {
            _ if token.kind == Kind::Ident && depth == 0 => drop(names.insert(token.text.as_str())),
            "(" | "[" | "{" if token.kind == Kind::Punct => depth += 1,
            ")" | "]" | "}" if token.kind == Kind::Punct => depth -= 1,
            _ => {}
        }
    }
    names
}

fn defined_tags(tokens: &[Token]) -> HashSet<&str> {
    let code: Vec<&Token> = tokens.iter().filter(|t| t.is_code()).collect();
    let defines = |w: &[&Token]| {
        matches!(w[0].text.as_str(), "struct" | "union" | "enum") && w[1].kind == Kind::Ident && w[2].is("{")
    };
    code.windows(3).filter(|w| defines(w)).map(|w| w[1].text.as_str()).collect()
}

/// Swaps neighbouring declarations of locals that have no initialiser.
pub fn locals(tokens: &[Token], rng: &mut Rng) -> Option<Vec<Token>> {
    let mut out = tokens.to_vec();
    let mut swapped = false;
    for function in outline(tokens)?.into_iter().filter_map(|item| item.function) {
        let code: Vec<usize> = function.body.clone().filter(|&i| tokens[i].is_code()).collect();
        let mut c = 0;
        let mut starts_statement = true;
        while c < code.len() {
            let first = if starts_statement { plain_declaration(tokens, &code, c) } else { None };
            let second = first.and_then(|end| plain_declaration(tokens, &code, end));
            match (first, second) {
                (Some(middle), Some(end)) if rng.chance(70) => {
                    let slice = |from: usize, to: usize| tokens[code[from]..=code[to - 1]].to_vec();
                    let between = tokens[code[middle - 1] + 1..code[middle]].to_vec();
                    let swap = [slice(middle, end), between, slice(c, middle)].concat();
                    out.splice(code[c]..=code[end - 1], swap);
                    swapped = true;
                    c = end;
                }
                _ => {
                    starts_statement = matches!(tokens[code[c]].text.as_str(), ";" | "{" | "}");
                    c += 1;
                }
            }
        }
    }
    swapped.then_some(out)
}

/// Where the declaration `type words, stars, one name, sizes;` at `code[start]` ends, if it is one.
fn plain_declaration(tokens: &[Token], code: &[usize], start: usize) -> Option<usize> {
    let token = |c: usize| code.get(c).map(|&i| &tokens[i]);
    let mut c = start;
    let mut words = 0;
    while token(c)?.kind == Kind::Ident {
        let word = token(c)?.text.as_str();
        if is_keyword(word) && !is_type_word(word) {
            return None;
        }
        words += 1;
        c += 1;
        while token(c)?.is("*") {
            c += 1;
        }
    }
    while token(c)?.is("[") {
        let number = token(c + 1)?.kind == Kind::Number && token(c + 2)?.is("]");
        c += if number { 3 } else { return None };
    }
    (words >= 2 && token(c)?.is(";")).then_some(c + 1)
}

pub fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "int"
            | "char"
            | "short"
            | "long"
            | "unsigned"
            | "signed"
            | "float"
            | "double"
            | "_Bool"
            | "struct"
            | "union"
            | "enum"
            | "const"
            | "volatile"
            | "register"
            | "void"
    )
}

pub fn is_keyword(word: &str) -> bool {
    is_type_word(word)
        || matches!(
            word,
            "auto"
                | "break"
                | "case"
                | "continue"
                | "default"
                | "do"
                | "else"
                | "extern"
                | "for"
                | "goto"
                | "if"
                | "inline"
                | "return"
                | "sizeof"
                | "static"
                | "switch"
                | "typedef"
                | "while"
                | "asm"
                | "typeof"
                | "restrict"
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctoken::{text, tokenize};

    fn check(edit: fn(&[Token], &mut Rng) -> Option<Vec<Token>>, source: &str, expected: &[Option<&str>]) {
        let tokens = tokenize(source);
        let flat = |t: Vec<Token>| text(&t).split_whitespace().collect::<Vec<_>>().join(" ");
        for seed in 0..40 {
            let found = edit(&tokens, &mut Rng::new(seed)).map(flat);
            assert!(expected.contains(&found.as_deref()), "{found:?}");
        }
    }

    #[test]
    fn independent_items_change_places() {
        check(items, "int a; int b;", &[None, Some("int b; int a;"), Some("int a; int b;")]);
        check(items, "int a; int *b = &a;", &[None]);
        check(items, "struct s; struct s { int x; }; struct s v;", &[None]);
        check(items, "struct s { int f; }; int f; int g(void) { return f; }", &[None]);
        check(items, "int a;\n#define X\nint b;", &[None]);
        check(
            items,
            "int f(void); int g(void) { return f(); } int f(void) { return 1; }",
            &[
                None,
                Some("int f(void); int f(void) { return 1; } int g(void) { return f(); }"),
                Some("int f(void); int g(void) { return f(); } int f(void) { return 1; }"),
            ],
        );
    }

    #[test]
    fn local_declarations_change_places() {
        check(
            locals,
            "void f(void) { int a; char *b[3]; a = 1; }",
            &[None, Some("void f(void) { char *b[3]; int a; a = 1; }")],
        );
        check(locals, "void f(void) { int a = 1; char *b; return b; goto b; }", &[None]);
    }
}
