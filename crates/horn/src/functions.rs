//! Systems without uninterpreted functions: every application becomes a variable.
//!
//! Within a clause, a function still gives the same for the same arguments; from clause to clause it may
//! change. So the new system demands more: its solutions are solutions of the old one for every meaning of
//! the functions, but a derivation is none.

use crate::system::{Clause, System};
use logic::{Op, Term, rebuild, subterms};
use rustc_hash::FxHashMap;

/// Does any clause apply a function?
pub fn has_functions(system: &System) -> bool {
    subterms(system.clauses.iter().flat_map(Clause::terms)).any(|t| matches!(t.op(), Op::Apply(_)))
}

/// None where a function is applied under a quantifier.
pub fn without_functions(system: &System) -> Option<System> {
    let clauses = system.clauses.iter().map(replace).collect::<Option<_>>()?;
    Some(System { preds: system.preds.clone(), clauses })
}

/// Pairs of applications beyond this are not compared; that only demands more.
const MOST_PAIRS: usize = 500;

fn replace(clause: &Clause) -> Option<Clause> {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    // Applications with their arguments replaced, and their variables.
    let mut calls: Vec<(Term, Term)> = Vec::new();
    let mut taken = clause.vars();
    let mut stack: Vec<(Term, bool)> = clause.terms().map(|t| (t, false)).collect();
    while let Some((t, ready)) = stack.pop() {
        if done.contains_key(&t) {
            continue;
        }
        if !ready && !t.args().is_empty() {
            stack.push((t, true));
            stack.extend(t.args().iter().map(|&a| (a, false)));
            continue;
        }
        let args: Vec<Term> = t.args().iter().map(|a| done[a]).collect();
        let new = match t.op() {
            Op::Apply(name) => {
                let call = Term::apply(name, args, t.sort());
                match calls.iter().find(|(c, _)| *c == call) {
                    Some((_, var)) => *var,
                    None => {
                        let mut number = calls.len();
                        let mut var = Term::var(&format!("{name}!{number}"), t.sort());
                        while !taken.insert(var) {
                            number += 1;
                            var = Term::var(&format!("{name}!{number}"), t.sort());
                        }
                        calls.push((call, var));
                        var
                    }
                }
            }
            Op::Forall | Op::Exists if args != t.args() => return None,
            _ if args == t.args() => t,
            _ => rebuild(t, &args),
        };
        done.insert(t, new);
    }
    let pairs = calls.iter().enumerate().flat_map(|(i, a)| calls[..i].iter().map(move |b| (a, b)));
    let alike = pairs.filter(|((a, _), (b, _))| {
        let sorts = |t: &Term| t.args().iter().map(|a| a.sort()).collect::<Vec<_>>();
        a.op() == b.op() && a.sort() == b.sort() && sorts(a) == sorts(b)
    });
    let consistent = alike.take(MOST_PAIRS).map(|((a, v), (b, w))| {
        let same = Term::all(a.args().iter().zip(b.args()).map(|(x, y)| x.equals(*y)));
        same.implies(v.equals(*w))
    });
    let consistent: Vec<Term> = consistent.collect();
    let mut clause = clause.clone();
    for atom in clause.body.iter_mut().chain(&mut clause.head) {
        atom.args.iter_mut().for_each(|a| *a = done[a]);
    }
    clause.constraint = Term::all(consistent.into_iter().chain([done[&clause.constraint]]));
    Some(clause)
}
