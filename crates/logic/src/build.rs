//! Constructors of truth values, equality and choice.

use crate::bounds;
use crate::number;
use crate::sort::Sort;
use crate::term::{Args, Op, Term, name};

impl Term {
    pub fn bool(value: bool) -> Term {
        Term::make(if value { Op::True } else { Op::False }, [], Sort::Bool)
    }

    pub fn var(text: &str, sort: Sort) -> Term {
        Term::make(Op::Var(name(text)), [], sort)
    }

    /// An uninterpreted function's value.
    pub fn apply(function: &str, args: impl IntoIterator<Item = Term>, sort: Sort) -> Term {
        Term::make(Op::Apply(name(function)), args, sort)
    }

    #[expect(clippy::should_implement_trait, reason = "terms are built with named operations throughout")]
    pub fn not(self) -> Term {
        match self.op() {
            Op::True => Term::bool(false),
            Op::False => Term::bool(true),
            Op::Not => self.args()[0],
            // not (a <= b) is b + 1 <= a.
            Op::Le => self.args()[1].int_lt(self.args()[0]),
            Op::BvUle => self.args()[1].ult(self.args()[0]),
            Op::BvUlt => self.args()[1].ule(self.args()[0]),
            Op::BvSle => self.args()[1].slt(self.args()[0]),
            Op::BvSlt => self.args()[1].sle(self.args()[0]),
            _ => Term::make(Op::Not, [self], Sort::Bool),
        }
    }

    pub fn and(self, other: Term) -> Term {
        Term::all([self, other])
    }

    pub fn or(self, other: Term) -> Term {
        Term::any([self, other])
    }

    pub fn implies(self, other: Term) -> Term {
        self.not().or(other)
    }

    /// The conjunction.
    pub fn all(terms: impl IntoIterator<Item = Term>) -> Term {
        junction(Op::And, Op::True, Op::False, terms)
    }

    /// The disjunction.
    pub fn any(terms: impl IntoIterator<Item = Term>) -> Term {
        junction(Op::Or, Op::False, Op::True, terms)
    }

    /// The conjuncts of a conjunction; a term that is none is its own only one, and true has none.
    pub fn conjuncts(self) -> Vec<Term> {
        match self.op() {
            Op::And => self.args().to_vec(),
            Op::True => Vec::new(),
            _ => vec![self],
        }
    }

    /// Equality (identity, for floats); of truth values, "if and only if".
    pub fn equals(self, other: Term) -> Term {
        debug_assert_eq!(self.sort(), other.sort(), "{self} = {other}");
        if self == other {
            return Term::bool(true);
        }
        if self.is_const() && other.is_const() {
            return Term::bool(false);
        }
        match self.sort() {
            Sort::Bool => eq_bool(self, other),
            Sort::Int | Sort::Bv(_) => number::equation(self, other),
            Sort::Array(_) => arrays_equal(self, other),
            _ => {
                let (a, b) = if self <= other { (self, other) } else { (other, self) };
                Term::make(Op::Eq, [a, b], Sort::Bool)
            }
        }
    }

    pub fn differs(self, other: Term) -> Term {
        self.equals(other).not()
    }

    /// `self` is the condition.
    pub fn ite(self, then: Term, otherwise: Term) -> Term {
        debug_assert_eq!(then.sort(), otherwise.sort(), "{then} / {otherwise}");
        if then == otherwise || self.is_true() {
            return then;
        }
        if self.is_false() {
            return otherwise;
        }
        if then.sort() == Sort::Bool {
            if then.is_true() || then == self {
                return self.or(otherwise);
            }
            if then.is_false() {
                return self.not().and(otherwise);
            }
            if otherwise.is_true() {
                return self.not().or(then);
            }
            if otherwise.is_false() || otherwise == self {
                return self.and(then);
            }
            if then == otherwise.not() {
                return self.equals(then);
            }
        }
        if *self.op() == Op::Not {
            return self.args()[0].ite(otherwise, then);
        }
        // Where the two are the same, it does not matter which.
        if let (Op::Eq, &[a, b]) = (self.op(), self.args())
            && ((a, b) == (then, otherwise) || (b, a) == (then, otherwise))
        {
            return otherwise;
        }
        // An inner choice on the same condition is decided.
        if *then.op() == Op::Ite && then.args()[0] == self {
            return self.ite(then.args()[1], otherwise);
        }
        if *otherwise.op() == Op::Ite && otherwise.args()[0] == self {
            return self.ite(then, otherwise.args()[2]);
        }
        // Choices that share a branch are one choice, as long as its condition is not too long.
        if let (Op::Ite, [c, a, b]) = (otherwise.op(), otherwise.args())
            && *a == then
            && self.args().len() + c.args().len() <= MERGED
        {
            return self.or(*c).ite(then, *b);
        }
        if let (Op::Ite, [c, a, b]) = (then.op(), then.args())
            && *b == otherwise
            && self.args().len() + c.args().len() <= MERGED
        {
            return self.and(*c).ite(*a, otherwise);
        }
        Term::make(Op::Ite, [self, then, otherwise], then.sort())
    }

    /// For all values of the variables.
    pub fn forall(vars: &[Term], body: Term) -> Term {
        quantified(Op::Forall, vars, body)
    }

    pub fn exists(vars: &[Term], body: Term) -> Term {
        quantified(Op::Exists, vars, body)
    }
}

fn quantified(op: Op, vars: &[Term], body: Term) -> Term {
    let free = crate::subst::free_vars(body);
    let used: Vec<Term> = vars.iter().copied().filter(|v| free.contains(v)).collect();
    if used.is_empty() {
        return body;
    }
    Term::make(op, used.into_iter().chain([body]), Sort::Bool)
}

fn junction(op: Op, neutral: Op, absorbing: Op, terms: impl IntoIterator<Item = Term>) -> Term {
    let mut list = Args::new();
    for term in terms {
        if *term.op() == op { list.extend_from_slice(term.args()) } else { list.push(term) }
    }
    if list.iter().any(|t| *t.op() == absorbing) {
        return Term::make(absorbing, [], Sort::Bool);
    }
    list.retain(|t| *t.op() != neutral);
    list.sort();
    list.dedup();
    let joined = if op == Op::And { bounds::conjoin(&mut list) } else { bounds::disjoin(&mut list) };
    if joined.is_none() {
        return Term::make(absorbing, [], Sort::Bool);
    }
    // Sorting does not bring x and not x together; look them up.
    if list.iter().any(|t| *t.op() == Op::Not && list.binary_search(&t.args()[0]).is_ok()) {
        return Term::make(absorbing, [], Sort::Bool);
    }
    match list.len() {
        0 => Term::make(neutral, [], Sort::Bool),
        1 => list[0],
        _ => Term::make(op, list, Sort::Bool),
    }
}

fn eq_bool(a: Term, b: Term) -> Term {
    match (a.op(), b.op()) {
        (Op::True, _) => b,
        (_, Op::True) => a,
        (Op::False, _) => b.not(),
        (_, Op::False) => a.not(),
        (Op::Not, Op::Not) => a.args()[0].equals(b.args()[0]),
        (Op::Not, _) if a.args()[0] == b => Term::bool(false),
        (_, Op::Not) if b.args()[0] == a => Term::bool(false),
        _ => {
            let (a, b) = if a <= b { (a, b) } else { (b, a) };
            Term::make(Op::Eq, [a, b], Sort::Bool)
        }
    }
}

fn arrays_equal(a: Term, b: Term) -> Term {
    for (x, y) in [(a, b), (b, a)] {
        match (x.op(), x.args(), y.op()) {
            // Writes at one place of one array: the elements decide.
            (Op::Store, [base, index, value], Op::Store) if *base == y.args()[0] && *index == y.args()[1] => {
                return value.equals(y.args()[2]);
            }
            (Op::Store, [base, index, value], _) if *base == y => return y.select(*index).equals(*value),
            (Op::ConstArray, [value], Op::ConstArray) => return value.equals(y.args()[0]),
            _ => {}
        }
    }
    let (a, b) = if a <= b { (a, b) } else { (b, a) };
    Term::make(Op::Eq, [a, b], Sort::Bool)
}

/// A test of a choice one of whose branches is a constant, as a test of its condition and of the other
/// branch; and so on down a chain of such choices, unless it is too long.
pub(crate) fn test_choice(choice: Term, test: impl Fn(Term) -> Term) -> Option<Term> {
    let mut chain = Vec::new();
    let mut rest = choice;
    while let (Op::Ite, [c, a, b]) = (rest.op(), rest.args()) {
        match (a.is_const(), b.is_const()) {
            (true, _) => {
                chain.push((*c, *a, true));
                rest = *b;
            }
            (_, true) => {
                chain.push((*c, *b, false));
                rest = *a;
            }
            _ => break,
        }
        if chain.len() > CHAIN {
            return None;
        }
    }
    if chain.is_empty() {
        return None;
    }
    let last = test(rest);
    Some(chain.into_iter().rev().fold(last, |result, (c, constant, first)| {
        let decided = test(constant);
        if first { c.ite(decided, result) } else { c.ite(result, decided) }
    }))
}

const CHAIN: usize = 32;
const MERGED: usize = 12;
