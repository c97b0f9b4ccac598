//! Summaries of functions that changed, but do what they did.
//!
//! Others found out that a function does no more than it did in the base (`engine::Task::equivalent`). So
//! what a summary says of its entry and its exits holds as it did, and it is used as if nothing had changed:
//! nothing is explored. The record is the one of the base's function, found under its content, and is read
//! with the names of now: parameters by position, globals by name, regions of memory if the same objects lie
//! in them.
//!
//! What holds at the cut points inside is for certificates only, and `certify` checks it. There a guess will
//! do: cut points of one kind are paired in order, locals by name, and those that are left by type, in order.
//! Where that does not work out, the summary is a candidate as those of other changed functions are
//! (`recheck`). A proof also needs the summaries of all that the function calls: either these are there, or
//! there never were any.

use super::form::{Form, Version};
use super::load::{Found, Reader, names};
use super::*;
use encode::names::{Addressed, addressed};
use encode::{IntMode, TransitionSystem};
use ir::fingerprint::is_literal;
use ir::{Callee, Program};
use std::collections::BTreeSet;

/// The base, as the engine would see it. It is wanted only for functions that were shown to be equivalent.
pub fn base(task: &::engine::Task, mode: IntMode) -> Option<Model> {
    let reuse = &task.settings.reuse;
    let wanted = reuse.equivalent && reuse.procedures && task.store.is_some() && !task.equivalent.is_empty();
    let base = task.base.filter(|_| wanted)?;
    base.program.function(base.entry).cfa()?;
    let system = TransitionSystem::new(base.view(task.settings.slice), base.entry, mode).ok()?;
    Some(Model::new(system, None))
}

/// Takes over what the store has for the base's version of these functions; they are missing no more.
pub(super) fn load_equivalent(
    version: &Version,
    before: &Version,
    functions: &[FuncId],
    store: &Store,
    precision: bool,
    found: &mut Found,
    reach: &mut ReachabilityGraph,
) {
    let program = &version.model.system.program;
    let mut unusable: FxHashSet<FuncId> = FxHashSet::default();
    // Callees first: what a summary rests on must be there.
    for &f in version.graph.components().iter().flatten() {
        let fragment = Fragment::Function(f);
        if !found.missing.contains(&fragment) {
            continue;
        }
        let partner = before.model.system.program.find_function(&program.function(f).name);
        let Some(old) = partner.filter(|_| functions.contains(&f)) else {
            unusable.insert(f);
            continue;
        };
        let old_fragment = Fragment::Function(old);
        let old_form = before.form(old_fragment);
        let record = store.get(KIND, &old_form.key).and_then(|a| postcard::from_bytes(&a.payload).ok());
        // Whatever was never reached has no summaries, and nothing rests on them.
        let Some(record): Option<Record> = record else { continue };
        let below = version.graph.reachable(version.graph.callees(f));
        let rests = below.iter().all(|g| *g == f || !unusable.contains(g));
        let across = Across { version, before, f, old };
        let summaries = if rests { across.read(&old_form, &record, &mut reach.predicates) } else { None };
        let Some(summaries) = summaries else {
            unusable.insert(f);
            continue;
        };
        if precision {
            for id in summaries.iter().flat_map(|s| &s.precision) {
                reach.refine(fragment, *id);
            }
        }
        found.missing.retain(|other| *other != fragment);
        found.equivalent.push((fragment, summaries.len()));
        reach.inherited.extend(summaries);
    }
}

/// From one version of a function to the next.
struct Across<'a, 'm> {
    version: &'a Version<'m>,
    before: &'a Version<'m>,
    f: FuncId,
    old: FuncId,
}

impl Across<'_, '_> {
    /// All summaries of a record, or none: what calls this function may rest on any of them.
    fn read(&self, old_form: &Form, record: &Record, predicates: &mut Predicates) -> Option<Vec<Inherited>> {
        let fragment = Fragment::Function(self.f);
        let form = self.version.form(fragment);
        let fits = old_form.canonical.locals.len() == record.locals.len()
            && old_form.regions.len() == record.regions.len()
            && old_form.addresses.len() == record.addresses.len()
            && record.same.is_empty();
        if !fits {
            return None;
        }
        let cuts = self.cuts(old_form, &form)?;
        let now = self.terms(old_form, &form)?;
        let names: FxHashMap<String, Term> =
            names(self.before, Fragment::Function(self.old), old_form, record)?
                .into_iter()
                .filter_map(|(name, term)| Some((name, *now.get(&term)?)))
                .collect();
        let addresses: Vec<(&String, &String)> = record
            .addresses
            .iter()
            .zip(&old_form.addresses)
            .filter(|(_, address)| form.addresses.contains(address) && self.is_shared(address))
            .collect();
        let reader = Reader::named(self.version, fragment, &names, &addresses, cuts, record, predicates)?;
        let view = self.version.model.view(self.f).ok()?;
        let mut list = Vec::new();
        for summary in &record.summaries {
            let mut inherited = reader.summary(summary, predicates)?;
            let says = |state: &Bdd, fits: &dyn Fn(Term) -> bool| {
                predicates.support(state).into_iter().all(|id| fits(predicates.term(id)))
            };
            let entry = says(&inherited.entry, &|term| view.fits_entry(term));
            let exits = inherited.exits.iter().all(|(_, exit)| says(exit, &|term| view.fits_exit(term)));
            if !entry || !exits || inherited.states.is_empty() {
                return None;
            }
            inherited.carried = true;
            list.push(inherited);
        }
        Some(list)
    }

    /// Variables of then as variables of now.
    fn terms(&self, old_form: &Form, form: &Form) -> Option<FxHashMap<Term, Term>> {
        let (model, old_model) = (self.version.model, self.before.model);
        let (view, old_view) = (model.view(self.f).ok()?, old_model.view(self.old).ok()?);
        let (types, old_types) = (self.version.types(self.f), self.before.types(self.old));
        let alike =
            |then: &Term, now: &Term| then.sort() == now.sort() && types.get(now) == old_types.get(then);
        let mut pairs: Vec<(Term, Term)> = Vec::new();
        if old_view.params.len() != view.params.len() {
            return None;
        }
        for (then, now) in old_view.params.iter().zip(&view.params) {
            if let (Some(then), Some(now)) = (then, now) {
                pairs.push((*then, *now));
            }
        }
        let named = |x: &&Term, list: &[Option<Term>]| list.contains(&Some(**x));
        let globals = old_view.now.globals.iter().flatten().filter(|x| named(x, &view.now.globals));
        pairs.extend(globals.map(|x| (*x, *x)));
        for (i, then) in old_view.now.memory.iter().enumerate() {
            let same = |j: &usize| self.same_region(RegionId(i as u32), RegionId(*j as u32));
            if let Some(j) = (0..view.now.memory.len()).find(same) {
                pairs.push((*then, view.now.memory[j]));
            }
        }
        pairs.retain(|(then, now)| alike(then, now));
        let old: Vec<(Term, Term)> = pairs
            .iter()
            .filter_map(|(then, now)| Some((*old_view.to_old.get(then)?, *view.to_old.get(now)?)))
            .collect();
        pairs.extend(old);
        if let (Some(then), Some(now)) = (old_view.result, view.result) {
            pairs.extend((then.sort() == now.sort()).then_some((then, now)));
        }
        // What is left are the locals: for certificates.
        let locals = |form: &Form, view: &crate::model::View| -> Vec<Term> {
            let all = form.canonical.locals.iter().filter(|l| l.0 as usize >= view.params.len());
            all.filter_map(|l| view.now.locals.get(l.0 as usize).copied().flatten()).collect()
        };
        let mut open = locals(form, view);
        let mut unnamed = Vec::new();
        for then in locals(old_form, old_view) {
            match open.iter().position(|now| *now == then && alike(&then, now)) {
                Some(at) => pairs.push((then, open.remove(at))),
                None => unnamed.push(then),
            }
        }
        for then in unnamed {
            if let Some(at) = open.iter().position(|now| alike(&then, now)) {
                pairs.push((then, open.remove(at)));
            }
        }
        Some(pairs.into_iter().collect())
    }

    /// Do the same objects lie in both?
    fn same_region(&self, then: RegionId, now: RegionId) -> bool {
        let [old, new] = [&self.before.model.system, &self.version.model.system];
        let (a, b) = (&old.regions.list[then.0 as usize], &new.regions.list[now.0 as usize]);
        a.name == b.name && a.layout == b.layout && objects(old, then) == objects(new, now)
    }

    /// Is this the address of something that has the same name in every version, and outlives the function?
    fn is_shared(&self, address: &str) -> bool {
        let program = &self.version.model.system.program;
        match addressed(address) {
            Some(Addressed::Function(name)) => program.find_function(name).is_some(),
            Some(Addressed::Global(name)) => {
                program.globals.iter().any(|g| *g.name == *name && !is_literal(g))
            }
            None => false,
        }
    }

    /// The cut points of now by the numbers that they had.
    fn cuts(&self, old_form: &Form, form: &Form) -> Option<FxHashMap<u32, NodeId>> {
        let then = kinds(self.before, self.old, old_form);
        let now = kinds(self.version, self.f, form);
        if !then.iter().map(|(kind, ..)| kind).eq(now.iter().map(|(kind, ..)| kind)) {
            return None;
        }
        let pairs: FxHashMap<NodeId, NodeId> = then.iter().zip(&now).map(|(a, b)| (a.2, b.2)).collect();
        let numbers = self.before.cuts(Fragment::Function(self.old), old_form);
        Some(numbers.into_iter().filter_map(|(number, cut)| Some((number, *pairs.get(&cut)?))).collect())
    }
}

/// What makes a node a cut point: the entry, the head of a loop so deep inside others, which functions are
/// called there, and which have just returned.
type Kind = (bool, Option<u32>, Vec<String>, Vec<String>);

/// The cut points of a function with their kinds: in order of these, then as the canonical form has them.
fn kinds(version: &Version, f: FuncId, form: &Form) -> Vec<(Kind, Option<u32>, NodeId)> {
    let system = &version.model.system;
    let Some(cfa) = system.program.function(f).cfa() else { return Vec::new() };
    let forest = system.loops[f.0 as usize].as_ref();
    let callee = |op: &Op| match op {
        Op::Call { callee: Callee::Direct(g), .. } => Some(system.program.function(*g).name.to_string()),
        _ => None,
    };
    let kind = |cut: NodeId| -> Kind {
        let head = forest.and_then(|forest| Some(forest.get(forest.headed_by(cut)?).depth));
        let ahead = cfa.edges().iter().filter(|e| e.from == cut).filter_map(|e| callee(&e.op));
        let behind = cfa.edges().iter().filter(|e| e.to == cut).filter_map(|e| callee(&e.op));
        (cut == cfa.entry, head, ahead.collect(), behind.collect())
    };
    let cuts = system.cuts(f).iter();
    let mut list: Vec<_> = cuts.map(|cut| (kind(*cut), form.canonical.node_index(*cut), *cut)).collect();
    list.sort();
    list
}

fn objects(system: &TransitionSystem, region: RegionId) -> BTreeSet<String> {
    let program: &Program = &system.program;
    let name = |f: FuncId| &program.function(f).name;
    let text = |object: &encode::regions::ObjectKind| match *object {
        encode::regions::ObjectKind::Global(g) => format!("&{}", program.global(g).name),
        encode::regions::ObjectKind::Local(f, l) => {
            format!("{}.{}", name(f), program.function(f).local(l).name)
        }
        encode::regions::ObjectKind::Site(f, edge) => {
            let edges = program.function(f).cfa().map_or(&[][..], |cfa| cfa.edges());
            let before = edges.iter().take(edge.0 as usize).filter(|e| matches!(e.op, Op::Alloc { .. }));
            format!("{} allocates {}", name(f), before.count())
        }
        encode::regions::ObjectKind::VarArgs(f) => format!("{}...", name(f)),
        encode::regions::ObjectKind::Function(f) => format!("{}()", name(f)),
        encode::regions::ObjectKind::Arguments => "argv".to_owned(),
    };
    system.regions.objects(region).iter().map(|(_, object)| text(object)).collect()
}
