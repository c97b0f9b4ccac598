//! Checks again why no check of a program can fail, without trusting whoever says so.
//!
//! A proof ([`engine::Proof`]) is contracts of functions with invariants of cut points (`contracts`), a
//! refutation of what the program does when it is unwound so far (`unwound`), only the claim that unwinding
//! so far is enough (`unwinding`), or a division of its states so that they can be enumerated (`explored`);
//! or several of these, each about some of the checks (`parts`).
//! The first and the third are about `encode::TransitionSystem`, the program as transitions between cut
//! points, and are asked of an SMT solver; the second is about the formula that `unwind` makes, and is
//! checked clause by clause. The checker makes the slice, the transitions, the formula and the states itself.
//! [`format`] is the file in which a proof outlives the process.
//!
//! Why contracts are enough. Take any execution and look at its activations, each at a cut point or between
//! two. By induction on the number of transitions made so far: an activation was entered in a state in which
//! `requires` of its function holds, and at every cut point that it reaches the invariant of that point holds
//! of its variables, and of what they were when it was entered (`old.`). The entry starts in a state of
//! `TransitionSystem::initial`, which implies its `requires`. A transition of the topmost activation is taken
//! where its guard holds; the invariant of where it leads is shown to follow. A call is entered with the
//! arguments as parameters and the globals, memory and tokens of the caller, of which `requires` of the
//! callee is shown; the locals of the callee are any values of their types. A call that returns does so from
//! a transition of the callee, where `ensures` was shown; the caller may use it, with what the callee had at
//! its entry for `old.`, and with new variables for all that the callee can change. No transition to a failed
//! check, or to an operation without meaning, may be possible where the invariant holds. What has no
//! invariant is claimed to be never reached: its invariant is `false`. Auxiliary variables of a transition
//! are any values: contracts cannot mention them, and each obligation is about one transition. Addresses and
//! the functions that formulas apply mean the same everywhere.
//!
//! What is shared with the engines, and so is believed: the front end, `slice`, `encode` and the solver; for
//! `unwound` no solver, but `unwind` and `blast`; for `explored` neither, but `states` and `ranges`.

mod clause;
mod contracts;
mod explored;
pub mod format;
mod obligation;
mod parts;
mod unwinding;
mod unwound;
mod variables;

pub use clause::{Clause, What};
pub use format::{check_text, to_text};
pub use obligation::{Known, Nothing};

use crate::Flaw;
use base::Budget;
use encode::IntMode;
use engine::{Argument, Assumption, Proof};
use ir::{FuncId, Program};
use slice::{Checks, Slicer};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fmt;

/// What was shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// One sentence each.
    pub claims: Vec<String>,
    /// What is taken for granted.
    pub assumptions: BTreeSet<Assumption>,
    /// How many queries the solver answered.
    pub queries: usize,
    /// How many obligations were [`Known`].
    pub known: usize,
}

/// Why a proof is not accepted, and the clause of it that fails, if it is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    pub flaw: Flaw,
    pub clause: Option<Box<Clause>>,
}

/// Is this a proof that no check of the program fails if it starts in `entry`? The program is a verified one,
/// and has exactly the checks that count. Obligations that `known` has are not asked again; those that are
/// shown are told to it. Needs a large stack: see `cfront::with_stack`.
pub fn check_proof(
    program: &Program,
    entry: FuncId,
    proof: &Proof,
    budget: &Budget,
    known: &mut dyn Known,
) -> Result<Checked, Refused> {
    Checker::new(program, entry).check(&Checks::All, proof, budget, known)
}

/// Checks proofs about one program. What it needs of the program it finds out by itself, once.
pub struct Checker<'p> {
    program: &'p Program,
    entry: FuncId,
    slicer: OnceCell<Slicer>,
    /// Of the program, not of what a slice leaves of it.
    assumptions: OnceCell<BTreeSet<Assumption>>,
}

impl<'p> Checker<'p> {
    pub fn new(program: &'p Program, entry: FuncId) -> Checker<'p> {
        Checker { program, entry, slicer: OnceCell::new(), assumptions: OnceCell::new() }
    }

    /// Is this a proof that none of these checks fails, where no other does? See [`check_proof`].
    pub fn check(
        &self,
        checks: &Checks,
        proof: &Proof,
        budget: &Budget,
        known: &mut dyn Known,
    ) -> Result<Checked, Refused> {
        let function = self.program.functions.get(self.entry.0 as usize).filter(|f| f.cfa().is_some());
        let Some(function) = function else {
            return Err(Flaw::Malformed("it is about a function without a body".to_owned()).into());
        };
        let mut prover = obligation::Prover::new(budget, known);
        let how = match &proof.argument {
            Argument::Parts(parts) => self.parts(checks, parts, &mut prover)?,
            _ => {
                self.covers(checks, std::slice::from_ref(proof))?;
                self.part(proof, &mut prover)?
            }
        };
        let which = match checks {
            Checks::All => "no check fails",
            Checks::In(_) => "none of these checks fails",
        };
        let assumed = || engine::assumptions(self.program, self.entry).into_iter().collect();
        let assumptions = self.assumptions.get_or_init(assumed);
        Ok(Checked {
            claims: vec![format!("{which} in any execution from {}: {how}", function.name)],
            assumptions: assumptions.clone(),
            queries: prover.queries,
            known: prover.known_before,
        })
    }

    fn slicer(&self) -> &Slicer {
        self.slicer.get_or_init(|| Slicer::new(self.program, self.entry))
    }

    /// Checks what a proof says about the checks that it is about.
    fn part(&self, proof: &Proof, prover: &mut obligation::Prover) -> Result<String, Refused> {
        let sliced = proof.slice.as_ref().map(|checks| self.slicer().slice(checks));
        argument(sliced.as_ref().unwrap_or(self.program), self.entry, &proof.argument, prover)
    }
}

fn argument(
    program: &Program,
    entry: FuncId,
    argument: &Argument,
    prover: &mut obligation::Prover,
) -> Result<String, Refused> {
    match argument {
        Argument::Contracts { mode: IntMode::Unbounded, .. } => {
            Err(Flaw::Malformed("its integers are not those of C".to_owned()).into())
        }
        Argument::Contracts { mode, contracts } => contracts::check(program, entry, *mode, contracts, prover),
        Argument::Unwinding { bound } => unwinding::check(program, entry, *bound, prover),
        Argument::Unwound(unwound) => unwound::check(program, entry, unwound, prover),
        Argument::Explored(partition) => explored::check(program, entry, partition, prover),
        Argument::Parts(_) => Err(Flaw::Malformed("a part of it is divided again".to_owned()).into()),
    }
}

impl From<Flaw> for Refused {
    fn from(flaw: Flaw) -> Refused {
        Refused { flaw, clause: None }
    }
}

impl From<encode::Unsupported> for Refused {
    fn from(what: encode::Unsupported) -> Refused {
        Flaw::Open(what.to_string()).into()
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.flaw.fmt(f)
    }
}

impl std::error::Error for Refused {}
