//! Both versions of a function on the same concrete input.
//!
//! [`compare`] runs the two versions on one [`Input`] and says whether what can be observed is the same.
//! [`search`] does so for many inputs; a difference it finds is an answer. [`minimise`] makes the input of a
//! difference small, and [`side_by_side`] runs both once more and lines up what they did. Every claim that
//! two versions differ, whoever makes it, is replayed by [`compare`].
//!
//! Observed is: how the run ended (a value returned, an exit code, an abort, a failed check, a trap of the
//! processor), the calls of functions without a body in order, what was printed, and, if the function
//! returned, the globals that both versions have, the caller's objects, and what is reachable through
//! pointers in them.
//!
//! An input is no input of both versions, and says nothing, if one of them breaks the contract of C on it: a
//! failed assumption, an invalid memory access, code that cannot be run. A difference must also survive
//! another layout of memory and other values of what nobody initialised; if it does not, it depends on what C
//! leaves open.

mod choose;
mod fields;
mod generate;
mod input;
mod machine;
mod matching;
mod minimise;
mod observe;
mod padding;
mod runner;
mod search;
mod side_by_side;
mod world;

pub use input::{Base, Byte, CallKey, Input, Memory, Place, Pointer, Rest, Run, Value};
pub use minimise::minimise;
pub use observe::{Call, Ending, Observation};
pub use runner::Comparer;
pub use search::{Accept, Effort, NoEnd, SearchResult, Visits, search, search_with};
pub use side_by_side::{Event, SideBySide, Story, What, side_by_side};

use base::Budget;
use engine::Side;
use interp::UndefinedKind;
use ir::{CheckKind, FuncId, NodeId, Program};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The two versions. Both programs must have passed verification and be for the same target.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'p> {
    pub old: &'p Program,
    pub new: &'p Program,
    pub old_fn: FuncId,
    pub new_fn: FuncId,
}

/// What calls of a certain function without a body mean. Such calls are not observed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExternRule {
    /// Returns these bits.
    Constant(u128),
    /// Returns its n-th argument.
    Argument(usize),
    /// Has no effect, and the result depends on the arguments only.
    Pure,
}

/// Which effects count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observe {
    pub value: bool,
    /// None: all that both versions have.
    pub globals: Option<Vec<Arc<str>>>,
    pub memory: bool,
    pub calls: bool,
    pub output: bool,
}

impl Default for Observe {
    fn default() -> Self {
        Observe { value: true, globals: None, memory: true, calls: true, output: true }
    }
}

#[derive(Clone, Debug)]
pub struct Options {
    pub externs: BTreeMap<String, ExternRule>,
    pub observe: Observe,
    /// Do globals start from their initialisers? None: if the function is `main`.
    pub initialised: Option<bool>,
    /// Steps for one run.
    pub max_steps: u64,
    pub max_depth: u32,
    /// Bytes for one run.
    pub max_memory: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            externs: BTreeMap::new(),
            observe: Observe::default(),
            initialised: None,
            max_steps: 3_000_000,
            max_depth: 100_000,
            max_memory: 1 << 28,
        }
    }
}

/// Why an input says nothing about equivalence.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// An assumption of the program fails.
    Assume(Side),
    /// Undefined behaviour that is not a trap of the processor.
    Undefined(Side, UndefinedKind),
    /// A check other than an assertion fails: undefined behaviour the front end was asked to look for.
    Check(Side, CheckKind),
    Unsupported(Side, Arc<str>),
    /// A function that is called has a body in one version only.
    OneSidedBody(Arc<str>),
    /// What is observed depends on the layout of memory or on values nobody initialised.
    Unspecified,
    /// The precondition does not hold.
    Precondition,
    /// The relational postcondition has no value here.
    Postcondition,
    /// The budget is used up.
    Interrupted,
    /// The input does not fit the functions, as a pointer to what a version does not have.
    BadInput,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compared {
    Same,
    Differs(Box<Difference>),
    Excluded(Reason),
    /// At least one version did not end within the limits.
    NoEnd {
        old_ended: bool,
        new_ended: bool,
    },
}

/// The first thing that is observed to be different, by importance.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DifferenceKind {
    Ending,
    /// The returned value.
    Value,
    /// The calls of functions without a body, from this one on.
    Call {
        index: usize,
    },
    Stdout,
    Stderr,
    Memory {
        place: Place,
        offset: u64,
    },
    /// An object made by the function and reachable from what it leaves.
    Heap {
        offset: u64,
    },
    /// The relational postcondition does not hold.
    Postcondition,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// With everything that the runs asked for: it can be printed and replayed.
    pub input: Input,
    pub kind: DifferenceKind,
    pub old: Observation,
    pub new: Observation,
}

/// A relational postcondition: does it hold of these two observations? None: cannot say.
pub type Post<'f> = dyn Fn(&Observation, &Observation, &Input) -> Option<bool> + 'f;

/// Locations of the old and of the new program to look at, as loop heads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Watch {
    pub old: Vec<(FuncId, NodeId)>,
    pub new: Vec<(FuncId, NodeId)>,
}

impl Watch {
    pub fn is_empty(&self) -> bool {
        self.old.is_empty() && self.new.is_empty()
    }
}

/// Runs both versions on one input.
pub fn compare(pair: Pair, input: &Input, options: &Options, budget: &Budget) -> Compared {
    Comparer::new(pair, options).compare(input, None, budget)
}
