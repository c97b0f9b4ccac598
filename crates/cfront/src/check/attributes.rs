//! The attributes that change meaning; all others are ignored.

use super::Checker;
use crate::ast::{AlignAs, Attribute, AttributeArg, ExprKind};
use crate::types::{FloatKind, IntKind, TypeId, TypeKind, TypeTable};
use base::Span;
use std::sync::Arc;

#[derive(Default, Clone, Debug)]
pub(super) struct Attributes {
    pub(super) align: Option<u64>,
    pub(super) packed: bool,
    /// `#pragma pack`, which the parser hands on as an attribute of the records it covers.
    pub(super) pack: Option<u64>,
    pub(super) noreturn: bool,
    pub(super) constructor: Option<u32>,
    pub(super) destructor: Option<u32>,
    pub(super) weak: bool,
    pub(super) transparent_union: bool,
    pub(super) gnu_inline: bool,
    /// `mode(DI)`: the size class it names.
    pub(super) mode: Option<Mode>,
    pub(super) vector_size: Option<u64>,
    pub(super) alias: Option<Arc<str>>,
    /// Runs code that the tree does not show.
    pub(super) cleanup: Option<Span>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Mode {
    /// An integer of so many bytes.
    Int(u8),
    Float(FloatKind),
}

impl Checker<'_> {
    pub(super) fn attributes(&mut self, list: &[Attribute], out: &mut Attributes) {
        for attribute in list {
            let name = self.names.name(attribute.name.name);
            match name {
                "packed" => out.packed = true,
                "pragma_pack" => {
                    if let Some(argument) = attribute.args.first() {
                        out.pack = self.attribute_int(argument);
                    }
                }
                "noreturn" | "_Noreturn" => out.noreturn = true,
                "weak" => out.weak = true,
                "constructor" | "destructor" => {
                    let is_constructor = name == "constructor";
                    let priority = attribute.args.first().and_then(|argument| self.attribute_int(argument));
                    // Constructors without a priority come after those with one, destructors before.
                    let priority = Some(priority.map_or(u32::MAX, |p| p as u32));
                    if is_constructor {
                        out.constructor = priority;
                    } else {
                        out.destructor = priority;
                    }
                }
                "transparent_union" => out.transparent_union = true,
                "gnu_inline" => out.gnu_inline = true,
                "cleanup" => out.cleanup = Some(attribute.name.span),
                "aligned" => {
                    let align = match attribute.args.first() {
                        None => Some(16),
                        Some(argument) => self.attribute_int(argument),
                    };
                    self.add_align(out, align, attribute.name.span);
                }
                "mode" => {
                    if let Some(mode) = attribute.args.first().and_then(|a| self.mode(a)) {
                        out.mode = Some(mode);
                    }
                }
                "vector_size" => {
                    if let Some(argument) = attribute.args.first() {
                        out.vector_size = self.attribute_int(argument);
                    }
                }
                "alias" | "weakref" => {
                    if let Some(AttributeArg::Expr(e)) = attribute.args.first()
                        && let ExprKind::String { units, .. } = &e.kind
                    {
                        let bytes: Vec<u8> = units.iter().map(|&u| u as u8).collect();
                        out.alias = Some(String::from_utf8_lossy(&bytes).into());
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn align_as(&mut self, list: &[AlignAs], out: &mut Attributes) {
        for item in list {
            match item {
                AlignAs::Type(name) => {
                    let (ty, align) = self.type_name(name);
                    let align = align.or_else(|| self.types.align_of(ty.ty));
                    self.add_align(out, align, name.span);
                }
                AlignAs::Expr(e) => {
                    let value = self.constant_int(e, "requested alignment is not an integer constant");
                    match value {
                        // `_Alignas(0)` has no effect.
                        Some(0) | None => {}
                        Some(v) => self.add_align(out, u64::try_from(v).ok().or(Some(3)), e.span),
                    }
                }
            }
        }
    }

    fn add_align(&mut self, out: &mut Attributes, align: Option<u64>, span: Span) {
        let Some(align) = align else { return };
        if !align.is_power_of_two() || align > 1 << 28 {
            self.error(span, "requested alignment is not a positive power of 2");
            return;
        }
        out.align = Some(out.align.map_or(align, |old| old.max(align)));
    }

    fn attribute_int(&mut self, argument: &AttributeArg) -> Option<u64> {
        match argument {
            AttributeArg::Expr(e) => {
                let value = self.constant_int(e, "attribute argument is not an integer constant")?;
                u64::try_from(value).ok()
            }
            AttributeArg::Type(name) => {
                let (ty, align) = self.type_name(name);
                align.or_else(|| self.types.align_of(ty.ty))
            }
            AttributeArg::Other(_) => None,
        }
    }

    fn mode(&mut self, argument: &AttributeArg) -> Option<Mode> {
        let AttributeArg::Expr(e) = argument else { return None };
        let ExprKind::Ident(name) = e.kind else { return None };
        let pointer = self.types.target.pointer_bits / 8;
        let mode = match self.names.name(name).trim_matches('_') {
            "QI" | "byte" => Mode::Int(1),
            "HI" => Mode::Int(2),
            "SI" => Mode::Int(4),
            "DI" => Mode::Int(8),
            "TI" => Mode::Int(16),
            "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" | "libgcc_shift_count" => {
                Mode::Int(pointer)
            }
            "SF" => Mode::Float(FloatKind::Float),
            "DF" => Mode::Float(FloatKind::Double),
            "XF" => Mode::Float(FloatKind::LongDouble),
            "TF" => Mode::Float(FloatKind::Float128),
            other => {
                let message = format!("unknown machine mode '{other}'");
                self.error(e.span, message);
                return None;
            }
        };
        Some(mode)
    }

    /// `mode` and `vector_size` change the innermost scalar of what was declared.
    pub(super) fn retype(&mut self, ty: TypeId, attributes: &Attributes, span: Span) -> TypeId {
        let mut ty = ty;
        if let Some(mode) = attributes.mode {
            ty = self.with_mode(ty, mode, span);
        }
        if let Some(size) = attributes.vector_size {
            let elem = self.types.size_of(ty).filter(|_| self.types.is_real(ty));
            match elem {
                Some(elem) if elem > 0 && size.is_multiple_of(elem) && size > 0 => {
                    ty = self.types.intern(TypeKind::Vector(ty, size / elem));
                }
                _ if ty == TypeTable::ERROR => {}
                _ => self.error(span, "invalid vector type for attribute 'vector_size'"),
            }
        }
        ty
    }

    fn with_mode(&mut self, ty: TypeId, mode: Mode, span: Span) -> TypeId {
        match mode {
            Mode::Float(kind) => match self.types.kind(ty) {
                TypeKind::Float(_) => self.types.intern(TypeKind::Float(kind)),
                TypeKind::Complex(_) => self.types.intern(TypeKind::Complex(kind)),
                _ => ty,
            },
            Mode::Int(bytes) => {
                let Some(old) = self.types.int_kind(ty) else {
                    // Pointers are as wide as their mode says anyway.
                    if !self.types.is_pointer(ty) && ty != TypeTable::ERROR {
                        self.error(span, "mode applied to inappropriate type");
                    }
                    return ty;
                };
                let kind = match bytes {
                    1 => IntKind::SChar,
                    2 => IntKind::Short,
                    4 => IntKind::Int,
                    8 if self.types.target.long_bits == 64 => IntKind::Long,
                    8 => IntKind::LongLong,
                    _ => IntKind::Int128,
                };
                TypeTable::int(if old.signed() { kind } else { kind.to_unsigned() })
            }
        }
    }
}
