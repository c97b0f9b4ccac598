//! What a run of the engine did and how long that took.

use ::engine::Figure;
use std::time::Duration;

#[derive(Default)]
pub struct Statistics {
    pub slicing: Duration,
    pub comparing: Duration,
    pub executing: Duration,
    pub solving: Duration,
    pub widening: Duration,
    pub interpolating: Duration,
    pub storing: Duration,
    /// The bound that was reached, if there was one.
    pub bound: Option<u32>,
    /// Claims of this engine that were seen to be wrong.
    pub refuted: u32,
    /// Symbolic execution: steps of all attempts; the rest of the last one.
    pub steps: u64,
    pub calls: usize,
    pub pruned: usize,
    pub rounds: u32,
    /// Questions whether executions get somewhere.
    pub questions: u64,
    pub conflicts: u64,
    pub variables: u32,
    pub clauses_of_all_rounds: usize,
    pub conflicts_of_all_rounds: u64,
    /// Of loops.
    pub guesses: usize,
    pub invariants: usize,
    /// The upgrade check.
    pub calls_reused: Option<usize>,
    pub calls_checked: usize,
    pub calls_put_in: usize,
    pub refinements: u32,
    pub interpolant_gates: usize,
    pub largest_interpolant: usize,
    pub bytes_stored: u64,
}

impl Statistics {
    /// By name, for people and for `bench`; what did not happen is left out.
    pub fn list(&self) -> Vec<Figure> {
        let counts = [
            ("questions while unwinding", self.questions),
            ("steps", self.steps),
            ("calls", self.calls as u64),
            ("pruned", self.pruned as u64),
            ("rounds", self.rounds.into()),
            ("solver conflicts", self.conflicts),
            ("variables", self.variables.into()),
            ("clauses of all rounds", self.clauses_of_all_rounds as u64),
            ("conflicts of all rounds", self.conflicts_of_all_rounds),
            ("guesses", self.guesses as u64),
            ("invariants", self.invariants as u64),
            ("calls checked", self.calls_checked as u64),
            ("calls put in", self.calls_put_in as u64),
            ("refinements", self.refinements.into()),
            ("interpolant gates", self.interpolant_gates as u64),
            ("largest interpolant", self.largest_interpolant as u64),
            ("bytes stored", self.bytes_stored),
        ];
        let times = [
            ("slicing seconds", self.slicing),
            ("comparison seconds", self.comparing),
            ("execution seconds", self.executing),
            ("solving seconds", self.solving),
            ("widening seconds", self.widening),
            ("interpolation seconds", self.interpolating),
            ("storing seconds", self.storing),
        ];
        let reused = self.calls_reused.map(|calls| Figure { name: "calls reused", value: calls as f64 });
        let bound = self.bound.map(|bound| Figure { name: "bound", value: bound.into() });
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        let counts = counts.map(|(name, count)| Figure { name, value: count as f64 });
        let times = times.into_iter().filter(|(_, time)| !time.is_zero());
        let times = times.map(|(name, time)| Figure { name, value: time.as_secs_f64() });
        reused.into_iter().chain(bound).chain(counts).chain(times).collect()
    }
}
