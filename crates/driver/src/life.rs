//! Where the object of a bad access came from, and where it ended.

use crate::path::{Path, Step};
use interp::{Accessed, ObjectKind};
use ir::{FuncId, Op, Pos};

/// The places are those of the user's code; none where they are not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Life {
    /// Its declaration, or its allocation.
    pub made: Option<Pos>,
    /// Where it was freed.
    pub ended: Option<Pos>,
}

impl Path<'_> {
    /// `ours` are functions that the user does not know: places in them are those of their calls.
    pub fn life(&self, object: &Accessed, ours: &dyn Fn(FuncId) -> bool) -> Life {
        let program = self.program;
        let pos = match object.kind {
            ObjectKind::Global(id) => program.globals.get(id.0 as usize).map(|global| global.pos),
            ObjectKind::Local(f, id) => {
                let function = program.functions.get(f.0 as usize);
                function.and_then(|function| function.locals.get(id.0 as usize)).map(|local| local.pos)
            }
            _ => return self.allocated(object, ours),
        };
        Life { made: pos.filter(|pos| pos.line > 0), ended: None }
    }

    fn allocated(&self, object: &Accessed, ours: &dyn Fn(FuncId) -> bool) -> Life {
        let base = u128::from(object.base);
        let makes =
            |step: &Step| matches!(self.op(step), Some(Op::Alloc { .. })) && step.written == Some(base);
        let frees = |step: &Step| {
            matches!(self.op(step), Some(Op::Free { .. }))
                && self.evaluated(step).first().is_some_and(|given| given.value == base)
        };
        // Addresses are used again: the last time counts.
        let made = self.steps.iter().rposition(makes);
        let ended = self.steps.iter().rposition(frees).filter(|at| made.is_none_or(|made| made < *at));
        Life { made: self.users(made, ours), ended: self.users(ended, ours) }
    }

    /// The place of a step, or of the user's call that led to it.
    fn users(&self, step: Option<usize>, ours: &dyn Fn(FuncId) -> bool) -> Option<Pos> {
        let mut step = self.steps.get(step?)?;
        while ours(step.function) {
            let caller = self.activations.get(step.activation as usize)?.caller?;
            step = self.steps.get(caller)?;
        }
        Some(self.pos(step)).filter(|pos| pos.line > 0)
    }
}
