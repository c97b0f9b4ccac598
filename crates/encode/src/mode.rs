//! What integers are, and what a type's values look like as terms.
//!
//! The exact semantics has two encodings, [`IntMode::Bv`] and [`IntMode::Wrap`]; they mean the same.
//! `Unbounded` is a different semantics (paper 004): integers of all types are mathematical, conversions
//! between integer types change nothing, nothing wraps.

use ir::{FloatType, IntType, Target, Type};
use logic::{Sort, Term};
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum IntMode {
    /// Bit-vectors of the type's width; a pointer is a bit-vector too.
    Bv,
    /// Integers in the range of their type (signed types around zero, pointers and unsigned types from zero);
    /// operations that can leave the range wrap explicitly.
    Wrap,
    Unbounded,
}

/// What the encoding cannot express; the answer is then unknown, for this reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported(pub String);

impl IntMode {
    pub fn sort(self, ty: Type, target: &Target) -> Result<Sort, Unsupported> {
        Ok(match ty {
            Type::Bool => Sort::Bool,
            Type::Int(int) if self == IntMode::Bv => Sort::Bv(u32::from(int.bits)),
            Type::Ptr if self == IntMode::Bv => Sort::Bv(u32::from(target.pointer_bits)),
            Type::Int(_) | Type::Ptr => Sort::Int,
            Type::Float(FloatType::F32) => Sort::F32,
            Type::Float(FloatType::F64) => Sort::F64,
            Type::Float(FloatType::F128) => Sort::F128,
            Type::Float(FloatType::F80) => {
                return Err(Unsupported("long double has no encoding".to_owned()));
            }
        })
    }

    /// The sort of addresses.
    pub fn pointer(self, target: &Target) -> Sort {
        if self == IntMode::Bv { Sort::Bv(u32::from(target.pointer_bits)) } else { Sort::Int }
    }

    /// What holds of every value of a type, at any point of a program: the range, where integers wrap
    /// explicitly.
    pub fn type_fact(self, ty: Type, target: &Target, term: Term) -> Term {
        let int = match ty {
            Type::Int(int) => int,
            Type::Ptr => IntType::new(target.pointer_bits, false),
            _ => return Term::bool(true),
        };
        if self != IntMode::Wrap {
            return Term::bool(true);
        }
        let (low, high) = range(int);
        low.int_le(term).and(term.int_le(high))
    }

    /// What holds of every value that comes from outside. In unbounded mode values of unsigned types start
    /// out nonnegative (but need not stay so); elsewhere it is the type's range.
    pub fn input_fact(self, ty: Type, target: &Target, term: Term) -> Term {
        match (self, ty) {
            (IntMode::Unbounded, Type::Ptr) => Term::int(0).int_le(term),
            (IntMode::Unbounded, Type::Int(int)) if !int.signed => Term::int(0).int_le(term),
            _ => self.type_fact(ty, target, term),
        }
    }

    /// A constant of a type from its bits.
    pub fn constant(self, ty: Type, target: &Target, bits: u128) -> Result<Term, Unsupported> {
        Ok(match (ty, self.sort(ty, target)?) {
            (Type::Bool, _) => Term::bool(bits != 0),
            (Type::Int(int), Sort::Int) if int.signed => Term::int(int.value(bits)),
            (_, Sort::Int) => Term::int(bits),
            (_, Sort::Bv(width)) => Term::bv(bits, width),
            (_, sort) => Term::float(bits, sort),
        })
    }
}

/// The least and the greatest value.
pub fn range(int: IntType) -> (Term, Term) {
    let two = logic::IBig::from(1) << usize::from(int.bits);
    if int.signed {
        let half = two >> 1;
        (Term::int(-half.clone()), Term::int(half - logic::IBig::ONE))
    } else {
        (Term::int(0), Term::int(two - logic::IBig::ONE))
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unsupported {}

impl fmt::Display for IntMode {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            IntMode::Bv => "bit-vectors",
            IntMode::Wrap => "integers that wrap",
            IntMode::Unbounded => "unbounded integers",
        })
    }
}
