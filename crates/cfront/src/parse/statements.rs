//! Blocks and statements.
//!
//! Chains that real programs make long (`else if`, `case 1: case 2:`) are parsed by loops and folded
//! afterwards.

use super::declarations::Declared;
use super::{Parsed, Parser};
use crate::ast::{Block, BlockItem, Expr, ExprKind, ForInit, Ident, Stmt, StmtKind};
use crate::lex::{Tok, Token};
use base::Span;

impl Parser<'_> {
    /// `{...}` with a scope of its own.
    pub(super) fn block(&mut self) -> Parsed<Block> {
        let open = self.expect(Tok::LBrace, "'{'")?;
        let items = self.scoped(|p| p.block_items())?;
        // At the end of the file there is nothing to resume; the function so far is still worth having.
        let _ = self.expect_close(Tok::RBrace, open, "'}'");
        Ok(Block { items, span: self.span_from(open.lo) })
    }

    fn block_items(&mut self) -> Parsed<Vec<BlockItem>> {
        let mut items = Vec::new();
        while !matches!(self.peek(), Tok::RBrace | Tok::Eof) {
            let (before, lo) = (self.pos, self.token().lo);
            match self.block_item() {
                Ok(item) => items.push(item),
                Err(_) => {
                    self.sync_statement();
                    let span = self.span_from(lo);
                    items.push(BlockItem::Statement(Stmt { kind: StmtKind::Error, span }));
                }
            }
            if self.pos == before {
                self.bump();
            }
        }
        Ok(items)
    }

    fn block_item(&mut self) -> Parsed<BlockItem> {
        let mut attributes = Vec::new();
        match self.peek() {
            Tok::LocalLabel => return self.local_labels().map(BlockItem::LocalLabels),
            Tok::StaticAssert => return self.static_assert().map(BlockItem::StaticAssert),
            // Before a declaration, a statement, or alone: `__attribute__((fallthrough));`.
            Tok::Attribute => self.attributes(&mut attributes)?,
            Tok::LBracket if self.at_bracket_attribute() => self.attributes(&mut attributes)?,
            _ => {}
        }
        if !self.at_block_declaration() {
            return self.statement().map(BlockItem::Statement);
        }
        Ok(match self.declaration(attributes)? {
            Declared::Declaration(declaration) => BlockItem::Declaration(declaration),
            Declared::Function(function) => BlockItem::NestedFunction(function),
        })
    }

    fn at_block_declaration(&self) -> bool {
        if self.peek() != Tok::Ident {
            return self.starts_declaration();
        }
        match self.peek_at(1) {
            Tok::Colon => false,
            // Two names in a row: the first one must be meant as a type, unless the second one starts a new
            // line.
            Tok::Ident => self.is_typedef(self.token().symbol) || !self.starts_line(self.pos + 1),
            _ => self.is_typedef(self.token().symbol),
        }
    }

    fn local_labels(&mut self) -> Parsed<Vec<Ident>> {
        self.bump();
        let mut labels = Vec::new();
        loop {
            labels.push(self.ident("label")?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.semicolon("label declaration")?;
        Ok(labels)
    }

    pub(super) fn statement(&mut self) -> Parsed<Stmt> {
        self.nested(|p| match p.peek() {
            Tok::Case | Tok::Default => p.labelled(),
            Tok::Ident if p.peek_at(1) == Tok::Colon => p.labelled(),
            Tok::If => p.if_chain(),
            _ => p.plain_statement(),
        })
    }

    /// The statement inside another one. An error in it is not an error of the outer one.
    fn body(&mut self) -> Parsed<Box<Stmt>> {
        let lo = self.token().lo;
        match self.statement() {
            Ok(body) => Ok(Box::new(body)),
            Err(failed) if self.stopped => Err(failed),
            Err(_) => {
                self.sync_statement();
                Ok(Box::new(Stmt { kind: StmtKind::Error, span: self.span_from(lo) }))
            }
        }
    }

    /// Labels, then the statement they belong to.
    fn labelled(&mut self) -> Parsed<Stmt> {
        let chain = self.chain;
        let result = self.labels().and_then(|labels| {
            let body = self.labelled_body()?;
            let end = self.prev_end();
            Ok(labels.into_iter().rev().fold(body, |body, (lo, label)| {
                let body = Box::new(body);
                let kind = match label {
                    Label::Case { lo, hi } => StmtKind::Case { lo, hi, body },
                    Label::Default => StmtKind::Default(body),
                    Label::Name(name) => StmtKind::Label { name, body },
                };
                Stmt { kind, span: Span::new(lo, end.max(lo)) }
            }))
        });
        self.chain = chain;
        result
    }

    fn labels(&mut self) -> Parsed<Vec<(u32, Label)>> {
        let mut labels = Vec::new();
        loop {
            let token = self.token();
            let label = match token.kind {
                Tok::Case => {
                    self.bump();
                    let lo = self.conditional()?;
                    let hi = if self.eat(Tok::Ellipsis) { Some(self.conditional()?) } else { None };
                    self.expect(Tok::Colon, "':' after case value")?;
                    Label::Case { lo, hi }
                }
                Tok::Default => {
                    self.bump();
                    self.expect(Tok::Colon, "':' after 'default'")?;
                    Label::Default
                }
                Tok::Ident if self.peek_at(1) == Tok::Colon => {
                    self.bump();
                    self.bump();
                    self.attributes(&mut Vec::new())?;
                    Label::Name(Ident { name: token.symbol, span: token.span() })
                }
                _ => return Ok(labels),
            };
            self.link()?;
            labels.push((token.lo, label));
        }
    }

    fn labelled_body(&mut self) -> Parsed<Stmt> {
        if self.peek() == Tok::Attribute || self.at_bracket_attribute() {
            self.attributes(&mut Vec::new())?;
        }
        // A label before a declaration or at the end of a block labels nothing; both are C23.
        if self.peek() == Tok::RBrace || self.at_block_declaration() || self.peek() == Tok::StaticAssert {
            let end = self.prev_end();
            return Ok(Stmt { kind: StmtKind::Empty, span: Span::new(end, end) });
        }
        self.body().map(|body| *body)
    }

    fn if_chain(&mut self) -> Parsed<Stmt> {
        let chain = self.chain;
        let result = self.if_arms();
        self.chain = chain;
        result
    }

    fn if_arms(&mut self) -> Parsed<Stmt> {
        let mut arms = Vec::new();
        let mut otherwise = None;
        loop {
            self.link()?;
            let keyword = self.bump();
            let cond = self.condition("'(' after 'if'")?;
            let then = self.body()?;
            arms.push((keyword.lo, cond, then));
            if !self.eat(Tok::Else) {
                break;
            }
            if self.peek() != Tok::If {
                otherwise = Some(self.body()?);
                break;
            }
        }
        let end = self.prev_end();
        // Each arm is the `else` of the one before it.
        for (lo, cond, then) in arms.into_iter().rev() {
            let kind = StmtKind::If { cond, then, otherwise };
            otherwise = Some(Box::new(Stmt { kind, span: Span::new(lo, end.max(lo)) }));
        }
        otherwise.map(|stmt| *stmt).ok_or(super::Failed)
    }

    /// `(expression)` of a statement. After an error in it the statement goes on.
    fn condition(&mut self, open: &str) -> Parsed<Expr> {
        let open = self.expect(Tok::LParen, open)?;
        let result = self.expr().and_then(|expr| {
            self.expect_close(Tok::RParen, open, "')'")?;
            Ok(expr)
        });
        match result {
            Err(failed) if self.stopped => Err(failed),
            Err(_) => {
                self.skip_parenthesis(false);
                Ok(Expr { kind: ExprKind::Error, span: self.span_from(open.lo) })
            }
            ok => ok,
        }
    }

    fn plain_statement(&mut self) -> Parsed<Stmt> {
        let token = self.token();
        let kind = match token.kind {
            Tok::LBrace => StmtKind::Block(self.block()?),
            Tok::Semi => {
                self.bump();
                StmtKind::Empty
            }
            Tok::While => {
                self.bump();
                let cond = self.condition("'(' after 'while'")?;
                StmtKind::While { cond, body: self.body()? }
            }
            Tok::Do => self.do_while()?,
            Tok::For => self.scoped(|p| p.for_loop())?,
            Tok::Switch => {
                self.bump();
                let value = self.condition("'(' after 'switch'")?;
                StmtKind::Switch { value, body: self.body()? }
            }
            Tok::Goto => self.goto()?,
            Tok::Break => self.jump(StmtKind::Break, "'break'")?,
            Tok::Continue => self.jump(StmtKind::Continue, "'continue'")?,
            Tok::Return => {
                self.bump();
                let value = if self.peek() == Tok::Semi { None } else { Some(self.expr()?) };
                self.semicolon("return statement")?;
                StmtKind::Return(value)
            }
            Tok::Asm => {
                let asm = self.asm_body()?;
                self.semicolon("asm statement")?;
                StmtKind::Asm(asm)
            }
            Tok::Else => {
                self.error(token.span(), "'else' without a previous 'if'");
                self.bump();
                return self.statement();
            }
            Tok::Attribute | Tok::LBracket if token.kind == Tok::Attribute || self.at_bracket_attribute() => {
                self.attributes(&mut Vec::new())?;
                return self.statement();
            }
            Tok::RBrace | Tok::Eof => return Err(self.expected("statement")),
            _ if self.starts_declaration() => return self.misplaced_declaration(token),
            _ => {
                let expr = self.expr()?;
                self.semicolon("expression")?;
                StmtKind::Expr(expr)
            }
        };
        Ok(Stmt { kind, span: self.span_from(token.lo) })
    }

    fn misplaced_declaration(&mut self, token: Token) -> Parsed<Stmt> {
        self.error(token.span(), "a declaration cannot stand here without a block around it");
        self.declaration(Vec::new())?;
        Ok(Stmt { kind: StmtKind::Error, span: self.span_from(token.lo) })
    }

    fn jump(&mut self, kind: StmtKind, what: &str) -> Parsed<StmtKind> {
        self.bump();
        self.semicolon(what)?;
        Ok(kind)
    }

    fn goto(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let kind = if self.eat(Tok::Star) {
            StmtKind::GotoComputed(self.expr()?)
        } else {
            StmtKind::Goto(self.ident("label after 'goto'")?)
        };
        self.semicolon("goto statement")?;
        Ok(kind)
    }

    fn do_while(&mut self) -> Parsed<StmtKind> {
        let keyword = self.bump();
        let body = self.body()?;
        if self.peek() != Tok::While {
            let at = self.place();
            let diagnostic = base::Diagnostic::error(at, "expected 'while' after the body of 'do'");
            return Err(self.report(diagnostic.note(keyword.span(), "to match this 'do'")));
        }
        self.bump();
        let cond = self.condition("'(' after 'while'")?;
        self.semicolon("do-while statement")?;
        Ok(StmtKind::DoWhile { body, cond })
    }

    fn for_loop(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let open = self.expect(Tok::LParen, "'(' after 'for'")?;
        match self.for_head(open) {
            Ok((init, cond, step)) => Ok(StmtKind::For { init, cond, step, body: self.body()? }),
            Err(failed) if self.stopped => Err(failed),
            Err(_) => {
                self.skip_parenthesis(true);
                let body = self.body()?;
                Ok(StmtKind::For { init: ForInit::None, cond: None, step: None, body })
            }
        }
    }

    fn for_head(&mut self, open: Token) -> Parsed<(ForInit, Option<Expr>, Option<Expr>)> {
        let init = if self.eat(Tok::Semi) {
            ForInit::None
        } else if self.at_block_declaration() {
            match self.declaration(Vec::new())? {
                Declared::Declaration(declaration) => ForInit::Declaration(declaration),
                Declared::Function(function) => {
                    let span = function.declarator.span;
                    return Err(self.error(span, "function definition in a 'for' loop"));
                }
            }
        } else {
            let init = self.expr()?;
            self.expect(Tok::Semi, "';' in 'for' loop")?;
            ForInit::Expr(init)
        };
        let cond = if self.peek() == Tok::Semi { None } else { Some(self.expr()?) };
        self.expect(Tok::Semi, "';' in 'for' loop")?;
        let step = if self.peek() == Tok::RParen { None } else { Some(self.expr()?) };
        self.expect_close(Tok::RParen, open, "')'")?;
        Ok((init, cond, step))
    }
}

enum Label {
    Case { lo: Expr, hi: Option<Expr> },
    Default,
    Name(Ident),
}
