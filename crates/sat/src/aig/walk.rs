//! Walks over cones: what is below some roots, evaluated, copied, or listed.

use super::{Aig, Lit, Node};

impl Aig {
    /// The nodes below `roots`, constants left out, ascending: operands come before those who use them.
    pub fn cone(&self, roots: &[Lit]) -> Vec<u32> {
        let mut seen = vec![0u64; self.len().div_ceil(64)];
        let mut cone = Vec::new();
        let mut stack: Vec<u32> = roots.iter().map(|lit| lit.node()).collect();
        while let Some(node) = stack.pop() {
            let Some(word) = seen.get_mut(node as usize / 64) else { continue };
            let bit = 1u64 << (node % 64);
            if node == 0 || node as usize >= self.len() || *word & bit != 0 {
                continue;
            }
            *word |= bit;
            cone.push(node);
            if let Node::And(a, b) = self.node(node) {
                stack.extend([a.node(), b.node()]);
            }
        }
        cone.sort_unstable();
        cone
    }

    /// How many conjunctions are below `roots`, shared ones counted once.
    pub fn size(&self, roots: &[Lit]) -> usize {
        self.cone(roots).into_iter().filter(|&n| matches!(self.node(n), Node::And(..))).count()
    }

    /// The labels of the inputs below `roots`, ascending.
    pub fn support(&self, roots: &[Lit]) -> Vec<u32> {
        let cone = self.cone(roots).into_iter();
        let mut labels: Vec<u32> = cone
            .filter_map(|node| match self.node(node) {
                Node::Input(label) => Some(label),
                _ => None,
            })
            .collect();
        labels.sort_unstable();
        labels
    }

    /// The values of `roots` under 64 assignments at once: bit `i` of everything belongs to assignment `i`.
    pub fn evaluate(&self, roots: &[Lit], mut input: impl FnMut(u32) -> u64) -> Vec<u64> {
        let mut values = vec![0u64; self.len()];
        for node in self.cone(roots) {
            values[node as usize] = match self.node(node) {
                Node::Constant => 0,
                Node::Input(label) => input(label),
                Node::And(a, b) => value(&values, a) & value(&values, b),
            };
        }
        roots.iter().map(|&root| value(&values, root)).collect()
    }

    /// Copies what is below `roots` from another graph, `input` says what becomes of its inputs. The answer
    /// has the copies of the roots in their order.
    pub fn import(
        &mut self,
        other: &Aig,
        roots: &[Lit],
        mut input: impl FnMut(&mut Aig, u32) -> Lit,
    ) -> Vec<Lit> {
        let mut copies = vec![0u32; other.len()];
        let copy = |copies: &[u32], lit: Lit| {
            Lit(copies.get(lit.node() as usize).copied().unwrap_or(0)).flip_if(lit.is_complemented())
        };
        for node in other.cone(roots) {
            copies[node as usize] = match other.node(node) {
                Node::Constant => Lit::FALSE,
                Node::Input(label) => input(self, label),
                Node::And(a, b) => self.and(copy(&copies, a), copy(&copies, b)),
            }
            .0;
        }
        roots.iter().map(|&root| copy(&copies, root)).collect()
    }

    /// Copies what is below `roots` into a graph of its own, labels kept.
    pub fn extract(&self, roots: &[Lit]) -> (Aig, Vec<Lit>) {
        let mut result = Aig::new();
        let roots = result.import(self, roots, |aig, label| aig.input(label));
        (result, roots)
    }
}

pub(super) fn value(values: &[u64], lit: Lit) -> u64 {
    let plain = values.get(lit.node() as usize).copied().unwrap_or(0);
    if lit.is_complemented() { !plain } else { plain }
}
