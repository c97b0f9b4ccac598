//! Proofs by coupling predicates: other formulas, other places, other moves, other transformations, functions
//! that are said to be the same.

use super::text::formula;
use crate::versions::Versions;
use certify::format::{Answer, Change, Coupled, Encoding, Moves, Place, Proof, Same, Step, Verdict, Version};
use testing::Random;

pub fn edit(answer: &mut Answer, versions: &Versions, random: &mut Random) -> String {
    if random.rarely(30) {
        answer.verdict =
            Verdict::Equivalent(if random.rarely(2) { Proof::Identical } else { Proof::Assumed });
        return format!("it says {:?}", answer.verdict);
    }
    match &mut answer.verdict {
        Verdict::Equivalent(Proof::Coupled(coupled)) => {
            // The text of what was transformed would give away any other program.
            if random.rarely(2) {
                coupled.transformed.clear();
            }
            part(coupled, versions, random)
        }
        _ => "nothing".to_owned(),
    }
}

fn part(coupled: &mut Coupled, versions: &Versions, random: &mut Random) -> String {
    let count = coupled.locations.len();
    let (at, other) = (random.below(count), random.below(count));
    match random.below(20) {
        0 => {
            coupled.encoding = random.pick(&[Encoding::Bitvectors, Encoding::Wrapping, Encoding::Unbounded]);
            return format!("its encoding is {:?}", coupled.encoding);
        }
        1 => return steps(coupled, versions, random),
        2 => return same(coupled, versions, random),
        3 => {
            match random.below(2) {
                0 => coupled.matched.clear(),
                _ => coupled.matched.push(names(versions, random)),
            }
            return format!("matched are {:?}", coupled.matched);
        }
        4 => {
            let name = random.pick(&["&g", "&w", "x", "same.g", "old.s", "!", "any!old.s"]).to_owned();
            let sort = random.pick(&["Int", "Bool", "(_ BitVec 32)", "(Array Int Int)", "x"]).to_owned();
            let params = if random.rarely(2) { Vec::new() } else { vec!["Int".to_owned()] };
            coupled.functions.insert(name.clone(), (params, sort));
            return format!("there is {name}");
        }
        5 if count > 0 => {
            coupled.locations.remove(at);
            return format!("location {at} is gone");
        }
        6 if count > 0 => {
            coupled.locations.push(coupled.locations[at].clone());
            return format!("location {at} is there twice");
        }
        _ => {}
    }
    let others: Vec<String> = coupled.locations.iter().map(|l| l.formula.clone()).collect();
    let Some(location) = coupled.locations.get_mut(at) else { return "nothing".to_owned() };
    match random.below(10) {
        0 | 1 => {
            location.moves = random.pick(&[Moves::Both, Moves::Old, Moves::New, Moves::Wait, Moves::Done]);
            format!("at location {at} {:?} move", location.moves)
        }
        2 => {
            let side = random.below(2);
            location.places[side] = match random.below(4) {
                0 => None,
                1 => Some(Place::Start),
                2 => Some(Place::End),
                _ => Some(Place::Node(random.below(12) as u32)),
            };
            format!("location {at} is at {:?}", location.places)
        }
        3 => {
            let side = random.below(2);
            location.functions[side] = match random.below(3) {
                0 => None,
                _ => Some(names(versions, random)[side].clone()),
            };
            format!("location {at} is of {:?}", location.functions)
        }
        4 => {
            location.formula = others[other].clone();
            format!("location {at} has the formula of {other}")
        }
        _ => {
            location.formula = formula(&location.formula, &others, random);
            format!("location {at}: {}", location.formula)
        }
    }
}

fn names(versions: &Versions, random: &mut Random) -> [String; 2] {
    versions.both().map(|program| {
        let function = &program.functions[random.below(program.functions.len())];
        function.name.to_string()
    })
}

fn steps(coupled: &mut Coupled, versions: &Versions, random: &mut Random) -> String {
    if !coupled.steps.is_empty() && random.rarely(3) {
        let at = random.below(coupled.steps.len());
        coupled.steps.remove(at);
        return format!("step {at} is gone");
    }
    let version = random.pick(&Version::BOTH);
    let names = names(versions, random);
    let function = names[version.index()].clone();
    let head = random.below(10) as u32;
    let often = random.pick(&[0, 1, 2, 3, 3, u32::MAX]);
    let change = match random.below(4) {
        0 => Change::Inline(vec![head, often]),
        1 => Change::Unroll { head, factor: often },
        2 => Change::Peel { head, times: often },
        _ => Change::Rename(names[1 - version.index()].clone()),
    };
    coupled.steps.push(Step { version, function, change });
    format!("{:?}", coupled.steps.last())
}

fn same(coupled: &mut Coupled, versions: &Versions, random: &mut Random) -> String {
    let at = random.below(coupled.same.len());
    match random.below(4) {
        0 if !coupled.same.is_empty() => {
            coupled.same.remove(at);
        }
        1 if !coupled.same.is_empty() => coupled.same[at].proof = Proof::Identical,
        2 if !coupled.same.is_empty() => coupled.same[at].functions = names(versions, random),
        _ => {
            let proof = match random.below(3) {
                0 => Proof::Identical,
                1 => Proof::Assumed,
                // What is proved of itself.
                _ => Proof::Coupled(Box::new(Coupled { same: Vec::new(), ..coupled.clone() })),
            };
            coupled.same.push(Same { functions: names(versions, random), proof });
        }
    }
    let list = coupled.same.iter().map(|same| same.functions.join(" and ")).collect::<Vec<_>>();
    format!("the same are {list:?}")
}
