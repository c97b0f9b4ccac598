//! Random runs of a program on the interpreter: whether any of them fails a check.
//!
//! Half of the integers are constants of the program, or next to one: that is where its branches are.

use crate::ctoken::{Kind, tokenize};
use crate::job::{Reply, Source};
use crate::rng::Rng;
use crate::tool;
use base::Budget;
use interp::{InputRequest, Inputs, Interp, Outcome, RandomInputs};
use ir::Type;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Random runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampled {
    pub runs: u64,
    /// Those that came to the end, or to a failed check.
    pub ended: u64,
    /// The first run with a failed check, and the check.
    pub failed: Option<(u64, String)>,
}

/// Longer runs tell nothing.
const MAX_STEPS: u64 = 1_000_000;

pub fn sample(source: &Source, runs: u64, seed: u64) -> Reply {
    tool::on_large_stack(|| {
        let program = match tool::compile(source) {
            Ok(program) => program,
            Err(message) => return Reply::Refused(message),
        };
        let text = std::fs::read(&source.path).unwrap_or_default();
        let constants = constants(&String::from_utf8_lossy(&text));
        let Some(mut options) = interp::Options::main(&program) else {
            return Reply::Refused("no main".into());
        };
        options.max_steps = MAX_STEPS;
        options.record_inputs = false;
        let mut interp = match Interp::new(&program, options) {
            Ok(interp) => interp,
            Err(e) => return Reply::Refused(e.to_string()),
        };
        let mut sampled = Sampled { runs, ended: 0, failed: None };
        for run in 0..runs {
            let mut inputs = Mixed {
                rng: Rng::part(seed, run),
                random: RandomInputs::new(Rng::part(seed, run).next()),
                constants: &constants,
            };
            match interp.run(&mut inputs, &Budget::unlimited()).outcome {
                Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted => sampled.ended += 1,
                Outcome::CheckFailed { kind, .. } => {
                    sampled.ended += 1;
                    sampled.failed.get_or_insert((run, kind.name().to_string()));
                }
                _ => {}
            }
        }
        Reply::Sampled(sampled)
    })
}

struct Mixed<'a> {
    rng: Rng,
    random: RandomInputs,
    constants: &'a [i64],
}

impl Inputs for Mixed<'_> {
    fn next(&mut self, request: &InputRequest) -> Option<u128> {
        if let Type::Int(int) = request.ty
            && self.rng.chance(50)
            && let Some(constant) = self.rng.pick(self.constants)
        {
            let near = i128::from(*constant) + self.rng.below(3) as i128 - 1;
            return Some(int.wrap(near));
        }
        self.random.next(request)
    }
}

/// The decimal constants of a text.
fn constants(text: &str) -> Vec<i64> {
    let mut found = BTreeSet::new();
    for token in tokenize(text) {
        let inner = if token.kind == Kind::Directive { tokenize(&token.text[1..]) } else { vec![token] };
        let numbers = inner.iter().filter(|t| t.kind == Kind::Number);
        found.extend(
            numbers.filter_map(|t| t.text.trim_end_matches(['u', 'U', 'l', 'L']).parse::<i64>().ok()),
        );
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_code_and_macros() {
        assert_eq!(constants("#define A 600\nint f(void) { return 7u + A + 1.5 + 'c'; }\n"), [7, 600]);
    }

    #[test]
    fn runs_fail_where_they_can() {
        let dir = tempfile::tempdir().unwrap();
        let check = |condition: &str, fails: bool| {
            let path = dir.path().join("a.c");
            let text = format!(
                "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void);\n\
                 int main(void) {{ int x = __VERIFIER_nondet_int(); if ({condition}) __VERIFIER_error(); return 0; }}"
            );
            std::fs::write(&path, text).unwrap();
            let Reply::Sampled(sampled) = sample(&Source::plain(path, &[]), 200, 1) else {
                panic!("no runs")
            };
            assert_eq!((sampled.ended, sampled.failed.is_some()), (200, fails), "{condition}");
        };
        check("x == 123456", true);
        check("x != x", false);
    }
}
