//! The variables of a function, and what stands for them.

use super::Refused;
use crate::Flaw;
use encode::names;
use encode::{State, TransitionSystem};
use engine::RESULT;
use ir::FuncId;
use logic::{Substitution, Term, free_vars};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The variables that formulas about a function can mention.
pub struct Variables {
    pub now: State,
    pub old: State,
    pub params: usize,
    pub result: Option<Term>,
    /// What holds of any values of these variables, one fact of each.
    pub background: Facts,
}

/// What always holds. There may be many, about variables that hardly any formula mentions.
#[derive(Default)]
pub struct Facts {
    /// By the first of the variables in it.
    about: FxHashMap<Term, Vec<Fact>>,
}

struct Fact {
    term: Term,
    others: Vec<Term>,
}

impl Facts {
    /// Each part of a formula by itself.
    pub fn add(&mut self, formula: Term) {
        for term in formula.conjuncts() {
            let mut vars = free_vars(term).into_iter();
            if let Some(first) = vars.next() {
                self.about.entry(first).or_default().push(Fact { term, others: vars.collect() });
            }
        }
    }

    /// Those about none but these variables.
    pub fn of<'f>(
        &'f self,
        vars: &'f BTreeSet<Term>,
        members: &'f FxHashSet<Term>,
    ) -> impl Iterator<Item = Term> + 'f {
        let facts = vars.iter().filter_map(|v| self.about.get(v)).flatten();
        facts.filter(|fact| fact.others.iter().all(|v| members.contains(v))).map(|fact| fact.term)
    }
}

impl Variables {
    pub fn of(system: &TransitionSystem, function: FuncId) -> Result<Variables, Refused> {
        let f = system.program.function(function);
        let (now, old) = (system.variables(function, "")?, system.variables(function, names::OLD)?);
        let target = &system.program.target;
        let result =
            f.ret.and_then(|ty| system.mode.sort(ty, target).ok()).map(|sort| Term::var(RESULT, sort));
        let mut names = FxHashSet::default();
        for v in locals(&now).chain(shared(&now)).chain(locals(&old)).chain(shared(&old)).chain([result]) {
            let Some(name) = v.map(|v| v.var_name().unwrap_or_default()) else { continue };
            // Two that look the same would be taken for one.
            if !names.insert(name) || !names::names_state(name) {
                return Err(Flaw::Open(format!("two variables are called {name}")).into());
            }
        }
        let mut background = Facts::default();
        background.add(system.typed(function, &now));
        background.add(system.typed(function, &old));
        Ok(Variables { now, old, params: f.params as usize, result, background })
    }

    /// What a precondition can mention.
    pub fn at_entry(&self) -> FxHashSet<Term> {
        self.params(&self.now).chain(shared(&self.now)).flatten().collect()
    }

    /// What a postcondition can mention.
    pub fn at_exit(&self) -> FxHashSet<Term> {
        let before = self.params(&self.old).chain(shared(&self.old));
        before.chain(shared(&self.now)).chain([self.result]).flatten().collect()
    }

    /// What an invariant can mention.
    pub fn inside(&self) -> FxHashSet<Term> {
        let now = locals(&self.now).chain(shared(&self.now));
        now.chain(locals(&self.old)).chain(shared(&self.old)).flatten().collect()
    }

    pub fn params<'s>(&self, state: &'s State) -> impl Iterator<Item = Option<Term>> + use<'s> {
        locals(state).take(self.params)
    }
}

pub fn locals(state: &State) -> impl Iterator<Item = Option<Term>> {
    state.locals.iter().copied()
}

/// What is not the activation's own: globals, memory, tokens.
pub fn shared(state: &State) -> impl Iterator<Item = Option<Term>> {
    let tokens = [state.world, state.allocations, state.inputs];
    state.globals.iter().copied().chain(state.memory.iter().copied().map(Some)).chain(tokens.map(Some))
}

/// Pairs of variables and what is put in their places.
#[derive(Default)]
pub struct Pairs(Vec<(Term, Term)>);

impl Pairs {
    /// A variable for which there is no value gets any value.
    pub fn add(
        mut self,
        variables: impl Iterator<Item = Option<Term>>,
        values: impl Iterator<Item = Option<Term>>,
    ) -> Result<Pairs, Refused> {
        let mut values = values.fuse();
        for variable in variables {
            let value = values.next().flatten();
            let Some(variable) = variable else { continue };
            let name = variable.var_name().unwrap_or_default();
            let value = value
                .unwrap_or_else(|| Term::var(&names::auxiliary(format_args!("any.{name}")), variable.sort()));
            if value.sort() != variable.sort() {
                return Err(Flaw::Open(format!("{name} has another sort than expected")).into());
            }
            self.0.push((variable, value));
        }
        Ok(self)
    }

    pub fn substitution(self) -> Substitution {
        Substitution::new(self.0)
    }
}
