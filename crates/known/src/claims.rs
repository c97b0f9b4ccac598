//! What may be said of a program that is known to fail.

use crate::runs::Failing;
use engine::{Bounds, Settings, Unwind, Verdict};

/// Why a verdict is wrong, if it is.
pub fn wrong(verdict: &Verdict, failing: &Failing) -> Option<String> {
    match verdict {
        Verdict::Safe => Some("safe".to_owned()),
        Verdict::Unknown(reason) => {
            let bound = reason.safe_up_to().filter(|bound| *bound >= failing.needs.max(1))?;
            Some(format!("safe up to {bound}, and it fails within {}", failing.needs))
        }
        Verdict::Unsafe(_) => None,
    }
}

/// Loops and recursion up to this bound.
pub fn fixed(bound: u32) -> Settings {
    Settings { unwind: Unwind::Fixed(Bounds::new(bound)), ..Settings::default() }
}

/// Deeper and deeper, up to this bound.
pub fn deepening(most: u32) -> Settings {
    Settings { unwind: Unwind::Auto { most: Some(most) }, ..Settings::default() }
}
