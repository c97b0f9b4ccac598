//! From revision to revision: every way of verifying has a chain of stores of its own, and all of them are
//! measured at a revision before the next one comes, in turns, so that none profits from how the machine was
//! at the time.
//!
//! An interrupted run goes on where it stopped: rows are kept as they come, and a mark beside a chain's store
//! says which revisions it has seen. A chain whose store is not as the last row left it starts again.

use super::{Args, Measured, Row, Way};
use crate::ask::{Asked, NONE};
use crate::cmd::Bench;
use crate::data::CFile;
use crate::job::{Job, Reply, Source};
use crate::once::Task;
use crate::pool::{self, Progress};
use crate::series::Series;
use crate::store::Store;
use crate::worker::{Failure, Limits, Worker};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A revision is not measured again if any way of verifying it took longer, in seconds.
const SHORT: f64 = 1.5;
/// The verifier keeps its own limits; so many seconds later it is ended from outside.
const GRACE: u64 = 30;

pub fn walk(bench: &Bench, args: &Args, ways: &[Way], chosen: &[Series]) -> Result<Vec<Row>, String> {
    let folder = bench.results.join("series-stores");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let total = chosen.iter().map(|s| steps(s.revisions.len(), ways).len()).sum();
    let shared = Mutex::new(Shared {
        store: bench.store("series")?,
        progress: Progress::new("revisions", total),
        wrong: 0,
        different: 0,
    });
    let walk = Walk { args, ways, folder, shared: &shared };
    let mut rows = Vec::new();
    let each = |_: &mut Worker, series: &Series| walk.series(series);
    pool::run("series", bench.timing_jobs, walk.limits(), chosen, each, |series, found: Vec<Row>| {
        rows.extend(found);
        series.name.clone()
    });
    rows.sort_by(|a, b| (&a.series, a.index).cmp(&(&b.series, b.index)));
    Ok(rows)
}

/// The revisions of `n` that a chain goes through.
fn chain(n: usize, every: &str) -> Vec<usize> {
    match every {
        "last" if n > 1 => vec![0, n - 1],
        "4" => (0..n).step_by(4).collect(),
        _ => (0..n).collect(),
    }
}

/// The revisions of `n` that any chain goes through.
fn steps(n: usize, ways: &[Way]) -> Vec<usize> {
    let wanted = |i: &usize| ways.iter().any(|way| chain(n, &way.every).contains(i));
    (0..n).filter(wanted).collect()
}

struct Shared {
    store: Store,
    progress: Progress,
    wrong: usize,
    different: usize,
}

struct Walk<'a> {
    args: &'a Args,
    ways: &'a [Way],
    folder: PathBuf,
    shared: &'a Mutex<Shared>,
}

/// The stores of one way of verifying.
struct Chain {
    way: Way,
    /// The revisions, and how many of them are done.
    steps: Vec<usize>,
    done: usize,
    /// Where the store is, where the one after the next revision is made, and where it waits until all
    /// measurements are made.
    current: PathBuf,
    next: PathBuf,
    good: PathBuf,
    mark: PathBuf,
}

impl Walk<'_> {
    fn limits(&self) -> Limits {
        let time = Duration::from_secs(self.args.time + GRACE);
        Limits { time, memory_kib: self.args.memory / 1024 * 5 / 4 }
    }

    fn series(&self, series: &Series) -> Vec<Row> {
        let n = series.revisions.len();
        let mut chains: Vec<Chain> = vec![self.start(series, &Way { every: "-".into(), config: NONE })];
        chains.extend(self.ways.iter().map(|way| self.start(series, way)));
        for index in steps(n, self.ways) {
            let revision: Vec<&Chain> = chains.iter().filter(|chain| chain.next_is(index)).collect();
            let rows = self.revision(series, index, &revision);
            let known = rows.is_empty();
            for row in rows {
                let chain =
                    chains.iter_mut().find(|c| c.way.config == row.config && c.way.every == row.every);
                if let Some(chain) = chain {
                    self.advance(chain, series, &row);
                }
            }
            if let Ok(mut shared) = self.shared.lock() {
                self.tell(&mut shared, series, index, known);
            }
        }
        for chain in &chains {
            for folder in [&chain.current, &chain.next, &chain.good] {
                let _ = fs::remove_dir_all(folder);
            }
            let _ = fs::remove_file(&chain.mark);
        }
        let Ok(shared) = self.shared.lock() else { return Vec::new() };
        let keys = chains.iter().flat_map(|c| c.steps.iter().map(|i| self.key(series, &c.way, *i)));
        keys.filter_map(|key| shared.store.get(&key)).collect()
    }

    /// A chain as far as it is known.
    fn start(&self, series: &Series, way: &Way) -> Chain {
        let name = format!("{}-{}-{}", series.folder_name(), way.every, way.config);
        let place = |end: &str| self.folder.join(format!("{name}{end}"));
        let n = series.revisions.len();
        // What is verified from scratch is verified where any chain goes.
        let scratch = way.config == NONE;
        let steps = if scratch { steps(n, self.ways) } else { chain(n, &way.every) };
        let mut chain = Chain {
            way: way.clone(),
            steps,
            done: 0,
            current: place(""),
            next: place(".next"),
            good: place(".good"),
            mark: place(".mark"),
        };
        if let Ok(shared) = self.shared.lock() {
            let known = |i: &&usize| shared.store.get::<Row>(&self.key(series, way, **i)).is_some();
            chain.done = chain.steps.iter().take_while(known).count();
        }
        let whole = chain.done == chain.steps.len();
        let mark = fs::read_to_string(&chain.mark).unwrap_or_default();
        if !scratch && !whole && mark != self.mark(series, &chain) {
            chain.done = 0;
            let _ = fs::remove_dir_all(&chain.current);
        }
        chain
    }

    /// One revision, all chains that come to it now.
    fn revision(&self, series: &Series, index: usize, chains: &[&Chain]) -> Vec<Row> {
        let mut runs: Vec<Vec<Measured>> = vec![Vec::new(); chains.len()];
        for round in 0..self.args.repeats.max(1) as usize {
            for turn in 0..chains.len() {
                let i = (turn + round + index) % chains.len();
                let result = self.once(series, index, chains[i]);
                if matches!(result, Measured::Done(_)) {
                    let _ = fs::remove_dir_all(&chains[i].good);
                    let _ = fs::rename(&chains[i].next, &chains[i].good);
                }
                runs[i].push(result);
            }
            let short = |run: &Measured| matches!(run, Measured::Done(once) if once.verification < SHORT);
            if !runs.iter().flatten().all(short) {
                break;
            }
        }
        let rows = chains.iter().zip(runs).filter_map(|(chain, runs)| {
            let unstable = unstable(&runs);
            let first = chain.way.config == NONE || chain.done == 0;
            let before = chain.done.checked_sub(1).map(|i| &series.revisions[chain.steps[i]].file);
            let revision = &series.revisions[index];
            Some(Row {
                series: series.name.clone(),
                index,
                file: revision.file.name.clone(),
                bug: revision.bug,
                every: chain.way.every.clone(),
                config: chain.way.config.to_owned(),
                first,
                lines: before.filter(|_| !first).map(|before| lines(before, &revision.file)),
                engine: self.args.engine.clone(),
                time: self.args.time,
                unstable,
                result: best(runs)?,
            })
        });
        rows.collect()
    }

    fn once(&self, series: &Series, index: usize, chain: &Chain) -> Measured {
        let asked = Asked {
            engine: self.args.engine.clone(),
            time: self.args.time as f64,
            memory: self.args.memory,
            label: series.name.clone(),
        };
        let before = chain.way.config != NONE && chain.current.is_dir();
        let task = Task {
            source: Source::of(&series.revisions[index].file),
            asked,
            config: chain.way.config.to_owned(),
            before: before.then(|| chain.current.clone()),
            after: chain.next.clone(),
        };
        let start = Instant::now();
        let reply = Worker::new(self.limits()).call(&Job::Once(Box::new(task)));
        let seconds = start.elapsed().as_secs_f64();
        match reply {
            Ok(Reply::Once(once)) => Measured::Done(once),
            Ok(Reply::Refused(message)) => Measured::Failed(message),
            Ok(_) => Measured::Failed("unexpected reply".into()),
            Err(failure @ (Failure::Timeout | Failure::Memory)) => {
                Measured::Killed(format!("{failure}, kept from outside"), seconds)
            }
            Err(failure) => Measured::Failed(failure.to_string()),
        }
    }

    /// Keeps a row, and the store that belongs to it. Where a process died, the store before it goes on.
    fn advance(&self, chain: &mut Chain, series: &Series, row: &Row) {
        let _ = fs::remove_file(&chain.mark);
        let Ok(mut shared) = self.shared.lock() else { return };
        if let Err(e) = shared.store.put(&self.key(series, &chain.way, row.index), row) {
            eprintln!("bench: {e}");
        }
        if row.is_wrong() {
            shared.wrong += 1;
            eprintln!("WRONG: {:?} on {} ({})", row.verdict(), row.file, row.config);
        }
        let scratch = Way { every: "-".into(), config: NONE };
        let scratch: Option<Row> = shared.store.get(&self.key(series, &scratch, row.index));
        let differs = |other: &Row| row.verdict().zip(other.verdict()).is_some_and(|(a, b)| a != b);
        if scratch.as_ref().is_some_and(differs) {
            shared.different += 1;
            eprintln!("DIFFERENT: {:?} on {} ({})", row.verdict(), row.file, row.config);
        }
        drop(shared);
        if chain.way.config != NONE && chain.good.is_dir() {
            let _ = fs::remove_dir_all(&chain.current);
            let _ = fs::rename(&chain.good, &chain.current);
        }
        chain.done += 1;
        let _ = fs::write(&chain.mark, self.mark(series, chain));
    }

    fn tell(&self, shared: &mut Shared, series: &Series, index: usize, known: bool) {
        let seconds = |way: &Way| -> Option<String> {
            let row: Row = shared.store.get(&self.key(series, way, index))?;
            Some(format!("{} {:.2} s", way.config, row.verification()?))
        };
        let scratch = Way { every: "-".into(), config: NONE };
        let list: Vec<String> =
            [Some(&scratch), self.ways.first()].into_iter().flatten().filter_map(seconds).collect();
        let note = if known { "known".to_owned() } else { list.join(", ") };
        let (wrong, different) = (shared.wrong, shared.different);
        shared
            .progress
            .step(&format!("{wrong} wrong, {different} different; {note}; {} {index}", series.name));
    }

    fn key(&self, series: &Series, way: &Way, index: usize) -> String {
        let Args { engine, time, memory, revisions, .. } = self.args;
        // The last revision is another one where series are cut.
        let cut = revisions.filter(|_| way.every == "last").map_or(String::new(), |n| format!(" of {n}"));
        format!("{} {index}{cut} {engine} {time}s {memory} {} {}", series.name, way.every, way.config)
    }

    /// Says which revisions a chain's store has seen.
    fn mark(&self, series: &Series, chain: &Chain) -> String {
        let last = chain.done.checked_sub(1).and_then(|i| chain.steps.get(i));
        last.map_or(String::new(), |index| self.key(series, &chain.way, *index))
    }
}

impl Chain {
    fn next_is(&self, index: usize) -> bool {
        self.steps.get(self.done) == Some(&index)
    }
}

/// The fastest of several runs of the same thing; one that ended by itself, if there is one.
fn best(runs: Vec<Measured>) -> Option<Measured> {
    let rank = |run: &Measured| match run {
        Measured::Done(once) => (0, once.verification),
        Measured::Killed(_, seconds) => (1, *seconds),
        Measured::Failed(_) => (2, 0.0),
    };
    runs.into_iter().min_by(|a, b| rank(a).0.cmp(&rank(b).0).then(rank(a).1.total_cmp(&rank(b).1)))
}

fn unstable(runs: &[Measured]) -> bool {
    let verdict = |run: &Measured| match run {
        Measured::Done(once) if once.verdict.is_final() => Some(once.verdict.clone()),
        _ => None,
    };
    let verdicts: Vec<_> = runs.iter().filter_map(verdict).collect();
    verdicts.windows(2).any(|pair| pair[0] != pair[1])
}

fn lines(old: &CFile, new: &CFile) -> usize {
    let read = |path: &Path| fs::read(path).unwrap_or_default();
    different_lines(&String::from_utf8_lossy(&read(&old.path)), &String::from_utf8_lossy(&read(&new.path)))
}

/// Lines that are only in one of two texts, wherever they stand; without empty ones and markers of places.
fn different_lines(old: &str, new: &str) -> usize {
    let mut counts: HashMap<&str, i64> = HashMap::new();
    let relevant = |line: &&str| !line.is_empty() && !line.starts_with('#');
    for (text, sign) in [(old, -1), (new, 1)] {
        for line in text.lines().map(str::trim).filter(relevant) {
            *counts.entry(line).or_default() += sign;
        }
    }
    counts.values().map(|n| n.unsigned_abs() as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Decided;
    use crate::once::Once;

    #[test]
    fn chains() {
        let check = |n, every: &str, expected: &[usize]| assert_eq!(chain(n, every), expected, "{n} {every}");
        check(3, "1", &[0, 1, 2]);
        check(10, "4", &[0, 4, 8]);
        check(9, "4", &[0, 4, 8]);
        check(10, "last", &[0, 9]);
        check(1, "last", &[0]);
        let ways = ["4", "last"].map(|every| Way { every: every.into(), config: "all" });
        assert_eq!(steps(8, &ways), [0, 4, 7]);
    }

    #[test]
    fn lines_that_moved_are_the_same() {
        let check = |old, new, expected| assert_eq!(different_lines(old, new), expected, "{old:?} {new:?}");
        check("a\nb\n", "b\n  a\n\n", 0);
        check("# 1 \"x\"\na\n", "# 2 \"x\"\na\na\n", 1);
        check("a\nb\n", "a\nc\n", 2);
    }

    #[test]
    fn the_best_of_several_runs() {
        let done = |seconds: f64, verdict: Decided| {
            Measured::Done(Box::new(Once {
                refuted: 0,
                verdict,
                confirmed: true,
                analysis: seconds,
                verification: seconds,
                whole: seconds,
                figures: Default::default(),
                grown: 0,
                stored: 0,
            }))
        };
        let (slow, fast) = (done(2.0, Decided::Safe), done(1.0, Decided::Safe));
        let (killed, failed) = (Measured::Killed("time limit".into(), 0.5), Measured::Failed("crash".into()));
        assert_eq!(
            best(vec![failed.clone(), killed.clone(), slow.clone(), fast.clone()]),
            Some(fast.clone())
        );
        assert_eq!(best(vec![failed.clone(), killed.clone()]), Some(killed.clone()));
        assert_eq!(best(vec![]), None);
        assert!(!unstable(&[slow.clone(), fast.clone(), killed, failed]));
        assert!(!unstable(&[fast.clone(), done(1.0, Decided::Unknown("time".into()))]));
        assert!(unstable(&[fast, done(1.0, Decided::Unsafe)]));
    }
}
