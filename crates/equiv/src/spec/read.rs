//! Reads conditions in SMT-LIB syntax.
//!
//! A tokenizer and a recursive descent over brackets, with the scopes of `let` and quantifiers. Nesting is
//! bounded, so that no input overflows the stack. Every name of a program variable is kept with its place:
//! names are checked later, when the programs are known.

use super::error::{Origin, SpecError};
use super::smt::{SpecOp, SpecSort, SpecTerm};
use super::{Name, Side};
use logic::IBig;
use std::sync::Arc;

/// How deeply terms may nest.
const MAX_DEPTH: u32 = 300;

/// Which words without a version (`x` instead of `x$1`) are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FreeWords {
    Refused,
    /// In assumptions about functions: `res1`, `res2` and parameters.
    Allowed,
}

/// A term, and where in the text it mentions which variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    pub term: SpecTerm,
    pub names: Vec<(Name, usize, usize)>,
    /// The bytes of the text it was read from.
    pub range: (usize, usize),
}

/// Reads the terms in bytes `lo..hi` of a text, at least one.
pub fn read_terms(origin: &Origin, lo: usize, hi: usize, words: FreeWords) -> Result<Vec<Read>, SpecError> {
    let mut reader = Reader::new(origin, lo, hi, words);
    let mut terms = Vec::new();
    loop {
        let (start, end, token) = reader.next()?;
        if matches!(token, Token::End) {
            break;
        }
        reader.names.clear();
        let term = reader.term(start, end, token, 0)?;
        let range = (start, reader.last_end);
        terms.push(Read { term, names: std::mem::take(&mut reader.names), range });
    }
    if terms.is_empty() {
        return Err(origin.error(lo, lo, "expected a condition").note("write a term such as (= x$1 x$2)"));
    }
    Ok(terms)
}

/// What a word with a version means: `x$1`, `result$2`, `HEAP$1`; None for a word without one. What the
/// compiler under llreve appends to a name (`n$1_0__1`) means nothing here.
pub fn name_with_version(word: &str) -> Option<Name> {
    let (name, rest) = word.split_once('$')?;
    let side = match rest.as_bytes().first()? {
        b'1' => Side::Old,
        b'2' => Side::New,
        _ => return None,
    };
    let suffix = &rest[1..];
    let plain = suffix.is_empty()
        || suffix.starts_with('_') && suffix.bytes().all(|b| b == b'_' || b.is_ascii_digit());
    if name.is_empty() || !plain {
        return None;
    }
    Some(match name {
        "result" => Name::Result(side),
        "HEAP" => Name::Heap(side),
        _ => Name::Var(side, name.into()),
    })
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'t> {
    Open,
    Close,
    /// Everything else: symbols and literals.
    Word(&'t str),
    End,
}

struct Reader<'t> {
    origin: &'t Origin,
    at: usize,
    hi: usize,
    words: FreeWords,
    /// Variables of the terms around, innermost last.
    scope: Vec<Arc<str>>,
    names: Vec<(Name, usize, usize)>,
    last_end: usize,
}

impl<'t> Reader<'t> {
    fn new(origin: &'t Origin, lo: usize, hi: usize, words: FreeWords) -> Reader<'t> {
        Reader { origin, at: lo, hi, words, scope: Vec::new(), names: Vec::new(), last_end: lo }
    }

    fn next(&mut self) -> Result<(usize, usize, Token<'t>), SpecError> {
        let text = &self.origin.text[..self.hi];
        let bytes = text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b) if b.is_ascii_whitespace() => self.at += 1,
                Some(b';') => self.at = text[self.at..].find('\n').map_or(self.hi, |n| self.at + n),
                _ => break,
            }
        }
        let lo = self.at;
        let Some(&b) = bytes.get(lo) else { return Ok((lo, lo, Token::End)) };
        let (hi, token) = match b {
            b'(' => (lo + 1, Token::Open),
            b')' => (lo + 1, Token::Close),
            b'|' => match text[lo + 1..].find('|') {
                Some(n) => (lo + n + 2, Token::Word(&text[lo + 1..lo + 1 + n])),
                None => return Err(self.origin.error(lo, lo + 1, "missing the closing '|'")),
            },
            _ => {
                let stop = |c: char| c.is_ascii_whitespace() || matches!(c, '(' | ')' | ';' | '|' | '"');
                let n = text[lo..].find(stop).unwrap_or(self.hi - lo);
                if n == 0 {
                    return Err(self.origin.error(lo, lo + 1, "strings have no meaning in a condition"));
                }
                (lo + n, Token::Word(&text[lo..lo + n]))
            }
        };
        self.at = hi;
        self.last_end = hi;
        Ok((lo, hi, token))
    }

    fn expected(&self, lo: usize, hi: usize, what: &str) -> SpecError {
        let found = match &self.origin.text[lo..hi] {
            "" => "the end of the annotation".to_owned(),
            text => format!("'{text}'"),
        };
        self.origin.error(lo, hi, format!("expected {what}, not {found}"))
    }

    fn open(&mut self, what: &str) -> Result<(), SpecError> {
        match self.next()? {
            (_, _, Token::Open) => Ok(()),
            (lo, hi, _) => Err(self.expected(lo, hi, &format!("'(' before {what}"))),
        }
    }

    fn close(&mut self, what: &str) -> Result<(), SpecError> {
        match self.next()? {
            (_, _, Token::Close) => Ok(()),
            (lo, hi, _) => Err(self.expected(lo, hi, &format!("')' after {what}"))),
        }
    }

    fn word(&mut self, what: &str) -> Result<(usize, usize, &'t str), SpecError> {
        match self.next()? {
            (lo, hi, Token::Word(word)) => Ok((lo, hi, word)),
            (lo, hi, _) => Err(self.expected(lo, hi, what)),
        }
    }

    fn number(&mut self, what: &str) -> Result<u32, SpecError> {
        let (lo, hi, word) = self.word(what)?;
        word.parse().map_err(|_| self.expected(lo, hi, what))
    }

    /// The term that begins with a token that was already taken.
    fn term(&mut self, lo: usize, hi: usize, token: Token<'t>, depth: u32) -> Result<SpecTerm, SpecError> {
        if depth > MAX_DEPTH {
            return Err(self.origin.error(
                lo,
                hi,
                format!("the condition nests more than {MAX_DEPTH} levels deep"),
            ));
        }
        match token {
            Token::Word(word) => self.atom(lo, hi, word),
            Token::Open => self.compound(lo, depth),
            Token::Close | Token::End => Err(self.expected(lo, hi, "a term")),
        }
    }

    fn next_term(&mut self, depth: u32) -> Result<SpecTerm, SpecError> {
        let (lo, hi, token) = self.next()?;
        self.term(lo, hi, token, depth + 1)
    }

    fn atom(&mut self, lo: usize, hi: usize, word: &str) -> Result<SpecTerm, SpecError> {
        if self.scope.iter().any(|name| **name == *word) {
            return Ok(SpecTerm::Local(word.into()));
        }
        let error = |message: String| self.origin.error(lo, hi, message);
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return match word.bytes().all(|b| b.is_ascii_digit()) {
                true => Ok(SpecTerm::Int(
                    IBig::from_str_radix(word, 10).map_err(|_| error(format!("'{word}' is not a number")))?,
                )),
                false => Err(error(format!("'{word}' is not a whole number"))),
            };
        }
        for (prefix, radix, bits) in [("#x", 16, 4), ("#b", 2, 1)] {
            if let Some(digits) = word.strip_prefix(prefix) {
                let width = digits.len() as u32 * bits;
                return match u128::from_str_radix(digits, radix) {
                    Ok(value) if width <= 128 && !digits.starts_with('+') => {
                        Ok(SpecTerm::Bits { value, width })
                    }
                    _ => Err(error(format!("'{word}' is not a bit-vector of at most 128 bits"))),
                };
            }
        }
        match word {
            "true" => return Ok(SpecTerm::Bool(true)),
            "false" => return Ok(SpecTerm::Bool(false)),
            _ => {}
        }
        let name = match name_with_version(word) {
            Some(name) => name,
            None if self.words == FreeWords::Allowed && !word.contains('$') => Name::Word(word.into()),
            None => {
                let unknown = error(format!("unknown name '{word}'"));
                return Err(unknown.note(match SpecOp::by_name(word) {
                    Some(_) => format!("an operator stands first in brackets: ({word} ...)"),
                    None => {
                        let bare = word.split('$').next().unwrap_or(word);
                        format!("write {bare}$1 for the old version's, {bare}$2 for the new one's")
                    }
                }));
            }
        };
        self.names.push((name.clone(), lo, hi));
        Ok(SpecTerm::Name(name))
    }

    /// After an opening bracket.
    fn compound(&mut self, open: usize, depth: u32) -> Result<SpecTerm, SpecError> {
        let (lo, hi, token) = self.next()?;
        let word = match token {
            Token::Word(word) => word,
            // ((_ extract 7 0) x)
            Token::Open => {
                let op = self.indexed_operator()?;
                let arg = self.next_term(depth)?;
                self.close("the argument")?;
                return Ok(SpecTerm::apply(op, [arg]));
            }
            Token::Close | Token::End => return Err(self.expected(lo, hi, "an operator after '('")),
        };
        match word {
            "_" => self.indexed_constant(lo),
            "let" => self.let_term(depth),
            "forall" | "exists" => self.quantifier(word == "forall", depth),
            "!" => {
                let term = self.next_term(depth)?;
                self.skip_attributes()?;
                Ok(term)
            }
            "select" => {
                let args = self.arguments(open, depth)?;
                match <[SpecTerm; 2]>::try_from(args) {
                    Ok([heap, address]) => Ok(SpecTerm::Select(heap.into(), address.into())),
                    Err(args) => Err(self.count(open, word, args.len(), 2, 2)),
                }
            }
            _ => match SpecOp::by_name(word) {
                Some((op, least, most)) => {
                    let args = self.arguments(open, depth)?;
                    if args.len() < least || args.len() > most {
                        return Err(self.count(open, word, args.len(), least, most));
                    }
                    Ok(combine(op, args))
                }
                None => {
                    let error = self.origin.error(lo, hi, format!("unknown operator '{word}'"));
                    Err(match name_with_version(word) {
                        Some(_) => error.note(format!("a variable stands without brackets: {word}")),
                        None => error,
                    })
                }
            },
        }
    }

    fn count(&self, open: usize, word: &str, found: usize, least: usize, most: usize) -> SpecError {
        let wanted = match (least, most) {
            (least, most) if least == most => format!("{least}"),
            (least, _) => format!("at least {least}"),
        };
        let plural = if wanted.ends_with(" 1") || wanted == "1" { "" } else { "s" };
        let message = format!("'{word}' takes {wanted} argument{plural}, not {found}");
        self.origin.error(open, self.last_end, message)
    }

    fn arguments(&mut self, open: usize, depth: u32) -> Result<Vec<SpecTerm>, SpecError> {
        let mut args = Vec::new();
        loop {
            match self.next()? {
                (_, _, Token::Close) => return Ok(args),
                (lo, hi, Token::End) => {
                    let error = self.expected(lo, hi, "')'");
                    return Err(
                        error.note(format!("'(' was opened at {}", self.origin.place(open, open + 1)))
                    );
                }
                (lo, hi, token) => args.push(self.term(lo, hi, token, depth + 1)?),
            }
        }
    }

    /// After `(`, up to its bracket: `_ extract 7 0)`.
    fn indexed_operator(&mut self) -> Result<SpecOp, SpecError> {
        let (lo, hi, word) = self.word("'_'")?;
        if word != "_" {
            return Err(self.expected(lo, hi, "'_'"));
        }
        let (lo, hi, word) = self.word("an operator")?;
        let op = match word {
            "zero_extend" => SpecOp::ZeroExtend(self.number("a number of bits")?),
            "sign_extend" => SpecOp::SignExtend(self.number("a number of bits")?),
            "extract" => SpecOp::Extract(self.number("the highest bit")?, self.number("the lowest bit")?),
            _ => return Err(self.origin.error(lo, hi, format!("unknown operator '{word}'"))),
        };
        self.close("the operator")?;
        Ok(op)
    }

    /// After `(_`: `bv13 32)`.
    fn indexed_constant(&mut self, open: usize) -> Result<SpecTerm, SpecError> {
        let (lo, hi, word) = self.word("a constant such as bv13")?;
        let value =
            word.strip_prefix("bv").filter(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()));
        let Some(digits) = value else {
            return Err(self.expected(lo, hi, "a constant such as bv13"));
        };
        let width = self.number("the number of bits")?;
        self.close("the constant")?;
        let value = digits.parse::<u128>().ok();
        match value.filter(|v| (1..=128).contains(&width) && (width == 128 || v >> width == 0)) {
            Some(value) => Ok(SpecTerm::Bits { value, width }),
            None => {
                let message =
                    format!("{digits} is not a number of {width} bits (1 to 128 bits are supported)");
                Err(self.origin.error(open, self.last_end, message))
            }
        }
    }

    /// After `(let`.
    fn let_term(&mut self, depth: u32) -> Result<SpecTerm, SpecError> {
        self.open("the definitions of 'let'")?;
        let mut bound = Vec::new();
        loop {
            match self.next()? {
                (_, _, Token::Close) => break,
                (_, _, Token::Open) => {
                    let (_, _, name) = self.word("the name of a definition")?;
                    bound.push((Arc::<str>::from(name), self.next_term(depth)?));
                    self.close("the definition")?;
                }
                (lo, hi, _) => return Err(self.expected(lo, hi, "a definition (name term)")),
            }
        }
        let outer = self.scope.len();
        self.scope.extend(bound.iter().map(|(name, _)| name.clone()));
        let body = self.next_term(depth)?;
        self.scope.truncate(outer);
        self.close("the body of 'let'")?;
        Ok(SpecTerm::Let(bound, Box::new(body)))
    }

    /// After `(forall` or `(exists`.
    fn quantifier(&mut self, all: bool, depth: u32) -> Result<SpecTerm, SpecError> {
        self.open("the variables of a quantifier")?;
        let mut vars = Vec::new();
        loop {
            match self.next()? {
                (lo, hi, Token::Close) if vars.is_empty() => {
                    return Err(self.expected(lo, hi, "a variable (name sort)"));
                }
                (_, _, Token::Close) => break,
                (_, _, Token::Open) => {
                    let (_, _, name) = self.word("the name of a variable")?;
                    vars.push((Arc::<str>::from(name), self.sort()?));
                    self.close("the variable")?;
                }
                (lo, hi, _) => return Err(self.expected(lo, hi, "a variable (name sort)")),
            }
        }
        let outer = self.scope.len();
        self.scope.extend(vars.iter().map(|(name, _)| name.clone()));
        let body = self.next_term(depth)?;
        self.scope.truncate(outer);
        self.close("the body of the quantifier")?;
        Ok(SpecTerm::quantified(all, vars, body))
    }

    fn sort(&mut self) -> Result<SpecSort, SpecError> {
        match self.next()? {
            (_, _, Token::Word("Int")) => Ok(SpecSort::Int),
            (_, _, Token::Word("Bool")) => Ok(SpecSort::Bool),
            (_, _, Token::Open) => {
                let parts = [self.word("'_'")?, self.word("'BitVec'")?];
                if let Some((lo, hi, _)) =
                    parts.iter().zip(["_", "BitVec"]).find(|(p, w)| p.2 != *w).map(|(p, _)| *p)
                {
                    return Err(self.expected(lo, hi, "Int, Bool or (_ BitVec n)"));
                }
                let (lo, width) = (self.at, self.number("the number of bits")?);
                self.close("the sort")?;
                if !(1..=128).contains(&width) {
                    return Err(self.origin.error(lo, self.at, "bit-vectors have 1 to 128 bits"));
                }
                Ok(SpecSort::Bits(width))
            }
            (lo, hi, _) => Err(self.expected(lo, hi, "Int, Bool or (_ BitVec n)")),
        }
    }

    /// `:pattern (...)` and the like, up to the closing bracket of `(! ...)`.
    fn skip_attributes(&mut self) -> Result<(), SpecError> {
        let mut level = 0u32;
        loop {
            match self.next()? {
                (_, _, Token::Open) => level += 1,
                (_, _, Token::Close) if level == 0 => return Ok(()),
                (_, _, Token::Close) => level -= 1,
                (lo, hi, Token::End) => return Err(self.expected(lo, hi, "')'")),
                _ => {}
            }
        }
    }
}

/// Heaps that are compared become the node for it; everything else is what it says.
fn combine(op: SpecOp, args: Vec<SpecTerm>) -> SpecTerm {
    let heaps: Vec<Side> = args
        .iter()
        .filter_map(|t| match t {
            SpecTerm::Name(Name::Heap(side)) => Some(*side),
            _ => None,
        })
        .collect();
    let all_heaps = !args.is_empty() && heaps.len() == args.len();
    match op {
        SpecOp::Equal if all_heaps && heaps.contains(&Side::Old) && heaps.contains(&Side::New) => {
            SpecTerm::HeapsEqual
        }
        SpecOp::Equal if all_heaps => SpecTerm::Bool(true),
        SpecOp::Distinct if all_heaps && heaps.len() == 2 && heaps[0] != heaps[1] => {
            SpecTerm::apply(SpecOp::Not, [SpecTerm::HeapsEqual])
        }
        SpecOp::Distinct if all_heaps => SpecTerm::Bool(false),
        SpecOp::And => SpecTerm::and(args),
        SpecOp::Sub if args.len() == 1 && matches!(args[0], SpecTerm::Int(_)) => {
            match args.into_iter().next() {
                Some(SpecTerm::Int(value)) => SpecTerm::Int(-value),
                _ => SpecTerm::Bool(false),
            }
        }
        _ => SpecTerm::Apply(op, args),
    }
}
