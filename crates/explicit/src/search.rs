//! Runs the program on chosen inputs, and looks for a check that fails.

use crate::{Figures, MOST_STATES};
use engine::{Counterexample, InputVector, Partition, Site, Slot};
use ir::FuncId;
use rustc_hash::{FxHashMap, FxHashSet};
use states::{Ask, Boundaries, Divided, End, Executor, State, Stop};
use std::collections::VecDeque;

pub enum Searched {
    Fails(Counterexample),
    Nothing,
    Stopped(Stop),
}

/// Inputs that are tried at one place.
const MOST_CANDIDATES: usize = 48;

/// How a state was come to.
struct Step {
    before: Option<u32>,
    asked: Vec<(Site, u64)>,
}

pub fn search(
    exec: &Executor,
    entry: FuncId,
    boundaries: &Boundaries,
    most_values: usize,
    representatives: u8,
    most_steps: u64,
    figures: &mut Figures,
) -> Searched {
    let candidates = Candidates::new(exec, boundaries);
    let of = |slot: Slot| candidates.of(slot);
    let start = exec.steps();
    let mut steps: Vec<Step> = Vec::new();
    let mut queue: VecDeque<(State, Option<u32>)> = VecDeque::new();
    let mut alike: FxHashMap<State, u8> = FxHashMap::default();
    let mut kinds = Kinds::new(most_values);
    match exec.initial_zero(entry) {
        Ok(state) => queue.push_back((state, None)),
        Err(stop) => return Searched::Stopped(stop),
    }
    while let Some((state, before)) = queue.pop_front() {
        figures.run += 1;
        let paths = match exec.run(state, Ask::Chosen(&of)) {
            Ok(paths) => paths,
            // Others may still find what these ways lead to.
            Err(Stop::Unsupported(_)) => continue,
            Err(stop) => return Searched::Stopped(stop),
        };
        for path in paths {
            let step = Step { before, asked: path.asked };
            let state = match path.end {
                End::Fails { .. } => return Searched::Fails(run_of(&steps, step)),
                End::Head(state) => state,
            };
            let Some(key) = kinds.kind(exec, boundaries, &state) else { continue };
            let seen = alike.entry(key).or_insert(0);
            if *seen < representatives {
                *seen += 1;
                steps.push(step);
                queue.push_back((state, Some(steps.len() as u32 - 1)));
            }
        }
        if exec.steps() - start > most_steps || steps.len() > MOST_STATES {
            break;
        }
    }
    Searched::Nothing
}

/// The answers that led somewhere.
fn run_of(steps: &[Step], last: Step) -> Counterexample {
    let mut path = vec![&last];
    while let Some(before) = path.last().and_then(|step| step.before) {
        path.push(&steps[before as usize]);
    }
    let mut vector = InputVector::default();
    for (site, value) in path.iter().rev().flat_map(|step| &step.asked) {
        vector.answer(site.clone(), u128::from(*value));
    }
    Counterexample { heap: Vec::new(), inputs: vector }
}

/// Which states are alike: as long as a variable has few values, all of them count, then only in which part
/// they lie.
struct Kinds {
    most: usize,
    seen: FxHashMap<Slot, FxHashSet<i128>>,
    partition: Partition,
    divided: Divided,
}

impl Kinds {
    fn new(most: usize) -> Kinds {
        let (partition, divided) = (Partition::default(), Divided::default());
        Kinds { most, seen: FxHashMap::default(), partition, divided }
    }

    fn kind(&mut self, exec: &Executor, boundaries: &Boundaries, state: &State) -> Option<State> {
        let mut grown = false;
        for (slot, values) in state.integers(exec) {
            let seen = self.seen.entry(slot).or_default();
            if seen.len() > self.most {
                continue;
            }
            seen.insert(values.low());
            if seen.len() > self.most {
                self.partition.intervals.push((slot, boundaries.parts(slot, values.ty())));
                grown = true;
            }
        }
        if grown {
            self.divided = Divided::new(&self.partition);
        }
        self.divided.divide(exec, state.clone()).ok()?.pop()
    }
}

/// What is tried for variables that take values from outside: what they are compared with, and its
/// neighbours.
struct Candidates {
    by_slot: FxHashMap<Slot, Vec<u64>>,
}

impl Candidates {
    fn new(exec: &Executor, boundaries: &Boundaries) -> Candidates {
        let mut by_slot = FxHashMap::default();
        let globals = exec.globals.iter().map(|(id, _)| Slot::Global(*id));
        let functions = exec.program.function_ids();
        let locals = functions.flat_map(|f| {
            let count = exec.program.function(f).locals.len() as u32;
            (0..count).map(move |i| Slot::Local(f, ir::LocalId(i)))
        });
        for slot in globals.chain(locals) {
            let mut list: Vec<i128> = boundaries.at(slot).iter().flat_map(|at| [*at - 1, *at]).collect();
            if list.is_empty() {
                continue;
            }
            list.sort_unstable();
            list.dedup();
            list.truncate(MOST_CANDIDATES);
            if !list.contains(&0) {
                list.push(0);
            }
            by_slot.insert(slot, list.into_iter().map(|v| v as u64).collect());
        }
        Candidates { by_slot }
    }

    fn of(&self, slot: Slot) -> &[u64] {
        self.by_slot.get(&slot).map_or(&[0, 1], Vec::as_slice)
    }
}
