//! `struct`, `union` and `enum` specifiers.

use super::declarators::Naming;
use super::specifiers::Place;
use super::{Parsed, Parser};
use crate::ast::{
    Attribute, AttributeArg, Declarator, EnumSpec, Enumerator, Expr, ExprKind, FieldDecl, FieldDeclarator,
    Ident, IntSuffix, RecordSpec,
};
use crate::lex::Tok;
use base::Span;

impl Parser<'_> {
    pub(super) fn record_spec(&mut self) -> Parsed<RecordSpec> {
        let keyword = self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag();
        let mut fields = None;
        if self.peek() == Tok::LBrace {
            fields = Some(self.fields()?);
            attributes.extend(self.pragma_pack());
            self.attributes(&mut attributes)?;
        } else if tag.is_none() {
            return Err(self.expected("tag or '{'"));
        }
        let is_union = keyword.kind == Tok::Union;
        Ok(RecordSpec { is_union, tag, fields, attributes, span: self.span_from(keyword.lo) })
    }

    /// `#pragma pack` in force at the closing brace, as an attribute of the record.
    fn pragma_pack(&mut self) -> Option<Attribute> {
        let brace = self.tokens[self.pos.saturating_sub(1)].span();
        let index = self.packs.partition_point(|pack| pack.pos <= brace.lo).checked_sub(1)?;
        let align = self.packs[index].align;
        (align > 0).then(|| {
            let kind = ExprKind::Int { value: align.into(), decimal: true, suffix: IntSuffix::default() };
            Attribute {
                name: Ident { name: self.names.intern("pragma_pack"), span: brace },
                args: vec![AttributeArg::Expr(Expr { kind, span: brace })],
            }
        })
    }

    fn tag(&mut self) -> Option<Ident> {
        if self.peek() != Tok::Ident {
            return None;
        }
        let token = self.bump();
        Some(Ident { name: token.symbol, span: token.span() })
    }

    fn fields(&mut self) -> Parsed<Vec<FieldDecl>> {
        let open = self.bump();
        let mut fields = Vec::new();
        loop {
            match self.peek() {
                Tok::RBrace | Tok::Eof => break,
                Tok::Semi => {
                    self.bump();
                    continue;
                }
                _ => {}
            }
            let before = self.pos;
            let field = match self.peek() {
                Tok::StaticAssert => self.static_assert().map(FieldDecl::StaticAssert),
                _ => self.field(),
            };
            match field {
                Ok(field) => fields.push(field),
                Err(_) => {
                    self.skip_element(Tok::Semi);
                    if self.pos == before {
                        self.bump();
                    }
                }
            }
        }
        self.expect_close(Tok::RBrace, open, "'}'")?;
        Ok(fields)
    }

    fn field(&mut self) -> Parsed<FieldDecl> {
        let lo = self.token().lo;
        let specs = self.decl_specs(Place::Member)?;
        let mut declarators = Vec::new();
        while !matches!(self.peek(), Tok::Semi | Tok::RBrace) {
            let mut declarator = match self.peek() {
                Tok::Colon => {
                    let at = self.token().lo;
                    Declarator {
                        name: None,
                        chain: Vec::new(),
                        attributes: Vec::new(),
                        span: Span::new(at, at),
                    }
                }
                _ => self.declarator(Naming::Required)?,
            };
            let bits = if self.eat(Tok::Colon) { Some(self.conditional()?) } else { None };
            self.attributes(&mut declarator.attributes)?;
            declarators.push(FieldDeclarator { declarator, bits });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        // The last member may lack its semicolon; every compiler takes that.
        if self.peek() != Tok::RBrace {
            self.semicolon("member declaration")?;
        }
        Ok(FieldDecl::Fields { specs, declarators, span: self.span_from(lo) })
    }

    pub(super) fn enum_spec(&mut self) -> Parsed<EnumSpec> {
        let keyword = self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag();
        let mut enumerators = None;
        if self.peek() == Tok::LBrace {
            enumerators = Some(self.enumerators()?);
            self.attributes(&mut attributes)?;
        } else if tag.is_none() {
            return Err(self.expected("tag or '{'"));
        }
        Ok(EnumSpec { tag, enumerators, attributes, span: self.span_from(keyword.lo) })
    }

    fn enumerators(&mut self) -> Parsed<Vec<Enumerator>> {
        let open = self.bump();
        let mut enumerators = Vec::new();
        if self.peek() == Tok::RBrace {
            self.expected("enumerator");
        }
        while !matches!(self.peek(), Tok::RBrace | Tok::Semi | Tok::Eof) {
            match self.enumerator() {
                Ok(enumerator) => enumerators.push(enumerator),
                Err(_) => self.skip_element(Tok::Comma),
            }
            if !self.eat(Tok::Comma) && self.peek() != Tok::RBrace {
                self.expected("',' or '}' after enumerator");
                self.skip_element(Tok::Comma);
                self.eat(Tok::Comma);
            }
        }
        self.expect_close(Tok::RBrace, open, "'}'")?;
        Ok(enumerators)
    }

    fn enumerator(&mut self) -> Parsed<Enumerator> {
        let name = self.ident("enumerator")?;
        self.attributes(&mut Vec::new())?;
        let value = if self.eat(Tok::Assign) { Some(self.conditional()?) } else { None };
        // Its scope starts only here: `enum { T = (T)1 }` still means the typedef.
        self.scopes.declare(name.name, false);
        Ok(Enumerator { name, value })
    }
}
