//! Statements: control flow becomes nodes and edges, declarations become initialisations.

use super::asm::Asm;
use super::function::{Leaf, Lower, Slot};
use super::place::Place;
use super::{Lowered, fold, unsupported};
use crate::hir::*;
use crate::types::{ArrayLen, TypeId, TypeKind};
use base::Span;
use ir::{AllocKind, BinOp, CheckKind, HavocKind, NodeId, Op, Type, Var};

/// The switch around the statement being lowered.
#[derive(Default)]
pub(crate) struct SwitchFrame {
    cases: Vec<(i128, i128, NodeId)>,
    default: Option<NodeId>,
    /// So many scopes are around it.
    pub depth: usize,
}

impl<'a> Lower<'_, 'a> {
    pub fn stmts(&mut self, stmts: &'a [Stmt]) -> Lowered<()> {
        stmts.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    pub fn stmt(&mut self, stmt: &'a Stmt) -> Lowered<()> {
        self.at(stmt.span);
        match &stmt.kind {
            StmtKind::Expr(e) => self.effect(e),
            StmtKind::Declare(id, init) => self.declare(*id, init.as_ref(), stmt.span),
            StmtKind::Block(stmts) => self.in_scope(|lower| lower.stmts(stmts)),
            StmtKind::If(..) => self.if_chain(stmt),
            StmtKind::While(cond, body) => {
                let (head, inside, after) = (self.b.node(), self.b.node(), self.b.node());
                self.b.jump(head);
                self.b.start(head);
                self.condition(cond, inside, after)?;
                self.loop_body(body, inside, head, after)?;
                self.b.jump(head);
                self.b.start(after);
                Ok(())
            }
            StmtKind::DoWhile(body, cond) => {
                let (head, test, after) = (self.b.node(), self.b.node(), self.b.node());
                self.b.jump(head);
                self.loop_body(body, head, test, after)?;
                self.b.jump(test);
                self.b.start(test);
                self.condition(cond, head, after)?;
                self.b.start(after);
                Ok(())
            }
            StmtKind::For { init, cond, step, body } => self.in_scope(|lower| {
                lower.stmts(init)?;
                lower.for_loop(cond.as_ref(), step.as_ref(), body)
            }),
            StmtKind::Switch { value, body } => self.switch(value, body),
            StmtKind::Case { lo, hi } => {
                let node = self.label_here();
                match self.switches.last_mut() {
                    Some(frame) => {
                        frame.cases.push((*lo, *hi, node));
                        self.enter_at_case();
                    }
                    None => return unsupported(stmt.span, "case outside of a switch"),
                }
                Ok(())
            }
            StmtKind::Default => {
                let node = self.label_here();
                match self.switches.last_mut() {
                    Some(frame) => {
                        frame.default = Some(node);
                        self.enter_at_case();
                    }
                    None => return unsupported(stmt.span, "default outside of a switch"),
                }
                Ok(())
            }
            StmtKind::Label(id) => {
                let node = self.label(*id);
                self.b.jump(node);
                self.b.start(node);
                self.enter_at_label(*id);
                Ok(())
            }
            StmtKind::Goto(id) => {
                let node = self.label(*id);
                self.leave_for_label(*id);
                self.b.jump(node);
                Ok(())
            }
            StmtKind::Break => match self.breaks.last() {
                Some(&(node, scopes)) => {
                    self.leave_to(scopes);
                    self.b.jump(node);
                    Ok(())
                }
                None => unsupported(stmt.span, "break outside of a loop or switch"),
            },
            StmtKind::Continue => match self.continues.last() {
                Some(&(node, scopes)) => {
                    self.leave_to(scopes);
                    self.b.jump(node);
                    Ok(())
                }
                None => unsupported(stmt.span, "continue outside of a loop"),
            },
            StmtKind::Return(value) => self.return_(value.as_ref(), stmt.span),
            StmtKind::Asm { text, code, memory, inputs, outputs, labels } => {
                let asm = Asm { text: *text, code, memory: *memory, inputs, outputs, labels };
                self.asm(asm, stmt.span)
            }
        }
    }

    fn for_loop(&mut self, cond: Option<&'a Expr>, step: Option<&'a Expr>, body: &'a Stmt) -> Lowered<()> {
        let (head, inside, next, after) = (self.b.node(), self.b.node(), self.b.node(), self.b.node());
        self.b.jump(head);
        self.b.start(head);
        match cond {
            Some(cond) => self.condition(cond, inside, after)?,
            None => self.b.jump(inside),
        }
        self.loop_body(body, inside, next, after)?;
        self.b.jump(next);
        self.b.start(next);
        if let Some(step) = step {
            self.at(step.span);
            self.effect(step)?;
        }
        self.b.jump(head);
        self.b.start(after);
        Ok(())
    }

    /// An else-if chain may be long: follow it in a loop.
    fn if_chain(&mut self, stmt: &'a Stmt) -> Lowered<()> {
        let join = self.b.node();
        let mut rest = Some(stmt);
        while let Some(stmt) = rest.take() {
            let StmtKind::If(cond, then, otherwise) = &stmt.kind else {
                self.in_scope(|lower| lower.stmt(stmt))?;
                break;
            };
            let (yes, no) = (self.b.node(), self.b.node());
            self.at(stmt.span);
            self.condition(cond, yes, no)?;
            self.b.start(yes);
            self.in_scope(|lower| lower.stmt(then))?;
            self.b.jump(join);
            self.b.start(no);
            rest = otherwise.as_deref();
        }
        self.b.jump(join);
        self.b.start(join);
        Ok(())
    }

    fn loop_body(&mut self, body: &'a Stmt, inside: NodeId, next: NodeId, after: NodeId) -> Lowered<()> {
        self.b.start(inside);
        let depth = self.scopes.depth();
        self.breaks.push((after, depth));
        self.continues.push((next, depth));
        let result = self.in_scope(|lower| lower.stmt(body));
        self.breaks.pop();
        self.continues.pop();
        result
    }

    /// A node at this point that can also be jumped to.
    fn label_here(&mut self) -> NodeId {
        let node = self.b.node();
        self.b.jump(node);
        self.b.start(node);
        node
    }

    pub(super) fn label(&mut self, id: LabelId) -> NodeId {
        match self.labels[id.0 as usize] {
            Some(node) => node,
            None => {
                let node = self.b.node();
                self.labels[id.0 as usize] = Some(node);
                node
            }
        }
    }

    fn switch(&mut self, value: &'a Expr, body: &'a Stmt) -> Lowered<()> {
        self.has_switch = true;
        let value = self.value(value)?;
        let value = if matches!(value.kind, ir::ExprKind::Local(_)) { value } else { self.freeze(value) };
        let (pos, dispatch) = (self.b.pos, self.b.current());
        let after = self.b.node();
        self.b.start(None);
        let depth = self.scopes.depth();
        self.breaks.push((after, depth));
        self.switches.push(SwitchFrame { depth, ..SwitchFrame::default() });
        let result = self.stmt(body);
        self.breaks.pop();
        let frame = self.switches.pop().unwrap_or_default();
        result?;
        self.b.jump(after);

        // The body is in place; now the tests that lead into it.
        self.b.start(dispatch);
        self.b.pos = pos;
        for (lo, hi, node) in frame.cases {
            let (lo, hi) = (ir::Expr::int(value.ty, lo), ir::Expr::int(value.ty, hi));
            let hit = if lo == hi {
                fold::binary(BinOp::Eq, value.clone(), lo)
            } else {
                let above = fold::binary(BinOp::Le, lo, value.clone());
                fold::binary(BinOp::And, above, fold::binary(BinOp::Le, value.clone(), hi))
            };
            let next = self.b.node();
            self.b.branch(hit, node, next);
            self.b.start(next);
        }
        self.b.jump(frame.default.unwrap_or(after));
        self.b.start(after);
        Ok(())
    }

    fn return_(&mut self, value: Option<&'a Expr>, span: Span) -> Lowered<()> {
        let Some(value) = value else {
            // `return;` in a function with a result: the caller must not use it.
            let result = self.types.ir_type(self.ret).map(|ty| self.havoc(ty, HavocKind::Uninit));
            self.end_void_main(result.is_none());
            let result = result.map(|code| self.end_main(code));
            self.leave_function(result);
            return Ok(());
        };
        if self.is_record(self.ret) {
            let from = self.record_value(value)?;
            let to = Place::memory(self.local_expr(ir::LocalId(0), Type::Ptr));
            self.copy_record(&to, &from, self.ret, span)?;
            self.leave_function(None);
        } else if matches!(self.types.kind(self.ret), TypeKind::Void) {
            self.effect(value)?;
            self.end_void_main(true);
            self.leave_function(None);
        } else {
            let value = self.value(value)?;
            self.at(span);
            let value = self.end_main(value);
            self.leave_function(Some(value));
        }
        Ok(())
    }

    /// The declaration of a local is reached.
    pub fn declare(&mut self, id: LocalId, init: Option<&'a LocalInit>, span: Span) -> Lowered<()> {
        let slot = self.slot(id)?;
        if let Slot::Memory(local) = slot {
            self.begin(id, local);
        }
        let Some(init) = init else {
            match slot {
                Slot::Register(local, _) => self.any_value(local),
                Slot::Split(leaves) => leaves.iter().for_each(|(_, local)| self.any_value(*local)),
                // A memory object has any content from the start of the activation on.
                Slot::Memory(_) => {}
                Slot::Variable(local) => {
                    let size = self.variable_size(self.local_type(id), span)?;
                    self.b.emit(Op::Alloc { var: Var::Local(local), size, kind: AllocKind::Stack });
                    self.made_here(id, local);
                }
            }
            return Ok(());
        };
        if let (Slot::Register(local, ty), [item]) = (&slot, &init.items[..])
            && let InitValue::Expr(value) = &item.value
        {
            // `int x = f();` needs no temporary.
            if !self.call_into(value, Var::Local(*local), *ty)? {
                let value = self.value(value)?;
                self.at(span);
                self.b.emit(Op::Assign { var: Var::Local(*local), value });
            }
            return Ok(());
        }
        let place = self.local_place(id)?;
        let ty = self.local_type(id);
        if init.zero {
            self.zero(&place, ty, init, span)?;
        }
        for item in &init.items {
            self.init_item(&place, ty, item, span)?;
        }
        Ok(())
    }

    /// A declaration that is reached once gives its variable any value at the start of the function already:
    /// where it stands among the others does not matter.
    fn any_value(&mut self, local: ir::LocalId) {
        self.loose.insert(local);
        if self.continues.is_empty() && self.no_labels() {
            self.hoisted.push(local);
        } else {
            self.b.emit(Op::Havoc { var: Var::Local(local), kind: HavocKind::Uninit });
        }
    }

    /// Zeroes what the items of `init` leave out.
    fn zero(&mut self, place: &Place, ty: TypeId, init: &LocalInit, span: Span) -> Lowered<()> {
        match place {
            Place::Register { var, ty, .. } => {
                let value = ir::Expr { ty: *ty, kind: ir::ExprKind::Const(0) };
                self.b.emit(Op::Assign { var: *var, value });
            }
            Place::Split { leaves, .. } => {
                let covers = |item: &LocalInitItem, leaf: &Leaf| {
                    item.offset == leaf.offset && item.bits == leaf.bits && item.ty == leaf.ty
                };
                for (leaf, local) in leaves.clone().iter() {
                    if init.items.iter().any(|item| covers(item, leaf)) {
                        continue;
                    }
                    let value = ir::Expr { ty: self.ir_type(leaf.ty, span)?, kind: ir::ExprKind::Const(0) };
                    self.b.emit(Op::Assign { var: Var::Local(*local), value });
                }
            }
            Place::Memory { addr, .. } => {
                let size = self.size_of(ty, span)?;
                if size > 0 && !self.covers_all(init, size) {
                    let len = ir::Expr::int(self.target().intptr(false), i128::from(size));
                    self.b.emit(Op::Fill { dst: addr.clone(), byte: ir::Expr::int(Type::U8, 0), len });
                }
            }
        }
        Ok(())
    }

    /// Do the items write every byte?
    fn covers_all(&self, init: &LocalInit, size: u64) -> bool {
        let mut end = 0;
        for item in &init.items {
            let bytes = match &item.value {
                InitValue::Bytes(bytes) => bytes.len() as u64,
                InitValue::Expr(_) => self.types.size_of(item.ty).unwrap_or(0),
            };
            if item.bits.is_some() || item.offset != end {
                return false;
            }
            end += bytes;
        }
        end == size
    }

    fn init_item(&mut self, place: &Place, ty: TypeId, item: &'a LocalInitItem, span: Span) -> Lowered<()> {
        let intptr = self.target().intptr(true);
        let offset = ir::Expr::int(intptr, i128::from(item.offset));
        let value = match &item.value {
            InitValue::Expr(value) => value,
            InitValue::Bytes(bytes) => {
                let Place::Memory { addr, .. } = place else {
                    return unsupported(span, "a string initialises something that is not in memory");
                };
                let base = fold::ptr_add(addr.clone(), offset);
                for (i, byte) in bytes.iter().enumerate() {
                    let addr = fold::ptr_add(base.clone(), ir::Expr::int(intptr, i as i128));
                    self.b.emit(Op::Store { addr, value: ir::Expr::int(Type::I8, i128::from(*byte)) });
                }
                return Ok(());
            }
        };
        if self.is_record(item.ty) {
            let to = match place {
                Place::Split { leaves, offset } => {
                    Place::Split { leaves: leaves.clone(), offset: offset + item.offset }
                }
                Place::Memory { addr, .. } => Place::memory(fold::ptr_add(addr.clone(), offset)),
                Place::Register { .. } => return unsupported(span, "a struct initialises a scalar"),
            };
            let from = self.record_value(value)?;
            return self.copy_record(&to, &from, item.ty, span);
        }
        let to = match place {
            Place::Register { .. } => place.clone(),
            _ => {
                let leaf = Leaf { offset: item.offset, bits: item.bits, ty: item.ty, path: String::new() };
                self.leaf_place(place, ty, &leaf, span)?
            }
        };
        let value = self.value(value)?;
        self.write(&to, value, span)
    }

    /// The size in bytes of a type that may be variable, as an unsigned intptr.
    fn variable_size(&mut self, ty: TypeId, span: Span) -> Lowered<ir::Expr> {
        let intptr = self.target().intptr(false);
        match self.types.kind(ty) {
            TypeKind::Array(elem, len) => {
                let count = match len {
                    ArrayLen::Fixed(n) => ir::Expr::int(intptr, i128::from(*n)),
                    ArrayLen::Variable(id) => {
                        let place = self.local_place(*id)?;
                        let count = self.read(&place, span)?;
                        // A length below zero became a large one.
                        let signed = self.target().intptr(true);
                        let length = fold::cast(&self.target(), signed, count.clone());
                        let some = fold::binary(BinOp::Lt, ir::Expr::int(signed, 0), length);
                        let message = "the length of an array is not positive";
                        if self.checks(CheckKind::Memory) {
                            self.check(CheckKind::Memory, some, Some(message.into()));
                        }
                        fold::cast(&self.target(), intptr, count)
                    }
                    ArrayLen::Unknown => return unsupported(span, "the size of an array is not known"),
                };
                let size = self.variable_size(elem.ty, span)?;
                Ok(fold::binary(BinOp::Mul, count, size))
            }
            _ => Ok(ir::Expr::int(intptr, i128::from(self.size_of(ty, span)?))),
        }
    }
}
