//! Whether interpolants are what they claim to be: asked of a plain solver that has seen neither the proof
//! nor the rules.

use super::{Interpolants, Tree};
use crate::cnf::{Clauses, Encoder, Literal, Var};
use crate::solver::{Answer, Solver};
use base::{Budget, Stopped};
use rustc_hash::FxHashMap;

/// What is wrong, and at which node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// There is not one interpolant for each node.
    Missing,
    /// A clause belongs to a partition that the tree does not have.
    NoSuchPartition(u32),
    /// It has a variable that is not on both sides.
    NotShared(u32, Var),
    /// It does not follow from the subtree's clauses.
    DoesNotFollow(u32),
    /// It does not contradict the clauses of the rest.
    NoContradiction(u32),
    /// It does not follow from the children's interpolants and the node's own clauses.
    TreeProperty(u32),
    /// The interpolants of the roots do not contradict each other.
    Roots,
}

/// All that is wrong with the interpolants of these clauses.
pub fn check(
    clauses: &[(u32, Vec<Literal>)],
    tree: &Tree,
    interpolants: &Interpolants,
    budget: &Budget,
) -> Result<Vec<Fault>, Stopped> {
    let count = tree.len();
    if interpolants.roots.len() != count {
        return Ok(vec![Fault::Missing]);
    }
    if let Some(&(partition, _)) = clauses.iter().find(|(partition, _)| *partition as usize >= count) {
        return Ok(vec![Fault::NoSuchPartition(partition)]);
    }
    let mut faults = not_shared(clauses, tree, interpolants);

    // One solver for all questions: a partition holds when its switch is assumed.
    let mut solver = Solver::new();
    let highest = clauses.iter().flat_map(|(_, clause)| clause).map(|literal| literal.var()).max();
    let inputs = interpolants.aig.support(&interpolants.roots);
    let highest = highest.unwrap_or(0);
    for _ in 0..highest {
        solver.new_var();
    }
    let switches: Vec<Literal> = (0..count).map(|_| solver.new_var()).collect();
    for (partition, clause) in clauses {
        let switched: Vec<Literal> = clause.iter().copied().chain([!switches[*partition as usize]]).collect();
        solver.add_clause(&switched);
    }
    let mut encoder = Encoder::new();
    // Inputs that are no variable of the clauses stay variables of their own; they are reported as not
    // shared.
    for label in inputs.into_iter().filter(|&label| label <= highest) {
        if let Some(literal) = i32::try_from(label).ok().and_then(Literal::from_dimacs) {
            encoder.bind(label, literal);
        }
    }
    let summaries: Vec<Literal> =
        interpolants.roots.iter().map(|&root| encoder.encode(&interpolants.aig, root, &mut solver)).collect();

    let mut holds = |assumptions: &[Literal]| Ok(solver.solve(assumptions, budget)? == Answer::Unsat);
    for node in 0..count as u32 {
        let inside = |wanted: bool| {
            let chosen = (0..count as u32).filter(move |&other| tree.contains(node, other) == wanted);
            chosen.map(|other| switches[other as usize])
        };
        let summary = summaries[node as usize];
        if !holds(&inside(true).chain([!summary]).collect::<Vec<_>>())? {
            faults.push(Fault::DoesNotFollow(node));
        }
        if !holds(&inside(false).chain([summary]).collect::<Vec<_>>())? {
            faults.push(Fault::NoContradiction(node));
        }
        let children = (0..count as u32).filter(|&child| tree.parent(child) == Some(node));
        let premises = children.map(|child| summaries[child as usize]);
        if !holds(&premises.chain([switches[node as usize], !summary]).collect::<Vec<_>>())? {
            faults.push(Fault::TreeProperty(node));
        }
    }
    let roots = (0..count as u32).filter(|&node| tree.parent(node).is_none());
    if !holds(&roots.map(|root| summaries[root as usize]).collect::<Vec<_>>())? {
        faults.push(Fault::Roots);
    }
    Ok(faults)
}

/// Variables of interpolants that do not occur both in the subtree and outside.
fn not_shared(clauses: &[(u32, Vec<Literal>)], tree: &Tree, interpolants: &Interpolants) -> Vec<Fault> {
    let mut occurs: FxHashMap<Var, Vec<u32>> = FxHashMap::default();
    for (partition, clause) in clauses {
        for literal in clause {
            let partitions = occurs.entry(literal.var()).or_default();
            if partitions.last() != Some(partition) {
                partitions.push(*partition);
            }
        }
    }
    let mut faults = Vec::new();
    for (node, &root) in interpolants.roots.iter().enumerate() {
        let node = node as u32;
        for var in interpolants.aig.support(&[root]) {
            let partitions = occurs.get(&var).map_or(&[][..], Vec::as_slice);
            let inside = partitions.iter().filter(|&&other| tree.contains(node, other)).count();
            if inside == 0 || inside == partitions.len() {
                faults.push(Fault::NotShared(node, var));
            }
        }
    }
    faults
}
