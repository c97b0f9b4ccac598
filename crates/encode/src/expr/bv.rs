//! Integers as bit-vectors.

use super::Encoder;
use ir::{BinOp, IntType};
use logic::Term;

impl Encoder<'_> {
    pub(super) fn bv_binary(&mut self, op: BinOp, int: IntType, a: Term, b: Term) -> Term {
        let signed = int.signed;
        match op {
            BinOp::Add | BinOp::PtrAdd => a.add(b),
            BinOp::Sub | BinOp::PtrSub => a.sub(b),
            BinOp::Mul => a.mul(b),
            BinOp::Div | BinOp::Rem => {
                let width = u32::from(int.bits);
                self.trap(b.equals(Term::bv(0, width)));
                if signed {
                    let least = a.equals(Term::bv(int.min_bits(), width));
                    self.trap(least.and(b.equals(Term::bv(int.mask(), width))));
                }
                match (op, signed) {
                    (BinOp::Div, true) => a.sdiv(b),
                    (BinOp::Div, false) => a.udiv(b),
                    (_, true) => a.srem(b),
                    (_, false) => a.urem(b),
                }
            }
            BinOp::And => a.bvand(b),
            BinOp::Or => a.bvor(b),
            BinOp::Xor => a.bvxor(b),
            BinOp::Shl => a.shl(count(int, b)),
            BinOp::Shr if signed => a.ashr(count(int, b)),
            BinOp::Shr => a.lshr(count(int, b)),
            BinOp::Eq => a.equals(b),
            BinOp::Ne => a.differs(b),
            BinOp::Lt => less(signed, a, b),
            BinOp::Le => less(signed, b, a).not(),
            // With one bit more nothing overflows, and that bit tells: where operands are short, so is the
            // sum, and the bit is known. (Nothing has more bits than 128.)
            BinOp::AddOverflows | BinOp::SubOverflows if signed && int.bits == 128 => {
                let (x, y) = (is_negative(a), is_negative(b));
                match op {
                    BinOp::AddOverflows => x.equals(y).and(is_negative(a.add(b)).differs(x)),
                    _ => x.differs(y).and(is_negative(a.sub(b)).differs(x)),
                }
            }
            BinOp::AddOverflows if int.bits == 128 => less(false, a.add(b), a),
            BinOp::AddOverflows if signed => has_two_signs(a.sign_extend(1).add(b.sign_extend(1))),
            BinOp::SubOverflows if signed => has_two_signs(a.sign_extend(1).sub(b.sign_extend(1))),
            BinOp::AddOverflows => {
                let sum = a.zero_extend(1).add(b.zero_extend(1));
                sum.extract(sum.width() - 1, sum.width() - 1).equals(Term::bv(1, 1))
            }
            BinOp::SubOverflows => less(false, a, b),
            BinOp::MulOverflows => a.mul_fits(b, signed).not(),
        }
    }
}

pub(super) fn convert(from: IntType, to: IntType, a: Term) -> Term {
    let (have, want) = (u32::from(from.bits), u32::from(to.bits));
    if want < have {
        a.extract(want - 1, 0)
    } else if from.signed {
        a.sign_extend(want - have)
    } else {
        a.zero_extend(want - have)
    }
}

/// A shift count, taken modulo the width (a power of two).
pub(super) fn count(int: IntType, b: Term) -> Term {
    b.bvand(Term::bv(u128::from(int.bits - 1), u32::from(int.bits)))
}

fn less(signed: bool, a: Term, b: Term) -> Term {
    if signed { a.slt(b) } else { a.ult(b) }
}

fn is_negative(a: Term) -> Term {
    a.slt(Term::bv(0, a.width()))
}

/// Does a number need its last bit?
fn has_two_signs(wide: Term) -> Term {
    let (top, below) = (wide.width() - 1, wide.width() - 2);
    wide.extract(top, top).differs(wide.extract(below, below))
}
