//! What a model says of memory, as the interpreter can be told.
//!
//! A model has numbers for addresses; objects of the interpreter are elsewhere. A number that lies in an
//! object which the path mentions is translated with it. Memory that the path accesses where no such object
//! is belongs to somebody outside: a pointer from there has an object of its own, which exists from the
//! start, unless others lead to the same places. Regions do not overlap, whatever their addresses are in the
//! model, so that a number means something only together with the regions that it may point into.

use crate::model::Model;
use ::engine::{Counterexample, InputVector, Site};
use encode::{RegionId, TransitionSystem};
use interp::{ByteId, Interp, ObjectKind, Options};
use ir::{AllocKind, BinOp, Expr, ExprKind, FuncId, GlobalId, LocalId, Storage, Type, Var};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Objects from outside are this large, and pointers point this far into them: programs step back from
/// pointers they get.
const OUTSIDE_SIZE: u64 = 1 << 18;
const OUTSIDE_OFFSET: u64 = 4096;

/// Pointers that nobody follows are left alone if there are more, or if they are among the last and the
/// program looks for those: they mean errors.
const MOST_OUTSIDE: usize = 256;
const MOST_ERRORS: u128 = 4095;

pub struct Memory<'m> {
    system: &'m TransitionSystem,
    objects: Vec<Object>,
    /// By function: how often it was entered.
    entered: FxHashMap<FuncId, u32>,
    heap: u32,
    stack: u32,
    answers: Vec<(Site, Given)>,
    contents: Vec<Content>,
    /// Outside of all objects.
    accessed: Vec<Access>,
}

struct Access {
    regions: Vec<RegionId>,
    at: u128,
    /// The pointer that a constant was added to.
    root: u128,
}

/// A value of the model, and for what may be a pointer the regions that it may point into.
struct Given {
    value: u128,
    regions: Option<Vec<RegionId>>,
    /// An integer of which nobody knows whether it is one.
    perhaps: bool,
}

struct Object {
    kind: Kind,
    base: u128,
    size: u128,
    regions: Vec<RegionId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Global(GlobalId),
    Function(FuncId),
    /// With the number of the instance.
    Local(FuncId, LocalId, u32),
    /// By how many were made before.
    Heap(u32),
    Stack(u32),
}

/// What was found at an address when it was read first.
struct Content {
    /// The object and the offset; none outside of all objects.
    place: Option<(Kind, u64)>,
    at: u128,
    regions: Vec<RegionId>,
    size: u64,
    value: Given,
}

/// An object outside: the numbers that lie in it, and how far behind its start they do.
struct Window {
    regions: BTreeSet<RegionId>,
    members: BTreeMap<u128, u64>,
}

impl<'m> Memory<'m> {
    pub fn new(model: &'m Model) -> Memory<'m> {
        Memory {
            system: &model.system,
            objects: Vec::new(),
            entered: FxHashMap::default(),
            heap: 0,
            stack: 0,
            answers: Vec::new(),
            contents: Vec::new(),
            accessed: Vec::new(),
        }
    }

    pub fn enter(&mut self, function: FuncId) {
        *self.entered.entry(function).or_insert(0) += 1;
    }

    /// The value of a register variable of a function comes from outside.
    pub fn answer(&mut self, site: Site, function: FuncId, var: Var, value: u128) {
        let given = match self.register(function, var) {
            Some(e) => self.given(function, &e, value),
            None => Given { value, regions: None, perhaps: false },
        };
        self.answers.push((site, given));
    }

    /// The address of a variable or function is mentioned.
    pub fn mention(&mut self, function: FuncId, e: &Expr, address: u128) {
        let program = &self.system.program;
        let (kind, storage) = match e.kind {
            ExprKind::AddrGlobal(id) => (Kind::Global(id), program.global(id).storage),
            ExprKind::AddrFunc(id) => (Kind::Function(id), Storage::Memory { size: 1, align: 1 }),
            ExprKind::AddrLocal(id) => {
                let nth = self.entered.get(&function).map_or(0, |n| n.saturating_sub(1));
                (Kind::Local(function, id, nth), program.function(function).local(id).storage)
            }
            _ => return,
        };
        let Storage::Memory { size, .. } = storage else { return };
        if self.objects.iter().any(|o| o.kind == kind) {
            return;
        }
        // Variables of earlier instances are no more.
        if let Kind::Local(f, id, _) = kind {
            self.objects.retain(|o| !matches!(o.kind, Kind::Local(g, other, _) if (g, other) == (f, id)));
        }
        let regions = self.system.regions.around(0, function, e);
        self.objects.push(Object { kind, base: address, size: size.into(), regions });
    }

    pub fn allocate(&mut self, function: FuncId, var: Var, kind: AllocKind, address: u128, size: u128) {
        let count = match kind {
            AllocKind::Heap => &mut self.heap,
            AllocKind::Stack => &mut self.stack,
        };
        let nth = *count;
        *count += 1;
        let kind = match kind {
            AllocKind::Heap => Kind::Heap(nth),
            AllocKind::Stack => Kind::Stack(nth),
        };
        let regions = self.register(function, var).map(|e| self.system.regions.around(0, function, &e));
        self.objects.push(Object { kind, base: address, size, regions: regions.unwrap_or_default() });
    }

    pub fn access(&mut self, function: FuncId, address: &Expr, at: u128) {
        let regions = self.system.regions.around(0, function, address);
        if self.place(&regions, at).is_none() {
            let root = self.root(address, at);
            self.accessed.push(Access { regions, at, root });
        }
    }

    /// A `Load` found this value.
    pub fn read(&mut self, function: FuncId, load: &Expr, at: u128, value: u128) {
        let ExprKind::Load(address) = &load.kind else { return };
        let regions = self.system.regions.around(0, function, address);
        let size = load.ty.access_size(&self.system.program.target);
        let value = self.given(function, load, value);
        let place = self.place(&regions, at);
        if place.is_none() {
            let root = self.root(address, at);
            self.accessed.push(Access { regions: regions.clone(), at, root });
        }
        self.contents.push(Content { place, at, regions, size, value });
    }

    /// Everything as answers to the interpreter.
    pub fn input_vector(self) -> Counterexample {
        let windows = self.windows();
        // One more, for what only code that no check depends on uses.
        let heap: Vec<u64> = vec![OUTSIDE_SIZE; windows.len() + 1];
        let options = Options { heap: heap.clone(), ..Options::new(self.system.entry) };
        let interp = Interp::new(&self.system.program, options).ok();
        let translate = |given: &Given| self.translate(given, &windows, interp.as_ref());
        let spare = interp.as_ref().and_then(|interp| interp.heap_address(windows.len()));
        let spare = spare.map(|address| address.wrapping_add(OUTSIDE_OFFSET));
        let mut vector = InputVector { spare, ..InputVector::default() };
        for (site, given) in &self.answers {
            vector.answer(site.clone(), translate(given));
        }
        for content in &self.contents {
            let value = translate(&content.value);
            let (kind, nth, offset) = match content.place {
                Some((Kind::Global(id), at)) => {
                    for i in 0..content.size.min(16) {
                        vector.globals.entry((id, at.wrapping_add(i))).or_insert((value >> (8 * i)) as u8);
                    }
                    continue;
                }
                Some((Kind::Local(f, id, nth), at)) => (ObjectKind::Local(f, id), nth, at),
                Some((Kind::Heap(nth), at)) => (ObjectKind::Heap, nth + heap.len() as u32, at),
                Some((Kind::Stack(nth), at)) => (ObjectKind::Stack, nth, at),
                Some((Kind::Function(_), _)) => continue,
                None => match self.outside(&windows, &content.regions, content.at) {
                    Some((k, at)) => (ObjectKind::Heap, k as u32, at),
                    None => continue,
                },
            };
            for i in 0..content.size.min(16) {
                let byte = (value >> (8 * i)) as u8;
                let id = ByteId { kind, nth, changes: 0, offset: offset.wrapping_add(i) };
                vector.memory.entry(id).or_insert(byte);
            }
        }
        Counterexample { heap, inputs: vector }
    }

    fn register(&self, function: FuncId, var: Var) -> Option<Expr> {
        let (kind, storage) = match var {
            Var::Local(id) => (
                ExprKind::Local(id),
                self.system.program.function(function).locals.get(id.0 as usize)?.storage,
            ),
            Var::Global(id) => {
                (ExprKind::Global(id), self.system.program.globals.get(id.0 as usize)?.storage)
            }
        };
        match storage {
            Storage::Register(ty) => Some(Expr { ty, kind }),
            Storage::Memory { .. } => None,
        }
    }

    /// Integers are pointers if they are as wide and point somewhere; or if they become one that nobody knows
    /// of, and something is accessed there: small numbers are numbers.
    fn given(&self, function: FuncId, e: &Expr, value: u128) -> Given {
        let bits = self.system.program.target.pointer_bits;
        let regions = match e.ty {
            Type::Ptr => Some(self.system.regions.around(0, function, e)),
            Type::Int(int) if int.bits == bits => {
                let large = value & self.mask() > MOST_ERRORS;
                Some(self.system.regions.around(0, function, e)).filter(|list| large || !list.is_empty())
            }
            _ => None,
        };
        let value = if regions.is_some() { value & self.mask() } else { value };
        let perhaps = e.ty != Type::Ptr && regions.as_ref().is_some_and(Vec::is_empty);
        Given { value, regions, perhaps }
    }

    /// The object that an address lies in, if it may point there; the newest one, if there are several.
    fn place(&self, regions: &[RegionId], at: u128) -> Option<(Kind, u64)> {
        let fits = |o: &&Object| regions.is_empty() || o.regions.iter().any(|r| regions.contains(r));
        self.objects.iter().rev().filter(fits).find_map(|o| o.offset(at))
    }

    fn mask(&self) -> u128 {
        u128::MAX >> (128 - u32::from(self.system.program.target.pointer_bits))
    }

    fn distance(&self, from: u128, to: u128) -> u128 {
        to.wrapping_sub(from) & self.mask()
    }

    fn root(&self, address: &Expr, at: u128) -> u128 {
        match &address.kind {
            ExprKind::Binary(BinOp::PtrAdd, base, by) => match by.as_const() {
                Some(by) => self.root(base, at.wrapping_sub(by) & self.mask()),
                None => at,
            },
            _ => at,
        }
    }

    /// The number of the object outside that an address lies in, and the offset.
    fn outside(&self, windows: &[Window], regions: &[RegionId], at: u128) -> Option<(usize, u64)> {
        let fits = |w: &Window| regions.is_empty() || regions.iter().any(|r| w.regions.contains(r));
        windows.iter().enumerate().filter(|(_, w)| fits(w)).find_map(|(k, w)| Some((k, *w.members.get(&at)?)))
    }

    /// Pointers from outside, by regions.
    fn pointers(&self) -> BTreeSet<(RegionId, u128)> {
        let contents = self.contents.iter().map(|c| &c.value);
        let given = self.answers.iter().map(|(_, given)| given).chain(contents);
        let mut list = BTreeSet::new();
        for given in given.filter(|given| given.value != 0) {
            for region in given.regions.iter().flatten() {
                if self.place(&[*region], given.value).is_none() {
                    list.insert((*region, given.value));
                }
            }
        }
        list
    }

    /// The objects outside: what was accessed there, by the pointers that lead to it.
    fn windows(&self) -> Vec<Window> {
        let pointers = self.pointers();
        let room = u128::from(OUTSIDE_OFFSET);
        let mut numbers = Numbers::default();
        for access in &self.accessed {
            let Some(first) = access.regions.first() else { continue };
            // An object may have fields of several regions.
            let of = |value: &u128| access.regions.iter().any(|r| pointers.contains(&(*r, *value)));
            let near = || {
                let all = access.regions.iter().flat_map(|r| pointers.range((*r, 0)..=(*r, u128::MAX)));
                let far = |value: u128| self.distance(value, access.at).min(self.distance(access.at, value));
                let nearest = all.map(|(_, value)| *value).min_by_key(|value| far(*value));
                nearest.filter(|value| far(*value) < room)
            };
            let owner = if of(&access.root) { access.root } else { near().unwrap_or(access.root) };
            for r in &access.regions {
                numbers.join((*first, access.at), (*r, access.at));
                numbers.join((*first, access.at), (*r, owner));
            }
        }
        let mut windows: BTreeMap<usize, BTreeSet<(RegionId, u128)>> = BTreeMap::new();
        let all: Vec<(RegionId, u128)> = numbers.index.keys().copied().collect();
        for number in all {
            let class = numbers.class(number);
            windows.entry(class).or_default().insert(number);
        }
        let mut list = Vec::new();
        for members in windows.into_values() {
            let Some(&(_, any)) = members.first() else { continue };
            let regions = members.iter().map(|(r, _)| *r).collect();
            // Whatever lies before another is not far from it: the address space is a circle.
            let half = self.mask() / 2;
            let first = members
                .iter()
                .map(|(_, v)| *v)
                .fold(any, |first, v| if self.distance(v, first) <= half { v } else { first });
            let place = |v: u128| OUTSIDE_OFFSET + ((first & 15) + self.distance(first, v)) as u64;
            list.push(Window { regions, members: members.iter().map(|(_, v)| (*v, place(*v))).collect() });
        }
        self.unfollowed(&mut list);
        list
    }

    /// Code that no check depends on may follow pointers that the path does not.
    fn unfollowed(&self, list: &mut Vec<Window>) {
        let last = if self.knows_errors() { self.mask() - MOST_ERRORS } else { self.mask() };
        let contents = self.contents.iter().map(|c| &c.value);
        for given in self.answers.iter().map(|(_, given)| given).chain(contents) {
            let (Some(regions), value) = (&given.regions, given.value) else { continue };
            if value != 0
                && !given.perhaps
                && value <= last
                && list.len() < MOST_OUTSIDE
                && self.place(regions, value).is_none()
                && self.place(&[], value).is_none()
                && self.outside(list, regions, value).is_none()
            {
                let regions = regions.iter().copied().collect();
                list.push(Window { regions, members: BTreeMap::from([(value, OUTSIDE_OFFSET)]) });
            }
        }
    }

    /// Does the program know a number as large as those that pointers have in the place of an error?
    fn knows_errors(&self) -> bool {
        let program = &self.system.program;
        let is_error = |e: &Expr| {
            let wide = match e.ty {
                Type::Ptr => true,
                Type::Int(int) => int.bits == program.target.pointer_bits,
                _ => false,
            };
            wide && e.as_const().is_some_and(|bits| bits >= self.mask() - MOST_ERRORS)
        };
        let edges = program.functions.iter().filter_map(|f| f.cfa()).flat_map(|cfa| cfa.edges());
        edges.flat_map(|edge| edge.op.exprs()).any(|e| {
            let mut found = false;
            e.walk(&mut |part| found |= is_error(part));
            found
        })
    }

    fn translate(&self, given: &Given, windows: &[Window], interp: Option<&Interp>) -> u128 {
        let value = given.value;
        let (Some(regions), Some(interp), true) = (&given.regions, interp, value != 0) else { return value };
        let moved = |(kind, offset): (Kind, u64)| match kind {
            Kind::Global(id) => interp.global_address(id).map(|base| base.wrapping_add(offset)),
            Kind::Function(id) => Some(interp.function_address(id)),
            // Nobody outside knows them.
            Kind::Local(..) | Kind::Heap(_) | Kind::Stack(_) => None,
        };
        let found = match self.place(regions, value) {
            Some(place) => moved(place),
            None => match self.outside(windows, regions, value) {
                Some((k, offset)) => interp.heap_address(k).map(|base| base.wrapping_add(offset)),
                // It may still be compared with an address.
                None => self.place(&[], value).and_then(moved),
            },
        };
        found.map_or(value, u128::from)
    }
}

impl Object {
    fn offset(&self, at: u128) -> Option<(Kind, u64)> {
        let offset = at.checked_sub(self.base)?;
        (offset < self.size.max(1)).then_some((self.kind, offset as u64))
    }
}

/// Numbers that belong together.
#[derive(Default)]
struct Numbers {
    index: BTreeMap<(RegionId, u128), usize>,
    parents: Vec<usize>,
}

impl Numbers {
    fn class(&mut self, number: (RegionId, u128)) -> usize {
        let new = self.parents.len();
        let mut at = *self.index.entry(number).or_insert(new);
        if at == new {
            self.parents.push(new);
        }
        while self.parents[at] != at {
            at = self.parents[at];
        }
        at
    }

    fn join(&mut self, a: (RegionId, u128), b: (RegionId, u128)) {
        let (a, b) = (self.class(a), self.class(b));
        self.parents[a.max(b)] = a.min(b);
    }
}
