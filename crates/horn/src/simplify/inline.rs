//! A predicate with one definition and one use is replaced by its definition there.

use super::Interpolate;
use crate::system::{Clause, Derivation, PredId, Solution, System};
use crate::values::{Functions, Values};
use logic::{Substitution, Term, free_vars};
use std::collections::BTreeSet;

#[derive(Clone, Debug)]
pub struct Inlined {
    /// The system before.
    old: System,
    pred: PredId,
    definition: usize,
    user: usize,
    /// Which atom of the user's body.
    position: usize,
    /// The definition's variables as terms of the new clause.
    bindings: Vec<(Term, Term)>,
}

/// Inlines the first predicate that can be inlined.
pub(super) fn inline_one(system: &System) -> Option<(System, Inlined)> {
    let count = system.preds.len();
    let (mut definitions, mut users) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for (c, clause) in system.clauses.iter().enumerate() {
        if let Some(head) = &clause.head {
            definitions[head.pred.0 as usize].push(c);
        }
        for (i, atom) in clause.body.iter().enumerate() {
            users[atom.pred.0 as usize].push((c, i));
        }
    }
    let pred =
        system.pred_ids().find(|p| match (&definitions[p.0 as usize][..], &users[p.0 as usize][..]) {
            ([definition], [(user, _)]) => definition != user,
            _ => false,
        })?;
    let definition = definitions[pred.0 as usize][0];
    let (user, position) = users[pred.0 as usize][0];
    let bindings = bind(&system.clauses[definition], &system.clauses[user], position);
    let step = Inlined { old: system.clone(), pred, definition, user, position, bindings };
    let mut clauses = system.clauses.clone();
    clauses[user] = step.clause();
    clauses.remove(definition);
    Some((System { preds: system.preds.clone(), clauses }, step))
}

/// Every variable of the definition as a term of the user's clause: a variable of the head is the argument in
/// its place, all others are new.
fn bind(definition: &Clause, user: &Clause, position: usize) -> Vec<(Term, Term)> {
    let mut bindings: Vec<(Term, Term)> = Vec::new();
    for (&formal, &actual) in definition.head.iter().flat_map(|h| &h.args).zip(&user.body[position].args) {
        if formal.is_var() && !bindings.iter().any(|(v, _)| *v == formal) {
            bindings.push((formal, actual));
        }
    }
    let mut taken = user.vars();
    for var in definition.vars() {
        if !bindings.iter().any(|(v, _)| *v == var) {
            bindings.push((var, fresh(var, &mut taken)));
        }
    }
    bindings
}

/// A variable of the same sort that is not taken, and is now.
fn fresh(var: Term, taken: &mut BTreeSet<Term>) -> Term {
    let mut new = var;
    let mut number = 0;
    while !taken.insert(new) {
        number += 1;
        new = Term::var(&format!("{}.{number}", var.var_name().unwrap_or("v")), var.sort());
    }
    new
}

impl Inlined {
    fn clause(&self) -> Clause {
        let (definition, user) = (&self.old.clauses[self.definition], &self.old.clauses[self.user]);
        let mut by = Substitution::new(self.bindings.iter().copied());
        let inner = definition.substitute(&mut by);
        let mut body = user.body.clone();
        let atom = body.remove(self.position);
        body.extend(inner.body);
        let same = inner.head.iter().flat_map(|h| &h.args).zip(&atom.args).map(|(a, b)| a.equals(*b));
        Clause {
            body,
            constraint: Term::all([user.constraint, inner.constraint].into_iter().chain(same)),
            head: user.head.clone(),
            label: [&definition.label, &user.label].map(String::as_str).join("; "),
        }
    }

    pub(super) fn derivation(&self, derivation: Derivation, functions: &Functions) -> Option<Derivation> {
        // The definition's clause was taken out; the others keep their order.
        let old = derivation.clause + usize::from(derivation.clause >= self.definition);
        let mut children: Vec<Derivation> =
            derivation.children.into_iter().map(|d| self.derivation(d, functions)).collect::<Option<_>>()?;
        if old == self.user {
            let user = &self.old.clauses[self.user];
            if children.len() + 1 < user.body.len() {
                return None;
            }
            let inner = children.split_off(user.body.len() - 1);
            let values = Values::new(&derivation.values, functions);
            let value = |&(v, t): &(Term, Term)| Some((v, values.eval(t)?.to_term()));
            let values: Option<_> = self.bindings.iter().map(value).collect();
            let child = Derivation { clause: self.definition, values: values?, children: inner };
            children.insert(self.position, child);
        }
        Some(Derivation { clause: old, values: derivation.values, children })
    }

    pub(super) fn solution(&self, mut solution: Solution, interpolate: &mut Interpolate) -> Solution {
        let params = &self.old.pred(self.pred).params;
        let (definition, user) = (&self.old.clauses[self.definition], &self.old.clauses[self.user]);
        let apply = |atom| solution.of(&self.old, atom);
        // What the definition gives, and what its use must not get; both over the parameters as far as
        // possible.
        let head = definition.head.iter().flat_map(|h| h.args.iter().copied());
        let body = definition.body.iter().map(apply);
        let below = over(params, head, Term::all(body.chain([definition.constraint])), "below");
        let others = user.body.iter().enumerate().filter(|(i, _)| *i != self.position).map(|(_, a)| apply(a));
        let conclusion = user.head.as_ref().map_or(Term::bool(false), apply);
        let actual = user.body[self.position].args.iter().copied();
        let above =
            over(params, actual, Term::all(others.chain([user.constraint, conclusion.not()])), "above");
        let closed = |t: Term| free_vars(t).iter().all(|v| params.contains(v));
        let formula = if closed(below) {
            below
        } else if closed(above) {
            above.not()
        } else if let Some(found) = interpolate(below, above).filter(|&t| closed(t)) {
            found
        } else {
            let inner: Vec<Term> = free_vars(below).into_iter().filter(|v| !params.contains(v)).collect();
            Term::exists(&inner, below)
        };
        solution.formulas[self.pred.0 as usize] = formula;
        solution
    }
}

/// `formula` and `args = params`, with variables that are arguments replaced by parameters. Other variables
/// get new names, with the tag in them.
fn over(params: &[Term], args: impl Iterator<Item = Term>, formula: Term, tag: &str) -> Term {
    let args: Vec<Term> = args.collect();
    let mut vars = free_vars(formula);
    args.iter().for_each(|&a| vars.extend(free_vars(a)));
    let mut taken: BTreeSet<Term> = params.iter().copied().collect();
    let mut pairs: Vec<(Term, Term)> = Vec::new();
    for (&param, &arg) in params.iter().zip(&args) {
        if arg.is_var() && vars.remove(&arg) {
            pairs.push((arg, param));
        }
    }
    for var in vars {
        let tagged = Term::var(&format!("{}!{tag}", var.var_name().unwrap_or("v")), var.sort());
        pairs.push((var, fresh(tagged, &mut taken)));
    }
    let mut by = Substitution::new(pairs);
    let same = params.iter().zip(&args).map(|(p, &a)| p.equals(by.apply(a))).collect::<Vec<_>>();
    Term::all(same.into_iter().chain([by.apply(formula)]))
}
