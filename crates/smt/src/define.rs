//! Equations as definitions: what is asserted later is written without the variables that earlier equations define.
//!
//! An asserted `x = e` stays asserted, and `x` is replaced by `e` in everything else. That is sound at any level and leaves models
//! and cores as they are. It matters most for bit-vectors: with `x1 = x2` and `y1 + s = y2` known, one step of two programs
//! that do the same becomes one and the same term here, while Z3's core compares bit by bit (2 s for 32 bits, no answer
//! for 64). Z3's own incremental `solve-eqs` is not used: version 5.4 takes an assumption of an earlier check for a fact and
//! then answers "unsat" where there are models.

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
        let mut term = formula;
        loop {
            let next = all.apply(term);
            if next == term {
                break;
            }
            term = next;
        }
        if let Some(level) = self.levels.last_mut() {
            level.all = Some(all);
        }
        term
    }
}

/// Equations of these formulas that can be definitions together: none mentions a variable that another one defines.
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
    let mut sum = Linear::of(a);
    sum.add_term(&IBig::NEG_ONE, b);
    let mut solutions = Vec::new();
    for (&t, c) in sum.terms.iter().rev() {
        if !t.is_var() {
            continue;
        }
        let minus = Term::number(sum.sort, -1);
        let one = *c == IBig::ONE;
        if !one && Term::number(sum.sort, c.clone()) != minus {
            continue;
        }
        // t = -(rest), or -t + rest = 0.
        let mut rest = sum.clone();
        rest.terms.remove(&t);
        if one {
            rest.scale(&IBig::NEG_ONE);
        }
        solutions.push((t, rest.to_term()));
    }
    solutions
}
