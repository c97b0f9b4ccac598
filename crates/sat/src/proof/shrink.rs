//! Smaller proofs: a path to the empty clause that resolves twice on the same variable does so in vain the
//! first time (Bar-Ilan et al., "Linear-time reductions of resolution proofs"; with the intersection over all
//! uses of Fontaine et al.).
//!
//! Backwards, every clause gets its safe literals: those that all paths from it resolve away later. A step
//! whose pivot is safe is left out; forwards, the rest is resolved again, now with smaller clauses.
//! Interpolants have a node or two for each step, so this makes them smaller as well. The result is checked
//! as it is made; if it does not end in the empty clause, the proof stays as it was.

use super::{Clause, DERIVED, Proof};

/// Literals touched while safe literals are computed; afterwards clauses count as having none, which is
/// always right.
const MOST_WORK: usize = 100_000_000;

/// The same conclusion with at most as many resolutions, and without clauses that nobody uses.
pub(super) fn shrink(proof: Proof) -> Proof {
    let Some(last) = proof.len().checked_sub(1) else { return proof };
    let chains = recycle(&proof);
    match rebuild(&proof, &chains).map(|(rebuilt, root)| trim(&rebuilt, root)) {
        Some(smaller) if smaller.resolutions() <= proof.resolutions() => smaller,
        _ => trim(&proof, last as u32),
    }
}

/// The chains that are left: by clause where they begin in `data` and end; empty for clauses without use.
/// Formatted as in [`Proof`].
struct Chains {
    range: Vec<(usize, usize)>,
    data: Vec<u32>,
    used: Vec<bool>,
}

#[derive(Clone)]
enum Safe {
    /// No use was met yet.
    Unused,
    /// Codes of literals, ascending.
    Literals(Vec<u32>),
}

fn recycle(proof: &Proof) -> Chains {
    let mut safe = vec![Safe::Unused; proof.len()];
    let mut chains =
        Chains { range: vec![(0, 0); proof.len()], data: Vec::new(), used: vec![false; proof.len()] };
    if let Some(last) = safe.last_mut() {
        *last = Safe::Literals(Vec::new());
    }
    let mut marks = Marks::default();
    let mut work = 0;
    for clause in (0..proof.len()).rev() {
        let Safe::Literals(mut current) = std::mem::replace(&mut safe[clause], Safe::Unused) else {
            continue;
        };
        chains.used[clause] = true;
        let Clause::Derived { first, steps } = proof.clause(clause as u32) else { continue };
        current.iter().for_each(|&code| marks.set(code, true));
        let mut first = first;
        let mut kept: Vec<[u32; 2]> = Vec::new();
        for step in steps.chunks_exact(2).rev() {
            let (antecedent, pivot) = (step[0], step[1]);
            if marks.get(pivot) {
                first = antecedent;
                break;
            }
            if marks.get(pivot ^ 1) {
                continue;
            }
            kept.push([antecedent, pivot]);
            let original = matches!(proof.clause(antecedent), Clause::Original { .. });
            let known = &mut safe[antecedent as usize];
            if original {
                // It has no steps to leave out; only that it is used matters.
                *known = Safe::Literals(Vec::new());
            } else {
                meet(known, &current, &marks, Some(pivot), &mut work);
            }
            marks.set(pivot ^ 1, true);
            current.push(pivot ^ 1);
        }
        meet(&mut safe[first as usize], &current, &marks, None, &mut work);
        current.iter().for_each(|&code| marks.set(code, false));
        let start = chains.data.len();
        chains.data.push(first);
        chains.data.extend(kept.iter().rev().flatten());
        chains.range[clause] = (start, chains.data.len());
    }
    chains
}

/// Restricts what is safe to what is marked, or is `extra`.
fn meet(known: &mut Safe, current: &[u32], marks: &Marks, extra: Option<u32>, work: &mut usize) {
    match known {
        Safe::Unused if *work > MOST_WORK => *known = Safe::Literals(Vec::new()),
        Safe::Unused => {
            *work += current.len() + 1;
            *known = Safe::Literals(current.iter().copied().chain(extra).collect());
        }
        Safe::Literals(literals) => {
            *work += literals.len();
            literals.retain(|&code| marks.get(code) || Some(code) == extra);
        }
    }
}

/// Resolves along the chains. `None` if that gives no empty clause.
fn rebuild(proof: &Proof, chains: &Chains) -> Option<(Proof, u32)> {
    let mut result = Proof::default();
    let mut places = vec![0u32; proof.len()];
    let mut literals: Vec<u32> = Vec::new();
    let mut ends: Vec<usize> = Vec::new();
    let mut marks = Marks::default();
    for clause in (0..proof.len()).filter(|&clause| chains.used[clause]) {
        if let Clause::Original { partition, codes } = proof.clause(clause as u32) {
            literals.extend(codes);
            ends.push(literals.len());
            places[clause] = result.push(partition, codes.iter().copied());
            continue;
        }
        let (start, end) = chains.range[clause];
        let (&first, steps) = chains.data[start..end].split_first()?;
        let of = |place: u32| {
            let place = place as usize;
            place.checked_sub(1).map_or(0, |before| ends[before])..ends[place]
        };
        let mut chain = vec![places[first as usize]];
        let mut resolvent: Vec<u32> = literals[of(chain[0])].to_vec();
        resolvent.iter().for_each(|&code| marks.set(code, true));
        for step in steps.chunks_exact(2) {
            let (other, pivot) = (places[step[0] as usize], step[1]);
            let other_literals = &literals[of(other)];
            if !marks.get(pivot ^ 1) {
                continue;
            }
            if !other_literals.contains(&pivot) {
                // It needs no step to be rid of the pivot, so it is all there is to say.
                resolvent.drain(..).for_each(|code| marks.set(code, false));
                resolvent.extend(other_literals);
                resolvent.iter().for_each(|&code| marks.set(code, true));
                chain = vec![other];
                continue;
            }
            marks.set(pivot ^ 1, false);
            for &code in other_literals.iter().filter(|&&code| code != pivot) {
                if marks.get(code ^ 1) {
                    return None;
                }
                if !marks.get(code) {
                    marks.set(code, true);
                    resolvent.push(code);
                }
            }
            chain.extend([other, pivot]);
        }
        if chain.len() == 1 {
            resolvent.iter().for_each(|&code| marks.set(code, false));
            places[clause] = chain[0];
            continue;
        }
        // A literal may have come back after it was resolved away: the mark is taken down with the first.
        for code in resolvent {
            if marks.get(code) {
                marks.set(code, false);
                literals.push(code);
            }
        }
        ends.push(literals.len());
        places[clause] = result.push(DERIVED, chain);
    }
    let root = *places.last()?;
    let before = (root as usize).checked_sub(1).map_or(0, |before| ends[before]);
    (ends.get(root as usize) == Some(&before)).then_some((result, root))
}

/// What `root` rests on, with `root` last.
fn trim(proof: &Proof, root: u32) -> Proof {
    let mut used = vec![false; root as usize + 1];
    used[root as usize] = true;
    for clause in (0..=root).rev().filter(|&clause| proof.partition[clause as usize] == DERIVED) {
        if let (true, Clause::Derived { first, steps }) = (used[clause as usize], proof.clause(clause)) {
            used[first as usize] = true;
            steps.chunks_exact(2).for_each(|step| used[step[0] as usize] = true);
        }
    }
    let mut result = Proof::default();
    let mut places = vec![0u32; root as usize + 1];
    for clause in (0..=root).filter(|&clause| used[clause as usize]) {
        places[clause as usize] = match proof.clause(clause) {
            Clause::Original { partition, codes } => result.push(partition, codes.iter().copied()),
            Clause::Derived { first, steps } => {
                let steps = steps.chunks_exact(2).flat_map(|step| [places[step[0] as usize], step[1]]);
                result.push(DERIVED, std::iter::once(places[first as usize]).chain(steps))
            }
        };
    }
    result
}

/// A set of literals by code.
#[derive(Default)]
struct Marks(Vec<bool>);

impl Marks {
    fn get(&self, code: u32) -> bool {
        self.0.get(code as usize).copied().unwrap_or(false)
    }

    fn set(&mut self, code: u32, value: bool) {
        let index = code as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, false);
        }
        self.0[index] = value;
    }
}
