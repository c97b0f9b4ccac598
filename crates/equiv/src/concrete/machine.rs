//! One version of the function in an interpreter, ready to run on any input.

use super::fields::Fields;
use super::input::{Base, Input, Memory, Place, Pointer, Rest, Value};
use super::observe::{Ending, NoEnding, ending};
use super::world::{AddressMap, Answers, World};
use super::{ExternRule, Options, Reason, Side};
use base::Budget;
use interp::{Cell, Interp, Pointee, is_modelled};
use ir::{Body, CallGraph, ExprKind, FuncId, GlobalId, NodeId, Program, Storage, Type, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What is known of one version before anything runs.
pub struct Version<'p> {
    pub program: &'p Program,
    pub function: FuncId,
    /// Functions without a body here that the other program has a body for.
    one_sided: FxHashSet<FuncId>,
    pub globals: FxHashMap<Arc<str>, GlobalId>,
    pub fields: Fields,
    /// Calls of these are not looked at: their output is, or a rule says what they mean.
    unobserved: FxHashSet<FuncId>,
    rules: FxHashMap<FuncId, ExternRule>,
    /// Shared register globals that code which can run mentions.
    registers: Vec<GlobalId>,
    /// Shared memory globals.
    memory: Vec<GlobalId>,
    /// Functions whose address is taken somewhere.
    taken: FxHashSet<FuncId>,
}

/// One version, ready to run.
pub struct Machine<'p> {
    pub interp: Interp<'p>,
    pub map: AddressMap,
    /// Steps of the last run.
    pub steps: u64,
}

/// What to record besides what every run records.
#[derive(Default)]
pub struct Record {
    pub watch: Vec<(FuncId, NodeId)>,
    pub trace: bool,
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

    /// What an address points to. A number that happens to be the address of a function is no pointer to it
    /// if the program never takes that address.
    pub fn pointee(&self, address: u64) -> Pointee {
        match self.interp.pointee(address) {
            Pointee::Function(f) if !self.version.taken.contains(&f) => Pointee::Nothing,
            pointee => pointee,
        }
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

impl<'p> Version<'p> {
    pub fn new(
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
            taken: ir::pointees::address_occurs(program).into_iter().collect(),
            program,
            function,
            globals,
            fields: Fields::of(program, function),
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
    pub fn new(
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

    /// Runs this version, and says how that ended.
    pub fn run(
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
    pub fn start(
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
        if !properly_started(version, side, &world.input) {
            return Err(bad());
        }
        let given = &world.input.args[side as usize];
        let args: Option<Vec<u128>> = given.iter().take(params).map(|v| map.bits(v)).collect();
        let args = args.filter(|list| list.len() == params).ok_or_else(bad)?;
        let mut answers = Answers::new(world, map, version.program, &version.rules, &version.unobserved);
        Ok(interp.call(version.function, &args, &mut answers, budget))
    }
}

/// The globals of a program that can change, besides the C library's streams.
pub fn changeable(program: &Program) -> BTreeSet<Arc<str>> {
    let stream = |name: &str| matches!(name, "stdin" | "stdout" | "stderr");
    let globals = program.globals.iter().filter(|g| !(g.constant || g.init.is_none() && stream(&g.name)));
    globals.map(|g| g.name.clone()).collect()
}

/// The names of register globals that code reachable from `root` mentions.
pub fn mentioned_registers(program: &Program, root: FuncId, found: &mut BTreeSet<Arc<str>>) {
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

/// The system starts `main` with the number of its arguments, and with a list of strings that ends with null.
fn properly_started(version: &Version, side: Side, input: &Input) -> bool {
    let Some((argc, argv)) = main_arguments(version.program, version.function, &input.args[side as usize])
    else {
        return true;
    };
    let (Value::Bits(argc), Value::Pointer(Pointer { base: Base::Object(object), offset })) = (argc, argv)
    else {
        return false;
    };
    let word = u64::from(version.program.target.pointer_bits / 8);
    let at = |i: u64| {
        let start = u64::try_from(*offset).ok()?.checked_add(i * word)?;
        let place = Place::Object(*object);
        let open = (0..word).all(|k| input.memory.byte(&place, start + k).is_none());
        if open && input.rest == Rest::Zero {
            Some(Value::NULL)
        } else {
            input.memory.get(&place, start, word)
        }
    };
    let count = *argc as i32;
    (0..=MOST_ARGUMENTS as i32).contains(&count)
        && (0..count as u64).all(|i| matches!(at(i), Some(Value::Pointer(_))))
        && at(count as u64) == Some(Value::NULL)
}

/// The first two arguments, if this is a `main` that takes a count and a list of strings.
fn main_arguments<'v>(
    program: &Program,
    function: FuncId,
    args: &'v [Value],
) -> Option<(&'v Value, &'v Value)> {
    let function = program.functions.get(function.0 as usize).filter(|f| &*f.name == "main")?;
    let types: Vec<Type> = function.param_types().collect();
    match (&types[..], args) {
        ([Type::Int(_), Type::Ptr, ..], [argc, argv, ..]) => Some((argc, argv)),
        _ => None,
    }
}

/// The longest list of arguments that `main` is started with.
pub const MOST_ARGUMENTS: u64 = 64;

/// Writes what `main` is started with into an input: the list of `count` strings in object 0, the strings
/// (one for several arguments, if objects are few) in those behind it, an empty environment in the last one.
pub fn start_main(input: &mut Input, count: u64, strings: &[Vec<u8>], word: u64) {
    let last = input.objects.len().saturating_sub(1);
    let strings = &strings[..strings.len().min(last.saturating_sub(1))];
    let count = if strings.is_empty() { 0 } else { count.min(MOST_ARGUMENTS) };
    let list = Place::Object(0);
    let memory: &mut Memory = &mut input.memory;
    for (i, text) in strings.iter().enumerate() {
        memory.set_bytes(&Place::Object(i + 1), 0, text);
        memory.set_bytes(&Place::Object(i + 1), text.len() as u64, &[0]);
    }
    for i in 0..count {
        memory.set(&list, i * word, word, &Value::object(1 + i as usize % strings.len(), 0));
    }
    memory.set(&list, count * word, word, &Value::NULL);
    memory.set(&Place::Object(last), 0, word, &Value::NULL);
    let args = [Value::Bits(count.into()), Value::object(0, 0), Value::object(last, 0)];
    for side in &mut input.args {
        side.iter_mut().zip(&args).for_each(|(slot, value)| *slot = value.clone());
    }
}
