//! What is kept of a state at the head of a loop.

use crate::cell::Cell;
use crate::exec::{Executor, State, local};
use engine::{Partition, Slot};
use ir::Type;
use ranges::Values;
use rustc_hash::FxHashMap;

/// A partition, ready for use.
#[derive(Clone, Debug, Default)]
pub struct Divided {
    intervals: FxHashMap<Slot, Vec<(i128, i128)>>,
}

/// A variable has values that lie in no interval.
#[derive(Clone, Debug)]
pub struct Outside {
    pub slot: Slot,
    pub values: Values,
}

impl Divided {
    pub fn new(partition: &Partition) -> Divided {
        Divided { intervals: partition.intervals.iter().cloned().collect() }
    }

    /// The states that stand for this one: each divided variable holds all of one interval. Their executions
    /// include those of the state.
    pub fn divide(&self, exec: &Executor, state: State) -> Result<Vec<State>, Outside> {
        if self.intervals.is_empty() {
            return Ok(vec![state]);
        }
        let mut states = vec![state];
        for (place, slot, ty) in places(exec, &states[0]) {
            let Some(intervals) = self.intervals.get(&slot) else { continue };
            let mut divided = Vec::with_capacity(states.len());
            for state in states {
                let cell = place.get(&state);
                // What may be anything is told apart from nothing.
                let values = cell.values(ty, &exec.program.target).filter(|_| *cell != Cell::Any);
                let Some(values) = values else {
                    divided.push(state);
                    continue;
                };
                let mut left = values.count();
                for (low, high) in intervals {
                    let Some(part) = values.clip(*low, *high) else { continue };
                    left -= part.count();
                    let mut state = state.clone();
                    *place.get_mut(&mut state) = Cell::of(Values::between(values.ty(), *low, *high));
                    divided.push(state);
                }
                if left != 0 {
                    return Err(Outside { slot, values });
                }
            }
            states = divided;
        }
        Ok(states)
    }
}

/// Where a variable is in a state.
#[derive(Clone, Copy)]
enum Place {
    Global(usize),
    Local(usize, usize),
}

impl Place {
    fn get(self, state: &State) -> &Cell {
        match self {
            Place::Global(i) => &state.globals[i],
            Place::Local(frame, i) => &state.frames[frame].locals[i],
        }
    }

    fn get_mut(self, state: &mut State) -> &mut Cell {
        match self {
            Place::Global(i) => &mut state.globals[i],
            Place::Local(frame, i) => &mut state.frames[frame].locals[i],
        }
    }
}

/// All integer variables of a state that hold something.
fn places(exec: &Executor, state: &State) -> Vec<(Place, Slot, Type)> {
    let mut places = Vec::new();
    for (i, (id, ty)) in exec.globals.iter().enumerate() {
        places.push((Place::Global(i), Slot::Global(*id), *ty));
    }
    for (f, frame) in state.frames.iter().enumerate() {
        let Some(shape) = exec.shape(frame.function) else { continue };
        for (i, ty) in shape.types.iter().enumerate() {
            if let Some(ty) = ty {
                places.push((Place::Local(f, i), local(frame, i), *ty));
            }
        }
    }
    places.retain(|(place, _, ty)| ty.is_int() && *place.get(state) != Cell::Any);
    places
}

impl State {
    /// The integer variables that hold something, with their values.
    pub fn integers(&self, exec: &Executor) -> impl Iterator<Item = (Slot, Values)> {
        let target = &exec.program.target;
        let of = |(place, slot, ty): (Place, Slot, Type)| Some((slot, place.get(self).values(ty, target)?));
        places(exec, self).into_iter().filter_map(of)
    }
}
