//! From the text of a literal to its value.
//!
//! Line continuations are removed first, then everything works on characters; characters that stand for bytes
//! which are not UTF-8 (see `bytes`) become these bytes again.

use crate::ast::{CharKind, ExprKind, FloatSuffix, IntSuffix};
use crate::bytes::raw_byte;
use std::borrow::Cow;

/// Something wrong with a literal. `fatal` problems are errors, others warnings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub message: String,
    pub fatal: bool,
}

fn error<T>(message: impl Into<String>) -> Result<T, Problem> {
    Err(Problem { message: message.into(), fatal: true })
}

/// Whether `prefix` may stand directly before a quote.
pub(super) fn is_prefix(prefix: &[u8], quote: u8) -> bool {
    match prefix {
        b"L" | b"u" | b"U" | b"u8" => true,
        b"R" | b"LR" | b"uR" | b"UR" | b"u8R" => quote == b'"',
        _ => false,
    }
}

/// `\uXXXX` or `\UXXXXXXXX` at the start of `bytes`: the character and the length of its text.
pub(super) fn universal_character(bytes: &[u8]) -> Option<(char, usize)> {
    let digits = match bytes.get(..2)? {
        b"\\u" => 4,
        b"\\U" => 8,
        _ => return None,
    };
    let text = std::str::from_utf8(bytes.get(2..2 + digits)?).ok()?;
    if !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    Some((char::from_u32(u32::from_str_radix(text, 16).ok()?)?, 2 + digits))
}

fn without_splices(text: &str) -> Cow<'_, str> {
    if text.contains("\\\n") || text.contains("\\\r\n") {
        Cow::Owned(text.replace("\\\r\n", "").replace("\\\n", ""))
    } else {
        Cow::Borrowed(text)
    }
}

/// The value of a preprocessing number.
pub fn number(text: &str) -> Result<ExprKind, Problem> {
    // Nearly all constants are short and plain.
    if text.len() < 19 && text.bytes().all(|b| b.is_ascii_digit()) && (!text.starts_with('0') || text == "0")
    {
        let value = text.bytes().fold(0u64, |value, b| value * 10 + u64::from(b - b'0'));
        return Ok(ExprKind::Int { value: value.into(), decimal: value != 0, suffix: IntSuffix::default() });
    }
    let text = without_splices(text);
    let lower = text.to_ascii_lowercase();
    let (radix, digits) = if let Some(rest) = lower.strip_prefix("0x") {
        (16, rest)
    } else if let Some(rest) = lower.strip_prefix("0b") {
        (2, rest)
    } else {
        (10, &*lower)
    };
    let is_float = match radix {
        16 => digits.contains(['.', 'p']),
        // `0b1e1` is no number at all, so let the integer path report it.
        2 => digits.contains('.'),
        _ => {
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            digits[end..].starts_with(['.', 'e'])
        }
    };
    if is_float { float(&text, radix) } else { integer(&text, &lower, radix) }
}

fn integer(text: &str, lower: &str, radix: u32) -> Result<ExprKind, Problem> {
    let prefix = if radix == 10 { 0 } else { 2 };
    let (mut radix, decimal) = (radix, radix == 10 && !lower.starts_with('0'));
    if radix == 10 && !decimal {
        radix = 8;
    }
    let is_digit = |c: char| if radix == 16 { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
    let body = &lower[prefix..];
    let end = body.find(|c| !is_digit(c)).unwrap_or(body.len());
    let mut value: u128 = 0;
    for c in body[..end].chars() {
        let Some(digit) = c.to_digit(radix) else {
            let kind = if radix == 2 { "binary" } else { "octal" };
            return error(format!("invalid digit '{c}' in {kind} constant"));
        };
        let Some(next) = value.checked_mul(radix.into()).and_then(|v| v.checked_add(digit.into())) else {
            return error("integer constant is too large");
        };
        value = next;
    }
    if end == 0 {
        return error(format!("invalid number '{text}'"));
    }
    match int_suffix(&text[prefix + end..]) {
        Some(suffix) => Ok(ExprKind::Int { value, decimal, suffix }),
        None => error(format!("invalid suffix '{}' on integer constant", &text[prefix + end..])),
    }
}

fn int_suffix(text: &str) -> Option<IntSuffix> {
    let mut suffix = IntSuffix::default();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let len = match c {
            'u' | 'U' if !suffix.unsigned => {
                suffix.unsigned = true;
                1
            }
            // `lL` is no suffix.
            'l' | 'L' if suffix.longs == 0 => {
                suffix.longs = if rest[1..].starts_with(c) { 2 } else { 1 };
                suffix.longs as usize
            }
            'i' | 'I' | 'j' | 'J' if !suffix.imaginary => {
                suffix.imaginary = true;
                1
            }
            _ => return None,
        };
        rest = &rest[len..];
    }
    Some(suffix)
}

fn float(text: &str, radix: u32) -> Result<ExprKind, Problem> {
    let bytes = text.as_bytes();
    let mut end = if radix == 10 { 0 } else { 2 };
    let first = end;
    let is_digit = |b: u8| if radix == 16 { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    let (mut points, mut digits) = (0, 0);
    while end < bytes.len() && (is_digit(bytes[end]) || bytes[end] == b'.') {
        points += usize::from(bytes[end] == b'.');
        digits += usize::from(bytes[end] != b'.');
        end += 1;
    }
    if points > 1 {
        return error("too many decimal points in number");
    }
    if digits == 0 || radix == 2 || end == first {
        return error(format!("invalid floating constant '{text}'"));
    }
    let mark = if radix == 16 { b'p' } else { b'e' };
    if end < bytes.len() && bytes[end].to_ascii_lowercase() == mark {
        end += 1;
        if end < bytes.len() && matches!(bytes[end], b'+' | b'-') {
            end += 1;
        }
        let exponent = end;
        while end < bytes.len() && bytes[end].is_ascii_digit() {
            end += 1;
        }
        if end == exponent {
            return error("exponent has no digits");
        }
    } else if radix == 16 {
        return error("hexadecimal floating constants require an exponent");
    }
    match float_suffix(&text[end..]) {
        Some((suffix, imaginary)) => Ok(ExprKind::Float { text: text[..end].into(), suffix, imaginary }),
        None => error(format!("invalid suffix '{}' on floating constant", &text[end..])),
    }
}

fn float_suffix(text: &str) -> Option<(FloatSuffix, bool)> {
    let lower = text.to_ascii_lowercase();
    let trimmed = lower.trim_matches(['i', 'j']);
    let suffix = match trimmed {
        "" | "f64" | "f32x" => FloatSuffix::None,
        "f" | "f32" => FloatSuffix::F,
        "l" | "w" | "f64x" => FloatSuffix::L,
        "q" | "f128" => FloatSuffix::Q,
        _ => return None,
    };
    match lower.len() - trimmed.len() {
        0 => Some((suffix, false)),
        1 => Some((suffix, true)),
        _ => None,
    }
}

/// Splits off prefix and quotes: kind, whether raw, body.
fn open(text: &str) -> (CharKind, bool, &str) {
    let at = text.find(['"', '\'']).unwrap_or(0);
    let prefix = &text[..at];
    let raw = prefix.ends_with('R');
    let kind = match prefix.trim_end_matches('R') {
        "L" => CharKind::Wide,
        "u8" => CharKind::Utf8,
        "u" => CharKind::Utf16,
        "U" => CharKind::Utf32,
        _ => CharKind::Plain,
    };
    let quote = &text[at..(at + 1).min(text.len())];
    let body = text.get(at + 1..).unwrap_or("");
    // An unterminated literal, reported by the lexer, has no closing quote.
    let body = if raw { raw_body(body) } else { body.strip_suffix(quote).unwrap_or(body) };
    (kind, raw, body)
}

fn raw_body(body: &str) -> &str {
    let delimiter = body.find('(').unwrap_or(0);
    let end = body.len().saturating_sub(delimiter + 2);
    body.get(delimiter + 1..end).unwrap_or("")
}

/// Joins adjacent string literals. A problem comes with the number of the part that has it.
pub fn strings(parts: &[&str]) -> (Vec<u32>, CharKind, Vec<(usize, Problem)>) {
    let mut problems = Vec::new();
    let mut kind = CharKind::Plain;
    for (i, part) in parts.iter().enumerate() {
        let this = open(part).0;
        if this == CharKind::Plain || this == kind {
            continue;
        }
        if kind != CharKind::Plain {
            let message = "unsupported concatenation of string literals of different kinds".to_string();
            problems.push((i, Problem { message, fatal: true }));
        }
        kind = this;
    }
    let mut units = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let (_, raw, body) = open(part);
        if raw {
            for c in body.chars() {
                push_char(c, kind, &mut units);
            }
            continue;
        }
        let clean = without_splices(body);
        units.reserve(clean.len());
        let mut rest = &*clean;
        while !rest.is_empty() {
            if let Err(problem) = next_unit(&mut rest, kind, &mut units) {
                problems.push((i, problem));
            }
        }
    }
    (units, kind, problems)
}

/// The value of a character constant, also when there is something wrong with it.
pub fn character(text: &str) -> (i64, CharKind, Option<Problem>) {
    let (kind, _, body) = open(text);
    let clean = without_splices(body);
    let mut rest = &*clean;
    let mut units = Vec::new();
    let mut problem = None;
    while !rest.is_empty() {
        if let Err(found) = next_unit(&mut rest, kind, &mut units) {
            problem.get_or_insert(found);
        }
    }
    let warn = |message: &str| Some(Problem { message: message.to_string(), fatal: false });
    let value = match (kind, units.as_slice()) {
        (_, []) => {
            if problem.is_none() {
                problem = Some(Problem { message: "empty character constant".to_string(), fatal: true });
            }
            0
        }
        (CharKind::Plain, &[one]) => i64::from(one as u8 as i8),
        (CharKind::Plain, many) => {
            if many.len() > 4 && problem.is_none() {
                problem = warn("character constant too long for its type");
            }
            // As gcc does it: the last four, big-endian, in an int.
            let value = many.iter().fold(0u32, |value, unit| value << 8 | (unit & 0xff));
            i64::from(value as i32)
        }
        (kind, many) => {
            if many.len() > 1 && problem.is_none() {
                problem = warn("character constant too long for its type");
            }
            let last = many[many.len() - 1];
            if kind == CharKind::Wide { i64::from(last as i32) } else { i64::from(last) }
        }
    };
    (value, kind, problem)
}

/// Decodes the first character or escape of `rest`, which is not empty.
fn next_unit(rest: &mut &str, kind: CharKind, units: &mut Vec<u32>) -> Result<(), Problem> {
    let mut chars = rest.chars();
    let Some(c) = chars.next() else { return Ok(()) };
    if c != '\\' {
        *rest = chars.as_str();
        push_char(c, kind, units);
        return Ok(());
    }
    let Some(escape) = chars.next() else {
        *rest = "";
        return error("incomplete escape sequence");
    };
    let tail = chars.as_str();
    let simple = match escape {
        'a' => 7,
        'b' => 8,
        'e' | 'E' => 27,
        'f' => 12,
        'n' => 10,
        'r' => 13,
        't' => 9,
        'v' => 11,
        '\\' | '\'' | '"' | '?' => escape as u32,
        'x' => return hex_escape(rest, tail, kind, units),
        '0'..='7' => {
            let octal = &rest[1..];
            let len = octal.bytes().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
            *rest = &octal[len..];
            let value = u32::from_str_radix(&octal[..len], 8).unwrap_or(0);
            return push_unit(value.into(), kind, units, "octal escape sequence out of range");
        }
        'u' | 'U' => {
            let Some((c, len)) = universal_character(rest.as_bytes()) else {
                *rest = tail;
                return error(format!("invalid universal character name after '\\{escape}'"));
            };
            *rest = &rest[len..];
            push_char(c, kind, units);
            return Ok(());
        }
        _ => {
            *rest = tail;
            push_char(escape, kind, units);
            let message = format!("unknown escape sequence '\\{escape}'");
            return Err(Problem { message, fatal: false });
        }
    };
    *rest = tail;
    units.push(simple);
    Ok(())
}

fn hex_escape<'a>(
    rest: &mut &'a str,
    tail: &'a str,
    kind: CharKind,
    units: &mut Vec<u32>,
) -> Result<(), Problem> {
    let len = tail.bytes().take_while(u8::is_ascii_hexdigit).count();
    *rest = &tail[len..];
    if len == 0 {
        return error("'\\x' used without following hexadecimal digits");
    }
    let digits = tail[..len].trim_start_matches('0');
    // Only the low digits survive; whether there were more decides about the warning.
    let low = &digits[digits.len().saturating_sub(15)..];
    let mut value = u64::from_str_radix(low, 16).unwrap_or(0);
    if digits.len() > 15 {
        value |= 1 << 63;
    }
    push_unit(value, kind, units, "hex escape sequence out of range")
}

/// Adds the value of a numeric escape, cut to the width of the literal's elements.
fn push_unit(value: u64, kind: CharKind, units: &mut Vec<u32>, complaint: &str) -> Result<(), Problem> {
    let mask: u32 = match kind {
        CharKind::Plain | CharKind::Utf8 => 0xff,
        CharKind::Utf16 => 0xffff,
        CharKind::Wide | CharKind::Utf32 => u32::MAX,
    };
    units.push(value as u32 & mask);
    if value > mask.into() {
        return Err(Problem { message: complaint.to_string(), fatal: false });
    }
    Ok(())
}

fn push_char(c: char, kind: CharKind, units: &mut Vec<u32>) {
    if let Some(byte) = raw_byte(c) {
        return units.push(byte.into());
    }
    match kind {
        CharKind::Plain | CharKind::Utf8 => {
            units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
        }
        CharKind::Utf16 => units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&u| u32::from(u))),
        CharKind::Wide | CharKind::Utf32 => units.push(c as u32),
    }
}
