//! Which declaration a name means. Each name space is a table by symbol that holds the innermost binding;
//! leaving a scope undoes what it bound.

use crate::hir::{FuncId, GlobalId, LocalId};
use crate::types::{EnumId, QualType, RecordId, TypeId};
use base::{Span, Symbol};

#[derive(Clone, Copy, Debug)]
pub(super) enum Binding {
    Typedef {
        ty: QualType,
        /// `aligned` on the typedef: replaces the type's alignment wherever the typedef is named.
        align: Option<u64>,
    },
    Local(LocalId),
    Global(GlobalId),
    Function(FuncId),
    Enumerator {
        bits: u128,
        ty: TypeId,
    },
    /// A parameter of a prototype; only good for `sizeof` and the like in later parameters.
    Prototype(QualType),
    /// Already reported.
    Error,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) binding: Binding,
    pub(super) depth: u32,
    pub(super) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Struct(RecordId),
    Union(RecordId),
    Enum(EnumId),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct BoundTag {
    pub(super) tag: Tag,
    pub(super) depth: u32,
}

enum Undo {
    Name(Symbol, Option<Bound>),
    Tag(Symbol, Option<BoundTag>),
}

#[derive(Default)]
pub(super) struct Scopes {
    names: Vec<Option<Bound>>,
    tags: Vec<Option<BoundTag>>,
    undo: Vec<Undo>,
    marks: Vec<usize>,
}

impl Scopes {
    /// 0 at file level.
    pub(super) fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    pub(super) fn enter(&mut self) {
        self.marks.push(self.undo.len());
    }

    pub(super) fn leave(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        for entry in self.undo.drain(mark..).rev() {
            match entry {
                Undo::Name(name, old) => self.names[name.0 as usize] = old,
                Undo::Tag(name, old) => self.tags[name.0 as usize] = old,
            }
        }
    }

    pub(super) fn name(&self, name: Symbol) -> Option<Bound> {
        self.names.get(name.0 as usize).copied().flatten()
    }

    pub(super) fn tag(&self, name: Symbol) -> Option<BoundTag> {
        self.tags.get(name.0 as usize).copied().flatten()
    }

    pub(super) fn bind(&mut self, name: Symbol, binding: Binding, span: Span) {
        let depth = self.depth();
        let slot = slot(&mut self.names, name);
        let old = slot.replace(Bound { binding, depth, span });
        if depth > 0 {
            self.undo.push(Undo::Name(name, old));
        }
    }

    pub(super) fn bind_tag(&mut self, name: Symbol, tag: Tag) {
        let depth = self.depth();
        let slot = slot(&mut self.tags, name);
        let old = slot.replace(BoundTag { tag, depth });
        if depth > 0 {
            self.undo.push(Undo::Tag(name, old));
        }
    }
}

fn slot<T: Copy>(table: &mut Vec<Option<T>>, name: Symbol) -> &mut Option<T> {
    let index = name.0 as usize;
    if index >= table.len() {
        table.resize(index + 1, None);
    }
    &mut table[index]
}

/// What a scope had bound, set aside.
pub(super) struct Suspended {
    names: Vec<(Symbol, Bound)>,
    tags: Vec<(Symbol, BoundTag)>,
}

impl Scopes {
    /// Leaves the scope, but keeps what it bound for [`Scopes::resume`].
    pub(super) fn suspend(&mut self) -> Suspended {
        let mark = self.marks.last().copied().unwrap_or(0);
        let mut kept = Suspended { names: Vec::new(), tags: Vec::new() };
        for entry in &self.undo[mark..] {
            match entry {
                Undo::Name(name, _) => kept.names.extend(self.name(*name).map(|b| (*name, b))),
                Undo::Tag(name, _) => kept.tags.extend(self.tag(*name).map(|b| (*name, b))),
            }
        }
        self.leave();
        kept
    }

    pub(super) fn resume(&mut self, kept: Suspended) {
        self.enter();
        for (name, bound) in kept.names {
            self.bind(name, bound.binding, bound.span);
        }
        for (name, bound) in kept.tags {
            self.bind_tag(name, bound.tag);
        }
    }
}
