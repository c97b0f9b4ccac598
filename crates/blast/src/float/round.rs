//! The one place where floats are rounded and put together.
//!
//! An operation hands over its exact result: sign, exponent, and a significand of any width whose last bit
//! may stand for all that is below it. [`Format::settle`] moves it to where the format has its bits (a one in
//! front, or the exponent of subnormals), and [`Format::round`] decides and increments. Exponents are counted
//! from that of subnormals here, as the encoding minus the hidden bit does: adding encodings and carries is
//! then all there is to the cases of a number growing into the next exponent.

use super::Format;
use super::exponent::Exponent;
use super::shift::{normalise, normalise_within, right_sticky, squeeze};
use crate::Word;
use crate::word::{add, constant, ite, mask, resize};
use logic::Rounding;
use sat::{Aig, Lit};

/// A number without sign.
pub(super) struct Exact {
    /// The weight of the first bit of the significand.
    pub(super) exponent: Exponent,
    /// The last bit may be sticky if there are two more than the format has.
    pub(super) significand: Word,
    /// How many zeros may be in front if it is neither zero nor, by its exponent, subnormal.
    pub(super) zeros: usize,
    /// The most places that such a number can be moved to the left before there is a one in front, or its
    /// exponent is that of subnormals.
    pub(super) raise: usize,
}

/// A number with its bits in place.
pub(super) struct Settled {
    /// Counted from that of subnormals. Anything if the significand has no leading one.
    pub(super) exponent: Word,
    pub(super) greatest: i128,
    /// All bits of the format's significand, a guard and a sticky bit.
    pub(super) significand: Word,
}

/// Results that are no finite numbers, or are known to be zero.
pub(super) struct Special {
    pub(super) nan: Lit,
    pub(super) infinite: Lit,
    pub(super) zero: Lit,
}

impl Format {
    pub(super) fn settle(self, aig: &mut Aig, exact: Exact) -> Settled {
        let width = self.1 as usize + 2;
        let Exact { exponent, mut significand, mut zeros, mut raise } = exact;
        // Zeros that are known in advance, as those of a product with a constant, need no shift.
        let known = significand.iter().rev().take_while(|&&lit| lit == Lit::FALSE).count().min(zeros);
        significand.truncate(significand.len() - known);
        zeros -= known;
        raise = raise.saturating_sub(known).min(zeros);
        let exponent = exponent.plus(-(known as i128));
        let above = exponent.plus(-self.least_exponent()).fixed(aig);
        let (least, greatest) = (above.least(), above.greatest().max(0));
        let below = above.is_negative();
        let (normal, exponent) = if raise == 0 {
            (significand.clone(), above.size())
        } else if least >= zeros as i128 {
            let (normal, count) = normalise(aig, &significand, zeros);
            let count = Exponent::unsigned(&count, 0, zeros as i128);
            (normal, above.subtract(aig, &count).fixed(aig).size())
        } else {
            let budget = mask(aig, &above.size(), !below);
            normalise_within(aig, &significand, raise, &budget)
        };
        let normal = squeeze(aig, &normal, width);
        if below == Lit::FALSE {
            return Settled { exponent, greatest, significand: normal };
        }
        let mut places = Exponent::constant(0).subtract(aig, &above).size();
        places.truncate((128 - least.unsigned_abs().leading_zeros()) as usize);
        let exponent = mask(aig, &exponent, !below);
        let significand = if raise == 0 {
            let places = mask(aig, &places, below);
            right_sticky(aig, &normal, &places)
        } else {
            // Two short shifters and a choice are less than a shifter for the whole width.
            let subnormal = squeeze(aig, &significand, width);
            let subnormal = right_sticky(aig, &subnormal, &places);
            ite(aig, below, &subnormal, &normal)
        };
        Settled { exponent, greatest, significand }
    }

    pub(super) fn round(
        self,
        aig: &mut Aig,
        mode: Rounding,
        sign: Lit,
        settled: &Settled,
        special: &Special,
    ) -> Word {
        let [sticky, guard, kept @ ..] = &settled.significand[..] else { return self.nan() };
        let (Some((&leading, fraction)), Some(&last)) = (kept.split_last(), kept.first()) else {
            return self.nan();
        };
        let up = rounds_up(aig, mode, sign, last, *guard, *sticky);
        let (fraction, carry) = increment(aig, fraction, up);
        // Room for the hidden bit and the carry.
        let greatest = settled.greatest.saturating_add(2);
        let width = ((128 - greatest.leading_zeros()) as usize).max(self.0 as usize);
        let exponent = mask(aig, &resize(&settled.exponent, width, Lit::FALSE), leading);
        let hidden = resize(&[leading], width, Lit::FALSE);
        let mut exponent = add(aig, &exponent, &hidden, carry);
        let over = if greatest < self.special_exponent() {
            Lit::FALSE
        } else {
            let largest = aig.and_all(exponent[..self.0 as usize].iter().copied());
            let beyond = aig.or_all(exponent[self.0 as usize..].iter().copied());
            aig.or(largest, beyond)
        };
        exponent.truncate(self.0 as usize);
        // Too large: infinity, or the largest number.
        let to_infinity = match mode {
            Rounding::NearestEven | Rounding::NearestAway => Lit::TRUE,
            Rounding::ToZero => Lit::FALSE,
            Rounding::Up => !sign,
            Rounding::Down => sign,
        };
        for (i, bit) in exponent.iter_mut().enumerate() {
            let limit = if i == 0 { to_infinity } else { Lit::TRUE };
            *bit = aig.ite(over, limit, *bit);
        }
        let fraction: Word = fraction.iter().map(|&bit| aig.ite(over, !to_infinity, bit)).collect();
        self.pack(aig, sign, &exponent, &fraction, special)
    }

    /// A float from its parts, unless it is special.
    pub(super) fn pack(
        self,
        aig: &mut Aig,
        sign: Lit,
        exponent: &[Lit],
        fraction: &[Lit],
        special: &Special,
    ) -> Word {
        let outside = aig.or(special.nan, special.infinite);
        let none = aig.or(outside, special.zero);
        let mut word = mask(aig, fraction, !none);
        if let Some(quiet) = word.last_mut() {
            *quiet = aig.or(*quiet, special.nan);
        }
        for &bit in exponent {
            let bit = aig.and(bit, !special.zero);
            word.push(aig.or(bit, outside));
        }
        word.push(aig.and(sign, !special.nan));
        word
    }

    /// An exact number, rounded.
    pub(super) fn finish(
        self,
        aig: &mut Aig,
        mode: Rounding,
        sign: Lit,
        exact: Exact,
        special: &Special,
    ) -> Word {
        let settled = self.settle(aig, exact);
        self.round(aig, mode, sign, &settled, special)
    }
}

/// Is the size of the number incremented, given the last bit that stays and what follows it?
pub(super) fn rounds_up(aig: &mut Aig, mode: Rounding, sign: Lit, last: Lit, guard: Lit, sticky: Lit) -> Lit {
    match mode {
        Rounding::NearestEven => {
            let not_tie = aig.or(last, sticky);
            aig.and(guard, not_tie)
        }
        Rounding::NearestAway => guard,
        Rounding::ToZero => Lit::FALSE,
        Rounding::Up | Rounding::Down => {
            let inexact = aig.or(guard, sticky);
            aig.and(inexact, if mode == Rounding::Up { !sign } else { sign })
        }
    }
}

/// With the carry out of it.
pub(super) fn increment(aig: &mut Aig, word: &[Lit], by: Lit) -> (Word, Lit) {
    let wide = resize(word, word.len() + 1, Lit::FALSE);
    let mut sum = add(aig, &wide, &constant(0, wide.len() as u32), by);
    let carry = sum.pop().unwrap_or(by);
    (sum, carry)
}
