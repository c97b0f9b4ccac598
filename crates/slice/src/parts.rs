//! Dividing the checks of a program, so that each part can be proved by itself.
//!
//! The checks of one function stay together. What they depend on is found with ever higher limits, for all
//! functions in turn, as long as that costs little more than slicing the whole program once. Functions whose
//! slices come to an end are parts; those whose slices have the same functions in them are one part, since
//! what is proved of one helps the other. What is left when the limit is no longer worth it has much in
//! common, and stays together.

use crate::ahead::goals;
use crate::depend::Relevance;
use crate::{Checks, Slicer};
use ir::FuncId;
use ir::fingerprint::Fingerprint;
use rustc_hash::FxHashMap;

fn whole_only() -> Vec<Part> {
    vec![Part { checks: Checks::All, print: None }]
}

/// Of slices, in operations: a program that has no more is not divided.
const SMALL: usize = 24;
/// The first limit: so many times what each has of the whole slice if they have nothing in common.
const FIRST: usize = 2;
/// How many times the whole slice may be searched for that.
const MOST: usize = 4;
/// How much larger than the whole slice all slices together may be, in percent: what two parts have in common
/// is proved twice.
const SHARED: usize = 250;

/// Some of the checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    pub checks: Checks,
    /// What their slice is, if that can be told without making it: equal prints mean equal slices.
    pub print: Option<Fingerprint>,
}

impl Slicer {
    /// The checks of the program, divided; a single part if there is nothing to gain. Sorted by functions.
    pub fn parts(&self) -> Vec<Part> {
        let has_checks = |f: &FuncId| goals(&self.program, &self.reach, *f).next().is_some();
        let mut open: Vec<FuncId> = self.reach.functions().filter(has_checks).collect();
        let Some((_, whole)) = self.relevance(&Checks::All, usize::MAX) else { return whole_only() };
        if open.len() < 2 || whole.size <= SMALL {
            return whole_only();
        }
        let mut sizes = 0;
        let mut parts: FxHashMap<Vec<FuncId>, (Vec<FuncId>, Option<Fingerprint>)> = FxHashMap::default();
        let mut limit = (FIRST * whole.size / open.len()).max(SMALL);
        while !open.is_empty() && open.len() * limit <= MOST * whole.size {
            open.retain(|&f| match self.relevance(&Checks::In([f].into()), limit) {
                Some((ahead, found)) => {
                    let (list, print) = parts.entry(self.footprint(&found)).or_default();
                    // The others of a part are about the same functions.
                    sizes += if list.is_empty() { found.size } else { 0 };
                    *print = if list.is_empty() { self.print(&ahead, &found) } else { None };
                    list.push(f);
                    false
                }
                None => true,
            });
            limit *= 2;
        }
        let mut parts: Vec<(Vec<FuncId>, Option<Fingerprint>)> = parts.into_values().collect();
        if !open.is_empty() {
            let rest = self.relevance(&Checks::of(open.clone()), usize::MAX);
            sizes += rest.map_or(0, |(_, rest)| rest.size);
            parts.push((open, None));
        }
        parts.sort();
        match parts.len() {
            0 | 1 => whole_only(),
            _ if 100 * sizes > SHARED * whole.size => whole_only(),
            _ => parts.into_iter().map(|(f, print)| Part { checks: Checks::of(f), print }).collect(),
        }
    }

    /// A function with one of these checks that is in none of the parts, if there is one.
    pub fn uncovered(&self, checks: &Checks, parts: &[&Checks]) -> Option<FuncId> {
        let has_checks = |f: &FuncId| goals(&self.program, &self.reach, *f).next().is_some();
        let mut asked = self.reach.functions().filter(|f| checks.contains(*f)).filter(has_checks);
        asked.find(|f| !parts.iter().any(|part| part.contains(*f)))
    }

    /// The functions of a slice, but for the entry, which all have.
    fn footprint(&self, relevance: &Relevance) -> Vec<FuncId> {
        relevance.functions().filter(|f| *f != self.reach.entry).collect()
    }
}
