//! Parameters whose value nothing depends on are dropped.
//!
//! A parameter matters if, in some body, its argument is more than a variable, or a variable that occurs
//! elsewhere: in the constraint, in another argument of the body, or in an argument of the head that matters.

use crate::system::{Atom, Clause, Derivation, System};
use crate::values::{Functions, Values};
use logic::{Term, free_vars};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub struct Sliced {
    /// The clauses before.
    old: Vec<Clause>,
    /// For each predicate, which parameters were kept.
    kept: Vec<Vec<bool>>,
}

/// None if all parameters matter.
pub(super) fn slice(system: &System) -> Option<(System, Sliced)> {
    let kept = matters(system);
    if kept.iter().flatten().all(|k| *k) {
        return None;
    }
    let keep = |list: &[Term], pred: usize| -> Vec<Term> {
        list.iter().zip(&kept[pred]).filter(|(_, k)| **k).map(|(t, _)| *t).collect()
    };
    let cut = |atom: &Atom| Atom { pred: atom.pred, args: keep(&atom.args, atom.pred.0 as usize) };
    let clauses = system.clauses.iter().map(|clause| Clause {
        body: clause.body.iter().map(cut).collect(),
        head: clause.head.as_ref().map(cut),
        ..clause.clone()
    });
    let mut preds = system.preds.clone();
    for (p, pred) in preds.iter_mut().enumerate() {
        pred.params = keep(&pred.params, p);
    }
    let new = System { preds, clauses: clauses.collect() };
    Some((new, Sliced { old: system.clauses.clone(), kept }))
}

fn matters(system: &System) -> Vec<Vec<bool>> {
    let mut kept: Vec<Vec<bool>> = system.preds.iter().map(|p| vec![false; p.params.len()]).collect();
    // How often a variable occurs in what always matters: the constraint (counted twice, so that one
    // occurrence in the body is one too many) and the body's arguments.
    let counts: Vec<FxHashMap<Term, usize>> = system
        .clauses
        .iter()
        .map(|clause| {
            let mut count = FxHashMap::default();
            for v in free_vars(clause.constraint) {
                *count.entry(v).or_insert(0) += 2;
            }
            for &arg in clause.body.iter().flat_map(|a| &a.args) {
                free_vars(arg).into_iter().for_each(|v| *count.entry(v).or_insert(0) += 1);
            }
            count
        })
        .collect();
    loop {
        let mut changed = false;
        for (clause, count) in system.clauses.iter().zip(&counts) {
            let mut in_head = std::collections::BTreeSet::new();
            if let Some(head) = &clause.head {
                for (&arg, _) in head.args.iter().zip(&kept[head.pred.0 as usize]).filter(|(_, k)| **k) {
                    in_head.extend(free_vars(arg));
                }
            }
            for atom in &clause.body {
                for (i, &arg) in atom.args.iter().enumerate() {
                    let free = arg.is_var() && count.get(&arg) == Some(&1) && !in_head.contains(&arg);
                    if !free && !std::mem::replace(&mut kept[atom.pred.0 as usize][i], true) {
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            return kept;
        }
    }
}

impl Sliced {
    /// From the leaves up: a variable that stands for a dropped parameter gets the value that the child's
    /// head has there.
    pub(super) fn derivation(&self, derivation: Derivation, functions: &Functions) -> Option<Derivation> {
        let clause = self.old.get(derivation.clause)?;
        let children: Vec<Derivation> =
            derivation.children.into_iter().map(|d| self.derivation(d, functions)).collect::<Option<_>>()?;
        let mut values = derivation.values;
        for (atom, child) in clause.body.iter().zip(&children) {
            let head = self.old.get(child.clause)?.head.as_ref().filter(|h| h.pred == atom.pred)?;
            let below = Values::new(&child.values, functions);
            for ((&arg, &from), _) in
                atom.args.iter().zip(&head.args).zip(&self.kept[atom.pred.0 as usize]).filter(|(_, k)| !**k)
            {
                values.retain(|(v, _)| *v != arg);
                values.push((arg, below.eval(from)?.to_term()));
            }
        }
        Some(Derivation { clause: derivation.clause, values, children })
    }
}
