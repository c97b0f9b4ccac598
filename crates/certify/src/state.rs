//! The states of the two versions as the checker sees them: `encode::version` over places of certificates.
//! Each version has its own constants.

use crate::Flaw;
use crate::format::Place;
use encode::block::{Block, Calls, Segment, kind};
use encode::expr::MARKERS;
use encode::footprint::{Footprint, footprints};
use encode::names;
use encode::start::Start;
use encode::version::{self, Common, Constants, Part, Tracked, Version};
pub use encode::version::{Slot, Values};
use encode::{IntMode, RegionId, Regions, Unsupported};
use ir::{FuncId, GlobalId, NodeId, Program};
use logic::Term;
use std::collections::BTreeSet;

impl From<Unsupported> for Flaw {
    fn from(unsupported: Unsupported) -> Flaw {
        Flaw::Open(unsupported.0)
    }
}

impl From<Place> for version::Place {
    fn from(place: Place) -> version::Place {
        match place {
            Place::Start => version::Place::Start,
            Place::Node(node) => version::Place::Node(NodeId(node)),
            Place::End => version::Place::End,
        }
    }
}

impl From<version::Place> for Place {
    fn from(place: version::Place) -> Place {
        match place {
            version::Place::Start => Place::Start,
            version::Place::Node(node) => Place::Node(node.0),
            version::Place::End => Place::End,
        }
    }
}

/// In front of the names of values that a step does not give.
pub const ANY: &str = "any!";

/// The common ground of a comparison.
pub struct World<'p> {
    pub programs: [&'p Program; 2],
    pub mode: IntMode,
    pub regions: Regions,
    pub prints: [Vec<Footprint>; 2],
    /// `main` starts with the initialisers; anything else may be called in any state.
    pub whole: bool,
    tracked: Tracked,
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
        let memory = (mode, &regions);
        let tracked = Tracked::new(programs, functions, own, memory, equal_memory, Constants::Own)?;
        let whole = version::is_whole_program(programs, functions);
        Ok(World { programs, mode, regions, prints, whole, tracked })
    }

    fn common(&self) -> Common<'_> {
        Common { mode: self.mode, regions: &self.regions, tracked: &self.tracked }
    }

    /// The variables of what never changes.
    pub fn fixed(&self) -> BTreeSet<Term> {
        let parts = self.tracked.globals.iter().chain(&self.tracked.memory).flatten();
        let vars = logic::free_vars_of(parts.filter_map(Part::fixed)).into_iter();
        vars.filter(|v| !names::is_address(*v)).collect()
    }

    /// What a global holds that never changes.
    pub fn fixed_global(&self, side: usize, id: GlobalId) -> Option<Term> {
        self.tracked.globals[side].get(id.0 as usize)?.fixed()
    }

    pub fn fixed_memory(&self, side: usize, id: RegionId) -> Option<Term> {
        self.tracked.memory[side].get(id.0 as usize)?.fixed()
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
pub struct Side<'p>(Version<'p>);

impl<'p> Side<'p> {
    pub fn new(world: &World<'p>, index: usize, function: FuncId) -> Result<Side<'p>, Flaw> {
        let program = world.programs[index];
        let print = &world.prints[index][function.0 as usize];
        if print.unknown {
            let name = &program.function(function).name;
            return Err(Flaw::Open(format!("{name} does something that has no encoding")));
        }
        Ok(Side(Version::new(program, index, function, print.ends, true)?))
    }

    /// Is it a place of this function at which a proof may stop?
    pub fn has(&self, place: Place) -> bool {
        self.0.has(place.into())
    }

    pub fn slots(&self, world: &World, place: Place) -> Result<Values, Flaw> {
        Ok(self.0.slots(world.common(), place.into())?)
    }

    /// Everything that can happen next. Not for the end.
    pub fn block(&self, world: &World, place: Place, calls: &dyn Calls) -> Result<Block, Flaw> {
        Ok(self.0.block(world.common(), place.into(), calls)?)
    }

    /// The slots of the place that a segment leads to, after it. `before` are the slots where it starts.
    pub fn after(&self, world: &World, segment: &Segment, before: &Values) -> Result<Values, Flaw> {
        let mut values = Vec::new();
        for (slot, var) in self.0.slots(world.common(), version::Place::behind(segment))? {
            // What is not set on the way can have any value.
            let name = var.var_name().unwrap_or_default();
            let any = || Term::var(&format!("{ANY}{name}"), var.sort());
            let value = self.0.after(slot, segment, before).unwrap_or_else(any);
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
            Some(ending) if !self.0.ends => ending.kind.equals(Term::int(kind::RETURN)),
            _ => Term::bool(true),
        }
    }

    /// What holds of slots because of their types; for inputs, what holds of what comes from outside.
    pub fn type_facts(&self, world: &World, values: &Values, input: bool) -> Term {
        let (mode, target) = (world.mode, &self.0.program.target);
        let typed = values.iter().filter_map(|(slot, value)| Some((self.0.slot_type(*slot)?, *value)));
        Term::all(typed.map(|(ty, value)| match input {
            true => mode.input_fact(ty, target, value),
            false => mode.type_fact(ty, target, value),
        }))
    }

    /// Does a segment stay in the loop of the head that it starts from?
    pub fn stays(&self, head: NodeId, segment: &Segment) -> bool {
        self.0.stays(head, segment)
    }
}

pub fn target(segment: &Segment) -> Place {
    version::Place::behind(segment).into()
}
