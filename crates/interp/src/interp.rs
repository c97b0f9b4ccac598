//! The interpreter as others see it: set up, run, look at what is left.

use crate::address::AddressSpace;
use crate::code::is_wide;
use crate::compile::{Context, GlobalPlace};
use crate::eval;
use crate::inputs::{InputKind, Inputs};
use crate::io::Io;
use crate::machine::{Codes, State, execute};
use crate::memory::{Cell, Memory, MemoryFault, ObjectKind};
use crate::outcome::{Options, Outcome, Run, SetupError};
use crate::rare::{read_value, write_value};
use base::Budget;
use ir::{Expr, ExprKind, FuncId, GlobalId, InitValue, Program, Storage};
use std::sync::Arc;

/// Runs one program, as often as wanted; code is compiled once.
pub struct Interp<'p> {
    codes: Codes<'p>,
    options: Options,
    state: State,
    /// Extern register globals have their values.
    started: bool,
    /// The addresses of [`Options::heap`].
    heap: Vec<u64>,
}

/// A global after a run: its bytes, None where never written (or defined elsewhere and never read).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalValue {
    pub name: Arc<str>,
    pub bytes: Vec<Option<u8>>,
}

/// What an address means, independent of where objects happen to lie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pointee {
    Null,
    Function(FuncId),
    Object { kind: ObjectKind, offset: u64, size: u64, live: bool },
    Nothing,
}

impl<'p> Interp<'p> {
    /// The program must have passed verification; one that has not may end runs with odd outcomes or a panic.
    pub fn new(program: &'p Program, options: Options) -> Result<Self, SetupError> {
        if options.entry.0 as usize >= program.functions.len() {
            return Err(SetupError::NoSuchFunction(options.entry));
        }
        let (state, globals, heap) = initial_state(program, &options).map_err(|_| SetupError::TooLarge)?;
        let context = Context {
            program,
            globals,
            detect: options.detect,
            trace: options.record_trace,
            values: options.record_values,
            watch: options.watch.iter().copied().collect(),
        };
        Ok(Interp { codes: Codes::new(context), options, state, started: false, heap })
    }

    pub fn program(&self) -> &'p Program {
        self.codes.context.program
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Runs the entry function in a fresh state; its parameters are inputs.
    pub fn run(&mut self, inputs: &mut dyn Inputs, budget: &Budget) -> Run {
        self.reset();
        self.start(self.options.entry, None, inputs, budget)
    }

    /// Calls a function in the current state: fresh after `new` and `reset`, otherwise what the last run
    /// left. Missing arguments are inputs.
    pub fn call(&mut self, function: FuncId, args: &[u128], inputs: &mut dyn Inputs, budget: &Budget) -> Run {
        self.start(function, Some(args), inputs, budget)
    }

    /// Forgets all that was run: globals have their initial values again.
    pub fn reset(&mut self) {
        // It fitted once, so it does again.
        if let Ok((state, ..)) = initial_state(self.program(), &self.options) {
            self.state = state;
        }
        self.started = false;
    }

    fn start(
        &mut self,
        function: FuncId,
        args: Option<&[u128]>,
        inputs: &mut dyn Inputs,
        budget: &Budget,
    ) -> Run {
        let program = self.codes.context.program;
        let mut io = Io::new(program, &self.options, inputs);
        io.streams = self.state.streams;
        self.state.steps = 0;
        let prepared = prepare(&self.codes, &mut self.state, &mut io, self.started, function, args);
        self.started = true;
        let (outcome, backtrace) = match prepared {
            Ok(bits) => execute(&self.codes, &mut self.state, &mut io, budget, function, &bits),
            Err(outcome) => (outcome, Vec::new()),
        };
        Run {
            outcome,
            steps: self.state.steps,
            stdout: io.stdout,
            stderr: io.stderr,
            inputs: io.consumed,
            trace: io.trace,
            values: io.values,
            calls: io.calls,
            snapshots: io.snapshots,
            repeats: io.repeats,
            assumed: io.assumed,
            backtrace,
        }
    }

    /// A new object with this content, for a pointer argument of `call`; it lives until `reset`.
    pub fn allocate(&mut self, content: &[u8]) -> Result<u64, MemoryFault> {
        let (address, index) = self.state.memory.allocate(content.len() as u64, 16, ObjectKind::Outside)?;
        self.state.memory.write_at(index, 0, content)?;
        Ok(address)
    }

    /// Where an object of [`Options::heap`] is.
    pub fn heap_address(&self, index: usize) -> Option<u64> {
        self.heap.get(index).copied()
    }

    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), MemoryFault> {
        self.state.memory.write(address, bytes)
    }

    /// Bytes of a live object; None where never written.
    pub fn read(&self, address: u64, len: u64) -> Result<Vec<Option<u8>>, MemoryFault> {
        self.state.memory.bytes(address, len)
    }

    /// The same, with where unwritten bytes come from.
    pub fn cells(&self, address: u64, len: u64) -> Result<Vec<Cell>, MemoryFault> {
        self.state.memory.cells(address, len)
    }

    /// How many bytes from the start of the object at `address` may have been read, written or copied to.
    pub fn touched(&self, address: u64) -> u64 {
        self.state.memory.touched(address)
    }

    /// Gives a register global a value before a call; memory globals have addresses to write to.
    pub fn set_global_bits(&mut self, id: GlobalId, bits: u128) {
        if let Some(GlobalPlace::Register { slot, ty }) = self.codes.context.globals.get(id.0 as usize) {
            write_value(&mut self.state.globals, *slot, *ty, bits);
        }
    }

    /// Forgets the initial value of a memory global: reading it asks for an input.
    pub fn make_unwritten(&mut self, id: GlobalId) {
        if let Some(GlobalPlace::Memory { object, .. }) = self.codes.context.globals.get(id.0 as usize) {
            self.state.memory.make_unwritten(*object);
        }
    }

    pub fn pointee(&self, address: u64) -> Pointee {
        if address == 0 {
            return Pointee::Null;
        }
        if let Some(index) = AddressSpace::function_at(address, self.program().functions.len()) {
            return Pointee::Function(FuncId(index));
        }
        match self.state.memory.object_at(address) {
            Some((kind, offset, size, live)) => Pointee::Object { kind, offset, size, live },
            None => Pointee::Nothing,
        }
    }

    /// The address of a memory global.
    pub fn global_address(&self, id: GlobalId) -> Option<u64> {
        match self.codes.context.globals.get(id.0 as usize)? {
            GlobalPlace::Memory { address, .. } => Some(*address),
            GlobalPlace::Register { .. } => None,
        }
    }

    pub fn function_address(&self, id: FuncId) -> u64 {
        AddressSpace::function_address(id.0)
    }

    /// The bytes of a global, as it is now.
    pub fn global_bytes(&self, id: GlobalId) -> Option<Vec<Option<u8>>> {
        let program = self.program();
        match *self.codes.context.globals.get(id.0 as usize)? {
            GlobalPlace::Memory { address, size, .. } => self.state.memory.bytes(address, size).ok(),
            GlobalPlace::Register { slot, ty } => {
                let bits = read_value(&self.state.globals, slot, ty);
                let len = ty.access_size(&program.target) as usize;
                Some(bits.to_le_bytes()[..len].iter().map(|b| Some(*b)).collect())
            }
        }
    }

    /// The value of a register global.
    pub fn global_bits(&self, id: GlobalId) -> Option<u128> {
        match *self.codes.context.globals.get(id.0 as usize)? {
            GlobalPlace::Register { slot, ty } => Some(read_value(&self.state.globals, slot, ty)),
            GlobalPlace::Memory { .. } => None,
        }
    }

    pub fn global_by_name(&self, name: &str) -> Option<Vec<Option<u8>>> {
        self.global_bytes(self.program().find_global(name)?)
    }

    /// All globals that can change, in the program's order: what a run leaves for the rest of the world.
    pub fn final_globals(&self) -> Vec<GlobalValue> {
        let program = self.program();
        let ids = (0..program.globals.len() as u32).map(GlobalId).filter(|id| !program.global(*id).constant);
        ids.filter_map(|id| {
            Some(GlobalValue { name: program.global(id).name.clone(), bytes: self.global_bytes(id)? })
        })
        .collect()
    }
}

/// Asks for what has to be known before the first instruction: register globals defined elsewhere,
/// parameters.
fn prepare(
    codes: &Codes,
    state: &mut State,
    io: &mut Io,
    started: bool,
    function: FuncId,
    args: Option<&[u128]>,
) -> Result<Vec<u128>, Outcome> {
    let program = codes.context.program;
    if !started {
        for (i, place) in codes.context.globals.iter().enumerate() {
            let id = GlobalId(i as u32);
            if let GlobalPlace::Register { slot, ty } = *place
                && program.global(id).init.is_none()
                && !ir::is_stream(&program.global(id).name)
            {
                let kind = InputKind::ExternGlobal { global: id, offset: 0 };
                let bits = io.ask(&mut state.memory, None, ty, kind)?;
                write_value(&mut state.globals, slot, ty, bits);
            }
        }
    }
    let Some(function) = program.functions.get(function.0 as usize) else {
        return Err(Outcome::Unsupported {
            reason: "there is no such function".into(),
            pos: Default::default(),
        });
    };
    let mut bits = Vec::new();
    for (i, ty) in function.param_types().enumerate() {
        bits.push(match args.and_then(|list| list.get(i)) {
            Some(given) => given & eval::type_mask(&program.target, ty),
            None => io.ask(&mut state.memory, None, ty, InputKind::Param(i as u32))?,
        });
    }
    Ok(bits)
}

/// Memory and registers before the first instruction, and where the globals are: the same every time.
fn initial_state(
    program: &Program,
    options: &Options,
) -> Result<(State, Vec<GlobalPlace>, Vec<u64>), MemoryFault> {
    let mut memory = Memory::new(program.target.pointer_bits, options.max_memory);
    let heap = options.heap.iter().map(|size| Ok(memory.allocate(*size, 16, ObjectKind::Heap)?.0));
    let heap = heap.collect::<Result<Vec<u64>, MemoryFault>>()?;
    // They are there before the program starts: it may free them, but need not.
    memory.give_heap_away();
    // They lie outside of the program.
    for address in &heap {
        memory.escape(*address);
    }
    if program.functions.len() as u64 > memory.max_functions() {
        return Err(MemoryFault::OutOfMemory);
    }
    let mut places = Vec::with_capacity(program.globals.len());
    let mut slots = 0u32;
    for (i, global) in program.globals.iter().enumerate() {
        places.push(match global.storage {
            Storage::Register(ty) => {
                let slot = slots;
                slots += if is_wide(ty) { 2 } else { 1 };
                GlobalPlace::Register { slot, ty }
            }
            Storage::Memory { size, align } => {
                let kind = ObjectKind::Global(GlobalId(i as u32));
                let (address, object) = memory.allocate(size, align, kind)?;
                GlobalPlace::Memory { address, object, size }
            }
        });
    }
    let mut registers = vec![0; slots as usize];
    let mut streams = [None; 2];
    for (global, place) in program.globals.iter().zip(&places) {
        let stream = match &global.init {
            _ if !ir::is_stream(&global.name) => None,
            None => Some(memory.allocate(1, 16, ObjectKind::Outside)?.0),
            Some(init) => init.items.first().and_then(|item| match &item.value {
                InitValue::Scalar(e) => constant(program, &places, e).map(|address| address as u64),
                InitValue::Bytes(_) => None,
            }),
        };
        match &*global.name {
            "stdout" => streams[0] = stream,
            "stderr" => streams[1] = stream,
            _ => {}
        }
        let items = global.init.as_ref().map_or(&[][..], |init| &init.items[..]);
        match *place {
            GlobalPlace::Register { slot, ty } => {
                let initial = items.iter().find_map(|item| match &item.value {
                    InitValue::Scalar(e) => constant(program, &places, e),
                    InitValue::Bytes(bytes) => Some(little_endian(bytes)),
                });
                let bits = stream.map(u128::from).or(initial).unwrap_or(0);
                write_value(&mut registers, slot, ty, bits);
            }
            GlobalPlace::Memory { object, size, .. } => {
                if global.init.is_some() {
                    memory.set_zero(object);
                }
                if let Some(address) = stream {
                    let len = (program.target.pointer_bits / 8) as usize;
                    memory.write_at(object, 0, &address.to_le_bytes()[..len.min(size as usize)])?;
                }
                for item in items {
                    let room = (size as usize).saturating_sub(item.offset as usize);
                    match &item.value {
                        InitValue::Bytes(bytes) => {
                            memory.write_at(object, item.offset as usize, &bytes[..bytes.len().min(room)])?;
                        }
                        InitValue::Scalar(e) => {
                            let bits = constant(program, &places, e).unwrap_or(0).to_le_bytes();
                            let len = e.ty.access_size(&program.target) as usize;
                            memory.write_at(object, item.offset as usize, &bits[..len.min(room)])?;
                        }
                    }
                }
                memory.set_constant(object, global.constant);
            }
        }
    }
    Ok((State::new(memory, registers, streams), places, heap))
}

fn little_endian(bytes: &[u8]) -> u128 {
    bytes.iter().take(16).rev().fold(0, |bits, b| bits << 8 | u128::from(*b))
}

/// The value of an initialiser.
fn constant(program: &Program, places: &[GlobalPlace], e: &Expr) -> Option<u128> {
    let target = &program.target;
    match &e.kind {
        ExprKind::Const(bits) => Some(*bits),
        ExprKind::AddrGlobal(id) => match places.get(id.0 as usize)? {
            GlobalPlace::Memory { address, .. } => Some(u128::from(*address)),
            GlobalPlace::Register { .. } => None,
        },
        ExprKind::AddrFunc(id) => Some(u128::from(AddressSpace::function_address(id.0))),
        ExprKind::Cast(inner) => Some(eval::cast(target, inner.ty, e.ty, constant(program, places, inner)?)),
        ExprKind::Unary(op, inner) => Some(eval::unary(*op, e.ty, constant(program, places, inner)?)),
        ExprKind::Binary(op, a, b) => {
            let (x, y) = (constant(program, places, a)?, constant(program, places, b)?);
            eval::binary(target, *op, a.ty, x, y).ok()
        }
        _ => None,
    }
}
