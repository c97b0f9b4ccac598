//! Invariants that may be worth a try, for loops that are widened.
//!
//! For every place that a loop changes, to any value as far as the widening knows: bounds by the numbers that
//! the program compares with, by what the place was when the loop was entered, and by other places; how it is
//! aligned; how far it moves with another one, and how far ahead of it it is. Where another place has a few
//! values only, as the state of a state machine has, some of this may hold for one of them. All of them are
//! tried at once: each has a switch ([`Guess::kept`]) and the conditions under which it is broken. Whoever
//! asks (the engine `bmc`, as Houdini of Flanagan and Leino does) switches off what can be broken while the
//! others are assumed, until nothing can be: what is left is the strongest conjunction of guesses that is
//! inductive.
//!
//! Only the last round of a loop counts, which stands for all of them. The rounds before it ran from states of
//! which less was guessed, and break what the last one keeps: their obligations are taken back.

use crate::exec::Exec;
use crate::invariant::{Known, Spot, Value};
use crate::objects::ObjectId;
use crate::state::State;
use crate::widen::Widening;
use engine::{Condition, Invariant, Operand, Relation};
use ir::{BinOp, Expr, ExprKind, GlobalId, LoopId, Program, Type};
use logic::{Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What guesses are about. Each kind costs more than the one before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Guessing {
    /// Variables, and fields that are written to as such.
    Scalars,
    /// And what holds of them in single states of a state machine.
    States,
    /// And the elements of small arrays.
    Elements,
}

impl Guessing {
    pub const ALL: [Guessing; 3] = [Guessing::Scalars, Guessing::States, Guessing::Elements];
}

#[derive(Default)]
pub struct Guesses {
    pub list: Vec<Guess>,
    /// The conditions under which guesses do not hold where a loop is at its head.
    pub obligations: Vec<Obligation>,
    by_invariant: FxHashMap<Invariant, usize>,
    /// What the program compares with.
    numbers: Option<Vec<i128>>,
}

pub struct Guess {
    pub invariant: Invariant,
    /// Is it assumed?
    pub kept: Term,
}

/// A condition under which a guess does not hold.
#[derive(Clone, Copy, Debug)]
pub struct Obligation {
    pub guess: usize,
    pub broken: Term,
}

const MOST_GUESSES: usize = 6000;
/// Of one loop.
const MOST_SPOTS: usize = 24;
/// Cells of one object that a loop changes; an array has more.
const MOST_FIELDS: usize = 12;
const MOST_OTHERS: usize = 16;
const MOST_NUMBERS: usize = 48;
const MOST_ALIGNED: u32 = 6;
/// Distances between places.
const MOST_DISTANCES: usize = 10;
/// Of a place whose values are states, and so many such places.
const MOST_STATES: usize = 8;
const MOST_MACHINES: usize = 3;
/// Places of which something is guessed for single states.
const MOST_IN_STATES: usize = 8;

impl Guesses {
    pub(crate) fn kept(&self, guess: usize) -> Term {
        self.list[guess].kept
    }

    pub(crate) fn broken(&mut self, guess: usize, when: Term) {
        if !when.is_false() {
            self.obligations.push(Obligation { guess, broken: when });
        }
    }
}

impl Exec<'_> {
    /// What may be known of a loop of whose state these places may have any value.
    pub(crate) fn guess(
        &mut self,
        (id, guessing): (LoopId, Guessing),
        widening: &Widening,
        next: &State,
        free: &[Spot],
    ) -> Vec<Known> {
        let back = widening.second.as_ref().unwrap_or(next);
        let free = &self.scalars(free, widening, guessing)[..];
        let others = self.others(free, next);
        let mut found = Vec::new();
        for &spot in free {
            let Some(value) = self.at_spot(spot, next) else { continue };
            let Some(entry) = self.at_spot(spot, &widening.first) else { continue };
            let step = self.at_spot(spot, back).filter(|b| b.sort() == entry.sort()).map(|b| b.sub(entry));
            self.bounds(spot, value, entry, &mut found);
            let aligned = match step.and_then(Term::as_bv) {
                Some(0) | None if value.width() == self.pointer_width() => 4,
                Some(0) | None => 0,
                Some(step) => step.trailing_zeros().min(MOST_ALIGNED),
            };
            found.extend((1..=aligned).rev().map(|bits| (spot, Relation::Aligned(bits as u8), Value::Entry)));
            for &(other, sort) in others.iter().filter(|(other, _)| *other != spot) {
                if sort == value.sort() {
                    for signed in [false, true] {
                        for relation in [
                            Relation::AtMost { signed },
                            Relation::Less { signed },
                            Relation::AtLeast { signed },
                        ] {
                            found.push((spot, relation, Value::Spot(other)));
                        }
                    }
                }
                if free.contains(&other)
                    && let Some(factor) = self.ratio(step, other, &widening.first, back)
                {
                    found.push((spot, Relation::Moved(factor), Value::Spot(other)));
                }
                if sort == value.sort() && free.contains(&other) && value.width() >= 8 {
                    let far = self.distances(value.width());
                    found.extend(far.into_iter().map(|n| (spot, Relation::Ahead(n), Value::Spot(other))));
                }
            }
        }
        let mut found: Vec<Known> = found
            .into_iter()
            .map(|(left, relation, right)| Known { left, relation, right, when: None, guess: None })
            .collect();
        if guessing >= Guessing::States {
            found.extend(self.in_states(free, &others, next));
        }
        let mut new = Vec::new();
        for known in found {
            // What the first state breaks need not be tried.
            let broken = match self.holds(&known, &widening.first, &widening.first) {
                Some(holds) => holds.is_false(),
                None => true,
            };
            let before = widening.known.iter().any(|k| Known { guess: None, ..k.clone() } == known);
            if !broken && !before {
                let guess = self.guess_of(id, &known);
                new.extend(guess.map(|guess| Known { guess: Some(guess), ..known }));
            }
        }
        new
    }

    /// What may hold while a place has one of its few values.
    fn in_states(&mut self, free: &[Spot], others: &[(Spot, Sort)], next: &State) -> Vec<Known> {
        let mut machines: Vec<(Spot, Vec<u64>)> = Vec::new();
        for &(spot, _) in others {
            let value = self.at_spot(spot, next);
            let Some(values) = value.and_then(|value| self.widened.get(&value).cloned().flatten()) else {
                continue;
            };
            let values: Vec<u64> = values.iter().filter_map(|v| v.as_bv().map(|bits| bits as u64)).collect();
            if (2..=MOST_STATES).contains(&values.len()) && machines.len() < MOST_MACHINES {
                machines.push((spot, values));
            }
        }
        let mut found = Vec::new();
        for &left in free.iter().take(MOST_IN_STATES) {
            let sort = self.at_spot(left, next).map(Term::sort);
            let beside = free.iter().take(MOST_IN_STATES).filter(|other| **other != left);
            let mut relations: Vec<(Relation, Value)> = vec![
                (Relation::AtMost { signed: false }, Value::Number(0)),
                (Relation::AtLeast { signed: false }, Value::Number(1)),
            ];
            for &other in beside {
                if self.at_spot(other, next).map(Term::sort) == sort {
                    relations.push((Relation::Less { signed: false }, Value::Spot(other)));
                    relations.push((Relation::AtMost { signed: false }, Value::Spot(other)));
                }
            }
            for (machine, values) in &machines {
                for number in values {
                    let when = Some((*machine, *number));
                    found.extend(relations.iter().map(|&(relation, right)| Known {
                        left,
                        relation,
                        right,
                        when,
                        guess: None,
                    }));
                }
            }
        }
        found
    }

    /// How far places may be ahead of each other.
    fn distances(&mut self, width: u32) -> Vec<u64> {
        let numbers = self.numbers().into_iter().filter(|n| *n > 0 && *n < 1 << (width - 1));
        numbers.map(|n| n as u64).take(MOST_DISTANCES).collect()
    }

    /// Bounds by numbers, and by where it started.
    fn bounds(&mut self, spot: Spot, value: Term, entry: Term, found: &mut Vec<(Spot, Relation, Value)>) {
        let width = value.width();
        let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        let numbers: BTreeSet<u64> = match self.ranging.get(&value) {
            Some(ranging) => {
                let ends = ranging.objects.iter().map(|id| self.objects.get(*id));
                ends.flat_map(|o| [Some(o.base), o.size.as_bv().map(|size| o.base.wrapping_add(size as u64))])
                    .flatten()
                    .collect()
            }
            None => {
                let fits = |n: &i128| *n >= -(1 << (width - 1)) && *n < 1 << width;
                self.numbers().into_iter().filter(fits).map(|n| n as u64 & mask).collect()
            }
        };
        let relations = [false, true]
            .into_iter()
            .flat_map(|signed| [Relation::AtMost { signed }, Relation::AtLeast { signed }]);
        for relation in relations {
            found.extend(numbers.iter().map(|n| (spot, relation, Value::Number(*n))));
            if !entry.is_const() {
                found.push((spot, relation, Value::Entry));
            } else if let Some(bits) = entry.as_bv() {
                found.push((spot, relation, Value::Number(bits as u64)));
            }
        }
    }

    /// Places that others may be compared with.
    fn others(&mut self, free: &[Spot], state: &State) -> Vec<(Spot, Sort)> {
        let locals = (0..state.locals.len() as u32).map(Spot::Local);
        let globals = state.globals.keys().copied().collect::<Vec<GlobalId>>().into_iter().map(Spot::Global);
        // Fields beside those that change.
        let mut beside = BTreeSet::new();
        for spot in free {
            if let Spot::Cell { object, .. } = spot {
                let content = self.content(state, *object);
                beside.extend(content.cells().take(MOST_OTHERS).map(|(offset, cell)| Spot::Cell {
                    object: *object,
                    offset,
                    size: cell.size,
                }));
            }
        }
        let mut list: Vec<(Spot, Sort)> = Vec::new();
        let mut seen = FxHashSet::default();
        for spot in free.iter().copied().chain(locals).chain(globals).chain(beside) {
            if list.len() < MOST_OTHERS.max(free.len())
                && seen.insert(spot)
                && let Some(value) = self.at_spot(spot, state)
                && !value.is_const()
            {
                list.push((spot, value.sort()));
            }
        }
        list
    }

    /// How many times as far as another place one moves in a round.
    fn ratio(&mut self, step: Option<Term>, other: Spot, first: &State, back: &State) -> Option<i64> {
        let signed = |t: Term| {
            let (bits, width) = (t.as_bv()? as i128, t.width());
            let bits = if bits >> (width - 1) == 1 { bits - (1 << width) } else { bits };
            i64::try_from(bits).ok()
        };
        let (from, to) = (self.at_spot(other, first)?, self.at_spot(other, back)?);
        if from.sort() != to.sort() {
            return None;
        }
        let (step, other) = (signed(step?)?, signed(to.sub(from))?);
        (step != 0 && other != 0 && step.checked_rem(other)? == 0).then(|| step / other)
    }

    fn guess_of(&mut self, id: LoopId, known: &Known) -> Option<usize> {
        let function = self.frames[self.level()].function;
        let right = match known.right {
            Value::Number(number) => Operand::Number(number),
            Value::Spot(spot) => Operand::Place(self.place(spot)),
            Value::Entry => Operand::Entry,
        };
        let invariant = Invariant {
            function: self.program.function(function).name.to_string(),
            number: id.0 + 1,
            left: self.place(known.left),
            relation: known.relation,
            right,
            when: known.when.map(|(spot, number)| Condition { place: self.place(spot), number }),
        };
        if let Some(found) = self.guesses.by_invariant.get(&invariant) {
            return Some(*found);
        }
        let number = self.guesses.list.len();
        if number >= MOST_GUESSES {
            return None;
        }
        let kept = Term::var(&format!("kept{number}"), Sort::Bool);
        self.guesses.by_invariant.insert(invariant.clone(), number);
        self.guesses.list.push(Guess { invariant, kept });
        Some(number)
    }

    fn numbers(&mut self) -> Vec<i128> {
        let program = self.program;
        self.guesses.numbers.get_or_insert_with(|| compared_with(program)).clone()
    }

    /// Without elements of arrays, as a rule: what is written to at unknown places only. Of arrays with many
    /// elements nothing is known that helps.
    fn scalars(&self, free: &[Spot], widening: &Widening, guessing: Guessing) -> Vec<Spot> {
        let fields: FxHashSet<(ObjectId, u64)> =
            self.written.get(widening.written..).unwrap_or_default().iter().copied().collect();
        let mut cells: FxHashMap<ObjectId, usize> = FxHashMap::default();
        for spot in free {
            if let Spot::Cell { object, .. } = spot {
                *cells.entry(*object).or_default() += 1;
            }
        }
        let few = |object: &ObjectId| cells.get(object).is_none_or(|count| *count <= MOST_FIELDS);
        let scalar = |spot: &&Spot| match spot {
            Spot::Cell { object, offset, .. } => {
                fields.contains(&(*object, *offset)) || (guessing == Guessing::Elements && few(object))
            }
            _ => true,
        };
        free.iter().filter(scalar).copied().take(MOST_SPOTS).collect()
    }
}

/// Numbers that the program compares with, or divides or masks by, and their neighbours: nearest to zero
/// first.
fn compared_with(program: &Program) -> Vec<i128> {
    let mut found = BTreeSet::from([0, 1]);
    let mut number = |e: &Expr| {
        if let (Type::Int(int), Some(bits)) = (e.ty, e.as_const())
            && int.bits <= 64
        {
            let value = if int.signed && bits >> (int.bits - 1) & 1 == 1 {
                bits as i128 - (1 << int.bits)
            } else {
                bits as i128
            };
            found.extend([value - 1, value, value + 1]);
        }
    };
    let mut visit = |e: &Expr| {
        if let ExprKind::Binary(op, a, b) = &e.kind
            && (op.is_comparison() || matches!(op, BinOp::Rem | BinOp::And))
        {
            for side in [a, b] {
                // Behind conversions, too.
                let mut side = &**side;
                while let ExprKind::Cast(inner) = &side.kind {
                    side = inner;
                }
                number(side);
            }
        }
    };
    for cfa in program.functions.iter().filter_map(|f| f.cfa()) {
        for edge in cfa.edges() {
            edge.op.exprs().into_iter().for_each(|e| e.walk(&mut visit));
        }
    }
    let mut list: Vec<i128> = found.into_iter().collect();
    list.sort_by_key(|n| (n.unsigned_abs(), *n));
    list.truncate(MOST_NUMBERS);
    list
}
