//! The intermediate representation: the one meaning of a C program that everything above believes.
//!
//! A [`Program`] is a set of globals and functions. A function's body is a control-flow automaton ([`Cfa`])
//! whose edges carry one operation each ([`Op`]); expressions ([`Expr`]) are typed, side-effect free and have
//! explicit conversions. All values are scalars: structs live in memory or are split into their fields by
//! lowering.
//!
//! ## Semantics in short (the interpreter is the reference)
//! - Integers wrap. A shift count is taken modulo the width. Division by zero, and the least value divided by
//!   -1, end the execution (as the trap on the target does); an invalid memory access does too.
//! - Expressions are evaluated strictly: lowering turns `&&`, `||` and `?:` into control flow unless the
//!   operands can neither fault nor have effects.
//! - `Type::Bool` is for conditions; it is never stored. C's `_Bool` is `u8` with value 0 or 1.
//! - Register variables (locals, globals) are those whose address is never taken; all others are memory
//!   objects, reached through `AddrLocal`/`AddrGlobal`, `Load`, `Store`, `Copy` and `Fill`. Memory locals
//!   live from the entry of their function to its return, one instance an activation.
//! - Structs are passed to functions as a pointer that the callee copies from at its entry, and returned
//!   through a hidden first parameter that points to the caller's temporary.
//! - A call may pass more arguments than a variadic callee has parameters; the extra ones are stored one
//!   after the other, each in a slot of 16 bytes, in a fresh memory object whose address `VarArgs` gives.

pub mod calls;
pub mod cfa;
pub mod dominators;
pub mod dot;
pub mod expr;
pub mod fingerprint;
pub mod graph;
mod lex;
pub mod liveness;
pub mod loops;
pub mod names;
pub mod parse;
pub mod pointees;
pub mod print;
pub mod program;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod transform;
pub mod types;
pub mod verify;

pub use calls::{CallGraph, CallSite, signature_matches};
pub use cfa::{AllocKind, Callee, Cfa, CheckKind, Edge, EdgeId, HavocKind, NodeId, Op};
pub use dominators::Dominators;
pub use dot::{dot_calls, dot_cfa};
pub use expr::{BinOp, Expr, ExprKind, HeapRule, Spelling, UnOp};
pub use liveness::Liveness;
pub use loops::{Loop, LoopForest, LoopId};
pub use parse::{ParseError, parse};
pub use print::{ExprDisplay, OpDisplay, print, print_function};
pub use program::{
    ARGUMENT, Body, FuncId, Function, Global, GlobalId, Init, InitItem, InitValue, Local, LocalId,
    LocalOrigin, Mark, Pos, Program, Storage, VOLATILE_TYPE, Var, is_stream,
};
pub use types::{Endian, FloatType, IntType, Target, Type};
pub use verify::{Violation, verify};
