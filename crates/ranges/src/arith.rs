//! Operators on sets of values.
//!
//! Small sets are computed member by member with the interpreter's own operators, so there is one meaning;
//! larger ones by their ends. Pairs on which an operation ends the execution have no result; where there is
//! no other pair, the result is anything, which nobody sees.

use crate::values::Values;
use interp::eval;
use ir::{BinOp, IntType, Target, Type, UnOp};

/// Pairs of members that are worth looking at one by one.
const MOST_PAIRS: i128 = 64;

const BOOL: IntType = IntType::new(1, false);

/// An operation on two integers of one type, or on two conditions (integers of one bit).
pub fn binary(target: &Target, op: BinOp, a: &Values, b: &Values) -> Values {
    let ty = a.ty();
    let result = if op.gives_bool() { BOOL } else { ty };
    match op {
        // The ends and common members decide these, for small sets as well.
        BinOp::Eq | BinOp::Ne => {
            let differ = a.meet(b).is_none();
            let same = a.single().is_some() && a.single() == b.single();
            return decided(
                if op == BinOp::Eq { same } else { differ },
                if op == BinOp::Eq { differ } else { same },
            );
        }
        BinOp::Lt => return decided(a.high() < b.low(), a.low() >= b.high()),
        BinOp::Le => return decided(a.high() <= b.low(), a.low() > b.high()),
        _ => {}
    }
    if a.count().saturating_mul(b.count()) <= MOST_PAIRS {
        return pairs(target, op, a, b, result).unwrap_or(Values::all(result));
    }
    match op {
        BinOp::Add => Values::wrapped(ty, a.low() + b.low(), a.high() + b.high()),
        BinOp::Sub => Values::wrapped(ty, a.low() - b.high(), a.high() - b.low()),
        BinOp::Mul => match product(a, b) {
            Some((low, high)) => Values::wrapped(ty, low, high),
            None => Values::all(ty),
        },
        BinOp::Div => quotient(a, b),
        BinOp::Rem => remainder(a, b),
        BinOp::And | BinOp::Or | BinOp::Xor => bitwise(op, a, b),
        BinOp::Shl => shift_left(a, b),
        BinOp::Shr => shift_right(a, b),
        BinOp::AddOverflows => leaves(ty, Some((a.low() + b.low(), a.high() + b.high()))),
        BinOp::SubOverflows => leaves(ty, Some((a.low() - b.high(), a.high() - b.low()))),
        BinOp::MulOverflows => leaves(ty, product(a, b)),
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::PtrAdd | BinOp::PtrSub => Values::all(result),
    }
}

/// Negation and complement, of integers or conditions.
pub fn unary(op: UnOp, a: &Values) -> Values {
    let value: fn(i128) -> i128 = match op {
        UnOp::Neg => |v| -v,
        UnOp::Not => |v| -1 - v,
        _ => return Values::all(a.ty()),
    };
    each(a.ty(), a, value).unwrap_or_else(|| Values::wrapped(a.ty(), value(a.high()), value(a.low())))
}

/// The values as another type counts them: truncated or extended.
pub fn cast(ty: IntType, a: &Values) -> Values {
    if ty == a.ty() {
        return a.clone();
    }
    each(ty, a, |v| v).unwrap_or_else(|| Values::wrapped(ty, a.low(), a.high()))
}

/// `value` of every member, if there are few with gaps between them.
fn each(ty: IntType, a: &Values, value: impl Fn(i128) -> i128) -> Option<Values> {
    let list = a.members()?;
    Values::of(ty, list.iter().map(|v| ty.value(ty.wrap(value(*v)))).collect())
}

fn pairs(target: &Target, op: BinOp, a: &Values, b: &Values, result: IntType) -> Option<Values> {
    let ty = a.ty();
    let operand = if ty == BOOL { Type::Bool } else { Type::Int(ty) };
    if let (Some(x), Some(y)) = (a.single(), b.single()) {
        let bits = eval::binary(target, op, operand, ty.wrap(x), ty.wrap(y)).ok()?;
        return Some(Values::constant(result, result.value(bits)));
    }
    let mut list = Vec::new();
    for x in a.each() {
        for y in b.each() {
            if let Ok(bits) = eval::binary(target, op, operand, ty.wrap(x), ty.wrap(y)) {
                list.push(result.value(bits));
            }
        }
    }
    Values::of(result, list)
}

fn truth(value: bool) -> Values {
    Values::constant(BOOL, i128::from(value))
}

fn decided(holds: bool, fails: bool) -> Values {
    if holds || fails { truth(holds) } else { Values::all(BOOL) }
}

/// Do exact results between these ends leave the type? None: nothing is known of them.
fn leaves(ty: IntType, exact: Option<(i128, i128)>) -> Values {
    let all = Values::all(ty);
    match exact {
        Some((low, high)) => {
            decided(high < all.low() || low > all.high(), low >= all.low() && high <= all.high())
        }
        None => Values::all(BOOL),
    }
}

fn ends(results: impl IntoIterator<Item = Option<i128>>) -> Option<(i128, i128)> {
    let mut found: Option<(i128, i128)> = None;
    for result in results {
        let v = result?;
        found = Some(found.map_or((v, v), |(low, high)| (low.min(v), high.max(v))));
    }
    found
}

fn product(a: &Values, b: &Values) -> Option<(i128, i128)> {
    let corners = [(a.low(), b.low()), (a.low(), b.high()), (a.high(), b.low()), (a.high(), b.high())];
    ends(corners.into_iter().map(|(x, y)| x.checked_mul(y)))
}

fn quotient(a: &Values, b: &Values) -> Values {
    let all = Values::all(a.ty());
    // Divisors of one sign: the quotient is monotonic in each operand where the sign of the other is fixed.
    let parts = [b.clip(i128::MIN, -1), b.clip(1, i128::MAX)];
    let quotients = parts.iter().flatten().flat_map(|d| {
        let corners = [(a.low(), d.low()), (a.low(), d.high()), (a.high(), d.low()), (a.high(), d.high())];
        corners.map(|(x, y)| x.checked_div(y))
    });
    // The least value divided by -1 has no result, so what lies above the type is none.
    ends(quotients).and_then(|(low, high)| Values::between(a.ty(), low, high)).unwrap_or(all)
}

fn remainder(a: &Values, b: &Values) -> Values {
    let most = b.low().abs().max(b.high().abs()) - 1;
    if most < 0 {
        return Values::all(a.ty());
    }
    // Between two multiples of the divisor the remainder grows with the dividend.
    if let Some(d) = b.single()
        && a.low() / d == a.high() / d
        && (a.low() >= 0 || a.high() <= 0)
    {
        return Values::between(a.ty(), a.low() % d, a.high() % d).unwrap_or(Values::all(a.ty()));
    }
    // The sign is the dividend's, and so is the bound.
    let low = if a.low() < 0 { a.low().max(-most) } else { 0 };
    let high = if a.high() > 0 { a.high().min(most) } else { 0 };
    Values::between(a.ty(), low, high).unwrap_or(Values::all(a.ty()))
}

/// The least `2^k - 1` that is not below a number that is not negative.
fn ones_above(v: i128) -> i128 {
    if v <= 0 { 0 } else { i128::MAX >> (v.leading_zeros() - 1) }
}

fn bitwise(op: BinOp, a: &Values, b: &Values) -> Values {
    // All operands lie between -(ones + 1) and ones, and so do all results.
    let ones = [a, b].map(|v| ones_above(v.high()).max(ones_above(-1 - v.low())));
    let ones = ones[0].max(ones[1]);
    let (some_negative, positive) = (a.low() < 0 || b.low() < 0, a.low() >= 0 || b.low() >= 0);
    let both_positive = a.low() >= 0 && b.low() >= 0;
    let (low, high) = match op {
        BinOp::And if both_positive => (0, a.high().min(b.high())),
        // Bits of the other can only go away.
        BinOp::And if positive => (0, if a.low() >= 0 { a.high() } else { b.high() }),
        BinOp::And => (-1 - ones, a.high().max(b.high())),
        BinOp::Or if both_positive => (a.low().max(b.low()), ones),
        BinOp::Or => (a.low().min(b.low()), if a.high() < 0 || b.high() < 0 { -1 } else { ones }),
        _ => (if some_negative { -1 - ones } else { 0 }, ones),
    };
    Values::between(a.ty(), low, high).unwrap_or(Values::all(a.ty()))
}

/// The counts, if they are below the width, as they are in programs that mean something.
fn counts(b: &Values, ty: IntType) -> Option<(u32, u32)> {
    (b.low() >= 0 && b.high() < i128::from(ty.bits)).then_some((b.low() as u32, b.high() as u32))
}

fn shift_left(a: &Values, b: &Values) -> Values {
    let ty = a.ty();
    let Some((least, most)) = counts(b, ty) else { return Values::all(ty) };
    let by = |v: i128, count: u32| v.checked_mul(1i128 << count);
    match ends([by(a.low(), least), by(a.low(), most), by(a.high(), least), by(a.high(), most)]) {
        // One count keeps the distance between neighbours small enough to wrap as one piece; several must not
        // wrap.
        Some((low, high)) if least == most => Values::wrapped(ty, low, high),
        Some((low, high)) => {
            let all = Values::all(ty);
            let fits = low >= all.low() && high <= all.high();
            if fits { Values::between(ty, low, high).unwrap_or(all) } else { all }
        }
        None => Values::all(ty),
    }
}

fn shift_right(a: &Values, b: &Values) -> Values {
    let ty = a.ty();
    let (least, most) = counts(b, ty).unwrap_or((0, u32::from(ty.bits) - 1));
    let corners = [a.low() >> least, a.low() >> most, a.high() >> least, a.high() >> most].map(Some);
    ends(corners).and_then(|(low, high)| Values::between(ty, low, high)).unwrap_or(Values::all(ty))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TYPES: [IntType; 5] = [
        IntType::new(8, true),
        IntType::new(8, false),
        IntType::new(32, true),
        IntType::new(64, true),
        IntType::new(64, false),
    ];

    /// Numbers near the ends of types, and small ones.
    fn number() -> impl Strategy<Value = i128> {
        let base =
            prop::sample::select(vec![0i128, 0, 1 << 7, 1 << 8, 1 << 31, 1 << 63, 1 << 64, -(1 << 63)]);
        (base, -70i128..70).prop_map(|(a, b)| a + b)
    }

    fn values(ty: IntType, ends: (i128, i128), picks: &[i128]) -> Values {
        let in_type = |v: i128| ty.value(ty.wrap(v));
        if picks.is_empty() {
            let (a, b) = (in_type(ends.0), in_type(ends.1));
            Values::between(ty, a.min(b), a.max(b)).expect("an interval")
        } else {
            Values::of(ty, picks.iter().map(|v| in_type(*v)).collect()).expect("not empty")
        }
    }

    /// Some members: the ends, their neighbours, all that are listed, and a few in between.
    fn sample(v: &Values) -> Vec<i128> {
        let mid = v.low() + (v.high() - v.low()) / 3;
        let near = [v.low(), v.low() + 1, mid, mid + 1, 0, -1, 1, v.high() - 1, v.high()];
        let listed = v.members().unwrap_or_default().iter().copied();
        near.into_iter().chain(listed).filter(|m| v.contains(*m)).collect()
    }

    fn result_of(op: BinOp, ty: IntType, x: i128, y: i128) -> Option<i128> {
        let bits = eval::binary(&Target::LP64, op, Type::Int(ty), ty.wrap(x), ty.wrap(y)).ok()?;
        Some(if op.gives_bool() { bits as i128 } else { ty.value(bits) })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn results_are_covered(
            ty in prop::sample::select(TYPES.to_vec()),
            other in prop::sample::select(TYPES.to_vec()),
            a in (number(), number()), pa in prop::collection::vec(number(), 0..5),
            b in (number(), number()), pb in prop::collection::vec(number(), 0..5),
        ) {
            let (a, b) = (values(ty, a, &pa), values(ty, b, &pb));
            let joined = a.join(&b);
            prop_assert!(a.within(&joined) && b.within(&joined));
            let widened = a.widen(&b, &[-5, 0, 100]);
            prop_assert!(joined.within(&widened));
            let (met, negated, complement, other_type) =
                (a.meet(&b), unary(UnOp::Neg, &a), unary(UnOp::Not, &a), cast(other, &a));
            for x in sample(&a) {
                prop_assert!(negated.contains(ty.value(ty.wrap(-x))));
                prop_assert!(complement.contains(ty.value(ty.wrap(!x))));
                prop_assert!(other_type.contains(other.value(other.wrap(x))));
                if b.contains(x) {
                    prop_assert!(met.as_ref().is_some_and(|m| m.contains(x)));
                }
                for y in sample(&b) {
                    prop_assert!(x == y || a.without(y).is_some_and(|v| v.contains(x)));
                    for op in BinOp::ALL.into_iter().filter(|op| !matches!(op, BinOp::PtrAdd | BinOp::PtrSub)) {
                        let Some(exact) = result_of(op, ty, x, y) else { continue };
                        let found = binary(&Target::LP64, op, &a, &b);
                        prop_assert!(found.contains(exact), "{op:?} {x} {y}: {exact} in {found:?} of {a:?} {b:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn ends_are_exact() {
        let check = |ty: IntType, op: BinOp, a: (i128, i128), b: (i128, i128), expected: (i128, i128)| {
            let values = |(low, high): (i128, i128)| Values::between(ty, low, high).expect("an interval");
            let found = binary(&Target::LP64, op, &values(a), &values(b));
            assert_eq!((found.low(), found.high()), expected, "{op:?} {a:?} {b:?}");
        };
        let (int, byte) = (IntType::new(32, true), IntType::new(8, false));
        check(int, BinOp::Add, (0, 99), (1, 1), (1, 100));
        check(byte, BinOp::Add, (200, 210), (100, 110), (44, 64));
        check(byte, BinOp::Add, (100, 210), (100, 110), (0, 255));
        check(byte, BinOp::Sub, (0, 20), (100, 110), (146, 176));
        check(int, BinOp::Mul, (-3, 100), (-2, 7), (-200, 700));
        check(int, BinOp::Div, (-100, 100), (0, 7), (-100, 100));
        check(int, BinOp::Div, (50, 1000), (5, 10), (5, 200));
        check(int, BinOp::Rem, (0, 1000), (10, 10), (0, 9));
        check(int, BinOp::Rem, (-1000, 5), (-8, 8), (-7, 5));
        check(int, BinOp::And, (-1000, 1000), (15, 15), (0, 15));
        check(int, BinOp::Or, (0, 100), (8, 8), (8, 127));
        check(int, BinOp::Xor, (0, 100), (0, 5), (0, 127));
        check(int, BinOp::Shl, (1, 100), (3, 3), (8, 800));
        check(int, BinOp::Shr, (-100, 1000), (2, 2), (-25, 250));
        check(int, BinOp::Lt, (0, 100), (101, 200), (1, 1));
        check(int, BinOp::Le, (0, 100), (100, 200), (1, 1));
        check(int, BinOp::AddOverflows, (0, 100), (100, 200), (0, 0));
    }
}
