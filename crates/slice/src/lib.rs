//! Slicing: what no check depends on goes away before a program is executed symbolically.
//!
//! [`slice`] gives back the same program, with the same functions, nodes, edges, locals and globals, in which
//! irrelevant operations are `skip`, irrelevant branches always go one way, and executions end where no check
//! lies ahead. Places keep their ids: what is found on the slice can be replayed on the original.
//!
//! ## The contract
//! The slice over-approximates. Every execution of the original that fails a check has a counterpart in the
//! slice that fails the same check (same function, same edge), goes through the operations that were kept in
//! the same order, and asks for the same inputs there. So if no check fails in the slice, none fails in the
//! original. The converse is wanted, not promised; replay decides:
//! - An operation that was removed can no longer end the execution (a division, an access, a call through a
//!   bad pointer), and a loop that was removed can no longer run forever.
//! - Operations that end executions on purpose are kept: `assume`, `exit` and `abort` (as dead ends, which is
//!   what they are for a check), as long as a check lies ahead of the branches that avoid them; see
//!   [`Options::endings`].
//! - Calls of what could not be translated are kept wherever an execution can get to them, so that nobody
//!   overlooks them.
//! - An input that is asked for in a function is asked as often as the function is called, and calls whose
//!   results nobody needs are gone: inputs belong to the calls that led to them, not to a count over the
//!   whole execution.
//!
//! Assumed, as everywhere: addresses are not guessed and pointer arithmetic stays in its object. Objects may
//! lie elsewhere in the slice: a program that looks at the number of an address, or compares addresses of
//! different objects, may see other numbers. Functions without a body return a value and have no other
//! effect, but for those that havoc, which may change everything that escapes, and for the output functions
//! that the interpreter models.
//!
//! ## How
//! `reach` says what the entry can run (over `explore`, which walks functions); `ahead` from which nodes a
//! check can still be reached, across calls; `control` which branches decide whether a node is reached
//! (postdominators of that part of a function). `memory` divides memory into regions. `depend` follows
//! dependences backwards from the checks: register by register and node by node in a function (a value
//! matters until it is overwritten), globals and regions without regard to the order. `rewrite` makes the
//! program.

mod ahead;
mod control;
mod depend;
mod explore;
mod index;
mod memory;
mod reach;
mod rewrite;

use ir::{Body, FuncId, Function, Program};
use std::sync::atomic::{AtomicU64, Ordering};

/// A sliced program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sliced {
    pub program: Program,
    pub removed: Figures,
}

/// What slicing did to the functions that the entry reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    pub functions: Share,
    /// Operations with an effect of their own: no `skip`, no branch, no return.
    pub operations: Share,
    pub calls: Share,
    pub branches: Share,
    /// Functions with a body that the entry does not reach, which count nowhere else.
    pub unreachable: u32,
}

/// How many of a kind are gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    pub removed: u32,
    pub of: u32,
}

/// How much a slice keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Keep what decides whether executions stop before their time, by `exit`, `abort` or running in circles.
    /// Without this, branches to such ends go the other way: the contract is the same and the slice may be
    /// much smaller, but what fails in it may be what the original stops before.
    pub endings: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { endings: true }
    }
}

/// How many slices this process has made, for statistics: a program is to be sliced once.
pub fn made() -> u64 {
    MADE.load(Ordering::Relaxed)
}

static MADE: AtomicU64 = AtomicU64::new(0);

/// The part of a verified program that its checks depend on, if it starts in `entry`. Functions that the
/// slice does not call lose their bodies.
pub fn slice(program: &Program, entry: FuncId) -> Sliced {
    slice_with(program, entry, Options::default())
}

pub fn slice_with(program: &Program, entry: FuncId, options: Options) -> Sliced {
    MADE.fetch_add(1, Ordering::Relaxed);
    let defined = |f: FuncId| program.functions.get(f.0 as usize).is_some_and(|f| f.cfa().is_some());
    if !defined(entry) {
        return Sliced { program: program.clone(), removed: Figures::default() };
    }
    let reach = reach::Reach::of(program, entry);
    let ahead = ahead::Ahead::of(program, &reach, options);
    let (relevance, copy) = depend::depend(program, &reach, &ahead);
    rewrite::rewrite(program, copy, &reach, &ahead, &relevance)
}

/// A copy of the program in which functions that are not wanted have no body.
fn with_bodies(program: &Program, wanted: impl Fn(FuncId) -> bool) -> Program {
    let function = |(f, id): (&Function, FuncId)| {
        let body = if f.cfa().is_some() && !wanted(id) { Body::Extern } else { f.body.clone() };
        let (name, locals, c_type) = (f.name.clone(), f.locals.clone(), f.c_type.clone());
        let Function { ret, params, variadic, havocs, pos, .. } = *f;
        Function { name, ret, params, variadic, locals, body, havocs, c_type, pos }
    };
    Program {
        target: program.target,
        files: program.files.clone(),
        globals: program.globals.clone(),
        functions: program.functions.iter().zip(program.function_ids()).map(function).collect(),
    }
}

/// Has this function neither a body nor a chance to get one?
fn is_poisoned(program: &Program, f: FuncId) -> bool {
    matches!(program.function(f).body, Body::Poisoned { .. })
}
