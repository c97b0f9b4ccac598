//! The program's memory: objects with disjoint addresses, each access checked against the object it hits.
//!
//! The common case, an access inside the written part of a live object, is one lookup and one comparison;
//! everything else (first writes, unwritten bytes, errors) takes the slow functions, which also say what is
//! wrong.

mod leak;

use crate::access::Accessed;
use crate::address::{AddressSpace, NULL_PAGE};
use crate::object::Content;
use crate::outcome::UndefinedKind;
use ir::{FuncId, GlobalId, LocalId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    Global(GlobalId),
    Local(FuncId, LocalId),
    VarArgs,
    Heap,
    /// `alloca` and arrays of variable length.
    Stack,
    /// Made by the user of the interpreter, or by a model of a library function.
    Outside,
    /// What an object held before a function without a body changed it; unwritten bytes of the object come
    /// from here.
    Changed,
}

/// Which unwritten byte is meant, independent of where objects lie.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ByteId {
    /// The object, by its kind and by how many of that kind were made before it.
    pub kind: ObjectKind,
    pub nth: u32,
    /// How many calls that havoc there were when the byte got its content; 0: it has it since the object
    /// exists.
    pub changes: u32,
    pub offset: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MemoryFault {
    Undefined(UndefinedKind, String),
    OutOfMemory,
}

/// A byte of memory. One that was never written remembers whose initial byte it is: its own address, or,
/// where unwritten memory was copied, the address it was copied from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    Byte(u8),
    Unwritten { origin: u64 },
}

/// Up to 16 bytes, and which of them were never written (bit i for byte i).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Read {
    pub bytes: [u8; 16],
    pub missing: u32,
    pub object: u32,
    pub offset: u64,
}

#[derive(Debug)]
struct Object {
    content: Content,
    base: u64,
    size: u64,
    kind: ObjectKind,
    /// How many objects of this kind were made before.
    nth: u32,
    live: bool,
    constant: bool,
    /// Bytes that were never written are zero; there are no holes in what is written.
    zero: bool,
    /// Unwritten bytes that were copied from elsewhere: offset to length and the address they come from. Says
    /// nothing about bytes that are written.
    copied: BTreeMap<usize, (usize, u64)>,
    /// For the further address ranges of a giant object: the number of its first.
    part_of: u32,
    /// Code outside of the program can reach it.
    escaped: bool,
    /// Of `ObjectKind::Changed`: the object that was changed (kind, number), and by which call.
    stands_for: Option<(ObjectKind, u32, u32)>,
}

#[derive(Debug)]
pub struct Memory {
    objects: Vec<Object>,
    space: AddressSpace,
    /// How many objects of each kind were made.
    made: FxHashMap<ObjectKind, u32>,
    /// How many calls changed what they could reach.
    changes: u32,
    /// So many heap objects, the first ones, belong to somebody outside.
    foreign: u32,
    used: u64,
    limit: u64,
}

/// What an object costs besides its bytes, roughly.
const OBJECT_COST: u64 = 160;
/// The same for a stretch of copied unwritten bytes.
const COPIED_COST: u64 = 64;

type Result<T> = std::result::Result<T, MemoryFault>;

impl Object {
    /// Whose byte an unwritten one is, and how many bytes from there on come from one place as well.
    fn origin(&self, offset: usize) -> (u64, usize) {
        if let Some((start, (len, origin))) = self.copied.range(..=offset).next_back()
            && offset - start < *len
        {
            return (origin + (offset - start) as u64, len - (offset - start));
        }
        let next = self.copied.range(offset..).next().map_or(usize::MAX, |(start, _)| *start);
        (self.base + offset as u64, next - offset)
    }

    /// Stretches of unwritten bytes behind `from`, with their origins.
    fn origins(&self, from: usize, holes: &[(usize, usize)]) -> Vec<(usize, usize, u64)> {
        let mut list = Vec::new();
        for &(start, count) in holes {
            let mut at = start;
            while at < start + count {
                let (origin, run) = self.origin(from + at);
                let len = run.min(start + count - at);
                list.push((at, len, origin));
                at += len;
            }
        }
        list
    }

    fn set_origin(&mut self, start: usize, len: usize, origin: u64) {
        let end = start + len;
        let overlapping: Vec<usize> = self
            .copied
            .range(..end)
            .rev()
            .take_while(|(s, (n, _))| *s + n > start)
            .map(|(s, _)| *s)
            .collect();
        for s in overlapping {
            let Some((n, from)) = self.copied.remove(&s) else { continue };
            if s < start {
                self.copied.insert(s, (start - s, from));
            }
            if s + n > end {
                self.copied.insert(end, (s + n - end, from + (end - s) as u64));
            }
        }
        if origin != self.base + start as u64 {
            self.copied.insert(start, (len, origin));
        }
    }
}

impl Memory {
    /// All that a run can find out about the objects that live; how many bytes that is.
    pub fn hash_live(&self, hasher: &mut impl Hasher) -> u64 {
        let mut bytes = 0;
        for object in self.objects.iter().filter(|object| object.live) {
            (object.base, object.size, &object.copied).hash(hasher);
            bytes += 64 + object.content.hash_written(hasher);
        }
        bytes
    }

    pub fn new(pointer_bits: u8, limit: u64) -> Self {
        let nobody = Object {
            content: Content::default(),
            base: 0,
            size: 0,
            kind: ObjectKind::Outside,
            nth: 0,
            live: false,
            constant: true,
            zero: false,
            copied: BTreeMap::new(),
            part_of: 0,
            escaped: false,
            stands_for: None,
        };
        let space = AddressSpace::new(pointer_bits);
        Memory {
            objects: vec![nobody],
            space,
            made: FxHashMap::default(),
            changes: 0,
            foreign: 0,
            used: 0,
            limit,
        }
    }

    /// All bits of an address.
    #[inline]
    pub fn mask(&self) -> u64 {
        self.space.mask
    }

    pub fn max_functions(&self) -> u64 {
        self.space.max_functions()
    }

    /// Counts bytes that others keep against the limit; false if there is no room.
    pub fn charge(&mut self, bytes: u64) -> bool {
        self.used = self.used.saturating_add(bytes);
        self.used <= self.limit
    }

    pub fn refund(&mut self, bytes: u64) {
        self.used = self.used.saturating_sub(bytes);
    }

    #[inline]
    pub fn load<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        let object = self.objects.get(self.space.find(address))?;
        object.content.get::<N>(address.wrapping_sub(object.base) as usize)
    }

    /// The fast store: overwrites bytes already written. False if it needs [`Memory::write`].
    #[inline]
    pub fn store<const N: usize>(&mut self, address: u64, bytes: [u8; N]) -> bool {
        match self.objects.get_mut(self.space.find(address)) {
            Some(object) if !object.constant => {
                object.content.set::<N>(address.wrapping_sub(object.base) as usize, bytes)
            }
            _ => false,
        }
    }

    /// A new object: its address and number.
    #[inline(never)]
    pub fn allocate(&mut self, size: u64, align: u64, kind: ObjectKind) -> Result<(u64, u32)> {
        let parts = if self.space.mask == u64::MAX { size >> 32 } else { 0 } + 1;
        let cost = OBJECT_COST.saturating_mul(parts);
        if !self.charge(cost) {
            self.refund(cost);
            return Err(MemoryFault::OutOfMemory);
        }
        let Some(place) = self.space.allocate(size, align) else {
            self.refund(cost);
            return Err(MemoryFault::OutOfMemory);
        };
        let made = self.made.entry(kind).or_default();
        let nth = *made;
        *made += 1;
        let object = Object {
            content: Content::default(),
            base: place.base,
            size,
            kind,
            nth,
            live: true,
            constant: false,
            zero: false,
            copied: BTreeMap::new(),
            part_of: place.index,
            escaped: false,
            stands_for: None,
        };
        if let Some(old) = self.objects.get_mut(place.index as usize) {
            let content = std::mem::take(&mut old.content);
            *old = Object { content, ..object };
            self.refund(cost);
            return Ok((place.base, place.index));
        }
        self.objects.push(object);
        // The address ranges behind a giant object's first lead to it, too.
        while !self.space.is_last(self.objects.len()) {
            self.objects.push(Object {
                content: Content::default(),
                base: place.base,
                size: 0,
                kind,
                nth,
                live: true,
                constant: true,
                zero: false,
                copied: BTreeMap::new(),
                part_of: place.index,
                escaped: false,
                stands_for: None,
            });
        }
        Ok((place.base, place.index))
    }

    /// Ends an object's life.
    #[inline(never)]
    pub fn release(&mut self, index: u32) {
        self.end(index);
        self.space.release(index);
    }

    /// Nobody may access the object any more; its addresses stay its own.
    fn end(&mut self, index: u32) {
        if let Some(object) = self.objects.get_mut(index as usize).filter(|o| o.live) {
            object.live = false;
            let copied = std::mem::take(&mut object.copied).len() as u64 * COPIED_COST;
            self.used = self.used.saturating_sub(object.content.footprint() + copied);
            object.content.clear();
        }
    }

    /// The block of the object at an address is entered or left.
    #[inline(never)]
    pub fn lifetime(&mut self, address: u64, begins: bool) {
        let index = self.space.find(address);
        match self.objects.get_mut(index).filter(|o| o.base == address) {
            Some(object) if begins => object.live = true,
            Some(_) => self.end(index as u32),
            None => {}
        }
    }

    pub fn set_constant(&mut self, index: u32, constant: bool) {
        if let Some(object) = self.objects.get_mut(index as usize) {
            object.constant = constant;
        }
    }

    /// Everything not written (yet) is zero.
    pub fn set_zero(&mut self, index: u32) {
        if let Some(object) = self.objects.get_mut(index as usize) {
            object.zero = true;
        }
    }

    /// `free`.
    #[inline(never)]
    pub fn free(&mut self, address: u64) -> Result<()> {
        if address == 0 {
            return Ok(());
        }
        let index = self.space.find(address);
        let bad = |kind: UndefinedKind, what: &str| {
            Err(MemoryFault::Undefined(kind, format!("{address:#x} is {what}")))
        };
        match self.objects.get(index) {
            Some(o) if o.base == address && o.kind == ObjectKind::Heap => {
                if !o.live {
                    return bad(UndefinedKind::DoubleFree, "freed already");
                }
                self.release(index as u32);
                Ok(())
            }
            Some(o) if o.base == address => {
                bad(UndefinedKind::InvalidFree, &format!("the start of {}", self.describe(o.kind)))
            }
            Some(_) if index != 0 => bad(UndefinedKind::InvalidFree, "not the start of an allocation"),
            _ => bad(UndefinedKind::InvalidFree, "not in any object"),
        }
    }

    pub fn freeable(&self, address: u64) -> bool {
        address == 0
            || self
                .objects
                .get(self.space.find(address))
                .is_some_and(|o| o.live && o.base == address && o.kind == ObjectKind::Heap)
    }

    /// Bytes from an address to the end of the live object it points into, 0 if there is none.
    pub fn object_size(&self, address: u64) -> u64 {
        match self.object_at(address) {
            Some((_, offset, size, true)) => size - offset,
            _ => 0,
        }
    }

    /// May these bytes be accessed? No bytes at all always may.
    pub fn valid(&self, address: u64, len: u64, write: bool) -> bool {
        len == 0 || self.locate(address, len, write).is_ok()
    }

    /// The slow load of up to 16 bytes.
    #[inline(never)]
    pub fn read(&mut self, address: u64, len: usize) -> Result<Read> {
        let (index, offset) = self.locate(address, len as u64, false)?;
        self.materialise(index, offset + len)?;
        let content = &self.objects[index].content;
        let mut read = Read { bytes: [0; 16], missing: 0, object: index as u32, offset: offset as u64 };
        for (i, byte) in read.bytes.iter_mut().enumerate().take(len) {
            match content.byte(offset + i) {
                Some(b) => *byte = b,
                None => read.missing |= 1 << i,
            }
        }
        Ok(read)
    }

    /// The slow store, of any length.
    #[inline(never)]
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (index, offset) = self.locate(address, bytes.len() as u64, true)?;
        self.write_at(index as u32, offset, bytes)
    }

    /// Writes into an object, constant or not: its initial content.
    #[inline(never)]
    pub fn write_at(&mut self, index: u32, offset: usize, bytes: &[u8]) -> Result<()> {
        self.materialise(index as usize, offset)?;
        self.change(index as usize, offset + bytes.len(), |content, size| content.write(offset, bytes, size))
    }

    #[inline(never)]
    pub fn fill(&mut self, address: u64, byte: u8, len: u64) -> Result<()> {
        if len == 0 {
            return Ok(());
        }
        let (index, offset) = self.locate(address, len, true)?;
        self.fill_at(index as u32, offset, byte, len)
    }

    pub fn fill_at(&mut self, index: u32, offset: usize, byte: u8, len: u64) -> Result<()> {
        let n = len as usize;
        self.materialise(index as usize, offset)?;
        self.change(index as usize, offset + n, |content, size| content.fill(offset, n, byte, size))
    }

    /// `memmove`; bytes that were never written stay so, and remember where they come from.
    #[inline(never)]
    pub fn copy(&mut self, to: u64, from: u64, len: u64) -> Result<()> {
        if len == 0 {
            return Ok(());
        }
        let (source, from_offset) = self.locate(from, len, false)?;
        let (target, to_offset) = self.locate(to, len, true)?;
        let n = len as usize;
        self.materialise(source, from_offset + n)?;
        self.materialise(target, to_offset)?;
        if source == target && self.objects[target].content.copy_within(from_offset, to_offset, n) {
            return Ok(());
        }
        if !self.charge(len) {
            self.refund(len);
            return Err(MemoryFault::OutOfMemory);
        }
        let (bytes, holes) = self.objects[source].content.read_range(from_offset, n);
        self.refund(len);
        let origins = self.objects[source].origins(from_offset, &holes);
        if !holes.is_empty() && self.objects[target].zero {
            // Bytes that were never written may not count as zeros.
            self.materialise(target, self.objects[target].size as usize)?;
            self.objects[target].zero = false;
        }
        self.change(target, to_offset + n, |content, size| {
            content.write(to_offset, &bytes, size);
            for (start, count) in holes {
                content.forget(to_offset + start, count);
            }
        })?;
        let before = self.objects[target].copied.len() as u64;
        for (start, count, origin) in origins {
            self.objects[target].set_origin(to_offset + start, count, origin);
        }
        let after = self.objects[target].copied.len() as u64;
        self.refund(before * COPIED_COST);
        if self.charge(after * COPIED_COST) { Ok(()) } else { Err(MemoryFault::OutOfMemory) }
    }

    /// Whose initial byte an unwritten byte of an object is.
    pub fn origin(&self, index: u32, offset: u64) -> u64 {
        self.objects.get(index as usize).map_or(0, |o| o.origin(offset as usize).0)
    }

    /// Makes an object as if it had never been written.
    pub fn make_unwritten(&mut self, index: u32) {
        if let Some(object) = self.objects.get_mut(index as usize) {
            object.zero = false;
            let before = object.content.footprint();
            object.content.forget(0, object.size as usize);
            self.used = (self.used + object.content.footprint()).saturating_sub(before);
        }
    }

    /// Every byte of a range in a live object.
    pub fn cells(&self, address: u64, len: u64) -> Result<Vec<Cell>> {
        if len == 0 {
            return Ok(Vec::new());
        }
        let (index, offset) = self.locate(address, len, false)?;
        let object = &self.objects[index];
        let cell = |i| match object.content.byte(i).or(object.zero.then_some(0)) {
            Some(byte) => Cell::Byte(byte),
            None => Cell::Unwritten { origin: object.origin(i).0 },
        };
        Ok((offset..offset + len as usize).map(cell).collect())
    }

    /// How many bytes from the start of an object may have been read, written or copied to; all behind are as
    /// they were.
    pub fn touched(&self, address: u64) -> u64 {
        let Some((_, object)) = self.object_of(address) else { return 0 };
        let copied = object.copied.last_key_value().map_or(0, |(start, (len, _))| start + len);
        (object.content.extent().max(copied) as u64).min(object.size)
    }

    /// The object that contains (or just ends before) an address: kind, offset, size, alive.
    pub fn object_at(&self, address: u64) -> Option<(ObjectKind, u64, u64, bool)> {
        let (index, object) = self.object_of(address)?;
        let offset = address.wrapping_sub(object.base);
        (index != 0 && offset <= object.size).then_some((object.kind, offset, object.size, object.live))
    }

    /// The object that an address belongs to, or else the one that is nearest to it and not further than
    /// `near`; and whether it is alive.
    pub fn nearest(&self, address: u64, near: u64) -> Option<(Accessed, bool)> {
        // The number of an object is used again; its address is another one then.
        let around = |o: &Object| (address.wrapping_sub(o.base) as i64).unsigned_abs() <= o.size.max(1 << 32);
        let (_, object) = match self.object_of(address).filter(|(i, o)| *i != 0 && around(o)) {
            Some(found) => found,
            None => {
                let distance = |o: &Object| match address < o.base {
                    true => o.base - address,
                    false => (address - o.base).saturating_sub(o.size),
                };
                let all = self.objects.iter().enumerate().skip(1);
                let close = all.filter(|(i, o)| o.part_of as usize == *i && distance(o) <= near);
                close.min_by_key(|(_, o)| (distance(o), !o.live))?
            }
        };
        let Object { kind, base, size, live, .. } = *object;
        Some((Accessed { kind, base, size, offset: address.wrapping_sub(base) as i64 }, live))
    }

    /// Every byte of a range in a live object; None where never written.
    pub fn bytes(&self, address: u64, len: u64) -> Result<Vec<Option<u8>>> {
        if len == 0 {
            return Ok(Vec::new());
        }
        let (index, offset) = self.locate(address, len, false)?;
        let Object { content, zero, .. } = &self.objects[index];
        let byte = |i| content.byte(i).or(zero.then_some(0));
        Ok((offset..offset + len as usize).map(byte).collect())
    }

    /// The byte at an address.
    pub fn identity(&self, address: u64) -> Option<ByteId> {
        let (index, object) = self.object_of(address)?;
        let offset = address.wrapping_sub(object.base);
        let (kind, nth, changes) = object.stands_for.unwrap_or((object.kind, object.nth, 0));
        (index != 0).then_some(ByteId { kind, nth, changes, offset })
    }

    /// The object is known outside of the program from now on.
    pub fn escape(&mut self, address: u64) -> bool {
        let Some((index, object)) = self.object_of(address) else { return false };
        let new = index != 0 && object.live && !object.escaped && object.kind != ObjectKind::Changed;
        if new {
            self.objects[index].escaped = true;
        }
        new
    }

    /// Everything that may be a pointer in the objects that escaped.
    pub fn escaped_words(&self, bytes: usize) -> Vec<u64> {
        let mut words = Vec::new();
        for object in self.objects.iter().filter(|o| o.escaped && o.live) {
            let end = object.content.extent().min(object.size as usize);
            for at in (0..end.saturating_sub(bytes - 1)).step_by(4) {
                let word = (0..bytes).try_fold(0u64, |word, i| {
                    Some(word | u64::from(object.content.byte(at + i)?) << (8 * i))
                });
                words.extend(word.filter(|word| *word >= NULL_PAGE));
            }
        }
        words
    }

    /// Objects that escaped get any content, except for constants. What they held is kept, as what they hold
    /// if nobody says otherwise.
    pub fn change_escaped(&mut self) -> Result<()> {
        self.changes += 1;
        for index in 1..self.objects.len() {
            let object = &self.objects[index];
            let (kind, nth, size) = (object.kind, object.nth, object.size);
            if !object.escaped || !object.live || object.constant || object.part_of as usize != index {
                continue;
            }
            let kept = object.content.footprint();
            let (base, shadow) = self.allocate(size, 16, ObjectKind::Changed)?;
            if !self.charge(kept) {
                return Err(MemoryFault::OutOfMemory);
            }
            let object = &mut self.objects[index];
            let (content, zero) = (object.content.clone(), std::mem::take(&mut object.zero));
            object.content.forget(0, size as usize);
            object.copied = BTreeMap::from([(0, (size as usize, base))]);
            let before = &mut self.objects[shadow as usize];
            (before.content, before.zero) = (content, zero);
            before.stands_for = Some((kind, nth, self.changes));
        }
        Ok(())
    }

    /// What bytes of an object held before it was changed, by the address that unwritten bytes come from.
    pub fn before(&self, origin: u64, len: usize) -> Option<u128> {
        let (_, object) = self.object_of(origin).filter(|(_, o)| o.stands_for.is_some())?;
        let offset = origin.wrapping_sub(object.base) as usize;
        let byte = |i: usize| object.content.byte(offset + i).or(object.zero.then_some(0));
        (0..len.min(16)).try_fold(0u128, |bits, i| Some(bits | u128::from(byte(i)?) << (8 * i)))
    }

    fn object_of(&self, address: u64) -> Option<(usize, &Object)> {
        let index = self.space.find(address);
        let object = self.objects.get(index)?;
        let first = object.part_of as usize;
        Some((first, self.objects.get(first)?))
    }

    /// The object and the offset in it, or what is wrong with the access.
    fn locate(&self, address: u64, len: u64, write: bool) -> Result<(usize, usize)> {
        let bad = |kind, detail| Err(MemoryFault::Undefined(kind, detail));
        let access = || format!("{} {len} bytes at {address:#x}", if write { "writing" } else { "reading" });
        if address < NULL_PAGE {
            return bad(UndefinedKind::NullDereference, access());
        }
        let Some((index, object)) = self.object_of(address).filter(|(i, _)| *i != 0) else {
            return bad(UndefinedKind::OutOfBounds, format!("{}, where no object is", access()));
        };
        let offset = address.wrapping_sub(object.base);
        let what = || {
            let signed = offset as i64;
            format!(
                "{}, offset {signed} of {} of {} bytes",
                access(),
                self.describe(object.kind),
                object.size
            )
        };
        if !object.live {
            let kind = match object.kind {
                ObjectKind::Heap | ObjectKind::Outside => UndefinedKind::UseAfterFree,
                _ => UndefinedKind::UseAfterReturn,
            };
            return bad(kind, what());
        }
        if offset > object.size || object.size - offset < len {
            return bad(UndefinedKind::OutOfBounds, what());
        }
        if write && object.constant {
            return bad(UndefinedKind::WriteToConstant, what());
        }
        Ok((index, offset as usize))
    }

    /// Writes the zeros of a zero object up to `end`, and as many again, so that going through it is linear.
    fn materialise(&mut self, index: usize, end: usize) -> Result<()> {
        let Some(object) = self.objects.get(index).filter(|o| o.zero) else { return Ok(()) };
        let ready = object.content.ready();
        if end <= ready {
            return Ok(());
        }
        let until = (end as u64).max(ready as u64 * 2).max(4096).min(object.size) as usize;
        self.change(index, until, |content, size| content.fill(ready, until - ready, 0, size))
    }

    /// Changes an object's content up to `end`, if that stays within the limit.
    fn change(&mut self, index: usize, end: usize, action: impl FnOnce(&mut Content, u64)) -> Result<()> {
        let Some(object) = self.objects.get_mut(index) else { return Err(MemoryFault::OutOfMemory) };
        let before = object.content.footprint();
        let worst = object.content.footprint_after(end, object.size).max(before);
        if self.used.saturating_add(worst - before) > self.limit {
            return Err(MemoryFault::OutOfMemory);
        }
        action(&mut object.content, object.size);
        self.used = (self.used + object.content.footprint()).saturating_sub(before);
        Ok(())
    }

    fn describe(&self, kind: ObjectKind) -> &'static str {
        match kind {
            ObjectKind::Global(_) => "a global",
            ObjectKind::Local(..) => "a local",
            ObjectKind::VarArgs => "the variable arguments",
            ObjectKind::Heap => "a heap object",
            ObjectKind::Stack => "a stack object",
            ObjectKind::Outside | ObjectKind::Changed => "a library object",
        }
    }
}
