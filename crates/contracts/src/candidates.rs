//! What may hold: what the program itself asks, at every place where it can be asked.
//!
//! The atoms of a function are the conditions of its branches and checks, over its variables. An atom of a
//! caller about what it passes, or about what comes back, is one of the callee, and the other way round
//! (`carry`). At a place, candidates are the atoms whose variables mean something there, their negations,
//! and what is weaker than either (`i < n` gives `i <= n`, which loops keep).

use crate::Place;
use crate::carry::{self, Sites};
use crate::knowledge::Inherited;
use encode::Unsupported;
use encode::transition_system::Reader;
use ir::{Callee, Cfa, FuncId, NodeId, Op, Program};
use logic::{Term, free_vars, size};
use predicate::atoms;
use predicate::model::Model;
use rustc_hash::{FxHashMap, FxHashSet};

/// Larger atoms are not what a contract says.
const LARGEST: usize = 40;
/// Atoms that are asked of one function, and about its ends.
const MOST: usize = 64;
/// Of those that only divide cases.
const FEW: usize = 16;

/// Why an atom may matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weight {
    /// A check asks for it.
    Asked,
    /// A branch goes by it.
    Divides,
}

/// A set in the order in which its members came.
#[derive(Default)]
pub struct Atoms {
    list: Vec<(Term, Weight)>,
    members: FxHashSet<Term>,
    asked: usize,
}

impl Atoms {
    /// Of a formula, whatever may be part of a contract.
    pub fn add(&mut self, formula: Term, weight: Weight) {
        for atom in atoms(formula) {
            let room = match weight {
                Weight::Asked => self.asked < MOST,
                Weight::Divides => self.list.len() - self.asked < FEW,
            };
            if room && is_candidate(atom) && self.members.insert(atom) {
                self.list.push((atom, weight));
                self.asked += usize::from(weight == Weight::Asked);
            }
        }
    }

    pub fn list(&self) -> &[(Term, Weight)] {
        &self.list
    }
}

fn is_candidate(atom: Term) -> bool {
    size(atom) <= LARGEST && free_vars(atom).iter().any(|v| !encode::names::is_address(*v))
}

/// The atoms of a function.
#[derive(Default)]
pub struct Own {
    /// Over its variables of now.
    pub inside: Atoms,
    /// Over what it leaves behind, what it returns, and its parameters as they came in (`old.`).
    pub exit: Atoms,
}

pub struct Candidates<'m> {
    model: &'m Model,
    functions: FxHashMap<FuncId, Own>,
    /// What held before.
    guesses: &'m FxHashMap<Place, Vec<Term>>,
}

impl<'m> Candidates<'m> {
    /// Of these functions, with what is known of those around them.
    pub fn of(
        model: &'m Model,
        list: &[FuncId],
        inherited: &'m Inherited,
    ) -> Result<Candidates<'m>, Unsupported> {
        let system = &model.system;
        let mut functions = FxHashMap::default();
        let mut sites = Sites::default();
        for &f in list {
            let Some(cfa) = system.program.function(f).cfa() else { continue };
            let mut own = Own::default();
            let mut reader = system.reader(f)?;
            conditions(&system.program, cfa, &mut reader, &mut own.inside);
            sites.read(model, f, &mut reader)?;
            functions.insert(f, own);
        }
        for (place, formulas) in &inherited.held {
            let own = functions.entry(place.function()).or_default();
            for formula in formulas {
                match place {
                    Place::Entry(_) => own.inside.add(*formula, Weight::Asked),
                    Place::Exit(_) => own.exit.add(*formula, Weight::Asked),
                    Place::Cut(..) => {}
                }
            }
        }
        carry::carry(model, &sites, &mut functions)?;
        Ok(Candidates { model, functions, guesses: &inherited.guesses })
    }

    /// What may hold at a place.
    pub fn at(&self, place: Place) -> Result<Vec<Term>, Unsupported> {
        let Some(own) = self.functions.get(&place.function()) else { return Ok(Vec::new()) };
        let view = self.model.view(place.function())?;
        let mut list = Vec::new();
        let mut members = FxHashSet::default();
        let atoms = match place {
            Place::Exit(_) => own.exit.list(),
            Place::Entry(_) | Place::Cut(..) => own.inside.list(),
        };
        let has_loops = self.model.system.loops[place.function().0 as usize]
            .as_ref()
            .is_some_and(|forest| !forest.loops().is_empty());
        for (atom, _) in atoms {
            let fits = match place {
                Place::Entry(_) => view.fits_entry(*atom),
                Place::Exit(_) => view.fits_exit(*atom),
                Place::Cut(f, cut) => {
                    view.fits_at(*atom, cut, &|x| self.model.is_untouched(f, cut, x) == Ok(true))
                }
            };
            if fits {
                let weaker = if has_loops { weaker(*atom) } else { Vec::new() };
                let all = [*atom, atom.not()].into_iter().chain(weaker).filter(|t| !t.is_const());
                list.extend(all.filter(|term| members.insert(*term)));
            }
        }
        let guesses = self.guesses.get(&place).into_iter().flatten().copied();
        list.extend(guesses.filter(|term| view.knows(*term) && members.insert(*term)));
        Ok(list)
    }
}

/// First those that checks ask for, then the others.
fn conditions(program: &Program, cfa: &Cfa, reader: &mut Reader, inside: &mut Atoms) {
    for weight in [Weight::Asked, Weight::Divides] {
        for edge in cfa.edges() {
            let asked = matches!(edge.op, Op::Check { .. }) || fails(program, cfa, edge.to);
            if asked == (weight == Weight::Asked)
                && let Some(condition) = reader.condition(&edge.op)
            {
                inside.add(condition, weight);
            }
        }
    }
}

/// Does a node lead to a failing check, without another branch on the way?
fn fails(program: &Program, cfa: &Cfa, node: NodeId) -> bool {
    let mut at = (cfa, node);
    for _ in 0..NEAR {
        let (cfa, node) = at;
        let [edge] = cfa.out(node) else { return false };
        at = match &edge.op {
            Op::Check { cond, .. } => return cond.as_const().is_some(),
            Op::Call { callee: Callee::Direct(callee), .. } => match program.function(*callee).cfa() {
                Some(callee) => (callee, callee.entry),
                None => (cfa, edge.to),
            },
            _ => (cfa, edge.to),
        };
    }
    false
}

/// So many steps from a branch to the check that it is for.
const NEAR: usize = 8;

/// What follows from an atom or from its negation: loops keep `i <= n` where `i < n` makes them go on.
fn weaker(atom: Term) -> Vec<Term> {
    use logic::Op::{BvSle, BvSlt, BvUle, BvUlt, Eq, Le, Lt};
    let [a, b] = atom.args() else { return Vec::new() };
    match (atom.op(), a.sort()) {
        (Le | Lt, _) => vec![b.int_le(*a)],
        (BvUle | BvUlt, _) => vec![a.ule(*b), b.ule(*a)],
        (BvSle | BvSlt, _) => vec![a.sle(*b), b.sle(*a)],
        (Eq, logic::Sort::Int) => vec![a.int_le(*b), b.int_le(*a)],
        (Eq, logic::Sort::Bv(_)) => vec![a.ule(*b), b.ule(*a)],
        _ => Vec::new(),
    }
}
