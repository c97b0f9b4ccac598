//! Projection: a conjunction without some of its variables, as exact as it comes, and never stronger.
//!
//! Equations that define a variable that must go are used up first. What is left is a disjunction of cubes;
//! they are found one by one, from models, and each is projected on its own: by its equations, for integers
//! by Z3's quantifier elimination, for bit-vectors by transitivity of bounds. A conjunct of a cube that
//! resists is dropped, or, if that lost too much, the variable gets its value in the model. The result is
//! implied as soon as no further cube is found, whatever happened to the others.

use crate::define::{solve, solve_odd};
use crate::model::Model;
use crate::raw::{Goal, Tactic};
use crate::read::read;
use crate::solver::{SatResult, Settings, Solver, Strategy, Z3Solver};
use crate::tidy::tidy;
use crate::translate::Space;
use logic::{Op, Sort, Substitution, Term, free_vars, size, subterms, subterms_in};
use std::collections::BTreeSet;
use std::rc::Rc;

pub(super) struct Projector {
    space: Rc<Space>,
    solver: Z3Solver,
    fresh: u32,
}

/// What to do with a variable that resists.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Resisting {
    /// Forget what is said about it.
    Drop,
    /// One value after the other.
    Enumerate,
}

/// Larger definitions are not copied.
const LARGEST: usize = 5000;
/// Most cubes of one projection.
const CUBES: usize = 32;
/// Milliseconds for one elimination by Z3.
const ELIMINATION: u32 = 2000;

impl Projector {
    pub(super) fn new(space: &Rc<Space>, settings: &Settings) -> Option<Projector> {
        let space = space.clone();
        let solver = Z3Solver::in_space(space.clone(), settings.clone().strategy(Strategy::Core)).ok()?;
        Some(Projector { space, solver, fresh: 0 })
    }

    /// Conjuncts over variables in `keep` that the given ones imply.
    pub(super) fn project(
        &mut self,
        conjuncts: &[Term],
        keep: &BTreeSet<Term>,
        resisting: Resisting,
    ) -> Vec<Term> {
        let conjuncts = self.define(conjuncts.iter().flat_map(|c| c.conjuncts()).collect(), keep);
        let (done, rest): (Vec<Term>, Vec<Term>) = conjuncts.into_iter().partition(|c| within(*c, keep));
        let mut result: BTreeSet<Term> = done.iter().copied().collect();
        for group in connected(rest, keep) {
            // Cubes need not cover what the rest excludes.
            let found = self.by_models(&group, &done, keep, resisting);
            result.extend(found.unwrap_or_else(|| bounds(&group, keep)));
        }
        result.into_iter().filter(|c| !c.is_true()).collect()
    }

    /// Uses up equations that define variables that must go.
    fn define(&mut self, mut conjuncts: BTreeSet<Term>, keep: &BTreeSet<Term>) -> BTreeSet<Term> {
        loop {
            let usable = |(variable, meaning): &(Term, Term)| {
                !keep.contains(variable)
                    && size(*meaning) <= LARGEST
                    && !free_vars(*meaning).contains(variable)
            };
            let mut found = conjuncts.iter().flat_map(|c| solve(*c)).find(usable);
            if found.is_none() {
                found = conjuncts.iter().flat_map(|c| solve_odd(*c)).find(usable);
            }
            if found.is_none() {
                found = conjuncts.iter().filter_map(|c| self.before_store(*c)).find(usable);
            }
            let Some((variable, meaning)) = found else { return conjuncts };
            let mut replace = Substitution::new([(variable, meaning)]);
            // The equation itself becomes true, or what is left of it (as for stores).
            conjuncts = conjuncts.iter().flat_map(|c| written(replace.apply(*c)).conjuncts()).collect();
        }
    }

    /// `b = store(a, i, v)` defines `a` as well, up to what was overwritten.
    fn before_store(&mut self, conjunct: Term) -> Option<(Term, Term)> {
        let &[x, y] = conjunct.args() else { return None };
        if *conjunct.op() != Op::Eq || !x.sort().is_array() {
            return None;
        }
        let (store, after) = if *x.op() == Op::Store { (x, y) } else { (y, x) };
        let &[before, index, _] = store.args() else { return None };
        if *store.op() != Op::Store || !before.is_var() {
            return None;
        }
        self.fresh += 1;
        let old = Term::var(&format!(" old {}", self.fresh), before.sort().element()?);
        Some((before, after.store(index, old)))
    }

    /// Cube after cube. None if there are too many, or no answers.
    fn by_models(
        &mut self,
        group: &[Term],
        context: &[Term],
        keep: &BTreeSet<Term>,
        resisting: Resisting,
    ) -> Option<Vec<Term>> {
        self.solver.push();
        for &formula in group.iter().chain(context) {
            self.solver.assert(formula);
        }
        let mut cubes = Vec::new();
        let complete = loop {
            match self.solver.check(&[]) {
                SatResult::Unsat => break true,
                SatResult::Unknown(_) => break false,
                SatResult::Sat if cubes.len() >= CUBES => break false,
                SatResult::Sat => {}
            }
            let Some(model) = self.solver.model() else { break false };
            let Some(cube) = implicant(group, &model, keep) else { break false };
            let projected = Term::all(self.cube(cube, &model, keep, resisting));
            cubes.push(projected);
            self.solver.assert(projected.not());
            if projected.is_true() {
                break true;
            }
        };
        self.solver.pop();
        complete.then(|| tidy(Term::any(cubes)).conjuncts())
    }

    /// A conjunction of literals that is true in the model.
    fn cube(
        &mut self,
        cube: Vec<Term>,
        model: &Model,
        keep: &BTreeSet<Term>,
        resisting: Resisting,
    ) -> Vec<Term> {
        let literals = self.define(cube.into_iter().collect(), keep);
        let (mut done, rest): (Vec<Term>, Vec<Term>) = literals.into_iter().partition(|c| within(*c, keep));
        for group in connected(rest, keep) {
            if let Some(formula) = self.by_z3(&group, keep) {
                done.extend(formula.conjuncts());
            } else if resisting == Resisting::Enumerate
                && let Some(instance) = instance(&group, model, keep)
            {
                done.extend(instance);
            } else {
                done.extend(bounds(&group, keep));
            }
        }
        done
    }

    fn by_z3(&self, group: &[Term], keep: &BTreeSet<Term>) -> Option<Term> {
        let whole = Term::all(group.iter().copied());
        let away: Vec<Term> = free_vars(whole).into_iter().filter(|v| !keep.contains(v)).collect();
        // Exact for integers; what has other sorts would come back as it was.
        let limits = self.solver.settings().limits();
        if !away.iter().all(|v| v.sort() == Sort::Int) || limits.stop().is_some() {
            return None;
        }
        let ctx = &self.space.ctx;
        let vars: Option<Vec<_>> = away.iter().map(|v| self.space.translate(*v)).collect();
        let vars = vars?;
        let body = self.space.translate(whole)?;
        let closed = ctx.quantifier(false, &vars.iter().collect::<Vec<_>>(), &body)?;
        let goal = Goal::new(ctx)?;
        if !goal.assert(&closed) {
            return None;
        }
        let left = limits.left().map(|left| left.as_millis());
        let timeout = left.map_or(ELIMINATION, |ms| u32::try_from(ms).unwrap_or(u32::MAX).min(ELIMINATION));
        let goals = Tactic::named(ctx, "qe2")?.within(timeout.max(1))?.apply(&goal)?;
        let read_all = |goal: &Vec<_>| {
            goal.iter().map(|f| read(&self.space, f, None)).collect::<Option<Vec<Term>>>().map(Term::all)
        };
        let goals: Option<Vec<Term>> = goals.iter().map(read_all).collect();
        let formula = tidy(Term::any(goals?));
        (within(formula, keep) && !has_quantifier(formula)).then_some(formula)
    }
}

/// `b = store(b, i, v)` says `b[i] = v`.
fn written(t: Term) -> Term {
    let store = match (t.op(), t.args()) {
        (Op::Eq, &[x, y]) if *y.op() == Op::Store && y.args()[0] == x => y,
        (Op::Eq, &[x, y]) if *x.op() == Op::Store && x.args()[0] == y => x,
        _ => return t,
    };
    store.args()[0].select(store.args()[1]).equals(store.args()[2])
}

fn has_quantifier(t: Term) -> bool {
    subterms([t]).any(|t| matches!(t.op(), Op::Forall | Op::Exists))
}

fn within(t: Term, keep: &BTreeSet<Term>) -> bool {
    free_vars(t).is_subset(keep)
}

/// Conjuncts that share variables which must go, together.
fn connected(conjuncts: Vec<Term>, keep: &BTreeSet<Term>) -> Vec<Vec<Term>> {
    let mut groups: Vec<(BTreeSet<Term>, Vec<Term>)> = Vec::new();
    for conjunct in conjuncts {
        let mut vars: BTreeSet<Term> = free_vars(conjunct).difference(keep).copied().collect();
        let mut members = vec![conjunct];
        groups.retain_mut(|(other, formulas)| {
            let apart = other.is_disjoint(&vars);
            if !apart {
                vars.append(other);
                members.append(formulas);
            }
            apart
        });
        groups.push((vars, members));
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// Literals that are true in the model and imply the formulas. Choices are made where a variable that must go
/// is concerned.
fn implicant(formulas: &[Term], model: &Model, keep: &BTreeSet<Term>) -> Option<Vec<Term>> {
    let mut literals = Vec::new();
    let mut stack = formulas.to_vec();
    while let Some(t) = stack.pop() {
        if t.is_true() || within(t, keep) && !matches!(t.op(), Op::And) {
            literals.push(t);
            continue;
        }
        let negative = *t.op() == Op::Not;
        let inner = if negative { *t.args().first()? } else { t };
        match (inner.op(), inner.args()) {
            // All conjuncts, or one disjunct.
            (Op::And | Op::Or, args) => {
                let sign = |a: Term| if negative { a.not() } else { a };
                if (*inner.op() == Op::And) != negative {
                    stack.extend(args.iter().map(|a| sign(*a)));
                } else {
                    let holds = |a: &&Term| model.eval_bool(sign(**a)) == Some(true);
                    let best = args.iter().filter(holds).min_by_key(|a| !within(**a, keep))?;
                    stack.push(sign(*best));
                }
            }
            (Op::Ite, &[c, a, b]) => {
                let (condition, branch) = if model.eval_bool(c)? { (c, a) } else { (c.not(), b) };
                stack.extend([condition, if negative { branch.not() } else { branch }]);
            }
            (Op::Eq, &[a, b]) if a.sort() == Sort::Bool => {
                let literal = |x: Term| model.eval_bool(x).map(|value| if value { x } else { x.not() });
                stack.extend([literal(a)?, literal(b)?]);
            }
            (Op::Eq, &[a, b]) if negative && a.sort() == Sort::Int && choice(inner, keep).is_none() => {
                stack.push(if model.eval_bool(a.int_lt(b))? { a.int_lt(b) } else { b.int_lt(a) });
            }
            _ => match choice(inner, keep) {
                None => literals.push(t),
                Some(term) => {
                    let (condition, value) = decide(term, model)?;
                    let atom = Substitution::new([(term, value)]).apply(inner);
                    stack.extend([condition, if negative { atom.not() } else { atom }]);
                }
            },
        }
    }
    Some(literals)
}

/// A choice, or a read of a written array, that stands in the way; innermost first.
fn choice(atom: Term, keep: &BTreeSet<Term>) -> Option<Term> {
    let binds = |t: Term| matches!(t.op(), Op::Forall | Op::Exists);
    let mut found: Option<Term> = None;
    for t in subterms_in([atom], |t| if binds(t) { &[] } else { t.args() }) {
        let read = *t.op() == Op::Select && matches!(t.args()[0].op(), Op::Store | Op::Ite);
        if (read || *t.op() == Op::Ite && t.sort() != Sort::Bool)
            && !within(t, keep)
            && found.is_none_or(|f| size(t) < size(f))
        {
            found = Some(t);
        }
    }
    found
}

/// What the choice is in the model, and why.
fn decide(term: Term, model: &Model) -> Option<(Term, Term)> {
    match (term.op(), term.args()) {
        (Op::Ite, &[c, a, b]) => Some(if model.eval_bool(c)? { (c, a) } else { (c.not(), b) }),
        (Op::Select, &[array, index]) => match (array.op(), array.args()) {
            (Op::Store, &[before, place, value]) => {
                let here = place.equals(index);
                Some(if model.eval_bool(here)? { (here, value) } else { (here.not(), before.select(index)) })
            }
            (Op::Ite, &[c, a, b]) => {
                Some(if model.eval_bool(c)? { (c, a.select(index)) } else { (c.not(), b.select(index)) })
            }
            _ => None,
        },
        _ => None,
    }
}

/// The formulas with the model's values for the variables that must go.
fn instance(group: &[Term], model: &Model, keep: &BTreeSet<Term>) -> Option<Vec<Term>> {
    let away: BTreeSet<Term> =
        group.iter().flat_map(|t| free_vars(*t)).filter(|v| !keep.contains(v)).collect();
    let values: Option<Vec<(Term, Term)>> =
        away.into_iter().map(|v| Some((v, model.eval(v)?.to_term()))).collect();
    let mut by = Substitution::new(values?);
    Some(group.iter().flat_map(|t| by.apply(*t).conjuncts()).collect())
}

/// What follows by transitivity, from `a <= v` and `v <= b` that `a <= b`; then without all that mentions the
/// variables.
fn bounds(group: &[Term], keep: &BTreeSet<Term>) -> Vec<Term> {
    let mut formulas: BTreeSet<Term> = group.iter().copied().collect();
    let away: BTreeSet<Term> =
        group.iter().flat_map(|t| free_vars(*t)).filter(|v| !keep.contains(v)).collect();
    for &v in &away {
        let below: Vec<(Compare, Term)> = formulas.iter().filter_map(|t| comparison(*t, v, true)).collect();
        let above: Vec<(Compare, Term)> = formulas.iter().filter_map(|t| comparison(*t, v, false)).collect();
        for &(first, a) in &below {
            for &(second, b) in above.iter().filter(|(c, _)| c.signed == first.signed) {
                formulas.insert(Compare { strict: first.strict || second.strict, ..first }.apply(a, b));
            }
        }
        formulas.retain(|t| !free_vars(*t).contains(&v));
    }
    formulas.into_iter().collect()
}

#[derive(Clone, Copy)]
struct Compare {
    signed: bool,
    strict: bool,
}

impl Compare {
    fn apply(self, a: Term, b: Term) -> Term {
        match (self.signed, self.strict) {
            (true, true) => a.slt(b),
            (true, false) => a.sle(b),
            (false, true) => a.ult(b),
            (false, false) => a.ule(b),
        }
    }
}

/// The other side of a comparison of bit-vectors with `v`, which must be on the right, or on the left.
fn comparison(t: Term, v: Term, right: bool) -> Option<(Compare, Term)> {
    let compare = match t.op() {
        Op::BvSlt => Compare { signed: true, strict: true },
        Op::BvSle => Compare { signed: true, strict: false },
        Op::BvUlt => Compare { signed: false, strict: true },
        Op::BvUle => Compare { signed: false, strict: false },
        _ => return None,
    };
    let &[a, b] = t.args() else { return None };
    let (here, other) = if right { (b, a) } else { (a, b) };
    (here == v && !free_vars(other).contains(&v)).then_some((compare, other))
}
