//! Sums and differences.
//!
//! The smaller number is moved to the exponent of the larger one; guard, round and sticky bits are enough
//! below, since a difference loses more than one leading bit only if nothing was moved out. What is subnormal
//! is exact, so that the result is only ever moved to the left, as far as its exponent allows.

use super::Format;
use super::round::{Settled, Special};
use super::shift::{normalise_within, right_sticky, squeeze};
use crate::Word;
use crate::word::{add, is_zero, ite, resize, subtract, unsigned_lt};
use logic::Rounding;
use sat::{Aig, Lit};

/// Below the significand: guard, round and sticky bit.
const EXTRA: usize = 3;

impl Format {
    pub(crate) fn add(self, aig: &mut Aig, mode: Rounding, a: &[Lit], b: &[Lit]) -> Word {
        // Sums of the same in another order are one circuit.
        let (a, b) = if b < a { (b, a) } else { (a, b) };
        let swap = unsigned_lt(aig, &a[..a.len() - 1], &b[..b.len() - 1]);
        let (large, small) = (ite(aig, swap, b, a), ite(aig, swap, a, b));
        let (large, small) = (self.unpack(aig, &large), self.unpack(aig, &small));
        let differ = aig.xor(large.sign, small.sign);

        let width = self.1 as usize + EXTRA;
        let distance = subtract(aig, &large.biased, &small.biased);
        let moved = squeeze(aig, &small.significand, width);
        let moved = right_sticky(aig, &moved, &distance);
        let moved: Word = moved.iter().map(|&bit| aig.xor(bit, differ)).collect();
        let still = squeeze(aig, &large.significand, width);
        // The larger is never less, so that the carry of a difference says nothing.
        let still = resize(&still, width + 1, Lit::FALSE);
        let mut sum = add(aig, &still, &resize(&moved, width + 1, Lit::FALSE), differ);
        if let Some(carry) = sum.last_mut() {
            *carry = aig.and(*carry, !differ);
        }

        let (normal, exponent) = normalise_within(aig, &sum, width, &large.biased);
        let significand = squeeze(aig, &normal, self.1 as usize + 2);
        let settled = Settled { exponent, greatest: self.special_exponent() - 1, significand };
        let cancelled = is_zero(aig, &sum);
        let cancelled = aig.and(cancelled, differ);
        let sign = aig.ite(cancelled, Lit::from(mode == Rounding::Down), large.sign);
        // Infinities are larger than numbers, NaNs are larger than infinities.
        let both = aig.and_all([small.infinite, large.infinite, differ]);
        let special = Special { nan: aig.or(large.nan, both), infinite: large.infinite, zero: Lit::FALSE };
        self.round(aig, mode, sign, &settled, &special)
    }

    pub(crate) fn subtract(self, aig: &mut Aig, mode: Rounding, a: &[Lit], b: &[Lit]) -> Word {
        // The sign of a NaN is never looked at.
        let mut negated = b.to_vec();
        if let Some(sign) = negated.last_mut() {
            *sign = !*sign;
        }
        self.add(aig, mode, a, &negated)
    }
}
