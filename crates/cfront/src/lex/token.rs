//! Token kinds and the table of keywords.
//!
//! GNU spellings (`__const`, `__inline__`) share the kind of the plain keyword: nothing later needs the
//! difference, and messages quote the source text.

use base::{Interner, Span, Symbol};

/// Sixteen bytes: a file of a hundred megabytes still fits in memory many times over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: Tok,
    pub lo: u32,
    pub hi: u32,
    /// The symbol of an identifier, else 0. Literals are decoded from the text when the parser reaches them.
    pub symbol: Symbol,
}

impl Token {
    pub fn span(&self) -> Span {
        Span::new(self.lo, self.hi)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Tok {
    Eof,
    Ident,
    /// Integer or floating constant.
    Number,
    Char,
    Str,

    LParen,
    RParen,
    LBrace,
    RBrace,
    LBracket,
    RBracket,
    Semi,
    Comma,
    Dot,
    Arrow,
    Ellipsis,
    Question,
    Colon,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Amp,
    Pipe,
    Caret,
    Tilde,
    Bang,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    EqEq,
    BangEq,
    AndAnd,
    OrOr,
    PlusPlus,
    MinusMinus,
    Assign,
    StarAssign,
    SlashAssign,
    PercentAssign,
    PlusAssign,
    MinusAssign,
    ShlAssign,
    ShrAssign,
    AmpAssign,
    CaretAssign,
    PipeAssign,

    // Storage classes and function specifiers.
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
    ThreadLocal,
    Inline,
    Noreturn,
    // Qualifiers.
    Const,
    Volatile,
    Restrict,
    Atomic,
    // Type specifiers.
    Void,
    Bool,
    CharKw,
    Short,
    Int,
    Long,
    Signed,
    Unsigned,
    Int128,
    Int128T,
    Uint128T,
    Float,
    Double,
    Float128,
    Float32,
    Float64,
    Float32x,
    Float64x,
    Complex,
    VaList,
    SizeT,
    SsizeT,
    Struct,
    Union,
    Enum,
    Typeof,
    AutoType,
    Alignas,
    Attribute,
    Extension,
    // Statements.
    If,
    Else,
    While,
    Do,
    For,
    Switch,
    Case,
    Default,
    Break,
    Continue,
    Return,
    Goto,
    Asm,
    LocalLabel,
    StaticAssert,
    // Operators with a name.
    Sizeof,
    Alignof,
    Real,
    Imag,
    Generic,
    VaArg,
    Offsetof,
    TypesCompatible,
    ChooseExpr,
    Pragma,
}

const KEYWORDS: &[(&str, Tok)] = &[
    ("typedef", Tok::Typedef),
    ("extern", Tok::Extern),
    ("static", Tok::Static),
    ("auto", Tok::Auto),
    ("register", Tok::Register),
    ("_Thread_local", Tok::ThreadLocal),
    ("__thread", Tok::ThreadLocal),
    ("inline", Tok::Inline),
    ("__inline", Tok::Inline),
    ("__inline__", Tok::Inline),
    ("_Noreturn", Tok::Noreturn),
    ("const", Tok::Const),
    ("__const", Tok::Const),
    ("__const__", Tok::Const),
    ("volatile", Tok::Volatile),
    ("__volatile", Tok::Volatile),
    ("__volatile__", Tok::Volatile),
    ("restrict", Tok::Restrict),
    ("__restrict", Tok::Restrict),
    ("__restrict__", Tok::Restrict),
    ("_Atomic", Tok::Atomic),
    ("void", Tok::Void),
    ("_Bool", Tok::Bool),
    ("char", Tok::CharKw),
    ("short", Tok::Short),
    ("int", Tok::Int),
    ("long", Tok::Long),
    ("signed", Tok::Signed),
    ("__signed", Tok::Signed),
    ("__signed__", Tok::Signed),
    ("unsigned", Tok::Unsigned),
    ("__int128", Tok::Int128),
    ("__int128_t", Tok::Int128T),
    ("__uint128_t", Tok::Uint128T),
    ("float", Tok::Float),
    ("double", Tok::Double),
    ("_Float128", Tok::Float128),
    ("__float128", Tok::Float128),
    ("_Float32", Tok::Float32),
    ("_Float64", Tok::Float64),
    ("_Float32x", Tok::Float32x),
    ("_Float64x", Tok::Float64x),
    ("_Complex", Tok::Complex),
    ("__complex", Tok::Complex),
    ("__complex__", Tok::Complex),
    ("__builtin_va_list", Tok::VaList),
    // Types that CBMC predefines.
    ("__CPROVER_bool", Tok::Bool),
    ("__CPROVER_size_t", Tok::SizeT),
    ("__CPROVER_ssize_t", Tok::SsizeT),
    ("struct", Tok::Struct),
    ("union", Tok::Union),
    ("enum", Tok::Enum),
    ("typeof", Tok::Typeof),
    ("__typeof", Tok::Typeof),
    ("__typeof__", Tok::Typeof),
    ("__auto_type", Tok::AutoType),
    ("_Alignas", Tok::Alignas),
    ("__attribute", Tok::Attribute),
    ("__attribute__", Tok::Attribute),
    ("__extension__", Tok::Extension),
    ("if", Tok::If),
    ("else", Tok::Else),
    ("while", Tok::While),
    ("do", Tok::Do),
    ("for", Tok::For),
    ("switch", Tok::Switch),
    ("case", Tok::Case),
    ("default", Tok::Default),
    ("break", Tok::Break),
    ("continue", Tok::Continue),
    ("return", Tok::Return),
    ("goto", Tok::Goto),
    ("asm", Tok::Asm),
    ("__asm", Tok::Asm),
    ("__asm__", Tok::Asm),
    ("__label__", Tok::LocalLabel),
    ("_Static_assert", Tok::StaticAssert),
    ("sizeof", Tok::Sizeof),
    ("_Alignof", Tok::Alignof),
    ("__alignof", Tok::Alignof),
    ("__alignof__", Tok::Alignof),
    ("__real", Tok::Real),
    ("__real__", Tok::Real),
    ("__imag", Tok::Imag),
    ("__imag__", Tok::Imag),
    ("_Generic", Tok::Generic),
    ("__builtin_va_arg", Tok::VaArg),
    ("__builtin_offsetof", Tok::Offsetof),
    ("__builtin_types_compatible_p", Tok::TypesCompatible),
    ("__builtin_choose_expr", Tok::ChooseExpr),
    ("_Pragma", Tok::Pragma),
];

/// Keyword kinds by symbol. Keywords are interned before the text, so the table stays short.
pub(super) struct Keywords(Vec<Tok>);

impl Keywords {
    pub(super) fn new(names: &mut Interner) -> Self {
        let mut table = Vec::new();
        for &(name, kind) in KEYWORDS {
            let index = names.intern(name).0 as usize;
            if index >= table.len() {
                table.resize(index + 1, Tok::Ident);
            }
            table[index] = kind;
        }
        Keywords(table)
    }

    pub(super) fn kind(&self, symbol: Symbol) -> Tok {
        self.0.get(symbol.0 as usize).copied().unwrap_or(Tok::Ident)
    }
}

/// Whether `c` may occur in an identifier (beyond ASCII, close to the ranges of C11 annex D).
pub(super) fn is_identifier_char(c: char) -> bool {
    c == '_' || c == '$' || (c.is_alphanumeric() && c != '\u{feff}')
}
