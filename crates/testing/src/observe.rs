//! What runs on random inputs show of a program.

use base::Budget;
use interp::{Interp, Options, Outcome, RandomInputs};
use ir::Program;

/// Of one run: loops of the programs of tests are short, or end on an input.
const STEPS: u64 = 20_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    pub fails: bool,
    pub undefined: bool,
}

pub fn observe(program: &Program, runs: u64) -> Seen {
    let mut seen = Seen::default();
    let Some(options) = Options::main(program) else { return seen };
    let options = Options { max_steps: STEPS, record_inputs: false, ..options };
    let Ok(mut interp) = Interp::new(program, options) else { return seen };
    for seed in 0..runs {
        match interp.run(&mut RandomInputs::new(seed), &Budget::unlimited()).outcome {
            Outcome::CheckFailed { .. } => seen.fails = true,
            Outcome::Undefined(_) => seen.undefined = true,
            _ => {}
        }
    }
    seen
}
