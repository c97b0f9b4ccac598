//! Offsets as residues: what is known of a byte distance is its value modulo a step (exactly, if the step is
//! 0).

use ir::{BinOp, Expr, ExprKind, IntType, Target, Type, UnOp};

/// The numbers `off + k * step`. With a step, `0 <= off < step`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Residue {
    pub off: i64,
    pub step: u64,
}

impl Residue {
    pub const ZERO: Residue = Residue { off: 0, step: 0 };
    /// Nothing is known.
    pub const ANY: Residue = Residue { off: 0, step: 1 };

    pub fn exact(off: i64) -> Residue {
        Residue { off, step: 0 }
    }

    pub fn new(off: i128, step: u128) -> Residue {
        match (i64::try_from(off), u64::try_from(step)) {
            (Ok(off), Ok(0)) => Residue::exact(off),
            (_, Ok(step)) if step > 0 && step <= i64::MAX as u64 => {
                Residue { off: off.rem_euclid(i128::from(step)) as i64, step }
            }
            _ => Residue::ANY,
        }
    }

    /// What holds of both.
    pub fn join(self, other: Residue) -> Residue {
        let apart = (i128::from(self.off) - i128::from(other.off)).unsigned_abs();
        Residue::new(i128::from(self.off), gcd(gcd(self.step.into(), other.step.into()), apart))
    }

    pub fn plus(self, other: Residue) -> Residue {
        let off = i128::from(self.off) + i128::from(other.off);
        Residue::new(off, gcd(self.step.into(), other.step.into()))
    }

    pub fn negated(self) -> Residue {
        Residue::ZERO.minus(self)
    }

    fn minus(self, other: Residue) -> Residue {
        let off = i128::from(self.off) - i128::from(other.off);
        Residue::new(off, gcd(self.step.into(), other.step.into()))
    }

    fn times(self, other: Residue) -> Residue {
        let (a, s) = (i128::from(self.off), u128::from(self.step));
        let (b, t) = (i128::from(other.off), u128::from(other.step));
        // (a + i s)(b + j t) = ab + i s b + j t a + i j s t
        let step =
            gcd(gcd(s.wrapping_mul(b.unsigned_abs()), t.wrapping_mul(a.unsigned_abs())), s.saturating_mul(t));
        Residue::new(a * b, step)
    }

    /// The same numbers after arithmetic in a type narrower than a pointer has wrapped them. Distances that
    /// are as wide as a pointer do not wrap: pointer arithmetic stays in its object.
    fn wrapped(self, int: IntType, target: &Target) -> Residue {
        if int.bits >= target.pointer_bits {
            return self;
        }
        match self.step {
            0 => Residue::new(int.value(int.wrap(i128::from(self.off))), 0),
            step => Residue::new(i128::from(self.off), gcd(step.into(), 1 << int.bits)),
        }
    }
}

pub fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// What is known of the value of an integer expression.
pub fn of_integer(e: &Expr, target: &Target) -> Residue {
    let Type::Int(int) = e.ty else { return Residue::ANY };
    let known = match &e.kind {
        ExprKind::Const(bits) => {
            // Distances are signed, whatever the type they were computed in.
            let signed = IntType::new(int.bits, int.signed || int.bits >= target.pointer_bits);
            return Residue::new(signed.value(*bits), 0);
        }
        ExprKind::Unary(UnOp::Neg, inner) => of_integer(inner, target).negated(),
        ExprKind::Binary(op, a, b) => {
            let (x, y) = (of_integer(a, target), of_integer(b, target));
            match op {
                BinOp::Add => x.plus(y),
                BinOp::Sub => x.minus(y),
                BinOp::Mul => x.times(y),
                BinOp::Shl if y.step == 0 && (0..i64::from(int.bits.min(62))).contains(&y.off) => {
                    x.times(Residue::exact(1 << y.off))
                }
                // A mask clears the low bits.
                BinOp::And => match [a.as_const(), b.as_const()].into_iter().flatten().next() {
                    Some(mask) if mask != 0 => Residue::new(0, 1 << mask.trailing_zeros().min(30)),
                    _ => Residue::ANY,
                },
                _ => Residue::ANY,
            }
        }
        ExprKind::Cast(inner) if inner.ty.is_int() => of_integer(inner, target),
        ExprKind::Ite(list) => of_integer(&list[1], target).join(of_integer(&list[2], target)),
        _ => Residue::ANY,
    };
    known.wrapped(int, target)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::LocalId;

    #[test]
    fn distances() {
        let check = |e: Expr, off: i64, step: u64| {
            assert_eq!(of_integer(&e, &Target::LP64), Residue { off, step }, "{e:?}");
        };
        let long = |v| Expr::int(Type::I64, v);
        let int = |v| Expr::int(Type::I32, v);
        let i = || Expr { ty: Type::I32, kind: ExprKind::Local(LocalId(0)) };
        let wide = |e| Expr::cast(Type::I64, e);
        check(long(-8), -8, 0);
        check(Expr::int(Type::U64, -8), -8, 0);
        check(Expr::int(Type::U32, -8), 0xffff_fff8, 0);
        check(wide(i()), 0, 1);
        check(Expr::binary(BinOp::Mul, wide(i()), long(24)), 0, 24);
        let scaled = Expr::binary(BinOp::Mul, wide(i()), long(24));
        check(Expr::binary(BinOp::Sub, scaled, long(8)), 16, 24);
        // In 32 bits 12 i wraps, and only 4 divides both 12 and 2^32.
        check(wide(Expr::binary(BinOp::Mul, i(), int(12))), 0, 4);
        check(Expr::binary(BinOp::Shl, wide(i()), long(3)), 0, 8);
        check(Expr::binary(BinOp::And, wide(i()), long(-16)), 0, 16);
        check(wide(Expr::binary(BinOp::Add, int(i128::from(i32::MAX)), int(1))), i64::from(i32::MIN), 0);
        check(Expr::binary(BinOp::Mul, wide(i()), wide(i())), 0, 1);
    }

    #[test]
    fn what_holds_of_both() {
        let join = |a: Residue, b: Residue| (a.join(b).off, a.join(b).step);
        assert_eq!(join(Residue::exact(8), Residue::exact(8)), (8, 0));
        assert_eq!(join(Residue::exact(8), Residue::exact(20)), (8, 12));
        assert_eq!(join(Residue::new(4, 24), Residue::exact(16)), (4, 12));
        assert_eq!(join(Residue::exact(i64::MIN), Residue::exact(i64::MAX)), (0, 1));
    }
}
