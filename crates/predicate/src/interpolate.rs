//! Interpolants of long paths: weakest preconditions of what an unsatisfiable core needs.
//!
//! Versions of variables are defined by equations, so going back over a step is substitution. From the error
//! backwards, what the rest of the path demands is written in terms of each point; of that, a core that
//! contradicts the path to the point is kept, and its negation is the interpolant there. A callee that
//! returned is first replaced by what its path says about its entry and exit (definitions from its entry on,
//! and guards), as far as the core needs it; the negation of that is then the demand at its own end.
//!
//! Values from outside that a demand depends on cannot be said at an earlier point, and large demands should
//! not: both are taken apart into cases (`cover`). If the core needs values from outside inside of a callee,
//! this way gives up, and slower ones are asked.

mod cover;
mod shrink;

use crate::formula::Tree;
use crate::model::Model;
use cover::cover;
use logic::{Op, Substitution, Term, free_vars, size};
use rustc_hash::{FxHashMap, FxHashSet};
use shrink::{shrink, soon};
use smt::{SatResult, Solver, Z3Solver};

/// For each node of the tree that has one, the negation of an interpolant, as a list.
pub type Demands = FxHashMap<usize, Vec<Term>>;

/// None if this way does not get there.
pub fn demands(model: &Model, tree: &Tree, solver: &mut Z3Solver) -> Option<Demands> {
    let mut work = Work { model, tree, solver, found: FxHashMap::default() };
    work.chain(tree.nodes.len() - 1, Vec::new())?;
    Some(work.found)
}

/// What becomes of a demand at an earlier point.
enum Said {
    Here(Vec<Term>),
    /// It cannot be met, whatever the path up to there.
    Never,
    Nothing,
}

impl Said {
    fn of(cases: Vec<Vec<Term>>) -> Said {
        let mut cases = cases;
        match cases.len() {
            0 => Said::Never,
            1 => Said::Here(cases.remove(0)),
            _ => Said::Here(vec![Term::any(cases.into_iter().map(Term::all))]),
        }
    }
}

struct Work<'t> {
    model: &'t Model,
    tree: &'t Tree,
    solver: &'t mut Z3Solver,
    found: Demands,
}

impl Work<'_> {
    /// The steps up to `end`, which contradict what is demanded there.
    fn chain(&mut self, end: usize, demanded: Vec<Term>) -> Option<()> {
        let mut spine = vec![end];
        while let Some(previous) = self.tree.nodes[*spine.last()?].previous {
            spine.push(previous);
        }
        spine.reverse();
        let mut parts: Vec<Vec<Term>> = Vec::new();
        for &n in &spine {
            let node = &self.tree.nodes[n];
            let mut list = node.formula.conjuncts();
            if let Some(callee) = node.callee {
                list.extend(self.relation(callee));
            }
            parts.push(list);
        }
        let core = self.core(parts.iter().flatten().chain(&demanded).copied().collect())?;
        for list in &mut parts {
            list.retain(|t| core.contains(t));
        }
        // The callees' part of it, before steps are taken together.
        let mut inner: Vec<(usize, Vec<Term>)> = Vec::new();
        for (&n, list) in spine.iter().zip(&parts) {
            if let Some(callee) = self.tree.nodes[n].callee {
                let own: FxHashSet<Term> = self.tree.nodes[n].formula.conjuncts().into_iter().collect();
                inner.push((callee, list.iter().copied().filter(|t| !own.contains(t)).collect()));
            }
        }
        self.backwards(&spine, &parts, demanded.into_iter().filter(|t| core.contains(t)).collect())?;
        for (callee, relation) in inner {
            if !relation.is_empty() {
                self.found.insert(callee, vec![Term::all(relation.iter().copied()).not()]);
                self.chain(callee, vec![Term::all(relation).not()])?;
            }
        }
        Some(())
    }

    fn backwards(&mut self, spine: &[usize], parts: &[Vec<Term>], demanded: Vec<Term>) -> Option<()> {
        for list in parts {
            self.solver.push();
            list.iter().for_each(|t| self.solver.assert(*t));
        }
        let mut demand = demanded;
        let mut result = Some(());
        let mut levels = parts.len();
        for i in (1..spine.len()).rev() {
            self.solver.pop();
            levels -= 1;
            demand.extend(&parts[i]);
            let mut by = Substitution::new(self.definitions(spine[i]));
            // Definitions may refer to each other across a call.
            demand = demand.iter().flat_map(|t| by.apply_through(*t).conjuncts()).collect();
            demand.sort();
            demand.dedup();
            demand.retain(|t| !t.is_true());
            if demand.iter().any(|t| t.is_false()) {
                // The rest contradicts itself.
                break;
            }
            let before = spine[i - 1];
            let known = self.visible(before);
            let (said, unsaid): (Vec<Term>, Vec<Term>) =
                demand.iter().partition(|t| free_vars(**t).iter().all(|v| known(*v)));
            match self.said(&demand, &said, unsaid.is_empty(), &known) {
                Said::Here(list) => demand = list,
                Said::Never => break,
                Said::Nothing => {
                    result = None;
                    break;
                }
            }
            self.found.insert(before, demand.clone());
        }
        for _ in 0..levels {
            self.solver.pop();
        }
        result
    }

    /// The demand in words of a point whose path the solver was told. `said` is the part of it that is.
    fn said(&mut self, demand: &[Term], said: &[Term], all: bool, known: &dyn Fn(Term) -> bool) -> Said {
        // Where something is unsaid, this is a guess, and that there is a model of the path takes long to
        // find out.
        let answer = match (all, said.is_empty()) {
            (true, _) => self.solver.check(said),
            (false, true) => SatResult::Sat,
            (false, false) => soon(self.solver, said),
        };
        if answer == SatResult::Unsat {
            let core = self.solver.unsat_core();
            if core.iter().all(|t| size(*t) < LARGE) {
                return Said::Here(core);
            }
            // What is simple says more.
            return match cover(self.solver, &core, known) {
                Some(cases) if cases.len() <= FEW_CASES => Said::of(cases),
                _ => Said::Here(core),
            };
        }
        if all {
            return Said::Nothing;
        }
        if self.contradictory(demand) {
            return Said::Never;
        }
        let mut list = said.to_vec();
        list.extend(projected(demand, known));
        if soon(self.solver, &list) == SatResult::Unsat {
            return Said::Here(self.solver.unsat_core());
        }
        cover(self.solver, demand, known).map_or(Said::Nothing, Said::of)
    }

    /// Is this contradictory whatever happened before?
    fn contradictory(&mut self, list: &[Term]) -> bool {
        let Ok(mut alone) = Z3Solver::beside(self.solver, self.solver.settings().clone()) else {
            return false;
        };
        alone.check(list) == SatResult::Unsat
    }

    fn definitions(&self, n: usize) -> Vec<(Term, Term)> {
        let mut list = self.tree.nodes[n].definitions.clone();
        if let Some(callee) = self.tree.nodes[n].callee {
            let mut work = vec![callee];
            while let Some(m) = work.pop() {
                list.extend(&self.tree.nodes[m].definitions);
                work.extend(self.tree.nodes[m].previous.into_iter().chain(self.tree.nodes[m].callee));
            }
        }
        list
    }

    /// The variables that can be spoken of behind a node.
    fn visible(&self, n: usize) -> impl Fn(Term) -> bool + use<> {
        let versions = self.tree.nodes[n].point.visible(self.model);
        move |v| versions.contains_key(&v) || encode::names::is_address(v)
    }

    /// What the path through a callee says about its entry and its exit.
    fn relation(&self, end: usize) -> Vec<Term> {
        let mut nodes = Vec::new();
        let mut work = vec![end];
        while let Some(m) = work.pop() {
            nodes.push(m);
            work.extend(self.tree.nodes[m].previous.into_iter().chain(self.tree.nodes[m].callee));
        }
        let definitions: Vec<(Term, Term)> =
            nodes.iter().flat_map(|n| self.tree.nodes[*n].definitions.iter().copied()).collect();
        let known = self.visible(end);
        let mut by = Substitution::new(definitions.iter().copied());
        let mut list: Vec<Term> = Vec::new();
        for (version, value) in definitions.iter().filter(|(version, _)| known(*version)) {
            list.push(version.equals(by.apply_through(*value)));
        }
        for n in &nodes {
            for part in self.tree.nodes[*n].formula.conjuncts() {
                let part = by.apply_through(part);
                if !part.is_true() {
                    list.extend(part.conjuncts());
                }
            }
        }
        // A value from outside that is left behind in a variable can be called by that.
        let renamed: Vec<(Term, Term)> = list
            .iter()
            .filter_map(|t| match (t.op(), t.args()) {
                (Op::Eq, &[a, b]) if b.is_var() && known(a) && !known(b) => Some((b, a)),
                (Op::Eq, &[a, b]) if a.is_var() && known(b) && !known(a) => Some((a, b)),
                _ => None,
            })
            .collect();
        let mut by = Substitution::new(renamed);
        let mut list: Vec<Term> = list.into_iter().map(|t| by.apply(t)).collect();
        if list.iter().any(|t| !free_vars(*t).iter().all(|v| known(*v))) {
            let more = projected(&list, &known);
            list.extend(more);
        }
        list.retain(|t| !t.is_true() && free_vars(*t).iter().all(|v| known(*v)));
        list.sort();
        list.dedup();
        list
    }

    fn core(&mut self, mut list: Vec<Term>) -> Option<FxHashSet<Term>> {
        list.sort();
        list.dedup();
        match self.solver.check(&list) {
            SatResult::Unsat => {}
            _ => return None,
        }
        let core = self.solver.unsat_core();
        let tries = TRIES * EASY / size(Term::all(list)).max(EASY);
        let core = shrink(self.solver, core, tries);
        Some(core.into_iter().collect())
    }
}

/// What a list says about the variables that can be spoken of, at least.
fn projected(list: &[Term], known: &dyn Fn(Term) -> bool) -> Vec<Term> {
    let vars = logic::free_vars_of(list.iter().copied()).into_iter().filter(|v| known(*v)).collect();
    let mut found = horn::abstraction::project(list, &vars);
    found.extend(list.iter().filter_map(|t| cases(*t, known)));
    found
}

/// What is known of a variable whose value was chosen by something that cannot be spoken of: that it is one
/// of the choices.
fn cases(equation: Term, known: &dyn Fn(Term) -> bool) -> Option<Term> {
    let (Op::Eq, &[a, b]) = (equation.op(), equation.args()) else { return None };
    let (variable, choice) = if a.is_var() { (a, b) } else { (b, a) };
    if !variable.is_var() || !known(variable) || *choice.op() != Op::Ite {
        return None;
    }
    let mut leaves = Vec::new();
    let mut work = vec![choice];
    while let Some(t) = work.pop() {
        if *t.op() == Op::Ite {
            work.extend(&t.args()[1..]);
        } else if free_vars(t).iter().all(|v| known(*v)) && leaves.len() < MOST_CASES {
            leaves.push(variable.equals(t));
        } else {
            return None;
        }
    }
    Some(Term::any(leaves))
}

const MOST_CASES: usize = 16;
/// A demand that has parts of this size is taken apart, if that gives few cases.
const LARGE: usize = 40;
const FEW_CASES: usize = 8;

/// Making a core smaller is worth this many checks.
const TRIES: usize = 40;
/// Of a formula of this size; fewer for larger ones, where checks take longer.
const EASY: usize = 1000;
