//! What functions, globals and sets of functions are called and what they contain by themselves, without what
//! they depend on.

use super::forms::{FragmentForm, GlobalForm, is_literal};
use super::graph::Vertex;
use super::{Fingerprint, Forms, Hasher, Symbol};
use crate::program::{Body, FuncId, GlobalId, Program, Storage};

/// Canonical forms, of all that is asked for.
pub(super) trait Source {
    fn whole(&self, id: FuncId) -> &FragmentForm;
    fn global(&self, id: GlobalId) -> &GlobalForm;
    /// Sorted by name.
    fn targets(&self, set: usize) -> &[FuncId];
    /// Those that there are forms of.
    fn globals(&self) -> impl Iterator<Item = GlobalId>;
}

impl Source for Forms {
    fn whole(&self, id: FuncId) -> &FragmentForm {
        &self.function(id).whole
    }

    fn global(&self, id: GlobalId) -> &GlobalForm {
        self.global(id)
    }

    fn targets(&self, set: usize) -> &[FuncId] {
        &self.target_sets[set].targets
    }

    fn globals(&self) -> impl Iterator<Item = GlobalId> {
        (0..self.globals.len() as u32).map(GlobalId)
    }
}

/// What vertices are called and what they contain by themselves.
pub(super) struct Names<'a, S> {
    program: &'a Program,
    forms: &'a S,
    /// By global, if there is a form of it: what stands for it in the fragments that name it.
    tokens: Vec<Fingerprint>,
}

impl<'a, S: Source> Names<'a, S> {
    pub fn new(program: &'a Program, forms: &'a S) -> Self {
        let mut tokens = vec![Fingerprint([0; 32]); program.globals.len()];
        for id in forms.globals() {
            let global = program.global(id);
            let mut h;
            if is_literal(global) {
                h = Hasher::new("literal");
                storage(&mut h, global.storage);
                h.print(forms.global(id).init);
            } else {
                h = Hasher::new("global name");
                h.text(&global.name);
            }
            tokens[id.0 as usize] = h.finish();
        }
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
    pub fn fragment(&self, owner: FuncId, form: &FragmentForm) -> Fingerprint {
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

    pub fn global(&self, id: GlobalId, with_init: bool) -> Fingerprint {
        let global = self.program.global(id);
        let form = self.forms.global(id);
        let mut h = Hasher::new("global");
        storage(&mut h, global.storage);
        h.number(global.constant as usize);
        h.number(global.external as usize);
        if with_init || global.constant {
            h.print(form.init);
            self.symbols(&mut h, &form.symbols, None);
        }
        h.finish()
    }

    pub fn own(&self, vertex: Vertex) -> Fingerprint {
        match vertex {
            Vertex::Function(id) => self.fragment(id, self.forms.whole(id)),
            Vertex::Global(id) => self.global(id, false),
            Vertex::TargetSet(set) => {
                let mut h = Hasher::new("targets");
                for target in self.forms.targets(set) {
                    h.text(&self.program.function(*target).name);
                }
                h.finish()
            }
        }
    }

    pub fn name(&self, vertex: Vertex) -> Fingerprint {
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
    pub fn list(&self, key: Fingerprint, all: impl Iterator<Item = (Vertex, Fingerprint)>) -> Fingerprint {
        let mut list: Vec<_> = all
            .filter_map(|(vertex, print)| match vertex {
                Vertex::Function(_) => Some((0, self.name(vertex), print)),
                Vertex::Global(id) if is_literal(self.program.global(id)) => None,
                Vertex::Global(_) => Some((1, self.name(vertex), print)),
                Vertex::TargetSet(_) => None,
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
