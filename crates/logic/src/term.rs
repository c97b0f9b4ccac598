//! Terms: hash-consed, so that equal terms are one node, and equality is a pointer comparison.
//!
//! Nodes live as long as the process: a term is a plain reference, `Copy`, and can be sent to another thread.
//! Build terms with the constructors in `build`, `number`, `bits`, `array` and `float`, which simplify as
//! they build; nothing else makes nodes. The order of terms depends on their structure only, so that normal
//! forms do not depend on what was built first.

use crate::sort::Sort;
use dashu_int::IBig;
use rustc_hash::{FxBuildHasher, FxHasher};
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering as Atomic};
use std::sync::{LazyLock, Mutex};

/// How floats are rounded. C computes in `NearestEven`; conversions to integers truncate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rounding {
    NearestEven,
    NearestAway,
    ToZero,
    Up,
    Down,
}

/// What a node does with its arguments. Names and meanings are SMT-LIB's; `Add` and `Mul` take two or more
/// arguments, and subtraction and negation are sums with the coefficient -1.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Op {
    True,
    False,
    /// A variable (an SMT-LIB constant), known by its name and its sort together.
    Var(&'static str),
    Int(IBig),
    /// The bits; the width is the sort's.
    Bv(u128),
    /// The IEEE encoding; the format is the sort's.
    Float(u128),
    Not,
    And,
    Or,
    Eq,
    Ite,
    /// Int: sum, product, Euclidean division and remainder, order.
    Add,
    Mul,
    Div,
    Mod,
    Le,
    Lt,
    BvAdd,
    BvMul,
    BvNot,
    BvAnd,
    BvOr,
    BvXor,
    /// Shifts by at least the width give 0 (or the sign), as SMT-LIB says.
    BvShl,
    BvLshr,
    BvAshr,
    /// Division by zero as SMT-LIB says: all ones, the dividend as remainder.
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvUle,
    BvUlt,
    BvSle,
    BvSlt,
    /// Bool: the product fits, read as signed or unsigned numbers.
    BvMulFits {
        signed: bool,
    },
    Concat,
    Extract {
        high: u32,
        low: u32,
    },
    ZeroExtend(u32),
    SignExtend(u32),
    /// The number that a bit-vector means.
    BvToInt {
        signed: bool,
    },
    /// Modulo 2^width.
    IntToBv(u32),
    Select,
    Store,
    /// The array with this element everywhere.
    ConstArray,
    FpAdd(Rounding),
    FpSub(Rounding),
    FpMul(Rounding),
    FpDiv(Rounding),
    FpSqrt(Rounding),
    FpRem,
    FpRoundToIntegral(Rounding),
    FpNeg,
    FpAbs,
    /// IEEE equality: NaN differs from itself, the zeros are equal. (`Eq` on floats is identity.)
    FpEq,
    FpLe,
    FpLt,
    FpIsNan,
    FpIsInfinite,
    FpIsNegative,
    /// From the IEEE encoding.
    FpFromBits,
    /// The IEEE encoding; of NaN, an unspecified encoding of a NaN.
    FpToBits,
    FpFromSigned(Rounding),
    FpFromUnsigned(Rounding),
    FpFromFp(Rounding),
    /// To a bit-vector of this width; unspecified out of range.
    FpToSigned(Rounding, u32),
    FpToUnsigned(Rounding, u32),
    /// An uninterpreted function.
    Apply(&'static str),
    /// The arguments are the bound variables, then the body.
    Forall,
    Exists,
}

#[derive(Clone, Copy)]
pub struct Term(&'static Node);

pub type Args = SmallVec<[Term; 3]>;

struct Node {
    op: Op,
    args: Args,
    sort: Sort,
    /// Of the structure; the same in every run.
    hash: u64,
    /// In order of creation.
    id: u32,
}

impl Term {
    pub fn op(self) -> &'static Op {
        &self.0.op
    }

    pub fn args(self) -> &'static [Term] {
        &self.0.args
    }

    pub fn sort(self) -> Sort {
        self.0.sort
    }

    /// A number of its own for each term, for tables. It depends on what was built before: never let it order
    /// results.
    pub fn id(self) -> u32 {
        self.0.id
    }

    /// A hash of the structure that is the same in every run.
    pub fn stable_hash(self) -> u64 {
        self.0.hash
    }

    pub fn is_var(self) -> bool {
        matches!(self.0.op, Op::Var(_))
    }

    pub fn var_name(self) -> Option<&'static str> {
        match self.0.op {
            Op::Var(name) => Some(name),
            _ => None,
        }
    }

    /// True, false, a number or a float.
    pub fn is_const(self) -> bool {
        matches!(self.0.op, Op::True | Op::False | Op::Int(_) | Op::Bv(_) | Op::Float(_))
    }

    pub fn is_true(self) -> bool {
        self.0.op == Op::True
    }

    pub fn is_false(self) -> bool {
        self.0.op == Op::False
    }

    pub fn as_int(self) -> Option<&'static IBig> {
        match &self.0.op {
            Op::Int(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_bv(self) -> Option<u128> {
        match self.0.op {
            Op::Bv(bits) => Some(bits),
            _ => None,
        }
    }

    /// The one node of this shape. The constructors simplify; this does not, and it trusts the sort.
    pub fn make(op: Op, args: impl IntoIterator<Item = Term>, sort: Sort) -> Term {
        let args: Args = args.into_iter().collect();
        let mut hasher = FxHasher::default();
        match &op {
            // A name's address differs from run to run.
            Op::Var(name) => ("var", *name).hash(&mut hasher),
            Op::Apply(name) => ("apply", *name).hash(&mut hasher),
            op => op.hash(&mut hasher),
        }
        sort.hash(&mut hasher);
        for arg in &args {
            arg.0.hash.hash(&mut hasher);
        }
        let node = Node { op, args, sort, hash: hasher.finish(), id: 0 };
        let shard = &NODES[(node.hash >> 32) as usize % SHARDS];
        let mut nodes = shard.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(found) = nodes.get(&node) {
            return Term(found);
        }
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let leaked: &'static Node =
            Box::leak(Box::new(Node { id: NEXT.fetch_add(1, Atomic::Relaxed), ..node }));
        nodes.insert(leaked);
        Term(leaked)
    }
}

/// In parts, so that threads seldom wait for each other.
static NODES: LazyLock<[Mutex<HashSet<&'static Node, FxBuildHasher>>; SHARDS]> =
    LazyLock::new(Default::default);
const SHARDS: usize = 32;

/// A name that lives as long as the process.
pub fn name(text: &str) -> &'static str {
    static NAMES: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Default::default);
    let mut names = NAMES.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(found) = names.get(text) {
        return found;
    }
    let leaked: &'static str = Box::leak(text.to_owned().into_boxed_str());
    names.insert(leaked);
    leaked
}

// Nodes are compared by content only in the table; arguments are already unique.
impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.hash == other.hash && self.op == other.op && self.sort == other.sort && self.args == other.args
    }
}

impl Eq for Node {}

impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Term {}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl Ord for Term {
    fn cmp(&self, other: &Term) -> Ordering {
        if self == other {
            return Ordering::Equal;
        }
        let (a, b) = (self.0, other.0);
        // Variables sort by name, before everything else but constants: sums then read naturally.
        let rank = |n: &Node| match n.op {
            Op::True | Op::False | Op::Int(_) | Op::Bv(_) | Op::Float(_) => 0u8,
            Op::Var(_) => 1,
            _ => 2,
        };
        rank(a)
            .cmp(&rank(b))
            .then_with(|| if rank(a) == 2 { a.hash.cmp(&b.hash) } else { Ordering::Equal })
            .then_with(|| a.op.cmp(&b.op))
            .then_with(|| a.sort.cmp(&b.sort))
            .then_with(|| a.args.cmp(&b.args))
    }
}

impl PartialOrd for Term {
    fn partial_cmp(&self, other: &Term) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // As a tree, the text of a graph could be too long to ever end.
        f.write_str(&crate::print::with_lets(*self))
    }
}
