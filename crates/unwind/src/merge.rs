//! Where paths meet.

use crate::content::{Cell, Content, Start};
use crate::exec::{Exec, Returned};
use crate::objects::{Kind, ObjectId};
use crate::state::State;
use interp::ObjectKind;
use ir::{GlobalId, LocalId, Storage, Type};
use logic::{Sort, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

impl Exec<'_> {
    /// The state of executions that are in one of two states, at a node where only `live` locals are read
    /// afterwards; None if there are none.
    pub(crate) fn merge(&mut self, a: State, b: State, live: &BTreeSet<LocalId>) -> Option<State> {
        let (guard, first) = a.guard.join(&b.guard)?;
        let mut locals = vec![None; a.locals.len().max(b.locals.len())];
        for id in live {
            let i = id.0 as usize;
            let pair = (a.locals.get(i).copied().flatten(), b.locals.get(i).copied().flatten());
            if let Some(slot) = locals.get_mut(i) {
                *slot = match pair {
                    (Some(x), Some(y)) => Some(first.ite(x, y)),
                    // Read on the side only where it is set.
                    (x, y) => x.or(y),
                };
            }
        }
        let globals = self.merge_globals(&a, &b, first);
        let objects = self.merge_objects(&a, &b, first);
        let never = Term::bool(false);
        let known = |state: &State, id: &ObjectId| state.escaped.get(id).copied().unwrap_or(never);
        let either = a.escaped.keys().chain(b.escaped.keys());
        let escaped = either.map(|id| (*id, first.ite(known(&a, id), known(&b, id)))).collect();
        Some(State { guard, locals, globals, objects, escaped })
    }

    pub(crate) fn merge_returned(&mut self, a: Returned, b: Returned) -> Option<Returned> {
        let (_, first) = a.state.guard.join(&b.state.guard)?;
        let value = match (a.value, b.value) {
            (Some(x), Some(y)) => Some(first.ite(x, y)),
            (x, y) => x.or(y),
        };
        let state = self.merge(a.state, b.state, &BTreeSet::new())?;
        Some(Returned { state, value })
    }

    fn merge_globals(&mut self, a: &State, b: &State, first: Term) -> BTreeMap<GlobalId, Term> {
        let mut merged = BTreeMap::new();
        let ids: BTreeSet<GlobalId> = a.globals.keys().chain(b.globals.keys()).copied().collect();
        for id in ids {
            let (x, y) = (self.global(a, id), self.global(b, id));
            merged.insert(id, first.ite(x, y));
        }
        merged
    }

    fn merge_objects(&mut self, a: &State, b: &State, first: Term) -> BTreeMap<ObjectId, Rc<Content>> {
        let mut merged = a.objects.clone();
        for (id, y) in &b.objects {
            match a.objects.get(id) {
                Some(x) if Rc::ptr_eq(x, y) || x.same(y) => {}
                None if self.is_made_here(*id) => {
                    merged.insert(*id, y.clone());
                }
                _ => {
                    let x = self.content(a, *id);
                    let content = self.merge_content(*id, first, &x, y);
                    merged.insert(*id, Rc::new(content));
                }
            }
        }
        for (id, x) in &a.objects {
            if !b.objects.contains_key(id) && !self.is_made_here(*id) {
                let y = self.content(b, *id);
                if !x.same(&y) {
                    let content = self.merge_content(*id, first, x, &y);
                    merged.insert(*id, Rc::new(content));
                }
            }
        }
        merged
    }

    /// Was it made on one path only, if only one path knows it? Then nobody on the other can reach it.
    /// Variables are there from the start.
    fn is_made_here(&self, id: ObjectId) -> bool {
        let object = self.objects.get(id);
        let variable = matches!(object.kind, Kind::Made(ObjectKind::Local(..)));
        object.level as usize >= self.base_level().max(1) && !variable
    }

    fn merge_content(&mut self, id: ObjectId, first: Term, a: &Content, b: &Content) -> Content {
        let wild = a.start == Start::Wild || b.start == Start::Wild;
        if a.start != b.start && !wild {
            return Content::either(first, a, b);
        }
        let mut merged = a.clone();
        merged.alive = first.ite(a.alive, b.alive);
        if wild {
            merged.start = Start::Wild;
        }
        merged.join_logs(first, a, b);
        // Large cells first, so that pointers stay whole where the other side has something smaller.
        let differences = a.differences(b);
        let cells = differences.iter().flat_map(|at| [exact(a, *at), exact(b, *at)].map(|cell| (*at, cell)));
        let mut cells: Vec<(u64, Cell)> = cells.filter_map(|(at, cell)| Some((at, cell?))).collect();
        cells.sort_by_key(|(at, cell)| (std::cmp::Reverse(cell.size), *at));
        let mut done: BTreeMap<u64, u64> = BTreeMap::new();
        for (at, cell) in cells {
            let covers = |place: u64| done.range(..=place).next_back().is_some_and(|(_, end)| *end > place);
            let parts: Vec<u64> = (at..at + cell.size).filter(|place| !covers(*place)).collect();
            if parts.len() as u64 == cell.size {
                let (x, y) = (self.like(id, a, at, cell), self.like(id, b, at, cell));
                let value = self.choose(first, x, y);
                merged.put(at, value, cell.size);
                done.insert(at, at + cell.size);
                continue;
            }
            for place in parts {
                let byte = Cell { value: Term::bv(0, 8), size: 1 };
                let (x, y) = (self.bits_like(id, a, place, byte), self.bits_like(id, b, place, byte));
                merged.put(place, first.ite(x, y), 1);
                done.insert(place, place + 1);
            }
        }
        merged
    }

    /// What a side has at a place where one of both has a cell.
    fn like(&mut self, id: ObjectId, content: &Content, at: u64, cell: Cell) -> Term {
        match exact(content, at).filter(|own| own.size == cell.size) {
            Some(own) => own.value,
            None => self.bits_like(id, content, at, cell),
        }
    }

    /// What the other side has where this one has a cell.
    fn bits_like(&mut self, id: ObjectId, content: &Content, at: u64, cell: Cell) -> Term {
        let ty = match (cell.value.sort(), cell.size) {
            (Sort::F32, _) => Type::F32,
            (Sort::F64, _) => Type::F64,
            (Sort::F128, _) => Type::F128,
            (_, size) if size == u64::from(self.program.target.pointer_bits / 8) => Type::Ptr,
            (_, size) => Type::int(8 * size as u8, false),
        };
        match self.read_at(id, content, at, cell.size, ty) {
            Ok(value) => value,
            Err(_) => cell.value,
        }
    }

    fn choose(&self, first: Term, a: Term, b: Term) -> Term {
        if a.sort() == b.sort() {
            return first.ite(a, b);
        }
        first.ite(self.bits(a), self.bits(b))
    }

    /// The initial value of a register global.
    pub(crate) fn initial_global(&mut self, id: GlobalId) -> Term {
        let global = self.program.global(id);
        if self.alone && !global.constant {
            self.missed = true;
        }
        let Storage::Register(ty) = global.storage else { return Term::bv(0, 8) };
        match self.initial.get(&id) {
            Some(value) => *value,
            None => self.ops.constant(ty, 0).unwrap_or(Term::bv(0, 8)),
        }
    }
}

fn exact(content: &Content, at: u64) -> Option<Cell> {
    content.overlapping(at, 1).into_iter().find(|(start, _)| *start == at).map(|(_, cell)| cell)
}
