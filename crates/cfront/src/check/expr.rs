//! Expressions that are not operators on values: names, literals, members, places, `sizeof` and its kind,
//! choices.

use super::Checker;
use super::convert::is_place;
use super::float;
use super::scope::Binding;
use crate::ast::{self, CharKind, Designator, FloatSuffix, IntSuffix, Quals, UnaryOp};
use crate::hir::{BinaryOp, Expr, ExprKind, StringId, StringLit};
use crate::types::{ArrayLen, FloatKind, QualType, TypeId, TypeKind, TypeTable};
use base::{Span, Symbol};

impl Checker<'_> {
    /// An expression as it stands: a place stays a place.
    pub(super) fn expr(&mut self, e: &ast::Expr) -> Expr {
        let span = e.span;
        match &e.kind {
            ast::ExprKind::Ident(name) => self.ident(*name, span),
            ast::ExprKind::Int { value, decimal, suffix } => {
                self.int_literal(*value, *decimal, *suffix, span)
            }
            ast::ExprKind::Float { text, suffix, imaginary } => {
                self.float_literal(text, *suffix, *imaginary, span)
            }
            ast::ExprKind::Char { value, kind } => {
                let ty = match kind {
                    CharKind::Plain | CharKind::Utf8 => TypeTable::INT,
                    _ => self.char_type(*kind),
                };
                self.int_expr(ty, i128::from(*value), span)
            }
            ast::ExprKind::String { units, kind } => {
                let (id, ty) = self.string(units, *kind);
                Expr { kind: ExprKind::String(id), ty: QualType::plain(ty), span }
            }
            ast::ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ast::ExprKind::Binary(..) => self.binary_chain(e),
            ast::ExprKind::Assign(op, left, right) => self.assignment(*op, left, right, span),
            ast::ExprKind::Cond { cond, then, otherwise } => match then {
                Some(then) => self.conditional(cond, then, otherwise, span),
                None => self.elvis(cond, otherwise, span),
            },
            ast::ExprKind::Comma(left, right) => {
                let left = self.expr_value(left);
                let right = self.expr_value(right);
                if right.ty.ty == TypeTable::ERROR {
                    return right;
                }
                let ty = right.ty.ty;
                self.value(ExprKind::Comma(Box::new(left), Box::new(right)), ty, span)
            }
            ast::ExprKind::Cast(name, operand) => {
                let (ty, _) = self.type_name(name);
                let effects = self.take_effects();
                let operand = self.expr_value(operand);
                let value = self.cast(operand, ty, span);
                self.after(effects, value)
            }
            ast::ExprKind::CompoundLiteral(name, list) => self.compound_literal(name, list, span),
            ast::ExprKind::Call { callee, args } => self.call(callee, args, span),
            ast::ExprKind::Index(base, index) => self.index(base, index, span),
            ast::ExprKind::Member { base, field, arrow } => self.member_access(base, *field, *arrow, span),
            ast::ExprKind::SizeofExpr(operand) => {
                self.unevaluated += 1;
                let operand = self.expr(operand);
                self.unevaluated -= 1;
                if self.bit_field_of(&operand).is_some() {
                    self.error(span, "'sizeof' applied to a bit-field");
                    return self.error_expr(span);
                }
                self.size_of(operand.ty, "sizeof", span)
            }
            ast::ExprKind::SizeofType(name) => {
                let (ty, _) = self.type_name(name);
                let effects = self.take_effects();
                let size = self.size_of(ty, "sizeof", span);
                self.after(effects, size)
            }
            ast::ExprKind::AlignofExpr(operand) => {
                self.unevaluated += 1;
                let operand = self.expr(operand);
                self.unevaluated -= 1;
                if self.bit_field_of(&operand).is_some() {
                    self.error(span, "'__alignof' applied to a bit-field");
                    return self.error_expr(span);
                }
                let own = match operand.kind {
                    ExprKind::Global(id) => self.globals[id.0 as usize].align,
                    ExprKind::Local(id) => {
                        self.function.as_ref().and_then(|f| f.locals.get(id.0 as usize)).and_then(|l| l.align)
                    }
                    _ => None,
                };
                self.align_of(operand.ty, own, span)
            }
            ast::ExprKind::AlignofType(name) => {
                let (ty, align) = self.type_name(name);
                self.take_effects();
                self.align_of(ty, align, span)
            }
            ast::ExprKind::StmtExpr(block) => self.stmt_expr(block, span),
            ast::ExprKind::Generic { control, arms } => self.generic(control, arms, span),
            ast::ExprKind::VaArg(list, name) => {
                let (ty, _) = self.type_name(name);
                let list = self.expr(list);
                let Some(list) = self.va_list_operand(list) else { return self.error_expr(span) };
                if !self.types.is_complete(ty.ty) {
                    let message =
                        format!("second argument to 'va_arg' is of incomplete type '{}'", self.show(ty));
                    self.error(span, message);
                    return self.error_expr(span);
                }
                self.value(ExprKind::VaArg(Box::new(list)), ty.ty, span)
            }
            ast::ExprKind::Offsetof(name, designators) => self.offset_of(name, designators, span),
            ast::ExprKind::TypesCompatible(a, b) => {
                let ((a, _), (b, _)) = (self.type_name(a), self.type_name(b));
                self.take_effects();
                let same = self.compatible(a.ty, b.ty);
                self.int_expr(TypeTable::INT, same as i128, span)
            }
            ast::ExprKind::ChooseExpr(cond, then, otherwise) => {
                let message = "first argument to '__builtin_choose_expr' not a constant";
                let Some(value) = self.constant_int(cond, message) else { return self.error_expr(span) };
                let (chosen, other) = if value != 0 { (then, otherwise) } else { (otherwise, then) };
                self.unevaluated += 1;
                self.expr(other);
                self.unevaluated -= 1;
                self.expr(chosen)
            }
            ast::ExprKind::LabelAddr(label) => {
                self.use_label(*label);
                self.poison("the address of a label", span);
                let pointer = self.types.pointer_to(QualType::plain(TypeTable::VOID));
                self.unknown(pointer, span)
            }
            ast::ExprKind::Error => self.error_expr(span),
        }
    }

    pub(super) fn expr_value(&mut self, e: &ast::Expr) -> Expr {
        let e = self.expr(e);
        self.rvalue(e)
    }

    /// `effects` first, then `value`.
    pub(super) fn after(&mut self, effects: Vec<Expr>, value: Expr) -> Expr {
        let mut result = value;
        for effect in effects.into_iter().rev() {
            let (ty, span) = (result.ty.ty, result.span);
            result = self.value(ExprKind::Comma(Box::new(effect), Box::new(result)), ty, span);
        }
        result
    }

    fn ident(&mut self, name: Symbol, span: Span) -> Expr {
        match self.scopes.name(name).map(|b| b.binding) {
            Some(Binding::Local(id)) => self.local_place(id, span),
            Some(Binding::Global(id)) => {
                Expr { kind: ExprKind::Global(id), ty: self.globals[id.0 as usize].ty, span }
            }
            Some(Binding::Function(id)) => self.designator(id, span),
            Some(Binding::Enumerator { bits, ty }) => self.value(ExprKind::Int(bits), ty, span),
            Some(Binding::Prototype(ty)) => {
                Expr { kind: ExprKind::Local(crate::hir::LocalId(u32::MAX)), ty, span }
            }
            Some(Binding::Typedef { .. }) => {
                let message = format!("unexpected type name '{}': expected expression", self.text(name));
                self.error(span, message);
                self.error_expr(span)
            }
            Some(Binding::Error) => self.error_expr(span),
            None => self.unbound(name, span),
        }
    }

    pub(super) fn designator(&self, id: crate::hir::FuncId, span: Span) -> Expr {
        let ty = self.functions[id.0 as usize].ty;
        self.value(ExprKind::Function(id), ty, span)
    }

    fn unbound(&mut self, name: Symbol, span: Span) -> Expr {
        let text = self.text(name);
        if matches!(text, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            let units: Vec<u32> = match &self.function {
                Some(function) => function.name.bytes().map(u32::from).collect(),
                None => Vec::new(),
            };
            let (id, ty) = self.string(&units, CharKind::Plain);
            let ty = self.qualified(QualType::plain(ty), Quals { is_const: true, ..Quals::default() });
            return Expr { kind: ExprKind::String(id), ty, span };
        }
        if let Some(id) = self.library_function(name, span) {
            return self.designator(id, span);
        }
        let message = format!("use of undeclared identifier '{}'", self.text(name));
        self.error(span, message);
        // Once is enough.
        self.scopes.bind(name, Binding::Error, span);
        self.error_expr(span)
    }

    fn int_literal(&mut self, value: u128, decimal: bool, suffix: IntSuffix, span: Span) -> Expr {
        use TypeTable as T;
        let all = [
            (0, false, T::INT),
            (0, true, T::UINT),
            (1, false, T::LONG),
            (1, true, T::ULONG),
            (2, false, T::LONGLONG),
            (2, true, T::ULONGLONG),
        ];
        let fits = |ty: TypeId| self.types.int_layout(ty).is_some_and(|l| value <= l.max_bits());
        let found = all.iter().find(|&&(longs, unsigned, ty)| {
            longs >= suffix.longs
                && if suffix.unsigned { unsigned } else { !unsigned || !decimal }
                && fits(ty)
        });
        let ty = match found {
            Some(&(_, _, ty)) => ty,
            // gcc goes on with its widest type.
            None if self.types.target.pointer_bits == 64 && fits(T::INT128) => T::INT128,
            None if self.types.target.pointer_bits == 64 => T::UINT128,
            None => T::ULONGLONG,
        };
        let literal = self.int_expr(ty, value as i128, span);
        if suffix.imaginary {
            return self.imaginary(FloatKind::Double, span);
        }
        literal
    }

    fn imaginary(&mut self, kind: FloatKind, span: Span) -> Expr {
        self.poison("complex arithmetic", span);
        let ty = self.types.intern(TypeKind::Complex(kind));
        self.unknown(ty, span)
    }

    fn float_literal(&mut self, text: &str, suffix: FloatSuffix, imaginary: bool, span: Span) -> Expr {
        let (kind, ty) = match suffix {
            FloatSuffix::None => (FloatKind::Double, TypeTable::DOUBLE),
            FloatSuffix::F => (FloatKind::Float, TypeTable::FLOAT),
            FloatSuffix::L => (FloatKind::LongDouble, TypeTable::LONGDOUBLE),
            FloatSuffix::Q => (FloatKind::Float128, TypeTable::FLOAT128),
        };
        if imaginary {
            return self.imaginary(kind, span);
        }
        match float::parse(kind, text) {
            Some(bits) => self.value(ExprKind::Float(bits), ty, span),
            None => {
                self.error(span, format!("invalid floating constant '{text}'"));
                self.error_expr(span)
            }
        }
    }

    pub(super) fn char_type(&self, kind: CharKind) -> TypeId {
        match kind {
            CharKind::Plain | CharKind::Utf8 => TypeTable::CHAR,
            CharKind::Wide if self.types.target.long_bits == 32 => TypeTable::LONG,
            CharKind::Wide => TypeTable::INT,
            CharKind::Utf16 => TypeTable::USHORT,
            CharKind::Utf32 => TypeTable::UINT,
        }
    }

    /// The units as bytes of the target, without the closing zero.
    pub(super) fn string_bytes(&self, units: &[u32], kind: CharKind) -> Vec<u8> {
        let width = self.types.size_of(self.char_type(kind)).unwrap_or(1) as usize;
        let mut bytes = Vec::with_capacity((units.len() + 1) * width);
        for unit in units {
            bytes.extend_from_slice(&unit.to_le_bytes()[..width]);
        }
        bytes
    }

    fn string(&mut self, units: &[u32], kind: CharKind) -> (StringId, TypeId) {
        let elem = self.char_type(kind);
        let width = self.types.size_of(elem).unwrap_or(1) as usize;
        let mut bytes = self.string_bytes(units, kind);
        bytes.resize(bytes.len() + width, 0);
        let len = units.len() as u64 + 1;
        let ty = self.types.intern(TypeKind::Array(QualType::plain(elem), ArrayLen::Fixed(len)));
        let literal = StringLit { bytes, ty };
        if let Some(&id) = self.string_ids.get(&literal) {
            return (id, ty);
        }
        let id = StringId(self.strings.len() as u32);
        self.strings.push(literal.clone());
        self.string_ids.insert(literal, id);
        (id, ty)
    }

    fn index(&mut self, base: &ast::Expr, index: &ast::Expr, span: Span) -> Expr {
        let a = self.expr(base);
        if let TypeKind::Vector(elem, _) = *self.types.kind(a.ty.ty) {
            self.expr_value(index);
            self.poison("vector arithmetic", span);
            let pointer = self.types.pointer_to(QualType::plain(elem));
            let unknown = self.unknown(pointer, span);
            return self.deref(unknown, span);
        }
        let a = self.rvalue(a);
        let b = self.expr_value(index);
        if a.ty.ty == TypeTable::ERROR || b.ty.ty == TypeTable::ERROR {
            return self.error_expr(span);
        }
        let (pointer, index) = if self.types.is_pointer(a.ty.ty) { (a, b) } else { (b, a) };
        if !self.types.is_pointer(pointer.ty.ty) {
            self.error(span, "subscripted value is neither array nor pointer nor vector");
            return self.error_expr(span);
        }
        if !self.types.is_integer(index.ty.ty) {
            self.error(span, "array subscript is not an integer");
            return self.error_expr(span);
        }
        let element = self.pointer_offset(pointer, index, false, span);
        self.deref(element, span)
    }

    /// The place that a pointer value points to.
    pub(super) fn deref(&mut self, pointer: Expr, span: Span) -> Expr {
        if pointer.ty.ty == TypeTable::ERROR {
            return pointer;
        }
        match self.types.pointee(pointer.ty.ty) {
            Some(to) => Expr { kind: ExprKind::Deref(Box::new(pointer)), ty: to, span },
            None => {
                let message =
                    format!("invalid type argument of unary '*' (have '{}')", self.show_type(pointer.ty.ty));
                self.error(span, message);
                self.error_expr(span)
            }
        }
    }

    fn member_access(&mut self, base: &ast::Expr, field: ast::Ident, arrow: bool, span: Span) -> Expr {
        let base = if arrow {
            let pointer = self.expr_value(base);
            if pointer.ty.ty == TypeTable::ERROR {
                return pointer;
            }
            match self.types.pointee(pointer.ty.ty) {
                Some(to) => Expr { span: pointer.span, kind: ExprKind::Deref(Box::new(pointer)), ty: to },
                None => {
                    let message =
                        format!("invalid type argument of '->' (have '{}')", self.show_type(pointer.ty.ty));
                    self.error(span, message);
                    return self.error_expr(span);
                }
            }
        } else {
            self.expr(base)
        };
        self.member_of(base, field, span)
    }

    pub(super) fn member_of(&mut self, base: Expr, field: ast::Ident, span: Span) -> Expr {
        if base.ty.ty == TypeTable::ERROR {
            return self.error_expr(span);
        }
        let Some(id) = self.types.record_of(base.ty.ty) else {
            let name = self.text(field.name);
            let message = format!("request for member '{name}' in something not a structure or union");
            self.error(field.span, message);
            return self.error_expr(span);
        };
        if self.types.record(id).layout.is_none() {
            let message = format!("invalid use of undefined type '{}'", self.show_type(base.ty.ty));
            self.error(span, message);
            return self.error_expr(span);
        }
        match self.find_field(id, field.name) {
            Some(path) => path.iter().fold(base, |base, &index| self.member_node(base, index, span)),
            None => {
                let message = format!(
                    "no member named '{}' in '{}'",
                    self.text(field.name),
                    self.show_type(base.ty.ty)
                );
                self.error(field.span, message);
                self.error_expr(span)
            }
        }
    }

    fn member_node(&mut self, base: Expr, index: u32, span: Span) -> Expr {
        let field = self
            .types
            .record_of(base.ty.ty)
            .and_then(|id| self.types.record(id).layout.as_ref())
            .map(|layout| layout.fields[index as usize].ty);
        let Some(field) = field else { return self.error_expr(span) };
        let ty = self.qualified(field, Quals { is_restrict: false, ..base.ty.quals });
        Expr { kind: ExprKind::Member(Box::new(base), index), ty, span }
    }

    pub(super) fn address_of(&mut self, operand: Expr, span: Span) -> Expr {
        if operand.ty.ty == TypeTable::ERROR {
            return operand;
        }
        if self.types.is_function(operand.ty.ty) {
            return self.rvalue(operand);
        }
        if let ExprKind::Deref(pointer) = operand.kind {
            return *pointer;
        }
        if !is_place(&operand) {
            self.error(span, "lvalue required as unary '&' operand");
            return self.error_expr(span);
        }
        if self.bit_field_of(&operand).is_some() {
            self.error(span, "cannot take address of bit-field");
            return self.error_expr(span);
        }
        let ty = self.types.pointer_to(operand.ty);
        self.value(ExprKind::AddrOf(Box::new(operand)), ty, span)
    }

    /// `sizeof`, of type size_t; a constant unless the type has a variable length.
    pub(super) fn size_of(&mut self, ty: QualType, operator: &str, span: Span) -> Expr {
        let size_t = self.types.size_t();
        if ty.ty == TypeTable::ERROR {
            return self.error_expr(span);
        }
        if self.types.is_variable(ty.ty) {
            return self.variable_size(ty.ty, span);
        }
        match self.types.stride(ty.ty) {
            Some(size) => self.int_expr(size_t, i128::from(size), span),
            None => {
                let message =
                    format!("invalid application of '{operator}' to incomplete type '{}'", self.show(ty));
                self.error(span, message);
                self.error_expr(span)
            }
        }
    }

    fn align_of(&mut self, ty: QualType, own: Option<u64>, span: Span) -> Expr {
        let size_t = self.types.size_t();
        if ty.ty == TypeTable::ERROR {
            return self.error_expr(span);
        }
        match own.or_else(|| self.types.align_of(ty.ty)) {
            Some(align) => self.int_expr(size_t, i128::from(align), span),
            None => {
                let message =
                    format!("invalid application of '_Alignof' to incomplete type '{}'", self.show(ty));
                self.error(span, message);
                self.error_expr(span)
            }
        }
    }

    fn generic(&mut self, control: &ast::Expr, arms: &[ast::GenericArm], span: Span) -> Expr {
        self.unevaluated += 1;
        let control = self.expr_value(control);
        self.unevaluated -= 1;
        let mut chosen = None;
        let mut default = None;
        for arm in arms {
            match &arm.ty {
                None => default = Some(&arm.value),
                Some(name) => {
                    let (ty, _) = self.type_name(name);
                    let matches = ty.quals == Quals::default() && self.compatible(ty.ty, control.ty.ty);
                    if matches && chosen.is_none() {
                        chosen = Some(&arm.value);
                    }
                }
            }
        }
        self.take_effects();
        if control.ty.ty == TypeTable::ERROR {
            return self.error_expr(span);
        }
        let Some(chosen) = chosen.or(default) else {
            let message = format!(
                "'_Generic' selector of type '{}' is not compatible with any association",
                self.show_type(control.ty.ty)
            );
            self.error(span, message);
            return self.error_expr(span);
        };
        for arm in arms.iter().filter(|arm| !std::ptr::eq(&arm.value, chosen)) {
            self.unevaluated += 1;
            self.expr(&arm.value);
            self.unevaluated -= 1;
        }
        self.expr(chosen)
    }

    fn offset_of(&mut self, name: &ast::TypeName, designators: &[Designator], span: Span) -> Expr {
        let (ty, _) = self.type_name(name);
        self.take_effects();
        let size_t = self.types.size_t();
        let mut ty = ty;
        let mut total = self.int_expr(size_t, 0, span);
        for designator in designators {
            if ty.ty == TypeTable::ERROR {
                return self.error_expr(span);
            }
            match designator {
                Designator::Field(field) => {
                    let place = Expr { kind: ExprKind::Int(0), ty, span };
                    let found = self.member_of(place, *field, span);
                    if found.ty.ty == TypeTable::ERROR {
                        return found;
                    }
                    if self.bit_field_of(&found).is_some() {
                        self.error(span, "attempt to take address of bit-field");
                        return self.error_expr(span);
                    }
                    let offset = self.member_offset(&found);
                    ty = found.ty;
                    let offset = self.int_expr(size_t, i128::from(offset), span);
                    total = self.fold_binary(BinaryOp::Add, total, offset, size_t, span);
                }
                Designator::Index(index) | Designator::Range(index, _) => {
                    let TypeKind::Array(elem, _) = *self.types.kind(ty.ty) else {
                        self.error(index.span, "subscripted value is neither array nor pointer nor vector");
                        return self.error_expr(span);
                    };
                    let index = self.expr_value(index);
                    if !self.types.is_integer(index.ty.ty) {
                        return self.error_expr(span);
                    }
                    let index = self.convert(index, size_t);
                    let size = self.size_of(elem, "offsetof", span);
                    if size.ty.ty == TypeTable::ERROR {
                        return size;
                    }
                    let scaled = self.fold_binary(BinaryOp::Mul, index, size, size_t, span);
                    total = self.fold_binary(BinaryOp::Add, total, scaled, size_t, span);
                    ty = elem;
                }
            }
        }
        total
    }

    /// Bytes from the start of the outermost record of a chain of members.
    fn member_offset(&self, e: &Expr) -> u64 {
        let ExprKind::Member(base, index) = &e.kind else { return 0 };
        let own = self
            .types
            .record_of(base.ty.ty)
            .and_then(|id| self.types.record(id).layout.as_ref())
            .map_or(0, |layout| layout.fields[*index as usize].offset);
        own + self.member_offset(base)
    }

    /// The address of the place where a `va_list` keeps its position.
    pub(super) fn va_list_operand(&mut self, list: Expr) -> Option<Expr> {
        if list.ty.ty == TypeTable::ERROR {
            return None;
        }
        let span = list.span;
        let expected = self.va_list_type();
        if self.types.is_array(expected) {
            let list = self.rvalue(list);
            let pointer = self.adjusted(QualType::plain(expected));
            // Any pointer will do, as for other arguments.
            if self.types.is_pointer(list.ty.ty) {
                return Some(self.convert(list, pointer.ty));
            }
        } else if self.compatible(list.ty.ty, expected) && is_place(&list) {
            return Some(self.address_of(list, span));
        }
        self.error(span, "argument is not of type 'va_list'");
        None
    }

    pub(super) fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> Expr {
        match op {
            UnaryOp::AddrOf => {
                let operand = self.expr(operand);
                self.address_of(operand, span)
            }
            UnaryOp::Deref => {
                let pointer = self.expr_value(operand);
                self.deref(pointer, span)
            }
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                self.increment(op, operand, span)
            }
            UnaryOp::Plus | UnaryOp::Neg | UnaryOp::BitNot | UnaryOp::Not => {
                self.unary_arithmetic(op, operand, span)
            }
            UnaryOp::Real | UnaryOp::Imag => {
                let operand = self.expr_value(operand);
                match *self.types.kind(operand.ty.ty) {
                    TypeKind::Complex(kind) => {
                        self.poison("complex arithmetic", span);
                        let part = self.types.intern(TypeKind::Float(kind));
                        self.unknown(part, span)
                    }
                    _ if op == UnaryOp::Real => operand,
                    _ => {
                        let zero = self.int_expr(TypeTable::INT, 0, span);
                        let ty = operand.ty.ty;
                        self.convert(zero, ty)
                    }
                }
            }
        }
    }
}
