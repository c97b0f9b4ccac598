//! The file in which a proof outlives the process: what was verified, and why it is safe.
//!
//! Functions are known by their names, cut points by their numbers, which front end, slicing and encoding always give alike. Formulas are
//! SMT-LIB terms over the variables that `encode::Whole` names.

use super::variables::{Variables, locals, shared};
use super::{Checked, Known, Refused, check_proof, clause};
use crate::format::{Encoding, Front, Source};
use crate::{Flaw, Load};
use base::Budget;
use encode::{IntMode, Whole};
use engine::{Argument, Contract, Proof, RESULT};
use ir::fingerprint::SEMANTICS_VERSION;
use ir::{Body, CheckKind, FuncId, NodeId, Program};
use logic::parse::{Scope, parse_sexprs, parse_sort, parse_term};
use logic::{Op, Sort, Term};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Raised with every change of what is written here.
pub const VERSION: u32 = 1;

/// What tells these certificates from those of comparisons.
pub const KIND: &str = "program";

/// What a proof is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    /// In the order in which they were compiled.
    pub sources: Vec<Source>,
    pub front: Front,
    /// The kinds of checks that count, if not all that the front end makes: see [`restrict`].
    pub checks: Option<BTreeSet<CheckKind>>,
    pub entry: String,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    kind: String,
    version: u32,
    /// The tool's version, for people.
    tool: String,
    semantics: u32,
    front: Front,
    sources: Vec<Source>,
    checks: Option<Vec<String>>,
    entry: String,
    slice: Option<Slice>,
    argument: Shown,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Slice {
    endings: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Shown {
    Contracts {
        encoding: Encoding,
        /// Functions and addresses that formulas mention, with the sorts of their arguments and results.
        symbols: BTreeMap<String, (Vec<String>, String)>,
        functions: Vec<Function>,
    },
    Unwinding {
        bound: u32,
    },
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

/// Is this a certificate of a program, and not of a comparison? Says nothing about whether it can be read.
pub fn is_program(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Head {
        kind: Option<String>,
    }
    serde_json::from_str::<Head>(text).is_ok_and(|head| head.kind.is_some())
}

/// A proof as a file. `program` is what the proof is about, before slicing.
pub fn to_text(subject: &Subject, program: &Program, proof: &Proof) -> String {
    let argument = match &proof.argument {
        Argument::Unwinding { bound } => Shown::Unwinding { bound: *bound },
        Argument::Contracts { mode, contracts } => Shown::Contracts {
            encoding: match mode {
                IntMode::Bv => Encoding::Bitvectors,
                IntMode::Wrap => Encoding::Wrapping,
                IntMode::Unbounded => Encoding::Unbounded,
            },
            symbols: symbols(contracts),
            functions: contracts.iter().map(|c| function(program, c)).collect(),
        },
    };
    let file = File {
        kind: KIND.to_owned(),
        version: VERSION,
        tool: format!("reprove {}", env!("CARGO_PKG_VERSION")),
        semantics: SEMANTICS_VERSION,
        front: subject.front.clone(),
        sources: subject.sources.clone(),
        checks: subject.checks.as_ref().map(|list| list.iter().map(|k| k.name().to_owned()).collect()),
        entry: subject.entry.clone(),
        slice: proof.slice.map(|options| Slice { endings: options.endings }),
        argument,
    };
    // Nothing in it can fail to be written.
    serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
}

/// Checks a certificate against the sources as they are now. Needs a large stack: see [`cfront::with_stack`].
pub fn check_text(
    text: &str,
    load: &dyn Load,
    budget: &Budget,
    known: &mut dyn Known,
) -> Result<Checked, Refused> {
    let (program, entry, proof, checks) = read(text, load)?;
    let mut checked = check_proof(&program, entry, &proof, budget, known)?;
    if let Some(checks) = checks {
        let list: Vec<&str> = checks.iter().map(|k| k.name()).collect();
        checked.claims.push(format!("checks are those of these kinds: {}", list.join(", ")));
    }
    Ok(checked)
}

type Read = (Program, FuncId, Proof, Option<BTreeSet<CheckKind>>);

fn read(text: &str, load: &dyn Load) -> Result<Read, Refused> {
    let file: File = serde_json::from_str(text).map_err(|e| Flaw::Malformed(e.to_string()))?;
    if file.kind != KIND {
        return Err(Flaw::Malformed(format!("it is of kind {:?}", file.kind)).into());
    }
    if file.version != VERSION {
        let found = file.version;
        return Err(Flaw::Malformed(format!("it has format {found}, this tool reads {VERSION}")).into());
    }
    if file.semantics != SEMANTICS_VERSION {
        let (semantics, now) = (file.semantics, SEMANTICS_VERSION);
        let why = format!("it is for semantics {semantics}, this tool has semantics {now}");
        return Err(Flaw::Changed(why).into());
    }
    let options = crate::options(&file.front).map_err(Flaw::Malformed)?;
    let checks = file.checks.as_ref().map(|list| kinds(list)).transpose()?;
    let mut program = load.program(&file.sources, &options)?;
    if let Some(checks) = &checks {
        restrict(&mut program, checks);
    }
    let entry = crate::find(&program, &file.entry)?;
    if program.function(entry).cfa().is_none() {
        return Err(Flaw::Changed(format!("{} has no body", file.entry)).into());
    }
    let slice = file.slice.map(|s| slice::Options { endings: s.endings });
    let argument = match file.argument {
        Shown::Unwinding { bound } => Argument::Unwinding { bound },
        Shown::Contracts { encoding, symbols, functions } => {
            let mode = match encoding {
                Encoding::Bitvectors => IntMode::Bv,
                Encoding::Wrapping => IntMode::Wrap,
                Encoding::Unbounded => IntMode::Unbounded,
            };
            // The variables are those of the slice, whose memory may be divided otherwise.
            let sliced = slice.map(|options| slice::slice_with(&program, entry, options).program);
            let whole = Whole::new(sliced.as_ref().unwrap_or(&program), entry, mode)?;
            let scope = scope(&symbols)?;
            let contracts = functions.iter().map(|f| contract(&whole, &scope, f));
            Argument::Contracts { mode, contracts: contracts.collect::<Result<_, _>>()? }
        }
    };
    Ok((program, entry, Proof { slice, argument }, checks))
}

/// Leaves only the checks of these kinds: executions end where an assertion fails that nobody asks about, and what merely leaves a
/// type's range or a memory object is left to the operation that follows.
pub fn restrict(program: &mut Program, wanted: &BTreeSet<CheckKind>) {
    for function in &mut program.functions {
        let Body::Defined(cfa) = &mut function.body else { continue };
        for id in (0..cfa.edges().len() as u32).map(ir::EdgeId) {
            let op = cfa.edge_mut(id);
            let ir::Op::Check { kind, cond, .. } = op else { continue };
            if wanted.contains(kind) {
                continue;
            }
            *op = match kind {
                CheckKind::Assertion | CheckKind::ErrorCall | CheckKind::Unreachable => {
                    ir::Op::Assume { cond: cond.clone(), holds: true }
                }
                CheckKind::Overflow | CheckKind::Memory | CheckKind::Div | CheckKind::Shift => ir::Op::Skip,
            };
        }
    }
}

fn kinds(list: &[String]) -> Result<BTreeSet<CheckKind>, Flaw> {
    let kind = |name: &String| {
        let found = CheckKind::ALL.into_iter().find(|k| k.name() == name);
        found.ok_or_else(|| Flaw::Malformed(format!("there is no check {name}")))
    };
    list.iter().map(kind).collect()
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

/// What formulas mention besides variables.
fn symbols(contracts: &[Contract]) -> BTreeMap<String, (Vec<String>, String)> {
    let mut found = BTreeMap::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let terms = contracts
        .iter()
        .flat_map(|c| [c.requires, c.ensures].into_iter().chain(c.invariants.iter().map(|(_, term)| *term)));
    let mut stack: Vec<Term> = terms.collect();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        stack.extend(t.args());
        match t.op() {
            Op::Apply(name) => {
                let sorts = t.args().iter().map(|a| a.sort().to_string()).collect();
                found.insert((*name).to_owned(), (sorts, t.sort().to_string()));
            }
            Op::Var(name) if name.starts_with('&') => {
                found.insert((*name).to_owned(), (Vec::new(), t.sort().to_string()));
            }
            _ => {}
        }
    }
    found
}

fn scope(symbols: &BTreeMap<String, (Vec<String>, String)>) -> Result<Scope, Flaw> {
    let sort = |text: &str| -> Result<Sort, Flaw> {
        let read = parse_sexprs(text)
            .and_then(|s| s.iter().next().map(|s| parse_sort(s, &Scope::new())).transpose());
        read.ok().flatten().ok_or_else(|| Flaw::Malformed(format!("{text} is no sort")))
    };
    let mut scope = Scope::new();
    for (name, (params, result)) in symbols {
        // Any other variable could be one that means something.
        if params.is_empty() && !name.starts_with('&') {
            return Err(Flaw::Malformed(format!("{name} is no function")));
        }
        let params = params.iter().map(|p| sort(p)).collect::<Result<Vec<_>, _>>()?;
        scope.declare(name, &params, sort(result)?);
    }
    Ok(scope)
}

fn contract(whole: &Whole, symbols: &Scope, function: &Function) -> Result<Contract, Refused> {
    let id = crate::find(&whole.program, &function.name)?;
    let variables = Variables::of(whole, id)?;
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
