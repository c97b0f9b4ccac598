//! What the code says about the layout of what its pointers and globals hold.
//!
//! The IR has no struct types. But bytes that are read or written as part of a scalar are no padding, and
//! where some bits of a unit are changed and the others kept, there may be bit-fields with unused bits
//! between them. Only accesses at constant offsets from a parameter or from a global count: what others are
//! about is not known.

use ir::{BinOp, CallGraph, Expr, ExprKind, FuncId, GlobalId, LocalId, Op, Program, Target, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What is known of one object, by offset.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    /// Bytes of scalars.
    pub scalar: BTreeSet<i64>,
    /// Bytes of units of which some bits were kept.
    pub kept: BTreeSet<i64>,
}

#[derive(Clone, Debug, Default)]
pub struct Fields {
    params: Vec<Accesses>,
    globals: FxHashMap<GlobalId, Accesses>,
    /// Bits are kept in objects that are not known here.
    pub kept_elsewhere: bool,
}

impl Fields {
    /// From all code that `root` can run.
    pub fn of(program: &Program, root: FuncId) -> Fields {
        let mut fields = Fields::default();
        let Some(function) = program.functions.get(root.0 as usize) else { return fields };
        fields.params = vec![Accesses::default(); function.params as usize];
        // A parameter that is assigned may point elsewhere.
        let edges = || function.cfa().into_iter().flat_map(|cfa| cfa.edges());
        let assigned: BTreeSet<Var> = edges().filter_map(|e| e.op.written()).collect();
        let steady = |id: LocalId| id.0 < function.params && !assigned.contains(&Var::Local(id));
        for id in CallGraph::of(program).reachable(&[root]) {
            let params = |local: LocalId| id == root && steady(local);
            for edge in program.function(id).cfa().into_iter().flat_map(|cfa| cfa.edges()) {
                fields.operation(&edge.op, &program.target, &params);
            }
        }
        fields
    }

    /// Are bits kept in any object?
    pub fn kept_anywhere(&self) -> bool {
        let some = |accesses: &Accesses| !accesses.kept.is_empty();
        self.kept_elsewhere || self.params.iter().any(some) || self.globals.values().any(some)
    }

    pub fn param(&self, index: usize) -> Option<&Accesses> {
        self.params.get(index)
    }

    pub fn global(&self, id: GlobalId) -> Option<&Accesses> {
        self.globals.get(&id)
    }

    fn operation(&mut self, op: &Op, target: &Target, params: &dyn Fn(LocalId) -> bool) {
        for e in op.exprs() {
            e.walk(&mut |e| {
                if let ExprKind::Load(addr) = &e.kind {
                    self.access(addr, e.ty.access_size(target), false, params);
                }
            });
        }
        if let Op::Store { addr, value } = op {
            self.access(addr, value.ty.access_size(target), keeps_bits(addr, value), params);
        }
    }

    fn access(&mut self, addr: &Expr, size: u64, keeps: bool, params: &dyn Fn(LocalId) -> bool) {
        let (base, offset) = split(addr);
        let accesses = match &base.kind {
            ExprKind::Local(id) if params(*id) => self.params.get_mut(id.0 as usize),
            ExprKind::AddrGlobal(id) => Some(self.globals.entry(*id).or_default()),
            _ => None,
        };
        let Some(accesses) = accesses else {
            self.kept_elsewhere |= keeps;
            return;
        };
        let bytes = (0..size as i64).map(|i| offset.wrapping_add(i));
        if keeps { accesses.kept.extend(bytes) } else { accesses.scalar.extend(bytes) }
    }
}

/// Does the stored value keep bits of what was there?
fn keeps_bits(addr: &Expr, value: &Expr) -> bool {
    let mut keeps = false;
    value.walk(&mut |e| {
        if let ExprKind::Binary(BinOp::And, a, b) = &e.kind {
            keeps |= matches!(&a.kind, ExprKind::Load(from) if **from == *addr) && b.as_const().is_some();
        }
    });
    keeps
}

/// An address as something and a constant offset from it.
fn split(addr: &Expr) -> (&Expr, i64) {
    match &addr.kind {
        ExprKind::Binary(BinOp::PtrAdd, base, by) => match (by.as_const(), by.ty.as_int()) {
            (Some(bits), Some(int)) => {
                let (base, offset) = split(base);
                (base, offset.wrapping_add(int.value(bits) as i64))
            }
            _ => (addr, 0),
        },
        _ => (addr, 0),
    }
}
