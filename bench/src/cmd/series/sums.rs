//! The arithmetic of the tables: pairs of rows of the same revision, from scratch and with reuse, and what is
//! counted of them.

use super::{Measured, Row, Way};
use crate::ask::NONE;
use crate::measure::Decided;
use crate::once::Once;
use std::collections::HashMap;

/// A revision verified both ways.
#[derive(Clone, Copy)]
pub struct Pair<'a> {
    pub scratch: &'a Row,
    pub reuse: &'a Row,
}

/// A step is slow if it takes more than from scratch: by this factor and so many seconds on top.
const MORE: (f64, f64) = (1.1, 0.05);

/// All revisions of a way of verifying, in order.
pub fn pairs<'a>(rows: &'a [Row], way: &Way) -> Vec<Pair<'a>> {
    let key = |row: &'a Row| (row.series.as_str(), row.index);
    let scratch: HashMap<_, &Row> =
        rows.iter().filter(|row| row.config == NONE).map(|r| (key(r), r)).collect();
    let own = rows.iter().filter(|row| row.config == way.config && row.every == way.every);
    let mut pairs: Vec<Pair> =
        own.filter_map(|reuse| Some(Pair { scratch: scratch.get(&key(reuse))?, reuse })).collect();
    pairs.sort_by_key(|pair| key(pair.reuse));
    pairs
}

/// Of each way's pairs those whose revision is decided by all of them: where sums can be compared.
pub fn common<'a>(lists: &[Vec<Pair<'a>>]) -> Vec<Vec<Pair<'a>>> {
    let key = |pair: &Pair<'a>| (pair.reuse.series.as_str(), pair.reuse.index);
    let mut counts: HashMap<(&str, usize), usize> = HashMap::new();
    for pair in lists.iter().flatten().filter(|pair| pair.both_decided()) {
        *counts.entry(key(pair)).or_default() += 1;
    }
    let everywhere = |pair: &Pair<'a>| counts.get(&key(pair)) == Some(&lists.len());
    lists.iter().map(|list| list.iter().copied().filter(everywhere).collect()).collect()
}

impl Pair<'_> {
    pub fn both_decided(&self) -> bool {
        self.scratch.verdict().is_some() && self.reuse.verdict().is_some()
    }

    pub fn differs(&self) -> bool {
        self.both_decided() && self.scratch.verdict() != self.reuse.verdict()
    }

    /// Had there been something to reuse?
    pub fn is_step(&self) -> bool {
        !self.reuse.first
    }

    /// How much longer than from scratch a step takes: the ratio, and seconds. None where nothing was decided
    /// from scratch.
    pub fn slower(&self) -> Option<(f64, f64)> {
        self.scratch.verdict().filter(|_| self.is_step())?;
        let (scratch, reuse) = (self.scratch.verification()?, self.reuse.verification()?);
        Some((reuse / scratch.max(1e-6), reuse - scratch))
    }

    pub fn is_slow(&self) -> bool {
        let times = self.scratch.verification().zip(self.reuse.verification());
        self.slower().is_some() && times.is_some_and(|(s, r)| r > s * MORE.0 + MORE.1)
    }
}

/// What is counted of some pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sums {
    pub tasks: usize,
    pub decided_scratch: usize,
    pub decided_reuse: usize,
    /// Verdicts that a label contradicts, either way.
    pub wrong: usize,
    pub different: usize,
    /// Seconds of the engine for first revisions, from scratch.
    pub first: f64,
    /// Steps that are decided both ways, and what they take: the engine, everything, abstract successors.
    pub both: usize,
    pub analysis: Both,
    pub whole: Both,
    pub successors: Both,
    pub refinements: Both,
    pub holes: f64,
    /// Bytes by which the files of stores grew, and by which what is in them did.
    pub grown: f64,
    pub stored: f64,
    /// Revisions that are counted there.
    pub stores: usize,
    /// The sum of the shares of summaries that steps reused, and the number of steps that had some.
    pub reused: f64,
    pub reusing: usize,
    /// The largest ratio to from scratch, and the most seconds more.
    pub worst_ratio: Option<f64>,
    pub worst_seconds: Option<f64>,
    pub slow: usize,
    pub lines: usize,
    pub steps: usize,
}

/// A sum, from scratch and with reuse.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Both {
    pub scratch: f64,
    pub reuse: f64,
}

impl Both {
    fn add(&mut self, scratch: f64, reuse: f64) {
        self.scratch += scratch;
        self.reuse += reuse;
    }

    /// The share that reuse saves; None of nothing.
    pub fn saved(&self) -> Option<f64> {
        (self.scratch > 0.0).then(|| 1.0 - self.reuse / self.scratch)
    }
}

impl Sums {
    pub fn of<'a>(pairs: impl IntoIterator<Item = &'a Pair<'a>>) -> Sums {
        let mut sums = Sums::default();
        pairs.into_iter().for_each(|pair| sums.add(pair));
        sums
    }

    fn add(&mut self, pair: &Pair) {
        let Pair { scratch, reuse } = pair;
        self.tasks += 1;
        self.decided_scratch += usize::from(scratch.verdict().is_some());
        self.decided_reuse += usize::from(reuse.verdict().is_some());
        self.wrong += usize::from(scratch.is_wrong()) + usize::from(reuse.is_wrong());
        self.different += usize::from(pair.differs() || scratch.unstable || reuse.unstable);
        if let Some(once) = reuse.once() {
            self.grown += once.grown as f64;
            self.stored += once.stored as f64;
            self.stores += 1;
        }
        if !pair.is_step() {
            self.first += scratch.once().map_or(0.0, |once| once.analysis);
            return;
        }
        self.steps += 1;
        self.lines += reuse.lines.unwrap_or(0);
        self.slow += usize::from(pair.is_slow());
        if let Some((ratio, seconds)) = pair.slower() {
            self.worst_ratio = Some(self.worst_ratio.map_or(ratio, |worst| worst.max(ratio)));
            self.worst_seconds = Some(self.worst_seconds.map_or(seconds, |worst| worst.max(seconds)));
        }
        if let Some(once) = reuse.once() {
            self.holes += once.figure("holes expanded");
            let summaries = once.figure("summaries");
            if summaries > 0.0 {
                self.reused += once.figure("summaries reused") / summaries;
                self.reusing += 1;
            }
        }
        if let (true, Some(s), Some(r)) = (pair.both_decided(), scratch.once(), reuse.once()) {
            self.both += 1;
            self.analysis.add(s.analysis, r.analysis);
            self.whole.add(s.whole, r.whole);
            let figure = |name: &str| (s.figure(name), r.figure(name));
            let (a, b) = figure("abstract successors");
            self.successors.add(a, b);
            let (a, b) = figure("refinements");
            self.refinements.add(a, b);
        }
    }

    /// With the sums of other pairs, and its own counts.
    pub fn with_sums_of(self, other: &Sums) -> Sums {
        let Sums { both, analysis, whole, successors, refinements, .. } = *other;
        Sums { both, analysis, whole, successors, refinements, ..self }
    }

    /// Of a revision, on average.
    pub fn grown_bytes(&self) -> Option<f64> {
        (self.stores > 0).then(|| self.grown / self.stores as f64)
    }

    pub fn stored_bytes(&self) -> Option<f64> {
        (self.stores > 0).then(|| self.stored / self.stores as f64)
    }

    pub fn reused_share(&self) -> Option<f64> {
        (self.reusing > 0).then(|| self.reused / self.reusing as f64)
    }

    pub fn average_lines(&self) -> Option<f64> {
        (self.steps > 0).then(|| self.lines as f64 / self.steps as f64)
    }
}

/// How many answers there are, and how many of them somebody else checked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Confirmed {
    pub safe: usize,
    pub certified: usize,
    pub unsafe_: usize,
    pub replayed: usize,
}

impl Confirmed {
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Confirmed {
        let mut all = Confirmed::default();
        for Once { verdict, confirmed, .. } in rows.into_iter().filter_map(Row::once) {
            let checked = usize::from(*confirmed);
            match verdict {
                Decided::Safe => (all.safe, all.certified) = (all.safe + 1, all.certified + checked),
                Decided::Unsafe => (all.unsafe_, all.replayed) = (all.unsafe_ + 1, all.replayed + checked),
                Decided::SafeUpTo(_) | Decided::Unknown(_) => {}
            }
        }
        all
    }
}

/// Processes that died, and files that are no programs.
pub fn failures(rows: &[Row]) -> Vec<&Row> {
    rows.iter().filter(|row| matches!(row.result, Measured::Failed(_))).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// A row; `figures` are abstract successors, summaries and those reused.
    pub fn row(
        series: &str,
        index: usize,
        config: &str,
        verdict: Decided,
        seconds: f64,
        figures: [f64; 3],
    ) -> Row {
        let names = ["abstract successors", "summaries", "summaries reused"];
        let figures: BTreeMap<String, f64> = names.iter().map(|n| n.to_string()).zip(figures).collect();
        let once = Once {
            refuted: 0,
            verdict,
            confirmed: true,
            analysis: seconds,
            verification: seconds + 0.01,
            whole: seconds + 0.1,
            figures,
            grown: 1000,
            stored: 300,
        };
        let scratch = config == NONE;
        Row {
            series: series.into(),
            index,
            file: format!("{series} {index}"),
            bug: Some(false),
            every: if scratch { "-".into() } else { "1".into() },
            config: config.into(),
            first: scratch || index == 0,
            lines: (!scratch && index > 0).then_some(40),
            engine: "predicate".into(),
            time: 30,
            unstable: false,
            result: Measured::Done(Box::new(once)),
        }
    }

    pub fn rows() -> Vec<Row> {
        let safe = || Decided::Safe;
        let open = || Decided::Unknown("time limit reached".into());
        vec![
            row("a", 0, "none", safe(), 4.0, [900.0, 0.0, 0.0]),
            row("a", 1, "none", safe(), 5.0, [1000.0, 0.0, 0.0]),
            row("a", 2, "none", open(), 30.0, [7000.0, 0.0, 0.0]),
            row("a", 3, "none", safe(), 3.0, [600.0, 0.0, 0.0]),
            row("a", 0, "all", safe(), 4.1, [900.0, 10.0, 0.0]),
            row("a", 1, "all", safe(), 0.2, [20.0, 10.0, 8.0]),
            row("a", 2, "all", safe(), 6.0, [500.0, 10.0, 4.0]),
            row("a", 3, "all", Decided::Unsafe, 3.4, [60.0, 0.0, 0.0]),
        ]
    }

    fn way(config: &'static str) -> Way {
        Way { every: "1".into(), config }
    }

    #[test]
    fn sums_are_over_steps_that_both_decide() {
        let rows = rows();
        let pairs = pairs(&rows, &way("all"));
        let sums = Sums::of(&pairs);
        assert_eq!((sums.tasks, sums.steps, sums.both), (4, 3, 2));
        assert_eq!((sums.decided_scratch, sums.decided_reuse, sums.wrong, sums.different), (3, 4, 1, 1));
        assert_eq!((sums.first, sums.analysis), (4.0, Both { scratch: 8.0, reuse: 3.6 }));
        assert_eq!(sums.successors, Both { scratch: 1600.0, reuse: 80.0 });
        assert_eq!(sums.successors.saved(), Some(0.95));
        assert_eq!((sums.grown_bytes(), sums.stored_bytes()), (Some(1000.0), Some(300.0)));
        let share = sums.reused_share().unwrap();
        assert!((share - 0.6).abs() < 1e-9, "{share}");
        assert_eq!(sums.average_lines(), Some(40.0));
    }

    #[test]
    fn steps_are_slow_beyond_a_share_and_a_constant() {
        let check = |scratch: f64, reuse: f64, expected: bool| {
            let rows = [
                row("a", 1, "none", Decided::Safe, scratch, [0.0; 3]),
                row("a", 1, "all", Decided::Safe, reuse, [0.0; 3]),
            ];
            let pairs = pairs(&rows, &way("all"));
            assert_eq!(
                (pairs[0].is_slow(), Sums::of(&pairs).slow),
                (expected, usize::from(expected)),
                "{reuse}"
            );
        };
        check(1.0, 1.14, false);
        check(1.0, 1.17, true);
        check(0.01, 0.055, false);
        check(0.01, 0.08, true);
        let all = rows();
        let sums = Sums::of(&pairs(&all, &way("all")));
        // The first revision has nothing to reuse; the third is not decided from scratch.
        assert_eq!(sums.slow, 1);
        assert!((sums.worst_ratio.unwrap() - 3.41 / 3.01).abs() < 1e-9);
        assert!((sums.worst_seconds.unwrap() - 0.4).abs() < 1e-9);
    }

    #[test]
    fn what_is_not_decided_is_slow_where_it_was_decided_from_scratch() {
        let mut rows = [
            row("a", 1, "none", Decided::Safe, 5.0, [0.0; 3]),
            row("a", 1, "all", Decided::Safe, 5.0, [0.0; 3]),
        ];
        rows[1].result = Measured::Killed("time limit".into(), 60.0);
        let sums = Sums::of(&pairs(&rows, &way("all")));
        assert_eq!((sums.slow, sums.both, sums.decided_reuse, sums.stores), (1, 0, 0, 0));
        assert_eq!(sums.analysis.saved(), None);
        rows[0].result = Measured::Failed("crash".into());
        let sums = Sums::of(&pairs(&rows, &way("all")));
        assert_eq!((sums.slow, sums.worst_ratio), (0, None));
        assert_eq!(failures(&rows).len(), 1);
    }

    #[test]
    fn rows_without_a_partner_are_no_pairs() {
        let rows = rows();
        assert_eq!(pairs(&rows[..6], &way("all")).len(), 2);
        assert_eq!(pairs(&rows[4..], &way("all")).len(), 0);
        assert_eq!(pairs(&rows, &way("loops")).len(), 0);
    }

    #[test]
    fn ways_are_compared_where_all_decide() {
        let mut rows = rows();
        rows.push(row("a", 1, "loops", Decided::Unknown("time".into()), 30.0, [5.0; 3]));
        rows.push(row("a", 3, "loops", Decided::Safe, 1.0, [7.0, 0.0, 0.0]));
        let lists = [pairs(&rows, &way("all")), pairs(&rows, &way("loops"))];
        let common = common(&lists);
        let steps = |list: &[Pair]| list.iter().map(|pair| pair.reuse.index).collect::<Vec<_>>();
        assert_eq!((steps(&common[0]), steps(&common[1])), (vec![3], vec![3]));
        let sums = Sums::of(&lists[1]).with_sums_of(&Sums::of(&common[1]));
        assert_eq!((sums.tasks, sums.decided_reuse, sums.both), (2, 1, 1));
        assert_eq!(sums.successors, Both { scratch: 600.0, reuse: 7.0 });
    }

    #[test]
    fn answers_that_somebody_checked() {
        let mut rows = rows();
        if let Measured::Done(once) = &mut rows[0].result {
            once.confirmed = false;
        }
        let all = Confirmed::of(&rows);
        assert_eq!(all, Confirmed { safe: 6, certified: 5, unsafe_: 1, replayed: 1 });
    }
}
