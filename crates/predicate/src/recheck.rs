//! Summaries of functions that changed: do they still hold?
//!
//! The paper drops the summaries of whatever changed, and of all that calls it. But most changes keep what
//! callers rely on. So a changed function is explored from the entry states of its old summary, and where its
//! new exits are among the old ones they count as these: callers see what they saw before, and what was
//! remembered of them applies (`successor_cache`). Nothing rests on the old summary being true: an entry that
//! is wider than needed, an exit that says less, are sound. But they may say too little; a path that turns
//! out to be infeasible drops the summaries of the functions on it before anything is refined.

use crate::model::Fragment;
use crate::path::{Body, Frame, Item, Path};
use crate::reachability::{ReachabilityGraph, SummaryInstance};
use biodivine_lib_bdd::Bdd;
use ir::FuncId;
use rustc_hash::FxHashSet;

/// A summary of a function as it was.
pub struct Candidate {
    pub fragment: Fragment,
    pub entry: Bdd,
    pub exits: Vec<Bdd>,
    /// It said too little.
    pub dropped: bool,
}

impl ReachabilityGraph<'_> {
    /// The old summary of a changed function that speaks of these states, if there is one.
    pub fn candidate(&self, fragment: Fragment, entry: &Bdd) -> Option<usize> {
        self.candidates
            .iter()
            .position(|c| c.fragment == fragment && !c.dropped && self.predicates.implies(entry, &c.entry))
    }

    /// What an instance leaves behind: as the old summary says it, if it says that.
    pub fn as_before(&self, instance: &SummaryInstance, state: Bdd) -> Bdd {
        let exits = instance.candidate.map_or(&[][..], |c| &self.candidates[c].exits);
        let before = exits.iter().find(|exit| self.predicates.implies(&state, exit));
        before.cloned().unwrap_or(state)
    }

    /// The changed functions whose old summaries were asked for, and whether they all still hold: those that
    /// are explored to their ends.
    pub fn rechecked(&self) -> Vec<(FuncId, bool)> {
        let mut list: Vec<(FuncId, bool)> = Vec::new();
        for instance in self.complete().into_iter().map(|id| self.instance(id)) {
            let Some(candidate) = instance.candidate.map(|c| &self.candidates[c]) else { continue };
            let holds = instance.exits.iter().all(|exit| candidate.exits.contains(&exit.state));
            let function = instance.fragment.function();
            match list.iter_mut().find(|(f, _)| *f == function) {
                Some((_, all)) => *all &= holds,
                None => list.push((function, holds)),
            }
        }
        list.sort();
        list
    }

    /// Forgets the old summaries of the functions on a path; false if none was used.
    pub fn drop_candidates(&mut self, path: &Path) -> bool {
        let mut functions = FxHashSet::default();
        for frame in &path.frames {
            collect(frame, &mut functions);
        }
        let used: FxHashSet<usize> = self.instances.iter().filter_map(|a| a.candidate).collect();
        let mut dropped = false;
        for (i, candidate) in self.candidates.iter_mut().enumerate() {
            if used.contains(&i) && !candidate.dropped && functions.contains(&candidate.fragment.function()) {
                candidate.dropped = true;
                dropped = true;
            }
        }
        dropped
    }
}

fn collect(frame: &Frame, functions: &mut FxHashSet<FuncId>) {
    functions.insert(frame.function);
    for item in &frame.items {
        if let Item::Call(_, Body::Frame(inner)) = item {
            collect(inner, functions);
        }
    }
}
