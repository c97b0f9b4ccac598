//! Copying and filling stretches of memory.
//!
//! Short ones of known length are loads and stores. A longer one is a function of the memory before, the
//! addresses and the length; nothing else is known of it.

use crate::expr::Encoder;
use crate::memory::offset;
use crate::mode::{IntMode, Unsupported};
use crate::regions::{Layout, RegionId};
use crate::state::State;
use ir::{Expr, Target, Type};
use logic::Term;

/// The longest stretch that is taken apart, in bytes.
const MAX_BYTES: u64 = 64;

impl Encoder<'_> {
    pub(crate) fn copy(
        &mut self,
        dst: &Expr,
        src: &Expr,
        len: &Expr,
        state: &mut State,
    ) -> Result<(), Unsupported> {
        let to = self.regions.of(self.index, self.function, dst);
        let from = self.regions.of(self.index, self.function, src);
        let (dst, src, n) = (self.expr(dst, state)?, self.expr(src, state)?, self.expr(len, state)?);
        let (to_layout, from_layout) = (self.layout(to)?, self.layout(from)?);
        let (read, write) = units(to_layout, from_layout, self.target());
        let (read_size, write_size) = (read.access_size(self.target()), write.access_size(self.target()));
        let known = self.mode != IntMode::Unbounded || read_size == write_size;
        if let (true, Some(reads), Some(writes)) = (known, pieces(len, read_size), pieces(len, write_size)) {
            // All reads come first: the stretches may overlap.
            let mut values = Vec::new();
            for i in reads {
                values.push(self.load(state, from, offset(src, i), read)?);
            }
            if read_size != write_size {
                let mut bytes = Vec::new();
                for value in values.drain(..) {
                    bytes.extend(self.split(read, value)?);
                }
                for cell in bytes.chunks(write_size as usize) {
                    values.push(self.join(cell, write)?);
                }
            }
            for (i, value) in writes.into_iter().zip(values) {
                self.store(state, to, offset(dst, i), write, value)?;
            }
            return Ok(());
        }
        let name = format!("copy.{}.{}", tag(to_layout), tag(from_layout));
        let args = [self.array(state, to)?, self.array(state, from)?, dst, src, n];
        self.replace(state, to, &name, args)
    }

    pub(crate) fn fill(
        &mut self,
        dst: &Expr,
        byte: &Expr,
        len: &Expr,
        state: &mut State,
    ) -> Result<(), Unsupported> {
        let region = self.regions.of(self.index, self.function, dst);
        let (at, value, n) = (self.expr(dst, state)?, self.expr(byte, state)?, self.expr(len, state)?);
        let layout = self.layout(region)?;
        let (step, cell) = match layout {
            // A number at each address has no bytes that could be set, but zero is zero.
            Layout::Bytes if self.mode == IntMode::Unbounded && byte.as_const() != Some(0) => (1, None),
            Layout::Bytes => (1, Some(value)),
            Layout::Cells(ty) => (ty.access_size(self.target()), self.filled(ty, byte, value)?),
        };
        if let (Some(offsets), Some(cell)) = (pieces(len, step), cell) {
            let array = self.array(state, region)?;
            let result = offsets.iter().fold(array, |array, i| array.store(offset(at, *i), cell));
            state.memory[region.0 as usize] = result;
            return Ok(());
        }
        let args = [self.array(state, region)?, at, value, n];
        self.replace(state, region, &format!("fill.{}", tag(layout)), args)
    }

    /// A cell all of whose bytes are the same.
    fn filled(&mut self, ty: Type, byte: &Expr, value: Term) -> Result<Option<Term>, Unsupported> {
        let size = ty.access_size(self.target());
        if let Some(b) = byte.as_const() {
            let bits = (0..size).fold(0u128, |bits, _| bits << 8 | b & 0xff);
            return Ok(Some(self.constant(ty, bits)?));
        }
        if self.mode == IntMode::Unbounded {
            return Ok((size == 1 && ty.is_int()).then_some(value));
        }
        self.join(&vec![value; size as usize], ty).map(Some)
    }

    fn replace(
        &mut self,
        state: &mut State,
        region: RegionId,
        name: &str,
        args: impl IntoIterator<Item = Term>,
    ) -> Result<(), Unsupported> {
        let sort = self.array(state, region)?.sort();
        state.memory[region.0 as usize] = Term::apply(name, args, sort);
        Ok(())
    }
}

/// What to read and to write at once. They differ if cells are of different sizes, and their bytes have to be
/// regrouped.
fn units(to: Layout, from: Layout, target: &Target) -> (Type, Type) {
    match (to, from) {
        (Layout::Bytes, Layout::Bytes) => (Type::U8, Type::U8),
        (Layout::Cells(ty), Layout::Bytes) | (Layout::Bytes, Layout::Cells(ty)) => (ty, ty),
        (Layout::Cells(a), Layout::Cells(b)) if a.access_size(target) == b.access_size(target) => (b, b),
        (Layout::Cells(a), Layout::Cells(b)) => (b, a),
    }
}

/// The offsets of the elements of a stretch, if it is short and made of whole elements.
fn pieces(len: &Expr, step: u64) -> Option<Vec<u64>> {
    let len = u64::try_from(len.as_const()?).ok()?;
    (len <= MAX_BYTES && step > 0 && len.is_multiple_of(step))
        .then(|| (0..len).step_by(step as usize).collect())
}

fn tag(layout: Layout) -> String {
    match layout {
        Layout::Cells(ty) => ty.to_string(),
        Layout::Bytes => "bytes".to_owned(),
    }
}
