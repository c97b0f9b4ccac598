//! Numbers of conditions in the three encodings of integers.
//!
//! A condition speaks of mathematical integers, in every encoding. With bit-vectors that is kept exact by
//! widening: a number knows the range of its values, sums and products get as many bits as they need, and
//! comparisons happen in a width that holds both sides. So `x$1 = x$2 + 1` never holds by an overflow, and
//! means the same as with integers.
//!
//! Operators on bit-vectors (`bvadd`, `bvsle`) look at the low bits of their operands and read them as signed
//! or unsigned numbers. Over mathematical integers (`--int unbounded`) nothing wraps, and they are the plain
//! operators.

use super::smt::{SpecOp, SpecTerm};
use super::term::TermError;
use encode::IntMode;
use logic::{IBig, Interval, Sort, Term};

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Number {
    pub term: Term,
    /// The values it can have; None: any integer.
    pub range: Option<Interval>,
    /// How many bits it has where it is looked at as a bit-vector; None for sums and numerals, which have no
    /// width.
    pub width: Option<u32>,
}

pub(super) type Done<T> = Result<T, TermError>;

fn power(bits: u32) -> IBig {
    IBig::ONE << bits as usize
}

/// How many bits hold the range, and whether they must be read as signed.
fn shape(range: &Interval) -> (u32, bool) {
    let signed = range.low < IBig::ZERO;
    let mut bits = 1;
    while !Interval::of_bits(bits, signed).contains(range) {
        bits += 1;
    }
    (bits, signed)
}

impl Number {
    pub fn constant(mode: IntMode, value: IBig, width: Option<u32>) -> Done<Number> {
        let range = Interval::point(value.clone());
        let term = match mode {
            IntMode::Bv => Term::number(Sort::Bv(checked_width(&range)?), value),
            _ => Term::int(value),
        };
        Ok(Number { term, range: Some(range), width })
    }

    /// A value of a program: `bits` bits that are read as signed or unsigned.
    pub fn value(mode: IntMode, term: Term, bits: u32, signed: bool) -> Number {
        let range = (mode != IntMode::Unbounded).then(|| Interval::of_bits(bits, signed));
        Number { term, range, width: Some(bits) }
    }

    /// The sign of the representation: may the value be negative?
    fn signed(&self) -> bool {
        self.range.as_ref().is_some_and(|r| r.low < IBig::ZERO)
    }

    /// With bit-vectors: the same number in this many bits, which hold its range.
    fn in_width(&self, width: u32) -> Term {
        let have = self.term.width();
        match width.checked_sub(have) {
            Some(0) => self.term,
            Some(by) if self.signed() => self.term.sign_extend(by),
            Some(by) => self.term.zero_extend(by),
            None => self.term.extract(width - 1, 0),
        }
    }

    fn known_range(&self) -> Done<&Interval> {
        self.range
            .as_ref()
            .ok_or_else(|| TermError::Unsupported("an unlimited number in bit-vectors".to_owned()))
    }

    /// Applies `op` to both; with bit-vectors in a width that holds `range` and both operands.
    fn arithmetic(
        mode: IntMode,
        a: &Number,
        b: &Number,
        range: impl Fn(&Interval, &Interval) -> Interval,
        op: impl Fn(Term, Term) -> Term,
    ) -> Done<Number> {
        if mode != IntMode::Bv {
            let range = a.range.as_ref().zip(b.range.as_ref()).map(|(x, y)| range(x, y));
            return Ok(Number { term: op(a.term, b.term), range, width: None });
        }
        let (x, y) = (a.known_range()?, b.known_range()?);
        let result = range(x, y);
        let width = checked_width(&result.hull(x).hull(y))?;
        let term = op(a.in_width(width), b.in_width(width));
        Ok(Number { term, range: Some(result), width: None })
    }

    pub fn add(mode: IntMode, a: &Number, b: &Number) -> Done<Number> {
        Number::arithmetic(mode, a, b, Interval::plus, Term::add)
    }

    pub fn sub(mode: IntMode, a: &Number, b: &Number) -> Done<Number> {
        Number::arithmetic(mode, a, b, Interval::minus, Term::sub)
    }

    pub fn mul(mode: IntMode, a: &Number, b: &Number) -> Done<Number> {
        Number::arithmetic(mode, a, b, Interval::times, Term::mul)
    }

    /// SMT-LIB's `div` and `mod`: the remainder is never negative. The divisor must be a constant other
    /// than 0.
    pub fn div_mod(mode: IntMode, a: &Number, b: &Number) -> Done<(Number, Number)> {
        let divisor = b.range.as_ref().and_then(Interval::single).filter(|d| **d != IBig::ZERO).cloned();
        let Some(divisor) = divisor else {
            return Err(TermError::Unsupported("division by something other than a constant".to_owned()));
        };
        let size = if divisor < IBig::ZERO { -divisor.clone() } else { divisor.clone() };
        let rest_range = Interval { low: IBig::ZERO, high: &size - IBig::ONE };
        let quotient_range = a.range.as_ref().map(|r| {
            let bound = Interval { low: -&r.high - &size, high: &r.high + &size };
            let bound = bound.hull(&Interval { low: &r.low - &size, high: -&r.low + &size });
            Interval { low: &bound.low / &size - IBig::ONE, high: &bound.high / &size + IBig::ONE }
        });
        if mode != IntMode::Bv {
            let quotient = Number { term: a.term.div(b.term), range: quotient_range, width: None };
            let rest = Number { term: a.term.modulo(b.term), range: Some(rest_range), width: None };
            return Ok((quotient, rest));
        }
        let twice = &size + &size;
        // The dividend minus the remainder may lie below the dividend's range.
        let wide = a.known_range()?.hull(&Interval { low: -&twice, high: twice }).widened(&size);
        let width = checked_width(&wide)?;
        let (x, d) = (a.in_width(width), b.in_width(width));
        let zero = Term::bv(0, width);
        let rest = x.srem(d);
        let rest = rest.slt(zero).ite(rest.add(Term::number(Sort::Bv(width), size)), rest);
        let quotient = x.sub(rest).sdiv(d);
        let quotient_range = quotient_range.unwrap_or(wide);
        Ok((
            Number { term: quotient, range: Some(quotient_range), width: None },
            Number { term: rest, range: Some(rest_range), width: None },
        ))
    }

    /// `condition ? a : b`.
    pub fn choose(mode: IntMode, condition: Term, a: &Number, b: &Number) -> Done<Number> {
        let width = if a.width == b.width { a.width } else { None };
        let number = Number::arithmetic(mode, a, b, Interval::hull, |x, y| condition.ite(x, y))?;
        Ok(Number { width, ..number })
    }

    pub fn abs(mode: IntMode, a: &Number) -> Done<Number> {
        let zero = Number::constant(mode, IBig::ZERO, None)?;
        let negative = Number::sub(mode, &zero, a)?;
        Number::choose(mode, Number::less(mode, a, &zero, true)?, &negative, a)
            .map(|n| Number { width: None, ..n })
    }

    /// `a < b`, or `a <= b` unless `strict`.
    pub fn less(mode: IntMode, a: &Number, b: &Number, strict: bool) -> Done<Term> {
        if mode != IntMode::Bv {
            return Ok(if strict { a.term.int_lt(b.term) } else { a.term.int_le(b.term) });
        }
        let common = a.known_range()?.hull(b.known_range()?);
        let width = checked_width(&common)?;
        let (x, y) = (a.in_width(width), b.in_width(width));
        Ok(match (common.low < IBig::ZERO, strict) {
            (true, true) => x.slt(y),
            (true, false) => x.sle(y),
            (false, true) => x.ult(y),
            (false, false) => x.ule(y),
        })
    }

    pub fn equal(mode: IntMode, a: &Number, b: &Number) -> Done<Term> {
        // A constant that was written as a bit-vector has no sign: what counts is that the bits are the same.
        if let Some(width) = a.width.filter(|_| a.width == b.width)
            && a.is_bits_constant() != b.is_bits_constant()
        {
            let constant = if a.is_bits_constant() { a } else { b };
            if mode != IntMode::Unbounded {
                let (x, y) = (a.view(mode, width, true)?, b.view(mode, width, true)?);
                return Ok(if mode == IntMode::Bv {
                    x.in_width(width).equals(y.in_width(width))
                } else {
                    x.term.equals(y.term)
                });
            }
            if constant.range.as_ref().is_some_and(|r| r.low > Interval::of_bits(width, true).high) {
                let message =
                    "a bit-vector constant that is negative or large, compared with an unbounded integer";
                return Err(TermError::Unsupported(message.to_owned()));
            }
        }
        if mode != IntMode::Bv {
            return Ok(a.term.equals(b.term));
        }
        let width = checked_width(&a.known_range()?.hull(b.known_range()?))?;
        Ok(a.in_width(width).equals(b.in_width(width)))
    }

    /// A constant that was written as a bit-vector.
    fn is_bits_constant(&self) -> bool {
        self.width.is_some() && self.range.as_ref().and_then(Interval::single).is_some()
    }

    /// The number that the low `width` bits mean, read as signed or unsigned. Over mathematical integers
    /// there are no bits: constants are read, everything else is what it is.
    fn view(&self, mode: IntMode, width: u32, signed: bool) -> Done<Number> {
        let wanted = Interval::of_bits(width, signed);
        let inside = self.range.as_ref().is_some_and(|r| wanted.contains(r));
        if inside {
            let term = if mode == IntMode::Bv { self.in_width(width) } else { self.term };
            return Ok(Number { term, range: self.range.clone(), width: Some(width) });
        }
        if let Some(value) = self.range.as_ref().and_then(Interval::single) {
            let low = mod_euclid(value, &power(width));
            let value = if signed && low > wanted.high { low - power(width) } else { low };
            return Number::constant(mode, value, Some(width));
        }
        let term = match mode {
            IntMode::Unbounded => return Ok(Number { width: Some(width), ..self.clone() }),
            IntMode::Bv => self.in_width(width),
            IntMode::Wrap => {
                let modulus = Term::int(power(width));
                let half = Term::int(if signed { power(width - 1) } else { IBig::ZERO });
                self.term.add(half).modulo(modulus).sub(half)
            }
        };
        Ok(Number { term, range: Some(wanted), width: Some(width) })
    }

    /// With bit-vectors: the low `width` bits.
    pub fn low_bits(&self, width: u32) -> Term {
        self.in_width(width)
    }

    /// The low `width` bits as a term of sort bit-vector.
    fn bits(&self, mode: IntMode, width: u32) -> Term {
        if mode == IntMode::Bv { self.in_width(width) } else { self.term.int_to_bv(width) }
    }

    fn from_bits(mode: IntMode, term: Term, signed: bool) -> Number {
        let width = term.width();
        let term = if mode == IntMode::Bv { term } else { term.bv_to_int(signed) };
        Number { term, range: Some(Interval::of_bits(width, signed)), width: Some(width) }
    }
}

fn mod_euclid(value: &IBig, modulus: &IBig) -> IBig {
    let rest = value % modulus;
    if rest < IBig::ZERO { rest + modulus } else { rest }
}

/// The width for a range; terms have at most 128 bits.
fn checked_width(range: &Interval) -> Done<u32> {
    match shape(range) {
        (width, _) if width <= 128 => Ok(width),
        _ => Err(TermError::Unsupported("numbers of more than 128 bits in bit-vectors".to_owned())),
    }
}

/// The width that operands of a bit-vector operator share.
pub(super) fn common_width(mode: IntMode, args: &[Number], whole: &SpecTerm) -> Done<u32> {
    let mut widths = args.iter().filter_map(|a| a.width);
    let Some(width) = widths.next() else {
        return Err(TermError::Sort(format!("nothing says how many bits the operands of {whole} have")));
    };
    match widths.find(|w| *w != width) {
        Some(other) if mode != IntMode::Unbounded => {
            Err(TermError::Sort(format!("the operands of {whole} have {width} and {other} bits")))
        }
        _ => Ok(width),
    }
}

/// A comparison of bit-vectors.
pub(super) fn compare_bits(mode: IntMode, op: SpecOp, args: &[Number], width: u32) -> Done<Term> {
    use SpecOp::*;
    let signed = matches!(op, BvSle | BvSlt | BvSge | BvSgt);
    let [a, b] = args else { return Err(TermError::Sort(format!("'{op}' compares two bit-vectors"))) };
    let (a, b) = (a.view(mode, width, signed)?, b.view(mode, width, signed)?);
    match op {
        BvUle | BvSle => Number::less(mode, &a, &b, false),
        BvUlt | BvSlt => Number::less(mode, &a, &b, true),
        BvUge | BvSge => Number::less(mode, &b, &a, false),
        _ => Number::less(mode, &b, &a, true),
    }
}

/// An operator whose result is a bit-vector, read as signed from then on.
pub(super) fn apply_bits(mode: IntMode, op: SpecOp, args: &[Number], width: u32) -> Done<Number> {
    use SpecOp::*;
    let wrapped = |n: Number| n.view(mode, width, true);
    let fold = |f: fn(IntMode, &Number, &Number) -> Done<Number>| -> Done<Number> {
        let mut list = args.iter().map(|a| a.view(mode, width, true));
        let mut sum = list.next().ok_or_else(|| TermError::Sort(format!("'{op}' without operands")))??;
        for next in list {
            sum = wrapped(f(mode, &sum, &next?)?)?;
        }
        Ok(sum)
    };
    match op {
        BvAdd => return fold(Number::add),
        BvSub => return fold(Number::sub),
        BvMul => return fold(Number::mul),
        BvNeg => {
            let zero = Number::constant(mode, IBig::ZERO, Some(width))?;
            return wrapped(Number::sub(mode, &zero, &args[0].view(mode, width, true)?)?);
        }
        _ => {}
    }
    if mode == IntMode::Unbounded {
        return Err(TermError::Unsupported(format!("'{op}' on unbounded integers")));
    }
    let list: Vec<Term> = args.iter().map(|a| a.bits(mode, width)).collect();
    let pair = |f: fn(Term, Term) -> Term| list.iter().copied().reduce(f);
    let result = match op {
        BvNot => list.first().map(|a| a.bvnot()),
        BvAnd => pair(Term::bvand),
        BvOr => pair(Term::bvor),
        BvXor => pair(Term::bvxor),
        BvShl => pair(Term::shl),
        BvLshr => pair(Term::lshr),
        BvAshr => pair(Term::ashr),
        BvUdiv => pair(Term::udiv),
        BvUrem => pair(Term::urem),
        BvSdiv => pair(Term::sdiv),
        BvSrem => pair(Term::srem),
        ZeroExtend(by) if by <= 128 - width => list.first().map(|a| a.zero_extend(by)),
        SignExtend(by) if by <= 128 - width => list.first().map(|a| a.sign_extend(by)),
        Extract(high, low) if low <= high && high < width => list.first().map(|a| a.extract(high, low)),
        _ => None,
    };
    match result {
        Some(term) => Ok(Number::from_bits(mode, term, true)),
        None => Err(TermError::Sort(format!("'{op}' of a bit-vector of {width} bits"))),
    }
}
