//! Counterexample trees: genuine or not, and what to learn from those that are not.
//!
//! Every clause instance of the tree has variables of its own, and every edge of the tree has variables for
//! the arguments that pass over it. An interpolant at an edge is over these variables only: renamed to
//! parameters, it is a predicate.

use super::graph::Tree;
use super::interpolate;
use crate::instance::Instance;
use crate::system::{Atom, Derivation, PredId, System, Unknown};
use base::Budget;
use logic::{Substitution, Term};
use smt::interpolate::Way;
use smt::{Model, SatResult, Settings, Why, one_shot};

pub(super) enum Refinement {
    Genuine(Derivation),
    /// Predicates that rule the tree out.
    Spurious(Vec<(PredId, Term)>),
}

/// `thorough`: by the ways that cost more, since the first one's predicates were known already.
pub(super) fn analyse(
    system: &System,
    tree: &Tree,
    thorough: bool,
    budget: &Budget,
) -> Result<Refinement, Unknown> {
    let mut problem = Problem { nodes: Vec::new() };
    problem.add(system, tree, None, None);
    let formulas: Vec<Term> = problem.nodes.iter().map(|n| n.formula).collect();
    let (result, model) = one_shot(&formulas, &Settings::default().budget(budget));
    match result {
        SatResult::Sat => {
            let derivation = model.and_then(|m| problem.derivation(&m, 0));
            let reason = "a counterexample whose values cannot be computed";
            derivation.map(Refinement::Genuine).ok_or_else(|| Unknown::GaveUp(reason.into()))
        }
        SatResult::Unsat => Ok(Refinement::Spurious(problem.predicates(system, thorough, budget)?)),
        SatResult::Unknown(Why::Incomplete(reason)) => Err(Unknown::GaveUp(reason)),
        SatResult::Unknown(_) => Err(Unknown::Timeout),
    }
}

struct Node {
    instance: Instance,
    /// What the instance says, and how the edges to the children follow from it.
    formula: Term,
    /// Towards the parent: the symbol, and a variable for each argument.
    edge: Option<Atom>,
    parent: Option<usize>,
    children: Vec<usize>,
}

/// The nodes in preorder.
struct Problem {
    nodes: Vec<Node>,
}

impl Problem {
    fn add(&mut self, system: &System, tree: &Tree, edge: Option<Atom>, parent: Option<usize>) -> usize {
        let number = self.nodes.len();
        let instance = Instance::new(system, tree.clause, edge.as_ref(), &format!("!{number}"));
        // Arguments pass over variables of their own: a name that no instance has.
        let cuts: Vec<Atom> = instance.body.iter().enumerate().map(|(i, a)| cut(a, number, i)).collect();
        let same = instance.body.iter().zip(&cuts).flat_map(|(a, c)| a.args.iter().zip(&c.args));
        let formula = Term::all(same.map(|(a, c)| a.equals(*c)).chain([instance.constraint]));
        self.nodes.push(Node { instance, formula, edge, parent, children: Vec::new() });
        for (child, edge) in tree.children.iter().zip(cuts) {
            let added = self.add(system, child, Some(edge), Some(number));
            self.nodes[number].children.push(added);
        }
        number
    }

    fn derivation(&self, model: &Model, at: usize) -> Option<Derivation> {
        let node = &self.nodes[at];
        let children = node.children.iter().map(|&c| self.derivation(model, c)).collect::<Option<_>>()?;
        Some(Derivation { clause: node.instance.clause, values: node.instance.values(model)?, children })
    }

    fn predicates(
        &self,
        system: &System,
        thorough: bool,
        budget: &Budget,
    ) -> Result<Vec<(PredId, Term)>, Unknown> {
        let node = |n: &Node| interpolate::Node {
            formula: n.formula,
            edge: n.edge.as_ref().map_or(Vec::new(), |e| e.args.clone()),
            parent: n.parent,
        };
        let nodes: Vec<interpolate::Node> = self.nodes.iter().map(node).collect();
        let interpolants = tree_interpolants(&nodes, thorough, budget)?;
        let mut found = Vec::new();
        for (node, formulas) in self.nodes.iter().zip(interpolants) {
            if let Some(edge) = &node.edge {
                let params = system.pred(edge.pred).params.iter().copied();
                let mut by = Substitution::new(edge.args.iter().copied().zip(params));
                found.extend(formulas.into_iter().map(|f| (edge.pred, by.apply(f))));
            }
        }
        Ok(found)
    }
}

fn cut(atom: &Atom, node: usize, place: usize) -> Atom {
    let var = |(i, t): (usize, &Term)| Term::var(&format!("!cut.{node}.{place}.{i}"), t.sort());
    Atom { pred: atom.pred, args: atom.args.iter().enumerate().map(var).collect() }
}

/// Formulas for each node's edge, the first of which is an interpolant; the root is the first node.
/// `thorough`: by the ways that cost more.
pub fn tree_interpolants(
    nodes: &[interpolate::Node],
    thorough: bool,
    budget: &Budget,
) -> Result<Vec<Vec<Term>>, Unknown> {
    let projected = if thorough { None } else { interpolate::interpolants(nodes, budget)? };
    match projected {
        Some(found) => Ok(found),
        None => others(nodes, budget),
    }
}

/// The solver's own ways to interpolate, the cheap ones first.
fn others(nodes: &[interpolate::Node], budget: &Budget) -> Result<Vec<Vec<Term>>, Unknown> {
    // There, children come before their parents.
    let last = nodes.len() - 1;
    let list: Vec<(Term, Option<usize>)> =
        nodes.iter().rev().map(|n| (n.formula, n.parent.map(|p| last - p))).collect();
    let failed = || Unknown::GaveUp("no interpolants".into());
    let tree = smt::interpolate::Tree::new(&list).map_err(|_| failed())?;
    let settings = Settings { resources: Some(PATIENCE), ..Settings::default().budget(budget) };
    let mut found: Vec<Vec<Term>> = vec![Vec::new(); nodes.len()];
    for way in [Way::Backward, Way::Forward, Way::Spacer] {
        if way == Way::Spacer && !found[0].is_empty() {
            break;
        }
        match smt::interpolate::interpolate(&tree, way, &settings) {
            Ok(interpolants) => {
                for (n, formula) in interpolants.into_iter().rev().enumerate() {
                    found[n].push(formula);
                }
            }
            Err(smt::interpolate::Failure::Satisfiable) => return Err(failed()),
            Err(_) => budget.check(0).map_err(|_| Unknown::Timeout)?,
        }
    }
    if found[0].is_empty() { Err(failed()) } else { Ok(found) }
}

/// In Z3's units, some seconds for each question.
const PATIENCE: u32 = 5_000_000;
