//! Predicates, and abstract states over them.
//!
//! A predicate is a formula over the variables of one function: those of now, those at its entry (`old.`),
//! and what it returns. Each has a number, which is its variable in the decision diagrams that abstract
//! states are. A state says what is known at a cut point; as a formula it is the diagram read as a tree of
//! choices.

use biodivine_lib_bdd::{Bdd, BddVariable, BddVariableSet};
use logic::Term;
use rustc_hash::FxHashMap;

/// The number of a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PredicateId(u16);

impl PredicateId {
    pub fn number(self) -> u16 {
        self.0
    }
}

pub struct Predicates {
    terms: Vec<Term>,
    ids: FxHashMap<Term, PredicateId>,
    set: BddVariableSet,
    formulas: FxHashMap<Bdd, Term>,
}

/// Diagrams have this many variables from the start; they cannot grow later, and making them takes time.
const MOST: u16 = 1500;

impl Predicates {
    pub fn new() -> Predicates {
        Predicates {
            terms: Vec::new(),
            ids: FxHashMap::default(),
            set: BddVariableSet::new_anonymous(MOST),
            formulas: FxHashMap::default(),
        }
    }

    /// The number of a predicate or of its negation, whichever came first; None if there are too many.
    pub fn number(&mut self, predicate: Term) -> Option<PredicateId> {
        if let Some(id) = self.ids.get(&predicate).or_else(|| self.ids.get(&predicate.not())) {
            return Some(*id);
        }
        let id = u16::try_from(self.terms.len()).ok().filter(|n| *n < MOST).map(PredicateId)?;
        self.terms.push(predicate);
        self.ids.insert(predicate, id);
        Some(id)
    }

    pub fn term(&self, id: PredicateId) -> Term {
        self.terms[usize::from(id.0)]
    }

    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Nothing is known.
    pub fn top(&self) -> Bdd {
        self.set.mk_true()
    }

    pub fn bottom(&self) -> Bdd {
        self.set.mk_false()
    }

    pub fn literal(&self, id: PredicateId, holds: bool) -> Bdd {
        self.set.mk_literal(variable(id), holds)
    }

    /// All of these.
    pub fn cube(&self, literals: &[(PredicateId, bool)]) -> Bdd {
        // From the last variable to the first each step adds one node.
        let mut sorted = literals.to_vec();
        sorted.sort_by_key(|(id, _)| std::cmp::Reverse(*id));
        sorted.into_iter().fold(self.top(), |all, (id, holds)| all.and(&self.literal(id, holds)))
    }

    /// The predicates that a state says something about.
    pub fn support(&self, state: &Bdd) -> Vec<PredicateId> {
        let mut list: Vec<PredicateId> =
            state.support_set().into_iter().map(|v| self.of_variable(v)).collect();
        list.sort();
        list
    }

    /// What a state says about predicates other than these.
    pub fn forget(&self, state: &Bdd, list: impl IntoIterator<Item = PredicateId>) -> Bdd {
        let variables: Vec<BddVariable> = list.into_iter().map(variable).collect();
        if variables.is_empty() { state.clone() } else { state.exists(&variables) }
    }

    pub fn of_variable(&self, variable: BddVariable) -> PredicateId {
        PredicateId(variable.to_index() as u16)
    }

    /// Does the first say all that the second says?
    pub fn implies(&self, a: &Bdd, b: &Bdd) -> bool {
        b.is_true() || a == b || a.and_not(b).is_false()
    }

    pub fn formula(&mut self, state: &Bdd) -> Term {
        if let Some(term) = self.formulas.get(state) {
            return *term;
        }
        // Nodes come after those they lead to.
        let mut parts: FxHashMap<usize, Term> = FxHashMap::default();
        let mut last = Term::bool(false);
        for pointer in state.pointers() {
            let term = if pointer.is_zero() {
                Term::bool(false)
            } else if pointer.is_one() {
                Term::bool(true)
            } else {
                let predicate = self.terms[state.var_of(pointer).to_index()];
                let low = parts[&state.low_link_of(pointer).to_index()];
                let high = parts[&state.high_link_of(pointer).to_index()];
                choice(predicate, high, low)
            };
            parts.insert(pointer.to_index(), term);
            last = term;
        }
        self.formulas.insert(state.clone(), last);
        last
    }
}

/// Plain conjunctions where they do, so that solvers see facts.
fn choice(condition: Term, then: Term, otherwise: Term) -> Term {
    if otherwise.is_false() {
        condition.and(then)
    } else if then.is_false() {
        condition.not().and(otherwise)
    } else if otherwise.is_true() {
        condition.not().or(then)
    } else if then.is_true() {
        condition.or(otherwise)
    } else {
        condition.and(then).or(condition.not().and(otherwise))
    }
}

fn variable(id: PredicateId) -> BddVariable {
    BddVariable::from_index(usize::from(id.0))
}
