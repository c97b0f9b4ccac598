//! Floats as their IEEE encodings, with one encoding for every NaN, as in `logic::Value`.
//!
//! Every word of a float sort keeps to that encoding, so that identity is equality of words. Order, signs and classes are
//! comparisons of bits; arithmetic and conversions that round are refused.

use crate::Word;
use crate::word::{constant, equal, is_zero, ite, sign, unsigned_le, unsigned_lt};
use sat::{Aig, Lit};

/// A float format: exponent bits and significand bits with the hidden one.
#[derive(Clone, Copy)]
pub(crate) struct Format(pub u32, pub u32);

impl Format {
    fn fraction(self) -> usize {
        self.1.saturating_sub(1) as usize
    }

    fn width(self) -> u32 {
        self.0 + self.1
    }

    fn nan(self) -> Word {
        let mut word = constant(0, self.width());
        let first = self.fraction().saturating_sub(1);
        let last = word.len().saturating_sub(1);
        word[first..last].fill(Lit::TRUE);
        word
    }

    fn largest_exponent(self, aig: &mut Aig, word: &[Lit]) -> Lit {
        aig.and_all(word[self.fraction()..word.len() - 1].iter().copied())
    }

    pub(crate) fn is_nan(self, aig: &mut Aig, word: &[Lit]) -> Lit {
        let special = self.largest_exponent(aig, word);
        let whole = is_zero(aig, &word[..self.fraction()]);
        aig.and(special, !whole)
    }

    pub(crate) fn is_infinite(self, aig: &mut Aig, word: &[Lit]) -> Lit {
        let special = self.largest_exponent(aig, word);
        let whole = is_zero(aig, &word[..self.fraction()]);
        aig.and(special, whole)
    }

    /// With the one encoding of NaN.
    pub(crate) fn one_nan(self, aig: &mut Aig, word: &[Lit]) -> Word {
        let is_nan = self.is_nan(aig, word);
        ite(aig, is_nan, &self.nan(), word)
    }

    pub(crate) fn is_negative(self, aig: &mut Aig, word: &[Lit]) -> Lit {
        let is_nan = self.is_nan(aig, word);
        aig.and(sign(word), !is_nan)
    }

    /// With another sign; NaN has none.
    pub(crate) fn with_sign(self, aig: &mut Aig, word: &[Lit], sign: Lit) -> Word {
        let is_nan = self.is_nan(aig, word);
        let mut result = word.to_vec();
        if let Some(last) = result.last_mut() {
            *last = aig.and(sign, !is_nan);
        }
        result
    }

    pub(crate) fn equal(self, aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
        let same = equal(aig, a, b);
        let zeros = self.zeros(aig, a, b);
        let is_nan = self.is_nan(aig, a);
        let same = aig.and(same, !is_nan);
        aig.or(same, zeros)
    }

    pub(crate) fn less(self, aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
        let ordered = self.ordered(aig, a, b);
        let zeros = self.zeros(aig, a, b);
        let (sign_a, sign_b) = (sign(a), sign(b));
        // Sizes are ordered like their encodings.
        let (size_a, size_b) = (&a[..a.len() - 1], &b[..b.len() - 1]);
        let above = unsigned_lt(aig, size_a, size_b);
        let not_above = unsigned_le(aig, size_a, size_b);
        let signs = aig.xor(sign_a, sign_b);
        // Below zero the larger size is the smaller number.
        let same_sign = aig.ite(sign_a, !not_above, above);
        let less = aig.ite(signs, sign_a, same_sign);
        aig.and_all([ordered, !zeros, less])
    }

    /// Both are zeros, of whatever sign.
    fn zeros(self, aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
        let (a, b) = (is_zero(aig, &a[..a.len() - 1]), is_zero(aig, &b[..b.len() - 1]));
        aig.and(a, b)
    }

    fn ordered(self, aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
        let (a, b) = (self.is_nan(aig, a), self.is_nan(aig, b));
        aig.and(!a, !b)
    }
}
