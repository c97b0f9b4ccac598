//! Questions about terms, asked of a SAT solver that is kept from question to question.

use base::{Budget, Stopped};
use blast::{Blaster, Refused};
use logic::Term;
use sat::{Aig, Answer, Encoder, Lit, Literal, Solver};

/// One graph, its clauses, and the solver that has them.
pub struct Formula {
    pub aig: Aig,
    pub blaster: Blaster,
    encoder: Encoder,
    solver: Solver,
    constrained: usize,
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
    pub fn new() -> Formula {
        Formula {
            aig: Aig::new(),
            blaster: Blaster::new(),
            encoder: Encoder::new(),
            solver: Solver::new(),
            constrained: 0,
        }
    }

    /// Can this be true?
    pub fn possible(&mut self, term: Term, budget: &Budget) -> Result<bool, Failure> {
        let lit = self.blaster.bool(&mut self.aig, term)?;
        if lit == Lit::FALSE {
            return Ok(false);
        }
        budget.check(0)?;
        let literal = self.encoder.encode(&self.aig, lit, &mut self.solver);
        for constraint in self.blaster.constraints().iter().skip(self.constrained) {
            self.encoder.assert(&self.aig, *constraint, &mut self.solver);
        }
        self.constrained = self.blaster.constraints().len();
        Ok(self.solver.solve(&[literal], budget)? == Answer::Sat)
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
        let (encoder, solver) = (&self.encoder, &mut self.solver);
        let mut known = |label: u32| -> bool {
            let literal: Option<Literal> = encoder.input(label);
            literal.and_then(|literal| solver.value(literal)).unwrap_or(false)
        };
        let bits = self.aig.evaluate(&roots, |label| if known(label) { u64::MAX } else { 0 });
        let mut bits = bits.into_iter();
        let number = |width: usize| {
            bits.by_ref().take(width).enumerate().fold(0u128, |sum, (i, bit)| sum | u128::from(bit & 1) << i)
        };
        Ok(widths.into_iter().map(number).collect())
    }

    pub fn conflicts(&self) -> u64 {
        self.solver.conflicts()
    }

    pub fn variables(&self) -> u32 {
        self.solver.vars()
    }
}
