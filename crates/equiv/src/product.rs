//! The coupled execution of two versions, as Horn clauses (paper 004, sections 3 and 5).
//!
//! A location is a pair of places, one in each version; its predicate speaks about both states. From a
//! location a policy says who moves: both together, or one side while the other waits. Loop heads that are
//! *coupled* move together while both loops go on; when one loop would be left, that side waits at its head
//! for the other (rule 14 of the paper), or leaves (`eager`, which suits loops that test at the end).
//! Elsewhere the side that is behind moves alone, under an invariant of one program (rule 9). Any policy is
//! sound: every pair of terminating runs is a run of the product, whoever moves first. What makes a proof
//! easy or impossible is which heads are coupled.
//!
//! Calls that are not taken for uninterpreted functions have predicates of their own: a pair of matched calls
//! has a relation between the arguments it is reached with and a relation between arguments and results (rule
//! 15; the paper has only the second, so that its summaries must be implications); a call without a partner
//! has the same for one side (rule 10).

mod look;

use crate::side::{Place, Side, Slot};
use base::Budget;
use encode::block::{Block, Call, Calls, Segment, Treatment, kind};
use encode::expr::Asked;
use encode::footprint::Footprint;
use encode::names::is_address;
use encode::start::Start;
use encode::version::match_calls;
use encode::version::{Common, Part, Tracked};
use encode::{IntMode, Layout, Regions, Unsupported};
use horn::{Atom, Clause, PredId, System};
use ir::{EdgeId, FuncId, NodeId, Program};
use logic::Term;
pub use look::Contract;
use look::Values;
use std::collections::{BTreeMap, BTreeSet};

/// Who takes part in a product.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Unit {
    Pair(FuncId, FuncId),
    Old(FuncId),
    New(FuncId),
}

/// Where the two versions are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Location {
    pub unit: Unit,
    /// None if the unit has no such side.
    pub old: Option<Place>,
    pub new: Option<Place>,
}

/// Everything a product is made of.
pub struct Setup<'p> {
    pub programs: [&'p Program; 2],
    pub functions: [FuncId; 2],
    pub mode: IntMode,
    pub regions: &'p Regions,
    pub footprints: [&'p [Footprint]; 2],
    pub tracked: &'p Tracked,
    /// A side whose loop ends while the other's goes on: does it leave at once, or wait at its head (as in
    /// the paper)?
    pub eager: bool,
    /// Loops are not cut: each makes so many rounds at most, and what goes on is left out. For differences
    /// only.
    pub unwind: Option<(u32, &'p Budget)>,
    /// Coupled loop heads, by unit's functions.
    pub couplings: BTreeMap<(FuncId, FuncId), BTreeSet<(NodeId, NodeId)>>,
    /// Defined functions that are the same in both versions, by name in the old and in the new one, with a
    /// common name.
    pub same: [BTreeMap<FuncId, String>; 2],
    /// Functions whose calls are matched with each other.
    pub matched: BTreeSet<(FuncId, FuncId)>,
    /// The precondition: what is known of the two start states. Given as terms over the start slots'
    /// variables.
    pub contract: &'p dyn Contract,
}

/// A product, ready for solving.
pub struct Product {
    pub system: System,
    /// By predicate.
    pub locations: Vec<Located>,
    pub shared: Vec<Term>,
    /// Of the memory regions, by name.
    pub layouts: Vec<(String, Layout)>,
    /// What is assumed at the start.
    pub pre: Term,
    /// Is something else than equality demanded?
    pub relational: bool,
    /// If loops were unwound: by side, what was asked of the outside.
    pub asked: [Vec<Asked>; 2],
    /// Executions beyond the bound are left out: this proves nothing.
    pub cut: bool,
    /// As the setup said.
    pub eager: bool,
    pub same: [BTreeMap<FuncId, String>; 2],
    pub matched: BTreeSet<(FuncId, FuncId)>,
}

/// A predicate's meaning, and what its blocks offer to those who look for invariants.
#[derive(Clone, Debug)]
pub struct Located {
    pub location: Location,
    pub slots: [Vec<(Slot, Term)>; 2],
    /// For coupled heads: when each loop goes on.
    pub stays: Vec<Term>,
    /// The formulas that the blocks from here branch on or compute with.
    pub formulas: Vec<Term>,
    /// At ends: what is hoped for.
    pub goals: Vec<Term>,
    /// For each side, the ways in which it can end from here: what the variables of the end become.
    pub ends: [Vec<Vec<(Term, Term)>>; 2],
    /// Who goes on from here; nobody at ends.
    pub step: Option<Move>,
}

struct Builder<'p, 's> {
    setup: &'s Setup<'p>,
    system: System,
    preds: BTreeMap<Location, PredId>,
    locations: Vec<Located>,
    sides: BTreeMap<(usize, FuncId), Side<'p>>,
    queue: Vec<Location>,
    shared: Vec<Term>,
    /// What the precondition says about things that never change: it holds everywhere.
    rigid: Term,
    pre: Term,
    top: Unit,
    asked: [Vec<Asked>; 2],
    cut: bool,
}

pub fn build<'p>(setup: &Setup<'p>) -> Result<Product, Unsupported> {
    let top = Unit::Pair(setup.functions[0], setup.functions[1]);
    let shared = shared_vars(setup.tracked);
    let mut builder = Builder {
        setup,
        system: System::default(),
        preds: BTreeMap::new(),
        locations: Vec::new(),
        sides: BTreeMap::new(),
        queue: Vec::new(),
        shared,
        rigid: Term::bool(true),
        pre: Term::bool(true),
        top,
        asked: [Vec::new(), Vec::new()],
        cut: false,
    };
    builder.start()?;
    while let Some(location) = builder.queue.pop() {
        builder.expand(location)?;
    }
    add_addresses(&mut builder.system);
    let layouts = setup.regions.list.iter().map(|r| (r.name.clone(), r.layout)).collect();
    let (pre, relational) = (builder.pre, setup.contract.post_needs_inputs());
    Ok(Product {
        system: builder.system,
        locations: builder.locations,
        shared: builder.shared,
        layouts,
        pre,
        relational,
        asked: builder.asked,
        cut: builder.cut,
        eager: setup.eager,
        same: setup.same.clone(),
        matched: setup.matched.clone(),
    })
}

struct Treat<'a> {
    same: &'a BTreeMap<FuncId, String>,
    footprints: &'a [Footprint],
}

impl Calls for Treat<'_> {
    fn treat(&self, _site: EdgeId, callee: FuncId) -> Treatment {
        match self.same.get(&callee) {
            Some(name) => Treatment::Uninterpreted(format!("same.{name}")),
            None => Treatment::Summary,
        }
    }

    fn footprint(&self, callee: FuncId) -> &Footprint {
        &self.footprints[callee.0 as usize]
    }
}

/// Who goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    Both,
    Old,
    New,
}

/// Two segments taken together, as far as they are taken.
struct Joint<'a> {
    old: Option<&'a Segment>,
    new: Option<&'a Segment>,
    guard: Term,
}

impl<'p> Builder<'p, '_> {
    fn side(&mut self, index: usize, function: FuncId) -> Result<&Side<'p>, Unsupported> {
        let ghosts = self.needs_ghosts(index, function);
        if !self.sides.contains_key(&(index, function)) {
            let s = self.setup;
            let print = &s.footprints[index][function.0 as usize];
            if print.unknown {
                let name = &s.programs[index].function(function).name;
                return Err(Unsupported(format!("{name} calls something that was not translated")));
            }
            let common = Common { mode: s.mode, regions: s.regions, tracked: s.tracked };
            let side = Side::new(s.programs[index], index, function, common, print, ghosts)?;
            self.sides.insert((index, function), side);
        }
        Ok(&self.sides[&(index, function)])
    }

    /// The compared functions remember their inputs only if somebody asks for them later.
    fn needs_ghosts(&self, index: usize, function: FuncId) -> bool {
        function != self.setup.functions[index]
            || self.setup.contract.post_needs_inputs()
            || recursive(self.setup.programs[index], function)
    }

    fn functions(unit: Unit) -> [Option<FuncId>; 2] {
        match unit {
            Unit::Pair(a, b) => [Some(a), Some(b)],
            Unit::Old(a) => [Some(a), None],
            Unit::New(b) => [None, Some(b)],
        }
    }

    fn slots(&mut self, location: Location) -> Result<[Vec<(Slot, Term)>; 2], Unsupported> {
        let functions = Self::functions(location.unit);
        let mut all = [Vec::new(), Vec::new()];
        for (i, place) in [location.old, location.new].into_iter().enumerate() {
            if let (Some(place), Some(function)) = (place, functions[i]) {
                all[i] = self.side(i, function)?.slots(place)?;
            }
        }
        Ok(all)
    }

    /// The predicate of a location, made when it is first asked for.
    fn pred(&mut self, location: Location) -> Result<PredId, Unsupported> {
        if let Some(id) = self.preds.get(&location) {
            return Ok(*id);
        }
        let slots = self.slots(location)?;
        let params = slots.iter().flatten().map(|(_, t)| *t).chain(self.shared.iter().copied()).collect();
        let id = self.system.add_pred(self.location_name(location), params);
        self.preds.insert(location, id);
        self.locations.push(Located {
            location,
            slots,
            stays: Vec::new(),
            formulas: Vec::new(),
            goals: Vec::new(),
            ends: [Vec::new(), Vec::new()],
            step: None,
        });
        self.queue.push(location);
        Ok(id)
    }

    fn location_name(&self, location: Location) -> String {
        let place = |p: Option<Place>| match p {
            None => String::new(),
            Some(Place::Start) => "start".to_owned(),
            Some(Place::Node(n)) => format!("n{}", n.0),
            Some(Place::End) => "end".to_owned(),
        };
        let name = |i: usize, f: FuncId| self.setup.programs[i].function(f).name.to_string();
        match location.unit {
            Unit::Pair(a, b) => {
                format!("{}/{}:{}/{}", name(0, a), name(1, b), place(location.old), place(location.new))
            }
            Unit::Old(a) => format!("{}/:{}", name(0, a), place(location.old)),
            Unit::New(b) => format!("/{}:{}", name(1, b), place(location.new)),
        }
    }

    /// The first clause: equal inputs that satisfy the precondition.
    fn start(&mut self) -> Result<(), Unsupported> {
        let location = Location { unit: self.top, old: Some(Place::Start), new: Some(Place::Start) };
        let pred = self.pred(location)?;
        let slots = self.slots(location)?;
        let mut args: Vec<Term> = slots[0].iter().map(|(_, t)| *t).collect();
        let contract = self.setup.contract;
        let mut facts = vec![self.input_facts(0, &slots[0])];
        for (slot, var) in &slots[1] {
            let equal = match slot {
                Slot::Local(_) => contract.equal_inputs(),
                Slot::Memory(_) => contract.equal_memory(),
                _ => true,
            };
            let partner = self.partner(*slot, &slots[0]).filter(|t| equal && t.sort() == var.sort());
            args.push(partner.unwrap_or(*var));
        }
        if !contract.equal_inputs() {
            facts.push(self.input_facts(1, &slots[1]));
        }
        let whole = encode::version::is_whole_program(self.setup.programs, self.setup.functions);
        if whole {
            self.initialise(&slots, &mut args)?;
        }
        let old = slots[0].len();
        let valued = [0, 1].map(|side: usize| {
            let values = slots[side].iter().enumerate().map(|(i, (slot, _))| (*slot, args[side * old + i]));
            values.collect::<Vec<_>>()
        });
        let pre = contract.pre(&Values { setup: self.setup, slots: valued, inputs_only: false })?;
        let unchanging = |t: &Term| logic::free_vars(*t).iter().all(|v| self.shared.contains(v));
        self.rigid = Term::all(pre.conjuncts().into_iter().filter(unchanging));
        self.pre = pre;
        facts.push(pre);
        args.extend(self.shared.iter().copied());
        let head = Some(Atom { pred, args });
        let label = "inputs".to_owned();
        self.system.clauses.push(Clause { body: Vec::new(), constraint: Term::all(facts), head, label });
        Ok(())
    }

    /// A whole program starts with its initialisers.
    fn initialise(&self, slots: &[Vec<(Slot, Term)>; 2], args: &mut [Term]) -> Result<(), Unsupported> {
        let s = self.setup;
        let mut next = 0;
        for (side, slots) in slots.iter().enumerate() {
            let mut start = Start::new(s.programs[side], side, s.functions[side], s.mode, s.regions);
            for (slot, _) in slots {
                match *slot {
                    Slot::Global(id) => args[next] = start.register(id)?.unwrap_or(args[next]),
                    Slot::Memory(region) => args[next] = start.region(region, args[next], |_| true)?,
                    _ => {}
                }
                next += 1;
            }
        }
        Ok(())
    }

    /// The slot of the old side that corresponds to one of the new side.
    fn partner(&self, slot: Slot, old: &[(Slot, Term)]) -> Option<Term> {
        let (programs, functions) = (self.setup.programs, self.setup.functions);
        let wanted = |candidate: &Slot| match (slot, candidate) {
            // Parameters by position.
            (Slot::Local(a), Slot::Local(b)) => {
                a == *b
                    && a.0 < programs[0].function(functions[0]).params
                    && a.0 < programs[1].function(functions[1]).params
            }
            (Slot::Global(a), Slot::Global(b)) => programs[1].global(a).name == programs[0].global(*b).name,
            (a, b) => a == *b,
        };
        old.iter().find(|(s, _)| wanted(s)).map(|(_, t)| *t)
    }

    fn input_facts(&self, side: usize, slots: &[(Slot, Term)]) -> Term {
        let program = self.setup.programs[side];
        let f = program.function(self.setup.functions[side]);
        let fact = |(slot, var): &(Slot, Term)| {
            let storage = match slot {
                Slot::Local(id) => f.local(*id).storage,
                Slot::Global(id) => program.global(*id).storage,
                _ => return Term::bool(true),
            };
            match storage {
                ir::Storage::Register(ty) => self.setup.mode.input_fact(ty, &program.target, *var),
                ir::Storage::Memory { .. } => Term::bool(true),
            }
        };
        Term::all(slots.iter().map(fact))
    }

    fn policy(&mut self, location: Location) -> Result<Option<Move>, Unsupported> {
        let (a, b) = match (location.old, location.new) {
            (Some(Place::End) | None, Some(Place::End) | None) => return Ok(None),
            (Some(Place::End) | None, _) => return Ok(Some(Move::New)),
            (_, Some(Place::End) | None) => return Ok(Some(Move::Old)),
            (Some(Place::Start), Some(Place::Start)) => return Ok(Some(Move::Both)),
            // Nothing leads back to a start, so these do not occur; any answer is sound.
            (Some(Place::Start), _) => return Ok(Some(Move::Old)),
            (_, Some(Place::Start)) => return Ok(Some(Move::New)),
            (Some(Place::Node(a)), Some(Place::Node(b))) => (a, b),
        };
        let Unit::Pair(f, g) = location.unit else { return Ok(Some(Move::Old)) };
        let none = BTreeSet::new();
        let couplings = self.setup.couplings.get(&(f, g)).unwrap_or(&none);
        if couplings.contains(&(a, b)) {
            return Ok(Some(Move::Both));
        }
        let partners_of_a: Vec<NodeId> = couplings.iter().filter(|(x, _)| *x == a).map(|(_, y)| *y).collect();
        let b_has_partner = couplings.iter().any(|(_, y)| *y == b);
        let new = self.side(1, g)?;
        Ok(Some(match (partners_of_a.is_empty(), b_has_partner) {
            (true, _) => Move::Old,
            (false, false) => Move::New,
            // Both wait for somebody else: the one whose partner is still ahead of the other side waits on.
            (false, true) if partners_of_a.iter().any(|&p| new.before(b, p)) => Move::New,
            _ => Move::Old,
        }))
    }

    fn expand(&mut self, location: Location) -> Result<(), Unsupported> {
        let Some(step) = self.policy(location)? else { return self.finish(location) };
        let functions = Self::functions(location.unit);
        self.locations[self.preds[&location].0 as usize].step = Some(step);
        let mut blocks: [Option<Block>; 2] = [None, None];
        for (i, place) in [location.old, location.new].into_iter().enumerate() {
            let moves = match step {
                Move::Both => true,
                Move::Old => i == 0,
                Move::New => i == 1,
            };
            if let (true, Some(place), Some(function)) = (moves, place, functions[i]) {
                let treat = Treat { same: &self.setup.same[i], footprints: self.setup.footprints[i] };
                let unwind = self.setup.unwind;
                let side = self.side(i, function)?;
                blocks[i] = Some(match unwind {
                    Some((bound, budget)) => {
                        let (unwound, asked) = side.unwound(bound, budget, &treat)?;
                        self.asked[i] = asked;
                        self.cut |= unwound.cut;
                        unwound.block
                    }
                    None => side.block(place, &treat)?,
                });
            }
        }
        let facts = Term::all(blocks.iter().flatten().map(|b| b.facts));
        self.note(location, &blocks)?;
        let [old, new] = blocks;
        let segments = |b: &Option<Block>| b.as_ref().map(|b| b.segments.clone()).unwrap_or_default();
        let (old, new) = (segments(&old), segments(&new));
        let mut joints = Vec::new();
        match step {
            Move::Old => joints.extend(old.iter().map(|s| Joint { old: Some(s), new: None, guard: s.guard })),
            Move::New => joints.extend(new.iter().map(|s| Joint { old: None, new: Some(s), guard: s.guard })),
            Move::Both => {
                let (old_stays, new_stays) =
                    (self.staying(0, location, &old)?, self.staying(1, location, &new)?);
                let leaves = |segments: &[Segment], stays: &[bool]| {
                    Term::any(segments.iter().zip(stays).filter(|(_, stay)| !**stay).map(|(s, _)| s.guard))
                };
                let (old_leaves, new_leaves) = (leaves(&old, &old_stays), leaves(&new, &new_stays));
                for (s, &s_stays) in old.iter().zip(&old_stays) {
                    for (t, &t_stays) in new.iter().zip(&new_stays) {
                        if s_stays == t_stays || self.setup.eager {
                            joints.push(Joint { old: Some(s), new: Some(t), guard: s.guard.and(t.guard) });
                        }
                    }
                    if s_stays && !self.setup.eager {
                        joints.push(Joint { old: Some(s), new: None, guard: s.guard.and(new_leaves) });
                    }
                }
                for (t, &t_stays) in new.iter().zip(&new_stays) {
                    if t_stays && !self.setup.eager {
                        joints.push(Joint { old: None, new: Some(t), guard: t.guard.and(old_leaves) });
                    }
                }
            }
        }
        for joint in joints {
            if !joint.guard.is_false() {
                self.clauses(location, &joint, facts)?;
            }
        }
        Ok(())
    }

    /// For each segment: does the loop of the side's head go on? At starts everything moves together.
    fn staying(
        &mut self,
        index: usize,
        location: Location,
        segments: &[Segment],
    ) -> Result<Vec<bool>, Unsupported> {
        let place = if index == 0 { location.old } else { location.new };
        match (place, Self::functions(location.unit)[index]) {
            (Some(Place::Node(head)), Some(function)) => {
                let side = self.side(index, function)?;
                Ok(segments.iter().map(|s| side.stays(head, s)).collect())
            }
            _ => Ok(vec![false; segments.len()]),
        }
    }

    /// Remembers what invariants of this location could be about.
    fn note(&mut self, location: Location, blocks: &[Option<Block>; 2]) -> Result<(), Unsupported> {
        let mut stays = Vec::new();
        let mut formulas = Vec::new();
        for (i, block) in blocks.iter().enumerate() {
            let Some(block) = block else { continue };
            let flags = self.staying(i, location, &block.segments)?;
            if flags.iter().any(|f| *f) {
                stays.push(Term::any(
                    block.segments.iter().zip(&flags).filter(|(_, f)| **f).map(|(s, _)| s.guard),
                ));
            }
            for segment in &block.segments {
                formulas.push(segment.guard);
                formulas.extend(segment.state.locals.iter().flatten());
                formulas.extend(segment.state.memory.iter());
                formulas.extend(segment.ending.iter().filter_map(|e| e.value));
                formulas.extend(segment.calls.iter().flat_map(|c| c.args.iter().copied()));
            }
        }
        let ends = [0, 1].map(|i: usize| -> Result<Vec<Vec<(Term, Term)>>, Unsupported> {
            let place = if i == 0 { location.old } else { location.new };
            let (Some(function), Some(place)) = (Self::functions(location.unit)[i], place) else {
                return Ok(Vec::new());
            };
            let side = self.side(i, function)?;
            let Some(block) = &blocks[i] else {
                return Ok(if place == Place::End { vec![Vec::new()] } else { Vec::new() });
            };
            let here = side.slots(place)?;
            let mut ways = Vec::new();
            for segment in block.segments.iter().filter(|s| Place::behind(s) == Place::End) {
                let slots = side.slots(Place::End)?;
                let way = slots.iter().map(|(slot, var)| Ok((*var, side.after(*slot, segment, &here)?)));
                ways.push(way.collect::<Result<Vec<_>, Unsupported>>()?);
            }
            Ok(ways)
        });
        let [old_ends, new_ends] = ends;
        let ends = [old_ends?, new_ends?];
        let pred = self.preds[&location];
        let located = &mut self.locations[pred.0 as usize];
        located.ends = ends;
        located.stays = stays;
        located.formulas = formulas;
        Ok(())
    }

    /// The clauses of one joint step: one for the step itself, and one for each call on the way.
    fn clauses(&mut self, location: Location, joint: &Joint, facts: Term) -> Result<(), Unsupported> {
        let pred = self.preds[&location];
        let here = self.slots(location)?;
        let functions = Self::functions(location.unit);
        let mut constraint = vec![joint.guard, facts, self.rigid];
        for (i, place) in [location.old, location.new].into_iter().enumerate() {
            if let (Some(place), Some(function)) = (place, functions[i]) {
                constraint.push(self.side(i, function)?.type_facts(place)?);
            }
        }
        let constraint = Term::all(constraint);
        if constraint.is_false() {
            return Ok(());
        }
        let params = self.system.pred(pred).params.clone();
        let mut body = vec![Atom { pred, args: params }];
        let none: [Call; 0] = [];
        let (old_calls, new_calls) =
            (joint.old.map_or(&none[..], |s| &s.calls), joint.new.map_or(&none[..], |s| &s.calls));
        for [c, d] in match_calls(&self.setup.matched, old_calls, new_calls) {
            let unit = match (c, d) {
                (Some(c), Some(d)) => Unit::Pair(c.callee, d.callee),
                (Some(c), None) => Unit::Old(c.callee),
                (None, Some(d)) => Unit::New(d.callee),
                (None, None) => continue,
            };
            let at = |place: Place| Location { unit, old: c.map(|_| place), new: d.map(|_| place) };
            let entry = self.call_atom(at(Place::Start), [c, d])?;
            let label = format!("call in {}", self.system.pred(pred).name);
            self.system.clauses.push(Clause { body: body.clone(), constraint, head: Some(entry), label });
            let exit = self.call_atom(at(Place::End), [c, d])?;
            body.push(exit);
        }
        let next = Location {
            unit: location.unit,
            old: joint.old.map(Place::behind).or(location.old),
            new: joint.new.map(Place::behind).or(location.new),
        };
        let mut args = Vec::new();
        for (i, segment) in [joint.old, joint.new].into_iter().enumerate() {
            let Some(function) = functions[i] else { continue };
            let place = if i == 0 { next.old } else { next.new };
            let Some(place) = place else { continue };
            let side = self.side(i, function)?;
            match segment {
                Some(segment) => {
                    for (slot, _) in side.slots(place)? {
                        args.push(side.after(slot, segment, &here[i])?);
                    }
                }
                None => args.extend(here[i].iter().map(|(_, t)| *t)),
            }
        }
        args.extend(self.shared.iter().copied());
        let head = Some(Atom { pred: self.pred(next)?, args });
        let label = format!("{} to {}", self.location_name(location), self.location_name(next));
        self.system.clauses.push(Clause { body, constraint, head, label });
        Ok(())
    }

    /// The atom of a callee's start or end predicate, on the values of a call.
    fn call_atom(&mut self, location: Location, calls: [Option<&Call>; 2]) -> Result<Atom, Unsupported> {
        let pred = self.pred(location)?;
        let slots = self.slots(location)?;
        let start = location.old == Some(Place::Start) || location.new == Some(Place::Start);
        let mut args = Vec::new();
        for (i, call) in calls.into_iter().enumerate() {
            let Some(call) = call else { continue };
            for (slot, var) in &slots[i] {
                let value = slot.of_call(call, start);
                match value.filter(|v| v.sort() == var.sort()) {
                    Some(value) => args.push(value),
                    None => {
                        return Err(Unsupported(format!(
                            "a call of {:?} with other arguments than it takes",
                            call.callee
                        )));
                    }
                }
            }
        }
        args.extend(self.shared.iter().copied());
        Ok(Atom { pred, args })
    }

    /// At the end of the compared functions, what is demanded must hold.
    fn finish(&mut self, location: Location) -> Result<(), Unsupported> {
        if location.unit != self.top {
            return Ok(());
        }
        let pred = self.preds[&location];
        let slots = self.slots(location)?;
        let contract = self.setup.contract;
        let find =
            |side: usize, wanted: Slot| slots[side].iter().find(|(s, _)| *s == wanted).map(|(_, t)| *t);
        let mut constraint = Vec::new();
        for side in 0..2 {
            let function = self.setup.functions[side];
            constraint.push(self.sides[&(side, function)].type_facts(Place::End)?);
        }
        // Inner calls of the compared functions end here too: only those with admissible inputs count.
        if slots.iter().flatten().any(|(s, _)| matches!(s, Slot::First(_))) {
            constraint.push(self.start_again(&slots)?);
        }
        let look = Values { setup: self.setup, slots: slots.clone(), inputs_only: false };
        let demanded = match contract.post(&look)? {
            Some(post) => post,
            None => self.same_outputs(&slots, &find),
        };
        self.locations[pred.0 as usize].goals.extend(demanded.conjuncts());
        self.locations[pred.0 as usize].goals.push(demanded);
        constraint.push(demanded.not());
        let args = self.system.pred(pred).params.clone();
        let label = "outputs".to_owned();
        let body = vec![Atom { pred, args }];
        self.system.clauses.push(Clause { body, constraint: Term::all(constraint), head: None, label });
        Ok(())
    }

    /// The precondition on the parameters' first values, as far as it speaks of parameters only.
    fn start_again(&self, slots: &[Vec<(Slot, Term)>; 2]) -> Result<Term, Unsupported> {
        let mut known = Vec::new();
        if self.setup.contract.equal_inputs() {
            for (slot, var) in &slots[1] {
                if let Slot::First(id) = slot
                    && let Some((_, old)) =
                        slots[0].iter().find(|(s, t)| *s == Slot::First(*id) && t.sort() == var.sort())
                {
                    known.push(var.equals(*old));
                }
            }
        }
        // A precondition that mentions more than parameters is left out here: less is assumed.
        let look = Values { setup: self.setup, slots: slots.clone(), inputs_only: true };
        if let Ok(pre) = self.setup.contract.pre(&look) {
            known.push(pre);
        }
        Ok(Term::all(known))
    }

    fn same_outputs(
        &self,
        slots: &[Vec<(Slot, Term)>; 2],
        find: &dyn Fn(usize, Slot) -> Option<Term>,
    ) -> Term {
        let setup = self.setup;
        let returned = Term::int(kind::RETURN);
        let kinds = [0, 1].map(|i| find(i, Slot::Kind).unwrap_or(returned));
        let mut always = vec![kinds[0].equals(kinds[1])];
        let mut after_return = Vec::new();
        for (slot, var) in &slots[1] {
            let other = self.partner(*slot, &slots[0]).filter(|t| t.sort() == var.sort());
            match slot {
                Slot::Value => after_return.push(other.map_or(Term::bool(false), |t| t.equals(*var))),
                Slot::Global(_) => after_return.extend(other.map(|t| t.equals(*var))),
                Slot::Memory(region) if setup.regions.list[region.0 as usize].escapes => {
                    after_return.extend(other.map(|t| t.equals(*var)));
                }
                Slot::World => always.extend(other.map(|t| t.equals(*var))),
                Slot::Code => {
                    let exits = kinds[0].equals(Term::int(kind::EXIT));
                    always.extend(other.map(|t| exits.implies(t.equals(*var))));
                }
                _ => {}
            }
        }
        Term::all(always).and(kinds[0].equals(returned).implies(Term::all(after_return)))
    }
}

/// Addresses of objects are the same everywhere: every predicate may speak of them.
fn add_addresses(system: &mut System) {
    let mut addresses = BTreeSet::new();
    for clause in &system.clauses {
        let atoms = clause.body.iter().chain(&clause.head);
        let terms = atoms.flat_map(|a| a.args.iter().copied()).chain([clause.constraint]);
        let vars = logic::free_vars_of(terms);
        addresses.extend(vars.into_iter().filter(|v| is_address(*v)));
    }
    for pred in &mut system.preds {
        pred.params.extend(&addresses);
    }
    for clause in &mut system.clauses {
        for atom in clause.body.iter_mut().chain(&mut clause.head) {
            atom.args.extend(&addresses);
        }
    }
}

/// The variables of what nobody changes.
fn shared_vars(tracked: &Tracked) -> Vec<Term> {
    let parts = tracked.globals.iter().chain(&tracked.memory).flatten();
    let vars = logic::free_vars_of(parts.filter_map(Part::fixed)).into_iter();
    vars.filter(|v| !is_address(*v)).collect()
}

/// Can a call of the function lead to another call of it?
fn recursive(program: &Program, function: FuncId) -> bool {
    let callees = |f: FuncId| {
        let edges = program.function(f).cfa().map(|cfa| cfa.edges()).unwrap_or_default();
        edges.iter().filter_map(|edge| match &edge.op {
            ir::Op::Call { callee: ir::Callee::Direct(g), .. } => Some(*g),
            _ => None,
        })
    };
    ir::graph::reachable(program.functions.len(), callees(function), callees)[function.0 as usize]
}
