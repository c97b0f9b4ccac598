//! Constants that move on from refinement to refinement.
//!
//! Paths around a loop are ruled out one round at a time where only the number of rounds does it: `i <= 31`,
//! then `i <= 30`, and so on. Once a fragment has some of these in a row, the next ones are added without
//! being asked for, as many as there are: a loop of n rounds then takes about log n refinements. A predicate
//! more is never wrong.

use logic::{Op, Term, rebuild};

/// So many in a row are no accident.
const ROW: usize = 4;
/// No more than this of one kind.
const MOST: usize = 128;

/// How the row goes on that the last predicate ends, if it ends one.
pub fn continued(predicates: &[Term]) -> Vec<Term> {
    let Some(last) = predicates.last().and_then(|t| Compared::of(*t)) else { return Vec::new() };
    let constants: Vec<Term> = predicates
        .iter()
        .filter_map(|t| Compared::of(*t))
        .filter(|c| last.like(c))
        .map(|c| c.constant)
        .collect();
    if constants.len() < ROW || constants.len() >= MOST {
        return Vec::new();
    }
    let row = &constants[constants.len() - ROW..];
    let step = row[1].sub(row[0]);
    if step == step.sub(step) || row.windows(2).any(|pair| pair[1].sub(pair[0]) != step) {
        return Vec::new();
    }
    let mut at = last.constant;
    let more = constants.len().min(MOST - constants.len());
    (0..more)
        .map(|_| {
            at = at.add(step);
            last.with(at)
        })
        .filter(|t| !t.is_true() && !t.is_false())
        .collect()
}

/// A comparison with a constant.
struct Compared {
    negated: bool,
    atom: Term,
    /// Which of the two it is.
    place: usize,
    constant: Term,
}

impl Compared {
    fn of(predicate: Term) -> Option<Compared> {
        let negated = *predicate.op() == Op::Not;
        let atom = if negated { predicate.args()[0] } else { predicate };
        let orders = [Op::Eq, Op::Le, Op::Lt, Op::BvUle, Op::BvUlt, Op::BvSle, Op::BvSlt];
        let &[a, b] = atom.args() else { return None };
        let number = |t: Term| matches!(t.op(), Op::Int(_) | Op::Bv(_));
        if !orders.contains(atom.op()) || number(a) == number(b) {
            return None;
        }
        let place = usize::from(number(b));
        Some(Compared { negated, atom, place, constant: atom.args()[place] })
    }

    fn like(&self, other: &Compared) -> bool {
        self.negated == other.negated
            && self.atom.op() == other.atom.op()
            && self.place == other.place
            && self.atom.args()[1 - self.place] == other.atom.args()[1 - self.place]
    }

    fn with(&self, constant: Term) -> Term {
        let mut args = self.atom.args().to_vec();
        args[self.place] = constant;
        let atom = rebuild(self.atom, &args);
        if self.negated { atom.not() } else { atom }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::Sort;
    use logic::parse::{Scope, parse_term};

    /// What a row is continued by.
    fn check(row: &[&str], more: &[&str]) {
        let mut scope = Scope::new();
        scope.declare("i", &[], Sort::Int);
        scope.declare("j", &[], Sort::Int);
        scope.declare("b", &[], Sort::Bv(8));
        let read = |text: &&str| parse_term(text, &scope).unwrap_or_else(|e| panic!("{text}: {e}"));
        let row: Vec<Term> = row.iter().map(read).collect();
        let more: Vec<Term> = more.iter().map(read).collect();
        assert_eq!(continued(&row), more);
    }

    #[test]
    fn rows_go_on() {
        check(
            &["(<= 32 i)", "(<= 31 i)", "(= i 7)", "(<= 30 i)", "(<= 29 i)"],
            &["(<= 28 i)", "(<= 27 i)", "(<= 26 i)", "(<= 25 i)"],
        );
        check(
            &["(= i 0)", "(= i 2)", "(= i 4)", "(= i 6)"],
            &["(= i 8)", "(= i 10)", "(= i 12)", "(= i 14)"],
        );
        check(
            &["(= b #xfc)", "(= b #xfd)", "(= b #xfe)", "(= b #xff)"],
            &["(= b #x00)", "(= b #x01)", "(= b #x02)", "(= b #x03)"],
        );
    }

    #[test]
    fn what_is_no_row_does_not() {
        check(&["(= i 0)", "(= i 2)", "(= i 4)"], &[]);
        check(&["(= i 0)", "(= i 2)", "(= i 3)", "(= i 4)"], &[]);
        check(&["(= i 0)", "(= i 1)", "(= j 2)", "(= j 3)"], &[]);
        check(&["(= i 0)", "(<= i 1)", "(= i 2)", "(= i 3)"], &[]);
        check(&["(= i 0)", "(= i 1)", "(= i 2)", "(= i 3)", "(<= i j)"], &[]);
    }
}
