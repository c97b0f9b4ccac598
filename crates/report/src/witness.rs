//! Witnesses of verdicts, in the exchange format of SV-COMP, version 2.0: YAML that other tools can check.
//!
//! A correctness witness is a set of invariants, a violation witness a sequence of points that a failing
//! execution passes; both name the task that they are about. Here is the data and its text; [`invariants`]
//! makes the one of a proof, [`violation`] the other of a run. What cannot be said exactly, or cannot be
//! placed in the file that was given, is left out: a witness that says less is still right, one that says
//! something else is not.

mod expression;
pub mod invariants;
mod kept;
mod number;
pub mod places;
mod scope;
pub mod violation;
mod walk;
mod yaml;

use sha2::{Digest, Sha256};
use std::time::Duration;

/// One entry, which is a whole witness.
#[derive(Clone, PartialEq, Debug)]
pub struct Witness {
    pub task: Task,
    pub content: Content,
    /// Since 1970.
    pub created: Duration,
}

/// What was verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    pub files: Vec<InputFile>,
    /// In the notation of the competition's property files.
    pub specification: String,
    /// ILP32 or LP64.
    pub data_model: &'static str,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputFile {
    pub name: String,
    pub sha256: String,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Content {
    Invariants(Vec<Invariant>),
    /// In the order in which they are passed; the last one is the target.
    Violation(Vec<Waypoint>),
}

/// Holds whenever its place is reached: for a loop, whenever its condition is about to be evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    pub kind: InvariantKind,
    pub location: Location,
    /// A C expression.
    pub value: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvariantKind {
    /// At the keyword of a loop.
    Loop,
    /// At a statement.
    Location,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    pub kind: WaypointKind,
    pub location: Location,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaypointKind {
    /// A C expression that holds before a statement.
    Assumption(String),
    /// How the condition at a keyword turns out.
    Branching(bool),
    /// What a call gives, as an expression of ACSL over `\result`; at its closing parenthesis.
    FunctionReturn(String),
    /// The statement that violates the property.
    Target,
}

/// A place in an input file, line and column from 1. Without a column it is the first fitting place of the
/// line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
    pub function: Option<String>,
}

impl InputFile {
    pub fn new(name: String, content: &[u8]) -> InputFile {
        InputFile { name, sha256: hex(&Sha256::digest(content)) }
    }
}

impl Witness {
    pub fn to_yaml(&self) -> String {
        yaml::text(self)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
