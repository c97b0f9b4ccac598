//! Products, quotients and square roots.

use super::Format;
use super::round::{Exact, Special};
use crate::Word;
use crate::multiply::multiply;
use crate::word::{add, as_constant, constant, ite, not, resize, shift_left_by, sign};
use logic::Rounding;
use sat::{Aig, Lit};

impl Format {
    pub(crate) fn multiply(self, aig: &mut Aig, mode: Rounding, a: &[Lit], b: &[Lit]) -> Word {
        // Products of the same in another order are one circuit.
        let (a, b) = if b < a { (b, a) } else { (a, b) };
        let (a, b) = (self.unpack(aig, a), self.unpack(aig, b));
        let bits = self.1 as usize;
        let wide = |word: &[Lit]| resize(word, 2 * bits, Lit::FALSE);
        let significand = multiply(aig, &wide(&a.significand), &wide(&b.significand));
        let (exponent_a, exponent_b) = (a.exponent(self), b.exponent(self));
        let exponent = exponent_a.add(aig, &exponent_b).plus(1);
        // The first bit may be missing, and the hidden one of either factor: of both, and it is far below the
        // subnormals. If one factor is a known normal number, then its exponent is all that a subnormal one
        // can be raised by.
        let mut raise = bits;
        for (parts, exponent) in [(&a, &exponent_a), (&b, &exponent_b)] {
            if exponent.least() == exponent.greatest() && sign(&parts.significand) == Lit::TRUE {
                raise = raise.min((exponent.least() + 1).clamp(1, bits as i128) as usize);
            }
        }
        let exact = Exact { exponent, significand, zeros: bits, raise };
        let sign = aig.xor(a.sign, b.sign);
        let invalid = [aig.and(a.infinite, b.zero), aig.and(b.infinite, a.zero)];
        let special = Special {
            nan: aig.or_all([a.nan, b.nan, invalid[0], invalid[1]]),
            infinite: aig.or(a.infinite, b.infinite),
            zero: Lit::FALSE,
        };
        self.finish(aig, mode, sign, exact, &special)
    }

    pub(crate) fn divide(self, aig: &mut Aig, mode: Rounding, a: &[Lit], b: &[Lit]) -> Word {
        if let Some(reciprocal) = self.reciprocal(b) {
            return self.multiply(aig, mode, a, &reciprocal);
        }
        let (a, b) = (self.unpack(aig, a), self.unpack(aig, b));
        let (exponent_a, dividend) = a.normalised(aig, self);
        let (exponent_b, divisor) = b.normalised(aig, self);
        // Both significands are in [1, 2): the quotient is in (1/2, 2).
        let steps = self.1 as usize + 2;
        let (quotient, rest) = long_division(aig, &dividend, &divisor, steps);
        let mut significand = vec![aig.or_all(rest)];
        significand.extend(quotient);
        let exact =
            Exact { exponent: exponent_a.subtract(aig, &exponent_b), significand, zeros: 1, raise: 1 };
        let sign = aig.xor(a.sign, b.sign);
        let invalid = [aig.and(a.infinite, b.infinite), aig.and(a.zero, b.zero)];
        let special = Special {
            nan: aig.or_all([a.nan, b.nan, invalid[0], invalid[1]]),
            infinite: aig.or(a.infinite, b.zero),
            zero: b.infinite,
        };
        self.finish(aig, mode, sign, exact, &special)
    }

    /// The reciprocal of a constant, if there is one that is exact.
    pub(super) fn reciprocal(self, word: &[Lit]) -> Option<Word> {
        let bits = as_constant(word)? as i128;
        let exponent = bits >> self.fraction() & self.special_exponent();
        // Both have to be normal: one exponent is as far above the bias as the other is below.
        let opposite = self.special_exponent() - 1 - exponent;
        if bits & ((1 << self.fraction()) - 1) != 0 || exponent < 1 || opposite < 1 {
            return None;
        }
        let sign = Lit::from(bits >> (self.width() - 1) & 1 == 1);
        let mut word = constant((opposite << self.fraction()) as u128, self.width());
        word.pop();
        word.push(sign);
        Some(word)
    }

    pub(crate) fn square_root(self, aig: &mut Aig, mode: Rounding, a: &[Lit]) -> Word {
        let a = self.unpack(aig, a);
        let (exponent, significand) = a.normalised(aig, self);
        let (exponent, odd) = exponent.halve(aig);
        // In [1, 4), with an even exponent; the root is in [1, 2).
        let single = resize(&significand, significand.len() + 1, Lit::FALSE);
        let double = shift_left_by(&single, 1, Lit::FALSE);
        let radicand = ite(aig, odd, &double, &single);
        let (root, rest) = long_root(aig, &radicand, self.1 as usize + 1);
        let mut significand = vec![aig.or_all(rest)];
        significand.extend(root);
        let exact = Exact { exponent, significand, zeros: 0, raise: 0 };
        let negative = aig.and(a.sign, !a.zero);
        let special = Special { nan: aig.or(a.nan, negative), infinite: a.infinite, zero: a.zero };
        self.finish(aig, mode, a.sign, exact, &special)
    }
}

/// The first bits of a quotient that is below 2, starting with that of weight 1, and what is left.
fn long_division(aig: &mut Aig, dividend: &[Lit], divisor: &[Lit], steps: usize) -> (Word, Word) {
    // What is left is below twice the divisor, and less the divisor it has a sign.
    let width = divisor.len() + 1;
    let complement = not(&resize(divisor, width, Lit::FALSE));
    let mut rest = resize(dividend, width, Lit::FALSE);
    let mut quotient = vec![Lit::FALSE; steps];
    for place in (0..steps).rev() {
        let less = add(aig, &rest, &complement, Lit::TRUE);
        let fits = !sign(&less);
        let left = ite(aig, fits, &less[..width - 1], &rest[..width - 1]);
        quotient[place] = fits;
        rest = resize(&left, width, Lit::FALSE);
        if place > 0 {
            rest = shift_left_by(&rest, 1, Lit::FALSE);
        }
    }
    (quotient, rest)
}

/// The first bits of the root of a number with two bits before the point, and what is left.
fn long_root(aig: &mut Aig, radicand: &[Lit], steps: usize) -> (Word, Word) {
    let mut digits = radicand.iter().rev().copied();
    let mut rest = Word::new();
    let mut root = Word::new();
    for _ in 0..steps {
        let (high, low) = (digits.next().unwrap_or(Lit::FALSE), digits.next().unwrap_or(Lit::FALSE));
        rest.splice(0..0, [low, high]);
        // (2 root + 1)^2 - (2 root)^2. As what was left is at most twice the root, the difference has a bit
        // for its sign.
        let mut trial = vec![Lit::TRUE, Lit::FALSE];
        trial.extend_from_slice(&root);
        let width = root.len() + 3;
        rest.resize(width, Lit::FALSE);
        trial.resize(width, Lit::FALSE);
        let less = add(aig, &rest, &not(&trial), Lit::TRUE);
        let fits = !sign(&less);
        rest = ite(aig, fits, &less[..width - 1], &rest[..width - 1]);
        root.insert(0, fits);
    }
    (root, rest)
}
