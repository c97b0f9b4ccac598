//! The tables: series by series, all ways of verifying against from scratch, and what the tool promises.

use super::sums::{Confirmed, Pair, Sums, common, failures, pairs};
use super::{Args, Measured, Row, Way};
use crate::ask::{ALL, Config, NONE};
use crate::refuted::{self, Wrong};
use crate::report::Report;
use crate::table::{Table, percent};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// The goals: series, percent decided, percent of time and of abstract successors saved, bytes of a revision
/// (the figures of the paper).
const SERIES: usize = 30;
const DECIDED: usize = 90;
const TIME: f64 = 0.93;
const SUCCESSORS: f64 = 0.98;
const BYTES: f64 = 17_400.0;

pub fn report(args: &Args, ways: &[Way], rows: &[Row]) -> Report {
    let mut report = Report::default();
    let main = ways.first().map(|way| (way, pairs(rows, way)));
    if let Some((way, pairs)) = &main {
        report.tables.push(by_series(args, way, pairs));
    }
    report.tables.push(by_way(args, ways, rows));
    report.tables.push(undecided(rows));
    if let Some((way, pairs)) = &main {
        claims(&mut report, way, pairs, ways, rows);
    }
    let wrong = |row: &Row| {
        let once = row.once().filter(|once| once.refuted > 0)?;
        let (engine, program) = (args.engine.clone(), format!("{} ({})", row.file, row.config));
        Some(Wrong { engine, program, reason: format!("{:?}", once.verdict) })
    };
    refuted::add(&mut report, &rows.iter().filter_map(wrong).collect::<Vec<_>>());
    report
}

const COLUMNS: [&str; 21] = [
    "tasks",
    "decided: scratch",
    "reuse",
    "WRONG",
    "DIFFERENT",
    "steps by both",
    "analysis s: scratch",
    "reuse",
    "saved",
    "whole s: scratch",
    "reuse",
    "saved",
    "successors: scratch",
    "reuse",
    "saved",
    "kB a revision",
    "payload kB",
    "reused",
    "worst",
    "worst s",
    "slow",
];

fn cells(sums: &Sums) -> Vec<String> {
    let both = |both: super::sums::Both, digits: usize| {
        [format!("{:.digits$}", both.scratch), format!("{:.digits$}", both.reuse), share(both.saved())]
    };
    let kilo = |bytes: Option<f64>| bytes.map_or("-".into(), |n| format!("{:.1}", n / 1000.0));
    let counts =
        [sums.tasks, sums.decided_scratch, sums.decided_reuse, sums.wrong, sums.different, sums.both];
    let mut cells: Vec<String> = counts.iter().map(usize::to_string).collect();
    cells.extend(both(sums.analysis, 2));
    cells.extend(both(sums.whole, 2));
    cells.extend(both(sums.successors, 0));
    cells.extend([kilo(sums.grown_bytes()), kilo(sums.stored_bytes()), share(sums.reused_share())]);
    cells.push(sums.worst_ratio.map_or("-".into(), |ratio| format!("{ratio:.2}x")));
    cells.push(sums.worst_seconds.map_or("-".into(), |s| format!("{s:.2}")));
    cells.push(sums.slow.to_string());
    cells
}

/// In percent, rounded down so that a goal that is shown as met is met.
fn share(value: Option<f64>) -> String {
    value.map_or("-".into(), |share| format!("{:.1} %", (share * 1000.0).floor() / 10.0))
}

fn by_series(args: &Args, way: &Way, pairs: &[Pair]) -> Table {
    let title = format!(
        "Series, engine {}, {} s each: from scratch and with reuse ({}, {})",
        args.engine,
        args.time,
        way.config,
        revisions(&way.every)
    );
    let mut header = vec!["series", "first s"];
    header.extend(COLUMNS);
    let mut table = Table::new(title, &header);
    let mut add = |name: &str, sums: &Sums| {
        let mut row = vec![name.to_owned(), format!("{:.2}", sums.first)];
        row.extend(cells(sums));
        table.row(row);
    };
    let names: BTreeSet<&str> = pairs.iter().map(|pair| pair.reuse.series.as_str()).collect();
    for name in names {
        add(name, &Sums::of(pairs.iter().filter(|pair| pair.reuse.series == name)));
    }
    add("all", &Sums::of(pairs));
    table.note(
        "First: the engine's seconds for the first revision, from scratch. Tasks are revisions; steps are those with an earlier one. Sums \
         of time and of abstract successors are over steps that are decided both ways. Analysis: the engine alone; whole: front end, \
         store, engine, and checking its answer. kB: growth of the store's files by a revision, on average, and of what is in them. \
         Reused: share of the summaries, average over steps that had some. Worst: the largest ratio of a step's time (all but the \
         front end) to that from scratch, and the most seconds more. Slow: steps that take more than from scratch by more than 10 % plus \
         50 ms. Short measurements are the best of several.",
    );
    for pair in pairs {
        let Pair { scratch, reuse } = pair;
        if pair.differs() {
            let verdicts = (scratch.verdict(), reuse.verdict());
            table.note(format!("DIFFERENT: `{}`: from scratch and with reuse {verdicts:?}", reuse.file));
        }
        for row in [scratch, reuse].into_iter().filter(|row| row.is_wrong()) {
            table.note(format!("WRONG: `{}` ({}): {:?}", row.file, row.config, row.verdict()));
        }
        for row in [scratch, reuse].into_iter().filter(|row| row.unstable) {
            table.note(format!("DIFFERENT when done again: `{}` ({})", row.file, row.config));
        }
    }
    let mut slow: Vec<(&Pair, (f64, f64))> =
        pairs.iter().filter(|p| p.is_slow()).filter_map(|p| Some((p, p.slower()?))).collect();
    slow.sort_by(|a, b| b.1.1.total_cmp(&a.1.1));
    for (pair, (ratio, seconds)) in slow.into_iter().take(10) {
        table.note(format!("Slow: `{}`: {ratio:.2}x, {seconds:.2} s more", pair.reuse.file));
    }
    table
}

fn revisions(every: &str) -> &'static str {
    match every {
        "1" => "every revision",
        "4" => "every fourth",
        _ => "first and last",
    }
}

fn by_way(args: &Args, ways: &[Way], rows: &[Row]) -> Table {
    let title = format!("Ways of reuse, engine {}, {} s each, against from scratch", args.engine, args.time);
    let mut header = vec!["reused", "revisions", "lines"];
    header.extend(COLUMNS);
    header.extend(["refinements: scratch", "reuse", "holes expanded"]);
    let mut table = Table::new(title, &header);
    for (i, way) in ways.iter().enumerate() {
        let alike: Vec<usize> = (0..ways.len()).filter(|k| ways[*k].every == way.every).collect();
        let lists: Vec<Vec<Pair>> = alike.iter().map(|k| pairs(rows, &ways[*k])).collect();
        let own = alike.iter().position(|k| *k == i).unwrap_or_default();
        let sums = Sums::of(&lists[own]).with_sums_of(&Sums::of(&common(&lists)[own]));
        let lines = sums.average_lines().map_or("-".into(), |n| format!("{n:.0}"));
        let mut row = vec![way.config.to_owned(), revisions(&way.every).to_owned(), lines];
        row.extend(cells(&sums));
        row.push(format!("{:.0}", sums.refinements.scratch));
        row.push(format!("{:.0}", sums.refinements.reuse));
        row.push(format!("{:.0}", sums.holes));
        table.row(row);
    }
    let used: BTreeSet<&str> = ways.iter().map(|way| way.config).chain([NONE]).collect();
    let configs: Vec<Config> = used.into_iter().filter_map(Config::find).collect();
    let list: Vec<String> = configs.iter().map(|c| format!("{}: {}", c.name, c.what)).collect();
    table.note(format!(
        "Reused: {}. Lines: those that differ from the revision before, on average.",
        list.join("; ")
    ));
    table
}

/// Why there is no verdict, by configuration.
fn undecided(rows: &[Row]) -> Table {
    let mut table = Table::new("No verdict, by reason", &["reused: reason", "tasks", "for example"]);
    let mut groups: BTreeMap<(String, String), Vec<&str>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.verdict().is_none()) {
        // Places and quoted names differ; what is wrong is the same.
        let reason = row.reason();
        let text = reason.split(" at ").next().unwrap_or_default();
        let words: Vec<&str> = text.split('\'').step_by(2).collect();
        let kind = if matches!(row.result, Measured::Failed(_)) { "FAILED: " } else { "" };
        let key = (row.config.clone(), format!("{kind}{}", words.join("…")));
        groups.entry(key).or_default().push(&row.file);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups
        .sort_by_key(|((config, _), files)| (config != NONE, config.clone(), std::cmp::Reverse(files.len())));
    for ((config, reason), files) in groups {
        table.row(vec![format!("{config}: {reason}"), files.len().to_string(), files[0].to_owned()]);
    }
    table
}

fn claims(report: &mut Report, way: &Way, main: &[Pair], ways: &[Way], rows: &[Row]) {
    let sums = Sums::of(main);
    let series: BTreeSet<&str> = main.iter().map(|pair| pair.reuse.series.as_str()).collect();
    report.claim("series", format!("at least {SERIES}"), series.len().to_string(), series.len() >= SERIES);
    let wrong = rows.iter().filter(|row| row.is_wrong()).count();
    report.claim("wrong verdicts", "0", wrong.to_string(), wrong == 0);
    let different: usize = ways.iter().map(|way| Sums::of(&pairs(rows, way)).different).sum();
    report.claim("verdicts that differ from those from scratch", "0", different.to_string(), different == 0);
    let (tasks, scratch, reuse) = (sums.tasks, sums.decided_scratch, sums.decided_reuse);
    let met = scratch * 100 >= tasks * DECIDED;
    report.claim("decided from scratch", format!("at least {DECIDED} %"), percent(scratch, tasks), met);
    let met = reuse > scratch || reuse == tasks;
    report.claim("decided with reuse", "more than from scratch, or all", percent(reuse, tasks), met);
    if way.config == ALL && way.every == "1" {
        let goal = |part: f64| format!("at least {:.0} %", part * 100.0);
        let saved = sums.analysis.saved();
        let met = saved.is_some_and(|saved| saved >= TIME);
        report.claim("analysis time that reuse saves", goal(TIME), share(saved), met);
        let saved = sums.successors.saved();
        let met = saved.is_some_and(|saved| saved >= SUCCESSORS);
        report.claim("abstract successors that reuse saves", goal(SUCCESSORS), share(saved), met);
        // New entries may fit into space that the files had already.
        let grown = sums.grown_bytes().zip(sums.stored_bytes()).map(|(files, inside)| files.max(inside));
        let met = grown.is_some_and(|bytes| bytes < BYTES);
        let measured = grown.map_or("-".into(), |bytes| format!("{:.1} kB", bytes / 1000.0));
        report.claim("stored by a revision", format!("below {:.1} kB", BYTES / 1000.0), measured, met);
        let what = "steps slower than from scratch by more than 10 % plus 50 ms";
        report.claim(what, "0", sums.slow.to_string(), sums.slow == 0);
    }
    let all = Confirmed::of(rows);
    let measured = format!("{} of {}", all.certified, all.safe);
    report.claim("SAFE answers certified", "all", measured, all.certified == all.safe);
    let measured = format!("{} of {}", all.replayed, all.unsafe_);
    report.claim("UNSAFE answers replayed", "all", measured, all.replayed == all.unsafe_);
    let failed = failures(rows).len();
    report.claim("processes that died", "0", failed.to_string(), failed == 0);
}

pub fn write_tsv(path: &Path, rows: &[Row]) -> Result<(), String> {
    let names = [
        "abstract successors",
        "refinements",
        "holes expanded",
        "summaries",
        "summaries reused",
        "bytes stored",
    ];
    let mut text =
        String::from("series\tindex\tfile\texpected\trevisions\treused\tverdict\tconfirmed\tanalysis s");
    text += "\tverification s\twhole s\tstore grew\tpayload grew\tlines changed";
    for name in names {
        let _ = write!(text, "\t{name}");
    }
    text += "\treason\n";
    for row in rows {
        let expected = row.bug.map_or("", |bug| if bug { "unsafe" } else { "safe" });
        let verdict = row.verdict().map_or(String::new(), |verdict| format!("{verdict:?}"));
        let _ = write!(
            text,
            "{}\t{}\t{}\t{expected}\t{}\t{}",
            row.series, row.index, row.file, row.every, row.config
        );
        let _ = write!(text, "\t{verdict}");
        let _ = match row.once() {
            Some(once) => {
                let confirmed = if once.confirmed { "yes" } else { "" };
                write!(text, "\t{confirmed}\t{:.4}\t{:.4}", once.analysis, once.verification)
                    .and_then(|()| write!(text, "\t{:.4}\t{}\t{}", once.whole, once.grown, once.stored))
            }
            None => {
                write!(
                    text,
                    "\t\t\t{}\t\t\t",
                    row.verification().map_or(String::new(), |s| format!("{s:.4}"))
                )
            }
        };
        let _ = write!(text, "\t{}", row.lines.map_or(String::new(), |n| n.to_string()));
        for name in names {
            let value = row.once().and_then(|once| once.figures.get(name));
            let _ = write!(text, "\t{}", value.map_or(String::new(), |value| format!("{value}")));
        }
        let _ = writeln!(text, "\t{}", row.reason().replace(['\t', '\n'], " "));
    }
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cmd::series::sums::tests::{row, rows};
    use crate::measure::Decided;

    fn main_way() -> Vec<Way> {
        vec![Way { every: "1".into(), config: ALL }]
    }

    fn met(rows: &[Row], what: &str) -> Option<(String, bool)> {
        let ways = main_way();
        let mut report = Report::default();
        claims(&mut report, &ways[0], &pairs(rows, &ways[0]), &ways, rows);
        report.claims.into_iter().find(|c| c.what.starts_with(what)).map(|c| (c.measured, c.met))
    }

    #[test]
    fn promises_of_a_bad_run() {
        let check = |what: &str, measured: &str, expected: bool| {
            assert_eq!(met(&rows(), what), Some((measured.to_owned(), expected)), "{what}");
        };
        check("series", "1", false);
        check("wrong verdicts", "1", false);
        check("verdicts that differ", "1", false);
        check("decided from scratch", "75.0 %", false);
        check("decided with reuse", "100.0 %", true);
        check("analysis time", "55.0 %", false);
        check("abstract successors", "95.0 %", false);
        check("stored by a revision", "1.0 kB", true);
        check("steps slower", "1", false);
        check("SAFE answers", "6 of 6", true);
        check("UNSAFE answers", "1 of 1", true);
        check("processes that died", "0", true);
    }

    #[test]
    fn promises_of_a_good_run() {
        let mut rows = Vec::new();
        for series in 0..30 {
            let name = format!("s{series:02}");
            for index in 0..3 {
                rows.push(row(&name, index, NONE, Decided::Safe, 10.0, [1000.0, 0.0, 0.0]));
                let with = if index == 0 { 10.0 } else { 0.5 };
                rows.push(row(&name, index, ALL, Decided::Safe, with, [10.0, 10.0, 9.0]));
            }
        }
        let ways = main_way();
        let mut report = Report::default();
        claims(&mut report, &ways[0], &pairs(&rows, &ways[0]), &ways, &rows);
        let missed: Vec<&str> = report.claims.iter().filter(|c| !c.met).map(|c| c.what.as_str()).collect();
        assert!(missed.is_empty(), "{missed:?}");
        assert_eq!(met(&rows, "analysis time").map(|(measured, _)| measured), Some("95.0 %".into()));
    }

    #[test]
    fn shares_are_rounded_down() {
        let check = |value: Option<f64>, expected: &str| assert_eq!(share(value), expected);
        check(Some(0.92999), "92.9 %");
        check(Some(1.0), "100.0 %");
        check(Some(-0.5), "-50.0 %");
        check(None, "-");
    }

    #[test]
    fn tables_have_a_cell_a_column() {
        let rows = rows();
        let pairs = pairs(&rows, &main_way()[0]);
        assert_eq!(cells(&Sums::of(&pairs)).len(), COLUMNS.len());
    }
}
