//! The most tempting wrong proofs: contracts of which everything is taken away that the checker complains
//! about, until it accepts them or complains about the check itself.
//!
//! That is a search for an inductive proof with the checker as its oracle: if anything that the formulas can
//! say would pass for a program that fails, it is likely to be found here.

use crate::judge::TIME;
use crate::made::{compile, contracts, fails, seconds};
use crate::programs::FAMILIES;
use certify::program::{Clause, Nothing, What, check_proof};
use engine::{Argument, Contract, Proof};
use ir::{NodeId, Program};
use logic::Term;

/// So often something is taken away.
const MOST: usize = 60;

/// How many complaints it takes until nothing can be taken away any more.
fn attack(program: &Program, proof: &Proof) -> Result<usize, String> {
    let entry = program.find_function("main").expect("programs have a main");
    let mut proof = proof.clone();
    for round in 0..MOST {
        let refused = match check_proof(program, entry, &proof, &seconds(TIME), &mut Nothing) {
            Ok(checked) => return Err(format!("accepted: {:?}: {proof:?}", checked.claims)),
            Err(refused) => refused,
        };
        let Argument::Contracts { contracts, .. } = &mut proof.argument else { return Ok(round) };
        let weaker = refused.clause.is_some_and(|clause| weaken(program, contracts, &clause));
        if !weaker {
            return Ok(round);
        }
    }
    Ok(MOST)
}

fn weaken(program: &Program, contracts: &mut [Contract], clause: &Clause) -> bool {
    // It is about what the callee requires, or about the function that it is in.
    let name = if let What::Call(callee) = &clause.what { callee } else { &clause.function };
    let id = program.find_function(name);
    let Some(contract) = contracts.iter_mut().find(|contract| Some(contract.function) == id) else {
        return false;
    };
    let at = |contract: &mut Contract, node: NodeId| {
        match contract.invariants.iter_mut().find(|(n, _)| *n == node) {
            Some((_, invariant)) => taken_away(invariant, clause),
            // What was not to be reached can have any state.
            None => {
                contract.invariants.push((node, Term::bool(true)));
                true
            }
        }
    };
    match (&clause.what, clause.node) {
        (What::Initially | What::Call(_), _) => taken_away(&mut contract.requires, clause),
        (What::Returns, _) => taken_away(&mut contract.ensures, clause),
        (What::Entry, Some(node)) => at(contract, node),
        (What::Preserved { to, .. } | What::Behind { to, .. }, _) => at(contract, *to),
        _ => false,
    }
}

/// The part that does not follow, or everything.
fn taken_away(formula: &mut Term, clause: &Clause) -> bool {
    if formula.is_true() {
        return false;
    }
    let shown = |t: &Term| Some(logic::print::pretty(*t, &str::to_owned));
    let parts = formula.conjuncts();
    let left: Vec<Term> = parts.iter().copied().filter(|part| shown(part) != clause.formula).collect();
    let all = left.len() == parts.len() || clause.formula.is_none();
    *formula = if all { Term::bool(true) } else { Term::all(left) };
    true
}

#[test]
fn contracts_weakened_as_far_as_it_goes() {
    let work = || {
        let (mut attacks, mut steps) = (0, 0);
        for family in FAMILIES {
            let safe = compile(family.text, family.checks);
            if let Some(proof) = contracts(&safe) {
                for edit in family.edits {
                    let bad = fails(&family.edited(*edit), family.checks);
                    match attack(&bad.program, &proof) {
                        Ok(taken) => (attacks, steps) = (attacks + 1, steps + taken),
                        Err(why) => panic!("{}, {edit:?}: {why}\n{}", family.name, bad.text),
                    }
                }
            }
        }
        println!("{attacks} proofs, {steps} parts taken away");
        assert!(steps > attacks && attacks > 0, "{attacks} {steps}");
    };
    cfront::with_stack(work).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}
