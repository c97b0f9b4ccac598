//! Sorts: what a term ranges over.

use std::collections::HashSet;
use std::fmt;
use std::sync::{LazyLock, Mutex};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    Bool,
    /// Mathematical integers.
    Int,
    /// Bit-vectors of 1 to 128 bits.
    Bv(u32),
    /// IEEE floats: exponent bits, and significand bits with the hidden one.
    Float(u32, u32),
    /// Total maps: index and element.
    Array(&'static (Sort, Sort)),
}

impl Sort {
    pub const F32: Sort = Sort::Float(8, 24);
    pub const F64: Sort = Sort::Float(11, 53);
    pub const F128: Sort = Sort::Float(15, 113);

    pub fn array(index: Sort, element: Sort) -> Sort {
        static ARRAYS: LazyLock<Mutex<HashSet<&'static (Sort, Sort)>>> = LazyLock::new(Default::default);
        let mut arrays = ARRAYS.lock().unwrap_or_else(|e| e.into_inner());
        let found = arrays.get(&(index, element)).copied();
        Sort::Array(found.unwrap_or_else(|| {
            let leaked: &'static (Sort, Sort) = Box::leak(Box::new((index, element)));
            arrays.insert(leaked);
            leaked
        }))
    }

    pub fn is_array(self) -> bool {
        matches!(self, Sort::Array(_))
    }

    /// Integers and bit-vectors: what sums are made of.
    pub fn is_number(self) -> bool {
        matches!(self, Sort::Int | Sort::Bv(_))
    }

    pub fn element(self) -> Option<Sort> {
        match self {
            Sort::Array(parts) => Some(parts.1),
            _ => None,
        }
    }

    pub fn index(self) -> Option<Sort> {
        match self {
            Sort::Array(parts) => Some(parts.0),
            _ => None,
        }
    }

    /// Bits of a value's encoding, for bit-vectors and floats.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::Bv(width) => Some(width),
            Sort::Float(exponent, significand) => Some(exponent + significand),
            _ => None,
        }
    }
}

/// As SMT-LIB writes it.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Int => f.write_str("Int"),
            Sort::Bv(width) => write!(f, "(_ BitVec {width})"),
            Sort::Float(e, s) => write!(f, "(_ FloatingPoint {e} {s})"),
            Sort::Array(parts) => write!(f, "(Array {} {})", parts.0, parts.1),
        }
    }
}
