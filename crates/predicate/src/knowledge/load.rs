//! From records to the summaries of now.

use super::callers::load_callers;
use super::candidates::load_candidates;
use super::equivalent::load_equivalent;
use super::form::{Form, Version, is_alone};
use super::precision::load_precision;
use super::*;
use encode::names::{memory, old};

/// What was found for a program.
#[derive(Default)]
pub struct Found {
    /// Fragments that the store has something for, and how many summaries.
    pub fragments: Vec<(Fragment, usize)>,
    /// Functions that changed and do what they did, and how many summaries they keep.
    pub equivalent: Vec<(Fragment, usize)>,
    /// Functions that did not change, though something they call did, and how many summaries they keep if
    /// that works out.
    pub callers: Vec<(Fragment, usize)>,
    /// Fragments that it has nothing for.
    pub missing: Vec<Fragment>,
}

/// The base, and which functions do what they did there.
pub struct Equivalent<'a, 'm> {
    pub before: Version<'m>,
    pub functions: &'a [FuncId],
}

/// Fills in summaries (of functions, of loops) and precisions.
pub fn load(
    version: &Version,
    store: &Store,
    label: &str,
    reuse: &::engine::Reuse,
    equivalent: Option<&Equivalent>,
    reach: &mut ReachabilityGraph,
) -> Found {
    let mut found = Found::default();
    let precision = if reuse.precision { load_precision(version, store, label, reach) } else { Vec::new() };
    for fragment in version.fragments() {
        let wanted = match fragment {
            Fragment::Function(_) => reuse.procedures,
            Fragment::Loop(..) => reuse.loops,
        };
        let form = version.form(fragment);
        let record = store.get(KIND, &form.key);
        let record: Option<Record> = record.and_then(|a| postcard::from_bytes(&a.payload).ok());
        let Some(record) = record else {
            found.missing.push(fragment);
            continue;
        };
        let Some(reader) = Reader::new(version, fragment, &form, &record, &mut reach.predicates) else {
            found.missing.push(fragment);
            continue;
        };
        if reuse.precision {
            let mut ids: Vec<PredicateId> = record
                .summaries
                .iter()
                .flat_map(|s| &s.precision)
                .filter_map(|n| reader.predicate(*n))
                .map(|(id, _)| id)
                .collect();
            ids.sort();
            ids.dedup();
            for id in ids {
                reach.refine(fragment, id);
            }
        }
        let mut count = 0;
        for summary in &record.summaries {
            if let Some(mut inherited) = reader.summary(summary, &reach.predicates) {
                // What others rest on belongs to their proofs, whether it may be used itself or not.
                inherited.expanded = !wanted;
                count += usize::from(wanted);
                reach.inherited.push(inherited);
            }
        }
        found.fragments.push((fragment, count));
    }
    if let Some(Equivalent { before, functions }) = equivalent {
        load_equivalent(version, before, functions, store, reuse.precision, &mut found, reach);
    }
    for (fragment, id) in precision {
        if found.missing.contains(&fragment) {
            reach.refine(fragment, id);
        }
    }
    if reuse.recheck && reuse.procedures {
        load_candidates(version, store, label, &found.missing, reach);
        found.callers = load_callers(version, store, label, &mut found.missing, reach);
    }
    found
}

/// All that formulas about a fragment can mention, by its name of now.
pub(super) fn scope(version: &Version, fragment: Fragment) -> Option<Scope> {
    let model = version.model;
    let view = model.view(fragment.function()).ok()?;
    let mut scope = Scope::new();
    let now = view.now.locals.iter().flatten().copied().chain(crate::model::shared(&view.now));
    let old = view.to_old.values().copied();
    for x in now.chain(old).chain(view.result) {
        if let Some(name) = x.var_name() {
            scope.define(name, &[], x);
        }
    }
    let sort = model.system.mode.pointer(&model.system.program.target);
    for address in &version.form(fragment).addresses {
        scope.define(address, &[], Term::var(address, sort));
    }
    Some(scope)
}

pub(super) struct Reader<'r, 'm> {
    version: &'r Version<'m>,
    fragment: Fragment,
    /// With whether it is the predicate of that number, or its negation.
    predicates: Vec<Option<(PredicateId, bool)>>,
    cuts: FxHashMap<u32, NodeId>,
    /// From what variables were called then to those of now.
    variables: FxHashMap<String, Var>,
    /// What summaries take for granted of the way to the fragment is so.
    fits: bool,
}

impl<'r, 'm> Reader<'r, 'm> {
    pub(super) fn new(
        version: &'r Version<'m>,
        fragment: Fragment,
        form: &Form,
        record: &Record,
        predicates: &mut Predicates,
    ) -> Option<Reader<'r, 'm>> {
        let model = version.model;
        let f = fragment.function();
        if form.canonical.locals.len() != record.locals.len()
            || form.regions.len() != record.regions.len()
            || form.addresses.len() != record.addresses.len()
        {
            return None;
        }
        let cuts = version.cuts(fragment, form);
        let bounds = record.summaries.iter().any(|s| !s.bounds.is_empty());
        if !bounds && record.predicates.is_empty() && record.same.is_empty() {
            // Where nothing needs names, making them would be most of the work.
            let (predicates, variables) = (Vec::new(), FxHashMap::default());
            return Some(Reader { version, fragment, predicates, cuts, variables, fits: true });
        }
        let view = model.view(f).ok()?;
        let names = names(version, fragment, form, record)?;
        let fits = record.same.iter().all(|name| {
            let (now, old) = (names.get(name), names.get(&old(name)));
            let Some((now, head)) = now.zip(version.head(fragment)) else { return false };
            view.to_old.get(now) == old && model.is_untouched(f, head, *now) == Ok(true)
        });
        let addresses: Vec<(&String, &String)> = record.addresses.iter().zip(&form.addresses).collect();
        let reader = Reader::named(version, fragment, &names, &addresses, cuts, record, predicates)?;
        Some(Reader { fits, ..reader })
    }

    /// Reads a record in these names.
    pub(super) fn named(
        version: &'r Version<'m>,
        fragment: Fragment,
        names: &FxHashMap<String, Term>,
        addresses: &[(&String, &String)],
        cuts: FxHashMap<u32, NodeId>,
        record: &Record,
        predicates: &mut Predicates,
    ) -> Option<Reader<'r, 'm>> {
        let model = version.model;
        let view = model.view(fragment.function()).ok()?;
        let mut vars: FxHashMap<Term, Var> = FxHashMap::default();
        for (x, i) in view.now.locals.iter().zip(0..) {
            vars.extend(x.map(|x| (x, Var::Local(ir::LocalId(i)))));
        }
        for (x, i) in view.now.globals.iter().zip(0..) {
            vars.extend(x.map(|x| (x, Var::Global(ir::GlobalId(i)))));
        }
        let variables = names.iter().filter_map(|(name, x)| Some((name.clone(), *vars.get(x)?))).collect();
        let read = |text: &String, predicates: &mut Predicates| {
            let term = read(text, names, addresses, model)?;
            let id = predicates.number(term)?;
            Some((id, predicates.term(id) == term))
        };
        let list = record.predicates.iter().map(|text| read(text, predicates)).collect();
        Some(Reader { version, fragment, predicates: list, cuts, variables, fits: true })
    }

    pub(super) fn predicate(&self, number: u16) -> Option<(PredicateId, bool)> {
        self.predicates.get(usize::from(number)).copied().flatten()
    }

    pub(super) fn summary(&self, summary: &Summary, predicates: &Predicates) -> Option<Inherited> {
        let model = self.version.model;
        let f = self.fragment.function();
        let at = self.version.head(self.fragment).filter(|_| self.fits)?;
        // No more is possible now than was then.
        if let Some(ranges) = &model.ranges
            && let Some(state) = ranges.at(f, at)
        {
            for (name, bounds) in &summary.bounds {
                if !bounds.cover(state.get(*self.variables.get(name)?)?) {
                    return None;
                }
            }
        }
        let precision =
            summary.precision.iter().map(|n| Some(self.predicate(*n)?.0)).collect::<Option<Vec<_>>>()?;
        let cut = |number: &u32| match self.fragment {
            Fragment::Function(_) => Some(at),
            Fragment::Loop(..) => self.cuts.get(number).copied().filter(|_| is_alone(*number)),
        };
        let exits = summary
            .exits
            .iter()
            .map(|(number, diagram)| Some((cut(number)?, self.diagram(diagram, predicates)?)))
            .collect::<Option<Vec<_>>>()?;
        let states = summary
            .states
            .iter()
            .map(|(number, diagram)| Some((*self.cuts.get(number)?, self.diagram(diagram, predicates)?)))
            .collect::<Option<Vec<_>>>();
        Some(Inherited {
            fragment: self.fragment,
            entry: self.diagram(&summary.entry, predicates)?,
            exits,
            states: states.unwrap_or_default(),
            precision,
            expanded: false,
            used: false,
            carried: false,
            assumed: Vec::new(),
            calls: summary.calls.clone(),
        })
    }

    pub(super) fn diagram(&self, diagram: &Diagram, predicates: &Predicates) -> Option<Bdd> {
        diagram.state(predicates, |number| self.predicate(number))
    }
}

impl Bounds {
    pub(super) fn of(values: &ranges::Values) -> Bounds {
        match values.members() {
            Some(members) => Bounds::Among(members.to_vec()),
            None => Bounds::Between(values.low(), values.high()),
        }
    }

    pub(super) fn cover(&self, values: &ranges::Values) -> bool {
        match (self, values.members()) {
            (Bounds::Between(low, high), _) => *low <= values.low() && values.high() <= *high,
            (Bounds::Among(list), Some(members)) => members.iter().all(|v| list.contains(v)),
            (Bounds::Among(_), None) => false,
        }
    }
}

pub(super) fn tokens(state: &encode::State) -> Vec<(String, Term)> {
    let all = [state.world, state.allocations, state.inputs];
    all.into_iter().filter_map(|x| Some((x.var_name()?.to_owned(), x))).collect()
}

/// What the variables of a record are now.
pub(super) fn names(
    version: &Version,
    fragment: Fragment,
    form: &Form,
    record: &Record,
) -> Option<FxHashMap<String, Term>> {
    let model = version.model;
    let view = model.view(fragment.function()).ok()?;
    let mut names: FxHashMap<String, Term> = FxHashMap::default();
    // What the fragment uses, by position. This comes first: what else has such a name now is another
    // variable.
    for (then, id) in record.locals.iter().zip(&form.canonical.locals) {
        if let Some(Some(x)) = view.now.locals.get(id.0 as usize)
            && !then.is_empty()
        {
            names.insert(then.clone(), *x);
            if let Some(old) = view.to_old.get(x) {
                names.insert(encode::names::old(then), *old);
            }
        }
    }
    for (then, region) in record.regions.iter().zip(&form.regions) {
        names.insert(memory(then), view.now.memory[region.0 as usize]);
        names.insert(encode::names::old(memory(then)), view.old.memory[region.0 as usize]);
    }
    let mut named = |x: Term| {
        if let Some(name) = x.var_name() {
            names.entry(name.to_owned()).or_insert(x);
        }
    };
    view.now.globals.iter().chain(&view.old.globals).flatten().for_each(|x| named(*x));
    for (_, x) in tokens(&view.now).into_iter().chain(tokens(&view.old)) {
        named(x);
    }
    view.result.into_iter().for_each(&mut named);
    // A local that the fragment does not use keeps its name, unless that is now one that it does.
    for (i, x) in view.now.locals.iter().enumerate() {
        let Some(x) = x else { continue };
        if !form.canonical.locals.iter().any(|l| l.0 as usize == i) {
            named(*x);
        }
        view.to_old.get(x).into_iter().for_each(|old| named(*old));
    }
    let types = version.types(fragment.function());
    for (name, ty) in &record.types {
        if names.get(name).is_some_and(|x| types.get(x) != Some(ty)) {
            names.remove(name);
        }
    }
    Some(names)
}

/// A stored formula in the variables of now.
pub(super) fn read(
    text: &str,
    names: &FxHashMap<String, Term>,
    addresses: &[(&String, &String)],
    model: &Model,
) -> Option<Term> {
    let mut scope = Scope::new();
    let mut wanted: Vec<(Term, Term)> = Vec::new();
    // The names as they were, apart from those of now.
    for (name, x) in names {
        let then = Term::var(&format!("then.{name}"), x.sort());
        scope.define(name, &[], then);
        wanted.push((then, *x));
    }
    let pointer = model.system.mode.pointer(&model.system.program.target);
    for (name, now) in addresses {
        let then = Term::var(&format!("then.{name}"), pointer);
        scope.define(name, &[], then);
        wanted.push((then, Term::var(now, pointer)));
    }
    let term = parse_term(text, &scope).ok()?;
    Some(Substitution::new(wanted).apply(term))
}
