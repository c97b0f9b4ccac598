//! Two interpreters, set up so that both versions find the same world, used again for every input.

use super::choose::Constants;
use super::input::{Input, Place, Rest};
use super::machine::{Layout, Machine, Ran, Record, Version, View, changeable, mentioned_registers};
use super::matching::{Matcher, Verdict};
use super::observe::{Describer, Ending, NoEnding, Observation, ending};
use super::world::World;
use super::{Compared, Difference, DifferenceKind, Options, Pair, Post, Reason, Side, Watch};
use base::Budget;
use ir::{FuncId, NodeId, Program, Storage};
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
        match self.run_and_judge(input, post, &budget.at_most(steps)) {
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
        // Once more from what is now explicit, under both layouts: what depends on the layout, or on
        // variables without a value, is not a difference.
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
        let budget = budget.at_most(options.max_steps);
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
