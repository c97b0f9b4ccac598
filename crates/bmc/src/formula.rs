//! Questions about terms, asked of a SAT solver that is kept from question to question.

use crate::feasible::Feasible;
use base::{Budget, Stopped};
use blast::{Blaster, Division, Refused};
use logic::Term;
use rustc_hash::FxHashMap;
use sat::{Aig, Answer, Encoder, Lit, Literal, Node, Solver};
use unwind::prune::Oracle;
use unwind::question::Question;

/// Conflicts in which plain search decides most questions, faster than what simplifying them takes.
const EASY: u64 = 20_000;

/// One graph, its clauses, and the solver that has them.
pub struct Formula {
    pub aig: Aig,
    pub blaster: Blaster,
    encoder: Encoder,
    solver: Solver,
    /// No question so far was too hard for plain search.
    easy: bool,
    /// By variable, if somebody else answered the last question.
    model: Option<Vec<bool>>,
    constrained: usize,
    /// How many divisions the solver knows of.
    told: usize,
    feasible: Feasible,
    /// For questions of [`Oracle`].
    budget: Budget,
}

pub enum Failure {
    Stopped(Stopped),
    Refused(Refused),
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Failure {
        Failure::Stopped(stopped)
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        Failure::Refused(refused)
    }
}

impl Formula {
    pub fn new(budget: &Budget) -> Formula {
        Formula {
            aig: Aig::new(),
            blaster: Blaster::new().guess_quotients(),
            told: 0,
            encoder: Encoder::new(),
            solver: Solver::for_easy_queries(),
            easy: true,
            model: None,
            constrained: 0,
            feasible: Feasible::new(),
            budget: budget.clone(),
        }
    }

    /// A question that was answered with yes.
    pub fn answered(question: Question, model: Vec<bool>, budget: &Budget) -> Formula {
        let Question { aig, blaster, encoder, .. } = question;
        let constrained = blaster.constraints().len();
        // The question may have been answered before all of it was asked.
        let known = |lit: &Lit| match aig.node(lit.node()) {
            Node::Input(label) => {
                encoder.input(label).is_some_and(|literal| (literal.var() as usize) < model.len())
            }
            _ => true,
        };
        let divisions = blaster.divisions().iter();
        let told = divisions.take_while(|d| d.quotient.iter().chain(&d.remainder).all(known)).count();
        let (solver, easy, model) = (Solver::for_easy_queries(), true, Some(model));
        let (feasible, budget) = (Feasible::new(), budget.clone());
        Formula { aig, blaster, encoder, solver, easy, model, constrained, told, feasible, budget }
    }

    /// Can this be true?
    pub fn possible(&mut self, term: Term, budget: &Budget) -> Result<bool, Failure> {
        let lit = self.blaster.bool(&mut self.aig, term)?;
        if lit == Lit::FALSE {
            return Ok(false);
        }
        budget.check(0)?;
        if self.easy {
            match self.ask(lit, &budget.at_most(EASY)) {
                Err(Stopped::Steps) if budget.steps.is_none_or(|most| most > EASY) => {}
                answer => return Ok(answer? == Answer::Sat),
            }
            // Simplifying pays from here on.
            self.easy = false;
            (self.encoder, self.solver, self.constrained) = (Encoder::new(), Solver::new(), 0);
        }
        Ok(self.ask(lit, budget)? == Answer::Sat)
    }

    fn ask(&mut self, lit: Lit, budget: &Budget) -> Result<Answer, Stopped> {
        let literal = self.encoder.encode(&self.aig, lit, &mut self.solver);
        for constraint in self.blaster.constraints().iter().skip(self.constrained) {
            self.encoder.assert(&self.aig, *constraint, &mut self.solver);
        }
        self.constrained = self.blaster.constraints().len();
        self.told = self.blaster.divisions().len();
        self.solver.solve(&[literal], budget)
    }

    /// The values of terms in the model of the last question, if its answer was yes.
    pub fn values(&mut self, terms: &[Term]) -> Result<Vec<u128>, Failure> {
        let mut roots = Vec::new();
        let mut widths = Vec::new();
        for term in terms {
            let word = self.blaster.word(&mut self.aig, *term)?;
            widths.push(word.len());
            roots.extend(word);
        }
        // Divisions that the question did not need are done now.
        let mut divided: FxHashMap<u32, bool> = FxHashMap::default();
        for at in self.told..self.blaster.divisions().len() {
            let Division { dividend, divisor, quotient, remainder } = self.blaster.divisions()[at].clone();
            let width = dividend.len();
            let operands = self.evaluate(&[dividend, divisor].concat(), &divided);
            let (a, b) = (number(&operands[..width]), number(&operands[width..]));
            let results = [a.checked_div(b).unwrap_or(u128::MAX), a.checked_rem(b).unwrap_or(a)];
            for (word, result) in [quotient, remainder].into_iter().zip(results) {
                for (i, lit) in word.into_iter().enumerate() {
                    if let Node::Input(label) = self.aig.node(lit.node()) {
                        divided.insert(label, result >> i & 1 == 1);
                    }
                }
            }
        }
        let bits = self.evaluate(&roots, &divided);
        let mut bits = bits.into_iter();
        let value = |width: usize| number(&bits.by_ref().take(width).collect::<Vec<bool>>());
        Ok(widths.into_iter().map(value).collect())
    }

    /// Bits in the model of the last question; what nobody knows is false.
    fn evaluate(&mut self, lits: &[Lit], divided: &FxHashMap<u32, bool>) -> Vec<bool> {
        let (encoder, solver, model) = (&self.encoder, &mut self.solver, &self.model);
        let mut known = |label: u32| -> bool {
            let literal: Option<Literal> = encoder.input(label);
            let value = literal.and_then(|literal| match model {
                Some(model) => model.get(literal.var() as usize).map(|value| *value != literal.is_negative()),
                None => solver.value(literal),
            });
            value.or(divided.get(&label).copied()).unwrap_or(false)
        };
        let bits = self.aig.evaluate(lits, |label| if known(label) { u64::MAX } else { 0 });
        bits.into_iter().map(|bit| bit & 1 == 1).collect()
    }

    pub fn conflicts(&self) -> u64 {
        self.solver.conflicts() + self.feasible.conflicts()
    }

    /// How often [`Oracle`] had to ask the solver.
    pub fn asked(&self) -> u64 {
        self.feasible.asked
    }

    pub fn variables(&self) -> u32 {
        self.solver.vars()
    }
}

impl Oracle for Formula {
    fn possible(&mut self, condition: Term) -> bool {
        if self.feasible.passes() {
            return true;
        }
        let before = self.aig.len();
        let lit = self.blaster.bool(&mut self.aig, condition);
        self.feasible.pay((self.aig.len() - before) as u64);
        match lit {
            Ok(lit) => self.feasible.possible(&self.aig, &self.blaster, lit, &self.budget),
            Err(_) => true,
        }
    }

    fn spent(&self) -> u64 {
        self.feasible.conflicts()
    }
}

fn number(bits: &[bool]) -> u128 {
    bits.iter().enumerate().fold(0, |sum, (i, bit)| sum | u128::from(*bit) << i)
}
