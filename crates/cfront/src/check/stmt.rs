//! Statements.

use super::Checker;
use super::convert::Purpose;
use crate::ast::{self, BlockItem, ForInit};
use crate::hir::{Expr, ExprKind, Label, LabelId, Stmt, StmtKind};
use crate::types::{QualType, TypeId, TypeTable};
use base::{Span, Symbol};

/// A `switch` being checked.
pub(super) struct Switch {
    /// The promoted type of its value.
    ty: TypeId,
    cases: Vec<(i128, i128, Span)>,
    default: Option<Span>,
}

impl Checker<'_> {
    pub(super) fn block_items(&mut self, items: &[BlockItem], out: &mut Vec<Stmt>) {
        let mut shadowed: Vec<(Symbol, Option<LabelId>)> = Vec::new();
        for item in items {
            match item {
                BlockItem::Declaration(declaration) => self.declaration(declaration, out),
                BlockItem::StaticAssert(assertion) => self.static_assert(assertion),
                BlockItem::Statement(stmt) => self.stmt(stmt, out),
                BlockItem::NestedFunction(definition) => {
                    self.poison("a nested function", definition.span);
                    self.nested_function(definition);
                }
                BlockItem::LocalLabels(labels) => {
                    for label in labels {
                        let fresh = self.new_label(*label);
                        let old = self.function.as_mut().and_then(|f| f.label_ids.insert(label.name, fresh));
                        shadowed.push((label.name, old));
                    }
                }
            }
        }
        if let Some(function) = &mut self.function {
            for (name, old) in shadowed.into_iter().rev() {
                match old {
                    Some(id) => function.label_ids.insert(name, id),
                    None => function.label_ids.remove(&name),
                };
            }
        }
    }

    /// Its name, so that the code around it can be checked; the body is not looked at.
    fn nested_function(&mut self, definition: &ast::FunctionDef) {
        if let Some(name) = definition.declarator.name {
            let spec = self.specs(&definition.specs, false);
            let declared = self.declarator(&spec, &definition.declarator, super::specs::Reading::Declaration);
            self.take_effects();
            let pointer = self.types.pointer_to(declared.ty);
            let local = self.hidden_local(QualType::plain(pointer), name.span);
            // Calls through a pointer look the same; `&f` differs, but nothing of this is lowered.
            self.scopes.bind(name.name, super::scope::Binding::Local(local), name.span);
        }
    }

    pub(super) fn push(&mut self, out: &mut Vec<Stmt>, kind: StmtKind, span: Span) {
        out.push(Stmt { kind, span });
    }

    /// A statement that is the body of another.
    fn body(&mut self, stmt: &ast::Stmt) -> Box<Stmt> {
        let mut out = Vec::new();
        self.scopes.enter();
        self.stmt(stmt, &mut out);
        self.scopes.leave();
        match (out.len(), out.pop()) {
            (1, Some(only)) => Box::new(only),
            (_, last) => {
                out.extend(last);
                Box::new(Stmt { kind: StmtKind::Block(out), span: stmt.span })
            }
        }
    }

    fn condition_of(&mut self, e: &ast::Expr) -> Expr {
        let e = self.expr_value(e);
        self.condition(e)
    }

    fn enter_loop(&mut self) {
        if let Some(function) = &mut self.function {
            function.loops += 1;
            function.breakable += 1;
        }
    }

    fn leave_loop(&mut self) {
        if let Some(function) = &mut self.function {
            function.loops -= 1;
            function.breakable -= 1;
        }
    }

    pub(super) fn stmt(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) {
        let span = stmt.span;
        match &stmt.kind {
            ast::StmtKind::Empty | ast::StmtKind::Error => {}
            ast::StmtKind::Expr(e) => {
                let e = self.expr_value(e);
                self.push(out, StmtKind::Expr(e), span);
            }
            ast::StmtKind::Block(block) => {
                self.scopes.enter();
                let mut inner = Vec::new();
                self.block_items(&block.items, &mut inner);
                self.scopes.leave();
                self.push(out, StmtKind::Block(inner), span);
            }
            ast::StmtKind::If { cond, then, otherwise } => {
                let cond = self.condition_of(cond);
                let then = self.body(then);
                let otherwise = otherwise.as_ref().map(|s| self.body(s));
                self.push(out, StmtKind::If(cond, then, otherwise), span);
            }
            ast::StmtKind::While { cond, body } => {
                let cond = self.condition_of(cond);
                self.enter_loop();
                let body = self.body(body);
                self.leave_loop();
                self.push(out, StmtKind::While(cond, body), span);
            }
            ast::StmtKind::DoWhile { body, cond } => {
                self.enter_loop();
                let body = self.body(body);
                self.leave_loop();
                let cond = self.condition_of(cond);
                self.push(out, StmtKind::DoWhile(body, cond), span);
            }
            ast::StmtKind::For { init, cond, step, body } => {
                self.scopes.enter();
                let mut first = Vec::new();
                match init {
                    ForInit::None => {}
                    ForInit::Expr(e) => {
                        let e = self.expr_value(e);
                        let span = e.span;
                        self.push(&mut first, StmtKind::Expr(e), span);
                    }
                    ForInit::Declaration(declaration) => self.declaration(declaration, &mut first),
                }
                let cond = cond.as_ref().map(|e| self.condition_of(e));
                let step = step.as_ref().map(|e| self.expr_value(e));
                self.enter_loop();
                let body = self.body(body);
                self.leave_loop();
                self.scopes.leave();
                self.push(out, StmtKind::For { init: first, cond, step, body }, span);
            }
            ast::StmtKind::Switch { value, body } => self.switch(value, body, span, out),
            ast::StmtKind::Case { lo, hi, body } => {
                self.case(lo, hi.as_ref(), span, out);
                self.stmt(body, out);
            }
            ast::StmtKind::Default(body) => {
                self.default_case(span, out);
                self.stmt(body, out);
            }
            ast::StmtKind::Label { name, body } => {
                self.define_label(*name, out);
                self.stmt(body, out);
            }
            ast::StmtKind::Goto(label) => {
                if let Some(id) = self.use_label(*label) {
                    self.push(out, StmtKind::Goto(id), span);
                }
            }
            ast::StmtKind::GotoComputed(e) => {
                let e = self.expr_value(e);
                self.push(out, StmtKind::Expr(e), span);
                self.poison("a computed goto", span);
            }
            ast::StmtKind::Break => {
                if self.function.as_ref().is_some_and(|f| f.breakable == 0) {
                    self.error(span, "break statement not within loop or switch");
                } else {
                    self.push(out, StmtKind::Break, span);
                }
            }
            ast::StmtKind::Continue => {
                if self.function.as_ref().is_some_and(|f| f.loops == 0) {
                    self.error(span, "continue statement not within a loop");
                } else {
                    self.push(out, StmtKind::Continue, span);
                }
            }
            ast::StmtKind::Return(value) => self.return_stmt(value.as_ref(), span, out),
            ast::StmtKind::Asm(asm) => self.asm(asm, span, out),
        }
    }

    fn return_stmt(&mut self, value: Option<&ast::Expr>, span: Span, out: &mut Vec<Stmt>) {
        let ret = self.function.as_ref().map_or(TypeTable::ERROR, |f| f.ret);
        let Some(e) = value else {
            self.push(out, StmtKind::Return(None), span);
            return;
        };
        let value = self.expr_value(e);
        if ret == TypeTable::VOID {
            // gcc only warns about a value here.
            let at = value.span;
            self.push(out, StmtKind::Expr(value), at);
            self.push(out, StmtKind::Return(None), span);
            return;
        }
        let value = self.assign_convert(value, QualType::plain(ret), Purpose::Return);
        self.push(out, StmtKind::Return(Some(value)), span);
    }

    fn switch(&mut self, value: &ast::Expr, body: &ast::Stmt, span: Span, out: &mut Vec<Stmt>) {
        let mut value = self.expr_value(value);
        if value.ty.ty != TypeTable::ERROR {
            if self.types.is_integer(value.ty.ty) {
                value = self.promote(value);
            } else {
                self.error(value.span, "switch quantity not an integer");
                value = self.error_expr(span);
            }
        }
        let switch = Switch { ty: value.ty.ty, cases: Vec::new(), default: None };
        if let Some(function) = &mut self.function {
            function.switches.push(switch);
            function.breakable += 1;
        }
        let body = self.body(body);
        let mut finished = None;
        if let Some(function) = &mut self.function {
            finished = function.switches.pop();
            function.breakable -= 1;
        }
        if let Some(mut switch) = finished {
            switch.cases.sort_by_key(|c| c.0);
            // Ranges may overlap more than their neighbour.
            let mut reach: Option<(i128, Span)> = None;
            let mut clashes = Vec::new();
            for &(lo, hi, at) in &switch.cases {
                if let Some((end, previous)) = reach
                    && lo <= end
                {
                    let (first, second) = if previous.lo < at.lo { (previous, at) } else { (at, previous) };
                    clashes.push((second, first));
                }
                if reach.is_none_or(|(end, _)| hi >= end) {
                    reach = Some((hi, at));
                }
            }
            for (at, previous) in clashes {
                self.error_note(at, "duplicate case value", previous, "previously used here");
            }
        }
        self.push(out, StmtKind::Switch { value, body }, span);
    }

    fn case(&mut self, lo: &ast::Expr, hi: Option<&ast::Expr>, span: Span, out: &mut Vec<Stmt>) {
        let message = "case label does not reduce to an integer constant";
        let at = lo.span;
        let lo = self.constant_int(lo, message);
        let hi = hi.map(|e| self.constant_int(e, message));
        let Some(switch) = self.function.as_mut().and_then(|f| f.switches.last_mut()) else {
            self.error(span, "case label not within a switch statement");
            return;
        };
        let Some(lo) = lo else { return };
        let hi = match hi {
            Some(Some(hi)) => hi,
            Some(None) => return,
            None => lo,
        };
        let Some(layout) = self.types.int_layout(switch.ty) else { return };
        let (lo, hi) = (layout.value(layout.wrap(lo)), layout.value(layout.wrap(hi)));
        if hi < lo {
            // An empty range: gcc warns, and no value gets here.
            return;
        }
        switch.cases.push((lo, hi, at));
        self.push(out, StmtKind::Case { lo, hi }, span);
    }

    fn default_case(&mut self, span: Span, out: &mut Vec<Stmt>) {
        let Some(switch) = self.function.as_mut().and_then(|f| f.switches.last_mut()) else {
            self.error(span, "'default' label not within a switch statement");
            return;
        };
        if let Some(previous) = switch.default {
            self.error_note(
                span,
                "multiple default labels in one switch",
                previous,
                "this is the first default label",
            );
            return;
        }
        switch.default = Some(span);
        self.push(out, StmtKind::Default, span);
    }

    fn new_label(&mut self, label: ast::Ident) -> LabelId {
        let name = self.names.name(label.name).into();
        let Some(function) = &mut self.function else { return LabelId(0) };
        let id = LabelId(function.labels.len() as u32);
        function.labels.push(Label { name, span: label.span });
        function.label_defined.push(None);
        function.label_used.push(None);
        id
    }

    /// The label that a jump names; None outside of functions.
    pub(super) fn use_label(&mut self, label: ast::Ident) -> Option<LabelId> {
        let id = self.label(label)?;
        if let Some(function) = &mut self.function {
            function.label_used[id.0 as usize].get_or_insert(label.span);
        }
        Some(id)
    }

    fn label(&mut self, label: ast::Ident) -> Option<LabelId> {
        let function = self.function.as_ref()?;
        if let Some(&id) = function.label_ids.get(&label.name) {
            return Some(id);
        }
        let id = self.new_label(label);
        if let Some(function) = &mut self.function {
            function.label_ids.insert(label.name, id);
        }
        Some(id)
    }

    fn define_label(&mut self, label: ast::Ident, out: &mut Vec<Stmt>) {
        let Some(id) = self.label(label) else { return };
        let previous = self.function.as_ref().and_then(|f| f.label_defined[id.0 as usize]);
        if let Some(previous) = previous {
            let message = format!("duplicate label '{}'", self.text(label.name));
            self.error_note(label.span, message, previous, "previous definition is here");
            return;
        }
        if let Some(function) = &mut self.function {
            function.label_defined[id.0 as usize] = Some(label.span);
            function.labels[id.0 as usize].span = label.span;
        }
        self.push(out, StmtKind::Label(id), label.span);
    }

    pub(super) fn undefined_labels(&mut self) {
        let Some(function) = &self.function else { return };
        let missing: Vec<(String, Span)> = (0..function.labels.len())
            .filter(|&i| function.label_defined[i].is_none())
            .filter_map(|i| {
                let span = function.label_used[i]?;
                Some((format!("label '{}' used but not defined", function.labels[i].name), span))
            })
            .collect();
        for (message, span) in missing {
            self.error(span, message);
        }
    }

    /// GNU `({ ... })`: the value of its last expression statement.
    pub(super) fn stmt_expr(&mut self, block: &ast::Block, span: Span) -> Expr {
        if self.function.is_none() {
            self.error(span, "braced-group within expression allowed only inside a function");
            return self.error_expr(span);
        }
        self.scopes.enter();
        let mut stmts = Vec::new();
        let mut value = None;
        let (last, rest) = match block.items.split_last() {
            Some((BlockItem::Statement(last), rest)) => (Some(last), rest),
            _ => (None, &block.items[..]),
        };
        self.block_items_open(rest, &mut stmts, |this, stmts| {
            let mut last = last;
            while let Some(ast::Stmt { kind: ast::StmtKind::Label { name, body }, .. }) = last {
                this.define_label(*name, stmts);
                last = Some(body);
            }
            match last {
                Some(ast::Stmt { kind: ast::StmtKind::Expr(e), .. }) => {
                    let e = this.expr_value(e);
                    if e.ty.ty == TypeTable::VOID {
                        let at = e.span;
                        this.push(stmts, StmtKind::Expr(e), at);
                    } else {
                        value = Some(e);
                    }
                }
                Some(stmt) => this.stmt(stmt, stmts),
                None => {}
            }
        });
        self.scopes.leave();
        let ty = value.as_ref().map_or(TypeTable::VOID, |v| v.ty.ty);
        if ty == TypeTable::ERROR {
            return self.error_expr(span);
        }
        self.value(ExprKind::StmtExpr(stmts, value.map(Box::new)), ty, span)
    }

    /// Like `block_items`, with `then` run while local labels are still visible.
    fn block_items_open(
        &mut self,
        items: &[BlockItem],
        out: &mut Vec<Stmt>,
        then: impl FnOnce(&mut Self, &mut Vec<Stmt>),
    ) {
        let labels: Vec<ast::Ident> = items
            .iter()
            .filter_map(|item| if let BlockItem::LocalLabels(labels) = item { Some(labels) } else { None })
            .flatten()
            .copied()
            .collect();
        let mut shadowed = Vec::new();
        for label in &labels {
            let fresh = self.new_label(*label);
            let old = self.function.as_mut().and_then(|f| f.label_ids.insert(label.name, fresh));
            shadowed.push((label.name, old));
        }
        for item in items {
            if !matches!(item, BlockItem::LocalLabels(_)) {
                self.block_items(std::slice::from_ref(item), out);
            }
        }
        then(self, out);
        if let Some(function) = &mut self.function {
            for (name, old) in shadowed.into_iter().rev() {
                match old {
                    Some(id) => function.label_ids.insert(name, id),
                    None => function.label_ids.remove(&name),
                };
            }
        }
    }
}
