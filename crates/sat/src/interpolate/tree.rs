//! The tree of partitions, numbered so that every subtree is an interval.

/// Partitions with their parents. Several roots are allowed.
#[derive(Clone, Debug)]
pub struct Tree {
    parents: Vec<Option<u32>>,
    /// By partition: its position in a walk that visits parents before children and subtrees without
    /// interruption.
    position: Vec<u32>,
    /// By partition: the last position in its subtree.
    last: Vec<u32>,
}

/// The parent links are not a tree: a partition that does not exist, or a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoTree;

impl std::fmt::Display for NoTree {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("the partitions are not a tree")
    }
}

impl std::error::Error for NoTree {}

impl Tree {
    /// By partition: its parent.
    pub fn new(parents: Vec<Option<u32>>) -> Result<Tree, NoTree> {
        let count = parents.len();
        if parents.iter().flatten().any(|&parent| parent as usize >= count) {
            return Err(NoTree);
        }
        // Children as linked lists, in ascending order.
        let (mut child, mut sibling) = (vec![None; count], vec![None; count]);
        for (node, parent) in parents.iter().enumerate().rev() {
            if let Some(parent) = *parent {
                sibling[node] = child[parent as usize].replace(node);
            }
        }
        let (mut position, mut last) = (vec![0; count], vec![0; count]);
        let mut next = 0;
        for root in (0..count).filter(|&node| parents[node].is_none()) {
            let mut open = Some(root);
            while let Some(mut node) = open {
                position[node] = next;
                last[node] = next;
                next += 1;
                open = child[node];
                while open.is_none() {
                    // Done with the subtree of `node`.
                    let Some(parent) = parents[node] else { break };
                    last[parent as usize] = last[node];
                    open = sibling[node];
                    node = parent as usize;
                }
            }
        }
        // Nodes on or below a cycle have no root.
        if next as usize != count { Err(NoTree) } else { Ok(Tree { parents, position, last }) }
    }

    /// A chain: each partition is the only child of the next one.
    pub fn chain(count: u32) -> Tree {
        let parents = (1..=count).map(|next| (next < count).then_some(next)).collect();
        let position = (0..count).rev().collect();
        Tree { parents, position, last: vec![count.saturating_sub(1); count as usize] }
    }

    pub fn len(&self) -> usize {
        self.parents.len()
    }

    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    pub fn parent(&self, node: u32) -> Option<u32> {
        self.parents.get(node as usize).copied().flatten()
    }

    /// Whether `inner` is in the subtree of `node`, which contains `node` itself.
    pub fn contains(&self, node: u32, inner: u32) -> bool {
        let (Some(position), Some(low)) = (self.position(inner), self.position(node)) else { return false };
        low <= position && position <= self.last[node as usize]
    }

    pub(super) fn position(&self, node: u32) -> Option<u32> {
        self.position.get(node as usize).copied()
    }

    /// The first and the last position in the subtree of a node of the tree.
    pub(super) fn span(&self, node: u32) -> (u32, u32) {
        (self.position[node as usize], self.last[node as usize])
    }

    /// Positions in 64 sets of neighbours.
    pub(super) fn bucket(&self, position: u32) -> u32 {
        (u64::from(position) * 64 / (self.len() as u64).max(64)) as u32
    }

    /// The buckets of a subtree.
    pub(super) fn set(&self, node: u32) -> u64 {
        let (low, high) = self.span(node);
        let (low, high) = (self.bucket(low), self.bucket(high));
        (u64::MAX >> (63 - high)) & (u64::MAX << low)
    }
}
