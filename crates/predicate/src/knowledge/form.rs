//! What identifies a fragment and what it touches: its key in the store, and how facts about it are carried
//! from one version to the next.

use super::*;
use encode::names;

/// What identifies the fragments of a program.
pub struct Version<'m> {
    pub(super) model: &'m Model,
    pub(super) prints: Fingerprints,
    pub(super) graph: CallGraph,
}

/// A fragment with all that is needed to carry facts over.
pub(super) struct Form<'v> {
    pub(super) canonical: &'v Canonical,
    pub(super) key: Key,
    /// By first access, in the fragment and all it calls.
    pub(super) regions: Vec<RegionId>,
    /// Objects whose addresses the fragment and all it calls mention, by first mention.
    pub(super) addresses: Vec<String>,
    /// How many regions, and addresses, the fragment has itself, and where its own accesses go.
    pub(super) own: (usize, usize),
    pub(super) own_places: Vec<u32>,
}

impl<'m> Version<'m> {
    pub fn new(model: &'m Model) -> Version<'m> {
        let program = &model.system.program;
        let prints = Fingerprints::compute(program);
        let graph = CallGraph::of(program);
        Version { model, prints, graph }
    }

    pub(super) fn form(&self, fragment: Fragment) -> Form<'_> {
        let f = fragment.function();
        let forms = self.prints.forms().function(f);
        let (canonical, print) = match fragment {
            Fragment::Function(f) => (&forms.whole.canonical, self.prints.function(f).global),
            Fragment::Loop(f, l) => (&forms.loop_(l).canonical, self.prints.loop_(f, l).global),
        };
        let mut reader =
            Accesses { version: self, regions: Vec::new(), places: Vec::new(), addresses: Vec::new() };
        reader.fragment(f, canonical);
        let own = (reader.regions.len(), reader.addresses.len());
        let own_places = reader.places.clone();
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
            if self.model.system.program.function(g).cfa().is_none() {
                continue;
            }
            let inner = &self.prints.forms().function(g).whole.canonical;
            reader.fragment(g, inner);
            work.extend(inner.callees.iter().rev().filter(|h| !seen.contains(h)));
        }
        let system = &self.model.system;
        let layouts: Vec<String> = reader.regions.iter().map(|r| self.layout(*r)).collect();
        let places: Vec<u8> = reader.places.iter().flat_map(|n: &u32| n.to_le_bytes()).collect();
        let kind = match fragment {
            Fragment::Function(_) => "function",
            Fragment::Loop(..) => "loop",
        };
        let head = format!(
            "{} {} {kind} {}",
            system.mode,
            system.program.target.name,
            system.program.function(f).name
        );
        let key = Key::of(&[head.as_bytes(), &print.0, layouts.join(",").as_bytes(), &places]);
        Form { canonical, key, regions: reader.regions, addresses: reader.addresses, own, own_places }
    }

    pub(super) fn layout(&self, region: RegionId) -> String {
        match self.model.system.regions.list[region.0 as usize].layout {
            Layout::Cells(ty) => ty.to_string(),
            Layout::Bytes => "bytes".to_owned(),
        }
    }

    /// All fragments that the entry reaches.
    pub fn fragments(&self) -> Vec<Fragment> {
        let system = &self.model.system;
        let mut list = Vec::new();
        for f in self.graph.reachable(&[system.entry]) {
            if system.program.function(f).cfa().is_none() {
                continue;
            }
            list.push(Fragment::Function(f));
            for l in system.loops[f.0 as usize].iter().flat_map(|forest| forest.ids()) {
                if system.loops[f.0 as usize].as_ref().is_some_and(|forest| !forest.get(l).irreducible) {
                    list.push(Fragment::Loop(f, l));
                }
            }
        }
        list
    }

    pub(super) fn local_names(&self, fragment: Fragment, form: &Form) -> Vec<String> {
        let Ok(view) = self.model.view(fragment.function()) else { return Vec::new() };
        let name = |l: &ir::LocalId| view.now.locals.get(l.0 as usize).copied().flatten()?.var_name();
        form.canonical.locals.iter().map(|l| name(l).unwrap_or_default().to_owned()).collect()
    }

    pub(super) fn region_names(&self, form: &Form) -> Vec<String> {
        let list = &self.model.system.regions.list;
        form.regions.iter().map(|r| list[r.0 as usize].name.clone()).collect()
    }

    /// Where a fragment is entered.
    pub(super) fn head(&self, fragment: Fragment) -> Option<NodeId> {
        match fragment {
            Fragment::Function(f) => Some(self.model.entry_node(f)),
            Fragment::Loop(f, l) => Some(self.model.system.loops[f.0 as usize].as_ref()?.get(l).header),
        }
    }

    /// The variables of a function that are in registers, now and at its entry, with their types.
    pub(super) fn types(&self, f: FuncId) -> FxHashMap<Term, String> {
        let program = &self.model.system.program;
        let Ok(view) = self.model.view(f) else { return FxHashMap::default() };
        let mut types = FxHashMap::default();
        for state in [&view.now, &view.old] {
            let locals = program.function(f).locals.iter().map(|l| l.storage).zip(&state.locals);
            let globals = program.globals.iter().map(|g| g.storage).zip(state.globals.iter());
            for (storage, x) in locals.chain(globals) {
                if let (ir::Storage::Register(ty), Some(x)) = (storage, x) {
                    types.insert(*x, ty.to_string());
                }
            }
        }
        types
    }

    /// The cut points of a fragment by number: the place in the canonical form, and which of those that it
    /// does not tell apart (nothing happens between them). The latter is a guess from one version to the
    /// next, which only certificates may rely on.
    pub(super) fn cuts(&self, fragment: Fragment, form: &Form) -> FxHashMap<u32, NodeId> {
        let mut found: FxHashMap<u32, Vec<NodeId>> = FxHashMap::default();
        for &cut in self.model.system.cuts(fragment.function()) {
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
pub(super) const ALIKE: u32 = 16;

/// Is this a cut point that the canonical form tells from all others?
pub(super) fn is_alone(number: u32) -> bool {
    number.is_multiple_of(2 * ALIKE)
}

/// Which regions code accesses, in canonical order.
pub(super) struct Accesses<'v, 'm> {
    version: &'v Version<'m>,
    regions: Vec<RegionId>,
    places: Vec<u32>,
    addresses: Vec<String>,
}

impl Accesses<'_, '_> {
    pub(super) fn fragment(&mut self, f: FuncId, canonical: &Canonical) {
        let system = &self.version.model.system;
        let function = system.program.function(f);
        let Some(cfa) = function.cfa() else { return };
        self.places.push(u32::MAX);
        for &edge in &canonical.edges {
            let op = &cfa.edge(edge).op;
            for e in op.exprs() {
                e.walk(&mut |part| match &part.kind {
                    ExprKind::Load(address) => {
                        let region = system.regions.of(0, f, address);
                        self.access(region);
                    }
                    ExprKind::AddrGlobal(id) => {
                        self.mention(names::address(&system.program.global(*id).name));
                    }
                    ExprKind::AddrLocal(id) => {
                        let name = names::address_of_local(&function.name, &function.local(*id).name);
                        self.mention(name);
                    }
                    ExprKind::AddrFunc(id) => {
                        self.mention(names::address_of_function(&system.program.function(*id).name));
                    }
                    _ => {}
                });
            }
            match op {
                Op::Store { addr, .. } => self.access(system.regions.of(0, f, addr)),
                Op::Fill { dst, .. } => self.access(system.regions.of(0, f, dst)),
                Op::Copy { dst, src, .. } => {
                    self.access(system.regions.of(0, f, dst));
                    self.access(system.regions.of(0, f, src));
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
                for region in system.regions.around(0, f, &address) {
                    self.access(region);
                }
            }
        }
    }

    pub(super) fn mention(&mut self, address: String) {
        if !self.addresses.contains(&address) {
            self.addresses.push(address);
        }
    }

    pub(super) fn access(&mut self, region: RegionId) {
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
