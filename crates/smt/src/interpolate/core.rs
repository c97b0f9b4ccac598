//! Interpolants from an unsatisfiable core: what the core needs of each formula, projected onto the variables
//! at the cuts.
//!
//! Forward, a node's interpolant is the strongest postcondition of its children's interpolants and its own
//! formula. Backward, it is the weakest precondition: the negation of what the rest of the tree demands. Both
//! are the same computation in opposite directions; projections may lose something (`project`
//! over-approximates), so after each one the formulas that are still to come must remain contradictory, and
//! conjuncts that are not needed for that are dropped, which is where generality comes from.
//!
//! Programs in single-assignment form need hardly more than substitution: forward eliminates what is
//! overwritten, backward what was written last, of which each is defined by an equation.

use super::{Failure, Tree};
use crate::interpolate::project::{Projector, Resisting};
use crate::solver::{SatResult, Settings, Solver, Strategy, Z3Solver};
use crate::tidy::tidy;
use crate::translate::Space;
use logic::{IBig, Linear, Op, Sort, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The tree with only the conjuncts that an unsatisfiable core needs.
pub(super) fn needed(space: &Rc<Space>, tree: &Tree, settings: &Settings) -> Result<Tree, Failure> {
    let mut solver = solver(space, settings)?;
    let conjuncts: BTreeSet<Term> = (0..tree.len()).flat_map(|n| tree.formula(n).conjuncts()).collect();
    let all: Vec<Term> = conjuncts.iter().copied().collect();
    match solver.check(&all) {
        SatResult::Sat => return Err(Failure::Satisfiable),
        SatResult::Unknown(why) => return Err(Failure::Unknown(why)),
        SatResult::Unsat => {}
    }
    let mut core: BTreeSet<Term> = minimal(&mut solver).into_iter().collect();
    let pick = |n: usize, core: &mut BTreeSet<Term>| {
        // A conjunct of several nodes is needed in one of them only.
        let (used, _): (Vec<Term>, Vec<Term>) =
            tree.formula(n).conjuncts().into_iter().partition(|c| core.remove(c));
        Term::all(used)
    };
    Ok(tree.with((0..tree.len()).map(|n| pick(n, &mut core)).collect()))
}

/// Strongest postconditions, from the leaves to the root.
pub(super) fn forward(space: &Rc<Space>, tree: &Tree, settings: &Settings) -> Result<Vec<Term>, Failure> {
    let mut work = Work::new(space, settings)?;
    let mut interpolants: Vec<Term> = Vec::new();
    let root = tree.len() - 1;
    for n in 0..root {
        let children = tree.children(n);
        let before: Vec<Term> = children
            .iter()
            .map(|&c| interpolants[c])
            .chain([tree.formula(n)])
            .flat_map(|f| f.conjuncts())
            .collect();
        // Interpolants that no other one has used yet, and formulas to come.
        let open = (0..n).filter(|m| tree.parent(*m).is_some_and(|p| p > n)).map(|m| interpolants[m]);
        let rest: Vec<Term> = open.chain((n + 1..=root).map(|m| tree.formula(m))).collect();
        let kept = work.cut(&before, tree.shared(n), &rest, true)?;
        interpolants.push(tidy(Term::all(kept)));
    }
    interpolants.push(Term::bool(false));
    Ok(interpolants)
}

/// Weakest preconditions, from the root to the leaves.
pub(super) fn backward(space: &Rc<Space>, tree: &Tree, settings: &Settings) -> Result<Vec<Term>, Failure> {
    let mut work = Work::new(space, settings)?;
    let root = tree.len() - 1;
    // What the rest of the tree demands of a node, which its subtree contradicts: the negation of its
    // interpolant.
    let mut demands: BTreeMap<usize, Vec<Term>> = BTreeMap::from([(root, Vec::new())]);
    for n in (0..root).rev() {
        let Some(p) = tree.parent(n) else { continue };
        let mut after: Vec<Term> = tree.formula(p).conjuncts();
        after.extend(demands[&p].iter().copied());
        for &sibling in tree.children(p) {
            match demands.get(&sibling) {
                _ if sibling == n => {}
                Some(demand) => after.push(Term::all(demand.iter().copied()).not()),
                None => after.extend(subtree(tree, sibling)),
            }
        }
        let kept = work.cut(&after, tree.shared(n), &subtree(tree, n), false)?;
        demands.insert(n, kept);
    }
    let negation = |n: usize| tidy(Term::all(demands[&n].iter().copied()).not());
    Ok((0..root).map(negation).chain([Term::bool(false)]).collect())
}

fn subtree(tree: &Tree, node: usize) -> Vec<Term> {
    let mut formulas = Vec::new();
    let mut stack = vec![node];
    while let Some(n) = stack.pop() {
        formulas.extend(tree.formula(n).conjuncts());
        stack.extend_from_slice(tree.children(n));
    }
    formulas
}

fn solver(space: &Rc<Space>, settings: &Settings) -> Result<Z3Solver, Failure> {
    let settings = settings.clone().strategy(Strategy::Incremental);
    Z3Solver::in_space(space.clone(), settings).map_err(|e| Failure::GaveUp(e.to_string()))
}

struct Work {
    solver: Z3Solver,
    projector: Projector,
}

impl Work {
    fn new(space: &Rc<Space>, settings: &Settings) -> Result<Work, Failure> {
        let projector =
            Projector::new(space, settings).ok_or_else(|| Failure::GaveUp("no context".into()))?;
        Ok(Work { solver: solver(space, settings)?, projector })
    }

    /// What one side says to the other about the shared variables.
    fn cut(
        &mut self,
        side: &[Term],
        shared: &BTreeSet<Term>,
        other: &[Term],
        relate: bool,
    ) -> Result<Vec<Term>, Failure> {
        let projected = self.projector.project(side, shared, Resisting::Drop);
        match self.generalise(projected, other, relate) {
            Err(Failure::GaveUp(_)) => {
                let projected = self.projector.project(side, shared, Resisting::Enumerate);
                self.generalise(projected, other, relate)
            }
            result => result,
        }
    }

    /// As few of these conjuncts (or of weaker ones) as contradict the rest.
    fn generalise(
        &mut self,
        conjuncts: Vec<Term>,
        rest: &[Term],
        relate: bool,
    ) -> Result<Vec<Term>, Failure> {
        let mut candidates: Vec<Term> = conjuncts.iter().flat_map(|c| halves(*c)).collect();
        if relate {
            candidates.extend(relations(&conjuncts));
        }
        self.solver.push();
        for &formula in rest {
            self.solver.assert(formula);
        }
        let result = match self.solver.check(&candidates) {
            SatResult::Unsat => Ok(minimal(&mut self.solver)),
            SatResult::Sat => Err(Failure::GaveUp("the projection lost what is needed".into())),
            SatResult::Unknown(why) => Err(Failure::Unknown(why)),
        };
        self.solver.pop();
        result
    }
}

/// A smaller core than the solver's by leaving out one after the other; constants first, so that relations
/// between variables stay.
fn minimal(solver: &mut Z3Solver) -> Vec<Term> {
    let mut core = solver.unsat_core();
    core.sort_by_key(|t| (std::cmp::Reverse(mentions_constant(*t)), *t));
    let (mut next, mut tries) = (0, 0);
    while next < core.len() && tries < TRIES {
        tries += 1;
        let mut without = core.clone();
        without.remove(next);
        if solver.check(&without) == SatResult::Unsat {
            // What was found to be necessary before is in this core, too, so `next` stays right.
            let smaller: BTreeSet<Term> = solver.unsat_core().into_iter().collect();
            core.retain(|t| smaller.contains(t));
        } else {
            next += 1;
        }
    }
    core
}

/// Minimising a core is worth this many checks.
const TRIES: usize = 60;

fn mentions_constant(t: Term) -> bool {
    matches!(t.op(), Op::Eq | Op::Le) && t.args().iter().any(|a| a.is_const())
}

/// An equation of integers as two inequalities, of which one may do.
fn halves(t: Term) -> Vec<Term> {
    match (t.op(), t.args()) {
        (Op::Eq, &[a, b]) if a.sort() == Sort::Int => vec![a.int_le(b), b.int_le(a)],
        _ => vec![t],
    }
}

/// The differences of what is known to be constant: `x = 3` and `y = 5` also say `x + 2 = y`.
fn relations(conjuncts: &[Term]) -> Vec<Term> {
    let known: Vec<(Term, Term)> = conjuncts.iter().filter_map(|t| constant_equation(*t)).collect();
    let mut relations = Vec::new();
    if known.len() > MOST_RELATED {
        return relations;
    }
    for (i, &(x, a)) in known.iter().enumerate() {
        for &(y, b) in &known[i + 1..] {
            if x.sort() == y.sort() {
                relations.push(x.add(b).equals(y.add(a)));
            }
        }
    }
    relations
}

const MOST_RELATED: usize = 6;

fn constant_equation(t: Term) -> Option<(Term, Term)> {
    let &[a, b] = t.args() else { return None };
    if *t.op() != Op::Eq || !a.sort().is_number() {
        return None;
    }
    let mut sum = Linear::of(a);
    sum.add_term(&IBig::NEG_ONE, b);
    let constant = Term::number(sum.sort, -sum.constant.clone());
    sum.constant = IBig::ZERO;
    Some((sum.to_term(), constant))
}
