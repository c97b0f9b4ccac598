//! How an object on the heap was lost: where it was made, and where pointers to it were put and overwritten.

use crate::path::{Path, Step};
use interp::{AccessKind, Accessed, Outcome};
use ir::{Op, Var};
use rustc_hash::FxHashSet;

/// The object that a run leaves behind, and who ever led to it.
#[derive(Default)]
pub struct Lost {
    object: Option<Accessed>,
    /// Where pointers to it were written.
    places: FxHashSet<u64>,
    variables: FxHashSet<Var>,
}

impl Lost {
    pub fn of(path: &Path) -> Lost {
        let object = match &path.run.outcome {
            Outcome::CheckFailed { access: Some(access), .. } if access.kind == AccessKind::End => {
                access.object
            }
            _ => None,
        };
        let mut lost = Lost { object, ..Lost::default() };
        if object.is_none() {
            return lost;
        }
        for step in &path.steps {
            let values = path.evaluated(step);
            match (path.op(step), values.as_slice()) {
                (Some(Op::Store { .. }), [to, value]) if lost.leads_there(value.value) => {
                    lost.places.insert(to.value as u64);
                }
                (Some(Op::Assign { var: var @ Var::Global(_), .. }), [value])
                    if lost.leads_there(value.value) =>
                {
                    lost.variables.insert(*var);
                }
                _ => {}
            }
        }
        lost
    }

    fn leads_there(&self, value: u128) -> bool {
        self.object.is_some_and(|object| value.wrapping_sub(object.base.into()) <= object.size.into())
    }

    /// Does a step make the object, or change who leads to it?
    pub fn matters(&self, path: &Path, step: &Step) -> bool {
        let Some(object) = self.object else { return false };
        match path.op(step) {
            Some(Op::Alloc { .. }) => step.written == Some(object.base.into()),
            Some(Op::Store { .. }) => {
                path.evaluated(step).first().is_some_and(|to| self.places.contains(&(to.value as u64)))
            }
            Some(Op::Assign { var, .. }) => self.variables.contains(var),
            _ => false,
        }
    }
}
