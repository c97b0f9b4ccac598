//! The portfolio.

use crate::verdict::{Report, Request, Verdict};
use std::time::Instant;

/// Compares two functions. A verdict other than unknown has been confirmed: a difference by replay, a proof clause by clause.
pub fn compare(_request: &Request) -> Report {
    let start = Instant::now();
    Report {
        verdict: Verdict::Unknown("not tried".to_owned()),
        member: None,
        time: start.elapsed(),
        log: Vec::new(),
        assumptions: Vec::new(),
        equivalent_when: None,
    }
}
