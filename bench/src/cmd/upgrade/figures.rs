//! What the steps show: speed-ups by series and by what was reused, and what it costs.
//!
//! A step counts if at least one of its two verifications gave an answer; one that gave up is as long as it
//! took to give up.

use super::{Args, Line, Record};
use crate::measure::{Decided, Reuse, Stepped};
use crate::report::Report;
use crate::series::Series;
use crate::table::{Table, median};
use std::fmt::Write;
use std::path::Path;

/// Few changed functions, as the goal has it.
const FEW: usize = 3;
/// Finding that nothing matters may take so much more than the comparison itself: a share, and seconds.
const MORE: (f64, f64) = (1.2, 0.02);

/// A step that counts.
struct Point<'a> {
    series: &'a Series,
    step: &'a Stepped,
    changed: usize,
}

impl Point<'_> {
    fn speed_up(&self) -> f64 {
        self.step.scratch.seconds / self.step.upgrade.seconds.max(1e-6)
    }

    fn few(&self) -> bool {
        self.changed <= FEW
    }

    fn irrelevant(&self) -> bool {
        self.step.upgrade.reuse == Reuse::Whole
    }

    /// The upgrade check's own comparison: slicing, and fingerprints.
    fn comparison(&self) -> f64 {
        comparison(self.step)
    }

    fn in_time(&self) -> bool {
        self.step.upgrade.seconds <= self.comparison() * MORE.0 + MORE.1
    }
}

fn comparison(step: &Stepped) -> f64 {
    step.upgrade.figure("slicing seconds") + step.upgrade.figure("comparison seconds")
}

pub fn report(args: &Args, chosen: &[&Series], lines: &[Line]) -> Report {
    let points: Vec<Point> = lines.iter().filter_map(point).collect();
    let boots: Vec<(&Series, &Stepped)> = lines.iter().filter_map(boot).collect();
    let mut report = Report::default();
    report.tables.push(by_series(args, chosen, lines, &points, &boots));
    report.tables.push(by_reuse(&points));
    report.tables.push(costs(lines, &boots));
    claims(&mut report, chosen, lines, &points);
    report
}

fn point<'a>(line: &'a Line) -> Option<Point<'a>> {
    let Record::Done(step) = &line.record else { return None };
    let known = step.scratch.verdict.is_known() || step.upgrade.verdict.is_known();
    let changed = step.changed.filter(|_| known && line.index > 0)?;
    Some(Point { series: line.series, step, changed })
}

fn boot<'a>(line: &'a Line) -> Option<(&'a Series, &'a Stepped)> {
    match &line.record {
        Record::Done(step) if line.index == 0 => Some((line.series, step)),
        _ => None,
    }
}

fn by_series(
    args: &Args,
    chosen: &[&Series],
    lines: &[Line],
    points: &[Point],
    boots: &[(&Series, &Stepped)],
) -> Table {
    let title = format!("Upgrade checks, bound {}: speed-up over from scratch, step by step", args.bound);
    let mut table = Table::new(
        title,
        &[
            "series",
            "steps",
            "median",
            "best",
            "worst",
            "few: steps",
            "median",
            "irrelevant: steps",
            "s",
            "comparison s",
            "first: s",
            "with summaries s",
            "kB a revision",
            "differ",
            "undecided",
        ],
    );
    for series in chosen {
        let own: Vec<&Point> = points.iter().filter(|p| p.series.name == series.name).collect();
        let boot = boots.iter().find(|(s, _)| s.name == series.name).map(|(_, step)| *step);
        let own_lines: Vec<&Line> = lines.iter().filter(|l| l.series.name == series.name).collect();
        let undecided = own_lines.iter().filter(|l| l.index > 0).count() - own.len();
        table.row(row(&series.name, &own, boot, differences(own_lines.into_iter()), undecided));
    }
    let all: Vec<&Point> = points.iter().collect();
    let undecided = lines.iter().filter(|l| l.index > 0).count() - all.len();
    table.row(row("all", &all, None, differences(lines.iter()), undecided));
    table.note(format!(
        "Few: at most {FEW} functions with another text, added or removed. Irrelevant: steps that change nothing that a check depends \
         on; median seconds of the upgrade check, and of its comparison alone (slicing and fingerprints). First: the first revision \
         from scratch, and with summaries made and stored. kB: stored by a revision, median. Times are without the front end; short ones \
         are the best of three."
    ));
    for line in lines {
        match &line.record {
            Record::Failed(why) => table.note(format!("{} {}: {why}", line.series.name, line.index)),
            Record::Done(step) if differs(step) => table.note(format!(
                "DIFFERENT: {} {}: from scratch {:?}, upgrade check {:?}",
                line.series.name, line.index, step.scratch.verdict, step.upgrade.verdict
            )),
            Record::Done(step) if wrong(line, step) => table.note(format!(
                "AGAINST THE LABEL: {} {}: {:?}",
                line.series.name, line.index, step.scratch.verdict
            )),
            Record::Done(_) => {}
        }
    }
    table
}

fn row(
    name: &str,
    points: &[&Point],
    boot: Option<&Stepped>,
    differ: usize,
    undecided: usize,
) -> Vec<String> {
    let ups = values(points, |_| true, |p| p.speed_up());
    let few = values(points, |p| p.few(), |p| p.speed_up());
    let irrelevant = values(points, |p| p.irrelevant(), |p| p.step.upgrade.seconds);
    let comparison = values(points, |p| p.irrelevant(), |p| p.comparison());
    let bytes = values(points, |p| stored(p.step) > 0.0, |p| stored(p.step) / 1000.0);
    let boot_of = |f: &dyn Fn(&Stepped) -> f64| boot.map_or(String::new(), |b| format!("{:.2}", f(b)));
    vec![
        name.to_owned(),
        points.len().to_string(),
        times(median(&ups)),
        times(ups.last().copied()),
        times(ups.first().copied()),
        few.len().to_string(),
        times(median(&few)),
        irrelevant.len().to_string(),
        seconds(median(&irrelevant)),
        seconds(median(&comparison)),
        boot_of(&|b| b.scratch.seconds),
        boot_of(&|b| b.upgrade.seconds),
        median(&bytes).map_or("-".into(), |kb| format!("{kb:.0}")),
        differ.to_string(),
        undecided.to_string(),
    ]
}

fn by_reuse(points: &[Point]) -> Table {
    let mut table = Table::new(
        "Upgrade checks by what was reused",
        &["", "steps", "median", "best", "worst", "upgrade s", "calls checked", "calls reused"],
    );
    let all: Vec<&Point> = points.iter().collect();
    let mut add = |name: &str, wanted: &dyn Fn(&Point) -> bool| {
        let ups = values(&all, wanted, |p| p.speed_up());
        let figure = |f: &'static str| {
            let list = values(&all, wanted, |p| p.step.upgrade.figure(f));
            median(&list).map_or("-".into(), |n| format!("{n:.0}"))
        };
        let took = values(&all, wanted, |p| p.step.upgrade.seconds);
        table.row(vec![
            name.to_owned(),
            ups.len().to_string(),
            times(median(&ups)),
            times(ups.last().copied()),
            times(ups.first().copied()),
            seconds(median(&took)),
            figure("calls checked"),
            figure("calls reused"),
        ]);
    };
    add("nothing changed that matters", &|p| p.step.upgrade.reuse == Reuse::Whole);
    add("summaries held", &|p| p.step.upgrade.reuse == Reuse::Held);
    add("some fell", &|p| p.step.upgrade.reuse == Reuse::Rebuilt);
    add("from scratch", &|p| p.step.upgrade.reuse == Reuse::Scratch);
    add("nothing was known", &|p| p.step.upgrade.reuse == Reuse::None);
    add("at most 3 functions changed", &|p| p.few());
    add("1 to 3 functions changed", &|p| p.few() && p.changed > 0);
    add("1 to 3 functions changed, and it matters", &|p| p.few() && p.changed > 0 && !p.irrelevant());
    add("more than 3 functions changed", &|p| !p.few());
    add("all", &|_| true);
    table.note(
        "Speed-ups over from scratch; medians of seconds and calls. The first five rows are all steps.",
    );
    table
}

fn costs(lines: &[Line], boots: &[(&Series, &Stepped)]) -> Table {
    let mut table = Table::new("Costs", &["", "median", "most"]);
    let mut add = |name: &str, mut list: Vec<f64>, show: &dyn Fn(f64) -> String| {
        list.sort_by(f64::total_cmp);
        let shown = |n: Option<f64>| n.map_or("-".into(), show);
        table.row(vec![name.to_owned(), shown(median(&list)), shown(list.last().copied())]);
    };
    let share = |n: f64| format!("{:.1} %", n * 100.0);
    let whole = |n: f64| format!("{n:.0}");
    let proved = boots.iter().filter(|(_, b)| b.upgrade.figure("bytes stored") > 0.0);
    let first: Vec<&Stepped> = proved.map(|(_, b)| *b).collect();
    let of = |f: &dyn Fn(&Stepped) -> f64| first.iter().map(|b| f(b)).collect::<Vec<f64>>();
    let part = |name: &'static str| move |b: &Stepped| b.upgrade.figure(name) / b.upgrade.seconds.max(1e-6);
    add("first revision: share of interpolation", of(&part("interpolation seconds")), &share);
    add("first revision: share of solving", of(&part("solving seconds")), &share);
    add("first revision: share of execution", of(&part("execution seconds")), &share);
    add("first revision: share of slicing", of(&part("slicing seconds")), &share);
    add("first revision: share of storing", of(&part("storing seconds")), &share);
    let ratio = |b: &Stepped| b.upgrade.seconds / b.scratch.seconds.max(1e-6);
    add("first revision: with summaries / from scratch", of(&ratio), &|n| format!("{n:.2}"));
    add("first revision: calls", of(&|b| b.upgrade.figure("calls")), &whole);
    add("first revision: gates of all interpolants", of(&|b| b.upgrade.figure("interpolant gates")), &whole);
    add(
        "first revision: gates of the largest interpolant",
        of(&|b| b.upgrade.figure("largest interpolant")),
        &whole,
    );
    let done = |line: &Line| match &line.record {
        Record::Done(step) => Some(stored(step)),
        Record::Failed(_) => None,
    };
    let bytes: Vec<f64> = lines.iter().filter_map(done).filter(|n| *n > 0.0).collect();
    add("bytes stored by a revision that stores", bytes, &whole);
    let opening = lines.iter().filter_map(|line| match &line.record {
        Record::Done(step) => Some(step.opening * 1000.0),
        Record::Failed(_) => None,
    });
    add("opening the store, ms (not part of the times)", opening.collect(), &|n| format!("{n:.1}"));
    table
}

fn claims(report: &mut Report, chosen: &[&Series], lines: &[Line], points: &[Point]) {
    let all: Vec<&Point> = points.iter().collect();
    let differ = differences(lines.iter());
    report.claim("series", "at least 20", chosen.len().to_string(), chosen.len() >= 20);
    report.claim("steps on which the verdicts differ", "0", differ.to_string(), differ == 0);
    let steps = lines.iter().filter_map(|l| match &l.record {
        Record::Done(step) => Some((l, step)),
        Record::Failed(_) => None,
    });
    let against = steps.filter(|(line, step)| wrong(line, step)).count();
    report.claim("verdicts against the labels", "0", against.to_string(), against == 0);
    let failed = lines.iter().filter(|l| matches!(l.record, Record::Failed(_))).count();
    report.claim("steps that could not be measured", "0", failed.to_string(), failed == 0);
    let few = values(&all, |p| p.few(), |p| p.speed_up());
    let typical = median(&few);
    let met = typical.is_some_and(|m| m >= 10.0);
    report.claim("speed-up with at most 3 changed functions, median", "at least 10x", times(typical), met);
    let irrelevant: Vec<&&Point> = all.iter().filter(|p| p.irrelevant()).collect();
    let in_time = irrelevant.iter().filter(|p| p.in_time()).count();
    report.claim(
        "steps that change nothing relevant: within 1.2 times the comparison, or 20 ms more",
        "all",
        format!("{in_time} of {}", irrelevant.len()),
        in_time == irrelevant.len(),
    );
    let worst = values(&all, |_| true, |p| 1.0 / p.speed_up().max(1e-6)).last().copied();
    let met = worst.is_some_and(|w| w <= 2.0);
    report.claim("worst step: upgrade check / from scratch", "at most 2", seconds(worst), met);
}

fn differs(step: &Stepped) -> bool {
    step.unstable || step.scratch.verdict.differs(&step.upgrade.verdict)
}

fn differences<'a>(lines: impl Iterator<Item = &'a Line<'a>>) -> usize {
    lines.filter(|line| matches!(&line.record, Record::Done(step) if differs(step))).count()
}

/// A verdict that the label contradicts.
fn wrong(line: &Line, step: &Stepped) -> bool {
    let bug = line.series.revisions.get(line.index).and_then(|r| r.bug);
    [&step.scratch.verdict, &step.upgrade.verdict].into_iter().any(|verdict| match verdict {
        Decided::Safe => bug == Some(true),
        Decided::Unsafe => bug == Some(false),
        _ => false,
    })
}

fn stored(step: &Stepped) -> f64 {
    step.upgrade.figure("bytes stored")
}

/// Sorted.
fn values(points: &[&Point], wanted: impl Fn(&Point) -> bool, value: impl Fn(&Point) -> f64) -> Vec<f64> {
    let mut list: Vec<f64> = points.iter().filter(|p| wanted(p)).map(|p| value(p)).collect();
    list.sort_by(f64::total_cmp);
    list
}

fn times(value: Option<f64>) -> String {
    value.map_or("-".into(), |x| if x < 10.0 { format!("{x:.2}x") } else { format!("{x:.0}x") })
}

fn seconds(value: Option<f64>) -> String {
    value.map_or("-".into(), |s| format!("{s:.3}"))
}

pub fn write_tsv(path: &Path, lines: &[Line]) -> Result<(), String> {
    let mut text = String::from(
        "series\tstep\tfile\tchanged\tscratch\tscratch s\tupgrade\tupgrade s\treuse\tcomparison s\tstory\tfigures\n",
    );
    for line in lines {
        let file = line.series.revisions.get(line.index).map_or("", |r| r.file.name.as_str());
        let _ = write!(text, "{}\t{}\t{file}\t", line.series.name, line.index);
        let _ = match &line.record {
            Record::Failed(why) => writeln!(text, "\t\t\t\t\t\t\t{}\t", why.replace(['\t', '\n'], " ")),
            Record::Done(step) => {
                let figures = step.upgrade.figures.iter().map(|(name, value)| format!("{name}={value:.3}"));
                writeln!(
                    text,
                    "{}\t{:?}\t{:.4}\t{:?}\t{:.4}\t{:?}\t{:.4}\t{}\t{}",
                    step.changed.map_or(String::new(), |n| n.to_string()),
                    step.scratch.verdict,
                    step.scratch.seconds,
                    step.upgrade.verdict,
                    step.upgrade.seconds,
                    step.upgrade.reuse,
                    comparison(step),
                    step.upgrade.story.replace(['\t', '\n'], " "),
                    figures.collect::<Vec<_>>().join("; ")
                )
            }
        };
    }
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}
