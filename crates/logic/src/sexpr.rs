//! S-expressions with positions, as SMT-LIB writes them.
//!
//! All expressions of a text are one flat list in the order of the text, each with the end of what it
//! encloses: nesting of any depth needs no recursion, neither to read nor to drop.

use crate::print::unescape;
use dashu_int::IBig;
use std::fmt;

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    pub position: Position,
    pub message: String,
}

/// Line and column, both from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// The expressions of a text.
#[derive(Clone, Debug, Default)]
pub struct Sexprs {
    nodes: Vec<Node>,
}

/// One expression: an atom, or a list.
#[derive(Clone, Copy)]
pub struct Sexpr<'a> {
    nodes: &'a [Node],
    at: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Atom {
    /// Also what is written between bars.
    Symbol(String),
    /// A reserved word, without bars: `let`, `_` and so on.
    Word(String),
    /// With the colon.
    Keyword(String),
    Numeral(IBig),
    /// As written.
    Decimal(String),
    Bits {
        bits: u128,
        width: u32,
    },
    Text(String),
}

#[derive(Clone, Debug)]
struct Node {
    /// None for a list.
    atom: Option<Atom>,
    position: Position,
    /// Where the next expression of the enclosing list is.
    end: usize,
}

/// Reads all expressions of a text.
pub fn parse_sexprs(text: &str) -> Result<Sexprs, ParseError> {
    let mut reader = Reader { rest: text, position: Position { line: 1, column: 1 } };
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    loop {
        reader.skip();
        let position = reader.position;
        match reader.rest.chars().next() {
            None => break,
            Some('(') => {
                reader.take(1);
                open.push(nodes.len());
                nodes.push(Node { atom: None, position, end: 0 });
            }
            Some(')') => {
                reader.take(1);
                let Some(list) = open.pop() else { return Err(position.error("')' without '('")) };
                nodes[list].end = nodes.len();
            }
            Some(_) => {
                let atom = Some(reader.atom()?);
                let end = nodes.len() + 1;
                nodes.push(Node { atom, position, end });
            }
        }
    }
    match open.last() {
        Some(&list) => Err(nodes[list].position.error("'(' is never closed")),
        None => Ok(Sexprs { nodes }),
    }
}

impl Sexprs {
    /// The outermost expressions.
    pub fn iter(&self) -> impl Iterator<Item = Sexpr<'_>> {
        siblings(&self.nodes, 0, self.nodes.len())
    }
}

impl<'a> Sexpr<'a> {
    pub fn position(self) -> Position {
        self.node().position
    }

    /// None for a list.
    pub fn atom(self) -> Option<&'a Atom> {
        self.node().atom.as_ref()
    }

    /// The elements of a list; None for an atom.
    pub fn items(self) -> Option<Vec<Sexpr<'a>>> {
        let node = self.node();
        node.atom.is_none().then(|| siblings(self.nodes, self.at + 1, node.end).collect())
    }

    pub fn symbol(self) -> Option<&'a str> {
        match self.atom() {
            Some(Atom::Symbol(name)) => Some(name),
            _ => None,
        }
    }

    pub fn is_word(self, word: &str) -> bool {
        matches!(self.atom(), Some(Atom::Word(w)) if w == word)
    }

    /// All symbols in it, at any depth.
    pub(crate) fn symbols(self) -> impl Iterator<Item = &'a str> {
        self.nodes[self.at..self.node().end].iter().filter_map(|n| match &n.atom {
            Some(Atom::Symbol(name)) => Some(name.as_str()),
            _ => None,
        })
    }

    pub fn error(self, message: impl Into<String>) -> ParseError {
        self.position().error(message)
    }

    fn node(self) -> &'a Node {
        &self.nodes[self.at]
    }
}

impl Position {
    pub(crate) fn error(self, message: impl Into<String>) -> ParseError {
        ParseError { position: self, message: message.into() }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.position, self.message)
    }
}

impl std::error::Error for ParseError {}

fn siblings(nodes: &[Node], first: usize, end: usize) -> impl Iterator<Item = Sexpr<'_>> {
    let mut at = first;
    std::iter::from_fn(move || {
        let current = (at < end).then_some(Sexpr { nodes, at })?;
        at = current.node().end;
        Some(current)
    })
}

struct Reader<'t> {
    rest: &'t str,
    position: Position,
}

impl<'t> Reader<'t> {
    /// Takes bytes, which must end between characters.
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        for c in taken.chars() {
            if c == '\n' {
                self.position = Position { line: self.position.line.saturating_add(1), column: 1 };
            } else {
                self.position.column = self.position.column.saturating_add(1);
            }
        }
        self.rest = rest;
        taken
    }

    fn skip(&mut self) {
        loop {
            let blank = self.rest.find(|c: char| !c.is_whitespace()).unwrap_or(self.rest.len());
            self.take(blank);
            if !self.rest.starts_with(';') {
                return;
            }
            let comment = self.rest.find('\n').unwrap_or(self.rest.len());
            self.take(comment);
        }
    }

    fn atom(&mut self) -> Result<Atom, ParseError> {
        let start = self.position;
        if self.rest.starts_with('|') {
            self.take(1);
            let Some(end) = self.rest.find('|') else { return Err(start.error("'|' is never closed")) };
            let name = self.take(end);
            self.take(1);
            return Ok(Atom::Symbol(unescape(name).into_owned()));
        }
        if self.rest.starts_with('"') {
            return self.text(start);
        }
        let end =
            self.rest.find(|c: char| c.is_whitespace() || "()|\";".contains(c)).unwrap_or(self.rest.len());
        let word = self.take(end);
        if let Some(digits) = word.strip_prefix("#x") {
            return bits(digits, 16, 4)
                .ok_or_else(|| start.error(format!("'{word}' is not a bit-vector of up to 128 bits")));
        }
        if let Some(digits) = word.strip_prefix("#b") {
            return bits(digits, 2, 1)
                .ok_or_else(|| start.error(format!("'{word}' is not a bit-vector of up to 128 bits")));
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return number(word).ok_or_else(|| start.error(format!("'{word}' is not a number")));
        }
        if let Some(c) = word.chars().find(|&c| !simple(c)) {
            return Err(start.error(format!("'{c}' cannot be in a symbol without bars")));
        }
        Ok(if word.starts_with(':') {
            Atom::Keyword(word.to_owned())
        } else if WORDS.contains(&word) {
            Atom::Word(word.to_owned())
        } else {
            Atom::Symbol(unescape(word).into_owned())
        })
    }

    /// A quote is written twice inside a text.
    fn text(&mut self, start: Position) -> Result<Atom, ParseError> {
        let mut out = String::new();
        self.take(1);
        loop {
            let Some(end) = self.rest.find('"') else { return Err(start.error("'\"' is never closed")) };
            out.push_str(self.take(end));
            self.take(1);
            if !self.rest.starts_with('"') {
                return Ok(Atom::Text(out));
            }
            out.push_str(self.take(1));
        }
    }
}

const WORDS: [&str; 8] = ["_", "!", "as", "let", "exists", "forall", "match", "par"];

fn simple(c: char) -> bool {
    c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/:'#".contains(c) || !c.is_ascii()
}

fn bits(digits: &str, radix: u32, bits_per_digit: u32) -> Option<Atom> {
    let width = u32::try_from(digits.len()).ok()?.checked_mul(bits_per_digit)?;
    if !(1..=128).contains(&width) || digits.starts_with('+') {
        return None;
    }
    Some(Atom::Bits { bits: u128::from_str_radix(digits, radix).ok()?, width })
}

fn number(word: &str) -> Option<Atom> {
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    match word.split_once('.') {
        Some((whole, fraction)) => {
            (digits(whole) && digits(fraction)).then(|| Atom::Decimal(word.to_owned()))
        }
        None if digits(word) => word.parse().ok().map(Atom::Numeral),
        None => None,
    }
}
