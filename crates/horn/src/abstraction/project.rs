//! Projection of a conjunction to some of its variables: equations are solved for the others, bounds are
//! combined, and what still mentions them is left out. So the result follows from the conjunction, and often
//! is as strong as it can be.

use logic::{IBig, Linear, Op, Sort, Substitution, Term, bottom_up, free_vars};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Conjuncts over variables of `keep` only that follow from the given ones.
pub fn project(conjuncts: &[Term], keep: &BTreeSet<Term>) -> Vec<Term> {
    let mut list: BTreeSet<Term> = conjuncts.iter().flat_map(|c| c.conjuncts()).collect();
    let mut work = 0;
    while let Some((equation, var, value)) = list.iter().find_map(|&c| solve(c, keep).map(|(v, t)| (c, v, t)))
    {
        work += list.len();
        if work > MOST_WORK {
            break;
        }
        list.remove(&equation);
        let mut by = Substitution::new([(var, value)]);
        list = list.iter().flat_map(|&c| by.apply(c).conjuncts()).collect();
    }
    join_equal(&mut list, keep);
    let mut left: BTreeSet<Term> = BTreeSet::new();
    list.iter().filter(|c| *c.op() == Op::Le).for_each(|&c| left.extend(free_vars(c)));
    left.retain(|v| !keep.contains(v));
    left.into_iter().for_each(|v| cancel(&mut list, v));
    // Formulas share much of what they are made of.
    let mut kept: FxHashMap<Term, bool> = FxHashMap::default();
    let stays = |t: Term, known: &FxHashMap<Term, bool>| match t.op() {
        Op::Var(_) => keep.contains(&t),
        Op::Forall | Op::Exists => free_vars(t).is_subset(keep),
        _ => t.args().iter().all(|a| known[a]),
    };
    list.retain(|&c| bottom_up(c, &mut kept, stays));
    list.into_iter().collect()
}

/// Conjuncts that are written anew; what is not solved by then is left out. Long paths have thousands of
/// them.
const MOST_WORK: usize = 100_000;

/// Of `a = t` and `b = t`, where `t` cannot stay, `a = b` stays.
fn join_equal(list: &mut BTreeSet<Term>, keep: &BTreeSet<Term>) {
    let mut seen: Vec<(Term, Term)> = Vec::new();
    let mut new = Vec::new();
    for equation in list.iter().filter(|c| *c.op() == Op::Eq) {
        let (a, b) = (equation.args()[0], equation.args()[1]);
        for (var, term) in [(a, b), (b, a)] {
            if !keep.contains(&var) || free_vars(term).is_subset(keep) {
                continue;
            }
            match seen.iter().find(|(_, t)| *t == term) {
                Some((other, _)) => new.push(var.equals(*other)),
                None => seen.push((var, term)),
            }
        }
    }
    list.extend(new);
}

/// Every upper bound of an integer variable with every lower bound (Fourier and Motzkin), in place of both.
fn cancel(list: &mut BTreeSet<Term>, var: Term) {
    let bounds: Vec<(Term, Linear, IBig)> = list
        .iter()
        .filter(|c| *c.op() == Op::Le)
        .filter_map(|&c| {
            // The sum is not negative.
            let mut sum = Linear::of(c.args()[1]);
            sum.add_term(&IBig::NEG_ONE, c.args()[0]);
            let factor = sum.terms.get(&var)?.clone();
            let hidden = sum.terms.keys().any(|&t| t != var && free_vars(t).contains(&var));
            (!hidden).then_some((c, sum, factor))
        })
        .collect();
    if bounds.len() > MOST_BOUNDS {
        return;
    }
    for (term, ..) in &bounds {
        list.remove(term);
    }
    for (_, upper, minus) in bounds.iter().filter(|b| b.2 < IBig::ZERO) {
        for (_, lower, plus) in bounds.iter().filter(|b| b.2 > IBig::ZERO) {
            let mut sum = Linear::zero(Sort::Int);
            sum.add(plus, upper);
            sum.add(&-minus.clone(), lower);
            list.insert(Term::int(0).int_le(sum.to_term()));
        }
    }
}

const MOST_BOUNDS: usize = 20;

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
        check("(and (< x y) (< z x) (<= h x))", "y z h", &["(<= (+ 2 z) y)", "(< h y)"]);
        check("(and (= y (* x x)) (= z (* x x)))", "y z", &["(= y z)"]);
        check("(and (= x 3) (= x 4))", "y", &["false"]);
    }
}
