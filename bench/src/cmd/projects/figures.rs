//! One row a harness, and sums.

use super::{Row, Step};
use crate::report::Report;
use crate::table::Table;
use crate::verify::Answer;

pub fn report(time: u64, rows: &[Row]) -> Report {
    let mut report = Report::default();
    report.tables.push(table(time, rows));
    let steps = || rows.iter().flat_map(|row| &row.steps);
    let mut none = |what: &str, count: usize| report.claim(what, "0", count.to_string(), count == 0);
    none("revisions without a verdict", steps().filter(|step| !decided(step.scratch.answer)).count());
    none("other verdicts with reuse", steps().filter(|step| disagree(step)).count());
    let bare =
        |step: &&Step| [&step.scratch, &step.reused].iter().any(|one| decided(one.answer) && !one.confirmed);
    none("verdicts that nobody checked", steps().filter(bare).count());
    report
}

fn table(time: u64, rows: &[Row]) -> Table {
    let header =
        ["harness", "revisions", "safe", "unsafe", "unknown", "median s", "scratch s", "reuse s", "ratio"];
    let title = format!("Harnesses over the revisions of projects, all checks, {time} s each");
    let mut table = Table::new(title, &header);
    let mut all = Sums::default();
    for row in rows {
        let mut sums = Sums::default();
        row.steps.iter().for_each(|step| sums.add(step));
        all.add_all(&sums);
        table.row(sums.cells(&row.name));
    }
    table.row(all.cells("all"));
    for row in rows {
        let unknown = row.steps.iter().filter(|step| !decided(step.scratch.answer));
        if let Some(first) = unknown.clone().next() {
            let count = unknown.count();
            table.note(format!(
                "`{}`, {count} times, first {}: {}",
                row.name, first.revision, first.scratch.reason
            ));
        }
        for step in row.steps.iter().filter(|step| disagree(step)) {
            table.note(format!(
                "`{}` {}: {:?} from scratch, {:?} with reuse",
                row.name, step.revision, step.scratch.answer, step.reused.answer
            ));
        }
    }
    table
}

fn decided(answer: Answer) -> bool {
    matches!(answer, Answer::Safe | Answer::Unsafe)
}

/// Two verdicts, and not the same. One that is missing is no other verdict.
fn disagree(step: &Step) -> bool {
    let (a, b) = (step.scratch.answer, step.reused.answer);
    decided(a) && decided(b) && a != b
}

#[derive(Default)]
struct Sums {
    safe: usize,
    failing: usize,
    unknown: usize,
    scratch: Vec<f64>,
    reused: f64,
}

impl Sums {
    fn add(&mut self, step: &Step) {
        match step.scratch.answer {
            Answer::Safe => self.safe += 1,
            Answer::Unsafe => self.failing += 1,
            _ => self.unknown += 1,
        }
        self.scratch.push(step.scratch.seconds);
        self.reused += step.reused.seconds;
    }

    fn add_all(&mut self, other: &Sums) {
        self.safe += other.safe;
        self.failing += other.failing;
        self.unknown += other.unknown;
        self.scratch.extend(&other.scratch);
        self.reused += other.reused;
    }

    fn cells(&self, name: &str) -> Vec<String> {
        let mut sorted = self.scratch.clone();
        sorted.sort_by(f64::total_cmp);
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
        let total: f64 = self.scratch.iter().sum();
        let ratio = if self.reused > 0.0 { total / self.reused } else { 0.0 };
        vec![
            name.to_owned(),
            self.scratch.len().to_string(),
            self.safe.to_string(),
            self.failing.to_string(),
            self.unknown.to_string(),
            format!("{median:.2}"),
            format!("{total:.1}"),
            format!("{:.1}", self.reused),
            format!("{ratio:.1}"),
        ]
    }
}
