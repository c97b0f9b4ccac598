//! Loops and how they nest.
//!
//! Every cycle that the entry reaches lies in a loop. A loop is a strongly connected set of nodes with a
//! header, the first of them that a depth-first search from the entry meets; the loops inside it are those of
//! the set without its header. Where the header is the only way in (a natural loop) that is the usual notion.
//! Otherwise the loop is marked `irreducible`, and `entries` has all ways in.
//!
//! The algorithm is Havlak's ("Nesting of Reducible and Irreducible Loops", 1997) with Ramalingam's
//! correction ("Identifying Loops in Almost Linear Time", 1999): headers are handled from the last discovered
//! to the first, a finished loop collapses into its header, and an edge between branches of the search tree
//! waits at the closest common ancestor of its ends, because no loop with a later header can contain it.
//! Nothing recurses.

use crate::cfa::{Cfa, EdgeId, NodeId};

/// An index into [`LoopForest::loops`]; a loop comes before the loops inside it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LoopId(pub u32);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    pub header: NodeId,
    pub parent: Option<LoopId>,
    pub children: Vec<LoopId>,
    /// 1 for outermost loops.
    pub depth: u32,
    /// The edges from inside to the header.
    pub back_edges: Vec<EdgeId>,
    /// The edges from inside to outside.
    pub exits: Vec<EdgeId>,
    /// The nodes where executions can come in; ascending.
    pub entries: Vec<NodeId>,
    /// Are there entries other than the header?
    pub irreducible: bool,
    /// The last loop inside this one (itself if there is none).
    last: LoopId,
    /// Where the body is in `LoopForest::order`.
    body: (u32, u32),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopForest {
    loops: Vec<Loop>,
    innermost: Vec<Option<LoopId>>,
    /// The nodes of all loops, so that each body is one piece.
    order: Vec<NodeId>,
}

impl LoopForest {
    pub fn of(cfa: &Cfa) -> LoopForest {
        let search = Search::of(cfa);
        let parents = header_parents(cfa, &search);
        let mut forest = LoopForest::arrange(cfa, &search, &parents);
        forest.add_edges(cfa, &search);
        forest
    }

    pub fn loops(&self) -> &[Loop] {
        &self.loops
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = LoopId> + use<> {
        (0..self.loops.len() as u32).map(LoopId)
    }

    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id.0 as usize]
    }

    /// The innermost loop around a node; a header is inside its loop.
    pub fn innermost(&self, node: NodeId) -> Option<LoopId> {
        self.innermost.get(node.0 as usize).copied().flatten()
    }

    /// The loop that `node` is the header of.
    pub fn headed_by(&self, node: NodeId) -> Option<LoopId> {
        self.innermost(node).filter(|&id| self.get(id).header == node)
    }

    /// All nodes of a loop, those of inner loops included; the header is the first.
    pub fn body(&self, id: LoopId) -> &[NodeId] {
        let (start, end) = self.get(id).body;
        &self.order[start as usize..end as usize]
    }

    pub fn contains(&self, id: LoopId, node: NodeId) -> bool {
        self.innermost(node).is_some_and(|inner| id <= inner && inner <= self.get(id).last)
    }

    pub fn depth(&self, node: NodeId) -> u32 {
        self.innermost(node).map_or(0, |id| self.get(id).depth)
    }

    /// Numbers the loops so that a loop is followed by all loops inside it, and lays out their bodies.
    fn arrange(cfa: &Cfa, search: &Search, parents: &[u32]) -> LoopForest {
        let mut inner: Vec<Vec<u32>> = vec![Vec::new(); cfa.node_count() as usize];
        let mut outermost = Vec::new();
        for &header in search.order.iter().filter(|&&node| search.is_header(node)) {
            match parents[header as usize] {
                NONE => outermost.push(header),
                parent => inner[parent as usize].push(header),
            }
        }
        let mut loops: Vec<Loop> = Vec::new();
        let mut innermost = vec![None; cfa.node_count() as usize];
        let mut stack: Vec<(u32, Option<LoopId>)> = outermost.iter().rev().map(|&h| (h, None)).collect();
        while let Some((header, parent)) = stack.pop() {
            let id = LoopId(loops.len() as u32);
            innermost[header as usize] = Some(id);
            let depth = match parent {
                Some(parent) => {
                    loops[parent.0 as usize].children.push(id);
                    loops[parent.0 as usize].depth + 1
                }
                None => 1,
            };
            loops.push(Loop {
                header: NodeId(header),
                parent,
                children: Vec::new(),
                depth,
                back_edges: Vec::new(),
                exits: Vec::new(),
                entries: Vec::new(),
                irreducible: false,
                last: id,
                body: (0, 0),
            });
            stack.extend(inner[header as usize].iter().rev().map(|&h| (h, Some(id))));
        }
        let mut own: Vec<Vec<NodeId>> = vec![Vec::new(); loops.len()];
        for &node in &search.order {
            // Headers have their loops; the others are in that of the header around them.
            if innermost[node as usize].is_none() && parents[node as usize] != NONE {
                innermost[node as usize] = innermost[parents[node as usize] as usize];
            }
            if let Some(LoopId(id)) = innermost[node as usize] {
                own[id as usize].push(NodeId(node));
            }
        }
        let mut order = Vec::new();
        for (l, nodes) in loops.iter_mut().zip(own) {
            l.body.0 = order.len() as u32;
            order.extend(nodes);
            l.body.1 = order.len() as u32;
        }
        for i in (0..loops.len()).rev() {
            if let Some(&child) = loops[i].children.last() {
                let child = &loops[child.0 as usize];
                (loops[i].last, loops[i].body.1) = (child.last, child.body.1);
            }
        }
        LoopForest { loops, innermost, order }
    }

    fn add_edges(&mut self, cfa: &Cfa, search: &Search) {
        if let Some(id) = self.innermost(cfa.entry) {
            self.loops[id.0 as usize].entries.push(cfa.entry);
        }
        for (i, edge) in cfa.edges().iter().enumerate() {
            if !search.is_reached(edge.from.0) {
                continue;
            }
            let mut around = self.innermost(edge.to);
            while let Some(id) = around.filter(|&id| !self.contains(id, edge.from)) {
                self.loops[id.0 as usize].entries.push(edge.to);
                around = self.get(id).parent;
            }
            let mut around = self.innermost(edge.from);
            while let Some(id) = around.filter(|&id| !self.contains(id, edge.to)) {
                self.loops[id.0 as usize].exits.push(EdgeId(i as u32));
                around = self.get(id).parent;
            }
            if let Some(id) = self.headed_by(edge.to).filter(|&id| self.contains(id, edge.from)) {
                self.loops[id.0 as usize].back_edges.push(EdgeId(i as u32));
            }
        }
        for l in &mut self.loops {
            l.entries.sort();
            l.entries.dedup();
            l.irreducible = l.entries != [l.header];
        }
    }
}

const NONE: u32 = u32::MAX;

/// Sets that only ever grow into the set of a given member, which stays their representative.
struct Merged(Vec<u32>);

impl Merged {
    fn new(count: usize) -> Merged {
        Merged((0..count as u32).collect())
    }

    fn find(&mut self, x: u32) -> u32 {
        let mut root = x;
        while self.0[root as usize] != root {
            root = self.0[root as usize];
        }
        let mut x = x;
        while self.0[x as usize] != root {
            x = std::mem::replace(&mut self.0[x as usize], root);
        }
        root
    }

    fn merge(&mut self, x: u32, into: u32) {
        self.0[x as usize] = into;
    }
}

/// A depth-first search from the entry, with the edges sorted by kind.
struct Search {
    /// The reached nodes, in the order of their discovery.
    order: Vec<u32>,
    reached: Vec<bool>,
    /// By header: where the edges from below to it start.
    back: Vec<Vec<u32>>,
    /// All other edges, by the closest common ancestor of their ends.
    joining: Vec<Vec<(u32, u32)>>,
}

impl Search {
    fn of(cfa: &Cfa) -> Search {
        let count = cfa.node_count() as usize;
        let mut search = Search {
            order: vec![cfa.entry.0],
            reached: vec![false; count],
            back: vec![Vec::new(); count],
            joining: vec![Vec::new(); count],
        };
        let mut finished = vec![false; count];
        // A finished node is merged into its parent, so it leads to its closest unfinished ancestor.
        let mut merged = Merged::new(count);
        let mut stack = vec![(cfa.entry, 0)];
        search.reached[cfa.entry.0 as usize] = true;
        while let Some((node, next)) = stack.last_mut() {
            let from = node.0;
            let Some(edge) = cfa.out(*node).get(*next) else {
                stack.pop();
                finished[from as usize] = true;
                if let Some((parent, _)) = stack.last() {
                    merged.merge(from, parent.0);
                }
                continue;
            };
            *next += 1;
            let to = edge.to.0;
            if !search.reached[to as usize] {
                search.reached[to as usize] = true;
                search.order.push(to);
                search.joining[from as usize].push((from, to));
                stack.push((edge.to, 0));
            } else if finished[to as usize] {
                search.joining[merged.find(to) as usize].push((from, to));
            } else {
                search.back[to as usize].push(from);
            }
        }
        search
    }

    fn is_header(&self, node: u32) -> bool {
        !self.back[node as usize].is_empty()
    }

    fn is_reached(&self, node: u32) -> bool {
        self.reached[node as usize]
    }
}

/// For each node, the header of the closest loop around it (for a header: around its loop).
fn header_parents(cfa: &Cfa, search: &Search) -> Vec<u32> {
    let count = cfa.node_count() as usize;
    let mut parents = vec![NONE; count];
    let mut collapsed = Merged::new(count);
    let mut preds: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut seen_for = vec![NONE; count];
    for &header in search.order.iter().rev() {
        for &(from, to) in &search.joining[header as usize] {
            preds[collapsed.find(to) as usize].push(from);
        }
        seen_for[header as usize] = header;
        let mut body: Vec<u32> = Vec::new();
        let mut next = 0;
        let mut sources = search.back[header as usize].clone();
        loop {
            for source in sources {
                let node = collapsed.find(source);
                if seen_for[node as usize] != header {
                    seen_for[node as usize] = header;
                    body.push(node);
                }
            }
            let Some(&node) = body.get(next) else { break };
            next += 1;
            sources = std::mem::take(&mut preds[node as usize]);
        }
        for node in body {
            parents[node as usize] = header;
            collapsed.merge(node, header);
        }
    }
    parents
}
