//! What one verified version leaves for the next one: its calls, each with its record, and what they were
//! true of.

use crate::apply::{Known, KnownCall};
use crate::exec::Exec;
use crate::summary::Record;
use ::engine::Unwind;
use ir::fingerprint::{Fingerprints, Symbol};
use ir::{Callee, Expr, ExprKind, FuncId, GlobalId, Op, Program, Var};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::rc::Rc;
use store::{Artefact, Key, Store};

const KIND: &str = "bmc";

#[derive(Clone, Serialize, Deserialize)]
pub struct Knowledge {
    /// The bounds suffice for all executions.
    pub complete: bool,
    /// Are there records of its calls? If not, only the verdict is known.
    pub summarised: bool,
    /// For how many versions in a row no summaries could be made.
    pub failed: u32,
    /// Loops were unwound so often, at most.
    pub bound: u32,
    /// How it was unwound, if that is known.
    pub unwound: Option<Shape>,
    /// What it cost to find this out.
    pub seconds: f64,
    /// By name: the local fingerprint.
    pub functions: BTreeMap<String, [u8; 32]>,
    /// Of the globals and their initial values, and of the target.
    pub globals: [u8; 32],
    pub addresses: Vec<(String, u64, u64)>,
    /// Parents first; the first one is the entry.
    pub calls: Vec<Node>,
}

/// A proof without its refutation: see `engine::Unwound`.
#[derive(Clone, Serialize, Deserialize)]
pub struct Shape {
    pub bound: u32,
    pub free: u64,
    pub pruned: Vec<u64>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Node {
    pub parent: Option<u32>,
    pub function: String,
    pub path: String,
    /// None for the entry, and for calls whose borders cannot be written down.
    pub record: Option<Record>,
}

/// What identifies a version: the parts of it that results depend on.
pub struct Version {
    pub functions: BTreeMap<String, [u8; 32]>,
    pub globals: [u8; 32],
    pub key: Key,
}

/// What the bodies of a program refer to, directly or through initial values. Nothing else can have an
/// influence.
#[derive(Default)]
struct Used {
    functions: FxHashSet<FuncId>,
    globals: FxHashSet<GlobalId>,
}

impl Used {
    fn of(program: &Program) -> Used {
        let mut used = Used::default();
        for id in program.function_ids() {
            let Some(cfa) = program.function(id).cfa() else { continue };
            used.functions.insert(id);
            for edge in cfa.edges() {
                if let Op::Call { callee: Callee::Direct(callee), .. } = &edge.op {
                    used.functions.insert(*callee);
                }
                if let Some(Var::Global(global)) = edge.op.written() {
                    used.globals.insert(global);
                }
                edge.op.exprs().iter().for_each(|e| used.expr(e));
            }
        }
        let mut work: Vec<GlobalId> = used.globals.iter().copied().collect();
        while let Some(id) = work.pop() {
            let before = used.globals.clone();
            program.global(id).initial_values().for_each(|e| used.expr(e));
            work.extend(used.globals.difference(&before));
        }
        used
    }

    fn expr(&mut self, e: &Expr) {
        e.walk(&mut |part| match part.kind {
            ExprKind::Global(id) | ExprKind::AddrGlobal(id) => {
                self.globals.insert(id);
            }
            ExprKind::AddrFunc(id) => {
                self.functions.insert(id);
            }
            _ => {}
        });
    }
}

impl Version {
    pub fn of(program: &Program, entry: FuncId, unwind: &Unwind) -> Version {
        let prints = Fingerprints::compute(program);
        let used = Used::of(program);
        let functions = program
            .function_ids()
            .filter(|id| *id == entry || used.functions.contains(id))
            .map(|id| (program.function(id).name.to_string(), prints.function(id).local.0))
            .collect::<BTreeMap<_, _>>();
        let mut parts: Vec<Vec<u8>> = vec![program.target.name.as_bytes().to_vec()];
        let names = crate::globals::names(program);
        for (i, global) in program.globals.iter().enumerate() {
            let form = prints.forms().global(ir::GlobalId(i as u32));
            if ir::fingerprint::is_literal(global) || !used.globals.contains(&ir::GlobalId(i as u32)) {
                continue;
            }
            let mut part = global.name.as_bytes().to_vec();
            part.extend(format!("{:?} {}", global.storage, global.constant).into_bytes());
            part.extend(form.init.0);
            // The form leaves open what it refers to.
            for symbol in &form.symbols {
                let (kind, name) = match symbol {
                    Symbol::Function(id) => ("function", program.function(*id).name.to_string()),
                    Symbol::Global(id) => ("global", names[id.0 as usize].clone()),
                };
                part.extend(format!("\0{kind} {name}").into_bytes());
            }
            parts.push(part);
        }
        parts.sort();
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        let globals = Key::of(&parts).0;
        let options = format!("{unwind:?}");
        let name = &program.function(entry).name;
        let mut parts: Vec<Vec<u8>> = vec![options.into_bytes(), name.as_bytes().to_vec(), globals.to_vec()];
        for (name, print) in &functions {
            parts.push(name.as_bytes().to_vec());
            parts.push(print.to_vec());
        }
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        Version { functions, globals, key: Key::of(&parts) }
    }
}

impl Knowledge {
    /// Of the calls that an execution made, without summaries.
    pub fn of(exec: &Exec, version: &Version, complete: bool) -> Knowledge {
        let calls = exec.calls.iter().map(|call| Node {
            parent: call.parent.map(|p| p.0),
            function: exec.program.function(call.function).name.to_string(),
            path: call.path.clone(),
            record: None,
        });
        Knowledge {
            summarised: true,
            addresses: exec.objects.addresses(),
            calls: calls.collect(),
            ..Knowledge::bare(version, complete, exec.limits.bounds.every)
        }
    }

    /// The verdict alone.
    pub fn verdict(version: &Version, entry: &str, complete: bool, bound: u32) -> Knowledge {
        let root = Node { parent: None, function: entry.to_owned(), path: entry.to_owned(), record: None };
        Knowledge { calls: vec![root], ..Knowledge::bare(version, complete, bound) }
    }

    fn bare(version: &Version, complete: bool, bound: u32) -> Knowledge {
        Knowledge {
            complete,
            summarised: false,
            failed: 0,
            bound,
            unwound: None,
            seconds: 0.0,
            functions: version.functions.clone(),
            globals: version.globals,
            addresses: Vec::new(),
            calls: Vec::new(),
        }
    }

    pub fn known(&self, valid: impl Fn(usize) -> bool) -> Known {
        let call = |(i, node): (usize, &Node)| {
            let record = Rc::new(node.record.clone()?);
            let valid = valid(i) && !record.summary.is_empty();
            Some(KnownCall {
                function: node.function.clone(),
                path: node.path.clone(),
                record,
                valid,
                node: i,
            })
        };
        Known::new(self.calls.iter().enumerate().filter_map(call).collect())
    }

    pub fn save(&self, store: &Store, key: Key, label: &str, unwind: &Unwind) -> Result<usize, String> {
        let bytes = postcard::to_stdvec(self).map_err(|e| e.to_string())?;
        let size = bytes.len();
        let artefact = Artefact::new(KIND, key, bytes).label(labelled(label, unwind));
        store.put(&artefact).map_err(|e| e.to_string())?;
        Ok(size)
    }

    pub fn load(store: &Store, key: &Key) -> Option<Knowledge> {
        let artefact = store.get(KIND, key)?;
        let knowledge: Knowledge = postcard::from_bytes(&artefact.payload).ok()?;
        knowledge.is_tree().then_some(knowledge)
    }

    /// The newest one with this label and entry.
    pub fn latest(store: &Store, label: &str, unwind: &Unwind, entry: &str) -> Option<Knowledge> {
        let mut entries = store.list(Some(KIND), Some(&labelled(label, unwind))).ok()?;
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.created));
        let mut known = entries.iter().filter_map(|found| Knowledge::load(store, &found.id.key));
        known.find(|known| known.calls.first().is_some_and(|root| root.function == entry))
    }

    fn is_tree(&self) -> bool {
        self.calls.iter().enumerate().all(|(i, node)| match node.parent {
            Some(parent) => (parent as usize) < i,
            None => i == 0,
        })
    }
}

/// Results for different bounds are told apart.
fn labelled(label: &str, unwind: &Unwind) -> String {
    match unwind {
        Unwind::Auto { most: None } => label.to_owned(),
        Unwind::Auto { most: Some(most) } => format!("{label} (up to {most})"),
        Unwind::Fixed(bounds) => {
            let loops: Vec<String> =
                bounds.loops.iter().map(|l| format!(" {}:{}={}", l.function, l.number, l.bound)).collect();
            let recursion = bounds.recursion.map_or(String::new(), |k| format!(" recursion {k}"));
            format!("{label} (unwind {}{}{recursion})", bounds.every, loops.join(""))
        }
    }
}
