//! Smart constructors: integer constants are folded and address sums collected, so that two spellings of one
//! address give one expression. Nothing that could fault or depends on rounding is folded.

use ir::{BinOp, Expr, ExprKind, IntType, Target, Type, UnOp};

/// Converts to `ty`, folding integer constants.
pub fn cast(target: &Target, ty: Type, e: Expr) -> Expr {
    if e.ty == ty {
        return e;
    }
    if let Some(bits) = e.as_const() {
        match (e.ty, ty) {
            (Type::Bool, Type::Int(_)) => return Expr::int(ty, bits as i128),
            (Type::Int(from), Type::Int(to)) => {
                let wide = if from.signed { from.value(bits) } else { bits as i128 };
                return Expr { ty, kind: ExprKind::Const(to.wrap(wide)) };
            }
            (Type::Int(from), Type::Ptr) => {
                let mask = IntType::new(target.pointer_bits, false).mask();
                // gcc sign-extends a narrow signed integer when it becomes a pointer.
                let wide = if from.signed { from.value(bits) } else { bits as i128 };
                return Expr { ty, kind: ExprKind::Const(wide as u128 & mask) };
            }
            (Type::Ptr, Type::Int(to)) => return Expr { ty, kind: ExprKind::Const(bits & to.mask()) },
            _ => {}
        }
    }
    match (&e.kind, e.ty, ty) {
        // A narrow integer reaches a pointer through the integer of the pointer's width.
        (_, Type::Int(from), Type::Ptr) if from.bits < target.pointer_bits => {
            let wide = cast(target, target.intptr(from.signed), e);
            Expr::cast(Type::Ptr, wide)
        }
        // Widening a truth value in steps is widening it at once.
        (ExprKind::Cast(inner), Type::Int(_), Type::Int(_)) if inner.ty == Type::Bool => {
            Expr::cast(ty, (**inner).clone())
        }
        // Only the signedness changes, or the first conversion lost nothing: one conversion does.
        (ExprKind::Cast(inner), Type::Int(mid), Type::Int(to)) if collapses(inner.ty, mid, to) => {
            cast(target, ty, (**inner).clone())
        }
        _ => Expr::cast(ty, e),
    }
}

fn collapses(inner: Type, mid: IntType, to: IntType) -> bool {
    match inner {
        Type::Int(from) => from.bits <= mid.bits && to.bits <= mid.bits,
        _ => false,
    }
}

pub fn neg(e: Expr) -> Expr {
    match (e.ty, e.as_const()) {
        (Type::Int(int), Some(bits)) => Expr::int(e.ty, int.value(bits).wrapping_neg()),
        _ => Expr::unary(UnOp::Neg, e),
    }
}

pub fn bit_not(e: Expr) -> Expr {
    match (e.ty, e.as_const()) {
        (Type::Int(_), Some(bits)) => Expr::int(e.ty, !bits as i128),
        _ => Expr::unary(UnOp::Not, e),
    }
}

/// A binary operation on two operands of one type.
pub fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
    if let (Type::Int(int), Some(x), Some(y)) = (a.ty, a.as_const(), b.as_const())
        && let Some(folded) = fold_ints(op, int, x, y)
    {
        return if op.gives_bool() {
            Expr::bool(folded != 0)
        } else {
            Expr { ty: a.ty, kind: ExprKind::Const(folded) }
        };
    }
    if let (Type::Ptr, Some(x), Some(y)) = (a.ty, a.as_const(), b.as_const()) {
        match op {
            BinOp::Eq => return Expr::bool(x == y),
            BinOp::Ne => return Expr::bool(x != y),
            _ => {}
        }
    }
    if a.ty.is_int() {
        let (zero, one) = (Some(0), Some(1));
        match op {
            BinOp::Add | BinOp::Sub | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr
                if b.as_const() == zero =>
            {
                return a;
            }
            BinOp::Add | BinOp::Or | BinOp::Xor if a.as_const() == zero => return b,
            BinOp::Mul if b.as_const() == one => return a,
            BinOp::Mul if a.as_const() == one => return b,
            _ => {}
        }
    }
    // One mask instead of two.
    if op == BinOp::And
        && let (ExprKind::Binary(BinOp::And, _, inner), Some(mask)) = (&a.kind, b.as_const())
        && let Some(inner) = inner.as_const()
        && let ExprKind::Binary(_, masked, _) = a.kind
    {
        return binary(BinOp::And, *masked, Expr { ty: b.ty, kind: ExprKind::Const(inner & mask) });
    }
    if a.ty == Type::Bool {
        match (op, a.as_const(), b.as_const()) {
            (BinOp::And, Some(1), _) | (BinOp::Or, Some(0), _) => return b,
            (BinOp::And, _, Some(1)) | (BinOp::Or, _, Some(0)) => return a,
            _ => {}
        }
    }
    Expr::binary(op, a, b)
}

fn fold_ints(op: BinOp, int: IntType, x: u128, y: u128) -> Option<u128> {
    let (a, b) = (int.value(x), int.value(y));
    let less = if int.signed { a < b } else { x < y };
    let value = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::Div | BinOp::Rem if y == 0 || (int.signed && x == int.min_bits() && b == -1) => return None,
        BinOp::Div if int.signed => a.wrapping_div(b),
        BinOp::Div => (x / y) as i128,
        BinOp::Rem if int.signed => a.wrapping_rem(b),
        BinOp::Rem => (x % y) as i128,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => ((x << (y % u128::from(int.bits))) & int.mask()) as i128,
        BinOp::Shr if int.signed => a >> (y % u128::from(int.bits)),
        BinOp::Shr => (x >> (y % u128::from(int.bits))) as i128,
        BinOp::Eq => (x == y) as i128,
        BinOp::Ne => (x != y) as i128,
        BinOp::Lt => less as i128,
        BinOp::Le => (less || x == y) as i128,
        _ => return None,
    };
    Some(if op.gives_bool() { value as u128 } else { int.wrap(value) })
}

/// Pointer plus byte offset; constant offsets are collected.
pub fn ptr_add(ptr: Expr, offset: Expr) -> Expr {
    if offset.as_const() == Some(0) {
        return ptr;
    }
    match ptr.kind {
        ExprKind::Binary(BinOp::PtrAdd, base, inner)
            if inner.as_const().is_some() && offset.as_const().is_some() =>
        {
            ptr_add(*base, binary(BinOp::Add, *inner, offset))
        }
        ExprKind::Const(bits) if offset.as_const().is_some() => {
            let Type::Int(int) = offset.ty else { return Expr::binary(BinOp::PtrAdd, ptr, offset) };
            let sum = bits.wrapping_add(offset.as_const().unwrap_or(0)) & int.mask();
            Expr { ty: Type::Ptr, kind: ExprKind::Const(sum) }
        }
        _ => Expr::binary(BinOp::PtrAdd, ptr, offset),
    }
}

/// The truth of a scalar: `e != 0`, without detours through `int`.
pub fn truth(e: Expr) -> Expr {
    match e.ty {
        Type::Bool => e,
        Type::Int(int) => match e.kind {
            ExprKind::Const(bits) => Expr::bool(bits != 0),
            ExprKind::Cast(inner) if inner.ty == Type::Bool => *inner,
            // Widening keeps zero and nonzero apart.
            ExprKind::Cast(inner) if matches!(inner.ty, Type::Int(from) if from.bits <= int.bits) => {
                truth(*inner)
            }
            _ => Expr::binary(BinOp::Ne, Expr { ty: e.ty, kind: e.kind }, Expr::int(Type::Int(int), 0)),
        },
        Type::Ptr => match e.kind {
            ExprKind::Const(bits) => Expr::bool(bits != 0),
            ExprKind::AddrLocal(_) => Expr::bool(true),
            _ => Expr::binary(BinOp::Ne, e, Expr::null()),
        },
        Type::Float(_) => {
            let zero = Expr { ty: e.ty, kind: ExprKind::Const(0) };
            Expr::binary(BinOp::Ne, e, zero)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn c(ty: Type, value: i128) -> Expr {
        Expr::int(ty, value)
    }

    #[test]
    fn folding_follows_the_type() {
        let check = |op, ty, a, b, expected: Option<i128>| {
            let folded = binary(op, c(ty, a), c(ty, b));
            let want =
                expected.map(|v| if op.gives_bool() { v as u128 } else { c(ty, v).as_const().unwrap() });
            assert_eq!(folded.as_const(), want, "{op:?} {ty} {a} {b}");
        };
        check(BinOp::Add, Type::I32, i128::from(i32::MAX), 1, Some(i128::from(i32::MIN)));
        check(BinOp::Div, Type::I8, -128, -1, None);
        check(BinOp::Div, Type::I8, -7, 2, Some(-3));
        check(BinOp::Rem, Type::U8, 200, 7, Some(4));
        check(BinOp::Div, Type::U128, -1, 2, Some(i128::MAX));
        check(BinOp::Shr, Type::I16, -4, 1, Some(-2));
        check(BinOp::Shr, Type::U16, -4, 1, Some(0x7ffe));
        check(BinOp::Shl, Type::I32, 1, 33, Some(2));
        check(BinOp::Lt, Type::U32, -1, 1, Some(0));
        check(BinOp::Lt, Type::I32, -1, 1, Some(1));
        check(BinOp::Le, Type::U128, -1, -1, Some(1));
        check(BinOp::Div, Type::I32, 1, 0, None);
    }

    #[test]
    fn conversions_collapse_only_when_nothing_is_lost() {
        let target = Target::LP64;
        let x = Expr { ty: Type::I32, kind: ExprKind::Local(ir::LocalId(0)) };
        let through = |mid, to| cast(&target, to, cast(&target, mid, x.clone()));
        assert_eq!(through(Type::I64, Type::I8), Expr::cast(Type::I8, x.clone()));
        assert_eq!(through(Type::U32, Type::I32), x);
        assert!(matches!(through(Type::I8, Type::I32).kind, ExprKind::Cast(e) if e.ty == Type::I8));
        assert!(matches!(through(Type::U32, Type::U64).kind, ExprKind::Cast(e) if e.ty == Type::U32));
        assert_eq!(cast(&target, Type::U64, c(Type::I32, -1)).as_const(), Some(u128::from(u64::MAX)));
        assert_eq!(cast(&target, Type::I64, c(Type::U32, -1)).as_const(), Some(0xffff_ffff));
    }
}
