//! Where something may hold.

use ir::{FuncId, NodeId};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Place {
    /// What a function requires.
    Entry(FuncId),
    /// At a cut point: the entry once more (over what was then and what is now), loop heads, both ends of
    /// calls.
    Cut(FuncId, NodeId),
    /// What a function ensures.
    Exit(FuncId),
}

impl Place {
    pub fn function(self) -> FuncId {
        match self {
            Place::Entry(f) | Place::Cut(f, _) | Place::Exit(f) => f,
        }
    }
}
