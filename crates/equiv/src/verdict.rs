//! What is asked, and what is answered.

use crate::concrete::Difference;
use crate::product::Product;
use crate::spec::Spec;
use base::Budget;
use change::Pair;
use engine::{Assumption, Undecided, UnknownReason};
use horn::Solution;
use ir::{FuncId, Program};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// What integers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Integers {
    /// Of the target's width; they wrap.
    #[default]
    Machine,
    /// Mathematical, as in paper 004.
    Unbounded,
}

/// One comparison.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    pub pair: &'a Pair<'a>,
    pub functions: [FuncId; 2],
    pub spec: &'a Spec,
    pub integers: Integers,
    pub budget: &'a Budget,
    /// Which members of the portfolio may answer.
    pub members: &'a [Member],
}

/// A way to an answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Member {
    /// The versions are the same program.
    Identical,
    /// Both versions ran on concrete inputs.
    Concrete,
    /// Equations and candidates, kept while they are inductive.
    Candidates,
    /// Predicate abstraction with interpolants.
    Abstraction,
    /// Z3's Spacer.
    Spacer,
    /// Bounded search for a derivation.
    Bounded,
}

impl Member {
    pub const ALL: [Member; 6] = [
        Member::Identical,
        Member::Concrete,
        Member::Candidates,
        Member::Abstraction,
        Member::Spacer,
        Member::Bounded,
    ];
}

pub enum Verdict {
    Equivalent(Box<Proof>),
    NotEquivalent(Box<Difference>),
    Unknown(UnknownReason),
}

/// Who confirms a proof, or says why it does not count: a member of the portfolio only claims.
pub type Confirm<'a> = &'a dyn Fn(&Request, &Proof, &Budget) -> Result<(), Undecided>;

/// Why two functions are equivalent.
pub struct Proof {
    pub names: [String; 2],
    pub kind: ProofKind,
    /// Of the callees that were taken for the same function in both versions.
    pub callees: Vec<Proof>,
}

pub enum ProofKind {
    /// Their automata, and all they can run into, are equal.
    Identical,
    /// The user said so.
    Assumed,
    /// Both ran on every input there is.
    Exhausted {
        inputs: u64,
    },
    Coupled(Box<Coupling>),
    /// An earlier run found a proof of the same, which was checked then.
    Known,
}

/// A solved product.
pub struct Coupling {
    pub product: Product,
    pub solution: Solution,
    /// The two programs as they were compared, after inlining and unrolling.
    pub programs: [Program; 2],
    /// How they were made.
    pub steps: Vec<crate::shape::Step>,
    pub mode: encode::IntMode,
    pub plan: String,
}

/// The answer, and how it came about.
pub struct Report {
    pub verdict: Verdict,
    /// Who answered; None if nobody did.
    pub member: Option<Member>,
    pub time: Duration,
    /// What was tried, in order, with results.
    pub log: Vec<String>,
    /// What the answer relies on: functions without a body, termination, ...
    pub assumptions: Vec<Assumption>,
    /// A condition on the inputs under which different versions are equivalent.
    pub equivalent_when: Option<String>,
    /// It is the answer of an earlier run.
    pub before: bool,
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Member::Identical => "identical",
            Member::Concrete => "concrete",
            Member::Candidates => "candidates",
            Member::Abstraction => "abstraction",
            Member::Spacer => "spacer",
            Member::Bounded => "bounded",
        })
    }
}
