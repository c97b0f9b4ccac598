//! The program as Horn clauses, for predicates that no single path shows.
//!
//! Interpolants of one path speak of that path: where a loop counts, they may count along, and never find the
//! invariant. A solver for Horn clauses looks at all paths at once. Its solution is not believed, only taken
//! apart into predicates: what they prove, the exploration finds out, and the summaries and certificates are
//! those of any other proof.
//!
//! ```text
//! the program starts                                            E_main(x)
//! E_f(x)                                                        C_f,entry(x, x, locals)
//! C_f,c(old, now), a step                                       C_f,d(old, now')
//! C_f,c(old, now), a call of g                                  E_g(arguments)
//! C_f,c(old, now), a call of g, X_g(arguments, after, result)   C_f,d(old, now')
//! C_f,c(old, now), a return                                     X_f(old, now', result)
//! C_f,c(old, now), a step to an error                           never
//! ```

use crate::model::{Fragment, Model, Step, shared};
use crate::reachability::Halt;
use crate::refine::atoms;
use base::Budget;
use encode::names::is_address;
use encode::transition_system::To;
use horn::{Answer, Atom, Clause, PredId, System};
use ir::{FuncId, NodeId};
use logic::{IBig, Linear, Op, Sort, Substitution, Term, bottom_up, free_vars, free_vars_of, rebuild, size};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a formula of the solution belongs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Entry(FuncId),
    Cut(FuncId, NodeId),
    Exit(FuncId),
}

/// Larger programs are beyond the solver.
const MOST_TERMS: usize = 30_000;
const MOST_ADDRESSES: usize = 12;
/// Predicates that are larger than this are no insights.
const LARGEST: usize = 60;
const MOST_ATOMS: usize = 40;

/// Predicates of a proof by Horn clauses, if there is one soon: first of the program in which integers do not
/// wrap. Its invariants are simpler, and often those of the program as well; if they are not, they were only
/// a guess.
pub fn predicates(model: &Model, budget: &Budget) -> Result<Vec<(Fragment, Term)>, Halt> {
    let Some((system, places)) = Builder::build(model)? else { return Ok(Vec::new()) };
    let mut answer = Answer::Unknown(horn::Unknown::Timeout);
    if let Some(simple) = unwrapped(&system) {
        answer = horn::spacer(&simple, &budget.part(2));
    }
    if !matches!(answer, Answer::Solved(_)) {
        answer = horn::spacer(&system, budget);
    }
    let Answer::Solved(solution) = answer else { return Ok(Vec::new()) };
    let mut list = Vec::new();
    for (place, formula) in places.iter().zip(solution.formulas) {
        let fragment = match place {
            Place::Entry(f) | Place::Exit(f) => Fragment::Function(*f),
            Place::Cut(f, cut) => model.fragment_of(*f, *cut),
        };
        let found = atoms(formula).into_iter().filter(|atom| size(*atom) <= LARGEST);
        let found = found.filter(|atom| !free_vars(*atom).is_empty());
        list.extend(found.take(MOST_ATOMS).map(|atom| (fragment, atom)));
    }
    Ok(list)
}

/// The system without wrapping; None if nothing wraps.
fn unwrapped(system: &System) -> Option<System> {
    let mut known = FxHashMap::default();
    let mut change = |t: &mut Term| *t = unwrap(*t, &mut known);
    let mut simple = system.clone();
    for clause in &mut simple.clauses {
        change(&mut clause.constraint);
        for atom in clause.body.iter_mut().chain(&mut clause.head) {
            atom.args.iter_mut().for_each(&mut change);
        }
    }
    (simple != *system).then_some(simple)
}

fn unwrap(term: Term, known: &mut FxHashMap<Term, Term>) -> Term {
    let wraps = |by: Term| by.as_int().is_some_and(|by| WRAPS.iter().any(|w| *by == IBig::ONE << *w));
    bottom_up(term, known, |t, known| {
        let args: Vec<Term> = t.args().iter().map(|a| known[a]).collect();
        match (t.op(), args.as_slice()) {
            (Op::Mod, [a, b]) if wraps(*b) => *a,
            (Op::Ite, [_, a, b]) if t.sort() == Sort::Int => {
                nearer(*a, *b).unwrap_or_else(|| rebuild(t, &args))
            }
            (_, []) => t,
            _ => rebuild(t, &args),
        }
    })
}

/// Of two sums that differ by a wrap, the one that did not.
fn nearer(a: Term, b: Term) -> Option<Term> {
    let (left, right) = (Linear::of(a), Linear::of(b));
    if left.terms != right.terms {
        return None;
    }
    let size = |x: &IBig| if *x < IBig::ZERO { -x } else { x.clone() };
    let apart = size(&(&left.constant - &right.constant));
    let wraps = WRAPS.iter().any(|w| apart == IBig::ONE << *w);
    wraps.then_some(if size(&left.constant) < size(&right.constant) { a } else { b })
}

/// The widths of integers.
const WRAPS: [usize; 4] = [8, 16, 32, 64];

struct Builder<'m> {
    model: &'m Model,
    system: System,
    places: Vec<Place>,
    ids: FxHashMap<Place, PredId>,
    /// Of globals, memory and tokens, those that some step mentions.
    shared: Vec<Term>,
    addresses: Vec<Term>,
}

impl Builder<'_> {
    /// None if the program is too large.
    fn build(model: &Model) -> Result<Option<(System, Vec<Place>)>, Halt> {
        let transitions = &model.system;
        let functions: Vec<FuncId> = transitions.graph.reachable(&[transitions.entry]).into_iter().collect();
        let functions: Vec<FuncId> =
            functions.into_iter().filter(|f| transitions.program.function(*f).cfa().is_some()).collect();
        let mut mentioned: FxHashSet<Term> = FxHashSet::default();
        let mut terms = 0;
        for &f in &functions {
            for &cut in transitions.cuts(f) {
                for step in model.steps(f, cut)?.iter() {
                    let all = words(step);
                    terms += all.iter().map(|t| size(*t)).sum::<usize>();
                    if terms > MOST_TERMS {
                        return Ok(None);
                    }
                    mentioned.extend(free_vars_of(all));
                    mentioned.extend(step.changes.iter().map(|(x, _)| *x));
                }
            }
        }
        let view = model.view(transitions.entry)?;
        let mut addresses: Vec<Term> = mentioned.iter().copied().filter(|x| is_address(*x)).collect();
        addresses.sort();
        addresses.truncate(MOST_ADDRESSES);
        let shared = shared(&view.now).filter(|x| mentioned.contains(x)).collect();
        let (system, places, ids) = Default::default();
        let mut builder = Builder { model, system, places, ids, shared, addresses };
        builder.start()?;
        for f in functions {
            builder.function(f)?;
        }
        Ok(Some((builder.system, builder.places)))
    }

    fn start(&mut self) -> Result<(), Halt> {
        let transitions = &self.model.system;
        let head = self.atom(Place::Entry(transitions.entry), &mut Substitution::default())?;
        let constraint = transitions.initial()?.and(transitions.addresses);
        self.clause(Vec::new(), constraint, Some(head));
        Ok(())
    }

    fn function(&mut self, f: FuncId) -> Result<(), Halt> {
        let model = self.model;
        let view = model.view(f)?;
        let entry = model.entry_node(f);
        let nothing = &mut Substitution::default();
        let body = self.atom(Place::Entry(f), nothing)?;
        let mut same = Substitution::new(view.to_old.iter().map(|(now, old)| (*old, *now)));
        let head = self.atom(Place::Cut(f, entry), &mut same)?;
        self.clause(vec![body], Term::bool(true), Some(head));
        for &cut in model.system.cuts(f) {
            for step in model.steps(f, cut)?.iter() {
                self.step(f, cut, step)?;
            }
        }
        Ok(())
    }

    fn step(&mut self, f: FuncId, cut: NodeId, step: &Step) -> Result<(), Halt> {
        let model = self.model;
        let view = model.view(f)?;
        let body = self.atom(Place::Cut(f, cut), &mut Substitution::default())?;
        let mut constraint = step.guard.and(model.ranges_at(f, cut)?);
        let all: Vec<Term> = words(step).into_iter().chain(body.args.iter().copied()).collect();
        constraint = constraint.and(Term::all(model.typed(f, &all)?)).and(self.about_addresses(&all));
        let mut after = Substitution::new(step.changes.iter().copied());
        match &step.to {
            To::Failure | To::Trap(_) => self.clause(vec![body], constraint, None),
            To::Return => {
                let mut pairs = step.changes.clone();
                pairs.extend(view.result.zip(step.value));
                let head = self.atom(Place::Exit(f), &mut Substitution::new(pairs))?;
                self.clause(vec![body], constraint, Some(head));
            }
            To::Cut(to) => {
                let mut bodies = vec![body];
                if let Some(call) = &step.call {
                    let entered = self.atom(Place::Entry(call.callee), &mut model.arguments(call)?)?;
                    self.clause(bodies.clone(), constraint, Some(entered));
                    bodies.push(self.atom(Place::Exit(call.callee), &mut model.results(call)?)?);
                }
                let head = self.atom(Place::Cut(f, *to), &mut after)?;
                self.clause(bodies, constraint, Some(head));
            }
        }
        Ok(())
    }

    /// What is known of the addresses that occur.
    fn about_addresses(&self, terms: &[Term]) -> Term {
        let always = self.model.system.addresses;
        if always.is_true() {
            return always;
        }
        let mentioned = free_vars_of(terms.iter().copied());
        let facts = always.conjuncts().into_iter();
        Term::all(facts.filter(|fact| free_vars(*fact).iter().all(|v| mentioned.contains(v))))
    }

    fn atom(&mut self, place: Place, by: &mut Substitution) -> Result<Atom, Halt> {
        let pred = match self.ids.get(&place) {
            Some(id) => *id,
            None => {
                let params = self.params(place)?;
                let id = self.system.add_pred(format!("p{}", self.places.len()), params);
                self.places.push(place);
                self.ids.insert(place, id);
                id
            }
        };
        let args = self.system.pred(pred).params.iter().map(|x| by.apply(*x)).collect();
        Ok(Atom { pred, args })
    }

    fn params(&self, place: Place) -> Result<Vec<Term>, Halt> {
        let (Place::Entry(f) | Place::Cut(f, _) | Place::Exit(f)) = place;
        let view = self.model.view(f)?;
        let own = || view.params.iter().flatten().chain(&self.shared);
        let old = || own().filter_map(|x| view.to_old.get(x));
        let shared = self.shared.iter();
        let mut list: Vec<Term> = match place {
            Place::Entry(_) => own().copied().collect(),
            // What is said of others is not looked at there.
            Place::Cut(_, cut) => {
                let untouched = |x| self.model.is_untouched(f, cut, x) == Ok(true);
                let locals = view.now.locals.iter().flatten();
                let locals = locals.filter(|x| view.fits_at(**x, cut, &untouched));
                old().chain(locals).chain(shared).copied().collect()
            }
            Place::Exit(_) => old().chain(shared).chain(&view.result).copied().collect(),
        };
        list.extend(&self.addresses);
        Ok(list)
    }

    fn clause(&mut self, body: Vec<Atom>, constraint: Term, head: Option<Atom>) {
        self.system.clauses.push(Clause { body, constraint, head, label: String::new() });
    }
}

/// All formulas of a step.
fn words(step: &Step) -> Vec<Term> {
    let mut list = vec![step.guard];
    list.extend(step.changes.iter().map(|(_, new)| *new));
    list.extend(step.value);
    if let Some(call) = &step.call {
        list.extend(call.args.iter().copied().chain(call.result));
        list.extend(shared(&call.before).chain(shared(&call.after)));
    }
    list
}
