//! Where coupling predicates are looked for: the spaces that the candidate solver searches.
//!
//! All numbers of a location, and the memory cells that the code at hand reads, can be related by equations; memories can be equal;
//! the comparisons that the code makes may be invariants. What each loop is about to do splits the states: while both go on they are
//! related in one way, while one waits for the other in another.

use crate::product::{Located, Product};
use crate::side::{Place, Slot};
use encode::IntMode;
use horn::affine::Ring;
use horn::candidates::{Group, Space};
use horn::sample::{Point, Points};
use horn::{Clause, PredId, System};
use logic::{IBig, Linear, Op, Sort, Term, Value};
use std::collections::{BTreeSet, HashSet};

/// How much to look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Products of two numbers are numbers of their own.
    pub products: bool,
    /// So many comparisons of the code split the states, besides what loops are about to do.
    pub splits: usize,
    /// Congruences modulo small powers of two: parities.
    pub parities: bool,
    /// How the numbers of one side stand to each other.
    pub orders: bool,
}

/// At most this many memory cells, products and candidate atoms for a location.
const MOST_CELLS: usize = 10;
const MOST_PRODUCTS: usize = 15;
const MOST_ATOMS: usize = 200;
const MOST_CONSTANTS: usize = 4;
const MOST_MODULI: usize = 3;

/// One space for each predicate. `points` are known to be reached, if there are any.
pub fn spaces(product: &Product, mode: IntMode, effort: Effort, points: &Points) -> Vec<Space> {
    let preds = product.system.preds.iter().zip(&product.locations).enumerate();
    let constants = compared_constants(product);
    let pre = both_sides(product);
    let moduli = moduli(product);
    preds
        .map(|(number, (pred, located))| {
            let points = points.get(number).map_or(&[][..], |p| p);
            let steady = steady(&product.system, PredId(number as u32));
            let known: BTreeSet<Term> = pred.params.iter().copied().collect();
            let hopes = hopes(product, located, &known);
            let extra =
                if effort.splits > 0 { splitters(product, located, &hopes, &known) } else { Vec::new() };
            space(
                &pred.params,
                located,
                mode,
                &extra,
                (pre, &constants, &hopes),
                (effort, &moduli),
                (points, steady.as_ref()),
            )
        })
        .collect()
}

/// The precondition about the old version's inputs, and, where they are equal, the same about the new version's.
fn both_sides(product: &Product) -> Term {
    let Some(start) = product.locations.first() else { return product.pre };
    let mut pairs = Vec::new();
    for (slot, old) in &start.slots[0] {
        let new = start.slots[1].iter().find(|(s, t)| s == slot && t.sort() == old.sort());
        pairs.extend(new.map(|(_, new)| (*old, *new)));
    }
    product.pre.and(logic::Substitution::new(pairs).apply(product.pre))
}

/// The constants that the code compares with, anywhere: the most frequent ones.
fn compared_constants(product: &Product) -> Vec<Term> {
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

/// What a number is compared with in `x + 5 <= 0` and `0 <= x + 5`, which is how negative bounds are written: the least value on
/// the side that has one.
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

/// Predicates to start an abstraction with: equations of corresponding variables and memories, comparisons of the code.
pub fn seeds(product: &Product, mode: IntMode) -> Vec<Vec<Term>> {
    let effort = Effort { products: false, splits: 0, parities: false, orders: false };
    let spaces = spaces(product, mode, effort, &Points::new());
    let preds = spaces.into_iter().zip(&product.locations);
    preds
        .map(|(space, located)| {
            let mut seeds = located.stays.clone();
            for (_, old) in &located.slots[0] {
                let name = old.var_name().and_then(|n| n.strip_prefix("old."));
                let partner = located.slots[1].iter().find(|(_, new)| {
                    new.sort() == old.sort() && new.var_name().and_then(|n| n.strip_prefix("new.")) == name
                });
                seeds.extend(partner.map(|(_, new)| old.equals(*new)));
            }
            seeds.extend(space.atoms.into_iter().take(24));
            seeds.retain(|s| !s.is_const());
            seeds
        })
        .collect()
}

/// What would make the goal true if both versions ended now.
fn hopes(product: &Product, located: &Located, known: &BTreeSet<Term>) -> Vec<Term> {
    let end = product.locations.iter().find(|l| {
        let at_end = |p: Option<Place>| p.is_none_or(|p| p == Place::End);
        l.location.unit == located.location.unit && at_end(l.location.old) && at_end(l.location.new)
    });
    let Some(end) = end.filter(|e| e.location != located.location) else { return Vec::new() };
    let mut hopes = Vec::new();
    for old in &located.ends[0] {
        for new in &located.ends[1] {
            let mut subst = logic::Substitution::new(old.iter().chain(new).copied());
            for goal in end.goals.iter().flat_map(|g| [vec![*g], g.conjuncts()].concat()) {
                let hope = subst.apply(goal);
                if speaks_of(hope, known)
                    && !hope.is_const()
                    && hopes.len() < MOST_CELLS
                    && !hopes.contains(&hope)
                {
                    hopes.push(hope);
                }
            }
        }
    }
    hopes
}

/// The comparisons that the code makes here, or, at the end of a function, those that it made on its parameters.
fn splitters(product: &Product, located: &Located, hopes: &[Term], known: &BTreeSet<Term>) -> Vec<Term> {
    let atoms = |formulas: &[Term], known: &BTreeSet<Term>| -> Vec<Term> {
        let is = |t: &Term| {
            matches!(t.op(), Op::Le | Op::BvSle | Op::BvSlt | Op::BvUle | Op::BvUlt)
                || *t.op() == Op::Eq && t.args()[0].sort().is_number()
        };
        let mut list = Vec::new();
        for t in nodes(formulas).into_iter().filter(|t| is(t) && speaks_of(*t, known)) {
            // A counter that meets a value is below it before and above it afterwards.
            if let (Op::Eq, Sort::Int, [a, b]) = (t.op(), t.args()[0].sort(), t.args())
                && !b.is_const()
            {
                list.extend([a.int_le(*b), b.int_le(*a)]);
            } else {
                list.push(t);
            }
        }
        list
    };
    // Only what a relational goal compares with constants is worth a split of its own.
    let constant = |t: &Term| t.args().iter().any(|a| a.is_const());
    let mut found: Vec<Term> = Vec::new();
    if product.relational {
        found.extend(atoms(hopes, known).into_iter().filter(constant));
    }
    // Where one number stands to another says more than how it compares with a constant.
    let (with_constants, others): (Vec<Term>, Vec<Term>) =
        atoms(&located.formulas, known).into_iter().partition(constant);
    found.extend(others);
    found.extend(with_constants);
    let at_end = |p: Option<Place>| p.is_none_or(|p| p == Place::End);
    if at_end(located.location.old) && at_end(located.location.new) {
        let start = product.locations.iter().find(|l| {
            let at_start = |p: Option<Place>| p.is_none_or(|p| p == Place::Start);
            l.location.unit == located.location.unit && at_start(l.location.old) && at_start(l.location.new)
        });
        if let Some(start) = start {
            let params: BTreeSet<Term> = start.slots.iter().flatten().map(|(_, t)| *t).collect();
            let mut first_values = Vec::new();
            for side in 0..2 {
                for (slot, var) in &start.slots[side] {
                    let Slot::Local(id) = slot else { continue };
                    let ghost = located.slots[side].iter().find(|(s, _)| *s == Slot::Ghost(*id));
                    first_values.extend(ghost.map(|(_, t)| (*var, *t)));
                }
            }
            let mut subst = logic::Substitution::new(first_values);
            found.extend(atoms(&start.formulas, &params).into_iter().map(|t| subst.apply(t)));
        }
    }
    found
}

fn space(
    params: &[Term],
    located: &Located,
    mode: IntMode,
    extra: &[Term],
    (pre, constants, hopes): (Term, &[Term], &[Term]),
    (effort, moduli): (Effort, &[u32]),
    (points, steady): (&[Point], Option<&BTreeSet<Term>>),
) -> Space {
    let known: BTreeSet<Term> = params.iter().copied().collect();
    let mut splits: Vec<Term> = Vec::new();
    let most = located.stays.len() + effort.splits;
    for split in located.stays.iter().chain(extra) {
        if splits.len() < most
            && speaks_of(*split, &known)
            && !split.is_const()
            && !splits.contains(split)
            && !splits.contains(&split.not())
        {
            splits.push(*split);
        }
    }
    let mut numbers: Vec<Term> =
        params.iter().copied().filter(|p| p.sort().is_number() && !is_token(*p) && !is_address(*p)).collect();
    numbers.extend(cells(&located.formulas, &known));
    numbers.extend(transferred(&located.formulas, &known, &numbers));
    if mode == IntMode::Bv {
        numbers.extend(extensions(&located.formulas, &known));
    }
    if effort.products {
        let factors: Vec<Term> =
            numbers.iter().copied().filter(|n| steady.is_none_or(|s| s.contains(n))).collect();
        numbers.extend(products(&independent(&factors, params, points)));
    }
    let mut groups = groups(&numbers, moduli, mode, effort);
    let tokens: Vec<Term> = params.iter().copied().filter(|p| is_token(*p)).collect();
    if !tokens.is_empty() {
        groups.push(Group { ring: Ring::Rational, terms: tokens });
    }
    let mut atoms = located.goals.clone();
    atoms.extend(hopes);
    atoms.extend(equal_pairs(located));
    atoms.extend(pre.conjuncts().into_iter().filter(|t| speaks_of(*t, &known)));
    atoms.extend(comparisons(&[pre], &known));
    atoms.extend(comparisons(&located.formulas, &known));
    atoms.extend(phases(&located.stays));
    if effort.orders {
        atoms.extend(orders(located));
    }
    atoms.extend(signs(&numbers));
    atoms.extend(bounds(&numbers, constants));
    let mut seen = HashSet::new();
    atoms.retain(|a| !a.is_const() && seen.insert(*a));
    atoms.truncate(MOST_ATOMS);
    Space { splits, groups, atoms }
}

/// World, allocations and inputs: related to each other only.
fn is_token(param: Term) -> bool {
    param
        .var_name()
        .is_some_and(|n| n.ends_with("world!") || n.ends_with("allocations!") || n.ends_with("inputs!"))
}

/// Of an object: it is what it is, and nothing is computed from it but other addresses.
fn is_address(param: Term) -> bool {
    param.var_name().is_some_and(|n| n.starts_with('&'))
}

fn speaks_of(term: Term, known: &BTreeSet<Term>) -> bool {
    logic::free_vars(term).iter().all(|v| known.contains(v))
}

fn groups(numbers: &[Term], moduli: &[u32], mode: IntMode, effort: Effort) -> Vec<Group> {
    let sorts: BTreeSet<Sort> = numbers.iter().map(|t| t.sort()).collect();
    let mut groups = Vec::new();
    for sort in sorts {
        let terms: Vec<Term> = numbers.iter().copied().filter(|t| t.sort() == sort).collect();
        match sort {
            Sort::Bv(width) => groups.push(Group { ring: Ring::Modulo(width), terms }),
            _ => {
                let widths: Vec<u32> = match (effort.products, effort.parities) {
                    // Closed forms of sums halve a product: twice the sum is known modulo twice the modulus.
                    (true, _) => moduli.iter().map(|w| w + 1).collect(),
                    (_, true) if moduli.is_empty() => vec![4],
                    (_, true) => moduli.to_vec(),
                    _ if mode == IntMode::Wrap => moduli.to_vec(),
                    _ => Vec::new(),
                };
                for width in widths {
                    groups.push(Group { ring: Ring::Modulo(width), terms: terms.clone() });
                }
                groups.push(Group { ring: Ring::Rational, terms });
            }
        }
    }
    groups
}

/// The powers of two that the code computes modulo, anywhere, as exponents.
fn moduli(product: &Product) -> Vec<u32> {
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

/// All nodes of some terms, each once.
fn nodes(formulas: &[Term]) -> Vec<Term> {
    let mut seen = HashSet::new();
    let mut stack: Vec<Term> = formulas.iter().rev().copied().collect();
    let mut all = Vec::new();
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            all.push(t);
            stack.extend(t.args().iter().rev());
        }
    }
    all
}

/// The memory cells that are read, as they are at this location.
fn cells(formulas: &[Term], known: &BTreeSet<Term>) -> Vec<Term> {
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

/// What the code computes from one number, as a quotient, computed from every other number too: one version may be a division
/// ahead of the other.
fn transferred(formulas: &[Term], known: &BTreeSet<Term>, numbers: &[Term]) -> Vec<Term> {
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
            // Where the code knows that a number is not negative, it divides as if none were; elsewhere it may be.
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
fn extensions(formulas: &[Term], known: &BTreeSet<Term>) -> Vec<Term> {
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
fn steady(system: &System, pred: PredId) -> Option<BTreeSet<Term>> {
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
fn independent(numbers: &[Term], params: &[Term], points: &[Point]) -> Vec<Term> {
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

fn products(numbers: &[Term]) -> Vec<Term> {
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

/// Equality of what is not a number: memories, floats, of corresponding slots first.
fn equal_pairs(located: &Located) -> Vec<Term> {
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
fn phases(stays: &[Term]) -> Vec<Term> {
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
fn orders(located: &Located) -> Vec<Term> {
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
fn bounds(numbers: &[Term], constants: &[Term]) -> Vec<Term> {
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

fn signs(numbers: &[Term]) -> Vec<Term> {
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
