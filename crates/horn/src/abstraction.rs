//! Predicate abstraction over Horn clauses, after section 7 of Klebanov, Rümmer and Ulbrich.
//!
//! ```text
//! loop: build an abstract reachability graph over the predicates known so far (graph, post)
//!       if it is closed, its nodes are a solution
//!       otherwise it holds a tree of clauses that leads to a query:
//!           if the tree's constraints have a model, that is a derivation
//!           otherwise tree interpolants of them are new predicates, which rule this tree out (refine)
//! ```
//!
//! The predicates to start with are the caller's (seeding): for two versions of a program, that corresponding
//! variables are equal. What the paper leaves open: before every graph, one with a single node for each
//! symbol is tried, since it is cheap and most solutions are conjunctions. It stays sound because nothing is
//! believed here: solutions and derivations are checked.

mod combine;
mod facts;
mod graph;
mod interpolate;
mod post;
mod project;
mod refine;

use crate::check::{check_derivation, check_solution};
use crate::system::{Answer, PredId, System, Unknown};
use base::Budget;
use graph::Outcome;
use logic::{Term, free_vars};
use post::{Post, Predicates};
use refine::Refinement;

pub use interpolate::Node as TreeNode;
pub use project::project;
pub use refine::tree_interpolants;

/// For each predicate symbol, formulas over its parameters to start with.
pub type Seeds = Vec<Vec<Term>>;

/// The search, with what it has learned. It can go on with another budget.
pub struct Abstraction<'a> {
    system: &'a System,
    predicates: Predicates,
    refinements: u32,
}

impl<'a> Abstraction<'a> {
    /// Seeds that do not fit (other variables than parameters) are ignored.
    pub fn new(system: &'a System, seeds: &Seeds) -> Abstraction<'a> {
        let mut search = Abstraction {
            system,
            predicates: Predicates {
                lists: vec![Vec::new(); system.preds.len()],
                seeds: vec![0; system.preds.len()],
            },
            refinements: 0,
        };
        for (pred, list) in system.pred_ids().zip(seeds) {
            for &seed in list {
                search.learn(pred, seed);
            }
        }
        search.predicates.seeds = search.predicates.lists.iter().map(Vec::len).collect();
        search
    }

    /// The predicates known so far, the seeds first.
    pub fn predicates(&self) -> &Seeds {
        &self.predicates.lists
    }

    pub fn refinements(&self) -> u32 {
        self.refinements
    }

    pub fn run(&mut self, budget: &Budget) -> Answer {
        match self.search(budget) {
            Ok(answer) => answer,
            Err(reason) => Answer::Unknown(reason),
        }
    }

    fn search(&mut self, budget: &Budget) -> Result<Answer, Unknown> {
        self.system.check_form().map_err(Unknown::GaveUp)?;
        let mut post = Post::new(self.system, budget);
        let mut join_seeds = true;
        loop {
            budget.check(0).map_err(|_| Unknown::Timeout)?;
            let found = match graph::joined(self.system, &mut post, &self.predicates)? {
                Some(solution) => Outcome::Closed(solution),
                None => graph::split(self.system, &mut post, &self.predicates, join_seeds)?,
            };
            let tree = match found {
                Outcome::Closed(solution) => {
                    return match check_solution(self.system, &solution, budget) {
                        Ok(()) => Ok(Answer::Solved(solution)),
                        Err(failure) => {
                            Err(Unknown::GaveUp(format!("a solution that was not confirmed: {failure:?}")))
                        }
                    };
                }
                Outcome::Violated(tree) => tree,
            };
            let mut progress = false;
            for thorough in [false, true] {
                match refine::analyse(self.system, &tree, thorough, budget)? {
                    Refinement::Genuine(derivation) => {
                        check_derivation(self.system, &derivation).map_err(Unknown::GaveUp)?;
                        return Ok(Answer::Refuted(derivation));
                    }
                    Refinement::Spurious(new) => {
                        for (pred, predicate) in new {
                            progress |= self.learn(pred, predicate);
                        }
                    }
                }
                if progress {
                    break;
                }
            }
            self.refinements += 1;
            if !progress && !std::mem::replace(&mut join_seeds, false) {
                return Err(Unknown::GaveUp("no new predicates".into()));
            }
        }
    }

    /// Adds the conjuncts of a formula; false if all are known.
    fn learn(&mut self, pred: PredId, formula: Term) -> bool {
        let params = &self.system.pred(pred).params;
        let mut new = false;
        for part in formula.conjuncts() {
            if part.sort() == logic::Sort::Bool && free_vars(part).iter().all(|v| params.contains(v)) {
                new |= self.predicates.add(pred, part);
            }
        }
        new
    }
}

/// Solves or refutes a system by predicate abstraction from these seeds.
pub fn abstraction(system: &System, seeds: &Seeds, budget: &Budget) -> Answer {
    Abstraction::new(system, seeds).run(budget)
}
