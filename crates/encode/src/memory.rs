//! Reading and writing regions.
//!
//! A region is an array from addresses to values of its cell type, or to bytes. In wrapping mode every
//! element is in its range: reads say so of what they find, writes keep it so. With unbounded integers a
//! region of bytes holds a whole number at each address instead (the heap of paper 004), whatever the sizes
//! of accesses are.

use crate::expr::Encoder;
use crate::mode::{IntMode, Unsupported};
use crate::regions::{Layout, RegionId};
use crate::state::State;
use ir::{IntType, Target, Type};
use logic::{IBig, Op, Sort, Term, subterms_in};

/// The arrays that a memory is made of by writes and choices.
fn unwritten(array: Term) -> Vec<Term> {
    let older = |t: Term| match t.op() {
        Op::Store => &t.args()[..1],
        Op::Ite => &t.args()[1..],
        _ => &[],
    };
    subterms_in([array], older).filter(|t| matches!(t.op(), Op::Var(_) | Op::Apply(_))).collect()
}

/// Writes that a read distinguishes.
const MOST_CASES: u32 = 2;

/// The sort of a region's array.
pub fn memory_sort(mode: IntMode, target: &Target, layout: Layout) -> Result<Sort, Unsupported> {
    let element = match layout {
        Layout::Cells(ty) => mode.sort(ty, target)?,
        Layout::Bytes if mode == IntMode::Bv => Sort::Bv(8),
        Layout::Bytes => Sort::Int,
    };
    Ok(Sort::array(mode.pointer(target), element))
}

impl Encoder<'_> {
    /// The value of type `ty` at an address.
    pub fn load(&mut self, state: &State, region: RegionId, at: Term, ty: Type) -> Result<Term, Unsupported> {
        let array = self.array(state, region)?;
        match self.layout(region)? {
            Layout::Cells(cell) => {
                let value = self.load_or_stored(array, at, cell, MOST_CASES);
                self.reinterpret(cell, ty, value)
            }
            Layout::Bytes if self.mode == IntMode::Unbounded => {
                self.unbounded_value(ty)?;
                Ok(self.select(array, at))
            }
            Layout::Bytes => {
                let size = ty.access_size(self.target());
                let bytes: Vec<Term> =
                    (0..size).map(|i| self.load_cell(array, offset(at, i), Type::U8)).collect();
                self.join(&bytes, ty)
            }
        }
    }

    pub fn store(
        &mut self,
        state: &mut State,
        region: RegionId,
        at: Term,
        ty: Type,
        value: Term,
    ) -> Result<(), Unsupported> {
        let array = self.array(state, region)?;
        let array = match self.layout(region)? {
            Layout::Cells(cell) => {
                let value = self.reinterpret(ty, cell, value)?;
                array.store(at, value)
            }
            Layout::Bytes if self.mode == IntMode::Unbounded => {
                self.unbounded_value(ty)?;
                array.store(at, value)
            }
            Layout::Bytes => {
                let bytes = self.split(ty, value)?;
                bytes.into_iter().zip(0..).fold(array, |array, (byte, i)| array.store(offset(at, i), byte))
            }
        };
        state.memory[region.0 as usize] = array;
        Ok(())
    }

    pub(crate) fn layout(&self, region: RegionId) -> Result<Layout, Unsupported> {
        let found = self.regions.list.get(region.0 as usize);
        found.map(|r| r.layout).ok_or_else(|| Unsupported("memory outside of all regions".to_owned()))
    }

    pub(crate) fn array(&self, state: &State, region: RegionId) -> Result<Term, Unsupported> {
        let found = state.memory.get(region.0 as usize);
        found.copied().ok_or_else(|| Unsupported("memory outside of all regions".to_owned()))
    }

    /// An element of an array of values of type `ty`. Of the last writes that may have been there or not,
    /// each is a case of its own: then what is computed from the value can be simplified for each of them.
    fn load_or_stored(&mut self, array: Term, at: Term, ty: Type, cases: u32) -> Term {
        let value = self.select(array, at);
        let (Op::Select, Some(fewer)) = (value.op(), cases.checked_sub(1)) else {
            return self.load_cell(array, at, ty);
        };
        let (Op::Store, [older, place, stored]) = (value.args()[0].op(), value.args()[0].args()) else {
            return self.load_cell(array, at, ty);
        };
        let same = place.equals(at);
        let older = self.load_or_stored(*older, at, ty, fewer);
        self.aliases.insert(same);
        let value = same.ite(*stored, older);
        self.in_range(ty, value)
    }

    /// An element of an array of values of type `ty`.
    pub(crate) fn load_cell(&mut self, array: Term, at: Term, ty: Type) -> Term {
        let value = self.select(array, at);
        // Elements that were there before are in range on all paths. What was stored may be so only where it
        // was: it can be any term, that of another variable included, if the path to the store bounded it.
        let mut fresh = false;
        for before in unwritten(array) {
            let element = before.select(at);
            let fact = self.mode.type_fact(ty, self.target(), element);
            self.fact(fact);
            self.in_range_always(ty, element);
            fresh |= element == value;
        }
        if fresh { value } else { self.in_range(ty, value) }
    }

    /// Reads pass over writes to other objects.
    fn select(&mut self, array: Term, at: Term) -> Term {
        let mut value = array.select(at);
        while *value.op() == Op::Select {
            let array = value.args()[0];
            if *array.op() != Op::Store || !self.apart(array.args()[1], at) {
                break;
            }
            value = array.args()[0].select(at);
        }
        value
    }

    /// The value of type `to` with the bits of a value of type `from`, which has the same size.
    fn reinterpret(&mut self, from: Type, to: Type, value: Term) -> Result<Term, Unsupported> {
        if from == to {
            return Ok(value);
        }
        if from.access_size(self.target()) != to.access_size(self.target()) {
            return Err(Unsupported(format!("access of type {to} to memory of type {from}")));
        }
        match (self.int_type(from), self.int_type(to)) {
            (Some(_), Some(int)) => Ok(self.wrap(value, int)),
            _ if self.mode == IntMode::Unbounded => {
                Err(Unsupported("floats and integers share memory, and integers are unbounded".to_owned()))
            }
            _ => {
                self.sort(to)?;
                let bits = self.to_bits(from, value);
                Ok(self.of_bits(to, bits))
            }
        }
    }

    fn unbounded_value(&self, ty: Type) -> Result<(), Unsupported> {
        if ty.is_float() {
            return Err(Unsupported("floats in untyped memory, and integers are unbounded".to_owned()));
        }
        Ok(())
    }

    /// The bytes of a value, least first; not for unbounded integers.
    pub(crate) fn split(&mut self, ty: Type, value: Term) -> Result<Vec<Term>, Unsupported> {
        let size = ty.access_size(self.target()) as u32;
        if self.mode == IntMode::Bv {
            let bits = self.to_bits(ty, value);
            return Ok((0..size).map(|i| bits.extract(8 * i + 7, 8 * i)).collect());
        }
        let unsigned = IntType::new((8 * size) as u8, false);
        let number = match ty {
            Type::Float(_) => self.to_bits(ty, value).bv_to_int(false),
            _ => value,
        };
        let bytes: Vec<Term> = (0..size)
            .map(|i| {
                let shifted = number.div(Term::int(IBig::ONE << (8 * i) as usize));
                self.wrap(shifted, IntType::new(8, false))
            })
            .collect();
        let whole = self.wrap(number, unsigned);
        self.split.insert(bytes.clone(), whole);
        Ok(bytes)
    }

    /// The value of these bytes, least first; not for unbounded integers.
    pub(crate) fn join(&mut self, bytes: &[Term], ty: Type) -> Result<Term, Unsupported> {
        self.sort(ty)?;
        if self.mode == IntMode::Bv {
            let bits = bytes.iter().copied().reduce(|low, byte| byte.concat(low));
            return Ok(self.of_bits(ty, bits.unwrap_or(Term::bv(0, 8))));
        }
        let unsigned = Type::int((8 * bytes.len()) as u8, false);
        let number = match self.split.get(bytes) {
            Some(whole) => *whole,
            None => bytes
                .iter()
                .zip(0usize..)
                .fold(Term::int(0), |sum, (byte, i)| sum.add(byte.scale(&(IBig::ONE << (8 * i))))),
        };
        let number = self.in_range(unsigned, number);
        self.reinterpret(unsigned, ty, number)
    }
}

/// `by` bytes further. Objects do not cross the end of the address space, so nothing wraps.
pub(crate) fn offset(at: Term, by: u64) -> Term {
    at.add(Term::number(at.sort(), by))
}
