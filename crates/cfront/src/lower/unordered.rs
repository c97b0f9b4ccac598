//! Operands and arguments whose order of evaluation C leaves open (C11 6.5), and matters: one writes what
//! another reads or writes. Lowering has one order (`order`), so the functions that have such operands are
//! marked, and the order is an assumption.

use super::call::callee_function;
use super::effects::{Body, Called, Effects, Spot, Summaries, parameters};
use super::link::Linked;
use super::steps::{Step, steps};
use crate::hir::*;
use rustc_hash::FxHashSet;

impl Linked<'_> {
    /// The program's functions that have such operands.
    pub(super) fn unordered_functions(&self) -> FxHashSet<(usize, FuncId)> {
        let mut bodies: Vec<Body> = Vec::new();
        bodies.resize_with(self.function_count(), Body::default);
        let mut pointed = Vec::new();
        for (u, unit) in self.units.iter().enumerate() {
            for (f, function, body) in defined(&unit.unit) {
                let mut walk = Walk::new(self, u, f, None);
                let effects = walk.stmts(&body.stmts);
                bodies[self.function_key(u, f)] = Body { effects, calls: walk.calls };
                if unit.usage.pointed.contains(&f) {
                    pointed.push((self.function_key(u, f), parameters(&unit.unit.types, function)));
                }
            }
        }
        let summaries = Summaries::new(bodies, pointed);
        let mut found = FxHashSet::default();
        for (u, unit) in self.units.iter().enumerate().filter(|(_, unit)| !unit.is_model) {
            for (f, _, body) in defined(&unit.unit) {
                let mut walk = Walk::new(self, u, f, Some(&summaries));
                walk.stmts(&body.stmts);
                if walk.found {
                    found.insert((u, f));
                }
            }
        }
        found
    }
}

fn defined(unit: &Unit) -> impl Iterator<Item = (FuncId, &Function, &FunctionBody)> {
    let functions = unit.functions.iter().enumerate();
    functions
        .filter_map(|(i, f)| Some((FuncId(i as u32), f, f.body.as_ref().filter(|_| f.poison.is_none())?)))
}

/// Computes the effects of the code of one function. Without summaries calls are written down, with them they
/// are looked into.
struct Walk<'l, 'a> {
    linked: &'l Linked<'a>,
    unit: usize,
    function: FuncId,
    summaries: Option<&'l Summaries>,
    calls: Vec<Called>,
    found: bool,
}

impl<'l, 'a> Walk<'l, 'a> {
    fn new(linked: &'l Linked<'a>, unit: usize, function: FuncId, summaries: Option<&'l Summaries>) -> Self {
        Walk { linked, unit, function, summaries, calls: Vec::new(), found: false }
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> Effects {
        let mut all = Effects::default();
        steps(stmts, &mut |step| match step {
            Step::Expr(e) => all.add(self.expr(e)),
            Step::Declare(id, init) => {
                all.writes.insert(Spot::Local(id, false));
                all.add(init.map_or_else(Effects::default, |init| self.init(init)));
            }
            Step::Asm { memory, inputs, outputs } => {
                for e in inputs {
                    all.add(self.expr(e));
                }
                for output in outputs {
                    all.add(self.address(&output.place));
                    all.writes.extend(self.linked.spot(self.unit, self.function, &output.place));
                }
                all.outside |= memory;
            }
        });
        all
    }

    fn init(&mut self, init: &LocalInit) -> Effects {
        let values = init.items.iter().filter_map(|item| match &item.value {
            InitValue::Expr(e) => Some(e),
            InitValue::Bytes(_) => None,
        });
        self.unordered(values)
    }

    /// Operands that may be evaluated in any order.
    fn unordered<'e>(&mut self, operands: impl IntoIterator<Item = &'e Expr>) -> Effects {
        let mut all = Effects::default();
        for operand in operands {
            let next = self.expr(operand);
            self.join(&mut all, next);
        }
        all
    }

    fn join(&mut self, all: &mut Effects, next: Effects) {
        self.found |= self.summaries.is_some() && !self.found && all.meets(&next);
        all.add(next);
    }

    /// What it takes to find a place.
    fn address(&mut self, place: &Expr) -> Effects {
        match &place.kind {
            ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::String(_) | ExprKind::Function(_) => {
                Effects::default()
            }
            ExprKind::Deref(e) => self.expr(e),
            ExprKind::Member(inner, _) => self.address(inner),
            ExprKind::CompoundLiteral(_, init) => self.init(init),
            _ => self.expr(place),
        }
    }

    fn expr(&mut self, e: &Expr) -> Effects {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Current => Effects::default(),
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Function(_)
            | ExprKind::String(_)
            | ExprKind::Deref(_)
            | ExprKind::Member(..)
            | ExprKind::CompoundLiteral(..) => self.address(e),
            ExprKind::Decay(place) | ExprKind::AddrOf(place) => self.address(place),
            ExprKind::Load(place) => {
                let mut all = self.address(place);
                all.reads.extend(self.linked.spot(self.unit, self.function, place));
                all
            }
            ExprKind::Convert(a) | ExprKind::Neg(a) | ExprKind::BitNot(a) | ExprKind::Not(a) => self.expr(a),
            ExprKind::Binary(_, a, b) => self.unordered([&**a, &**b]),
            ExprKind::PtrOffset { ptr, index, .. } => self.unordered([&**ptr, &**index]),
            ExprKind::PtrDiff { a, b, .. } => self.unordered([&**a, &**b]),
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Comma(a, b) => {
                let mut all = self.expr(a);
                all.add(self.expr(b));
                all
            }
            ExprKind::Cond(a, b, c) | ExprKind::CondElvis(a, b, c) => {
                let mut all = self.expr(a);
                all.add(self.expr(b));
                all.add(self.expr(c));
                all
            }
            ExprKind::Assign(place, value) => {
                let mut all = self.address(place);
                let value = self.expr(value);
                self.join(&mut all, value);
                all.writes.extend(self.linked.spot(self.unit, self.function, place));
                all
            }
            ExprKind::Update { place, value, .. } => {
                let mut all = self.address(place);
                let spot = self.linked.spot(self.unit, self.function, place);
                all.reads.extend(spot);
                let value = self.expr(value);
                self.join(&mut all, value);
                all.writes.extend(spot);
                all
            }
            ExprKind::Call { callee, args } => self.call(callee, args),
            ExprKind::StmtExpr(stmts, value) => {
                let mut all = self.stmts(stmts);
                if let Some(value) = value {
                    all.add(self.expr(value));
                }
                all
            }
            ExprKind::VaStart(ap) | ExprKind::VaArg(ap) | ExprKind::VaEnd(ap) | ExprKind::VaCopy(ap, _) => {
                let mut all = self.expr(ap);
                all.writes.extend(self.linked.pointee(self.unit, self.function, ap));
                all
            }
            ExprKind::Builtin(builtin, args) => {
                let mut all = self.unordered(args);
                if matches!(builtin, Builtin::AddOverflow | Builtin::SubOverflow | Builtin::MulOverflow) {
                    let result = args.get(2);
                    all.writes.extend(result.and_then(|p| self.linked.pointee(self.unit, self.function, p)));
                }
                all
            }
        }
    }

    /// Arguments come in any order, and all before the call.
    fn call(&mut self, callee: &Expr, args: &[Expr]) -> Effects {
        let direct = callee_function(callee);
        let pointer = if direct.is_none() { Some(callee) } else { None };
        let mut all = self.unordered(pointer.into_iter().chain(args));
        let called = match direct {
            Some(id) if self.linked.is_defined(self.unit, id) => {
                Called::Function(self.linked.function_key(self.unit, id))
            }
            Some(id) => {
                all.add(self.linked.bodiless(self.unit, self.function, id, args));
                return all;
            }
            None => Called::Pointer(args.len()),
        };
        match self.summaries {
            Some(summaries) => all.add(summaries.of(&called)),
            None => self.calls.push(called),
        }
        all
    }
}
