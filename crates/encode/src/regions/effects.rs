//! What functions read and write, with all they call.

use super::collect::Collected;
use super::divide::Division;
use super::{Region, RegionId};
use ir::{Body, FuncId, Program};
use std::collections::BTreeSet;

/// By program and function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    functions: Vec<Vec<Effect>>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Effect {
    reads: BTreeSet<RegionId>,
    writes: BTreeSet<RegionId>,
    /// Runs unknown code.
    unknown: bool,
}

impl Effects {
    pub fn written(&self, program: usize, function: FuncId, list: &[Region]) -> BTreeSet<RegionId> {
        let escaping = |region: &Region| region.escapes && !region.constant;
        self.of(program, function, list, |effect| &effect.writes, escaping)
    }

    pub fn read(&self, program: usize, function: FuncId, list: &[Region]) -> BTreeSet<RegionId> {
        self.of(program, function, list, |effect| &effect.reads, |region| region.escapes)
    }

    fn of(
        &self,
        program: usize,
        function: FuncId,
        list: &[Region],
        set: impl Fn(&Effect) -> &BTreeSet<RegionId>,
        escaping: impl Fn(&Region) -> bool,
    ) -> BTreeSet<RegionId> {
        let all = (0..).map(RegionId).zip(list);
        let Some(effect) = self.functions.get(program).and_then(|list| list.get(function.0 as usize)) else {
            return all.map(|(id, _)| id).collect();
        };
        let outside = all.filter(|(_, region)| effect.unknown && escaping(region)).map(|(id, _)| id);
        set(effect).iter().copied().chain(outside).collect()
    }
}

pub fn effects(programs: &[&Program], all: &Collected, division: &Division) -> Effects {
    let mut functions: Vec<Vec<Effect>> = Vec::new();
    for (index, program) in programs.iter().enumerate() {
        let mut own: Vec<Effect> = program
            .functions
            .iter()
            .map(|f| Effect { unknown: !matches!(f.body, Body::Defined(_)), ..Effect::default() })
            .collect();
        for (_, function) in all.unknown_calls.iter().filter(|(p, _)| *p == index) {
            own[function.0 as usize].unknown = true;
        }
        for (access, group) in all.accesses.iter().zip(&division.group_of) {
            let (true, Some(group)) = (access.program == index, group) else { continue };
            let effect = &mut own[access.function.0 as usize];
            let set = if access.write { &mut effect.writes } else { &mut effect.reads };
            set.insert(RegionId(*group as u32));
        }
        let graph = &all.call_graphs[index];
        for component in graph.components() {
            let mut sum = Effect::default();
            for f in component {
                sum.add(&own[f.0 as usize]);
                for callee in graph.callees(*f).iter().filter(|callee| !component.contains(callee)) {
                    sum.add(&own[callee.0 as usize]);
                }
            }
            for f in component {
                own[f.0 as usize] = sum.clone();
            }
        }
        functions.push(own);
    }
    Effects { functions }
}

impl Effect {
    fn add(&mut self, other: &Effect) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.unknown |= other.unknown;
    }
}
