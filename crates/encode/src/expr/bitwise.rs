//! Bitwise operators and shifts on integers.
//!
//! With a constant they are division and remainder by powers of two, which hold for negative numbers as well
//! (two's complement with endless sign bits, Euclidean division). What has no such form goes through
//! bit-vectors of the type's width.

use super::{Encoder, bv};
use ir::{BinOp, IntType};
use logic::{IBig, Op, Term};

/// Constants with more runs of ones than this go through bit-vectors.
const MAX_RUNS: usize = 3;

impl Encoder<'_> {
    pub(super) fn bitwise(&mut self, op: BinOp, int: IntType, a: Term, b: Term) -> Term {
        let (a, b) = if a.is_const() { (b, a) } else { (a, b) };
        if a == b {
            return if op == BinOp::Xor { Term::int(0) } else { a };
        }
        if let Some(result) = self.truth_values(op, a, b) {
            return result;
        }
        let and = match b.as_int() {
            Some(mask) => masked(a, mask, int),
            None if self.disjoint(a, b) => Some(Term::int(0)),
            None => None,
        };
        let result = match and {
            // a + b = (a | b) + (a & b)
            Some(and) => match op {
                BinOp::And => and,
                BinOp::Or => a.add(b).sub(and),
                _ => a.add(b).sub(and.scale(&IBig::from(2))),
            },
            None => {
                let width = u32::from(int.bits);
                let (x, y) = (a.int_to_bv(width), b.int_to_bv(width));
                let bits = match op {
                    BinOp::And => x.bvand(y),
                    BinOp::Or => x.bvor(y),
                    _ => x.bvxor(y),
                };
                bits.bv_to_int(int.signed)
            }
        };
        self.value_of(int, result)
    }

    pub(super) fn shift(&mut self, op: BinOp, int: IntType, a: Term, b: Term) -> Term {
        let width = u32::from(int.bits);
        if let Some(count) = b.as_int() {
            let count = usize::try_from(count.clone() & IBig::from(width - 1)).unwrap_or(0);
            let power = IBig::ONE << count;
            return if op == BinOp::Shl {
                self.scaled(int, a, &power)
            } else {
                let result = a.div(Term::int(power));
                self.value_of(int, result)
            };
        }
        let (x, count) = (a.int_to_bv(width), bv::count(int, b.int_to_bv(width)));
        let bits = match op {
            BinOp::Shl => x.shl(count),
            _ if int.signed => x.ashr(count),
            _ => x.lshr(count),
        };
        bits.bv_to_int(int.signed)
    }

    fn scaled(&mut self, int: IntType, a: Term, power: &IBig) -> Term {
        self.int_binary(BinOp::Mul, int, a, Term::int(power.clone()))
    }

    /// Operators on results of comparisons are conditions.
    fn truth_values(&mut self, op: BinOp, a: Term, b: Term) -> Option<Term> {
        if !self.is_truth_value(a) || !self.is_truth_value(b) {
            return None;
        }
        let one = Term::int(1);
        let (x, y) = (a.equals(one), b.equals(one));
        let holds = match op {
            BinOp::And => x.and(y),
            BinOp::Or => x.or(y),
            _ => x.differs(y),
        };
        Some(holds.ite(one, Term::int(0)))
    }

    fn is_truth_value(&mut self, a: Term) -> bool {
        self.intervals.of(a).is_some_and(|i| i.low >= IBig::ZERO && i.high <= IBig::ONE)
    }

    /// Is one of them below the lowest bit that the other can have?
    fn disjoint(&mut self, a: Term, b: Term) -> bool {
        [(a, b), (b, a)].into_iter().any(|(high, low)| {
            let free = IBig::ONE << trailing_zeros(high, 8);
            self.intervals.of(low).is_some_and(|i| i.low >= IBig::ZERO && i.high < free)
        })
    }
}

/// `x & mask`, if the mask has few runs of ones. A run up to the type's highest bit keeps everything above as
/// well: nothing is there in an unsigned value, copies of the sign in a signed one.
fn masked(x: Term, mask: &IBig, int: IntType) -> Option<Term> {
    let width = usize::from(int.bits);
    let size = IBig::ONE << width;
    let bits = if *mask < IBig::ZERO { mask + size } else { mask.clone() };
    let bits = u128::try_from(bits).ok()?;
    let set = |i: usize| bits >> i & 1 == 1;
    let mut runs = Vec::new();
    let mut i = 0;
    while i < width {
        if set(i) {
            let start = i;
            while i < width && set(i) {
                i += 1;
            }
            runs.push((start, i));
        } else {
            i += 1;
        }
    }
    if runs.len() > MAX_RUNS {
        return None;
    }
    let sum = runs.into_iter().map(|(low, high)| {
        let power = IBig::ONE << low;
        let shifted = x.div(Term::int(power.clone()));
        let run = if high == width { shifted } else { shifted.modulo(Term::int(IBig::ONE << (high - low))) };
        run.scale(&power)
    });
    Some(sum.fold(Term::int(0), Term::add))
}

/// How many of the lowest bits are zero in every value of a term.
fn trailing_zeros(t: Term, depth: u32) -> usize {
    if depth == 0 {
        return 0;
    }
    let below = |t: &Term| trailing_zeros(*t, depth - 1);
    match t.op() {
        Op::Int(value) => value.trailing_zeros().unwrap_or(256).min(256),
        Op::Add => t.args().iter().map(below).min().unwrap_or(0),
        Op::Mul => t.args().iter().map(below).sum::<usize>().min(256),
        Op::Ite => below(&t.args()[1]).min(below(&t.args()[2])),
        Op::Mod => below(&t.args()[0]).min(below(&t.args()[1])),
        _ => 0,
    }
}
