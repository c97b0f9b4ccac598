//! Why nobody knows whether two versions do the same, as far as one program by itself has no such reason.

use encode::start::Unlike;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// One of the two versions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Old,
    New,
}

impl Side {
    pub const BOTH: [Side; 2] = [Side::Old, Side::New];

    pub fn other(self) -> Side {
        match self {
            Side::Old => Side::New,
            Side::New => Side::Old,
        }
    }

    /// 0 or 1.
    pub fn index(self) -> usize {
        self as usize
    }

    pub fn name(self) -> &'static str {
        match self {
            Side::Old => "old",
            Side::New => "new",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Undecided {
    /// All that there is to try was tried.
    NothingFound,
    /// A proof would say too little about the versions.
    Unlike(Unlike),
    /// This constructor runs before, and is another one in each version.
    Constructor(Arc<str>),
    /// Other files can see this object, and it is another one in each version.
    Object(Arc<str>),
    /// There is a proof about runs that end, and one version may have one that does not, where the other one
    /// ends: on these arguments, a name and a value each.
    MayNotEnd { version: Side, arguments: Vec<(String, String)> },
    /// A difference was derived, and running it did not show it.
    NotConfirmed,
    /// A proof was found, and checking it did not succeed.
    NotCertified(String),
}

impl Undecided {
    /// One word for the kind of reason.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Undecided::NothingFound => "nothing found",
            Undecided::Unlike(_) | Undecided::Constructor(_) | Undecided::Object(_) => "unlike",
            Undecided::MayNotEnd { .. } => "may not end",
            Undecided::NotConfirmed => "not confirmed",
            Undecided::NotCertified(_) => "not certified",
        }
    }
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Undecided::NothingFound => f.write_str("no member of the portfolio found an answer"),
            Undecided::Unlike(unlike) => unlike.fmt(f),
            Undecided::Constructor(name) => {
                write!(f, "the constructor '{name}', which runs before, is not the same in both versions")
            }
            Undecided::Object(name) => {
                write!(f, "'{name}', which other files can see, is not the same object in both versions")
            }
            Undecided::MayNotEnd { version, arguments } => {
                let given: Vec<_> =
                    arguments.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                let given = if given.is_empty() { "without arguments".to_owned() } else { given.join(", ") };
                let (version, other) = (version.name(), version.other().name());
                write!(f, "the {version} version may not end where the {other} one does: {given}")
            }
            Undecided::NotConfirmed => f.write_str("a difference was derived but not confirmed by replay"),
            Undecided::NotCertified(why) => write!(f, "a proof was found but not certified: {why}"),
        }
    }
}
