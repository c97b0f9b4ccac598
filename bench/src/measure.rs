//! Verification in this process, for precise times: from scratch and with what an earlier version left, in
//! alternation.
//!
//! Times are those of the call of the verifier (slicing, comparison, check, storing), without the front end.
//! Every upgrade check works on a copy of the store as it was before, since the second one would find the
//! first one's answer.

use crate::ask::{self, Asked};
use crate::job::{Reply, Source};
use crate::tool;
use change::State;
use driver::{Outcome, Verdict};
use engine::{BmcSettings, Bounds, Settings, Summaries, Unwind};
use ir::Program;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fs, io};

/// How a program is verified.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Setting {
    /// As `ask::Asked` has it.
    pub engine: String,
    /// For `bmc`, which is asked at one bound.
    pub bound: u32,
    /// Seconds for one verification.
    pub limit: f64,
    pub label: String,
    /// Summaries are made in any case, not only where that pays.
    pub always: bool,
}

/// A new version, and where the results about the old one are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Step {
    pub old: Option<Source>,
    pub new: Source,
    /// The folder of the store before, if there is one, and where the one after it is to be.
    pub before: Option<PathBuf>,
    pub after: PathBuf,
    /// Short measurements are made so often, at most.
    pub repeats: u32,
    /// Which of the two comes first.
    pub upgrade_first: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stepped {
    /// Functions with another text, added or removed; None without an old version.
    pub changed: Option<usize>,
    pub functions: usize,
    pub scratch: Measured,
    pub upgrade: Measured,
    /// Seconds to open the store, the best.
    pub opening: f64,
    /// Did several runs of the same thing give different verdicts?
    pub unstable: bool,
}

/// The best of some runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    pub verdict: Decided,
    pub seconds: f64,
    pub figures: BTreeMap<String, f64>,
    pub reuse: Reuse,
    /// The last decision about the whole program.
    pub story: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decided {
    Safe,
    Unsafe,
    SafeUpTo(u32),
    Unknown(String),
}

/// What came of the old results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reuse {
    /// There were none.
    None,
    /// Nothing changed that matters.
    Whole,
    /// All summaries that were checked still hold.
    Held,
    /// Some fell, and the check went up the tree.
    Rebuilt,
    /// It came to nothing: from scratch.
    Scratch,
}

impl Decided {
    pub fn of(verdict: &Verdict) -> Decided {
        match verdict {
            Verdict::Safe => Decided::Safe,
            Verdict::Unsafe(_) => Decided::Unsafe,
            Verdict::Unknown(reason) if reason.safe_up_to().is_some() => {
                Decided::SafeUpTo(reason.safe_up_to().unwrap_or_default())
            }
            Verdict::Unknown(reason) => Decided::Unknown(reason.to_string()),
        }
    }

    /// Is it an answer for all executions?
    pub fn is_final(&self) -> bool {
        matches!(self, Decided::Safe | Decided::Unsafe)
    }

    pub fn is_known(&self) -> bool {
        !matches!(self, Decided::Unknown(_))
    }

    /// Two known verdicts that contradict each other, or that are not equally strong.
    pub fn differs(&self, other: &Decided) -> bool {
        self.is_known() && other.is_known() && self != other
    }
}

impl Measured {
    pub fn figure(&self, name: &str) -> f64 {
        self.figures.get(name).copied().unwrap_or(0.0)
    }
}

/// More than the runner allows.
const MEMORY: u64 = 6 << 30;
/// Measurements that took longer than this are not repeated.
const SHORT: f64 = 3.0;

/// One program from scratch.
pub fn alone(source: &Source, setting: &Setting) -> Reply {
    tool::on_large_stack(|| match tool::compile(source) {
        Ok(program) => Reply::Measured(Box::new(verify(&program, setting, None))),
        Err(message) => Reply::Refused(message),
    })
}

pub fn step(step: &Step, setting: &Setting, tick: &(dyn Fn() + Sync)) -> Reply {
    tool::on_large_stack(|| match stepped(step, setting, tick) {
        Ok(stepped) => Reply::Stepped(Box::new(stepped)),
        Err(message) => Reply::Refused(message),
    })
}

fn stepped(step: &Step, setting: &Setting, tick: &(dyn Fn() + Sync)) -> Result<Stepped, String> {
    let old = step.old.as_ref().map(tool::compile).transpose().map_err(|e| format!("old: {e}"))?;
    let new = tool::compile(&step.new).map_err(|e| format!("new: {e}"))?;
    let changed = old.as_ref().map(|old| changed(old, &new));
    drop(old);
    let (mut scratch, mut upgrade) = (Vec::new(), Vec::new());
    let mut opening = f64::INFINITY;
    let start = Instant::now();
    for round in 0..step.repeats.max(1) {
        // Whoever comes second finds memory and terms prepared, so they take turns.
        let upgrade_first = step.upgrade_first ^ (round % 2 == 1);
        for second in [false, true] {
            tick();
            if upgrade_first != second {
                let (measured, open) = with_store(&new, step, setting)?;
                upgrade.push(measured);
                opening = opening.min(open);
            } else {
                scratch.push(verify(&new, setting, None));
            }
        }
        if start.elapsed().as_secs_f64() > SHORT {
            break;
        }
    }
    let unstable = [&scratch, &upgrade]
        .iter()
        .any(|runs| runs.iter().any(|a| runs.iter().any(|b| a.verdict.differs(&b.verdict))));
    let (scratch, upgrade) = (best(scratch)?, best(upgrade)?);
    Ok(Stepped { changed, functions: new.functions.len(), scratch, upgrade, opening, unstable })
}

fn best(runs: Vec<Measured>) -> Result<Measured, String> {
    runs.into_iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds)).ok_or_else(|| "nothing measured".into())
}

/// Functions whose text changed, also by being added or removed.
fn changed(old: &Program, new: &Program) -> usize {
    let comparison = change::compare(old, new, &change::Options::default());
    let counts = |state: &State| matches!(state, State::Changed | State::Added | State::Removed);
    comparison.functions.iter().filter(|function| counts(&function.state)).count()
}

/// Verifies on a fresh copy of the store, which is left in `after`; with the seconds to open it.
fn with_store(program: &Program, step: &Step, setting: &Setting) -> Result<(Measured, f64), String> {
    let fail = |e: io::Error| format!("{}: {e}", step.after.display());
    let _ = fs::remove_dir_all(&step.after);
    match &step.before {
        Some(before) => copy(before, &step.after).map_err(fail)?,
        None => fs::create_dir_all(&step.after).map_err(fail)?,
    }
    let start = Instant::now();
    let store = store::Store::open(&step.after, store::Options::default()).map_err(|e| e.to_string())?;
    let opening = start.elapsed().as_secs_f64();
    Ok((verify(program, setting, Some(&store)), opening))
}

fn verify(program: &Program, setting: &Setting, store: Option<&store::Store>) -> Measured {
    let summaries = if setting.always { Summaries::Always } else { Summaries::Worthwhile };
    let unwind = match setting.engine.as_str() {
        "bmc" => Unwind::Fixed(Bounds::new(setting.bound)),
        _ => Unwind::Auto { most: None },
    };
    let bmc = BmcSettings { unwind, summaries, ..BmcSettings::default() };
    let settings = Settings { bmc, ..Settings::default() };
    let (engine, label) = (setting.engine.clone(), setting.label.clone());
    let asked = Asked { engine, time: setting.limit, memory: MEMORY, label };
    match ask::ask(&asked, &settings, program, store, Instant::now()) {
        Ok(outcome) => {
            let mut measured = measured(&outcome, &setting.label);
            // How far bounds come is a matter of time, unless the bound is given.
            if let (Decided::SafeUpTo(bound), Unwind::Auto { .. }) = (&measured.verdict, &settings.bmc.unwind)
            {
                measured.verdict = Decided::Unknown(format!("safe up to {bound}"));
            }
            measured
        }
        Err(reason) => Measured {
            verdict: Decided::Unknown(reason),
            seconds: 0.0,
            figures: BTreeMap::new(),
            reuse: Reuse::None,
            story: String::new(),
        },
    }
}

fn measured(outcome: &Outcome, label: &str) -> Measured {
    let figures = ask::figures(outcome);
    let whole = outcome.decisions.iter().rev().find(|d| d.about == label);
    // Another initial value of a global is checked at the entry, and is no summary.
    let rejected = |d: &engine::Decision| d.outcome == engine::Outcome::Rejected && d.about != "globals";
    let fell = outcome.decisions.iter().any(rejected);
    let reuse = reuse(whole.map(|d| d.outcome), fell, &figures);
    Measured {
        verdict: Decided::of(&outcome.verdict),
        seconds: outcome.time.as_secs_f64(),
        figures,
        reuse,
        story: whole.map(|d| d.reason.clone()).unwrap_or_default(),
    }
}

/// `whole` is what was decided about the whole program; `fell`: was anything rejected?
fn reuse(whole: Option<engine::Outcome>, fell: bool, figures: &BTreeMap<String, f64>) -> Reuse {
    match (whole, figures.get("summaries reused"), figures.get("summaries")) {
        (Some(engine::Outcome::Reused), ..) => Reuse::Whole,
        (Some(engine::Outcome::New), ..) => Reuse::None,
        (_, Some(reused), Some(all)) if *reused > 0.0 => {
            if reused < all {
                Reuse::Rebuilt
            } else {
                Reuse::Held
            }
        }
        (Some(_), ..) => Reuse::Scratch,
        (None, ..) if !figures.contains_key("calls reused") => Reuse::None,
        (None, ..) if fell => Reuse::Rebuilt,
        (None, ..) => Reuse::Held,
    }
}

/// A folder with all it holds.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_differ_only_if_both_are_known() {
        let time = Decided::Unknown("time limit reached".into());
        let check = |a: &Decided, b: &Decided, expected| assert_eq!(a.differs(b), expected, "{a:?} {b:?}");
        check(&Decided::Safe, &Decided::Safe, false);
        check(&Decided::Safe, &Decided::Unsafe, true);
        check(&Decided::Safe, &Decided::SafeUpTo(2), true);
        check(&Decided::SafeUpTo(2), &Decided::SafeUpTo(2), false);
        check(&Decided::Unsafe, &time, false);
    }

    #[test]
    fn what_came_of_old_results() {
        use engine::Outcome;
        let check = |whole, fell, figures: &[(&str, f64)], expected| {
            let figures = figures.iter().map(|(name, value)| (name.to_string(), *value)).collect();
            assert_eq!(reuse(whole, fell, &figures), expected, "{whole:?} {fell} {figures:?}");
        };
        let calls = [("calls reused", 0.0)];
        check(Some(Outcome::Reused), false, &[], Reuse::Whole);
        check(Some(Outcome::New), false, &calls, Reuse::None);
        check(Some(Outcome::Rejected), true, &calls, Reuse::Scratch);
        check(None, false, &[], Reuse::None);
        check(None, false, &calls, Reuse::Held);
        check(None, true, &calls, Reuse::Rebuilt);
        check(None, false, &[("summaries", 4.0), ("summaries reused", 0.0)], Reuse::None);
        check(None, false, &[("summaries", 4.0), ("summaries reused", 4.0)], Reuse::Held);
        check(None, true, &[("summaries", 4.0), ("summaries reused", 3.0)], Reuse::Rebuilt);
    }

    /// A step of a small program; the change is in a function that no check depends on, in one that matters,
    /// or none.
    #[test]
    fn steps_reuse_what_is_left_valid() {
        let dir = tempfile::tempdir().unwrap();
        let source = |name: &str, aside: &str, matters: &str| {
            let path = dir.path().join(name);
            let text = format!(
                "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void);\n\
                 int log; void note(int x) {{ log = {aside}; }}\n\
                 int clip(int x) {{ if (x > {matters}) return 10; return x; }}\n\
                 int main(void) {{ int y = clip(__VERIFIER_nondet_int()); note(y);\n\
                 if (y > 20) __VERIFIER_error(); return 0; }}\n"
            );
            fs::write(&path, text).unwrap();
            Source::plain(path, &[])
        };
        let first = source("0.c", "x", "10");
        let setting =
            Setting { engine: "bmc".into(), bound: 2, limit: 60.0, label: "clip".into(), always: true };
        let run = |old: Option<&Source>, new: &Source, before: Option<&str>, after: &str| {
            let step = Step {
                old: old.cloned(),
                new: new.clone(),
                before: before.map(|name| dir.path().join(name)),
                after: dir.path().join(after),
                repeats: 1,
                upgrade_first: true,
            };
            stepped(&step, &setting, &|| {}).unwrap()
        };
        let boot = run(None, &first, None, "s0");
        assert_eq!((&boot.upgrade.verdict, boot.upgrade.reuse), (&Decided::Safe, Reuse::None));
        assert!(boot.upgrade.figure("bytes stored") > 0.0);
        let check = |aside: &str, matters: &str, changed, reuse: &[Reuse], verdict: Decided| {
            // An upgrade check that takes as long as from scratch is given up; on a busy machine that is
            // soon.
            let again = |after: &Stepped| after.upgrade.story.starts_with("time limit");
            let mut after = run(Some(&first), &source("1.c", aside, matters), Some("s0"), "s1");
            for _ in 0..20 {
                if !again(&after) {
                    break;
                }
                after = run(Some(&first), &source("1.c", aside, matters), Some("s0"), "s1");
            }
            assert_eq!(after.changed, Some(changed), "{aside} {matters}");
            assert!(reuse.contains(&after.upgrade.reuse), "{aside} {matters}: {:?}", after.upgrade);
            assert_eq!(after.upgrade.verdict, verdict, "{aside} {matters}");
            assert_eq!(after.scratch.verdict, verdict, "{aside} {matters}");
        };
        check("x", "10", 0, &[Reuse::Whole], Decided::Safe);
        check("x + 1", "10", 1, &[Reuse::Whole], Decided::Safe);
        check("x", "15", 1, &[Reuse::Held, Reuse::Rebuilt], Decided::Safe);
        check("x", "30", 1, &[Reuse::Scratch], Decided::Unsafe);
    }
}
