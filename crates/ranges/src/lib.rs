//! Bounds of integer variables at every node of a program.
//!
//! [`analyse`] runs a whole program on sets of values ([`Values`]: intervals, and small sets with gaps) from
//! its entry function on. It is meant as a first look that is cheap: what it finds cuts branches that cannot
//! be taken, and becomes part of invariants that are checked again elsewhere. So the result is inductive by
//! itself: what an edge makes of the state before it lies in the state behind it, with calls and returns as
//! edges ([`Ranges::check`]).
//!
//! What is assumed of the program is what the IR says: functions without a body return any value and do
//! nothing else, inputs and memory hold any value, integers wrap, a failed check and a division by zero end
//! the execution. Of pointers it is only known whether they are null. Floats and integers of 128 bits have no
//! bounds.
//!
//! `values` and `arith` are the sets, `state` the map from variables to sets, `eval` and `refine` what
//! expressions and conditions mean, `post` what operations do, `shape` what is computed beforehand, `solve`
//! the fixpoint.

mod arith;
mod check;
mod eval;
mod post;
mod refine;
mod shape;
mod solve;
mod state;
mod values;

pub use eval::{Evaluator, not_null};
pub use post::Exit;
pub use state::State;
pub use values::{MOST, Values, shape as counted_as};

use ir::{FuncId, NodeId, Program, Var};

/// What is known at the nodes of all functions that the entry function reaches.
#[derive(Clone, Debug)]
pub struct Ranges {
    entry: FuncId,
    at: Vec<Vec<Option<State>>>,
    exits: Vec<Option<Exit>>,
}

/// Analyses a verified program that starts in `entry`, with any arguments.
pub fn analyse(program: &Program, entry: FuncId) -> Ranges {
    let context = post::Context::new(program, entry);
    let mut solver = solve::Solver::new(&context, entry);
    solver.solve();
    Ranges { entry, at: solver.at, exits: solver.exits }
}

impl Ranges {
    /// What holds whenever an execution is at a node, of globals and of locals that may still be read; None
    /// if none ever is. At the exit node, that is behind returns and where the program ends.
    pub fn at(&self, f: FuncId, node: NodeId) -> Option<&State> {
        self.at.get(f.0 as usize)?.get(node.0 as usize)?.as_ref()
    }

    /// What holds whenever a function returns, of its result and of the globals that it, with all it calls,
    /// may write; None if it never does.
    pub fn exit(&self, f: FuncId) -> Option<&Exit> {
        self.exits.get(f.0 as usize)?.as_ref()
    }

    /// The ends of a variable's values at a node, those of its type if no more is known; None for nodes that
    /// are never reached, and for variables without bounds.
    pub fn bounds(&self, program: &Program, f: FuncId, node: NodeId, var: Var) -> Option<(i128, i128)> {
        let state = self.at(f, node)?;
        let values = state.get(var).cloned();
        let values = values.or_else(|| {
            let ty = program.register(program.functions.get(f.0 as usize)?, var)?;
            counted_as(ty, &program.target).map(Values::all)
        })?;
        Some((values.low(), values.high()))
    }

    /// Is this inductive for the program that it was computed for? Otherwise says where it is not.
    pub fn check(&self, program: &Program) -> Result<(), String> {
        check::check(self, program)
    }
}
