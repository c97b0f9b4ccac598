//! Which generated edits to try next. Not every attempt gives one that counts, and some kinds give few.

use crate::pool;
use crate::store::Store;
use crate::worker::{Limits, Worker};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Attempt `index` at an edit of one kind.
#[derive(Debug, PartialEq)]
pub struct Task {
    pub kind: usize,
    pub index: usize,
}

/// A kind that gave nothing in so many attempts a wanted edit is left to the others.
const ATTEMPTS: usize = 12;

impl Task {
    pub fn key(&self) -> String {
        format!("{}-{}", self.kind, self.index)
    }

    /// Different for all tasks.
    pub fn number(&self) -> u64 {
        self.index as u64 * 1000 + self.kind as u64
    }
}

/// The next attempts, given the kind of every attempt so far and whether it counts: as many as are missing,
/// the kinds that have least first. Empty when there are enough, or no kind has more to give.
fn plan(count: usize, kinds: usize, tried: impl Iterator<Item = (usize, bool)>) -> Vec<Task> {
    let mut attempts = vec![0; kinds];
    let mut have = vec![0; kinds];
    for (kind, counts) in tried {
        attempts[kind] += 1;
        have[kind] += usize::from(counts);
    }
    let cap = count.div_ceil(kinds.max(1)) * ATTEMPTS;
    let mut tasks = Vec::new();
    for _ in have.iter().sum::<usize>()..count {
        let Some(kind) = (0..kinds).filter(|&k| attempts[k] < cap).min_by_key(|&k| have[k]) else { break };
        tasks.push(Task { kind, index: attempts[kind] });
        attempts[kind] += 1;
        have[kind] += 1;
    }
    tasks
}

/// What an attempt gave.
#[derive(Clone, Copy, PartialEq)]
pub enum Gain {
    /// It does not count.
    Nothing,
    Right,
    Wrong,
}

/// Attempts until `count` of them count, or no kind has more to give.
pub fn attempts<R: Send + Serialize + DeserializeOwned>(
    (label, jobs, limits): (&str, usize, Limits),
    store: &mut Store,
    (count, kinds): (usize, usize),
    key: impl Fn(&Task) -> String,
    each: impl Fn(&mut Worker, &Task) -> R + Sync,
    gain: impl Fn(&R) -> Gain,
) -> Vec<R> {
    let (mut records, mut tried): (Vec<R>, Vec<(usize, bool)>) = (Vec::new(), Vec::new());
    let (mut useful, mut wrong) = (0, 0);
    loop {
        let tasks = plan(count, kinds, tried.iter().copied());
        if tasks.is_empty() {
            return records;
        }
        let new = pool::results((label, jobs, limits), store, &tasks, &key, &each, |_, record| {
            useful += usize::from(gain(record) != Gain::Nothing);
            wrong += usize::from(gain(record) == Gain::Wrong);
            format!("{useful} that count, {wrong} wrong")
        });
        tried.extend(tasks.iter().zip(&new).map(|(task, record)| (task.kind, gain(record) != Gain::Nothing)));
        records.extend(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs plans until they are empty; `yields[k]` in ten attempts of kind k count.
    fn check(count: usize, yields: &[usize], expected: &[usize]) {
        let mut tried: Vec<(usize, bool)> = Vec::new();
        loop {
            let tasks = plan(count, yields.len(), tried.iter().copied());
            if tasks.is_empty() {
                break;
            }
            tried.extend(tasks.iter().map(|t| (t.kind, t.index % 10 < yields[t.kind])));
        }
        let have = |k: usize| tried.iter().filter(|(kind, counts)| *kind == k && *counts).count();
        assert_eq!((0..yields.len()).map(have).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn kinds_get_equal_shares_if_they_can() {
        check(9, &[10, 10, 10], &[3, 3, 3]);
        check(9, &[10, 3, 5], &[3, 3, 3]);
        check(9, &[10, 0, 10], &[5, 0, 4]);
        check(4, &[0, 0], &[0, 0]);
    }
}
