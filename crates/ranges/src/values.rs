//! A set of integers of one type: a few members, or all between two ends.
//!
//! At most [`MOST`] members are told apart; a set without gaps is an interval, so each has one form only.
//! Sets are never empty: what would be empty is `None`. A pointer is an unsigned integer of its width of
//! which only null, anything but null and anything are told apart ([`Values::coarse`]): where objects lie is
//! nobody's business.
//!
//! `logic::Interval` is for numbers of any size in terms. Here values wrap, sets have gaps, and the fixpoint
//! makes so many of them that machine numbers matter.

use ir::{IntType, Target, Type};
use std::sync::Arc;

/// Members that a set with gaps has at most.
pub const MOST: usize = 8;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Values {
    ty: IntType,
    low: i128,
    high: i128,
    /// All members, ascending, if there are gaps.
    members: Option<Arc<[i128]>>,
}

/// How values of a type are counted: pointers without sign, conditions as one bit. None for types without
/// bounds: floats, and 128 bits, whose ends do not fit.
pub fn shape(ty: Type, target: &Target) -> Option<IntType> {
    match ty {
        Type::Bool => Some(IntType::new(1, false)),
        Type::Int(int) if int.bits <= 64 => Some(int),
        Type::Ptr => Some(IntType::new(target.pointer_bits, false)),
        Type::Int(_) | Type::Float(_) => None,
    }
}

fn least(ty: IntType) -> i128 {
    if ty.signed { -(1i128 << (ty.bits - 1)) } else { 0 }
}

fn greatest(ty: IntType) -> i128 {
    ty.max_bits() as i128
}

impl Values {
    /// All values of a type of at most 64 bits.
    pub fn all(ty: IntType) -> Values {
        Values { ty, low: least(ty), high: greatest(ty), members: None }
    }

    /// One value, wrapped into the type.
    pub fn constant(ty: IntType, value: i128) -> Values {
        let value = ty.value(ty.wrap(value));
        Values { ty, low: value, high: value, members: None }
    }

    /// The values of the type between two numbers.
    pub fn between(ty: IntType, low: i128, high: i128) -> Option<Values> {
        let (low, high) = (low.max(least(ty)), high.min(greatest(ty)));
        (low <= high).then_some(Values { ty, low, high, members: None })
    }

    /// The smallest set with these members, which are values of the type.
    pub fn of(ty: IntType, mut list: Vec<i128>) -> Option<Values> {
        list.sort_unstable();
        list.dedup();
        let (low, high) = (*list.first()?, *list.last()?);
        let gaps = high - low + 1 > list.len() as i128;
        let members = (gaps && list.len() <= MOST).then(|| list.into());
        Some(Values { ty, low, high, members })
    }

    /// All numbers between two ends, each wrapped into the type.
    pub fn wrapped(ty: IntType, low: i128, high: i128) -> Values {
        if low >= least(ty) && high <= greatest(ty) {
            return Values { ty, low, high, members: None };
        }
        let (first, last) = (ty.value(ty.wrap(low)), ty.value(ty.wrap(high)));
        // Without a jump from the type's greatest value to its least one they stay an interval.
        match high.checked_sub(low) {
            Some(width) if last.checked_sub(first) == Some(width) => {
                Values { ty, low: first, high: last, members: None }
            }
            _ => Values::all(ty),
        }
    }

    pub fn ty(&self) -> IntType {
        self.ty
    }

    pub fn low(&self) -> i128 {
        self.low
    }

    pub fn high(&self) -> i128 {
        self.high
    }

    /// The members of a set with gaps, ascending; otherwise everything from the low to the high end is one.
    pub fn members(&self) -> Option<&[i128]> {
        self.members.as_deref()
    }

    /// The only member.
    pub fn single(&self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    pub fn is_all(&self) -> bool {
        self.low == least(self.ty) && self.high == greatest(self.ty) && self.members.is_none()
    }

    pub fn contains(&self, value: i128) -> bool {
        match &self.members {
            Some(list) => list.binary_search(&value).is_ok(),
            None => self.low <= value && value <= self.high,
        }
    }

    pub fn count(&self) -> i128 {
        match &self.members {
            Some(list) => list.len() as i128,
            None => self.high - self.low + 1,
        }
    }

    /// The members in order; for sets that are known to be small.
    pub fn each(&self) -> impl Iterator<Item = i128> + '_ {
        let listed = self.members.as_deref().unwrap_or_default();
        let range = if self.members.is_none() { Some(self.low..=self.high) } else { None };
        listed.iter().copied().chain(range.into_iter().flatten())
    }

    pub fn within(&self, other: &Values) -> bool {
        match &other.members {
            None => other.low <= self.low && self.high <= other.high,
            Some(list) => self.count() <= list.len() as i128 && self.each().all(|v| other.contains(v)),
        }
    }

    pub fn join(&self, other: &Values) -> Values {
        if self == other {
            return self.clone();
        }
        let most = MOST as i128;
        if self.count() <= most
            && other.count() <= most
            && let Some(union) = Values::of(self.ty, self.each().chain(other.each()).collect())
        {
            return union;
        }
        if other.within(self) {
            return self.clone();
        }
        if self.within(other) {
            return other.clone();
        }
        Values { ty: self.ty, low: self.low.min(other.low), high: self.high.max(other.high), members: None }
    }

    pub fn meet(&self, other: &Values) -> Option<Values> {
        match (&self.members, &other.members) {
            (Some(list), _) => {
                Values::of(self.ty, list.iter().copied().filter(|v| other.contains(*v)).collect())
            }
            (None, Some(list)) => {
                Values::of(self.ty, list.iter().copied().filter(|v| self.contains(*v)).collect())
            }
            (None, None) => self.clip(other.low, other.high),
        }
    }

    /// The members between two numbers.
    pub fn clip(&self, low: i128, high: i128) -> Option<Values> {
        match &self.members {
            Some(list) => {
                Values::of(self.ty, list.iter().copied().filter(|v| low <= *v && *v <= high).collect())
            }
            None => Values::between(self.ty, self.low.max(low), self.high.min(high)),
        }
    }

    /// All members but one. What lies inside a long interval stays in it.
    pub fn without(&self, value: i128) -> Option<Values> {
        if !self.contains(value) {
            Some(self.clone())
        } else if self.count() <= MOST as i128 + 1 {
            Values::of(self.ty, self.each().filter(|v| *v != value).collect())
        } else if value == self.low {
            self.clip(value + 1, self.high)
        } else if value == self.high {
            self.clip(self.low, value - 1)
        } else {
            Some(self.clone())
        }
    }

    /// Something above both that can grow only a limited number of times: few members, then ends from `steps`
    /// (ascending), then the ends of the type.
    pub fn widen(&self, newer: &Values, steps: &[i128]) -> Values {
        let join = self.join(newer);
        // A counter is one too, so less patience with what has no gaps.
        let few = if join.members.is_some() { MOST } else { MOST / 2 };
        if join.count() <= few as i128 || join == *self {
            return join;
        }
        let low = if join.low < self.low {
            let below = steps.partition_point(|s| *s <= join.low);
            below.checked_sub(1).map_or(least(self.ty), |i| steps[i]).max(least(self.ty))
        } else {
            join.low
        };
        let high = if join.high > self.high {
            let above = steps.partition_point(|s| *s < join.high);
            steps.get(above).copied().unwrap_or(greatest(self.ty)).min(greatest(self.ty))
        } else {
            join.high
        };
        Values { ty: self.ty, low, high, members: None }
    }

    /// As a pointer: null, anything but null, or anything.
    pub fn coarse(self) -> Values {
        match self.contains(0) {
            true if self.single().is_some() => self,
            true => Values::all(self.ty),
            false => Values { low: 1, high: greatest(self.ty), members: None, ..self },
        }
    }
}
