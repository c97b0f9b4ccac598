//! Which node of a function is executed next, and what is known of its loops.
//!
//! A round of a loop is executed to its end before the next one begins: a way back to the head waits until no
//! other way is left inside of the loop. Otherwise a short way through the body would go round and round, use
//! up the bound, and be mixed with the rounds of longer ways, which would then not be followed. So a bound
//! counts rounds, whatever the ways through them.

use crate::guard::Guard;
use crate::order::Order;
use crate::state::State;
use crate::widen::Widening;
use ir::{LoopId, NodeId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The states that wait to be executed, by position.
#[derive(Default)]
pub struct Schedule {
    pending: BTreeMap<u32, State>,
    /// At the heads of loops, the next round; with the position behind the loop.
    next_round: BTreeMap<u32, (u32, State)>,
}

pub struct Next {
    pub position: u32,
    pub state: State,
    /// Does a loop begin another round here?
    pub again: bool,
}

impl Schedule {
    /// What waits at a node, for somebody who comes there as well.
    pub fn take(&mut self, position: u32) -> Option<State> {
        self.pending.remove(&position)
    }

    pub fn put(&mut self, position: u32, state: State) {
        self.pending.insert(position, state);
    }

    /// The same for those who come back to the head of a loop.
    pub fn take_next_round(&mut self, head: u32) -> Option<State> {
        self.next_round.remove(&head).map(|(_, state)| state)
    }

    pub fn put_next_round(&mut self, head: u32, end: u32, state: State) {
        self.next_round.insert(head, (end, state));
    }

    /// The next one. Of loops that are about to begin a round, the last one is inside of all others.
    pub fn pop(&mut self) -> Option<Next> {
        let Some((&head, &(end, _))) = self.next_round.last_key_value() else {
            let (position, state) = self.pending.pop_first()?;
            return Some(Next { position, state, again: false });
        };
        if let Some((&position, _)) = self.pending.range(head..end).next() {
            let state = self.pending.remove(&position)?;
            return Some(Next { position, state, again: false });
        }
        let state = self.take_next_round(head)?;
        Some(Next { position: head, state, again: true })
    }
}

/// The states that came to the heads of loops, as far as they are remembered: the last one's guard, and the
/// first, second, fourth, ... state since the loop was entered. (A state that is kept is a state that must be
/// copied before it is changed.)
#[derive(Default)]
pub struct Heads {
    loops: FxHashMap<LoopId, Head>,
    pub widening: FxHashMap<LoopId, Widening>,
    /// How many rounds that count were begun since the loop was entered.
    counts: FxHashMap<LoopId, u32>,
}

struct Head {
    guard: Guard,
    seen: State,
    passed: u64,
}

impl Heads {
    /// How often the loop's head was passed since it was entered.
    pub fn passed(&self, id: LoopId) -> u32 {
        self.loops.get(&id).map_or(0, |head| u32::try_from(head.passed).unwrap_or(u32::MAX))
    }

    /// `written`, `obligations`: how many cells were written to before, and how many obligations of guesses
    /// there were.
    pub fn pass(&mut self, id: LoopId, state: &State, written: usize, obligations: usize) {
        self.widening.entry(id).or_insert_with(|| Widening::new(state, written, obligations));
        match self.loops.get_mut(&id) {
            Some(head) => {
                head.passed += 1;
                head.guard = state.guard.clone();
                if head.passed.is_power_of_two() {
                    head.seen = state.clone();
                }
            }
            None => {
                let head = Head { guard: state.guard.clone(), seen: state.clone(), passed: 1 };
                self.loops.insert(id, head);
            }
        }
    }

    pub fn seen(&self, id: LoopId) -> Option<&State> {
        self.loops.get(&id).map(|head| &head.seen)
    }

    pub fn guard(&self, id: LoopId) -> Option<&Guard> {
        self.loops.get(&id).map(|head| &head.guard)
    }

    /// Another round that counts; how many there are.
    pub fn count(&mut self, id: LoopId) -> u32 {
        let count = self.counts.entry(id).or_insert(0);
        *count += 1;
        *count
    }

    /// A step leads into these loops from outside; wherever it leads to, their rounds begin anew.
    pub fn enter(&mut self, order: &Order, from: NodeId, to: NodeId) {
        let mut around = order.loops.innermost(to);
        while let Some(id) = around.filter(|id| !order.loops.contains(*id, from)) {
            self.loops.remove(&id);
            self.widening.remove(&id);
            self.counts.remove(&id);
            around = order.loops.get(id).parent;
        }
    }
}
