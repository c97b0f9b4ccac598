//! Two interpreters, set up so that both versions find the same world, used again for every input.

use super::choose::Constants;
use super::input::{Input, Place, Rest};
use super::matching::{Matcher, Verdict};
use super::observe::{Describer, Ending, NoEnding, Observation, ending};
use super::world::{AddressMap, Answers, World};
use super::{Compared, Difference, DifferenceKind, ExternRule, Options, Pair, Post, Reason, Side, Watch};
use base::Budget;
use interp::{Cell, Interp, is_modelled};
use ir::{Body, CallGraph, ExprKind, FuncId, GlobalId, NodeId, Program, Storage, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Compares the two versions on one input after the other.
pub struct Comparer<'p> {
    pub(super) sides: [Version<'p>; 2],
    pub(super) options: Arc<Options>,
    pub(super) constants: Arc<Constants>,
    /// Globals that both programs have and may change.
    shared: Vec<Arc<str>>,
    /// Do globals start with their initial values?
    initialised: bool,
    sizes: Vec<u64>,
    /// The usual layout of memory, and another one.
    machines: [Option<[Machine<'p>; 2]>; 2],
    /// Machines that record states at certain locations.
    watched: Option<(Watch, Vec<u64>, [Machine<'p>; 2])>,
    /// Steps taken by all runs so far.
    pub(super) steps: u64,
}

/// What is known of one version before anything runs.
pub struct Version<'p> {
    pub program: &'p Program,
    pub function: FuncId,
    /// Functions without a body here that the other program has a body for.
    one_sided: FxHashSet<FuncId>,
    pub globals: FxHashMap<Arc<str>, GlobalId>,
    /// Calls of these are not looked at: their output is, or a rule says what they mean.
    unobserved: FxHashSet<FuncId>,
    rules: FxHashMap<FuncId, ExternRule>,
    /// Shared register globals that code which can run mentions.
    registers: Vec<GlobalId>,
    /// Shared memory globals.
    memory: Vec<GlobalId>,
}

/// One version, ready to run.
struct Machine<'p> {
    interp: Interp<'p>,
    map: AddressMap,
    /// Steps of the last run.
    steps: u64,
}

/// What to record besides what every run records.
#[derive(Default)]
struct Record {
    watch: Vec<(FuncId, NodeId)>,
    trace: bool,
}

/// How one run went.
pub struct Ran {
    pub run: interp::Run,
    pub ending: Ending,
}

/// One version after a run.
pub struct View<'a, 'p> {
    pub version: &'a Version<'p>,
    pub interp: &'a Interp<'p>,
    pub map: &'a AddressMap,
    pub ran: &'a Ran,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    Usual,
    Other,
}

impl<'p> View<'_, 'p> {
    pub fn program(&self) -> &'p Program {
        self.version.program
    }

    /// The bytes of a place as far as they were touched; None if it is gone.
    pub fn cells(&self, place: &Place) -> Option<Vec<Cell>> {
        if let Place::Global(name) = place {
            let id = *self.version.globals.get(name)?;
            if let Storage::Register(_) = self.program().global(id).storage {
                let bytes = self.interp.global_bytes(id)?;
                return Some(bytes.into_iter().map(|b| Cell::Byte(b.unwrap_or(0))).collect());
            }
        }
        let address = self.map.address(place)?;
        self.interp.cells(address, self.interp.touched(address)).ok()
    }

    /// The calls of functions without a body that count, by index.
    pub fn calls(&self) -> Vec<usize> {
        let calls = self.ran.run.calls.iter().enumerate();
        calls.filter(|(_, c)| !self.version.unobserved.contains(&c.function)).map(|(i, _)| i).collect()
    }
}

impl<'p> Comparer<'p> {
    pub fn new(pair: Pair<'p>, options: &Options) -> Self {
        let programs = [(pair.old, pair.old_fn), (pair.new, pair.new_fn)];
        let is_main = |(program, id): (&Program, FuncId)| {
            program.functions.get(id.0 as usize).is_some_and(|f| &*f.name == "main")
        };
        let initialised = options.initialised.unwrap_or_else(|| programs.into_iter().all(is_main));
        let mut mentioned = BTreeSet::new();
        programs.iter().for_each(|(program, id)| mentioned_registers(program, *id, &mut mentioned));
        // A register that neither version looks at is as it was, whatever that is.
        let matters = |program: &Program, name: &Arc<str>| match program.find_global(name) {
            Some(id) => {
                matches!(program.global(id).storage, Storage::Memory { .. }) || mentioned.contains(name)
            }
            None => false,
        };
        let mut shared: Vec<Arc<str>> =
            changeable(pair.old).intersection(&changeable(pair.new)).cloned().collect();
        shared.retain(|name| matters(pair.old, name) || matters(pair.new, name));
        let version = |program, function, other| Version::new(program, function, other, &shared, options);
        Comparer {
            sides: [version(pair.old, pair.old_fn, pair.new), version(pair.new, pair.new_fn, pair.old)],
            options: Arc::new(options.clone()),
            constants: Arc::new(Constants::harvest(programs)),
            shared,
            initialised,
            sizes: Vec::new(),
            machines: [None, None],
            watched: None,
            steps: 0,
        }
    }

    /// Runs both versions on `input`. With `post`, returned states must satisfy it instead of being equal.
    pub fn compare(&mut self, input: &Input, post: Option<&Post>, budget: &Budget) -> Compared {
        self.limited(input, post, budget, self.options.max_steps)
    }

    /// The same with another limit on the steps of a run.
    pub(super) fn limited(
        &mut self,
        input: &Input,
        post: Option<&Post>,
        budget: &Budget,
        steps: u64,
    ) -> Compared {
        let budget = Budget { steps: Some(budget.steps.map_or(steps, |s| s.min(steps))), ..budget.clone() };
        match self.run_and_judge(input, post, &budget) {
            Ok(compared) | Err(compared) => compared,
        }
    }

    fn run_and_judge(
        &mut self,
        input: &Input,
        post: Option<&Post>,
        budget: &Budget,
    ) -> Result<Compared, Compared> {
        let (options, constants) = (self.options.clone(), self.constants.clone());
        self.set_up(Layout::Usual, &input.objects)?;
        let mut world = World::new(input.clone(), &constants, &options, 0);
        let ran = self.run_both(Layout::Usual, &mut world, budget)?;
        if self.judge(Layout::Usual, &ran, &mut world, post)?.is_none() {
            return Ok(Compared::Same);
        }
        // Once more from what is now explicit, under both layouts: what depends on the layout, or on variables
        // without a value, is not a difference.
        let explicit = Input { rest: Rest::Zero, ..world.input };
        self.set_up(Layout::Other, &explicit.objects)?;
        let mut usual = World::new(explicit.clone(), &constants, &options, 0);
        let mut other = World::new(explicit, &constants, &options, 1);
        let unspecified = Compared::Excluded(Reason::Unspecified);
        let first = self.run_both(Layout::Usual, &mut usual, budget)?;
        let kind = self.judge(Layout::Usual, &first, &mut usual, post)?.ok_or(unspecified.clone())?;
        let second = self.run_both(Layout::Other, &mut other, budget)?;
        self.judge(Layout::Other, &second, &mut other, post)?.ok_or(unspecified.clone())?;
        for side in 0..2 {
            let a = self.view(Layout::Usual, side, &first)?;
            let b = self.view(Layout::Other, side, &second)?;
            if let Verdict::Differs(_) = Matcher::of_layouts([&a, &b], &mut usual).verdict(&self.shared) {
                return Err(unspecified);
            }
        }
        let input = usual.input;
        let old = self.observation(Layout::Usual, 0, &first, &input)?;
        let new = self.observation(Layout::Usual, 1, &first, &input)?;
        Ok(Compared::Differs(Box::new(Difference { input, kind, old, new })))
    }

    /// The states seen at the watched locations, by side; None unless both versions end.
    pub fn states(
        &mut self,
        input: &Input,
        watch: &Watch,
        budget: &Budget,
    ) -> Option<[Vec<interp::Snapshot>; 2]> {
        let (options, constants) = (self.options.clone(), self.constants.clone());
        if self.watched.as_ref().is_none_or(|(w, sizes, _)| w != watch || *sizes != input.objects) {
            let [old, new] = [(0, &watch.old), (1, &watch.new)].map(|(side, watch)| {
                let record = Record { watch: watch.clone(), trace: false };
                Machine::new(&self.sides[side], &options, &input.objects, Layout::Usual, &record)
            });
            self.watched = Some((watch.clone(), input.objects.clone(), [old?, new?]));
        }
        let steps = Some(budget.steps.map_or(options.max_steps, |s| s.min(options.max_steps)));
        let budget = Budget { steps, ..budget.clone() };
        let mut world = World::new(input.clone(), &constants, &options, 0);
        let (_, _, [old, new]) = self.watched.as_mut()?;
        let old = old.run(&self.sides[0], Side::Old, self.initialised, &mut world, &budget).ok()?;
        let new = new.run(&self.sides[1], Side::New, self.initialised, &mut world, &budget).ok()?;
        self.steps += old.run.steps + new.run.steps;
        Some([old.run.snapshots, new.run.snapshots])
    }

    /// Runs both versions with everything recorded, and lets `tell` look at each: with whether it ended.
    pub(super) fn told<T>(
        &mut self,
        input: &Input,
        budget: &Budget,
        tell: impl Fn(&View, bool) -> T,
    ) -> Option<Vec<T>> {
        let (options, constants) = (self.options.clone(), self.constants.clone());
        let mut world = World::new(input.clone(), &constants, &options, 0);
        let mut told = Vec::new();
        for (version, side) in self.sides.iter().zip([Side::Old, Side::New]) {
            let functions = version.program.function_ids();
            let watch = functions.flat_map(|id| {
                let nodes = version.program.function(id).cfa().into_iter().flat_map(|cfa| cfa.nodes());
                nodes.map(move |node| (id, node))
            });
            let record = Record { watch: watch.collect(), trace: true };
            let mut machine = Machine::new(version, &options, &input.objects, Layout::Usual, &record)?;
            let run = machine.start(version, side, self.initialised, &mut world, budget).ok()?;
            let found = ending(side, &run.outcome);
            let (ended, ending) = (found.is_ok(), found.unwrap_or(Ending::Aborted));
            let ran = Ran { run, ending };
            let view = View { version, interp: &machine.interp, map: &machine.map, ran: &ran };
            told.push(tell(&view, ended));
        }
        Some(told)
    }

    /// How often the watched locations were visited, by side; None unless both versions end.
    pub fn visits(&mut self, input: &Input, watch: &Watch, budget: &Budget) -> Option<[Vec<u32>; 2]> {
        let states = self.states(input, watch, budget)?;
        let count = |list: &[(FuncId, NodeId)], states: &[interp::Snapshot]| {
            list.iter()
                .map(|at| states.iter().filter(|s| (s.function, s.node) == *at).count() as u32)
                .collect::<Vec<u32>>()
        };
        Some([count(&watch.old, &states[0]), count(&watch.new, &states[1])])
    }

    /// The two functions, if there are such.
    pub(super) fn functions(&self) -> Option<[&'p ir::Function; 2]> {
        let [old, new] = &self.sides;
        let find = |v: &Version<'p>| v.program.functions.get(v.function.0 as usize);
        Some([find(old)?, find(new)?])
    }

    /// What differs, if anything does.
    fn judge(
        &self,
        layout: Layout,
        ran: &[Ran; 2],
        world: &mut World,
        post: Option<&Post>,
    ) -> Result<Option<DifferenceKind>, Compared> {
        let views = [self.view(layout, 0, ran)?, self.view(layout, 1, ran)?];
        if let Some(post) = post
            && views.iter().all(|v| v.ran.ending == Ending::Returned)
        {
            let old = self.observation(layout, 0, ran, &world.input)?;
            let new = self.observation(layout, 1, ran, &world.input)?;
            return match post(&old, &new, &world.input) {
                Some(true) => Ok(None),
                Some(false) => Ok(Some(DifferenceKind::Postcondition)),
                None => Err(Compared::Excluded(Reason::Postcondition)),
            };
        }
        match Matcher::new([&views[0], &views[1]], world).verdict(&self.shared) {
            Verdict::Same => Ok(None),
            Verdict::Unclear => Err(Compared::Excluded(Reason::Unspecified)),
            Verdict::Differs(kind) => Ok(Some(kind)),
        }
    }

    fn observation(
        &self,
        layout: Layout,
        side: usize,
        ran: &[Ran; 2],
        input: &Input,
    ) -> Result<Observation, Compared> {
        let view = self.view(layout, side, ran)?;
        let objects = (0..input.objects.len()).map(Place::Object);
        let places: Vec<Place> = objects.chain(self.shared.iter().cloned().map(Place::Global)).collect();
        Ok(Describer::new(&view).observation(&places))
    }

    pub(super) fn view<'a>(
        &'a self,
        layout: Layout,
        side: usize,
        ran: &'a [Ran; 2],
    ) -> Result<View<'a, 'p>, Compared> {
        let machines = self.machines[layout as usize].as_ref().ok_or(Compared::Excluded(Reason::BadInput))?;
        let Machine { interp, map, .. } = &machines[side];
        Ok(View { version: &self.sides[side], interp, map, ran: &ran[side] })
    }

    fn run_both(&mut self, layout: Layout, world: &mut World, budget: &Budget) -> Result<[Ran; 2], Compared> {
        let old = self.run(layout, 0, world, budget);
        if let Err(NoEnding::Excluded(reason)) = old {
            return Err(Compared::Excluded(reason));
        }
        match (old, self.run(layout, 1, world, budget)) {
            (Ok(old), Ok(new)) => Ok([old, new]),
            (_, Err(NoEnding::Excluded(reason))) => Err(Compared::Excluded(reason)),
            (old, new) => Err(Compared::NoEnd { old_ended: old.is_ok(), new_ended: new.is_ok() }),
        }
    }

    fn run(
        &mut self,
        layout: Layout,
        side: usize,
        world: &mut World,
        budget: &Budget,
    ) -> Result<Ran, NoEnding> {
        let machines = self.machines[layout as usize].as_mut();
        let machine = &mut machines.ok_or(NoEnding::Excluded(Reason::BadInput))?[side];
        let name = if side == 0 { Side::Old } else { Side::New };
        let ran = machine.run(&self.sides[side], name, self.initialised, world, budget);
        self.steps += machine.steps;
        ran
    }

    /// Machines for a caller with objects of these sizes.
    fn set_up(&mut self, layout: Layout, sizes: &[u64]) -> Result<(), Compared> {
        if self.sizes != sizes {
            self.sizes = sizes.to_vec();
            self.machines = [None, None];
        }
        let [old, new] = &self.sides;
        if old.program.target != new.program.target {
            return Err(Compared::Excluded(Reason::BadInput));
        }
        if self.machines[layout as usize].is_none() {
            let machine = |version| {
                Machine::new(version, &self.options, sizes, layout, &Record::default())
                    .ok_or(Compared::Excluded(Reason::BadInput))
            };
            self.machines[layout as usize] = Some([machine(old)?, machine(new)?]);
        }
        Ok(())
    }
}

impl<'p> Version<'p> {
    fn new(
        program: &'p Program,
        function: FuncId,
        other: &Program,
        shared: &[Arc<str>],
        options: &Options,
    ) -> Version<'p> {
        let bodies: FxHashSet<&str> =
            other.functions.iter().filter(|f| f.body != Body::Extern).map(|f| &*f.name).collect();
        let externs = || program.function_ids().filter(|id| program.function(*id).body == Body::Extern);
        let name = |id: &FuncId| &*program.function(*id).name;
        let known = |id: &FuncId| options.externs.contains_key(name(id)) || is_modelled(program, *id);
        let globals: FxHashMap<Arc<str>, GlobalId> =
            program.globals.iter().zip(0..).map(|(g, i)| (g.name.clone(), GlobalId(i))).collect();
        let (mut registers, mut memory) = (Vec::new(), Vec::new());
        for shared in shared {
            match globals.get(shared).map(|id| (*id, program.global(*id).storage)) {
                Some((id, Storage::Register(_))) => registers.push(id),
                Some((id, Storage::Memory { .. })) => memory.push(id),
                None => {}
            }
        }
        Version {
            program,
            function,
            globals,
            one_sided: externs().filter(|id| bodies.contains(name(id)) && !known(id)).collect(),
            unobserved: externs().filter(known).collect(),
            rules: externs().filter_map(|id| Some((id, options.externs.get(name(&id))?.clone()))).collect(),
            registers,
            memory,
        }
    }
}

impl<'p> Machine<'p> {
    /// None if the program does not fit into memory or has no such function.
    fn new(
        version: &Version<'p>,
        options: &Options,
        sizes: &[u64],
        layout: Layout,
        record: &Record,
    ) -> Option<Machine<'p>> {
        // The other layout has everything elsewhere, and the objects in the opposite order.
        let (heap, position): (Vec<u64>, Vec<usize>) = match layout {
            Layout::Usual => (sizes.to_vec(), (0..sizes.len()).collect()),
            Layout::Other => {
                let before = [24, 1000, 8, 64, 200];
                let objects = sizes.iter().rev().flat_map(|size| [*size, 40]);
                let heap: Vec<u64> = before.into_iter().chain(objects).collect();
                (heap, (0..sizes.len()).map(|i| 5 + 2 * (sizes.len() - 1 - i)).collect())
            }
        };
        let program = version.program;
        let interp_options = interp::Options {
            max_steps: u64::MAX,
            max_memory: options.max_memory,
            max_depth: options.max_depth,
            record_inputs: false,
            record_calls: true,
            output_limit: 1 << 16,
            watch: record.watch.clone(),
            record_trace: record.trace,
            heap,
            ..interp::Options::new(version.function)
        };
        let interp = Interp::new(program, interp_options).ok()?;
        let mut places = Vec::new();
        for (index, (size, position)) in sizes.iter().zip(position).enumerate() {
            places.push((interp.heap_address(position)?, *size, Place::Object(index)));
        }
        for (i, global) in program.globals.iter().enumerate() {
            if let (Some(address), Storage::Memory { size, .. }) =
                (interp.global_address(GlobalId(i as u32)), global.storage)
            {
                places.push((address, size, Place::Global(global.name.clone())));
            }
        }
        let functions: FxHashMap<Arc<str>, u64> = program
            .function_ids()
            .map(|id| (program.function(id).name.clone(), interp.function_address(id)))
            .collect();
        let map = AddressMap::new(program.target, places, functions);
        Some(Machine { interp, map, steps: 0 })
    }

    fn run(
        &mut self,
        version: &Version<'p>,
        side: Side,
        initialised: bool,
        world: &mut World,
        budget: &Budget,
    ) -> Result<Ran, NoEnding> {
        let run = self.start(version, side, initialised, world, budget)?;
        self.steps = run.steps;
        if let Some(call) = run.calls.iter().find(|call| version.one_sided.contains(&call.function)) {
            let name = version.program.function(call.function).name.clone();
            return Err(NoEnding::Excluded(Reason::OneSidedBody(name)));
        }
        ending(side, &run.outcome).map(|ending| Ran { run, ending })
    }

    /// Runs this version in a fresh state.
    fn start(
        &mut self,
        version: &Version<'p>,
        side: Side,
        initialised: bool,
        world: &mut World,
        budget: &Budget,
    ) -> Result<interp::Run, NoEnding> {
        let bad = || NoEnding::Excluded(Reason::BadInput);
        let Machine { interp, map, .. } = self;
        interp.reset();
        if !initialised {
            for &id in &version.memory {
                interp.make_unwritten(id);
            }
            for &id in &version.registers {
                let global = version.program.global(id);
                if let Storage::Register(ty) = global.storage {
                    let place = Place::Global(global.name.clone());
                    interp.set_global_bits(id, world.initial(map, &place, 0, ty).ok_or_else(bad)?);
                }
            }
        }
        let params = version.program.function(version.function).params as usize;
        let given = &world.input.args[side as usize];
        let args: Option<Vec<u128>> = given.iter().take(params).map(|v| map.bits(v)).collect();
        let args = args.filter(|list| list.len() == params).ok_or_else(bad)?;
        let mut answers = Answers::new(world, map, version.program, &version.rules, &version.unobserved);
        Ok(interp.call(version.function, &args, &mut answers, budget))
    }
}

/// The globals of a program that can change, besides the C library's streams.
fn changeable(program: &Program) -> BTreeSet<Arc<str>> {
    let stream = |name: &str| matches!(name, "stdin" | "stdout" | "stderr");
    let globals = program.globals.iter().filter(|g| !(g.constant || g.init.is_none() && stream(&g.name)));
    globals.map(|g| g.name.clone()).collect()
}

fn mentioned_registers(program: &Program, root: FuncId, found: &mut BTreeSet<Arc<str>>) {
    if root.0 as usize >= program.functions.len() {
        return;
    }
    let mut mention = |id: GlobalId| {
        found.insert(program.global(id).name.clone());
    };
    for id in CallGraph::of(program).reachable(&[root]) {
        for edge in program.function(id).cfa().into_iter().flat_map(|cfa| cfa.edges()) {
            if let Some(Var::Global(id)) = edge.op.written() {
                mention(id);
            }
            for e in edge.op.exprs() {
                e.walk(&mut |e| {
                    if let ExprKind::Global(id) = e.kind {
                        mention(id);
                    }
                });
            }
        }
    }
}
