//! Typed, side-effect-free expressions.

use crate::program::{FuncId, GlobalId, LocalId, Var};
use crate::types::Type;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expr {
    pub ty: Type,
    pub kind: ExprKind,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ExprKind {
    /// The bits of the value, zero-extended; floats in their IEEE (or x87) encoding; 0 or 1 for Bool; 0 is
    /// null.
    Const(u128),
    /// A register variable.
    Local(LocalId),
    Global(GlobalId),
    /// The address of a memory variable.
    AddrLocal(LocalId),
    AddrGlobal(GlobalId),
    AddrFunc(FuncId),
    /// The address of this activation's extra arguments.
    VarArgs,
    /// The value of type `ty` at an address.
    Load(Box<Expr>),
    Unary(UnOp, Box<Expr>),
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// Conversion between scalar types, chosen by the two types: integers truncate or extend by the operand's
    /// signedness; integer to float rounds to nearest even; float to integer truncates; float to float
    /// rounds; pointers and integers zero-extend or truncate; Bool to integer gives 0 or 1. Never to Bool.
    Cast(Box<Expr>),
    /// Strict choice: condition, then, else.
    Ite(Box<[Expr; 3]>),
    /// Bool: may `size` bytes at `ptr` be accessed (written, if `write`)?
    Valid {
        ptr: Box<Expr>,
        size: Box<Expr>,
        write: bool,
    },
    /// Bool: may `ptr` be given to `free`: null, or the start of a live heap object?
    Freeable(Box<Expr>),
    /// Of type `intptr(false)`: how many bytes lie between `ptr` and the end of the live object it points
    /// into; 0 if there is none. (`realloc` and `__builtin_object_size` need it.)
    ObjectSize(Box<Expr>),
    /// Bool: is the heap as this rule wants it where the program ends?
    HeapKept {
        rule: HeapRule,
        /// A pointer that leads to what is kept, besides variables: what the entry returns is its caller's.
        also: Option<Box<Expr>>,
    },
}

/// What must have become of heap objects: each was freed, or, for the rules `Kept`, something leads to it.
/// That is a global, memory outside of the program or, where the program ends in the middle of functions, a
/// variable in memory of one of them; directly, or through memory that is itself led to.
///
/// Where the entry returns, its variables are gone; in any but the outermost activation the program goes on,
/// and the rule holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum HeapRule {
    FreedAtReturn,
    FreedAtExit,
    KeptAtReturn,
    KeptAtExit,
}

impl HeapRule {
    pub const ALL: [HeapRule; 4] =
        [HeapRule::FreedAtReturn, HeapRule::FreedAtExit, HeapRule::KeptAtReturn, HeapRule::KeptAtExit];

    /// In the text form.
    pub fn name(self) -> &'static str {
        match self {
            HeapRule::FreedAtReturn => "heap_freed_at_return",
            HeapRule::FreedAtExit => "heap_freed_at_exit",
            HeapRule::KeptAtReturn => "heap_kept_at_return",
            HeapRule::KeptAtExit => "heap_kept_at_exit",
        }
    }

    /// Must everything have been freed?
    pub fn wants_freed(self) -> bool {
        matches!(self, HeapRule::FreedAtReturn | HeapRule::FreedAtExit)
    }

    /// Is this about the return of the entry?
    pub fn at_return(self) -> bool {
        matches!(self, HeapRule::FreedAtReturn | HeapRule::KeptAtReturn)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum UnOp {
    /// Arithmetic negation of integers (wrapping) and floats.
    Neg,
    /// Bitwise complement of integers; negation of Bool.
    Not,
    /// Floats only, result of the same type.
    Sqrt,
    Abs,
    Floor,
    Ceil,
    Trunc,
    RoundEven,
    RoundAway,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum BinOp {
    /// Integers of one type, or floats of one type; the result has that type.
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// Integers of one type, or Bool.
    And,
    Or,
    Xor,
    /// Integers of one type; `Shr` is arithmetic for signed types.
    Shl,
    Shr,
    /// Two operands of one type (integer, float, pointer; Eq and Ne also Bool); the result is Bool. Pointers
    /// compare as unsigned addresses.
    Eq,
    Ne,
    Lt,
    Le,
    /// Pointer plus a byte offset of type `intptr(true)`; the result is a pointer.
    PtrAdd,
    /// The byte distance of two pointers, of type `intptr(true)`.
    PtrSub,
    /// Two integers of one type; Bool: does the operation leave the type's range?
    AddOverflows,
    SubOverflows,
    MulOverflows,
}

/// How an operator is written, in C as in the text form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// Before its operand, or between its operands.
    Sign(&'static str),
    /// As a function.
    Name(&'static str),
}

impl UnOp {
    pub const ALL: [UnOp; 9] = [
        UnOp::Neg,
        UnOp::Not,
        UnOp::Sqrt,
        UnOp::Abs,
        UnOp::Floor,
        UnOp::Ceil,
        UnOp::Trunc,
        UnOp::RoundEven,
        UnOp::RoundAway,
    ];

    /// Of an operand of this type.
    pub fn spelling(self, ty: Type) -> Spelling {
        match self {
            UnOp::Neg => Spelling::Sign("-"),
            UnOp::Not if ty == Type::Bool => Spelling::Sign("!"),
            UnOp::Not => Spelling::Sign("~"),
            UnOp::Sqrt => Spelling::Name("sqrt"),
            UnOp::Abs => Spelling::Name("abs"),
            UnOp::Floor => Spelling::Name("floor"),
            UnOp::Ceil => Spelling::Name("ceil"),
            UnOp::Trunc => Spelling::Name("trunc"),
            UnOp::RoundEven => Spelling::Name("round_even"),
            UnOp::RoundAway => Spelling::Name("round_away"),
        }
    }

    /// The same with the names of C's functions.
    pub fn c_spelling(self, ty: Type) -> Spelling {
        match self {
            UnOp::Abs => Spelling::Name("fabs"),
            UnOp::RoundEven => Spelling::Name("rint"),
            UnOp::RoundAway => Spelling::Name("round"),
            _ => self.spelling(ty),
        }
    }
}

impl BinOp {
    pub const ALL: [BinOp; 19] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::Div,
        BinOp::Rem,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
        BinOp::Shl,
        BinOp::Shr,
        BinOp::Eq,
        BinOp::Ne,
        BinOp::Lt,
        BinOp::Le,
        BinOp::PtrAdd,
        BinOp::PtrSub,
        BinOp::AddOverflows,
        BinOp::SubOverflows,
        BinOp::MulOverflows,
    ];

    pub fn spelling(self) -> Spelling {
        match self {
            BinOp::Add | BinOp::PtrAdd => Spelling::Sign("+"),
            BinOp::Sub | BinOp::PtrSub => Spelling::Sign("-"),
            BinOp::Mul => Spelling::Sign("*"),
            BinOp::Div => Spelling::Sign("/"),
            BinOp::Rem => Spelling::Sign("%"),
            BinOp::And => Spelling::Sign("&"),
            BinOp::Or => Spelling::Sign("|"),
            BinOp::Xor => Spelling::Sign("^"),
            BinOp::Shl => Spelling::Sign("<<"),
            BinOp::Shr => Spelling::Sign(">>"),
            BinOp::Eq => Spelling::Sign("=="),
            BinOp::Ne => Spelling::Sign("!="),
            BinOp::Lt => Spelling::Sign("<"),
            BinOp::Le => Spelling::Sign("<="),
            BinOp::AddOverflows => Spelling::Name("add_overflows"),
            BinOp::SubOverflows => Spelling::Name("sub_overflows"),
            BinOp::MulOverflows => Spelling::Name("mul_overflows"),
        }
    }

    pub fn is_comparison(self) -> bool {
        matches!(self, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le)
    }

    pub fn gives_bool(self) -> bool {
        self.is_comparison()
            || matches!(self, BinOp::AddOverflows | BinOp::SubOverflows | BinOp::MulOverflows)
    }
}

impl Expr {
    pub fn int(ty: Type, value: i128) -> Expr {
        let bits = match ty {
            Type::Int(int) => int.wrap(value),
            _ => value as u128,
        };
        Expr { ty, kind: ExprKind::Const(bits) }
    }

    pub fn bool(value: bool) -> Expr {
        Expr { ty: Type::Bool, kind: ExprKind::Const(value as u128) }
    }

    pub fn null() -> Expr {
        Expr { ty: Type::Ptr, kind: ExprKind::Const(0) }
    }

    pub fn var(var: Var, ty: Type) -> Expr {
        let kind = match var {
            Var::Local(id) => ExprKind::Local(id),
            Var::Global(id) => ExprKind::Global(id),
        };
        Expr { ty, kind }
    }

    pub fn load(ty: Type, addr: Expr) -> Expr {
        Expr { ty, kind: ExprKind::Load(Box::new(addr)) }
    }

    pub fn unary(op: UnOp, e: Expr) -> Expr {
        Expr { ty: e.ty, kind: ExprKind::Unary(op, Box::new(e)) }
    }

    /// The type follows from the operator; `PtrSub` needs [`Expr::ptr_sub`].
    pub fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
        debug_assert!(op != BinOp::PtrSub);
        let ty = if op.gives_bool() { Type::Bool } else { a.ty };
        Expr { ty, kind: ExprKind::Binary(op, Box::new(a), Box::new(b)) }
    }

    pub fn ptr_sub(intptr: Type, a: Expr, b: Expr) -> Expr {
        Expr { ty: intptr, kind: ExprKind::Binary(BinOp::PtrSub, Box::new(a), Box::new(b)) }
    }

    pub fn cast(ty: Type, e: Expr) -> Expr {
        Expr { ty, kind: ExprKind::Cast(Box::new(e)) }
    }

    pub fn ite(c: Expr, a: Expr, b: Expr) -> Expr {
        Expr { ty: a.ty, kind: ExprKind::Ite(Box::new([c, a, b])) }
    }

    /// Bool negation; undoes itself.
    #[expect(
        clippy::should_implement_trait,
        reason = "`!` would suggest the bitwise complement of integers too"
    )]
    pub fn not(self) -> Expr {
        match self.kind {
            ExprKind::Const(bits) => Expr::bool(bits == 0),
            ExprKind::Unary(UnOp::Not, inner) if self.ty == Type::Bool => *inner,
            _ => Expr::unary(UnOp::Not, self),
        }
    }

    pub fn as_const(&self) -> Option<u128> {
        match self.kind {
            ExprKind::Const(bits) => Some(bits),
            _ => None,
        }
    }

    pub fn is_true(&self) -> bool {
        self.ty == Type::Bool && self.as_const() == Some(1)
    }

    pub fn is_false(&self) -> bool {
        self.ty == Type::Bool && self.as_const() == Some(0)
    }

    /// The direct operands, in order.
    pub fn children(&self) -> impl Iterator<Item = &Expr> {
        let list: [Option<&Expr>; 3] = match &self.kind {
            ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::AddrLocal(_)
            | ExprKind::AddrGlobal(_)
            | ExprKind::AddrFunc(_)
            | ExprKind::VarArgs => [None; 3],
            ExprKind::Load(e)
            | ExprKind::Unary(_, e)
            | ExprKind::Cast(e)
            | ExprKind::Freeable(e)
            | ExprKind::ObjectSize(e) => [Some(e), None, None],
            ExprKind::Binary(_, a, b) => [Some(a), Some(b), None],
            ExprKind::HeapKept { also, .. } => [also.as_deref(), None, None],
            ExprKind::Valid { ptr, size, .. } => [Some(ptr), Some(size), None],
            ExprKind::Ite(list) => [Some(&list[0]), Some(&list[1]), Some(&list[2])],
        };
        list.into_iter().flatten()
    }

    /// Calls `visit` on this expression and everything below it, parents first.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// Can evaluation end the execution (memory access, division)?
    pub fn may_fault(&self) -> bool {
        let mut faults = false;
        self.walk(&mut |e| {
            faults |= match &e.kind {
                ExprKind::Load(_) => true,
                ExprKind::Binary(BinOp::Div | BinOp::Rem, _, d) => {
                    e.ty.is_int() && !matches!(d.as_const(), Some(bits) if bits != 0 && !is_minus_one(d))
                }
                _ => false,
            }
        });
        faults
    }
}

fn is_minus_one(e: &Expr) -> bool {
    match (e.ty, e.as_const()) {
        (Type::Int(int), Some(bits)) => int.signed && bits == int.mask(),
        _ => false,
    }
}
