//! Random programs that fail (`testing::known::flow`): no bound, no loop that is widened, no invariant, no question
//! that is pruned and no partition makes them safe.
//!
//! True proofs to start from are those of the same program in which errors need what hardly ever happens.

use crate::edit::{Material, edited, some_checks};
use crate::failing::attempt;
use crate::judge::{Figures, Judged};
use crate::made::{Fails, compile, proofs_within};
use engine::{Argument, Partition, Proof, Unwound, Widened};
use slice::Checks;
use std::time::Duration;
use testing::Random;
use testing::known::runs::failing;

struct Effort {
    seeds: std::ops::Range<u64>,
    /// Proofs that are made up, and true ones that are changed.
    made_up: u64,
    changed: u64,
}

/// What only says how far to go, or what to tell apart: whoever believes none of it decides by itself.
fn made_up(random: &mut Random, material: &Material) -> Proof {
    let slice = match random.below(3) {
        0 => None,
        1 => Some(Checks::All),
        _ => Some(some_checks(material.program, random)),
    };
    let unwound = Unwound {
        bounds: engine::Bounds::new(random.below(7) as u32),
        free: random.pick(&[0, 0, 500]),
        widened: if random.rarely(3) { Widened::All } else { Widened::Nothing },
        invariants: Vec::new(),
        pruned: [].into(),
        refutation: None,
    };
    let argument = match random.below(6) {
        0 => Argument::Explored(Partition::default()),
        1 => Argument::Unwinding { bound: unwound.bounds.every },
        _ => Argument::Unwound(unwound),
    };
    let changes: Vec<u64> = (0..random.below(8)).map(|_| random.number()).collect();
    edited(&Proof { slice, argument }, &changes, material).0
}

fn all(effort: &Effort) {
    let mut figures = Figures::default();
    let mut failing_programs = 0;
    for seed in effort.seeds.clone() {
        let text = testing::known::flow::program(seed);
        let text = text.strip_prefix(testing::known::PRELUDE).unwrap_or(&text).to_owned();
        let program = compile(&text, &[]);
        let Some(run) = failing(&program) else { continue };
        failing_programs += 1;
        let bad = Fails { text: text.clone(), program, run };
        let tame = compile(&text.replace("__VERIFIER_error();", "if (g0 == 77) __VERIFIER_error();"), &[]);
        let proofs = match effort.changed {
            0 => Vec::new(),
            _ => proofs_within(&tame, Duration::from_millis(500)),
        };
        let material = Material { program: &bad.program, proofs: &proofs };
        for number in 0..effort.made_up {
            let proof = made_up(&mut Random::new(seed << 20 | number), &material);
            attempt(&bad, &proof, &[], &material, "made up", &mut figures);
        }
        for number in 0..effort.changed {
            let mut random = Random::new(seed << 20 | 1 << 19 | number);
            let start = &proofs[random.below(proofs.len())].1;
            let changes: Vec<u64> = (0..random.below(5)).map(|_| random.number()).collect();
            attempt(&bad, start, &changes, &material, "of a tame one", &mut figures);
        }
    }
    println!("{failing_programs} programs that fail\n{figures}");
    assert!(failing_programs > 0 && figures.number(Judged::Accepted) == 0);
}

fn on_large_stack(effort: &Effort) {
    cfront::with_stack(|| all(effort)).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

#[test]
fn no_proof_of_what_fails() {
    on_large_stack(&Effort { seeds: 0..60, made_up: 4, changed: 0 });
}

/// Other programs than in the default run.
#[test]
#[ignore = "long"]
fn no_proof_of_what_fails_long() {
    on_large_stack(&Effort { seeds: 1000..1300, made_up: 30, changed: 8 });
}
