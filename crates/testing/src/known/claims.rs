//! What may be said of a program that is known to fail.

use super::runs::Failing;
use engine::{Bounds, Settings, UnknownReason, Unwind, Verdict};

/// What a verdict claims of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claimed {
    Safe,
    SafeUpTo(u32),
    Unsafe,
    Nothing,
}

impl Claimed {
    pub fn by(verdict: &Verdict) -> Claimed {
        match verdict {
            Verdict::Safe(_) => Claimed::Safe,
            Verdict::Unknown(reason) => Claimed::because(reason),
            Verdict::Unsafe(_) => Claimed::Unsafe,
        }
    }

    /// By nobody knowing more than this.
    pub fn because(reason: &UnknownReason) -> Claimed {
        reason.safe_up_to().map_or(Claimed::Nothing, Claimed::SafeUpTo)
    }

    /// Why that is wrong, if it is.
    pub fn wrong(self, failing: &Failing) -> Option<String> {
        match self {
            Claimed::Safe => Some("safe".to_owned()),
            Claimed::SafeUpTo(bound) if bound >= failing.needs.max(1) => {
                Some(format!("safe up to {bound}, and it fails within {}", failing.needs))
            }
            Claimed::SafeUpTo(_) | Claimed::Unsafe | Claimed::Nothing => None,
        }
    }
}

/// Loops and recursion up to this bound.
pub fn fixed(bound: u32) -> Settings {
    Settings::unwinding(Unwind::Fixed(Bounds::new(bound)))
}

/// Deeper and deeper, up to this bound.
pub fn deepening(most: u32) -> Settings {
    Settings::unwinding(Unwind::Auto { most: Some(most) })
}
