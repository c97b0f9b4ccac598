//! A clause with variables of its own, put under an atom that it shall derive.

use crate::system::{Atom, System};
use logic::{Op, Substitution, Term, size, subterms};
use smt::Model;

pub(crate) struct Instance {
    /// The clause's number.
    pub(crate) clause: usize,
    pub(crate) body: Vec<Atom>,
    /// The clause's constraint, and that its head is the atom.
    pub(crate) constraint: Term,
    /// The clause's variables, and what they are here.
    pub(crate) bindings: Vec<(Term, Term)>,
}

/// Arguments larger than this are not put into the clause; a variable stands for them, so that terms do not
/// grow with the depth.
const LARGE: usize = 40;

impl Instance {
    /// `suffix` makes names that nothing else has.
    pub(crate) fn new(system: &System, number: usize, atom: Option<&Atom>, suffix: &str) -> Instance {
        let clause = &system.clauses[number];
        let args = atom.map_or(&[][..], |a| &a.args[..]);
        let formals = clause.head.as_ref().map_or(&[][..], |h| &h.args[..]);
        let mut bindings: Vec<(Term, Term)> = Vec::new();
        for (&formal, &arg) in formals.iter().zip(args) {
            if formal.is_var() && !bindings.iter().any(|(v, _)| *v == formal) && size(arg) <= LARGE {
                bindings.push((formal, arg));
            }
        }
        for var in clause.vars() {
            if !bindings.iter().any(|(v, _)| *v == var) {
                let name = format!("{}{suffix}", var.var_name().unwrap_or("v"));
                bindings.push((var, Term::var(&name, var.sort())));
            }
        }
        let mut by = Substitution::new(bindings.iter().copied());
        let instance = clause.substitute(&mut by);
        let head = instance.head.iter().flat_map(|h| &h.args);
        let same = head.zip(args).map(|(a, b)| a.equals(*b));
        let constraint = Term::all(same.chain([instance.constraint]));
        Instance { clause: number, body: instance.body, constraint, bindings }
    }

    /// The values that a model gives to the clause's variables, and to the functions it applies.
    pub(crate) fn values(&self, model: &Model) -> Option<Vec<(Term, Term)>> {
        let mut values = Vec::new();
        for &(var, term) in &self.bindings {
            values.push((var, model.eval(term)?.to_term()));
        }
        let bindings = self.bindings.iter().map(|(_, t)| *t);
        let body = self.body.iter().flat_map(|a| a.args.iter().copied());
        for t in subterms([self.constraint].into_iter().chain(bindings).chain(body)) {
            if let Op::Apply(function) = t.op() {
                let args: Option<Vec<Term>> =
                    t.args().iter().map(|a| Some(model.eval(*a)?.to_term())).collect();
                let place = Term::apply(function, args?, t.sort());
                let value = (place, model.eval(t)?.to_term());
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        Some(values)
    }
}
