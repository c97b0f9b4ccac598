//! Integers between two ends.

use dashu_int::IBig;

/// All integers from `low` to `high`; not empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interval {
    pub low: IBig,
    pub high: IBig,
}

impl Interval {
    pub fn new(low: impl Into<IBig>, high: impl Into<IBig>) -> Interval {
        Interval { low: low.into(), high: high.into() }
    }

    pub fn point(value: IBig) -> Interval {
        Interval { low: value.clone(), high: value }
    }

    /// What so many bits can mean.
    pub fn of_bits(bits: u32, signed: bool) -> Interval {
        let size = IBig::ONE << bits as usize;
        if signed {
            let half = size >> 1;
            Interval { low: -half.clone(), high: half - IBig::ONE }
        } else {
            Interval { low: IBig::ZERO, high: size - IBig::ONE }
        }
    }

    /// The only member.
    pub fn single(&self) -> Option<&IBig> {
        (self.low == self.high).then_some(&self.low)
    }

    pub fn contains(&self, other: &Interval) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// `by` more on both sides.
    pub fn widened(&self, by: &IBig) -> Interval {
        Interval { low: &self.low - by, high: &self.high + by }
    }

    pub fn of_corners(corners: impl IntoIterator<Item = IBig>) -> Option<Interval> {
        corners.into_iter().fold(None, |found: Option<Interval>, c| {
            Some(match found {
                None => Interval::point(c),
                Some(i) => Interval { low: i.low.min(c.clone()), high: i.high.max(c) },
            })
        })
    }

    pub fn hull(&self, other: &Interval) -> Interval {
        Interval {
            low: self.low.clone().min(other.low.clone()),
            high: self.high.clone().max(other.high.clone()),
        }
    }

    pub fn meet(&self, other: &Interval) -> Option<Interval> {
        let low = self.low.clone().max(other.low.clone());
        let high = self.high.clone().min(other.high.clone());
        (low <= high).then_some(Interval { low, high })
    }

    pub fn plus(&self, other: &Interval) -> Interval {
        Interval { low: &self.low + &other.low, high: &self.high + &other.high }
    }

    pub fn minus(&self, other: &Interval) -> Interval {
        Interval { low: &self.low - &other.high, high: &self.high - &other.low }
    }

    pub fn scaled(&self, by: &IBig) -> Interval {
        let (low, high) = (&self.low * by, &self.high * by);
        if *by < IBig::ZERO { Interval { low: high, high: low } } else { Interval { low, high } }
    }

    pub fn times(&self, other: &Interval) -> Interval {
        self.scaled(&other.low).hull(&self.scaled(&other.high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn members(i: &Interval) -> impl Iterator<Item = IBig> + use<> {
        let (mut next, high) = (i.low.clone(), i.high.clone());
        std::iter::from_fn(move || {
            let here = next.clone();
            next += IBig::ONE;
            (here <= high).then_some(here)
        })
    }

    proptest! {
        #[test]
        fn operations_are_the_least_that_hold_all_results(a in -9..9, b in 0..9, c in -9..9, d in 0..9) {
            let (x, y) = (Interval::new(a, a + b), Interval::new(c, c + d));
            let pairs = || members(&x).flat_map(|p| members(&y).map(move |q| (p.clone(), q)));
            let check = |found: Interval, results: Vec<IBig>| {
                assert_eq!(Interval::of_corners(results), Some(found));
            };
            check(x.plus(&y), pairs().map(|(p, q)| p + q).collect());
            check(x.minus(&y), pairs().map(|(p, q)| p - q).collect());
            check(x.times(&y), pairs().map(|(p, q)| p * q).collect());
            check(x.hull(&y), members(&x).chain(members(&y)).collect());
            let both: Vec<IBig> = members(&x).filter(|p| y.contains(&Interval::point(p.clone()))).collect();
            prop_assert_eq!(x.meet(&y), Interval::of_corners(both));
        }
    }
}
