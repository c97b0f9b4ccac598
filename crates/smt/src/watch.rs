//! Stops work that runs too long or that nobody wants any more: one thread for the whole process.
//!
//! Z3's own timer starts a thread per check and says "canceled" for everything. Here a check enters a table
//! with its deadline and the flags that stop it; the watcher looks at the table every few milliseconds, and
//! only while there is something in it. It keeps stopping what should stop until it has left the table: a
//! request that comes before Z3 listens is not lost.

use crate::raw::Target;
use base::Budget;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard};
use std::time::Duration;

/// Stops the checks that were given a copy of it, from any thread, until it is reset.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    pub fn interrupt(&self) {
        self.0.store(true, Ordering::SeqCst);
        WATCH.wake.notify_one();
    }

    pub fn reset(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// A budget's Ctrl-C flag.
impl From<&Budget> for Interrupt {
    fn from(budget: &Budget) -> Interrupt {
        Interrupt(budget.cancelled.clone())
    }
}

/// Why work was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Timeout,
    Interrupted,
}

/// When work is to be stopped.
#[derive(Clone, Default)]
pub(crate) struct Limits {
    budget: Budget,
    interrupt: Interrupt,
}

impl Limits {
    pub(crate) fn new(timeout: Option<Duration>, budget: &Budget, interrupt: &Interrupt) -> Limits {
        let budget = timeout.map_or_else(|| budget.clone(), |timeout| budget.within(timeout));
        Limits { budget, interrupt: interrupt.clone() }
    }

    pub(crate) fn left(&self) -> Option<Duration> {
        self.budget.left()
    }

    pub(crate) fn stop(&self) -> Option<Stop> {
        if self.interrupt.is_set() || Interrupt::from(&self.budget).is_set() {
            return Some(Stop::Interrupted);
        }
        self.left().is_some_and(|left| left.is_zero()).then_some(Stop::Timeout)
    }
}

/// Does the work unless a limit is reached already, and stops it at a limit. Some work ends just in time
/// although it was stopped, so its result comes with the reason.
pub(crate) fn guarded<T>(
    target: Target,
    limits: &Limits,
    work: impl FnOnce() -> T,
) -> (Option<T>, Option<Stop>) {
    if let Some(stop) = limits.stop() {
        return (None, Some(stop));
    }
    let entry = Entry { target, limits: limits.clone(), stopped: Arc::new(AtomicU8::new(RUNNING)) };
    let stopped = entry.stopped.clone();
    let guard = Guard(WATCH.enter(entry));
    let result = work();
    drop(guard);
    let stop = match stopped.load(Ordering::SeqCst) {
        TIMEOUT => Some(Stop::Timeout),
        INTERRUPTED => Some(Stop::Interrupted),
        _ => None,
    };
    (Some(result), stop)
}

/// Between two looks at the table.
const TICK: Duration = Duration::from_millis(10);

const RUNNING: u8 = 0;
const TIMEOUT: u8 = 1;
const INTERRUPTED: u8 = 2;

struct Entry {
    target: Target,
    limits: Limits,
    stopped: Arc<AtomicU8>,
}

#[derive(Default)]
struct Table {
    running: Vec<(u64, Entry)>,
    next: u64,
    started: bool,
    /// The watcher waits to be woken, without a time limit.
    idle: bool,
}

#[derive(Default)]
struct Watch {
    table: Mutex<Table>,
    wake: Condvar,
}

static WATCH: LazyLock<Watch> = LazyLock::new(Watch::default);

/// Takes the entry out again, also when the work panics: its target may be gone afterwards.
struct Guard(u64);

impl Drop for Guard {
    fn drop(&mut self) {
        WATCH.lock().running.retain(|(id, _)| *id != self.0);
    }
}

impl Watch {
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn enter(&self, entry: Entry) -> u64 {
        let mut table = self.lock();
        let id = table.next;
        table.next += 1;
        table.running.push((id, entry));
        if !table.started {
            // Without a thread there are no limits; the next check tries again.
            table.started = std::thread::Builder::new().name("smt watch".into()).spawn(watch).is_ok();
        } else if table.idle {
            self.wake.notify_one();
        }
        id
    }
}

fn watch() {
    let mut table = WATCH.lock();
    loop {
        if table.running.is_empty() {
            table.idle = true;
            table = WATCH.wake.wait(table).unwrap_or_else(|e| e.into_inner());
            table.idle = false;
            continue;
        }
        let mut pause = TICK;
        for (_, entry) in &table.running {
            if let Some(stop) = entry.limits.stop() {
                let code = if stop == Stop::Timeout { TIMEOUT } else { INTERRUPTED };
                // The first reason counts.
                let _ = entry.stopped.compare_exchange(RUNNING, code, Ordering::SeqCst, Ordering::SeqCst);
                entry.target.interrupt();
            } else if let Some(left) = entry.limits.left() {
                pause = pause.min(left + Duration::from_millis(1));
            }
        }
        table = WATCH.wake.wait_timeout(table, pause).unwrap_or_else(|e| e.into_inner()).0;
    }
}
