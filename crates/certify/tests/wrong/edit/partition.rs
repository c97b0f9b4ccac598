//! Partitions: cells that are missing, merged, moved by one, of another variable, there twice.

use engine::{Partition, Slot};
use ir::{FuncId, GlobalId, LocalId, Program};
use testing::Random;

pub fn edit(partition: &mut Partition, program: &Program, random: &mut Random) -> String {
    let count = partition.intervals.len();
    let at = random.below(count);
    match random.below(10) {
        0 if count > 0 => {
            partition.intervals.remove(at);
            return format!("variable {at} is not divided");
        }
        1 => {
            let slot = slot(program, random);
            let low = random.below(6) as i128 - 2;
            let list = match random.below(4) {
                0 => vec![(i128::MIN, i128::MAX)],
                1 => vec![(-1 << 31, low), (low + 1, (1 << 31) - 1)],
                2 => vec![(low, low), (low + 1, low + 5)],
                _ => Vec::new(),
            };
            partition.intervals.push((slot, list));
            return format!("{slot:?} is divided: {:?}", partition.intervals.last());
        }
        2 if count > 0 => {
            partition.intervals[at].0 = slot(program, random);
            return format!("variable {at} is {:?}", partition.intervals[at].0);
        }
        3 if count > 0 => {
            partition.intervals.extend_from_within(at..=at);
            return format!("variable {at} is divided twice");
        }
        _ => {}
    }
    let Some((slot, list)) = partition.intervals.get_mut(at) else { return "nothing".to_owned() };
    let one = random.below(list.len());
    match random.below(8) {
        0 if !list.is_empty() => drop(list.remove(one)),
        1 if list.len() > one + 1 => {
            list[one].1 = list[one + 1].1;
            list.remove(one + 1);
        }
        2 if !list.is_empty() => list[one].0 = list[one].0.saturating_add(1),
        3 if !list.is_empty() => list[one].1 = list[one].1.saturating_sub(1),
        4 if !list.is_empty() => list[one].1 = list[one].1.saturating_add(1),
        // As many values as before, and not the same ones.
        5 if list.len() > 1 => {
            let width = list[0].1.saturating_sub(list[0].0);
            list[0] = (list[1].0, list[1].0.saturating_add(width));
        }
        6 => list.reverse(),
        7 => list.extend_from_within(..),
        _ if !list.is_empty() => list[one] = (list[one].1, list[one].0),
        _ => {}
    }
    format!("{slot:?} is divided: {list:?}")
}

/// A variable, or none.
fn slot(program: &Program, random: &mut Random) -> Slot {
    let function = random.below(program.functions.len() + 1);
    let locals = program.functions.get(function).map_or(0, |f| f.locals.len());
    match random.below(2) {
        0 => Slot::Global(GlobalId(random.below(program.globals.len() + 1) as u32)),
        _ => Slot::Local(FuncId(function as u32), LocalId(random.below(locals + 1) as u32)),
    }
}
