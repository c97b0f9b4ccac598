//! Function definitions: parameters of both styles, the body, what is left to check at its end.

use super::attributes::Attributes;
use super::scope::Binding;
use super::specs::{Param, Reading};
use super::{Checker, FunctionState};
use crate::ast::{self, DeclPart, StorageClass};
use crate::hir::{FuncId, FunctionBody, Stmt, StmtKind};
use crate::types::{FunctionType, QualType, TypeKind, TypeTable};
use base::Span;
use rustc_hash::FxHashMap;

impl Checker<'_> {
    pub(super) fn function_definition(&mut self, definition: &ast::FunctionDef) {
        let Some(name) = definition.declarator.name else { return };
        let spec = self.specs(&definition.specs, false);
        if !matches!(definition.declarator.chain.first(), Some(DeclPart::Function(_))) {
            let message =
                format!("'{}' is defined like a function but does not have its type", self.text(name.name));
            self.error(name.span, message);
            return;
        }
        self.function = Some(FunctionState {
            id: FuncId(u32::MAX),
            name: self.names.name(name.name).into(),
            ret: TypeTable::ERROR,
            variadic: false,
            locals: Vec::new(),
            labels: Vec::new(),
            label_ids: FxHashMap::default(),
            label_defined: Vec::new(),
            label_used: Vec::new(),
            poison: None,
            loops: 0,
            switches: Vec::new(),
            breakable: 0,
            effects: Vec::new(),
        });
        self.scopes.enter();
        let mut params = Vec::new();
        let declared = self.declarator(&spec, &definition.declarator, Reading::Definition(&mut params));
        let mut ty = declared.ty;
        let old_style = self.types.function_of(ty.ty).is_some_and(|f| !f.prototype);
        if old_style {
            self.old_style_params(&definition.kr_declarations, &mut params);
            if let Some(function) = self.types.function_of(ty.ty) {
                let kind = FunctionType {
                    params: params.iter().map(|p| p.ty.ty).collect(),
                    prototype: false,
                    variadic: false,
                    ret: function.ret,
                };
                ty.ty = self.types.intern(TypeKind::Function(kind));
            }
        } else if let Some(first) = definition.kr_declarations.first() {
            self.error(first.span, "old-style parameter declarations in prototyped function definition");
        }
        // The function's own name belongs to the file, not to the scope of its parameters.
        let inner = self.scopes.suspend();
        let id = self.define_function(name, ty, &spec, &declared.attributes, definition);
        self.scopes.resume(inner);
        let Some(id) = id else {
            self.scopes.leave();
            self.function = None;
            return;
        };
        self.check_params(&params);
        let (ret, variadic) = match self.types.function_of(self.functions[id.0 as usize].ty) {
            Some(function) => (function.ret, function.variadic),
            None => (TypeTable::ERROR, false),
        };
        if ret != TypeTable::VOID && ret != TypeTable::ERROR && !self.types.is_complete(ret) {
            self.error(name.span, "return type is an incomplete type");
        }
        if let Some(function) = &mut self.function {
            (function.id, function.ret, function.variadic) = (id, ret, variadic);
        }
        let mut stmts = Vec::new();
        self.flush_effects(&mut stmts);
        self.block_items(&definition.body.items, &mut stmts);
        self.scopes.leave();
        let end = Span::new(definition.body.span.hi.saturating_sub(1), definition.body.span.hi);
        if ret == TypeTable::INT && self.text(name.name) == "main" {
            let zero = self.int_expr(TypeTable::INT, 0, end);
            stmts.push(Stmt { kind: StmtKind::Return(Some(zero)), span: end });
        }
        self.undefined_labels();
        let Some(function) = self.function.take() else { return };
        let slot = &mut self.functions[id.0 as usize];
        slot.span = name.span;
        slot.poison = function.poison;
        slot.body = Some(FunctionBody {
            params: params.len() as u32,
            locals: function.locals,
            labels: function.labels,
            stmts,
            end,
        });
    }

    fn define_function(
        &mut self,
        name: ast::Ident,
        ty: QualType,
        spec: &super::specs::Spec,
        attributes: &Attributes,
        definition: &ast::FunctionDef,
    ) -> Option<FuncId> {
        let previous = self.linked_function(name.name).map(|id| self.function_info[id.0 as usize]);
        let is_static = spec.storage == Some(StorageClass::Static);
        let id = self.declare_function(name, ty, is_static, attributes, spec.implicit_int, true)?;
        if let Some(previous) = previous
            && let Some(span) = previous.defined
            && !previous.replaceable
        {
            let message = format!("redefinition of '{}'", self.text(name.name));
            self.error_note(name.span, message, span, "previous definition is here");
        }
        let info = &mut self.function_info[id.0 as usize];
        info.defined = Some(name.span);
        info.implicit = false;
        info.replaceable =
            definition.specs.inline && attributes.gnu_inline && spec.storage == Some(StorageClass::Extern);
        self.functions[id.0 as usize].weak |= definition.specs.inline && !is_static;
        Some(id)
    }

    /// Gives the names of an old-style list the types that the declarations after it say.
    fn old_style_params(&mut self, declarations: &[ast::Declaration], params: &mut [Param]) {
        for declaration in declarations {
            let spec = self.specs(&declaration.specs, false);
            for item in &declaration.declarators {
                let Some(name) = item.declarator.name else { continue };
                let declared = self.declarator(&spec, &item.declarator, Reading::Declaration);
                let ty = self.adjusted(declared.ty);
                match params.iter_mut().find(|p| p.name.is_some_and(|n| n.name == name.name)) {
                    Some(param) => {
                        param.ty = ty;
                        param.align = declared.attributes.align;
                    }
                    None => {
                        let message = format!(
                            "declaration for parameter '{}' but no such parameter",
                            self.text(name.name)
                        );
                        self.error(name.span, message);
                    }
                }
            }
        }
        for (index, param) in params.iter().enumerate() {
            let Some(name) = param.name else { continue };
            let text = self.names.name(name.name).into();
            let local = self.param_local(index, text, param.ty, param.align, name.span);
            if let Some(previous) = self.scopes.name(name.name)
                && previous.depth == self.scopes.depth()
            {
                let message = format!("redefinition of parameter '{}'", self.text(name.name));
                self.error_note(name.span, message, previous.span, "previous definition is here");
            }
            self.scopes.bind(name.name, Binding::Local(local), name.span);
        }
    }

    fn check_params(&mut self, params: &[Param]) {
        for (index, param) in params.iter().enumerate() {
            let ty = param.ty.ty;
            if ty != TypeTable::ERROR && ty != TypeTable::VOID && !self.types.is_complete(ty) {
                let shown = param.name.map_or(String::new(), |n| format!(" ('{}')", self.text(n.name)));
                self.error(param.span, format!("parameter {}{shown} has incomplete type", index + 1));
            }
        }
    }
}
