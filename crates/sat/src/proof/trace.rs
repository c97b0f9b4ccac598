//! What the solver reports while it works, in flat arrays: literals of the formula's clauses, antecedents of
//! derived ones. The literals of derived clauses are not kept; resolving the antecedents gives them back.

use super::{DERIVED, Refusal};
use cadical_sys::ProofTracer;
use std::cell::RefCell;
use std::rc::Rc;

pub(super) struct Trace {
    /// The partition of clauses that are added now.
    pub(super) partition: u32,
    /// What is added now was derived before: the clause from which it follows.
    pub(super) lemma: Option<u32>,
    /// The clause that the last answer "unsatisfiable" rests on.
    pub(super) conclusion: Option<u32>,
    /// By the solver's number: ours, plus one.
    numbers: Vec<u32>,
    start: Vec<usize>,
    partitions: Vec<u32>,
    data: Vec<u32>,
    limit: usize,
    over_limit: bool,
}

/// In place of the antecedents of a clause that comes with a witness.
const WITNESS: u32 = u32::MAX;
/// In place of an antecedent that was not reported; larger than any number of a clause.
const UNKNOWN: u32 = u32::MAX - 1;

impl Trace {
    pub(super) fn new(limit: usize) -> Self {
        Trace {
            partition: 0,
            lemma: None,
            conclusion: None,
            numbers: Vec::new(),
            start: vec![0],
            partitions: Vec::new(),
            data: Vec::new(),
            limit,
            over_limit: false,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.partitions.len()
    }

    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    pub(super) fn entries(&self) -> usize {
        self.data.len()
    }

    /// Some clauses are missing because there would be too many.
    pub(super) fn is_cut(&self) -> bool {
        self.over_limit
    }

    pub(super) fn is_derived(&self, clause: u32) -> bool {
        self.partitions[clause as usize] == DERIVED
    }

    pub(super) fn partition_of(&self, clause: u32) -> u32 {
        self.partitions[clause as usize]
    }

    /// Codes of literals, or antecedents.
    pub(super) fn data(&self, clause: u32) -> &[u32] {
        &self.data[self.start[clause as usize]..self.start[clause as usize + 1]]
    }

    /// The antecedents of a derived clause, first to last.
    pub(super) fn antecedents(&self, clause: u32) -> Result<&[u32], Refusal> {
        match self.data(clause) {
            [] => Err(Refusal::NoAntecedents),
            [WITNESS] => Err(Refusal::Witness),
            list if list.iter().any(|&a| a >= clause) => Err(Refusal::UnknownAntecedent),
            list => Ok(list),
        }
    }

    pub(super) fn originals(&self) -> impl Iterator<Item = (u32, &[u32])> {
        (0..self.len() as u32)
            .filter(|&clause| !self.is_derived(clause))
            .map(|clause| (self.partition_of(clause), self.data(clause)))
    }

    fn number(&self, id: i64) -> Option<u32> {
        usize::try_from(id).ok().and_then(|id| self.numbers.get(id)).and_then(|n| n.checked_sub(1))
    }

    fn push(&mut self, id: i64, partition: u32, data: impl Iterator<Item = u32>) {
        // Clauses of the formula are always kept: a second attempt needs them.
        if partition == DERIVED && (self.over_limit || self.data.len() >= self.limit) {
            self.over_limit = true;
            return;
        }
        if id < 0 {
            return;
        }
        self.data.extend(data);
        self.start.push(self.data.len());
        self.partitions.push(partition);
        self.name(id, self.partitions.len() as u32 - 1);
    }

    /// From now on the solver's number means this clause.
    fn name(&mut self, id: i64, clause: u32) {
        let Ok(slot) = usize::try_from(id) else { return };
        // The solver counts clauses without gaps, so this is about as long as `partitions`.
        if self.numbers.len() <= slot {
            self.numbers.resize(slot + 1, 0);
        }
        self.numbers[slot] = clause + 1;
    }

    fn derive(&mut self, id: i64, witness: i32, antecedents: &[i64]) {
        if witness != 0 {
            return self.push(id, DERIVED, std::iter::once(WITNESS));
        }
        let known: Vec<u32> = antecedents.iter().map(|&a| self.number(a).unwrap_or(UNKNOWN)).collect();
        self.push(id, DERIVED, known.into_iter());
    }
}

/// The trace as the solver sees it.
pub(super) struct Recorder(pub(super) Rc<RefCell<Trace>>);

impl ProofTracer for Recorder {
    fn add_original_clause(&mut self, id: i64, _redundant: bool, clause: &[i32], restored: bool) {
        let Ok(mut trace) = self.0.try_borrow_mut() else { return };
        // A clause that comes back after its variable was eliminated has been reported before, by the same
        // number.
        if restored && trace.number(id).is_some() {
            return;
        }
        if restored {
            // One that we do not know would be in no partition: nothing may rest on it.
            return trace.push(id, DERIVED, std::iter::once(UNKNOWN));
        }
        if let Some(lemma) = trace.lemma {
            return trace.name(id, lemma);
        }
        let partition = trace.partition;
        trace.push(id, partition, clause.iter().map(|l| l.unsigned_abs() << 1 | u32::from(*l < 0)));
    }

    fn add_derived_clause(
        &mut self,
        id: i64,
        _redundant: bool,
        witness: i32,
        _clause: &[i32],
        antecedents: &[i64],
    ) {
        if let Ok(mut trace) = self.0.try_borrow_mut() {
            trace.derive(id, witness, antecedents);
        }
    }

    fn add_assumption_clause(&mut self, id: i64, _clause: &[i32], antecedents: &[i64]) {
        if let Ok(mut trace) = self.0.try_borrow_mut() {
            trace.derive(id, 0, antecedents);
        }
    }

    fn conclude_unsat(&mut self, _conclusion_type: i32, clause_ids: &[i64]) {
        if let Ok(mut trace) = self.0.try_borrow_mut() {
            trace.conclusion = clause_ids.last().and_then(|&id| trace.number(id));
        }
    }

    fn delete_clause(&mut self, _id: i64, _redundant: bool, _clause: &[i32]) {}
    fn weaken_minus(&mut self, _id: i64, _clause: &[i32]) {}
    fn strengthen(&mut self, _id: i64) {}
    fn finalize_clause(&mut self, _id: i64, _clause: &[i32]) {}
    fn add_assumption(&mut self, _lit: i32) {}
    fn add_constraint(&mut self, _clause: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn conclude_sat(&mut self, _conclusion_type: i32, _model: &[i32]) {}
    fn conclude_unknown(&mut self, _trail: &[i32]) {}
}
