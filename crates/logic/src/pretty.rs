//! Terms for people: infix, in the notation of C as far as it goes.
//!
//! Where C has two meanings by type, the unsigned operator carries a `u` (`<u`, `/u`, `%u`), and `>>>` is the
//! shift that fills with zeros. Euclidean division is written `div` and `mod`. Text is cut (`…`) where a term
//! is too deep or too large to read.

use crate::bits::to_signed;
use crate::print;
use crate::sort::Sort;
use crate::term::{Op, Term};
use dashu_int::IBig;

/// The term with variables and functions named by `rename`.
pub fn pretty(term: Term, rename: &dyn Fn(&str) -> String) -> String {
    let mut printer = Printer { rename, budget: NODES };
    printer.at(term, Level::Lowest, 0)
}

const NODES: usize = 20_000;
const DEPTH: usize = 200;
const SMALL: i128 = 1_000_000;

/// How tightly an operator binds; an operand that binds less gets parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Lowest,
    Implies,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Order,
    Shift,
    Sum,
    Product,
    Unary,
    Postfix,
}

struct Printer<'a> {
    rename: &'a dyn Fn(&str) -> String,
    budget: usize,
}

impl Printer<'_> {
    fn at(&mut self, term: Term, level: Level, depth: usize) -> String {
        if self.budget == 0 || depth > DEPTH {
            return "…".to_owned();
        }
        self.budget -= 1;
        let (text, own) = self.node(term, depth + 1);
        if own < level { format!("({text})") } else { text }
    }

    fn node(&mut self, term: Term, d: usize) -> (String, Level) {
        let args = term.args();
        let op = term.op();
        if args.is_empty() {
            return self.atom(term);
        }
        match op {
            Op::Not => self.negation(args[0], d),
            Op::And => (self.joined(args, " && ", Level::And, d), Level::And),
            Op::Or => self.disjunction(args, d),
            Op::Eq if args[0].sort() == Sort::Bool => self.infix(args, "<=>", Level::Equality, d),
            Op::Eq if matches!(args[0].sort(), Sort::Float(..)) => {
                self.infix(args, "===", Level::Equality, d)
            }
            Op::Eq | Op::FpEq => self.infix(args, "==", Level::Equality, d),
            Op::Ite => {
                let c = self.at(args[0], Level::Implies, d);
                let a = self.at(args[1], Level::Implies, d);
                let b = self.at(args[2], Level::Lowest, d);
                (format!("{c} ? {a} : {b}"), Level::Lowest)
            }
            Op::Add | Op::BvAdd => (self.sum(args, d), Level::Sum),
            Op::Mul | Op::BvMul => self.product(term, d),
            Op::Le => self.order(args[0], args[1], d),
            Op::Div => self.infix(args, "div", Level::Product, d),
            Op::Mod => self.infix(args, "mod", Level::Product, d),
            Op::BvUdiv => self.infix(args, "/u", Level::Product, d),
            Op::BvUrem => self.infix(args, "%u", Level::Product, d),
            Op::BvSdiv | Op::FpDiv(_) => self.infix(args, "/", Level::Product, d),
            Op::BvSrem => self.infix(args, "%", Level::Product, d),
            Op::FpMul(_) => self.infix(args, "*", Level::Product, d),
            Op::FpAdd(_) => self.infix(args, "+", Level::Sum, d),
            Op::FpSub(_) => self.infix(args, "-", Level::Sum, d),
            Op::BvShl => self.infix(args, "<<", Level::Shift, d),
            Op::BvAshr => self.infix(args, ">>", Level::Shift, d),
            Op::BvLshr => self.infix(args, ">>>", Level::Shift, d),
            Op::Concat => self.infix(args, "++", Level::Shift, d),
            Op::BvUle => self.compare(args, "<=u", ">=u", d),
            Op::BvUlt => self.compare(args, "<u", ">u", d),
            Op::BvSle | Op::FpLe => self.compare(args, "<=", ">=", d),
            Op::BvSlt | Op::FpLt | Op::Lt => self.compare(args, "<", ">", d),
            Op::BvAnd => self.infix(args, "&", Level::BitAnd, d),
            Op::BvXor => self.infix(args, "^", Level::BitXor, d),
            Op::BvOr => self.infix(args, "|", Level::BitOr, d),
            Op::BvNot => (format!("~{}", self.at(args[0], Level::Unary, d)), Level::Unary),
            Op::FpNeg => (format!("-{}", self.at(args[0], Level::Unary, d)), Level::Unary),
            Op::Extract { high, low: 0 } => self.cast(&format!("u{}", high + 1), args[0], d),
            Op::Extract { high, low } => {
                (format!("{}[{high}:{low}]", self.at(args[0], Level::Postfix, d)), Level::Postfix)
            }
            Op::ZeroExtend(_) => self.cast(&format!("u{}", term.width()), args[0], d),
            Op::SignExtend(_) => self.cast(&format!("i{}", term.width()), args[0], d),
            Op::FpFromFp(_) | Op::FpFromSigned(_) => self.cast(&float_name(term.sort()), args[0], d),
            Op::FpToSigned(_, width) => self.cast(&format!("i{width}"), args[0], d),
            Op::FpToUnsigned(_, width) => self.cast(&format!("u{width}"), args[0], d),
            Op::Select => {
                let a = self.at(args[0], Level::Postfix, d);
                let i = self.at(args[1], Level::Lowest, d);
                (format!("{a}[{i}]"), Level::Postfix)
            }
            Op::Store => {
                let a = self.at(args[0], Level::Postfix, d);
                let i = self.at(args[1], Level::Lowest, d);
                let v = self.at(args[2], Level::Lowest, d);
                (format!("{a}[{i} := {v}]"), Level::Postfix)
            }
            Op::ConstArray => (format!("[_ := {}]", self.at(args[0], Level::Lowest, d)), Level::Postfix),
            Op::Forall | Op::Exists => {
                let (body, vars) = args.split_last().map_or((term, &[][..]), |(b, v)| (*b, v));
                let vars: Vec<String> =
                    vars.iter().map(|v| (self.rename)(v.var_name().unwrap_or(""))).collect();
                let word = if *op == Op::Forall { "forall" } else { "exists" };
                (format!("{word} {}. {}", vars.join(", "), self.at(body, Level::Lowest, d)), Level::Lowest)
            }
            op => {
                let function = self.function(op, term.sort());
                (format!("{function}({})", self.joined(args, ", ", Level::Lowest, d)), Level::Postfix)
            }
        }
    }

    fn atom(&self, term: Term) -> (String, Level) {
        let signed = |text: String| {
            let level = if text.starts_with('-') { Level::Unary } else { Level::Postfix };
            (text, level)
        };
        match (term.op(), term.sort()) {
            (Op::Var(name), _) => ((self.rename)(name), Level::Postfix),
            (Op::Apply(name), _) => (format!("{}()", (self.rename)(name)), Level::Postfix),
            (Op::Int(value), _) => signed(value.to_string()),
            (Op::Bv(bits), Sort::Bv(width)) => signed(bit_vector(*bits, width)),
            (Op::Float(bits), Sort::Float(8, 24)) => signed(f32::from_bits(*bits as u32).to_string()),
            (Op::Float(bits), Sort::Float(11, 53)) => signed(f64::from_bits(*bits as u64).to_string()),
            (Op::Float(bits), Sort::Float(e, s)) => (print::float(*bits, e, s), Level::Postfix),
            (Op::True, _) => ("true".to_owned(), Level::Postfix),
            (Op::False, _) => ("false".to_owned(), Level::Postfix),
            (op, _) => (format!("{op:?}"), Level::Postfix),
        }
    }

    fn function(&self, op: &Op, sort: Sort) -> String {
        match op {
            Op::Apply(name) => (self.rename)(name),
            Op::BvMulFits { signed: true } => "mul_fits".to_owned(),
            Op::BvMulFits { signed: false } => "umul_fits".to_owned(),
            Op::BvToInt { signed: true } => "signed".to_owned(),
            Op::BvToInt { signed: false } => "unsigned".to_owned(),
            Op::IntToBv(width) => format!("bits{width}"),
            Op::FpSqrt(_) => "sqrt".to_owned(),
            Op::FpRem => "remainder".to_owned(),
            Op::FpRoundToIntegral(_) => "rint".to_owned(),
            Op::FpAbs => "fabs".to_owned(),
            Op::FpIsNan => "isnan".to_owned(),
            Op::FpIsInfinite => "isinf".to_owned(),
            Op::FpIsNegative => "isnegative".to_owned(),
            Op::FpFromBits => format!("{}_from_bits", float_name(sort)),
            Op::FpFromUnsigned(_) => format!("{}_from_unsigned", float_name(sort)),
            Op::FpToBits => "bits_of".to_owned(),
            op => format!("{op:?}"),
        }
    }

    fn joined(&mut self, args: &[Term], with: &str, level: Level, d: usize) -> String {
        let level = if level == Level::Lowest { level } else { above(level) };
        let texts: Vec<String> = args.iter().map(|&a| self.at(a, level, d)).collect();
        texts.join(with)
    }

    fn infix(&mut self, args: &[Term], op: &str, level: Level, d: usize) -> (String, Level) {
        let a = self.at(args[0], if level == Level::Equality { above(level) } else { level }, d);
        let b = self.at(args[1], above(level), d);
        (format!("{a} {op} {b}"), level)
    }

    /// Constants read better on the right.
    fn compare(&mut self, args: &[Term], op: &str, flipped: &str, d: usize) -> (String, Level) {
        let (a, op, b) =
            if args[0].is_const() { (args[1], flipped, args[0]) } else { (args[0], op, args[1]) };
        let (a, b) = (self.at(a, above(Level::Order), d), self.at(b, above(Level::Order), d));
        (format!("{a} {op} {b}"), Level::Order)
    }

    fn negation(&mut self, term: Term, d: usize) -> (String, Level) {
        let args = term.args();
        match term.op() {
            Op::Eq if args[0].sort() == Sort::Bool => self.infix(args, "xor", Level::Equality, d),
            Op::Eq if matches!(args[0].sort(), Sort::Float(..)) => {
                self.infix(args, "!==", Level::Equality, d)
            }
            Op::Eq | Op::FpEq => self.infix(args, "!=", Level::Equality, d),
            _ => (format!("!{}", self.at(term, Level::Unary, d)), Level::Unary),
        }
    }

    /// With negated parts, an implication from them to the rest.
    fn disjunction(&mut self, args: &[Term], d: usize) -> (String, Level) {
        let (negated, rest): (Vec<Term>, Vec<Term>) = args.iter().partition(|t| *t.op() == Op::Not);
        if negated.is_empty() || rest.is_empty() {
            return (self.joined(args, " || ", Level::Or, d), Level::Or);
        }
        let premises: Vec<Term> = negated.iter().map(|t| t.args()[0]).collect();
        // Or binds tighter than the arrow, so neither side needs parentheses.
        let side = |this: &mut Self, parts: &[Term], with, level| match parts {
            [one] => this.at(*one, Level::Or, d),
            many => this.joined(many, with, level, d),
        };
        let premise = side(self, &premises, " && ", Level::And);
        let conclusion = side(self, &rest, " || ", Level::Or);
        (format!("{premise} => {conclusion}"), Level::Implies)
    }

    /// `a + 1 <= b` is `a < b`; a lone constant goes to the right.
    fn order(&mut self, left: Term, right: Term, d: usize) -> (String, Level) {
        if *left.op() == Op::Add && left.args()[0].as_int() == Some(&IBig::ONE) {
            let a = if left.args().len() == 2 {
                self.at(left.args()[1], above(Level::Order), d)
            } else {
                self.sum(&left.args()[1..], d)
            };
            return (format!("{a} < {}", self.at(right, above(Level::Order), d)), Level::Order);
        }
        self.compare(&[left, right], "<=", ">=", d)
    }

    /// Negative parts are subtracted, and the constant comes last.
    fn sum(&mut self, args: &[Term], d: usize) -> String {
        let (constants, mut parts): (Vec<Term>, Vec<Term>) = args.iter().partition(|t| t.is_const());
        parts.extend(constants);
        // Start with something positive if there is any.
        if let Some(at) = parts.iter().position(|&t| self.negative(t).is_none()) {
            let first = parts.remove(at);
            parts.insert(0, first);
        }
        let mut out = String::new();
        for part in parts {
            let (minus, text) = match self.negative(part) {
                Some(positive) => (true, self.at(positive, Level::Product, d)),
                None => (false, self.at(part, Level::Product, d)),
            };
            match (out.is_empty(), minus) {
                (true, true) => out.push('-'),
                (true, false) => {}
                (false, true) => out.push_str(" - "),
                (false, false) => out.push_str(" + "),
            }
            out.push_str(&text);
        }
        out
    }

    /// For a constant or a product with a negative coefficient, the term with the sign turned.
    fn negative(&self, term: Term) -> Option<Term> {
        let is_negative = |t: Term| match (t.op(), t.sort()) {
            (Op::Int(value), _) => *value < IBig::ZERO,
            (Op::Bv(bits), Sort::Bv(width)) => {
                width > 1 && (-SMALL..0).contains(&to_signed(*bits, width)) && bits.count_ones() > 1
            }
            _ => false,
        };
        let first = if matches!(term.op(), Op::Mul | Op::BvMul) { term.args()[0] } else { term };
        is_negative(first).then(|| term.neg())
    }

    fn product(&mut self, term: Term, d: usize) -> (String, Level) {
        match self.negative(term) {
            Some(positive) => (format!("-{}", self.at(positive, Level::Product, d)), Level::Sum),
            None => (self.joined(term.args(), "*", Level::Product, d), Level::Product),
        }
    }

    fn cast(&mut self, to: &str, arg: Term, d: usize) -> (String, Level) {
        (format!("({to}){}", self.at(arg, Level::Unary, d)), Level::Unary)
    }
}

fn above(level: Level) -> Level {
    match level {
        Level::Lowest => Level::Implies,
        Level::Implies => Level::Or,
        Level::Or => Level::And,
        Level::And => Level::BitOr,
        Level::BitOr => Level::BitXor,
        Level::BitXor => Level::BitAnd,
        Level::BitAnd => Level::Equality,
        Level::Equality => Level::Order,
        Level::Order => Level::Shift,
        Level::Shift => Level::Sum,
        Level::Sum => Level::Product,
        Level::Product => Level::Unary,
        Level::Unary | Level::Postfix => Level::Postfix,
    }
}

/// Small numbers in decimal, as signed ones; others in hexadecimal, where bit patterns show.
fn bit_vector(bits: u128, width: u32) -> String {
    let value = to_signed(bits, width);
    if width == 1 {
        bits.to_string()
    } else if (-SMALL..=SMALL).contains(&value) {
        value.to_string()
    } else {
        format!("0x{bits:x}")
    }
}

fn float_name(sort: Sort) -> String {
    match sort {
        Sort::Float(8, 24) => "float".to_owned(),
        Sort::Float(11, 53) => "double".to_owned(),
        sort => format!("f{}", sort.width().unwrap_or(0)),
    }
}
