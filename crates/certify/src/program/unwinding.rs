//! Unwinding: every loop is gone through, and every call gone into, until no execution can go further, and no
//! check fails on the way.
//!
//! The transitions of `encode::TransitionSystem` are followed from the first state. A *point* is a cut point
//! of an activation in a given round of each of the loops around it; the activation is known by the calls
//! that led to it. Ways that meet at a point are merged. No execution is at one point twice (every cycle goes
//! through the head of the innermost loop that contains it, which begins a round), so that the ways to a
//! point exclude each other. Points are visited in an order in which those that lead to others come first, as
//! far as there is one; if a way comes to a point that was visited already, it is visited again, which costs
//! time only.
//!
//! A round that begins where an earlier one began, in the same states, is not followed: by induction on its
//! length, whatever fails from there fails from the earlier one, without coming back. (Programs that wait for
//! ever do this.)
//!
//! Whether a new round, or a deeper call of a function that calls itself, is possible is asked of the solver;
//! where it has no answer, it is taken to be possible, up to the claimed bound, beyond which it must not be.
//! Terms that ways differ in get a name and a definition, so that formulas stay as small as the number of
//! points.

mod constant_set;
mod path_state;

use super::Refused;
use super::clause::{Clause, What, name};
use super::obligation::Prover;
use super::variables::{locals, shared};
use crate::Flaw;
use base::Budget;
use constant_set::{ConstantSet, written};
use encode::block::Call;
use encode::names::{auxiliary, is_address, is_auxiliary};
use encode::transition_system::{To, Transition};
use encode::{IntMode, State, TransitionSystem};
use ir::{FuncId, Liveness, LocalId, LoopId, NodeId, Program};
use logic::{Op, Substitution, Term, free_vars, free_vars_of, size};
use path_state::{PathState, applied, behind, defined};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{SatResult, Settings, Solver, Strategy, Z3Solver};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

/// How the claim was shown, in words.
pub fn check(program: &Program, entry: FuncId, bound: u32, prover: &mut Prover) -> Result<String, Refused> {
    let all = prover.budget;
    // The other encoding may be the better one.
    let limited = all.parts(3, 5);
    let exact = Unwinder::new(program, entry, IntMode::Bv, bound, &limited)
        .and_then(|unwinder| unwinder.run(&mut prover.queries));
    match exact {
        Err(Refused { flaw: Flaw::Open(first), clause }) => {
            let wrapped = Unwinder::new(program, entry, IntMode::Wrap, bound, all)
                .and_then(|unwinder| unwinder.run(&mut prover.queries));
            match wrapped {
                Err(Refused { flaw: Flaw::Open(_), .. }) => Err(Refused { flaw: Flaw::Open(first), clause }),
                other => other,
            }
        }
        other => other,
    }
}

/// More than anybody wants to wait for.
const MOST_POINTS: usize = 1_000_000;
const DEEPEST: usize = 400;
/// For the question whether there is another round.
const PATIENCE: Duration = Duration::from_secs(2);
/// Failures that are looked at one by one, if all at once are too many.
const MOST_ALONE: usize = 200;

struct Unwinder<'a> {
    system: TransitionSystem,
    bound: u32,
    budget: &'a Budget,
    solver: Z3Solver,
    blocks: FxHashMap<(FuncId, NodeId), Rc<Block>>,
    functions: FxHashMap<FuncId, Rc<View>>,
    /// What always holds of addresses.
    addresses: FxHashSet<Term>,
    /// What holds in every execution: definitions, with the variable that they define, and facts.
    known: Vec<(Option<Term>, Term)>,
    /// The names of terms that have one.
    named: FxHashMap<Term, Term>,
    constants: ConstantSet,
    /// How many of these the solver was told.
    told: usize,
    failures: Vec<(Term, Clause)>,
    /// How functions that call themselves returned, by what they were given: all that it depends on.
    calls: FxHashMap<(FuncId, Vec<Term>, BTreeSet<Term>), Option<PathState>>,
    points: usize,
    /// So many questions about further rounds are left out now, and were after the last one that had no
    /// answer.
    skip: usize,
    skipped: usize,
    names: usize,
    queries: usize,
}

/// All that can happen from a cut point.
struct Block {
    transitions: Vec<Transition>,
    auxiliary: Vec<Term>,
}

struct View {
    variables: State,
    /// By node: where it comes in an order that follows the edges.
    order: Vec<u32>,
    live: Option<Liveness>,
}

/// A cut point, and the round of each loop around it, from outside in.
struct Point {
    node: NodeId,
    rounds: Vec<(LoopId, u32)>,
    path: PathState,
}

/// Points are visited in the order of these.
type Key = Vec<(u32, u32)>;

/// Where a round begins, and in which state.
type Begun = (NodeId, Vec<Option<Term>>);

impl<'a> Unwinder<'a> {
    fn new(
        program: &Program,
        entry: FuncId,
        mode: IntMode,
        bound: u32,
        budget: &'a Budget,
    ) -> Result<Unwinder<'a>, Refused> {
        let system = TransitionSystem::new(program, entry, mode)?;
        let settings = Settings::default().strategy(Strategy::Core).budget(budget).timeout(PATIENCE);
        let solver = Z3Solver::new(settings).map_err(|e| Flaw::Open(e.to_string()))?;
        let addresses: FxHashSet<Term> = system.addresses.conjuncts().into_iter().collect();
        let known = addresses.iter().map(|fact| (None, *fact)).collect();
        Ok(Unwinder {
            system,
            bound,
            budget,
            solver,
            blocks: FxHashMap::default(),
            functions: FxHashMap::default(),
            addresses,
            known,
            named: FxHashMap::default(),
            constants: ConstantSet::default(),
            told: 0,
            failures: Vec::new(),
            calls: FxHashMap::default(),
            points: 0,
            skip: 0,
            skipped: 0,
            names: 0,
            queries: 0,
        })
    }

    fn run(mut self, queries: &mut usize) -> Result<String, Refused> {
        let entry = self.system.entry;
        let mut state = self.view(entry)?.variables.clone();
        for fact in self.system.initial()?.conjuncts() {
            // Globals that start with a number are that number.
            match defined(fact)
                .and_then(|(v, c)| state.globals.iter_mut().find(|g| **g == Some(v)).zip(Some(c)))
            {
                Some((global, constant)) => *global = Some(constant),
                None => self.known.push((None, fact)),
            }
        }
        let path = PathState { conditions: BTreeSet::new(), state, value: None };
        let result = self.activation(entry, path, &mut Vec::new()).and_then(|_| self.decide());
        *queries += self.queries;
        result?;
        let (points, mode) = (self.points, self.system.mode);
        Ok(format!("unwound, of {points} points no other is reached ({mode})"))
    }

    /// Runs an activation of a function from its entry; the state in which it returns, if it does.
    fn activation(
        &mut self,
        function: FuncId,
        path: PathState,
        stack: &mut Vec<FuncId>,
    ) -> Result<Option<PathState>, Refused> {
        let Some(start) = self.system.program.function(function).cfa().map(|cfa| cfa.entry) else {
            return Err(Flaw::Open("a function without a body".to_owned()).into());
        };
        stack.push(function);
        let mut returned: Option<PathState> = None;
        let mut queue: BTreeMap<Key, Point> = BTreeMap::new();
        // The conditions under which rounds began, by where and in which state.
        let mut heads: FxHashMap<Begun, Vec<BTreeSet<Term>>> = FxHashMap::default();
        self.arrive(function, None, start, path, &mut queue)?;
        while let Some((_, point)) = queue.pop_first() {
            self.points += 1;
            if self.points > MOST_POINTS {
                return Err(Flaw::Open("unwinding it takes too much".to_owned()).into());
            }
            self.budget.check(self.points as u64).map_err(|stop| Flaw::Open(stop.to_string()))?;
            if let Some((head, round)) = point.rounds.last().copied()
                && self.forest(function).is_some_and(|f| f.get(head).header == point.node)
            {
                let state = locals(&point.path.state).chain(shared(&point.path.state)).collect();
                let before = heads.entry((point.node, state)).or_default();
                if before.iter().any(|conditions| conditions.is_subset(&point.path.conditions)) {
                    continue;
                }
                let clause = Clause::at(&self.system, function, point.node, What::Bound(self.bound));
                if round > 0 && !self.goes_on(&point.path, round, clause)? {
                    continue;
                }
                before.push(point.path.conditions.clone());
            }
            self.visit(function, &point, stack, &mut queue, &mut returned)?;
        }
        stack.pop();
        Ok(returned)
    }

    fn visit(
        &mut self,
        function: FuncId,
        point: &Point,
        stack: &mut Vec<FuncId>,
        queue: &mut BTreeMap<Key, Point>,
        returned: &mut Option<PathState>,
    ) -> Result<(), Refused> {
        let block = self.block(function, point.node)?;
        let view = self.view(function)?;
        let passage = self.points;
        let fresh = |v: &Term| {
            let name = v.var_name().unwrap_or_default();
            (*v, Term::var(&auxiliary(format_args!("{passage}{name}")), v.sort()))
        };
        let variables = locals(&view.variables).chain(shared(&view.variables));
        let values = locals(&point.path.state).chain(shared(&point.path.state));
        let mut pairs: Vec<(Term, Term)> =
            variables.zip(values).filter_map(|(variable, value)| Some((variable?, value?))).collect();
        pairs.extend(block.auxiliary.iter().map(fresh));
        if pairs.iter().any(|(a, b)| a.sort() != b.sort()) {
            return Err(Flaw::Open("a variable has another sort than expected".to_owned()).into());
        }
        let mut now = Substitution::new(pairs.iter().copied());
        for transition in &block.transitions {
            let guard = self.constants.simplified(now.apply(transition.guard));
            let Some(conditions) = self.assume(&point.path.conditions, guard) else { continue };
            match &transition.to {
                To::Failure | To::Trap(_) => {
                    let what = match &transition.to {
                        To::Trap(why) => What::Meaning(why.clone()),
                        _ => What::Check,
                    };
                    let clause = Clause::at(&self.system, function, point.node, what);
                    self.failures.push((Term::all(conditions), clause));
                }
                To::Return => {
                    let state = State { locals: Vec::new(), ..self.applied(&mut now, &transition.state) };
                    let value = transition.value.map(|t| self.constants.simplified(now.apply(t)));
                    let path = PathState { conditions, state, value };
                    *returned = Some(match returned.take() {
                        Some(other) => self.merge(other, path),
                        None => path,
                    });
                }
                To::Cut(to) => {
                    let path = match &transition.call {
                        None => {
                            let state = self.applied(&mut now, &transition.state);
                            Some(PathState { conditions, state, value: None })
                        }
                        Some(call) => {
                            let what = What::Bound(self.bound);
                            let clause = Clause::at(&self.system, function, point.node, what);
                            let entered = self.enter(call, conditions, &mut now, stack, clause)?;
                            let left = entered.map(|left| behind(&pairs, transition, call, left));
                            left.transpose()?
                        }
                    };
                    if let Some(mut path) = path {
                        path.state = self.simplified(path.state);
                        self.arrive(function, Some(point), *to, path, queue)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Runs a callee; how it returns, if it does.
    fn enter(
        &mut self,
        call: &Call,
        conditions: BTreeSet<Term>,
        now: &mut Substitution,
        stack: &mut Vec<FuncId>,
        clause: Clause,
    ) -> Result<Option<PathState>, Refused> {
        let callee = call.callee;
        let view = self.view(callee)?;
        let params = self.system.program.function(callee).params as usize;
        self.names += 1;
        let activation = self.names;
        let mut state = State { locals: Vec::new(), ..self.applied(now, &call.before) };
        let mut own = State { globals: Vec::new(), ..state.clone() };
        for (i, variable) in locals(&view.variables).enumerate() {
            let any = variable.map(|v| {
                let name = v.var_name().unwrap_or_default();
                Term::var(&auxiliary(format_args!("activation{activation}.{name}")), v.sort())
            });
            let argument = (i < params).then(|| call.args.get(i)).flatten();
            let argument = argument.map(|a| self.constants.simplified(now.apply(*a)));
            own.locals.push(any.filter(|_| argument.is_none()));
            state.locals.push(argument.or(any));
        }
        // Whatever is in a variable that is not set yet, it is of its type.
        let facts = self.system.typed(callee, &own).conjuncts();
        self.known.extend(facts.into_iter().filter(|t| !t.is_true()).map(|t| (None, t)));
        let path = PathState { conditions, state, value: None };
        let above = stack.iter().filter(|f| **f == callee).count();
        if above > 0 && !self.goes_on(&path, above as u32, clause)? {
            return Ok(None);
        }
        if stack.len() >= DEEPEST {
            return Err(Flaw::Open(format!("calls of {} are too deep", name(&self.system, callee))).into());
        }
        if above == 0 {
            return self.activation(callee, path, stack);
        }
        // The same call again gives the same, unless what it gives depends on inputs of its own.
        let mut given: Vec<Term> =
            shared(&path.state).chain(locals(&path.state).take(params)).flatten().collect();
        let key = (callee, given.clone(), path.conditions.clone());
        if let Some(left) = self.calls.get(&key) {
            return Ok(left.clone());
        }
        given.extend(&path.conditions);
        let left = self.activation(callee, path, stack)?;
        let known = free_vars_of(given);
        let terms = left.iter().flat_map(|left| {
            let state = shared(&left.state).chain([left.value]).flatten();
            state.chain(left.conditions.iter().copied())
        });
        if free_vars_of(terms).is_subset(&known) {
            self.calls.insert(key, left.clone());
        }
        Ok(left)
    }

    /// Is there an execution that comes here, in this round? Not beyond the bound.
    fn goes_on(&mut self, path: &PathState, round: u32, clause: Clause) -> Result<bool, Refused> {
        let beyond = round > self.bound;
        let condition = Term::all(path.conditions.iter().copied());
        if condition.is_true() {
            return if beyond { Err(clause.wrong()) } else { Ok(true) };
        }
        if !beyond && self.skip > 0 {
            self.skip -= 1;
            return Ok(true);
        }
        for (_, fact) in &self.known[self.told..] {
            self.solver.assert(*fact);
        }
        self.told = self.known.len();
        self.queries += 1;
        match self.solver.check(&[condition]) {
            SatResult::Unsat => Ok(false),
            SatResult::Sat if beyond => Err(clause.wrong()),
            SatResult::Unknown(why) if beyond => {
                let alone = self.relevant(condition);
                match super::obligation::ask(&alone, self.budget).0 {
                    SatResult::Unsat => Ok(false),
                    SatResult::Sat => Err(clause.wrong()),
                    SatResult::Unknown(_) => Err(clause.open(&why.to_string())),
                }
            }
            SatResult::Unknown(_) => {
                // The next ones are likely to be as hard.
                self.skipped = 2 * self.skipped + 1;
                self.skip = self.skipped;
                Ok(true)
            }
            SatResult::Sat => Ok(true),
        }
    }

    /// Puts a way to a cut point into the queue.
    fn arrive(
        &mut self,
        function: FuncId,
        from: Option<&Point>,
        to: NodeId,
        mut path: PathState,
        queue: &mut BTreeMap<Key, Point>,
    ) -> Result<(), Refused> {
        let view = self.view(function)?;
        // Ways that differ in what nobody reads any more do not differ.
        if let Some(live) = &view.live {
            for (i, local) in path.state.locals.iter_mut().enumerate() {
                if !live.at(to).contains(&LocalId(i as u32)) {
                    *local = view.variables.locals.get(i).copied().flatten();
                }
            }
        }
        // The rounds to come would repeat what is large.
        let is_head = |forest: &ir::LoopForest| {
            forest.innermost(to).is_some_and(|innermost| forest.get(innermost).header == to)
        };
        if self.forest(function).is_some_and(is_head) {
            for i in 0..path.state.locals.len() {
                path.state.locals[i] = path.state.locals[i].map(|t| self.named_if_large(t));
            }
            for i in 0..path.state.globals.len() {
                path.state.globals[i] = path.state.globals[i].map(|t| self.named_if_large(t));
            }
            for i in 0..path.state.memory.len() {
                path.state.memory[i] = self.named_if_large(path.state.memory[i]);
            }
        }
        let place = |node: NodeId| view.order.get(node.0 as usize).copied().unwrap_or(u32::MAX);
        let mut around = Vec::new();
        let mut key = Vec::new();
        if let Some(forest) = self.forest(function) {
            let mut next = forest.innermost(to);
            while let Some(id) = next {
                around.push(id);
                next = forest.get(id).parent;
            }
            around.reverse();
            let before = from.map_or(&[][..], |p| &p.rounds);
            let round = |id: LoopId| {
                let inside = before.iter().find(|(l, _)| *l == id);
                inside.map_or(0, |(_, round)| round + u32::from(forest.get(id).header == to))
            };
            key.extend(around.iter().map(|id| (place(forest.get(*id).header), round(*id))));
        }
        let rounds = around.into_iter().zip(key.iter().map(|(_, round)| *round)).collect();
        key.push((place(to), 0));
        let point = match queue.remove(&key) {
            Some(other) => Point { path: self.merge(other.path, path), ..other },
            None => Point { node: to, rounds, path },
        };
        queue.insert(key, point);
        Ok(())
    }

    fn forest(&self, function: FuncId) -> Option<&ir::LoopForest> {
        self.system.loops.get(function.0 as usize)?.as_ref()
    }

    /// The conditions with another one; None if they exclude each other.
    fn assume(&self, conditions: &BTreeSet<Term>, more: Term) -> Option<BTreeSet<Term>> {
        let mut all = conditions.clone();
        for c in more.conjuncts() {
            if c.is_false() || all.contains(&c.not()) {
                return None;
            }
            if !c.is_true() && !self.addresses.contains(&c) {
                all.insert(c);
            }
        }
        Some(all)
    }

    /// Two ways to one point; they exclude each other.
    fn merge(&mut self, a: PathState, b: PathState) -> PathState {
        let common: BTreeSet<Term> = a.conditions.intersection(&b.conditions).copied().collect();
        let rest_a = Term::all(a.conditions.difference(&common).copied());
        let rest_b = Term::all(b.conditions.difference(&common).copied());
        let first = self.named(rest_a);
        let mut pick = |x: Option<Term>, y: Option<Term>| match (x, y) {
            (Some(x), Some(y)) => Some(self.named(first.ite(x, y))),
            // What one way did not set is read on the other one only.
            (x, y) => x.or(y),
        };
        let (s, t) = (&a.state, &b.state);
        let zip = |x: &[Option<Term>], y: &[Option<Term>]| -> Vec<(Option<Term>, Option<Term>)> {
            x.iter().copied().zip(y.iter().copied()).collect()
        };
        let state = State {
            locals: zip(&s.locals, &t.locals).into_iter().map(|(x, y)| pick(x, y)).collect(),
            globals: zip(&s.globals, &t.globals).into_iter().map(|(x, y)| pick(x, y)).collect(),
            memory: s
                .memory
                .iter()
                .zip(&t.memory)
                .map(|(x, y)| pick(Some(*x), Some(*y)).unwrap_or(*x))
                .collect(),
            world: pick(Some(s.world), Some(t.world)).unwrap_or(s.world),
            allocations: pick(Some(s.allocations), Some(t.allocations)).unwrap_or(s.allocations),
            inputs: pick(Some(s.inputs), Some(t.inputs)).unwrap_or(s.inputs),
        };
        let value = pick(a.value, b.value);
        let mut conditions = common;
        if rest_a != rest_b.not() {
            conditions.extend(self.named(rest_a.or(rest_b)).conjuncts());
            conditions.retain(|c| !c.is_true());
        }
        PathState { conditions, state, value }
    }

    /// The term, or a variable that is defined to be it.
    fn named(&mut self, term: Term) -> Term {
        let term = self.constants.simplified(term);
        let (base, writes) = written(term);
        if !writes.is_empty() && base.is_var() {
            return self.renamed(base, writes, Self::named);
        }
        if term.args().is_empty() || *term.op() == Op::Not && term.args()[0].is_var() || size(term) < SMALL {
            return term;
        }
        if let Some(variable) = self.named.get(&term) {
            return *variable;
        }
        self.names += 1;
        let variable = Term::var(&auxiliary(format_args!("name{}", self.names)), term.sort());
        self.known.push((Some(variable), variable.equals(term)));
        self.named.insert(term, variable);
        self.constants.define(variable, term);
        variable
    }

    fn named_if_large(&mut self, term: Term) -> Term {
        let (base, writes) = written(term);
        if !writes.is_empty() {
            return self.renamed(base, writes, Self::named_if_large);
        }
        let large = term.args().len() > 1 && size(term) >= LARGE;
        if large { self.named(term) } else { term }
    }

    /// Reads from a memory need to see what was written where, so that values get names, not the memory.
    fn renamed(&mut self, base: Term, writes: Vec<(Term, Term)>, name: fn(&mut Self, Term) -> Term) -> Term {
        writes.into_iter().rev().fold(base, |memory, (at, value)| memory.store(at, name(self, value)))
    }

    fn applied(&mut self, substitution: &mut Substitution, state: &State) -> State {
        let state = applied(substitution, state);
        self.simplified(state)
    }

    fn simplified(&mut self, mut state: State) -> State {
        let tokens = [&mut state.world, &mut state.allocations, &mut state.inputs];
        let variables = state.locals.iter_mut().chain(&mut state.globals).flatten();
        for term in variables.chain(&mut state.memory).chain(tokens) {
            *term = self.constants.simplified(*term);
        }
        state
    }

    /// What is known of what a condition depends on, and the condition.
    fn relevant(&self, condition: Term) -> Vec<Term> {
        let definitions: FxHashMap<Term, Term> =
            self.known.iter().filter_map(|(v, term)| Some(((*v)?, *term))).collect();
        let mut query = vec![condition];
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut stack: Vec<Term> = free_vars(condition).into_iter().collect();
        while let Some(v) = stack.pop() {
            if !seen.insert(v) {
                continue;
            }
            if let Some(definition) = definitions.get(&v) {
                query.push(*definition);
                stack.extend(free_vars(*definition));
            }
        }
        for (_, fact) in self.known.iter().filter(|(v, _)| v.is_none()) {
            let vars = free_vars(*fact);
            let mut others = vars.iter().filter(|v| !is_address(**v)).peekable();
            let concerns = match others.peek() {
                Some(_) => others.any(|v| seen.contains(v)),
                None => vars.iter().all(|v| seen.contains(v)),
            };
            if concerns {
                query.push(*fact);
            }
        }
        query
    }

    /// Nothing that was found to be wrong happens.
    fn decide(&mut self) -> Result<(), Refused> {
        let failures = std::mem::take(&mut self.failures);
        if failures.is_empty() {
            return Ok(());
        }
        self.queries += 1;
        let all = self.relevant(Term::any(failures.iter().map(|(condition, _)| *condition)));
        let (result, model) = super::obligation::ask(&all, self.budget);
        let why = match result {
            SatResult::Unsat => return Ok(()),
            SatResult::Sat => {
                let holds = |c: Term| model.as_ref().and_then(|m| m.eval_bool(c)) == Some(true);
                let found = failures.iter().find(|(condition, _)| holds(*condition));
                let (_, clause) = found.unwrap_or(&failures[0]);
                return Err(clause.clone().wrong());
            }
            SatResult::Unknown(why) => why,
        };
        if failures.len() == 1 || failures.len() > MOST_ALONE {
            return Err(failures[0].1.clone().open(&why.to_string()));
        }
        for (condition, clause) in &failures {
            self.queries += 1;
            match super::obligation::ask(&self.relevant(*condition), self.budget).0 {
                SatResult::Unsat => {}
                SatResult::Sat => return Err(clause.clone().wrong()),
                SatResult::Unknown(why) => return Err(clause.clone().open(&why.to_string())),
            }
        }
        Ok(())
    }

    fn block(&mut self, function: FuncId, node: NodeId) -> Result<Rc<Block>, Refused> {
        if let Some(found) = self.blocks.get(&(function, node)) {
            return Ok(found.clone());
        }
        let transitions = self.system.transitions(function, node)?;
        let mut terms = Vec::new();
        for t in &transitions {
            terms.push(t.guard);
            terms.extend(t.value);
            terms.extend(locals(&t.state).chain(shared(&t.state)).flatten());
            if let Some(call) = &t.call {
                terms.extend(call.args.iter().copied().chain(call.result).chain(call.kind).chain(call.code));
                terms.extend(locals(&call.before).chain(shared(&call.before)).flatten());
                terms.extend(shared(&call.after).flatten());
            }
        }
        let auxiliary = free_vars_of(terms).into_iter().filter(|v| is_auxiliary(*v)).collect();
        let block = Rc::new(Block { transitions, auxiliary });
        self.blocks.insert((function, node), block.clone());
        Ok(block)
    }

    fn view(&mut self, function: FuncId) -> Result<Rc<View>, Refused> {
        if let Some(found) = self.functions.get(&function) {
            return Ok(found.clone());
        }
        // Refuses names that mean two things.
        let variables = super::variables::Variables::of(&self.system, function)?.now;
        let cfa = self.system.program.function(function).cfa();
        let (order, live) =
            (cfa.map(ir::graph::reverse_post_order_positions).unwrap_or_default(), cfa.map(Liveness::of));
        let view = Rc::new(View { variables, order, live });
        self.functions.insert(function, view.clone());
        Ok(view)
    }
}

/// Smaller terms need no name.
const SMALL: usize = 6;
/// What is larger gets one where a round begins.
const LARGE: usize = 24;
