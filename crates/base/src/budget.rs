//! Budgets: a limit in steps (deterministic), in time, and a flag that Ctrl-C sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Why work was given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    Steps,
    Time,
    Cancelled,
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            Stopped::Steps => "step limit reached",
            Stopped::Time => "time limit reached",
            Stopped::Cancelled => "interrupted",
        })
    }
}

#[derive(Clone, Debug, Default)]
pub struct Budget {
    pub steps: Option<u64>,
    pub deadline: Option<Instant>,
    pub cancelled: Arc<AtomicBool>,
}

impl Budget {
    pub fn unlimited() -> Self {
        Self::default()
    }

    pub fn steps(steps: u64) -> Self {
        Budget { steps: Some(steps), ..Self::default() }
    }

    /// To be called now and then with the number of steps done so far.
    pub fn check(&self, steps: u64) -> Result<(), Stopped> {
        if self.steps.is_some_and(|limit| steps > limit) {
            return Err(Stopped::Steps);
        }
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Stopped::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stopped::Time);
        }
        Ok(())
    }
}
