//! Contracts and invariants: every clause is one obligation. The head of `program` says why they are enough.

use super::Refused;
use super::clause::{Clause, What, line, name};
use super::obligation::{Answer, Goal, Prover};
use super::variables::{Facts, Pairs, Variables, locals, shared};
use crate::Flaw;
use encode::block::Call;
use encode::names::is_address;
use encode::transition_system::{To, Transition};
use encode::{IntMode, State, TransitionSystem};
use engine::Contract;
use ir::{FuncId, NodeId, Program};
use logic::{Sort, Term, free_vars};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// How the claim was shown, in words.
pub fn check(
    program: &Program,
    entry: FuncId,
    mode: IntMode,
    contracts: &[Contract],
    prover: &mut Prover,
) -> Result<String, Refused> {
    let system = TransitionSystem::new(program, entry, mode)?;
    let mut addresses = Facts::default();
    addresses.add(system.addresses);
    let mut checker = Checker { addresses, system: &system, functions: BTreeMap::new() };
    for contract in contracts {
        checker.read(contract)?;
    }
    checker.initially(prover)?;
    let mut points = 0;
    for id in checker.functions.keys() {
        points += checker.function(*id, prover)?;
    }
    let functions = checker.functions.len();
    Ok(format!("contracts of {functions} functions and invariants of {points} points ({mode})"))
}

struct Checker<'a> {
    system: &'a TransitionSystem,
    addresses: Facts,
    functions: BTreeMap<FuncId, Known>,
}

/// What is said of a function.
struct Known {
    variables: Variables,
    requires: Term,
    ensures: Term,
    invariants: BTreeMap<NodeId, Term>,
}

impl Checker<'_> {
    fn read(&mut self, contract: &Contract) -> Result<(), Refused> {
        let malformed = |why: String| Err(Flaw::Malformed(why).into());
        let id = contract.function;
        let Some(function) = self.system.program.functions.get(id.0 as usize) else {
            return malformed("a contract of a function that is not there".to_owned());
        };
        let name = &function.name;
        if function.cfa().is_none() {
            return malformed(format!("a contract of {name}, which has no body"));
        }
        let variables = Variables::of(self.system, id)?;
        self.about(contract.requires, &variables.at_entry(), || format!("what {name} requires"))?;
        self.about(contract.ensures, &variables.at_exit(), || format!("what {name} ensures"))?;
        let inside = variables.inside();
        let mut invariants = BTreeMap::new();
        for (node, term) in &contract.invariants {
            if !self.system.cuts(id).contains(node) {
                return malformed(format!("node {} of {name} has an invariant and is no cut point", node.0));
            }
            self.about(*term, &inside, || format!("the invariant of node {} of {name}", node.0))?;
            if invariants.insert(*node, *term).is_some() {
                return malformed(format!("node {} of {name} has two invariants", node.0));
            }
        }
        let (requires, ensures) = (contract.requires, contract.ensures);
        match self.functions.insert(id, Known { variables, requires, ensures, invariants }) {
            None => Ok(()),
            Some(_) => malformed(format!("{name} has two contracts")),
        }
    }

    /// A formula over these variables, and addresses.
    fn about(
        &self,
        formula: Term,
        allowed: &FxHashSet<Term>,
        what: impl Fn() -> String,
    ) -> Result<(), Refused> {
        if formula.sort() != Sort::Bool {
            return Err(Flaw::Malformed(format!("{} is no formula", what())).into());
        }
        let pointer = self.system.mode.pointer(&self.system.program.target);
        let address = |v: &Term| v.sort() == pointer && is_address(*v);
        match free_vars(formula).into_iter().find(|v| !allowed.contains(v) && !address(v)) {
            None => Ok(()),
            Some(v) => {
                let why = format!("{} mentions {v}, which means nothing there", what());
                Err(Flaw::Malformed(why).into())
            }
        }
    }

    /// What the entry requires holds at the start.
    fn initially(&self, prover: &mut Prover) -> Result<(), Refused> {
        let entry = self.system.entry;
        let clause = || Clause::of(self.system, entry, What::Initially);
        let initial = self.system.initial()?;
        let goal = self.functions.get(&entry).map_or_else(Goal::never, |known| Goal::stated(known.requires));
        let variables = Variables::of(self.system, entry)?;
        decide(prover.prove(&[initial], &[&variables.background, &self.addresses], &goal), clause)
    }

    /// Everything that is said of a function; how many invariants there are.
    fn function(&self, id: FuncId, prover: &mut Prover) -> Result<usize, Refused> {
        let Some(known) = self.functions.get(&id) else { return Ok(0) };
        let Some(cfa) = self.system.program.function(id).cfa() else { return Ok(0) };
        let Known { variables, requires, invariants, .. } = known;
        // At the entry, what was then is what is now.
        let mut same = Pairs::default()
            .add(locals(&variables.old), locals(&variables.now))?
            .add(shared(&variables.old), shared(&variables.now))?
            .substitution();
        let goal = invariants.get(&cfa.entry).map_or_else(Goal::never, |i| Goal::new(*i, &mut same));
        let clause = || Clause::at(self.system, id, cfa.entry, What::Entry);
        decide(prover.prove(&[*requires], &[&variables.background, &self.addresses], &goal), clause)?;
        for (node, invariant) in invariants {
            if invariant.is_false() {
                continue;
            }
            for transition in self.system.transitions(id, *node)? {
                self.transition(id, known, *invariant, &transition, prover)?;
            }
        }
        Ok(invariants.len())
    }

    fn transition(
        &self,
        id: FuncId,
        known: &Known,
        invariant: Term,
        transition: &Transition,
        prover: &mut Prover,
    ) -> Result<(), Refused> {
        let from = transition.from;
        let background: [&Facts; 2] = [&known.variables.background, &self.addresses];
        let mut assumed = vec![invariant, transition.guard];
        let clause = |what: What| Clause::at(self.system, id, from, what);
        match &transition.to {
            To::Failure => {
                let never = prover.prove(&assumed, &background, &Goal::never());
                decide(never, || clause(What::Check))
            }
            To::Trap(why) => {
                let never = prover.prove(&assumed, &background, &Goal::never());
                decide(never, || clause(What::Meaning(why.clone())))
            }
            To::Return => {
                let mut here = Pairs::default()
                    .add(shared(&known.variables.now), shared(&transition.state))?
                    .add([known.variables.result].into_iter(), [transition.value].into_iter())?
                    .substitution();
                let goal = Goal::new(known.ensures, &mut here);
                decide(prover.prove(&assumed, &background, &goal), || clause(What::Returns))
            }
            To::Cut(to) => {
                let line = line(self.system, id, *to);
                let mut what = What::Preserved { to: *to, line };
                if let Some(call) = &transition.call {
                    let callee = name(self.system, call.callee);
                    let goal = self.required(call)?;
                    let entered = prover.prove(&assumed, &background, &goal);
                    decide(entered, || clause(What::Call(callee.clone())))?;
                    assumed.push(self.ensured(call)?);
                    what = What::Behind { callee, to: *to, line };
                }
                let goal = match known.invariants.get(to) {
                    Some(invariant) => Goal::new(*invariant, &mut self.behind(known, &transition.state)?),
                    None => Goal::never(),
                };
                decide(prover.prove(&assumed, &background, &goal), || clause(what.clone()))
            }
        }
    }

    /// From the variables of a function to their values in a state.
    fn behind(&self, known: &Known, state: &State) -> Result<logic::Substitution, Refused> {
        let pairs = Pairs::default()
            .add(locals(&known.variables.now), locals(state))?
            .add(shared(&known.variables.now), shared(state))?;
        Ok(pairs.substitution())
    }

    /// What a callee requires, of what the caller gives it.
    fn required(&self, call: &Call) -> Result<Goal, Refused> {
        let Some(callee) = self.functions.get(&call.callee) else { return Ok(Goal::never()) };
        let variables = &callee.variables;
        let pairs = Pairs::default()
            .add(variables.params(&variables.now), call.args.iter().copied().map(Some))?
            .add(shared(&variables.now), shared(&call.before))?;
        Ok(Goal::new(callee.requires, &mut pairs.substitution()))
    }

    /// What a callee that returned ensures, of what the caller gave it and what it left behind.
    fn ensured(&self, call: &Call) -> Result<Term, Refused> {
        let Some(callee) = self.functions.get(&call.callee) else { return Ok(Term::bool(false)) };
        let variables = &callee.variables;
        let pairs = Pairs::default()
            .add(variables.params(&variables.old), call.args.iter().copied().map(Some))?
            .add(shared(&variables.old), shared(&call.before))?
            .add(shared(&variables.now), shared(&call.after))?
            .add([variables.result].into_iter(), [call.result].into_iter())?;
        Ok(pairs.substitution().apply(callee.ensures))
    }
}

fn decide(answer: Answer, clause: impl Fn() -> Clause) -> Result<(), Refused> {
    match answer {
        Answer::Holds => Ok(()),
        Answer::Fails(part) => {
            let formula = part.map(|t| logic::print::pretty(t, &str::to_owned));
            Err(Clause { formula, ..clause() }.wrong())
        }
        Answer::Open(why) => Err(clause().open(&why)),
    }
}
