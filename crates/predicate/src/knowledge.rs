//! What one run leaves for the next: summaries by the content of their fragments, and precisions by name.
//!
//! A fragment's record is found under everything that its summaries depend on (paper 000, Definition 6): the global fingerprint of the fragment
//! in the slice, how the memory that it touches is divided, and the kind of integers. So it does not matter from which earlier revision
//! it comes. What the interval analysis said at the fragment's entry is part of what a summary relies on: it applies where no more is
//! possible now. Variables are carried over by their position in the canonical form, globals by name.
//!
//! Precisions (section 5.4) are hints: they are kept under the program's label and carried over by names, whatever has changed.

use crate::model::{Fragment, Model, is_address};
use crate::predicates::{PredicateId, Predicates};
use crate::reach::{ActivationId, Inherited, Reach};
use biodivine_lib_bdd::Bdd;
use encode::regions::{Layout, RegionId};
use ir::fingerprint::{Canonical, Fingerprints, SEMANTICS_VERSION};
use ir::{CallGraph, ExprKind, FuncId, NodeId, Op, Var};
use logic::parse::{Scope, parse_term};
use logic::print::with_lets;
use logic::{Substitution, Term, free_vars};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use store::{Artefact, Key, Store};

/// To be raised when the meaning of records, or of the encoding that they rely on, changes.
const VERSION: u32 = 3;
const KIND: &str = "predicate summaries";
const PRECISION: &str = "predicate precision";
/// Of one fragment.
const MOST_SUMMARIES: usize = 40;

#[derive(Serialize, Deserialize, Default)]
struct Record {
    /// What variables were called, by canonical position; nothing for those in memory.
    locals: Vec<String>,
    /// By first access.
    regions: Vec<String>,
    /// By first mention.
    addresses: Vec<String>,
    predicates: Vec<String>,
    /// The types of the variables that predicates mention: the fragment need not use them, and then its key does not say.
    types: Vec<(String, String)>,
    /// Variables that were known to have their value from the function's entry when a loop was entered.
    same: Vec<String>,
    summaries: Vec<Summary>,
}

#[derive(Serialize, Deserialize, Clone)]
struct Summary {
    precision: Vec<u16>,
    entry: Diagram,
    /// With the canonical number of the cut point.
    exits: Vec<(u32, Diagram)>,
    /// What holds at the cut points inside, for certificates.
    states: Vec<(u32, Diagram)>,
    /// The bounds at the entry that it relies on: what a variable was called, and the values that it may have.
    bounds: Vec<(String, Bounds)>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
enum Bounds {
    Between(i128, i128),
    Among(Vec<i128>),
}

/// A decision diagram: nodes with a predicate of the record and the numbers of two others, which come before. 0 is false, 1 true; the last
/// node is the diagram, unless it is one of these.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Diagram {
    nodes: Vec<(u16, u32, u32)>,
    empty: bool,
}

/// What identifies the fragments of a program.
pub struct Version<'m> {
    model: &'m Model,
    prints: Fingerprints,
    graph: CallGraph,
}

/// A fragment with all that is needed to carry facts over.
struct Form<'v> {
    canonical: &'v Canonical,
    key: Key,
    /// By first access, in the fragment and all it calls.
    regions: Vec<RegionId>,
    /// Objects whose addresses the fragment and all it calls mention, by first mention.
    addresses: Vec<String>,
}

impl<'m> Version<'m> {
    pub fn new(model: &'m Model) -> Version<'m> {
        let program = &model.whole.program;
        let prints = Fingerprints::compute(program, b"predicate");
        let graph = CallGraph::of(program);
        Version { model, prints, graph }
    }

    fn form(&self, fragment: Fragment) -> Form<'_> {
        let f = fragment.function();
        let forms = self.prints.forms().function(f);
        let (canonical, print) = match fragment {
            Fragment::Function(f) => (&forms.whole.canonical, self.prints.function(f).global),
            Fragment::Loop(f, l) => (&forms.loop_(l).canonical, self.prints.loop_(f, l).global),
        };
        let mut reader =
            Accesses { version: self, regions: Vec::new(), places: Vec::new(), addresses: Vec::new() };
        reader.fragment(f, canonical);
        // The function around a loop is read again if the loop calls it.
        let mut seen: FxHashSet<FuncId> = FxHashSet::default();
        if matches!(fragment, Fragment::Function(_)) {
            seen.insert(f);
        }
        let mut work: Vec<FuncId> = canonical.callees.clone();
        work.reverse();
        while let Some(g) = work.pop() {
            if !seen.insert(g) {
                continue;
            }
            if self.model.whole.program.function(g).cfa().is_none() {
                continue;
            }
            let inner = &self.prints.forms().function(g).whole.canonical;
            reader.fragment(g, inner);
            work.extend(inner.callees.iter().rev().filter(|h| !seen.contains(h)));
        }
        let whole = &self.model.whole;
        let layouts: Vec<String> = reader
            .regions
            .iter()
            .map(|r| match whole.regions.list[r.0 as usize].layout {
                Layout::Cells(ty) => ty.to_string(),
                Layout::Bytes => "bytes".to_owned(),
            })
            .collect();
        let places: Vec<u8> = reader.places.iter().flat_map(|n: &u32| n.to_le_bytes()).collect();
        let kind = match fragment {
            Fragment::Function(_) => "function",
            Fragment::Loop(..) => "loop",
        };
        let head = format!(
            "{VERSION} {SEMANTICS_VERSION} {} {} {kind} {}",
            whole.mode,
            whole.program.target.name,
            whole.program.function(f).name
        );
        let key = Key::of(&[head.as_bytes(), &print.0, layouts.join(",").as_bytes(), &places]);
        Form { canonical, key, regions: reader.regions, addresses: reader.addresses }
    }

    /// All fragments that the entry reaches.
    pub fn fragments(&self) -> Vec<Fragment> {
        let whole = &self.model.whole;
        let mut list = Vec::new();
        for f in self.graph.reachable(&[whole.entry]) {
            if whole.program.function(f).cfa().is_none() {
                continue;
            }
            list.push(Fragment::Function(f));
            for l in whole.loops[f.0 as usize].iter().flat_map(|forest| forest.ids()) {
                if whole.loops[f.0 as usize].as_ref().is_some_and(|forest| !forest.get(l).irreducible) {
                    list.push(Fragment::Loop(f, l));
                }
            }
        }
        list
    }

    fn local_names(&self, fragment: Fragment, form: &Form) -> Vec<String> {
        let Ok(view) = self.model.view(fragment.function()) else { return Vec::new() };
        let name = |l: &ir::LocalId| view.now.locals.get(l.0 as usize).copied().flatten()?.var_name();
        form.canonical.locals.iter().map(|l| name(l).unwrap_or_default().to_owned()).collect()
    }

    fn region_names(&self, form: &Form) -> Vec<String> {
        let list = &self.model.whole.regions.list;
        form.regions.iter().map(|r| list[r.0 as usize].name.clone()).collect()
    }

    /// Where a fragment is entered.
    fn head(&self, fragment: Fragment) -> Option<NodeId> {
        match fragment {
            Fragment::Function(f) => Some(self.model.entry_node(f)),
            Fragment::Loop(f, l) => Some(self.model.whole.loops[f.0 as usize].as_ref()?.get(l).header),
        }
    }

    /// The variables of a function that are in registers, now and at its entry, with their types.
    fn types(&self, f: FuncId) -> FxHashMap<Term, String> {
        let program = &self.model.whole.program;
        let Ok(view) = self.model.view(f) else { return FxHashMap::default() };
        let mut types = FxHashMap::default();
        for state in [&view.now, &view.old] {
            let locals = program.function(f).locals.iter().map(|l| l.storage).zip(&state.locals);
            let globals = program.globals.iter().map(|g| g.storage).zip(&state.globals);
            for (storage, x) in locals.chain(globals) {
                if let (ir::Storage::Register(ty), Some(x)) = (storage, x) {
                    types.insert(*x, ty.to_string());
                }
            }
        }
        types
    }

    /// The cut points of a fragment by number: the place in the canonical form, and which of those that it does not tell apart (nothing
    /// happens between them). The latter is a guess from one version to the next, which only certificates may rely on.
    fn cuts(&self, fragment: Fragment, form: &Form) -> FxHashMap<u32, NodeId> {
        let mut found: FxHashMap<u32, Vec<NodeId>> = FxHashMap::default();
        for &cut in self.model.whole.cuts(fragment.function()) {
            if self.model.contains(fragment, cut)
                && let Some(number) = form.canonical.node_index(cut)
            {
                found.entry(number).or_default().push(cut);
            }
        }
        let mut all = FxHashMap::default();
        for (number, list) in found {
            for (k, cut) in list.iter().enumerate().take(ALIKE as usize) {
                // Those that are alone have even numbers.
                let which = if list.len() == 1 { 0 } else { 2 * k as u32 + 1 };
                all.insert(number * 2 * ALIKE + which, *cut);
            }
        }
        all
    }
}

/// Cut points that may be the same place of a canonical form.
const ALIKE: u32 = 16;

/// Is this a cut point that the canonical form tells from all others?
fn is_alone(number: u32) -> bool {
    number.is_multiple_of(2 * ALIKE)
}

/// Which regions code accesses, in canonical order.
struct Accesses<'v, 'm> {
    version: &'v Version<'m>,
    regions: Vec<RegionId>,
    places: Vec<u32>,
    addresses: Vec<String>,
}

impl Accesses<'_, '_> {
    fn fragment(&mut self, f: FuncId, canonical: &Canonical) {
        let whole = &self.version.model.whole;
        let function = whole.program.function(f);
        let Some(cfa) = function.cfa() else { return };
        self.places.push(u32::MAX);
        for &edge in &canonical.edges {
            let op = &cfa.edge(edge).op;
            for e in op.exprs() {
                e.walk(&mut |part| match &part.kind {
                    ExprKind::Load(address) => {
                        let region = whole.regions.of(0, f, address);
                        self.access(region);
                    }
                    ExprKind::AddrGlobal(id) => {
                        self.mention(format!("&{}", whole.program.global(*id).name));
                    }
                    ExprKind::AddrLocal(id) => {
                        let name = format!("&{}.{}", function.name, function.local(*id).name);
                        self.mention(name);
                    }
                    ExprKind::AddrFunc(id) => {
                        self.mention(format!("&{}()", whole.program.function(*id).name));
                    }
                    _ => {}
                });
            }
            match op {
                Op::Store { addr, .. } => self.access(whole.regions.of(0, f, addr)),
                Op::Fill { dst, .. } => self.access(whole.regions.of(0, f, dst)),
                Op::Copy { dst, src, .. } => {
                    self.access(whole.regions.of(0, f, dst));
                    self.access(whole.regions.of(0, f, src));
                }
                _ => {}
            }
        }
        // Variables in memory are forgotten when a function is entered.
        self.places.push(u32::MAX - 1);
        for (i, local) in function.locals.iter().enumerate() {
            if matches!(local.storage, ir::Storage::Memory { .. }) {
                let address =
                    ir::Expr { ty: ir::Type::Ptr, kind: ExprKind::AddrLocal(ir::LocalId(i as u32)) };
                for region in whole.regions.around(0, f, &address) {
                    self.access(region);
                }
            }
        }
    }

    fn mention(&mut self, address: String) {
        if !self.addresses.contains(&address) {
            self.addresses.push(address);
        }
    }

    fn access(&mut self, region: RegionId) {
        let number = match self.regions.iter().position(|r| *r == region) {
            Some(number) => number,
            None => {
                self.regions.push(region);
                self.regions.len() - 1
            }
        };
        self.places.push(number as u32);
    }
}

/// What was found for a program.
#[derive(Default)]
pub struct Found {
    /// Fragments that the store has something for, and how many summaries.
    pub fragments: Vec<(Fragment, usize)>,
    /// Fragments that it has nothing for.
    pub missing: Vec<Fragment>,
}

/// Fills in summaries (of functions, of loops) and precisions.
pub fn load(
    version: &Version,
    store: &Store,
    label: &str,
    reuse: &::engine::Reuse,
    reach: &mut Reach,
) -> Found {
    let mut found = Found::default();
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
            let list = reach.precision.entry(fragment).or_default();
            for id in ids {
                if !list.contains(&id) {
                    list.push(id);
                }
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
    if reuse.precision {
        load_precision(version, store, label, &found.missing, reach);
    }
    found
}

struct Reader<'r, 'm> {
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
    fn new(
        version: &'r Version<'m>,
        fragment: Fragment,
        form: &Form,
        record: &Record,
        predicates: &mut Predicates,
    ) -> Option<Reader<'r, 'm>> {
        let model = version.model;
        let f = fragment.function();
        let view = model.view(f).ok()?;
        if form.canonical.locals.len() != record.locals.len()
            || form.regions.len() != record.regions.len()
            || form.addresses.len() != record.addresses.len()
        {
            return None;
        }
        let names = names(version, fragment, form, record)?;
        let fits = record.same.iter().all(|name| {
            let (now, old) = (names.get(name), names.get(&format!("old.{name}")));
            let Some((now, head)) = now.zip(version.head(fragment)) else { return false };
            view.to_old.get(now) == old && model.is_untouched(f, head, *now) == Ok(true)
        });
        let mut vars: FxHashMap<Term, Var> = FxHashMap::default();
        for (x, i) in view.now.locals.iter().zip(0..) {
            vars.extend(x.map(|x| (x, Var::Local(ir::LocalId(i)))));
        }
        for (x, i) in view.now.globals.iter().zip(0..) {
            vars.extend(x.map(|x| (x, Var::Global(ir::GlobalId(i)))));
        }
        let variables = names.iter().filter_map(|(name, x)| Some((name.clone(), *vars.get(x)?))).collect();
        let addresses: Vec<(&String, &String)> = record.addresses.iter().zip(&form.addresses).collect();
        let read = |text: &String, predicates: &mut Predicates| {
            let term = read(text, &names, &addresses, model)?;
            let id = predicates.number(term)?;
            Some((id, predicates.term(id) == term))
        };
        let list = record.predicates.iter().map(|text| read(text, predicates)).collect();
        let cuts = version.cuts(fragment, form);
        Some(Reader { version, fragment, predicates: list, cuts, variables, fits })
    }

    fn predicate(&self, number: u16) -> Option<(PredicateId, bool)> {
        self.predicates.get(usize::from(number)).copied().flatten()
    }

    fn summary(&self, summary: &Summary, predicates: &Predicates) -> Option<Inherited> {
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
        })
    }

    fn diagram(&self, diagram: &Diagram, predicates: &Predicates) -> Option<Bdd> {
        let mut parts = vec![predicates.bottom(), predicates.top()];
        if diagram.empty {
            return parts.into_iter().next();
        }
        for (n, low, high) in &diagram.nodes {
            let (id, same) = self.predicate(*n)?;
            let (low, high) = (parts.get(*low as usize)?, parts.get(*high as usize)?);
            let yes = predicates.literal(id, same).and(high);
            parts.push(yes.or(&predicates.literal(id, !same).and(low)));
        }
        parts.pop()
    }
}

impl Bounds {
    fn of(values: &ranges::Values) -> Bounds {
        match values.members() {
            Some(members) => Bounds::Among(members.to_vec()),
            None => Bounds::Between(values.low(), values.high()),
        }
    }

    fn cover(&self, values: &ranges::Values) -> bool {
        match (self, values.members()) {
            (Bounds::Between(low, high), _) => *low <= values.low() && values.high() <= *high,
            (Bounds::Among(list), Some(members)) => members.iter().all(|v| list.contains(v)),
            (Bounds::Among(_), None) => false,
        }
    }
}

fn tokens(state: &encode::State) -> Vec<(String, Term)> {
    let all = [state.world, state.allocations, state.inputs];
    all.into_iter().filter_map(|x| Some((x.var_name()?.to_owned(), x))).collect()
}

/// What the variables of a record are now.
fn names(
    version: &Version,
    fragment: Fragment,
    form: &Form,
    record: &Record,
) -> Option<FxHashMap<String, Term>> {
    let model = version.model;
    let view = model.view(fragment.function()).ok()?;
    let mut names: FxHashMap<String, Term> = FxHashMap::default();
    // What the fragment uses, by position. This comes first: what else has such a name now is another variable.
    for (then, id) in record.locals.iter().zip(&form.canonical.locals) {
        if let Some(Some(x)) = view.now.locals.get(id.0 as usize)
            && !then.is_empty()
        {
            names.insert(then.clone(), *x);
            if let Some(old) = view.to_old.get(x) {
                names.insert(format!("old.{then}"), *old);
            }
        }
    }
    for (then, region) in record.regions.iter().zip(&form.regions) {
        names.insert(format!("memory.{then}"), view.now.memory[region.0 as usize]);
        names.insert(format!("old.memory.{then}"), view.old.memory[region.0 as usize]);
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
fn read(
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
    let pointer = model.whole.mode.pointer(&model.whole.program.target);
    for (name, now) in addresses {
        let then = Term::var(&format!("then.{name}"), pointer);
        scope.define(name, &[], then);
        wanted.push((then, Term::var(now, pointer)));
    }
    let term = parse_term(text, &scope).ok()?;
    Some(Substitution::new(wanted).apply(term))
}

/// Keeps the summaries of all activations that are complete, and the precisions. How many bytes were written, and how many summaries
/// there are.
pub fn save(version: &Version, store: &Store, label: &str, reach: &mut Reach) -> (u64, u64) {
    let complete = reach.complete();
    let mut by_fragment: FxHashMap<Fragment, Vec<ActivationId>> = FxHashMap::default();
    for id in complete {
        by_fragment.entry(reach.activation(id).fragment).or_default().push(id);
    }
    let mut artefacts = Vec::new();
    let mut summaries = 0;
    let mut fragments: Vec<Fragment> = by_fragment.keys().copied().collect();
    fragments.sort();
    for fragment in fragments {
        let list = &by_fragment[&fragment];
        summaries += list.len() as u64;
        // What was inherited is there already.
        if list.iter().all(|id| reach.activation(*id).hole.is_some()) {
            continue;
        }
        let form = version.form(fragment);
        if let Some(record) = write(version, fragment, &form, list, reach)
            && let Ok(payload) = postcard::to_stdvec(&record)
        {
            let name = &version.model.whole.program.function(fragment.function()).name;
            artefacts.push(Artefact::new(KIND, form.key, payload).label(format!("{label} {name}")));
        }
    }
    artefacts.extend(precision(version, store, label, reach));
    let bytes = artefacts.iter().map(|a| a.payload.len() as u64).sum();
    if artefacts.is_empty() || store.put_all(&artefacts).is_err() {
        return (0, summaries);
    }
    (bytes, summaries)
}

fn write(
    version: &Version,
    fragment: Fragment,
    form: &Form,
    list: &[ActivationId],
    reach: &mut Reach,
) -> Option<Record> {
    let model = version.model;
    let f = fragment.function();
    let cuts: FxHashMap<NodeId, u32> =
        version.cuts(fragment, form).into_iter().map(|(number, cut)| (cut, number)).collect();
    let mut writer = Writer { numbers: FxHashMap::default(), list: Vec::new() };
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
    for &id in list.iter().rev().take(MOST_SUMMARIES) {
        let activation = reach.activation(id);
        let precision = match activation.hole {
            Some(hole) => reach.inherited[hole].precision.clone(),
            None => reach.precision.get(&fragment).cloned().unwrap_or_default(),
        };
        let number = |cut: NodeId| match fragment {
            Fragment::Function(_) => Some(0),
            Fragment::Loop(..) => cuts.get(&cut).copied().filter(|number| is_alone(*number)),
        };
        let exits: Option<Vec<(u32, Diagram)>> = activation
            .exits
            .iter()
            .map(|exit| Some((number(exit.cut)?, writer.diagram(&exit.state, &reach.predicates))))
            .collect();
        let Some(exits) = exits else { continue };
        let inner: Vec<(NodeId, Bdd)> = match activation.hole {
            Some(hole) => reach.inherited[hole].states.clone(),
            None => crate::proof::states(reach, id).ok()?,
        };
        let states: Option<Vec<(u32, Diagram)>> = inner
            .iter()
            .map(|(cut, state)| Some((*cuts.get(cut)?, writer.diagram(state, &reach.predicates))))
            .collect();
        summaries.push(Summary {
            precision: precision.iter().map(|p| writer.predicate(*p)).collect(),
            entry: writer.diagram(&activation.entry, &reach.predicates),
            exits,
            states: states.unwrap_or_default(),
            bounds: bounds.clone(),
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
    let record = Record { locals, regions, addresses, predicates, types, same, summaries };
    (!record.summaries.is_empty()).then_some(record)
}

struct Writer {
    numbers: FxHashMap<PredicateId, u16>,
    list: Vec<PredicateId>,
}

impl Writer {
    fn predicate(&mut self, id: PredicateId) -> u16 {
        let next = self.list.len() as u16;
        let number = *self.numbers.entry(id).or_insert(next);
        if number == next {
            self.list.push(id);
        }
        number
    }

    fn diagram(&mut self, state: &Bdd, predicates: &Predicates) -> Diagram {
        let mut nodes = Vec::new();
        for pointer in state.pointers().filter(|p| !p.is_terminal()) {
            let id = predicates.of_variable(state.var_of(pointer));
            let number = self.predicate(id);
            let low = state.low_link_of(pointer).to_index() as u32;
            let high = state.high_link_of(pointer).to_index() as u32;
            nodes.push((number, low, high));
        }
        Diagram { nodes, empty: state.is_false() }
    }
}

/// By function and number of the loop (0 for the function itself).
#[derive(Serialize, Deserialize, Default, PartialEq)]
struct Precisions(Vec<(String, u32, Vec<String>)>);

fn precision_key(version: &Version, label: &str) -> Key {
    let whole = &version.model.whole;
    let entry = &whole.program.function(whole.entry).name;
    Key::of(&[&VERSION.to_le_bytes(), label.as_bytes(), entry.as_bytes(), whole.mode.to_string().as_bytes()])
}

fn precision(version: &Version, store: &Store, label: &str, reach: &Reach) -> Option<Artefact> {
    let mut list: Vec<(String, u32, Vec<String>)> = Vec::new();
    let mut fragments: Vec<&Fragment> = reach.precision.keys().collect();
    fragments.sort();
    for fragment in fragments {
        let name = version.model.whole.program.function(fragment.function()).name.to_string();
        let number = match fragment {
            Fragment::Function(_) => 0,
            Fragment::Loop(_, l) => l.0 + 1,
        };
        let terms = reach.precision[fragment].iter().map(|p| with_lets(reach.predicates.term(*p)));
        list.push((name, number, terms.collect()));
    }
    let payload = postcard::to_stdvec(&Precisions(list)).ok()?;
    let key = precision_key(version, label);
    let same = store.get(PRECISION, &key).is_some_and(|old| old.payload == payload);
    (!same).then(|| Artefact::new(PRECISION, key, payload).label(label))
}

fn load_precision(version: &Version, store: &Store, label: &str, missing: &[Fragment], reach: &mut Reach) {
    let Some(found) = store.get(PRECISION, &precision_key(version, label)) else { return };
    let Ok(Precisions(list)) = postcard::from_bytes(&found.payload) else { return };
    let model = version.model;
    for &fragment in missing {
        let f = fragment.function();
        let name = &*model.whole.program.function(f).name;
        let number = match fragment {
            Fragment::Function(_) => 0,
            Fragment::Loop(_, l) => l.0 + 1,
        };
        let Ok(view) = model.view(f) else { continue };
        let Some((_, _, terms)) = list.iter().find(|(g, n, _)| g == name && *n == number) else { continue };
        let mut scope = Scope::new();
        let now = view.now.locals.iter().flatten().copied().chain(crate::model::shared(&view.now));
        let old = view.to_old.values().copied();
        for x in now.chain(old).chain(view.result) {
            if let Some(name) = x.var_name() {
                scope.define(name, &[], x);
            }
        }
        let form = version.form(fragment);
        for address in &form.addresses {
            let sort = model.whole.mode.pointer(&model.whole.program.target);
            scope.define(address, &[], Term::var(address, sort));
        }
        for text in terms {
            let Ok(term) = parse_term(text, &scope) else { continue };
            let Some(id) = reach.predicates.number(term) else { continue };
            let list = reach.precision.entry(fragment).or_default();
            if !list.contains(&id) {
                list.push(id);
            }
        }
    }
}
