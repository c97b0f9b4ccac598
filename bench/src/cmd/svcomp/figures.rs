//! What the rows show: by engine, by class, and by class and engine side by side.

use super::{Judgement, RULE, Row, judge, wrong_label};
use crate::refuted::{self, Wrong};
use crate::report::Report;
use crate::table::{Table, percent};
use crate::verify::Answer;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// The goals of the tool's default, and of `bmc` alone; percent.
const DECIDED: usize = 65;
const FOUND: usize = 75;
const PROVED: usize = 25;

pub fn report(title: &str, engines: &[&str], rows: &[Row]) -> Report {
    let mut report = Report::default();
    for engine in engines {
        let own: Vec<&Row> = rows.iter().filter(|row| row.engine == *engine).collect();
        if !own.is_empty() {
            report.tables.push(by_class(title, engine, &own));
        }
    }
    if engines.len() > 1 {
        report.tables.push(side_by_side(title, engines, rows));
    }
    report.tables.push(by_engine(title, engines, rows));
    for engine in engines {
        let sums = Sums::of(rows.iter().filter(|row| row.engine == *engine));
        claims(&mut report, engine, &sums);
    }
    let wrong = |row: &Row| {
        let program = row.name.clone();
        let one = move |r: &crate::verify::Refuted| Wrong {
            engine: r.engine.clone(),
            program: program.clone(),
            reason: r.reason.clone(),
        };
        row.outcome.refuted.iter().map(one).collect::<Vec<_>>()
    };
    refuted::add(&mut report, &rows.iter().flat_map(wrong).collect::<Vec<_>>());
    report
}

/// Counts of some rows.
#[derive(Clone, Debug, Default, PartialEq)]
struct Sums {
    bugs: usize,
    found: usize,
    safe: usize,
    proved: usize,
    /// Answers `UNSAFE` and `SAFE`, right or wrong, and those that somebody else checked.
    unsafe_answers: usize,
    replayed: usize,
    safe_answers: usize,
    certified: usize,
    wrong: usize,
    up_to: usize,
    time: usize,
    memory: usize,
    undefined: usize,
    unsupported: usize,
    unconfirmed: usize,
    uncertified: usize,
    crashes: usize,
    seconds: Vec<f64>,
    /// By who decided them: those that are right.
    by: BTreeMap<String, usize>,
}

const REASONS: [&str; 8] =
    ["safe up to K", "time", "memory", "undefined", "unsupported", "not confirmed", "not certified", "crash"];

impl Sums {
    fn of<'a>(rows: impl Iterator<Item = &'a Row>) -> Sums {
        let mut sums = Sums::default();
        rows.for_each(|row| sums.add(row));
        sums.seconds.sort_by(f64::total_cmp);
        sums
    }

    fn add(&mut self, row: &Row) {
        let answer = row.outcome.answer;
        *(if row.bug { &mut self.bugs } else { &mut self.safe }) += 1;
        if judge(row.bug, answer) == Judgement::Right {
            *self.by.entry(row.outcome.engine.clone()).or_default() += 1;
        }
        self.seconds.push(row.outcome.seconds);
        let confirmed = usize::from(row.outcome.confirmed);
        match answer {
            Answer::Safe => {
                (self.safe_answers, self.certified) = (self.safe_answers + 1, self.certified + confirmed)
            }
            Answer::Unsafe => {
                (self.unsafe_answers, self.replayed) = (self.unsafe_answers + 1, self.replayed + confirmed)
            }
            _ => {}
        }
        let slot = match (judge(row.bug, answer), answer) {
            (Judgement::Wrong, _) => &mut self.wrong,
            (_, Answer::Unsafe) => &mut self.found,
            (_, Answer::Safe) => &mut self.proved,
            (_, Answer::SafeUpTo(_)) => &mut self.up_to,
            (_, Answer::Time) => &mut self.time,
            (_, Answer::Memory) => &mut self.memory,
            (_, Answer::Undefined) => &mut self.undefined,
            (_, Answer::Unsupported) => &mut self.unsupported,
            (_, Answer::NotConfirmed) => &mut self.unconfirmed,
            (_, Answer::NotCertified) => &mut self.uncertified,
            (_, Answer::Refused | Answer::Crash) => &mut self.crashes,
        };
        *slot += 1;
    }

    fn programs(&self) -> usize {
        self.bugs + self.safe
    }

    fn correct(&self) -> usize {
        self.found + self.proved
    }

    fn unknown(&self) -> usize {
        self.programs() - self.correct() - self.wrong
    }

    /// In the order of [`REASONS`].
    fn reasons(&self) -> [usize; 8] {
        [
            self.up_to,
            self.time,
            self.memory,
            self.undefined,
            self.unsupported,
            self.unconfirmed,
            self.uncertified,
            self.crashes,
        ]
    }

    fn total(&self) -> f64 {
        // An empty sum is -0.
        self.seconds.iter().fold(0.0, |sum, s| sum + s)
    }

    fn median(&self) -> f64 {
        crate::table::median(&self.seconds).unwrap_or(0.0)
    }

    fn by(&self) -> String {
        let list: Vec<String> = self.by.iter().map(|(engine, n)| format!("{n} {engine}")).collect();
        list.join(", ")
    }

    fn cells(&self, name: &str) -> Vec<String> {
        let mut cells = vec![
            name.to_owned(),
            self.programs().to_string(),
            self.correct().to_string(),
            self.wrong.to_string(),
            self.unknown().to_string(),
            format!("{} / {}", self.found, self.bugs),
            format!("{} / {}", self.replayed, self.unsafe_answers),
            format!("{} / {}", self.proved, self.safe),
            format!("{} / {}", self.certified, self.safe_answers),
        ];
        cells.push(self.by());
        cells.extend(self.reasons().map(|n| n.to_string()));
        cells.push(format!("{:.1}", self.median()));
        cells.push(format!("{:.0}", self.total()));
        cells
    }
}

fn columns(first: &'static str) -> Vec<&'static str> {
    let mut columns = vec![first, "programs", "correct", "WRONG", "unknown", "bugs found", "replayed"];
    columns.extend(["safe proved", "certified", "decided by"]);
    columns.extend(REASONS);
    columns.extend(["median s", "total s"]);
    columns
}

fn by_class(title: &str, engine: &str, rows: &[&Row]) -> Table {
    let mut table = Table::new(format!("{title}; engine {engine}"), &columns("class"));
    for class in classes(rows.iter().copied()) {
        table.row(Sums::of(rows.iter().copied().filter(|row| row.class == class)).cells(class));
    }
    table.row(Sums::of(rows.iter().copied()).cells("all"));
    for note in reasons(rows) {
        table.note(note);
    }
    table
}

fn side_by_side(title: &str, engines: &[&str], rows: &[Row]) -> Table {
    let mut header = vec!["class".to_owned(), "programs".to_owned()];
    for engine in engines {
        header.extend([
            format!("{engine}: correct"),
            "WRONG".to_owned(),
            "unknown".to_owned(),
            "s".to_owned(),
        ]);
    }
    header.push("any".to_owned());
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut table = Table::new(format!("{title}; by class and engine"), &header);
    let mut add = |name: &str, rows: Vec<&Row>| {
        let programs: BTreeSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        let mut cells = vec![name.to_owned(), programs.len().to_string()];
        for engine in engines {
            let sums = Sums::of(rows.iter().copied().filter(|row| row.engine == *engine));
            let counts = [sums.correct(), sums.wrong, sums.unknown()];
            cells.extend(counts.map(|n| n.to_string()));
            cells.push(format!("{:.0}", sums.total()));
        }
        let right = rows.iter().filter(|row| judge(row.bug, row.outcome.answer) == Judgement::Right);
        cells.push(right.map(|row| row.name.as_str()).collect::<BTreeSet<_>>().len().to_string());
        table.row(cells);
    };
    for class in classes(rows.iter()) {
        add(class, rows.iter().filter(|row| row.class == class).collect());
    }
    add("all", rows.iter().collect());
    table.note("Any: correct by at least one of them.");
    table
}

fn by_engine(title: &str, engines: &[&str], rows: &[Row]) -> Table {
    let mut table = Table::new(format!("{title}; in all"), &columns("engine"));
    for engine in engines {
        table.row(Sums::of(rows.iter().filter(|row| row.engine == *engine)).cells(engine));
    }
    if rows.iter().all(|row| row.sampled) {
        table.note(RULE);
    }
    table.note(
        "Replayed: `UNSAFE` whose run the interpreter made again; certified: `SAFE` whose proof was checked. Safe up to K and the columns \
         after it: `UNKNOWN`, by reason.",
    );
    for row in rows.iter().filter(|row| judge(row.bug, row.outcome.answer) == Judgement::Wrong) {
        table
            .note(format!("WRONG: `{}` is said to be {:?} by {}.", row.name, row.outcome.answer, row.engine));
    }
    let unconfirmed = rows
        .iter()
        .filter(|row| matches!(row.outcome.answer, Answer::Safe | Answer::Unsafe) && !row.outcome.confirmed);
    for row in unconfirmed.take(10) {
        table.note(format!("Nobody checked {:?} of `{}` ({}).", row.outcome.answer, row.name, row.engine));
    }
    let named: BTreeSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    for (name, (_, why)) in named.into_iter().filter_map(|name| Some((name, wrong_label(name)?))) {
        table.note(format!("The label of `{name}` is not believed: {why}."));
    }
    table
}

fn claims(report: &mut Report, engine: &str, sums: &Sums) {
    let mut claim = |what: &str, goal: &str, measured: String, met: bool| {
        report.claim(&format!("{engine}: {what}"), goal, measured, met);
    };
    claim("wrong verdicts", "0", sums.wrong.to_string(), sums.wrong == 0);
    let reached = |part: usize, whole: usize, goal: usize| part * 100 >= whole * goal;
    if engine == "auto" {
        let (part, whole) = (sums.correct(), sums.programs());
        let goal = format!("at least {DECIDED} %");
        claim("programs decided", &goal, percent(part, whole), reached(part, whole, DECIDED));
    }
    if engine == "bmc" {
        let goal = format!("at least {FOUND} %");
        let met = reached(sums.found, sums.bugs, FOUND);
        claim("programs with a bug that is found", &goal, percent(sums.found, sums.bugs), met);
        let goal = format!("at least {PROVED} %");
        let met = reached(sums.proved, sums.safe, PROVED);
        claim("safe programs that are proved", &goal, percent(sums.proved, sums.safe), met);
    }
    let of = format!("{} of {}", sums.certified, sums.safe_answers);
    claim("SAFE answers certified", "all", of, sums.certified == sums.safe_answers);
    let of = format!("{} of {}", sums.replayed, sums.unsafe_answers);
    claim("UNSAFE answers replayed", "all", of, sums.replayed == sums.unsafe_answers);
    claim("crashes", "0", sums.crashes.to_string(), sums.crashes == 0);
}

fn classes<'a>(rows: impl Iterator<Item = &'a Row>) -> BTreeSet<&'a str> {
    rows.map(|row| row.class.as_str()).collect()
}

/// The most frequent reasons for having no answer that are not limits, with a program each.
fn reasons(rows: &[&Row]) -> Vec<String> {
    let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for row in rows {
        let outcome = &row.outcome;
        let limit = matches!(outcome.answer, Answer::SafeUpTo(_) | Answer::Time | Answer::Memory);
        if judge(row.bug, outcome.answer) == Judgement::Undecided && !limit {
            // Places and quoted names differ; what is wrong is the same.
            let text = outcome.reason.split(" at ").next().unwrap_or_default();
            let words: Vec<&str> = text.split('\'').step_by(2).collect();
            groups.entry(format!("{:?}: {}", outcome.answer, words.join("…"))).or_default().push(&row.name);
        }
    }
    let mut groups: Vec<(String, Vec<&str>)> = groups.into_iter().collect();
    groups.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    let note = |(reason, names): &(String, Vec<&str>)| format!("{} x {reason} (`{}`)", names.len(), names[0]);
    groups.iter().take(15).map(note).collect()
}

pub fn write_tsv(path: &Path, rows: &[Row]) -> Result<(), String> {
    let mut text = String::from("program\tengine\texpected\tanswer\tby\tconfirmed\tseconds\treason\n");
    for row in rows {
        let expected = if row.bug { "unsafe" } else { "safe" };
        let outcome = &row.outcome;
        let _ = writeln!(
            text,
            "{}\t{}\t{expected}\t{:?}\t{}\t{}\t{:.2}\t{}",
            row.name,
            row.engine,
            outcome.answer,
            outcome.engine,
            if outcome.confirmed { "yes" } else { "" },
            outcome.seconds,
            outcome.reason.replace(['\t', '\n'], " ")
        );
    }
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::Outcome;

    fn row(name: &str, engine: &str, bug: bool, answer: Answer, confirmed: bool, seconds: f64) -> Row {
        let outcome =
            Outcome { confirmed, seconds, engine: engine.into(), ..Outcome::bare(answer, String::new()) };
        let class = name.split('/').next().unwrap_or_default().to_owned();
        let (engine, memory) = (engine.to_owned(), "4G".to_owned());
        Row { class, name: name.to_owned(), bug, sampled: true, engine, time: 30, memory, outcome }
    }

    fn rows() -> Vec<Row> {
        use Answer::*;
        vec![
            row("a/1", "auto", true, Unsafe, true, 1.0),
            row("a/2", "auto", false, Safe, true, 2.0),
            row("a/3", "auto", false, Safe, false, 3.0),
            row("b/4", "auto", true, Safe, true, 4.0),
            row("b/5", "auto", false, Time, false, 30.0),
            row("b/5", "bmc", false, Safe, false, 9.0),
            row("b/6", "bmc", true, NotCertified, false, 8.0),
        ]
    }

    #[test]
    fn sums() {
        let rows = rows();
        let sums = Sums::of(rows.iter().filter(|row| row.engine == "auto"));
        assert_eq!((sums.programs(), sums.correct(), sums.wrong, sums.unknown()), (5, 3, 1, 1));
        assert_eq!((sums.bugs, sums.found, sums.unsafe_answers, sums.replayed), (2, 1, 1, 1));
        assert_eq!((sums.safe, sums.proved, sums.safe_answers, sums.certified), (3, 2, 3, 2));
        assert_eq!((sums.reasons(), sums.total(), sums.median()), ([0, 1, 0, 0, 0, 0, 0, 0], 40.0, 3.0));
        let sums = Sums::of(rows.iter().filter(|row| row.engine == "bmc"));
        assert_eq!((sums.correct(), sums.uncertified, sums.unknown()), (1, 1, 1));
    }

    #[test]
    fn engines_side_by_side() {
        let table = side_by_side("T", &["auto", "bmc"], &rows());
        let text = table.markdown();
        let cells = |line: &str| -> Vec<String> {
            line.split('|').map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect()
        };
        let lines: Vec<Vec<String>> = text.lines().filter(|l| l.starts_with('|')).map(cells).collect();
        assert_eq!(lines[2], ["a", "3", "3", "0", "0", "6", "0", "0", "0", "0", "3"]);
        assert_eq!(lines[3], ["b", "3", "0", "1", "1", "34", "1", "0", "1", "17", "1"]);
        assert_eq!(lines[4], ["all", "6", "3", "1", "1", "40", "1", "0", "1", "17", "4"]);
    }

    #[test]
    fn promises() {
        let met = |rows: &[Row], what: &str| {
            let report = report("T", &["auto"], rows);
            report.claims.iter().find(|claim| claim.what == what).map(|claim| claim.met)
        };
        let rows = rows();
        assert_eq!(met(&rows, "auto: wrong verdicts"), Some(false));
        assert_eq!(met(&rows[..3], "auto: wrong verdicts"), Some(true));
        assert_eq!(met(&rows[..3], "auto: programs decided"), Some(true));
        assert_eq!(met(&rows, "auto: programs decided"), Some(false));
        assert_eq!(met(&rows[..3], "auto: SAFE answers certified"), Some(false));
        assert_eq!(met(&rows, "auto: SAFE answers certified"), Some(false));
        assert_eq!(met(&rows[..2], "auto: SAFE answers certified"), Some(true));
        assert_eq!(met(&rows[..3], "auto: UNSAFE answers replayed"), Some(true));
    }
}
