//! Rounding to an integral float: bits below the point are found by comparing the exponent with each place,
//! once for all.

use super::Format;
use super::round::{Special, increment, rounds_up};
use crate::Word;
use crate::word::{add, constant, ite, unsigned_le};
use logic::Rounding;
use sat::{Aig, Lit};

impl Format {
    pub(crate) fn to_integral(self, aig: &mut Aig, mode: Rounding, a: &[Lit]) -> Word {
        let fraction = self.fraction();
        let parts = self.unpack(aig, a);
        let width = self.0;
        let bias = (1u128 << (width - 1)) - 1;
        let exponents = &a[fraction..fraction + width as usize];
        let at_least = |aig: &mut Aig, exponent: u128| -> Lit {
            match exponent.checked_add(bias).filter(|&e| e >> width == 0) {
                Some(biased) => unsigned_le(aig, &constant(biased, width), exponents),
                None => Lit::FALSE,
            }
        };
        // At least 1; without a fraction, as are infinities and NaN.
        let one = at_least(aig, 0);
        let whole = at_least(aig, fraction as u128);
        let special = aig.and_all(exponents.iter().copied());
        let whole = aig.or(whole, special);

        // Of exponents from 0 on, `reached[i]` says whether the exponent is more than `i`.
        let bits = ((usize::BITS - fraction.leading_zeros()) as usize).min(width as usize - 1);
        let zero = constant(0, bits as u32);
        let exponent = add(aig, &exponents[..bits], &zero, Lit::TRUE);
        let reached = thermometer(aig, &exponent);
        let below = |i: usize| !reached.get(fraction - 1 - i).copied().unwrap_or(Lit::FALSE);
        let below: Word = (0..fraction).map(below).collect();
        // The guard bit is the highest below the point, the last one that stays is the lowest above it.
        let (mut guard, mut sticky, mut last) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..fraction {
            let next = below.get(i + 1).copied().unwrap_or(Lit::FALSE);
            let first = aig.and(below[i], !next);
            guard.push(aig.and(a[i], first));
            sticky.push(aig.and(a[i], next));
            // The hidden bit is one here.
            let kept = if i + 1 < fraction { a[i + 1] } else { Lit::TRUE };
            last.push(aig.and(kept, first));
        }
        let [guard, sticky, last] = [guard, sticky, last].map(|bits| aig.or_all(bits));
        let up = rounds_up(aig, mode, parts.sign, last, guard, sticky);
        // With ones below the point the carry gets to where it belongs, and into the exponent if need be.
        let size = &a[..a.len() - 1];
        let mut filled = size.to_vec();
        for (bit, &below) in filled.iter_mut().zip(&below) {
            *bit = aig.or(*bit, below);
        }
        let (mut rounded, _) = increment(aig, &filled, up);
        for (bit, &below) in rounded.iter_mut().zip(&below) {
            *bit = aig.and(*bit, !below);
        }

        // Less than 1: zero or one.
        let (small_guard, small_sticky) = if bias == 1 {
            // A half is subnormal.
            (a[fraction - 1], aig.or_all(a[..fraction - 1].iter().copied()))
        } else {
            let half = unsigned_le(aig, &constant(bias - 1, width), exponents);
            let more = aig.or_all(a[..fraction].iter().copied());
            let more = aig.and(half, more);
            let less = aig.and(!half, !parts.zero);
            (half, aig.or(more, less))
        };
        let to_one = rounds_up(aig, mode, parts.sign, Lit::FALSE, small_guard, small_sticky);
        let small: Word = constant(bias << fraction.min(127), size.len() as u32);
        let small: Word = small.iter().map(|&bit| aig.and(bit, to_one)).collect();

        let result = ite(aig, one, &rounded, &small);
        let mut result = ite(aig, whole, size, &result);
        let exponent = result.split_off(fraction);
        let none = Special { nan: Lit::FALSE, infinite: Lit::FALSE, zero: Lit::FALSE };
        self.pack(aig, parts.sign, &exponent, &result, &none)
    }
}

/// For each number below 2^width, whether the word is more than it.
fn thermometer(aig: &mut Aig, word: &[Lit]) -> Word {
    let mut result = Word::new();
    for &bit in word {
        // With a new highest bit: at least half and the rest, or more than half and the rest.
        let mut lower: Word = result.iter().map(|&more| aig.or(bit, more)).collect();
        let upper: Word = result.iter().map(|&more| aig.and(bit, more)).collect();
        lower.push(bit);
        lower.extend(upper);
        result = lower;
    }
    result
}
