//! SMT-LIB's operators: the sorts they take, and the terms they make.
//!
//! Operators that have no node of their own (`-`, `xor`, `bvsub`, `rotate_left` ...) become what they
//! abbreviate.

use crate::number::Linear;
use crate::parse::Item;
use crate::scope::{FORMAT, WIDTH, bv_sort, float_sort};
use crate::sexpr::{ParseError, Sexpr};
use crate::sort::Sort;
use crate::term::{Op, Rounding, Term};
use dashu_int::IBig;

/// What is applied.
pub(crate) enum Head {
    Symbol(String),
    Indexed(String, Vec<u32>),
    /// Of a whole array: index and element.
    ConstArray(Sort, Sort),
    Constant(Term),
}

/// Applies an operator to checked arguments.
pub(crate) fn build(head: &Head, args: &[Item], at: Sexpr) -> Result<Term, ParseError> {
    let call = Call { args, at };
    match head {
        Head::Constant(term) => call.exactly(0).map(|_| *term),
        Head::ConstArray(index, element) => {
            let [value] = call.terms::<1>()?;
            call.sorted(value, *element)?;
            Ok(Term::const_array(*index, value))
        }
        Head::Symbol(name) => call.named(name),
        Head::Indexed(name, indices) => call.indexed(name, indices),
    }
}

struct Call<'a> {
    args: &'a [Item],
    at: Sexpr<'a>,
}

type Built = Result<Term, ParseError>;

impl Call<'_> {
    fn named(&self, name: &str) -> Built {
        match name {
            "not" => self.bools()?.exactly_one(self).map(Term::not),
            "and" => Ok(Term::all(self.bools()?)),
            "or" => Ok(Term::any(self.bools()?)),
            "=>" => {
                self.bools()?.into_iter().rev().reduce(|b, a| a.implies(b)).ok_or_else(|| self.too_few(1))
            }
            "xor" => self.fold(self.bools()?, Term::differs),
            "=" => self.chain(self.same()?, Term::equals),
            "distinct" => self.distinct(),
            "ite" | "if" => {
                let [c, a, b] = self.terms()?;
                self.sorted(c, Sort::Bool)?;
                self.sorted(b, a.sort())?;
                Ok(c.ite(a, b))
            }
            "+" => self.sum(self.ints()?),
            "*" => self.product(self.ints()?),
            "-" => match &self.ints()?[..] {
                [one] => Ok(one.neg()),
                [first, rest @ ..] => {
                    let mut sum = Linear::of(*first);
                    rest.iter().for_each(|t| sum.add_term(&IBig::NEG_ONE, *t));
                    Ok(sum.to_term())
                }
                [] => Err(self.too_few(1)),
            },
            "div" => self.fold(self.ints()?, Term::div),
            "mod" => self.two(self.ints()?, Term::modulo),
            "abs" => {
                let x = self.ints()?.exactly_one(self)?;
                Ok(Term::int(0).int_le(x).ite(x, x.neg()))
            }
            "<=" => self.chain(self.ints()?, Term::int_le),
            "<" => self.chain(self.ints()?, Term::int_lt),
            ">=" => self.chain(self.ints()?, Term::int_ge),
            ">" => self.chain(self.ints()?, Term::int_gt),
            "select" => {
                let [array, index] = self.terms()?;
                self.indexes(array, index)?;
                Ok(array.select(index))
            }
            "store" => {
                let [array, index, value] = self.terms()?;
                let element = self.indexes(array, index)?;
                self.sorted(value, element)?;
                Ok(array.store(index, value))
            }
            _ if name.starts_with("fp") => self.float(name),
            _ => self.bits(name),
        }
    }

    fn bits(&self, name: &str) -> Built {
        let two = |f: fn(Term, Term) -> Term| self.two(self.vectors()?, f);
        let one = |f: fn(Term) -> Term| self.vectors()?.exactly_one(self).map(f);
        match name {
            "concat" => self.concat(),
            "bvnot" => one(Term::bvnot),
            "bvneg" => one(Term::neg),
            "bvadd" => self.sum(self.vectors()?),
            "bvmul" => self.product(self.vectors()?),
            "bvsub" => self.fold(self.vectors()?, Term::sub),
            "bvand" => self.fold(self.vectors()?, Term::bvand),
            "bvor" => self.fold(self.vectors()?, Term::bvor),
            "bvxor" => self.fold(self.vectors()?, Term::bvxor),
            "bvnand" => two(|a, b| a.bvand(b).bvnot()),
            "bvnor" => two(|a, b| a.bvor(b).bvnot()),
            "bvxnor" => two(|a, b| a.bvxor(b).bvnot()),
            "bvshl" => two(Term::shl),
            "bvlshr" => two(Term::lshr),
            "bvashr" => two(Term::ashr),
            // The solver's own names, for divisors that are not zero.
            "bvudiv" | "bvudiv_i" => two(Term::udiv),
            "bvurem" | "bvurem_i" => two(Term::urem),
            "bvsdiv" | "bvsdiv_i" => two(Term::sdiv),
            "bvsrem" | "bvsrem_i" => two(Term::srem),
            "bvsmod" | "bvsmod_i" => two(signed_modulo),
            "bvcomp" => two(|a, b| a.equals(b).ite(Term::bv(1, 1), Term::bv(0, 1))),
            "bvule" => two(Term::ule),
            "bvult" => two(Term::ult),
            "bvuge" => two(|a, b| b.ule(a)),
            "bvugt" => two(|a, b| b.ult(a)),
            "bvsle" => two(Term::sle),
            "bvslt" => two(Term::slt),
            "bvsge" => two(|a, b| b.sle(a)),
            "bvsgt" => two(|a, b| b.slt(a)),
            "bvumulo" => two(|a, b| a.mul_fits(b, false).not()),
            "bvsmulo" => two(|a, b| a.mul_fits(b, true).not()),
            "bvumul_noovfl" => two(|a, b| a.mul_fits(b, false)),
            // A product that does not fit is too large if the signs agree, and too small if they do not.
            "bvsmul_noovfl" => two(|a, b| a.mul_fits(b, true).or(negative(a).differs(negative(b)))),
            "bvsmul_noudfl" => two(|a, b| a.mul_fits(b, true).or(negative(a).equals(negative(b)))),
            "bvnego" => one(|a| a.equals(least(a.width()))),
            "bvuaddo" => two(|a, b| a.add(b).ult(a)),
            "bvusubo" => two(Term::ult),
            "bvsaddo" => two(|a, b| {
                let same = negative(a).equals(negative(b));
                same.and(negative(a.add(b)).differs(negative(a)))
            }),
            "bvssubo" => two(|a, b| {
                let differ = negative(a).differs(negative(b));
                differ.and(negative(a.sub(b)).differs(negative(a)))
            }),
            "bvsdivo" => two(|a, b| a.equals(least(a.width())).and(b.equals(Term::number(b.sort(), -1)))),
            "ubv_to_int" | "bv2nat" | "bv2int" => one(|a| a.bv_to_int(false)),
            "sbv_to_int" => one(|a| a.bv_to_int(true)),
            _ => Err(self.at.error(format!("unknown operator '{name}'"))),
        }
    }

    fn indexed(&self, name: &str, indices: &[u32]) -> Built {
        match (name, indices) {
            ("extract", &[high, low]) => {
                let x = self.vectors()?.exactly_one(self)?;
                if low > high || high >= x.width() {
                    return Err(self.at.error(format!("bits {high} to {low} of {} bits", x.width())));
                }
                Ok(x.extract(high, low))
            }
            ("zero_extend" | "sign_extend", &[by]) => {
                let x = self.vectors()?.exactly_one(self)?;
                by.checked_add(x.width()).and_then(bv_sort).ok_or_else(|| self.at.error(WIDTH))?;
                Ok(if name == "zero_extend" { x.zero_extend(by) } else { x.sign_extend(by) })
            }
            ("rotate_left" | "rotate_right", &[by]) => {
                let x = self.vectors()?.exactly_one(self)?;
                let by = by % x.width();
                Ok(rotate_left(x, if name == "rotate_left" { by } else { (x.width() - by) % x.width() }))
            }
            ("repeat", &[times]) => {
                let x = self.vectors()?.exactly_one(self)?;
                let width = times.checked_mul(x.width()).and_then(bv_sort);
                width.ok_or_else(|| self.at.error(WIDTH))?;
                Ok((1..times).fold(x, |high, _| high.concat(x)))
            }
            ("int_to_bv" | "int2bv" | "nat2bv", &[width]) => {
                let x = self.ints()?.exactly_one(self)?;
                bv_sort(width).ok_or_else(|| self.at.error(WIDTH))?;
                Ok(x.int_to_bv(width))
            }
            ("divisible", &[by]) if by > 0 => {
                let x = self.ints()?.exactly_one(self)?;
                Ok(x.modulo(Term::int(by)).equals(Term::int(0)))
            }
            ("fp.to_sbv" | "fp.to_ubv", &[width]) => {
                let (rounding, [x]) = self.rounded()?;
                self.is_float(x)?;
                bv_sort(width).ok_or_else(|| self.at.error(WIDTH))?;
                Ok(x.fp_to_int(rounding, width, name == "fp.to_sbv"))
            }
            ("+oo" | "-oo" | "+zero" | "-zero" | "NaN" | "to_fp" | "to_fp_unsigned", &[e, s]) => {
                let sort = float_sort(e, s).ok_or_else(|| self.at.error(FORMAT))?;
                self.to_float(name, sort, e, s)
            }
            _ => Err(self.at.error(format!("unknown operator '(_ {name} ...)'"))),
        }
    }

    /// Constants and conversions.
    fn to_float(&self, name: &str, sort: Sort, e: u32, s: u32) -> Built {
        let infinity = crate::bits::mask(e) << (s - 1);
        let sign = 1 << (e + s - 1);
        let constant = |bits: u128| self.exactly(0).map(|_| Term::float(bits, sort));
        match name {
            "+oo" => return constant(infinity),
            "-oo" => return constant(infinity | sign),
            "+zero" => return constant(0),
            "-zero" => return constant(sign),
            "NaN" => return constant(infinity | 1),
            _ => {}
        }
        if let ([Item::Term(x)], "to_fp") = (self.args, name) {
            self.sorted(*x, Sort::Bv(e + s))?;
            return Ok(Term::fp_from(Op::FpFromBits, *x, sort));
        }
        let (rounding, [x]) = self.rounded()?;
        let op = match (x.sort(), name) {
            (Sort::Bv(_), "to_fp") => Op::FpFromSigned(rounding),
            (Sort::Bv(_), _) => Op::FpFromUnsigned(rounding),
            (Sort::Float(..), "to_fp") => Op::FpFromFp(rounding),
            _ => return Err(self.at.error(format!("cannot convert sort {} to a float", x.sort()))),
        };
        Ok(Term::fp_from(op, x, sort))
    }

    fn float(&self, name: &str) -> Built {
        let one = |f: fn(Term) -> Term| self.floats()?.exactly_one(self).map(f);
        let rounded = |op: fn(Rounding) -> Op| {
            let (rounding, [a, b]) = self.rounded()?;
            self.is_float(a)?;
            self.sorted(b, a.sort())?;
            Ok(Term::fp(op(rounding), [a, b]))
        };
        let rounded_one = |op: fn(Rounding) -> Op| {
            let (rounding, [a]) = self.rounded()?;
            self.is_float(a)?;
            Ok(Term::fp(op(rounding), [a]))
        };
        match name {
            "fp" => {
                let [sign, exponent, fraction] = self.terms()?;
                let (Sort::Bv(1), Sort::Bv(e), Sort::Bv(f)) = (sign.sort(), exponent.sort(), fraction.sort())
                else {
                    return Err(self.at.error("expected a sign of one bit, an exponent and a significand"));
                };
                let sort = float_sort(e, f + 1).ok_or_else(|| self.at.error(FORMAT))?;
                let bits = sign.concat(exponent).concat(fraction);
                Ok(match bits.as_bv() {
                    Some(constant) => Term::float(constant, sort),
                    None => Term::fp_from(Op::FpFromBits, bits, sort),
                })
            }
            "fp.abs" => one(|x| Term::fp(Op::FpAbs, [x])),
            "fp.neg" => one(|x| Term::fp(Op::FpNeg, [x])),
            "fp.add" => rounded(Op::FpAdd),
            "fp.sub" => rounded(Op::FpSub),
            "fp.mul" => rounded(Op::FpMul),
            "fp.div" => rounded(Op::FpDiv),
            "fp.sqrt" => rounded_one(Op::FpSqrt),
            "fp.roundToIntegral" => rounded_one(Op::FpRoundToIntegral),
            "fp.rem" => self.two(self.floats()?, |a, b| Term::fp(Op::FpRem, [a, b])),
            "fp.eq" => self.chain(self.floats()?, |a, b| Term::fp_test(Op::FpEq, [a, b])),
            "fp.leq" => self.chain(self.floats()?, |a, b| Term::fp_test(Op::FpLe, [a, b])),
            "fp.lt" => self.chain(self.floats()?, |a, b| Term::fp_test(Op::FpLt, [a, b])),
            "fp.geq" => self.chain(self.floats()?, |a, b| Term::fp_test(Op::FpLe, [b, a])),
            "fp.gt" => self.chain(self.floats()?, |a, b| Term::fp_test(Op::FpLt, [b, a])),
            "fp.isNaN" => one(|x| Term::fp_test(Op::FpIsNan, [x])),
            "fp.isInfinite" => one(|x| Term::fp_test(Op::FpIsInfinite, [x])),
            "fp.isNegative" => one(|x| Term::fp_test(Op::FpIsNegative, [x])),
            "fp.isPositive" => one(|x| {
                let negative = Term::fp_test(Op::FpIsNegative, [x]);
                negative.or(Term::fp_test(Op::FpIsNan, [x])).not()
            }),
            "fp.isZero" => one(|x| Term::fp_test(Op::FpEq, [x, Term::float(0, x.sort())])),
            "fp.isNormal" => one(|x| {
                let size = Term::fp(Op::FpAbs, [x]);
                let normal = Term::fp_test(Op::FpLe, [least_normal(x.sort()), size]);
                normal.and(Term::fp_test(Op::FpIsInfinite, [x]).not())
            }),
            "fp.isSubnormal" => one(|x| {
                let size = Term::fp(Op::FpAbs, [x]);
                let small = Term::fp_test(Op::FpLt, [size, least_normal(x.sort())]);
                small.and(Term::fp_test(Op::FpEq, [x, Term::float(0, x.sort())]).not())
            }),
            "fp.to_ieee_bv" => one(Term::fp_to_bits),
            _ => Err(self.at.error(format!("unknown operator '{name}'"))),
        }
    }

    fn concat(&self) -> Built {
        let terms = self.plain()?;
        let mut width = 0u32;
        for t in &terms {
            let Sort::Bv(w) = t.sort() else { return Err(self.at.error("concat takes bit-vectors")) };
            width = width.saturating_add(w);
        }
        bv_sort(width).ok_or_else(|| self.at.error(WIDTH))?;
        self.fold(terms, Term::concat)
    }

    fn distinct(&self) -> Built {
        let terms = self.same()?;
        if terms.len() > 1000 {
            return Err(self.at.error("distinct takes at most 1000 arguments"));
        }
        let pairs = terms.iter().enumerate().flat_map(|(i, a)| terms[..i].iter().map(move |b| b.differs(*a)));
        Ok(Term::all(pairs))
    }

    fn sum(&self, terms: Vec<Term>) -> Built {
        let first = terms.first().ok_or_else(|| self.too_few(1))?;
        let mut sum = Linear::zero(first.sort());
        terms.iter().for_each(|t| sum.add_term(&IBig::ONE, *t));
        Ok(sum.to_term())
    }

    fn fold(&self, terms: Vec<Term>, f: fn(Term, Term) -> Term) -> Built {
        terms.into_iter().reduce(f).ok_or_else(|| self.too_few(1))
    }

    fn product(&self, terms: Vec<Term>) -> Built {
        Term::product_of(terms).ok_or_else(|| self.too_few(1))
    }

    fn chain(&self, terms: Vec<Term>, f: fn(Term, Term) -> Term) -> Built {
        if terms.len() < 2 {
            return Err(self.too_few(2));
        }
        Ok(Term::all(terms.windows(2).map(|w| f(w[0], w[1]))))
    }

    fn two(&self, terms: Vec<Term>, f: fn(Term, Term) -> Term) -> Built {
        match terms[..] {
            [a, b] => Ok(f(a, b)),
            _ => Err(self.at.error(format!("expected 2 arguments, found {}", terms.len()))),
        }
    }

    fn exactly(&self, count: usize) -> Result<(), ParseError> {
        let found = self.args.len();
        if found == count {
            Ok(())
        } else {
            Err(self.at.error(format!("expected {count} arguments, found {found}")))
        }
    }

    fn too_few(&self, least: usize) -> ParseError {
        self.at.error(format!("expected at least {least} arguments"))
    }

    /// All arguments, as terms.
    fn plain(&self) -> Result<Vec<Term>, ParseError> {
        let terms: Option<Vec<Term>> = self
            .args
            .iter()
            .map(|item| match item {
                Item::Term(t) => Some(*t),
                Item::Rounding(_) => None,
            })
            .collect();
        terms.ok_or_else(|| self.at.error("a rounding mode is not expected here"))
    }

    fn terms<const N: usize>(&self) -> Result<[Term; N], ParseError> {
        self.exactly(N)?;
        self.plain()?.try_into().map_err(|_| self.at.error(format!("expected {N} arguments")))
    }

    /// A rounding mode and terms.
    fn rounded<const N: usize>(&self) -> Result<(Rounding, [Term; N]), ParseError> {
        match self.args.split_first() {
            Some((Item::Rounding(r), args)) => Ok((*r, Call { args, at: self.at }.terms()?)),
            _ => Err(self.at.error("expected a rounding mode as first argument")),
        }
    }

    /// All arguments, of one sort that passes the test.
    fn all_of(&self, what: &str, test: impl Fn(Sort) -> bool) -> Result<Vec<Term>, ParseError> {
        let terms = self.plain()?;
        for t in &terms {
            if !test(t.sort()) {
                return Err(self.at.error(format!("expected arguments of sort {what}, found {}", t.sort())));
            }
            self.sorted(*t, terms[0].sort())?;
        }
        Ok(terms)
    }

    fn same(&self) -> Result<Vec<Term>, ParseError> {
        self.all_of("", |_| true)
    }

    fn bools(&self) -> Result<Vec<Term>, ParseError> {
        self.all_of("Bool", |s| s == Sort::Bool)
    }

    fn ints(&self) -> Result<Vec<Term>, ParseError> {
        self.all_of("Int", |s| s == Sort::Int)
    }

    fn vectors(&self) -> Result<Vec<Term>, ParseError> {
        self.all_of("BitVec", |s| matches!(s, Sort::Bv(_)))
    }

    fn floats(&self) -> Result<Vec<Term>, ParseError> {
        self.all_of("FloatingPoint", |s| matches!(s, Sort::Float(..)))
    }

    fn sorted(&self, term: Term, sort: Sort) -> Result<(), ParseError> {
        if term.sort() == sort {
            return Ok(());
        }
        Err(self.at.error(format!("expected an argument of sort {sort}, found {}", term.sort())))
    }

    fn is_float(&self, term: Term) -> Result<(), ParseError> {
        match term.sort() {
            Sort::Float(..) => Ok(()),
            sort => Err(self.at.error(format!("expected a float, found sort {sort}"))),
        }
    }

    /// Checks the index of an array; gives the sort of the elements.
    fn indexes(&self, array: Term, index: Term) -> Result<Sort, ParseError> {
        let Sort::Array(parts) = array.sort() else {
            return Err(self.at.error(format!("expected an array, found sort {}", array.sort())));
        };
        self.sorted(index, parts.0)?;
        Ok(parts.1)
    }
}

trait ExactlyOne {
    fn exactly_one(self, call: &Call) -> Built;
}

impl ExactlyOne for Vec<Term> {
    fn exactly_one(self, call: &Call) -> Built {
        call.exactly(1)?;
        self.first().copied().ok_or_else(|| call.too_few(1))
    }
}

fn negative(x: Term) -> Term {
    x.slt(Term::bv(0, x.width()))
}

fn least(width: u32) -> Term {
    Term::bv(1 << (width - 1), width)
}

fn least_normal(sort: Sort) -> Term {
    let Sort::Float(_, s) = sort else { return Term::float(0, sort) };
    Term::float(1 << (s - 1), sort)
}

fn rotate_left(x: Term, by: u32) -> Term {
    let width = x.width();
    if by == 0 { x } else { x.extract(width - by - 1, 0).concat(x.extract(width - 1, width - by)) }
}

/// The remainder with the sign of the divisor.
fn signed_modulo(a: Term, b: Term) -> Term {
    let r = a.srem(b);
    let zero = Term::bv(0, a.width());
    let fits = r.equals(zero).or(negative(r).equals(negative(b)));
    fits.ite(r, r.add(b))
}
