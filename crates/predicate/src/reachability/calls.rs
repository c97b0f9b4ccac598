//! Calls and returns: who waits for a callee is told of each of its exits.

use super::{By, Exit, Halt, How, InstanceId, Node, ReachabilityGraph, Waiter};
use crate::model::{Fragment, Step};
use crate::predicates::PredicateId;
use encode::transition_system::To;
use logic::{Substitution, Term};

impl ReachabilityGraph<'_> {
    pub(super) fn returns(
        &mut self,
        id: InstanceId,
        node: usize,
        number: usize,
        step: &Step,
        given: Vec<Term>,
    ) -> Result<(), Halt> {
        let fragment = self.instance(id).fragment;
        let f = fragment.function();
        let view = self.model.view(f)?;
        let mut pairs = step.changes.clone();
        if let (Some(result), Some(value)) = (view.result, step.value) {
            pairs.push((result, value));
        }
        let mut by = Substitution::new(pairs);
        let list = self.predicates_of(fragment).iter().map(|&p| (p, self.predicates.term(p)));
        let goals: Vec<(PredicateId, Term)> =
            list.filter(|(_, t)| view.fits_exit(*t)).map(|(p, t)| (p, by.apply(t))).collect();
        let Some(state) = self.successor(f, step.from, given, &goals)? else { return Ok(()) };
        let state = self.as_before(self.instance(id), state);
        self.exit(id, Exit { state, cut: step.from, node, step: number })
    }

    pub(super) fn call(
        &mut self,
        id: InstanceId,
        node: usize,
        number: usize,
        step: &Step,
        given: Vec<Term>,
    ) -> Result<(), Halt> {
        let Some(call) = &step.call else { return Ok(()) };
        let f = self.instance(id).fragment.function();
        let goals = self.entry_goals(call.callee, &mut self.model.arguments(call)?)?;
        let Some(entry) = self.successor(f, step.from, given, &goals)? else { return Ok(()) };
        let callee = self.start(Fragment::Function(call.callee), entry, Some((id, node, number)))?;
        self.wait(callee, Waiter { instance: id, by: By::Call { node, step: number } })
    }

    pub(super) fn after_call(
        &mut self,
        id: InstanceId,
        node: usize,
        number: usize,
        callee: InstanceId,
        exit: usize,
    ) -> Result<(), Halt> {
        let fragment = self.instance(id).fragment;
        let f = fragment.function();
        let Node { cut, state, .. } = &self.instance(id).nodes[node];
        let (cut, state) = (*cut, state.clone());
        let steps = self.model.steps(f, cut)?;
        let step = &steps[number];
        let (Some(call), To::Cut(to)) = (&step.call, &step.to) else { return Ok(()) };
        let leaving = self.instance(callee).exits[exit].state.clone();
        let ensures = self.predicates.formula(&leaving).and(self.model.ranges_at_exit(call.callee)?);
        let ensures = self.model.results(call)?.apply(ensures);
        let entered = self.instance(callee).entry.clone();
        let requires = self.predicates.formula(&entered);
        let requires = self.model.arguments(call)?.apply(requires);
        let given = vec![
            self.predicates.formula(&state),
            self.model.ranges_at(f, cut)?,
            step.guard,
            ensures,
            requires,
        ];
        let mut by = Substitution::new(step.changes.iter().copied());
        let goals = self.goals_at(fragment, *to, &mut by)?;
        if let Some(state) = self.successor(f, cut, given, &goals)? {
            let how = How::Return { from: node, step: number, callee, exit };
            self.add(id, Node { cut: *to, state, how, leaves: None });
        }
        Ok(())
    }

    /// Tells all who wait for it.
    pub(super) fn exit(&mut self, id: InstanceId, exit: Exit) -> Result<(), Halt> {
        let is_loop = matches!(self.instance(id).fragment, Fragment::Loop(..));
        let known = self.instance(id).exits.iter().any(|other| {
            (!is_loop || other.cut == exit.cut) && self.predicates.implies(&exit.state, &other.state)
        });
        if known {
            return Ok(());
        }
        let instance = &mut self.instances[id.0 as usize];
        let number = instance.exits.len();
        instance.exits.push(exit);
        for waiter in instance.waiters.clone() {
            self.resume(waiter, id, number)?;
        }
        Ok(())
    }

    pub(super) fn resume(&mut self, waiter: Waiter, callee: InstanceId, exit: usize) -> Result<(), Halt> {
        match waiter.by {
            By::Call { node, step } => self.after_call(waiter.instance, node, step, callee, exit),
            By::Loop { node } => self.after_loop(waiter.instance, node, callee, exit),
            By::Assumption(number) => {
                let state = self.instance(callee).exits[exit].state.clone();
                self.compare(waiter.instance, number, &state)
            }
        }
    }

    pub(crate) fn wait(&mut self, callee: InstanceId, waiter: Waiter) -> Result<(), Halt> {
        self.instances[callee.0 as usize].waiters.push(waiter);
        // Those found while this one is told of the others reach it as a waiter.
        let exits = self.instance(callee).exits.len();
        for exit in 0..exits {
            self.resume(waiter, callee, exit)?;
        }
        Ok(())
    }
}
