//! Where the fields of a record lie, as gcc lays them out on x86-64 and i386 (System V).
//!
//! Positions are counted in bits. A bit-field of declared type T is placed at the next free bit, unless it
//! would touch more units of T's alignment than T itself has; then it moves to the next such unit. A named
//! bit-field aligns the record like its type; an unnamed one does not; one of width zero only moves the
//! position. `packed` fields have alignment 1 and packed bit-fields follow each other without gaps.

use crate::types::{BitField, Field, QualType, RecordLayout, TypeKind, TypeTable};
use base::Span;
use std::sync::Arc;

/// A member as declared.
#[derive(Debug)]
pub struct Member {
    pub name: Arc<str>,
    pub ty: QualType,
    pub span: Span,
    /// Declared width, for a bit-field.
    pub width: Option<u8>,
    /// `aligned` on the member itself.
    pub align: Option<u64>,
    /// `aligned` of the typedef that the type was written with: it replaces the type's own alignment.
    pub type_align: Option<u64>,
    pub packed: bool,
}

/// What the record's own attributes say.
#[derive(Debug, Default, Clone, Copy)]
pub struct RecordOptions {
    pub packed: bool,
    pub align: Option<u64>,
    pub transparent_union: bool,
    /// `#pragma pack(n)`: no member is aligned more strictly, and bit-fields follow each other without gaps.
    pub max_align: Option<u64>,
}

/// None if the record is too large to have a size.
pub fn lay_out(
    types: &TypeTable,
    is_union: bool,
    members: Vec<Member>,
    options: RecordOptions,
) -> Option<RecordLayout> {
    let mut fields = Vec::with_capacity(members.len());
    // The next free bit, the end of the longest member of a union, the record's alignment in bytes.
    let (mut next, mut end, mut record_align) = (0u64, 0u64, 1u64);
    let mut flexible = false;
    let count = members.len();
    for (index, member) in members.into_iter().enumerate() {
        let size = types.size_of(member.ty.ty).unwrap_or(0);
        let type_align = member.type_align.or_else(|| types.align_of(member.ty.ty)).unwrap_or(1);
        let packed = member.packed || options.packed;
        let limit = options.max_align.unwrap_or(u64::MAX);
        if is_union {
            next = 0;
        }
        if let Some(width) = member.width {
            let width64 = u64::from(width);
            let unit = type_align.checked_mul(8)?;
            if let Some(align) = member.align {
                next = round_up(next, align.min(limit).checked_mul(8)?)?;
            }
            if width == 0 {
                next = round_up(next, unit)?;
                continue;
            }
            if !packed && options.max_align.is_none() {
                let units = (next % unit + width64).div_ceil(unit);
                if units > (size * 8).div_ceil(unit) {
                    next = round_up(next, unit)?;
                }
            }
            if !member.name.is_empty() {
                let align = match options.max_align {
                    Some(limit) => type_align.min(limit),
                    None if packed => 1,
                    None => type_align,
                };
                record_align = record_align.max(align).max(member.align.unwrap_or(1).min(limit));
                fields.push(Field {
                    name: member.name,
                    ty: member.ty,
                    offset: next / 8,
                    bits: Some(BitField { shift: (next % 8) as u8, width }),
                    span: member.span,
                });
            }
            next = next.checked_add(width64)?;
        } else {
            let align = match (packed, member.align) {
                (true, own) => own.unwrap_or(1),
                (false, own) => own.unwrap_or(1).max(type_align),
            }
            .min(limit);
            next = round_up(next, align.checked_mul(8)?)?;
            record_align = record_align.max(align);
            if index + 1 == count && open_ended(types, member.ty) {
                flexible = true;
            }
            fields.push(Field {
                name: member.name,
                ty: member.ty,
                offset: next / 8,
                bits: None,
                span: member.span,
            });
            next = next.checked_add(size.checked_mul(8)?)?;
        }
        end = end.max(next);
    }
    // A zero-width bit-field at the end of a struct still moves the end.
    let end = if is_union { end } else { end.max(next) };
    let align = record_align.max(options.align.unwrap_or(1));
    let size = round_up(end.div_ceil(8), align)?;
    Some(RecordLayout { fields, size, align, flexible, transparent_union: options.transparent_union })
}

fn round_up(value: u64, unit: u64) -> Option<u64> {
    if unit <= 1 { Some(value) } else { Some(value.div_ceil(unit).checked_mul(unit)?) }
}

/// `T x[]`, `T x[0]`, or a record that ends so.
fn open_ended(types: &TypeTable, ty: QualType) -> bool {
    use crate::types::ArrayLen;
    match types.kind(ty.ty) {
        TypeKind::Array(_, ArrayLen::Unknown | ArrayLen::Fixed(0)) => true,
        TypeKind::Record(id) => types.record(*id).layout.as_ref().is_some_and(|l| l.flexible),
        _ => false,
    }
}
