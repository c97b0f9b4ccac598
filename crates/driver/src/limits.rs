//! Limits that are kept from outside.
//!
//! Engines look at their budget; some phases take long between two looks, and none counts its memory. A thread looks at what the
//! process takes. At the limit it cancels the budget, and remembers that it was memory; somewhat above, or long after the
//! deadline, it is the last resort: whoever started it says what happens then.

use base::Stopped;
use engine::UnknownReason;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

#[derive(Clone, Default, Debug)]
pub struct Limits {
    /// Bytes that the process may hold.
    pub memory: Option<u64>,
    pub deadline: Option<Instant>,
}

/// Watches until it is stopped or dropped.
pub struct Watch {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    memory: AtomicBool,
    /// Nobody may be interrupted any more.
    over: Mutex<bool>,
    changed: Condvar,
}

const INTERVAL: Duration = Duration::from_millis(20);
/// After the deadline: whoever still confirms a violation may end that.
const GRACE: Duration = Duration::from_millis(350);
/// Percent above the limit.
const SLACK: u64 = 4;

impl Watch {
    /// `last_resort` is called at most once, never after [`Watch::stop`].
    pub fn start(
        limits: Limits,
        cancelled: Arc<AtomicBool>,
        last_resort: impl FnOnce(UnknownReason) + Send + 'static,
    ) -> Watch {
        let shared = Arc::new(Shared {
            memory: AtomicBool::new(false),
            over: Mutex::new(false),
            changed: Condvar::new(),
        });
        let seen = shared.clone();
        let work = move || watch(&limits, &cancelled, &seen, last_resort);
        // Without a thread there is still the budget.
        let thread = std::thread::Builder::new().spawn(work).ok();
        Watch { shared, thread }
    }

    /// Was the budget cancelled because of memory?
    pub fn memory_reached(&self) -> bool {
        self.shared.memory.load(Ordering::Relaxed)
    }

    /// From now on the caller is not interrupted.
    pub fn stop(&self) {
        *self.shared.over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.shared.changed.notify_all();
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn watch(limits: &Limits, cancelled: &AtomicBool, shared: &Shared, last_resort: impl FnOnce(UnknownReason)) {
    let last_moment = limits.deadline.and_then(|deadline| deadline.checked_add(GRACE));
    let mut over = shared.over.lock().unwrap_or_else(PoisonError::into_inner);
    while !*over {
        let used = limits.memory.and_then(|limit| Some((limit, resident()?)));
        if let Some((limit, used)) = used.filter(|(limit, used)| used > limit) {
            shared.memory.store(true, Ordering::Relaxed);
            cancelled.store(true, Ordering::Relaxed);
            if used > limit.saturating_add(limit / 100 * SLACK) {
                last_resort(UnknownReason::Memory);
                return;
            }
        }
        if last_moment.is_some_and(|moment| Instant::now() >= moment) {
            last_resort(UnknownReason::Stopped(Stopped::Time));
            return;
        }
        let waited = shared.changed.wait_timeout(over, INTERVAL);
        over = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
}

/// Bytes of memory that this process holds, swapped out ones included. None where the system does not say.
pub fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    Some((kilobytes("VmRSS:")? + kilobytes("VmSwap:").unwrap_or(0)) << 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// Starts a watch with these limits; what the last resort hears, and whether the budget was cancelled.
    fn check(limits: Limits, expected: Option<UnknownReason>, cancels: bool) {
        let cancelled = Arc::new(AtomicBool::new(false));
        let (send, receive) = mpsc::channel();
        let watch = Watch::start(limits.clone(), cancelled.clone(), move |reason| send.send(reason).unwrap());
        let heard =
            receive.recv_timeout(Duration::from_millis(if expected.is_some() { 10_000 } else { 100 }));
        assert_eq!(heard.ok(), expected, "{limits:?}");
        assert_eq!(cancelled.load(Ordering::Relaxed), cancels, "{limits:?}");
        assert_eq!(watch.memory_reached(), expected == Some(UnknownReason::Memory) || cancels, "{limits:?}");
    }

    #[test]
    fn limits_are_kept() {
        let long_ago = Instant::now().checked_sub(2 * GRACE);
        // So much that threads that start and end do not matter.
        let held = std::hint::black_box(vec![1u8; 64 << 20]);
        let now = resident().expect("/proc");
        assert!(now > 100 << 10, "{now}");
        check(Limits::default(), None, false);
        check(Limits { memory: Some(1 << 50), deadline: Some(Instant::now() + GRACE) }, None, false);
        check(Limits { memory: Some(1), deadline: None }, Some(UnknownReason::Memory), true);
        check(Limits { memory: Some(now - now / 50), deadline: None }, None, true);
        drop(held);
        check(Limits { memory: None, deadline: Some(Instant::now()) }, None, false);
        if long_ago.is_some() {
            check(
                Limits { memory: None, deadline: long_ago },
                Some(UnknownReason::Stopped(Stopped::Time)),
                false,
            );
        }
    }

    #[test]
    fn nobody_is_interrupted_after_stop() {
        let cancelled = Arc::new(AtomicBool::new(false));
        let watch = Watch::start(Limits::default(), cancelled, |_| unreachable!());
        watch.stop();
    }
}
