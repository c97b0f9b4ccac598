//! From complete instances to records.

use super::callers::called;
use super::form::{Form, Version, is_alone};
use super::precision::precision;
use super::*;

/// Keeps the summaries of all instances that are complete, and the precisions. How many bytes were written,
/// and how many summaries there are.
pub fn save(version: &Version, store: &Store, label: &str, reach: &mut ReachabilityGraph) -> (u64, u64) {
    let complete = reach.complete();
    let mut by_fragment: FxHashMap<Fragment, Vec<Source>> = FxHashMap::default();
    for id in complete {
        let instance = reach.instance(id);
        let source = instance.hole.map_or(Source::SummaryInstance(id), Source::Inherited);
        by_fragment.entry(instance.fragment).or_default().push(source);
    }
    // What rests on the summaries of equivalent functions finds them with these functions as they are now.
    let equivalent = |s: &Inherited| s.carried && !s.expanded && s.assumed.is_empty();
    for (i, inherited) in reach.inherited.iter().enumerate().filter(|(_, s)| equivalent(s)) {
        let list = by_fragment.entry(inherited.fragment).or_default();
        if !list.contains(&Source::Inherited(i)) {
            list.push(Source::Inherited(i));
        }
    }
    let mut artefacts = Vec::new();
    let mut latest = Vec::new();
    let mut summaries = 0;
    let mut fragments: Vec<Fragment> = by_fragment.keys().copied().collect();
    fragments.sort();
    for fragment in fragments {
        let list = &by_fragment[&fragment];
        summaries += list.len() as u64;
        let form = version.form(fragment);
        let name = &version.model.system.program.function(fragment.function()).name;
        if let Fragment::Function(_) = fragment {
            latest.push((name.to_string(), form.key.0));
        }
        // What was inherited is there already.
        let there = |source: &Source| match source {
            Source::SummaryInstance(_) => false,
            Source::Inherited(number) => !reach.inherited[*number].carried,
        };
        if list.iter().all(there) {
            continue;
        }
        if let Some(record) = write(version, fragment, &form, list, reach)
            && let Ok(payload) = postcard::to_stdvec(&record)
        {
            artefacts.push(Artefact::new(KIND, form.key, payload).label(format!("{label} {name}")));
        }
    }
    artefacts.extend(precision(version, store, label, latest, reach));
    artefacts.extend(reach.post.successor_cache.as_ref().and_then(|r| r.artefact(label)));
    let bytes = artefacts.iter().map(|a| a.payload.len() as u64).sum();
    if artefacts.is_empty() || store.put_all(&artefacts).is_err() {
        return (0, summaries);
    }
    (bytes, summaries)
}

pub(super) fn write(
    version: &Version,
    fragment: Fragment,
    form: &Form,
    list: &[Source],
    reach: &mut ReachabilityGraph,
) -> Option<Record> {
    let model = version.model;
    let f = fragment.function();
    let cuts: FxHashMap<NodeId, u32> =
        version.cuts(fragment, form).into_iter().map(|(number, cut)| (cut, number)).collect();
    let mut writer = Writer::default();
    let mut summaries = Vec::new();
    let at = version.head(fragment)?;
    let view = model.view(f).ok()?;
    let mut bounds = Vec::new();
    if let Some(state) = model.ranges.as_ref().and_then(|ranges| ranges.at(f, at)) {
        for (var, values) in state.iter() {
            if let Some(name) = view.now.get(var).and_then(|x| Some(x.var_name()?.to_owned())) {
                bounds.push((name, Bounds::of(values)));
            }
        }
    }
    for &source in list.iter().rev().take(MOST_SUMMARIES) {
        let Parts { precision, entry, exits, states, calls } = parts(version, reach, fragment, source)?;
        let number = |cut: NodeId| match fragment {
            Fragment::Function(_) => Some(0),
            Fragment::Loop(..) => cuts.get(&cut).copied().filter(|number| is_alone(*number)),
        };
        let exits: Option<Vec<(u32, Diagram)>> = exits
            .iter()
            .map(|(cut, exit)| Some((number(*cut)?, writer.diagram(exit, &reach.predicates))))
            .collect();
        let Some(exits) = exits else { continue };
        let states: Option<Vec<(u32, Diagram)>> = states
            .iter()
            .map(|(cut, state)| Some((*cuts.get(cut)?, writer.diagram(state, &reach.predicates))))
            .collect();
        summaries.push(Summary {
            precision: precision.iter().map(|p| writer.predicate(*p)).collect(),
            entry: writer.diagram(&entry, &reach.predicates),
            exits,
            states: states.unwrap_or_default(),
            bounds: bounds.clone(),
            calls,
        });
    }
    let mut predicates = Vec::with_capacity(writer.list.len());
    let mut mentioned: FxHashSet<Term> = FxHashSet::default();
    for id in &writer.list {
        let term = reach.predicates.term(*id);
        // What names other objects than the fragment touches depends on more than its key says.
        let foreign = free_vars(term).iter().any(|v| {
            is_address(*v) && v.var_name().is_none_or(|name| !form.addresses.iter().any(|a| a == name))
        });
        predicates.push(if foreign { String::new() } else { with_lets(term) });
        mentioned.extend(free_vars(term));
    }
    let types = version.types(f);
    let typed = mentioned.iter().filter_map(|x| Some((x.var_name()?.to_owned(), types.get(x)?.clone())));
    let mut types: Vec<(String, String)> = typed.collect();
    types.sort();
    let mut same = Vec::new();
    if let Fragment::Loop(..) = fragment {
        for (now, _) in view.to_old.iter().filter(|(_, old)| mentioned.contains(old)) {
            if model.is_untouched(f, at, *now).ok()? {
                same.push(now.var_name()?.to_owned());
            }
        }
    }
    same.sort();
    let (locals, regions) = (version.local_names(fragment, form), version.region_names(form));
    let addresses = form.addresses.clone();
    let own = match fragment {
        Fragment::Function(f) => version.own(f, form),
        Fragment::Loop(..) => None,
    };
    let record = Record { locals, regions, addresses, predicates, types, same, own, summaries };
    (!record.summaries.is_empty()).then_some(record)
}

/// What a summary is made of.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Source {
    SummaryInstance(InstanceId),
    Inherited(usize),
}

struct Parts {
    precision: Vec<PredicateId>,
    entry: Bdd,
    exits: Vec<(NodeId, Bdd)>,
    states: Vec<(NodeId, Bdd)>,
    calls: Option<Vec<Called>>,
}

fn parts(version: &Version, reach: &ReachabilityGraph, fragment: Fragment, source: Source) -> Option<Parts> {
    match source {
        Source::SummaryInstance(id) => {
            let instance = reach.instance(id);
            let precision = reach.precision.get(&fragment).cloned().unwrap_or_default();
            let exits = instance.exits.iter().map(|exit| (exit.cut, exit.state.clone())).collect();
            let states = crate::proof::states(reach, id).ok()?;
            let calls = match fragment {
                Fragment::Function(_) => called(version, id, reach),
                Fragment::Loop(..) => None,
            };
            Some(Parts { precision, entry: instance.entry.clone(), exits, states, calls })
        }
        Source::Inherited(number) => {
            let Inherited { precision, entry, exits, states, calls, .. } = &reach.inherited[number];
            let (precision, exits, states) = (precision.clone(), exits.clone(), states.clone());
            Some(Parts { precision, entry: entry.clone(), exits, states, calls: calls.clone() })
        }
    }
}

#[derive(Default)]
pub(super) struct Writer {
    numbers: FxHashMap<PredicateId, u16>,
    pub(super) list: Vec<PredicateId>,
}

impl Writer {
    pub(super) fn predicate(&mut self, id: PredicateId) -> u16 {
        let next = self.list.len() as u16;
        let number = *self.numbers.entry(id).or_insert(next);
        if number == next {
            self.list.push(id);
        }
        number
    }

    pub(super) fn diagram(&mut self, state: &Bdd, predicates: &Predicates) -> Diagram {
        Diagram::of(state, predicates, |id| self.predicate(id))
    }
}
