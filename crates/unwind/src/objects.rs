//! The objects that executions know, and where they lie.
//!
//! Every object has a fixed address, so that a pointer to it is a constant and most accesses are decided
//! without a solver. An object is known by a name that says where it comes from (a global, a local of one
//! call, the n-th allocation at a place in one call), so that the same object has the same address in the
//! next version too. Addresses are otherwise as the interpreter lays them out: far apart on LP64, in granules
//! of 64 bytes on ILP32.

use interp::ObjectKind;
use ir::{FuncId, GlobalId, Program};
use logic::Term;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);

#[derive(Clone, Debug)]
pub struct Object {
    pub name: String,
    pub kind: Kind,
    pub base: u64,
    /// In bytes, as wide as a pointer.
    pub size: Term,
    /// Never written.
    pub constant: bool,
    /// The active call it belongs to, counted from the entry: its size is in terms of that call. What a call
    /// leaves behind belongs to its caller.
    pub level: u32,
    /// A local of a call that is over.
    pub ended: bool,
    /// The call that made it, as a number.
    pub call: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Global(GlobalId),
    /// Made while the program runs, of this kind.
    Made(ObjectKind),
    /// Memory that a pointer from outside leads to.
    Outside,
    /// What an object holds after the n-th call that changed it from outside (`Exec::havocs`).
    Changed {
        object: ObjectId,
        call: u32,
    },
    /// Code; its first byte is its address.
    Function(FuncId),
}

pub struct Objects {
    list: Vec<Object>,
    by_name: FxHashMap<String, ObjectId>,
    /// By first address, with the first address behind what belongs to it.
    places: BTreeMap<u64, (u64, ObjectId)>,
    next: u64,
    wide: bool,
    /// The active call: what is made now belongs to it.
    pub call: u32,
    /// What was made by the active calls, in order.
    new: Vec<ObjectId>,
    /// Where objects lay in an earlier version.
    reserved: BTreeMap<String, (u64, u64)>,
}

/// Where a pointer from outside points: behind the start of its object, since programs step back from
/// pointers they get.
pub const OUTSIDE_OFFSET: u64 = 4096;
pub const OUTSIDE_SIZE: u64 = 65536;

const FLAT_START: u64 = 0x0800_0000;
const WIDE_START: u64 = 1 << 56;
const GRANULE: u64 = 64;

impl Objects {
    pub fn new(program: &Program) -> Objects {
        let wide = program.target.pointer_bits > 32;
        Objects {
            list: Vec::new(),
            by_name: FxHashMap::default(),
            places: BTreeMap::new(),
            next: if wide { WIDE_START } else { FLAT_START },
            wide,
            call: 0,
            new: Vec::new(),
            reserved: BTreeMap::new(),
        }
    }

    pub fn get(&self, id: ObjectId) -> &Object {
        &self.list[id.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.list.len() as u32).map(ObjectId)
    }

    pub fn find(&self, name: &str) -> Option<ObjectId> {
        self.by_name.get(name).copied()
    }

    /// The object of this name, made now if there is none; None when the address space is full. `room` is the
    /// greatest size that it can have.
    pub fn make(&mut self, name: String, kind: Kind, size: Term, room: u64, level: u32) -> Option<ObjectId> {
        if let Some(id) = self.by_name.get(&name) {
            let object = &mut self.list[id.0 as usize];
            object.size = size;
            return Some(*id);
        }
        let span = if self.wide {
            (room >> 32).checked_add(2)?.checked_mul(1 << 32)?
        } else {
            room.clamp(1, 1 << 32).checked_add(room.clamp(GRANULE, 4096))?.next_multiple_of(GRANULE)
        };
        let (base, end) = match self.reserved.remove(&name) {
            Some((base, end)) if end.checked_sub(base)? >= span => (base, end),
            _ => (self.next, self.next.checked_add(span)?),
        };
        if !self.wide && end > 0xffff_0000 {
            return None;
        }
        self.next = self.next.max(end);
        let id = ObjectId(self.list.len() as u32);
        let slot = base;
        // Never zero in its low half, as the interpreter has it.
        let base = if self.wide { slot + 0x1000_0000 + ((slot >> 32) % (1 << 22)) * 64 } else { slot };
        self.places.insert(slot, (end, id));
        self.by_name.insert(name.clone(), id);
        self.list.push(Object {
            name,
            kind,
            base,
            size,
            constant: false,
            level,
            ended: false,
            call: self.call,
        });
        if level > 0 {
            self.new.push(id);
        }
        Some(id)
    }

    /// Where objects lie: name, first address, first address behind.
    pub fn addresses(&self) -> Vec<(String, u64, u64)> {
        let place = |(base, (end, id)): (&u64, &(u64, ObjectId))| (self.get(*id).name.clone(), *base, *end);
        self.places
            .iter()
            .map(place)
            .chain(self.reserved.iter().map(|(n, (b, e))| (n.clone(), *b, *e)))
            .collect()
    }

    /// Objects of these names will lie there; others will not.
    pub fn reserve(&mut self, addresses: &[(String, u64, u64)]) {
        for (name, base, end) in addresses {
            self.next = self.next.max(*end);
            self.reserved.insert(name.clone(), (*base, *end));
        }
    }

    pub fn get_mut(&mut self, id: ObjectId) -> &mut Object {
        &mut self.list[id.0 as usize]
    }

    /// The objects of the calls at this level and below.
    pub fn of_level(&mut self, level: u32) -> Vec<ObjectId> {
        let first = self.new.iter().position(|id| self.list[id.0 as usize].level >= level);
        first.map_or(Vec::new(), |first| self.new.split_off(first))
    }

    /// Who belongs to somebody else now.
    pub fn pass_on(&mut self, id: ObjectId, level: u32, size: Term) {
        let object = &mut self.list[id.0 as usize];
        object.level = level;
        object.size = size;
        if level > 0 {
            self.new.push(id);
        }
    }

    pub fn set_constant(&mut self, id: ObjectId) {
        self.list[id.0 as usize].constant = true;
    }

    /// Is a constant that is added to a pointer larger than what belongs to one object? That is only known
    /// where they lie far apart.
    pub fn are_apart(&self, distance: u128) -> bool {
        let distance = distance as u64;
        self.wide && distance.min(distance.wrapping_neg()) >= 1 << 33
    }

    /// No object lies below this address.
    pub fn lowest(&self) -> u64 {
        if self.wide { WIDE_START } else { FLAT_START }
    }

    /// The object around an address, or right before it.
    pub fn at(&self, address: u64) -> Option<ObjectId> {
        let (_, (end, id)) = self.places.range(..=address).next_back()?;
        (address < *end).then_some(*id)
    }
}
