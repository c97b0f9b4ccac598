//! Which memory may have padding.
//!
//! The content of padding is nobody's business: assigning a struct may or may not copy it. The IR does not
//! say where it is, but the types as the user wrote them say where there is none.

use super::fields::Accesses;
use super::input::{Base, Place, Pointer, Value};
use super::machine::View;
use super::world::World;
use std::collections::BTreeSet;

/// What is known about the padding of a place.
pub struct Padding {
    /// There may be some.
    pub possible: bool,
    /// Bytes that are part of a scalar, so they are none.
    pub scalar: BTreeSet<i64>,
    /// Bytes in which some bits may be unused; None if that may be so everywhere.
    pub kept: Option<BTreeSet<i64>>,
}

impl Padding {
    /// Of an object that is known by its address only.
    pub fn unknown(views: [&View; 2]) -> Padding {
        let kept = (!views.iter().any(|v| v.version.fields.kept_anywhere())).then(BTreeSet::new);
        Padding { possible: true, scalar: BTreeSet::new(), kept }
    }

    /// May some bits of this byte lie between bit-fields?
    pub fn has_unused_bits(&self, at: usize) -> bool {
        self.kept.as_ref().is_none_or(|kept| kept.contains(&(at as i64)))
    }

    /// May these bytes be padding? It fills up to the alignment of what follows, and is smaller than that.
    pub fn covers(&self, start: usize, end: usize) -> bool {
        let fits = [2, 4, 8, 16].into_iter().any(|align| end - start < align && end.is_multiple_of(align));
        fits && start > 0 && !(start..end).any(|i| self.scalar.contains(&(i as i64)))
    }
}

/// What the two versions know about the padding of a place.
pub fn padding(world: &World, views: [&View; 2], place: &Place) -> Padding {
    let mut found = Padding { possible: false, scalar: BTreeSet::new(), kept: Some(BTreeSet::new()) };
    let mut learn = |accesses: Option<&Accesses>, shift: i64| {
        let Some(accesses) = accesses else { return };
        found.scalar.extend(accesses.scalar.iter().map(|i| i.wrapping_add(shift)));
        if let Some(kept) = &mut found.kept {
            kept.extend(accesses.kept.iter().map(|i| i.wrapping_add(shift)));
        }
    };
    let mut plain = true;
    match place {
        Place::Global(name) => {
            for view in views {
                let Some(id) = view.version.globals.get(name) else { continue };
                plain &= is_scalar(&view.program().global(*id).c_type);
                learn(view.version.fields.global(*id), 0);
            }
        }
        Place::Object(index) => {
            let mut pointed = false;
            for (args, view) in world.input.args.iter().zip(views) {
                let function = view.program().function(view.version.function);
                for (i, (arg, local)) in args.iter().zip(&function.locals).enumerate() {
                    if let Value::Pointer(Pointer { base: Base::Object(k), offset }) = arg
                        && k == index
                    {
                        pointed = true;
                        plain &= local.c_type.trim_end().strip_suffix('*').is_some_and(is_scalar);
                        learn(view.version.fields.param(i), *offset);
                    }
                }
            }
            plain &= pointed;
        }
    }
    found.possible = !plain;
    if views.iter().any(|v| v.version.fields.kept_elsewhere) {
        found.kept = None;
    }
    found
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
