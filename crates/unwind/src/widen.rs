//! Loops without unwinding: a state that stands for those of all iterations.
//!
//! Where a loop comes back to its head, every variable that changed is replaced by one that may have any of the values it had so far (if these
//! are a few constants) or any value at all, and the loop runs again from there, until nothing new comes back. What is executed then has
//! more behaviours than the program, so only the absence of errors means something: it is a proof for all bounds.
//!
//! All rounds leave the loop to the same place, where of two states that meet one is chosen. That loses nothing as long as a round can be the
//! first iteration, which goes on, whatever the last round is: so no two rounds share variables.

use crate::content::Content;
use crate::exec::Exec;
use crate::guard::Guard;
use crate::objects::ObjectId;
use crate::state::State;
use ir::LocalId;
use logic::{Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// More constants than this are any value.
const MOST_VALUES: usize = 12;
/// From this round on everything that changes is any value.
const PATIENCE: u32 = 10;
const MOST_ROUNDS: u32 = 40;
/// Choices that are looked through for constants.
const MOST_CHOICES: usize = 400;

/// One loop that is being widened.
pub struct Widening {
    /// The state it runs from at the moment.
    pub head: State,
    /// The guard with which it was entered.
    pub entered: Guard,
    pub rounds: u32,
    /// The variables of this loop's rounds.
    pub own: FxHashSet<Term>,
}

/// What a round makes of what came back.
struct Round {
    /// A few constants are kept apart.
    patience: bool,
    changed: bool,
    /// What holds of the new variables.
    constraints: Vec<Term>,
    own: FxHashSet<Term>,
}

/// What came back to the head of a loop.
pub enum Back {
    /// Nothing new.
    Covered,
    /// The state to run from next.
    Again(Box<State>),
    /// It has no such state.
    Lost,
}

impl Exec<'_> {
    /// The constants that a term can be; None: anything.
    fn values_of(&self, term: Term) -> Option<BTreeSet<Term>> {
        let mut found = BTreeSet::new();
        let (mut stack, mut seen) = (vec![term], Vec::new());
        while let Some(t) = stack.pop() {
            if let Some(values) = self.widened.get(&t) {
                found.extend(values.as_ref()?.iter().copied());
            } else if t.is_const() {
                found.insert(t);
            } else if let (Op::Ite, [_, a, b]) = (t.op(), t.args()) {
                if seen.contains(&t) {
                    continue;
                }
                seen.push(t);
                stack.extend([*a, *b]);
            } else {
                return None;
            }
            if seen.len() > MOST_CHOICES || found.len() > MOST_VALUES {
                return None;
            }
        }
        Some(found)
    }

    /// Compares what comes back with what the loop ran from.
    pub(crate) fn widen(&mut self, widening: &mut Widening, back: &State, live: &BTreeSet<LocalId>) -> Back {
        widening.rounds += 1;
        if widening.rounds > MOST_ROUNDS {
            return Back::Lost;
        }
        let mut next = State { guard: widening.entered.clone(), ..State::default() };
        let mut round = Round {
            patience: widening.rounds < PATIENCE,
            changed: false,
            constraints: Vec::new(),
            own: std::mem::take(&mut widening.own),
        };
        // Whenever it escapes, it may have escaped.
        let either = widening.head.escaped.keys().chain(back.escaped.keys());
        next.escaped = either.map(|id| (*id, Term::bool(true))).collect();
        round.changed = next.escaped != widening.head.escaped;
        next.locals = vec![None; widening.head.locals.len()];
        for id in live {
            let i = id.0 as usize;
            let (old, new) =
                (widening.head.locals.get(i).copied().flatten(), back.locals.get(i).copied().flatten());
            let value = match (old, new) {
                (Some(old), Some(new)) => match self.join(old, new, &mut round) {
                    Some(value) => Some(value),
                    None => return Back::Lost,
                },
                (old, new) => old.or(new),
            };
            if let Some(slot) = next.locals.get_mut(i) {
                *slot = value;
            }
        }
        let globals: BTreeSet<ir::GlobalId> =
            widening.head.globals.keys().chain(back.globals.keys()).copied().collect();
        for id in globals {
            let (old, new) = (self.global(&widening.head, id), self.global(back, id));
            match self.join(old, new, &mut round) {
                Some(value) => next.globals.insert(id, value),
                None => return Back::Lost,
            };
        }
        let objects: BTreeSet<ObjectId> =
            widening.head.objects.keys().chain(back.objects.keys()).copied().collect();
        let mut contents: BTreeMap<ObjectId, Rc<Content>> = BTreeMap::new();
        for id in objects {
            // A round that leaves an object behind is covered by none before it, whatever the object holds.
            if self.heap_matters && !widening.head.objects.contains_key(&id) && self.is_heap_object(id) {
                return Back::Lost;
            }
            let (old, new) = (self.content(&widening.head, id), self.content(back, id));
            match self.join_content(&old, &new, &mut round) {
                Some(content) => contents.insert(id, content),
                None => return Back::Lost,
            };
        }
        next.objects = contents;
        widening.own = round.own;
        if !round.changed {
            return Back::Covered;
        }
        for constraint in round.constraints {
            match next.guard.and(constraint) {
                Some(guard) => next.guard = guard,
                None => return Back::Lost,
            }
        }
        widening.head = next.clone();
        Back::Again(Box::new(next))
    }

    /// A value that stands for both; None if there is none.
    fn join(&mut self, old: Term, new: Term, round: &mut Round) -> Option<Term> {
        let values = match (self.values_of(old), self.values_of(new)) {
            (Some(a), Some(b)) => Some(a.union(&b).copied().collect::<BTreeSet<Term>>()),
            _ => None,
        };
        let known = if round.own.contains(&old) { self.widened.get(&old).cloned() } else { None };
        let values = match known {
            None if old == new => return Some(old),
            // What stands for as much already stands for it in the next round as well, under another name.
            Some(None) => None,
            Some(Some(known)) if old == new || values.as_ref().is_some_and(|v| v.is_subset(&known)) => {
                Some(known)
            }
            _ => {
                round.changed = true;
                values.filter(|values| round.patience && values.len() <= MOST_VALUES)
            }
        };
        let sort = old.sort();
        let pointer = sort == Sort::Bv(self.pointer_width())
            && (self.pointers.carries(&self.objects, old) || self.pointers.carries(&self.objects, new));
        self.fresh += 1;
        let count = self.fresh;
        let fresh = match sort {
            // Where it points must stay known: a choice among the addresses.
            _ if pointer => {
                let values: Vec<Term> = values.clone()?.into_iter().collect();
                let choice = |i: usize| Term::var(&format!("widened{count}.{i}"), Sort::Bool);
                let rest = *values.first()?;
                values.iter().enumerate().skip(1).fold(rest, |rest, (i, v)| choice(i).ite(*v, rest))
            }
            Sort::Float(e, s) => {
                let bits = Term::var(&format!("widened{count}"), Sort::Bv(e + s));
                Term::fp_from(Op::FpFromBits, bits, sort)
            }
            sort => Term::var(&format!("widened{count}"), sort),
        };
        if let Some(values) = &values
            && !pointer
        {
            round.constraints.push(one_of(fresh, values));
        }
        round.own.insert(fresh);
        self.widened.insert(fresh, values);
        Some(fresh)
    }

    fn join_content(
        &mut self,
        old: &Rc<Content>,
        new: &Rc<Content>,
        round: &mut Round,
    ) -> Option<Rc<Content>> {
        if old.start != new.start || old.alive != new.alive || old.has_log() || new.has_log() {
            return None;
        }
        let mut content = (**old).clone();
        let mut places: BTreeSet<u64> = old.differences(new).into_iter().collect();
        places.extend(old.cells().filter(|(_, cell)| round.own.contains(&cell.value)).map(|(at, _)| at));
        for at in places {
            let cell = |content: &Content| {
                content.overlapping(at, 1).into_iter().find(|(start, _)| *start == at).map(|(_, cell)| cell)
            };
            let (a, b) = (cell(old)?, cell(new)?);
            if a.size != b.size || a.value.sort() != b.value.sort() {
                return None;
            }
            let value = self.join(a.value, b.value, round)?;
            content.put(at, value, a.size);
        }
        Some(Rc::new(content))
    }
}

fn one_of(term: Term, values: &BTreeSet<Term>) -> Term {
    Term::any(values.iter().map(|value| term.equals(*value)))
}

/// Values of variables that stand for several; None: for all.
pub type Widened = FxHashMap<Term, Option<BTreeSet<Term>>>;
