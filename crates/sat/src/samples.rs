//! Sixty-four assignments to the inputs of a graph that grows, and what its nodes are under each of them.
//!
//! They answer "can this be true?" without a solver where one of them happens to make it so. Whoever asked a
//! solver all the same gives its model back, so that the assignments come to know what the formula at hand is
//! about.

use crate::aig::{Aig, Lit, Node};

/// Bit `i` of everything belongs to assignment `i`.
#[derive(Default)]
pub struct Samples {
    /// By node, as far as the graph was looked at.
    values: Vec<u64>,
    /// The assignment that the next model replaces.
    next: u32,
}

impl Samples {
    /// Takes in what the graph got since the last time. `input` says what a new input is; it may look at what
    /// came before.
    pub fn extend(&mut self, aig: &Aig, mut input: impl FnMut(&Samples, u32) -> u64) {
        for node in self.values.len()..aig.len() {
            let value = match aig.node(node as u32) {
                Node::Constant => 0,
                Node::Input(label) => input(self, label),
                Node::And(a, b) => self.value(a) & self.value(b),
            };
            self.values.push(value);
        }
    }

    /// In which assignments it holds. Nodes that were not taken in are false.
    pub fn value(&self, lit: Lit) -> u64 {
        let value = self.values.get(lit.node() as usize).copied().unwrap_or(0);
        if lit.is_complemented() { !value } else { value }
    }

    /// A model takes the place of the oldest assignment.
    pub fn learn(&mut self, aig: &Aig, mut input: impl FnMut(u32) -> bool) {
        let bit = 1u64 << self.next;
        self.next = (self.next + 1) % u64::BITS;
        for node in 0..self.values.len() {
            let holds = match aig.node(node as u32) {
                Node::Constant => false,
                Node::Input(label) => input(label),
                Node::And(a, b) => self.value(a) & self.value(b) & bit != 0,
            };
            let value = &mut self.values[node];
            *value = if holds { *value | bit } else { *value & !bit };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_follow_the_graph_and_its_models() {
        let mut aig = Aig::new();
        let (a, b) = (aig.input(7), aig.input(9));
        let both = aig.and(a, !b);
        let mut samples = Samples::default();
        samples.extend(&aig, |_, label| if label == 7 { 0b0110 } else { 0b0011 });
        assert_eq!(samples.value(both), 0b0100);
        assert_eq!(samples.value(!both), !0b0100);
        samples.learn(&aig, |label| label == 7);
        assert_eq!(samples.value(both), 0b0101);
        // What is new can depend on what is known.
        let c = aig.input(1);
        let all = aig.and(c, both);
        assert_eq!(samples.value(all), 0);
        samples.extend(&aig, |known, _| known.value(a));
        assert_eq!(samples.value(all), 0b0101);
        samples.learn(&aig, |_| true);
        assert_eq!(samples.value(both), 0b0101);
        assert_eq!(samples.value(a), 0b0111);
    }
}
