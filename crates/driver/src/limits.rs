//! Limits that are kept from outside.
//!
//! Engines look at their budget; some phases take long between two looks, and none counts its memory. A
//! thread looks at what the process takes. Close to the memory limit it cancels the budget, and remembers
//! that it was memory. At the limit, or a moment after the deadline, it is the last resort: it calls the
//! [`Ending`] that holds then. Whoever comes to know more while working gives it a better one, and whoever
//! prints the answer is not disturbed.

use base::Stopped;
use engine::UnknownReason;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

#[derive(Clone, Default, Debug)]
pub struct Limits {
    /// Bytes that the process may hold.
    pub memory: Option<u64>,
    pub deadline: Option<Instant>,
    /// How long after the deadline the work may take to notice.
    pub grace: Duration,
}

/// What is done when nothing else helps; told which limit it was. Usually it does not return.
pub type Ending = Box<dyn FnOnce(UnknownReason) + Send>;

/// Watches until it is stopped or dropped.
pub struct Watch {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    memory: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    over: bool,
    ending: Option<Ending>,
}

/// For work that looks at its budget: whoever still confirms a violation may end that.
pub const GRACE: Duration = Duration::from_millis(200);
/// Percent of the memory limit at which the work is asked to end. What is left is for what grows before that
/// is noticed.
const NEARLY: u64 = 95;
/// How often memory is looked at: seldom while it is far from the limit, since a process grows by no more
/// than so many bytes in a second.
const INTERVALS: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(20)];
const GROWTH: u64 = 4 << 30;

impl Watch {
    /// `ending` is called at most once, never after [`Watch::stop`].
    pub fn start(limits: Limits, cancelled: Arc<AtomicBool>, ending: Ending) -> Watch {
        let state = Mutex::new(State { over: false, ending: Some(ending) });
        let shared = Arc::new(Shared { memory: AtomicBool::new(false), state, changed: Condvar::new() });
        let seen = shared.clone();
        let work = move || watch(&limits, &cancelled, &seen);
        // Without a thread there is still the budget.
        let thread = std::thread::Builder::new().spawn(work).ok();
        Watch { shared, thread }
    }

    /// Was the budget cancelled because of memory?
    pub fn memory_reached(&self) -> bool {
        self.shared.memory.load(Ordering::Relaxed)
    }

    /// More is known now: this is what is done at the end.
    pub fn set_ending(&self, ending: Ending) {
        self.shared.lock().ending = Some(ending);
    }

    /// Does something that must not be cut short, such as printing. From then on the ending is `ending`.
    pub fn undisturbed<T>(&self, work: impl FnOnce() -> T, ending: Ending) -> T {
        let mut state = self.shared.lock();
        let result = work();
        state.ending = Some(ending);
        result
    }

    /// From now on the caller is not interrupted.
    pub fn stop(&self) {
        self.shared.lock().over = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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

fn watch(limits: &Limits, cancelled: &AtomicBool, shared: &Shared) {
    let last_moment = limits.deadline.and_then(|deadline| deadline.checked_add(limits.grace));
    let mut state = shared.lock();
    while !state.over {
        let mut pause = Duration::from_secs(3600);
        let mut reached = None;
        if let Some(limit) = limits.memory
            && let Some(used) = resident()
        {
            if used >= limit / 100 * NEARLY {
                shared.memory.store(true, Ordering::Relaxed);
                cancelled.store(true, Ordering::Relaxed);
            }
            reached = (used >= limit).then_some(UnknownReason::Memory);
            let soonest = Duration::from_micros(limit.saturating_sub(used) / (GROWTH / 1_000_000));
            pause = soonest.clamp(INTERVALS[0], INTERVALS[1]);
        }
        if let Some(moment) = last_moment {
            let left = moment.saturating_duration_since(Instant::now());
            pause = pause.min(left);
            reached = reached.or(left.is_zero().then_some(UnknownReason::Stopped(Stopped::Time)));
        }
        if let Some(reason) = reached {
            // The lock is kept: nobody prints besides.
            if let Some(ending) = state.ending.take() {
                ending(reason);
            }
            return;
        }
        state = shared.changed.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner).0;
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
        let ending = move |reason| send.send(reason).unwrap();
        let watch = Watch::start(limits.clone(), cancelled.clone(), Box::new(ending));
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
        check(
            Limits { memory: Some(1 << 50), deadline: Some(Instant::now() + GRACE), grace: GRACE },
            None,
            false,
        );
        check(Limits { memory: Some(1), ..Limits::default() }, Some(UnknownReason::Memory), true);
        check(Limits { memory: Some(now + now / 40), ..Limits::default() }, None, true);
        drop(held);
        check(Limits { memory: None, deadline: Some(Instant::now()), grace: GRACE }, None, false);
        if long_ago.is_some() {
            let time = UnknownReason::Stopped(Stopped::Time);
            check(Limits { memory: None, deadline: long_ago, grace: GRACE }, Some(time), false);
        }
    }

    /// The last ending that was set counts, and nobody prints while it is called.
    #[test]
    fn endings_are_replaced() {
        let (send, receive) = mpsc::channel();
        let say = |what: &'static str| -> Ending {
            let send = send.clone();
            Box::new(move |_| send.send(what).unwrap())
        };
        let limits = Limits { memory: None, deadline: Some(Instant::now()), grace: GRACE };
        let watch = Watch::start(limits, Arc::default(), say("first"));
        watch.set_ending(say("better"));
        watch.undisturbed(|| std::thread::sleep(2 * GRACE), say("printed"));
        assert_eq!(receive.recv_timeout(Duration::from_secs(10)), Ok("printed"));
    }

    #[test]
    fn nobody_is_interrupted_after_stop() {
        let watch = Watch::start(Limits::default(), Arc::default(), Box::new(|_| unreachable!()));
        watch.stop();
    }
}
