//! What an object holds.
//!
//! Cells are values at known offsets. What no cell covers is what the object started with: zeros, or bytes
//! that nobody wrote. An access that covers parts of cells, or several, goes through their bytes. Copies
//! share what neither has changed: the cells lie in chunks.
//!
//! Writes at unknown places of large objects are kept as a list of what was written where; from the first of
//! them on, all writes are. A read looks through the list, the last write first, before it looks at the
//! cells.

use crate::objects::ObjectId;
use logic::Term;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A value of whatever sort it was stored with, and how many bytes it takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cell {
    pub value: Term,
    pub size: u64,
}

#[derive(Clone, Debug)]
pub enum Start {
    Zero,
    /// Each byte is an input of its own.
    Unwritten,
    /// Something was written somewhere, and nobody knows where: each read finds anything.
    Wild,
    /// The unwritten bytes of another object, at the same offsets: somebody outside may have changed this
    /// one, which held this before (see `havoc`). Any value includes the one before, but for pointers: a new
    /// one leads out of the program.
    Of(ObjectId, Rc<Content>),
    /// Paths met on which it started in different ways.
    Either(Rc<Either>),
}

/// The first content where the condition holds, else the second.
#[derive(Debug)]
pub struct Either {
    pub when: Term,
    pub first: Content,
    pub second: Content,
}

impl PartialEq for Start {
    fn eq(&self, other: &Start) -> bool {
        match (self, other) {
            (Start::Of(a, _), Start::Of(b, _)) => a == b,
            (Start::Either(a), Start::Either(b)) => Rc::ptr_eq(a, b),
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

/// A write whose place is not known.
#[derive(Clone, Debug)]
pub struct Written {
    before: Option<Rc<Written>>,
    pub offset: Term,
    pub size: u64,
    pub value: Term,
    pub when: Term,
    length: u32,
}

#[derive(Clone, Debug)]
pub struct Content {
    chunks: BTreeMap<u64, Rc<Chunk>>,
    pub start: Start,
    /// May it be accessed?
    pub alive: Term,
    /// The last write to an unknown place, with those before it.
    written: Option<Rc<Written>>,
}

type Chunk = BTreeMap<u64, Cell>;

const CHUNK: u64 = 256;
/// No cell is larger.
const WIDEST: u64 = 16;

/// What an access finds.
pub enum Found {
    /// One cell of just this size.
    Whole(Term),
    /// The bytes: of a cell (value, size, which byte), or none.
    Parts(Vec<Option<(Cell, u64)>>),
    /// Nothing was written to any of it.
    Nothing,
}

impl Written {
    /// One write by itself.
    pub fn new(offset: Term, size: u64, value: Term, when: Term) -> Written {
        Written { before: None, offset, size, value, when, length: 1 }
    }
}

impl Content {
    pub fn new(start: Start) -> Content {
        Content { chunks: BTreeMap::new(), start, alive: Term::bool(true), written: None }
    }

    /// One of two contents of an object.
    pub fn either(when: Term, first: &Content, second: &Content) -> Content {
        let alive = when.ite(first.alive, second.alive);
        let either = Either { when, first: first.clone(), second: second.clone() };
        Content { alive, ..Content::new(Start::Either(Rc::new(either))) }
    }

    /// All values that lie in it somewhere.
    pub fn values(&self) -> Vec<Term> {
        let mut values = Vec::new();
        let mut work = vec![self];
        while let Some(content) = work.pop() {
            values.extend(content.cells().map(|(_, cell)| cell.value));
            values.extend(content.log().iter().map(|written| written.value));
            if let Start::Either(either) = &content.start {
                work.extend([&either.first, &either.second]);
            }
        }
        values
    }

    pub fn has_log(&self) -> bool {
        self.written.is_some()
    }

    /// All writes to unknown places, the first one first.
    pub fn log(&self) -> Vec<&Written> {
        let mut list = Vec::new();
        let mut at = self.written.as_deref();
        while let Some(entry) = at {
            list.push(entry);
            at = entry.before.as_deref();
        }
        list.reverse();
        list
    }

    pub fn append(&mut self, offset: Term, size: u64, value: Term, when: Term) {
        let length = self.written.as_ref().map_or(1, |w| w.length + 1);
        let before = self.written.take();
        self.written = Some(Rc::new(Written { before, offset, size, value, when, length }));
    }

    /// The writes of executions that are in one of two states of an object.
    pub fn join_logs(&mut self, first: Term, a: &Content, b: &Content) {
        let mut shared = (a.written.clone(), b.written.clone());
        let length = |w: &Option<Rc<Written>>| w.as_ref().map_or(0, |w| w.length);
        let same = |x: &Option<Rc<Written>>, y: &Option<Rc<Written>>| match (x, y) {
            (Some(x), Some(y)) => Rc::ptr_eq(x, y),
            (None, None) => true,
            _ => false,
        };
        let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
        while !same(&shared.0, &shared.1) {
            let (back_a, back_b) =
                (length(&shared.0) >= length(&shared.1), length(&shared.1) >= length(&shared.0));
            for (back, side, ends) in [(back_a, &mut shared.0, &mut of_a), (back_b, &mut shared.1, &mut of_b)]
            {
                if back && let Some(entry) = side.take() {
                    *side = entry.before.clone();
                    ends.push(entry);
                }
            }
        }
        self.written = shared.0;
        for (ends, when) in [(of_a, first), (of_b, first.not())] {
            for entry in ends.iter().rev() {
                self.append(entry.offset, entry.size, entry.value, entry.when.and(when));
            }
        }
    }

    fn same_log(&self, other: &Content) -> bool {
        match (&self.written, &other.written) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    fn cell_at(&self, offset: u64) -> Option<&Cell> {
        self.chunks.get(&(offset / CHUNK))?.get(&offset)
    }

    /// All cells that overlap a range, in order.
    pub fn overlapping(&self, offset: u64, size: u64) -> Vec<(u64, Cell)> {
        let first = offset.saturating_sub(WIDEST - 1);
        let end = offset.saturating_add(size);
        let mut found = Vec::new();
        for (_, chunk) in self.chunks.range(first / CHUNK..=end / CHUNK) {
            let cells = chunk.range(first..end).filter(|(at, cell)| *at + cell.size > offset);
            found.extend(cells.map(|(at, cell)| (*at, *cell)));
        }
        found
    }

    pub fn find(&self, offset: u64, size: u64) -> Found {
        if let Some(cell) = self.cell_at(offset)
            && cell.size == size
        {
            return Found::Whole(cell.value);
        }
        let cells = self.overlapping(offset, size);
        if cells.is_empty() {
            return Found::Nothing;
        }
        let byte = |at: u64| {
            let cell = cells.iter().find(|(start, cell)| *start <= at && at < start + cell.size);
            cell.map(|(start, cell)| (*cell, at - start))
        };
        Found::Parts((offset..offset + size).map(byte).collect())
    }

    /// Puts a value there; cells that it covers in part must have been taken apart before.
    pub fn put(&mut self, offset: u64, value: Term, size: u64) {
        let stale: Vec<u64> =
            self.overlapping(offset, size).into_iter().map(|(at, _)| at).filter(|at| *at != offset).collect();
        for at in stale {
            self.remove(at);
        }
        let chunk = self.chunks.entry(offset / CHUNK).or_default();
        Rc::make_mut(chunk).insert(offset, Cell { value, size });
    }

    pub fn remove(&mut self, offset: u64) {
        if let Some(chunk) = self.chunks.get_mut(&(offset / CHUNK)) {
            Rc::make_mut(chunk).remove(&offset);
        }
    }

    pub fn cells(&self) -> impl Iterator<Item = (u64, Cell)> + '_ {
        self.chunks.values().flat_map(|chunk| chunk.iter().map(|(at, cell)| (*at, *cell)))
    }

    /// The same object, and nothing was changed between the two?
    pub fn same(&self, other: &Content) -> bool {
        self.alive == other.alive
            && self.start == other.start
            && self.same_log(other)
            && self.chunks.len() == other.chunks.len()
            && self.chunks.iter().zip(&other.chunks).all(|(a, b)| a.0 == b.0 && Rc::ptr_eq(a.1, b.1))
    }

    /// Do both hold the same?
    pub fn equal(&self, other: &Content) -> bool {
        let same = self.alive == other.alive && self.start == other.start && self.same_log(other);
        same && self.differences(other).is_empty()
    }

    /// The offsets where two contents of one object differ.
    pub fn differences(&self, other: &Content) -> Vec<u64> {
        let mut found = Vec::new();
        let keys = self.chunks.keys().chain(other.chunks.keys().filter(|k| !self.chunks.contains_key(k)));
        for key in keys {
            match (self.chunks.get(key), other.chunks.get(key)) {
                (Some(a), Some(b)) if Rc::ptr_eq(a, b) => {}
                (a, b) => {
                    let empty = Chunk::new();
                    let (a, b) = (a.map_or(&empty, |c| &**c), b.map_or(&empty, |c| &**c));
                    found.extend(a.iter().filter(|(at, cell)| b.get(at) != Some(cell)).map(|(at, _)| *at));
                    found.extend(b.keys().filter(|at| !a.contains_key(at)));
                }
            }
        }
        found.sort_unstable();
        found
    }
}

impl Drop for Written {
    /// Long lists are freed in a loop, not by recursion.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(entry) = next {
            match Rc::try_unwrap(entry) {
                Ok(mut entry) => next = entry.before.take(),
                Err(_) => break,
            }
        }
    }
}
