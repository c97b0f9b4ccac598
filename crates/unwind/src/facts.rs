//! What the conditions of a path say of the size of single terms.
//!
//! After `if (n < 0 || n > 20) return;` the number `n` has five bits. A solver finds that out as well, but
//! every operation on `n` was built from all of its bits by then; dividing and multiplying numbers of 32 bits
//! is what takes long. So where a path reads a number that its conditions keep small, it reads as few bits as
//! the number needs, extended: on this path that is the same number.

use logic::{Op, Term};
use std::rc::Rc;

/// Ranges of terms, as signed numbers, the latest last.
#[derive(Clone, Default)]
pub struct Facts(Option<Rc<Vec<(Term, Range)>>>);

type Range = (i128, i128);

/// So many are kept.
const MOST: usize = 32;
/// Fewer bits than this are not worth another term.
const SAVED: u32 = 8;

impl Facts {
    fn list(&self) -> &[(Term, Range)] {
        self.0.as_deref().map_or(&[], |list| list)
    }

    fn find(&self, term: Term) -> Option<Range> {
        self.list().iter().find(|(known, _)| *known == term).map(|(_, range)| *range)
    }

    /// With one more condition.
    pub fn and(&self, condition: Term) -> Facts {
        match said(condition) {
            Some((term, range)) => {
                let (low, high) = self.find(term).unwrap_or_else(|| whole(term));
                self.with(term, (low.max(range.0), high.min(range.1)))
            }
            None => self.clone(),
        }
    }

    fn with(&self, term: Term, range: Range) -> Facts {
        let others = self.list().iter().filter(|(known, _)| *known != term);
        let mut list: Vec<(Term, Range)> = others.copied().collect();
        if list.len() == MOST {
            list.remove(0);
        }
        list.push((term, range));
        Facts(Some(Rc::new(list)))
    }

    /// What holds on either of two paths.
    pub fn either(&self, other: &Facts) -> Facts {
        if let (Some(a), Some(b)) = (&self.0, &other.0)
            && Rc::ptr_eq(a, b)
        {
            return self.clone();
        }
        let both = self.list().iter().filter_map(|(term, (low, high))| {
            let range = other.find(*term)?;
            Some((*term, (range.0.min(*low), range.1.max(*high))))
        });
        let list: Vec<(Term, Range)> = both.collect();
        Facts((!list.is_empty()).then(|| Rc::new(list)))
    }

    /// The same number on this path, in as few bits as it has there.
    pub fn narrowed(&self, term: Term) -> Term {
        let Some((low, high)) = self.find(term).filter(|(low, high)| low <= high) else { return term };
        let width = term.width();
        if low == high {
            return Term::bv(low as u128 & mask(width), width);
        }
        let length = |number: i128| 128 - number.leading_zeros();
        let bits = match low >= 0 {
            true => length(high),
            false => length(high.max(!low)) + 1,
        };
        if bits + SAVED > width {
            return term;
        }
        let part = term.extract(bits - 1, 0);
        let rest = width - bits;
        if low >= 0 { part.zero_extend(rest) } else { part.sign_extend(rest) }
    }
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

fn whole(term: Term) -> Range {
    let end = 1i128 << (term.width() - 1);
    (-end, end - 1)
}

/// The term that a condition compares with a constant, and its range.
fn said(condition: Term) -> Option<(Term, Range)> {
    let (comparison, holds) = match condition.op() {
        Op::Not => (condition.args()[0], false),
        _ => (condition, true),
    };
    let [a, b] = comparison.args() else { return None };
    let (signed, strict) = match comparison.op() {
        Op::BvSle => (true, false),
        Op::BvSlt => (true, true),
        Op::BvUle => (false, false),
        Op::BvUlt => (false, true),
        _ => return None,
    };
    // Not a <= b is b < a.
    let (a, b, strict) = if holds { (*a, *b, strict) } else { (*b, *a, !strict) };
    let less = i128::from(strict);
    let (term, constant, below) = match (a.as_bv(), b.as_bv()) {
        (None, Some(bits)) => (a, bits, true),
        (Some(bits), None) => (b, bits, false),
        _ => return None,
    };
    let width = term.width();
    if !(2..=64).contains(&width) {
        return None;
    }
    let (least, most) = whole(term);
    let number = constant as i128;
    match (signed, below) {
        (true, _) => {
            let number = if number > most { number - (1i128 << width) } else { number };
            Some((term, if below { (least, number - less) } else { (number + less, most) }))
        }
        // Below half of all numbers, signed or not is the same.
        (false, true) => (number - less <= most).then_some((term, (0, number - less))),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::Sort;

    #[test]
    fn ranges_of_terms() {
        let x = Term::var("x", Sort::Bv(32));
        let number = |n: i32| Term::bv(u128::from(n as u32), 32);
        let check = |conditions: &[Term], expected: Term| {
            let facts = conditions.iter().fold(Facts::default(), |facts, condition| facts.and(*condition));
            assert_eq!(facts.narrowed(x), expected, "{conditions:?}");
        };
        let small = |bits: u32| x.extract(bits - 1, 0);
        check(&[], x);
        check(&[number(0).sle(x)], x);
        check(&[number(0).sle(x), x.sle(number(20))], small(5).zero_extend(27));
        check(&[number(0).sle(x), x.slt(number(32))], small(5).zero_extend(27));
        check(&[number(0).sle(x), x.sle(number(32))], small(6).zero_extend(26));
        check(&[number(-20).sle(x), x.sle(number(20))], small(6).sign_extend(26));
        check(&[number(-32).sle(x), x.sle(number(31))], small(6).sign_extend(26));
        check(&[number(-33).sle(x), x.sle(number(31))], small(7).sign_extend(25));
        check(&[x.ult(number(8))], small(3).zero_extend(29));
        check(&[number(8).ule(x).not()], small(3).zero_extend(29));
        check(&[number(8).ule(x)], x);
        check(&[x.ule(number(-2))], x);
        check(&[number(7).sle(x), x.sle(number(7))], number(7));
        // Nobody is on this path.
        check(&[number(9).sle(x), x.sle(number(7))], x);
    }

    #[test]
    fn paths_that_meet() {
        let x = Term::var("x", Sort::Bv(32));
        let number = |n: i32| Term::bv(u128::from(n as u32), 32);
        let below = |n: i32| Facts::default().and(x.ult(number(n)));
        assert_eq!(below(4).either(&below(16)).narrowed(x), x.extract(3, 0).zero_extend(28));
        assert_eq!(below(4).either(&Facts::default()).narrowed(x), x);
    }
}
