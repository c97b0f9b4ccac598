//! Reads off a program what executions of it rest on.

use super::{Assumption, Undefined};
use ir::{
    AllocKind, BinOp, Body, CallGraph, Callee, CheckKind, Expr, ExprKind, FuncId, Function, HavocKind, Mark,
    Op, Program, Storage, Type, UnOp,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// All that is assumed of executions from `entry`. A kind of undefined behaviour for which the program has
/// checks is checked.
pub fn assumptions(program: &Program, entry: FuncId) -> Vec<Assumption> {
    let graph = CallGraph::of(program);
    let mut scan =
        Scan { program, found: BTreeSet::new(), checked: BTreeSet::new(), extents: BTreeMap::new() };
    let (mut pure, mut havoc) = (BTreeSet::new(), BTreeSet::new());
    let (mut volatile, mut unordered) = (BTreeSet::new(), BTreeSet::new());
    let (mut one_answer, mut weak) = (BTreeSet::new(), BTreeSet::new());
    let mut functions: BTreeSet<FuncId> = graph.reachable(&[entry]).into_iter().collect();
    let callees: Vec<FuncId> = functions.iter().flat_map(|f| graph.callees(*f).to_vec()).collect();
    functions.extend(callees);
    for id in functions {
        let function = program.function(id);
        volatile.extend(function.volatile_reads().map(Arc::from));
        if function.is_marked(Mark::Unordered) {
            unordered.insert(function.name.clone());
        }
        if function.is_marked(Mark::OneAnswer) {
            one_answer.insert(function.name.clone());
        }
        if function.is_marked(Mark::Weak) {
            weak.insert(function.name.clone());
        }
        if function.is_marked(Mark::Realigns) {
            scan.undefined(Undefined::Alignment);
        }
        if function.is_marked(Mark::MovesPointers) {
            scan.undefined(Undefined::Pointer);
        }
        match &function.body {
            Body::Defined(_) => scan.function(function),
            Body::Poisoned { .. } => {}
            Body::Extern if interp::is_modelled(program, id) => {}
            Body::Extern => {
                // What lowering calls by a name that C has not is inline assembly.
                let name = match &*function.name {
                    name if name.starts_with(encode::outside::OUTSIDE) => "code that pointers lead to".into(),
                    name if name.starts_with('.') => "inline assembly".into(),
                    _ => function.name.clone(),
                };
                (if function.havocs { &mut havoc } else { &mut pure }).insert(name);
                if function.ret == Some(Type::Ptr) || function.havocs {
                    scan.found.insert(Assumption::OutsideMemory);
                }
            }
        }
    }
    let entry = program.function(entry);
    if &*entry.name != "main" && entry.param_types().any(|ty| ty == Type::Ptr) {
        scan.found.insert(Assumption::OutsideMemory);
    }
    if let Some((count, length)) = entry.arguments() {
        scan.found.insert(Assumption::Arguments { count, length });
    }
    let Scan { mut found, checked, extents, .. } = scan;
    found.extend(extents.into_iter().map(|(bytes, names)| {
        let names = names.into_iter().collect();
        Assumption::Extent { bytes, names }
    }));
    found.retain(|assumption| match assumption {
        Assumption::Undefined(what) => what.check().is_none_or(|kind| !checked.contains(&kind)),
        _ => true,
    });
    let lists = [
        (pure, Assumption::Pure as fn(_) -> _),
        (havoc, Assumption::Havoc),
        (volatile, Assumption::Volatile),
        (unordered, Assumption::Order),
        (one_answer, Assumption::OneAnswer),
        (weak, Assumption::Weak),
    ];
    for (names, kind) in lists {
        if !names.is_empty() {
            found.insert(kind(names.into_iter().collect()));
        }
    }
    found.into_iter().collect()
}

struct Scan<'p> {
    program: &'p Program,
    found: BTreeSet<Assumption>,
    checked: BTreeSet<CheckKind>,
    /// Names of arrays of unknown length, by the size they were given.
    extents: BTreeMap<u64, BTreeSet<Arc<str>>>,
}

impl Scan<'_> {
    fn undefined(&mut self, what: Undefined) {
        self.found.insert(Assumption::Undefined(what));
    }

    fn function(&mut self, function: &Function) {
        let Some(cfa) = function.cfa() else { return };
        let may_fail = cfa.edges().iter().any(|edge| asks_for_memory(&edge.op));
        for edge in cfa.edges() {
            // What a check of undefined behaviour asks is asked, not done; the condition of an assertion is computed.
            if !matches!(edge.op, Op::Check { kind, .. } if kind != CheckKind::Assertion) {
                edge.op.exprs().into_iter().for_each(|e| self.expression(function, e));
            }
            match &edge.op {
                Op::Check { kind, .. } => {
                    self.checked.insert(*kind);
                }
                Op::Store { addr, value } => self.access(function, addr, value.ty),
                Op::Copy { .. } | Op::Fill { .. } | Op::Free { .. } => self.undefined(Undefined::Memory),
                Op::Alloc { kind: AllocKind::Heap, .. } if !may_fail => {
                    self.found.insert(Assumption::Allocation);
                }
                Op::Call { callee: Callee::Indirect(_), .. } => self.undefined(Undefined::Call),
                Op::Assume { cond, holds: true } if cond.as_const() == Some(0) => {
                    self.undefined(Undefined::Unreachable);
                }
                Op::Havoc { kind: HavocKind::Asm, .. } => {
                    self.found.insert(Assumption::Assembly);
                }
                Op::Havoc { var, kind: HavocKind::Input(_) } => {
                    let storage = match var {
                        ir::Var::Local(id) => function.local(*id).storage,
                        ir::Var::Global(id) => self.program.global(*id).storage,
                    };
                    if storage == Storage::Register(Type::Ptr) {
                        self.found.insert(Assumption::OutsideMemory);
                    }
                }
                _ => {}
            }
        }
    }

    fn expression(&mut self, function: &Function, e: &Expr) {
        e.walk(&mut |part| match &part.kind {
            ExprKind::Load(addr) => self.access(function, addr, part.ty),
            ExprKind::Binary(op, a, b) => self.operation(*op, a, b),
            ExprKind::Cast(a) if a.ty == Type::Ptr && part.ty.is_int() => {
                self.found.insert(Assumption::Addresses);
            }
            ExprKind::Cast(a) if a.ty.is_float() && part.ty.is_int() => self.undefined(Undefined::Conversion),
            ExprKind::VarArgs => self.undefined(Undefined::Variadic),
            ExprKind::Unary(UnOp::Neg, a) if is_signed(a.ty) => self.undefined(Undefined::Overflow),
            ExprKind::AddrGlobal(id) => {
                let global = self.program.global(*id);
                if let (Storage::Memory { size, .. }, None, true) =
                    (global.storage, &global.init, has_no_length(&global.c_type))
                {
                    self.extents.entry(size).or_default().insert(global.name.clone());
                }
            }
            ExprKind::Global(id) => {
                let global = self.program.global(*id);
                if global.init.is_none() && part.ty == Type::Ptr {
                    self.found.insert(Assumption::OutsideMemory);
                }
            }
            _ => {}
        });
    }

    fn operation(&mut self, op: BinOp, a: &Expr, b: &Expr) {
        let constant = b.as_const();
        match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul if is_signed(a.ty) => self.undefined(Undefined::Overflow),
            BinOp::Div | BinOp::Rem if a.ty.is_int() => {
                let minus_one = a.ty.as_int().filter(|int| int.signed).map(|int| int.mask());
                if constant.is_none_or(|bits| bits == 0 || Some(bits) == minus_one) {
                    self.undefined(Undefined::Division);
                }
            }
            BinOp::Shl | BinOp::Shr => {
                let bits = a.ty.as_int().map_or(0, |int| u128::from(int.bits));
                let loses = op == BinOp::Shl && is_signed(a.ty);
                if loses || constant.is_none_or(|count| count >= bits) {
                    self.undefined(Undefined::Shift);
                }
            }
            BinOp::Eq | BinOp::Ne
                if a.ty == Type::Ptr && a.as_const().is_none() && b.as_const().is_none() =>
            {
                self.found.insert(Assumption::Equality);
            }
            _ => {}
        }
    }

    /// An access to a variable at a place in it is valid as it stands.
    fn access(&mut self, function: &Function, addr: &Expr, ty: Type) {
        let (base, offset) = match &addr.kind {
            ExprKind::Binary(BinOp::PtrAdd, base, by) => (&**base, by.as_const()),
            _ => (addr, Some(0)),
        };
        let inside = self.size_of(function, base).zip(offset).is_some_and(|(size, at)| {
            let end = at.checked_add(u128::from(ty.access_size(&self.program.target)));
            end.is_some_and(|end| end <= u128::from(size))
        });
        if !inside {
            self.undefined(Undefined::Memory);
        }
    }

    /// The size of the variable whose address this is.
    fn size_of(&self, function: &Function, address: &Expr) -> Option<u64> {
        let storage = match address.kind {
            ExprKind::AddrGlobal(id) => self.program.global(id).storage,
            ExprKind::AddrLocal(id) => function.local(id).storage,
            _ => return None,
        };
        match storage {
            Storage::Memory { size, .. } => Some(size),
            Storage::Register(_) => None,
        }
    }
}

/// Whether an allocation fails is an input, if it is asked at all.
pub fn asks_for_memory(op: &Op) -> bool {
    match op {
        Op::Havoc { kind: HavocKind::Input(name), .. } => {
            matches!(
                &**name,
                "malloc" | "calloc" | "realloc" | "aligned_alloc" | "memalign" | "valloc" | "fopen"
            )
        }
        _ => false,
    }
}

fn is_signed(ty: Type) -> bool {
    ty.as_int().is_some_and(|int| int.signed)
}

/// Is this the type of an array whose length is not known?
fn has_no_length(c_type: &str) -> bool {
    c_type.contains("[]") && !c_type.contains("(*)[]")
}
