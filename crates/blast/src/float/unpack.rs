//! The parts of a float.
//!
//! Subnormals have the exponent of the least normal numbers and no hidden bit; only operations that need a
//! leading one ask for it. Of a NaN or an infinity, significand and exponent are anything.

use super::Format;
use super::exponent::Exponent;
use super::shift::normalise;
use crate::Word;
use crate::word::{as_constant, is_zero, sign};
use sat::{Aig, Lit};

pub(super) struct Parts {
    pub(super) sign: Lit,
    pub(super) nan: Lit,
    pub(super) infinite: Lit,
    pub(super) zero: Lit,
    /// The encoded exponent, 1 for subnormals.
    pub(super) biased: Word,
    /// With the hidden bit.
    pub(super) significand: Word,
}

impl Format {
    pub(super) fn unpack(self, aig: &mut Aig, word: &[Lit]) -> Parts {
        let fraction = self.fraction();
        let mut biased = word[fraction..word.len() - 1].to_vec();
        let hidden = aig.or_all(biased.iter().copied());
        biased[0] = aig.or(biased[0], !hidden);
        let mut significand = word[..fraction].to_vec();
        significand.push(hidden);
        Parts {
            sign: sign(word),
            nan: self.is_nan(aig, word),
            infinite: self.is_infinite(aig, word),
            zero: is_zero(aig, &word[..word.len() - 1]),
            biased,
            significand,
        }
    }
}

impl Parts {
    /// The weight of the first bit of the significand.
    pub(super) fn exponent(&self, format: Format) -> Exponent {
        match as_constant(&self.biased) {
            Some(biased) => Exponent::constant(biased as i128),
            None => Exponent::unsigned(&self.biased, 1, format.special_exponent() - 1),
        }
        .plus(format.least_exponent() - 1)
    }

    /// With a one in front, unless it is zero.
    pub(super) fn normalised(&self, aig: &mut Aig, format: Format) -> (Exponent, Word) {
        let most = format.fraction();
        let (significand, count) = normalise(aig, &self.significand, most);
        let count = Exponent::unsigned(&count, 0, most as i128);
        (self.exponent(format).subtract(aig, &count), significand)
    }
}
