//! One of the cases of a formula: the literals that make it true in a model.

use logic::{Op, Sort, Term, rebuild};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Model;

/// Literals that hold in the model and together imply the list.
pub fn literals(list: &[Term], model: &Model) -> Option<Vec<Term>> {
    let mut found: Vec<Term> = Vec::new();
    let mut seen: FxHashSet<(Term, bool)> = FxHashSet::default();
    let mut work: Vec<(Term, bool)> = list.iter().map(|t| (*t, true)).collect();
    while let Some((t, holds)) = work.pop() {
        if t.is_const() || !seen.insert((t, holds)) {
            continue;
        }
        let args = t.args();
        match (t.op(), holds) {
            (Op::Not, _) => work.push((args[0], !holds)),
            (Op::And, true) | (Op::Or, false) => work.extend(args.iter().map(|a| (*a, holds))),
            (Op::And, false) | (Op::Or, true) => {
                // One of them will do; one that is there already does best.
                let fitting = |a: &&Term| model.eval_bool(**a) == Some(holds);
                let there = args.iter().filter(fitting).find(|a| seen.contains(&(**a, holds)));
                work.push((*there.or_else(|| args.iter().find(fitting))?, holds));
            }
            (Op::Ite, _) => {
                let condition = model.eval_bool(args[0])?;
                work.push((args[0], condition));
                work.push((args[if condition { 1 } else { 2 }], holds));
            }
            (Op::Eq, _) if args[0].sort() == Sort::Bool => {
                work.push((args[0], model.eval_bool(args[0])?));
                work.push((args[1], model.eval_bool(args[1])?));
            }
            _ => {
                let settled = settled(t, model, &mut work)?;
                if settled != t {
                    work.push((settled, holds));
                } else {
                    found.push(if holds { t } else { t.not() });
                }
            }
        }
    }
    Some(found)
}

/// The atom with its choices made as in the model; under which conditions is added to the work.
fn settled(atom: Term, model: &Model, work: &mut Vec<(Term, bool)>) -> Option<Term> {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    let mut stack = vec![(atom, false)];
    while let Some((t, ready)) = stack.pop() {
        if done.contains_key(&t) {
            continue;
        }
        let boolean = t != atom && t.sort() == Sort::Bool;
        if boolean || t.args().is_empty() || matches!(t.op(), Op::Forall | Op::Exists) {
            done.insert(t, t);
        } else if *t.op() == Op::Ite {
            let holds = model.eval_bool(t.args()[0])?;
            let branch = t.args()[if holds { 1 } else { 2 }];
            if let Some(chosen) = done.get(&branch) {
                work.push((t.args()[0], holds));
                done.insert(t, *chosen);
            } else {
                stack.extend([(t, true), (branch, false)]);
            }
        } else if ready {
            let args: Vec<Term> = t.args().iter().map(|a| done[a]).collect();
            done.insert(t, if args[..] == *t.args() { t } else { rebuild(t, &args) });
        } else {
            stack.push((t, true));
            stack.extend(t.args().iter().map(|a| (*a, false)));
        }
    }
    done.get(&atom).copied()
}
