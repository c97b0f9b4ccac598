//! Which names are typedefs, by scope. Nothing else about names matters to the grammar.
//!
//! Declarations of other names are only recorded where they hide a typedef, so the common case costs one
//! lookup.

use base::Symbol;

#[derive(Default)]
pub(super) struct Scopes {
    /// By symbol.
    is_typedef: Vec<bool>,
    /// What to restore, innermost last.
    undo: Vec<(Symbol, bool)>,
    /// Length of `undo` at the start of each open scope.
    marks: Vec<usize>,
}

impl Scopes {
    pub(super) fn is_typedef(&self, name: Symbol) -> bool {
        self.is_typedef.get(name.0 as usize).copied().unwrap_or(false)
    }

    pub(super) fn declare(&mut self, name: Symbol, typedef: bool) {
        let old = self.is_typedef(name);
        if old == typedef {
            return;
        }
        let index = name.0 as usize;
        if index >= self.is_typedef.len() {
            self.is_typedef.resize(index + 1, false);
        }
        self.is_typedef[index] = typedef;
        if !self.marks.is_empty() {
            self.undo.push((name, old));
        }
    }

    pub(super) fn enter(&mut self) {
        self.marks.push(self.undo.len());
    }

    pub(super) fn leave(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        for (name, old) in self.undo.drain(mark..).rev() {
            self.is_typedef[name.0 as usize] = old;
        }
    }
}
