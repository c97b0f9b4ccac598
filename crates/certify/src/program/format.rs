//! The file in which a proof outlives the process: what was verified, and why it is safe.
//!
//! Functions are known by their names, cut points by their numbers, which front end, slicing and encoding
//! always give alike. Formulas are SMT-LIB terms over the variables that `encode::TransitionSystem` names.

use super::variables::{Variables, locals, shared};
use super::{Checked, Known, Refused, check_proof, clause};
use crate::Flaw;
use crate::claim::{Safety, agree};
use crate::file::{self, File};
use crate::format::Encoding;
use crate::symbols::{Symbols, scope, symbols};
use base::Budget;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use encode::{IntMode, TransitionSystem};
use engine::{
    Argument, Bounds, Contract, Invariant, LoopBound, Partition, Proof, RESULT, Slot, Unwound, Widened,
};
use ir::{CheckKind, FuncId, LocalId, NodeId, Program};
use logic::parse::{Scope, parse_term};
use sat::Refutation;
use serde::{Deserialize, Serialize};
use slice::{Checks, Slicer};
use std::sync::Arc;

/// A program that was certified.
type Certificate = File<Safety, Written>;

/// A proof, in writing.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    slice: Option<Slice>,
    argument: Shown,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Slice {
    /// Those whose checks count; none if all do.
    functions: Option<Vec<String>>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Shown {
    Contracts {
        encoding: Encoding,
        /// Functions and addresses that formulas mention, with the sorts of their arguments and results.
        symbols: Symbols,
        functions: Vec<Function>,
    },
    Unwinding {
        bound: u32,
    },
    Unwound {
        bound: u32,
        recursion: Option<u32>,
        /// Of single loops: the function, the number of the loop in it, the bound.
        loops: Vec<(String, u32, u32)>,
        free: u64,
        widened: Widened,
        invariants: Vec<Invariant>,
        /// Each as the distance from the one before it.
        pruned: Vec<u64>,
        /// As [`Refutation::to_bytes`] has it, in base 64.
        refutation: Option<String>,
    },
    Explored {
        divided: Vec<Divided>,
    },
    Parts {
        parts: Vec<Written>,
    },
}

/// A variable whose values are divided.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Divided {
    /// None for globals.
    function: Option<String>,
    variable: String,
    /// Both ends included, as decimal numbers.
    intervals: Vec<(String, String)>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Function {
    name: String,
    requires: String,
    ensures: String,
    invariants: Vec<Point>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Point {
    node: u32,
    /// In the source, for people.
    line: u32,
    holds: String,
}

/// A proof as a file, unless it is too long. `program` is what the proof is about, before slicing.
pub fn to_text(claim: &Safety, program: &Program, proof: &Proof) -> Option<String> {
    Certificate::new(claim.clone(), written(program, proof)).text()
}

fn written(program: &Program, proof: &Proof) -> Written {
    let argument = match &proof.argument {
        Argument::Unwinding { bound } => Shown::Unwinding { bound: *bound },
        Argument::Unwound(unwound) => shown(unwound),
        Argument::Explored(partition) => Shown::Explored { divided: divided(program, partition) },
        Argument::Contracts { mode, contracts } => Shown::Contracts {
            encoding: match mode {
                IntMode::Bv => Encoding::Bitvectors,
                IntMode::Wrap => Encoding::Wrapping,
                IntMode::Unbounded => Encoding::Unbounded,
            },
            symbols: mentioned(contracts),
            functions: contracts.iter().map(|c| function(program, c)).collect(),
        },
        Argument::Parts(parts) => {
            Shown::Parts { parts: parts.iter().map(|part| written(program, part)).collect() }
        }
    };
    let name = |f: &FuncId| program.function(*f).name.to_string();
    let slice = proof.slice.as_ref().map(|checks| match checks {
        Checks::All => Slice { functions: None },
        Checks::In(functions) => Slice { functions: Some(functions.iter().map(name).collect()) },
    });
    Written { slice, argument }
}

/// Does the certificate show what is asked? `program` is made of the sources and with the options that
/// `asked` has: whoever asks sees to that. It is a verified one, and has exactly the checks that count. Needs
/// a large stack: see `cfront::with_stack`.
pub fn check_text(
    text: &str,
    asked: &Safety,
    program: &Program,
    budget: &Budget,
    known: &mut dyn Known,
) -> Result<Checked, Refused> {
    let file: Certificate = file::read(text)?;
    agree(&file.claim, asked)?;
    let entry = crate::find(program, &asked.entry)?;
    if program.function(entry).cfa().is_none() {
        return Err(Flaw::Changed(format!("{} has no body", program.function(entry).name)).into());
    }
    let slicer = Slicer::new(program, entry);
    let proof = read(file.proof, program, &slicer, entry, Nesting::Whole)?;
    let mut checked = check_proof(program, entry, &proof, budget, known)?;
    let looked_for = |kind: CheckKind| asked.front.checks.iter().any(|name| name == kind.name());
    checked.assumptions.retain(|assumption| !assumption.is_checked(looked_for));
    Ok(checked)
}

#[derive(Clone, Copy, PartialEq)]
enum Nesting {
    Whole,
    Part,
}

fn read(
    written: Written,
    program: &Program,
    slicer: &Slicer,
    entry: FuncId,
    nesting: Nesting,
) -> Result<Proof, Refused> {
    let slice = written.slice.map(|slice| checks(program, slice)).transpose()?;
    let argument = match written.argument {
        Shown::Unwinding { bound } => Argument::Unwinding { bound },
        Shown::Unwound { bound, recursion, loops, free, widened, invariants, pruned, refutation } => {
            let loops =
                loops.into_iter().map(|(function, number, bound)| LoopBound { function, number, bound });
            let bounds = Bounds { every: bound, recursion, loops: loops.collect() };
            let refutation = refutation.map(|text| refutation_of(&text)).transpose()?;
            let pruned = pruned.into_iter().scan(0u64, |at, by| {
                *at = at.saturating_add(by);
                Some(*at)
            });
            let pruned = pruned.collect();
            Argument::Unwound(Unwound { bounds, free, widened, invariants, pruned, refutation })
        }
        Shown::Explored { divided } => Argument::Explored(partition_of(program, &divided)?),
        Shown::Contracts { encoding, symbols, functions } => {
            let mode = match encoding {
                Encoding::Bitvectors => IntMode::Bv,
                Encoding::Wrapping => IntMode::Wrap,
                Encoding::Unbounded => IntMode::Unbounded,
            };
            // The variables are those of the slice, whose memory may be divided otherwise.
            let sliced = slice.as_ref().map(|checks| slicer.slice(checks));
            let system = TransitionSystem::new(sliced.as_ref().unwrap_or(program), entry, mode)?;
            let scope = scope(&symbols)?;
            let contracts = functions.iter().map(|f| contract(&system, &scope, f));
            Argument::Contracts { mode, contracts: contracts.collect::<Result<_, _>>()? }
        }
        Shown::Parts { .. } if nesting == Nesting::Part => {
            return Err(Flaw::Malformed("a part of it is divided again".to_owned()).into());
        }
        Shown::Parts { parts } => {
            let parts = parts.into_iter().map(|part| read(part, program, slicer, entry, Nesting::Part));
            Argument::Parts(parts.collect::<Result<_, _>>()?)
        }
    };
    Ok(Proof { slice, argument })
}

fn checks(program: &Program, slice: Slice) -> Result<Checks, Refused> {
    let Some(names) = slice.functions else { return Ok(Checks::All) };
    let functions = names.iter().map(|name| crate::find(program, name));
    Ok(Checks::of(functions.collect::<Result<_, _>>()?))
}

fn shown(unwound: &Unwound) -> Shown {
    let Unwound { bounds, free, widened, invariants, pruned, refutation } = unwound;
    let loops = bounds.loops.iter().map(|l| (l.function.clone(), l.number, l.bound)).collect();
    let bytes = refutation.as_ref().map(|r| r.to_bytes()).filter(|bytes| bytes.len() <= LONGEST_REFUTATION);
    Shown::Unwound {
        bound: bounds.every,
        recursion: bounds.recursion,
        loops,
        free: *free,
        widened: widened.clone(),
        invariants: invariants.clone(),
        pruned: std::iter::once(&0)
            .chain(pruned.iter())
            .zip(pruned.iter())
            .map(|(a, b)| b.saturating_sub(*a))
            .collect(),
        refutation: bytes.map(|bytes| BASE64_STANDARD.encode(bytes)),
    }
}

/// In bytes; a longer one is left out, and found again by whoever checks.
const LONGEST_REFUTATION: usize = 32 << 20;

fn refutation_of(text: &str) -> Result<Arc<Refutation>, Flaw> {
    let bytes = BASE64_STANDARD.decode(text).ok();
    let refutation = bytes.and_then(|bytes| Refutation::from_bytes(&bytes));
    refutation.map(Arc::new).ok_or_else(|| Flaw::Malformed("its refutation is none".to_owned()))
}

fn divided(program: &Program, partition: &Partition) -> Vec<Divided> {
    let name = |slot: &Slot| match slot {
        Slot::Global(id) => (None, program.global(*id).name.to_string()),
        Slot::Local(f, id) => {
            let function = program.function(*f);
            (Some(function.name.to_string()), function.local(*id).name.to_string())
        }
    };
    let divided = partition.intervals.iter().map(|(slot, intervals)| {
        let (function, variable) = name(slot);
        let intervals = intervals.iter().map(|(low, high)| (low.to_string(), high.to_string())).collect();
        Divided { function, variable, intervals }
    });
    divided.collect()
}

fn partition_of(program: &Program, divided: &[Divided]) -> Result<Partition, Refused> {
    let mut intervals = Vec::new();
    for Divided { function, variable, intervals: listed } in divided {
        let slot = match function {
            None => program.find_global(variable).map(Slot::Global),
            Some(name) => {
                let f = crate::find(program, name)?;
                let locals = &program.function(f).locals;
                let found = locals.iter().position(|local| *local.name == **variable);
                found.map(|i| Slot::Local(f, LocalId(i as u32)))
            }
        };
        let slot = slot.ok_or_else(|| Flaw::Changed(format!("there is no variable {variable}")))?;
        let number = |text: &String| text.parse::<i128>().ok();
        let read = listed.iter().map(|(low, high)| number(low).zip(number(high)).filter(|(l, h)| l <= h));
        let read = read.collect::<Option<Vec<_>>>();
        let ascend = |list: &Vec<(i128, i128)>| list.windows(2).all(|w| w[0].1 < w[1].0);
        let read = read.filter(ascend);
        let read = read.ok_or_else(|| Flaw::Malformed(format!("the intervals of {variable} are none")))?;
        intervals.push((slot, read));
    }
    Ok(Partition { intervals })
}

fn function(program: &Program, contract: &Contract) -> Function {
    let text = logic::print::with_lets;
    let id = contract.function;
    let known = program.functions.get(id.0 as usize);
    let line = |node: NodeId| known.and_then(|_| clause::place(program, id, node)).map_or(0, |pos| pos.line);
    let invariants = contract.invariants.iter();
    Function {
        name: known.map(|f| f.name.to_string()).unwrap_or_default(),
        requires: text(contract.requires),
        ensures: text(contract.ensures),
        invariants: invariants
            .map(|(node, term)| Point { node: node.0, line: line(*node), holds: text(*term) })
            .collect(),
    }
}

/// What the formulas of contracts mention besides variables.
fn mentioned(contracts: &[Contract]) -> Symbols {
    symbols(
        contracts.iter().flat_map(|c| {
            [c.requires, c.ensures].into_iter().chain(c.invariants.iter().map(|(_, term)| *term))
        }),
    )
}

fn contract(system: &TransitionSystem, symbols: &Scope, function: &Function) -> Result<Contract, Refused> {
    let id = crate::find(&system.program, &function.name)?;
    let variables = Variables::of(system, id)?;
    let (now, old) = (&variables.now, &variables.old);
    let mut scope = symbols.clone();
    for v in locals(now).chain(shared(now)).chain(locals(old)).chain(shared(old)).flatten() {
        scope.declare(v.var_name().unwrap_or_default(), &[], v.sort());
    }
    if let Some(result) = variables.result {
        scope.declare(RESULT, &[], result.sort());
    }
    let term = |text: &str, what: &str| {
        let read = parse_term(text, &scope);
        read.map_err(|e| Flaw::Malformed(format!("{what} of {}: {e}", function.name)))
    };
    let mut invariants = Vec::new();
    for point in &function.invariants {
        invariants.push((
            NodeId(point.node),
            term(&point.holds, &format!("the invariant of node {}", point.node))?,
        ));
    }
    Ok(Contract {
        function: id,
        requires: term(&function.requires, "the precondition")?,
        ensures: term(&function.ensures, "the postcondition")?,
        invariants,
    })
}
