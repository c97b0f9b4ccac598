//! CBMC's primitives: `__CPROVER_*`. They need no declaration; those that take operands of any type are
//! rewritten here, the others are functions that lowering knows, or models. A primitive that is not known is
//! an error: as an implicit function it would do nothing, and what it asks for would go unnoticed.

use super::Checker;
use crate::ast;
use crate::hir::Expr;
use crate::types::{QualType, TypeTable};
use base::{Span, Symbol};

/// Primitives that are functions, with their types as `library` writes them; `?` for those that take operands
/// of any type.
const FUNCTIONS: &[(&str, &str)] = &[
    ("assume", "v?"),
    ("assert", "v?"),
    ("precondition", "v?"),
    ("postcondition", "v?"),
    ("cover", "v?"),
    ("input", "v?"),
    ("output", "v?"),
    ("atomic_begin", "v"),
    ("atomic_end", "v"),
    ("array_set", "v?"),
    ("array_copy", "vqq"),
    ("array_replace", "vqq"),
    ("array_equal", "Bqq"),
    ("havoc_object", "vp"),
    ("havoc_slice", "vpz"),
    ("OBJECT_SIZE", "zq"),
    ("POINTER_OFFSET", "zq"),
    ("POINTER_OBJECT", "zq"),
    ("DYNAMIC_OBJECT", "Bq"),
    ("LIVE_OBJECT", "Bq"),
    ("WRITEABLE_OBJECT", "Bq"),
    ("same_object", "Bqq"),
    ("is_freeable", "Bq"),
    ("r_ok", "Bqz"),
    ("w_ok", "Bqz"),
    ("rw_ok", "Bqz"),
    ("allocate", "pzi"),
    ("deallocate", "vp"),
];

/// Primitives that are expressions, and the builtin that says the same.
const EXPRESSIONS: &[(&str, &str)] = &[
    ("overflow_plus", "__builtin_add_overflow_p"),
    ("overflow_minus", "__builtin_sub_overflow_p"),
    ("overflow_mult", "__builtin_mul_overflow_p"),
    ("overflow_unary_minus", "__builtin_sub_overflow_p"),
    ("overflow_shl", ""),
    ("isnanf", "__builtin_isnan"),
    ("isnand", "__builtin_isnan"),
    ("isnanld", "__builtin_isnan"),
    ("isinff", "__builtin_isinf"),
    ("isinfd", "__builtin_isinf"),
    ("isinfld", "__builtin_isinf"),
    ("isfinitef", "__builtin_isfinite"),
    ("isfinited", "__builtin_isfinite"),
    ("isfiniteld", "__builtin_isfinite"),
    ("isnormalf", "__builtin_isnormal"),
    ("isnormald", "__builtin_isnormal"),
    ("isnormalld", "__builtin_isnormal"),
    ("signf", "__builtin_signbit"),
    ("signd", "__builtin_signbit"),
    ("signld", "__builtin_signbit"),
    ("fabsf", "__builtin_fabsf"),
    ("fabs", "__builtin_fabs"),
    ("fabsl", "__builtin_fabsl"),
    ("abs", "__builtin_abs"),
    ("labs", "__builtin_labs"),
    ("llabs", "__builtin_llabs"),
];

fn find(list: &[(&'static str, &'static str)], name: &str) -> Option<&'static str> {
    let base = name.strip_prefix("__CPROVER_")?;
    list.iter().find(|(known, _)| *known == base).map(|(_, what)| *what)
}

/// The type of a primitive that is a function, as `library` writes it.
pub(super) fn prototype(name: &str) -> Option<&'static str> {
    find(FUNCTIONS, name)
}

/// Is it one of CBMC's primitives that mean something here?
pub fn is_known(name: &str) -> bool {
    find(FUNCTIONS, name).is_some() || find(EXPRESSIONS, name).is_some()
}

/// What to say about one that means nothing.
pub fn unknown(name: &str) -> String {
    let known: Vec<&str> = FUNCTIONS.iter().chain(EXPRESSIONS).map(|(name, _)| *name).collect();
    format!(
        "'{name}' is not a primitive that is supported, and nothing defines it; supported are, after '__CPROVER_': {}",
        known.join(", ")
    )
}

impl Checker<'_> {
    /// A call of a primitive that is no function; none if it is one, or the program's own.
    pub(super) fn primitive(&mut self, name: Symbol, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let text = self.names.name(name).to_string();
        if !text.starts_with("__CPROVER_") || self.defined.contains(&name) {
            return None;
        }
        let of_object = matches!(&*text, "__CPROVER_r_ok" | "__CPROVER_w_ok" | "__CPROVER_rw_ok");
        if of_object && args.len() == 1 {
            return Some(self.whole_object_ok(name, args, span));
        }
        let Some(builtin) = find(EXPRESSIONS, &text) else {
            if !is_known(&text) && self.scopes.name(name).is_none() {
                self.error(span, unknown(&text));
                return Some(self.error_expr(span));
            }
            return None;
        };
        let wanted = if text.contains("overflow") && !text.ends_with("unary_minus") { 2 } else { 1 };
        if args.len() != wanted {
            let message = format!("'{text}' takes {wanted} arguments, not {}", args.len());
            self.error(span, message);
            return Some(self.error_expr(span));
        }
        if !text.contains("overflow") {
            let name = self.names.intern(builtin);
            return Some(self.builtin(name, builtin, args, span));
        }
        Some(self.overflow_primitive(&text, builtin, args, span))
    }

    /// Operands are converted to a common type, and the result of that type is what may not fit.
    fn overflow_primitive(&mut self, text: &str, builtin: &str, args: &[ast::Expr], span: Span) -> Expr {
        let mut values: Vec<Expr> = args.iter().map(|a| self.expr_value(a)).collect();
        if values.iter().any(|e| e.ty.ty == TypeTable::ERROR) {
            return self.error_expr(span);
        }
        if !values.iter().all(|e| self.types.is_integer(e.ty.ty)) {
            self.error(span, format!("'{text}' takes integers"));
            return self.error_expr(span);
        }
        if text.ends_with("shl") {
            let (Some(count), Some(value)) = (values.pop(), values.pop()) else {
                return self.error_expr(span);
            };
            let value = self.promote(value);
            let Some(layout) = self.types.int_layout(value.ty.ty) else { return self.error_expr(span) };
            let bits = self.int_expr(TypeTable::INT, i128::from(layout.bits), span);
            let signed = self.int_expr(TypeTable::INT, i128::from(layout.signed), span);
            let name = self.names.intern("__reprove_overflow_shl");
            let Some(id) = self.known_function(name, span) else { return self.error_expr(span) };
            let callee = self.designator(id, span);
            return self.call_values(callee, vec![value, count, bits, signed], span);
        }
        if let [value] = &values[..] {
            let zero = self.int_expr(value.ty.ty, 0, span);
            values.insert(0, zero);
        }
        let (Some(b), Some(a)) = (values.pop(), values.pop()) else { return self.error_expr(span) };
        let (a, b, ty) = self.usual(a, b);
        let result = self.int_expr(ty, 0, span);
        let base = builtin.trim_start_matches("__builtin_");
        match self.overflow_builtin(base, &mut vec![a, b, result], span) {
            Some(e) => e,
            None => self.error_expr(span),
        }
    }

    /// `r_ok(p)`: all of `*p`.
    fn whole_object_ok(&mut self, name: Symbol, args: &[ast::Expr], span: Span) -> Expr {
        let pointer = self.expr_value(&args[0]);
        let to = self.types.pointee(pointer.ty.ty).map(|to| to.ty);
        let size = to.and_then(|to| self.types.size_of(to)).unwrap_or(1);
        let Some(id) = self.known_function(name, span) else { return self.error_expr(span) };
        let size_t = self.types.size_t();
        let size = self.int_expr(size_t, i128::from(size), span);
        let callee = self.designator(id, span);
        let void = self.types.pointer_to(QualType::plain(TypeTable::VOID));
        let pointer = self.convert(pointer, void);
        self.call_values(callee, vec![pointer, size], span)
    }
}
