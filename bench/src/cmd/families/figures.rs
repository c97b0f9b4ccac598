//! The tables: for each engine times and verdicts, every edit, and work; then exponents, and CBMC.

use super::fit::exponent;
use super::measure::Run;
use super::row::{Mark, NOISE, Row, expected, mark};
use super::{Beside, Engine};
use crate::family::{Edit, Family};
use crate::report::Report;
use crate::table::Table;
use crate::verify::{Answer, Limits};

pub fn report(limits: &Limits, rows: &[Row], beside: &[Beside]) -> Report {
    let mut report = Report::default();
    for engine in Engine::ALL {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.cell.engine == engine).collect();
        if !rows.is_empty() {
            let rows = by_family(&rows);
            report.tables.extend([times(engine, limits, &rows), edits(engine, &rows), work(engine, &rows)]);
        }
    }
    report.tables.push(exponents(rows));
    if !beside.is_empty() {
        report.tables.push(cbmc(rows, beside));
    }
    report
}

/// All sizes of a family, then the next one.
fn by_family<'a>(rows: &[&'a Row]) -> Vec<&'a Row> {
    let mut rows = rows.to_vec();
    rows.sort_by_key(|row| (row.cell.family as usize, row.cell.n));
    rows
}

fn times(engine: Engine, limits: &Limits, rows: &[&Row]) -> Table {
    let title = format!("Families, {}: {} s and {} each", engine.name(), limits.seconds, limits.memory);
    let header = [
        "family",
        "N",
        "front s",
        "scratch s",
        "MB",
        "verdict",
        "edit s",
        "worst",
        "at",
        "of scratch",
        "right",
        "open",
        "WRONG",
    ];
    let mut table = Table::new(title, &header);
    for row in rows {
        let scratch = row.scratch.as_ref();
        let worst = row.worst();
        table.row(vec![
            row.name().to_owned(),
            row.cell.n.to_string(),
            seconds(row.front.map(|front| front.one)),
            seconds(scratch.map(Run::seconds)),
            scratch.map_or_else(nothing, megabytes),
            scratch.map_or("not asked", |run| run.weighed.outcome.answer.word()).to_owned(),
            seconds(row.median()),
            seconds(worst.map(|(_, seconds)| seconds)),
            worst.map_or_else(nothing, |(edit, _)| edit.name().to_owned()),
            share(row).map_or_else(nothing, |share| format!("{:.0} %", share * 100.0)),
            row.count(Mark::Right).to_string(),
            row.count(Mark::Open).to_string(),
            row.count(Mark::Wrong).to_string(),
        ]);
    }
    table.note(
        "Seconds after an edit: the median and the worst over the edits without effect, whole processes.",
    );
    table.note("Not asked: a smaller program of the family was not decided.");
    for row in rows {
        for why in reasons(row).into_iter().take(3) {
            table.note(format!("`{} {}`, {why}", row.name(), row.cell.n));
        }
    }
    table
}

/// Why there is no verdict, or which one is wrong.
fn reasons(row: &Row) -> Vec<String> {
    let scratch = row.scratch.iter().map(|run| ("scratch", Answer::Safe, run));
    let edits = row.edits.iter().map(|(edit, run)| (edit.name(), expected(*edit), run));
    let of = |(name, expected, run): (&str, _, &Run)| {
        let outcome = &run.weighed.outcome;
        let said = match mark(expected, outcome.answer) {
            Mark::Right => None,
            Mark::Wrong => Some(format!("{name}: WRONG, {}", outcome.answer.word())),
            Mark::Open => Some(format!("{name}: {}", outcome.reason)),
        };
        let alone = run.alone.filter(|answer| mark(expected, *answer) != Mark::Right);
        said.into_iter().chain(alone.map(|answer| format!("{name}, from scratch: {}", answer.word())))
    };
    scratch.chain(edits).flat_map(of).collect()
}

fn edits(engine: Engine, rows: &[&Row]) -> Table {
    let asked = |edit: &Edit| rows.iter().any(|row| row.run(*edit).is_some());
    let columns: Vec<Edit> = Edit::ALL.into_iter().filter(asked).collect();
    let header: Vec<&str> = ["family", "N"].into_iter().chain(columns.iter().map(|e| e.name())).collect();
    let mut table = Table::new(format!("Families, {}: seconds after each edit", engine.name()), &header);
    for row in rows.iter().filter(|row| !row.edits.is_empty()) {
        let cell = |edit: &Edit| match row.run(*edit) {
            None => nothing(),
            Some(run) => match mark(expected(*edit), run.weighed.outcome.answer) {
                Mark::Right => seconds(Some(run.seconds())),
                Mark::Wrong => run.weighed.outcome.answer.word().to_uppercase(),
                Mark::Open => run.weighed.outcome.answer.word().to_owned(),
            },
        };
        let start = [row.name().to_owned(), row.cell.n.to_string()];
        table.row(start.into_iter().chain(columns.iter().map(cell)).collect());
    }
    table
}

fn work(engine: Engine, rows: &[&Row]) -> Table {
    let header = [
        "family",
        "N",
        "queries",
        "successors",
        "written",
        "edit: queries",
        "successors",
        "read",
        "written",
        "MB",
    ];
    let title = format!("Families, {}: work from scratch, and after the edit in the middle", engine.name());
    let mut table = Table::new(title, &header);
    let count = |count: Option<u64>| count.map_or_else(nothing, |count| count.to_string());
    for row in rows.iter().filter(|row| row.scratch.is_some()) {
        let scratch = row.scratch.as_ref();
        let edit = row.run(Edit::Middle);
        let written = |run: &Run| run.records.map(|records| records.written as u64);
        table.row(vec![
            row.name().to_owned(),
            row.cell.n.to_string(),
            count(scratch.and_then(|run| run.weighed.queries)),
            count(scratch.and_then(|run| run.weighed.successors)),
            count(scratch.and_then(written)),
            count(edit.and_then(|run| run.weighed.queries)),
            count(edit.and_then(|run| run.weighed.successors)),
            count(edit.and_then(|run| run.records.map(|records| records.read as u64))),
            count(edit.and_then(written)),
            edit.map_or_else(nothing, megabytes),
        ]);
    }
    table.note("Records of the store; one that was read and written again counts as written.");
    table
}

/// The exponents of a family and an engine.
pub struct Growth {
    pub engine: Engine,
    pub family: &'static str,
    pub scratch: Option<f64>,
    pub median: Option<f64>,
    pub worst: Option<f64>,
    sizes: Vec<usize>,
}

/// Over the sizes that are decided from scratch, and without the front end.
pub fn growth(rows: &[Row]) -> Vec<Growth> {
    let mut lines: Vec<_> = rows.iter().map(|row| (row.cell.engine, row.cell.family)).collect();
    lines.sort_by_key(|(engine, family)| (*engine as usize, *family as usize));
    lines.dedup();
    let of = |(engine, family): (Engine, Family)| {
        let own = |row: &&Row| (row.cell.engine, row.cell.family) == (engine, family);
        let own: Vec<&Row> = rows.iter().filter(own).filter(|row| row.decided().is_some()).collect();
        let fit = |value: &dyn Fn(&Row) -> Option<f64>| {
            exponent(&own.iter().filter_map(|row| Some((row.cell.n, value(row)?))).collect::<Vec<_>>())
        };
        Growth {
            engine,
            family: family.name(),
            scratch: fit(&|row| row.scratch_alone(row.decided()?)),
            median: fit(&|row| row.edit_alone(row.median()?)),
            worst: fit(&|row| row.edit_alone(row.worst()?.1)),
            sizes: own.iter().map(|row| row.cell.n).collect(),
        }
    };
    lines.into_iter().map(of).collect()
}

fn exponents(rows: &[Row]) -> Table {
    let header = ["engine", "family", "scratch", "edit, median", "edit, worst", "sizes"];
    let mut table = Table::new("Families: exponents", &header);
    for growth in growth(rows) {
        let cell = |value: Option<f64>| value.map_or_else(nothing, |value| format!("{value:.2}"));
        let sizes: Vec<String> = growth.sizes.iter().map(usize::to_string).collect();
        table.row(vec![
            growth.engine.name().to_owned(),
            growth.family.to_owned(),
            cell(growth.scratch),
            cell(growth.median),
            cell(growth.worst),
            sizes.join(" "),
        ]);
    }
    table.note(
        "Least squares on the logarithms of N and of seconds, over the sizes that are decided from scratch.",
    );
    table.note(format!(
        "Without the front end: `show calls` from scratch, `diff` of the program with itself after an edit; \
         what is left counts as {NOISE} s at least."
    ));
    table
}

fn cbmc(rows: &[Row], beside: &[Beside]) -> Table {
    let header = ["family", "N", "bmc", "s", "MB", "CBMC", "s", "MB", "ratio"];
    let mut table = Table::new("Families: bmc beside CBMC, from scratch", &header);
    for other in beside {
        let run = own(rows, other).and_then(|row| row.scratch.as_ref());
        table.row(vec![
            other.family.name().to_owned(),
            other.n.to_string(),
            run.map_or("not asked", |run| run.weighed.outcome.answer.word()).to_owned(),
            seconds(run.map(Run::seconds)),
            run.map_or_else(nothing, megabytes),
            other.other.said.word().to_owned(),
            seconds(Some(other.other.seconds)),
            format!("{}", other.other.peak >> 20),
            run.map_or_else(nothing, |run| format!("{:.2}", run.seconds() / other.other.seconds)),
        ]);
    }
    table
}

/// The row of the engine `bmc` about the same program.
pub fn own<'a>(rows: &'a [Row], other: &Beside) -> Option<&'a Row> {
    let cell = super::Cell { family: other.family, engine: Engine::Bmc, n: other.n };
    rows.iter().find(|row| row.cell == cell)
}

/// The worst edit, as a part of the time from scratch.
pub fn share(row: &Row) -> Option<f64> {
    Some(row.worst()?.1 / row.decided()?)
}

fn nothing() -> String {
    "-".to_owned()
}

fn seconds(value: Option<f64>) -> String {
    value
        .map_or_else(nothing, |value| if value < 1.0 { format!("{value:.3}") } else { format!("{value:.1}") })
}

fn megabytes(run: &Run) -> String {
    (run.weighed.peak >> 20).to_string()
}
