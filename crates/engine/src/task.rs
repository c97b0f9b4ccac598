//! The question.

use crate::reason::UnknownReason;
use crate::settings::Settings;
use crate::subject::Subject;
use base::Budget;
use ir::FuncId;
use store::Store;

pub struct Task<'a> {
    pub subject: &'a Subject<'a>,
    /// An earlier version whose results, if the store has them, may be reused. Without it, whatever the store
    /// has for `label`.
    pub base: Option<&'a Subject<'a>>,
    /// Functions of `program` that were shown to do no more than the function of that name in `base`, in
    /// whatever state they are called: they return what that one returns, change what it changes, and fail
    /// only where it fails. So does all that they call. The slices were compared, if the settings want
    /// slices.
    pub equivalent: &'a [FuncId],
    /// What the user calls this program (its files): later versions of it look for results under this name.
    pub label: &'a str,
    pub settings: &'a Settings,
    pub store: Option<&'a Store>,
    pub budget: &'a Budget,
    pub progress: &'a dyn Progress,
}

/// Told what is being done; a person may be watching.
pub trait Progress {
    fn note(&self, what: &str);

    /// If nothing more is found out, this is why nobody knows: it may come to that at any moment.
    fn reached(&self, _reason: &UnknownReason) {}
}

/// Nobody is watching.
pub struct Quiet;

impl Progress for Quiet {
    fn note(&self, _what: &str) {}
}
