//! The canonical forms of everything in a program: what fingerprints are made of, and what two versions are
//! compared by.

use super::canonical::Canonical;
use super::encode::Encoder;
use super::{Fingerprint, Symbol};
use crate::calls::CallGraph;
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
    /// For each call through a pointer, in the order of `canonical.edges`: an index into [`Forms::target_sets`].
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
        let mut sets =
            Sets { program, calls: CallGraph::of(program), index: FxHashMap::default(), list: Vec::new() };
        let functions = program.function_ids().map(|id| FunctionForm::new(id, &mut sets)).collect();
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

    fn new(id: FuncId, sets: &mut Sets) -> FunctionForm {
        let (whole, forest, loops) = Canonical::function_and_loops(sets.program.function(id));
        let whole = sets.form(id, whole);
        let loops = loops.into_iter().map(|l| sets.form(id, l)).collect();
        FunctionForm { whole, forest, loops }
    }
}

impl GlobalForm {
    fn new(global: &Global, target: &Target) -> GlobalForm {
        let mut out = Encoder::new(&[]);
        out.init(global, target);
        let (init, found) = out.finish();
        GlobalForm { init, symbols: found.symbols }
    }
}

/// Numbers the sets of functions that calls through pointers may run.
struct Sets<'a> {
    program: &'a Program,
    calls: CallGraph,
    index: FxHashMap<Vec<FuncId>, u32>,
    list: Vec<TargetSet>,
}

impl Sets<'_> {
    fn form(&mut self, owner: FuncId, canonical: Canonical) -> FragmentForm {
        let sites = canonical.edges.iter().filter_map(|edge| self.calls.site(owner, *edge));
        let mut indirect = Vec::new();
        for site in sites.filter(|site| site.indirect) {
            let next = self.list.len() as u32;
            let index = *self.index.entry(site.targets.clone()).or_insert(next);
            if index == next {
                let mut targets = site.targets.clone();
                targets.sort_by_key(|f| &self.program.function(*f).name);
                self.list.push(TargetSet { targets });
            }
            indirect.push(index);
        }
        FragmentForm { canonical, indirect }
    }
}
