//! `--check leak` and `--check cleanup`: what must have become of the heap where the program ends.
//!
//! The entry's returns, `exit` and its kind get a check each. Memory that was lost stays lost, so looking at
//! the end finds what was lost at any time before. With `--check leak`, variables that can hold a pointer
//! live in memory, in the user's functions: where the program ends in the middle of functions, what their
//! variables lead to is not lost, and memory is where that can be seen.

use super::function::Lower;
use crate::types::{TypeId, TypeKind, TypeTable};
use ir::{CheckKind, HeapRule, Op, Type};

impl Lower<'_, '_> {
    /// Returns from the function. If it is the entry, the program ends, and a pointer that is returned is
    /// kept by whoever called it.
    pub fn leave_function(&mut self, value: Option<ir::Expr>) {
        if self.is_entry() {
            let also = value.as_ref().filter(|value| value.ty == Type::Ptr);
            self.check_heap(CheckKind::Leak, HeapRule::KeptAtReturn, also);
            self.check_heap(CheckKind::Cleanup, HeapRule::FreedAtReturn, None);
        }
        self.b.leave(Op::Return(value));
    }

    /// The program ends here, as by `exit`.
    pub fn check_heap_at_exit(&mut self) {
        self.check_heap(CheckKind::Leak, HeapRule::KeptAtExit, None);
        self.check_heap(CheckKind::Cleanup, HeapRule::FreedAtExit, None);
    }

    /// Who calls `abort` has given up on cleaning up; what was lost before is lost.
    pub fn check_heap_at_abort(&mut self) {
        self.check_heap(CheckKind::Leak, HeapRule::KeptAtExit, None);
    }

    fn check_heap(&mut self, kind: CheckKind, rule: HeapRule, also: Option<&ir::Expr>) {
        if self.checks(kind) {
            let kept = ir::ExprKind::HeapKept { rule, also: also.cloned().map(Box::new) };
            self.check(kind, ir::Expr { ty: Type::Bool, kind: kept }, None);
        }
    }

    fn is_entry(&self) -> bool {
        let entry = self.cx.options.entry.as_deref().unwrap_or("main");
        *self.function.name == *entry && !self.in_model()
    }

    /// Must a variable of this type be in memory, for others to see what it leads to?
    pub fn keeps_memory(&self, ty: TypeId) -> bool {
        self.checks(CheckKind::Leak) && !self.in_model() && holds_pointer(self.types, ty)
    }
}

fn holds_pointer(types: &TypeTable, ty: TypeId) -> bool {
    match types.kind(ty) {
        TypeKind::Pointer(to) => !matches!(types.kind(to.ty), TypeKind::Function(_)),
        TypeKind::Array(element, _) => holds_pointer(types, element.ty),
        TypeKind::Record(id) => {
            let layout = types.record(*id).layout.as_ref();
            layout.is_some_and(|layout| layout.fields.iter().any(|field| holds_pointer(types, field.ty.ty)))
        }
        _ => false,
    }
}
