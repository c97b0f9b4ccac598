//! A clock that goes on only while this process has a processor.
//!
//! What an attempt may cost is measured by it, so that other processes on the same machine make an answer
//! late, but not another one. Only the limit of the user counts seconds on the wall.

use std::time::Duration;

/// A moment: how long all threads of this process together have had a processor until then.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Work(Duration);

impl Work {
    #[cfg(unix)]
    pub fn now() -> Work {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        let (seconds, nanos) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
        Work(Duration::new(seconds.unwrap_or(0), nanos.unwrap_or(0)))
    }

    /// Where the system does not say, the process is taken to be alone.
    #[cfg(not(unix))]
    pub fn now() -> Work {
        static START: std::sync::LazyLock<std::time::Instant> =
            std::sync::LazyLock::new(std::time::Instant::now);
        Work(START.elapsed())
    }

    /// Since the start of the process.
    pub fn total() -> Duration {
        Work::now().0
    }

    pub fn elapsed(self) -> Duration {
        Work::now().0.saturating_sub(self.0)
    }

    /// How far ahead it is, from now on.
    pub fn left(self) -> Duration {
        self.0.saturating_sub(Work::now().0)
    }
}

impl std::ops::Add<Duration> for Work {
    type Output = Work;

    fn add(self, time: Duration) -> Work {
        Work(self.0.saturating_add(time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_on_with_work_and_not_with_sleep() {
        let start = Work::now();
        std::thread::sleep(Duration::from_millis(300));
        assert!(start.elapsed() < Duration::from_millis(200), "{:?}", start.elapsed());
        let end = Work::now() + Duration::from_millis(20);
        while !end.left().is_zero() {}
        assert!(start.elapsed() >= Duration::from_millis(20));
    }
}
