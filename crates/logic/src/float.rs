//! Floats: built as they are, without folding; the solver computes.

use crate::sort::Sort;
use crate::term::{Op, Rounding, Term};
use crate::value::one_nan;

impl Term {
    /// A constant from its IEEE encoding. All NaNs are one.
    pub fn float(bits: u128, sort: Sort) -> Term {
        Term::make(Op::Float(one_nan(bits, sort)), [], sort)
    }

    /// A float operation whose result is of the sort of its first argument.
    pub fn fp(op: Op, args: impl IntoIterator<Item = Term>) -> Term {
        let args: crate::term::Args = args.into_iter().collect();
        let sort = args[0].sort();
        Term::make(op, args, sort)
    }

    /// A float predicate.
    pub fn fp_test(op: Op, args: impl IntoIterator<Item = Term>) -> Term {
        Term::make(op, args, Sort::Bool)
    }

    /// From bits, integers or another format, to `sort`.
    pub fn fp_from(op: Op, arg: Term, sort: Sort) -> Term {
        if let Op::FpFromFp(_) = op
            && arg.sort() == sort
        {
            return arg;
        }
        Term::make(op, [arg], sort)
    }

    pub fn fp_to_bits(self) -> Term {
        match self.op() {
            Op::FpFromBits => self.args()[0],
            _ => Term::make(Op::FpToBits, [self], Sort::Bv(self.width())),
        }
    }

    pub fn fp_to_int(self, rounding: Rounding, width: u32, signed: bool) -> Term {
        let op = if signed { Op::FpToSigned(rounding, width) } else { Op::FpToUnsigned(rounding, width) };
        Term::make(op, [self], Sort::Bv(width))
    }
}
