//! Which functions a pointer may hold.
//!
//! Cheap, and valid whatever function an analysis starts from: what comes from outside a function
//! (parameters, memory, globals, results of calls) may be any function whose address the program takes.
//! Within a function, local registers hold what is assigned to them anywhere in it, and tables that never
//! change hold what they start with.
//!
//! Two assumptions, which the memory model makes for all objects: an address is never guessed, that is, a
//! number the program makes up is not the address of a function; and an access through a pointer into an
//! object stays in that object. A local is written (if only by `uninit`) before it is read; lowering sees to
//! that.

use crate::calls::same_representation;
use crate::cfa::{Callee, Edge, Op};
use crate::expr::{BinOp, Expr, ExprKind};
use crate::graph;
use crate::program::{FuncId, Function, Global, GlobalId, Init, InitValue, Program, Storage, Var};
use crate::types::Type;
use std::collections::BTreeSet;

/// A set of functions; none if it may be any whose address is taken.
type Set = Option<BTreeSet<FuncId>>;

/// The functions whose address these expressions have, as often as they have it.
pub fn addresses_in<'a>(exprs: impl IntoIterator<Item = &'a Expr>) -> Vec<FuncId> {
    let mut found = Vec::new();
    for e in exprs {
        e.walk(&mut |part| {
            if let ExprKind::AddrFunc(id) = part.kind {
                found.push(id);
            }
        });
    }
    found
}

/// The functions whose address is taken in code or initialisers, other than to call them right there;
/// ascending.
pub fn address_taken(program: &Program) -> Vec<FuncId> {
    values(program, |edge| match &edge.op {
        Op::Call { callee: Callee::Indirect(Expr { kind: ExprKind::AddrFunc(_), .. }), args, .. } => {
            args.iter().collect()
        }
        op => op.exprs(),
    })
}

/// The functions whose address occurs anywhere, if only to call them right there with another type;
/// ascending.
pub fn address_occurs(program: &Program) -> Vec<FuncId> {
    values(program, |edge| edge.op.exprs())
}

fn values<'a>(program: &'a Program, exprs: impl Fn(&'a Edge) -> Vec<&'a Expr>) -> Vec<FuncId> {
    let edges = program.functions.iter().filter_map(|f| f.cfa()).flat_map(|cfa| cfa.edges());
    let found: BTreeSet<FuncId> =
        addresses_in(program.initial_values().chain(edges.flat_map(exprs))).into_iter().collect();
    found.into_iter().filter(|id| (id.0 as usize) < program.functions.len()).collect()
}

/// By function: is it a root, or called by name or its address taken in an initialiser or in the code of such
/// a function? `code` gives a function's edges that count.
pub fn named<'a>(
    program: &'a Program,
    roots: &[FuncId],
    mut code: impl FnMut(FuncId) -> Vec<&'a Edge>,
) -> Vec<bool> {
    let start = roots.iter().copied().chain(addresses_in(program.initial_values()));
    graph::reachable(program.functions.len(), start, |f| {
        let edges = code(f);
        let called = edges.iter().filter_map(|edge| match edge.op {
            Op::Call { callee: Callee::Direct(id), .. } => Some(id),
            _ => None,
        });
        let mut named: Vec<FuncId> = called.collect();
        named.extend(addresses_in(edges.iter().flat_map(|edge| edge.op.exprs())));
        named
    })
}

/// What the local registers of one function may hold.
pub struct Pointees<'a> {
    program: &'a Program,
    locals: Vec<Set>,
}

impl<'a> Pointees<'a> {
    pub fn of(program: &'a Program, function: &'a Function) -> Pointees<'a> {
        let mut locals = vec![Some(BTreeSet::new()); function.locals.len()];
        locals.iter_mut().take(function.params as usize).for_each(|set| *set = None);
        let mut assigned: Vec<(usize, &Expr)> = Vec::new();
        for edge in function.cfa().into_iter().flat_map(|cfa| cfa.edges()) {
            match (&edge.op, edge.op.written()) {
                (Op::Assign { value, .. }, Some(Var::Local(id))) => assigned.push((id.0 as usize, value)),
                (Op::Alloc { .. }, _) => {}
                (_, Some(Var::Local(id))) => locals[id.0 as usize] = None,
                _ => {}
            }
        }
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); locals.len()];
        for (i, (_, value)) in assigned.iter().enumerate() {
            value.walk(&mut |e| {
                if let ExprKind::Local(id) = e.kind {
                    readers[id.0 as usize].push(i);
                }
            });
        }
        let mut pointees = Pointees { program, locals };
        let mut work: Vec<usize> = (0..assigned.len()).rev().collect();
        while let Some(i) = work.pop() {
            let (local, value) = assigned[i];
            let before = pointees.locals[local].clone();
            let after = union(before.clone(), pointees.eval(value));
            if before != after {
                pointees.locals[local] = after;
                work.extend(&readers[local]);
            }
        }
        pointees
    }

    /// The functions that `e` may be the address of, ascending; none if any whose address is taken.
    pub fn of_expr(&self, e: &Expr) -> Option<Vec<FuncId>> {
        self.eval(e)
            .map(|set| set.into_iter().filter(|f| (f.0 as usize) < self.program.functions.len()).collect())
    }

    fn eval(&self, e: &Expr) -> Set {
        match &e.kind {
            ExprKind::AddrFunc(id) => Some(BTreeSet::from([*id])),
            ExprKind::Const(_) | ExprKind::AddrLocal(_) | ExprKind::AddrGlobal(_) | ExprKind::VarArgs => {
                Some(BTreeSet::new())
            }
            ExprKind::Local(id) => self.locals.get(id.0 as usize).cloned().flatten(),
            ExprKind::Global(id) => self.table(self.constant_global(*id)?.1, Some(0)),
            ExprKind::Ite(list) => union(self.eval(&list[1]), self.eval(&list[2])),
            // A place in a table is not a function.
            ExprKind::Binary(BinOp::PtrAdd, ..) if base(e).is_some() => Some(BTreeSet::new()),
            ExprKind::Cast(inner) if self.holds_pointer(e.ty) && self.holds_pointer(inner.ty) => {
                self.eval(inner)
            }
            ExprKind::Load(addr) if self.holds_pointer(e.ty) => {
                let (id, offset) = base(addr)?;
                let (global, init) = self.constant_global(id)?;
                match global.storage {
                    Storage::Memory { .. } => self.table(init, offset),
                    Storage::Register(_) => None,
                }
            }
            _ => None,
        }
    }

    fn holds_pointer(&self, ty: Type) -> bool {
        same_representation(ty, Type::Ptr, &self.program.target)
    }

    fn constant_global(&self, id: GlobalId) -> Option<(&'a Global, &'a Init)> {
        let global = self.program.globals.get(id.0 as usize).filter(|g| g.constant)?;
        Some((global, global.init.as_ref()?))
    }

    /// What a pointer read from a table at `offset` (none: anywhere) may be.
    fn table(&self, init: &Init, offset: Option<i128>) -> Set {
        let mut scalars = init.items.iter().filter_map(|item| match &item.value {
            InitValue::Scalar(e) if offset.is_none_or(|offset| offset == i128::from(item.offset)) => Some(e),
            _ => None,
        });
        scalars.try_fold(BTreeSet::new(), |mut set, e| {
            set.extend(self.eval(e)?);
            Some(set)
        })
    }
}

/// The global that an address is in, and where, if it says so.
fn base(addr: &Expr) -> Option<(GlobalId, Option<i128>)> {
    match &addr.kind {
        ExprKind::AddrGlobal(id) => Some((*id, Some(0))),
        ExprKind::Binary(BinOp::PtrAdd, inner, by) => {
            let (id, offset) = base(inner)?;
            let by = by.as_const().and_then(|bits| Some(by.ty.as_int()?.value(bits)));
            Some((id, offset.zip(by).and_then(|(offset, by)| offset.checked_add(by))))
        }
        _ => None,
    }
}

fn union(a: Set, b: Set) -> Set {
    let (mut a, b) = (a?, b?);
    a.extend(b);
    Some(a)
}
