//! The constructors keep the meaning of what they simplify, on random expressions and random values.

use crate::support::{Choices, Raw, THEMES, Theme, replacement, substitution, value};
use logic::{Sort, Term, rebuild};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Expressions and values come from different lists, so that they shrink on their own.
fn choices(length: usize) -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..length)
}

/// Compares the values of a term with the meaning of the expression that it was built from.
fn check(raw: &Raw, values: &[u32]) -> Result<(), TestCaseError> {
    let term = raw.term();
    prop_assert_eq!(term.sort(), raw.sort);
    let mut vars = BTreeSet::new();
    raw.vars(&mut vars);
    let mut values = Choices::values_for(values, raw);
    for _ in 0..8 {
        let vars = values.assignment(&vars);
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

/// Replaces variables in a term, and evaluates it as the term with the variables' new values.
fn check_replaced(
    raw: &Raw,
    theme: &'static Theme,
    with: &[u32],
    values: &[u32],
) -> Result<(), TestCaseError> {
    let mut vars = BTreeSet::new();
    raw.vars(&mut vars);
    let pairs = replacement(&mut Choices::of_theme(with, theme), &vars);
    pairs.iter().for_each(|(_, by)| by.vars(&mut vars));
    let term = substitution(&pairs).apply(raw.term());
    let mut values = Choices::values_for(values, raw);
    for _ in 0..4 {
        let vars = values.assignment(&vars);
        let mut composed = vars.clone();
        let mut defined = true;
        for (var, by) in &pairs {
            match by.meaning(&vars) {
                Some(value) => {
                    composed.insert(var.var_name().unwrap_or_default().to_owned(), value);
                }
                None => defined = false,
            }
        }
        if let Some(expected) = raw.meaning(&composed).filter(|_| defined) {
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
    #![proptest_config(ProptestConfig {
        cases: cases(1000),
        max_shrink_iters: 20_000,
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn meaning_is_kept(expression in choices(120), values in choices(60)) {
        for theme in &THEMES {
            check(&Choices::of_theme(&expression, theme).root(5), &values)?;
        }
    }

    #[test]
    fn meaning_is_kept_in_small_terms(expression in choices(30), values in choices(60)) {
        for theme in &THEMES {
            for depth in [2, 3] {
                check(&Choices::of_theme(&expression, theme).root(depth), &values)?;
            }
        }
    }

    #[test]
    fn substitution_composes(expression in choices(60), with in choices(60), values in choices(100)) {
        for theme in &THEMES {
            let raw = Choices::of_theme(&expression, theme).root(3);
            check_replaced(&raw, theme, &with, &values)?;
        }
    }

    /// What the constructors made stays as it is when it is made again.
    #[test]
    fn normal_forms_are_final(expression in choices(60)) {
        for theme in &THEMES {
            let term = Choices::of_theme(&expression, theme).root(4).term();
            let mut stack = vec![term];
            while let Some(t) = stack.pop() {
                if !t.args().is_empty() {
                    prop_assert_eq!(rebuild(t, t.args()), t);
                    stack.extend_from_slice(t.args());
                }
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
