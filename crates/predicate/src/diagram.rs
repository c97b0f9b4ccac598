//! Abstract states as they are stored: decision diagrams over numbers that whoever stores them gives a
//! meaning.

use crate::predicates::{PredicateId, Predicates};
use biodivine_lib_bdd::Bdd;
use serde::{Deserialize, Serialize};

/// Nodes with the number of a predicate and the places of two others, which come before. Place 0 is false, 1
/// true; the last node is the diagram, unless it is one of these.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Diagram {
    nodes: Vec<(u16, u32, u32)>,
    empty: bool,
}

impl Diagram {
    pub fn of(state: &Bdd, predicates: &Predicates, mut number: impl FnMut(PredicateId) -> u16) -> Diagram {
        let mut nodes = Vec::new();
        for pointer in state.pointers().filter(|p| !p.is_terminal()) {
            let id = predicates.of_variable(state.var_of(pointer));
            let low = state.low_link_of(pointer).to_index() as u32;
            let high = state.high_link_of(pointer).to_index() as u32;
            nodes.push((number(id), low, high));
        }
        Diagram { nodes, empty: state.is_false() }
    }

    /// `predicate` says what a number stands for: a predicate, or (false) its negation.
    pub fn state(
        &self,
        predicates: &Predicates,
        predicate: impl Fn(u16) -> Option<(PredicateId, bool)>,
    ) -> Option<Bdd> {
        let mut parts = vec![predicates.bottom(), predicates.top()];
        if self.empty {
            return parts.into_iter().next();
        }
        for (n, low, high) in &self.nodes {
            let (id, same) = predicate(*n)?;
            let (low, high) = (parts.get(*low as usize)?, parts.get(*high as usize)?);
            let yes = predicates.literal(id, same).and(high);
            parts.push(yes.or(&predicates.literal(id, !same).and(low)));
        }
        parts.pop()
    }
}
