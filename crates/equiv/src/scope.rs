//! What a comparison of functions says about the versions that they belong to.
//!
//! Other files see more of a library than the functions that are compared: objects, functions that are
//! compared only as others call them, what ran before. What differs there and can be seen keeps the versions
//! from being called equivalent, or is listed.

use cfront::Interface;
use change::Pair;
use engine::{Assumption, Side, Undecided, UnknownReason};
use ir::fingerprint::Fingerprints;
use ir::{FuncId, GlobalId, Program};
use std::collections::BTreeSet;
use std::sync::Arc;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scope {
    /// Why the versions are not equivalent as far as anybody knows, whatever the functions do.
    pub open: Option<UnknownReason>,
    /// What is not compared.
    pub assumptions: Vec<Assumption>,
}

/// `pairs` are the functions that are compared; they were `named` by the user, or stand for all that the
/// versions export.
pub fn scope(pair: &Pair, interfaces: [&Interface; 2], pairs: &[[FuncId; 2]], named: bool) -> Scope {
    let programs = pair.programs();
    // A whole program is all there is.
    if pairs.iter().any(|[f, _]| &*programs[0].function(*f).name == "main") {
        return Scope::default();
    }
    let look = Look { programs, interfaces, pairs, prints: pair.prints() };
    let objects = || (!named).then(|| look.objects()).flatten();
    let open = look.constructors().or_else(objects).map(UnknownReason::Undecided);
    Scope { open, assumptions: if named { Vec::new() } else { look.not_compared() } }
}

struct Look<'a> {
    programs: [&'a Program; 2],
    interfaces: [&'a Interface; 2],
    pairs: &'a [[FuncId; 2]],
    prints: [&'a Fingerprints; 2],
}

impl Look<'_> {
    fn same_function(&self, name: &str) -> bool {
        let print = |side: usize| {
            let f = self.programs[side].find_function(name)?;
            self.programs[side].function(f).cfa().map(|_| self.prints[side].function(f).global)
        };
        print(0).is_some() && print(0) == print(1)
    }

    fn is_compared(&self, name: &str) -> bool {
        self.pairs.iter().any(|pair| {
            let named = |side: usize| &*self.programs[side].function(pair[side]).name == name;
            named(0) && named(1)
        })
    }

    /// Functions are called after constructors ran. If those may do something else, the common state is
    /// another one in each version.
    fn constructors(&self) -> Option<Undecided> {
        let [old, new] = self.interfaces.map(|interface| &interface.constructors);
        let changed = old.union(new).find(|name| !self.is_compared(name) && !self.same_function(name))?;
        let touches = |side: usize| {
            let Some(f) = self.programs[side].find_function(changed) else { return false };
            let globals = |f: FuncId| -> BTreeSet<GlobalId> {
                self.prints[side].reached_globals(f).into_iter().collect()
            };
            let own = globals(f);
            self.pairs.iter().any(|pair| !own.is_disjoint(&globals(pair[side])))
        };
        (touches(0) || touches(1)).then(|| Undecided::Constructor(changed.clone()))
    }

    /// An object that other files can see, and that is another one in each version from the start.
    fn objects(&self) -> Option<Undecided> {
        let [old, new] = self.interfaces.map(|interface| &interface.objects);
        for (name, target) in old {
            let Some(partner) = new.get(name) else { continue };
            let found = [self.programs[0].find_global(target), self.programs[1].find_global(partner)];
            let [Some(a), Some(b)] = found else { continue };
            let (x, y) = (self.programs[0].global(a), self.programs[1].global(b));
            let same = target == partner
                && self.prints[0].start(a) == self.prints[1].start(b)
                && x.storage == y.storage
                && x.constant == y.constant;
            if !same {
                return Some(Undecided::Object(name.clone()));
            }
        }
        None
    }

    fn not_compared(&self) -> Vec<Assumption> {
        let [old, new] = self.interfaces;
        let mut list = Vec::new();
        let exported = [old, new].map(|interface| -> BTreeSet<&Arc<str>> {
            interface.functions.keys().chain(interface.objects.keys()).collect()
        });
        for side in Side::BOTH {
            let (own, other) = (&exported[side.index()], &exported[side.other().index()]);
            let only: Vec<Arc<str>> = own.difference(other).map(|name| (*name).clone()).collect();
            if !only.is_empty() {
                list.push(Assumption::OnlyIn(side, only));
            }
        }
        let common = old.functions.iter().filter(|(name, _)| new.functions.get(*name) == Some(*name));
        let own = common.filter(|(name, target)| name == target && !self.is_compared(name));
        let changed: Vec<Arc<str>> =
            own.map(|(name, _)| name.clone()).filter(|name| !self.same_function(name)).collect();
        if !changed.is_empty() {
            list.push(Assumption::CalledInside(changed));
        }
        list
    }
}
