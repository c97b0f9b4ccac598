//! Where objects live: two layouts of the address space, both deterministic.
//!
//! LP64: the high half of an address is a number of the object (with a generation that changes when the
//! number is used again), so every object has four gigabytes around it to itself; the low half differs from
//! object to object and is never zero, for programs that squeeze pointers into 32 bits. ILP32: flat, in
//! granules of 64 bytes; a granule belongs to at most one object, at least one free granule lies between two,
//! and a table says whose a granule is. Either way an address leads to its object in constant time. Numbers
//! and places of dead objects are used again only after many others, so that dangling pointers are noticed.

use std::collections::{BTreeMap, VecDeque};

/// Below this nothing can be accessed; an invalid access here is reported as one through a null pointer.
pub const NULL_PAGE: u64 = 4096;
/// Functions lie here, 16 bytes apart, below all objects; not at a round number, which might be meant as one.
const FUNCTIONS: u64 = 0x0517_3000;
const FUNCTION_STEP: u64 = 16;
/// The first address of objects on ILP32; on LP64 they begin above 2^56.
const FLAT_START: u64 = 0x0800_0000;
const FLAT_END: u64 = 0xffff_0000;

const GRANULE_BITS: u32 = 6;
const LEAF_BITS: u32 = 12;
const NUMBER_BITS: u32 = 24;
const GENERATIONS: u64 = 128;
/// The generation of numbers used for the first time: two small integers next to each other are no address.
const FIRST_GENERATION: u64 = 1;

/// The low half of the address of an object on LP64; below 2^30, so that objects and what lies behind them
/// fit.
pub const fn low_half(index: u32) -> u64 {
    0x1000_0000 + (index as u64 % (1 << 22)) * 64
}

/// A place for an object: its number, and its address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub index: u32,
    pub base: u64,
}

#[derive(Debug)]
pub struct AddressSpace {
    flat: bool,
    /// All bits of an address.
    pub mask: u64,
    /// By number: where, and how many granules (ILP32) or numbers (LP64) it takes.
    places: Vec<(u64, u32)>,
    /// Dead places by span, oldest first.
    free: BTreeMap<u32, VecDeque<u32>>,
    /// LP64 places of span 1, by far the most: kept out of the map.
    free_single: VecDeque<u32>,
    /// The next unused address (ILP32).
    next: u64,
    /// ILP32: the object of each granule, 0 for none; an entry stands for 2^LEAF_BITS granules.
    table: Vec<Leaf>,
}

#[derive(Clone, Debug)]
enum Leaf {
    /// All granules belong to one object (or to none), so that large objects are cheap.
    Whole(u32),
    Split(Box<[u32]>),
}

impl AddressSpace {
    pub fn new(pointer_bits: u8) -> Self {
        let flat = pointer_bits <= 32;
        AddressSpace {
            flat,
            mask: if flat { u64::from(u32::MAX) } else { u64::MAX },
            // Number 0 is nobody.
            places: vec![(0, 1)],
            free: BTreeMap::new(),
            free_single: VecDeque::new(),
            next: FLAT_START,
            table: Vec::new(),
        }
    }

    pub fn max_functions(&self) -> u64 {
        (FLAT_START - FUNCTIONS) / FUNCTION_STEP
    }

    pub fn function_address(index: u32) -> u64 {
        FUNCTIONS + u64::from(index) * FUNCTION_STEP
    }

    /// The function whose address this is, if there are `count` of them.
    pub fn function_at(address: u64, count: usize) -> Option<u32> {
        let distance = address.checked_sub(FUNCTIONS)?;
        let index = distance / FUNCTION_STEP;
        (distance % FUNCTION_STEP == 0 && index < count as u64).then_some(index as u32)
    }

    /// The number of the only object that may contain this address; 0 if there is none.
    #[inline]
    pub fn find(&self, address: u64) -> usize {
        if !self.flat {
            return (address >> 32) as usize & ((1 << NUMBER_BITS) - 1);
        }
        let granule = (address >> GRANULE_BITS) as usize;
        match self.table.get(granule >> LEAF_BITS) {
            Some(Leaf::Split(leaf)) => leaf.get(granule & ((1 << LEAF_BITS) - 1)).map_or(0, |&i| i as usize),
            Some(Leaf::Whole(index)) => *index as usize,
            None => 0,
        }
    }

    /// A place for `size` bytes; None when the address space is used up.
    pub fn allocate(&mut self, size: u64, align: u64) -> Option<Place> {
        if self.flat { self.allocate_flat(size, align) } else { self.allocate_numbered(size) }
    }

    /// Are there no numbers from this one on?
    pub fn is_last(&self, index: usize) -> bool {
        index >= self.places.len()
    }

    /// The object at this place is dead.
    pub fn release(&mut self, index: u32) {
        let Some(&(_, span)) = self.places.get(index as usize) else { return };
        if !self.flat && span == 1 {
            self.free_single.push_back(index);
        } else if self.flat {
            self.free.entry(span).or_default().push_back(index);
        }
        // Numbers of giant objects are not used again: there are few, and their generation would have to
        // agree.
    }

    fn allocate_numbered(&mut self, size: u64) -> Option<Place> {
        const QUARANTINE: usize = 1024;
        let span = (size >> 32) + if size & 0xffff_ffff > 1 << 31 { 2 } else { 1 };
        let span = u32::try_from(span).ok().filter(|s| *s <= 1 << 15)?;
        if span == 1 && self.free_single.len() > QUARANTINE {
            let index = self.free_single.pop_front()?;
            let place = &mut self.places[index as usize];
            let generation = ((place.0 >> (32 + NUMBER_BITS)) + 1) % GENERATIONS;
            place.0 = (generation << NUMBER_BITS | u64::from(index)) << 32 | low_half(index);
            return Some(Place { index, base: place.0 });
        }
        let index = self.places.len() as u32;
        if u64::from(index) + u64::from(span) > 1 << NUMBER_BITS {
            return None;
        }
        let base = (FIRST_GENERATION << NUMBER_BITS | u64::from(index)) << 32 | low_half(index);
        for _ in 0..span {
            self.places.push((base, span));
        }
        Some(Place { index, base })
    }

    fn allocate_flat(&mut self, size: u64, align: u64) -> Option<Place> {
        const QUARANTINE: usize = 1024;
        let granule = 1u64 << GRANULE_BITS;
        if size >= FLAT_END - FLAT_START {
            return None;
        }
        // The free granules behind the object grow with it, up to a page.
        let red_zone = size.clamp(granule, 4096);
        let span = (size.max(1) + red_zone).div_ceil(granule) as u32;
        let align = align.max(granule);
        let usable = |places: &[(u64, u32)], i: u32| places[i as usize].0.is_multiple_of(align);
        let exact = self.free.get(&span).filter(|q| q.len() > QUARANTINE);
        if exact.and_then(|q| q.front()).is_some_and(|&i| usable(&self.places, i)) {
            let index = self.free.get_mut(&span)?.pop_front()?;
            return self.reuse(index, size);
        }
        let base = self.next.checked_next_multiple_of(align).unwrap_or(FLAT_END);
        let end = base.saturating_add(u64::from(span) * granule);
        if end > FLAT_END {
            let (&span, position) = self
                .free
                .range(span..)
                .find_map(|(s, q)| q.iter().position(|&i| usable(&self.places, i)).map(|p| (s, p)))?;
            let index = self.free.get_mut(&span)?.remove(position)?;
            return self.reuse(index, size);
        }
        self.next = end;
        let index = u32::try_from(self.places.len()).ok()?;
        self.places.push((base, span));
        self.reuse(index, size)
    }

    fn reuse(&mut self, index: u32, size: u64) -> Option<Place> {
        let (base, span) = self.places[index as usize];
        let used = size.max(1).div_ceil(1 << GRANULE_BITS) as usize;
        let first = (base >> GRANULE_BITS) as usize;
        self.set_owner(first, first + used, index);
        self.set_owner(first + used, first + span as usize, 0);
        Some(Place { index, base })
    }

    fn set_owner(&mut self, first: usize, end: usize, index: u32) {
        const SIZE: usize = 1 << LEAF_BITS;
        if self.table.len() * SIZE < end {
            self.table.resize(end.div_ceil(SIZE), Leaf::Whole(0));
        }
        let mut at = first;
        while at < end {
            let stop = (at / SIZE * SIZE + SIZE).min(end);
            let leaf = &mut self.table[at / SIZE];
            match leaf {
                Leaf::Split(list) if stop - at < SIZE => list[at % SIZE..at % SIZE + (stop - at)].fill(index),
                Leaf::Whole(owner) if *owner == index => {}
                Leaf::Whole(owner) if stop - at < SIZE => {
                    let mut list = vec![*owner; SIZE].into_boxed_slice();
                    list[at % SIZE..at % SIZE + (stop - at)].fill(index);
                    *leaf = Leaf::Split(list);
                }
                _ => *leaf = Leaf::Whole(index),
            }
            at = stop;
        }
    }
}
