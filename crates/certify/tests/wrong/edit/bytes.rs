//! Refutations as bytes: chains that are shorter, longer, empty, in another order; numbers by one; bits.

use super::Material;
use super::unwound::other_refutation;
use engine::Unwound;
use sat::Refutation;
use std::sync::Arc;
use testing::Random;

pub fn refutation(unwound: &mut Unwound, material: &Material, random: &mut Random) -> String {
    if random.rarely(5) && other_refutation(unwound, material, random) {
        return "the refutation of another proof".to_owned();
    }
    let Some(given) = &unwound.refutation else { return "nothing".to_owned() };
    let bytes = numbers_changed(&given.to_bytes(), random);
    match Refutation::from_bytes(&bytes) {
        Some(other) => {
            unwound.refutation = Some(Arc::new(other));
            "the refutation is changed".to_owned()
        }
        None => "nothing".to_owned(),
    }
}

/// What `Refutation::to_bytes` writes, changed: the number of clauses, then each chain as its length and its
/// clauses, counted backwards.
pub fn numbers_changed(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    if random.rarely(6) {
        let mut bytes = bytes.to_vec();
        let at = random.below(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << random.below(8);
        }
        return bytes;
    }
    let mut numbers = read(bytes);
    let Some((clauses, chains)) = numbers.split_first_mut().map(|(clauses, rest)| (*clauses, chains(rest)))
    else {
        return Vec::new();
    };
    let (mut clauses, mut chains) = (clauses, chains);
    let (at, other) = (random.below(chains.len()), random.below(chains.len()));
    match random.below(12) {
        0 => clauses = clauses.wrapping_add(1),
        1 => clauses = clauses.saturating_sub(1),
        // All at once: the empty clause from nothing.
        2 => chains = vec![Vec::new()],
        3 => chains.push(Vec::new()),
        4 => chains.clear(),
        5 if !chains.is_empty() => drop(chains.remove(at)),
        6 if !chains.is_empty() => chains.swap(at, other),
        7 if !chains.is_empty() => chains.truncate(at),
        _ if !chains.is_empty() => {
            let chain = &mut chains[at];
            let one = random.below(chain.len());
            match random.below(5) {
                0 => chain.reverse(),
                1 => chain.push(1 + random.below(40) as u64),
                2 if !chain.is_empty() => drop(chain.remove(one)),
                3 if !chain.is_empty() => chain[one] = chain[one].wrapping_add(1),
                _ if !chain.is_empty() => chain[one] = chain[one].saturating_sub(1),
                _ => {}
            }
        }
        _ => {}
    }
    let mut numbers = vec![clauses];
    for chain in chains {
        numbers.push(chain.len() as u64);
        numbers.extend(chain);
    }
    write(&numbers)
}

fn chains(mut numbers: &[u64]) -> Vec<Vec<u64>> {
    let mut chains = Vec::new();
    while let Some((count, rest)) = numbers.split_first() {
        let (chain, behind) = rest.split_at((*count as usize).min(rest.len()));
        chains.push(chain.to_vec());
        numbers = behind;
    }
    chains
}

fn read(bytes: &[u8]) -> Vec<u64> {
    let mut numbers = Vec::new();
    let (mut number, mut shift) = (0u64, 0);
    for byte in bytes {
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if *byte < 0x80 {
            numbers.push(number);
            (number, shift) = (0, 0);
        }
    }
    numbers
}

fn write(numbers: &[u64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in numbers {
        let mut number = *number;
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    }
    bytes
}
