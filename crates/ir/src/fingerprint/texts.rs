//! What each function says by itself, and where.
//!
//! For keys of things that are made of parts of functions, such as slices: whoever names some edges of a
//! [`Text`] by their places in it, and its print, has said all about them up to the names of locals and the
//! numbers of nodes.

use super::entry::Found;
use super::global::key;
use super::graph::Vertex;
use super::names::{Names, Source};
use super::{Fingerprint, Hasher, Symbol};
use crate::cfa::{EdgeId, NodeId};
use crate::program::{Body, FuncId, GlobalId, Program};
use rustc_hash::FxHashSet;

/// Those of all functions that a run from an entry can reach.
pub struct Texts {
    functions: Vec<Option<Text>>,
}

pub struct Text {
    /// Of what is written in the function (the local fingerprint), of names and signatures of the functions
    /// that it mentions, and of the globals that it can lead to, with their initial values.
    pub print: Fingerprint,
    /// In canonical order; what cannot be reached is absent, and so are skips.
    pub nodes: Vec<NodeId>,
    pub edges: Vec<EdgeId>,
}

impl Texts {
    pub fn of(program: &Program, entry: FuncId) -> Texts {
        let (found, _) = Found::of(program, entry);
        let names = Names::new(program, &found);
        let mut functions: Vec<Option<Text>> = program.functions.iter().map(|_| None).collect();
        for id in found.functions() {
            let form = found.whole(id);
            let mut h = Hasher::new("text");
            h.print(key(&program.target));
            h.print(names.fragment(id, form));
            signature(&mut h, program, id);
            for symbol in &form.canonical.symbols {
                if let Symbol::Function(g) = symbol {
                    signature(&mut h, program, *g);
                }
            }
            let globals = globals(&found, &form.canonical.symbols);
            let globals = globals.into_iter().map(|g| (Vertex::Global(g), names.global(g, true)));
            h.print(names.list(key(&program.target), globals));
            let (nodes, edges) = (form.canonical.nodes.clone(), form.canonical.edges.clone());
            functions[id.0 as usize] = Some(Text { print: h.finish(), nodes, edges });
        }
        Texts { functions }
    }

    /// None if no run reaches it.
    pub fn function(&self, f: FuncId) -> Option<&Text> {
        self.functions.get(f.0 as usize)?.as_ref()
    }
}

/// What is known of a function without looking into it.
fn signature(h: &mut Hasher, program: &Program, f: FuncId) {
    let Some(function) = program.functions.get(f.0 as usize) else { return };
    h.number(function.params as usize);
    for ty in function.param_types().chain(function.ret) {
        h.text(&ty.to_string());
    }
    let body = match &function.body {
        Body::Defined(_) => 0,
        Body::Extern => 1,
        Body::Poisoned { .. } => 2,
    };
    [function.ret.is_some() as usize, function.variadic as usize, function.havocs as usize, body]
        .into_iter()
        .for_each(|n| h.number(n));
}

/// The globals among these, and those that their initial values lead to.
fn globals(found: &Found, symbols: &[Symbol]) -> Vec<GlobalId> {
    let global = |symbol: &Symbol| match symbol {
        Symbol::Global(id) => Some(*id),
        Symbol::Function(_) => None,
    };
    let mut list: Vec<GlobalId> = symbols.iter().filter_map(global).collect();
    let mut seen: FxHashSet<GlobalId> = list.iter().copied().collect();
    let mut next = 0;
    while let Some(&id) = list.get(next) {
        next += 1;
        list.extend(found.global(id).pointed_to().filter(|to| seen.insert(*to)));
    }
    list
}
