//! The parser: recursive descent, with precedence climbing for binary operators.
//!
//! A function that cannot go on reports why and returns `Failed`; lists (items of a file or block, members,
//! initialisers) catch that, skip to a place where the next element can start, and continue. So every problem
//! of a file is reported, and nothing twice.
//!
//! Recursion is bounded in three ways, since whoever walks or drops the tree recurses too: [`MAX_DEPTH`]
//! nested constructs; [`MAX_CHAIN`] links of `else if` and of labels on one path, which are parsed by loops;
//! and the height of an expression, where chains such as `a + b + c` grow upwards, is at most [`MAX_CHAIN`]
//! as well. After such an error the rest of the file is not parsed.
//!
//! Walking a tree of that height needs more than a default stack: run the front end in a thread with a large
//! one.

mod asm;
mod attributes;
mod declarations;
mod declarators;
mod expressions;
mod initializers;
mod items;
mod operands;
mod records;
mod recover;
mod scope;
mod specifiers;
mod statements;

use crate::ast::{Ident, TranslationUnit};
use crate::lex::{Pack, Tok, Token, lex_packed};
use base::{Diagnostic, Diagnostics, Interner, SourceId, SourceMap, Span, Symbol};
use scope::Scopes;

/// How deeply constructs may nest.
pub const MAX_DEPTH: u32 = 4000;
/// How long a chain of operators, `else if`s or labels may be.
pub const MAX_CHAIN: u32 = 20_000;

/// Parses one source. Problems go to `diagnostics`; the tree is complete where there are none.
pub fn parse(
    source: SourceId,
    sources: &mut SourceMap,
    names: &mut Interner,
    diagnostics: &mut Diagnostics,
) -> TranslationUnit {
    let mut found = Diagnostics::new();
    let (tokens, packs) = lex_packed(source, sources, names, &mut found);
    let file = sources.file(source);
    let mut parser = Parser {
        text: &file.text,
        start: file.start,
        tokens: &tokens,
        packs: &packs,
        pos: 0,
        names,
        diagnostics: &mut found,
        scopes: Scopes::default(),
        depth: 0,
        chain: 0,
        height: 0,
        peak: 0,
        quiet: 0,
        stopped: false,
        last_error: None,
    };
    let unit = parser.translation_unit();
    in_order(found, diagnostics);
    unit
}

/// The lexer went over the whole file first; its reader wants one list from top to bottom.
fn in_order(found: Diagnostics, into: &mut Diagnostics) {
    if found.is_full() {
        return into.extend(found);
    }
    let mut list: Vec<Diagnostic> = found.iter().cloned().collect();
    list.sort_by_key(|d| d.span.lo);
    list.into_iter().for_each(|d| into.push(d));
}

/// The problem has been reported; the caller should look for a place to continue.
#[derive(Debug, Clone, Copy)]
struct Failed;

type Parsed<T> = Result<T, Failed>;

struct Parser<'a> {
    text: &'a str,
    start: u32,
    /// Ends with `Eof`, which is never passed.
    tokens: &'a [Token],
    /// Where `#pragma pack` changes the packing.
    packs: &'a [Pack],
    pos: usize,
    names: &'a mut Interner,
    diagnostics: &'a mut Diagnostics,
    scopes: Scopes,
    depth: u32,
    chain: u32,
    /// Height of the expression parsed last.
    height: u32,
    /// The largest height since the last `window` was opened.
    peak: u32,
    /// Above 0 while trying something out.
    quiet: u32,
    /// Nesting was too deep: `pos` is at the end, and no more errors are wanted.
    stopped: bool,
    /// Token of the last reported error.
    last_error: Option<usize>,
}

impl<'a> Parser<'a> {
    fn token(&self) -> Token {
        self.tokens[self.pos]
    }

    fn peek(&self) -> Tok {
        self.tokens[self.pos].kind
    }

    /// The kind of the token `n` after the current one.
    fn peek_at(&self, n: usize) -> Tok {
        self.tokens.get(self.pos + n).map_or(Tok::Eof, |t| t.kind)
    }

    fn bump(&mut self) -> Token {
        let token = self.tokens[self.pos];
        if token.kind != Tok::Eof {
            self.pos += 1;
        }
        token
    }

    fn eat(&mut self, kind: Tok) -> bool {
        let found = self.peek() == kind;
        if found {
            self.bump();
        }
        found
    }

    /// The end of the token before the current one.
    fn prev_end(&self) -> u32 {
        match self.pos.checked_sub(1) {
            Some(i) => self.tokens[i].hi,
            None => self.start,
        }
    }

    /// From `lo` to the end of the last token taken.
    fn span_from(&self, lo: u32) -> Span {
        Span::new(lo, self.prev_end().max(lo))
    }

    fn token_text(&self, token: Token) -> &'a str {
        let (lo, hi) = ((token.lo - self.start) as usize, (token.hi - self.start) as usize);
        self.text.get(lo..hi).unwrap_or("")
    }

    /// Takes a token that must come here, or reports `expected`: "';' after expression".
    fn expect(&mut self, kind: Tok, expected: &str) -> Parsed<Token> {
        if self.peek() == kind {
            return Ok(self.bump());
        }
        Err(self.expected(expected))
    }

    /// Takes the closing partner of `open`; the error shows both ends.
    fn expect_close(&mut self, kind: Tok, open: Token, what: &str) -> Parsed<Token> {
        if self.peek() == kind {
            return Ok(self.bump());
        }
        let at = self.place();
        let message = format!("expected {what}");
        let note = format!("to match this '{}'", self.token_text(open));
        Err(self.report(Diagnostic::error(at, message).note(open.span(), note)))
    }

    fn ident(&mut self, what: &str) -> Parsed<Ident> {
        if self.peek() != Tok::Ident {
            return Err(self.expected(what));
        }
        let token = self.bump();
        Ok(Ident { name: token.symbol, span: token.span() })
    }

    fn is_typedef(&self, symbol: Symbol) -> bool {
        self.scopes.is_typedef(symbol)
    }

    /// Runs `f` one level deeper.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.levels_too_deep());
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// Runs `f` in a new scope of names.
    fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.scopes.enter();
        let result = f(self);
        self.scopes.leave();
        result
    }

    /// Records the height of an expression just built.
    fn grown(&mut self, height: u32) -> Parsed<()> {
        self.height = height;
        self.peak = self.peak.max(height);
        if height > MAX_CHAIN {
            return Err(self.chain_too_long());
        }
        Ok(())
    }

    /// One more link in a chain that a loop parses from the outside in.
    fn link(&mut self) -> Parsed<()> {
        self.chain += 1;
        if self.chain > MAX_CHAIN {
            return Err(self.chain_too_long());
        }
        Ok(())
    }

    /// Runs `f` and returns with its result the height of the highest expression in it.
    fn window<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<(T, u32)> {
        let saved = std::mem::replace(&mut self.peak, 0);
        let result = f(self);
        let inside = self.peak;
        self.peak = saved.max(inside);
        result.map(|value| (value, inside))
    }
}

#[cfg(test)]
mod dump;
#[cfg(test)]
mod tests;
