//! Declaration specifiers and declarators: from what is written to the type that it means.

use super::Checker;
use super::attributes::Attributes;
use super::scope::{Binding, Tag};
use crate::ast::{
    self, ArraySize, BuiltinType, DeclPart, DeclSpecs, Declarator, FunctionPart, Params, Quals, StorageClass,
    TypeSpec,
};
use crate::hir;
use crate::layout::{Member, RecordOptions, lay_out};
use crate::types::{ArrayLen, FloatKind, FunctionType, IntKind, QualType, TypeId, TypeKind, TypeTable};
use base::{Span, Symbol};
use std::sync::Arc;

/// What the specifiers of a declaration say.
pub(super) struct Spec {
    pub(super) ty: QualType,
    /// From an aligned typedef.
    pub(super) type_align: Option<u64>,
    pub(super) storage: Option<StorageClass>,
    pub(super) attributes: Attributes,
    /// `__auto_type`: the initialiser gives the type.
    pub(super) auto: bool,
    pub(super) implicit_int: bool,
}

/// A parameter of a function definition.
pub(super) struct Param {
    pub(super) name: Option<ast::Ident>,
    pub(super) ty: QualType,
    pub(super) align: Option<u64>,
    pub(super) span: Span,
}

/// How the outermost function part of a declarator is to be read.
pub(super) enum Reading<'p> {
    Declaration,
    /// Parameters become locals of the function being defined and are listed here.
    Definition(&'p mut Vec<Param>),
}

/// A finished declarator.
pub(super) struct Declared {
    pub(super) ty: QualType,
    /// Of the written type, if an aligned typedef named it.
    pub(super) type_align: Option<u64>,
    pub(super) attributes: Attributes,
}

impl Checker<'_> {
    /// `alone`: the declaration is `struct s;`, which declares the tag in this scope.
    pub(super) fn specs(&mut self, specs: &DeclSpecs, alone: bool) -> Spec {
        let mut attributes = Attributes::default();
        if !specs.attributes.is_empty() {
            self.attributes(&specs.attributes, &mut attributes);
        }
        if !specs.align_as.is_empty() {
            self.align_as(&specs.align_as, &mut attributes);
        }
        attributes.noreturn |= specs.noreturn;
        let mut type_align = None;
        let (mut auto, mut implicit_int) = (false, false);
        let ty = match &specs.ty {
            TypeSpec::Builtin(builtin) => QualType::plain(self.builtin_type(*builtin)),
            TypeSpec::Record(record) => QualType::plain(self.record_spec(record, alone)),
            TypeSpec::Enum(spec) => QualType::plain(self.enum_spec(spec)),
            TypeSpec::Typedef(name) => match self.scopes.name(name.name).map(|b| b.binding) {
                Some(Binding::Typedef { ty, align }) => {
                    type_align = align;
                    ty
                }
                Some(Binding::Error) => QualType::plain(TypeTable::ERROR),
                _ => {
                    let message = format!("unknown type name '{}'", self.text(name.name));
                    self.error(name.span, message);
                    QualType::plain(TypeTable::ERROR)
                }
            },
            TypeSpec::TypeofExpr(e) => self.typeof_expr(e),
            TypeSpec::TypeofType(name) => {
                let (ty, align) = self.type_name(name);
                type_align = align;
                ty
            }
            TypeSpec::Atomic(name) => {
                let (ty, _) = self.type_name(name);
                self.qualified(ty, Quals { is_atomic: true, ..Quals::default() })
            }
            TypeSpec::Auto => {
                auto = true;
                QualType::plain(TypeTable::ERROR)
            }
            TypeSpec::Implicit => {
                implicit_int = true;
                QualType::plain(TypeTable::INT)
            }
            TypeSpec::Error => QualType::plain(TypeTable::ERROR),
        };
        let ty = self.qualified(ty, specs.quals);
        Spec { ty, type_align, storage: specs.storage.map(|s| s.0), attributes, auto, implicit_int }
    }

    fn typeof_expr(&mut self, e: &ast::Expr) -> QualType {
        self.unevaluated += 1;
        let operand = self.expr(e);
        self.unevaluated -= 1;
        operand.ty
    }

    pub(super) fn builtin_type(&mut self, builtin: BuiltinType) -> TypeId {
        use BuiltinType::*;
        match builtin {
            Void => TypeTable::VOID,
            Bool => TypeTable::BOOL,
            Char => TypeTable::CHAR,
            SChar => TypeTable::SCHAR,
            UChar => TypeTable::UCHAR,
            Short => TypeTable::SHORT,
            UShort => TypeTable::USHORT,
            Int => TypeTable::INT,
            UInt => TypeTable::UINT,
            Long => TypeTable::LONG,
            ULong => TypeTable::ULONG,
            LongLong => TypeTable::LONGLONG,
            ULongLong => TypeTable::ULONGLONG,
            Int128 => TypeTable::INT128,
            UInt128 => TypeTable::UINT128,
            Float => TypeTable::FLOAT,
            Double => TypeTable::DOUBLE,
            LongDouble => TypeTable::LONGDOUBLE,
            Float128 => TypeTable::FLOAT128,
            ComplexFloat => self.types.intern(TypeKind::Complex(FloatKind::Float)),
            ComplexDouble => self.types.intern(TypeKind::Complex(FloatKind::Double)),
            ComplexLongDouble => self.types.intern(TypeKind::Complex(FloatKind::LongDouble)),
            VaList => self.va_list_type(),
        }
    }

    /// On x86-64 an array of one record of 24 bytes, so that it is passed by reference; on i386 a pointer.
    /// The place that holds the next argument's address is at its start.
    pub(super) fn va_list_type(&mut self) -> TypeId {
        if let Some(ty) = self.va_list {
            return ty;
        }
        let ty = if self.types.target.pointer_bits == 32 {
            self.types.pointer_to(QualType::plain(TypeTable::CHAR))
        } else {
            let pointer = self.types.pointer_to(QualType::plain(TypeTable::VOID));
            let member = |name: &str| Member {
                name: name.into(),
                ty: QualType::plain(pointer),
                span: Span::NONE,
                width: None,
                align: None,
                type_align: None,
                packed: false,
            };
            let members = vec![member("__next"), member("__reserved"), member("__saved")];
            let (ty, id) = self.new_record("__va_list_tag".into(), false, Span::NONE);
            let layout = lay_out(&self.types, false, members, RecordOptions::default());
            self.types.records[id.0 as usize].layout = layout;
            self.field_names[id.0 as usize] = vec![None; 3];
            self.types.intern(TypeKind::Array(QualType::plain(ty), ArrayLen::Fixed(1)))
        };
        self.va_list = Some(ty);
        ty
    }

    /// Adds qualifiers; those of an array belong to its elements.
    pub(super) fn qualified(&mut self, ty: QualType, quals: Quals) -> QualType {
        if quals == Quals::default() {
            return ty;
        }
        if let TypeKind::Array(elem, len) = *self.types.kind(ty.ty) {
            let elem = self.qualified(elem, quals);
            return QualType::plain(self.types.intern(TypeKind::Array(elem, len)));
        }
        QualType { ty: ty.ty, quals: merge(ty.quals, quals) }
    }

    /// A type name and the alignment of the typedef that it may be.
    pub(super) fn type_name(&mut self, name: &ast::TypeName) -> (QualType, Option<u64>) {
        let spec = self.specs(&name.specs, false);
        if spec.auto {
            self.error(name.span, "'__auto_type' used without an initializer");
        }
        let declared = self.declarator(&spec, &name.declarator, Reading::Declaration);
        let align = declared.attributes.align.or(declared.type_align);
        (declared.ty, align)
    }

    pub(super) fn declarator(&mut self, spec: &Spec, declarator: &Declarator, reading: Reading) -> Declared {
        let mut attributes = spec.attributes.clone();
        if !declarator.attributes.is_empty() {
            self.attributes(&declarator.attributes, &mut attributes);
        }
        let mut base = spec.ty;
        if attributes.mode.is_some() || attributes.vector_size.is_some() {
            base.ty = self.retype(base.ty, &attributes, declarator.span);
        }
        let ty = self.chain(base, &declarator.chain, declarator.name.map(|n| n.name), reading);
        // A pointer to an aligned type is not itself aligned so; an array of them is.
        let only_arrays = declarator.chain.iter().all(|part| matches!(part, DeclPart::Array { .. }));
        let type_align = spec.type_align.filter(|_| only_arrays);
        Declared { ty, type_align, attributes }
    }

    fn chain(
        &mut self,
        base: QualType,
        chain: &[DeclPart],
        name: Option<Symbol>,
        mut reading: Reading,
    ) -> QualType {
        let mut ty = base;
        for (index, part) in chain.iter().enumerate().rev() {
            ty = match part {
                DeclPart::Pointer { quals } => QualType { ty: self.types.pointer_to(ty), quals: *quals },
                DeclPart::Array { size, span, .. } => self.array(ty, size, name, *span),
                DeclPart::Function(part) => {
                    let own = match &mut reading {
                        Reading::Definition(params) if index == 0 => Some(&mut **params),
                        _ => None,
                    };
                    self.function_part(ty, part, name, own)
                }
            };
        }
        ty
    }

    fn named(&self, name: Option<Symbol>) -> String {
        match name {
            Some(name) => format!("'{}'", self.text(name)),
            None => "type name".into(),
        }
    }

    fn array(&mut self, elem: QualType, size: &ArraySize, name: Option<Symbol>, span: Span) -> QualType {
        let error = QualType::plain(TypeTable::ERROR);
        if elem.ty == TypeTable::ERROR {
            // The size may still have errors of its own.
            if let ArraySize::Expr(e) = size {
                self.unevaluated += 1;
                self.expr_value(e);
                self.unevaluated -= 1;
            }
            return error;
        }
        match self.types.kind(elem.ty) {
            TypeKind::Void => {
                let message = format!("declaration of {} as array of voids", self.named(name));
                self.error(span, message);
                return error;
            }
            TypeKind::Function(_) => {
                let message = format!("declaration of {} as array of functions", self.named(name));
                self.error(span, message);
                return error;
            }
            TypeKind::Array(_, ArrayLen::Unknown)
                if !matches!(size, ArraySize::Star) && self.scopes.depth() == 0 =>
            {
                let message = format!("array type has incomplete element type '{}'", self.show(elem));
                self.error(span, message);
                return error;
            }
            TypeKind::Record(_) | TypeKind::Enum(_) if !self.types.is_complete(elem.ty) => {
                let message = format!("array type has incomplete element type '{}'", self.show(elem));
                self.error(span, message);
                return error;
            }
            _ => {}
        }
        let len = match size {
            ArraySize::Unknown | ArraySize::Star => ArrayLen::Unknown,
            ArraySize::Expr(e) => match self.array_len(e, name) {
                Some(len) => len,
                None => return error,
            },
        };
        if let ArrayLen::Fixed(n) = len {
            let total = self.types.size_of(elem.ty).unwrap_or(1).checked_mul(n);
            if total.is_none_or(|t| t > i64::MAX as u64 >> (64 - self.types.target.pointer_bits as u32)) {
                let message = format!("size of array {} is too large", self.named(name));
                self.error(span, message);
                return error;
            }
        }
        QualType::plain(self.types.intern(TypeKind::Array(elem, len)))
    }

    /// None if reported.
    fn array_len(&mut self, e: &ast::Expr, name: Option<Symbol>) -> Option<ArrayLen> {
        let prototype = self.in_prototype();
        self.unevaluated += prototype as u32;
        let size = self.expr_value(e);
        self.unevaluated -= prototype as u32;
        if size.ty.ty == TypeTable::ERROR {
            return None;
        }
        if !self.types.is_integer(size.ty.ty) {
            let message = format!("size of array {} has non-integer type", self.named(name));
            self.error(e.span, message);
            return None;
        }
        match self.eval_int(&size) {
            Some(n) if n < 0 => {
                let message = format!("size of array {} is negative", self.named(name));
                self.error(e.span, message);
                None
            }
            Some(n) => match u64::try_from(n) {
                Ok(n) => Some(ArrayLen::Fixed(n)),
                Err(_) => {
                    let message = format!("size of array {} is too large", self.named(name));
                    self.error(e.span, message);
                    None
                }
            },
            None if prototype => Some(ArrayLen::Unknown),
            None if self.function.is_none() => {
                let message = format!("variably modified {} at file scope", self.named(name));
                self.error(e.span, message);
                None
            }
            None => Some(ArrayLen::Variable(self.length_local(size))),
        }
    }

    fn in_prototype(&self) -> bool {
        self.prototypes > 0
    }

    fn function_part(
        &mut self,
        ret: QualType,
        part: &FunctionPart,
        name: Option<Symbol>,
        own: Option<&mut Vec<Param>>,
    ) -> QualType {
        let mut ret = ret.ty;
        if self.types.is_function(ret) || self.types.is_array(ret) {
            let what = if self.types.is_function(ret) { "a function" } else { "an array" };
            let message = format!("{} declared as function returning {what}", self.named(name));
            self.error(part.span, message);
            ret = TypeTable::ERROR;
        }
        let kind = match &part.params {
            Params::Names(idents) => {
                if let Some(own) = own {
                    self.reserve_params(idents.len());
                    // Their types come with the declarations that follow; int otherwise.
                    own.extend(idents.iter().map(|ident| Param {
                        name: Some(*ident),
                        ty: QualType::plain(TypeTable::INT),
                        align: None,
                        span: ident.span,
                    }));
                }
                FunctionType { ret, params: Vec::new(), variadic: false, prototype: false }
            }
            Params::Prototype { params, variadic } => {
                let definition = own.is_some();
                let list = self.prototype(params, definition);
                let types = list.iter().map(|p| p.ty.ty).collect();
                if let Some(own) = own {
                    *own = list;
                }
                FunctionType { ret, params: types, variadic: *variadic, prototype: true }
            }
        };
        QualType::plain(self.types.intern(TypeKind::Function(kind)))
    }

    fn prototype(&mut self, params: &[ast::ParamDecl], definition: bool) -> Vec<Param> {
        if !definition {
            self.scopes.enter();
            self.prototypes += 1;
        }
        let outer = if definition { std::mem::take(&mut self.prototypes) } else { 0 };
        let mut list = Vec::with_capacity(params.len());
        if definition {
            self.reserve_params(params.len());
        }
        for (index, param) in params.iter().enumerate() {
            let spec = self.specs(&param.specs, false);
            let declared = self.declarator(&spec, &param.declarator, Reading::Declaration);
            let ty = self.adjusted(declared.ty);
            let name = param.declarator.name;
            if ty.ty == TypeTable::VOID {
                self.error(param.span, "parameter has incomplete type 'void'");
            }
            if let Some(storage) = spec.storage
                && storage != StorageClass::Register
            {
                self.error(param.span, "storage class specified for parameter");
            }
            if let Some(name) = name
                && let Some(previous) = self.scopes.name(name.name)
                && previous.depth == self.scopes.depth()
                && self.scopes.depth() > 0
            {
                let message = format!("redefinition of parameter '{}'", self.text(name.name));
                self.error_note(name.span, message, previous.span, "previous definition is here");
            }
            if let Some(name) = name {
                let binding = if definition {
                    let text = self.names.name(name.name).into();
                    Binding::Local(self.param_local(index, text, ty, declared.attributes.align, name.span))
                } else {
                    Binding::Prototype(ty)
                };
                self.scopes.bind(name.name, binding, name.span);
            } else if definition {
                self.param_local(index, "".into(), ty, declared.attributes.align, param.span);
            }
            list.push(Param { name, ty, align: declared.attributes.align, span: param.span });
        }
        if definition {
            self.prototypes = outer;
        } else {
            self.prototypes -= 1;
            self.scopes.leave();
        }
        list
    }

    /// Parameters are the first locals, before the hidden ones that their types may need.
    pub(super) fn reserve_params(&mut self, count: usize) {
        for _ in 0..count {
            self.new_local("".into(), QualType::plain(TypeTable::ERROR), None, Span::NONE);
        }
    }

    pub(super) fn param_local(
        &mut self,
        index: usize,
        name: Arc<str>,
        ty: QualType,
        align: Option<u64>,
        span: Span,
    ) -> hir::LocalId {
        if let Some(function) = &mut self.function {
            function.locals[index] = hir::Local { name, ty, align, span };
        }
        hir::LocalId(index as u32)
    }

    /// Arrays and functions become pointers.
    pub(super) fn adjusted(&mut self, ty: QualType) -> QualType {
        match *self.types.kind(ty.ty) {
            TypeKind::Array(elem, _) => QualType::plain(self.types.pointer_to(elem)),
            TypeKind::Function(_) => QualType::plain(self.types.pointer_to(QualType::plain(ty.ty))),
            _ => ty,
        }
    }

    /// The kinds of tags that a keyword may refer to.
    pub(super) fn tag_span(&self, tag: Tag) -> Span {
        match tag {
            Tag::Struct(id) | Tag::Union(id) => self.types.record(id).span,
            Tag::Enum(id) => self.types.enums[id.0 as usize].span,
        }
    }

    /// A hidden variable that will hold the length of an array, set where the type is met.
    fn length_local(&mut self, size: hir::Expr) -> hir::LocalId {
        let span = size.span;
        let size_t = self.types.size_t();
        let local = self.hidden_local(QualType::plain(size_t), span);
        let value = self.convert(size, size_t);
        let place = self.local_place(local, span);
        let effect = self.assign_node(place, value, span);
        if self.unevaluated == 0
            && let Some(function) = &mut self.function
        {
            function.effects.push(effect);
        }
        local
    }
}

pub(super) fn merge(a: Quals, b: Quals) -> Quals {
    Quals {
        is_const: a.is_const || b.is_const,
        is_volatile: a.is_volatile || b.is_volatile,
        is_restrict: a.is_restrict || b.is_restrict,
        is_atomic: a.is_atomic || b.is_atomic,
    }
}

/// Of equal width and the other signedness where that matters.
pub(super) fn int_type_of_size(bytes: u64, signed: bool, long_bits: u8) -> Option<TypeId> {
    let kind = match bytes {
        1 => IntKind::SChar,
        2 => IntKind::Short,
        4 => IntKind::Int,
        8 if long_bits == 64 => IntKind::Long,
        8 => IntKind::LongLong,
        16 => IntKind::Int128,
        _ => return None,
    };
    Some(TypeTable::int(if signed { kind } else { kind.to_unsigned() }))
}
