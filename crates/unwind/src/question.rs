//! What is asked of an unwound program, as one formula: can a check fail, or something happen that was not followed?
//!
//! The engine that found out that it cannot, and the checker who does not believe it, make the clauses of that formula by the same steps, so that
//! a refutation of the one's is a refutation of the other's.

use crate::exec::{Exec, Limits, Loops};
use blast::{Blaster, Refused};
use engine::{Bounds, Unwound};
use logic::Term;
use sat::{Aig, Encoder, Formula};

impl Limits {
    /// How far a proof says that a program was unwound.
    pub fn of(proof: &Unwound) -> Limits {
        let Unwound { bounds, free, widened, invariants, .. } = proof;
        let loops = if *widened { Loops::Widened(invariants.as_slice().into()) } else { Loops::Unwound };
        Limits { bounds: bounds.clone(), free: *free, cut: false, loops }
    }

    /// Loops are not unwound; functions that call themselves are, so far.
    pub fn widened(bound: u32, loops: Loops) -> Limits {
        Limits { bounds: Bounds::new(bound), free: 0, cut: false, loops }
    }
}

impl Exec<'_> {
    /// Where a check fails.
    pub fn failure(&self) -> Term {
        Term::any(self.calls.first().map_or(&[][..], |call| &call.errors).iter().copied())
    }

    /// Where a check fails, or what happens was not followed.
    pub fn violation(&self) -> Term {
        let errors = self.calls.first().map_or(&[][..], |call| &call.errors).iter().copied();
        Term::any(errors.chain(self.open_gaps().map(|gap| gap.guard)))
    }
}

/// A formula, and clauses that can be satisfied if and only if it can.
pub struct Question {
    pub aig: Aig,
    pub blaster: Blaster,
    pub encoder: Encoder,
    pub clauses: Formula,
}

impl Question {
    pub fn of(formula: Term) -> Result<Question, Refused> {
        let (mut aig, mut blaster) = (Aig::new(), Blaster::new().guess_quotients());
        let (mut encoder, mut clauses) = (Encoder::new(), Formula::default());
        let root = blaster.bool(&mut aig, formula)?;
        encoder.assert(&aig, root, &mut clauses);
        for constraint in blaster.constraints().to_vec() {
            encoder.assert(&aig, constraint, &mut clauses);
        }
        Ok(Question { aig, blaster, encoder, clauses })
    }
}
