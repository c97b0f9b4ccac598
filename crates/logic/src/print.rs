//! Terms as SMT-LIB 2.7 text, in the dialect that Z3 reads and writes.
//!
//! A node is an opening text, its arguments, and a closing text; one loop with its own stack prints them,
//! since terms can be deeper than any stack. `Display` writes the tree, which can be much larger than the
//! graph: use [`with_lets`] for text that a machine reads, and [`pretty`] for people.

use crate::bits::mask;
use crate::sort::Sort;
use crate::term::{Op, Rounding, Term};
use dashu_int::IBig;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::fmt;

pub use crate::pretty::pretty;

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write_tree(f, *self, &FxHashMap::default())
    }
}

/// The term with a `let` for every subterm that occurs more than once, so that the text is as large as the
/// graph. The body of a quantifier shares only with itself.
pub fn with_lets(term: Term) -> String {
    let mut out = String::new();
    let mut names = Names { prefix: free_prefix(term), next: 1 };
    // Of a quantifier, what is inside is printed as a scope of its own; `steps` is what is still to be
    // printed.
    let mut steps = vec![Step::Scope(term)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Text(text) => out.push_str(&text),
            Step::Scope(root) => open_scope(root, &mut names, &mut steps),
        }
    }
    out
}

/// A symbol as SMT-LIB writes it: between bars if it is not a simple one. The two characters that cannot be
/// between bars are escaped with `%`, and so is `%` where it would look like an escape.
pub fn symbol(name: &str) -> Cow<'_, str> {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts_well = name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    let escape = name.contains(['|', '\\']) || ESCAPES.iter().any(|(code, _)| name.contains(code));
    if escape {
        let escaped = name.replace('%', "%25").replace('\\', "%5c").replace('|', "%7c");
        Cow::Owned(format!("|{escaped}|"))
    } else if starts_well && name.chars().all(simple) && !RESERVED.contains(&name) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("|{name}|"))
    }
}

/// The name that [`symbol`] wrote, without the bars.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    if !ESCAPES.iter().any(|(code, _)| text.contains(code)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (code, plain) =
            ESCAPES.iter().find(|(code, _)| rest.starts_with(code)).map_or((c.len_utf8(), c), |e| (3, e.1));
        out.push(plain);
        rest = &rest[code..];
    }
    Cow::Owned(out)
}

const ESCAPES: [(&str, char); 3] = [("%25", '%'), ("%5c", '\\'), ("%7c", '|')];

/// Words that are no symbols without bars.
const RESERVED: [&str; 13] = [
    "_",
    "!",
    "as",
    "let",
    "exists",
    "forall",
    "match",
    "par",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
];

pub(crate) fn int(value: &IBig) -> String {
    if *value < IBig::ZERO { format!("(- {})", -value) } else { value.to_string() }
}

pub(crate) fn bv(bits: u128, width: u32) -> String {
    let digits = width as usize;
    if width.is_multiple_of(4) {
        format!("#x{bits:0w$x}", w = digits / 4)
    } else {
        format!("#b{bits:0digits$b}")
    }
}

pub(crate) fn float(bits: u128, exponent: u32, significand: u32) -> String {
    let fraction = significand - 1;
    let sign = if bits >> (exponent + fraction) & 1 == 1 { '-' } else { '+' };
    let e = bits >> fraction & mask(exponent);
    let m = bits & mask(fraction);
    if e == mask(exponent) && m != 0 {
        format!("(_ NaN {exponent} {significand})")
    } else if e == mask(exponent) {
        format!("(_ {sign}oo {exponent} {significand})")
    } else if e == 0 && m == 0 {
        format!("(_ {sign}zero {exponent} {significand})")
    } else {
        let s = if sign == '-' { "#b1" } else { "#b0" };
        format!("(fp {s} {} {})", bv(e, exponent), bv(m, fraction))
    }
}

enum Step {
    Text(Cow<'static, str>),
    Scope(Term),
}

struct Names {
    prefix: String,
    next: usize,
}

/// A prefix that no symbol in the term starts with.
fn free_prefix(term: Term) -> String {
    let mut prefix = "?".to_owned();
    let mut seen = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(t) = stack.pop() {
        if let Op::Var(name) | Op::Apply(name) = t.op() {
            while name.starts_with(&prefix) {
                prefix.push('?');
            }
        }
        if !t.args().is_empty() && seen.insert(t) {
            stack.extend_from_slice(t.args());
        }
    }
    prefix
}

/// Splits a scope into the lets of its shared nodes and its root; quantifiers become scopes to print later.
fn open_scope(root: Term, names: &mut Names, steps: &mut Vec<Step>) {
    // In postorder: what a let mentions is bound before it.
    let mut uses: FxHashMap<Term, usize> = FxHashMap::default();
    let mut order = Vec::new();
    let mut stack = vec![(root, false)];
    while let Some((t, done)) = stack.pop() {
        if done {
            order.push(t);
            continue;
        }
        let count = uses.entry(t).or_insert(0);
        *count += 1;
        if *count == 1 {
            stack.push((t, true));
            if !matches!(t.op(), Op::Forall | Op::Exists) {
                stack.extend(t.args().iter().rev().map(|&a| (a, false)));
            }
        }
    }
    let mut bound: FxHashMap<Term, String> = FxHashMap::default();
    let mut text = Vec::new();
    for t in order {
        if uses[&t] > 1 && !t.args().is_empty() {
            let name = format!("{}{}", names.prefix, names.next);
            names.next += 1;
            text.push(Step::Text(format!("(let (({name} ").into()));
            pieces(t, &bound, &mut text);
            text.push(Step::Text(")) ".into()));
            bound.insert(t, name);
        }
    }
    let lets = bound.len();
    pieces_or_name(root, &bound, &mut text);
    text.push(Step::Text(")".repeat(lets).into()));
    steps.extend(text.into_iter().rev());
}

fn pieces_or_name(term: Term, bound: &FxHashMap<Term, String>, out: &mut Vec<Step>) {
    match bound.get(&term) {
        Some(name) => out.push(Step::Text(name.clone().into())),
        None => pieces(term, bound, out),
    }
}

/// The text of a term whose subterms may have names; stops at quantifiers.
fn pieces(term: Term, bound: &FxHashMap<Term, String>, out: &mut Vec<Step>) {
    let mut current = String::new();
    let mut stack = vec![Piece::Node(term)];
    while let Some(piece) = stack.pop() {
        match piece {
            Piece::Text(text) => current.push_str(&text),
            Piece::Node(t) if t != term && bound.contains_key(&t) => current.push_str(&bound[&t]),
            Piece::Node(t) if matches!(t.op(), Op::Forall | Op::Exists) => {
                let (open, body) = quantifier(t);
                current.push_str(&open);
                out.push(Step::Text(std::mem::take(&mut current).into()));
                out.push(Step::Scope(body));
                current.push(')');
            }
            Piece::Node(t) => expand(t, &mut stack),
        }
    }
    out.push(Step::Text(current.into()));
}

enum Piece {
    Text(Cow<'static, str>),
    Node(Term),
}

fn write_tree(f: &mut fmt::Formatter, term: Term, bound: &FxHashMap<Term, String>) -> fmt::Result {
    let mut stack = vec![Piece::Node(term)];
    while let Some(piece) = stack.pop() {
        match piece {
            Piece::Text(text) => f.write_str(&text)?,
            Piece::Node(t) if bound.contains_key(&t) => f.write_str(&bound[&t])?,
            Piece::Node(t) if matches!(t.op(), Op::Forall | Op::Exists) => {
                let (open, body) = quantifier(t);
                f.write_str(&open)?;
                stack.push(Piece::Text(")".into()));
                stack.push(Piece::Node(body));
            }
            Piece::Node(t) => expand(t, &mut stack),
        }
    }
    Ok(())
}

fn quantifier(term: Term) -> (String, Term) {
    let (body, vars) = term.args().split_last().map_or((term, &[][..]), |(b, v)| (*b, v));
    let vars: Vec<String> =
        vars.iter().map(|v| format!("({} {})", symbol(v.var_name().unwrap_or("")), v.sort())).collect();
    let word = if *term.op() == Op::Forall { "forall" } else { "exists" };
    (format!("({word} ({}) ", vars.join(" ")), body)
}

/// Pushes the text around a node's arguments and the arguments.
fn expand(term: Term, stack: &mut Vec<Piece>) {
    if term.args().is_empty() {
        stack.push(Piece::Text(atom(term)));
        return;
    }
    let (open, close) = match term.op() {
        // What fits is what does not overflow.
        Op::BvMulFits { signed: true } => (Cow::Borrowed("(not (bvsmulo"), "))"),
        Op::BvMulFits { signed: false } => (Cow::Borrowed("(not (bvumulo"), "))"),
        op => (format!("({}", operator(op, term.sort())).into(), ")"),
    };
    stack.push(Piece::Text(close.into()));
    for &arg in term.args().iter().rev() {
        stack.push(Piece::Node(arg));
        stack.push(Piece::Text(" ".into()));
    }
    stack.push(Piece::Text(open));
}

fn atom(term: Term) -> Cow<'static, str> {
    match (term.op(), term.sort()) {
        (Op::True, _) => "true".into(),
        (Op::False, _) => "false".into(),
        (Op::Var(name) | Op::Apply(name), _) => symbol(name),
        (Op::Int(value), _) => int(value).into(),
        (Op::Bv(bits), sort) => bv(*bits, sort.width().unwrap_or(1)).into(),
        (Op::Float(bits), Sort::Float(e, s)) => float(*bits, e, s).into(),
        (op, _) => format!("{op:?}").into(),
    }
}

fn operator(op: &Op, sort: Sort) -> Cow<'static, str> {
    let format_of = |word: &str| match sort {
        Sort::Float(e, s) => format!("(_ {word} {e} {s})"),
        _ => word.to_owned(),
    };
    let name = match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Eq => "=",
        Op::Ite => "ite",
        Op::Add => "+",
        Op::Mul => "*",
        Op::Div => "div",
        Op::Mod => "mod",
        Op::Le => "<=",
        Op::Lt => "<",
        Op::BvAdd => "bvadd",
        Op::BvMul => "bvmul",
        Op::BvNot => "bvnot",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::BvShl => "bvshl",
        Op::BvLshr => "bvlshr",
        Op::BvAshr => "bvashr",
        Op::BvUdiv => "bvudiv",
        Op::BvUrem => "bvurem",
        Op::BvSdiv => "bvsdiv",
        Op::BvSrem => "bvsrem",
        Op::BvUle => "bvule",
        Op::BvUlt => "bvult",
        Op::BvSle => "bvsle",
        Op::BvSlt => "bvslt",
        Op::Concat => "concat",
        Op::BvToInt { signed: false } => "ubv_to_int",
        Op::BvToInt { signed: true } => "sbv_to_int",
        Op::Select => "select",
        Op::Store => "store",
        Op::FpRem => "fp.rem",
        Op::FpNeg => "fp.neg",
        Op::FpAbs => "fp.abs",
        Op::FpEq => "fp.eq",
        Op::FpLe => "fp.leq",
        Op::FpLt => "fp.lt",
        Op::FpIsNan => "fp.isNaN",
        Op::FpIsInfinite => "fp.isInfinite",
        Op::FpIsNegative => "fp.isNegative",
        Op::FpToBits => "fp.to_ieee_bv",
        Op::Apply(name) => return symbol(name),
        Op::Extract { high, low } => return format!("(_ extract {high} {low})").into(),
        Op::ZeroExtend(by) => return format!("(_ zero_extend {by})").into(),
        Op::SignExtend(by) => return format!("(_ sign_extend {by})").into(),
        Op::IntToBv(width) => return format!("(_ int_to_bv {width})").into(),
        Op::ConstArray => return format!("(as const {sort})").into(),
        Op::FpAdd(r) => return format!("fp.add {}", rounding(*r)).into(),
        Op::FpSub(r) => return format!("fp.sub {}", rounding(*r)).into(),
        Op::FpMul(r) => return format!("fp.mul {}", rounding(*r)).into(),
        Op::FpDiv(r) => return format!("fp.div {}", rounding(*r)).into(),
        Op::FpSqrt(r) => return format!("fp.sqrt {}", rounding(*r)).into(),
        Op::FpRoundToIntegral(r) => return format!("fp.roundToIntegral {}", rounding(*r)).into(),
        Op::FpFromBits => return format_of("to_fp").into(),
        Op::FpFromSigned(r) | Op::FpFromFp(r) => {
            return format!("{} {}", format_of("to_fp"), rounding(*r)).into();
        }
        Op::FpFromUnsigned(r) => return format!("{} {}", format_of("to_fp_unsigned"), rounding(*r)).into(),
        Op::FpToSigned(r, width) => return format!("(_ fp.to_sbv {width}) {}", rounding(*r)).into(),
        Op::FpToUnsigned(r, width) => return format!("(_ fp.to_ubv {width}) {}", rounding(*r)).into(),
        // The rest has no arguments, or a text of its own.
        op => return format!("{op:?}").into(),
    };
    Cow::Borrowed(name)
}

fn rounding(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "RNE",
        Rounding::NearestAway => "RNA",
        Rounding::ToZero => "RTZ",
        Rounding::Up => "RTP",
        Rounding::Down => "RTN",
    }
}
