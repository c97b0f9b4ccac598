//! One walk over statements: what they do, one step after the other, whatever they are nested in.

use crate::hir::*;

/// What a statement does by itself, without the statements inside of it.
pub(super) enum Step<'s> {
    Expr(&'s Expr),
    /// A local is declared, with its initial value or any.
    Declare(LocalId, Option<&'s LocalInit>),
    Asm {
        memory: bool,
        inputs: &'s [Expr],
        outputs: &'s [AsmOutput],
    },
}

/// Visits the steps in the order of the text, but conditions of loops before their bodies.
pub(super) fn steps<'s>(stmts: &'s [Stmt], visit: &mut dyn FnMut(Step<'s>)) {
    for stmt in stmts {
        step(stmt, visit);
    }
}

fn step<'s>(mut stmt: &'s Stmt, visit: &mut dyn FnMut(Step<'s>)) {
    // An else-if chain may be long: follow it in a loop.
    while let StmtKind::If(cond, then, rest) = &stmt.kind {
        visit(Step::Expr(cond));
        step(then, visit);
        let Some(rest) = rest else { return };
        stmt = rest;
    }
    match &stmt.kind {
        StmtKind::Expr(e) | StmtKind::Return(Some(e)) => visit(Step::Expr(e)),
        StmtKind::Declare(id, init) => visit(Step::Declare(*id, init.as_ref())),
        StmtKind::Block(stmts) => steps(stmts, visit),
        StmtKind::While(e, body) | StmtKind::DoWhile(body, e) | StmtKind::Switch { value: e, body } => {
            visit(Step::Expr(e));
            step(body, visit);
        }
        StmtKind::For { init, cond, step: next, body } => {
            steps(init, visit);
            for e in cond.iter().chain(next) {
                visit(Step::Expr(e));
            }
            step(body, visit);
        }
        StmtKind::Asm { memory, inputs, outputs, .. } => {
            visit(Step::Asm { memory: *memory, inputs, outputs });
        }
        StmtKind::If(..)
        | StmtKind::Case { .. }
        | StmtKind::Default
        | StmtKind::Label(_)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(None) => {}
    }
}
