//! Functions that did not change themselves, though something they call did: their summaries, with what these
//! rest on (`crate::assumed`).
//!
//! A function by itself is its own text, how the memory that it accesses is divided, what the functions it
//! calls can touch, and what the interval analysis knows inside of it. If all of that is as it was, every
//! step is, but for what comes back from calls.

use super::form::{Form, Version};
use super::load::{Reader, names, scope};
use super::precision::program;
use super::save::Writer;
use super::*;
use crate::assume_guarantee::AssumedSummary;
use encode::names::{memory, old};
use logic::Digests;

/// What a summary takes for granted of a function that is called, as it is stored: entry and exits over
/// predicates in the names of the callee.
#[derive(Serialize, Deserialize, Clone)]
pub struct Called {
    callee: String,
    predicates: Vec<String>,
    entry: Diagram,
    exits: Vec<Diagram>,
}

impl Version<'_> {
    /// What a function is without what it calls; None if it calls nothing.
    pub(super) fn own(&self, f: FuncId, form: &Form) -> Option<[u8; 32]> {
        let system = &self.model.system;
        let has_body = |g: &&FuncId| system.program.function(**g).cfa().is_some();
        let callees: Vec<FuncId> = form.canonical.callees.iter().filter(has_body).copied().collect();
        if callees.is_empty() {
            return None;
        }
        let mut digests = Digests::default();
        let mut known = vec![];
        for &cut in system.cuts(f) {
            // Cut points have the order of their numbers in the canonical form, or are told apart by what is
            // known.
            let number = form.canonical.node_index(cut).unwrap_or(u32::MAX);
            known.push((number, digests.of(self.model.ranges_at(f, cut).ok()?)));
        }
        known.sort();
        let mut parts: Vec<Vec<u8>> = vec![
            format!("{} {}", system.mode, system.program.target.name).into_bytes(),
            self.prints.function(f).local.0.to_vec(),
            form.own_places.iter().flat_map(|n| n.to_le_bytes()).collect(),
            known.iter().flat_map(|(n, digest)| [&n.to_le_bytes()[..], digest].concat()).collect(),
        ];
        parts.extend(form.regions[..form.own.0].iter().map(|r| self.layout(*r).into_bytes()));
        for g in callees {
            parts.push(self.interface(g, form).into_bytes());
            parts.push(digests.of(self.model.ranges_at_exit(g).ok()?).to_vec());
        }
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        Some(Key::of(&parts).0)
    }

    /// What a call can touch: regions by their number where the caller accesses them itself, by their name
    /// otherwise.
    fn interface(&self, callee: FuncId, form: &Form) -> String {
        let system = &self.model.system;
        let print = &system.footprints[callee.0 as usize];
        let region = |r: &RegionId| match form.regions[..form.own.0].iter().position(|own| own == r) {
            Some(number) => number.to_string(),
            None => format!("{} {}", system.regions.list[r.0 as usize].name, self.layout(*r)),
        };
        let global = |g: &ir::GlobalId| system.program.global(*g).name.to_string();
        let sorted = |list: &mut dyn Iterator<Item = String>| {
            let mut list: Vec<String> = list.collect();
            list.sort();
            list
        };
        let flags = [print.world, print.allocates, print.inputs, print.ends, print.pointer, print.unknown];
        format!(
            "{} {:?} {:?} {:?} {:?} {flags:?}",
            system.program.function(callee).name,
            sorted(&mut print.reads.iter().map(region)),
            sorted(&mut print.writes.iter().map(region)),
            sorted(&mut print.reads_globals.iter().map(global)),
            sorted(&mut print.writes_globals.iter().map(global)),
        )
    }
}

/// What an instance of a function takes for granted, its loops included; None where a part of it was not
/// explored.
pub(super) fn called(version: &Version, id: InstanceId, reach: &ReachabilityGraph) -> Option<Vec<Called>> {
    let entered = reach.loop_uses();
    let mut inside = vec![id];
    let mut next = 0;
    while let Some(&outer) = inside.get(next) {
        next += 1;
        for (_, _, inner) in entered.iter().filter(|(by, ..)| *by == outer) {
            if reach.instance(*inner).hole.is_some() {
                return None;
            }
            if !inside.contains(inner) {
                inside.push(*inner);
            }
        }
    }
    let mut callees: Vec<InstanceId> =
        reach.calls().filter(|(by, _)| inside.contains(by)).map(|(_, callee)| callee).collect();
    callees.sort();
    callees.dedup();
    let list = callees.into_iter().map(|callee| {
        let instance = reach.instance(callee);
        let mut writer = Writer::default();
        let entry = writer.diagram(&instance.entry, &reach.predicates);
        let exits = instance.exits.iter().map(|e| writer.diagram(&e.state, &reach.predicates)).collect();
        let name = version.model.system.program.function(instance.fragment.function()).name.to_string();
        let predicates = writer.list.iter().map(|id| with_lets(reach.predicates.term(*id))).collect();
        Called { callee: name, predicates, entry, exits }
    });
    Some(list.collect())
}

/// For functions without summaries: those they had, if they are what they were but for what they call. What
/// was found leaves `missing`.
pub(super) fn load_callers(
    version: &Version,
    store: &Store,
    label: &str,
    missing: &mut Vec<Fragment>,
    reach: &mut ReachabilityGraph,
) -> Vec<(Fragment, usize)> {
    let Some(program) = program(version, store, label) else { return Vec::new() };
    let mut found = Vec::new();
    for &fragment in missing.iter() {
        let Fragment::Function(f) = fragment else { continue };
        let Some(record) = program.record(version, store, f) else { continue };
        let form = version.form(fragment);
        if record.own.is_none() || record.own != version.own(f, &form) {
            continue;
        }
        let count = read(version, fragment, form, &record, reach);
        if let Some(count @ 1..) = count {
            found.push((fragment, count));
        }
    }
    missing.retain(|fragment| !found.iter().any(|(other, _)| other == fragment));
    found
}

fn read(
    version: &Version,
    fragment: Fragment,
    form: Form,
    record: &Record,
    reach: &mut ReachabilityGraph,
) -> Option<usize> {
    // What it accesses itself is found by position, the rest by name.
    let own = Form {
        regions: form.regions[..form.own.0].to_vec(),
        addresses: form.addresses[..form.own.1].to_vec(),
        ..form
    };
    let view = version.model.view(fragment.function()).ok()?;
    let mut names = names(version, fragment, &own, record)?;
    for (region, i) in version.model.system.regions.list.iter().zip(0..) {
        if !own.regions.contains(&RegionId(i)) {
            names.entry(memory(&region.name)).or_insert(view.now.memory[i as usize]);
            names.entry(old(memory(&region.name))).or_insert(view.old.memory[i as usize]);
        }
    }
    let addresses: Vec<(&String, &String)> = record.addresses.iter().zip(&own.addresses).collect();
    let cuts = version.cuts(fragment, &own);
    let reader = Reader::named(version, fragment, &names, &addresses, cuts, record, &mut reach.predicates)?;
    let mut count = 0;
    for summary in &record.summaries {
        let Some(calls) = &summary.calls else { continue };
        let assumed: Option<Vec<AssumedSummary>> =
            calls.iter().map(|call| assumed(version, call, reach)).collect();
        let Some(assumed) = assumed.filter(|list| !list.is_empty()) else { continue };
        if let Some(inherited) = reader.summary(summary, &reach.predicates) {
            reach.inherited.push(Inherited { carried: true, assumed, ..inherited });
            count += 1;
        }
    }
    Some(count)
}

fn assumed(version: &Version, called: &Called, reach: &mut ReachabilityGraph) -> Option<AssumedSummary> {
    let callee = version.model.system.program.find_function(&called.callee)?;
    // Where nothing needs names, making them would be most of the work.
    let scope = match called.predicates.is_empty() {
        true => Scope::new(),
        false => scope(version, Fragment::Function(callee))?,
    };
    let mut numbers = Vec::new();
    for text in &called.predicates {
        let term = parse_term(text, &scope).ok()?;
        let id = reach.predicates.number(term)?;
        numbers.push((id, reach.predicates.term(id) == term));
    }
    let number = |n: u16| numbers.get(usize::from(n)).copied();
    let state = |diagram: &Diagram| diagram.state(&reach.predicates, number);
    let exits = called.exits.iter().map(state).collect::<Option<Vec<Bdd>>>()?;
    Some(AssumedSummary { callee, entry: state(&called.entry)?, exits })
}
