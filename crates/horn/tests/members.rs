//! Every member of the portfolio on every system: no wrong answer, and the answers that each of them is known
//! to find.

mod common;

use base::Budget;
use common::{all, check_answer, is_solvable, seconds};
use horn::functions::{has_functions, without_functions};
use horn::simplify::simplify;
use horn::{Answer, Seeds, System, abstraction, bounded, from_smtlib, spacer};
use logic::Sort;

/// Steps, so that answers do not depend on how busy the machine is; the time is for what hangs.
fn budget() -> Budget {
    Budget { steps: Some(1500), ..seconds(100) }
}

/// Runs a member on all systems, whole and simplified; it must answer all of `needed`, and none wrongly.
fn check(member: &dyn Fn(&System) -> Answer, needed: &dyn Fn(&str, bool) -> bool, skipped: &[&str]) {
    for (name, text) in all() {
        if skipped.contains(&name.as_str()) {
            continue;
        }
        let system = from_smtlib(&text).unwrap();
        let solvable = is_solvable(&text);
        let answer = member(&system);
        let answered = check_answer(&system, &answer, Some(solvable), &name);
        assert!(answered || !needed(&name, solvable), "{name}: {answer:?}");
        let simple = simplify(&system);
        assert_eq!(simple.system.check_form(), Ok(()), "{name}");
        let answer = member(&simple.system);
        let answered = check_answer(&simple.system, &answer, Some(solvable), &format!("{name}, simplified"));
        assert!(answered || !needed(&name, solvable), "{name}, simplified: {answer:?}");
        let back = simple.back(&system, answer, &seconds(100));
        let answered = check_answer(&system, &back, Some(solvable), &format!("{name}, back"));
        assert!(answered || !needed(&name, solvable), "{name}, back: {back:?}");
    }
}

#[test]
fn bounded_search_refutes() {
    // Depths beyond what the refutable ones need only cost time; products of 64 bits cost too much.
    check(&|system| bounded(system, 8, &budget()), &|_, solvable| !solvable, &["wide"]);
}

/// Equalities and orders of all parameters.
fn pairs(system: &System) -> Seeds {
    let mut seeds = Vec::new();
    for pred in &system.preds {
        let mut list = Vec::new();
        for (i, &a) in pred.params.iter().enumerate() {
            for &b in pred.params[..i].iter().filter(|b| b.sort() == a.sort()) {
                list.push(a.equals(b));
                match a.sort() {
                    Sort::Int => list.extend([a.int_le(b), b.int_le(a)]),
                    Sort::Bv(_) => list.extend([a.ule(b), b.ule(a)]),
                    _ => {}
                }
            }
        }
        seeds.push(list);
    }
    seeds
}

#[test]
fn abstraction_from_seeds() {
    let known = ["wide", "counting", "lockstep", "array-copy", "bits", "rules", "functions"];
    let member = |system: &System| abstraction(system, &pairs(system), &budget());
    check(&member, &|name, _| known.contains(&name), &[]);
}

/// Without seeds: interpolation finds what is needed, also what Spacer does not find.
#[test]
fn abstraction_by_interpolation() {
    let member = |system: &System| abstraction(system, &Vec::new(), &budget());
    check(&member, &|_, _| true, &["array-copy", "wide"]);
}

#[test]
fn spacer_answers() {
    let unknown = ["array-copy", "bits", "triangular", "wide"];
    check(&|system| spacer(system, &seconds(100)), &|_, _| true, &unknown);
}

/// A solution without functions is one for all functions; and where functions have to agree, there is still a
/// solution.
#[test]
fn functions_can_be_forgotten() {
    let system = common::system("functions");
    assert!(has_functions(&system));
    let without = without_functions(&system).unwrap();
    assert!(!has_functions(&without) && !has_functions(&common::system("counting")));
    assert_eq!(without.check_form(), Ok(()));
    let answer = abstraction(&without, &pairs(&without), &budget());
    assert!(check_answer(&without, &answer, Some(true), "without functions"), "{answer:?}");
    assert!(check_answer(&system, &answer, Some(true), "with functions"));
}

/// The predicates of straight code come back without quantifiers.
#[test]
fn inlined_predicates_come_back() {
    let system = common::system("chain");
    let simple = simplify(&system);
    let Answer::Solved(solution) = abstraction(&simple.system, &Vec::new(), &budget()) else { panic!() };
    let Answer::Solved(back) = simple.back(&system, Answer::Solved(solution), &seconds(100)) else {
        panic!()
    };
    for formula in back.formulas {
        assert!(!formula.to_string().contains("exists"), "{formula}");
    }
}

/// What simplification leaves of straight code: one clause.
#[test]
fn straight_code_is_one_clause() {
    let simple = simplify(&common::system("chain"));
    assert_eq!(simple.system.clauses.len(), 1, "{:?}", simple.system.clauses);
    assert!(simple.system.clauses[0].body.is_empty());
}
