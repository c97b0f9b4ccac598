//! What one register variable holds.

use ir::{IntType, Target, Type};
use ranges::{Values, counted_as};
use std::sync::Arc;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// The bits of the one value; of pointers only null is one.
    Known(u64),
    /// Several, but not all of the type.
    Some(Arc<Values>),
    Any,
}

impl Cell {
    pub fn of(values: Option<Values>) -> Cell {
        match values {
            None => Cell::Any,
            Some(values) if values.is_all() => Cell::Any,
            Some(values) => match values.single() {
                // A pointer that is not null is one of many, on targets with one bit as on all others.
                Some(value) => Cell::Known(values.ty().wrap(value) as u64),
                None => Cell::Some(Arc::new(values)),
            },
        }
    }

    pub fn known(&self) -> Option<u64> {
        match self {
            Cell::Known(bits) => Some(*bits),
            Cell::Some(_) | Cell::Any => None,
        }
    }

    /// As values of a type; None for types without bounds.
    pub fn values(&self, ty: Type, target: &Target) -> Option<Values> {
        let shape = counted_as(ty, target)?;
        Some(match self {
            Cell::Known(bits) => constant(shape, *bits),
            Cell::Some(values) => Values::clone(values),
            Cell::Any => Values::all(shape),
        })
    }
}

pub fn constant(shape: IntType, bits: u64) -> Values {
    Values::constant(shape, shape.value(u128::from(bits)))
}
