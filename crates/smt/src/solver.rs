//! Solvers: the trait that engines use, and Z3 behind it.
//!
//! A [`Z3Solver`] has a Z3 context of its own unless it is made next to another one, so that its answers depend on nothing but
//! what it was told. Making a context costs milliseconds and a query microseconds: keep solvers alive.

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
    /// The incremental core: best for many small queries that share most of their formulas.
    #[default]
    Incremental,
    /// Z3's own choice, which preprocesses until it is used incrementally.
    Combined,
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
    /// Stands for an assumption that is no literal; valid while the level it was made at is open.
    proxies: FxHashMap<Term, (Ast, u32)>,
    core: Vec<Term>,
    /// The last answer was `Sat`, and nothing changed since.
    has_model: bool,
    /// A formula could not be asserted, at this level: there are no answers until it is popped.
    broken: Option<(u32, String)>,
}

impl Z3Solver {
    pub fn new(settings: Settings) -> Result<Z3Solver, NoSolver> {
        let space = Space::new().ok_or_else(|| NoSolver("no context".into()))?;
        Z3Solver::in_space(space, settings)
    }

    /// Shares the context, and so the translated terms, of another solver.
    pub fn beside(other: &Z3Solver, settings: Settings) -> Result<Z3Solver, NoSolver> {
        Z3Solver::in_space(other.space.clone(), settings)
    }

    pub(crate) fn in_space(space: Rc<Space>, settings: Settings) -> Result<Z3Solver, NoSolver> {
        let ctx = &space.ctx;
        let raw = match settings.strategy {
            Strategy::Incremental => raw::Solver::simple(ctx),
            Strategy::Combined => raw::Solver::combined(ctx),
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
            let params = params.bool("ctrl_c", false).uint("random_seed", settings.seed);
            let params = match settings.resources {
                Some(limit) => params.uint("rlimit", limit),
                None => params,
            };
            raw.set(&params);
        }
        Ok(Z3Solver {
            space,
            raw,
            settings,
            level: 0,
            proxies: FxHashMap::default(),
            core: Vec::new(),
            has_model: false,
            broken: None,
        })
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

    /// Stops a running check, and all later ones until it is reset.
    pub fn interrupt(&self) -> Interrupt {
        self.settings.interrupt.clone()
    }

    fn assert_ast(&mut self, ast: Option<Ast>) {
        let done = ast.is_some_and(|a| self.raw.assert(&a));
        if !done && self.broken.is_none() {
            self.broken = Some((self.level, self.space.ctx.error()));
        }
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
            if formula.is_true() {
                continue;
            }
            if formula.is_false() {
                self.core = vec![formula];
                return SatResult::Unsat;
            }
            match self.literal(formula) {
                Some(literal) => literals.push((formula, literal)),
                None => return SatResult::Unknown(Why::Incomplete(self.space.ctx.error())),
            }
        }
        let asts: Vec<&Ast> = literals.iter().map(|(_, a)| a).collect();
        let raw = &self.raw;
        let (answer, stop) = guarded(raw.target(), &self.settings.limits(), || raw.check(&asts));
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

/// Z3's reason for giving up on its own.
pub(crate) fn why(reason: String, settings: &Settings) -> Why {
    // It says "canceled" for its resource limit, too; nobody else did, as the watcher knows.
    let limit = settings.resources.is_some() && (reason.contains("cancel") || reason.contains("resource"));
    if limit { Why::Resources } else { Why::Incomplete(reason) }
}

impl Solver for Z3Solver {
    fn assert(&mut self, formula: Term) {
        self.has_model = false;
        let ast = self.space.translate(formula);
        self.assert_ast(ast);
    }

    fn push(&mut self) {
        self.has_model = false;
        self.raw.push();
        self.level += 1;
    }

    fn pop(&mut self) {
        if self.level == 0 {
            return;
        }
        self.has_model = false;
        self.raw.pop(1);
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
        Some(Model { space: self.space.clone(), raw: self.raw.model()? })
    }

    fn unsat_core(&self) -> Vec<Term> {
        self.core.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::{Sort, Value};
    use std::time::Instant;

    fn int(name: &str) -> Term {
        Term::var(name, Sort::Int)
    }

    fn solver() -> Z3Solver {
        Z3Solver::new(Settings::default()).unwrap()
    }

    /// Factoring a product of two primes, hopeless in any time.
    fn hard() -> Term {
        let (x, y) = (Term::var("x", Sort::Bv(128)), Term::var("y", Sort::Bv(128)));
        let bound = Term::bv(1 << 63, 128);
        let product = 18446744073709551557u128 * 9223372036854775783;
        Term::all([
            x.mul(y).equals(Term::bv(product, 128)),
            x.ult(bound),
            y.ult(bound),
            Term::bv(1, 128).ult(x),
        ])
    }

    #[test]
    fn integers_have_a_model() {
        let (x, y) = (int("x"), int("y"));
        let mut s = solver();
        s.assert(x.add(y).equals(Term::int(10)));
        s.assert(x.sub(y).equals(Term::int(4)));
        assert!(s.model().is_none());
        assert_eq!(s.check(&[]), SatResult::Sat);
        let model = s.model().unwrap();
        assert_eq!(model.eval(x), Some(Value::int(7)));
        assert_eq!(model.eval(x.mul(y)), Some(Value::int(21)));
        assert_eq!(model.eval_bool(x.int_lt(y)), Some(false));
        s.assert(y.int_gt(x));
        assert!(s.model().is_none());
        assert_eq!(s.check(&[]), SatResult::Unsat);
        // The old model stays.
        assert_eq!(model.eval(y), Some(Value::int(3)));
    }

    #[test]
    fn levels_come_and_go() {
        let x = int("x");
        let mut s = solver();
        s.assert(x.int_ge(Term::int(0)));
        s.push();
        s.assert(x.int_lt(Term::int(0)));
        assert_eq!(s.check(&[]), SatResult::Unsat);
        s.pop();
        assert_eq!(s.check(&[]), SatResult::Sat);
        s.pop();
        assert_eq!((s.check(&[]), s.level()), (SatResult::Sat, 0));
    }

    #[test]
    fn any_formula_can_be_assumed() {
        let (x, p) = (int("x"), Term::var("p", Sort::Bool));
        let mut s = solver();
        s.assert(p.implies(x.int_lt(Term::int(5))));
        let big = x.int_gt(Term::int(7)).or(x.int_gt(Term::int(9)));
        let other = x.differs(Term::int(100));
        for _ in 0..2 {
            assert_eq!(s.check(&[other, p, big]), SatResult::Unsat);
            assert_eq!(s.unsat_core(), [p, big]);
            assert_eq!(s.check(&[other, p.not(), big]), SatResult::Sat);
            assert_eq!(s.unsat_core(), []);
        }
        assert_eq!(s.check(&[p, Term::bool(false)]), SatResult::Unsat);
        assert_eq!(s.unsat_core(), [Term::bool(false)]);
    }

    #[test]
    fn assumptions_made_at_a_level_still_work_below_it() {
        let x = int("x");
        let mut s = solver();
        let assumption = x.int_gt(Term::int(3)).and(x.int_lt(Term::int(9)));
        s.push();
        assert_eq!(s.check(&[assumption]), SatResult::Sat);
        s.pop();
        s.assert(x.equals(Term::int(1)));
        assert_eq!(s.check(&[assumption]), SatResult::Unsat);
        assert_eq!(s.unsat_core(), [assumption]);
    }

    #[test]
    fn time_is_limited() {
        let check = |settings: Settings| {
            let mut s = Z3Solver::new(settings).unwrap();
            s.assert(hard());
            let start = Instant::now();
            let result = s.check(&[]);
            assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
            // It can be used again.
            s.push();
            s.assert(Term::bool(false));
            (result, s.check(&[]))
        };
        let short = Duration::from_millis(100);
        let timeout = SatResult::Unknown(Why::Timeout);
        for strategy in [Strategy::Incremental, Strategy::Combined, Strategy::Logic("QF_BV")] {
            let settings = Settings::default().strategy(strategy).timeout(short);
            assert_eq!(check(settings), (timeout.clone(), SatResult::Unsat), "{strategy:?}");
        }
        let late = Budget { deadline: Some(Instant::now() + short), ..Budget::unlimited() };
        assert_eq!(check(Settings::default().budget(&late)).0, timeout);
        assert_eq!(check(Settings::default().budget(&late)), (timeout.clone(), timeout.clone()));
        let few = Settings { resources: Some(100_000), ..Settings::default() };
        assert_eq!(check(few), (SatResult::Unknown(Why::Resources), SatResult::Unsat));
    }

    #[test]
    fn other_threads_can_interrupt() {
        let mut s = solver();
        let interrupt = s.interrupt();
        s.assert(hard());
        let start = Instant::now();
        let result = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                interrupt.interrupt();
            });
            s.check(&[])
        });
        assert_eq!(result, SatResult::Unknown(Why::Interrupted));
        assert!(start.elapsed() < Duration::from_secs(2));
        assert_eq!(s.check(&[]), SatResult::Unknown(Why::Interrupted));
        interrupt.reset();
        assert_eq!(s.check(&[Term::bool(false)]), SatResult::Unsat);
        let budget = Budget::unlimited();
        let mut s = Z3Solver::new(Settings::default().budget(&budget)).unwrap();
        budget.cancelled.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(s.check(&[]), SatResult::Unknown(Why::Interrupted));
    }

    #[test]
    fn unknown_tactics_are_errors() {
        let check = |strategy| Z3Solver::new(Settings::default().strategy(strategy)).is_ok();
        assert!(check(Strategy::Tactics(&["simplify", "solve-eqs", "smt"])));
        assert!(!check(Strategy::Tactics(&["simplify", "no such tactic"])));
        assert!(!check(Strategy::Tactics(&[])));
    }

    #[test]
    fn deep_terms_are_no_problem() {
        let (mut t, x) = (int("x"), int("x"));
        let array = Term::var("a", Sort::array(Sort::Int, Sort::Int));
        for i in 0..5_000 {
            t = array.select(t).int_lt(x).ite(t.add(Term::int(i)), x);
        }
        let mut s = solver();
        s.assert(t.equals(x));
        s.assert(x.equals(Term::int(0)));
        s.set_timeout(Some(Duration::from_secs(2)));
        assert_ne!(s.check(&[x.equals(Term::int(1))]), SatResult::Sat);
    }
}
