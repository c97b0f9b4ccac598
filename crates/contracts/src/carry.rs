//! Atoms of callers and callees, in each other's words.

use crate::candidates::{Own, Weight};
use encode::Unsupported;
use encode::transition_system::Reader;
use ir::{Callee, FuncId, Op};
use logic::{Substitution, Term, free_vars};
use predicate::model::{Model, View, shared};
use rustc_hash::{FxHashMap, FxHashSet};

/// A call as the caller sees it.
struct Site {
    caller: FuncId,
    callee: FuncId,
    /// None where an argument is not a matter of the caller's variables.
    args: Vec<Option<Term>>,
    result: Option<Term>,
}

/// All calls, and what functions return.
#[derive(Default)]
pub struct Sites {
    read: FxHashSet<FuncId>,
    calls: FxHashMap<FuncId, Vec<Site>>,
    returned: FxHashMap<FuncId, Vec<Term>>,
}

impl Sites {
    pub fn read(&mut self, model: &Model, f: FuncId, reader: &mut Reader) -> Result<(), Unsupported> {
        let program = &model.system.program;
        self.read.insert(f);
        let Some(cfa) = program.function(f).cfa() else { return Ok(()) };
        for edge in cfa.edges() {
            match &edge.op {
                Op::Call { callee: Callee::Direct(callee), args, .. }
                    if program.function(*callee).cfa().is_some() =>
                {
                    let args = args.iter().map(|arg| reader.term(arg)).collect();
                    let result = reader.written(&edge.op);
                    self.calls.entry(f).or_default().push(Site { caller: f, callee: *callee, args, result });
                }
                Op::Return(Some(value)) => self.returned.entry(f).or_default().extend(reader.term(value)),
                _ => {}
            }
        }
        Ok(())
    }
}

/// From callers to callees, back, and once more, so that what is asked at one end of the program comes to the
/// other one.
pub fn carry(
    model: &Model,
    sites: &Sites,
    functions: &mut FxHashMap<FuncId, Own>,
) -> Result<(), Unsupported> {
    let all = model.system.graph.components().iter().flatten().copied();
    let callees_first: Vec<FuncId> = all.filter(|f| sites.read.contains(f)).collect();
    let carry = Carry { model, sites };
    for _ in 0..2 {
        for f in callees_first.iter().rev() {
            carry.down(*f, functions)?;
        }
        for f in &callees_first {
            carry.up(*f, functions)?;
        }
    }
    Ok(())
}

struct Carry<'a> {
    model: &'a Model,
    sites: &'a Sites,
}

impl Carry<'_> {
    /// What a function asks of its results, of what it passes and of what is shared, as said by its callees;
    /// and what it asks of what it returns.
    fn down(&self, f: FuncId, functions: &mut FxHashMap<FuncId, Own>) -> Result<(), Unsupported> {
        let view = self.model.view(f)?;
        let Some(own) = functions.get_mut(&f) else { return Ok(()) };
        for value in self.sites.returned.get(&f).into_iter().flatten() {
            if let (true, Some(result)) = (value.is_var(), view.result) {
                let mut by = Substitution::new([(*value, result)]);
                for (atom, weight) in own.inside.list() {
                    let said = by.apply(*atom);
                    if view.fits_exit(said) {
                        own.exit.add(said, *weight);
                    }
                }
            }
        }
        let atoms = own.inside.list().to_vec();
        for site in self.sites.calls.get(&f).into_iter().flatten() {
            let callee = self.model.view(site.callee)?;
            let touched = self.touched(site.callee)?;
            let passed =
                || callee.params.iter().zip(&site.args).filter_map(|(x, arg)| Some(((*x)?, (*arg)?)));
            let Some(own) = functions.get_mut(&site.callee) else { continue };
            for (param, arg) in passed().filter(|(_, arg)| arg.is_const()) {
                own.inside.add(param.equals(arg), Weight::Divides);
            }
            let named: Vec<(Term, Term)> = passed().filter(|(_, arg)| arg.is_var()).collect();
            let mut entering = Substitution::new(named.iter().map(|(param, arg)| (*arg, *param)));
            let before = named.iter().filter_map(|(param, arg)| Some((*arg, *callee.to_old.get(param)?)));
            let mut leaving = Substitution::new(before.chain(site.result.zip(callee.result)));
            for (atom, weight) in &atoms {
                let entered = entering.apply(*atom);
                let of_it = |t: Term| free_vars(t).iter().any(|v| touched.contains(v));
                if callee.fits_entry(entered) && of_it(entered) {
                    own.inside.add(entered, *weight);
                }
                let left = leaving.apply(*atom);
                let known = is_about_exit(callee, left);
                if known && (of_it(left) || callee.result.is_some_and(|r| free_vars(left).contains(&r))) {
                    own.exit.add(left, *weight);
                }
            }
        }
        Ok(())
    }

    /// What its callees ask at their entries, and what is said of their ends; and what is asked of what it
    /// returns itself.
    fn up(&self, f: FuncId, functions: &mut FxHashMap<FuncId, Own>) -> Result<(), Unsupported> {
        let view = self.model.view(f)?;
        let mut said: Vec<(Term, Weight)> = Vec::new();
        for site in self.sites.calls.get(&f).into_iter().flatten().filter(|site| site.callee != site.caller) {
            let callee = self.model.view(site.callee)?;
            let Some(own) = functions.get(&site.callee) else { continue };
            let passed =
                || callee.params.iter().zip(&site.args).filter_map(|(x, arg)| Some(((*x)?, (*arg)?)));
            let mut entering = Substitution::new(passed());
            let at_entry = own.inside.list().iter().filter(|(atom, _)| callee.fits_entry(*atom));
            said.extend(at_entry.map(|(atom, weight)| (entering.apply(*atom), *weight)));
            let before = passed().filter_map(|(param, arg)| Some((*callee.to_old.get(&param)?, arg)));
            let mut leaving = Substitution::new(before.chain(callee.result.zip(site.result)));
            said.extend(own.exit.list().iter().map(|(atom, weight)| (leaving.apply(*atom), *weight)));
        }
        let Some(own) = functions.get_mut(&f) else { return Ok(()) };
        if let Some(result) = view.result {
            for value in self.sites.returned.get(&f).into_iter().flatten() {
                let mut returned = Substitution::new([(result, *value)]);
                said.extend(own.exit.list().iter().map(|(atom, weight)| (returned.apply(*atom), *weight)));
            }
        }
        let touched = self.touched(f)?;
        let locals: FxHashSet<Term> = view.now.locals.iter().flatten().copied().collect();
        let of_it = |t: Term| free_vars(t).iter().any(|v| touched.contains(v) || locals.contains(v));
        for (term, weight) in said.into_iter().filter(|(t, _)| of_it(*t)) {
            if view.knows(term) && free_vars(term).iter().all(|v| Some(*v) != view.result) {
                own.inside.add(term, weight);
            }
            if is_about_exit(view, term) {
                own.exit.add(term, weight);
            }
        }
        // What is asked of what is shared may hold at the end as well.
        for (atom, weight) in own.inside.list() {
            if is_about_exit(view, *atom) {
                own.exit.add(*atom, *weight);
            }
        }
        Ok(())
    }

    /// The variables that others see, too, as far as a function or what it calls reads or changes them.
    fn touched(&self, f: FuncId) -> Result<FxHashSet<Term>, Unsupported> {
        let view = self.model.view(f)?;
        let print = &self.model.system.footprints[f.0 as usize];
        let globals = print.reads_globals.union(&print.writes_globals);
        let regions = print.reads.union(&print.writes);
        let globals = globals.filter_map(|g| view.now.globals.get(g.0 as usize).copied().flatten());
        let memory = regions.filter_map(|r| view.now.memory.get(r.0 as usize).copied());
        let params = view.params.iter().flatten().copied();
        Ok(globals.chain(memory).chain(params).collect())
    }
}

/// Does a formula speak of nothing but what a function leaves behind, what it returns and what it was given?
fn is_about_exit(view: &View, formula: Term) -> bool {
    let shared: FxHashSet<Term> = shared(&view.now).collect();
    let known = |v: &Term| {
        shared.contains(v) || view.is_old(*v) || Some(*v) == view.result || encode::names::is_address(*v)
    };
    free_vars(formula).iter().all(known)
}
