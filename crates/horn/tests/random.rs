//! Random small systems: members never disagree, and simplification changes no answer.

mod common;

use base::Budget;
use common::check_answer;
use horn::simplify::simplify;
use horn::{Answer, Atom, Clause, PredId, Seeds, System, abstraction, bounded, spacer};
use logic::{Sort, Term};
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// Spacer either knows at once or not at all.
const SHORT: Duration = Duration::from_millis(200);

const PREDS: u32 = 3;

fn sort(bits: bool) -> Sort {
    if bits { Sort::Bv(4) } else { Sort::Int }
}

/// A sum over three variables.
fn number(bits: bool) -> impl Strategy<Value = Term> {
    (0usize..4, -2i32..4, 0usize..3).prop_map(move |(first, constant, second)| {
        let var = |i: usize| Term::var(["x", "y", "z"][i], sort(bits));
        let constant = Term::number(sort(bits), constant);
        match first {
            3 => constant,
            _ if second == first => var(first).add(var(second)),
            _ => var(first).add(constant),
        }
    })
}

fn constraint(bits: bool) -> impl Strategy<Value = Term> {
    let one = (number(bits), number(bits), 0..4).prop_map(move |(a, b, op)| match op {
        0 => a.equals(b),
        1 => a.differs(b),
        _ if bits => a.ule(b),
        _ => a.int_le(b),
    });
    proptest::collection::vec(one, 0..3).prop_map(Term::all)
}

fn atom(bits: bool) -> impl Strategy<Value = Atom> {
    (0..PREDS, number(bits), number(bits))
        .prop_map(|(p, a, b)| Atom { pred: PredId(p), args: if p == 0 { vec![a] } else { vec![a, b] } })
}

fn systems() -> impl Strategy<Value = System> {
    any::<bool>().prop_flat_map(|bits| {
        // A shape first, so that most systems have a start, a step and an end.
        let clause = move |body: std::ops::Range<usize>, head: bool| {
            (proptest::collection::vec(atom(bits), body), constraint(bits), atom(bits)).prop_map(
                move |(body, constraint, atom)| Clause {
                    body,
                    constraint,
                    head: head.then_some(atom),
                    label: String::new(),
                },
            )
        };
        let starts = proptest::collection::vec(clause(0..1, true), 1..3);
        let steps = proptest::collection::vec(clause(1..3, true), 1..4);
        let ends = proptest::collection::vec(clause(1..2, false), 1..3);
        (starts, steps, ends).prop_map(move |(starts, steps, ends)| {
            let mut system = System::default();
            let param = |i: u32| Term::var(&format!("p{i}"), sort(bits));
            for p in 0..PREDS {
                system.add_pred(format!("p{p}"), (0..if p == 0 { 1 } else { 2 }).map(param).collect());
            }
            system.clauses = [starts, steps, ends].concat();
            system
        })
    })
}

/// Comparisons with small constants, and with each other.
fn seeds(system: &System) -> Seeds {
    let list = |params: &[Term]| {
        let mut list = Vec::new();
        for &p in params {
            for c in 0..3 {
                let c = Term::number(p.sort(), c);
                list.push(p.equals(c));
                list.push(if p.sort() == Sort::Int { c.int_le(p) } else { c.ule(p) });
            }
        }
        if let [p, q] = params {
            list.push(p.equals(*q));
        }
        list
    };
    system.preds.iter().map(|p| list(&p.params)).collect()
}

fn answers(system: &System) -> Vec<(&'static str, Answer)> {
    let budget = Budget::steps(300);
    vec![
        ("bounded", bounded(system, 6, &budget)),
        ("seeded", abstraction(system, &seeds(system), &budget)),
        ("abstraction", abstraction(system, &Vec::new(), &budget)),
        ("spacer", spacer(system, &Budget { deadline: Some(Instant::now() + SHORT), ..Budget::default() })),
    ]
}

/// `HORN_CASES` for a long run.
fn cases() -> u32 {
    std::env::var("HORN_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(25)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn members_agree(system in systems()) {
        let mut found: Vec<(String, bool)> = Vec::new();
        for (member, answer) in answers(&system) {
            if check_answer(&system, &answer, None, member) {
                found.push((member.into(), matches!(answer, Answer::Solved(_))));
            }
        }
        let simple = simplify(&system);
        prop_assert_eq!(simple.system.check_form(), Ok(()));
        for (member, answer) in answers(&simple.system) {
            let name = format!("{member}, simplified");
            if check_answer(&simple.system, &answer, None, &name) {
                found.push((name.clone(), matches!(answer, Answer::Solved(_))));
            }
            match answer {
                Answer::Refuted(derivation) => {
                    let back = simple.derivation(derivation).map(Answer::Refuted);
                    prop_assert!(back.is_some(), "{}", name);
                    check_answer(&system, &back.unwrap(), None, &name);
                }
                Answer::Solved(solution) => {
                    let back = Answer::Solved(simple.solution(solution, &mut |_, _| None));
                    check_answer(&system, &back, None, &name);
                }
                Answer::Unknown(_) => {}
            }
        }
        prop_assert!(found.iter().all(|f| f.1 == found[0].1), "{:?}\n{}", found, horn::to_smtlib(&system));
    }
}
