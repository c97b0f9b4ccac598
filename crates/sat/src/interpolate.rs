//! Interpolants for all nodes of a tree of partitions from one proof.
//!
//! For a node, A is the union of the partitions in its subtree and B the rest; the interpolant follows from
//! A, contradicts B, and speaks only of variables that occur in both. As all of them come from the same proof
//! by the same rules, they fit together: those of the children and the node's own clauses imply the node's
//! (Theorem 1 of the upgrade-checking paper). That holds for Pudlák's system, which is symmetric, and for
//! McMillan's, whose interpolants are stronger.
//!
//! "Occurs" means occurs in a clause that the proof uses: those clauses are contradictory by themselves, and
//! fewer shared variables make smaller interpolants. The walk for one node leaves out the parts of the proof
//! that lie on one side, where the result is known.

mod check;
mod tree;

use crate::aig::{Aig, Lit};
use crate::proof::{Clause, Proof};
use base::{Budget, Stopped};

pub use check::{Fault, check};
pub use tree::{NoTree, Tree};

/// How a proof is turned into interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum System {
    #[default]
    Pudlak,
    McMillan,
}

/// One interpolant for every node of the tree, over inputs labelled with variables of the solver.
#[derive(Clone)]
pub struct Interpolants {
    pub aig: Aig,
    pub roots: Vec<Lit>,
}

/// Why there are no interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    Stopped(Stopped),
    /// The proof uses a clause of a partition that the tree does not have.
    NoSuchPartition(u32),
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        Failure::Stopped(stopped)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Failure::Stopped(stopped) => stopped.fmt(f),
            Failure::NoSuchPartition(partition) => write!(f, "partition {partition} is not in the tree"),
        }
    }
}

impl std::error::Error for Failure {}

/// The interpolants of all nodes.
pub fn interpolate(
    proof: &Proof,
    tree: &Tree,
    system: System,
    budget: &Budget,
) -> Result<Interpolants, Failure> {
    let mut interpolator = Interpolator::new(proof, tree, system)?;
    let mut result = Interpolants { aig: Aig::new(), roots: Vec::with_capacity(tree.len()) };
    for node in 0..tree.len() as u32 {
        let lit = interpolator.node(node, &mut result.aig, budget)?;
        result.roots.push(lit);
    }
    Ok(result)
}

/// A proof made ready for the interpolants of single nodes.
pub struct Interpolator<'a> {
    proof: &'a Proof,
    tree: &'a Tree,
    system: System,
    /// By clause: which partitions it was derived from.
    origins: Vec<Origin>,
    /// By variable: where the positions of the partitions in which it occurs begin and end in `occurrences`.
    occurs: Vec<(u32, u32)>,
    occurrences: Vec<u32>,
    /// By clause, for the node at hand: `NONE`, or the partial interpolant.
    partial: Vec<u32>,
}

/// Which positions (see [`Tree::span`]) a clause comes from: bounds, and a set in which neighbours may share
/// an element.
#[derive(Clone, Copy)]
struct Origin {
    low: u32,
    high: u32,
    set: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    A,
    B,
    Both,
}

const NONE: u32 = u32::MAX;
const OPEN: u32 = u32::MAX - 1;

impl<'a> Interpolator<'a> {
    pub fn new(proof: &'a Proof, tree: &'a Tree, system: System) -> Result<Self, Failure> {
        let mut origins: Vec<Origin> = Vec::with_capacity(proof.len());
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for clause in 0..proof.len() as u32 {
            origins.push(match proof.clause(clause) {
                Clause::Original { partition, codes } => {
                    let position = tree.position(partition).ok_or(Failure::NoSuchPartition(partition))?;
                    pairs.extend(codes.iter().map(|code| (code >> 1, position)));
                    Origin { low: position, high: position, set: 1 << tree.bucket(position) }
                }
                Clause::Derived { first, steps } => {
                    steps.chunks_exact(2).fold(origins[first as usize], |sum, step| {
                        let other = origins[step[0] as usize];
                        Origin {
                            low: sum.low.min(other.low),
                            high: sum.high.max(other.high),
                            set: sum.set | other.set,
                        }
                    })
                }
            });
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut occurs = vec![(0, 0); pairs.last().map_or(0, |pair| pair.0 as usize + 1)];
        for (i, &(var, _)) in pairs.iter().enumerate() {
            let range = &mut occurs[var as usize];
            if range.1 == 0 {
                range.0 = i as u32;
            }
            range.1 = i as u32 + 1;
        }
        let occurrences = pairs.into_iter().map(|pair| pair.1).collect();
        let partial = vec![NONE; proof.len()];
        Ok(Interpolator { proof, tree, system, origins, occurs, occurrences, partial })
    }

    /// The interpolant of one node, put into `aig`. It is `true` for what is not in the tree: nothing follows
    /// from no clauses.
    pub fn node(&mut self, node: u32, aig: &mut Aig, budget: &Budget) -> Result<Lit, Stopped> {
        budget.check(0)?;
        let Some(last) = self.proof.len().checked_sub(1) else { return Ok(Lit::TRUE) };
        if self.tree.position(node).is_none() {
            return Ok(Lit::TRUE);
        }
        let order = self.order(node, last as u32);
        // Partial interpolants that the last one does not need stay behind in this graph.
        let mut work = Aig::new();
        for (count, &clause) in order.iter().enumerate() {
            if count % 4096 == 4095
                && let Err(stopped) = budget.check(0)
            {
                order.iter().for_each(|&clause| self.partial[clause as usize] = NONE);
                return Err(stopped);
            }
            self.partial[clause as usize] = self.combine(node, clause, &mut work).code();
        }
        let result = Lit::from_code(self.partial[last]);
        order.iter().for_each(|&clause| self.partial[clause as usize] = NONE);
        let copied = aig.import(&work, &[result], |aig, label| aig.input(label));
        Ok(copied.first().copied().unwrap_or(result))
    }

    /// The clauses whose partial interpolants the last one needs, operands first; those with a known one are
    /// settled.
    fn order(&mut self, node: u32, last: u32) -> Vec<u32> {
        let mut order = Vec::new();
        let mut stack = vec![last];
        while let Some(clause) = stack.pop() {
            if self.partial[clause as usize] != NONE {
                continue;
            }
            self.partial[clause as usize] = OPEN;
            order.push(clause);
            if self.known(node, clause).is_some() {
                continue;
            }
            if let Clause::Derived { first, steps } = self.proof.clause(clause) {
                stack.push(first);
                stack.extend(steps.chunks_exact(2).map(|step| step[0]));
            }
        }
        order.sort_unstable();
        order
    }

    /// What is derived from B alone has `true`; in Pudlák's system what is derived from A alone has `false`.
    fn known(&self, node: u32, clause: u32) -> Option<Lit> {
        let (low, high) = self.tree.span(node);
        let origin = self.origins[clause as usize];
        if origin.high < low || origin.low > high || origin.set & self.tree.set(node) == 0 {
            Some(Lit::TRUE)
        } else if self.system == System::Pudlak && low <= origin.low && origin.high <= high {
            Some(Lit::FALSE)
        } else {
            None
        }
    }

    fn combine(&self, node: u32, clause: u32, aig: &mut Aig) -> Lit {
        if let Some(known) = self.known(node, clause) {
            return known;
        }
        let partial = |clause: u32| Lit::from_code(self.partial[clause as usize]);
        match self.proof.clause(clause) {
            // Clauses of B, and of A in Pudlák's system, are known; so this is one of A in McMillan's.
            Clause::Original { codes, .. } => {
                let shared = codes.iter().filter(|&&code| self.side(node, code >> 1) == Side::Both);
                let lits: Vec<Lit> = shared.map(|code| aig.input(code >> 1).flip_if(code & 1 == 1)).collect();
                aig.or_all(lits)
            }
            Clause::Derived { first, steps } => steps.chunks_exact(2).fold(partial(first), |sum, step| {
                let (other, pivot) = (partial(step[0]), step[1]);
                match (self.side(node, pivot >> 1), self.system) {
                    (Side::A, _) => aig.or(sum, other),
                    (Side::B, _) | (Side::Both, System::McMillan) => aig.and(sum, other),
                    (Side::Both, System::Pudlak) => {
                        // `other` belongs to the clause with the pivot as written, `sum` to the one with its
                        // negation; when a literal holds, the clause with its negation is the one that still
                        // says something.
                        let pivot = aig.input(pivot >> 1).flip_if(pivot & 1 == 1);
                        aig.ite(pivot, sum, other)
                    }
                }
            }),
        }
    }

    /// On which side of the node a variable occurs.
    fn side(&self, node: u32, var: u32) -> Side {
        let (low, high) = self.tree.span(node);
        let (start, end) = self.occurs[var as usize];
        let positions = &self.occurrences[start as usize..end as usize];
        let first = positions.partition_point(|&position| position < low);
        let inside = positions[first..].iter().take_while(|&&position| position <= high).count();
        match inside {
            0 => Side::B,
            n if n == positions.len() => Side::A,
            _ => Side::Both,
        }
    }
}
