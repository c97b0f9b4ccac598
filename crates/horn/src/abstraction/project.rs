//! Projection of a conjunction to some of its variables: equations are solved for the others, and what still mentions them is
//! left out. So the result follows from the conjunction, and is as strong as equations make it.

use logic::{IBig, Linear, Op, Sort, Substitution, Term, free_vars};
use std::collections::BTreeSet;

/// Conjuncts over variables of `keep` only that follow from the given ones.
pub(super) fn project(conjuncts: &[Term], keep: &BTreeSet<Term>) -> Vec<Term> {
    let mut list: BTreeSet<Term> = conjuncts.iter().flat_map(|c| c.conjuncts()).collect();
    while let Some((equation, var, value)) = list.iter().find_map(|&c| solve(c, keep).map(|(v, t)| (c, v, t))) {
        list.remove(&equation);
        let mut by = Substitution::new([(var, value)]);
        list = list.iter().flat_map(|&c| by.apply(c).conjuncts()).collect();
    }
    list.retain(|&c| free_vars(c).is_subset(keep));
    list.into_iter().collect()
}

/// A variable that is not kept, and what it equals because of the conjunct.
fn solve(conjunct: Term, keep: &BTreeSet<Term>) -> Option<(Term, Term)> {
    let goes = |t: Term| t.is_var() && !keep.contains(&t);
    match conjunct.op() {
        Op::Var(_) if goes(conjunct) => Some((conjunct, Term::bool(true))),
        Op::Not if goes(conjunct.args()[0]) => Some((conjunct.args()[0], Term::bool(false))),
        Op::Eq => {
            let (a, b) = (conjunct.args()[0], conjunct.args()[1]);
            if a.sort().is_number() {
                return solve_sum(a, b, keep);
            }
            [(a, b), (b, a)].into_iter().find(|(v, t)| goes(*v) && !free_vars(*t).contains(v))
        }
        _ => None,
    }
}

/// `a = b` for a variable with the coefficient 1 or -1 that occurs nowhere else.
fn solve_sum(a: Term, b: Term, keep: &BTreeSet<Term>) -> Option<(Term, Term)> {
    let mut sum = Linear::of(a);
    sum.add_term(&IBig::NEG_ONE, b);
    let minus_one = match a.sort() {
        Sort::Bv(width) => (IBig::ONE << width as usize) - IBig::ONE,
        _ => IBig::NEG_ONE,
    };
    let unit = |c: &IBig| *c == IBig::ONE || *c == minus_one;
    for (&var, c) in sum.terms.iter().filter(|(v, c)| v.is_var() && !keep.contains(v) && unit(c)) {
        if sum.terms.keys().any(|&t| t != var && free_vars(t).contains(&var)) {
            continue;
        }
        // c * var + rest = 0
        let mut rest = sum.clone();
        rest.add_term(&-c.clone(), var);
        rest.scale(&-c.clone());
        return Some((var, rest.to_term()));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::parse::{Scope, parse_term};

    fn check(conjuncts: &str, keep: &str, expected: &[&str]) {
        let mut scope = Scope::new();
        for name in ["x", "y", "z", "h"] {
            scope.declare(name, &[], Sort::Int);
        }
        for name in ["u", "v"] {
            scope.declare(name, &[], Sort::Bv(8));
        }
        scope.declare("p", &[], Sort::Bool);
        let read = |text: &str| parse_term(text, &scope).unwrap_or_else(|e| panic!("{text}: {e}"));
        let keep: BTreeSet<Term> = keep.split_whitespace().map(read).collect();
        let mut expected: Vec<Term> = expected.iter().map(|t| read(t)).collect();
        expected.sort();
        assert_eq!(project(&[read(conjuncts)], &keep), expected, "{conjuncts}");
    }

    #[test]
    fn equations_are_used_up() {
        check("(and (= x (+ y 1)) (= y (* 2 z)) (> x h))", "z h", &["(> (+ 1 (* 2 z)) h)"]);
        check("(and (= x (+ y 1)) (> x 3))", "y", &["(> y 2)"]);
        // Not solvable for x without a division.
        check("(and (= (* 2 x) y) (> y 3))", "y", &["(> y 3)"]);
        check("(and (= x (* x y)) (> y 3))", "y", &["(> y 3)"]);
        check("(and p (=> p (> y 3)))", "y", &["(> y 3)"]);
        check("(and (= (bvsub u v) #x01) (bvult u #x04))", "v", &["(bvult (bvadd v #x01) #x04)"]);
        check("(and (= (bvsub v u) #x01) (bvult u #x04))", "v", &["(bvult (bvsub v #x01) #x04)"]);
        check("(> x 3)", "y", &[]);
        check("(and (= x 3) (= x 4))", "y", &["false"]);
    }
}
