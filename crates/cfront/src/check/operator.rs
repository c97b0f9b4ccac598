//! Operators on values: arithmetic, comparisons, logic, conditional, assignment, pointer arithmetic.

use super::Checker;
use super::convert::{Purpose, is_place};
use super::specs::merge;
use crate::ast::{self, Quals, UnaryOp};
use crate::hir::{BinaryOp, Expr, ExprKind};
use crate::types::{QualType, TypeId, TypeKind, TypeTable};
use base::Span;

impl Checker<'_> {
    /// Walks the left side of a chain in a loop: chains of thousands of operators must not use the stack.
    pub(super) fn binary_chain(&mut self, e: &ast::Expr) -> Expr {
        let mut spine = Vec::new();
        let mut leftmost = e;
        while let ast::ExprKind::Binary(op, left, right) = &leftmost.kind {
            spine.push((*op, right, leftmost.span));
            leftmost = left;
        }
        let mut result = self.expr_value(leftmost);
        for (op, right, span) in spine.into_iter().rev() {
            let right = self.expr_value(right);
            result = self.binary(op, result, right, span);
        }
        result
    }

    pub(super) fn binary(&mut self, op: ast::BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        use ast::BinaryOp as B;
        if a.ty.ty == TypeTable::ERROR || b.ty.ty == TypeTable::ERROR {
            return self.error_expr(span);
        }
        match op {
            B::And | B::Or => self.logical(op, a, b, span),
            B::Mul => self.arithmetic(BinaryOp::Mul, op, a, b, span),
            B::Div => self.arithmetic(BinaryOp::Div, op, a, b, span),
            B::Rem => self.integer_arithmetic(BinaryOp::Rem, op, a, b, span),
            B::BitAnd => self.integer_arithmetic(BinaryOp::And, op, a, b, span),
            B::BitXor => self.integer_arithmetic(BinaryOp::Xor, op, a, b, span),
            B::BitOr => self.integer_arithmetic(BinaryOp::Or, op, a, b, span),
            B::Shl => self.shift(BinaryOp::Shl, op, a, b, span),
            B::Shr => self.shift(BinaryOp::Shr, op, a, b, span),
            B::Add => self.add(a, b, span),
            B::Sub => self.subtract(a, b, span),
            B::Lt => self.compare(BinaryOp::Lt, op, a, b, span),
            B::Gt => self.compare(BinaryOp::Gt, op, a, b, span),
            B::Le => self.compare(BinaryOp::Le, op, a, b, span),
            B::Ge => self.compare(BinaryOp::Ge, op, a, b, span),
            B::Eq => self.compare(BinaryOp::Eq, op, a, b, span),
            B::Ne => self.compare(BinaryOp::Ne, op, a, b, span),
        }
    }

    fn invalid_operands(&mut self, op: ast::BinaryOp, a: &Expr, b: &Expr, span: Span) -> Expr {
        if a.ty.ty == TypeTable::VOID || b.ty.ty == TypeTable::VOID {
            self.error(span, "void value not ignored as it ought to be");
        } else {
            let message = format!(
                "invalid operands to binary {} (have '{}' and '{}')",
                spelling(op),
                self.show_type(a.ty.ty),
                self.show_type(b.ty.ty)
            );
            self.error(span, message);
        }
        self.error_expr(span)
    }

    /// Complex and vector operands: the type of the result, if that is what they are.
    fn exotic(&mut self, a: &Expr, b: &Expr, span: Span) -> Option<Expr> {
        let (x, y) = (a.ty.ty, b.ty.ty);
        let exotic = [x, y].into_iter().find(|&t| self.types.is_exotic(t))?;
        let other = if exotic == x { y } else { x };
        if !self.types.is_real(other) && !self.types.is_exotic(other) {
            return None;
        }
        self.poison("complex or vector arithmetic", span);
        Some(self.unknown(exotic, span))
    }

    fn arithmetic(&mut self, hir: BinaryOp, op: ast::BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        if self.types.is_real(a.ty.ty) && self.types.is_real(b.ty.ty) {
            let (a, b, ty) = self.usual(a, b);
            return self.fold_binary(hir, a, b, ty, span);
        }
        match self.exotic(&a, &b, span) {
            Some(e) => e,
            None => self.invalid_operands(op, &a, &b, span),
        }
    }

    fn integer_arithmetic(&mut self, hir: BinaryOp, op: ast::BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        if self.types.is_integer(a.ty.ty) && self.types.is_integer(b.ty.ty) {
            let (a, b, ty) = self.usual(a, b);
            return self.fold_binary(hir, a, b, ty, span);
        }
        self.integer_only(op, a, b, span)
    }

    fn integer_only(&mut self, op: ast::BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let vector = [&a, &b].iter().any(|e| matches!(self.types.kind(e.ty.ty), TypeKind::Vector(..)));
        match vector.then(|| self.exotic(&a, &b, span)).flatten() {
            Some(e) => e,
            None => self.invalid_operands(op, &a, &b, span),
        }
    }

    fn shift(&mut self, hir: BinaryOp, op: ast::BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        if !self.types.is_integer(a.ty.ty) || !self.types.is_integer(b.ty.ty) {
            return self.integer_only(op, a, b, span);
        }
        let (a, b) = (self.promote(a), self.promote(b));
        let ty = a.ty.ty;
        self.fold_binary(hir, a, b, ty, span)
    }

    fn add(&mut self, a: Expr, b: Expr, span: Span) -> Expr {
        let types = &self.types;
        if types.is_pointer(a.ty.ty) && types.is_integer(b.ty.ty) {
            return self.pointer_offset(a, b, false, span);
        }
        if types.is_integer(a.ty.ty) && types.is_pointer(b.ty.ty) {
            return self.pointer_offset(b, a, false, span);
        }
        self.arithmetic(BinaryOp::Add, ast::BinaryOp::Add, a, b, span)
    }

    fn subtract(&mut self, a: Expr, b: Expr, span: Span) -> Expr {
        let types = &self.types;
        if types.is_pointer(a.ty.ty) && types.is_integer(b.ty.ty) {
            return self.pointer_offset(a, b, true, span);
        }
        if let (Some(x), Some(y)) = (types.pointee(a.ty.ty), types.pointee(b.ty.ty)) {
            let both_void = x.ty == TypeTable::VOID || y.ty == TypeTable::VOID;
            if !both_void && !self.compatible(x.ty, y.ty) {
                return self.invalid_operands(ast::BinaryOp::Sub, &a, &b, span);
            }
            let Some(scale) = self.stride(x, span) else { return self.error_expr(span) };
            let ty = self.types.ptrdiff_t();
            let (a, b, scale) = (Box::new(a), Box::new(b), Box::new(scale));
            return self.value(ExprKind::PtrDiff { a, b, scale }, ty, span);
        }
        self.arithmetic(BinaryOp::Sub, ast::BinaryOp::Sub, a, b, span)
    }

    /// The distance of neighbours in an array of this type, of type ptrdiff_t; None if reported.
    fn stride(&mut self, elem: QualType, span: Span) -> Option<Expr> {
        let size = if self.types.is_variable(elem.ty) {
            self.variable_size(elem.ty, span)
        } else if let Some(size) = self.types.stride(elem.ty) {
            self.int_expr(self.types.size_t(), i128::from(size), span)
        } else {
            let message = format!("arithmetic on a pointer to an incomplete type '{}'", self.show(elem));
            self.error(span, message);
            return None;
        };
        let ty = self.types.ptrdiff_t();
        Some(self.convert(size, ty))
    }

    pub(super) fn pointer_offset(&mut self, ptr: Expr, index: Expr, subtract: bool, span: Span) -> Expr {
        let Some(to) = self.types.pointee(ptr.ty.ty) else { return self.error_expr(span) };
        let Some(scale) = self.stride(to, span) else { return self.error_expr(span) };
        let (ty, wide) = (ptr.ty.ty, self.types.ptrdiff_t());
        let index = self.convert(index, wide);
        let (ptr, index, scale) = (Box::new(ptr), Box::new(index), Box::new(scale));
        self.value(ExprKind::PtrOffset { ptr, index, scale, subtract }, ty, span)
    }

    fn compare(&mut self, hir: BinaryOp, op: ast::BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let types = &self.types;
        let (x, y) = (a.ty.ty, b.ty.ty);
        if types.is_real(x) && types.is_real(y) {
            let (a, b, _) = self.usual(a, b);
            return self.comparison(hir, a, b, span);
        }
        let (pointer_x, pointer_y) = (types.is_pointer(x), types.is_pointer(y));
        let addresses = pointer_x && (pointer_y || types.is_integer(y)) || pointer_y && types.is_integer(x);
        if addresses {
            // Pointers of different types, or a pointer and an integer, compare as addresses.
            let ty = if pointer_x { x } else { y };
            let (a, b) = (self.convert(a, ty), self.convert(b, ty));
            return self.comparison(hir, a, b, span);
        }
        if let Some(e) = self.exotic(&a, &b, span) {
            let vector = matches!(self.types.kind(e.ty.ty), TypeKind::Vector(..));
            return if vector { e } else { self.unknown(TypeTable::INT, span) };
        }
        self.invalid_operands(op, &a, &b, span)
    }

    fn logical(&mut self, op: ast::BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let (a, b) = (self.condition(a), self.condition(b));
        if a.ty.ty == TypeTable::ERROR || b.ty.ty == TypeTable::ERROR {
            return self.error_expr(span);
        }
        let is_and = op == ast::BinaryOp::And;
        // A known left side either decides the result, or leaves it to the right side.
        if let Some(left) = self.literal_truth(&a) {
            if left != is_and {
                return self.int_expr(TypeTable::INT, left as i128, span);
            }
            if let Some(right) = self.literal_truth(&b) {
                return self.int_expr(TypeTable::INT, right as i128, span);
            }
        }
        let (a, b) = (Box::new(a), Box::new(b));
        let kind = if is_and { ExprKind::And(a, b) } else { ExprKind::Or(a, b) };
        self.value(kind, TypeTable::INT, span)
    }

    pub(super) fn unary_arithmetic(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> Expr {
        let e = self.expr_value(operand);
        let ty = e.ty.ty;
        if ty == TypeTable::ERROR {
            return e;
        }
        if op == UnaryOp::Not {
            let e = self.condition(e);
            if e.ty.ty == TypeTable::ERROR {
                return e;
            }
            return self.fold_not(e, span);
        }
        if self.types.is_exotic(ty) {
            self.poison("complex or vector arithmetic", span);
            return self.unknown(ty, span);
        }
        let fits = if op == UnaryOp::BitNot { self.types.is_integer(ty) } else { self.types.is_real(ty) };
        if !fits {
            let what = match op {
                UnaryOp::BitNot => "bit-complement",
                UnaryOp::Neg => "unary minus",
                _ => "unary plus",
            };
            self.error(span, format!("wrong type argument to {what}"));
            return self.error_expr(span);
        }
        let e = self.promote(e);
        match op {
            UnaryOp::Neg => self.fold_neg(e, span),
            UnaryOp::BitNot => self.fold_bit_not(e, span),
            _ => e,
        }
    }

    pub(super) fn assign_node(&mut self, place: Expr, value: Expr, span: Span) -> Expr {
        let ty = place.ty.ty;
        self.value(ExprKind::Assign(Box::new(place), Box::new(value)), ty, span)
    }

    /// False if reported: `place` cannot be stored to.
    fn modifiable(&mut self, place: &Expr, verb: &str, span: Span) -> bool {
        if place.ty.ty == TypeTable::ERROR {
            return false;
        }
        if self.types.is_array(place.ty.ty) {
            self.error(span, format!("{verb} of expression with array type"));
            return false;
        }
        if !is_place(place) || self.types.is_function(place.ty.ty) {
            let what = if verb == "assignment" { "left operand of assignment" } else { verb };
            self.error(span, format!("lvalue required as {what}"));
            return false;
        }
        if place.ty.quals.is_const || self.has_const_member(place.ty.ty) {
            let what = match &place.kind {
                ExprKind::Local(id) => match &self.function {
                    Some(f) if !f.locals[id.0 as usize].name.is_empty() => {
                        format!("variable '{}'", f.locals[id.0 as usize].name)
                    }
                    _ => "location".into(),
                },
                ExprKind::Global(id) => format!("variable '{}'", self.globals[id.0 as usize].name),
                ExprKind::Member(base, index) => self
                    .types
                    .record_of(base.ty.ty)
                    .and_then(|id| self.types.record(id).layout.as_ref())
                    .map_or("member".into(), |l| format!("member '{}'", l.fields[*index as usize].name)),
                _ => "location".into(),
            };
            self.error(span, format!("{verb} of read-only {what}"));
            return false;
        }
        if place.ty.ty == TypeTable::VOID || !self.types.is_complete(place.ty.ty) {
            let message = format!("invalid use of incomplete type '{}'", self.show(place.ty));
            self.error(span, message);
            return false;
        }
        true
    }

    fn has_const_member(&self, ty: TypeId) -> bool {
        let Some(layout) = self.types.record_of(ty).and_then(|id| self.types.record(id).layout.as_ref())
        else {
            return false;
        };
        layout.fields.iter().any(|field| {
            let mut ty = field.ty;
            while let TypeKind::Array(elem, _) = self.types.kind(ty.ty) {
                ty = *elem;
            }
            ty.quals.is_const || self.has_const_member(ty.ty)
        })
    }

    pub(super) fn assignment(
        &mut self,
        op: Option<ast::BinaryOp>,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Expr {
        let place = self.expr(left);
        let right = self.expr_value(right);
        if place.ty.ty == TypeTable::ERROR || right.ty.ty == TypeTable::ERROR {
            return self.error_expr(span);
        }
        if !self.modifiable(&place, "assignment", span) {
            return self.error_expr(span);
        }
        match op {
            None => {
                let value = self.assign_convert(right, place.ty, Purpose::Assign);
                if value.ty.ty == TypeTable::ERROR {
                    return value;
                }
                self.assign_node(place, value, span)
            }
            Some(op) => {
                let current = self.current(&place, span);
                let value = self.binary(op, current, right, span);
                self.update_node(place, value, false, span)
            }
        }
    }

    /// The value that an `Update` of `place` has read; promoted at once if the place is a narrow bit-field.
    pub(super) fn current(&mut self, place: &Expr, span: Span) -> Expr {
        let ty = place.ty.ty;
        let current = self.value(ExprKind::Current, ty, span);
        match self.bit_field_of(place) {
            Some(bits) if bits.width < 32 => self.convert(current, TypeTable::INT),
            Some(bits) if bits.width == 32 => {
                let signed = self.types.int_layout(ty).is_some_and(|l| l.signed);
                self.convert(current, if signed { TypeTable::INT } else { TypeTable::UINT })
            }
            _ => current,
        }
    }

    pub(super) fn update_node(&mut self, place: Expr, value: Expr, post: bool, span: Span) -> Expr {
        let value = self.assign_convert(value, place.ty, Purpose::Assign);
        if value.ty.ty == TypeTable::ERROR {
            return self.error_expr(span);
        }
        let ty = place.ty.ty;
        let (place, value) = (Box::new(place), Box::new(value));
        self.value(ExprKind::Update { place, value, post }, ty, span)
    }

    pub(super) fn increment(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> Expr {
        let up = matches!(op, UnaryOp::PreInc | UnaryOp::PostInc);
        let post = matches!(op, UnaryOp::PostInc | UnaryOp::PostDec);
        let place = self.expr(operand);
        let verb = if up { "increment" } else { "decrement" };
        if !self.modifiable(&place, verb, span) {
            return self.error_expr(span);
        }
        let ty = place.ty.ty;
        if self.types.is_exotic(ty) {
            self.poison("complex or vector arithmetic", span);
            return self.unknown(ty, span);
        }
        if !self.types.is_scalar(ty) {
            self.error(span, format!("wrong type argument to {verb}"));
            return self.error_expr(span);
        }
        let one = self.int_expr(TypeTable::INT, 1, span);
        // `++` on a _Bool sets it; `--` flips it: both are what the arithmetic gives.
        let current = self.current(&place, span);
        let op = if up { ast::BinaryOp::Add } else { ast::BinaryOp::Sub };
        let value = self.binary(op, current, one, span);
        self.update_node(place, value, post, span)
    }

    pub(super) fn conditional(
        &mut self,
        cond: &ast::Expr,
        then: &ast::Expr,
        otherwise: &ast::Expr,
        span: Span,
    ) -> Expr {
        let cond = self.expr_value(cond);
        let cond = self.condition(cond);
        // The arm not taken is still checked, but what it cannot do does not matter.
        let truth = self.literal_truth(&cond);
        self.unevaluated += (truth == Some(false)) as u32;
        let a = self.expr_value(then);
        self.unevaluated -= (truth == Some(false)) as u32;
        self.unevaluated += (truth == Some(true)) as u32;
        let b = self.expr_value(otherwise);
        self.unevaluated -= (truth == Some(true)) as u32;
        if [&cond, &a, &b].iter().any(|e| e.ty.ty == TypeTable::ERROR) {
            return self.error_expr(span);
        }
        let Some((a, b, ty)) = self.same_type(a, b, span) else { return self.error_expr(span) };
        match truth {
            Some(true) => a,
            Some(false) => b,
            None => self.value(ExprKind::Cond(Box::new(cond), Box::new(a), Box::new(b)), ty, span),
        }
    }

    pub(super) fn elvis(&mut self, cond: &ast::Expr, otherwise: &ast::Expr, span: Span) -> Expr {
        let cond = self.expr_value(cond);
        let cond = self.condition(cond);
        let otherwise = self.expr_value(otherwise);
        if cond.ty.ty == TypeTable::ERROR || otherwise.ty.ty == TypeTable::ERROR {
            return self.error_expr(span);
        }
        let truth = self.literal_truth(&cond);
        let current = match &cond.kind {
            ExprKind::Int(bits) => self.value(ExprKind::Int(*bits), cond.ty.ty, span),
            _ => self.value(ExprKind::Current, cond.ty.ty, span),
        };
        let Some((value, otherwise, ty)) = self.same_type(current, otherwise, span) else {
            return self.error_expr(span);
        };
        match truth {
            Some(true) if matches!(cond.kind, ExprKind::Int(_)) => value,
            Some(false) => otherwise,
            _ => {
                let parts = (Box::new(cond), Box::new(value), Box::new(otherwise));
                self.value(ExprKind::CondElvis(parts.0, parts.1, parts.2), ty, span)
            }
        }
    }

    /// Brings the arms of a conditional to its type; None if reported.
    fn same_type(&mut self, a: Expr, b: Expr, span: Span) -> Option<(Expr, Expr, TypeId)> {
        let (x, y) = (a.ty.ty, b.ty.ty);
        let types = &self.types;
        if types.is_real(x) && types.is_real(y) {
            return Some(self.usual(a, b));
        }
        if x == TypeTable::VOID || y == TypeTable::VOID {
            let (a, b) = (self.cast_to_void(a), self.cast_to_void(b));
            return Some((a, b, TypeTable::VOID));
        }
        let (pointer_x, pointer_y) = (types.is_pointer(x), types.is_pointer(y));
        if pointer_x && pointer_y {
            let ty = self.common_pointer(&a, &b);
            return Some((self.convert(a, ty), self.convert(b, ty), ty));
        }
        if pointer_x && types.is_integer(y) {
            return Some((a, self.convert(b, x), x));
        }
        if pointer_y && types.is_integer(x) {
            return Some((self.convert(a, y), b, y));
        }
        if x == y {
            return Some((a, b, x));
        }
        if let Some(e) = self.exotic(&a, &b, span) {
            let ty = e.ty.ty;
            let other = self.unknown(ty, span);
            return Some((e, other, ty));
        }
        let (a, b) = (self.show_type(x), self.show_type(y));
        self.error(span, format!("type mismatch in conditional expression (have '{a}' and '{b}')"));
        None
    }

    fn cast_to_void(&mut self, e: Expr) -> Expr {
        let span = e.span;
        self.cast(e, QualType::plain(TypeTable::VOID), span)
    }

    fn common_pointer(&mut self, a: &Expr, b: &Expr) -> TypeId {
        let (x, y) = (a.ty.ty, b.ty.ty);
        if x == y || self.is_null_constant(b) {
            return x;
        }
        if self.is_null_constant(a) {
            return y;
        }
        let (Some(to_x), Some(to_y)) = (self.types.pointee(x), self.types.pointee(y)) else { return x };
        let quals = Quals { is_restrict: false, is_atomic: false, ..merge(to_x.quals, to_y.quals) };
        let ty = if to_x.ty == TypeTable::VOID || to_y.ty == TypeTable::VOID {
            TypeTable::VOID
        } else if self.compatible(to_x.ty, to_y.ty) {
            self.composite(to_x.ty, to_y.ty)
        } else {
            // gcc warns and goes on with void *.
            TypeTable::VOID
        };
        let to = self.qualified(QualType::plain(ty), quals);
        self.types.pointer_to(to)
    }
}

fn spelling(op: ast::BinaryOp) -> &'static str {
    use ast::BinaryOp::*;
    match op {
        Mul => "*",
        Div => "/",
        Rem => "%",
        Add => "+",
        Sub => "-",
        Shl => "<<",
        Shr => ">>",
        Lt => "<",
        Gt => ">",
        Le => "<=",
        Ge => ">=",
        Eq => "==",
        Ne => "!=",
        BitAnd => "&",
        BitXor => "^",
        BitOr => "|",
        And => "&&",
        Or => "||",
    }
}
