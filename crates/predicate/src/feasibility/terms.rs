//! What formulas ask for: choices, addresses, definitions.

use crate::refine::atoms;
use logic::{Op, Sort, Substitution, Term, free_vars, subterms, subterms_in};
use rustc_hash::FxHashSet;

/// What choices compare with zero, each as what it is made of: if that is zero, so is the whole.
pub fn zeros(formulas: impl IntoIterator<Item = Term>) -> Vec<Vec<(Term, Term)>> {
    let mut found: FxHashSet<Term> = FxHashSet::default();
    let mut list = Vec::new();
    for t in subterms(formulas) {
        let choices = match t.op() {
            Op::Ite => &t.args()[..1],
            Op::Or => t.args(),
            _ => &[],
        };
        for atom in choices.iter().flat_map(|t| atoms(*t)) {
            if *atom.op() != Op::Eq || !atom.args().iter().any(is_zero) || !found.insert(atom) {
                continue;
            }
            let parts: Option<Vec<(Term, Term)>> =
                support(atom).into_iter().map(|part| Some((part, zero(part.sort())?))).collect();
            if let Some(parts) = parts
                && Substitution::new(parts.iter().copied()).apply(atom).is_true()
            {
                list.push(parts);
            }
        }
    }
    list
}

fn is_zero(t: &Term) -> bool {
    zero(t.sort()) == Some(*t)
}

/// Of numbers.
pub fn zero(sort: Sort) -> Option<Term> {
    match sort {
        Sort::Int => Some(Term::int(0)),
        Sort::Bv(width) => Some(Term::bv(0, width)),
        _ => None,
    }
}

/// Apart from others, and from what a program without undefined behaviour does not access.
pub fn address(number: u64, sort: Sort) -> Term {
    let address = (number + 1) << 20;
    match sort {
        Sort::Bv(width) => Term::bv(u128::from(address) & (u128::MAX >> (128 - width)), width),
        _ => Term::int(address),
    }
}

/// The addresses in these formulas that are not known, but do not depend on memory at others.
pub fn places(formulas: &[Term]) -> Vec<Term> {
    let place = |t: Term| match t.op() {
        Op::Select | Op::Store => Some(t.args()[1]),
        _ => None,
    };
    let open = |place: &Term| !place.is_const() && parts_of_places(&[*place]).is_empty();
    subterms(formulas.iter().copied()).filter_map(place).filter(open).collect()
}

/// What the addresses in these formulas are made of, from inside out: variables, and memory at addresses that
/// are known.
pub fn parts_of_places(formulas: &[Term]) -> Vec<Term> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut found = Vec::new();
    let mut work: Vec<(Term, bool)> = formulas.iter().map(|t| (*t, false)).collect();
    let mut inside: FxHashSet<Term> = FxHashSet::default();
    while let Some((t, is_place)) = work.pop() {
        if !(if is_place { inside.insert(t) } else { seen.insert(t) }) {
            continue;
        }
        let accesses = matches!(t.op(), Op::Select | Op::Store);
        if is_place {
            let cell = *t.op() == Op::Select && t.args()[0].is_var() && t.args()[1].is_const();
            if cell || t.is_var() && !t.sort().is_array() {
                found.push(t);
                continue;
            }
        }
        for (i, &arg) in t.args().iter().enumerate() {
            let place = accesses && i == 1;
            work.push((arg, place || is_place && !arg.sort().is_array()));
        }
    }
    found
}

/// The variable that an equation defines, if it is one that can be defined.
pub fn definition(literal: Term, can: &dyn Fn(Term) -> bool) -> Option<(Term, Term)> {
    match (literal.op(), literal.args()) {
        (Op::Eq, &[a, b]) => {
            let defines = |x: Term, t: Term| x.is_var() && can(x) && !free_vars(t).contains(&x);
            if defines(a, b) {
                Some((a, b))
            } else if defines(b, a) {
                Some((b, a))
            } else {
                None
            }
        }
        (Op::Var(_), _) if can(literal) => Some((literal, Term::bool(true))),
        (Op::Not, &[x]) if x.is_var() && can(x) => Some((x, Term::bool(false))),
        _ => None,
    }
}

/// What a formula defines, and the rest of it, both without what is defined.
pub fn split(formula: Term, can: &dyn Fn(Term) -> bool) -> (Vec<(Term, Term)>, Vec<Term>) {
    let mut definitions: Vec<(Term, Term)> = Vec::new();
    let mut rest = formula.conjuncts();
    while let Some((n, found)) = rest.iter().enumerate().find_map(|(n, t)| Some((n, definition(*t, can)?))) {
        rest.swap_remove(n);
        let mut by = Substitution::new([found]);
        definitions.iter_mut().for_each(|(_, meaning)| *meaning = by.apply(*meaning));
        rest = rest.iter().flat_map(|t| by.apply(*t).conjuncts()).filter(|t| !t.is_true()).collect();
        definitions.push(found);
    }
    (definitions, rest)
}

/// What has to be chosen in a term: conditions and addresses.
pub fn choices(term: Term) -> Vec<Term> {
    let chosen = |t: Term| match t.op() {
        Op::Ite => Some(t.args()[0]),
        Op::Select | Op::Store => Some(t.args()[1]),
        _ => None,
    };
    subterms([term]).filter_map(chosen).collect()
}

/// What a formula is about: variables, and cells of memory. Memory at addresses that are not known is all of
/// it.
pub fn support(formula: Term) -> Vec<Term> {
    let cell =
        |t: Term| t.is_var() || *t.op() == Op::Select && t.args()[0].is_var() && t.args()[1].is_const();
    subterms_in([formula], |t| if cell(t) { &[] } else { t.args() }).filter(|t| cell(*t)).collect()
}
