//! What changed between two versions of a program, and what the change can reach.
//!
//! [`compare`] matches the functions, loops and globals of both versions and says for each what became of it,
//! as data with reasons. Fragments in state [`State::Unchanged`] or [`State::Renamed`] are *globally
//! unchanged* in the sense of paper 000 (section 5.2): from the same state at entry, they have the same
//! executions in both versions, up to the renaming that the matching and the canonical forms give. Everything
//! that any difference could influence is in another state.

mod compare;
mod differ;
mod loops;
mod matching;
mod pair;
mod result;
mod same;
mod similar;
mod states;
mod words;

pub use compare::{Comparison, Options, Row, compare};
pub use matching::{Matching, Version};
pub use pair::Pair;
pub use result::{
    Change, Edit, FunctionChange, GlobalChange, GlobalDifference, Kind, LoopChange, LoopRef, Place, Quote,
    Side, State, Through, Why,
};
