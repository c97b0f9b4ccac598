//! What `main` is given: `argc` arguments, each a text, and a null pointer behind them (C11 5.1.2.2.1).
//!
//! Executions start in `main` with any parameters. Where it looks at them, it starts with what makes them
//! arguments. How many there are and how long they are has a bound, which can be read off the program
//! (`ir::Function::arguments`).

use super::fold;
use super::function::Lower;
use crate::hir::*;
use crate::types::{TypeId, TypeKind};
use ir::{BinOp, Op, Storage, Type, Var};

/// More than people type, and longer than the buffers that they forget to check: what lies beyond is an
/// assumption of the verdict.
const MOST_ARGUMENTS: u64 = 8;
const MOST_CHARACTERS: u64 = 300;

impl Lower<'_, '_> {
    pub fn take_arguments(&mut self, body: &FunctionBody) {
        let params = &body.locals[..body.params as usize];
        let types: Vec<TypeId> = params.iter().map(|param| param.ty.ty).collect();
        // A program that calls `main` itself passes what it likes.
        if !self.cx.options.arguments || !self.is_main() || self.cx.is_called("main") {
            return;
        }
        let (count, list) = (ir::LocalId(0), ir::LocalId(1));
        let int = |ty: &TypeId| self.types.ir_type(*ty) == Some(Type::I32);
        match &types[..] {
            [argc, argv, ..] if int(argc) && self.is_list_of_texts(*argv) && self.b.reads(list) => {
                let ops = self.argument_list(count, list);
                self.b.prepend(ops);
            }
            [argc, ..] if int(argc) && self.b.reads(count) => {
                let none = ir::Expr::int(Type::I32, 0);
                let cond = fold::binary(BinOp::Le, none, self.local_expr(count, Type::I32));
                self.b.prepend(vec![Op::Assume { cond, holds: true }]);
            }
            _ => {}
        }
    }

    fn is_list_of_texts(&self, ty: TypeId) -> bool {
        let TypeKind::Pointer(list) = self.types.kind(ty) else { return false };
        let TypeKind::Pointer(text) = self.types.kind(list.ty) else { return false };
        self.types.size_of(text.ty) == Some(1)
    }

    fn argument_list(&mut self, count: ir::LocalId, list: ir::LocalId) -> Vec<Op> {
        let target = self.target();
        let (number, offset) = (|n: u64| ir::Expr::int(Type::I32, i128::from(n)), target.intptr(true));
        let argc = self.local_expr(count, Type::I32);
        let at = |base: &ir::Expr, n: u64| fold::ptr_add(base.clone(), ir::Expr::int(offset, i128::from(n)));
        let size = Type::Ptr.access_size(&target);
        let object = self.argument_object(".argv", size * (MOST_ARGUMENTS + 1), size);
        let one = fold::binary(BinOp::Le, number(1), argc.clone());
        let few = fold::binary(BinOp::Le, argc.clone(), number(MOST_ARGUMENTS));
        let mut ops = vec![Op::Assume { cond: fold::binary(BinOp::And, one, few), holds: true }];
        for i in 0..MOST_ARGUMENTS {
            // Any content, but for the end.
            let text = self.argument_object(&format!("{}{i}", ir::ARGUMENT), MOST_CHARACTERS + 1, 1);
            let end = ir::Expr::int(Type::I8, 0);
            ops.push(Op::Store { addr: at(&text, MOST_CHARACTERS), value: end });
            let there = fold::binary(BinOp::Lt, number(i), argc.clone());
            let value = ir::Expr::ite(there, text, ir::Expr::null());
            ops.push(Op::Store { addr: at(&object, i * size), value });
        }
        ops.push(Op::Store { addr: at(&object, MOST_ARGUMENTS * size), value: ir::Expr::null() });
        ops.push(Op::Assign { var: Var::Local(list), value: object });
        ops
    }

    fn argument_object(&mut self, name: &str, size: u64, align: u64) -> ir::Expr {
        let span = self.function.span;
        let storage = Storage::Memory { size, align };
        let id = self.new_local(name, storage, ir::LocalOrigin::Temp, "".into(), span);
        ir::Expr { ty: Type::Ptr, kind: ir::ExprKind::AddrLocal(id) }
    }
}
