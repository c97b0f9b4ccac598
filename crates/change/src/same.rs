//! Equality of fragments and initial values under a matching.
//!
//! Two fragments are the same if their shapes are equal and their symbols are matched one by one. Programs
//! mean the same under a one-to-one renaming of functions, globals and string literals, so this is exact.
//! Literals are matched on the way, by content and one-to-one: an old literal that two fragments share must
//! not become two different objects in the new version.

use crate::matching::{Matching, Version};
use ir::fingerprint::{FragmentForm, Symbol};
use ir::{FuncId, GlobalId};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Same,
    /// The same but for string literals that are shared differently.
    Literals,
    Different,
}

pub struct Same<'a> {
    pub old: &'a Version<'a>,
    pub new: &'a Version<'a>,
    pub matching: &'a Matching,
    literals: FxHashMap<GlobalId, GlobalId>,
    literals_back: FxHashMap<GlobalId, GlobalId>,
}

impl<'a> Same<'a> {
    pub fn new(old: &'a Version<'a>, new: &'a Version<'a>, matching: &'a Matching) -> Self {
        let (literals, literals_back) = Default::default();
        Same { old, new, matching, literals, literals_back }
    }

    pub fn fragments(&mut self, old: &FragmentForm, new: &FragmentForm) -> Verdict {
        if old.canonical.shape != new.canonical.shape {
            return Verdict::Different;
        }
        self.symbols(&old.canonical.symbols, &new.canonical.symbols)
    }

    pub fn initial_values(&mut self, old: GlobalId, new: GlobalId) -> bool {
        let (old, new) = (self.old.forms.global(old), self.new.forms.global(new));
        old.init == new.init && self.symbols(&old.symbols, &new.symbols) == Verdict::Same
    }

    pub fn functions(&self, old: FuncId, new: FuncId) -> bool {
        self.matching.new_function(old) == Some(new)
    }

    /// Do these two name the same thing? String literals do if their contents are equal.
    pub fn symbol(&self, old: Symbol, new: Symbol) -> bool {
        match (old, new) {
            (Symbol::Function(a), Symbol::Function(b)) => self.functions(a, b),
            (Symbol::Global(a), Symbol::Global(b)) => {
                match (self.old.is_literal(a), self.new.is_literal(b)) {
                    (true, true) => {
                        self.old.program.global(a).storage == self.new.program.global(b).storage
                            && self.old.forms.global(a).init == self.new.forms.global(b).init
                    }
                    (false, false) => self.matching.new_global(a) == Some(b),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn symbols(&mut self, old: &[Symbol], new: &[Symbol]) -> Verdict {
        if old.len() != new.len() || !old.iter().zip(new).all(|(a, b)| self.symbol(*a, *b)) {
            return Verdict::Different;
        }
        for pair in old.iter().zip(new) {
            if let (Symbol::Global(a), Symbol::Global(b)) = pair
                && self.old.is_literal(*a)
                && !self.link(*a, *b)
            {
                return Verdict::Literals;
            }
        }
        Verdict::Same
    }

    fn link(&mut self, old: GlobalId, new: GlobalId) -> bool {
        let forth = *self.literals.entry(old).or_insert(new);
        let back = *self.literals_back.entry(new).or_insert(old);
        forth == new && back == old
    }
}
