//! What a path says, as a tree of formulas.
//!
//! Every step has a formula over versions of variables: a variable that a step changes has a new version
//! behind it. The tree has the error at its root, and each step's formula above that of the step before; a
//! call that returned is above both the step before it and the last step of its callee, whose path knows
//! nothing of the caller. So an interpolant at a step is about the versions at that point and those at its
//! function's entry: a predicate of that function, and at the end of a callee a relation between its entry
//! and its exit.

mod point;

pub use point::{Place, Point, Versions};

use crate::model::{Fragment, Model, Step, shared};
use crate::path::{Body, Frame, Item, Path};
use crate::predicates::Predicates;
use encode::Unsupported;
use encode::names::{is_address, is_auxiliary};
use encode::transition_system::To;
use ir::{FuncId, NodeId};
use logic::{Substitution, Term, free_vars_of};
use std::collections::BTreeSet;

pub struct Tree {
    pub nodes: Vec<TreeNode>,
}

pub struct TreeNode {
    pub formula: Term,
    /// None for the last one, the error. A parent comes after its children.
    pub parent: Option<usize>,
    /// The step before in the same or the calling frame, and the last step of a callee that returned.
    pub previous: Option<usize>,
    pub callee: Option<usize>,
    /// The versions that the step makes, and what they are in terms of others.
    pub definitions: Vec<(Term, Term)>,
    /// The point behind the step.
    pub point: Point,
}

pub struct Builder<'m> {
    model: &'m Model,
    predicates: &'m mut Predicates,
    nodes: Vec<TreeNode>,
    /// Of the step at hand.
    defined: Vec<(Term, Term)>,
    fresh: u32,
    frames: u32,
    /// For each step of the error's frames, and inside of calls, in order: the versions before it, and what
    /// its auxiliary variables became.
    pub passages: Vec<Passage>,
}

/// A step as it was taken.
#[derive(Clone)]
pub struct Passage {
    pub function: FuncId,
    pub from: NodeId,
    pub to: To,
    pub before: Versions,
    pub is_call: bool,
    pub rename: Vec<(Term, Term)>,
}

impl<'m> Builder<'m> {
    pub fn new(model: &'m Model, predicates: &'m mut Predicates) -> Builder<'m> {
        Builder {
            model,
            predicates,
            nodes: Vec::new(),
            defined: Vec::new(),
            fresh: 0,
            frames: 0,
            passages: Vec::new(),
        }
    }

    pub fn build(mut self, path: &Path) -> Result<(Tree, Vec<Passage>), Unsupported> {
        let main = self.model.system.entry;
        let mut versions = self.frame();
        let initial = self.model.system.initial()?;
        let formula = self.rename(main, initial, &mut versions)?;
        let entry = Place::Cut(self.model.entry_node(main));
        let mut last = Some(self.push(main, formula, (None, None), entry, &versions)?);
        for frame in &path.frames {
            last = self.items(frame, &mut versions, last)?;
        }
        // What is known of addresses wherever they are mentioned.
        let mentioned: BTreeSet<Term> = free_vars_of(self.nodes.iter().map(|n| n.formula));
        let facts = self.model.system.addresses.conjuncts().into_iter().filter(|fact| {
            let vars = logic::free_vars(*fact);
            vars.len() > 1 && vars.iter().all(|v| mentioned.contains(v))
        });
        let facts = Term::all(facts);
        if let Some(root) = self.nodes.last_mut() {
            root.formula = root.formula.and(facts);
        }
        Ok((Tree { nodes: self.nodes }, self.passages))
    }

    fn frame(&mut self) -> Versions {
        self.frames += 1;
        Versions { instance: self.frames, ..Versions::default() }
    }

    fn push(
        &mut self,
        function: FuncId,
        formula: Term,
        (previous, callee): (Option<usize>, Option<usize>),
        place: Place,
        versions: &Versions,
    ) -> Result<usize, Unsupported> {
        let number = self.nodes.len();
        for child in previous.into_iter().chain(callee) {
            self.nodes[child].parent = Some(number);
        }
        let point = Point { function, place, versions: versions.clone() };
        let definitions = std::mem::take(&mut self.defined);
        self.nodes.push(TreeNode { formula, parent: None, previous, callee, definitions, point });
        Ok(number)
    }

    /// All items of a frame; the number of the last step's node.
    fn items(
        &mut self,
        frame: &Frame,
        versions: &mut Versions,
        mut last: Option<usize>,
    ) -> Result<Option<usize>, Unsupported> {
        let f = frame.function;
        for item in &frame.items {
            let previous = last;
            last = Some(match item {
                Item::Step(taken) => {
                    let step = taken.step();
                    let (formula, _) = self.step(f, step, versions, &[])?;
                    let place = match step.to {
                        To::Cut(cut) => Place::Cut(cut),
                        To::Return => Place::Exit,
                        To::Failure | To::Trap(_) => Place::Error,
                    };
                    self.push(f, formula, (previous, None), place, versions)?
                }
                Item::Enter(taken) => self.enter(f, taken.step(), versions, previous)?,
                Item::Call(taken, body) => self.call(f, taken.step(), body, versions, previous)?,
                Item::Skip { fragment, cut, state, .. } => {
                    self.skip(f, *fragment, *cut, state, versions, previous)?
                }
            });
        }
        Ok(last)
    }

    /// The step's formula; changes the versions. `given` are values of some of its auxiliary variables.
    fn step(
        &mut self,
        f: FuncId,
        step: &Step,
        versions: &mut Versions,
        given: &[(Term, Term)],
    ) -> Result<(Term, Vec<(Term, Term)>), Unsupported> {
        let before = versions.clone();
        let mut rename: Vec<(Term, Term)> = given.to_vec();
        for &x in &step.auxiliary {
            if !given.iter().any(|(y, _)| *y == x) {
                rename.push((x, self.version(x)));
            }
        }
        let mut terms = vec![step.guard];
        terms.extend(step.changes.iter().map(|(_, new)| *new));
        terms.extend(step.value);
        let mut by = self.substitution(f, &terms, &rename, versions);
        let mut parts = vec![by.apply(step.guard)];
        let mut new = Vec::new();
        for (x, value) in &step.changes {
            let version = self.version(*x);
            parts.push(self.define(version, by.apply(*value)));
            parts.extend(self.type_of(f, *x, version)?);
            new.push((*x, version));
        }
        if let Some(value) = step.value {
            let version = self.version(Term::var("result", value.sort()));
            parts.push(self.define(version, by.apply(value)));
            versions.result = Some(version);
        }
        for (x, version) in new {
            versions.now.insert(x, version);
        }
        if step.to == To::Return {
            for x in self.written(f)? {
                if versions.entry.contains_key(&x) && versions.now.get(&x) == versions.entry.get(&x) {
                    let version = self.version(x);
                    let same = self.now(x, versions);
                    parts.push(self.define(version, same));
                    parts.extend(self.type_of(f, x, version)?);
                    versions.now.insert(x, version);
                }
            }
        }
        let formula = self.with_types(f, Term::all(parts), versions, &before)?;
        let (from, to, is_call) = (step.from, step.to.clone(), step.call.is_some());
        self.passages.push(Passage { function: f, from, to, before, is_call, rename: rename.clone() });
        Ok((formula, rename))
    }

    /// Into a function that does not come back: its frame's versions.
    fn enter(
        &mut self,
        f: FuncId,
        step: &Step,
        versions: &mut Versions,
        previous: Option<usize>,
    ) -> Result<usize, Unsupported> {
        let Some(call) = &step.call else { return Err(Unsupported("a call that is none".to_owned())) };
        let before = versions.clone();
        let rename: Vec<(Term, Term)> = step.auxiliary.iter().map(|x| (*x, self.version(*x))).collect();
        // What holds when the callee is entered: the call's guard speaks of its end, too, which is not
        // reached.
        let terms: Vec<Term> = call.args.clone();
        let mut by = self.substitution(f, &terms, &rename, versions);
        let (inner, mut parts) = self.callee(call.callee, &call.args, &mut by, versions)?;
        parts.push(self.facts_of(step, &mut by, f, &rename, versions));
        let formula = self.with_types(f, Term::all(parts), versions, &before)?;
        let (from, to) = (step.from, step.to.clone());
        self.passages.push(Passage { function: f, from, to, before, is_call: true, rename });
        *versions = inner;
        let place = Place::Cut(self.model.entry_node(call.callee));
        self.push(call.callee, formula, (previous, None), place, versions)
    }

    /// The part of a call's guard that does not mention what the callee gives back.
    fn facts_of(
        &self,
        step: &Step,
        _by: &mut Substitution,
        f: FuncId,
        rename: &[(Term, Term)],
        versions: &mut Versions,
    ) -> Term {
        let parts = step
            .guard
            .conjuncts()
            .into_iter()
            .filter(|part| logic::free_vars(*part).iter().all(|v| !step.auxiliary.contains(v)));
        let term = Term::all(parts);
        self.substitution(f, &[term], rename, versions).apply(term)
    }

    /// What a function, with all it calls, may change of what others see.
    fn written(&self, f: FuncId) -> Result<Vec<Term>, Unsupported> {
        let view = self.model.view(f)?;
        let print = &self.model.system.footprints[f.0 as usize];
        let globals = print.writes_globals.iter().filter_map(|g| view.now.globals[g.0 as usize]);
        let memory = print.writes.iter().map(|r| view.now.memory[r.0 as usize]);
        let allocations = print.allocates.then_some(view.now.allocations);
        Ok(globals.chain(memory).chain(allocations).collect())
    }

    /// The versions of a callee's frame, and what its parameters are.
    fn callee(
        &mut self,
        callee: FuncId,
        args: &[Term],
        by: &mut Substitution,
        versions: &Versions,
    ) -> Result<(Versions, Vec<Term>), Unsupported> {
        let view = self.model.view(callee)?;
        let mut inner = self.frame();
        let mut parts = Vec::new();
        let written = self.written(callee)?;
        for x in shared(&view.now) {
            if written.contains(&x) {
                // Of its own, so that what happens in the callee is a relation between two versions.
                let outer = self.now(x, &mut versions.clone());
                let version = self.version(x);
                parts.push(self.define(version, outer));
                parts.extend(self.type_of(callee, x, version)?);
                inner.now.insert(x, version);
            } else if let Some(version) = versions.now.get(&x) {
                inner.now.insert(x, *version);
            }
        }
        for (param, arg) in view.params.iter().zip(args) {
            let Some(param) = param else { continue };
            let version = self.version(*param);
            parts.push(self.define(version, by.apply(*arg)));
            parts.extend(self.type_of(callee, *param, version)?);
            inner.now.insert(*param, version);
        }
        inner.entry = inner.now.clone();
        Ok((inner, parts))
    }

    fn call(
        &mut self,
        f: FuncId,
        step: &Step,
        body: &Body,
        versions: &mut Versions,
        previous: Option<usize>,
    ) -> Result<usize, Unsupported> {
        let Some(call) = &step.call else { return Err(Unsupported("a call that is none".to_owned())) };
        let To::Cut(to) = step.to else { return Err(Unsupported("a call that leads nowhere".to_owned())) };
        let view = self.model.view(call.callee)?;
        let mut extra = Vec::new();
        let mut callee = None;
        // What the callee leaves behind, by the auxiliary variable that stands for it.
        let mut given: Vec<(Term, Term)> = Vec::new();
        match body {
            Body::Frame(frame) => {
                let mut by = self.substitution(f, &call.args, &[], versions);
                let (mut inner, parts) = self.callee(call.callee, &call.args, &mut by, versions)?;
                extra.extend(parts);
                let entering = std::mem::take(&mut self.defined);
                callee = self.items(frame, &mut inner, None)?;
                self.defined = entering;
                let left: Vec<(Term, Term)> = shared(&view.now).zip(shared(&call.after)).collect();
                for (x, after) in left {
                    if step.auxiliary.contains(&after) {
                        let version = self.now(x, &mut inner);
                        given.push((after, version));
                    }
                }
                if let (Some(result), Some(value)) = (call.result, inner.result)
                    && step.auxiliary.contains(&result)
                {
                    given.push((result, value));
                }
            }
            Body::Hole { state, .. } => {
                let ensures = self.predicates.formula(state);
                extra.push(self.model.results(call)?.apply(ensures));
            }
        }
        let before = versions.clone();
        let (formula, rename) = self.step(f, step, versions, &given)?;
        if matches!(body, Body::Hole { .. }) {
            // The summary is over the caller's variables before the call, and over the auxiliary ones.
            let mut at = before;
            let terms = extra.clone();
            let mut by = self.substitution(f, &terms, &rename, &mut at);
            for part in &mut extra {
                *part = by.apply(*part);
            }
        }
        let formula = formula.and(Term::all(extra));
        self.push(f, formula, (previous, callee), Place::Cut(to), versions)
    }

    /// Over a loop, by its inherited summary.
    fn skip(
        &mut self,
        f: FuncId,
        fragment: Fragment,
        cut: NodeId,
        state: &biodivine_lib_bdd::Bdd,
        versions: &mut Versions,
        previous: Option<usize>,
    ) -> Result<usize, Unsupported> {
        let before = versions.clone();
        let modified = self.model.modified(fragment)?;
        let mut modified: Vec<Term> = modified.iter().copied().collect();
        modified.sort();
        let mut parts = Vec::new();
        for x in modified {
            let version = self.version(x);
            parts.extend(self.type_of(f, x, version)?);
            versions.now.insert(x, version);
        }
        let formula = self.predicates.formula(state);
        let mut by = self.substitution(f, &[formula], &[], versions);
        parts.push(by.apply(formula));
        let formula = self.with_types(f, Term::all(parts), versions, &before)?;
        self.push(f, formula, (previous, None), Place::Cut(cut), versions)
    }

    fn define(&mut self, version: Term, value: Term) -> Term {
        self.defined.push((version, value));
        version.equals(value)
    }

    fn version(&mut self, x: Term) -> Term {
        self.fresh += 1;
        Term::var(&format!("{}@{}", x.var_name().unwrap_or("value"), self.fresh), x.sort())
    }

    /// The version of a variable that has not changed since the function was entered (or, if others can see
    /// it, since the start).
    fn now(&self, x: Term, versions: &mut Versions) -> Term {
        if let Some(version) = versions.now.get(&x) {
            return *version;
        }
        let name = x.var_name().unwrap_or("value");
        let local = ir::names::split_qualified(name).is_some() && !self.is_shared(x);
        let number = if local { format!("#{}", versions.instance) } else { String::new() };
        let version = Term::var(&format!("{name}@{number}"), x.sort());
        versions.now.insert(x, version);
        versions.entry.entry(x).or_insert(version);
        version
    }

    /// Static variables of functions have names like locals.
    fn is_shared(&self, x: Term) -> bool {
        self.model.view(self.model.system.entry).is_ok_and(|view| view.at_exit.contains(&x))
    }

    /// Versions for all variables of these terms.
    fn substitution(
        &self,
        f: FuncId,
        terms: &[Term],
        rename: &[(Term, Term)],
        versions: &mut Versions,
    ) -> Substitution {
        let mut pairs = rename.to_vec();
        let view = self.model.view(f).ok();
        for x in free_vars_of(terms.iter().copied()) {
            if is_address(x) || rename.iter().any(|(y, _)| *y == x) {
                continue;
            }
            if is_auxiliary(x) {
                continue;
            }
            let as_now = view.and_then(|v| v.to_old.iter().find(|(_, old)| **old == x).map(|(now, _)| *now));
            let version = match as_now {
                // At the entry: the version then, which is the one of now if it has not changed.
                Some(now) => match versions.entry.get(&now) {
                    Some(version) => *version,
                    None => self.now(now, versions),
                },
                None => self.now(x, versions),
            };
            pairs.push((x, version));
        }
        Substitution::new(pairs)
    }

    fn rename(&mut self, f: FuncId, formula: Term, versions: &mut Versions) -> Result<Term, Unsupported> {
        let rename: Vec<(Term, Term)> = free_vars_of([formula])
            .into_iter()
            .filter(|x| is_auxiliary(*x))
            .map(|x| (x, self.version(x)))
            .collect();
        Ok(self.substitution(f, &[formula], &rename, versions).apply(formula))
    }

    fn type_of(&self, f: FuncId, x: Term, version: Term) -> Result<Option<Term>, Unsupported> {
        let fact = self.model.typed(f, &[x])?;
        Ok(fact.first().map(|fact| Substitution::new([(x, version)]).apply(*fact)))
    }

    /// The formula, with the type ranges of the versions that it mentions.
    fn with_types(
        &self,
        f: FuncId,
        formula: Term,
        after: &Versions,
        before: &Versions,
    ) -> Result<Term, Unsupported> {
        let mentioned = logic::free_vars(formula);
        let mut parts = vec![formula];
        for versions in [before, after] {
            for (x, version) in versions.now.iter().chain(&versions.entry) {
                if mentioned.contains(version) {
                    parts.extend(self.type_of(f, *x, *version)?);
                }
            }
        }
        // Whatever order a table has.
        parts.sort();
        Ok(Term::all(parts))
    }
}
