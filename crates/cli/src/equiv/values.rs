//! Scalars for people, as their C types suggest.
//!
//! The types in IR are texts for messages; the plain ones are understood here (`unsigned char`, `int *`,
//! `long [2][3]`). What is behind a typedef or in a struct is shown as the machine sees it.

use ::equiv::concrete::{Base, Input, Pointer, Value};
use ir::{FloatType, Function, IntType, Target, Type};

/// What the caller's objects are called: after the parameter that points to their start, if there is just
/// one.
pub struct Names {
    objects: Vec<Object>,
}

struct Object {
    name: String,
    /// The C type of what lies there, if a parameter says so.
    element: Option<String>,
}

impl Names {
    pub fn new(function: &Function, input: &Input) -> Names {
        let object = |index: usize| {
            let starts = Value::object(index, 0);
            let params = function.locals.iter().take(function.params as usize).zip(&input.args[0]);
            let pointing: Vec<_> = params.filter(|(_, value)| **value == starts).collect();
            match pointing.as_slice() {
                [(local, _)] => Object { name: local.name.to_string(), element: pointee(&local.c_type) },
                _ => Object {
                    name: format!("object{}", index + 1),
                    element: pointing.first().and_then(|(local, _)| pointee(&local.c_type)),
                },
            }
        };
        Names { objects: (0..input.objects.len()).map(object).collect() }
    }

    pub fn object(&self, index: usize) -> &str {
        self.objects.get(index).map_or("object", |o| &o.name)
    }

    pub fn element(&self, index: usize) -> Option<&str> {
        self.objects.get(index)?.element.as_deref()
    }

    /// `a`, `a + 2`, `&limit`, `push`.
    pub fn pointer(&self, pointer: &Pointer, c_type: &str, target: &Target) -> String {
        let base = match &pointer.base {
            Base::Object(index) => self.object(*index).to_owned(),
            Base::Global(name) => format!("&{name}"),
            Base::Function(name) => name.to_string(),
            Base::Local { function, name } => format!("&{name} of {function}"),
            Base::Heap(number) => format!("new object {}", number + 1),
            Base::Nothing => return format!("{:#x}", pointer.offset),
        };
        let step = pointee(c_type).and_then(|e| scalar(&e, target)).map(|ty| ty.access_size(target) as i64);
        let (offset, unit) = match step {
            Some(step) if pointer.offset % step == 0 => (pointer.offset / step, ""),
            _ => (pointer.offset, " bytes"),
        };
        match offset {
            0 => base,
            n if n < 0 => format!("{base} - {}{unit}", n.unsigned_abs()),
            n => format!("{base} + {n}{unit}"),
        }
    }

    pub fn value(&self, value: &Value, ty: Type, c_type: &str, target: &Target) -> String {
        match value {
            Value::Pointer(pointer) => self.pointer(pointer, c_type, target),
            Value::Bits(bits) => show(*bits, ty, is_char(c_type)),
        }
    }
}

/// A number as its type has it; characters that can be printed are shown too.
pub fn show(bits: u128, ty: Type, char: bool) -> String {
    match ty {
        Type::Int(int) => {
            let number = number(bits, int);
            match char::from_u32(bits as u32 & 0xff).filter(|c| char && (c.is_ascii_graphic() || *c == ' ')) {
                Some(c) => format!("{number} '{}'", c.escape_default()),
                None => number,
            }
        }
        Type::Bool => bits.to_string(),
        Type::Float(FloatType::F32) => f32::from_bits(bits as u32).to_string(),
        Type::Float(FloatType::F64) => f64::from_bits(bits as u64).to_string(),
        Type::Ptr if bits == 0 => "NULL".to_owned(),
        Type::Float(_) | Type::Ptr => format!("{bits:#x}"),
    }
}

fn number(bits: u128, int: IntType) -> String {
    let bits = bits & int.mask();
    if int.signed { int.value(bits).to_string() } else { bits.to_string() }
}

/// Is it a type for characters rather than for small numbers?
pub fn is_char(c_type: &str) -> bool {
    words(c_type) == ["char"]
}

fn words(c_type: &str) -> Vec<&str> {
    let qualifier = |w: &&str| !matches!(*w, "const" | "volatile" | "restrict" | "register" | "static");
    c_type.split_whitespace().filter(qualifier).collect()
}

/// The scalar that a plain C type names.
pub fn scalar(c_type: &str, target: &Target) -> Option<Type> {
    if pointee(c_type).is_some() {
        return Some(Type::Ptr);
    }
    let long = target.pointer_bits;
    let mut words = words(c_type);
    let before = words.len();
    words.retain(|w| *w != "unsigned");
    let mut signed = words.len() == before;
    words.retain(|w| *w != "signed");
    let bits = match words.as_slice() {
        ["char"] => 8,
        ["_Bool"] => {
            signed = false;
            8
        }
        ["short"] | ["short", "int"] => 16,
        [] | ["int"] => 32,
        ["long"] | ["long", "int"] => long,
        ["long", "long"] | ["long", "long", "int"] => 64,
        ["__int128"] => 128,
        ["float"] => return Some(Type::F32),
        ["double"] => return Some(Type::F64),
        _ => return None,
    };
    (before > 0).then_some(Type::int(bits, signed))
}

/// What a pointer points to: `int` for `int *const`.
pub fn pointee(c_type: &str) -> Option<String> {
    let mut text = c_type.trim();
    for _ in 0..3 {
        for qualifier in ["const", "volatile", "restrict", "__restrict"] {
            text = text.strip_suffix(qualifier).unwrap_or(text).trim_end();
        }
    }
    text.strip_suffix('*').map(|rest| rest.trim_end().to_owned())
}

/// What an array consists of, and its lengths from outside in: `long` and 2, 3 for `long [2][3]`.
pub fn array(c_type: &str) -> Option<(String, Vec<u64>)> {
    let (element, mut rest) = c_type.split_once('[')?;
    if element.contains('(') {
        return None;
    }
    let mut lengths = Vec::new();
    loop {
        let (length, after) = rest.split_once(']')?;
        lengths.push(length.trim().parse().ok()?);
        match after.trim().strip_prefix('[') {
            Some(next) => rest = next,
            None if after.trim().is_empty() => return Some((element.trim().to_owned(), lengths)),
            None => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_as_they_are_written() {
        let check = |text: &str, expected: Option<Type>| {
            assert_eq!(scalar(text, &Target::LP64), expected, "{text}");
        };
        check("int", Some(Type::I32));
        check("const unsigned", Some(Type::U32));
        check("unsigned char", Some(Type::U8));
        check("long unsigned int", Some(Type::U64));
        check("long long", Some(Type::I64));
        check("_Bool", Some(Type::U8));
        check("char *const", Some(Type::Ptr));
        check("size_t", None);
        check("struct unsigned_thing", None);
        check("", None);
        assert_eq!(scalar("long", &Target::ILP32), Some(Type::I32));
    }

    #[test]
    fn arrays_and_pointers() {
        let array = |text: &str| array(text).map(|(e, n)| format!("{e} {n:?}"));
        assert_eq!(array("long [2][3]").as_deref(), Some("long [2, 3]"));
        assert_eq!(array("char[12]").as_deref(), Some("char [12]"));
        assert_eq!(array("int (*[3])(int)"), None);
        assert_eq!(array("int []"), None);
        assert_eq!(pointee("const char *restrict").as_deref(), Some("const char"));
        assert_eq!(pointee("int **").as_deref(), Some("int *"));
        assert_eq!(pointee("int"), None);
    }

    #[test]
    fn scalars() {
        assert_eq!(show(u128::from(u32::MAX), Type::I32, false), "-1");
        assert_eq!(show(u128::from(u32::MAX), Type::U32, false), "4294967295");
        assert_eq!(show(97, Type::I8, true), "97 'a'");
        assert_eq!(show(10, Type::I8, true), "10");
        assert_eq!(show(0, Type::Ptr, false), "NULL");
        assert_eq!(show(0x3fe0_0000_0000_0000, Type::F64, false), "0.5");
    }
}
