//! A lossless C tokenizer for editing sources: the texts of all tokens, one after the other, are the file.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Ident,
    Number,
    /// Character constants and string literals, with their prefix.
    Text,
    Punct,
    Space,
    Comment,
    /// A whole preprocessor line, its newline excluded.
    Directive,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: Kind,
    pub text: String,
}

impl Token {
    pub fn new(kind: Kind, text: impl Into<String>) -> Token {
        Token { kind, text: text.into() }
    }

    pub fn is(&self, text: &str) -> bool {
        self.text == text && self.kind != Kind::Text
    }

    /// Neither space, comment nor a line marker: something that carries meaning.
    pub fn is_code(&self) -> bool {
        !matches!(self.kind, Kind::Space | Kind::Comment) && !self.is_marker()
    }

    /// `# 12 "file.c"` and `#line`: positions, not code.
    pub fn is_marker(&self) -> bool {
        self.kind == Kind::Directive && {
            let rest = self.text.trim_start_matches('#').trim_start();
            rest.starts_with("line") || rest.starts_with(|c: char| c.is_ascii_digit())
        }
    }
}

pub fn tokenize(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut line_start = true;
    while at < bytes.len() {
        let (kind, end) = scan(text, at, line_start);
        let piece = &text[at..end];
        match kind {
            Kind::Space if piece.contains('\n') => line_start = true,
            Kind::Space | Kind::Comment => {}
            _ => line_start = false,
        }
        tokens.push(Token::new(kind, piece));
        at = end;
    }
    tokens
}

pub fn text(tokens: &[Token]) -> String {
    tokens.iter().map(|t| t.text.as_str()).collect()
}

const PUNCTUATORS: [&str; 22] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=",
];

/// Kind and end of the token at `at`.
fn scan(text: &str, at: usize, line_start: bool) -> (Kind, usize) {
    let bytes = text.as_bytes();
    let rest = &bytes[at..];
    let first = rest[0];
    let run = |from: usize, ok: fn(u8) -> bool| {
        rest[from..].iter().position(|&b| !ok(b)).map_or(bytes.len(), |n| at + from + n)
    };
    if is_space(first) {
        return (Kind::Space, run(0, is_space));
    }
    if rest.starts_with(b"//") {
        return (Kind::Comment, line_end(bytes, at));
    }
    if rest.starts_with(b"/*") {
        let end = find(&rest[2..], b"*/").map_or(bytes.len(), |n| at + 2 + n + 2);
        return (Kind::Comment, end);
    }
    if first == b'#' && line_start {
        return (Kind::Directive, line_end(bytes, at));
    }
    if is_ident_start(first) {
        let end = run(0, is_ident);
        let prefix = &text[at..end];
        if matches!(prefix, "L" | "u" | "U" | "u8") && matches!(bytes.get(end), Some(b'"' | b'\'')) {
            return (Kind::Text, quoted_end(bytes, end));
        }
        return (Kind::Ident, end);
    }
    if first.is_ascii_digit() || first == b'.' && rest.get(1).is_some_and(u8::is_ascii_digit) {
        let mut end = at + 1;
        while let Some(&b) = bytes.get(end) {
            let sign = matches!(b, b'+' | b'-') && matches!(bytes[end - 1], b'e' | b'E' | b'p' | b'P');
            // In a hexadecimal integer, `e` is a digit and a sign after it is an operator.
            let hex = bytes[at..end].starts_with(b"0x") || bytes[at..end].starts_with(b"0X");
            let exponent = sign && (!hex || matches!(bytes[end - 1], b'p' | b'P'));
            if !(is_ident(b) || b == b'.' || exponent) {
                break;
            }
            end += 1;
        }
        return (Kind::Number, end);
    }
    if first == b'"' || first == b'\'' {
        return (Kind::Text, quoted_end(bytes, at));
    }
    if let Some(p) = PUNCTUATORS.iter().find(|p| rest.starts_with(p.as_bytes())) {
        return (Kind::Punct, at + p.len());
    }
    let width = text[at..].chars().next().map_or(1, char::len_utf8);
    (Kind::Punct, at + width)
}

fn is_space(b: u8) -> bool {
    b.is_ascii_whitespace() || b == 0x0b
}

fn is_ident_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b == b'$'
}

fn is_ident(b: u8) -> bool {
    is_ident_start(b) || b.is_ascii_digit()
}

/// The end of the line, following backslashes and block comments that span lines.
fn line_end(bytes: &[u8], at: usize) -> usize {
    let mut i = at;
    while i < bytes.len() {
        match bytes[i] {
            b'\\' if bytes.get(i + 1) == Some(&b'\n') => i += 2,
            b'\\' if bytes[i + 1..].starts_with(b"\r\n") => i += 3,
            b'/' if i > at && bytes.get(i + 1) == Some(&b'*') && bytes[at] == b'#' => {
                i = find(&bytes[i + 2..], b"*/").map_or(bytes.len(), |n| i + 2 + n + 2);
            }
            b'\n' => return i,
            _ => i += 1,
        }
    }
    bytes.len()
}

fn quoted_end(bytes: &[u8], quote: usize) -> usize {
    let mut i = quote + 1;
    while i < bytes.len() {
        match bytes[i] {
            b'\\' => i += 2,
            b'\n' => return i,
            b if b == bytes[quote] => return i + 1,
            _ => i += 1,
        }
    }
    bytes.len()
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|w| w == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[(Kind, &str)]) {
        let tokens = tokenize(source);
        let found: Vec<_> =
            tokens.iter().filter(|t| t.kind != Kind::Space).map(|t| (t.kind, t.text.as_str())).collect();
        assert_eq!(found, expected);
        assert_eq!(text(&tokens), source);
    }

    #[test]
    fn tokens() {
        use Kind::*;
        check(
            "a->b >>= 0x1eL+.5e-3;",
            &[
                (Ident, "a"),
                (Punct, "->"),
                (Ident, "b"),
                (Punct, ">>="),
                (Number, "0x1eL"),
                (Punct, "+"),
                (Number, ".5e-3"),
                (Punct, ";"),
            ],
        );
        check(
            "L\"a\\\"b\" 'x' /* c\n*/ // d\\\ne\nf",
            &[
                (Text, "L\"a\\\"b\""),
                (Text, "'x'"),
                (Comment, "/* c\n*/"),
                (Comment, "// d\\\ne"),
                (Ident, "f"),
            ],
        );
        check(
            "#define A \\\n 1 /* x\n y */ + 2\n  # 3 \"f\"\nx # y",
            &[
                (Directive, "#define A \\\n 1 /* x\n y */ + 2"),
                (Directive, "# 3 \"f\""),
                (Ident, "x"),
                (Punct, "#"),
                (Ident, "y"),
            ],
        );
        check("\"open\nnext 'é' é", &[(Text, "\"open"), (Ident, "next"), (Text, "'é'"), (Punct, "é")]);
    }

    #[test]
    fn markers_are_not_code() {
        for (line, marker) in [("# 1 \"a.c\"", true), ("#line 3", true), ("#define x", false)] {
            assert_eq!(tokenize(line)[0].is_marker(), marker, "{line}");
        }
    }
}
