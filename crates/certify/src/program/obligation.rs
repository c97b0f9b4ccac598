//! One obligation: do these assumptions imply this? Asked of a fresh solver, unless it was asked before.

use super::variables::Facts;
use base::{Budget, Work};
use logic::{Digests, Op, Sort, Substitution, Term, free_vars_of, subterms};
use rustc_hash::FxHashSet;
use smt::{Model, SatResult, Settings, Solver, Strategy, Why, Z3Solver, one_shot};
use std::time::Duration;

/// Remembers which obligations were shown, by a hash of all that they say. Whoever keeps it for longer than a
/// process must keep it from others: what it says is believed.
pub trait Known {
    fn holds(&self, key: &[u8; 32]) -> bool;
    fn learn(&mut self, key: [u8; 32]);
}

/// Nothing is known, and nothing remembered.
pub struct Nothing;

impl Known for Nothing {
    fn holds(&self, _key: &[u8; 32]) -> bool {
        false
    }

    fn learn(&mut self, _key: [u8; 32]) {}
}

pub struct Prover<'a> {
    pub budget: &'a Budget,
    known: &'a mut dyn Known,
    digests: Digests,
    pub queries: usize,
    pub known_before: usize,
}

/// What is to be shown: parts of a formula as they were stated, and what they say here.
pub struct Goal(Vec<(Term, Term)>);

impl Goal {
    /// That it cannot be.
    pub fn never() -> Goal {
        Goal(vec![(Term::bool(false), Term::bool(false))])
    }

    pub fn stated(formula: Term) -> Goal {
        Goal::new(formula, &mut Substitution::default())
    }

    pub fn new(formula: Term, here: &mut Substitution) -> Goal {
        Goal(formula.conjuncts().into_iter().map(|part| (part, here.apply(part))).collect())
    }
}

pub enum Answer {
    Holds,
    /// And the part of the goal, as stated, that does not follow.
    Fails(Option<Term>),
    Open(String),
}

/// How long the first way is tried before there is a second.
const SOON: Duration = Duration::from_secs(1);
const FIRST: Duration = Duration::from_secs(10);
const SECOND: Duration = Duration::from_secs(20);

impl<'a> Prover<'a> {
    pub fn new(budget: &'a Budget, known: &'a mut dyn Known) -> Prover<'a> {
        Prover { budget, known, digests: Digests::default(), queries: 0, known_before: 0 }
    }

    /// Of the background only what is about variables that occur matters: the rest is true of others,
    /// whatever these are.
    pub fn prove(&mut self, assumed: &[Term], background: &[&Facts], goal: &Goal) -> Answer {
        let Goal(parts) = goal;
        let goal = Term::all(parts.iter().map(|(_, part)| *part));
        if goal.is_true() || assumed.iter().any(|t| t.is_false()) {
            return Answer::Holds;
        }
        let vars = free_vars_of(assumed.iter().copied().chain([goal]));
        let members: FxHashSet<Term> = vars.iter().copied().collect();
        let facts = background.iter().flat_map(|facts| facts.of(&vars, &members));
        let mut query: Vec<Term> = assumed.iter().copied().chain(facts).collect();
        query.push(goal.not());
        let key = self.digests.of_all("reprove: unsatisfiable together\n", &query);
        if self.known.holds(&key) {
            self.known_before += 1;
            return Answer::Holds;
        }
        if let Err(stop) = self.budget.check(self.queries as u64) {
            return Answer::Open(stop.to_string());
        }
        self.queries += 1;
        let (result, model) = ask(&query, self.budget);
        match result {
            SatResult::Unsat => {
                self.known.learn(key);
                Answer::Holds
            }
            SatResult::Sat => {
                let wrong = |t: Term| model.as_ref().and_then(|m| m.eval_bool(t)) == Some(false);
                let stated = parts.iter().find(|(_, part)| wrong(*part)).map(|(stated, _)| *stated);
                Answer::Fails(stated.filter(|t| !t.is_false()))
            }
            SatResult::Unknown(why) => Answer::Open(why.to_string()),
        }
    }
}

/// Are these satisfiable together? What one way of asking does not answer soon, another may.
pub fn ask(query: &[Term], budget: &Budget) -> (SatResult, Option<Model>) {
    let settings = Settings::default().budget(budget);
    let start = Work::now();
    let share = |most: Duration, part: u32| budget.left().map_or(most, |left| most.min(left / part));
    let bits = bits(query);
    let (mut result, mut model) =
        one_shot(query, &settings.clone().timeout(share(if bits.is_some() { SOON } else { FIRST }, 3)));
    let mut others = vec![(Strategy::Core, share(SECOND, 3))];
    if let Some(strategy) = bits {
        others.insert(0, (strategy, share(SECOND, 2)));
    }
    for (strategy, time) in others {
        let SatResult::Unknown(why) = &result else { return (result, model) };
        if *why == Why::Interrupted {
            return (result, None);
        }
        let settings = settings.clone().strategy(strategy).timeout(share(time, 2));
        let Ok(mut solver) = Z3Solver::new(settings) else { return (result, None) };
        query.iter().for_each(|t| solver.assert(*t));
        result = solver.check(&[]);
        model = solver.model();
    }
    // Now without any limit but the budget's.
    match &result {
        SatResult::Unknown(_) if budget.left().is_none_or(|left| left > start.elapsed() / 4) => {
            one_shot(query, &settings)
        }
        _ => (result, model),
    }
}

/// For formulas over truth values, words and floats only.
const BITS: &[&str] = &[
    "simplify",
    "propagate-values",
    "solve-eqs",
    "elim-uncnstr",
    "fpa2bv",
    "propagate-values",
    "simplify",
    "solve-eqs",
    "bit-blast",
    "sat",
];

/// How to ask of formulas about words, floats, or words and arrays of them. Others have no such way.
fn bits(query: &[Term]) -> Option<Strategy> {
    let (mut floats, mut arrays) = (false, false);
    for t in subterms(query.iter().copied()) {
        match t.sort() {
            Sort::Bool | Sort::Bv(_) => {}
            Sort::Float(..) => floats = true,
            Sort::Array((Sort::Bv(_), Sort::Bv(_) | Sort::Bool)) => arrays = true,
            Sort::Int | Sort::Array(_) => return None,
        }
        match t.op() {
            Op::Apply(_) => arrays = true,
            Op::Forall | Op::Exists => return None,
            _ => {}
        }
    }
    match (floats, arrays) {
        (_, false) => Some(Strategy::Tactics(BITS)),
        (false, true) => Some(Strategy::Logic("QF_AUFBV")),
        (true, true) => None,
    }
}
