//! Mutants: small edits that may mean something. Whether one does is for the interpreter to say.

use crate::ctoken::{self, Kind, Token};
use crate::edit::order::is_keyword;
use crate::outline::{Function, matching, outline};
use crate::rng::Rng;
use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mutation {
    Constant,
    Operator,
    Comparison,
    Operands,
    Deletion,
    Initialiser,
    Type,
    ArraySize,
}

pub struct Mutant {
    pub text: String,
    /// The function that was changed; None for a file-level declaration.
    pub function: Option<String>,
}

/// A replacement of a range of tokens.
struct Change {
    range: Range<usize>,
    text: String,
    function: Option<String>,
}

impl Mutation {
    pub const ALL: [Mutation; 8] = [
        Mutation::Constant,
        Mutation::Operator,
        Mutation::Comparison,
        Mutation::Operands,
        Mutation::Deletion,
        Mutation::Initialiser,
        Mutation::Type,
        Mutation::ArraySize,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Mutation::Constant => "constants",
            Mutation::Operator => "operators",
            Mutation::Comparison => "comparisons",
            Mutation::Operands => "swapped operands",
            Mutation::Deletion => "deleted statements",
            Mutation::Initialiser => "initialisers of globals",
            Mutation::Type => "types",
            Mutation::ArraySize => "array sizes",
        }
    }

    /// One mutant of this kind at a random place; None if the file has no place for it.
    pub fn apply(self, source: &str, rng: &mut Rng) -> Option<Mutant> {
        let tokens = ctoken::tokenize(source);
        let items = outline(&tokens)?;
        let mut changes = Vec::new();
        for item in &items {
            match (&item.function, self) {
                (Some(function), _) => self.in_function(&tokens, function, rng, &mut changes),
                (None, Mutation::Initialiser | Mutation::Type | Mutation::ArraySize) => {
                    self.in_declaration(&tokens, item.range.clone(), rng, &mut changes);
                }
                (None, _) => {}
            }
        }
        let change = changes.swap_remove(rng.below(changes.len().checked_sub(1)? + 1));
        let text = [
            ctoken::text(&tokens[..change.range.start]),
            change.text,
            ctoken::text(&tokens[change.range.end..]),
        ]
        .concat();
        (text != source).then_some(Mutant { text, function: change.function })
    }

    fn in_function(self, tokens: &[Token], function: &Function, rng: &mut Rng, changes: &mut Vec<Change>) {
        let code: Vec<usize> = function.body.clone().filter(|&i| tokens[i].is_code()).collect();
        let text = |c: usize| code.get(c).map_or("", |&i| tokens[i].text.as_str());
        let mut add = |range: Range<usize>, text: String| {
            changes.push(Change { range, text, function: Some(function.name.clone()) });
        };
        for (c, &i) in code.iter().enumerate() {
            let token = &tokens[i];
            let replacement = match self {
                Mutation::Constant if token.kind == Kind::Number => other_number(&token.text, rng),
                Mutation::Operator if token.kind == Kind::Punct && is_binary(tokens, &code, c) => {
                    other_operator(&token.text, rng)
                }
                Mutation::Operator if token.kind == Kind::Ident => other_wrapper(&token.text, rng),
                Mutation::Comparison if token.kind == Kind::Punct => other_comparison(&token.text, rng),
                Mutation::Type
                    if token.kind == Kind::Ident && (c == 0 || matches!(text(c - 1), ";" | "{" | "}")) =>
                {
                    other_type(&token.text, rng)
                }
                Mutation::Operands => {
                    if let Some((range, text)) = swapped_operands(tokens, &code, c) {
                        add(range, text);
                    }
                    None
                }
                Mutation::Deletion => {
                    if let Some(end) = removable_statement(tokens, &code, c) {
                        add(i..code[end] + 1, ";".into());
                    }
                    None
                }
                _ => None,
            };
            if let Some(text) = replacement {
                add(i..i + 1, text);
            }
        }
    }

    fn in_declaration(self, tokens: &[Token], range: Range<usize>, rng: &mut Rng, changes: &mut Vec<Change>) {
        let code: Vec<usize> = range.filter(|&i| tokens[i].is_code()).collect();
        let assign = code.iter().position(|&i| tokens[i].is("="));
        for (c, &i) in code.iter().enumerate() {
            let token = &tokens[i];
            let initialiser = assign.is_some_and(|a| c > a);
            let replacement = match self {
                Mutation::Initialiser if initialiser && token.kind == Kind::Number => {
                    other_number(&token.text, rng)
                }
                Mutation::Type if !initialiser && token.kind == Kind::Ident => other_type(&token.text, rng),
                Mutation::ArraySize
                    if !initialiser && token.kind == Kind::Number && c > 0 && tokens[code[c - 1]].is("[") =>
                {
                    other_number(&token.text, rng)
                }
                _ => None,
            };
            if let Some(text) = replacement {
                changes.push(Change { range: i..i + 1, text, function: None });
            }
        }
    }
}

/// Another number of the same spelling and suffix.
fn other_number(text: &str, rng: &mut Rng) -> Option<String> {
    let hex = text.starts_with("0x") || text.starts_with("0X");
    let digits = if hex {
        text[2..].trim_end_matches(['u', 'U', 'l', 'L'])
    } else {
        text.trim_end_matches(['u', 'U', 'l', 'L', 'f', 'F'])
    };
    let suffix = &text[text.len() - (text.len() - digits.len() - if hex { 2 } else { 0 })..];
    if !hex && digits.contains(['.', 'e', 'E']) {
        let value: f64 = digits.parse().ok()?;
        return Some(format!("{:?}{suffix}", value + 1.0));
    }
    let octal = !hex && digits.len() > 1 && digits.starts_with('0');
    let value = u64::from_str_radix(
        digits,
        if hex {
            16
        } else if octal {
            8
        } else {
            10
        },
    )
    .ok()?;
    let other = match rng.below(4) {
        0 => value.checked_add(1)?,
        1 => value.checked_sub(1).unwrap_or(1),
        2 => value / 2 + 3,
        _ => u64::from(value == 0),
    };
    Some(format!("{other}{suffix}"))
}

fn pick<'a>(rng: &mut Rng, list: &[&'a str]) -> Option<&'a str> {
    rng.pick(list).copied()
}

fn other_operator(op: &str, rng: &mut Rng) -> Option<String> {
    let options: &[&str] = match op {
        "+" => &["-", "*", "^"],
        "-" => &["+", "&"],
        "*" => &["+", "-"],
        "/" => &["*", "%"],
        "%" => &["/", "+"],
        "&" => &["|", "^"],
        "|" => &["&", "^"],
        "^" => &["&", "|"],
        "<<" => &[">>"],
        ">>" => &["<<"],
        "&&" => &["||"],
        "||" => &["&&"],
        "+=" => &["-=", "="],
        "-=" => &["+="],
        "*=" => &["+="],
        "&=" => &["|="],
        "|=" => &["^=", "&="],
        "^=" => &["|="],
        "++" => &["--"],
        "--" => &["++"],
        _ => return None,
    };
    pick(rng, options).map(str::to_string)
}

/// csmith's arithmetic is calls of wrappers: `safe_add_func_int32_t_s_s` and so on.
fn other_wrapper(name: &str, rng: &mut Rng) -> Option<String> {
    let (op, rest) = name.strip_prefix("safe_")?.split_once("_func_")?;
    let options: &[&str] = match op {
        "add" => &["sub", "mul"],
        "sub" => &["add", "mul"],
        "mul" => &["add", "sub"],
        "div" => &["mod"],
        "mod" => &["div"],
        "lshift" => &["rshift"],
        "rshift" => &["lshift"],
        _ => return None,
    };
    Some(format!("safe_{}_func_{rest}", pick(rng, options)?))
}

fn other_comparison(op: &str, rng: &mut Rng) -> Option<String> {
    const ALL: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
    if !ALL.contains(&op) {
        return None;
    }
    pick(rng, &ALL).filter(|&other| other != op).map(str::to_string)
}

fn other_type(word: &str, rng: &mut Rng) -> Option<String> {
    const FIXED: [&str; 8] =
        ["int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t"];
    const PLAIN: [&str; 6] = ["int", "unsigned", "short", "long", "char", "double"];
    let options: &[&str] = if FIXED.contains(&word) {
        &FIXED
    } else if PLAIN.contains(&word) {
        &PLAIN
    } else {
        return None;
    };
    pick(rng, options).filter(|&other| other != word).map(str::to_string)
}

/// Does an operand end right before `code[c]`? (Increments may stand on either side.)
fn is_binary(tokens: &[Token], code: &[usize], c: usize) -> bool {
    if matches!(tokens[code[c]].text.as_str(), "++" | "--") {
        return true;
    }
    c.checked_sub(1).is_some_and(|p| {
        let before = &tokens[code[p]];
        matches!(before.kind, Kind::Number | Kind::Ident) && !is_keyword(&before.text)
            || before.is(")")
            || before.is("]")
    })
}

/// `a - b` between brackets or commas, or the two arguments of a csmith wrapper that is not commutative.
fn swapped_operands(tokens: &[Token], code: &[usize], c: usize) -> Option<(Range<usize>, String)> {
    let token = |c: usize| code.get(c).map(|&i| &tokens[i]);
    let here = token(c)?;
    let joined = |range: Range<usize>| ctoken::text(&tokens[code[range.start]..=code[range.end - 1]]);
    if here.kind == Kind::Punct
        && matches!(here.text.as_str(), "-" | "/" | "%" | "<<" | ">>" | "<" | "<=" | ">" | ">=")
    {
        let simple = |t: &Token| matches!(t.kind, Kind::Number | Kind::Ident) && !is_keyword(&t.text);
        let (a, b) = (token(c.checked_sub(1)?)?, token(c + 1)?);
        let (left, right) = (token(c.checked_sub(2)?)?, token(c + 2)?);
        let bounded = ["(", "=", ",", "return", "["].iter().any(|t| left.is(t))
            && [")", ";", ",", "]"].iter().any(|t| right.is(t));
        if simple(a) && simple(b) && bounded {
            let text = format!("{} {} {}", b.text, here.text, a.text);
            return Some((code[c - 1]..code[c + 1] + 1, text));
        }
        return None;
    }
    let op = here.text.strip_prefix("safe_")?.split_once("_func_")?.0;
    if !matches!(op, "sub" | "div" | "mod" | "lshift" | "rshift") || !token(c + 1)?.is("(") {
        return None;
    }
    let close = matching(tokens, code, c + 1)?;
    let mut depth = 0;
    let comma = (c + 2..close).find(|&k| {
        let t = &tokens[code[k]];
        depth +=
            i32::from(t.is("(") || t.is("[") || t.is("{")) - i32::from(t.is(")") || t.is("]") || t.is("}"));
        depth == 0 && t.is(",")
    })?;
    if comma == c + 2 || comma + 1 == close {
        return None;
    }
    let text = format!("({}, {})", joined(comma + 1..close), joined(c + 2..comma));
    Some((code[c + 1]..code[close] + 1, text))
}

/// The position of the `;` of the expression statement at `code[c]`, if there is one: an assignment, a call
/// or an increment, no declaration and nothing that a keyword starts.
fn removable_statement(tokens: &[Token], code: &[usize], c: usize) -> Option<usize> {
    let token = |c: usize| code.get(c).map(|&i| &tokens[i]);
    let starts = c == 0 || [";", "{", "}"].iter().any(|t| token(c - 1).is_some_and(|p| p.is(t)));
    let first = token(c)?;
    let second = token(c + 1)?;
    let expression = match first.kind {
        Kind::Ident => {
            !is_keyword(&first.text)
                && second.kind == Kind::Punct
                && !second.is("*")
                && !second.is(":")
                && !second.is(";")
        }
        _ => ["(", "*", "++", "--"].iter().any(|t| first.is(t)),
    };
    if !starts || !expression {
        return None;
    }
    let mut depth = 0;
    (c..code.len())
        .find(|&k| {
            let t = &tokens[code[k]];
            depth += i32::from(t.is("(") || t.is("[") || t.is("{"))
                - i32::from(t.is(")") || t.is("]") || t.is("}"));
            depth < 0 || depth == 0 && t.is(";")
        })
        .filter(|&k| tokens[code[k]].is(";"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// All mutants of one kind that forty seeds give, each as `function: text`.
    fn check(kind: Mutation, source: &str, expected: &[&str]) {
        let mut found = BTreeSet::new();
        for seed in 0..200 {
            if let Some(m) = kind.apply(source, &mut Rng::new(seed)) {
                found.insert(format!("{}: {}", m.function.as_deref().unwrap_or("-"), m.text));
            }
        }
        let expected: BTreeSet<String> = expected.iter().map(|s| s.to_string()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn mutants() {
        check(
            Mutation::Comparison,
            "int f(int a) { return a == a; }",
            &[
                "f: int f(int a) { return a < a; }",
                "f: int f(int a) { return a <= a; }",
                "f: int f(int a) { return a > a; }",
                "f: int f(int a) { return a >= a; }",
                "f: int f(int a) { return a != a; }",
            ],
        );
        check(
            Mutation::Constant,
            "int g = 9; int f(void) { return 0x10UL; }",
            &[
                "f: int g = 9; int f(void) { return 17UL; }",
                "f: int g = 9; int f(void) { return 15UL; }",
                "f: int g = 9; int f(void) { return 11UL; }",
                "f: int g = 9; int f(void) { return 0UL; }",
            ],
        );
        check(
            Mutation::Initialiser,
            "int g[4] = {-1L}; int f(void) { return 5; }",
            &[
                "-: int g[4] = {-2L}; int f(void) { return 5; }",
                "-: int g[4] = {-0L}; int f(void) { return 5; }",
                "-: int g[4] = {-3L}; int f(void) { return 5; }",
            ],
        );
        check(
            Mutation::Operands,
            "int f(int a) { return safe_sub_func_x(g(a, 1), (2)) + (a - 1); }",
            &[
                "f: int f(int a) { return safe_sub_func_x((2), g(a, 1)) + (a - 1); }",
                "f: int f(int a) { return safe_sub_func_x(g(a, 1), (2)) + (1 - a); }",
            ],
        );
        check(
            Mutation::Deletion,
            "void f(int a) { int b; a = 1; if (a) { g(a); } }",
            &[
                "f: void f(int a) { int b; ; if (a) { g(a); } }",
                "f: void f(int a) { int b; a = 1; if (a) { ; } }",
            ],
        );
        check(
            Mutation::Operator,
            "int f(int *p) { return *p << -1; }",
            &["f: int f(int *p) { return *p >> -1; }"],
        );
    }
}
