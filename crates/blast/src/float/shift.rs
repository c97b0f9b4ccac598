//! Shifts of significands: to the right without forgetting that something was lost, to the left until a one
//! is in front.

use crate::Word;
use crate::word::{is_zero, ite, shift_left_by, shift_right_by};
use sat::{Aig, Lit};

/// To the right; the lowest bit of the result says whether it or anything below it is set.
pub(super) fn right_sticky(aig: &mut Aig, word: &[Lit], count: &[Lit]) -> Word {
    let mut result = word.to_vec();
    let mut too_far = Vec::new();
    for (stage, &bit) in count.iter().enumerate() {
        match places(stage).filter(|&places| places < word.len()) {
            Some(places) => {
                let mut shifted = shift_right_by(&result, places, Lit::FALSE);
                shifted[0] = aig.or_all(result[..=places].iter().copied());
                result = ite(aig, bit, &shifted, &result);
            }
            None => too_far.push(bit),
        }
    }
    let too_far = aig.or_all(too_far);
    if too_far == Lit::FALSE {
        return result;
    }
    let mut lost = vec![Lit::FALSE; word.len()];
    if let Some(lowest) = lost.first_mut() {
        *lowest = aig.or_all(result.iter().copied());
    }
    ite(aig, too_far, &lost, &result)
}

/// The upper `width` bits, filled up with zeros, or the last one sticky.
pub(super) fn squeeze(aig: &mut Aig, word: &[Lit], width: usize) -> Word {
    match word.len().checked_sub(width) {
        Some(extra) if width > 0 => {
            let mut result = word[extra..].to_vec();
            result[0] = aig.or_all(word[..=extra].iter().copied());
            result
        }
        _ => {
            let mut result = vec![Lit::FALSE; width.saturating_sub(word.len())];
            result.extend_from_slice(word);
            result
        }
    }
}

/// To the left until the first bit is set, with the number of places; a word with more leading zeros than
/// `most` is zero.
pub(super) fn normalise(aig: &mut Aig, word: &[Lit], most: usize) -> (Word, Word) {
    let mut word = word.to_vec();
    let mut count = vec![Lit::FALSE; stages(most)];
    for stage in (0..count.len()).rev() {
        let (zeros, shifted) = step(aig, &word, stage);
        word = ite(aig, zeros, &shifted, &word);
        count[stage] = zeros;
    }
    (word, count)
}

/// The same, but not by more places than the budget; with what is left of it.
pub(super) fn normalise_within(aig: &mut Aig, word: &[Lit], most: usize, budget: &[Lit]) -> (Word, Word) {
    let (mut word, mut budget) = (word.to_vec(), budget.to_vec());
    for stage in (0..stages(most).min(budget.len())).rev() {
        let (zeros, shifted) = step(aig, &word, stage);
        let rest = &mut budget[stage..];
        let affordable = aig.or_all(rest.iter().copied());
        let go = aig.and(zeros, affordable);
        word = ite(aig, go, &shifted, &word);
        let mut borrow = go;
        for bit in rest {
            let next = aig.and(borrow, !*bit);
            *bit = aig.xor(*bit, borrow);
            borrow = next;
        }
    }
    (word, budget)
}

fn step(aig: &mut Aig, word: &[Lit], stage: usize) -> (Lit, Word) {
    let places = places(stage).unwrap_or(usize::MAX).min(word.len());
    let zeros = is_zero(aig, &word[word.len() - places..]);
    (zeros, shift_left_by(word, places, Lit::FALSE))
}

fn stages(most: usize) -> usize {
    (usize::BITS - most.leading_zeros()) as usize
}

fn places(stage: usize) -> Option<usize> {
    1usize.checked_shl(stage as u32)
}
