//! The solver: Z3, in process. This crate is the only one that talks to it.
//!
//! `raw` is the C interface, `translate` and `read` are the way of terms there and back. On top: [`Z3Solver`]
//! for many queries that share formulas, [`one_shot`] for single ones, [`fixedpoint`] for Horn clauses,
//! [`interpolate`] for reasons. `watch` stops what runs too long. Everything that has a Z3 context stays on its
//! thread; make one of each per thread, and keep it.
//!
//! The library comes from `scripts/setup` (see `build.rs`). A binary may still meet another libz3 at run
//! time, so its version is asked for before it is used.

#[expect(unsafe_code, reason = "the one place that calls Z3's C interface")]
mod raw;

mod define;
pub mod fixedpoint;
#[cfg(test)]
mod r#gen;
pub mod interpolate;
mod model;
mod one_shot;
mod products;
mod read;
mod solver;
mod tidy;
mod translate;
mod watch;

pub use model::Model;
pub use one_shot::one_shot;
pub use solver::{NoSolver, SatResult, Settings, Solver, Strategy, Why, Z3Solver};
pub use watch::Interrupt;

use std::fmt;

/// The version of the Z3 library this process runs with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Z3Version {
    pub major: u32,
    pub minor: u32,
    pub build: u32,
}

/// Older versions ignore their time limits on some queries and never come back.
pub const OLDEST: Z3Version = Z3Version { major: 5, minor: 3, build: 0 };

/// The Z3 library at hand must not be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooOld(pub Z3Version);

impl Z3Version {
    /// The zero version if the library answers with something that is no version.
    pub fn linked() -> Z3Version {
        Z3Version::parse(&raw::full_version()).unwrap_or(Z3Version { major: 0, minor: 0, build: 0 })
    }

    /// Z3 calls itself `Z3 5.4.0.0`, sometimes followed by a commit.
    fn parse(text: &str) -> Option<Z3Version> {
        let number = text.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
        let mut parts = number.split('.').map(|part| part.parse().ok());
        let mut next = || parts.next().flatten();
        Some(Z3Version { major: next()?, minor: next()?, build: next()? })
    }
}

/// The linked version, if it may be used.
pub fn check_version() -> Result<Z3Version, TooOld> {
    accept(Z3Version::linked())
}

fn accept(version: Z3Version) -> Result<Z3Version, TooOld> {
    if version >= OLDEST { Ok(version) } else { Err(TooOld(version)) }
}

impl fmt::Display for Z3Version {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.build)
    }
}

impl fmt::Display for TooOld {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "the Z3 library found at run time is version {}, but at least {}.{} is needed: run scripts/setup and \
             build again, or remove the older library from the library path",
            self.0, OLDEST.major, OLDEST.minor
        )
    }
}

impl std::error::Error for TooOld {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_linked_version_is_new_enough() {
        assert!(check_version().unwrap() >= OLDEST);
    }

    #[test]
    fn versions_are_read() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(Z3Version::parse(text).map(|v| v.to_string()).as_deref(), expected, "{text}");
        };
        check("Z3 5.4.0.0", Some("5.4.0"));
        check("Z3 4.8.12.0 5e6b8a1", Some("4.8.12"));
        check("Z3 5.4", None);
        check("", None);
    }

    #[test]
    fn old_versions_are_refused() {
        let check = |major, minor, build, accepted: bool| {
            let version = Z3Version { major, minor, build };
            assert_eq!(accept(version).is_ok(), accepted, "{version}");
        };
        check(4, 8, 12, false);
        check(5, 2, 9, false);
        check(5, 3, 0, true);
        check(6, 0, 0, true);
        let message = accept(Z3Version { major: 4, minor: 8, build: 12 }).unwrap_err().to_string();
        assert!(message.contains("4.8.12") && message.contains("at least 5.3"), "{message}");
    }
}
