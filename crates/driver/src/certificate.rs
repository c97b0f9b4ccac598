//! Answers of `equiv` as certificates: what `certify` needs to come to the same answer by itself.
//!
//! That is how a proof is confirmed, too, before anybody hears of it ([`confirm`]).

use base::Budget;
use certify::claim::{self, Contract, Pair};
use certify::format::{self, Answer, Coupled, Encoding, Moves, Same, Step, Version};
use certify::symbols::symbols;
use certify::{Checked, Conditions, Demand};
use encode::{IntMode, Look, Unsupported};
use engine::Undecided;
use equiv::concrete::{Base, Difference, Place, Run, Value};
use equiv::contract::SpecContract;
use equiv::product::{self, Located, Move, Unit};
use equiv::shape::Change;
use equiv::side;
use equiv::spec::InputEquality;
use equiv::verdict::{Coupling, ProofKind};
use equiv::{Integers, Proof, Request, Verdict};
use ir::FuncId;
use logic::Term;
use logic::print::with_lets;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does the checker accept a proof? For the portfolio of `equiv`, which goes on where it does not.
pub fn confirm(request: &Request, proof: &Proof, budget: &Budget) -> Result<(), Undecided> {
    let refused = |why: String| Err(Undecided::NotCertified(why));
    let Some(claim) = claim(request, proof) else {
        return refused("it is of a kind that certificates do not hold".to_owned());
    };
    let answer = Answer { functions: names(request), verdict: format::Verdict::Equivalent(claim) };
    let demand = Demand {
        contract: &asked(request).contract,
        integers: integers(request.integers),
        conditions: &Asked(request),
    };
    let (programs, mut checked) = (request.pair.programs(), Checked::default());
    let check = || certify::check_pair(programs, request.functions, &demand, &answer, budget, &mut checked);
    match catch_unwind(AssertUnwindSafe(check)) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(flaw)) => refused(flaw.to_string()),
        Err(_) => refused("internal error in the checker".to_owned()),
    }
}

/// What is asked of one pair of functions, as claims have it.
pub fn asked(request: &Request) -> Pair {
    let spec = request.spec;
    let texts = |list: &[equiv::spec::Condition]| list.iter().map(|c| c.text.clone()).collect();
    Pair {
        functions: names(request),
        contract: Contract {
            equal_inputs: spec.input_equality == InputEquality::Assumed,
            equal_memory: product::Contract::equal_memory(&Asked(request).contract(IntMode::Bv)),
            pre: texts(&spec.pre),
            post: spec.post.as_deref().map(texts),
            assumed: spec.assume_equivalent.iter().map(|(f, g)| [f.clone(), g.clone()]).collect(),
        },
    }
}

pub fn integers(integers: Integers) -> claim::Integers {
    match integers {
        Integers::Machine => claim::Integers::Machine,
        Integers::Unbounded => claim::Integers::Unbounded,
    }
}

/// The answer to one comparison; None if there is none, or one that a certificate cannot hold.
pub fn answer(request: &Request, verdict: &Verdict) -> Option<Answer> {
    let verdict = match verdict {
        Verdict::Equivalent(proof) => format::Verdict::Equivalent(claim(request, proof)?),
        Verdict::NotEquivalent(difference) => format::Verdict::Different(Box::new(differs(difference)?)),
        Verdict::Unknown(_) => return None,
    };
    Some(Answer { functions: names(request), verdict })
}

fn names(request: &Request) -> [String; 2] {
    let programs = request.pair.programs();
    [0, 1].map(|side: usize| programs[side].function(request.functions[side]).name.to_string())
}

/// The conditions of a request, for the checker.
pub struct Asked<'a>(pub &'a Request<'a>);

impl<'a> Asked<'a> {
    fn contract(&self, mode: IntMode) -> SpecContract<'a> {
        let Request { pair, functions, spec, .. } = *self.0;
        SpecContract { spec, mode, programs: pair.programs(), functions }
    }
}

impl Conditions for Asked<'_> {
    fn pre(&self, mode: IntMode, look: &dyn Look) -> Result<Term, Unsupported> {
        product::Contract::pre(&self.contract(mode), look)
    }

    fn post(&self, mode: IntMode, look: &dyn Look) -> Result<Option<Term>, Unsupported> {
        product::Contract::post(&self.contract(mode), look)
    }
}

fn claim(request: &Request, proof: &Proof) -> Option<format::Proof> {
    Some(match &proof.kind {
        ProofKind::Identical => format::Proof::Identical,
        ProofKind::Assumed => format::Proof::Assumed,
        ProofKind::Coupled(coupling) => {
            format::Proof::Coupled(Box::new(coupled(request, coupling, &proof.callees)?))
        }
        // Nothing but running everything again would confirm it, or finding the proof again.
        ProofKind::Exhausted { .. } | ProofKind::Known => return None,
    })
}

fn coupled(request: &Request, coupling: &Coupling, callees: &[Proof]) -> Option<Coupled> {
    let programs = request.pair.programs();
    let product = &coupling.product;
    let name = |side: usize, f: FuncId| programs[side].function(f).name.to_string();
    let version = |side: usize| Version::BOTH[side];
    let steps = coupling.steps.iter().map(|step| Step {
        version: version(step.side),
        function: name(step.side, step.function),
        change: match &step.change {
            Change::Rename(to) => format::Change::Rename(to.clone()),
            Change::Inline(edges) => format::Change::Inline(edges.iter().map(|e| e.0).collect()),
            Change::Unroll(head, factor) => format::Change::Unroll { head: head.0, factor: *factor },
            Change::Peel(head, times) => format::Change::Peel { head: head.0, times: *times },
        },
    });
    let changed: BTreeSet<(usize, FuncId)> = coupling.steps.iter().map(|s| (s.side, s.function)).collect();
    let transformed = changed
        .into_iter()
        .map(|(side, f)| (version(side), name(side, f), ir::print_function(&coupling.programs[side], f)));
    let mut same = Vec::new();
    for (f, common) in &product.same[0] {
        for (g, _) in product.same[1].iter().filter(|(_, other)| *other == common) {
            let functions = [name(0, *f), name(1, *g)];
            let assumed = |(f, g): &(String, String)| [f, g] == [&functions[0], &functions[1]];
            let proof = match callees.iter().find(|p| p.names == functions) {
                Some(proof) => claim(request, proof)?,
                None if request.spec.assume_equivalent.iter().any(assumed) => format::Proof::Assumed,
                None => format::Proof::Identical,
            };
            same.push(Same { functions, proof });
        }
    }
    let mut functions = BTreeMap::new();
    let mut locations = Vec::new();
    for (located, formula) in product.locations.iter().zip(&coupling.solution.formulas) {
        functions.extend(symbols([*formula]));
        let (old, new) = match located.location.unit {
            Unit::Pair(f, g) => (Some(name(0, f)), Some(name(1, g))),
            Unit::Old(f) => (Some(name(0, f)), None),
            Unit::New(g) => (None, Some(name(1, g))),
        };
        locations.push(format::Location {
            functions: [old, new],
            places: [located.location.old, located.location.new].map(|p| p.map(format::Place::from)),
            moves: moves(located, product.eager),
            formula: with_lets(*formula),
        });
    }
    Some(Coupled {
        encoding: match coupling.mode {
            IntMode::Bv => Encoding::Bitvectors,
            IntMode::Wrap => Encoding::Wrapping,
            IntMode::Unbounded => Encoding::Unbounded,
        },
        steps: steps.collect(),
        transformed: transformed.collect(),
        same,
        matched: product.matched.iter().map(|(f, g)| [name(0, *f), name(1, *g)]).collect(),
        functions,
        locations,
    })
}

fn moves(located: &Located, eager: bool) -> Moves {
    match located.step {
        None => Moves::Done,
        Some(Move::Old) => Moves::Old,
        Some(Move::New) => Moves::New,
        Some(Move::Both) if eager || located.location.old == Some(side::Place::Start) => Moves::Both,
        Some(Move::Both) => Moves::Wait,
    }
}

/// None for differences that a certificate cannot hold.
fn differs(difference: &Difference) -> Option<format::Difference> {
    let input = &difference.input;
    let list = |values: &[Value]| values.iter().map(value).collect::<Option<Vec<_>>>();
    let mut memory = Vec::new();
    for place in input.memory.places() {
        let (object, global) = match place {
            Place::Object(index) => (Some(*index), None),
            Place::Global(name) => (None, Some(name.to_string())),
        };
        for (offset, run) in input.memory.runs(place) {
            let content = match run {
                Run::Bytes(bytes) => format::Content::Bytes(bytes),
                Run::Pointer(pointer) => format::Content::Pointer(value(&Value::Pointer(pointer))?),
            };
            memory.push(format::Bytes { object, global: global.clone(), offset, content });
        }
    }
    let inputs = input.inputs.iter().map(|((name, index), v)| Some((name.to_string(), *index, value(v)?)));
    let returns = input
        .returns
        .iter()
        .map(|(key, v)| Some((key.name.to_string(), list(&key.args)?, key.index, value(v)?)));
    Some(format::Difference {
        args: [list(&input.args[0])?, list(&input.args[1])?],
        objects: input.objects.clone(),
        memory,
        inputs: inputs.collect::<Option<_>>()?,
        returns: returns.collect::<Option<_>>()?,
    })
}

fn value(value: &Value) -> Option<format::Value> {
    Some(match value {
        Value::Bits(bits) => format::Value::Bits(bits.to_string()),
        Value::Pointer(pointer) => match &pointer.base {
            Base::Object(index) => format::Value::Object(*index, pointer.offset),
            Base::Global(name) => format::Value::Global(name.to_string(), pointer.offset),
            Base::Function(name) => format::Value::Function(name.to_string()),
            Base::Nothing => format::Value::Nothing,
            Base::Local { .. } | Base::Heap(_) => return None,
        },
    })
}
