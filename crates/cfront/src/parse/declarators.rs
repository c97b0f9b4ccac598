//! Declarators: the part of a declaration that wraps the name, `*a[3]`, and parameter lists.
//!
//! The chain is built from the inside out: what the parentheses hold, then suffixes, then the pointers
//! before it, last star first.

use super::specifiers::Place;
use super::{MAX_DEPTH, Parsed, Parser};
use crate::ast::{
    ArraySize, Attribute, DeclPart, Declarator, FunctionPart, Ident, ParamDecl, Params, Quals, TypeName,
};
use crate::lex::Tok;

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    Required,
    /// In parameters.
    Optional,
    /// In type names.
    Forbidden,
}

impl Parser<'_> {
    pub(super) fn declarator(&mut self, naming: Naming) -> Parsed<Declarator> {
        let lo = self.token().lo;
        let mut attributes = Vec::new();
        let mut pointers = Vec::new();
        self.attributes(&mut attributes)?;
        while self.eat(Tok::Star) {
            if pointers.len() >= MAX_DEPTH as usize {
                return Err(self.levels_too_deep());
            }
            pointers.push(DeclPart::Pointer { quals: self.qualifiers(&mut attributes)? });
        }
        let mut name = None;
        let mut chain = Vec::new();
        match self.peek() {
            Tok::Ident if naming != Naming::Forbidden => {
                let token = self.bump();
                name = Some(Ident { name: token.symbol, span: token.span() });
            }
            Tok::LParen if naming == Naming::Required || !self.starts_parameters() => {
                let open = self.bump();
                let inner = self.nested(|p| p.declarator(naming))?;
                self.expect_close(Tok::RParen, open, "')'")?;
                name = inner.name;
                chain = inner.chain;
                attributes.extend(inner.attributes);
            }
            _ if naming == Naming::Required => return Err(self.expected("identifier or '('")),
            _ => {}
        }
        loop {
            match self.peek() {
                Tok::LBracket if self.at_bracket_attribute() => self.attributes(&mut attributes)?,
                Tok::LBracket => chain.push(self.array_part()?),
                Tok::LParen => chain.push(DeclPart::Function(self.function_part()?)),
                _ => break,
            }
            if chain.len() > MAX_DEPTH as usize {
                return Err(self.levels_too_deep());
            }
        }
        chain.extend(pointers.into_iter().rev());
        if chain.len() > MAX_DEPTH as usize {
            return Err(self.levels_too_deep());
        }
        Ok(Declarator { name, chain, attributes, span: self.span_from(lo) })
    }

    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let lo = self.token().lo;
        self.nested(|p| {
            let specs = p.decl_specs(Place::TypeName)?;
            let declarator = p.declarator(Naming::Forbidden)?;
            Ok(TypeName { specs, declarator, span: p.span_from(lo) })
        })
    }

    /// Qualifiers and attributes after a star.
    fn qualifiers(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<Quals> {
        let mut quals = Quals::default();
        loop {
            self.attributes(attributes)?;
            if !self.qualifier(&mut quals) {
                return Ok(quals);
            }
        }
    }

    /// Whether the `(` here opens parameters, not a nested declarator.
    fn starts_parameters(&self) -> bool {
        match self.peek_at(1) {
            Tok::RParen | Tok::Ellipsis | Tok::Register => true,
            _ => self.starts_type_name(self.pos + 1),
        }
    }

    fn array_part(&mut self) -> Parsed<DeclPart> {
        let open = self.bump();
        let mut quals = Quals::default();
        while self.qualifier(&mut quals) || self.eat(Tok::Static) {}
        let size = match self.peek() {
            Tok::RBracket => ArraySize::Unknown,
            Tok::Star if self.peek_at(1) == Tok::RBracket => {
                self.bump();
                ArraySize::Star
            }
            _ => ArraySize::Expr(Box::new(self.assign()?)),
        };
        self.expect_close(Tok::RBracket, open, "']' after array size")?;
        Ok(DeclPart::Array { quals, size, span: self.span_from(open.lo) })
    }

    fn function_part(&mut self) -> Parsed<FunctionPart> {
        let open = self.bump();
        let params = self.nested(|p| p.scoped(|p| p.parameters()))?;
        self.expect_close(Tok::RParen, open, "')' after parameters")?;
        Ok(FunctionPart { params, span: self.span_from(open.lo) })
    }

    fn parameters(&mut self) -> Parsed<Params> {
        if self.peek() == Tok::RParen {
            return Ok(Params::Names(Vec::new()));
        }
        if self.peek() == Tok::Void && self.peek_at(1) == Tok::RParen {
            self.bump();
            return Ok(Params::Prototype { params: Vec::new(), variadic: false });
        }
        if self.at_name_list() {
            let mut names = Vec::new();
            loop {
                names.push(self.ident("parameter name")?);
                if !self.eat(Tok::Comma) {
                    return Ok(Params::Names(names));
                }
            }
        }
        let mut params = Vec::new();
        loop {
            if self.eat(Tok::Ellipsis) {
                return Ok(Params::Prototype { params, variadic: true });
            }
            params.push(self.parameter()?);
            match self.peek() {
                Tok::Comma => {
                    self.bump();
                }
                // GNU forward declarations, `int f(int n; int a[n], int n)`: only their names matter, and
                // they come again.
                Tok::Semi => {
                    self.bump();
                    params.clear();
                }
                _ => return Ok(Params::Prototype { params, variadic: false }),
            }
        }
    }

    fn parameter(&mut self) -> Parsed<ParamDecl> {
        let lo = self.token().lo;
        let specs = self.decl_specs(Place::Parameter)?;
        let mut declarator = self.declarator(Naming::Optional)?;
        self.asm_label()?;
        self.attributes(&mut declarator.attributes)?;
        if let Some(name) = declarator.name {
            self.scopes.declare(name.name, false);
        }
        Ok(ParamDecl { specs, declarator, span: self.span_from(lo) })
    }

    /// Whether the list here is one of mere names, none of them a type, as in an old-style definition.
    fn at_name_list(&self) -> bool {
        let mut n = 0;
        loop {
            let Some(token) = self.tokens.get(self.pos + n) else { return false };
            if token.kind != Tok::Ident || self.is_typedef(token.symbol) {
                return false;
            }
            match self.peek_at(n + 1) {
                Tok::Comma => n += 2,
                Tok::RParen => return true,
                _ => return false,
            }
        }
    }
}
