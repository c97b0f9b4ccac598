//! Does a pointer to one of a function's own memory objects outlive the call?
//!
//! Such objects end when the function returns. Inlined they last longer, which nobody can notice unless
//! somebody still has a pointer to them. Pointers are followed through registers and calls, without regard to
//! the order of steps: one that is stored in memory or in a global counts as left behind. As everywhere,
//! addresses are not guessed, so the outcome of a comparison does not carry one; and a function without a
//! body has no effect but its result.

use crate::cfa::{AllocKind, Callee, Op};
use crate::expr::{BinOp, Expr, ExprKind};
use crate::program::{Body, FuncId, Function, Program, Var};
use crate::types::Type;
use rustc_hash::FxHashMap;

/// May `function`, whose body is in the program, leave a pointer to one of its memory objects behind?
pub(super) fn own_objects_escape(program: &Program, function: &Function) -> bool {
    let mut summaries = FxHashMap::default();
    let order = callees_first(program, function);
    loop {
        let mut changed = false;
        for &id in &order {
            let new = summary(program, program.function(id), &summaries);
            changed |= summaries.insert(id, new) != Some(new);
        }
        if !changed {
            break;
        }
    }
    let found = summary(program, function, &summaries);
    (found.left | found.returned) & OWN != 0
}

/// A set of places that a value may have come from: the parameters (the last bit for parameters shared by all
/// from there on), and the function's own objects.
type Sources = u128;

const OWN: Sources = 1 << 127;

fn param(i: usize) -> Sources {
    1 << i.min(126)
}

/// Where the pointers go that a function is given.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Summary {
    left: Sources,
    returned: Sources,
}

/// The functions that direct calls reach from `function`, most callees before their callers.
fn callees_first(program: &Program, function: &Function) -> Vec<FuncId> {
    let called = |function: &Function| -> Vec<FuncId> {
        let edges = function.cfa().into_iter().flat_map(|cfa| cfa.edges());
        let calls = edges.filter_map(|edge| match edge.op {
            Op::Call { callee: Callee::Direct(id), .. } => Some(id),
            _ => None,
        });
        calls.filter(|id| (id.0 as usize) < program.functions.len()).collect()
    };
    let mut seen = vec![false; program.functions.len()];
    let mut order = Vec::new();
    let mut stack: Vec<(Option<FuncId>, Vec<FuncId>)> = vec![(None, called(function))];
    while let Some((f, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) => {
                if !std::mem::replace(&mut seen[next.0 as usize], true) {
                    stack.push((Some(next), called(program.function(next))));
                }
            }
            None => {
                order.extend(*f);
                stack.pop();
            }
        }
    }
    order
}

fn summary(program: &Program, function: &Function, known: &FxHashMap<FuncId, Summary>) -> Summary {
    let mut flow = Flow { program, known, locals: vec![0; function.locals.len()], found: Summary::default() };
    for (i, sources) in flow.locals.iter_mut().take(function.params as usize).enumerate() {
        *sources = param(i);
    }
    let edges = function.cfa().map_or(&[][..], |cfa| cfa.edges());
    loop {
        let before = (flow.locals.clone(), flow.found);
        edges.iter().for_each(|edge| flow.op(&edge.op));
        if before == (flow.locals.clone(), flow.found) {
            return flow.found;
        }
    }
}

struct Flow<'a> {
    program: &'a Program,
    known: &'a FxHashMap<FuncId, Summary>,
    locals: Vec<Sources>,
    found: Summary,
}

impl Flow<'_> {
    fn op(&mut self, op: &Op) {
        match op {
            Op::Assign { var, value } => self.assign(*var, self.sources(value)),
            Op::Alloc { var, kind: AllocKind::Stack, .. } => self.assign(*var, OWN),
            Op::Store { value, .. } => self.found.left |= self.sources(value),
            Op::Return(Some(value)) => self.found.returned |= self.sources(value),
            Op::Call { dst, callee, args } => self.call(*dst, callee, args),
            Op::Skip
            | Op::Assume { .. }
            | Op::Havoc { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::Alloc { kind: AllocKind::Heap, .. }
            | Op::Free { .. }
            | Op::Lifetime { .. }
            | Op::Return(None)
            | Op::Check { .. }
            | Op::Halt(_) => {}
        }
    }

    fn assign(&mut self, var: Var, sources: Sources) {
        match var {
            Var::Local(id) => {
                if let Some(local) = self.locals.get_mut(id.0 as usize) {
                    *local |= sources;
                }
            }
            Var::Global(_) => self.found.left |= sources,
        }
    }

    fn call(&mut self, dst: Option<Var>, callee: &Callee, args: &[Expr]) {
        let target = match callee {
            Callee::Direct(id) => self.program.functions.get(id.0 as usize).map(|f| (*id, &**f)),
            Callee::Indirect(_) => None,
        };
        let mut result = 0;
        for (i, arg) in args.iter().enumerate() {
            let sources = self.sources(arg);
            match target {
                Some((_, Function { body: Body::Extern, .. })) => {}
                Some((id, Function { body: Body::Defined(_), params, .. })) if i < *params as usize => {
                    let summary = self.known.get(&id).copied().unwrap_or_default();
                    self.found.left |= if summary.left & param(i) != 0 { sources } else { 0 };
                    result |= if summary.returned & param(i) != 0 { sources } else { 0 };
                }
                _ => self.found.left |= sources,
            }
        }
        if let Some(dst) = dst {
            self.assign(dst, result);
        }
    }

    /// Where the pointers in a value may have come from.
    fn sources(&self, e: &Expr) -> Sources {
        match &e.kind {
            _ if e.ty == Type::Bool => 0,
            ExprKind::Local(id) => self.locals.get(id.0 as usize).copied().unwrap_or(0),
            ExprKind::AddrLocal(_) | ExprKind::VarArgs => OWN,
            // What memory holds was stored, and so is left behind already.
            ExprKind::Load(_) | ExprKind::ObjectSize(_) => 0,
            // The distance of two pointers into one object says nothing about where it is.
            ExprKind::Binary(BinOp::PtrSub, a, b) if self.sources(a) == OWN && self.sources(b) == OWN => 0,
            _ => e.children().fold(0, |all, child| all | self.sources(child)),
        }
    }
}
