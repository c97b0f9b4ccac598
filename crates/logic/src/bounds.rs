//! Integers between bounds: what several inequalities about one sum say together, and how large a sum can be.

use crate::interval::Interval;
use crate::sort::Sort;
use crate::term::{Args, Op, Term};
use dashu_int::IBig;
use rustc_hash::FxHashMap;

/// Joins the inequalities and equations about equal sums in a conjunction. None if it is false; the list may
/// change else.
pub(crate) fn conjoin(list: &mut Args) -> Option<()> {
    join(list, false)
}

/// The same for a disjunction; None if it is true. Its negated members form a conjunction.
pub(crate) fn disjoin(list: &mut Args) -> Option<()> {
    join(list, true)
}

/// The values of an integer term, where its operator limits them.
pub(crate) fn range(term: Term) -> Option<Interval> {
    match term.op() {
        Op::Int(value) => Some(Interval::point(value.clone())),
        Op::BvToInt { signed } => Some(Interval::of_bits(term.args()[0].width(), *signed)),
        Op::Mod => {
            let divisor = term.args()[1].as_int().filter(|d| **d != IBig::ZERO)?;
            let size = if *divisor < IBig::ZERO { -divisor } else { divisor.clone() };
            Some(Interval { low: IBig::ZERO, high: size - IBig::ONE })
        }
        Op::Ite => {
            let (a, b) = (term.args()[1].as_int()?, term.args()[2].as_int()?);
            Interval::of_corners([a.clone(), b.clone()])
        }
        _ => None,
    }
}

/// The range of constant + sum of coefficient * term.
pub(crate) fn sum_range<'a>(
    constant: &IBig,
    mut terms: impl Iterator<Item = (&'a Term, &'a IBig)>,
) -> Option<Interval> {
    terms.try_fold(Interval::point(constant.clone()), |sum, (term, c)| {
        Some(sum.plus(&range(*term)?.scaled(c)))
    })
}

/// What is known of a difference `left - right`, and the members that say it.
#[derive(Default)]
struct Known {
    low: Option<(IBig, Term)>,
    high: Option<(IBig, Term)>,
    value: Option<(IBig, Term)>,
    members: usize,
}

type Key = (Option<Term>, Option<Term>);

fn join(list: &mut Args, negate: bool) -> Option<()> {
    let is_bound = |t: &&Term| *t.op() == Op::Le || equation(**t, negate).is_some();
    if list.iter().filter(is_bound).count() < 2 {
        return Some(());
    }
    let mut known: FxHashMap<Key, Known> = FxHashMap::default();
    let mut keys: Vec<Key> = Vec::new();
    for &member in list.iter() {
        let Some((key, fact)) = fact(member, negate) else { continue };
        let entry = known.entry(key).or_insert_with(|| {
            keys.push(key);
            Known::default()
        });
        entry.members += 1;
        let tighter = |old: &Option<(IBig, Term)>, better: &dyn Fn(&IBig) -> bool| {
            old.as_ref().is_none_or(|(value, _)| better(value))
        };
        match fact {
            Fact::AtLeast(k) => {
                if tighter(&entry.low, &|old| k > *old) {
                    entry.low = Some((k, member));
                }
            }
            Fact::AtMost(k) => {
                if tighter(&entry.high, &|old| k < *old) {
                    entry.high = Some((k, member));
                }
            }
            Fact::Is(k) => {
                if entry.value.as_ref().is_some_and(|(old, _)| *old != k) {
                    return None;
                }
                entry.value = Some((k, member));
            }
        }
    }
    if known.values().all(|k| k.members < 2) {
        return Some(());
    }
    list.retain(|t| fact(*t, negate).is_none());
    for key in keys {
        let Some(mut k) = known.remove(&key) else { continue };
        if let Some((value, member)) = k.value {
            if k.low.is_some_and(|(low, _)| value < low) || k.high.is_some_and(|(high, _)| value > high) {
                return None;
            }
            list.push(member);
            continue;
        }
        if let (Some((low, _)), Some((high, _))) = (&k.low, &k.high) {
            if low > high {
                return None;
            }
            if low == high {
                let equal = difference(key).equals(Term::int(low.clone()));
                list.push(if negate { equal.not() } else { equal });
                continue;
            }
        }
        list.extend(k.low.take().into_iter().chain(k.high.take()).map(|(_, member)| member));
    }
    list.sort();
    list.dedup();
    Some(())
}

enum Fact {
    AtLeast(IBig),
    AtMost(IBig),
    Is(IBig),
}

/// What a member says (or its negation) about the difference of two sums without constants. The two are in
/// order, so that both directions of an inequality are about the same difference.
fn fact(member: Term, negate: bool) -> Option<(Key, Fact)> {
    let (atom, is_equation) = match equation(member, negate) {
        Some(equation) => (equation, true),
        None if *member.op() == Op::Le => (member, false),
        None => return None,
    };
    let ((left, a), (right, b)) = (split(atom.args()[0]), split(atom.args()[1]));
    // left - right <= k, or = k
    let k = b - a;
    let in_order = left.is_some() && (right.is_none() || left < right);
    let (key, k) = if in_order { ((left, right), k) } else { ((right, left), -k) };
    let fact = match (is_equation, in_order, negate) {
        (true, ..) => Fact::Is(k),
        (_, true, false) => Fact::AtMost(k),
        (_, true, true) => Fact::AtLeast(k + IBig::ONE),
        (_, false, false) => Fact::AtLeast(k),
        (_, false, true) => Fact::AtMost(k - IBig::ONE),
    };
    Some((key, fact))
}

/// The integer equation that a member is, or that its negation is.
fn equation(member: Term, negate: bool) -> Option<Term> {
    let atom = match (member.op(), negate) {
        (Op::Eq, false) => member,
        (Op::Not, true) if *member.args()[0].op() == Op::Eq => member.args()[0],
        _ => return None,
    };
    (atom.args()[0].sort() == Sort::Int).then_some(atom)
}

/// A sum as what varies and its constant.
fn split(term: Term) -> (Option<Term>, IBig) {
    match (term.op(), term.args()) {
        (Op::Int(value), _) => (None, value.clone()),
        (Op::Add, [first, rest @ ..]) => match (first.as_int(), rest) {
            (Some(value), [one]) => (Some(*one), value.clone()),
            (Some(value), rest) => {
                (Some(Term::make(Op::Add, rest.iter().copied(), Sort::Int)), value.clone())
            }
            (None, _) => (Some(term), IBig::ZERO),
        },
        _ => (Some(term), IBig::ZERO),
    }
}

fn difference(key: Key) -> Term {
    let zero = Term::int(0);
    key.0.unwrap_or(zero).sub(key.1.unwrap_or(zero))
}
