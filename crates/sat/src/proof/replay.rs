//! From a trace to a proof: trim backwards from the conclusion, then resolve forwards, finding each pivot.

use super::trace::Trace;
use super::{DERIVED, Proof, ProofFailure, Refusal};
use crate::cnf::Literal;
use base::Budget;

/// The proof that a trace contains, with the assumptions as unit clauses.
pub(super) fn replay(
    trace: &Trace,
    assumptions: &[(Literal, u32)],
    budget: &Budget,
) -> Result<Proof, ProofFailure> {
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
    for (count, clause) in needed.into_iter().enumerate() {
        if count % 4096 == 4095 {
            budget.check(0)?;
        }
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

#[cfg(test)]
mod tests {
    use super::super::trace::Recorder;
    use super::*;
    use cadical_sys::ProofTracer;
    use std::cell::RefCell;
    use std::rc::Rc;

    enum Event {
        Original(i64, &'static [i32]),
        Restored(i64, &'static [i32]),
        Derived(i64, i32, &'static [i64]),
        Conclude(i64),
    }
    use Event::*;

    fn check(limit: usize, events: &[Event], expected: Result<usize, ProofFailure>) {
        let trace = Rc::new(RefCell::new(Trace::new(limit)));
        let mut recorder = Recorder(trace.clone());
        for event in events {
            match *event {
                Original(id, clause) => recorder.add_original_clause(id, false, clause, false),
                Restored(id, clause) => recorder.add_original_clause(id, false, clause, true),
                Derived(id, witness, list) => recorder.add_derived_clause(id, false, witness, &[], list),
                Conclude(id) => recorder.conclude_unsat(1, &[id]),
            }
        }
        let assumptions = [(Literal::from_code(18), 0)];
        let found =
            replay(&trace.borrow(), &assumptions, &Budget::unlimited()).map(|proof| proof.resolutions());
        assert_eq!(found, expected);
    }

    /// Whatever the solver reports, only proofs of the empty clause pass.
    #[test]
    fn bad_chains_are_refused() {
        let refused = |refusal: Refusal| Err(ProofFailure::Refused(refusal));
        let all = usize::MAX;
        let square = || {
            vec![Original(1, &[1, 2]), Original(2, &[1, -2]), Original(3, &[-1, 2]), Original(4, &[-1, -2])]
        };
        let with = |more: Vec<Event>| square().into_iter().chain(more).collect::<Vec<_>>();
        let good = || vec![Derived(5, 0, &[1, 2]), Derived(6, 0, &[5, 3, 4]), Conclude(6)];
        check(all, &with(good()), Ok(3));
        check(all, &with(vec![Derived(5, 0, &[2, 1]), Derived(6, 0, &[5, 3, 4]), Conclude(6)]), Ok(3));
        check(all, &square(), refused(Refusal::NoConclusion));
        check(all, &with(vec![Conclude(9)]), refused(Refusal::NoConclusion));
        check(all, &with(vec![Conclude(4)]), refused(Refusal::NotEmpty));
        check(all, &with(vec![Derived(5, 0, &[1, 4]), Conclude(5)]), refused(Refusal::Pivots));
        check(all, &with(vec![Derived(5, 0, &[]), Conclude(5)]), refused(Refusal::NoAntecedents));
        check(all, &with(vec![Derived(5, 7, &[1]), Conclude(5)]), refused(Refusal::Witness));
        check(all, &with(vec![Derived(5, 0, &[1, 77]), Conclude(5)]), refused(Refusal::UnknownAntecedent));
        check(all, &with(vec![Derived(5, 0, &[5]), Conclude(5)]), refused(Refusal::UnknownAntecedent));
        // What nobody needs does no harm, nor does a clause that propagates nothing.
        let spare =
            vec![Derived(5, 7, &[1]), Derived(6, 0, &[1, 2]), Derived(7, 0, &[6, 3, 3, 4]), Conclude(7)];
        check(all, &with(spare), Ok(3));
        // A clause that comes back is the one that went; one that nobody knows is worth nothing.
        let back = vec![Restored(1, &[1, 2]), Derived(5, 0, &[1, 2]), Derived(6, 0, &[5, 3, 4]), Conclude(6)];
        check(all, &with(back), Ok(3));
        let stranger = vec![Restored(5, &[1]), Derived(6, 0, &[5, 3, 4]), Conclude(6)];
        check(all, &with(stranger), refused(Refusal::UnknownAntecedent));
        // Variable 9 is assumed, variable 8 is not.
        check(all, &[Original(1, &[-9]), Conclude(1)], Ok(1));
        check(all, &[Original(1, &[-9, 8]), Conclude(1)], refused(Refusal::NotEmpty));
        check(all, &[Original(1, &[9]), Conclude(1)], refused(Refusal::NotEmpty));
        check(9, &with(good()), Err(ProofFailure::TooLarge));
    }
}
