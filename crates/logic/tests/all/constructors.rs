//! The constructors keep the meaning of what they simplify, on random expressions and random values.

use crate::support::{Choices, replacement, sorts, substitution, value};
use logic::{Sort, Term, rebuild};
use proptest::prelude::*;

/// Expression and values come from different lists, so that they shrink on their own.
fn choices(length: usize) -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(prop_oneof![0u32..64, any::<u32>()], 0..length)
}

/// Builds an expression and compares its value with its meaning under several assignments.
fn check(expression: &[u32], values: &[u32], sort: Sort, depth: u32) -> Result<(), TestCaseError> {
    let raw = Choices::new(expression).expr(sort, depth);
    let term = raw.term();
    prop_assert_eq!(term.sort(), sort);
    let mut values = Choices::new(values);
    for _ in 0..4 {
        let vars = values.assignment();
        if let Some(expected) = raw.meaning(&vars) {
            let found = value(term, &vars);
            prop_assert!(
                found.as_ref() == Some(&expected),
                "{}\nbecame {term}\nwhich is {found:?}, not {expected:?}, at {vars:?}",
                raw.show()
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(1500), max_shrink_iters: 20_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn meaning_is_kept(expression in choices(80), values in choices(200), sort in 0usize..10) {
        check(&expression, &values, sorts()[sort], 4)?;
    }

    #[test]
    fn meaning_is_kept_in_small_terms(expression in choices(16), values in choices(200), sort in 0usize..6) {
        check(&expression, &values, sorts()[sort], 2)?;
    }

    #[test]
    fn substitution_composes(expression in choices(60), with in choices(120), values in choices(200), sort in 0usize..10) {
        let raw = Choices::new(&expression).expr(sorts()[sort], 3);
        let pairs = replacement(&mut Choices::new(&with));
        let mut values = Choices::new(&values);
        let term = substitution(&pairs).apply(raw.term());
        for _ in 0..3 {
            let vars = values.assignment();
            let mut composed = vars.clone();
            let mut defined = true;
            for (var, by) in &pairs {
                match by.meaning(&vars) {
                    Some(value) => { composed.insert(var.var_name().unwrap().to_owned(), value); }
                    None => defined = false,
                }
            }
            if let Some(expected) = raw.meaning(&composed).filter(|_| defined) {
                let found = value(term, &vars);
                prop_assert!(found.as_ref() == Some(&expected), "{}\nbecame {term}\nwhich is {found:?}, not {expected:?}, at {vars:?}", raw.show());
            }
        }
    }

    /// What the constructors made stays as it is when it is made again.
    #[test]
    fn normal_forms_are_final(expression in choices(60), sort in 0usize..10) {
        let term = Choices::new(&expression).expr(sorts()[sort], 3).term();
        let mut stack = vec![term];
        while let Some(t) = stack.pop() {
            if !t.args().is_empty() {
                prop_assert_eq!(rebuild(t, t.args()), t);
                stack.extend_from_slice(t.args());
            }
        }
    }
}

/// More cases on demand: `PROPTEST_CASES`.
fn cases(default: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

#[test]
fn quantifiers_do_not_capture() {
    let var = |n: &str| Term::var(n, Sort::Int);
    let (x, y, z) = (var("x"), var("y"), var("z"));
    let some = Term::forall(&[x], x.add(var("x'")).int_le(y));
    let mut with_x = logic::Substitution::new([(y, x)]);
    // The bound variable is neither the x that comes in nor the x' that is there.
    let expected = Term::forall(&[var("x''")], var("x''").add(var("x'")).int_le(x));
    assert_eq!(with_x.apply(some), expected);
    let mut bound = logic::Substitution::new([(x, z)]);
    assert_eq!(bound.apply(some), some);
}
