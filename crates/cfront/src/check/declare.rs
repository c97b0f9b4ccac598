//! Declarations: typedefs, functions, variables; how several declarations of one name become one thing.

use super::attributes::Attributes;
use super::convert::Purpose;
use super::scope::Binding;
use super::specs::{Declared, Reading, Spec};
use super::{Checker, FunctionInfo, Linked};
use crate::ast::{self, Initializer, StorageClass};
use crate::hir::{self, Definition, FuncId, GlobalId, Linkage, Stmt, StmtKind};
use crate::types::{ArrayLen, QualType, TypeKind, TypeTable};
use base::{Span, Symbol};
use std::sync::Arc;

impl Checker<'_> {
    pub(super) fn file_declaration(&mut self, declaration: &ast::Declaration) {
        let mut stmts = Vec::new();
        self.declaration(declaration, &mut stmts);
    }

    /// Declares everything in `declaration`; what must run when it is reached goes to `out`.
    pub(super) fn declaration(&mut self, declaration: &ast::Declaration, out: &mut Vec<Stmt>) {
        let spec = self.specs(&declaration.specs, declaration.declarators.is_empty());
        for declarator in &declaration.declarators {
            self.declarator_item(&spec, declarator, out);
        }
        self.flush_effects(out);
    }

    pub(super) fn flush_effects(&mut self, out: &mut Vec<Stmt>) {
        for effect in self.take_effects() {
            let span = effect.span;
            out.push(Stmt { kind: StmtKind::Expr(effect), span });
        }
    }

    fn declarator_item(&mut self, spec: &Spec, item: &ast::InitDeclarator, out: &mut Vec<Stmt>) {
        let Some(name) = item.declarator.name else { return };
        if spec.auto {
            self.auto_variable(spec, item, name, out);
            return;
        }
        let declared = self.declarator(spec, &item.declarator, Reading::Declaration);
        self.flush_effects(out);
        if spec.storage == Some(StorageClass::Typedef) {
            self.typedef(name, &declared);
            if item.init.is_some() {
                let message = format!("typedef '{}' is initialized", self.text(name.name));
                self.error(name.span, message);
            }
            return;
        }
        if self.types.is_function(declared.ty.ty) {
            let is_static = spec.storage == Some(StorageClass::Static);
            let id = self.declare_function(
                name,
                declared.ty,
                is_static,
                &declared.attributes,
                spec.implicit_int,
                false,
            );
            if item.init.is_some() {
                let message = format!("function '{}' is initialized like a variable", self.text(name.name));
                self.error(name.span, message);
            }
            if let (Some(id), Some(alias)) = (id, declared.attributes.alias) {
                self.functions[id.0 as usize].alias = Some(alias);
            }
            return;
        }
        self.variable(spec, &declared, item, name, out);
    }

    fn auto_variable(
        &mut self,
        spec: &Spec,
        item: &ast::InitDeclarator,
        name: ast::Ident,
        out: &mut Vec<Stmt>,
    ) {
        let Some(Initializer::Expr(e)) = &item.init else {
            self.error(name.span, "'__auto_type' requires an initializer");
            self.scopes.bind(name.name, Binding::Error, name.span);
            return;
        };
        let value = self.expr_value(e);
        let ty = QualType { ty: value.ty.ty, quals: spec.ty.quals };
        if ty.ty == TypeTable::ERROR || ty.ty == TypeTable::VOID {
            if ty.ty == TypeTable::VOID {
                self.error(e.span, "void value not ignored as it ought to be");
            }
            self.scopes.bind(name.name, Binding::Error, name.span);
            return;
        }
        if self.function.is_none() || spec.storage == Some(StorageClass::Static) {
            let declared = Declared { ty, type_align: None, attributes: spec.attributes.clone() };
            self.variable(spec, &declared, item, name, out);
            return;
        }
        let text: Arc<str> = self.names.name(name.name).into();
        let local = self.new_local(text, ty, spec.attributes.align, name.span);
        self.scopes.bind(name.name, Binding::Local(local), name.span);
        let value = self.assign_convert(value, ty, Purpose::Initialize);
        let item =
            hir::LocalInitItem { offset: 0, bits: None, ty: ty.ty, value: hir::InitValue::Expr(value) };
        let init = hir::LocalInit { zero: false, items: vec![item] };
        out.push(Stmt { kind: StmtKind::Declare(local, Some(init)), span: name.span });
    }

    fn typedef(&mut self, name: ast::Ident, declared: &Declared) {
        let ty = declared.ty;
        if declared.attributes.transparent_union
            && let Some(id) = self.types.record_of(ty.ty)
            && let Some(layout) = &mut self.types.records[id.0 as usize].layout
        {
            layout.transparent_union = true;
        }
        if let Some(previous) = self.scopes.name(name.name)
            && previous.depth == self.scopes.depth()
        {
            match previous.binding {
                Binding::Typedef { ty: old, .. } if self.compatible(old.ty, ty.ty) => {}
                Binding::Error => {}
                Binding::Typedef { .. } => {
                    let message =
                        format!("conflicting types for '{}'; have '{}'", self.text(name.name), self.show(ty));
                    self.error_note(name.span, message, previous.span, "previous declaration is here");
                }
                _ => self.different_kind(name, previous.span),
            }
        }
        let align = declared.attributes.align.or(declared.type_align);
        self.scopes.bind(name.name, Binding::Typedef { ty, align }, name.span);
    }

    fn different_kind(&mut self, name: ast::Ident, previous: Span) {
        let message = format!("'{}' redeclared as different kind of symbol", self.text(name.name));
        self.error_note(name.span, message, previous, "previous declaration is here");
    }

    /// Another meaning of `name` in this very scope, if it may not be redeclared so.
    fn clash(&mut self, name: ast::Ident, function: bool) -> bool {
        let Some(previous) = self.scopes.name(name.name) else { return false };
        if previous.depth != self.scopes.depth() {
            return false;
        }
        let fine = match previous.binding {
            Binding::Function(_) => function,
            Binding::Global(id) => !function && self.globals[id.0 as usize].linkage != Linkage::None,
            Binding::Error => true,
            _ => false,
        };
        if !fine {
            self.different_kind(name, previous.span);
        }
        !fine
    }

    /// None if reported.
    pub(super) fn declare_function(
        &mut self,
        name: ast::Ident,
        ty: QualType,
        is_static: bool,
        attributes: &Attributes,
        implicit_int: bool,
        definition: bool,
    ) -> Option<FuncId> {
        if self.clash(name, true) {
            return None;
        }
        let id = match self.linked.get(&name.name).copied() {
            Some(Linked::Global(old)) => {
                let previous = self.globals[old.0 as usize].span;
                self.different_kind(name, previous);
                return None;
            }
            Some(Linked::Function(id)) => {
                self.merge_function(id, name, ty, is_static, implicit_int, definition);
                id
            }
            None => {
                let linkage = if is_static { Linkage::Internal } else { Linkage::External };
                self.new_function(name.name, (ty.ty, linkage), name.span, FunctionInfo::default())
            }
        };
        self.functions[id.0 as usize].noreturn |= attributes.noreturn;
        self.functions[id.0 as usize].weak |= attributes.weak;
        self.functions[id.0 as usize].weak_symbol |= attributes.weak;
        if attributes.constructor.is_some() {
            self.functions[id.0 as usize].constructor = attributes.constructor;
        }
        if attributes.destructor.is_some() {
            self.functions[id.0 as usize].destructor = attributes.destructor;
        }
        let bound = self.scopes.name(name.name).map(|b| b.binding);
        if !matches!(bound, Some(Binding::Function(old)) if old == id) {
            self.scopes.bind(name.name, Binding::Function(id), name.span);
        }
        Some(id)
    }

    fn merge_function(
        &mut self,
        id: FuncId,
        name: ast::Ident,
        ty: QualType,
        is_static: bool,
        implicit_int: bool,
        definition: bool,
    ) {
        let index = id.0 as usize;
        let info = self.function_info[index];
        let old = self.functions[index].ty;
        if info.known {
            // The program's own declaration replaces what gcc would have assumed.
            self.function_info[index].known = false;
            self.functions[index].ty = ty.ty;
            self.functions[index].span = name.span;
            self.functions[index].noreturn = false;
            if is_static {
                self.functions[index].linkage = Linkage::Internal;
            }
            return;
        }
        let ret = |ty| self.types.function_of(ty).map(|f| f.ret);
        let (old_ret, new_ret) = (ret(old), ret(ty.ty));
        if self.compatible(old, ty.ty) {
            let composite = self.composite(old, ty.ty);
            self.functions[index].ty = composite;
        } else if new_ret == Some(TypeTable::VOID) && old_ret == Some(TypeTable::INT) && info.implicit {
            self.functions[index].ty = ty.ty;
        } else if definition
            && implicit_int
            && old_ret == Some(TypeTable::VOID)
            && new_ret == Some(TypeTable::INT)
        {
            // `void f(); f() {...}`: void stays.
        } else {
            let message =
                format!("conflicting types for '{}'; have '{}'", self.text(name.name), self.show(ty));
            let note = format!(
                "previous declaration of '{}' with type '{}'",
                self.text(name.name),
                self.show_type(old)
            );
            let previous = self.functions[index].span;
            self.error_note(name.span, message, previous, note);
        }
        if is_static && self.functions[index].linkage == Linkage::External && !info.replaceable {
            let text = self.text(name.name);
            let message = format!("static declaration of '{text}' follows non-static declaration");
            let previous = self.functions[index].span;
            self.error_note(name.span, message, previous, "previous declaration is here");
        }
        self.function_info[index].implicit = false;
        if self.functions[index].body.is_none() {
            self.functions[index].span = name.span;
        }
    }

    fn variable(
        &mut self,
        spec: &Spec,
        declared: &Declared,
        item: &ast::InitDeclarator,
        name: ast::Ident,
        out: &mut Vec<Stmt>,
    ) {
        let ty = declared.ty;
        let file_level = self.scopes.depth() == 0;
        if ty.ty == TypeTable::VOID && (spec.storage != Some(StorageClass::Extern) || item.init.is_some()) {
            let message = format!("variable or field '{}' declared void", self.text(name.name));
            self.error(name.span, message);
            self.scopes.bind(name.name, Binding::Error, name.span);
            return;
        }
        if ty.ty == TypeTable::ERROR {
            if let Some(Initializer::Expr(e)) = &item.init {
                self.expr_value(e);
            }
            self.scopes.bind(name.name, Binding::Error, name.span);
            return;
        }
        if let Some(span) = declared.attributes.cleanup {
            self.poison("the attribute cleanup", span);
        }
        match spec.storage {
            Some(StorageClass::Extern) => self.linked_variable(spec, declared, item, name),
            _ if file_level => self.linked_variable(spec, declared, item, name),
            Some(StorageClass::Static) => self.static_local(declared, item, name),
            _ => self.local_variable(declared, item, name, out),
        }
    }

    fn linked_variable(
        &mut self,
        spec: &Spec,
        declared: &Declared,
        item: &ast::InitDeclarator,
        name: ast::Ident,
    ) {
        let ty = declared.ty;
        let is_extern = spec.storage == Some(StorageClass::Extern);
        let is_static = spec.storage == Some(StorageClass::Static);
        if self.types.is_variable(ty.ty) {
            let message =
                format!("object '{}' with variably modified type has linkage", self.text(name.name));
            self.error(name.span, message);
            self.scopes.bind(name.name, Binding::Error, name.span);
            return;
        }
        if self.clash(name, false) {
            return;
        }
        if is_extern && item.init.is_some() && self.scopes.depth() > 0 {
            let message = format!("'{}' has both 'extern' and initializer", self.text(name.name));
            self.error(name.span, message);
        }
        let id = match self.linked.get(&name.name).copied() {
            Some(Linked::Function(old)) => {
                let previous = self.functions[old.0 as usize].span;
                self.different_kind(name, previous);
                return;
            }
            Some(Linked::Global(id)) => {
                self.merge_variable(id, name, ty, is_static, is_extern);
                id
            }
            None => {
                let id = GlobalId(self.globals.len() as u32);
                self.globals.push(hir::Global {
                    name: self.names.name(name.name).into(),
                    ty,
                    linkage: if is_static { Linkage::Internal } else { Linkage::External },
                    definition: Definition::Declared,
                    align: None,
                    weak_symbol: false,
                    span: name.span,
                });
                self.linked.insert(name.name, Linked::Global(id));
                id
            }
        };
        let global = &mut self.globals[id.0 as usize];
        global.weak_symbol |= declared.attributes.weak;
        global.align = global.align.max(declared.attributes.align.or(declared.type_align));
        // A register that the program names holds anything.
        let register = item.asm_label.is_some() && spec.storage == Some(StorageClass::Register);
        if let Some(alias) = &declared.attributes.alias {
            global.definition = Definition::Alias(alias.clone());
        } else if !is_extern && !register && matches!(global.definition, Definition::Declared) {
            global.definition = Definition::Tentative;
            global.span = name.span;
        }
        let bound = self.scopes.name(name.name).map(|b| b.binding);
        if !matches!(bound, Some(Binding::Global(old)) if old == id) {
            self.scopes.bind(name.name, Binding::Global(id), name.span);
        }
        if let Some(init) = &item.init {
            if matches!(self.globals[id.0 as usize].definition, Definition::Defined(_)) {
                let message = format!("redefinition of '{}'", self.text(name.name));
                let previous = self.globals[id.0 as usize].span;
                self.error_note(name.span, message, previous, "previous definition is here");
            }
            self.globals[id.0 as usize].span = name.span;
            self.define_global(id, init);
        }
    }

    fn merge_variable(
        &mut self,
        id: GlobalId,
        name: ast::Ident,
        ty: QualType,
        is_static: bool,
        is_extern: bool,
    ) {
        let index = id.0 as usize;
        let old = self.globals[index].ty;
        let text = self.text(name.name);
        let message = if !self.compatible(old.ty, ty.ty) || !super::compat::same_quals(old.quals, ty.quals) {
            Some(format!("conflicting types for '{text}'; have '{}'", self.show(ty)))
        } else {
            match self.globals[index].linkage {
                Linkage::External if is_static => {
                    Some(format!("static declaration of '{text}' follows non-static declaration"))
                }
                Linkage::Internal if !is_static && !is_extern => {
                    Some(format!("non-static declaration of '{text}' follows static declaration"))
                }
                _ => None,
            }
        };
        match message {
            Some(message) => {
                let note = format!("previous declaration of '{text}' with type '{}'", self.show(old));
                let previous = self.globals[index].span;
                self.error_note(name.span, message, previous, note);
            }
            None => {
                let composite = self.composite(old.ty, ty.ty);
                self.globals[index].ty.ty = composite;
            }
        }
    }

    fn define_global(&mut self, id: GlobalId, init: &Initializer) {
        let ty = self.globals[id.0 as usize].ty;
        if !self.types.is_array(ty.ty) && !self.types.is_complete(ty.ty) {
            let global = &self.globals[id.0 as usize];
            let message = format!("variable '{}' has initializer but incomplete type", global.name);
            let span = global.span;
            self.error(span, message);
            return;
        }
        let collected = self.initializer(ty, init, true);
        let global_ty = collected.ty;
        let definition = match self.static_image(collected) {
            Some(image) => Definition::Defined(image),
            // Its value is not known.
            None => Definition::Declared,
        };
        let global = &mut self.globals[id.0 as usize];
        global.ty.ty = global_ty.ty;
        global.definition = definition;
    }

    fn static_local(&mut self, declared: &Declared, item: &ast::InitDeclarator, name: ast::Ident) {
        let ty = declared.ty;
        self.local_clash(name);
        if self.types.is_variable(ty.ty) {
            let message = format!("storage size of '{}' isn't constant", self.text(name.name));
            self.error(name.span, message);
            self.scopes.bind(name.name, Binding::Error, name.span);
            return;
        }
        let function = self.function.as_ref().map_or("", |f| &f.name);
        let full = ir::names::qualified(function, self.text(name.name));
        let id = GlobalId(self.globals.len() as u32);
        let full = self.unique_name(&full);
        self.globals.push(hir::Global {
            name: full,
            ty,
            linkage: Linkage::None,
            definition: Definition::Tentative,
            align: declared.attributes.align.or(declared.type_align),
            weak_symbol: false,
            span: name.span,
        });
        self.scopes.bind(name.name, Binding::Global(id), name.span);
        if let Some(init) = &item.init {
            self.define_global(id, init);
        }
        let ty = self.globals[id.0 as usize].ty;
        if !self.types.is_complete(ty.ty) {
            self.unknown_size(name);
            self.globals[id.0 as usize].ty = QualType::plain(TypeTable::ERROR);
        }
    }

    fn unknown_size(&mut self, name: ast::Ident) {
        let message = format!("storage size of '{}' isn't known", self.text(name.name));
        self.error(name.span, message);
    }

    /// `text`, or `text#2` and so on if it is taken.
    pub(super) fn unique_name(&mut self, text: &str) -> Arc<str> {
        let count = self.static_names.entry(text.into()).or_insert(0);
        *count += 1;
        ir::names::numbered(text, *count).into()
    }

    fn local_clash(&mut self, name: ast::Ident) {
        if let Some(previous) = self.scopes.name(name.name)
            && previous.depth == self.scopes.depth()
            && !matches!(previous.binding, Binding::Error)
        {
            match previous.binding {
                Binding::Local(_) | Binding::Global(_) => {
                    let message = format!("redefinition of '{}'", self.text(name.name));
                    self.error_note(name.span, message, previous.span, "previous definition is here");
                }
                _ => self.different_kind(name, previous.span),
            }
        }
    }

    fn local_variable(
        &mut self,
        declared: &Declared,
        item: &ast::InitDeclarator,
        name: ast::Ident,
        out: &mut Vec<Stmt>,
    ) {
        let ty = declared.ty;
        self.local_clash(name);
        let text: Arc<str> = self.names.name(name.name).into();
        let align = declared.attributes.align.or(declared.type_align);
        let local = self.new_local(text, ty, align, name.span);
        self.scopes.bind(name.name, Binding::Local(local), name.span);
        let mut init = None;
        if let Some(initializer) = &item.init {
            if self.types.is_variable(ty.ty) {
                self.error(name.span, "variable-sized object may not be initialized");
            } else {
                let collected = self.initializer(ty, initializer, false);
                let complete = collected.ty;
                init = Some(self.local_init(collected));
                if let Some(function) = &mut self.function {
                    function.locals[local.0 as usize].ty = complete;
                }
            }
        }
        let ty = self.local_type(local);
        if !self.types.is_complete(ty.ty) {
            self.unknown_size(name);
            self.scopes.bind(name.name, Binding::Error, name.span);
            return;
        }
        out.push(Stmt { kind: StmtKind::Declare(local, init), span: name.span });
    }

    /// At the end of the unit: tentative definitions become real ones.
    pub(super) fn finish_globals(&mut self) {
        for index in 0..self.globals.len() {
            let global = &self.globals[index];
            if !matches!(global.definition, Definition::Tentative) {
                continue;
            }
            if let TypeKind::Array(elem, ArrayLen::Unknown) = *self.types.kind(global.ty.ty) {
                let ty = self.types.intern(TypeKind::Array(elem, ArrayLen::Fixed(1)));
                self.globals[index].ty.ty = ty;
            } else if !self.types.is_complete(global.ty.ty) {
                let message = format!("storage size of '{}' isn't known", global.name);
                let span = global.span;
                self.error(span, message);
            }
        }
    }

    /// The function a name is linked to, if any.
    pub(super) fn linked_function(&self, name: Symbol) -> Option<FuncId> {
        match self.linked.get(&name) {
            Some(Linked::Function(id)) => Some(*id),
            _ => None,
        }
    }
}
