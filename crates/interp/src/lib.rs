//! The bit-precise interpreter of the IR: the reference for what a program means.
//!
//! [`Interp`] runs a verified program on values that an [`Inputs`] supplies, and says how the run ended
//! ([`Outcome`]), what was asked and answered on the way, what was printed, and what memory holds afterwards.
//! The encoding into logic is tested against it, every counterexample is replayed on it.
//!
//! The pipeline inside: `compile` (control flow) and `lower` (expressions, with the tables of `select`) turn
//! a function into the flat `code`, which `machine` (with `rare`) runs; `memory` (over `object` and
//! `address`) holds the objects, `access` says what is wrong with an access; `eval` and `float` define every
//! operator; `externs` and `format` are the functions without a body.
//!
//! What is fixed here beyond the IR's own text:
//! - Reading memory that was never written asks for an input once; the answer stays. Copying such memory does
//!   not ask, and the copy remembers whose bytes it holds: asked for them, it names the original's address.
//! - Accesses of no bytes are always fine. Addresses are deterministic; objects never touch each other.
//! - Locals that may be read before they are set are inputs at their function's entry.
//! - Floats: see `float` for NaNs and for conversions out of range.
//! - An execution is a function of the program, the inputs and the limits; nothing else has an influence,
//!   except a deadline or a cancellation.

mod access;
mod address;
mod code;
mod compile;
mod decimal;
pub mod eval;
mod externs;
pub mod float;
mod format;
mod havoc;
mod inputs;
mod interp;
mod io;
mod lower;
mod machine;
mod memory;
mod object;
mod outcome;
mod rare;
mod repetition;
mod select;

pub use externs::{is_modelled, unmodelled};

/// The address of a function, on both targets.
pub fn function_address(id: ir::FuncId) -> u64 {
    address::AddressSpace::function_address(id.0)
}

pub use access::{Access, AccessFault, AccessKind, Accessed};
pub use inputs::{ConsumedInput, InputKind, InputRequest, Inputs, RandomInputs, VecInputs, ZeroInputs};
pub use interp::{GlobalValue, Interp, Pointee};
pub use memory::{ByteId, Cell, MemoryFault, ObjectKind};
pub use outcome::{
    Detect, ExternCall, Options, Outcome, Run, SetupError, Snapshot, TraceStep, UndefinedBehaviour,
    UndefinedKind,
};
