//! The syntax tree: what was written, before any meaning. The parser only knows which names are typedefs.
//!
//! Every node has the span of its text. Parentheses leave no node. Adjacent string literals are already
//! joined.

use base::{Span, Symbol};

#[derive(Debug, Default)]
pub struct TranslationUnit {
    pub items: Vec<Item>,
}

#[derive(Debug)]
pub enum Item {
    Function(Box<FunctionDef>),
    Declaration(Declaration),
    StaticAssert(StaticAssert),
    /// `asm("...");` at file level; ignored by everything after the parser.
    Asm(Span),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ident {
    pub name: Symbol,
    pub span: Span,
}

#[derive(Debug)]
pub struct FunctionDef {
    pub specs: DeclSpecs,
    /// The innermost part of its chain (the first) is a function part.
    pub declarator: Declarator,
    /// Declarations between `)` and `{` of an old-style definition.
    pub kr_declarations: Vec<Declaration>,
    pub body: Block,
    pub span: Span,
}

#[derive(Debug)]
pub struct Declaration {
    pub specs: DeclSpecs,
    /// Empty for `struct s {...};`.
    pub declarators: Vec<InitDeclarator>,
    pub span: Span,
}

#[derive(Debug)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    /// `asm("name")` after a declarator.
    pub asm_label: Option<Span>,
    pub init: Option<Initializer>,
}

#[derive(Debug)]
pub struct StaticAssert {
    pub condition: Expr,
    pub message: Option<Vec<u8>>,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StorageClass {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

/// `const`, `volatile`, `restrict`, `_Atomic`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Quals {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
}

#[derive(Debug)]
pub struct DeclSpecs {
    pub storage: Option<(StorageClass, Span)>,
    pub thread_local: bool,
    pub inline: bool,
    pub noreturn: bool,
    pub quals: Quals,
    /// `_Alignas(...)`.
    pub align_as: Vec<AlignAs>,
    pub attributes: Vec<Attribute>,
    pub ty: TypeSpec,
    pub span: Span,
}

#[derive(Debug)]
pub enum AlignAs {
    Type(TypeName),
    Expr(Expr),
}

#[derive(Debug)]
pub enum TypeSpec {
    /// Keywords as written, counted; the parser has already refused impossible mixtures such as `long char`.
    Builtin(BuiltinType),
    Record(Box<RecordSpec>),
    Enum(Box<EnumSpec>),
    Typedef(Ident),
    TypeofExpr(Box<Expr>),
    TypeofType(Box<TypeName>),
    /// `_Atomic(T)`.
    Atomic(Box<TypeName>),
    /// GNU `__auto_type`.
    Auto,
    /// No type was written (implicit int of old C: `static x;`, `main() {}`).
    Implicit,
    /// Did not parse; already reported.
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BuiltinType {
    Void,
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    Float,
    Double,
    LongDouble,
    Float128,
    ComplexFloat,
    ComplexDouble,
    ComplexLongDouble,
    /// `__builtin_va_list`.
    VaList,
}

#[derive(Debug)]
pub struct RecordSpec {
    pub is_union: bool,
    pub tag: Option<Ident>,
    /// None for a mere reference `struct s`.
    pub fields: Option<Vec<FieldDecl>>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Debug)]
pub enum FieldDecl {
    /// `int a, *b, c : 3;`; no declarators for an anonymous struct or union member.
    Fields {
        specs: DeclSpecs,
        declarators: Vec<FieldDeclarator>,
        span: Span,
    },
    StaticAssert(StaticAssert),
}

#[derive(Debug)]
pub struct FieldDeclarator {
    /// Without a name for an unnamed bit-field.
    pub declarator: Declarator,
    pub bits: Option<Expr>,
}

#[derive(Debug)]
pub struct EnumSpec {
    pub tag: Option<Ident>,
    pub enumerators: Option<Vec<Enumerator>>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Enumerator {
    pub name: Ident,
    pub value: Option<Expr>,
}

/// `*a[3]` is the name `a` with the chain [Array, Pointer]: read outwards from the name.
#[derive(Debug)]
pub struct Declarator {
    pub name: Option<Ident>,
    pub chain: Vec<DeclPart>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Debug)]
pub enum DeclPart {
    Pointer { quals: Quals },
    Array { quals: Quals, size: ArraySize, span: Span },
    Function(FunctionPart),
}

#[derive(Debug)]
pub enum ArraySize {
    /// `[]`.
    Unknown,
    /// `[*]`.
    Star,
    /// `[n]`, also `[static n]`.
    Expr(Box<Expr>),
}

#[derive(Debug)]
pub struct FunctionPart {
    pub params: Params,
    pub span: Span,
}

#[derive(Debug)]
pub enum Params {
    /// `f(int a, ...)`; `f(void)` is an empty prototype.
    Prototype { params: Vec<ParamDecl>, variadic: bool },
    /// `f(a, b)` of an old-style definition, or `f()`.
    Names(Vec<Ident>),
}

#[derive(Debug)]
pub struct ParamDecl {
    pub specs: DeclSpecs,
    pub declarator: Declarator,
    pub span: Span,
}

#[derive(Debug)]
pub struct TypeName {
    pub specs: DeclSpecs,
    pub declarator: Declarator,
    pub span: Span,
}

/// One attribute of `__attribute__((...))` or `[[...]]`, underscores around its name removed.
#[derive(Debug)]
pub struct Attribute {
    pub name: Ident,
    pub args: Vec<AttributeArg>,
}

#[derive(Debug)]
pub enum AttributeArg {
    Expr(Expr),
    Type(TypeName),
    /// Tokens that are neither; kept only as a place.
    Other(Span),
}

#[derive(Debug)]
pub enum Initializer {
    Expr(Expr),
    List(InitList),
}

#[derive(Debug)]
pub struct InitList {
    pub items: Vec<InitItem>,
    pub span: Span,
}

#[derive(Debug)]
pub struct InitItem {
    pub designators: Vec<Designator>,
    pub value: Initializer,
}

#[derive(Debug)]
pub enum Designator {
    Field(Ident),
    Index(Expr),
    /// GNU `[lo ... hi]`.
    Range(Expr, Expr),
}

#[derive(Debug)]
pub struct Block {
    pub items: Vec<BlockItem>,
    pub span: Span,
}

#[derive(Debug)]
pub enum BlockItem {
    Declaration(Declaration),
    StaticAssert(StaticAssert),
    Statement(Stmt),
    /// GNU nested function; always reported as not supported for the function around it.
    NestedFunction(Box<FunctionDef>),
    /// GNU `__label__ a, b;`.
    LocalLabels(Vec<Ident>),
}

#[derive(Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    Block(Block),
    If {
        cond: Expr,
        then: Box<Stmt>,
        otherwise: Option<Box<Stmt>>,
    },
    While {
        cond: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        body: Box<Stmt>,
        cond: Expr,
    },
    For {
        init: ForInit,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    Switch {
        value: Expr,
        body: Box<Stmt>,
    },
    Case {
        lo: Expr,
        hi: Option<Expr>,
        body: Box<Stmt>,
    },
    Default(Box<Stmt>),
    Label {
        name: Ident,
        body: Box<Stmt>,
    },
    Goto(Ident),
    /// GNU `goto *e;`.
    GotoComputed(Expr),
    Break,
    Continue,
    Return(Option<Expr>),
    Asm(AsmStmt),
    /// Did not parse; already reported.
    Error,
}

#[derive(Debug)]
pub enum ForInit {
    None,
    Expr(Expr),
    Declaration(Declaration),
}

#[derive(Debug)]
pub struct AsmStmt {
    pub volatile: bool,
    /// `asm goto`: may jump to `labels`.
    pub goto: bool,
    pub template: Vec<u8>,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
    pub clobbers: Vec<Vec<u8>>,
    pub labels: Vec<Ident>,
}

#[derive(Debug)]
pub struct AsmOperand {
    /// `[name]`.
    pub name: Option<Ident>,
    pub constraint: Vec<u8>,
    pub expr: Expr,
}

#[derive(Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    Plus,
    Neg,
    BitNot,
    Not,
    Deref,
    AddrOf,
    PreInc,
    PreDec,
    PostInc,
    PostDec,
    /// GNU `__real__`, `__imag__`.
    Real,
    Imag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CharKind {
    Plain,
    Wide,
    Utf8,
    Utf16,
    Utf32,
}

/// The suffix of an integer constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IntSuffix {
    pub unsigned: bool,
    /// 0, 1 (`l`) or 2 (`ll`).
    pub longs: u8,
    /// GNU `i`/`j`: imaginary.
    pub imaginary: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FloatSuffix {
    None,
    F,
    L,
    /// `q`/`f128`.
    Q,
}

#[derive(Debug)]
pub enum ExprKind {
    Ident(Symbol),
    /// `decimal` matters for the type of an unsuffixed constant.
    Int {
        value: u128,
        decimal: bool,
        suffix: IntSuffix,
    },
    /// The text without suffix, decimal or hexadecimal, as written.
    Float {
        text: Box<str>,
        suffix: FloatSuffix,
        imaginary: bool,
    },
    /// The value as an int (or wide character).
    Char {
        value: i64,
        kind: CharKind,
    },
    /// The code units without the closing zero; bytes for Plain and Utf8.
    String {
        units: Vec<u32>,
        kind: CharKind,
    },
    Unary(UnaryOp, Box<Expr>),
    /// A left-leaning chain of any length; whoever walks it should loop down the left side.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// None for plain `=`.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// GNU `a ?: b` has no middle.
    Cond {
        cond: Box<Expr>,
        then: Option<Box<Expr>>,
        otherwise: Box<Expr>,
    },
    Comma(Box<Expr>, Box<Expr>),
    Cast(Box<TypeName>, Box<Expr>),
    CompoundLiteral(Box<TypeName>, InitList),
    Call {
        callee: Box<Expr>,
        args: Vec<Expr>,
    },
    Index(Box<Expr>, Box<Expr>),
    Member {
        base: Box<Expr>,
        field: Ident,
        arrow: bool,
    },
    SizeofExpr(Box<Expr>),
    SizeofType(Box<TypeName>),
    AlignofExpr(Box<Expr>),
    AlignofType(Box<TypeName>),
    StmtExpr(Block),
    Generic {
        control: Box<Expr>,
        arms: Vec<GenericArm>,
    },
    /// `__builtin_va_arg(ap, T)`.
    VaArg(Box<Expr>, Box<TypeName>),
    /// `__builtin_offsetof(T, a.b[3])`.
    Offsetof(Box<TypeName>, Vec<Designator>),
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    ChooseExpr(Box<Expr>, Box<Expr>, Box<Expr>),
    /// GNU `&&label`.
    LabelAddr(Ident),
    /// Did not parse; already reported.
    Error,
}

#[derive(Debug)]
pub struct GenericArm {
    /// None for `default`.
    pub ty: Option<TypeName>,
    pub value: Expr,
}
