//! Global fingerprints: a hash over everything a fragment can run into.
//!
//! One graph holds all dependencies: functions depend on what they call, on the globals they name and on the
//! sets of functions they may call through pointers; those sets depend on their members; constant globals
//! depend on the globals that their content points to. Taking a function's address is no dependency on its
//! body: who calls through a pointer depends on all that the pointer may hold. `graph` says how it is hashed.

use super::forms::FragmentForm;
use super::graph::{Graph, Vertex, dependencies};
use super::names::{Names, Source};
use super::{Fingerprint, Forms, FragmentPrint, Hasher};
use crate::loops::LoopId;
use crate::program::{FuncId, GlobalId, Program};
use crate::types::Target;

pub struct Fingerprints {
    forms: Forms,
    functions: Vec<FragmentPrint>,
    loops: Vec<Vec<FragmentPrint>>,
    program: Fingerprint,
    graph: Graph,
    numbering: Numbering,
    /// By global: all of it, the initial value included.
    globals: Vec<Fingerprint>,
    key: Fingerprint,
}

impl Fingerprints {
    pub fn compute(program: &Program) -> Fingerprints {
        let forms = Forms::new(program);
        let names = Names::new(program, &forms);
        let numbering = Numbering { functions: program.functions.len(), globals: program.globals.len() };
        let graph = numbering.graph(program, &forms);
        let own: Vec<Fingerprint> = graph.vertices().iter().map(|v| names.own(*v)).collect();
        let deep = graph.hash(&names, &own);
        let key = key(&program.target);

        let global = |form: &FragmentForm, local: Fingerprint| {
            let mut h = Hasher::new("loop");
            h.print(key);
            h.print(local);
            for dependency in dependencies(form) {
                h.print(deep[numbering.of(dependency)]);
            }
            h.finish()
        };
        let mut functions = Vec::with_capacity(program.functions.len());
        let mut loops = Vec::with_capacity(program.functions.len());
        for (id, form) in program.function_ids().zip(&forms.functions) {
            let index = id.0 as usize;
            functions.push(FragmentPrint { local: own[index], global: function_print(key, deep[index]) });
            let print = |form: &FragmentForm| {
                let local = names.fragment(id, form);
                FragmentPrint { local, global: global(form, local) }
            };
            loops.push(form.loops.iter().map(print).collect());
        }
        let globals: Vec<_> =
            (0..program.globals.len() as u32).map(|g| names.global(GlobalId(g), true)).collect();
        let everything = graph.vertices().iter().filter_map(|vertex| match *vertex {
            Vertex::Function(id) => Some((*vertex, deep[id.0 as usize])),
            Vertex::Global(id) => Some((*vertex, globals[id.0 as usize])),
            Vertex::TargetSet(_) => None,
        });
        let program = names.list(key, everything);
        Fingerprints { forms, functions, loops, program, graph, numbering, globals, key }
    }

    pub fn function(&self, id: FuncId) -> FragmentPrint {
        self.functions[id.0 as usize]
    }

    pub fn loop_(&self, function: FuncId, id: LoopId) -> FragmentPrint {
        self.loops[function.0 as usize][id.0 as usize]
    }

    /// All loops of a function, by [`LoopId`].
    pub fn loops(&self, id: FuncId) -> &[FragmentPrint] {
        &self.loops[id.0 as usize]
    }

    /// The whole program: all functions, all globals with their initial values.
    pub fn program(&self) -> Fingerprint {
        self.program
    }

    /// A run of the program that starts in `entry`: what it can reach, and the initial values of all globals
    /// that come into play.
    pub fn entry(&self, program: &Program, entry: FuncId) -> Fingerprint {
        let names = Names::new(program, &self.forms);
        let global = |id: GlobalId| self.globals[id.0 as usize];
        entry_print(self.function(entry).global, &names, self.key, &self.reached_globals(entry), global)
    }

    /// The canonical forms that the fingerprints were made of.
    pub fn forms(&self) -> &Forms {
        &self.forms
    }

    /// A global, with its initial value.
    pub fn start(&self, id: GlobalId) -> Fingerprint {
        self.globals[id.0 as usize]
    }

    /// The globals that a run from `entry` can touch: by name, or through a pointer in an initial value.
    pub fn reached_globals(&self, entry: FuncId) -> Vec<GlobalId> {
        let mut seen = vec![false; self.graph.vertices().len()];
        let mut stack = vec![entry.0 as usize];
        let mut found = Vec::new();
        while let Some(v) = stack.pop() {
            if std::mem::replace(&mut seen[v], true) {
                continue;
            }
            stack.extend(self.graph.below(v).iter().map(|w| *w as usize));
            if let Vertex::Global(id) = self.graph.vertices()[v] {
                found.push(id);
                let pointed_to = self.forms.global(id).pointed_to();
                stack.extend(pointed_to.map(|target| self.numbering.of(Vertex::Global(target))));
            }
        }
        found
    }
}

/// Of a function, from the hash over all that it reaches.
pub(super) fn function_print(key: Fingerprint, deep: Fingerprint) -> Fingerprint {
    let mut h = Hasher::new("function");
    h.print(key);
    h.print(deep);
    h.finish()
}

/// Of a run, from the fingerprint of its entry and the globals that it can touch.
pub(super) fn entry_print<S: Source>(
    entry: Fingerprint,
    names: &Names<S>,
    key: Fingerprint,
    globals: &[GlobalId],
    print: impl Fn(GlobalId) -> Fingerprint,
) -> Fingerprint {
    let mut h = Hasher::new("entry");
    h.print(entry);
    h.print(names.list(key, globals.iter().map(|id| (Vertex::Global(*id), print(*id)))));
    h.finish()
}

pub(super) fn key(target: &Target) -> Fingerprint {
    let mut h = Hasher::new("key");
    // All fields: a target that differs in any way is another target.
    h.text(&format!("{target:?}"));
    h.finish()
}

/// Vertices are functions, then globals, then target sets.
#[derive(Clone, Copy)]
struct Numbering {
    functions: usize,
    globals: usize,
}

impl Numbering {
    fn of(self, vertex: Vertex) -> usize {
        match vertex {
            Vertex::Function(id) => id.0 as usize,
            Vertex::Global(id) => self.functions + id.0 as usize,
            Vertex::TargetSet(set) => self.functions + self.globals + set,
        }
    }

    fn graph(self, program: &Program, forms: &Forms) -> Graph {
        let mut graph = Graph::default();
        for (id, form) in program.function_ids().zip(&forms.functions) {
            graph.push(Vertex::Function(id), dependencies(&form.whole).map(|v| self.of(v)));
        }
        for (i, (global, form)) in program.globals.iter().zip(forms.globals.iter()).enumerate() {
            let pointed_to = form.pointed_to().filter(|_| global.constant);
            graph.push(Vertex::Global(GlobalId(i as u32)), pointed_to.map(|g| self.of(Vertex::Global(g))));
        }
        for (i, set) in forms.target_sets.iter().enumerate() {
            graph.push(Vertex::TargetSet(i), set.targets.iter().map(|f| f.0 as usize));
        }
        graph
    }
}
