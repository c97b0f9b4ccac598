//! C types. A [`TypeTable`] belongs to one translation unit; equal types have equal ids, except records and
//! enums, which are equal only to themselves.

use crate::ast::Quals;
use base::Span;
use ir::Target;
use rustc_hash::FxHashMap;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TypeId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QualType {
    pub ty: TypeId,
    pub quals: Quals,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum IntKind {
    /// Plain `char`, signed on both targets.
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
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
    Float128,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// Already reported; silently compatible with everything.
    Error,
    Void,
    Bool,
    Int(IntKind),
    Float(FloatKind),
    Complex(FloatKind),
    Pointer(QualType),
    Array(QualType, ArrayLen),
    Function(FunctionType),
    Record(RecordId),
    Enum(EnumId),
    /// GNU vector types: only their layout is known; functions that compute with them are poisoned.
    Vector(TypeId, u64),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLen {
    Fixed(u64),
    /// `[]`: incomplete, or a flexible array member.
    Unknown,
    /// The number of elements is in this (hidden) local of the function, of type size_t, set at the
    /// declaration.
    Variable(crate::hir::LocalId),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    pub ret: TypeId,
    /// Adjusted: arrays and functions are pointers.
    pub params: Vec<TypeId>,
    pub variadic: bool,
    /// False for `f()`: nothing is known about the parameters.
    pub prototype: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct RecordId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct EnumId(pub u32);

#[derive(Clone, Debug)]
pub struct Record {
    /// Empty if anonymous.
    pub tag: Arc<str>,
    pub is_union: bool,
    pub span: Span,
    /// None while incomplete.
    pub layout: Option<RecordLayout>,
}

#[derive(Clone, Debug)]
pub struct RecordLayout {
    /// In declaration order, unnamed bit-fields left out; anonymous members stay as one field with an empty
    /// name.
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
    /// The last field is `T x[]` (or has length 0).
    pub flexible: bool,
    pub transparent_union: bool,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: Arc<str>,
    pub ty: QualType,
    /// Bytes from the start of the record. For a bit-field: of the byte that holds its lowest bit.
    pub offset: u64,
    pub bits: Option<BitField>,
    pub span: Span,
}

/// A bit-field: `width` bits starting `shift` bits (0..8) above the lowest bit of the byte at the field's
/// offset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitField {
    pub shift: u8,
    pub width: u8,
}

#[derive(Clone, Debug)]
pub struct EnumType {
    pub tag: Arc<str>,
    pub span: Span,
    /// None while incomplete (GNU forward reference).
    pub underlying: Option<IntKind>,
}

#[derive(Debug)]
pub struct TypeTable {
    pub target: Target,
    kinds: Vec<TypeKind>,
    ids: FxHashMap<TypeKind, TypeId>,
    pub records: Vec<Record>,
    pub enums: Vec<EnumType>,
}

impl QualType {
    pub fn plain(ty: TypeId) -> QualType {
        QualType { ty, quals: Quals::default() }
    }
}

impl IntKind {
    pub const ALL: [IntKind; 13] = [
        IntKind::Char,
        IntKind::SChar,
        IntKind::UChar,
        IntKind::Short,
        IntKind::UShort,
        IntKind::Int,
        IntKind::UInt,
        IntKind::Long,
        IntKind::ULong,
        IntKind::LongLong,
        IntKind::ULongLong,
        IntKind::Int128,
        IntKind::UInt128,
    ];

    pub fn signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }

    pub fn bits(self, target: &Target) -> u8 {
        use IntKind::*;
        match self {
            Char | SChar | UChar => 8,
            Short | UShort => 16,
            Int | UInt => 32,
            Long | ULong => target.long_bits,
            LongLong | ULongLong => 64,
            Int128 | UInt128 => 128,
        }
    }

    /// C11 6.3.1.1.
    pub fn rank(self) -> u8 {
        use IntKind::*;
        match self {
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 3,
            Long | ULong => 4,
            LongLong | ULongLong => 5,
            Int128 | UInt128 => 6,
        }
    }

    pub fn to_unsigned(self) -> IntKind {
        use IntKind::*;
        match self {
            Char | SChar | UChar => UChar,
            Short | UShort => UShort,
            Int | UInt => UInt,
            Long | ULong => ULong,
            LongLong | ULongLong => ULongLong,
            Int128 | UInt128 => UInt128,
        }
    }

    pub fn name(self) -> &'static str {
        use IntKind::*;
        match self {
            Char => "char",
            SChar => "signed char",
            UChar => "unsigned char",
            Short => "short",
            UShort => "unsigned short",
            Int => "int",
            UInt => "unsigned int",
            Long => "long",
            ULong => "unsigned long",
            LongLong => "long long",
            ULongLong => "unsigned long long",
            Int128 => "__int128",
            UInt128 => "unsigned __int128",
        }
    }
}

impl TypeTable {
    pub const ERROR: TypeId = TypeId(0);
    pub const VOID: TypeId = TypeId(1);
    pub const BOOL: TypeId = TypeId(2);
    pub const CHAR: TypeId = TypeId(3);
    pub const SCHAR: TypeId = TypeId(4);
    pub const UCHAR: TypeId = TypeId(5);
    pub const SHORT: TypeId = TypeId(6);
    pub const USHORT: TypeId = TypeId(7);
    pub const INT: TypeId = TypeId(8);
    pub const UINT: TypeId = TypeId(9);
    pub const LONG: TypeId = TypeId(10);
    pub const ULONG: TypeId = TypeId(11);
    pub const LONGLONG: TypeId = TypeId(12);
    pub const ULONGLONG: TypeId = TypeId(13);
    pub const INT128: TypeId = TypeId(14);
    pub const UINT128: TypeId = TypeId(15);
    pub const FLOAT: TypeId = TypeId(16);
    pub const DOUBLE: TypeId = TypeId(17);
    pub const LONGDOUBLE: TypeId = TypeId(18);
    pub const FLOAT128: TypeId = TypeId(19);

    pub fn new(target: Target) -> TypeTable {
        let mut table = TypeTable {
            target,
            kinds: Vec::new(),
            ids: FxHashMap::default(),
            records: Vec::new(),
            enums: Vec::new(),
        };
        table.intern(TypeKind::Error);
        table.intern(TypeKind::Void);
        table.intern(TypeKind::Bool);
        for kind in IntKind::ALL {
            table.intern(TypeKind::Int(kind));
        }
        for kind in [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble, FloatKind::Float128] {
            table.intern(TypeKind::Float(kind));
        }
        table
    }

    pub fn intern(&mut self, kind: TypeKind) -> TypeId {
        if let Some(&id) = self.ids.get(&kind) {
            return id;
        }
        let id = TypeId(self.kinds.len() as u32);
        self.kinds.push(kind.clone());
        self.ids.insert(kind, id);
        id
    }

    pub fn kind(&self, ty: TypeId) -> &TypeKind {
        &self.kinds[ty.0 as usize]
    }

    pub fn int(kind: IntKind) -> TypeId {
        TypeId(TypeTable::CHAR.0 + kind as u32)
    }

    pub fn pointer_to(&mut self, to: QualType) -> TypeId {
        self.intern(TypeKind::Pointer(to))
    }

    pub fn size_t(&self) -> TypeId {
        if self.target.pointer_bits == 64 { TypeTable::ULONG } else { TypeTable::UINT }
    }

    pub fn ptrdiff_t(&self) -> TypeId {
        if self.target.pointer_bits == 64 { TypeTable::LONG } else { TypeTable::INT }
    }

    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// The integer kind of integer and enum types, `_Bool` not included.
    pub fn int_kind(&self, ty: TypeId) -> Option<IntKind> {
        match self.kind(ty) {
            TypeKind::Int(kind) => Some(*kind),
            TypeKind::Enum(id) => Some(self.enums[id.0 as usize].underlying.unwrap_or(IntKind::UInt)),
            _ => None,
        }
    }

    /// Size in bytes; None for incomplete, function and variable-length types. `void` and functions have size
    /// 1 as GNU arithmetic on such pointers wants it only in [`TypeTable::stride`].
    pub fn size_of(&self, ty: TypeId) -> Option<u64> {
        Some(match self.kind(ty) {
            TypeKind::Error => 1,
            TypeKind::Void | TypeKind::Function(_) => return None,
            TypeKind::Bool => 1,
            TypeKind::Int(kind) => u64::from(kind.bits(&self.target) / 8),
            TypeKind::Float(kind) => self.float_layout(*kind).0,
            TypeKind::Complex(kind) => 2 * self.float_layout(*kind).0,
            TypeKind::Pointer(_) => u64::from(self.target.pointer_bits / 8),
            TypeKind::Array(elem, ArrayLen::Fixed(n)) => self.size_of(elem.ty)?.checked_mul(*n)?,
            TypeKind::Array(..) => return None,
            TypeKind::Record(id) => self.record(*id).layout.as_ref()?.size,
            TypeKind::Enum(id) => u64::from(self.enums[id.0 as usize].underlying?.bits(&self.target) / 8),
            TypeKind::Vector(elem, n) => self.size_of(*elem)?.checked_mul(*n)?,
        })
    }

    /// The alignment a variable of this type gets (and `_Alignof` as gcc's `__alignof__` inside structs on
    /// i386).
    pub fn align_of(&self, ty: TypeId) -> Option<u64> {
        Some(match self.kind(ty) {
            TypeKind::Error | TypeKind::Void | TypeKind::Function(_) | TypeKind::Bool => 1,
            TypeKind::Int(kind) => self.int_align(*kind),
            TypeKind::Float(kind) | TypeKind::Complex(kind) => self.float_layout(*kind).1,
            TypeKind::Pointer(_) => u64::from(self.target.pointer_bits / 8),
            TypeKind::Array(elem, _) => self.align_of(elem.ty)?,
            TypeKind::Record(id) => self.record(*id).layout.as_ref()?.align,
            TypeKind::Enum(id) => self.int_align(self.enums[id.0 as usize].underlying?),
            TypeKind::Vector(..) => self.size_of(ty)?.next_power_of_two().min(64),
        })
    }

    /// The distance of array elements: the size, or 1 for GNU arithmetic on `void *` and function pointers.
    pub fn stride(&self, ty: TypeId) -> Option<u64> {
        match self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => Some(1),
            _ => self.size_of(ty),
        }
    }

    fn int_align(&self, kind: IntKind) -> u64 {
        match kind.bits(&self.target) {
            64 => self.target.int64_align,
            bits => u64::from(bits / 8),
        }
    }

    fn float_layout(&self, kind: FloatKind) -> (u64, u64) {
        match kind {
            FloatKind::Float => (4, 4),
            FloatKind::Double => (8, self.target.int64_align),
            FloatKind::LongDouble => (self.target.long_double_size, self.target.long_double_align),
            FloatKind::Float128 => (16, 16),
        }
    }

    pub fn is_scalar(&self, ty: TypeId) -> bool {
        matches!(
            self.kind(ty),
            TypeKind::Bool | TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Pointer(_) | TypeKind::Enum(_)
        )
    }

    /// Integers, `_Bool` and enums included.
    pub fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Bool | TypeKind::Int(_) | TypeKind::Enum(_))
    }

    pub fn is_real(&self, ty: TypeId) -> bool {
        self.is_integer(ty) || matches!(self.kind(ty), TypeKind::Float(_))
    }

    pub fn float_kind(&self, ty: TypeId) -> Option<FloatKind> {
        match self.kind(ty) {
            TypeKind::Float(kind) => Some(*kind),
            _ => None,
        }
    }

    pub fn pointee(&self, ty: TypeId) -> Option<QualType> {
        match self.kind(ty) {
            TypeKind::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    pub fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Pointer(_))
    }

    pub fn record_of(&self, ty: TypeId) -> Option<RecordId> {
        match self.kind(ty) {
            TypeKind::Record(id) => Some(*id),
            _ => None,
        }
    }

    pub fn function_of(&self, ty: TypeId) -> Option<&FunctionType> {
        match self.kind(ty) {
            TypeKind::Function(function) => Some(function),
            _ => None,
        }
    }

    pub fn is_function(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Function(_))
    }

    pub fn is_array(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Array(..))
    }

    /// Complex and vector types: laid out, but not computed with.
    pub fn is_exotic(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Complex(_) | TypeKind::Vector(..))
    }

    /// Width and signedness of an integer as it is stored: `_Bool` is one unsigned byte.
    pub fn int_layout(&self, ty: TypeId) -> Option<ir::IntType> {
        match self.kind(ty) {
            TypeKind::Bool => Some(ir::IntType::new(8, false)),
            _ => self.int_kind(ty).map(|kind| ir::IntType::new(kind.bits(&self.target), kind.signed())),
        }
    }

    /// An array type with a length that only execution knows, at any depth of the elements.
    pub fn is_variable(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            TypeKind::Array(_, ArrayLen::Variable(_)) => true,
            TypeKind::Array(elem, _) => self.is_variable(elem.ty),
            _ => false,
        }
    }

    /// The size of objects of this type is known, here or at run time.
    pub fn is_complete(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            TypeKind::Array(elem, ArrayLen::Variable(_) | ArrayLen::Fixed(_)) => self.is_complete(elem.ty),
            _ => self.size_of(ty).is_some(),
        }
    }

    /// The IR type of a scalar.
    pub fn ir_type(&self, ty: TypeId) -> Option<ir::Type> {
        Some(match self.kind(ty) {
            TypeKind::Bool => ir::Type::U8,
            TypeKind::Int(_) | TypeKind::Enum(_) => {
                let kind = self.int_kind(ty)?;
                ir::Type::int(kind.bits(&self.target), kind.signed())
            }
            TypeKind::Float(FloatKind::Float) => ir::Type::F32,
            TypeKind::Float(FloatKind::Double) => ir::Type::F64,
            TypeKind::Float(FloatKind::LongDouble) => ir::Type::F80,
            TypeKind::Float(FloatKind::Float128) => ir::Type::F128,
            TypeKind::Pointer(_) => ir::Type::Ptr,
            _ => return None,
        })
    }
}
