//! Tasks in parallel, with progress on stderr.

use crate::store::Store;
use crate::worker::{Limits, Worker};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Runs `each` on all tasks, `jobs` at a time, each thread with a worker of its own; `done` gets the results
/// as they come, on the calling thread, and answers with a short text for the progress line.
pub fn run<T: Sync, R: Send>(
    label: &str,
    jobs: usize,
    limits: Limits,
    tasks: &[T],
    each: impl Fn(&mut Worker, &T) -> R + Sync,
    mut done: impl FnMut(&T, R) -> String,
) {
    let next = AtomicUsize::new(0);
    let (send, results) = channel();
    let mut progress = Progress::new(label, tasks.len());
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let (send, next, each) = (send.clone(), &next, &each);
            scope.spawn(move || {
                let mut worker = Worker::new(limits);
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if send.send((task, each(&mut worker, task))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        for (task, result) in results {
            let note = done(task, result);
            progress.step(&note);
        }
    });
    progress.finish();
}

/// The results of all tasks, in their order: what the store has, and what `each` finds now, which is stored
/// as it comes. `note` is for the progress line.
pub fn results<T: Sync, R: Send + Serialize + DeserializeOwned>(
    (label, jobs, limits): (&str, usize, Limits),
    store: &mut Store,
    tasks: &[T],
    key: impl Fn(&T) -> String,
    each: impl Fn(&mut Worker, &T) -> R + Sync,
    mut note: impl FnMut(&T, &R) -> String,
) -> Vec<R> {
    let mut results: Vec<Option<R>> = tasks.iter().map(|task| store.get(&key(task))).collect();
    let todo: Vec<usize> = (0..tasks.len()).filter(|&i| results[i].is_none()).collect();
    let one = |worker: &mut Worker, i: &usize| each(worker, &tasks[*i]);
    run(label, jobs, limits, &todo, one, |&i, result| {
        if let Err(e) = store.put(&key(&tasks[i]), &result) {
            eprintln!("bench: {e}");
        }
        let note = note(&tasks[i], &result);
        results[i] = Some(result);
        note
    });
    results.into_iter().flatten().collect()
}

/// One line that is rewritten on a terminal, a line every ten seconds elsewhere.
pub struct Progress {
    label: String,
    total: usize,
    count: usize,
    start: Instant,
    shown: Option<Instant>,
    terminal: bool,
}

impl Progress {
    pub fn new(label: &str, total: usize) -> Progress {
        let terminal = std::io::stderr().is_terminal();
        Progress { label: label.into(), total, count: 0, start: Instant::now(), shown: None, terminal }
    }

    pub fn step(&mut self, note: &str) {
        self.count += 1;
        let pause = Duration::from_millis(if self.terminal { 100 } else { 10_000 });
        if self.count < self.total && self.shown.is_some_and(|t| t.elapsed() < pause) {
            return;
        }
        self.shown = Some(Instant::now());
        let elapsed = self.start.elapsed().as_secs_f64();
        let left = elapsed / self.count as f64 * (self.total - self.count.min(self.total)) as f64;
        let line = format!("{}: {}/{}  {note}  {} left", self.label, self.count, self.total, clock(left));
        let mut err = std::io::stderr().lock();
        let _ = if self.terminal { write!(err, "\r{line:<100.100}") } else { writeln!(err, "{line}") };
        let _ = err.flush();
    }

    pub fn finish(&self) {
        if self.terminal && self.count > 0 {
            eprintln!();
        }
    }
}

fn clock(seconds: f64) -> String {
    let s = seconds.round() as u64;
    format!("{}:{:02}", s / 60, s % 60)
}
