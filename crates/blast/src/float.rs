//! Floats as their IEEE encodings, with one encoding for every NaN, as in `logic::Value`.
//!
//! Every word of a float sort keeps to that encoding, so that identity is equality of words, and one bit
//! tells NaN from infinity. Order, signs and classes are comparisons of bits. Arithmetic takes floats apart
//! (`unpack`), computes the exact result (`add`, `product`, `remainder`, `convert`), and rounds it (`round`);
//! a rounding mode is always known.

mod add;
mod convert;
mod exponent;
mod integral;
mod product;
mod remainder;
mod round;
mod shift;
mod unpack;

use crate::Word;
use crate::blaster::{Refused, format_of};
use crate::word::{constant, equal, is_zero, ite, sign};
use logic::{Op, Sort};
use sat::{Aig, Lit};

/// An operation on the words of its arguments, the first of which is of sort `from`.
pub(crate) fn operate(aig: &mut Aig, op: &Op, from: Sort, to: Sort, words: &[Word]) -> Result<Word, Refused> {
    match (op, words) {
        (Op::FpFromSigned(_) | Op::FpFromUnsigned(_), _) if !matches!(from, Sort::Bv(_)) => {
            Err(Refused::Malformed)
        }
        (Op::FpFromSigned(mode), [a]) => Ok(format_of(to)?.convert_integer(aig, *mode, a, true)),
        (Op::FpFromUnsigned(mode), [a]) => Ok(format_of(to)?.convert_integer(aig, *mode, a, false)),
        (Op::FpFromFp(mode), [a]) => Ok(format_of(to)?.convert_float(aig, *mode, format_of(from)?, a)),
        (_, [a]) => one(aig, op, format_of(from)?, a),
        (_, [a, b]) if a.len() == b.len() => two(aig, op, format_of(from)?, a, b),
        _ => Err(Refused::Malformed),
    }
}

fn one(aig: &mut Aig, op: &Op, format: Format, a: &[Lit]) -> Result<Word, Refused> {
    Ok(match op {
        Op::FpNeg => format.with_sign(aig, a, !sign(a)),
        Op::FpAbs => format.with_sign(aig, a, Lit::FALSE),
        Op::FpIsNan => vec![format.is_nan(aig, a)],
        Op::FpIsInfinite => vec![format.is_infinite(aig, a)],
        Op::FpIsNegative => vec![format.is_negative(aig, a)],
        Op::FpSqrt(mode) => format.square_root(aig, *mode, a),
        // Else what a number rounds to may be beyond the format.
        Op::FpRoundToIntegral(mode) if format.largest_are_whole() => format.to_integral(aig, *mode, a),
        Op::FpRoundToIntegral(_) => return Err(Refused::Float(op.clone())),
        _ => return Err(Refused::Malformed),
    })
}

fn two(aig: &mut Aig, op: &Op, format: Format, a: &[Lit], b: &[Lit]) -> Result<Word, Refused> {
    Ok(match op {
        Op::FpEq => vec![format.equal(aig, a, b)],
        Op::FpLt => vec![format.ordered(aig, a, b, false)],
        Op::FpLe => vec![format.ordered(aig, a, b, true)],
        Op::FpAdd(mode) => format.add(aig, *mode, a, b),
        Op::FpSub(mode) => format.subtract(aig, *mode, a, b),
        Op::FpMul(mode) => format.multiply(aig, *mode, a, b),
        Op::FpDiv(mode) => format.divide(aig, *mode, a, b),
        Op::FpRem => format.remainder(aig, a, b).ok_or_else(|| Refused::Float(op.clone()))?,
        _ => return Err(Refused::Malformed),
    })
}

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

    /// The exponent of the least normal numbers, and of subnormal ones.
    fn least_exponent(self) -> i128 {
        2 - (1 << (self.0 - 1))
    }

    /// Have the largest numbers no fraction? They have not in all formats that are in use.
    fn largest_are_whole(self) -> bool {
        1 - self.least_exponent() >= i128::from(self.1) - 1
    }

    /// The encoded exponent of infinity.
    fn special_exponent(self) -> i128 {
        (1 << self.0) - 1
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

    /// The first bit of the fraction, which the one NaN has and infinities have not.
    fn quiet(self, word: &[Lit]) -> Lit {
        self.fraction().checked_sub(1).and_then(|at| word.get(at)).copied().unwrap_or(Lit::FALSE)
    }

    pub(crate) fn is_nan(self, aig: &mut Aig, word: &[Lit]) -> Lit {
        let special = self.largest_exponent(aig, word);
        aig.and(special, self.quiet(word))
    }

    pub(crate) fn is_infinite(self, aig: &mut Aig, word: &[Lit]) -> Lit {
        let special = self.largest_exponent(aig, word);
        aig.and(special, !self.quiet(word))
    }

    /// Is it any of the encodings of NaN?
    pub(crate) fn encodes_nan(self, aig: &mut Aig, word: &[Lit]) -> Lit {
        let special = self.largest_exponent(aig, word);
        let whole = is_zero(aig, &word[..self.fraction()]);
        aig.and(special, !whole)
    }

    /// With the one encoding of NaN.
    pub(crate) fn one_nan(self, aig: &mut Aig, word: &[Lit]) -> Word {
        let is_nan = self.encodes_nan(aig, word);
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

    /// Less, or perhaps equal.
    pub(crate) fn ordered(self, aig: &mut Aig, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
        let zeros = self.zeros(aig, a, b);
        let (sign_a, sign_b) = (sign(a), sign(b));
        // Sizes are ordered like their encodings.
        let (above, not_below) = ascending(aig, &a[..a.len() - 1], &b[..b.len() - 1]);
        // Below zero the larger size is the smaller number.
        let same_sign = match or_equal {
            false => aig.ite(sign_a, !not_below, above),
            true => aig.ite(sign_a, !above, not_below),
        };
        let signs = aig.xor(sign_a, sign_b);
        let numbers = aig.ite(signs, sign_a, same_sign);
        let numbers = if or_equal { aig.or(numbers, zeros) } else { aig.and(numbers, !zeros) };
        let (nan_a, nan_b) = (self.is_nan(aig, a), self.is_nan(aig, b));
        aig.and_all([numbers, !nan_a, !nan_b])
    }

    /// Both are zeros, of whatever sign.
    fn zeros(self, aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
        let (a, b) = (is_zero(aig, &a[..a.len() - 1]), is_zero(aig, &b[..b.len() - 1]));
        aig.and(a, b)
    }
}

/// Whether the first number is less, and whether it is at most the second. From the lowest bit on, the last
/// difference decides.
fn ascending(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Lit, Lit) {
    let (mut less, mut more) = (Lit::FALSE, Lit::FALSE);
    for (&a, &b) in a.iter().zip(b) {
        let (up, down) = (aig.and(!a, b), aig.and(a, !b));
        let (still_less, still_more) = (aig.and(less, !down), aig.and(more, !up));
        (less, more) = (aig.or(up, still_less), aig.or(down, still_more));
    }
    (less, !more)
}
