//! Initialisers with their designators, old GNU forms included.

use super::{Parsed, Parser};
use crate::ast::{Designator, Ident, InitItem, InitList, Initializer};
use crate::lex::Tok;

impl Parser<'_> {
    pub(super) fn initializer(&mut self) -> Parsed<Initializer> {
        if self.peek() == Tok::LBrace {
            return Ok(Initializer::List(self.nested(|p| p.init_list())?));
        }
        Ok(Initializer::Expr(self.assign()?))
    }

    pub(super) fn init_list(&mut self) -> Parsed<InitList> {
        let open = self.expect(Tok::LBrace, "'{'")?;
        let mut items = Vec::new();
        while !matches!(self.peek(), Tok::RBrace | Tok::Semi | Tok::Eof) {
            match self.init_item() {
                Ok(item) => items.push(item),
                Err(_) => self.skip_element(Tok::Comma),
            }
            if !self.eat(Tok::Comma) && self.peek() != Tok::RBrace {
                self.expected("',' or '}' in initializer");
                self.skip_element(Tok::Comma);
                self.eat(Tok::Comma);
            }
        }
        self.expect_close(Tok::RBrace, open, "'}'")?;
        Ok(InitList { items, span: self.span_from(open.lo) })
    }

    fn init_item(&mut self) -> Parsed<InitItem> {
        let mut designators = Vec::new();
        if self.peek() == Tok::Ident && self.peek_at(1) == Tok::Colon {
            let token = self.bump();
            self.bump();
            designators.push(Designator::Field(Ident { name: token.symbol, span: token.span() }));
            return Ok(InitItem { designators, value: self.initializer()? });
        }
        loop {
            match self.peek() {
                Tok::Dot => {
                    self.bump();
                    designators.push(Designator::Field(self.ident("member name after '.'")?));
                }
                Tok::LBracket => {
                    let open = self.bump();
                    let lo = self.conditional()?;
                    designators.push(match self.eat(Tok::Ellipsis) {
                        true => Designator::Range(lo, self.conditional()?),
                        false => Designator::Index(lo),
                    });
                    self.expect_close(Tok::RBracket, open, "']' after array index")?;
                }
                _ => break,
            }
        }
        // `[3] 7` without `=` is an old GNU form.
        if !designators.is_empty()
            && !self.eat(Tok::Assign)
            && !matches!(designators[..], [Designator::Index(_) | Designator::Range(..)])
        {
            return Err(self.expected("'=' after designator"));
        }
        Ok(InitItem { designators, value: self.initializer()? })
    }
}
