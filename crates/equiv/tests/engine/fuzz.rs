//! Random pairs against the engine: what it proves is attacked with many runs, and what runs tell apart must
//! not be provable.
//!
//! The short test runs on every build; the long one by hand:
//! `FUZZ_SEED=1 FUZZ_COUNT=1000 cargo test -p equiv --test engine --release long_fuzz -- --ignored
//! --nocapture`

use crate::mutate::mutate;
use crate::random_c::{Dice, text, unit};
use crate::{PROVERS, ask, believed, compared_function, replay_options, within};
use equiv::concrete::{Effort, Pair, SearchResult, Watch, search};
use equiv::spec::Spec;
use equiv::{Integers, Member, Verdict};
use ir::Program;
use std::time::Duration;
use testing::compile;

#[derive(Default, Debug)]
struct Counts {
    pairs: usize,
    equivalent: usize,
    different: usize,
    unknown: usize,
    /// Different ones on which the provers were tried.
    refused: usize,
}

fn runs(old: &Program, new: &Program, first: u64, inputs: u64, time: Duration) -> SearchResult {
    let pair = Pair { old, new, old_fn: compared_function(old), new_fn: compared_function(new) };
    let default = Effort::default();
    let effort = Effort {
        first,
        inputs,
        steps: 4_000,
        deep_steps: 100_000,
        deep_total: 2_000_000,
        object_size: 64,
        ..default
    };
    search(pair, &|_| true, None, &Watch::default(), &effort, &replay_options(), &within(time))
}

/// A wrong proof, as text.
fn attack(texts: [&str; 2], time: Duration, counts: &mut Counts) -> Result<(), String> {
    let (Ok(old), Ok(new)) = (compile(texts[0], &[]), compile(texts[1], &[])) else {
        return Err(format!("does not compile\n{}\n{}", texts[0], texts[1]));
    };
    counts.pairs += 1;
    let spec = Spec::default();
    let wrong =
        |what: &str, log: &[String]| Err(format!("{what}\n{}\n{}\n{}", texts[0], texts[1], log.join("\n")));
    if let Some(difference) = runs(&old, &new, 0, 400, Duration::from_secs(1)).difference {
        counts.different += 1;
        let report = ask([&old, &new], &spec, Integers::Machine, &PROVERS, time);
        counts.refused += 1;
        return match believed(&report) {
            true => wrong(&format!("a wrong proof, {:?} differs", difference.input), &report.log),
            false => Ok(()),
        };
    }
    let report = ask([&old, &new], &spec, Integers::Machine, &Member::ALL, time);
    match report.verdict {
        Verdict::Unknown(_) => counts.unknown += 1,
        Verdict::NotEquivalent(_) => counts.different += 1,
        Verdict::Equivalent(_) => {
            counts.equivalent += 1;
            if let Some(difference) = runs(&old, &new, 400, 6_000, 4 * time).difference {
                return wrong(&format!("a wrong verdict, {:?} differs", difference.input), &report.log);
            }
        }
    }
    Ok(())
}

fn fuzz(seed: u64, count: u64, time: Duration) -> Counts {
    let mut counts = Counts::default();
    let mut failures = Vec::new();
    for n in 0..count {
        let mut dice = Dice::new(seed.wrapping_mul(1_000_003).wrapping_add(n));
        let old = unit(&mut dice);
        let new = mutate(&old, &mut dice);
        if let Err(failure) = attack([&text(&old), &text(&new)], time, &mut counts) {
            println!("seed {seed}, pair {n}: {failure}\n");
            failures.push(n);
        }
        if n % 50 == 49 {
            println!("{counts:?}");
        }
    }
    assert!(failures.is_empty(), "seed {seed}, pairs {failures:?}");
    counts
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn short_fuzz() {
    let counts = fuzz(1, 12, Duration::from_millis(250));
    assert_eq!(counts.pairs, 12, "{counts:?}");
}

#[test]
#[ignore = "as long as one likes: FUZZ_SEED, FUZZ_COUNT, FUZZ_SECONDS"]
fn long_fuzz() {
    let time = Duration::from_secs(number("FUZZ_SECONDS", 3));
    println!("{:?}", fuzz(number("FUZZ_SEED", 1), number("FUZZ_COUNT", 300), time));
}
