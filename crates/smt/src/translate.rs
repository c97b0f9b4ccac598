//! Terms to Z3, remembered per context.
//!
//! Terms are graphs and can be deeper than any stack, so the walk keeps its own. Every operation has one
//! image; `read` is the way back. A variable is a Z3 constant of the same name and sort, which is how both
//! sides tell variables apart.

use crate::raw::{Ast, Ctx, Decl, Make0, ZSort};
use logic::{Op, Rounding, Sort, Term};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use z3_sys::*;

/// A Z3 context with the terms that were translated into it. Everything made from it stays on its thread.
pub(crate) struct Space {
    pub(crate) ctx: Rc<Ctx>,
    terms: RefCell<FxHashMap<Term, Ast>>,
    sorts: RefCell<FxHashMap<Sort, ZSort>>,
    fresh: Cell<u64>,
    /// Full adders in the multiplications and divisions of bit-vectors that were translated since someone
    /// looked.
    pub(crate) adders: Cell<u64>,
}

thread_local! {
    static SHARED: RefCell<(Option<Rc<Space>>, u32)> = const { RefCell::new((None, 0)) };
}

/// A shared context is left behind after this many users: Z3 does not give everything back.
const RENEW: u32 = 500;

/// Above this many translated terms, all are forgotten: Z3 keeps what its solvers use.
const REMEMBERED: usize = 2_000_000;

impl Space {
    pub(crate) fn new() -> Option<Rc<Space>> {
        let ctx = Ctx::new()?;
        Some(Rc::new(Space {
            ctx,
            terms: RefCell::default(),
            sorts: RefCell::default(),
            fresh: Cell::new(0),
            adders: Cell::new(0),
        }))
    }

    /// The thread's context: making one takes longer than most queries take.
    pub(crate) fn shared() -> Option<Rc<Space>> {
        SHARED.with_borrow_mut(|(space, users)| {
            if users.is_multiple_of(RENEW) {
                *space = Space::new();
            }
            *users += 1;
            space.clone()
        })
    }

    /// A truth value that no term mentions.
    pub(crate) fn fresh_bool(&self) -> Option<Ast> {
        let number = self.fresh.replace(self.fresh.get() + 1);
        // Variables of programs and encodings never start with a space.
        self.ctx.constant(&format!(" proxy {number}"), &self.sort(Sort::Bool)?)
    }

    pub(crate) fn sort(&self, sort: Sort) -> Option<ZSort> {
        if let Some(found) = self.sorts.borrow().get(&sort) {
            return Some(found.clone());
        }
        let new = match sort {
            Sort::Bool => self.ctx.bool_sort(),
            Sort::Int => self.ctx.int_sort(),
            Sort::Bv(width) => self.ctx.bv_sort(width),
            Sort::Float(e, s) => self.ctx.float_sort(e, s),
            Sort::Array(parts) => self.ctx.array_sort(&self.sort(parts.0)?, &self.sort(parts.1)?),
        }?;
        self.sorts.borrow_mut().insert(sort, new.clone());
        Some(new)
    }

    pub(crate) fn decl(&self, name: &str, domain: &[Sort], range: Sort) -> Option<Decl> {
        let domain: Option<Vec<ZSort>> = domain.iter().map(|s| self.sort(*s)).collect();
        self.ctx.decl(name, &domain?, &self.sort(range)?)
    }

    /// None only if Z3 fails: it is out of memory, or a term is not well-sorted.
    pub(crate) fn translate(&self, term: Term) -> Option<Ast> {
        let mut terms = self.terms.borrow_mut();
        if let Some(found) = terms.get(&term) {
            return Some(found.clone());
        }
        if terms.len() > REMEMBERED {
            terms.clear();
        }
        let mut stack = vec![(term, false)];
        while let Some((t, ready)) = stack.pop() {
            if terms.contains_key(&t) {
                continue;
            }
            if ready || t.args().is_empty() {
                let args: Option<Vec<&Ast>> = t.args().iter().map(|a| terms.get(a)).collect();
                let new = self.node(t, &args?)?;
                terms.insert(t, new);
            } else {
                stack.push((t, true));
                stack.extend(t.args().iter().map(|&a| (a, false)));
            }
        }
        terms.get(&term).cloned()
    }

    fn node(&self, term: Term, a: &[&Ast]) -> Option<Ast> {
        let c = &self.ctx;
        let sort = || self.sort(term.sort());
        self.adders.set(self.adders.get() + adders(term));
        match term.op() {
            Op::True => c.make0(Z3_mk_true),
            Op::False => c.make0(Z3_mk_false),
            Op::Var(name) => c.constant(name, &sort()?),
            Op::Int(value) => c.numeral(&value.to_string(), &sort()?),
            Op::Bv(bits) => c.numeral(&bits.to_string(), &sort()?),
            Op::Float(bits) => {
                let digits = c.numeral(&bits.to_string(), &self.sort(Sort::Bv(term.width()))?)?;
                // Folded to a value right away.
                c.simplify(&c.float_from_bits(&digits, &sort()?)?)
            }
            Op::Not => c.make1(Z3_mk_not, a.first()?),
            Op::And => c.make_n(Z3_mk_and, a),
            Op::Or => c.make_n(Z3_mk_or, a),
            Op::Ite => three(a, |x, y, z| c.make3(Z3_mk_ite, x, y, z)),
            Op::Add => c.make_n(Z3_mk_add, a),
            Op::Mul => c.make_n(Z3_mk_mul, a),
            Op::BvAdd => fold(a, |x, y| c.make2(Z3_mk_bvadd, x, y)),
            Op::BvMul => fold(a, |x, y| c.make2(Z3_mk_bvmul, x, y)),
            Op::BvNot => c.make1(Z3_mk_bvnot, a.first()?),
            Op::BvMulFits { signed: false } => two(a, |x, y| c.mul_no_overflow(x, y, false)),
            Op::BvMulFits { signed: true } => two(a, |x, y| {
                let below = c.make2(Z3_mk_bvmul_no_underflow, x, y)?;
                c.make_n(Z3_mk_and, &[&c.mul_no_overflow(x, y, true)?, &below])
            }),
            Op::Extract { high, low } => c.extract(*high, *low, a.first()?),
            Op::ZeroExtend(by) => c.make1_by(Z3_mk_zero_ext, *by, a.first()?),
            Op::SignExtend(by) => c.make1_by(Z3_mk_sign_ext, *by, a.first()?),
            Op::BvToInt { signed } => c.bv_to_int(a.first()?, *signed),
            Op::IntToBv(width) => c.make1_by(Z3_mk_int2bv, *width, a.first()?),
            Op::Store => three(a, |x, y, z| c.make3(Z3_mk_store, x, y, z)),
            Op::ConstArray => c.const_array(&self.sort(term.sort().index()?)?, a.first()?),
            Op::Apply(name) => {
                let domain: Vec<Sort> = term.args().iter().map(|t| t.sort()).collect();
                self.decl(name, &domain, term.sort())?.apply(a)
            }
            Op::Forall | Op::Exists => {
                let (body, bound) = a.split_last()?;
                c.quantifier(*term.op() == Op::Forall, bound, body)
            }
            op => match binary(op) {
                Some(f) => two(a, |x, y| c.make2(f, x, y)),
                None => self.float(term, a),
            },
        }
    }

    fn float(&self, term: Term, a: &[&Ast]) -> Option<Ast> {
        let c = &self.ctx;
        let mode = |r: &Rounding| c.make0(rounding(*r));
        match term.op() {
            Op::FpAdd(r) => two(a, |x, y| c.make3(Z3_mk_fpa_add, &mode(r)?, x, y)),
            Op::FpSub(r) => two(a, |x, y| c.make3(Z3_mk_fpa_sub, &mode(r)?, x, y)),
            Op::FpMul(r) => two(a, |x, y| c.make3(Z3_mk_fpa_mul, &mode(r)?, x, y)),
            Op::FpDiv(r) => two(a, |x, y| c.make3(Z3_mk_fpa_div, &mode(r)?, x, y)),
            Op::FpSqrt(r) => c.make2(Z3_mk_fpa_sqrt, &mode(r)?, a.first()?),
            Op::FpRoundToIntegral(r) => c.make2(Z3_mk_fpa_round_to_integral, &mode(r)?, a.first()?),
            Op::FpNeg => c.make1(Z3_mk_fpa_neg, a.first()?),
            Op::FpAbs => c.make1(Z3_mk_fpa_abs, a.first()?),
            Op::FpIsNan => c.make1(Z3_mk_fpa_is_nan, a.first()?),
            Op::FpIsInfinite => c.make1(Z3_mk_fpa_is_infinite, a.first()?),
            Op::FpIsNegative => c.make1(Z3_mk_fpa_is_negative, a.first()?),
            Op::FpFromBits => c.float_from_bits(a.first()?, &self.sort(term.sort())?),
            Op::FpToBits => {
                // Z3 leaves the encoding of NaN open; ours is fixed.
                let x = a.first()?;
                let nan = self.translate_nan(term.args().first()?.sort())?;
                let bits = c.make1(Z3_mk_fpa_to_ieee_bv, x)?;
                c.make3(Z3_mk_ite, &c.make1(Z3_mk_fpa_is_nan, x)?, &nan, &bits)
            }
            Op::FpFromSigned(r) => c.float_from(Some(true), &mode(r)?, a.first()?, &self.sort(term.sort())?),
            Op::FpFromUnsigned(r) => {
                c.float_from(Some(false), &mode(r)?, a.first()?, &self.sort(term.sort())?)
            }
            Op::FpFromFp(r) => c.float_from(None, &mode(r)?, a.first()?, &self.sort(term.sort())?),
            Op::FpToSigned(r, width) => c.float_to(true, &mode(r)?, a.first()?, *width),
            Op::FpToUnsigned(r, width) => c.float_to(false, &mode(r)?, a.first()?, *width),
            _ => None,
        }
    }

    fn translate_nan(&self, sort: Sort) -> Option<Ast> {
        let bits = quiet_nan(sort)?;
        self.ctx.numeral(&bits.to_string(), &self.sort(Sort::Bv(sort.width()?))?)
    }
}

/// How many full adders a node is when it is made of bits.
fn adders(term: Term) -> u64 {
    let square = || u64::from(term.width()).pow(2);
    let variable = || term.args().iter().filter(|a| !a.is_const()).count() as u64;
    match term.op() {
        Op::BvMul => square() * variable().saturating_sub(1),
        Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => 2 * square(),
        Op::BvMulFits { .. } => 2 * term.args().first().map_or(0, |a| u64::from(a.width()).pow(2)),
        _ => 0,
    }
}

/// The encoding of NaN that `fp_to_bits` gives: quiet, positive, no payload.
pub(crate) fn quiet_nan(sort: Sort) -> Option<u128> {
    let Sort::Float(exponent, significand) = sort else { return None };
    let ones = (1u128 << exponent) - 1;
    Some(ones << (significand - 1) | 1 << (significand - 2))
}

/// Operations whose image is one Z3 function of two arguments.
fn binary(op: &Op) -> Option<crate::raw::Make2> {
    Some(match op {
        Op::Eq => Z3_mk_eq,
        Op::Div => Z3_mk_div,
        Op::Mod => Z3_mk_mod,
        Op::Le => Z3_mk_le,
        Op::Lt => Z3_mk_lt,
        Op::BvAnd => Z3_mk_bvand,
        Op::BvOr => Z3_mk_bvor,
        Op::BvXor => Z3_mk_bvxor,
        Op::BvShl => Z3_mk_bvshl,
        Op::BvLshr => Z3_mk_bvlshr,
        Op::BvAshr => Z3_mk_bvashr,
        Op::BvUdiv => Z3_mk_bvudiv,
        Op::BvUrem => Z3_mk_bvurem,
        Op::BvSdiv => Z3_mk_bvsdiv,
        Op::BvSrem => Z3_mk_bvsrem,
        Op::BvUle => Z3_mk_bvule,
        Op::BvUlt => Z3_mk_bvult,
        Op::BvSle => Z3_mk_bvsle,
        Op::BvSlt => Z3_mk_bvslt,
        Op::Concat => Z3_mk_concat,
        Op::Select => Z3_mk_select,
        Op::FpRem => Z3_mk_fpa_rem,
        Op::FpEq => Z3_mk_fpa_eq,
        Op::FpLe => Z3_mk_fpa_leq,
        Op::FpLt => Z3_mk_fpa_lt,
        _ => return None,
    })
}

fn rounding(mode: Rounding) -> Make0 {
    match mode {
        Rounding::NearestEven => Z3_mk_fpa_rne,
        Rounding::NearestAway => Z3_mk_fpa_rna,
        Rounding::ToZero => Z3_mk_fpa_rtz,
        Rounding::Up => Z3_mk_fpa_rtp,
        Rounding::Down => Z3_mk_fpa_rtn,
    }
}

fn two(a: &[&Ast], f: impl FnOnce(&Ast, &Ast) -> Option<Ast>) -> Option<Ast> {
    let [x, y] = a else { return None };
    f(x, y)
}

fn three(a: &[&Ast], f: impl FnOnce(&Ast, &Ast, &Ast) -> Option<Ast>) -> Option<Ast> {
    let [x, y, z] = a else { return None };
    f(x, y, z)
}

/// Z3's function takes two arguments, ours any number.
fn fold(a: &[&Ast], f: impl Fn(&Ast, &Ast) -> Option<Ast>) -> Option<Ast> {
    let (first, rest) = a.split_first()?;
    rest.iter().try_fold(Ast::clone(first), |sum, x| f(&sum, x))
}
