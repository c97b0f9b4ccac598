//! `bench fuzz`: damaged sources through the whole front end, in workers that may die.

use super::{Bench, edits};
use crate::ctoken;
use crate::job::Job;
use crate::report::Report;
use crate::table::Table;
use crate::worker::{Failure, Limits, Worker};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const BATCH: u64 = 200;
const LIMITS: Limits = Limits { time: Duration::from_secs(10), memory_kib: 1 << 20 };

struct Find {
    failure: Failure,
    file: PathBuf,
}

pub fn run(bench: &Bench, seconds: u64) -> Result<Report, String> {
    let corpus: Vec<PathBuf> = edits::corpus(bench)?.into_iter().map(|s| s.path).collect();
    let saved = bench.results.join("fuzz-finds");
    std::fs::create_dir_all(&saved).map_err(|e| e.to_string())?;
    let scratch = bench.scratch("fuzz-scratch")?;
    let start = Instant::now();
    let end = start + Duration::from_secs(seconds);
    let (next, executed, peak) = (AtomicU64::new(0), Arc::new(AtomicU64::new(0)), AtomicU64::new(0));
    let finds: Mutex<Vec<Find>> = Mutex::default();
    std::thread::scope(|scope| {
        for thread in 0..bench.jobs.max(1) {
            let (next, executed, peak, finds) = (&next, &executed, &peak, &finds);
            let (corpus, saved, scratch) = (&corpus, &saved, &scratch);
            scope.spawn(move || {
                let mut worker = Worker::new(LIMITS);
                let current = scratch.join(format!("current-{thread}.i"));
                while Instant::now() < end {
                    let first = next.fetch_add(BATCH, Ordering::Relaxed);
                    let mut done = 0;
                    // After a failure, the batch goes on behind the input that caused it.
                    while done < BATCH && Instant::now() < end {
                        let job = Job::Fuzz {
                            corpus: corpus.clone(),
                            seed: bench.seed,
                            first: first + done,
                            count: BATCH - done,
                            current: current.clone(),
                        };
                        let result = worker.call_with(&job, |_| {
                            done += 1;
                            executed.fetch_add(1, Ordering::Relaxed);
                        });
                        peak.fetch_max(worker.peak_kib, Ordering::Relaxed);
                        let Err(failure) = result else { break };
                        keep(&mut worker, failure, &current, saved, first + done, finds);
                        done += 1;
                    }
                }
            });
        }
        let (executed, finds) = (executed.clone(), &finds);
        scope.spawn(move || {
            while Instant::now() < end {
                std::thread::sleep(
                    Duration::from_secs(10).min(end.saturating_duration_since(Instant::now())),
                );
                let found = finds.lock().map_or(0, |f| f.len());
                eprintln!(
                    "fuzz: {} inputs, {found} failures, {} s left",
                    executed.load(Ordering::Relaxed),
                    end.saturating_duration_since(Instant::now()).as_secs()
                );
            }
        });
    });
    let _ = std::fs::remove_dir_all(&scratch);
    let finds = finds.into_inner().unwrap_or_default();
    let elapsed = start.elapsed().as_secs_f64();
    Ok(report(&finds, executed.load(Ordering::Relaxed), elapsed, peak.load(Ordering::Relaxed)))
}

/// Saves the input, reduced, unless the same failure is known.
fn keep(
    worker: &mut Worker,
    failure: Failure,
    current: &Path,
    saved: &Path,
    index: u64,
    finds: &Mutex<Vec<Find>>,
) {
    let Ok(text) = std::fs::read(current) else { return };
    let known = finds.lock().is_ok_and(|finds| finds.iter().any(|f| same(&f.failure, &failure)));
    let file = saved.join(format!("{index}.i"));
    let text = String::from_utf8_lossy(&text).into_owned();
    let text = if known { text } else { reduce(worker, &failure, text, current) };
    if !known && std::fs::write(&file, text).is_err() {
        return;
    }
    if let Ok(mut finds) = finds.lock() {
        finds.push(Find { failure, file });
    }
}

/// The same kind of failure at the same place in our code, and for the IR verifier by the same rule.
fn same(a: &Failure, b: &Failure) -> bool {
    let place = |f: &Failure| match f {
        Failure::Panic(message) => {
            let place = message.split(" at ").nth(1).unwrap_or("").split(' ').next().unwrap_or("");
            let rule = message.split_once("verifier: [").and_then(|(_, rest)| rest.split(']').next());
            Some((place.to_string(), rule.map(str::to_string)))
        }
        _ => None,
    };
    std::mem::discriminant(a) == std::mem::discriminant(b) && place(a) == place(b)
}

/// Delta debugging: drops ever smaller pieces, first of lines, then of tokens, while the failure stays.
fn reduce(worker: &mut Worker, failure: &Failure, text: String, current: &Path) -> String {
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut fails = |text: &str| {
        std::fs::write(current, text).is_ok()
            && matches!(worker.call(&Job::Digest { path: current.to_path_buf() }), Err(f) if same(&f, failure))
    };
    if !fails(&text) {
        return text;
    }
    let lines: Vec<String> = text.split_inclusive('\n').map(str::to_string).collect();
    let text = drop_pieces(lines, &mut fails, deadline).concat();
    let tokens: Vec<String> = ctoken::tokenize(&text).into_iter().map(|t| t.text).collect();
    drop_pieces(tokens, &mut fails, deadline).concat()
}

fn drop_pieces(
    mut pieces: Vec<String>,
    fails: &mut dyn FnMut(&str) -> bool,
    deadline: Instant,
) -> Vec<String> {
    let mut size = pieces.len().div_ceil(2);
    while size > 0 && !pieces.is_empty() {
        let mut at = 0;
        let mut dropped = false;
        while at < pieces.len() {
            if Instant::now() >= deadline {
                return pieces;
            }
            let end = (at + size).min(pieces.len());
            let rest: String = pieces[..at].iter().chain(&pieces[end..]).map(String::as_str).collect();
            if fails(&rest) {
                pieces.drain(at..end);
                dropped = true;
            } else {
                at = end;
            }
        }
        if size == 1 && !dropped {
            break;
        }
        size = if dropped && size == 1 { 1 } else { size / 2 };
    }
    pieces
}

fn report(finds: &[Find], executed: u64, seconds: f64, peak_kib: u64) -> Report {
    let mut report = Report::default();
    let mut table = Table::new(
        "Fuzzing the front end",
        &["time", "inputs", "inputs/s", "panics", "crashes", "hangs", "over 1 GiB", "peak memory"],
    );
    let count = |kind: fn(&Failure) -> bool| finds.iter().filter(|f| kind(&f.failure)).count().to_string();
    table.row(vec![
        format!("{seconds:.0} s"),
        executed.to_string(),
        format!("{:.0}", executed as f64 / seconds),
        count(|f| matches!(f, Failure::Panic(_))),
        count(|f| matches!(f, Failure::Crash(_))),
        count(|f| matches!(f, Failure::Timeout)),
        count(|f| matches!(f, Failure::Memory)),
        format!("{} MiB", peak_kib / 1024),
    ]);
    let mut shown: Vec<&Find> = Vec::new();
    for find in finds {
        if !shown.iter().any(|s| same(&s.failure, &find.failure)) {
            let times = finds.iter().filter(|f| same(&f.failure, &find.failure)).count();
            let file = find.file.file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
            let message: String = find.failure.to_string().chars().take(300).collect();
            table.note(format!("{times} times, first `{file}`: {message}"));
            shown.push(find);
        }
    }
    report.tables.push(table);
    let measured = format!("{} failures in {seconds:.0} s", finds.len());
    report.claim(
        "fuzzing the front end",
        "no panic, hang or 1 GiB in 600 s",
        measured,
        finds.is_empty() && executed > 0,
    );
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reduction_keeps_what_fails() {
        let pieces: Vec<String> = (0..100).map(|i| format!("{i} ")).collect();
        let far = Instant::now() + Duration::from_secs(60);
        let left = drop_pieces(pieces, &mut |t| t.contains("17 ") && t.contains("83 "), far);
        assert_eq!(left.concat(), "17 83 ");
    }

    #[test]
    fn panics_are_told_apart_by_place() {
        let panic = |s: &str| Failure::Panic(s.into());
        assert!(same(&panic("panicked at src/a.rs:3:4: x"), &panic("panicked at src/a.rs:3:4: y")));
        assert!(!same(&panic("panicked at src/a.rs:3:4: x"), &panic("panicked at src/b.rs:3:4: x")));
        let broken = |rule: &str| panic(&format!("panicked at src/a.rs:3:4: verifier: [{rule}] function f"));
        assert!(same(&broken("type"), &broken("type")) && !same(&broken("type"), &broken("position")));
        assert!(!same(&Failure::Timeout, &Failure::Memory));
    }
}
