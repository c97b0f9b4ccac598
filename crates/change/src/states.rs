//! What became of each function and global: the local differences, and how far they reach.
//!
//! A function is affected if it is the same by itself but names a global that fragments must not take for the
//! same (another size, other constant content), may call other functions through a pointer than before, or
//! calls a function that is changed or affected. Reasons lead towards a cause: a callee counts only if it is
//! nearer to one.
//!
//! The initial value of a global that is not constant is part of the state in which the program starts, so it
//! affects the entry function alone.

use crate::differ::{Part, first_difference, storage_words};
use crate::matching::{Matching, Version};
use crate::result::{GlobalDifference, Through, Why};
use crate::same::{Same, Verdict};
use ir::fingerprint::{FragmentForm, Symbol};
use ir::graph::{FAR, distances};
use ir::{Body, FuncId, GlobalId};
use std::collections::{BTreeSet, VecDeque};

pub struct States<'a> {
    pub same: Same<'a>,
    /// By new function: its own differences; empty if it is the same as its old version, or has none.
    pub changed: Vec<Vec<Why>>,
    /// By new function: the number of calls between it and the nearest difference, or [`FAR`].
    distance: Vec<u32>,
    /// By new function: why it is affected.
    pub affected: Vec<Vec<Why>>,
    /// By new global.
    pub globals: Vec<Vec<GlobalDifference>>,
    /// By new global: the difference that makes it another thing for all that name it.
    unstable: Vec<Option<GlobalDifference>>,
}

impl<'a> States<'a> {
    pub fn new(
        old: &'a Version<'a>,
        new: &'a Version<'a>,
        matching: &'a Matching,
        entry: &str,
    ) -> States<'a> {
        let functions = new.program.functions.len();
        let mut states = States {
            same: Same::new(old, new, matching),
            changed: vec![Vec::new(); functions],
            distance: vec![FAR; functions],
            affected: vec![Vec::new(); functions],
            globals: Vec::new(),
            unstable: Vec::new(),
        };
        states.compare_globals();
        let mut direct = states.compare_functions();
        states.spread(&direct);
        for id in new.program.function_ids() {
            let index = id.0 as usize;
            if states.changed[index].is_empty() && states.distance[index] != FAR {
                let mut why = std::mem::take(&mut direct[index]);
                why.extend(states.callees(&new.forms.function(id).whole, states.distance[index]));
                states.affected[index] = why;
            }
        }
        if let Some(id) = new.program.find_function(entry).filter(|f| states.changed[f.0 as usize].is_empty())
        {
            let why = states.compare_start(id);
            states.affected[id.0 as usize].extend(why);
        }
        states
    }

    /// Why a fragment of the new version that is the same by itself is affected.
    pub fn reasons(&self, old: &FragmentForm, new: &FragmentForm) -> Vec<Why> {
        let mut why = self.direct(old, new);
        why.extend(self.callees(new, FAR));
        why
    }

    fn compare_globals(&mut self) {
        let (old, new) = (self.same.old, self.same.new);
        for (b, id) in new.program.globals.iter().zip((0..).map(GlobalId)) {
            let mut found = Vec::new();
            if let Some(old_id) = self.same.matching.old_global(id) {
                let a = old.program.global(old_id);
                if a.storage != b.storage {
                    let words = |g: &ir::Global| {
                        if a.c_type == b.c_type { storage_words(g.storage) } else { g.c_type.to_string() }
                    };
                    found.push(GlobalDifference::Type { old: words(a), new: words(b) });
                }
                if a.constant != b.constant {
                    found.push(GlobalDifference::Constant { now: b.constant });
                }
                if a.init.is_some() != b.init.is_some() {
                    found.push(GlobalDifference::Defined { now: b.init.is_some() });
                } else if !self.same.initial_values(old_id, id) {
                    found.push(GlobalDifference::InitialValue);
                }
            }
            self.globals.push(found);
        }
        self.unstable = self
            .globals
            .iter()
            .zip(new.program.globals.iter())
            .map(|(found, b)| match found.first() {
                Some(GlobalDifference::InitialValue | GlobalDifference::Defined { .. }) if !b.constant => {
                    None
                }
                first => first.cloned(),
            })
            .collect();
        // What a constant global points to can be read through it.
        let pointers = new.forms.globals.iter().zip(0..).filter(|(_, i)| new.program.globals[*i].constant);
        let mut pointed_to_by = vec![Vec::new(); new.program.globals.len()];
        for (form, from) in pointers {
            for symbol in &form.symbols {
                if let Symbol::Global(to) = symbol {
                    pointed_to_by[to.0 as usize].push(from);
                }
            }
        }
        let mut queue: VecDeque<usize> =
            (0..self.unstable.len()).filter(|g| self.unstable[*g].is_some()).collect();
        while let Some(g) = queue.pop_front() {
            for &from in &pointed_to_by[g] {
                if self.unstable[from].is_none() {
                    let difference =
                        GlobalDifference::PointsTo { global: new.program.globals[g].name.to_string() };
                    self.unstable[from] = Some(difference.clone());
                    self.globals[from].push(difference);
                    queue.push_back(from);
                }
            }
        }
    }

    /// Fills `changed`; the result says, for functions that are the same, why they are affected even so.
    fn compare_functions(&mut self) -> Vec<Vec<Why>> {
        let (old, new) = (self.same.old, self.same.new);
        let mut direct = vec![Vec::new(); new.program.functions.len()];
        // In the order of names, so that the result does not depend on the order of declarations.
        let mut ids: Vec<FuncId> = new.program.function_ids().collect();
        ids.sort_by_key(|f| &new.program.function(*f).name);
        for id in ids {
            let Some(old_id) = self.same.matching.old_function(id) else { continue };
            let index = id.0 as usize;
            self.changed[index] = self.own_difference(old_id, id).into_iter().collect();
            if self.changed[index].is_empty() {
                let (a, b) = (&old.forms.function(old_id).whole, &new.forms.function(id).whole);
                match self.same.fragments(a, b) {
                    Verdict::Same => direct[index] = self.direct(a, b),
                    Verdict::Literals => direct[index] = vec![Why::Literal],
                    Verdict::Different => {
                        let part = |version, function| Part { version, function, loop_: None };
                        let why = first_difference(&self.same, &part(old, old_id), &part(new, id));
                        self.changed[index] = vec![why];
                    }
                }
            }
        }
        direct
    }

    /// A difference that needs no look at the text.
    fn own_difference(&self, old_id: FuncId, new_id: FuncId) -> Option<Why> {
        let (old, new) = (self.same.old.program, self.same.new.program);
        if old.target != new.target {
            return Some(Why::Machine { old: old.target.name.into(), new: new.target.name.into() });
        }
        let words = |body: &Body| match body {
            Body::Defined(_) => "defined",
            Body::Extern => "only declared",
            Body::Poisoned { .. } => "not translated",
        };
        let (a, b) = (&old.function(old_id).body, &new.function(new_id).body);
        match (a, b) {
            (Body::Defined(_), Body::Defined(_)) | (Body::Extern, Body::Extern) => None,
            (Body::Poisoned { .. }, Body::Poisoned { reason, .. }) => {
                Some(Why::Untranslated { reason: reason.to_string() })
            }
            _ => Some(Why::Body { old: words(a).into(), new: words(b).into() }),
        }
    }

    /// Globals that fragments must not take for the same, and other targets of calls through pointers.
    fn direct(&self, old: &FragmentForm, new: &FragmentForm) -> Vec<Why> {
        let mut why = Vec::new();
        for symbol in &new.canonical.symbols {
            let Symbol::Global(id) = symbol else { continue };
            if let Some(difference) = &self.unstable[id.0 as usize] {
                let name = self.same.new.program.global(*id).name.to_string();
                why.push(Why::Global { name, difference: difference.clone() });
            }
        }
        let mut added = BTreeSet::new();
        let mut removed = BTreeSet::new();
        for (before, now) in old.indirect.iter().zip(&new.indirect) {
            let before: BTreeSet<FuncId> = set(self.same.old, *before).collect();
            let now: BTreeSet<FuncId> = set(self.same.new, *now).collect();
            let matching = self.same.matching;
            let is_new = |f: &FuncId| matching.old_function(*f).is_none_or(|f| !before.contains(&f));
            let is_gone = |f: &FuncId| matching.new_function(*f).is_none_or(|f| !now.contains(&f));
            added.extend(now.iter().copied().filter(is_new));
            removed.extend(before.iter().copied().filter(is_gone));
        }
        let name = |version: &Version, id: FuncId| version.program.function(id).name.to_string();
        why.extend(added.into_iter().map(|f| Why::Target { name: name(self.same.new, f), added: true }));
        why.extend(removed.into_iter().map(|f| Why::Target { name: name(self.same.old, f), added: false }));
        why
    }

    /// The callees that are not the same and nearer than `limit` to a cause: changed ones first, then by
    /// name.
    fn callees(&self, form: &FragmentForm, limit: u32) -> Vec<Why> {
        let named = form.canonical.callees.iter().map(|f| (*f, Through::Name));
        let pointed = targets(self.same.new, form).into_iter().map(|f| (f, Through::Pointer));
        let mut list: Vec<_> = named
            .chain(pointed)
            .filter(|(f, _)| self.distance[f.0 as usize] < limit)
            .map(|(f, through)| {
                let changed = !self.changed[f.0 as usize].is_empty();
                (!changed, through == Through::Pointer, self.same.new.program.function(f).name.to_string())
            })
            .collect();
        list.sort();
        let why = |(affected, pointer, name): (bool, bool, String)| {
            let through = if pointer { Through::Pointer } else { Through::Name };
            Why::Callee { name, changed: !affected, through }
        };
        list.into_iter().map(why).collect()
    }

    /// Does the program start in another state, as far as it can notice?
    fn compare_start(&self, entry: FuncId) -> Vec<Why> {
        let new = self.same.new;
        let mut seen = vec![false; new.program.functions.len()];
        let mut seen_global = vec![false; new.program.globals.len()];
        let mut functions = vec![entry];
        let mut globals = Vec::new();
        while let Some(id) = functions.pop() {
            if std::mem::replace(&mut seen[id.0 as usize], true) {
                continue;
            }
            let form = &new.forms.function(id).whole;
            functions.extend(&form.canonical.callees);
            functions.extend(targets(new, form));
            globals.extend(form.canonical.symbols.iter().copied());
        }
        let mut found = BTreeSet::new();
        while let Some(symbol) = globals.pop() {
            let Symbol::Global(id) = symbol else { continue };
            if std::mem::replace(&mut seen_global[id.0 as usize], true) {
                continue;
            }
            globals.extend(new.forms.global(id).symbols.iter().copied());
            let differs = self.globals[id.0 as usize]
                .iter()
                .any(|d| matches!(d, GlobalDifference::InitialValue | GlobalDifference::Defined { .. }));
            if differs {
                found.insert(new.program.global(id).name.to_string());
            }
        }
        found.into_iter().map(|global| Why::InitialState { global }).collect()
    }

    /// Breadth first from all differences to those who call; sets of targets stand between a call through a
    /// pointer and the functions it may reach.
    fn spread(&mut self, direct: &[Vec<Why>]) {
        let new = self.same.new;
        let functions = new.program.functions.len();
        let mut callers = vec![Vec::new(); functions + new.forms.target_sets.len()];
        for (form, caller) in new.forms.functions.iter().zip(0..) {
            for callee in &form.whole.canonical.callees {
                callers[callee.0 as usize].push(caller);
            }
            for set in &form.whole.indirect {
                callers[functions + *set as usize].push(caller);
            }
        }
        for (set, i) in new.forms.target_sets.iter().zip(functions..) {
            for target in &set.targets {
                callers[target.0 as usize].push(i);
            }
        }
        let differs = (0..functions).filter(|&f| !self.changed[f].is_empty() || !direct[f].is_empty());
        let mut distance = distances(callers.len(), differs, |v| callers[v].iter().copied());
        distance.truncate(functions);
        self.distance = distance;
    }
}

/// All that the calls through pointers in a fragment may reach.
fn targets(version: &Version, form: &FragmentForm) -> BTreeSet<FuncId> {
    form.indirect.iter().flat_map(|s| set(version, *s)).collect()
}

fn set<'a>(version: &'a Version, index: u32) -> impl Iterator<Item = FuncId> + use<'a> {
    version.forms.target_sets[index as usize].targets.iter().copied()
}
