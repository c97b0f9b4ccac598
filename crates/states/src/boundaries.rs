//! Which values a program tells apart.
//!
//! A comparison of a variable with a constant divides the values of the variable at the constant; so does one
//! of another variable that it is copied to, from or through: variables that are copied are divided alike.

use engine::Slot;
use ir::{BinOp, Callee, Expr, ExprKind, FuncId, IntType, Op, Program, Type, Var};
use rustc_hash::FxHashMap;

/// By variable: the least values of the parts, ascending, but for that of the first.
#[derive(Clone, Debug, Default)]
pub struct Boundaries {
    /// By variable: a variable that is divided alike.
    alike: FxHashMap<Key, Key>,
    found: FxHashMap<Key, Vec<i128>>,
}

/// A variable, or what a function returns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Key {
    Slot(Slot),
    Result(FuncId),
}

/// More parts are not told apart.
const MOST: usize = 256;

impl Boundaries {
    pub fn of(program: &Program) -> Boundaries {
        let mut boundaries = Boundaries::default();
        for function in program.function_ids() {
            let Some(cfa) = program.function(function).cfa() else { continue };
            for edge in cfa.edges() {
                boundaries.copies(program, function, &edge.op);
            }
        }
        for function in program.function_ids() {
            let Some(cfa) = program.function(function).cfa() else { continue };
            for edge in cfa.edges() {
                for e in edge.op.exprs() {
                    e.walk(&mut |e| boundaries.compares(function, e));
                }
            }
        }
        for list in boundaries.found.values_mut() {
            list.sort_unstable();
            list.dedup();
            list.truncate(MOST);
        }
        boundaries
    }

    /// The parts of all values of an integer type, for this variable.
    pub fn parts(&self, slot: Slot, ty: IntType) -> Vec<(i128, i128)> {
        let all = ranges::Values::all(ty);
        let inside = self.at(slot).iter().copied().filter(|at| all.low() < *at && *at <= all.high());
        let mut parts = Vec::new();
        let mut low = all.low();
        for at in inside {
            parts.push((low, at - 1));
            low = at;
        }
        parts.push((low, all.high()));
        parts
    }

    pub fn at(&self, slot: Slot) -> &[i128] {
        self.found.get(&self.leader(Key::Slot(slot))).map_or(&[], Vec::as_slice)
    }

    fn copies(&mut self, program: &Program, function: FuncId, op: &Op) {
        match op {
            Op::Assign { var, value } => {
                if let Some(from) = copied(function, value) {
                    self.join(key(function, *var), from);
                }
            }
            Op::Call { dst, callee: Callee::Direct(callee), args } => {
                let params = program.function(*callee).params;
                for (i, arg) in args.iter().enumerate().take(params as usize) {
                    if let Some(from) = copied(function, arg) {
                        self.join(Key::Slot(Slot::Local(*callee, ir::LocalId(i as u32))), from);
                    }
                }
                if let Some(var) = dst {
                    self.join(key(function, *var), Key::Result(*callee));
                }
            }
            Op::Return(Some(value)) => {
                if let Some(from) = copied(function, value) {
                    self.join(Key::Result(function), from);
                }
            }
            _ => {}
        }
    }

    fn compares(&mut self, function: FuncId, e: &Expr) {
        let ExprKind::Binary(op, a, b) = &e.kind else { return };
        let (var, constant, left) = match (copied(function, a), copied(function, b)) {
            (Some(var), None) => (var, b, true),
            (None, Some(var)) => (var, a, false),
            _ => return,
        };
        let Some(value) = number(constant) else { return };
        let at: &[i128] = match (op, left) {
            (BinOp::Eq | BinOp::Ne, _) => &[value, value + 1],
            (BinOp::Lt, true) | (BinOp::Le, false) => &[value],
            (BinOp::Lt, false) | (BinOp::Le, true) => &[value + 1],
            _ => return,
        };
        let leader = self.leader(var);
        self.found.entry(leader).or_default().extend(at);
    }

    fn leader(&self, mut key: Key) -> Key {
        while let Some(next) = self.alike.get(&key) {
            key = *next;
        }
        key
    }

    fn join(&mut self, a: Key, b: Key) {
        let (a, b) = (self.leader(a), self.leader(b));
        if a != b {
            self.alike.insert(a, b);
        }
    }
}

fn key(function: FuncId, var: Var) -> Key {
    Key::Slot(match var {
        Var::Local(id) => Slot::Local(function, id),
        Var::Global(id) => Slot::Global(id),
    })
}

/// The variable whose value this is, converted perhaps.
fn copied(function: FuncId, e: &Expr) -> Option<Key> {
    match &e.kind {
        ExprKind::Local(id) => Some(key(function, Var::Local(*id))),
        ExprKind::Global(id) => Some(key(function, Var::Global(*id))),
        ExprKind::Cast(inner) if e.ty.is_int() && inner.ty.is_int() => copied(function, inner),
        _ => None,
    }
}

fn number(e: &Expr) -> Option<i128> {
    match (&e.kind, e.ty) {
        (ExprKind::Const(bits), Type::Int(int)) => Some(int.value(*bits)),
        _ => None,
    }
}
