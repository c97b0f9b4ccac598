//! From text to a program, and from formulas in text to a proof.

use base::Budget;
use certify::program::{Checked, Known, Nothing, Refused, check_proof};
use encode::{IntMode, State, TransitionSystem};
use engine::{Argument, Contract, Proof, RESULT};
use ir::{Callee, CheckKind, FuncId, NodeId, Op, Program};
use logic::Term;
use logic::parse::{Scope, parse_term};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// What programs of the tests may use without declaring it.
pub const PRELUDE: &str = "\
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern void abort(void);
";

pub fn compile(text: &str) -> Program {
    compile_with(text, &[])
}

pub fn compile_with(text: &str, checks: &[CheckKind]) -> Program {
    let checks: BTreeSet<CheckKind> = checks.iter().copied().collect();
    let options = cfront::Options { checks, ..Default::default() };
    let output = cfront::compile_text("test.c", &(PRELUDE.to_owned() + text), &options);
    let errors: Vec<String> = output.diagnostics.iter().map(|d| d.message.to_string()).collect();
    let program = output.program.unwrap_or_else(|| panic!("{}", errors.join("; ")));
    ir::verify(&program).unwrap();
    program
}

pub fn budget() -> Budget {
    budget_of(Duration::from_secs(60))
}

pub fn budget_of(time: Duration) -> Budget {
    Budget { deadline: Some(Instant::now() + time), ..Budget::unlimited() }
}

pub fn check(program: &Program, proof: &Proof) -> Result<Checked, Refused> {
    check_knowing(program, proof, &mut Nothing)
}

pub fn check_knowing(program: &Program, proof: &Proof, known: &mut dyn Known) -> Result<Checked, Refused> {
    let entry = program.find_function("main").unwrap();
    check_proof(program, entry, proof, &budget(), known)
}

/// A cut point: loops, and calls of functions with a body, are numbered as they come in the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum At {
    Entry,
    Loop(usize),
    Before(usize),
    Behind(usize),
}

/// A contract in text.
#[derive(Clone, Debug)]
pub struct Text {
    pub function: &'static str,
    pub requires: &'static str,
    pub ensures: &'static str,
    pub invariants: Vec<(At, &'static str)>,
}

pub fn text(
    function: &'static str,
    requires: &'static str,
    ensures: &'static str,
    invariants: &[(At, &'static str)],
) -> Text {
    Text { function, requires, ensures, invariants: invariants.to_vec() }
}

/// The proof that these contracts are. Of a place that has two names, all that is said holds.
pub fn proof(program: &Program, mode: IntMode, slice: bool, contracts: &[Text]) -> Proof {
    let entry = program.find_function("main").unwrap();
    let sliced = slice.then(|| slice::slice(program, entry));
    let system = TransitionSystem::new(sliced.as_ref().unwrap_or(program), entry, mode).unwrap();
    let contracts = contracts.iter().map(|text| contract(&system, text)).collect();
    Proof { slice: slice.then_some(slice::Checks::All), argument: Argument::Contracts { mode, contracts } }
}

fn contract(system: &TransitionSystem, text: &Text) -> Contract {
    let function = system.program.find_function(text.function).unwrap();
    let mut scope = Scope::new();
    let mut declare = |state: State| {
        let terms = state.locals.into_iter().chain(state.globals).flatten().chain(state.memory);
        terms.for_each(|t: Term| scope.declare_vars(t));
    };
    // Variables of other functions as well: what formulas may mention is for the checker to say.
    for id in system.program.function_ids() {
        declare(system.variables(id, "").unwrap());
        declare(system.variables(id, "old.").unwrap());
    }
    if let Some(ty) = system.program.function(function).ret {
        scope.declare(RESULT, &[], system.mode.sort(ty, &system.program.target).unwrap());
    }
    let pointer = system.mode.pointer(&system.program.target);
    for global in system.program.globals.iter() {
        scope.declare(&format!("&{}", global.name), &[], pointer);
    }
    scope.declare("!made.up", &[], logic::Sort::Bool);
    let regions: Vec<&str> = system.regions.list.iter().map(|r| &*r.name).collect();
    let shown = format!("{}memory {regions:?}", ir::print_function(&system.program, function));
    let term = |text: &str| parse_term(text, &scope).unwrap_or_else(|e| panic!("{text}: {e}\n{shown}"));
    let mut invariants: Vec<(NodeId, Term)> = Vec::new();
    for (at, formula) in &text.invariants {
        let (node, formula) = (node(system, function, *at), term(formula));
        match invariants.iter_mut().find(|(n, _)| *n == node) {
            Some((_, other)) => *other = other.and(formula),
            None => invariants.push((node, formula)),
        }
    }
    Contract { function, requires: term(text.requires), ensures: term(text.ensures), invariants }
}

pub fn node(system: &TransitionSystem, function: FuncId, at: At) -> NodeId {
    let cfa = system.program.function(function).cfa().unwrap();
    let calls: Vec<&ir::Edge> = cfa
        .edges()
        .iter()
        .filter(|e| match &e.op {
            Op::Call { callee: Callee::Direct(f), .. } => system.program.function(*f).cfa().is_some(),
            _ => false,
        })
        .collect();
    match at {
        At::Entry => cfa.entry,
        At::Loop(i) => system.loops[function.0 as usize].as_ref().unwrap().loops()[i].header,
        At::Before(i) => calls[i].from,
        At::Behind(i) => calls[i].to,
    }
}
