//! Derivations from the facts they use.

mod common;

use common::{all, is_solvable, seconds};
use horn::{Answer, Atom, Derivation, System, bounded, check_derivation, derive_from, from_smtlib};
use logic::{Value, eval};

/// The facts of a derivation, from the root down.
fn facts(system: &System, derivation: &Derivation, out: &mut Vec<Atom>) {
    let value = |t| {
        let known = derivation.values.iter().find(|(v, _)| *v == t);
        known.and_then(|(_, value)| Value::of(*value)).or(Some(Value::zero(t.sort())))
    };
    if let Some(head) = &system.clauses[derivation.clause].head {
        let args = head.args.iter().map(|&a| eval(a, &value).unwrap().to_term()).collect();
        out.push(Atom { pred: head.pred, args });
    }
    derivation.children.iter().for_each(|d| facts(system, d, out));
}

#[test]
fn facts_are_enough() {
    // Functions differ from step to step if nothing but facts is known of them.
    for (name, text) in all().into_iter().filter(|(n, t)| !is_solvable(t) && !n.starts_with("functions")) {
        let system = from_smtlib(&text).unwrap();
        let Answer::Refuted(derivation) = bounded(&system, 8, &seconds(60)) else { panic!("{name}") };
        let mut list = Vec::new();
        facts(&system, &derivation, &mut list);
        let found = derive_from(&system, &list, &seconds(60)).unwrap_or_else(|| panic!("{name}: {list:?}"));
        assert_eq!(check_derivation(&system, &found), Ok(()), "{name}");
        // Without the first fact that was derived, there is no start.
        let start = list.pop();
        assert!(!list.contains(&start.unwrap()) || name == "fibonacci-wrong", "{name}");
        if name != "fibonacci-wrong" {
            assert_eq!(derive_from(&system, &list, &seconds(60)), None, "{name}");
        }
    }
}
