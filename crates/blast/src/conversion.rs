//! Floats to integers, where the result is unspecified out of range.
//!
//! Unspecified means that it could be any function of the float, and that is what the circuit has: a table as
//! for uninterpreted functions, whose constraints grow with the square of its entries. Translations from C
//! never look there, they ask for the conversion only where the number fits. So a choice whose condition says
//! that it fits is built without the table: the conditions are the same terms here as there, and hence the
//! same gates.

use crate::Word;
use crate::array::Source;
use crate::blaster::{Blaster, Refused, format_of, width_of};
use crate::word::ite;
use logic::{Op, Rounding, Sort, Term};
use rustc_hash::FxHashSet;
use sat::{Aig, Lit, Node};
use std::ops::Range;

/// The float that is converted, if the term is a conversion or a part of one.
pub(crate) fn converted(term: Term) -> Option<Term> {
    conversion_in(term).and_then(|(conversion, _)| conversion.args().first().copied())
}

/// A choice within a choice, where the inner one has a conversion whose condition is half in the outer one:
/// as one choice with both conditions.
pub(crate) fn joined(term: Term) -> Option<Term> {
    let join = |term: Term| -> Option<Term> {
        let (Op::Ite, &[outer, inside, otherwise]) = (term.op(), term.args()) else { return None };
        let (Op::Ite, &[inner, then, not_inner]) = (inside.op(), inside.args()) else { return None };
        converted(then)?;
        Some(outer.and(inner).ite(then, outer.ite(not_inner, otherwise)))
    };
    // Only if it is not made what it was.
    join(term).filter(|&joined| join(joined).is_none())
}

/// The conversion that the term is, or takes bits from, and which these are.
fn conversion_in(mut term: Term) -> Option<(Term, Range<usize>)> {
    let mut bits = 0..term.sort().width()? as usize;
    loop {
        match (term.op(), term.args()) {
            (Op::FpToSigned(..) | Op::FpToUnsigned(..), [_]) => return Some((term, bits)),
            (Op::Extract { low, .. }, &[whole]) => {
                let low = *low as usize;
                bits = bits.start.checked_add(low)?..bits.end.checked_add(low)?;
                term = whole;
            }
            _ => return None,
        }
    }
}

impl Blaster {
    /// A branch of a choice that is taken when `condition` holds. If it is a conversion or a part of one,
    /// then it is perhaps not translated, but the float is.
    pub(crate) fn branch(&mut self, aig: &mut Aig, condition: Lit, term: Term) -> Result<Word, Refused> {
        let Some((conversion, bits)) = conversion_in(term).filter(|_| !self.is_known(term)) else {
            return self.known(term);
        };
        let fits = self.fits(aig, conversion)?;
        let mut enough = implies(aig, condition, fits);
        if !enough && let Some(large) = in_upper_half(conversion) {
            let large = self.bool(aig, large)?;
            enough = implies(aig, condition, large);
        }
        if enough {
            let word = self.where_it_fits(aig, conversion)?;
            return word.get(bits).map(<[Lit]>::to_vec).ok_or(Refused::Malformed);
        }
        self.word(aig, term)
    }

    pub(crate) fn conversion(&mut self, aig: &mut Aig, term: Term) -> Result<Word, Refused> {
        let (fits, word) = (self.fits(aig, term)?, self.where_it_fits(aig, term)?);
        let x = converted(term).ok_or(Refused::Malformed)?;
        if fits == Lit::TRUE {
            return Ok(word);
        }
        let place = self.known(x)?;
        let outside =
            self.look_up(aig, Source::Unspecified(term.op().clone(), x.sort(), term.sort()), &place)?;
        Ok(ite(aig, fits, &word, &outside))
    }

    /// Whether the rounded number fits.
    fn fits(&mut self, aig: &mut Aig, term: Term) -> Result<Lit, Refused> {
        let Conversion { x, mode, width, signed } = conversion(term)?;
        let whole = Term::fp(Op::FpRoundToIntegral(mode), [x]);
        let zero = Term::float(0, x.sort());
        let fits = match power_of_two(x.sort(), if signed { width - 1 } else { width }) {
            Some(limit) => {
                let least = if signed { Term::fp(Op::FpNeg, [limit]) } else { zero };
                let above = Term::fp_test(Op::FpLe, [least, whole]);
                above.and(Term::fp_test(Op::FpLt, [whole, limit]))
            }
            // Every number of the format does, except that some are negative.
            None => {
                let finite = Term::fp_test(Op::FpIsInfinite, [x]).or(Term::fp_test(Op::FpIsNan, [x])).not();
                let negative = Term::fp_test(Op::FpLt, [whole, zero]);
                if signed { finite } else { finite.and(negative.not()) }
            }
        };
        self.bool(aig, fits)
    }

    /// The bits of the rounded number if it fits.
    fn where_it_fits(&mut self, aig: &mut Aig, term: Term) -> Result<Word, Refused> {
        let Conversion { x, mode, width, .. } = conversion(term)?;
        let whole = self.word(aig, Term::fp(Op::FpRoundToIntegral(mode), [x]))?;
        Ok(format_of(x.sort())?.to_integer(aig, &whole, width as usize))
    }
}

struct Conversion {
    x: Term,
    mode: Rounding,
    width: u32,
    signed: bool,
}

fn conversion(term: Term) -> Result<Conversion, Refused> {
    let (x, mode, width, signed) = match (term.op(), term.args()) {
        (&Op::FpToSigned(mode, width), &[x]) => (x, mode, width, true),
        (&Op::FpToUnsigned(mode, width), &[x]) => (x, mode, width, false),
        _ => return Err(Refused::Malformed),
    };
    format_of(x.sort())?;
    if width_of(term.sort())? != width as usize {
        return Err(Refused::Malformed);
    }
    Ok(Conversion { x, mode, width, signed })
}

/// Between half of the limit of an unsigned type and the limit, as x86 has it; infinity is a limit too.
fn in_upper_half(term: Term) -> Option<Term> {
    let Conversion { x, mode, width, signed: false } = conversion(term).ok()? else { return None };
    let whole = Term::fp(Op::FpRoundToIntegral(mode), [x]);
    let Sort::Float(exponent, significand) = x.sort() else { return None };
    let infinity = Term::float(((1u128 << exponent) - 1) << (significand - 1), x.sort());
    let half = power_of_two(x.sort(), width - 1)?;
    let limit = power_of_two(x.sort(), width).unwrap_or(infinity);
    Some(Term::fp_test(Op::FpLe, [half, whole]).and(Term::fp_test(Op::FpLt, [whole, limit])))
}

/// 2^exponent, unless that is beyond the format.
fn power_of_two(sort: Sort, exponent: u32) -> Option<Term> {
    let Sort::Float(bits, significand) = sort else { return None };
    let greatest = (1u128 << bits) - 1;
    let biased = (greatest / 2).checked_add(exponent.into()).filter(|&biased| biased < greatest)?;
    Some(Term::float(biased << (significand - 1), sort))
}

/// Whether the condition is a conjunction that has everything in it that the goal has; false if that is not
/// seen at a glance.
fn implies(aig: &Aig, condition: Lit, goal: Lit) -> bool {
    let mut known = FxHashSet::default();
    let mut open = vec![condition];
    while let Some(lit) = open.pop() {
        if known.len() < GLANCE && known.insert(lit) {
            open.extend(conjuncts(aig, lit).into_iter().flatten());
        }
    }
    let mut open = vec![goal];
    for _ in 0..GLANCE {
        let Some(lit) = open.pop() else { return true };
        if lit == Lit::TRUE || known.contains(&lit) {
            continue;
        }
        match conjuncts(aig, lit) {
            Some(both) => open.extend(both),
            None => return false,
        }
    }
    false
}

fn conjuncts(aig: &Aig, lit: Lit) -> Option<[Lit; 2]> {
    match aig.node(lit.node()) {
        Node::And(a, b) if !lit.is_complemented() => Some([a, b]),
        _ => None,
    }
}

const GLANCE: usize = 200;
