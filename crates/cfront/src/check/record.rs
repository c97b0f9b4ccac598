//! Structs, unions and enums: their tags, members and values, and how a member is found.

use super::Checker;
use super::attributes::Attributes;
use super::scope::{Binding, Tag};
use super::specs::{Reading, Spec, int_type_of_size};
use crate::ast::{EnumSpec, Expr, FieldDecl, FieldDeclarator, RecordSpec};
use crate::hir;
use crate::layout::{Member, RecordOptions, lay_out};
use crate::types::{
    ArrayLen, EnumId, EnumType, IntKind, QualType, Record, RecordId, TypeId, TypeKind, TypeTable,
};
use base::{Span, Symbol};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// Positions in layouts: through anonymous members to the field itself.
pub(super) type FieldPath = SmallVec<[u32; 4]>;

impl Checker<'_> {
    pub(super) fn new_record(&mut self, tag: Arc<str>, is_union: bool, span: Span) -> (TypeId, RecordId) {
        let id = RecordId(self.types.records.len() as u32);
        self.types.records.push(Record { tag, is_union, span, layout: None });
        self.field_names.push(Vec::new());
        (self.types.intern(TypeKind::Record(id)), id)
    }

    pub(super) fn record_spec(&mut self, spec: &RecordSpec, alone: bool) -> TypeId {
        let (ty, id) = match spec.tag {
            None => self.new_record("".into(), spec.is_union, spec.span),
            Some(tag) => {
                let bound = self.scopes.tag(tag.name);
                let here = bound.filter(|b| b.depth == self.scopes.depth());
                // A definition or a lone declaration is about this scope; a mention finds outer ones.
                let found = if spec.fields.is_some() || alone { here } else { bound };
                match found.map(|b| b.tag) {
                    Some(Tag::Struct(id)) if !spec.is_union => (self.types.intern(TypeKind::Record(id)), id),
                    Some(Tag::Union(id)) if spec.is_union => (self.types.intern(TypeKind::Record(id)), id),
                    Some(other) => {
                        self.wrong_tag(tag.name, tag.span, other);
                        return TypeTable::ERROR;
                    }
                    None => {
                        let text = self.names.name(tag.name).into();
                        let (ty, id) = self.new_record(text, spec.is_union, spec.span);
                        let bound = if spec.is_union { Tag::Union(id) } else { Tag::Struct(id) };
                        self.scopes.bind_tag(tag.name, bound);
                        (ty, id)
                    }
                }
            }
        };
        if let Some(fields) = &spec.fields {
            if self.types.record(id).layout.is_some() {
                let message = format!("redefinition of '{}'", self.show_type(ty));
                let previous = self.types.record(id).span;
                self.error_note(spec.span, message, previous, "originally defined here");
                return ty;
            }
            self.types.records[id.0 as usize].span = spec.tag.map_or(spec.span, |t| t.span);
            self.define_record(id, spec, fields);
        }
        ty
    }

    fn wrong_tag(&mut self, name: Symbol, span: Span, other: Tag) {
        let message = format!("'{}' defined as wrong kind of tag", self.text(name));
        let previous = self.tag_span(other);
        self.error_note(span, message, previous, "previous declaration is here");
    }

    fn define_record(&mut self, id: RecordId, spec: &RecordSpec, fields: &[FieldDecl]) {
        let mut attributes = Attributes::default();
        self.attributes(&spec.attributes, &mut attributes);
        let mut members: Vec<Member> = Vec::new();
        let mut symbols: Vec<Option<Symbol>> = Vec::new();
        for field in fields {
            match field {
                FieldDecl::StaticAssert(assertion) => self.static_assert(assertion),
                FieldDecl::Fields { specs, declarators, span } => {
                    let base = self.specs(specs, false);
                    if declarators.is_empty() {
                        self.anonymous_member(&base, *span, &mut members, &mut symbols);
                    }
                    for declarator in declarators {
                        self.member(&base, declarator, &mut members, &mut symbols);
                    }
                }
            }
        }
        self.check_flexible(spec.is_union, &mut members);
        let options = RecordOptions {
            packed: attributes.packed,
            align: attributes.align,
            transparent_union: attributes.transparent_union,
            max_align: attributes.pack.filter(|&n| n > 0),
        };
        // Unnamed bit-fields have no place in the layout; neither have their names.
        let mut position = 0;
        symbols.retain(|_| {
            let member = &members[position];
            position += 1;
            member.width.is_none() || !member.name.is_empty()
        });
        let layout = match lay_out(&self.types, spec.is_union, members, options) {
            Some(layout) => layout,
            None => {
                self.error(spec.span, "type is too large");
                return;
            }
        };
        if self.types.record(id).layout.is_some() {
            // Defined a second time inside its own members.
            self.error(spec.span, "nested redefinition of the record");
            return;
        }
        self.types.records[id.0 as usize].layout = Some(layout);
        self.field_names[id.0 as usize] = symbols;
        self.check_duplicate_members(id);
    }

    fn anonymous_member(
        &mut self,
        base: &Spec,
        span: Span,
        members: &mut Vec<Member>,
        symbols: &mut Vec<Option<Symbol>>,
    ) {
        let Some(id) = self.types.record_of(base.ty.ty) else {
            // `int;` declares nothing; gcc only warns.
            return;
        };
        // `struct tagged { ... };` inside a record declares no member, except with -fms-extensions.
        if !self.types.record(id).tag.is_empty() {
            return;
        }
        members.push(Member {
            name: "".into(),
            ty: base.ty,
            span,
            width: None,
            align: base.attributes.align,
            type_align: base.type_align,
            packed: base.attributes.packed,
        });
        symbols.push(None);
    }

    fn member(
        &mut self,
        base: &Spec,
        field: &FieldDeclarator,
        members: &mut Vec<Member>,
        symbols: &mut Vec<Option<Symbol>>,
    ) {
        let declared = self.declarator(base, &field.declarator, Reading::Declaration);
        let span = field.declarator.name.map_or(field.declarator.span, |n| n.span);
        let name: Arc<str> = match field.declarator.name {
            Some(name) => self.names.name(name.name).into(),
            None => "".into(),
        };
        let mut ty = declared.ty;
        let flexible = matches!(self.types.kind(ty.ty), TypeKind::Array(_, ArrayLen::Unknown));
        if self.types.is_function(ty.ty) {
            let message = format!("field '{name}' declared as a function");
            self.error(span, message);
            ty = QualType::plain(TypeTable::ERROR);
        } else if self.types.is_variable(ty.ty) {
            self.poison("a variable-length array in a struct", span);
            ty = QualType::plain(TypeTable::ERROR);
        } else if !flexible && !self.types.is_complete(ty.ty) {
            let message = format!("field has incomplete type '{}'", self.show(ty));
            self.error(span, message);
            ty = QualType::plain(TypeTable::ERROR);
        }
        let mut width = None;
        if let Some(bits) = &field.bits {
            match self.bit_width(bits, ty.ty, &name) {
                Some(bits) => width = Some(bits),
                // Reported: keep the member as an ordinary one.
                None => ty = QualType::plain(TypeTable::ERROR),
            }
        }
        members.push(Member {
            name,
            ty,
            span,
            width,
            align: declared.attributes.align,
            type_align: declared.type_align,
            packed: declared.attributes.packed,
        });
        symbols.push(field.declarator.name.map(|n| n.name));
    }

    fn bit_width(&mut self, bits: &Expr, ty: TypeId, name: &str) -> Option<u8> {
        let shown = if name.is_empty() { "<anonymous>" } else { name };
        let message = format!("bit-field '{shown}' width not an integer constant");
        let width = self.constant_int(bits, &message);
        if ty == TypeTable::ERROR {
            return None;
        }
        let Some(layout) = self.types.int_layout(ty) else {
            self.error(bits.span, format!("bit-field '{shown}' has invalid type"));
            return None;
        };
        let width = width?;
        let limit = if ty == TypeTable::BOOL { 1 } else { i128::from(layout.bits) };
        if width < 0 {
            self.error(bits.span, format!("negative width in bit-field '{shown}'"));
            return None;
        }
        if width > limit {
            self.error(bits.span, format!("width of '{shown}' exceeds its type"));
            return None;
        }
        if width == 0 && !name.is_empty() {
            self.error(bits.span, format!("zero width for bit-field '{shown}'"));
            return None;
        }
        Some(width as u8)
    }

    fn check_flexible(&mut self, is_union: bool, members: &mut [Member]) {
        let count = members.len();
        for (index, member) in members.iter_mut().enumerate() {
            if !matches!(self.types.kind(member.ty.ty), TypeKind::Array(_, ArrayLen::Unknown)) {
                continue;
            }
            let problem = if is_union {
                "flexible array member in union"
            } else if index + 1 != count {
                "flexible array member not at end of struct"
            } else if count == 1 {
                "flexible array member in a struct with no named members"
            } else {
                continue;
            };
            self.error(member.span, problem);
            member.ty = QualType::plain(TypeTable::ERROR);
        }
    }

    fn check_duplicate_members(&mut self, id: RecordId) {
        let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
        let mut duplicates = Vec::new();
        self.collect_members(id, &mut seen, &mut duplicates);
        for (name, span, previous) in duplicates {
            let message = format!("duplicate member '{}'", self.text(name));
            self.error_note(span, message, previous, "previous declaration is here");
        }
    }

    fn collect_members(
        &self,
        id: RecordId,
        seen: &mut FxHashMap<Symbol, Span>,
        duplicates: &mut Vec<(Symbol, Span, Span)>,
    ) {
        let Some(layout) = &self.types.record(id).layout else { return };
        for (field, name) in layout.fields.iter().zip(&self.field_names[id.0 as usize]) {
            match name {
                Some(name) => {
                    if let Some(previous) = seen.insert(*name, field.span) {
                        duplicates.push((*name, field.span, previous));
                    }
                }
                None => {
                    if let Some(inner) = self.types.record_of(field.ty.ty) {
                        self.collect_members(inner, seen, duplicates);
                    }
                }
            }
        }
    }

    pub(super) fn find_field(&self, id: RecordId, name: Symbol) -> Option<FieldPath> {
        let names = &self.field_names[id.0 as usize];
        if let Some(index) = names.iter().position(|n| *n == Some(name)) {
            return Some(SmallVec::from_slice(&[index as u32]));
        }
        let layout = self.types.record(id).layout.as_ref()?;
        for (index, _) in names.iter().enumerate().filter(|(_, n)| n.is_none()) {
            if let Some(inner) = self.types.record_of(layout.fields[index].ty.ty)
                && let Some(mut path) = self.find_field(inner, name)
            {
                path.insert(0, index as u32);
                return Some(path);
            }
        }
        None
    }

    pub(super) fn enum_spec(&mut self, spec: &EnumSpec) -> TypeId {
        let id = match spec.tag {
            None => self.new_enum("".into(), spec.span),
            Some(tag) => {
                let bound = self.scopes.tag(tag.name);
                let here = bound.filter(|b| b.depth == self.scopes.depth());
                let found = if spec.enumerators.is_some() { here } else { bound };
                match found.map(|b| b.tag) {
                    Some(Tag::Enum(id)) => id,
                    Some(other) => {
                        self.wrong_tag(tag.name, tag.span, other);
                        return TypeTable::ERROR;
                    }
                    None => {
                        let text = self.names.name(tag.name).into();
                        let id = self.new_enum(text, spec.span);
                        self.scopes.bind_tag(tag.name, Tag::Enum(id));
                        id
                    }
                }
            }
        };
        let ty = self.types.intern(TypeKind::Enum(id));
        if spec.enumerators.is_some() {
            if self.types.enums[id.0 as usize].underlying.is_some() {
                let message = format!("redeclaration of '{}'", self.show_type(ty));
                let previous = self.types.enums[id.0 as usize].span;
                self.error_note(spec.span, message, previous, "originally defined here");
                return ty;
            }
            self.define_enum(id, spec);
        }
        ty
    }

    fn new_enum(&mut self, tag: Arc<str>, span: Span) -> EnumId {
        let id = EnumId(self.types.enums.len() as u32);
        self.types.enums.push(EnumType { tag, span, underlying: None });
        id
    }

    fn define_enum(&mut self, id: EnumId, spec: &EnumSpec) {
        let mut attributes = Attributes::default();
        self.attributes(&spec.attributes, &mut attributes);
        let (mut next, mut min, mut max) = (0i128, 0i128, 0i128);
        // The largest value of the type that the last one was written with.
        let mut limit = i128::from(i32::MAX);
        let mut large = Vec::new();
        for enumerator in spec.enumerators.iter().flatten() {
            if let Some(e) = &enumerator.value {
                let message = format!(
                    "enumerator value for '{}' is not an integer constant",
                    self.text(enumerator.name.name)
                );
                if let Some((value, ty)) = self.typed_constant(e, &message) {
                    next = value;
                    limit =
                        self.types.int_layout(self.promoted_type(ty)).map_or(limit, |l| l.max_bits() as i128);
                }
            } else if next > limit {
                self.error(enumerator.name.span, "overflow in enumeration values");
                next = 0;
            }
            min = min.min(next);
            max = max.max(next);
            let ty = if i32::try_from(next).is_ok() {
                TypeTable::INT
            } else {
                large.push((enumerator.name, next));
                if u32::try_from(next).is_ok() {
                    TypeTable::UINT
                } else if i64::try_from(next).is_ok() {
                    TypeTable::LONGLONG
                } else {
                    TypeTable::ULONGLONG
                }
            };
            self.declare_enumerator(enumerator.name, next, ty);
            next = next.wrapping_add(1);
        }
        let bits_needed = |v: i128, signed: bool| {
            if v < 0 { 129 - (!v).leading_zeros() } else { 128 - v.leading_zeros() + signed as u32 }
        };
        let signed = min < 0;
        let need = bits_needed(min, signed).max(bits_needed(max, signed));
        let bytes = match need {
            _ if need <= 8 && attributes.packed => 1,
            _ if need <= 16 && attributes.packed => 2,
            _ if need <= 32 => 4,
            _ => 8,
        };
        let ty = int_type_of_size(bytes, signed, self.types.target.long_bits);
        let mut underlying = ty.and_then(|t| self.types.int_kind(t)).unwrap_or(IntKind::UInt);
        if attributes.mode.is_some() {
            let retyped = self.retype(TypeTable::int(underlying), &attributes, spec.span);
            underlying = self.types.int_kind(retyped).unwrap_or(underlying);
        }
        self.types.enums[id.0 as usize].underlying = Some(underlying);
        self.types.enums[id.0 as usize].span = spec.tag.map_or(spec.span, |t| t.span);
        for (name, value) in large {
            let ty = TypeTable::int(underlying);
            let bits = self.types.int_layout(ty).map_or(0, |layout| layout.wrap(value));
            self.scopes.bind(name.name, Binding::Enumerator { bits, ty }, name.span);
        }
    }

    fn declare_enumerator(&mut self, name: crate::ast::Ident, value: i128, ty: TypeId) {
        if let Some(previous) = self.scopes.name(name.name)
            && previous.depth == self.scopes.depth()
        {
            let message = match previous.binding {
                Binding::Enumerator { .. } => {
                    format!("redeclaration of enumerator '{}'", self.text(name.name))
                }
                _ => format!("'{}' redeclared as different kind of symbol", self.text(name.name)),
            };
            self.error_note(name.span, message, previous.span, "previous definition is here");
        }
        let hir::ExprKind::Int(bits) = self.int_expr(ty, value, name.span).kind else { return };
        self.scopes.bind(name.name, Binding::Enumerator { bits, ty }, name.span);
    }
}
