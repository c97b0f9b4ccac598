//! Expressions from the comma operator down to casts and prefix operators.

use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::lex::Tok;

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let mut left = self.assign()?;
        while self.peek() == Tok::Comma {
            self.bump();
            let height = self.height;
            let right = self.assign()?;
            self.grown(1 + height.max(self.height))?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Comma(Box::new(left), Box::new(right)), span };
        }
        Ok(left)
    }

    pub(super) fn assign(&mut self) -> Parsed<Expr> {
        self.nested(|p| {
            let left = p.conditional()?;
            let Some(op) = assign_op(p.peek()) else { return Ok(left) };
            p.bump();
            let height = p.height;
            let right = p.assign()?;
            p.grown(1 + height.max(p.height))?;
            let span = left.span.to(right.span);
            Ok(Expr { kind: ExprKind::Assign(op, Box::new(left), Box::new(right)), span })
        })
    }

    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        let cond = self.binary(0)?;
        if self.peek() != Tok::Question {
            return Ok(cond);
        }
        self.bump();
        let mut height = self.height;
        let then = if self.peek() == Tok::Colon {
            None
        } else {
            let then = self.expr()?;
            height = height.max(self.height);
            Some(Box::new(then))
        };
        self.expect(Tok::Colon, "':' in conditional expression")?;
        let otherwise = self.nested(|p| p.conditional())?;
        self.grown(1 + height.max(self.height))?;
        let span = cond.span.to(otherwise.span);
        let (cond, otherwise) = (Box::new(cond), Box::new(otherwise));
        Ok(Expr { kind: ExprKind::Cond { cond, then, otherwise }, span })
    }

    /// Operators that bind at least as tightly as `min`.
    fn binary(&mut self, min: u8) -> Parsed<Expr> {
        let mut left = self.cast()?;
        loop {
            let Some((op, level)) = binary_op(self.peek()) else { return Ok(left) };
            if level < min {
                return Ok(left);
            }
            self.bump();
            let height = self.height;
            let right = self.binary(level + 1)?;
            self.grown(1 + height.max(self.height))?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span };
        }
    }

    fn cast(&mut self) -> Parsed<Expr> {
        if self.peek() == Tok::LParen && self.starts_type_name(self.pos + 1) {
            return self.nested(|p| p.cast_or_literal());
        }
        self.unary()
    }

    /// `(T) x` or `(T) {...}`.
    fn cast_or_literal(&mut self) -> Parsed<Expr> {
        let open = self.bump();
        let (ty, height) = self.window(|p| p.type_name())?;
        self.expect_close(Tok::RParen, open, "')' after type name")?;
        if self.peek() == Tok::LBrace {
            let literal = self.compound_literal(open.lo, ty, height)?;
            return self.postfix(literal);
        }
        let operand = self.cast()?;
        self.grown(1 + height.max(self.height))?;
        let span = self.span_from(open.lo);
        Ok(Expr { kind: ExprKind::Cast(Box::new(ty), Box::new(operand)), span })
    }

    pub(super) fn unary(&mut self) -> Parsed<Expr> {
        let op = match self.peek() {
            Tok::PlusPlus => UnaryOp::PreInc,
            Tok::MinusMinus => UnaryOp::PreDec,
            Tok::Amp => UnaryOp::AddrOf,
            Tok::Star => UnaryOp::Deref,
            Tok::Plus => UnaryOp::Plus,
            Tok::Minus => UnaryOp::Neg,
            Tok::Tilde => UnaryOp::BitNot,
            Tok::Bang => UnaryOp::Not,
            Tok::Real => UnaryOp::Real,
            Tok::Imag => UnaryOp::Imag,
            Tok::Extension => {
                self.bump();
                return self.nested(|p| p.cast());
            }
            Tok::Sizeof | Tok::Alignof => return self.nested(|p| p.size_or_align()),
            Tok::AndAnd => {
                let lo = self.bump().lo;
                let label = self.ident("label after '&&'")?;
                self.grown(1)?;
                return Ok(Expr { kind: ExprKind::LabelAddr(label), span: self.span_from(lo) });
            }
            _ => {
                let operand = self.primary()?;
                return self.postfix(operand);
            }
        };
        let lo = self.bump().lo;
        let operand = self.nested(|p| p.cast())?;
        self.grown(1 + self.height)?;
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(operand)), span: self.span_from(lo) })
    }

    fn size_or_align(&mut self) -> Parsed<Expr> {
        let keyword = self.bump();
        let is_size = keyword.kind == Tok::Sizeof;
        let operand = if self.peek() == Tok::LParen && self.starts_type_name(self.pos + 1) {
            let open = self.bump();
            let (ty, height) = self.window(|p| p.type_name())?;
            self.expect_close(Tok::RParen, open, "')' after type name")?;
            if self.peek() != Tok::LBrace {
                self.grown(1 + height)?;
                let ty = Box::new(ty);
                let kind = if is_size { ExprKind::SizeofType(ty) } else { ExprKind::AlignofType(ty) };
                return Ok(Expr { kind, span: self.span_from(keyword.lo) });
            }
            let literal = self.compound_literal(open.lo, ty, height)?;
            self.postfix(literal)?
        } else {
            self.unary()?
        };
        self.grown(1 + self.height)?;
        let operand = Box::new(operand);
        let kind = if is_size { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand) };
        Ok(Expr { kind, span: self.span_from(keyword.lo) })
    }
}

fn assign_op(kind: Tok) -> Option<Option<BinaryOp>> {
    Some(match kind {
        Tok::Assign => None,
        Tok::StarAssign => Some(BinaryOp::Mul),
        Tok::SlashAssign => Some(BinaryOp::Div),
        Tok::PercentAssign => Some(BinaryOp::Rem),
        Tok::PlusAssign => Some(BinaryOp::Add),
        Tok::MinusAssign => Some(BinaryOp::Sub),
        Tok::ShlAssign => Some(BinaryOp::Shl),
        Tok::ShrAssign => Some(BinaryOp::Shr),
        Tok::AmpAssign => Some(BinaryOp::BitAnd),
        Tok::CaretAssign => Some(BinaryOp::BitXor),
        Tok::PipeAssign => Some(BinaryOp::BitOr),
        _ => return None,
    })
}

/// The operator and how tightly it binds.
fn binary_op(kind: Tok) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        Tok::OrOr => (BinaryOp::Or, 0),
        Tok::AndAnd => (BinaryOp::And, 1),
        Tok::Pipe => (BinaryOp::BitOr, 2),
        Tok::Caret => (BinaryOp::BitXor, 3),
        Tok::Amp => (BinaryOp::BitAnd, 4),
        Tok::EqEq => (BinaryOp::Eq, 5),
        Tok::BangEq => (BinaryOp::Ne, 5),
        Tok::Lt => (BinaryOp::Lt, 6),
        Tok::Gt => (BinaryOp::Gt, 6),
        Tok::Le => (BinaryOp::Le, 6),
        Tok::Ge => (BinaryOp::Ge, 6),
        Tok::Shl => (BinaryOp::Shl, 7),
        Tok::Shr => (BinaryOp::Shr, 7),
        Tok::Plus => (BinaryOp::Add, 8),
        Tok::Minus => (BinaryOp::Sub, 8),
        Tok::Star => (BinaryOp::Mul, 9),
        Tok::Slash => (BinaryOp::Div, 9),
        Tok::Percent => (BinaryOp::Rem, 9),
        _ => return None,
    })
}
