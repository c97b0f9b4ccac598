//! What functions read and write, with all they call.

use super::collect::Collected;
use super::divide::Division;
use super::{Region, RegionId};
use ir::{Body, FuncId, Program};
use std::collections::BTreeSet;

/// Functions that call each other have one effect.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// By program and function: an index into the effects; none if no root reaches it.
    functions: Vec<Vec<Option<usize>>>,
    effects: Vec<Effect>,
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
        let index = self.functions.get(program).and_then(|list| list.get(function.0 as usize)).copied();
        let Some(effect) = index.flatten().and_then(|index| self.effects.get(index)) else {
            // Nothing is known of it.
            return all.map(|(id, _)| id).collect();
        };
        let outside = all.filter(|(_, region)| effect.unknown && escaping(region)).map(|(id, _)| id);
        set(effect).iter().copied().chain(outside).collect()
    }
}

pub fn effects(programs: &[&Program], all: &Collected, division: &Division) -> Effects {
    let mut result = Effects::default();
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
        let first = result.effects.len();
        for component in graph.components() {
            let mut sum = Effect::default();
            let mut callees: BTreeSet<usize> = BTreeSet::new();
            for f in component {
                sum.add(&own[f.0 as usize]);
                // Callees come first, so what they do is known, unless they are in this component.
                callees.extend(graph.callees(*f).iter().map(|f| first + graph.component_of(*f)));
            }
            for callee in callees {
                if let Some(effect) = result.effects.get(callee) {
                    sum.add(effect);
                }
            }
            result.effects.push(sum);
        }
        let reached = all.slots[index].iter().map(|slots| slots.is_some());
        let components = program.function_ids().map(|f| first + graph.component_of(f));
        result.functions.push(reached.zip(components).map(|(reached, c)| reached.then_some(c)).collect());
    }
    result
}

impl Effect {
    fn add(&mut self, other: &Effect) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.unknown |= other.unknown;
    }
}
