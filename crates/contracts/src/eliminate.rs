//! Which candidates hold: the largest set that is inductive.
//!
//! Places are reached one after the other, from the first state on. What is reached for the first time has
//! all candidates that hold behind that step, and every other step that leads there takes away those that
//! need not hold behind it. A step is looked at again when less is known where it starts, or of the callee
//! that it is behind. That ends, since candidates only go away. And since they do, a check that can fail now
//! can fail in the end: then contracts of this kind do not exist.

use crate::Place;
use crate::candidates::Candidates;
use crate::prover::Prover;
use crate::step::{Held, Premises, entering, targets};
use crate::{Halt, Reached};
use encode::transition_system::To;
use ir::{Callee, FuncId, NodeId, Op};
use logic::{Substitution, Term};
use predicate::model::{Model, Step};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

pub struct Elimination<'m> {
    model: &'m Model,
    prover: &'m mut Prover,
    candidates: &'m Candidates<'m>,
    pub held: Held,
    /// How often something was taken away from a place.
    changes: FxHashMap<Place, u32>,
    /// By step and end of it: what it was looked at with.
    seen: FxHashMap<(FuncId, NodeId, usize, bool), (u32, u32)>,
    /// Where each function is called.
    sites: Sites,
    /// Callers come first.
    rank: FxHashMap<FuncId, usize>,
    work: BTreeSet<(usize, FuncId, NodeId)>,
    /// The functions of which steps were looked at.
    pub touched: BTreeSet<FuncId>,
    /// Steps that were looked at, counted each time.
    pub looked_at: u64,
}

/// The cut points at which functions are called, by callee.
type Sites = FxHashMap<FuncId, Vec<(FuncId, NodeId)>>;

impl<'m> Elimination<'m> {
    /// What is held at the start was shown for an earlier version.
    pub fn new(
        model: &'m Model,
        prover: &'m mut Prover,
        candidates: &'m Candidates<'m>,
        held: Held,
    ) -> Elimination<'m> {
        let callees_first = model.system.graph.components().iter().flatten();
        let count = model.system.program.functions.len();
        let rank = callees_first.enumerate().map(|(i, f)| (*f, count - i)).collect();
        let (changes, seen, work, touched) = Default::default();
        let sites = sites(model);
        Elimination {
            model,
            prover,
            candidates,
            held,
            changes,
            seen,
            sites,
            rank,
            work,
            touched,
            looked_at: 0,
        }
    }

    /// Goes on until nothing changes; where the first check may fail, if one may. Of what is held, the steps
    /// of these functions were not looked at.
    pub fn run(&mut self, changed: &[FuncId]) -> Result<Reached, Halt> {
        let entry = self.model.system.entry;
        let initial = vec![self.model.system.initial()?];
        self.narrow(Place::Entry(entry), &mut Substitution::default(), |_, _| {
            Ok(Premises { facts: initial.clone(), known: Vec::new() })
        })?;
        for f in changed.iter().filter(|f| self.held.contains_key(&Place::Entry(**f))).collect::<Vec<_>>() {
            self.schedule(Place::Entry(*f))?;
        }
        while let Some((_, f, cut)) = self.work.pop_first() {
            self.touched.insert(f);
            let steps = self.model.steps(f, cut)?;
            for (number, step) in steps.iter().enumerate() {
                if self.step(f, cut, number, step)? == Reached::Failure(f, cut) {
                    return Ok(Reached::Failure(f, cut));
                }
            }
        }
        Ok(Reached::Fixpoint)
    }

    fn step(&mut self, f: FuncId, cut: NodeId, number: usize, step: &Step) -> Result<Reached, Halt> {
        let model = self.model;
        self.looked_at += 1;
        if matches!(step.to, To::Failure | To::Trap(_)) {
            let premises = Premises::of(model, &self.held, (f, cut, step), false, &[])?;
            let excluded = self.prover.excluded(&premises.all())?;
            return Ok(if excluded { Reached::Fixpoint } else { Reached::Failure(f, cut) });
        }
        for mut target in targets(model, f, step)? {
            let exit = step.call.as_ref().filter(|_| target.behind).map(|call| Place::Exit(call.callee));
            if exit.is_some_and(|exit| !self.held.contains_key(&exit)) {
                continue;
            }
            let changes = |place: Place| self.changes.get(&place).copied().unwrap_or(0);
            let of_callee = exit.map_or(0, changes);
            let now = (changes(Place::Cut(f, cut)), of_callee);
            if self.seen.insert((f, cut, number, target.behind), now) == Some(now) {
                continue;
            }
            let behind = target.behind;
            self.narrow(target.place, &mut target.by, |held, goals| {
                Ok(Premises::of(model, held, (f, cut, step), behind, goals)?)
            })?;
        }
        Ok(Reached::Fixpoint)
    }

    /// Leaves at a place what holds behind a step with these premises.
    fn narrow(
        &mut self,
        place: Place,
        by: &mut Substitution,
        premises: impl Fn(&Held, &[Term]) -> Result<Premises, Halt>,
    ) -> Result<(), Halt> {
        let before = self.held.get(&place);
        let is_new = before.is_none();
        let goals = match before {
            Some(held) => held.clone(),
            None => self.candidates.at(place)?,
        };
        let here: Vec<Term> = goals.iter().map(|goal| by.apply(*goal)).collect();
        let premises = premises(&self.held, &here)?;
        let facts = premises.all();
        if facts.iter().any(|t| t.is_false()) {
            return Ok(());
        }
        let queries = self.prover.queries;
        let holds = self.prover.holding(&facts, &here)?;
        let kept: Vec<Term> =
            goals.iter().zip(&holds).filter(|(_, holds)| **holds).map(|(t, _)| *t).collect();
        // Nobody comes to a new place by a step that is not possible.
        let every = kept.len() == goals.len();
        let asked = self.prover.queries > queries && !every;
        if is_new && !asked && !premises.is_free() && self.prover.excluded(&facts)? {
            return Ok(());
        }
        if is_new || !every {
            self.held.insert(place, kept);
            *self.changes.entry(place).or_default() += 1;
            self.schedule(place)?;
        }
        Ok(())
    }

    fn schedule(&mut self, place: Place) -> Result<(), Halt> {
        let model = self.model;
        match place {
            Place::Entry(f) => {
                self.narrow(Place::Cut(f, model.entry_node(f)), &mut entering(model, f)?, |held, goals| {
                    Ok(Premises::of_entry(model, held, f, goals)?)
                })?
            }
            Place::Cut(f, cut) => {
                self.work.insert((self.rank.get(&f).copied().map_or(0, |rank| usize::MAX - rank), f, cut));
            }
            Place::Exit(f) => {
                for (caller, cut) in self.sites.get(&f).cloned().unwrap_or_default() {
                    if self.held.contains_key(&Place::Cut(caller, cut)) {
                        self.schedule(Place::Cut(caller, cut))?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn sites(model: &Model) -> Sites {
    let system = &model.system;
    let mut sites = Sites::default();
    for f in system.graph.reachable(&[system.entry]) {
        for edge in system.program.function(f).cfa().into_iter().flat_map(|cfa| cfa.edges()) {
            if let Op::Call { callee: Callee::Direct(callee), .. } = &edge.op {
                sites.entry(*callee).or_default().push((f, edge.from));
            }
        }
    }
    sites
}
