//! What is known about one step, for both directions.

use crate::Place;
use encode::Unsupported;
use encode::transition_system::To;
use ir::{FuncId, NodeId};
use logic::{Substitution, Term};
use predicate::model::{Model, Step};
use rustc_hash::FxHashMap;

/// What is taken to hold, by place; a place that is not here is never reached.
pub type Held = FxHashMap<Place, Vec<Term>>;

/// Something that holds at a place, as it is said there and as it reads in the step.
pub struct Known {
    pub place: Place,
    pub stated: Term,
    pub here: Term,
}

/// One end of a step where something is to be shown.
pub struct Target {
    pub place: Place,
    /// From the words of that place to those of the step.
    pub by: Substitution,
    /// Is it behind the call?
    pub behind: bool,
}

/// All that is said at a place: what was found, and what the interval analysis knows.
pub fn said(model: &Model, held: &Held, place: Place) -> Result<Vec<Term>, Unsupported> {
    let ranges = match place {
        Place::Entry(f) => model.ranges_at(f, model.entry_node(f))?,
        Place::Cut(f, cut) => model.ranges_at(f, cut)?,
        Place::Exit(f) => model.ranges_at_exit(f)?,
    };
    let mut list = held.get(&place).cloned().unwrap_or_default();
    list.extend(ranges.conjuncts());
    if ranges.is_false() {
        list.push(ranges);
    }
    Ok(list)
}

/// Where a step leads; nowhere, if it is an error.
pub fn targets(model: &Model, f: FuncId, step: &Step) -> Result<Vec<Target>, Unsupported> {
    let mut list = Vec::new();
    match &step.to {
        To::Failure | To::Trap(_) => {}
        To::Return => {
            let result = model.view(f)?.result.zip(step.value);
            let by = Substitution::new(step.changes.iter().copied().chain(result));
            list.push(Target { place: Place::Exit(f), by, behind: false });
        }
        To::Cut(to) => {
            if let Some(call) = &step.call {
                let (place, by) = (Place::Entry(call.callee), model.arguments(call)?);
                list.push(Target { place, by, behind: false });
            }
            let by = Substitution::new(step.changes.iter().copied());
            list.push(Target { place: Place::Cut(f, *to), by, behind: step.call.is_some() });
        }
    }
    Ok(list)
}

/// The premises of a step.
pub struct Premises {
    /// When the step is taken, and what always holds of what occurs in it.
    pub facts: Vec<Term>,
    pub known: Vec<Known>,
}

impl Premises {
    /// Of a step that ends in these goals (in the words of the step). Behind a call, what the callee ensures
    /// is known.
    pub fn of(
        model: &Model,
        held: &Held,
        (f, cut, step): (FuncId, NodeId, &Step),
        behind: bool,
        goals: &[Term],
    ) -> Result<Premises, Unsupported> {
        let place = Place::Cut(f, cut);
        let stated = said(model, held, place)?.into_iter();
        let mut known: Vec<Known> = stated.map(|t| Known { place, stated: t, here: t }).collect();
        if let Some(call) = step.call.as_ref().filter(|_| behind) {
            let mut by = model.results(call)?;
            let place = Place::Exit(call.callee);
            let ensured = said(model, held, place)?.into_iter();
            known.extend(ensured.map(|t| Known { place, stated: t, here: by.apply(t) }));
        }
        let mut all: Vec<Term> = known.iter().map(|k| k.here).chain(goals.iter().copied()).collect();
        all.push(step.guard);
        let same = model.identities(f, cut, &all)?;
        all.extend(&same);
        let mut facts = vec![step.guard];
        facts.extend(model.typed(f, &all)?);
        known.extend(same.into_iter().map(|t| Known { place, stated: t, here: t }));
        Ok(Premises { facts, known })
    }

    /// Of entering a function: what was then is what is now.
    pub fn of_entry(model: &Model, held: &Held, f: FuncId, goals: &[Term]) -> Result<Premises, Unsupported> {
        let place = Place::Entry(f);
        let stated = said(model, held, place)?.into_iter();
        let known: Vec<Known> = stated.map(|t| Known { place, stated: t, here: t }).collect();
        let all: Vec<Term> = known.iter().map(|k| k.here).chain(goals.iter().copied()).collect();
        Ok(Premises { facts: model.typed(f, &all)?, known })
    }

    pub fn all(&self) -> Vec<Term> {
        self.facts.iter().copied().chain(self.known.iter().map(|k| k.here)).collect()
    }

    /// Is there nothing that might exclude the step?
    pub fn is_free(&self) -> bool {
        self.facts.first().is_none_or(|guard| guard.is_true())
    }
}

/// From the words of a function's first cut point to those of its entry.
pub fn entering(model: &Model, f: FuncId) -> Result<Substitution, Unsupported> {
    Ok(model.view(f)?.as_now())
}
