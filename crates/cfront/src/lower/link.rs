//! Linking: which declaration of which unit means which function or global of the program.
//!
//! Names with external linkage are shared by all units; internal ones belong to their unit and get a `file::`
//! prefix only if they would clash. Definitions of the user come first and always; declarations and library
//! models enter the program when something refers to them.
//!
//! `resolve` finds out which declarations belong together, `function` and `global` put what is referred to
//! into the program.

mod function;
mod global;
mod resolve;

use super::{LinkUnit, LowerOptions, Positions, library, print};
use crate::hir::*;
use base::{Diagnostics, SourceMap, Span};
use ir::{Pos, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::Arc;

pub(super) use function::{Signature, parameter_type, signature};

/// Functions that the units use and none of them defines, each once, in order of use.
pub fn undefined_functions(units: &[LinkUnit]) -> Vec<Arc<str>> {
    let defined: FxHashSet<&str> = units
        .iter()
        .flat_map(|u| &u.unit.functions)
        .filter(|f| f.body.is_some() || f.alias.is_some())
        .map(|f| &*f.name)
        .collect();
    let mut seen = FxHashSet::default();
    let mut list = Vec::new();
    for LinkUnit { unit, usage, .. } in units {
        let undefined = |id: &FuncId| {
            let f = &unit.functions[id.0 as usize];
            (f.linkage == Linkage::External && !defined.contains(&*f.name)).then_some(f)
        };
        let called = usage.functions.iter().filter_map(undefined).map(|f| f.name.clone());
        let pointed =
            usage.pointed.iter().filter_map(undefined).map(|f| library::pointer_model(&f.name).into());
        let helpers = print::helpers(unit, &usage.functions);
        list.extend(called.chain(pointed).chain(helpers).filter(|name| seen.insert(name.clone())));
    }
    list
}

type FuncKey = usize;
type GlobalKey = usize;

/// One function of the program, seen from all units.
struct FuncEntity {
    name: Arc<str>,
    /// The definition, or else the first declaration (with a prototype, if there is one).
    site: (usize, FuncId),
    defined: bool,
    is_model: bool,
    /// Declared with another type than the library's function of this name: it is not that function.
    foreign: bool,
    ir: Option<ir::FuncId>,
}

struct GlobalEntity {
    name: Arc<str>,
    site: (usize, GlobalId),
    rank: DefinitionRank,
    /// Some unit takes its address, or units disagree about its type.
    in_memory: bool,
    /// Under this name or another.
    external: bool,
    size: u64,
    ir: Option<ir::GlobalId>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum DefinitionRank {
    Declared,
    Tentative,
    Defined,
}

struct UnitLinks {
    functions: Vec<FuncKey>,
    globals: Vec<GlobalKey>,
}

pub(crate) struct Linked<'a> {
    pub units: &'a [LinkUnit],
    pub sources: &'a SourceMap,
    pub options: &'a LowerOptions,
    pub program: Program,
    links: Vec<UnitLinks>,
    functions: Vec<FuncEntity>,
    globals: Vec<GlobalEntity>,
    strings: FxHashMap<Vec<u8>, ir::GlobalId>,
    positions: Positions,
    /// Functions whose bodies are still to be lowered.
    pending: VecDeque<FuncKey>,
    shared_names: FxHashSet<Arc<str>>,
    prefixed_names: FxHashSet<Arc<str>>,
    /// Functions with external linkage, by name; and those of models that the program means something else
    /// by.
    external: FxHashMap<Arc<str>, FuncKey>,
    hidden: FxHashMap<Arc<str>, FuncKey>,
    /// What the addresses of functions that are operations lead to.
    pub(super) wrappers: FxHashMap<Arc<str>, ir::FuncId>,
    /// Those that were defined without saying what they take.
    pub(super) unprototyped: FxHashSet<ir::FuncId>,
    /// What inline assembly that writes memory calls.
    pub(super) assembly: Option<ir::FuncId>,
    /// Functions in which an order of evaluation matters that C leaves open.
    pub(super) unordered: FxHashSet<(usize, FuncId)>,
}

impl<'a> Linked<'a> {
    pub fn new(
        units: &'a [LinkUnit],
        sources: &'a SourceMap,
        options: &'a LowerOptions,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let mut linked = Linked {
            units,
            sources,
            options,
            program: Program {
                target: options.target,
                files: vec![],
                globals: Arc::default(),
                functions: vec![],
            },
            links: Vec::new(),
            functions: Vec::new(),
            globals: Vec::new(),
            strings: FxHashMap::default(),
            positions: Positions::default(),
            pending: VecDeque::new(),
            shared_names: FxHashSet::default(),
            prefixed_names: FxHashSet::default(),
            external: FxHashMap::default(),
            hidden: FxHashMap::default(),
            wrappers: FxHashMap::default(),
            unprototyped: FxHashSet::default(),
            assembly: None,
            unordered: FxHashSet::default(),
        };
        linked.resolve_functions(diagnostics);
        linked.resolve_globals(diagnostics);
        linked.resolve_aliases();
        linked.find_shared_names();
        library::unknown_primitives(units, diagnostics);
        linked.unordered = linked.unordered_functions();
        linked
    }

    pub fn lower_all(&mut self) {
        let units = self.units;
        // Names first, so that the numbering follows the source and clashes are known.
        for (u, unit) in units.iter().enumerate().filter(|(_, unit)| !unit.is_model) {
            for i in 0..unit.unit.globals.len() {
                let key = self.links[u].globals[i];
                let entity = &self.globals[key];
                if entity.rank != DefinitionRank::Declared && entity.site == (u, GlobalId(i as u32)) {
                    self.global(u, GlobalId(i as u32));
                }
            }
            for i in 0..unit.unit.functions.len() {
                let key = self.links[u].functions[i];
                let entity = &self.functions[key];
                if entity.defined && entity.site == (u, FuncId(i as u32)) {
                    self.function(u, FuncId(i as u32));
                }
            }
        }
        while let Some(key) = self.pending.pop_front() {
            self.lower_function(key);
        }
    }

    pub fn pos(&mut self, span: Span) -> Pos {
        self.positions.pos(self.sources, span, &mut self.program.files)
    }

    pub(super) fn function_count(&self) -> usize {
        self.functions.len()
    }

    /// The number of a function among those of all units.
    pub(super) fn function_key(&self, unit: usize, id: FuncId) -> usize {
        self.links[unit].functions[id.0 as usize]
    }

    fn entity(&self, unit: usize, id: FuncId) -> &FuncEntity {
        &self.functions[self.function_key(unit, id)]
    }

    /// The number of a global among those of all units, and whether it is in memory.
    pub(super) fn global_key(&self, unit: usize, id: GlobalId) -> (usize, bool) {
        let key = self.links[unit].globals[id.0 as usize];
        (key, self.globals[key].in_memory)
    }

    /// Does the program (or a linked model) define the function?
    pub fn is_defined(&self, unit: usize, id: FuncId) -> bool {
        self.entity(unit, id).defined
    }

    pub fn is_model_unit(&self, unit: usize) -> bool {
        self.units[unit].is_model
    }

    /// Is a model of ours what the function does?
    pub fn is_modelled(&self, unit: usize, id: FuncId) -> bool {
        let entity = self.entity(unit, id);
        entity.defined && entity.is_model
    }

    /// Does the function only share its name with one of the library?
    pub fn is_foreign(&self, unit: usize, id: FuncId) -> bool {
        self.entity(unit, id).foreign
    }

    /// Does the program itself call, or point to, a function with external linkage of this name?
    pub fn is_called(&self, name: &str) -> bool {
        let used = |unit: &LinkUnit| {
            let functions = &unit.unit.functions;
            unit.usage.functions.iter().any(|id| &*functions[id.0 as usize].name == name)
        };
        self.units.iter().any(used)
    }

    /// Does the program itself look at `errno`? What models do to it is of no interest otherwise.
    pub fn uses_errno(&self) -> bool {
        let location =
            |f: &FuncId, unit: &LinkUnit| &*unit.unit.functions[f.0 as usize].name == "__errno_location";
        let uses = |unit: &LinkUnit| unit.usage.functions.iter().any(|f| location(f, unit));
        self.units.iter().any(|unit| !unit.is_model && uses(unit))
    }

    /// A function of a model, if that was linked.
    pub fn model_function(&mut self, name: &str) -> Option<ir::FuncId> {
        let key = self.hidden.get(name).or_else(|| self.external.get(name)).copied()?;
        let entity = &self.functions[key];
        let (unit, id) = entity.site;
        (entity.defined && entity.is_model).then(|| self.function(unit, id))
    }

    /// Does the function, as the program knows it, say what it takes?
    pub fn has_prototype(&self, unit: usize, id: FuncId) -> bool {
        resolve::has_prototype(self.units, self.entity(unit, id).site)
    }

    /// The name in the program: a name that several entities bear is given plain to the external one only.
    fn unique_name(&mut self, name: Arc<str>, linkage: Linkage, span: Span) -> Arc<str> {
        let shared = self.shared_names.contains(&name);
        if !shared || linkage == Linkage::External {
            return name;
        }
        let file = self.sources.locate(span.lo).map_or("".into(), |l| l.file);
        let base = ir::names::qualified(&file, &name);
        let mut candidates = (1u64..).map(|n| Arc::<str>::from(ir::names::numbered(&base, n)));
        candidates.find(|candidate| self.prefixed_names.insert(candidate.clone())).unwrap_or(name)
    }
}
