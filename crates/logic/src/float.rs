//! Floats: constants fold where the format is one that can be computed here; the rest is the solver's.
//!
//! NaN is one value without payload. The encoding of a NaN is unspecified, except that reading bits as a
//! float and that float as bits gives the bits again, as a copy through a register does.

use crate::eval;
use crate::sort::Sort;
use crate::term::{Args, Op, Rounding, Term};
use crate::value::{Value, is_nan, one_nan};

impl Term {
    /// A constant from its IEEE encoding. All NaNs are one.
    pub fn float(bits: u128, sort: Sort) -> Term {
        Term::make(Op::Float(one_nan(bits, sort)), [], sort)
    }

    /// A float operation whose result is of the sort of its first argument.
    pub fn fp(op: Op, args: impl IntoIterator<Item = Term>) -> Term {
        let args: Args = args.into_iter().collect();
        let sort = args[0].sort();
        fold(op, args, sort)
    }

    /// A float predicate.
    pub fn fp_test(op: Op, args: impl IntoIterator<Item = Term>) -> Term {
        fold(op, args.into_iter().collect(), Sort::Bool)
    }

    /// From bits, integers or another format, to `sort`.
    pub fn fp_from(op: Op, arg: Term, sort: Sort) -> Term {
        match (&op, arg.op()) {
            (Op::FpFromFp(_), _) if arg.sort() == sort => arg,
            (Op::FpFromBits, Op::FpToBits) if arg.args()[0].sort() == sort => arg.args()[0],
            // The bits of a NaN are kept: they may be asked for.
            (Op::FpFromBits, Op::Bv(bits)) if is_nan(*bits, sort) => Term::make(op, [arg], sort),
            _ => fold(op, [arg].into_iter().collect(), sort),
        }
    }

    pub fn fp_to_bits(self) -> Term {
        match self.op() {
            Op::FpFromBits => self.args()[0],
            _ => fold(Op::FpToBits, [self].into_iter().collect(), Sort::Bv(self.width())),
        }
    }

    pub fn fp_to_int(self, rounding: Rounding, width: u32, signed: bool) -> Term {
        let op = if signed { Op::FpToSigned(rounding, width) } else { Op::FpToUnsigned(rounding, width) };
        fold(op, [self].into_iter().collect(), Sort::Bv(width))
    }
}

fn fold(op: Op, args: Args, sort: Sort) -> Term {
    if args.iter().all(|a| a.is_const()) {
        let values: Option<Vec<Value>> = args.iter().map(|a| Value::of(*a)).collect();
        let folded = values.and_then(|v| eval::operate(&op, sort, &v.iter().collect::<Vec<_>>()));
        if let Some(value) = folded {
            return value.to_term();
        }
    }
    Term::make(op, args, sort)
}
