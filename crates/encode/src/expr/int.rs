//! Arithmetic on integers: mathematical, and wrapped where the mode says so.
//!
//! A wrapped term stands for the number before wrapping modulo a power of two; `unwrapped` remembers which.
//! Sums and products are built from those numbers, so that a chain of operations wraps once, and two chains
//! that differ only in the order of their operations are the same term.

use super::Encoder;
use crate::mode::{IntMode, range};
use ir::{BinOp, IntType};
use logic::{IBig, Interval, Linear, Op, Sort, Term};

/// Polynomials larger than this are wrapped before they are used further.
const MAX_TERMS: usize = 12;
const MAX_DEGREE: usize = 3;
/// Two terms can stand for each other, so this must end somewhere.
const MAX_UNWRAP: u32 = 6;

impl Encoder<'_> {
    pub(super) fn int_binary(&mut self, op: BinOp, int: IntType, a: Term, b: Term) -> Term {
        match op {
            BinOp::Add | BinOp::PtrAdd => self.polynomial(int, a, b, Term::add),
            BinOp::Sub | BinOp::PtrSub => self.polynomial(int, a, b, Term::sub),
            BinOp::Mul => self.polynomial(int, a, b, Term::mul),
            BinOp::Div | BinOp::Rem => {
                self.trap(b.equals(Term::int(0)));
                if int.signed && self.mode == IntMode::Wrap {
                    let least = a.equals(range(int).0);
                    self.trap(least.and(b.equals(Term::int(-1))));
                }
                let result = self.truncated(op, a, b);
                self.value_of(int, result)
            }
            BinOp::And | BinOp::Or | BinOp::Xor => self.bitwise(op, int, a, b),
            BinOp::Shl | BinOp::Shr => self.shift(op, int, a, b),
            BinOp::Eq => a.equals(b),
            BinOp::Ne => a.differs(b),
            BinOp::Lt => a.int_lt(b),
            BinOp::Le => a.int_le(b),
            BinOp::AddOverflows => self.leaves_range(int, a.add(b)),
            BinOp::SubOverflows => self.leaves_range(int, a.sub(b)),
            BinOp::MulOverflows => self.leaves_range(int, a.mul(b)),
        }
    }

    pub(super) fn negation(&mut self, int: IntType, a: Term) -> Term {
        self.polynomial(int, Term::int(0), a, Term::sub)
    }

    /// `~a`, which is `-a - 1` modulo any power of two.
    pub(super) fn complement(&mut self, int: IntType, a: Term) -> Term {
        let top = if int.signed { Term::int(-1) } else { range(int).1 };
        let result = top.sub(a);
        self.value_of(int, result)
    }

    /// The value of the type that equals `e` modulo 2^bits; `e` itself where nothing wraps.
    pub(crate) fn wrap(&mut self, e: Term, int: IntType) -> Term {
        if self.mode != IntMode::Wrap {
            return e;
        }
        let bits = u32::from(int.bits);
        let fits = Interval::of_bits(int.bits.into(), int.signed);
        if self.fits(e, &fits) {
            return e;
        }
        // Another wrapped form of the same number: start again from the number.
        let e = self.unwrap(e, bits, MAX_UNWRAP).filter(|raw| is_small(*raw)).unwrap_or(e);
        let size = IBig::ONE << bits as usize;
        let (low, high) = range(int);
        let wrapped = match self.intervals.of(e) {
            _ if self.fits(e, &fits) => return e,
            Some(i) if is_step(e) && fits.widened(&size).contains(&i) => {
                let mut result = e;
                if i.high > fits.high {
                    result = e.int_gt(high).ite(e.sub(Term::int(size.clone())), result);
                }
                if i.low < fits.low {
                    result = e.int_lt(low).ite(e.add(Term::int(size)), result);
                }
                result
            }
            _ => e.sub(low).modulo(Term::int(size)).add(low),
        };
        if wrapped != e {
            self.unwrapped.entry(wrapped).or_insert((e, bits));
        }
        self.value_of(int, wrapped)
    }

    /// The least and the greatest value of a term on this path, as far as is known: from its operations, and
    /// from comparisons that the path assumes. After `i < n`, `i + 1` is at most `n`, whose type bounds it.
    fn bounds(&mut self, e: Term) -> (Option<IBig>, Option<IBig>) {
        let known = self.intervals.of(e);
        let (mut low, mut high) = (known.as_ref().map(|i| i.low.clone()), known.map(|i| i.high));
        let assumed: Vec<Term> = self.assumed.iter().copied().collect();
        for (at_most_zero, equation) in assumed.into_iter().filter_map(difference) {
            // e = difference + rest, and e = -difference + rest.
            if let Some(rest) = self.intervals.of(e.sub(at_most_zero)) {
                high = Some(high.map_or(rest.high.clone(), |h| h.min(rest.high)));
                if equation {
                    low = Some(low.map_or(rest.low.clone(), |l| l.max(rest.low)));
                }
            }
            if let Some(rest) = self.intervals.of(e.add(at_most_zero)) {
                low = Some(low.map_or(rest.low.clone(), |l| l.max(rest.low)));
                if equation {
                    high = Some(high.map_or(rest.high.clone(), |h| h.min(rest.high)));
                }
            }
        }
        (low, high)
    }

    fn fits(&mut self, e: Term, within: &Interval) -> bool {
        if self.intervals.of(e).is_some_and(|i| within.contains(&i)) {
            return true;
        }
        let (low, high) = self.bounds(e);
        low.is_some_and(|l| l >= within.low) && high.is_some_and(|h| h <= within.high)
    }

    /// Remembers that a term is in the range of a type.
    pub(super) fn value_of(&mut self, int: IntType, e: Term) -> Term {
        if self.mode == IntMode::Wrap {
            self.learn(e, int);
        }
        e
    }

    fn polynomial(&mut self, int: IntType, a: Term, b: Term, f: fn(Term, Term) -> Term) -> Term {
        if self.mode != IntMode::Wrap {
            return f(a, b);
        }
        // As it is, if that needs no wrapping.
        let plain = f(a, b);
        let fits = Interval::of_bits(int.bits.into(), int.signed);
        if self.fits(plain, &fits) {
            return plain;
        }
        let bits = u32::from(int.bits);
        let raw_a = self.unwrap(a, bits, MAX_UNWRAP).unwrap_or(a);
        let raw_b = self.unwrap(b, bits, MAX_UNWRAP).unwrap_or(b);
        let raw = f(raw_a, raw_b);
        let e = if is_small(raw) { raw } else { plain };
        self.wrap(e, int)
    }

    /// A number that equals `e` modulo 2^bits and was not wrapped; None if `e` is that already.
    fn unwrap(&self, e: Term, bits: u32, depth: u32) -> Option<Term> {
        let depth = depth.checked_sub(1)?;
        if let Some((raw, modulus)) = self.unwrapped.get(&e)
            && *modulus >= bits
        {
            return Some(self.unwrap(*raw, bits, depth).unwrap_or(*raw));
        }
        let f = match e.op() {
            Op::Add => Term::add,
            Op::Mul => Term::mul,
            Op::Mod if power_of_two(e.args()[1]).is_some_and(|k| k >= bits as usize) => {
                let inner = e.args()[0];
                return Some(self.unwrap(inner, bits, depth).unwrap_or(inner));
            }
            _ => return None,
        };
        let parts: Vec<Option<Term>> = e.args().iter().map(|t| self.unwrap(*t, bits, depth)).collect();
        if parts.iter().all(Option::is_none) {
            return None;
        }
        parts.iter().zip(e.args()).map(|(new, old)| new.unwrap_or(*old)).reduce(f)
    }

    /// Do two numbers differ by a constant that is no multiple of 2^bits?
    pub(super) fn differ_modulo(&self, bits: u32, a: Term, b: Term) -> bool {
        let raw = |e: Term| self.unwrap(e, bits, MAX_UNWRAP).unwrap_or(e);
        let distance = raw(a).sub(raw(b)).modulo(Term::int(IBig::ONE << bits as usize));
        distance.as_int().is_some_and(|d| *d != IBig::ZERO)
    }

    fn leaves_range(&mut self, int: IntType, e: Term) -> Term {
        if self.mode != IntMode::Wrap || self.fits(e, &Interval::of_bits(int.bits.into(), int.signed)) {
            return Term::bool(false);
        }
        let (low, high) = range(int);
        e.int_lt(low).or(e.int_gt(high))
    }

    /// Division as C has it, from the Euclidean one: they agree where the dividend is not negative.
    fn truncated(&mut self, op: BinOp, a: Term, b: Term) -> Term {
        let f = if op == BinOp::Div { Term::div } else { Term::modulo };
        let positive = f(a, b);
        let (low, high) = self.bounds(a);
        match (low, high) {
            (Some(low), _) if low >= IBig::ZERO => positive,
            (_, Some(high)) if high <= IBig::ZERO => f(a.neg(), b).neg(),
            _ => Term::int(0).int_le(a).ite(positive, f(a.neg(), b).neg()),
        }
    }
}

/// What a comparison of integers says is at most zero, or, for an equation, zero.
fn difference(comparison: Term) -> Option<(Term, bool)> {
    let (Op::Le | Op::Eq, [a, b]) = (comparison.op(), comparison.args()) else { return None };
    (a.sort() == Sort::Int).then(|| (a.sub(*b), *comparison.op() == Op::Eq))
}

/// One number and a constant, as in `i + 1` and in conversions of a variable. There solvers compare better
/// with cases; sums of several numbers they add up better with remainders (sixteen additions in two orders:
/// 54 ms, and not in 5 s with cases).
fn is_step(e: Term) -> bool {
    let sum = Linear::of(e);
    let unit = |c: &IBig| *c == IBig::ONE || *c == IBig::NEG_ONE;
    sum.terms.len() == 1 && sum.terms.values().all(unit)
}

/// Small enough to go on with, unwrapped.
fn is_small(e: Term) -> bool {
    let sum = Linear::of(e);
    let degree = |t: &Term| if *t.op() == Op::Mul { t.args().len() } else { 1 };
    sum.sort == Sort::Int && sum.terms.len() <= MAX_TERMS && sum.terms.keys().all(|t| degree(t) <= MAX_DEGREE)
}

/// k, for the constant 2^k.
fn power_of_two(t: Term) -> Option<usize> {
    let value = t.as_int()?;
    value.trailing_zeros().filter(|k| *value == IBig::ONE << *k)
}
