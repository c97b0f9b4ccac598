//! What is promised of programs that grow, and whether it is kept.

use super::figures::{Growth, growth, own, share};
use super::row::{Mark, Row};
use super::{Beside, Engine};
use crate::cbmc::Said;
use crate::report::Report;

/// Exponents, at most.
const SCRATCH: f64 = 1.15;
const EDIT: f64 = 0.2;
/// For programs of this size there are limits.
const LARGE: usize = 1000;
const LARGE_SECONDS: f64 = 60.0;
const LARGE_BYTES: u64 = 2 << 30;
/// After an edit without effect: seconds, and the part of the time from scratch.
const EDIT_SECONDS: f64 = 0.5;
const EDIT_SHARE: f64 = 0.05;

pub fn claim(report: &mut Report, rows: &[Row], beside: &[Beside]) {
    let mut none = |what: &str, count: usize| report.claim(what, "0", count.to_string(), count == 0);
    none("wrong verdicts", rows.iter().map(|row| row.count(Mark::Wrong)).sum());
    none("edits decided from scratch only", rows.iter().map(Row::lost).sum());
    let growth = growth(rows);
    for engine in Engine::ALL {
        let of: Vec<&Growth> = growth.iter().filter(|growth| growth.engine == engine).collect();
        if of.is_empty() {
            continue;
        }
        let name = engine.name();
        // One size says nothing of growth, and edits that were not asked for have no times.
        let several = rows.iter().any(|row| row.cell.n != rows[0].cell.n);
        let edited = rows.iter().any(|row| row.cell.engine == engine && row.worst().is_some());
        if several {
            let scratch = |growth: &Growth| growth.scratch;
            exponents(report, &format!("{name}: exponent from scratch"), SCRATCH, &of, scratch);
        }
        if several && edited {
            exponents(report, &format!("{name}: exponent after an edit"), EDIT, &of, |growth| growth.worst);
        }
        let large = |row: &&Row| row.cell.engine == engine && row.cell.n == LARGE;
        let large: Vec<&Row> = rows.iter().filter(large).collect();
        if !large.is_empty() {
            limits(report, name, &large);
        }
    }
    if !beside.is_empty() && growth.iter().any(|growth| growth.engine == Engine::Bmc) {
        cbmc(report, rows, beside);
    }
}

/// The largest exponent has to be small enough, and every family has to have one.
fn exponents(
    report: &mut Report,
    what: &str,
    goal: f64,
    all: &[&Growth],
    of: impl Fn(&Growth) -> Option<f64>,
) {
    let known = all.iter().filter_map(|growth| Some((of(growth)?, growth.family)));
    let largest = known.max_by(|a, b| a.0.total_cmp(&b.0));
    let missing = all.iter().filter(|growth| of(growth).is_none()).count();
    let mut measured = largest.map_or("-".to_owned(), |(value, family)| format!("{value:.2} ({family})"));
    if missing > 0 {
        measured += &format!(", {missing} of {} families have none", all.len());
    }
    let met = missing == 0 && largest.is_some_and(|(value, _)| value <= goal);
    report.claim(what, format!("<= {goal:.2}"), measured, met);
}

fn limits(report: &mut Report, engine: &str, rows: &[&Row]) {
    let mut all = |what: &str, keeps: &dyn Fn(&Row) -> bool| {
        let not: Vec<&str> = rows.iter().filter(|row| !keeps(row)).map(|row| row.name()).collect();
        let measured = if not.is_empty() { "all".to_owned() } else { format!("not {}", not.join(", ")) };
        report.claim(&format!("{engine}, N = {LARGE}: {what}"), "all families", measured, not.is_empty());
    };
    all(&format!("within {LARGE_SECONDS} s and {} GiB", LARGE_BYTES >> 30), &|row| {
        let peak = row.scratch.as_ref().map_or(0, |run| run.weighed.peak);
        row.decided().is_some_and(|seconds| seconds <= LARGE_SECONDS) && peak <= LARGE_BYTES
    });
    if rows.iter().any(|row| row.worst().is_some()) {
        let open = |row: &Row| row.count(Mark::Open) > 0;
        all(&format!("below {EDIT_SECONDS} s after an edit"), &|row| {
            !open(row) && row.worst().is_some_and(|(_, seconds)| seconds < EDIT_SECONDS)
        });
        all(&format!("at most {:.0} % of from scratch after an edit", EDIT_SHARE * 100.0), &|row| {
            !open(row) && share(row).is_some_and(|share| share <= EDIT_SHARE)
        });
    }
}

/// What CBMC decides has to be decided by `bmc`, in no more time.
fn cbmc(report: &mut Report, rows: &[Row], beside: &[Beside]) {
    let decided: Vec<&Beside> =
        beside.iter().filter(|other| !matches!(other.other.said, Said::Nothing(_))).collect();
    let slower = |other: &&&Beside| {
        let seconds = own(rows, other).and_then(Row::decided);
        seconds.is_none_or(|seconds| seconds > other.other.seconds)
    };
    let slower = decided.iter().filter(slower).count();
    let measured = format!("{slower} of {}", decided.len());
    report.claim("programs on which bmc is slower than CBMC", "0", measured, slower == 0);
    let wrong = decided.iter().filter(|other| other.other.said == Said::Unsafe).count();
    report.claim("programs that CBMC calls unsafe", "0", wrong.to_string(), wrong == 0);
}

#[cfg(test)]
mod tests {
    use super::super::row::tests::row;
    use super::*;
    use crate::cbmc::Bounded;
    use crate::family::{Edit, Family};
    use crate::verify::Answer;

    fn claims(rows: &[Row], beside: &[Beside]) -> Vec<(String, String, bool)> {
        let mut report = Report::default();
        claim(&mut report, rows, beside);
        report.claims.into_iter().map(|c| (c.what, c.measured, c.met)).collect()
    }

    fn found<'a>(claims: &'a [(String, String, bool)], what: &str) -> (&'a str, bool) {
        let claim = claims.iter().find(|(w, ..)| w.contains(what)).unwrap_or_else(|| panic!("{what}"));
        (&claim.1, claim.2)
    }

    #[test]
    fn goals_that_are_met() {
        let edit = |seconds| [(Edit::Leaf, Answer::Safe, seconds)];
        // From scratch ten times as much for ten times the size; the front end takes 0.1 s.
        let rows = [row(100, 1.1, &edit(0.21)), row(1000, 10.1, &edit(0.21))];
        let claims = claims(&rows, &[]);
        assert!(claims.iter().all(|(_, _, met)| *met), "{claims:?}");
        assert_eq!(found(&claims, "exponent from scratch"), ("1.00 (chain)", true));
        assert_eq!(found(&claims, "exponent after an edit"), ("0.00 (chain)", true));
        assert_eq!(claims.len(), 7);
    }

    #[test]
    fn goals_that_are_not() {
        let edit = |answer, seconds| [(Edit::Leaf, answer, seconds)];
        let rows = [row(100, 1.1, &edit(Answer::Safe, 0.3)), row(1000, 90.0, &edit(Answer::Unsafe, 9.0))];
        let decided = |seconds| Bounded { said: Said::Safe, seconds, peak: 0 };
        let beside = |n, seconds| Beside { family: Family::Chain, n, other: decided(seconds) };
        let claims = claims(&rows, &[beside(100, 1.0), beside(1000, 99.0)]);
        assert_eq!(found(&claims, "wrong verdicts"), ("1", false));
        assert_eq!(found(&claims, "within 60 s"), ("not chain", false));
        assert_eq!(found(&claims, "below 0.5 s"), ("not chain", false));
        assert_eq!(found(&claims, "slower than CBMC"), ("1 of 2", false));
        assert!(!found(&claims, "exponent from scratch").1);
    }

    #[test]
    fn a_family_without_an_exponent_does_not_meet_it() {
        let mut large = row(30, 60.0, &[]);
        large.scratch = None;
        let claims = claims(&[row(10, 1.0, &[]), large], &[]);
        assert_eq!(found(&claims, "exponent from"), ("-, 1 of 1 families have none", false));
    }
}
