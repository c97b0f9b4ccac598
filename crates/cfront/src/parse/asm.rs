//! Assembler statements. Their text is kept as bytes; nobody interprets it here.

use super::{Parsed, Parser};
use crate::ast::{AsmOperand, AsmStmt};
use crate::lex::Tok;
use base::Span;

impl Parser<'_> {
    /// `asm("...");` at file level.
    pub(super) fn file_asm(&mut self) -> Parsed<Span> {
        let lo = self.token().lo;
        self.asm_body()?;
        let span = self.span_from(lo);
        self.semicolon("asm")?;
        Ok(span)
    }

    /// From `asm` to its `)`.
    pub(super) fn asm_body(&mut self) -> Parsed<AsmStmt> {
        self.bump();
        let mut asm = AsmStmt {
            volatile: false,
            goto: false,
            template: Vec::new(),
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
        };
        loop {
            match self.peek() {
                Tok::Volatile => asm.volatile = true,
                Tok::Goto => asm.goto = true,
                Tok::Inline | Tok::Const => {}
                _ => break,
            }
            self.bump();
        }
        let open = self.expect(Tok::LParen, "'(' after 'asm'")?;
        asm.template = self.string_bytes("assembler template")?;
        if self.eat(Tok::Colon) {
            asm.outputs = self.asm_operands()?;
        }
        if self.eat(Tok::Colon) {
            asm.inputs = self.asm_operands()?;
        }
        if self.eat(Tok::Colon) && self.peek() == Tok::Str {
            loop {
                asm.clobbers.push(self.string_bytes("clobbered register")?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        if self.eat(Tok::Colon) && self.peek() == Tok::Ident {
            loop {
                asm.labels.push(self.ident("label")?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        self.expect_close(Tok::RParen, open, "')' after asm operands")?;
        Ok(asm)
    }

    /// `[name] "constraint" (expression), ...`, possibly none.
    fn asm_operands(&mut self) -> Parsed<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        if !matches!(self.peek(), Tok::Str | Tok::LBracket) {
            return Ok(operands);
        }
        loop {
            let mut name = None;
            if self.peek() == Tok::LBracket {
                let open = self.bump();
                name = Some(self.ident("operand name")?);
                self.expect_close(Tok::RBracket, open, "']' after operand name")?;
            }
            let constraint = self.string_bytes("operand constraint")?;
            let open = self.expect(Tok::LParen, "'(' before asm operand")?;
            let expr = self.expr()?;
            self.expect_close(Tok::RParen, open, "')' after asm operand")?;
            operands.push(AsmOperand { name, constraint, expr });
            if !self.eat(Tok::Comma) {
                return Ok(operands);
            }
        }
    }
}
