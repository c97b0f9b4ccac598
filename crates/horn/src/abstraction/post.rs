//! The Cartesian successor: which predicates of the head follow from facts about the body, each by itself.
//!
//! Every clause has a solver of its own that knows its constraint; facts and the negated predicate of the
//! head are assumptions. With bit-vectors they are asserted instead: equations among them must be used up
//! before bits are compared, or 64 bits are too many. What was asked before is remembered in a form that
//! answers more than the same question: a predicate that follows from some facts follows from more, and one
//! that does not follow from some facts does not follow from less. So a graph that is built again after a
//! refinement costs little but for what is new.

use super::facts::Facts;
use crate::system::{Clause, PredId, System, Unknown};
use base::Budget;
use logic::{Sort, Substitution, Term, subterms};
use rustc_hash::FxHashMap;
use smt::{Model, SatResult, Settings, Solver, Why, Z3Solver};

/// The predicates of each symbol, over its parameters. Their numbers never change.
#[derive(Clone, Debug, Default)]
pub(super) struct Predicates {
    pub(super) lists: Vec<Vec<Term>>,
    /// How many of each list are seeds: the first ones.
    pub(super) seeds: Vec<usize>,
}

impl Predicates {
    /// False if it is known, or says nothing.
    pub(super) fn add(&mut self, pred: PredId, predicate: Term) -> bool {
        let list = &mut self.lists[pred.0 as usize];
        if predicate.is_true() || predicate.is_false() || list.contains(&predicate) {
            return false;
        }
        list.push(predicate);
        true
    }

    pub(super) fn formula(&self, pred: PredId, facts: &Facts) -> Term {
        Term::all(facts.iter().filter_map(|n| self.lists[pred.0 as usize].get(n).copied()))
    }
}

/// In Z3's units, about half a second: a harder question counts as not proved.
const PATIENCE: u32 = 500_000;

pub(super) struct Post<'a> {
    system: &'a System,
    budget: Budget,
    asked: u64,
    /// Made when first needed.
    clauses: Vec<Option<ClauseSolver>>,
}

struct ClauseSolver {
    solver: Z3Solver,
    bits: bool,
    /// The predicates of each body atom on its arguments.
    body: Vec<Vec<Term>>,
    /// The negated predicates of the head on its arguments.
    head: Vec<Term>,
    /// Of the last question.
    model: Option<Model>,
    /// What is known about each predicate of the head; about the contradiction, under none.
    known: FxHashMap<Option<usize>, Known>,
}

/// Facts of each body atom that are enough, and such that are not.
#[derive(Default)]
struct Known {
    enough: Vec<Vec<Facts>>,
    not_enough: Vec<Vec<Facts>>,
}

/// What is remembered for one predicate at most.
const MEMORY: usize = 64;

impl<'a> Post<'a> {
    pub(super) fn new(system: &'a System, budget: &Budget) -> Post<'a> {
        let clauses = system.clauses.iter().map(|_| None).collect();
        Post { system, budget: budget.clone(), asked: 0, clauses }
    }

    /// The facts about the head of a clause (for a query: none at all); None if the body is contradictory.
    pub(super) fn successor(
        &mut self,
        clause: usize,
        body: &[&Facts],
        predicates: &Predicates,
    ) -> Result<Option<Facts>, Unknown> {
        self.prepare(clause, predicates)?;
        let Some(work) = self.clauses[clause].as_mut() else { return Ok(Some(Facts::default())) };
        let (budget, asked) = (&self.budget, &mut self.asked);
        let mut ask = |work: &mut ClauseSolver, goal: Option<usize>| {
            if let Some(answer) = work.recall(goal, body) {
                return Ok(answer);
            }
            *asked += 1;
            budget.check(*asked).map_err(|_| Unknown::Timeout)?;
            work.ask(goal, body)
        };
        if ask(work, None)? {
            return Ok(None);
        }
        let mut facts = Facts::default();
        // Models show of several predicates at once that they do not follow.
        let mut open: Vec<usize> = (0..work.head.len()).collect();
        open = work.refuted(open, body);
        while let Some(goal) = open.pop() {
            if ask(work, Some(goal))? {
                facts.insert(goal);
            } else {
                open = work.refuted(open, body);
            }
        }
        Ok(Some(facts))
    }

    /// Makes the solver, and tells it about new predicates.
    fn prepare(&mut self, number: usize, predicates: &Predicates) -> Result<(), Unknown> {
        let clause = &self.system.clauses[number];
        if self.clauses[number].is_none() {
            let settings = Settings { resources: Some(PATIENCE), ..Settings::default().budget(&self.budget) };
            // One context for all, so that terms are translated once.
            let made = match self.clauses.iter().flatten().next() {
                Some(other) => Z3Solver::beside(&other.solver, settings),
                None => Z3Solver::new(settings),
            };
            let mut solver = made.map_err(|e| Unknown::GaveUp(e.to_string()))?;
            solver.assert(clause.constraint);
            let body = vec![Vec::new(); clause.body.len()];
            let (bits, known) = (has_bits(clause), FxHashMap::default());
            self.clauses[number] =
                Some(ClauseSolver { solver, bits, body, head: Vec::new(), model: None, known });
        }
        let Some(work) = self.clauses[number].as_mut() else { return Ok(()) };
        let instances = |atom: &crate::Atom, from: usize| -> Vec<Term> {
            let params = self.system.pred(atom.pred).params.iter().copied();
            let mut by = Substitution::new(params.zip(atom.args.iter().copied()));
            predicates.lists[atom.pred.0 as usize][from..].iter().map(|&p| by.apply(p)).collect()
        };
        for (atom, list) in clause.body.iter().zip(&mut work.body) {
            let new = instances(atom, list.len());
            list.extend(new);
        }
        if let Some(atom) = &clause.head {
            let new = instances(atom, work.head.len());
            work.head.extend(new.into_iter().map(Term::not));
        }
        Ok(())
    }
}

impl ClauseSolver {
    fn recall(&self, goal: Option<usize>, body: &[&Facts]) -> Option<bool> {
        let known = self.known.get(&goal)?;
        if known.enough.iter().any(|core| core.iter().zip(body).all(|(c, b)| c.is_subset(b))) {
            return Some(true);
        }
        known.not_enough.iter().any(|set| body.iter().zip(set).all(|(b, s)| b.is_subset(s))).then_some(false)
    }

    /// Is the goal implied? What cannot be decided is not.
    fn ask(&mut self, goal: Option<usize>, body: &[&Facts]) -> Result<bool, Unknown> {
        let mut from: Vec<(Term, usize, usize)> = Vec::new();
        for (i, facts) in body.iter().enumerate() {
            from.extend(facts.iter().filter_map(|n| Some((*self.body[i].get(n)?, i, n))));
        }
        let mut assumptions: Vec<Term> = from.iter().map(|(t, _, _)| *t).collect();
        assumptions.extend(goal.and_then(|g| self.head.get(g)));
        self.model = None;
        let (result, core) = if self.bits {
            self.solver.push();
            assumptions.iter().for_each(|&t| self.solver.assert(t));
            let result = self.solver.check(&[]);
            self.model = self.solver.model();
            self.solver.pop();
            (result, assumptions)
        } else {
            let result = self.solver.check(&assumptions);
            self.model = self.solver.model();
            (result, self.solver.unsat_core())
        };
        match result {
            SatResult::Unsat => {
                let mut enough = vec![Facts::default(); body.len()];
                for term in core {
                    if let Some((_, i, n)) = from.iter().find(|(t, _, _)| *t == term) {
                        enough[*i].insert(*n);
                    }
                }
                remember(&mut self.known.entry(goal).or_default().enough, enough);
                Ok(true)
            }
            SatResult::Unknown(Why::Timeout | Why::Interrupted) => Err(Unknown::Timeout),
            SatResult::Unknown(_) | SatResult::Sat => {
                self.fails(goal, body);
                Ok(false)
            }
        }
    }

    /// The goals that the last model, if there is one, does not show to be unimplied.
    fn refuted(&mut self, goals: Vec<usize>, body: &[&Facts]) -> Vec<usize> {
        let Some(model) = self.model.take() else { return goals };
        let (no, rest) = goals.into_iter().partition(|&g| model.eval_bool(self.head[g]) == Some(true));
        let no: Vec<usize> = no;
        no.into_iter().for_each(|g| self.fails(Some(g), body));
        rest
    }

    fn fails(&mut self, goal: Option<usize>, body: &[&Facts]) {
        let set: Vec<Facts> = body.iter().map(|f| (*f).clone()).collect();
        remember(&mut self.known.entry(goal).or_default().not_enough, set);
    }
}

fn has_bits(clause: &Clause) -> bool {
    let bits = |s: Sort| matches!(s, Sort::Bv(_));
    subterms(clause.terms())
        .map(|t| t.sort())
        .any(|sort| bits(sort) || sort.index().is_some_and(bits) || sort.element().is_some_and(bits))
}

fn remember(list: &mut Vec<Vec<Facts>>, entry: Vec<Facts>) {
    if list.len() >= MEMORY {
        list.remove(0);
    }
    list.push(entry);
}
