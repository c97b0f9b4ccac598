//! The upgrade check (Algorithm 2 of paper 002, with the optimisation of its section III-B).
//!
//! ```text
//! D := calls of changed functions
//! while D is not empty:
//!     f := a call in D with none of D below it
//!     if f has a summary and it still holds of f, with valid summaries in the place of the calls below: go on
//!     else: the summary is invalid; D gets the caller of f; at the entry: the error is real
//! ```
//!
//! Where a check succeeds, the calls that were looked into on the way get new summaries from its proof. Where
//! a check fails, summaries on the path of the counterexample are replaced by the calls themselves, and it is
//! tried again (refinement), until there is none.
//!
//! Deviations. A summary is bound to the context it was made in (constants and objects), so a call also
//! counts as fallen if the function now needs or changes something that the context does not know. A summary
//! stands for a call by applicability, not by place. Functions are compared as they are after slicing, so
//! that changes that no check can notice are none. When the entry falls, the error trace is not reconstructed
//! from the formula: the program is verified from scratch, without borders between calls.

use crate::exec::{CallId, Exec, Limits, Stop};
use crate::formula::Failure;
use crate::knowledge::{Knowledge, Node, Version};
use crate::local::CHECKED;
use crate::partition::{Outcome, Partitions, Stand, system};
use crate::statistics::Statistics;
use crate::summary;
use ::engine::{CallState, Decision, Scenario, Settings};
use base::Budget;
use encode::Regions;
use ir::{FuncId, Program};
use logic::Term;
use sat::{Lit, Proof};
use std::collections::BTreeSet;
use std::time::Instant;

/// The outcome of an upgrade check, or of a first verification with summaries.
pub enum Upgrade {
    Safe(Box<Knowledge>),
    /// The entry's check failed: an error, or something else that only a verification from scratch can tell.
    Open,
}

/// What was done, for people.
#[derive(Default)]
pub struct Story {
    pub decisions: Vec<Decision>,
    /// By call of the old tree.
    pub states: Vec<CallState>,
}

pub enum Trouble {
    Stopped,
    /// No formula, or no proof, for this reason.
    Other(String),
}

impl From<Stop> for Trouble {
    fn from(stop: Stop) -> Trouble {
        match stop {
            Stop::Budget(_) => Trouble::Stopped,
        }
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Trouble {
        match failure {
            Failure::Stopped(_) => Trouble::Stopped,
            Failure::Refused(refused) => Trouble::Other(refused.to_string()),
        }
    }
}

impl From<sat::ProofFailure> for Trouble {
    fn from(failure: sat::ProofFailure) -> Trouble {
        match failure {
            sat::ProofFailure::Stopped(_) => Trouble::Stopped,
            other => Trouble::Other(other.to_string()),
        }
    }
}

/// After so many refinements all calls are looked into.
const MOST_REFINEMENTS: u32 = 4;

/// Everything a check needs.
pub struct Checker<'a> {
    pub program: &'a Program,
    pub entry: FuncId,
    pub limits: Limits,
    pub settings: &'a Settings,
    pub budget: &'a Budget,
    pub regions: &'a Regions,
    pub statistics: &'a mut Statistics,
}

/// The answer of one check.
enum Checked<'p> {
    /// With the execution, the partitions' summaries by call, where calls were looked into.
    Holds(Box<Exec<'p>>, Vec<Option<Vec<u8>>>, bool),
    Falls(String),
}

impl<'a> Checker<'a> {
    /// Verifies the program once, with summaries for all calls (Algorithm 1).
    pub fn bootstrap(&mut self, version: &Version, complete: bool) -> Result<Upgrade, Trouble> {
        let start = Instant::now();
        let known = crate::apply::Known::default();
        match self.check_entry(known, &[], complete)? {
            Checked::Holds(exec, summaries, complete) => {
                let mut knowledge = Knowledge::of(&exec, version, complete);
                for (i, bytes) in summaries.into_iter().enumerate() {
                    knowledge.calls[i].record = record(&exec, CallId(i as u32), bytes);
                }
                knowledge.seconds = start.elapsed().as_secs_f64();
                Ok(Upgrade::Safe(Box::new(knowledge)))
            }
            Checked::Falls(_) => Ok(Upgrade::Open),
        }
    }

    /// Checks a new version against what is known of an old one.
    pub fn upgrade(
        &mut self,
        old: Knowledge,
        version: &Version,
        story: &mut Story,
    ) -> Result<Upgrade, Trouble> {
        let start = Instant::now();
        let mut tree = old;
        let changed: Vec<bool> = tree
            .calls
            .iter()
            .map(|node| match (version.functions.get(&node.function), tree.functions.get(&node.function)) {
                (Some(new), Some(old)) => new != old,
                _ => true,
            })
            .collect();
        let count = tree.calls.len();
        story.states = vec![CallState::Untouched; count];
        let mut valid: Vec<bool> = changed.iter().map(|changed| !changed).collect();
        let mut to_check: BTreeSet<usize> = (0..count).filter(|i| changed[*i]).collect();
        if tree.globals != version.globals {
            to_check.insert(0);
            decide(story, "globals", ::engine::Outcome::Rejected, "a global or its initial value changed");
        }
        let mut new_parts: Vec<(usize, Part)> = Vec::new();
        let mut complete = tree.complete;
        while let Some(i) = to_check.pop_last() {
            self.budget.check(0).map_err(|_| Trouble::Stopped)?;
            let known = tree.known(|k| valid[k] && k != i);
            let result = match i {
                0 => self.check_entry(known, &tree.addresses, tree.complete)?,
                _ => self.check_call(&tree, i, known)?,
            };
            let path = tree.calls[i].path.clone();
            match result {
                Checked::Holds(exec, summaries, still_complete) => {
                    if i == 0 {
                        complete = still_complete;
                    }
                    valid[i] = true;
                    story.states[i] = CallState::Held;
                    let why = if changed[i] { "the function changed" } else { "a call below changed" };
                    let what = format!("{why}; the summary still holds");
                    decide(story, &path, ::engine::Outcome::Rechecked, &what);
                    let part = part(&tree, i, &exec, summaries);
                    for node in part.calls.iter().filter(|node| node.old.is_none()) {
                        let name = &node.node.path;
                        decide(story, name, ::engine::Outcome::Rebuilt, "looked into; has a new summary");
                        if let Some(k) = tree.calls.iter().position(|old| old.path == *name) {
                            story.states[k] = match story.states[k] {
                                CallState::Fell => CallState::Rebuilt,
                                CallState::Untouched => CallState::Inlined,
                                other => other,
                            };
                        }
                    }
                    tree.addresses = exec.objects.addresses();
                    new_parts.push((i, part));
                }
                Checked::Falls(why) => {
                    valid[i] = false;
                    story.states[i] = CallState::Fell;
                    decide(story, &path, ::engine::Outcome::Rejected, &why);
                    // Other calls of the function would fall the same way; their callers decide, without a
                    // check of each.
                    let same = |k: &usize| *k == i || tree.calls[*k].function == tree.calls[i].function;
                    let fallen: Vec<usize> = to_check.iter().copied().filter(same).chain([i]).collect();
                    for k in fallen {
                        valid[k] = false;
                        story.states[k] = CallState::Fell;
                        to_check.remove(&k);
                        match tree.calls[k].parent {
                            Some(parent) => {
                                to_check.insert(parent as usize);
                            }
                            None => return Ok(Upgrade::Open),
                        }
                    }
                }
            }
        }
        let reused = story.states.iter().filter(|s| **s == CallState::Untouched).count();
        self.statistics.calls_reused = Some(reused);
        self.statistics.calls_checked = new_parts.len();
        let calls = rebuild(&tree, new_parts, &valid);
        let knowledge = Knowledge {
            complete,
            unwound: None,
            seconds: tree.seconds.max(start.elapsed().as_secs_f64()),
            functions: version.functions.clone(),
            globals: version.globals,
            calls,
            ..tree
        };
        Ok(Upgrade::Safe(Box::new(knowledge)))
    }

    /// Can no check fail? `complete`: try to exclude executions beyond the bounds, too.
    fn check_entry(
        &mut self,
        mut known: crate::apply::Known,
        addresses: &[(String, u64, u64)],
        complete: bool,
    ) -> Result<Checked<'a>, Trouble> {
        let mut refinements = 0;
        loop {
            let mut exec = self.exec(addresses);
            exec.known = Some(known);
            let entry = self.entry;
            self.executed(|| exec.run(entry))?;
            let (error, gap) = exec.failures(CallId(0));
            let attempts: &[(Term, bool)] = match complete {
                _ if gap.is_false() => &[(error, true)],
                false => &[(error, false)],
                true => &[(error.or(gap), true), (error, false)],
            };
            let mut answer = None;
            let mut on_path = Vec::new();
            for (goal, whole) in attempts {
                let (mut partitions, outcome) =
                    self.settle(&exec, CallId(0), &|partitions| Ok(partitions.circuit(*goal)?))?;
                if let Outcome::Unsat(proof) = outcome {
                    answer = Some((self.summarise(&exec, &partitions, &proof)?, *whole));
                    break;
                }
                on_path = self.on_path(&exec, &mut partitions)?;
            }
            if let Some((summaries, whole)) = answer {
                return Ok(Checked::Holds(Box::new(exec), summaries, whole));
            }
            known = exec.known.take().unwrap_or_default();
            if on_path.is_empty() || known.expand_all {
                return Ok(Checked::Falls("a check can fail".to_owned()));
            }
            refinements += 1;
            known.expand_all = refinements > MOST_REFINEMENTS;
            known.expand.extend(on_path);
            self.statistics.refinements += 1;
        }
    }

    /// Does the summary of a call still hold?
    fn check_call(
        &mut self,
        tree: &Knowledge,
        index: usize,
        mut known: crate::apply::Known,
    ) -> Result<Checked<'a>, Trouble> {
        let node = &tree.calls[index];
        let Some(record) = node.record.as_ref().filter(|r| !r.summary.is_empty()) else {
            return Ok(Checked::Falls("there is no summary".to_owned()));
        };
        let Some(id) = self.program.find_function(&node.function) else {
            return Ok(Checked::Falls("the function is gone".to_owned()));
        };
        let Some((aig, root)) = record.circuit() else {
            return Ok(Checked::Falls("the summary cannot be read".to_owned()));
        };
        let mut refinements = 0;
        loop {
            let mut exec = self.exec(&tree.addresses);
            exec.known = Some(known);
            let fits = self.executed(|| exec.run_alone(id, &node.path, record))?;
            if !fits {
                return Ok(Checked::Falls("its parameters, or what it was given, changed".to_owned()));
            }
            if exec.missed {
                return Ok(Checked::Falls("it reads what it did not read before".to_owned()));
            }
            let Some(fit) = exec.fit(record, tree.complete) else {
                return Ok(Checked::Falls("it changes what it did not change before".to_owned()));
            };
            let imports: Vec<Term> = exec.calls[1]
                .interface
                .as_ref()
                .map(|i| i.imports.iter().map(|p| p.inner).collect())
                .unwrap_or_default();
            let goal = |partitions: &mut Partitions| {
                let holds = partitions.import(&aig, root, &imports, &fit.exports)?;
                let obliged = partitions.circuit(Term::all(fit.obligations.iter().copied()))?;
                Ok(!partitions.aig().and(holds, obliged))
            };
            let (mut partitions, outcome) = self.settle(&exec, CHECKED, &goal)?;
            if let Outcome::Unsat(proof) = outcome {
                let summaries = self.summarise(&exec, &partitions, &proof)?;
                return Ok(Checked::Holds(Box::new(exec), summaries, tree.complete));
            }
            let on_path = self.on_path(&exec, &mut partitions)?;
            known = exec.known.take().unwrap_or_default();
            if on_path.is_empty() || known.expand_all {
                return Ok(Checked::Falls("its summary does not hold any more".to_owned()));
            }
            refinements += 1;
            known.expand_all = refinements > MOST_REFINEMENTS;
            known.expand.extend(on_path);
            self.statistics.refinements += 1;
        }
    }

    fn exec(&self, addresses: &[(String, u64, u64)]) -> Exec<'a> {
        let limits = Limits { cut: true, ..self.limits.clone() };
        let mut exec = Exec::new(self.program, self.entry, limits, self.regions, self.budget);
        exec.objects.reserve(addresses);
        exec
    }

    fn executed<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.statistics.executing += start.elapsed();
        result
    }

    /// One interpolant for every call that was looked into, as bytes.
    fn summarise(
        &mut self,
        exec: &Exec,
        partitions: &Partitions,
        proof: &Proof,
    ) -> Result<Vec<Option<Vec<u8>>>, Trouble> {
        let start = Instant::now();
        let other = |what: &str| Trouble::Other(what.to_owned());
        let tree = partitions.tree().ok_or_else(|| other("calls that are no tree"))?;
        let interpolants = sat::interpolate(proof, &tree, system(self.settings.bmc.system), self.budget)
            .map_err(|e| other(&e.to_string()))?;
        if self.settings.audit {
            let clauses = partitions.asserted();
            let faults =
                sat::check(&clauses, &tree, &interpolants, self.budget).map_err(|_| Trouble::Stopped)?;
            if let Some(fault) = faults.first() {
                return Err(Trouble::Other(format!("an interpolant is none: {fault:?}")));
            }
        }
        let calls: Vec<CallId> = (0..exec.calls.len() as u32).map(CallId).collect();
        let mut gates = 0;
        let mut largest = 0;
        let bytes =
            partitions.summaries(&interpolants, &calls).into_iter().zip(&exec.calls).map(|(found, call)| {
                if call.stand.is_some() {
                    return None;
                }
                let (aig, root) = found?;
                let (aig, roots) = aig.reduce(&[root], self.budget);
                let size = aig.size(&roots);
                gates += size;
                largest = largest.max(size);
                Some(aig.to_bytes(&roots))
            });
        let bytes = bytes.collect();
        self.statistics.interpolating += start.elapsed();
        self.statistics.interpolant_gates += gates;
        self.statistics.largest_interpolant = largest;
        Ok(bytes)
    }

    /// Decides whether `goal`, in the formula of `call`, is possible. In the lazy scenario calls without a
    /// summary are left out at first; those that a counterexample goes through are put in, until there is
    /// none among them.
    fn settle<'e>(
        &mut self,
        exec: &'e Exec<'a>,
        call: CallId,
        goal: &dyn Fn(&mut Partitions<'e, 'a>) -> Result<Lit, Trouble>,
    ) -> Result<(Partitions<'e, 'a>, Outcome), Trouble> {
        let mut left_out: BTreeSet<usize> = match self.settings.bmc.scenario {
            Scenario::Eager => BTreeSet::new(),
            Scenario::Lazy => {
                (call.0 as usize + 1..exec.calls.len()).filter(|i| exec.calls[*i].stand.is_none()).collect()
            }
        };
        loop {
            let mut stands = stands(exec);
            left_out.iter().for_each(|i| stands[*i] = Stand::Havoc);
            let mut partitions = Partitions::new(exec, stands);
            let lit = goal(&mut partitions)?;
            let start = Instant::now();
            let outcome = partitions.holds(call, lit, self.budget)?;
            self.statistics.solving += start.elapsed();
            if matches!(outcome, Outcome::Sat) {
                let on_path = happening(exec, &mut partitions, &|i| left_out.contains(&i))?;
                if !on_path.is_empty() {
                    self.statistics.calls_put_in += on_path.len();
                    on_path.iter().for_each(|i| {
                        left_out.remove(i);
                    });
                    continue;
                }
            }
            return Ok((partitions, outcome));
        }
    }

    /// The summaries that the counterexample goes through.
    fn on_path(&mut self, exec: &Exec, partitions: &mut Partitions) -> Result<Vec<String>, Trouble> {
        let found = happening(exec, partitions, &|i| exec.calls[i].stand.is_some())?;
        Ok(found.into_iter().map(|i| exec.calls[i].path.clone()).collect())
    }
}

/// The calls, among those that the formula asks something of, that happen in the model.
fn happening(
    exec: &Exec,
    partitions: &mut Partitions,
    among: &dyn Fn(usize) -> bool,
) -> Result<Vec<usize>, Trouble> {
    let calls: Vec<usize> =
        (0..exec.calls.len()).filter(|i| among(*i) && partitions.is_used(CallId(*i as u32))).collect();
    // A call happens if its guard holds in its caller, and the caller happens.
    let mut guards = Vec::new();
    let mut spans = Vec::new();
    for i in &calls {
        let first = guards.len();
        let mut at = Some(*i);
        while let Some(k) = at {
            guards.push(exec.calls[k].guard);
            at = exec.calls[k].parent.map(|p| p.0 as usize);
        }
        spans.push(first..guards.len());
    }
    let values = partitions.values(&guards)?;
    let happen = calls.iter().zip(spans).filter(|(_, span)| values[span.clone()].iter().all(|v| *v));
    Ok(happen.map(|(i, _)| *i).collect())
}

/// A subtree as it is after a check: the checked call's, without itself.
struct Part {
    calls: Vec<PartNode>,
}

struct PartNode {
    /// In the part; None: a child of the checked call.
    parent: Option<usize>,
    node: Node,
    /// A call of the old tree whose summary stands for it, with all that is below.
    old: Option<usize>,
}

fn part(tree: &Knowledge, checked: usize, exec: &Exec, summaries: Vec<Option<Vec<u8>>>) -> Part {
    let first = if checked == 0 { 1 } else { 2 };
    let mut calls = Vec::new();
    let stands = exec.known.as_ref();
    for (i, bytes) in summaries.into_iter().enumerate().skip(first) {
        let call = &exec.calls[i];
        let parent = call.parent.map(|p| p.0 as usize).filter(|p| *p >= first).map(|p| p - first);
        let old = call.stand.and_then(|k| stands.map(|known| known.calls[k].node));
        let record = match old {
            Some(k) => tree.calls[k].record.clone(),
            None => record(exec, CallId(i as u32), bytes),
        };
        let function = exec.program.function(call.function).name.to_string();
        calls.push(PartNode {
            parent,
            node: Node { parent: None, function, path: call.path.clone(), record },
            old,
        });
    }
    Part { calls }
}

/// The tree of the new version: checked calls have new subtrees, all others keep theirs.
fn rebuild(tree: &Knowledge, parts: Vec<(usize, Part)>, valid: &[bool]) -> Vec<Node> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); tree.calls.len()];
    for (i, node) in tree.calls.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent as usize].push(i);
        }
    }
    let mut new = Vec::new();
    let mut work: Vec<(Item, Option<u32>)> = vec![(Item::Old(0), None)];
    let part_of = |i: usize| parts.iter().rev().find(|(k, _)| *k == i).map(|(_, part)| part);
    enum Item {
        Old(usize),
        /// Of the part of a checked call, this one.
        New(usize, usize),
    }
    while let Some((item, parent)) = work.pop() {
        let (node, below) = match item {
            Item::Old(i) => (tree.calls[i].clone(), Some(i)),
            Item::New(i, k) => {
                let Some(part) = part_of(i) else { continue };
                let node = part.calls[k].node.clone();
                if let Some(old) = part.calls[k].old {
                    (node, Some(old))
                } else {
                    let at = new.len() as u32;
                    new.push(Node { parent, ..node });
                    for (c, other) in part.calls.iter().enumerate() {
                        if other.parent == Some(k) {
                            work.push((Item::New(i, c), Some(at)));
                        }
                    }
                    continue;
                }
            }
        };
        let at = new.len() as u32;
        new.push(Node { parent, ..node });
        let Some(i) = below else { continue };
        match part_of(i).filter(|_| valid[i]) {
            Some(part) => {
                let tops = part.calls.iter().enumerate().filter(|(_, c)| c.parent.is_none());
                work.extend(tops.map(|(c, _)| (Item::New(i, c), Some(at))));
            }
            None => work.extend(children[i].iter().map(|c| (Item::Old(*c), Some(at)))),
        }
    }
    new
}

fn record(exec: &Exec, call: CallId, bytes: Option<Vec<u8>>) -> Option<summary::Record> {
    let mut record = summary::record(exec, call)?;
    record.summary = bytes?;
    Some(record)
}

fn stands(exec: &Exec) -> Vec<Stand> {
    let known = exec.known.as_ref();
    let stand = |call: &crate::exec::Call| match call.stand {
        Some(k) => match known.and_then(|known| known.calls.get(k)).and_then(|call| call.record.circuit()) {
            Some((aig, root)) => Stand::Summary(aig, root),
            // What cannot be read says nothing.
            None => Stand::Havoc,
        },
        None => Stand::Inline,
    };
    exec.calls.iter().map(stand).collect()
}

fn decide(story: &mut Story, about: &str, outcome: ::engine::Outcome, reason: &str) {
    let reason = reason.to_owned();
    story.decisions.push(Decision { about: about.to_owned(), outcome, reason });
}
