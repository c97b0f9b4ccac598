//! Calls as formulas of their own (the partitions of paper 002).
//!
//! A call that is cut off shares with its caller only the variables of its interface: what it takes in
//! (arguments, and the globals and memory it looks at) and what it gives back (its result, what it changed,
//! whether it returns, whether a check fails in it). Every value that crosses the border gets a new name on
//! the other side, and the two are bound by an equation: that of an import belongs to the caller's formula,
//! that of an export to the callee's.
//!
//! What is known without a solver crosses as it is: constants, and of a pointer the objects that it may point
//! to. So the callee's formula is one for this context; `summary` keeps the context with what was learned in
//! it.

use crate::content::{Content, Start};
use crate::exec::Exec;
use crate::objects::{Kind, ObjectId};
use crate::state::State;
use ir::GlobalId;
use logic::{Op, Sort, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The same value on both sides; the two are the same term, or they are bound by an equation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pair {
    pub outer: Term,
    pub inner: Term,
}

/// A cell that a call changed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Changed {
    pub object: ObjectId,
    pub offset: u64,
    pub size: u64,
    pub value: Pair,
}

#[derive(Clone, Default)]
pub struct Interface {
    pub args: Vec<Pair>,
    pub globals: BTreeMap<GlobalId, Pair>,
    /// What was taken in of an object: as it is outside, and inside.
    pub objects: BTreeMap<ObjectId, (Rc<Content>, Rc<Content>)>,
    /// Bytes that nobody wrote: where, how many.
    pub unwritten: BTreeMap<(ObjectId, u64, u64), Pair>,
    /// Equations of the caller: variables of the callee.
    pub imports: Vec<Pair>,
    /// Equations of the callee: variables of the caller.
    pub exports: Vec<Pair>,
    pub result: Option<Pair>,
    pub changed_globals: BTreeMap<GlobalId, Pair>,
    pub changed: Vec<Changed>,
    /// Objects that the call ended, or made and left behind.
    pub alive: Vec<(ObjectId, Pair)>,
    /// Objects that were written to at unknown places.
    pub wild: Vec<ObjectId>,
    pub returns: Option<Pair>,
    pub error: Option<Pair>,
    pub gap: Option<Pair>,
    /// Sizes of objects that are not known: inside, of those that were looked at; outside, of those that are
    /// left behind.
    pub sizes_in: BTreeMap<ObjectId, Term>,
    pub sizes: BTreeMap<ObjectId, Term>,
    pub(crate) taken: FxHashMap<Term, Term>,
    pub(crate) given: FxHashMap<Term, Term>,
}

impl Exec<'_> {
    /// The innermost active call that is cut off; 0 if none is.
    pub(crate) fn base_level(&self) -> usize {
        (0..self.frames.len()).rev().find(|i| self.frames[*i].interface.is_some()).unwrap_or(0)
    }

    fn base_below(&self, level: usize) -> usize {
        (0..level).rev().find(|i| self.frames[*i].interface.is_some()).unwrap_or(0)
    }

    pub(crate) fn global(&mut self, state: &State, id: GlobalId) -> Term {
        match state.globals.get(&id) {
            Some(value) => *value,
            None => self.global_before(self.base_level(), id),
        }
    }

    /// What a global was when the call of this level began.
    fn global_before(&mut self, level: usize, id: GlobalId) -> Term {
        let Some(interface) = self.frames.get(level).and_then(|f| f.interface.as_ref()) else {
            return self.initial_global(id);
        };
        if let Some(known) = interface.globals.get(&id) {
            return known.inner;
        }
        let outer = match self.frames[level].outer.globals.get(&id) {
            Some(value) => *value,
            None => self.global_before(self.base_below(level), id),
        };
        let inner = self.import(level, outer);
        if let Some(interface) = &mut self.frames[level].interface {
            interface.globals.insert(id, Pair { outer, inner });
        }
        inner
    }

    pub(crate) fn content(&mut self, state: &State, id: ObjectId) -> Rc<Content> {
        if self.objects.get(id).ended {
            let mut dead = Content::new(Start::Unwritten);
            dead.alive = Term::bool(false);
            return Rc::new(dead);
        }
        match state.objects.get(&id) {
            Some(content) => content.clone(),
            None => self.content_before(self.base_level(), id),
        }
    }

    /// The size of an object, as it is known in the active call.
    pub(crate) fn size_of(&mut self, id: ObjectId) -> Term {
        let object = self.objects.get(id);
        let (level, size) = (object.level as usize, object.size);
        if size.is_const() {
            return size;
        }
        let mut term = size;
        for inner in level + 1..self.frames.len() {
            if self.frames[inner].interface.is_some() {
                term = self.import(inner, term);
                if let Some(interface) = &mut self.frames[inner].interface {
                    interface.sizes_in.insert(id, term);
                }
            }
        }
        term
    }

    pub(crate) fn content_before(&mut self, level: usize, id: ObjectId) -> Rc<Content> {
        let own = self.objects.get(id).level as usize >= level.max(1);
        let Some(interface) = self.frames.get(level).and_then(|f| f.interface.as_ref()).filter(|_| !own)
        else {
            let object = self.objects.get(id);
            if self.alone && !own && !object.constant && !matches!(object.kind, Kind::Function(_)) {
                self.missed = true;
            }
            return self.initial_object(id);
        };
        if let Some((_, inner)) = interface.objects.get(&id) {
            return inner.clone();
        }
        let outer = match self.frames[level].outer.objects.get(&id) {
            Some(content) => content.clone(),
            None => self.content_before(self.base_below(level), id),
        };
        let mut content = (*outer).clone();
        let cells: Vec<_> = outer.cells().collect();
        for (at, cell) in cells {
            let inner = self.import(level, cell.value);
            if inner != cell.value {
                content.put(at, inner, cell.size);
            }
        }
        content.alive = self.import(level, outer.alive);
        let inner = Rc::new(content);
        if let Some(interface) = &mut self.frames[level].interface {
            interface.objects.insert(id, (outer, inner.clone()));
        }
        inner
    }

    /// Bytes that nobody wrote, which are the whole program's, as they are known in the active call.
    pub(crate) fn import_unwritten(&mut self, id: ObjectId, at: u64, size: u64, bits: Term) -> Term {
        let mut term = bits;
        for level in 1..self.frames.len() {
            if self.frames[level].interface.is_some() {
                let outer = term;
                term = self.import(level, outer);
                if let Some(interface) = &mut self.frames[level].interface {
                    interface.unwritten.insert((id, at, size), Pair { outer, inner: term });
                }
            }
        }
        term
    }

    /// The name inside the call at `level` of a value from outside of it.
    pub(crate) fn import(&mut self, level: usize, term: Term) -> Term {
        if term.is_const() {
            return term;
        }
        let Some(interface) = &self.frames[level].interface else { return term };
        if let Some(known) = interface.taken.get(&term) {
            return *known;
        }
        let inner = match self.through(term) {
            Some(parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| self.import(level, *part)).collect();
                logic::rebuild(term, &parts)
            }
            None => {
                let call = self.frames[level].call;
                let path = &self.calls[call.0 as usize].path;
                let count = self.frames[level].interface.as_ref().map_or(0, |i| i.imports.len());
                let inner = named(&format!("{path}|in{count}"), term.sort());
                self.pointers.alias(inner, term);
                if let Some(interface) = &mut self.frames[level].interface {
                    interface.imports.push(Pair { outer: term, inner: stripped(inner) });
                }
                inner
            }
        };
        if let Some(interface) = &mut self.frames[level].interface {
            interface.taken.insert(term, inner);
        }
        inner
    }

    /// The name outside of the call at `level` of a value of that call.
    pub(crate) fn export(&mut self, level: usize, term: Term) -> Term {
        if term.is_const() {
            return term;
        }
        let Some(interface) = &self.frames[level].interface else { return term };
        if let Some(known) = interface.given.get(&term) {
            return *known;
        }
        let outer = match self.through(term) {
            Some(parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| self.export(level, *part)).collect();
                logic::rebuild(term, &parts)
            }
            None => {
                let call = self.frames[level].call;
                let path = &self.calls[call.0 as usize].path;
                let count = self.frames[level].interface.as_ref().map_or(0, |i| i.exports.len());
                let outer = named(&format!("{path}|out{count}"), term.sort());
                self.pointers.alias(outer, term);
                if let Some(interface) = &mut self.frames[level].interface {
                    interface.exports.push(Pair { outer: stripped(outer), inner: term });
                }
                outer
            }
        };
        if let Some(interface) = &mut self.frames[level].interface {
            interface.given.insert(term, outer);
        }
        outer
    }

    /// The parts that cross the border by themselves: what a pointer may point to stays known.
    fn through(&mut self, term: Term) -> Option<&'static [Term]> {
        let follow = term.sort() == Sort::Bv(self.pointer_width())
            && !self.pointers.is_from_outside(term)
            && matches!(term.op(), Op::Ite | Op::BvAdd)
            && self.pointers.carries(&self.objects, term);
        follow.then(|| term.args())
    }
}

/// A variable for a value of any sort. Floats cross as their bits.
fn named(name: &str, sort: Sort) -> Term {
    match sort {
        Sort::Float(exponent, significand) => {
            let bits = Term::var(name, Sort::Bv(exponent + significand));
            Term::fp_from(Op::FpFromBits, bits, sort)
        }
        sort => Term::var(name, sort),
    }
}

/// The variable itself.
fn stripped(term: Term) -> Term {
    if *term.op() == Op::FpFromBits { term.args()[0] } else { term }
}
