//! All encodings of one attempt at once, each in a thread of its own.

use crate::prove::Attempt;
use base::{Budget, Work};
use encode::{IntMode, Unsupported};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// What each encoding came to, and when.
pub type Tried = Vec<(IntMode, Result<Attempt, Unsupported>, Duration)>;

/// What an encoding gets when the other one was searched in vain.
const GRACE: Duration = Duration::from_millis(300);

/// Tries all encodings at once and stops the others when one has a proof.
pub fn race(
    budget: &Budget,
    slice: Duration,
    modes: &[IntMode],
    attempt: &(dyn Fn(IntMode, &Budget) -> Result<Attempt, Unsupported> + Sync),
) -> Tried {
    let (start, worked) = (Instant::now(), Work::now());
    if let [only] = modes {
        let result = attempt(*only, &budget.within(slice));
        return vec![(*only, result, start.elapsed())];
    }
    let stop = Arc::new(AtomicBool::new(false));
    // They work at the same time.
    let child = budget.within(slice * modes.len() as u32).with_flag(&stop);
    let (sender, receiver) = mpsc::channel();
    let mut tried = Vec::new();
    std::thread::scope(|scope| {
        for &mode in modes {
            let (sender, child) = (sender.clone(), child.clone());
            let work = move || {
                // Nobody listens any more only if the scope is gone.
                let _ = sender.send((mode, attempt(mode, &child)));
            };
            let started = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work);
            if started.is_err() {
                let reason = Unsupported("no thread could be started".to_owned());
                tried.push((mode, Err(reason), start.elapsed()));
            }
        }
        drop(sender);
        let mut patience: Option<Work> = None;
        loop {
            match receiver.recv_timeout(Duration::from_millis(20)) {
                Ok((mode, result)) => {
                    match result {
                        Ok(Attempt::Proved { .. }) => stop.store(true, Ordering::Relaxed),
                        // Where one encoding has no invariant, the other hardly has one.
                        Ok(Attempt::Failed { .. }) => {
                            patience = Some(Work::now() + GRACE.max(2 * worked.elapsed()));
                        }
                        _ => {}
                    }
                    tried.push((mode, result, start.elapsed()));
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    if budget.cancelled.load(Ordering::Relaxed)
                        || patience.is_some_and(|end| end.left().is_zero())
                    {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    tried
}
