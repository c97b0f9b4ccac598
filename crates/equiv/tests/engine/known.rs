//! Random pairs whose versions differ on a known input: never equivalent, whoever is asked.

use super::{PROVERS, ask};
use equiv::spec::Spec;
use equiv::testing::{KINDS, case, known};
use equiv::{Integers, Member, Verdict};
use std::time::Duration;

/// Asks about the pairs of these numbers, as far as a difference is known.
fn check(seeds: impl Iterator<Item = u64>, members: &[Member], time: Duration) {
    for seed in seeds {
        let case = case(seed);
        let Some(known) = known(&case) else { continue };
        let [old, new] = &known.programs;
        let report = ask([old, new], &Spec::default(), Integers::Machine, members, time);
        if let Verdict::Equivalent(_) = report.verdict {
            let [old, new] = &case.texts;
            let log = report.log.join("\n");
            panic!("{seed}, {}: differs on {:?}\n{old}\n{new}\n{log}", case.kind, known.input);
        }
    }
}

#[test]
fn what_differs_is_not_equivalent() {
    check(0..KINDS.len() as u64, &Member::ALL, Duration::from_secs(1));
}

#[test]
fn what_differs_is_not_proved() {
    let first = 1000 * KINDS.len() as u64;
    check(first..first + KINDS.len() as u64, &PROVERS, Duration::from_millis(300));
}

#[test]
fn most_cases_have_a_known_difference() {
    let found = (0..66).filter(|seed| known(&case(*seed)).is_some()).count();
    assert!(found > 50, "{found}");
}
