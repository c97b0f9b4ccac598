//! The bytes of a static object while its initialiser is read: pieces in ascending order, never overlapping,
//! later writes replacing earlier ones.

use crate::hir::{AddressBase, ConstValue, GlobalInit, GlobalInitItem};
use crate::types::BitField;

#[derive(Default)]
pub(super) struct Image {
    pieces: Vec<(u64, ConstValue)>,
}

fn len(value: &ConstValue) -> u64 {
    match value {
        ConstValue::Bytes(bytes) => bytes.len() as u64,
        ConstValue::Address { size, .. } => u64::from(*size),
    }
}

impl Image {
    pub(super) fn finish(self, size: u64) -> GlobalInit {
        let items = self.pieces.into_iter().map(|(offset, value)| GlobalInitItem { offset, value }).collect();
        GlobalInit { items, size }
    }

    pub(super) fn write(&mut self, offset: u64, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let end = self.pieces.last().map_or(0, |(o, v)| o + len(v));
        if offset < end {
            self.clear(offset, offset + bytes.len() as u64);
            if bytes.iter().all(|&b| b == 0) {
                return;
            }
            let at = self.pieces.partition_point(|(o, _)| *o < offset);
            self.pieces.insert(at, (offset, ConstValue::Bytes(bytes.to_vec())));
            return;
        }
        if let Some((_, ConstValue::Bytes(last))) = self.pieces.last_mut()
            && offset == end
        {
            last.extend_from_slice(bytes);
            return;
        }
        if bytes.iter().any(|&b| b != 0) {
            self.pieces.push((offset, ConstValue::Bytes(bytes.to_vec())));
        }
    }

    pub(super) fn write_address(&mut self, at: u64, base: AddressBase, offset: i64, size: u8) {
        let value = ConstValue::Address { base, offset, size };
        self.clear(at, at + u64::from(size));
        let index = self.pieces.partition_point(|(o, _)| *o < at);
        self.pieces.insert(index, (at, value));
    }

    pub(super) fn write_bits(&mut self, offset: u64, field: BitField, value: u128) {
        let (shift, width) = (u32::from(field.shift), u32::from(field.width));
        let count = (shift + width).div_ceil(8) as usize;
        let mut bytes = self.read(offset, count);
        for bit in 0..width {
            let at = (shift + bit) as usize;
            let mask = 1u8 << (at % 8);
            if value >> bit & 1 == 1 {
                bytes[at / 8] |= mask;
            } else {
                bytes[at / 8] &= !mask;
            }
        }
        self.write(offset, &bytes);
    }

    fn read(&self, offset: u64, count: usize) -> Vec<u8> {
        let mut out = vec![0; count];
        let end = offset + count as u64;
        let first = self.pieces.partition_point(|(o, v)| o + len(v) <= offset);
        for (start, value) in self.pieces[first..].iter().take_while(|(o, _)| *o < end) {
            if let ConstValue::Bytes(bytes) = value {
                for (index, byte) in bytes.iter().enumerate() {
                    let at = start + index as u64;
                    if at >= offset && at < end {
                        out[(at - offset) as usize] = *byte;
                    }
                }
            }
        }
        out
    }

    /// Forgets what was written to `lo..hi`.
    pub(super) fn clear(&mut self, lo: u64, hi: u64) {
        let first = self.pieces.partition_point(|(o, v)| o + len(v) <= lo);
        let last = self.pieces.partition_point(|(o, _)| *o < hi);
        if first >= last {
            return;
        }
        let mut kept = Vec::new();
        for (start, value) in self.pieces.drain(first..last) {
            let ConstValue::Bytes(bytes) = value else { continue };
            let end = start + bytes.len() as u64;
            if start < lo {
                kept.push((start, ConstValue::Bytes(bytes[..(lo - start) as usize].to_vec())));
            }
            if end > hi {
                kept.push((hi, ConstValue::Bytes(bytes[(hi - start) as usize..].to_vec())));
            }
        }
        self.pieces.splice(first..first, kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hir::GlobalId;

    fn bytes(image: Image, size: u64) -> Vec<u8> {
        let mut out = vec![0; size as usize];
        let mut end = 0;
        for item in image.finish(size).items {
            assert!(item.offset >= end, "pieces ascend");
            end = item.offset + len(&item.value);
            if let ConstValue::Bytes(bytes) = item.value {
                out[item.offset as usize..][..bytes.len()].copy_from_slice(&bytes);
            }
        }
        out
    }

    #[test]
    fn later_writes_win() {
        let mut image = Image::default();
        image.write(4, &[1, 2, 3, 4]);
        image.write(0, &[9, 9]);
        image.write(5, &[7, 0]);
        image.write_bits(8, BitField { shift: 3, width: 7 }, 0x55);
        image.write_bits(8, BitField { shift: 0, width: 3 }, 5);
        image.clear(1, 2);
        assert_eq!(bytes(image, 10), [9, 0, 0, 0, 1, 7, 0, 4, 0xad, 2]);
    }

    #[test]
    fn addresses_are_replaced_whole() {
        let mut image = Image::default();
        image.write(0, &[1; 16]);
        image.write_address(4, AddressBase::Global(GlobalId(0)), 0, 8);
        assert_eq!(image.finish(16).items.len(), 3);
    }
}
