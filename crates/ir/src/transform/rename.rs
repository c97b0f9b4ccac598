//! Operations of a callee in terms of the caller's locals.

use crate::cfa::{Callee, Op};
use crate::expr::{Expr, ExprKind};
use crate::program::{LocalId, Var};

pub(super) struct Rename<'a> {
    /// What to add to a local.
    pub base: u32,
    /// Memory locals that became registers, which hold the address.
    pub allocated: &'a [LocalId],
}

impl Rename<'_> {
    pub fn op(&self, op: &Op) -> Op {
        let e = |e: &Expr| self.expr(e);
        let v = |var: &Var| match var {
            Var::Local(id) => Var::Local(self.local(*id)),
            Var::Global(_) => *var,
        };
        match op {
            Op::Skip => Op::Skip,
            Op::Assume { cond, holds } => Op::Assume { cond: e(cond), holds: *holds },
            Op::Assign { var, value } => Op::Assign { var: v(var), value: e(value) },
            Op::Store { addr, value } => Op::Store { addr: e(addr), value: e(value) },
            Op::Havoc { var, kind } => Op::Havoc { var: v(var), kind: kind.clone() },
            Op::Copy { dst, src, len } => Op::Copy { dst: e(dst), src: e(src), len: e(len) },
            Op::Fill { dst, byte, len } => Op::Fill { dst: e(dst), byte: e(byte), len: e(len) },
            Op::Alloc { var, size, kind } => Op::Alloc { var: v(var), size: e(size), kind: *kind },
            Op::Free { ptr } => Op::Free { ptr: e(ptr) },
            Op::Lifetime { ptr, begins } => Op::Lifetime { ptr: e(ptr), begins: *begins },
            Op::Call { dst, callee, args } => Op::Call {
                dst: dst.as_ref().map(v),
                callee: match callee {
                    Callee::Direct(id) => Callee::Direct(*id),
                    Callee::Indirect(target) => Callee::Indirect(e(target)),
                },
                args: args.iter().map(e).collect(),
            },
            Op::Return(value) => Op::Return(value.as_ref().map(e)),
            Op::Check { kind, cond, message } => {
                Op::Check { kind: *kind, cond: e(cond), message: message.clone() }
            }
            Op::Halt(code) => Op::Halt(code.as_ref().map(e)),
        }
    }

    fn local(&self, id: LocalId) -> LocalId {
        LocalId(id.0 + self.base)
    }

    fn expr(&self, e: &Expr) -> Expr {
        let boxed = |e: &Expr| Box::new(self.expr(e));
        let kind = match &e.kind {
            ExprKind::Local(id) => ExprKind::Local(self.local(*id)),
            ExprKind::AddrLocal(id) if self.allocated.contains(id) => ExprKind::Local(self.local(*id)),
            ExprKind::AddrLocal(id) => ExprKind::AddrLocal(self.local(*id)),
            ExprKind::Const(_)
            | ExprKind::Global(_)
            | ExprKind::AddrGlobal(_)
            | ExprKind::AddrFunc(_)
            | ExprKind::VarArgs => e.kind.clone(),
            ExprKind::Load(a) => ExprKind::Load(boxed(a)),
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, boxed(a)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, boxed(a), boxed(b)),
            ExprKind::Cast(a) => ExprKind::Cast(boxed(a)),
            ExprKind::Ite(list) => ExprKind::Ite(Box::new(list.each_ref().map(|e| self.expr(e)))),
            ExprKind::Valid { ptr, size, write } => {
                ExprKind::Valid { ptr: boxed(ptr), size: boxed(size), write: *write }
            }
            ExprKind::Freeable(a) => ExprKind::Freeable(boxed(a)),
            ExprKind::ObjectSize(a) => ExprKind::ObjectSize(boxed(a)),
            ExprKind::HeapKept { rule, also } => {
                ExprKind::HeapKept { rule: *rule, also: also.as_deref().map(boxed) }
            }
        };
        Expr { ty: e.ty, kind }
    }
}
