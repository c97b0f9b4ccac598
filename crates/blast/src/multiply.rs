//! Products and sums.
//!
//! A product is a sum of rows, one for each bit of one factor. Fewer rows are better: a constant factor is
//! written with the digits -1, 0 and 1 so that few digits are not zero, known zeros have no row, and the
//! copies of a sign that an extended number starts with are one negative row.

use crate::Word;
use crate::word::{add, as_constant, constant, digits, mask, not, resize, shift_left_by, sign, subtract};
use sat::{Aig, Lit};

pub(crate) fn multiply(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    if let Some(factor) = as_constant(b) {
        return multiply_by(aig, a, factor);
    }
    if let Some(factor) = as_constant(a) {
        return multiply_by(aig, b, factor);
    }
    let (wide, narrow) = if rows(a) < rows(b) { (b, a) } else { (a, b) };
    let (low, top) = digits(narrow);
    let mut sum = constant(0, a.len() as u32);
    for (place, &bit) in narrow.iter().enumerate().take(low) {
        if bit != Lit::FALSE {
            let row = mask(aig, wide, bit);
            sum = add(aig, &sum, &shift_left_by(&row, place, Lit::FALSE), Lit::FALSE);
        }
    }
    if top != Lit::FALSE {
        let row = mask(aig, wide, top);
        sum = subtract(aig, &sum, &shift_left_by(&row, low, Lit::FALSE));
    }
    sum
}

/// How many rows a factor needs.
fn rows(word: &[Lit]) -> usize {
    let (low, top) = digits(word);
    word[..low].iter().filter(|&&lit| lit != Lit::FALSE).count() + usize::from(top != Lit::FALSE)
}

pub(crate) fn multiply_by(aig: &mut Aig, word: &[Lit], factor: u128) -> Word {
    let width = word.len();
    let mut sum = constant(0, width as u32);
    let mut rest = factor;
    for place in 0..width {
        if rest & 1 == 1 {
            let row = shift_left_by(word, place, Lit::FALSE);
            // The digit -1 where another one follows: 0111 is 100-1.
            if rest & 3 == 3 && place + 1 < width {
                sum = subtract(aig, &sum, &row);
                rest = (rest >> 1) + 1;
                continue;
            }
            sum = add(aig, &sum, &row, Lit::FALSE);
        }
        rest >>= 1;
    }
    sum
}

/// Does the product, read as signed or unsigned numbers, fit into the width?
///
/// If two bits that are not signs meet at the width or beyond, it does not. If none do, it has at most one
/// more bit than the width, and that one tells. (For signed numbers, bits that differ from the sign count:
/// one such bit at place `i` of a negative number means that it is below -2^i, so that the one product at the
/// very limit, -2^(width-1), is not lost.)
pub(crate) fn product_fits(aig: &mut Aig, a: &[Lit], b: &[Lit], signed: bool) -> Lit {
    let width = a.len();
    let fill = |word: &[Lit]| if signed { sign(word) } else { Lit::FALSE };
    let product = multiply(aig, &resize(a, width + 1, fill(a)), &resize(b, width + 1, fill(b)));
    let below = if signed { product.get(width.wrapping_sub(1)).copied() } else { Some(Lit::FALSE) };
    let (Some(&top), Some(below)) = (product.get(width), below) else { return Lit::TRUE };
    let mut overflow = vec![aig.xor(top, below)];
    let size = |aig: &mut Aig, word: &[Lit]| -> Word {
        let fill = fill(word);
        word.iter().map(|&lit| aig.xor(lit, fill)).collect()
    };
    let (size_a, size_b) = (size(aig, a), size(aig, b));
    let limit = if signed { width - 1 } else { width };
    // Whether `a` has a bit at `place` or above, with the place descending while that in `b` ascends.
    let mut above = Lit::FALSE;
    for (place, &bit) in size_a.iter().enumerate().rev() {
        above = aig.or(above, bit);
        if let Some(&other) = limit.checked_sub(place).and_then(|i| size_b.get(i)) {
            overflow.push(aig.and(above, other));
        }
    }
    !aig.or_all(overflow)
}

/// A sum; every summand comes with whether it is subtracted.
pub(crate) fn sum(aig: &mut Aig, summands: &[(Word, bool)], constant_part: u128, width: u32) -> Word {
    // -x is !x + 1; the ones come in as carries while there are additions.
    let mut ones = 0u128;
    let mut total: Option<Word> = None;
    for (word, negative) in summands {
        let word = if *negative { not(word) } else { word.clone() };
        ones += u128::from(*negative);
        total = Some(match total {
            None => word,
            Some(total) => {
                let carry = ones > 0;
                ones -= u128::from(carry);
                add(aig, &total, &word, carry.into())
            }
        });
    }
    let rest = constant(constant_part.wrapping_add(ones), width);
    match total {
        None => rest,
        Some(total) => add(aig, &total, &rest, Lit::FALSE),
    }
}
