//! Linking: which declaration of which unit means which function or global of the program.
//!
//! Names with external linkage are shared by all units; internal ones belong to their unit and get a `file::`
//! prefix only if they would clash. Definitions of the user come first and always; declarations and library
//! models enter the program when something refers to them.

use super::{LinkUnit, LowerOptions, Positions, function, library, outside, print};
use crate::hir::*;
use crate::type_name::type_to_string;
use crate::types::{FunctionType, TypeId, TypeKind, TypeTable};
use base::{Diagnostic, Diagnostics, SourceMap, Span};
use ir::{Body, Pos, Program, Storage};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::Arc;

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
    for unit in units {
        for id in &unit.usage.functions {
            let f = &unit.unit.functions[id.0 as usize];
            if f.linkage == Linkage::External && !defined.contains(&*f.name) && seen.insert(f.name.clone()) {
                list.push(f.name.clone());
            }
        }
        for id in &unit.usage.pointed {
            let f = &unit.unit.functions[id.0 as usize];
            let name: Arc<str> = library::pointer_model(&f.name).into();
            if f.linkage == Linkage::External && !defined.contains(&*f.name) && seen.insert(name.clone()) {
                list.push(name);
            }
        }
        list.extend(
            print::helpers(&unit.unit, &unit.usage.functions).filter(|name| seen.insert(name.clone())),
        );
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

/// How a C function looks in the IR.
pub(crate) struct Signature {
    pub ret: Option<ir::Type>,
    pub params: Vec<ir::Type>,
    pub variadic: bool,
}

/// Records travel through memory: a hidden result pointer in front, a pointer for each record parameter.
pub(crate) fn signature(types: &TypeTable, ty: TypeId) -> Option<Signature> {
    let TypeKind::Function(f) = types.kind(ty) else { return None };
    let mut params = Vec::with_capacity(f.params.len() + 1);
    let ret = match types.kind(f.ret) {
        TypeKind::Void => None,
        TypeKind::Record(_) => {
            params.push(ir::Type::Ptr);
            None
        }
        _ => Some(types.ir_type(f.ret)?),
    };
    for &param in &f.params {
        params.push(parameter_type(types, f, param)?);
    }
    Some(Signature { ret, params, variadic: f.variadic || !f.prototype })
}

/// How an argument arrives: a record by its address; in an old-style definition, whose callers know nothing
/// of its parameters, promoted.
pub(crate) fn parameter_type(types: &TypeTable, f: &FunctionType, param: TypeId) -> Option<ir::Type> {
    Some(match types.kind(param) {
        TypeKind::Record(_) => ir::Type::Ptr,
        _ => match types.ir_type(param)? {
            ir::Type::Int(int) if !f.prototype && int.bits < 32 => ir::Type::I32,
            ir::Type::F32 if !f.prototype => ir::Type::F64,
            ty => ty,
        },
    })
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

    fn resolve_functions(&mut self, diagnostics: &mut Diagnostics) {
        for (u, unit) in self.units.iter().enumerate() {
            let mut keys = Vec::with_capacity(unit.unit.functions.len());
            for (i, f) in unit.unit.functions.iter().enumerate() {
                let site = (u, FuncId(i as u32));
                let defined = f.body.is_some();
                let known = match f.linkage {
                    Linkage::External => self.known_function(unit.is_model, &f.name),
                    _ => None,
                };
                let key = match known {
                    Some(key) if unit.is_model && defined && !self.is_declared_as(key, site) => {
                        self.set_foreign(key, diagnostics);
                        let key = self.new_function(format!("library::{}", f.name).into(), site, true, true);
                        self.hidden.insert(f.name.clone(), key);
                        key
                    }
                    Some(key) => {
                        self.merge_function(key, site, defined, diagnostics);
                        key
                    }
                    None => {
                        let key = self.new_function(f.name.clone(), site, defined, unit.is_model);
                        if f.linkage == Linkage::External {
                            self.external.insert(f.name.clone(), key);
                        }
                        key
                    }
                };
                keys.push(key);
            }
            self.links.push(UnitLinks { functions: keys, globals: Vec::new() });
        }
        for key in 0..self.functions.len() {
            let entity = &self.functions[key];
            let unit = &self.units[entity.site.0];
            let f = &unit.unit.functions[entity.site.1.0 as usize];
            let asked = !entity.defined && !unit.is_model && f.linkage == Linkage::External;
            if asked && library::is_other_type(&self.options.target, &unit.unit.types, f) {
                self.set_foreign(key, diagnostics);
            }
        }
    }

    fn new_function(
        &mut self,
        name: Arc<str>,
        site: (usize, FuncId),
        defined: bool,
        is_model: bool,
    ) -> FuncKey {
        self.functions.push(FuncEntity { name, site, defined, is_model, foreign: false, ir: None });
        self.functions.len() - 1
    }

    fn known_function(&self, is_model: bool, name: &Arc<str>) -> Option<FuncKey> {
        let hidden = if is_model { self.hidden.get(name) } else { None };
        hidden.or_else(|| self.external.get(name)).copied()
    }

    /// Is what the program declares, and does not define, of the type that the model at `site` has?
    fn is_declared_as(&self, key: FuncKey, site: (usize, FuncId)) -> bool {
        let entity = &self.functions[key];
        if entity.defined || self.units[entity.site.0].is_model {
            return true;
        }
        let function = |(u, f): (usize, FuncId)| {
            let unit = &self.units[u].unit;
            (&unit.types, unit.functions[f.0 as usize].ty)
        };
        library::same_type(&self.options.target, function(entity.site), function(site))
    }

    fn set_foreign(&mut self, key: FuncKey, diagnostics: &mut Diagnostics) {
        let entity = &mut self.functions[key];
        if std::mem::replace(&mut entity.foreign, true) {
            return;
        }
        let span = self.units[entity.site.0].unit.functions[entity.site.1.0 as usize].span;
        let message = format!(
            "'{}' is declared with another type than the C library's: it is taken for a function without a body",
            entity.name
        );
        diagnostics.push(Diagnostic::warning(span, message));
    }

    fn merge_function(
        &mut self,
        key: FuncKey,
        site: (usize, FuncId),
        defined: bool,
        diagnostics: &mut Diagnostics,
    ) {
        let new = &self.units[site.0].unit.functions[site.1.0 as usize];
        let entity = &mut self.functions[key];
        let old = &self.units[entity.site.0].unit.functions[entity.site.1.0 as usize];
        if defined && !entity.defined {
            (entity.site, entity.defined, entity.is_model) = (site, true, self.units[site.0].is_model);
        } else if defined && !self.units[site.0].is_model {
            if entity.is_model || (old.weak && !new.weak) {
                (entity.site, entity.is_model) = (site, false);
            } else if !new.weak && !old.weak {
                diagnostics.push(
                    Diagnostic::error(new.span, format!("redefinition of '{}'", new.name))
                        .note(old.span, "previous definition is here"),
                );
            }
        } else if !entity.defined
            && has_prototype(self.units, site)
            && !has_prototype(self.units, entity.site)
        {
            entity.site = site;
        }
    }

    fn resolve_globals(&mut self, diagnostics: &mut Diagnostics) {
        let mut external: FxHashMap<Arc<str>, GlobalKey> = FxHashMap::default();
        for (u, unit) in self.units.iter().enumerate() {
            for (i, g) in unit.unit.globals.iter().enumerate() {
                let site = (u, GlobalId(i as u32));
                let types = &unit.unit.types;
                let rank = match &g.definition {
                    Definition::Declared | Definition::Alias(_) => DefinitionRank::Declared,
                    Definition::Tentative => DefinitionRank::Tentative,
                    Definition::Defined(_) => DefinitionRank::Defined,
                };
                let mut size = types.size_of(g.ty.ty).unwrap_or(0);
                if let Definition::Defined(init) = &g.definition {
                    size = size.max(init.size);
                }
                let taken = unit.usage.address_taken.contains(&GlobalId(i as u32));
                let in_memory = taken || types.ir_type(g.ty.ty).is_none();
                let known =
                    if g.linkage == Linkage::External { external.get(&g.name).copied() } else { None };
                let key = match known {
                    None => {
                        self.globals.push(GlobalEntity {
                            name: g.name.clone(),
                            site,
                            rank,
                            in_memory,
                            external: g.linkage == Linkage::External,
                            size,
                            ir: None,
                        });
                        let key = self.globals.len() - 1;
                        if g.linkage == Linkage::External {
                            external.insert(g.name.clone(), key);
                        }
                        key
                    }
                    Some(key) => {
                        let entity = &mut self.globals[key];
                        let old_unit = &self.units[entity.site.0].unit;
                        let old = &old_unit.globals[entity.site.1.0 as usize];
                        if rank == DefinitionRank::Defined && entity.rank == DefinitionRank::Defined {
                            diagnostics.push(
                                Diagnostic::error(g.span, format!("redefinition of '{}'", g.name))
                                    .note(old.span, "previous definition is here"),
                            );
                        }
                        let agree = types.ir_type(g.ty.ty) == old_unit.types.ir_type(old.ty.ty);
                        entity.in_memory |= in_memory || !agree;
                        // A definition says how large it is; a declaration elsewhere that says otherwise is
                        // wrong.
                        let declared = DefinitionRank::Declared;
                        match (entity.rank > declared, rank > declared) {
                            (true, false) => {}
                            (false, true) => entity.size = size,
                            _ => entity.size = entity.size.max(size),
                        }
                        if rank > entity.rank {
                            (entity.site, entity.rank) = (site, rank);
                        }
                        key
                    }
                };
                self.links[u].globals.push(key);
            }
        }
    }

    /// `alias("g")` makes a name another name for g of the same unit.
    fn resolve_aliases(&mut self) {
        for (u, unit) in self.units.iter().enumerate() {
            for (i, f) in unit.unit.functions.iter().enumerate() {
                let Some(alias) = &f.alias else { continue };
                let target = unit.unit.functions.iter().position(|g| g.name == *alias && g.body.is_some());
                if let Some(target) = target {
                    let (from, to) = (self.links[u].functions[i], self.links[u].functions[target]);
                    for links in &mut self.links {
                        for key in links.functions.iter_mut().filter(|key| **key == from) {
                            *key = to;
                        }
                    }
                }
            }
            for (i, g) in unit.unit.globals.iter().enumerate() {
                let Definition::Alias(alias) = &g.definition else { continue };
                let target = unit.unit.globals.iter().position(|h| h.name == *alias);
                if let Some(target) = target {
                    let (from, to) = (self.links[u].globals[i], self.links[u].globals[target]);
                    self.globals[to].in_memory |= self.globals[from].in_memory;
                    self.globals[to].external |= self.globals[from].external;
                    for links in &mut self.links {
                        for key in links.globals.iter_mut().filter(|key| **key == from) {
                            *key = to;
                        }
                    }
                }
            }
        }
    }

    /// Functions that run before `main`, in their order.
    pub fn constructors(&mut self) -> Vec<ir::FuncId> {
        self.by_priority(|f| f.constructor)
    }

    /// Functions that run after all else, in their order: the opposite of that of constructors.
    pub fn destructors(&mut self) -> Vec<ir::FuncId> {
        let mut list = self.by_priority(|f| f.destructor);
        list.reverse();
        list
    }

    fn by_priority(&mut self, priority: impl Fn(&Function) -> Option<u32>) -> Vec<ir::FuncId> {
        let units = self.units;
        let mut found = Vec::new();
        for (u, unit) in units.iter().enumerate() {
            for (i, f) in unit.unit.functions.iter().enumerate() {
                if let (Some(priority), Some(_)) = (priority(f), &f.body) {
                    found.push((priority, self.function(u, FuncId(i as u32))));
                }
            }
        }
        found.sort_by_key(|(priority, _)| *priority);
        found.into_iter().map(|(_, id)| id).collect()
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

    fn lower_function(&mut self, key: FuncKey) {
        let entity = &self.functions[key];
        let (Some(id), (u, f)) = (entity.ir, entity.site) else { return };
        let units = self.units;
        let result = function::lower_body(self, u, f, &units[u].usage.bodies[f.0 as usize]);
        match result {
            Ok((locals, cfa)) => {
                let function = self.program.function_mut(id);
                function.locals = locals;
                function.body = Body::Defined(cfa);
            }
            Err(e) => {
                let pos = self.pos(e.span);
                self.program.function_mut(id).body = Body::Poisoned { reason: e.reason.into(), pos };
            }
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

    /// The number of a global among those of all units, and whether it is in memory.
    pub(super) fn global_key(&self, unit: usize, id: GlobalId) -> (usize, bool) {
        let key = self.links[unit].globals[id.0 as usize];
        (key, self.globals[key].in_memory)
    }

    /// Does the program (or a linked model) define the function?
    pub fn is_defined(&self, unit: usize, id: FuncId) -> bool {
        self.functions[self.links[unit].functions[id.0 as usize]].defined
    }

    pub fn is_model_unit(&self, unit: usize) -> bool {
        self.units[unit].is_model
    }

    /// Is a model of ours what the function does?
    pub fn is_modelled(&self, unit: usize, id: FuncId) -> bool {
        let entity = &self.functions[self.links[unit].functions[id.0 as usize]];
        entity.defined && entity.is_model
    }

    /// Does the function only share its name with one of the library?
    pub fn is_foreign(&self, unit: usize, id: FuncId) -> bool {
        self.functions[self.links[unit].functions[id.0 as usize]].foreign
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
        has_prototype(self.units, self.functions[self.links[unit].functions[id.0 as usize]].site)
    }

    /// The program's function for a unit's function.
    pub fn function(&mut self, unit: usize, id: FuncId) -> ir::FuncId {
        let key = self.links[unit].functions[id.0 as usize];
        if let Some(id) = self.functions[key].ir {
            return id;
        }
        let (u, f) = self.functions[key].site;
        let hir = &self.units[u].unit.functions[f.0 as usize];
        let types = &self.units[u].unit.types;
        let pos = self.pos(hir.span);
        let name = self.unique_name(self.functions[key].name.clone(), hir.linkage, hir.span);
        let (signature, poison) = match signature(types, hir.ty) {
            Some(signature) => (signature, None),
            None => (
                Signature { ret: None, params: vec![], variadic: true },
                Some((
                    "a parameter or the result has a type that is not supported (complex or vector)",
                    hir.span,
                )),
            ),
        };
        let locals = signature.params.iter().enumerate().map(|(i, &ty)| ir::Local {
            name: format!("arg{i}").into(),
            storage: Storage::Register(ty),
            origin: ir::LocalOrigin::Param,
            c_type: "".into(),
            pos,
        });
        let locals: Vec<ir::Local> = locals.collect();
        let defined = self.functions[key].defined;
        let variadic = match types.kind(hir.ty) {
            // A definition says what it takes, prototype or not.
            TypeKind::Function(f) if defined => f.variadic,
            _ => signature.variadic,
        };
        let body = match (poison, &hir.poison, library::refused(&hir.name)) {
            (Some((reason, span)), ..) => Body::Poisoned { reason: reason.into(), pos: self.pos(span) },
            (None, Some((reason, span)), _) => {
                Body::Poisoned { reason: reason.as_str().into(), pos: self.pos(*span) }
            }
            (None, None, Some(reason)) if !defined && hir.linkage == Linkage::External => {
                Body::Poisoned { reason: reason.into(), pos }
            }
            (None, None, _) => Body::Extern,
        };
        let lower = defined && body == Body::Extern;
        let (body, havocs) = match body {
            Body::Extern if !defined => {
                outside::unknown(&name, self.functions[key].foreign, self.options.unknown_functions, pos)
            }
            body => (body, false),
        };
        let ir_id = self.program.add_function(ir::Function {
            name,
            ret: signature.ret,
            params: locals.len() as u32,
            variadic,
            locals,
            body,
            havocs,
            c_type: type_to_string(types, crate::types::QualType::plain(hir.ty)).into(),
            pos,
        });
        self.functions[key].ir = Some(ir_id);
        if defined && matches!(types.kind(hir.ty), TypeKind::Function(f) if !f.prototype) {
            self.unprototyped.insert(ir_id);
        }
        if lower {
            self.pending.push_back(key);
        }
        ir_id
    }

    /// The program's global for a unit's global.
    pub fn global(&mut self, unit: usize, id: GlobalId) -> ir::GlobalId {
        let key = self.links[unit].globals[id.0 as usize];
        if let Some(id) = self.globals[key].ir {
            return id;
        }
        let (u, g) = self.globals[key].site;
        let hir = &self.units[u].unit.globals[g.0 as usize];
        let types = &self.units[u].unit.types;
        let pos = self.pos(hir.span);
        let name = self.unique_name(hir.name.clone(), hir.linkage, hir.span);
        let entity = &self.globals[key];
        let storage = match types.ir_type(hir.ty.ty) {
            Some(ty) if !entity.in_memory => Storage::Register(ty),
            _ => Storage::Memory {
                size: if entity.size > 0 { entity.size } else { unknown_extent(types, hir) },
                align: types.align_of(hir.ty.ty).unwrap_or(1).max(hir.align.unwrap_or(1)),
            },
        };
        let external = entity.external;
        let ir_id = ir::GlobalId(self.program.globals.len() as u32);
        self.globals[key].ir = Some(ir_id);
        self.program.globals_mut().push(ir::Global {
            name,
            storage,
            init: None,
            constant: is_const(types, hir.ty),
            external: external || is_volatile(types, hir.ty),
            c_type: type_to_string(types, hir.ty).into(),
            pos,
        });
        // The initialiser may refer to this very global: it is in place by now.
        let init = match &hir.definition {
            Definition::Declared
                if ir::is_stream(&hir.name) && types.ir_type(hir.ty.ty) == Some(ir::Type::Ptr) =>
            {
                Some(self.standard_stream(&hir.name, pos))
            }
            Definition::Declared | Definition::Alias(_) => None,
            Definition::Tentative => Some(ir::Init::default()),
            Definition::Defined(init) => Some(self.global_init(u, init, storage)),
        };
        self.program.globals_mut()[ir_id.0 as usize].init = init;
        ir_id
    }

    /// What `stdin` and its like point to: an object that nobody looks into.
    fn standard_stream(&mut self, name: &str, pos: ir::Pos) -> ir::Init {
        let id = ir::GlobalId(self.program.globals.len() as u32);
        self.program.globals_mut().push(ir::Global {
            name: format!(".{name}").into(),
            storage: Storage::Memory { size: 1, align: 16 },
            init: Some(ir::Init::default()),
            constant: false,
            external: false,
            c_type: "FILE".into(),
            pos,
        });
        let address = ir::Expr { ty: ir::Type::Ptr, kind: ir::ExprKind::AddrGlobal(id) };
        ir::Init { items: vec![ir::InitItem { offset: 0, value: ir::InitValue::Scalar(address) }] }
    }

    fn global_init(&mut self, unit: usize, init: &GlobalInit, storage: Storage) -> ir::Init {
        let mut items = Vec::with_capacity(init.items.len());
        for item in &init.items {
            let value = match (&item.value, storage) {
                (ConstValue::Bytes(bytes), Storage::Register(ty)) => {
                    let mut bits = [0u8; 16];
                    let n = (ty.access_size(&self.options.target) as usize).min(bytes.len());
                    bits[..n].copy_from_slice(&bytes[..n]);
                    let kind = ir::ExprKind::Const(u128::from_le_bytes(bits));
                    ir::InitValue::Scalar(ir::Expr { ty, kind })
                }
                (ConstValue::Bytes(bytes), Storage::Memory { .. }) => ir::InitValue::Bytes(bytes.clone()),
                (ConstValue::Address { base, offset, size }, _) => {
                    let base = self.address(unit, *base);
                    let target = &self.options.target;
                    let offset = ir::Expr::int(target.intptr(true), i128::from(*offset));
                    let address = super::fold::ptr_add(base, offset);
                    let ty = match storage {
                        Storage::Register(ty) => ty,
                        Storage::Memory { .. } if *size == target.pointer_bits / 8 => ir::Type::Ptr,
                        Storage::Memory { .. } => ir::Type::int(*size * 8, false),
                    };
                    ir::InitValue::Scalar(super::fold::cast(target, ty, address))
                }
            };
            items.push(ir::InitItem { offset: item.offset, value });
        }
        ir::Init { items }
    }

    fn address(&mut self, unit: usize, base: AddressBase) -> ir::Expr {
        let kind = match base {
            AddressBase::Global(id) => ir::ExprKind::AddrGlobal(self.global(unit, id)),
            AddressBase::Function(id) => ir::ExprKind::AddrFunc(self.pointed_function(unit, id)),
            AddressBase::String(id) => ir::ExprKind::AddrGlobal(self.string(unit, id)),
        };
        ir::Expr { ty: ir::Type::Ptr, kind }
    }

    /// The object of a string literal; equal literals share one.
    pub fn string(&mut self, unit: usize, id: StringId) -> ir::GlobalId {
        let units = self.units;
        let literal = &units[unit].unit.strings[id.0 as usize];
        let types = &units[unit].unit.types;
        let c_type = type_to_string(types, crate::types::QualType::plain(literal.ty));
        self.constant(&literal.bytes, types.align_of(literal.ty).unwrap_or(1), c_type)
    }

    /// The object of a text that is part of a literal.
    pub fn text(&mut self, bytes: &[u8]) -> ir::GlobalId {
        let mut bytes = bytes.to_vec();
        bytes.push(0);
        let c_type = format!("char[{}]", bytes.len());
        self.constant(&bytes, 1, c_type)
    }

    fn constant(&mut self, bytes: &[u8], align: u64, c_type: String) -> ir::GlobalId {
        if let Some(&id) = self.strings.get(bytes) {
            return id;
        }
        let id = ir::GlobalId(self.program.globals.len() as u32);
        let items = if bytes.iter().all(|b| *b == 0) {
            vec![]
        } else {
            vec![ir::InitItem { offset: 0, value: ir::InitValue::Bytes(bytes.to_vec()) }]
        };
        self.program.globals_mut().push(ir::Global {
            name: format!(".str.{}", self.strings.len()).into(),
            storage: Storage::Memory { size: bytes.len() as u64, align },
            init: Some(ir::Init { items }),
            constant: true,
            external: false,
            c_type: c_type.into(),
            pos: Pos::default(),
        });
        self.strings.insert(bytes.to_vec(), id);
        id
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

    /// Finds the names that more than one function or global bears.
    fn find_shared_names(&mut self) {
        let mut seen = FxHashSet::default();
        let functions = self.functions.iter().map(|f| f.name.clone());
        let globals = self.globals.iter().map(|g| g.name.clone());
        for name in functions.chain(globals) {
            if !seen.insert(name.clone()) {
                self.shared_names.insert(name);
            }
        }
    }
}

/// `extern T a[];` has memory for so many bytes, or a little less: whole elements.
const UNKNOWN_EXTENT: u64 = 1 << 16;

/// The size of an array whose length nobody says. A tentative definition has one element.
fn unknown_extent(types: &TypeTable, global: &Global) -> u64 {
    let TypeKind::Array(element, crate::types::ArrayLen::Unknown) = types.kind(global.ty.ty) else {
        return 0;
    };
    let size = types.size_of(element.ty).unwrap_or(0);
    match global.definition {
        Definition::Declared => size * (UNKNOWN_EXTENT / size.max(1)).max(1),
        _ => size,
    }
}

fn has_prototype(units: &[LinkUnit], site: (usize, FuncId)) -> bool {
    let unit = &units[site.0].unit;
    let ty = unit.functions[site.1.0 as usize].ty;
    matches!(unit.types.kind(ty), TypeKind::Function(f) if f.prototype)
}

/// An object that no valid program writes: const itself, or an array of const elements.
fn is_const(types: &TypeTable, ty: crate::types::QualType) -> bool {
    if ty.quals.is_volatile {
        return false;
    }
    ty.quals.is_const || matches!(types.kind(ty.ty), TypeKind::Array(elem, _) if is_const(types, *elem))
}

/// Somebody else may change it at any time.
fn is_volatile(types: &TypeTable, ty: crate::types::QualType) -> bool {
    ty.quals.is_volatile || matches!(types.kind(ty.ty), TypeKind::Array(elem, _) if is_volatile(types, *elem))
}
