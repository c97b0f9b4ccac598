//! Changes of a proof. Each is made from a number, of what the proof has and of what other proofs have.

mod bytes;
mod contracts;
pub mod coupled;
pub mod difference;
mod partition;
mod parts;
mod terms;
mod text;
mod unwound;

use crate::made::view;
use engine::{Argument, Proof};
use ir::Program;
use slice::Checks;
use testing::Random;

/// What changes are made of.
pub struct Material<'a> {
    /// The program that the proof will be shown for.
    pub program: &'a Program,
    /// Other proofs: of it, of programs that it was edited from.
    pub proofs: &'a [(&'static str, Proof)],
}

/// The proof with these changes, and what they are.
pub fn edited(proof: &Proof, changes: &[u64], material: &Material) -> (Proof, Vec<String>) {
    let mut proof = proof.clone();
    let mut what = Vec::new();
    for change in changes {
        what.push(edit(&mut proof, &mut Random::new(*change), material));
    }
    (proof, what)
}

fn edit(proof: &mut Proof, random: &mut Random, material: &Material) -> String {
    match random.below(14) {
        0 => slice(proof, random, material),
        3 => parts::divided(proof),
        1 if !material.proofs.is_empty() => {
            let (name, other) = &material.proofs[random.below(material.proofs.len())];
            *proof = other.clone();
            format!("it is another one, by {name}")
        }
        2 => bounds_only(proof, random),
        _ => {
            let program = view(material.program, proof.slice.as_ref());
            match &mut proof.argument {
                Argument::Contracts { mode, contracts } => contracts::edit(mode, contracts, &program, random),
                Argument::Unwinding { bound } => {
                    *bound = unwound::number(u64::from(*bound), random) as u32;
                    format!("the bound is {bound}")
                }
                Argument::Unwound(unwound) => unwound::edit(unwound, &program, material, random),
                Argument::Explored(partition) => partition::edit(partition, &program, random),
                Argument::Parts(parts) => parts::edit(parts, random, material),
            }
        }
    }
}

fn slice(proof: &mut Proof, random: &mut Random, material: &Material) -> String {
    proof.slice = match random.below(4) {
        0 => None,
        1 => Some(Checks::All),
        _ => Some(some_checks(material.program, random)),
    };
    format!("the slice is {:?}", proof.slice)
}

/// Those of some functions, or of nobody.
pub fn some_checks(program: &Program, random: &mut Random) -> Checks {
    Checks::In(program.function_ids().filter(|_| random.below(2) == 0).collect())
}

/// Another kind of argument that goes by bounds.
fn bounds_only(proof: &mut Proof, random: &mut Random) -> String {
    let bound = match &proof.argument {
        Argument::Unwinding { bound } => *bound,
        Argument::Unwound(unwound) => unwound.bounds.every,
        _ => random.below(8) as u32,
    };
    proof.argument = match random.below(2) {
        0 => Argument::Unwinding { bound },
        _ => Argument::Unwound(unwound::plain(bound)),
    };
    format!("only the bound {bound} is left")
}
