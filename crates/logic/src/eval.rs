//! What a term evaluates to when its variables have values.
//!
//! Nothing is guessed: where a value is needed that is not known (a variable without one, an integer divided
//! by zero, a quantifier, a float conversion out of range), the result is None. What is not needed does not
//! count: `false and x` is false, and a choice needs one branch only.

use crate::bits::{mask, to_signed};
use crate::fold_float as float;
use crate::sort::Sort;
use crate::term::{Op, Term};
use crate::value::{Value, is_nan};
use dashu_int::IBig;
use dashu_int::ops::DivRemEuclid;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// `known` gives the value of a variable, and of an uninterpreted function applied to constants.
pub fn eval(term: Term, known: &dyn Fn(Term) -> Option<Value>) -> Option<Value> {
    let mut done: FxHashMap<Term, Option<Value>> = FxHashMap::default();
    // Iterative: terms can be deeper than any stack.
    let mut stack = vec![term];
    while let Some(&t) = stack.last() {
        if done.contains_key(&t) {
            stack.pop();
            continue;
        }
        let before = stack.len();
        stack.extend(needed(t, &done));
        if stack.len() == before {
            let value = node(t, &done, known);
            debug_assert!(value.as_ref().is_none_or(|v| v.sort() == t.sort()), "{t} is {value:?}");
            done.insert(t, value);
            stack.pop();
        }
    }
    done.remove(&term).flatten()
}

type Done = FxHashMap<Term, Option<Value>>;

/// The arguments to evaluate before this node, less those that are done.
fn needed<'a>(term: Term, done: &'a Done) -> impl Iterator<Item = Term> + 'a {
    let args = term.args();
    let list = match term.op() {
        Op::Ite => match done.get(&args[0]) {
            None => &args[..1],
            Some(Some(Value::Bool(true))) => &args[1..2],
            Some(Some(Value::Bool(false))) => &args[2..3],
            // Without the condition: equal branches will do.
            Some(_) => &args[1..],
        },
        Op::Forall | Op::Exists => &[],
        _ => args,
    };
    list.iter().copied().filter(|a| !done.contains_key(a))
}

fn node(term: Term, done: &Done, known: &dyn Fn(Term) -> Option<Value>) -> Option<Value> {
    let args = term.args();
    let get = |t: &Term| done.get(t).and_then(|v| v.as_ref());
    match term.op() {
        Op::Var(_) => known(term).filter(|v| v.sort() == term.sort()),
        Op::And | Op::Or => {
            let absorbing = *term.op() == Op::Or;
            let values: Vec<Option<bool>> = args.iter().map(|a| get(a).and_then(Value::as_bool)).collect();
            if values.contains(&Some(absorbing)) {
                return Some(Value::Bool(absorbing));
            }
            values.iter().all(Option::is_some).then_some(Value::Bool(!absorbing))
        }
        Op::Ite => match get(&args[0]).and_then(Value::as_bool) {
            Some(true) => get(&args[1]).cloned(),
            Some(false) => get(&args[2]).cloned(),
            None => get(&args[1]).filter(|a| get(&args[2]) == Some(a)).cloned(),
        },
        Op::Forall | Op::Exists => None,
        Op::Apply(function) => {
            let args: Option<Vec<Term>> = args.iter().map(|a| get(a).map(Value::to_term)).collect();
            known(Term::apply(function, args?, term.sort())).filter(|v| v.sort() == term.sort())
        }
        op => {
            let values: Option<Vec<&Value>> = args.iter().map(get).collect();
            operate(op, term.sort(), &values?)
        }
    }
}

/// A strict operation on values; None where its result is unspecified or cannot be computed here.
pub(crate) fn operate(op: &Op, sort: Sort, args: &[&Value]) -> Option<Value> {
    let bools = |i: usize| args.get(i).and_then(|v| v.as_bool());
    let ints = |i: usize| args.get(i).and_then(|v| v.as_int());
    let truth = |b: bool| Some(Value::Bool(b));
    match op {
        Op::True => truth(true),
        Op::False => truth(false),
        Op::Int(value) => Some(Value::Int(value.clone())),
        Op::Bv(bits) => Some(Value::bv(*bits, sort.width()?)),
        Op::Float(bits) => Some(Value::float(*bits, sort)),
        Op::Not => truth(!bools(0)?),
        Op::Eq => truth(args.first()? == args.get(1)?),
        Op::Add => args.iter().try_fold(IBig::ZERO, |sum, v| v.as_int().map(|n| sum + n)).map(Value::Int),
        Op::Mul => {
            args.iter().try_fold(IBig::ONE, |product, v| v.as_int().map(|n| product * n)).map(Value::Int)
        }
        Op::Div | Op::Mod => {
            let (n, d) = (ints(0)?, ints(1)?);
            if *d == IBig::ZERO {
                return None;
            }
            let (quotient, remainder) = n.div_rem_euclid(d);
            Some(Value::Int(if *op == Op::Div { quotient } else { IBig::from(remainder) }))
        }
        Op::Le => truth(ints(0)? <= ints(1)?),
        Op::Lt => truth(ints(0)? < ints(1)?),
        Op::IntToBv(width) => Some(Value::number(Sort::Bv(*width), ints(0)?)),
        Op::Select => Some(args.first()?.as_array()?.get(args.get(1)?).clone()),
        Op::Store => {
            let array = args.first()?.as_array()?;
            let (index, element) = (*args.get(1)?, *args.get(2)?);
            Some(Value::Array(Arc::new(array.set(index.clone(), element.clone()))))
        }
        Op::ConstArray => Some(Value::array(sort.index()?, (*args.first()?).clone(), [])),
        Op::FpFromBits => Some(Value::float(args.first()?.as_bv()?, sort)),
        Op::FpToBits => match args.first()? {
            // Which encoding a NaN has is unspecified.
            Value::Float { bits, sort } if !is_nan(*bits, *sort) => Some(Value::bv(*bits, sort.width()?)),
            _ => None,
        },
        _ => match args.first()? {
            Value::Float { .. } => float::operate(op, sort, args),
            Value::Bv { bits, width } if matches!(op, Op::FpFromSigned(_) | Op::FpFromUnsigned(_)) => {
                float::from_integer(op, sort, *bits, *width)
            }
            Value::Bv { bits, width } => bits_operation(op, sort, *bits, *width, &args[1..]),
            _ => None,
        },
    }
}

/// An operation whose first argument is the bit-vector `a`.
fn bits_operation(op: &Op, sort: Sort, a: u128, width: u32, rest: &[&Value]) -> Option<Value> {
    let signed = |bits: u128| to_signed(bits, width);
    // Sums and products have any number of arguments.
    if let Op::BvAdd | Op::BvMul = op {
        let total = rest.iter().try_fold(a, |acc, v| {
            let b = v.as_bv()?;
            Some(if *op == Op::BvAdd { acc.wrapping_add(b) } else { acc.wrapping_mul(b) })
        })?;
        return Some(Value::bv(total, width));
    }
    let unary = match op {
        Op::BvNot => Some(!a),
        Op::Extract { low, .. } => Some(a >> low),
        Op::ZeroExtend(_) => Some(a),
        Op::SignExtend(_) => Some(signed(a) as u128),
        Op::BvToInt { signed: true } => return Some(Value::Int(signed(a).into())),
        Op::BvToInt { signed: false } => return Some(Value::Int(a.into())),
        _ => None,
    };
    if let Some(bits) = unary {
        return Some(Value::bv(bits, sort.width()?));
    }
    let b = rest.first()?.as_bv()?;
    let shifted =
        |f: fn(u128, u32) -> u128, out: u128| if b < u128::from(width) { f(a, b as u32) } else { out };
    let bits = match op {
        Op::BvAnd => a & b,
        Op::BvOr => a | b,
        Op::BvXor => a ^ b,
        Op::BvShl => shifted(|a, b| a << b, 0),
        Op::BvLshr => shifted(|a, b| a >> b, 0),
        Op::BvAshr => (signed(a) >> b.min(u128::from(width - 1))) as u128,
        Op::BvUdiv => a.checked_div(b).unwrap_or(u128::MAX),
        Op::BvUrem => a.checked_rem(b).unwrap_or(a),
        Op::BvSdiv if b == 0 => {
            if signed(a) < 0 {
                1
            } else {
                u128::MAX
            }
        }
        Op::BvSdiv => signed(a).wrapping_div(signed(b)) as u128,
        Op::BvSrem if b == 0 => a,
        Op::BvSrem => signed(a).wrapping_rem(signed(b)) as u128,
        Op::Concat => a << rest.first()?.sort().width()? | b,
        _ => {
            let holds = match op {
                Op::BvUle => a <= b,
                Op::BvUlt => a < b,
                Op::BvSle => signed(a) <= signed(b),
                Op::BvSlt => signed(a) < signed(b),
                Op::BvMulFits { signed: true } => {
                    let half = IBig::ONE << (width - 1) as usize;
                    let product = IBig::from(signed(a)) * IBig::from(signed(b));
                    -&half <= product && product < half
                }
                Op::BvMulFits { signed: false } => IBig::from(a) * IBig::from(b) <= IBig::from(mask(width)),
                _ => return None,
            };
            return Some(Value::Bool(holds));
        }
    };
    Some(Value::bv(bits, sort.width()?))
}
