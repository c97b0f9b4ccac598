//! What one run leaves for the next: the contracts of all functions, and what each was about.
//!
//! A contract was shown to be inductive one step at a time, so as long as the steps of a function are the
//! same, and the contracts of what it calls, nothing about it needs to be asked again. What a function's
//! steps are is said by a print: its text with the names of its variables, which regions its accesses are
//! in, and what its callees can touch. Functions with another print start from their old contracts, and
//! look for new invariants in between.

use crate::Place;
use crate::step::Held;
use encode::footprint::Footprint;
use encode::{IntMode, Layout, RegionId, TransitionSystem};
use engine::{Contract, RESULT, Subject, Task};
use ir::fingerprint::Texts;
use ir::{ExprKind, FuncId, NodeId, Op, Storage};
use logic::parse::{Scope, parse_sexprs, parse_sort, parse_term};
use logic::print::with_lets;
use logic::{Term, free_vars};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use slice::Checks;
use std::collections::BTreeMap;
use store::{Artefact, Key};

const KIND: &str = "contracts";
const LAST: &str = "last contracts";

#[derive(Serialize, Deserialize, PartialEq, Default)]
struct Record {
    /// All variables that formulas mention but the result, with their sorts.
    variables: Vec<(String, String)>,
    functions: Vec<Function>,
}

#[derive(Serialize, Deserialize, PartialEq)]
struct Function {
    name: String,
    print: [u8; 32],
    /// The sort of what it returns, if formulas mention that.
    result: Option<String>,
    requires: Vec<String>,
    /// None if it never returns.
    ensures: Option<Vec<String>>,
    invariants: Vec<(u32, Vec<String>)>,
}

/// What is known of a version, from an earlier one.
#[derive(Default)]
pub struct Inherited {
    /// Of functions whose steps are the same: everything; of others: what they require and ensure.
    pub held: Held,
    /// What held at the cut points of functions whose steps are not the same.
    pub guesses: FxHashMap<Place, Vec<Term>>,
    pub same: FxHashSet<FuncId>,
    /// Changed, or new.
    pub changed: Vec<FuncId>,
}

/// The prints of all functions that the entry reaches.
pub struct Prints(FxHashMap<FuncId, [u8; 32]>);

impl Prints {
    pub fn of(system: &TransitionSystem) -> Prints {
        let texts = Texts::of(&system.program, system.entry);
        let reached = system.graph.reachable(&[system.entry]).into_iter();
        let print = |f: FuncId| Some((f, print(system, f, texts.function(f)?)));
        Prints(reached.filter_map(print).collect())
    }
}

fn print(system: &TransitionSystem, f: FuncId, text: &ir::fingerprint::Text) -> [u8; 32] {
    let function = system.program.function(f);
    let mut parts: Vec<Vec<u8>> = vec![text.print.0.to_vec()];
    parts.push(text.nodes.iter().flat_map(|n| n.0.to_le_bytes()).collect());
    parts.extend(function.locals.iter().map(|local| local.name.as_bytes().to_vec()));
    parts.push(vec![u8::from(f == system.entry), u8::from(system.graph.is_recursive(f))]);
    let mut accesses = Vec::new();
    let mut access = |region: RegionId| accesses.extend(region_words(system, region).into_bytes());
    for edge in function.cfa().into_iter().flat_map(|cfa| cfa.edges()) {
        for e in edge.op.exprs() {
            e.walk(&mut |part| {
                if let ExprKind::Load(address) = &part.kind {
                    access(system.regions.of(0, f, address));
                }
            });
        }
        match &edge.op {
            Op::Store { addr, .. } => access(system.regions.of(0, f, addr)),
            Op::Fill { dst, .. } => access(system.regions.of(0, f, dst)),
            Op::Copy { dst, src, .. } => {
                access(system.regions.of(0, f, dst));
                access(system.regions.of(0, f, src));
            }
            _ => {}
        }
    }
    for (i, local) in function.locals.iter().enumerate() {
        if matches!(local.storage, Storage::Memory { .. }) {
            let address = ir::Expr { ty: ir::Type::Ptr, kind: ExprKind::AddrLocal(ir::LocalId(i as u32)) };
            system.regions.around(0, f, &address).into_iter().for_each(&mut access);
        }
    }
    parts.push(accesses);
    for g in system.graph.callees(f) {
        parts.push(interface(system, &system.footprints[g.0 as usize]).into_bytes());
    }
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    Key::of(&parts).0
}

fn region_words(system: &TransitionSystem, region: RegionId) -> String {
    let region = &system.regions.list[region.0 as usize];
    match region.layout {
        Layout::Cells(ty) => format!("{} {ty};", region.name),
        Layout::Bytes => format!("{};", region.name),
    }
}

/// What a call can change, which is all that its caller knows of it besides its contract.
fn interface(system: &TransitionSystem, print: &Footprint) -> String {
    let globals = print.writes_globals.iter().map(|g| format!("{};", system.program.global(*g).name));
    let mut words: Vec<String> = globals.collect();
    words.extend(print.writes.iter().map(|r| region_words(system, *r)));
    words.sort();
    let flags =
        [print.world, print.allocates, print.inputs, print.ends, print.pointer, print.unknown].map(u8::from);
    format!("{}{flags:?}", words.concat())
}

/// Where the contracts of a version are: by what it is.
fn key(subject: &Subject, mode: IntMode) -> Key {
    let names = match &subject.checks {
        Checks::All => Vec::new(),
        Checks::In(list) => list.iter().map(|f| subject.program.function(*f).name.to_string()).collect(),
    };
    let (print, mode) = (subject.print(false), mode.to_string());
    Key::of(&[&print.0, subject.name().as_bytes(), names.join(",").as_bytes(), mode.as_bytes()])
}

/// Where it says what the last version of a program was.
fn last(task: &Task, mode: IntMode) -> Key {
    Key::of(&[task.label, task.subject.name(), &mode.to_string()].map(str::as_bytes))
}

/// What the version before left. None if it left nothing.
pub fn load(system: &TransitionSystem, prints: &Prints, task: &Task) -> Option<Inherited> {
    let store = task.store.filter(|_| task.settings.reuse.procedures)?;
    let key = match task.base {
        Some(base) => key(base, system.mode),
        None => {
            let found = store.get(LAST, &last(task, system.mode))?;
            Key(found.payload.try_into().ok()?)
        }
    };
    let record = store.get(KIND, &key)?;
    let record: Record = postcard::from_bytes(&record.payload).ok()?;
    let mut reader = Reader { variables: &record.variables, scopes: FxHashMap::default() };
    let names: FxHashMap<&str, &Function> = record.functions.iter().map(|f| (&*f.name, f)).collect();
    let mut inherited = Inherited::default();
    let mut reached: Vec<(FuncId, [u8; 32])> = prints.0.iter().map(|(f, print)| (*f, *print)).collect();
    reached.sort();
    for (f, print) in reached {
        let Some(kept) = names.get(&*system.program.function(f).name) else {
            inherited.changed.push(f);
            continue;
        };
        let same = kept.print == print;
        let list = |reader: &mut Reader, list: &[String]| reader.formulas(list, kept.result.as_deref(), same);
        inherited.held.insert(Place::Entry(f), list(&mut reader, &kept.requires)?);
        if let Some(ensures) = &kept.ensures {
            inherited.held.insert(Place::Exit(f), list(&mut reader, ensures)?);
        }
        for (node, invariant) in &kept.invariants {
            let (place, formulas) = (Place::Cut(f, NodeId(*node)), list(&mut reader, invariant)?);
            match same {
                true => inherited.held.insert(place, formulas),
                false => inherited.guesses.insert(place, formulas),
            };
        }
        match same {
            true => drop(inherited.same.insert(f)),
            false => inherited.changed.push(f),
        }
    }
    Some(inherited)
}

struct Reader<'r> {
    variables: &'r [(String, String)],
    /// By the sort of the result.
    scopes: FxHashMap<Option<String>, Option<Scope>>,
}

impl Reader<'_> {
    /// All of these, or as many as can be read.
    fn formulas(&mut self, texts: &[String], result: Option<&str>, all: bool) -> Option<Vec<Term>> {
        if texts.is_empty() {
            return Some(Vec::new());
        }
        let variables = self.variables;
        let scope = self.scopes.entry(result.map(str::to_owned)).or_insert_with(|| scope(variables, result));
        let scope = scope.as_ref()?;
        let read = texts.iter().map(|text| parse_term(text, scope).ok());
        if all { read.collect() } else { Some(read.flatten().collect()) }
    }
}

fn scope(variables: &[(String, String)], result: Option<&str>) -> Option<Scope> {
    let mut scope = Scope::new();
    let result = result.map(|sort| (RESULT, sort));
    for (name, sort) in variables.iter().map(|(name, sort)| (&**name, &**sort)).chain(result) {
        let sort = parse_sort(parse_sexprs(sort).ok()?.iter().next()?, &scope).ok()?;
        scope.define(name, &[], Term::var(name, sort));
    }
    Some(scope)
}

/// Keeps contracts for the next version.
pub fn save(
    system: &TransitionSystem,
    prints: &Prints,
    task: &Task,
    contracts: &[Contract],
    returning: &FxHashSet<FuncId>,
) {
    let Some(store) = task.store else { return };
    let mut variables: BTreeMap<&str, String> = BTreeMap::new();
    let mut functions = Vec::new();
    for contract in contracts {
        let Some(print) = prints.0.get(&contract.function) else { continue };
        let mut result = None;
        let mut list = |formula: Term| -> Vec<String> {
            for variable in free_vars(formula) {
                match variable.var_name() {
                    Some(RESULT) => result = Some(variable.sort().to_string()),
                    Some(name) => drop(variables.entry(name).or_insert_with(|| variable.sort().to_string())),
                    None => {}
                }
            }
            formula.conjuncts().into_iter().map(with_lets).collect()
        };
        let requires = list(contract.requires);
        let ensures = returning.contains(&contract.function).then(|| list(contract.ensures));
        let invariants = contract.invariants.iter().map(|(node, holds)| (node.0, list(*holds))).collect();
        let name = system.program.function(contract.function).name.to_string();
        functions.push(Function { name, print: *print, result, requires, ensures, invariants });
    }
    let variables = variables.into_iter().map(|(name, sort)| (name.to_owned(), sort)).collect();
    let Ok(payload) = postcard::to_stdvec(&Record { variables, functions }) else { return };
    // A hint: without it, the next version starts from nothing.
    let (key, last) = (key(task.subject, system.mode), last(task, system.mode));
    let _ = store.put_all(&[
        Artefact::new(KIND, key, payload).label(task.label),
        Artefact::new(LAST, last, key.0.to_vec()).label(task.label),
    ]);
}
