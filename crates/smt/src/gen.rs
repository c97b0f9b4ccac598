//! Random terms for tests, from a stream of bytes: shorter streams give smaller terms, so that failures
//! shrink.

use logic::{Op, Rounding, Sort, Term, Value};
use std::collections::BTreeMap;

pub(crate) struct Gen<'a> {
    bytes: std::slice::Iter<'a, u8>,
    /// Widths of bit-vectors to use.
    pub widths: &'static [u32],
}

pub(crate) const ARRAY: fn() -> Sort = || Sort::array(Sort::Int, Sort::Int);
pub(crate) const MEMORY: fn() -> Sort = || Sort::array(Sort::Bv(16), Sort::Bv(8));

impl<'a> Gen<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Gen<'a> {
        Gen { bytes: bytes.iter(), widths: &[4, 8] }
    }

    /// Below `n`; zero at the end of the stream.
    pub(crate) fn pick(&mut self, n: usize) -> usize {
        self.bytes.next().map_or(0, |b| *b as usize % n)
    }

    fn width(&mut self) -> u32 {
        self.widths[self.pick(self.widths.len())]
    }

    pub(crate) fn leaf(&mut self, sort: Sort) -> Term {
        let variable = self.pick(3) != 0;
        if variable {
            return Term::var(["a", "b", "c"][self.pick(3)], sort);
        }
        let small = self.pick(256) as i64 - 128;
        match sort {
            Sort::Bool => Term::bool(small > 0),
            Sort::Int => Term::int(small / 8),
            Sort::Bv(_) => Term::number(sort, small),
            Sort::Float(e, s) => Term::float(FLOATS[self.pick(FLOATS.len())](e, s), sort),
            Sort::Array(parts) => Term::const_array(parts.0, self.leaf(parts.1)),
        }
    }

    pub(crate) fn bool(&mut self, depth: u32) -> Term {
        if depth == 0 {
            return self.leaf(Sort::Bool);
        }
        let d = depth - 1;
        let w = Sort::Bv(self.width());
        match self.pick(17) {
            0 => self.leaf(Sort::Bool),
            1 => self.bool(d).not(),
            2 => self.bool(d).and(self.bool(d)),
            3 => self.bool(d).or(self.bool(d)),
            4 => self.bool(d).equals(self.bool(d)),
            5 => self.bool(d).ite(self.bool(d), self.bool(d)),
            6 => self.int(d).int_le(self.int(d)),
            7 => self.int(d).int_lt(self.int(d)),
            8 => self.int(d).equals(self.int(d)),
            9 => self.bv(w, d).equals(self.bv(w, d)),
            10 => self.bv(w, d).ule(self.bv(w, d)),
            11 => self.bv(w, d).ult(self.bv(w, d)),
            12 => self.bv(w, d).sle(self.bv(w, d)),
            13 => self.bv(w, d).slt(self.bv(w, d)),
            14 => self.bv(w, d).mul_fits(self.bv(w, d), self.pick(2) == 0),
            15 => self.array(ARRAY(), d).equals(self.array(ARRAY(), d)),
            _ => self.array(MEMORY(), d).equals(self.array(MEMORY(), d)),
        }
    }

    pub(crate) fn int(&mut self, depth: u32) -> Term {
        if depth == 0 {
            return self.leaf(Sort::Int);
        }
        let d = depth - 1;
        match self.pick(11) {
            0 => self.leaf(Sort::Int),
            1 => self.int(d).add(self.int(d)),
            2 => self.int(d).sub(self.int(d)),
            3 => self.int(d).mul(self.int(d)),
            4 => self.int(d).scale(&logic::IBig::from(self.pick(9) as i64 - 4)),
            5 => self.int(d).div(Term::int(self.pick(9) as i64 - 4)),
            6 => self.int(d).modulo(Term::int(self.pick(9) as i64 - 4)),
            7 => self.bool(d).ite(self.int(d), self.int(d)),
            8 => self.array(ARRAY(), d).select(self.int(d)),
            9 => {
                let w = Sort::Bv(self.width());
                self.bv(w, d).bv_to_int(self.pick(2) == 0)
            }
            _ => self.int(d).modulo(self.int(d)),
        }
    }

    pub(crate) fn bv(&mut self, sort: Sort, depth: u32) -> Term {
        let width = sort.width().unwrap_or(8);
        if depth == 0 {
            return self.leaf(sort);
        }
        let d = depth - 1;
        match self.pick(24) {
            0 => self.leaf(sort),
            1 => self.bv(sort, d).add(self.bv(sort, d)),
            2 => self.bv(sort, d).sub(self.bv(sort, d)),
            3 => self.bv(sort, d).mul(self.bv(sort, d)),
            4 => self.bv(sort, d).bvnot(),
            5 => self.bv(sort, d).bvand(self.bv(sort, d)),
            6 => self.bv(sort, d).bvor(self.bv(sort, d)),
            7 => self.bv(sort, d).bvxor(self.bv(sort, d)),
            8 => self.bv(sort, d).shl(self.bv(sort, d)),
            9 => self.bv(sort, d).lshr(self.bv(sort, d)),
            10 => self.bv(sort, d).ashr(self.bv(sort, d)),
            11 => self.bv(sort, d).udiv(self.bv(sort, d)),
            12 => self.bv(sort, d).urem(self.bv(sort, d)),
            13 => self.bv(sort, d).sdiv(self.bv(sort, d)),
            14 => self.bv(sort, d).srem(self.bv(sort, d)),
            15 => self.bool(d).ite(self.bv(sort, d), self.bv(sort, d)),
            16 => self.int(d).int_to_bv(width),
            17 if width > 2 => {
                let cut = 1 + self.pick(width as usize - 1) as u32;
                self.bv(Sort::Bv(width - cut), d).concat(self.bv(Sort::Bv(cut), d))
            }
            18 => {
                let low = self.pick(4) as u32;
                self.bv(Sort::Bv(width + 4), d).extract(low + width - 1, low)
            }
            19 if width > 2 => self.bv(Sort::Bv(width - 2), d).zero_extend(2),
            20 if width > 2 => self.bv(Sort::Bv(width - 2), d).sign_extend(2),
            21 if width == 8 => self.array(MEMORY(), d).select(self.bv(Sort::Bv(16), d)),
            22 if width == 32 => self.float(Sort::F32, d).fp_to_bits(),
            _ => self.bv(sort, d).neg(),
        }
    }

    pub(crate) fn array(&mut self, sort: Sort, depth: u32) -> Term {
        if depth == 0 {
            return self.leaf(sort);
        }
        let d = depth - 1;
        match self.pick(5) {
            0 => self.leaf(sort),
            1 => self.bool(d).ite(self.array(sort, d), self.array(sort, d)),
            2 if sort == ARRAY() => Term::const_array(Sort::Int, self.int(d)),
            _ if sort == ARRAY() => self.array(sort, d).store(self.int(d), self.int(d)),
            _ => self.array(sort, d).store(self.bv(Sort::Bv(16), d), self.bv(Sort::Bv(8), d)),
        }
    }

    pub(crate) fn float(&mut self, sort: Sort, depth: u32) -> Term {
        if depth == 0 {
            return self.leaf(sort);
        }
        let d = depth - 1;
        let mode = [Rounding::NearestEven, Rounding::ToZero, Rounding::Up, Rounding::Down][self.pick(4)];
        match self.pick(12) {
            0 => self.leaf(sort),
            1 => Term::fp(Op::FpAdd(mode), [self.float(sort, d), self.float(sort, d)]),
            2 => Term::fp(Op::FpSub(mode), [self.float(sort, d), self.float(sort, d)]),
            3 => Term::fp(Op::FpMul(mode), [self.float(sort, d), self.float(sort, d)]),
            4 => Term::fp(Op::FpDiv(mode), [self.float(sort, d), self.float(sort, d)]),
            5 => Term::fp(Op::FpNeg, [self.float(sort, d)]),
            6 => Term::fp(Op::FpAbs, [self.float(sort, d)]),
            7 => Term::fp(Op::FpRoundToIntegral(mode), [self.float(sort, d)]),
            8 => Term::fp_from(Op::FpFromBits, self.bv(Sort::Bv(sort.width().unwrap_or(32)), d), sort),
            9 => Term::fp_from(Op::FpFromSigned(mode), self.bv(Sort::Bv(8), d), sort),
            10 => Term::fp_from(Op::FpFromUnsigned(mode), self.bv(Sort::Bv(8), d), sort),
            _ => self.float_test(sort, d).ite(self.float(sort, d), self.float(sort, d)),
        }
    }

    pub(crate) fn float_test(&mut self, sort: Sort, d: u32) -> Term {
        let (x, y) = (self.float(sort, d), self.float(sort, d));
        match self.pick(7) {
            0 => Term::fp_test(Op::FpLe, [x, y]),
            1 => Term::fp_test(Op::FpLt, [x, y]),
            2 => Term::fp_test(Op::FpEq, [x, y]),
            3 => Term::fp_test(Op::FpIsNan, [x]),
            4 => Term::fp_test(Op::FpIsInfinite, [x]),
            5 => Term::fp_test(Op::FpIsNegative, [x]),
            _ => x.equals(y),
        }
    }

    pub(crate) fn value(&mut self, sort: Sort) -> Value {
        let small = self.pick(256) as i64 - 128;
        match sort {
            Sort::Bool => Value::Bool(small > 0),
            Sort::Int => Value::int(small / 4),
            Sort::Bv(_) => Value::number(sort, &logic::IBig::from(small)),
            Sort::Float(e, s) => Value::float(FLOATS[self.pick(FLOATS.len())](e, s), sort),
            Sort::Array(parts) => {
                let default = self.value(parts.1);
                let entries: Vec<_> =
                    (0..self.pick(4)).map(|_| (self.value(parts.0), self.value(parts.1))).collect();
                Value::array(parts.0, default, entries)
            }
        }
    }

    /// A value for each variable of the term.
    pub(crate) fn values(&mut self, term: Term) -> BTreeMap<Term, Value> {
        logic::free_vars(term).into_iter().map(|v| (v, self.value(v.sort()))).collect()
    }
}

/// Often something that preprocessing can use.
pub(crate) fn equation_or_formula(g: &mut Gen) -> Term {
    match g.pick(4) {
        0 => g.leaf(Sort::Int).equals(g.int(2)),
        1 => g.leaf(Sort::Bv(8)).equals(g.bv(Sort::Bv(8), 2)),
        2 => g.leaf(MEMORY()).equals(g.array(MEMORY(), 2)),
        _ => g.bool(3),
    }
}

/// Encodings: zeros, one, a half, the smallest and the largest numbers, infinities, NaN.
const FLOATS: &[fn(u32, u32) -> u128] = &[
    |_, _| 0,
    |e, s| 1 << (e + s - 1),
    |e, s| ((1 << (e - 1)) - 1) << (s - 1),
    |e, s| ((1 << (e - 1)) - 2) << (s - 1),
    |_, _| 1,
    |e, s| (((1 << e) - 2) << (s - 1)) | ((1 << (s - 1)) - 1),
    |e, s| ((1 << e) - 1) << (s - 1),
    |e, s| ((1 << (e + 1)) - 1) << (s - 1),
    |e, s| ((1 << (e + 1)) - 1) << (s - 2),
    |e, s| (((1 << (e - 1)) + 3) << (s - 1)) | 5,
];
