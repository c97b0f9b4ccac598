//! Exponents: signed numbers of known bounds, with a constant that is added as late as possible.
//!
//! Biases and offsets meet and mostly cancel before any gate is made for them, and the bounds say how many
//! bits a sum needs and which shifts and overflows cannot happen.

use crate::Word;
use crate::word::{add, constant, resize, sign, subtract};
use sat::{Aig, Lit};

/// `word + offset`, where `word` is a number in two's complement between the bounds.
#[derive(Clone)]
pub(super) struct Exponent {
    word: Word,
    least: i128,
    greatest: i128,
    offset: i128,
}

impl Exponent {
    pub(super) fn constant(value: i128) -> Self {
        Exponent { word: vec![Lit::FALSE], least: 0, greatest: 0, offset: value }
    }

    /// A number without sign; bounds that are known to be tighter than those of its width pay.
    pub(super) fn unsigned(word: &[Lit], least: i128, greatest: i128) -> Self {
        Exponent { word: resize(word, word.len() + 1, Lit::FALSE), least, greatest, offset: 0 }
    }

    pub(super) fn plus(mut self, offset: i128) -> Self {
        self.offset += offset;
        self
    }

    pub(super) fn add(&self, aig: &mut Aig, other: &Self) -> Self {
        let (least, greatest) = (self.least + other.least, self.greatest + other.greatest);
        let (a, b) = (extended(&self.word, least, greatest), extended(&other.word, least, greatest));
        let word = add(aig, &a, &b, Lit::FALSE);
        Exponent { word, least, greatest, offset: self.offset + other.offset }
    }

    pub(super) fn subtract(&self, aig: &mut Aig, other: &Self) -> Self {
        let (least, greatest) = (self.least - other.greatest, self.greatest - other.least);
        let (a, b) = (extended(&self.word, least, greatest), extended(&other.word, least, greatest));
        let word = subtract(aig, &a, &b);
        Exponent { word, least, greatest, offset: self.offset - other.offset }
    }

    /// The floor of the half, and what is left of it.
    pub(super) fn halve(&self, aig: &mut Aig) -> (Self, Lit) {
        let whole = self.fixed(aig);
        let odd = whole.word.first().copied().unwrap_or(Lit::FALSE);
        let half = Exponent {
            word: whole.word.get(1..).unwrap_or_default().to_vec(),
            least: whole.least.div_euclid(2),
            greatest: whole.greatest.div_euclid(2),
            offset: 0,
        };
        (half, odd)
    }

    pub(super) fn least(&self) -> i128 {
        self.least + self.offset
    }

    pub(super) fn greatest(&self) -> i128 {
        self.greatest + self.offset
    }

    /// With the offset added.
    pub(super) fn fixed(&self, aig: &mut Aig) -> Self {
        let (least, greatest) = (self.least(), self.greatest());
        let word = extended(&self.word, self.least.min(least), self.greatest.max(greatest));
        let offset = constant(self.offset as u128, word.len() as u32);
        let word = extended(&add(aig, &word, &offset, Lit::FALSE), least, greatest);
        Exponent { word, least, greatest, offset: 0 }
    }

    /// Of a fixed one: is it below zero?
    pub(super) fn is_negative(&self) -> Lit {
        match (self.least < 0, self.greatest < 0) {
            (false, _) => Lit::FALSE,
            (_, true) => Lit::TRUE,
            _ => sign(&self.word),
        }
    }

    /// Of a fixed one: the bits of the number if it is not below zero.
    pub(super) fn size(&self) -> Word {
        let mut word = self.word.clone();
        word.pop();
        word
    }
}

/// How many bits two's complement needs for everything between the bounds.
fn width(least: i128, greatest: i128) -> usize {
    let size = |n: i128| 129 - (if n < 0 { !n } else { n }).leading_zeros() as usize;
    size(least).max(size(greatest))
}

fn extended(word: &[Lit], least: i128, greatest: i128) -> Word {
    resize(word, width(least, greatest), sign(word))
}
