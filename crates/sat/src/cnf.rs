//! Clauses, and how graphs become clauses.
//!
//! Every node is defined by clauses at most once, in both directions (Tseitin): interpolants and models may
//! then talk about any of them. Multiplexers and exclusive ors are recognised, and conjunctions that nobody
//! else uses are merged into the one above them; both save variables, and a node hidden that way is still
//! defined when somebody asks for it later.

use crate::aig::{Aig, Lit, Node};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::ops::Not;
use std::rc::Rc;

/// A variable of a solver, counted from 1.
pub type Var = u32;

/// A variable or its negation, as in DIMACS: never 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(i32);

/// Something that takes clauses: a solver, or one partition of it.
pub trait Clauses {
    /// A new variable, as a positive literal.
    fn new_var(&mut self) -> Literal;
    fn add_clause(&mut self, literals: &[Literal]);
}

/// Remembers which literal stands for which node of one graph (always the same graph for the life of the
/// encoder).
#[derive(Default)]
pub struct Encoder {
    /// By node; 0 where there is none yet.
    literals: Vec<i32>,
    inputs: Rc<RefCell<Inputs>>,
}

/// The literals of inputs; encoders of different partitions may share them.
#[derive(Clone, Default)]
struct Inputs {
    literals: FxHashMap<u32, Literal>,
    /// The labels, in the order in which they got literals.
    order: Vec<u32>,
}

/// More operands make clauses too long to propagate well.
const MOST_OPERANDS: usize = 24;

impl Literal {
    /// `None` for 0 and for what has no negation.
    pub fn from_dimacs(number: i32) -> Option<Literal> {
        (number != 0 && number != i32::MIN).then_some(Literal(number))
    }

    pub fn to_dimacs(self) -> i32 {
        self.0
    }

    pub fn var(self) -> Var {
        self.0.unsigned_abs()
    }

    pub fn is_negative(self) -> bool {
        self.0 < 0
    }

    pub fn flip_if(self, flip: bool) -> Literal {
        if flip { !self } else { self }
    }

    /// Twice the variable, plus one when negative.
    pub(crate) fn code(self) -> u32 {
        self.var() << 1 | u32::from(self.is_negative())
    }

    pub(crate) fn from_code(code: u32) -> Literal {
        let var = (code >> 1) as i32;
        Literal(if code & 1 == 1 { -var } else { var })
    }
}

impl Not for Literal {
    type Output = Literal;
    fn not(self) -> Literal {
        Literal(-self.0)
    }
}

impl std::fmt::Debug for Literal {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// How a node is defined.
enum Gate {
    And(Vec<Lit>),
    /// Condition, then, otherwise.
    Mux([Lit; 3]),
    /// Two of three: the carry of an adder.
    Majority([Lit; 3]),
}

impl Gate {
    fn operands(&self) -> &[Lit] {
        match self {
            Gate::And(lits) => lits,
            Gate::Mux(lits) | Gate::Majority(lits) => lits,
        }
    }
}

impl Encoder {
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on the input with this label is that literal. Inputs without one get new variables. Must come
    /// before the input is encoded for the first time; afterwards it has no effect and says `false`.
    pub fn bind(&mut self, label: u32, literal: Literal) -> bool {
        let mut inputs = self.inputs.borrow_mut();
        if let Some(known) = inputs.literals.get(&label) {
            return *known == literal;
        }
        inputs.literals.insert(label, literal);
        inputs.order.push(label);
        true
    }

    /// Another encoder of the same graph, for another partition: nodes get literals of their own, inputs are
    /// the same.
    pub fn beside(&self) -> Encoder {
        Encoder { literals: Vec::new(), inputs: self.inputs.clone() }
    }

    /// The inputs that have literals, in the order in which they got them, from the `first`-th on.
    pub fn inputs_from(&self, first: usize) -> Vec<u32> {
        self.inputs.borrow().order.get(first..).unwrap_or(&[]).to_vec()
    }

    /// The literal of an input, if it is bound or was encoded.
    pub fn input(&self, label: u32) -> Option<Literal> {
        self.inputs.borrow().literals.get(&label).copied()
    }

    /// The literal of an edge, if its node was encoded.
    pub fn literal(&self, lit: Lit) -> Option<Literal> {
        let known = self.literals.get(lit.node() as usize).copied().unwrap_or(0);
        Literal::from_dimacs(known).map(|literal| literal.flip_if(lit.is_complemented()))
    }

    /// A literal that is equivalent to `root`, defined by clauses as needed.
    pub fn encode(&mut self, aig: &Aig, root: Lit, clauses: &mut impl Clauses) -> Literal {
        self.literals.resize(self.literals.len().max(aig.len()), 0);
        let mut stack = vec![root.node()];
        while let Some(&node) = stack.last() {
            if self.literals.get(node as usize).is_none_or(|&known| known != 0) {
                stack.pop();
                continue;
            }
            let literal = match aig.node(node) {
                Node::Constant => {
                    let literal = clauses.new_var();
                    clauses.add_clause(&[!literal]);
                    literal
                }
                Node::Input(label) => match self.input(label) {
                    Some(known) => known,
                    None => {
                        let literal = clauses.new_var();
                        self.bind(label, literal);
                        literal
                    }
                },
                Node::And(a, b) => {
                    let gate = self.gate(aig, a, b);
                    let before = stack.len();
                    let missing = |lit: &Lit| self.literals.get(lit.node() as usize) == Some(&0);
                    stack.extend(gate.operands().iter().filter(|l| missing(l)).map(|l| l.node()));
                    if stack.len() > before {
                        continue;
                    }
                    self.define(&gate, clauses)
                }
            };
            self.literals[node as usize] = literal.0;
            stack.pop();
        }
        // A number that no node has counts as the constant, as in `Aig::node`.
        self.literal(root).unwrap_or_else(|| {
            let literal = clauses.new_var();
            clauses.add_clause(&[literal.flip_if(!root.is_complemented())]);
            literal
        })
    }

    /// Clauses that say that `root` holds: without a variable for it where it is a conjunction or a
    /// disjunction.
    pub fn assert(&mut self, aig: &Aig, root: Lit, clauses: &mut impl Clauses) {
        let mut seen = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(lit) = stack.pop() {
            if !seen.insert(lit) || lit == Lit::TRUE {
                continue;
            }
            match aig.node(lit.node()) {
                Node::Constant => clauses.add_clause(&[]),
                Node::And(a, b) if !lit.is_complemented() => stack.extend([a, b]),
                Node::And(a, b) if self.literal(lit).is_none() => match self.gate(aig, a, b) {
                    Gate::And(lits) => {
                        let clause: Vec<Literal> =
                            lits.into_iter().map(|lit| self.encode(aig, !lit, clauses)).collect();
                        clauses.add_clause(&clause);
                    }
                    Gate::Mux(lits) => {
                        let [c, t, e] = lits.map(|lit| self.encode(aig, lit, clauses));
                        clauses.add_clause(&[!c, !t]);
                        clauses.add_clause(&[c, !e]);
                    }
                    Gate::Majority(lits) => {
                        let [a, b, c] = lits.map(|lit| self.encode(aig, lit, clauses));
                        for pair in [[a, b], [a, c], [b, c]] {
                            clauses.add_clause(&pair.map(|literal| !literal));
                        }
                    }
                },
                _ => {
                    let literal = self.encode(aig, lit, clauses);
                    clauses.add_clause(&[literal]);
                }
            }
        }
    }

    fn gate(&self, aig: &Aig, a: Lit, b: Lit) -> Gate {
        if let Some(gate) = mux(aig, a, b).or_else(|| majority(aig, a, b)) {
            return gate;
        }
        let mut leaves = Vec::new();
        let mut open = vec![a, b];
        while let Some(lit) = open.pop() {
            let hidden = !lit.is_complemented()
                && aig.fanout(lit.node()) == 1
                && self.literal(lit).is_none()
                && leaves.len() + open.len() + 2 <= MOST_OPERANDS;
            match aig.node(lit.node()) {
                Node::And(x, y) if hidden && mux(aig, x, y).is_none() && majority(aig, x, y).is_none() => {
                    open.extend([x, y]);
                }
                _ => leaves.push(lit),
            }
        }
        leaves.sort_unstable();
        leaves.dedup();
        Gate::And(leaves)
    }

    /// All operands have literals already.
    fn define(&self, gate: &Gate, clauses: &mut impl Clauses) -> Literal {
        let node = clauses.new_var();
        let literal = |lit: Lit| self.literal(lit);
        match gate {
            Gate::And(lits) => {
                let operands: Option<Vec<Literal>> = lits.iter().map(|&lit| literal(lit)).collect();
                if let Some(operands) = operands {
                    for &operand in &operands {
                        clauses.add_clause(&[!node, operand]);
                    }
                    let long: Vec<Literal> = operands.into_iter().map(|l| !l).chain([node]).collect();
                    clauses.add_clause(&long);
                }
            }
            &Gate::Majority([a, b, c]) => {
                if let (Some(a), Some(b), Some(c)) = (literal(a), literal(b), literal(c)) {
                    for [x, y] in [[a, b], [a, c], [b, c]] {
                        clauses.add_clause(&[!x, !y, node]);
                        clauses.add_clause(&[x, y, !node]);
                    }
                }
            }
            &Gate::Mux([condition, then, otherwise]) => {
                if let (Some(c), Some(t), Some(e)) = (literal(condition), literal(then), literal(otherwise)) {
                    clauses.add_clause(&[!c, !t, node]);
                    clauses.add_clause(&[!c, t, !node]);
                    clauses.add_clause(&[c, !e, node]);
                    clauses.add_clause(&[c, e, !node]);
                    // Implied, but they propagate when the condition is open.
                    if t != !e {
                        clauses.add_clause(&[!t, !e, node]);
                        clauses.add_clause(&[t, e, !node]);
                    }
                }
            }
        }
        node
    }
}

/// `a & b` as `condition ? then : otherwise`: it is `!(c & x) & !(!c & y)`, or `c ? !x : !y`.
fn mux(aig: &Aig, a: Lit, b: Lit) -> Option<Gate> {
    if !a.is_complemented() || !b.is_complemented() {
        return None;
    }
    let (Node::And(p, q), Node::And(r, s)) = (aig.node(a.node()), aig.node(b.node())) else { return None };
    for (condition, x) in [(p, q), (q, p)] {
        for (other, y) in [(r, s), (s, r)] {
            if condition == !other {
                return Some(Gate::Mux([condition, !x, !y]));
            }
        }
    }
    None
}

/// `a & b` as the majority of three: it is `!(p & q) & !((p ^ q) & r)`, which is how adders compute carries.
/// Said as such, two of the three decide it by unit propagation, and the gates inside need no variables.
fn majority(aig: &Aig, a: Lit, b: Lit) -> Option<Gate> {
    if !a.is_complemented() || !b.is_complemented() {
        return None;
    }
    for (both, passed) in [(a, b), (b, a)] {
        let (Node::And(p, q), Node::And(x, y)) = (aig.node(both.node()), aig.node(passed.node())) else {
            return None;
        };
        for (half, r) in [(x, y), (y, x)] {
            if is_xor(aig, half, p, q) {
                return Some(Gate::Majority([!p, !q, !r]));
            }
        }
    }
    None
}

/// Is `lit` the exclusive or of the other two?
fn is_xor(aig: &Aig, lit: Lit, p: Lit, q: Lit) -> bool {
    let Node::And(x, y) = aig.node(lit.node()) else { return false };
    let Some(Gate::Mux([c, t, e])) = mux(aig, x, y) else { return false };
    // The node says that `c` and `t` are equal.
    let same = |x: Lit, y: Lit| x.node() == y.node();
    let nodes = same(c, p) && same(t, q) || same(c, q) && same(t, p);
    let odd = [lit, c, t, p, q].iter().filter(|l| l.is_complemented()).count() % 2 == 1;
    t == !e && nodes && odd
}
