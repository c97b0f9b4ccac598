//! `bench projects`: harnesses for the public functions of real projects, over their revisions, with and
//! without reuse.
//!
//! The harnesses are `programs/harness` (its README says how a run is made of one); the revisions are the
//! `projects` of the data. A harness goes through its revisions in order, twice: from scratch, and with one
//! store for all of them. What both say must agree, every SAFE must be certified, and all revisions should be
//! decided.

mod figures;
mod harness;

use super::Bench;
use crate::job::Source;
use crate::report::Report;
use crate::verify::{Limits, Outcome, Tool};
use crate::{pool, worker};
use harness::{Harness, Revision};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// The folder with the harnesses [default: those of this repository]
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
    /// The binary to measure [default: `reprove` next to this program]
    #[arg(long, value_name = "FILE")]
    tool: Option<PathBuf>,
    /// Seconds for one revision
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    time: u64,
    /// Memory for one revision
    #[arg(long, default_value = "4G")]
    memory: String,
    /// At most so many revisions of each harness, the newest among them [default: all]
    #[arg(long, value_name = "N")]
    revisions: Option<usize>,
    /// Only harnesses whose name (`sds/trim`) contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

/// One revision, both ways.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Step {
    revision: String,
    scratch: Outcome,
    reused: Outcome,
}

/// A harness, and what was said of its revisions, in their order.
struct Row {
    name: String,
    steps: Vec<Step>,
}

const CHECKS: &str = "memory,overflow,div,shift";

pub fn run(bench: &Bench, args: &Args) -> Result<Report, String> {
    let tool = Tool::find(args.tool.as_deref())?;
    let folder = args.programs.clone().unwrap_or_else(own_harnesses);
    let projects = bench.data()?.join("projects");
    let mut harnesses = Vec::new();
    for harness in harness::read(&folder)? {
        if args.only.as_ref().is_none_or(|text| harness.name.contains(text)) {
            let all = harness.revisions(&projects)?;
            harnesses.push((harness, spread(all, args.revisions)));
        }
    }
    if harnesses.is_empty() {
        return Err(format!("{}: no harnesses", folder.display()));
    }
    let limits = Limits { seconds: args.time, memory: args.memory.clone() };
    let mut store = bench.store_of("projects", &tool.hash)?;
    let key = |(harness, revisions): &(Harness, Vec<Revision>)| {
        format!("{} {} {} {}s {}", harness.name, harness.hash, revisions.len(), limits.seconds, limits.memory)
    };
    let todo: Vec<_> = harnesses.iter().filter(|one| store.get::<Vec<Step>>(&key(one)).is_none()).collect();
    let one = |_: &mut worker::Worker, (harness, revisions): &&(Harness, Vec<Revision>)| {
        steps(&tool, &limits, harness, revisions)
    };
    pool::run("projects", bench.timing_jobs, worker::Limits::NONE, &todo, one, |one, result| {
        let name = one.0.name.clone();
        match result {
            Ok(steps) => {
                if let Err(e) = store.put(&key(one), &steps) {
                    eprintln!("bench: {e}");
                }
                name
            }
            Err(why) => format!("{name}: {why}"),
        }
    });
    let row = |one: &(Harness, Vec<Revision>)| {
        let steps = store.get(&key(one)).ok_or_else(|| format!("{}: no result", one.0.name))?;
        Ok(Row { name: one.0.name.clone(), steps })
    };
    let rows: Vec<Row> = harnesses.iter().map(row).collect::<Result<_, String>>()?;
    Ok(figures::report(args.time, &rows))
}

fn steps(
    tool: &Tool,
    limits: &Limits,
    harness: &Harness,
    revisions: &[Revision],
) -> Result<Vec<Step>, String> {
    let kept = tempfile::tempdir().map_err(|e| format!("a folder for the store: {e}"))?;
    let step = |revision: &Revision| {
        let ask = |store: String| {
            let mut more = crate::argv!["--store", store, "--check", CHECKS, "--unknown-functions", "havoc"];
            more.extend(revision.flags.iter().cloned());
            more.extend(revision.files.iter().map(|file| file.display().to_string()));
            let includes = vec![revision.folder.clone(), harness.folder.clone()];
            let source = Source { path: harness.path.clone(), ilp32: false, includes, defines: Vec::new() };
            tool.verify(&source, limits, &more)
        };
        let scratch = ask("none".to_owned());
        let reused = ask(kept.path().display().to_string());
        Step { revision: revision.name.clone(), scratch, reused }
    };
    Ok(revisions.iter().map(step).collect())
}

/// At most `most` of a list, far apart, the last one among them.
fn spread(list: Vec<Revision>, most: Option<usize>) -> Vec<Revision> {
    let count = list.len();
    let most = most.unwrap_or(count).clamp(1, count.max(1));
    let wanted = |i: &usize| (i + 1) * most / count > i * most / count;
    list.into_iter().enumerate().filter(|(i, _)| wanted(i)).map(|(_, revision)| revision).collect()
}

fn own_harnesses() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/harness")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revisions_far_apart() {
        let check = |count: usize, most: Option<usize>, expected: &[&str]| {
            let revision = |i: usize| Revision { name: i.to_string(), ..Revision::default() };
            let names: Vec<String> =
                spread((0..count).map(revision).collect(), most).into_iter().map(|r| r.name).collect();
            assert_eq!(names, expected, "{count} {most:?}");
        };
        check(0, None, &[]);
        check(3, None, &["0", "1", "2"]);
        check(3, Some(9), &["0", "1", "2"]);
        check(4, Some(1), &["3"]);
        check(6, Some(3), &["1", "3", "5"]);
    }
}
