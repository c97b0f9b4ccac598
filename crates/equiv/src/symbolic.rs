//! Differences on short runs: both versions side by side, every loop up to a bound, as one question to the
//! solver.
//!
//! A model is a guess: an input, with what the outside gives on the way, on which the versions should differ.
//! The interpreter has the last word (`differ`). That there is no model says something about runs within the
//! bound only.

mod flat;

use crate::product::Product;
use base::Budget;
use blast::Blaster;
use encode::IntMode;
use encode::expr::Who;
use flat::Flat;
use logic::{Substitution, Term};
use sat::{Aig, Answer, Lit};
use smt::{SatResult, Settings, one_shot};
use std::collections::BTreeMap;

/// An input on which the versions should differ.
pub struct Guess {
    /// The variables of the start, and the addresses of objects.
    pub values: BTreeMap<&'static str, Term>,
    /// What the outside gave, by whom: the first answer, the second one, ...
    pub given: BTreeMap<Who, Vec<(ir::Type, Term)>>,
}

pub enum Found {
    Guess(Box<Guess>),
    /// There is no difference within the bound.
    Nothing,
    Unknown,
}

/// Looks for a model of a product that was unwound.
pub fn search(product: &Product, mode: IntMode, budget: &Budget) -> Found {
    let clauses = &product.system.clauses;
    let Some(start) = clauses.iter().find(|c| c.body.is_empty()) else { return Found::Unknown };
    let Some(first) = &start.head else { return Found::Unknown };
    let params = &product.system.pred(first.pred).params;
    let mut begin = Substitution::new(params.iter().copied().zip(first.args.iter().copied()));
    let mut unknown = false;
    for step in clauses.iter().filter(|c| c.body.len() == 1 && c.body[0].pred == first.pred) {
        let Some(last) = &step.head else { continue };
        let args: Vec<Term> = last.args.iter().map(|a| begin.apply(*a)).collect();
        let params = &product.system.pred(last.pred).params;
        let mut end = Substitution::new(params.iter().copied().zip(args));
        let wrong = clauses.iter().filter(|c| c.head.is_none() && c.body.iter().any(|a| a.pred == last.pred));
        let wrong = Term::any(wrong.map(|c| end.apply(c.constraint)));
        let question = [start.constraint, begin.apply(step.constraint), wrong];
        let asked = Question::new(product, &mut begin);
        let answer = match mode {
            IntMode::Bv => by_sat(&question, &asked.wanted, budget),
            _ => by_smt(&question, &asked.wanted, budget),
        };
        match answer {
            Some(Some(values)) => {
                return asked.guess(product, &values).map_or(Found::Unknown, |g| Found::Guess(Box::new(g)));
            }
            Some(None) => {}
            None => unknown = true,
        }
    }
    if unknown { Found::Unknown } else { Found::Nothing }
}

/// Larger circuits are not looked at.
const MOST_GATES: usize = 3_000_000;

/// The values of terms in a model; the inner None: there is no model; the outer one: nobody knows.
type Answered = Option<Option<Vec<Option<Term>>>>;

/// Whether everything can hold together, by a SAT solver.
fn by_sat(question: &[Term], wanted: &[Term], budget: &Budget) -> Answered {
    let (mut aig, mut blaster, mut flat) = (Aig::new(), Blaster::new().limit(MOST_GATES), Flat::default());
    let mut lits = Vec::new();
    for part in question {
        budget.check(0).ok()?;
        lits.push(blaster.bool(&mut aig, flat.apply(*part)).ok()?);
    }
    if lits.contains(&Lit::FALSE) {
        return Some(None);
    }
    let (mut encoder, mut solver) = (sat::Encoder::new(), sat::Solver::new());
    for lit in lits.iter().chain(blaster.constraints()) {
        encoder.assert(&aig, *lit, &mut solver);
    }
    if solver.solve(&[], budget).ok()? != Answer::Sat {
        return Some(None);
    }
    let model = blaster.model(&aig, |label| {
        let literal = encoder.input(label);
        literal.and_then(|literal| solver.value(literal)).unwrap_or(false)
    });
    Some(Some(wanted.iter().map(|t| Some(model.eval(flat.apply(*t))?.to_term())).collect()))
}

/// The same by an SMT solver, for numbers of any size.
fn by_smt(question: &[Term], wanted: &[Term], budget: &Budget) -> Answered {
    match one_shot(question, &Settings::default().budget(budget)) {
        (SatResult::Sat, Some(model)) => {
            Some(Some(wanted.iter().map(|t| Some(model.eval(*t)?.to_term())).collect()))
        }
        (SatResult::Unsat, _) => Some(None),
        _ => None,
    }
}

/// What is to be known of a model.
struct Question {
    names: Vec<&'static str>,
    /// The variables of these names, then for all that was asked of the outside whether it was, and the
    /// value.
    wanted: Vec<Term>,
}

impl Question {
    fn new(product: &Product, begin: &mut Substitution) -> Question {
        let mut vars = std::collections::BTreeSet::new();
        for clause in &product.system.clauses {
            let atoms = clause.body.iter().chain(&clause.head);
            let terms = atoms.flat_map(|a| a.args.iter().copied()).chain([clause.constraint]);
            vars.extend(logic::free_vars_of(terms));
        }
        let mut names = Vec::new();
        let mut wanted = Vec::new();
        for var in vars {
            if let Some(name) = var.var_name() {
                names.push(name);
                wanted.push(begin.apply(var));
            }
        }
        for asked in product.asked.iter().flatten() {
            wanted.extend([begin.apply(asked.guard), begin.apply(asked.value)]);
        }
        Question { names, wanted }
    }

    /// The input that the values are about.
    fn guess(&self, product: &Product, values: &[Option<Term>]) -> Option<Guess> {
        let (start, asked) = values.split_at(self.names.len());
        let known = self.names.iter().zip(start).filter_map(|(name, value)| Some((*name, (*value)?)));
        let mut given: BTreeMap<Who, Vec<(ir::Type, Term)>> = BTreeMap::new();
        let mut rest = asked.chunks_exact(2);
        for side in &product.asked {
            let mut counts: BTreeMap<&Who, usize> = BTreeMap::new();
            for (one, answer) in side.iter().zip(rest.by_ref()) {
                if answer[0]? != Term::bool(true) {
                    continue;
                }
                let count = counts.entry(&one.who).or_default();
                let answers = given.entry(one.who.clone()).or_default();
                // Where the versions ask for different things, the old one is answered.
                if answers.len() == *count {
                    answers.push((one.ty, answer[1]?));
                }
                *count += 1;
            }
        }
        Some(Guess { values: known.collect(), given })
    }
}
