//! Sets of predicates of one symbol, by their numbers.

/// No word at the end is zero, so that equal sets are equal data.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub(super) struct Facts(Vec<u64>);

impl Facts {
    pub(super) fn insert(&mut self, number: usize) {
        let word = number / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    pub(super) fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|w| w >> (number % 64) & 1 == 1)
    }

    pub(super) fn is_subset(&self, other: &Facts) -> bool {
        self.0.len() <= other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    pub(super) fn intersection(&self, other: &Facts) -> Facts {
        let mut words: Vec<u64> = self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect();
        while words.last() == Some(&0) {
            words.pop();
        }
        Facts(words)
    }

    /// The same numbers from `first` on?
    pub(super) fn agrees_from(&self, first: usize, other: &Facts) -> bool {
        let word = |facts: &Facts, i: usize| {
            let bits = facts.0.get(i).copied().unwrap_or(0);
            if i > first / 64 { bits } else { bits & (u64::MAX << (first % 64)) }
        };
        (first / 64..self.0.len().max(other.0.len())).all(|i| word(self, i) == word(other, i))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|&n| self.contains(n))
    }
}

impl FromIterator<usize> for Facts {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Facts {
        let mut facts = Facts::default();
        numbers.into_iter().for_each(|n| facts.insert(n));
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn sets() -> impl Strategy<Value = BTreeSet<usize>> {
        proptest::collection::btree_set(0usize..200, 0..6)
    }

    proptest! {
        #[test]
        fn like_sets(a in sets(), b in sets(), first in 0usize..200) {
            let (x, y): (Facts, Facts) = (a.iter().copied().collect(), b.iter().copied().collect());
            prop_assert_eq!(x.iter().collect::<BTreeSet<_>>(), a.clone());
            prop_assert_eq!(x.is_subset(&y), a.is_subset(&b));
            prop_assert_eq!(x == y, a == b);
            let both: Facts = a.intersection(&b).copied().collect();
            prop_assert_eq!(x.intersection(&y), both);
            let from = |s: &BTreeSet<usize>| s.range(first..).copied().collect::<Vec<_>>();
            prop_assert_eq!(x.agrees_from(first, &y), from(&a) == from(&b));
            prop_assert!(x.agrees_from(first, &x));
        }
    }
}
