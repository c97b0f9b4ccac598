//! Values as C.

use driver::Violation;
use interp::Interp;
use ir::{FloatType, FuncId, GlobalId, IntType, Program, Type};

/// A type that is passed and returned in the same way.
pub fn c_type(ty: Type) -> &'static str {
    match ty {
        Type::Bool => "_Bool",
        Type::Int(IntType { bits: 8, signed: true }) => "signed char",
        Type::Int(IntType { bits: 8, signed: false }) => "unsigned char",
        Type::Int(IntType { bits: 16, signed: true }) => "short",
        Type::Int(IntType { bits: 16, signed: false }) => "unsigned short",
        Type::Int(IntType { bits: 32, signed: true }) => "int",
        Type::Int(IntType { bits: 32, signed: false }) => "unsigned int",
        Type::Int(IntType { bits: 64, signed: true }) => "long long",
        Type::Int(IntType { bits: 64, signed: false }) => "unsigned long long",
        Type::Int(IntType { signed: true, .. }) => "__int128",
        Type::Int(_) => "unsigned __int128",
        Type::Float(FloatType::F32) => "float",
        Type::Float(FloatType::F64) => "double",
        Type::Float(FloatType::F80) => "long double",
        Type::Float(FloatType::F128) => "__float128",
        Type::Ptr => "void *",
    }
}

/// An integer or a pointer as an expression; a float as its bytes, in a form that `memcpy` takes: decimal
/// digits would have to be exact, and could not say which NaN is meant.
pub fn literal(ty: Type, bits: u128) -> String {
    match ty {
        Type::Bool => bits.to_string(),
        Type::Int(int) if int.bits > 64 => {
            let (high, low) = ((bits >> 64) as u64, bits as u64);
            format!("(({})(((unsigned __int128){high:#x}ULL << 64) | {low:#x}ULL))", c_type(ty))
        }
        Type::Int(int) if int.signed => match int.value(bits) {
            // There are no negative literals: this one would be of another type.
            value if int.bits >= 32 && bits & int.mask() == int.min_bits() => {
                let suffix = if int.bits == 64 { "LL" } else { "" };
                format!("(-{}{suffix} - 1)", -(value + 1))
            }
            value if int.bits == 64 => format!("{value}LL"),
            value => value.to_string(),
        },
        Type::Int(int) if int.bits == 64 => format!("{bits}ULL"),
        Type::Int(_) => format!("{bits}u"),
        Type::Float(_) => {
            let bytes: Vec<String> = bits.to_le_bytes().iter().map(|b| b.to_string()).collect();
            format!("(const unsigned char[16]){{{}}}", bytes.join(", "))
        }
        Type::Ptr => format!("(void *){bits:#x}"),
    }
}

/// The same bytes as an element of an array of arrays.
pub fn initialiser(literal: &str) -> &str {
    literal.split_once(')').map_or(literal, |(_, bytes)| bytes)
}

/// What the addresses of a run mean to another one.
pub struct Addresses<'a> {
    program: &'a Program,
    /// Start and size of objects from outside, and of globals that others can name.
    objects: Vec<(u64, u64, String)>,
    functions: Vec<(u64, FuncId)>,
}

impl<'a> Addresses<'a> {
    pub fn new(program: &'a Program, violation: &Violation, interp: Option<&Interp>) -> Addresses<'a> {
        let mut objects = Vec::new();
        let mut functions = Vec::new();
        if let Some(interp) = interp {
            for (i, size) in violation.counterexample.heap.iter().enumerate() {
                if let Some(address) = interp.heap_address(i) {
                    objects.push((address, *size, format!("reprove_object_{i}")));
                }
            }
            for (i, global) in program.globals.iter().enumerate() {
                let address = interp.global_address(GlobalId(i as u32));
                if let (Some(address), ir::Storage::Memory { size, .. }) = (address, global.storage) {
                    objects.push((address, size, format!("global {}", global.name)));
                }
            }
            functions.extend(program.function_ids().map(|id| (interp.function_address(id), id)));
        }
        Addresses { program, objects, functions }
    }

    /// An address as an expression, or why there is none.
    pub fn expression(&self, address: u64) -> Result<String, String> {
        if address == 0 {
            return Ok("(void *)0".to_owned());
        }
        let found = self.objects.iter().find(|(start, size, _)| address.wrapping_sub(*start) <= *size);
        if let Some((start, _, name)) = found {
            return match name.strip_prefix("global ") {
                // Static variables are known in their own file only, and which ones are static is not known
                // here.
                Some(name) => Err(format!("a pointer from outside points to '{name}' of the program")),
                None => Ok(format!("(void *)({name} + {})", address - start)),
            };
        }
        match self.functions.iter().find(|(start, _)| *start == address) {
            Some((_, id)) => {
                let name = &self.program.function(*id).name;
                Err(format!("a pointer from outside points to the function '{name}'"))
            }
            None => Err(format!("a pointer from outside points to nothing ({address:#x})")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        let check = |ty: Type, bits: u128, expected: &str| assert_eq!(literal(ty, bits), expected);
        check(Type::I32, 7, "7");
        check(Type::I32, 0xffff_ffff, "-1");
        check(Type::I32, 0x8000_0000, "(-2147483647 - 1)");
        check(Type::I64, 1 << 63, "(-9223372036854775807LL - 1)");
        check(Type::I8, 0x80, "-128");
        check(Type::U32, 0xffff_ffff, "4294967295u");
        check(Type::U64, u64::MAX.into(), "18446744073709551615ULL");
        check(Type::I128, 1 << 64, "((__int128)(((unsigned __int128)0x1ULL << 64) | 0x0ULL))");
        check(
            Type::F32,
            0x3f80_0000,
            "(const unsigned char[16]){0, 0, 128, 63, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}",
        );
        assert_eq!(initialiser(&literal(Type::F32, 0)).chars().next(), Some('{'));
    }
}
