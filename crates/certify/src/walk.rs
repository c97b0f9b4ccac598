//! The walk over a proof's locations: does every step of the two versions keep the formulas, and does the
//! last one imply what was claimed? The head of the crate says why that is enough.

use crate::claim::Integers;
use crate::conditions::States;
use crate::format::{Coupled, Encoding, Location, Moves, Place};
use crate::state::{ANY, Side, Slot, Values, World, target};
use crate::symbols::scope;
use crate::{Checked, Context, Demand, Flaw, find, find_both, steps};
use encode::IntMode;
use encode::block::{Block, Call, Calls, Segment, Treatment, kind};
use encode::footprint::Footprint;
use encode::version::match_calls;
use ir::{EdgeId, FuncId, NodeId};
use logic::parse::{Scope, parse_term};
use logic::{Sort, Substitution, Term};
use smt::{SatResult, Settings, Solver, Strategy, Why, Z3Solver, one_shot};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// For a question whose answer is hardly ever yes.
const AT_ONCE: Duration = Duration::from_millis(200);

/// A location: who takes part, and where they are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    functions: [Option<FuncId>; 2],
    places: [Option<Place>; 2],
}

pub fn check(
    context: &Context,
    functions: [FuncId; 2],
    demand: &Demand,
    coupled: &Coupled,
    checked: &mut Checked,
) -> Result<(), Flaw> {
    let mode = match (coupled.encoding, context.integers) {
        (Encoding::Bitvectors, Integers::Machine) => IntMode::Bv,
        (Encoding::Wrapping, Integers::Machine) => IntMode::Wrap,
        (Encoding::Unbounded, Integers::Unbounded) => IntMode::Unbounded,
        _ => return Err(Flaw::Wrong("the encoding is one of other integers than claimed".to_owned())),
    };
    let contract = demand.contract;
    let programs = steps::redo(context.programs, contract, coupled)?;
    let programs = [&programs[0], &programs[1]];
    let world = World::new(programs, functions, mode, contract.equal_memory)?;
    if (0..2).any(|i| world.prints[i][functions[i].0 as usize].pointer) {
        pointers_mean_the_same(context)?;
    }
    let mut same = [BTreeMap::new(), BTreeMap::new()];
    for pair in &coupled.same {
        // Ids and source names are those of the programs as compiled.
        for (side, id) in find_both(context.programs, &pair.functions)?.into_iter().enumerate() {
            same[side].insert(id, format!("same.{}", pair.functions[0]));
        }
    }
    let mut matched = BTreeSet::new();
    for names in &coupled.matched {
        let [f, g] = find_both(context.programs, names)?;
        matched.insert((f, g));
    }
    let fixed = world.fixed();
    let mut walk = Walk {
        context,
        world,
        functions,
        demand,
        same,
        matched,
        fixed,
        pre: Term::bool(true),
        rigid: Term::bool(true),
        sides: BTreeMap::new(),
        formulas: BTreeMap::new(),
        symbols: Scope::new(),
        queries: 0,
    };
    walk.read(coupled)?;
    walk.start()?;
    for location in &coupled.locations {
        let key = walk.key(location)?;
        walk.location(key, location.moves)?;
    }
    walk.outputs()?;
    checked.queries += walk.queries;
    Ok(())
}

/// A call through a pointer does the same in both versions only if whatever it may reach does.
fn pointers_mean_the_same(context: &Context) -> Result<(), Flaw> {
    for (from, to) in [(0, 1), (1, 0)] {
        let [program, other] = [context.programs[from], context.programs[to]];
        for f in
            ir::pointees::address_occurs(program).into_iter().filter(|f| program.function(*f).cfa().is_some())
        {
            let name = &program.function(f).name;
            let print = |side: usize, f: FuncId| context.prints[side].function(f).global;
            if other.find_function(name).is_none_or(|g| print(from, f) != print(to, g)) {
                return Err(Flaw::Open(format!("{name} changed and may be called through a pointer")));
            }
        }
    }
    Ok(())
}

struct Walk<'a, 'p> {
    context: &'a Context<'a>,
    world: World<'p>,
    functions: [FuncId; 2],
    demand: &'a Demand<'a>,
    same: [BTreeMap<FuncId, String>; 2],
    matched: BTreeSet<(FuncId, FuncId)>,
    /// The variables of what never changes.
    fixed: BTreeSet<Term>,
    /// The precondition, over the variables of the start.
    pre: Term,
    /// What it says about things that never change.
    rigid: Term,
    sides: BTreeMap<(usize, FuncId), Side<'p>>,
    formulas: BTreeMap<Key, Term>,
    /// Functions that formulas may use.
    symbols: Scope,
    queries: usize,
}

struct Treat<'a> {
    same: &'a BTreeMap<FuncId, String>,
    prints: &'a [Footprint],
}

impl Calls for Treat<'_> {
    fn treat(&self, _site: EdgeId, callee: FuncId) -> Treatment {
        match self.same.get(&callee) {
            Some(name) => Treatment::Uninterpreted(name.clone()),
            None => Treatment::Summary,
        }
    }

    fn footprint(&self, callee: FuncId) -> &Footprint {
        &self.prints[callee.0 as usize]
    }
}

/// What both sides do in one step; None for a side that waits.
struct Joint<'s> {
    segments: [Option<&'s Segment>; 2],
    guard: Term,
}

impl<'p> Walk<'_, 'p> {
    fn top(&self, place: Place) -> Key {
        Key { functions: self.functions.map(Some), places: [Some(place); 2] }
    }

    fn key(&mut self, location: &Location) -> Result<Key, Flaw> {
        let mut key = Key { functions: [None, None], places: location.places };
        for side in 0..2 {
            match (&location.functions[side], location.places[side]) {
                (Some(name), Some(place)) => {
                    let function = find(self.context.programs[side], name)?;
                    key.functions[side] = Some(function);
                    if !self.side(side, function)?.has(place) {
                        return Err(Flaw::Wrong(format!("{} is no cut point", self.name(key))));
                    }
                }
                (None, None) => {}
                _ => return Err(Flaw::Malformed("a function without a place".to_owned())),
            }
        }
        Ok(key)
    }

    fn name(&self, key: Key) -> String {
        let part = |side: usize| match (key.functions[side], key.places[side]) {
            (Some(f), Some(place)) => {
                let name = &self.context.programs[side].function(f).name;
                match place {
                    Place::Start => format!("{name}:start"),
                    Place::Node(node) => format!("{name}:{node}"),
                    Place::End => format!("{name}:end"),
                }
            }
            _ => "-".to_owned(),
        };
        format!("({}, {})", part(0), part(1))
    }

    fn side(&mut self, side: usize, function: FuncId) -> Result<&Side<'p>, Flaw> {
        if !self.sides.contains_key(&(side, function)) {
            let made = Side::new(&self.world, side, function)?;
            self.sides.insert((side, function), made);
        }
        Ok(&self.sides[&(side, function)])
    }

    fn slots(&mut self, key: Key) -> Result<[Values; 2], Flaw> {
        let mut slots = [Vec::new(), Vec::new()];
        for (side, found) in slots.iter_mut().enumerate() {
            if let (Some(function), Some(place)) = (key.functions[side], key.places[side]) {
                self.side(side, function)?;
                *found = self.sides[&(side, function)].slots(&self.world, place)?;
            }
        }
        Ok(slots)
    }

    fn states<'s>(&'s self, slots: &'s [Values; 2]) -> States<'s, 'p> {
        States { world: &self.world, functions: self.functions, slots }
    }

    /// A formula over these variables, and over what never changes.
    fn formula(&self, text: &str, slots: &[Values; 2]) -> Result<Term, Flaw> {
        let mut scope = self.symbols.clone();
        let vars = slots.iter().flatten().map(|(_, t)| *t).chain(self.fixed.iter().copied());
        vars.for_each(|v| scope.declare_vars(v));
        let term = parse_term(text, &scope).map_err(|e| Flaw::Malformed(format!("a formula: {e}")))?;
        match term.sort() {
            Sort::Bool => Ok(term),
            _ => Err(Flaw::Malformed(format!("{term} is no formula"))),
        }
    }

    fn read(&mut self, coupled: &Coupled) -> Result<(), Flaw> {
        self.symbols = scope(&coupled.functions)?;
        for location in &coupled.locations {
            let key = self.key(location)?;
            let slots = self.slots(key)?;
            let formula = self.formula(&location.formula, &slots)?;
            if self.formulas.insert(key, formula).is_some() {
                return Err(Flaw::Malformed(format!("{} occurs twice", self.name(key))));
            }
        }
        let slots = self.slots(self.top(Place::Start))?;
        self.pre = self.demand.conditions.pre(self.world.mode, &self.states(&slots))?;
        Ok(())
    }

    /// The formula of a location on given values. A location that is not in the certificate is claimed to be
    /// unreachable.
    fn holds(&mut self, key: Key, values: &[Values; 2]) -> Result<Term, Flaw> {
        let slots = self.slots(key)?;
        let Some(formula) = self.formulas.get(&key) else { return Ok(Term::bool(false)) };
        let mut pairs = Vec::new();
        for (slots, values) in slots.iter().zip(values) {
            let fits = slots.len() == values.len()
                && slots.iter().zip(values).all(|(s, v)| s.0 == v.0 && s.1.sort() == v.1.sort());
            if !fits {
                return Err(Flaw::Open("a state of another form than expected".to_owned()));
            }
            pairs.extend(slots.iter().zip(values).map(|(s, v)| (s.1, v.1)));
        }
        Ok(Substitution::new(pairs).apply(*formula))
    }

    /// The first location's formula follows from the contract.
    fn start(&mut self) -> Result<(), Flaw> {
        let key = self.top(Place::Start);
        let slots = self.slots(key)?;
        let mut values = slots.clone();
        for i in 0..values[1].len() {
            let (slot, var) = values[1][i];
            let equal = match slot {
                Slot::Local(_) => self.demand.contract.equal_inputs,
                Slot::Memory(_) => self.demand.contract.equal_memory,
                _ => true,
            };
            let partner = self.partner(slot, &slots[0]).filter(|t| equal && t.sort() == var.sort());
            values[1][i].1 = partner.unwrap_or(var);
        }
        let mut known = Vec::new();
        for (side, values) in values.iter_mut().enumerate() {
            // Of outside values, and not of initial ones, which need no facts.
            known.push(self.sides[&(side, self.functions[side])].type_facts(&self.world, values, true));
            if self.world.whole {
                for (slot, value) in values.iter_mut() {
                    *value = self.world.initial(side, self.functions[side], *slot, *value)?;
                }
            }
        }
        let pairs = (0..2).flat_map(|s| slots[s].iter().zip(&values[s])).map(|(s, v)| (s.1, v.1));
        let pre = Substitution::new(pairs.collect::<Vec<_>>()).apply(self.pre);
        let lasting = |t: &Term| logic::free_vars(*t).iter().all(|v| self.fixed.contains(v));
        self.rigid = Term::all(pre.conjuncts().into_iter().filter(lasting));
        known.push(pre);
        let goal = self.holds(key, &values)?;
        self.prove(&known, goal, || "the start".to_owned())
    }

    /// The old version's counterpart of a part of the new one's state.
    fn partner(&self, slot: Slot, old: &Values) -> Option<Term> {
        let programs = self.world.programs;
        let is = |candidate: Slot| match (candidate, slot) {
            (Slot::Global(a), Slot::Global(b)) => programs[0].global(a).name == programs[1].global(b).name,
            (a, b) => a == b,
        };
        old.iter().find(|(s, _)| is(*s)).map(|(_, t)| *t)
    }

    /// Everything that can happen at a location leads to one whose formula holds.
    fn location(&mut self, key: Key, moves: Moves) -> Result<(), Flaw> {
        let ended = |side: usize| matches!(key.places[side], None | Some(Place::End));
        let going = match moves {
            Moves::Done if ended(0) && ended(1) && key.functions != [None, None] => return Ok(()),
            Moves::Both | Moves::Wait if !ended(0) && !ended(1) => [true, true],
            Moves::Old if !ended(0) => [true, false],
            Moves::New if !ended(1) => [false, true],
            _ => return Err(Flaw::Wrong(format!("nobody can move as said at {}", self.name(key)))),
        };
        let before = self.slots(key)?;
        let mut blocks: [Option<Block>; 2] = [None, None];
        let mut known = vec![self.rigid];
        for side in 0..2 {
            let (Some(function), Some(place)) = (key.functions[side], key.places[side]) else { continue };
            let this = &self.sides[&(side, function)];
            known.push(this.type_facts(&self.world, &before[side], false));
            if going[side] {
                let calls = Treat { same: &self.same[side], prints: &self.world.prints[side] };
                let block = this.block(&self.world, place, &calls)?;
                known.push(block.facts);
                blocks[side] = Some(block);
            }
        }
        known.push(self.holds(key, &before)?);
        let [old, new] = &blocks;
        let list = |b: &Option<Block>| b.as_ref().map(|b| b.segments.clone()).unwrap_or_default();
        let (old, new) = (list(old), list(new));
        for joint in self.joints(key, moves, &old, &new)? {
            if !joint.guard.is_false() {
                self.step(key, &joint, &before, &known)?;
            }
        }
        Ok(())
    }

    /// All that the sides can do, as the policy combines it.
    fn joints<'s>(
        &mut self,
        key: Key,
        moves: Moves,
        old: &'s [Segment],
        new: &'s [Segment],
    ) -> Result<Vec<Joint<'s>>, Flaw> {
        let alone = |side: usize, s: &'s Segment, guard: Term| {
            let mut segments = [None, None];
            segments[side] = Some(s);
            Joint { segments, guard }
        };
        let both = |s: &'s Segment, t: &'s Segment| Joint {
            segments: [Some(s), Some(t)],
            guard: s.guard.and(t.guard),
        };
        Ok(match moves {
            Moves::Done => Vec::new(),
            Moves::Old => old.iter().map(|s| alone(0, s, s.guard)).collect(),
            Moves::New => new.iter().map(|t| alone(1, t, t.guard)).collect(),
            Moves::Both => old.iter().flat_map(|s| new.iter().map(move |t| both(s, t))).collect(),
            Moves::Wait => {
                let mut stays = [Vec::new(), Vec::new()];
                for (side, segments) in [old, new].into_iter().enumerate() {
                    let (Some(function), Some(Place::Node(head))) = (key.functions[side], key.places[side])
                    else {
                        return Err(Flaw::Wrong(format!("nobody can wait at {}", self.name(key))));
                    };
                    let this = &self.sides[&(side, function)];
                    stays[side] = segments.iter().map(|s| this.stays(NodeId(head), s)).collect();
                }
                // Whatever the two runs do next, both stay, both leave, or exactly one stays: that one moves.
                let leaves = |segments: &[Segment], stays: &[bool]| {
                    let leaving = segments.iter().zip(stays).filter(|(_, stays)| !**stays);
                    Term::any(leaving.map(|(s, _)| s.guard))
                };
                let leaves = [leaves(old, &stays[0]), leaves(new, &stays[1])];
                let mut joints = Vec::new();
                for (s, s_stays) in old.iter().zip(&stays[0]) {
                    for (t, t_stays) in new.iter().zip(&stays[1]) {
                        if s_stays == t_stays {
                            joints.push(both(s, t));
                        }
                    }
                    if *s_stays {
                        joints.push(alone(0, s, s.guard.and(leaves[1])));
                    }
                }
                for (t, t_stays) in new.iter().zip(&stays[1]) {
                    if *t_stays {
                        joints.push(alone(1, t, t.guard.and(leaves[0])));
                    }
                }
                joints
            }
        })
    }

    /// One step: its calls are made where their formulas hold, and it leads to where its formula holds.
    fn step(&mut self, key: Key, joint: &Joint, before: &[Values; 2], known: &[Term]) -> Result<(), Flaw> {
        let mut known = [known, &[joint.guard]].concat();
        let none: &[Call] = &[];
        let [old, new] = joint.segments.map(|s| s.map_or(none, |s| &s.calls));
        for pair in match_calls(&self.matched, old, new) {
            let at = |place: Place| Key {
                functions: pair.map(|c| c.map(|c| c.callee)),
                places: pair.map(|c| c.map(|_| place)),
            };
            let entry = self.call(at(Place::Start), pair)?;
            let here = self.name(key);
            self.prove(&known, entry, || format!("a call at {here}"))?;
            known.push(self.call(at(Place::End), pair)?);
        }
        let mut next = key;
        let mut values = before.clone();
        let (mut goals, mut typed) = (Vec::new(), Vec::new());
        for side in 0..2 {
            let (Some(segment), Some(function)) = (joint.segments[side], key.functions[side]) else {
                continue;
            };
            let this = &self.sides[&(side, function)];
            next.places[side] = Some(target(segment));
            values[side] = this.after(&self.world, segment, &before[side])?;
            goals.push(this.only_returns(segment));
            typed.push(this.type_facts(&self.world, &set(&values[side]), false));
        }
        self.in_range(&known, Term::all(typed), &self.name(key))?;
        goals.push(self.holds(next, &values)?);
        let (from, to) = (self.name(key), self.name(next));
        self.prove(&known, Term::all(goals), || format!("the step from {from} to {to}"))
    }

    /// At the next location it is taken for granted that values are in the ranges of their types. A state in
    /// which one is not would be lost there, so it must not exist. Where the solver does not say so at once,
    /// the encoding is believed.
    fn in_range(&mut self, known: &[Term], typed: Term, here: &str) -> Result<(), Flaw> {
        if typed.is_true() {
            return Ok(());
        }
        self.queries += 1;
        let settings = Settings::default().budget(self.context.budget).timeout(AT_ONCE);
        match one_shot(&[known, &[typed.not()]].concat(), &settings).0 {
            SatResult::Sat => Err(Flaw::Wrong(format!("a step from {here} loses a state"))),
            _ => Ok(()),
        }
    }

    /// The formula of a callee's start or end, on the values of a call.
    fn call(&mut self, key: Key, calls: [Option<&Call>; 2]) -> Result<Term, Flaw> {
        let mut values = self.slots(key)?;
        for side in 0..2 {
            let Some(call) = calls[side] else { continue };
            let start = key.places[side] == Some(Place::Start);
            for (slot, value) in &mut values[side] {
                *value = slot
                    .of_call(call, start)
                    .ok_or_else(|| Flaw::Open("a call with other arguments than expected".to_owned()))?;
            }
        }
        self.holds(key, &values)
    }

    /// When both compared functions have ended, the claim holds.
    fn outputs(&mut self) -> Result<(), Flaw> {
        let key = self.top(Place::End);
        let slots = self.slots(key)?;
        let mut known = vec![self.rigid, self.holds(key, &slots)?];
        let mut first = Vec::new();
        for (side, slots) in slots.iter().enumerate() {
            let this = &self.sides[&(side, self.functions[side])];
            known.push(this.type_facts(&self.world, slots, false));
            let start = this.slots(&self.world, Place::Start)?;
            let find = |id| slots.iter().find(|(s, _)| *s == Slot::First(id)).map(|(_, t)| *t);
            first.extend(start.iter().filter_map(|(slot, var)| match slot {
                Slot::Local(id) => Some((*var, find(*id)?)),
                _ => None,
            }));
        }
        // The ends of inner calls count only as far as they could be ends of the outermost one: with
        // admissible arguments.
        if self.demand.contract.equal_inputs {
            for (slot, var) in &slots[1] {
                if let Slot::First(_) = slot
                    && let Some(old) = self.partner(*slot, &slots[0]).filter(|t| t.sort() == var.sort())
                {
                    known.push(old.equals(*var));
                }
            }
        }
        let lasting = |v: &Term| self.fixed.contains(v) || first.iter().any(|(start, _)| start == v);
        let pre = self.pre.conjuncts().into_iter().filter(|c| logic::free_vars(*c).iter().all(lasting));
        let pre = Term::all(pre);
        known.push(Substitution::new(first.clone()).apply(pre));
        let goal = match self.demand.conditions.post(self.world.mode, &self.states(&slots))? {
            Some(post) => post,
            None => self.same_outputs(&slots)?,
        };
        self.prove(&known, goal, || "the outputs".to_owned())
    }

    /// All that can be observed of the two ends is equal.
    fn same_outputs(&self, slots: &[Values; 2]) -> Result<Term, Flaw> {
        let [f, g] = [0, 1].map(|i: usize| self.world.programs[i].function(self.functions[i]));
        if f.ret != g.ret {
            return Err(Flaw::Wrong("the functions return different types".to_owned()));
        }
        let returned = Term::int(kind::RETURN);
        let of = |side: usize| {
            slots[side].iter().find(|(s, _)| *s == Slot::Kind).map_or(returned, |(_, kind)| *kind)
        };
        let kinds = [of(0), of(1)];
        let mut always = vec![kinds[0].equals(kinds[1])];
        let mut after_return = Vec::new();
        for (slot, new) in &slots[1] {
            let old = self.partner(*slot, &slots[0]);
            let equal = match old {
                Some(old) if old.sort() == new.sort() => old.equals(*new),
                // A global that only one version has is nobody else's business.
                None if matches!(slot, Slot::Global(_)) => continue,
                _ => Term::bool(false),
            };
            match slot {
                Slot::Value | Slot::Global(_) => after_return.push(equal),
                Slot::Memory(r) if self.world.regions.list[r.0 as usize].escapes => after_return.push(equal),
                Slot::World => always.push(equal),
                // Without a code on one side there is no exit on it, and the kinds differ.
                Slot::Code if old.is_some() => {
                    always.push(kinds[0].equals(Term::int(kind::EXIT)).implies(equal));
                }
                _ => {}
            }
        }
        Ok(Term::all(always).and(kinds[0].equals(returned).implies(Term::all(after_return))))
    }

    fn prove(&mut self, known: &[Term], goal: Term, what: impl Fn() -> String) -> Result<(), Flaw> {
        if goal == Term::bool(true) {
            return Ok(());
        }
        self.queries += 1;
        let budget = self.context.budget;
        budget.check(self.queries as u64).map_err(|stop| Flaw::Open(stop.to_string()))?;
        let query = [known, &[goal.not()]].concat();
        let settings = Settings::default().budget(budget);
        let result = match one_shot(&query, &settings).0 {
            // What preprocessing made worse, the core may know.
            SatResult::Unknown(Why::Incomplete(_)) => {
                let core = Z3Solver::new(settings.strategy(Strategy::Core));
                let mut core = core.map_err(|e| Flaw::Open(e.to_string()))?;
                query.iter().for_each(|t| core.assert(*t));
                core.check(&[])
            }
            result => result,
        };
        match result {
            SatResult::Unsat => Ok(()),
            SatResult::Sat => Err(Flaw::Wrong(format!("{} is not covered", what()))),
            SatResult::Unknown(why) => Err(Flaw::Open(format!("{}: {why}", what()))),
        }
    }
}

/// The values that a step gives; others can be anything.
fn set(values: &Values) -> Values {
    let open = |t: &Term| t.var_name().is_some_and(|name| name.starts_with(ANY));
    values.iter().filter(|(_, t)| !open(t)).copied().collect()
}
