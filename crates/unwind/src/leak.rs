//! What is left of the heap where the program ends (`ir::HeapRule`).
//!
//! A heap object is there where the path to its allocation was taken and no `free` of it was. Who leads to
//! whom is a graph whose edges have conditions: a word in one object may be the address of another. What is
//! reached from the roots is the least solution, and no chain is longer than there are objects, so as many
//! rounds compute it.
//!
//! What code outside of the program may know of is known here as what it may reach at most. Where only that
//! could keep an object, it is not known whether the object is lost.

use crate::content::{Content, Found, Start};
use crate::exec::{Exec, Fail};
use crate::guard::{and, or};
use crate::objects::{Kind, ObjectId};
use crate::pointer::Target;
use crate::state::State;
use interp::ObjectKind;
use ir::{ExprKind, GlobalId, HeapRule, Program, Storage};
use logic::{Sort, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Steps of computing what is reached, at most.
const MOST_STEPS: usize = 1 << 18;
/// Writes at unknown places that are looked through for those that are covered by later ones.
const MOST_WRITES: usize = 400;
/// Parts of a term that are looked through for addresses.
const MOST_PARTS: usize = 500;

/// A value that lies somewhere in an object, unless a later one covers it.
struct Write {
    offset: Term,
    size: u64,
    value: Term,
    when: Term,
}

/// The heap of a state: when each object is there.
type Heap = BTreeMap<ObjectId, Term>;

/// Does the program ask what is left of its heap?
pub(crate) fn asks_about_heap(program: &Program) -> bool {
    let mut edges = program.functions.iter().filter_map(|f| f.cfa()).flat_map(|cfa| cfa.edges());
    edges.any(|edge| {
        let mut found = false;
        for e in edge.op.exprs() {
            e.walk(&mut |e| found |= matches!(e.kind, ExprKind::HeapKept { .. }));
        }
        found
    })
}

impl Exec<'_> {
    pub(crate) fn heap_kept(
        &mut self,
        state: &State,
        rule: HeapRule,
        also: Option<Term>,
    ) -> Result<Term, Fail> {
        if rule.at_return() && self.level() > 0 {
            return Ok(Term::bool(true));
        }
        if self.limits.cut {
            // What others made is not known across the borders of calls that are cut off.
            return Err(Fail::Unsupported("what is left of the heap, in one call by itself".to_owned()));
        }
        let made = self.made_when();
        let heap: Heap = state
            .objects
            .iter()
            .filter(|(id, _)| self.is_heap_object(**id))
            .map(|(id, content)| (*id, and(content.alive, made.get(id).copied().unwrap_or(Term::bool(true)))))
            .filter(|(_, there)| !there.is_false())
            .collect();
        if rule.wants_freed() || heap.is_empty() {
            return Ok(Term::any(heap.values().copied()).not());
        }
        let roots = self.roots(state, rule, also, &heap, &made)?;
        let mut edges = Vec::new();
        for (id, there) in &heap {
            for (when, to) in self.led_to(*id, &state.objects[id], &heap)? {
                edges.push((*id, to, and(*there, when)));
            }
        }
        let sure = self.reached(&heap, &roots, &edges)?;
        let known = self.known_outside(state, &heap)?;
        let most = if known.is_empty() {
            sure.clone()
        } else {
            self.reached(&heap, &[roots, known].concat(), &edges)?
        };
        let mut lost = Vec::new();
        for (id, there) in &heap {
            lost.push(and(*there, most[id].not()));
            if sure[id] != most[id] {
                let what = "memory that a function without a body may have kept".to_owned();
                self.unknown.push((Term::all([*there, sure[id].not(), most[id]]), what));
            }
        }
        Ok(Term::any(lost).not())
    }

    pub(crate) fn is_heap_object(&self, id: ObjectId) -> bool {
        self.objects.get(id).kind == Kind::Made(ObjectKind::Heap)
    }

    /// When objects were made.
    fn made_when(&self) -> BTreeMap<ObjectId, Term> {
        let mut when = BTreeMap::new();
        for made in &self.made {
            let before = when.entry(made.object).or_insert(Term::bool(false));
            *before = or(*before, made.guard);
        }
        when
    }

    /// What variables lead to, and memory that is not the program's.
    fn roots(
        &mut self,
        state: &State,
        rule: HeapRule,
        also: Option<Term>,
        heap: &Heap,
        made: &BTreeMap<ObjectId, Term>,
    ) -> Result<Vec<(Term, ObjectId)>, Fail> {
        let mut roots = Vec::new();
        let globals: Vec<GlobalId> = (0..)
            .map(GlobalId)
            .zip(self.program.globals.iter())
            .filter(|(_, global)| matches!(global.storage, Storage::Register(_)))
            .map(|(id, _)| id)
            .collect();
        for id in globals {
            let value = self.global(state, id);
            self.add_targets(value, Term::bool(true), heap, &mut roots);
        }
        if let Some(value) = also {
            self.add_targets(value, Term::bool(true), heap, &mut roots);
        }
        for (id, content) in &state.objects {
            let object = self.objects.get(*id);
            let root = match object.kind {
                Kind::Global(_) | Kind::Outside => true,
                Kind::Made(ObjectKind::Heap) | Kind::Changed { .. } | Kind::Function(_) => false,
                Kind::Made(_) => !rule.at_return() && !object.ended,
            };
            if root {
                let there = and(content.alive, made.get(id).copied().unwrap_or(Term::bool(true)));
                let targets = self.led_to(*id, content, heap)?;
                roots.extend(targets.into_iter().map(|(when, to)| (and(there, when), to)));
            }
        }
        Ok(roots)
    }

    /// What code outside of the program may know of, and what that leads to.
    fn known_outside(&mut self, state: &State, heap: &Heap) -> Result<Vec<(Term, ObjectId)>, Fail> {
        let mut known = Vec::new();
        for (id, when) in &state.escaped {
            if heap.contains_key(id) {
                known.push((*when, *id));
            } else if let Some(content) = state.objects.get(id) {
                let targets = self.led_to(*id, content, heap)?;
                known.extend(targets.into_iter().map(|(there, to)| (and(*when, there), to)));
            }
        }
        Ok(known)
    }

    /// When each object is reached.
    fn reached(
        &self,
        heap: &Heap,
        roots: &[(Term, ObjectId)],
        edges: &[(ObjectId, ObjectId, Term)],
    ) -> Result<Heap, Fail> {
        if heap.len() * (edges.len() + 1) > MOST_STEPS {
            return Err(Fail::Unsupported("whether memory is lost, among that many objects".to_owned()));
        }
        let mut first: Heap = heap.keys().map(|id| (*id, Term::bool(false))).collect();
        for (when, id) in roots {
            first.entry(*id).and_modify(|before| *before = or(*before, *when));
        }
        let mut reached = first.clone();
        for _ in 0..heap.len() {
            let mut next = first.clone();
            for (from, to, when) in edges {
                let through = and(reached[from], *when);
                next.entry(*to).and_modify(|before| *before = or(*before, through));
            }
            if next == reached {
                break;
            }
            reached = next;
        }
        Ok(reached)
    }

    /// The heap objects that pointers in an object lead to.
    fn led_to(
        &mut self,
        id: ObjectId,
        content: &Rc<Content>,
        heap: &Heap,
    ) -> Result<Vec<(Term, ObjectId)>, Fail> {
        let mut targets = Vec::new();
        if !content.has_log() && !matches!(content.start, Start::Either(_)) {
            for word in self.words(content) {
                self.add_targets(word, Term::bool(true), heap, &mut targets);
            }
            return Ok(targets);
        }
        let writes = writes(content, Term::bool(true), self.pointer_width());
        if writes.len() > MOST_WRITES {
            let name = self.objects.get(id).name.clone();
            return Err(Fail::Unsupported(format!("what '{name}' leads to, after that many writes")));
        }
        for (i, write) in writes.iter().enumerate() {
            let mut found = Vec::new();
            if write.size == self.pointer_bytes() {
                self.add_targets(self.bits(write.value), write.when, heap, &mut found);
            }
            if !found.is_empty() {
                let covered = Term::any(writes[i + 1..].iter().map(|later| later.covers(write)));
                targets.extend(found.into_iter().map(|(when, to)| (and(when, covered.not()), to)));
            }
        }
        Ok(targets)
    }

    fn pointer_bytes(&self) -> u64 {
        u64::from(self.pointer_width() / 8)
    }

    /// What is written in an object and as wide as a pointer: whole cells, and aligned words that are in
    /// pieces.
    fn words(&self, content: &Content) -> Vec<Term> {
        let size = self.pointer_bytes();
        let mut words = Vec::new();
        let mut parts = BTreeSet::new();
        for (at, cell) in content.cells() {
            match cell.size == size {
                true => words.push(self.bits(cell.value)),
                false => parts.extend([at - at % size, (at + cell.size - 1) / size * size]),
            }
        }
        for at in parts {
            let Found::Parts(bytes) = content.find(at, size) else { continue };
            let byte = |part: &Option<(crate::content::Cell, u64)>| {
                let (cell, k) = (*part)?;
                Some(self.bits(cell.value).extract(8 * k as u32 + 7, 8 * k as u32))
            };
            if let Some(bytes) = bytes.iter().map(byte).collect::<Option<Vec<Term>>>() {
                words.extend(bytes.into_iter().reduce(|low, byte| byte.concat(low)));
            }
        }
        words
    }

    /// The heap objects that a word may be an address of, with conditions.
    fn add_targets(&mut self, word: Term, when: Term, heap: &Heap, out: &mut Vec<(Term, ObjectId)>) {
        let pointer = word.sort() == Sort::Bv(self.pointer_width());
        if !pointer || self.pointers.is_from_outside(word) {
            return;
        }
        if !self.pointers.carries(&self.objects, word) {
            return self.add_numbers(word, when, heap, out);
        }
        for case in self.pointers.cases(&mut self.objects, word).iter() {
            match case.target {
                Target::Object(id, offset) if heap.contains_key(&id) => {
                    let inside = offset.ule(self.size_of(id));
                    out.push((Term::all([when, case.when, inside]), id));
                }
                Target::Unknown => self.add_numbers(word, and(when, case.when), heap, out),
                Target::Object(..) | Target::Nowhere | Target::Environment => {}
            }
        }
    }

    /// The same for a number that was computed from addresses in some other way: a pointer with a mark in its
    /// lowest bit, say.
    fn add_numbers(&mut self, word: Term, when: Term, heap: &Heap, out: &mut Vec<(Term, ObjectId)>) {
        if !self.mentions(word, heap) {
            return;
        }
        for id in heap.keys() {
            let inside = word.sub(self.address(*id)).ule(self.size_of(*id));
            out.push((and(when, inside), *id));
        }
    }

    /// Is an address in the heap part of a term?
    fn mentions(&self, term: Term, heap: &Heap) -> bool {
        let (mut work, mut seen) = (vec![term], BTreeSet::new());
        while let Some(part) = work.pop() {
            if seen.len() >= MOST_PARTS {
                return false;
            }
            if !seen.insert(part) {
                continue;
            }
            let address = part.as_bv().and_then(|bits| u64::try_from(bits).ok());
            if address.and_then(|at| self.objects.at(at)).is_some_and(|id| heap.contains_key(&id)) {
                return true;
            }
            work.extend(part.args());
        }
        false
    }
}

impl Write {
    /// When it lies on bytes of an earlier one.
    fn covers(&self, earlier: &Write) -> Term {
        let bytes = |size: u64| Term::bv(u128::from(size), self.offset.width());
        let distance = earlier.offset.sub(self.offset);
        let overlap = distance.ult(bytes(self.size)).or(distance.neg().ult(bytes(earlier.size)));
        and(self.when, overlap)
    }
}

/// All that was written to an object, the earliest first.
fn writes(content: &Content, when: Term, width: u32) -> Vec<Write> {
    let mut list = match &content.start {
        Start::Either(either) => {
            let mut list = writes(&either.first, and(when, either.when), width);
            list.extend(writes(&either.second, and(when, either.when.not()), width));
            list
        }
        _ => Vec::new(),
    };
    let place = |at: u64| Term::bv(u128::from(at), width);
    list.extend(content.cells().map(|(at, cell)| Write {
        offset: place(at),
        size: cell.size,
        value: cell.value,
        when,
    }));
    list.extend(content.log().into_iter().map(|write| Write {
        offset: write.offset,
        size: write.size,
        value: write.value,
        when: and(when, write.when),
    }));
    list
}
