//! One version of a function in a comparison: what its states are made of, and how it gets from one cut point
//! to the next.
//!
//! The parts of a state that change are variables, `old.x` and `new.x` for a local, `old.::g` for a global,
//! `old.memory.R` for a region of memory. What neither version can change is [`Part::Fixed`] once and for
//! all: a variable that both share, or the initial value of a constant.

use crate::block::{self, Block, Call, Calls, Segment, block};
use crate::expr::MARKERS;
use crate::footprint::Footprint;
use crate::memory::memory_sort;
use crate::names;
use crate::start::Start;
use crate::{Encoder, IntMode, RegionId, Regions, State, Unsupported};
use ir::{Cfa, FuncId, GlobalId, Liveness, LocalId, LoopForest, NodeId, Program, Storage, Type};
use logic::{Sort, Term};
use std::collections::BTreeSet;

/// A cut point, the start (before the first operation) or the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Place {
    Start,
    Node(NodeId),
    End,
}

impl Place {
    /// Where a segment leads.
    pub fn behind(segment: &Segment) -> Place {
        match segment.place {
            block::Place::Node(node) => Place::Node(node),
            block::Place::End => Place::End,
        }
    }
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
    /// What a parameter was at the start.
    First(LocalId),
    /// How the execution ended, what it returned, with which code it exited.
    Kind,
    Value,
    Code,
}

impl Slot {
    /// Of a callee: what it holds where the call starts, or where it has ended.
    pub fn of_call(self, call: &Call, start: bool) -> Option<Term> {
        let state = if start { &call.before } else { &call.after };
        match self {
            Slot::Local(id) | Slot::First(id) => call.args.get(id.0 as usize).copied(),
            Slot::Global(id) => state.globals[id.0 as usize],
            Slot::Memory(region) => Some(state.memory[region.0 as usize]),
            Slot::World => Some(state.world),
            Slot::Allocations => Some(state.allocations),
            Slot::Inputs => Some(state.inputs),
            Slot::Kind => call.kind,
            Slot::Value => call.result,
            Slot::Code => call.code,
        }
    }
}

/// Slots with the variables or values that stand for them.
pub type Values = Vec<(Slot, Term)>;

/// A global or a region, in one version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Fixed(Term),
    Moves(Sort),
    /// Neither version looks at it.
    Unused,
}

impl Part {
    pub fn fixed(&self) -> Option<Term> {
        match self {
            Part::Fixed(term) => Some(*term),
            Part::Moves(_) | Part::Unused => None,
        }
    }
}

/// Whose constants a region holds that nobody writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constants {
    /// In each version its own.
    Own,
    /// In both versions those of both, so that such a region is the same term in both.
    Both,
}

/// Which of the common state a comparison follows.
#[derive(Clone, Debug)]
pub struct Tracked {
    /// By side and id.
    pub globals: [Vec<Part>; 2],
    pub memory: [Vec<Part>; 2],
    /// Are the tokens for the outside, the allocator, the inputs in use?
    pub tokens: [bool; 3],
}

impl Tracked {
    /// Decides for all globals and regions that the functions can touch whether they change.
    pub fn new(
        programs: [&Program; 2],
        functions: [FuncId; 2],
        prints: [&Footprint; 2],
        (mode, regions): (IntMode, &Regions),
        equal_memory: bool,
        constants: Constants,
    ) -> Result<Tracked, Unsupported> {
        let whole = is_whole_program(programs, functions);
        if whole {
            crate::start::alike(programs)?;
        }
        let tokens = [
            prints.iter().any(|p| p.world),
            prints.iter().any(|p| p.allocates),
            prints.iter().any(|p| p.inputs),
        ];
        let names = |of: fn(&Footprint) -> Vec<GlobalId>| -> BTreeSet<&str> {
            let named = |i: usize| of(prints[i]).into_iter().map(move |g| &*programs[i].global(g).name);
            named(0).chain(named(1)).collect()
        };
        let written = names(|p| p.writes_globals.iter().copied().collect());
        let touched = names(|p| p.reads_globals.union(&p.writes_globals).copied().collect());
        let mut tracked =
            Tracked { globals: [Vec::new(), Vec::new()], memory: [Vec::new(), Vec::new()], tokens };
        let start = |side: usize| Start::new(programs[side], side, functions[side], mode, regions);
        for (side, program) in programs.into_iter().enumerate() {
            let mut own = start(side);
            for (id, global) in (0..).map(GlobalId).zip(program.globals.iter()) {
                tracked.globals[side].push(match global.storage {
                    Storage::Register(ty) if touched.contains(&*global.name) => {
                        let sort = mode.sort(ty, &program.target)?;
                        if written.contains(&*global.name) {
                            Part::Moves(sort)
                        } else {
                            let known = if global.constant || whole { own.register(id)? } else { None };
                            let unknown = || Term::var(&names::global(&global.name), sort);
                            Part::Fixed(known.unwrap_or_else(unknown))
                        }
                    }
                    _ => Part::Unused,
                });
            }
            if side == 1 && constants == Constants::Both {
                tracked.memory[1] = tracked.memory[0].clone();
                continue;
            }
            for (id, region) in (0..).map(RegionId).zip(&regions.list) {
                let written = prints.iter().any(|p| p.writes.contains(&id));
                let touched = written || prints.iter().any(|p| p.reads.contains(&id));
                let sort = memory_sort(mode, &program.target, region.layout)?;
                let mut content = Term::var(&names::memory(&region.name), sort);
                if touched && (written || !equal_memory && !region.constant) {
                    tracked.memory[side].push(Part::Moves(sort));
                    continue;
                }
                if touched && (region.constant || whole) {
                    let whose = if constants == Constants::Own { side..side + 1 } else { 0..2 };
                    for side in whose {
                        content = start(side).region(id, content, |g| g.constant || whole)?;
                    }
                }
                tracked.memory[side].push(Part::Fixed(content));
            }
        }
        Ok(tracked)
    }
}

/// `main` starts with the initialisers; anything else is called in any state.
pub fn is_whole_program(programs: [&Program; 2], functions: [FuncId; 2]) -> bool {
    (0..2).all(|i| &*programs[i].function(functions[i]).name == "main")
}

/// What both versions share.
#[derive(Clone, Copy)]
pub struct Common<'a> {
    pub mode: IntMode,
    pub regions: &'a Regions,
    pub tracked: &'a Tracked,
}

/// One function of one version.
pub struct Version<'p> {
    pub program: &'p Program,
    /// 0 for the old version, 1 for the new one.
    pub index: usize,
    pub function: FuncId,
    pub cfa: &'p Cfa,
    pub loops: LoopForest,
    live: Liveness,
    cuts: BTreeSet<NodeId>,
    /// Can it end otherwise than by returning?
    pub ends: bool,
    /// Do places remember the parameters' first values?
    firsts: bool,
}

impl<'p> Version<'p> {
    pub fn new(
        program: &'p Program,
        index: usize,
        function: FuncId,
        ends: bool,
        firsts: bool,
    ) -> Result<Version<'p>, Unsupported> {
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
        Ok(Version { program, index, function, cfa, loops, live: Liveness::of(cfa), cuts, ends, firsts })
    }

    pub fn prefix(&self) -> &'static str {
        names::VERSIONS[self.index]
    }

    /// Is it a place of this function at which a proof may stop?
    pub fn has(&self, place: Place) -> bool {
        match place {
            Place::Node(node) => self.cuts.contains(&node),
            Place::Start | Place::End => true,
        }
    }

    /// The slots at a place, with the variables that stand for them.
    pub fn slots(&self, common: Common, place: Place) -> Result<Values, Unsupported> {
        let f = self.program.function(self.function);
        let prefix = self.prefix();
        let var = |name: &str, sort: Sort| Term::var(&format!("{prefix}{name}"), sort);
        let sort = |ty: Type| common.mode.sort(ty, &self.program.target);
        let mut slots = Vec::new();
        let params = || (0..f.params).map(LocalId);
        let locals: Vec<LocalId> = match place {
            Place::Start => params().collect(),
            Place::Node(node) => self.live.at(node).iter().copied().collect(),
            Place::End => Vec::new(),
        };
        for id in locals {
            if let Storage::Register(ty) = f.local(id).storage {
                slots.push((Slot::Local(id), var(&f.local(id).name, sort(ty)?)));
            }
        }
        if place == Place::End {
            if self.ends {
                slots.push((Slot::Kind, var(&names::token("kind"), Sort::Int)));
                slots.push((Slot::Code, var(&names::token("code"), sort(Type::I32)?)));
            }
            if let Some(ty) = f.ret {
                slots.push((Slot::Value, var("result", sort(ty)?)));
            }
        }
        if self.firsts && place != Place::Start {
            for id in params() {
                if let Storage::Register(ty) = f.local(id).storage {
                    slots.push((Slot::First(id), var(&names::at_start(&f.local(id).name), sort(ty)?)));
                }
            }
        }
        for (i, part) in (0..).zip(&common.tracked.globals[self.index]) {
            if let Part::Moves(sort) = part {
                let name = names::global(&self.program.globals[i as usize].name);
                slots.push((Slot::Global(GlobalId(i)), var(&name, *sort)));
            }
        }
        for (i, part) in (0..).zip(&common.tracked.memory[self.index]) {
            if let Part::Moves(sort) = part {
                let name = names::memory(&common.regions.list[i as usize].name);
                slots.push((Slot::Memory(RegionId(i)), var(&name, *sort)));
            }
        }
        let tokens = [(Slot::World, "world"), (Slot::Allocations, "allocations"), (Slot::Inputs, "inputs")];
        for ((slot, name), used) in tokens.into_iter().zip(common.tracked.tokens) {
            if used {
                slots.push((slot, var(&names::token(name), Sort::Int)));
            }
        }
        Ok(slots)
    }

    /// The state at a place, made of the slots' variables and the constants of the comparison.
    pub fn state(&self, common: Common, place: Place) -> Result<State, Unsupported> {
        let zero = Term::int(0);
        let mut state = State {
            locals: vec![None; self.program.function(self.function).locals.len()],
            globals: common.tracked.globals[self.index].iter().map(Part::fixed).collect(),
            memory: common.tracked.memory[self.index].iter().map(|p| p.fixed().unwrap_or(zero)).collect(),
            world: zero,
            allocations: zero,
            inputs: zero,
        };
        for (slot, var) in self.slots(common, place)? {
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

    pub fn encoder<'a>(&'a self, common: Common<'a>) -> Encoder<'a> {
        let mut encoder =
            Encoder::new(self.program, self.index, self.function, common.mode, common.regions, self.prefix());
        encoder.ignored = MARKERS;
        encoder
    }

    /// Everything that can happen next. Not for the end.
    pub fn block(&self, common: Common, place: Place, calls: &dyn Calls) -> Result<Block, Unsupported> {
        let state = self.state(common, place)?;
        let start = match place {
            Place::Node(node) => node,
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
        block(&mut self.encoder(common), self.cfa, &self.cuts, start, &state, calls)
    }

    /// The value of a slot after a segment that started at a place with these values; none if the segment
    /// does not set it, so that any will do.
    pub fn after(&self, slot: Slot, segment: &Segment, before: &Values) -> Option<Term> {
        let (state, ending) = (&segment.state, segment.ending.as_ref());
        match slot {
            Slot::Local(LocalId(i)) => state.locals[i as usize],
            Slot::Global(GlobalId(i)) => state.globals[i as usize],
            Slot::Memory(RegionId(i)) => Some(state.memory[i as usize]),
            Slot::World => Some(state.world),
            Slot::Allocations => Some(state.allocations),
            Slot::Inputs => Some(state.inputs),
            // At the start parameters are their own first values.
            Slot::First(id) => {
                let find = |slot: Slot| before.iter().find(|(s, _)| *s == slot);
                find(Slot::First(id)).or_else(|| find(Slot::Local(id))).map(|(_, t)| *t)
            }
            Slot::Kind => ending.map(|e| e.kind),
            Slot::Value => ending.and_then(|e| e.value),
            Slot::Code => ending.and_then(|e| e.code),
        }
    }

    /// The type of what a slot holds, if it is a value of the program.
    pub fn slot_type(&self, slot: Slot) -> Option<Type> {
        let f = self.program.function(self.function);
        let storage = match slot {
            Slot::Local(id) | Slot::First(id) => f.local(id).storage,
            Slot::Global(id) => self.program.global(id).storage,
            Slot::Value => return f.ret,
            Slot::Code => return Some(Type::I32),
            _ => return None,
        };
        storage.register()
    }

    /// Does a segment from the loop head `head` stay in the loop?
    pub fn stays(&self, head: NodeId, segment: &Segment) -> bool {
        match (self.loops.headed_by(head), segment.place) {
            (Some(id), block::Place::Node(node)) => self.loops.contains(id, node),
            _ => false,
        }
    }
}

/// The calls of both sides in order, as many as possible matched: any matching is sound, but a proof
/// and its check must have the same one.
pub fn match_calls<'c>(
    matched: &BTreeSet<(FuncId, FuncId)>,
    old: &'c [Call],
    new: &'c [Call],
) -> Vec<[Option<&'c Call>; 2]> {
    let fits = |i: usize, j: usize| matched.contains(&(old[i].callee, new[j].callee));
    // The most pairs among the calls from i and j on.
    let mut best = vec![vec![0u32; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let skip = best[i + 1][j].max(best[i][j + 1]);
            best[i][j] = if fits(i, j) { skip.max(best[i + 1][j + 1] + 1) } else { skip };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && fits(i, j) && best[i][j] == best[i + 1][j + 1] + 1 {
            pairs.push([Some(&old[i]), Some(&new[j])]);
            (i, j) = (i + 1, j + 1);
        } else if j >= new.len() || i < old.len() && best[i + 1][j] >= best[i][j + 1] {
            pairs.push([Some(&old[i]), None]);
            i += 1;
        } else {
            pairs.push([None, Some(&new[j])]);
            j += 1;
        }
    }
    pairs
}
