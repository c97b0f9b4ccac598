//! Which way a transition went: its edges, one after the other, for somebody who knows the values.

use super::Whole;
use crate::mode::Unsupported;
use crate::op::Step;
use ir::{EdgeId, FuncId, NodeId, Op};
use logic::Term;

/// What was seen on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A value came from outside; the term is the auxiliary variable of [`super::Transition`] that it is.
    Value(EdgeId, Term),
}

impl Whole {
    /// Follows the edges from a cut point to the next one, or to an end. `holds` says which conditions (over the variables and the
    /// auxiliary variables of the transition) are true.
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
        let mut at = from;
        loop {
            let mut next = None;
            for id in cfa.out_ids(at) {
                let edge = cfa.edge(id);
                let mut after = state.clone();
                encoder.edge = Some(id);
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
