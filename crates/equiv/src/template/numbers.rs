//! Numbers among which equations are sought, besides variables: memory cells, quotients, products, and the
//! moduli of equations.

use super::{MOST_CELLS, nodes, speaks_of};
use crate::product::Product;
use horn::sample::Point;
use horn::{Clause, PredId, System};
use logic::{Op, Term, Value};
use std::collections::BTreeSet;

const MOST_PRODUCTS: usize = 15;

const MOST_MODULI: usize = 3;

/// The powers of two that the code computes modulo, anywhere, as exponents.
pub fn moduli(product: &Product) -> Vec<u32> {
    let mut found = BTreeSet::new();
    for t in product.locations.iter().flat_map(|l| nodes(&l.formulas)) {
        if let (Op::Mod, Some(m)) = (t.op(), t.args().get(1).and_then(|m| m.as_int()))
            && let Ok(m) = u128::try_from(m)
            && m.is_power_of_two()
            && m > 1
        {
            found.insert(m.trailing_zeros());
        }
    }
    found.into_iter().take(MOST_MODULI).collect()
}

/// The memory cells that are read, as they are at this location.
pub fn cells(formulas: &[Term], known: &BTreeSet<Term>) -> Vec<Term> {
    let mut found = Vec::new();
    for t in nodes(formulas) {
        if *t.op() == Op::Select && t.sort().is_number() {
            // A read after writes of this block: the same place before them.
            let mut array = t.args()[0];
            while *array.op() == Op::Store {
                array = array.args()[0];
            }
            let cell = array.select(t.args()[1]);
            if array.is_var() && speaks_of(cell, known) && !found.contains(&cell) {
                found.push(cell);
            }
        }
    }
    found.truncate(MOST_CELLS);
    found
}

/// What the code computes from one number, as a quotient, computed from every other number too: one version
/// may be a division ahead of the other.
pub fn transferred(formulas: &[Term], known: &BTreeSet<Term>, numbers: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    let is = |t: &Term| matches!(t.op(), Op::Div | Op::BvSdiv | Op::BvUdiv) && t.args()[1].is_const();
    let quotients: Vec<Term> = nodes(formulas).into_iter().filter(is).collect();
    let whole = |t: &Term| t.sort().is_number() && quotients.iter().any(|q| nodes(&[*t]).contains(q));
    for t in nodes(formulas).into_iter().filter(whole) {
        let vars = logic::free_vars(t);
        let (Some(&var), 1) = (vars.first(), vars.len()) else { continue };
        if logic::size(t) > 14 || !known.contains(&var) {
            continue;
        }
        for &other in numbers.iter().filter(|n| n.is_var() && n.sort() == var.sort()) {
            let mut new = logic::Substitution::new([(var, other)]).apply(t);
            // Where the code knows that a number is not negative, it divides as if none were; elsewhere it
            // may be.
            if let (Op::Div, true) = (new.op(), new.args()[0] == other) {
                new = Term::int(0).int_le(other).ite(new, other.neg().div(new.args()[1]).neg());
            }
            if !found.contains(&new) && !new.is_const() {
                found.push(new);
            }
        }
    }
    found.truncate(MOST_CELLS);
    found
}

/// Numbers widened to the size of an address: they and addresses can be related.
pub fn extensions(formulas: &[Term], known: &BTreeSet<Term>) -> Vec<Term> {
    let mut found = Vec::new();
    for t in nodes(formulas) {
        if matches!(t.op(), Op::SignExtend(_) | Op::ZeroExtend(_))
            && speaks_of(t, known)
            && !found.contains(&t)
        {
            found.push(t);
        }
    }
    found.truncate(MOST_CELLS);
    found
}

/// At a loop, the parameters that each round changes by a constant, if at all: sums are polynomials of them.
pub fn steady(system: &System, pred: PredId) -> Option<BTreeSet<Term>> {
    let is_loop = |c: &&Clause| matches!(&c.body[..], [b] if b.pred == pred && c.head.as_ref().is_some_and(|h| h.pred == pred));
    let loops: Vec<&Clause> = system.clauses.iter().filter(is_loop).collect();
    let changes_by_constant = |clause: &&Clause, i: usize| {
        let (before, after) = (clause.body[0].args[i], clause.head.as_ref().map(|h| h.args[i]));
        before.sort().is_number() && after.is_some_and(|after| after.sub(before).is_const())
    };
    let params = system.pred(pred).params.iter().enumerate();
    let found =
        params.filter(|(i, _)| loops.iter().all(|c| changes_by_constant(c, *i))).map(|(_, p)| *p).collect();
    (!loops.is_empty()).then_some(found)
}

/// Numbers that are no sums of multiples of the ones before them, as far as the points tell.
pub fn independent(numbers: &[Term], params: &[Term], points: &[Point]) -> Vec<Term> {
    // Modulo a large prime: dependent columns stay dependent, and others hardly become so.
    const PRIME: i128 = (1 << 61) - 1;
    let column = |t: Term| -> Option<Vec<i128>> {
        let value = |point: &Point| {
            let known = |v: Term| params.iter().position(|p| *p == v).map(|i| point[i].clone());
            match logic::eval(t, &known)? {
                Value::Int(n) => i128::try_from(n).ok(),
                Value::Bv { bits, width } => Some(((bits << (128 - width)) as i128) >> (128 - width)),
                _ => None,
            }
        };
        points.iter().map(|p| Some(value(p)?.rem_euclid(PRIME))).collect()
    };
    let inverse = |a: i128| {
        let (mut result, mut base, mut exponent) = (1, a, PRIME - 2);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result * base % PRIME;
            }
            (base, exponent) = (base * base % PRIME, exponent >> 1);
        }
        result
    };
    // Columns with a leading one each, at different points.
    let mut basis: Vec<(usize, Vec<i128>)> = Vec::new();
    let mut grows = |mut column: Vec<i128>| {
        for (lead, other) in &basis {
            let factor = column[*lead];
            for (c, o) in column.iter_mut().zip(other) {
                *c = (*c - factor * o).rem_euclid(PRIME);
            }
        }
        let Some(lead) = column.iter().position(|c| *c != 0) else { return false };
        let scale = inverse(column[lead]);
        column.iter_mut().for_each(|c| *c = *c * scale % PRIME);
        basis.push((lead, column));
        true
    };
    grows(vec![1; points.len()]);
    numbers.iter().copied().filter(|t| points.is_empty() || column(*t).is_none_or(&mut grows)).collect()
}

pub fn products(numbers: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    for (i, &a) in numbers.iter().enumerate() {
        for &b in &numbers[i..] {
            if a.sort() == b.sort() && found.len() < MOST_PRODUCTS {
                found.push(a.mul(b));
            }
        }
    }
    found
}
