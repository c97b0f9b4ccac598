//! Circuits on words: sums, comparisons, shifts, choices.
//!
//! Operations that compute the same thing are built from the same gates (a comparison is the carry of a
//! subtraction), so that the graph's structural hashing finds them. Constants need no cases of their own: the
//! graph folds them gate by gate.

use crate::Word;
use sat::{Aig, Lit};

pub(crate) fn constant(bits: u128, width: u32) -> Word {
    (0..width).map(|i| Lit::from(bits.checked_shr(i).unwrap_or(0) & 1 == 1)).collect()
}

/// The number, if all bits are constants.
pub(crate) fn as_constant(word: &[Lit]) -> Option<u128> {
    let fits = word.len() <= 128 && word.iter().all(|lit| lit.is_constant());
    fits.then(|| word.iter().rev().fold(0, |bits, &lit| bits << 1 | u128::from(lit == Lit::TRUE)))
}

pub(crate) fn not(word: &[Lit]) -> Word {
    word.iter().map(|&lit| !lit).collect()
}

pub(crate) fn bitwise(aig: &mut Aig, a: &[Lit], b: &[Lit], gate: fn(&mut Aig, Lit, Lit) -> Lit) -> Word {
    a.iter().zip(b).map(|(&a, &b)| gate(aig, a, b)).collect()
}

/// Every bit together with `lit`.
pub(crate) fn mask(aig: &mut Aig, word: &[Lit], lit: Lit) -> Word {
    word.iter().map(|&bit| aig.and(bit, lit)).collect()
}

pub(crate) fn ite(aig: &mut Aig, condition: Lit, a: &[Lit], b: &[Lit]) -> Word {
    a.iter().zip(b).map(|(&a, &b)| aig.ite(condition, a, b)).collect()
}

pub(crate) fn equal(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    // Most comparisons of places are between different constants: no gates for those.
    if a.iter().zip(b).any(|(&a, &b)| a == !b) {
        return Lit::FALSE;
    }
    let same: Word = a.iter().zip(b).map(|(&a, &b)| aig.iff(a, b)).collect();
    aig.and_all(same)
}

pub(crate) fn is_zero(aig: &mut Aig, word: &[Lit]) -> Lit {
    aig.and_all(word.iter().map(|&lit| !lit))
}

pub(crate) fn add(aig: &mut Aig, a: &[Lit], b: &[Lit], mut carry: Lit) -> Word {
    let mut sum = Word::with_capacity(a.len());
    // The sum of two numbers that are shorter than the word is one bit longer than they are; what follows are
    // copies of its sign. So sums of short numbers stay short, and that they do not overflow is plain.
    let length = digits(a).0.max(digits(b).0) + 2;
    for (&a, &b) in a.iter().zip(b).take(length) {
        let half = aig.xor(a, b);
        sum.push(aig.xor(half, carry));
        carry = next_carry(aig, a, b, half, carry);
    }
    sum.resize(a.len(), sign(&sum));
    sum
}

/// The place where the last run of equal bits starts, and that bit: modulo 2^width, the run means -2^place.
pub(crate) fn digits(word: &[Lit]) -> (usize, Lit) {
    let top = sign(word);
    (word.len() - word.iter().rev().take_while(|&&lit| lit == top).count(), top)
}

/// The carry out of a sum, without the sum.
fn carry_out(aig: &mut Aig, a: &[Lit], b: &[Lit], mut carry: Lit) -> Lit {
    for (&a, &b) in a.iter().zip(b) {
        let half = aig.xor(a, b);
        carry = next_carry(aig, a, b, half, carry);
    }
    carry
}

/// The majority of three, in the form that shares a gate with the exclusive or of `half` and the carry: a
/// carry goes on where a half waits for it, or its absence does.
fn next_carry(aig: &mut Aig, a: Lit, b: Lit, half: Lit, carry: Lit) -> Lit {
    if half.is_complemented() == carry.is_complemented() {
        let both = aig.and(a, b);
        let passed = aig.and(half, carry);
        aig.or(both, passed)
    } else {
        let neither = aig.and(!a, !b);
        let stopped = aig.and(half, !carry);
        aig.and(!neither, !stopped)
    }
}

pub(crate) fn subtract(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Word {
    add(aig, a, &not(b), Lit::TRUE)
}

/// `-word` when the condition holds.
pub(crate) fn negate_if(aig: &mut Aig, word: &[Lit], condition: Lit) -> Word {
    let flipped: Word = word.iter().map(|&lit| aig.xor(lit, condition)).collect();
    add(aig, &flipped, &constant(0, word.len() as u32), condition)
}

pub(crate) fn unsigned_le(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    carry_out(aig, b, &not(a), Lit::TRUE)
}

pub(crate) fn unsigned_lt(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    !unsigned_le(aig, b, a)
}

/// Signed order is unsigned order with the signs complemented.
pub(crate) fn flip_sign(word: &[Lit]) -> Word {
    let mut word = word.to_vec();
    if let Some(sign) = word.last_mut() {
        *sign = !*sign;
    }
    word
}

pub(crate) fn sign(word: &[Lit]) -> Lit {
    word.last().copied().unwrap_or(Lit::FALSE)
}

/// Cut, or extended with copies of `fill`.
pub(crate) fn resize(word: &[Lit], width: usize, fill: Lit) -> Word {
    let mut word = word.to_vec();
    word.resize(width, fill);
    word
}

/// By a constant number of places; shifted out bits are lost.
pub(crate) fn shift_left_by(word: &[Lit], by: usize, fill: Lit) -> Word {
    let by = by.min(word.len());
    let mut shifted = vec![fill; by];
    shifted.extend_from_slice(&word[..word.len() - by]);
    shifted
}

pub(crate) fn shift_right_by(word: &[Lit], by: usize, fill: Lit) -> Word {
    let by = by.min(word.len());
    resize(&word[by..], word.len(), fill)
}

/// A shifter of one stage per bit of the count; counts of at least the width give `fill` everywhere.
pub(crate) fn shift(
    aig: &mut Aig,
    word: &[Lit],
    count: &[Lit],
    fill: Lit,
    by: fn(&[Lit], usize, Lit) -> Word,
) -> Word {
    let mut result = word.to_vec();
    let mut too_far = Vec::new();
    for (stage, &bit) in count.iter().enumerate() {
        match 1usize.checked_shl(stage as u32).filter(|&places| places < word.len()) {
            Some(places) => {
                let shifted = by(&result, places, fill);
                result = ite(aig, bit, &shifted, &result);
            }
            None => too_far.push(bit),
        }
    }
    let too_far = aig.or_all(too_far);
    let filled = vec![fill; word.len()];
    ite(aig, too_far, &filled, &result)
}
