//! Formulas to clauses: takes the Boolean structure around predicates apart, as far as what comes out is
//! Horn.
//!
//! A partial clause is a list of formulas that are still to be taken apart, each to be assumed or to be
//! shown; where both parts of a formula must hold, the partial clause splits. What contains no predicate goes
//! into the constraint as it is.

use crate::system::{Atom, PredId, System};
use logic::{Op, Sort, Substitution, Term, bottom_up, free_vars};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A clause, with its constraint as a list.
#[derive(Clone, Default)]
pub(super) struct Parts {
    pub(super) body: Vec<Atom>,
    pub(super) constraint: Vec<Term>,
    pub(super) head: Option<Atom>,
}

pub(super) struct Clausify {
    preds: FxHashMap<(&'static str, Vec<Sort>), PredId>,
    /// Predicates without parameters, which are variables in terms.
    constants: BTreeSet<Term>,
    mentions: FxHashMap<Term, bool>,
}

/// Formulas that would become more clauses than this are refused.
const MOST_CLAUSES: usize = 10_000;

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Assume,
    Show,
}

#[derive(Clone)]
struct Partial {
    parts: Parts,
    todo: Vec<(Side, Term)>,
    /// Free variables, and those of opened quantifiers.
    taken: BTreeSet<Term>,
}

/// An atom as a term.
pub(super) fn atom_term(system: &System, atom: &Atom) -> Term {
    let name = &system.pred(atom.pred).name;
    if atom.args.is_empty() {
        Term::var(name, Sort::Bool)
    } else {
        Term::apply(name, atom.args.iter().copied(), Sort::Bool)
    }
}

impl Clausify {
    pub(super) fn new(system: &System) -> Clausify {
        let key = |p: PredId| {
            let pred = system.pred(p);
            ((logic::name(&pred.name), pred.params.iter().map(|t| t.sort()).collect()), p)
        };
        let constants = system.preds.iter().filter(|p| p.params.is_empty());
        Clausify {
            preds: system.pred_ids().map(key).collect(),
            constants: constants.map(|p| Term::var(&p.name, Sort::Bool)).collect(),
            mentions: FxHashMap::default(),
        }
    }

    pub(super) fn clauses(mut self, formula: Term) -> Result<Vec<Parts>, String> {
        let mut done = Vec::new();
        let mut stack = vec![Partial {
            parts: Parts::default(),
            todo: vec![(Side::Show, formula)],
            taken: free_vars(formula),
        }];
        while let Some(mut partial) = stack.pop() {
            match partial.todo.pop() {
                None => done.push(partial.parts),
                Some((side, term)) => {
                    // In reverse, so that clauses come out in the order of the text.
                    let from = stack.len();
                    self.step(partial, side, term, &mut stack)?;
                    stack[from..].reverse();
                }
            }
            if done.len() + stack.len() > MOST_CLAUSES {
                return Err(format!("this would become more than {MOST_CLAUSES} clauses"));
            }
        }
        Ok(done)
    }

    fn step(&mut self, mut p: Partial, side: Side, term: Term, out: &mut Vec<Partial>) -> Result<(), String> {
        let args = term.args();
        if let Some(atom) = self.atom(term) {
            if atom.args.iter().any(|a| self.mentions(*a)) {
                return Err("a predicate occurs inside a term".into());
            }
            match side {
                Side::Assume => p.parts.body.push(atom),
                Side::Show if p.parts.head.is_some() => return Err("not a Horn clause: two heads".into()),
                Side::Show => p.parts.head = Some(atom),
            }
            out.push(p);
            return Ok(());
        }
        match (term.op(), side) {
            (Op::Not, Side::Assume) => p.todo.push((Side::Show, args[0])),
            (Op::Not, Side::Show) => p.todo.push((Side::Assume, args[0])),
            (Op::And, Side::Assume) | (Op::Or, Side::Show) => {
                p.todo.extend(args.iter().rev().map(|&a| (side, a)))
            }
            (Op::Forall, Side::Show) | (Op::Exists, Side::Assume) => {
                let body = self.open(term, &mut p.taken);
                p.todo.push((side, body));
            }
            _ if !self.mentions(term) => {
                p.parts.constraint.push(if side == Side::Assume { term } else { term.not() });
            }
            (Op::And, Side::Show) | (Op::Or, Side::Assume) => {
                for &arg in args {
                    let mut branch = p.clone();
                    branch.todo.push((side, arg));
                    out.push(branch);
                }
                return Ok(());
            }
            (Op::Ite, _) => {
                for (condition, branch) in [(Side::Assume, args[1]), (Side::Show, args[2])] {
                    let mut one = p.clone();
                    one.todo.extend([(side, branch), (condition, args[0])]);
                    out.push(one);
                }
                return Ok(());
            }
            (Op::Eq, _) if args[0].sort() == Sort::Bool => {
                // Both true or both false; to be shown, each implies the other.
                let (first, second) = match side {
                    Side::Assume => ([Side::Assume, Side::Assume], [Side::Show, Side::Show]),
                    Side::Show => ([Side::Assume, Side::Show], [Side::Show, Side::Assume]),
                };
                for sides in [first, second] {
                    let mut one = p.clone();
                    one.todo.extend(sides.into_iter().zip(args.iter().copied()));
                    out.push(one);
                }
                return Ok(());
            }
            (Op::Forall | Op::Exists, _) => {
                return Err("not a Horn clause: a quantifier over a predicate".into());
            }
            _ => return Err("a predicate occurs inside a term".into()),
        }
        out.push(p);
        Ok(())
    }

    fn atom(&self, term: Term) -> Option<Atom> {
        let name = match term.op() {
            Op::Apply(name) if term.sort() == Sort::Bool => *name,
            Op::Var(name) if self.constants.contains(&term) => *name,
            _ => return None,
        };
        let pred = *self.preds.get(&(name, term.args().iter().map(|a| a.sort()).collect()))?;
        Some(Atom { pred, args: term.args().to_vec() })
    }

    /// The body of a quantifier. Its variables get names that neither the clause nor a predicate has.
    fn open(&self, term: Term, taken: &mut BTreeSet<Term>) -> Term {
        let Some((&body, bound)) = term.args().split_last() else { return term };
        let mut pairs = Vec::new();
        let inside = free_vars(body);
        for &var in bound {
            let mut new = var;
            while taken.contains(&new)
                || self.constants.contains(&new)
                || new != var && (inside.contains(&new) || bound.contains(&new))
            {
                new = Term::var(&format!("{}'", new.var_name().unwrap_or("v")), var.sort());
            }
            taken.insert(new);
            if new != var {
                pairs.push((var, new));
            }
        }
        Substitution::new(pairs).apply(body)
    }

    /// Does a predicate occur in it?
    fn mentions(&mut self, term: Term) -> bool {
        let mut known = std::mem::take(&mut self.mentions);
        let found = bottom_up(term, &mut known, |t, known| {
            self.atom(t).is_some() || t.args().iter().any(|a| known[a])
        });
        self.mentions = known;
        found
    }
}
