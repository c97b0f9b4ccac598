//! Products of variables as unknown numbers.
//!
//! Invariants with products mostly follow by linear reasoning: `(i + 1) * (i + 1)` is `i * i + 2 * i + 1`
//! when multiplied out, which terms are, and then it does not matter what `i * i` is. Solvers for nonlinear
//! integers search for values instead, and those for bit-vectors make multipliers of bits.

use logic::{Linear, Op, Substitution, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// More products than this are left alone.
const MOST: usize = 60;

/// The formulas with a variable for each product of variables: what follows from them follows from the
/// formulas. None if there are no products.
pub(crate) fn unknown(formulas: &[Term]) -> Option<Vec<Term>> {
    let mut names: FxHashMap<Term, Term> = FxHashMap::default();
    let mut pairs = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = formulas.to_vec();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if let Op::Forall | Op::Exists = t.op() {
            return None;
        }
        if let Op::Mul | Op::BvMul = t.op()
            && t.args().iter().filter(|a| !a.is_const()).count() > 1
        {
            let product = Linear::of(t);
            let (Some((&monomial, factor)), 1) = (product.terms.iter().next(), product.terms.len()) else {
                continue;
            };
            let number = names.len();
            let name = *names
                .entry(monomial)
                .or_insert_with(|| Term::var(&format!(" product {number}"), monomial.sort()));
            pairs.push((t, name.scale(factor).add(Term::number(t.sort(), product.constant))));
            continue;
        }
        stack.extend(t.args());
    }
    if names.is_empty() || names.len() > MOST {
        return None;
    }
    let mut by = Substitution::new(pairs);
    Some(formulas.iter().map(|&f| by.apply(f)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SatResult, Settings, one_shot};
    use logic::{IBig, Sort};
    use std::time::Duration;

    /// Twice a sum modulo 2^33, one step further: hopeless with products, no matter without.
    #[test]
    fn closed_forms_are_linear_in_products() {
        let [i, s, t] = ["i", "s", "t"].map(|n| Term::var(n, Sort::Int));
        let modulus = Term::int(IBig::ONE << 33);
        let closed = |i: Term, s: Term| {
            s.scale(&IBig::from(2)).sub(i.mul(i)).sub(i).modulo(modulus).equals(Term::int(0))
        };
        let next = i.add(Term::int(1));
        let step = s.add(next).sub(t).modulo(Term::int(IBig::ONE << 32)).equals(Term::int(0));
        let settings = Settings::default().timeout(Duration::from_secs(5));
        let (result, _) = one_shot(&[closed(i, s), step, closed(next, t).not()], &settings);
        assert_eq!(result, SatResult::Unsat);
        let (result, _) =
            one_shot(&[closed(i, s), step, closed(i, t).not(), i.equals(Term::int(3))], &settings);
        assert_eq!(result, SatResult::Sat);
    }

    #[test]
    fn products_keep_their_factors() {
        let [x, y] = ["x", "y"].map(|n| Term::var(n, Sort::Bv(64)));
        let twice = x.mul(y).add(x.mul(y));
        let formulas = [twice.differs(y.mul(x).scale(&IBig::from(2)))];
        assert!(formulas[0].is_false() || unknown(&formulas).is_some_and(|f| f[0].is_false()));
        assert_eq!(unknown(&[x.add(y).equals(y)]), None);
    }
}
