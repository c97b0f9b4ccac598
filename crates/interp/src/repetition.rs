//! States that come back.
//!
//! A program that comes to a place in a state that it was in there before, with nothing from outside in
//! between, comes there again and again. States are compared by their hashes: whoever wants more than a hint
//! has to think of something else.

use crate::memory::Memory;
use rustc_hash::FxHashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

#[derive(Default)]
pub struct Seen {
    states: FxHashSet<u64>,
    /// How many questions were asked when the first of them was seen.
    asked: u64,
    /// Bytes that were hashed so far.
    work: u64,
}

/// More is not worth it.
const MOST_WORK: u64 = 1 << 28;

impl Seen {
    /// Was the program here before, in this state? `place` is all that says where it is.
    pub fn again(&mut self, place: impl Hash, asked: u64, registers: [&[u64]; 2], memory: &Memory) -> bool {
        if self.work > MOST_WORK {
            return false;
        }
        if self.asked != asked {
            self.states.clear();
            self.asked = asked;
        }
        let mut hasher = DefaultHasher::new();
        place.hash(&mut hasher);
        registers.hash(&mut hasher);
        self.work +=
            memory.hash_live(&mut hasher) + 8 * registers.iter().map(|r| r.len() as u64).sum::<u64>();
        !self.states.insert(hasher.finish())
    }
}
