//! Inline assembly. Its text is not interpreted, but for one thing: a text without instructions does nothing,
//! so what it is said to write keeps its value. That is how programs keep optimisers from looking through a
//! value.

use super::Checker;
use super::convert::is_place;
use crate::ast::{self, AsmOperand};
use crate::hir::{AsmOutput, AsmText, Expr, ExprKind, Stmt, StmtKind};
use crate::types::{TypeKind, TypeTable};
use base::Span;
use ir::fingerprint::Fingerprint;
use std::sync::Arc;

impl Checker<'_> {
    pub(super) fn asm(&mut self, asm: &ast::AsmStmt, span: Span, out: &mut Vec<Stmt>) {
        let text = text(&asm.template);
        let memory = asm.clobbers.iter().any(|c| c == b"memory") && text == AsmText::Instructions;
        let mut outputs = Vec::new();
        for operand in &asm.outputs {
            let place = self.expr(&operand.expr);
            if place.ty.ty == TypeTable::ERROR {
                continue;
            }
            if !is_place(&place) {
                self.error(operand.expr.span, "lvalue required in 'asm' statement");
                continue;
            }
            if !self.types.is_complete(place.ty.ty) {
                continue;
            }
            let updated = operand.constraint.contains(&b'+');
            let kept = text == AsmText::Empty && (updated || only_memory(&operand.constraint));
            outputs.push(AsmOutput { place, updated, kept, tied: None });
        }
        let mut inputs = Vec::new();
        for operand in &asm.inputs {
            let e = self.expr(&operand.expr);
            if e.ty.ty == TypeTable::ERROR {
                continue;
            }
            // Of a record or incomplete object only the address matters here, and of what the text may write.
            let scalar = self.types.is_scalar(e.ty.ty);
            let written = memory && only_memory(&operand.constraint) && !is_bit_field(self, &e);
            let value = if is_place(&e) && !self.types.is_array(e.ty.ty) && (!scalar || written) {
                self.address_of(e, operand.expr.span)
            } else {
                self.rvalue(e)
            };
            let tied = tied_to(&operand.constraint, &asm.outputs, self);
            if let Some(output) = tied.and_then(|i| outputs.get_mut(i)) {
                output.tied = Some(inputs.len());
            }
            inputs.push(value);
        }
        let labels = asm.labels.iter().filter_map(|label| self.use_label(*label)).collect();
        self.push(out, StmtKind::Asm { text, code: code(asm), memory, inputs, outputs, labels }, span);
    }
}

/// A short name for what the statement says.
fn code(asm: &ast::AsmStmt) -> Arc<str> {
    let operands = asm.outputs.iter().chain(&asm.inputs).map(|operand| &operand.constraint);
    let parts = [&asm.template].into_iter().chain(operands).chain(&asm.clobbers);
    // Lengths keep the parts apart.
    let bytes = parts.flat_map(|part| part.len().to_le_bytes().into_iter().chain(part.iter().copied()));
    Fingerprint::of(&bytes.collect::<Vec<u8>>()).short().into()
}

/// Which output an input shares its register with: `"0"` or `"[name]"`.
fn tied_to(constraint: &[u8], outputs: &[AsmOperand], checker: &Checker) -> Option<usize> {
    let text = std::str::from_utf8(constraint).ok()?.trim_start_matches('%');
    if let Some(name) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return outputs.iter().position(|o| o.name.is_some_and(|n| checker.names.name(n.name) == name));
    }
    text.parse().ok().filter(|i| *i < outputs.len())
}

fn is_bit_field(checker: &Checker, e: &Expr) -> bool {
    let ExprKind::Member(base, index) = &e.kind else { return false };
    let TypeKind::Record(id) = checker.types.kind(base.ty.ty) else { return false };
    let layout = checker.types.record(*id).layout.as_ref();
    layout.and_then(|l| l.fields.get(*index as usize)).is_some_and(|field| field.bits.is_some())
}

/// Is the operand in memory, whatever the compiler chooses?
fn only_memory(constraint: &[u8]) -> bool {
    constraint.contains(&b'm') && constraint.iter().all(|c| b"=+&moV".contains(c))
}

/// What kind of text it is. Fences and pauses order what others see, and there are no others.
fn text(template: &[u8]) -> AsmText {
    let text = String::from_utf8_lossy(template);
    let mut kind = AsmText::Empty;
    for instruction in text.split([';', '\n']) {
        let words: Vec<&str> = instruction.split_whitespace().collect();
        match words[..] {
            [] => {}
            ["mfence" | "lfence" | "sfence" | "pause" | "nop" | "rep" | "lock"] => {
                kind = if kind == AsmText::Empty { AsmText::Fence } else { kind };
            }
            _ => return AsmText::Instructions,
        }
    }
    kind
}
