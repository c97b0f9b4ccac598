//! Inputs for the front end: corpus files with random damage, the way a compiler is fuzzed.
//!
//! Damage is done to tokens rather than bytes, so that much of it gets past the parser and reaches the
//! checker and the lowering; bytes and nesting are damaged as well, less often.

use crate::ctoken::{self, Kind, Token};
use crate::rng::Rng;
use crate::tool;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Larger inputs would mostly measure how fast large inputs are read.
const LARGEST: usize = 200_000;

/// Runs the inputs numbered `range` one after the other.
pub fn batch(corpus: &[PathBuf], seed: u64, range: Range<u64>, current: &Path, tick: &(dyn Fn() + Sync)) {
    let mut rng = Rng::part(seed, range.start);
    let mut texts: Vec<String> = Vec::new();
    // A few files a batch: reading and tokenizing the whole corpus would take longer than running it.
    for _ in 0..6 {
        if let Some(bytes) = rng.pick(corpus).and_then(|path| std::fs::read(path).ok()) {
            texts.push(String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    for index in range {
        let mut rng = Rng::part(seed ^ 0x5eed, index);
        // The front end's own tests damage inputs in another way; both find what the other does not.
        let text = if rng.chance(30) { foreign(&texts, &mut rng) } else { mutate(&texts, &mut rng) };
        if std::fs::write(current, &text).is_ok() {
            tool::digest(&text);
        }
        tick();
    }
}

fn foreign(texts: &[String], rng: &mut Rng) -> String {
    let (Some(base), Some(other)) = (rng.pick(texts), rng.pick(texts)) else { return String::new() };
    let mut source = base::random::Random(rng.next());
    let bytes = cfront::fuzz::mutate(base.as_bytes(), other.as_bytes(), &mut source);
    bounded(String::from_utf8_lossy(&bytes).into_owned())
}

/// A damaged copy of one of the texts.
pub fn mutate(texts: &[String], rng: &mut Rng) -> String {
    let empty = String::new();
    let base = rng.pick(texts).unwrap_or(&empty);
    let other = rng.pick(texts).unwrap_or(&empty);
    let mut tokens = ctoken::tokenize(base);
    let donor = ctoken::tokenize(other);
    let most = 1 << rng.below(5);
    for _ in 0..1 + rng.below(most) {
        damage(&mut tokens, &donor, rng);
    }
    let mut text = ctoken::text(&tokens);
    if rng.chance(8) {
        text = damage_bytes(text, rng);
    }
    bounded(text)
}

fn bounded(mut text: String) -> String {
    if text.len() > LARGEST {
        let end = (0..=LARGEST).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        text.truncate(end);
    }
    text
}

fn damage(tokens: &mut Vec<Token>, donor: &[Token], rng: &mut Rng) {
    let n = tokens.len();
    if n == 0 {
        tokens.extend_from_slice(donor);
        return;
    }
    let at = code_near(tokens, rng.below(n));
    match rng.below(12) {
        0 => drop(tokens.remove(at)),
        1 => tokens.insert(at, tokens[at].clone()),
        2 => {
            let with = code_near(tokens, rng.below(n));
            tokens.swap(at, with);
        }
        3 => {
            let end = (at + 1 + rng.below(40)).min(n);
            tokens.drain(at..end);
        }
        4 => {
            let end = (at + 1 + rng.below(60)).min(n);
            let copy = tokens[at..end].to_vec();
            tokens.splice(at..at, copy);
        }
        5 if !donor.is_empty() => {
            let from = rng.below(donor.len());
            let end = (from + 1 + rng.below(60)).min(donor.len());
            tokens.splice(at..at, donor[from..end].iter().cloned());
        }
        6 => {
            // An identifier for another one of the file: types clash, fields go missing, names are of the
            // wrong kind.
            let names: Vec<usize> = (0..n).filter(|&i| tokens[i].kind == Kind::Ident).collect();
            if let (Some(&a), Some(&b)) = (rng.pick(&names), rng.pick(&names)) {
                tokens[a].text = tokens[b].text.clone();
            }
        }
        7 => replace(tokens, Kind::Number, &NUMBERS, rng),
        8 => replace(tokens, Kind::Punct, &PUNCTUATION, rng),
        9 => insert(tokens, at, &WORDS, rng),
        10 => insert(tokens, at, &PHRASES, rng),
        _ => {
            let depth = 1 << rng.below(15);
            let (open, close) = *rng.pick(&NESTS).unwrap_or(&("(", ")"));
            tokens.insert(at, Token::new(Kind::Punct, open.repeat(depth)));
            if rng.chance(70) {
                let end = (at + 2).min(tokens.len());
                tokens.insert(end, Token::new(Kind::Punct, close.repeat(depth)));
            }
        }
    }
}

fn code_near(tokens: &[Token], at: usize) -> usize {
    (at..tokens.len()).find(|&i| tokens[i].is_code()).unwrap_or(at)
}

fn replace(tokens: &mut [Token], kind: Kind, texts: &[&str], rng: &mut Rng) {
    let places: Vec<usize> = (0..tokens.len()).filter(|&i| tokens[i].kind == kind).collect();
    if let (Some(&at), Some(text)) = (rng.pick(&places), rng.pick(texts)) {
        tokens[at].text = text.to_string();
    }
}

fn insert(tokens: &mut Vec<Token>, at: usize, texts: &[&str], rng: &mut Rng) {
    if let Some(text) = rng.pick(texts) {
        tokens.insert(at, Token::new(Kind::Ident, format!(" {text} ")));
    }
}

fn damage_bytes(text: String, rng: &mut Rng) -> String {
    let mut bytes = text.into_bytes();
    for _ in 0..1 + rng.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = rng.below(bytes.len());
        match rng.below(4) {
            0 => bytes[at] = rng.below(256) as u8,
            1 => bytes[at] ^= 1 << rng.below(8),
            2 => bytes.truncate(at),
            _ => drop(bytes.remove(at)),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "-1",
    "2147483647",
    "2147483648",
    "4294967295",
    "9223372036854775807",
    "18446744073709551615",
    "0xffffffffffffffffffff",
    "1e999",
    "0x1p-1074",
    "0.0f",
    "1.5L",
    "077777",
    "08",
    "'a'",
];
const PUNCTUATION: [&str; 24] = [
    "(", ")", "{", "}", "[", "]", ";", ",", "*", "&", "&&", "=", "==", "?", ":", "...", "->", ".", "++", "!",
    "~", "<<", "/", "%",
];
const WORDS: [&str; 40] = [
    "int",
    "char",
    "void",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "const",
    "volatile",
    "unsigned",
    "long",
    "double",
    "_Bool",
    "__int128",
    "_Complex",
    "sizeof",
    "_Alignof",
    "return",
    "goto",
    "break",
    "continue",
    "switch",
    "case",
    "default",
    "if",
    "else",
    "while",
    "for",
    "do",
    "__typeof__",
    "__attribute__",
    "_Generic",
    "asm",
    "inline",
    "__label__",
    "_Static_assert",
    "__builtin_va_arg",
    "__extension__",
];
const PHRASES: [&str; 24] = [
    "struct s { struct s x; };",
    "union u { int a[0]; union u *p; } ;",
    "int a[-1];",
    "int a[1ull << 60];",
    "int a[] = { [5] = 1, [2 ... 9] = 3 };",
    "char s[2] = \"longer\";",
    "case 1 ... 0:",
    "case 1 ... 1000000000:",
    "({ ; })",
    "({ int x = 1; x; })",
    "&&label",
    "goto *p;",
    "int (*(*f[3])(int (*)(void)))[2];",
    "__attribute__((packed, aligned(1 << 30)))",
    "asm volatile (\"\" : \"=r\"(x) : \"0\"(y) : \"memory\");",
    "_Generic(0, int: 1, default: 2)",
    "(struct { int a; }){ .a = 1 }.a",
    "__builtin_offsetof(struct s, a[1].b)",
    "int b : 0; int c : 33;",
    "enum { A = A + 1, B = 1 / 0 };",
    "# 1 \"other.c\" 2\n",
    "\n#line 99999999999\n",
    "typedef int T; T T;",
    "__builtin_choose_expr(1, 2, 3)",
];
const NESTS: [(&str, &str); 7] =
    [("(", ")"), ("{", "}"), ("[", "]"), ("-~!", ""), ("*", ""), ("if(1)", ""), ("x?", ":1")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutation_is_reproducible_and_bounded() {
        let texts = vec!["int f(int a) { return a + 1; }".to_string(), "struct s { int x; } v;".into()];
        let mut different = 0;
        for seed in 0..500 {
            let text = mutate(&texts, &mut Rng::new(seed));
            assert_eq!(text, mutate(&texts, &mut Rng::new(seed)));
            assert!(text.len() <= LARGEST);
            different += usize::from(!texts.contains(&text));
        }
        assert!(different > 450, "only {different} of 500 inputs are mutated");
    }
}
