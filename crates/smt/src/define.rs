//! Equations as definitions: what is asserted later is written without the variables that earlier equations
//! define.
//!
//! An asserted `x = e` stays asserted, and `x` is replaced by `e` in everything else. That is sound at any
//! level and leaves models and cores as they are. It matters most for bit-vectors: with `x1 = x2` and
//! `y1 + s = y2` known, one step of two programs that do the same becomes one and the same term here, while
//! Z3's core compares bit by bit (2 s for 32 bits, no answer for 64). Z3's own incremental `solve-eqs` is not
//! used: version 5.4 takes an assumption of an earlier check for a fact and then answers "unsat" where there
//! are models.

use logic::{IBig, Linear, Op, Sort, Substitution, Term, free_vars, size};
use std::collections::BTreeSet;

/// The definitions of all open levels.
pub(crate) struct Definitions {
    levels: Vec<Level>,
    /// Added at the current level since the last flush.
    pending: Vec<Term>,
}

impl Default for Definitions {
    fn default() -> Definitions {
        Definitions { levels: vec![Level::default()], pending: Vec::new() }
    }
}

#[derive(Clone, Default)]
struct Level {
    pairs: Vec<(Term, Term)>,
    /// Of all levels up to this one; None until it is needed.
    all: Option<Substitution>,
}

/// Larger right sides are not copied into other formulas.
const LARGEST: usize = 2000;
/// How often definitions are looked for in formulas that were rewritten by the ones found before.
const ROUNDS: usize = 4;

impl Definitions {
    pub(crate) fn push(&mut self) {
        let all = self.levels.last().and_then(|l| l.all.clone());
        self.levels.push(Level { pairs: Vec::new(), all });
    }

    /// What is pending is of the level that goes.
    pub(crate) fn pop(&mut self) {
        if self.levels.len() > 1 {
            self.levels.pop();
        }
        self.pending.clear();
    }

    pub(crate) fn add(&mut self, formula: Term) {
        self.pending.extend(formula.conjuncts());
    }

    /// What is to be asserted at the current level for the formulas added since the last time.
    pub(crate) fn flush(&mut self) -> Vec<Term> {
        if self.pending.is_empty() {
            return Vec::new();
        }
        let mut formulas: BTreeSet<Term> = std::mem::take(&mut self.pending).into_iter().collect();
        let mut equations = BTreeSet::new();
        for _ in 0..ROUNDS {
            formulas = formulas.iter().flat_map(|f| self.apply(*f).conjuncts()).collect();
            let found = definitions(&formulas);
            if found.is_empty() {
                break;
            }
            for (formula, variable, meaning) in found {
                formulas.remove(&formula);
                equations.insert(formula);
                if let Some(level) = self.levels.last_mut() {
                    level.pairs.push((variable, meaning));
                    level.all = None;
                }
            }
        }
        formulas = formulas.iter().flat_map(|f| self.apply(*f).conjuncts()).collect();
        equations.into_iter().chain(formulas).collect()
    }

    /// Equivalent under the equations that hold at the current level.
    pub(crate) fn apply(&mut self, formula: Term) -> Term {
        if self.levels.iter().all(|l| l.pairs.is_empty()) {
            return formula;
        }
        let Some(all) = self.levels.last_mut().map(|l| l.all.take()) else { return formula };
        let pairs = || self.levels.iter().flat_map(|l| l.pairs.iter().copied());
        let mut all = all.unwrap_or_else(|| Substitution::new(pairs()));
        // Meanings mention variables that were defined later.
        let term = all.apply_through(formula);
        if let Some(level) = self.levels.last_mut() {
            level.all = Some(all);
        }
        term
    }
}

/// Equations of these formulas that can be definitions together: none mentions a variable that another one
/// defines.
fn definitions(formulas: &BTreeSet<Term>) -> Vec<(Term, Term, Term)> {
    let mut found: Vec<(Term, Term, Term)> = Vec::new();
    let mut defined: BTreeSet<Term> = BTreeSet::new();
    let mut used: BTreeSet<Term> = BTreeSet::new();
    for &formula in formulas {
        for (variable, meaning) in solve(formula) {
            let inside = free_vars(meaning);
            let clash = defined.contains(&variable)
                || used.contains(&variable)
                || inside.iter().any(|v| defined.contains(v));
            if clash || inside.contains(&variable) || size(meaning) > LARGEST {
                continue;
            }
            defined.insert(variable);
            used.extend(inside);
            found.push((formula, variable, meaning));
            break;
        }
    }
    found
}

/// The ways to read a formula as `variable = meaning`. The variable may occur in the meaning.
pub(crate) fn solve(formula: Term) -> Vec<(Term, Term)> {
    match (formula.op(), formula.args()) {
        (Op::Var(_), _) => vec![(formula, Term::bool(true))],
        (Op::Not, &[p]) if p.is_var() => vec![(p, Term::bool(false))],
        (Op::Eq, &[a, b]) if a.sort().is_number() => solve_sum(a, b),
        (Op::Eq, &[a, b]) => [(a, b), (b, a)]
            .into_iter()
            .filter_map(|(x, y)| match x.op() {
                Op::Var(_) => Some((x, y)),
                Op::Not if x.args()[0].is_var() => Some((x.args()[0], y.not())),
                _ => None,
            })
            .collect(),
        // p differs from q.
        (Op::Not, &[e]) if *e.op() == Op::Eq && e.args()[0].sort() == Sort::Bool => {
            let (a, b) = (e.args()[0], e.args()[1]);
            [(a, b.not()), (b, a.not())].into_iter().filter(|(x, _)| x.is_var()).collect()
        }
        _ => Vec::new(),
    }
}

/// Variables with coefficient one or minus one in `a - b = 0`.
fn solve_sum(a: Term, b: Term) -> Vec<(Term, Term)> {
    solve_factor(a, b, |c, sort| {
        (*c == IBig::ONE || Term::number(sort, c.clone()) == Term::number(sort, -1)).then(|| c.clone())
    })
}

/// The other ways to read an equation of bit-vectors as a definition: odd factors have an inverse.
pub(crate) fn solve_odd(formula: Term) -> Vec<(Term, Term)> {
    match (formula.op(), formula.args(), formula.args().first().map(|a| a.sort())) {
        (Op::Eq, &[a, b], Some(Sort::Bv(width))) => solve_factor(a, b, |c, _| {
            let c = u128::try_from(c.clone()).ok().filter(|c| c % 2 == 1)?;
            // Newton's iteration doubles the number of right bits, from three.
            let inverse = (0..6).fold(c, |x, _| x.wrapping_mul(2u128.wrapping_sub(c.wrapping_mul(x))));
            Term::bv(inverse, width).as_bv().map(IBig::from)
        }),
        _ => Vec::new(),
    }
}

/// The variables of `a - b = 0` whose factor has an inverse, by the others.
fn solve_factor(a: Term, b: Term, inverse: impl Fn(&IBig, Sort) -> Option<IBig>) -> Vec<(Term, Term)> {
    let mut sum = Linear::of(a);
    sum.add_term(&IBig::NEG_ONE, b);
    let mut solutions = Vec::new();
    for (&t, c) in sum.terms.iter().rev().filter(|(t, _)| t.is_var()) {
        let Some(inverse) = inverse(c, sum.sort) else { continue };
        let mut rest = sum.clone();
        rest.terms.remove(&t);
        rest.scale(&-inverse);
        solutions.push((t, rest.to_term()));
    }
    solutions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved() {
        let var = |n: &str| Term::var(n, Sort::Bv(8));
        let (x, y) = (var("x"), var("y"));
        let three = |t: Term| t.scale(&IBig::from(3));
        let equation = three(x).add(y.scale(&IBig::from(2))).equals(Term::bv(5, 8));
        assert_eq!(solve(equation), []);
        let [(variable, meaning)] = solve_odd(equation)[..] else { panic!() };
        assert_eq!(variable, x);
        assert!(Substitution::new([(x, meaning)]).apply(equation).is_true(), "{meaning}");
        assert_eq!(solve(x.equals(three(y))), [(x, three(y))]);
        let (p, q) = (Term::var("p", Sort::Bool), Term::var("q", Sort::Bool));
        assert_eq!(solve(p.not()), [(p, Term::bool(false))]);
        assert!(solve(p.equals(q.not())).contains(&(q, p.not())));
        let (i, j) = (Term::var("i", Sort::Int), Term::var("j", Sort::Int));
        let twice = i.scale(&IBig::from(2));
        assert_eq!(solve(twice.equals(j.add(Term::int(1)))), [(j, twice.sub(Term::int(1)))]);
    }

    #[test]
    fn definitions_hold_at_their_level() {
        let [x, y, z] = ["x", "y", "z"].map(|n| Term::var(n, Sort::Int));
        let mut d = Definitions::default();
        d.add(x.equals(y.add(Term::int(1))));
        // Together: the second one is written without what the first one defines.
        d.add(z.equals(x).and(x.int_lt(z)));
        let asserted = d.flush();
        assert!(asserted.contains(&Term::bool(false)), "{asserted:?}");
        let mut d = Definitions::default();
        d.add(x.equals(y));
        assert_eq!(d.flush(), [x.equals(y)]);
        d.push();
        d.add(y.equals(z));
        d.flush();
        assert!(d.apply(x.equals(z)).is_true());
        d.pop();
        assert!(!d.apply(x.equals(z)).is_true() && d.apply(x.equals(y)).is_true());
    }
}
