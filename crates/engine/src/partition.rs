//! How explicit exploration divides the values of variables.

use ir::{FuncId, GlobalId, LocalId};

/// A register variable of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Slot {
    Global(GlobalId),
    Local(FuncId, LocalId),
}

/// Which values of which variables are told apart where states are kept. Variables that are not mentioned
/// keep every value apart. Of those that are, every value lies in one of the intervals (ascending, disjoint,
/// both ends included), and a state that is kept has the whole interval.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Partition {
    pub intervals: Vec<(Slot, Vec<(i128, i128)>)>,
}
