//! Why clauses contradict each other, in a form that is cheap to check: a list of resolution chains, the last
//! one ending in the empty clause.
//!
//! It is what LRAT is, without the literals of derived clauses: resolving their antecedents gives them back.
//! [`Refutation::check`] is all that has to be believed. It knows nothing of how the proof was found: clauses
//! are numbered in the order of the formula, chains behind them in theirs, and each chain resolves its
//! clauses from left to right, with exactly one pivot a step.
//!
//! [`Refutation::find`] asks the solver, and keeps of its proof what the empty clause rests on.

use crate::cnf::{Clauses, Literal, Var};
use crate::proof::{Clause, Outcome, Proof, ProofFailure, ProofSolver};
use crate::solver::Answer;
use base::{Budget, Stopped};
use std::fmt;

/// Clauses in the order in which they were added.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Formula {
    /// As codes.
    literals: Vec<u32>,
    ends: Vec<usize>,
    vars: Var,
    /// Literals that the clauses contradict, if they do, each with how many clauses come before it: worth
    /// knowing one after the other.
    goals: Vec<(usize, Literal)>,
}

/// The chains, one after the other.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// How many clauses the formula has.
    formula: usize,
    antecedents: Vec<u32>,
    ends: Vec<usize>,
}

pub enum Found {
    Refuted(Refutation),
    /// By variable; those that the clauses up to a goal do not mention may be missing.
    Satisfied(Vec<bool>),
}

/// What is wrong with a refutation, and in which chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// The formula has not as many clauses.
    Formula,
    /// A clause that does not come before the chain.
    Unknown(usize),
    /// Two clauses that clash in no variable, or in more than one; or no clauses at all.
    Pivots(usize),
    /// The last chain does not end in the empty clause, or there is none.
    NotEmpty,
    Stopped(Stopped),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Flaw::Formula => f.write_str("it is about another formula"),
            Flaw::Unknown(chain) => write!(f, "chain {chain} uses a clause that is not there"),
            Flaw::Pivots(chain) => write!(f, "chain {chain} does not resolve"),
            Flaw::NotEmpty => f.write_str("it does not end in the empty clause"),
            Flaw::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl std::error::Error for Flaw {}

impl Clauses for Formula {
    fn new_var(&mut self) -> Literal {
        self.vars += 1;
        Literal::from_code(self.vars << 1)
    }

    fn add_clause(&mut self, literals: &[Literal]) {
        let start = self.literals.len();
        for literal in literals {
            self.vars = self.vars.max(literal.var());
            if !self.literals[start..].contains(&literal.code()) {
                self.literals.push(literal.code());
            }
        }
        self.ends.push(self.literals.len());
    }
}

impl Formula {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A refutation is found by excluding this literal, by the clauses so far, before those that come after
    /// it. Whoever satisfies the clauses so far and the literal must be able to satisfy all clauses: what
    /// comes later only defines what is new, or follows from the literal.
    pub fn goal(&mut self, literal: Literal) {
        self.goals.push((self.ends.len(), literal));
    }

    fn clause(&self, index: usize) -> &[u32] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.literals[start..self.ends[index]]
    }
}

/// Numbers of a proof that are kept while it is searched for: about a gigabyte.
const MOST_ENTRIES: usize = 250_000_000;
/// Conflicts in which plain search decides most formulas, or excludes most goals.
const EASY: u64 = 20_000;

/// A search for a refutation that can be resumed: goals that were excluded stay excluded, and what was
/// learned is kept.
pub struct Search {
    solver: ProofSolver,
    /// Are goals excluded one after the other?
    goals: bool,
    /// So many clauses were added, and goals excluded.
    added: usize,
    excluded: usize,
}

impl Default for Search {
    fn default() -> Self {
        Self::by(ProofSolver::plain(MOST_ENTRIES))
    }
}

impl Search {
    /// For what plain search does not decide soon: the formula is simplified, and asked as a whole.
    pub fn thorough() -> Search {
        Search { goals: false, ..Self::by(ProofSolver::with_limit(MOST_ENTRIES)) }
    }

    fn by(solver: ProofSolver) -> Search {
        Search { solver, goals: true, added: 0, excluded: 0 }
    }

    /// Goes on, always with the same formula.
    pub fn resume(&mut self, formula: &Formula, budget: &Budget) -> Result<Found, ProofFailure> {
        if let Some(empty) = (0..formula.len()).find(|index| formula.clause(*index).is_empty()) {
            let (antecedents, ends) = (vec![empty as u32], vec![1]);
            return Ok(Found::Refuted(Refutation { formula: formula.len(), antecedents, ends }));
        }
        let last = budget.steps.map(|steps| self.conflicts().saturating_add(steps));
        while let Some(&(clauses, goal)) = formula.goals.get(self.excluded).filter(|_| self.goals) {
            self.add(formula, clauses);
            let left = last.map(|last| last.saturating_sub(self.conflicts()));
            if self.solver.exclude(goal, &budget.with_steps(left))? == Answer::Sat {
                return Ok(satisfied(&mut self.solver));
            }
            self.excluded += 1;
        }
        let left = last.map(|last| last.saturating_sub(self.conflicts()));
        self.finish(formula, &budget.with_steps(left))
    }

    fn finish(&mut self, formula: &Formula, budget: &Budget) -> Result<Found, ProofFailure> {
        self.add(formula, formula.len());
        match self.solver.solve(&[], budget)? {
            Outcome::Unsat(proof) => Ok(Found::Refuted(Refutation::of(&proof, formula.len()))),
            Outcome::Sat => Ok(satisfied(&mut self.solver)),
        }
    }

    fn add(&mut self, formula: &Formula, end: usize) {
        for index in self.added..end {
            let clause: Vec<Literal> =
                formula.clause(index).iter().map(|code| Literal::from_code(*code)).collect();
            // The number of a clause is its partition: so the proof says which ones it uses.
            self.solver.add_clause(index as u32, &clause);
        }
        self.added = self.added.max(end);
    }

    pub fn conflicts(&self) -> u64 {
        self.solver.conflicts()
    }
}

impl Refutation {
    /// A refutation, or values for which all clauses hold.
    pub fn find(formula: &Formula, budget: &Budget) -> Result<Found, ProofFailure> {
        // What plain search does not decide soon is worth simplifying.
        let most = budget.steps.unwrap_or(u64::MAX);
        let easy = EASY * formula.goals.len().max(1) as u64;
        let little = budget.at_most(easy);
        match Search::default().resume(formula, &little) {
            Err(ProofFailure::Stopped(Stopped::Steps)) if most > easy => {
                Search::thorough().resume(formula, budget)
            }
            answer => answer,
        }
    }

    fn of(proof: &Proof, formula: usize) -> Refutation {
        let mut found = Refutation { formula, ..Refutation::default() };
        let mut numbers: Vec<u32> = Vec::with_capacity(proof.len());
        for index in 0..proof.len() as u32 {
            numbers.push(match proof.clause(index) {
                Clause::Original { partition, .. } => partition,
                Clause::Derived { first, steps } => {
                    let others = steps.iter().step_by(2);
                    found
                        .antecedents
                        .extend(std::iter::once(&first).chain(others).map(|a| numbers[*a as usize]));
                    found.ends.push(found.antecedents.len());
                    (formula + found.ends.len() - 1) as u32
                }
            });
        }
        found
    }

    /// How many clauses it resolves.
    pub fn len(&self) -> usize {
        self.antecedents.len()
    }

    pub fn is_empty(&self) -> bool {
        self.antecedents.is_empty()
    }

    /// Does it derive the empty clause from the clauses of the formula?
    pub fn check(&self, formula: &Formula, budget: &Budget) -> Result<(), Flaw> {
        if self.formula != formula.len() {
            return Err(Flaw::Formula);
        }
        let mut derived = Formula { vars: formula.vars, ..Formula::default() };
        // By variable: the code of its literal in the resolvent, or 0.
        let mut marks = vec![0u32; formula.vars as usize + 1];
        let mut resolvent: Vec<u32> = Vec::new();
        let mut start = 0;
        for (chain, &end) in self.ends.iter().enumerate() {
            if chain % 4096 == 4095 {
                budget.check(0).map_err(Flaw::Stopped)?;
            }
            let antecedents = self.antecedents.get(start..end).ok_or(Flaw::Unknown(chain))?;
            start = end;
            resolvent.clear();
            // Of no clauses nothing follows, least of all the empty clause.
            if antecedents.is_empty() {
                return Err(Flaw::Pivots(chain));
            }
            for (i, &number) in antecedents.iter().enumerate() {
                let number = number as usize;
                let clause = match number.checked_sub(formula.len()) {
                    None => formula.clause(number),
                    Some(earlier) if earlier < chain => derived.clause(earlier),
                    Some(_) => return Err(Flaw::Unknown(chain)),
                };
                let clashes = |code: &&u32| marks[**code as usize >> 1] == **code ^ 1;
                let mut pivots = clause.iter().filter(clashes);
                let pivot = pivots.next().copied();
                if pivot.is_some() != (i > 0) || pivots.next().is_some() {
                    return Err(Flaw::Pivots(chain));
                }
                // A clause with both literals of the pivot gives back the one that was resolved away.
                if pivot.is_some_and(|code| clause.contains(&(code ^ 1))) {
                    return Err(Flaw::Pivots(chain));
                }
                for &code in clause {
                    let mark = &mut marks[code as usize >> 1];
                    if Some(code) == pivot {
                        *mark = 0;
                    } else if *mark == 0 {
                        *mark = code;
                        resolvent.push(code);
                    } else if *mark != code {
                        // A clause that always holds has both literals of a variable: of it nothing follows.
                        return Err(Flaw::Pivots(chain));
                    }
                }
            }
            for &code in &resolvent {
                let mark = &mut marks[code as usize >> 1];
                if *mark == code {
                    derived.literals.push(code);
                    *mark = 0;
                }
            }
            derived.ends.push(derived.literals.len());
        }
        match derived.len().checked_sub(1).map(|last| derived.clause(last)) {
            Some([]) => Ok(()),
            _ => Err(Flaw::NotEmpty),
        }
    }

    /// As bytes: how many clauses the formula has; for each chain its length, and how far back each of its
    /// clauses lies.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut start = 0;
        put(&mut bytes, self.formula as u64);
        for (chain, &end) in self.ends.iter().enumerate() {
            put(&mut bytes, (end - start) as u64);
            for &number in &self.antecedents[start..end] {
                put(&mut bytes, ((self.formula + chain) as u64).saturating_sub(u64::from(number)));
            }
            start = end;
        }
        bytes
    }

    /// None: these are no such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Refutation> {
        let mut rest = bytes;
        let formula = u32::try_from(take(&mut rest)?).ok()? as usize;
        let mut found = Refutation { formula, ..Refutation::default() };
        while !rest.is_empty() {
            let here = (formula + found.ends.len()) as u64;
            for _ in 0..take(&mut rest)? {
                let number = here.checked_sub(take(&mut rest)?)?;
                found.antecedents.push(u32::try_from(number).ok()?);
            }
            found.ends.push(found.antecedents.len());
        }
        Some(found)
    }
}

fn satisfied(solver: &mut ProofSolver) -> Found {
    let vars = solver.vars();
    let mut value = |var: u32| var > 0 && solver.value(Literal::from_code(var << 1)) == Some(true);
    Found::Satisfied((0..=vars).map(&mut value).collect())
}

/// Seven bits a byte, the lowest first.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, behind) = rest.split_first()?;
        *rest = behind;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formula(clauses: &[&[i32]]) -> Formula {
        let mut formula = Formula::default();
        for clause in clauses {
            let literals: Vec<Literal> = clause.iter().filter_map(|l| Literal::from_dimacs(*l)).collect();
            formula.add_clause(&literals);
        }
        formula
    }

    fn chains(formula: usize, chains: &[&[u32]]) -> Refutation {
        let mut refutation = Refutation { formula, ..Refutation::default() };
        for chain in chains {
            refutation.antecedents.extend(*chain);
            refutation.ends.push(refutation.antecedents.len());
        }
        refutation
    }

    const SQUARE: [&[i32]; 4] = [&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]];

    #[test]
    fn only_refutations_pass() {
        let check = |clauses: &[&[i32]], list: &[&[u32]], expected: Result<(), Flaw>| {
            let (formula, refutation) = (formula(clauses), chains(clauses.len(), list));
            assert_eq!(refutation.check(&formula, &Budget::unlimited()), expected, "{list:?}");
            let unknown = matches!(expected, Err(Flaw::Unknown(_)));
            assert!(unknown || Refutation::from_bytes(&refutation.to_bytes()) == Some(refutation));
        };
        check(&SQUARE, &[&[0, 1], &[2, 3], &[4, 5]], Ok(()));
        check(&SQUARE, &[&[0, 1], &[3, 2, 4]], Ok(()));
        check(&SQUARE, &[&[0, 1]], Err(Flaw::NotEmpty));
        check(&SQUARE, &[], Err(Flaw::NotEmpty));
        // Two pivots at once would derive whatever is left.
        check(&SQUARE, &[&[0, 3]], Err(Flaw::Pivots(0)));
        check(&SQUARE, &[&[0, 0]], Err(Flaw::Pivots(0)));
        check(&SQUARE, &[&[0, 1], &[5]], Err(Flaw::Unknown(1)));
        check(&SQUARE, &[&[0, 1], &[4, 77]], Err(Flaw::Unknown(1)));
        check(&[&[1], &[]], &[&[1]], Ok(()));
        check(&[&[1, -1], &[-1]], &[&[0, 1]], Err(Flaw::Pivots(0)));
        // Both literals of the pivot, in either order: nothing is resolved away.
        check(&[&[1, -1], &[-1]], &[&[1, 0]], Err(Flaw::Pivots(0)));
        check(&[&[-1, 1], &[-1]], &[&[1, 0]], Err(Flaw::Pivots(0)));
        // A chain of no clauses ends in no literals, and proves nothing.
        check(&SQUARE, &[&[]], Err(Flaw::Pivots(0)));
        check(&[&[1]], &[&[]], Err(Flaw::Pivots(0)));
        check(&SQUARE, &[&[0, 1], &[]], Err(Flaw::Pivots(1)));
        check(&SQUARE, &[&[0, 1], &[], &[4]], Err(Flaw::Pivots(1)));
    }

    #[test]
    fn what_is_found_is_accepted_and_nothing_cheaper() {
        let budget = Budget::unlimited();
        let square = formula(&SQUARE);
        let Ok(Found::Refuted(found)) = Refutation::find(&square, &budget) else { panic!("they contradict") };
        assert_eq!(found.check(&square, &budget), Ok(()));
        for gone in 0..SQUARE.len() {
            let rest: Vec<&[i32]> = (0..4).filter(|i| *i != gone).map(|i| SQUARE[i]).collect();
            let rest = formula(&rest);
            assert!(matches!(Refutation::find(&rest, &budget), Ok(Found::Satisfied(_))));
            assert!(found.check(&rest, &budget).is_err(), "without clause {gone}");
        }
    }

    /// Goals guide the search, whatever their order.
    #[test]
    fn goals_are_excluded_one_after_the_other() {
        let budget = Budget::unlimited();
        let check = |clauses: &[&[i32]], goals: &[(usize, i32)], refuted: bool| {
            let mut formula = Formula::default();
            for index in 0..=clauses.len() {
                for (_, goal) in goals.iter().filter(|(at, _)| *at == index) {
                    formula.goal(Literal::from_dimacs(*goal).unwrap());
                }
                let clause = clauses.get(index).into_iter().flat_map(|c| c.iter());
                let clause: Vec<Literal> = clause.filter_map(|l| Literal::from_dimacs(*l)).collect();
                if index < clauses.len() {
                    formula.add_clause(&clause);
                }
            }
            match Refutation::find(&formula, &budget) {
                Ok(Found::Refuted(found)) => {
                    assert!(refuted, "{goals:?}");
                    assert_eq!(found.check(&formula, &budget), Ok(()), "{goals:?}");
                }
                Ok(Found::Satisfied(_)) => assert!(!refuted, "{goals:?}"),
                Err(failure) => panic!("{goals:?}: {failure}"),
            }
        };
        // Two definitions whose values cannot be, and the clause that wants one of them.
        let wanted: [&[i32]; 7] = [&[-3, 1], &[-3, -1], &[-4, 2], &[-4, 5], &[-5, -2], &[3, 4], &[6, 1]];
        check(&wanted, &[], true);
        check(&wanted, &[(2, 3), (5, 4)], true);
        check(&wanted, &[(5, 4), (5, 3)], true);
        check(&wanted, &[(2, 3), (2, 3), (7, 4)], true);
        // Here the second one can be.
        let possible: [&[i32]; 5] = [&[-3, 1], &[-3, -1], &[-4, 2], &[-4, 5], &[3, 4]];
        check(&possible, &[(2, 3), (4, 4)], false);
    }

    #[test]
    fn bytes_that_are_no_refutation_are_refused() {
        for bytes in [&[][..], &[0x80], &[4, 2, 1], &[4, 1, 200, 1], &[0xff; 12]] {
            assert_eq!(Refutation::from_bytes(bytes), None, "{bytes:?}");
        }
    }
}
