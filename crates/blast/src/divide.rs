//! Quotients and remainders.
//!
//! They are computed by long division, or guessed ([`Blaster::guess_quotients`]): new inputs, of which a
//! constraint says that divisor times quotient plus remainder is the dividend. For a constant divisor that is
//! a few additions where long division takes one for every bit, and a solver that knows the quotient finds
//! the dividend, too. A divisor of zero gives what SMT-LIB asks for: all ones, and the dividend.

use crate::Word;
use crate::blaster::Blaster;
use crate::multiply::{multiply, product_fits};
use crate::word::{
    add, as_constant, constant, digits, equal, is_zero, ite, negate_if, resize, shift_left_by, sign,
    subtract, unsigned_le, unsigned_lt,
};
use sat::{Aig, Lit};

/// A division that was guessed.
#[derive(Clone, Debug)]
pub struct Division {
    pub dividend: Word,
    pub divisor: Word,
    pub quotient: Word,
    pub remainder: Word,
}

impl Blaster {
    /// Of unsigned numbers.
    pub(crate) fn divide(&mut self, aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let known = as_constant(b);
        if let Some(divisor) = known.filter(|d| d.is_power_of_two()) {
            let places = divisor.trailing_zeros() as usize;
            let quotient = resize(&a[places..], width, Lit::FALSE);
            return (quotient, resize(&a[..places], width, Lit::FALSE));
        }
        // Of short numbers. Without a divisor all bits of the quotient are ones, those that were left out
        // too.
        let length = significant(a).max(significant(b)).max(1);
        if length < width {
            let (quotient, remainder) = self.divide(aig, &a[..length], &b[..length]);
            let zero = is_zero(aig, &b[..length]);
            return (resize(&quotient, width, zero), resize(&remainder, width, Lit::FALSE));
        }
        if !self.guesses {
            return long_division(aig, a, b);
        }
        let key = (a.to_vec(), b.to_vec());
        if let Some(&at) = self.division_of.get(&key) {
            let Division { quotient, remainder, .. } = &self.divisions[at];
            return (quotient.clone(), remainder.clone());
        }
        let (quotient, remainder) = match known {
            Some(divisor) if divisor > 0 => self.divide_by(aig, a, divisor),
            _ => self.divide_by_unknown(aig, a, b),
        };
        self.division_of.insert(key, self.divisions.len());
        let (dividend, divisor) = (a.to_vec(), b.to_vec());
        self.divisions.push(Division {
            dividend,
            divisor,
            quotient: quotient.clone(),
            remainder: remainder.clone(),
        });
        (quotient, remainder)
    }

    fn divide_by(&mut self, aig: &mut Aig, a: &[Lit], divisor: u128) -> (Word, Word) {
        let width = a.len();
        let most = (u128::MAX >> (128 - width)) / divisor;
        let bits = |number: u128| (128 - number.leading_zeros()) as usize;
        let quotient = self.fresh(aig, bits(most));
        let remainder = self.fresh(aig, bits(divisor - 1).min(width));
        let [q, r] = [&quotient, &remainder].map(|word| resize(word, width + 1, Lit::FALSE));
        let product = multiply(aig, &q, &constant(divisor, width as u32 + 1));
        let sum = add(aig, &product, &r, Lit::FALSE);
        let small = unsigned_lt(aig, &r, &constant(divisor, width as u32 + 1));
        // So the product does not leave the width, and the sum not the bit beyond it.
        let fits = unsigned_le(aig, &q, &constant(most, width as u32 + 1));
        let same = equal(aig, &sum, &resize(a, width + 1, Lit::FALSE));
        self.constraints.extend([small, fits, same]);
        (resize(&quotient, width, Lit::FALSE), resize(&remainder, width, Lit::FALSE))
    }

    fn divide_by_unknown(&mut self, aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let (quotient, remainder) = (self.fresh(aig, width), self.fresh(aig, width));
        let zero = is_zero(aig, b);
        let product = multiply(aig, &quotient, b);
        let fits = product_fits(aig, &quotient, b, false);
        let [p, r] = [&product, &remainder].map(|word| resize(word, width + 1, Lit::FALSE));
        let sum = add(aig, &p, &r, Lit::FALSE);
        let same = equal(aig, &sum, &resize(a, width + 1, Lit::FALSE));
        let small = unsigned_lt(aig, &remainder, b);
        // Without a divisor the product is zero, so that the remainder is the dividend.
        let ones = quotient.iter().fold(Lit::TRUE, |all, &lit| aig.and(all, lit));
        let [small, ones] = [aig.or(zero, small), aig.or(!zero, ones)];
        let fits = aig.or(zero, fits);
        self.constraints.extend([same, small, fits, ones]);
        // These follow, but a solver does not see it: neither result is longer than the dividend, the
        // remainder not longer than the divisor.
        let (long_a, long_b) = (lengths(aig, a), lengths(aig, b));
        for place in 0..width {
            let (a, b) = (aig.or(zero, long_a[place]), aig.or(zero, long_b[place]));
            let short = [(quotient[place], a), (remainder[place], long_a[place]), (remainder[place], b)];
            self.constraints.extend(short.map(|(bit, long)| aig.or(!bit, long)));
        }
        (quotient, remainder)
    }

    /// Towards zero; the remainder has the sign of the dividend.
    pub(crate) fn divide_signed(&mut self, aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let (sign_a, sign_b) = (sign(a), sign(b));
        let [size_a, size_b] = [a, b].map(|word| magnitude(aig, word));
        let (quotient, rest) = self.divide(aig, &size_a, &size_b);
        let negative = aig.xor(sign_a, sign_b);
        (negate_if(aig, &quotient, negative), negate_if(aig, &rest, sign_a))
    }
}

/// How many bits there are before those that are known to be zero.
fn significant(word: &[Lit]) -> usize {
    word.len() - word.iter().rev().take_while(|&&lit| lit == Lit::FALSE).count()
}

/// Without its sign. The magnitude of a number with `n` bits, the sign among them, has `n` bits.
fn magnitude(aig: &mut Aig, word: &[Lit]) -> Word {
    let length = (digits(word).0 + 1).min(word.len());
    let size = negate_if(aig, &word[..length], sign(word));
    resize(&size, word.len(), Lit::FALSE)
}

/// For every place, whether there is a one at it or above.
fn lengths(aig: &mut Aig, word: &[Lit]) -> Word {
    let mut above = Lit::FALSE;
    let mut lengths: Word = word
        .iter()
        .rev()
        .map(|&bit| {
            above = aig.or(above, bit);
            above
        })
        .collect();
    lengths.reverse();
    lengths
}

/// A divisor of zero is never too large to be taken away, which gives all ones, and the dividend.
fn long_division(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Word, Word) {
    let width = a.len();
    let divisor = resize(b, width + 1, Lit::FALSE);
    let mut rest = constant(0, width as u32 + 1);
    let mut quotient = vec![Lit::FALSE; width];
    for place in (0..width).rev() {
        rest = shift_left_by(&rest, 1, a[place]);
        let fits = unsigned_le(aig, &divisor, &rest);
        let less = subtract(aig, &rest, &divisor);
        rest = ite(aig, fits, &less, &rest);
        quotient[place] = fits;
    }
    rest.truncate(width);
    (quotient, rest)
}
