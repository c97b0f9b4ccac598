//! Fingerprints: two programs share a proof exactly where these agree.
//!
//! A *fragment* is a function or a loop. Its **local** fingerprint covers what is written in it: the
//! reachable automaton up to skips, operations, types, constants, and the names of the functions and globals
//! it refers to. It does not see names and order of locals, numbering of nodes, positions, messages, unused
//! variables, nor the order in which functions and globals are declared ([`canonical`] says how). String
//! literals count by content, and a function's own name is not part of it.
//!
//! Its **global** fingerprint also covers everything it can run into: the global fingerprints of what it
//! calls, by name or through a pointer, size and type of the globals it touches, the content of the constant
//! ones (and of what those point to), and the target. Equal global fingerprints mean: from the same state at
//! entry (up to the renaming that the canonical form gives), both fragments have the same executions. The
//! initial values of globals that can change belong to the state, not to the fragment; they are in
//! [`Fingerprints::program`] and [`Fingerprints::entry`].
//!
//! What a fingerprint does *not* cover is knowledge that an analysis took from the rest of the program, such
//! as points-to sets. Whoever stores a fact that depends on such knowledge must make it part of its key.
//!
//! All functions here expect a program that the IR verifier accepts.

mod canonical;
mod encode;
mod entry;
mod forms;
mod global;
mod graph;
mod names;
mod texts;

pub use canonical::{Canonical, Skips, out_in_order};
pub use entry::run_print;
pub use forms::{Forms, FragmentForm, FunctionForm, GlobalForm, TargetSet, is_literal};
pub use global::Fingerprints;
pub use texts::{Text, Texts};

use crate::program::{FuncId, GlobalId};
use std::fmt;

/// A BLAKE3 hash.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub [u8; 32]);

/// A function or global that a fragment names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Symbol {
    Function(FuncId),
    Global(GlobalId),
}

/// The two fingerprints of a fragment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FragmentPrint {
    pub local: Fingerprint,
    pub global: Fingerprint,
}

impl Fingerprint {
    pub fn of(bytes: &[u8]) -> Fingerprint {
        Fingerprint(*blake3::hash(bytes).as_bytes())
    }

    /// The first twelve digits, for people.
    pub fn short(&self) -> String {
        let mut text = self.to_string();
        text.truncate(12);
        text
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.short())
    }
}

/// A hash of parts that cannot run into each other: every part has a fixed length or is preceded by its
/// length.
struct Hasher(blake3::Hasher);

impl Hasher {
    fn new(purpose: &str) -> Hasher {
        let mut hasher = Hasher(blake3::Hasher::new());
        hasher.text(purpose);
        hasher
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len());
        self.0.update(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn number(&mut self, n: usize) {
        self.0.update(&(n as u64).to_le_bytes());
    }

    fn print(&mut self, print: Fingerprint) {
        self.0.update(&print.0);
    }

    fn finish(self) -> Fingerprint {
        Fingerprint(*self.0.finalize().as_bytes())
    }
}
