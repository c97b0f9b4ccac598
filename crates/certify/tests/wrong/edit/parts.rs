//! Changes of proofs that are divided by checks.

use super::{Material, edit as edit_proof, some_checks};
use engine::{Argument, Proof};
use testing::Random;

pub fn edit(parts: &mut Vec<Proof>, random: &mut Random, material: &Material) -> String {
    if parts.is_empty() {
        return "there are no parts".to_owned();
    }
    let at = random.below(parts.len());
    match random.below(5) {
        0 => {
            parts.remove(at);
            format!("part {at} is gone")
        }
        1 => {
            parts[at].slice = Some(some_checks(material.program, random));
            format!("part {at} is about {:?}", parts[at].slice)
        }
        2 => {
            let other = random.below(parts.len());
            parts[at].argument = parts[other].argument.clone();
            format!("part {at} says what part {other} says")
        }
        3 => {
            let other = random.below(parts.len());
            parts.swap(at, other);
            format!("parts {at} and {other} change places")
        }
        _ => format!("part {at}: {}", edit_proof(&mut parts[at], random, material)),
    }
}

/// The same as a single part.
pub fn divided(proof: &mut Proof) -> String {
    let part = proof.clone();
    *proof = Proof { slice: None, argument: Argument::Parts(vec![part]) };
    "it is a part".to_owned()
}
