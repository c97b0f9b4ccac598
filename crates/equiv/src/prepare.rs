//! What two versions have in common before they run: which state a comparison follows, and what it holds at
//! the start.

use crate::side::Tracked;
use encode::footprint::{Footprint, footprints};
use encode::memory::memory_sort;
use encode::names;
use encode::start::Start;
use encode::{IntMode, RegionId, Regions, Unsupported};
use ir::{FuncId, GlobalId, Program, Storage};
use logic::Term;
use std::collections::BTreeSet;

/// Markers have no effect.
pub fn footprints_of(program: &Program, index: usize, regions: &Regions) -> Vec<Footprint> {
    footprints(program, index, regions, crate::side::MARKS)
}

/// Decides for all globals and regions that the functions can touch whether they change.
pub fn track(
    programs: [&Program; 2],
    functions: [FuncId; 2],
    prints: [&Footprint; 2],
    regions: &Regions,
    mode: IntMode,
    equal_memory: bool,
) -> Result<Tracked, Unsupported> {
    let whole = is_whole_program(programs, functions);
    if whole {
        encode::start::alike(programs)?;
    }
    let mut tracked = Tracked {
        world: prints.iter().any(|p| p.world),
        allocations: prints.iter().any(|p| p.allocates),
        inputs: prints.iter().any(|p| p.inputs),
        ..Tracked::default()
    };
    let names = |of: fn(&Footprint) -> Vec<GlobalId>| -> BTreeSet<&str> {
        let named = |i: usize| of(prints[i]).into_iter().map(move |g| &*programs[i].global(g).name);
        named(0).chain(named(1)).collect()
    };
    let written = names(|p| p.writes_globals.iter().copied().collect());
    let touched = names(|p| p.reads_globals.union(&p.writes_globals).copied().collect());
    for side in 0..2 {
        let mut start = Start::new(programs[side], side, functions[side], mode, regions);
        for (id, global) in (0..).map(GlobalId).zip(&programs[side].globals) {
            let Storage::Register(ty) = global.storage else { continue };
            if !touched.contains(&*global.name) {
                continue;
            }
            let value = if written.contains(&*global.name) {
                None
            } else {
                let sort = mode.sort(ty, &programs[side].target)?;
                let known = if global.constant || whole { start.register(id)? } else { None };
                Some(known.unwrap_or_else(|| Term::var(&names::global(&global.name), sort)))
            };
            tracked.globals[side].insert(global.name.to_string(), value);
        }
    }
    for (i, region) in regions.list.iter().enumerate() {
        let id = RegionId(i as u32);
        let written = prints.iter().any(|p| p.writes.contains(&id));
        let touched = written || prints.iter().any(|p| p.reads.contains(&id));
        let sort = memory_sort(mode, &programs[0].target, region.layout)?;
        let base = Term::var(&names::memory(&region.name), sort);
        tracked.memory.push(if touched && (written || !equal_memory && !region.constant) {
            None
        } else if touched && (region.constant || whole) {
            let mut content = base;
            for side in 0..2 {
                let mut start = Start::new(programs[side], side, functions[side], mode, regions);
                content = start.region(id, content, |g| g.constant || whole)?;
            }
            Some(content)
        } else {
            Some(base)
        });
    }
    Ok(tracked)
}

/// `main` starts with the initialisers; anything else is called in any state.
pub fn is_whole_program(programs: [&Program; 2], functions: [FuncId; 2]) -> bool {
    (0..2).all(|i| &*programs[i].function(functions[i]).name == "main")
}
