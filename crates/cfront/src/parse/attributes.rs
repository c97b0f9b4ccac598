//! `__attribute__((...))` and `[[...]]`.
//!
//! The arguments of an attribute may be anything, so they are tried as a type or an expression without
//! reporting, and kept as a mere place if they are neither.

use super::{Parsed, Parser};
use crate::ast::{Attribute, AttributeArg, Ident};
use crate::lex::Tok;
use base::Span;

impl Parser<'_> {
    /// Takes all attributes that stand here.
    pub(super) fn attributes(&mut self, into: &mut Vec<Attribute>) -> Parsed<()> {
        loop {
            match self.peek() {
                Tok::Attribute => {
                    self.bump();
                    let outer = self.expect(Tok::LParen, "'((' after '__attribute__'")?;
                    let inner = self.expect(Tok::LParen, "'((' after '__attribute__'")?;
                    self.attribute_list(Tok::RParen, into)?;
                    self.expect_close(Tok::RParen, inner, "')' after attributes")?;
                    self.expect_close(Tok::RParen, outer, "')' after attributes")?;
                }
                Tok::LBracket if self.at_bracket_attribute() => {
                    let outer = self.bump();
                    let inner = self.bump();
                    self.attribute_list(Tok::RBracket, into)?;
                    self.expect_close(Tok::RBracket, inner, "']' after attributes")?;
                    self.expect_close(Tok::RBracket, outer, "']' after attributes")?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// `[[`, which starts nothing else in C.
    pub(super) fn at_bracket_attribute(&self) -> bool {
        self.peek() == Tok::LBracket && self.peek_at(1) == Tok::LBracket
    }

    /// The first token behind the `__attribute__`s at `index`.
    pub(super) fn behind_attributes(&self, mut index: usize) -> usize {
        while self.tokens[index].kind == Tok::Attribute {
            index += 1;
            let mut level = 0usize;
            loop {
                match self.tokens[index].kind {
                    Tok::LParen => level += 1,
                    Tok::RParen => level = level.saturating_sub(1),
                    Tok::Eof => return index,
                    _ if level == 0 => return index,
                    _ => {}
                }
                index += 1;
                if level == 0 {
                    break;
                }
            }
        }
        index
    }

    fn attribute_list(&mut self, close: Tok, into: &mut Vec<Attribute>) -> Parsed<()> {
        loop {
            let token = self.token();
            // Any word, keywords included: `const`, `__restrict`. Empty places between commas are allowed.
            if token.kind == Tok::Ident
                || self.token_text(token).starts_with(|c: char| c.is_alphabetic() || c == '_')
            {
                let attribute = self.attribute()?;
                into.push(attribute);
            }
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        if self.peek() != close {
            return Err(self.expected("attribute"));
        }
        Ok(())
    }

    fn attribute(&mut self) -> Parsed<Attribute> {
        let first = self.bump();
        let mut name = plain(self.token_text(first)).to_string();
        let mut span = first.span();
        if self.peek() == Tok::Colon && self.peek_at(1) == Tok::Colon {
            self.bump();
            self.bump();
            let token = self.bump();
            let second = plain(self.token_text(token));
            name = if name == "gnu" { second.to_string() } else { format!("{name}::{second}") };
            span = span.to(token.span());
        }
        let name = Ident { name: self.names.intern(&name), span };
        let mut args = Vec::new();
        if self.peek() == Tok::LParen {
            let open = self.bump();
            while !matches!(self.peek(), Tok::RParen | Tok::Eof) {
                args.push(self.attribute_arg());
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            self.expect_close(Tok::RParen, open, "')' after attribute arguments")?;
        }
        Ok(Attribute { name, args })
    }

    fn attribute_arg(&mut self) -> AttributeArg {
        let from = self.pos;
        let lo = self.token().lo;
        self.quiet += 1;
        let tried = if self.starts_type_name(self.pos) {
            self.type_name().map(AttributeArg::Type)
        } else {
            self.assign().map(AttributeArg::Expr)
        };
        self.quiet -= 1;
        match tried {
            Ok(arg) if matches!(self.peek(), Tok::Comma | Tok::RParen) => arg,
            _ => {
                if !self.stopped {
                    self.pos = from;
                }
                self.skip_argument();
                AttributeArg::Other(self.span_from(lo))
            }
        }
    }

    /// To the `,` or `)` that ends an argument.
    fn skip_argument(&mut self) {
        let mut level = 0usize;
        loop {
            match self.peek() {
                Tok::Eof => return,
                Tok::Comma | Tok::RParen if level == 0 => return,
                Tok::LParen => level += 1,
                Tok::RParen => level -= 1,
                _ => {}
            }
            self.bump();
        }
    }

    /// `asm("name")` behind a declarator.
    pub(super) fn asm_label(&mut self) -> Parsed<Option<Span>> {
        if self.peek() != Tok::Asm {
            return Ok(None);
        }
        let keyword = self.bump();
        let open = self.expect(Tok::LParen, "'(' after 'asm'")?;
        self.string_bytes("assembler name")?;
        self.expect_close(Tok::RParen, open, "')' after assembler name")?;
        Ok(Some(self.span_from(keyword.lo)))
    }
}

/// The name without the underscores around it.
fn plain(name: &str) -> &str {
    match name.strip_prefix("__") {
        Some(rest) if !rest.trim_end_matches("__").is_empty() => rest.strip_suffix("__").unwrap_or(rest),
        _ => name,
    }
}
