//! A function's variables: those of now, those at its entry, and where each can be spoken of.

use super::shared;
use encode::names::is_address;
use encode::state::State;
use encode::{TransitionSystem, Unsupported};
use ir::{FuncId, LocalId, NodeId, Var};
use logic::{Substitution, Term, free_vars};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A function's variables.
pub struct View {
    pub now: State,
    pub old: State,
    /// From variables of now to those at the entry.
    pub to_old: FxHashMap<Term, Term>,
    pub to_now: FxHashMap<Term, Term>,
    /// Parameters, globals, memory and tokens of now.
    pub at_entry: FxHashSet<Term>,
    /// Globals, memory and tokens of now: what a function leaves behind.
    pub at_exit: FxHashSet<Term>,
    /// None where the type has no encoding.
    pub params: Vec<Option<Term>>,
    locals: FxHashMap<Term, LocalId>,
    /// By node: the locals that are read later.
    live: Vec<Vec<bool>>,
    /// The range of each variable's type, for those that need it said.
    pub(super) typed: FxHashMap<Term, Term>,
    pub result: Option<Term>,
}

impl View {
    pub(super) fn new(system: &TransitionSystem, f: FuncId) -> Result<View, Unsupported> {
        let (now, old) = (system.variables(f, "")?, system.variables(f, encode::names::OLD)?);
        let function = system.program.function(f);
        let params = now.locals[..function.params as usize].to_vec();
        let mut to_old: FxHashMap<Term, Term> = FxHashMap::default();
        let mut at_entry = FxHashSet::default();
        let mut at_exit = FxHashSet::default();
        for (x, y) in now.locals[..function.params as usize].iter().zip(&old.locals) {
            if let (Some(x), Some(y)) = (x, y) {
                to_old.insert(*x, *y);
                at_entry.insert(*x);
            }
        }
        for (x, y) in shared(&now).zip(shared(&old)) {
            to_old.insert(x, y);
            at_entry.insert(x);
            at_exit.insert(x);
        }
        let mut typed = FxHashMap::default();
        for (x, fact) in types(system, f, &now).into_iter().chain(types(system, f, &old)) {
            typed.insert(x, fact);
        }
        let result = match function.ret {
            Some(ty) => Some(Term::var(::engine::RESULT, system.mode.sort(ty, &system.program.target)?)),
            None => None,
        };
        if let (Some(result), Some(ty)) = (result, function.ret) {
            typed.insert(result, system.mode.type_fact(ty, &system.program.target, result));
        }
        typed.retain(|_, fact| !fact.is_true());
        let locals = now.locals.iter().zip(0..).filter_map(|(x, i)| Some(((*x)?, LocalId(i)))).collect();
        let live = live(system, f);
        let to_now = to_old.iter().map(|(x, y)| (*y, *x)).collect();
        Ok(View { now, old, to_old, to_now, at_entry, at_exit, params, locals, live, typed, result })
    }

    /// Can a predicate say something at a node: are its variables of now still needed there? A parameter that
    /// still has its value from the entry is, for what is said of that.
    pub fn fits_at(&self, predicate: Term, node: NodeId, untouched: &dyn Fn(Term) -> bool) -> bool {
        let live = self.live.get(node.0 as usize);
        free_vars(predicate).iter().all(|v| match self.locals.get(v) {
            Some(id) => {
                live.is_none_or(|live| live.get(id.0 as usize) == Some(&true))
                    || self.to_old.contains_key(v) && untouched(*v)
            }
            None => Some(*v) != self.result,
        })
    }

    pub fn fits_entry(&self, predicate: Term) -> bool {
        free_vars(predicate).iter().all(|v| self.at_entry.contains(v) || is_address(*v))
    }

    pub fn fits_exit(&self, predicate: Term) -> bool {
        free_vars(predicate).iter().all(|v| !self.locals.contains_key(v))
    }

    /// Does a formula mention only variables of this function?
    pub fn knows(&self, predicate: Term) -> bool {
        free_vars(predicate).iter().all(|v| {
            self.locals.contains_key(v)
                || self.at_entry.contains(v)
                || self.is_old(*v)
                || Some(*v) == self.result
                || is_address(*v)
        })
    }

    pub fn is_old(&self, variable: Term) -> bool {
        self.to_now.contains_key(&variable)
    }

    /// From variables of now to those at the entry.
    pub fn as_old(&self) -> Substitution {
        Substitution::new(self.to_old.iter().map(|(x, y)| (*x, *y)))
    }

    pub fn as_now(&self) -> Substitution {
        Substitution::new(self.to_old.iter().map(|(x, y)| (*y, *x)))
    }
}

fn types(system: &TransitionSystem, f: FuncId, state: &State) -> Vec<(Term, Term)> {
    let function = system.program.function(f);
    let locals = function.locals.iter().map(|l| l.storage).zip(&state.locals);
    let globals = system.program.globals.iter().map(|g| g.storage).zip(state.globals.iter());
    let mut list = Vec::new();
    for (storage, value) in locals.chain(globals) {
        if let (ir::Storage::Register(ty), Some(value)) = (storage, value) {
            list.push((*value, system.mode.type_fact(ty, &system.program.target, *value)));
        }
    }
    list
}

/// By node and local: is its value read later?
fn live(system: &TransitionSystem, f: FuncId) -> Vec<Vec<bool>> {
    let function = system.program.function(f);
    let Some(cfa) = function.cfa() else { return Vec::new() };
    let (nodes, locals) = (cfa.node_count() as usize, function.locals.len());
    let mut live = vec![vec![false; locals]; nodes];
    let mut entering: Vec<Vec<u32>> = vec![Vec::new(); nodes];
    for (i, edge) in cfa.edges().iter().enumerate() {
        entering[edge.to.0 as usize].push(i as u32);
    }
    let mut work: BTreeSet<u32> = (0..nodes as u32).collect();
    while let Some(node) = work.pop_last() {
        for &i in &entering[node as usize] {
            let edge = &cfa.edges()[i as usize];
            let mut before = live[node as usize].clone();
            if let Some(Var::Local(LocalId(x))) = edge.op.written() {
                before[x as usize] = false;
            }
            for e in edge.op.exprs() {
                e.walk(&mut |part| {
                    if let ir::ExprKind::Local(LocalId(x)) = part.kind {
                        before[x as usize] = true;
                    }
                });
            }
            let from = edge.from.0;
            let slot = &mut live[from as usize];
            let mut grew = false;
            for (a, b) in slot.iter_mut().zip(before) {
                grew |= b && !*a;
                *a |= b;
            }
            if grew {
                work.insert(from);
            }
        }
    }
    live
}
