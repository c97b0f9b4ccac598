//! The points-to graph and its solver: Steensgaard's unification, with offsets.
//!
//! A node is a place for values (a register, a cell of memory) or a class of memory objects. The values in a
//! place point to at most one class: where two meet, the classes become one. Offsets into objects are not
//! unified but flow along assignments as residues, since a pointer into the middle of an object says nothing
//! about the pointer it came from. A class is divided into cells, the stretches of bytes that are accessed as
//! one, at offsets modulo the class's modulus; accesses that overlap share a cell. What is stored is known
//! for each cell.
//!
//! Unknown code (callers of the roots, functions without a body) is described by marks instead of a class of
//! its own:
//! - `outside` (places): holds values that unknown code made;
//! - `pointer` (places): its values are used as pointers. Both together make what it points to foreign;
//! - `leaks` (places): unknown code sees the values, so what they point to is open;
//! - `open` (classes): unknown code can access the objects, so their cells are outside and leak;
//! - `foreign` (classes): pointers into it may come from unknown code, so they may point to any open object.

use super::residue::{Residue, gcd};
use std::collections::{BTreeMap, VecDeque};

pub type Node = u32;

/// A value: what a place holds, or the address of an object of a class, moved by a distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    pub base: Base,
    pub shift: Residue,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    Place(Node),
    Object(Node),
}

/// An access; `view` is the place for what is read and written there.
#[derive(Clone, Copy, Debug)]
struct Deref {
    at: Value,
    size: Option<u64>,
    view: Node,
}

#[derive(Clone, Copy, Debug)]
enum Use {
    Flow(Node, Residue),
    Deref(u32),
}

/// What the uses of a place depend on, besides the identity of the class.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State {
    points: bool,
    at: Option<Residue>,
    outside: bool,
}

#[derive(Default)]
struct Data {
    points_to: Option<Node>,
    at: Option<Residue>,
    /// Where the values go, and how they are moved on the way; and accesses through the values.
    uses: Vec<Use>,
    /// Those that do not know the present state yet.
    new_uses: Vec<Use>,
    outside: bool,
    pointer: bool,
    leaks: bool,
    queued: bool,
    class: Option<Box<Class>>,
}

#[derive(Clone, Default, Debug)]
pub struct Class {
    pub open: bool,
    pub foreign: bool,
    /// 0: offsets are exact.
    pub modulus: u64,
    /// There is one cell, for everything.
    pub whole: bool,
    /// By their first byte; the size, and the place. Disjoint; with a modulus, all below it.
    pub cells: BTreeMap<i64, (u64, Node)>,
    /// Open, and not all cells have been told.
    untold: bool,
}

#[derive(Default)]
pub struct Graph {
    parents: Vec<Node>,
    sizes: Vec<u32>,
    data: Vec<Data>,
    derefs: Vec<Deref>,
    queue: VecDeque<Node>,
    same: Vec<(Node, Node)>,
}

impl Value {
    pub fn place(node: Node) -> Value {
        Value { base: Base::Place(node), shift: Residue::ZERO }
    }

    pub fn object(node: Node) -> Value {
        Value { base: Base::Object(node), shift: Residue::ZERO }
    }

    pub fn moved(self, by: Residue) -> Value {
        Value { base: self.base, shift: self.shift.plus(by) }
    }
}

impl Class {
    /// The first byte of the cell that an access at `at` goes to.
    pub fn start(&self, at: Residue) -> Option<i64> {
        if self.whole {
            return self.cells.keys().next().copied();
        }
        let position = self.position(at.off);
        let (start, (size, _)) = self.cells.range(..=position).next_back()?;
        (position.wrapping_sub(*start) as u64).lt(size).then_some(*start)
    }

    pub fn position(&self, off: i64) -> i64 {
        match i64::try_from(self.modulus) {
            Ok(modulus) if modulus > 0 => off.rem_euclid(modulus),
            _ => off,
        }
    }

    /// Adds a cell; what it overlaps joins it, and the places that became one are pushed on `same`.
    fn insert(&mut self, off: i64, size: Option<u64>, node: Node, same: &mut Vec<(Node, Node)>) {
        let start = self.position(off);
        let end = size.and_then(|size| start.checked_add(i64::try_from(size).ok()?));
        let fits =
            end.filter(|end| self.modulus == 0 || u64::try_from(*end).is_ok_and(|e| e <= self.modulus));
        let Some(end) = fits.filter(|_| !self.whole) else {
            self.whole = true;
            same.extend(self.cells.values().map(|(_, other)| (node, *other)));
            self.cells.clear();
            self.cells.insert(0, (u64::MAX, node));
            return;
        };
        let (mut low, mut high) = (start, end);
        // Cells are disjoint, so those that overlap are next to each other.
        while let Some((&other, &(size, place))) = self.cells.range(..end).next_back() {
            let other_end = other + size as i64;
            if other_end <= start {
                break;
            }
            (low, high) = (low.min(other), high.max(other_end));
            same.push((node, place));
            self.cells.remove(&other);
        }
        self.cells.insert(low, (high.wrapping_sub(low) as u64, node));
    }

    /// Makes offsets as coarse as `step`.
    fn coarsen(&mut self, step: u64, same: &mut Vec<(Node, Node)>) {
        let modulus = gcd(self.modulus.into(), step.into()) as u64;
        if modulus == self.modulus {
            return;
        }
        self.modulus = modulus;
        if !self.whole {
            for (start, (size, node)) in std::mem::take(&mut self.cells) {
                self.insert(start, Some(size), node, same);
            }
        }
    }

    fn absorb(&mut self, other: Class, same: &mut Vec<(Node, Node)>) {
        self.untold |= other.untold || self.open != other.open;
        self.open |= other.open;
        self.foreign |= other.foreign;
        self.coarsen(other.modulus, same);
        for (start, (size, node)) in other.cells {
            self.insert(start, Some(size).filter(|_| !other.whole), node, same);
        }
    }
}

impl Data {
    fn state(&self) -> State {
        State { points: self.points_to.is_some(), at: self.at, outside: self.outside }
    }

    /// All uses are to hear of the new state.
    fn changed(&mut self) {
        put_back(&mut self.new_uses, std::mem::take(&mut self.uses));
    }
}

impl Graph {
    pub fn fresh(&mut self) -> Node {
        let node = self.parents.len() as Node;
        self.parents.push(node);
        self.sizes.push(1);
        self.data.push(Data::default());
        node
    }

    pub fn find(&mut self, mut node: Node) -> Node {
        while self.parents[node as usize] != node {
            let up = self.parents[node as usize];
            self.parents[node as usize] = self.parents[up as usize];
            node = up;
        }
        node
    }

    /// What the values of a place point to, and where.
    pub fn resolve(&mut self, value: Value) -> Option<(Node, Residue)> {
        match value.base {
            Base::Object(node) => Some((self.find(node), value.shift)),
            Base::Place(node) => {
                let node = self.find(node);
                let data = &self.data[node as usize];
                let (class, at) = (data.points_to?, data.at.unwrap_or(Residue::ZERO));
                Some((self.find(class), at.plus(value.shift)))
            }
        }
    }

    pub fn class(&mut self, node: Node) -> &Class {
        let root = self.find(node) as usize;
        self.data[root].class.get_or_insert_default()
    }

    pub fn unify(&mut self, a: Node, b: Node) {
        self.same.push((a, b));
        self.merge_all();
    }

    /// `to` gets the values of `from`.
    pub fn flow(&mut self, from: Value, to: Node) {
        match from.base {
            Base::Object(class) => self.point(to, class, from.shift),
            Base::Place(node) => {
                let node = self.find(node);
                self.data[node as usize].new_uses.push(Use::Flow(to, from.shift));
                self.push(node);
            }
        }
    }

    /// An access of `size` bytes (none: of any number); the answer is the place for what is there.
    pub fn deref(&mut self, at: Value, size: Option<u64>) -> Node {
        let view = self.fresh();
        let deref = Deref { at, size, view };
        match at.base {
            Base::Object(_) => self.access(deref),
            Base::Place(node) => {
                let node = self.find(node);
                self.data[node as usize].new_uses.push(Use::Deref(self.derefs.len() as u32));
                self.push(node);
            }
        }
        self.derefs.push(deref);
        view
    }

    pub fn leak(&mut self, value: Value) {
        match value.base {
            Base::Object(class) => self.open(class, false),
            Base::Place(node) => self.set_leaks(node),
        }
    }

    pub fn set_outside(&mut self, place: Node) {
        let place = self.find(place);
        let data = &mut self.data[place as usize];
        if !std::mem::replace(&mut data.outside, true) {
            data.changed();
            self.push(place);
        }
    }

    pub fn set_pointer(&mut self, place: Node) {
        let place = self.find(place);
        if !std::mem::replace(&mut self.data[place as usize].pointer, true) {
            self.push(place);
        }
    }

    fn set_leaks(&mut self, place: Node) {
        let place = self.find(place);
        if !std::mem::replace(&mut self.data[place as usize].leaks, true) {
            self.push(place);
        }
    }

    pub fn open(&mut self, class: Node, foreign: bool) {
        let root = self.find(class);
        let class = self.data[root as usize].class.get_or_insert_default();
        if !class.open || foreign && !class.foreign {
            class.untold |= !class.open;
            class.open = true;
            class.foreign |= foreign;
            self.push(root);
        }
    }

    /// Follows all flows until nothing changes.
    pub fn solve(&mut self) {
        while let Some(node) = self.queue.pop_front() {
            let node = self.find(node);
            if std::mem::take(&mut self.data[node as usize].queued) {
                self.process(node);
            }
        }
    }

    fn process(&mut self, node: Node) {
        let data = &self.data[node as usize];
        if data.outside && data.pointer {
            let class = match data.points_to {
                Some(class) => class,
                None => {
                    let class = self.fresh();
                    self.point(node, class, Residue::ZERO);
                    class
                }
            };
            self.open(class, true);
        }
        let points_to = self.resolve(Value::place(node));
        let data = &mut self.data[node as usize];
        if let (true, Some((class, _))) = (data.leaks, points_to) {
            self.open(class, false);
        }
        self.tell_uses(node, points_to);
        let root = self.find(node);
        if let Some(class) = &mut self.data[root as usize].class
            && std::mem::take(&mut class.untold)
        {
            let cells: Vec<Node> = class.cells.values().map(|cell| cell.1).collect();
            for cell in cells {
                self.set_outside(cell);
                self.set_leaks(cell);
            }
        }
    }

    fn tell_uses(&mut self, node: Node, points_to: Option<(Node, Residue)>) {
        let data = &mut self.data[node as usize];
        let before = data.state();
        if points_to.is_none() && !before.outside {
            return;
        }
        let uses = std::mem::take(&mut data.new_uses);
        for use_ in &uses {
            match *use_ {
                Use::Flow(to, by) => {
                    if before.outside {
                        self.set_outside(to);
                    }
                    if let Some((class, at)) = points_to {
                        self.point(to, class, at.plus(by));
                    }
                }
                Use::Deref(i) => self.access(self.derefs[i as usize]),
            }
        }
        let root = self.find(node);
        let data = &mut self.data[root as usize];
        if data.state() == before {
            put_back(&mut data.uses, uses);
        } else {
            put_back(&mut data.new_uses, uses);
            self.push(root);
        }
    }

    fn access(&mut self, deref: Deref) {
        let Some((class, at)) = self.resolve(deref.at) else { return };
        let mut data = self.data[class as usize].class.take().unwrap_or_default();
        data.coarsen(at.step, &mut self.same);
        let size = deref.size.filter(|size| *size > 0);
        data.insert(at.off, size.or(deref.size.map(|_| 1)), deref.view, &mut self.same);
        let open = data.open;
        self.data[class as usize].class = Some(data);
        self.merge_all();
        if open {
            self.set_outside(deref.view);
            self.set_leaks(deref.view);
        }
    }

    /// Values at `at` in the objects of `class` come to a place.
    fn point(&mut self, place: Node, class: Node, at: Residue) {
        let place = self.find(place);
        let data = &mut self.data[place as usize];
        let joined = data.at.map_or(at, |old| old.join(at));
        if data.points_to.is_none() || data.at != Some(joined) {
            data.changed();
            data.at = Some(joined);
            self.push(place);
        }
        match self.data[place as usize].points_to {
            Some(old) => self.unify(old, class),
            None => self.data[place as usize].points_to = Some(class),
        }
    }

    fn push(&mut self, node: Node) {
        if !std::mem::replace(&mut self.data[node as usize].queued, true) {
            self.queue.push_back(node);
        }
    }

    fn merge_all(&mut self) {
        while let Some((a, b)) = self.same.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a != b {
                self.merge(a, b);
            }
        }
    }

    fn merge(&mut self, a: Node, b: Node) {
        let (a, b) = if self.sizes[a as usize] >= self.sizes[b as usize] { (a, b) } else { (b, a) };
        self.parents[b as usize] = a;
        self.sizes[a as usize] += self.sizes[b as usize];
        let mut old = std::mem::take(&mut self.data[b as usize]);
        let data = &mut self.data[a as usize];
        let before = [data.state(), old.state()];
        match (data.points_to, old.points_to) {
            (Some(x), Some(y)) => self.same.push((x, y)),
            (x, y) => data.points_to = x.or(y),
        }
        data.at = match (data.at, old.at) {
            (Some(x), Some(y)) => Some(x.join(y)),
            (x, y) => x.or(y),
        };
        data.outside |= old.outside;
        let now = data.state();
        if before[0] != now {
            data.changed();
        }
        if before[1] != now {
            old.changed();
        }
        put_back(&mut data.uses, old.uses);
        put_back(&mut data.new_uses, old.new_uses);
        data.pointer |= old.pointer;
        data.leaks |= old.leaks;
        match (&mut data.class, old.class.take()) {
            (Some(class), Some(mut other)) => {
                if class.cells.len() < other.cells.len() {
                    std::mem::swap(class, &mut other);
                }
                class.absorb(*other, &mut self.same);
            }
            (class @ None, other) => *class = other,
            _ => {}
        }
        self.push(a);
    }
}

/// Appends the shorter list to the longer one.
fn put_back<T>(list: &mut Vec<T>, mut other: Vec<T>) {
    if list.len() < other.len() {
        std::mem::swap(list, &mut other);
    }
    list.append(&mut other);
}
