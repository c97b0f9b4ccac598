//! Which function and which global of the new version continues which one of the old version.
//!
//! A matching is a guess that nothing depends on for truth: it is one-to-one, programs mean the same under
//! any one-to-one renaming, and the comparison that follows checks everything under it. A bad guess costs
//! reuse only.
//!
//! 1. The same name is the same thing.
//! 2. What is left and has a body is matched as long as anything new turns up: by the name without its file
//!    or function (`a.c::init`), by equal text where names not yet matched count as equal, and by place:
//!    where two matched functions have the same text, what they name at the same place belongs together. Only
//!    guesses that are unique on both sides count.
//! 3. Several functions of equal text on both sides are paired by name order.
//! 4. Similar functions are paired if each is the best for the other ([`crate::similar`]).
//!
//! Functions without a body and globals defined elsewhere are known to the outside by their name, so only
//! step 1 applies to them. String literals are not matched here: they have no name, see [`crate::same`].

use crate::similar;
use ir::fingerprint::{Forms, FragmentForm, Symbol, is_literal};
use ir::names::{qualified, split_qualified, unqualified};
use ir::{Body, FuncId, GlobalId, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// One of the two programs, with its canonical forms.
pub struct Version<'a> {
    pub program: &'a Program,
    pub forms: Forms,
}

/// A partial one-to-one map between two ranges of ids.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    to_new: Vec<Option<u32>>,
    to_old: Vec<Option<u32>>,
}

#[derive(Clone, Debug, Default)]
pub struct Matching {
    functions: Pairs,
    globals: Pairs,
}

impl<'a> Version<'a> {
    pub fn new(program: &'a Program) -> Self {
        Version { program, forms: Forms::new(program) }
    }

    pub fn is_literal(&self, id: GlobalId) -> bool {
        is_literal(self.program.global(id))
    }
}

impl Pairs {
    fn new(old: usize, new: usize) -> Pairs {
        Pairs { to_new: vec![None; old], to_old: vec![None; new] }
    }

    fn add(&mut self, old: u32, new: u32) -> bool {
        let (a, b) = (&mut self.to_new[old as usize], &mut self.to_old[new as usize]);
        let free = a.is_none() && b.is_none();
        if free {
            *a = Some(new);
            *b = Some(old);
        }
        free
    }
}

impl Matching {
    pub fn new(old: &Version, new: &Version, similarity: u32) -> Matching {
        let mut search = Search { old, new, found: Matching::by_name(old.program, new.program) };
        search.refine();
        while search.leftovers() {
            search.refine();
        }
        search.similar(similarity);
        search.refine();
        search.found
    }

    pub fn new_function(&self, old: FuncId) -> Option<FuncId> {
        self.functions.to_new[old.0 as usize].map(FuncId)
    }

    pub fn old_function(&self, new: FuncId) -> Option<FuncId> {
        self.functions.to_old[new.0 as usize].map(FuncId)
    }

    pub fn new_global(&self, old: GlobalId) -> Option<GlobalId> {
        self.globals.to_new[old.0 as usize].map(GlobalId)
    }

    pub fn old_global(&self, new: GlobalId) -> Option<GlobalId> {
        self.globals.to_old[new.0 as usize].map(GlobalId)
    }

    fn by_name(old: &Program, new: &Program) -> Matching {
        let mut found = Matching {
            functions: Pairs::new(old.functions.len(), new.functions.len()),
            globals: Pairs::new(old.globals.len(), new.globals.len()),
        };
        let names: FxHashMap<&str, u32> = old.functions.iter().map(|f| &*f.name).zip(0..).collect();
        for (function, id) in new.functions.iter().zip(0..) {
            if let Some(&old) = names.get(&*function.name) {
                found.functions.add(old, id);
            }
        }
        let names = old.globals.iter().zip(0..).filter(|(g, _)| !is_literal(g));
        let names: FxHashMap<&str, u32> = names.map(|(g, id)| (&*g.name, id)).collect();
        for (global, id) in new.globals.iter().zip(0..).filter(|(g, _)| !is_literal(g)) {
            if let Some(&old) = names.get(&*global.name) {
                found.globals.add(old, id);
            }
        }
        found
    }
}

/// What identifies a function's text under the matching so far.
type Key = Vec<u8>;

struct Search<'a> {
    old: &'a Version<'a>,
    new: &'a Version<'a>,
    found: Matching,
}

impl Search<'_> {
    /// Step 2.
    fn refine(&mut self) {
        // Chains of renamed functions that need a round for each link are rare; longer ones stay unmatched.
        for _ in 0..64 {
            let (functions, globals) = (self.open_functions(), self.open_globals());
            let none = |old: usize, new: usize| old == 0 || new == 0;
            if none(functions.0.len(), functions.1.len()) && none(globals.0.len(), globals.1.len()) {
                return;
            }
            let mut progress = self.by_base_name();
            progress |= self.by_text();
            progress |= self.by_place();
            if !progress {
                return;
            }
        }
    }

    /// Functions with a body that have no partner, in both versions.
    fn open_functions(&self) -> (Vec<FuncId>, Vec<FuncId>) {
        let defined = |v: &Version, id: &FuncId| matches!(v.program.function(*id).body, Body::Defined(_));
        let old = self.old.program.function_ids();
        let new = self.new.program.function_ids();
        (
            old.filter(|f| self.found.new_function(*f).is_none() && defined(self.old, f)).collect(),
            new.filter(|f| self.found.old_function(*f).is_none() && defined(self.new, f)).collect(),
        )
    }

    fn open_globals(&self) -> (Vec<GlobalId>, Vec<GlobalId>) {
        let ids = |v: &Version| (0..v.program.globals.len() as u32).map(GlobalId);
        let open = |v: &Version, id: GlobalId| !v.is_literal(id) && v.program.global(id).init.is_some();
        (
            ids(self.old).filter(|g| self.found.new_global(*g).is_none() && open(self.old, *g)).collect(),
            ids(self.new).filter(|g| self.found.old_global(*g).is_none() && open(self.new, *g)).collect(),
        )
    }

    fn by_base_name(&mut self) -> bool {
        let mut progress = false;
        let (old, new) = self.open_functions();
        let old = old.iter().map(|f| (unqualified(&self.old.program.function(*f).name), f.0));
        let new = new.iter().map(|f| (unqualified(&self.new.program.function(*f).name), f.0));
        for (old, new) in unique(old, new) {
            progress |= self.found.functions.add(old, new);
        }
        let (old, new) = self.open_globals();
        // A static local of a matched function is looked for in that function first.
        let moved: Vec<(u32, u32)> = old
            .iter()
            .filter_map(|g| {
                let (owner, name) = split_qualified(&self.old.program.global(*g).name)?;
                let owner = self.found.new_function(self.old.program.find_function(owner)?)?;
                let name = qualified(&self.new.program.function(owner).name, name);
                let same = |n: &&GlobalId| *self.new.program.global(**n).name == name;
                Some((g.0, new.iter().find(same)?.0))
            })
            .collect();
        for (old, new) in moved {
            progress |= self.found.globals.add(old, new);
        }
        let (old, new) = self.open_globals();
        let old = old.iter().map(|g| (unqualified(&self.old.program.global(*g).name), g.0));
        let new = new.iter().map(|g| (unqualified(&self.new.program.global(*g).name), g.0));
        for (old, new) in unique(old, new) {
            progress |= self.found.globals.add(old, new);
        }
        progress
    }

    fn by_text(&mut self) -> bool {
        let (old, new) = self.open_functions();
        let old = old.iter().map(|f| (self.old_key(*f), f.0));
        let new = new.iter().map(|f| (self.new_key(*f), f.0));
        let pairs = unique(old, new);
        pairs.into_iter().fold(false, |progress, (old, new)| self.found.functions.add(old, new) | progress)
    }

    fn old_key(&self, id: FuncId) -> Key {
        key(self.old, id, |symbol| match symbol {
            Symbol::Function(f) => self.found.functions.to_new[f.0 as usize],
            Symbol::Global(g) => self.found.globals.to_new[g.0 as usize],
        })
    }

    fn new_key(&self, id: FuncId) -> Key {
        key(self.new, id, |symbol| match symbol {
            Symbol::Function(f) => self.found.functions.to_old[f.0 as usize].map(|_| f.0),
            Symbol::Global(g) => self.found.globals.to_old[g.0 as usize].map(|_| g.0),
        })
    }

    fn by_place(&mut self) -> bool {
        let mut functions = Vec::new();
        let mut globals = Vec::new();
        let (open_old, open_new) = self.open_functions();
        let (open_old_globals, open_new_globals) = self.open_globals();
        for new in self.new.program.function_ids() {
            let Some(old) = self.found.old_function(new) else { continue };
            let (a, b) = (whole(self.old, old), whole(self.new, new));
            if a.canonical.shape != b.canonical.shape {
                continue;
            }
            for (a, b) in a.canonical.symbols.iter().zip(&b.canonical.symbols) {
                match (a, b) {
                    (Symbol::Function(a), Symbol::Function(b))
                        if open_old.binary_search(a).is_ok() && open_new.binary_search(b).is_ok() =>
                    {
                        let same_text =
                            whole(self.old, *a).canonical.shape == whole(self.new, *b).canonical.shape;
                        if same_text {
                            functions.push((a.0, b.0));
                        }
                    }
                    (Symbol::Global(a), Symbol::Global(b))
                        if open_old_globals.binary_search(a).is_ok()
                            && open_new_globals.binary_search(b).is_ok() =>
                    {
                        globals.push((a.0, b.0));
                    }
                    _ => {}
                }
            }
        }
        let mut progress = false;
        for (old, new) in undisputed(functions) {
            progress |= self.found.functions.add(old, new);
        }
        for (old, new) in undisputed(globals) {
            progress |= self.found.globals.add(old, new);
        }
        progress
    }

    /// Step 3, for one group of functions at a time: the pairs it gives may make others unique.
    fn leftovers(&mut self) -> bool {
        let (old, new) = self.open_functions();
        let mut groups: BTreeMap<Key, [Vec<FuncId>; 2]> = BTreeMap::new();
        for f in old {
            groups.entry(self.old_key(f)).or_default()[0].push(f);
        }
        for f in new {
            groups.entry(self.new_key(f)).or_default()[1].push(f);
        }
        for [mut old, mut new] in groups.into_values() {
            if old.is_empty() || new.is_empty() {
                continue;
            }
            old.sort_by_key(|f| &self.old.program.function(*f).name);
            new.sort_by_key(|f| &self.new.program.function(*f).name);
            for (old, new) in old.into_iter().zip(new) {
                self.found.functions.add(old.0, new.0);
            }
            return true;
        }
        false
    }

    /// Step 4.
    fn similar(&mut self, threshold: u32) {
        let (open_old, open_new) = self.open_functions();
        if open_old.is_empty() || open_new.is_empty() {
            return;
        }
        let old: Vec<_> =
            open_old.iter().map(|f| similar::function(self.old, *f, self.old_token())).collect();
        let new: Vec<_> =
            open_new.iter().map(|f| similar::function(self.new, *f, self.new_token())).collect();
        for (a, b) in similar::pairs(&old, &new, threshold) {
            self.found.functions.add(open_old[a].0, open_new[b].0);
        }
    }

    fn old_token(&self) -> impl Fn(Symbol) -> Option<u32> {
        |symbol| match symbol {
            Symbol::Function(f) => self.found.functions.to_new[f.0 as usize],
            Symbol::Global(g) => self.found.globals.to_new[g.0 as usize],
        }
    }

    fn new_token(&self) -> impl Fn(Symbol) -> Option<u32> {
        |symbol| match symbol {
            Symbol::Function(f) => self.found.functions.to_old[f.0 as usize].map(|_| f.0),
            Symbol::Global(g) => self.found.globals.to_old[g.0 as usize].map(|_| g.0),
        }
    }
}

fn whole<'a>(version: &'a Version, id: FuncId) -> &'a FragmentForm {
    &version.forms.function(id).whole
}

/// A function's shape and what its symbols are matched with (numbers of the new version); unmatched ones are
/// all alike, and so is the function itself.
fn key(version: &Version, id: FuncId, matched: impl Fn(Symbol) -> Option<u32>) -> Key {
    let canonical = &whole(version, id).canonical;
    let mut key = canonical.shape.0.to_vec();
    for &symbol in &canonical.symbols {
        match (symbol, matched(symbol)) {
            (Symbol::Function(f), _) if f == id => key.push(0),
            (Symbol::Global(g), _) if version.is_literal(g) => {
                key.push(1);
                key.extend_from_slice(&version.forms.global(g).init.0);
            }
            (Symbol::Function(_), None) => key.push(2),
            (Symbol::Global(_), None) => key.push(3),
            (Symbol::Function(_), Some(n)) => {
                key.push(4);
                key.extend_from_slice(&n.to_le_bytes());
            }
            (Symbol::Global(_), Some(n)) => {
                key.push(5);
                key.extend_from_slice(&n.to_le_bytes());
            }
        }
    }
    key
}

/// The pairs of ids whose key occurs exactly once on either side, in the order of the keys.
fn unique<K: Ord>(
    old: impl Iterator<Item = (K, u32)>,
    new: impl Iterator<Item = (K, u32)>,
) -> Vec<(u32, u32)> {
    let mut groups: BTreeMap<K, (Vec<u32>, Vec<u32>)> = BTreeMap::new();
    for (key, id) in old {
        groups.entry(key).or_default().0.push(id);
    }
    for (key, id) in new {
        groups.entry(key).or_default().1.push(id);
    }
    let only = |(old, new): (Vec<u32>, Vec<u32>)| match (&old[..], &new[..]) {
        (&[a], &[b]) => Some((a, b)),
        _ => None,
    };
    groups.into_values().filter_map(only).collect()
}

/// The pairs that no other pair contradicts.
fn undisputed(pairs: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let mut forth = BTreeMap::new();
    let mut back = BTreeMap::new();
    for (a, b) in pairs {
        vote(&mut forth, a, b);
        vote(&mut back, b, a);
    }
    let agreed = |(a, b): (u32, Option<u32>)| b.filter(|b| back.get(b) == Some(&Some(a))).map(|b| (a, b));
    forth.into_iter().filter_map(agreed).collect()
}

/// Remembers the one candidate, or None as soon as there are two.
fn vote(votes: &mut BTreeMap<u32, Option<u32>>, a: u32, b: u32) {
    match votes.entry(a) {
        Entry::Vacant(slot) => {
            slot.insert(Some(b));
        }
        Entry::Occupied(mut slot) => {
            if *slot.get() != Some(b) {
                slot.insert(None);
            }
        }
    }
}
