//! Scalar types and the target's data model.

use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct IntType {
    /// 8, 16, 32, 64 or 128.
    pub bits: u8,
    pub signed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatType {
    F32,
    F64,
    /// x87 extended precision, the target's `long double`.
    F80,
    F128,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Type {
    /// The type of conditions; never stored.
    Bool,
    Int(IntType),
    Float(FloatType),
    /// All pointers; what they point to is said by the access.
    Ptr,
}

impl IntType {
    pub const fn new(bits: u8, signed: bool) -> Self {
        IntType { bits, signed }
    }

    pub fn mask(self) -> u128 {
        if self.bits >= 128 { u128::MAX } else { (1u128 << self.bits) - 1 }
    }

    /// The bits of `value` in this type, zero-extended.
    pub fn wrap(self, value: i128) -> u128 {
        value as u128 & self.mask()
    }

    /// The number that `bits` mean in this type. Unsigned 128-bit values above `i128::MAX` come out negative.
    pub fn value(self, bits: u128) -> i128 {
        let bits = bits & self.mask();
        if self.signed && self.bits < 128 && bits >> (self.bits - 1) & 1 == 1 {
            (bits | !self.mask()) as i128
        } else {
            bits as i128
        }
    }

    pub fn min_bits(self) -> u128 {
        if self.signed { 1u128 << (self.bits - 1) } else { 0 }
    }

    pub fn max_bits(self) -> u128 {
        if self.signed { self.mask() >> 1 } else { self.mask() }
    }
}

impl FloatType {
    /// Bytes that carry the value (not the padded size in memory).
    pub fn value_bytes(self) -> u64 {
        match self {
            FloatType::F32 => 4,
            FloatType::F64 => 8,
            FloatType::F80 => 10,
            FloatType::F128 => 16,
        }
    }
}

impl Type {
    pub const I8: Type = Type::int(8, true);
    pub const U8: Type = Type::int(8, false);
    pub const I16: Type = Type::int(16, true);
    pub const U16: Type = Type::int(16, false);
    pub const I32: Type = Type::int(32, true);
    pub const U32: Type = Type::int(32, false);
    pub const I64: Type = Type::int(64, true);
    pub const U64: Type = Type::int(64, false);
    pub const I128: Type = Type::int(128, true);
    pub const U128: Type = Type::int(128, false);
    pub const F32: Type = Type::Float(FloatType::F32);
    pub const F64: Type = Type::Float(FloatType::F64);
    pub const F80: Type = Type::Float(FloatType::F80);
    pub const F128: Type = Type::Float(FloatType::F128);

    pub const fn int(bits: u8, signed: bool) -> Type {
        Type::Int(IntType::new(bits, signed))
    }

    pub fn as_int(self) -> Option<IntType> {
        match self {
            Type::Int(int) => Some(int),
            _ => None,
        }
    }

    pub fn is_int(self) -> bool {
        matches!(self, Type::Int(_))
    }

    pub fn is_float(self) -> bool {
        matches!(self, Type::Float(_))
    }

    /// Bytes that a `Load` or `Store` of this type touches. An F80 touches the 10 bytes of its value.
    pub fn access_size(self, target: &Target) -> u64 {
        match self {
            Type::Bool => 1,
            Type::Int(int) => u64::from(int.bits / 8),
            Type::Float(float) => float.value_bytes(),
            Type::Ptr => u64::from(target.pointer_bits / 8),
        }
    }
}

impl fmt::Display for IntType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", if self.signed { 'i' } else { 'u' }, self.bits)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Type::Bool => f.write_str("bool"),
            Type::Int(int) => int.fmt(f),
            Type::Float(FloatType::F32) => f.write_str("f32"),
            Type::Float(FloatType::F64) => f.write_str("f64"),
            Type::Float(FloatType::F80) => f.write_str("f80"),
            Type::Float(FloatType::F128) => f.write_str("f128"),
            Type::Ptr => f.write_str("ptr"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Endian {
    Little,
}

/// The data model: x86-64 or i386 as gcc sees them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    pub name: &'static str,
    pub pointer_bits: u8,
    pub long_bits: u8,
    pub long_double_size: u64,
    pub long_double_align: u64,
    /// The alignment of `long long` and `double` as struct members (4 on i386).
    pub int64_align: u64,
    pub endian: Endian,
}

impl Target {
    pub const LP64: Target = Target {
        name: "lp64",
        pointer_bits: 64,
        long_bits: 64,
        long_double_size: 16,
        long_double_align: 16,
        int64_align: 8,
        endian: Endian::Little,
    };
    pub const ILP32: Target = Target {
        name: "ilp32",
        pointer_bits: 32,
        long_bits: 32,
        long_double_size: 12,
        long_double_align: 4,
        int64_align: 4,
        endian: Endian::Little,
    };

    pub fn by_name(name: &str) -> Option<Target> {
        [Target::LP64, Target::ILP32].into_iter().find(|t| t.name == name)
    }

    /// The integer type as wide as a pointer.
    pub fn intptr(&self, signed: bool) -> Type {
        Type::int(self.pointer_bits, signed)
    }
}
