//! Accesses at unknown places of large objects.
//!
//! A write is added to the object's list, a read is a choice among all that was written. Where calls are cut
//! off from each other, lists do not cross borders: there a write changes the cells that exist, each under
//! the condition that it is the one, and whatever else the object holds is anything from then on. That has
//! more behaviours than the program, never fewer, and counterexamples are not taken from it.

use crate::content::{Content, Start, Written};
use crate::exec::{Exec, Fail};
use crate::memory::stride;
use crate::objects::ObjectId;
use ir::Type;
use logic::{Sort, Term};

impl Exec<'_> {
    pub(crate) fn write_log(
        &mut self,
        id: ObjectId,
        content: &mut Content,
        offset: Term,
        (size, ty): (u64, Type),
        value: Term,
        when: Term,
    ) -> Result<(), Fail> {
        if !self.limits.cut {
            content.append(offset, size, value, when);
            return Ok(());
        }
        let cells: Vec<_> = content.cells().collect();
        for (at, cell) in cells {
            let here = offset.equals(Term::bv(u128::from(at), offset.width()));
            let apart = aligned(offset, at, cell.size.max(size)) && cell.size == size;
            if apart {
                let old = self.read_at(id, content, at, size, ty)?;
                content.put(at, when.and(here).ite(value, old), size);
            } else {
                let anything = self.anything(cell.value.sort());
                content.put(at, when.ite(anything, cell.value), cell.size);
            }
        }
        content.start = Start::Wild;
        Ok(())
    }

    pub(crate) fn read_log(
        &mut self,
        id: ObjectId,
        content: &Content,
        offset: Term,
        size: u64,
        ty: Type,
    ) -> Result<Term, Fail> {
        let mut value = match offset.as_bv() {
            Some(at) => self.read_at(id, content, at as u64, size, ty)?,
            None => self.read_somewhere(id, content, offset, size, ty)?,
        };
        for entry in content.log() {
            value = self.overwrite(value, offset, (size, ty), entry)?;
        }
        Ok(value)
    }

    /// The value after a write that may have been there.
    fn overwrite(
        &mut self,
        value: Term,
        offset: Term,
        (size, ty): (u64, Type),
        entry: &Written,
    ) -> Result<Term, Fail> {
        self.compared += 1;
        let distance = offset.sub(entry.offset);
        if let Some(bits) = distance.as_bv() {
            // Known to be apart.
            let far = Term::bv(u128::from(entry.size), offset.width());
            let before = distance.neg();
            let near = distance.ult(far).or(before.ult(Term::bv(u128::from(size), offset.width())));
            if near.is_false() {
                return Ok(value);
            }
            if bits == 0 && entry.size == size {
                let new = self.as_type(entry.value, ty)?;
                return Ok(entry.when.ite(new, value));
            }
        }
        let (step, remainder) = stride(distance);
        if entry.size == size && step >= size && step.is_multiple_of(size) && remainder.is_multiple_of(size) {
            let here = entry.when.and(offset.equals(entry.offset));
            let new = self.as_type(entry.value, ty)?;
            return Ok(here.ite(new, value));
        }
        // Byte by byte.
        let (old, new) = (self.bits(value), self.bits(entry.value));
        let mut result: Option<Term> = None;
        for i in 0..size {
            let place = distance.add(Term::bv(u128::from(i), offset.width()));
            let mut byte = old.extract(8 * i as u32 + 7, 8 * i as u32);
            for j in 0..entry.size {
                let here = entry.when.and(place.equals(Term::bv(u128::from(j), offset.width())));
                byte = here.ite(new.extract(8 * j as u32 + 7, 8 * j as u32), byte);
            }
            result = Some(result.map_or(byte, |low| byte.concat(low)));
        }
        let mixed = self.ops.of_bits(ty, result.unwrap_or(old));
        if ty != Type::Ptr {
            return Ok(mixed);
        }
        // A pointer that was not touched stays one.
        let width = offset.width();
        let inside = distance.ult(Term::bv(u128::from(entry.size), width));
        let around = distance.neg().ult(Term::bv(u128::from(size), width));
        Ok(entry.when.and(inside.or(around)).ite(mixed, value))
    }

    /// What the cells and the start hold at an unknown place.
    fn read_somewhere(
        &mut self,
        id: ObjectId,
        content: &Content,
        offset: Term,
        size: u64,
        ty: Type,
    ) -> Result<Term, Fail> {
        let mut value = match &content.start {
            Start::Zero => self.ops.constant(ty, 0)?,
            Start::Unwritten if !self.limits.cut => self.unwritten_at(id, offset, size, ty),
            Start::Of(other, before) => {
                let new = self.unwritten_at(*other, offset, size, ty);
                match ty {
                    Type::Ptr => self.unless_kept((id, *other), before, offset, size, new)?,
                    _ => new,
                }
            }
            Start::Either(either) => {
                let first = self.read_log(id, &either.first, offset, size, ty)?;
                let second = self.read_log(id, &either.second, offset, size, ty)?;
                either.when.ite(first, second)
            }
            _ => {
                let sort = self.ops.sort(ty)?;
                self.anything(sort)
            }
        };
        let cells: Vec<_> = content.cells().collect();
        for (at, cell) in cells {
            let place = Term::bv(u128::from(at), offset.width());
            let entry = Written::new(place, cell.size, cell.value, Term::bool(true));
            value = self.overwrite(value, offset, (size, ty), &entry)?;
        }
        Ok(value)
    }

    /// Bytes that nobody wrote, at an unknown place: elements of an array.
    fn unwritten_at(&mut self, id: ObjectId, offset: Term, size: u64, ty: Type) -> Term {
        let name = format!("memory of {}", self.objects.get(id).name);
        let array = Term::var(&name, Sort::array(offset.sort(), Sort::Bv(8)));
        let mut bits: Option<Term> = None;
        for i in 0..size {
            let at = offset.add(Term::bv(u128::from(i), offset.width()));
            let byte = array.select(at);
            self.unwritten_somewhere.push((id, at, byte));
            bits = Some(bits.map_or(byte, |low| byte.concat(low)));
        }
        let mut bits = bits.unwrap_or(Term::bv(0, 8));
        // Bytes that were read at known places before are known by other names.
        let mut known: Vec<(u64, Term)> = self
            .unwritten
            .iter()
            .filter(|((other, _), _)| *other == id)
            .map(|((_, at), t)| (*at, *t))
            .collect();
        known.sort_by_key(|(at, _)| *at);
        for (at, byte) in known {
            if *byte.op() == logic::Op::Select {
                continue;
            }
            let mut parts: Option<Term> = None;
            for i in 0..size as u32 {
                let here = offset.add(Term::bv(u128::from(i), offset.width()));
                let same = here.equals(Term::bv(u128::from(at), offset.width()));
                let part = same.ite(byte, bits.extract(8 * i + 7, 8 * i));
                parts = Some(parts.map_or(part, |low| part.concat(low)));
            }
            bits = parts.unwrap_or(bits);
        }
        self.arrays.insert(id, array);
        if ty == Type::Ptr {
            let name = format!("*({}+?{})", self.objects.get(id).name, self.unwritten_somewhere.len());
            self.pointers.outside_pointer(bits, || name);
            self.unwritten_pointers_somewhere.push((id, offset, bits));
        }
        self.ops.of_bits(ty, bits)
    }

    /// A value that nothing is known about.
    pub(crate) fn anything(&mut self, sort: Sort) -> Term {
        let count = self.count(false, u32::MAX);
        let name = format!("{}.anything{count}", self.path());
        match sort {
            Sort::Float(e, s) => {
                Term::fp_from(logic::Op::FpFromBits, Term::var(&name, Sort::Bv(e + s)), sort)
            }
            sort => Term::var(&name, sort),
        }
    }

    /// The same bits as a value of a type of the same size.
    fn as_type(&mut self, value: Term, ty: Type) -> Result<Term, Fail> {
        if value.sort() == self.ops.sort(ty)? {
            return Ok(value);
        }
        let bits = self.bits(value);
        Ok(self.ops.of_bits(ty, bits))
    }
}

/// Are all values of `offset` the same as `at` modulo `size`?
fn aligned(offset: Term, at: u64, size: u64) -> bool {
    let (step, remainder) = stride(offset);
    step >= size && step.is_multiple_of(size) && remainder % size == at % size
}
