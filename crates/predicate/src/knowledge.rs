//! What one run leaves for the next: summaries by the content of their fragments, and precisions by name.
//!
//! A fragment's record is found under everything that its summaries depend on (paper 000, Definition 6): the
//! global fingerprint of the fragment in the slice, how the memory that it touches is divided, and the kind
//! of integers. So it does not matter from which earlier revision it comes. What the interval analysis said
//! at the fragment's entry is part of what a summary relies on: it applies where no more is possible now.
//! Variables are carried over by their position in the canonical form, globals by name.
//!
//! Precisions (section 5.4) are hints: they are kept under the program's label and carried over by names,
//! whatever has changed. So are the summaries of functions that changed, until they are checked.

mod callers;
mod candidates;
mod equivalent;
mod form;
mod load;
mod precision;
mod save;

pub use callers::Called;
pub use equivalent::base;
pub use form::Version;
pub use load::{Equivalent, load};
pub use save::save;

use crate::diagram::Diagram;
use crate::model::{Fragment, Model};
use crate::predicates::{PredicateId, Predicates};
use crate::reachability::{Inherited, InstanceId, ReachabilityGraph};
use biodivine_lib_bdd::Bdd;
use encode::names::is_address;
use encode::regions::{Layout, RegionId};
use ir::fingerprint::{Canonical, Fingerprints};
use ir::{CallGraph, ExprKind, FuncId, NodeId, Op, Var};
use logic::parse::{Scope, parse_term};
use logic::print::with_lets;
use logic::{Substitution, Term, free_vars};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use store::{Artefact, Key, Store};

const KIND: &str = "predicate summaries";
const PRECISION: &str = "predicate precision";
/// Of one fragment.
const MOST_SUMMARIES: usize = 40;

#[derive(Serialize, Deserialize, Default)]
struct Record {
    /// What variables were called, by canonical position; nothing for those in memory.
    locals: Vec<String>,
    /// By first access.
    regions: Vec<String>,
    /// By first mention.
    addresses: Vec<String>,
    predicates: Vec<String>,
    /// The types of the variables that predicates mention: the fragment need not use them, and then its key
    /// does not say.
    types: Vec<(String, String)>,
    /// Variables that were known to have their value from the function's entry when a loop was entered.
    same: Vec<String>,
    /// What the function is without what it calls (`callers`); none where it calls nothing.
    own: Option<[u8; 32]>,
    summaries: Vec<Summary>,
}

#[derive(Serialize, Deserialize, Clone)]
struct Summary {
    precision: Vec<u16>,
    entry: Diagram,
    /// With the canonical number of the cut point.
    exits: Vec<(u32, Diagram)>,
    /// What holds at the cut points inside, for certificates.
    states: Vec<(u32, Diagram)>,
    /// The bounds at the entry that it relies on: what a variable was called, and the values that it may
    /// have.
    bounds: Vec<(String, Bounds)>,
    /// What it takes for granted of the functions it calls, if that is known.
    calls: Option<Vec<Called>>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
enum Bounds {
    Between(i128, i128),
    Among(Vec<i128>),
}
