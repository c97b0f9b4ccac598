//! A smaller graph for the same functions: nodes that simulation cannot tell apart and a solver proves equal
//! become one (SAT sweeping), and everything is built anew, so that local rewrites see the merged operands.

use super::walk::value;
use super::{Aig, Lit, Node};
use crate::cnf::{Clauses, Encoder, Literal};
use crate::solver::{Answer, Solver};
use base::random::Random;
use base::{Budget, Stopped};
use rustc_hash::FxHashMap;

/// Words of 64 random assignments to begin with.
const RANDOM_WORDS: usize = 4;
/// Words in all, with those that are added for models of the solver; when they are used up, nodes that look
/// alike stay apart.
const MOST_WORDS: usize = 64;
/// Words times nodes: a quarter of a gigabyte.
const MOST_VALUES: usize = 1 << 25;
/// Conflicts for one question. Equal nodes that need more are not worth it.
const CONFLICTS: u64 = 200;
/// Nodes of one class that are tried before a new node is left alone.
const CANDIDATES: usize = 3;

impl Aig {
    /// The functions of `roots` in a graph of their own, labels kept, with no more conjunctions than now.
    /// When the budget ends (its steps are questions to the solver), what was merged so far stays merged.
    pub fn reduce(&self, roots: &[Lit], budget: &Budget) -> (Aig, Vec<Lit>) {
        let mut sweep = Sweep::new(budget);
        let mut copies = vec![Lit::FALSE; self.len()];
        let copy = |copies: &[Lit], lit: Lit| {
            copies.get(lit.node() as usize).map_or(Lit::FALSE, |c| *c).flip_if(lit.is_complemented())
        };
        for node in self.cone(roots) {
            copies[node as usize] = match self.node(node) {
                Node::Constant => Lit::FALSE,
                Node::Input(label) => sweep.input(label),
                Node::And(a, b) => sweep.and(copy(&copies, a), copy(&copies, b)),
            };
        }
        let new: Vec<Lit> = roots.iter().map(|&root| copy(&copies, root)).collect();
        // The sweep leaves nodes behind that lost their users.
        let reduced = sweep.aig.extract(&new);
        let plain = self.extract(roots);
        if reduced.0.size(&reduced.1) <= plain.0.size(&plain.1) { reduced } else { plain }
    }
}

struct Sweep<'a> {
    aig: Aig,
    budget: &'a Budget,
    questions: u64,
    stopped: bool,
    /// By word, then node: values under 64 assignments.
    words: Vec<Vec<u64>>,
    /// By node: a hash of its values, complemented so that the first assignment gives 0.
    hashes: Vec<u64>,
    /// Nodes by hash.
    classes: FxHashMap<u64, Vec<u32>>,
    /// Nodes that turned out to be equal to older ones.
    merged: FxHashMap<u32, Lit>,
    solver: Solver,
    encoder: Encoder,
    random: Random,
}

impl<'a> Sweep<'a> {
    fn new(budget: &'a Budget) -> Self {
        let mut sweep = Sweep {
            aig: Aig::new(),
            budget,
            questions: 0,
            stopped: false,
            words: vec![vec![0]; RANDOM_WORDS],
            hashes: Vec::new(),
            classes: FxHashMap::default(),
            merged: FxHashMap::default(),
            solver: Solver::for_easy_queries(),
            encoder: Encoder::new(),
            random: Random(0x2545_f491_4f6c_dd1d),
        };
        sweep.add_hash();
        sweep.classify(0);
        sweep
    }

    fn input(&mut self, label: u32) -> Lit {
        let lit = self.aig.input(label);
        if self.words[0].len() < self.aig.len() {
            for i in 0..self.words.len() {
                let random = self.random.number();
                self.words[i].push(random);
            }
            self.add_hash();
            self.classify(lit.node());
        }
        lit
    }

    /// The conjunction, or something that was there before and is equal.
    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let lit = self.aig.and(a, b);
        if self.words[0].len() == self.aig.len() {
            let older = self.merged.get(&lit.node());
            return older.map_or(lit, |older| older.flip_if(lit.is_complemented()));
        }
        // Rewriting may have made a node with other operands, but only one, and it is the answer.
        for word in &mut self.words {
            let both = value(word, a) & value(word, b);
            word.push(both);
        }
        self.add_hash();
        match self.find_equal(lit.node()) {
            Some(equal) => {
                self.merged.insert(lit.node(), equal);
                equal.flip_if(lit.is_complemented())
            }
            None => {
                self.classify(lit.node());
                lit
            }
        }
    }

    /// An older node that the new one is equal to.
    fn find_equal(&mut self, node: u32) -> Option<Lit> {
        let mut tried = 0;
        while !self.stopped && tried < CANDIDATES {
            let key = self.hashes[node as usize];
            let candidate = *self.classes.get(&key)?.get(tried)?;
            let other = Lit::new(candidate, self.flips(node) != self.flips(candidate));
            if !self.same_values(node, other) {
                // Only their hashes are equal.
                tried += 1;
                continue;
            }
            match self.ask(Lit::new(node, false), other) {
                Ok(true) => return Some(other),
                // The new assignments divide the class: start again with what is left of it.
                Ok(false) if self.may_learn() => {
                    self.learn();
                    tried = 0;
                }
                _ => tried += 1,
            }
        }
        None
    }

    /// Whether both are always equal; after `false` the solver has a model in which they differ.
    fn ask(&mut self, a: Lit, b: Lit) -> Result<bool, Stopped> {
        self.questions += 1;
        if let Err(stopped) = self.budget.check(self.questions) {
            self.stopped = true;
            return Err(stopped);
        }
        let [x, y] = [a, b].map(|lit| self.encoder.encode(&self.aig, lit, &mut self.solver));
        let limit = self.budget.with_steps(Some(CONFLICTS));
        for assumptions in [[x, !y], [!x, y]] {
            if self.solver.solve(&assumptions, &limit)? == Answer::Sat {
                return Ok(false);
            }
        }
        self.solver.add_clause(&[x, !y]);
        self.solver.add_clause(&[!x, y]);
        Ok(true)
    }

    /// Adds a word of assignments: the solver's model, and variations of it.
    fn learn(&mut self) {
        let mut word = vec![0u64; self.aig.len()];
        for node in 1..self.aig.len() as u32 {
            word[node as usize] = match self.aig.node(node) {
                Node::Constant => 0,
                Node::Input(label) => {
                    let literal: Option<Literal> = self.encoder.input(label);
                    let model = literal.and_then(|literal| self.solver.value(literal));
                    // The first assignment is the model itself; in the others one input in eight is flipped.
                    let flips = self.random.number() & self.random.number() & self.random.number() & !1;
                    match model {
                        Some(true) => !flips,
                        Some(false) => flips,
                        None => self.random.number(),
                    }
                }
                Node::And(a, b) => value(&word, a) & value(&word, b),
            };
        }
        for (node, value) in word.iter().enumerate() {
            let value = if self.flips(node as u32) { !value } else { *value };
            self.hashes[node] = mix(self.hashes[node], value);
        }
        self.words.push(word);
        let mut members: Vec<u32> = self.classes.drain().flat_map(|(_, nodes)| nodes).collect();
        members.sort_unstable();
        members.into_iter().for_each(|node| self.classify(node));
    }

    fn may_learn(&self) -> bool {
        self.words.len() < MOST_WORDS && self.words.len() * self.aig.len() < MOST_VALUES
    }

    fn classify(&mut self, node: u32) {
        self.classes.entry(self.hashes[node as usize]).or_default().push(node);
    }

    /// Hashes the values of the node that was added last.
    fn add_hash(&mut self) {
        let node = self.hashes.len();
        let mask = if self.flips(node as u32) { u64::MAX } else { 0 };
        self.hashes.push(self.words.iter().fold(0, |sum, word| mix(sum, word[node] ^ mask)));
    }

    /// Whether the node is hashed and compared in complemented form.
    fn flips(&self, node: u32) -> bool {
        self.words[0][node as usize] & 1 == 1
    }

    fn same_values(&self, node: u32, other: Lit) -> bool {
        self.words.iter().all(|word| word[node as usize] == value(word, other))
    }
}

fn mix(sum: u64, word: u64) -> u64 {
    (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}
