//! Initialisers: brace elision, designators, strings, unknown lengths. Everything becomes a flat list of
//! scalars, records and strings at offsets.

use super::Checker;
use super::constant::Const;
use super::convert::Purpose;
use super::image::Image;
use crate::ast::{self, CharKind, Designator, InitItem, InitList, Initializer};
use crate::hir::{self, Expr, ExprKind, GlobalInit, InitValue, LocalInit, LocalInitItem};
use crate::types::{ArrayLen, BitField, QualType, TypeId, TypeKind, TypeTable};
use base::Span;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// More elements than this in a local `[lo ... hi] = x` are not written out.
const RANGE_LIMIT: u64 = 1 << 16;

enum Value {
    Expr(Expr),
    Bytes(Vec<u8>),
    Const(Const),
    /// The bytes from here on are zero again: a brace list replaces what was there.
    Clear(u64),
}

struct Entry {
    offset: u64,
    bits: Option<BitField>,
    ty: TypeId,
    value: Value,
}

/// A brace list being read.
struct Items<'l> {
    list: &'l [InitItem],
    pos: usize,
}

/// One step of a designator: an element or field, or all elements of a range.
#[derive(Clone, Copy)]
enum Step {
    At(u64),
    Range(u64, u64),
}

/// What an initialiser says, for an object of type `ty` (completed, if its length was unknown).
pub(super) struct Collected {
    pub(super) ty: QualType,
    entries: Vec<Entry>,
    is_static: bool,
    braced: bool,
    /// Static objects may grow beyond their type (flexible array members).
    end: u64,
    /// A value that was checked already but belongs to a subobject of what was tried first.
    pending: Option<Expr>,
    /// The item whose designators have been followed.
    followed: Option<(*const InitItem, usize)>,
    /// The member that each union (by offset and type) holds so far: only another one replaces it.
    members: FxHashMap<(u64, TypeId), u64>,
    unsupported: bool,
}

/// An element of an aggregate.
struct Element {
    ty: QualType,
    offset: u64,
    bits: Option<BitField>,
}

impl Checker<'_> {
    pub(super) fn initializer(&mut self, ty: QualType, init: &Initializer, is_static: bool) -> Collected {
        let poisons = self.poisons;
        let mut out = Collected {
            ty,
            entries: Vec::new(),
            is_static,
            braced: false,
            end: 0,
            pending: None,
            followed: None,
            members: FxHashMap::default(),
            unsupported: false,
        };
        let span = match init {
            Initializer::Expr(e) => e.span,
            Initializer::List(list) => list.span,
        };
        if !self.types.is_array(ty.ty) && !self.types.is_complete(ty.ty) {
            // Reported by the declaration; the initialiser may have errors of its own.
            if let Initializer::Expr(e) = init {
                self.expr_value(e);
            }
            return out;
        }
        let elements = match init {
            Initializer::List(list) => {
                out.braced = true;
                self.braced(ty, 0, None, list, &mut out)
            }
            Initializer::Expr(e) => self.whole(ty, e, span, &mut out),
        };
        if let TypeKind::Array(elem, ArrayLen::Unknown) = *self.types.kind(ty.ty) {
            out.ty.ty = self.types.intern(TypeKind::Array(elem, ArrayLen::Fixed(elements)));
        }
        out.unsupported |= self.poisons != poisons;
        out
    }

    /// An initialiser without braces. Gives the number of elements it has for an array.
    fn whole(&mut self, ty: QualType, e: &ast::Expr, span: Span, out: &mut Collected) -> u64 {
        if let TypeKind::Array(elem, _) = *self.types.kind(ty.ty) {
            if let ast::ExprKind::String { units, kind } = &e.kind
                && self.string_fits(elem.ty, *kind)
            {
                out.braced = true;
                return self.string_init(ty.ty, 0, units, *kind, out);
            }
            if let ast::ExprKind::CompoundLiteral(name, list) = &e.kind {
                let (literal, _) = self.type_name(name);
                if self.compatible(literal.ty, ty.ty) {
                    out.braced = true;
                    return self.braced(literal, 0, None, list, out);
                }
            }
            let e = self.expr_value(e);
            if e.ty.ty != TypeTable::ERROR {
                self.error(span, "invalid initializer");
            }
            return 0;
        }
        if out.is_static
            && self.types.record_of(ty.ty).is_some()
            && let ast::ExprKind::CompoundLiteral(name, list) = &e.kind
        {
            let (literal, _) = self.type_name(name);
            if literal.ty == ty.ty {
                out.braced = true;
                return self.braced(ty, 0, None, list, out);
            }
        }
        let value = self.expr_value(e);
        self.scalar_value(ty, 0, None, value, out);
        0
    }

    /// Converts a value to the subobject's type and records it.
    fn scalar_value(
        &mut self,
        ty: QualType,
        offset: u64,
        bits: Option<BitField>,
        value: Expr,
        out: &mut Collected,
    ) {
        let value = self.assign_convert(value, ty, Purpose::Initialize);
        if value.ty.ty == TypeTable::ERROR {
            return;
        }
        self.record_value(ty.ty, offset, bits, value, out);
    }

    fn record_value(
        &mut self,
        ty: TypeId,
        offset: u64,
        bits: Option<BitField>,
        value: Expr,
        out: &mut Collected,
    ) {
        let size = match bits {
            Some(field) => (u64::from(field.shift) + u64::from(field.width)).div_ceil(8),
            None => self.types.size_of(ty).unwrap_or(0),
        };
        out.end = out.end.max(offset.saturating_add(size));
        let value = if out.is_static {
            match self.eval_static(&value) {
                Some(constant) => Value::Const(constant),
                None => {
                    if self.has_unknown(&value) {
                        out.unsupported = true;
                    } else {
                        self.error(value.span, "initializer element is not constant");
                    }
                    return;
                }
            }
        } else {
            Value::Expr(value)
        };
        out.entries.push(Entry { offset, bits, ty, value });
    }

    fn has_unknown(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Builtin(hir::Builtin::Unknown, _) => true,
            ExprKind::Convert(a) | ExprKind::Neg(a) | ExprKind::BitNot(a) | ExprKind::Not(a) => {
                self.has_unknown(a)
            }
            ExprKind::Binary(_, a, b) | ExprKind::PtrDiff { a, b, .. } => {
                self.has_unknown(a) || self.has_unknown(b)
            }
            ExprKind::PtrOffset { ptr, .. } => self.has_unknown(ptr),
            _ => false,
        }
    }

    /// May a string of this kind initialise an array of `elem`?
    fn string_fits(&self, elem: TypeId, kind: CharKind) -> bool {
        match kind {
            CharKind::Plain | CharKind::Utf8 => {
                matches!(elem, TypeTable::CHAR | TypeTable::SCHAR | TypeTable::UCHAR)
            }
            _ => {
                let unit = self.char_type(kind);
                self.types.int_kind(elem).map(|k| k.to_unsigned())
                    == self.types.int_kind(unit).map(|k| k.to_unsigned())
            }
        }
    }

    fn string_init(
        &mut self,
        ty: TypeId,
        offset: u64,
        units: &[u32],
        kind: CharKind,
        out: &mut Collected,
    ) -> u64 {
        let TypeKind::Array(elem, len) = *self.types.kind(ty) else { return 0 };
        let width = self.types.size_of(elem.ty).unwrap_or(1);
        let mut bytes = self.string_bytes(units, kind);
        let count = match len {
            ArrayLen::Fixed(n) => {
                bytes.truncate(usize::try_from(n.saturating_mul(width)).unwrap_or(usize::MAX));
                n
            }
            _ => units.len() as u64 + 1,
        };
        out.end = out.end.max(offset + count * width);
        if !out.entries.is_empty() {
            out.entries.push(Entry { offset, bits: None, ty, value: Value::Clear(count * width) });
        }
        out.entries.push(Entry { offset, bits: None, ty, value: Value::Bytes(bytes) });
        count
    }

    /// `{ ... }` for a subobject. Gives the number of elements of an array.
    fn braced(
        &mut self,
        ty: QualType,
        offset: u64,
        bits: Option<BitField>,
        list: &InitList,
        out: &mut Collected,
    ) -> u64 {
        match *self.types.kind(ty.ty) {
            TypeKind::Array(elem, _) => {
                if let [InitItem { designators, value: Initializer::Expr(e) }] = &list.items[..]
                    && designators.is_empty()
                    && let ast::ExprKind::String { units, kind } = &e.kind
                    && self.string_fits(elem.ty, *kind)
                {
                    return self.string_init(ty.ty, offset, units, *kind, out);
                }
                let mut items = Items { list: &list.items, pos: 0 };
                self.walk(ty, offset, &mut items, 0, true, out)
            }
            TypeKind::Record(_) => {
                let mut items = Items { list: &list.items, pos: 0 };
                self.walk(ty, offset, &mut items, 0, true, out)
            }
            TypeKind::Vector(..) | TypeKind::Complex(_) => {
                self.poison("complex or vector arithmetic", list.span);
                0
            }
            _ => {
                match list.items.first() {
                    None => self.error(list.span, "empty scalar initializer"),
                    Some(item) => {
                        if !item.designators.is_empty() {
                            self.error(list.span, "designator in initializer for scalar type");
                            return 0;
                        }
                        match &item.value {
                            Initializer::List(inner) => {
                                self.braced(ty, offset, bits, inner, out);
                            }
                            Initializer::Expr(e) => {
                                let value = self.expr_value(e);
                                self.scalar_value(ty, offset, bits, value, out);
                            }
                        }
                    }
                }
                0
            }
        }
    }

    fn element_count(&self, ty: TypeId) -> u64 {
        match self.types.kind(ty) {
            TypeKind::Array(_, ArrayLen::Fixed(n)) => *n,
            TypeKind::Array(..) => u64::MAX,
            TypeKind::Record(id) => {
                let record = self.types.record(*id);
                let fields = record.layout.as_ref().map_or(0, |l| l.fields.len() as u64);
                if record.is_union { fields.min(1) } else { fields }
            }
            _ => 0,
        }
    }

    fn element(&self, ty: TypeId, offset: u64, index: u64) -> Option<Element> {
        match self.types.kind(ty) {
            TypeKind::Array(elem, _) => {
                let size = self.types.size_of(elem.ty)?;
                Some(Element { ty: *elem, offset: offset.checked_add(size.checked_mul(index)?)?, bits: None })
            }
            TypeKind::Record(id) => {
                let field = self.types.record(*id).layout.as_ref()?.fields.get(index as usize)?;
                Some(Element { ty: field.ty, offset: offset + field.offset, bits: field.bits })
            }
            _ => None,
        }
    }

    /// Fills an aggregate from the items at hand, beginning with element `start`. `top`: its braces are
    /// written here, so designators are about it; otherwise it was entered by brace elision, and ends at the
    /// next designator.
    fn walk(
        &mut self,
        ty: QualType,
        offset: u64,
        items: &mut Items,
        start: u64,
        top: bool,
        out: &mut Collected,
    ) -> u64 {
        let count = self.element_count(ty.ty);
        let (mut index, mut reached) = (start, start);
        while let Some(item) = items.list.get(items.pos) {
            if !item.designators.is_empty() && out.followed != Some((items.list.as_ptr(), items.pos)) {
                if !top {
                    break;
                }
                match self.steps(ty, &item.designators) {
                    Some(steps) => {
                        out.followed = Some((items.list.as_ptr(), items.pos));
                        let before = items.pos;
                        let whole = Element { ty, offset, bits: None };
                        index = self.descend(whole, &steps, true, items, out);
                        reached = reached.max(index);
                        if items.pos == before {
                            items.pos += 1;
                        }
                    }
                    None => items.pos += 1,
                }
                continue;
            }
            if index >= count {
                if !top {
                    break;
                }
                let span = match &item.value {
                    Initializer::Expr(e) => {
                        if out.pending.take().is_none() {
                            self.expr_value(e);
                        }
                        e.span
                    }
                    Initializer::List(list) => list.span,
                };
                self.warning(span, "excess elements in initializer");
                items.pos += 1;
                continue;
            }
            let Some(element) = self.element(ty.ty, offset, index) else {
                // The type is broken, and that was reported.
                items.pos += 1;
                continue;
            };
            if self.is_union(ty.ty) {
                out.members.insert((offset, ty.ty), index);
            }
            let before = items.pos;
            self.sub(element, items, out);
            if items.pos == before && count == u64::MAX {
                // An element that takes no value (an empty struct) would be repeated for ever.
                items.pos += 1;
            }
            index += 1;
            reached = reached.max(index);
        }
        reached
    }

    /// Initialises one subobject with the item at hand, and with as many more items as it takes without
    /// braces.
    fn sub(&mut self, element: Element, items: &mut Items, out: &mut Collected) {
        let Element { ty, offset, bits } = element;
        let e = match &items.list[items.pos].value {
            Initializer::List(inner) => {
                items.pos += 1;
                if self.is_flexible(ty, inner.span, out) {
                    return;
                }
                self.braced(ty, offset, bits, inner, out);
                return;
            }
            Initializer::Expr(e) => e,
        };
        match *self.types.kind(ty.ty) {
            TypeKind::Array(elem, _) => {
                if self.is_flexible(ty, e.span, out) {
                    items.pos += 1;
                    return;
                }
                if let ast::ExprKind::String { units, kind } = &e.kind
                    && self.string_fits(elem.ty, *kind)
                {
                    items.pos += 1;
                    self.string_init(ty.ty, offset, units, *kind, out);
                    return;
                }
                if out.is_static
                    && let ast::ExprKind::CompoundLiteral(name, inner) = &e.kind
                {
                    let (literal, _) = self.type_name(name);
                    if self.types.is_array(literal.ty) && self.compatible(literal.ty, ty.ty) {
                        items.pos += 1;
                        self.braced(ty, offset, None, inner, out);
                        return;
                    }
                }
                self.walk(ty, offset, items, 0, false, out);
            }
            TypeKind::Record(_) => {
                if out.is_static
                    && out.pending.is_none()
                    && let ast::ExprKind::CompoundLiteral(name, inner) = &e.kind
                {
                    let (literal, _) = self.type_name(name);
                    if literal.ty == ty.ty {
                        items.pos += 1;
                        self.braced(ty, offset, None, inner, out);
                        return;
                    }
                }
                let value = match out.pending.take() {
                    Some(value) => value,
                    None => self.expr_value(e),
                };
                if value.ty.ty == ty.ty || value.ty.ty == TypeTable::ERROR {
                    items.pos += 1;
                    self.scalar_value(ty, offset, None, value, out);
                } else {
                    out.pending = Some(value);
                    self.walk(ty, offset, items, 0, false, out);
                }
            }
            _ => {
                let value = match out.pending.take() {
                    Some(value) => value,
                    None => self.expr_value(e),
                };
                items.pos += 1;
                self.scalar_value(ty, offset, bits, value, out);
            }
        }
    }

    /// Reports a flexible array member that a local object cannot initialise.
    fn is_flexible(&mut self, ty: QualType, span: Span, out: &Collected) -> bool {
        let flexible = matches!(self.types.kind(ty.ty), TypeKind::Array(_, ArrayLen::Unknown));
        if flexible && !out.is_static {
            self.error(span, "non-static initialization of a flexible array member");
            return true;
        }
        false
    }

    /// Designators as positions; None if reported.
    fn steps(&mut self, ty: QualType, designators: &[Designator]) -> Option<SmallVec<[Step; 4]>> {
        let mut steps = SmallVec::new();
        let mut ty = ty;
        for designator in designators {
            match designator {
                Designator::Field(field) => {
                    let Some(id) = self.types.record_of(ty.ty) else {
                        if ty.ty != TypeTable::ERROR {
                            self.error(field.span, "field name not in record or union initializer");
                        }
                        return None;
                    };
                    let Some(path) = self.find_field(id, field.name) else {
                        let message = format!(
                            "'{}' has no member named '{}'",
                            self.show_type(ty.ty),
                            self.text(field.name)
                        );
                        self.error(field.span, message);
                        return None;
                    };
                    for index in path {
                        steps.push(Step::At(index.into()));
                        ty = self.element(ty.ty, 0, index.into())?.ty;
                    }
                }
                Designator::Index(e) | Designator::Range(e, _) => {
                    let TypeKind::Array(elem, len) = *self.types.kind(ty.ty) else {
                        if ty.ty != TypeTable::ERROR {
                            self.error(e.span, "array index in non-array initializer");
                        }
                        return None;
                    };
                    let lo = self.array_index(e, len)?;
                    match designator {
                        Designator::Range(_, hi) => {
                            let hi_value = self.array_index(hi, len)?;
                            if hi_value < lo {
                                self.error(e.span, "empty index range in initializer");
                                return None;
                            }
                            steps.push(Step::Range(lo, hi_value));
                        }
                        _ => steps.push(Step::At(lo)),
                    }
                    ty = elem;
                }
            }
        }
        Some(steps)
    }

    fn array_index(&mut self, e: &ast::Expr, len: ArrayLen) -> Option<u64> {
        let value = self.constant_int(e, "array index in initializer is not an integer constant")?;
        let limit = if let ArrayLen::Fixed(n) = len { n } else { i64::MAX as u64 };
        match u64::try_from(value) {
            Ok(index) if index < limit => Some(index),
            _ => {
                self.error(e.span, "array index in initializer exceeds array bounds");
                None
            }
        }
    }

    /// Follows `steps`, initialises what they lead to with the item at hand, then goes on with the items
    /// after it as long as they have no designators. Gives the position after the first step's.
    fn descend(
        &mut self,
        target: Element,
        steps: &[Step],
        top: bool,
        items: &mut Items,
        out: &mut Collected,
    ) -> u64 {
        let Element { ty, offset, bits } = target;
        let Some((step, rest)) = steps.split_first() else {
            if matches!(items.list[items.pos].value, Initializer::List(_))
                && !out.entries.is_empty()
                && bits.is_none()
            {
                self.clear(ty.ty, offset, out);
            }
            self.sub(target, items, out);
            return 0;
        };
        let (lo, hi) = match *step {
            Step::At(index) => (index, index),
            Step::Range(lo, hi) => (lo, hi),
        };
        if self.is_union(ty.ty) && out.members.insert((offset, ty.ty), lo) != Some(lo) {
            self.clear(ty.ty, offset, out);
        }
        let Some(element) = self.element(ty.ty, offset, lo) else { return lo + 1 };
        let mark = out.entries.len();
        let size = self.types.size_of(element.ty.ty).unwrap_or(0);
        self.descend(element, rest, false, items, out);
        if hi > lo {
            self.replicate(mark, hi - lo, size, items.list, out);
        }
        let next = hi + 1;
        if !top {
            self.walk(ty, offset, items, next, false, out);
        }
        next
    }

    fn is_union(&self, ty: TypeId) -> bool {
        self.types.record_of(ty).is_some_and(|id| self.types.record(id).is_union)
    }

    /// Only if something there was initialised before.
    fn clear(&mut self, ty: TypeId, offset: u64, out: &mut Collected) {
        let Some(size) = self.types.size_of(ty) else { return };
        let overlaps =
            out.entries.iter().rev().any(|e| e.offset >= offset && e.offset < offset.saturating_add(size));
        if overlaps {
            out.entries.push(Entry { offset, bits: None, ty, value: Value::Clear(size) });
        }
    }

    /// Repeats the entries from `mark` on for the next `count` elements.
    fn replicate(&mut self, mark: usize, count: u64, stride: u64, list: &[InitItem], out: &mut Collected) {
        let made = (out.entries.len() - mark) as u64;
        let span = match list.first().map(|i| &i.value) {
            Some(Initializer::Expr(e)) => e.span,
            Some(Initializer::List(l)) => l.span,
            None => Span::NONE,
        };
        out.end = out.end.saturating_add(count.saturating_mul(stride));
        // Static objects need no entries for zeros.
        if out.is_static {
            let all_zero = out.entries[mark..].iter().all(|e| matches!(e.value, Value::Const(Const::Int(0))));
            if all_zero && mark == 0 {
                return;
            }
        }
        if made.saturating_mul(count) > if out.is_static { 1 << 22 } else { RANGE_LIMIT } {
            self.poison("a very long range in an initializer", span);
            out.unsupported = true;
            return;
        }
        // A value that is computed is computed once.
        for index in mark..mark + made as usize {
            let entry = &mut out.entries[index];
            if let Value::Expr(e) = &entry.value
                && !matches!(e.kind, ExprKind::Int(_) | ExprKind::Float(_))
            {
                let (ty, span) = (e.ty.ty, e.span);
                let local = self.hidden_local(QualType::plain(ty), span);
                let place = Expr { kind: ExprKind::Local(local), ty: QualType::plain(ty), span };
                let Value::Expr(value) = std::mem::replace(&mut entry.value, Value::Clear(0)) else {
                    continue;
                };
                entry.value = Value::Expr(self.assign_node(place, value, span));
            }
        }
        for step in 1..=count {
            for index in mark..mark + made as usize {
                let entry = &out.entries[index];
                let value = match &entry.value {
                    Value::Const(constant) => Value::Const(*constant),
                    Value::Bytes(bytes) => Value::Bytes(bytes.clone()),
                    Value::Clear(size) => Value::Clear(*size),
                    Value::Expr(e) => {
                        let kind = match &e.kind {
                            ExprKind::Int(bits) => ExprKind::Int(*bits),
                            ExprKind::Float(bits) => ExprKind::Float(*bits),
                            ExprKind::Assign(place, _) => {
                                let ExprKind::Local(local) = place.kind else { continue };
                                ExprKind::Load(Box::new(Expr {
                                    kind: ExprKind::Local(local),
                                    ty: place.ty,
                                    span: e.span,
                                }))
                            }
                            _ => continue,
                        };
                        Value::Expr(Expr { kind, ty: e.ty, span: e.span })
                    }
                };
                let copy =
                    Entry { offset: entry.offset + step * stride, bits: entry.bits, ty: entry.ty, value };
                out.entries.push(copy);
            }
        }
    }

    /// None if the initialiser uses something that cannot be handled.
    pub(super) fn static_image(&mut self, collected: Collected) -> Option<GlobalInit> {
        if collected.unsupported {
            return None;
        }
        let size = self.types.size_of(collected.ty.ty).unwrap_or(0).max(collected.end);
        let mut image = Image::default();
        let pointer = u64::from(self.types.target.pointer_bits / 8);
        for entry in collected.entries {
            let width = self.types.size_of(entry.ty).unwrap_or(0);
            match entry.value {
                Value::Clear(size) => image.clear(entry.offset, entry.offset.saturating_add(size)),
                Value::Bytes(bytes) => image.write(entry.offset, &bytes),
                Value::Const(Const::Address(base, offset)) => {
                    image.write_address(entry.offset, base, offset, width.min(pointer) as u8);
                }
                Value::Const(Const::Int(bits) | Const::Float(bits)) => match entry.bits {
                    Some(field) => image.write_bits(entry.offset, field, bits),
                    None => image.write(entry.offset, &bits.to_le_bytes()[..(width as usize).min(16)]),
                },
                Value::Expr(_) => {}
            }
        }
        Some(image.finish(size))
    }

    pub(super) fn local_init(&mut self, collected: Collected) -> LocalInit {
        let aggregate = matches!(self.types.kind(collected.ty.ty), TypeKind::Array(..) | TypeKind::Record(_));
        let mut items: Vec<LocalInitItem> = Vec::with_capacity(collected.entries.len());
        for entry in collected.entries {
            let value = match entry.value {
                Value::Expr(e) => InitValue::Expr(e),
                Value::Bytes(bytes) => InitValue::Bytes(bytes),
                Value::Clear(size) => {
                    let end = entry.offset.saturating_add(size);
                    items.retain(|item| item.offset < entry.offset || item.offset >= end);
                    continue;
                }
                Value::Const(_) => continue,
            };
            items.push(LocalInitItem { offset: entry.offset, bits: entry.bits, ty: entry.ty, value });
        }
        LocalInit { zero: collected.braced && aggregate, items }
    }

    pub(super) fn compound_literal(&mut self, name: &ast::TypeName, list: &InitList, span: Span) -> Expr {
        let (ty, align) = self.type_name(name);
        let effects = self.take_effects();
        if ty.ty == TypeTable::ERROR {
            return self.error_expr(span);
        }
        if self.types.is_variable(ty.ty) {
            self.error(span, "compound literal has variable size");
            return self.error_expr(span);
        }
        let unknown = matches!(self.types.kind(ty.ty), TypeKind::Array(_, ArrayLen::Unknown));
        if !unknown && !self.types.is_complete(ty.ty) {
            let message = format!("compound literal has incomplete type '{}'", self.show(ty));
            self.error(span, message);
            return self.error_expr(span);
        }
        let is_static = self.function.is_none();
        let init = self.list_initializer(ty, list, is_static);
        let ty = init.ty;
        if is_static {
            let definition = match self.static_image(init) {
                Some(image) => hir::Definition::Defined(image),
                None => hir::Definition::Declared,
            };
            let id = hir::GlobalId(self.globals.len() as u32);
            let name = self.unique_name("<literal>");
            self.globals.push(hir::Global {
                name,
                ty,
                linkage: hir::Linkage::None,
                definition,
                align,
                weak_symbol: false,
                span,
            });
            return Expr { kind: ExprKind::Global(id), ty, span };
        }
        let init = self.local_init(init);
        let local = self.hidden_local(ty, span);
        let literal = Expr { kind: ExprKind::CompoundLiteral(local, Box::new(init)), ty, span };
        if effects.is_empty() { literal } else { self.after(effects, literal) }
    }

    fn list_initializer(&mut self, ty: QualType, list: &InitList, is_static: bool) -> Collected {
        let poisons = self.poisons;
        let mut out = Collected {
            ty,
            entries: Vec::new(),
            is_static,
            braced: true,
            end: 0,
            pending: None,
            followed: None,
            members: FxHashMap::default(),
            unsupported: false,
        };
        let elements = self.braced(ty, 0, None, list, &mut out);
        if let TypeKind::Array(elem, ArrayLen::Unknown) = *self.types.kind(ty.ty) {
            out.ty.ty = self.types.intern(TypeKind::Array(elem, ArrayLen::Fixed(elements)));
        }
        out.unsupported |= self.poisons != poisons;
        out
    }
}
