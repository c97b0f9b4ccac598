//! A whole program that is verified from its entry: its variables, its first states and the transitions
//! between cut points.
//!
//! The one reading of a program that engines for unbounded proofs and the checker of their certificates
//! share. A program is a set of functions; a function has *cut points* (its entry, the heads of its loops,
//! the nodes before and behind calls), and between cut points there are [`Transition`]s over the variables of
//! the function ([`TransitionSystem::variables`]). Calls of functions with a body are transitions of their
//! own that say nothing about the callee.
//!
//! What differs from comparing functions: functions without a body return any value and do nothing else (or,
//! if they havoc, give any value to all that escapes), inputs are any values, and there is a first state.
//! Executions end where behaviour is undefined. Calls through pointers are choices between the functions that
//! the pointer may hold (`resolve`).
//!
//! Assumed of every execution (`engine::Assumption`): it accesses memory only where that is valid, pointers
//! that come from outside lead to no object of the program (slices rest on that), and calls through pointers
//! reach functions.

mod initial;
mod reader;
mod resolve;
mod transitions;
mod walk;

use crate::expr::{Encoder, Outside};
use crate::footprint::{Footprint, footprints};
use crate::memory::memory_sort;
use crate::mode::{IntMode, Unsupported};
use crate::names;
use crate::regions::Regions;
use crate::state::State;
use ir::{CallGraph, EdgeId, FuncId, LoopForest, NodeId, Op, Program, Storage};
use logic::{Sort, Term};
use std::cell::OnceCell;
use std::collections::BTreeSet;

pub use reader::Reader;
pub use transitions::{To, Transition};
pub use walk::Event;

pub struct TransitionSystem {
    /// Every call is direct. Nodes of the original have the same numbers.
    pub program: Program,
    pub entry: FuncId,
    pub mode: IntMode,
    pub regions: Regions,
    /// By function.
    pub footprints: Vec<Footprint>,
    pub graph: CallGraph,
    /// By function: the loops of those with a body.
    pub loops: Vec<Option<LoopForest>>,
    cuts: Vec<BTreeSet<NodeId>>,
    /// By function and edge: the edge of the original.
    origins: Vec<Option<Vec<EdgeId>>>,
    /// What holds of the addresses of all objects.
    pub addresses: Term,
    /// The names of globals that could be those of locals.
    statics: BTreeSet<String>,
    /// By function: its variables, which everything about it begins with.
    variables: Vec<OnceCell<State>>,
}

impl TransitionSystem {
    pub fn new(program: &Program, entry: FuncId, mode: IntMode) -> Result<TransitionSystem, Unsupported> {
        let (program, origins) = resolve::resolve(program);
        let regions = Regions::analyse(&[&program], &[vec![entry]]);
        // Functions without a body do nothing, unless they havoc.
        let outside = program.functions.iter().filter(|f| matches!(f.body, ir::Body::Extern));
        let outside: Vec<&str> = outside.map(|f| &*f.name).collect();
        let mut footprints = footprints(&program, 0, &regions, &outside);
        let graph = CallGraph::of(&program);
        forget(&program, &regions, &graph, &mut footprints);
        let loops: Vec<Option<LoopForest>> =
            program.functions.iter().map(|f| f.cfa().map(LoopForest::of)).collect();
        let cuts = program.function_ids().map(|f| cuts(&program, f, loops[f.0 as usize].as_ref())).collect();
        let addresses = Term::bool(true);
        let statics = program.globals.iter().filter(|g| ir::names::split_qualified(&g.name).is_some());
        let statics = statics.map(|g| g.name.to_string()).collect();
        let variables = program.functions.iter().map(|_| OnceCell::new()).collect();
        let mut whole = TransitionSystem {
            program,
            entry,
            mode,
            regions,
            footprints,
            graph,
            loops,
            cuts,
            origins,
            addresses,
            statics,
            variables,
        };
        whole.addresses = whole.address_facts()?;
        Ok(whole)
    }

    /// The cut points of a function, its entry first among them.
    pub fn cuts(&self, function: FuncId) -> &BTreeSet<NodeId> {
        &self.cuts[function.0 as usize]
    }

    /// The edge of the original program that an edge stands for.
    pub fn origin(&self, function: FuncId, edge: EdgeId) -> EdgeId {
        match self.origins.get(function.0 as usize) {
            Some(Some(list)) => list.get(edge.0 as usize).copied().unwrap_or(edge),
            _ => edge,
        }
    }

    /// A variable for everything that an activation of a function knows, with this in front of its name. A
    /// local is called `function::name`, a global by its name, the content of a region `memory.name`.
    pub fn variables(&self, function: FuncId, prefix: &str) -> Result<State, Unsupported> {
        if !prefix.is_empty() {
            return self.named_variables(function, prefix);
        }
        let known = &self.variables[function.0 as usize];
        match known.get() {
            Some(state) => Ok(state.clone()),
            None => {
                let state = self.named_variables(function, prefix)?;
                Ok(known.get_or_init(|| state).clone())
            }
        }
    }

    fn named_variables(&self, function: FuncId, prefix: &str) -> Result<State, Unsupported> {
        let target = &self.program.target;
        let f = self.program.function(function);
        let register = |name: String, storage: Storage| match storage {
            Storage::Register(ty) => self.mode.sort(ty, target).map(|sort| Some(Term::var(&name, sort))),
            Storage::Memory { .. } => Ok(None),
        };
        // A variable whose type has no encoding is none: whoever needs it is told.
        // A static local of the function is a global that may be called the same.
        let local = |name: &str| {
            let name = ir::names::qualified(&f.name, name);
            if self.statics.contains(&name) {
                format!("{prefix}{name}#auto")
            } else {
                format!("{prefix}{name}")
            }
        };
        let locals = f.locals.iter().map(|l| register(local(&l.name), l.storage).unwrap_or_default());
        let globals = self
            .program
            .globals
            .iter()
            .map(|g| register(format!("{prefix}{}", g.name), g.storage).unwrap_or_default());
        let memory = self.regions.list.iter().map(|r| {
            let sort = memory_sort(self.mode, target, r.layout)?;
            Ok(Term::var(&format!("{prefix}{}", names::memory(&r.name)), sort))
        });
        let token = |name: &str| Term::var(&format!("{prefix}{name}"), Sort::Int);
        Ok(State {
            locals: locals.collect(),
            globals: globals.collect(),
            memory: memory.collect::<Result<_, Unsupported>>()?,
            world: token(".world"),
            allocations: token(".allocations"),
            inputs: token(".inputs"),
        })
    }

    /// What holds of the variables of any state: values are of their types.
    pub fn typed(&self, function: FuncId, state: &State) -> Term {
        let f = self.program.function(function);
        let locals = f.locals.iter().map(|l| l.storage).zip(&state.locals);
        let globals = self.program.globals.iter().map(|g| g.storage).zip(state.globals.iter());
        Term::all(locals.chain(globals).filter_map(|(storage, value)| match (storage, value) {
            (Storage::Register(ty), Some(value)) => {
                Some(self.mode.type_fact(ty, &self.program.target, *value))
            }
            _ => None,
        }))
    }

    fn encoder(&self, function: FuncId) -> Encoder<'_> {
        let mut encoder =
            Encoder::new(&self.program, 0, function, self.mode, &self.regions, names::AUXILIARY);
        encoder.outside_code = Outside::Values;
        encoder
    }

    /// No two objects overlap, wherever they are mentioned.
    fn address_facts(&self) -> Result<Term, Unsupported> {
        let mut encoder = self.encoder(self.entry);
        encoder.objects.one_program = true;
        let reached = self.graph.reachable(&[self.entry]);
        let mut mentioned = 0;
        for f in reached {
            let Some(cfa) = self.program.function(f).cfa() else { continue };
            encoder.function = f;
            for e in cfa.edges().iter().flat_map(|edge| edge.op.exprs()) {
                let mut list = Vec::new();
                e.walk(&mut |part| {
                    if matches!(
                        part.kind,
                        ir::ExprKind::AddrLocal(_) | ir::ExprKind::AddrGlobal(_) | ir::ExprKind::AddrFunc(_)
                    ) {
                        list.push(part);
                    }
                });
                for part in list {
                    let before = encoder.facts.len();
                    encoder.address(part)?;
                    mentioned += u32::from(encoder.facts.len() > before);
                }
            }
            // Each is compared with all before; what is left out here is said where two are mentioned
            // together.
            if mentioned > MOST_ADDRESSES {
                break;
            }
        }
        Ok(Term::all(encoder.facts.drain(..)))
    }
}

const MOST_ADDRESSES: u32 = 100;

/// What an activation leaves behind in its variables in memory is a change, too, though nobody wrote it: see
/// [`transitions`].
fn forget(program: &Program, regions: &Regions, graph: &CallGraph, footprints: &mut [Footprint]) {
    let mut work = Vec::new();
    for id in program.function_ids().filter(|id| program.function(*id).cfa().is_some()) {
        let forgotten = transitions::forgotten(program, regions, id);
        if !footprints[id.0 as usize].writes.is_superset(&forgotten) {
            footprints[id.0 as usize].writes.extend(forgotten);
            work.push(id);
        }
    }
    while let Some(id) = work.pop() {
        let writes = footprints[id.0 as usize].writes.clone();
        for caller in graph.callers(id) {
            if !footprints[caller.0 as usize].writes.is_superset(&writes) {
                footprints[caller.0 as usize].writes.extend(&writes);
                work.push(*caller);
            }
        }
    }
}

/// The entry, loop heads, and both ends of calls of functions with a body.
fn cuts(program: &Program, f: FuncId, loops: Option<&LoopForest>) -> BTreeSet<NodeId> {
    let Some(cfa) = program.function(f).cfa() else { return BTreeSet::new() };
    let mut cuts = BTreeSet::from([cfa.entry]);
    for l in loops.iter().flat_map(|forest| forest.loops()) {
        cuts.insert(l.header);
        cuts.extend(&l.entries);
    }
    for edge in cfa.edges() {
        if is_cut_call(program, &edge.op) {
            cuts.insert(edge.from);
            if edge.to != cfa.exit {
                cuts.insert(edge.to);
            }
        }
    }
    cuts
}

/// A call that is a transition of its own.
fn is_cut_call(program: &Program, op: &Op) -> bool {
    match op {
        Op::Call { callee: ir::Callee::Direct(callee), .. } => {
            !matches!(program.function(*callee).body, ir::Body::Extern)
        }
        _ => false,
    }
}
