//! Abstract successors: what is known of the predicates behind a transition.
//!
//! The solver is asked of every predicate whether it must hold or must not. Predicates that are open are put
//! together into the combinations that have a model, as long as these are few (the Boolean abstraction);
//! otherwise nothing is said about them (the Cartesian one). What was computed is remembered, so that
//! exploring again after a refinement costs only what is new; and what an earlier run computed
//! (`successor_cache`) is not computed again.

use crate::predicates::{PredicateId, Predicates};
use crate::reachability::Halt;
use crate::successor_cache::{Effort, SuccessorCache};
use base::{Budget, Stopped};
use biodivine_lib_bdd::Bdd;
use encode::Unsupported;
use logic::{Term, free_vars, free_vars_of};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Model, SatResult, Settings, Solver, Why, Z3Solver};

pub struct Post {
    /// Made when it is needed: where all answers are known, nobody waits for it.
    solver: Option<Z3Solver>,
    /// For what would only be nice to know.
    quick: Option<Z3Solver>,
    /// Are steps that lead nowhere looked for, where nothing else is asked of them? They are worth it once
    /// something seems to fail.
    pub pruning: bool,
    /// What always holds, with the variables in it.
    always: Vec<(Term, Vec<Term>)>,
    /// What earlier runs found out.
    pub successor_cache: Option<SuccessorCache>,
    /// By what holds, and by the open predicates with their new sense: two can have the same one.
    known: FxHashMap<Asked, Option<Bdd>>,
    budget: Budget,
    /// How many were computed, how many an earlier run had computed, how many steps were taken as they are,
    /// and how often the solver was asked.
    pub computed: u64,
    pub taken: u64,
    pub known_before: u64,
    pub queries: u64,
}

#[derive(PartialEq, Eq, Hash)]
struct Asked {
    facts: Vec<Term>,
    goals: Vec<(PredicateId, Term)>,
    effort: Effort,
}

/// In Z3's units, about a second: a harder question counts as not decided.
const PATIENCE: u32 = 1_000_000;
/// Where nothing is asked but whether a step can be taken, and that it can is a good guess.
const LITTLE_PATIENCE: u32 = 30_000;
/// Combinations of open predicates that are told apart.
const MOST_CUBES: usize = 24;

impl Post {
    /// `always` holds of addresses, in every query. Each part of it counts where all its variables occur, so
    /// that objects that have nothing to do with a step neither burden it nor make it another one.
    pub fn new(always: Term, budget: &Budget) -> Post {
        let facts = always.conjuncts().into_iter().filter(|t| !t.is_true());
        let always = facts.map(|t| (t, free_vars(t).into_iter().collect())).collect();
        Post {
            solver: None,
            quick: None,
            pruning: false,
            always,
            successor_cache: None,
            known: FxHashMap::default(),
            budget: budget.clone(),
            computed: 0,
            taken: 0,
            known_before: 0,
            queries: 0,
        }
    }

    /// What holds of these predicates (in their new sense) where all of `given` holds; None if that is
    /// contradictory.
    pub fn successor(
        &mut self,
        predicates: &Predicates,
        given: &[Term],
        goals: &[(PredicateId, Term)],
    ) -> Result<Option<Bdd>, Halt> {
        let effort = if goals.is_empty() { Effort::Little } else { Effort::Full };
        self.answer(predicates, given, goals, effort)
    }

    /// The same where nobody would look for a contradiction that is not obvious: nothing is asked.
    pub fn taken(&mut self, predicates: &Predicates, given: &[Term]) -> Option<Bdd> {
        self.taken += 1;
        (!given.iter().any(|t| t.is_false())).then(|| predicates.top())
    }

    /// Can all of these hold together? What cannot be decided can.
    pub fn feasible(&mut self, predicates: &Predicates, given: &[Term]) -> Result<bool, Halt> {
        Ok(self.answer(predicates, given, &[], Effort::Full)?.is_some())
    }

    fn answer(
        &mut self,
        predicates: &Predicates,
        given: &[Term],
        goals: &[(PredicateId, Term)],
        effort: Effort,
    ) -> Result<Option<Bdd>, Halt> {
        if given.iter().any(|t| t.is_false()) {
            return Ok(None);
        }
        let mut open: Vec<(PredicateId, Term)> = Vec::new();
        let mut literals: Vec<(PredicateId, bool)> = Vec::new();
        for &(id, goal) in goals {
            if goal.is_true() || goal.is_false() {
                literals.push((id, goal.is_true()));
            } else {
                open.push((id, goal));
            }
        }
        let mut facts: Vec<Term> = given.iter().flat_map(|t| t.conjuncts()).collect();
        if !self.always.is_empty() {
            let mentioned = free_vars_of(facts.iter().copied().chain(open.iter().map(|(_, goal)| *goal)));
            let about = self.always.iter().filter(|(_, vars)| vars.iter().all(|v| mentioned.contains(v)));
            facts.extend(about.map(|(fact, _)| *fact));
        }
        facts.sort();
        facts.dedup();
        let fixed = predicates.cube(&literals);
        let key = Asked { facts, goals: open, effort };
        if let Some(found) = self.known.get(&key) {
            return Ok(found.as_ref().map(|state| state.and(&fixed)));
        }
        self.budget.check(self.queries)?;
        let mut question = self.successor_cache.as_mut().map(|r| r.question(&key.facts, &key.goals, effort));
        let before = self.successor_cache.as_mut().zip(question.as_mut());
        let result = match before.and_then(|(r, question)| r.answer(question, predicates)) {
            Some(known) => {
                self.known_before += 1;
                known
            }
            None => {
                let result = self.compute(predicates, &key)?;
                if let Some((r, question)) = self.successor_cache.as_mut().zip(question.as_mut()) {
                    r.learn(question, result.as_ref(), predicates);
                }
                result
            }
        };
        let answer = result.as_ref().map(|state| state.and(&fixed));
        self.known.insert(key, result);
        Ok(answer)
    }

    fn compute(&mut self, predicates: &Predicates, asked: &Asked) -> Result<Option<Bdd>, Halt> {
        self.computed += 1;
        let (place, patience) = match asked.effort {
            Effort::Little => (&mut self.quick, LITTLE_PATIENCE),
            Effort::Full => (&mut self.solver, PATIENCE),
        };
        let solver = match place {
            Some(solver) => solver,
            None => {
                let settings =
                    Settings { resources: Some(patience), ..Settings::default().budget(&self.budget) };
                place.insert(Z3Solver::new(settings).map_err(|e| Unsupported(e.to_string()))?)
            }
        };
        solver.push();
        for &fact in &asked.facts {
            solver.assert(fact);
        }
        let mut ask = Ask { solver, budget: &self.budget, queries: &mut self.queries };
        let result = ask.abstraction(predicates, &asked.goals);
        solver.pop();
        Ok(result?)
    }
}

/// A solver that has been told what holds.
struct Ask<'a> {
    solver: &'a mut Z3Solver,
    budget: &'a Budget,
    queries: &'a mut u64,
}

impl Ask<'_> {
    fn abstraction(
        &mut self,
        predicates: &Predicates,
        goals: &[(PredicateId, Term)],
    ) -> Result<Option<Bdd>, Stopped> {
        let mut seen = Seen { cubes: Vec::new(), width: goals.len() };
        match self.ask(&[])? {
            SatResult::Unsat => return Ok(None),
            SatResult::Sat => seen.add(self.solver.model(), goals),
            SatResult::Unknown(_) => {}
        }
        let mut literals = self.settled(goals, &mut seen)?;
        let settled: FxHashSet<PredicateId> = literals.iter().map(|(id, _)| *id).collect();
        let mut open: Vec<usize> = Vec::new();
        for (i, &(id, goal)) in goals.iter().enumerate() {
            if settled.contains(&id) {
                continue;
            }
            if !seen.any(i, false) {
                match self.ask(&[goal.not()])? {
                    SatResult::Unsat => {
                        literals.push((id, true));
                        continue;
                    }
                    SatResult::Sat => seen.add(self.solver.model(), goals),
                    SatResult::Unknown(_) => {}
                }
            }
            if !seen.any(i, true) {
                match self.ask(&[goal])? {
                    SatResult::Unsat => {
                        literals.push((id, false));
                        continue;
                    }
                    SatResult::Sat => seen.add(self.solver.model(), goals),
                    SatResult::Unknown(_) => {}
                }
            }
            open.push(i);
        }
        let fixed = predicates.cube(&literals);
        if open.len() < 2 {
            return Ok(Some(fixed));
        }
        Ok(Some(match self.combinations(predicates, goals, &open, &seen)? {
            Some(state) => fixed.and(&state),
            None => fixed,
        }))
    }

    /// Those that are alike in all models, all at once: a model of the contrary settles some of them, none
    /// settles the rest. Empty where the solver does not know.
    fn settled(
        &mut self,
        goals: &[(PredicateId, Term)],
        seen: &mut Seen,
    ) -> Result<Vec<(PredicateId, bool)>, Stopped> {
        loop {
            let alike: Vec<(usize, bool)> =
                (0..goals.len()).filter_map(|i| Some((i, seen.always(i)?))).collect();
            if alike.len() < 2 {
                return Ok(Vec::new());
            }
            let other = alike.iter().map(|&(i, holds)| if holds { goals[i].1.not() } else { goals[i].1 });
            match self.ask(&[Term::any(other)])? {
                SatResult::Unsat => return Ok(alike.iter().map(|&(i, holds)| (goals[i].0, holds)).collect()),
                SatResult::Sat => seen.add(self.solver.model(), goals),
                SatResult::Unknown(_) => return Ok(Vec::new()),
            }
            if alike.iter().all(|&(i, holds)| seen.always(i) == Some(holds)) {
                return Ok(Vec::new());
            }
        }
    }

    /// The combinations of open predicates that have a model; None if they are too many or cannot be decided.
    fn combinations(
        &mut self,
        predicates: &Predicates,
        goals: &[(PredicateId, Term)],
        open: &[usize],
        seen: &Seen,
    ) -> Result<Option<Bdd>, Stopped> {
        let mut cubes: Vec<Vec<bool>> = Vec::new();
        for cube in &seen.cubes {
            if let Some(cube) = open.iter().map(|&i| cube[i]).collect::<Option<Vec<bool>>>()
                && !cubes.contains(&cube)
            {
                cubes.push(cube);
            }
        }
        if cubes.len() > MOST_CUBES {
            return Ok(None);
        }
        let blocking = |cube: &[bool]| {
            let literals = cube.iter().zip(open).map(|(holds, &i)| {
                let goal = goals[i].1;
                if *holds { goal.not() } else { goal }
            });
            Term::any(literals)
        };
        self.solver.push();
        for cube in &cubes {
            self.solver.assert(blocking(cube));
        }
        let found = loop {
            match self.ask(&[]) {
                Err(stopped) => break Err(stopped),
                Ok(SatResult::Unsat) => break Ok(true),
                Ok(SatResult::Unknown(_)) => break Ok(false),
                Ok(SatResult::Sat) => {
                    let model = self.solver.model();
                    let value = |i: &usize| model.as_ref()?.eval_bool(goals[*i].1);
                    let Some(cube) = open.iter().map(value).collect::<Option<Vec<bool>>>() else {
                        break Ok(false);
                    };
                    if cubes.len() >= MOST_CUBES || cubes.contains(&cube) {
                        break Ok(false);
                    }
                    self.solver.assert(blocking(&cube));
                    cubes.push(cube);
                }
            }
        };
        self.solver.pop();
        if !found? {
            return Ok(None);
        }
        Ok(Some(cubes.iter().fold(predicates.bottom(), |any, cube| {
            let literals: Vec<(PredicateId, bool)> =
                open.iter().zip(cube).map(|(&i, holds)| (goals[i].0, *holds)).collect();
            any.or(&predicates.cube(&literals))
        })))
    }

    fn ask(&mut self, assumptions: &[Term]) -> Result<SatResult, Stopped> {
        *self.queries += 1;
        let result = self.solver.check(assumptions);
        if let SatResult::Unknown(Why::Timeout | Why::Interrupted) = result {
            self.budget.check(*self.queries)?;
        }
        Ok(result)
    }
}

/// The values of all goals in the models so far.
struct Seen {
    cubes: Vec<Vec<Option<bool>>>,
    width: usize,
}

impl Seen {
    fn add(&mut self, model: Option<Model>, goals: &[(PredicateId, Term)]) {
        let value = |goal: Term| model.as_ref()?.eval_bool(goal);
        let cube: Vec<Option<bool>> = goals.iter().map(|(_, goal)| value(*goal)).collect();
        debug_assert_eq!(cube.len(), self.width, "one value for each goal");
        self.cubes.push(cube);
    }

    /// The value that a goal has in all of them.
    fn always(&self, goal: usize) -> Option<bool> {
        let first = self.cubes.first()?[goal]?;
        self.cubes.iter().all(|cube| cube[goal] == Some(first)).then_some(first)
    }

    fn any(&self, goal: usize, holds: bool) -> bool {
        self.cubes.iter().any(|cube| cube[goal] == Some(holds))
    }
}
