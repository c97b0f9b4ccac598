//! Of a program with a failing run no proof is accepted: not the true proof of the program that it was edited
//! from, and not that proof changed in any way.

use crate::edit::{Material, edited};
use crate::judge::{Figures, Judged, judge, most_memory, needed};
use crate::made::{Fails, compile, fails, proofs, view};
use crate::programs::{FAMILIES, Family};
use crate::reached::Reached;
use engine::{Argument, Bounds, Partition, Proof, Slot, Unwound, Widened};
use ir::Program;
use sat::Refutation;
use std::sync::Arc;
use testing::Random;
use unwind::exec::{Exec, Limits};
use unwind::question::Question;

/// More than any family takes.
const MEMORY: u64 = 3 << 30;

/// So many changed proofs for each program; so many changes of one proof.
pub struct Effort {
    proofs: u64,
    changes: usize,
}

fn all(effort: &Effort) {
    let mut figures = Figures::default();
    for (number, family) in (0u64..).zip(FAMILIES) {
        one(family, number << 32, effort, &mut figures);
    }
    println!("{figures}");
    let (accepted, total) = (figures.number(Judged::Accepted), figures.total());
    assert!(accepted * 2 < total, "{accepted} of {total} were accepted: the changes change too little");
    assert!(most_memory().is_none_or(|bytes| bytes < MEMORY), "{:?} bytes", most_memory());
}

fn one(family: &Family, seed: u64, effort: &Effort, figures: &mut Figures) {
    let safe = compile(family.text, family.checks);
    let proofs = proofs(&safe);
    for (name, proof) in &proofs {
        let judged = judge(&safe, proof).unwrap_or_else(|why| panic!("{}, {name}: {why}", family.name));
        // Unwinding by the other encoding knows less.
        let expected = judged == Judged::Accepted || *name == "unwinding";
        assert!(expected, "{}: the proof by {name} is not accepted: {judged:?}", family.name);
        figures.count("true proof", judged);
    }
    let reached = Reached::new(&safe);
    let material = Material { program: &safe, proofs: &proofs };
    for number in 0..effort.proofs * family.edits.len() as u64 {
        let (start, changes) = plan(&proofs, seed + number, effort);
        let (proof, what) = edited(start, &changes, &material);
        let judged = judge(&safe, &proof).unwrap_or_else(|why| {
            panic!("{}: changes {changes:?}: {what:?}\n{why}\n{proof:?}", family.name);
        });
        figures.count("changed, program safe", judged);
        if let Some(lie) = reached.lie(&proof) {
            figures.count("of these, false in a run", judged);
            let accepted = judged == Judged::Accepted;
            assert!(!accepted, "{}: accepted, and {lie}: changes {changes:?}: {what:?}", family.name);
        }
    }
    for (number, edit) in (1u64..).zip(family.edits) {
        let bad = fails(&family.edited(*edit), family.checks);
        let material = Material { program: &bad.program, proofs: &proofs };
        for proof in &proofs {
            attempt(&bad, &proof.1, &[], &material, "unchanged, program fails", figures);
        }
        for attack in 0..effort.proofs {
            let (start, changes) = plan(&proofs, seed + (number << 24) + attack, effort);
            attempt(&bad, start, &changes, &material, "changed, program fails", figures);
        }
    }
}

/// Which proof is changed, and how.
pub fn plan<'a>(proofs: &'a [(&'static str, Proof)], seed: u64, effort: &Effort) -> (&'a Proof, Vec<u64>) {
    let mut random = Random::new(seed);
    let start = &proofs[random.below(proofs.len())].1;
    let count = 1 + random.below(effort.changes);
    (start, (0..count).map(|_| random.number()).collect())
}

/// Shows a changed proof for a program that fails.
pub fn attempt(
    bad: &Fails,
    start: &Proof,
    changes: &[u64],
    material: &Material,
    of: &str,
    figures: &mut Figures,
) {
    let shown = |changes: &[u64]| judge(&bad.program, &edited(start, changes, material).0);
    let wrong = |changes: &[u64]| matches!(shown(changes), Err(_) | Ok(Judged::Accepted));
    match shown(changes) {
        Ok(judged) if judged != Judged::Accepted => figures.count(of, judged),
        found => {
            let changes = needed(changes, &wrong);
            let (proof, what) = edited(start, &changes, material);
            let Fails { text, run, .. } = bad;
            panic!(
                "{found:?}: changes {changes:?}: {what:#?}\n{proof:?}\nfails with {:?}:\n{text}",
                run.inputs
            )
        }
    }
}

#[test]
fn no_wrong_proof_is_accepted() {
    let effort = Effort { proofs: 5, changes: 3 };
    cfront::with_stack(|| all(&effort)).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

#[test]
#[ignore = "long"]
fn no_wrong_proof_is_accepted_long() {
    let effort = Effort { proofs: 400, changes: 6 };
    cfront::with_stack(|| all(&effort)).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

/// Intervals that overlap once hid values that are in none: what is in two was counted twice.
#[test]
fn cells_that_overlap() {
    let bad = fails(
        "int level;
        int main(void) {
            while (1) {
                int in = __VERIFIER_nondet_int();
                if (in >= 0 && in < 4) level = in;
                if (level == 2) __VERIFIER_error();
            }
        }",
        &[],
    );
    let level = bad.program.find_global("level").expect("a global");
    for list in [vec![(0, 1), (0, 1)], vec![(0, 1), (3, 3), (3, 3)], vec![(3, 3), (0, 1), (0, 0)]] {
        let argument = Argument::Explored(Partition { intervals: vec![(Slot::Global(level), list.clone())] });
        let judged = judge(&bad.program, &Proof { slice: None, argument });
        assert_eq!(judged, Ok(Judged::Malformed), "{list:?}");
    }
}

/// How many clauses the checker makes of a program.
fn clauses(program: &Program, unwound: &Unwound) -> usize {
    let entry = program.find_function("main").expect("programs have a main");
    let (regions, budget) = (encode::Regions::default(), base::Budget::unlimited());
    let mut exec = Exec::new(program, entry, Limits::of(unwound), &regions, &budget);
    assert!(exec.run(entry).is_ok());
    Question::of(&exec.violations()).unwrap_or_else(|why| panic!("{why}")).clauses.len()
}

/// A chain of no clauses once passed for a derivation of the empty clause, so that anything was safe.
#[test]
fn refutations_of_nothing() {
    for family in FAMILIES {
        for edit in family.edits {
            let bad = fails(&family.edited(*edit), family.checks);
            for slice in [None, Some(slice::Checks::All)] {
                let mut unwound = Unwound {
                    bounds: Bounds::new(8),
                    free: 0,
                    widened: Widened::Nothing,
                    invariants: Vec::new(),
                    pruned: [].into(),
                    refutation: None,
                };
                let mut bytes = Vec::new();
                let mut count = clauses(&view(&bad.program, slice.as_ref()), &unwound);
                while count >= 0x80 {
                    bytes.push(count as u8 | 0x80);
                    count >>= 7;
                }
                bytes.extend([count as u8, 0]);
                let nothing = Refutation::from_bytes(&bytes).expect("a chain of no clauses");
                unwound.refutation = Some(Arc::new(nothing));
                let proof = Proof { slice, argument: Argument::Unwound(unwound) };
                let judged = judge(&bad.program, &proof);
                assert!(matches!(judged, Ok(Judged::Wrong | Judged::Open)), "{judged:?}: {}", bad.text);
            }
        }
    }
}
