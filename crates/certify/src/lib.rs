//! Checks certificates again, without trusting whoever made them.
//!
//! A certificate ([`file`]) has a claim ([`claim`]) and says why it holds. The caller brings the programs and
//! the claim, both made of what the user says; nothing here reads a file or starts a command. Of the
//! certificate nothing is believed: its claim must be the one that is asked, transformations are done again
//! (`steps`), differences run by the interpreter (`replay`), and proofs checked by `walk`. Preconditions and
//! postconditions are those that the user wrote ([`Conditions`]).
//!
//! Why `walk` is sound. Take two runs that end, one of each version, on inputs that satisfy the contract.
//! They are a run of the product: a sequence of locations (pairs of places), where in each step one side or
//! both go on to their next cut point, as the location's `moves` says. Whatever it says is right, as long as
//! somebody moves who can; the checker refuses anything else, and enumerates by itself all that the sides can
//! do next. By induction on the lengths of the runs the formula of every location that is reached holds
//! there: the first one because the contract implies it, the others because each step preserves them (a
//! location that the certificate does not have counts as one with the formula `false`). A call that is left
//! to its own locations is a shorter run; the formula of its start is demanded, that of its end may be used.
//! So the formula of the last location holds when both have ended, and it implies that outputs are equal, or
//! the postcondition. Runs that do not end are not spoken of.
//!
//! Proofs that a program is safe are another kind of certificate: see [`program`].
//!
//! What is shared with the engines, and so is believed: the front end, `ir::transform`, `encode` and the
//! solver.

pub mod claim;
mod conditions;
pub mod file;
pub mod format;
pub mod program;
mod replay;
mod state;
mod steps;
pub mod symbols;
mod walk;

pub use conditions::{Conditions, Equality};

use base::Budget;
use claim::{Comparison, Contract, Integers, agree};
use engine::Assumption;
use format::{Answer, Certificate, Proof, Verdict};
use ir::fingerprint::Fingerprints;
use ir::{FuncId, Program};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// What a certificate that was accepted has shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// On the pair that decides: did the versions differ?
    pub differs: bool,
    /// What was shown, one line for each pair of functions that has an answer.
    pub claims: Vec<String>,
    /// What is taken for granted.
    pub assumptions: BTreeSet<Assumption>,
    /// How many queries the solver answered.
    pub queries: usize,
}

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// It is none, or one of another version of the tool.
    Malformed(String),
    /// It is about other programs than those that are here.
    Changed(String),
    /// It proves nothing.
    Wrong(String),
    /// It could not be decided.
    Open(String),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Flaw::Malformed(why) => write!(f, "not a certificate that can be checked: {why}"),
            Flaw::Changed(why) => write!(f, "it is about something else: {why}"),
            Flaw::Wrong(why) => write!(f, "it does not prove its claim: {why}"),
            Flaw::Open(why) => write!(f, "it could not be checked: {why}"),
        }
    }
}

impl std::error::Error for Flaw {}

/// A hash of a file's bytes, as claims have it.
pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_string()
}

/// Does the certificate show what is asked? `programs` are made of the sources and with the options that
/// `asked` has, and `conditions` are those of its pairs: whoever asks sees to that. Needs a large stack: see
/// `cfront::with_stack`.
pub fn check(
    text: &str,
    asked: &Comparison,
    programs: [&Program; 2],
    conditions: &[&dyn Conditions],
    budget: &Budget,
) -> Result<Checked, Flaw> {
    let certificate: Certificate = file::read(text)?;
    agree(&certificate.claim, asked)?;
    let answer_to = |names: &[String; 2]| certificate.proof.iter().find(|answer| answer.functions == *names);
    let mut checked = Checked::default();
    let mut missing = None;
    for (pair, conditions) in asked.pairs.iter().zip(conditions) {
        let Some(answer) = answer_to(&pair.functions) else {
            missing = missing.or(Some(&pair.functions));
            continue;
        };
        let functions = find_both(programs, &pair.functions)?;
        let demand = Demand { contract: &pair.contract, integers: asked.integers, conditions: *conditions };
        check_pair(programs, functions, &demand, answer, budget, &mut checked)?;
    }
    match missing {
        // One pair that differs is enough.
        Some([old, new]) if !checked.differs => {
            Err(Flaw::Wrong(format!("it says nothing about {old} and {new}")))
        }
        None if checked.claims.is_empty() => Err(Flaw::Wrong("nothing is compared".to_owned())),
        _ => Ok(checked),
    }
}

/// What is asked of one pair of functions.
pub struct Demand<'a> {
    pub contract: &'a Contract,
    pub integers: Integers,
    pub conditions: &'a dyn Conditions,
}

/// What the checks of one pair and of its callees have in common.
struct Context<'a> {
    programs: [&'a Program; 2],
    prints: [Fingerprints; 2],
    integers: Integers,
    budget: &'a Budget,
}

/// Checks what a certificate says about one pair of functions of two programs.
pub fn check_pair(
    programs: [&Program; 2],
    functions: [FuncId; 2],
    demand: &Demand,
    answer: &Answer,
    budget: &Budget,
    checked: &mut Checked,
) -> Result<(), Flaw> {
    let settled = encode::start::settle(programs);
    let programs = [&settled[0], &settled[1]];
    let prints = programs.map(Fingerprints::compute);
    let context = Context { programs, prints, integers: demand.integers, budget };
    let [old, new] = [0, 1].map(|i: usize| programs[i].function(functions[i]).name.clone());
    match &answer.verdict {
        Verdict::Equivalent(proof) => {
            // Whole programs are compared from where they start.
            let whole = [&old, &new].iter().all(|name| &***name == "main");
            if let Some(unlike) = encode::start::unlike(programs, functions, whole) {
                return Err(Flaw::Open(unlike.to_string()));
            }
            context.proof(functions, demand, proof, checked)?;
            checked.claims.push(format!("{old} and {new} are equivalent"));
        }
        Verdict::Different(difference) => {
            let what =
                replay::replay(programs, functions, demand.contract, demand.integers, difference, budget)?;
            checked.differs = true;
            checked.claims.push(format!("{old} and {new} differ: {what}"));
        }
    }
    if demand.integers == Integers::Unbounded {
        checked.assumptions.insert(Assumption::UnboundedIntegers);
    }
    Ok(())
}

fn find(program: &Program, name: &str) -> Result<FuncId, Flaw> {
    program.find_function(name).ok_or_else(|| Flaw::Changed(format!("there is no function {name}")))
}

fn find_both(programs: [&Program; 2], names: &[String; 2]) -> Result<[FuncId; 2], Flaw> {
    Ok([find(programs[0], &names[0])?, find(programs[1], &names[1])?])
}

impl Context<'_> {
    fn proof(
        &self,
        functions: [FuncId; 2],
        demand: &Demand,
        proof: &Proof,
        checked: &mut Checked,
    ) -> Result<(), Flaw> {
        let contract = demand.contract;
        let names = [0, 1].map(|i: usize| self.programs[i].function(functions[i]).name.to_string());
        let [old, new] = &names;
        match proof {
            Proof::Identical => {
                let [f, g] = functions;
                let [a, b] = &self.prints;
                let defined = (0..2).all(|i| self.programs[i].function(functions[i]).cfa().is_some());
                // Whole programs also start with what their globals hold.
                let same_start =
                    old != "main" || a.entry(self.programs[0], f) == b.entry(self.programs[1], g);
                let same = defined && same_start && a.function(f).global == b.function(g).global;
                let plain = contract.equal_inputs && contract.post.is_none();
                match same && plain {
                    true => Ok(()),
                    false => Err(Flaw::Wrong(format!("{old} and {new} are not the same program"))),
                }
            }
            Proof::Assumed => {
                if !contract.assumed.contains(&names) {
                    return Err(Flaw::Wrong(format!("nobody assumed that {old} and {new} are the same")));
                }
                checked.assumptions.insert(Assumption::SameFunctions(names.map(Arc::from)));
                Ok(())
            }
            Proof::Coupled(coupled) => {
                let inner = Contract {
                    equal_inputs: true,
                    equal_memory: true,
                    pre: Vec::new(),
                    post: None,
                    assumed: contract.assumed.clone(),
                };
                let inner = Demand { contract: &inner, integers: self.integers, conditions: &Equality };
                for same in &coupled.same {
                    let callees = find_both(self.programs, &same.functions)?;
                    self.proof(callees, &inner, &same.proof, checked)?;
                }
                checked.assumptions.insert(Assumption::BothEnd);
                walk::check(self, functions, demand, coupled, checked)
            }
        }
    }
}
