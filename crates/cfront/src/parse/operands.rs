//! Primary expressions, what may follow them, and literals.

use super::{Parsed, Parser};
use crate::ast::{Designator, Expr, ExprKind, GenericArm, IntSuffix, TypeName, UnaryOp};
use crate::lex::literal::{self, Problem};
use crate::lex::{Tok, Token};
use base::{Diagnostic, Severity};

impl Parser<'_> {
    /// `.x`, `->x`, `[i]`, `(args)`, `++` and `--` after `expr`, whose height is the current one.
    pub(super) fn postfix(&mut self, mut expr: Expr) -> Parsed<Expr> {
        loop {
            let mut height = self.height;
            let kind = match self.peek() {
                Tok::LBracket => {
                    let open = self.bump();
                    let index = self.expr()?;
                    height = height.max(self.height);
                    self.expect_close(Tok::RBracket, open, "']' after index")?;
                    ExprKind::Index(Box::new(expr), Box::new(index))
                }
                Tok::LParen => {
                    let open = self.bump();
                    let mut args = Vec::new();
                    if self.peek() != Tok::RParen {
                        loop {
                            args.push(self.assign()?);
                            height = height.max(self.height);
                            if !self.eat(Tok::Comma) {
                                break;
                            }
                        }
                    }
                    self.expect_close(Tok::RParen, open, "')' after arguments")?;
                    ExprKind::Call { callee: Box::new(expr), args }
                }
                kind @ (Tok::Dot | Tok::Arrow) => {
                    self.bump();
                    let field = self.ident("member name")?;
                    ExprKind::Member { base: Box::new(expr), field, arrow: kind == Tok::Arrow }
                }
                Tok::PlusPlus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostInc, Box::new(expr))
                }
                Tok::MinusMinus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostDec, Box::new(expr))
                }
                _ => return Ok(expr),
            };
            self.grown(1 + height)?;
            let lo = match &kind {
                ExprKind::Index(base, _) | ExprKind::Unary(_, base) => base.span.lo,
                ExprKind::Call { callee: base, .. } | ExprKind::Member { base, .. } => base.span.lo,
                _ => self.prev_end(),
            };
            expr = Expr { kind, span: self.span_from(lo) };
        }
    }

    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let token = self.token();
        let kind = match token.kind {
            Tok::Ident if self.is_typedef(token.symbol) => {
                let name = self.token_text(token);
                let message = format!("expected expression, found type name '{name}'");
                return Err(self.error(token.span(), message));
            }
            Tok::Ident => {
                self.bump();
                self.grown(1)?;
                ExprKind::Ident(token.symbol)
            }
            Tok::Number => {
                self.grown(1)?;
                self.number()
            }
            Tok::Char => {
                self.grown(1)?;
                self.character()
            }
            Tok::Str => {
                self.grown(1)?;
                self.string()
            }
            Tok::LParen => return self.parenthesis(),
            Tok::Generic => self.built_in(|p| p.generic())?,
            Tok::VaArg => self.built_in(|p| {
                let list = Box::new(p.assign()?);
                p.expect(Tok::Comma, "','")?;
                Ok(ExprKind::VaArg(list, Box::new(p.type_name()?)))
            })?,
            Tok::Offsetof => self.built_in(|p| p.offsetof())?,
            Tok::TypesCompatible => self.built_in(|p| {
                let left = Box::new(p.type_name()?);
                p.expect(Tok::Comma, "','")?;
                Ok(ExprKind::TypesCompatible(left, Box::new(p.type_name()?)))
            })?,
            Tok::ChooseExpr => self.built_in(|p| {
                let cond = Box::new(p.assign()?);
                p.expect(Tok::Comma, "','")?;
                let then = Box::new(p.assign()?);
                p.expect(Tok::Comma, "','")?;
                Ok(ExprKind::ChooseExpr(cond, then, Box::new(p.assign()?)))
            })?,
            _ => return Err(self.expected("expression")),
        };
        Ok(Expr { kind, span: self.span_from(token.lo) })
    }

    /// A keyword with operands of its own kind in parentheses.
    fn built_in(&mut self, operands: impl FnOnce(&mut Self) -> Parsed<ExprKind>) -> Parsed<ExprKind> {
        let keyword = self.bump();
        if self.peek() != Tok::LParen {
            let name = self.token_text(keyword);
            return Err(self.expected(&format!("'(' after '{name}'")));
        }
        let open = self.bump();
        let (kind, height) = self.window(operands)?;
        self.expect_close(Tok::RParen, open, "')'")?;
        self.grown(1 + height)?;
        Ok(kind)
    }

    /// `(expression)` or GNU `({ statements })`.
    fn parenthesis(&mut self) -> Parsed<Expr> {
        let open = self.bump();
        if self.peek() == Tok::LBrace {
            let (block, height) = self.window(|p| p.nested(|p| p.block()))?;
            self.expect_close(Tok::RParen, open, "')' after statement expression")?;
            self.grown(1 + height)?;
            return Ok(Expr { kind: ExprKind::StmtExpr(block), span: self.span_from(open.lo) });
        }
        if self.at_unknown_cast() {
            let token = self.token();
            let name = self.token_text(token);
            return Err(self.error(token.span(), format!("unknown type name '{name}'")));
        }
        let mut expr = self.expr()?;
        self.expect_close(Tok::RParen, open, "')'")?;
        // The parentheses belong to the text of the expression, so that spans of parents are well-formed.
        expr.span = self.span_from(open.lo);
        Ok(expr)
    }

    /// `x) y` or `x *)` after an opening parenthesis: no expression, but a type that nobody declared.
    fn at_unknown_cast(&self) -> bool {
        if self.peek() != Tok::Ident {
            return false;
        }
        match self.peek_at(1) {
            Tok::RParen => {
                matches!(self.peek_at(2), Tok::Ident | Tok::Number | Tok::Char | Tok::Str | Tok::Sizeof)
                    && !self.starts_line(self.pos + 2)
            }
            Tok::Star => {
                let mut n = 2;
                while self.peek_at(n) == Tok::Star {
                    n += 1;
                }
                self.peek_at(n) == Tok::RParen
            }
            _ => false,
        }
    }

    /// The braces of `(T) {...}`; `lo` is where the parenthesis opened.
    pub(super) fn compound_literal(&mut self, lo: u32, ty: TypeName, height: u32) -> Parsed<Expr> {
        let (list, inside) = self.window(|p| p.nested(|p| p.init_list()))?;
        self.grown(1 + height.max(inside))?;
        let span = self.span_from(lo);
        Ok(Expr { kind: ExprKind::CompoundLiteral(Box::new(ty), list), span })
    }

    fn generic(&mut self) -> Parsed<ExprKind> {
        let control = Box::new(self.assign()?);
        let mut arms = Vec::new();
        while self.eat(Tok::Comma) {
            let ty = if self.eat(Tok::Default) { None } else { Some(self.type_name()?) };
            self.expect(Tok::Colon, "':' in generic association")?;
            arms.push(GenericArm { ty, value: self.assign()? });
        }
        if arms.is_empty() {
            return Err(self.expected("',' and a generic association"));
        }
        Ok(ExprKind::Generic { control, arms })
    }

    fn offsetof(&mut self) -> Parsed<ExprKind> {
        let ty = Box::new(self.type_name()?);
        self.expect(Tok::Comma, "','")?;
        let mut path = vec![Designator::Field(self.ident("member name")?)];
        loop {
            match self.peek() {
                Tok::Dot => {
                    self.bump();
                    path.push(Designator::Field(self.ident("member name")?));
                }
                // `a->b` is `a[0].b`.
                Tok::Arrow => {
                    let span = self.bump().span();
                    let kind = ExprKind::Int { value: 0, decimal: true, suffix: IntSuffix::default() };
                    path.push(Designator::Index(Expr { kind, span }));
                    path.push(Designator::Field(self.ident("member name")?));
                }
                Tok::LBracket => {
                    let open = self.bump();
                    path.push(Designator::Index(self.expr()?));
                    self.expect_close(Tok::RBracket, open, "']' after index")?;
                }
                _ => return Ok(ExprKind::Offsetof(ty, path)),
            }
        }
    }

    fn number(&mut self) -> ExprKind {
        let token = self.bump();
        match literal::number(self.token_text(token)) {
            Ok(kind) => kind,
            Err(problem) => {
                self.problem(token, problem);
                ExprKind::Error
            }
        }
    }

    fn character(&mut self) -> ExprKind {
        let token = self.bump();
        let (value, kind, problem) = literal::character(self.token_text(token));
        if let Some(problem) = problem {
            self.problem(token, problem);
        }
        ExprKind::Char { value, kind }
    }

    /// All adjacent string literals.
    fn string(&mut self) -> ExprKind {
        let first = self.pos;
        while self.eat(Tok::Str) {}
        let tokens = &self.tokens[first..self.pos];
        let parts: Vec<&str> = tokens.iter().map(|&t| self.token_text(t)).collect();
        let (units, kind, problems) = literal::strings(&parts);
        for (part, problem) in problems {
            self.problem(tokens[part], problem);
        }
        ExprKind::String { units, kind }
    }

    /// A narrow string, where the grammar wants one (asm, static assertions).
    pub(super) fn string_bytes(&mut self, what: &str) -> Parsed<Vec<u8>> {
        if self.peek() != Tok::Str {
            return Err(self.expected(what));
        }
        match self.string() {
            ExprKind::String { units, .. } => Ok(units.into_iter().map(|u| u as u8).collect()),
            _ => Ok(Vec::new()),
        }
    }

    /// Reports what is wrong with a literal; parsing goes on.
    fn problem(&mut self, token: Token, problem: Problem) {
        if self.quiet > 0 {
            return;
        }
        let severity = if problem.fatal { Severity::Error } else { Severity::Warning };
        let message = problem.message;
        self.diagnostics.push(Diagnostic { severity, span: token.span(), message, notes: Vec::new() });
    }
}
