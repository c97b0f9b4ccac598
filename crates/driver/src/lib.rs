//! From a question about a program to an answer that can be believed.
//!
//! The one idea: an engine only claims. [`verify`] asks one after the other ([`engines`] lists them, [`plan`]
//! says whom and for how long). What one calls a violation is executed by the interpreter before anybody
//! hears of it ([`confirm`]); what does not fail a check there is `UNKNOWN (not confirmed)`. What one calls
//! safe comes with a proof that is checked ([`certified`]); what is not accepted there is
//! `UNKNOWN (safe, but not certified)`. An engine that panics gives no answer, and takes nothing with it.
//!
//! Around that: the property decides which checks of a program count ([`property`]), limits are watched from
//! outside of the engines ([`limits`]), a store that cannot be used is a warning ([`open_store`]), and a
//! confirmed violation becomes a path through the source with values ([`path`]), of which people are shown
//! what led to the failure ([`slice`]). Comparisons of two versions go the same way ([`compare`]). Other checks that fail are looked for when the verdict is known
//! ([`others`]).

mod attempt;
pub mod certificate;
pub mod certified;
pub mod compare;
pub mod confirm;
mod doubt;
mod equivalent;
mod history;
mod life;
pub mod limits;
mod lost;
mod obligations;
pub mod others;
mod parts;
pub mod path;
pub mod plan;
pub mod property;
mod runs;
pub mod slice;
mod stores;
mod unanswered;

pub use attempt::{Attempt, Claim};
pub use certified::Certified;
pub use confirm::{Undefined, Violation};
pub use doubt::Doubt;
pub use life::Life;
pub use others::others;
pub use plan::{Engines, Strategy, verify_among};
pub use stores::{CODE, Opened, open_store, tool};
pub use unanswered::Allowed;

use base::Budget;
use engine::{
    Assumption, CallNode, Decision, Engine, Figure, Progress, Proof, Settings, Subject, UnknownReason,
};
use std::time::Duration;
use store::Store;

/// All engines, one line each.
static ENGINES: [&(dyn Engine + Sync); 4] =
    [&bmc::Bmc, &contracts::Contracts, &explicit::Explicit, &predicate::Predicate];

pub fn engines() -> &'static [&'static (dyn Engine + Sync)] {
    &ENGINES
}

pub struct Request<'a> {
    pub subject: &'a Subject<'a>,
    pub base: Option<&'a Subject<'a>>,
    /// What the user calls this program: later versions of it look for results under this name.
    pub label: &'a str,
    pub settings: &'a Settings,
    pub store: Option<&'a Store>,
    pub budget: &'a Budget,
    /// Says whether the budget was cancelled because of memory.
    pub limits: Option<&'a limits::Watch>,
    pub progress: &'a dyn Progress,
}

/// An answer in which every violation was seen to happen, and every proof was checked.
pub struct Outcome {
    pub verdict: Verdict,
    /// Whose verdict it is.
    pub engine: &'static str,
    /// What the verdict rests on besides the program.
    pub assumptions: Vec<Assumption>,
    /// Undefined behaviour that no check asks about, and that happens.
    pub undefined: Option<Undefined>,
    pub decisions: Vec<Decision>,
    /// Of the engine whose verdict it is; those of the others are in `attempts`.
    pub figures: Vec<Figure>,
    pub calls: Vec<CallNode>,
    /// Who was asked, in this order.
    pub attempts: Vec<Attempt>,
    /// What was checked, if it is safe.
    pub certified: Option<Certified>,
    /// The proof, if it is safe and the engine gave one.
    pub proof: Option<Proof>,
    /// If nobody knows, and an earlier run said so: what that was allowed.
    pub known: Option<Allowed>,
    /// How many slices were made on the way: one of each version, and one by the checker.
    pub slices: u64,
    pub time: Duration,
}

pub enum Verdict {
    Safe,
    Unsafe(Box<Violation>),
    Unknown(UnknownReason),
}

/// Asks all engines, until an answer stands.
pub fn verify(request: &Request) -> Outcome {
    verify_as(request, &Strategy::default())
}

pub fn verify_as(request: &Request, strategy: &Strategy) -> Outcome {
    let engines: Vec<&dyn Engine> = ENGINES.iter().map(|engine| *engine as &dyn Engine).collect();
    verify_among(&engines, request, strategy)
}
