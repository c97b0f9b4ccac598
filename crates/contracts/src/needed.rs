//! What of all that holds the proof needs: backwards from the checks, and from what is never reached.
//!
//! Contracts should say what matters, for people, for whoever checks them, and because what is not said
//! cannot break with the next change. Of functions whose steps nobody looked at, everything is needed that
//! was before.

use crate::Halt;
use crate::Place;
use crate::prover::Prover;
use crate::step::{Held, Premises, Target, entering, targets};
use engine::Contract;
use ir::{FuncId, NodeId};
use logic::Term;
use predicate::model::Model;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A step that leads to a place: where it starts, its number, and which of its ends that is.
type Incoming = (FuncId, NodeId, usize, bool);

pub struct Needed<'m> {
    model: &'m Model,
    prover: &'m mut Prover,
    held: &'m Held,
    /// The cut points that are reached, by function.
    reached: BTreeMap<FuncId, Vec<NodeId>>,
    /// The steps of a function to places that are reached.
    leading: FxHashMap<FuncId, Rc<Vec<(Place, Incoming)>>>,
    needed: BTreeMap<Place, BTreeSet<Term>>,
    work: BTreeMap<Place, Vec<Term>>,
}

impl<'m> Needed<'m> {
    pub fn new(model: &'m Model, prover: &'m mut Prover, held: &'m Held) -> Needed<'m> {
        let (leading, needed, work) = Default::default();
        let mut reached: BTreeMap<FuncId, Vec<NodeId>> = BTreeMap::new();
        for place in held.keys() {
            if let Place::Cut(f, cut) = place {
                reached.entry(*f).or_default().push(*cut);
            }
        }
        reached.values_mut().for_each(|cuts| cuts.sort());
        Needed { model, prover, held, reached, leading, needed, work }
    }

    /// The contracts; None if something that held cannot be shown again. `touched` are the functions whose
    /// steps have to be looked at; of the places of others, and of `asked`, everything that is held is needed.
    pub fn contracts(
        mut self,
        touched: &BTreeSet<FuncId>,
        asked: &FxHashSet<Place>,
    ) -> Result<Option<Vec<Contract>>, Halt> {
        for (place, formulas) in self.held {
            let is_touched = touched.contains(&place.function());
            if !is_touched || asked.contains(place) {
                self.needed.entry(*place).or_default().extend(formulas);
            }
        }
        let never = [Term::bool(false)];
        for &f in touched {
            for cut in self.reached.get(&f).cloned().unwrap_or_default() {
                for (number, step) in self.model.steps(f, cut)?.iter().enumerate() {
                    let targets = targets(self.model, f, step)?;
                    let callee = step.call.as_ref().map(|call| call.callee);
                    let errs = targets.is_empty() && !self.demand((f, cut, number, false), &never)?;
                    if errs {
                        return Ok(None);
                    }
                    for Target { place, behind, .. } in targets {
                        let returns = callee.is_some_and(|f| self.held.contains_key(&Place::Exit(f)));
                        if behind && !returns {
                            continue;
                        }
                        let goals = match self.held.get(&place) {
                            None => never.to_vec(),
                            // Others will say what they need of it.
                            Some(_) if touched.contains(&place.function()) && !asked.contains(&place) => {
                                continue;
                            }
                            Some(held) => held.clone(),
                        };
                        if !goals.is_empty() && !self.demand((f, cut, number, behind), &goals)? {
                            return Ok(None);
                        }
                    }
                }
            }
        }
        while let Some((place, goals)) = self.work.pop_first() {
            if !self.before(place, &goals)? {
                return Ok(None);
            }
        }
        Ok(Some(self.assemble()))
    }

    /// What is needed where the steps to a place start, so that these hold there.
    fn before(&mut self, place: Place, goals: &[Term]) -> Result<bool, Halt> {
        let f = place.function();
        let from = match place {
            Place::Entry(_) => self.model.system.graph.callers(f).to_vec(),
            Place::Cut(..) | Place::Exit(_) => vec![f],
        };
        for from in from {
            for (to, incoming) in self.leading(from)?.iter() {
                if *to == place && !self.demand(*incoming, goals)? {
                    return Ok(false);
                }
            }
        }
        if let Place::Cut(f, cut) = place
            && cut == self.model.entry_node(f)
        {
            let mut by = entering(self.model, f)?;
            let here: Vec<Term> = goals.iter().map(|goal| by.apply(*goal)).collect();
            let premises = Premises::of_entry(self.model, self.held, f, &here)?;
            return self.follow(&premises, &here);
        }
        Ok(true)
    }

    fn leading(&mut self, f: FuncId) -> Result<Rc<Vec<(Place, Incoming)>>, Halt> {
        if let Some(known) = self.leading.get(&f) {
            return Ok(known.clone());
        }
        let mut list = Vec::new();
        for cut in self.reached.get(&f).into_iter().flatten() {
            for (number, step) in self.model.steps(f, *cut)?.iter().enumerate() {
                for Target { place, behind, .. } in targets(self.model, f, step)? {
                    if self.held.contains_key(&place) {
                        list.push((place, (f, *cut, number, behind)));
                    }
                }
            }
        }
        let list = Rc::new(list);
        self.leading.insert(f, list.clone());
        Ok(list)
    }

    fn demand(&mut self, (f, cut, number, behind): Incoming, goals: &[Term]) -> Result<bool, Halt> {
        let steps = self.model.steps(f, cut)?;
        let step = &steps[number];
        let mut here = goals.to_vec();
        if let Some(mut target) = targets(self.model, f, step)?.into_iter().find(|t| t.behind == behind) {
            here = goals.iter().map(|goal| target.by.apply(*goal)).collect();
        }
        let premises = Premises::of(self.model, self.held, (f, cut, step), behind, &here)?;
        self.follow(&premises, &here)
    }

    /// Finds premises that are enough for the goals, and needs them.
    fn follow(&mut self, premises: &Premises, goals: &[Term]) -> Result<bool, Halt> {
        let mut by_term: FxHashMap<Term, (Place, Term)> = FxHashMap::default();
        for known in &premises.known {
            by_term.entry(known.here).or_insert((known.place, known.stated));
        }
        let mut open = Vec::new();
        let mut enough = Vec::new();
        for part in goals.iter().flat_map(|goal| if goal.is_false() { vec![*goal] } else { goal.conjuncts() })
        {
            match by_term.contains_key(&part) {
                true => enough.push(part),
                false => open.push(part),
            }
        }
        if !open.is_empty() {
            let given: Vec<Term> = premises.known.iter().map(|known| known.here).collect();
            match self.prover.enough(&premises.facts, &given, &open)? {
                Some(core) => enough.extend(core),
                None => return Ok(false),
            }
        }
        for term in enough {
            if let Some((place, stated)) = by_term.get(&term)
                && self.needed.entry(*place).or_default().insert(*stated)
            {
                self.work.entry(*place).or_default().push(*stated);
            }
        }
        Ok(true)
    }

    fn assemble(&self) -> Vec<Contract> {
        let all = |place: Place| match self.held.contains_key(&place) {
            true => Term::all(self.needed.get(&place).into_iter().flatten().copied()),
            false => Term::bool(false),
        };
        let contract = |(&function, cuts): (&FuncId, &Vec<NodeId>)| Contract {
            function,
            requires: all(Place::Entry(function)),
            ensures: all(Place::Exit(function)),
            invariants: cuts.iter().map(|cut| (*cut, all(Place::Cut(function, *cut)))).collect(),
        };
        self.reached.iter().map(contract).collect()
    }
}
