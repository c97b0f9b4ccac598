//! Between formats, and between integers and floats.

use super::Format;
use super::exponent::Exponent;
use super::round::{Exact, Special};
use crate::Word;
use crate::word::{add, constant, negate_if, resize, shift_left_by, sign};
use logic::Rounding;
use sat::{Aig, Lit};

impl Format {
    /// To this format from another one.
    pub(crate) fn convert_float(self, aig: &mut Aig, mode: Rounding, from: Format, a: &[Lit]) -> Word {
        let a = from.unpack(aig, a);
        let exponent = a.exponent(from);
        // What is subnormal in the other format may be a normal number of this one, or far below.
        let zeros = if from.least_exponent() > self.least_exponent() { from.fraction() } else { 0 };
        let special = Special { nan: a.nan, infinite: a.infinite, zero: Lit::FALSE };
        let exact = Exact { exponent, significand: a.significand, zeros, raise: zeros };
        self.finish(aig, mode, a.sign, exact, &special)
    }

    pub(crate) fn convert_integer(self, aig: &mut Aig, mode: Rounding, a: &[Lit], signed: bool) -> Word {
        let negative = if signed { sign(a) } else { Lit::FALSE };
        let significand = if signed { negate_if(aig, a, negative) } else { a.to_vec() };
        let zeros = a.len().saturating_sub(1);
        let exact = Exact { exponent: Exponent::constant(zeros as i128), significand, zeros, raise: zeros };
        let special = Special { nan: Lit::FALSE, infinite: Lit::FALSE, zero: Lit::FALSE };
        self.finish(aig, mode, negative, exact, &special)
    }

    /// The integer that a float without fraction is, if it fits; else anything.
    pub(crate) fn to_integer(self, aig: &mut Aig, a: &[Lit], width: usize) -> Word {
        let parts = self.unpack(aig, a);
        // Exponents that matter are those of 1 to 2^(width-1): the bias is one less than a power of two.
        let bits = (usize::BITS - width.saturating_sub(1).leading_zeros()) as usize;
        let bits = bits.min(self.0 as usize - 1);
        let zero = constant(0, bits as u32);
        let places = add(aig, &parts.biased[..bits], &zero, Lit::TRUE);
        let mut word = resize(&parts.significand, self.fraction() + width, Lit::FALSE);
        for (stage, &bit) in places.iter().enumerate() {
            let shifted = shift_left_by(&word, 1 << stage, Lit::FALSE);
            word = crate::word::ite(aig, bit, &shifted, &word);
        }
        let size = word.split_off(self.fraction());
        negate_if(aig, &size, parts.sign)
    }
}
