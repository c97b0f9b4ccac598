//! What other files can see of a program: the names that it exports, and what runs before any of them is
//! called.

use crate::hir::{Definition, Linkage, Unit};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Interface {
    /// Functions with a body, by exported name; an alias leads to the function whose other name it is.
    pub functions: BTreeMap<Arc<str>, Arc<str>>,
    /// Objects, the same way.
    pub objects: BTreeMap<Arc<str>, Arc<str>>,
    /// Functions that run before `main`, or when a library is loaded.
    pub constructors: BTreeSet<Arc<str>>,
}

impl Interface {
    pub(crate) fn add(&mut self, unit: &Unit) {
        for f in &unit.functions {
            let target = match &f.alias {
                Some(target) => target,
                None if f.body.is_some() => &f.name,
                None => continue,
            };
            if f.linkage == Linkage::External {
                self.functions.insert(f.name.clone(), target.clone());
            }
            if f.constructor.is_some() {
                self.constructors.insert(f.name.clone());
            }
        }
        for g in unit.globals.iter().filter(|g| g.linkage == Linkage::External) {
            let target = match &g.definition {
                Definition::Alias(target) => target,
                Definition::Declared => continue,
                _ => &g.name,
            };
            self.objects.insert(g.name.clone(), target.clone());
        }
    }
}
