//! Where values from outside come from.
//!
//! Everything the program does not determine (an input function's result, the content of fresh memory, what
//! an unknown function returns) is asked of one [`Inputs`], with the place that asks. A run is a function of
//! the program and of these answers, which is what makes a counterexample replayable.

use crate::memory::ByteId;
use base::random::Random;
use ir::{EdgeId, FuncId, GlobalId, IntType, LocalId, Pos, Type};
use std::sync::Arc;

/// A question: a value of type `ty`, please.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputRequest {
    pub ty: Type,
    pub kind: InputKind,
    /// The function that is running; None before the first one is entered.
    pub function: Option<FuncId>,
    /// The edge that asks; None at the entry of a function or of the program.
    pub edge: Option<EdgeId>,
    pub pos: Pos,
    /// How many questions came before, from 0.
    pub index: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// `Havoc` of an input function of this name.
    Input(Arc<str>),
    /// `Havoc` of a variable without a value, or (at a function's entry) a local that may be read before it
    /// is set.
    Uninit(Option<LocalId>),
    Asm,
    /// What a function without a body returns.
    ExternReturn(FuncId),
    /// The initial value of a register global that is defined elsewhere (offset 0), or of memory in such a
    /// global.
    ExternGlobal {
        global: GlobalId,
        offset: u64,
    },
    /// Memory that was never written: a whole load, or single bytes where other bytes of the load are known.
    /// If it was copied from elsewhere, the address is where it came from, so one address may be asked for
    /// more than once: through the original and through each copy.
    Memory {
        address: u64,
        object: Option<ByteId>,
        /// If a function without a body may have changed it: what was there before, as far as that is known.
        before: Option<u128>,
    },
    /// A register global after a call of a function without a body that may have changed it, and its value
    /// before.
    Changed {
        global: GlobalId,
        before: u128,
    },
    /// A parameter of the entry function.
    Param(u32),
}

impl InputKind {
    /// Has somebody outside of the program set it, as opposed to nobody at all?
    pub fn is_from_outside(&self) -> bool {
        match self {
            InputKind::Memory { object, .. } => object.is_some_and(|byte| byte.changes > 0),
            InputKind::Uninit(_) => false,
            _ => true,
        }
    }
}

/// Answers questions. None ends the run with `InputsExhausted`. Bits above the type's width are ignored.
pub trait Inputs {
    fn next(&mut self, request: &InputRequest) -> Option<u128>;

    /// A function without a body is called with these arguments. A result given here is the result, and the
    /// call is recorded nowhere. After None, its model does what it does, or the question for the result
    /// follows if it is wanted.
    fn calling(&mut self, _function: FuncId, _args: &[(Type, u128)]) -> Option<u128> {
        None
    }
}

/// What was asked, and the answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConsumedInput {
    pub request: InputRequest,
    pub value: u128,
}

/// The values of a list in order; after the last one, zeros or the end.
#[derive(Clone, Debug, Default)]
pub struct VecInputs {
    values: std::collections::VecDeque<u128>,
    then_zero: bool,
}

impl VecInputs {
    pub fn then_zero(values: impl IntoIterator<Item = u128>) -> Self {
        VecInputs { values: values.into_iter().collect(), then_zero: true }
    }

    pub fn then_stop(values: impl IntoIterator<Item = u128>) -> Self {
        VecInputs { values: values.into_iter().collect(), then_zero: false }
    }
}

impl Inputs for VecInputs {
    fn next(&mut self, _request: &InputRequest) -> Option<u128> {
        self.values.pop_front().or(self.then_zero.then_some(0))
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroInputs;

impl Inputs for ZeroInputs {
    fn next(&mut self, _request: &InputRequest) -> Option<u128> {
        Some(0)
    }
}

/// Reproducible random values that prefer small numbers and the borders of the type, where programs break.
/// Pointers are always null: no other address could be meant.
#[derive(Clone, Debug)]
pub struct RandomInputs {
    random: Random,
}

impl RandomInputs {
    pub fn new(seed: u64) -> Self {
        RandomInputs { random: Random(seed) }
    }

    fn int(&mut self, int: IntType) -> u128 {
        let small = i128::from(self.random.number() % 21) - 10;
        let value = match self.random.number() % 16 {
            0..=6 => small,
            7 | 8 => (int.max_bits() as i128).wrapping_add(small.min(0)),
            9 => (int.min_bits() as i128).wrapping_add(small.max(0)),
            10 | 11 => {
                1i128.wrapping_shl(self.random.number() as u32 % u32::from(int.bits)).wrapping_add(small % 2)
            }
            12..=14 => i128::from(self.random.number() % 1000),
            _ => (u128::from(self.random.number()) << 64 | u128::from(self.random.number())) as i128,
        };
        int.wrap(if small < 0 && !int.signed && value < 0 { value.wrapping_neg() } else { value })
    }

    fn float(&mut self) -> f64 {
        let small = (self.random.number() % 2001) as f64 / 8.0 - 125.0;
        match self.random.number() % 8 {
            0..=2 => small.trunc(),
            3 | 4 => small,
            5 => [0.0, -0.0, 1.0, -1.0, 0.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MIN_POSITIVE]
                [self.random.number() as usize % 9],
            6 => [f64::MAX, f64::MIN, f64::EPSILON, 1e-310, 2147483647.0, 2147483648.0, 4294967296.0, 1e10]
                [self.random.number() as usize % 8],
            _ => f64::from_bits(self.random.number()),
        }
    }
}

impl Inputs for RandomInputs {
    fn next(&mut self, request: &InputRequest) -> Option<u128> {
        Some(match request.ty {
            Type::Bool => u128::from(self.random.number() & 1),
            Type::Int(int) => self.int(int),
            Type::Float(f) => {
                crate::float::convert(ir::FloatType::F64, f, u128::from(self.float().to_bits()))
            }
            Type::Ptr => 0,
        })
    }
}
