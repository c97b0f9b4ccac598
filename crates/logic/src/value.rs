//! Values: what a closed term means, and what a model gives to a variable.
//!
//! Equal values are equal data: a NaN has one encoding, and the elements of an array that equal its default
//! are not listed.

use crate::bits::mask;
use crate::number::number;
use crate::print;
use crate::sort::Sort;
use crate::term::Term;
use dashu_int::IBig;
use dashu_int::ops::DivRemEuclid;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    Bool(bool),
    Int(IBig),
    /// The bits beyond the width are zero.
    Bv {
        bits: u128,
        width: u32,
    },
    /// The IEEE encoding; see [`Value::float`] for NaN.
    Float {
        bits: u128,
        sort: Sort,
    },
    Array(Arc<ArrayValue>),
}

/// A total map. Built with [`ArrayValue::new`], so that equal maps are equal data.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayValue {
    pub index: Sort,
    pub element: Sort,
    /// The element at every index that has no entry; the most frequent one if indices are so few that they
    /// can be counted.
    pub default: Box<Value>,
    pub entries: BTreeMap<Value, Value>,
}

impl Value {
    pub fn int(value: impl Into<IBig>) -> Value {
        Value::Int(value.into())
    }

    /// Cut to the width.
    pub fn bv(bits: u128, width: u32) -> Value {
        Value::Bv { bits: bits & mask(width), width }
    }

    /// From the IEEE encoding. All NaNs are one value.
    pub fn float(bits: u128, sort: Sort) -> Value {
        Value::Float { bits: one_nan(bits, sort), sort }
    }

    pub fn array(index: Sort, default: Value, entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
        Value::Array(Arc::new(ArrayValue::new(index, default, entries)))
    }

    /// A number of a number sort: for bit-vectors, modulo 2^width.
    pub fn number(sort: Sort, value: &IBig) -> Value {
        match sort {
            Sort::Bv(width) => {
                let bits = value.div_rem_euclid(IBig::ONE << width as usize).1;
                Value::bv(u128::try_from(bits).unwrap_or(0), width)
            }
            _ => Value::Int(value.clone()),
        }
    }

    /// Some value of a sort: false, zero, or an array of such.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(IBig::ZERO),
            Sort::Bv(width) => Value::bv(0, width),
            Sort::Float(..) => Value::float(0, sort),
            Sort::Array(parts) => Value::array(parts.0, Value::zero(parts.1), []),
        }
    }

    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Bv { width, .. } => Sort::Bv(*width),
            Value::Float { sort, .. } => *sort,
            Value::Array(array) => Sort::array(array.index, array.element),
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_int(&self) -> Option<&IBig> {
        match self {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_bv(&self) -> Option<u128> {
        match self {
            Value::Bv { bits, .. } => Some(*bits),
            _ => None,
        }
    }

    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(array) => Some(array),
            _ => None,
        }
    }

    /// The value that a constant term is, also of arrays made of constants.
    pub fn of(term: Term) -> Option<Value> {
        crate::eval::eval(term, &|_| None)
    }

    pub fn to_term(&self) -> Term {
        match self {
            Value::Bool(value) => Term::bool(*value),
            Value::Int(value) => number(Sort::Int, value),
            Value::Bv { bits, width } => Term::bv(*bits, *width),
            Value::Float { bits, sort } => Term::float(*bits, *sort),
            Value::Array(array) => {
                array.entries.iter().fold(
                    Term::const_array(array.index, array.default.to_term()),
                    |term, (index, element)| term.store(index.to_term(), element.to_term()),
                )
            }
        }
    }
}

impl ArrayValue {
    pub fn new(index: Sort, default: Value, entries: impl IntoIterator<Item = (Value, Value)>) -> ArrayValue {
        let element = default.sort();
        let mut entries: BTreeMap<Value, Value> = entries.into_iter().collect();
        entries.retain(|_, v| *v != default);
        let mut array = ArrayValue { index, element, default: Box::new(default), entries };
        array.choose_default();
        array
    }

    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    pub fn set(&self, index: Value, element: Value) -> ArrayValue {
        let mut array = self.clone();
        if element == *array.default {
            array.entries.remove(&index);
        } else {
            array.entries.insert(index, element);
        }
        array.choose_default();
        array
    }

    /// With a finite index sort, the same map can be written with several defaults, but only if the entries
    /// are at least half of all indices. Then all elements can be counted.
    fn choose_default(&mut self) {
        let limit = 2 * self.entries.len() as u128;
        let Some(all) = indices(self.index, limit) else { return };
        let mut counts: BTreeMap<&Value, usize> = BTreeMap::new();
        for index in &all {
            *counts.entry(self.get(index)).or_default() += 1;
        }
        // The last maximum in reverse order is the least value.
        let best = counts.iter().rev().max_by_key(|(_, count)| **count).map(|(value, _)| (*value).clone());
        if let Some(best) = best.filter(|b| *b != *self.default) {
            let entries = all.into_iter().map(|i| (i.clone(), self.get(&i).clone()));
            self.entries = entries.filter(|(_, v)| *v != best).collect();
            *self.default = best;
        }
    }
}

/// All values of a sort, if there are at most `limit`.
fn indices(sort: Sort, limit: u128) -> Option<Vec<Value>> {
    match sort {
        Sort::Bool if limit >= 2 => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Sort::Bv(width) if width < 64 && limit >= 1 << width => {
            Some((0..1u128 << width).map(|bits| Value::bv(bits, width)).collect())
        }
        Sort::Float(e, s) if e + s < 64 => {
            let all = 1u128 << (e + s);
            // All but one of the NaNs are left out.
            if limit < all - 2 * (mask(s - 1)) + 1 {
                return None;
            }
            let canonical = (0..all).filter(|&bits| one_nan(bits, sort) == bits);
            Some(canonical.map(|bits| Value::float(bits, sort)).collect())
        }
        _ => None,
    }
}

/// The encoding with every NaN replaced by the positive quiet one without payload.
pub(crate) fn one_nan(bits: u128, sort: Sort) -> u128 {
    let Sort::Float(exponent, significand) = sort else { return bits };
    let fraction = significand - 1;
    let bits = bits & mask(exponent + significand);
    if is_nan(bits, sort) { mask(exponent) << fraction | 1 << (fraction - 1) } else { bits }
}

pub(crate) fn is_nan(bits: u128, sort: Sort) -> bool {
    let Sort::Float(exponent, significand) = sort else { return false };
    let fraction = significand - 1;
    bits >> fraction & mask(exponent) == mask(exponent) && bits & mask(fraction) != 0
}

/// As SMT-LIB text.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => f.write_str(&print::int(value)),
            Value::Bv { bits, width } => f.write_str(&print::bv(*bits, *width)),
            Value::Float { bits, sort: Sort::Float(e, s) } => f.write_str(&print::float(*bits, *e, *s)),
            Value::Float { bits, .. } => write!(f, "{bits}"),
            Value::Array(array) => {
                for _ in &array.entries {
                    f.write_str("(store ")?;
                }
                write!(f, "((as const {}) {})", self.sort(), array.default)?;
                for (index, element) in &array.entries {
                    write!(f, " {index} {element})")?;
                }
                Ok(())
            }
        }
    }
}
