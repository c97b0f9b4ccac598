//! The typed tree: names resolved, every implicit conversion explicit, initialisers flattened, constants
//! folded where C demands a constant. The checker makes it, lowering consumes it.
//!
//! ## Contract
//! - An *lvalue* expression (`Local`, `Global`, `Deref`, `Member` of an lvalue, `String`, `CompoundLiteral`)
//!   denotes a place; its value is taken by an explicit `Load` (scalars and records). `Decay` turns an array
//!   lvalue or a function designator into a pointer. Record-typed rvalues are `Load`, `Call`, `Assign`,
//!   `Cond`, `Comma`, `StmtExpr`, `VaArg`; `Member` may also be applied to them.
//! - Operands of `Binary` have been converted to a common type (shifts: each promoted by itself), comparisons
//!   and logical operators give `int`. Conditions of statements and of `Cond`, `And`, `Or`, `Not` are any
//!   scalar.
//! - `Convert` converts between scalar types by the two types (to `_Bool`: `!= 0`; to void: drops the value).
//! - Call arguments are converted to the parameter types, or promoted by default rules.
//! - Nothing of type `Error` is reachable from a function without errors.

use crate::types::{BitField, QualType, TypeId, TypeTable};
use base::Span;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocalId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GlobalId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FuncId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StringId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LabelId(pub u32);

/// One checked translation unit.
#[derive(Debug)]
pub struct Unit {
    pub types: TypeTable,
    /// File-level variables, static locals, file-level compound literals.
    pub globals: Vec<Global>,
    /// All declared functions.
    pub functions: Vec<Function>,
    pub strings: Vec<StringLit>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    External,
    /// `static` at file level.
    Internal,
    /// Static locals and compound literals.
    None,
}

#[derive(Debug)]
pub struct Global {
    /// `f::x` for a static local x of f.
    pub name: Arc<str>,
    pub ty: QualType,
    pub linkage: Linkage,
    pub definition: Definition,
    /// `__attribute__((aligned))`/`_Alignas`, if stricter than the type's.
    pub align: Option<u64>,
    /// `__attribute__((weak))`: others may define it instead, or nobody.
    pub weak_symbol: bool,
    pub span: Span,
}

#[derive(Debug)]
pub enum Definition {
    /// `extern int x;` only.
    Declared,
    /// `int x;`: zero unless another unit defines it.
    Tentative,
    Defined(GlobalInit),
    /// `__attribute__((alias("f")))` and weak references; treated as declared.
    Alias(Arc<str>),
}

/// Zero everywhere else; items ascend and do not overlap. A flexible array member may be initialised beyond
/// the size of the type: `size` is the object's real size.
#[derive(Debug, Default)]
pub struct GlobalInit {
    pub items: Vec<GlobalInitItem>,
    pub size: u64,
}

#[derive(Debug)]
pub struct GlobalInitItem {
    pub offset: u64,
    pub value: ConstValue,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ConstValue {
    /// Bytes in target order (integers, floats, strings, merged bit-fields).
    Bytes(Vec<u8>),
    /// An address, `size` bytes wide (less than a pointer's only if the user cast it so).
    Address { base: AddressBase, offset: i64, size: u8 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressBase {
    Global(GlobalId),
    Function(FuncId),
    String(StringId),
}

/// The object's bytes, terminating zero included (absent where `char s[3] = "abc"` cuts it, which never gets
/// here).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StringLit {
    pub bytes: Vec<u8>,
    /// The array type.
    pub ty: TypeId,
}

#[derive(Debug)]
pub struct Function {
    pub name: Arc<str>,
    /// A function type.
    pub ty: TypeId,
    pub linkage: Linkage,
    pub noreturn: bool,
    /// `inline` or `__attribute__((weak))`: other units may define it too.
    pub weak: bool,
    /// Weak by the attribute: perhaps nobody defines it.
    pub weak_symbol: bool,
    /// `__attribute__((constructor))`, with its priority: runs before `main`, lowest first.
    pub constructor: Option<u32>,
    /// `__attribute__((destructor))`, with its priority: runs when the program ends, highest first.
    pub destructor: Option<u32>,
    pub body: Option<FunctionBody>,
    /// Why this function cannot be lowered, and where.
    pub poison: Option<(String, Span)>,
    /// `__attribute__((alias("g")))`.
    pub alias: Option<Arc<str>>,
    pub span: Span,
}

#[derive(Debug)]
pub struct FunctionBody {
    /// The first `params` locals are the parameters.
    pub params: u32,
    pub locals: Vec<Local>,
    pub labels: Vec<Label>,
    pub stmts: Vec<Stmt>,
    /// Of the closing brace.
    pub end: Span,
}

#[derive(Debug)]
pub struct Local {
    /// Empty for hidden ones.
    pub name: Arc<str>,
    pub ty: QualType,
    pub align: Option<u64>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Label {
    pub name: Arc<str>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum StmtKind {
    Expr(Expr),
    /// The declaration of a local is reached: it gets its initial value, or any. A variable-length array is
    /// allocated here; its length local has been assigned by a statement before.
    Declare(LocalId, Option<LocalInit>),
    Block(Vec<Stmt>),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    For {
        init: Vec<Stmt>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    /// `value` is promoted; `cases` lists all that `Case` and `Default` statements inside stand for.
    Switch {
        value: Expr,
        body: Box<Stmt>,
    },
    /// A place inside the body of the nearest `Switch`: both ends included, in the promoted type of its
    /// value.
    Case {
        lo: i128,
        hi: i128,
    },
    Default,
    Label(LabelId),
    Goto(LabelId),
    Break,
    Continue,
    /// Converted to the function's return type.
    Return(Option<Expr>),
    /// Inputs and outputs are evaluated in order; every output then gets an arbitrary value, unless it is
    /// kept. `asm goto` may jump to any of `labels` or go on.
    Asm {
        text: AsmText,
        /// What it says, with its constraints: the same text does the same.
        code: Arc<str>,
        /// It may write any memory that it can get at: what has escaped, and what pointers among its operands
        /// lead to.
        memory: bool,
        inputs: Vec<Expr>,
        outputs: Vec<AsmOutput>,
        labels: Vec<LabelId>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AsmText {
    /// No instruction.
    Empty,
    /// Instructions that only order memory accesses, or wait.
    Fence,
    Instructions,
}

#[derive(Debug)]
pub struct AsmOutput {
    /// An lvalue.
    pub place: Expr,
    /// It is read, too.
    pub updated: bool,
    /// Nothing is written: the value stays.
    pub kept: bool,
    /// The input that is in the same register.
    pub tied: Option<usize>,
}

/// Initialises a whole object: first zero everything if `zero` (an aggregate with items for a part of it),
/// then the items in order.
#[derive(Debug)]
pub struct LocalInit {
    pub zero: bool,
    pub items: Vec<LocalInitItem>,
}

#[derive(Debug)]
pub struct LocalInitItem {
    pub offset: u64,
    pub bits: Option<BitField>,
    /// The type of the initialised subobject: a scalar or a record.
    pub ty: TypeId,
    pub value: InitValue,
}

#[derive(Debug)]
pub enum InitValue {
    Expr(Expr),
    /// A string literal copied into an array, padded with zeros by the object's zeroing.
    Bytes(Vec<u8>),
}

#[derive(Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: QualType,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Debug)]
pub enum ExprKind {
    // Places.
    Local(LocalId),
    Global(GlobalId),
    /// A function designator; only below `Decay`, `AddrOf` or as a direct callee.
    Function(FuncId),
    String(StringId),
    /// The operand is a pointer.
    Deref(Box<Expr>),
    /// A field (index into the record's layout) of a record place or value.
    Member(Box<Expr>, u32),
    /// At block level: initialises the hidden local each time it is reached, and denotes it.
    CompoundLiteral(LocalId, Box<LocalInit>),

    // Values.
    /// The bits in the type, zero-extended.
    Int(u128),
    /// IEEE (or x87) bits.
    Float(u128),
    Load(Box<Expr>),
    Decay(Box<Expr>),
    AddrOf(Box<Expr>),
    Convert(Box<Expr>),
    Neg(Box<Expr>),
    BitNot(Box<Expr>),
    Not(Box<Expr>),
    /// May be a long left-leaning chain.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// ptr + index * scale bytes (minus, if `subtract`); `index` and `scale` are of type ptrdiff_t.
    PtrOffset {
        ptr: Box<Expr>,
        index: Box<Expr>,
        scale: Box<Expr>,
        subtract: bool,
    },
    /// (a - b) / scale, of type ptrdiff_t.
    PtrDiff {
        a: Box<Expr>,
        b: Box<Expr>,
        scale: Box<Expr>,
    },
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// Both arms have the type of the whole; GNU `a ?: b` is a `CondElvis`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// GNU `a ?: b`: `value` (already converted) uses `Current` for a's value; (a, value, b).
    CondElvis(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Stores; the value is the left side's new value.
    Assign(Box<Expr>, Box<Expr>),
    /// Compound assignment, `++`, `--`: reads the place once, computes `value` (of the place's type, with
    /// `Current` for the value read), stores it. The result is the new value, or the old one if `post`.
    Update {
        place: Box<Expr>,
        value: Box<Expr>,
        post: bool,
    },
    /// The value read by the nearest `Update` or `CondElvis` around it (in its `value`); never nested in
    /// another's.
    Current,
    Comma(Box<Expr>, Box<Expr>),
    /// `callee` is a `Function` designator or a pointer.
    Call {
        callee: Box<Expr>,
        args: Vec<Expr>,
    },
    StmtExpr(Vec<Stmt>, Option<Box<Expr>>),
    /// The operand is the address of the place that holds the pointer to the next argument slot, in all four.
    VaStart(Box<Expr>),
    VaArg(Box<Expr>),
    VaCopy(Box<Expr>, Box<Expr>),
    VaEnd(Box<Expr>),
    Builtin(Builtin, Vec<Expr>),
}

/// Operations that have no C spelling. Everything else that gcc calls a builtin is folded, rewritten, or
/// becomes a call of the library function (`__builtin_memcpy` → `memcpy`) or of a model with its own name
/// (`__builtin_popcount`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// (size) → void *.
    Alloca,
    Unreachable,
    /// `__builtin_trap`: ends the program.
    Trap,
    /// (a, b, pointer to result) → _Bool: computes in infinite precision, stores wrapped, says if it did not
    /// fit. The operands have their own integer types.
    AddOverflow,
    SubOverflow,
    MulOverflow,
    /// Float → same float.
    Sqrt,
    Abs,
    Floor,
    Ceil,
    TruncFloat,
    RoundEven,
    RoundAway,
    /// Any scalar value of the expression's type; for builtins whose value the program cannot rely on
    /// (`__builtin_return_address`).
    Unknown,
}
