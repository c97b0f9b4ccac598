//! Are two final states the same, as far as anybody can tell?
//!
//! Addresses differ between two versions (and between two layouts of memory), so values are compared by what
//! they mean: pointers are the same if they point to the same place of the input, to the same function, to
//! constants with the same content, or to heap objects that correspond. Correspondence of heap objects is
//! found by following pointers from what is observed; it must be one to one, and corresponding objects must
//! have the same content.
//!
//! Where C leaves open what a byte is (memory that nobody gave a value, addresses that are in no object,
//! padding), it is never called different; what cannot be told makes the verdict unclear.

use super::DifferenceKind;
use super::input::Place;
use super::machine::View;
use super::observe::{Ending, arg_types};
use super::padding::{Padding, padding};
use super::world::World;
use interp::{Cell, ObjectKind, Outcome, Pointee};
use ir::{FloatType, Storage, Type};
use rustc_hash::FxHashMap;
use std::sync::Arc;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Same,
    Unclear,
    Differs(DifferenceKind),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Same {
    Yes,
    Unclear,
    No,
}

/// What two aligned words of memory say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    Same,
    /// They are different pointers.
    Pointer,
    /// Their bytes decide.
    Bytes,
}

/// A byte as it can be compared.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Content {
    Known(u8),
    /// An initial byte that nobody has asked for.
    Fresh(Place, u64),
    /// Any value.
    Open,
}

pub struct Matcher<'m, 'w, 'v, 'a, 'p> {
    views: [&'v View<'a, 'p>; 2],
    world: &'m mut World<'w>,
    /// Heap objects of the first state to those of the second, and back; by their first addresses.
    forth: FxHashMap<u64, u64>,
    back: FxHashMap<u64, u64>,
    /// Pairs of heap objects whose content is still to be compared.
    work: Vec<(u64, u64)>,
    unclear: bool,
    /// Are these two runs of one version, under different layouts of memory?
    layouts: bool,
}

impl<'m, 'w, 'v, 'a, 'p> Matcher<'m, 'w, 'v, 'a, 'p> {
    pub fn new(views: [&'v View<'a, 'p>; 2], world: &'m mut World<'w>) -> Self {
        let (forth, back) = (FxHashMap::default(), FxHashMap::default());
        Matcher { views, world, forth, back, work: Vec::new(), unclear: false, layouts: false }
    }

    /// For two runs of one version under different layouts, in which every object has another address.
    pub fn of_layouts(views: [&'v View<'a, 'p>; 2], world: &'m mut World<'w>) -> Self {
        Matcher { layouts: true, ..Matcher::new(views, world) }
    }

    /// Compares everything that counts; `globals` are those that both versions have.
    pub fn verdict(mut self, globals: &[Arc<str>]) -> Verdict {
        match self.first_difference(globals) {
            Some(kind) => Verdict::Differs(kind),
            None if self.unclear => Verdict::Unclear,
            None => Verdict::Same,
        }
    }

    fn first_difference(&mut self, globals: &[Arc<str>]) -> Option<DifferenceKind> {
        let [a, b] = self.views;
        let observe = &self.world.options.observe;
        if a.ran.ending != b.ran.ending {
            return Some(DifferenceKind::Ending);
        }
        let returned = a.ran.ending == Ending::Returned;
        if returned && observe.value && self.returned() == Same::No {
            return Some(DifferenceKind::Value);
        }
        if observe.calls
            && let Some(index) = self.calls()
        {
            return Some(DifferenceKind::Call { index });
        }
        if observe.output && a.ran.run.stdout != b.ran.run.stdout {
            return Some(DifferenceKind::Stdout);
        }
        if observe.output && a.ran.run.stderr != b.ran.run.stderr {
            return Some(DifferenceKind::Stderr);
        }
        if !returned {
            return None;
        }
        for name in globals.iter().filter(|n| observe.globals.as_ref().is_none_or(|list| list.contains(n))) {
            if let Some(offset) = self.global(name) {
                return Some(DifferenceKind::Memory { place: Place::Global(name.clone()), offset });
            }
        }
        if observe.memory {
            for index in 0..self.world.input.objects.len() {
                let place = Place::Object(index);
                if let Some(offset) = self.place(&place) {
                    return Some(DifferenceKind::Memory { place, offset });
                }
            }
        }
        self.heap()
    }

    fn returned(&mut self) -> Same {
        let [a, b] = self.views;
        let ty = |v: &View| v.program().function(v.version.function).ret;
        match (&a.ran.run.outcome, &b.ran.run.outcome, ty(a), ty(b)) {
            (Outcome::Returned(Some(x)), Outcome::Returned(Some(y)), Some(t), Some(u)) => {
                let same = self.value(t, *x, u, *y);
                self.note(same)
            }
            _ => Same::Yes,
        }
    }

    /// The first call that differs.
    fn calls(&mut self) -> Option<usize> {
        let [a, b] = self.views;
        let (left, right) = (a.calls(), b.calls());
        for (n, (i, j)) in left.iter().zip(&right).enumerate() {
            let (x, y) = (&a.ran.run.calls[*i], &b.ran.run.calls[*j]);
            if a.program().function(x.function).name != b.program().function(y.function).name
                || x.args.len() != y.args.len()
            {
                return Some(n);
            }
            let types = arg_types(a.program(), x.function, x.args.len()).zip(arg_types(
                b.program(),
                y.function,
                y.args.len(),
            ));
            for ((t, u), (v, w)) in types.zip(x.args.iter().zip(&y.args)) {
                let same = self.value(t, *v, u, *w);
                if self.note(same) == Same::No {
                    return Some(n);
                }
            }
        }
        (left.len() != right.len()).then(|| left.len().min(right.len()))
    }

    fn global(&mut self, name: &Arc<str>) -> Option<u64> {
        let [a, b] = self.views;
        let size = |v: &View| {
            let global = v.program().global(*v.version.globals.get(name)?);
            Some(match global.storage {
                Storage::Register(ty) => ty.access_size(&v.program().target),
                Storage::Memory { size, .. } => size,
            })
        };
        // Of a variable whose type changed, the content means something else.
        if size(a) != size(b) {
            return None;
        }
        let place = Place::Global(name.clone());
        if let (Some(Type::Float(f)), Some(Type::Float(g))) = (register(a, name), register(b, name))
            && f == g
            && let Some((x, y)) = bits(a, name).zip(bits(b, name))
        {
            return (!same_float(f, x, y)).then_some(0);
        }
        self.place(&place)
    }

    /// The first offset at which a place differs.
    fn place(&mut self, place: &Place) -> Option<u64> {
        let [a, b] = self.views;
        match (a.cells(place), b.cells(place)) {
            (Some(x), Some(y)) => {
                let padding = padding(self.world, [a, b], place);
                self.contents(x, y, Some(place), &padding)
            }
            // Freed by both.
            (None, None) => None,
            _ => {
                self.unclear = true;
                None
            }
        }
    }

    /// Compares corresponding heap objects until there are no more.
    fn heap(&mut self) -> Option<DifferenceKind> {
        let [a, b] = self.views;
        let padding = Padding::unknown([a, b]);
        while let Some((x, y)) = self.work.pop() {
            let len = |v: &View, at| match v.pointee(at) {
                Pointee::Object { size, .. } => size,
                _ => 0,
            };
            let (touched, common) = (a.interp.touched(x).max(b.interp.touched(y)), len(a, x).min(len(b, y)));
            let len = touched.min(common);
            let (Ok(p), Ok(q)) = (a.interp.cells(x, len), b.interp.cells(y, len)) else { continue };
            if let Some(offset) = self.contents(p, q, None, &padding) {
                return Some(DifferenceKind::Heap { offset });
            }
        }
        None
    }

    /// The first offset at which contents differ. What lies behind the cells given is as it was initially:
    /// byte `place` and offset.
    fn contents(
        &mut self,
        x: Vec<Cell>,
        y: Vec<Cell>,
        place: Option<&Place>,
        padding: &Padding,
    ) -> Option<u64> {
        let [a, b] = self.views;
        let len = x.len().max(y.len());
        let word = usize::from(a.program().target.pointer_bits / 8);
        let content = |m: &Self, view: &View, cells: &[Cell], i: usize| match (cells.get(i), place) {
            (Some(Cell::Byte(byte)), _) => Content::Known(*byte),
            (Some(Cell::Unwritten { origin }), _) => m.unwritten(view, *origin),
            (None, Some(place)) => m.fresh(view, place, i as u64),
            (None, None) => Content::Open,
        };
        let left: Vec<Content> = (0..len).map(|i| content(self, a, &x, i)).collect();
        let right: Vec<Content> = (0..len).map(|i| content(self, b, &y, i)).collect();
        let mut differing = Vec::new();
        let mut i = 0;
        while i < len {
            if let Some(len) = self.nan(&left, &right, i) {
                self.unclear = true;
                i += len;
                continue;
            }
            if i % word == 0
                && let (Some(p), Some(q)) = (whole(&left, i, word), whole(&right, i, word))
            {
                match self.word(p, q) {
                    Word::Same => {
                        i += word;
                        continue;
                    }
                    Word::Pointer => return Some(i as u64),
                    Word::Bytes => {}
                }
            }
            let differs = match (&left[i], &right[i]) {
                (Content::Known(p), Content::Known(q)) => p != q,
                (Content::Open, _) | (_, Content::Open) => false,
                (Content::Fresh(p, i), Content::Fresh(q, j)) => {
                    let differs = (p, i) != (q, j);
                    if differs {
                        let byte = self.world.settle_unlike(p, *i, 0);
                        self.world.settle_unlike(q, *j, byte);
                    }
                    differs
                }
                (Content::Known(byte), Content::Fresh(place, at))
                | (Content::Fresh(place, at), Content::Known(byte)) => {
                    self.world.settle_unlike(place, *at, *byte);
                    true
                }
            };
            if differs {
                differing.push(i);
            }
            i += 1;
        }
        self.first_real(&differing, place, padding)
    }

    /// Are these two different results of invalid operations on floats? Their bits mean nothing.
    fn nan(&self, left: &[Content], right: &[Content], i: usize) -> Option<usize> {
        if !self.world.constants.computes_floats {
            return None;
        }
        [(4, 0x7fc0_0000, 1 << 31), (8, 0x7ff8 << 48, 1 << 63)].into_iter().find_map(|(len, nan, sign)| {
            let (x, y) = (whole(left, i, len)?, whole(right, i, len)?);
            (i.is_multiple_of(4) && x != y && x & !sign == nan && y & !sign == nan).then_some(len)
        })
    }

    /// The first of the differing offsets that is not padding, nor bits between bit-fields.
    fn first_real(&mut self, differing: &[usize], place: Option<&Place>, padding: &Padding) -> Option<u64> {
        if !padding.possible {
            return differing.first().map(|i| *i as u64);
        }
        let whole: Vec<usize> = differing.iter().copied().filter(|i| !padding.has_unused_bits(*i)).collect();
        self.unclear |= whole.len() < differing.len();
        let mut at = 0;
        while at < whole.len() {
            let start = whole[at];
            let mut end = start;
            while whole.get(at) == Some(&end) {
                (at, end) = (at + 1, end + 1);
            }
            // What was asked for as part of a value is no padding.
            let asked = place.is_some_and(|p| (start..end).any(|i| self.world.was_asked(p, i as u64)));
            if asked || !padding.covers(start, end) {
                return Some(start as u64);
            }
            self.unclear = true;
        }
        None
    }

    fn word(&mut self, x: u64, y: u64) -> Word {
        let [a, b] = self.views;
        if self.layouts && x == y {
            return Word::Same;
        }
        let points = |v: &View, at| match v.pointee(at) {
            Pointee::Object { .. } | Pointee::Function(_) => Some(true),
            Pointee::Null => Some(false),
            Pointee::Nothing => None,
        };
        // A pointer in one version and null in the other: neither is padding.
        let (Some(p), Some(q)) = (points(a, x), points(b, y)) else {
            return if x == y { Word::Same } else { Word::Bytes };
        };
        match self.pointer(x, y) {
            Same::No if p || q => Word::Pointer,
            Same::Unclear => {
                self.unclear |= x != y;
                Word::Same
            }
            _ => Word::Same,
        }
    }

    fn unwritten(&self, view: &View, origin: u64) -> Content {
        match view.map.place(origin) {
            Some((place, offset)) => self.fresh(view, place, offset),
            None => Content::Open,
        }
    }

    fn fresh(&self, view: &View, place: &Place, offset: u64) -> Content {
        match self.world.input.memory.byte(place, offset) {
            Some(byte) => view.map.byte(&byte).map_or(Content::Open, Content::Known),
            None => Content::Fresh(place.clone(), offset),
        }
    }

    fn note(&mut self, same: Same) -> Same {
        self.unclear |= same == Same::Unclear;
        same
    }

    fn value(&mut self, t: Type, x: u128, u: Type, y: u128) -> Same {
        let of = |same| if same { Same::Yes } else { Same::No };
        match (t, u) {
            (Type::Ptr, Type::Ptr) => self.pointer(x as u64, y as u64),
            (Type::Float(f), Type::Float(g)) if f == g => of(same_float(f, x, y)),
            (Type::Int(f), Type::Int(g)) if f.value(x) == g.value(y) => Same::Yes,
            (Type::Int(f), Type::Int(g)) => {
                let pointer = self.views[0].program().target.pointer_bits;
                let wide = f.bits == pointer && g.bits == pointer;
                of(wide && self.pointer(x as u64, y as u64) == Same::Yes)
            }
            (Type::Ptr, Type::Int(_)) | (Type::Int(_), Type::Ptr) if x == y => Same::Yes,
            _ => Same::Unclear,
        }
    }

    fn pointer(&mut self, x: u64, y: u64) -> Same {
        let [a, b] = self.views;
        let of = |same| if same { Same::Yes } else { Same::No };
        match (a.pointee(x), b.pointee(y)) {
            (Pointee::Null, Pointee::Null) => Same::Yes,
            (Pointee::Null, _) | (_, Pointee::Null) => Same::No,
            (Pointee::Function(f), Pointee::Function(g)) => {
                of(a.program().function(f).name == b.program().function(g).name)
            }
            (Pointee::Nothing, Pointee::Nothing) if x == y => Same::Yes,
            (Pointee::Nothing, _) | (_, Pointee::Nothing) => Same::Unclear,
            (Pointee::Function(_), _) | (_, Pointee::Function(_)) => Same::No,
            (
                Pointee::Object { kind: k, offset: i, live: p, .. },
                Pointee::Object { kind: l, offset: j, live: q, .. },
            ) => match (a.map.place(x), b.map.place(y)) {
                (Some(place), Some(other)) => self.globals((k, i), (l, j), place == other),
                (Some(_), None) => {
                    if q {
                        Same::No
                    } else {
                        Same::Unclear
                    }
                }
                (None, Some(_)) => {
                    if p {
                        Same::No
                    } else {
                        Same::Unclear
                    }
                }
                (None, None) => match (k, l) {
                    (ObjectKind::Heap, ObjectKind::Heap) if p && q => {
                        of(i == j && self.correspond(x - i, y - j))
                    }
                    (ObjectKind::Local(f, v), ObjectKind::Local(g, w)) if i == j => {
                        let name = |view: &View, f, local| {
                            let function = view.program().function(f);
                            (function.name.clone(), function.local(local).name.clone())
                        };
                        if name(a, f, v) == name(b, g, w) { Same::Yes } else { Same::Unclear }
                    }
                    (k, l) if p && q && k != l => Same::No,
                    _ => Same::Unclear,
                },
            },
        }
    }

    /// Pointers to globals. Constants are the same if they have the same content from there on; their names,
    /// of string literals at least, mean nothing.
    fn globals(&self, (k, i): (ObjectKind, u64), (l, j): (ObjectKind, u64), same_place: bool) -> Same {
        let [a, b] = self.views;
        let of = |same| if same { Same::Yes } else { Same::No };
        let (ObjectKind::Global(g), ObjectKind::Global(h)) = (k, l) else { return of(same_place) };
        let (first, second) = (a.program().global(g), b.program().global(h));
        if !first.constant || !second.constant {
            return of(same_place);
        }
        let (Some(x), Some(y)) = (a.interp.global_bytes(g), b.interp.global_bytes(h)) else {
            return Same::Unclear;
        };
        if x.get(i as usize..) == y.get(j as usize..) {
            return Same::Yes;
        }
        // Content with addresses in it differs anyway.
        let literals = first.name.starts_with(".str") && second.name.starts_with(".str");
        if literals { Same::No } else { Same::Unclear }
    }

    fn correspond(&mut self, x: u64, y: u64) -> bool {
        match (self.forth.get(&x), self.back.get(&y)) {
            (None, None) => {
                self.forth.insert(x, y);
                self.back.insert(y, x);
                self.work.push((x, y));
                true
            }
            (Some(known), _) => *known == y,
            (None, Some(_)) => false,
        }
    }
}

fn same_float(f: FloatType, x: u128, y: u128) -> bool {
    let nan = |bits| f64::from_bits(interp::float::convert(f, FloatType::F64, bits) as u64).is_nan();
    x == y || nan(x) && nan(y)
}

fn register(view: &View, name: &str) -> Option<Type> {
    match view.program().global(*view.version.globals.get(name)?).storage {
        Storage::Register(ty) => Some(ty),
        Storage::Memory { .. } => None,
    }
}

fn bits(view: &View, name: &str) -> Option<u128> {
    view.interp.global_bits(*view.version.globals.get(name)?)
}

fn whole(list: &[Content], i: usize, len: usize) -> Option<u64> {
    list.get(i..i + len)?.iter().rev().try_fold(0u64, |word, content| match content {
        Content::Known(byte) => Some(word << 8 | u64::from(*byte)),
        _ => None,
    })
}
