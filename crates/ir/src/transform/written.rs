//! Is what a function reads of its own memory always something that it wrote before?
//!
//! A memory object of a function has any content when the function is entered. Where all that is read of it
//! was written before, nobody can tell whether the object is a new one or the one of an earlier call. The
//! analysis follows, along all paths, which bytes of an object are written for sure. Writes count at places
//! that are known (the object plus a constant); as soon as the address goes anywhere else, all bytes have to
//! be written.

use crate::cfa::{Cfa, Edge, Op};
use crate::expr::{BinOp, Expr, ExprKind};
use crate::program::{Function, LocalId, Storage};
use crate::types::{IntType, Target};

/// Larger objects are not looked into.
const MAX_SIZE: u64 = 4096;
/// Bytes to follow in a function, over all its nodes.
const MAX_WORK: u64 = 1 << 24;

/// Does the function, on every path, write each byte of this memory local before it may read it?
pub(super) fn written_before_read(function: &Function, cfa: &Cfa, local: LocalId, target: &Target) -> bool {
    let Some(Storage::Memory { size, .. }) = function.locals.get(local.0 as usize).map(|l| l.storage) else {
        return false;
    };
    if size > MAX_SIZE || size * u64::from(cfa.node_count()) > MAX_WORK {
        return false;
    }
    let object = Object { local, size, target };
    // What is written for sure at each node that was reached so far.
    let mut at: Vec<Option<Bytes>> = vec![None; cfa.node_count() as usize];
    at[cfa.entry.0 as usize] = Some(Bytes::none(size));
    let mut work = vec![cfa.entry];
    while let Some(node) = work.pop() {
        for edge in cfa.out(node) {
            let Some(mut bytes) = at[node.0 as usize].clone() else { continue };
            object.write(edge, &mut bytes);
            let before = &mut at[edge.to.0 as usize];
            let after = match before {
                Some(old) => old.common(&bytes),
                None => bytes,
            };
            if before.as_ref() != Some(&after) {
                *before = Some(after);
                work.push(edge.to);
            }
        }
    }
    cfa.edges().iter().all(|edge| match &at[edge.from.0 as usize] {
        Some(bytes) => object.op_is_fine(&edge.op, bytes),
        None => true,
    })
}

#[derive(Clone, PartialEq, Eq)]
struct Bytes {
    size: u64,
    words: Vec<u64>,
}

impl Bytes {
    fn none(size: u64) -> Bytes {
        Bytes { size, words: vec![0; size.div_ceil(64) as usize] }
    }

    /// `from..from + len`, as far as it lies in the object; an access beyond ends the execution.
    fn range(&self, from: i128, len: u128) -> std::ops::Range<u64> {
        let clamp = |n: i128| n.clamp(0, i128::from(self.size)) as u64;
        clamp(from)..clamp(from.saturating_add(i128::try_from(len).unwrap_or(i128::MAX)))
    }

    fn add(&mut self, range: std::ops::Range<u64>) {
        range.for_each(|i| self.words[i as usize / 64] |= 1 << (i % 64));
    }

    fn has(&self, mut range: std::ops::Range<u64>) -> bool {
        range.all(|i| self.words[i as usize / 64] >> (i % 64) & 1 == 1)
    }

    fn common(&self, other: &Bytes) -> Bytes {
        let words = self.words.iter().zip(&other.words).map(|(a, b)| a & b).collect();
        Bytes { size: self.size, words }
    }
}

/// Where an address points to.
enum Place {
    /// Into the object, at this offset if it is known.
    Inside(Option<i128>),
    Elsewhere,
}

struct Object<'a> {
    local: LocalId,
    size: u64,
    target: &'a Target,
}

impl Object<'_> {
    /// What the edge adds to what is written for sure.
    fn write(&self, edge: &Edge, bytes: &mut Bytes) {
        let (addr, len) = match &edge.op {
            Op::Store { addr, value } => (addr, Some(u128::from(value.ty.access_size(self.target)))),
            Op::Copy { dst, len, .. } | Op::Fill { dst, len, .. } => (dst, len.as_const()),
            _ => return,
        };
        if let (Place::Inside(Some(offset)), Some(len)) = (self.place(addr), len) {
            bytes.add(bytes.range(offset, len));
        }
    }

    fn op_is_fine(&self, op: &Op, bytes: &Bytes) -> bool {
        match op {
            Op::Store { addr, value } => self.address_is_fine(addr, bytes) && self.expr_is_fine(value, bytes),
            Op::Copy { dst, src, len } => {
                let read = match (self.place(src), len.as_const()) {
                    (Place::Elsewhere, _) => true,
                    (Place::Inside(Some(offset)), Some(len)) => bytes.has(bytes.range(offset, len)),
                    (Place::Inside(_), _) => bytes.has(0..self.size),
                };
                read && self.address_is_fine(dst, bytes)
                    && self.address_is_fine(src, bytes)
                    && self.expr_is_fine(len, bytes)
            }
            Op::Fill { dst, byte, len } => {
                self.address_is_fine(dst, bytes)
                    && self.expr_is_fine(byte, bytes)
                    && self.expr_is_fine(len, bytes)
            }
            op => op.exprs().into_iter().all(|e| self.expr_is_fine(e, bytes)),
        }
    }

    /// The address is only used to write to it; what is it computed from?
    fn address_is_fine(&self, addr: &Expr, bytes: &Bytes) -> bool {
        match &addr.kind {
            ExprKind::AddrLocal(_) => true,
            ExprKind::Binary(BinOp::PtrAdd, base, offset) => {
                self.address_is_fine(base, bytes) && self.expr_is_fine(offset, bytes)
            }
            _ => self.expr_is_fine(addr, bytes),
        }
    }

    fn expr_is_fine(&self, e: &Expr, bytes: &Bytes) -> bool {
        match &e.kind {
            // Who has the address can read all of it.
            ExprKind::AddrLocal(id) => *id != self.local || bytes.has(0..self.size),
            ExprKind::Load(addr) => {
                let len = u128::from(e.ty.access_size(self.target));
                let read = match self.place(addr) {
                    Place::Elsewhere => true,
                    Place::Inside(Some(offset)) => bytes.has(bytes.range(offset, len)),
                    Place::Inside(None) => bytes.has(0..self.size),
                };
                read && self.address_is_fine(addr, bytes)
            }
            ExprKind::Valid { ptr, size, .. } => {
                self.address_is_fine(ptr, bytes) && self.expr_is_fine(size, bytes)
            }
            ExprKind::ObjectSize(ptr) | ExprKind::Freeable(ptr) => self.address_is_fine(ptr, bytes),
            _ => e.children().all(|child| self.expr_is_fine(child, bytes)),
        }
    }

    fn place(&self, addr: &Expr) -> Place {
        match &addr.kind {
            ExprKind::AddrLocal(id) if *id == self.local => Place::Inside(Some(0)),
            ExprKind::Binary(BinOp::PtrAdd, base, by) => match self.place(base) {
                Place::Inside(offset) => {
                    let by = by.as_const().and_then(|bits| Some(by.ty.as_int()?.value(bits)));
                    // Addresses wrap.
                    let intptr = IntType::new(self.target.pointer_bits, true);
                    let sum = offset.zip(by).and_then(|(offset, by)| offset.checked_add(by));
                    Place::Inside(sum.map(|sum| intptr.value(intptr.wrap(sum))))
                }
                Place::Elsewhere => Place::Elsewhere,
            },
            _ => Place::Elsewhere,
        }
    }
}
