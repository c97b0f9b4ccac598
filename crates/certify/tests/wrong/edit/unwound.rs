//! Unwound programs: other bounds, other loops widened, other invariants, other questions pruned, another
//! refutation.
//!
//! Without a refutation the checker looks for one itself. So whatever is said of bounds, loops, invariants
//! and pruned questions is put to the test by itself: if a wrong proof has any chance, it has it here.

use super::Material;
use super::bytes::refutation;
use engine::{
    Argument, Bounds, Condition, Invariant, LoopBound, LoopName, Operand, Place, Relation, Unwound, Widened,
};
use ir::{LoopForest, Program};
use testing::Random;

/// Only a bound.
pub fn plain(bound: u32) -> Unwound {
    Unwound {
        bounds: Bounds::new(bound),
        free: 0,
        widened: Widened::Nothing,
        invariants: Vec::new(),
        pruned: [].into(),
        refutation: None,
    }
}

pub fn edit(unwound: &mut Unwound, program: &Program, material: &Material, random: &mut Random) -> String {
    let loops = loops(program);
    match random.below(14) {
        0 | 1 => {
            unwound.bounds.every = number(u64::from(unwound.bounds.every), random) as u32;
            format!("the bound is {}", unwound.bounds.every)
        }
        2 => {
            unwound.bounds.recursion = match random.below(3) {
                0 => None,
                _ => Some(number(u64::from(unwound.bounds.of_recursion()), random) as u32),
            };
            format!("the bound for recursion is {:?}", unwound.bounds.recursion)
        }
        3 => {
            let Some(LoopName { function, number }) = pick(&loops, random) else { return nothing() };
            let bound = random.below(5) as u32;
            unwound.bounds.loops.push(LoopBound { function, number, bound });
            format!("loop {number} has the bound {bound}")
        }
        4 => {
            unwound.free = random.pick(&[0, 1, 100, 5000, u64::MAX]);
            format!("{} steps are free", unwound.free)
        }
        5 | 6 => widened(&mut unwound.widened, &loops, random),
        7..=9 => invariants(&mut unwound.invariants, &loops, random),
        10 | 11 => pruned(unwound, random),
        12 => {
            unwound.refutation = None;
            "without a refutation".to_owned()
        }
        _ => refutation(unwound, material, random),
    }
}

/// Near to what it was, or far from it; not so far that following it would take long.
pub fn number(was: u64, random: &mut Random) -> u64 {
    match random.below(6) {
        0 => 0,
        1 => was.saturating_sub(1),
        2 => was.saturating_add(1).min(40),
        3 => was / 2,
        _ => random.below(7) as u64,
    }
}

fn nothing() -> String {
    "nothing".to_owned()
}

fn pick<T: Clone>(list: &[T], random: &mut Random) -> Option<T> {
    list.get(random.below(list.len())).cloned()
}

/// All loops of a program, and some that it has not.
fn loops(program: &Program) -> Vec<LoopName> {
    let mut names = Vec::new();
    for function in &program.functions {
        let Some(cfa) = function.cfa() else { continue };
        let count = LoopForest::of(cfa).loops().len() as u32;
        let of = |number: u32| LoopName { function: function.name.to_string(), number };
        names.extend((1..=count).map(of));
    }
    names.push(LoopName { function: "main".to_owned(), number: 0 });
    names.push(LoopName { function: "main".to_owned(), number: 99 });
    names
}

fn widened(widened: &mut Widened, loops: &[LoopName], random: &mut Random) -> String {
    *widened = match (random.below(5), widened.clone()) {
        (0, _) => Widened::Nothing,
        (1, _) => Widened::All,
        (2, Widened::These(mut names)) if !names.is_empty() => {
            names.remove(random.below(names.len()));
            Widened::These(names)
        }
        (_, Widened::These(mut names)) => {
            names.extend(pick(loops, random));
            Widened::These(names)
        }
        (_, _) => Widened::These(pick(loops, random).into_iter().collect()),
    };
    format!("{widened:?} is widened")
}

fn invariants(list: &mut Vec<Invariant>, loops: &[LoopName], random: &mut Random) -> String {
    let at = random.below(list.len());
    match random.below(7) {
        0 if !list.is_empty() => {
            list.remove(at);
            format!("invariant {at} is gone")
        }
        1 if list.len() > 1 => {
            let other = random.below(list.len());
            list[at].left = list[other].left.clone();
            format!("invariant {at} is about what {other} is about")
        }
        2 if !list.is_empty() => {
            list[at].relation = relation(random);
            format!("invariant {at} is {:?}", list[at])
        }
        3 if !list.is_empty() => {
            list[at].right = operand(random, Some(&list[at].right));
            format!("invariant {at} is {:?}", list[at])
        }
        4 if !list.is_empty() => {
            list[at].when = match random.below(2) {
                0 => None,
                _ => Some(Condition { place: place(random), number: random.below(5) as u64 }),
            };
            format!("invariant {at} is {:?}", list[at])
        }
        _ => {
            let Some(LoopName { function, number }) = pick(loops, random) else { return nothing() };
            let (left, relation, right) = (place(random), relation(random), operand(random, None));
            list.push(Invariant { function, number, left, relation, right, when: None });
            format!("one more invariant: {:?}", list.last())
        }
    }
}

fn place(random: &mut Random) -> Place {
    match random.below(8) {
        0..=3 => Place::Local(random.below(6) as u32),
        4 | 5 => Place::Global(random.below(5) as u32),
        6 => Place::Local(u32::MAX),
        _ => Place::Cell {
            object: random.pick(&["log", "from", "to", "a", "", "main::n"]).to_owned(),
            offset: random.pick(&[0, 0, 4, 8, 1, u64::MAX]),
            size: random.pick(&[4, 4, 1, 8, 3, 0, u64::MAX]),
        },
    }
}

fn relation(random: &mut Random) -> Relation {
    let signed = random.rarely(2);
    match random.below(7) {
        0 | 1 => Relation::AtMost { signed },
        2 => Relation::Less { signed },
        3 => Relation::AtLeast { signed },
        4 => Relation::Aligned(random.pick(&[0, 1, 2, 3, 31, 32, 64, 255])),
        5 => Relation::Moved(random.pick(&[0, 1, 2, -1, i64::MAX, i64::MIN])),
        _ => Relation::Ahead(random.pick(&[0, 1, 4, 8, u64::MAX])),
    }
}

fn operand(random: &mut Random, was: Option<&Operand>) -> Operand {
    match (random.below(5), was) {
        (0, Some(Operand::Number(number))) => Operand::Number(number.wrapping_add(1)),
        (1, Some(Operand::Number(number))) => Operand::Number(number.wrapping_sub(1)),
        (0 | 1, _) => Operand::Number(random.pick(&[0, 1, 3, 7, 8, u64::MAX])),
        (2, _) => Operand::Entry,
        (3, _) => Operand::Place(place(random)),
        _ => Operand::Number(random.below(10) as u64),
    }
}

fn pruned(unwound: &mut Unwound, random: &mut Random) -> String {
    let mut list = unwound.pruned.to_vec();
    let at = random.below(list.len());
    match random.below(7) {
        0 if !list.is_empty() => drop(list.remove(at)),
        1 if !list.is_empty() => list[at] = list[at].wrapping_add(1),
        2 => list.clear(),
        3 => list = (0..random.below(40) as u64).collect(),
        // Not ascending, twice, and so on.
        4 => list.reverse(),
        5 => list.push(random.pick(&[0, 3, u64::MAX])),
        _ => {
            list.push(random.below(30) as u64);
            list.sort_unstable();
        }
    }
    unwound.pruned = list.into();
    format!("pruned are {:?}", unwound.pruned)
}

/// The refutation of another proof, if there is one.
pub fn other_refutation(unwound: &mut Unwound, material: &Material, random: &mut Random) -> bool {
    let others = material.proofs.iter().filter_map(|(_, proof)| match &proof.argument {
        Argument::Unwound(other) => other.refutation.clone(),
        _ => None,
    });
    let others: Vec<_> = others.collect();
    let found = pick(&others, random);
    let any = found.is_some();
    unwound.refutation = found.or(unwound.refutation.take());
    any
}
