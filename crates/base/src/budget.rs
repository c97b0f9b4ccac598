//! Budgets: limits in steps, in work of this process and in time, and a flag that Ctrl-C sets.
//!
//! The time is the user's. What an engine or the driver gives to an attempt is counted in steps or in work:
//! the answer must not depend on what else the machine does.

use crate::work::Work;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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
    pub work: Option<Work>,
    pub cancelled: Arc<AtomicBool>,
}

impl Budget {
    pub fn unlimited() -> Self {
        Self::default()
    }

    pub fn steps(steps: u64) -> Self {
        Budget { steps: Some(steps), ..Self::default() }
    }

    /// So many seconds on the wall from now on.
    pub fn seconds(seconds: f64) -> Self {
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        Budget { deadline: Instant::now().checked_add(time), ..Self::default() }
    }

    /// The same, but no more work than this from now on.
    pub fn within(&self, work: Duration) -> Self {
        let end = Work::now() + work;
        Budget { work: Some(self.work.map_or(end, |own| own.min(end))), ..self.clone() }
    }

    /// The same, but no more than so many steps.
    pub fn at_most(&self, steps: u64) -> Self {
        Budget { steps: Some(self.steps.map_or(steps, |own| own.min(steps))), ..self.clone() }
    }

    /// The same, but for one part in so many of the time that is left.
    pub fn part(&self, of: u32) -> Self {
        self.parts(1, of)
    }

    /// The same, but for so many parts of the time that is left.
    pub fn parts(&self, parts: u32, of: u32) -> Self {
        self.left().map_or_else(|| self.clone(), |left| self.within(left / of * parts))
    }

    /// The same, but for steps of another kind, with a limit of their own.
    pub fn with_steps(&self, steps: Option<u64>) -> Self {
        Budget { steps, ..self.clone() }
    }

    /// The same, but this flag alone stops it.
    pub fn with_flag(&self, cancelled: &Arc<AtomicBool>) -> Self {
        Budget { cancelled: cancelled.clone(), ..self.clone() }
    }

    /// How much may still be done, if there is a limit.
    pub fn left(&self) -> Option<Duration> {
        let time = self.deadline.map(|at| at.saturating_duration_since(Instant::now()));
        time.into_iter().chain(self.work.map(Work::left)).min()
    }

    /// To be called now and then with the number of steps done so far.
    pub fn check(&self, steps: u64) -> Result<(), Stopped> {
        if self.steps.is_some_and(|limit| steps > limit) {
            return Err(Stopped::Steps);
        }
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Stopped::Cancelled);
        }
        if self.left().is_some_and(|left| left.is_zero()) {
            return Err(Stopped::Time);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_limit_counts() {
        let hour = Duration::from_secs(3600);
        let budget = Budget::unlimited();
        assert_eq!(budget.left(), None);
        let budget = budget.within(hour);
        assert!(budget.left().is_some_and(|left| left <= hour));
        assert_eq!(budget.check(0), Ok(()));
        let none = budget.within(Duration::ZERO);
        assert_eq!(none.check(0), Err(Stopped::Time));
        assert_eq!(none.within(hour).check(0), Err(Stopped::Time));
        assert_eq!(Budget::seconds(0.0).within(hour).check(0), Err(Stopped::Time));
        assert_eq!(Budget::steps(5).at_most(9).check(6), Err(Stopped::Steps));
        assert_eq!(Budget::steps(9).at_most(5).check(6), Err(Stopped::Steps));
        assert!(budget.part(4).left().is_some_and(|left| left <= hour / 4));
        assert!(budget.parts(3, 4).left().is_some_and(|left| left <= hour * 3 / 4 && left > hour / 2));
        let cancelled = budget.clone();
        cancelled.cancelled.store(true, Ordering::Relaxed);
        assert_eq!(budget.part(2).check(0), Err(Stopped::Cancelled));
    }
}
