//! Walking terms: variables, sizes, substitution. Terms are graphs; every walk visits a node once.

use crate::number::Linear;
use crate::sort::Sort;
use crate::term::{Args, Op, Term};
use dashu_int::IBig;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The variables that are not bound by a quantifier.
pub fn free_vars(term: Term) -> BTreeSet<Term> {
    free_vars_of([term])
}

/// The free variables of several terms together.
pub fn free_vars_of(terms: impl IntoIterator<Item = Term>) -> BTreeSet<Term> {
    collect(terms.into_iter().collect(), &mut FxHashMap::default())
}

/// `quantifiers` remembers what was found under binders, which are walks of their own: what they bind may be
/// free elsewhere.
fn collect(mut stack: Vec<Term>, quantifiers: &mut FxHashMap<Term, BTreeSet<Term>>) -> BTreeSet<Term> {
    let mut vars = BTreeSet::new();
    let mut seen = FxHashSet::default();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        match t.op() {
            Op::Var(_) => {
                vars.insert(t);
            }
            Op::Forall | Op::Exists => {
                if !quantifiers.contains_key(&t) {
                    let (body, bound) = t.args().split_last().map_or((t, &[][..]), |(b, v)| (*b, v));
                    let mut inner = collect(vec![body], quantifiers);
                    inner.retain(|v| !bound.contains(v));
                    quantifiers.insert(t, inner);
                }
                vars.extend(&quantifiers[&t]);
            }
            _ => stack.extend_from_slice(t.args()),
        }
    }
    vars
}

/// The number of different nodes.
pub fn size(term: Term) -> usize {
    subterms([term]).count()
}

/// All nodes of these terms, each once.
pub fn subterms(terms: impl IntoIterator<Item = Term>) -> impl Iterator<Item = Term> {
    subterms_in(terms, Term::args)
}

/// The nodes that are met where only these operands of a node are looked at, each once.
pub fn subterms_in(
    terms: impl IntoIterator<Item = Term>,
    operands: impl Fn(Term) -> &'static [Term],
) -> impl Iterator<Item = Term> {
    let mut seen = FxHashSet::default();
    let mut stack: Vec<Term> = terms.into_iter().collect();
    std::iter::from_fn(move || {
        loop {
            let t = stack.pop()?;
            if seen.insert(t) {
                stack.extend_from_slice(operands(t));
                return Some(t);
            }
        }
    })
}

/// Replaces variables (outside of quantifiers, any terms) by terms of their sort, all at once, and simplifies
/// again. Keep one for many terms: it remembers.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    map: FxHashMap<Term, Term>,
    done: FxHashMap<Term, Term>,
}

impl Substitution {
    pub fn new(pairs: impl IntoIterator<Item = (Term, Term)>) -> Substitution {
        let map: FxHashMap<Term, Term> = pairs.into_iter().collect();
        debug_assert!(map.iter().all(|(a, b)| a.sort() == b.sort()));
        Substitution { done: map.clone(), map }
    }

    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    pub fn apply(&mut self, term: Term) -> Term {
        if self.map.is_empty() {
            return term;
        }
        // Iterative: terms can be deeper than any stack.
        let mut stack = vec![(term, false)];
        while let Some((t, ready)) = stack.pop() {
            if self.done.contains_key(&t) {
                continue;
            }
            if let Op::Forall | Op::Exists = t.op() {
                let new = self.under_binder(t);
                self.done.insert(t, new);
            } else if t.args().is_empty() {
                self.done.insert(t, t);
            } else if ready {
                let args: Args = t.args().iter().map(|a| self.done[a]).collect();
                let new = if args[..] == *t.args() { t } else { rebuild(t, &args) };
                self.done.insert(t, new);
            } else {
                stack.push((t, true));
                stack.extend(t.args().iter().map(|&a| (a, false)));
            }
        }
        self.done[&term]
    }

    /// Again and again, until nothing is left to replace: for replacements that mention other variables of
    /// this substitution, but not in circles.
    pub fn apply_through(&mut self, mut term: Term) -> Term {
        for _ in 0..=self.map.len() {
            let next = self.apply(term);
            if next == term {
                break;
            }
            term = next;
        }
        term
    }

    fn under_binder(&self, term: Term) -> Term {
        let Some((&body, bound)) = term.args().split_last() else { return term };
        let free = free_vars(body);
        let mut pairs: Vec<(Term, Term)> = self
            .map
            .iter()
            .filter(|(from, _)| free.contains(from) && !bound.contains(from))
            .map(|(a, b)| (*a, *b))
            .collect();
        let taken = free_vars_of(pairs.iter().map(|(_, to)| *to));
        // A bound variable that a replacement mentions gets another name, one that nothing here has.
        let mut renamed = bound.to_vec();
        for (i, &v) in bound.iter().enumerate() {
            let mut fresh = v;
            while taken.contains(&fresh) || fresh != v && (free.contains(&fresh) || renamed.contains(&fresh))
            {
                fresh = Term::var(&format!("{}'", fresh.var_name().unwrap_or("v")), v.sort());
            }
            if fresh != v {
                pairs.push((v, fresh));
                renamed[i] = fresh;
            }
        }
        let body = Substitution::new(pairs).apply(body);
        if *term.op() == Op::Forall { Term::forall(&renamed, body) } else { Term::exists(&renamed, body) }
    }
}

/// Computes something of a term from that of its operands, each once.
pub fn bottom_up<V: Copy>(
    term: Term,
    known: &mut FxHashMap<Term, V>,
    compute: impl FnMut(Term, &FxHashMap<Term, V>) -> V,
) -> V {
    bottom_up_in(term, known, Term::args, compute)
}

/// The same where only these operands of a node are looked at.
pub fn bottom_up_in<V: Copy>(
    term: Term,
    known: &mut FxHashMap<Term, V>,
    operands: impl Fn(Term) -> &'static [Term],
    mut compute: impl FnMut(Term, &FxHashMap<Term, V>) -> V,
) -> V {
    let mut stack = vec![(term, false)];
    while let Some((t, ready)) = stack.pop() {
        if known.contains_key(&t) {
            continue;
        }
        if !ready && !operands(t).is_empty() {
            stack.push((t, true));
            stack.extend(operands(t).iter().map(|a| (*a, false)));
            continue;
        }
        let value = compute(t, known);
        known.insert(t, value);
    }
    known[&term]
}

/// The same operation on other arguments, simplified.
pub fn rebuild(term: Term, args: &[Term]) -> Term {
    match term.op() {
        Op::Not => args[0].not(),
        Op::And => Term::all(args.iter().copied()),
        Op::Or => Term::any(args.iter().copied()),
        Op::Eq => args[0].equals(args[1]),
        Op::Ite => args[0].ite(args[1], args[2]),
        Op::Add | Op::BvAdd => {
            let mut sum = Linear::zero(term.sort());
            args.iter().for_each(|t| sum.add_term(&IBig::ONE, *t));
            sum.to_term()
        }
        Op::Mul | Op::BvMul => Term::product_of(args.iter().copied()).unwrap_or(term),
        Op::Div => args[0].div(args[1]),
        Op::Mod => args[0].modulo(args[1]),
        Op::Le => args[0].int_le(args[1]),
        Op::Lt => args[0].int_lt(args[1]),
        Op::BvNot => args[0].bvnot(),
        Op::BvAnd => args[0].bvand(args[1]),
        Op::BvOr => args[0].bvor(args[1]),
        Op::BvXor => args[0].bvxor(args[1]),
        Op::BvShl => args[0].shl(args[1]),
        Op::BvLshr => args[0].lshr(args[1]),
        Op::BvAshr => args[0].ashr(args[1]),
        Op::BvUdiv => args[0].udiv(args[1]),
        Op::BvUrem => args[0].urem(args[1]),
        Op::BvSdiv => args[0].sdiv(args[1]),
        Op::BvSrem => args[0].srem(args[1]),
        Op::BvUle => args[0].ule(args[1]),
        Op::BvUlt => args[0].ult(args[1]),
        Op::BvSle => args[0].sle(args[1]),
        Op::BvSlt => args[0].slt(args[1]),
        Op::BvMulFits { signed } => args[0].mul_fits(args[1], *signed),
        Op::Concat => args[0].concat(args[1]),
        Op::Extract { high, low } => args[0].extract(*high, *low),
        Op::ZeroExtend(by) => args[0].zero_extend(*by),
        Op::SignExtend(by) => args[0].sign_extend(*by),
        Op::BvToInt { signed } => args[0].bv_to_int(*signed),
        Op::IntToBv(width) => args[0].int_to_bv(*width),
        Op::Select => args[0].select(args[1]),
        Op::Store => args[0].store(args[1], args[2]),
        Op::ConstArray => Term::const_array(term.sort().index().unwrap_or(Sort::Int), args[0]),
        Op::FpFromBits | Op::FpFromSigned(_) | Op::FpFromUnsigned(_) | Op::FpFromFp(_) => {
            Term::fp_from(term.op().clone(), args[0], term.sort())
        }
        Op::FpToBits => args[0].fp_to_bits(),
        Op::FpToSigned(rounding, width) => args[0].fp_to_int(*rounding, *width, true),
        Op::FpToUnsigned(rounding, width) => args[0].fp_to_int(*rounding, *width, false),
        Op::FpEq | Op::FpLe | Op::FpLt | Op::FpIsNan | Op::FpIsInfinite | Op::FpIsNegative => {
            Term::fp_test(term.op().clone(), args.iter().copied())
        }
        Op::FpAdd(_)
        | Op::FpSub(_)
        | Op::FpMul(_)
        | Op::FpDiv(_)
        | Op::FpSqrt(_)
        | Op::FpRem
        | Op::FpRoundToIntegral(_)
        | Op::FpNeg
        | Op::FpAbs => Term::fp(term.op().clone(), args.iter().copied()),
        op => Term::make(op.clone(), args.iter().copied(), term.sort()),
    }
}
