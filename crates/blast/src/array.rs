//! Reads of arrays, and applications of uninterpreted functions.
//!
//! A read goes down through writes and choices to the array variable below; there it is looked up in a table.
//! Each place of the table has a word of new inputs, and constraints say that equal places have equal words.
//! Functions are such tables too, their place is all arguments in a row.

use crate::blaster::{Blaster, Refused, width_of};
use crate::word::{equal, ite};
use crate::{Word, blaster};
use logic::{Op, Sort, Term};
use rustc_hash::FxHashMap;
use sat::{Aig, Lit};

/// What is looked up: an array variable, or a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source {
    Variable(Term),
    /// Known by its name, the sorts of its arguments and that of its result.
    Function(&'static str, Vec<Sort>, Sort),
    /// What an operation on floats gives where it is unspecified; with the sorts of its argument and its
    /// result.
    Unspecified(Op, Sort, Sort),
}

/// The places of a source that were read, constant ones apart: two of those never need a constraint.
#[derive(Default)]
pub(crate) struct Table {
    known: FxHashMap<Word, Word>,
    constant: Vec<(Word, Word)>,
    symbolic: Vec<(Word, Word)>,
}

impl Table {
    /// Places and their words, in the order in which they were first read.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &(Word, Word)> {
        self.constant.iter().chain(&self.symbolic)
    }
}

impl Source {
    fn element(&self) -> Option<Sort> {
        match self {
            Source::Variable(array) => array.sort().element(),
            Source::Function(_, _, result) | Source::Unspecified(_, _, result) => Some(*result),
        }
    }
}

impl Blaster {
    /// The element at `index`. Everything below the array but the array itself is translated already.
    pub(crate) fn read(&mut self, aig: &mut Aig, array: Term, index: &[Lit]) -> Result<Word, Refused> {
        let next = self.indices.len() as u32;
        let id = *self.indices.entry(index.to_vec()).or_insert(next);
        let mut stack = vec![array];
        while let Some(&state) = stack.last() {
            if self.reads.contains_key(&(state, id)) {
                stack.pop();
                continue;
            }
            self.within_limit(aig)?;
            let element = match (state.op(), state.args()) {
                (Op::Var(_), _) => Some(self.look_up(aig, Source::Variable(state), index)?),
                (Op::ConstArray, [value]) => Some(self.known(*value)?),
                (Op::Store, [rest, place, value]) => {
                    let place = self.known(*place)?;
                    let hit = equal(aig, &place, index);
                    let value = self.known(*value)?;
                    self.choose(aig, hit, Ok(value), Err(*rest), id, &mut stack)
                }
                (Op::Ite, [condition, a, b]) => {
                    let condition = self.known_bool(*condition)?;
                    self.choose(aig, condition, Err(*a), Err(*b), id, &mut stack)
                }
                _ => return Err(blaster::unsupported(state)),
            };
            if let Some(element) = element {
                self.reads.insert((state, id), element);
                stack.pop();
            }
        }
        self.reads.get(&(array, id)).cloned().ok_or(Refused::Malformed)
    }

    /// A choice between words, or arrays to read first; those go onto the stack, and there is no answer yet.
    fn choose(
        &self,
        aig: &mut Aig,
        condition: Lit,
        then: Result<Word, Term>,
        otherwise: Result<Word, Term>,
        id: u32,
        stack: &mut Vec<Term>,
    ) -> Option<Word> {
        let mut get = |branch: Result<Word, Term>| match branch {
            Ok(word) => Some(word),
            Err(array) => {
                let known = self.reads.get(&(array, id)).cloned();
                if known.is_none() {
                    stack.push(array);
                }
                known
            }
        };
        match condition {
            Lit::TRUE => get(then),
            Lit::FALSE => get(otherwise),
            _ => {
                let (then, otherwise) = (get(then), get(otherwise));
                Some(ite(aig, condition, &then?, &otherwise?))
            }
        }
    }

    pub(crate) fn look_up(&mut self, aig: &mut Aig, source: Source, place: &[Lit]) -> Result<Word, Refused> {
        let element = source.element().ok_or(Refused::Malformed)?;
        let at = match self.table_of.get(&source) {
            Some(&at) => at,
            None => {
                self.tables.push((source.clone(), Table::default()));
                self.table_of.insert(source, self.tables.len() - 1);
                self.tables.len() - 1
            }
        };
        let known = self.tables.get(at).and_then(|(_, table)| table.known.get(place));
        if let Some(word) = known {
            return Ok(word.clone());
        }
        let raw = self.fresh(aig, width_of(element)?);
        let word = blaster::canonical(aig, element, &raw);
        let Some((_, table)) = self.tables.get_mut(at) else { return Err(Refused::Malformed) };
        let is_constant = place.iter().all(|lit| lit.is_constant());
        let others = if is_constant { &[][..] } else { &table.constant[..] };
        for (other, value) in others.iter().chain(&table.symbolic) {
            let same_place = equal(aig, place, other);
            if same_place != Lit::FALSE {
                let same = equal(aig, &word, value);
                self.constraints.push(aig.implies(same_place, same));
            }
        }
        let entry = (place.to_vec(), word.clone());
        if is_constant {
            table.constant.push(entry);
        } else {
            table.symbolic.push(entry);
        }
        table.known.insert(place.to_vec(), word.clone());
        Ok(word)
    }
}
