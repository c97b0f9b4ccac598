//! What a run exchanges with the world: inputs asked for, output written, records kept.

use crate::eval;
use crate::inputs::{ConsumedInput, InputKind, InputRequest, Inputs};
use crate::memory::{Memory, MemoryFault, ObjectKind};
use crate::outcome::{ExternCall, Options, Outcome, Snapshot, TraceStep, UndefinedBehaviour, UndefinedKind};
use ir::{EdgeId, FuncId, NodeId, Pos, Program, Type};
use rustc_hash::FxHashSet;

/// Where execution is: a function, and an edge unless at its entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    pub function: FuncId,
    pub edge: Option<EdgeId>,
}

impl At {
    pub fn pos(&self, program: &Program) -> Pos {
        let function = program.function(self.function);
        match (self.edge, function.cfa()) {
            (Some(edge), Some(cfa)) => cfa.edge(edge).pos,
            _ => function.pos,
        }
    }

    pub fn undefined(&self, program: &Program, kind: UndefinedKind, detail: String) -> Outcome {
        Outcome::Undefined(UndefinedBehaviour {
            kind,
            function: self.function,
            edge: self.edge,
            pos: self.pos(program),
            detail,
        })
    }

    pub fn fault(&self, program: &Program, fault: MemoryFault) -> Outcome {
        match fault {
            MemoryFault::Undefined(kind, detail) => self.undefined(program, kind, detail),
            MemoryFault::OutOfMemory => Outcome::OutOfMemory,
        }
    }

    /// The edge, or at a function's entry the one that comes next; None in a function without edges.
    pub fn step(&self, program: &Program) -> Option<TraceStep> {
        let cfa = program.function(self.function).cfa()?;
        let edge = self.edge.or_else(|| cfa.out_ids(cfa.entry).next())?;
        Some(TraceStep { function: self.function, edge })
    }
}

/// Where output goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    Out,
    Err,
    /// A file that is not looked at.
    Other,
}

pub struct Io<'r> {
    pub program: &'r Program,
    pub options: &'r Options,
    pub inputs: &'r mut dyn Inputs,
    pub consumed: Vec<ConsumedInput>,
    /// How many questions were asked.
    pub asked: u64,
    pub trace: Vec<TraceStep>,
    pub values: Vec<u128>,
    pub calls: Vec<ExternCall>,
    pub snapshots: Vec<Snapshot>,
    pub repeats: Option<(FuncId, NodeId)>,
    pub assumed: Vec<FuncId>,
    pub assumed_set: FxHashSet<FuncId>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// The addresses that `stdout` and `stderr` hold.
    pub streams: [Option<u64>; 2],
}

impl<'r> Io<'r> {
    pub fn new(program: &'r Program, options: &'r Options, inputs: &'r mut dyn Inputs) -> Self {
        Io {
            program,
            options,
            inputs,
            consumed: Vec::new(),
            asked: 0,
            trace: Vec::new(),
            values: Vec::new(),
            calls: Vec::new(),
            snapshots: Vec::new(),
            repeats: None,
            assumed: Vec::new(),
            assumed_set: FxHashSet::default(),
            stdout: Vec::new(),
            stderr: Vec::new(),
            streams: [None; 2],
        }
    }

    pub fn stream(&self, address: u64) -> Stream {
        match self.streams {
            [Some(out), _] if out == address => Stream::Out,
            [_, Some(err)] if err == address => Stream::Err,
            _ => Stream::Other,
        }
    }

    /// How many more bytes of this stream are kept.
    pub fn room(&self, stream: Stream) -> usize {
        let used = match stream {
            Stream::Out => self.stdout.len(),
            Stream::Err => self.stderr.len(),
            Stream::Other => return 0,
        };
        self.options.output_limit.saturating_sub(used)
    }

    pub fn write(&mut self, memory: &mut Memory, stream: Stream, bytes: &[u8]) -> Result<(), Outcome> {
        let kept = &bytes[..bytes.len().min(self.room(stream))];
        if !memory.charge(kept.len() as u64) {
            return Err(Outcome::OutOfMemory);
        }
        match stream {
            Stream::Out => self.stdout.extend_from_slice(kept),
            Stream::Err => self.stderr.extend_from_slice(kept),
            Stream::Other => {}
        }
        Ok(())
    }

    /// A value of type `ty` from outside.
    #[inline(never)]
    pub fn ask(
        &mut self,
        memory: &mut Memory,
        at: Option<At>,
        ty: Type,
        kind: InputKind,
    ) -> Result<u128, Outcome> {
        let request = InputRequest {
            ty,
            kind,
            function: at.map(|a| a.function),
            edge: at.and_then(|a| a.edge),
            pos: at.map_or(Pos::default(), |a| a.pos(self.program)),
            index: self.asked,
        };
        self.asked += 1;
        let value = self.inputs.next(&request).ok_or(Outcome::InputsExhausted)?;
        let value = value & eval::type_mask(&self.program.target, ty);
        if self.options.record_inputs {
            if !memory.charge(size_of::<ConsumedInput>() as u64) {
                return Err(Outcome::OutOfMemory);
            }
            self.consumed.push(ConsumedInput { request, value });
        }
        Ok(value)
    }

    /// The load that the fast path could not do: unwritten bytes become inputs, and are written with their
    /// values.
    #[inline(never)]
    pub fn load(&mut self, memory: &mut Memory, at: At, address: u64, ty: Type) -> Result<u128, Outcome> {
        let len = ty.access_size(&self.program.target) as usize;
        let mut read = memory.read(address, len).map_err(|f| at.fault(self.program, f))?;
        if read.missing != 0 {
            self.supply(memory, at, address, ty, &mut read)?;
        }
        Ok(u128::from_le_bytes(read.bytes))
    }

    fn supply(
        &mut self,
        memory: &mut Memory,
        at: At,
        address: u64,
        ty: Type,
        read: &mut crate::memory::Read,
    ) -> Result<(), Outcome> {
        let len = ty.access_size(&self.program.target) as usize;
        let origin = |i: usize| memory.origin(read.object, read.offset + i as u64);
        let first = origin(0);
        let whole = read.missing == (1u32 << len) - 1 && (1..len).all(|i| origin(i) == first + i as u64);
        let asked = if whole { len } else { 1 };
        let missing: Vec<(usize, InputKind)> = (0..len)
            .filter(|i| read.missing >> i & 1 == 1)
            .map(|i| (i, self.unwritten(memory, origin(i), asked)))
            .collect();
        let known = missing.iter().all(|(_, kind)| kind.is_from_outside());
        if !known && self.options.detect.uninitialised_load {
            let detail = format!("{len} bytes at {address:#x}");
            return Err(at.undefined(self.program, UndefinedKind::UninitialisedLoad, detail));
        }
        match missing.first() {
            Some((_, kind)) if whole => {
                read.bytes = self.ask(memory, Some(at), ty, kind.clone())?.to_le_bytes();
            }
            _ => {
                for (i, kind) in missing {
                    read.bytes[i] = self.ask(memory, Some(at), Type::U8, kind)? as u8;
                }
            }
        }
        memory
            .write_at(read.object, read.offset as usize, &read.bytes[..len])
            .map_err(|f| at.fault(self.program, f))
    }

    /// What unwritten bytes are, by the address they come from.
    fn unwritten(&self, memory: &Memory, origin: u64, len: usize) -> InputKind {
        match memory.object_at(origin) {
            Some((ObjectKind::Global(global), offset, ..)) if self.program.global(global).init.is_none() => {
                InputKind::ExternGlobal { global, offset }
            }
            _ => {
                let (object, before) = (memory.identity(origin), memory.before(origin, len));
                InputKind::Memory { address: origin, object, before }
            }
        }
    }

    pub fn record_step(&mut self, memory: &mut Memory, step: TraceStep) -> Result<(), Outcome> {
        if !memory.charge(size_of::<TraceStep>() as u64) {
            return Err(Outcome::OutOfMemory);
        }
        self.trace.push(step);
        Ok(())
    }

    pub fn record_value(&mut self, memory: &mut Memory, value: u128) -> Result<(), Outcome> {
        if !memory.charge(size_of::<u128>() as u64) {
            return Err(Outcome::OutOfMemory);
        }
        self.values.push(value);
        Ok(())
    }
}
