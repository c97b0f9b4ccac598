//! Enumerates all states, with inputs that may be anything, until none is new.
//!
//! A variable that turns out to have many values is divided, and its parts begin with the values that were
//! seen. What comes to lie outside widens the part that it belongs to. After a pass in which something was
//! divided or widened, everything is enumerated again; a part that is widened often grows by leaps, so that
//! this ends soon.

use crate::{Figures, MOST_STATES};
use engine::{Partition, Slot};
use ir::FuncId;
use ranges::Values;
use rustc_hash::{FxHashMap, FxHashSet};
use states::{Ask, Boundaries, Divided, End, Executor, Outside, State, Stop};

pub enum Proved {
    Safe(Partition),
    /// From a state that may not be one of the program.
    MayFail,
    Stopped(Stop),
}

/// A part that was widened so often leaps.
const PATIENCE: u32 = 3;

pub fn prove(
    exec: &Executor,
    entry: FuncId,
    boundaries: &Boundaries,
    most_values: usize,
    figures: &mut Figures,
) -> Proved {
    let mut parts =
        Parts { boundaries, most_values, seen: FxHashMap::default(), parts: FxHashMap::default() };
    loop {
        figures.passes += 1;
        match pass(exec, entry, &mut parts, figures) {
            Ok(Pass::Closed) => return Proved::Safe(parts.partition()),
            Ok(Pass::Grown) => {}
            Ok(Pass::MayFail) => return Proved::MayFail,
            Err(stop) => return Proved::Stopped(stop),
        }
    }
}

enum Pass {
    Closed,
    /// Something was divided or widened on the way.
    Grown,
    MayFail,
}

fn pass(exec: &Executor, entry: FuncId, parts: &mut Parts, figures: &mut Figures) -> Result<Pass, Stop> {
    let mut divided = Divided::new(&parts.partition());
    let mut grown = false;
    let mut states: FxHashSet<State> = FxHashSet::default();
    let mut queue = vec![exec.initial(entry)?];
    while let Some(state) = queue.pop() {
        for path in exec.run(state, Ask::Anything)? {
            let state = match path.end {
                End::Fails { .. } => return Ok(Pass::MayFail),
                End::Head(state) => state,
            };
            if parts.look(exec, &state) {
                grown = true;
                divided = Divided::new(&parts.partition());
            }
            let kept = loop {
                match divided.divide(exec, state.clone()) {
                    Ok(kept) => break kept,
                    Err(outside) => {
                        grown = true;
                        parts.widen(&outside);
                        divided = Divided::new(&parts.partition());
                    }
                }
            };
            for state in kept {
                if !states.contains(&state) {
                    queue.push(state.clone());
                    states.insert(state);
                }
            }
        }
        figures.states = states.len();
        if states.len() > MOST_STATES {
            return Err(Stop::Unsupported("too many states"));
        }
    }
    Ok(if grown { Pass::Grown } else { Pass::Closed })
}

struct Parts<'a> {
    boundaries: &'a Boundaries,
    most_values: usize,
    /// The values of variables that are not divided.
    seen: FxHashMap<Slot, FxHashSet<i128>>,
    parts: FxHashMap<Slot, Vec<Part>>,
}

/// One part of the values of a variable.
struct Part {
    /// As the program tells values apart.
    limits: (i128, i128),
    /// What comes to lie in it; none at first.
    hull: Option<(i128, i128)>,
    widened: u32,
}

impl Parts<'_> {
    fn partition(&self) -> Partition {
        let mut intervals: Vec<_> = self
            .parts
            .iter()
            .map(|(slot, parts)| (*slot, parts.iter().filter_map(|part| part.hull).collect::<Vec<_>>()))
            .collect();
        intervals.sort_unstable();
        Partition { intervals }
    }

    /// Has a variable too many values by now?
    fn look(&mut self, exec: &Executor, state: &State) -> bool {
        let mut grown = false;
        for (slot, values) in state.integers(exec) {
            if self.parts.contains_key(&slot) {
                continue;
            }
            let seen = self.seen.entry(slot).or_default();
            seen.insert(values.low());
            seen.insert(values.high());
            if seen.len() > self.most_values {
                let limits = self.boundaries.parts(slot, values.ty());
                let parts = limits.into_iter().map(|limits| Part { limits, hull: None, widened: 0 });
                let mut parts: Vec<Part> = parts.collect();
                for value in seen.iter() {
                    include(&mut parts, *value, *value);
                }
                self.parts.insert(slot, parts);
                grown = true;
            }
        }
        grown
    }

    fn widen(&mut self, outside: &Outside) {
        let Some(parts) = self.parts.get_mut(&outside.slot) else { return };
        let values: &Values = &outside.values;
        match values.members() {
            Some(members) => members.iter().for_each(|value| include(parts, *value, *value)),
            None => include(parts, values.low(), values.high()),
        }
    }
}

/// Widens parts so that they hold all values between two.
fn include(parts: &mut [Part], low: i128, high: i128) {
    for part in parts {
        let (low, high) = (low.max(part.limits.0), high.min(part.limits.1));
        if low > high {
            continue;
        }
        let Some((from, to)) = part.hull else {
            part.hull = Some((low, high));
            continue;
        };
        if from <= low && high <= to {
            continue;
        }
        part.widened += 1;
        let leap = if part.widened > PATIENCE { to - from + 1 } else { 0 };
        let from = if low < from { (low - leap).max(part.limits.0) } else { from };
        let to = if high > to { (high + leap).min(part.limits.1) } else { to };
        part.hull = Some((from, to));
    }
}
