//! The internal code: one flat list of 16-byte instructions a function, working on slots of 64 bits.
//!
//! A slot holds a value in the form its type prescribes: signed integers sign-extended, unsigned ones,
//! pointers and floats zero-extended, Bool 0 or 1. So comparisons and most conversions need no work. Values
//! of more than 64 bits take two slots, low half first. Slots of a frame: parameters, (the address of extra
//! arguments), other locals (for a memory local: its address), temporaries; a callee's frame begins where the
//! caller put the arguments. Instructions that transfer control carry the number of edges since the last such
//! instruction, their `cost`.

use crate::access::AccessKind;
use ir::{BinOp, FloatType, FuncId, HeapRule, IntType, Type, UnOp};
use std::sync::Arc;

pub const NO_SLOT: u32 = u32::MAX;
pub const NO_EDGE: u32 = u32::MAX;

macro_rules! instructions {
    ($(#[$meta:meta])* binary { $($bin:ident)* } immediate { $($imm:ident)* } jump { $($jump:ident)* }
     jump_immediate { $($jump_imm:ident)* } load { $($load:ident)* } load_at { $($load_at:ident)* }
     store { $($store:ident)* } store_at { $($store_at:ident)* } extend { $($extend:ident)* }
     other { $($other:tt)* }) => {
        $(#[$meta])*
        pub enum Inst {
            $($bin { dst: u32, a: u32, b: u32 },)*
            $($imm { dst: u32, a: u32, imm: i32 },)*
            $($jump { cost: u16, a: u32, b: u32, to: u32 },)*
            $($jump_imm { cost: u16, a: u32, imm: i32, to: u32 },)*
            $($load { ty: u8, dst: u32, addr: u32, offset: i32 },)*
            $($load_at { ty: u8, scale: u16, dst: u32, addr: u32, index: u32 },)*
            $($store { addr: u32, src: u32, offset: i32 },)*
            $($store_at { scale: u16, addr: u32, src: u32, index: u32 },)*
            $($extend { dst: u32, src: u32 },)*
            $($other)*
        }

        impl Inst {
            /// Sets where a jump goes; other instructions are left alone.
            pub fn set_target(&mut self, target: u32) {
                match self {
                    $(Inst::$jump { to, .. })|* => *to = target,
                    $(Inst::$jump_imm { to, .. })|* => *to = target,
                    Inst::Jump { to, .. } | Inst::JumpIf { to, .. } | Inst::JumpUnless { to, .. } => *to = target,
                    _ => {}
                }
            }
        }
    };
}

instructions! {
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    binary {
        Add64 AddI32 AddU32 Sub64 SubI32 SubU32 Mul64 MulI32 MulU32 And Or Xor
        Shl64 ShlI32 ShlU32 ShrS64 ShrS32 ShrU64 ShrU32
        Eq Ne LtS LeS LtU LeU
        FloatAdd FloatSub FloatMul FloatDiv FloatEq FloatNe FloatLt FloatLe
    }
    immediate {
        Add64Imm AddI32Imm AddU32Imm Mul64Imm MulI32Imm MulU32Imm AndImm OrImm XorImm
        Shl64Imm ShlI32Imm ShlU32Imm ShrSImm ShrUImm
        EqImm NeImm LtSImm LeSImm GtSImm GeSImm LtUImm LeUImm GtUImm GeUImm
    }
    jump { JumpEq JumpNe JumpLtS JumpLeS JumpLtU JumpLeU }
    jump_immediate {
        JumpEqImm JumpNeImm JumpLtSImm JumpLeSImm JumpGtSImm JumpGeSImm JumpLtUImm JumpLeUImm JumpGtUImm JumpGeUImm
    }
    load { LoadI8 LoadU8 LoadI16 LoadU16 LoadI32 LoadU32 Load64 LoadWide }
    load_at { LoadI8At LoadU8At LoadI16At LoadU16At LoadI32At LoadU32At Load64At }
    store { Store8 Store16 Store32 Store64 Store80 Store128 }
    store_at { Store8At Store16At Store32At Store64At }
    extend { Move SignExtend8 SignExtend16 SignExtend32 ZeroExtend8 ZeroExtend16 ZeroExtend32 IntToFloat }
    other {
        Const { dst: u32, value: u64 },
        GetGlobal { dst: u32, global: u32 },
        SetGlobal { global: u32, src: u32 },
        DivS { bits: u8, dst: u32, a: u32, b: u32 },
        RemS { bits: u8, dst: u32, a: u32, b: u32 },
        DivU { dst: u32, a: u32, b: u32 },
        RemU { dst: u32, a: u32, b: u32 },
        /// `dst = cond ? slot[a] : slot[a + 1]`.
        Select { dst: u32, cond: u32, a: u32 },
        /// The same with pairs: `slot[a..a + 2]` or `slot[a + 2..a + 4]`.
        SelectWide { dst: u32, cond: u32, a: u32 },
        /// An operator of `Code::slow`.
        Slow { op: u16, dst: u32, a: u32, b: u32 },
        Valid { write: bool, dst: u32, ptr: u32, size: u32 },
        Freeable { dst: u32, ptr: u32 },
        ObjectSize { dst: u32, ptr: u32 },
        /// `also` is a pointer that keeps what it leads to, or [`NO_SLOT`].
        HeapKept { rule: HeapRule, dst: u32, also: u32 },
        /// A check of that failed.
        HeapLost { rule: HeapRule, also: u32 },
        Jump { cost: u16, to: u32 },
        JumpIf { cost: u16, cond: u32, to: u32 },
        JumpUnless { cost: u16, cond: u32, to: u32 },
        Call { cost: u16, func: u32, window: u32, dst: u32 },
        /// A call of `Code::sites`: extra arguments, through a pointer (in slot `target`), or without a body.
        CallVariadic { cost: u16, site: u32, window: u32, dst: u32 },
        CallIndirect { cost: u16, site: u32, window: u32, dst: u32 },
        CallExtern { site: u32, window: u32, dst: u32 },
        Return { cost: u16, src: u32 },
        ReturnWide { cost: u16, src: u32 },
        ReturnVoid { cost: u16 },
        Exit { cost: u16, code: u32 },
        Abort { cost: u16 },
        /// The check, or the assume, of this edge does not hold.
        CheckFails,
        /// The same for a check of an access to `size` bytes; slots.
        AccessFails { kind: AccessKind, ptr: u32, size: u32 },
        AssumeFails,
        /// A reason in `Code::traps`.
        Trap { reason: u32 },
        NewLocal { dst: u32, local: u32 },
        /// The havoc of this edge.
        Havoc { ty: u8, dst: u32 },
        /// A local that may be read before it is set.
        Unset { ty: u8, dst: u32, local: u32 },
        Alloc { heap: bool, dst: u32, size: u32 },
        Free { ptr: u32 },
        Lifetime { ptr: u32, begins: bool },
        Copy { dst: u32, src: u32, len: u32 },
        Fill { dst: u32, byte: u32, len: u32 },
        Trace { edge: u32 },
        /// The value in a slot is to be recorded.
        Record { ty: u8, src: u32 },
        /// A watched location.
        Watch { node: u32 },
        Tick { cost: u32 },
    }
}

const _: () = assert!(size_of::<Inst>() == 16);

/// An operator without an instruction of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SlowOp {
    Binary(BinOp, Type),
    Unary(UnOp, Type),
    Cast {
        from: Type,
        to: Type,
    },
    /// As `Binary`, but a signed overflow or a bad shift ends the run.
    Checked(BinOp, IntType),
    CheckedNeg(IntType),
    /// The address itself, if it is a multiple of this size; otherwise the run ends.
    Aligned(u8),
}

#[derive(Clone, Debug)]
pub struct CallSite {
    /// None for a call through a pointer, whose address is in slot `target`.
    pub func: Option<FuncId>,
    pub target: u32,
    /// All arguments: slot (relative to the caller's frame) and type.
    pub args: Vec<(u32, Type)>,
    pub types: Vec<Type>,
    pub dst: Option<Type>,
}

#[derive(Clone, Debug, Default)]
pub struct Code {
    pub insts: Vec<Inst>,
    /// The edge of each instruction.
    pub edges: Vec<u32>,
    /// At each instruction, the edges begun since the last one that counted them.
    pub uncounted: Vec<u32>,
    /// Slots of a frame.
    pub frame: u32,
    pub params: Vec<(u32, Type)>,
    /// The slot for the address of extra arguments.
    pub varargs: Option<u32>,
    pub ret: Option<Type>,
    pub sites: Vec<CallSite>,
    pub slow: Vec<SlowOp>,
    pub traps: Vec<Arc<str>>,
    /// The slot of each local.
    pub slots: Vec<u32>,
}

impl Code {
    /// The instructions from this one on.
    #[inline]
    pub fn from(&self, pc: u32) -> std::slice::Iter<'_, Inst> {
        self.insts.get(pc as usize..).unwrap_or(&[]).iter()
    }
}

/// Does a value of this type take two slots?
pub fn is_wide(ty: Type) -> bool {
    match ty {
        Type::Int(int) => int.bits == 128,
        Type::Float(f) => matches!(f, FloatType::F80 | FloatType::F128),
        Type::Bool | Type::Ptr => false,
    }
}

/// The slot form of a value of at most 64 bits.
pub fn slot_form(ty: Type, bits: u128) -> u64 {
    match ty {
        Type::Int(int) => int.value(bits) as u64,
        _ => bits as u64,
    }
}

/// The bits of a slot of a type of at most 64 bits.
pub fn slot_bits(ty: Type, slot: u64) -> u128 {
    match ty {
        Type::Int(int) => u128::from(slot) & int.mask(),
        _ => u128::from(slot),
    }
}

const TYPES: [Type; 16] = [
    Type::Bool,
    Type::I8,
    Type::U8,
    Type::I16,
    Type::U16,
    Type::I32,
    Type::U32,
    Type::I64,
    Type::U64,
    Type::I128,
    Type::U128,
    Type::F32,
    Type::F64,
    Type::F80,
    Type::F128,
    Type::Ptr,
];

/// Types as one byte, to fit into instructions.
pub fn type_code(ty: Type) -> u8 {
    TYPES.iter().position(|t| *t == ty).unwrap_or(0) as u8
}

pub fn type_of_code(code: u8) -> Type {
    TYPES.get(code as usize).copied().unwrap_or(Type::Bool)
}
