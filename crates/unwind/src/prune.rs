//! Rounds and calls that no execution comes to.
//!
//! Conditions that exclude each other are often seen by a solver only: that a scanner which has read all
//! bytes makes no further round, or that a parser does not call itself without having consumed anything.
//! Followed all the same, such rounds multiply where loops and calls nest. So before a round begins, and
//! before a function is entered, an [`Oracle`] may be asked whether anybody gets there. So are copies of
//! unknown length, which would take all bytes that there is room for.
//!
//! What is not followed for that reason is left open as a bound leaves it ([`Why::Pruned`]), so it is part of
//! what has to be refuted. A proof carries the numbers of the questions whose answer was no; whoever checks
//! it leaves out the same rounds and calls, and believes nothing.

use crate::exec::{Exec, Why};
use crate::guard::Guard;
use ir::{FuncId, Op};
use logic::Term;
use std::sync::Arc;

/// Bytes that are not worth a question.
const SHORT: u64 = 4;

/// Somebody who knows which conditions are possible.
pub trait Oracle {
    /// May say yes where it does not know.
    fn possible(&mut self, condition: Term) -> bool;
    /// What the answers have cost so far, in steps of a budget.
    fn spent(&self) -> u64;
}

/// What is not followed.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Pruning {
    #[default]
    Nothing,
    /// What the oracle says is impossible.
    Asked,
    /// The questions with these numbers, ascending.
    Given(Arc<[u64]>),
}

impl Exec<'_> {
    /// May an execution come here? If not, it is left open.
    pub(crate) fn is_possible(&mut self, guard: &Guard) -> bool {
        let possible = self.ask(guard.term());
        if !possible {
            self.gap(guard.term(), Why::Pruned);
        }
        possible
    }

    /// Where the answer is no, whoever asked has to leave it open.
    fn ask(&mut self, condition: Term) -> bool {
        let possible = match (&self.limits.pruning, self.oracle) {
            (Pruning::Asked, Some(oracle)) => oracle.borrow_mut().possible(condition),
            (Pruning::Given(numbers), _) => numbers.binary_search(&self.questions).is_err(),
            _ => return true,
        };
        if !possible {
            self.pruned.push(self.questions);
        }
        self.questions += 1;
        possible
    }

    /// How many bytes an operation of unknown length may have to do with, found by doubling; never more than
    /// `most`. That it is not longer is to be shown by whoever uses it.
    pub(crate) fn longest_length(&mut self, guard: &Guard, length: Term, most: u64) -> u64 {
        let mut bytes = SHORT;
        while bytes < most {
            let longer = Term::bv(u128::from(bytes), length.width()).ult(length);
            if !self.ask(guard.term().and(longer)) {
                return bytes;
            }
            bytes *= 2;
        }
        most
    }

    /// Is it worth a question whether a function is entered? Only if it does not soon end by itself.
    pub(crate) fn is_worth_asking(&mut self, function: FuncId) -> bool {
        if self.limits.pruning == Pruning::Nothing {
            return false;
        }
        let Some(cfa) = self.program.function(function).cfa() else { return false };
        let order = self.order(function, cfa);
        !order.heads.is_empty() || cfa.edges().iter().any(|edge| matches!(edge.op, Op::Call { .. }))
    }
}
