//! Where coupling predicates are looked for: the spaces that the candidate solver searches.
//!
//! All numbers of a location, and the memory cells that the code at hand reads, can be related by equations;
//! memories can be equal; the comparisons that the code makes may be invariants. What each loop is about to
//! do splits the states: while both go on they are related in one way, while one waits for the other in
//! another.

mod atoms;
mod numbers;

use crate::product::{Located, Product};
use crate::side::{Place, Slot};
use atoms::{bounds, compared_constants, comparisons, equal_pairs, orders, phases, signs};
use encode::IntMode;
use encode::names::{is_address, split_version, token};
use horn::PredId;
use horn::affine::Ring;
use horn::sample::{Point, Points};
use horn::symbolic_abstraction::{Group, Template};
use logic::{Op, Sort, Term};
use numbers::{cells, extensions, independent, moduli, products, steady, transferred};
use std::collections::{BTreeSet, HashSet};

/// How much to look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Products of two numbers are numbers of their own.
    pub products: bool,
    /// So many comparisons of the code split the states, besides what loops are about to do.
    pub partitions: usize,
    /// Congruences modulo small powers of two: parities.
    pub parities: bool,
    /// How the numbers of one side stand to each other.
    pub orders: bool,
}

/// At most this many memory cells, and this many candidate atoms, for a location.
const MOST_CELLS: usize = 10;
const MOST_ATOMS: usize = 200;

/// One space for each predicate. `points` are known to be reached, if there are any.
pub fn templates(product: &Product, mode: IntMode, effort: Effort, points: &Points) -> Vec<Template> {
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
                if effort.partitions > 0 { splitters(product, located, &hopes, &known) } else { Vec::new() };
            template(
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

/// The precondition about the old version's inputs, and, where they are equal, the same about the new
/// version's.
fn both_sides(product: &Product) -> Term {
    let Some(start) = product.locations.first() else { return product.pre };
    let mut pairs = Vec::new();
    for (slot, old) in &start.slots[0] {
        let new = start.slots[1].iter().find(|(s, t)| s == slot && t.sort() == old.sort());
        pairs.extend(new.map(|(_, new)| (*old, *new)));
    }
    product.pre.and(logic::Substitution::new(pairs).apply(product.pre))
}

/// Predicates to start an abstraction with: equations of corresponding variables and memories, comparisons of
/// the code.
pub fn seeds(product: &Product, mode: IntMode) -> Vec<Vec<Term>> {
    let effort = Effort { products: false, partitions: 0, parities: false, orders: false };
    let templates = templates(product, mode, effort, &Points::new());
    let preds = templates.into_iter().zip(&product.locations);
    preds
        .map(|(template, located)| {
            let mut seeds = located.stays.clone();
            for (_, old) in &located.slots[0] {
                let name = |side: usize, v: &Term| match split_version(v.var_name()?) {
                    (Some(of), name) => (of == side).then_some(name),
                    _ => None,
                };
                let partner = located.slots[1]
                    .iter()
                    .find(|(_, new)| new.sort() == old.sort() && name(1, new) == name(0, old));
                seeds.extend(partner.map(|(_, new)| old.equals(*new)));
            }
            seeds.extend(template.atoms.into_iter().take(24));
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

/// The comparisons that the code makes here, or, at the end of a function, those that it made on its
/// parameters.
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
                    let ghost = located.slots[side].iter().find(|(s, _)| *s == Slot::First(*id));
                    first_values.extend(ghost.map(|(_, t)| (*var, *t)));
                }
            }
            let mut subst = logic::Substitution::new(first_values);
            found.extend(atoms(&start.formulas, &params).into_iter().map(|t| subst.apply(t)));
        }
    }
    found
}

fn template(
    params: &[Term],
    located: &Located,
    mode: IntMode,
    extra: &[Term],
    (pre, constants, hopes): (Term, &[Term], &[Term]),
    (effort, moduli): (Effort, &[u32]),
    (points, steady): (&[Point], Option<&BTreeSet<Term>>),
) -> Template {
    let known: BTreeSet<Term> = params.iter().copied().collect();
    let mut partitions: Vec<Term> = Vec::new();
    let most = located.stays.len() + effort.partitions;
    for split in located.stays.iter().chain(extra) {
        if partitions.len() < most
            && speaks_of(*split, &known)
            && !split.is_const()
            && !partitions.contains(split)
            && !partitions.contains(&split.not())
        {
            partitions.push(*split);
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
    Template { partitions, groups, atoms }
}

/// World, allocations and inputs: related to each other only.
fn is_token(param: Term) -> bool {
    let tokens = ["world", "allocations", "inputs"].map(token);
    param.var_name().is_some_and(|name| tokens.iter().any(|token| name.ends_with(token)))
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
