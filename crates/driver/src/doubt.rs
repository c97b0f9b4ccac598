//! Why a claim does not count.

use std::fmt;

/// A claim that was run or checked, and was not confirmed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doubt {
    pub why: String,
    /// It was seen to be wrong, which is a fault of whoever made it; otherwise it could not be checked within the limits.
    pub refuted: bool,
}

impl Doubt {
    pub fn refuted(why: impl Into<String>) -> Doubt {
        Doubt { why: why.into(), refuted: true }
    }

    pub fn open(why: impl Into<String>) -> Doubt {
        Doubt { why: why.into(), refuted: false }
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.why)
    }
}
