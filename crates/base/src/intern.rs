//! Interned identifiers. An interner belongs to one run of the front end; symbols of different interners must
//! not be mixed. Everything that outlives the front end carries its name as text.

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An identifier, equal exactly when its text is equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub u32);

#[derive(Default, Clone, Debug)]
pub struct Interner {
    ids: FxHashMap<Arc<str>, Symbol>,
    names: Vec<Arc<str>>,
}

impl Interner {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.ids.get(name) {
            return symbol;
        }
        let symbol = Symbol(self.names.len() as u32);
        let name: Arc<str> = name.into();
        self.names.push(name.clone());
        self.ids.insert(name, symbol);
        symbol
    }

    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.ids.get(name).copied()
    }

    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.0 as usize]
    }
}
