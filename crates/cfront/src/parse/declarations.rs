//! Declarations and function definitions, which look alike up to the first `{`.

use super::declarators::Naming;
use super::specifiers::Place;
use super::{Parsed, Parser};
use crate::ast::{
    Attribute, Block, DeclPart, Declaration, Declarator, FunctionDef, InitDeclarator, Params, StorageClass,
};
use crate::lex::Tok;

pub(super) enum Declared {
    Declaration(Declaration),
    Function(Box<FunctionDef>),
}

impl Parser<'_> {
    /// A declaration or a function definition. `attributes` stood before it.
    pub(super) fn declaration(&mut self, attributes: Vec<Attribute>) -> Parsed<Declared> {
        let lo = self.token().lo;
        let mut specs = self.decl_specs(Place::Declaration)?;
        if !attributes.is_empty() {
            specs.attributes.splice(0..0, attributes);
        }
        let is_typedef = matches!(specs.storage, Some((StorageClass::Typedef, _)));
        let mut declarators = Vec::new();
        // The second: `struct s {...}` without its semicolon, already reported; the next declaration is
        // intact.
        if self.eat(Tok::Semi) || (self.last_error == Some(self.pos) && self.starts_declaration()) {
            return Ok(Declared::Declaration(Declaration { specs, declarators, span: self.span_from(lo) }));
        }
        loop {
            let mut declarator = self.declarator(Naming::Required)?;
            let asm_label = self.asm_label()?;
            self.attributes(&mut declarator.attributes)?;
            if let Some(name) = declarator.name {
                self.scopes.declare(name.name, is_typedef);
            }
            if declarators.is_empty() && self.starts_body(&declarator) {
                let (kr_declarations, body) = self.nested(|p| p.scoped(|p| p.function_rest(&declarator)))?;
                let span = self.span_from(lo);
                let function = FunctionDef { specs, declarator, kr_declarations, body, span };
                return Ok(Declared::Function(Box::new(function)));
            }
            let init = if self.eat(Tok::Assign) { Some(self.initializer()?) } else { None };
            declarators.push(InitDeclarator { declarator, asm_label, init });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.semicolon("declaration")?;
        Ok(Declared::Declaration(Declaration { specs, declarators, span: self.span_from(lo) }))
    }

    /// Whether what follows `declarator` makes it a function definition.
    fn starts_body(&self, declarator: &Declarator) -> bool {
        let Some(DeclPart::Function(part)) = declarator.chain.first() else { return false };
        match self.peek() {
            Tok::LBrace => true,
            Tok::Semi | Tok::Comma | Tok::Assign => false,
            // `int f(a) int a; {...}`, but not a prototype whose `;` was forgotten.
            _ => {
                matches!(&part.params, Params::Names(names) if !names.is_empty()) && self.starts_declaration()
            }
        }
    }

    fn function_rest(&mut self, declarator: &Declarator) -> Parsed<(Vec<Declaration>, Block)> {
        if let Some(DeclPart::Function(part)) = declarator.chain.first() {
            match &part.params {
                Params::Names(names) => names.iter().for_each(|n| self.scopes.declare(n.name, false)),
                Params::Prototype { params, .. } => {
                    for name in params.iter().filter_map(|p| p.declarator.name) {
                        self.scopes.declare(name.name, false);
                    }
                }
            }
        }
        let mut kr_declarations = Vec::new();
        while self.peek() != Tok::LBrace {
            if !self.starts_declaration() {
                return Err(self.expected("function body"));
            }
            match self.declaration(Vec::new())? {
                Declared::Declaration(declaration) => kr_declarations.push(declaration),
                Declared::Function(function) => {
                    let span = function.declarator.span;
                    return Err(self.error(span, "function definition among parameter declarations"));
                }
            }
        }
        Ok((kr_declarations, self.block()?))
    }
}
