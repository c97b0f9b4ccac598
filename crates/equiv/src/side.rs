//! One version of a function, seen as a set of cut points and the blocks between them.

use base::Budget;
use encode::block::{Block, Calls, Segment};
use encode::expr::{Asked, Outside};
use encode::footprint::Footprint;
use encode::unwind::{Unwound, unwind};
use encode::version::{Common, Version};
pub use encode::version::{Place, Slot, Values};
use encode::{State, Unsupported};
use ir::{FuncId, NodeId, Program, Type};
use logic::Term;

/// Functions without a body that other tools use as marks: they have no effect.
pub const MARKS: &[&str] = &["__mark", "__splitmark", "__inlineCall"];

pub struct Side<'p> {
    version: Version<'p>,
    common: Common<'p>,
    /// Reverse postorder of nodes, for "which comes first".
    order: Vec<u32>,
}

impl<'p> Side<'p> {
    pub fn new(
        program: &'p Program,
        index: usize,
        function: FuncId,
        common: Common<'p>,
        footprint: &Footprint,
        firsts: bool,
    ) -> Result<Side<'p>, Unsupported> {
        let version = Version::new(program, index, function, footprint.ends, firsts)?;
        let order = ir::graph::reverse_post_order_positions(version.cfa);
        Ok(Side { version, common, order })
    }

    pub fn name(&self) -> &str {
        &self.version.program.function(self.version.function).name
    }

    pub fn loop_heads(&self) -> Vec<NodeId> {
        self.version.loops.loops().iter().map(|l| l.header).collect()
    }

    /// Does `a` come before `b` in the automaton's natural order?
    pub fn before(&self, a: NodeId, b: NodeId) -> bool {
        self.order[a.0 as usize] < self.order[b.0 as usize]
    }

    /// The slots at a place, with the variables that stand for them.
    pub fn slots(&self, place: Place) -> Result<Values, Unsupported> {
        self.version.slots(self.common, place)
    }

    /// The state at a place, made of the slots' variables and the constants of the comparison.
    pub fn state(&self, place: Place) -> Result<State, Unsupported> {
        self.version.state(self.common, place)
    }

    /// What holds of the slots' variables because of their types.
    pub fn type_facts(&self, place: Place) -> Result<Term, Unsupported> {
        let slots = self.slots(place)?;
        let typed = slots.iter().filter_map(|(slot, var)| Some((self.version.slot_type(*slot)?, *var)));
        let target = &self.version.program.target;
        Ok(Term::all(typed.map(|(ty, var)| self.common.mode.type_fact(ty, target, var))))
    }

    /// What can happen from a place. Not for the end.
    pub fn block(&self, place: Place, calls: &dyn Calls) -> Result<Block, Unsupported> {
        self.version.block(self.common, place, calls)
    }

    /// All that can happen from the start on, up to a bound on the rounds of loops, and what was asked of the
    /// outside.
    pub fn unwound(
        &self,
        bound: u32,
        budget: &Budget,
        calls: &dyn Calls,
    ) -> Result<(Unwound, Vec<Asked>), Unsupported> {
        let mut encoder = self.version.encoder(self.common);
        encoder.outside_code = Outside::Answers;
        let state = self.state(Place::Start)?;
        let version = &self.version;
        let unwound = unwind(&mut encoder, version.cfa, &version.loops, &state, calls, bound, budget)?;
        Ok((unwound, encoder.asked))
    }

    /// The value of a slot after a segment that started at a place with these slots.
    pub fn after(&self, slot: Slot, segment: &Segment, before: &Values) -> Result<Term, Unsupported> {
        if let Some(value) = self.version.after(slot, segment, before) {
            return Ok(value);
        }
        // Not set on this path: nobody reads it there, so any value will do.
        let program = self.version.program;
        let name = match slot {
            Slot::Local(id) => program.function(self.version.function).local(id).name.to_string(),
            Slot::Value => "result".to_owned(),
            Slot::Code => "code".to_owned(),
            _ => format!("{slot:?}"),
        };
        let ty = self.version.slot_type(slot).unwrap_or(Type::I32);
        let sort = self.common.mode.sort(ty, &program.target)?;
        Ok(Term::var(&format!("{}any.{name}", self.version.prefix()), sort))
    }

    /// Does a segment from the loop head `head` stay in the loop?
    pub fn stays(&self, head: NodeId, segment: &Segment) -> bool {
        self.version.stays(head, segment)
    }
}
