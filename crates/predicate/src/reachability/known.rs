//! What is asked about a step, and what is known behind it.

use super::{Halt, ReachabilityGraph};
use crate::model::Fragment;
use crate::predicates::PredicateId;
use biodivine_lib_bdd::Bdd;
use encode::Unsupported;
use ir::{FuncId, NodeId};
use logic::{Substitution, Term, free_vars};
use rustc_hash::FxHashSet;

impl ReachabilityGraph<'_> {
    pub(super) fn predicates_of(&self, fragment: Fragment) -> &[PredicateId] {
        self.precision.get(&fragment).map_or(&[], |list| list)
    }

    /// The predicates of a function that speak about its entry, in terms of the caller.
    pub(super) fn entry_goals(
        &self,
        f: FuncId,
        by: &mut Substitution,
    ) -> Result<Vec<(PredicateId, Term)>, Unsupported> {
        let view = self.model.view(f)?;
        let list = self.predicates_of(Fragment::Function(f)).iter();
        Ok(list
            .map(|&id| (id, self.predicates.term(id)))
            .filter(|(_, term)| view.fits_entry(*term))
            .map(|(id, term)| (id, by.apply(term)))
            .collect())
    }

    /// The predicates that matter at a cut point of an instance of `fragment`.
    pub(super) fn goals_at(
        &self,
        fragment: Fragment,
        cut: NodeId,
        by: &mut Substitution,
    ) -> Result<Vec<(PredicateId, Term)>, Unsupported> {
        let f = fragment.function();
        let view = self.model.view(f)?;
        let mut list = self.predicates_of(fragment).to_vec();
        if let Some(inner) = self.model.loop_towards(fragment, cut) {
            list.extend(self.predicates_of(inner));
        }
        list.sort();
        list.dedup();
        Ok(list
            .into_iter()
            .map(|id| (id, self.predicates.term(id)))
            .filter(|(_, term)| view.fits_at(*term, cut, &|x| self.model.is_untouched(f, cut, x) == Ok(true)))
            .map(|(id, term)| (id, by.apply(term)))
            .collect())
    }

    /// The variables at the entry that some predicate of a function mentions, with those of now.
    pub fn old_variables(&self, f: FuncId) -> Result<Vec<(Term, Term)>, Unsupported> {
        let view = self.model.view(f)?;
        let mentioned: FxHashSet<Term> = self
            .precision
            .iter()
            .filter(|(fragment, _)| fragment.function() == f)
            .flat_map(|(_, list)| list)
            .flat_map(|id| free_vars(self.predicates.term(*id)))
            .collect();
        let mut list: Vec<(Term, Term)> =
            view.to_old.iter().filter(|(_, old)| mentioned.contains(old)).map(|(x, y)| (*x, *y)).collect();
        list.sort();
        Ok(list)
    }

    /// What is known behind a step from a cut point. Where nothing is asked of it, steps that cannot be taken
    /// are looked for only once something seems to fail.
    pub(super) fn successor(
        &mut self,
        f: FuncId,
        cut: NodeId,
        mut given: Vec<Term>,
        goals: &[(PredicateId, Term)],
    ) -> Result<Option<Bdd>, Halt> {
        if goals.is_empty() && !self.post.pruning {
            return Ok(self.post.taken(&self.predicates, &given));
        }
        given.extend(self.background(f, cut, &given, goals)?);
        self.post.successor(&self.predicates, &given, goals)
    }

    /// What holds of the variables in these formulas at a cut point, whatever the path.
    pub(super) fn background(
        &self,
        f: FuncId,
        cut: NodeId,
        given: &[Term],
        goals: &[(PredicateId, Term)],
    ) -> Result<Vec<Term>, Unsupported> {
        let mut all: Vec<Term> = given.iter().copied().chain(goals.iter().map(|(_, t)| *t)).collect();
        let mut facts = self.model.identities(f, cut, &all)?;
        all.extend(&facts);
        facts.extend(self.model.typed(f, &all)?);
        Ok(facts)
    }
}
