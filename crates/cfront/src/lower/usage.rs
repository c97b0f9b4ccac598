//! One walk over the typed tree before lowering: whose address is taken, which functions and globals are
//! used.
//!
//! A variable whose address is never taken becomes registers; everything else lives in memory.

use super::call::callee_function;
use super::steps::{Step, steps};
use crate::hir::*;
use rustc_hash::FxHashSet;

/// What one function body uses.
#[derive(Default)]
pub struct BodyUsage {
    pub address_taken: FxHashSet<LocalId>,
    /// Those of them to which a pointer is made that is not followed at once, as `a[i]` does.
    pub pointed: FxHashSet<LocalId>,
}

/// What one unit uses.
#[derive(Default)]
pub struct UnitUsage {
    pub address_taken: FxHashSet<GlobalId>,
    /// One for each function.
    pub bodies: Vec<BodyUsage>,
    /// Functions that bodies and initialisers mention, in order of appearance.
    pub functions: Vec<FuncId>,
    /// Those whose address is taken.
    pub pointed: Vec<FuncId>,
}

pub fn unit_usage(unit: &Unit) -> UnitUsage {
    let mut usage = UnitUsage::default();
    for function in &unit.functions {
        let mut walk = Walk { usage: &mut usage, body: BodyUsage::default() };
        if let Some(body) = &function.body
            && function.poison.is_none()
        {
            walk.stmts(&body.stmts);
        }
        let body = walk.body;
        usage.bodies.push(body);
    }
    for global in &unit.globals {
        let Definition::Defined(init) = &global.definition else { continue };
        for item in &init.items {
            match item.value {
                ConstValue::Address { base: AddressBase::Global(id), .. } => {
                    usage.address_taken.insert(id);
                }
                ConstValue::Address { base: AddressBase::Function(id), .. } => {
                    usage.functions.push(id);
                    usage.pointed.push(id);
                }
                _ => {}
            }
        }
    }
    usage
}

struct Walk<'a> {
    usage: &'a mut UnitUsage,
    body: BodyUsage,
}

impl Walk<'_> {
    fn stmts(&mut self, stmts: &[Stmt]) {
        steps(stmts, &mut |step| match step {
            Step::Expr(e) => self.expr(e),
            Step::Declare(_, None) => {}
            Step::Declare(_, Some(init)) => self.init(init),
            Step::Asm { inputs, outputs, .. } => {
                for e in inputs.iter().chain(outputs.iter().map(|o| &o.place)) {
                    self.expr(e);
                }
            }
        });
    }

    fn init(&mut self, init: &LocalInit) {
        for item in &init.items {
            if let InitValue::Expr(e) = &item.value {
                self.expr(e);
            }
        }
    }

    fn take_address(&mut self, mut place: &Expr, followed: bool) {
        loop {
            match &place.kind {
                ExprKind::Local(id) | ExprKind::CompoundLiteral(id, _) => {
                    self.body.address_taken.insert(*id);
                    if !followed {
                        self.body.pointed.insert(*id);
                    }
                    return;
                }
                ExprKind::Global(id) => {
                    self.usage.address_taken.insert(*id);
                    return;
                }
                ExprKind::Member(base, _) => place = base,
                _ => return,
            }
        }
    }

    /// `*e`, for any `e`; elements of arrays are `*(a + i)`.
    fn follow(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::AddrOf(p) | ExprKind::Decay(p) => {
                self.take_address(p, true);
                self.expr(p);
            }
            ExprKind::PtrOffset { ptr, index, scale, .. } => {
                self.follow(ptr);
                self.expr(index);
                self.expr(scale);
            }
            _ => self.expr(e),
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::String(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Current => {}
            ExprKind::Function(id) => {
                self.usage.functions.push(*id);
                self.usage.pointed.push(*id);
            }
            ExprKind::AddrOf(p) | ExprKind::Decay(p) => {
                self.take_address(p, false);
                self.expr(p);
            }
            ExprKind::Deref(e) => self.follow(e),
            ExprKind::Member(e, _)
            | ExprKind::Load(e)
            | ExprKind::Convert(e)
            | ExprKind::Neg(e)
            | ExprKind::BitNot(e)
            | ExprKind::Not(e)
            | ExprKind::VaStart(e)
            | ExprKind::VaArg(e)
            | ExprKind::VaEnd(e) => self.expr(e),
            ExprKind::CompoundLiteral(_, init) => self.init(init),
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                // A left-leaning chain may be long.
                self.expr(b);
                let mut left = &**a;
                while let ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) = &left.kind {
                    self.expr(b);
                    left = a;
                }
                self.expr(left);
            }
            ExprKind::Assign(a, b) | ExprKind::Comma(a, b) | ExprKind::VaCopy(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Update { place, value, .. } => {
                self.expr(place);
                self.expr(value);
            }
            ExprKind::PtrOffset { ptr, index, scale, .. } => {
                self.expr(ptr);
                self.expr(index);
                self.expr(scale);
            }
            ExprKind::PtrDiff { a, b, scale } => {
                self.expr(a);
                self.expr(b);
                self.expr(scale);
            }
            ExprKind::Cond(a, b, c) | ExprKind::CondElvis(a, b, c) => {
                self.expr(a);
                self.expr(b);
                self.expr(c);
            }
            ExprKind::Call { callee, args } => {
                match callee_function(callee) {
                    Some(id) => self.usage.functions.push(id),
                    None => self.expr(callee),
                }
                for arg in args {
                    self.expr(arg);
                }
            }
            ExprKind::StmtExpr(stmts, value) => {
                self.stmts(stmts);
                if let Some(value) = value {
                    self.expr(value);
                }
            }
            ExprKind::Builtin(_, args) => {
                for arg in args {
                    self.expr(arg);
                }
            }
        }
    }
}
