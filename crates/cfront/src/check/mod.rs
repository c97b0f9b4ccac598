//! Syntax tree in, typed tree out: scopes, types, conversions, constant expressions, initialisers, builtins.
//!
//! What gcc rejects is an error here; what it only warns about is accepted. Legal C that cannot be handled
//! poisons the function around it and nothing else. Every problem is reported once: a broken expression has
//! the type `Error`, which is silently compatible with everything.

mod asm;
mod atomic;
mod attributes;
mod builtin;
mod call;
mod compat;
mod constant;
mod convert;
mod declare;
mod expr;
mod float;
mod fold;
mod function;
mod image;
mod initializer;
pub(crate) mod library;
mod operator;
pub(crate) mod primitives;
mod record;
mod scope;
mod specs;
mod stmt;
#[cfg(test)]
mod tests;
mod vla;

use crate::ast;
use crate::hir::{self, Expr, ExprKind, FuncId, GlobalId, LabelId, LocalId, StringId, StringLit};
use crate::type_name::type_to_string;
use crate::types::{QualType, TypeId, TypeTable};
use base::{Diagnostic, Diagnostics, Interner, Span, Symbol};
use ir::Target;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::Scopes;
use std::sync::Arc;

/// Checks one translation unit. The result may be used only if no error was reported.
pub fn check(
    unit: &ast::TranslationUnit,
    names: &mut Interner,
    target: Target,
    diagnostics: &mut Diagnostics,
) -> hir::Unit {
    let mut checker = Checker::new(names, target, diagnostics);
    checker.unit(unit);
    hir::Unit {
        types: checker.types,
        globals: checker.globals,
        functions: checker.functions,
        strings: checker.strings,
    }
}

/// What a name with linkage stands for in the whole unit, whatever scope declares it.
#[derive(Clone, Copy)]
enum Linked {
    Global(GlobalId),
    Function(FuncId),
}

/// What the checker remembers about a function besides its HIR.
#[derive(Default, Clone, Copy)]
struct FunctionInfo {
    /// Where its body is.
    defined: Option<Span>,
    /// Declared by its first call only.
    implicit: bool,
    /// Declared by the checker with the prototype that the C library gives it.
    known: bool,
    /// `extern inline` in the old GNU sense: a later real definition replaces it.
    replaceable: bool,
    special: Option<library::Special>,
}

struct Checker<'a> {
    names: &'a mut Interner,
    diagnostics: &'a mut Diagnostics,
    types: TypeTable,
    globals: Vec<hir::Global>,
    functions: Vec<hir::Function>,
    function_info: Vec<FunctionInfo>,
    strings: Vec<StringLit>,
    string_ids: FxHashMap<StringLit, StringId>,
    scopes: Scopes,
    linked: FxHashMap<Symbol, Linked>,
    /// Field names of each record, by position in its layout; compared faster than text.
    field_names: Vec<Vec<Option<Symbol>>>,
    /// Functions that have a body somewhere in the unit.
    defined: FxHashSet<Symbol>,
    static_names: FxHashMap<Arc<str>, u32>,
    function: Option<FunctionState>,
    va_list: Option<TypeId>,
    /// Inside `sizeof`, `typeof` and the like: nothing there runs.
    unevaluated: u32,
    /// Inside how many parameter lists that belong to no definition.
    prototypes: u32,
    /// How often something could not be handled.
    poisons: u32,
}

/// The function whose body is being checked.
struct FunctionState {
    id: FuncId,
    name: Arc<str>,
    ret: TypeId,
    variadic: bool,
    locals: Vec<hir::Local>,
    labels: Vec<hir::Label>,
    /// Visible labels; `__label__` shadows and is undone at the end of its block.
    label_ids: FxHashMap<Symbol, LabelId>,
    label_defined: Vec<Option<Span>>,
    /// The first jump to each label.
    label_used: Vec<Option<Span>>,
    poison: Option<(String, Span)>,
    loops: u32,
    switches: Vec<stmt::Switch>,
    /// Inside how many statements that `break` leaves.
    breakable: u32,
    /// Assignments to hidden length variables that array types just met need; flushed by whoever asked for
    /// the type.
    effects: Vec<Expr>,
}

impl<'a> Checker<'a> {
    fn new(names: &'a mut Interner, target: Target, diagnostics: &'a mut Diagnostics) -> Self {
        Checker {
            names,
            diagnostics,
            types: TypeTable::new(target),
            globals: Vec::new(),
            functions: Vec::new(),
            function_info: Vec::new(),
            strings: Vec::new(),
            string_ids: FxHashMap::default(),
            scopes: Scopes::default(),
            linked: FxHashMap::default(),
            field_names: Vec::new(),
            defined: FxHashSet::default(),
            static_names: FxHashMap::default(),
            function: None,
            va_list: None,
            unevaluated: 0,
            prototypes: 0,
            poisons: 0,
        }
    }

    fn unit(&mut self, unit: &ast::TranslationUnit) {
        for item in &unit.items {
            if let ast::Item::Function(definition) = item
                && let Some(name) = definition.declarator.name
            {
                self.defined.insert(name.name);
            }
        }
        for item in &unit.items {
            match item {
                ast::Item::Function(definition) => self.function_definition(definition),
                ast::Item::Declaration(declaration) => self.file_declaration(declaration),
                ast::Item::StaticAssert(assertion) => self.static_assert(assertion),
                // It may define functions, or write to objects.
                ast::Item::Asm(span) => {
                    self.warning(*span, "assembly outside of functions is taken to do nothing");
                }
            }
        }
        self.finish_globals();
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.error(span, message);
    }

    fn error_note(&mut self, span: Span, message: impl Into<String>, at: Span, note: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message).note(at, note));
    }

    /// Only gcc-style warnings that tell the user of a likely mistake; most of what gcc warns about stays
    /// silent.
    fn warning(&mut self, span: Span, message: impl Into<String>) {
        if self.unevaluated == 0 {
            self.diagnostics.push(Diagnostic::warning(span, message));
        }
    }

    /// The function being checked (or the file-level initialiser) uses something that cannot be lowered.
    fn poison(&mut self, reason: &str, span: Span) {
        if self.unevaluated > 0 {
            return;
        }
        self.poisons += 1;
        if let Some(function) = &mut self.function
            && function.poison.is_none()
        {
            function.poison = Some((reason.to_string(), span));
        }
    }

    fn text(&self, name: Symbol) -> &str {
        self.names.name(name)
    }

    fn show(&self, ty: QualType) -> String {
        type_to_string(&self.types, ty)
    }

    fn show_type(&self, ty: TypeId) -> String {
        type_to_string(&self.types, QualType::plain(ty))
    }

    fn error_expr(&self, span: Span) -> Expr {
        Expr { kind: ExprKind::Int(0), ty: QualType::plain(TypeTable::ERROR), span }
    }

    /// A value of a type that the HIR cannot compute; whoever calls this has poisoned the function.
    fn unknown(&self, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Builtin(hir::Builtin::Unknown, Vec::new()), ty: QualType::plain(ty), span }
    }

    fn int_expr(&self, ty: TypeId, value: i128, span: Span) -> Expr {
        let bits = match self.types.int_layout(ty) {
            Some(layout) => layout.wrap(value),
            None => value as u128,
        };
        Expr { kind: ExprKind::Int(bits), ty: QualType::plain(ty), span }
    }

    fn void_expr(&self, span: Span) -> Expr {
        let zero = Box::new(self.int_expr(TypeTable::INT, 0, span));
        Expr { kind: ExprKind::Convert(zero), ty: QualType::plain(TypeTable::VOID), span }
    }

    fn value(&self, kind: ExprKind, ty: TypeId, span: Span) -> Expr {
        Expr { kind, ty: QualType::plain(ty), span }
    }

    /// A hidden local of the current function. Outside of one (only in unevaluated operands) the id is never
    /// used.
    fn hidden_local(&mut self, ty: QualType, span: Span) -> LocalId {
        self.new_local("".into(), ty, None, span)
    }

    fn new_local(&mut self, name: Arc<str>, ty: QualType, align: Option<u64>, span: Span) -> LocalId {
        let Some(function) = &mut self.function else { return LocalId(u32::MAX) };
        let id = LocalId(function.locals.len() as u32);
        function.locals.push(hir::Local { name, ty, align, span });
        id
    }

    fn local_type(&self, id: LocalId) -> QualType {
        match &self.function {
            Some(function) if (id.0 as usize) < function.locals.len() => function.locals[id.0 as usize].ty,
            _ => QualType::plain(TypeTable::ERROR),
        }
    }

    fn local_place(&self, id: LocalId, span: Span) -> Expr {
        Expr { kind: ExprKind::Local(id), ty: self.local_type(id), span }
    }

    fn take_effects(&mut self) -> Vec<Expr> {
        match &mut self.function {
            Some(function) => std::mem::take(&mut function.effects),
            None => Vec::new(),
        }
    }

    fn static_assert(&mut self, assertion: &ast::StaticAssert) {
        let condition = self.expr_value(&assertion.condition);
        if condition.ty.ty == TypeTable::ERROR {
            return;
        }
        let span = assertion.condition.span;
        if !self.types.is_integer(condition.ty.ty) {
            self.error(span, "expression in static assertion is not an integer");
            return;
        }
        match self.eval_int(&condition) {
            None => self.error(span, "expression in static assertion is not constant"),
            Some(0) => {
                let message = match &assertion.message {
                    Some(text) => format!("static assertion failed: \"{}\"", String::from_utf8_lossy(text)),
                    None => "static assertion failed".to_string(),
                };
                self.error(assertion.span, message);
            }
            Some(_) => {}
        }
    }
}
