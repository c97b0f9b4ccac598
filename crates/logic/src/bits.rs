//! Bit-vectors: what is not a sum or a product.

use crate::sort::Sort;
use crate::term::{Op, Term};
use dashu_int::IBig;

impl Term {
    /// A constant, cut to the width.
    pub fn bv(bits: u128, width: u32) -> Term {
        Term::make(Op::Bv(bits & mask(width)), [], Sort::Bv(width))
    }

    pub fn width(self) -> u32 {
        self.sort().width().unwrap_or(0)
    }

    pub fn bvnot(self) -> Term {
        if let Some(bits) = self.as_bv() {
            return Term::bv(!bits, self.width());
        }
        if *self.op() == Op::BvNot {
            return self.args()[0];
        }
        Term::make(Op::BvNot, [self], self.sort())
    }

    pub fn bvand(self, other: Term) -> Term {
        bitwise(Op::BvAnd, self, other, |a, b| a & b, Some(mask(self.width())), Some(0))
    }

    pub fn bvor(self, other: Term) -> Term {
        bitwise(Op::BvOr, self, other, |a, b| a | b, Some(0), Some(mask(self.width())))
    }

    pub fn bvxor(self, other: Term) -> Term {
        if self == other {
            return Term::bv(0, self.width());
        }
        bitwise(Op::BvXor, self, other, |a, b| a ^ b, Some(0), None)
    }

    #[expect(clippy::should_implement_trait, reason = "terms are built with named operations throughout")]
    pub fn shl(self, count: Term) -> Term {
        let width = self.width();
        if let Some(c) = count.as_bv() {
            if c >= u128::from(width) {
                return Term::bv(0, width);
            }
            return self.scale(&(IBig::ONE << c as usize));
        }
        Term::make(Op::BvShl, [self, count], self.sort())
    }

    pub fn lshr(self, count: Term) -> Term {
        shift(Op::BvLshr, self, count, |a, c, _| a >> c)
    }

    pub fn ashr(self, count: Term) -> Term {
        shift(Op::BvAshr, self, count, |a, c, width| (to_signed(a, width) >> c) as u128)
    }

    pub fn udiv(self, other: Term) -> Term {
        if other.as_bv() == Some(1) {
            return self;
        }
        fold(Op::BvUdiv, self, other, |a, b, width| a.checked_div(b).unwrap_or(mask(width)))
    }

    pub fn urem(self, other: Term) -> Term {
        if other.as_bv() == Some(1) {
            return Term::bv(0, self.width());
        }
        fold(Op::BvUrem, self, other, |a, b, _| a.checked_rem(b).unwrap_or(a))
    }

    pub fn sdiv(self, other: Term) -> Term {
        if other.as_bv() == Some(1) {
            return self;
        }
        fold(Op::BvSdiv, self, other, |a, b, width| {
            let (x, y) = (to_signed(a, width), to_signed(b, width));
            if y == 0 { if x < 0 { 1 } else { u128::MAX } } else { x.wrapping_div(y) as u128 }
        })
    }

    pub fn srem(self, other: Term) -> Term {
        fold(Op::BvSrem, self, other, |a, b, width| {
            let (x, y) = (to_signed(a, width), to_signed(b, width));
            if y == 0 { a } else { x.wrapping_rem(y) as u128 }
        })
    }

    pub fn ule(self, other: Term) -> Term {
        if self.as_bv() == Some(0) || other.as_bv() == Some(mask(self.width())) {
            return Term::bool(true);
        }
        compare(Op::BvUle, self, other, true, |a, b, _| a <= b)
    }

    pub fn ult(self, other: Term) -> Term {
        if other.as_bv() == Some(0) || self.as_bv() == Some(mask(self.width())) {
            return Term::bool(false);
        }
        compare(Op::BvUlt, self, other, false, |a, b, _| a < b)
    }

    pub fn sle(self, other: Term) -> Term {
        compare(Op::BvSle, self, other, true, |a, b, width| to_signed(a, width) <= to_signed(b, width))
    }

    pub fn slt(self, other: Term) -> Term {
        compare(Op::BvSlt, self, other, false, |a, b, width| to_signed(a, width) < to_signed(b, width))
    }

    /// Does the product fit into the width?
    pub fn mul_fits(self, other: Term, signed: bool) -> Term {
        let width = self.width();
        if let (Some(a), Some(b)) = (self.as_bv(), other.as_bv()) {
            let fits = if signed {
                to_signed(a, width)
                    .checked_mul(to_signed(b, width))
                    .is_some_and(|p| to_signed(p as u128 & mask(width), width) == p)
            } else {
                a.checked_mul(b).is_some_and(|p| p <= mask(width))
            };
            return Term::bool(fits);
        }
        Term::make(Op::BvMulFits { signed }, [self, other], Sort::Bool)
    }

    /// `self` becomes the high bits.
    pub fn concat(self, low: Term) -> Term {
        let (w, v) = (self.width(), low.width());
        if let (Some(a), Some(b)) = (self.as_bv(), low.as_bv()) {
            return Term::bv(a << v | b, w + v);
        }
        // Neighbouring parts of one vector join.
        if let (Op::Extract { high: h1, low: l1 }, Op::Extract { high: h2, low: l2 }) = (self.op(), low.op())
            && self.args()[0] == low.args()[0]
            && *l1 == h2 + 1
        {
            return self.args()[0].extract(*h1, *l2);
        }
        Term::make(Op::Concat, [self, low], Sort::Bv(w + v))
    }

    pub fn extract(self, high: u32, low: u32) -> Term {
        let width = self.width();
        debug_assert!(low <= high && high < width, "{self}[{high}..{low}]");
        if low == 0 && high + 1 == width {
            return self;
        }
        match self.op() {
            Op::Bv(bits) => Term::bv(bits >> low, high - low + 1),
            Op::Extract { low: inner, .. } => self.args()[0].extract(high + inner, low + inner),
            Op::Concat => {
                let (a, b) = (self.args()[0], self.args()[1]);
                if high < b.width() {
                    b.extract(high, low)
                } else if low >= b.width() {
                    a.extract(high - b.width(), low - b.width())
                } else {
                    a.extract(high - b.width(), 0).concat(b.extract(b.width() - 1, low))
                }
            }
            Op::ZeroExtend(_) | Op::SignExtend(_) if high < self.args()[0].width() => {
                self.args()[0].extract(high, low)
            }
            Op::Ite if self.args()[1].is_const() || self.args()[2].is_const() => {
                self.args()[0].ite(self.args()[1].extract(high, low), self.args()[2].extract(high, low))
            }
            // The low bits of a sum are the sum of the low bits.
            Op::BvAdd if low == 0 => {
                self.args().iter().map(|t| t.extract(high, 0)).reduce(Term::add).unwrap_or(self)
            }
            Op::BvMul if low == 0 => {
                self.args().iter().map(|t| t.extract(high, 0)).reduce(Term::mul).unwrap_or(self)
            }
            Op::BvAnd | Op::BvOr | Op::BvXor => {
                let (a, b) = (self.args()[0].extract(high, low), self.args()[1].extract(high, low));
                match self.op() {
                    Op::BvAnd => a.bvand(b),
                    Op::BvOr => a.bvor(b),
                    _ => a.bvxor(b),
                }
            }
            _ => Term::make(Op::Extract { high, low }, [self], Sort::Bv(high - low + 1)),
        }
    }

    /// `by` zero bits in front.
    pub fn zero_extend(self, by: u32) -> Term {
        if by == 0 {
            return self;
        }
        match self.op() {
            Op::Bv(bits) => Term::bv(*bits, self.width() + by),
            Op::ZeroExtend(inner) => self.args()[0].zero_extend(by + inner),
            _ => Term::make(Op::ZeroExtend(by), [self], Sort::Bv(self.width() + by)),
        }
    }

    pub fn sign_extend(self, by: u32) -> Term {
        if by == 0 {
            return self;
        }
        match self.op() {
            Op::Bv(bits) => Term::bv(to_signed(*bits, self.width()) as u128, self.width() + by),
            Op::SignExtend(inner) => self.args()[0].sign_extend(by + inner),
            Op::ZeroExtend(inner) => self.args()[0].zero_extend(by + inner),
            _ => Term::make(Op::SignExtend(by), [self], Sort::Bv(self.width() + by)),
        }
    }

    pub fn bv_to_int(self, signed: bool) -> Term {
        if let Some(bits) = self.as_bv() {
            return if signed { Term::int(to_signed(bits, self.width())) } else { Term::int(bits) };
        }
        Term::make(Op::BvToInt { signed }, [self], Sort::Int)
    }

    pub fn int_to_bv(self, width: u32) -> Term {
        if self.as_int().is_some() {
            return crate::number::number(Sort::Bv(width), self.as_int().unwrap_or(&IBig::ZERO));
        }
        if let Op::BvToInt { .. } = self.op()
            && self.args()[0].width() == width
        {
            return self.args()[0];
        }
        Term::make(Op::IntToBv(width), [self], Sort::Bv(width))
    }
}

pub(crate) fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

pub(crate) fn to_signed(bits: u128, width: u32) -> i128 {
    if width >= 128 { bits as i128 } else { ((bits << (128 - width)) as i128) >> (128 - width) }
}

fn fold(op: Op, a: Term, b: Term, f: impl Fn(u128, u128, u32) -> u128) -> Term {
    debug_assert_eq!(a.sort(), b.sort(), "{a} {op:?} {b}");
    if let (Some(x), Some(y)) = (a.as_bv(), b.as_bv()) {
        return Term::bv(f(x, y, a.width()), a.width());
    }
    Term::make(op, [a, b], a.sort())
}

fn shift(op: Op, a: Term, count: Term, f: impl Fn(u128, u32, u32) -> u128) -> Term {
    let width = a.width();
    match count.as_bv() {
        Some(0) => a,
        Some(c) if c >= u128::from(width) && op == Op::BvLshr => Term::bv(0, width),
        Some(c) => {
            let c = c.min(u128::from(width - 1)) as u32;
            match a.as_bv() {
                Some(bits) => Term::bv(f(bits, c, width), width),
                None => Term::make(op, [a, count], a.sort()),
            }
        }
        None => Term::make(op, [a, count], a.sort()),
    }
}

fn bitwise(
    op: Op,
    a: Term,
    b: Term,
    f: impl Fn(u128, u128) -> u128,
    neutral: Option<u128>,
    absorbing: Option<u128>,
) -> Term {
    debug_assert_eq!(a.sort(), b.sort(), "{a} {op:?} {b}");
    let width = a.width();
    if let (Some(x), Some(y)) = (a.as_bv(), b.as_bv()) {
        return Term::bv(f(x, y), width);
    }
    if a == b {
        return a;
    }
    for (x, y) in [(a, b), (b, a)] {
        if x.as_bv().is_some() && x.as_bv() == neutral {
            return y;
        }
        if x.as_bv().is_some() && x.as_bv() == absorbing {
            return x;
        }
    }
    let (a, b) = if a <= b { (a, b) } else { (b, a) };
    Term::make(op, [a, b], a.sort())
}

fn compare(op: Op, a: Term, b: Term, reflexive: bool, f: impl Fn(u128, u128, u32) -> bool) -> Term {
    debug_assert_eq!(a.sort(), b.sort(), "{a} {op:?} {b}");
    if a == b {
        return Term::bool(reflexive);
    }
    if let (Some(x), Some(y)) = (a.as_bv(), b.as_bv()) {
        return Term::bool(f(x, y, a.width()));
    }
    Term::make(op, [a, b], Sort::Bool)
}
