//! From a trace to a proof: trim backwards from the conclusion, then resolve forwards, finding each pivot.

use super::trace::Trace;
use super::{DERIVED, Proof, ProofFailure, Refusal};
use crate::cnf::Literal;

/// The proof that a trace contains, with the assumptions as unit clauses.
pub(super) fn replay(trace: &Trace, assumptions: &[(Literal, u32)]) -> Result<Proof, ProofFailure> {
    let Some(conclusion) = trace.conclusion else {
        return Err(if trace.is_cut() { ProofFailure::TooLarge } else { Refusal::NoConclusion.into() });
    };
    let refuse = |refusal: Refusal| match refusal {
        Refusal::UnknownAntecedent if trace.is_cut() => ProofFailure::TooLarge,
        refusal => refusal.into(),
    };
    let needed = needed(trace, conclusion).map_err(refuse)?;
    let mut replay = Replay::default();
    let mut places = vec![0u32; conclusion as usize + 1];
    for clause in needed {
        places[clause as usize] = if trace.is_derived(clause) {
            let antecedents = trace.antecedents(clause).map_err(refuse)?;
            replay.resolve(antecedents.iter().rev().map(|&a| places[a as usize]))?
        } else {
            let data = trace.data(clause);
            replay.literals.extend(data);
            replay.literals_end.push(replay.literals.len());
            replay.proof.push(trace.partition_of(clause), data.iter().copied())
        };
    }
    let last = places[conclusion as usize];
    let mut chain = vec![last];
    for code in replay.clause(last).to_vec() {
        let assumed = Literal::from_code(code ^ 1);
        let &(_, partition) =
            assumptions.iter().find(|(literal, _)| *literal == assumed).ok_or(Refusal::NotEmpty)?;
        replay.literals.push(code ^ 1);
        replay.literals_end.push(replay.literals.len());
        chain.push(replay.proof.push(partition, [code ^ 1]));
    }
    if chain.len() > 1 {
        let empty = replay.resolve(chain.into_iter())?;
        if !replay.clause(empty).is_empty() {
            return Err(Refusal::NotEmpty.into());
        }
    }
    Ok(replay.proof)
}

/// The clauses that the conclusion rests on, ascending.
fn needed(trace: &Trace, conclusion: u32) -> Result<Vec<u32>, Refusal> {
    let mut marked = vec![0u64; conclusion as usize / 64 + 1];
    marked[conclusion as usize / 64] |= 1 << (conclusion % 64);
    let mut needed = Vec::new();
    // Antecedents have smaller numbers, so one pass downwards meets every clause after all that use it.
    for clause in (0..=conclusion).rev() {
        if marked[clause as usize / 64] & 1 << (clause % 64) == 0 {
            continue;
        }
        needed.push(clause);
        if trace.is_derived(clause) {
            for &antecedent in trace.antecedents(clause)? {
                marked[antecedent as usize / 64] |= 1 << (antecedent % 64);
            }
        }
    }
    needed.reverse();
    Ok(needed)
}

#[derive(Default)]
struct Replay {
    proof: Proof,
    /// The literals of all clauses of the proof, and where each one's end.
    literals: Vec<u32>,
    literals_end: Vec<usize>,
    /// By variable: 0, or the code of the literal in the current resolvent.
    marks: Vec<u32>,
    resolvent: Vec<u32>,
}

impl Replay {
    fn clause(&self, place: u32) -> &[u32] {
        &self.literals[self.range(place)]
    }

    fn range(&self, place: u32) -> std::ops::Range<usize> {
        let place = place as usize;
        place.checked_sub(1).map_or(0, |before| self.literals_end[before])..self.literals_end[place]
    }

    /// Resolves the clauses in this order and adds the result to the proof.
    fn resolve(&mut self, mut chain: impl Iterator<Item = u32>) -> Result<u32, Refusal> {
        let first = chain.next().ok_or(Refusal::NoAntecedents)?;
        let mut data = vec![first];
        self.resolvent.clear();
        for i in self.range(first) {
            self.mark(self.literals[i]);
        }
        for next in chain {
            let mut pivot = None;
            for &code in &self.literals[self.range(next)] {
                if self.marks.get(code as usize >> 1) == Some(&(code ^ 1)) && pivot.replace(code).is_some() {
                    return Err(Refusal::Pivots);
                }
            }
            // A clause that propagated nothing: the proof does without.
            let Some(pivot) = pivot else { continue };
            data.extend([next, pivot]);
            self.marks[pivot as usize >> 1] = 0;
            for i in self.range(next) {
                if self.literals[i] != pivot {
                    self.mark(self.literals[i]);
                }
            }
        }
        // A literal may have been resolved away, and may have come back: its mark says, and is taken down.
        for &code in &self.resolvent {
            let mark = &mut self.marks[code as usize >> 1];
            if *mark == code {
                self.literals.push(code);
                *mark = 0;
            }
        }
        self.literals_end.push(self.literals.len());
        Ok(self.proof.push(DERIVED, data))
    }

    fn mark(&mut self, code: u32) {
        let var = code as usize >> 1;
        if self.marks.len() <= var {
            self.marks.resize(var + 1, 0);
        }
        if self.marks[var] == 0 {
            self.marks[var] = code;
            self.resolvent.push(code);
        }
    }
}
