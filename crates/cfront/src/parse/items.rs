//! What a file consists of: declarations, function definitions and a few oddities.

use super::declarations::Declared;
use super::{Parsed, Parser};
use crate::ast::{Item, StaticAssert, TranslationUnit};
use crate::lex::Tok;

impl Parser<'_> {
    pub(super) fn translation_unit(&mut self) -> TranslationUnit {
        let mut unit = TranslationUnit::default();
        while self.peek() != Tok::Eof {
            let before = self.pos;
            match self.item() {
                Ok(item) => unit.items.extend(item),
                Err(_) => self.sync_item(),
            }
            if self.pos == before {
                self.bump();
            }
        }
        unit
    }

    /// None for a stray `;`, which compilers accept.
    fn item(&mut self) -> Parsed<Option<Item>> {
        let token = self.token();
        match token.kind {
            Tok::Semi => {
                self.bump();
                Ok(None)
            }
            Tok::RBrace => {
                self.error(token.span(), "extraneous closing brace '}'");
                self.bump();
                Ok(None)
            }
            Tok::Asm => self.file_asm().map(|span| Some(Item::Asm(span))),
            Tok::Extension if self.peek_at(1) == Tok::Asm => {
                self.bump();
                self.item()
            }
            Tok::StaticAssert => self.static_assert().map(|assert| Some(Item::StaticAssert(assert))),
            _ => Ok(Some(match self.declaration(Vec::new())? {
                Declared::Declaration(declaration) => Item::Declaration(declaration),
                Declared::Function(function) => Item::Function(function),
            })),
        }
    }

    /// `_Static_assert(condition, "message");`, the message being optional.
    pub(super) fn static_assert(&mut self) -> Parsed<StaticAssert> {
        let lo = self.bump().lo;
        let open = self.expect(Tok::LParen, "'(' after '_Static_assert'")?;
        let condition = self.conditional()?;
        let message = if self.eat(Tok::Comma) { Some(self.string_bytes("message string")?) } else { None };
        self.expect_close(Tok::RParen, open, "')' after static assertion")?;
        let span = self.span_from(lo);
        self.semicolon("static assertion")?;
        Ok(StaticAssert { condition, message, span })
    }
}
