//! Solvers: the trait that engines use, and Z3 behind it.
//!
//! A [`Z3Solver`] has a Z3 context of its own unless it is made next to another one, so that its answers
//! depend on nothing but what it was told. Making a context costs milliseconds and a query microseconds: keep
//! solvers alive.

use crate::define::Definitions;
use crate::model::Model;
use crate::raw::{self, Answer, Ast, Params, Tactic};
use crate::translate::Space;
use crate::watch::{Interrupt, Limits, Stop, guarded};
use base::Budget;
use logic::{Op, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::time::Duration;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SatResult {
    Sat,
    Unsat,
    Unknown(Why),
}

/// Why a solver gave up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    Timeout,
    /// The resource limit, which counts the same in every run.
    Resources,
    Interrupted,
    /// In Z3's words.
    Incomplete(String),
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Why::Timeout => f.write_str("solver timeout"),
            Why::Resources => f.write_str("solver resource limit"),
            Why::Interrupted => f.write_str("interrupted"),
            Why::Incomplete(reason) => write!(f, "solver incomplete: {reason}"),
        }
    }
}

/// A set of formulas with backtracking points.
pub trait Solver {
    fn assert(&mut self, formula: Term);
    fn push(&mut self);
    /// Forgets what was asserted since the last `push` that is still open; nothing if there is none.
    fn pop(&mut self);
    /// Are the formulas satisfiable together with these? Any formulas will do as assumptions.
    fn check(&mut self, assumptions: &[Term]) -> SatResult;
    /// After `Sat`, until the next change.
    fn model(&self) -> Option<Model>;
    /// After `Unsat`: assumptions that are enough for it, in the order in which they were given.
    fn unsat_core(&self) -> Vec<Term>;
}

/// Which of Z3's solvers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// The incremental core, behind our own use of equations (`define`): for many queries that share
    /// formulas.
    #[default]
    Incremental,
    /// The incremental core alone.
    Core,
    /// Z3's solver for an SMT-LIB logic.
    Logic(&'static str),
    /// Tactics one after the other, the last of which decides.
    Tactics(&'static [&'static str]),
}

#[derive(Clone, Debug)]
pub struct Settings {
    pub strategy: Strategy,
    /// Of each check.
    pub timeout: Option<Duration>,
    /// Of each check, in Z3's units: the same in every run. A million is about a second.
    pub resources: Option<u32>,
    pub seed: u32,
    /// Its deadline and its cancellation hold for every check.
    pub budget: Budget,
    pub interrupt: Interrupt,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            strategy: Strategy::default(),
            timeout: None,
            resources: None,
            seed: 0,
            budget: Budget::unlimited(),
            interrupt: Interrupt::new(),
        }
    }
}

impl Settings {
    pub fn timeout(self, timeout: Duration) -> Settings {
        Settings { timeout: Some(timeout), ..self }
    }

    pub fn strategy(self, strategy: Strategy) -> Settings {
        Settings { strategy, ..self }
    }

    pub fn budget(self, budget: &Budget) -> Settings {
        Settings { budget: budget.clone(), ..self }
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits::new(self.timeout, &self.budget, &self.interrupt)
    }
}

/// Z3 cannot start, or knows no such logic or tactic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoSolver(pub String);

impl std::fmt::Display for NoSolver {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Z3: {}", self.0)
    }
}

impl std::error::Error for NoSolver {}

pub struct Z3Solver {
    space: Rc<Space>,
    raw: raw::Solver,
    settings: Settings,
    level: u32,
    /// Only for `Strategy::Incremental`.
    definitions: Option<Definitions>,
    /// Stands for an assumption that is no literal; valid while the level it was made at is open.
    proxies: FxHashMap<Term, (Ast, u32)>,
    core: Vec<Term>,
    /// The last answer was `Sat`, and nothing changed since.
    has_model: bool,
    /// A formula could not be asserted, at this level: there are no answers until it is popped.
    broken: Option<(u32, String)>,
    /// Full adders that Z3 has not made yet.
    adders: u64,
}

impl Z3Solver {
    pub fn new(settings: Settings) -> Result<Z3Solver, NoSolver> {
        let space = Space::shared().ok_or_else(|| NoSolver("no context".into()))?;
        Z3Solver::in_space(space, settings)
    }

    /// Shares the context, and so the translated terms, of another solver.
    pub fn beside(other: &Z3Solver, settings: Settings) -> Result<Z3Solver, NoSolver> {
        Z3Solver::in_space(other.space.clone(), settings)
    }

    pub(crate) fn in_space(space: Rc<Space>, settings: Settings) -> Result<Z3Solver, NoSolver> {
        let ctx = &space.ctx;
        let raw = match settings.strategy {
            Strategy::Incremental | Strategy::Core => raw::Solver::simple(ctx),
            Strategy::Logic(logic) => raw::Solver::for_logic(ctx, logic),
            Strategy::Tactics(names) => {
                let mut tactics = names.iter().map(|name| Tactic::named(ctx, name));
                let first = tactics.next().flatten();
                let whole = tactics.try_fold(first, |sum, next| Some(Some(sum?.then(&next?)?))).flatten();
                whole.and_then(|t| raw::Solver::from_tactic(&t))
            }
        };
        let raw = raw.ok_or_else(|| NoSolver(ctx.error()))?;
        if let Some(params) = Params::new(ctx) {
            // Z3 would take over Ctrl-C during each check.
            raw.set(&params.bool("ctrl_c", false).uint("random_seed", settings.seed));
        }
        let definitions = (settings.strategy == Strategy::Incremental).then(Definitions::default);
        let resources = settings.resources;
        let mut solver = Z3Solver {
            space,
            raw,
            settings,
            level: 0,
            definitions,
            proxies: FxHashMap::default(),
            core: Vec::new(),
            has_model: false,
            broken: None,
            adders: 0,
        };
        if resources.is_some() {
            solver.set_resources(resources);
        }
        Ok(solver)
    }

    /// How many `push`es are open.
    pub fn level(&self) -> u32 {
        self.level
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Of the checks from now on.
    pub fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.settings.timeout = timeout;
    }

    /// Of the checks from now on.
    pub fn set_resources(&mut self, resources: Option<u32>) {
        self.settings.resources = resources;
        if let Some(params) = Params::new(&self.space.ctx) {
            // Zero is Z3's word for no limit.
            self.raw.set(&params.uint("rlimit", resources.unwrap_or(0)));
        }
    }

    /// Stops a running check, and all later ones until it is reset.
    pub fn interrupt(&self) -> Interrupt {
        self.settings.interrupt.clone()
    }

    fn assert_now(&mut self, formula: Term) {
        let ast = self.space.translate(formula);
        let done = ast.is_some_and(|a| self.raw.assert(&a));
        if !done && self.broken.is_none() {
            self.broken = Some((self.level, self.space.ctx.error()));
        }
    }

    /// Asserts what was put off.
    fn flush(&mut self) {
        for formula in self.definitions.as_mut().map_or(Vec::new(), Definitions::flush) {
            self.assert_now(formula);
        }
    }

    fn simplify(&mut self, formula: Term) -> Term {
        self.definitions.as_mut().map_or(formula, |d| d.apply(formula))
    }

    /// A literal that makes the solver assume the formula.
    fn literal(&mut self, formula: Term) -> Option<Ast> {
        let plain = formula.is_var()
            || *formula.op() == Op::Not && formula.args().first().is_some_and(|a| a.is_var());
        if plain {
            return self.space.translate(formula);
        }
        if let Some((proxy, _)) = self.proxies.get(&formula) {
            return Some(proxy.clone());
        }
        let proxy = self.space.fresh_bool()?;
        let ctx = &self.space.ctx;
        let ast = self.space.translate(formula)?;
        let meaning = ctx.make2(z3_sys::Z3_mk_implies, &proxy, &ast)?;
        if !self.raw.assert(&meaning) {
            return None;
        }
        self.proxies.insert(formula, (proxy.clone(), self.level));
        Some(proxy)
    }

    fn solve(&mut self, assumptions: &[Term]) -> SatResult {
        let mut literals: Vec<(Term, Ast)> = Vec::new();
        for &formula in assumptions {
            let simple = self.simplify(formula);
            if simple.is_true() {
                continue;
            }
            if simple.is_false() {
                self.core = vec![formula];
                return SatResult::Unsat;
            }
            match self.literal(simple) {
                Some(literal) => literals.push((formula, literal)),
                None => return SatResult::Unknown(Why::Incomplete(self.space.ctx.error())),
            }
        }
        let asts: Vec<&Ast> = literals.iter().map(|(_, a)| a).collect();
        let raw = &self.raw;
        let limits = self.settings.limits();
        // While Z3 makes bits of words, it does not listen.
        self.adders += self.space.adders.take();
        let preparation = ADDER * u32::try_from(self.adders).unwrap_or(u32::MAX);
        if limits
            .left()
            .is_some_and(|left| preparation > left.saturating_mul(2).saturating_add(Duration::from_secs(1)))
        {
            return SatResult::Unknown(Why::Timeout);
        }
        let (answer, stop) = guarded(raw.target(), &limits, || raw.check(&asts));
        if answer.is_some() {
            self.adders = 0;
        }
        match (answer, stop) {
            (Some(Answer::Yes), _) => SatResult::Sat,
            (Some(Answer::No), _) => {
                let core: Vec<u32> = self.raw.core().iter().map(Ast::id).collect();
                self.core =
                    literals.iter().filter(|(_, a)| core.contains(&a.id())).map(|(t, _)| *t).collect();
                SatResult::Unsat
            }
            (_, Some(Stop::Timeout)) => SatResult::Unknown(Why::Timeout),
            (_, Some(Stop::Interrupted)) => SatResult::Unknown(Why::Interrupted),
            _ => SatResult::Unknown(why(self.raw.reason(), &self.settings)),
        }
    }
}

/// What Z3's core needs to make a full adder: 13 ms for a multiplication of 32 bits, 27 ms to 60 ms for 64.
const ADDER: Duration = Duration::from_micros(12);

/// Z3's reason for giving up on its own.
pub(crate) fn why(reason: String, settings: &Settings) -> Why {
    // It says "canceled" for its resource limit, too; nobody else did, as the watcher knows.
    let limit = settings.resources.is_some() && (reason.contains("cancel") || reason.contains("resource"));
    if limit { Why::Resources } else { Why::Incomplete(reason) }
}

impl Solver for Z3Solver {
    fn assert(&mut self, formula: Term) {
        self.has_model = false;
        match &mut self.definitions {
            Some(definitions) => definitions.add(formula),
            None => self.assert_now(formula),
        }
    }

    fn push(&mut self) {
        self.has_model = false;
        self.flush();
        self.raw.push();
        if let Some(definitions) = &mut self.definitions {
            definitions.push();
        }
        self.level += 1;
    }

    fn pop(&mut self) {
        if self.level == 0 {
            return;
        }
        self.has_model = false;
        self.raw.pop(1);
        if let Some(definitions) = &mut self.definitions {
            definitions.pop();
        }
        self.level -= 1;
        let level = self.level;
        self.proxies.retain(|_, (_, made)| *made <= level);
        if self.broken.as_ref().is_some_and(|(at, _)| *at > level) {
            self.broken = None;
        }
    }

    fn check(&mut self, assumptions: &[Term]) -> SatResult {
        self.has_model = false;
        self.core.clear();
        self.flush();
        if let Some((_, reason)) = &self.broken {
            return SatResult::Unknown(Why::Incomplete(reason.clone()));
        }
        let result = self.solve(assumptions);
        self.has_model = result == SatResult::Sat;
        result
    }

    fn model(&self) -> Option<Model> {
        if !self.has_model {
            return None;
        }
        Some(Model::new(self.space.clone(), self.raw.model()?))
    }

    fn unsat_core(&self) -> Vec<Term> {
        self.core.clone()
    }
}

#[cfg(test)]
mod tests;
