//! A solver that keeps its resolution proof.
//!
//! CaDiCaL reports every clause that it derives with its antecedents, in the order in which unit propagation
//! meets them; so resolving from the last to the first has exactly one pivot a step. While solving only
//! numbers are kept ([`trace`](self::trace)); [`Proof`] is what is left after trimming backwards from the
//! empty clause, resolving forwards, and leaving out steps that are in vain. Nothing is taken on trust: a
//! chain that does not resolve, or a clause that is not a consequence but only preserves satisfiability
//! (RAT), is refused, and the formula is solved again by plain search, which does not produce such clauses.

mod replay;
mod shrink;
mod trace;

use crate::cnf::{Clauses, Literal, Var};
use crate::solver::{Answer, Engine};
use base::{Budget, Stopped};
use std::cell::RefCell;
use std::rc::Rc;
use trace::{Recorder, Trace};

/// A solver whose clauses belong to numbered partitions.
pub struct ProofSolver {
    engine: Engine,
    trace: Rc<RefCell<Trace>>,
    satisfied: bool,
}

pub enum Outcome {
    Sat,
    Unsat(Proof),
}

/// Why there is no answer, or no proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofFailure {
    Stopped(Stopped),
    /// The clauses are contradictory, but the proof has more entries than allowed.
    TooLarge,
    /// The clauses are said to be contradictory, but what the solver reports is no resolution proof of it.
    Refused(Refusal),
}

/// What is wrong with a reported proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// No empty clause was reported.
    NoConclusion,
    /// A clause with a witness: not a consequence.
    Witness,
    /// An antecedent that was not reported before.
    UnknownAntecedent,
    /// A derived clause without antecedents.
    NoAntecedents,
    /// A step with more than one pivot.
    Pivots,
    /// The last clause is not empty.
    NotEmpty,
}

/// A resolution proof of the empty clause: clauses of the formula and derived ones, operands before results,
/// the empty clause last.
#[derive(Clone, Default)]
pub struct Proof {
    /// Where the data of each clause begins; one more at the end.
    start: Vec<usize>,
    /// The partition, or `DERIVED`.
    partition: Vec<u32>,
    /// Of a formula's clause: codes of literals. Of a derived one: an antecedent, then pairs of a further
    /// antecedent and the code of the pivot as it occurs there.
    data: Vec<u32>,
}

/// A clause of a [`Proof`].
#[derive(Clone, Copy, Debug)]
pub enum Clause<'a> {
    Original {
        partition: u32,
        codes: &'a [u32],
    },
    /// The first antecedent, resolved with each further one.
    Derived {
        first: u32,
        steps: &'a [u32],
    },
}

const DERIVED: u32 = u32::MAX;

impl From<Stopped> for ProofFailure {
    fn from(stopped: Stopped) -> Self {
        ProofFailure::Stopped(stopped)
    }
}

impl From<Refusal> for ProofFailure {
    fn from(refusal: Refusal) -> Self {
        ProofFailure::Refused(refusal)
    }
}

impl std::fmt::Display for ProofFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            ProofFailure::Stopped(stopped) => stopped.fmt(f),
            ProofFailure::TooLarge => f.write_str("the proof is too large"),
            ProofFailure::Refused(refusal) => write!(f, "the solver's proof was refused ({refusal:?})"),
        }
    }
}

impl std::error::Error for ProofFailure {}

impl Default for ProofSolver {
    fn default() -> Self {
        Self::new()
    }
}

impl ProofSolver {
    pub fn new() -> Self {
        Self::with_limit(usize::MAX)
    }

    /// Keeps at most `entries` numbers (four bytes each) of clauses and chains; beyond that there are
    /// answers, but no proofs.
    pub fn with_limit(entries: usize) -> Self {
        Self::with(false, entries)
    }

    /// By plain search: for easy formulas.
    pub fn plain(entries: usize) -> Self {
        Self::with(true, entries)
    }

    fn with(plain: bool, limit: usize) -> Self {
        let mut engine = Engine::new(plain);
        let trace = Rc::new(RefCell::new(Trace::new(limit)));
        engine.cadical.connect_proof_tracer1(Recorder(trace.clone()), true, false);
        ProofSolver { engine, trace, satisfied: false }
    }

    pub fn new_var(&mut self) -> Literal {
        self.engine.new_var()
    }

    pub fn vars(&self) -> Var {
        self.engine.vars()
    }

    pub fn conflicts(&self) -> u64 {
        self.engine.conflicts()
    }

    /// Partition numbers are below `u32::MAX`.
    pub fn add_clause(&mut self, partition: u32, literals: &[Literal]) {
        self.satisfied = false;
        self.trace.borrow_mut().partition = partition.min(DERIVED - 1);
        self.engine.add_clause(literals);
    }

    /// Takes clauses for one partition.
    pub fn partition(&mut self, partition: u32) -> Part<'_> {
        Part { solver: self, partition }
    }

    /// Decides the clauses together with the assumptions; each counts as a clause of the partition that is
    /// named with it, for this call only.
    pub fn solve(
        &mut self,
        assumptions: &[(Literal, u32)],
        budget: &Budget,
    ) -> Result<Outcome, ProofFailure> {
        self.satisfied = false;
        if let Some(proof) = clashing(assumptions) {
            return Ok(Outcome::Unsat(proof));
        }
        self.trace.borrow_mut().conclusion = None;
        if self.engine.solve(assumptions.iter().map(|a| a.0), budget)? == Answer::Sat {
            self.satisfied = true;
            return Ok(Outcome::Sat);
        }
        // Makes the solver report the clause over the assumptions, or the empty one again.
        self.engine.cadical.conclude();
        let refusal = match replay::replay(&self.trace.borrow(), assumptions, budget) {
            Err(ProofFailure::Refused(refusal)) => refusal,
            result => return result.map(|proof| Outcome::Unsat(shrink::shrink(proof))),
        };
        let trace = self.trace.borrow();
        let mut plain = ProofSolver::with(true, trace.limit());
        for (partition, codes) in trace.originals() {
            let clause: Vec<Literal> = codes.iter().map(|&code| Literal::from_code(code)).collect();
            plain.add_clause(partition, &clause);
        }
        if plain.engine.solve(assumptions.iter().map(|a| a.0), budget)? == Answer::Sat {
            return Err(refusal.into());
        }
        plain.engine.cadical.conclude();
        let proof = replay::replay(&plain.trace.borrow(), assumptions, budget);
        proof.map(|proof| Outcome::Unsat(shrink::shrink(proof)))
    }

    /// Decides the clauses together with `goal`. If they contradict it, its negation is a lemma from then on:
    /// a clause that later proofs may rest on.
    pub fn exclude(&mut self, goal: Literal, budget: &Budget) -> Result<Answer, ProofFailure> {
        self.satisfied = false;
        self.trace.borrow_mut().conclusion = None;
        let answer = self.engine.solve(std::iter::once(goal), budget)?;
        if answer == Answer::Sat {
            self.satisfied = true;
            return Ok(answer);
        }
        self.engine.cadical.conclude();
        let lemma = self.trace.borrow().conclusion.ok_or(ProofFailure::TooLarge)?;
        self.trace.borrow_mut().lemma = Some(lemma);
        self.engine.add_clause(&[!goal]);
        self.trace.borrow_mut().lemma = None;
        Ok(answer)
    }

    /// The value in the model, right after [`Outcome::Sat`]; `None` otherwise.
    pub fn value(&mut self, literal: Literal) -> Option<bool> {
        self.satisfied.then(|| self.engine.value(literal))
    }

    /// The clauses that were added, with their partitions; without those that always hold.
    pub fn clauses(&self) -> Vec<(u32, Vec<Literal>)> {
        let trace = self.trace.borrow();
        let literals = |codes: &[u32]| codes.iter().map(|&code| Literal::from_code(code)).collect();
        trace.originals().map(|(partition, codes)| (partition, literals(codes))).collect()
    }

    /// How many numbers of clauses and chains are kept.
    pub fn entries(&self) -> usize {
        self.trace.borrow().entries()
    }
}

/// One partition of a [`ProofSolver`].
pub struct Part<'a> {
    solver: &'a mut ProofSolver,
    partition: u32,
}

impl Clauses for Part<'_> {
    fn new_var(&mut self) -> Literal {
        self.solver.new_var()
    }

    fn add_clause(&mut self, literals: &[Literal]) {
        self.solver.add_clause(self.partition, literals);
    }
}

impl Proof {
    pub fn len(&self) -> usize {
        self.partition.len()
    }

    /// A proof has at least the empty clause, so only the default value is empty.
    pub fn is_empty(&self) -> bool {
        self.partition.is_empty()
    }

    /// How many resolutions there are.
    pub fn resolutions(&self) -> usize {
        let steps = |i| match self.clause(i) {
            Clause::Original { .. } => 0,
            Clause::Derived { steps, .. } => steps.len() / 2,
        };
        (0..self.len() as u32).map(steps).sum()
    }

    /// The partitions whose clauses the proof uses, ascending.
    pub fn partitions(&self) -> Vec<u32> {
        let mut used: Vec<u32> = self.partition.iter().copied().filter(|&p| p != DERIVED).collect();
        used.sort_unstable();
        used.dedup();
        used
    }

    /// `index` must be below [`Proof::len`].
    pub fn clause(&self, index: u32) -> Clause<'_> {
        let index = index as usize;
        let data = &self.data[self.start[index]..self.start[index + 1]];
        match (self.partition[index], data) {
            (DERIVED, [first, steps @ ..]) => Clause::Derived { first: *first, steps },
            (partition, codes) => Clause::Original { partition, codes },
        }
    }

    fn push(&mut self, partition: u32, data: impl IntoIterator<Item = u32>) -> u32 {
        if self.start.is_empty() {
            self.start.push(0);
        }
        self.data.extend(data);
        self.start.push(self.data.len());
        self.partition.push(partition);
        self.partition.len() as u32 - 1
    }
}

/// Contradictory assumptions: the solver would report a clause that always holds.
fn clashing(assumptions: &[(Literal, u32)]) -> Option<Proof> {
    let mut seen = rustc_hash::FxHashMap::default();
    for &(literal, partition) in assumptions {
        if let Some(&other) = seen.get(&!literal) {
            let mut proof = Proof::default();
            let a = proof.push(other, [(!literal).code()]);
            let b = proof.push(partition, [literal.code()]);
            proof.push(DERIVED, [a, b, literal.code()]);
            return Some(proof);
        }
        seen.insert(literal, partition);
    }
    None
}
