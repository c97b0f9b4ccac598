//! Conditions in SMT-LIB syntax, as the tool llreve has them: a small tree of their own.
//!
//! The names of variables carry the version they belong to (`x$1`, `x$2`), and there are two heaps, maps from
//! addresses to numbers. What a condition says is independent of how integers are encoded; `term` builds
//! terms from it. Equality of the heaps is a node of its own, however it was written: engines treat it as one
//! fact.

use super::{Name, Side};
use logic::IBig;
use std::fmt;
use std::sync::Arc;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SpecTerm {
    Bool(bool),
    Int(IBig),
    /// A bit-vector constant; the value is below 2^width.
    Bits {
        value: u128,
        width: u32,
    },
    /// A variable of the programs.
    Name(Name),
    /// A variable of a `let` or a quantifier around it.
    Local(Arc<str>),
    /// The content of a heap at an address.
    Select(Box<SpecTerm>, Box<SpecTerm>),
    /// `HEAP$1 = HEAP$2`, or the same said by a quantifier.
    HeapsEqual,
    Apply(SpecOp, Vec<SpecTerm>),
    /// All values are bound at once.
    Let(Vec<(Arc<str>, SpecTerm)>, Box<SpecTerm>),
    Quantified {
        all: bool,
        vars: Vec<(Arc<str>, SpecSort)>,
        body: Box<SpecTerm>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpecSort {
    Bool,
    Int,
    Bits(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SpecOp {
    Not,
    And,
    Or,
    Xor,
    Implies,
    Equal,
    Distinct,
    Ite,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Abs,
    Le,
    Lt,
    Ge,
    Gt,
    BvAdd,
    BvSub,
    BvMul,
    BvNeg,
    BvNot,
    BvAnd,
    BvOr,
    BvXor,
    BvShl,
    BvLshr,
    BvAshr,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvUle,
    BvUlt,
    BvUge,
    BvUgt,
    BvSle,
    BvSlt,
    BvSge,
    BvSgt,
    ZeroExtend(u32),
    SignExtend(u32),
    Extract(u32, u32),
}

/// Operators with plain names, and how many arguments they take.
const OPERATORS: &[(&str, SpecOp, usize, usize)] = {
    use SpecOp::*;
    const MANY: usize = usize::MAX;
    &[
        ("not", Not, 1, 1),
        ("and", And, 0, MANY),
        ("or", Or, 0, MANY),
        ("xor", Xor, 2, MANY),
        ("=>", Implies, 2, MANY),
        ("=", Equal, 2, MANY),
        ("distinct", Distinct, 2, MANY),
        ("ite", Ite, 3, 3),
        ("+", Add, 1, MANY),
        ("-", Sub, 1, MANY),
        ("*", Mul, 1, MANY),
        ("div", Div, 2, MANY),
        ("mod", Mod, 2, 2),
        ("abs", Abs, 1, 1),
        ("<=", Le, 2, MANY),
        ("<", Lt, 2, MANY),
        (">=", Ge, 2, MANY),
        (">", Gt, 2, MANY),
        ("bvadd", BvAdd, 2, MANY),
        ("bvsub", BvSub, 2, 2),
        ("bvmul", BvMul, 2, MANY),
        ("bvneg", BvNeg, 1, 1),
        ("bvnot", BvNot, 1, 1),
        ("bvand", BvAnd, 2, MANY),
        ("bvor", BvOr, 2, MANY),
        ("bvxor", BvXor, 2, MANY),
        ("bvshl", BvShl, 2, 2),
        ("bvlshr", BvLshr, 2, 2),
        ("bvashr", BvAshr, 2, 2),
        ("bvudiv", BvUdiv, 2, 2),
        ("bvurem", BvUrem, 2, 2),
        ("bvsdiv", BvSdiv, 2, 2),
        ("bvsrem", BvSrem, 2, 2),
        ("bvule", BvUle, 2, 2),
        ("bvult", BvUlt, 2, 2),
        ("bvuge", BvUge, 2, 2),
        ("bvugt", BvUgt, 2, 2),
        ("bvsle", BvSle, 2, 2),
        ("bvslt", BvSlt, 2, 2),
        ("bvsge", BvSge, 2, 2),
        ("bvsgt", BvSgt, 2, 2),
    ]
};

impl SpecOp {
    /// The operator of this name, and the least and greatest number of its arguments.
    pub fn by_name(name: &str) -> Option<(SpecOp, usize, usize)> {
        OPERATORS.iter().find(|(n, ..)| *n == name).map(|&(_, op, least, most)| (op, least, most))
    }
}

impl SpecTerm {
    pub fn apply(op: SpecOp, args: impl IntoIterator<Item = SpecTerm>) -> SpecTerm {
        SpecTerm::Apply(op, args.into_iter().collect())
    }

    /// A conjunction, nested ones opened.
    pub fn and(terms: impl IntoIterator<Item = SpecTerm>) -> SpecTerm {
        let mut list: Vec<SpecTerm> = terms.into_iter().flat_map(SpecTerm::into_conjuncts).collect();
        match list.len() {
            1 => list.remove(0),
            _ => SpecTerm::Apply(SpecOp::And, list),
        }
    }

    pub fn into_conjuncts(self) -> Vec<SpecTerm> {
        match self {
            SpecTerm::Apply(SpecOp::And, list) => {
                list.into_iter().flat_map(SpecTerm::into_conjuncts).collect()
            }
            SpecTerm::Bool(true) => Vec::new(),
            term => vec![term],
        }
    }

    pub fn children(&self) -> Vec<&SpecTerm> {
        match self {
            SpecTerm::Bool(_)
            | SpecTerm::Int(_)
            | SpecTerm::Bits { .. }
            | SpecTerm::Name(_)
            | SpecTerm::Local(_)
            | SpecTerm::HeapsEqual => Vec::new(),
            SpecTerm::Select(heap, address) => vec![heap, address],
            SpecTerm::Apply(_, args) => args.iter().collect(),
            SpecTerm::Let(bound, body) => bound.iter().map(|(_, t)| t).chain([&**body]).collect(),
            SpecTerm::Quantified { body, .. } => vec![body],
        }
    }

    /// Calls `visit` on this term and everything below it.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a SpecTerm)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// The variables of the programs that it mentions, each once, in order of appearance.
    pub fn names(&self) -> Vec<&Name> {
        let mut names = Vec::new();
        self.walk(&mut |t| {
            if let SpecTerm::Name(name) = t
                && !names.contains(&name)
            {
                names.push(name);
            }
        });
        names
    }

    /// Does it speak of what is in memory?
    pub fn mentions_heap(&self) -> bool {
        let mut found = false;
        self.walk(&mut |t| {
            found |= matches!(t, SpecTerm::HeapsEqual | SpecTerm::Select(..) | SpecTerm::Name(Name::Heap(_)));
        });
        found
    }

    /// The heaps are equal because this term says so (alone or as a conjunct).
    pub fn implies_equal_heaps(&self) -> bool {
        match self {
            SpecTerm::HeapsEqual => true,
            SpecTerm::Apply(SpecOp::And, list) => list.iter().any(SpecTerm::implies_equal_heaps),
            SpecTerm::Let(_, body) => body.implies_equal_heaps(),
            _ => false,
        }
    }

    /// A quantified statement; what it says about the equality of heaps is taken out.
    pub fn quantified(all: bool, vars: Vec<(Arc<str>, SpecSort)>, body: SpecTerm) -> SpecTerm {
        let keep = |body| SpecTerm::Quantified { all, vars: vars.clone(), body: Box::new(body) };
        if !all {
            return keep(body);
        }
        // For all i: (A and B) is (for all i: A) and (for all i: B).
        let (equal, rest): (Vec<_>, Vec<_>) =
            body.into_conjuncts().into_iter().partition(|t| says_heaps_equal(t, &vars));
        if equal.is_empty() {
            return keep(SpecTerm::and(rest));
        }
        if rest.is_empty() {
            return SpecTerm::HeapsEqual;
        }
        SpecTerm::and([SpecTerm::HeapsEqual, keep(SpecTerm::and(rest))])
    }
}

/// `(= (select HEAP$1 i) (select HEAP$2 i))`, in any order, where `i` is one of these variables.
fn says_heaps_equal(term: &SpecTerm, vars: &[(Arc<str>, SpecSort)]) -> bool {
    let SpecTerm::Apply(SpecOp::Equal, args) = term else { return false };
    let side = |t: &SpecTerm| match t {
        SpecTerm::Select(heap, index) => match (&**heap, &**index) {
            (SpecTerm::Name(Name::Heap(side)), SpecTerm::Local(i)) => {
                vars.iter().any(|(v, sort)| v == i && *sort != SpecSort::Bool).then_some((*side, i.clone()))
            }
            _ => None,
        },
        _ => None,
    };
    match &args[..] {
        [a, b] => match (side(a), side(b)) {
            (Some((s, i)), Some((t, j))) => s != t && i == j,
            _ => false,
        },
        _ => false,
    }
}

/// As SMT-LIB, with the names as they are shown to the user.
impl fmt::Display for SpecTerm {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SpecTerm::Bool(value) => write!(f, "{value}"),
            SpecTerm::Int(value) if *value < IBig::ZERO => write!(f, "(- {})", -value),
            SpecTerm::Int(value) => write!(f, "{value}"),
            SpecTerm::Bits { value, width } => write!(f, "(_ bv{value} {width})"),
            SpecTerm::Name(name) => write!(f, "{name}"),
            SpecTerm::Local(name) => f.write_str(name),
            SpecTerm::Select(heap, address) => write!(f, "(select {heap} {address})"),
            SpecTerm::HeapsEqual => {
                write!(f, "(= {} {})", Name::Heap(Side::Old), Name::Heap(Side::New))
            }
            SpecTerm::Apply(SpecOp::And, args) if args.is_empty() => f.write_str("true"),
            SpecTerm::Apply(SpecOp::Or, args) if args.is_empty() => f.write_str("false"),
            SpecTerm::Apply(op, args) => {
                write!(f, "({op}")?;
                args.iter().try_for_each(|arg| write!(f, " {arg}"))?;
                f.write_str(")")
            }
            SpecTerm::Let(bound, body) => {
                f.write_str("(let (")?;
                for (i, (name, value)) in bound.iter().enumerate() {
                    write!(f, "{}({name} {value})", if i == 0 { "" } else { " " })?;
                }
                write!(f, ") {body})")
            }
            SpecTerm::Quantified { all, vars, body } => {
                f.write_str(if *all { "(forall (" } else { "(exists (" })?;
                for (i, (name, sort)) in vars.iter().enumerate() {
                    write!(f, "{}({name} {sort})", if i == 0 { "" } else { " " })?;
                }
                write!(f, ") {body})")
            }
        }
    }
}

impl fmt::Display for SpecSort {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SpecSort::Bool => f.write_str("Bool"),
            SpecSort::Int => f.write_str("Int"),
            SpecSort::Bits(width) => write!(f, "(_ BitVec {width})"),
        }
    }
}

impl fmt::Display for SpecOp {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SpecOp::ZeroExtend(by) => write!(f, "(_ zero_extend {by})"),
            SpecOp::SignExtend(by) => write!(f, "(_ sign_extend {by})"),
            SpecOp::Extract(high, low) => write!(f, "(_ extract {high} {low})"),
            op => f.write_str(OPERATORS.iter().find(|(_, o, ..)| o == op).map_or("?", |(name, ..)| name)),
        }
    }
}
