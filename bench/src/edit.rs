//! Edits that mean nothing: whatever they change, no execution of the program changes.
//!
//! They work on tokens, so that nothing of the front end under test is used to make its own test.

mod locals;
pub mod order;

use crate::ctoken::{self, Kind, Token};
use crate::outline::outline;
use crate::rng::Rng;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edit {
    /// Comments added, existing ones dropped.
    Comments,
    /// Other white space: lines split and joined, indentation, spliced lines.
    Layout,
    /// Blank lines and `#line`.
    Lines,
    /// Functions and file-level declarations in another order.
    Order,
    /// Declarations of locals in another order.
    LocalOrder,
    /// Locals and parameters renamed.
    Rename,
    /// More parentheses.
    Parens,
    /// All of them.
    All,
}

impl Edit {
    pub const ALL: [Edit; 8] = [
        Edit::Comments,
        Edit::Layout,
        Edit::Lines,
        Edit::Order,
        Edit::LocalOrder,
        Edit::Rename,
        Edit::Parens,
        Edit::All,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Edit::Comments => "comments",
            Edit::Layout => "layout",
            Edit::Lines => "line shifts",
            Edit::Order => "reordered functions and declarations",
            Edit::LocalOrder => "reordered local declarations",
            Edit::Rename => "renamed locals",
            Edit::Parens => "extra parentheses",
            Edit::All => "all of these together",
        }
    }

    /// The edited text; None where the file offers nothing to edit in this way.
    pub fn apply(self, source: &str, rng: &mut Rng) -> Option<String> {
        let tokens = ctoken::tokenize(source);
        let edited = self.edit(&tokens, rng)?;
        let text = ctoken::text(&edited);
        (text != source).then_some(text)
    }

    fn edit(self, tokens: &[Token], rng: &mut Rng) -> Option<Vec<Token>> {
        match self {
            Edit::Comments => Some(comments(tokens, rng)),
            Edit::Layout => Some(layout(tokens, rng)),
            Edit::Lines => Some(lines(tokens, rng)),
            Edit::Order => order::items(tokens, rng),
            Edit::LocalOrder => order::locals(tokens, rng),
            Edit::Rename => locals::rename(tokens, rng),
            Edit::Parens => parens(tokens, rng),
            Edit::All => {
                let mut tokens = tokens.to_vec();
                for edit in
                    [Edit::Order, Edit::LocalOrder, Edit::Rename, Edit::Parens, Edit::Layout, Edit::Comments]
                {
                    tokens = edit.edit(&tokens, rng).unwrap_or(tokens);
                }
                Some(tokens)
            }
        }
    }
}

/// About forty places in a file, all of a small one.
fn often(count: usize, rng: &mut Rng) -> bool {
    rng.below(count.max(1)) < 40
}

fn comments(tokens: &[Token], rng: &mut Rng) -> Vec<Token> {
    let mut out = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            // A comment may be what separates two tokens, so a space takes its place.
            Kind::Comment if rng.chance(30) => out.push(Token::new(Kind::Space, " ")),
            Kind::Space | Kind::Comment | Kind::Directive => out.push(token.clone()),
            _ => {
                if often(tokens.len(), rng) {
                    let comment = match rng.below(3) {
                        0 => format!(" /* {i}: x = y + 1; }} */ "),
                        1 => " /* over\n two \"lines */ ".into(),
                        _ => format!(" // {i} don't /* stop\n"),
                    };
                    out.push(Token::new(Kind::Comment, comment));
                }
                out.push(token.clone());
            }
        }
    }
    out.push(Token::new(Kind::Comment, "\n/* the end */\n"));
    out
}

/// Must the white space at `i` stay? Directives and line comments end with their line.
fn fixed_space(tokens: &[Token], i: usize) -> bool {
    let line_bound = |t: &Token| t.kind == Kind::Directive || t.kind == Kind::Comment;
    i.checked_sub(1).is_some_and(|p| line_bound(&tokens[p])) || tokens.get(i + 1).is_some_and(line_bound)
}

fn layout(tokens: &[Token], rng: &mut Rng) -> Vec<Token> {
    const SPACES: [&str; 6] = [" ", "   ", "\t", "\n", "\n\n        ", " \\\n "];
    let mut out = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let space = |rng: &mut Rng| Token::new(Kind::Space, *rng.pick(&SPACES).unwrap_or(&" "));
        if token.kind == Kind::Space {
            if fixed_space(tokens, i) || rng.chance(50) {
                out.push(token.clone());
            } else {
                out.push(space(rng));
            }
            continue;
        }
        let touching = i.checked_sub(1).is_some_and(|p| tokens[p].is_code()) && token.is_code();
        if touching && token.kind != Kind::Directive && rng.chance(10) {
            out.push(space(rng));
        }
        out.push(token.clone());
    }
    out
}

fn lines(tokens: &[Token], rng: &mut Rng) -> Vec<Token> {
    let mut out = vec![Token::new(Kind::Space, "\n".repeat(1 + rng.below(30)))];
    for (i, token) in tokens.iter().enumerate() {
        out.push(token.clone());
        if token.kind == Kind::Space && token.text.contains('\n') && often(tokens.len(), rng) {
            out.push(Token::new(Kind::Space, "\n".repeat(1 + rng.below(5))));
            if i > 0 && rng.chance(20) {
                out.push(Token::new(Kind::Directive, format!("#line {}\n", 1 + rng.below(9000))));
            }
        }
    }
    out
}

fn parens(tokens: &[Token], rng: &mut Rng) -> Option<Vec<Token>> {
    let items = outline(tokens)?;
    let mut opens = vec![0usize; tokens.len()];
    let mut closes = vec![0usize; tokens.len()];
    for function in items.iter().filter_map(|item| item.function.as_ref()) {
        let code: Vec<usize> = function.body.clone().filter(|&i| tokens[i].is_code()).collect();
        for (c, &i) in code.iter().enumerate() {
            if !often(code.len(), rng) {
                continue;
            }
            let end = match tokens[i].text.as_str() {
                _ if tokens[i].kind == Kind::Number => {
                    opens[i] += 1;
                    closes[i] += 1;
                    continue;
                }
                "return" => end_of_expression(tokens, &code, c + 1),
                "=" if starts_simple_assignment(tokens, &code, c) => end_of_expression(tokens, &code, c + 1),
                _ => None,
            };
            if let Some(end) = end {
                opens[code[c + 1]] += 1;
                closes[code[end - 1]] += 1;
            }
        }
    }
    let mut out = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        out.extend((0..opens[i]).map(|_| Token::new(Kind::Punct, "(")));
        out.push(token.clone());
        out.extend((0..closes[i]).map(|_| Token::new(Kind::Punct, ")")));
    }
    Some(out)
}

/// Is the `=` at `code[c]` the one of `name = expression;` at the start of a statement?
fn starts_simple_assignment(tokens: &[Token], code: &[usize], c: usize) -> bool {
    c >= 2
        && tokens[code[c - 1]].kind == Kind::Ident
        && matches!(tokens[code[c - 2]].text.as_str(), ";" | "{" | "}")
}

/// The position of the `;` that ends the expression at `code[start]`; None if it is empty, a braced or string
/// initialiser, or has a comma outside of brackets.
fn end_of_expression(tokens: &[Token], code: &[usize], start: usize) -> Option<usize> {
    let first = &tokens[*code.get(start)?];
    if matches!(first.text.as_str(), ";" | "{") || first.kind == Kind::Text {
        return None;
    }
    let mut depth = 0usize;
    for (c, &i) in code.iter().enumerate().skip(start) {
        if tokens[i].kind == Kind::Directive {
            return None;
        }
        match tokens[i].text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            ";" if depth == 0 => return Some(c),
            "," if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{argv, gcc, proc};
    use std::time::Duration;

    const PROGRAMS: [&str; 3] = [
        include_str!("../programs/sort.c"),
        include_str!("../programs/crc.c"),
        include_str!("../programs/words.c"),
    ];

    /// What code is left when layout and comments are gone.
    fn code(source: &str) -> Vec<String> {
        let tokens = ctoken::tokenize(source);
        tokens.iter().filter(|t| t.is_code()).map(|t| t.text.replace("\\\n", "")).collect()
    }

    #[test]
    fn layout_edits_keep_every_token() {
        for (i, source) in PROGRAMS.iter().enumerate() {
            for edit in [Edit::Comments, Edit::Layout, Edit::Lines] {
                for seed in 0..20 {
                    let text = edit.apply(source, &mut Rng::part(seed, i as u64)).unwrap();
                    let splices: Vec<_> = code(&text).into_iter().filter(|t| t != "\\").collect();
                    assert_eq!(splices, code(source), "{edit:?} {seed}");
                }
            }
        }
    }

    #[test]
    fn parentheses_only_add_parentheses() {
        let text =
            Edit::Parens.apply("int f(int a) { int b = 3; b = a + 1; return b; }", &mut Rng::new(1)).unwrap();
        assert_eq!(text, "int f(int a) { int b = (3); b = (a + (1)); return (b); }");
        let unchanged = "char *f(void) { char s[] = \"x\"; return; }";
        assert_eq!(Edit::Parens.apply(unchanged, &mut Rng::new(1)), None);
    }

    #[test]
    fn edited_programs_compile_and_print_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let (file, exe) = (dir.path().join("t.c"), dir.path().join("t"));
        let run = |source: &str| {
            std::fs::write(&file, source).unwrap();
            let built = gcc::build(&file, &exe, &["-O0"]).unwrap();
            assert!(built.ok(), "{}\n{source}", built.stderr);
            proc::run(&argv![exe.display()], Duration::from_secs(10)).unwrap().stdout
        };
        let source = PROGRAMS[2];
        let expected = run(source);
        for edit in Edit::ALL {
            for seed in 0..2 {
                let mut rng = Rng::new(seed);
                let text = edit.apply(source, &mut rng);
                let text =
                    if edit == Edit::LocalOrder { text.unwrap_or(source.into()) } else { text.unwrap() };
                assert_eq!(run(&text), expected, "{edit:?}\n{text}");
            }
        }
    }
}
