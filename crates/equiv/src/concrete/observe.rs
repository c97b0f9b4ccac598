//! What can be observed of a finished run.

use super::input::{Base, Byte, Input, Memory, Place, Pointer, Value};
use super::machine::View;
use super::{Reason, Side};
use base::Stopped;
use interp::{Cell, ObjectKind, Outcome, Pointee, UndefinedKind};
use ir::{CheckKind, FuncId, Program, Type};
use std::sync::Arc;

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    Returned,
    Exited(i32),
    Aborted,
    CheckFailed(CheckKind),
    /// The processor stops the program: a division by zero, or of the least number by -1.
    Trap,
    /// It provably goes on forever.
    Never,
}

/// A call of a function without a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    pub name: Arc<str>,
    pub args: Vec<Value>,
    pub result: Option<Value>,
}

/// What a run left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    pub ending: Ending,
    /// What was returned, and its type.
    pub value: Option<(Type, Value)>,
    pub calls: Vec<Call>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// The caller's objects and the globals that both versions have, as far as they were touched; meaningless
    /// unless the function returned.
    pub memory: Memory,
    pub steps: u64,
}

impl Observation {
    /// A final scalar of `len` bytes; what was not touched is as the input says.
    pub fn read(&self, input: &Input, place: &Place, offset: u64, len: u64) -> Option<Value> {
        let mut found = Memory::default();
        for i in 0..len {
            let byte = self.memory.byte(place, offset + i).or_else(|| input.memory.byte(place, offset + i));
            found.set_byte(place, i, byte?);
        }
        found.get(place, 0, len)
    }
}

/// Why there is nothing to observe.
pub enum NoEnding {
    /// The run hit a limit that a longer run might not hit.
    Limit,
    Excluded(Reason),
}

pub fn ending(side: Side, outcome: &Outcome) -> Result<Ending, NoEnding> {
    let excluded = |reason| Err(NoEnding::Excluded(reason));
    match outcome {
        Outcome::Returned(_) => Ok(Ending::Returned),
        Outcome::Exited(code) => Ok(Ending::Exited(*code)),
        Outcome::Aborted => Ok(Ending::Aborted),
        Outcome::CheckFailed { kind: kind @ (CheckKind::Assertion | CheckKind::ErrorCall), .. } => {
            Ok(Ending::CheckFailed(*kind))
        }
        Outcome::CheckFailed { kind, .. } => excluded(Reason::Check(side, *kind)),
        Outcome::Undefined(undefined) => match undefined.kind {
            UndefinedKind::DivisionByZero | UndefinedKind::DivisionOverflow => Ok(Ending::Trap),
            kind => excluded(Reason::Undefined(side, kind)),
        },
        Outcome::AssumeViolated { .. } => excluded(Reason::Assume(side)),
        Outcome::Unsupported { reason, .. } => excluded(Reason::Unsupported(side, reason.clone())),
        Outcome::InputsExhausted => excluded(Reason::BadInput),
        Outcome::Stopped(Stopped::Time | Stopped::Cancelled) => excluded(Reason::Interrupted),
        Outcome::Stopped(Stopped::Steps) | Outcome::StackOverflow | Outcome::OutOfMemory => {
            Err(NoEnding::Limit)
        }
    }
}

/// Turns what one run left into values without addresses.
pub struct Describer<'v, 'a, 'p> {
    view: &'v View<'a, 'p>,
    /// Heap objects by the order in which they were come across.
    heap: Vec<u64>,
}

impl<'v, 'a, 'p> Describer<'v, 'a, 'p> {
    pub fn new(view: &'v View<'a, 'p>) -> Self {
        Describer { view, heap: Vec::new() }
    }

    pub fn observation(mut self, places: &[Place]) -> Observation {
        let view = self.view;
        let function = view.program().function(view.version.function);
        let value = match (&view.ran.run.outcome, function.ret) {
            (Outcome::Returned(Some(bits)), Some(ty)) => Some((ty, self.value(ty, *bits))),
            _ => None,
        };
        let calls = view.calls().into_iter().filter_map(|i| view.ran.run.calls.get(i));
        let calls = calls.map(|call| Call {
            name: view.program().function(call.function).name.clone(),
            args: arg_types(view.program(), call.function, call.args.len())
                .zip(&call.args)
                .map(|(ty, bits)| self.value(ty, *bits))
                .collect(),
            result: call
                .result
                .zip(view.program().function(call.function).ret)
                .map(|(b, ty)| self.value(ty, b)),
        });
        let calls = calls.collect();
        let mut memory = Memory::default();
        for place in places {
            self.final_memory(place, &mut memory);
        }
        Observation {
            ending: view.ran.ending.clone(),
            value,
            calls,
            stdout: view.ran.run.stdout.clone(),
            stderr: view.ran.run.stderr.clone(),
            memory,
            steps: view.ran.run.steps,
        }
    }

    fn final_memory(&mut self, place: &Place, memory: &mut Memory) {
        let view = self.view;
        let cells = view.cells(place).unwrap_or_default();
        let word = usize::from(view.program().target.pointer_bits / 8);
        let mut i = 0;
        while i < cells.len() {
            if i % word == 0
                && let Some(bits) = known_word(&cells, i, word)
                && let Value::Pointer(pointer) = self.value(Type::Ptr, u128::from(bits))
                && pointer.base != Base::Nothing
            {
                memory.set(place, i as u64, word as u64, &Value::Pointer(pointer));
                i += word;
                continue;
            }
            if let Cell::Byte(byte) = cells[i] {
                memory.set_byte(place, i as u64, Byte::Number(byte));
            }
            i += 1;
        }
    }

    /// A scalar without addresses.
    pub fn value(&mut self, ty: Type, bits: u128) -> Value {
        if ty != Type::Ptr || bits == 0 {
            return Value::Bits(bits);
        }
        let address = bits as u64;
        let view = self.view;
        let pointer = |base, offset: u64| Value::Pointer(Pointer { base, offset: offset as i64 });
        match view.pointee(address) {
            Pointee::Null => Value::NULL,
            Pointee::Function(id) => pointer(Base::Function(view.program().function(id).name.clone()), 0),
            Pointee::Nothing => pointer(Base::Nothing, address),
            Pointee::Object { kind, offset, .. } => match (view.map.place(address), kind) {
                (Some((Place::Object(index), offset)), _) => pointer(Base::Object(*index), offset),
                (Some((Place::Global(name), offset)), _) => pointer(Base::Global(name.clone()), offset),
                (None, ObjectKind::Local(function, local)) => {
                    let function = view.program().function(function);
                    let base = Base::Local {
                        function: function.name.clone(),
                        name: function.local(local).name.clone(),
                    };
                    pointer(base, offset)
                }
                (None, ObjectKind::Global(id)) => {
                    pointer(Base::Global(view.program().global(id).name.clone()), offset)
                }
                (None, ObjectKind::Heap) => {
                    let start = address - offset;
                    let known = self.heap.iter().position(|a| *a == start);
                    let number = known.unwrap_or_else(|| {
                        self.heap.push(start);
                        self.heap.len() - 1
                    });
                    pointer(Base::Heap(number as u32), offset)
                }
                (None, _) => pointer(Base::Nothing, offset),
            },
        }
    }
}

/// The types of the arguments of a call; those beyond the parameters are taken for words.
pub fn arg_types(program: &Program, function: FuncId, count: usize) -> impl Iterator<Item = Type> {
    let word = program.target.intptr(false);
    program.function(function).param_types().chain(std::iter::repeat(word)).take(count)
}

/// The little-endian word at `i`, if all of it was written.
pub fn known_word(cells: &[Cell], i: usize, len: usize) -> Option<u64> {
    let bytes = cells.get(i..i + len)?;
    bytes.iter().rev().try_fold(0u64, |word, cell| match cell {
        Cell::Byte(byte) => Some(word << 8 | u64::from(*byte)),
        Cell::Unwritten { .. } => None,
    })
}
