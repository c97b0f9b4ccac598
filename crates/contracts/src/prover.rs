//! Questions about one step: which of these follow from that, and from which part of it.

use base::{Budget, Stopped, Work};
use logic::{Term, free_vars, free_vars_of};
use rustc_hash::FxHashSet;
use smt::{SatResult, Settings, Solver, Why, Z3Solver};
use std::time::Duration;

pub struct Prover {
    /// Made when it is needed.
    solver: Option<Z3Solver>,
    /// What always holds (of addresses), with the variables in it.
    always: Vec<(Term, Vec<Term>)>,
    budget: Budget,
    /// When it began, if hard questions are a reason to give up.
    since: Option<Work>,
    pub queries: u64,
}

/// In Z3's units, about half a second: what is harder does not hold.
const PATIENCE: u32 = 600_000;

/// What a question takes where this is the right engine, and what it may take besides.
const PACE: Duration = Duration::from_millis(3);
const SLACK: Duration = Duration::from_millis(500);

impl Prover {
    pub fn new(always: Term, budget: &Budget, persistent: bool) -> Prover {
        let facts = always.conjuncts().into_iter().filter(|t| !t.is_true());
        let always = facts.map(|t| (t, free_vars(t).into_iter().collect())).collect();
        let since = (!persistent).then(Work::now);
        Prover { solver: None, always, budget: budget.clone(), since, queries: 0 }
    }

    /// Of each goal: does it hold wherever all facts do?
    pub fn holding(&mut self, facts: &[Term], goals: &[Term]) -> Result<Vec<bool>, Stopped> {
        let given: FxHashSet<Term> = facts.iter().flat_map(|t| t.conjuncts()).collect();
        let mut holds: Vec<bool> = vec![true; goals.len()];
        let obvious = |t: &Term| t.conjuncts().iter().all(|part| given.contains(part));
        let mut open: Vec<usize> = (0..goals.len()).filter(|i| !obvious(&goals[*i])).collect();
        if open.is_empty() {
            return Ok(holds);
        }
        self.about(facts, goals)?;
        let end = self.eliminate(goals, &mut open, &mut holds);
        self.solver()?.pop();
        end.map(|()| holds)
    }

    /// Takes those away that do not hold in a model, until there is none.
    fn eliminate(
        &mut self,
        goals: &[Term],
        open: &mut Vec<usize>,
        holds: &mut [bool],
    ) -> Result<(), Stopped> {
        while !open.is_empty() {
            match self.ask(&[Term::any(open.iter().map(|i| goals[*i].not()))])? {
                SatResult::Unsat => return Ok(()),
                SatResult::Sat => {
                    let model = self.solver()?.model();
                    let before = open.len();
                    open.retain(|i| {
                        let fails = model.as_ref().and_then(|m| m.eval_bool(goals[*i])) == Some(false);
                        holds[*i] &= !fails;
                        !fails
                    });
                    if open.len() < before {
                        continue;
                    }
                }
                SatResult::Unknown(_) => {}
            }
            for i in open.drain(..) {
                holds[i] = self.ask(&[goals[i].not()])? == SatResult::Unsat;
            }
        }
        Ok(())
    }

    /// Can these not hold together? What is not decided may.
    pub fn excluded(&mut self, facts: &[Term]) -> Result<bool, Stopped> {
        if Term::all(facts.iter().copied()).is_false() {
            return Ok(true);
        }
        self.about(facts, &[])?;
        let result = self.ask(&[]);
        self.solver()?.pop();
        Ok(result? == SatResult::Unsat)
    }

    /// Which of the given formulas, with the facts, are enough for all goals; None if all of them are not, or
    /// it cannot be decided.
    pub fn enough(
        &mut self,
        facts: &[Term],
        given: &[Term],
        goals: &[Term],
    ) -> Result<Option<Vec<Term>>, Stopped> {
        let mentioned: Vec<Term> = given.iter().chain(goals).copied().collect();
        self.about(facts, &mentioned)?;
        let solver = self.solver()?;
        solver.assert(Term::any(goals.iter().map(|goal| goal.not())));
        let result = self.ask(given);
        let solver = self.solver()?;
        let core = (result == Ok(SatResult::Unsat)).then(|| solver.unsat_core());
        solver.pop();
        result.map(|_| core)
    }

    /// Asserts these, with what always holds of the addresses that are mentioned.
    fn about(&mut self, facts: &[Term], others: &[Term]) -> Result<(), Stopped> {
        self.budget.check(self.queries)?;
        let pace = SLACK + PACE * u32::try_from(self.queries).unwrap_or(u32::MAX);
        if self.since.is_some_and(|since| since.elapsed() > pace) {
            return Err(Stopped::Steps);
        }
        let mut all: Vec<Term> = facts.to_vec();
        if !self.always.is_empty() {
            let mentioned = free_vars_of(facts.iter().chain(others).copied());
            let about = self.always.iter().filter(|(_, vars)| vars.iter().all(|v| mentioned.contains(v)));
            all.extend(about.map(|(fact, _)| *fact));
        }
        let solver = self.solver()?;
        solver.push();
        all.into_iter().for_each(|fact| solver.assert(fact));
        Ok(())
    }

    fn ask(&mut self, assumptions: &[Term]) -> Result<SatResult, Stopped> {
        self.queries += 1;
        let result = self.solver()?.check(assumptions);
        if let SatResult::Unknown(Why::Timeout | Why::Interrupted) = result {
            self.budget.check(self.queries)?;
        }
        Ok(result)
    }

    fn solver(&mut self) -> Result<&mut Z3Solver, Stopped> {
        if self.solver.is_none() {
            let settings = Settings { resources: Some(PATIENCE), ..Settings::default() }.budget(&self.budget);
            self.solver = Some(Z3Solver::new(settings).map_err(|_| Stopped::Cancelled)?);
        }
        self.solver.as_mut().ok_or(Stopped::Cancelled)
    }
}
