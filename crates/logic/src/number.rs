//! Numbers: sums and products of integers and of bit-vectors, with one normal form.
//!
//! A sum is a constant plus monomials with coefficients, sorted; a monomial is a term that is no sum, or a
//! product of such. Bit-vectors form the ring of integers modulo 2^width, so one code serves both. Order is
//! only defined for `Int` here (a <= b is kept with gcd-reduced coefficients and no negative ones);
//! bit-vectors compare in `bits`.

use crate::bounds::sum_range;
use crate::build::test_choice;
use crate::interval::Interval;
use crate::sort::Sort;
use crate::term::{Args, Op, Term};
use dashu_int::IBig;
use dashu_int::ops::{BitTest, DivRemEuclid, Gcd};
use std::collections::BTreeMap;

/// constant + sum of coefficient * monomial, in the ring of `sort`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linear {
    pub sort: Sort,
    pub constant: IBig,
    /// No coefficient is zero.
    pub terms: BTreeMap<Term, IBig>,
}

impl Linear {
    pub fn zero(sort: Sort) -> Linear {
        Linear { sort, constant: IBig::ZERO, terms: BTreeMap::new() }
    }

    pub fn of(term: Term) -> Linear {
        let mut sum = Linear::zero(term.sort());
        sum.add_term(&IBig::ONE, term);
        sum
    }

    /// Adds `factor * term`, taking sums and products with a constant apart.
    pub fn add_term(&mut self, factor: &IBig, term: Term) {
        match term.op() {
            Op::Int(value) => self.add_constant(factor * value),
            Op::Bv(bits) => self.add_constant(factor * IBig::from(*bits)),
            Op::Add | Op::BvAdd => {
                for &arg in term.args() {
                    self.add_term(factor, arg);
                }
            }
            Op::Mul | Op::BvMul => match constant(term.args()[0]) {
                Some(c) => {
                    let rest = product(self.sort, term.args()[1..].iter().copied());
                    self.add_monomial(factor * c, rest);
                }
                None => self.add_monomial(factor.clone(), term),
            },
            _ => self.add_monomial(factor.clone(), term),
        }
    }

    pub fn add(&mut self, factor: &IBig, other: &Linear) {
        self.add_constant(factor * &other.constant);
        for (term, c) in &other.terms {
            self.add_monomial(factor * c, *term);
        }
    }

    pub fn scale(&mut self, factor: &IBig) {
        let old = std::mem::replace(self, Linear::zero(self.sort));
        self.add(factor, &old);
    }

    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    fn add_constant(&mut self, value: IBig) {
        self.constant = reduce(self.sort, &self.constant + value);
    }

    fn add_monomial(&mut self, factor: IBig, term: Term) {
        let c = self.terms.remove(&term).unwrap_or(IBig::ZERO) + factor;
        let c = reduce(self.sort, c);
        if c != IBig::ZERO {
            self.terms.insert(term, c);
        }
    }

    pub fn to_term(&self) -> Term {
        let mut args = Args::new();
        if self.constant != IBig::ZERO {
            args.push(number(self.sort, &self.constant));
        }
        for (&term, c) in &self.terms {
            args.push(monomial(self.sort, c, term));
        }
        match args.len() {
            0 => number(self.sort, &IBig::ZERO),
            1 => args[0],
            _ => Term::make(if self.sort == Sort::Int { Op::Add } else { Op::BvAdd }, args, self.sort),
        }
    }
}

impl Term {
    pub fn int(value: impl Into<IBig>) -> Term {
        Term::make(Op::Int(value.into()), [], Sort::Int)
    }

    /// A constant of a number sort: for bit-vectors, modulo 2^width.
    pub fn number(sort: Sort, value: impl Into<IBig>) -> Term {
        number(sort, &value.into())
    }

    #[expect(clippy::should_implement_trait, reason = "terms are built with named operations throughout")]
    pub fn add(self, other: Term) -> Term {
        self.combine(&IBig::ONE, other)
    }

    #[expect(clippy::should_implement_trait, reason = "as for add")]
    pub fn sub(self, other: Term) -> Term {
        self.combine(&IBig::NEG_ONE, other)
    }

    #[expect(clippy::should_implement_trait, reason = "as for add")]
    pub fn neg(self) -> Term {
        self.scale(&IBig::NEG_ONE)
    }

    pub fn scale(self, factor: &IBig) -> Term {
        let mut sum = Linear::zero(self.sort());
        sum.add_term(factor, self);
        sum.to_term()
    }

    fn combine(self, factor: &IBig, other: Term) -> Term {
        debug_assert_eq!(self.sort(), other.sort(), "{self} + {other}");
        let mut sum = Linear::of(self);
        sum.add_term(factor, other);
        sum.to_term()
    }

    /// The product of all of them; None of none. Constants come last: a product with one of them is
    /// multiplied out, which would make others of factors that were left alone.
    pub fn product_of(factors: impl IntoIterator<Item = Term>) -> Option<Term> {
        let (constants, others): (Vec<Term>, Vec<Term>) =
            factors.into_iter().partition(|t| constant(*t).is_some());
        others.into_iter().chain(constants).reduce(Term::mul)
    }

    #[expect(clippy::should_implement_trait, reason = "as for add")]
    pub fn mul(self, other: Term) -> Term {
        debug_assert_eq!(self.sort(), other.sort(), "{self} * {other}");
        let sort = self.sort();
        if let Some(c) = constant(self) {
            return other.scale(&c);
        }
        if let Some(c) = constant(other) {
            return self.scale(&c);
        }
        let (a, b) = (Linear::of(self), Linear::of(other));
        let count = |l: &Linear| l.terms.len() + usize::from(l.constant != IBig::ZERO);
        // Multiplying out makes equal polynomials equal terms; large ones would only grow.
        if count(&a) * count(&b) > MULTIPLY_OUT {
            let apart = |l: &Linear, whole: Term| match only(&l.terms) {
                Some((t, c)) if l.constant == IBig::ZERO => (c.clone(), t),
                _ => (IBig::ONE, whole),
            };
            let ((c, t), (d, u)) = (apart(&a, self), apart(&b, other));
            return product(sort, [t, u]).scale(&(c * d));
        }
        let mut sum = Linear::zero(sort);
        sum.constant = reduce(sort, &a.constant * &b.constant);
        for (&t, c) in &a.terms {
            sum.add_monomial(c * &b.constant, t);
        }
        for (&t, c) in &b.terms {
            sum.add_monomial(c * &a.constant, t);
        }
        for (&t, c) in &a.terms {
            for (&u, d) in &b.terms {
                sum.add_monomial(c * d, product(sort, [t, u]));
            }
        }
        sum.to_term()
    }

    /// Euclidean division, as SMT-LIB's `div`; by zero it is left as it is (any value).
    #[expect(clippy::should_implement_trait, reason = "as for add")]
    pub fn div(self, other: Term) -> Term {
        if let Some(d) = other.as_int().filter(|d| **d != IBig::ZERO) {
            if let Some(n) = self.as_int() {
                return Term::int(n.div_rem_euclid(d).0);
            }
            if *d == IBig::ONE {
                return self;
            }
            // (q*d + rest) div d = q + rest div d
            let sum = Linear::of(self);
            let (mut whole, mut rest) = (Linear::zero(Sort::Int), Linear::zero(Sort::Int));
            for (&t, c) in &sum.terms {
                if c % d == IBig::ZERO {
                    whole.add_monomial(c / d, t)
                } else {
                    rest.add_monomial(c.clone(), t)
                }
            }
            let (q, r) = sum.constant.div_rem_euclid(d);
            whole.constant = q;
            rest.constant = IBig::from(r);
            if rest.is_constant() {
                return whole.to_term();
            }
            let quotient = Term::make(Op::Div, [rest.to_term(), other], Sort::Int);
            return whole.to_term().add(quotient);
        }
        Term::make(Op::Div, [self, other], Sort::Int)
    }

    pub fn modulo(self, other: Term) -> Term {
        if let Some(d) = other.as_int().filter(|d| **d != IBig::ZERO) {
            if let Some(n) = self.as_int() {
                return Term::int(IBig::from(n.div_rem_euclid(d).1));
            }
            let mut rest = Linear::zero(Sort::Int);
            let sum = Linear::of(self);
            for (&t, c) in &sum.terms {
                rest.add_monomial(IBig::from(c.div_rem_euclid(d).1), t);
            }
            rest.constant = IBig::from((&sum.constant).div_rem_euclid(d).1);
            if rest.is_constant() {
                return rest.to_term();
            }
            let inner = rest.to_term();
            if *inner.op() == Op::Mod && inner.args()[1] == other {
                return inner;
            }
            return Term::make(Op::Mod, [inner, other], Sort::Int);
        }
        Term::make(Op::Mod, [self, other], Sort::Int)
    }

    pub fn int_le(self, other: Term) -> Term {
        debug_assert!(self.sort() == Sort::Int && other.sort() == Sort::Int, "{self} <= {other}");
        let mut sum = Linear::of(other);
        sum.add_term(&IBig::NEG_ONE, self);
        // 0 <= sum
        let Some(gcd) = content(&sum) else {
            return Term::bool(sum.constant >= IBig::ZERO);
        };
        if let Some(Interval { low, high }) = sum_range(&sum.constant, sum.terms.iter()) {
            if low >= IBig::ZERO {
                return Term::bool(true);
            }
            if high < IBig::ZERO {
                return Term::bool(false);
            }
        }
        if let Some((t, c)) = only(&sum.terms) {
            let at_least = |v: Term| Term::int(-&sum.constant).int_le(v.scale(c));
            if let Some(tested) = test_choice(t, at_least) {
                return tested;
            }
        }
        let (constant, _) = sum.constant.div_rem_euclid(&gcd);
        let (mut left, mut right) = (Linear::zero(Sort::Int), Linear::zero(Sort::Int));
        for (t, c) in sum.terms {
            let c = c / &gcd;
            if c > IBig::ZERO { right.add_monomial(c, t) } else { left.add_monomial(-c, t) }
        }
        if constant > IBig::ZERO && !right.is_constant() || left.is_constant() && constant < IBig::ZERO {
            if constant > IBig::ZERO { right.constant = constant } else { left.constant = -constant }
        } else if constant < IBig::ZERO {
            left.constant = -constant;
        } else {
            right.constant = constant;
        }
        Term::make(Op::Le, [left.to_term(), right.to_term()], Sort::Bool)
    }

    pub fn int_lt(self, other: Term) -> Term {
        self.add(Term::int(1)).int_le(other)
    }

    pub fn int_ge(self, other: Term) -> Term {
        other.int_le(self)
    }

    pub fn int_gt(self, other: Term) -> Term {
        other.int_lt(self)
    }
}

const MULTIPLY_OUT: usize = 16;
const FACTORS: usize = 16;

/// The value of a constant of a number sort.
pub(crate) fn constant(term: Term) -> Option<IBig> {
    match term.op() {
        Op::Int(value) => Some(value.clone()),
        Op::Bv(bits) => Some(IBig::from(*bits)),
        _ => None,
    }
}

pub(crate) fn number(sort: Sort, value: &IBig) -> Term {
    match sort {
        Sort::Bv(_) => {
            let bits = u128::try_from(reduce(sort, value.clone())).unwrap_or(0);
            Term::make(Op::Bv(bits), [], sort)
        }
        _ => Term::int(value.clone()),
    }
}

/// a = b in normal form: what has a positive coefficient in a - b on the left.
pub(crate) fn equation(a: Term, b: Term) -> Term {
    let mut sum = Linear::of(a);
    sum.add_term(&IBig::NEG_ONE, b);
    let sort = sum.sort;
    if sum.is_constant() {
        return Term::bool(sum.constant == IBig::ZERO);
    }
    if sort == Sort::Int
        && let Some(gcd) = content(&sum)
    {
        if &sum.constant % &gcd != IBig::ZERO {
            return Term::bool(false);
        }
        if sum_range(&sum.constant, sum.terms.iter())
            .is_some_and(|sum| sum.low > IBig::ZERO || sum.high < IBig::ZERO)
        {
            return Term::bool(false);
        }
        sum.constant /= &gcd;
        for c in sum.terms.values_mut() {
            *c /= &gcd;
        }
    }
    let negative = |c: &IBig| match sort {
        Sort::Bv(width) => *c > IBig::ONE << (width - 1) as usize,
        _ => *c < IBig::ZERO,
    };
    if sum.terms.values().next().is_some_and(negative) {
        sum.scale(&IBig::NEG_ONE);
    }
    let (mut left, mut right) = (Linear::zero(sort), Linear::zero(sort));
    for (t, c) in &sum.terms {
        if negative(c) { right.add_monomial(-c, *t) } else { left.add_monomial(c.clone(), *t) }
    }
    let on_left =
        if right.is_constant() || negative(&sum.constant) { false } else { sum.constant != IBig::ZERO };
    if on_left {
        left.constant = sum.constant
    } else {
        right.constant = reduce(sort, -sum.constant)
    }
    let (l, r) = (left.to_term(), right.to_term());
    for (x, y) in [(l, r), (r, l)] {
        let simple_choice = *y.op() == Op::Ite && y.args()[1].is_const() && y.args()[2].is_const();
        if (y.is_const()
            || simple_choice && *x.op() == Op::Ite && x.args()[1].is_const() && x.args()[2].is_const())
            && let Some(tested) = test_choice(x, |v| v.equals(y))
        {
            return tested;
        }
        if let Some(narrow) = crate::bits::narrow_equation(x, y) {
            return narrow;
        }
    }
    Term::make(Op::Eq, [l, r], Sort::Bool)
}

/// The one monomial of a sum, if it has just one.
fn only(terms: &BTreeMap<Term, IBig>) -> Option<(Term, &IBig)> {
    let (t, c) = terms.first_key_value().filter(|_| terms.len() == 1)?;
    Some((*t, c))
}

/// The greatest common divisor of the coefficients; None if there are none.
fn content(sum: &Linear) -> Option<IBig> {
    let mut gcd: Option<IBig> = None;
    for c in sum.terms.values() {
        gcd = Some(match gcd {
            None => {
                if *c < IBig::ZERO {
                    -c
                } else {
                    c.clone()
                }
            }
            Some(g) => IBig::from((&g).gcd(c)),
        });
    }
    gcd
}

fn reduce(sort: Sort, value: IBig) -> IBig {
    match sort {
        Sort::Bv(width) => {
            if value >= IBig::ZERO && value.bit_len() <= width as usize {
                value
            } else {
                IBig::from(value.div_rem_euclid(IBig::ONE << width as usize).1)
            }
        }
        _ => value,
    }
}

fn monomial(sort: Sort, c: &IBig, term: Term) -> Term {
    if *c == IBig::ONE {
        return term;
    }
    let factor = number(sort, c);
    let op = if sort == Sort::Int { Op::Mul } else { Op::BvMul };
    let factors: &[Term] = if *term.op() == op { term.args() } else { &[term] };
    Term::make(op, [factor].into_iter().chain(factors.iter().copied()), sort)
}

/// The product of terms that are no constants.
fn product(sort: Sort, factors: impl IntoIterator<Item = Term>) -> Term {
    let op = if sort == Sort::Int { Op::Mul } else { Op::BvMul };
    let factors: Args = factors.into_iter().collect();
    let count: usize = factors.iter().map(|f| if *f.op() == op { f.args().len() } else { 1 }).sum();
    let mut list = Args::new();
    for f in factors {
        // Squaring again and again doubles the factors: long products stay factors.
        if *f.op() == op && count <= FACTORS { list.extend_from_slice(f.args()) } else { list.push(f) }
    }
    list.sort();
    if list.len() == 1 { list[0] } else { Term::make(op, list, sort) }
}
