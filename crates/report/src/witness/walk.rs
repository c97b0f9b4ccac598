//! One walk over a syntax tree, which notes what witnesses can refer to.

use super::places::LoopPlace;
use base::{Span, Symbol};
use cfront::ast::*;
use std::collections::HashMap;

/// What there is, by positions in the text.
#[derive(Default)]
pub struct Found {
    /// Of all nodes.
    pub starts: Vec<u32>,
    pub loops: Vec<LoopPlace>,
    pub branchings: Vec<Branching>,
    /// By the start of an operand of a branching's condition: which one it is.
    pub operands: HashMap<u32, usize>,
    /// By their starts.
    pub calls: HashMap<u32, Vec<CallPlace>>,
    /// Statements and full expressions.
    pub wholes: Vec<Whole>,
    /// Names of the file's variables, and where they are declared.
    pub globals: HashMap<Symbol, Vec<u32>>,
}

/// An `if` or a `while` with its condition.
pub struct Branching {
    pub keyword: u32,
    pub condition: Condition,
    pub function: Symbol,
}

/// How a condition is evaluated.
pub enum Condition {
    /// The start of an operand that is evaluated as a whole.
    Operand(u32),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

pub struct CallPlace {
    pub callee: Symbol,
    /// The closing parenthesis.
    pub end: u32,
    pub function: Symbol,
}

#[derive(Clone, Copy)]
pub struct Whole {
    pub span: Span,
    pub function: Symbol,
}

impl Found {
    /// Takes over what is in another text.
    pub fn extend(&mut self, other: Found) {
        let before = self.branchings.len();
        self.starts.extend(other.starts);
        self.loops.extend(other.loops);
        self.branchings.extend(other.branchings);
        self.operands.extend(other.operands.into_iter().map(|(start, index)| (start, before + index)));
        self.calls.extend(other.calls);
        self.wholes.extend(other.wholes);
        for (name, list) in other.globals {
            self.globals.entry(name).or_default().extend(list);
        }
    }
}

pub fn unit(unit: &TranslationUnit, found: &mut Found) {
    for item in &unit.items {
        match item {
            Item::Declaration(declaration) => {
                for name in declared(declaration) {
                    found.globals.entry(name.name).or_default().push(name.span.lo);
                }
            }
            Item::Function(f) => {
                let Some(name) = f.declarator.name else { continue };
                let before = found.loops.len();
                let mut walker =
                    Walker { found, function: name.name, scope: Vec::new(), has_statements: false };
                walker.start(name.span);
                if let Some(DeclPart::Function(part)) = f.declarator.chain.first()
                    && let Params::Prototype { params, .. } = &part.params
                {
                    for name in params.iter().filter_map(|p| p.declarator.name) {
                        walker.start(name.span);
                        walker.scope.push(entry(name));
                    }
                }
                f.kr_declarations.iter().for_each(|d| walker.scope.extend(declared(d).map(entry)));
                walker.block(&f.body);
                // Loops inside of expressions begin where statements do.
                if walker.has_statements {
                    found.loops.iter_mut().skip(before).for_each(|l| l.first.clear());
                }
            }
            Item::StaticAssert(_) | Item::Asm(_) => {}
        }
    }
}

impl Condition {
    fn of(e: &Expr) -> Condition {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => Condition::Not(Box::new(Condition::of(inner))),
            ExprKind::Binary(BinaryOp::And, a, b) => {
                Condition::And(Box::new(Condition::of(a)), Box::new(Condition::of(b)))
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                Condition::Or(Box::new(Condition::of(a)), Box::new(Condition::of(b)))
            }
            _ => Condition::Operand(e.span.lo),
        }
    }

    /// What becomes of the whole when this operand turns out like this; None if more has to be looked at.
    pub fn decided(&self, operand: u32, holds: bool) -> Option<bool> {
        match self {
            Condition::Operand(start) => (*start == operand).then_some(holds),
            Condition::Not(inner) => inner.decided(operand, holds).map(|holds| !holds),
            Condition::And(a, b) => match a.decided(operand, holds) {
                Some(true) => None,
                Some(false) => Some(false),
                None => b.decided(operand, holds),
            },
            Condition::Or(a, b) => match a.decided(operand, holds) {
                Some(true) => Some(true),
                Some(false) => None,
                None => b.decided(operand, holds),
            },
        }
    }
}

struct Walker<'f> {
    found: &'f mut Found,
    function: Symbol,
    scope: Vec<(Symbol, u32)>,
    /// There are statements in expressions.
    has_statements: bool,
}

fn entry(name: Ident) -> (Symbol, u32) {
    (name.name, name.span.lo)
}

fn declared(declaration: &Declaration) -> impl Iterator<Item = Ident> {
    declaration.declarators.iter().filter_map(|d| d.declarator.name)
}

impl Walker<'_> {
    fn start(&mut self, span: Span) {
        self.found.starts.push(span.lo);
    }

    fn whole(&mut self, span: Span) {
        self.found.wholes.push(Whole { span, function: self.function });
    }

    fn block(&mut self, block: &Block) {
        let depth = self.scope.len();
        for item in &block.items {
            match item {
                BlockItem::Declaration(declaration) => self.declaration(declaration),
                BlockItem::Statement(stmt) => self.stmt(stmt),
                BlockItem::StaticAssert(_) | BlockItem::NestedFunction(_) | BlockItem::LocalLabels(_) => {}
            }
        }
        self.scope.truncate(depth);
    }

    fn declaration(&mut self, declaration: &Declaration) {
        self.whole(declaration.span);
        self.start(declaration.span);
        for declarator in &declaration.declarators {
            if let Some(name) = declarator.declarator.name {
                self.start(name.span);
                self.start(declarator.declarator.span);
                self.scope.push(entry(name));
            }
            if let Some(init) = &declarator.init {
                self.initializer(init);
            }
        }
    }

    fn initializer(&mut self, init: &Initializer) {
        match init {
            Initializer::Expr(e) => self.expr(e),
            Initializer::List(list) => list.items.iter().for_each(|item| self.initializer(&item.value)),
        }
    }

    /// An expression that is not part of another.
    fn full(&mut self, e: &Expr) {
        self.whole(e.span);
        self.expr(e);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.start(stmt.span);
        match &stmt.kind {
            StmtKind::Empty
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Error => {}
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) | StmtKind::GotoComputed(e) => {
                self.whole(stmt.span);
                self.expr(e);
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { cond, then, otherwise } => {
                self.branching(stmt.span.lo, cond);
                self.full(cond);
                self.stmt(then);
                otherwise.iter().for_each(|stmt| self.stmt(stmt));
            }
            StmtKind::While { cond, body } => {
                self.branching(stmt.span.lo, cond);
                self.round(stmt, false, Some(cond), body);
                self.full(cond);
                self.stmt(body);
            }
            StmtKind::DoWhile { body, cond } => {
                self.round(stmt, true, None, body);
                self.stmt(body);
                self.full(cond);
            }
            StmtKind::For { init, cond, step, body } => {
                // Its own variables are not visible where it begins.
                self.round(stmt, false, cond.as_ref(), body);
                let depth = self.scope.len();
                match init {
                    ForInit::None => {}
                    ForInit::Expr(e) => self.full(e),
                    ForInit::Declaration(declaration) => self.declaration(declaration),
                }
                cond.iter().chain(step).for_each(|e| self.full(e));
                self.stmt(body);
                self.scope.truncate(depth);
            }
            StmtKind::Switch { value, body } => {
                self.full(value);
                self.stmt(body);
            }
            StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label { body, .. } => {
                self.stmt(body);
            }
            StmtKind::Asm(asm) => {
                self.whole(stmt.span);
                asm.outputs.iter().chain(&asm.inputs).for_each(|operand| self.expr(&operand.expr));
            }
        }
    }

    fn branching(&mut self, keyword: u32, cond: &Expr) {
        let (index, condition) = (self.found.branchings.len(), Condition::of(cond));
        let mut work = vec![cond];
        while let Some(e) = work.pop() {
            match &e.kind {
                ExprKind::Unary(UnaryOp::Not, inner) => work.push(inner),
                ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => work.extend([&**a, &**b]),
                // These branch themselves, where they begin.
                ExprKind::Cond { .. } | ExprKind::Comma(..) | ExprKind::StmtExpr(_) => {}
                _ => {
                    self.found.operands.insert(e.span.lo, index);
                }
            }
        }
        self.found.branchings.push(Branching { keyword, condition, function: self.function });
    }

    fn round(&mut self, stmt: &Stmt, is_do: bool, cond: Option<&Expr>, body: &Stmt) {
        let mut first = Vec::new();
        leading(body, &mut first);
        let first_item = match &body.kind {
            StmtKind::Block(block) => match block.items.first() {
                Some(BlockItem::Declaration(d)) => Some(d.span.lo),
                Some(BlockItem::Statement(s)) => Some(s.span.lo),
                _ => None,
            },
            _ => None,
        };
        // Statements in a condition could loop there.
        if cond.is_some_and(has_statements) || first.is_empty() && cond.is_none() {
            return;
        }
        self.found.loops.push(LoopPlace {
            keyword: stmt.span.lo,
            is_do,
            condition: cond.map(|cond| cond.span),
            first,
            first_item,
            function: self.function,
            scope: self.scope.clone(),
        });
    }

    fn expr(&mut self, e: &Expr) {
        self.start(e.span);
        if let ExprKind::Call { callee, .. } = &e.kind
            && let ExprKind::Ident(name) = callee.kind
            && let Some(end) = e.span.hi.checked_sub(1)
        {
            let call = CallPlace { callee: name, end, function: self.function };
            self.found.calls.entry(e.span.lo).or_default().push(call);
        }
        if let ExprKind::StmtExpr(block) = &e.kind {
            self.has_statements = true;
            self.block(block);
        }
        if let ExprKind::CompoundLiteral(_, list) = &e.kind {
            list.items.iter().for_each(|item| self.initializer(&item.value));
        }
        children(e).into_iter().for_each(|child| self.expr(child));
    }
}

/// Operands that are evaluated.
fn children(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) | ExprKind::VaArg(a, _) => vec![a],
        ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Comma(a, b) => vec![a, b],
        ExprKind::Index(a, b) => vec![a, b],
        ExprKind::Cond { cond, then, otherwise } => {
            let mut list = vec![&**cond];
            list.extend(then.as_deref());
            list.push(otherwise);
            list
        }
        ExprKind::Call { callee, args } => std::iter::once(&**callee).chain(args).collect(),
        ExprKind::Member { base, .. } => vec![base],
        ExprKind::ChooseExpr(_, a, b) => vec![a, b],
        ExprKind::Generic { arms, .. } => arms.iter().map(|arm| &arm.value).collect(),
        _ => Vec::new(),
    }
}

fn has_statements(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::StmtExpr(_)) || children(e).into_iter().any(has_statements)
}

/// What is done first in a statement; several, if some of it may be nothing. True if it is certain that
/// something is done.
fn leading(stmt: &Stmt, spans: &mut Vec<Span>) -> bool {
    match &stmt.kind {
        StmtKind::Empty => false,
        StmtKind::Expr(e) | StmtKind::If { cond: e, .. } | StmtKind::Switch { value: e, .. } => {
            if !has_statements(e) {
                spans.push(e.span);
            }
            true
        }
        StmtKind::While { cond, .. } => {
            if !has_statements(cond) {
                spans.push(cond.span);
            }
            true
        }
        StmtKind::Return(_) => {
            spans.push(stmt.span);
            true
        }
        StmtKind::For { init: ForInit::Expr(e), .. } => {
            spans.push(e.span);
            true
        }
        StmtKind::For { init: ForInit::Declaration(d), .. } => {
            spans.push(d.span);
            true
        }
        StmtKind::DoWhile { body, .. } => leading(body, spans),
        // Where something may have been done before, jumps come in between.
        StmtKind::Label { body, .. } | StmtKind::Case { body, .. } | StmtKind::Default(body)
            if spans.is_empty() =>
        {
            leading(body, spans)
        }
        StmtKind::Block(block) => {
            for item in &block.items {
                let certain = match item {
                    BlockItem::Declaration(d) => {
                        if !d.declarators.is_empty() {
                            spans.push(d.span);
                        }
                        d.declarators.iter().any(|d| d.init.is_some())
                    }
                    BlockItem::Statement(stmt) => leading(stmt, spans),
                    BlockItem::LocalLabels(_) | BlockItem::StaticAssert(_) => false,
                    BlockItem::NestedFunction(_) => true,
                };
                if certain {
                    return true;
                }
            }
            false
        }
        _ => true,
    }
}
