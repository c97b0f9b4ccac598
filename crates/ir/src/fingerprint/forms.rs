//! The canonical forms of everything in a program: what fingerprints are made of, and what two versions are
//! compared by.

use super::canonical::Canonical;
use super::encode::Encoder;
use super::{Fingerprint, Symbol};
use crate::calls::CallGraph;
use crate::cfa::EdgeId;
use crate::loops::{LoopForest, LoopId};
use crate::program::{FuncId, Global, GlobalId, Init, InitValue, Program, Storage};
use crate::types::Target;
use rustc_hash::FxHashMap;

pub struct Forms {
    /// By [`FuncId`].
    pub functions: Vec<FunctionForm>,
    /// By [`GlobalId`].
    pub globals: Vec<GlobalForm>,
    /// What calls through pointers can reach; no two are equal.
    pub target_sets: Vec<TargetSet>,
}

/// A function or a loop.
pub struct FragmentForm {
    pub canonical: Canonical,
    /// For each call through a pointer, in the order of `canonical.edges`: an index into
    /// [`Forms::target_sets`].
    pub indirect: Vec<u32>,
}

pub struct FunctionForm {
    pub whole: FragmentForm,
    /// None if there is no body.
    pub forest: Option<LoopForest>,
    /// By [`LoopId`].
    pub loops: Vec<FragmentForm>,
}

/// A global's initial value.
pub struct GlobalForm {
    pub init: Fingerprint,
    /// What the initial value points to, by first use.
    pub symbols: Vec<Symbol>,
}

/// The functions that a call through a pointer may run, sorted by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetSet {
    pub targets: Vec<FuncId>,
}

impl Forms {
    pub fn new(program: &Program) -> Forms {
        let calls = CallGraph::of(program);
        let mut sets = Sets::default();
        let functions =
            program.function_ids().map(|id| FunctionForm::new(program, id, &calls, &mut sets)).collect();
        let globals = program.globals.iter().map(|g| GlobalForm::new(g, &program.target)).collect();
        Forms { functions, globals, target_sets: sets.list }
    }

    pub fn function(&self, id: FuncId) -> &FunctionForm {
        &self.functions[id.0 as usize]
    }

    pub fn global(&self, id: GlobalId) -> &GlobalForm {
        &self.globals[id.0 as usize]
    }
}

/// String literals have no name of their own: they count by content.
pub fn is_literal(global: &Global) -> bool {
    let bytes = |init: &Init| init.items.iter().all(|item| matches!(item.value, InitValue::Bytes(_)));
    global.constant
        && global.name.starts_with(".str.")
        && matches!(global.storage, Storage::Memory { .. })
        && global.init.as_ref().is_some_and(bytes)
}

impl FunctionForm {
    pub fn loop_(&self, id: LoopId) -> &FragmentForm {
        &self.loops[id.0 as usize]
    }

    fn new(program: &Program, id: FuncId, calls: &CallGraph, sets: &mut Sets) -> FunctionForm {
        let (whole, forest, loops) = Canonical::function_and_loops(program.function(id));
        let targets = |edge| Some(calls.site(id, edge).filter(|site| site.indirect)?.targets.clone());
        let whole = sets.form(program, whole, targets);
        let loops = loops.into_iter().map(|l| sets.form(program, l, targets)).collect();
        FunctionForm { whole, forest, loops }
    }
}

impl GlobalForm {
    /// The globals among the symbols.
    pub(super) fn pointed_to(&self) -> impl Iterator<Item = GlobalId> {
        self.symbols.iter().filter_map(|s| match s {
            Symbol::Global(id) => Some(*id),
            Symbol::Function(_) => None,
        })
    }

    pub(super) fn new(global: &Global, target: &Target) -> GlobalForm {
        let mut out = Encoder::new(&[]);
        out.init(global, target);
        let (init, found) = out.finish();
        GlobalForm { init, symbols: found.symbols }
    }
}

/// Numbers the sets of functions that calls through pointers may run.
#[derive(Default)]
pub(super) struct Sets {
    index: FxHashMap<Vec<FuncId>, u32>,
    pub list: Vec<TargetSet>,
}

impl Sets {
    /// `targets` says what an edge may call through a pointer, if it does such a thing.
    pub fn form(
        &mut self,
        program: &Program,
        canonical: Canonical,
        targets: impl FnMut(EdgeId) -> Option<Vec<FuncId>>,
    ) -> FragmentForm {
        let mut indirect = Vec::new();
        for mut targets in canonical.edges.iter().copied().filter_map(targets) {
            let next = self.list.len() as u32;
            let index = *self.index.entry(targets.clone()).or_insert(next);
            if index == next {
                targets.sort_by_key(|f| &program.function(*f).name);
                self.list.push(TargetSet { targets });
            }
            indirect.push(index);
        }
        FragmentForm { canonical, indirect }
    }
}
