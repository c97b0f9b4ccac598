//! Looking for a difference: many cheap runs, then longer ones for the inputs that did not end.

use super::generate::Generator;
use super::input::Input;
use super::runner::Comparer;
use super::{Compared, Difference, Options, Pair, Post, Reason, Watch};
use base::Budget;
use std::collections::BTreeMap;

/// How much to try. The same effort tries the same inputs.
#[derive(Clone, Debug)]
pub struct Effort {
    /// The number of the first input; a search that goes on starts where the last one ended.
    pub first: u64,
    /// Inputs to try.
    pub inputs: u64,
    /// Steps for one run of a version.
    pub steps: u64,
    /// Inputs that did not end are run again with ever more steps, at most this many for one run,
    pub deep_steps: u64,
    /// and this many for all such runs together.
    pub deep_total: u64,
    /// The size of each of the caller's objects.
    pub object_size: u64,
    /// Choose the arguments of the two versions independently, for preconditions that relate them.
    pub independent: bool,
    /// Runs to count visits of the watched locations in.
    pub watched_runs: usize,
}

impl Effort {
    /// What takes some hundredths of a second.
    pub fn quick() -> Effort {
        Effort { inputs: 500, steps: 1_500, deep_steps: 400_000, deep_total: 1_200_000, ..Effort::default() }
    }
}

impl Default for Effort {
    fn default() -> Self {
        Effort {
            first: 0,
            inputs: 2_000,
            steps: 8_000,
            deep_steps: 3_000_000,
            deep_total: 40_000_000,
            object_size: 4096,
            independent: false,
            watched_runs: 40,
        }
    }
}

/// A run in which one version ended and the other did not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoEnd {
    pub input: Input,
    pub old_ended: bool,
    pub new_ended: bool,
}

/// How often watched locations were visited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visits {
    pub input: Input,
    /// By side, in the order of [`Watch`].
    pub counts: [Vec<u32>; 2],
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchResult {
    pub difference: Option<Box<Difference>>,
    /// Inputs on which both versions did the same.
    pub same: u64,
    pub excluded: BTreeMap<Reason, u64>,
    /// One version ended within the limits and the other did not; at most 16 of them.
    pub no_end: Vec<NoEnd>,
    /// Inputs on which neither version ended.
    pub endless: u64,
    pub visits: Vec<Visits>,
    /// Some of the inputs on which both versions did the same.
    pub samples: Vec<Input>,
    pub steps: u64,
}

/// The inputs to try: a precondition that may also complete the input. It must not undo what it accepted.
pub type Accept<'f> = dyn Fn(&mut Input) -> bool + 'f;

/// Tries inputs until a difference is found or the effort is used up.
pub fn search(
    pair: Pair,
    accept: &Accept,
    post: Option<&Post>,
    watch: &Watch,
    effort: &Effort,
    options: &Options,
    budget: &Budget,
) -> SearchResult {
    let mut comparer = Comparer::new(pair, options);
    search_with(&mut comparer, accept, post, watch, effort, budget)
}

/// The same with interpreters that are there already.
pub fn search_with(
    comparer: &mut Comparer,
    accept: &Accept,
    post: Option<&Post>,
    watch: &Watch,
    effort: &Effort,
    budget: &Budget,
) -> SearchResult {
    let mut search =
        Search { comparer, accept, post, budget, result: SearchResult::default(), pending: Vec::new() };
    search.all(effort);
    let Search { comparer, mut result, .. } = search;
    if result.difference.is_none() && !watch.is_empty() {
        for input in result.samples.iter().take(effort.watched_runs) {
            if budget.check(0).is_err() {
                break;
            }
            if let Some(counts) = comparer.visits(input, watch, budget) {
                result.visits.push(Visits { input: input.clone(), counts });
            }
        }
    }
    result.steps = comparer.steps;
    result
}

struct Search<'s, 'p> {
    comparer: &'s mut Comparer<'p>,
    accept: &'s Accept<'s>,
    post: Option<&'s Post<'s>>,
    budget: &'s Budget,
    result: SearchResult,
    /// Inputs that need more steps.
    pending: Vec<Input>,
}

/// Inputs kept for longer runs.
const MAX_PENDING: usize = 200;
const MAX_SAMPLES: usize = 64;
const MAX_NO_END: usize = 16;

impl Search<'_, '_> {
    fn all(&mut self, effort: &Effort) {
        let Some(functions) = self.comparer.functions() else { return };
        let constants = self.comparer.constants.clone();
        let target = &self.comparer.sides[0].program.target;
        let generator = Generator::new(functions, target, constants, effort.object_size, effort.independent);
        for n in effort.first..effort.first.saturating_add(effort.inputs) {
            if self.result.difference.is_some() || self.budget.check(0).is_err() {
                return;
            }
            let tried = n - effort.first;
            // Code that cannot be run will not get better.
            if tried == 100 && self.result.same == 0 && self.pending.is_empty() && self.only_unsupported() {
                return;
            }
            let mut input = generator.input(n);
            if !(self.accept)(&mut input) {
                *self.result.excluded.entry(Reason::Precondition).or_default() += 1;
                continue;
            }
            self.attempt(input, effort.steps, effort.deep_steps > effort.steps);
        }
        self.deepen(effort);
    }

    /// Longer runs, each round with a part of the steps.
    fn deepen(&mut self, effort: &Effort) {
        let end = self.comparer.steps.saturating_add(effort.deep_total);
        let mut steps = effort.steps;
        while steps < effort.deep_steps {
            steps = steps.saturating_mul(16).min(effort.deep_steps);
            let last = steps == effort.deep_steps;
            let left = end.saturating_sub(self.comparer.steps);
            let limit = self.comparer.steps + if last { left } else { left / 2 };
            let mut pending = std::mem::take(&mut self.pending);
            // Small numbers may make loops end, the largest hardly will.
            pending.sort_by_cached_key(magnitude);
            for input in pending {
                if self.result.difference.is_some() || self.budget.check(0).is_err() {
                    return;
                }
                if self.comparer.steps < limit {
                    self.attempt(input, steps, !last);
                } else if last {
                    self.result.endless += 1;
                } else {
                    self.pending.push(input);
                }
            }
        }
    }

    fn only_unsupported(&self) -> bool {
        self.result.excluded.keys().all(|r| matches!(r, Reason::Unsupported(..) | Reason::OneSidedBody(_)))
    }

    fn attempt(&mut self, input: Input, steps: u64, again: bool) {
        match self.comparer.limited(&input, self.post, self.budget, steps) {
            Compared::Same => {
                self.result.same += 1;
                if self.result.samples.len() < MAX_SAMPLES {
                    self.result.samples.push(input);
                }
            }
            Compared::Differs(found) => {
                // What was chosen on the way may not break the precondition.
                let mut explicit = found.input.clone();
                if (self.accept)(&mut explicit) && explicit == found.input {
                    self.result.difference = Some(found);
                } else {
                    *self.result.excluded.entry(Reason::Precondition).or_default() += 1;
                }
            }
            Compared::Excluded(reason) => *self.result.excluded.entry(reason).or_default() += 1,
            Compared::NoEnd { .. } if again && self.pending.len() < MAX_PENDING => self.pending.push(input),
            Compared::NoEnd { old_ended: false, new_ended: false } => self.result.endless += 1,
            Compared::NoEnd { old_ended, new_ended } => {
                if self.result.no_end.len() < MAX_NO_END {
                    self.result.no_end.push(NoEnd { input, old_ended, new_ended });
                }
            }
        }
    }
}

/// The number of bits of the largest argument.
fn magnitude(input: &Input) -> u32 {
    let bits = input.args.iter().flatten().filter_map(|value| value.bits());
    let size = |bits: u128| {
        let narrow = if bits <= u32::MAX.into() { bits as i32 as i128 } else { bits as i64 as i128 };
        128 - narrow.unsigned_abs().leading_zeros()
    };
    bits.map(size).max().unwrap_or(0)
}
