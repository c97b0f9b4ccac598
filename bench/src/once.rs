//! One verification with a store, in a process of its own: what it says, and what it takes.
//!
//! A fresh process for every measurement is what a user has, and no way of verifying profits from another one
//! that came before. The store is a copy of the one before, so that the same step can be measured again.

use crate::ask::{self, Asked, Config};
use crate::job::{Reply, Source};
use crate::measure::{Decided, copy};
use crate::tool;
use driver::Outcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fs, io};
use store::Store;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    pub source: Source,
    pub asked: Asked,
    /// What is reused, as `ask::CONFIGS` has it.
    pub config: String,
    /// The folder of the store before, if there is one, and where the one after it is to be.
    pub before: Option<PathBuf>,
    pub after: PathBuf,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Once {
    pub verdict: Decided,
    /// Did somebody else check it: the certificate of a proof, the replay of a violation?
    pub confirmed: bool,
    /// Seconds of the engine alone.
    pub analysis: f64,
    /// Of everything but the front end: opening the store, the engine, checking its claim.
    pub verification: f64,
    /// Of everything.
    pub whole: f64,
    pub figures: BTreeMap<String, f64>,
    /// Claims of engines that were seen to be wrong.
    #[serde(default)]
    pub refuted: u32,
    /// Bytes by which the store's files grew, and by which what is in them did.
    pub grown: i64,
    pub stored: i64,
}

impl Once {
    pub fn figure(&self, name: &str) -> f64 {
        self.figures.get(name).copied().unwrap_or(0.0)
    }
}

pub fn once(task: &Task) -> Reply {
    tool::on_large_stack(|| match measured(task) {
        Ok(once) => Reply::Once(Box::new(once)),
        Err(message) => Reply::Refused(message),
    })
}

fn measured(task: &Task) -> Result<Once, String> {
    let config = Config::find(&task.config).ok_or_else(|| format!("no configuration '{}'", task.config))?;
    let fail = |e: io::Error| format!("{}: {e}", task.after.display());
    let _ = fs::remove_dir_all(&task.after);
    match &task.before {
        Some(before) => copy(before, &task.after).map_err(fail)?,
        None => fs::create_dir_all(&task.after).map_err(fail)?,
    }
    // An empty store is made here: its making is nobody's work.
    let before = extent(&task.after)?;
    let start = Instant::now();
    let program = tool::compile(&task.source)?;
    let front = start.elapsed().as_secs_f64();
    let store = open(&task.after)?;
    let outcome = ask::ask(&task.asked, &config.settings(), &program, Some(&store), start)?;
    store.flush().map_err(|e| e.to_string())?;
    let whole = start.elapsed().as_secs_f64();
    drop(store);
    let after = extent(&task.after)?;
    Ok(Once {
        verdict: Decided::of(&outcome.verdict),
        confirmed: confirmed(&outcome),
        analysis: outcome.attempts.iter().map(|attempt| attempt.time.as_secs_f64()).sum(),
        verification: whole - front,
        whole,
        figures: ask::figures(&outcome),
        refuted: outcome.attempts.iter().map(|attempt| attempt.refuted).sum(),
        grown: after.0 as i64 - before.0 as i64,
        stored: after.1 as i64 - before.1 as i64,
    })
}

fn confirmed(outcome: &Outcome) -> bool {
    match &outcome.verdict {
        driver::Verdict::Safe => outcome.certified.is_some(),
        driver::Verdict::Unsafe(violation) => violation.run.steps > 0,
        driver::Verdict::Unknown(_) => false,
    }
}

fn open(folder: &Path) -> Result<Store, String> {
    Store::open(folder, store::Options { tool: driver::tool(), ..store::Options::default() })
        .map_err(|e| format!("{}: {e}", folder.display()))
}

/// Bytes of a store's files when it is closed, and of what they hold.
fn extent(folder: &Path) -> Result<(u64, u64), String> {
    let stored = open(folder)?.statistics().map_err(|e| format!("{}: {e}", folder.display()))?.stored;
    let files = size(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok((files, stored))
}

/// Bytes of all files in a folder.
fn size(folder: &Path) -> io::Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let data = entry.metadata()?;
        sum += if data.is_dir() { size(&entry.path())? } else { data.len() };
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The engine that has been there longest; what is tested is the measuring.
    #[test]
    fn a_store_goes_from_one_revision_to_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let run = |name: &str, limit: u32, before: Option<&str>, config: &str| {
            let path = dir.path().join(format!("{name}.c"));
            let text = format!(
                "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void);\n\
                 int clip(int x) {{ if (x > {limit}) return {limit}; return x; }}\n\
                 int main(void) {{ if (clip(__VERIFIER_nondet_int()) > 20) __VERIFIER_error(); return 0; }}\n"
            );
            fs::write(&path, text).unwrap();
            let task = Task {
                source: Source::plain(path, &[]),
                asked: Asked { engine: "bmc".into(), time: 60.0, memory: 4 << 30, label: "clip".into() },
                config: config.into(),
                before: before.map(|name| dir.path().join(name)),
                after: dir.path().join(name),
            };
            measured(&task).unwrap()
        };
        let first = run("0", 10, None, "all");
        assert_eq!(first.verdict, Decided::Safe);
        assert!(first.grown >= 0 && first.stored > 0, "{first:?}");
        assert!(first.analysis > 0.0 && first.whole > first.verification, "{first:?}");
        assert!(first.verification >= first.analysis, "{first:?}");
        let same = run("1", 10, Some("0"), "all");
        assert_eq!((same.verdict, same.confirmed), (Decided::Safe, first.confirmed));
        assert!(same.stored < first.stored, "{} {}", same.stored, first.stored);
        let wrong = run("2", 30, Some("1"), "all");
        assert_eq!((wrong.verdict, wrong.confirmed), (Decided::Unsafe, true));
        let scratch = run("3", 30, None, "none");
        assert_eq!((scratch.verdict, scratch.confirmed), (Decided::Unsafe, true));
    }
}
