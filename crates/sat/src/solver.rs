//! CaDiCaL in process: incremental, under assumptions, within a budget.
//!
//! The steps of a budget are conflicts, so a limit in steps gives the same answer every time; deadline and
//! cancellation reach the solver through its terminator. A solver stays on the thread that made it.

use crate::cnf::{Clauses, Literal, Var};
use base::{Budget, Stopped};
use cadical_sys::{CaDiCal, Status, Terminator};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Sat,
    Unsat,
}

pub struct Solver {
    engine: Engine,
    answer: Option<Answer>,
    assumed: Vec<Literal>,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Clauses for Solver {
    fn new_var(&mut self) -> Literal {
        self.engine.new_var()
    }

    fn add_clause(&mut self, literals: &[Literal]) {
        self.answer = None;
        self.engine.add_clause(literals);
    }
}

impl Solver {
    /// For hard queries: all of CaDiCaL's pre- and inprocessing.
    pub fn new() -> Self {
        Self::with(Engine::new(false))
    }

    /// For many easy queries: plain search, so that a call costs little.
    pub fn for_easy_queries() -> Self {
        Self::with(Engine::new(true))
    }

    fn with(engine: Engine) -> Self {
        Solver { engine, answer: None, assumed: Vec::new() }
    }

    /// Decides the clauses together with the assumptions, which hold for this call only.
    pub fn solve(&mut self, assumptions: &[Literal], budget: &Budget) -> Result<Answer, Stopped> {
        self.answer = None;
        self.assumed.clear();
        self.assumed.extend(assumptions);
        let answer = self.engine.solve(assumptions.iter().copied(), budget)?;
        self.answer = Some(answer);
        Ok(answer)
    }

    /// The value in the model, right after [`Answer::Sat`]; `None` otherwise.
    pub fn value(&mut self, literal: Literal) -> Option<bool> {
        (self.answer == Some(Answer::Sat)).then(|| self.engine.value(literal))
    }

    /// Whether the assumption was used, right after [`Answer::Unsat`]: those that were contradict the clauses
    /// together.
    pub fn failed(&mut self, assumption: Literal) -> bool {
        self.answer == Some(Answer::Unsat)
            && self.assumed.contains(&assumption)
            && self.engine.cadical.failed(assumption.to_dimacs())
    }

    /// The assumptions that were used.
    pub fn core(&mut self) -> Vec<Literal> {
        if self.answer != Some(Answer::Unsat) {
            return Vec::new();
        }
        let cadical = &mut self.engine.cadical;
        self.assumed.iter().copied().filter(|literal| cadical.failed(literal.to_dimacs())).collect()
    }

    /// How many variables there are.
    pub fn vars(&self) -> Var {
        self.engine.vars
    }

    pub fn conflicts(&self) -> u64 {
        self.engine.conflicts()
    }

    /// Accesses to memory of all searches so far: a measure of time that is the same on every machine.
    pub fn ticks(&self) -> u64 {
        self.engine.statistic("ticks")
    }
}

/// What the plain and the recording solver share.
pub(crate) struct Engine {
    pub(crate) cadical: CaDiCal,
    watch: Rc<Watch>,
    vars: Var,
}

impl Engine {
    pub(crate) fn new(plain: bool) -> Self {
        let mut cadical = CaDiCal::new();
        if plain {
            cadical.configure("plain");
            cadical.set("lucky", 0);
        }
        cadical.set("quiet", 1);
        // It invents variables, which neither proofs nor interpolants can speak about.
        cadical.set("factor", 0);
        let watch = Rc::new(Watch::default());
        cadical.connect_terminator(Watcher(watch.clone()));
        Engine { cadical, watch, vars: 0 }
    }

    pub(crate) fn new_var(&mut self) -> Literal {
        // 2^31 variables need more memory than any budget grants, so the number does not run over.
        self.vars += 1;
        Literal::from_code(self.vars << 1)
    }

    /// Repeated literals are dropped, clauses that always hold are not added.
    pub(crate) fn add_clause(&mut self, literals: &[Literal]) {
        let mut clause: Vec<i32> = literals.iter().map(|literal| literal.to_dimacs()).collect();
        clause.sort_unstable_by_key(|&literal| (literal.unsigned_abs(), literal));
        clause.dedup();
        if clause.windows(2).any(|pair| pair[0] == -pair[1]) {
            return;
        }
        if let Some(last) = clause.last() {
            self.vars = self.vars.max(last.unsigned_abs());
        }
        for literal in clause {
            self.cadical.add(literal);
        }
        self.cadical.add(0);
    }

    pub(crate) fn solve(
        &mut self,
        assumptions: impl Iterator<Item = Literal>,
        budget: &Budget,
    ) -> Result<Answer, Stopped> {
        budget.check(0)?;
        for literal in assumptions {
            self.vars = self.vars.max(literal.var());
            self.cadical.assume(literal.to_dimacs());
        }
        if let Some(steps) = budget.steps {
            self.cadical.limit("conflicts", i32::try_from(steps).unwrap_or(i32::MAX));
        }
        self.watch.stopped.set(None);
        *self.watch.budget.borrow_mut() = budget.with_steps(None);
        let status = self.cadical.solve();
        *self.watch.budget.borrow_mut() = Budget::unlimited();
        match status {
            Status::SATISFIABLE => Ok(Answer::Sat),
            Status::UNSATISFIABLE => Ok(Answer::Unsat),
            Status::UNKNOWN => Err(self.watch.stopped.get().unwrap_or(Stopped::Steps)),
        }
    }

    /// Only right after [`Answer::Sat`].
    pub(crate) fn value(&mut self, literal: Literal) -> bool {
        // It answers with the one of the two literals that is true.
        self.cadical.val(literal.to_dimacs()) == literal.to_dimacs()
    }

    pub(crate) fn conflicts(&self) -> u64 {
        self.statistic("conflicts")
    }

    fn statistic(&self, name: &str) -> u64 {
        u64::try_from(self.cadical.get_statistic_value(name)).unwrap_or(0)
    }

    pub(crate) fn vars(&self) -> Var {
        self.vars
    }
}

#[derive(Default)]
struct Watch {
    budget: RefCell<Budget>,
    stopped: Cell<Option<Stopped>>,
    asked: Cell<u32>,
}

struct Watcher(Rc<Watch>);

impl Terminator for Watcher {
    fn terminated(&mut self) -> bool {
        let watch = &self.0;
        if watch.stopped.get().is_some() {
            return true;
        }
        // CaDiCaL asks at every decision; the clock is not that cheap.
        let asked = watch.asked.get().wrapping_add(1);
        watch.asked.set(asked);
        if !asked.is_multiple_of(8) {
            return false;
        }
        match watch.budget.try_borrow() {
            Ok(budget) => watch.stopped.set(budget.check(0).err()),
            Err(_) => return false,
        }
        watch.stopped.get().is_some()
    }
}
