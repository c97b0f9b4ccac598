//! The first state: globals hold what their initialisers say.

use super::TransitionSystem;
use crate::mode::Unsupported;
use crate::regions::{ObjectKind, RegionId};
use crate::start::{at, content, unit};
use ir::{GlobalId, Storage};
use logic::Term;
use std::collections::BTreeSet;

impl TransitionSystem {
    /// What holds of the entry function's variables (without prefix) when the program starts. Of large
    /// objects only the first cells are described.
    pub fn initial(&self) -> Result<Term, Unsupported> {
        let mut encoder = self.encoder(self.entry);
        let state = self.variables(self.entry, "")?;
        let mut parts = vec![self.typed(self.entry, &state)];
        let mut room = MOST_CELLS;
        let used = self.accessed_globals();
        for (i, global) in self.program.globals.iter().enumerate() {
            let id = GlobalId(i as u32);
            match global.storage {
                Storage::Register(_) => {
                    let Some(Some(variable)) = state.globals.get(i).copied() else { continue };
                    let Some(value) = global.initial_register() else { continue };
                    parts.push(variable.equals(encoder.expr(&value, &state)?));
                }
                Storage::Memory { size, .. } => {
                    if global.init.is_none() || !used.contains(&id) {
                        continue;
                    }
                    let mut offset = 0;
                    while offset < size && room > 0 {
                        room -= 1;
                        let address = at(id, offset, &self.program.target);
                        let region = self.regions.of(0, self.entry, &address);
                        let layout = encoder.layout(region)?;
                        let ty = unit(layout);
                        let step = ty.access_size(&self.program.target).max(1);
                        if let Some(value) = content(global, offset, step, ty, &self.program.target) {
                            let place = encoder.expr(&address, &state)?;
                            let value = encoder.expr(&value, &state)?;
                            let held = encoder.load(&state, region, place, ty)?;
                            parts.push(held.equals(value));
                        }
                        offset += step;
                    }
                }
            }
        }
        parts.append(&mut encoder.facts);
        Ok(Term::all(parts))
    }
}

impl TransitionSystem {
    fn accessed_globals(&self) -> BTreeSet<GlobalId> {
        let regions = (0..self.regions.list.len() as u32).map(RegionId);
        let objects = regions.flat_map(|r| self.regions.objects(r));
        objects
            .filter_map(|(_, object)| match object {
                ObjectKind::Global(id) => Some(*id),
                _ => None,
            })
            .collect()
    }
}

const MOST_CELLS: u32 = 2000;
