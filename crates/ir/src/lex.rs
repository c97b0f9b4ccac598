//! Tokens of the text form.

use crate::parse::ParseError;
use crate::program::Pos;
use crate::types::Type;

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Tok {
    /// A keyword or a bare name.
    Word(String),
    /// A quoted name or a text; bytes, because `\xNN` may say anything.
    Str(Vec<u8>),
    Bytes(Vec<u8>),
    /// A number as written, its sign included, and the letters right after it.
    Number(String, String),
    Pos(Pos),
    Punct(&'static str),
    End,
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub tok: Tok,
    pub at: usize,
}

/// Longest first.
const PUNCTUATION: &[&str] = &[
    "...", "->", "<<", ">>", "==", "!=", "<=", "(", ")", "[", "]", "{", "}", ",", ":", "=", "<", "+", "-",
    "*", "/", "%", "&", "|", "^", "~", "!", "@",
];

/// Words that mean something where a local variable can stand.
const RESERVED: &[&str] = &[
    "true",
    "false",
    "null",
    "not",
    "func",
    "varargs",
    "ite",
    "sqrt",
    "abs",
    "floor",
    "ceil",
    "trunc",
    "round_even",
    "round_away",
    "add_overflows",
    "sub_overflows",
    "mul_overflows",
    "valid_read",
    "valid_write",
    "freeable",
    "object_size",
    "skip",
    "assume",
    "copy",
    "fill",
    "free",
    "begin_life",
    "end_life",
    "call",
    "return",
    "halt",
    "check",
    "input",
    "uninit",
    "asm",
    "alloc",
    "param",
    "local",
    "temp",
    "nodes",
];

pub(crate) fn type_named(word: &str) -> Option<Type> {
    Some(match word {
        "bool" => Type::Bool,
        "ptr" => Type::Ptr,
        "i8" => Type::I8,
        "u8" => Type::U8,
        "i16" => Type::I16,
        "u16" => Type::U16,
        "i32" => Type::I32,
        "u32" => Type::U32,
        "i64" => Type::I64,
        "u64" => Type::U64,
        "i128" => Type::I128,
        "u128" => Type::U128,
        "f32" => Type::F32,
        "f64" => Type::F64,
        "f80" => Type::F80,
        "f128" => Type::F128,
        _ => return None,
    })
}

/// The type and the bits of a constant written as `f80#3fff8000000000000000`.
pub(crate) fn raw_constant(word: &str) -> Option<(Type, &str)> {
    let (ty, bits) = word.split_once('#')?;
    Some((type_named(ty)?, bits))
}

pub(crate) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name) || type_named(name).is_some() || raw_constant(name).is_some()
}

/// Does `name` read back as one word?
pub(crate) fn is_bare(name: &str) -> bool {
    !name.is_empty() && word_length(name) == name.len()
}

/// How many bytes at the start of `text` make a word; 0 if none do. Names of locals of other scopes are words
/// too: `.str.0`, `x#2`, `main::x`.
fn word_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let starts = |b: u8| b.is_ascii_alphabetic() || b == b'_';
    let first = match bytes.first() {
        Some(b'.') => bytes.get(1).is_some_and(|&b| starts(b)),
        Some(&b) => starts(b),
        None => false,
    };
    if !first {
        return 0;
    }
    let goes_on = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'#' | b'$');
    let mut i = 1;
    loop {
        match bytes.get(i) {
            Some(&b) if goes_on(b) => i += 1,
            Some(b':')
                if bytes.get(i + 1) == Some(&b':') && bytes.get(i + 2).is_some_and(|&b| goes_on(b)) =>
            {
                i += 3;
            }
            _ => return i,
        }
    }
}

pub(crate) fn lex(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let second = rest.as_bytes().get(1).copied();
        let digit_next = second.is_some_and(|b| b.is_ascii_digit());
        let (tok, length) = if c == '"' {
            let (bytes, length) = string(text, at, 1)?;
            (Tok::Str(bytes), length)
        } else if rest.starts_with("b\"") {
            let (bytes, length) = string(text, at, 2)?;
            (Tok::Bytes(bytes), length)
        } else if c.is_ascii_digit() || (c == '-' && digit_next) {
            number(rest)
        } else if c == '@' && digit_next {
            position(text, at)?
        } else if word_length(rest) > 0 {
            let length = word_length(rest);
            (Tok::Word(rest[..length].to_string()), length)
        } else if let Some(p) = PUNCTUATION.iter().find(|p| rest.starts_with(**p)) {
            (Tok::Punct(p), p.len())
        } else {
            return Err(ParseError::at(text, at, format!("unexpected character {c:?}")));
        };
        tokens.push(Token { tok, at });
        at += length;
    }
    tokens.push(Token { tok: Tok::End, at: text.len() });
    Ok(tokens)
}

/// A number and its suffix: `12`, `-7i32`, `1.5e-3f64`.
fn number(rest: &str) -> (Tok, usize) {
    let bytes = rest.as_bytes();
    let digits = |mut i: usize| {
        while bytes.get(i).is_some_and(u8::is_ascii_digit) {
            i += 1;
        }
        i
    };
    let mut end = digits(usize::from(bytes[0] == b'-'));
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > end + 1 {
        end = digits(end + 1);
    }
    if bytes.get(end) == Some(&b'e') {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
        if digits(end + 1 + sign) > end + 1 + sign {
            end = digits(end + 1 + sign);
        }
    }
    let suffix = word_length(&rest[end..]);
    (Tok::Number(rest[..end].to_string(), rest[end..end + suffix].to_string()), end + suffix)
}

/// `@line:column` or `@file:line:column`.
fn position(text: &str, at: usize) -> Result<(Tok, usize), ParseError> {
    let rest = &text[at + 1..];
    let length = rest.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(rest.len());
    let parts: Result<Vec<u32>, _> = rest[..length].split(':').map(str::parse).collect();
    let pos = match parts.as_deref() {
        Ok(&[line, column]) => Pos { file: 0, line, column },
        Ok(&[file, line, column]) => Pos { file, line, column },
        _ => return Err(ParseError::at(text, at, "a position is @line:column or @file:line:column")),
    };
    Ok((Tok::Pos(pos), 1 + length))
}

/// The content of the literal whose quote is the last of `prefix` bytes, and the length of the whole.
fn string(text: &str, at: usize, prefix: usize) -> Result<(Vec<u8>, usize), ParseError> {
    let mut content = Vec::new();
    let mut chars = text[at + prefix..].char_indices();
    while let Some((i, c)) = chars.next() {
        let here = at + prefix + i;
        match c {
            '"' => return Ok((content, prefix + i + 1)),
            '\n' => break,
            '\\' => match chars.next() {
                Some((_, '"')) => content.push(b'"'),
                Some((_, '\\')) => content.push(b'\\'),
                Some((_, 'n')) => content.push(b'\n'),
                Some((_, 't')) => content.push(b'\t'),
                Some((j, 'x')) => {
                    let start = at + prefix + j + 1;
                    let byte =
                        text.get(start..start + 2).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
                    let Some(byte) = byte.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
                        return Err(ParseError::at(text, here, "\\x needs two hexadecimal digits"));
                    };
                    content.push(byte);
                    chars.nth(1);
                }
                Some((j, 'u')) => {
                    let start = at + prefix + j + 1;
                    let digits = text[start..].strip_prefix('{').and_then(|t| t.split_once('}')).map(|p| p.0);
                    let c = digits.and_then(|d| u32::from_str_radix(d, 16).ok()).and_then(char::from_u32);
                    let (Some(digits), Some(c)) = (digits, c) else {
                        return Err(ParseError::at(text, here, "\\u needs a character's number in braces"));
                    };
                    content.extend(c.encode_utf8(&mut [0; 4]).bytes());
                    chars.nth(digits.len() + 1);
                }
                _ => return Err(ParseError::at(text, here, "unknown escape")),
            },
            c => content.extend(c.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    Err(ParseError::at(text, at, "this string does not end on its line"))
}
