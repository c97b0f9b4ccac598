//! Who depends on whom, and hashes over all that something depends on.
//!
//! Strongly connected components are hashed from the leaves up. In a component of several members every
//! member is referred to by name from another one, so names identify them and sorting by name is a canonical
//! order. Each member's hash covers its own content and the whole component. How vertices are numbered makes
//! no difference.

use super::forms::FragmentForm;
use super::names::{Names, Source};
use super::{Fingerprint, Hasher, Symbol};
use crate::graph::components;
use crate::program::{FuncId, GlobalId};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Vertex {
    Function(FuncId),
    Global(GlobalId),
    TargetSet(usize),
}

#[derive(Default)]
pub(super) struct Graph {
    vertices: Vec<Vertex>,
    /// What each vertex depends on, one after the other.
    edges: Vec<u32>,
    /// By vertex: where its part ends.
    ends: Vec<u32>,
}

/// What a fragment depends on, in an order given by its canonical form.
pub(super) fn dependencies(form: &FragmentForm) -> impl Iterator<Item = Vertex> {
    let globals = form.canonical.symbols.iter().filter_map(|s| match s {
        Symbol::Global(id) => Some(Vertex::Global(*id)),
        Symbol::Function(_) => None,
    });
    let callees = form.canonical.callees.iter().map(|f| Vertex::Function(*f));
    let sets = form.indirect.iter().map(|s| Vertex::TargetSet(*s as usize));
    callees.chain(globals).chain(sets)
}

impl Graph {
    /// Adds a vertex that depends on these.
    pub fn push(&mut self, vertex: Vertex, below: impl Iterator<Item = usize>) {
        self.vertices.push(vertex);
        self.edges.extend(below.map(|v| v as u32));
        self.ends.push(self.edges.len() as u32);
    }

    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    pub fn below(&self, v: usize) -> &[u32] {
        &self.edges[self.start(v) as usize..self.ends[v] as usize]
    }

    fn start(&self, v: usize) -> u32 {
        v.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    /// The hash of each vertex over all that it reaches.
    pub fn hash<S: Source>(&self, names: &Names<S>, own: &[Fingerprint]) -> Vec<Fingerprint> {
        let count = self.vertices.len();
        let members = components(count, 0..count, |v| self.below(v).iter().map(|w| *w as usize));
        let mut component = vec![0; count];
        for (number, members) in members.iter().enumerate() {
            members.iter().for_each(|v| component[*v] = number);
        }
        let mut deep = vec![Fingerprint([0; 32]); self.vertices.len()];
        for (number, members) in members.iter().enumerate() {
            let content = |v: usize, deep: &[Fingerprint]| {
                let mut h = Hasher::new("member");
                h.print(own[v]);
                for w in self.below(v).iter().map(|w| *w as usize) {
                    if component[w] == number {
                        h.text("inside");
                    } else {
                        h.text("below");
                        h.print(deep[w]);
                    }
                }
                h.finish()
            };
            if let [v] = members[..] {
                deep[v] = content(v, &deep);
                continue;
            }
            let mut list: Vec<_> =
                members.iter().map(|&v| (names.name(self.vertices[v]), content(v, &deep), v)).collect();
            list.sort();
            let mut h = Hasher::new("component");
            for (name, content, _) in &list {
                h.print(*name);
                h.print(*content);
            }
            let together = h.finish();
            for (name, _, v) in list {
                let mut h = Hasher::new("member of component");
                h.print(together);
                h.print(name);
                deep[v] = h.finish();
            }
        }
        deep
    }
}
