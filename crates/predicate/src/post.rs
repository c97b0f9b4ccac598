//! Abstract successors: what is known of the predicates behind a transition.
//!
//! The solver is asked of every predicate whether it must hold or must not. Predicates that are open are put together into
//! the combinations that have a model, as long as these are few (the Boolean abstraction); otherwise nothing is said about them
//! (the Cartesian one). What was computed is remembered, so that exploring again after a refinement costs only what is new.

use crate::predicates::{PredicateId, Predicates};
use base::{Budget, Stopped};
use biodivine_lib_bdd::Bdd;
use logic::Term;
use rustc_hash::FxHashMap;
use smt::{Model, SatResult, Settings, Solver, Why, Z3Solver};

pub struct Post {
    solver: Z3Solver,
    /// By what holds, and by the open predicates with their new sense: two can have the same one.
    known: FxHashMap<Asked, Option<Bdd>>,
    budget: Budget,
    /// How many were computed, and how often the solver was asked for that.
    pub computed: u64,
    pub queries: u64,
}

type Asked = (Vec<Term>, Vec<(PredicateId, Term)>);

/// In Z3's units, about a second: a harder question counts as not decided.
const PATIENCE: u32 = 1_000_000;
/// Combinations of open predicates that are told apart.
const MOST_CUBES: usize = 24;

impl Post {
    /// `always` holds in every query.
    pub fn new(always: Term, budget: &Budget) -> Result<Post, String> {
        let settings = Settings { resources: Some(PATIENCE), ..Settings::default().budget(budget) };
        let mut solver = Z3Solver::new(settings).map_err(|e| e.to_string())?;
        if !always.is_true() {
            solver.assert(always);
        }
        let known = FxHashMap::default();
        Ok(Post { solver, known, budget: budget.clone(), computed: 0, queries: 0 })
    }

    /// What holds of these predicates (in their new sense) where all of `given` holds; None if that is contradictory.
    pub fn successor(
        &mut self,
        predicates: &Predicates,
        given: &[Term],
        goals: &[(PredicateId, Term)],
    ) -> Result<Option<Bdd>, Stopped> {
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
        facts.sort();
        facts.dedup();
        let fixed = predicates.cube(&literals);
        let key = (facts, open);
        if let Some(found) = self.known.get(&key) {
            return Ok(found.as_ref().map(|state| state.and(&fixed)));
        }
        self.budget.check(self.queries)?;
        self.computed += 1;
        self.solver.push();
        for &fact in &key.0 {
            self.solver.assert(fact);
        }
        let result = self.abstraction(predicates, &key.1);
        self.solver.pop();
        let result = result?;
        let answer = result.as_ref().map(|state| state.and(&fixed));
        self.known.insert(key, result);
        Ok(answer)
    }

    /// Can all of these hold together? What cannot be decided can.
    pub fn feasible(&mut self, predicates: &Predicates, given: &[Term]) -> Result<bool, Stopped> {
        Ok(self.successor(predicates, given, &[])?.is_some())
    }

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
        let mut literals = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for (i, &(id, goal)) in goals.iter().enumerate() {
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
        self.queries += 1;
        let result = self.solver.check(assumptions);
        if let SatResult::Unknown(Why::Timeout | Why::Interrupted) = result {
            self.budget.check(self.queries)?;
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

    fn any(&self, goal: usize, holds: bool) -> bool {
        self.cubes.iter().any(|cube| cube[goal] == Some(holds))
    }
}
