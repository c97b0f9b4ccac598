//! Points of a path, and what can be said there: versions of variables against the variables themselves.

use crate::model::Model;
use encode::names::is_address;
use ir::{FuncId, NodeId};
use logic::{Substitution, Term, free_vars};
use rustc_hash::FxHashMap;

/// A point of a path: where, and which versions variables have there.
#[derive(Clone)]
pub struct Point {
    pub function: FuncId,
    pub place: Place,
    pub versions: Versions,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Cut(NodeId),
    /// The function has returned.
    Exit,
    Error,
}

/// Versions now and at the function's entry.
#[derive(Clone, Default)]
pub struct Versions {
    pub(super) now: FxHashMap<Term, Term>,
    pub(super) entry: FxHashMap<Term, Term>,
    /// What the function returned.
    pub result: Option<Term>,
    pub(super) instance: u32,
}

impl Point {
    /// A formula over versions as one over the function's variables; None if it mentions others.
    pub fn back(&self, model: &Model, formula: Term) -> Option<Term> {
        let visible = self.visible(model);
        if !free_vars(formula).iter().all(|v| visible.contains_key(v) || is_address(*v)) {
            return None;
        }
        let predicate = Substitution::new(visible).apply(formula);
        model.view(self.function).ok()?.knows(predicate).then_some(predicate)
    }

    /// The versions that predicates of the function can speak of, and as what.
    pub fn visible(&self, model: &Model) -> FxHashMap<Term, Term> {
        let mut pairs: FxHashMap<Term, Term> = FxHashMap::default();
        let Ok(view) = model.view(self.function) else { return pairs };
        for (x, version) in &self.versions.entry {
            if let Some(old) = view.to_old.get(x) {
                pairs.insert(*version, *old);
            }
        }
        let mut now: Vec<(Term, Term)> = self.versions.now.iter().map(|(x, v)| (*v, *x)).collect();
        now.sort();
        for (version, x) in now {
            if self.place != Place::Exit || view.at_exit.contains(&x) {
                pairs.insert(version, x);
            }
        }
        if let (Place::Exit, Some(version), Some(result)) = (self.place, self.versions.result, view.result) {
            pairs.insert(version, result);
        }
        pairs
    }

    /// The instance of the function that the point is in.
    pub fn instance(&self) -> u32 {
        self.versions.instance
    }

    /// Has this variable still its value from the function's entry?
    pub fn is_unchanged(&self, x: Term) -> bool {
        match (self.versions.now.get(&x), self.versions.entry.get(&x)) {
            (Some(now), Some(entry)) => now == entry,
            // Nobody has looked at it yet.
            (None, None) => true,
            _ => false,
        }
    }
}

impl Versions {
    pub fn get(&self, x: Term) -> Option<Term> {
        self.now.get(&x).copied()
    }
}
