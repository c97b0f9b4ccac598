//! The program as the engine sees it: functions with their variables, steps between cut points, and loops.
//!
//! A *fragment* is a function or a loop (paper 000, section 4.3). A cut point belongs to the innermost loop
//! around it, or else to its function. Loops that are entered in several places are no fragments of their
//! own; their cut points belong to what is around them.

mod view;

pub use view::View;

use encode::block::Call;
use encode::names::is_auxiliary;
use encode::state::State;
use encode::transition_system::To;
use encode::{TransitionSystem, Unsupported};
use ir::{FuncId, LoopId, NodeId};
use logic::{Substitution, Term, free_vars_of};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Fragment {
    Function(FuncId),
    Loop(FuncId, LoopId),
}

impl Fragment {
    pub fn function(self) -> FuncId {
        match self {
            Fragment::Function(f) | Fragment::Loop(f, _) => f,
        }
    }
}

/// A transition, ready for use.
pub struct Step {
    pub from: NodeId,
    pub to: To,
    pub guard: Term,
    /// What is different behind it: variables and their new values.
    pub changes: Vec<(Term, Term)>,
    pub value: Option<Term>,
    pub call: Option<Call>,
    /// Variables that each passage has anew.
    pub auxiliary: Vec<Term>,
}

type Steps = Rc<Vec<Step>>;

pub struct Model {
    pub system: TransitionSystem,
    pub ranges: Option<ranges::Ranges>,
    functions: Vec<OnceCell<View>>,
    steps: RefCell<FxHashMap<(FuncId, NodeId), Steps>>,
    modified: RefCell<FxHashMap<Fragment, Rc<FxHashSet<Term>>>>,
    facts: RefCell<FxHashMap<(FuncId, NodeId), Term>>,
    touched: RefCell<FxHashMap<FuncId, Rc<Touched>>>,
}

/// By cut point: what may have changed since the function was entered.
type Touched = FxHashMap<NodeId, FxHashSet<Term>>;

impl Model {
    pub fn new(system: TransitionSystem, ranges: Option<ranges::Ranges>) -> Model {
        let functions = system.program.functions.iter().map(|_| OnceCell::new()).collect();
        Model {
            system,
            ranges,
            functions,
            steps: Default::default(),
            modified: Default::default(),
            facts: Default::default(),
            touched: Default::default(),
        }
    }

    pub fn view(&self, f: FuncId) -> Result<&View, Unsupported> {
        let cell = &self.functions[f.0 as usize];
        match cell.get() {
            Some(view) => Ok(view),
            None => {
                let view = View::new(&self.system, f)?;
                Ok(cell.get_or_init(|| view))
            }
        }
    }

    pub fn entry_node(&self, f: FuncId) -> NodeId {
        self.system.program.function(f).cfa().map_or(NodeId(0), |cfa| cfa.entry)
    }

    pub fn steps(&self, f: FuncId, from: NodeId) -> Result<Rc<Vec<Step>>, Unsupported> {
        if let Some(found) = self.steps.borrow().get(&(f, from)) {
            return Ok(found.clone());
        }
        let view = self.view(f)?;
        let mut list = Vec::new();
        for t in self.system.transitions(f, from)? {
            let changes = changes(&view.now, &t.state);
            let mut terms: Vec<Term> = vec![t.guard];
            terms.extend(changes.iter().map(|(_, new)| *new));
            terms.extend(t.value);
            if let Some(call) = &t.call {
                terms.extend(&call.args);
                terms.extend(call.result);
                terms.extend(changed(&call.before).chain(changed(&call.after)));
            }
            let auxiliary = free_vars_of(terms).into_iter().filter(|v| is_auxiliary(*v)).collect();
            let (from, to, guard, value, call) = (t.from, t.to, t.guard, t.value, t.call);
            list.push(Step { from, to, guard, changes, value, call, auxiliary });
        }
        let list = Rc::new(list);
        self.steps.borrow_mut().insert((f, from), list.clone());
        Ok(list)
    }

    /// The fragment that a cut point belongs to.
    pub fn fragment_of(&self, f: FuncId, node: NodeId) -> Fragment {
        let Some(forest) = &self.system.loops[f.0 as usize] else { return Fragment::Function(f) };
        let mut at = forest.innermost(node);
        while let Some(id) = at {
            if !forest.get(id).irreducible {
                return Fragment::Loop(f, id);
            }
            at = forest.get(id).parent;
        }
        Fragment::Function(f)
    }

    /// The fragment around another one; a function has none.
    pub fn around(&self, fragment: Fragment) -> Option<Fragment> {
        let Fragment::Loop(f, id) = fragment else { return None };
        let forest = self.system.loops[f.0 as usize].as_ref()?;
        let mut at = forest.get(id).parent;
        while let Some(id) = at {
            if !forest.get(id).irreducible {
                return Some(Fragment::Loop(f, id));
            }
            at = forest.get(id).parent;
        }
        Some(Fragment::Function(f))
    }

    /// Is a node of the same function in this fragment (inner loops included)?
    pub fn contains(&self, fragment: Fragment, node: NodeId) -> bool {
        match fragment {
            Fragment::Function(_) => true,
            Fragment::Loop(f, id) => {
                self.system.loops[f.0 as usize].as_ref().is_some_and(|forest| forest.contains(id, node))
            }
        }
    }

    /// Can an execution leave a loop from this cut point of it before it comes to another one? That depends
    /// on the loop alone.
    pub fn may_leave(&self, fragment: Fragment, cut: NodeId) -> bool {
        let Fragment::Loop(f, _) = fragment else { return false };
        let Some(cfa) = self.system.program.function(f).cfa() else { return false };
        let mut seen = FxHashSet::from_iter([cut]);
        let mut work = vec![cut];
        while let Some(node) = work.pop() {
            for edge in cfa.out(node) {
                if !self.contains(fragment, edge.to) {
                    return true;
                }
                if !self.system.cuts(f).contains(&edge.to) && seen.insert(edge.to) {
                    work.push(edge.to);
                }
            }
        }
        false
    }

    /// The outermost loop that lies in `fragment` and contains the node, if there is one.
    pub fn loop_towards(&self, fragment: Fragment, node: NodeId) -> Option<Fragment> {
        let mut inner = self.fragment_of(fragment.function(), node);
        if inner == fragment {
            return None;
        }
        while let Some(outer) = self.around(inner) {
            if outer == fragment {
                return Some(inner);
            }
            inner = outer;
        }
        None
    }

    /// The variables that executions inside of a loop can change.
    pub fn modified(&self, fragment: Fragment) -> Result<Rc<FxHashSet<Term>>, Unsupported> {
        if let Some(found) = self.modified.borrow().get(&fragment) {
            return Ok(found.clone());
        }
        let f = fragment.function();
        let mut set = FxHashSet::default();
        for &node in self.system.cuts(f).iter().filter(|n| self.contains(fragment, **n)) {
            for step in self.steps(f, node)?.iter() {
                if matches!(step.to, To::Cut(to) if self.contains(fragment, to)) {
                    set.extend(step.changes.iter().map(|(v, _)| *v));
                }
            }
        }
        let set = Rc::new(set);
        self.modified.borrow_mut().insert(fragment, set.clone());
        Ok(set)
    }

    fn touched(&self, f: FuncId) -> Result<Rc<Touched>, Unsupported> {
        if let Some(found) = self.touched.borrow().get(&f) {
            return Ok(found.clone());
        }
        let mut touched: Touched = FxHashMap::default();
        let mut work = vec![self.entry_node(f)];
        touched.insert(self.entry_node(f), FxHashSet::default());
        while let Some(node) = work.pop() {
            let here = touched.get(&node).cloned().unwrap_or_default();
            for step in self.steps(f, node)?.iter() {
                let To::Cut(to) = step.to else { continue };
                let mut after = here.clone();
                after.extend(step.changes.iter().map(|(x, _)| *x));
                match touched.get_mut(&to) {
                    Some(known) if after.is_subset(known) => {}
                    Some(known) => {
                        known.extend(after);
                        work.push(to);
                    }
                    None => {
                        touched.insert(to, after);
                        work.push(to);
                    }
                }
            }
        }
        let touched = Rc::new(touched);
        self.touched.borrow_mut().insert(f, touched.clone());
        Ok(touched)
    }

    /// Has a variable its value from the function's entry whenever this point is reached?
    pub fn is_untouched(&self, f: FuncId, cut: NodeId, x: Term) -> Result<bool, Unsupported> {
        Ok(self.touched(f)?.get(&cut).is_some_and(|touched| !touched.contains(&x)))
    }

    /// Variables at the entry that occur in these formulas are those of now, where nothing can have changed
    /// them.
    pub fn identities(&self, f: FuncId, cut: NodeId, terms: &[Term]) -> Result<Vec<Term>, Unsupported> {
        let view = self.view(f)?;
        let mut list = Vec::new();
        for old in free_vars_of(terms.iter().copied()) {
            if let Some(now) = view.to_now.get(&old)
                && self.is_untouched(f, cut, *now)?
            {
                list.push(old.equals(*now));
            }
        }
        Ok(list)
    }

    /// What the interval analysis knows at a cut point: false where it knows that nobody comes there.
    pub fn ranges_at(&self, f: FuncId, node: NodeId) -> Result<Term, Unsupported> {
        let Some(ranges) = &self.ranges else { return Ok(Term::bool(true)) };
        if let Some(found) = self.facts.borrow().get(&(f, node)) {
            return Ok(*found);
        }
        let view = self.view(f)?;
        let term = match ranges.at(f, node) {
            Some(state) => self.bounds(state, &view.now)?,
            None => Term::bool(false),
        };
        self.facts.borrow_mut().insert((f, node), term);
        Ok(term)
    }

    /// The same where a function returns, of what it leaves behind and of its result.
    pub fn ranges_at_exit(&self, f: FuncId) -> Result<Term, Unsupported> {
        let Some(ranges) = &self.ranges else { return Ok(Term::bool(true)) };
        let view = self.view(f)?;
        let Some(exit) = ranges.exit(f) else { return Ok(Term::bool(false)) };
        let globals = self.bounds(&exit.globals, &view.now)?;
        let value = match (&exit.value, view.result) {
            (Some(values), Some(result)) => self.within(values, result),
            _ => Term::bool(true),
        };
        Ok(globals.and(value))
    }

    fn bounds(&self, state: &ranges::State, now: &State) -> Result<Term, Unsupported> {
        let facts = state.iter().filter_map(|(var, values)| Some(self.within(values, now.get(var)?)));
        Ok(Term::all(facts))
    }

    fn within(&self, values: &ranges::Values, x: Term) -> Term {
        let ty = values.ty();
        let constant = |v: i128| match x.sort() {
            logic::Sort::Bv(width) => Term::bv(v as u128 & (u128::MAX >> (128 - width)), width),
            _ => Term::int(v),
        };
        if let Some(members) = values.members() {
            return Term::any(members.iter().map(|v| x.equals(constant(*v))));
        }
        let le = |a: Term, b: Term| match (x.sort(), ty.signed) {
            (logic::Sort::Bv(_), true) => a.sle(b),
            (logic::Sort::Bv(_), false) => a.ule(b),
            _ => a.int_le(b),
        };
        let all = ranges::Values::all(ty);
        let low = if values.low() > all.low() { le(constant(values.low()), x) } else { Term::bool(true) };
        let high = if values.high() < all.high() { le(x, constant(values.high())) } else { Term::bool(true) };
        low.and(high)
    }

    /// The type ranges of variables of a function that occur in these formulas.
    pub fn typed(&self, f: FuncId, terms: &[Term]) -> Result<Vec<Term>, Unsupported> {
        let view = self.view(f)?;
        if view.typed.is_empty() {
            return Ok(Vec::new());
        }
        Ok(free_vars_of(terms.iter().copied()).iter().filter_map(|v| view.typed.get(v).copied()).collect())
    }

    /// What a callee's variables at its entry are, in terms of the caller.
    pub fn arguments(&self, call: &Call) -> Result<Substitution, Unsupported> {
        let view = self.view(call.callee)?;
        let params = view.params.iter().zip(&call.args).filter_map(|(x, y)| Some(((*x)?, *y)));
        let rest = shared(&view.now).zip(shared(&call.before)).filter(|(x, y)| x != y);
        Ok(Substitution::new(params.chain(rest)))
    }

    /// What a callee's variables at its exit, and those at its entry as `old.`, are in terms of the caller.
    pub fn results(&self, call: &Call) -> Result<Substitution, Unsupported> {
        let view = self.view(call.callee)?;
        let mut pairs: Vec<(Term, Term)> = Vec::new();
        for (param, arg) in view.params.iter().zip(&call.args) {
            if let Some(old) = param.and_then(|p| view.to_old.get(&p)) {
                pairs.push((*old, *arg));
            }
        }
        pairs.extend(shared(&view.old).zip(shared(&call.before)));
        pairs.extend(shared(&view.now).zip(shared(&call.after)));
        if let (Some(result), Some(value)) = (view.result, call.result) {
            pairs.push((result, value));
        }
        Ok(Substitution::new(pairs))
    }
}

/// Globals, memory and tokens of a state.
pub fn shared(state: &State) -> impl Iterator<Item = Term> + '_ {
    let tokens = [state.world, state.allocations, state.inputs];
    state.globals.iter().flatten().copied().chain(state.memory.iter().copied()).chain(tokens)
}

fn changed(state: &State) -> impl Iterator<Item = Term> + '_ {
    state.locals.iter().flatten().copied().chain(shared(state))
}

/// Pairs of what differs: variables of the first state, values in the second.
pub fn changes(before: &State, after: &State) -> Vec<(Term, Term)> {
    let locals = before.locals.iter().zip(&after.locals).filter_map(|(x, y)| Some(((*x)?, (*y)?)));
    let rest = before.globals.iter().zip(after.globals.iter()).filter_map(|(x, y)| Some(((*x)?, (*y)?)));
    let memory = before.memory.iter().copied().zip(after.memory.iter().copied());
    let tokens =
        [(before.world, after.world), (before.allocations, after.allocations), (before.inputs, after.inputs)];
    locals.chain(rest).chain(memory).chain(tokens).filter(|(x, y)| x != y).collect()
}
