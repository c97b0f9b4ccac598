//! Tree interpolants from projections.
//!
//! Constraints that are not in an unsatisfiable core are left out first. Then every edge, from the root down,
//! gets a formula over its variables that follows from the tree below and contradicts all the rest, where the
//! edges done before stand for their trees. There are two candidates: the negation of what the rest says
//! about the edge (the weakest one: it speaks about what the query needs), and what the tree below says about
//! it (the strongest one). A candidate is a projection, so one side of it is certain; the solver decides
//! about the other, and its core makes the formula smaller.

use super::combine::combine;
use super::project::project;
use crate::system::Unknown;
use base::Budget;
use logic::{Op, Term};
use smt::{SatResult, Settings, Solver, Why, Z3Solver};
use std::collections::BTreeSet;

/// A node's formula, the variables of the edge to its parent, and its parent, which comes before it.
pub struct Node {
    pub formula: Term,
    pub edge: Vec<Term>,
    pub parent: Option<usize>,
}

/// Formulas for each node's edge: one that is an interpolant (false at the root), and perhaps another one
/// that would do as well. None if projections are too weak.
pub(super) fn interpolants(nodes: &[Node], budget: &Budget) -> Result<Option<Vec<Vec<Term>>>, Unknown> {
    let settings = Settings { resources: Some(PATIENCE), ..Settings::default().budget(budget) };
    let solver = Z3Solver::new(settings).map_err(|e| Unknown::GaveUp(e.to_string()))?;
    let mut search = Search { solver };
    let parts: Vec<Vec<Term>> = nodes.iter().map(|n| n.formula.conjuncts()).collect();
    let Some(core) = search.core(&parts.concat())? else { return Ok(None) };
    let core: BTreeSet<Term> = search.minimal(core)?.into_iter().collect();
    // Equations stay: projections need them to get rid of variables.
    let needed = |c: &Term| *c.op() == Op::Eq || core.contains(c);
    let parts: Vec<Vec<Term>> =
        parts.into_iter().map(|list| list.into_iter().filter(needed).collect()).collect();
    // What each node stands for towards those above it: its tree, or the formula of its edge.
    let mut below: Vec<Vec<Term>> = parts.clone();
    for n in (1..nodes.len()).rev() {
        if let Some(parent) = nodes[n].parent {
            let tree = below[n].clone();
            below[parent].extend(tree);
        }
    }
    // And what it says about its edge, at least.
    let mut says: Vec<Vec<Term>> = parts.clone();
    for n in (1..nodes.len()).rev() {
        says[n] = project(&says[n], &nodes[n].edge.iter().copied().collect());
        if let Some(parent) = nodes[n].parent {
            let about = says[n].clone();
            says[parent].extend(about);
        }
    }
    let mut found: Vec<Vec<Term>> = vec![vec![Term::bool(false)]; nodes.len()];
    let mut done = vec![false; nodes.len()];
    for n in 1..nodes.len() {
        let Some(parent) = nodes[n].parent else { continue };
        // The rest: the parent's own formula, what must not hold of it, and its other children.
        let mut rest = parts[parent].clone();
        rest.extend(found[parent][0].not().conjuncts());
        for m in (1..nodes.len()).filter(|&m| m != n && nodes[m].parent == Some(parent)) {
            if done[m] { rest.extend(found[m][0].conjuncts()) } else { rest.extend(&below[m]) }
        }
        found[n] = search.between(&below[n], &says[n], &rest, &nodes[n].edge)?;
        if found[n].is_empty() {
            return Ok(None);
        }
        done[n] = true;
    }
    Ok(Some(found))
}

struct Search {
    solver: Z3Solver,
}

impl Search {
    /// Formulas over the edge's variables that follow from `below` and contradict `rest`. `says` follows from
    /// `below` and is over these variables.
    fn between(
        &mut self,
        below: &[Term],
        says: &[Term],
        rest: &[Term],
        edge: &[Term],
    ) -> Result<Vec<Term>, Unknown> {
        let demands = project(rest, &edge.iter().copied().collect());
        // The shorter list is nearly always enough, and keeps queries small where trees are deep.
        let weakest = match self.contradicts(says, &demands)? {
            Some(core) => Some(core),
            None => self.contradicts(below, &demands)?,
        };
        let strongest = self.contradicts(rest, says)?;
        Ok(weakest.map(|core| Term::all(core).not()).into_iter().chain(strongest.map(Term::all)).collect())
    }

    /// Some of what `list` says that contradicts `given`.
    fn contradicts(&mut self, given: &[Term], list: &[Term]) -> Result<Option<Vec<Term>>, Unknown> {
        self.solver.push();
        given.iter().for_each(|&t| self.solver.assert(t));
        let core = self.core(list).and_then(|core| match core {
            Some(core) => {
                let core = self.minimal(core)?;
                self.combined(core).map(Some)
            }
            None => Ok(None),
        });
        self.solver.pop();
        core
    }

    /// Uses equations of the core to make its other parts simpler, if some equation is not needed then:
    /// `x = 1, y = 1` becomes `x = y`. What is simple is more likely to hold again after the next round of a
    /// loop.
    fn combined(&mut self, mut core: Vec<Term>) -> Result<Vec<Term>, Unknown> {
        'again: for _ in 0..core.len() {
            for i in 0..core.len() {
                let others: Vec<Term> =
                    core.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, t)| *t).collect();
                let Some(simpler) = combine(core[i], &others) else { continue };
                // What comes last is left out first.
                let list: Vec<Term> = [simpler].into_iter().chain(others).collect();
                if let Some(smaller) = self.core(&list)? {
                    let smaller = self.minimal(smaller)?;
                    if smaller.len() < core.len() {
                        core = smaller;
                        continue 'again;
                    }
                }
            }
            break;
        }
        Ok(core)
    }

    fn core(&mut self, list: &[Term]) -> Result<Option<Vec<Term>>, Unknown> {
        match self.solver.check(list) {
            SatResult::Unsat => Ok(Some(self.solver.unsat_core())),
            SatResult::Sat | SatResult::Unknown(Why::Incomplete(_) | Why::Resources) => Ok(None),
            SatResult::Unknown(_) => Err(Unknown::Timeout),
        }
    }

    /// A core without some that can be left out: the less is needed, the more general is what is learned.
    fn minimal(&mut self, core: Vec<Term>) -> Result<Vec<Term>, Unknown> {
        let mut rest = core;
        let mut needed: Vec<Term> = Vec::new();
        let mut tries = 0;
        while let Some(term) = rest.pop() {
            tries += 1;
            let others: Vec<Term> = needed.iter().chain(&rest).copied().collect();
            if tries > MOST_TRIES {
                needed.push(term);
            } else if let Some(smaller) = self.core(&others)? {
                rest.retain(|t| smaller.contains(t));
            } else {
                needed.push(term);
            }
        }
        Ok(needed)
    }
}

const MOST_TRIES: usize = 100;
/// In Z3's units, about a second for each question.
const PATIENCE: u32 = 1_000_000;
