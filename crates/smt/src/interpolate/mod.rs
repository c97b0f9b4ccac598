//! Interpolation: why a tree of formulas has no model, said at each of its nodes.
//!
//! Z3 has no interpolating solver, so there are two independent ways around that: `spacer` asks Spacer for
//! the covers of one recursion-free Horn query, and `core` projects what an unsatisfiable core needs, forward
//! (strongest postconditions) or backward (weakest preconditions), onto the variables at each cut. Neither is
//! believed: [`interpolate`] checks every interpolant on both sides before it returns it.

mod core;
mod project;
mod spacer;

use crate::one_shot::one_shot;
use crate::solver::{SatResult, Settings, Why};
use crate::translate::Space;
use logic::{Term, free_vars};
use std::collections::{BTreeMap, BTreeSet};

/// Formulas at the nodes of a tree. Children come before their parents, so the root is the last node.
#[derive(Clone, Debug)]
pub struct Tree {
    formulas: Vec<Term>,
    parents: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    shared: Vec<BTreeSet<Term>>,
}

/// The nodes do not form a tree whose children come before their parents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoTree;

impl Tree {
    /// Each node's formula and its parent, which is None for the last node only.
    pub fn new(nodes: &[(Term, Option<usize>)]) -> Result<Tree, NoTree> {
        let mut children = vec![Vec::new(); nodes.len()];
        for (n, (_, parent)) in nodes.iter().enumerate() {
            match *parent {
                Some(p) if p > n && p < nodes.len() => children[p].push(n),
                None if n + 1 == nodes.len() => {}
                _ => return Err(NoTree),
            }
        }
        if nodes.is_empty() {
            return Err(NoTree);
        }
        let formulas: Vec<Term> = nodes.iter().map(|(f, _)| *f).collect();
        let parents = nodes.iter().map(|(_, p)| *p).collect();
        let shared = shared(&formulas, &children);
        Ok(Tree { formulas, parents, children, shared })
    }

    /// A sequence, the first formula at the leaf and the last one at the root.
    pub fn path(formulas: &[Term]) -> Result<Tree, NoTree> {
        let parent = |n: usize| (n + 1 < formulas.len()).then_some(n + 1);
        let nodes: Vec<_> = formulas.iter().enumerate().map(|(n, f)| (*f, parent(n))).collect();
        Tree::new(&nodes)
    }

    #[expect(clippy::len_without_is_empty, reason = "a tree has a root")]
    pub fn len(&self) -> usize {
        self.formulas.len()
    }

    pub fn formula(&self, node: usize) -> Term {
        self.formulas[node]
    }

    pub fn parent(&self, node: usize) -> Option<usize> {
        self.parents[node]
    }

    pub fn children(&self, node: usize) -> &[usize] {
        &self.children[node]
    }

    /// The variables that occur both in the node's subtree and in the rest of the tree.
    pub fn shared(&self, node: usize) -> &BTreeSet<Term> {
        &self.shared[node]
    }

    /// The same tree with other formulas.
    fn with(&self, formulas: Vec<Term>) -> Tree {
        let shared = shared(&formulas, &self.children);
        Tree { formulas, shared, ..self.clone() }
    }
}

fn shared(formulas: &[Term], children: &[Vec<usize>]) -> Vec<BTreeSet<Term>> {
    let own: Vec<BTreeSet<Term>> = formulas.iter().map(|f| free_vars(*f)).collect();
    let mut everywhere: BTreeMap<Term, usize> = BTreeMap::new();
    for v in own.iter().flatten() {
        *everywhere.entry(*v).or_default() += 1;
    }
    // In how many nodes of the subtree each variable occurs; it is shared if it occurs elsewhere, too.
    let mut inside: Vec<BTreeMap<Term, usize>> = Vec::new();
    for (n, vars) in own.iter().enumerate() {
        let mut counts: BTreeMap<Term, usize> = vars.iter().map(|v| (*v, 1)).collect();
        for &c in &children[n] {
            for (v, count) in &inside[c] {
                *counts.entry(*v).or_default() += count;
            }
        }
        counts.retain(|v, count| *count < everywhere[v]);
        inside.push(counts);
    }
    inside.into_iter().map(|counts| counts.into_keys().collect()).collect()
}

/// How to interpolate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// One Horn query; generalises well, slow with more than a few dozen nodes.
    Spacer,
    /// Strongest postconditions of what the core needs.
    Forward,
    /// Weakest preconditions of what the core needs.
    Backward,
}

/// Why there are no interpolants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The formulas have a model.
    Satisfiable,
    Unknown(Why),
    /// This way did not get there; another one may.
    GaveUp(String),
}

/// One interpolant for each node, false for the root: implied by the children's interpolants together with
/// the node's formula, and about shared variables only. All of that was checked.
pub fn interpolate(tree: &Tree, way: Way, settings: &Settings) -> Result<Vec<Term>, Failure> {
    let space = Space::shared().ok_or_else(|| Failure::GaveUp("no context".into()))?;
    let needed = core::needed(&space, tree, settings)?;
    let interpolants = match way {
        Way::Spacer => spacer::interpolants(&needed, settings),
        Way::Forward => core::forward(&space, &needed, settings),
        Way::Backward => core::backward(&space, &needed, settings),
    }?;
    match check(tree, &interpolants, settings) {
        Ok(()) => Ok(interpolants),
        Err(flaw) => Err(Failure::GaveUp(format!("{way:?}: {flaw:?}"))),
    }
}

/// The first of these ways that gets there.
pub fn interpolate_by(tree: &Tree, ways: &[Way], settings: &Settings) -> Result<(Way, Vec<Term>), Failure> {
    let mut last = Failure::GaveUp("no way to try".into());
    for &way in ways {
        match interpolate(tree, way, settings) {
            Ok(interpolants) => return Ok((way, interpolants)),
            Err(Failure::Satisfiable) => return Err(Failure::Satisfiable),
            Err(failure) => last = failure,
        }
    }
    Err(last)
}

/// What is wrong with an interpolant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// There are not as many as nodes.
    Number,
    /// The root's is not false.
    Root,
    /// It mentions a variable that is not shared.
    Foreign { node: usize, variable: Term },
    /// It does not follow from the children's interpolants and the node's formula.
    Weak { node: usize },
    /// The solver could not tell whether it does.
    Unproved { node: usize, why: Why },
}

/// Are these interpolants of the tree? Shares nothing with the ways to find them but the solver.
pub fn check(tree: &Tree, interpolants: &[Term], settings: &Settings) -> Result<(), Flaw> {
    if interpolants.len() != tree.len() {
        return Err(Flaw::Number);
    }
    if interpolants.last().is_none_or(|i| !i.is_false()) {
        return Err(Flaw::Root);
    }
    for (node, &interpolant) in interpolants.iter().enumerate() {
        if let Some(variable) = free_vars(interpolant).into_iter().find(|v| !tree.shared(node).contains(v)) {
            return Err(Flaw::Foreign { node, variable });
        }
        let mut formulas: Vec<Term> = tree.children(node).iter().map(|&c| interpolants[c]).collect();
        formulas.extend([tree.formula(node), interpolant.not()]);
        match one_shot(&formulas, settings).0 {
            SatResult::Unsat => {}
            SatResult::Sat => return Err(Flaw::Weak { node }),
            SatResult::Unknown(why) => return Err(Flaw::Unproved { node, why }),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
