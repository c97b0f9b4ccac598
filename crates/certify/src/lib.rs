//! Checks certificates of comparisons again, without trusting whoever made them.
//!
//! A certificate ([`format`]) says which functions of which files were compared, under which contract, and why they are equivalent
//! or on which input they differ. [`check`] compiles the files again and believes nothing else: fingerprints are computed
//! anew, transformations done again (`steps`), differences run by the interpreter (`replay`), and proofs checked by `walk`.
//!
//! Why `walk` is sound. Take two runs that end, one of each version, on inputs that satisfy the contract. They are a run of the
//! product: a sequence of locations (pairs of places), where in each step one side or both go on to their next cut point, as the
//! location's `moves` says. Whatever it says is right, as long as somebody moves who can; the checker refuses anything else, and
//! enumerates by itself all that the sides can do next. By induction on the lengths of the runs the formula of every location
//! that is reached holds there: the first one because the contract implies it, the others because each step preserves them
//! (a location that the certificate does not have counts as one with the formula `false`). A call that is left to its own
//! locations is a shorter run; the formula of its start is demanded, that of its end may be used. So the formula of the last location
//! holds when both have ended, and it implies that outputs are equal, or the postcondition. Runs that do not end are not
//! spoken of.
//!
//! Proofs that a program is safe are another kind of certificate: see [`program`].
//!
//! What is shared with the engines, and so is believed: the front end, `ir::transform`, `encode` and the solver.

pub mod format;
mod load;
pub mod program;
mod replay;
mod state;
mod steps;
mod walk;

pub use load::{Disk, Given, Load, front, hash, options};

use base::Budget;
use format::{Certificate, Claim, Contract, Integers, Pair, Proof};
use ir::fingerprint::{Fingerprints, SEMANTICS_VERSION};
use ir::{FuncId, Program};
use std::collections::BTreeSet;
use std::fmt;

/// What a certificate that was accepted has shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// On the pair that decides: did the versions differ?
    pub differs: bool,
    /// What was shown, one line for each pair of functions.
    pub claims: Vec<String>,
    /// What is taken for granted.
    pub assumptions: BTreeSet<String>,
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

/// Checks a certificate against the sources as they are now. Needs a large stack: see [`cfront::with_stack`].
pub fn check(text: &str, load: &dyn Load, budget: &Budget) -> Result<Checked, Flaw> {
    let certificate: Certificate = serde_json::from_str(text).map_err(|e| Flaw::Malformed(e.to_string()))?;
    check_certificate(&certificate, load, budget)
}

pub fn check_certificate(
    certificate: &Certificate,
    load: &dyn Load,
    budget: &Budget,
) -> Result<Checked, Flaw> {
    let (version, semantics) = (certificate.version, certificate.semantics);
    if version != format::VERSION {
        return Err(Flaw::Malformed(format!("it has format {version}, this tool reads {}", format::VERSION)));
    }
    if semantics != SEMANTICS_VERSION {
        let now = SEMANTICS_VERSION;
        return Err(Flaw::Changed(format!("it is for semantics {semantics}, this tool has semantics {now}")));
    }
    if certificate.pairs.is_empty() {
        return Err(Flaw::Malformed("it compares nothing".to_owned()));
    }
    let options = load::options(&certificate.front).map_err(Flaw::Malformed)?;
    let [old, new] = &certificate.sources;
    let programs = [load.program(old, &options)?, load.program(new, &options)?];
    let mut checked = Checked::default();
    for pair in &certificate.pairs {
        check_pair([&programs[0], &programs[1]], pair, budget, &mut checked)?;
    }
    Ok(checked)
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
    pair: &Pair,
    budget: &Budget,
    checked: &mut Checked,
) -> Result<(), Flaw> {
    let functions = find_both(programs, &pair.functions)?;
    let prints = programs.map(|p| Fingerprints::compute(p, b"equiv"));
    for side in 0..2 {
        if prints[side].function(functions[side]).global.to_string() != pair.fingerprints[side] {
            let name = &pair.functions[side];
            return Err(Flaw::Changed(format!("{name}, or something that it runs into, has changed")));
        }
    }
    let context = Context { programs, prints, integers: pair.integers, budget };
    let [old, new] = &pair.functions;
    match &pair.claim {
        Claim::Equivalent(proof) => {
            context.proof(functions, &pair.contract, proof, checked)?;
            checked.claims.push(format!("{old} and {new} are equivalent{}", conditions(&pair.contract)));
        }
        Claim::Different(difference) => {
            replay::replay(programs, functions, pair, difference, budget)?;
            checked.differs = true;
            checked.claims.push(format!("{old} and {new} differ: {}", difference.what));
        }
    }
    if pair.integers == Integers::Unbounded {
        checked.assumptions.insert("integers have no limits".to_owned());
    }
    Ok(())
}

/// The part of the claim that people have to read.
fn conditions(contract: &Contract) -> String {
    let mut text = String::new();
    if !contract.pre.is_empty() {
        text += &format!(" where {}", contract.pre.join(" and "));
    }
    if let Some(post) = &contract.post {
        text += &format!(" in the sense that {}", post.join(" and "));
    }
    text
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
        contract: &Contract,
        proof: &Proof,
        checked: &mut Checked,
    ) -> Result<(), Flaw> {
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
                checked.assumptions.insert(format!("{old} and {new} do the same"));
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
                for same in &coupled.same {
                    let callees = find_both(self.programs, &same.functions)?;
                    self.proof(callees, &inner, &same.proof, checked)?;
                }
                checked.assumptions.insert("both versions end: whether they do is not compared".to_owned());
                walk::check(self, functions, contract, coupled, checked)
            }
        }
    }
}
