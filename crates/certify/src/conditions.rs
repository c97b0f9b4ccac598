//! Conditions of a comparison: the user's words, as terms over the states that the checker names.
//!
//! Who reads the words is not known here; the checker says what the names stand for ([`Look`]), and gets
//! terms.

use crate::state::{Slot, Values, World};
use encode::{IntMode, Layout, Look, Unsupported};
use ir::{Expr, FuncId};
use logic::Term;

/// What is assumed at the start and demanded at the end, besides or instead of equality.
pub trait Conditions {
    /// Over the start of both sides. Less than the user said may be assumed, never more.
    fn pre(&self, mode: IntMode, look: &dyn Look) -> Result<Term, Unsupported>;
    /// None: all that can be observed is equal.
    fn post(&self, mode: IntMode, look: &dyn Look) -> Result<Option<Term>, Unsupported>;
}

/// Nothing but equality.
pub struct Equality;

impl Conditions for Equality {
    fn pre(&self, _mode: IntMode, _look: &dyn Look) -> Result<Term, Unsupported> {
        Ok(Term::bool(true))
    }

    fn post(&self, _mode: IntMode, _look: &dyn Look) -> Result<Option<Term>, Unsupported> {
        Ok(None)
    }
}

/// The states of the compared functions at one place.
pub(crate) struct States<'a, 'p> {
    pub world: &'a World<'p>,
    pub functions: [FuncId; 2],
    pub slots: &'a [Values; 2],
}

impl Look for States<'_, '_> {
    fn name(&self, side: usize, name: &str) -> Option<Term> {
        let program = self.world.programs[side];
        let f = program.function(self.functions[side]);
        let find = |wanted: &dyn Fn(Slot) -> bool| {
            self.slots[side].iter().find(|(slot, _)| wanted(*slot)).map(|(_, t)| *t)
        };
        let param = find(&|slot| match slot {
            Slot::Local(id) | Slot::First(id) => &*f.local(id).name == name,
            _ => false,
        });
        let result = find(&|slot| slot == Slot::Value && name == "result");
        match (param, result) {
            // Which of them is meant has been forgotten.
            (Some(_), Some(_)) => None,
            (Some(found), None) | (None, Some(found)) => Some(found),
            (None, None) => {
                let id = program.find_global(name)?;
                find(&|slot| slot == Slot::Global(id)).or_else(|| self.world.fixed_global(side, id))
            }
        }
    }

    fn memory(&self, side: usize, address: Option<&Expr>) -> Option<(Term, Layout)> {
        let regions = &self.world.regions;
        let region = match address {
            Some(e) => regions.of(side, self.functions[side], e),
            None => {
                let seen = |r: &encode::Region| r.escapes && !r.constant;
                let mut open = (0..regions.list.len()).filter(|&i| seen(&regions.list[i]));
                let (only, more) = (open.next(), open.next());
                encode::RegionId(only.filter(|_| more.is_none())? as u32)
            }
        };
        let layout = regions.list.get(region.0 as usize)?.layout;
        let moving = self.slots[side].iter().find(|(slot, _)| *slot == Slot::Memory(region)).map(|(_, t)| *t);
        Some((moving.or_else(|| self.world.fixed_memory(side, region))?, layout))
    }

    fn memories_equal(&self) -> Option<Term> {
        let mut all = Vec::new();
        for (slot, old) in &self.slots[0] {
            if let Slot::Memory(region) = slot
                && self.world.regions.list[region.0 as usize].escapes
            {
                let new = self.slots[1].iter().find(|(s, _)| s == slot).map(|(_, t)| *t)?;
                if new.sort() != old.sort() {
                    return None;
                }
                all.push(old.equals(new));
            }
        }
        Some(Term::all(all))
    }
}
