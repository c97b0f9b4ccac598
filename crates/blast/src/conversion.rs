//! Floats to integers, where the result is unspecified out of range.
//!
//! Unspecified means that it could be any function of the float, and that is what the circuit has: a table as for uninterpreted
//! functions, whose constraints grow with the square of its entries. Translations from C never look there, they ask for the
//! conversion only where the number fits. So a choice whose condition says that it fits is built without the table: the conditions
//! are the same terms here as there, and hence the same gates.

use crate::Word;
use crate::array::Source;
use crate::blaster::{Blaster, Refused, format_of, width_of};
use crate::float::Format;
use crate::word::ite;
use logic::{Op, Sort, Term};
use rustc_hash::FxHashSet;
use sat::{Aig, Lit, Node};

/// The float that is converted, if the term is such a conversion.
pub(crate) fn converted(term: Term) -> Option<Term> {
    match (term.op(), term.args()) {
        (Op::FpToSigned(..) | Op::FpToUnsigned(..), &[x]) => Some(x),
        _ => None,
    }
}

impl Blaster {
    /// A branch of a choice that is taken when `condition` holds. What the branch depends on is translated already; if
    /// it is a conversion, itself perhaps not.
    pub(crate) fn branch(&mut self, aig: &mut Aig, condition: Lit, term: Term) -> Result<Word, Refused> {
        if converted(term).is_none() || self.is_known(term) {
            return self.known(term);
        }
        let (fits, word) = self.where_it_fits(aig, term)?;
        if implies(aig, condition, fits) {
            return Ok(word);
        }
        let word = self.conversion(aig, term)?;
        self.remember(term, &word);
        Ok(word)
    }

    pub(crate) fn conversion(&mut self, aig: &mut Aig, term: Term) -> Result<Word, Refused> {
        let (fits, word) = self.where_it_fits(aig, term)?;
        let x = converted(term).ok_or(Refused::Malformed)?;
        if fits == Lit::TRUE {
            return Ok(word);
        }
        let place = self.known(x)?;
        let outside =
            self.look_up(aig, Source::Unspecified(term.op().clone(), x.sort(), term.sort()), &place)?;
        Ok(ite(aig, fits, &word, &outside))
    }

    /// Whether the rounded number fits, and its bits if so.
    fn where_it_fits(&mut self, aig: &mut Aig, term: Term) -> Result<(Lit, Word), Refused> {
        let x = converted(term).ok_or(Refused::Malformed)?;
        let format = format_of(x.sort())?;
        let width = width_of(term.sort())?;
        let (mode, signed) = match *term.op() {
            Op::FpToSigned(mode, bits) if bits as usize == width => (mode, true),
            Op::FpToUnsigned(mode, bits) if bits as usize == width => (mode, false),
            _ => return Err(Refused::Malformed),
        };
        let whole = Term::fp(Op::FpRoundToIntegral(mode), [x]);
        let digits = if signed { width - 1 } else { width };
        let fits = match power_of_two(x.sort(), format, digits) {
            Some(limit) => {
                let least = if signed { Term::fp(Op::FpNeg, [limit]) } else { Term::float(0, x.sort()) };
                let above = Term::fp_test(Op::FpLe, [least, whole]);
                above.and(Term::fp_test(Op::FpLt, [whole, limit]))
            }
            // Every number of the format fits, except that some are negative.
            None => {
                let finite = Term::fp_test(Op::FpIsInfinite, [x]).or(Term::fp_test(Op::FpIsNan, [x])).not();
                let negative = Term::fp_test(Op::FpLt, [whole, Term::float(0, x.sort())]);
                if signed { finite } else { finite.and(negative.not()) }
            }
        };
        let fits = self.bool(aig, fits)?;
        let whole = self.word(aig, whole)?;
        Ok((fits, format.to_integer(aig, &whole, width)))
    }
}

/// 2^exponent, unless that is beyond the format.
fn power_of_two(sort: Sort, format: Format, exponent: usize) -> Option<Term> {
    let Format(bits, significand) = format;
    let greatest = (1u128 << bits) - 1;
    let biased = (greatest / 2).checked_add(exponent as u128).filter(|&biased| biased < greatest)?;
    Some(Term::float(biased << (significand - 1), sort))
}

/// Whether the condition is a conjunction that has everything in it that the goal has; false if that is not seen at a glance.
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
