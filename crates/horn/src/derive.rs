//! Bounded search for derivations: the clauses are unwound from the queries, as far as the solver asks for
//! it.
//!
//! The unwinding is a tree of goals. A goal that was expanded has one instance for each clause that could
//! derive it; a goal that was not is assumed to be underivable. A model of all that is a derivation. If there
//! is none, the unsatisfiable core names goals without which the answer could change: at least one of them is
//! in every derivation, so these are expanded next, the shallow ones first. An empty core means that there is
//! no derivation at all.

use crate::check::check_derivation;
use crate::instance::Instance;
use crate::system::{Answer, Atom, Derivation, System, Unknown};
use base::Budget;
use logic::{Sort, Term};
use rustc_hash::FxHashMap;
use smt::{Model, SatResult, Settings, Solver, Why, Z3Solver};

/// What the search found out.
#[derive(Clone, PartialEq, Debug)]
pub enum Unwound {
    Refuted(Derivation),
    /// There are no derivations of this height or less.
    Exhausted(u32),
    /// There are no derivations.
    Irrefutable,
    Stopped(Unknown),
}

/// A refutation of height `depth` or less. This never solves a system.
pub fn bounded(system: &System, depth: u32, budget: &Budget) -> Answer {
    match unwind(system, depth, budget) {
        Unwound::Refuted(derivation) => Answer::Refuted(derivation),
        Unwound::Exhausted(depth) => {
            Answer::Unknown(Unknown::GaveUp(format!("no refutation up to depth {depth}")))
        }
        Unwound::Irrefutable => {
            Answer::Unknown(Unknown::GaveUp("no refutation at all, but no solution either".into()))
        }
        Unwound::Stopped(reason) => Answer::Unknown(reason),
    }
}

/// The same, and it tells whether all derivations have been ruled out.
pub fn unwind(system: &System, depth: u32, budget: &Budget) -> Unwound {
    let gave_up = |reason: String| Unwound::Stopped(Unknown::GaveUp(reason));
    if let Err(reason) = system.check_form() {
        return gave_up(reason);
    }
    let mut search = match Z3Solver::new(Settings::default().budget(budget)) {
        Ok(solver) => Search::new(system, solver),
        Err(reason) => return gave_up(reason.to_string()),
    };
    let mut bound = 1;
    let mut steps = 0;
    loop {
        steps += 1;
        if budget.check(steps).is_err() {
            return Unwound::Stopped(Unknown::Timeout);
        }
        let blocked: Vec<Term> = search.open.keys().map(|active| active.not()).collect();
        match search.solver.check(&blocked) {
            SatResult::Sat => {
                let model = search.solver.model();
                let found = model.and_then(|m| search.derivation(&m, 0));
                return match found.filter(|d| check_derivation(system, d).is_ok()) {
                    Some(derivation) => Unwound::Refuted(derivation),
                    None => gave_up("a refutation whose values cannot be computed".into()),
                };
            }
            SatResult::Unknown(Why::Incomplete(reason)) => return gave_up(reason),
            SatResult::Unknown(_) => return Unwound::Stopped(Unknown::Timeout),
            SatResult::Unsat => {}
        }
        let core: Vec<usize> =
            search.solver.unsat_core().iter().filter_map(|t| search.open.get(&t.not()).copied()).collect();
        if core.is_empty() {
            return Unwound::Irrefutable;
        }
        let shallowest = core.iter().map(|&g| search.goals[g].depth).min().unwrap_or(bound);
        bound = bound.max(shallowest);
        if bound > depth {
            return Unwound::Exhausted(depth);
        }
        for goal in core {
            if search.goals[goal].depth <= bound {
                search.expand(goal);
            }
        }
    }
}

/// Something to derive: a query (no atom), or an atom.
struct Goal {
    atom: Option<Atom>,
    /// A truth value: this goal is part of the derivation.
    active: Term,
    /// The height that a derivation has at least if it ends here.
    depth: u32,
    /// One for each clause that could derive it, once expanded.
    ways: Vec<Way>,
}

struct Way {
    instance: Instance,
    /// A truth value: it is derived in this way.
    chosen: Term,
    children: Vec<usize>,
}

struct Search<'a> {
    system: &'a System,
    solver: Z3Solver,
    goals: Vec<Goal>,
    /// The goals that are not expanded, by their `active`. In order, so that every run asks the same
    /// questions.
    open: std::collections::BTreeMap<Term, usize>,
    /// The clauses that derive a predicate; none: the queries.
    heads: FxHashMap<Option<crate::PredId>, Vec<usize>>,
}

impl Search<'_> {
    fn new(system: &System, solver: Z3Solver) -> Search<'_> {
        let mut heads: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (c, clause) in system.clauses.iter().enumerate() {
            heads.entry(clause.head.as_ref().map(|h| h.pred)).or_default().push(c);
        }
        let mut search = Search { system, solver, goals: Vec::new(), open: Default::default(), heads };
        let root = search.goal(None, 1);
        let active = search.goals[root].active;
        search.solver.assert(active);
        search.expand(root);
        search
    }

    fn goal(&mut self, atom: Option<Atom>, depth: u32) -> usize {
        let number = self.goals.len();
        let active = Term::var(&format!("!goal.{number:06}"), Sort::Bool);
        self.goals.push(Goal { atom, active, depth, ways: Vec::new() });
        self.open.insert(active, number);
        number
    }

    fn expand(&mut self, goal: usize) {
        let Goal { atom, active, depth, .. } = &self.goals[goal];
        let (atom, active, depth) = (atom.clone(), *active, *depth);
        self.open.remove(&active);
        let clauses = self.heads.get(&atom.as_ref().map(|a| a.pred)).cloned().unwrap_or_default();
        let mut ways: Vec<Way> = Vec::new();
        for (i, c) in clauses.into_iter().enumerate() {
            let instance = Instance::new(self.system, c, atom.as_ref(), &format!("!{goal}.{i}"));
            if instance.constraint.is_false() {
                continue;
            }
            let chosen = Term::var(&format!("!way.{goal}.{i}"), Sort::Bool);
            let children: Vec<usize> =
                instance.body.iter().map(|a| self.goal(Some(a.clone()), depth + 1)).collect();
            let below = children.iter().map(|&g| self.goals[g].active);
            self.solver.assert(chosen.implies(Term::all(below.chain([instance.constraint]))));
            ways.push(Way { instance, chosen, children });
        }
        self.solver.assert(active.implies(Term::any(ways.iter().map(|w| w.chosen))));
        self.goals[goal].ways = ways;
    }

    /// The derivation of a goal that a model chooses.
    fn derivation(&self, model: &Model, goal: usize) -> Option<Derivation> {
        let way = self.goals[goal].ways.iter().find(|w| model.eval_bool(w.chosen) == Some(true))?;
        let children = way.children.iter().map(|&g| self.derivation(model, g)).collect::<Option<_>>()?;
        Some(Derivation { clause: way.instance.clause, values: way.instance.values(model)?, children })
    }
}
