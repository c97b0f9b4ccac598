//! Formulas as people write them: Z3 says `not (x - y <= -1) and not (x - y >= 1)` for `x = y`.

use logic::{Op, Substitution, Term, bottom_up_in, rebuild};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// An equivalent formula: two opposite inequalities in a conjunction are an equation, two opposite strict
/// ones in a disjunction a difference; known literals are used up in the rest of a conjunction.
pub(crate) fn tidy(formula: Term) -> Term {
    let combines = |t: Term| matches!(t.op(), Op::And | Op::Or | Op::Not);
    let operands = |t: Term| if combines(t) { t.args() } else { &[] };
    bottom_up_in(formula, &mut FxHashMap::default(), operands, |t, done| {
        if !combines(t) {
            return t;
        }
        let args: Vec<Term> = t.args().iter().map(|a| done[a]).collect();
        junction(rebuild(t, &args))
    })
}

fn junction(t: Term) -> Term {
    match t.op() {
        Op::And => Term::all(merge(t.args())),
        // Or is the negation of the conjunction of the negations.
        Op::Or => {
            let negated: Vec<Term> = t.args().iter().map(|a| a.not()).collect();
            let merged = merge(&negated);
            if merged.len() < negated.len() { Term::any(merged.into_iter().map(Term::not)) } else { t }
        }
        _ => t,
    }
}

/// The conjuncts with pairs of opposite inequalities as equations.
fn merge(conjuncts: &[Term]) -> Vec<Term> {
    let set: BTreeSet<Term> = conjuncts.iter().copied().collect();
    let mut merged = BTreeSet::new();
    for &t in &set {
        let (a, b) = match t.args() {
            &[a, b] if matches!(t.op(), Op::Le | Op::BvUle | Op::BvSle) => (a, b),
            _ => {
                merged.insert(t);
                continue;
            }
        };
        let opposite = match t.op() {
            Op::Le => b.int_le(a),
            Op::BvUle => b.ule(a),
            _ => b.sle(a),
        };
        merged.insert(if set.contains(&opposite) { a.equals(b) } else { t });
    }
    // A literal decides where else it occurs.
    let literals = merged.iter().filter_map(|&t| match t.op() {
        Op::Var(_) => Some((t, Term::bool(true))),
        Op::Not if t.args()[0].is_var() => Some((t.args()[0], Term::bool(false))),
        _ => None,
    });
    let known: Vec<(Term, Term)> = literals.collect();
    if known.is_empty() {
        return merged.into_iter().collect();
    }
    let mut by = Substitution::new(known.iter().copied());
    let is_literal = |t: &Term| known.iter().any(|(v, _)| *t == *v || *t == v.not());
    merged.into_iter().flat_map(|t| if is_literal(&t) { vec![t] } else { by.apply(t).conjuncts() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::r#gen::Gen;
    use logic::Sort;
    use proptest::prelude::{ProptestConfig, any, prop_assert_eq, proptest};

    #[test]
    fn two_bounds_are_an_equation() {
        let [x, y] = ["x", "y"].map(|n| Term::var(n, Sort::Int));
        let p = Term::var("p", Sort::Bool);
        assert_eq!(tidy(x.int_lt(y).not().and(y.int_lt(x).not())), x.equals(y));
        assert_eq!(tidy(x.int_lt(y).or(y.int_lt(x))), x.differs(y));
        assert_eq!(tidy(p.and(p.not().or(x.int_lt(y)))), p.and(x.int_lt(y)));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

        #[test]
        fn the_meaning_stays(bytes in proptest::collection::vec(any::<u8>(), 0..150)) {
            let mut g = Gen::new(&bytes);
            let bound = |g: &mut Gen| {
                let (a, b) = (g.leaf(Sort::Int), g.leaf(Sort::Int));
                if g.pick(4) == 0 { g.bool(2) } else { a.int_le(b) }
            };
            let parts: Vec<Term> = (0..6).map(|_| bound(&mut g)).collect();
            let formula = Term::all([parts[0], parts[1], Term::any([parts[2], parts[3], parts[4].and(parts[5])])]);
            for _ in 0..5 {
                let values = g.values(formula);
                let value = |t| logic::eval(t, &|v| values.get(&v).cloned());
                if let (Some(before), Some(after)) = (value(formula), value(tidy(formula))) {
                    prop_assert_eq!(before, after, "{} is now {}", formula, tidy(formula));
                }
            }
        }
    }
}
