//! The lexer: one pass over the bytes of a preprocessed text.
//!
//! It only finds where tokens begin and end, interns identifiers and records line markers in the source map.
//! Literals are decoded later (`literal`), because adjacent strings must be decoded together. The text may
//! still hold comments and line continuations; other directives than line markers and pragmas are errors,
//! since they mean that the text was never preprocessed.

mod directive;
pub mod literal;
mod pack;
mod token;

pub use pack::Pack;
pub use token::{Tok, Token};

use crate::bytes::{raw_byte, starts_raw_byte};
use base::{Diagnostic, Diagnostics, Interner, SourceId, SourceMap, Span, Symbol};
use token::{Keywords, is_identifier_char};

/// All tokens of a source; the last one is `Eof`.
pub fn lex(
    source: SourceId,
    sources: &mut SourceMap,
    names: &mut Interner,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    lex_packed(source, sources, names, diagnostics).0
}

/// All tokens, and what `#pragma pack` says, by position.
pub fn lex_packed(
    source: SourceId,
    sources: &mut SourceMap,
    names: &mut Interner,
    diagnostics: &mut Diagnostics,
) -> (Vec<Token>, Vec<Pack>) {
    let text = sources.file(source).text.clone();
    let start = sources.file(source).start;
    let keywords = Keywords::new(names);
    let mut lexer = Lexer {
        text: &text,
        bytes: text.as_bytes(),
        pos: 0,
        start,
        source,
        sources,
        names,
        diagnostics,
        keywords,
        tokens: Vec::with_capacity(text.len() / 5 + 1),
        marker_file: None,
        advised: false,
        packs: pack::Packs::default(),
    };
    lexer.run();
    (lexer.tokens, lexer.packs.changes)
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    pos: usize,
    start: u32,
    source: SourceId,
    sources: &'a mut SourceMap,
    names: &'a mut Interner,
    diagnostics: &'a mut Diagnostics,
    keywords: Keywords,
    tokens: Vec<Token>,
    /// The file of the last line marker, shared by all markers that name it again.
    marker_file: Option<std::sync::Arc<str>>,
    /// Whether advice about unexpected directives was given.
    advised: bool,
    packs: pack::Packs,
}

const SPACE: u8 = 1;
const IDENT: u8 = 2;
const DIGIT: u8 = 4;

/// What a byte can be part of. Bytes above 127 are looked at as characters.
static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut b = 0;
    while b < 128 {
        let c = b as u8;
        table[b] = match c {
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => SPACE,
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => IDENT,
            _ => 0,
        };
        b += 1;
    }
    table
};

impl Lexer<'_> {
    fn run(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.pos = '\u{feff}'.len_utf8();
        }
        let mut line_start = true;
        while let Some(&b) = self.bytes.get(self.pos) {
            let class = CLASS[b as usize];
            if class == SPACE {
                self.pos += 1;
                continue;
            }
            if b == b'\n' {
                self.pos += 1;
                line_start = true;
                continue;
            }
            if class == IDENT {
                self.identifier();
            } else if class == DIGIT || (b == b'.' && self.at(self.pos + 1).is_ascii_digit()) {
                self.number();
            } else if b == b'/' && self.skip_comment() {
                continue;
            } else if b == b'\\' && self.splice_len(self.pos) > 0 {
                self.pos += self.splice_len(self.pos);
                continue;
            } else if line_start && (b == b'#' || self.bytes[self.pos..].starts_with(b"%:")) {
                self.directive();
                continue;
            } else {
                match b {
                    b'"' => self.quoted(self.pos, self.pos, Tok::Str),
                    b'\'' => self.quoted(self.pos, self.pos, Tok::Char),
                    b'\\' => self.identifier(),
                    0x80.. => self.identifier(),
                    _ => self.punctuator(b),
                }
            }
            line_start = false;
        }
        let end = self.bytes.len();
        self.push(Tok::Eof, end, end);
    }

    /// The byte at `index`, 0 behind the end.
    fn at(&self, index: usize) -> u8 {
        self.bytes.get(index).copied().unwrap_or(0)
    }

    /// Length of a backslash-newline at `index`, else 0.
    fn splice_len(&self, index: usize) -> usize {
        if self.at(index) != b'\\' {
            return 0;
        }
        match (self.at(index + 1), self.at(index + 2)) {
            (b'\n', _) => 2,
            (b'\r', b'\n') => 3,
            _ => 0,
        }
    }

    /// The first index from `index` on that is not inside a line continuation.
    fn skip_splices(&self, mut index: usize) -> usize {
        loop {
            match self.splice_len(index) {
                0 => return index,
                n => index += n,
            }
        }
    }

    fn span(&self, lo: usize, hi: usize) -> Span {
        Span::new(self.start + lo as u32, self.start + hi as u32)
    }

    fn push(&mut self, kind: Tok, lo: usize, hi: usize) {
        let (lo, hi) = (self.start + lo as u32, self.start + hi as u32);
        self.tokens.push(Token { kind, lo, hi, symbol: Symbol(0) });
    }

    fn error(&mut self, lo: usize, hi: usize, message: impl Into<String>) {
        let span = self.span(lo, hi);
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    fn identifier(&mut self) {
        let lo = self.pos;
        let mut hi = lo;
        while CLASS[self.at(hi) as usize] & (IDENT | DIGIT) != 0 {
            hi += 1;
        }
        match self.at(hi) {
            b'\\' | 0x80.. => return self.odd_identifier(lo),
            quote @ (b'"' | b'\'') if literal::is_prefix(&self.bytes[lo..hi], quote) => {
                let kind = if quote == b'"' { Tok::Str } else { Tok::Char };
                return self.quoted(lo, hi, kind);
            }
            _ => {}
        }
        self.pos = hi;
        let symbol = self.names.intern(&self.text[lo..hi]);
        self.push_name(symbol, lo, hi);
    }

    fn push_name(&mut self, symbol: Symbol, lo: usize, hi: usize) {
        let kind = self.keywords.kind(symbol);
        let (lo, hi) = (self.start + lo as u32, self.start + hi as u32);
        self.tokens.push(Token { kind, lo, hi, symbol });
    }

    /// An identifier with characters beyond ASCII, universal character names or line continuations.
    #[cold]
    fn odd_identifier(&mut self, lo: usize) {
        let mut name = String::new();
        let mut hi = lo;
        loop {
            hi = self.skip_splices(hi);
            let Some(c) = self.text[hi..].chars().next() else { break };
            if is_identifier_char(c) && !(name.is_empty() && c.is_ascii_digit()) {
                name.push(c);
                hi += c.len_utf8();
            } else if c == '\\'
                && let Some((c, len)) = literal::universal_character(&self.bytes[hi..])
                && is_identifier_char(c)
            {
                name.push(c);
                hi += len;
            } else {
                break;
            }
        }
        if name.is_empty() {
            return self.stray();
        }
        self.pos = hi;
        let symbol = self.names.intern(&name);
        self.push_name(symbol, lo, hi);
    }

    /// A preprocessing number; whether it is a constant is decided when it is decoded.
    fn number(&mut self) {
        let lo = self.pos;
        let mut hi = lo;
        loop {
            let b = self.at(hi);
            if CLASS[b as usize] & (IDENT | DIGIT) != 0 || b == b'.' {
                hi += 1;
                if matches!(b, b'e' | b'E' | b'p' | b'P') && matches!(self.at(hi), b'+' | b'-') {
                    hi += 1;
                }
            } else if b == b'\\' && self.splice_len(hi) > 0 {
                hi = self.skip_splices(hi);
            } else {
                break;
            }
        }
        self.pos = hi;
        self.push(Tok::Number, lo, hi);
    }

    /// A string or character constant whose prefix starts at `lo` and whose quote is at `quote`.
    fn quoted(&mut self, lo: usize, quote: usize, kind: Tok) {
        let mark = self.bytes[quote];
        if quote > lo && self.bytes[quote - 1] == b'R' {
            return self.raw_string(lo, quote);
        }
        let mut hi = quote + 1;
        loop {
            match self.at(hi) {
                b if b == mark => {
                    self.pos = hi + 1;
                    return self.push(kind, lo, hi + 1);
                }
                b'\\' if self.splice_len(hi) > 0 => hi = self.skip_splices(hi),
                b'\\' if hi + 1 < self.bytes.len() => hi = self.skip_splices(hi + 1) + 1,
                b'\n' => break,
                0 if hi >= self.bytes.len() => break,
                _ => hi += 1,
            }
        }
        hi = hi.min(self.bytes.len());
        self.error(quote, quote + 1, format!("missing terminating {} character", mark as char));
        self.pos = hi;
        self.push(kind, lo, hi);
    }

    /// GNU `R"delimiter(...)delimiter"`.
    fn raw_string(&mut self, lo: usize, quote: usize) {
        let rest = &self.text[quote + 1..];
        let end = rest.find('(').filter(|&n| n <= 16).and_then(|open| {
            let close = format!("){}\"", &rest[..open]);
            rest[open..].find(&close).map(|n| quote + 1 + open + n + close.len())
        });
        match end {
            Some(hi) => {
                self.pos = hi;
                self.push(Tok::Str, lo, hi);
            }
            None => {
                self.error(lo, quote + 1, "unterminated raw string");
                self.pos = self.bytes.len();
            }
        }
    }

    /// Skips a comment; false if `/` starts none.
    fn skip_comment(&mut self) -> bool {
        let next = self.skip_splices(self.pos + 1);
        match self.at(next) {
            b'*' => {
                let body = next + 1;
                match self.text[body..].find("*/") {
                    Some(len) => self.pos = body + len + 2,
                    None => {
                        self.error(self.pos, next + 1, "unterminated comment");
                        self.pos = self.bytes.len();
                    }
                }
                true
            }
            b'/' => {
                self.pos = self.line_end(next);
                true
            }
            _ => false,
        }
    }

    /// The newline (or end of text) that ends the logical line around `index`.
    fn line_end(&self, mut index: usize) -> usize {
        while index < self.bytes.len() && self.bytes[index] != b'\n' {
            index += self.splice_len(index).max(1);
        }
        index.min(self.bytes.len())
    }

    fn punctuator(&mut self, b: u8) {
        let lo = self.pos;
        let second = self.skip_splices(lo + 1);
        let c = self.at(second);
        let third = || self.skip_splices(second + 1);
        // The kind and the index of its last byte.
        let (kind, last) = match (b, c) {
            (b'(', _) => (Tok::LParen, lo),
            (b')', _) => (Tok::RParen, lo),
            (b'{', _) => (Tok::LBrace, lo),
            (b'}', _) => (Tok::RBrace, lo),
            (b'[', _) => (Tok::LBracket, lo),
            (b']', _) => (Tok::RBracket, lo),
            (b';', _) => (Tok::Semi, lo),
            (b',', _) => (Tok::Comma, lo),
            (b'?', _) => (Tok::Question, lo),
            (b'~', _) => (Tok::Tilde, lo),
            (b':', b'>') => (Tok::RBracket, second),
            (b':', _) => (Tok::Colon, lo),
            (b'.', b'.') if self.at(third()) == b'.' => (Tok::Ellipsis, third()),
            (b'.', _) => (Tok::Dot, lo),
            (b'+', b'+') => (Tok::PlusPlus, second),
            (b'+', b'=') => (Tok::PlusAssign, second),
            (b'+', _) => (Tok::Plus, lo),
            (b'-', b'-') => (Tok::MinusMinus, second),
            (b'-', b'=') => (Tok::MinusAssign, second),
            (b'-', b'>') => (Tok::Arrow, second),
            (b'-', _) => (Tok::Minus, lo),
            (b'*', b'=') => (Tok::StarAssign, second),
            (b'*', _) => (Tok::Star, lo),
            (b'/', b'=') => (Tok::SlashAssign, second),
            (b'/', _) => (Tok::Slash, lo),
            (b'%', b'=') => (Tok::PercentAssign, second),
            (b'%', b'>') => (Tok::RBrace, second),
            (b'%', _) => (Tok::Percent, lo),
            (b'&', b'&') => (Tok::AndAnd, second),
            (b'&', b'=') => (Tok::AmpAssign, second),
            (b'&', _) => (Tok::Amp, lo),
            (b'|', b'|') => (Tok::OrOr, second),
            (b'|', b'=') => (Tok::PipeAssign, second),
            (b'|', _) => (Tok::Pipe, lo),
            (b'^', b'=') => (Tok::CaretAssign, second),
            (b'^', _) => (Tok::Caret, lo),
            (b'!', b'=') => (Tok::BangEq, second),
            (b'!', _) => (Tok::Bang, lo),
            (b'=', b'=') => (Tok::EqEq, second),
            (b'=', _) => (Tok::Assign, lo),
            (b'<', b'<') if self.at(third()) == b'=' => (Tok::ShlAssign, third()),
            (b'<', b'<') => (Tok::Shl, second),
            (b'<', b'=') => (Tok::Le, second),
            (b'<', b':') => (Tok::LBracket, second),
            (b'<', b'%') => (Tok::LBrace, second),
            (b'<', _) => (Tok::Lt, lo),
            (b'>', b'>') if self.at(third()) == b'=' => (Tok::ShrAssign, third()),
            (b'>', b'>') => (Tok::Shr, second),
            (b'>', b'=') => (Tok::Ge, second),
            (b'>', _) => (Tok::Gt, lo),
            _ => return self.stray(),
        };
        self.pos = last + 1;
        self.push(kind, lo, last + 1);
        if kind == Tok::RParen {
            self.drop_pragma_operator();
        }
    }

    /// `_Pragma("...")` may stand anywhere and means nothing here.
    fn drop_pragma_operator(&mut self) {
        let n = self.tokens.len();
        if n >= 4 && self.tokens[n - 4].kind == Tok::Pragma && self.tokens[n - 2].kind == Tok::Str {
            self.tokens.truncate(n - 4);
        }
    }

    /// Reports a run of characters that can start no token.
    #[cold]
    fn stray(&mut self) {
        let lo = self.pos;
        let Some(c) = self.text[lo..].chars().next() else { return };
        let hi = lo + c.len_utf8();
        self.pos = hi;
        while self.text[self.pos..].starts_with(c) {
            self.pos += c.len_utf8();
        }
        let message = match raw_byte(c) {
            Some(byte) => format!("invalid UTF-8: stray byte 0x{byte:02x}"),
            None if c.is_control() => format!("stray character U+{:04X}", c as u32),
            None => format!("stray '{c}' in program"),
        };
        self.error(lo, hi, message);
        // One message for a word in another encoding, not one for each of its letters.
        while raw_byte(c).is_some() && starts_raw_byte(self.text, self.pos) {
            self.pos += c.len_utf8();
        }
    }
}

#[cfg(test)]
mod tests;
