//! The rules for expressions. Each node is checked against its operands' types alone.

use super::{MAX_DEPTH, Verifier, int_width};
use crate::expr::{BinOp, Expr, ExprKind, UnOp};
use crate::program::Storage;
use crate::types::{Target, Type};

impl<'a> Verifier<'a> {
    pub(super) fn expr(&mut self, root: &'a Expr) {
        let mut work = vec![(root, 1)];
        while let Some((e, depth)) = work.pop() {
            if depth > MAX_DEPTH {
                return self.report("depth", format!("an expression nests over {MAX_DEPTH} deep"));
            }
            self.node(e);
            work.extend(e.children().map(|child| (child, depth + 1)));
        }
    }

    fn node(&mut self, e: &Expr) {
        if let Type::Int(int) = e.ty
            && !int_width(int.bits)
        {
            // Everything else that could be said about this node follows from it.
            return self.report("int-width", int.to_string());
        }
        let target = self.program.target;
        match &e.kind {
            ExprKind::Const(bits) => {
                self.require(constant_fits(e.ty, *bits, &target), "constant-range", || {
                    format!("{bits:#x} as {}", e.ty)
                });
            }
            ExprKind::Local(id) => {
                let storage = self.local(id.0);
                self.register(e, storage, || format!("local {}", id.0));
            }
            ExprKind::Global(id) => {
                let storage = self.program.globals.get(id.0 as usize).map(|global| global.storage);
                self.register(e, storage, || format!("global {}", id.0));
            }
            ExprKind::AddrLocal(id) => {
                let storage = self.local(id.0);
                self.memory(e, storage, || format!("local {}", id.0));
            }
            ExprKind::AddrGlobal(id) => {
                let storage = self.program.globals.get(id.0 as usize).map(|global| global.storage);
                self.memory(e, storage, || format!("global {}", id.0));
            }
            ExprKind::AddrFunc(id) => {
                let found = (id.0 as usize) < self.program.functions.len();
                self.require(found, "id-range", || format!("function {}", id.0));
                self.pointer(e);
            }
            ExprKind::VarArgs => {
                let variadic = self.function.is_some_and(|f| f.variadic);
                self.require(variadic, "varargs", || "in a function without them".to_string());
                self.pointer(e);
            }
            ExprKind::Load(addr) => {
                self.require(e.ty != Type::Bool, "bool-value", || "a load".to_string());
                self.operator(addr.ty == Type::Ptr, || format!("load at an address of type {}", addr.ty));
            }
            ExprKind::Unary(op, a) => {
                self.operator(unary_type(*op, a.ty) == Some(e.ty), || format!("{op:?} {} -> {}", a.ty, e.ty));
            }
            ExprKind::Binary(op, a, b) => {
                self.operator(binary_type(*op, a.ty, b.ty, &target) == Some(e.ty), || {
                    format!("{op:?} {} {} -> {}", a.ty, b.ty, e.ty)
                });
            }
            ExprKind::Cast(a) => {
                self.require(converts(a.ty, e.ty), "cast-type", || format!("{} to {}", a.ty, e.ty));
            }
            ExprKind::Ite(list) => {
                let [c, a, b] = &**list;
                self.operator(c.ty == Type::Bool && a.ty == e.ty && b.ty == e.ty, || {
                    format!("ite {} {} {} -> {}", c.ty, a.ty, b.ty, e.ty)
                });
            }
            ExprKind::Valid { ptr, size, .. } => {
                let fits = ptr.ty == Type::Ptr && size.ty == target.intptr(false) && e.ty == Type::Bool;
                self.operator(fits, || format!("valid {} {} -> {}", ptr.ty, size.ty, e.ty));
            }
            ExprKind::ObjectSize(ptr) => {
                self.operator(ptr.ty == Type::Ptr && e.ty == target.intptr(false), || {
                    format!("object_size {} -> {}", ptr.ty, e.ty)
                });
            }
            ExprKind::HeapKept { also, .. } => {
                let fits = e.ty == Type::Bool && also.as_ref().is_none_or(|ptr| ptr.ty == Type::Ptr);
                self.operator(fits, || format!("heap_kept -> {}", e.ty));
            }
            ExprKind::Freeable(ptr) => {
                self.operator(ptr.ty == Type::Ptr && e.ty == Type::Bool, || {
                    format!("freeable {} -> {}", ptr.ty, e.ty)
                });
            }
        }
    }

    fn operator(&mut self, holds: bool, message: impl FnOnce() -> String) {
        self.require(holds, "operator-type", message);
    }

    fn pointer(&mut self, e: &Expr) {
        self.operator(e.ty == Type::Ptr, || format!("an address of type {}", e.ty));
    }

    fn local(&self, id: u32) -> Option<Storage> {
        self.function?.locals.get(id as usize).map(|local| local.storage)
    }

    fn register(&mut self, e: &Expr, storage: Option<Storage>, what: impl FnOnce() -> String) {
        match storage {
            None => self.report("id-range", what()),
            Some(Storage::Memory { .. }) => self.report("register-use", what()),
            Some(Storage::Register(ty)) => {
                self.require(ty == e.ty, "variable-type", || format!("{} is {ty}, not {}", what(), e.ty));
            }
        }
    }

    fn memory(&mut self, e: &Expr, storage: Option<Storage>, what: impl FnOnce() -> String) {
        match storage {
            None => self.report("id-range", what()),
            Some(Storage::Register(_)) => self.report("memory-use", what()),
            Some(Storage::Memory { .. }) => self.pointer(e),
        }
    }
}

/// `Const`, `AddrGlobal`, `AddrFunc`, or one of them plus a constant offset, possibly cast.
pub(super) fn is_initial_value(mut e: &Expr) -> bool {
    let base =
        |e: &Expr| matches!(e.kind, ExprKind::Const(_) | ExprKind::AddrGlobal(_) | ExprKind::AddrFunc(_));
    while let ExprKind::Cast(inner) = &e.kind {
        e = inner;
    }
    match &e.kind {
        ExprKind::Binary(BinOp::PtrAdd, a, offset) => base(a) && offset.as_const().is_some(),
        _ => base(e),
    }
}

fn constant_fits(ty: Type, bits: u128, target: &Target) -> bool {
    let width = match ty {
        Type::Bool => 1,
        Type::Int(int) => u32::from(int.bits),
        Type::Float(float) => float.value_bytes() as u32 * 8,
        Type::Ptr => u32::from(target.pointer_bits),
    };
    width >= 128 || bits >> width == 0
}

fn unary_type(op: UnOp, a: Type) -> Option<Type> {
    let fits = match op {
        UnOp::Neg => a.is_int() || a.is_float(),
        UnOp::Not => a.is_int() || a == Type::Bool,
        UnOp::Sqrt
        | UnOp::Abs
        | UnOp::Floor
        | UnOp::Ceil
        | UnOp::Trunc
        | UnOp::RoundEven
        | UnOp::RoundAway => a.is_float(),
    };
    fits.then_some(a)
}

fn binary_type(op: BinOp, a: Type, b: Type, target: &Target) -> Option<Type> {
    let offset = target.intptr(true);
    match op {
        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem => {
            (a == b && (a.is_int() || a.is_float())).then_some(a)
        }
        BinOp::And | BinOp::Or | BinOp::Xor => (a == b && (a.is_int() || a == Type::Bool)).then_some(a),
        BinOp::Shl | BinOp::Shr => (a == b && a.is_int()).then_some(a),
        BinOp::Eq | BinOp::Ne => (a == b).then_some(Type::Bool),
        BinOp::Lt | BinOp::Le => (a == b && a != Type::Bool).then_some(Type::Bool),
        BinOp::PtrAdd => (a == Type::Ptr && b == offset).then_some(Type::Ptr),
        BinOp::PtrSub => (a == Type::Ptr && b == Type::Ptr).then_some(offset),
        BinOp::AddOverflows | BinOp::SubOverflows | BinOp::MulOverflows => {
            (a == b && a.is_int()).then_some(Type::Bool)
        }
    }
}

fn converts(from: Type, to: Type) -> bool {
    match (from, to) {
        (Type::Bool, to) => to.is_int(),
        (Type::Int(_), to) => to != Type::Bool,
        (Type::Float(_), to) => to.is_int() || to.is_float(),
        (Type::Ptr, to) => to.is_int(),
    }
}
