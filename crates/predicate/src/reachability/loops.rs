//! Loops: they are entered and left like functions, but their steps out belong to what is around them.

use super::{By, Exit, Halt, How, InstanceId, Node, ReachabilityGraph, Waiter};
use crate::model::Fragment;
use biodivine_lib_bdd::Bdd;
use encode::Unsupported;
use ir::NodeId;
use logic::free_vars;

impl ReachabilityGraph<'_> {
    /// What is known at a loop's entry, in terms of its own precision.
    pub(super) fn enter_loop(
        &mut self,
        id: InstanceId,
        node: usize,
        inner: Fragment,
        state: &Bdd,
    ) -> Result<(), Halt> {
        let own = self.predicates_of(inner).to_vec();
        let others = self.predicates.support(state).into_iter().filter(|p| !own.contains(p));
        let entry = self.predicates.forget(state, others);
        let callee = self.start(inner, entry, Some((id, node, 0)))?;
        self.wait(callee, Waiter { instance: id, by: By::Loop { node } })
    }

    /// What the loop cannot change, of what is known at its entry.
    pub fn keep(&self, inner: Fragment, state: &Bdd) -> Result<Bdd, Unsupported> {
        let modified = self.model.modified(inner)?;
        let lost = self
            .predicates
            .support(state)
            .into_iter()
            .filter(|p| free_vars(self.predicates.term(*p)).iter().any(|v| modified.contains(v)));
        Ok(self.predicates.forget(state, lost))
    }

    pub(super) fn after_loop(
        &mut self,
        id: InstanceId,
        node: usize,
        inner: InstanceId,
        exit: usize,
    ) -> Result<(), Halt> {
        let loop_ = self.instance(inner).fragment;
        let kept = self.keep(loop_, &self.instance(id).nodes[node].state)?;
        let Exit { state, cut, .. } = &self.instance(inner).exits[exit];
        let (state, cut) = (state.and(&kept), *cut);
        if state.is_false() {
            return Ok(());
        }
        let how = How::Left { from: node, inner, exit };
        self.add(id, Node { cut, state, how, leaves: Some(loop_) });
        Ok(())
    }

    /// A step leads out of the loop that this instance is about.
    pub(super) fn leave_loop(
        &mut self,
        id: InstanceId,
        node: usize,
        step: usize,
        cut: NodeId,
        state: &Bdd,
    ) -> Result<(), Halt> {
        self.exit(id, Exit { state: state.clone(), cut, node, step })
    }

    /// Is this where a loop is left that only a summary was looked at of?
    pub(super) fn is_behind_hole(&self, id: InstanceId, node: usize) -> bool {
        match self.instance(id).nodes[node].how {
            How::Left { inner, .. } => self.instance(inner).hole.is_some(),
            _ => false,
        }
    }
}
