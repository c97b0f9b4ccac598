//! Functions that changed, but do what they did: their summaries need not be found again.
//!
//! The one idea: engines do not know of each other, so it is found out here, by `equiv`, and handed to the
//! prover as a fact about the two programs. What is needed is one direction: whatever the new function does
//! (return, change, fail), the old one does in the same state. `equiv` compares how runs end, failed checks
//! included, and what they leave behind, but only where both versions end. So besides its proof, every run of
//! the old function has to end ([`ends`]), or the proof has to show that it does where the new one does.
//! Inputs that `equiv` does not count because memory is misused there are counted by its proofs all the same,
//! so proofs count here, and that no difference was seen does not.
//!
//! A function that did not change itself, but calls one that did, does what it did if all that it reaches
//! does. Functions are looked at from the callees upwards, as the prover sees them: in the slices.

mod ends;

use crate::{Request, certificate};
use base::Budget;
use change::Pair;
use engine::Reuse;
use equiv::spec::Spec;
use equiv::verdict::ProofKind;
use equiv::{Integers, Member, Verdict};
use ir::fingerprint::{Symbol, is_literal};
use ir::{FuncId, Program};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// Where the last proof took less, slicing both versions and asking at all may take longer than the proof
/// without it.
const WORTHWHILE: Duration = Duration::from_millis(300);
/// The part of what the last proof took that may be spent in the hope of saving the rest, and the most.
const PART: u32 = 5;
const MOST: Duration = Duration::from_secs(2);
/// The part of the time that is left.
const OF_BUDGET: u32 = 10;

/// The functions of the request's program that do no more than the ones of the same names in its base, of
/// those whose content changed. `took`: what the last proof took.
pub(crate) fn find(request: &Request, took: Option<Duration>, budget: &Budget) -> Vec<FuncId> {
    let reuse = &request.settings.reuse;
    let Some(base) = request.base.filter(|_| reuse.equivalent && reuse.procedures) else { return Vec::new() };
    // Without a store nothing is known of the base.
    if request.store.is_none() {
        return Vec::new();
    }
    // Whoever picks the ways of reuse measures them: then time does not decide.
    let limit = match took {
        Some(took) if took >= WORTHWHILE => (took / PART).min(MOST),
        _ if *reuse != Reuse::ALL => MOST,
        _ => return Vec::new(),
    };
    let budget = budget.part(OF_BUDGET).within(limit);
    request.progress.note("looking for changed functions that do what they did");
    let slice = request.settings.slice;
    let work = || {
        let pair = Pair::new(base.view(slice), request.subject.view(slice));
        Search { pair }.find(request.subject.entry, &budget)
    };
    // A hint that could not be made is none.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_default()
}

/// The functions of the new version that do what they did.
struct Search<'p> {
    pair: Pair<'p>,
}

impl Search<'_> {
    fn find(&self, entry: FuncId, budget: &Budget) -> Vec<FuncId> {
        let graph = self.pair.graphs()[1];
        if self.pair.old.target != self.pair.new.target || !self.globals_agree() {
            return Vec::new();
        }
        let reached: BTreeSet<FuncId> = graph.reachable(&[entry]).into_iter().collect();
        let (mut fine, mut proved) = (BTreeSet::new(), Vec::new());
        let mut found = Vec::new();
        let mut open = reached.iter().filter(|f| self.changed_itself(**f)).count();
        for component in graph.components() {
            let mut below = component.iter().flat_map(|f| graph.callees(*f));
            let all_fine = below.all(|g| fine.contains(g) || component.contains(g));
            let component: Vec<FuncId> = component.iter().copied().filter(|f| reached.contains(f)).collect();
            let does_as_before = |f: &FuncId| {
                let changed = self.changed_itself(*f);
                if changed {
                    open = open.saturating_sub(1);
                }
                // What is in the way of one is in the way of all that call it.
                all_fine
                    && match changed {
                        false => self.pair.predecessor(*f).is_some(),
                        true => component.len() == 1 && self.prove(*f, &mut proved, open, budget),
                    }
            };
            // Those that call each other are fine together, or not at all.
            if component.iter().all(does_as_before) {
                fine.extend(component.iter().copied());
                found.extend(component.into_iter().filter(|f| self.changed(*f)));
            }
        }
        found.sort();
        found
    }

    fn changed_itself(&self, f: FuncId) -> bool {
        self.pair.predecessor(f).is_none_or(|old| !self.pair.same_text(old, f))
    }

    /// It, or something that it reaches.
    fn changed(&self, f: FuncId) -> bool {
        self.pair.predecessor(f).is_some_and(|old| !self.pair.same(old, f))
    }

    /// Are variables of one name alike, and constants the same? Literals have no names of their own.
    fn globals_agree(&self) -> bool {
        let symbol = |program: &Program, symbol: &Symbol| match symbol {
            Symbol::Function(f) => program.function(*f).name.clone(),
            Symbol::Global(g) => program.global(*g).name.clone(),
        };
        let symbols = |program: &Program, list: &[Symbol]| -> Vec<_> {
            list.iter().map(|s| symbol(program, s)).collect()
        };
        let ([before, after], [old, new]) = (self.pair.programs(), self.pair.prints());
        before.globals.iter().zip(&old.forms().globals).all(|(old, form)| {
            let at = after.globals.iter().position(|g| g.name == old.name);
            let Some(at) = at.filter(|_| !is_literal(old)) else { return true };
            let (global, other) = (&after.globals[at], &new.forms().globals[at]);
            let same = || {
                form.init == other.init && symbols(before, &form.symbols) == symbols(after, &other.symbols)
            };
            old.storage == global.storage && old.constant == global.constant && (!old.constant || same())
        })
    }

    /// Asks `equiv`. The others that changed and were not looked at yet are `open`; what was proved before is
    /// taken as it is.
    fn prove(&self, f: FuncId, proved: &mut Vec<(String, String)>, open: usize, budget: &Budget) -> bool {
        let Some(old) = self.pair.predecessor(f) else { return false };
        let (function, before) = (self.pair.new.function(f), self.pair.old.function(old));
        let alike = self.pair.same_signature(old, f);
        if !alike || function.cfa().is_none() || !ends::is_plain(self.pair.old, old) {
            return false;
        }
        if budget.check(0).is_err() {
            return false;
        }
        // One that is hard does not take the time of all others.
        let budget = budget.parts(2, open as u32 + 2);
        let spec = Spec { assume_equivalent: proved.clone(), ..Spec::default() };
        let members = [Member::Concrete, Member::Candidates];
        let request = equiv::Request {
            pair: &self.pair,
            functions: [old, f],
            spec: &spec,
            integers: Integers::Machine,
            budget: &budget,
            members: &members,
        };
        let equivalent = match equiv::engine::quick(&request, &certificate::confirm) {
            Some(Verdict::Equivalent(proof)) => {
                let coupled = matches!(proof.kind, ProofKind::Coupled(_));
                coupled && (ends::always(self.pair.old, old) || self.ends_with_new(&proof, &budget))
            }
            _ => false,
        };
        if equivalent {
            proved.push((before.name.to_string(), function.name.to_string()));
        }
        equivalent
    }

    /// The loops end where those of the new version do, and what is called on the way always ends.
    fn ends_with_new(&self, proof: &equiv::Proof, budget: &Budget) -> bool {
        let ProofKind::Coupled(coupling) = &proof.kind else { return false };
        coupling.product.same[0].keys().all(|g| ends::always(self.pair.old, *g))
            && equiv::cotermination::ends_with_new(proof, budget)
    }
}
