//! The systems in `systems/`, and what to do with them.

#![allow(dead_code, reason = "every test uses a part of it")]

use base::Budget;
use horn::{Answer, System, check_derivation, check_solution, from_smtlib};
use logic::{Substitution, Term};
use std::time::{Duration, Instant};

/// Name and text of each.
pub fn all() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/systems");
    let mut list: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("the folder of systems")
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("a text"))
        })
        .collect();
    list.sort();
    assert!(list.len() > 10);
    list
}

pub fn system(name: &str) -> System {
    let (_, text) = all().into_iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no system {name}"));
    from_smtlib(&text).unwrap_or_else(|e| panic!("{name}:{e}"))
}

/// What the first line of the text says.
pub fn is_solvable(text: &str) -> bool {
    match text.lines().next() {
        Some("; expect solvable") => true,
        Some("; expect refutable") => false,
        line => panic!("{line:?} says nothing about the answer"),
    }
}

pub fn seconds(seconds: u64) -> Budget {
    Budget { deadline: Some(Instant::now() + Duration::from_secs(seconds)), ..Budget::default() }
}

/// An answer, if there is one, has been checked and is the expected one. Is there one?
pub fn check_answer(system: &System, answer: &Answer, solvable: Option<bool>, name: &str) -> bool {
    match answer {
        Answer::Solved(solution) => {
            assert_ne!(solvable, Some(false), "{name}: {solution:?}");
            assert_eq!(check_solution(system, solution, &seconds(20)), Ok(()), "{name}: {solution:?}");
            true
        }
        Answer::Refuted(derivation) => {
            assert_ne!(solvable, Some(true), "{name}: {derivation:?}");
            assert_eq!(check_derivation(system, derivation), Ok(()), "{name}: {derivation:?}");
            true
        }
        Answer::Unknown(_) => false,
    }
}

/// A system without what the text does not keep: labels, the names of parameters, the order of the body.
pub fn normal(system: &System) -> System {
    let mut system = system.clone();
    for pred in &mut system.preds {
        for (i, param) in pred.params.iter_mut().enumerate() {
            *param = Term::var(&format!("p{i}"), param.sort());
        }
    }
    for clause in &mut system.clauses {
        clause.label.clear();
        clause.body.sort_by_key(|a| (a.pred, a.args.clone()));
        clause.body.dedup();
        // Bound variables are the same under any names.
        let vars = clause.vars();
        let names =
            vars.iter().map(|v| (*v, Term::var(&v.var_name().unwrap_or("").replace('\'', "!"), v.sort())));
        *clause = clause.substitute(&mut Substitution::new(names));
        clause.body.sort_by_key(|a| (a.pred, a.args.clone()));
    }
    system
}
