//! IEEE's remainder: `a - n b` for the integer `n` nearest to `a / b`, the even one of two.
//!
//! The remainder is exact, but the quotient may be as long as the exponents are far apart, and long division
//! has a row of gates for each of its bits. That is bearable for `float` and refused for what is wider,
//! except for divisors that are constant powers of two.

use super::Format;
use super::round::{Exact, Special};
use crate::Word;
use crate::word::{add, is_zero, ite, mask, not, resize, shift_left_by, unsigned_le};
use logic::Rounding;
use sat::{Aig, Lit};

/// Rows of the division: enough for exponents of 8 bits.
const MOST_ROWS: i128 = 512;

impl Format {
    /// None if the circuit would be too large.
    pub(crate) fn remainder(self, aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Option<Word> {
        if let Some(reciprocal) = self.reciprocal(b).filter(|_| self.largest_are_whole()) {
            return Some(self.remainder_of_power(aig, a, b, &reciprocal));
        }
        let bits = self.1 as usize;
        let (x, y) = (self.unpack(aig, a), self.unpack(aig, b));
        let (exponent_x, dividend) = x.normalised(aig, self);
        let (exponent_y, divisor) = y.normalised(aig, self);
        // Both times two, for the comparison with a half.
        let places = exponent_x.subtract(aig, &exponent_y).plus(1).fixed(aig);
        let rows = places.greatest() + i128::from(self.1);
        if rows > MOST_ROWS {
            return None;
        }
        let negative = places.is_negative();
        let mut wide = resize(&dividend, rows as usize, Lit::FALSE);
        for (stage, &bit) in places.size().iter().enumerate() {
            let shifted = shift_left_by(&wide, 1 << stage, Lit::FALSE);
            wide = ite(aig, bit, &shifted, &wide);
        }
        let mut twice = vec![Lit::FALSE];
        twice.extend_from_slice(&divisor);
        let (rest, odd) = divide(aig, &wide, &twice);

        // More than a half, or just that after an odd quotient: the next multiple is nearer.
        let half = resize(&divisor, rest.len(), Lit::FALSE);
        let at_most = unsigned_le(aig, &rest, &half);
        let at_least = unsigned_le(aig, &half, &rest);
        let tie = aig.and_all([at_least, at_most, odd]);
        let up = aig.or(!at_most, tie);
        // The rest, or twice the divisor less the rest.
        let taken: Word = rest.iter().map(|&bit| aig.xor(bit, up)).collect();
        let from = mask(aig, &twice, up);
        let significand = add(aig, &from, &taken, up);

        let sign = aig.xor(x.sign, up);
        let exact = Exact { exponent: exponent_y, significand, zeros: bits, raise: bits };
        let none = Special { nan: Lit::FALSE, infinite: Lit::FALSE, zero: Lit::FALSE };
        let near = self.finish(aig, Rounding::ToZero, sign, exact, &none);
        // Less than half of the divisor is the remainder itself.
        let keep = aig.or(negative, y.infinite);
        let result = ite(aig, keep, a, &near);
        let invalid = aig.or_all([x.nan, y.nan, x.infinite, y.zero]);
        Some(ite(aig, invalid, &self.nan(), &result))
    }

    /// For a power of two and its reciprocal: what the quotient is away from an integer, times the divisor.
    /// All of it is exact, unless the quotient is so small that its integer is zero, or so large that nothing
    /// is left.
    fn remainder_of_power(self, aig: &mut Aig, a: &[Lit], b: &[Lit], reciprocal: &[Lit]) -> Word {
        let mode = Rounding::NearestEven;
        let quotient = self.multiply(aig, mode, a, reciprocal);
        let whole = self.to_integral(aig, mode, &quotient);
        let apart = self.subtract(aig, mode, &quotient, &whole);
        let rest = self.multiply(aig, mode, &apart, b);
        let x = self.unpack(aig, a);
        let large = self.is_infinite(aig, &quotient);
        let zero = is_zero(aig, &rest[..rest.len() - 1]);
        let zero = aig.or(zero, large);
        let mut result = mask(aig, &rest, !zero);
        // A zero has the sign of the dividend.
        if let Some(last) = result.last_mut() {
            *last = aig.ite(zero, x.sign, *last);
        }
        let small = is_zero(aig, &whole[..whole.len() - 1]);
        let result = ite(aig, small, a, &result);
        let invalid = aig.or(x.nan, x.infinite);
        ite(aig, invalid, &self.nan(), &result)
    }
}

/// What is left of a long division, and whether the quotient is odd.
fn divide(aig: &mut Aig, dividend: &[Lit], divisor: &[Lit]) -> (Word, Lit) {
    let width = divisor.len() + 1;
    let complement = not(&resize(divisor, width, Lit::FALSE));
    let mut rest = vec![Lit::FALSE; divisor.len()];
    let mut fits = Lit::FALSE;
    for &bit in dividend.iter().rev() {
        let minuend = shift_left_by(&resize(&rest, width, Lit::FALSE), 1, bit);
        // Less than twice the divisor, so that the difference has a bit for its sign.
        let difference = add(aig, &minuend, &complement, Lit::TRUE);
        fits = !difference[width - 1];
        rest = ite(aig, fits, &difference[..divisor.len()], &minuend[..divisor.len()]);
    }
    (rest, fits)
}
