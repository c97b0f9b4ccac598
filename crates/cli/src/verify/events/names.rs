//! Objects, pointers and inputs in words.

use driver::path::{Path, Value};
use interp::{ConsumedInput, InputKind, ObjectKind, Pointee};
use ir::{GlobalId, InitValue, LocalId, LocalOrigin};

/// `&x`, `&a + 4 bytes`, `push`, `NULL`; None for what is no pointer.
pub fn pointer_text(path: &Path, value: &Value) -> Option<String> {
    Some(match value.pointee.as_ref()? {
        Pointee::Null => "NULL".to_owned(),
        Pointee::Function(id) => path.program.function(*id).name.to_string(),
        Pointee::Nothing => format!("{:#x}", value.bits),
        // Whether it is alive is known for the end of the run only.
        Pointee::Object { kind, offset, .. } => {
            if let (ObjectKind::Global(id), 0) = (kind, offset)
                && let Some(text) = string_literal(path, *id)
            {
                return Some(text);
            }
            let name = match object_name(path, *kind) {
                Some((name, _)) => format!("&{name}"),
                None => match kind {
                    ObjectKind::Heap => "a heap object".to_owned(),
                    ObjectKind::Stack => "a stack object".to_owned(),
                    ObjectKind::VarArgs => "the variable arguments".to_owned(),
                    _ => "an object".to_owned(),
                },
            };
            match offset {
                0 => name,
                1 => format!("{name} + 1 byte"),
                n => format!("{name} + {n} bytes"),
            }
        }
    })
}

/// The text of a string literal.
fn string_literal(path: &Path, id: GlobalId) -> Option<String> {
    const LONGEST: usize = 40;
    let global = path.program.globals.get(id.0 as usize).filter(|g| g.name.starts_with(".str."))?;
    let item = global.init.as_ref()?.items.first()?;
    let InitValue::Bytes(bytes) = &item.value else { return None };
    let text = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    let (shown, dots) = if text.len() > LONGEST { (&text[..LONGEST], "...") } else { (text, "") };
    Some(format!("\"{}{dots}\"", String::from_utf8_lossy(shown).escape_debug()))
}

pub fn object_name<'p>(path: &Path<'p>, kind: ObjectKind) -> Option<(&'p str, &'p str)> {
    match kind {
        ObjectKind::Global(id) => {
            let global = path.program.globals.get(id.0 as usize)?;
            Some((&global.name, &global.c_type))
        }
        ObjectKind::Local(function, LocalId(id)) => {
            let local = path.program.functions.get(function.0 as usize)?.locals.get(id as usize)?;
            (local.origin != LocalOrigin::Temp).then(|| (plain(&local.name), &*local.c_type))
        }
        _ => None,
    }
}

/// What was read from outside, and where it came from.
pub fn input_text(input: &ConsumedInput, name: Option<&str>, shown: &str) -> (String, String) {
    let assigned = |from: String| match name {
        Some(name) => (format!("{name} = {shown}"), from),
        None => (shown.to_owned(), from),
    };
    match &input.request.kind {
        InputKind::Input(function) => match name {
            Some(name) => (format!("{name} = {function}()"), shown.to_owned()),
            None => (format!("{function}()"), shown.to_owned()),
        },
        InputKind::Uninit(_) => assigned("it was never set".to_owned()),
        InputKind::Asm => assigned("from inline assembly".to_owned()),
        InputKind::ExternReturn(_) => assigned("it has no body".to_owned()),
        InputKind::ExternGlobal { .. } => assigned("defined elsewhere".to_owned()),
        kind @ (InputKind::Memory { .. } | InputKind::Changed { .. }) if kind.is_from_outside() => {
            assigned("changed by a function without a body".to_owned())
        }
        InputKind::Memory { .. } | InputKind::Changed { .. } => assigned("it was never written".to_owned()),
        InputKind::Param(_) => assigned("parameter".to_owned()),
    }
}

/// Shadowed names have a suffix of ours.
pub fn plain(name: &str) -> &str {
    name.split('#').next().unwrap_or(name)
}
