//! Solving by abstraction: the strongest solution in a small, well-chosen space, computed from the solver's
//! models.
//!
//! Every predicate gets, for each combination of a few truth values (`splits`), a conjunction of affine
//! equations over given terms and of candidate formulas (`atoms`). We start from the empty relation. A clause
//! that the current formulas do not satisfy has a model; the head's values in it are a point that the head
//! must contain, so its equations are joined with the point and the atoms that are false there are dropped.
//! When no clause has such a model, the formulas are inductive: the least ones in the space (symbolic
//! abstraction, Reps, Sagiv and Yorsh 2004; the atoms alone are Houdini, Flanagan and Leino 2001). The
//! clauses without a head are checked last.
//!
//! Points that are known to be reachable (`sample`) make a start that needs no solver.
//!
//! The coupling predicates of paper 004 are nearly all of this shape, and Horn solvers that search among all
//! formulas find them late or never (triangular numbers: one equation).

use crate::affine::{Affine, Ring};
use crate::sample::Points;
use crate::system::{Atom, Clause, PredId, Solution, System, Unknown};
use base::Budget;
use dashu_int::IBig;
use logic::{Substitution, Term, Value};
use smt::{Model, SatResult, Settings, one_shot};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

/// The space in which one predicate is sought; all terms are over its formal parameters.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Template {
    /// Bool terms: each combination of their values has equations and atoms of its own.
    pub partitions: Vec<Term>,
    pub groups: Vec<Group>,
    /// Bool terms that may hold.
    pub atoms: Vec<Term>,
}

/// Numeric terms of one sort, among which equations are sought.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    pub ring: Ring,
    pub terms: Vec<Term>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    Solved(Solution),
    /// The least formulas of the space do not do: they allow a model of the clause `query`.
    Insufficient {
        query: usize,
        formulas: Solution,
        values: Vec<(Term, Value)>,
    },
    Unknown(Unknown),
}

/// What is known of a predicate where the splits have one combination of values.
#[derive(Clone, Debug)]
struct Class {
    hulls: Vec<Affine>,
    atoms: BTreeSet<usize>,
}

#[derive(Clone, Debug, Default)]
struct Found {
    /// By the values of the splits. No class: nothing of that kind is reachable.
    classes: BTreeMap<Vec<bool>, Class>,
    /// Given up: anything may hold.
    top: bool,
}

impl Template {
    /// The splits have these values.
    fn case(&self, key: &[bool]) -> Term {
        Term::all(self.partitions.iter().zip(key).map(|(s, &v)| if v { *s } else { s.not() }))
    }
}

impl Found {
    /// Joins a point, given by what terms are there: did anything change? None if a value is missing.
    /// `doubt`: may atoms stay that nobody can evaluate?
    fn join(
        &mut self,
        template: &Template,
        value: &dyn Fn(Term) -> Option<Value>,
        doubt: bool,
    ) -> Option<bool> {
        let holds = |t: Term| value(t).and_then(|v| v.as_bool());
        let key = template.partitions.iter().map(|&s| holds(s)).collect::<Option<Vec<bool>>>()?;
        let coordinates =
            |g: &Group| g.terms.iter().map(|&t| number(value(t)?)).collect::<Option<Vec<IBig>>>();
        let point = template.groups.iter().map(coordinates).collect::<Option<Vec<_>>>()?;
        let mut changed = !self.classes.contains_key(&key);
        let class = self.classes.entry(key).or_insert_with(|| Class {
            hulls: template.groups.iter().map(|g| Affine::bottom(g.ring, g.terms.len())).collect(),
            atoms: (0..template.atoms.len()).collect(),
        });
        for (hull, point) in class.hulls.iter_mut().zip(&point) {
            changed |= hull.join(point);
        }
        let before = class.atoms.len();
        class.atoms.retain(|&i| holds(template.atoms[i]).unwrap_or(doubt));
        Some(changed | (class.atoms.len() < before))
    }
}

/// A space with its terms on the arguments of one atom.
struct Instance {
    template: Template,
}

struct Search<'s> {
    system: &'s System,
    templates: &'s [Template],
    budget: &'s Budget,
    found: Vec<Found>,
    settings: &'s Settings,
    heads: Vec<Option<Instance>>,
    bodies: Vec<Vec<Instance>>,
    steps: u64,
}

/// For one part of a formula that the solver could not decide as a whole.
const PART: Duration = Duration::from_millis(100);

/// Finds the least solution in the space that contains `points`, and checks the clauses without a head
/// against it.
pub fn solve(
    system: &System,
    templates: &[Template],
    points: &Points,
    settings: &Settings,
    budget: &Budget,
) -> Outcome {
    let mut search = Search {
        system,
        templates,
        budget,
        found: vec![Found::default(); system.preds.len()],
        settings,
        heads: Vec::new(),
        bodies: Vec::new(),
        steps: 0,
    };
    for clause in &system.clauses {
        search.heads.push(clause.head.as_ref().map(|atom| search.instance(atom)));
        let bodies = clause.body.iter().map(|atom| search.instance(atom)).collect();
        search.bodies.push(bodies);
    }
    for (pred, points) in points.iter().enumerate() {
        let params = &system.preds[pred].params;
        for point in points {
            let value = |t: Term| params.iter().position(|p| *p == t).map(|i| point[i].clone());
            // Where a value is missing, the solver will find the point by itself.
            let _ = search.found[pred].join(&templates[pred], &|t| logic::eval(t, &value), true);
        }
    }
    search.run()
}

impl Search<'_> {
    fn run(&mut self) -> Outcome {
        let heads = |c: &Clause| c.head.is_some();
        let mut queue: VecDeque<usize> =
            (0..self.system.clauses.len()).filter(|&k| heads(&self.system.clauses[k])).collect();
        while let Some(k) = queue.pop_front() {
            match self.close(k) {
                Err(unknown) => return Outcome::Unknown(unknown),
                Ok(false) => {}
                Ok(true) => {
                    let changed = self.system.clauses[k].head.as_ref().map(|h| h.pred);
                    for (j, clause) in self.system.clauses.iter().enumerate() {
                        let uses = clause.body.iter().any(|atom| Some(atom.pred) == changed);
                        if uses && heads(clause) && !queue.contains(&j) {
                            queue.push_back(j);
                        }
                    }
                }
            }
        }
        for k in 0..self.system.clauses.len() {
            if self.system.clauses[k].head.is_some() || self.unreachable(k) {
                continue;
            }
            if let Err(unknown) = self.tick() {
                return Outcome::Unknown(unknown);
            }
            let query = [self.system.clauses[k].constraint, self.body(k)];
            let (answer, model) = one_shot(&query, self.settings);
            let values = model.map(|m| self.values(k, &m)).unwrap_or_default();
            match answer {
                SatResult::Unsat => {}
                SatResult::Sat => {
                    return Outcome::Insufficient { query: k, formulas: self.solution(), values };
                }
                SatResult::Unknown(why) => {
                    return Outcome::Unknown(Unknown::GaveUp(format!("a query was not decided: {why:?}")));
                }
            }
        }
        Outcome::Solved(self.solution())
    }

    /// Adds points to the head until the clause holds; did the head grow?
    fn close(&mut self, k: usize) -> Result<bool, Unknown> {
        let clause = &self.system.clauses[k];
        let Some(head) = &clause.head else { return Ok(false) };
        let head_pred = head.pred.0 as usize;
        if self.unreachable(k) {
            return Ok(false);
        }
        let recursive = clause.body.iter().any(|atom| atom.pred == head.pred);
        let mut grew = false;
        let mut body = self.body(k);
        loop {
            if self.found[head_pred].top {
                return Ok(grew);
            }
            self.tick()?;
            let Some(instance) = &self.heads[k] else { return Ok(grew) };
            let holds = formula(&self.found[head_pred], &instance.template);
            let query = [clause.constraint, body, holds.not()];
            if query.iter().any(|t| t.is_false()) {
                return Ok(grew);
            }
            let (answer, model) = one_shot(&query, self.settings);
            match (answer, model) {
                (SatResult::Unsat, _) => return Ok(grew),
                (SatResult::Sat, Some(model)) => {
                    let joined = self.found[head_pred].join(&instance.template, &|t| model.eval(t), false);
                    grew = true;
                    if joined != Some(true) {
                        // The model does not say what it should: no way to go on precisely.
                        self.found[head_pred].top = true;
                    }
                    if recursive {
                        body = self.body(k);
                    }
                }
                _ => {
                    if !self.weaken(k, head_pred, body)? {
                        self.found[head_pred].top = true;
                    }
                    grew = true;
                    if recursive {
                        body = self.body(k);
                    }
                }
            }
        }
    }

    /// The solver does not say whether the head holds: what it does not prove of it, each part by itself, is
    /// dropped. False if that is nothing.
    fn weaken(&mut self, k: usize, pred: usize, body: Term) -> Result<bool, Unknown> {
        let constraint = self.system.clauses[k].constraint;
        let settings = self.settings.clone().timeout(PART);
        let mut classes = std::mem::take(&mut self.found[pred].classes);
        let mut dropped = false;
        for (key, class) in &mut classes {
            let Some(instance) = &self.heads[k] else { continue };
            let template = instance.template.clone();
            let case = template.case(key);
            let mut proved = |part: Term| {
                self.tick()?;
                let proved = one_shot(&[constraint, body, case, part.not()], &settings).0 == SatResult::Unsat;
                dropped |= !proved;
                Ok(proved)
            };
            for (hull, group) in class.hulls.iter_mut().zip(&template.groups) {
                hull.retain(&group.terms, &mut proved)?;
            }
            let atoms: Vec<usize> = class.atoms.iter().copied().collect();
            for i in atoms {
                if !proved(template.atoms[i])? {
                    class.atoms.remove(&i);
                }
            }
        }
        self.found[pred].classes = classes;
        Ok(dropped)
    }

    fn instance(&self, atom: &Atom) -> Instance {
        let template = &self.templates[atom.pred.0 as usize];
        let params = &self.system.pred(atom.pred).params;
        if *params == atom.args {
            return Instance { template: template.clone() };
        }
        let mut subst = Substitution::new(params.iter().copied().zip(atom.args.iter().copied()));
        let mut all = |terms: &[Term]| terms.iter().map(|&t| subst.apply(t)).collect::<Vec<_>>();
        Instance {
            template: Template {
                partitions: all(&template.partitions),
                groups: template
                    .groups
                    .iter()
                    .map(|g| Group { ring: g.ring, terms: all(&g.terms) })
                    .collect(),
                atoms: all(&template.atoms),
            },
        }
    }

    fn body(&self, k: usize) -> Term {
        let atoms = self.system.clauses[k].body.iter().zip(&self.bodies[k]);
        Term::all(
            atoms.map(|(atom, instance)| formula(&self.found[atom.pred.0 as usize], &instance.template)),
        )
    }

    fn unreachable(&self, k: usize) -> bool {
        let empty = |p: PredId| {
            let found = &self.found[p.0 as usize];
            !found.top && found.classes.is_empty()
        };
        self.system.clauses[k].body.iter().any(|atom| empty(atom.pred))
    }

    fn solution(&self) -> Solution {
        let formulas =
            self.found.iter().zip(self.templates).map(|(found, template)| formula(found, template)).collect();
        Solution { formulas }
    }

    fn values(&self, k: usize, model: &Model) -> Vec<(Term, Value)> {
        let clause = &self.system.clauses[k];
        let mut vars = logic::free_vars(clause.constraint);
        for atom in &clause.body {
            for &arg in &atom.args {
                vars.extend(logic::free_vars(arg));
            }
        }
        vars.into_iter().filter_map(|v| Some((v, model.eval(v)?))).collect()
    }

    fn tick(&mut self) -> Result<(), Unknown> {
        self.steps += 1;
        self.budget.check(self.steps).map_err(|_| Unknown::Timeout)
    }
}

/// What was found, as a formula over a space's terms.
fn formula(found: &Found, template: &Template) -> Term {
    if found.top {
        return Term::bool(true);
    }
    let class_formula = |class: &Class| {
        let equations = class.hulls.iter().zip(&template.groups).flat_map(|(hull, group)| {
            let same_terms = class.hulls.iter().zip(&template.groups).filter(|(_, g)| g.terms == group.terms);
            hull.equations(&group.terms, &same_terms.map(|(h, _)| h).collect::<Vec<_>>())
        });
        let atoms = class.atoms.iter().map(|&i| template.atoms[i]);
        Term::all(equations.chain(atoms))
    };
    if template.partitions.is_empty() {
        return found.classes.values().next().map_or(Term::bool(false), class_formula);
    }
    let mut parts = Vec::new();
    let mut keys = Vec::new();
    for (key, class) in &found.classes {
        let case = template.case(key);
        parts.push(case.implies(class_formula(class)));
        keys.push(case);
    }
    // Combinations that were never seen are impossible.
    parts.push(Term::any(keys));
    Term::all(parts)
}

fn number(value: Value) -> Option<IBig> {
    match value {
        Value::Int(value) => Some(value),
        Value::Bv { bits, .. } => Some(IBig::from(bits)),
        _ => None,
    }
}
