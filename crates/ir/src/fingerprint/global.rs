//! Global fingerprints: a hash over everything a fragment can run into.
//!
//! One graph holds all dependencies: functions depend on what they call, on the globals they name and on the sets
//! of functions they may call through pointers; those sets depend on their members; constant globals depend on the
//! globals that their content points to. Taking a function's address is no dependency on its body: who calls
//! through a pointer depends on all that the pointer may hold.
//!
//! Strongly connected components are hashed from the leaves up. In a component of several members every member is
//! referred to by name from another one, so names identify them and sorting by name is a canonical order. Each
//! member's hash covers its own content and the whole component.

use super::forms::{FragmentForm, is_literal};
use super::{Fingerprint, Forms, FragmentPrint, Hasher, SEMANTICS_VERSION, Symbol};
use crate::loops::LoopId;
use crate::program::{Body, FuncId, GlobalId, Program, Storage};
use crate::types::Target;

pub struct Fingerprints {
    forms: Forms,
    functions: Vec<FragmentPrint>,
    loops: Vec<Vec<FragmentPrint>>,
    program: Fingerprint,
    graph: Graph,
    /// By global: all of it, the initial value included.
    globals: Vec<Fingerprint>,
    key: Fingerprint,
    deep: Vec<Fingerprint>,
}

impl Fingerprints {
    /// `options` is whatever else the caller's answers depend on.
    pub fn compute(program: &Program, options: &[u8]) -> Fingerprints {
        let forms = Forms::new(program);
        let names = Names::new(program, &forms);
        let graph = Graph::new(program, &forms);
        let own: Vec<Fingerprint> = (0..graph.len()).map(|v| names.own(graph.vertex(v))).collect();
        let deep = graph.hash(&own, &names);
        let key = key(&program.target, options);

        let global = |form: &FragmentForm, local: Fingerprint| {
            let mut h = Hasher::new("loop");
            h.print(key);
            h.print(local);
            for dependency in graph.dependencies(form) {
                h.print(deep[dependency]);
            }
            h.finish()
        };
        let mut functions = Vec::with_capacity(program.functions.len());
        let mut loops = Vec::with_capacity(program.functions.len());
        for (id, form) in program.function_ids().zip(&forms.functions) {
            let index = id.0 as usize;
            let mut h = Hasher::new("function");
            h.print(key);
            h.print(deep[index]);
            functions.push(FragmentPrint { local: own[index], global: h.finish() });
            let print = |form: &FragmentForm| {
                let local = names.fragment(id, form);
                FragmentPrint { local, global: global(form, local) }
            };
            loops.push(form.loops.iter().map(print).collect());
        }
        let globals: Vec<_> =
            (0..program.globals.len() as u32).map(|g| names.global(GlobalId(g), true)).collect();
        let everything = program.function_ids().map(Symbol::Function);
        let everything =
            everything.chain((0..program.globals.len() as u32).map(|g| Symbol::Global(GlobalId(g))));
        let program = names.list(key, everything, |symbol| match symbol {
            Symbol::Function(id) => deep[id.0 as usize],
            Symbol::Global(id) => globals[id.0 as usize],
        });
        Fingerprints { forms, functions, loops, program, graph, globals, key, deep }
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

    /// A run of the program that starts in `entry`: what it can reach, and the initial values of all globals that
    /// come into play.
    pub fn entry(&self, program: &Program, entry: FuncId) -> Fingerprint {
        let names = Names::new(program, &self.forms);
        let reached = self.reached_globals(entry).into_iter().map(Symbol::Global);
        let mut h = Hasher::new("entry");
        h.print(self.function(entry).global);
        h.print(names.list(self.key, reached, |symbol| match symbol {
            Symbol::Function(id) => self.deep[id.0 as usize],
            Symbol::Global(id) => self.globals[id.0 as usize],
        }));
        h.finish()
    }

    /// The canonical forms that the fingerprints were made of.
    pub fn forms(&self) -> &Forms {
        &self.forms
    }

    /// The globals that a run from `entry` can touch: by name, or through a pointer in an initial value.
    fn reached_globals(&self, entry: FuncId) -> Vec<GlobalId> {
        let mut seen = vec![false; self.graph.len()];
        let mut stack = vec![entry.0 as usize];
        let mut found = Vec::new();
        while let Some(v) = stack.pop() {
            if std::mem::replace(&mut seen[v], true) {
                continue;
            }
            stack.extend(self.graph.below(v).iter().map(|w| *w as usize));
            if let Vertex::Global(id) = self.graph.vertex(v) {
                found.push(id);
                for symbol in &self.forms.global(id).symbols {
                    if let Symbol::Global(target) = symbol {
                        stack.push(self.graph.global(*target));
                    }
                }
            }
        }
        found
    }
}

fn key(target: &Target, options: &[u8]) -> Fingerprint {
    let mut h = Hasher::new("key");
    h.number(SEMANTICS_VERSION as usize);
    // All fields: a target that differs in any way is another target.
    h.text(&format!("{target:?}"));
    h.bytes(options);
    h.finish()
}

/// What vertices are called and what they contain by themselves.
struct Names<'a> {
    program: &'a Program,
    forms: &'a Forms,
    /// By global: what stands for it in the fragments that name it.
    tokens: Vec<Fingerprint>,
}

impl<'a> Names<'a> {
    fn new(program: &'a Program, forms: &'a Forms) -> Self {
        let token = |(global, form): (&crate::program::Global, &super::GlobalForm)| {
            if is_literal(global) {
                let mut h = Hasher::new("literal");
                storage(&mut h, global.storage);
                h.print(form.init);
                h.finish()
            } else {
                let mut h = Hasher::new("global name");
                h.text(&global.name);
                h.finish()
            }
        };
        let tokens = program.globals.iter().zip(&forms.globals).map(token).collect();
        Names { program, forms, tokens }
    }

    fn symbols(&self, h: &mut Hasher, symbols: &[Symbol], this: Option<FuncId>) {
        h.number(symbols.len());
        for symbol in symbols {
            match symbol {
                Symbol::Function(id) if Some(*id) == this => h.text("self"),
                Symbol::Function(id) => {
                    h.text("function");
                    h.text(self.program.functions.get(id.0 as usize).map_or("", |f| &f.name));
                }
                Symbol::Global(id) => {
                    h.text("global");
                    h.print(self.tokens.get(id.0 as usize).copied().unwrap_or(Fingerprint([0; 32])));
                }
            }
        }
    }

    /// A fragment's local fingerprint.
    fn fragment(&self, owner: FuncId, form: &FragmentForm) -> Fingerprint {
        let mut h = Hasher::new("fragment");
        h.print(form.canonical.shape);
        self.symbols(&mut h, &form.canonical.symbols, Some(owner));
        // Without a body, the name is all that says what a function does.
        let function = self.program.function(owner);
        if let Body::Extern = function.body {
            h.text(&function.name);
        }
        h.finish()
    }

    fn global(&self, id: GlobalId, with_init: bool) -> Fingerprint {
        let global = self.program.global(id);
        let form = self.forms.global(id);
        let mut h = Hasher::new("global");
        storage(&mut h, global.storage);
        h.number(global.constant as usize);
        if with_init || global.constant {
            h.print(form.init);
            self.symbols(&mut h, &form.symbols, None);
        }
        h.finish()
    }

    fn own(&self, vertex: Vertex) -> Fingerprint {
        match vertex {
            Vertex::Function(id) => self.fragment(id, &self.forms.function(id).whole),
            Vertex::Global(id) => self.global(id, false),
            Vertex::TargetSet(set) => {
                let mut h = Hasher::new("targets");
                for target in &self.forms.target_sets[set].targets {
                    h.text(&self.program.function(*target).name);
                }
                h.finish()
            }
        }
    }

    fn name(&self, vertex: Vertex) -> Fingerprint {
        let mut h = Hasher::new("name");
        match vertex {
            Vertex::Function(id) => h.text(&self.program.function(id).name),
            Vertex::Global(id) => return self.tokens[id.0 as usize],
            // No two sets have the same members.
            Vertex::TargetSet(_) => return self.own(vertex),
        }
        h.finish()
    }

    /// A set of named things, literals left out: what uses them already covers them.
    fn list(
        &self,
        key: Fingerprint,
        symbols: impl Iterator<Item = Symbol>,
        print: impl Fn(Symbol) -> Fingerprint,
    ) -> Fingerprint {
        let named = symbols.filter(|s| match s {
            Symbol::Global(id) => !is_literal(self.program.global(*id)),
            Symbol::Function(_) => true,
        });
        let mut list: Vec<_> = named
            .map(|s| match s {
                Symbol::Function(id) => (0, self.name(Vertex::Function(id)), print(s)),
                Symbol::Global(id) => (1, self.tokens[id.0 as usize], print(s)),
            })
            .collect();
        list.sort();
        let mut h = Hasher::new("list");
        h.print(key);
        h.number(list.len());
        for (kind, name, print) in list {
            h.number(kind);
            h.print(name);
            h.print(print);
        }
        h.finish()
    }
}

fn storage(h: &mut Hasher, storage: Storage) {
    match storage {
        Storage::Register(ty) => h.text(&ty.to_string()),
        Storage::Memory { size, align } => {
            h.text("memory");
            h.number(size as usize);
            h.number(align as usize);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Vertex {
    Function(FuncId),
    Global(GlobalId),
    TargetSet(usize),
}

/// Vertices are functions, then globals, then target sets.
struct Graph {
    functions: usize,
    globals: usize,
    /// `edges[first[v]..first[v + 1]]` are the vertices that `v` depends on.
    edges: Vec<u32>,
    first: Vec<u32>,
}

impl Graph {
    fn new(program: &Program, forms: &Forms) -> Graph {
        let functions = program.functions.len();
        let globals = program.globals.len();
        let mut graph = Graph { functions, globals, edges: Vec::new(), first: vec![0] };
        for form in &forms.functions {
            let below = graph.dependencies(&form.whole);
            graph.push(below);
        }
        for (global, form) in program.globals.iter().zip(&forms.globals) {
            let pointed_to = form.symbols.iter().filter_map(|s| match s {
                Symbol::Global(id) if global.constant => Some(graph.global(*id)),
                _ => None,
            });
            let below = pointed_to.collect();
            graph.push(below);
        }
        for set in &forms.target_sets {
            graph.push(set.targets.iter().map(|f| f.0 as usize).collect());
        }
        graph
    }

    fn push(&mut self, below: Vec<usize>) {
        self.edges.extend(below.into_iter().map(|v| v as u32));
        self.first.push(self.edges.len() as u32);
    }

    fn len(&self) -> usize {
        self.first.len() - 1
    }

    fn below(&self, v: usize) -> &[u32] {
        &self.edges[self.first[v] as usize..self.first[v + 1] as usize]
    }

    fn global(&self, id: GlobalId) -> usize {
        self.functions + id.0 as usize
    }

    fn vertex(&self, v: usize) -> Vertex {
        if v < self.functions {
            Vertex::Function(FuncId(v as u32))
        } else if v < self.functions + self.globals {
            Vertex::Global(GlobalId((v - self.functions) as u32))
        } else {
            Vertex::TargetSet(v - self.functions - self.globals)
        }
    }

    /// What a fragment depends on, in an order given by its canonical form.
    fn dependencies(&self, form: &FragmentForm) -> Vec<usize> {
        let globals = form.canonical.symbols.iter().filter_map(|s| match s {
            Symbol::Global(id) => Some(self.global(*id)),
            Symbol::Function(_) => None,
        });
        let callees = form.canonical.callees.iter().map(|f| f.0 as usize);
        let sets = form.indirect.iter().map(|s| self.functions + self.globals + *s as usize);
        callees.chain(globals).chain(sets).collect()
    }

    /// The hash of each vertex over all that it reaches.
    fn hash(&self, own: &[Fingerprint], names: &Names) -> Vec<Fingerprint> {
        let (component, members) = self.components();
        let mut deep = vec![Fingerprint([0; 32]); self.len()];
        for (number, members) in members.iter().enumerate() {
            let content = |v: usize, deep: &[Fingerprint]| {
                let mut h = Hasher::new("member");
                h.print(own[v]);
                for w in self.below(v).iter().map(|w| *w as usize) {
                    if component[w] == number as u32 {
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
                members.iter().map(|&v| (names.name(self.vertex(v)), content(v, &deep), v)).collect();
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

    /// Strongly connected components, what they depend on first: Tarjan's algorithm with an explicit stack.
    fn components(&self) -> (Vec<u32>, Vec<Vec<usize>>) {
        const NEW: u32 = u32::MAX;
        let count = self.len();
        let mut component = vec![NEW; count];
        let mut members: Vec<Vec<usize>> = Vec::new();
        let mut order = vec![NEW; count];
        let mut low = vec![0u32; count];
        let mut open = Vec::new();
        let mut next = 0;
        // Vertices being visited, with the position in their list of edges.
        let mut calls: Vec<(usize, u32)> = Vec::new();
        for root in 0..count {
            if order[root] != NEW {
                continue;
            }
            calls.push((root, self.first[root]));
            while let Some((v, position)) = calls.last_mut() {
                let v = *v;
                if order[v] == NEW {
                    order[v] = next;
                    low[v] = next;
                    next += 1;
                    open.push(v);
                }
                if *position < self.first[v + 1] {
                    let w = self.edges[*position as usize] as usize;
                    *position += 1;
                    if order[w] == NEW {
                        calls.push((w, self.first[w]));
                    } else if component[w] == NEW {
                        low[v] = low[v].min(order[w]);
                    }
                    continue;
                }
                calls.pop();
                if let Some((parent, _)) = calls.last() {
                    low[*parent] = low[*parent].min(low[v]);
                }
                if low[v] == order[v] {
                    let start = open.iter().rposition(|w| *w == v).unwrap_or(0);
                    let list: Vec<usize> = open.drain(start..).collect();
                    for w in &list {
                        component[*w] = members.len() as u32;
                    }
                    members.push(list);
                }
            }
        }
        (component, members)
    }
}
