//! What the checker says of a proof; and of changes that it lets pass, those that are needed.

use crate::made::seconds;
use certify::Flaw;
use certify::program::{Nothing, check_proof};
use engine::Proof;
use ir::Program;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// What became of something that was shown to the checker.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Judged {
    Accepted,
    Malformed,
    Changed,
    Wrong,
    Open,
}

impl Judged {
    pub fn of(flaw: &Flaw) -> Judged {
        match flaw {
            Flaw::Malformed(_) => Judged::Malformed,
            Flaw::Changed(_) => Judged::Changed,
            Flaw::Wrong(_) => Judged::Wrong,
            Flaw::Open(_) => Judged::Open,
        }
    }
}

/// The checker has so long. It may look at the clock late, but not never.
pub const TIME: Duration = Duration::from_secs(2);
const LATE: Duration = Duration::from_secs(20);

/// A panic, or an answer that does not come in time, as text.
pub fn in_time<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let start = Instant::now();
    let done = catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        format!("it panics: {}", text.unwrap_or_default())
    })?;
    match start.elapsed() {
        time if time > TIME + LATE => Err(format!("it takes {time:?}")),
        _ => Ok(done),
    }
}

pub fn judge(program: &Program, proof: &Proof) -> Result<Judged, String> {
    let entry = program.find_function("main").expect("programs have a main");
    let checked = in_time(|| check_proof(program, entry, proof, &seconds(TIME), &mut Nothing))?;
    Ok(checked.map_or_else(|refused| Judged::of(&refused.flaw), |_| Judged::Accepted))
}

/// How often the checker said what.
#[derive(Default)]
pub struct Figures(BTreeMap<(String, Judged), usize>);

impl Figures {
    pub fn count(&mut self, of: &str, judged: Judged) {
        *self.0.entry((of.to_owned(), judged)).or_default() += 1;
    }

    pub fn number(&self, judged: Judged) -> usize {
        self.0.iter().filter(|((_, found), _)| *found == judged).map(|(_, count)| count).sum()
    }

    pub fn total(&self) -> usize {
        self.0.values().sum()
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for ((of, judged), count) in &self.0 {
            writeln!(f, "{of:>24} {judged:?}: {count}")?;
        }
        write!(f, "{:>24} {}", "all", self.total())
    }
}

/// Of these changes, as few as are needed for what `wrong` says.
pub fn needed(changes: &[u64], wrong: &dyn Fn(&[u64]) -> bool) -> Vec<u64> {
    let mut left = changes.to_vec();
    let mut at = left.len();
    while let Some(next) = at.checked_sub(1) {
        at = next;
        let mut fewer = left.clone();
        fewer.remove(at);
        if wrong(&fewer) {
            left = fewer;
        }
    }
    left
}

/// Bytes that the process has used at most, if the system says so.
pub fn most_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}
