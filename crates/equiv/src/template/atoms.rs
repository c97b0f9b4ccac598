//! Formulas that may hold at a location: comparisons of the code and their neighbours, equalities, orders,
//! bounds.

use super::{is_token, nodes, speaks_of};
use crate::product::{Located, Product};
use crate::side::Slot;
use logic::{IBig, Linear, Op, Sort, Term};
use std::collections::BTreeSet;

const MOST_CONSTANTS: usize = 4;

/// The constants that the code compares with, anywhere: the most frequent ones.
pub fn compared_constants(product: &Product) -> Vec<Term> {
    let mut counts: Vec<(Term, usize)> = Vec::new();
    for located in &product.locations {
        for t in nodes(&located.formulas) {
            if !matches!(t.op(), Op::Le | Op::Eq | Op::BvSle | Op::BvSlt | Op::BvUle | Op::BvUlt) {
                continue;
            }
            let constants = t.args().iter().copied().filter(|a| a.is_const() && a.sort().is_number());
            for constant in constants.chain(hidden_bound(t)).filter(|c| !bounds_a_type(*c)) {
                match counts.iter_mut().find(|(c, _)| *c == constant) {
                    Some((_, n)) => *n += 1,
                    None => counts.push((constant, 1)),
                }
            }
        }
    }
    counts.sort_by_key(|(t, n)| (std::cmp::Reverse(*n), *t));
    counts.into_iter().take(MOST_CONSTANTS).map(|(t, _)| t).collect()
}

/// Is this where a type of at least 32 bits ends? Values are compared with that wherever they may wrap.
fn bounds_a_type(constant: Term) -> bool {
    let Some(c) = constant.as_int() else { return false };
    let size = u128::try_from(c.clone().max(-c)).unwrap_or(0);
    (-1..=1).any(|d| size.checked_add_signed(d).is_some_and(|n| n.is_power_of_two() && n >= 1 << 31))
}

/// What a number is compared with in `x + 5 <= 0` and `0 <= x + 5`, which is how negative bounds are written:
/// the least value on the side that has one.
fn hidden_bound(comparison: Term) -> Option<Term> {
    let (Op::Le, [a, b]) = (comparison.op(), comparison.args()) else { return None };
    let difference = Linear::of(a.sub(*b));
    let (Some((_, factor)), 1) = (difference.terms.iter().next(), difference.terms.len()) else {
        return None;
    };
    match () {
        _ if *factor == IBig::ONE => Some(Term::int(IBig::ONE - difference.constant)),
        _ if *factor == IBig::NEG_ONE => Some(Term::int(difference.constant)),
        _ => None,
    }
}

/// Equality of what is not a number: memories, floats, of corresponding slots first.
pub fn equal_pairs(located: &Located) -> Vec<Term> {
    let mut atoms = Vec::new();
    for (slot, old) in &located.slots[0] {
        if old.sort().is_number() {
            continue;
        }
        for (other, new) in &located.slots[1] {
            let memory = matches!((slot, other), (Slot::Memory(a), Slot::Memory(b)) if a == b);
            if old.sort() == new.sort() && (memory || !old.sort().is_array()) {
                atoms.push(old.equals(*new));
            }
        }
    }
    atoms
}

/// The comparisons that the code makes, with their neighbours.
pub fn comparisons(formulas: &[Term], known: &BTreeSet<Term>) -> Vec<Term> {
    let mut atoms = Vec::new();
    for t in nodes(formulas) {
        if t.sort() != Sort::Bool || !speaks_of(t, known) {
            continue;
        }
        let [a, b] = t.args() else { continue };
        let (a, b) = (*a, *b);
        match t.op() {
            Op::Le => atoms.extend([
                a.int_le(b),
                a.int_lt(b),
                b.int_le(a),
                b.int_lt(a),
                a.int_le(b.add(Term::int(1))),
            ]),
            Op::BvSle | Op::BvSlt => atoms.extend([a.sle(b), a.slt(b), b.sle(a), b.slt(a)]),
            Op::BvUle | Op::BvUlt => atoms.extend([a.ule(b), a.ult(b), b.ule(a), b.ult(a)]),
            Op::Eq if a.sort().is_number() => atoms.extend([t, t.not()]),
            _ => {}
        }
    }
    atoms
}

/// How far one loop may be ahead of the other, counted in what is left until they end.
pub fn phases(stays: &[Term]) -> Vec<Term> {
    let left = |stay: &Term| match (stay.op(), stay.args()) {
        (Op::Le, [a, b]) => Some(b.sub(*a)),
        _ => None,
    };
    let [Some(old), Some(new)] = [stays.first().and_then(left), stays.get(1).and_then(left)] else {
        return Vec::new();
    };
    let ahead = old.sub(new);
    (-2..=2).flat_map(|k| [ahead.int_le(Term::int(k)), Term::int(k).int_le(ahead)]).collect()
}

/// Sides with more numbers are not compared pairwise.
const MOST_ORDERED: usize = 7;

/// How the numbers of one side stand to each other: pointers that do not meet, indices in bounds.
pub fn orders(located: &Located) -> Vec<Term> {
    let mut atoms = Vec::new();
    for slots in &located.slots {
        let numbers: Vec<Term> =
            slots.iter().map(|(_, t)| *t).filter(|t| t.sort().is_number() && !is_token(*t)).collect();
        if numbers.len() > MOST_ORDERED {
            continue;
        }
        for (i, &a) in numbers.iter().enumerate() {
            for &b in numbers[i + 1..].iter().filter(|b| b.sort() == a.sort()) {
                atoms.push(a.differs(b));
                match a.sort() {
                    Sort::Int => atoms.extend([a.int_le(b), b.int_le(a)]),
                    _ => atoms.extend([a.ule(b), b.ule(a)]),
                }
            }
        }
    }
    atoms
}

/// Numbers against the constants that the code compares something with.
pub fn bounds(numbers: &[Term], constants: &[Term]) -> Vec<Term> {
    let mut atoms = Vec::new();
    for &c in constants {
        for &t in numbers.iter().filter(|t| t.sort() == c.sort() && (t.is_var() || *t.op() == Op::Select)) {
            atoms.push(t.differs(c));
            match t.sort() {
                Sort::Int => atoms.extend([t.int_le(c), c.int_le(t)]),
                _ => atoms.extend([t.sle(c), c.sle(t)]),
            }
        }
    }
    atoms
}

pub fn signs(numbers: &[Term]) -> Vec<Term> {
    let mut atoms = Vec::new();
    for t in numbers.iter().filter(|t| t.is_var()) {
        match t.sort() {
            Sort::Int => atoms.push(Term::int(0).int_le(*t)),
            Sort::Bv(width) => atoms.push(Term::bv(0, width).sle(*t)),
            _ => {}
        }
    }
    atoms
}
