//! Formulas: constants by one, comparisons turned, conditions dropped, variables taken for others.

use logic::{IBig, Op, Sort, Term, bottom_up, rebuild, subterms};
use rustc_hash::FxHashMap;
use testing::Random;

/// Another formula. `others` are formulas that something may be taken from; `vars` may be mentioned.
pub fn formula(term: Term, others: &[Term], vars: &[Term], random: &mut Random) -> (Term, &'static str) {
    let parts = term.conjuncts();
    let one = random.below(parts.len());
    match random.below(12) {
        0 => (Term::bool(true), "anything"),
        1 => (Term::bool(false), "nothing"),
        2 => (Term::all(parts.iter().enumerate().filter(|(i, _)| *i != one).map(|(_, p)| *p)), "a part less"),
        3 => (
            Term::all(parts.iter().enumerate().map(|(i, p)| if i == one { p.not() } else { *p })),
            "a part negated",
        ),
        4 if !others.is_empty() => (others[random.below(others.len())], "another one"),
        5 if !others.is_empty() => {
            let more = others[random.below(others.len())].conjuncts();
            let more = more.get(random.below(more.len())).copied().unwrap_or(term);
            (term.and(more), "a part more")
        }
        6 if !others.is_empty() => (term.or(others[random.below(others.len())]), "or another one"),
        7 => (compare(vars, random).map_or(term, |more| term.and(more)), "a comparison more"),
        _ => inside(term, vars, random),
    }
}

/// A comparison that somebody might guess.
fn compare(vars: &[Term], random: &mut Random) -> Option<Term> {
    let numbers: Vec<Term> = vars.iter().copied().filter(|v| number(v.sort())).collect();
    let left = *numbers.get(random.below(numbers.len()))?;
    let right = match random.below(2) {
        0 => *numbers.iter().filter(|v| v.sort() == left.sort()).nth(random.below(3))?,
        _ => constant(left.sort(), random.below(8) as u128)?,
    };
    Some(match (random.below(3), left.sort()) {
        (0, _) => left.equals(right),
        (1, Sort::Int) => left.int_le(right),
        (2, Sort::Int) => right.int_le(left),
        (1, _) => left.ule(right),
        _ => right.sle(left),
    })
}

fn number(sort: Sort) -> bool {
    matches!(sort, Sort::Int | Sort::Bv(_))
}

fn constant(sort: Sort, value: u128) -> Option<Term> {
    match sort {
        Sort::Int => Some(Term::int(IBig::from(value))),
        Sort::Bv(width) => Some(Term::bv(value & (u128::MAX >> (128 - width)), width)),
        _ => None,
    }
}

/// One place inside, wherever it occurs.
fn inside(term: Term, vars: &[Term], random: &mut Random) -> (Term, &'static str) {
    let mut changes: Vec<(Term, Term, &'static str)> = Vec::new();
    for part in subterms([term]) {
        let by_one = |value: Term| match part.sort() {
            Sort::Int => value.add(Term::int(1)),
            _ => value.add(Term::bv(1, value.width())),
        };
        match part.op() {
            Op::Int(value) => {
                changes.push((part, Term::int(value + IBig::ONE), "one more"));
                changes.push((part, Term::int(value - IBig::ONE), "one less"));
            }
            Op::Bv(_) => {
                changes.push((part, by_one(part), "one more"));
                changes.push((part, part.bvnot(), "bits flipped"));
            }
            Op::Le | Op::Lt | Op::BvUle | Op::BvUlt | Op::BvSle | Op::BvSlt | Op::Eq => {
                changes.push((part, part.not(), "a comparison negated"));
                if let ([left, right], false) = (part.args(), *part.op() == Op::Eq) {
                    changes.push((part, rebuild(part, &[*right, *left]), "a comparison turned"));
                }
            }
            Op::And | Op::Or if part.args().len() > 1 => {
                let other = if *part.op() == Op::And { Term::any } else { Term::all };
                changes.push((part, other(part.args().to_vec()), "and for or"));
            }
            Op::Var(_) => {
                let same = vars.iter().copied().filter(|v| v.sort() == part.sort() && *v != part);
                let same: Vec<Term> = same.collect();
                if let Some(other) = same.get(random.below(same.len())) {
                    changes.push((part, *other, "a variable for another"));
                }
                if number(part.sort()) {
                    changes.push((part, by_one(part), "a variable one more"));
                }
            }
            _ => {}
        }
    }
    if changes.is_empty() {
        return (term.not(), "negated");
    }
    let (from, to, what) = changes[random.below(changes.len())];
    (replaced(term, from, to), what)
}

fn replaced(term: Term, from: Term, to: Term) -> Term {
    // Under binders names may mean something else.
    if subterms([term]).any(|t| matches!(t.op(), Op::Forall | Op::Exists)) {
        return term.not();
    }
    let mut known = FxHashMap::default();
    known.insert(from, to);
    bottom_up(term, &mut known, |t, known| {
        let args: Vec<Term> = t.args().iter().map(|a| known[a]).collect();
        if args[..] == *t.args() { t } else { rebuild(t, &args) }
    })
}
