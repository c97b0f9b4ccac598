//! Expressions.

use crate::mode::{IntMode, Unsupported};
use crate::regions::Regions;
use crate::state::State;
use ir::{Expr, FuncId, Program};
use logic::{Sort, Term};

/// Translates expressions and operations of one function of one program.
pub struct Encoder<'p> {
    pub program: &'p Program,
    /// Which of the analysed programs this is, for the regions.
    pub index: usize,
    pub function: FuncId,
    pub mode: IntMode,
    pub regions: &'p Regions,
    /// In front of the names of fresh variables.
    pub prefix: String,
    /// Conditions, one for each operation so far that can end the execution, under which it does (division by zero, ...).
    pub traps: Vec<Term>,
    /// What holds of the variables and applications that were introduced so far.
    pub facts: Vec<Term>,
    fresh: u32,
}

impl<'p> Encoder<'p> {
    pub fn new(
        program: &'p Program,
        index: usize,
        function: FuncId,
        mode: IntMode,
        regions: &'p Regions,
        prefix: impl Into<String>,
    ) -> Encoder<'p> {
        Encoder {
            program,
            index,
            function,
            mode,
            regions,
            prefix: prefix.into(),
            traps: Vec::new(),
            facts: Vec::new(),
            fresh: 0,
        }
    }

    /// A variable that occurs nowhere else in what this encoder makes.
    pub fn fresh(&mut self, what: &str, sort: Sort) -> Term {
        self.fresh += 1;
        Term::var(&format!("{}{what}!{}", self.prefix, self.fresh), sort)
    }

    pub fn expr(&mut self, e: &Expr, _state: &State) -> Result<Term, Unsupported> {
        Err(Unsupported(format!("{:?}", e.ty)))
    }
}
