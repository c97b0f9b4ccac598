//! Invariants of loops that are widened (`unwind::widen`): what is known of the states that stand for all
//! rounds.
//!
//! They are part of a proof by unwinding. Nobody has to believe them: whoever executes the program assumes
//! each of them where a round begins, and everything that would break one, where the loop is entered or where
//! it comes back to its head, is part of what has to be refuted.

use serde::{Deserialize, Serialize};

/// What holds whenever a loop is at its head.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invariant {
    pub function: String,
    /// The loop's number in the function, from 1.
    pub number: u32,
    pub left: Place,
    pub relation: Relation,
    pub right: Operand,
    /// Only while this holds.
    pub when: Option<Condition>,
}

/// A place holds a number: a state of a state machine.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    pub place: Place,
    pub number: u64,
}

/// Where a value lies.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Place {
    Local(u32),
    Global(u32),
    /// `size` bytes of an object, which is called by where it is made.
    Cell {
        object: String,
        offset: u64,
        size: u64,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Relation {
    AtMost {
        signed: bool,
    },
    Less {
        signed: bool,
    },
    AtLeast {
        signed: bool,
    },
    /// The difference is a multiple of a power of two: its logarithm.
    Aligned(u8),
    /// It has moved so many times as far as the other since the loop was entered.
    Moved(i64),
    /// It is ahead of the other by at most this: the difference, unsigned.
    Ahead(u64),
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Operand {
    Number(u64),
    Place(Place),
    /// What the left side was when the loop was entered.
    Entry,
}
