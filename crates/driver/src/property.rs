//! Which checks of a program count.
//!
//! The front end puts assertions and error calls into every program, and what `--check` asks for. A property
//! that is about something else, as a task's, leaves them out: a failed assertion then just ends the program,
//! as C says.

use ir::{Body, CheckKind, Op, Program};
use std::collections::BTreeSet;

/// Turns the checks of all other kinds into what they are when nobody asks about them: executions end where
/// an assertion fails, and what merely leaves a type's range or a memory object is left to the operation that
/// follows.
pub fn restrict(program: &mut Program, wanted: &BTreeSet<CheckKind>) {
    for f in program.function_ids() {
        let Body::Defined(cfa) = &mut program.function_mut(f).body else { continue };
        for id in (0..cfa.edges().len() as u32).map(ir::EdgeId) {
            let op = cfa.edge_mut(id);
            if let Op::Check { kind, cond, .. } = op
                && !wanted.contains(kind)
            {
                *op = match kind {
                    CheckKind::Assertion | CheckKind::ErrorCall | CheckKind::Unreachable => {
                        Op::Assume { cond: cond.clone(), holds: true }
                    }
                    CheckKind::Overflow
                    | CheckKind::Memory
                    | CheckKind::Div
                    | CheckKind::Shift
                    | CheckKind::Leak
                    | CheckKind::Cleanup => Op::Skip,
                };
            }
        }
    }
}
