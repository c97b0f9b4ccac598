//! And-inverter graphs: conjunctions of two edges, any edge may be complemented.
//!
//! Nodes are numbered in the order in which they are made, so operands always have smaller numbers and
//! ascending order is a topological order: every walk is a loop over numbers, never a recursion. Equal
//! conjunctions are one node, and [`Aig::and`] applies the local rewrites of Brummayer and Biere (two levels,
//! never creating more than the node that was asked for).

mod bytes;
mod reduce;
mod walk;

use std::ops::Not;

pub use bytes::Damaged;

/// A node, plain or complemented.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// Node 0: plain it is false.
    Constant,
    /// An input, identified by its label within one graph.
    Input(u32),
    And(Lit, Lit),
}

/// A graph. It only grows; [`Aig::import`] copies what is still wanted into a new one.
#[derive(Clone)]
pub struct Aig {
    /// Operands of conjunctions; inputs have `INPUT` and their label instead.
    nodes: Vec<[u32; 2]>,
    /// How many conjunctions use a node, counted up to 255.
    fanout: Vec<u8>,
    /// Open addressing with linear probing: numbers of conjunctions and inputs, 0 is empty.
    table: Vec<u32>,
    inputs: usize,
}

const INPUT: u32 = u32::MAX;

impl Lit {
    pub const FALSE: Lit = Lit(0);
    pub const TRUE: Lit = Lit(1);

    pub fn new(node: u32, complemented: bool) -> Lit {
        Lit(node << 1 | u32::from(complemented))
    }

    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    pub fn is_complemented(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// Complemented when `flip` holds.
    pub fn flip_if(self, flip: bool) -> Lit {
        Lit(self.0 ^ u32::from(flip))
    }

    /// As a number: twice the node, plus one when complemented.
    pub fn code(self) -> u32 {
        self.0
    }

    pub fn from_code(code: u32) -> Lit {
        Lit(code)
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl From<bool> for Lit {
    fn from(value: bool) -> Lit {
        Lit(u32::from(value))
    }
}

impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}{}", if self.is_complemented() { "!" } else { "" }, self.node())
    }
}

impl Default for Aig {
    fn default() -> Self {
        Self::new()
    }
}

impl Aig {
    pub fn new() -> Self {
        Aig { nodes: vec![[0, 0]], fanout: vec![0], table: vec![0; 64], inputs: 0 }
    }

    /// How many nodes there are, the constant included. Nodes have 31 bits; who builds from outside input
    /// watches this.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    pub fn input_count(&self) -> usize {
        self.inputs
    }

    /// What a node is; a number that no node has counts as the constant.
    pub fn node(&self, node: u32) -> Node {
        match self.nodes.get(node as usize) {
            None | Some([0, 0]) => Node::Constant,
            Some(&[INPUT, label]) => Node::Input(label),
            Some(&[a, b]) => Node::And(Lit(a), Lit(b)),
        }
    }

    /// How many conjunctions use the node, counted up to 255.
    pub fn fanout(&self, node: u32) -> u8 {
        self.fanout.get(node as usize).copied().unwrap_or(0)
    }

    /// The input with this label; the same one for the same label.
    pub fn input(&mut self, label: u32) -> Lit {
        let before = self.nodes.len();
        let node = self.find_or_add([INPUT, label]);
        self.inputs += usize::from(self.nodes.len() > before);
        Lit::new(node, false)
    }

    pub fn and(&mut self, mut a: Lit, mut b: Lit) -> Lit {
        // Each round replaces an operand by one below it, so this ends.
        loop {
            match self.rewrite(a, b) {
                Rewrite::Done(lit) => return lit,
                Rewrite::Again(x, y) => (a, b) = (x, y),
                Rewrite::No => break,
            }
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let before = self.nodes.len();
        let node = self.find_or_add([a.0, b.0]);
        if self.nodes.len() > before {
            for lit in [a, b] {
                let count = &mut self.fanout[lit.node() as usize];
                *count = count.saturating_add(1);
            }
        }
        Lit::new(node, false)
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        // Complements move to the result, so that all four variants share their nodes.
        let flip = a.is_complemented() != b.is_complemented();
        let (a, b) = (Lit::new(a.node(), false), Lit::new(b.node(), false));
        let both = self.and(a, b);
        let neither = self.and(!a, !b);
        self.and(!both, !neither).flip_if(flip)
    }

    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `condition ? then : otherwise`
    pub fn ite(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            return self.iff(condition, then);
        }
        let yes = self.and(condition, then);
        let no = self.and(!condition, otherwise);
        self.or(yes, no)
    }

    /// The conjunction of all, balanced, so that long lists stay shallow.
    pub fn and_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut lits: Vec<Lit> = lits.into_iter().collect();
        lits.sort_unstable();
        lits.dedup();
        while lits.len() > 1 {
            let next = lits.chunks(2).map(|pair| match *pair {
                [a, b] => self.and(a, b),
                [a, ..] => a,
                [] => Lit::TRUE,
            });
            lits = next.collect();
        }
        lits.first().copied().unwrap_or(Lit::TRUE)
    }

    pub fn or_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.and_all(lits.into_iter().map(|lit| !lit))
    }

    /// The operands if the node of `lit` is a conjunction.
    fn operands(&self, lit: Lit) -> Option<[Lit; 2]> {
        match self.node(lit.node()) {
            Node::And(a, b) => Some([a, b]),
            _ => None,
        }
    }

    fn rewrite(&self, a: Lit, b: Lit) -> Rewrite {
        use Rewrite::*;
        if a == Lit::FALSE || b == Lit::FALSE || a == !b {
            return Done(Lit::FALSE);
        }
        if a == Lit::TRUE || a == b {
            return Done(b);
        }
        if b == Lit::TRUE {
            return Done(a);
        }
        let (below_a, below_b) = (self.operands(a), self.operands(b));
        for (x, y, below) in [(a, b, below_a), (b, a, below_b)] {
            let Some([p, q]) = below else { continue };
            if x.is_complemented() {
                // !(p & q) & y
                if y == !p || y == !q {
                    return Done(y);
                }
                if y == p {
                    return Again(y, !q);
                }
                if y == q {
                    return Again(y, !p);
                }
            } else {
                // (p & q) & y
                if y == p || y == q {
                    return Done(x);
                }
                if y == !p || y == !q {
                    return Done(Lit::FALSE);
                }
            }
        }
        let (Some([p, q]), Some([r, s])) = (below_a, below_b) else { return No };
        match (a.is_complemented(), b.is_complemented()) {
            (false, false) => {
                if p == !r || p == !s || q == !r || q == !s {
                    Done(Lit::FALSE)
                } else if p == r || q == r {
                    Again(a, s)
                } else if p == s || q == s {
                    Again(a, r)
                } else {
                    No
                }
            }
            (true, true) => {
                // !(p & q) & !(p & !q) is !p
                if (p == r && q == !s) || (p == s && q == !r) {
                    Done(!p)
                } else if (q == r && p == !s) || (q == s && p == !r) {
                    Done(!q)
                } else {
                    No
                }
            }
            (true, false) => Self::negative_with_positive([p, q], b, [r, s]),
            (false, true) => Self::negative_with_positive([r, s], a, [p, q]),
        }
    }

    /// `!(p & q) & y` where `y` is `r & s`.
    fn negative_with_positive([p, q]: [Lit; 2], y: Lit, [r, s]: [Lit; 2]) -> Rewrite {
        if p == !r || p == !s || q == !r || q == !s {
            Rewrite::Done(y)
        } else if p == r || p == s {
            Rewrite::Again(y, !q)
        } else if q == r || q == s {
            Rewrite::Again(y, !p)
        } else {
            Rewrite::No
        }
    }

    fn find_or_add(&mut self, key: [u32; 2]) -> u32 {
        let mask = self.table.len() - 1;
        let mut slot = hash(key) & mask;
        loop {
            match self.table[slot] {
                0 => break,
                node if self.nodes[node as usize] == key => return node,
                _ => slot = (slot + 1) & mask,
            }
        }
        let node = self.nodes.len() as u32;
        debug_assert!(node < 1 << 31);
        self.nodes.push(key);
        self.fanout.push(0);
        self.table[slot] = node;
        if self.nodes.len() * 2 > self.table.len() {
            self.grow();
        }
        node
    }

    fn grow(&mut self) {
        let mask = self.table.len() * 2 - 1;
        let mut table = vec![0; mask + 1];
        for (node, &key) in self.nodes.iter().enumerate().skip(1) {
            let mut slot = hash(key) & mask;
            while table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            table[slot] = node as u32;
        }
        self.table = table;
    }
}

enum Rewrite {
    Done(Lit),
    Again(Lit, Lit),
    No,
}

fn hash([a, b]: [u32; 2]) -> usize {
    let key = u64::from(a) << 32 | u64::from(b);
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 29) as usize
}
