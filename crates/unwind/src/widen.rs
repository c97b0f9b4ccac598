//! Loops without unwinding: a state that stands for those of all iterations.
//!
//! Where a loop comes back to its head, every variable that changed is replaced by one that may have any of
//! the values it had so far (if these are a few constants) or any value at all, and the loop runs again from
//! there, until nothing new comes back. What is executed then has more behaviours than the program, so only
//! the absence of errors means something: it is a proof for all bounds.
//!
//! Of what may be any value, invariants can say more ([`crate::invariant`]). A pointer that moves may be
//! anywhere in the objects that it pointed into. Where a loop writes to unknown places of an object, the rest
//! of what it holds is anything.
//!
//! All rounds leave the loop to the same place, where of two states that meet one is chosen. That loses
//! nothing as long as a round can be the first iteration, which goes on, whatever the last round is: so no
//! two rounds share variables.

use crate::content::{Cell, Content, Start};
use crate::exec::{Exec, Invariants};
use crate::guard::Guard;
use crate::guess::Obligation;
use crate::invariant::{Known, Spot};
use crate::objects::{Kind, ObjectId};
use crate::pointer::Target;
use crate::state::State;
use ir::{LocalId, LoopId, Type};
use logic::{Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// More constants than this are any value.
const MOST_VALUES: usize = 12;
/// From this round on everything that changes is any value.
const PATIENCE: u32 = 10;
const MOST_ROUNDS: u32 = 40;
/// Cells that are kept apart where the rest of an object is anything.
const MOST_CELLS: usize = 64;
/// Choices that are looked through for constants.
const MOST_CHOICES: usize = 400;

/// One loop that is being widened.
pub struct Widening {
    /// The state it runs from at the moment.
    pub head: State,
    /// The guard with which it was entered.
    pub entered: Guard,
    /// The state in which it was entered.
    pub first: State,
    /// The state that came back from there: how far things move in a round.
    pub second: Option<State>,
    /// What is known of all states at its head.
    pub known: Vec<Known>,
    pub rounds: u32,
    /// How many cells were written to before it was entered ([`Exec::written`]).
    pub written: usize,
    /// The variables of this loop's rounds.
    pub own: FxHashSet<Term>,
    /// How many obligations of guesses there were before it was entered, and those of its entry.
    obligations: usize,
    at_entry: Vec<Obligation>,
}

impl Widening {
    /// A loop that is entered.
    pub fn new(state: &State, written: usize, obligations: usize) -> Widening {
        Widening {
            head: state.clone(),
            entered: state.guard.clone(),
            first: state.clone(),
            second: None,
            known: Vec::new(),
            rounds: 0,
            written,
            own: FxHashSet::default(),
            obligations,
            at_entry: Vec::new(),
        }
    }

    /// Another round begins, which covers the ones before it: what they broke no longer counts.
    pub fn supersede(&self, obligations: &mut Vec<Obligation>) {
        obligations.truncate(self.obligations);
        obligations.extend_from_slice(&self.at_entry);
    }
}

/// What a widened pointer may point into, at any offset.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Ranging {
    pub objects: BTreeSet<ObjectId>,
    /// It may be null.
    null: bool,
}

/// What a round makes of what came back.
struct Round {
    /// A few constants are kept apart.
    patience: bool,
    changed: bool,
    /// What holds of the new variables.
    constraints: Vec<Term>,
    own: FxHashSet<Term>,
    /// The places that may have any value.
    free: Vec<Spot>,
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
    pub(crate) fn widen(
        &mut self,
        id: LoopId,
        widening: &mut Widening,
        back: &State,
        live: &BTreeSet<LocalId>,
    ) -> Back {
        widening.rounds += 1;
        if widening.rounds > MOST_ROUNDS {
            return Back::Lost;
        }
        if widening.rounds == 1 {
            widening.second = Some(back.clone());
            widening.known = self.given(id, &widening.first, back);
            self.oblige(&widening.known, &widening.first, &widening.first);
        }
        self.oblige(&widening.known, &widening.first, back);
        let mut next = State { guard: widening.entered.clone(), ..State::default() };
        let mut round = Round {
            patience: widening.rounds < PATIENCE,
            changed: false,
            constraints: Vec::new(),
            own: std::mem::take(&mut widening.own),
            free: Vec::new(),
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
                (Some(old), Some(new)) => match self.join(old, new, Spot::Local(id.0), &mut round) {
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
            match self.join(old, new, Spot::Global(id), &mut round) {
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
            match self.join_content(id, &old, &new, &mut round) {
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
        if let Invariants::Guessed(guessing) = self.limits.invariants {
            let new = self.guess((id, guessing), widening, &next, &round.free);
            let before = self.guesses.obligations.len();
            self.oblige(&new, &widening.first, &widening.first);
            widening.at_entry.extend_from_slice(&self.guesses.obligations[before..]);
            widening.known.extend(new);
        }
        if !self.assume_known(widening, &mut next) {
            return Back::Lost;
        }
        widening.head = next.clone();
        Back::Again(Box::new(next))
    }

    /// A value that stands for both; None if there is none.
    fn join(&mut self, old: Term, new: Term, spot: Spot, round: &mut Round) -> Option<Term> {
        if let Some(ranging) = self.ranging.get(&old).filter(|_| round.own.contains(&old)).cloned() {
            let all = self.targets(old, new)?;
            round.changed |= all != ranging;
            return self.anywhere(&all, old.width(), spot, round);
        }
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
        if pointer && values.is_none() {
            round.changed = true;
            let all = self.targets(old, new)?;
            return self.anywhere(&all, old.width(), spot, round);
        }
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
        match &values {
            Some(values) if !pointer => round.constraints.push(one_of(fresh, values)),
            Some(_) => {}
            None => round.free.push(spot),
        }
        round.own.insert(fresh);
        self.widened.insert(fresh, values);
        Some(fresh)
    }

    /// What two pointers may point into; None if that is not known.
    fn targets(&mut self, old: Term, new: Term) -> Option<Ranging> {
        let null = Term::bv(0, old.width());
        let mut found = Ranging::default();
        let (mut stack, mut seen) = (vec![old, new], FxHashSet::default());
        while let Some(t) = stack.pop() {
            if let (Op::Ite, [_, a, b]) = (t.op(), t.args()) {
                if seen.insert(t) {
                    stack.extend([*a, *b]);
                }
                if seen.len() > MOST_CHOICES {
                    return None;
                }
                continue;
            }
            if t == null {
                found.null = true;
                continue;
            }
            for case in self.pointers.cases(&mut self.objects, t).iter() {
                let Target::Object(id, _) = case.target else { return None };
                if self.objects.get(id).kind == Kind::Outside {
                    return None;
                }
                found.objects.insert(id);
            }
        }
        (!found.objects.is_empty()).then_some(found)
    }

    /// A pointer to any place in some objects.
    fn anywhere(&mut self, all: &Ranging, width: u32, spot: Spot, round: &mut Round) -> Option<Term> {
        self.fresh += 1;
        let count = self.fresh;
        let offset = Term::var(&format!("widened{count}"), Sort::Bv(width));
        let bases = all.objects.iter().map(|id| self.address(*id).add(offset)).collect::<Vec<Term>>();
        let null = all.null.then(|| Term::bv(0, width));
        let choices: Vec<Term> = null.into_iter().chain(bases).collect();
        let choice = |i: usize| Term::var(&format!("widened{count}.{i}"), Sort::Bool);
        let rest = *choices.first()?;
        let fresh = choices.iter().enumerate().skip(1).fold(rest, |rest, (i, v)| choice(i).ite(*v, rest));
        round.own.insert(fresh);
        round.free.push(spot);
        self.ranging.insert(fresh, all.clone());
        Some(fresh)
    }

    fn join_content(
        &mut self,
        id: ObjectId,
        old: &Rc<Content>,
        new: &Rc<Content>,
        round: &mut Round,
    ) -> Option<Rc<Content>> {
        if old.alive != new.alive {
            return None;
        }
        if old.start != new.start || old.has_log() || new.has_log() {
            return self.join_unknown(id, old, new, round);
        }
        let mut content = (**old).clone();
        let mut places: BTreeSet<u64> = old.differences(new).into_iter().collect();
        places.extend(old.cells().filter(|(_, cell)| round.own.contains(&cell.value)).map(|(at, _)| at));
        let mut done = 0;
        for at in places {
            let (a, b) = (cell_at(old, at), cell_at(new, at));
            let size = a.or(b)?.size;
            // Cells that overlap in other ways.
            if at < done || a.zip(b).is_some_and(|(a, b)| a.size != b.size) {
                return self.join_unknown(id, old, new, round);
            }
            done = at + size;
            let (a, b) = (self.cell_or_bits(id, old, at, size)?, self.cell_or_bits(id, new, at, size)?);
            let (a, b) = if a.sort() == b.sort() { (a, b) } else { (self.bits(a), self.bits(b)) };
            let value = self.join(a, b, Spot::Cell { object: id, offset: at, size }, round)?;
            content.put(at, value, size);
        }
        Some(Rc::new(content))
    }

    /// Objects that are written to at unknown places: single cells are kept apart, the rest is anything. Not
    /// where pointers lie in them, which would lead anywhere.
    fn join_unknown(
        &mut self,
        id: ObjectId,
        old: &Rc<Content>,
        new: &Rc<Content>,
        round: &mut Round,
    ) -> Option<Rc<Content>> {
        let values = old.values().into_iter().chain(new.values());
        let word = Sort::Bv(self.pointer_width());
        let mut values: Vec<Term> = values.filter(|v| v.sort() == word).collect();
        if values.drain(..).any(|v| self.pointers.carries(&self.objects, v)) {
            return None;
        }
        let wild = old.start == Start::Wild && !old.has_log();
        let mut content = Content::new(Start::Wild);
        content.alive = old.alive;
        if !wild {
            round.changed = true;
        }
        let mut cells: Vec<(u64, u64)> = old.cells().map(|(at, cell)| (at, cell.size)).collect();
        if cells.len() > MOST_CELLS {
            round.changed = true;
            cells.clear();
        }
        // Fields beside a large array, which were written to as such.
        let written = new.log().into_iter().filter_map(|entry| {
            let at = u64::try_from(entry.offset.as_bv()?).ok()?;
            Some((at, entry.size))
        });
        for (at, size) in new.cells().map(|(at, cell)| (at, cell.size)).chain(written) {
            let end = at.saturating_add(size);
            if cells.len() < MOST_CELLS && cells.iter().all(|(from, size)| end <= *from || from + size <= at)
            {
                cells.push((at, size));
            }
        }
        for (at, size) in cells {
            let (a, b) = (self.cell_or_bits(id, old, at, size)?, self.cell_or_bits(id, new, at, size)?);
            let (a, b) = if a.sort() == b.sort() { (a, b) } else { (self.bits(a), self.bits(b)) };
            let value = self.join(a, b, Spot::Cell { object: id, offset: at, size }, round)?;
            content.put(at, value, size);
        }
        Some(Rc::new(content))
    }

    /// What lies at a place: as it was stored, or its bits.
    fn cell_or_bits(&mut self, id: ObjectId, content: &Content, at: u64, size: u64) -> Option<Term> {
        match cell_at(content, at).filter(|cell| cell.size == size && !content.has_log()) {
            Some(cell) => Some(cell.value),
            None => {
                let ty = Type::int(8 * u8::try_from(size).ok().filter(|s| *s <= 16)?, false);
                let at = Term::bv(u128::from(at), self.pointer_width());
                self.read(id, content, at, size, ty).ok()
            }
        }
    }
}

fn cell_at(content: &Content, at: u64) -> Option<Cell> {
    content.overlapping(at, 1).into_iter().find(|(start, _)| *start == at).map(|(_, cell)| cell)
}

fn one_of(term: Term, values: &BTreeSet<Term>) -> Term {
    Term::any(values.iter().map(|value| term.equals(*value)))
}

/// Values of variables that stand for several; None: for all.
pub type Constants = FxHashMap<Term, Option<BTreeSet<Term>>>;
