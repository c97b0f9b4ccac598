//! The content of one memory object: bytes, and which of them were ever written.
//!
//! Most objects are written from their start, so the written bytes are a prefix (`ready`) and one comparison
//! says that an access is fine. Only what is written beyond the prefix is marked in a bitmap, which the
//! prefix swallows as it grows. The buffer itself grows with what is touched, so a huge allocation costs
//! nothing by itself.

use std::hash::{Hash, Hasher};

/// Bytes `0..ready` are written; of the others, those marked in `known`.
#[derive(Clone, Debug, Default)]
pub struct Content {
    data: Vec<u8>,
    ready: usize,
    known: Vec<u64>,
}

impl Content {
    /// Hashes what is written, and where; says how many bytes that is.
    pub fn hash_written(&self, hasher: &mut impl Hasher) -> u64 {
        let data = self.data.get(..self.extent()).unwrap_or(&self.data);
        (self.ready, &self.known, data).hash(hasher);
        data.len() as u64
    }

    /// How many bytes from the start are all written.
    #[inline]
    pub fn ready(&self) -> usize {
        self.ready
    }

    /// No byte at or behind this offset is written.
    pub fn extent(&self) -> usize {
        self.ready.max(self.known.len() * 64)
    }

    /// N bytes at `offset`, if all are written.
    #[inline]
    pub fn get<const N: usize>(&self, offset: usize) -> Option<[u8; N]> {
        let end = offset.checked_add(N)?;
        if end > self.ready {
            return None;
        }
        self.data.get(offset..end)?.first_chunk::<N>().copied()
    }

    /// Overwrites N bytes that are already written; false if they are not.
    #[inline]
    pub fn set<const N: usize>(&mut self, offset: usize, bytes: [u8; N]) -> bool {
        let Some(end) = offset.checked_add(N) else { return false };
        if end > self.ready {
            return false;
        }
        match self.data.get_mut(offset..end).and_then(|s| s.first_chunk_mut::<N>()) {
            Some(slice) => {
                *slice = bytes;
                true
            }
            None => false,
        }
    }

    /// How many bytes of the host's memory this takes.
    pub fn footprint(&self) -> u64 {
        self.data.len() as u64 + self.known.len() as u64 * 8
    }

    /// The footprint after a write up to `end` in an object of `size` bytes, at most.
    pub fn footprint_after(&self, end: usize, size: u64) -> u64 {
        let data = self.target_len(end, size).max(self.data.len()) as u64;
        data + (self.known.len() as u64 * 8).max(end as u64 / 8 + 8)
    }

    pub fn is_written(&self, offset: usize) -> bool {
        offset < self.ready || self.marked(offset)
    }

    /// The byte at `offset`, if written.
    pub fn byte(&self, offset: usize) -> Option<u8> {
        if self.is_written(offset) { self.data.get(offset).copied() } else { None }
    }

    /// Writes bytes and marks them. `size` is the object's.
    pub fn write(&mut self, offset: usize, bytes: &[u8], size: u64) {
        let end = offset + bytes.len();
        self.reserve(end, size);
        if let Some(slice) = self.data.get_mut(offset..end) {
            slice.copy_from_slice(bytes);
        }
        self.mark(offset, bytes.len());
    }

    pub fn fill(&mut self, offset: usize, len: usize, byte: u8, size: u64) {
        self.reserve(offset + len, size);
        if let Some(slice) = self.data.get_mut(offset..offset + len) {
            slice.fill(byte);
        }
        self.mark(offset, len);
    }

    /// Makes bytes unwritten again, as when memory that was never written is copied over them.
    pub fn forget(&mut self, offset: usize, len: usize) {
        let end = offset + len;
        if offset < self.ready {
            let old = std::mem::replace(&mut self.ready, offset);
            if end < old {
                self.set_marks(end, old, true);
            }
        }
        self.set_marks(offset, end, false);
    }

    /// Copies a range, written or not, out of the object: the bytes, and the unwritten stretches in it.
    pub fn read_range(&self, offset: usize, len: usize) -> (Vec<u8>, Vec<(usize, usize)>) {
        let mut bytes = vec![0; len];
        let have = self.data.len().saturating_sub(offset).min(len);
        if have > 0 {
            bytes[..have].copy_from_slice(&self.data[offset..offset + have]);
        }
        let mut holes: Vec<(usize, usize)> = Vec::new();
        for i in self.ready.saturating_sub(offset).min(len)..len {
            if self.marked(offset + i) {
                continue;
            }
            match holes.last_mut() {
                Some((start, count)) if *start + *count == i => *count += 1,
                _ => holes.push((i, 1)),
            }
        }
        (bytes, holes)
    }

    /// Moves bytes inside the written prefix; false if they are not all there.
    pub fn copy_within(&mut self, from: usize, to: usize, len: usize) -> bool {
        if from + len > self.ready || to + len > self.ready {
            return false;
        }
        self.data.copy_within(from..from + len, to);
        true
    }

    /// Forgets everything, for the next object that uses this buffer; large buffers are given back.
    pub fn clear(&mut self) {
        self.ready = 0;
        self.known = Vec::new();
        if self.data.capacity() > 256 {
            self.data = Vec::new();
        } else {
            self.data.clear();
        }
    }

    fn target_len(&self, end: usize, size: u64) -> usize {
        const SMALL: u64 = 4096;
        if size <= SMALL {
            return size as usize;
        }
        // Doubling, so that filling a large object byte by byte is linear.
        (end as u64).max((self.data.len() as u64 * 2).min(size)).max(SMALL) as usize
    }

    fn reserve(&mut self, end: usize, size: u64) {
        if end > self.data.len() {
            let len = self.target_len(end, size).max(end);
            self.data.resize(len, 0);
        }
    }

    fn marked(&self, i: usize) -> bool {
        self.known.get(i / 64).is_some_and(|w| w >> (i % 64) & 1 == 1)
    }

    fn mark(&mut self, offset: usize, len: usize) {
        let end = offset + len;
        if offset > self.ready {
            self.set_marks(offset, end, true);
            return;
        }
        self.ready = self.ready.max(end);
        if !self.known.is_empty() {
            self.advance();
        }
    }

    /// Moves the prefix over marked bytes; whole words where possible.
    fn advance(&mut self) {
        while let Some(&word) = self.known.get(self.ready / 64) {
            let run = (!(word >> (self.ready % 64))).trailing_zeros() as usize;
            let run = run.min(64 - self.ready % 64);
            self.ready += run;
            if run == 0 || !self.ready.is_multiple_of(64) {
                return;
            }
        }
        self.known = Vec::new();
    }

    fn set_marks(&mut self, start: usize, end: usize, value: bool) {
        if start >= end {
            return;
        }
        if value && self.known.len() * 64 < end {
            self.known.resize(end.div_ceil(64), 0);
        }
        let mut at = start;
        while at < end {
            let Some(word) = self.known.get_mut(at / 64) else { return };
            let stop = (at / 64 * 64 + 64).min(end);
            let count = stop - at;
            let mask = (if count == 64 { u64::MAX } else { (1 << count) - 1 }) << (at % 64);
            if value {
                *word |= mask;
            } else {
                *word &= !mask;
            }
            at = stop;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every step against a plain vector of optional bytes.
    #[test]
    fn content_is_a_vector_of_optional_bytes() {
        for size in [1usize, 7, 64, 65, 200, 5000] {
            let mut state = size as u64 * 77;
            let mut next = |n: usize| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 33) as usize % n
            };
            let mut content = Content::default();
            let mut model: Vec<Option<u8>> = vec![None; size];
            for _ in 0..400 {
                let offset = next(size);
                let len = next((size - offset).min(90) + 1);
                match next(4) {
                    0 => {
                        content.forget(offset, len);
                        model[offset..offset + len].fill(None);
                    }
                    1 => {
                        let byte = next(256) as u8;
                        content.fill(offset, len, byte, size as u64);
                        model[offset..offset + len].fill(Some(byte));
                    }
                    2 => {
                        let ready = content.ready();
                        let bytes: Vec<u8> = (0..len).map(|i| i as u8).collect();
                        content.write(ready.min(size - len), &bytes, size as u64);
                        for (i, b) in bytes.iter().enumerate() {
                            model[ready.min(size - len) + i] = Some(*b);
                        }
                    }
                    _ => {
                        let bytes: Vec<u8> = (0..len).map(|i| (i * 3) as u8).collect();
                        content.write(offset, &bytes, size as u64);
                        for (i, b) in bytes.iter().enumerate() {
                            model[offset + i] = Some(*b);
                        }
                    }
                }
                let found: Vec<Option<u8>> = (0..size).map(|i| content.byte(i)).collect();
                assert_eq!(found, model);
                assert!(model[..content.ready()].iter().all(Option::is_some));
                let (bytes, holes) = content.read_range(offset, len);
                for i in 0..len {
                    let hole = holes.iter().any(|&(s, n)| s <= i && i < s + n);
                    assert_eq!((!hole).then_some(bytes[i]), model[offset + i]);
                }
            }
        }
    }
}
