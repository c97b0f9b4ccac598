//! What the two versions' states are made of, and how one version gets from one cut point to the next.
//!
//! The parts of a state that change are variables, `old.x` and `new.x` for a local, `old.::g` for a global,
//! `old.memory.R` for a region of memory. What neither version can change is [`Part::Fixed`] once and for
//! all: a variable that both share, or the initial value of a constant. Each version has its own constants.

use crate::Flaw;
use crate::format::Place;
use encode::block::{self, Block, Calls, Segment, kind};
use encode::expr::MARKERS;
use encode::footprint::{Footprint, footprints};
use encode::memory::memory_sort;
use encode::names;
use encode::start::Start;
use encode::{Encoder, IntMode, RegionId, Regions, State, Unsupported};
use ir::{Cfa, FuncId, GlobalId, Liveness, LocalId, LoopForest, NodeId, Program, Storage, Type};
use logic::{Sort, Term};
use std::collections::BTreeSet;

impl From<Unsupported> for Flaw {
    fn from(unsupported: Unsupported) -> Flaw {
        Flaw::Open(unsupported.0)
    }
}

/// One part of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    Local(LocalId),
    /// What a parameter was at the start.
    First(LocalId),
    Global(GlobalId),
    Memory(RegionId),
    World,
    Allocations,
    Inputs,
    /// How the function ended, what it returned, the exit code.
    Kind,
    Value,
    Code,
}

/// In front of the names of values that a step does not give.
pub const ANY: &str = "any!";

pub type Values = Vec<(Slot, Term)>;

/// A global or a region, in one version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Fixed(Term),
    Moves(Sort),
    /// Neither version looks at it.
    Unused,
}

fn fixed(part: &Part) -> Option<Term> {
    match part {
        Part::Fixed(term) => Some(*term),
        _ => None,
    }
}

/// The common ground of a comparison.
pub struct World<'p> {
    pub programs: [&'p Program; 2],
    pub mode: IntMode,
    pub regions: Regions,
    pub prints: [Vec<Footprint>; 2],
    /// `main` starts with the initialisers; anything else may be called in any state.
    pub whole: bool,
    globals: [Vec<Part>; 2],
    memory: [Vec<Part>; 2],
    /// Are the tokens for the outside, the allocator, the inputs in use?
    tokens: [bool; 3],
}

impl<'p> World<'p> {
    pub fn new(
        programs: [&'p Program; 2],
        functions: [FuncId; 2],
        mode: IntMode,
        equal_memory: bool,
    ) -> Result<World<'p>, Flaw> {
        let regions = Regions::analyse(&programs, &[vec![functions[0]], vec![functions[1]]]);
        let marks: Vec<&str> = MARKERS.iter().map(|(name, _)| *name).collect();
        let prints = [0, 1].map(|i| footprints(programs[i], i, &regions, &marks));
        let own = [0, 1].map(|i: usize| &prints[i][functions[i].0 as usize]);
        let tokens =
            [own.iter().any(|p| p.world), own.iter().any(|p| p.allocates), own.iter().any(|p| p.inputs)];
        let whole = (0..2).all(|i| &*programs[i].function(functions[i]).name == "main");
        if whole {
            encode::start::alike(programs)?;
        }
        let names = |of: fn(&Footprint) -> Vec<GlobalId>| -> BTreeSet<&str> {
            let named = |i: usize| of(own[i]).into_iter().map(move |g| &*programs[i].global(g).name);
            named(0).chain(named(1)).collect()
        };
        let written = names(|p| p.writes_globals.iter().copied().collect());
        let touched = names(|p| p.reads_globals.union(&p.writes_globals).copied().collect());
        let mut globals = [Vec::new(), Vec::new()];
        let mut memory = [Vec::new(), Vec::new()];
        for side in 0..2 {
            let program = programs[side];
            let mut start = Start::new(program, side, functions[side], mode, &regions);
            for (id, global) in (0..).map(GlobalId).zip(&program.globals) {
                globals[side].push(match global.storage {
                    Storage::Register(ty) if touched.contains(&*global.name) => {
                        let sort = mode.sort(ty, &program.target)?;
                        if written.contains(&*global.name) {
                            Part::Moves(sort)
                        } else {
                            let unknown = Term::var(&names::global(&global.name), sort);
                            let known = if global.constant || whole { start.register(id)? } else { None };
                            Part::Fixed(known.unwrap_or(unknown))
                        }
                    }
                    _ => Part::Unused,
                });
            }
            for (i, region) in regions.list.iter().enumerate() {
                let id = RegionId(i as u32);
                let written = own.iter().any(|p| p.writes.contains(&id));
                let touched = written || own.iter().any(|p| p.reads.contains(&id));
                let sort = memory_sort(mode, &program.target, region.layout)?;
                let base = Term::var(&names::memory(&region.name), sort);
                memory[side].push(if touched && (written || !equal_memory && !region.constant) {
                    Part::Moves(sort)
                } else if touched && (region.constant || whole) {
                    Part::Fixed(start.region(id, base, |g| g.constant || whole)?)
                } else {
                    Part::Fixed(base)
                });
            }
        }
        Ok(World { programs, mode, regions, prints, whole, globals, memory, tokens })
    }

    /// The variables of what never changes.
    pub fn fixed(&self) -> BTreeSet<Term> {
        let parts = self.globals.iter().chain(&self.memory).flatten();
        let terms = parts.filter_map(fixed);
        let vars = logic::free_vars_of(terms).into_iter();
        vars.filter(|v| !names::is_address(*v)).collect()
    }

    /// What a global holds that never changes.
    pub fn fixed_global(&self, side: usize, id: GlobalId) -> Option<Term> {
        fixed(self.globals[side].get(id.0 as usize)?)
    }

    pub fn fixed_memory(&self, side: usize, id: RegionId) -> Option<Term> {
        fixed(self.memory[side].get(id.0 as usize)?)
    }

    /// What a global or a region that moves holds when a whole program starts; other slots keep their values.
    pub fn initial(&self, side: usize, function: FuncId, slot: Slot, value: Term) -> Result<Term, Flaw> {
        let mut start = Start::new(self.programs[side], side, function, self.mode, &self.regions);
        Ok(match slot {
            Slot::Global(id) => start.register(id)?.unwrap_or(value),
            Slot::Memory(region) => start.region(region, value, |_| true)?,
            _ => value,
        })
    }
}

/// One function of one version.
pub struct Side<'p> {
    pub index: usize,
    pub function: FuncId,
    program: &'p Program,
    cfa: &'p Cfa,
    loops: LoopForest,
    live: Liveness,
    cuts: BTreeSet<NodeId>,
    /// Can it end otherwise than by returning?
    ends: bool,
}

impl<'p> Side<'p> {
    pub fn new(world: &World<'p>, index: usize, function: FuncId) -> Result<Side<'p>, Flaw> {
        let program = world.programs[index];
        let f = program.function(function);
        let Some(cfa) = f.cfa() else {
            return Err(Flaw::Open(format!("{} has no body", f.name)));
        };
        let print = &world.prints[index][function.0 as usize];
        if f.variadic || print.unknown {
            return Err(Flaw::Open(format!("{} does something that has no encoding", f.name)));
        }
        let loops = LoopForest::of(cfa);
        if loops.loops().iter().any(|l| l.irreducible) {
            return Err(Flaw::Open(format!("{} has a loop that is entered in several places", f.name)));
        }
        let cuts = loops.loops().iter().map(|l| l.header).collect();
        Ok(Side { index, function, program, cfa, loops, live: Liveness::of(cfa), cuts, ends: print.ends })
    }

    /// Is it a place of this function at which a proof may stop?
    pub fn has(&self, place: Place) -> bool {
        match place {
            Place::Node(node) => self.cuts.contains(&NodeId(node)),
            Place::Start | Place::End => true,
        }
    }

    pub fn slots(&self, world: &World, place: Place) -> Result<Values, Flaw> {
        let f = self.program.function(self.function);
        let target = &self.program.target;
        let prefix = self.prefix();
        let var = |name: &str, sort: Sort| Term::var(&format!("{prefix}{name}"), sort);
        let sort = |ty: Type| world.mode.sort(ty, target);
        let mut slots = Vec::new();
        let params = || (0..f.params).map(LocalId);
        let locals: Vec<LocalId> = match place {
            Place::Start => params().collect(),
            Place::Node(node) => self.live.at(NodeId(node)).iter().copied().collect(),
            Place::End => Vec::new(),
        };
        for id in locals {
            if let Storage::Register(ty) = f.local(id).storage {
                slots.push((Slot::Local(id), var(&f.local(id).name, sort(ty)?)));
            }
        }
        if place != Place::Start {
            for id in params() {
                if let Storage::Register(ty) = f.local(id).storage {
                    slots.push((Slot::First(id), var(&names::at_start(&f.local(id).name), sort(ty)?)));
                }
            }
        }
        if place == Place::End {
            if self.ends {
                slots.push((Slot::Kind, var("kind!", Sort::Int)));
                slots.push((Slot::Code, var("code!", sort(Type::I32)?)));
            }
            if let Some(ty) = f.ret {
                slots.push((Slot::Value, var("result", sort(ty)?)));
            }
        }
        for (i, part) in world.globals[self.index].iter().enumerate() {
            if let Part::Moves(sort) = part {
                let name = names::global(&self.program.globals[i].name);
                slots.push((Slot::Global(GlobalId(i as u32)), var(&name, *sort)));
            }
        }
        for (i, part) in world.memory[self.index].iter().enumerate() {
            if let Part::Moves(sort) = part {
                let name = names::memory(&world.regions.list[i].name);
                slots.push((Slot::Memory(RegionId(i as u32)), var(&name, *sort)));
            }
        }
        let tokens =
            [(Slot::World, "world!"), (Slot::Allocations, "allocations!"), (Slot::Inputs, "inputs!")];
        for ((slot, name), used) in tokens.into_iter().zip(world.tokens) {
            if used {
                slots.push((slot, var(name, Sort::Int)));
            }
        }
        Ok(slots)
    }

    fn prefix(&self) -> &'static str {
        names::VERSIONS[self.index]
    }

    fn state(&self, world: &World, place: Place) -> Result<State, Flaw> {
        let zero = Term::int(0);
        let mut state = State {
            locals: vec![None; self.program.function(self.function).locals.len()],
            globals: world.globals[self.index].iter().map(fixed).collect(),
            memory: world.memory[self.index].iter().map(|p| fixed(p).unwrap_or(zero)).collect(),
            world: zero,
            allocations: zero,
            inputs: zero,
        };
        for (slot, var) in self.slots(world, place)? {
            match slot {
                Slot::Local(LocalId(i)) => state.locals[i as usize] = Some(var),
                Slot::Global(GlobalId(i)) => state.globals[i as usize] = Some(var),
                Slot::Memory(RegionId(i)) => state.memory[i as usize] = var,
                Slot::World => state.world = var,
                Slot::Allocations => state.allocations = var,
                Slot::Inputs => state.inputs = var,
                Slot::First(_) | Slot::Kind | Slot::Value | Slot::Code => {}
            }
        }
        Ok(state)
    }

    /// Everything that can happen next. Not for the end.
    pub fn block(&self, world: &World, place: Place, calls: &dyn Calls) -> Result<Block, Flaw> {
        let state = self.state(world, place)?;
        let start = match place {
            Place::Node(node) => NodeId(node),
            _ if self.cuts.contains(&self.cfa.entry) => {
                // Nothing happens before the head that the function starts with.
                let segment = Segment {
                    place: block::Place::Node(self.cfa.entry),
                    guard: Term::bool(true),
                    state,
                    ending: None,
                    calls: Vec::new(),
                    sites: Vec::new(),
                };
                return Ok(Block { segments: vec![segment], facts: Term::bool(true) });
            }
            _ => self.cfa.entry,
        };
        let prefix = self.prefix();
        let mut encoder =
            Encoder::new(self.program, self.index, self.function, world.mode, &world.regions, prefix);
        encoder.ignored = MARKERS;
        Ok(block::block(&mut encoder, self.cfa, &self.cuts, start, &state, calls)?)
    }

    /// The slots of the place that a segment leads to, after it. `before` are the slots where it starts.
    pub fn after(&self, world: &World, segment: &Segment, before: &Values) -> Result<Values, Flaw> {
        let state = &segment.state;
        let ending = segment.ending.as_ref();
        let mut values = Vec::new();
        for (slot, var) in self.slots(world, target(segment))? {
            let value = match slot {
                Slot::Local(LocalId(i)) => state.locals[i as usize],
                Slot::Global(GlobalId(i)) => state.globals[i as usize],
                Slot::Memory(RegionId(i)) => Some(state.memory[i as usize]),
                Slot::World => Some(state.world),
                Slot::Allocations => Some(state.allocations),
                Slot::Inputs => Some(state.inputs),
                // At the start parameters are their own first values.
                Slot::First(id) => before
                    .iter()
                    .find(|(s, _)| *s == Slot::First(id))
                    .or_else(|| before.iter().find(|(s, _)| *s == Slot::Local(id)))
                    .map(|(_, t)| *t),
                Slot::Kind => ending.map(|e| e.kind),
                Slot::Value => ending.and_then(|e| e.value),
                Slot::Code => ending.and_then(|e| e.code),
            };
            // What is not set on the way can have any value.
            let name = var.var_name().unwrap_or_default();
            let value = value.unwrap_or_else(|| Term::var(&format!("{ANY}{name}"), var.sort()));
            if value.sort() != var.sort() {
                return Err(Flaw::Open(format!("{name} has another sort than expected")));
            }
            values.push((slot, value));
        }
        Ok(values)
    }

    /// A function that is not expected to end otherwise than by returning must not.
    pub fn only_returns(&self, segment: &Segment) -> Term {
        match &segment.ending {
            Some(ending) if !self.ends => ending.kind.equals(Term::int(kind::RETURN)),
            _ => Term::bool(true),
        }
    }

    /// What holds of slots because of their types; for inputs, what holds of what comes from outside.
    pub fn type_facts(&self, world: &World, values: &Values, input: bool) -> Term {
        let f = self.program.function(self.function);
        let register = |storage: Storage| match storage {
            Storage::Register(ty) => Some(ty),
            Storage::Memory { .. } => None,
        };
        Term::all(values.iter().filter_map(|(slot, value)| {
            let ty = match *slot {
                Slot::Local(id) | Slot::First(id) => register(f.local(id).storage),
                Slot::Global(id) => register(self.program.global(id).storage),
                Slot::Value => f.ret,
                Slot::Code => Some(Type::I32),
                _ => None,
            };
            let (mode, target) = (world.mode, &self.program.target);
            ty.map(|ty| match input {
                true => mode.input_fact(ty, target, *value),
                false => mode.type_fact(ty, target, *value),
            })
        }))
    }

    /// Does a segment stay in the loop of the head that it starts from?
    pub fn stays(&self, head: NodeId, segment: &Segment) -> bool {
        match (self.loops.headed_by(head), segment.place) {
            (Some(id), block::Place::Node(node)) => self.loops.contains(id, node),
            _ => false,
        }
    }
}

pub fn target(segment: &Segment) -> Place {
    match segment.place {
        block::Place::Node(node) => Place::Node(node.0),
        block::Place::End => Place::End,
    }
}
