//! Which memory may have padding.
//!
//! The content of padding is nobody's business: assigning a struct may or may not copy it. The IR does not say where it
//! is, but the types as the user wrote them say where there is none.

use super::input::{Base, Place, Value};
use super::machine::View;
use super::world::World;

/// May bytes of this place be padding?
pub fn may_be_padded(world: &World, views: [&View; 2], place: &Place) -> bool {
    match place {
        Place::Global(name) => views.iter().any(|v| match v.version.globals.get(name) {
            Some(id) => !is_scalar(&v.program().global(*id).c_type),
            None => true,
        }),
        Place::Object(index) => {
            let mut pointed = false;
            for (args, view) in world.input.args.iter().zip(views) {
                let function = view.program().function(view.version.function);
                for (arg, local) in args.iter().zip(&function.locals) {
                    if matches!(arg, Value::Pointer(p) if p.base == Base::Object(*index)) {
                        pointed = true;
                        match local.c_type.trim_end().strip_suffix('*') {
                            Some(target) if is_scalar(target) => {}
                            _ => return true,
                        }
                    }
                }
            }
            !pointed
        }
    }
}

/// The alignment that pointers of this C type have.
pub fn pointee_align(c_type: &str) -> i64 {
    let Some(target) =
        c_type.trim_end().strip_suffix('*').filter(|t| is_scalar(t) && !t.trim_end().ends_with('*'))
    else {
        return 16;
    };
    let has = |word: &str| target.split_whitespace().any(|w| w == word);
    match () {
        _ if has("char") || has("_Bool") || has("bool") || target.contains("int8_t") || has("u8") => 1,
        _ if has("short") || target.contains("int16_t") => 2,
        _ if has("long") || has("double") || target.contains('_') => 8,
        _ => 4,
    }
}

/// Is this C type (as the user wrote it) a scalar without padding, or an array of such?
fn is_scalar(c_type: &str) -> bool {
    const WORDS: [&str; 30] = [
        "char",
        "short",
        "int",
        "long",
        "signed",
        "unsigned",
        "float",
        "double",
        "_Bool",
        "bool",
        "const",
        "volatile",
        "restrict",
        "size_t",
        "ssize_t",
        "uint8_t",
        "uint16_t",
        "uint32_t",
        "uint64_t",
        "int8_t",
        "int16_t",
        "int32_t",
        "int64_t",
        "wchar_t",
        "ptrdiff_t",
        "intptr_t",
        "uintptr_t",
        "off_t",
        "__restrict",
        "u8",
    ];
    let element = c_type.split('[').next().unwrap_or(c_type).trim();
    // A pointer has no padding, whatever it points to; a long double has.
    if element.ends_with('*') {
        return true;
    }
    let mut words = element.split_whitespace().peekable();
    words.peek().is_some()
        && element.split_whitespace().all(|word| WORDS.contains(&word))
        && !(element.contains("long") && element.contains("double"))
}
