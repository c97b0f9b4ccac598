//! What is asked of an unwound program, as one formula: can a check fail, or something happen that was not
//! followed?
//!
//! The engine that found out that it cannot, and the checker who does not believe it, make the clauses of
//! that formula by the same steps, so that a refutation of the one's is a refutation of the other's.

use crate::exec::{Exec, Invariants, Limits};
use crate::prune::Pruning;
use blast::{Blaster, Refused};
use engine::{Bounds, Unwound, Widened};
use logic::Term;
use sat::{Aig, Clauses, Encoder, Formula, Lit};

impl Limits {
    /// How far a proof says that a program was unwound.
    pub fn of(proof: &Unwound) -> Limits {
        let Unwound { bounds, free, widened, invariants, pruned, .. } = proof;
        let invariants = Invariants::Given(invariants.as_slice().into());
        let pruning = if pruned.is_empty() { Pruning::Nothing } else { Pruning::Given(pruned.clone()) };
        let (bounds, widened) = (bounds.clone(), widened.clone());
        Limits { bounds, free: *free, cut: false, widened, invariants, pruning }
    }

    /// Every loop is unwound, so far.
    pub fn unwound(bounds: Bounds, free: u64, pruning: Pruning) -> Limits {
        let (widened, invariants) = (Widened::Nothing, Invariants::none());
        Limits { bounds, free, cut: false, widened, invariants, pruning }
    }
}

impl Exec<'_> {
    /// Where a check fails.
    pub fn errors(&self) -> Vec<Term> {
        self.calls.first().map_or(Vec::new(), |call| call.errors.clone())
    }

    /// Where what happens was not followed, or a check fails. What comes first is shown first, and used for
    /// what comes later.
    pub fn violations(&self) -> Vec<Term> {
        self.open_gaps().map(|gap| gap.guard).chain(self.errors()).collect()
    }
}

/// Parts of a question that are shown together, unless there are more than [`MOST_GROUPS`] of them.
const GROUP: usize = 8;
const MOST_GROUPS: usize = 128;

/// Is one of some formulas true? And clauses that can be satisfied if and only if that is possible.
pub struct Question {
    pub aig: Aig,
    pub blaster: Blaster,
    pub encoder: Encoder,
    pub clauses: Formula,
}

impl Question {
    pub fn of(parts: &[Term]) -> Result<Question, Refused> {
        let (mut aig, mut blaster) = (Aig::new(), Blaster::new().guess_quotients());
        let (mut encoder, mut clauses) = (Encoder::new(), Formula::default());
        let (mut constrained, mut goals) = (0, Vec::new());
        for group in parts.chunks(GROUP.max(parts.len().div_ceil(MOST_GROUPS))) {
            let lits =
                group.iter().map(|part| blaster.bool(&mut aig, *part)).collect::<Result<Vec<_>, _>>()?;
            let any = aig.or_all(lits);
            if any == Lit::FALSE {
                continue;
            }
            let goal = encoder.encode(&aig, any, &mut clauses);
            for constraint in &blaster.constraints()[constrained..] {
                encoder.assert(&aig, *constraint, &mut clauses);
            }
            constrained = blaster.constraints().len();
            clauses.goal(goal);
            goals.push(goal);
        }
        clauses.add_clause(&goals);
        Ok(Question { aig, blaster, encoder, clauses })
    }
}
