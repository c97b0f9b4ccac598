//! The walk over terms: arguments before those who use them, each term once, without recursion.

use crate::array::{Source, Table};
use crate::conversion::{converted, joined};
use crate::divide::Division;
use crate::float::Format;
use crate::multiply::{multiply, product_fits, sum};
use crate::word::{
    bitwise, constant, equal, flip_sign, ite, not, resize, shift, shift_left_by, shift_right_by, sign,
    unsigned_le, unsigned_lt,
};
use crate::{Word, float};
use logic::{Op, Sort, Term};
use rustc_hash::FxHashMap;
use sat::{Aig, Lit};
use std::fmt;

/// Translates terms into one graph, always the same for the life of the blaster.
pub struct Blaster {
    memo: FxHashMap<Term, Word>,
    inputs: Vec<(Term, Word)>,
    next_label: u32,
    limit: usize,
    pub(crate) constraints: Vec<Lit>,
    /// Indices that were read at, numbered.
    pub(crate) indices: FxHashMap<Word, u32>,
    /// Elements by state of the array and number of the index.
    pub(crate) reads: FxHashMap<(Term, u32), Word>,
    pub(crate) tables: Vec<(Source, Table)>,
    pub(crate) table_of: FxHashMap<Source, usize>,
    /// In the order in which they were met: operands before those who use them.
    pub(crate) divisions: Vec<Division>,
    pub(crate) division_of: FxHashMap<(Word, Word), usize>,
    pub(crate) guesses: bool,
    /// Which encoding a NaN has when its bits are asked for: unspecified, but always the same.
    nan_bits: FxHashMap<Sort, Word>,
}

/// Why a term has no circuit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// Integers have no bits.
    Integer,
    ArrayEquality,
    /// An array of arrays, or one as an argument of a function.
    NestedArray,
    Quantifier,
    /// This operation on floats.
    Float(Op),
    /// The graph has reached the limit on its nodes.
    TooLarge(usize),
    /// Arguments that do not fit the operation.
    Malformed,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Refused::Integer => f.write_str("unbounded integers cannot be written with bits"),
            Refused::ArrayEquality => f.write_str("equality of whole arrays cannot be written with bits yet"),
            Refused::NestedArray => f.write_str("arrays of arrays cannot be written with bits yet"),
            Refused::Quantifier => f.write_str("quantifiers cannot be written with bits"),
            Refused::Float(op) => write!(f, "the float operation {op:?} cannot be written with bits yet"),
            Refused::TooLarge(limit) => write!(f, "the circuit has more than {limit} gates"),
            Refused::Malformed => f.write_str("a term whose arguments do not fit its operation"),
        }
    }
}

impl std::error::Error for Refused {}

impl Default for Blaster {
    fn default() -> Self {
        Self::new()
    }
}

impl Blaster {
    pub fn new() -> Self {
        Self::with_labels_from(0)
    }

    /// New inputs get labels from this one on: for graphs with inputs of other origin.
    pub fn with_labels_from(label: u32) -> Self {
        Blaster {
            memo: FxHashMap::default(),
            inputs: Vec::new(),
            next_label: label,
            limit: MOST_NODES,
            constraints: Vec::new(),
            indices: FxHashMap::default(),
            reads: FxHashMap::default(),
            tables: Vec::new(),
            table_of: FxHashMap::default(),
            divisions: Vec::new(),
            division_of: FxHashMap::default(),
            guesses: false,
            nan_bits: FxHashMap::default(),
        }
    }

    /// Quotients and remainders become inputs with constraints, where they would be computed otherwise: for
    /// those who ask a solver about all of the graph at once.
    pub fn guess_quotients(mut self) -> Self {
        self.guesses = true;
        self
    }

    /// Refuse to go on when the graph has more nodes than this.
    pub fn limit(mut self, nodes: usize) -> Self {
        self.limit = nodes.min(MOST_NODES);
        self
    }

    /// The edge that is a Bool term.
    pub fn bool(&mut self, aig: &mut Aig, term: Term) -> Result<Lit, Refused> {
        if term.sort() != Sort::Bool {
            return Err(Refused::Malformed);
        }
        self.translate(aig, term)?;
        self.known_bool(term)
    }

    /// The bits of a Bool, a bit-vector, or of the encoding of a float.
    pub fn word(&mut self, aig: &mut Aig, term: Term) -> Result<Word, Refused> {
        width_of(term.sort())?;
        self.translate(aig, term)?;
        self.known(term)
    }

    /// The variables that are not arrays, in the order in which they were met, with their bits.
    pub fn inputs(&self) -> impl Iterator<Item = (Term, &[Lit])> {
        self.inputs.iter().map(|(term, word)| (*term, word.as_slice()))
    }

    /// What was divided by guessing, operands before results. Quotients and remainders are inputs that nobody
    /// else knows.
    pub fn divisions(&self) -> &[Division] {
        &self.divisions
    }

    /// What must hold besides the formulas: equal places of an array have equal elements, quotients and
    /// remainders are such. The list only grows. Whatever the variables are, the other inputs have values for
    /// which it holds.
    pub fn constraints(&self) -> &[Lit] {
        &self.constraints
    }

    /// The label that the next new input would get.
    pub fn next_label(&self) -> u32 {
        self.next_label
    }

    fn translate(&mut self, aig: &mut Aig, term: Term) -> Result<(), Refused> {
        let mut stack = vec![term];
        while let Some(&t) = stack.last() {
            if self.memo.contains_key(&t) {
                stack.pop();
                continue;
            }
            if let Some(joined) = joined(t) {
                match self.memo.get(&joined) {
                    Some(word) => {
                        let word = word.clone();
                        self.memo.insert(t, word);
                    }
                    None => stack.push(joined),
                }
                continue;
            }
            let before = stack.len();
            for &arg in t.args() {
                let arg = match t.op() {
                    Op::BvAdd => negated(arg).unwrap_or(arg),
                    Op::Ite => converted(arg).unwrap_or(arg),
                    _ => arg,
                };
                if !self.memo.contains_key(&arg) {
                    // Bound variables are none of ours.
                    if matches!(t.op(), Op::Forall | Op::Exists) {
                        return Err(Refused::Quantifier);
                    }
                    stack.push(arg);
                }
            }
            if stack.len() == before {
                self.within_limit(aig)?;
                let word = self.node(aig, t)?;
                if !t.sort().is_array() && word.len() != width_of(t.sort())? {
                    return Err(Refused::Malformed);
                }
                self.memo.insert(t, word);
                stack.pop();
            }
        }
        Ok(())
    }

    pub(crate) fn within_limit(&self, aig: &Aig) -> Result<(), Refused> {
        if aig.len() > self.limit || self.next_label > MOST_LABELS {
            return Err(Refused::TooLarge(self.limit));
        }
        Ok(())
    }

    pub(crate) fn known(&self, term: Term) -> Result<Word, Refused> {
        self.memo.get(&term).cloned().ok_or(Refused::Malformed)
    }

    pub(crate) fn is_known(&self, term: Term) -> bool {
        self.memo.contains_key(&term)
    }

    pub(crate) fn known_bool(&self, term: Term) -> Result<Lit, Refused> {
        match self.memo.get(&term).map(|word| &word[..]) {
            Some(&[lit]) => Ok(lit),
            _ => Err(Refused::Malformed),
        }
    }

    pub(crate) fn fresh(&mut self, aig: &mut Aig, width: usize) -> Word {
        let first = self.next_label;
        self.next_label = first.saturating_add(width as u32);
        (first..self.next_label).map(|label| aig.input(label)).collect()
    }

    fn node(&mut self, aig: &mut Aig, term: Term) -> Result<Word, Refused> {
        let sort = term.sort();
        if let Sort::Array((index, element)) = sort {
            width_of(*index)?;
            width_of(*element)?;
            return match term.op() {
                Op::Var(_) | Op::Store | Op::ConstArray | Op::Ite => Ok(Word::new()),
                _ => Err(unsupported(term)),
            };
        }
        let width = width_of(sort)?;
        match (term.op(), term.args()) {
            (Op::Var(_), _) => {
                let raw = self.fresh(aig, width);
                let word = canonical(aig, sort, &raw);
                self.inputs.push((term, word.clone()));
                Ok(word)
            }
            (Op::Apply(name), args) => {
                let sorts: Vec<Sort> = args.iter().map(|a| a.sort()).collect();
                let mut place = Word::new();
                for arg in args {
                    width_of(arg.sort())?;
                    place.extend(self.known(*arg)?);
                }
                self.look_up(aig, Source::Function(name, sorts, sort), &place)
            }
            (Op::Select, [array, index]) => {
                if array.sort().index() != Some(index.sort()) {
                    return Err(Refused::Malformed);
                }
                let index = self.known(*index)?;
                self.read(aig, *array, &index)
            }
            (Op::Eq, [a, _]) if a.sort().is_array() => Err(Refused::ArrayEquality),
            (Op::BvAdd, args) => self.sum(aig, args, width),
            (op @ (Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem), [a, b]) => {
                let (a, b) = (self.known(*a)?, self.known(*b)?);
                if a.len() != b.len() {
                    return Err(Refused::Malformed);
                }
                Ok(match op {
                    Op::BvUdiv => self.divide(aig, &a, &b).0,
                    Op::BvUrem => self.divide(aig, &a, &b).1,
                    Op::BvSdiv => self.divide_signed(aig, &a, &b).0,
                    _ => self.divide_signed(aig, &a, &b).1,
                })
            }
            (Op::FpToBits, [x]) => self.float_to_bits(aig, *x),
            (Op::FpToSigned(..) | Op::FpToUnsigned(..), [_]) => self.conversion(aig, term),
            (Op::Ite, &[condition, a, b]) => {
                let condition = self.known_bool(condition)?;
                let (a, b) = (self.branch(aig, condition, a)?, self.branch(aig, !condition, b)?);
                if a.len() != b.len() {
                    return Err(Refused::Malformed);
                }
                Ok(ite(aig, condition, &a, &b))
            }
            (_, args) => {
                let words: Vec<Word> = args.iter().map(|a| self.known(*a)).collect::<Result<_, _>>()?;
                operate(aig, term, width, &words)
            }
        }
    }

    fn sum(&self, aig: &mut Aig, args: &[Term], width: usize) -> Result<Word, Refused> {
        let mut constants = 0u128;
        let mut summands = Vec::new();
        for &arg in args {
            match (arg.as_bv(), negated(arg)) {
                (Some(bits), _) => constants = constants.wrapping_add(bits),
                (_, Some(inner)) => summands.push((self.known(inner)?, true)),
                _ => summands.push((self.known(arg)?, false)),
            }
        }
        if summands.iter().any(|(word, _)| word.len() != width) {
            return Err(Refused::Malformed);
        }
        // Starting with what is added makes a - b one subtraction.
        summands.sort_by_key(|(_, negative)| *negative);
        Ok(sum(aig, &summands, constants, width as u32))
    }

    fn float_to_bits(&mut self, aig: &mut Aig, x: Term) -> Result<Word, Refused> {
        let format = format_of(x.sort())?;
        let word = self.known(x)?;
        let is_nan = format.is_nan(aig, &word);
        if is_nan == Lit::FALSE {
            return Ok(word);
        }
        let nan = match self.nan_bits.get(&x.sort()) {
            Some(nan) => nan.clone(),
            None => {
                let nan = self.fresh(aig, word.len());
                self.constraints.push(format.encodes_nan(aig, &nan));
                self.nan_bits.insert(x.sort(), nan.clone());
                nan
            }
        };
        Ok(ite(aig, is_nan, &nan, &word))
    }
}

/// Node numbers have 31 bits; one operation adds far fewer than what is left.
const MOST_NODES: usize = 1 << 30;
const MOST_LABELS: u32 = u32::MAX - 1024;

/// `x`, of a product of -1 and `x`.
fn negated(term: Term) -> Option<Term> {
    match (term.op(), term.args()) {
        (Op::BvMul, &[minus_one, x]) if minus_one.as_bv().is_some() => {
            let ones = u128::MAX.checked_shr(128u32.checked_sub(x.width())?)?;
            (minus_one.as_bv() == Some(ones)).then_some(x)
        }
        _ => None,
    }
}

/// Bits of a value that is not an array.
pub(crate) fn width_of(sort: Sort) -> Result<usize, Refused> {
    match sort {
        Sort::Bool => Ok(1),
        Sort::Bv(width @ 1..=128) => Ok(width as usize),
        Sort::Float(..) => format_of(sort).map(|Format(e, s)| (e + s) as usize),
        Sort::Int => Err(Refused::Integer),
        Sort::Array(_) => Err(Refused::NestedArray),
        Sort::Bv(_) => Err(Refused::Malformed),
    }
}

pub(crate) fn format_of(sort: Sort) -> Result<Format, Refused> {
    match sort {
        Sort::Float(e @ 2..=64, s @ 2..=126) if e + s <= 128 => Ok(Format(e, s)),
        _ => Err(Refused::Malformed),
    }
}

pub(crate) fn canonical(aig: &mut Aig, sort: Sort, word: &[Lit]) -> Word {
    match format_of(sort) {
        Ok(format) => format.one_nan(aig, word),
        Err(_) => word.to_vec(),
    }
}

pub(crate) fn unsupported(term: Term) -> Refused {
    match (term.op(), term.sort()) {
        (Op::Forall | Op::Exists, _) => Refused::Quantifier,
        (_, Sort::Array(_)) => Refused::NestedArray,
        (op, _) => Refused::Float(op.clone()),
    }
}

/// Operations that need nothing but the words of their arguments.
fn operate(aig: &mut Aig, term: Term, width: usize, words: &[Word]) -> Result<Word, Refused> {
    match (term.op(), words) {
        (Op::True, _) => Ok(vec![Lit::TRUE]),
        (Op::False, _) => Ok(vec![Lit::FALSE]),
        (Op::Bv(bits), _) => Ok(constant(*bits, width as u32)),
        (Op::Float(bits), _) => {
            let word = constant(*bits, width as u32);
            Ok(canonical(aig, term.sort(), &word))
        }
        (Op::And, _) => Ok(vec![aig.and_all(words.concat())]),
        (Op::Or, _) => Ok(vec![aig.or_all(words.concat())]),
        (Op::Not | Op::BvNot, [a]) => Ok(not(a)),
        (Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor, [first, rest @ ..]) => {
            rest.iter().try_fold(first.clone(), |acc, b| two(aig, term.op(), &acc, b))
        }
        (Op::Concat, _) => Ok(words.iter().rev().flatten().copied().collect()),
        (Op::Extract { high, low }, [a]) => {
            let bits = a.get(*low as usize..(*high as usize).saturating_add(1));
            bits.map(<[Lit]>::to_vec).ok_or(Refused::Malformed)
        }
        (Op::ZeroExtend(_), [a]) => Ok(resize(a, width, Lit::FALSE)),
        (Op::SignExtend(_), [a]) => Ok(resize(a, width, sign(a))),
        (Op::FpFromBits, [a]) if a.len() == width => Ok(canonical(aig, term.sort(), a)),
        (
            op @ (Op::FpNeg
            | Op::FpAbs
            | Op::FpIsNan
            | Op::FpIsInfinite
            | Op::FpIsNegative
            | Op::FpEq
            | Op::FpLe
            | Op::FpLt
            | Op::FpAdd(_)
            | Op::FpSub(_)
            | Op::FpMul(_)
            | Op::FpDiv(_)
            | Op::FpSqrt(_)
            | Op::FpRem
            | Op::FpRoundToIntegral(_)
            | Op::FpFromSigned(_)
            | Op::FpFromUnsigned(_)
            | Op::FpFromFp(_)),
            _,
        ) => {
            let from = term.args().first().map_or(Sort::Int, |a| a.sort());
            if term.args().iter().any(|a| a.sort() != from) {
                return Err(Refused::Malformed);
            }
            float::operate(aig, op, from, term.sort(), words)
        }
        (op, [a, b]) => two(aig, op, a, b),
        (op, _) => Err(no_circuit(op)),
    }
}

fn two(aig: &mut Aig, op: &Op, a: &[Lit], b: &[Lit]) -> Result<Word, Refused> {
    if a.len() != b.len() {
        return Err(Refused::Malformed);
    }
    Ok(match op {
        Op::Eq => vec![equal(aig, a, b)],
        Op::BvAnd => bitwise(aig, a, b, Aig::and),
        Op::BvOr => bitwise(aig, a, b, Aig::or),
        Op::BvXor => bitwise(aig, a, b, Aig::xor),
        Op::BvMul => multiply(aig, a, b),
        Op::BvShl => shift(aig, a, b, Lit::FALSE, shift_left_by),
        Op::BvLshr => shift(aig, a, b, Lit::FALSE, shift_right_by),
        Op::BvAshr => shift(aig, a, b, sign(a), shift_right_by),
        Op::BvUle => vec![unsigned_le(aig, a, b)],
        Op::BvUlt => vec![unsigned_lt(aig, a, b)],
        Op::BvSle => vec![unsigned_le(aig, &flip_sign(a), &flip_sign(b))],
        Op::BvSlt => vec![unsigned_lt(aig, &flip_sign(a), &flip_sign(b))],
        Op::BvMulFits { signed } => vec![product_fits(aig, a, b, *signed)],
        op => return Err(no_circuit(op)),
    })
}

fn no_circuit(op: &Op) -> Refused {
    match op {
        Op::Int(_)
        | Op::Add
        | Op::Mul
        | Op::Div
        | Op::Mod
        | Op::Le
        | Op::Lt
        | Op::BvToInt { .. }
        | Op::IntToBv(_) => Refused::Integer,
        Op::Forall | Op::Exists => Refused::Quantifier,
        _ => Refused::Malformed,
    }
}
