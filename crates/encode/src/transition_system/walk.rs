//! Which way a transition went: its edges, one after the other, for somebody who knows the values.

use super::TransitionSystem;
use crate::expr::Encoder;
use crate::mode::Unsupported;
use crate::op::Step;
use crate::state::State;
use ir::{AllocKind, BinOp, EdgeId, Expr, ExprKind, FuncId, NodeId, Op, Var};
use logic::Term;

/// What was seen on the way. All terms are over the variables of the function and the auxiliary variables of
/// [`super::Transition`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A value came from outside; the term is the auxiliary variable that it is.
    Value(EdgeId, Term),
    /// An `AddrLocal`, `AddrGlobal` or `AddrFunc` was mentioned; the term is the address.
    Mentioned(Expr, Term),
    /// Memory at an address was read (the expression is the `Load`).
    Read {
        load: Expr,
        at: Term,
        value: Term,
    },
    /// Memory from an address on was written, or copied.
    Accessed(Expr, Term),
    /// A pointer was moved by a number that is not constant: from here to there.
    Moved(Term, Term),
    Allocated {
        var: Var,
        kind: AllocKind,
        at: Term,
        size: Term,
    },
}

impl TransitionSystem {
    /// Follows the edges from a cut point to the next one, or to an end. `holds` says which conditions (over
    /// the variables and the auxiliary variables of the transition) are true.
    pub fn walk(
        &self,
        function: FuncId,
        from: NodeId,
        holds: &mut dyn FnMut(Term) -> bool,
    ) -> Result<Vec<Event>, Unsupported> {
        let Some(cfa) = self.program.function(function).cfa() else {
            return Err(Unsupported("a function without a body".to_owned()));
        };
        let mut encoder = self.encoder(function);
        let mut state = self.variables(function, "")?;
        if from == cfa.entry && (function != self.entry || self.graph.is_recursive(function)) {
            self.new_activation(&mut encoder, &mut state)?;
        }
        let mut events = Vec::new();
        // Of its own, so that looking at parts of operations does not change what the operations themselves
        // are.
        let mut watcher = self.encoder(function);
        let mut at = from;
        loop {
            let mut next = None;
            for id in cfa.out_ids(at) {
                let edge = cfa.edge(id);
                let mut after = state.clone();
                encoder.edge = Some(id);
                watch(&mut watcher, &edge.op, &state, &mut events);
                match encoder.op(&edge.op, &mut after)? {
                    Step::On(cond) => {
                        if !holds(cond) {
                            continue;
                        }
                    }
                    Step::Checked { fails } => {
                        if holds(fails) {
                            return Ok(events);
                        }
                    }
                    Step::Return(_) | Step::Halt(_) | Step::Call => return Ok(events),
                }
                if let Op::Havoc { var, .. } | Op::Call { dst: Some(var), .. } = &edge.op
                    && let Some(value) = after.get(*var)
                {
                    events.push(Event::Value(id, value));
                }
                if let Op::Alloc { var, size, kind } = &edge.op
                    && let Some(address) = after.get(*var)
                    && let Ok(size) = watcher.expr(size, &state)
                {
                    events.push(Event::Allocated { var: *var, kind: *kind, at: address, size });
                }
                next = Some((edge.to, after));
                break;
            }
            let Some((to, after)) = next else { return Ok(events) };
            (at, state) = (to, after);
            if self.cuts(function).contains(&at) {
                return Ok(events);
            }
        }
    }
}

/// What an operation does with memory. What cannot be expressed was not seen.
fn watch(encoder: &mut Encoder, op: &Op, state: &State, events: &mut Vec<Event>) {
    for e in op.exprs() {
        let mut parts = Vec::new();
        e.walk(&mut |part| parts.push(part));
        // What is inside comes first.
        for part in parts.into_iter().rev() {
            match &part.kind {
                ExprKind::AddrLocal(_) | ExprKind::AddrGlobal(_) | ExprKind::AddrFunc(_) => {
                    if let Ok(address) = encoder.expr(part, state) {
                        events.push(Event::Mentioned(part.clone(), address));
                    }
                }
                ExprKind::Load(address) => {
                    if let (Ok(at), Ok(value)) = (encoder.expr(address, state), encoder.expr(part, state)) {
                        events.push(Event::Read { load: part.clone(), at, value });
                    }
                }
                ExprKind::Binary(BinOp::PtrAdd, base, by) if by.as_const().is_none() => {
                    if let (Ok(from), Ok(to)) = (encoder.expr(base, state), encoder.expr(part, state)) {
                        events.push(Event::Moved(from, to));
                    }
                }
                _ => {}
            }
        }
    }
    let accessed = match op {
        Op::Store { addr, .. } => [Some(addr), None],
        Op::Copy { dst, src, .. } => [Some(dst), Some(src)],
        Op::Fill { dst, .. } => [Some(dst), None],
        _ => [None, None],
    };
    for address in accessed.into_iter().flatten() {
        if let Ok(at) = encoder.expr(address, state) {
            events.push(Event::Accessed(address.clone(), at));
        }
    }
}
