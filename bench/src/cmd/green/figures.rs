//! One row a program, and sums.

use super::{Expected, Row, SLOW};
use crate::cbmc::Said;
use crate::report::Report;
use crate::table::{Table, median};
use crate::verify::Answer;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Right,
    Wrong,
    Unknown,
}

pub fn report(time: u64, rows: &[Row]) -> Report {
    let mut report = Report::default();
    report.tables.push(programs(time, rows));
    report.tables.push(totals(rows));
    let own: Vec<(Mark, f64)> = rows.iter().map(|row| (own(row), row.own.seconds)).collect();
    let mut none = |what: &str, count: usize| report.claim(what, "0", count.to_string(), count == 0);
    none("wrong verdicts", own.iter().filter(|(mark, _)| *mark == Mark::Wrong).count());
    none("programs without a verdict", own.iter().filter(|(mark, _)| *mark == Mark::Unknown).count());
    let slow = own.iter().filter(|(_, seconds)| *seconds > SLOW).count();
    none(&format!("programs that take more than {SLOW} s"), slow);
    report
}

fn programs(time: u64, rows: &[Row]) -> Table {
    let header = ["program", "expected", "reprove", "reprove s", "CBMC", "CBMC s"];
    let mut table = Table::new(format!("Small C programs with all checks on, {time} s each"), &header);
    for row in rows {
        let (said, seconds) = match &row.other {
            Some(other) => (answer(cbmc(row), other.said.word()), format!("{:.2}", other.seconds)),
            None => ("-".to_owned(), "-".to_owned()),
        };
        table.row(vec![
            row.name.clone(),
            if row.expected == Expected::Safe { "safe" } else { "unsafe" }.to_owned(),
            answer(Some(own(row)), row.own.answer.word()),
            format!("{:.2}", row.own.seconds),
            said,
            seconds,
        ]);
    }
    for row in rows {
        if own(row) == Mark::Unknown {
            table.note(format!("`{}`: {}", row.name, row.own.reason));
        }
        if let (Expected::Unsafe(expected), Some(line), Mark::Right) = (row.expected, row.own.line, own(row))
            && expected != line
        {
            table.note(format!("`{}` fails in line {line}, the bug is in line {expected}", row.name));
        }
    }
    table
}

/// What was said, in capitals where it is wrong.
fn answer(mark: Option<Mark>, said: &str) -> String {
    if mark == Some(Mark::Wrong) { said.to_uppercase() } else { said.to_owned() }
}

fn own(row: &Row) -> Mark {
    let safe = match row.own.answer {
        Answer::Safe => Some(true),
        Answer::Unsafe => Some(false),
        _ => None,
    };
    mark(row.expected, safe)
}

fn cbmc(row: &Row) -> Option<Mark> {
    let safe = match row.other.as_ref()?.said {
        Said::Safe => Some(true),
        Said::Unsafe => Some(false),
        Said::Nothing(_) => None,
    };
    Some(mark(row.expected, safe))
}

fn mark(expected: Expected, safe: Option<bool>) -> Mark {
    match safe {
        None => Mark::Unknown,
        Some(safe) if safe == (expected == Expected::Safe) => Mark::Right,
        Some(_) => Mark::Wrong,
    }
}

fn totals(rows: &[Row]) -> Table {
    let slow = format!("above {SLOW} s");
    let header =
        ["tool", "programs", "right", "WRONG", "unknown", slow.as_str(), "median s", "safe s", "unsafe s"];
    let mut table = Table::new("Small C programs: sums", &header);
    let mut add = |name: &str, results: &[(Expected, Mark, f64)]| {
        let count = |kind: Mark| results.iter().filter(|(_, mark, _)| *mark == kind).count().to_string();
        let median_of = |test: &dyn Fn(Expected) -> bool| {
            let seconds = results.iter().filter(|(expected, ..)| test(*expected)).map(|(.., s)| *s);
            median(&seconds.collect::<Vec<_>>()).map_or("-".to_owned(), |seconds| format!("{seconds:.2}"))
        };
        table.row(vec![
            name.to_owned(),
            results.len().to_string(),
            count(Mark::Right),
            count(Mark::Wrong),
            count(Mark::Unknown),
            results.iter().filter(|(.., seconds)| *seconds > SLOW).count().to_string(),
            median_of(&|_| true),
            median_of(&|expected| expected == Expected::Safe),
            median_of(&|expected| expected != Expected::Safe),
        ]);
    };
    let ours = rows.iter().map(|row| (row.expected, own(row), row.own.seconds));
    add("reprove", &ours.collect::<Vec<_>>());
    let theirs = rows.iter().filter_map(|row| Some((row.expected, cbmc(row)?, row.other.as_ref()?.seconds)));
    let theirs: Vec<_> = theirs.collect();
    if !theirs.is_empty() {
        add("CBMC", &theirs);
    }
    table.note(
        "Seconds are medians over all programs, over those that are correct, and over those with a bug.",
    );
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cbmc::Decided;
    use crate::verify::Outcome;

    fn row(name: &str, expected: Expected, answer: Answer, seconds: f64, other: Option<Said>) -> Row {
        let outcome = Outcome { seconds, line: Some(7), ..Outcome::bare(answer, "why".to_owned()) };
        let other = other.map(|said| Decided { said, bound: 5, seconds: 2.0 * seconds });
        Row { name: name.to_owned(), expected, own: outcome, other }
    }

    fn rows() -> Vec<Row> {
        use Expected::{Safe, Unsafe};
        let nothing = Some(Said::Nothing("time".to_owned()));
        vec![
            row("copy", Safe, Answer::Safe, 0.5, Some(Said::Safe)),
            row("copy_end", Unsafe(7), Answer::Unsafe, 0.1, Some(Said::Unsafe)),
            row("trim", Safe, Answer::NotCertified, 2.5, nothing),
            row("trim_empty", Unsafe(9), Answer::Unsafe, 0.2, Some(Said::Unsafe)),
            row("split", Unsafe(3), Answer::Safe, 0.3, Some(Said::Safe)),
        ]
    }

    fn cells(table: &Table) -> Vec<Vec<String>> {
        let of = |line: &str| -> Vec<String> {
            line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
        };
        table.markdown().lines().filter(|line| line.starts_with('|')).skip(2).map(of).collect()
    }

    #[test]
    fn one_row_a_program() {
        let table = programs(10, &rows());
        let lines = cells(&table);
        assert_eq!(lines[0], ["copy", "safe", "safe", "0.50", "safe", "1.00"]);
        assert_eq!(lines[1], ["copy_end", "unsafe", "unsafe", "0.10", "unsafe", "0.20"]);
        assert_eq!(lines[2], ["trim", "safe", "not certified", "2.50", "unknown", "5.00"]);
        assert_eq!(lines[4], ["split", "unsafe", "SAFE", "0.30", "SAFE", "0.60"]);
        let elsewhere = "`trim_empty` fails in line 7, the bug is in line 9";
        assert_eq!(table.notes, ["`trim`: why", elsewhere]);
    }

    #[test]
    fn sums() {
        let lines = cells(&totals(&rows()));
        assert_eq!(lines[0], ["reprove", "5", "3", "1", "1", "1", "0.30", "1.50", "0.20"]);
        assert_eq!(lines[1], ["CBMC", "5", "3", "1", "1", "1", "0.60", "3.00", "0.40"]);
    }

    #[test]
    fn without_cbmc() {
        let rows = [row("copy", Expected::Safe, Answer::Safe, 0.5, None)];
        assert_eq!(cells(&programs(10, &rows)), [["copy", "safe", "safe", "0.50", "-", "-"]]);
        assert_eq!(cells(&totals(&rows)).len(), 1);
        assert!(report(10, &rows).claims.iter().all(|claim| claim.met));
    }

    #[test]
    fn promises() {
        let measured: Vec<(String, bool)> =
            report(10, &rows()).claims.into_iter().map(|claim| (claim.measured, claim.met)).collect();
        assert_eq!(measured, [("1".to_owned(), false), ("1".to_owned(), false), ("1".to_owned(), false)]);
        let other_line = [row("trim_empty", Expected::Unsafe(9), Answer::Unsafe, 0.2, None)];
        assert!(report(10, &other_line).claims.iter().all(|claim| claim.met));
    }
}
