//! Reporting problems, and finding a place to go on.

use super::{Failed, MAX_CHAIN, MAX_DEPTH, Parsed, Parser};
use crate::lex::{Tok, Token};
use base::{Diagnostic, Severity, Span};

impl Parser<'_> {
    /// Reports an error unless one was already reported at this token.
    #[cold]
    pub(super) fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        if self.quiet == 0 && !self.stopped && self.last_error != Some(self.pos) {
            if diagnostic.severity == Severity::Error {
                self.last_error = Some(self.pos);
            }
            self.diagnostics.push(diagnostic);
        }
        Failed
    }

    #[cold]
    pub(super) fn error(&mut self, span: Span, message: impl Into<String>) -> Failed {
        self.report(Diagnostic::error(span, message))
    }

    /// "expected ';' after expression", at the place where it is missing.
    #[cold]
    pub(super) fn expected(&mut self, what: &str) -> Failed {
        let at = self.place();
        self.error(at, format!("expected {what}"))
    }

    /// Right after the last token if the next one is on another line (there something was forgotten), else
    /// the next token (that is the one too much).
    pub(super) fn place(&self) -> Span {
        let token = self.token();
        if self.pos > 0 && (token.kind == Tok::Eof || self.starts_line(self.pos)) {
            let end = self.prev_end();
            return Span::new(end, end);
        }
        token.span()
    }

    /// Whether a newline separates token `index` from the one before.
    pub(super) fn starts_line(&self, index: usize) -> bool {
        let Some(previous) = index.checked_sub(1) else { return true };
        let (lo, hi) = (self.tokens[previous].hi - self.start, self.tokens[index].lo - self.start);
        self.text.as_bytes().get(lo as usize..hi as usize).is_some_and(|gap| gap.contains(&b'\n'))
    }

    /// Takes `;`. If it is missing but what follows can well be the next statement, the problem is reported
    /// and parsing goes on as if it was there.
    pub(super) fn semicolon(&mut self, after: &str) -> Parsed<()> {
        if self.eat(Tok::Semi) {
            return Ok(());
        }
        let end = self.prev_end();
        let failed = self.error(Span::new(end, end), format!("expected ';' after {after}"));
        let plausible = self.peek() == Tok::RBrace || self.starts_line(self.pos) || self.starts_declaration();
        if plausible { Ok(()) } else { Err(failed) }
    }

    #[cold]
    pub(super) fn too_deep(&mut self, message: &str) -> Failed {
        if !self.stopped {
            // Even while trying something out: whatever that was, it cannot be handled.
            self.diagnostics.error(self.token().span(), message);
            // Nothing that follows can be placed; unwinding thousands of levels must not report each of them.
            self.stopped = true;
            self.pos = self.tokens.len() - 1;
        }
        Failed
    }

    #[cold]
    pub(super) fn levels_too_deep(&mut self) -> Failed {
        self.too_deep(&format!("nesting too deep (the limit is {MAX_DEPTH} levels)"))
    }

    #[cold]
    pub(super) fn chain_too_long(&mut self) -> Failed {
        self.too_deep(&format!("nesting too deep (the limit is {MAX_CHAIN} operators, labels or 'else if's)"))
    }

    /// After an error inside a block: to the next statement or the end of the block.
    pub(super) fn sync_statement(&mut self) {
        let from = self.pos;
        loop {
            match self.peek() {
                Tok::Eof | Tok::RBrace | Tok::LBrace => return,
                Tok::Semi => {
                    self.bump();
                    return;
                }
                Tok::If
                | Tok::While
                | Tok::Do
                | Tok::For
                | Tok::Switch
                | Tok::Case
                | Tok::Default
                | Tok::Break
                | Tok::Continue
                | Tok::Return
                | Tok::Goto
                    if self.pos > from =>
                {
                    return;
                }
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// After an error at file level: behind the next `;` or `}` outside braces, or to a line that starts a
    /// declaration.
    pub(super) fn sync_item(&mut self) {
        let from = self.pos;
        loop {
            match self.peek() {
                Tok::Eof => return,
                Tok::Semi => {
                    self.bump();
                    return;
                }
                Tok::LBrace => {
                    let open = self.token();
                    self.skip_block(open);
                    self.eat(Tok::Semi);
                    return;
                }
                // A stray one is reported by the caller.
                Tok::RBrace => return,
                _ if self.pos > from && self.at_column_one() && self.starts_declaration() => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// After an error between braces: behind the `}` that closes `open`, which was already taken or is the
    /// current token.
    pub(super) fn skip_block(&mut self, open: Token) {
        let mut level = usize::from(self.token().lo != open.lo);
        loop {
            match self.peek() {
                Tok::Eof => return,
                Tok::LBrace => level += 1,
                Tok::RBrace => level -= 1,
                _ => {}
            }
            self.bump();
            if level == 0 {
                return;
            }
        }
    }

    /// After an error in an element of a list in braces: before the next `stop` (`,` or `;`) or the closing
    /// `}`.
    pub(super) fn skip_element(&mut self, stop: Tok) {
        let (mut braces, mut others) = (0usize, 0usize);
        loop {
            match self.peek() {
                Tok::Eof => return,
                Tok::RBrace if braces == 0 => return,
                kind if kind == stop && braces == 0 && others == 0 => return,
                // Only inside a statement expression could it belong to the list.
                Tok::Semi if braces == 0 => return,
                Tok::LBrace => braces += 1,
                Tok::RBrace => braces -= 1,
                Tok::LParen | Tok::LBracket if braces == 0 => others += 1,
                Tok::RParen | Tok::RBracket if braces == 0 => others = others.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }

    /// After an error inside parentheses that a statement needs: behind the closing one, or before what
    /// cannot be inside (a `;` can only in the head of a `for`).
    pub(super) fn skip_parenthesis(&mut self, semicolons: bool) {
        let mut level = 0usize;
        loop {
            match self.peek() {
                Tok::Eof | Tok::LBrace | Tok::RBrace => return,
                Tok::Semi if !semicolons => return,
                Tok::LParen => level += 1,
                Tok::RParen if level == 0 => {
                    self.bump();
                    return;
                }
                Tok::RParen => level -= 1,
                _ => {}
            }
            self.bump();
        }
    }

    fn at_column_one(&self) -> bool {
        let at = (self.token().lo - self.start) as usize;
        at == 0 || self.text.as_bytes()[at - 1] == b'\n'
    }
}
