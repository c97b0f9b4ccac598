//! Summaries of functions that did not change themselves, though something they call did.
//!
//! The paper drops the summaries of everything above a change. But a summary rests on what is called only
//! through the summaries of that: the entry states it is called in, and the exits that come back. So these
//! are kept with it, as *assumptions*. Where the function is used, what it calls is analysed from the assumed
//! entries, and as long as every exit that is found there is among the assumed ones, nothing inside of the
//! function has to be looked at. What is found is closed under all steps, as if it had been explored: the
//! argument is the one for recursion. An exit that is not among the assumed ones refutes the summary, and
//! exploration starts again without it.

use crate::reachability::{By, Found, Halt, InstanceId, ReachabilityGraph, Waiter};
use biodivine_lib_bdd::Bdd;
use ir::FuncId;

/// What a summary takes for granted of a function that is called.
#[derive(Clone)]
pub struct AssumedSummary {
    pub callee: FuncId,
    pub entry: Bdd,
    pub exits: Vec<Bdd>,
}

impl ReachabilityGraph<'_> {
    /// An instance that is a summary with assumptions: asks for all that it rests on.
    pub(crate) fn assume(&mut self, id: InstanceId, hole: usize) -> Result<(), Halt> {
        // Whoever is interrupted here leaves an instance that is not complete.
        self.unfinished.push(id);
        for number in 0..self.inherited[hole].assumed.len() {
            let AssumedSummary { callee, entry, .. } = self.inherited[hole].assumed[number].clone();
            let callee = self.start_function(callee, entry, id)?;
            self.wait(callee, Waiter { instance: id, by: By::Assumption(number) })?;
        }
        self.unfinished.pop();
        Ok(())
    }

    /// An exit was found: is it one that the summary knows?
    pub(crate) fn compare(&mut self, id: InstanceId, number: usize, exit: &Bdd) -> Result<(), Halt> {
        let Some(hole) = self.instance(id).hole else { return Ok(()) };
        let summary = &mut self.inherited[hole];
        let known = summary.assumed[number].exits.iter().fold(self.predicates.bottom(), |any, e| any.or(e));
        if self.predicates.implies(exit, &known) {
            return Ok(());
        }
        summary.expanded = true;
        Err(Halt::Refuted)
    }

    /// The summaries through which an error was reached: there is no path inside of them.
    pub fn holes_above(&self, found: &Found) -> Vec<usize> {
        let mut list = Vec::new();
        let mut at = Some(found.instance);
        while let Some(id) = at {
            let instance = self.instance(id);
            list.extend(instance.hole);
            at = instance.parent.map(|(above, ..)| above);
        }
        list
    }
}
