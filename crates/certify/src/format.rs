//! Certificates of comparisons: all that is needed to check the claim again.
//!
//! Functions are known by their names; nodes and edges by their numbers in the function that the steps before
//! have made, which front end and transformations always give alike. Formulas are SMT-LIB terms over the
//! variables that `state` names.

pub use crate::claim::{Comparison, Contract, Integers, Pair, Source};
use crate::symbols::Symbols;
use serde::{Deserialize, Serialize};

/// A comparison that was certified.
pub type Certificate = crate::file::File<Comparison, Vec<Answer>>;

/// What is said about one pair of functions of the claim.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    pub functions: [String; 2],
    pub verdict: Verdict,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Equivalent(Proof),
    Different(Box<Difference>),
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proof {
    /// Fingerprints of everything that the functions can run into agree.
    Identical,
    /// The user says so.
    Assumed,
    Coupled(Box<Coupled>),
}

/// A proof by coupling predicates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coupled {
    pub encoding: Encoding,
    pub steps: Vec<Step>,
    /// The text of every function that the steps have changed, to see that they were redone alike: version,
    /// name, text.
    pub transformed: Vec<(Version, String, String)>,
    /// Functions that are one function for this proof.
    pub same: Vec<Same>,
    /// Functions whose calls go together where both versions make them.
    pub matched: Vec<[String; 2]>,
    /// Uninterpreted functions that formulas mention, with the sorts of their arguments and results.
    pub functions: Symbols,
    pub locations: Vec<Location>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Same {
    pub functions: [String; 2],
    pub proof: Proof,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    Bitvectors,
    Wrapping,
    Unbounded,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Version {
    Old,
    New,
}

impl Version {
    pub const BOTH: [Version; 2] = [Version::Old, Version::New];

    pub fn index(self) -> usize {
        self as usize
    }
}

/// One transformation of one function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub version: Version,
    pub function: String,
    pub change: Change,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// Each call is replaced by the callee's body as it was before this step.
    Inline(Vec<u32>),
    Unroll {
        head: u32,
        factor: u32,
    },
    Peel {
        head: u32,
        times: u32,
    },
    /// A function without a body gets the name of the one that it is assumed to be the same as.
    Rename(String),
}

/// A pair of places (or one place of one version), and what always holds there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Location {
    pub functions: [Option<String>; 2],
    pub places: [Option<Place>; 2],
    pub moves: Moves,
    pub formula: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    Start,
    Node(u32),
    End,
}

/// Who goes on from a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Moves {
    Both,
    Old,
    New,
    /// Both if both loops go on or both are left; otherwise the one whose loop goes on, while the other
    /// waits.
    Wait,
    /// Nobody: both are at their ends.
    Done,
}

/// An input on which the versions differ.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    pub args: [Vec<Value>; 2],
    /// The sizes of the caller's objects.
    pub objects: Vec<u64>,
    /// Known bytes of objects and globals.
    pub memory: Vec<Bytes>,
    /// What input functions return: name, which call, value.
    pub inputs: Vec<(String, u32, Value)>,
    /// What functions without a body return: name, arguments, which such call, value.
    pub returns: Vec<(String, Vec<Value>, u32, Value)>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// As the IR has them, in decimal.
    Bits(String),
    Object(usize, i64),
    Global(String, i64),
    Function(String),
    /// An address in what only one version has.
    Nothing,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bytes {
    /// An object's number, or a global's name.
    pub object: Option<usize>,
    pub global: Option<String>,
    pub offset: u64,
    pub content: Content,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    Bytes(Vec<u8>),
    Pointer(Value),
}
