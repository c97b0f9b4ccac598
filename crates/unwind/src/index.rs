//! Offsets that are multiples of an index: `a[i].field` lies at `12 * i + 4`.
//!
//! Whether such an offset is in range, or a certain place, is a question about the index: comparing that with
//! constants is far cheaper for a solver than multiplying it first. An index is narrow where it is extended
//! to the width of pointers, as all of C's `int`s are; then nothing wraps, and the offset is the number that
//! it looks like.

use logic::{Linear, Op, Term};

/// The offset is `factor * index + constant`, as integers.
pub struct Index {
    factor: i128,
    constant: i128,
    /// Before it was extended.
    narrow: Term,
    signed: bool,
}

/// Factors and constants below this, times narrow numbers, stay far from the ends of 64 bits.
const SMALL: i128 = 1 << 28;
const NARROW: u32 = 32;
/// The number of a place has at least so many bits.
const PLACES: u32 = 16;

impl Index {
    /// None if the offset is not known to be of this form.
    pub fn of(offset: Term) -> Option<Index> {
        if offset.width() != 64 || offset.is_const() {
            return None;
        }
        let linear = Linear::of(offset);
        let mut terms = linear.terms.iter();
        let (Some((term, factor)), None) = (terms.next(), terms.next()) else { return None };
        let signed = match term.op() {
            Op::SignExtend(_) => true,
            Op::ZeroExtend(_) => false,
            _ => return None,
        };
        let narrow = *term.args().first()?;
        let [factor, constant] = [factor, &linear.constant].map(|number| {
            let number = i128::try_from(number).ok()?.rem_euclid(1 << 64);
            Some(if number >= 1 << 63 { number - (1 << 64) } else { number })
        });
        let (factor, constant) = (factor?, constant?);
        let small = (1..SMALL).contains(&factor) && constant.abs() < SMALL && narrow.width() <= NARROW;
        small.then_some(Index { factor, constant, narrow, signed })
    }

    /// Is the offset between 0 and `last`?
    pub fn is_up_to(&self, last: u64) -> Term {
        let first = (-self.constant).div_euclid(self.factor)
            + i128::from((-self.constant).rem_euclid(self.factor) > 0);
        let last = (i128::from(last) - self.constant).div_euclid(self.factor);
        let (least, most) = self.limits();
        if first > most || last < least {
            return Term::bool(false);
        }
        let above = if first <= least { Term::bool(true) } else { self.le(self.number(first), self.narrow) };
        let below = if last >= most { Term::bool(true) } else { self.le(self.narrow, self.number(last)) };
        above.and(below)
    }

    /// Is the offset this one?
    pub fn is_at(&self, place: u64) -> Term {
        let distance = i128::from(place) - self.constant;
        let (least, most) = self.limits();
        let index = distance.div_euclid(self.factor);
        if distance.rem_euclid(self.factor) != 0 || !(least..=most).contains(&index) {
            return Term::bool(false);
        }
        self.narrow.equals(self.number(index))
    }

    /// The number of a place, if places are `step` bytes apart and the first one lies at `first`.
    pub fn place(&self, first: u64, step: u64) -> Option<Term> {
        let distance = i128::from(first) - self.constant;
        if i128::from(step) != self.factor || distance.rem_euclid(self.factor) != 0 {
            return None;
        }
        // An index of a few bits may be too short for the numbers of the places.
        let rest = PLACES.saturating_sub(self.narrow.width());
        let index = if self.signed { self.narrow.sign_extend(rest) } else { self.narrow.zero_extend(rest) };
        let number = distance.div_euclid(self.factor) as u128 & ((1 << index.width()) - 1);
        Some(index.sub(Term::bv(number, index.width())))
    }

    fn limits(&self) -> (i128, i128) {
        let width = self.narrow.width();
        if self.signed { (-(1 << (width - 1)), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) }
    }

    fn number(&self, value: i128) -> Term {
        let width = self.narrow.width();
        Term::bv(value as u128 & ((1 << width) - 1), width)
    }

    fn le(&self, a: Term, b: Term) -> Term {
        if self.signed { a.sle(b) } else { a.ule(b) }
    }
}

/// Is the offset between 0 and `last`?
pub fn is_up_to(offset: Term, last: u64) -> Term {
    match Index::of(offset) {
        Some(index) => index.is_up_to(last),
        None => offset.ule(Term::bv(u128::from(last), offset.width())),
    }
}

/// Is the offset this one?
pub fn is_at(offset: Term, place: u64) -> Term {
    match Index::of(offset) {
        Some(index) => index.is_at(place),
        None => offset.equals(Term::bv(u128::from(place), offset.width())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::{Sort, Substitution};

    /// What is said of the index is what holds of the offset, for all indices.
    fn check(factor: i128, constant: i128, signed: bool) {
        let narrow = Term::var("i", Sort::Bv(6));
        let wide = if signed { narrow.sign_extend(58) } else { narrow.zero_extend(58) };
        let bits = |number: i128| Term::bv(number as u128 & u128::from(u64::MAX), 64);
        let offset = wide.mul(bits(factor)).add(bits(constant));
        let index = Index::of(offset).expect("an index");
        for place in (0..80).chain([1000]) {
            let (up_to, at) = (index.is_up_to(place), index.is_at(place));
            for value in 0..64 {
                let mut here = Substitution::new([(narrow, Term::bv(value, 6))]);
                let place = Term::bv(u128::from(place), 64);
                let offset = here.apply(offset);
                assert_eq!(here.apply(up_to), offset.ule(place), "{value}: {factor} {constant} {place}");
                assert_eq!(here.apply(at), offset.equals(place), "{value}: {factor} {constant} {place}");
            }
        }
        let first = constant.rem_euclid(factor);
        let place = index.place(first as u64, factor as u64).expect("places at this distance");
        for value in 0..64 {
            let mut here = Substitution::new([(narrow, Term::bv(value, 6))]);
            let number = here.apply(place).as_bv().expect("a number") as i128;
            let there = here.apply(offset).as_bv().expect("an offset") as u64 as i64;
            if there >= 0 {
                assert_eq!(number * factor + first, i128::from(there), "{value}: {factor} {constant}");
            }
        }
    }

    #[test]
    fn questions_about_offsets_are_questions_about_indices() {
        for factor in [1, 2, 3, 4, 7, 12] {
            for constant in [-25, -12, -4, -1, 0, 1, 4, 11, 30] {
                check(factor, constant, true);
                check(factor, constant, false);
            }
        }
    }
}
