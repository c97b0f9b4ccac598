//! Two versions of a program, with the facts that comparisons need of both.
//!
//! Each fact is derived when it is first needed, and once: whoever compares functions of the two versions shares
//! them. Functions are matched here, by name, for all who have to prove something about them. ([`crate::compare`]
//! also finds what was renamed, for people.)

use ir::fingerprint::Fingerprints;
use ir::{Body, CallGraph, FuncId, Program};
use std::sync::OnceLock;

pub struct Pair<'p> {
    pub old: &'p Program,
    pub new: &'p Program,
    prints: [OnceLock<Fingerprints>; 2],
    graphs: [OnceLock<CallGraph>; 2],
}

impl<'p> Pair<'p> {
    pub fn new(old: &'p Program, new: &'p Program) -> Pair<'p> {
        Pair { old, new, prints: Default::default(), graphs: Default::default() }
    }

    pub fn programs(&self) -> [&'p Program; 2] {
        [self.old, self.new]
    }

    /// Of the old version and of the new one.
    pub fn prints(&self) -> [&Fingerprints; 2] {
        [0, 1].map(|i: usize| self.prints[i].get_or_init(|| Fingerprints::compute(self.programs()[i])))
    }

    pub fn graphs(&self) -> [&CallGraph; 2] {
        [0, 1].map(|i: usize| self.graphs[i].get_or_init(|| CallGraph::of(self.programs()[i])))
    }

    /// The function of the new version with the name of one of the old version.
    pub fn successor(&self, old: FuncId) -> Option<FuncId> {
        self.new.find_function(&self.old.function(old).name)
    }

    /// The function of the old version with the name of one of the new version, if both have bodies or none has.
    pub fn predecessor(&self, new: FuncId) -> Option<FuncId> {
        let function = self.new.function(new);
        let id = self.old.find_function(&function.name)?;
        let fits = matches!(
            (&self.old.function(id).body, &function.body),
            (Body::Defined(_), Body::Defined(_)) | (Body::Extern, Body::Extern)
        );
        fits.then_some(id)
    }

    /// Do both do the same, with all that they run into, from equal states?
    pub fn same(&self, old: FuncId, new: FuncId) -> bool {
        let [a, b] = self.prints();
        a.function(old).global == b.function(new).global
    }

    /// The same, for runs that start with what globals hold at first.
    pub fn same_from_start(&self, old: FuncId, new: FuncId) -> bool {
        let [a, b] = self.prints();
        a.entry(self.old, old) == b.entry(self.new, new)
    }

    /// Is the same written in both, whatever they call?
    pub fn same_text(&self, old: FuncId, new: FuncId) -> bool {
        let [a, b] = self.prints();
        a.function(old).local == b.function(new).local
    }

    /// Can one be called where the other is, with arguments that are counted?
    pub fn same_signature(&self, old: FuncId, new: FuncId) -> bool {
        let (f, g) = (self.old.function(old), self.new.function(new));
        f.ret == g.ret && f.param_types().eq(g.param_types()) && !f.variadic && !g.variadic
    }
}
