//! What is known of the states that stand for all rounds of a loop ([`engine::Invariant`]).
//!
//! An invariant is assumed where a round begins. What breaks it, where the loop is entered or where it comes
//! back, is a gap like everything else that was not followed: if no gap can be reached, the first state of
//! the loop has the invariant and each round keeps it, so all states do. Places are looked up once for each
//! time that a loop is entered, so that all three speak of the same object; where there is none, or more than
//! one that it could be, nothing is assumed and nothing has to hold.

use crate::exec::{Exec, Invariants, Why};
use crate::guard::and;
use crate::objects::ObjectId;
use crate::state::State;
use crate::widen::Widening;
use engine::{Invariant, Operand, Place, Relation};
use ir::{GlobalId, LoopId, Type};
use logic::{Sort, Term};

/// A place of the state that a loop was entered in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Spot {
    Local(u32),
    Global(GlobalId),
    Cell { object: ObjectId, offset: u64, size: u64 },
}

/// An invariant of a loop that was entered.
#[derive(Clone, PartialEq, Debug)]
pub struct Known {
    pub left: Spot,
    pub relation: Relation,
    pub right: Value,
    /// Only where this place holds this number.
    pub when: Option<(Spot, u64)>,
    /// Where invariants are guessed: which one it is.
    pub guess: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    Number(u64),
    Spot(Spot),
    Entry,
}

/// Cells of objects of unknown size lie before this.
const FARTHEST: u128 = 1 << 32;

impl Exec<'_> {
    /// The invariants that were given for a loop that comes back for the first time.
    pub(crate) fn given(&mut self, id: LoopId, first: &State, back: &State) -> Vec<Known> {
        let Invariants::Given(invariants) = &self.limits.invariants else { return Vec::new() };
        let invariants = invariants.clone();
        let function = self.frames[self.level()].function;
        let name = &self.program.function(function).name;
        let here = invariants.iter().filter(|i| *i.function == **name && i.number == id.0 + 1);
        here.filter_map(|invariant| self.look_up(invariant, first, back)).collect()
    }

    fn look_up(&self, invariant: &Invariant, first: &State, back: &State) -> Option<Known> {
        let left = self.spot(&invariant.left, first, back)?;
        let right = match &invariant.right {
            Operand::Number(number) => Value::Number(*number),
            Operand::Place(place) => Value::Spot(self.spot(place, first, back)?),
            Operand::Entry => Value::Entry,
        };
        let when = match &invariant.when {
            Some(condition) => Some((self.spot(&condition.place, first, back)?, condition.number)),
            None => None,
        };
        Some(Known { left, relation: invariant.relation, right, when, guess: None })
    }

    fn spot(&self, place: &Place, first: &State, back: &State) -> Option<Spot> {
        match place {
            Place::Local(id) => Some(Spot::Local(*id)),
            Place::Global(id) if (*id as usize) < self.program.globals.len() => {
                Some(Spot::Global(GlobalId(*id)))
            }
            Place::Global(_) => None,
            Place::Cell { object, offset, size } => {
                let ids = first.objects.keys().chain(back.objects.keys());
                let mut named: Vec<ObjectId> =
                    ids.copied().filter(|id| self.place_name(*id) == *object).collect();
                named.sort();
                named.dedup();
                let [only] = named[..] else { return None };
                let room = self.objects.get(only).size.as_bv().unwrap_or(FARTHEST);
                let inside = u128::from(*offset) + u128::from(*size) <= room.min(FARTHEST);
                inside.then_some(Spot::Cell { object: only, offset: *offset, size: *size })
            }
        }
    }

    /// The place of a spot, as it is called in every round and every call.
    pub(crate) fn place(&self, spot: Spot) -> Place {
        match spot {
            Spot::Local(id) => Place::Local(id),
            Spot::Global(id) => Place::Global(id.0),
            Spot::Cell { object, offset, size } => {
                Place::Cell { object: self.place_name(object), offset, size }
            }
        }
    }

    /// Where an object is made, whichever round or call it is.
    fn place_name(&self, id: ObjectId) -> String {
        let mut name = String::new();
        let mut number = false;
        for c in self.objects.get(id).name.chars() {
            number = c == '#' || (number && c.is_ascii_digit());
            if !number {
                name.push(c);
            }
        }
        name
    }

    /// What a spot holds: a word of at most 64 bits.
    pub(crate) fn at_spot(&mut self, spot: Spot, state: &State) -> Option<Term> {
        let value = match spot {
            Spot::Local(id) => state.locals.get(id as usize).copied().flatten()?,
            Spot::Global(id) => match self.global_storage(id) {
                ir::Storage::Register(_) => self.global(state, id),
                ir::Storage::Memory { .. } => return None,
            },
            Spot::Cell { object, offset, size: size @ (1 | 2 | 4 | 8) } => {
                let content = self.content(state, object);
                let at = Term::bv(u128::from(offset), self.pointer_width());
                let ty = Type::int(8 * size as u8, false);
                let whole = content.find(offset, size);
                match whole {
                    // A pointer stays one.
                    crate::content::Found::Whole(value) if !content.has_log() => value,
                    _ => self.read(object, &content, at, size, ty).ok()?,
                }
            }
            Spot::Cell { .. } => return None,
        };
        matches!(value.sort(), Sort::Bv(width) if width <= 64).then_some(value)
    }

    /// An invariant as a formula about a state; None if it says nothing of it.
    pub(crate) fn holds(&mut self, known: &Known, first: &State, state: &State) -> Option<Term> {
        let relation = self.relates(known, first, state)?;
        let Some((spot, number)) = known.when else { return Some(relation) };
        let value = self.at_spot(spot, state)?;
        let number = number_of(number, value.width())?;
        Some(value.equals(number).implies(relation))
    }

    fn relates(&mut self, known: &Known, first: &State, state: &State) -> Option<Term> {
        let left = self.at_spot(known.left, state)?;
        let width = left.width();
        if let Relation::Moved(factor) = known.relation {
            let Value::Spot(other) = known.right else { return None };
            let start = self.at_spot(known.left, first)?;
            let (to, from) = (self.at_spot(other, state)?, self.at_spot(other, first)?);
            if start.sort() != left.sort() || from.sort() != to.sort() || to.width() > width {
                return None;
            }
            let moved = to.sub(from).sign_extend(width - to.width());
            let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
            let factor = Term::bv(u128::from(factor as u64 & mask), width);
            return Some(left.sub(start).equals(moved.mul(factor)));
        }
        let right = match known.right {
            Value::Number(number) => number_of(number, width)?,
            Value::Spot(spot) => self.at_spot(spot, state)?,
            Value::Entry => self.at_spot(known.left, first)?,
        };
        if right.sort() != left.sort() {
            return None;
        }
        Some(match known.relation {
            Relation::AtMost { signed: false } => left.ule(right),
            Relation::AtMost { signed: true } => left.sle(right),
            Relation::Less { signed: false } => left.ult(right),
            Relation::Less { signed: true } => left.slt(right),
            Relation::AtLeast { signed: false } => right.ule(left),
            Relation::AtLeast { signed: true } => right.sle(left),
            Relation::Aligned(bits) => {
                let bits = u32::from(bits);
                if bits == 0 || bits > width {
                    return None;
                }
                left.sub(right).extract(bits - 1, 0).equals(Term::bv(0, bits))
            }
            Relation::Ahead(most) => left.sub(right).ule(number_of(most, width)?),
            Relation::Moved(_) => return None,
        })
    }

    /// These must hold in a state that comes to the head of the loop.
    pub(crate) fn oblige(&mut self, known: &[Known], first: &State, state: &State) {
        for known in known {
            let broken = match self.holds(known, first, state) {
                Some(holds) => and(state.guard.term(), holds.not()),
                None => state.guard.term(),
            };
            match known.guess {
                Some(guess) => self.guesses.broken(guess, broken),
                None => self.gap(broken, Why::Bound),
            }
        }
    }

    /// The state from which a round begins has them; false if there is none that does.
    pub(crate) fn assume_known(&mut self, widening: &Widening, state: &mut State) -> bool {
        for known in &widening.known {
            let Some(holds) = self.holds(known, &widening.first, state) else { continue };
            let fact = match known.guess {
                Some(guess) => self.guesses.kept(guess).implies(holds),
                None => holds,
            };
            match state.guard.and(fact) {
                Some(guard) => state.guard = guard,
                None => return false,
            }
        }
        true
    }
}

/// None if it has more bits.
fn number_of(number: u64, width: u32) -> Option<Term> {
    (width == 64 || number >> width == 0).then(|| Term::bv(u128::from(number), width))
}
