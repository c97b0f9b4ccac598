//! Reading and writing memory.
//!
//! An access at a known offset touches one cell. At an offset that is not known it touches every place that
//! the offset can be: a read chooses among them by the bits of the offset, a write changes each of them under
//! the condition that it is the one.

use crate::content::{Content, Found, Start};
use crate::exec::{Exec, Fail, Invariants};
use crate::expr::UNKNOWN_POINTER;
use crate::index::{Index, is_at, is_up_to};
use crate::objects::{Kind, ObjectId};
use crate::pointer::Target;
use crate::state::State;
use ir::{FloatType, GlobalId, Type};
use logic::{Op, Sort, Term};
use std::rc::Rc;

/// So many places are distinguished by one access at an unknown offset; larger objects keep a list of what
/// was written.
const MOST_PLACES: u64 = 256;
/// Bytes that one copy of unknown length is followed for.
const MOST_COPIED: u64 = 1024;

impl Exec<'_> {
    pub(crate) fn load(&mut self, state: &State, at: Term, ty: Type) -> Result<Term, Fail> {
        let size = ty.access_size(&self.program.target);
        let mut value: Option<Term> = None;
        for case in self.pointers.cases(&mut self.objects, at).iter() {
            match case.target {
                Target::Object(id, offset) => {
                    let content = self.content(state, id);
                    if !self.check_access(id, &content, offset, size, case.when, false) {
                        continue;
                    }
                    let found = self.read(id, &content, offset, size, ty)?;
                    value = Some(match value {
                        Some(others) => case.when.ite(found, others),
                        None => found,
                    });
                }
                Target::Nowhere => self.undefined(case.when, "an access through a null or wild pointer"),
                Target::Environment => self.traps.push(case.when),
                Target::Unknown => self.unknown.push((case.when, UNKNOWN_POINTER.to_owned())),
            }
        }
        match value {
            Some(value) => Ok(value),
            // Not reached: whatever it is.
            None => Ok(self.ops.constant(ty, 0)?),
        }
    }

    /// `field`: it is written as one, not as an element that is counted.
    pub(crate) fn store(
        &mut self,
        state: &mut State,
        at: Term,
        (ty, field): (Type, bool),
        value: Term,
    ) -> Result<(), Fail> {
        let size = ty.access_size(&self.program.target);
        let cases = self.pointers.cases(&mut self.objects, at);
        for case in cases.iter() {
            match case.target {
                Target::Object(id, offset) => {
                    let content = self.content(state, id);
                    if !self.check_access(id, &content, offset, size, case.when, true) {
                        continue;
                    }
                    // Taken out of the state, so that it is nobody else's and need not be copied.
                    let mut content = match state.objects.remove(&id) {
                        Some(own) => {
                            drop(content);
                            own
                        }
                        None => content,
                    };
                    if let (Some(at), true, Invariants::Guessed(_)) =
                        (offset.as_bv(), field, &self.limits.invariants)
                        && cases.iter().all(|c| std::ptr::eq(c, case) || !leads_into(c.target, id))
                    {
                        self.written.push((id, at as u64));
                    }
                    self.write(id, Rc::make_mut(&mut content), offset, (size, ty), value, case.when)?;
                    state.objects.insert(id, content);
                }
                Target::Nowhere => self.undefined(case.when, "an access through a null or wild pointer"),
                Target::Environment => self.traps.push(case.when),
                Target::Unknown => self.unknown.push((case.when, UNKNOWN_POINTER.to_owned())),
            }
        }
        Ok(())
    }

    /// Ends executions whose access is out of bounds or to a dead object. False: all of them.
    fn check_access(
        &mut self,
        id: ObjectId,
        content: &Content,
        offset: Term,
        size: u64,
        when: Term,
        write: bool,
    ) -> bool {
        let object = self.objects.get(id);
        if matches!(object.kind, Kind::Function(_)) || (write && object.constant) {
            self.undefined(when, "an access to memory that may not be accessed");
            return false;
        }
        let whole = self.size_of(id);
        let bytes = Term::bv(u128::from(size), offset.width());
        let fits = match whole.as_bv() {
            Some(room) if room < u128::from(size) => Term::bool(false),
            Some(room) => is_up_to(offset, (room - u128::from(size)) as u64),
            None => bytes.ule(whole).and(offset.ule(whole.sub(bytes))),
        };
        let fine = fits.and(content.alive);
        let what = if fits.is_true() { "an access to a dead object" } else { "an access out of bounds" };
        if !fine.is_true() {
            let bad = when.and(fine.not());
            // How much memory there is behind a pointer from outside is not known; that it suffices is
            // assumed.
            match self.objects.get(id).kind {
                Kind::Outside => self.traps.push(bad),
                _ => self.undefined(bad, what),
            }
        }
        !fine.is_false()
    }

    /// The program has no meaning where this holds: what it does then is not followed, and nothing is said
    /// about it.
    pub(crate) fn undefined(&mut self, when: Term, what: &'static str) {
        if !when.is_false() {
            self.undefined.push((when, what));
        }
    }

    /// The value at an offset, which lies in the object.
    pub(crate) fn read(
        &mut self,
        id: ObjectId,
        content: &Content,
        offset: Term,
        size: u64,
        ty: Type,
    ) -> Result<Term, Fail> {
        if let Some(at) = offset.as_bv().filter(|_| !content.has_log()) {
            return self.read_at(id, content, at as u64, size, ty);
        }
        let places = self.places(id, offset, size);
        if content.has_log() || places.count > MOST_PLACES {
            return self.read_log(id, content, offset, size, ty);
        }
        let mut values = Vec::new();
        for at in places.list() {
            values.push(self.read_at(id, content, at, size, ty)?);
        }
        // The number of the place, by its bits.
        let number = Index::of(offset).and_then(|index| index.place(places.first, places.step));
        let (index, shift) = match number {
            Some(number) => (number, 0),
            None if places.step.is_power_of_two() => {
                let first = Term::bv(u128::from(places.first), offset.width());
                (offset.sub(first), places.step.trailing_zeros())
            }
            None => {
                let mut chosen = values.first().copied().map_or_else(|| self.ops.constant(ty, 0), Ok)?;
                for (at, value) in places.list().zip(&values).skip(1) {
                    chosen = is_at(offset, at).ite(*value, chosen);
                }
                return Ok(chosen);
            }
        };
        let bits = usize::BITS - values.len().saturating_sub(1).leading_zeros();
        let mut layer = values;
        for bit in 0..bits {
            let position = shift + bit;
            if position >= index.width() {
                break;
            }
            let set = index.extract(position, position).equals(Term::bv(1, 1));
            layer =
                layer.chunks(2).map(|pair| pair.get(1).map_or(pair[0], |b| set.ite(*b, pair[0]))).collect();
        }
        match layer.first() {
            Some(value) => Ok(*value),
            None => Ok(self.ops.constant(ty, 0)?),
        }
    }

    fn write(
        &mut self,
        id: ObjectId,
        content: &mut Content,
        offset: Term,
        (size, ty): (u64, Type),
        value: Term,
        when: Term,
    ) -> Result<(), Fail> {
        let places = self.places(id, offset, size);
        if content.has_log() || (offset.as_bv().is_none() && places.count > MOST_PLACES) {
            return self.write_log(id, content, offset, (size, ty), value, when);
        }
        if let Some(at) = offset.as_bv() {
            let at = at as u64;
            let value = match when.is_true() {
                true => value,
                false => {
                    let old = self.read_at(id, content, at, size, ty)?;
                    when.ite(value, old)
                }
            };
            self.make_room(content, at, size);
            content.put(at, value, size);
            return Ok(());
        }
        for at in places.list() {
            let here = when.and(is_at(offset, at));
            if here.is_false() {
                continue;
            }
            if self.write_into_pointer(content, at, (value, size), here) {
                continue;
            }
            let old = self.read_at(id, content, at, size, ty)?;
            self.make_room(content, at, size);
            content.put(at, here.ite(value, old), size);
        }
        Ok(())
    }

    /// A write that may hit a part of a pointer leaves it whole, in case that it does not.
    fn write_into_pointer(
        &mut self,
        content: &mut Content,
        at: u64,
        (value, size): (Term, u64),
        here: Term,
    ) -> bool {
        let [(start, cell)] = content.overlapping(at, size)[..] else { return false };
        let part = cell.size > size && start <= at && at + size <= start + cell.size;
        if !part || !self.pointers.carries(&self.objects, cell.value) {
            return false;
        }
        let (low, width) = (8 * (at - start) as u32, 8 * size as u32);
        let (whole, mut bits) = (8 * cell.size as u32, self.bits(value));
        if low + width < whole {
            bits = cell.value.extract(whole - 1, low + width).concat(bits);
        }
        if low > 0 {
            bits = bits.concat(cell.value.extract(low - 1, 0));
        }
        content.put(start, here.ite(bits, cell.value), cell.size);
        true
    }

    /// Takes apart cells that a write covers only in part.
    fn make_room(&self, content: &mut Content, at: u64, size: u64) {
        for (start, cell) in content.overlapping(at, size) {
            if start >= at && start + cell.size <= at + size {
                continue;
            }
            let bits = self.bits(cell.value);
            content.remove(start);
            for i in 0..cell.size {
                let byte = bits.extract(8 * i as u32 + 7, 8 * i as u32);
                content.put(start + i, byte, 1);
            }
        }
    }

    /// The value of a type at a known offset.
    pub(crate) fn read_at(
        &mut self,
        id: ObjectId,
        content: &Content,
        at: u64,
        size: u64,
        ty: Type,
    ) -> Result<Term, Fail> {
        let sort = self.ops.sort(ty)?;
        match content.find(at, size) {
            Found::Whole(value) if value.sort() == sort => Ok(value),
            Found::Whole(value) => {
                let bits = self.bits(value);
                Ok(self.ops.of_bits(ty, bits))
            }
            Found::Nothing => self.read_start(id, &content.start, at, size, ty),
            Found::Parts(parts) => {
                let mut bytes = Vec::with_capacity(parts.len());
                for (i, part) in (0..).zip(parts) {
                    bytes.push(match part {
                        Some((cell, k)) => {
                            let bits = self.bits(cell.value);
                            bits.extract(8 * k as u32 + 7, 8 * k as u32)
                        }
                        None => self.read_start(id, &content.start, at + i, 1, Type::U8)?,
                    });
                }
                let bits = bytes.into_iter().reduce(|low, byte| byte.concat(low));
                Ok(self.ops.of_bits(ty, bits.unwrap_or(Term::bv(0, 8))))
            }
        }
    }

    /// What is at an offset that no cell covers.
    fn read_start(
        &mut self,
        id: ObjectId,
        start: &Start,
        at: u64,
        size: u64,
        ty: Type,
    ) -> Result<Term, Fail> {
        let id = match start {
            Start::Zero => return Ok(self.ops.constant(ty, 0)?),
            Start::Wild => {
                let sort = self.ops.sort(ty)?;
                return Ok(self.anything(sort));
            }
            Start::Either(either) => {
                let offset = Term::bv(u128::from(at), self.pointer_width());
                let first = self.read(id, &either.first, offset, size, ty)?;
                let second = self.read(id, &either.second, offset, size, ty)?;
                return Ok(either.when.ite(first, second));
            }
            Start::Of(other, before) if ty == Type::Ptr => {
                let new = self.read_start(*other, &Start::Unwritten, at, size, ty)?;
                let offset = Term::bv(u128::from(at), self.pointer_width());
                return self.unless_kept((id, *other), before, offset, size, new);
            }
            Start::Of(other, _) => *other,
            Start::Unwritten => id,
        };
        let bits = self.unwritten(id, at, size);
        if ty == Type::Ptr && !self.pointers.is_from_outside(bits) {
            let name = format!("*({}+{at})", self.objects.get(id).name);
            match self.objects.get(id).kind {
                Kind::Outside => self.pointers.found_outside(bits, name),
                Kind::Made(_) => self.pointers.uninitialised(bits, name),
                _ => self.pointers.outside_pointer(bits, || name),
            }
            self.unwritten_pointers.push((id, at, bits));
        }
        Ok(self.ops.of_bits(ty, bits))
    }

    /// A pointer in an object that unknown code may have changed (the second object has what it wrote): the
    /// new one, or the one before if that leads into the program.
    pub(crate) fn unless_kept(
        &mut self,
        (id, changed): (ObjectId, ObjectId),
        before: &Content,
        offset: Term,
        size: u64,
        new: Term,
    ) -> Result<Term, Fail> {
        let old = self.read(id, before, offset, size, Type::Ptr)?;
        if !self.pointers.carries(&self.objects, old) {
            return Ok(new);
        }
        // One question for each place, however often it is read.
        let at = offset.as_bv().map_or_else(|| format!("?{}", self.kept_pointers.len()), |at| at.to_string());
        let kept = Term::var(&format!("{}+{at} kept", self.objects.get(changed).name), Sort::Bool);
        self.kept_pointers.push((changed, offset, kept));
        Ok(kept.ite(old, new))
    }

    /// The bits of a value as it lies in memory.
    pub(crate) fn bits(&self, value: Term) -> Term {
        match value.sort() {
            Sort::F32 => self.ops.to_bits(Type::Float(FloatType::F32), value),
            Sort::F64 => self.ops.to_bits(Type::Float(FloatType::F64), value),
            Sort::F128 => self.ops.to_bits(Type::Float(FloatType::F128), value),
            _ => value,
        }
    }

    /// Bytes that nobody wrote, as they are seen in the active call.
    pub(crate) fn unwritten(&mut self, id: ObjectId, at: u64, size: u64) -> Term {
        if self.alone
            && let Some(term) = self.unwritten_known.get(&(id, at, size)).copied()
        {
            return self.import_unwritten(id, at, size, term);
        }
        let name = self.objects.get(id).name.clone();
        let mut bits: Option<Term> = None;
        for i in at..at + size {
            let array = self.arrays.get(&id).copied();
            let byte = *self.unwritten.entry((id, i)).or_insert_with(|| match array {
                // Once it was read at an unknown place, all of it is one array.
                Some(array) => match array.sort() {
                    Sort::Array((Sort::Bv(width), _)) => array.select(Term::bv(u128::from(i), *width)),
                    _ => Term::var(&format!("{name}+{i}"), Sort::Bv(8)),
                },
                None => Term::var(&format!("{name}+{i}"), Sort::Bv(8)),
            });
            bits = Some(bits.map_or(byte, |low| byte.concat(low)));
        }
        let bits = bits.unwrap_or(Term::bv(0, 8));
        self.import_unwritten(id, at, size, bits)
    }

    /// Where an access can be.
    fn places(&mut self, id: ObjectId, offset: Term, size: u64) -> Places {
        let (step, remainder) = match multiples(offset) {
            Some((step, remainder)) if step > stride(offset).0 => (step, remainder),
            _ => stride(offset),
        };
        let step = step.clamp(1, 1 << 40);
        let room = self.objects.get(id).size.as_bv().map_or(u64::MAX, |bits| bits as u64);
        let last = room.saturating_sub(size);
        let first = remainder % step;
        let count = if first > last { 0 } else { (last - first) / step + 1 };
        Places { first, step, count }
    }

    pub(crate) fn copy(&mut self, state: &mut State, dst: Term, src: Term, len: Term) -> Result<(), Fail> {
        let width = dst.width();
        let Some(bytes) = len.as_bv() else { return self.copy_some(state, dst, src, len) };
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        if bytes > 1 << 20 {
            return Err(Fail::Unsupported("a copy of more than a megabyte".to_owned()));
        }
        let pieces = self.pieces(state, src, bytes);
        // All is read before anything is written: the ranges may overlap.
        let mut values = Vec::with_capacity(pieces.len());
        for (at, ty) in pieces {
            let from = src.add(Term::bv(u128::from(at), width));
            values.push((at, ty, self.load(state, from, ty)?));
        }
        for (at, ty, value) in values {
            let to = dst.add(Term::bv(u128::from(at), width));
            self.store(state, to, (ty, true), value)?;
        }
        Ok(())
    }

    /// How a range is best taken apart: at the borders of the cells there, where they are known.
    fn pieces(&mut self, state: &State, src: Term, bytes: u64) -> Vec<(u64, Type)> {
        let mut pieces = Vec::new();
        let mut at = 0;
        let cases = self.pointers.cases(&mut self.objects, src);
        let place = match cases[..] {
            [case] => match case.target {
                Target::Object(id, offset) => offset.as_bv().map(|at| (id, at as u64)),
                _ => None,
            },
            _ => None,
        };
        let content = place.map(|(id, start)| (self.content(state, id), start));
        while at < bytes {
            let cell = content.as_ref().and_then(|(content, start)| {
                let here = start.wrapping_add(at);
                let cells = content.overlapping(here, 1);
                cells.first().filter(|(begin, _)| *begin == here).map(|(_, cell)| cell.size)
            });
            let mut size = cell.unwrap_or(8).min(bytes - at).max(1);
            if cell.is_none() {
                if let Some((content, start)) = &content {
                    // Up to the next cell, unless this is the middle of one.
                    let here = start.wrapping_add(at);
                    let next =
                        content.overlapping(here, size).first().map(|(begin, _)| begin.saturating_sub(here));
                    size = next.filter(|n| *n > 0).unwrap_or(size).min(size);
                } else if bytes > 256 && !bytes.is_multiple_of(8) {
                    size = 1;
                }
                size = 1 << size.ilog2();
            }
            let ty = match size {
                2 => Type::U16,
                4 => Type::U32,
                8 => Type::U64,
                16 => Type::U128,
                _ => Type::U8,
            };
            pieces.push((at, ty));
            at += ty.access_size(&self.program.target);
        }
        pieces
    }

    /// A copy of unknown length, byte by byte.
    fn copy_some(&mut self, state: &mut State, dst: Term, src: Term, len: Term) -> Result<(), Fail> {
        let width = dst.width();
        let most = self.longest(dst).min(self.longest(src)).min(MOST_COPIED);
        let most = self.longest_length(&state.guard, len, most);
        let limit = Term::bv(u128::from(most), len.width());
        self.unknown.push((limit.ult(len), "a long copy of unknown length".to_owned()));
        let mut values = Vec::new();
        for i in 0..most {
            let here = Term::bv(u128::from(i), len.width()).ult(len);
            let at = Term::bv(u128::from(i), width);
            values.push((at, here, self.quietly(here, |exec| exec.load(state, src.add(at), Type::U8))?));
        }
        for (at, here, value) in values {
            self.quietly(here, |exec| {
                let old = exec.load(state, dst.add(at), Type::U8)?;
                exec.store(state, dst.add(at), (Type::U8, false), here.ite(value, old))
            })?;
        }
        Ok(())
    }

    /// Does something whose traps count only under a condition.
    fn quietly<T>(&mut self, when: Term, work: impl FnOnce(&mut Self) -> Result<T, Fail>) -> Result<T, Fail> {
        let traps = std::mem::take(&mut self.traps);
        let unknown = std::mem::take(&mut self.unknown);
        let undefined = std::mem::take(&mut self.undefined);
        let result = work(self);
        let new_undefined = std::mem::replace(&mut self.undefined, undefined);
        self.undefined.extend(new_undefined.into_iter().map(|(t, why)| (t.and(when), why)));
        let new_traps = std::mem::replace(&mut self.traps, traps);
        let new_unknown = std::mem::replace(&mut self.unknown, unknown);
        self.traps.extend(new_traps.into_iter().map(|t| t.and(when)));
        self.unknown.extend(new_unknown.into_iter().map(|(t, why)| (t.and(when), why)));
        result
    }

    /// The size of the largest object that a pointer may lead to.
    fn longest(&mut self, pointer: Term) -> u64 {
        let cases = self.pointers.cases(&mut self.objects, pointer);
        let sizes = cases.iter().filter_map(|case| match case.target {
            Target::Object(id, _) => {
                Some(self.objects.get(id).size.as_bv().map_or(u64::MAX, |bits| bits as u64))
            }
            _ => None,
        });
        sizes.max().unwrap_or(0)
    }

    pub(crate) fn fill(&mut self, state: &mut State, dst: Term, byte: Term, len: Term) -> Result<(), Fail> {
        let width = dst.width();
        let Some(bytes) = len.as_bv() else {
            let most = self.longest(dst).min(MOST_COPIED);
            let most = self.longest_length(&state.guard, len, most);
            let limit = Term::bv(u128::from(most), len.width());
            self.unknown.push((limit.ult(len), "a long fill of unknown length".to_owned()));
            for i in 0..most {
                let here = Term::bv(u128::from(i), len.width()).ult(len);
                let at = dst.add(Term::bv(u128::from(i), width));
                self.quietly(here, |exec| {
                    let old = exec.load(state, at, Type::U8)?;
                    exec.store(state, at, (Type::U8, false), here.ite(byte, old))
                })?;
            }
            return Ok(());
        };
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        if byte.as_bv() == Some(0) && self.clear(state, dst, bytes) {
            return Ok(());
        }
        if bytes > 1 << 20 {
            return Err(Fail::Unsupported("a fill of more than a megabyte".to_owned()));
        }
        let word = (1..8).fold(byte, |word, _| word.concat(byte));
        let mut at = 0;
        while at < bytes {
            let to = dst.add(Term::bv(u128::from(at), width));
            if bytes - at >= 8 {
                self.store(state, to, (Type::U64, false), word)?;
                at += 8;
            } else {
                self.store(state, to, (Type::U8, false), byte)?;
                at += 1;
            }
        }
        Ok(())
    }

    /// All of an object becomes zero, of whatever size its fields are. False if that is not what is filled.
    fn clear(&mut self, state: &mut State, dst: Term, bytes: u64) -> bool {
        let cases = self.pointers.cases(&mut self.objects, dst);
        let [case] = cases[..] else { return false };
        let Target::Object(id, offset) = case.target else { return false };
        let object = self.objects.get(id);
        let whole = offset.as_bv() == Some(0) && object.size.as_bv() == Some(u128::from(bytes));
        if !whole || bytes == 0 || object.kind == Kind::Outside || !case.when.is_true() {
            return false;
        }
        let before = self.content(state, id);
        if self.check_access(id, &before, offset, bytes, case.when, true) {
            let mut content = Content::new(Start::Zero);
            content.alive = before.alive;
            state.objects.insert(id, Rc::new(content));
        }
        true
    }

    pub(crate) fn global_name(&self, id: GlobalId) -> String {
        self.names.get(id.0 as usize).cloned().unwrap_or_default()
    }
}

/// Places at equal distances.
struct Places {
    first: u64,
    step: u64,
    count: u64,
}

impl Places {
    fn list(&self) -> impl Iterator<Item = u64> + use<> {
        let (first, step) = (self.first, self.step);
        (0..self.count).map(move |i| first + i * step)
    }
}

fn leads_into(target: Target, id: ObjectId) -> bool {
    matches!(target, Target::Object(other, _) if other == id)
}

/// A number and a remainder that all values of a sum of multiples leave modulo it, as long as they are
/// offsets in an object: no part is so large that the sum could wrap around.
fn multiples(t: Term) -> Option<(u64, u64)> {
    const SMALL: u128 = 1 << 28;
    if t.width() != 64 {
        return None;
    }
    let gcd = |mut a: u64, mut b: u64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let part = |t: Term| match (t.op(), t.args()) {
        // Small offsets may be negative.
        (Op::Bv(bits), _) if *bits < SMALL => Some((0, *bits as i128)),
        (Op::Bv(bits), _) if *bits > u128::from(u64::MAX) - SMALL => Some((0, *bits as i128 - (1 << 64))),
        (Op::BvMul, [c, x]) if matches!(x.op(), Op::ZeroExtend(_) | Op::SignExtend(_)) => {
            let narrow = x.args()[0].width() <= 32;
            c.as_bv().filter(|bits| narrow && *bits < SMALL).map(|bits| (bits as u64, 0))
        }
        _ => None,
    };
    let args = if *t.op() == Op::BvAdd { t.args() } else { std::slice::from_ref(&t) };
    let mut step = 0;
    let mut sum: i128 = 0;
    for arg in args {
        let (multiple, constant) = part(*arg)?;
        step = gcd(step, multiple);
        sum += constant;
    }
    (step > 1 && args.len() < 8).then(|| (step, sum.rem_euclid(i128::from(step)) as u64))
}

/// A power of two and a remainder that all values of a term leave modulo it.
pub(crate) fn stride(t: Term) -> (u64, u64) {
    stride_of(t, 0)
}

const LARGEST: u64 = 1 << 40;
/// Choices inside of choices are looked into so far.
const DEEPEST: u32 = 10;

fn stride_of(t: Term, depth: u32) -> (u64, u64) {
    let part = |t: &Term| stride_of(*t, depth + 1);
    match (t.op(), t.args()) {
        _ if depth > DEEPEST => (1, 0),
        (Op::Bv(bits), _) => (LARGEST, (*bits as u64) % LARGEST),
        (Op::BvAdd, args) => args.iter().map(part).fold((LARGEST, 0), |(m, r): (u64, u64), (n, s)| {
            let step = m.min(n);
            (step, r.wrapping_add(s) % step)
        }),
        (Op::BvMul, args) => {
            // Of a factor only the power of two that divides it counts.
            let powers = args.iter().map(part).map(|(n, r)| match r {
                0 => n,
                r => 1 << r.trailing_zeros().min(n.trailing_zeros()),
            });
            (powers.fold(1u64, |m, power| m.saturating_mul(power).min(LARGEST)), 0)
        }
        (Op::BvShl, [a, count]) => match count.as_bv() {
            Some(by) if by < 40 => {
                let (step, r) = part(a);
                let step = step.saturating_mul(1 << by).min(LARGEST);
                (step, r.wrapping_shl(by as u32) % step)
            }
            _ => (1, 0),
        },
        (Op::ZeroExtend(_) | Op::SignExtend(_), [a]) => {
            let (step, r) = part(a);
            let step = step.min(1 << a.width().min(40));
            (step, r % step)
        }
        (Op::Concat, [.., low]) => {
            let (step, r) = part(low);
            let step = step.min(1 << low.width().min(40));
            (step, r % step)
        }
        (Op::Ite, [_, a, b]) => {
            let ((m, r), (n, s)) = (part(a), part(b));
            let mut step = m.min(n);
            while step > 1 && r % step != s % step {
                step /= 2;
            }
            (step, r % step)
        }
        _ => (1, 0),
    }
}
