//! What was measured of one program, and what is read off it.

use super::Cell;
use super::measure::{Front, Run};
use crate::family::Edit;
use crate::table::median;
use crate::verify::Answer;

/// What is known of a cell. Nothing from scratch: it was not asked.
pub struct Row {
    pub cell: Cell,
    pub front: Option<Front>,
    pub scratch: Option<Run>,
    pub edits: Vec<(Edit, Run)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Right,
    Wrong,
    /// No verdict.
    Open,
}

/// Seconds that nobody can tell from the noise of the machine: what is left of a time without the front end
/// counts as this at least.
pub const NOISE: f64 = 0.005;

impl Row {
    pub fn name(&self) -> &'static str {
        self.cell.family.name()
    }

    /// Seconds from scratch, if there is a verdict.
    pub fn decided(&self) -> Option<f64> {
        self.scratch.as_ref().filter(|run| run.is_decided()).map(Run::seconds)
    }

    /// The median over the edits without effect. One without a verdict counts with the time that it took.
    pub fn median(&self) -> Option<f64> {
        median(&self.without_effect().map(|(_, run)| run.seconds()).collect::<Vec<_>>())
    }

    /// The slowest of the edits without effect.
    pub fn worst(&self) -> Option<(Edit, f64)> {
        let times = self.without_effect().map(|(edit, run)| (*edit, run.seconds()));
        times.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    fn without_effect(&self) -> impl Iterator<Item = &(Edit, Run)> {
        self.edits.iter().filter(|(edit, _)| edit.without_effect())
    }

    pub fn run(&self, edit: Edit) -> Option<&Run> {
        self.edits.iter().find(|(e, _)| *e == edit).map(|(_, run)| run)
    }

    /// Of a time from scratch, what is not the front end's.
    pub fn scratch_alone(&self, seconds: f64) -> Option<f64> {
        Some((seconds - self.front?.one).max(NOISE))
    }

    /// The same of a time after an edit, for which two versions are read.
    pub fn edit_alone(&self, seconds: f64) -> Option<f64> {
        Some((seconds - self.front?.two).max(NOISE))
    }

    /// Everything that was said of the program and of its edited versions, also without a store.
    pub fn marks(&self) -> Vec<Mark> {
        let scratch = self.scratch.iter().map(|run| mark(Answer::Safe, run.weighed.outcome.answer));
        let edits = self.edits.iter().flat_map(|(edit, run)| {
            let said = [Some(run.weighed.outcome.answer), run.alone];
            said.into_iter().flatten().map(|answer| mark(expected(*edit), answer))
        });
        scratch.chain(edits).collect()
    }

    pub fn count(&self, kind: Mark) -> usize {
        self.marks().into_iter().filter(|mark| *mark == kind).count()
    }

    /// Edited versions about which there is a verdict from scratch, but none with what was stored.
    pub fn lost(&self) -> usize {
        let lost = |run: &Run| !run.is_decided() && run.alone.is_some_and(Answer::is_verdict);
        self.edits.iter().filter(|(_, run)| lost(run)).count()
    }
}

/// What has to be said of an edited version.
pub fn expected(edit: Edit) -> Answer {
    if edit == Edit::Broken { Answer::Unsafe } else { Answer::Safe }
}

pub fn mark(expected: Answer, said: Answer) -> Mark {
    match said {
        said if said == expected => Mark::Right,
        said if said.is_verdict() => Mark::Wrong,
        _ => Mark::Open,
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::Engine;
    use super::super::measure::Traffic;
    use super::*;
    use crate::family::Family;
    use crate::verify::{Outcome, Weighed};

    pub fn ran(answer: Answer, seconds: f64) -> Run {
        let outcome = Outcome { seconds, ..Outcome::bare(answer, String::new()) };
        let weighed = Weighed { outcome, peak: 64 << 20, queries: Some(7), successors: None };
        Run { weighed, records: Some(Traffic { read: 2, written: 1 }), alone: None }
    }

    pub fn row(n: usize, scratch: f64, edits: &[(Edit, Answer, f64)]) -> Row {
        Row {
            cell: Cell { family: Family::Chain, engine: Engine::Bmc, n },
            front: Some(Front { one: 0.1, two: 0.2 }),
            scratch: Some(ran(Answer::Safe, scratch)),
            edits: edits.iter().map(|(edit, answer, seconds)| (*edit, ran(*answer, *seconds))).collect(),
        }
    }

    #[test]
    fn times_of_edits_without_effect() {
        let edits = [
            (Edit::Leaf, Answer::Safe, 1.0),
            (Edit::Order, Answer::Time, 3.0),
            (Edit::Root, Answer::Safe, 2.0),
            (Edit::Broken, Answer::Unsafe, 9.0),
        ];
        let row = row(10, 5.0, &edits);
        assert_eq!((row.median(), row.worst()), (Some(2.0), Some((Edit::Order, 3.0))));
        assert_eq!((row.scratch_alone(5.0), row.edit_alone(0.1)), (Some(4.9), Some(NOISE)));
    }

    #[test]
    fn verdicts_are_those_that_are_expected() {
        let edits = [
            (Edit::Broken, Answer::Unsafe, 1.0),
            (Edit::Leaf, Answer::Unsafe, 1.0),
            (Edit::Root, Answer::SafeUpTo(9), 1.0),
        ];
        let mut row = row(10, 5.0, &edits);
        assert_eq!(row.marks(), [Mark::Right, Mark::Right, Mark::Wrong, Mark::Open]);
        assert_eq!(row.lost(), 0);
        row.edits[2].1.alone = Some(Answer::Safe);
        row.edits[0].1.alone = Some(Answer::Safe);
        assert_eq!((row.count(Mark::Wrong), row.lost()), (2, 1));
    }
}
