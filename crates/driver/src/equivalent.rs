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

use crate::Request;
use base::Budget;
use engine::Reuse;
use equiv::spec::Spec;
use equiv::verdict::ProofKind;
use equiv::{Integers, Member, Verdict};
use ir::fingerprint::{Fingerprints, Symbol, is_literal};
use ir::{Body, CallGraph, FuncId, Program};
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
    let work =
        || Pair::new(base.view(slice), request.subject.view(slice)).find(request.subject.entry, &budget);
    // A hint that could not be made is none.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_default()
}

/// Two versions, with what they are compared by.
struct Pair<'p> {
    old: &'p Program,
    new: &'p Program,
    prints: [Fingerprints; 2],
    graph: CallGraph,
}

impl<'p> Pair<'p> {
    fn new(old: &'p Program, new: &'p Program) -> Pair<'p> {
        let prints = [old, new].map(Fingerprints::compute);
        Pair { old, new, prints, graph: CallGraph::of(new) }
    }

    fn find(&self, entry: FuncId, budget: &Budget) -> Vec<FuncId> {
        if self.old.target != self.new.target || !self.globals_agree() {
            return Vec::new();
        }
        let reached: BTreeSet<FuncId> = self.graph.reachable(&[entry]).into_iter().collect();
        let (mut fine, mut proved) = (BTreeSet::new(), Vec::new());
        let mut found = Vec::new();
        let mut open = reached.iter().filter(|f| self.changed_itself(**f)).count();
        for component in self.graph.components() {
            let mut below = component.iter().flat_map(|f| self.graph.callees(*f));
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
                        false => self.partner(*f).is_some(),
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

    /// The function of that name in the old version, if both have bodies or none has.
    fn partner(&self, f: FuncId) -> Option<FuncId> {
        let new = self.new.function(f);
        let id = self.old.find_function(&new.name)?;
        let fits = matches!(
            (&self.old.function(id).body, &new.body),
            (Body::Defined(_), Body::Defined(_)) | (Body::Extern, Body::Extern)
        );
        fits.then_some(id)
    }

    fn changed_itself(&self, f: FuncId) -> bool {
        let print = |old: FuncId| self.prints[0].function(old).local;
        self.partner(f).is_none_or(|old| print(old) != self.prints[1].function(f).local)
    }

    /// It, or something that it reaches.
    fn changed(&self, f: FuncId) -> bool {
        let print = |old: FuncId| self.prints[0].function(old).global;
        self.partner(f).is_some_and(|old| print(old) != self.prints[1].function(f).global)
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
        self.old.globals.iter().zip(&self.prints[0].forms().globals).all(|(old, form)| {
            let at = self.new.globals.iter().position(|g| g.name == old.name);
            let Some(at) = at.filter(|_| !is_literal(old)) else { return true };
            let (new, other) = (&self.new.globals[at], &self.prints[1].forms().globals[at]);
            let same = || {
                form.init == other.init
                    && symbols(self.old, &form.symbols) == symbols(self.new, &other.symbols)
            };
            old.storage == new.storage && old.constant == new.constant && (!old.constant || same())
        })
    }

    /// Asks `equiv`. The others that changed and were not looked at yet are `open`; what was proved before is
    /// taken as it is.
    fn prove(&self, f: FuncId, proved: &mut Vec<(String, String)>, open: usize, budget: &Budget) -> bool {
        let Some(old) = self.partner(f) else { return false };
        let (function, before) = (self.new.function(f), self.old.function(old));
        let alike = function.ret == before.ret
            && function.param_types().eq(before.param_types())
            && !function.variadic
            && !before.variadic;
        if !alike || function.cfa().is_none() || !ends::is_plain(self.old, old) {
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
            old: self.old,
            new: self.new,
            functions: [old, f],
            spec: &spec,
            integers: Integers::Machine,
            budget: &budget,
            members: &members,
        };
        let equivalent = match equiv::engine::quick(&request) {
            Some(Verdict::Equivalent(proof)) => {
                let coupled = matches!(proof.kind, ProofKind::Coupled(_));
                coupled && (ends::always(self.old, old) || self.ends_with_new(&proof, &budget))
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
        coupling.product.same[0].keys().all(|g| ends::always(self.old, *g))
            && equiv::cotermination::ends_with_new(proof, budget)
    }
}
