//! What is known of the variables at one place: a persistent map from variables to their values.
//!
//! Variables that may have any value of their type are absent. The map is a binary trie over the bits of the
//! variable's number (Okasaki and Gill, "Fast Mergeable Integer Maps", 1998); states share what they have in
//! common, and comparing or joining two of them takes time for their differences only.

use crate::values::Values;
use ir::{GlobalId, LocalId, Var};
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct State(Option<Arc<Node>>);

#[derive(Debug)]
enum Node {
    Leaf(u32, Values),
    /// Keys agree above `bit`; those with this bit are on the right.
    Branch {
        prefix: u32,
        bit: u8,
        left: Arc<Node>,
        right: Arc<Node>,
    },
}

/// Gives a value of the variable with this key that is above two others, and the first if they are equal.
type Combine<'c> = dyn FnMut(u32, &Values, &Values) -> Values + 'c;

fn key(var: Var) -> u32 {
    match var {
        Var::Global(id) => id.0 << 1,
        Var::Local(id) => id.0 << 1 | 1,
    }
}

fn var(key: u32) -> Var {
    if key & 1 == 1 { Var::Local(LocalId(key >> 1)) } else { Var::Global(GlobalId(key >> 1)) }
}

impl State {
    /// The values of a variable; None if it may have any.
    pub fn get(&self, var: Var) -> Option<&Values> {
        find(self.0.as_ref()?, key(var))
    }

    /// The variables that are bounded by more than their types.
    pub fn iter(&self) -> impl Iterator<Item = (Var, &Values)> {
        let mut stack: Vec<&Node> = self.0.as_deref().into_iter().collect();
        std::iter::from_fn(move || {
            loop {
                match stack.pop()? {
                    Node::Leaf(key, values) => return Some((var(*key), values)),
                    Node::Branch { left, right, .. } => stack.extend([&**right, &**left]),
                }
            }
        })
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub fn set(&mut self, var: Var, values: Values) {
        if values.is_all() {
            return self.forget(var);
        }
        self.0 = Some(match self.0.take() {
            Some(node) => insert(&node, key(var), values),
            None => Arc::new(Node::Leaf(key(var), values)),
        });
    }

    pub(crate) fn forget(&mut self, var: Var) {
        if let Some(node) = &self.0
            && find(node, key(var)).is_some()
        {
            self.0 = without(node, key(var));
        }
    }

    /// Forgets all variables but these.
    pub(crate) fn keep(&self, mut kept: impl FnMut(Var) -> bool) -> State {
        State(self.0.as_ref().and_then(|node| filter(node, &mut |key| kept(var(key)))))
    }

    /// Is everything that `other` says known here?
    pub(crate) fn within(&self, other: &State) -> bool {
        match (&self.0, &other.0) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(a), Some(b)) => within(a, b),
        }
    }

    pub(crate) fn join(&self, other: &State) -> State {
        self.merge(other, &mut |_, a, b| a.join(b))
    }

    /// Joins, and widens the variables that change.
    pub(crate) fn widen(&self, newer: &State, steps: &[i128], changes: impl Fn(Var) -> bool) -> State {
        self.merge(newer, &mut |key, a, b| if changes(var(key)) { a.widen(b, steps) } else { a.join(b) })
    }

    fn merge(&self, other: &State, combine: &mut Combine<'_>) -> State {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => State(merge(a, b, combine)),
            _ => State(None),
        }
    }
}

fn prefix(key: u32, bit: u8) -> u32 {
    // The highest bit has nothing above it.
    key.checked_shr(u32::from(bit) + 1).unwrap_or(0)
}

fn on_right(key: u32, bit: u8) -> bool {
    key >> bit & 1 == 1
}

/// Some key of the node: all have the same bits above the branching one.
fn example(node: &Node) -> u32 {
    match node {
        Node::Leaf(key, _) => *key,
        Node::Branch { prefix, bit, .. } => prefix.checked_shl(u32::from(*bit) + 1).unwrap_or(0),
    }
}

fn find(mut node: &Arc<Node>, key: u32) -> Option<&Values> {
    loop {
        match &**node {
            Node::Leaf(found, values) => return (*found == key).then_some(values),
            Node::Branch { prefix: p, bit, left, right } => {
                if prefix(key, *bit) != *p {
                    return None;
                }
                node = if on_right(key, *bit) { right } else { left };
            }
        }
    }
}

/// Two nodes whose keys differ in a bit above those that either branches on.
fn fork(a: Arc<Node>, b: Arc<Node>) -> Arc<Node> {
    let (ka, kb) = (example(&a), example(&b));
    let bit = (31 - (ka ^ kb).leading_zeros().min(31)) as u8;
    let (left, right) = if on_right(ka, bit) { (b, a) } else { (a, b) };
    Arc::new(Node::Branch { prefix: prefix(ka, bit), bit, left, right })
}

fn insert(node: &Arc<Node>, key: u32, values: Values) -> Arc<Node> {
    match &**node {
        Node::Leaf(found, old) if *found == key => {
            if *old == values {
                node.clone()
            } else {
                Arc::new(Node::Leaf(key, values))
            }
        }
        Node::Branch { prefix: p, bit, left, right } if prefix(key, *bit) == *p => {
            let (left, right) = if on_right(key, *bit) {
                (left.clone(), insert(right, key, values))
            } else {
                (insert(left, key, values), right.clone())
            };
            rebuilt(node, Some(left), Some(right)).unwrap_or_else(|| node.clone())
        }
        _ => fork(Arc::new(Node::Leaf(key, values)), node.clone()),
    }
}

/// The node with other children; itself if they are its own.
fn rebuilt(node: &Arc<Node>, l: Option<Arc<Node>>, r: Option<Arc<Node>>) -> Option<Arc<Node>> {
    match (l, r, &**node) {
        (Some(l), Some(r), Node::Branch { prefix, bit, left, right }) => {
            if Arc::ptr_eq(&l, left) && Arc::ptr_eq(&r, right) {
                return Some(node.clone());
            }
            Some(Arc::new(Node::Branch { prefix: *prefix, bit: *bit, left: l, right: r }))
        }
        (l, r, _) => l.or(r),
    }
}

fn without(node: &Arc<Node>, key: u32) -> Option<Arc<Node>> {
    match &**node {
        Node::Leaf(found, _) => (*found != key).then(|| node.clone()),
        Node::Branch { bit, left, right, .. } if on_right(key, *bit) => {
            rebuilt(node, Some(left.clone()), without(right, key))
        }
        Node::Branch { left, right, .. } => rebuilt(node, without(left, key), Some(right.clone())),
    }
}

fn filter(node: &Arc<Node>, kept: &mut dyn FnMut(u32) -> bool) -> Option<Arc<Node>> {
    match &**node {
        Node::Leaf(key, _) => kept(*key).then(|| node.clone()),
        Node::Branch { left, right, .. } => {
            let left = filter(left, kept);
            rebuilt(node, left, filter(right, kept))
        }
    }
}

/// How two nodes lie to each other.
enum Meeting<'n> {
    /// They branch at the same place.
    Same([&'n Arc<Node>; 2], [&'n Arc<Node>; 2]),
    /// All keys of the second are in this child of the first.
    Below(&'n Arc<Node>),
    /// All keys of the first are in this child of the second.
    Above(&'n Arc<Node>),
    Leaves(&'n Values, &'n Values),
    Apart,
}

fn meeting<'n>(a: &'n Node, b: &'n Node) -> Meeting<'n> {
    let child = |node: &'n Node, other: &Node| match node {
        Node::Branch { prefix: p, bit, left, right } if prefix(example(other), *bit) == *p => {
            Some(if on_right(example(other), *bit) { right } else { left })
        }
        _ => None,
    };
    match (a, b) {
        (Node::Leaf(ka, va), Node::Leaf(kb, vb)) if ka == kb => Meeting::Leaves(va, vb),
        (Node::Leaf(..), Node::Leaf(..)) => Meeting::Apart,
        (
            Node::Branch { prefix: pa, bit: ba, left: la, right: ra },
            Node::Branch { prefix: pb, bit: bb, left: lb, right: rb },
        ) if ba == bb => {
            if pa == pb {
                Meeting::Same([la, ra], [lb, rb])
            } else {
                Meeting::Apart
            }
        }
        (Node::Branch { bit: ba, .. }, Node::Branch { bit: bb, .. }) if ba < bb => {
            child(b, a).map_or(Meeting::Apart, Meeting::Above)
        }
        (Node::Leaf(..), Node::Branch { .. }) => child(b, a).map_or(Meeting::Apart, Meeting::Above),
        (Node::Branch { .. }, _) => child(a, b).map_or(Meeting::Apart, Meeting::Below),
    }
}

fn within(a: &Arc<Node>, b: &Arc<Node>) -> bool {
    if Arc::ptr_eq(a, b) {
        return true;
    }
    match meeting(a, b) {
        Meeting::Leaves(va, vb) => va.within(vb),
        Meeting::Same([la, ra], [lb, rb]) => within(la, lb) && within(ra, rb),
        Meeting::Below(child) => within(child, b),
        // The second has a key that the first has not.
        Meeting::Above(_) | Meeting::Apart => false,
    }
}

fn merge(a: &Arc<Node>, b: &Arc<Node>, combine: &mut Combine<'_>) -> Option<Arc<Node>> {
    if Arc::ptr_eq(a, b) {
        return Some(a.clone());
    }
    match meeting(a, b) {
        Meeting::Leaves(va, vb) => {
            let values = combine(example(a), va, vb);
            if values.is_all() {
                None
            } else if values == *va {
                Some(a.clone())
            } else {
                Some(Arc::new(Node::Leaf(example(a), values)))
            }
        }
        Meeting::Same([la, ra], [lb, rb]) => {
            let left = merge(la, lb, combine);
            rebuilt(a, left, merge(ra, rb, combine))
        }
        Meeting::Below(child) => merge(child, b, combine),
        Meeting::Above(child) => merge(a, child, combine),
        Meeting::Apart => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::IntType;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Model = BTreeMap<u32, (i128, i128)>;

    const BYTE: IntType = IntType::new(8, true);

    fn state(model: &Model) -> State {
        let mut state = State::default();
        for (k, (low, high)) in model {
            state.set(var(*k), Values::between(BYTE, *low, *high).expect("an interval"));
        }
        state
    }

    fn model(state: &State) -> Model {
        state.iter().map(|(v, values)| (key(v), (values.low(), values.high()))).collect()
    }

    fn models() -> impl Strategy<Value = Model> {
        let key = prop_oneof![0u32..6, any::<u32>()];
        prop::collection::btree_map(key, (-100i128..0, 10i128..100), 0..8)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn behaves_like_a_map(a in models(), b in models(), gone in any::<prop::sample::Index>()) {
            let (sa, sb) = (state(&a), state(&b));
            prop_assert_eq!(model(&sa), a.clone());
            let both = a.iter().filter_map(|(k, (l, h))| {
                let (l2, h2) = b.get(k)?;
                Some((*k, (*l.min(l2), *h.max(h2))))
            });
            let both: Model = both.collect();
            let joined = sa.join(&sb);
            prop_assert_eq!(model(&joined), both);
            prop_assert!(sa.within(&joined) && sb.within(&joined));
            let includes = b.iter().all(|(k, (l, h))| a.get(k).is_some_and(|(l2, h2)| l <= l2 && h2 <= h));
            prop_assert_eq!(sa.within(&sb), includes);
            if !a.is_empty() {
                let k = *a.keys().nth(gone.index(a.len())).expect("a key");
                let (mut rest, mut smaller) = (a.clone(), sa.clone());
                rest.remove(&k);
                smaller.forget(var(k));
                prop_assert_eq!(model(&smaller), rest.clone());
                prop_assert_eq!(model(&sa.keep(|v| key(v) != k)), rest);
                prop_assert!(smaller.get(var(k)).is_none() && sa.get(var(k)).is_some());
            }
        }
    }
}
