//! Models of long paths, step by step.
//!
//! Each step of a path is one formula for all the ways between two cut points, and a solver that is asked for
//! all steps at once tries ways of the first ones again and again because of what happens in the last ones.
//! Here the path grows step by step: the way that a step takes in a model so far is kept, with the addresses
//! that it accesses, and the next step is asked for with these ways only. Memory at addresses that are known
//! is so many variables, and most of the next step is computed, not asked for. Where the ways lead nowhere,
//! the choices that exclude the next step are learned, and the last step that made one of them has to find
//! another.

mod order;
mod terms;

use crate::input_vector::{NEAR, near};
use crate::literals::literals;
use base::Work;
use encode::names::is_address;
use logic::{Op, Sort, Substitution, Term, free_vars};
pub use order::{in_order, placed};
use rustc_hash::FxHashSet;
use smt::{Model, SatResult, Settings, Solver, Why, Z3Solver};
use std::time::Duration;
use terms::{address, choices, definition, parts_of_places, places, split, support, zero, zeros};

/// Of finding out addresses and unfolding definitions in a step. What is left then stays as it is: each round
/// looks at everything again, and in steps with more definitions that takes longer than it helps.
const MOST_ROUNDS: usize = 200;

/// A search for a model of all of these formulas. It can be left and taken up again.
pub struct Search {
    /// With what was learned from steps that could not be taken.
    formulas: Vec<Term>,
    /// Has the context that all solvers share.
    space: Z3Solver,
    /// Those of the first steps.
    ways: Vec<Way>,
    /// How many addresses were given out.
    addresses: u64,
    end: Work,
}

pub enum Progress {
    Found(Model),
    /// It could go on.
    Later,
    /// It does not know how.
    Stuck,
}

/// How a formula holds in a model.
#[derive(Default)]
struct Way {
    /// What implies it, together with the definitions; and what each is about.
    literals: Vec<(Term, Vec<Term>)>,
    definitions: Vec<(Term, Term)>,
    /// What can be replaced from now on.
    known: Vec<(Term, Term)>,
}

/// A model of a step.
struct Found {
    /// What is zero in it by choice.
    zeros: Vec<(Term, Term)>,
    /// What it is a model of.
    told: Vec<Term>,
    model: Model,
}

impl Way {
    fn add(&mut self, literal: Term) {
        self.literals.push((literal, support(literal)));
    }
}

impl Search {
    pub fn new(formulas: &[Term], settings: &Settings) -> Option<Search> {
        let space = Z3Solver::new(settings.clone()).ok()?;
        let formulas = formulas.to_vec();
        Some(Search { formulas, space, ways: Vec::new(), addresses: 0, end: Work::now() })
    }

    pub fn go_on(&mut self, patience: Duration) -> Progress {
        self.end = Work::now() + patience;
        while self.ways.len() < self.formulas.len() {
            let on = match self.next() {
                SatResult::Sat => true,
                SatResult::Unsat => self.learn(),
                SatResult::Unknown(_) => false,
            };
            if self.end.left().is_zero() {
                return Progress::Later;
            }
            if !on {
                return Progress::Stuck;
            }
        }
        self.system().map_or(Progress::Stuck, Progress::Found)
    }

    /// One more step.
    fn next(&mut self) -> SatResult {
        let mut by = self.known();
        let spoken_of = self.spoken_of();
        let formula = by.apply_through(self.formulas[self.ways.len()]);
        let (definitions, rest) = split(formula, &|v| !spoken_of.contains(&v));
        match self.simplest(&definitions, &rest) {
            Ok(found) => {
                let way = self.way(definitions, rest, found);
                self.ways.push(way);
                SatResult::Sat
            }
            Err(answer) => answer,
        }
    }

    /// What something was said of: it cannot be defined any more.
    fn spoken_of(&self) -> FxHashSet<Term> {
        let support = self.ways.iter().flat_map(|way| &way.literals).flat_map(|(_, support)| support);
        support.map(|t| if t.is_var() { *t } else { t.args()[0] }).collect()
    }

    fn known(&self) -> Substitution {
        Substitution::new(self.ways.iter().flat_map(|way| &way.known).copied())
    }

    /// Why the next step cannot be taken behind these: which of their choices exclude it. The last step that
    /// made one gets to know, and has to find another way. False if there is nobody to blame.
    ///
    /// Definitions were made simple by choices, which are not blamed for that: ways can be lost, but no model
    /// is found that is none. Only if nobody is to blame otherwise, the formulas are asked as they were.
    fn learn(&mut self) -> bool {
        let next = self.ways.len();
        let definitions = self.ways.iter().flat_map(|way| &way.definitions);
        let mut simple: Vec<Term> =
            definitions.map(|(variable, meaning)| variable.equals(*meaning)).collect();
        simple.push(self.formulas[next]);
        let core = self.blamed(&simple).filter(|core| !core.is_empty());
        let Some(core) = core.or_else(|| self.blamed(&self.formulas[..=next])) else { return false };
        let made = |way: &Way| way.literals.iter().any(|(t, _)| core.contains(t));
        let Some(last) = self.ways.iter().rposition(made) else { return false };
        self.formulas[last] = self.formulas[last].and(Term::all(core).not());
        self.ways.truncate(last);
        true
    }

    /// The choices that contradict these formulas, if that can be seen.
    fn blamed(&self, formulas: &[Term]) -> Option<Vec<Term>> {
        let choices: Vec<Term> =
            self.ways.iter().flat_map(|way| way.literals.iter().map(|(t, _)| *t)).collect();
        let mut solver = self.solver(formulas)?;
        (solver.check(&choices) == SatResult::Unsat).then(|| solver.unsat_core())
    }

    /// A model in which as much as possible of what choices depend on is zero: then there is nothing, nothing
    /// goes wrong, and little has to be done.
    fn simplest(&self, definitions: &[(Term, Term)], rest: &[Term]) -> Result<Found, SatResult> {
        let meanings = || definitions.iter().map(|(_, meaning)| *meaning);
        let mut zeros = zeros(meanings().chain(rest.iter().copied()));
        loop {
            let pairs: Vec<(Term, Term)> = zeros.iter().flatten().copied().collect();
            let given: Vec<Term> = pairs.iter().map(|(part, value)| part.equals(*value)).collect();
            let mut by = Substitution::new(pairs.iter().copied());
            let open: Vec<Term> = meanings().map(|t| by.apply_through(t)).flat_map(choices).collect();
            let about = given.iter().copied().chain(open);
            let told = self.relevant(about, rest.iter().map(|t| by.apply_through(*t)).collect());
            let mut solver = self.solver(&told).ok_or(SatResult::Unknown(Why::Timeout))?;
            match solver.check(&given) {
                SatResult::Sat => {
                    let told = told.into_iter().chain(given).collect();
                    let model = solver.model().ok_or(SatResult::Unknown(Why::Timeout))?;
                    return Ok(Found { zeros: pairs, told, model });
                }
                SatResult::Unsat if !zeros.is_empty() => {
                    let core = solver.unsat_core();
                    let before = zeros.len();
                    zeros.retain(|parts| {
                        !parts.iter().any(|(part, value)| core.contains(&part.equals(*value)))
                    });
                    if zeros.len() == before {
                        zeros.clear();
                    }
                }
                other => return Err(other),
            }
        }
    }

    /// Formulas, and what earlier steps said that is about the same as these and other terms.
    fn relevant(&self, others: impl Iterator<Item = Term>, mut list: Vec<Term>) -> Vec<Term> {
        let mut about: FxHashSet<Term> = others.chain(list.iter().copied()).flat_map(support).collect();
        let mut rest: Vec<&(Term, Vec<Term>)> = self.ways.iter().flat_map(|way| &way.literals).collect();
        loop {
            let system = |t: &Term| *t.op() == Op::Select && about.contains(&t.args()[0]);
            let (near, far): (Vec<_>, Vec<_>) = rest
                .into_iter()
                .partition(|(_, support)| support.iter().any(|t| about.contains(t) || system(t)));
            if near.is_empty() {
                return list;
            }
            for (literal, support) in near {
                list.push(*literal);
                about.extend(support);
            }
            rest = far;
        }
    }

    fn solver(&self, told: &[Term]) -> Option<Z3Solver> {
        let settings = self.space.settings().clone().timeout(self.end.left());
        let mut solver = Z3Solver::beside(&self.space, settings).ok()?;
        told.iter().for_each(|t| solver.assert(*t));
        Some(solver)
    }

    /// How a formula holds in a model: which cases apply, and which addresses are accessed. The model becomes
    /// one in which pointers that can lead anywhere lead to places of their own.
    fn way(&mut self, definitions: Vec<(Term, Term)>, rest: Vec<Term>, mut with: Found) -> Way {
        let mut way = Way::default();
        for (part, value) in std::mem::take(&mut with.zeros) {
            way.add(part.equals(value));
            way.known.push((part, value));
        }
        let mut by = Substitution::new(way.known.iter().copied());
        let equations = definitions.iter().map(|(variable, meaning)| variable.equals(*meaning));
        let all: Vec<Term> = equations.chain(rest).map(|t| by.apply_through(t)).collect();
        let mut cases = literals(&all, &with.model).unwrap_or(all);
        let defined: FxHashSet<Term> = definitions.iter().map(|(variable, _)| *variable).collect();
        let defines = |t: &Term| definition(*t, &|v| defined.contains(&v));
        with.told.extend(cases.iter().filter(|t| defines(t).is_none()));
        for _ in 0..MOST_ROUNDS {
            if let Some(place) =
                places(&cases).into_iter().find(|t| !free_vars(*t).iter().any(|v| is_address(*v)))
            {
                self.improve(place, &mut with);
            }
            let parts = parts_of_places(&cases);
            let mut found: Vec<(Term, Term)> =
                parts.into_iter().filter_map(|t| Some((t, with.model.eval(t)?.to_term()))).collect();
            for (part, value) in &found {
                way.add(part.equals(*value));
                with.told.push(part.equals(*value));
            }
            if found.is_empty() {
                found = cases.iter().filter_map(defines).take(1).collect();
                way.definitions.extend(&found);
            }
            if found.is_empty() {
                break;
            }
            way.known.extend(&found);
            let mut by = Substitution::new(found);
            cases = cases.iter().flat_map(|t| by.apply_through(*t).conjuncts()).collect();
            cases.retain(|t| !t.is_true());
        }
        cases.into_iter().for_each(|t| way.add(t));
        way
    }

    /// A model in which a place is apart from all others, or else among the first of where it can be: what is
    /// added to a pointer is small.
    fn improve(&mut self, place: Term, with: &mut Found) {
        let parts = support(place);
        let mut wishes = Vec::new();
        // What a place depends on may be a whole memory, which is no address.
        let number = |t: &Term| t.is_var() && matches!(t.sort(), Sort::Int | Sort::Bv(_));
        for t in [place].into_iter().chain(parts.iter().copied().filter(number)) {
            wishes.push(t.equals(address(self.addresses, t.sort())));
        }
        self.addresses += 1;
        let zeros = parts.iter().filter_map(|part| Some((*part, zero(part.sort())?)));
        let first = Substitution::new(zeros).apply(place);
        wishes.push(place.equals(first));
        wishes.extend(NEAR.map(|bits| near(first, place, bits)));
        for wish in wishes {
            if let Some(mut solver) = self.solver(&with.told)
                && solver.check(&[wish]) == SatResult::Sat
                && let Some(model) = solver.model()
            {
                with.model = model;
                return;
            }
        }
    }

    /// With values for all that was replaced.
    fn system(&self) -> Option<Model> {
        let literals: Vec<Term> =
            self.ways.iter().flat_map(|way| way.literals.iter().map(|(t, _)| *t)).collect();
        let mut solver = self.solver(&literals)?;
        if solver.check(&[]) != SatResult::Sat {
            return None;
        }
        let definitions = self.ways.iter().flat_map(|way| &way.definitions).copied();
        let model = solver.model()?.with(Substitution::new(definitions));
        let holds = |t: &Term| model.eval_bool(*t) == Some(true);
        self.formulas.iter().all(holds).then_some(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::parse::{Scope, parse_term};

    fn check(formulas: &[&str], expected: bool) {
        let mut scope = Scope::new();
        for name in ["x", "y", "z", "p"] {
            scope.declare(name, &[], Sort::Int);
        }
        for name in ["m", "n"] {
            scope.declare(name, &[], Sort::array(Sort::Int, Sort::Int));
        }
        let read = |text: &&str| parse_term(text, &scope).unwrap_or_else(|e| panic!("{text}: {e}"));
        let formulas: Vec<Term> = formulas.iter().map(read).collect();
        let mut search = Search::new(&formulas, &Settings::default()).unwrap_or_else(|| panic!("no solver"));
        let model = match search.go_on(Duration::from_secs(10)) {
            Progress::Found(model) => Some(model),
            Progress::Later | Progress::Stuck => None,
        };
        assert_eq!(model.is_some(), expected, "{formulas:?}");
        if let Some(model) = model {
            assert!(formulas.iter().all(|t| model.eval_bool(*t) == Some(true)), "{formulas:?}");
        }
    }

    #[test]
    fn other_ways_are_found_where_one_leads_nowhere() {
        let first = "(or (= x 1) (= x 2) (= x 3) (= x 4))";
        let second = "(= y (ite (<= x 2) (+ x 10) (ite (= x 3) 20 30)))";
        for last in [11, 12, 20, 30] {
            check(&[first, second, "(= z 3)", &format!("(= y {last})")], true);
        }
        check(&[first, second, "(= z 3)", "(= y 21)"], false);
        check(&[first, "(= x 5)", "(= y 1)"], false);
        check(&[], true);
    }

    #[test]
    fn memory_is_followed() {
        let write = "(= n (store m (+ p 4) (+ 1 (select m (+ p 4)))))";
        check(&[write, "(= x (select n (+ p 4)))", "(= x 8)"], true);
        check(&[write, "(= x (select n p))", "(= x 8)", "(<= 5 (select m (+ x 1)))"], true);
        // A variable that was spoken of is not defined later.
        check(&["(= (select m 3) 7)", "(= m n)", "(= x (select n 3))", "(<= x 6)"], false);
        check(&["(= x (select m (select m p)))", "(= y (ite (= x 0) 1 (select m x)))", "(= y 5)"], true);
    }
}
