//! Arrays: reads pass over writes to other places.

use crate::number::Linear;
use crate::sort::Sort;
use crate::term::{Op, Term};
use dashu_int::IBig;

impl Term {
    pub fn select(self, index: Term) -> Term {
        select(self, index, &mut { REACH })
    }

    pub fn store(self, index: Term, value: Term) -> Term {
        // Writing back what is there changes nothing.
        if *value.op() == Op::Select && value.args()[0] == self && value.args()[1] == index {
            return self;
        }
        if *self.op() == Op::Store && same_place(self.args()[1], index) == Some(true) {
            return self.args()[0].store(index, value);
        }
        Term::make(Op::Store, [self, index, value], self.sort())
    }

    /// The array that holds `value` everywhere.
    pub fn const_array(index: Sort, value: Term) -> Term {
        Term::make(Op::ConstArray, [value], Sort::array(index, value.sort()))
    }
}

/// How many choices between arrays a read goes into. Terms are graphs: without a limit, it could take
/// forever.
const REACH: u32 = 16;

fn select(from: Term, index: Term, reach: &mut u32) -> Term {
    let mut array = from;
    loop {
        match (array.op(), array.args()) {
            (Op::Store, [rest, place, value]) => match same_place(*place, index) {
                Some(true) => return *value,
                Some(false) => array = *rest,
                None => match table(array, index, reach) {
                    Some(value) => return value,
                    None => break,
                },
            },
            (Op::ConstArray, [value]) => return *value,
            // A choice between two states of one array: most elements are the same in both.
            (Op::Ite, [c, a, b]) if *reach > 0 && base(*a, reach) == base(*b, reach) => {
                *reach = reach.saturating_sub(1);
                return c.ite(select(*a, index, reach), select(*b, index, reach));
            }
            _ => break,
        }
    }
    let element = array.sort().element().unwrap_or(Sort::Int);
    Term::make(Op::Select, [array, index], element)
}

/// Longer runs of constants are a table.
const TABLE: usize = 8;

/// A read from a table of constants: a choice by index, which solvers like better than that many writes.
fn table(array: Term, index: Term, reach: &mut u32) -> Option<Term> {
    let mut entries: Vec<(Term, Term, IBig)> = Vec::new();
    let mut rest = array;
    let (Op::Store, [_, first, _]) = (array.op(), array.args()) else { return None };
    while let (Op::Store, [inner, place, value]) = (rest.op(), rest.args()) {
        let mut distance = Linear::of(*place);
        distance.add_term(&IBig::NEG_ONE, *first);
        if !value.is_const() || !distance.is_constant() {
            break;
        }
        entries.push((*place, *value, distance.constant));
        rest = *inner;
    }
    if entries.len() < TABLE {
        return None;
    }
    let mut result = select(rest, index, reach);
    // From the oldest write to the latest; neighbours whose values ascend with them are one case.
    let mut run: Vec<&(Term, Term, IBig)> = Vec::new();
    for entry in entries.iter().rev().map(Some).chain([None]) {
        let follows = match (run.last(), entry) {
            (Some((_, v, d)), Some((_, w, e))) => match (v.as_int(), w.as_int()) {
                (Some(v), Some(w)) => index.sort() == Sort::Int && *e == d + IBig::ONE && *w == v + IBig::ONE,
                _ => false,
            },
            _ => true,
        };
        if !follows {
            result = case(&run, index, result);
            run.clear();
        }
        run.extend(entry);
    }
    Some(if run.is_empty() { result } else { case(&run, index, result) })
}

fn case(run: &[&(Term, Term, IBig)], index: Term, otherwise: Term) -> Term {
    let (Some((low, value, _)), Some((high, _, _))) = (run.first(), run.last()) else { return otherwise };
    if run.len() == 1 {
        return index.equals(*low).ite(*value, otherwise);
    }
    low.int_le(index).and(index.int_le(*high)).ite(index.sub(*low).add(*value), otherwise)
}

/// The array that was written to; of a choice, that of its first branch.
fn base(mut array: Term, reach: &mut u32) -> Term {
    loop {
        match (array.op(), array.args()) {
            (Op::Store, [rest, ..]) => array = *rest,
            (Op::Ite, [_, a, _]) if *reach > 0 => {
                *reach -= 1;
                array = *a;
            }
            _ => return array,
        }
    }
}

/// Are two indices the same, or different, whatever the variables are?
fn same_place(a: Term, b: Term) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    if a.is_const() && b.is_const() {
        return Some(false);
    }
    if !a.sort().is_number() {
        return None;
    }
    let mut difference = Linear::of(a);
    difference.add_term(&IBig::NEG_ONE, b);
    difference.is_constant().then(|| difference.constant == IBig::ZERO)
}
