//! One program of a family: from scratch, and after each edit.

use super::row::{Row, expected};
use super::{Cell, Results, hash};
use crate::family::Edit;
use crate::job::Source;
use crate::verify::{Answer, Limits, Tool, Weighed};
use crate::{measure, proc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How programs are measured, and where the results are.
pub struct Lab<'a> {
    pub tool: &'a Tool,
    pub limits: &'a Limits,
    pub edits: Vec<Edit>,
    pub repeats: u32,
    /// Up to this size edited versions are also verified from scratch.
    pub compared: usize,
    /// Edits are measured even if there is no verdict from scratch.
    pub every: bool,
    pub seed: u64,
    pub folder: PathBuf,
    pub results: Results,
}

/// One verification.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    pub weighed: Weighed,
    pub records: Option<Traffic>,
    /// What is said of the same text without a store, where that was asked.
    pub alone: Option<Answer>,
}

/// Records of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    pub read: usize,
    pub written: usize,
}

/// Seconds of the front end.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Front {
    /// To read a program: `show calls`.
    pub one: f64,
    /// To read two and match their functions: `diff` of a program with itself.
    pub two: f64,
}

/// What takes longer is not repeated.
const SHORT: f64 = 0.5;
/// Nothing that is asked of the front end or the store takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

impl Run {
    pub fn is_decided(&self) -> bool {
        self.weighed.outcome.answer.is_verdict()
    }

    pub fn seconds(&self) -> f64 {
        self.weighed.outcome.seconds
    }
}

impl Lab<'_> {
    /// Makes the measurements of a cell that are missing.
    pub fn measure(&self, cell: &Cell) -> Result<(), String> {
        let scratch = self.scratch(cell);
        let undecided = |run: &Run| !run.is_decided() && !self.every;
        let known = |edit: &Edit| self.results.get::<Run>(&self.key(cell, Some(*edit))).is_some();
        let todo: Vec<Edit> = self.edits.iter().copied().filter(|edit| !known(edit)).collect();
        if scratch.as_ref().is_some_and(|run| todo.is_empty() || undecided(run)) {
            return Ok(());
        }
        let name = format!("{}-{}-{}", cell.family.name(), cell.engine.name(), cell.n);
        let folder = self.folder.join(name);
        fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let done = Measurement { lab: self, cell, folder: &folder }.measure(scratch, &todo);
        let _ = fs::remove_dir_all(&folder);
        done
    }

    pub fn scratch(&self, cell: &Cell) -> Option<Run> {
        self.results.get(&self.key(cell, None))
    }

    pub fn row(&self, cell: Cell) -> Row {
        let edits = self.edits.iter();
        let edits = edits.filter_map(|edit| Some((*edit, self.results.get(&self.key(&cell, Some(*edit)))?)));
        Row {
            cell,
            front: self.results.get(&self.front_key(&cell)),
            scratch: self.scratch(&cell),
            edits: edits.collect(),
        }
    }

    fn text(&self, cell: &Cell, edit: Option<Edit>) -> String {
        cell.family.source(cell.n, edit, self.seed)
    }

    /// Everything that a result is a result of.
    fn key(&self, cell: &Cell, edit: Option<Edit>) -> String {
        let texts =
            self.text(cell, None) + &edit.map_or_else(String::new, |edit| self.text(cell, Some(edit)));
        format!(
            "{} {} {} {} {} {}s {} {}x{}",
            cell.family.name(),
            cell.n,
            cell.engine.name(),
            edit.map_or("scratch", Edit::name),
            hash(&texts),
            self.limits.seconds,
            self.limits.memory,
            self.repeats,
            if edit.is_some() && cell.n <= self.compared { " compared" } else { "" },
        )
    }

    fn front_key(&self, cell: &Cell) -> String {
        format!("{} {} front {}", cell.family.name(), cell.n, hash(&self.text(cell, None)))
    }

    /// The shortest of three runs of a command that is not about verification.
    fn shortest(&self, words: &[&str]) -> Result<f64, String> {
        let mut argv = crate::argv![self.tool.path.display()];
        argv.extend(words.iter().map(|word| (*word).to_owned()));
        let mut shortest = f64::INFINITY;
        for _ in 0..3 {
            let (ran, _) = proc::watched(&argv, PATIENCE).map_err(|e| e.to_string())?;
            if !ran.ok() {
                return Err(format!("{}: {}", words.join(" "), ran.stderr.trim()));
            }
            shortest = shortest.min(ran.time.as_secs_f64());
        }
        Ok(shortest)
    }
}

/// A cell with a folder for its programs and stores.
struct Measurement<'a> {
    lab: &'a Lab<'a>,
    cell: &'a Cell,
    folder: &'a Path,
}

impl Measurement<'_> {
    fn measure(&self, scratch: Option<Run>, todo: &[Edit]) -> Result<(), String> {
        let lab = self.lab;
        let first = self.write(None)?;
        if lab.results.get::<Front>(&lab.front_key(self.cell)).is_none() {
            let path = first.display().to_string();
            let front = Front {
                one: lab.shortest(&["show", "calls", &path])?,
                two: lab.shortest(&["diff", &path, &path])?,
            };
            lab.results.put(&lab.front_key(self.cell), &front);
        }
        // Also if the result is known from an interrupted run: edits need the store that it leaves.
        let store = self.folder.join("store");
        let weighed = self.best(Answer::Safe, None, &store, || self.verify(&first, Some(&store), None))?;
        // What edits cost with another store would be no result of this one.
        if scratch.as_ref().is_some_and(|run| run.is_decided() && !weighed.outcome.answer.is_verdict()) {
            return Err("decided from scratch before, and not now".to_owned());
        }
        let before = self.records(&store);
        let scratch = scratch.unwrap_or_else(|| {
            let records = before.as_ref().map(|records| traffic(&Records::new(), records));
            let run = Run { weighed, records, alone: None };
            lab.results.put(&lab.key(self.cell, None), &run);
            run
        });
        if !scratch.is_decided() && !lab.every {
            return Ok(());
        }
        for edit in todo {
            let run = match edit {
                Edit::Mended => {
                    let (broken, left) = (self.write(Some(Edit::Broken))?, self.folder.join("broken"));
                    self.copied(&store, &left)?;
                    self.verify(&broken, Some(&left), Some(&first));
                    self.after(*edit, &broken, &left, self.records(&left).as_ref())?
                }
                _ => self.after(*edit, &first, &store, before.as_ref())?,
            };
            lab.results.put(&lab.key(self.cell, Some(*edit)), &run);
        }
        Ok(())
    }

    /// The edited version, with a copy of the store that the version before left.
    fn after(&self, edit: Edit, base: &Path, store: &Path, before: Option<&Records>) -> Result<Run, String> {
        let (path, copy) = (self.write(Some(edit))?, self.folder.join("copy"));
        let ask = || self.verify(&path, Some(&copy), Some(base));
        let weighed = self.best(expected(edit), Some(store), &copy, ask)?;
        let after = self.records(&copy);
        let records = before.zip(after.as_ref()).map(|(before, after)| traffic(before, after));
        let compared = self.cell.n <= self.lab.compared;
        let alone = compared.then(|| self.verify(&path, None, None).outcome.answer);
        Ok(Run { weighed, records, alone })
    }

    /// The shortest of several runs, each with a store of its own; but one that does not say what is expected
    /// is not hidden by others.
    fn best(
        &self,
        expected: Answer,
        from: Option<&Path>,
        store: &Path,
        ask: impl Fn() -> Weighed,
    ) -> Result<Weighed, String> {
        let mut runs = Vec::new();
        for _ in 0..self.lab.repeats {
            match from {
                Some(from) => self.copied(from, store)?,
                None => drop(fs::remove_dir_all(store)),
            }
            runs.push(ask());
            if runs.last().is_some_and(|run| run.outcome.seconds > SHORT) {
                break;
            }
        }
        let better = |a: &Weighed, b: &Weighed| {
            let said = |run: &Weighed| run.outcome.answer == expected;
            said(a).cmp(&said(b)).then(a.outcome.seconds.total_cmp(&b.outcome.seconds))
        };
        runs.into_iter().min_by(better).ok_or_else(|| "nothing was measured".to_owned())
    }

    fn verify(&self, path: &Path, store: Option<&Path>, base: Option<&Path>) -> Weighed {
        let engine = self.cell.engine.name();
        let store = store.map_or_else(|| "none".to_owned(), |store| store.display().to_string());
        let mut more = crate::argv!["--engine", engine, "--store", store];
        more.extend(base.into_iter().flat_map(|base| crate::argv!["--base", base.display()]));
        let source = Source::plain(path.to_path_buf(), &[]);
        let mut weighed = self.lab.tool.weigh(&source, self.lab.limits, &more);
        // Reasons name the program, whose folder is of no interest.
        let folder = format!("{}/", self.folder.display());
        weighed.outcome.reason = weighed.outcome.reason.replace(&folder, "");
        weighed
    }

    fn write(&self, edit: Option<Edit>) -> Result<PathBuf, String> {
        let end = edit.map_or_else(String::new, |edit| format!("-{}", edit.name()));
        let path = self.folder.join(format!("{}{end}.c", self.cell.family.name()));
        fs::write(&path, self.lab.text(self.cell, edit)).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(path)
    }

    fn copied(&self, from: &Path, to: &Path) -> Result<(), String> {
        let _ = fs::remove_dir_all(to);
        measure::copy(from, to).map_err(|e| format!("{}: {e}", from.display()))
    }

    /// What is in a store; nothing if there is none.
    fn records(&self, store: &Path) -> Option<Records> {
        let argv =
            crate::argv![self.lab.tool.path.display(), "store", "ls", "--store", store.display(), "--json"];
        let ran = proc::run(&argv, PATIENCE).ok()?;
        let listing: Listing = serde_json::from_str(&ran.stdout).ok()?;
        let record = |entry: Entry| ((entry.kind, entry.key), (entry.created, entry.used));
        Some(listing.entries.into_iter().map(record).collect())
    }
}

/// When each record, by kind and key, was written and last used.
type Records = BTreeMap<(String, String), (u64, u64)>;

/// What is read of the answer of `store ls`.
#[derive(Deserialize)]
struct Listing {
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    kind: String,
    key: String,
    created: u64,
    used: u64,
}

/// A record counts once, however often it was read, and as written if it was both.
fn traffic(before: &Records, after: &Records) -> Traffic {
    let mut traffic = Traffic { read: 0, written: 0 };
    for (id, (created, used)) in after {
        match before.get(id) {
            Some((old, _)) if old == created => {
                traffic.read += usize::from(before.get(id).is_some_and(|(_, last)| last != used));
            }
            _ => traffic.written += 1,
        }
    }
    traffic
}

#[cfg(test)]
mod tests {
    use super::super::Engine;
    use super::super::row::Mark;
    use super::*;
    use crate::family::Family;

    /// Says what is expected of a file by its name, and writes down what it is asked. While there is a file
    /// `tired`, it gives up.
    const TOOL: &str = r#"#!/bin/sh
dir=$(dirname "$0")
echo "$*" >> "$dir/log"
for last; do :; done
store=none
while [ $# -gt 0 ]; do
    [ "$1" = --store ] && store=$2
    shift
done
[ "$store" = none ] || mkdir -p "$store"
if [ -e "$dir/tired" ]; then
    echo '{"verdict": "UNKNOWN", "reason": "time limit reached"}'
    exit 3
fi
case $last in
    *-broken.c) echo '{"verdict": "UNSAFE"}'; exit 1;;
    *) echo '{"verdict": "SAFE"}';;
esac
"#;

    #[test]
    fn a_cell_is_measured_once() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str| dir.path().join(name);
        fs::write(file("script"), TOOL).unwrap();
        // Not written by this process: what a process has open for writing, it cannot run.
        let install = crate::argv!["install", "-m", "755", file("script").display(), file("tool").display()];
        assert!(proc::run(&install, PATIENCE).unwrap().ok());
        let tool = Tool::find(Some(&file("tool"))).unwrap();
        let store = crate::store::Store::open(dir.path(), "t", "v1", false).unwrap();
        let mut lab = Lab {
            tool: &tool,
            limits: &Limits { seconds: 20, memory: "1G".to_owned() },
            edits: vec![Edit::Leaf, Edit::Broken],
            repeats: 1,
            compared: 10,
            every: false,
            seed: 1,
            folder: file("programs"),
            results: Results(std::sync::Mutex::new(store)),
        };
        let cell = Cell { family: Family::Chain, engine: Engine::Bmc, n: 3 };
        let asked =
            || fs::read_to_string(file("log")).unwrap().lines().filter(|l| l.contains("--json")).count();
        lab.measure(&cell).unwrap();
        let row = lab.row(cell);
        assert_eq!((row.count(Mark::Right), row.marks().len(), row.front.is_some()), (5, 5, true));
        let before = asked();
        lab.measure(&cell).unwrap();
        assert_eq!(asked(), before);
        // More edits need the store again, and one that an undecided run left is none.
        lab.edits.push(Edit::Mended);
        fs::write(file("tired"), "").unwrap();
        assert!(lab.measure(&cell).is_err());
        assert_eq!(lab.row(cell).edits.len(), 2);
        fs::remove_file(file("tired")).unwrap();
        lab.measure(&cell).unwrap();
        assert_eq!(lab.row(cell).count(Mark::Right), 7);
        let log = fs::read_to_string(file("log")).unwrap();
        assert!(log.lines().any(|line| line.contains("--base") && line.ends_with("chain-mended.c")), "{log}");
    }

    #[test]
    fn records_that_were_read_and_written() {
        let records = |list: &[(&str, u64, u64)]| -> Records {
            list.iter().map(|(key, created, used)| (("k".into(), (*key).into()), (*created, *used))).collect()
        };
        let before = records(&[("idle", 1, 1), ("read", 1, 2), ("replaced", 1, 1), ("gone", 1, 1)]);
        let after = records(&[("idle", 1, 1), ("read", 1, 9), ("replaced", 8, 8), ("new", 8, 9)]);
        assert_eq!(traffic(&before, &after), Traffic { read: 1, written: 2 });
        assert_eq!(traffic(&Records::new(), &before), Traffic { read: 0, written: 4 });
    }
}
