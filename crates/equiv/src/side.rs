//! One version of a function, seen as a set of cut points and the blocks between them.

use base::Budget;
use encode::block::{self, Block, Calls, Ending, Segment};
use encode::expr::{Asked, Outside};
use encode::footprint::Footprint;
use encode::names;
use encode::unwind::{Unwound, unwind};
use encode::{Encoder, IntMode, RegionId, Regions, State, Unsupported};
use ir::{Cfa, FuncId, GlobalId, Liveness, LocalId, LoopForest, NodeId, Program, Storage, Type};
use logic::{Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Functions without a body that other tools use as marks: they have no effect.
pub const MARKS: &[&str] = &["__mark", "__splitmark", "__inlineCall"];

/// A cut point, the start (before the first operation) or the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Place {
    Start,
    Node(NodeId),
    End,
}

/// One part of the state at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Slot {
    Local(LocalId),
    Global(GlobalId),
    Memory(RegionId),
    World,
    Allocations,
    Inputs,
    /// The value that a parameter had at the start.
    Ghost(LocalId),
    /// How the execution ended, what it returned, with which code it exited.
    Kind,
    Value,
    Code,
}

/// Which of the common state a comparison follows. What neither version changes is a constant of the whole
/// system, the same in both (or in each, if the inputs are not assumed equal).
#[derive(Clone, Debug, Default)]
pub struct Tracked {
    /// By side and the name of the global; the value if nobody changes it.
    pub globals: [BTreeMap<String, Option<Term>>; 2],
    /// By region; the content if nobody changes it.
    pub memory: Vec<Option<Term>>,
    pub world: bool,
    pub allocations: bool,
    pub inputs: bool,
}

pub struct Side<'p> {
    pub program: &'p Program,
    /// 0 for the old version, 1 for the new one.
    pub index: usize,
    pub function: FuncId,
    pub cfa: &'p Cfa,
    pub loops: LoopForest,
    pub mode: IntMode,
    pub regions: &'p Regions,
    pub footprint: Footprint,
    tracked: &'p Tracked,
    live: Liveness,
    cuts: BTreeSet<NodeId>,
    /// Do places remember the parameters' first values?
    ghosts: bool,
    /// Reverse postorder of nodes, for "which comes first".
    order: Vec<u32>,
}

impl<'p> Side<'p> {
    #[expect(clippy::too_many_arguments, reason = "the parts of a comparison")]
    pub fn new(
        program: &'p Program,
        index: usize,
        function: FuncId,
        mode: IntMode,
        regions: &'p Regions,
        footprint: Footprint,
        tracked: &'p Tracked,
        ghosts: bool,
    ) -> Result<Side<'p>, Unsupported> {
        let f = program.function(function);
        let Some(cfa) = f.cfa() else {
            return Err(Unsupported(match &f.body {
                ir::Body::Poisoned { reason, .. } => format!("{}: {reason}", f.name),
                _ => format!("{} has no body", f.name),
            }));
        };
        if f.variadic {
            return Err(Unsupported(format!("{} takes a variable number of arguments", f.name)));
        }
        let loops = LoopForest::of(cfa);
        if loops.loops().iter().any(|l| l.irreducible) {
            return Err(Unsupported(format!("{} has a loop that is entered in several places", f.name)));
        }
        let cuts = loops.loops().iter().map(|l| l.header).collect();
        let live = Liveness::of(cfa);
        let order = ir::graph::reverse_post_order_positions(cfa);
        Ok(Side {
            program,
            index,
            function,
            cfa,
            loops,
            mode,
            regions,
            footprint,
            tracked,
            live,
            cuts,
            ghosts,
            order,
        })
    }

    pub fn prefix(&self) -> &'static str {
        names::VERSIONS[self.index]
    }

    pub fn name(&self) -> &str {
        &self.program.function(self.function).name
    }

    pub fn loop_heads(&self) -> Vec<NodeId> {
        self.loops.loops().iter().map(|l| l.header).collect()
    }

    /// Does `a` come before `b` in the automaton's natural order?
    pub fn before(&self, a: NodeId, b: NodeId) -> bool {
        self.order[a.0 as usize] < self.order[b.0 as usize]
    }

    /// The slots at a place, with the variables that stand for them.
    pub fn slots(&self, place: Place) -> Result<Vec<(Slot, Term)>, Unsupported> {
        let f = self.program.function(self.function);
        let target = &self.program.target;
        let mut slots = Vec::new();
        let var = |name: String, sort: Sort| Term::var(&format!("{}{name}", self.prefix()), sort);
        let locals: Vec<LocalId> = match place {
            Place::Start => (0..f.params).map(LocalId).collect(),
            Place::Node(node) => self.live.at(node).iter().copied().collect(),
            Place::End => Vec::new(),
        };
        for id in locals {
            if let Storage::Register(ty) = f.local(id).storage {
                slots.push((Slot::Local(id), var(f.local(id).name.to_string(), self.mode.sort(ty, target)?)));
            }
        }
        if place == Place::End {
            if self.footprint.ends {
                slots.push((Slot::Kind, var(names::token("kind"), Sort::Int)));
                slots.push((Slot::Code, var(names::token("code"), self.mode.sort(Type::I32, target)?)));
            }
            if let Some(ty) = f.ret {
                slots.push((Slot::Value, var("result".to_owned(), self.mode.sort(ty, target)?)));
            }
        }
        if self.ghosts && place != Place::Start {
            for id in (0..f.params).map(LocalId) {
                if let Storage::Register(ty) = f.local(id).storage {
                    let name = names::at_start(&f.local(id).name);
                    slots.push((Slot::Ghost(id), var(name, self.mode.sort(ty, target)?)));
                }
            }
        }
        for (i, global) in self.program.globals.iter().enumerate() {
            if let (Some(None), Storage::Register(ty)) =
                (self.tracked.globals[self.index].get(&*global.name), global.storage)
            {
                let id = GlobalId(i as u32);
                slots.push((Slot::Global(id), var(names::global(&global.name), self.mode.sort(ty, target)?)));
            }
        }
        for (i, shared) in self.tracked.memory.iter().enumerate() {
            if shared.is_none() {
                let region = RegionId(i as u32);
                let layout = self.regions.list[i].layout;
                let sort = encode::memory::memory_sort(self.mode, target, layout)?;
                slots.push((Slot::Memory(region), var(names::memory(&self.regions.list[i].name), sort)));
            }
        }
        for (used, slot, name) in [
            (self.tracked.world, Slot::World, "world"),
            (self.tracked.allocations, Slot::Allocations, "allocations"),
            (self.tracked.inputs, Slot::Inputs, "inputs"),
        ] {
            if used {
                slots.push((slot, var(names::token(name), Sort::Int)));
            }
        }
        Ok(slots)
    }

    /// The state at a place, made of the slots' variables and the constants of the comparison.
    pub fn state(&self, place: Place) -> Result<State, Unsupported> {
        let f = self.program.function(self.function);
        let zero = Term::int(0);
        let mut state = State {
            locals: vec![None; f.locals.len()],
            globals: vec![None; self.program.globals.len()],
            memory: self.tracked.memory.iter().map(|m| m.unwrap_or(zero)).collect(),
            world: zero,
            allocations: zero,
            inputs: zero,
        };
        for (i, global) in self.program.globals.iter().enumerate() {
            state.globals[i] = self.tracked.globals[self.index].get(&*global.name).copied().flatten();
        }
        for (slot, var) in self.slots(place)? {
            match slot {
                Slot::Local(LocalId(i)) => state.locals[i as usize] = Some(var),
                Slot::Global(GlobalId(i)) => state.globals[i as usize] = Some(var),
                Slot::Memory(RegionId(i)) => state.memory[i as usize] = var,
                Slot::World => state.world = var,
                Slot::Allocations => state.allocations = var,
                Slot::Inputs => state.inputs = var,
                Slot::Ghost(_) | Slot::Kind | Slot::Value | Slot::Code => {}
            }
        }
        Ok(state)
    }

    /// What holds of the slots' variables because of their types.
    pub fn type_facts(&self, place: Place) -> Result<Term, Unsupported> {
        let f = self.program.function(self.function);
        let mut facts = Vec::new();
        for (slot, var) in self.slots(place)? {
            let ty = match slot {
                Slot::Local(id) | Slot::Ghost(id) => register(f.local(id).storage),
                Slot::Global(id) => register(self.program.global(id).storage),
                Slot::Value => f.ret,
                Slot::Code => Some(Type::I32),
                _ => None,
            };
            if let Some(ty) = ty {
                facts.push(self.mode.type_fact(ty, &self.program.target, var));
            }
        }
        Ok(Term::all(facts))
    }

    /// What can happen from a place. Not for the end.
    pub fn block(&self, place: Place, calls: &dyn Calls) -> Result<Block, Unsupported> {
        let state = self.state(place)?;
        let start = match place {
            Place::Node(node) => node,
            _ if self.cuts.contains(&self.cfa.entry) => {
                // The function starts with a loop: nothing happens before its head.
                let here = encode::block::Place::Node(self.cfa.entry);
                let guard = Term::bool(true);
                let segment =
                    Segment { place: here, guard, state, ending: None, calls: Vec::new(), sites: Vec::new() };
                return Ok(Block { segments: vec![segment], facts: Term::bool(true) });
            }
            _ => self.cfa.entry,
        };
        block::block(&mut self.encoder(), self.cfa, &self.cuts, start, &state, calls)
    }

    fn encoder(&self) -> Encoder<'p> {
        let mut encoder =
            Encoder::new(self.program, self.index, self.function, self.mode, self.regions, self.prefix());
        encoder.ignored = encode::expr::MARKERS;
        encoder
    }

    /// All that can happen from the start on, up to a bound on the rounds of loops, and what was asked of the
    /// outside.
    pub fn unwound(
        &self,
        bound: u32,
        budget: &Budget,
        calls: &dyn Calls,
    ) -> Result<(Unwound, Vec<Asked>), Unsupported> {
        let mut encoder = self.encoder();
        encoder.outside_code = Outside::Answers;
        let state = self.state(Place::Start)?;
        let unwound = unwind(&mut encoder, self.cfa, &self.loops, &state, calls, bound, budget)?;
        Ok((unwound, encoder.asked))
    }

    /// The value of a slot after a segment that started at a place with these slots.
    pub fn after(&self, slot: Slot, segment: &Segment, before: &[(Slot, Term)]) -> Result<Term, Unsupported> {
        let state = &segment.state;
        let value = match slot {
            Slot::Local(LocalId(i)) => state.locals[i as usize],
            Slot::Global(GlobalId(i)) => state.globals[i as usize],
            Slot::Memory(RegionId(i)) => Some(state.memory[i as usize]),
            Slot::World => Some(state.world),
            Slot::Allocations => Some(state.allocations),
            Slot::Inputs => Some(state.inputs),
            // At the start the parameters are their own first values.
            Slot::Ghost(id) => before
                .iter()
                .find(|(s, _)| *s == Slot::Ghost(id))
                .or_else(|| before.iter().find(|(s, _)| *s == Slot::Local(id)))
                .map(|(_, t)| *t),
            Slot::Kind | Slot::Value | Slot::Code => segment.ending.as_ref().and_then(|e| part(e, slot)),
        };
        match value {
            Some(value) => Ok(value),
            // Not set on this path: nobody reads it there, so any value will do.
            None => {
                let f = self.program.function(self.function);
                let (name, ty) = match slot {
                    Slot::Local(id) => (f.local(id).name.to_string(), register(f.local(id).storage)),
                    Slot::Value => ("result".to_owned(), f.ret),
                    Slot::Code => ("code".to_owned(), Some(Type::I32)),
                    _ => (format!("{slot:?}"), None),
                };
                let sort = self.mode.sort(ty.unwrap_or(Type::I32), &self.program.target)?;
                Ok(Term::var(&format!("{}any.{name}", self.prefix()), sort))
            }
        }
    }

    /// Where a segment leads.
    pub fn target(segment: &Segment) -> Place {
        match segment.place {
            encode::block::Place::Node(node) => Place::Node(node),
            encode::block::Place::End => Place::End,
        }
    }

    /// Does a segment from the loop head `head` stay in the loop?
    pub fn stays(&self, head: NodeId, segment: &Segment) -> bool {
        match (self.loops.headed_by(head), Side::target(segment)) {
            (Some(id), Place::Node(node)) => self.loops.contains(id, node),
            _ => false,
        }
    }
}

fn part(ending: &Ending, slot: Slot) -> Option<Term> {
    match slot {
        Slot::Kind => Some(ending.kind),
        Slot::Value => ending.value,
        _ => ending.code,
    }
}

fn register(storage: Storage) -> Option<Type> {
    match storage {
        Storage::Register(ty) => Some(ty),
        Storage::Memory { .. } => None,
    }
}
