//! Bit-vectors: what is not a sum or a product.

use crate::build::test_choice;
use crate::number::{Linear, number};
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
        if other.as_bv() == Some(0) || self.as_bv() == Some(mask(self.width())) {
            return self.equals(other);
        }
        if let (Some(largest), Some(bound)) = (self.largest_remainder(), other.as_bv())
            && largest <= bound
        {
            return Term::bool(true);
        }
        compare(Op::BvUle, self, other, true, |a, b, _| a <= b)
    }

    pub fn ult(self, other: Term) -> Term {
        if other.as_bv() == Some(0) || self.as_bv() == Some(mask(self.width())) {
            return Term::bool(false);
        }
        if self.as_bv() == Some(0) || other.as_bv() == Some(mask(self.width())) {
            return self.differs(other);
        }
        if other.as_bv() == Some(1) {
            return self.equals(Term::bv(0, self.width()));
        }
        if let (Some(largest), Some(bound)) = (self.largest_remainder(), other.as_bv())
            && largest < bound
        {
            return Term::bool(true);
        }
        compare(Op::BvUlt, self, other, false, |a, b, _| a < b)
    }

    pub fn sle(self, other: Term) -> Term {
        let (least, greatest) = signed_limits(self.width());
        if self.as_bv() == Some(least) || other.as_bv() == Some(greatest) {
            return Term::bool(true);
        }
        if other.as_bv() == Some(least) || self.as_bv() == Some(greatest) {
            return self.equals(other);
        }
        compare(Op::BvSle, self, other, true, |a, b, width| to_signed(a, width) <= to_signed(b, width))
    }

    pub fn slt(self, other: Term) -> Term {
        let (least, greatest) = signed_limits(self.width());
        if other.as_bv() == Some(least) || self.as_bv() == Some(greatest) {
            return Term::bool(false);
        }
        if self.as_bv() == Some(least) || other.as_bv() == Some(greatest) {
            return self.differs(other);
        }
        compare(Op::BvSlt, self, other, false, |a, b, width| to_signed(a, width) < to_signed(b, width))
    }

    /// Of a remainder by a constant, which solvers take long to see.
    fn largest_remainder(self) -> Option<u128> {
        match (self.op(), self.args()) {
            (Op::BvUrem, [_, divisor]) => divisor.as_bv()?.checked_sub(1),
            _ => None,
        }
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
        // With a constant factor it is a matter of how large the other one is.
        if let Some((factor, other)) = self.as_bv().map(|c| (c, other)).or(other.as_bv().map(|c| (c, self))) {
            return other.fits_times(factor, signed);
        }
        Term::make(Op::BvMulFits { signed }, [self, other], Sort::Bool)
    }

    /// Is the product with a constant in range?
    fn fits_times(self, factor: u128, signed: bool) -> Term {
        let width = self.width();
        let bits = |number: i128| Term::bv(number as u128 & mask(width), width);
        if !signed {
            return mask(width)
                .checked_div(factor)
                .map_or(Term::bool(true), |most| self.ule(Term::bv(most, width)));
        }
        let (least, most) = (to_signed(1 << (width - 1), width), to_signed(mask(width) >> 1, width));
        match to_signed(factor, width) {
            0 => Term::bool(true),
            // The quotient of the least number is not there.
            -1 => self.differs(bits(least)),
            factor if factor > 0 => bits(least / factor).sle(self).and(self.sle(bits(most / factor))),
            factor => bits(most / factor).sle(self).and(self.sle(bits(least / factor))),
        }
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
        debug_assert!(low <= high && high < self.width(), "{self}[{high}..{low}]");
        extract(self, high, low, &mut { REACH })
    }

    /// `by` zero bits in front.
    pub fn zero_extend(self, by: u32) -> Term {
        if by == 0 {
            return self;
        }
        match (self.op(), self.args()) {
            (Op::Bv(bits), _) => Term::bv(*bits, self.width() + by),
            (Op::ZeroExtend(inner), [x]) => x.zero_extend(by + inner),
            (Op::Ite, [c, a, b]) if a.is_const() && b.is_const() => {
                c.ite(a.zero_extend(by), b.zero_extend(by))
            }
            _ => Term::make(Op::ZeroExtend(by), [self], Sort::Bv(self.width() + by)),
        }
    }

    pub fn sign_extend(self, by: u32) -> Term {
        if by == 0 {
            return self;
        }
        match (self.op(), self.args()) {
            (Op::Bv(bits), _) => Term::bv(to_signed(*bits, self.width()) as u128, self.width() + by),
            (Op::SignExtend(inner), [x]) => x.sign_extend(by + inner),
            (Op::ZeroExtend(inner), [x]) => x.zero_extend(by + inner),
            (Op::Ite, [c, a, b]) if a.is_const() && b.is_const() => {
                c.ite(a.sign_extend(by), b.sign_extend(by))
            }
            _ => Term::make(Op::SignExtend(by), [self], Sort::Bv(self.width() + by)),
        }
    }

    /// The number that the bits mean.
    pub fn bv_to_int(self, signed: bool) -> Term {
        match (self.op(), self.args()) {
            (Op::Bv(bits), _) if signed => Term::int(to_signed(*bits, self.width())),
            (Op::Bv(bits), _) => Term::int(*bits),
            (Op::Ite, [c, a, b]) if a.is_const() && b.is_const() => {
                c.ite(a.bv_to_int(signed), b.bv_to_int(signed))
            }
            (Op::ZeroExtend(_), [x]) => x.bv_to_int(false),
            (Op::SignExtend(_), [x]) if signed => x.bv_to_int(true),
            (Op::IntToBv(width), [x]) if !signed => x.modulo(Term::int(IBig::ONE << *width as usize)),
            _ => Term::make(Op::BvToInt { signed }, [self], Sort::Int),
        }
    }

    /// Modulo 2^width. Sums and multiples are computed in bits.
    pub fn int_to_bv(self, width: u32) -> Term {
        int_to_bv(self, width, &mut { REACH })
    }
}

fn int_to_bv(term: Term, width: u32, reach: &mut u32) -> Term {
    let sort = Sort::Bv(width);
    if *reach == 0 && !term.is_const() {
        return raw_int_to_bv(term, width);
    }
    *reach = reach.saturating_sub(1);
    match (term.op(), term.args()) {
        (Op::Int(value), _) => number(sort, value),
        (Op::Ite, [c, a, b]) if a.is_const() && b.is_const() => c.ite(a.int_to_bv(width), b.int_to_bv(width)),
        (Op::Add | Op::Mul, _) => {
            let whole = Linear::of(term);
            let mut sum = Linear::zero(sort);
            sum.add_term(&IBig::ONE, number(sort, &whole.constant));
            for (t, c) in &whole.terms {
                // A product stays whole.
                let part =
                    if *t.op() == Op::Mul { raw_int_to_bv(*t, width) } else { int_to_bv(*t, width, reach) };
                sum.add_term(c, part);
            }
            sum.to_term()
        }
        (Op::BvToInt { .. }, [x]) if x.width() == width => *x,
        (Op::BvToInt { .. }, [x]) if x.width() > width => x.extract(width - 1, 0),
        (Op::BvToInt { signed: true }, [x]) => x.sign_extend(width - x.width()),
        (Op::BvToInt { signed: false }, [x]) => x.zero_extend(width - x.width()),
        // A remainder by a multiple of 2^width keeps the low bits.
        (Op::Mod, [x, d]) if d.as_int().is_some_and(|d| divides(width, d)) => int_to_bv(*x, width, reach),
        _ => raw_int_to_bv(term, width),
    }
}

fn raw_int_to_bv(term: Term, width: u32) -> Term {
    Term::make(Op::IntToBv(width), [term], Sort::Bv(width))
}

/// Is d a multiple of 2^width, and not zero?
fn divides(width: u32, d: &IBig) -> bool {
    *d != IBig::ZERO && d % (IBig::ONE << width as usize) == IBig::ZERO
}

/// An equation of vectors that are extended, as one of narrower ones.
pub(crate) fn narrow_equation(a: Term, b: Term) -> Option<Term> {
    let (Op::ZeroExtend(_) | Op::SignExtend(_), [x]) = (a.op(), a.args()) else { return None };
    let zero = matches!(a.op(), Op::ZeroExtend(_));
    let extend = |t: Term, by: u32| if zero { t.zero_extend(by) } else { t.sign_extend(by) };
    if let Some(bits) = b.as_bv() {
        let narrow = Term::bv(bits, x.width());
        let fits = extend(narrow, a.width() - x.width()) == b;
        return Some(if fits { x.equals(narrow) } else { Term::bool(false) });
    }
    match (b.op(), b.args()) {
        (Op::ZeroExtend(_), [y]) if zero && x.width() <= y.width() => {
            Some(extend(*x, y.width() - x.width()).equals(*y))
        }
        (Op::SignExtend(_), [y]) if !zero && x.width() <= y.width() => {
            Some(extend(*x, y.width() - x.width()).equals(*y))
        }
        _ => None,
    }
}

/// How many nodes the bits of a term are looked for in. Terms are graphs: without a limit, a walk could take
/// forever.
const REACH: u32 = 32;

fn extract(term: Term, high: u32, low: u32, reach: &mut u32) -> Term {
    let width = term.width();
    if low == 0 && high + 1 == width {
        return term;
    }
    let stop = || Term::make(Op::Extract { high, low }, [term], Sort::Bv(high - low + 1));
    if *reach == 0 {
        return stop();
    }
    *reach -= 1;
    match (term.op(), term.args()) {
        (Op::Bv(bits), _) => Term::bv(bits >> low, high - low + 1),
        (Op::Extract { low: inner, .. }, [x]) => extract(*x, high + inner, low + inner, reach),
        (Op::Concat, [a, b]) => {
            if high < b.width() {
                extract(*b, high, low, reach)
            } else if low >= b.width() {
                extract(*a, high - b.width(), low - b.width(), reach)
            } else {
                let high_part = extract(*a, high - b.width(), 0, reach);
                high_part.concat(extract(*b, b.width() - 1, low, reach))
            }
        }
        (Op::ZeroExtend(_), [x]) if low >= x.width() => Term::bv(0, high - low + 1),
        (Op::ZeroExtend(_) | Op::SignExtend(_), [x]) if high < x.width() => extract(*x, high, low, reach),
        (Op::Ite, [c, a, b]) if a.is_const() || b.is_const() => {
            c.ite(extract(*a, high, low, reach), extract(*b, high, low, reach))
        }
        // The low bits of a sum are the sum of the low bits.
        (Op::BvAdd, args) if low == 0 => {
            args.iter().map(|t| extract(*t, high, 0, reach)).reduce(Term::add).unwrap_or_else(stop)
        }
        (Op::BvMul, args) if low == 0 => {
            args.iter().map(|t| extract(*t, high, 0, reach)).reduce(Term::mul).unwrap_or_else(stop)
        }
        (Op::BvAnd, [a, b]) => extract(*a, high, low, reach).bvand(extract(*b, high, low, reach)),
        (Op::BvOr, [a, b]) => extract(*a, high, low, reach).bvor(extract(*b, high, low, reach)),
        (Op::BvXor, [a, b]) => extract(*a, high, low, reach).bvxor(extract(*b, high, low, reach)),
        (Op::BvNot, [a]) => extract(*a, high, low, reach).bvnot(),
        _ => stop(),
    }
}

/// The least and the greatest number, as bits.
fn signed_limits(width: u32) -> (u128, u128) {
    let least = 1 << (width.max(1) - 1);
    (least, least - 1)
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
    if let (Op::ZeroExtend(i), Op::ZeroExtend(j)) = (a.op(), b.op())
        && i == j
    {
        let (x, y) = (a.args()[0], b.args()[0]);
        return if reflexive { x.ule(y) } else { x.ult(y) };
    }
    if let (Op::SignExtend(i), Op::SignExtend(j), Op::BvSle | Op::BvSlt) = (a.op(), b.op(), &op)
        && i == j
    {
        let (x, y) = (a.args()[0], b.args()[0]);
        return if reflexive { x.sle(y) } else { x.slt(y) };
    }
    let again = |x: Term, y: Term| match op {
        Op::BvUle => x.ule(y),
        Op::BvUlt => x.ult(y),
        Op::BvSle => x.sle(y),
        _ => x.slt(y),
    };
    let tested = if b.is_const() {
        test_choice(a, |v| again(v, b))
    } else if a.is_const() {
        test_choice(b, |v| again(a, v))
    } else {
        None
    };
    tested.unwrap_or_else(|| Term::make(op, [a, b], Sort::Bool))
}
