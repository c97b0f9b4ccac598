//! Which declaration of which unit means the same function or global.

use super::{DefinitionRank, FuncEntity, FuncKey, GlobalEntity, GlobalKey, Linked, UnitLinks};
use crate::hir::*;
use crate::lower::{LinkUnit, library};
use crate::types::TypeKind;
use base::{Diagnostic, Diagnostics};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

impl Linked<'_> {
    pub(super) fn resolve_functions(&mut self, diagnostics: &mut Diagnostics) {
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

    pub(super) fn resolve_globals(&mut self, diagnostics: &mut Diagnostics) {
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
    pub(super) fn resolve_aliases(&mut self) {
        for (u, unit) in self.units.iter().enumerate() {
            for (i, f) in unit.unit.functions.iter().enumerate() {
                let Some(alias) = &f.alias else { continue };
                let target = unit.unit.functions.iter().position(|g| g.name == *alias && g.body.is_some());
                if let Some(target) = target {
                    let (from, to) = (self.links[u].functions[i], self.links[u].functions[target]);
                    redirect(self.links.iter_mut().flat_map(|links| &mut links.functions), from, to);
                }
            }
            for (i, g) in unit.unit.globals.iter().enumerate() {
                let Definition::Alias(alias) = &g.definition else { continue };
                let target = unit.unit.globals.iter().position(|h| h.name == *alias);
                if let Some(target) = target {
                    let (from, to) = (self.links[u].globals[i], self.links[u].globals[target]);
                    self.globals[to].in_memory |= self.globals[from].in_memory;
                    self.globals[to].external |= self.globals[from].external;
                    redirect(self.links.iter_mut().flat_map(|links| &mut links.globals), from, to);
                }
            }
        }
    }

    /// Finds the names that more than one function or global bears.
    pub(super) fn find_shared_names(&mut self) {
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

pub(super) fn has_prototype(units: &[LinkUnit], site: (usize, FuncId)) -> bool {
    let unit = &units[site.0].unit;
    let ty = unit.functions[site.1.0 as usize].ty;
    matches!(unit.types.kind(ty), TypeKind::Function(f) if f.prototype)
}

fn redirect<'k>(keys: impl Iterator<Item = &'k mut usize>, from: usize, to: usize) {
    for key in keys.filter(|key| **key == from) {
        *key = to;
    }
}
