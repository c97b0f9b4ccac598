//! The contract of a product, and what its names stand for: the way from specifications to the variables of
//! both sides.

use super::Setup;
use crate::side::Slot;
use encode::{Layout, Look, Unsupported};
use ir::Expr;
use logic::Term;

/// What is assumed at the start and demanded at the end. Globals and the world are always equal at the start.
pub trait Contract {
    /// Are parameters equal, by position?
    fn equal_inputs(&self) -> bool;
    fn equal_memory(&self) -> bool;
    /// Over the start variables of both sides, in addition to their equality.
    fn pre(&self, look: &dyn Look) -> Result<Term, Unsupported>;
    /// Instead of equality of everything observable; `look` knows the results and the parameters' first
    /// values.
    fn post(&self, look: &dyn Look) -> Result<Option<Term>, Unsupported>;
    fn post_needs_inputs(&self) -> bool;
}

/// The values of slots, for specifications.
pub(super) struct Values<'a, 'p> {
    pub setup: &'a Setup<'p>,
    pub slots: [Vec<(Slot, Term)>; 2],
    /// Only parameters' first values and results count.
    pub inputs_only: bool,
}

impl Look for Values<'_, '_> {
    fn name(&self, side: usize, name: &str) -> Option<Term> {
        let program = self.setup.programs[side];
        let f = program.function(self.setup.functions[side]);
        let is = |slot: &Slot| match slot {
            Slot::Local(id) | Slot::First(id) => &*f.local(*id).name == name,
            Slot::Global(id) => !self.inputs_only && &*program.global(*id).name == name,
            Slot::Value => name == "result",
            _ => false,
        };
        let found = self.slots[side].iter().find(|(slot, _)| is(slot)).map(|(_, t)| *t);
        found.or_else(|| {
            let id = program.find_global(name)?;
            self.setup.tracked.globals[side][id.0 as usize].fixed()
        })
    }

    fn memory(&self, side: usize, address: Option<&Expr>) -> Option<(Term, Layout)> {
        let regions = self.setup.regions;
        let region = match address {
            Some(e) => regions.of(side, self.setup.functions[side], e),
            None => {
                let seen = |r: &encode::Region| r.escapes && !r.constant;
                let mut open = (0..regions.list.len()).filter(|&i| seen(&regions.list[i]));
                let (only, more) = (open.next(), open.next());
                encode::RegionId(only.filter(|_| more.is_none())? as u32)
            }
        };
        let layout = regions.list[region.0 as usize].layout;
        if let Some(constant) = self.setup.tracked.memory[side][region.0 as usize].fixed() {
            return Some((constant, layout));
        }
        let slot = self.slots[side].iter().find(|(s, _)| !self.inputs_only && *s == Slot::Memory(region));
        slot.map(|(_, t)| (*t, layout))
    }

    fn memories_equal(&self) -> Option<Term> {
        let mut all = Vec::new();
        for (slot, old) in &self.slots[0] {
            if let Slot::Memory(region) = slot
                && self.setup.regions.list[region.0 as usize].escapes
            {
                let new = self.slots[1].iter().find(|(s, _)| s == slot).map(|(_, t)| *t)?;
                all.push(old.equals(new));
            }
        }
        (!self.inputs_only || all.is_empty()).then(|| Term::all(all))
    }
}
